// Package proxysource has the code that nvproxy-table and nvproxy-patch share: it reads the handlers of gVisor's nvproxy, and writes
// files.
//
// The type that a handler unmarshals is known from its body:
//
//	params.CopyIn(task, ADDRESS)
//
// where ADDRESS is the address of the entry's parameters, not of memory at
// their pointers. Functions of the package that the body calls are read, too,
// with the type arguments of each call, explicit or inferred:
//
//	ctrlHandler(ctrlHasFrontendFD[nvgpu.T], caps)         PtrParams is *nvgpu.T
//	rmAllocSimpleParams(..., func(..., p *nvgpu.T) {})    the same, inferred
//
// If the type is an interface, if there are two, or if the bytes are
// unmarshalled in a different way, the type is unknown and not written.
//
// The same pass collects the fields of the struct that the code names, also in
// methods of the struct (GetFrontendFD()). All other fields are forwarded unchanged.
package proxysource

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"sort"
	"strings"
)

// HandlerReader has the functions of the packages nvproxy and nvgpu, which must be type-checked with Info. Type errors because of missing
// generated code or missing packages are allowed.
type HandlerReader struct {
	Info      *types.Info
	functions map[types.Object]*ast.FuncDecl
	methods   map[types.Object]*ast.FuncDecl
}

// NewHandlerReader returns an empty reader with an Info for the type checker.
func NewHandlerReader() *HandlerReader {
	return &HandlerReader{
		functions: map[types.Object]*ast.FuncDecl{}, methods: map[types.Object]*ast.FuncDecl{},
		Info: &types.Info{
			Types: map[ast.Expr]types.TypeAndValue{}, Instances: map[*ast.Ident]types.Instance{},
			Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		},
	}
}

// Add adds the functions of files that were type-checked with r.Info.
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

// The end of the expression for the address of the parameters, by family.
var parameterAddress = map[string]string{
	"frontend": ".ioctlParamsAddr", "uvm": ".ioctlParamsAddr",
	"control": ".Params)", "alloc": ".PAllocParms)",
}

// Methods that unmarshal bytes which were copied in before.
var otherWays = map[string]bool{"UnmarshalBytes": true, "UnmarshalUnsafe": true}

// HandlerUse describes what a handler does with the parameters of an entry.
type HandlerUse struct {
	Kind string `json:"kind"`           // the name of the function
	Type any    `json:"type,omitempty"` // a *string: the type that it unmarshals; nil: none; no value: unknown
	// The fields of the type that the code names, "Params.FD"; nil if unknown or if there is no type.
	Fields *[]string `json:"fields,omitempty"`
	// Errors found in the code. Each text continues a sentence whose subject is the handler.
	Faults []string `json:"faults,omitempty"`
}

// handlerWalk is the state of reading one handler.
type handlerWalk struct {
	reader  *HandlerReader
	address string // the end of the expression for the address of its parameters
	found   map[string]*types.Named
	unclear bool
	seen    map[string]bool // functions with their type arguments

	fields  map[string]map[string]bool // named fields, by the name of the struct
	dynamic map[string]bool            // methods that are called through an interface

	copies   []string // calls that copy the parameters in
	products []string // comparisons with a product that can overflow
}

// typeArguments has the type arguments of a generic function.
type typeArguments map[*types.TypeParam]types.Type

// Of describes expr, a handler of a family. It returns nil if expr is neither a function of the package nor a function literal.
func (r *HandlerReader) Of(family string, expr ast.Expr) *HandlerUse {
	walk := &handlerWalk{
		reader: r, address: parameterAddress[family], found: map[string]*types.Named{}, seen: map[string]bool{},
		fields: map[string]map[string]bool{}, dynamic: map[string]bool{},
	}
	if literal, ok := expr.(*ast.FuncLit); ok {
		walk.body(literal.Body, nil)
		return walk.use("func")
	}
	if call, ok := expr.(*ast.CallExpr); ok { // the called function returns the handler
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

// calledName returns the name of the function in f, f[T] and f[T, U]; nil for other expressions.
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

// function reads the body of the function name. outer has the type arguments of the caller.
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

// resolve replaces a type parameter, or a pointer to one, by its argument.
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

// comparison records a comparison of a limit with a product that can overflow: n*4 > MAX.
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

// bits returns the number of bits that the value of an expression can have, according to the types of its variables.
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

// width returns the number of bits of an integer type, and 0 for other types.
func (w *handlerWalk) width(expr ast.Expr) int {
	if t := w.reader.Info.Types[expr].Type; t != nil {
		if basic, ok := t.Underlying().(*types.Basic); ok && basic.Info()&types.IsInteger != 0 && basic.Info()&types.IsUntyped == 0 {
			return int(sizes.Sizeof(basic)) * 8
		}
	}
	return 0
}

// isLocal reports whether name is a function of the package, not a conversion, a variable or a builtin.
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

// Methods of marshal.Marshallable. They are generated, and name all fields because they copy them.
var marshalMethods = map[string]bool{
	"CopyIn": true, "CopyInN": true, "CopyOut": true, "CopyOutN": true, "MarshalBytes": true, "MarshalUnsafe": true, "Packed": true,
	"SizeBytes": true, "UnmarshalBytes": true, "UnmarshalUnsafe": true, "WriteTo": true,
}

// mayCall reports whether a method that is called through an interface can be a method of t. The fields that it names are then unknown.
func (w *handlerWalk) mayCall(t *types.Named) bool {
	for name := range w.dynamic {
		if object, _, _ := types.LookupFieldOrMethod(types.NewPointer(t), true, t.Obj().Pkg(), name); object != nil {
			return true
		}
	}
	return false
}

// selector records a named field, or reads a called method. It reports whether the parts of expr must still be read.
func (w *handlerWalk) selector(expr *ast.SelectorExpr, known typeArguments) bool {
	selection := w.reader.Info.Selections[expr]
	if selection == nil { // a name of a different package
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

// path returns the path of a field, and the type of the innermost expression that is not a field: for a.b.c, "b.c" and a's type.
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

// literal records the fields that a composite literal sets.
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

// addFields adds the paths of all named fields of t and of the structs in t. prefix is the path of t.
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

// namedStruct returns t, or the type that t points to, if it is a named struct; else nil.
func namedStruct(t types.Type) *types.Named {
	if pointer, ok := t.(*types.Pointer); ok {
		t = pointer.Elem()
	}
	if named, ok := t.(*types.Named); ok && structOf(named) != nil {
		return named
	}
	return nil
}

// structOf returns the struct that t is or points to, or nil.
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

// isHandle reports whether t is nvgpu.Handle, a struct with one number that is a scalar in a table.
func isHandle(t types.Type) bool {
	named := namedStruct(t)
	return named != nil && named.Obj().Name() == "Handle"
}
