package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// copied is a copy of a directory of testdata, to change.
func copied(t *testing.T, name string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), name)
	if out, err := exec.Command("cp", "-R", filepath.Join("testdata", name), to).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return to
}

// patched applies the bootstrap in dir to a copy of the tree; found are problems and TODOs.
func patched(t *testing.T, dir string) (tree string, found *patcher) {
	t.Helper()
	tree = copied(t, "tree")
	return tree, patchTo(t, tree, dir)
}

// patchTo applies the bootstrap in dir to a tree.
func patchTo(t *testing.T, tree, dir string) (found *patcher) {
	t.Helper()
	boot, err := readBootstrap(dir)
	if err != nil {
		t.Fatal(err)
	}
	types, err := readTypes(dir, boot)
	if err != nil {
		t.Fatal(err)
	}
	src, err := readSource(tree)
	if err != nil {
		t.Fatal(err)
	}
	v, err := readVersions(src)
	if err != nil {
		t.Fatal(err)
	}
	found = newPatcher(src, v, boot, types)
	found.run()
	text, err := unifiedDiff(src)
	if err != nil {
		t.Fatal(err)
	}
	if len(text) == 0 {
		return found
	}
	command := exec.Command("git", "apply", "-")
	command.Dir, command.Stdin = tree, bytes.NewReader(text)
	command.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(tree))
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("git apply: %v: %s\n%s", err, out, text)
	}
	return found
}

// expectWhole wants no problem, no TODO, a tree that compiles, and nothing that --check finds.
func expectWhole(t *testing.T, tree string, found *patcher) {
	t.Helper()
	if len(found.problems)+len(found.todos) > 0 {
		t.Errorf("problems %q, TODOs %q", found.problems, found.todos)
	}
	if out, ok := builds(tree); !ok {
		t.Errorf("go vet: %s", out)
	}
	if out, status := checked(t, tree); status != 0 {
		t.Errorf("--check: %s", out)
	}
}

func builds(tree string) (string, bool) {
	command := exec.Command("go", "vet", "./...")
	command.Dir = tree
	command.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	out, err := command.CombinedOutput()
	return string(out), err == nil
}

func checked(t *testing.T, tree string) (string, int) {
	t.Helper()
	var out bytes.Buffer
	status, err := checkTree(options{tree: tree}, &out)
	if err != nil {
		t.Fatal(err)
	}
	return out.String(), status
}

func read(t *testing.T, tree, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(tree, path))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func expectIn(t *testing.T, text string, wanted ...string) {
	t.Helper()
	for _, one := range wanted {
		if !strings.Contains(text, one) {
			t.Errorf("%q is missing:\n%s", one, text)
		}
	}
}

const (
	versionFile = proxyDir + "/version.go"
	handlerFile = proxyDir + "/handlers.go"
	filterFile  = proxyDir + "/seccomp_filters.go"
	typeFile    = abiDir + "/nvgpu.go"
)

func TestTheSmallTreeIsWhole(t *testing.T) {
	if out, status := checked(t, "testdata/tree"); status != 0 {
		t.Errorf("--check: %s", out)
	}
}

func TestANewVersionCompilesAndIsWhole(t *testing.T) {
	tree, found := patched(t, "testdata/bootstrap")
	expectWhole(t, tree, found)
}

