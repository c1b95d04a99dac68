package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"strconv"
	"strings"
)

// retype replaces each nvgpu.OLD of an expression by nvgpu.NEW, and counts the replacements.
func retype(text, old, new string) (result string, count int) {
	expr, set, err := parseExpr(text)
	if err != nil {
		return text, 0
	}
	shift, out := 0, text
	ast.Inspect(expr, func(node ast.Node) bool {
		selector, ok := node.(*ast.SelectorExpr)
		if !ok || constantOf(selector) != old {
			return true
		}
		from := set.Position(selector.Sel.Pos()).Offset + shift
		out = out[:from] + new + out[from+len(old):]
		shift += len(new) - len(old)
		count++
		return true
	})
	return out, count
}

// handlerFor returns the handler of an entry at its node. was is the handler before.
func (p *patcher) handlerFor(entry bootEntry, was string) string {
	newType := textOf(entry.Type)
	if entry.Was == nil {
		return p.newHandler(entry)
	}
	oldType := textOf(entry.Was.Type)
	if newType == oldType {
		if entry.Action == "replace" && newType == "" {
			return p.todoHandler(entry, was, "it was forwarded unread, and must be read now: "+entry.Why)
		}
		return was
	}
	if oldType == "" {
		return p.todoHandler(entry, was, "it was forwarded unread, and must be read now: "+entry.Why)
	}
	if newType == "" { // nothing to translate, or the parameters are unknown
		return p.newHandler(entry)
	}
	if text, count := retype(was, oldType, newType); count > 0 {
		return text
	}
	if len(entry.Pointers) > 0 {
		return p.newHandler(entry)
	}
	if strings.Contains(was, "TODO(drvabi)") {
		p.todo("%s %s at %s: the handler of the node before, with %s", entry.Family, entry.Name, entry.Node, newType)
		return strings.Replace(was, "TODO(drvabi) /* ", "TODO(drvabi) /* that of the node before, with nvgpu."+newType+": ", 1)
	}
	return p.twinHandler(entry, was, oldType, newType)
}

func (p *patcher) todoHandler(entry bootEntry, was, why string) string {
	p.todo("%s %s at %s: a handler; before: %s; %s", entry.Family, entry.Name, entry.Node, was, why)
	text := "TODO(drvabi) /* " + strings.ReplaceAll(why, "*/", "* /") + " */"
	if expr, set, err := parseExpr(was); err == nil { // keep the call with the capabilities
		if call, ok := expr.(*ast.CallExpr); ok && len(call.Args) == 2 {
			from, to := set.Position(call.Args[0].Pos()).Offset, set.Position(call.Args[0].End()).Offset
			return was[:from] + text + was[to:]
		}
	}
	return text
}

// newHandler returns the handler of an added entry: the one that bootstrap names, a generated one, or a TODO with the reason.
func (p *patcher) newHandler(entry bootEntry) string {
	caps := p.capsFor(entry.Caps)
	if strings.HasPrefix(caps, "TODO") {
		likely := p.boot.likely(entry)
		caps = strings.Replace(caps, "capabilities", "capabilities"+likely, 1)
		p.todo("%s %s at %s: capabilities%s", entry.Family, entry.Name, entry.Node, likely)
	}
	wrap := map[string]string{"control": "ctrlHandler", "alloc": "allocHandler", "uvm": "uvmHandler", "frontend": "feHandler"}[entry.Family]
	handler := p.namedHandler(entry.NewHandler)
	if why := entry.Why; handler == "" {
		if len(entry.Pointers)+len(entry.FDs) > 0 {
			handler, why = p.embeddedHandler(entry)
		}
		if handler == "" {
			handler = p.todoHandler(entry, "none", why)
		}
	}
	return fmt.Sprintf("%s(%s, %s)", wrap, handler, caps)
}

// namedHandler returns the handler that bootstrap names; "" if bootstrap names none, if the tree does not have the function, or if the
// function is for a different type.
func (p *patcher) namedHandler(wanted *bootHandler) string {
	if wanted == nil || p.versions.funcs[wanted.Kind] == nil {
		return ""
	}
	if p.versions.funcs[wanted.Kind].Type.TypeParams == nil {
		if p.names(wanted.Kind, wanted.Type) {
			return wanted.Kind
		}
		return ""
	}
	if wanted.Type == nil {
		return ""
	}
	return wanted.Kind + "[nvgpu." + *wanted.Type + "]"
}

