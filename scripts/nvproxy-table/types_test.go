package main

import (
	"reflect"
	"strings"
	"testing"

	"gvisor.dev/gvisor/pkg/abi/nvgpu"

	"drvabi/proxysource"
)

type pair struct{ Low, High int16 }

type grid [3]uint8

type everything struct {
	_       struct{}
	Word    uint32
	Pad     [4]uint8
	Pairs   [2]pair
	Rows    [2][5]uint64
	Grid    grid
	_       uint8
	Pointer nvgpu.P64
	Handles [2]nvgpu.Handle
}

func TestTypesHaveTheirLayout(t *testing.T) {
	types := newTypeSet()
	if err := types.add(reflect.TypeFor[everything]()); err != nil {
		t.Fatal(err)
	}
	want := map[string]*proxysource.TypeDef{
		"everything": {Size: 120, Fields: []proxysource.FieldDef{
			{Name: "Word", Offset: 0, Type: "uint32"}, {Name: "Pad", Offset: 4, Type: "uint8[4]"}, {Name: "Pairs", Offset: 8, Type: "pair[2]"}, {Name: "Rows", Offset: 16, Type: "uint64[2][5]"},
			{Name: "Grid", Offset: 96, Type: "grid"}, {Name: "_", Offset: 99, Type: "uint8"}, {Name: "Pointer", Offset: 104, Type: "P64"}, {Name: "Handles", Offset: 112, Type: "Handle[2]"},
		}},
		"pair":   {Size: 4, Fields: []proxysource.FieldDef{{Name: "Low", Offset: 0, Type: "int16"}, {Name: "High", Offset: 2, Type: "int16"}}},
		"grid":   {Size: 3, Alias: "uint8[3]"},
		"P64":    {Size: 8, Alias: "uint64", Role: "pointer"},
		"Handle": {Size: 4, Fields: []proxysource.FieldDef{{Name: "Val", Offset: 0, Type: "uint32"}}, Role: "handle"},
	}
	for name := range types.defs {
		if !reflect.DeepEqual(types.defs[name], want[name]) {
			t.Errorf("%s is %+v, want %+v", name, types.defs[name], want[name])
		}
	}
	if len(types.defs) != len(want) {
		t.Errorf("%d types, want %d", len(types.defs), len(want))
	}
}

func TestTypesWithoutALayoutAreRefused(t *testing.T) {
	type number float64
	type generic struct{ Inner box[uint8] }
	type empty struct{}
	for want, refused := range map[string]reflect.Type{
		"Address: uintptr is not a type":             reflect.TypeFor[struct{ Address uintptr }](),
		"Next: *uint8 is not a type":                 reflect.TypeFor[struct{ Next [2]*uint8 }](),
		"Flag: bool is not a type":                   reflect.TypeFor[struct{ Flag bool }](),
		"number is a float64":                        reflect.TypeFor[struct{ N number }](),
		"cannot contain the generic type box[uint8]": reflect.TypeFor[generic](),
		"empty has no fields":                        reflect.TypeFor[empty](),
	} {
		if err := newTypeSet().add(refused); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %s", refused, err, want)
		}
	}
}

type box[T any] struct{ Value T }

func TestTypesOfOneNameAreRefused(t *testing.T) {
	types := newTypeSet()
	if err := types.add(reflect.TypeFor[pair]()); err != nil {
		t.Fatal(err)
	}
	type pair struct{ Low, High int32 }
	if err := types.add(reflect.TypeFor[pair]()); err == nil || !strings.Contains(err.Error(), "two types have the name pair") {
		t.Error(err)
	}
}
