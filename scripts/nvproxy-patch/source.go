package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// gVisor's packages that are patched or read.
const (
	proxyDir = "pkg/sentry/devices/nvproxy"
	confDir  = "pkg/sentry/devices/nvproxy/nvconf"
	abiDir   = "pkg/abi/nvgpu"
)

// sourceFile is one file of the tree, and the edits to it.
type sourceFile struct {
	path  string // from the root of the tree
	text  []byte
	ast   *ast.File
	edits []edit
}

// edit replaces the bytes from..to by text.
type edit struct {
	from, to int
	text     string
}

// source has the parsed packages. They are not type-checked, since a checkout does not have go_marshal's generated code.
type source struct {
	root  string
	set   *token.FileSet
	files map[string]*sourceFile
}

func readSource(root string) (*source, error) {
	src := &source{root: root, set: token.NewFileSet(), files: map[string]*sourceFile{}}
	for _, dir := range []string{proxyDir, confDir, abiDir} {
		paths, err := filepath.Glob(filepath.Join(root, dir, "*.go"))
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			if err := src.readFile(filepath.Join(dir, filepath.Base(path)), path); err != nil {
				return nil, err
			}
		}
	}
	if src.files[filepath.Join(proxyDir, "version.go")] == nil {
		return nil, fmt.Errorf("%s has no %s/version.go; name the root of a checkout of gVisor", root, proxyDir)
	}
	if len(src.in(abiDir)) == 0 {
		return nil, fmt.Errorf("%s has no %s; name the root of a checkout of gVisor", root, abiDir)
	}
	return src, nil
}

func (s *source) readFile(name, path string) error {
	if strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, "_autogen_unsafe.go") {
		return nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	parsed, err := parser.ParseFile(s.set, name, text, parser.ParseComments)
	if err != nil {
		return err
	}
	s.files[name] = &sourceFile{path: name, text: text, ast: parsed}
	return nil
}

// in returns the files of a directory, sorted by name.
func (s *source) in(dir string) []*sourceFile {
	var found []*sourceFile
	for path, file := range s.files {
		if filepath.Dir(path) == dir {
			found = append(found, file)
		}
	}
	sort.Slice(found, func(i, j int) bool { return found[i].path < found[j].path })
	return found
}

// declaration is a constant, variable or type, with the group that contains it.
type declaration struct {
	group *ast.GenDecl
	spec  ast.Spec
	file  *sourceFile
}

// declared returns the declarations of a directory with a keyword: const, var or type.
func (s *source) declared(dir string, keyword token.Token) []declaration {
	var found []declaration
	for _, file := range s.in(dir) {
		for _, decl := range file.ast.Decls {
			group, ok := decl.(*ast.GenDecl)
			if !ok || group.Tok != keyword {
				continue
			}
			for _, spec := range group.Specs {
				found = append(found, declaration{group, spec, file})
			}
		}
	}
	return found
}

// named returns the name and value of a constant or variable. They are nil if it has several names or no value.
func (d *declaration) named() (*ast.Ident, ast.Expr) {
	value, ok := d.spec.(*ast.ValueSpec)
	if !ok || len(value.Names) != 1 || len(value.Values) != 1 {
		return nil, nil
	}
	return value.Names[0], value.Values[0]
}

func (s *source) offset(at token.Pos) int { return s.set.Position(at).Offset }

// place returns the file and line of a node for messages: "pkg/…/version.go:1133".
func (s *source) place(node ast.Node) string {
	position := s.set.Position(node.Pos())
	return fmt.Sprintf("%s:%d", position.Filename, position.Line)
}

// code returns the text of a node.
func (s *source) code(file *sourceFile, node ast.Node) string {
	return string(file.text[s.offset(node.Pos()):s.offset(node.End())])
}

func (f *sourceFile) replace(from, to int, text string) {
	f.edits = append(f.edits, edit{from, to, text})
}

func (f *sourceFile) insert(at int, text string) { f.replace(at, at, text) }

// lineEnd returns the offset after the line that contains at.
func (f *sourceFile) lineEnd(at int) int {
	if end := bytes.IndexByte(f.text[at:], '\n'); end >= 0 {
		return at + end + 1
	}
	return len(f.text)
}

// edited returns the file with its edits, formatted by gofmt. Edits at the same offset keep their order.
func (f *sourceFile) edited() ([]byte, error) {
	sort.SliceStable(f.edits, func(i, j int) bool { return f.edits[i].from < f.edits[j].from })
	var out bytes.Buffer
	at := 0
	for _, one := range f.edits {
		if one.from < at {
			return nil, fmt.Errorf("%s: two edits overlap at byte %d; this is a bug in nvproxy-patch", f.path, one.from)
		}
		out.Write(f.text[at:one.from])
		out.WriteString(one.text)
		at = one.to
	}
	out.Write(f.text[at:])
	formatted, err := format.Source(out.Bytes())
	if err != nil {
		return nil, fmt.Errorf("%s: the edited file is not valid Go; this is a bug in nvproxy-patch: %w", f.path, err)
	}
	return formatted, nil
}

// hash returns the SHA-256 of the output of `sha256sum` for all files, sorted by path. changed: of the edited files.
func (s *source) hash(changed bool) (string, error) {
	paths := make([]string, 0, len(s.files))
	for path := range s.files {
		paths = append(paths, path)
	}
	sort.Strings(paths)
	list := sha256.New()
	for _, path := range paths {
		text := s.files[path].text
		if changed && len(s.files[path].edits) > 0 {
			var err error
			if text, err = s.files[path].edited(); err != nil {
				return "", err
			}
		}
		fmt.Fprintf(list, "%x  %s\n", sha256.Sum256(text), filepath.ToSlash(path))
	}
	return fmt.Sprintf("%x", list.Sum(nil)), nil
}
