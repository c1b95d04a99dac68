package main

import (
	"fmt"
	"strings"
	"testing"
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

// handlerOf is the handler of RED, when the toy has this expression for it.
func handlerOf(t *testing.T, expression string) (string, error) {
	t.Helper()
	proxy := strings.Replace(toyProxy, "wrap(unknown[nvgpu.X], both)", "wrap("+expression+", both)", 1)
	proxy = strings.Replace(proxy, "import (", "import (\n\t\"gvisor.dev/gvisor/pkg/marshal\"", 1) + toyHandlers
	nodes, err := readToyWith(t, proxy, toyNumbers+toyTypes)
	if err != nil {
		return "", err
	}
	use := nodes["01.02.03"].handled["control"][0x11].handler
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

func TestFormatPutsAnEntryAndAFieldOnALine(t *testing.T) {
	parent, one := "1.0", "T"
	text, err := formatted(&document{
		Format: "drvabi-proxy/1", Proxy: "a <b> \"c\\", Types: map[string]*typeDef{
			"T": {Size: 4, Fields: []fieldDef{{"A", 0, "uint32"}}, Role: "handle"}, "U": {Size: 4, Alias: "T"},
		},
		Versions: []*node{{Version: "1.1", Parent: &parent, Sha256: map[string]string{"x86_64": "00"}, Ioctls: map[string]entries{
			"uvm": {"E": {Number: 1, Caps: []string{}, Structs: []structUse{{"D", &one}}, Handler: &handlerUse{"k", &one}}, "F": nil},
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
     "E": {"number": 1, "constant": null, "caps": [], "structs": [{"driver": "D", "proxy": "T"}], "handler": {"kind": "k", "type": "T"}},
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
