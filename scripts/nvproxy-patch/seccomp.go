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
	name   string // name of the constant
	sizeof string // NAME of nvgpu.SizeofNAME; "" if the rule accepts all sizes
	node   *ast.CompositeLit
}

func (s *source) filters() *sourceFile { return s.files[filepath.Join(proxyDir, "seccomp_filters.go")] }

// rules returns the rules of a family, from the function frontendIoctlFilters or uvmIoctlFilters.
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

// isPerArg reports whether a literal is a rule of an older tree: seccomp.PerArg{…, …}.
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

// sizeName returns the variable with a type's size, which is declared as SizeofX = uint32((*T)(nil).SizeBytes()).
func (s *source) sizeName(typeName string) (name string, at *ast.ValueSpec, file *sourceFile) {
	for _, one := range s.declared(abiDir, token.VAR) {
		variable, value := one.named()
		if variable != nil && strings.HasPrefix(variable.Name, "Sizeof") && strings.Contains(s.code(one.file, value), "(*"+typeName+")") {
			return variable.Name, one.spec.(*ast.ValueSpec), one.file
		}
	}
	return "", nil, nil
}

// writeSeccomp writes rules for the new sizes of frontend ioctls and for added ioctls.
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
		p.problem("%s/seccomp_filters.go does not exist; %s %s needs a rule", proxyDir, entry.Family, entry.Name)
		return
	}
	rules := p.src.rules(entry.Family)
	for _, one := range rules {
		if one.name != entry.Name {
			continue
		}
		if one.sizeof == "" || entry.Family == "uvm" || entry.Was == nil || entry.keepsSize() {
			return
		}
		caps := p.src.code(file, one.node.Elts[len(one.node.Elts)-1])
		if text := p.anySizeRule(file, rules, entry.Name, caps); text == "" {
			p.writeSizeRule(file, one, entry)
		} else if !p.ruled[entry.Name] {
			p.ruled[entry.Name] = true
			file.replace(p.src.offset(one.node.Pos()), p.src.offset(one.node.End()), text)
		}
		return
	}
	if len(rules) == 0 {
		p.problem("%s: no rules for %s ioctls; %s needs one", file.path, entry.Family, entry.Name)
		return
	}
	last := rules[len(rules)-1]
	if entry.Was != nil && (!p.ruled[entry.Name] || last.sizeof == "" || entry.keepsSize()) {
		return // nvproxy answers it without the driver, or its new rule accepts this size
	}
	text := ""
	if p.changesSize(entry) {
		text = p.anySizeRule(file, rules, entry.Name, p.capsFor(entry.Caps))
	}
	if text == "" {
		p.ruled[entry.Name] = true
		text = p.newRule(file, likeRule(rules, entry), entry)
	}
	file.insert(file.lineEnd(p.src.offset(last.node.End())), text+",\n")
}

// keepsSize reports whether the size of the parameters is unchanged.
func (e *bootEntry) keepsSize() bool {
	if e.Size != nil && e.Was.Size != nil && *e.Was.Size != 0 { // 0: unknown
		return *e.Size == *e.Was.Size
	}
	return textOf(e.Type) == textOf(e.Was.Type)
}

// changesSize reports whether the size of an entry's parameters changes at some node.
func (p *patcher) changesSize(entry bootEntry) bool {
	for _, other := range p.boot.Entries {
		if other.Family == entry.Family && other.Name == entry.Name && other.Was != nil && !other.keepsSize() {
			return true
		}
	}
	return false
}

// anySizeRule returns a rule that accepts all sizes, modelled on a rule of the tree; "" if there is none. An ioctl with several sizes needs
// such a rule, since gVisor has one rule for each ioctl, and a test counts them.
func (p *patcher) anySizeRule(file *sourceFile, rules []rule, name, caps string) string {
	for _, like := range rules {
		text := p.src.code(file, like.node)
		if like.sizeof != "" || len(like.node.Elts) != 2 || !strings.Contains(text, "Masked") {
			continue
		}
		at := p.src.offset(like.node.Elts[1].Pos()) - p.src.offset(like.node.Pos())
		return strings.Replace(text[:at], "nvgpu."+like.name, "nvgpu."+name, 1) + caps + "}"
	}
	return ""
}

// likeRule returns the rule on which a new rule is modelled: the last that checks the size if the entry's size is known, else the last that
// does not, else the last.
func likeRule(rules []rule, entry bootEntry) rule {
	for i := len(rules) - 1; i >= 0; i-- {
		if (rules[i].sizeof != "") == (entry.RequestSize != nil) {
			return rules[i]
		}
	}
	return rules[len(rules)-1]
}

// newRule returns a rule for an added entry, modelled on the rule like.
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
	if entry.RequestSize != nil {
		return strings.Replace(text, "nvgpu.Sizeof"+like.sizeof, fmt.Sprintf("%d /* sizeof(%s) */", *entry.RequestSize, textOf(entry.Record)), 1)
	}
	p.todo("frontend %s: the size in its seccomp rule, which is the size of %s", entry.Name, textOf(entry.Record))
	return strings.Replace(text, "nvgpu.Sizeof"+like.sizeof, "TODO(drvabi) /* the size of "+textOf(entry.Record)+" */", 1)
}

// sizeFor returns the variable with the size of a type. If there is none, it is declared after the variable beside. The result is "" if
// typeName is "" or beside does not exist.
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

// writeSizeRule adds a copy of a rule with the size of the new type.
func (p *patcher) writeSizeRule(file *sourceFile, one rule, entry bootEntry) {
	beside, _, _ := p.src.sizeName(textOf(entry.Was.Type))
	size := p.sizeFor(textOf(entry.Type), beside)
	if size == "" {
		p.problem("%s: no variable has the size of %s; declare Sizeof%s and add a rule with it", abiDir, textOf(entry.Was.Type), textOf(entry.Type))
		return
	}
	text := strings.Replace(p.src.code(file, one.node), "nvgpu.Sizeof"+one.sizeof, "nvgpu."+size, 1)
	file.insert(file.lineEnd(p.src.offset(one.node.End())), text+",\n")
}
