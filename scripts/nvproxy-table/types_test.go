package main

import (
	"reflect"
	"strings"
	"testing"

	"gvisor.dev/gvisor/pkg/abi/nvgpu"
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
	want := map[string]*typeDef{
		"everything": {Size: 120, Fields: []fieldDef{
			{"Word", 0, "uint32"}, {"Pad", 4, "uint8[4]"}, {"Pairs", 8, "pair[2]"}, {"Rows", 16, "uint64[2][5]"},
			{"Grid", 96, "grid"}, {"_", 99, "uint8"}, {"Pointer", 104, "P64"}, {"Handles", 112, "Handle[2]"},
		}},
		"pair":   {Size: 4, Fields: []fieldDef{{"Low", 0, "int16"}, {"High", 2, "int16"}}},
		"grid":   {Size: 3, Alias: "uint8[3]"},
		"P64":    {Size: 8, Alias: "uint64", Role: "pointer"},
		"Handle": {Size: 4, Fields: []fieldDef{{"Val", 0, "uint32"}}, Role: "handle"},
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
		"Address: uintptr is no type":    reflect.TypeFor[struct{ Address uintptr }](),
		"Next: *uint8 is no type":        reflect.TypeFor[struct{ Next [2]*uint8 }](),
		"Flag: bool is no type":          reflect.TypeFor[struct{ Flag bool }](),
		"number is a float64":            reflect.TypeFor[struct{ N number }](),
		"generic type box[uint8] cannot": reflect.TypeFor[generic](),
		"empty has no fields":            reflect.TypeFor[empty](),
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
