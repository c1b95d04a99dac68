package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"path/filepath"
	"strings"
)

// rule is one element of the lists in seccomp_filters.go: {seccomp.EqualTo(…nvgpu.NAME…), caps}.
type rule struct {
	name   string // of the constant
	sizeof string // NAME of nvgpu.SizeofNAME; "" if the size is not looked at
	node   *ast.CompositeLit
}

func (s *source) filters() *sourceFile { return s.files[filepath.Join(proxyDir, "seccomp_filters.go")] }

// rules are those of a family: of the function frontendIoctlFilters or uvmIoctlFilters.
func (s *source) rules(family string) []rule {
	var found []rule
	file := s.filters()
	if file == nil {
		return nil
	}
	for _, decl := range file.ast.Decls {
		function, ok := decl.(*ast.FuncDecl)
		if !ok || !strings.HasPrefix(strings.ToLower(function.Name.Name), family) {
			continue
		}
		ast.Inspect(function.Body, func(node ast.Node) bool {
			literal, ok := node.(*ast.CompositeLit)
			if !ok {
				return true
			}
			if one := ruleOf(literal); one.name != "" && literal.Type == nil || isPerArg(literal) {
				if one.name != "" {
					found = append(found, one)
				}
				return false
			}
			return true
		})
	}
	return found
}

// isPerArg says whether a literal is a rule of an older tree: seccomp.PerArg{…, …}.
func isPerArg(literal *ast.CompositeLit) bool {
	selector, ok := literal.Type.(*ast.SelectorExpr)
	return ok && selector.Sel.Name == "PerArg"
}

func ruleOf(literal *ast.CompositeLit) rule {
	found := rule{node: literal}
	ast.Inspect(literal, func(node ast.Node) bool {
		selector, ok := node.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if name := constantOf(selector); strings.HasPrefix(name, "Sizeof") {
			found.sizeof = strings.TrimPrefix(name, "Sizeof")
		} else if name != "" && found.name == "" {
			found.name = name
		}
		return true
	})
	return found
}

// sizeName is the variable that holds a type's size: SizeofX where X is declared as uint32((*T)(nil).SizeBytes()).
func (s *source) sizeName(typeName string) (name string, at *ast.ValueSpec, file *sourceFile) {
	for _, one := range s.declared(abiDir, token.VAR) {
		variable, value := one.named()
		if variable != nil && strings.HasPrefix(variable.Name, "Sizeof") && strings.Contains(s.code(one.file, value), "(*"+typeName+")") {
			return variable.Name, one.spec.(*ast.ValueSpec), one.file
		}
	}
	return "", nil, nil
}

// writeSeccomp lets the new sizes of frontend ioctls through, and what is added.
func (p *patcher) writeSeccomp() {
	for _, entry := range p.boot.Entries {
		if entry.Family != "frontend" && entry.Family != "uvm" || entry.Action == "none" || entry.Action == "remove" {
			continue
		}
		p.writeRule(entry)
	}
}

func (p *patcher) writeRule(entry bootEntry) {
	file := p.src.filters()
	if file == nil {
		p.problem("%s/seccomp_filters.go: there is no such file; %s %s needs a rule", proxyDir, entry.Family, entry.Name)
		return
	}
	rules := p.src.rules(entry.Family)
	for _, one := range rules {
		if one.name != entry.Name {
			continue
		}
		if one.sizeof == "" || entry.Family == "uvm" || entry.Was == nil || textOf(entry.Type) == textOf(entry.Was.Type) {
			return
		}
		if entry.Size != nil && entry.Was.Size != nil && *entry.Size == *entry.Was.Size {
			return
		}
		p.writeSizeRule(file, one, entry)
		return
	}
	if entry.Was != nil {
		return // it is answered without the driver
	}
	if len(rules) == 0 {
		p.problem("%s: no rules of %s ioctls; %s needs one", file.path, entry.Family, entry.Name)
		return
	}
	last := rules[len(rules)-1]
	text := p.newRule(file, last, entry)
	file.insert(file.lineEnd(p.src.offset(last.node.End())), text+",\n")
}

// newRule is a rule like another one, for an entry that is added.
func (p *patcher) newRule(file *sourceFile, like rule, entry bootEntry) string {
	text := p.src.code(file, like.node)
	if count := len(like.node.Elts); count > 0 {
		caps := like.node.Elts[count-1]
		from, to := p.src.offset(caps.Pos())-p.src.offset(like.node.Pos()), p.src.offset(caps.End())-p.src.offset(like.node.Pos())
		text = text[:from] + p.capsFor(entry.Caps) + text[to:]
	}
	text = strings.Replace(text, "nvgpu."+like.name, "nvgpu."+entry.Name, 1)
	if like.sizeof == "" {
		return text
	}
	if size := p.sizeFor(textOf(entry.Type), "Sizeof"+like.sizeof); size != "" {
		return strings.Replace(text, "nvgpu.Sizeof"+like.sizeof, "nvgpu."+size, 1)
	}
	p.todo("frontend %s: the size in its seccomp rule, that of %s", entry.Name, textOf(entry.Record))
	return strings.Replace(text, "nvgpu.Sizeof"+like.sizeof, "TODO(drvabi) /* the size of "+textOf(entry.Record)+" */", 1)
}

// sizeFor is the variable with the size of a type. Where there is none, it is written behind another one; "" if there is no such type or variable.
func (p *patcher) sizeFor(typeName, beside string) string {
	if typeName == "" {
		return ""
	}
	if name, _, _ := p.src.sizeName(typeName); name != "" {
		return name
	}
	for _, one := range p.src.declared(abiDir, token.VAR) {
		if variable, _ := one.named(); variable != nil && variable.Name == beside {
			one.file.insert(one.file.lineEnd(p.src.offset(one.spec.End())), fmt.Sprintf("Sizeof%s = uint32((*%s)(nil).SizeBytes())\n", typeName, typeName))
			return "Sizeof" + typeName
		}
	}
	return ""
}

// writeSizeRule repeats a rule with the size of the new type.
func (p *patcher) writeSizeRule(file *sourceFile, one rule, entry bootEntry) {
	beside, _, _ := p.src.sizeName(textOf(entry.Was.Type))
	size := p.sizeFor(textOf(entry.Type), beside)
	if size == "" {
		p.problem("%s: no variable has the size of %s; Sizeof%s needs one for its rule", abiDir, textOf(entry.Was.Type), textOf(entry.Type))
		return
	}
	text := strings.Replace(p.src.code(file, one.node), "nvgpu.Sizeof"+one.sizeof, "nvgpu."+size, 1)
	file.insert(file.lineEnd(p.src.offset(one.node.End())), text+",\n")
}
