package main

import (
	"fmt"
	"reflect"
	"strings"

	"gvisor.dev/gvisor/pkg/abi/nvgpu"

	"drvabi/proxysource"
)

// Roles of types.
var roles = map[reflect.Type]string{
	reflect.TypeFor[nvgpu.P64]():    "pointer",
	reflect.TypeFor[nvgpu.Handle](): "handle",
}

// typeSet collects types by name. Layouts are those of this machine. nvproxy runs
// only on 64-bit machines, and its structs have explicit padding.
type typeSet struct {
	defs map[string]*proxysource.TypeDef
	seen map[string]reflect.Type
}

func newTypeSet() *typeSet {
	return &typeSet{defs: map[string]*proxysource.TypeDef{}, seen: map[string]reflect.Type{}}
}

// spell returns t in the table's notation, and adds t and the types of its fields.
func (s *typeSet) spell(t reflect.Type) (string, error) {
	switch {
	case t.Kind() == reflect.Array && t.Name() == "":
		return s.spellArray(t)
	case t.PkgPath() == "" && isScalar(t.Kind()):
		return t.Name(), nil
	case t.PkgPath() == "":
		return "", fmt.Errorf("%v is not a type with a fixed layout", t)
	}
	return t.Name(), s.add(t)
}

// spellArray writes the outer dimension first, as in C.
func (s *typeSet) spellArray(t reflect.Type) (string, error) {
	element, err := s.spell(t.Elem())
	if err != nil {
		return "", err
	}
	base, inner, isArray := strings.Cut(element, "[")
	if isArray {
		inner = "[" + inner
	}
	return fmt.Sprintf("%s[%d]%s", base, t.Len(), inner), nil
}

func isScalar(kind reflect.Kind) bool {
	switch kind {
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return true
	}
	return false
}

func (s *typeSet) add(t reflect.Type) error {
	if seen, ok := s.seen[t.Name()]; ok {
		if seen != t {
			return fmt.Errorf("two types have the name %s: of %s and of %s", t.Name(), seen.PkgPath(), t.PkgPath())
		}
		return nil
	}
	if strings.Contains(t.Name(), "[") {
		return fmt.Errorf("a table cannot contain the generic type %s", t.Name())
	}
	def := &proxysource.TypeDef{Size: uint64(t.Size()), Role: roles[t]}
	s.seen[t.Name()], s.defs[t.Name()] = t, def
	if t.Kind() != reflect.Struct {
		return s.setAlias(def, t)
	}
	return s.setFields(def, t)
}

// setAlias sets the alias of a type such as `type P64 uint64` or `type NvUUID [16]uint8`.
func (s *typeSet) setAlias(def *proxysource.TypeDef, t reflect.Type) (err error) {
	switch {
	case isScalar(t.Kind()):
		def.Alias = t.Kind().String()
	case t.Kind() == reflect.Array:
		def.Alias, err = s.spellArray(t)
	default:
		err = fmt.Errorf("%s is a %v, which has no fixed layout", t.Name(), t.Kind())
	}
	return err
}

func (s *typeSet) setFields(def *proxysource.TypeDef, t reflect.Type) error {
	for i := range t.NumField() {
		field := t.Field(i)
		if field.Type.Size() == 0 { // a marker for the compiler, such as structs.HostLayout
			continue
		}
		spelling, err := s.spell(field.Type)
		if err != nil {
			return fmt.Errorf("%s.%s: %w", t.Name(), field.Name, err)
		}
		def.Fields = append(def.Fields, proxysource.FieldDef{Name: field.Name, Offset: uint64(field.Offset), Type: spelling})
	}
	if def.Fields == nil {
		return fmt.Errorf("%s has no fields", t.Name())
	}
	return nil
}
