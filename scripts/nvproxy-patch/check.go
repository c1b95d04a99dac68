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

// checker looks whether each entry is in all of its places.
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
	fmt.Fprintf(out, "%s: %d versions, each entry is in all of its places, and no TODO(drvabi) is left\n", v.file.path, len(v.nodes))
	return 0, nil
}

// checkTodos names what a patch of this program left to be decided.
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

// checkNode looks at what a node says; what it takes from its parent was looked at there.
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
		c.report(node, key, "handler", "there is an info, and no handler")
	}
	if info == nil {
		c.report(node, key, "info", "there is a handler, and no info")
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

// typesOf are the types of nvgpu that two expressions name.
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

// typeNamed is T of f[nvgpu.T], f[nvgpu.T, nvgpu.U] (one at a time) and nvgpu.T{}.
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

// checkTypes holds the types that an info names against those that the handler can unmarshal. A handler that names no version of a type at all passes it
// through, or translates it to another one (NVOS21 to NVOS64).
func (c *checker) checkTypes(node *versionNode, key entryKey, handler, info ast.Expr) {
	used, named := c.usedBy(handler), map[string]bool{}
	for _, name := range c.typesOf(handler) {
		named[name] = true
	}
	for _, name := range c.typesOf(info) {
		other := versionOfType(named, name) // what it is instantiated with; its functions may know all versions
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
		c.report(node, key, place, "the info has %s, and the handler %s", name, other)
	}
}

// versionOfType is the type among names that is a version of one: that itself, or the first, or "".
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

// ageOf is 590 of X_V590, and 0 of X.
func ageOf(name string) int {
	if match := typeVersion.FindStringSubmatch(name); match != nil {
		age, _ := strconv.Atoi(match[1])
		return age
	}
	return 0
}

// usedBy are the names of nvgpu that an expression mentions, or a function of the package that it mentions, and so on.
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

// callsDriver says whether a handler makes an ioctl of its own; one that does not needs no seccomp rule.
func (c *checker) callsDriver(expr ast.Node, seen map[string]bool) bool {
	calls := false
	ast.Inspect(expr, func(node ast.Node) bool {
		name, ok := node.(*ast.Ident)
		if !ok || calls {
			return !calls
		}
		// A handler may call that of a class or command, which then does it.
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

// checkRule looks for the rule of a frontend or UVM ioctl, and of one that has another type than before for the size of that.
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
		c.report(node, key, "seccomp", "seccomp_filters.go has no rule for it")
		return
	}
	if key.family == "uvm" || sizes[""] {
		return
	}
	for _, name := range c.withoutRule(node, key, info, sizes) {
		c.report(node, key, "seccomp", "no rule in seccomp_filters.go has the size of %s", name)
	}
}

// withoutRule are the types of an info that are new at a node and whose size no rule has. At the root, where all are, a handler may turn one
// type of an info into another, so one rule is enough.
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
