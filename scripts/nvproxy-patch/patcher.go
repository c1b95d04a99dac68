package main

import (
	"fmt"
	"go/ast"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
)

// patcher writes the changes of a bootstrap into a tree:
//
//  1. types: the declarations of structs.go, each after the type that it replaces
//  2. constants: numbers of entries that are added or renumbered, in the group of their class
//  3. handlers: copies of functions that use a replaced type by name
//  4. nodes: a statement of version.go for each new node, and lines in existing ones
//  5. seccomp: the sizes of frontend ioctls, and rules for added ioctls
//
// A place that is not found becomes a problem, and the rest is still written.
type patcher struct {
	src       *source
	versions  *versions
	boot      *bootstrap
	types     *newTypes
	now       map[entryKey]map[string]entryText // the new text of an entry, by version
	caps      map[string]string                 // "compute,utility": the tree's expression
	imported  map[*sourceFile]bool              // files with a new import
	generated map[string]bool                   // functions that embeddedHandler wrote
	inserted  map[string]int                    // offsets of new nodes, by version
	layouts   *layouts                          // of the tree's types; nil until needed
	ruled     map[string]bool                   // entries with a new seccomp rule
	alone     []bootEntry                       // entries whose class has no group of constants
	problems  []string
	todos     []string
}

// entryText is the source text of an entry's handler and info; "" if it has none.
type entryText struct{ handler, info string }

func newPatcher(src *source, v *versions, boot *bootstrap, types *newTypes) *patcher {
	return &patcher{src: src, versions: v, boot: boot, types: types, now: map[entryKey]map[string]entryText{}, generated: map[string]bool{}, inserted: map[string]int{}, ruled: map[string]bool{}}
}

func (p *patcher) problem(format string, arguments ...any) {
	p.problems = append(p.problems, fmt.Sprintf(format, arguments...))
}

func (p *patcher) todo(format string, arguments ...any) {
	p.todos = append(p.todos, fmt.Sprintf(format, arguments...))
}

func (p *patcher) run() {
	p.writeTypes()
	p.writeConstants()
	p.writeNodes()
	p.writeSeccomp()
}

// current returns an entry's text at a version: the new text, else the tree's, else that of the parent.
func (p *patcher) current(version string, key entryKey) entryText {
	for at := normal(version); at != ""; at = p.parentOf(at) {
		if text, isNew := p.now[key][at]; isNew {
			return text
		}
		if node := p.versions.by[at]; node != nil && node.entries[key] != nil {
			handler, info := node.lookup(key)
			return entryText{p.versions.text(handler), p.versions.text(info)}
		}
	}
	return entryText{}
}

// parentOf returns the parent of a version in the patched tree; "" for the root.
func (p *patcher) parentOf(version string) string {
	for _, node := range p.boot.Nodes {
		if normal(node.Version) == version && node.Parent != nil {
			return normal(*node.Parent)
		}
	}
	if node := p.versions.by[version]; node != nil && node.parent != nil {
		return node.parent.version
	}
	return ""
}

func (p *patcher) remember(version string, key entryKey, text entryText) {
	if p.now[key] == nil {
		p.now[key] = map[string]entryText{}
	}
	p.now[key][normal(version)] = text
}

// --- nodes ---------------------------------------------------------------------

func (p *patcher) writeNodes() {
	variables := map[string]string{} // variables of new nodes, by version
	base := map[string]*versionNode{}
	for i, node := range p.boot.Nodes {
		if existing := p.versions.by[normal(node.Version)]; existing != nil {
			p.extendNode(existing, node, p.newParent(existing, node, variables))
			base[normal(node.Version)] = existing
			continue
		}
		parent := normal(textOf(node.Parent))
		if base[parent] == nil {
			base[parent] = p.versions.by[parent]
		}
		if base[parent] == nil {
			p.problem("%s: no version %s, the parent of %s", p.versions.file.path, textOf(node.Parent), node.Version)
			continue
		}
		if variables[parent] == "" {
			variables[parent] = p.nameParent(base[parent])
		}
		base[normal(node.Version)] = base[parent]
		variables[normal(node.Version)] = variableFor(node.Version)
		p.insertNode(node, base[parent], variables[parent], p.isParent(i))
	}
}

