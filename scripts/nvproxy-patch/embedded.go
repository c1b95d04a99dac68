package main

import (
	"fmt"
	"go/ast"
	"go/types"
	"regexp"
	"strings"
	"unicode"
)

// bootPointer is a pointer in the parameters, and the memory at that address, which the driver copies.
type bootPointer struct {
	Path        string
	Offset      int64
	Count       *string
	CountOffset int64 `json:"count_offset"`
	Element     string
	ElementSize uint64 `json:"element_size"`
	Direction   string // "in": the driver reads it; "out"; "inout"
	Limit       *uint64
	Refused     bool `json:"empty_refused"`
	Evidence    string
}

// bootFD is a file descriptor in the parameters of an ioctl that is added.
type bootFD struct {
	Path     string
	Offset   int64
	Size     uint64
	Kind     string // a key of fdFiles
	Optional bool   // 0, or a negative number in a signed field, means that there is no descriptor
	Evidence string
}

// bootUnknown is an unknown fact that a handler needs. What is "condition", "product", "limit", "field", "objects" or "version".
type bootUnknown struct{ What, Text string }

// goPointer is a bootPointer with the names of the Go type's fields.
type goPointer struct {
	bootPointer
	field, count string // "EngineList", "EngineCount"; count is "" if there is one element
	buffer       string // "engineList"
}

// unknownOf returns the texts of the unknown facts of the given kinds.
func (e *bootEntry) unknownOf(kinds ...string) string {
	var texts []string
	for _, one := range e.Unknown {
		for _, kind := range kinds {
			if one.What == kind {
				texts = append(texts, one.Text)
			}
		}
	}
	return strings.Join(texts, "; ")
}

// fdFiles has nvproxy's type of file for each kind of file descriptor.
var fdFiles = map[string]string{"frontend": "frontendFD", "event": "frontendFD", "capability": "openOnlyFD", "uvm": "uvmFD"}

// fdFamily describes the handlers of a family.
type fdFamily struct {
	prefix    string   // prefix of the handlers' names
	like      string   // a function of the tree with the signature of a handler
	home      string   // a function; the handler is written to the same file
	generic   string   // the tree's handler for one file descriptor of the frontend
	state     string   // name of the parameter with the task and the context
	params    string   // name of the variable for the ioctl's parameters
	checkSize string   // condition for a wrong size; "" if the size is not checked
	address   string   // expression for the parameters' address
	invoke    string   // expression that calls the driver
	needs     []string // other required functions of the tree
}

var fdFamilies = map[string]fdFamily{
	"control": {
		prefix: "ctrl", like: "rmControlSimple", home: "rmControlInvoke", generic: "ctrlHasFrontendFD", state: "fi", params: "ctrlParams",
		checkSize: "ctrlParams.SizeBytes() != int(ioctlParams.ParamsSize)", address: "addrFromP64(ioctlParams.Params)",
		invoke: "rmControlInvoke(fi, ioctlParams, &ctrlParams)", needs: []string{"rmControlInvoke", "addrFromP64"},
	},
	"alloc": { // no check of the size, which the driver takes from the class
		prefix: "rmAlloc", like: "rmAllocNoParams", home: "rmAllocNoParams", state: "fi", params: "allocParams", address: "addrFromP64(ioctlParams.PAllocParms)",
		invoke: "rmAllocInvoke(fi, ioctlParams, &allocParams, isNVOS64, addSimpleObjDepParentLocked)",
		needs:  []string{"rmAllocInvoke", "addSimpleObjDepParentLocked", "addrFromP64"},
	},
	"frontend": {
		prefix: "fe", like: "frontendIoctlSimple", home: "frontendIoctlSimple", generic: "frontendIoctlHasFD", state: "fi", params: "ioctlParams",
		checkSize: "int(fi.ioctlParamsSize) != ioctlParams.SizeBytes()", address: "fi.ioctlParamsAddr",
		invoke: "frontendIoctlInvoke(fi, &ioctlParams)", needs: []string{"frontendIoctlInvoke"},
	},
	"uvm": {
		prefix: "uvm", like: "uvmIoctlSimple", home: "uvmIoctlSimple", generic: "uvmIoctlHasFrontendFD", state: "ui", params: "ioctlParams",
		address: "ui.ioctlParamsAddr", invoke: "uvmIoctlInvoke(ui, &ioctlParams)", needs: []string{"uvmIoctlInvoke"},
	},
}

