package main

import (
	"go/ast"
	"go/build"
	"go/constant"
	"go/parser"
	"go/types"
	"path/filepath"
	"strings"
)

// importFrom imports the packages whose constants Init uses. All other packages
// are empty, since no number or capability depends on them.
func (r *sourceReader) importFrom(nvproxyDir string) types.Importer {
	return importerFunc(func(path string) (*types.Package, error) {
		below := map[string]string{"/nvconf": "nvconf", "/abi/nvgpu": "../../../abi/nvgpu"}
		for suffix, dir := range below {
			if strings.HasSuffix(path, suffix) {
				pkg, _, err := r.checkPackage(filepath.Join(nvproxyDir, dir), path, importerFunc(emptyPackage))
				return pkg, err
			}
		}
		return emptyPackage(path)
	})
}

type importerFunc func(path string) (*types.Package, error)

func (f importerFunc) Import(path string) (*types.Package, error) { return f(path) }

func emptyPackage(path string) (*types.Package, error) {
	pkg := types.NewPackage(path, filepath.Base(path))
	pkg.MarkComplete()
	return pkg, nil
}

func (r *sourceReader) check(dir string) ([]*ast.File, error) {
	_, files, err := r.checkPackage(dir, "nvproxy", r.importFrom(dir))
	return files, err
}

// checkPackage type-checks a package, for the values of constants and the objects of names. Type errors because of empty packages are ignored.
func (r *sourceReader) checkPackage(dir, path string, importer types.Importer) (*types.Package, []*ast.File, error) {
	listed, err := build.ImportDir(dir, 0)
	if err != nil {
		return nil, nil, err
	}
	var files []*ast.File
	for _, name := range listed.GoFiles {
		file, err := parser.ParseFile(r.files, filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, nil, err
		}
		files = append(files, file)
	}
	config := types.Config{Importer: importer, Error: func(error) {}}
	pkg, _ := config.Check(path, r.files, files, r.info)
	r.handlers.Add(files)
	return pkg, files, nil
}

// number returns the value of a constant expression.
func (r *sourceReader) number(expr ast.Expr) (uint32, error) {
	if value := r.info.Types[expr].Value; value != nil {
		if number, exact := constant.Uint64Val(constant.ToInt(value)); exact && number == uint64(uint32(number)) {
			return uint32(number), nil
		}
	}
	return 0, r.fail(expr, "expected a constant of at most 32 bits")
}
