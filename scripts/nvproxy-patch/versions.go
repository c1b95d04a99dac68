package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// These statements of Init in version.go are read; others are ignored:
//
//	child := addDriverABI(major, minor, patch, sums…, parent)
//	child := addUnsupportedDriverABI(major, minor, patch, func() *driverABI {
//		abi := parent()
//		abi.controlCmd[nvgpu.NAME] = handler
//		delete(abi.controlCmd, nvgpu.NAME)
//		prevGetInfo := abi.getInfo
//		abi.getInfo = func() *DriverABIInfo {
//			info := prevGetInfo()
//			info.ControlInfos[nvgpu.NAME] = info
//			return info
//		}
//		return abi
//	})
//	child := func() *driverABI { … }            (in trees without addUnsupportedDriverABI)
//	child := parent                             (in the same trees)
//
// The root has its entries in map literals. Older trees have getStructs instead of getInfo.

// versionNode is one version of the tree.
type versionNode struct {
	version  string
	variable string // "_" if it has none
	parent   *versionNode
	stmt     ast.Stmt
	target   *ast.Ident   // the assigned variable
	cons     ast.Expr     // the parent's variable, or
	literal  *ast.FuncLit // a constructor
	entries  map[entryKey]*nodeEntry
}

type entryKey struct{ family, name string } // "uvm", "UVM_FREE"

// nodeEntry is an entry that a node sets or deletes. An expression is nil if the node does not set it.
type nodeEntry struct {
	handler, info               ast.Expr
	handlerRemoved, infoRemoved bool
}

type versions struct {
	src   *source
	file  *sourceFile
	nodes []*versionNode // in the order of the file
	by    map[string]*versionNode
	vars  map[string]*versionNode
	funcs map[string]*ast.FuncDecl // functions of the package, by name
	home  map[string]*sourceFile   // their files
}

var (
	handlerMaps = map[string]string{"frontendIoctl": "frontend", "uvmIoctl": "uvm", "controlCmd": "control", "allocationClass": "alloc"}
	infoMap     = regexp.MustCompile(`^(?i)(frontend|uvm|control|allocation)(infos|structs)$`)
	variableOf  = regexp.MustCompile(`^v(\d+)_(\d+)(?:_(\d+))?$`)
)

// mapOf returns the family whose handlers or infos are in the map with this name.
func mapOf(name string) (family string, isInfo bool) {
	if family = handlerMaps[name]; family != "" {
		return family, false
	}
	if match := infoMap.FindStringSubmatch(name); match != nil {
		family = strings.ToLower(match[1])
		if family == "allocation" {
			family = "alloc"
		}
		return family, true
	}
	return "", false
}

func readVersions(src *source) (*versions, error) {
	v := &versions{src: src, file: src.files[filepath.Join(proxyDir, "version.go")], by: map[string]*versionNode{}, vars: map[string]*versionNode{},
		funcs: map[string]*ast.FuncDecl{}, home: map[string]*sourceFile{}}
	for _, file := range src.in(proxyDir) {
		for _, decl := range file.ast.Decls {
			if function, ok := decl.(*ast.FuncDecl); ok && function.Recv == nil {
				v.funcs[function.Name.Name], v.home[function.Name.Name] = function, file
			}
		}
	}
	init := v.funcs["Init"]
	if init == nil {
		return nil, fmt.Errorf("%s has no function Init", v.file.path)
	}
	ast.Inspect(init.Body, func(node ast.Node) bool {
		if block, ok := node.(*ast.BlockStmt); ok && len(v.nodes) == 0 {
			for _, stmt := range block.List {
				v.readStatement(stmt)
			}
		}
		return len(v.nodes) == 0
	})
	if len(v.nodes) == 0 {
		return nil, fmt.Errorf("%s: no statement of Init adds a driver version", src.place(init))
	}
	return v, nil
}

