#!/usr/bin/env bash
# ranges --emit: the node that each release was proven to fit, as JSON and as a Go package with a lookup function.
. "$(dirname "$0")/lib.sh"
fixture

it 'JSON'
run ranges --repo "$REPO" --table "$TABLE" --emit json
expect_status 0
expect 'a note has the number of versions' grep -qx 'drvabi: note: 4 of 4 versions are proven to fit a node; the others are not in the map' "$ERR"
expect_json 'has driver, target and criterion' '.format == "drvabi-version-map/1" and .driver == "nvidia" and .target == "x86_64-linux-gnu" and .criterion == "table" and (.table_hash | test("^[0-9a-f]{32}$"))'
expect_json 'has the node of each version' '
	[.proofs[] | .node as $node | .versions[] | [., $node]] | sort == [["100.10.01", "100.10.01"], ["100.20.02", "100.20.02"], ["110.05.00", "110.05.00"], ["120.01.00", "120.01.00"]]'
expect_json 'has a hash for each ABI' '[.proofs[].hash] | all(test("^[0-9a-f]{32}$")) and (unique | length) >= 3'
keep map.json
run ranges -q --repo "$REPO" --table "$TABLE" --emit json --jobs 1 --no-cache
expect_err_empty
expect_same 'the output has the same bytes in all runs' "$OUT" "$WORK/map.json"

it 'a version that no node fits'
jq 'del(.versions[] | select(.version == "120.01.00"))' "$TABLE" >"$WORK/table.json"
run ranges -q --repo "$REPO" --table table.json --emit json
expect_status 0
expect_json 'is not in the map' '[.proofs[].versions[]] | index("120.01.00") == null and length == 3'
expect_json 'a different table has a different hash' '.table_hash != $old' --arg old "$(jq -r .table_hash "$WORK/map.json")"
keep short.json
jq -c . "$WORK/table.json" >"$WORK/compact.json"
run ranges -q --repo "$REPO" --table compact.json --emit json
expect_same 'the hash does not depend on white space in the table' "$OUT" "$WORK/short.json"

it 'a release that is equal to a different release, whose node is used'
git clone -q --bare "$REPO" "$WORK/more.git"
commit=$(GIT_AUTHOR_NAME=x GIT_AUTHOR_EMAIL=x GIT_COMMITTER_NAME=x GIT_COMMITTER_EMAIL=x \
	git -C "$WORK/more.git" commit-tree -p '110.05.00^{commit}' -m more '100.10.01^{tree}')
git -C "$WORK/more.git" tag 110.06 "$commit"
git -C "$WORK/more.git" tag trial "$commit"
run ranges -q --repo "$WORK/more.git" --table "$TABLE" --emit json
expect_status 0
expect_json 'has the same hash' '[.proofs[] | select(.versions | index("110.06")) | [.node, .hash]] == [.proofs[] | select(.versions | index("100.10.01")) | [.node, .hash]]'
expect_json 'a tag that is not a version is not in the map' '[.proofs[].versions[]] | index("trial") == null'

it 'errors'
run ranges --repo "$REPO" --table "$TABLE" --emit rust
expect_cannot "--emit takes one of go\\|json, not 'rust'"
run ranges --repo "$REPO" --table "$TABLE" --emit go --format json
expect_cannot '--emit and --format cannot be used together: both are forms of output'
jq '.versions |= [.[] | select(.version == "120.01.00") | .version = "999.00.00" | .parent = null | .ioctls = {"control": {"NOWHERE": {"number": 2147483647, "constant": "NOWHERE", "caps": [], "structs": []}}}]' "$TABLE" >"$WORK/none.json"
run ranges --repo "$REPO" --table none.json --emit go
expect_cannot '^drvabi: no release is proven to fit a node of none\.json$'

it 'Go'
mkdir -p "$WORK/go"
run ranges -q --repo "$WORK/more.git" --table "$TABLE" --target "$(uname -m)-linux-gnu" --emit go -o go/versionmap.go
expect_status 0
if ! command -v go gofmt >/dev/null; then
	expect 'Go is not installed' true # SKIP
	done_testing
	exit