func TestEachPlaceIsWritten(t *testing.T) {
	tree, _ := patched(t, "testdata/bootstrap")
	expectIn(t, read(t, tree, versionFile),
		"v110_09_01 := addDriverABI(110, 9, 01, \"dd\", \"ee\", v110_05_01)\n", // the parent was assigned to _
		"v120_00_09 := addUnsupportedDriverABI(120, 0, 9, func() *driverABI {",
		"_ = addDriverABI(120, 01, 01, \"ff\", \"99\", func() *driverABI {\n\t\t\tabi := v120_00_09()\n",
		"abi.uvmIoctl[nvgpu.UVM_TOY_FREE] = uvmHandler(uvmIoctlSimple[nvgpu.UVM_TOY_FREE_PARAMS_V120], compUtil)",
		"delete(abi.uvmIoctl, nvgpu.UVM_TOY_MAP)", "delete(info.UvmInfos, nvgpu.UVM_TOY_MAP)",
		"allocHandler(rmAllocToyChannelV120, compUtil)",
		"ioctlInfoWithStructName(\"TOY_CHANNEL\", nvgpu.TOY_CHANNEL_PARAMS_V120{}, \"TOY_CHANNEL_PARAMS\")",
		"delete(abi.controlCmd, nvgpu.NV2080_CTRL_CMD_TOY_GET_INFO)",
		"abi.controlCmd[nvgpu.NV2080_CTRL_CMD_TOY_GET_INFO_V120] = ctrlHandler(rmControlSimple, compUtil)",
		"simpleIoctlInfo(\"NV2080_CTRL_CMD_TOY_SET_BOUND\", \"NV2080_CTRL_TOY_SET_BOUND_PARAMS\")")
	expectIn(t, read(t, tree, typeFile), "NV2080_CTRL_CMD_TOY_GET_INFO_V120 = 0x20801103\n\tNV2080_CTRL_CMD_TOY_GET_STATUS",
		"type UVM_TOY_FREE_PARAMS_V120 struct", "SizeofTOY_MAP_PARAMETERS_V120 = uint32(")
	expectIn(t, read(t, tree, handlerFile), "func rmAllocToyChannelV120() uint32", "func(params *nvgpu.TOY_CHANNEL_PARAMS_V120) uint32")
	expectIn(t, read(t, tree, filterFile), "{equalTo(frontendIoctlCmd(nvgpu.NV_ESC_TOY_MAP, nvgpu.SizeofTOY_MAP_PARAMETERS_V120)), nvconf.CapGraphics},")
}

func TestAnAddedIoctlCompilesAndIsWhole(t *testing.T) {
	tree, found := patched(t, "testdata/add")
	expectWhole(t, tree, found)
	expectIn(t, read(t, tree, versionFile),
		"simpleIoctlInfo(\"NV2080_CTRL_CMD_TOY_BOOST\", \"NV2080_CTRL_TOY_BOOST_PARAMS\")",
		"_ = addDriverABI(100, 20, 8, \"aa\", ChecksumNoDriver, func() *driverABI {\n\t\t\tabi := v100_10_01()\n", // it was its parent
		"ctrlHandler(rmControlSimple, nvconf.CapGraphics|nvconf.CapVideo)",
		"abi.allocationClass[nvgpu.TOY_CLASS_B] = allocHandler(rmAllocNoParams, compUtil)",
		"abi.allocationClass[nvgpu.TOY_P2P_B] = allocHandler(rmAllocSimple[nvgpu.TOY_P2P_PARAMS], compUtil)", // the handlers that bootstrap names
		"abi.controlCmd[nvgpu.NV2080_CTRL_CMD_TOY_GET_STATUS_B] = ctrlHandler(ctrlToyStatus, nvconf.CapGraphics)")
	expectIn(t, read(t, tree, filterFile), "nvgpu.UVM_TOY_UNMAP), compUtil},")
}