// Functions of the package, and imports of the file, that a handler for pointers needs.
var (
	embeddedFuncs   = []string{"rmControlSimple", "rmControlInvoke", "frontendFailWithStatus", "p64FromPtr", "addrFromP64"}
	embeddedImports = []string{"runtime", "unsafe", "pkg/abi/nvgpu", "pkg/errors/linuxerr"}
)

// embeddedHandler writes a function that copies the memory at the parameters' pointers like the driver, or one that replaces the
// application's file descriptors with the sandbox's. It returns the name of the function, or a TODO with the name if a fact must be
// reviewed, or "" and the reason if the function cannot be written.
//
// The function compares the number of elements with the limit divided by the element's size, so that no product overflows.
func (p *patcher) embeddedHandler(entry bootEntry) (handler, why string) {
	if why = entry.unknownOf("condition", "product", "field"); why != "" {
		return "", why
	}
	name, does := p.embeddedName(entry), " copies what the driver copies; "
	var code string
	home := "rmControlInvoke"
	if len(entry.FDs) > 0 {
		does = " translates the file descriptors; "
		family := fdFamilies[entry.Family]
		home = family.home
		if p.isFrontendFD(entry) {
			name = family.generic + "[nvgpu." + textOf(entry.Type) + "]"
			p.generated[name] = true
		} else {
			code, why = p.fdCode(name, entry)
		}
	} else if why = p.lacksForEmbedded(); why == "" {
		var pointers []goPointer
		if pointers, why = p.goPointers(entry); why == "" {
			code = p.embeddedCode(name, entry, pointers)
		}
	}
	if why != "" {
		return "", why
	}
	if !p.generated[name] {
		p.generated[name] = true
		file := p.versions.home[home]
		file.insert(len(file.text), code)
	}
	if limit := entry.unknownOf("limit"); limit != "" {
		p.todo("%s %s at %s: a limit in %s; %s", entry.Family, entry.Name, entry.Node, name, limit)
	}
	if open := entry.unknownOf("objects", "version"); open != "" {
		return p.todoHandler(entry, "none", name+does+open), ""
	}
	return name, ""
}

// lacksForEmbedded returns a message about a required function, constant or import that the tree does not have, or "".
func (p *patcher) lacksForEmbedded() string {
	for _, name := range embeddedFuncs {
		if p.versions.funcs[name] == nil {
			return "the tree has no function " + name
		}
	}
	if !p.src.hasConstant("NV_ERR_INVALID_ARGUMENT") {
		return abiDir + " has no NV_ERR_INVALID_ARGUMENT"
	}
	file := p.versions.home["rmControlInvoke"]
	for _, wanted := range embeddedImports {
		if !imports(file, wanted) {
			return file.path + " does not import " + wanted
		}
	}
	return ""
}

// imports reports whether a file imports a package whose path ends with wanted, without renaming it.
func imports(file *sourceFile, wanted string) bool {
	for _, one := range file.ast.Imports {
		if one.Name == nil && strings.HasSuffix(strings.Trim(one.Path.Value, `"`), wanted) {
			return true
		}
	}
	return false
}

// goPointers finds the fields of the entry's type by their offsets, since their names can differ from the driver's.
func (p *patcher) goPointers(entry bootEntry) (found []goPointer, why string) {
	typeName := textOf(entry.Type)
	for _, one := range entry.Pointers {
		pointer := goPointer{bootPointer: one, field: p.fieldAt(typeName, one.Offset)}
		if one.Count != nil {
			pointer.count = p.fieldAt(typeName, one.CountOffset)
		}
		if pointer.field == "" || (one.Count != nil && pointer.count == "") || one.ElementSize == 0 {
			return nil, fmt.Sprintf("%s has no field at the offset of %s", typeName, one.Path)
		}
		pointer.buffer = lowerFirst(pointer.field[strings.LastIndex(pointer.field, ".")+1:]) + "Buf"
		found = append(found, pointer)
	}
	return found, ""
}