fi
printf 'module versionmap\n\ngo 1.19\n' >"$WORK/go/go.mod"
sed "s/MACHINE/$(uname -m)/" >"$WORK/go/versionmap_test.go" <<'GO'
package versionmap

import "testing"

const open = "NVRM version: NVIDIA UNIX Open Kernel Module for MACHINE  110.05.00  Release Build  (builder@host)  Mon Dec  8 12:15:45 UTC 2025\nGCC version:  gcc version 12.2.0 (Debian 12.2.0-14)\n"

func TestFind(t *testing.T) {
	for text, want := range map[string][2]string{
		open: {"110.05.00", "110.05.00"},
		"NVRM version: NVIDIA UNIX MACHINE Kernel Module  100.20.02  Sun Mar 23 00:00:00 UTC 2025\n": {"100.20.02", "100.20.02"},
		"NVRM version: NVIDIA UNIX MACHINE Kernel Module  110.06.00  Sun Mar 23":                    {"110.06.00", "100.10.01"},
		"NVRM version: NVIDIA UNIX MACHINE Kernel Module  110.6\n":                                  {"110.6", "100.10.01"},
	} {
		version, proof, err := Find(text)
		if err != nil || version != want[0] || proof.Node != want[1] || len(proof.Hash) != 32 {
			t.Errorf("Find(%q) = %q, %v, %v; want %v", text, version, proof, err, want)
		}
	}
}

func TestRefused(t *testing.T) {
	for _, text := range []string{
		"",
		"\n" + open,
		"110.05.00",
		"NVRM version: NVIDIA UNIX Open Kernel Module for MACHINE  110.05.01  Release Build\n",
		"NVRM version: NVIDIA UNIX Open Kernel Module for MACHINE  110  Release Build\n",
		"NVRM version: NVIDIA UNIX Open Kernel Module for MACHINE  110.05.00.1  Release Build\n",
		"NVRM version: NVIDIA UNIX Open Kernel Module for MACHINE  110.05.00-beta  Release Build\n",
		"NVRM version: NVIDIA UNIX Open Kernel Module for MACHINE  110.05.00  120.01.00  Release Build\n",
		"NVRM version: NVIDIA UNIX Open Kernel Module for MACHINE\nGCC version: gcc version 110.05.00\n",
		"NVRM version: NVIDIA UNIX Open Kernel Module for riscv64  110.05.00  Release Build\n",
		"version: NVIDIA UNIX Open Kernel Module for MACHINE  110.05.00  Release Build\n",
	} {
		if version, proof, err := Find(text); err == nil || version != "" || proof != (Proof{}) {
			t.Errorf("Find(%q) = %q, %v, %v; want an error alone", text, version, proof, err)
		}
	}
}

func TestLookup(t *testing.T) {
	if len(Versions()) != 5 {
		t.Errorf("Versions() = %q; want 5", Versions())
	}
	for _, version := range Versions() {
		if _, err := Lookup(version); err != nil {
			t.Error(err)
		}
	}
	for _, version := range []string{"110.05.00", "110.5.0", "110.05"} {
		if proof, err := Lookup(version); err != nil || proof.Node != "110.05.00" {
			t.Errorf("Lookup(%q) = %v, %v", version, proof, err)
		}
	}
	for _, version := range []string{"", "110", "110.", "110.-5.0", "110.05.00.00", "999.01.01", "18446744073709551726.5.0"} {
		if proof, err := Lookup(version); err == nil {
			t.Errorf("Lookup(%q) = %v; want an error", version, proof)
		}
	}
}
GO
# go WHAT... - run Go without a network
lib_go() {
	(cd "$WORK/go" && GOTOOLCHAIN=local GOPROXY=off GOFLAGS='' GOCACHE="${GOCACHE:-$DRVABI_TEST_DIR/gocache}" go "$@")
}
expect 'has the format of gofmt' [ -z "$(gofmt -l "$WORK/go/versionmap.go" 2>&1)" ]
if ! in_full; then # Go compiles its library first, for half a minute of processor time
	done_testing
	exit
fi
expect 'passes go vet' lib_go vet .
expect 'maps the text of /proc/driver/nvidia/version, and rejects versions that are not in the map' lib_go test .

done_testing