// newParent returns the variable of a new node that becomes the parent of existing; "" if existing keeps its parent.
func (p *patcher) newParent(existing *versionNode, node bootNode, variables map[string]string) string {
	if node.WasParent == nil {
		return ""
	}
	variable := variables[normal(textOf(node.Parent))]
	if existing.parent == nil || existing.parent.version != normal(*node.WasParent) || variable == "" {
		p.problem("%s: the parent of %s is not %s here, so it was not changed to %s", p.src.place(existing.stmt), node.Version, *node.WasParent, textOf(node.Parent))
		return ""
	}
	if at := p.inserted[normal(textOf(node.Parent))]; at > p.src.offset(existing.stmt.Pos()) {
		p.problem("%s: the statement of %s is before that of its new parent %s; move it after that", p.src.place(existing.stmt), node.Version, textOf(node.Parent))
	}
	return variable
}

// isParent reports whether the node at index is the parent of a later new node.
func (p *patcher) isParent(index int) bool {
	for _, later := range p.boot.Nodes[index+1:] {
		if later.Parent != nil && normal(*later.Parent) == normal(p.boot.Nodes[index].Version) {
			return true
		}
	}
	return false
}

func variableFor(version string) string { return "v" + strings.ReplaceAll(version, ".", "_") }

// nameParent returns the variable of the parent. It adds one if there is none.
func (p *patcher) nameParent(parent *versionNode) string {
	if parent.variable != "_" {
		return parent.variable
	}
	parent.variable = variableFor(parent.version)
	from, end := p.src.offset(parent.target.Pos()), p.src.offset(parent.target.End())
	p.versions.file.replace(from, end, parent.variable)
	// "_ = x" becomes "v := x".
	for at := end; at < len(p.versions.file.text); at++ {
		if p.versions.file.text[at] == '=' {
			p.versions.file.replace(at, at+1, ":=")
			break
		}
	}
	return parent.variable
}

// numbersOf returns a version as arguments of addDriverABI. 08 and 09 become 8 and 9, since they are not valid octal numbers.
func numbersOf(version string) string {
	parts := strings.Split(normal(version), ".")
	for i, part := range parts {
		value, err := strconv.Atoi(part)
		if err != nil {
			continue
		}
		if parts[i] = part; part[0] == '0' && value > 7 {
			parts[i] = strconv.Itoa(value)
		} else if value == 0 {
			parts[i] = "0"
		}
	}
	return strings.Join(parts, ", ")
}

// insertNode writes the statement of a new node after its parent and after all older versions.
func (p *patcher) insertNode(node bootNode, parent *versionNode, parentVariable string, isParent bool) {
	var after ast.Stmt = parent.stmt
	for _, other := range p.versions.nodes {
		if versionLess(other.version, normal(node.Version)) && other.stmt.Pos() > after.Pos() {
			after = other.stmt
		}
	}
	constructor := p.constructor(node, parent, parentVariable)
	target := "_ ="
	if isParent {
		target = variableFor(node.Version) + " :="
	}
	var text string
	switch {
	case node.Supported:
		text = fmt.Sprintf("%s addDriverABI(%s, %s, %s)", target, numbersOf(node.Version), p.checksums(node), constructor)
	case p.versions.funcs["addUnsupportedDriverABI"] != nil:
		text = fmt.Sprintf("%s addUnsupportedDriverABI(%s, %s)", target, numbersOf(node.Version), constructor)
	default:
		text = fmt.Sprintf("%s %s", target, constructor)
	}
	at := p.versions.file.lineEnd(p.src.offset(after.End()))
	p.inserted[normal(node.Version)] = at
	comment := ""
	if p.opensRelease(node) {
		comment = "\n"
	}
	p.versions.file.insert(at, comment+text+"\n")
}

// opensRelease reports whether a node is the first with its major version.
func (p *patcher) opensRelease(node bootNode) bool {
	major := strings.SplitN(node.Version, ".", 2)[0] + "."
	for _, other := range p.versions.nodes {
		if strings.HasPrefix(other.version, major) {
			return false
		}
	}
	for _, other := range p.boot.Nodes {
		if other.Version == node.Version {
			break
		}
		if strings.HasPrefix(other.Version, major) {
			return false
		}
	}
	return true
}

func versionLess(a, b string) bool {
	as, bs := strings.Split(a, "."), strings.Split(b, ".")
	for i := 0; i < len(as) && i < len(bs); i++ {
		x, _ := strconv.Atoi(as[i])
		y, _ := strconv.Atoi(bs[i])
		if x != y {
			return x < y
		}
	}
	return len(as) < len(bs)
}

// checksums returns the arguments for addDriverABI: the checksum for x86_64, and in newer trees also for arm64.
func (p *patcher) checksums(node bootNode) string {
	texts := []string{p.checksum(node, "x86_64", "x86_64")}
	for _, field := range p.versions.funcs["addDriverABI"].Type.Params.List {
		for _, name := range field.Names {
			if strings.HasSuffix(strings.ToLower(name.Name), "arm64") {
				texts = append(texts, p.checksum(node, "arm64", "aarch64"))
			}
		}
	}
	return strings.Join(texts, ", ")
}

