package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"drvabi/proxysource"
	"gvisor.dev/gvisor/pkg/sentry/devices/nvproxy"
	"gvisor.dev/gvisor/pkg/sentry/devices/nvproxy/nvconf"
)

// gVisor does not export a version's parent, nor an entry's capabilities, name
// and handler. They are read from the source of nvproxy.Init, which consists of a
// few kinds of statements:
//
//	child := addDriverABI(major, minor, patch, sum, sum, parent)
//	child := addUnsupportedDriverABI(major, minor, patch, func() *driverABI {
//		abi := parent()
//		abi.controlCmd[nvgpu.NAME] = ctrlHandler(handler, capabilities)
//		delete(abi.controlCmd, nvgpu.NAME)
//		...
//		return abi
//	})
//
// Any other statement is an error. The result must agree with the running code:
// the same versions, and the same numbers in each. So a newer gVisor is either
// read correctly, or the error names the statement.

// sourceNode is one version, read from the source.
type sourceNode struct {
	version, parent string
	handled         map[string]map[uint32]sourceEntry // by family and number
}

type sourceEntry struct {
	name    string                  // gVisor's constant for the number
	caps    []string                // sorted
	handler *proxysource.HandlerUse // nil if the proxy has none
}

// The families of the maps of handlers in driverABI.
var handlerFields = map[string]string{
	"frontendIoctl": "frontend", "uvmIoctl": "uvm", "controlCmd": "control", "allocationClass": "alloc",
}

// readMatchingSource reads the source from which this program was compiled, and compares it with the API.
func readMatchingSource(driven []*apiVersion) (*sourceReader, error) {
	init := reflect.ValueOf(nvproxy.Init).Pointer()
	file, _ := runtime.FuncForPC(init).FileLine(init)
	if _, err := os.Stat(file); err != nil {
		return nil, fmt.Errorf("cannot find nvproxy's source (was this program built on a different machine, or with -trimpath?): %w", err)
	}
	source, err := readSource(filepath.Dir(file))
	if err != nil {
		return nil, err
	}
	for _, from := range driven {
		if err := from.compare(source.nodes[from.version.String()]); err != nil {
			return nil, fmt.Errorf("cannot read the source of nvproxy.Init: %v: %w", from.version, err)
		}
	}
	if len(source.nodes) != len(driven) {
		return nil, fmt.Errorf("cannot read the source of nvproxy.Init: found %d versions, but the API has %d", len(source.nodes), len(driven))
	}
	return source, nil
}

func (v *apiVersion) compare(read *sourceNode) error {
	if read == nil {
		return errors.New("the API has this version, but it was not found")
	}
	for _, family := range families {
		for number := range v.entries[family] {
			if _, ok := read.handled[family][number]; !ok {
				return fmt.Errorf("%s %#x is forwarded, but was not found", family, number)
			}
		}
		for number, entry := range read.handled[family] {
			if _, ok := v.entries[family][number]; !ok {
				return fmt.Errorf("%s %s (%#x) was found, but is not forwarded", family, entry.name, number)
			}
		}
	}
	return nil
}

func (n *sourceNode) parentOrNil() *string {
	if n.parent == "" {
		return nil
	}
	return &n.parent
}

// sourceReader reads nvproxy.Init.
type sourceReader struct {
	files    *token.FileSet
	handlers *proxysource.HandlerReader
	info     *types.Info            // handlers.Info: values of constants and objects of names
	byName   map[string]*sourceNode // by variable
	nodes    map[string]*sourceNode // by version
}

// readSource reads the package nvproxy in dir. The module must have nvconf and nvgpu in their usual directories.
func readSource(dir string) (*sourceReader, error) {
	reader := &sourceReader{files: token.NewFileSet(), handlers: proxysource.NewHandlerReader(), byName: map[string]*sourceNode{}, nodes: map[string]*sourceNode{}}
	reader.info = reader.handlers.Info
	files, err := reader.check(dir)
	if err != nil {
		return nil, err
	}
	init := findInit(files)
	if init == nil {
		return nil, fmt.Errorf("%s has no function Init", dir)
	}
	return reader, reader.readInit(init.Body)
}

// node returns a version, or nil if no source was read.
func (r *sourceReader) node(version string) *sourceNode {
	if r == nil {
		return nil
	}
	return r.nodes[version]
}

func findInit(files []*ast.File) *ast.FuncDecl {
	for _, file := range files {
		for _, decl := range file.Decls {
			if function, ok := decl.(*ast.FuncDecl); ok && function.Recv == nil && function.Body != nil && function.Name.Name == "Init" {
				return function
			}
		}
	}
	return nil
}

