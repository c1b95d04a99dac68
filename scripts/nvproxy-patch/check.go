package main

import (
	"fmt"
	"go/ast"
	"io"
	"regexp"
	"sort"
	"strconv"
	"strings"
)

// checker checks that each entry is complete: it has a handler, an info, types, a constant and a seccomp rule.
type checker struct {
	src      *source
	versions *versions
	found    []string
}

func checkTree(opts options, out io.Writer) (status int, err error) {
	src, err := readSource(opts.tree)
	if err != nil {
		return 2, err
	}
	if opts.from != "" {
		if err := checkOrigin(opts.from, src, out); err != nil {
			return 2, err
		}
	}
	v, err := readVersions(src)
	if err != nil {
		return 2, err
	}
	c := &checker{src: src, versions: v}
	for _, node := range v.nodes {
		c.checkNode(node)
	}
	c.checkTodos()
	for _, line := range c.found {
		fmt.Fprintln(out, line)
	}
	if len(c.found) > 0 {
		return 1, nil
	}
	fmt.Fprintf(out, "%s: %d versions: all entries are complete, and no TODO(drvabi) is left\n", v.file.path, len(v.nodes))
	return 0, nil
}

// checkTodos reports each TODO(drvabi) in the tree.
func (c *checker) checkTodos() {
	paths := make([]string, 0, len(c.src.files))
	for path := range c.src.files {
		paths = append(paths, path)
	}
	sort.Strings(paths)
	for _, path := range paths {
		for i, line := range strings.Split(string(c.src.files[path].text), "\n") {
			if strings.Contains(line, "TODO(drvabi)") {
				c.found = append(c.found, fmt.Sprintf("%s:%d: a TODO is left: %s", path, i+1, strings.TrimSpace(line)))
			}
		}
	}
}

func (c *checker) report(node *versionNode, key entryKey, place, format string, arguments ...any) {
	c.found = append(c.found, fmt.Sprintf("%s: %s %s %s: %s: %s", c.src.place(node.stmt), node.version, key.family, key.name, place, fmt.Sprintf(format, arguments...)))
}

// checkNode checks the entries that a node sets. Inherited entries are checked at the ancestor that sets them.
func (c *checker) checkNode(node *versionNode) {
	keys := make([]entryKey, 0, len(node.entries))
	for key := range node.entries {
		keys = append(keys, key)
	}
	sort.Slice(keys, func(i, j int) bool {
		return keys[i].family < keys[j].family || keys[i].family == keys[j].family && keys[i].name < keys[j].name
	})
	for _, key := range keys {
		c.checkEntry(node, key)
	}
}

func (c *checker) checkEntry(node *versionNode, key entryKey) {
	handler, info := node.lookup(key)
	if handler == nil && info == nil {
		return // removed from both
	}
	if handler == nil {
		c.report(node, key, "handler", "there is an info, but no handler")
	}
	if info == nil {
		c.report(node, key, "info", "there is a handler, but no info")
	}
	if _, err := strconv.ParseUint(key.name, 0, 64); err != nil && !c.src.hasConstant(key.name) {
		c.report(node, key, "constant", "%s does not declare %s", abiDir, key.name)
	}
	for _, name := range c.src.undeclared(c.typesOf(handler, info)) {
		c.report(node, key, "struct", "%s does not declare %s", abiDir, name)
	}
	if handler != nil && info != nil {
		c.checkTypes(node, key, handler, info)
		c.checkRule(node, key, handler, info)
	}
}

