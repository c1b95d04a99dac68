// Package proxysource is what nvproxy-table and nvproxy-patch share: what the handlers of gVisor's nvproxy do, and how a file is written.
//
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
//
// The same walk notes each field of a struct that the code names, in methods of
// the struct as well (GetFrontendFD()). A field that it does not name is passed on as it is.
package proxysource

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"sort"
	"strings"
)

// HandlerReader knows the functions of the packages nvproxy and nvgpu, which were checked with Info. What does not type-check for want of
// go_marshal's generated code, or of a package, does not matter.
type HandlerReader struct {
	Info      *types.Info
	functions map[types.Object]*ast.FuncDecl
	methods   map[types.Object]*ast.FuncDecl
}

// NewHandlerReader makes one of nothing, with an Info that has all that it needs.
func NewHandlerReader() *HandlerReader {
	return &HandlerReader{
		functions: map[types.Object]*ast.FuncDecl{}, methods: map[types.Object]*ast.FuncDecl{},
		Info: &types.Info{
			Types: map[ast.Expr]types.TypeAndValue{}, Instances: map[*ast.Ident]types.Instance{},
			Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		},
	}
}

// Add notes the functions of files that were checked with r.Info.
func (r *HandlerReader) Add(files []*ast.File) {
	for _, file := range files {
		for _, decl := range file.Decls {
			if function, ok := decl.(*ast.FuncDecl); ok && function.Body != nil {
				if function.Recv != nil {
					r.methods[r.Info.Defs[function.Name]] = function
				} else {
					r.functions[r.Info.Defs[function.Name]] = function
				}
			}
		}
	}
}

var sizes = types.SizesFor("gc", "amd64")

// Where each family finds the parameters of its entries.
var parameterAddress = map[string]string{
	"frontend": ".ioctlParamsAddr", "uvm": ".ioctlParamsAddr",
	"control": ".Params)", "alloc": ".PAllocParms)",
}

// Methods that unmarshal bytes which somebody else copied in.
var otherWays = map[string]bool{"UnmarshalBytes": true, "UnmarshalUnsafe": true}

// HandlerUse is what the proxy's code does with the parameters of an entry.
type HandlerUse struct {
	Kind string `json:"kind"`           // the name of the function
	Type any    `json:"type,omitempty"` // a *string: the type that it unmarshals, nil: none; no value: not known
	// Those of the type that the code names, "Params.FD"; nil: not known, or there is no type.
	Fields *[]string `json:"fields,omitempty"`
	// Faults of the code itself, as far as they can be read. Each is the rest of a sentence about the handler.
	Faults []string `json:"faults,omitempty"`
}

// handlerWalk collects what one handler unmarshals.
type handlerWalk struct {
	reader  *HandlerReader
	address string // the end of the expression for where its parameters are
	found   map[string]*types.Named
	unclear bool
	seen    map[string]bool // functions with their type arguments

	fields  map[string]map[string]bool // that are named, by the name of the struct
	dynamic map[string]bool            // methods that are called of an interface

	copies   []string // where the parameters are copied in
	products []string // comparisons with a product that may overflow
}

// typeArguments are what the parameters of a generic function stand for.
type typeArguments map[*types.TypeParam]types.Type

// Of says what expr, a function that handles entries of a family, does; nil if it is neither a function of the package nor a literal.
func (r *HandlerReader) Of(family string, expr ast.Expr) *HandlerUse {
	walk := &handlerWalk{
		reader: r, address: parameterAddress[family], found: map[string]*types.Named{}, seen: map[string]bool{},
		fields: map[string]map[string]bool{}, dynamic: map[string]bool{},
	}
	if literal, ok := expr.(*ast.FuncLit); ok {
		walk.body(literal.Body, nil)
		return walk.use("func")
	}
	if call, ok := expr.(*ast.CallExpr); ok { // it makes the function
		expr = call.Fun
	}
	name := calledName(expr)
	if name == nil {
		return nil
	}
	walk.function(name, nil)
	return walk.use(name.Name)
}