// fieldAt returns the field of a type at an offset: "List", or "Route.List" for a field of an inner struct; "" if no field begins there.
// The type is a new one or the tree's.
func (p *patcher) fieldAt(typeName string, offset int64) string {
	for _, one := range p.boot.Types {
		if one.Name != typeName {
			continue
		}
		found := ""
		for _, field := range one.Fields {
			if field.Offset > offset || field.Kind == "padding" {
				continue
			}
			if found = field.Name; field.Offset < offset {
				found = ""
			}
			if inner := p.fieldAt(field.Type, offset-field.Offset); field.Kind == "embedded" && inner != "" {
				found = inner
			}
		}
		return found
	}
	if p.layouts == nil {
		p.layouts = checkedTypes(p.src)
	}
	object, ok := p.layouts.pkg.Scope().Lookup(typeName).(*types.TypeName)
	if !ok {
		return ""
	}
	return fieldOf(object.Type(), offset)
}

func fieldOf(one types.Type, offset int64) string {
	fields, ok := one.Underlying().(*types.Struct)
	if !ok {
		return ""
	}
	var all []*types.Var
	for i := 0; i < fields.NumFields(); i++ {
		all = append(all, fields.Field(i))
	}
	for i, at := range sizes.Offsetsof(all) {
		field := all[i]
		if offset < at || offset >= at+sizes.Sizeof(field.Type()) {
			continue
		}
		if _, isStruct := field.Type().Underlying().(*types.Struct); isStruct {
			inner := fieldOf(field.Type(), offset-at)
			if field.Embedded() || inner == "" {
				return inner
			}
			return field.Name() + "." + inner
		}
		if offset == at {
			return field.Name()
		}
	}
	return ""
}

var (
	commandName = regexp.MustCompile(`^NV([0-9A-F]{4})_CTRL_(?:CMD_)?(\w+)$`)
	// nvproxy's names for the classes of most commands.
	classNames = map[string]string{"0000": "Client", "0080": "Dev", "2080": "Subdev"}
)

// embeddedName returns ctrlSubdevGpuGetEngines for NV2080_CTRL_CMD_GPU_GET_ENGINES. It appends the version of the type, if any, and
// "Embedded" if the tree has a function of that name.
func (p *patcher) embeddedName(entry bootEntry) string {
	parts := commandName.FindStringSubmatch(entry.Name)
	name := fdFamilies[entry.Family].prefix
	if parts == nil {
		parts = []string{"", "", strings.TrimPrefix(strings.TrimPrefix(entry.Name, "UVM_"), "NV_ESC_RM_")}
	} else if class := classNames[parts[1]]; class != "" {
		name += class
	} else {
		name += parts[1]
	}
	for _, word := range strings.Split(parts[2], "_") {
		if word != "" {
			name += word[:1] + strings.ToLower(word[1:])
		}
	}
	name += suffixOf(textOf(entry.Type))
	for p.versions.funcs[name] != nil {
		name += "Embedded"
	}
	return name
}

func lowerFirst(name string) string {
	runes := []rune(name)
	for i, one := range runes { // "RMCtrl" becomes "rmCtrl"
		if i > 0 && i+1 < len(runes) && unicode.IsLower(runes[i+1]) {
			break
		}
		runes[i] = unicode.ToLower(one)
	}
	return string(runes)
}

// limitText returns Go code for the limit in bytes, or a TODO if the limit is unknown.
func (p *patcher) limitText(pointer goPointer, entry bootEntry) string {
	if pointer.Limit == nil {
		return "TODO(drvabi) /* a limit in bytes: " + entry.unknownOf("limit") + " */"
	}
	if p.src.hasConstant("RMAPI_PARAM_COPY_MAX_PARAMS_SIZE") && *pointer.Limit == 1<<20 {
		return "nvgpu.RMAPI_PARAM_COPY_MAX_PARAMS_SIZE"
	}
	return fmt.Sprint(*pointer.Limit)
}

