package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
)

// newTypes has the declarations of structs.go, which drvabi writes beside bootstrap.json.
type newTypes struct {
	set   *token.FileSet
	text  []byte
	decls map[string][]ast.Decl // a type and its methods, by the type's name
	specs map[string]*ast.StructType
}

// readTypes reads DIR/structs.go. The file can be missing if the bootstrap has no types.
func readTypes(dir string, boot *bootstrap) (*newTypes, error) {
	types := &newTypes{set: token.NewFileSet(), decls: map[string][]ast.Decl{}, specs: map[string]*ast.StructType{}}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		dir = filepath.Dir(dir)
	}
	path := filepath.Join(dir, "structs.go")
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) && len(boot.Types) == 0 {
		return types, nil
	}
	if err != nil {
		return nil, err
	}
	file, err := parser.ParseFile(types.set, path, text, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	types.text = text
	for _, decl := range file.Decls {
		types.add(decl)
	}
	return types, nil
}

func (t *newTypes) add(decl ast.Decl) {
	switch decl := decl.(type) {
	case *ast.GenDecl:
		for _, spec := range decl.Specs {
			if one, ok := spec.(*ast.TypeSpec); ok && decl.Tok == token.TYPE {
				t.decls[one.Name.Name] = append([]ast.Decl{decl}, t.decls[one.Name.Name]...)
				t.specs[one.Name.Name], _ = one.Type.(*ast.StructType)
			}
		}
	case *ast.FuncDecl:
		if name := receiverOf(decl); name != "" {
			t.decls[name] = append(t.decls[name], decl)
		}
	}
}

// receiverOf returns T of func (p *T) M(), or "".
func receiverOf(decl *ast.FuncDecl) string {
	if decl.Recv == nil || len(decl.Recv.List) != 1 {
		return ""
	}
	expr := decl.Recv.List[0].Type
	if star, ok := expr.(*ast.StarExpr); ok {
		expr = star.X
	}
	if name, ok := expr.(*ast.Ident); ok {
		return name.Name
	}
	return ""
}

// code returns the source of a type with its comment and its methods.
func (t *newTypes) code(name string) string {
	var out strings.Builder
	for _, decl := range t.decls[name] {
		from := decl.Pos()
		switch one := decl.(type) {
		case *ast.GenDecl:
			if one.Doc != nil {
				from = one.Doc.Pos()
			}
		case *ast.FuncDecl:
			if one.Doc != nil {
				from = one.Doc.Pos()
			}
		}
		out.WriteString("\n")
		out.Write(t.text[t.set.Position(from).Offset:t.set.Position(decl.End()).Offset])
		out.WriteString("\n")
	}
	return out.String()
}

// The methods that go_marshal generates.
var marshalMethods = map[string]bool{"CopyIn": true, "CopyInN": true, "CopyOut": true, "CopyOutN": true, "SizeBytes": true, "MarshalBytes": true,
	"UnmarshalBytes": true, "MarshalUnsafe": true, "UnmarshalUnsafe": true, "Packed": true, "ReadFrom": true, "WriteTo": true}

// has reports whether a type has a field or method, directly or through an embedded struct.
func (t *newTypes) has(src *source, typeName, member string) bool {
	if marshalMethods[member] {
		return true
	}
	spec := t.specs[typeName]
	for _, decl := range t.decls[typeName] {
		if method, ok := decl.(*ast.FuncDecl); ok && method.Name.Name == member {
			return true
		}
	}
	if spec == nil {
		decl, _ := src.findType(typeName)
		if decl == nil {
			return false
		}
		spec, _ = decl.Specs[0].(*ast.TypeSpec).Type.(*ast.StructType)
		for _, method := range src.methodsOf(typeName) {
			if method.Name.Name == member {
				return true
			}
		}
	}
	if spec == nil {
		return false
	}
	for _, field := range spec.Fields.List {
		for _, name := range field.Names {
			if name.Name == member {
				return true
			}
		}
		if embedded, ok := field.Type.(*ast.Ident); ok && len(field.Names) == 0 && (embedded.Name == member || t.has(src, embedded.Name, member)) {
			return true
		}
	}
	return false
}

// findType returns the declaration of a type in pkg/abi/nvgpu, and its file. It is nil for a type in a group, which gVisor does not use.
func (s *source) findType(name string) (*ast.GenDecl, *sourceFile) {
	for _, one := range s.declared(abiDir, token.TYPE) {
		if len(one.group.Specs) == 1 && one.spec.(*ast.TypeSpec).Name.Name == name {
			return one.group, one.file
		}
	}
	return nil, nil
}

// undeclared returns the types that pkg/abi/nvgpu does not declare, among names and the types of their fields.
func (s *source) undeclared(names []string) []string {
	var missing []string
	seen := map[string]bool{}
	for queue := append([]string{}, names...); len(queue) > 0; queue = queue[1:] {
		name := queue[0]
		if seen[name] {
			continue
		}
		seen[name] = true
		decl, _ := s.findType(name)
		if decl == nil {
			missing = append(missing, name)
			continue
		}
		queue = append(queue, partsOf(decl.Specs[0].(*ast.TypeSpec).Type)...)
	}
	sort.Strings(missing)
	return missing
}