func (p *patcher) checksum(node bootNode, key, machine string) string {
	sum := textOf(node.SHA256[key])
	if sum == "none" { // NVIDIA has no package for this machine
		return "ChecksumNoDriver"
	}
	if sum != "" {
		return strconv.Quote(sum)
	}
	p.todo("%s: SHA-256 of NVIDIA-Linux-%s-%s.run (ChecksumNoDriver if there is no such file)", node.Version, machine, node.Version)
	return fmt.Sprintf("TODO(drvabi) /* SHA-256 of NVIDIA-Linux-%s-%s.run */", machine, node.Version)
}

// entriesAt returns the entries that change at a node, in the order of the bootstrap.
func (p *patcher) entriesAt(version string) []bootEntry {
	var found []bootEntry
	for _, entry := range p.boot.Entries {
		if normal(entry.Node) == normal(version) && entry.Action != "none" {
			found = append(found, entry)
		}
	}
	return found
}

// constructor returns the last argument of a new node: the parent, or a function that changes the parent's entries.
func (p *patcher) constructor(node bootNode, parent *versionNode, parentVariable string) string {
	handlers, infos := p.entryLines(node, parent)
	if len(handlers) == 0 && len(infos) == 0 {
		if !node.Supported && p.versions.funcs["addUnsupportedDriverABI"] == nil {
			return "func() *driverABI { return " + parentVariable + "() }"
		}
		return parentVariable
	}
	var text strings.Builder
	fmt.Fprintf(&text, "func() *driverABI {\nabi := %s()\n%s", parentVariable, strings.Join(handlers, ""))
	text.WriteString(p.infoBlock(infos))
	text.WriteString("return abi\n}")
	return text.String()
}

// infoBlock returns the block that sets getInfo, or getStructs in older trees, with the lines of infos.
func (p *patcher) infoBlock(infos []string) string {
	if len(infos) == 0 {
		return ""
	}
	if p.usesStructs() {
		return "\nprevStructs := abi.getStructs\nabi.getStructs = func() *driverABIStructs {\nstructs := prevStructs()\n" + strings.Join(infos, "") + "return structs\n}\n"
	}
	return "\nprevGetInfo := abi.getInfo\nabi.getInfo = func() *" + p.infoType() + " {\ninfo := prevGetInfo()\n" + strings.Join(infos, "") + "return info\n}\n"
}

// usesStructs reports whether the tree has getStructs instead of getInfo.
func (p *patcher) usesStructs() bool {
	return strings.Contains(string(p.versions.file.text), "getStructs driverABIStructsFunc")
}

func (p *patcher) infoType() string {
	if strings.Contains(string(p.versions.file.text), "type DriverABIInfo struct") {
		return "DriverABIInfo"
	}
	return "driverABIInfo"
}

// --- the lines of an entry --------------------------------------------------------

func handlerMap(family string) string {
	for name, of := range handlerMaps {
		if of == family {
			return "abi." + name
		}
	}
	return "abi." + family
}

// infoMapOf returns the tree's expression for the map of a family's infos.
func (p *patcher) infoMapOf(family string) string {
	variable, found := "info", ""
	if p.usesStructs() {
		variable = "structs"
	}
	for _, node := range p.versions.nodes {
		ast.Inspect(node.stmt, func(at ast.Node) bool {
			var name string
			switch at := at.(type) {
			case *ast.KeyValueExpr:
				if ident, ok := at.Key.(*ast.Ident); ok {
					name = ident.Name
				}
			case *ast.SelectorExpr:
				name = at.Sel.Name
			}
			if of, isInfo := mapOf(name); found == "" && isInfo && of == family {
				found = name
			}
			return found == ""
		})
	}
	if found == "" {
		p.problem("%s: no map with the infos of %s ioctls", p.versions.file.path, family)
		found = family + "Infos"
	}
	return variable + "." + found
}

// entryLines returns the lines that a node needs in its constructor and in its infos.
func (p *patcher) entryLines(node bootNode, parent *versionNode) (handlers, infos []string) {
	for _, entry := range p.entriesAt(node.Version) {
		handler, info := p.linesOf(entry, parent)
		handlers, infos = append(handlers, handler...), append(infos, info...)
	}
	return handlers, infos
}

