package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"sort"
	"strconv"
)

// constant is NAME = 0x… of pkg/abi/nvgpu.
type constant struct {
	name  string
	value uint64
	spec  ast.Spec
	file  *sourceFile
	hex   bool
}

// constants are all constants of pkg/abi/nvgpu that are a number.
func (s *source) constants() []constant {
	var found []constant
	for _, one := range s.declared(abiDir, token.CONST) {
		name, value := one.named()
		if name == nil {
			continue
		}
		if number, isHex, ok := numberOf(value); ok {
			found = append(found, constant{name.Name, number, one.spec, one.file, isHex})
		}
	}
	return found
}

// numberOf is a literal, or NV_IOCTL_BASE + 12 (then its last summand does not matter here: false).
func numberOf(expr ast.Expr) (value uint64, isHex, ok bool) {
	literal, isLiteral := expr.(*ast.BasicLit)
	if !isLiteral || literal.Kind != token.INT {
		return 0, false, false
	}
	value, err := strconv.ParseUint(literal.Value, 0, 64)
	return value, len(literal.Value) > 1 && literal.Value[1] == 'x', err == nil
}

// hasConstant says whether pkg/abi/nvgpu declares a name, whatever its value is written as.
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

// writeConstants declares the names of entries that the tree lacks: of those that are added, and of those that have another number.
func (p *patcher) writeConstants() {
	written := map[string]bool{}
	for _, entry := range p.boot.Entries {
		if entry.Action == "none" || entry.Action == "remove" || written[entry.Name] || p.src.hasConstant(entry.Name) {
			continue
		}
		written[entry.Name] = true
		p.writeConstant(entry)
	}
}

// groupKeys say how near two numbers of a family are: a command's class and category, then its class.
func groupKeys(family string, number uint64) []uint64 {
	if family == "control" {
		return []uint64{number >> 8, number >> 16}
	}
	return []uint64{0}
}

// writeConstant puts a number into the group that has its neighbours, behind the next smaller one.
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
	file := p.abiFile(entry.Family)
	file.insert(len(file.text), fmt.Sprintf("\nconst (\n%s = %#x\n)\n", entry.Name, entry.Number))
}

// isOfFamily says whether the tree's handlers have a constant in a family.
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
	if near.hex {
		text = fmt.Sprintf("%s = %#x\n", entry.Name, entry.Number)
	}
	if near.value <= entry.Number {
		near.file.insert(near.file.lineEnd(p.src.offset(near.spec.End())), text)
	} else {
		near.file.insert(p.src.offset(near.spec.Pos()), text)
	}
}