// names reports whether a function of the package uses the type. It is true if typeName is nil.
func (p *patcher) names(function string, typeName *string) bool {
	if typeName == nil {
		return true
	}
	found := false
	if decl := p.versions.funcs[function]; decl != nil {
		ast.Inspect(decl, func(node ast.Node) bool {
			selector, ok := node.(*ast.SelectorExpr)
			found = found || ok && constantOf(selector) == *typeName
			return !found
		})
	}
	return found
}

// infoFor returns the info of an entry at its node. was is the info before.
func (p *patcher) infoFor(entry bootEntry, was string) string {
	macro := entry.Name
	if entry.Constant != nil {
		macro = *entry.Constant
	} else if !isMacro(macro) {
		macro = "" // a number without a name
	}
	record, newType := textOf(entry.Record), textOf(entry.Type)
	if entry.Was == nil || newType == "" && textOf(entry.Was.Type) != "" {
		return p.newInfo(macro, record, newType)
	}
	call, ok := parseCall(was)
	if !ok {
		p.problem("%s: the info of %s %s is not a call: %s", p.versions.file.path, entry.Family, entry.Name, was)
		return "TODO(drvabi)"
	}
	text := was
	if oldType := textOf(entry.Was.Type); newType != oldType && oldType != "" {
		text, _ = retype(text, oldType, newType)
	}
	switch call {
	case "ioctlInfo", "driverStructs": // the names of the types are the names of the records
		return p.namedInfo(entry, macro, record, newType, was, text)
	case "simpleIoctlInfo", "simpleDriverStruct":
		if newType != "" {
			return p.newInfo(macro, record, newType)
		}
	}
	return renameStrings(text, renames(entry))
}

// namedInfo returns an info whose type can have a different name than the record.
func (p *patcher) namedInfo(entry bootEntry, macro, record, newType, was, text string) string {
	expr, _, err := parseExpr(was)
	if err != nil {
		return was
	}
	types := 0
	for _, argument := range expr.(*ast.CallExpr).Args {
		if _, ok := argument.(*ast.CompositeLit); ok {
			types++
		}
	}
	if types == 1 && newType != "" && newType != record {
		return p.newInfo(macro, record, newType)
	}
	if types > 1 && text != was {
		p.todo("%s %s at %s: an info of several types, one of which has a different name than its record: %s", entry.Family, entry.Name, entry.Node, text)
		return "TODO(drvabi) /* " + text + " */"
	}
	return renameStrings(text, renames(entry))
}

// newInfo returns an info in the tree's style.
func (p *patcher) newInfo(macro, record, newType string) string {
	if p.usesStructs() {
		switch {
		case newType == "" && record == "":
			return "nil"
		case newType == "":
			return fmt.Sprintf("simpleDriverStruct(%q)", record)
		case newType == record:
			return fmt.Sprintf("driverStructs(nvgpu.%s{})", newType)
		}
		return fmt.Sprintf("driverStructWithName(nvgpu.%s{}, %q)", newType, record)
	}
	switch {
	case newType == "" && record == "":
		return fmt.Sprintf("simpleIoctlInfo(%q)", macro)
	case newType == "":
		return fmt.Sprintf("simpleIoctlInfo(%q, %q)", macro, record)
	case newType == record:
		return fmt.Sprintf("ioctlInfo(%q, nvgpu.%s{})", macro, newType)
	}
	return fmt.Sprintf("ioctlInfoWithStructName(%q, nvgpu.%s{}, %q)", macro, newType, record)
}

// renames returns the strings of an info that change, with the new ones.
func renames(entry bootEntry) map[string]string {
	found := map[string]string{}
	if from, to := textOf(entry.Was.Constant), textOf(entry.Constant); from != "" && to != "" && from != to {
		found[from] = to
	}
	if from, to := textOf(entry.Was.Record), textOf(entry.Record); from != "" && to != "" && from != to {
		found[from] = to
	}
	return found
}

func renameStrings(text string, names map[string]string) string {
	for from, to := range names {
		text = strings.ReplaceAll(text, strconv.Quote(from), strconv.Quote(to))
	}
	return text
}

func parseCall(text string) (name string, ok bool) {
	expr, _, err := parseExpr(text)
	if err != nil {
		return "", false
	}
	call, ok := expr.(*ast.CallExpr)
	if !ok {
		return "", false
	}
	ident, ok := call.Fun.(*ast.Ident)
	if !ok {
		return "", false
	}
	return ident.Name, true
}

// --- copies of functions -------------------------------------------------------------------------

var versionSuffix = regexp.MustCompile(`V\d+$`)

// suffixOf returns V590 for X_V590.
func suffixOf(typeName string) string {
	return strings.TrimPrefix(typeVersion.FindString(typeName), "_")
}

