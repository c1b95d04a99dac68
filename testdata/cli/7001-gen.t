#!/usr/bin/env bash
# drvabi gen --lang go: records, numbers and constants in Go, for one version, a range, or a proxy table.
. "$(dirname "$0")/lib.sh"
fixture

# gen ARGUMENT... - run gen for the demo driver
gen() {
	run gen --lang go --repo "$REPO" "$@"
}

# compiles WHAT FILE... - pass if the files have the format of gofmt and pass go vet. Without Go, the test is skipped.
compiles() {
	local what=$1
	shift
	command -v go >/dev/null || { pass "$what compiles # SKIP Go is not installed"; return; }
	rm -rf "$WORK/go"
	mkdir -p "$WORK/go"
	cp "$@" "$WORK/go"
	printf 'module check\n\ngo 1.23\n' >"$WORK/go/go.mod"
	expect "$what has the format of gofmt" lib_gofmt
	if grep -q '"structs"' "$@" && ! go list structs >/dev/null 2>&1; then
		pass "$what compiles # SKIP Go is older than 1.23, and does not have the package structs"
		return
	fi
	expect "$what compiles" lib_go_vet
}

lib_gofmt() {
	[ -z "$(gofmt -l "$WORK/go")" ] || { gofmt -d "$WORK/go"; return 1; }
}

lib_go_vet() {
	(cd "$WORK/go" && GOTOOLCHAIN=local GOPROXY=off GOCACHE="${GOCACHE:-$DRVABI_TEST_DIR/gocache}" go vet .)
}

it 'one version'
gen --version 120.01.00 NVOS54_PARAMETERS UVM_FREE 'NV2080_CTRL_GPU_QUERY_MODE*' 'NV_CHANNEL*'
expect_status 0
expect_err_empty
expect_out_is plain.go
cp "$OUT" "$WORK/plain.go"
compiles 'it' "$WORK/plain.go"

it "one version, with nvproxy's names"
gen --version 120.01.00 --style nvproxy 'UVM_REGISTER_GPU*' NV2080_CTRL_DEMO_BIND_PARAMS
expect_status 0
expect_out_is nvproxy.go
cp "$OUT" "$WORK/nvproxy.go"
printf 'package nvgpu\n\ntype Handle struct{ Val uint32 }\n\ntype NvUUID [16]uint8\n\ntype P64 uint64\n' >"$WORK/own.go"
compiles 'with the types of the package, it' "$WORK/nvproxy.go" "$WORK/own.go"

it 'a range has each layout once'
gen --versions 100.10.01..120.01.00 'UVM_MAP*' NV2080_CTRL_CMD_GPU_GET_NAME
expect_status 0
expect_out_is range.go
cp "$OUT" "$WORK/range.go"
compiles 'it' "$WORK/range.go"

it 'a range for nvproxy'
gen --style nvproxy --versions 100..120 UVM_MAP_EXTERNAL_ALLOCATION NV_CHANNEL_ALLOC_PARAMS
expect_status 0
expect_out_is range-nvproxy.go

it 'a range without ends has all versions'
gen --versions .. UVM_MAP_EXTERNAL_ALLOCATION_PARAMS
cp "$OUT" "$WORK/all.go"
gen --versions 100.10.01..120.01.00 UVM_MAP_EXTERNAL_ALLOCATION_PARAMS
expect_same 'is the same as with both ends' "$WORK/all.go" "$OUT"

it 'everything'
gen --versions .. '*'
expect_status 0
cp "$OUT" "$WORK/everything.go"
gen --versions .. '*'
expect_same 'the output has the same bytes again' "$WORK/everything.go" "$OUT"
compiles 'it' "$WORK/everything.go"

it 'the types of a table'
run gen --lang go --table "$TABLE"
expect_status 0
expect_out_like '^package nvgpu$'
cp "$OUT" "$WORK/table.go"
compiles 'it' "$WORK/table.go"
run gen --lang go --table "$TABLE" --style nvproxy --package other 'UVM_FREE*'
expect_out_like '^package other$'
expect_out_like '^type UVM_FREE_PARAMS struct \{$'
expect_out_unlike '^type NVOS'

lib_refused() {
	! cmp -s "$WORK/plain.go" "$WORK/go/plain.go" && ! lib_go_vet 2>/dev/null
}

it 'a wrong offset'
if command -v go >/dev/null; then
	rm "$WORK/go/table.go"
	sed -E '0,/(Offsetof.*)-8\]/s//\1-4]/' "$WORK/plain.go" >"$WORK/go/plain.go"
	expect 'does not compile' lib_refused
fi

it 'from a document'
run extract --repo "$REPO" 120.01.00
cp "$OUT" "$WORK/document.json"
run gen --lang go --json document.json UVM_FREE_PARAMS
expect_status 0
expect_out_like '^type UVM_FREE_PARAMS struct \{$'

it 'an unknown name'
gen --version 120.01.00 UVM_FREE_PARAM
expect_cannot "nvidia 120\.01\.00 is called 'UVM_FREE_PARAM'; nearest: UVM_FREE_PARAMS$"
gen --version 120.01.00 UVM_FREE_PARAMS 'NO_SUCH_*'
expect_cannot "is called 'NO_SUCH_\*'$"
run gen --lang go --table "$TABLE" UVM_FREE_PARAM
expect_cannot "has no type called 'UVM_FREE_PARAM'; nearest: UVM_FREE_PARAMS$"

it 'unknown versions'
gen --versions 110..130 'UVM_*'
expect_cannot "none of the 4 versions is or begins with '130'; nearest: "
gen --versions 120..110 'UVM_*'
expect_cannot '120\.01\.00 has a higher number than 110\.05\.00; give the lower one first$'
gen --versions 110, 'UVM_*'
expect_cannot "takes A\.\.B or A,B, not ''$"

it 'a selection of versions'
gen --versions 120,110 'UVM_*'
expect_status 0
expect_out_like '110\.05\.00\.\.120\.01\.00 \(2 versions\)'

it 'errors'
run gen UVM_FREE
expect_cannot 'gen needs --lang go\|c\|rust\|python$'
run gen --lang cobol UVM_FREE
expect_cannot "takes one of go\|c\|rust\|python, not 'cobol'$"
run gen --lang go --style purple UVM_FREE
expect_cannot "plain\|nvproxy, not 'purple'$"
run gen --lang go
expect_cannot 'what should be generated\?'
gen --package 'a b' UVM_FREE
expect_cannot "'a b' is not a valid package name in Go"
gen --versions 100..120 --version 120.01.00 UVM_FREE
expect_cannot '--versions and --version cannot be used together'
run gen --lang go --table "$TABLE" --version 120.01.00
expect_cannot '--table and --version cannot be used together: the types of a table have no version$'

it 'a document with contradictions'
jq '.records.UVM_FREE_PARAMS.fields[1].offset = 4' "$WORK/document.json" >"$WORK/overlap.json"
run gen --lang go --json overlap.json UVM_FREE_PARAMS
expect_cannot 'member length of record UVM_FREE_PARAMS overlaps the member before it'
jq '.records.UVM_FREE_PARAMS.fields[0].name = "a int\n}\nfunc init() { panic(1) }\ntype x struct {"' "$WORK/document.json" >"$WORK/hostile.json"
run gen --lang go --json hostile.json UVM_FREE_PARAMS
expect_cannot 'does not have a valid name in Go; fix the document'
jq '.version = "1\"}\nfunc init() {}"' "$WORK/document.json" >"$WORK/hostile.json"
run gen --lang go --json hostile.json UVM_FREE_PARAMS
expect_status 0
expect_out_unlike '^func init'

done_testing
