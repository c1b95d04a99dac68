package main

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// What a handler unmarshals stands in its body:
//
//	params.CopyIn(task, ADDRESS)
//
// where ADDRESS is that of the entry's own parameters, and not of something
// that they point to. The body is followed into the functions of the package
// that it calls, with the type arguments of each call, given or inferred:
//
//	ctrlHandler(ctrlHasFrontendFD[nvgpu.T], caps)         PtrParams is *nvgpu.T
//	rmAllocSimpleParams(..., func(..., p *nvgpu.T) {})    the same, inferred
//
// Where it cannot be told - the type is an interface, or there are two, or
// the bytes are unmarshalled in another way - the type is left out.

// Where each family finds the parameters of its entries.
var parameterAddress = map[string]string{
	"frontend": ".ioctlParamsAddr", "uvm": ".ioctlParamsAddr",
	"control": ".Params)", "alloc": ".PAllocParms)",
}

// Methods that unmarshal bytes which somebody else copied in.
var otherWays = map[string]bool{"UnmarshalBytes": true, "UnmarshalUnsafe": true}

// handlerUse is what the proxy's code does with the parameters of an entry.
type handlerUse struct {
	Kind string `json:"kind"`           // the name of the function
	Type any    `json:"type,omitempty"` // a *string: the type that it unmarshals, nil: none; no value: not known
}

// handlerWalk collects what one handler unmarshals.
type handlerWalk struct {
	reader  *sourceReader
	address string          // the end of the expression for where its parameters are
	found   map[string]bool // names of types
	unclear bool
	seen    map[string]bool // functions with their type arguments
}

// typeArguments are what the parameters of a generic function stand for.
type typeArguments map[*types.TypeParam]types.Type

// handler says what expr, a function that handles entries of a family, does.
func (r *sourceReader) handler(family string, expr ast.Expr) (*handlerUse, error) {
	if nameOf(expr) == "nil" {
		return nil, nil
	}
	walk := &handlerWalk{reader: r, address: parameterAddress[family], found: map[string]bool{}, seen: map[string]bool{}}
	if literal, ok := expr.(*ast.FuncLit); ok {
		walk.body(literal.Body, nil)
		return walk.use("func"), nil
	}
	if call, ok := expr.(*ast.CallExpr); ok { // it makes the function
		expr = call.Fun
	}
	name := calledName(expr)
	if name == nil {
		return nil, r.fail(expr, "expected a handler: a function of the package, or a literal")
	}
	walk.function(name, nil)
	return walk.use(name.Name), nil
}

func (w *handlerWalk) use(kind string) *handlerUse {
	use := &handlerUse{Kind: kind}
	switch {
	case w.unclear || len(w.found) > 1:
	case len(w.found) == 0:
		use.Type = (*string)(nil)
	default:
		use.Type = &slices.Collect(maps.Keys(w.found))[0]
	}
	return use
}

// calledName is the function's name in f, f[T] and f[T, U]; nil if it is no name.
func calledName(expr ast.Expr) *ast.Ident {
	switch e := expr.(type) {
	case *ast.Ident:
		return e
	case *ast.IndexExpr:
		return calledName(e.X)
	case *ast.IndexListExpr:
		return calledName(e.X)
	case *ast.ParenExpr:
		return calledName(e.X)
	}
	return nil
}

// function walks the body of what name calls, where outer holds for the caller.
func (w *handlerWalk) function(name *ast.Ident, outer typeArguments) {
	decl := w.reader.functions[w.reader.info.Uses[name]]
	if decl == nil || decl.Body == nil {
		w.unclear = w.unclear || w.reader.info.Uses[name] == nil
		return
	}
	arguments, key := typeArguments{}, name.Name
	if signature, ok := w.reader.info.Defs[decl.Name].Type().(*types.Signature); ok {
		given := w.reader.info.Instances[name].TypeArgs
		for i := range signature.TypeParams().Len() {
			if i >= given.Len() {
				w.unclear = true
				return
			}
			arguments[signature.TypeParams().At(i)] = outer.resolve(given.At(i))
			key += " " + types.TypeString(arguments[signature.TypeParams().At(i)], nil)
		}
	}
	if !w.seen[key] {
		w.seen[key] = true
		w.body(decl.Body, arguments)
	}
}

// resolve replaces a type parameter, and the pointer to one.
func (a typeArguments) resolve(t types.Type) types.Type {
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		if known := a[t]; known != nil {
			return known
		}
	case *types.Pointer:
		return types.NewPointer(a.resolve(t.Elem()))
	}
	return t
}

func (w *handlerWalk) body(body ast.Node, arguments typeArguments) {
	ast.Inspect(body, func(node ast.Node) bool {
		call, ok := node.(*ast.CallExpr)
		if !ok {
			return true
		}
		if method, ok := call.Fun.(*ast.SelectorExpr); ok {
			w.method(method, call.Args, arguments)
		} else if name := calledName(call.Fun); name != nil && w.isLocal(name) {
			w.function(name, arguments)
		}
		return true
	})
}

// isLocal tells functions of the package from conversions, variables and what Go itself has.
func (w *handlerWalk) isLocal(name *ast.Ident) bool {
	return w.reader.functions[w.reader.info.Uses[name]] != nil
}

func (w *handlerWalk) method(method *ast.SelectorExpr, arguments []ast.Expr, known typeArguments) {
	if otherWays[method.Sel.Name] {
		w.unclear = true
	}
	if method.Sel.Name != "CopyIn" || len(arguments) < 2 || !strings.HasSuffix(types.ExprString(arguments[1]), w.address) {
		return
	}
	receiver := known.resolve(w.reader.info.Types[method.X].Type)
	if pointer, ok := receiver.(*types.Pointer); ok {
		receiver = types.Unalias(pointer.Elem())
	}
	named, ok := receiver.(*types.Named)
	if !ok || types.IsInterface(named) {
		w.unclear = true
		return
	}
	w.found[named.Obj().Name()] = true
}
