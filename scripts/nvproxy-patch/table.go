package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	goconstant "go/constant"
	"go/token"
	"regexp"
	"sort"
	"strconv"
	"strings"

	"drvabi/proxysource"
)

// --table writes the proxy table (drvabi-proxy/1) of a tree from its source text:
//
//  1. versions, parents and checksums: the statements of Init
//  2. entries: the entries that each version sets and deletes; capabilities are constant expressions of the package
//  3. structs: the arguments of an info; none if the info is nil
//  4. numbers and types: pkg/abi/nvgpu, type-checked without its imports (layout.go)
//
// scripts/nvproxy-table writes the same table by running gVisor's code, which must be built for that. --table works for old checkouts, too.

type tableWriter struct {
	src      *source
	versions *versions
	layouts  *layouts
	problems []string
}

func writeTable(opts options) (status int, err error) {
	document, err := tableOf(opts.tree)
	if err != nil {
		return 2, err
	}
	text, err := json.MarshalIndent(document, "", " ")
	if err != nil {
		return 2, err
	}
	return 0, proxysource.WriteFile(opts.output, append(text, '\n'))
}

func tableOf(tree string) (*proxysource.Table, error) {
	src, err := readSource(tree)
	if err != nil {
		return nil, err
	}
	v, err := readVersions(src)
	if err != nil {
		return nil, err
	}
	hash, err := src.hash(false)
	if err != nil {
		return nil, err
	}
	w := &tableWriter{src: src, versions: v, layouts: checkedTypes(src)}
	document := w.document()
	document.Revision = treeRevision + hash
	if len(w.problems) > 0 {
		sort.Strings(w.problems)
		return nil, errors.New(strings.Join(w.problems, "; "))
	}
	return document, nil
}

func (w *tableWriter) problem(node ast.Node, format string, arguments ...any) {
	w.problems = append(w.problems, w.src.place(node)+": "+fmt.Sprintf(format, arguments...))
}

func (w *tableWriter) document() *proxysource.Table {
	document := &proxysource.Table{Format: "drvabi-proxy/1", Proxy: "gvisor nvproxy", Driver: "nvidia", Passed: w.layouts.handlers.Passed(), Types: w.layouts.used}
	for _, node := range w.versions.nodes {
		document.Versions = append(document.Versions, w.node(node))
	}
	sort.SliceStable(document.Versions, func(i, j int) bool {
		return versionLess(normal(document.Versions[i].Version), normal(document.Versions[j].Version))
	})
	return document
}

func (w *tableWriter) node(node *versionNode) *proxysource.Node {
	made := &proxysource.Node{Version: node.version, Ioctls: map[string]proxysource.Entries{}}
	if node.parent != nil {
		made.Parent = &node.parent.version
	}
	w.addSums(made, node)
	for key := range node.entries {
		handler, info := node.lookup(key)
		name := nameOf(key)
		if made.Ioctls[key.family] == nil {
			made.Ioctls[key.family] = proxysource.Entries{}
		}
		if handler != nil {
			made.Ioctls[key.family][name] = w.entry(key, handler, info)
		} else if before, _ := node.parent.lookupOrNil(key); before != nil {
			made.Ioctls[key.family][name] = nil
		}
	}
	return made
}

// lookupOrNil is lookup for a node that can be nil, such as the parent of the root.
func (n *versionNode) lookupOrNil(key entryKey) (handler, info ast.Expr) {
	if n == nil {
		return nil, nil
	}
	return n.lookup(key)
}

// addSums reads the checksums of addDriverABI(…, "x86_64", "arm64", parent). Older trees have only the first.
func (w *tableWriter) addSums(made *proxysource.Node, node *versionNode) {
	call, ok := node.stmt.(*ast.AssignStmt).Rhs[0].(*ast.CallExpr)
	if !ok || call.Fun.(*ast.Ident).Name != "addDriverABI" {
		return
	}
	made.Supported = true
	for i, machine := range []string{"x86_64", "arm64"} {
		if 3+i >= len(call.Args)-1 {
			break
		}
		if literal, ok := call.Args[3+i].(*ast.BasicLit); ok && literal.Kind == token.STRING {
			sum, err := strconv.Unquote(literal.Value)
			if err == nil && len(sum) == 64 {
				if made.Sha256 == nil {
					made.Sha256 = map[string]string{}
				}
				made.Sha256[machine] = sum
			}
		}
	}
}

// renumbered matches the suffix of nvproxy's constant for a driver constant whose number changed in a version: X_V575.
var renumbered = regexp.MustCompile(`_V\d{3}$`)

// nameOf returns the name of an entry, or UNKNOWN_… for a number without a constant.
func nameOf(key entryKey) string {
	number, err := strconv.ParseUint(key.name, 0, 64)
	if err != nil {
		return key.name
	}
	what := map[string]string{"frontend": "FRONTEND_IOCTL", "uvm": "UVM_IOCTL", "control": "CONTROL_COMMAND", "alloc": "ALLOC_CLASS"}
	return fmt.Sprintf("UNKNOWN_%s_%X", what[key.family], number)
}

