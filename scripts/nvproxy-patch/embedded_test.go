package main

import (
	"encoding/json"
	"go/ast"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const unsafeFile = proxyDir + "/frontend_unsafe.go"

// The handlers are run, with an application's memory and a driver that a test of theirs makes up.
func TestHandlersOfEmbeddedPointersCopyAsTheDriverDoes(t *testing.T) {
	tree, found := patched(t, "testdata/embedded")
	if len(found.problems)+len(found.todos) > 0 {
		t.Fatalf("problems %q, TODOs %q", found.problems, found.todos)
	}
	expectIn(t, read(t, tree, versionFile), "ctrlHandler(ctrlSubdevToyGetList, compUtil)")
	if out, status := checked(t, tree); status != 0 {
		t.Errorf("--check: %s", out)
	}
	test, err := os.ReadFile("testdata/embedded/generated_test.go")
	if err == nil {
		err = os.WriteFile(filepath.Join(tree, proxyDir, "generated_test.go"), test, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command("go", "test", "./"+proxyDir)
	command.Dir = tree
	command.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	if out, err := command.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s\n%s", err, out, read(t, tree, unsafeFile))
	}
}

// withUnknown is testdata/embedded where something about the list is not known.
func withUnknown(t *testing.T, edit func(entry, pointer map[string]any)) string {
	t.Helper()
	dir := copied(t, "embedded")
	var boot map[string]any
	if err := json.Unmarshal([]byte(read(t, dir, "bootstrap.json")), &boot); err != nil {
		t.Fatal(err)
	}
	entry := entryOf(boot, "NV2080_CTRL_CMD_TOY_GET_LIST")
	edit(entry, entry["pointers"].([]any)[0].(map[string]any))
	text, err := json.Marshal(boot)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "bootstrap.json"), text, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestWhatIsNotKnownOfAPointerIsATodoThatDoesNotCompile(t *testing.T) {
	for _, one := range []struct {
		what               string
		function           bool // is written all the same
		version, generated string
	}{
		{"condition", false, "ctrlHandler(TODO(drvabi) /* the reason */, compUtil)", ""},
		{"product", false, "ctrlHandler(TODO(drvabi) /* the reason */, compUtil)", ""},
		{"field", false, "ctrlHandler(TODO(drvabi) /* the reason */, compUtil)", ""},
		{"limit", true, "ctrlHandler(ctrlSubdevToyGetList, compUtil)", "uint64(ctrlParams.Count) > TODO(drvabi) /* a limit in bytes: the reason */ /4"},
		{"objects", true, "ctrlHandler(TODO(drvabi) /* ctrlSubdevToyGetList copies what the driver copies; the reason */, compUtil)", ""},
		{"version", true, "ctrlHandler(TODO(drvabi) /* ctrlSubdevToyGetList copies what the driver copies; the reason */, compUtil)", ""},
	} {
		t.Run(one.what, func(t *testing.T) {
			tree, found := patched(t, withUnknown(t, func(entry, pointer map[string]any) {
				entry["unknown"] = []any{map[string]any{"what": one.what, "text": "the reason"}}
				if one.what == "limit" {
					pointer["limit"] = nil
				}
			}))
			if len(found.todos) != 1 || !strings.Contains(found.todos[0], "TOY_GET_LIST at 100.10.01: a") || !strings.Contains(found.todos[0], "the reason") {
				t.Errorf("TODOs %q", found.todos)
			}
			expectIn(t, read(t, tree, versionFile), one.version)
			expectIn(t, strings.ReplaceAll(read(t, tree, unsafeFile), "*//", "*/ /"), one.generated)
			if strings.Contains(read(t, tree, unsafeFile), "func ctrlSubdevToyGetList(") != one.function {
				t.Errorf("the function is there, or not: it should be %v", one.function)
			}
			if out, ok := builds(tree); ok {
				t.Errorf("it compiles: %s", out)
			}
		})
	}
}

func TestATreeWithoutTheFunctionsGetsATodo(t *testing.T) {
	tree := copied(t, "tree")
	edited(t, tree, unsafeFile, `\bfrontendFailWithStatus\b`, "frontendFail")
	found := patchTo(t, tree, "testdata/embedded")
	expectIn(t, strings.Join(found.todos, "\n"), "TOY_GET_LIST at 100.10.01: a handler; before: none; the tree has no function frontendFailWithStatus")
}

// The tree's own types have names of their own for the driver's fields, and structs inside each other.
func TestAFieldIsFoundByItsOffset(t *testing.T) {
	src, err := readSource("testdata/tree")
	if err != nil {
		t.Fatal(err)
	}
	p := &patcher{src: src, boot: &bootstrap{}}
	for _, one := range []struct {
		typeName string
		offset   int64
		wanted   string
	}{
		{"UVM_TOY_FREE_PARAMS", 8, "Length"}, {"UVM_TOY_FREE_PARAMS", 4, ""}, {"TOY_CHANNEL_PARAMS", 0, "HVASpace.Val"}, {"NOWHERE", 0, ""},
	} {
		if got := p.fieldAt(one.typeName, one.offset); got != one.wanted {
			t.Errorf("%s at %d: %q", one.typeName, one.offset, got)
		}
	}
}

func TestTheTreesOwnFunctionTranslatesOneFileDescriptorOfTheFrontend(t *testing.T) {
	types := &newTypes{decls: map[string][]ast.Decl{"T": {&ast.FuncDecl{Name: ast.NewIdent("GetFrontendFD")}}, "U": nil}}
	frontend, event, maybe := bootFD{Kind: "frontend"}, bootFD{Kind: "event"}, bootFD{Kind: "frontend", Optional: true}
	for _, one := range []struct {
		family, typeName, function string
		fds                        []bootFD
		want                       bool
	}{
		{"control", "T", "ctrlHasFrontendFD", []bootFD{frontend}, true},
		{"control", "U", "ctrlHasFrontendFD", []bootFD{frontend}, false},
		{"control", "T", "rmControlSimple", []bootFD{frontend}, false},
		{"control", "T", "ctrlHasFrontendFD", []bootFD{event}, false},
		{"control", "T", "ctrlHasFrontendFD", []bootFD{maybe}, false},
		{"control", "T", "ctrlHasFrontendFD", []bootFD{frontend, frontend}, false},
		{"uvm", "T", "uvmIoctlHasFrontendFD", []bootFD{maybe}, true},
		{"uvm", "T", "uvmIoctlHasFrontendFD", []bootFD{frontend}, false},
		{"uvm", "T", "uvmIoctlHasFrontendFD", []bootFD{{Kind: "uvm", Optional: true}}, false},
		{"frontend", "T", "frontendIoctlHasFD", []bootFD{frontend}, true},
		{"frontend", "T", "frontendIoctlHasFD", []bootFD{maybe}, false},
		{"alloc", "T", "ctrlHasFrontendFD", []bootFD{frontend}, false},
	} {
		p := &patcher{src: &source{}, types: types, versions: &versions{funcs: map[string]*ast.FuncDecl{one.function: {}}}}
		if got := p.isFrontendFD(bootEntry{bootSide: bootSide{Type: &one.typeName}, Family: one.family, FDs: one.fds}); got != one.want {
			t.Errorf("%+v: %v", one, got)
		}
	}
}
