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

// document is a drvabi-proxy/1 document: docs/formats.md describes it.
type document struct {
	Format   string               `json:"format"`
	Proxy    string               `json:"proxy"`
	Revision string               `json:"revision"`
	Driver   string               `json:"driver"`
	Passed   []proxysource.Passed `json:"passed,omitempty"`
	Types    map[string]*typeDef  `json:"types"`
	Versions []*node              `json:"versions"`
}

type node struct {
	Version   string             `json:"version"`
	Parent    *string            `json:"parent"`
	Supported bool               `json:"supported"`
	Sha256    map[string]string  `json:"sha256,omitempty"`
	Ioctls    map[string]entries `json:"ioctls,omitempty"` // by family
}

// entries are by name; nil is one that the parent has and this node has not.
type entries map[string]*entry

type entry struct {
	Number   uint32                  `json:"number"`
	Constant *string                 `json:"constant"`
	Caps     []string                `json:"caps,omitzero"` // nil: not known
	Structs  []structUse             `json:"structs"`
	Handler  *proxysource.HandlerUse `json:"handler,omitempty"` // nil: not known
}

type structUse struct {
	Driver string  `json:"driver"`
	Proxy  *string `json:"proxy"`
}

// newDocument makes the table; source is nil if it shall do without.
func newDocument(driven []*apiVersion, source *sourceReader) (*document, error) {
	out := &document{Format: "drvabi-proxy/1", Proxy: "gvisor nvproxy", Revision: revision(source != nil), Driver: "nvidia"}
	full := map[string]map[string]entries{} // all that each version forwards
	if source != nil {
		out.Passed = source.handlers.Passed()
	}
	for i, from := range driven {
		made := &node{Version: from.version.String(), Supported: from.supported, Sha256: from.checksums()}
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
		made.setDifference(full)
	}
	var err error
	out.Types, err = usedTypes(driven)
	return out, err
}

// usedTypes are the types of all entries, and what these are made of.
func usedTypes(driven []*apiVersion) (map[string]*typeDef, error) {
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

// setDifference keeps what differs from the parent; the root has no parent, and differs in all.
func (n *node) setDifference(full map[string]map[string]entries) {
	n.Ioctls = map[string]entries{}
	parent := map[string]entries{}
	if n.Parent != nil {
		parent = full[*n.Parent]
	}
	for _, family := range families {
		differs := entries{}
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

func fullEntries(from *apiVersion, source *sourceNode) (map[string]entries, error) {
	all := map[string]entries{}
	for _, family := range families {
		all[family] = entries{}
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

// entryName is the driver's constant; without one, what gVisor would call it.
func entryName(family string, number uint32, info nvproxy.IoctlInfo) string {
	if info.Name != "" {
		return info.Name
	}
	what := map[string]string{"frontend": "FRONTEND_IOCTL", "uvm": "UVM_IOCTL", "control": "CONTROL_COMMAND", "alloc": "ALLOC_CLASS"}
	return fmt.Sprintf("UNKNOWN_%s_%X", what[family], number)
}

func newEntry(number uint32, info nvproxy.IoctlInfo) *entry {
	made := &entry{Number: number, Structs: []structUse{}}
	if info.Name != "" {
		made.Constant = &info.Name
	}
	for _, used := range info.Structs {
		use := structUse{Driver: used.Name}
		if used.Type != nil {
			name := used.Type.Name()
			use.Proxy = &name
		}
		made.Structs = append(made.Structs, use)
	}
	return made
}

// revision is the version of gVisor that this program was built against.
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