func (p *patcher) embeddedCode(name string, entry bootEntry, pointers []goPointer) string {
	var out strings.Builder
	line := func(format string, arguments ...any) { fmt.Fprintf(&out, format+"\n", arguments...) }
	simple, home := p.versions.funcs["rmControlSimple"], p.versions.home["rmControlSimple"]
	line("\n// %s implements %s. The driver copies these, too:", name, entry.Name)
	for _, one := range pointers {
		amount := fmt.Sprintf("%s (size %d)", one.Element, one.ElementSize)
		if one.count != "" {
			amount = fmt.Sprintf("%s elements of %s", one.count, amount)
		}
		line("//   - %s: %s, %s; %s", one.field, amount, one.Direction, one.Evidence)
	}
	line("// Compare src/nvidia/src/kernel/rmapi/param_copy.c:rmapiParamsAcquire().")
	signature := string(home.text[p.src.offset(simple.Type.Params.Pos()):p.src.offset(simple.Type.End())])
	line("func %s%s {", name, signature)
	line("var ctrlParams nvgpu.%s", textOf(entry.Type))
	line("if ctrlParams.SizeBytes() != int(ioctlParams.ParamsSize) {\nreturn 0, linuxerr.EINVAL\n}")
	line("if _, err := ctrlParams.CopyIn(fi.t, addrFromP64(ioctlParams.Params)); err != nil {\nreturn 0, err\n}")
	for _, one := range pointers {
		p.bufferCode(line, one, entry)
	}
	line("")
	for _, one := range pointers {
		line("%s := ctrlParams.%s", one.original(), one.field)
		line("ctrlParams.%s = 0\nif len(%s) != 0 {\nctrlParams.%s = p64FromPtr(unsafe.Pointer(&%s[0]))\n}", one.field, one.buffer, one.field, one.buffer)
	}
	line("n, err := rmControlInvoke(fi, ioctlParams, &ctrlParams)")
	for _, one := range pointers {
		line("runtime.KeepAlive(%s)\nctrlParams.%s = %s", one.buffer, one.field, one.original())
	}
	line("if err != nil {\nreturn n, err\n}")
	for _, one := range pointers {
		if one.Direction != "in" {
			line("if len(%s) != 0 {\nif _, err := fi.t.CopyOutBytes(addrFromP64(ctrlParams.%s), %s); err != nil {\nreturn n, err\n}\n}", one.buffer, one.field, one.buffer)
		}
	}
	line("if _, err := ctrlParams.CopyOut(fi.t, addrFromP64(ioctlParams.Params)); err != nil {\nreturn n, err\n}")
	line("return n, nil\n}")
	return out.String()
}

// bufferCode writes code that checks one pointer like the driver, and that makes a buffer for a copy of the memory.
func (p *patcher) bufferCode(line func(string, ...any), one goPointer, entry bootEntry) {
	const fail = "return 0, frontendFailWithStatus(fi, ioctlParams, nvgpu.NV_ERR_INVALID_ARGUMENT)"
	pointer, count := "ctrlParams."+one.field, "ctrlParams."+one.count
	limit := p.limitText(one, entry)
	size := fmt.Sprint(one.ElementSize)
	if one.count != "" {
		tooMany := fmt.Sprintf("uint64(%s) > %s", count, limit)
		if size = fmt.Sprintf("uint64(%s)", count); one.ElementSize != 1 {
			tooMany += fmt.Sprintf("/%d", one.ElementSize)
			size += fmt.Sprintf("*%d", one.ElementSize)
		}
		if one.Refused {
			tooMany = fmt.Sprintf("(%s == 0) != (%s == 0) || %s", pointer, count, tooMany)
		}
		line("if %s {\n%s\n}", tooMany, fail)
	} else if one.Refused {
		line("if %s == 0 {\n%s\n}", pointer, fail)
	}
	line("var %s []byte\nif %s != 0 {\n%s = make([]byte, %s)", one.buffer, pointer, one.buffer, size)
	if one.Direction != "out" {
		line("if _, err := fi.t.CopyInBytes(addrFromP64(%s), %s); err != nil {\nreturn 0, err\n}", pointer, one.buffer)
	}
	line("}")
}

// original returns the name of the variable that keeps the application's pointer.
func (one *goPointer) original() string {
	return "orig" + one.field[strings.LastIndex(one.field, ".")+1:]
}

// typeAt returns the type of a field as written outside the package nvgpu: "uint64", "nvgpu.P64"; "" if it is unknown.
func (p *patcher) typeAt(typeName, field string) string {
	found := ""
	for _, one := range p.boot.Types {
		for _, each := range one.Fields {
			if one.Name == typeName && each.Name == field {
				found = each.Type
			}
		}
	}
	if found == "" && p.layouts != nil {
		if object, ok := p.layouts.pkg.Scope().Lookup(typeName).(*types.TypeName); ok {
			one, _, _ := types.LookupFieldOrMethod(object.Type(), true, p.layouts.pkg, field)
			if variable, ok := one.(*types.Var); ok {
				found = types.TypeString(variable.Type(), func(*types.Package) string { return "" })
			}
		}
	}
	if found != "" && types.Universe.Lookup(found) == nil {
		found = "nvgpu." + found
	}
	return found
}

