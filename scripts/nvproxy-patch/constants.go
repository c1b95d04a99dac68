package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"sort"
	"strconv"
	"strings"
)

// constant is a constant of pkg/abi/nvgpu, NAME = 0x….
type constant struct {
	name  string
	value uint64
	spec  ast.Spec
	file  *sourceFile
	text  string // "0x0000c697"
}

// constants returns the constants of pkg/abi/nvgpu whose value is a number literal.
func (s *source) constants() []constant {
	var found []constant
	for _, one := range s.declared(abiDir, token.CONST) {
		name, value := one.named()
		if name == nil {
			continue
		}
		if number, text, ok := numberOf(value); ok {
			found = append(found, constant{name.Name, number, one.spec, one.file, text})
		}
	}
	return found
}

// numberOf returns the value and text of an integer literal. ok is false for other expressions, such as NV_IOCTL_BASE + 12.
func numberOf(expr ast.Expr) (value uint64, text string, ok bool) {
	literal, isLiteral := expr.(*ast.BasicLit)
	if !isLiteral || literal.Kind != token.INT {
		return 0, "", false
	}
	value, err := strconv.ParseUint(literal.Value, 0, 64)
	return value, literal.Value, err == nil
}

// hasConstant reports whether pkg/abi/nvgpu declares a constant, with any expression as its value.
func (s *source) hasConstant(name string) bool {
	for _, one := range s.declared(abiDir, token.CONST) {
		for _, other := range one.spec.(*ast.ValueSpec).Names {
			if other.Name == name {
				return true
			}
		}
	}
	return false
}

func (s *source) hasType(dir, name string) bool {
	for _, one := range s.declared(dir, token.TYPE) {
		if one.spec.(*ast.TypeSpec).Name.Name == name {
			return true
		}
	}
	return false
}

// writeConstants declares the missing constants of entries that are added or have a new number.
func (p *patcher) writeConstants() {
	written := map[string]bool{}
	for _, entry := range p.boot.Entries {
		if entry.Action == "none" || entry.Action == "remove" || written[entry.Name] || !isMacro(entry.Name) || p.src.hasConstant(entry.Name) {
			continue
		}
		written[entry.Name] = true
		p.writeConstant(entry)
	}
	p.writeGroups()
}

// writeGroups writes a const group for each family and class that has no constant in the tree.
func (p *patcher) writeGroups() {
	sort.SliceStable(p.alone, func(i, j int) bool {
		a, b := p.alone[i], p.alone[j]
		return a.Family < b.Family || a.Family == b.Family && a.Number < b.Number
	})
	groupOf := func(entry bootEntry) string {
		keys := groupKeys(entry.Family, entry.Number)
		return fmt.Sprint(entry.Family, keys[len(keys)-1])
	}
	for i, one := range p.alone {
		text := fmt.Sprintf("%s = %#x\n", one.Name, one.Number)
		if i == 0 || groupOf(one) != groupOf(p.alone[i-1]) {
			text = "\nconst (\n" + text
		}
		if i == len(p.alone)-1 || groupOf(one) != groupOf(p.alone[i+1]) {
			text += ")\n"
		}
		file := p.abiFile(one.Family)
		file.insert(len(file.text), text)
	}
}

// groupKeys returns the keys by which numbers of a family are grouped, the narrowest first: a command's class and category, then its
// class alone.
func groupKeys(family string, number uint64) []uint64 {
	if family == "control" {
		return []uint64{number >> 8, number >> 16}
	}
	return []uint64{0}
}

// writeConstant declares a number in the const group of its class, after the next smaller number.
func (p *patcher) writeConstant(entry bootEntry) {
	all := p.src.constants()
	sort.SliceStable(all, func(i, j int) bool { return all[i].value < all[j].value })
	for level := range groupKeys(entry.Family, entry.Number) {
		var near *constant
		for i, one := range all {
			if !p.isOfFamily(one.name, entry.Family) || groupKeys(entry.Family, one.value)[level] != groupKeys(entry.Family, entry.Number)[level] {
				continue
			}
			if near == nil || one.value <= entry.Number {
				near = &all[i]
			}
		}
		if near != nil {
			p.insertConstant(*near, entry)
			return
		}
	}
	p.alone = append(p.alone, entry)
}

// isOfFamily reports whether the tree has a handler for the constant in a family.
func (p *patcher) isOfFamily(name, family string) bool {
	for _, node := range p.versions.nodes {
		if entry := node.entries[entryKey{family, name}]; entry != nil && entry.handler != nil {
			return true
		}
	}
	return false
}

func (p *patcher) insertConstant(near constant, entry bootEntry) {
	text := fmt.Sprintf("%s = %d\n", entry.Name, entry.Number)
	if strings.HasPrefix(near.text, "0x") { // with as many digits as the number beside it
		text = fmt.Sprintf("%s = 0x%0*x\n", entry.Name, len(near.text)-2, entry.Number)
	}
	if near.value <= entry.Number {
		near.file.insert(near.file.lineEnd(p.src.offset(near.spec.End())), text)
	} else {
		near.file.insert(p.src.offset(near.spec.Pos()), text)
	}
}
