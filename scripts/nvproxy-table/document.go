package main

import (
	"fmt"
	"maps"
	"reflect"
	"runtime/debug"
	"slices"

	"drvabi/proxysource"
	"gvisor.dev/gvisor/pkg/sentry/devices/nvproxy"
)

func newDocument(driven []*apiVersion, source *sourceReader) (*proxysource.Table, error) {
	out := &proxysource.Table{Format: "drvabi-proxy/1", Proxy: "gvisor nvproxy", Revision: revision(source != nil), Driver: "nvidia"}
	full := map[string]map[string]proxysource.Entries{} // all entries of each version
	if source != nil {
		out.Passed = source.handlers.Passed()
	}
	for i, from := range driven {
		made := &proxysource.Node{Version: from.version.String(), Supported: from.supported, Sha256: from.checksums()}
		if source != nil {
			made.Parent = source.nodes[made.Version].parentOrNil()
		} else if i > 0 {
			made.Parent = &out.Versions[i-1].Version
		}
		var err error
		if full[made.Version], err = fullEntries(from, source.node(made.Version)); err != nil {
			return nil, err
		}
		out.Versions = append(out.Versions, made)
	}
	for _, made := range out.Versions {
		setDifference(made, full)
	}
	var err error
	out.Types, err = usedTypes(driven)
	return out, err
}

// usedTypes returns the types of all entries and of their fields.
func usedTypes(driven []*apiVersion) (map[string]*proxysource.TypeDef, error) {
	types := newTypeSet()
	for _, from := range driven {
		for _, used := range from.structTypes() {
			if err := types.add(used); err != nil {
				return nil, fmt.Errorf("%v: %w", from.version, err)
			}
		}
	}
	return types.defs, nil
}

// setDifference sets the entries that differ from the parent's. The root has no parent, so it gets all of its entries.
func setDifference(n *proxysource.Node, full map[string]map[string]proxysource.Entries) {
	n.Ioctls = map[string]proxysource.Entries{}
	parent := map[string]proxysource.Entries{}
	if n.Parent != nil {
		parent = full[*n.Parent]
	}
	for _, family := range families {
		differs := proxysource.Entries{}
		for name, here := range full[n.Version][family] {
			if !reflect.DeepEqual(here, parent[family][name]) {
				differs[name] = here
			}
		}
		for name := range parent[family] {
			if full[n.Version][family][name] == nil {
				differs[name] = nil
			}
		}
		if len(differs) > 0 {
			n.Ioctls[family] = differs
		}
	}
}

func fullEntries(from *apiVersion, source *sourceNode) (map[string]proxysource.Entries, error) {
	all := map[string]proxysource.Entries{}
	for _, family := range families {
		all[family] = proxysource.Entries{}
		for _, number := range slices.Sorted(maps.Keys(from.entries[family])) {
			info := from.entries[family][number]
			name, made := entryName(family, number, info), newEntry(number, info)
			if source != nil {
				read := source.handled[family][number]
				name, made.Caps, made.Handler = read.name, read.caps, read.handler
			}
			if other := all[family][name]; other != nil {
				return nil, fmt.Errorf("%v: two entries of family %s have the name %s: %#x and %#x",
					from.version, family, name, other.Number, number)
			}
			all[family][name] = made
		}
	}
	return all, nil
}

// entryName returns the driver's constant, or UNKNOWN_… if there is none.
func entryName(family string, number uint32, info nvproxy.IoctlInfo) string {
	if info.Name != "" {
		return info.Name
	}
	what := map[string]string{"frontend": "FRONTEND_IOCTL", "uvm": "UVM_IOCTL", "control": "CONTROL_COMMAND", "alloc": "ALLOC_CLASS"}
	return fmt.Sprintf("UNKNOWN_%s_%X", what[family], number)
}

func newEntry(number uint32, info nvproxy.IoctlInfo) *proxysource.Entry {
	made := &proxysource.Entry{Number: uint64(number), Structs: []proxysource.StructUse{}}
	if info.Name != "" {
		made.Constant = &info.Name
	}
	for _, used := range info.Structs {
		use := proxysource.StructUse{Driver: used.Name}
		if used.Type != nil {
			name := used.Type.Name()
			use.Proxy = &name
		}
		made.Structs = append(made.Structs, use)
	}
	return made
}

// revision returns the version of gVisor with which this program was built.
func revision(withSource bool) string {
	text := "gvisor.dev/gvisor of an unknown version"
	if build, ok := debug.ReadBuildInfo(); ok {
		for _, module := range build.Deps {
			if module.Path != "gvisor.dev/gvisor" {
				continue
			}
			if module.Replace != nil {
				module = module.Replace
			}
			text = module.Path + " " + module.Version
		}
	}
	if !withSource {
		text += " (exported API only: no capabilities, parents in the order of versions)"
	}
	return text
}