// isFrontendFD reports whether the tree's generic handler can translate the only file descriptor. It needs the method GetFrontendFD()
// of the type. UVM's generic handler accepts a negative number, which means that there is no descriptor; the others do not.
func (p *patcher) isFrontendFD(entry bootEntry) bool {
	only, family := entry.FDs[0], fdFamilies[entry.Family]
	if len(entry.FDs) > 1 || fdFiles[only.Kind] != "frontendFD" || p.versions.funcs[family.generic] == nil ||
		only.Optional != (entry.Family == "uvm") || entry.Family == "control" && only.Kind != "frontend" {
		return false
	}
	for _, decl := range p.types.decls[textOf(entry.Type)] {
		if method, ok := decl.(*ast.FuncDecl); ok && method.Name.Name == "GetFrontendFD" {
			return true
		}
	}
	for _, method := range p.src.methodsOf(textOf(entry.Type)) {
		if method.Name.Name == "GetFrontendFD" {
			return true
		}
	}
	return false
}

// fdCode returns the code of a handler that looks up each of the application's file descriptors, and passes the host's descriptor of
// that file to the driver.
func (p *patcher) fdCode(name string, entry bootEntry) (code, why string) {
	var out strings.Builder
	line := func(format string, arguments ...any) { fmt.Fprintf(&out, format+"\n", arguments...) }
	typeName, family := textOf(entry.Type), fdFamilies[entry.Family]
	for _, needed := range append([]string{family.like, family.home}, family.needs...) {
		if p.versions.funcs[needed] == nil {
			return "", "the tree has no function " + needed
		}
	}
	like, text := p.versions.funcs[family.like], p.versions.home[family.like].text
	for _, wanted := range []string{"pkg/errors/linuxerr", "pkg/abi/nvgpu"} {
		if home := p.versions.home[family.home]; !imports(home, wanted) {
			return "", home.path + " does not import " + wanted
		}
	}
	line("\n// %s implements %s. Its file descriptors are:", name, entry.Name)
	for _, one := range entry.FDs {
		line("//   - %s: %s; %s", one.Path, one.Kind, one.Evidence)
	}
	line("func %s%s {", name, string(text[p.src.offset(like.Type.Params.Pos()):p.src.offset(like.Type.End())]))
	line("var %s nvgpu.%s", family.params, typeName)
	if family.checkSize != "" {
		line("if %s {\nreturn 0, linuxerr.EINVAL\n}", family.checkSize)
	}
	line("if _, err := %s.CopyIn(%s.t, %s); err != nil {\nreturn 0, err\n}\n", family.params, family.state, family.address)
	var restore []string
	for _, one := range entry.FDs {
		field, file := p.fieldAt(typeName, one.Offset), fdFiles[one.Kind]
		goType := p.typeAt(typeName, field)
		if field == "" || goType == "" {
			return "", fmt.Sprintf("%s has no field at the offset of %s", typeName, one.Path)
		}
		if !p.src.hasType(proxyDir, file) {
			return "", fmt.Sprintf("the tree has no type for the file of %s, whose kind is %s", one.Path, one.Kind)
		}
		local, orig := lowerFirst(field)+"File", "orig"+field
		line("%s := %s.%s", orig, family.params, field)
		if one.Optional && strings.HasPrefix(goType, "int") {
			line("if %s >= 0 {", orig)
		} else if one.Optional {
			line("if %s != 0 {", orig)
		}
		line("%sGeneric, _ := %s.t.FDTable().Get(int32(%s))\nif %sGeneric == nil {\nreturn 0, linuxerr.EINVAL\n}", local, family.state, orig, local)
		line("defer %sGeneric.DecRef(%s.ctx)\n%s, ok := %sGeneric.Impl().(*%s)\nif !ok {\nreturn 0, linuxerr.EINVAL\n}", local, family.state, local, local, file)
		line("%s.%s = %s(%s.hostFD)", family.params, field, goType, local)
		if one.Optional {
			line("}")
		}
		restore = append(restore, fmt.Sprintf("%s.%s = %s", family.params, field, orig))
	}
	line("\nn, err := %s\n%s", family.invoke, strings.Join(restore, "\n"))
	line("if err != nil {\nreturn n, err\n}")
	line("if _, err := %s.CopyOut(%s.t, %s); err != nil {\nreturn n, err\n}\nreturn n, nil\n}", family.params, family.state, family.address)
	return out.String(), ""
}