// typesOf returns the sorted names of nvgpu's types that the expressions use.
func (c *checker) typesOf(expressions ...ast.Expr) []string {
	found := map[string]bool{}
	for _, expr := range expressions {
		if expr == nil {
			continue
		}
		ast.Inspect(expr, func(node ast.Node) bool {
			if name := typeNamed(node); name != "" {
				found[name] = true
			}
			return true
		})
	}
	names := make([]string, 0, len(found))
	for name := range found {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// typeNamed returns T of f[nvgpu.T] and nvgpu.T{}; "" for other nodes.
func typeNamed(node ast.Node) string {
	switch node := node.(type) {
	case *ast.IndexExpr:
		return constantOf(node.Index)
	case *ast.CompositeLit:
		if node.Type != nil {
			return constantOf(node.Type)
		}
	}
	return ""
}

// checkTypes compares the types of an info with those that the handler can unmarshal. If the handler uses no version of a type, it
// forwards the bytes unread, or converts the type to a different one (NVOS21 to NVOS64); this is not reported.
func (c *checker) checkTypes(node *versionNode, key entryKey, handler, info ast.Expr) {
	used, named := c.usedBy(handler), map[string]bool{}
	for _, name := range c.typesOf(handler) {
		named[name] = true
	}
	for _, name := range c.typesOf(info) {
		other := versionOfType(named, name) // the type argument; the functions themselves can use all versions
		if other == "" {
			other = versionOfType(used, name)
		}
		if other == "" || other == name {
			continue
		}
		place := "handler"
		if ageOf(other) > ageOf(name) {
			place = "info"
		}
		c.report(node, key, place, "the info has %s, but the handler %s", name, other)
	}
}

// versionOfType returns one if it is among names, else the first of names that is a version of the same type, else "".
func versionOfType(names map[string]bool, one string) string {
	if names[one] {
		return one
	}
	found := ""
	for name := range names {
		if baseOf(name) == baseOf(one) && (found == "" || name < found) {
			found = name
		}
	}
	return found
}

var typeVersion = regexp.MustCompile(`_V(\d+)$`)

func baseOf(name string) string { return typeVersion.ReplaceAllString(name, "") }

// ageOf returns 590 for X_V590, and 0 for X.
func ageOf(name string) int {
	if match := typeVersion.FindStringSubmatch(name); match != nil {
		age, _ := strconv.Atoi(match[1])
		return age
	}
	return 0
}

// usedBy returns the names of nvgpu that an expression uses, directly or through functions of the package.
func (c *checker) usedBy(expr ast.Node) map[string]bool {
	used, seen := map[string]bool{}, map[string]bool{}
	queue := []ast.Node{expr}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		ast.Inspect(at, func(node ast.Node) bool {
			if expr, ok := node.(ast.Expr); ok && constantOf(expr) != "" {
				used[constantOf(expr)] = true
			}
			if name, ok := node.(*ast.Ident); ok && !seen[name.Name] {
				seen[name.Name] = true
				if function := c.versions.funcs[name.Name]; function != nil && function.Body != nil {
					queue = append(queue, function)
				}
			}
			return true
		})
	}
	return used
}

// callsDriver reports whether a handler calls the driver. A handler that does not needs no seccomp rule.
func (c *checker) callsDriver(expr ast.Node, seen map[string]bool) bool {
	calls := false
	ast.Inspect(expr, func(node ast.Node) bool {
		name, ok := node.(*ast.Ident)
		if !ok || calls {
			return !calls
		}
		// A handler that uses one of the maps calls the handler of a class or command, which calls the driver.
		if strings.Contains(name.Name, "Invoke") || strings.HasPrefix(name.Name, "RawSyscall") || handlerMaps[name.Name] != "" {
			calls = true
		} else if function := c.versions.funcs[name.Name]; function != nil && function.Body != nil && !seen[name.Name] {
			seen[name.Name] = true
			calls = c.callsDriver(function.Body, seen)
		}
		return !calls
	})
	return calls
}

// checkRule checks that a frontend or UVM ioctl has a seccomp rule, and that a frontend ioctl has one for each new size.
func (c *checker) checkRule(node *versionNode, key entryKey, handler, info ast.Expr) {
	if key.family != "frontend" && key.family != "uvm" || !c.callsDriver(handler, map[string]bool{}) {
		return
	}
	sizes, any := map[string]bool{}, false
	for _, one := range c.src.rules(key.family) {
		if one.name == key.name {
			any = true
			sizes[one.sizeof] = true
		}
	}
	if !any {
		c.report(node, key, "seccomp", "seccomp_filters.go has no rule for this ioctl")
		return
	}
	if key.family == "uvm" || sizes[""] {
		return
	}
	for _, name := range c.withoutRule(node, key, info, sizes) {
		c.report(node, key, "seccomp", "no rule in seccomp_filters.go has the size of %s", name)
	}
}

// withoutRule returns the types of an info that are new at a node and for whose size there is no rule. At the root, all types are new. There
// the rule of one type is enough, since the handler can convert the other types to that type.
func (c *checker) withoutRule(node *versionNode, key entryKey, info ast.Expr, sizes map[string]bool) []string {
	_, before := node.parent.lookupOrNil(key)
	var missing []string
	names := c.typesOf(info)
	for _, name := range names {
		size, _, _ := c.src.sizeName(name)
		if !contains(c.typesOf(before), name) && (size == "" || !sizes[strings.TrimPrefix(size, "Sizeof")]) {
			missing = append(missing, name)
		}
	}
	if node.parent == nil && len(missing) < len(names) {
		return nil
	}
	return missing
}

func contains(list []string, wanted string) bool {
	for _, one := range list {
		if one == wanted {
			return true
		}
	}
	return false
}
