package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"drvabi/proxysource"
)

// What the toy of source_test.go needs for handlers that do something.
const toyTypes = `
type P64 uint64
type SMALL struct{ Inner P64 }
type BIG struct{ SMALL }
type EITHER interface{ CopyIn(task int, address uint64) (int, error) }

func (s *SMALL) CopyIn(task int, address uint64) (int, error) { return 0, nil }
func (s *BIG) CopyIn(task int, address uint64) (int, error)   { return 0, nil }
func (s *BIG) UnmarshalBytes(bytes []byte) []byte             { return nil }

type Handle struct{ Val uint32 }
type FDS struct {
	FD    int32
	Other P64
	H     Handle
}
type DEEP struct {
	FDS
	List   [2]struct{ X, Y P64 }
	Nested [2]FDS
	Status uint32
}
type NAMED interface{ GetFD() int32 }

func (f *FDS) GetFD() int32                                    { return f.FD }
func (f *FDS) CopyIn(task int, address uint64) (int, error)    { f.Other = 1; return 0, nil }
func (d *DEEP) CopyIn(task int, address uint64) (int, error)   { d.Status = 1; return 0, nil }
`

const toyHandlers = `
type pointer[T any] interface {
	*T
	marshal.Marshallable
	CopyIn(task int, address uint64) (int, error)
}

type params struct{ Params, PAllocParms nvgpu.P64 }

func addrFromP64(p nvgpu.P64) uint64 { return uint64(p) }

func passes(p *params) {}

func direct(p *params) {
	var x nvgpu.SMALL
	x.CopyIn(1, addrFromP64(p.Params))
	var inner nvgpu.BIG
	inner.CopyIn(1, addrFromP64(x.Inner))
}

func generic[P any, PP pointer[P]](p *params) {
	var value P
	if _, err := PP(&value).CopyIn(1, addrFromP64(p.Params)); err != nil {
		return
	}
	again[P, PP](p)
}

func again[P any, PP pointer[P]](p *params) {
	var value P
	x := PP(&value)
	x.CopyIn(1, addrFromP64(p.Params))
	generic[P, PP](p)
}

func inferring[P any, PP pointer[P]](p *params, then func(*P)) { generic[P, PP](p) }

func inferred(p *params) { inferring(p, func(x *nvgpu.BIG) {}) }

func makes(number int) func(*params) {
	return func(p *params) {
		var x nvgpu.BIG
		x.CopyIn(number, addrFromP64(p.Params))
	}
}

func either(p *params, x nvgpu.EITHER) { x.CopyIn(1, addrFromP64(p.Params)) }

func two(p *params) {
	direct(p)
	generic[nvgpu.BIG](p)
}

func bytes(p *params) {
	var x nvgpu.BIG
	x.UnmarshalBytes(nil)
}

func ofAnAllocation(p *params) {
	var x nvgpu.BIG
	x.CopyIn(1, addrFromP64(p.PAllocParms))
}
`

const toyNaming = `
func names(p *params) {
	var x nvgpu.DEEP
	x.CopyIn(1, addrFromP64(p.Params))
	x.List[p.one()].Y = 3
	x.H.Val = 4
}

func (p *params) one() int { return 1 }

func literal(p *params) {
	var x nvgpu.FDS
	x.CopyIn(1, addrFromP64(p.Params))
	x = nvgpu.FDS{Other: x.Other}
}

type hasFD[T any] interface {
	pointer[T]
	GetFD() int32
}

func throughMethods[P any, PP hasFD[P]](p *params) {
	var value P
	PP(&value).CopyIn(1, addrFromP64(p.Params))
	PP(&value).GetFD()
}

func throughAnInterface(p *params) {
	var x nvgpu.FDS
	x.CopyIn(1, addrFromP64(p.Params))
	var named nvgpu.NAMED = &x
	named.GetFD()
}

func inside(p *params) {
	var x nvgpu.DEEP
	x.CopyIn(1, addrFromP64(p.Params))
	one := &x.Nested[1]
	touch(one)
}

func touch(f *nvgpu.FDS) { f.FD = 1 }
`

