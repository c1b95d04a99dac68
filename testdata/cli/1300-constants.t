#!/usr/bin/env bash
# --constants adds macros and enumerators from the driver's source to the document.
# shellcheck disable=SC2016 # variables of jq
. "$(dirname "$0")/lib.sh"
fixture

unpack 110.05.00 tree
header=$WORK/tree/src/common/sdk/nvidia/inc/ctrl/ctrl2080/ctrl2080field.h
cat >"$header" <<'C'
#define DEMO_FIELD_LOW (-2)
#define DEMO_FIELD_ALL (DEMO_FIELD_WIDTH + sizeof(unsigned long))
#define DEMO_FIELD_WIDTH 0x30U
#define DEMO_FIELD_BITS 7:0
#define DEMO_FIELD_LARGE 0xfffffffffffffffeULL
#define DEMO_FIELD_TEXT "text"
#define DEMO_FIELD_CALL(x) (x)
#define DEMO_FIELD_EMPTY
/* The number of an ioctl: it must not become its name. */
#define DEMO_FIELD_COMMAND 0x20800110U
enum demo_field { DEMO_FIELD_FIRST = 5, DEMO_FIELD_SECOND };
C

it 'a tree'
run extract --dir ./tree
expect_status 0
expect_json 'has none of these constants in its document' '.constants | has("DEMO_FIELD_WIDTH") or has("DEMO_FIELD_FIRST") | not'
keep plain.json
run extract --dir ./tree --constants 'DEMO_FIELD_*'
expect_status 0
expect_err_like '^drvabi: \./tree: 1 warning from extraction; details with -v$'
keep more.json
expect_json 'has only the integers' '.constants | delpaths($plain[0].constants | keys | map([.])) == {
	"DEMO_FIELD_ALL": 56, "DEMO_FIELD_COMMAND": 545259792, "DEMO_FIELD_FIRST": 5, "DEMO_FIELD_LARGE": "0xfffffffffffffffe",
	"DEMO_FIELD_LOW": -2, "DEMO_FIELD_SECOND": 6, "DEMO_FIELD_WIDTH": 48}' --slurpfile plain "$WORK/plain.json"
expect_json 'keeps all other parts of the document' '($plain[0].constants | to_entries) - (.constants | to_entries) == [] and
	 ([., $plain[0]] | map(del(.constants, .warnings)) | .[0] == .[1])' --slurpfile plain "$WORK/plain.json"
run extract --dir ./tree --constants 'DEMO_FIELD_*' -v
expect_err_like '^drvabi: \./tree: Left out of the requested constants, because they are not integers: 2 macros, DEMO_FIELD_BITS \(7:0\), DEMO_FIELD_TEXT \("text"\)$'

it 'the C compiler'
jq -r --slurpfile plain "$WORK/plain.json" '.constants | delpaths($plain[0].constants | keys | map([.])) | to_entries[]
	| "_Static_assert(\(.key) == \(.value | if type == "string" then . + "ULL" else . end), \"\(.key)\");"' "$WORK/more.json" >"$WORK/asserts"
{
	sed -n '/^#define DEMO_FIELD_\|^enum demo_field/p' "$header"
	cat "$WORK/asserts"
} >"$WORK/values.c"
expect 'checks seven values' [ "$(wc -l <"$WORK/asserts")" = 7 ]
expect 'has the same values' "${CC:-cc}" -fsyntax-only "$WORK/values.c"