// The same entry comes to two nodes of which neither follows the other, as with a change that was backported.
func TestAnEntryOfTwoBranchesIsWrittenInBoth(t *testing.T) {
	dir := copied(t, "add")
	text := read(t, dir, "bootstrap.json")
	line := strings.Index(text, `  {"family": "alloc", "name": "TOY_CLASS_B"`)
	end := line + strings.Index(text[line:], "}},") + 4
	text = text[:line] + strings.ReplaceAll(text[line:end], "110.05.01", "100.20.08") + text[line:]
	if err := os.WriteFile(filepath.Join(dir, "bootstrap.json"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	tree, found := patched(t, dir)
	expectWhole(t, tree, found)
	if count := strings.Count(read(t, tree, versionFile), "abi.allocationClass[nvgpu.TOY_CLASS_B] = allocHandler("); count != 2 {
		t.Errorf("TOY_CLASS_B has %d handlers", count)
	}
	expectIn(t, read(t, tree, typeFile), "TOY_CLASS_B = 0x0000c800\n") // as many digits as its neighbours
}

func TestATypeIsWrittenBehindTheNewOneThatItReplaces(t *testing.T) {
	dir := copied(t, "add")
	for name, text := range map[string][2]string{
		"bootstrap.json": {`"types": [`, `"types": [{"name": "TOY_NEW", "node": "110.05.01", "size": 4, "fields": []},
			{"name": "TOY_NEW_V120", "replaces": "TOY_NEW", "node": "120.00.09", "size": 8, "fields": []}, `},
		"structs.go": {"package nvgpu\n", "package nvgpu\n\ntype TOY_NEW struct {\n\tA uint32\n}\n\ntype TOY_NEW_V120 struct {\n\tTOY_NEW\n\tB uint32\n}\n"},
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(strings.Replace(read(t, dir, name), text[0], text[1], 1)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tree, found := patched(t, dir)
	expectWhole(t, tree, found)
	expectIn(t, read(t, tree, typeFile), "type TOY_NEW struct {\n\tA uint32\n}\n\ntype TOY_NEW_V120 struct {")
}

func TestABoundIsSpelledAsTheTypeBeforeHasIt(t *testing.T) {
	tree := copied(t, "tree")
	text := read(t, tree, typeFile) + "\nconst TOY_MAX = 4\n\ntype TOY_OLD struct {\n\tItems [TOY_MAX]uint32\n\tOther [TOY_MAX]uint32\n}\n"
	if err := os.WriteFile(filepath.Join(tree, typeFile), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	src, err := readSource(tree)
	if err != nil {
		t.Fatal(err)
	}
	before, _ := src.findType("TOY_OLD")
	got := (&patcher{src: src}).withBounds("\tItems [4]uint64\n\tOther [8]uint32\n\tMore  [4]uint32\n", before)
	if got != "\tItems [TOY_MAX]uint64\n\tOther [8]uint32\n\tMore  [4]uint32\n" {
		t.Errorf("%q", got)
	}
}

// A handler that the tree does not have, and a function that reads another type, are not written.
func TestAHandlerThatDoesNotFitIsATodo(t *testing.T) {
	for _, one := range [][2]string{{"ctrlToyStatus", "ctrlToyOther"}, {"ctrlToyStatus\", \"type\": \"NV2080_CTRL_TOY_GET_STATUS_PARAMS", "ctrlToyStatus\", \"type\": \"TOY_P2P_PARAMS"}} {
		dir := copied(t, "add")
		path := filepath.Join(dir, "bootstrap.json")
		text := strings.Replace(read(t, dir, "bootstrap.json"), "\"kind\": \""+one[0], "\"kind\": \""+one[1], 1)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		_, found := patched(t, dir)
		if len(found.todos) != 1 || !strings.Contains(found.todos[0], "TOY_GET_STATUS_B at 110.05.01: a handler") {
			t.Errorf("%s: TODOs %q", one[1], found.todos)
		}
	}
}

// Each place of a patched tree, taken out again.
func TestAMissingPlaceIsNamed(t *testing.T) {
	for _, one := range []struct{ place, file, from, to, wanted string }{
		{"handler", versionFile, "\t\t\tabi.uvmIoctl[nvgpu.UVM_TOY_FREE] = uvmHandler(uvmIoctlSimple[nvgpu.UVM_TOY_FREE_PARAMS_V120], compUtil)\n", "",
			"120.00.09 uvm UVM_TOY_FREE: handler:"},
		{"copied function", versionFile, "\t\t\tabi.allocationClass[nvgpu.TOY_CHANNEL] = allocHandler(rmAllocToyChannelV120, compUtil)\n", "", "alloc TOY_CHANNEL: handler:"},
		{"info", versionFile, "\t\t\t\tinfo.UvmInfos[nvgpu.UVM_TOY_FREE] = ioctlInfoWithStructName(\"UVM_TOY_FREE\", nvgpu.UVM_TOY_FREE_PARAMS_V120{}, \"UVM_TOY_FREE_PARAMS\")\n", "",
			"120.00.09 uvm UVM_TOY_FREE: info:"},
		{"removed handler", versionFile, "\t\t\tdelete(abi.uvmIoctl, nvgpu.UVM_TOY_MAP)\n", "", "uvm UVM_TOY_MAP: info:"},
		{"struct", typeFile, "type UVM_TOY_FREE_PARAMS_V120 struct", "type unused struct", "uvm UVM_TOY_FREE: struct:"},
		{"struct inside", typeFile, "type TOY_P2P_WINDOW struct", "type unused struct", "alloc TOY_P2P: struct:"},
		{"constant", typeFile, "\tNV2080_CTRL_CMD_TOY_GET_INFO_V120 = 0x20801103\n", "", "control NV2080_CTRL_CMD_TOY_GET_INFO_V120: constant:"},
		{"size rule", filterFile, "\t\t{equalTo(frontendIoctlCmd(nvgpu.NV_ESC_TOY_MAP, nvgpu.SizeofTOY_MAP_PARAMETERS_V120)), nvconf.CapGraphics},\n", "",
			"frontend NV_ESC_TOY_MAP: seccomp:"},
		{"first size rule", filterFile, "\t\t{equalTo(frontendIoctlCmd(nvgpu.NV_ESC_TOY_MAP, nvgpu.SizeofToyMapParameters)), nvconf.CapGraphics},\n", "",
			"100.10.01 frontend NV_ESC_TOY_MAP: seccomp:"},
		{"rule", filterFile, "\t\t{equalTo(nvgpu.UVM_TOY_FREE), compUtil},\n", "", "uvm UVM_TOY_FREE: seccomp:"},
	} {
		t.Run(one.place, func(t *testing.T) {
			tree, _ := patched(t, "testdata/bootstrap")
			text := read(t, tree, one.file)
			if strings.Count(text, one.from) != 1 {
				t.Fatalf("%q is not once in %s", one.from, one.file)
			}
			if err := os.WriteFile(filepath.Join(tree, one.file), []byte(strings.Replace(text, one.from, one.to, 1)), 0o666); err != nil {
				t.Fatal(err)
			}
			out, status := checked(t, tree)
			if status != 1 {
				t.Errorf("the status is %d", status)
			}
			expectIn(t, out, one.wanted)
		})
	}
}

// changed is a copy of testdata/bootstrap with an edit of its JSON.
func changed(t *testing.T, edit func(boot map[string]any)) string {
	t.Helper()
	dir := copied(t, "bootstrap")
	path := filepath.Join(dir, "bootstrap.json")
	var boot map[string]any
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &boot)
	}
	if err != nil {
		t.Fatal(err)
	}
	edit(boot)
	if text, err = json.Marshal(boot); err == nil {
		err = os.WriteFile(path, text, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func entryOf(boot map[string]any, name string) map[string]any {
	for _, one := range boot["entries"].([]any) {
		if entry := one.(map[string]any); entry["name"] == name {
			return entry
		}
	}
	return nil
}

func TestAPlaceThatIsNotFoundIsNamedAndTheRestIsWritten(t *testing.T) {
	tree, found := patched(t, changed(t, func(boot map[string]any) {
		entry := entryOf(boot, "UVM_TOY_FREE")
		entry["name"] = "UVM_NOWHERE"
		entry["was"].(map[string]any)["name"] = "UVM_NOWHERE"
	}))
	expectIn(t, strings.Join(found.problems, "\n"), versionFile+": uvm UVM_NOWHERE has no handler and no info at 110.09.01 or before")
	expectIn(t, read(t, tree, versionFile), "rmAllocToyChannelV120")
	if strings.Contains(read(t, tree, versionFile), "UVM_NOWHERE") {
		t.Error("something was written for it")
	}
}

func TestAnUnknownChecksumDoesNotCompile(t *testing.T) {
	tree, found := patched(t, changed(t, func(boot map[string]any) {
		boot["nodes"].([]any)[1].(map[string]any)["sha256"] = map[string]any{"x86_64": nil, "arm64": "99"}
	}))
	expectIn(t, strings.Join(found.todos, "\n"), "120.01.01: SHA-256 of NVIDIA-Linux-x86_64-120.01.01.run")
	out, ok := builds(tree)
	if ok {
		t.Error("it compiles")
	}
	expectIn(t, out, ": TODO") // "undefined: TODO", "undeclared name: TODO": by the age of Go
}

func TestAPackageThatThereIsNotHasNoChecksum(t *testing.T) {
	tree, found := patched(t, changed(t, func(boot map[string]any) {
		boot["nodes"].([]any)[1].(map[string]any)["sha256"] = map[string]any{"x86_64": "99", "arm64": "none"}
	}))
	if len(found.todos) > 0 {
		t.Errorf("TODOs %q", found.todos)
	}
	expectIn(t, read(t, tree, versionFile), "addDriverABI(120, 01, 01, \"99\", ChecksumNoDriver,")
}

func TestATwinNeedsTheFieldsThatTheFunctionReads(t *testing.T) {
	dir := copied(t, "bootstrap")
	path := filepath.Join(dir, "structs.go")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.Replace(text, []byte("\tTOY_CHANNEL_PARAMS\n\tSize uint64\n"), []byte("\tSpace uint64\n"), 1)
	if err := os.WriteFile(path, text, 0o666); err != nil {
		t.Fatal(err)
	}
	tree, found := patched(t, dir)
	expectIn(t, strings.Join(found.todos, "\n"), "rmAllocToyChannel uses HVASpace of TOY_CHANNEL_PARAMS, which TOY_CHANNEL_PARAMS_V120 does not have")
	if _, ok := builds(tree); ok {
		t.Error("it compiles")
	}
}

func TestAnUnreadEntryThatGotAPointerIsLeftToAPerson(t *testing.T) {
	tree, found := patched(t, changed(t, func(boot map[string]any) {
		entry := entryOf(boot, "NV2080_CTRL_CMD_TOY_SET_LIMIT")
		entry["action"], entry["why"] = "replace", "a pointer was added"
	}))
	expectIn(t, strings.Join(found.todos, "\n"), "control NV2080_CTRL_CMD_TOY_SET_LIMIT at 120.01.01: a handler; before: ctrlHandler(rmControlSimple, nvconf.CapProfiling)")
	expectIn(t, read(t, tree, versionFile), "= ctrlHandler(TODO(drvabi) /* it was forwarded unread, and must be read now: a pointer was added */, nvconf.CapProfiling)")
	if out, status := checked(t, tree); status != 1 || !strings.Contains(out, versionFile+":") || !strings.Contains(out, "a TODO is left: ") {
		t.Errorf("--check: %d %s", status, out)
	}
}

func TestOtherInputIsRefused(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "bootstrap.json"), []byte(`{"format": "drvabi-abi/1"}`), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := readBootstrap(dir); err == nil || !strings.Contains(err.Error(), "drvabi-bootstrap/1") {
		t.Errorf("got %v", err)
	}
	if _, err := readSource(dir); err == nil || !strings.Contains(err.Error(), "checkout of gVisor") {
		t.Errorf("got %v", err)
	}
}

func TestThePatchIsTheSameEveryTime(t *testing.T) {
	var texts [2][]byte
	for i := range texts {
		out := filepath.Join(t.TempDir(), "patch")
		if status, err := patchTree(options{tree: "testdata/tree", output: out, from: "testdata/bootstrap"}); err != nil || status != 0 {
			t.Fatalf("%d, %v", status, err)
		}
		var err error
		if texts[i], err = os.ReadFile(out); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(texts[0], texts[1]) {
		t.Error("it is not")
	}
}

func writtenPatch(t *testing.T, tree, from string) string {
	t.Helper()
	patch := filepath.Join(t.TempDir(), "bootstrap.patch")
	if status, err := patchTree(options{tree: tree, from: from, output: patch}); status != 0 || err != nil {
		t.Fatalf("status %d, %v", status, err)
	}
	return patch
}

func TestAPatchIsRefusedByAnotherTree(t *testing.T) {
	tree := copied(t, "tree")
	patch := writtenPatch(t, tree, "testdata/bootstrap")
	var out bytes.Buffer
	if _, err := checkTree(options{tree: tree, from: patch}, &out); err != nil {
		t.Fatal(err)
	}
	expectIn(t, out.String(), "made for this tree, not applied", "cannot check that its table")
	command := exec.Command("git", "apply", patch)
	command.Dir, command.Env = tree, append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(tree))
	if said, err := command.CombinedOutput(); err != nil {
		t.Fatalf("git apply: %v: %s", err, said)
	}
	out.Reset()
	if status, err := checkTree(options{tree: tree, from: patch}, &out); status != 0 || err != nil {
		t.Fatalf("status %d, %v", status, err)
	}
	expectIn(t, out.String(), "made for this tree, applied")
	path := filepath.Join(tree, proxyDir, "version.go")
	if err := os.WriteFile(path, []byte(read(t, tree, proxyDir+"/version.go")+"\n// by hand\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if status, err := checkTree(options{tree: tree, from: patch}, &out); status != 2 || err == nil || !strings.Contains(err.Error(), "was made for a tree with") {
		t.Errorf("status %d, %v", status, err)
	}
}

func TestAPatchOutOfTheTableOfAnotherTreeIsRefused(t *testing.T) {
	tree, from := copied(t, "tree"), copied(t, "bootstrap")
	table, err := tableOf(tree)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(from, "bootstrap.json")
	boot := read(t, from, "bootstrap.json")
	withTable := func(revision string) string {
		text := strings.Replace(boot, "{", `{"table": "gvisor nvproxy", "table_revision": "`+revision+`", `, 1)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return writtenPatch(t, tree, from)
	}
	var out bytes.Buffer
	if _, err := checkTree(options{tree: tree, from: withTable(table.Revision)}, &out); err != nil {
		t.Error(err)
	}
	if strings.Contains(out.String(), "not checked") {
		t.Errorf("%s", out.String())
	}
	_, err = checkTree(options{tree: tree, from: withTable(treeRevision + strings.Repeat("0", 64))}, &out)
	if err == nil || !strings.Contains(err.Error(), "from the table of a different tree") {
		t.Errorf("%v", err)
	}
}

// movedBy is a bootstrap that places a version between two of the tree.
func movedBy(t *testing.T, wasParent string) string {
	t.Helper()
	from := t.TempDir()
	boot := `{"format": "drvabi-bootstrap/1", "version": "105.00.01", "nodes": [
		{"version": "105.00.01", "parent": "100.10.01", "was_parent": null, "supported": true, "exists": false, "sha256": {"x86_64": "ab", "arm64": "cd"}},
		{"version": "110.05.01", "parent": "105.00.01", "was_parent": "` + wasParent + `", "supported": true, "exists": true, "sha256": {}}],
		"entries": [], "types": []}`
	for name, text := range map[string]string{"bootstrap.json": boot, "structs.go": "package nvgpu\n"} {
		if err := os.WriteFile(filepath.Join(from, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return from
}

func TestANodeFollowsTheNewOneThatItDescendsFrom(t *testing.T) {
	tree, found := patched(t, movedBy(t, "100.10.01"))
	expectWhole(t, tree, found)
	expectIn(t, read(t, tree, proxyDir+"/version.go"), "v105_00_01 := addDriverABI(105, 0, 01,", "abi := v105_00_01()")
	_, found = patched(t, movedBy(t, "100.00.01"))
	if len(found.problems) != 1 || !strings.Contains(found.problems[0], "the parent of 110.05.01 is not 100.00.01 here") {
		t.Errorf("%q", found.problems)
	}
}

// bootstrapOf is a directory with these files.
func bootstrapOf(t *testing.T, boot, types string) string {
	t.Helper()
	from := t.TempDir()
	for name, text := range map[string]string{"bootstrap.json": boot, "structs.go": types} {
		if err := os.WriteFile(filepath.Join(from, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return from
}

// added is a bootstrap of one frontend ioctl; its type is as JSON has it.
func added(t *testing.T, typeName, requestSize string) string {
	t.Helper()
	boot := `{"format": "drvabi-bootstrap/1", "version": "110.05.01", "nodes": [
		{"version": "110.05.01", "parent": "100.10.01", "supported": true, "exists": true, "sha256": {}}], "types": [
		{"name": "TOY_NEW_PARAMETERS", "record": "TOY_NEW_PARAMETERS", "replaces": null, "node": "110.05.01", "size": 8, "fields": []}], "entries": [
		{"family": "frontend", "name": "NV_ESC_TOY_NEW", "number": 88, "constant": "NV_ESC_TOY_NEW", "node": "110.05.01", "use": "read", "action": "add",
		"record": "TOY_NEW_PARAMETERS", "type": ` + typeName + `, "size": 8, "was": null, "caps": ["graphics"], "request_size": ` + requestSize + `}]}`
	types := "package nvgpu\n\n// TOY_NEW_PARAMETERS is new.\ntype TOY_NEW_PARAMETERS struct {\n\tA uint64\n}\n"
	return bootstrapOf(t, boot, types)
}

func TestARuleOfAnAddedFrontendIoctlWithoutATypeHasTheSizeOfItsRecord(t *testing.T) {
	tree, _ := patched(t, added(t, "null", "8"))
	expectIn(t, read(t, tree, filterFile), "frontendIoctlCmd(nvgpu.NV_ESC_TOY_NEW, 8 /* sizeof(TOY_NEW_PARAMETERS) */)), nvconf.CapGraphics}")
}

func TestTheRuleThatAnAddedOneIsLikeLooksAtTheSizeIfThatIsKnown(t *testing.T) {
	rules := []rule{{name: "A"}, {name: "B", sizeof: "X"}, {name: "C"}, {name: "D", sizeof: "Y"}}
	size := uint64(8)
	for _, one := range []struct {
		rules []rule
		size  *uint64
		name  string
	}{{rules, &size, "D"}, {rules, nil, "C"}, {rules[:1], &size, "A"}, {rules[:3], &size, "B"}} {
		if found := likeRule(one.rules, bootEntry{RequestSize: one.size}); found.name != one.name {
			t.Errorf("like %s, not %s", found.name, one.name)
		}
	}
}

func TestARuleOfAnAddedFrontendIoctlHasTheSizeOfItsType(t *testing.T) {
	tree, found := patched(t, added(t, `"TOY_NEW_PARAMETERS"`, "8"))
	expectIn(t, read(t, tree, filterFile), "frontendIoctlCmd(nvgpu.NV_ESC_TOY_NEW, nvgpu.SizeofTOY_NEW_PARAMETERS)), nvconf.CapGraphics}")
	expectIn(t, read(t, tree, abiDir+"/nvgpu.go"), "= uint32((*TOY_NEW_PARAMETERS)(nil).SizeBytes())")
	for _, todo := range found.todos {
		if strings.Contains(todo, "size") {
			t.Errorf("%s", todo)
		}
	}
}

// gVisor's own test counts one rule for each ioctl.
func TestAnIoctlOfSeveralSizesHasOneRuleIfTheTreeHasSuchRules(t *testing.T) {
	tree := copied(t, "tree")
	edited(t, tree, filterFile, `\{equalTo\(frontendIoctlCmd`, "{equalMasked(frontendIoctlCmd(nvgpu.NV_ESC_TOY_ANY, 0)), compUtil},\n\t\t$0")
	patchTo(t, tree, "testdata/bootstrap")
	text := read(t, tree, filterFile)
	expectIn(t, text, "\t{equalMasked(frontendIoctlCmd(nvgpu.NV_ESC_TOY_MAP, 0)), nvconf.CapGraphics},\n")
	if strings.Count(text, "NV_ESC_TOY_MAP") != 1 {
		t.Errorf("%s", text)
	}
}

func TestACommandWithoutAMacroIsANumberAndMayBeReadNoMore(t *testing.T) {
	const command = `"family": "control", "name": "subdeviceCtrlCmdToy", "number": 545263991, "constant": null, "record": "TOY_PARAMS", "caps": ["compute", "utility"]`
	tree, found := patched(t, bootstrapOf(t, `{"format": "drvabi-bootstrap/1", "version": "110.05.01", "nodes": [
		{"version": "100.10.01", "parent": null, "exists": true, "sha256": {}}, {"version": "110.05.01", "parent": "100.10.01", "exists": true, "sha256": {}}],
		"types": [{"name": "TOY_PARAMS", "record": "TOY_PARAMS", "node": "100.10.01", "size": 8, "fields": []}], "entries": [
		{`+command+`, "node": "100.10.01", "action": "add", "type": "TOY_PARAMS", "was": null, "why": "a pointer"},
		{`+command+`, "node": "110.05.01", "action": "replace", "type": null, "new_handler": {"kind": "rmControlSimple", "type": null},
		 "was": {"name": "subdeviceCtrlCmdToy", "number": 545263991, "record": "TOY_PARAMS", "type": "TOY_PARAMS", "size": 8}}]}`,
		"package nvgpu\n\n// TOY_PARAMS is new.\ntype TOY_PARAMS struct {\n\tA uint64\n}\n"))
	expectIn(t, read(t, tree, versionFile), "0x20801177: ", "ctrlHandler(TODO(drvabi) /* a pointer */, compUtil)", "ioctlInfo(\"\", nvgpu.TOY_PARAMS{})",
		"abi.controlCmd[0x20801177] = ctrlHandler(rmControlSimple, compUtil)", "info.ControlInfos[0x20801177] = simpleIoctlInfo(\"\", \"TOY_PARAMS\")")
	if len(found.problems) > 0 || strings.Contains(read(t, tree, typeFile), "subdeviceCtrlCmdToy") {
		t.Errorf("problems %q\n%s", found.problems, read(t, tree, typeFile))
	}
}