// isMacro reports whether a name is that of a constant. A command without a macro has the name of the driver's function: subdeviceCtrlCmdX.
func isMacro(name string) bool { return ast.IsExported(name) }

// keyText returns an entry's key in a map: its constant, or its number if the driver has no macro.
func keyText(name string, number uint64) string {
	if isMacro(name) {
		return "nvgpu." + name
	}
	return fmt.Sprintf("%#x", number)
}

func (p *patcher) linesOf(entry bootEntry, parent *versionNode) (handlers, infos []string) {
	name := entry.Name
	if entry.Was != nil {
		name = entry.Was.Name
	}
	key := entryKey{entry.Family, name}
	was := p.current(entry.Node, key)
	if entry.Was != nil && was.handler == "" && was.info == "" {
		p.problem("%s: %s %s has no handler and no info at %s or before; nothing was written for %s", p.versions.file.path, entry.Family, name, parent.version, entry.Node)
		return nil, nil
	}
	if entry.Action == "remove" || (entry.Was != nil && entry.Name != name) {
		handlers = append(handlers, fmt.Sprintf("delete(%s, %s)\n", handlerMap(entry.Family), keyText(name, entry.Was.Number)))
		infos = append(infos, fmt.Sprintf("delete(%s, %s)\n", p.infoMapOf(entry.Family), keyText(name, entry.Was.Number)))
		p.remember(entry.Node, key, entryText{})
	}
	if entry.Action == "remove" {
		return handlers, infos
	}
	is := entryText{p.handlerFor(entry, was.handler), p.infoFor(entry, was.info)}
	p.remember(entry.Node, entryKey{entry.Family, entry.Name}, is)
	if is.handler != was.handler || entry.Name != name {
		handlers = append(handlers, fmt.Sprintf("%s[%s] = %s\n", handlerMap(entry.Family), keyText(entry.Name, entry.Number), is.handler))
	}
	if is.info != was.info || entry.Name != name {
		infos = append(infos, fmt.Sprintf("%s[%s] = %s\n", p.infoMapOf(entry.Family), keyText(entry.Name, entry.Number), is.info))
	}
	return handlers, infos
}

// supportNode makes an unsupported node supported, by adding checksums:
//
//	v := parent, or func() *driverABI { … }   v := addDriverABI(major, minor, patch, sums…, the old expression)
//	v := addUnsupportedDriverABI(…, cons)     v := addDriverABI(…, sums…, cons)
func (p *patcher) supportNode(existing *versionNode, node bootNode) {
	value := existing.stmt.(*ast.AssignStmt).Rhs[0]
	call, ok := value.(*ast.CallExpr)
	if !ok {
		p.versions.file.insert(p.src.offset(value.Pos()), fmt.Sprintf("addDriverABI(%s, %s, ", numbersOf(node.Version), p.checksums(node)))
		p.versions.file.insert(p.src.offset(value.End()), ")")
		return
	}
	p.versions.file.replace(p.src.offset(call.Fun.Pos()), p.src.offset(call.Fun.End()), "addDriverABI")
	p.versions.file.insert(p.src.offset(existing.cons.Pos()), p.checksums(node)+", ")
}

// isSupported reports whether the node has checksums.
func (n *versionNode) isSupported() bool {
	call, ok := n.stmt.(*ast.AssignStmt).Rhs[0].(*ast.CallExpr)
	return ok && call.Fun.(*ast.Ident).Name == "addDriverABI"
}

// extendNode changes a node of the tree: it adds entries (--add), makes the node supported, or changes its parent.
func (p *patcher) extendNode(existing *versionNode, node bootNode, newParent string) {
	if node.Supported && !existing.isSupported() {
		p.supportNode(existing, node)
	}
	if newParent != "" && existing.literal != nil {
		name := p.versions.parentName(existing.literal)
		p.versions.file.replace(p.src.offset(name.Pos()), p.src.offset(name.End()), newParent)
	}
	handlers, infos := p.entryLines(node, existing)
	isChanged := len(handlers) > 0 || len(infos) > 0
	switch {
	case existing.literal == nil && (isChanged || newParent != ""): // the node was the same as its parent
		parent := newParent
		if parent == "" {
			parent = p.src.code(p.versions.file, existing.cons)
		}
		if isChanged {
			parent = "func() *driverABI {\nabi := " + parent + "()\n" + strings.Join(handlers, "") + p.infoBlock(infos) + "return abi\n}"
		}
		p.versions.file.replace(p.src.offset(existing.cons.Pos()), p.src.offset(existing.cons.End()), parent)
	case isChanged && existing.parent == nil:
		p.extendRoot(existing, node)
	case isChanged:
		p.extendLiteral(existing, handlers, infos)
	}
}