// handler describes a handler; nil if the proxy has none.
func (r *sourceReader) handler(family string, expr ast.Expr) (*proxysource.HandlerUse, error) {
	if nameOf(expr) == "nil" {
		return nil, nil
	}
	if use := r.handlers.Of(family, expr); use != nil {
		return use, nil
	}
	return nil, r.fail(expr, "expected a handler: a function of the package, or a function literal")
}

func (r *sourceReader) fail(at ast.Node, format string, arguments ...any) error {
	place := r.files.Position(at.Pos())
	return fmt.Errorf("%s:%d: %s", filepath.Base(place.Filename), place.Line, fmt.Sprintf(format, arguments...))
}

// readInit reads the body of Init: abisOnce.Do(func() { statements }).
func (r *sourceReader) readInit(body *ast.BlockStmt) error {
	if len(body.List) == 1 {
		if call, ok := callOf(body.List[0]); ok && len(call.Args) == 1 {
			if literal, ok := call.Args[0].(*ast.FuncLit); ok {
				body = literal.Body
			}
		}
	}
	for _, statement := range body.List {
		if err := r.readVersion(statement); err != nil {
			return err
		}
	}
	return nil
}

func callOf(statement ast.Stmt) (*ast.CallExpr, bool) {
	expression, ok := statement.(*ast.ExprStmt)
	if !ok {
		return nil, false
	}
	call, ok := expression.X.(*ast.CallExpr)
	return call, ok
}

var addsVersion = regexp.MustCompile(`^add\w*DriverABI$`)

// readVersion reads name := addDriverABI(major, minor, patch, ..., constructor).
func (r *sourceReader) readVersion(statement ast.Stmt) error {
	variable, value, ok := assigned(statement)
	if !ok {
		return r.fail(statement, "expected a driver version to be added")
	}
	if variable == "abis" { // the map of all versions
		return nil
	}
	call, ok := value.(*ast.CallExpr)
	if !ok || !addsVersion.MatchString(nameOf(call.Fun)) || len(call.Args) < 4 {
		return r.fail(statement, "expected addDriverABI(major, minor, patch, ..., constructor)")
	}
	var part [3]uint32
	for i := range part {
		var err error
		if part[i], err = r.number(call.Args[i]); err != nil {
			return err
		}
	}
	node, err := r.readConstructor(call.Args[len(call.Args)-1])
	if err != nil {
		return err
	}
	node.version = nvconf.NewDriverVersion(int(part[0]), int(part[1]), int(part[2])).String()
	if r.nodes[node.version] != nil {
		return r.fail(statement, "%s is added twice", node.version)
	}
	r.nodes[node.version] = node
	if variable != "_" {
		r.byName[variable] = node
	}
	return nil
}

// assigned splits `name = value` or `name := value`.
func assigned(statement ast.Stmt) (name string, value ast.Expr, ok bool) {
	assign, ok := statement.(*ast.AssignStmt)
	if !ok || len(assign.Lhs) != 1 || len(assign.Rhs) != 1 {
		return "", nil, false
	}
	name = nameOf(assign.Lhs[0])
	return name, assign.Rhs[0], name != ""
}

func nameOf(expr ast.Expr) string {
	if identifier, ok := expr.(*ast.Ident); ok {
		return identifier.Name
	}
	return ""
}

// child returns a new version with the entries of the version in variable.
func (r *sourceReader) child(at ast.Node, variable string) (*sourceNode, error) {
	parent := r.byName[variable]
	if parent == nil {
		return nil, r.fail(at, "'%s' is not a version that was added before", variable)
	}
	made := &sourceNode{parent: parent.version, handled: map[string]map[uint32]sourceEntry{}}
	for family, entries := range parent.handled {
		made.handled[family] = maps.Clone(entries)
	}
	return made, nil
}

func (r *sourceReader) readConstructor(expr ast.Expr) (*sourceNode, error) {
	literal, ok := expr.(*ast.FuncLit)
	if !ok {
		return r.child(expr, nameOf(expr))
	}
	if len(literal.Body.List) == 0 {
		return nil, r.fail(expr, "this constructor is empty")
	}
	first, rest := literal.Body.List[0], literal.Body.List[1:]
	if result, ok := first.(*ast.ReturnStmt); ok && len(result.Results) == 1 && len(rest) == 0 {
		return r.readRoot(result.Results[0])
	}
	abi, value, ok := assigned(first)
	call, isCall := value.(*ast.CallExpr)
	if !ok || !isCall || len(call.Args) != 0 {
		return nil, r.fail(first, "expected abi := parent()")
	}
	node, err := r.child(call, nameOf(call.Fun))
	for i := 0; i < len(rest) && err == nil; i++ {
		err = r.readEdit(node, abi, rest[i])
	}
	return node, err
}

