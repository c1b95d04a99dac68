package proxysource

import (
	"go/ast"
	"go/constant"
	"go/token"
)

// Passed describes control commands that the proxy forwards without an entry: those with number & Mask == Value.
type Passed struct {
	Family string `json:"family"`
	Mask   uint64 `json:"mask"`
	Value  uint64 `json:"value"`
	Name   string `json:"name"` // name of the constant
}

// Passed reads them from the statements of rmControl that precede the lookup of the entry:
//
//	if params.Cmd&MASK != 0 { return rmControlSimple(…) }
//	if (params.Cmd>>16)&0xffff == VALUE { return rmControlSimple(…) }
func (r *HandlerReader) Passed() []Passed {
	var found []Passed
	for object, function := range r.functions {
		if object == nil || object.Name() != "rmControl" {
			continue
		}
		for _, statement := range function.Body.List {
			condition, ok := statement.(*ast.IfStmt)
			if !ok || !returnsCall(condition.Body, "rmControlSimple") {
				continue
			}
			if one, ok := r.passedIf(condition.Cond); ok {
				found = append(found, one)
			}
		}
	}
	return found
}

func returnsCall(body *ast.BlockStmt, name string) bool {
	if len(body.List) != 1 {
		return false
	}
	result, ok := body.List[0].(*ast.ReturnStmt)
	if !ok || len(result.Results) != 1 {
		return false
	}
	call, ok := result.Results[0].(*ast.CallExpr)
	if !ok {
		return false
	}
	called := calledName(call.Fun)
	return called != nil && called.Name == name
}

func (r *HandlerReader) passedIf(expr ast.Expr) (Passed, bool) {
	comparison, ok := expr.(*ast.BinaryExpr)
	if !ok {
		return Passed{}, false
	}
	and, ok := comparison.X.(*ast.BinaryExpr)
	if !ok || and.Op != token.AND {
		return Passed{}, false
	}
	mask, masked := r.number(and.Y)
	value, compared := r.number(comparison.Y)
	shift := uint64(0)
	number := and.X
	if inner, ok := number.(*ast.ParenExpr); ok {
		number = inner.X
	}
	if shifted, ok := number.(*ast.BinaryExpr); ok && shifted.Op == token.SHR {
		if shift, ok = r.number(shifted.Y); !ok {
			return Passed{}, false
		}
		number = shifted.X
	}
	command, ok := number.(*ast.SelectorExpr)
	if !ok || command.Sel.Name != "Cmd" || !masked || !compared {
		return Passed{}, false
	}
	switch {
	case comparison.Op == token.EQL:
		return Passed{"control", mask << shift, value << shift, constantName(comparison.Y)}, true
	case comparison.Op == token.NEQ && value == 0 && mask&(mask-1) == 0:
		return Passed{"control", mask << shift, mask << shift, constantName(and.Y)}, true
	}
	return Passed{}, false
}

func (r *HandlerReader) number(expr ast.Expr) (uint64, bool) {
	value := r.Info.Types[expr].Value
	if value == nil {
		return 0, false
	}
	return constant.Uint64Val(constant.ToInt(value))
}

// constantName returns NAME of NAME or package.NAME.
func constantName(expr ast.Expr) string {
	if selector, ok := expr.(*ast.SelectorExpr); ok {
		return selector.Sel.Name
	}
	if name, ok := expr.(*ast.Ident); ok {
		return name.Name
	}
	return "a number"
}
