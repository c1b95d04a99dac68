package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A proxy of which everything is made up, in the form that readSource knows.
const (
	toyNumbers = "package nvgpu\n\ntype ClassID uint32\n\n" +
		"const (\n\tRED = 0x10 | 1\n\tGREEN = iota + 0x20\n\tHUE_V2 = 0x30\n\tSHADE ClassID = 7\n)\n"
	toyCaps = "package nvconf\n\ntype DriverCaps uint16\n\n" +
		"const (\n\tCapCompute DriverCaps = 1 << iota\n\tCapDisplay\n\tCapGraphics\n\tCapTime DriverCaps = 0x8000\n)\n"
	toyProxy = `package nvproxy

import (
	"gvisor.dev/gvisor/pkg/abi/nvgpu"
	"gvisor.dev/gvisor/pkg/sentry/devices/nvproxy/nvconf"
	"gvisor.dev/gvisor/pkg/sync"
)

const both = nvconf.CapGraphics | nvconf.CapCompute

type driverABI struct {
	uvmIoctl        map[uint32]handler
	controlCmd      map[uint32]handler
	allocationClass map[nvgpu.ClassID]handler
	getInfo         func()
}

type handler struct{}

func wrap(f func(), caps nvconf.DriverCaps) handler { return handler{} }

var abisOnce sync.Once

func addDriverABI(major, minor, patch int, sum string, cons func() *driverABI) func() *driverABI { return cons }

func Init() {
	abisOnce.Do(func() {
		abis = make(map[int]int)
		v1 := addDriverABI(1, 02, 3, "sum", func() *driverABI {
			return &driverABI{
				uvmIoctl:        map[uint32]handler{nvgpu.RED: wrap(nil, 0)},
				controlCmd:      map[uint32]handler{nvgpu.RED: wrap(unknown[nvgpu.X], both), nvgpu.GREEN: wrap(nil, nvconf.CapDisplay)},
				allocationClass: map[nvgpu.ClassID]handler{nvgpu.SHADE: wrap(nil, both)},
				getInfo:         func() {},
			}
		})
		v2 := addDriverABI(1, 20, 0, "sum", v1)
		_ = addDriverABI(2, 0, 0, "sum", func() *driverABI {
			abi := v2()
			abi.controlCmd[nvgpu.HUE_V2] = wrap(nil, both|nvconf.CapDisplay)
			delete(abi.controlCmd, nvgpu.GREEN)
			previous := abi.getInfo
			abi.getInfo = func() { previous() }
			// A statement goes here.
			return abi
		})
	})
}
`
)

func readToy(t *testing.T, proxy string) (map[string]*sourceNode, error) {
	t.Helper()
	return readToyWith(t, proxy, toyNumbers)
}