func (w *tableWriter) entry(key entryKey, handler, info ast.Expr) *proxysource.Entry {
	made := &proxysource.Entry{Caps: []string{}, Structs: []proxysource.StructUse{}}
	number, err := strconv.ParseUint(key.name, 0, 64)
	if err != nil {
		var ok bool
		if number, ok = w.layouts.number(key.name); !ok {
			w.problem(handler, "the number of %s is unknown", key.name)
		}
		macro := renumbered.ReplaceAllString(key.name, "") // used if the info has no name, as in older trees
		made.Constant = &macro
	}
	made.Number = number
	call, ok := handler.(*ast.CallExpr)
	if !ok || len(call.Args) != 2 {
		w.problem(handler, "expected a call with a handler and its capabilities")
		return made
	}
	made.Caps = w.caps(call.Args[1])
	made.Handler = w.layouts.handlers.Of(key.family, call.Args[0])
	w.addInfo(made, info)
	return made
}

// addInfo reads ioctlInfo("NAME", nvgpu.T{}…) and calls of similar functions.
func (w *tableWriter) addInfo(made *proxysource.Entry, info ast.Expr) {
	call, ok := info.(*ast.CallExpr)
	if !ok {
		return
	}
	arguments := call.Args
	function, _ := call.Fun.(*ast.Ident)
	if function == nil {
		w.problem(info, "expected the call of a function that makes an info")
		return
	}
	hasName := function.Name == "simpleIoctlInfo" || strings.HasPrefix(function.Name, "ioctlInfo")
	withName := function.Name == "ioctlInfoWithStructName" || function.Name == "driverStructWithName"
	if hasName && len(arguments) < 1 || withName && len(arguments) < 2 || hasName && withName && len(arguments) < 3 {
		w.problem(info, "%s has too few arguments", function.Name)
		return
	}
	if hasName {
		made.Constant = nil // "" means that the number has no name
		if name := stringOf(arguments[0]); name != "" {
			made.Constant = &name
		}
		arguments = arguments[1:]
	}
	switch function.Name {
	case "simpleIoctlInfo", "simpleDriverStruct":
		for _, one := range arguments {
			made.Structs = append(made.Structs, proxysource.StructUse{Driver: stringOf(one)})
		}
	case "ioctlInfo", "driverStructs":
		for _, one := range arguments {
			w.addType(made, one, "")
		}
	case "ioctlInfoWithStructName", "driverStructWithName":
		w.addType(made, arguments[0], stringOf(arguments[1]))
	default:
		w.problem(info, "%s is not a known function that makes an info", function.Name)
	}
}

func (w *tableWriter) addType(made *proxysource.Entry, expr ast.Expr, driver string) {
	name := typeNamed(expr)
	if name == "" {
		w.problem(expr, "expected nvgpu.TYPE{}")
		return
	}
	if driver == "" {
		driver = name
	}
	if err := w.layouts.use(name); err != nil {
		w.problem(expr, "%v", err)
	}
	made.Structs = append(made.Structs, proxysource.StructUse{Driver: driver, Proxy: &name})
}

func stringOf(expr ast.Expr) string {
	if literal, ok := expr.(*ast.BasicLit); ok && literal.Kind == token.STRING {
		if text, err := strconv.Unquote(literal.Value); err == nil {
			return text
		}
	}
	return ""
}

// caps returns the names of the capabilities in an expression of nvconf.CapX, constants of the package, and |.
func (w *tableWriter) caps(expr ast.Expr) []string {
	found := map[string]bool{}
	w.addCaps(found, expr, 0)
	names := make([]string, 0, len(found))
	for name := range found {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

func (w *tableWriter) addCaps(found map[string]bool, expr ast.Expr, depth int) {
	switch at := expr.(type) {
	case *ast.ParenExpr:
		w.addCaps(found, at.X, depth)
		return
	case *ast.BinaryExpr:
		if at.Op == token.OR {
			w.addCaps(found, at.X, depth)
			w.addCaps(found, at.Y, depth)
			return
		}
	case *ast.SelectorExpr:
		for cap, name := range capNames {
			if name == "nvconf."+at.Sel.Name {
				found[cap] = true
				return
			}
		}
	case *ast.Ident:
		if value := w.packageConstant(at.Name); value != nil && depth < 8 {
			w.addCaps(found, value, depth+1)
			return
		}
	case *ast.BasicLit:
		if goconstant.MakeFromLiteral(at.Value, at.Kind, 0).String() == "0" {
			return
		}
	}
	w.problem(expr, "cannot read these capabilities")
}

// packageConstant returns the value of a constant of nvproxy, or nil.
func (w *tableWriter) packageConstant(name string) ast.Expr {
	for _, one := range w.src.declared(proxyDir, token.CONST) {
		if other, value := one.named(); other != nil && other.Name == name {
			return value
		}
	}
	return nil
}
