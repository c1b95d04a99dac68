package main

import (
	"encoding/json"
	"testing"

	"drvabi/proxysource"
)

func TestNodesHoldWhatDiffersFromTheirParent(t *testing.T) {
	constant := "C"
	kept := &proxysource.Entry{Number: 1, Constant: &constant, Caps: []string{}, Structs: []proxysource.StructUse{}}
	again := *kept
	changed := &proxysource.Entry{Number: 1, Structs: []proxysource.StructUse{{Driver: "D"}}}
	parent := "1"
	full := map[string]map[string]proxysource.Entries{
		"1": {"control": {"same": kept, "gone": kept, "changed": kept}, "uvm": {"same": kept}},
		"2": {"control": {"same": &again, "new": kept, "changed": changed}, "uvm": {"same": &again}},
	}
	made := &proxysource.Node{Version: "2", Parent: &parent}
	setDifference(made, full)
	got, err := json.Marshal(made)
	want := `{"version":"2","parent":"1","supported":false,"ioctls":{"control":{` +
		`"changed":{"number":1,"constant":null,"structs":[{"driver":"D","proxy":null}]},` +
		`"gone":null,"new":{"number":1,"constant":"C","caps":[],"structs":[]}}}}`
	if err != nil || string(got) != want {
		t.Errorf("%s (%v), want\n%s", got, err, want)
	}
}
