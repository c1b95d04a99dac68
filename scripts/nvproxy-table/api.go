package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"

	"gvisor.dev/gvisor/pkg/sentry/devices/nvproxy"
	"gvisor.dev/gvisor/pkg/sentry/devices/nvproxy/nvconf"
)

// The four families of a drvabi-proxy/1 document.
var families = []string{"frontend", "uvm", "control", "alloc"}

// All of NVIDIA's versions are below these.
const (
	majorEnd = 1000
	minorEnd = 1000
	patchEnd = 100
)

// versions yields every possible version, oldest first. gVisor exports a list of
// its supported versions, but not of its other nodes. These can only be found by
// querying each version.
func versions(yield func(nvconf.DriverVersion) bool) {
	for number := range majorEnd * minorEnd * patchEnd {
		if !yield(nvconf.NewDriverVersion(number/patchEnd/minorEnd, number/patchEnd%minorEnd, number%patchEnd)) {
			return
		}
	}
}

// apiVersion has the data of gVisor's exported API for one driver version.
type apiVersion struct {
	version   nvconf.DriverVersion
	supported bool
	sums      nvproxy.Checksums
	entries   map[string]map[uint32]nvproxy.IoctlInfo // by family and number
}

// readAPI returns all of gVisor's versions, oldest first.
func readAPI() ([]*apiVersion, error) {
	nvproxy.Init()
	supported := map[nvconf.DriverVersion]nvproxy.Checksums{}
	nvproxy.ForEachSupportDriver(func(version nvconf.DriverVersion, sums nvproxy.Checksums) {
		supported[version] = sums
	})
	var all []*apiVersion
	for version := range versions {
		info, known := nvproxy.SupportedIoctls(version)
		if !known {
			continue
		}
		found := &apiVersion{version: version}
		found.sums, found.supported = supported[version]
		delete(supported, version)
		found.setEntries(info)
		all = append(all, found)
	}
	for version := range supported {
		return nil, fmt.Errorf("gVisor supports %v, but only versions below %d.%d.%d were searched",
			version, majorEnd, minorEnd, patchEnd)
	}
	if len(all) == 0 {
		return nil, errors.New("gVisor's nvproxy has no driver versions")
	}
	return all, nil
}

// setEntries sets the entries that the proxy forwards. gVisor describes entries
// in a different table; a difference between the two is reported.
func (v *apiVersion) setEntries(info *nvproxy.DriverABIInfo) {
	frontend, uvm, control, alloc, _ := nvproxy.SupportedIoctlsNumbers(v.version)
	allocInfos := map[uint32]nvproxy.IoctlInfo{}
	for class, entry := range info.AllocationInfos {
		allocInfos[uint32(class)] = entry
	}
	v.entries = map[string]map[uint32]nvproxy.IoctlInfo{
		"frontend": v.forwarded("frontend", frontend, info.FrontendInfos),
		"uvm":      v.forwarded("uvm", uvm, info.UvmInfos),
		"control":  v.forwarded("control", control, info.ControlInfos),
		"alloc":    v.forwarded("alloc", alloc, allocInfos),
	}
}

func (v *apiVersion) forwarded(
	family string, numbers map[uint32]struct{}, infos map[uint32]nvproxy.IoctlInfo,
) map[uint32]nvproxy.IoctlInfo {
	entries := map[uint32]nvproxy.IoctlInfo{}
	for _, number := range slices.Sorted(maps.Keys(numbers)) {
		info, described := infos[number]
		if !described {
			v.warn(family, number, "gVisor forwards this number but does not describe it; the table has it without constant and structs")
		}
		entries[number] = info
	}
	for _, number := range slices.Sorted(maps.Keys(infos)) {
		if _, ok := numbers[number]; !ok {
			v.warn(family, number, "gVisor describes this number but does not forward it; the table does not have it")
		}
	}
	return entries
}

func (v *apiVersion) warn(family string, number uint32, what string) {
	fmt.Fprintf(os.Stderr, "nvproxy-table: %v: %s %#x: %s\n", v.version, family, number, what)
}

// checksums returns the checksums of NVIDIA's packages, by machine. A machine without a package is not included.
func (v *apiVersion) checksums() map[string]string {
	sums := map[string]string{}
	for machine, sum := range map[string]string{"x86_64": v.sums.X86_64, "arm64": v.sums.ARM64} {
		if v.supported && sum != "" && sum != nvproxy.ChecksumNoDriver {
			sums[machine] = sum
		}
	}
	return sums
}

// structTypes returns the proxy's types at this version.
func (v *apiVersion) structTypes() []reflect.Type {
	var types []reflect.Type
	for _, family := range families {
		for _, number := range slices.Sorted(maps.Keys(v.entries[family])) {
			for _, used := range v.entries[family][number].Structs {
				if used.Type != nil {
					types = append(types, used.Type)
				}
			}
		}
	}
	return types
}