func (v *versions) readStatement(stmt ast.Stmt) {
	assign, ok := stmt.(*ast.AssignStmt)
	if !ok || len(assign.Lhs) != 1 || len(assign.Rhs) != 1 {
		return
	}
	target, ok := assign.Lhs[0].(*ast.Ident)
	if !ok {
		return
	}
	node := &versionNode{variable: target.Name, target: target, stmt: stmt, entries: map[entryKey]*nodeEntry{}}
	switch value := assign.Rhs[0].(type) {
	case *ast.CallExpr:
		name, ok := value.Fun.(*ast.Ident)
		if !ok || !strings.HasPrefix(name.Name, "add") || !strings.HasSuffix(name.Name, "DriverABI") || len(value.Args) < 4 {
			return
		}
		node.version = versionOf(value.Args[0], value.Args[1], value.Args[2])
		node.cons = value.Args[len(value.Args)-1]
	case *ast.FuncLit:
		match := variableOf.FindStringSubmatch(target.Name)
		if match == nil {
			return
		}
		node.version = normal(strings.TrimSuffix(strings.Join(match[1:], "."), "."))
		node.cons = value
	case *ast.Ident: // v535_113_01 := v535_104_05
		match := variableOf.FindStringSubmatch(target.Name)
		if match == nil || v.vars[value.Name] == nil {
			return
		}
		node.version = normal(strings.TrimSuffix(strings.Join(match[1:], "."), "."))
		node.cons = value
	default:
		return
	}
	v.addNode(node)
}

// normal returns a version in the form of versionOf: "565.77" becomes 565.77.00.
func normal(version string) string {
	parts := strings.Split(version, ".")
	for i, part := range parts {
		if value, err := strconv.Atoi(part); err == nil {
			parts[i] = fmt.Sprintf("%02d", value)
		}
	}
	for len(parts) < 3 {
		parts = append(parts, "00")
	}
	return strings.Join(parts, ".")
}

// versionOf returns the driver's notation of three numbers: 565.77.00.
func versionOf(major, minor, patch ast.Expr) string {
	number := func(expr ast.Expr) int64 {
		literal, ok := expr.(*ast.BasicLit)
		if !ok {
			return -1
		}
		value, err := strconv.ParseInt(literal.Value, 0, 64)
		if err != nil {
			return -1
		}
		return value
	}
	return fmt.Sprintf("%d.%02d.%02d", number(major), number(minor), number(patch))
}

func (v *versions) addNode(node *versionNode) {
	if literal, ok := node.cons.(*ast.FuncLit); ok {
		node.literal = literal
		node.parent = v.parentIn(literal)
		v.readEntries(node, literal.Body)
	} else if name, ok := node.cons.(*ast.Ident); ok {
		node.parent = v.vars[name.Name]
	}
	v.nodes = append(v.nodes, node)
	v.by[node.version] = node
	if node.variable != "_" {
		v.vars[node.variable] = node
	}
}

// parentIn returns the version from which a constructor starts: abi := parent().
func (v *versions) parentIn(literal *ast.FuncLit) *versionNode {
	if name := v.parentName(literal); name != nil {
		return v.vars[name.Name]
	}
	return nil
}

func (v *versions) parentName(literal *ast.FuncLit) *ast.Ident {
	for _, stmt := range literal.Body.List {
		if assign, ok := stmt.(*ast.AssignStmt); ok && len(assign.Rhs) == 1 {
			if call, ok := assign.Rhs[0].(*ast.CallExpr); ok {
				if name, ok := call.Fun.(*ast.Ident); ok && v.vars[name.Name] != nil {
					return name
				}
			}
		}
	}
	return nil
}

// constantOf returns NAME of nvgpu.NAME, or "".
func constantOf(expr ast.Expr) string {
	if selector, ok := expr.(*ast.SelectorExpr); ok {
		if name, ok := selector.X.(*ast.Ident); ok && name.Name == "nvgpu" {
			return selector.Sel.Name
		}
	}
	return ""
}