// writeToy puts the toy's packages below root.
func writeToy(t *testing.T, root, proxy, numbers string) {
	t.Helper()
	for path, text := range map[string]string{
		"sentry/devices/nvproxy/version.go": proxy, "sentry/devices/nvproxy/nvconf/caps.go": toyCaps, "abi/nvgpu/numbers.go": numbers,
	} {
		path = filepath.Join(root, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func readToyWith(t *testing.T, proxy, numbers string) (map[string]*sourceNode, error) {
	t.Helper()
	root := t.TempDir()
	writeToy(t, root, proxy, numbers)
	source, err := readSource(filepath.Join(root, "sentry/devices/nvproxy"))
	if source == nil {
		return nil, err
	}
	return source.nodes, err
}

// listed writes a version as a line.
func listed(node *sourceNode) string {
	line := "parent " + node.parent
	for _, family := range families {
		for _, number := range slices.Sorted(maps.Keys(node.handled[family])) {
			entry := node.handled[family][number]
			line += fmt.Sprintf("; %s %s %#x %s", family, entry.name, number, strings.Join(entry.caps, "+"))
		}
	}
	return line
}

func TestSourceSaysParentsNamesAndCapabilities(t *testing.T) {
	nodes, err := readToy(t, toyProxy)
	if err != nil {
		t.Fatal(err)
	}
	root := "; uvm RED 0x11 ; control RED 0x11 compute+graphics; control GREEN 0x21 display; alloc SHADE 0x7 compute+graphics"
	want := map[string]string{
		"01.02.03": "parent " + root,
		"01.20.00": "parent 01.02.03" + root,
		"02.00.00": "parent 01.20.00; uvm RED 0x11 ; control RED 0x11 compute+graphics; " +
			"control HUE_V2 0x30 compute+display+graphics; alloc SHADE 0x7 compute+graphics",
	}
	for version, node := range nodes {
		if listed(node) != want[version] {
			t.Errorf("%s is\n%s, want\n%s", version, listed(node), want[version])
		}
	}
	if len(nodes) != len(want) {
		t.Errorf("%d versions, want %d", len(nodes), len(want))
	}
}

func TestSourceThatIsNotUnderstoodIsRefusedWithItsPlace(t *testing.T) {
	for _, refused := range []struct{ from, to, want string }{
		{"// A statement goes here.", "abi.addAll()", "expected a handler to be set or deleted"},
		{"// A statement goes here.", "if true { delete(abi.controlCmd, 1) }", "expected a handler"},
		{"// A statement goes here.", "abi.more[nvgpu.RED] = wrap(nil, both)", "expected a handler"},
		{"// A statement goes here.", "other.controlCmd[nvgpu.RED] = wrap(nil, both)", "expected a handler"},
		{"nvgpu.HUE_V2]", "nvgpu.ABSENT]", "expected a constant"},
		{"nvgpu.HUE_V2]", "1<<32]", "expected a constant"},
		{"nvgpu.HUE_V2]", "0x30]", "expected a named constant"},
		{"both|nvconf.CapDisplay)", "caps())", "expected a constant"},
		{"both|nvconf.CapDisplay)", "nvconf.CapTime)", "0x8000 has a bit that is not a capability"},
		{"wrap(nil, both|", "wrap(nil, nil, both|", "expected a call with a handler"},
		{"delete(abi.controlCmd, nvgpu.GREEN)", "delete(abi.controlCmd, nvgpu.ABSENT)", "expected a constant"},
		{"abi := v2()", "abi := v3()", "'v3' is not a version"},
		{"abi := v2()", "v2()", "expected abi := parent()"},
		{"\"sum\", v1)", "\"sum\", v0)", "'v0' is not a version"},
		{"addDriverABI(1, 20, 0", "addDriverABI(1, 2, 3", "01.02.03 is added twice"},
		{"addDriverABI(1, 20, 0", "addDriverABI(1, n, 0", "expected a constant"},
		{"v2 := addDriverABI(", "v2 := with(", "expected addDriverABI(major"},
		{"abis = make(map[int]int)", "prepare()", "expected a driver version"},
		{"getInfo:         func() {}", "more: nil", "'more' is not a known map of handlers"},
		{"return &driverABI{", "return makeABI{", "expected &driverABI{...}"},
		{"func Init() {", "func Init( {", "expected ')'"},
	} {
		if !strings.Contains(toyProxy, refused.from) {
			t.Fatalf("the toy has no %q", refused.from)
		}
		_, err := readToy(t, strings.Replace(toyProxy, refused.from, refused.to, 1))
		line := 1 + strings.Count(toyProxy[:strings.Index(toyProxy, refused.from)], "\n")
		place := fmt.Sprintf("version.go:%d:", line)
		if err == nil || !strings.Contains(err.Error(), place) || !strings.Contains(err.Error(), refused.want) {
			t.Errorf("%s: %v, want %s ... %s", refused.to, err, place, refused.want)
		}
	}
}

func TestSourceWithoutInitIsRefused(t *testing.T) {
	_, err := readToy(t, strings.Replace(toyProxy, "func Init() {", "func Begin() {", 1))
	if err == nil || !strings.Contains(err.Error(), "has no function Init") {
		t.Error(err)
	}
}
