package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// edited changes a file of a tree, and wants every change to change something.
func edited(t *testing.T, tree, file string, changes ...string) {
	t.Helper()
	text := read(t, tree, file)
	for i := 0; i < len(changes); i += 2 {
		pattern := regexp.MustCompile(changes[i])
		if !pattern.MatchString(text) {
			t.Fatalf("%s has no %s", file, changes[i])
		}
		text = pattern.ReplaceAllString(text, changes[i+1])
	}
	if err := os.WriteFile(filepath.Join(tree, file), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// olderTree is the small tree as gVisor's was until July 2025: lists of structs in place of infos, one checksum, and nodes between that are variables.
func olderTree(t *testing.T) string {
	t.Helper()
	tree := copied(t, "tree")
	edited(t, tree, versionFile,
		`getInfo func\(\) \*DriverABIInfo\n`, "getStructs driverABIStructsFunc\n",
		`type driverABIFunc func`, "type driverABIStructsFunc func() *driverABIStructs\n\ntype driverABIFunc func",
		`DriverABIInfo`, "driverABIStructs",
		`(get|prevGet)Info\b`, "${1}Structs",
		`\binfo := prev`, "structs := prev", `\binfo\.Control`, "structs.Control", `return info\n(\t+}\n\t+return abi)`, "return structs\n$1",
		`FrontendInfos`, "frontendStructs", `UvmInfos`, "uvmStructs", `ControlInfos`, "controlStructs", `AllocationInfos`, "allocationStructs",
		`IoctlInfo\b`, "DriverStruct",
		`(\]|: +|= )ioctlInfo\("\w+", `, "${1}driverStructs(", `simpleDriverStruct\("\w+", `, "simpleDriverStruct(",
		`(?s)func simpleDriverStruct.*$`, "",
		`, checksumX86_64, checksumARM64 string`, ", runfileChecksum string", `"bb", "cc"`, `"bb"`, `"dd", "ee"`, `"dd"`, `"aa", ChecksumNoDriver`, `"aa"`,
		`(?s)addUnsupportedDriverABI\(100, 10, 01, (func\(\) \*driverABI \{.*?\n\t\t\})\)\n`, "$1\n")
	text := read(t, tree, versionFile)
	text = strings.Replace(text, "return addUnsupportedDriverABI(major, minor, patch, cons)", "abis[fmt.Sprintf(\"%d.%02d.%02d\", major, minor, patch)] = cons\n\treturn cons", 1)
	from := strings.Index(text, "func addUnsupportedDriverABI")
	to := from + strings.Index(text[from:], "\n}\n") + 3
	text = text[:from] + text[to:] + `
func simpleDriverStruct(names ...string) []DriverStruct {
	return make([]DriverStruct, len(names))
}

func driverStructs(params ...any) []DriverStruct {
	return make([]DriverStruct, len(params))
}

func driverStructWithName(param any, name string) []DriverStruct {
	return []DriverStruct{{Name: name}}
}
`
	text = regexp.MustCompile(`(Structs +|: +)map\[(\w+|nvgpu\.ClassID)\]DriverStruct`).ReplaceAllString(text, "${1}map[$2][]DriverStruct")
	if err := os.WriteFile(filepath.Join(tree, versionFile), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return tree
}

func TestTheOlderTreeCompilesAndIsWhole(t *testing.T) {
	tree := olderTree(t)
	expectWhole(t, tree, &patcher{})
}

func TestAnOlderTreeIsPatchedInItsOwnShape(t *testing.T) {
	tree := olderTree(t)
	expectWhole(t, tree, patchTo(t, tree, "testdata/bootstrap"))
	expectIn(t, read(t, tree, versionFile),
		"v110_09_01 := addDriverABI(110, 9, 01, \"dd\", v110_05_01)\n",
		"v120_00_09 := func() *driverABI {\n\t\t\tabi := v110_09_01()\n", // no addUnsupportedDriverABI
		"_ = addDriverABI(120, 01, 01, \"ff\", func() *driverABI {\n",    // one checksum
		"prevStructs := abi.getStructs\n",
		"structs.uvmStructs[nvgpu.UVM_TOY_FREE] = driverStructWithName(nvgpu.UVM_TOY_FREE_PARAMS_V120{}, \"UVM_TOY_FREE_PARAMS\")",
		"structs.controlStructs[nvgpu.NV2080_CTRL_CMD_TOY_GET_INFO_V120] = simpleDriverStruct(\"NV2080_CTRL_TOY_GET_INFO_PARAMS\")")
}

func TestAnOlderTreesTableHasItsNodesBetween(t *testing.T) {
	root := tableFor(t, olderTree(t)).Versions[0]
	expectText(t, []any{root.Version, root.Supported}, `["100.10.01",false]`)
	expectText(t, root.Ioctls["alloc"]["TOY_P2P"].Structs, `[{"driver":"TOY_P2P_PARAMS","proxy":"TOY_P2P_PARAMS"}]`)
}

func TestAnOlderTreesRenumberedEntryHasTheDriversConstant(t *testing.T) {
	tree := olderTree(t)
	patchTo(t, tree, "testdata/bootstrap")
	versions := tableFor(t, tree).Versions
	entry := versions[len(versions)-1].Ioctls["control"]["NV2080_CTRL_CMD_TOY_GET_INFO_V120"]
	expectText(t, []any{entry.Number, entry.Constant}, `[545263875,"NV2080_CTRL_CMD_TOY_GET_INFO"]`)
}

// supports is a bootstrap that supports a version which the tree has as a node between.
func supports(t *testing.T, version string) string {
	t.Helper()
	dir := t.TempDir()
	text := `{"format": "drvabi-bootstrap/1", "version": "` + version + `", "verdict": "node only", "parent": "` + version + `",
		"nodes": [{"version": "` + version + `", "parent": null, "supported": true, "exists": true, "sha256": {"x86_64": "77", "arm64": "88"}}], "entries": [], "types": []}`
	if err := os.WriteFile(filepath.Join(dir, "bootstrap.json"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestANodeBetweenBecomesSupported(t *testing.T) {
	tree := copied(t, "tree")
	expectWhole(t, tree, patchTo(t, tree, supports(t, "100.10.01")))
	expectIn(t, read(t, tree, versionFile), "v100_10_01 := addDriverABI(100, 10, 01, \"77\", \"88\", func() *driverABI {")
}

func TestANodeBetweenThatIsAVariableBecomesSupported(t *testing.T) {
	tree := olderTree(t)
	expectWhole(t, tree, patchTo(t, tree, supports(t, "100.10.01")))
	expectIn(t, read(t, tree, versionFile), "v100_10_01 := addDriverABI(100, 10, 01, \"77\", func() *driverABI {", "\n\t\t})\n")
}

func TestASupportedNodeIsLeftAsItIs(t *testing.T) {
	tree := copied(t, "tree")
	before := read(t, tree, versionFile)
	patchTo(t, tree, supports(t, "110.05.01"))
	if read(t, tree, versionFile) != before {
		t.Error("it was changed")
	}
}

// marked is testdata/bootstrap with types that have structs.HostLayout.
func marked(t *testing.T) string {
	t.Helper()
	dir := copied(t, "bootstrap")
	edited(t, dir, "structs.go", `(type \w+ struct \{\n)`, "$1\t_    structs.HostLayout\n", `(package \w+\n)`, "$1\nimport \"structs\"\n")
	return dir
}

func TestTypesAreNotMarkedWhereTheTreeHasNoMarkers(t *testing.T) {
	tree := copied(t, "tree")
	expectWhole(t, tree, patchTo(t, tree, marked(t)))
	if strings.Contains(read(t, tree, typeFile), "HostLayout") {
		t.Error("they are")
	}
}

func TestMarkedTypesBringTheImport(t *testing.T) {
	if err := exec.Command("go", "list", "structs").Run(); err != nil {
		t.Skip("package structs needs Go 1.23")
	}
	tree := copied(t, "tree")
	other := "package nvgpu\n\nimport \"structs\"\n\n// Other is marked.\ntype Other struct {\n\t_ structs.HostLayout\n\tA uint8\n}\n"
	if err := os.WriteFile(filepath.Join(tree, abiDir, "other.go"), []byte(other), 0o666); err != nil {
		t.Fatal(err)
	}
	expectWhole(t, tree, patchTo(t, tree, marked(t)))
	text := read(t, tree, typeFile)
	if strings.Count(text, "import \"structs\"\n") != 1 || !strings.Contains(text, "structs.HostLayout") {
		t.Errorf("the import or the marker is missing:\n%s", text)
	}
}

func TestATwinOfATwinHasOneVersionInItsName(t *testing.T) {
	tree, _ := patched(t, "testdata/bootstrap")
	dir := t.TempDir()
	boot := `{"format": "drvabi-bootstrap/1", "version": "130.01.01", "verdict": "node with changes", "parent": "120.01.01",
		"nodes": [{"version": "130.01.01", "parent": "120.01.01", "supported": true, "exists": false, "sha256": {"x86_64": "12", "arm64": "34"}}],
		"entries": [{"family": "alloc", "name": "TOY_CHANNEL", "number": 36975, "constant": "TOY_CHANNEL", "node": "130.01.01", "use": "read", "action": "replace",
			"record": "TOY_CHANNEL_PARAMS", "type": "TOY_CHANNEL_PARAMS_V130", "size": 24, "caps": ["compute", "utility"],
			"was": {"name": "TOY_CHANNEL", "number": 36975, "constant": "TOY_CHANNEL", "record": "TOY_CHANNEL_PARAMS", "type": "TOY_CHANNEL_PARAMS_V120", "size": 16}}],
		"types": [{"name": "TOY_CHANNEL_PARAMS_V130", "record": "TOY_CHANNEL_PARAMS", "replaces": "TOY_CHANNEL_PARAMS_V120", "node": "130.01.01", "size": 24, "fields": []}]}`
	structs := "package nvgpu\n\n// TOY_CHANNEL_PARAMS_V130 is new.\ntype TOY_CHANNEL_PARAMS_V130 struct {\n\tTOY_CHANNEL_PARAMS_V120\n\tMore uint64\n}\n"
	for name, text := range map[string]string{"bootstrap.json": boot, "structs.go": structs} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	expectWhole(t, tree, patchTo(t, tree, dir))
	expectIn(t, read(t, tree, handlerFile), "func rmAllocToyChannelV130() uint32", "func(params *nvgpu.TOY_CHANNEL_PARAMS_V130) uint32")
	expectIn(t, read(t, tree, versionFile), "allocHandler(rmAllocToyChannelV130, compUtil)")
}

func TestAForgottenHandlerIsNamedThoughItsFunctionKnowsBothTypes(t *testing.T) {
	tree, _ := patched(t, "testdata/bootstrap")
	edited(t, tree, handlerFile, `(func uvmIoctlSimple\[[^{]*\{\n)`, "$1\tvar _ nvgpu.UVM_TOY_FREE_PARAMS\n\tvar _ nvgpu.UVM_TOY_FREE_PARAMS_V120\n")
	if out, status := checked(t, tree); status != 0 {
		t.Errorf("--check: %s", out)
	}
	edited(t, tree, versionFile, `.*abi\.uvmIoctl\[nvgpu\.UVM_TOY_FREE\] = .*\n`, "")
	out, _ := checked(t, tree)
	expectIn(t, out, "120.00.09 uvm UVM_TOY_FREE: handler: the info has UVM_TOY_FREE_PARAMS_V120, but the handler UVM_TOY_FREE_PARAMS")
}