func (w *handlerWalk) use(kind string) *HandlerUse {
	use := &HandlerUse{Kind: kind, Faults: w.products}
	if len(w.copies) > 1 {
		use.Faults = append([]string{"copies the parameters in more than once (" + strings.Join(w.copies, ", ") + "): they may have changed since they were checked"}, use.Faults...)
	}
	switch {
	case w.unclear || len(w.found) > 1:
	case len(w.found) == 0:
		use.Type = (*string)(nil)
	default:
		for name, t := range w.found {
			name := name
			use.Type = &name
			if !w.mayCall(t) {
				named := map[string]bool{}
				w.addFields(named, t, "")
				fields := make([]string, 0, len(named))
				for path := range named {
					fields = append(fields, path)
				}
				sort.Strings(fields)
				use.Fields = &fields
			}
		}
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
	decl := w.reader.functions[w.reader.Info.Uses[name]]
	if decl == nil || decl.Body == nil {
		w.unclear = w.unclear || w.reader.Info.Uses[name] == nil
		return
	}
	arguments, key := typeArguments{}, name.Name
	if signature, ok := w.reader.Info.Defs[decl.Name].Type().(*types.Signature); ok {
		given := w.reader.Info.Instances[name].TypeArgs
		for i := 0; i < signature.TypeParams().Len(); i++ {
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
	switch t := t.(type) {
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
		switch node := node.(type) {
		case *ast.CallExpr:
			if method, ok := node.Fun.(*ast.SelectorExpr); ok {
				w.method(method, node.Args, arguments)
			} else if name := calledName(node.Fun); name != nil && w.isLocal(name) {
				w.function(name, arguments)
			}
		case *ast.SelectorExpr:
			return w.selector(node, arguments)
		case *ast.CompositeLit:
			w.literal(node, arguments)
		case *ast.BinaryExpr:
			w.comparison(node)
		}
		return true
	})
}

// comparison notes a limit that is compared with a product which may have overflowed: n*4 > MAX.
func (w *handlerWalk) comparison(expr *ast.BinaryExpr) {
	if expr.Op != token.LSS && expr.Op != token.LEQ && expr.Op != token.GTR && expr.Op != token.GEQ {
		return
	}
	for _, side := range []ast.Expr{expr.X, expr.Y} {
		product, ok := side.(*ast.BinaryExpr)
		if ok && product.Op == token.MUL && w.reader.Info.Types[product].Value == nil && w.bits(product.X)+w.bits(product.Y) > w.width(product) {
			w.products = append(w.products, "compares a product that may have overflowed: "+types.ExprString(expr))
		}
	}
}

// bits are as many as the value of an expression can have, without a look at what variables hold.
func (w *handlerWalk) bits(expr ast.Expr) int {
	if value := w.reader.Info.Types[expr].Value; value != nil {
		return constant.BitLen(constant.ToInt(value))
	}
	bits := w.width(expr)
	if call, ok := expr.(*ast.CallExpr); ok && len(call.Args) == 1 && w.reader.Info.Types[call.Fun].IsType() {
		if inner := w.bits(call.Args[0]); inner < bits {
			return inner
		}
	}
	return bits
}

// width is the size of an integer type; what is none does not overflow here.
func (w *handlerWalk) width(expr ast.Expr) int {
	if t := w.reader.Info.Types[expr].Type; t != nil {
		if basic, ok := t.Underlying().(*types.Basic); ok && basic.Info()&types.IsInteger != 0 && basic.Info()&types.IsUntyped == 0 {
			return int(sizes.Sizeof(basic)) * 8
		}
	}
	return 0
}

// isLocal tells functions of the package from conversions, variables and what Go itself has.
func (w *handlerWalk) isLocal(name *ast.Ident) bool {
	return w.reader.functions[w.reader.Info.Uses[name]] != nil
}

func (w *handlerWalk) method(method *ast.SelectorExpr, arguments []ast.Expr, known typeArguments) {
	if otherWays[method.Sel.Name] {
		w.unclear = true
	}
	for _, argument := range arguments {
		if strings.HasPrefix(method.Sel.Name, "CopyIn") && strings.HasSuffix(types.ExprString(argument), w.address) {
			w.copies = append(w.copies, types.ExprString(method))
		}
	}
	if method.Sel.Name != "CopyIn" || len(arguments) < 2 || !strings.HasSuffix(types.ExprString(arguments[1]), w.address) {
		return
	}
	receiver := known.resolve(w.reader.Info.Types[method.X].Type)
	if pointer, ok := receiver.(*types.Pointer); ok {
		receiver = pointer.Elem()
	}
	named, ok := receiver.(*types.Named)
	if !ok || types.IsInterface(named) {
		w.unclear = true
		return
	}
	w.found[named.Obj().Name()] = named
}

// Methods of marshal.Marshallable: they are generated, and name all fields to copy them.
var marshalMethods = map[string]bool{
	"CopyIn": true, "CopyInN": true, "CopyOut": true, "CopyOutN": true, "MarshalBytes": true, "MarshalUnsafe": true, "Packed": true,
	"SizeBytes": true, "UnmarshalBytes": true, "UnmarshalUnsafe": true, "WriteTo": true,
}

// mayCall tells if a method that is called of an interface may be one of t's: then nobody knows what it names.
func (w *handlerWalk) mayCall(t *types.Named) bool {
	for name := range w.dynamic {
		if object, _, _ := types.LookupFieldOrMethod(types.NewPointer(t), true, t.Obj().Pkg(), name); object != nil {
			return true
		}
	}
	return false
}

// selector notes what a field or method of a struct says, and tells if its parts are still to be walked.
func (w *handlerWalk) selector(expr *ast.SelectorExpr, known typeArguments) bool {
	selection := w.reader.Info.Selections[expr]
	if selection == nil { // a name of another package
		return true
	}
	if selection.Kind() == types.FieldVal {
		root, path := w.path(expr, known)
		w.touch(root, path)
		return false
	}
	receiver := known.resolve(w.reader.Info.Types[expr.X].Type)
	named := namedStruct(receiver)
	if named == nil || marshalMethods[expr.Sel.Name] {
		if named == nil && types.IsInterface(receiver) {
			w.dynamic[expr.Sel.Name] = true
		}
		return true
	}
	object, _, _ := types.LookupFieldOrMethod(types.NewPointer(named), true, named.Obj().Pkg(), expr.Sel.Name)
	if decl := w.reader.methods[object]; decl != nil && !w.seen[named.String()+"."+expr.Sel.Name] {
		w.seen[named.String()+"."+expr.Sel.Name] = true
		w.body(decl.Body, known)
	}
	return true
}

// path is that of a field from the outermost expression that is none, and the type of that expression.
func (w *handlerWalk) path(expr ast.Expr, known typeArguments) (types.Type, string) {
	switch e := expr.(type) {
	case *ast.ParenExpr:
		return w.path(e.X, known)
	case *ast.StarExpr:
		return w.path(e.X, known)
	case *ast.IndexExpr:
		w.body(e.Index, known)
		return w.path(e.X, known)
	case *ast.SelectorExpr:
		selection := w.reader.Info.Selections[e]
		if selection == nil || selection.Kind() != types.FieldVal {
			break
		}
		root, path := w.path(e.X, known)
		at := selection.Recv()
		for _, index := range selection.Index() {
			if isHandle(at) {
				break
			}
			field := structOf(at).Field(index)
			path, at = joined(path, field.Name()), field.Type()
		}
		return root, path
	}
	w.body(expr, known)
	return known.resolve(w.reader.Info.Types[expr].Type), ""
}

// literal notes the fields that a struct is made with.
func (w *handlerWalk) literal(literal *ast.CompositeLit, known typeArguments) {
	for _, element := range literal.Elts {
		if pair, ok := element.(*ast.KeyValueExpr); ok {
			if key, ok := pair.Key.(*ast.Ident); ok {
				w.touch(known.resolve(w.reader.Info.Types[literal].Type), key.Name)
			}
		}
	}
}

func (w *handlerWalk) touch(root types.Type, path string) {
	if named := namedStruct(root); named != nil && !isHandle(named) {
		name := named.String()
		if w.fields[name] == nil {
			w.fields[name] = map[string]bool{}
		}
		w.fields[name][path] = true
	}
}

// addFields adds the paths below prefix, where a t is, of all fields that are named: of t, and of the structs in it.
func (w *handlerWalk) addFields(paths map[string]bool, t types.Type, prefix string) {
	if named := namedStruct(t); named != nil {
		for path := range w.fields[named.String()] {
			paths[joined(prefix, path)] = true
		}
	}
	structure, ok := t.Underlying().(*types.Struct)
	for i := 0; ok && i < structure.NumFields(); i++ {
		inner := structure.Field(i).Type()
		for array, ok := inner.Underlying().(*types.Array); ok; array, ok = inner.Underlying().(*types.Array) {
			inner = array.Elem()
		}
		w.addFields(paths, inner, joined(prefix, structure.Field(i).Name()))
	}
}

func joined(prefix, name string) string {
	if prefix == "" {
		return name
	}
	return prefix + "." + name
}

// namedStruct is t, or what it points to, if that is a struct with a name; else nil.
func namedStruct(t types.Type) *types.Named {
	if pointer, ok := t.(*types.Pointer); ok {
		t = pointer.Elem()
	}
	if named, ok := t.(*types.Named); ok && structOf(named) != nil {
		return named
	}
	return nil
}

// structOf is the struct that t is or points to, or nil.
func structOf(t types.Type) *types.Struct {
	if pointer, ok := t.(*types.Pointer); ok {
		t = pointer.Elem()
	}
	if t == nil {
		return nil
	}
	structure, _ := t.Underlying().(*types.Struct)
	return structure
}

// isHandle tells nvgpu.Handle, a struct around a number, which is a scalar of the table.
func isHandle(t types.Type) bool {
	named := namedStruct(t)
	return named != nil && named.Obj().Name() == "Handle"
}
