// Compare the layouts that the compiler gives a generated file with FILE, from
// which it was generated. scripts/check-gen-go builds this program in a package
// with the generated file.
//
// usage: layout flat|table FILE [VERSION]
//
// FILE is the output of drvabi flatten --format json, or a proxy table. Every
// scalar of a record must have the same offset and width in the compiled type,
// and the compiled type must not have others. Unions, bit-fields and floats must
// be bytes in the compiled type; bit-fields can also be an integer. If the
// generated file has several versions, VERSION is the version of FILE.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strconv"
	"strings"
)

// scalars maps the offset of each scalar to its width, in bytes.
type scalars map[uint64]uint64

var padding = regexp.MustCompile(`^(_+|_*[Pp]ad(ding)?_?[0-9]*)$`)

func compiled(out scalars, t reflect.Type, at uint64, withPadding bool) {
	switch t.Kind() {
	case reflect.Struct:
		for i := 0; i < t.NumField(); i++ {
			if f := t.Field(i); withPadding || !padding.MatchString(f.Name) {
				compiled(out, f.Type, at+uint64(f.Offset), withPadding)
			}
		}
	case reflect.Array:
		for i := 0; i < t.Len(); i++ {
			compiled(out, t.Elem(), at+uint64(i)*uint64(t.Elem().Size()), withPadding)
		}
	default:
		out[at] = uint64(t.Size())
	}
}

type leaf struct {
	Path     string  `json:"path"`
	Offset   uint64  `json:"bit_offset"`
	Size     uint64  `json:"bit_size"`
	Kind     string  `json:"kind"`
	Count    *uint64 `json:"count"`
	Union    *string `json:"union"`
	BitField bool    `json:"bitfield"`
	Flexible bool    `json:"flexible"`
	Repeats  []struct {
		Count  uint64 `json:"count"`
		Stride uint64 `json:"stride_bits"`
	} `json:"repeat"`
}

type flat struct {
	Records map[string]struct {
		Size    uint64 `json:"size"`
		IsUnion bool   `json:"is_union"`
		Leaves  []leaf `json:"leaves"`
	} `json:"records"`
}

// starts calls visit with the offset of each array element, in bits.
func (l leaf) starts(visit func(at uint64)) {
	at := []uint64{l.Offset}
	for _, r := range l.Repeats {
		var next []uint64
		for _, a := range at {
			for i := uint64(0); i < r.Count; i++ {
				next = append(next, a+i*r.Stride)
			}
		}
		at = next
	}
	for _, a := range at {
		visit(a)
	}
}

// checkRecord compares the leaves of a record with the compiled scalars. It
// removes the scalars that belong to leaves from have, and returns the number
// of bytes of those that were not compared one by one.
func checkRecord(have scalars, leaves []leaf) (problems []string, loose uint64) {
	explained := scalars{}
	for _, l := range leaves {
		count := uint64(1)
		if l.Count != nil {
			count = *l.Count
		}
		if count == 0 || l.Flexible || l.Size == 0 {
			continue
		}
		l.starts(func(at uint64) {
			isLoose := l.Union != nil || l.BitField || at%8 != 0 || l.Kind == "bytes"
			if isLoose {
				for b := at / 8; b < (at+l.Size+7)/8; b++ {
					explained[b] = 0
				}
				return
			}
			width := l.Size / 8 / count
			for i := uint64(0); i < count; i++ {
				o := at/8 + i*width
				if have[o] == width {
					delete(have, o)
				} else if have[o] == 1 {
					for b := o; b < o+width; b++ {
						explained[b] = 0
					}
				} else {
					problems = append(problems, fmt.Sprintf("%s @%d: %d bytes, compiled %d", l.Path, o, width, have[o]))
				}
			}
		})
	}
	for o, width := range have {
		if _, ok := explained[o]; ok {
			loose += width
			delete(have, o)
		}
	}
	return problems, loose
}

// rest reports remaining scalars that are not bytes. Bytes can be padding, or
// bytes of a union outside of its members.
func rest(have scalars) (problems []string) {
	for o, width := range have {
		if width != 1 {
			problems = append(problems, fmt.Sprintf("@%d: %d bytes that the driver does not have", o, width))
		}
	}
	return problems
}

// older reports whether version a is older than version b.
func older(a, b string) bool {
	x, y := strings.Split(a, "."), strings.Split(b, ".")
	for i := 0; i < len(x) && i < len(y); i++ {
		m, _ := strconv.Atoi(x[i])
		n, _ := strconv.Atoi(y[i])
		if m != n {
			return m < n
		}
	}
	return len(x) < len(y)
}