func TestHandlerSaysWhichFieldsItNames(t *testing.T) {
	for expression, want := range map[string]string{
		"generic[nvgpu.FDS]":         "[]",
		"names":                      "[FDS.H List.Y]",
		"literal":                    "[Other]",
		"throughMethods[nvgpu.FDS]":  "[FD]",
		"throughMethods[nvgpu.DEEP]": "[FDS.FD Nested.FD]", // GetFD() of either, for all that is seen
		"throughAnInterface":         "not known",
		"inside":                     "[FDS.FD Nested Nested.FD]",
		"passes":                     "not known",
	} {
		use, err := useOf(t, expression)
		got := "not known"
		if err == nil && use.Fields != nil {
			got = fmt.Sprint(*use.Fields)
		}
		if err != nil || got != want {
			t.Errorf("%s: %s, %v; it should be %s", expression, got, err, want)
		}
	}
}

const toyFaults = `
const MAX = 100

func twice(p *params) {
	var x nvgpu.BIG
	x.CopyIn(1, addrFromP64(p.Params))
	direct(p)
}

func products(p *params) {
	var n32 uint32
	var n64, list = uint64(n32) * uint64(n32), []int{}
	if n32*4 > MAX || MAX <= n64*4 || uint64(n32)*4 > MAX || uint64(n32)*uint64(n32) < MAX || n32 > MAX/4 || 3*4 < MAX || len(list)*4 > MAX {
		n32 = n32 * n32
	}
}
`

func TestHandlerSaysWhichFaultsItsCodeHas(t *testing.T) {
	for expression, want := range map[string]string{
		"direct":   "[]",
		"twice":    "[copies the parameters in more than once (x.CopyIn, x.CopyIn): they may have changed since they were checked]",
		"products": "[compares a product that may have overflowed: n32 * 4 > MAX compares a product that may have overflowed: MAX <= n64 * 4 compares a product that may have overflowed: len(list) * 4 > MAX]",
	} {
		use, err := useOf(t, expression)
		if err != nil || fmt.Sprint(use.Faults) != want {
			t.Errorf("%s: %s, %v; it should be %s", expression, use.Faults, err, want)
		}
	}
}

// handlerOf is the handler of RED, when the toy has this expression for it.
func handlerOf(t *testing.T, expression string) (string, error) {
	t.Helper()
	use, err := useOf(t, expression)
	if err != nil {
		return "", err
	}
	switch known := use.Type.(type) {
	case nil:
		return use.Kind + " ?", nil
	case *string:
		if known == nil {
			return use.Kind + " null", nil
		}
		return use.Kind + " " + *known, nil
	}
	return "", fmt.Errorf("the type of %s is a %T", expression, use.Type)
}

func useOf(t *testing.T, expression string) (*proxysource.HandlerUse, error) {
	t.Helper()
	proxy := strings.Replace(toyProxy, "wrap(unknown[nvgpu.X], both)", "wrap("+expression+", both)", 1)
	proxy = strings.Replace(proxy, "import (", "import (\n\t\"gvisor.dev/gvisor/pkg/marshal\"", 1) + toyHandlers + toyNaming + toyFaults
	nodes, err := readToyWith(t, proxy, toyNumbers+toyTypes)
	if err != nil {
		return nil, err
	}
	return nodes["01.02.03"].handled["control"][0x11].handler, nil
}