// twinHandler returns the handler with a copy of its function that uses the new type. This needs a function that uses only fields and
// methods of the old type that the new type has, too.
func (p *patcher) twinHandler(entry bootEntry, was, oldType, newType string) string {
	expr, set, err := parseExpr(was)
	if err != nil {
		return p.todoHandler(entry, was, "its handler cannot be parsed")
	}
	result := ""
	ast.Inspect(expr, func(node ast.Node) bool {
		name, ok := node.(*ast.Ident)
		if !ok || result != "" || p.versions.funcs[name.Name] == nil {
			return result == ""
		}
		if copied, why := p.copyFunction(name.Name, oldType, newType); why == "" {
			from := set.Position(name.Pos()).Offset
			result = was[:from] + copied + was[from+len(name.Name):]
		} else if why != "other" {
			result = p.todoHandler(entry, was, why)
		}
		return result == ""
	})
	if result == "" {
		return p.todoHandler(entry, was, "its handler does not use "+oldType)
	}
	return result
}

// copyFunction writes NAMEV590, a copy of NAME, after NAME unless the tree has it. why is "other" if NAME does not use the old type.
func (p *patcher) copyFunction(name, oldType, newType string) (copied, why string) {
	function, file := p.versions.funcs[name], p.versions.home[name]
	uses := 0
	ast.Inspect(function, func(node ast.Node) bool {
		if selector, ok := node.(*ast.SelectorExpr); ok && constantOf(selector) == oldType {
			uses++
		}
		return true
	})
	if uses == 0 {
		return "", "other"
	}
	suffix := suffixOf(newType)
	if suffix == "" {
		return "", "the new type " + newType + " has no version in its name, so there is no name for a copy of " + name
	}
	copied = versionSuffix.ReplaceAllString(name, "") + suffix
	if p.versions.funcs[copied] != nil {
		return copied, ""
	}
	if missing := p.missingFields(function, oldType, newType); missing != "" {
		return "", fmt.Sprintf("%s uses %s of %s, which %s does not have", name, missing, oldType, newType)
	}
	text := p.src.code(file, function)
	shift := 0
	ast.Inspect(function, func(node ast.Node) bool {
		from, length, word := 0, 0, ""
		if node == function.Name {
			from, length, word = p.src.offset(function.Name.Pos()), len(name), copied
		} else if selector, ok := node.(*ast.SelectorExpr); ok && constantOf(selector) == oldType {
			from, length, word = p.src.offset(selector.Sel.Pos()), len(oldType), newType
		} else {
			return true
		}
		from += shift - p.src.offset(function.Pos())
		text = text[:from] + word + text[from+length:]
		shift += len(word) - length
		return true
	})
	comment := fmt.Sprintf("\n// %s is the same as %s, but for %s.\n", copied, name, newType)
	file.insert(file.lineEnd(p.src.offset(function.End())), comment+text+"\n")
	p.versions.funcs[copied] = function
	return copied, ""
}

// missingFields returns a field or method of the old type that a function uses and that the new type does not have, or "".
func (p *patcher) missingFields(function *ast.FuncDecl, oldType, newType string) string {
	variables := map[string]bool{}
	isOld := func(expr ast.Expr) bool {
		for {
			switch at := expr.(type) {
			case *ast.StarExpr:
				expr = at.X
			case *ast.UnaryExpr:
				expr = at.X
			case *ast.CompositeLit:
				expr = at.Type
			default:
				return expr != nil && constantOf(expr) == oldType
			}
		}
	}
	ast.Inspect(function, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.Field:
			for _, name := range node.Names {
				variables[name.Name] = variables[name.Name] || isOld(node.Type)
			}
		case *ast.ValueSpec:
			for _, name := range node.Names {
				variables[name.Name] = variables[name.Name] || isOld(node.Type)
			}
		case *ast.AssignStmt:
			if node.Tok == token.DEFINE && len(node.Lhs) == len(node.Rhs) {
				for i, left := range node.Lhs {
					if name, ok := left.(*ast.Ident); ok && isOld(node.Rhs[i]) {
						variables[name.Name] = true
					}
				}
			}
		}
		return true
	})
	missing := ""
	ast.Inspect(function, func(node ast.Node) bool {
		selector, ok := node.(*ast.SelectorExpr)
		if !ok || missing != "" {
			return true
		}
		if name, ok := selector.X.(*ast.Ident); ok && variables[name.Name] && !p.types.has(p.src, newType, selector.Sel.Name) {
			missing = selector.Sel.Name
		}
		return true
	})
	return missing
}
