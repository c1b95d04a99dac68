package main

import (
	"fmt"
	"go/ast"
	goconstant "go/constant"
	"go/token"
	"go/types"
	"strings"

	"drvabi/proxysource"
)

// layouts has the types and constants of pkg/abi/nvgpu from Go's type checker. Imported packages are not read: layouts and numbers use
// nothing of them but the marker structs.HostLayout, which has no size.
type layouts struct {
	pkg      *types.Package
	handlers *proxysource.HandlerReader
	used     map[string]*proxysource.TypeDef
}

// nvproxy runs only on 64-bit machines, which have the same layouts.
var sizes = types.SizesFor("gc", "amd64")

// Roles of types, by name.
var roles = map[string]string{"P64": "pointer", "Handle": "handle"}

// emptyImporter replaces each import by a package that declares only the marker, or the interface of go_marshal. Here the interface has no
// methods, so that every type implements it and type arguments can be inferred.
type emptyImporter map[string]*types.Package

func (known emptyImporter) Import(path string) (*types.Package, error) {
	if known[path] == nil {
		pkg := types.NewPackage(path, path[strings.LastIndex(path, "/")+1:])
		if path == "structs" {
			declare(pkg, "HostLayout", types.NewStruct(nil, nil))
		} else if strings.HasSuffix(path, "/marshal") {
			declare(pkg, "Marshallable", types.NewInterfaceType(nil, nil))
		}
		pkg.MarkComplete()
		known[path] = pkg
	}
	return known[path], nil
}

func declare(pkg *types.Package, name string, as types.Type) {
	object := types.NewTypeName(token.NoPos, pkg, name, nil)
	types.NewNamed(object, as, nil)
	pkg.Scope().Insert(object)
}

// checkedTypes type-checks the packages. Errors are ignored, since the empty imports cause errors in functions.
func checkedTypes(src *source) *layouts {
	imports, handlers := emptyImporter{}, proxysource.NewHandlerReader()
	config := types.Config{Importer: imports, Error: func(error) {}, FakeImportC: true, Sizes: sizes}
	for _, dir := range []string{abiDir, confDir, proxyDir} {
		var files []*ast.File
		for _, file := range src.in(dir) {
			files = append(files, file.ast)
		}
		path := "gvisor.dev/gvisor/" + dir
		imports[path], _ = config.Check(path, src.set, files, handlers.Info)
		handlers.Add(files)
	}
	return &layouts{pkg: imports["gvisor.dev/gvisor/"+abiDir], handlers: handlers, used: map[string]*proxysource.TypeDef{}}
}

// number returns the value of a constant.
func (l *layouts) number(name string) (value uint64, ok bool) {
	found, ok := l.pkg.Scope().Lookup(name).(*types.Const)
	if !ok || found.Val().Kind() != goconstant.Int {
		return 0, false
	}
	return goconstant.Uint64Val(found.Val())
}

// use adds a type and the types of its fields to l.used.
func (l *layouts) use(name string) error {
	if l.used[name] != nil {
		return nil
	}
	object, ok := l.pkg.Scope().Lookup(name).(*types.TypeName)
	if !ok {
		return fmt.Errorf("%s does not declare the type %s", abiDir, name)
	}
	def := &proxysource.TypeDef{Role: roles[name]}
	l.used[name] = def
	fields, ok := object.Type().Underlying().(*types.Struct)
	if !ok {
		alias, err := l.spell(object.Type().Underlying())
		if err == nil {
			def.Alias, def.Size = alias, uint64(sizes.Sizeof(object.Type()))
		}
		return err
	}
	if err := l.addFields(def, fields); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	def.Size = uint64(sizes.Sizeof(object.Type()))
	return nil
}

func (l *layouts) addFields(def *proxysource.TypeDef, fields *types.Struct) error {
	var all []*types.Var
	for i := 0; i < fields.NumFields(); i++ {
		if fields.Field(i).Type() == types.Typ[types.Invalid] {
			return fmt.Errorf("the type of %s is unknown", fields.Field(i).Name())
		}
		all = append(all, fields.Field(i))
	}
	offsets := sizes.Offsetsof(all)
	for i, field := range all {
		if sizes.Sizeof(field.Type()) == 0 {
			continue
		}
		spelling, err := l.spell(field.Type())
		if err != nil {
			return err
		}
		def.Fields = append(def.Fields, proxysource.FieldDef{Name: field.Name(), Offset: uint64(offsets[i]), Type: spelling})
	}
	return nil
}

// spell returns a type in the table's notation: "uint8[16]", the outer dimension first.
func (l *layouts) spell(one types.Type) (string, error) {
	switch one := one.(type) {
	case *types.Named:
		return one.Obj().Name(), l.use(one.Obj().Name())
	case *types.Array:
		element, err := l.spell(one.Elem())
		if err != nil {
			return "", err
		}
		base, inner := element, ""
		if at := strings.IndexByte(element, '['); at >= 0 {
			base, inner = element[:at], element[at:]
		}
		return fmt.Sprintf("%s[%d]%s", base, one.Len(), inner), nil
	case *types.Basic:
		if one.Info()&types.IsInteger != 0 && one.Kind() != types.Int && one.Kind() != types.Uint && one.Kind() != types.Uintptr {
			return types.Typ[one.Kind()].Name(), nil // byte is uint8
		}
	}
	return "", fmt.Errorf("a table cannot describe the layout of %s", one)
}