it 'a version in a repository'
run extract --repo "$REPO" 110.05.00 --constants 'DEMO_MAX_*,NV2080_CTRL_GPU_MODE_*'
expect_status 0
expect_err_empty
expect_json 'has lengths of arrays and values of enums' '.constants | [.DEMO_MAX_ENGINES, .DEMO_MAX_NAME_LENGTH] == [8, 32] and has("NV2080_CTRL_GPU_MODE_COMPUTE")'
keep cold
run extract --repo "$REPO" 110.05.00 --constants 'DEMO_MAX_*,NV2080_CTRL_GPU_MODE_*'
expect_same 'gives the same document from the cache' "$OUT" "$WORK/cold"
run extract --repo "$REPO" 110.05.00
keep usual
expect_json 'has no other constants' '.constants | has("DEMO_MAX_ENGINES") | not'
run extract --repo "$REPO" 110.05.00 --constants 'DEMO_MAX_*'
expect_json 'other names give a different document' '.constants | has("DEMO_MAX_ENGINES") and (has("NV2080_CTRL_GPU_MODE_COMPUTE") | not)'
run extract --repo "$REPO" 110.05.00 --no-cache
expect_same 'the document without --constants is not changed' "$OUT" "$WORK/usual"

it 'an archive'
run archive write --repo "$REPO" -o all.drvabi
run DRVABI_ARCHIVE=all.drvabi extract --repo "$REPO" 110.05.00 --constants 'DEMO_MAX_*,NV2080_CTRL_GPU_MODE_*'
expect_same 'in DRVABI_ARCHIVE is not read' "$OUT" "$WORK/cold"
run extract --archive all.drvabi 110.05.00 --constants 'DEMO_MAX_*'
expect_cannot "^drvabi: --constants and --archive cannot be used together: --constants reads the driver's sources$"
run show --json usual DEMO_MAX_ENGINES --constants 'DEMO_MAX_*'
expect_cannot "^drvabi: --constants and --json cannot be used together: --constants reads the driver's sources$"

it 'other commands'
run show --repo "$REPO" --version 110.05.00 --constants 'DEMO_MAX_*' 'DEMO_MAX_*' NV2080_CTRL_GPU_MODE
expect_status 0
expect_out_is show.txt
run gen --lang go --repo "$REPO" --version 110.05.00 --constants 'DEMO_MAX_*' UVM_FREE
expect_status 0
expect_out_is gen.go
run gen --lang c --dir ./tree --constants 'DEMO_FIELD_*' -q
expect_status 0
expect_out_is gen.h
cp -R "$WORK/tree" "$WORK/next"
sed -i 's/^#define DEMO_FIELD_WIDTH 0x30U/#define DEMO_FIELD_WIDTH 0x31U/' "${header/tree/next}"
run diff ./tree ./next
expect_status 0
run diff ./tree ./next --constants 'DEMO_FIELD_*' -q
expect_status 1
expect_out_is diff.txt
run diff --repo "$REPO" 100.10.01 110.05.00 --constants 'DEMO_MAX_*' --table "$TABLE"
expect_status 1
expect_out_like ' has a node for 110\.05\.00: '

it 'a name that matches no macro or enumerator'
run extract --repo "$REPO" 110.05.00 --constants 'DEMO_MAX_*,DEMO_MAX_ENGINE'
expect_cannot "^drvabi: --constants: nvidia 110\\.05\\.00 has no macro with an integer value and no enumerator called 'DEMO_MAX_ENGINE'; nearest: DEMO_MAX_ENGINES$"
run extract --dir ./tree --constants 'DEMO_FIELD_BITS' -q
expect_cannot "no enumerator called 'DEMO_FIELD_BITS'"
run gen --lang go --repo "$REPO" --versions 100..120 --constants 'NO_SUCH_*'
expect_cannot "^drvabi: --constants: nvidia 120\\.01\\.00 has no macro .* called 'NO_SUCH_\\*'$"
run extract --repo "$REPO" 110.05.00 --constants 'DEMO_MAX_*,'
expect_cannot "^drvabi: --constants: one of the names in 'DEMO_MAX_\\*,' is empty$"
run extract --input names.json a.c --constants 'A*'
expect_cannot '^drvabi: --input and --constants cannot be used together: the file of --input lists the constants$'
run gen --lang go --table "$TABLE" --constants 'A*'
expect_cannot '^drvabi: --table and --constants cannot be used together: the types of a table have no version$'
run gen --pid-shim c --constants 'A*'
expect_cannot "--pid-shim and --constants cannot be used together: a shim has only one form\$"

done_testing
