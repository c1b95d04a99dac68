package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"drvabi/proxysource"
)

func tableFor(t *testing.T, tree string) *proxysource.Table {
	t.Helper()
	table, err := tableOf(tree)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func asText(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func expectText(t *testing.T, value any, wanted string) {
	t.Helper()
	if got := asText(t, value); got != wanted {
		t.Errorf("got  %s\nwant %s", got, wanted)
	}
}

func TestATableHasTheTreesVersions(t *testing.T) {
	var all []string
	for _, node := range tableFor(t, "testdata/tree").Versions {
		all = append(all, node.Version+" after "+textOf(node.Parent)+" "+asText(t, node.Supported)+asText(t, node.Sha256))
	}
	// Checksums of the small tree are none: they are not 64 digits.
	expectText(t, all, `["100.10.01 after  falsenull","100.20.08 after 100.10.01 truenull","110.05.01 after 100.10.01 truenull","110.09.01 after 110.05.01 truenull"]`)
}

func TestATableHasAnEntryWithAllThatTheTreeSays(t *testing.T) {
	table := tableFor(t, "testdata/tree")
	root := table.Versions[0].Ioctls
	expectText(t, root["uvm"]["UVM_TOY_FREE"], `{"number":34,"constant":"UVM_TOY_FREE","caps":["compute","utility"],`+
		`"structs":[{"driver":"UVM_TOY_FREE_PARAMS","proxy":"UVM_TOY_FREE_PARAMS"}],"handler":{"kind":"uvmIoctlSimple","type":null}}`)
	expectText(t, root["control"]["NV2080_CTRL_CMD_TOY_GET_INFO"], `{"number":545263873,"constant":"NV2080_CTRL_CMD_TOY_GET_INFO","caps":["compute","utility"],`+
		`"structs":[{"driver":"NV2080_CTRL_TOY_GET_INFO_PARAMS","proxy":null}],"handler":{"kind":"rmControlSimple","type":null}}`)
	if len(table.Versions[2].Ioctls["control"]) != 1 || len(table.Versions[1].Ioctls) != 0 {
		t.Errorf("a version has more than its own entries: %s", asText(t, table.Versions))
	}
}

func TestATableHasTheLayoutsOfTypesAndOfWhatTheyConsistOf(t *testing.T) {
	types := tableFor(t, "testdata/tree").Types
	expectText(t, types["UVM_TOY_FREE_PARAMS"], `{"size":24,"fields":[{"name":"Base","offset":0,"type":"uint64"},{"name":"Length","offset":8,"type":"uint64"},`+
		`{"name":"RMStatus","offset":16,"type":"uint32"},{"name":"Pad0","offset":20,"type":"uint8[4]"}]}`)
	expectText(t, types["Handle"], `{"size":4,"fields":[{"name":"Val","offset":0,"type":"uint32"}],"role":"handle"}`)
}

func TestAPatchedTreesTableHasTheNewNode(t *testing.T) {
	tree, _ := patched(t, "testdata/bootstrap")
	table := tableFor(t, tree)
	node := table.Versions[len(table.Versions)-2]
	expectText(t, []any{node.Version, node.Parent, node.Supported}, `["120.00.09","110.09.01",false]`)
	expectText(t, node.Ioctls["uvm"]["UVM_TOY_MAP"], "null")
	if table.Types["UVM_TOY_FREE_PARAMS_V120"] == nil || table.Types["UVM_TOY_MAP_PARAMS"] == nil {
		t.Error("a type is missing")
	}
}

// replaced is a copy of the small tree with one text in place of another.
func replaced(t *testing.T, file, from, to string) string {
	t.Helper()
	tree := copied(t, "tree")
	text := read(t, tree, file)
	if strings.Count(text, from) != 1 {
		t.Fatalf("%q is not once in %s", from, file)
	}
	if err := os.WriteFile(filepath.Join(tree, file), []byte(strings.Replace(text, from, to, 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	return tree
}

func TestATableReadsInfosOfOlderTrees(t *testing.T) {
	tree := replaced(t, versionFile, `simpleIoctlInfo("NV2080_CTRL_CMD_TOY_SET_LIMIT", "NV2080_CTRL_TOY_SET_LIMIT_PARAMS")`, `simpleDriverStruct("NV2080_CTRL_TOY_SET_LIMIT_PARAMS")`)
	entry := tableFor(t, tree).Versions[2].Ioctls["control"]["NV2080_CTRL_CMD_TOY_SET_LIMIT"]
	expectText(t, []any{entry.Constant, entry.Structs}, `["NV2080_CTRL_CMD_TOY_SET_LIMIT",[{"driver":"NV2080_CTRL_TOY_SET_LIMIT_PARAMS","proxy":null}]]`)
}

func TestANumberWithoutANameIsAnEntry(t *testing.T) {
	tree := replaced(t, versionFile, "abi.controlCmd[nvgpu.NV2080_CTRL_CMD_TOY_SET_LIMIT] =", "abi.controlCmd[0x20801299] = ctrlHandler(rmControlSimple, compUtil)\nabi.controlCmd[nvgpu.NV2080_CTRL_CMD_TOY_SET_LIMIT] =")
	entry := tableFor(t, tree).Versions[2].Ioctls["control"]["UNKNOWN_CONTROL_COMMAND_20801299"]
	expectText(t, entry, `{"number":545264281,"constant":null,"caps":["compute","utility"],"structs":[],"handler":{"kind":"rmControlSimple","type":null}}`)
}

func TestAHandlersTypeIsThatWhichItReads(t *testing.T) {
	tree := replaced(t, handlerFile, "func rmAllocSimple[T any]() uint32 { return toyInvoke(new(T)) }",
		"func rmAllocSimple[T any]() uint32 { return deeper[T]() }\nfunc deeper[T any]() uint32 { var p T; p.CopyIn(t, addr(params.PAllocParms)); return 0 }")
	root := tableFor(t, tree).Versions[0].Ioctls
	expectText(t, root["alloc"]["TOY_P2P"].Handler, `{"kind":"rmAllocSimple","type":"TOY_P2P_PARAMS","fields":[]}`)
	expectText(t, root["alloc"]["TOY_CHANNEL"].Handler, `{"kind":"rmAllocToyChannel","type":null}`)
}

func TestAHandlerSaysWhichFieldsItNames(t *testing.T) {
	tree := replaced(t, handlerFile, "func rmAllocSimple[T any]() uint32 { return toyInvoke(new(T)) }",
		"func rmAllocSimple[T any]() uint32 { var p nvgpu.TOY_P2P_PARAMS; p.CopyIn(t, addr(params.PAllocParms)); p.Base = 1; return 0 }")
	expectText(t, tableFor(t, tree).Versions[0].Ioctls["alloc"]["TOY_P2P"].Handler, `{"kind":"rmAllocSimple","type":"TOY_P2P_PARAMS","fields":["Base"]}`)
}

func TestAHandlersTypeThatIsInItsBodyIsNotGuessed(t *testing.T) {
	tree := replaced(t, handlerFile, "func allocWith[T any](then func(params *T) uint32) uint32 {", "func allocWith[T any](then func(params *T) uint32) uint32 {\nparams.CopyIn(t, addr(params.PAllocParms))")
	expectText(t, tableFor(t, tree).Versions[0].Ioctls["alloc"]["TOY_CHANNEL"].Handler, `{"kind":"rmAllocToyChannel"}`)
}

func TestATableIsNotWrittenIfSomethingIsNotUnderstood(t *testing.T) {
	for wanted, tree := range map[string]string{
		"ioctlInfo has too few arguments":      replaced(t, versionFile, `ioctlInfo("TOY_P2P", nvgpu.TOY_P2P_PARAMS{})`, "ioctlInfo()"),
		"cannot read these capabilities":       replaced(t, versionFile, "ctrlHandler(rmControlSimple, nvconf.CapProfiling)", "ctrlHandler(rmControlSimple, nvconf.CapToy)"),
		"the number of TOY_CHANNEL is unknown": replaced(t, typeFile, "TOY_CHANNEL = 0x0000906f", "TOY_OTHER = 0x0000906f"),
		"does not declare the type TOY_P2P":    replaced(t, typeFile, "type TOY_P2P_PARAMS struct", "type TOY_OTHER struct"),
	} {
		path := filepath.Join(t.TempDir(), "table.json")
		_, err := writeTable(options{tree: tree, output: path})
		if err == nil || !strings.Contains(err.Error(), wanted) {
			t.Errorf("got %v, not %s", err, wanted)
		}
		if _, err := os.Stat(path); err == nil {
			t.Error("there is a table")
		}
	}
}