// partsOf returns the types of a struct's fields that are not predeclared.
func partsOf(expr ast.Expr) []string {
	fields, ok := expr.(*ast.StructType)
	if !ok {
		return nil
	}
	var names []string
	for _, field := range fields.Fields.List {
		element := field.Type
		for array, ok := element.(*ast.ArrayType); ok; array, ok = element.(*ast.ArrayType) {
			element = array.Elt
		}
		if name, ok := element.(*ast.Ident); ok && types.Universe.Lookup(name.Name) == nil {
			names = append(names, name.Name)
		}
	}
	return names
}

func (s *source) methodsOf(name string) []*ast.FuncDecl {
	var found []*ast.FuncDecl
	for _, file := range s.in(abiDir) {
		for _, decl := range file.ast.Decls {
			if method, ok := decl.(*ast.FuncDecl); ok && receiverOf(method) == name {
				found = append(found, method)
			}
		}
	}
	return found
}

// typeEnd returns the offset after a type and its methods.
func (s *source) typeEnd(decl *ast.GenDecl, file *sourceFile, name string) int {
	end := decl.End()
	for _, method := range s.methodsOf(name) {
		if s.set.Position(method.Pos()).Filename == file.path && method.End() > end {
			end = method.End()
		}
	}
	return file.lineEnd(s.offset(end))
}

// writeTypes writes each new type after the type that it replaces. A type that replaces none is written before the first that uses it.
func (p *patcher) writeTypes() {
	pending := ""
	for _, one := range p.boot.Types {
		if decl, _ := p.src.findType(one.Name); decl != nil {
			continue // with --add, the tree can have the type already
		}
		code := p.types.code(one.Name)
		if code == "" {
			p.problem("structs.go does not declare %s", one.Name)
			continue
		}
		decl, file := p.src.findType(p.predecessor(textOf(one.Replaces)))
		code = p.withBounds(code, decl)
		if decl == nil {
			if one.Replaces != nil && p.types.decls[*one.Replaces] == nil {
				p.problem("%s: no type %s, which %s replaces; the new type was written to the end of a file", abiDir, *one.Replaces, one.Name)
			}
			pending += code
			continue
		}
		file.insert(p.src.typeEnd(decl, file, p.predecessor(*one.Replaces)), p.withMarker(file, pending+code))
		pending = ""
	}
	if pending != "" {
		file := p.abiFile(p.familyOfTypes())
		file.insert(len(file.text), p.withMarker(file, pending))
	}
}

// withBounds writes the bound of an array as a constant if the replaced type does so for the same field and value: [NV_MAX_SUBDEVICES]Handle.
func (p *patcher) withBounds(code string, before *ast.GenDecl) string {
	if before == nil {
		return code
	}
	ast.Inspect(before, func(node ast.Node) bool {
		field, ok := node.(*ast.Field)
		if !ok || len(field.Names) != 1 {
			return true
		}
		if array, ok := field.Type.(*ast.ArrayType); ok {
			if bound, ok := array.Len.(*ast.Ident); ok {
				if p.layouts == nil {
					p.layouts = checkedTypes(p.src)
				}
				value, _ := p.layouts.number(bound.Name)
				same := regexp.MustCompile(fmt.Sprintf(`(?m)^(\t%s +)\[%d\]`, field.Names[0].Name, value))
				code = same.ReplaceAllString(code, "${1}["+bound.Name+"]")
			}
		}
		return true
	})
	return code
}

var marker = regexp.MustCompile(`(?m)^[ \t]*_[ \t]+structs\.HostLayout\n`)

// withMarker removes the marker structs.HostLayout from the code if the tree does not use the marker. Otherwise it imports structs.
func (p *patcher) withMarker(file *sourceFile, code string) string {
	if !marker.MatchString(code) {
		return code
	}
	used := false
	for _, one := range p.src.in(abiDir) {
		used = used || marker.Match(one.text)
	}
	if !used {
		return marker.ReplaceAllString(code, "")
	}
	p.importStructs(file)
	return code
}

func (p *patcher) importStructs(file *sourceFile) {
	for _, one := range file.ast.Imports {
		if one.Path.Value == `"structs"` {
			return
		}
	}
	if p.imported[file] {
		return
	}
	if p.imported == nil {
		p.imported = map[*sourceFile]bool{}
	}
	p.imported[file] = true
	file.insert(file.lineEnd(p.src.offset(file.ast.Name.End())), "\nimport \"structs\"\n")
}

// predecessor returns the newest version of a type in the tree. A new version is written after it.
func (p *patcher) predecessor(name string) string {
	newest := name
	for _, one := range p.src.declared(abiDir, token.TYPE) {
		other := one.spec.(*ast.TypeSpec).Name.Name
		if len(one.group.Specs) == 1 && baseOf(other) == baseOf(name) && ageOf(other) > ageOf(newest) {
			newest = other
		}
	}
	return newest
}

// familyOfTypes returns the family of the first entry that has a type.
func (p *patcher) familyOfTypes() string {
	for _, entry := range p.boot.Entries {
		if entry.Type != nil {
			return entry.Family
		}
	}
	return "control"
}