// extendLiteral adds handlers before `prevGetInfo := …` (or before the last return), and infos before their return.
func (p *patcher) extendLiteral(existing *versionNode, handlers, infos []string) {
	body := existing.literal.Body.List
	at := p.src.offset(body[len(body)-1].Pos())
	var inner *ast.FuncLit
	for _, stmt := range body {
		assign, ok := stmt.(*ast.AssignStmt)
		if !ok || len(assign.Rhs) != 1 {
			continue
		}
		if literal, ok := assign.Rhs[0].(*ast.FuncLit); ok {
			inner = literal
		}
		if name, ok := assign.Lhs[0].(*ast.Ident); ok && strings.HasPrefix(name.Name, "prev") && p.src.offset(stmt.Pos()) < at {
			at = p.src.offset(stmt.Pos())
		}
	}
	p.versions.file.insert(at, strings.Join(handlers, ""))
	if len(infos) == 0 {
		return
	}
	if inner == nil {
		p.versions.file.insert(p.src.offset(body[len(body)-1].Pos()), p.infoBlock(infos))
		return
	}
	list := inner.Body.List
	p.versions.file.insert(p.src.offset(list[len(list)-1].Pos()), strings.Join(infos, ""))
}

// extendRoot adds elements to the map literals of the root, the version without a parent.
func (p *patcher) extendRoot(existing *versionNode, node bootNode) {
	for _, entry := range p.entriesAt(node.Version) {
		text, isNew := p.now[entryKey{entry.Family, entry.Name}][existing.version]
		if !isNew {
			continue
		}
		p.insertElement(existing, entry, false, text.handler)
		p.insertElement(existing, entry, true, text.info)
	}
}

func (p *patcher) insertElement(root *versionNode, entry bootEntry, isInfo bool, value string) {
	var literal *ast.CompositeLit
	ast.Inspect(root.literal, func(at ast.Node) bool {
		if pair, ok := at.(*ast.KeyValueExpr); ok {
			if name, ok := pair.Key.(*ast.Ident); ok {
				if family, info := mapOf(name.Name); family == entry.Family && info == isInfo {
					literal, _ = pair.Value.(*ast.CompositeLit)
				}
			}
		}
		return literal == nil
	})
	if literal == nil {
		p.problem("%s: the root has no map literal for %s %s", p.versions.file.path, entry.Family, entry.Name)
		return
	}
	p.versions.file.insert(p.src.offset(literal.Rbrace), fmt.Sprintf("%s: %s,\n", keyText(entry.Name, entry.Number), value))
}

// --- capabilities ------------------------------------------------------------------

// capNames has gVisor's constants for the capabilities of a table.
var capNames = map[string]string{"compute": "nvconf.CapCompute", "compat32": "nvconf.CapCompat32", "graphics": "nvconf.CapGraphics", "utility": "nvconf.CapUtility",
	"video": "nvconf.CapVideo", "display": "nvconf.CapDisplay", "ngx": "nvconf.CapNGX", "profiling": "nvconf.CapProfiling",
	"fabric-imex-mgmt": "nvconf.CapFabricIMEXManagement", "rdma": "nvconf.CapRDMA"}

// capsFor returns the expression for capabilities, with compUtil for compute and utility; a TODO if one has no constant or there are none.
func (p *patcher) capsFor(caps []string) string {
	sorted := append([]string{}, caps...)
	sort.Strings(sorted)
	var out []string
	rest := map[string]bool{}
	for _, one := range sorted {
		rest[one] = true
	}
	if rest["compute"] && rest["utility"] {
		out = append(out, "compUtil")
		delete(rest, "compute")
		delete(rest, "utility")
	}
	for _, one := range sorted {
		if !rest[one] {
			continue
		}
		if capNames[one] == "" {
			return "TODO(drvabi) /* " + strings.Join(sorted, ", ") + " */"
		}
		out = append(out, capNames[one])
	}
	if len(out) == 0 {
		return "TODO(drvabi) /* capabilities */"
	}
	return strings.Join(out, "|")
}

// abiFile returns the file of pkg/abi/nvgpu for a family's declarations that have no neighbours.
func (p *patcher) abiFile(family string) *sourceFile {
	name := map[string]string{"control": "ctrl.go", "alloc": "classes.go", "frontend": "frontend.go", "uvm": "uvm.go"}[family]
	if file := p.src.files[filepath.Join(abiDir, name)]; file != nil {
		return file
	}
	return p.src.in(abiDir)[0]
}