// readRoot reads &driverABI{controlCmd: map[uint32]controlCmdHandler{...}, ...}.
func (r *sourceReader) readRoot(expr ast.Expr) (*sourceNode, error) {
	pointer, ok := expr.(*ast.UnaryExpr)
	if !ok {
		return nil, r.fail(expr, "expected &driverABI{...}")
	}
	literal, ok := pointer.X.(*ast.CompositeLit)
	if !ok || nameOf(literal.Type) != "driverABI" {
		return nil, r.fail(expr, "expected &driverABI{...}")
	}
	node := &sourceNode{handled: map[string]map[uint32]sourceEntry{}}
	for _, family := range families {
		node.handled[family] = map[uint32]sourceEntry{}
	}
	for _, element := range literal.Elts {
		pair, ok := element.(*ast.KeyValueExpr)
		if !ok {
			return nil, r.fail(element, "expected field: value")
		}
		if nameOf(pair.Key) == "getInfo" { // known from the exported API
			continue
		}
		handlers, ok := pair.Value.(*ast.CompositeLit)
		family := handlerFields[nameOf(pair.Key)]
		if !ok || family == "" {
			return nil, r.fail(element, "'%s' is not a known map of handlers", nameOf(pair.Key))
		}
		if err := r.readHandlers(family, node.handled[family], handlers); err != nil {
			return nil, err
		}
	}
	return node, nil
}

func (r *sourceReader) readHandlers(family string, entries map[uint32]sourceEntry, literal *ast.CompositeLit) error {
	for _, element := range literal.Elts {
		pair, ok := element.(*ast.KeyValueExpr)
		if !ok {
			return r.fail(element, "expected number: handler")
		}
		if err := r.setHandler(family, entries, pair.Key, pair.Value); err != nil {
			return err
		}
	}
	return nil
}

// setHandler adds the entry of key, a constant of nvgpu, and value, xHandler(function, capabilities).
func (r *sourceReader) setHandler(family string, entries map[uint32]sourceEntry, key, value ast.Expr) error {
	number, err := r.number(key)
	if err != nil {
		return err
	}
	named, ok := key.(*ast.SelectorExpr)
	if !ok {
		return r.fail(key, "expected a named constant")
	}
	call, ok := value.(*ast.CallExpr)
	if !ok || len(call.Args) != 2 {
		return r.fail(value, "expected a call with a handler and its capabilities")
	}
	set, err := r.number(call.Args[1])
	if err != nil {
		return err
	}
	if set&^uint32(nvconf.ValidCapabilities) != 0 {
		return r.fail(call.Args[1], "%#x has a bit that is not a capability of gVisor", set)
	}
	caps := []string{}
	if set != 0 {
		caps = strings.Split(nvconf.DriverCaps(set).String(), ",")
	}
	slices.Sort(caps)
	handler, err := r.handler(family, call.Args[0])
	entries[number] = sourceEntry{name: named.Sel.Name, caps: caps, handler: handler}
	return err
}

// readEdit reads one statement of the constructor of a version with a parent. abi is the variable that the constructor changes.
func (r *sourceReader) readEdit(node *sourceNode, abi string, statement ast.Stmt) error {
	if call, ok := callOf(statement); ok && nameOf(call.Fun) == "delete" && len(call.Args) == 2 {
		if family := familyOf(abi, call.Args[0]); family != "" {
			number, err := r.number(call.Args[1])
			delete(node.handled[family], number)
			return err
		}
	}
	if result, ok := statement.(*ast.ReturnStmt); ok && len(result.Results) == 1 && nameOf(result.Results[0]) == abi {
		return nil
	}
	if assign, ok := statement.(*ast.AssignStmt); ok && len(assign.Lhs) == 1 && len(assign.Rhs) == 1 {
		if isMember(assign.Lhs[0], abi, "getInfo") || isMember(assign.Rhs[0], abi, "getInfo") { // known from the exported API
			return nil
		}
		if index, ok := assign.Lhs[0].(*ast.IndexExpr); ok && familyOf(abi, index.X) != "" {
			family := familyOf(abi, index.X)
			return r.setHandler(family, node.handled[family], index.Index, assign.Rhs[0])
		}
	}
	return r.fail(statement, "expected a handler to be set or deleted, or return %s", abi)
}

// familyOf returns the family of the handlers in abi.FIELD, or "".
func familyOf(abi string, expr ast.Expr) string {
	for field, family := range handlerFields {
		if isMember(expr, abi, field) {
			return family
		}
	}
	return ""
}

func isMember(expr ast.Expr, abi, field string) bool {
	selector, ok := expr.(*ast.SelectorExpr)
	return ok && nameOf(selector.X) == abi && selector.Sel.Name == field
}
