package main

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
)

// A patch begins with the table and the tree that it was made for. git apply and patch ignore these lines:
//
//	nvproxy-patch for 590.48.01
//	table:   gvisor nvproxy, a checkout of gVisor, SHA-256 …
//	tree:    SHA-256 …
//	patched: SHA-256 …
//
// The SHA-256 of a tree is that of a list of the files of nvproxy that are read (source.hash). A table from --table has its tree's
// SHA-256 as its revision. A table from nvproxy-table has the version of gVisor's module, which does not identify a checkout.

const treeRevision = "a checkout of gVisor, SHA-256 "

var originLine = regexp.MustCompile(`(?m)^(table|tree|patched):(?:.*[ ,])? *SHA-256 ([0-9a-f]{64})$`)

func originOf(src *source, boot *bootstrap) (string, error) {
	before, err := src.hash(false)
	if err != nil {
		return "", err
	}
	after, err := src.hash(true)
	if err != nil {
		return "", err
	}
	table := strings.Trim(strings.Join(strings.Fields(boot.Table+", "+boot.Revision), " "), ", ")
	return fmt.Sprintf("nvproxy-patch for %s\ntable:   %s\ntree:    SHA-256 %s\npatched: SHA-256 %s\n\n", boot.Version, table, before, after), nil
}

// checkOrigin returns an error if the patch was made for a different tree, or from the table of a different tree.
func checkOrigin(path string, src *source, out io.Writer) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	head := strings.SplitN(string(text), "\ndiff --git ", 2)[0]
	sums := map[string]string{}
	for _, match := range originLine.FindAllStringSubmatch(head, -1) {
		sums[match[1]] = match[2]
	}
	if sums["tree"] == "" || sums["patched"] == "" {
		return fmt.Errorf("%s does not name the tree that it was made for; write it again with nvproxy-patch", path)
	}
	is, err := src.hash(false)
	if err != nil {
		return err
	}
	if is != sums["tree"] && is != sums["patched"] {
		return fmt.Errorf("%s was made for a tree with the SHA-256 %s, but the SHA-256 of %s is %s; write the patch again for this tree", path, sums["tree"], src.root, is)
	}
	if table := sums["table"]; table != "" && table != sums["tree"] {
		return fmt.Errorf("%s was made from the table of a different tree, with the SHA-256 %s; write table and patch again for this tree", path, table)
	}
	if sums["table"] == "" {
		fmt.Fprintf(out, "%s: cannot check that its table is of this tree; only tables from nvproxy-patch --table name their tree\n", path)
	}
	applied := "not applied"
	if is == sums["patched"] {
		applied = "applied"
	}
	fmt.Fprintf(out, "%s: made for this tree, %s\n", path, applied)
	return nil
}