// keyOf returns the key of a map: NAME of nvgpu.NAME, or the text of a number.
func keyOf(expr ast.Expr) string {
	if literal, ok := expr.(*ast.BasicLit); ok && literal.Kind == token.INT {
		return literal.Value
	}
	return constantOf(expr)
}

func (n *versionNode) entry(family, name string) *nodeEntry {
	key := entryKey{family, name}
	if n.entries[key] == nil {
		n.entries[key] = &nodeEntry{}
	}
	return n.entries[key]
}

func (n *versionNode) set(family, name string, isInfo bool, value ast.Expr) {
	entry := n.entry(family, name)
	if isInfo {
		entry.info, entry.infoRemoved = value, value == nil
	} else {
		entry.handler, entry.handlerRemoved = value, value == nil
	}
}

// mapExpr returns the family of abi.controlCmd or info.ControlInfos.
func mapExpr(expr ast.Expr) (family string, isInfo bool) {
	if selector, ok := expr.(*ast.SelectorExpr); ok {
		return mapOf(selector.Sel.Name)
	}
	return "", false
}

func (v *versions) readEntries(node *versionNode, body *ast.BlockStmt) {
	ast.Inspect(body, func(at ast.Node) bool {
		switch at := at.(type) {
		case *ast.AssignStmt:
			if index, ok := at.Lhs[0].(*ast.IndexExpr); ok && len(at.Lhs) == 1 && len(at.Rhs) == 1 {
				if family, isInfo := mapExpr(index.X); family != "" && keyOf(index.Index) != "" {
					node.set(family, keyOf(index.Index), isInfo, at.Rhs[0])
				}
			}
		case *ast.CallExpr:
			if name, ok := at.Fun.(*ast.Ident); ok && name.Name == "delete" && len(at.Args) == 2 {
				if family, isInfo := mapExpr(at.Args[0]); family != "" && keyOf(at.Args[1]) != "" {
					node.set(family, keyOf(at.Args[1]), isInfo, nil)
				}
			}
		case *ast.KeyValueExpr:
			if name, ok := at.Key.(*ast.Ident); ok {
				v.readLiteral(node, name.Name, at.Value)
			}
		}
		return true
	})
}

// readLiteral reads the root's controlCmd: map[…]…{ nvgpu.NAME: handler, … }.
func (v *versions) readLiteral(node *versionNode, name string, value ast.Expr) {
	family, isInfo := mapOf(name)
	literal, ok := value.(*ast.CompositeLit)
	if family == "" || !ok {
		return
	}
	for _, element := range literal.Elts {
		if pair, ok := element.(*ast.KeyValueExpr); ok && keyOf(pair.Key) != "" {
			node.set(family, keyOf(pair.Key), isInfo, pair.Value)
		}
	}
}

// lookup returns an entry at a version, from the node or its nearest ancestor that sets or deletes it.
func (n *versionNode) lookup(key entryKey) (handler, info ast.Expr) {
	var hasHandler, hasInfo bool
	for node := n; node != nil; node = node.parent {
		entry := node.entries[key]
		if entry == nil {
			continue
		}
		if !hasHandler && (entry.handler != nil || entry.handlerRemoved) {
			handler, hasHandler = entry.handler, true
		}
		if !hasInfo && (entry.info != nil || entry.infoRemoved) {
			info, hasInfo = entry.info, true
		}
	}
	return handler, info
}

// text returns an expression of version.go on one line.
func (v *versions) text(expr ast.Expr) string {
	if expr == nil {
		return ""
	}
	return v.src.code(v.file, expr)
}

// parseExpr parses an expression from text or from a patch.
func parseExpr(text string) (ast.Expr, *token.FileSet, error) {
	set := token.NewFileSet()
	expr, err := parser.ParseExprFrom(set, "", text, 0)
	return expr, set, err
}