func TestHandlerSaysWhatItUnmarshals(t *testing.T) {
	for expression, want := range map[string]string{
		"passes":                          "passes null",
		"direct":                          "direct SMALL",
		"generic[nvgpu.BIG]":              "generic BIG",
		"generic[nvgpu.SMALL]":            "generic SMALL",
		"inferred":                        "inferred BIG",
		"makes(3)":                        "makes BIG",
		"func(p *params) { inferred(p) }": "func BIG",
		"either":                          "either ?",
		"two":                             "two ?",
		"bytes":                           "bytes ?",
		"ofAnAllocation":                  "ofAnAllocation null",
		"elsewhere":                       "elsewhere ?",
	} {
		if got, err := handlerOf(t, expression); err != nil || got != want {
			t.Errorf("%s: %q, %v, want %q", expression, got, err, want)
		}
	}
}

func TestHandlerOfAnotherFormIsRefused(t *testing.T) {
	_, err := handlerOf(t, "some.method")
	if err == nil || !strings.Contains(err.Error(), "expected a handler") {
		t.Error(err)
	}
}

func TestWhatIsPassedByNumberIsRead(t *testing.T) {
	proxy := strings.Replace(toyProxy, "import (", "import (\n\t\"gvisor.dev/gvisor/pkg/marshal\"", 1) + toyHandlers + `
func rmControlSimple(p *params) int { return 0 }

type outer struct{ Cmd, Object uint32 }

func rmControl(p *params, o *outer) int {
	if o.Cmd&nvgpu.GREEN != 0 { // two bits
		return rmControlSimple(p)
	}
	if o.Cmd&0x8000 != 0 {
		return rmControlSimple(p)
	}
	if (o.Cmd>>16)&0xffff == nvgpu.RED {
		return rmControlSimple(p)
	}
	if o.Object&1 != 0 {
		return rmControlSimple(p)
	}
	if o.Cmd&1 != 0 {
		passes(p)
		return rmControlSimple(p)
	}
	return 1
}
`
	root := t.TempDir()
	writeToy(t, root, proxy, toyNumbers+toyTypes)
	source, err := readSource(filepath.Join(root, "sentry/devices/nvproxy"))
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(source.handlers.Passed()); got != "[{control 32768 32768 a number} {control 4294901760 1114112 RED}]" {
		t.Error(got)
	}
}

func TestFormatPutsAnEntryAndAFieldOnALine(t *testing.T) {
	parent, one := "1.0", "T"
	text, err := formatted(&proxysource.Table{
		Format: "drvabi-proxy/1", Proxy: "a <b> \"c\\", Types: map[string]*proxysource.TypeDef{
			"T": {Size: 4, Fields: []proxysource.FieldDef{{Name: "A", Offset: 0, Type: "uint32"}}, Role: "handle"}, "U": {Size: 4, Alias: "T"},
		},
		Versions: []*proxysource.Node{{Version: "1.1", Parent: &parent, Sha256: map[string]string{"x86_64": "00"}, Ioctls: map[string]proxysource.Entries{
			"uvm": {"E": {Number: 1, Caps: []string{}, Structs: []proxysource.StructUse{{Driver: "D", Proxy: &one}}, Handler: &proxysource.HandlerUse{Kind: "k", Type: &one, Fields: &[]string{"A"}}}, "F": nil},
		}}},
	})
	want := `{
 "format": "drvabi-proxy/1",
 "proxy": "a <b> \"c\\",
 "revision": "",
 "driver": "",
 "types": {
  "T": {
   "size": 4,
   "fields": [
    {"name": "A", "offset": 0, "type": "uint32"}
   ],
   "role": "handle"
  },
  "U": {
   "size": 4,
   "alias": "T"
  }
 },
 "versions": [
  {
   "version": "1.1",
   "parent": "1.0",
   "supported": false,
   "sha256": {
    "x86_64": "00"
   },
   "ioctls": {
    "uvm": {
     "E": {"number": 1, "constant": null, "caps": [], "structs": [{"driver": "D", "proxy": "T"}], "handler": {"kind": "k", "type": "T", "fields": ["A"]}},
     "F": null
    }
   }
  }
 ]
}
`
	if err != nil || string(text) != want {
		t.Errorf("%v, it is\n%s", err, text)
	}
}