// typeOf returns the type of each record in a version, from the generated
// file's list of layouts. If version is empty, the file has only one version.
func typeOf(version string) map[string]reflect.Type {
	of := map[string]reflect.Type{}
	for _, l := range Layouts {
		if version == "" || !older(version, l.First) && !older(l.Last, version) {
			of[l.Record] = types[l.Type]
		}
	}
	return of
}

func checkFlat(text []byte, version string) (failed bool) {
	var doc flat
	var records, unions, leaves int
	var loose uint64
	if err := json.Unmarshal(text, &doc); err != nil {
		fatal(err)
	}
	of := typeOf(version)
	for name, r := range doc.Records {
		t := of[name]
		if t == nil {
			if !strings.Contains(name, "::") {
				fmt.Printf("%s: no type\n", name)
				failed = true
			}
			continue
		}
		if uint64(t.Size()) != r.Size {
			fmt.Printf("%s: %d bytes, compiled %d\n", name, r.Size, t.Size())
			failed = true
		}
		if r.IsUnion {
			unions++
			continue
		}
		have := scalars{}
		compiled(have, t, 0, true)
		problems, bytes := checkRecord(have, r.Leaves)
		for _, p := range append(problems, rest(have)...) {
			fmt.Printf("%s: %s\n", name, p)
			failed = true
		}
		records++
		leaves += len(r.Leaves)
		loose += bytes
	}
	fmt.Printf("%d records, %d leaves, %d bytes of unions, bit-fields, floats and packed fields; %d unions by size\n", records, leaves, loose, unions)
	return failed || records == 0
}

type table struct {
	Types map[string]struct {
		Size   uint64 `json:"size"`
		Alias  string `json:"alias"`
		Fields []struct {
			Name, Type string
			Offset     uint64
		} `json:"fields"`
	} `json:"types"`
}

var words = map[string]uint64{"bool": 1, "uint8": 1, "int8": 1, "uint16": 2, "int16": 2, "uint32": 4, "int32": 4, "uint64": 8, "int64": 8}
var spelled = regexp.MustCompile(`^(\w+)((?:\[[0-9]+\])*)$`)

func (t table) scalars(out scalars, spelling string, at uint64) uint64 {
	parts := spelled.FindStringSubmatch(spelling)
	count, size := uint64(1), uint64(0)
	for _, n := range strings.Split(strings.Trim(parts[2], "[]"), "][") {
		if n != "" {
			d, _ := strconv.ParseUint(n, 10, 64)
			count *= d
		}
	}
	for i := uint64(0); i < count; i++ {
		size = t.one(out, parts[1], at+i*size)
	}
	return count * size
}

func (t table) one(out scalars, name string, at uint64) uint64 {
	if width, ok := words[name]; ok {
		out[at] = width
		return width
	}
	if t.Types[name].Alias != "" {
		return t.scalars(out, t.Types[name].Alias, at)
	}
	for _, f := range t.Types[name].Fields {
		if !padding.MatchString(f.Name) {
			t.scalars(out, f.Type, at+f.Offset)
		}
	}
	return t.Types[name].Size
}

func checkTable(text []byte, _ string) (failed bool) {
	var doc table
	if err := json.Unmarshal(text, &doc); err != nil {
		fatal(err)
	}
	count := 0
	for name, want := range doc.Types {
		have, wanted := scalars{}, scalars{}
		t, ok := types[name]
		if !ok {
			fmt.Printf("%s: no type\n", name)
			failed = true
			continue
		}
		compiled(have, t, 0, false)
		doc.one(wanted, name, 0)
		if uint64(t.Size()) != want.Size || !reflect.DeepEqual(have, wanted) {
			fmt.Printf("%s: the table has %d bytes %v, compiled %d bytes %v\n", name, want.Size, wanted, t.Size(), have)
			failed = true
		}
		count += len(wanted)
	}
	fmt.Printf("%d types, %d scalars\n", len(doc.Types), count)
	return failed || count == 0
}

func fatal(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(2)
}

func main() {
	text, err := os.ReadFile(os.Args[2])
	if err != nil {
		fatal(err)
	}
	check := map[string]func([]byte, string) bool{"flat": checkFlat, "table": checkTable}[os.Args[1]]
	version := ""
	if len(os.Args) > 3 {
		version = os.Args[3]
	}
	if check(text, version) {
		os.Exit(1)
	}
}
