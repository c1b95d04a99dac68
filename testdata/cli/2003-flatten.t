#!/usr/bin/env bash
# Flat layouts, from a version, from a document and through a pipe.
. "$(dirname "$0")/lib.sh"
fixture

it 'a version, as text'
run flatten --repo "$REPO" --version 120.01.00
expect_status 0
expect_err_empty
expect_out_is 120.01.00.txt
keep all.txt

it 'one record, as JSON'
run flatten --repo "$REPO" --version 120.01.00 --record 'NV0000_CTRL_*' --format json
expect_status 0
expect_out_is NV0000_CTRL.json
keep some.json

it 'from a document'
run extract --repo "$REPO" 120.01.00 -o document.json
run flatten document.json
expect_same 'is the same' "$OUT" "$WORK/all.txt"
INPUT=$WORK/document.json run flatten
expect_same 'from a pipe' "$OUT" "$WORK/all.txt"
INPUT=$WORK/document.json run flatten -
expect_same 'and from -' "$OUT" "$WORK/all.txt"
run flatten document.json --record 'NV0000_CTRL_*' --format json
expect_same 'as JSON as well' "$OUT" "$WORK/some.json"
run flatten document.json --record 'NV0000_CTRL_*' --format json -o file
expect_same 'and in a file' "$WORK/file" "$WORK/some.json"
lib_command='drvabi extract | drvabi flatten' STATUS=0
(cd "$WORK" && "$DRVABI" extract --no-cache --repo "$REPO" 120.01.00 | "$DRVABI" flatten >"$OUT" 2>"$ERR") || STATUS=$?
expect_same 'both at the same time' "$OUT" "$WORK/all.txt"

it 'from a directory'
unpack 120.01.00 tree
run flatten --dir tree
expect_same 'is the same' "$OUT" "$WORK/all.txt"

it 'every record'
run flatten document.json --format json
# shellcheck disable=SC2016 # the variables are jq's
expect_json 'of the document has a layout' '(.records | keys) == ($d[0].records | keys)' --slurpfile d "$WORK/document.json"
expect_json 'and are in memory order' 'all(.records[]; [.leaves[].bit_offset] | . == sort)'

it 'hard records'
unpack 110.05.00 tree
sed -i '$d' "$WORK/tree/src/common/sdk/nvidia/inc/nvos.h"
cat >>"$WORK/tree/src/common/sdk/nvidia/inc/nvos.h" <<'C'
typedef struct {
	NvU32 lo : 3, : 2, hi : 5, straddles : 30;
	struct { NvU8 a; NvU64 b; } pairs[2][3];
	union { NvU8 byte; NvP64 pointer; struct { NvHandle hFirst; NvU32 fd; }; };
	NvU8 tail[];
} __attribute__((packed)) NVOS_HARD;
#endif
C
run flatten --dir tree --record NVOS_HARD
expect_status 0
expect_out_is hard.txt

it 'scalars of some roles'
run flatten document.json --role pid,fd
expect_status 0
expect_out_is roles.txt
run flatten document.json --role pid,fd --format json
expect_json 'no other scalar' 'all(.records[]; (.leaves | length > 0) and all(.leaves[]; .role == "pid" or .role == "fd") and .holes == [])'
expect_json 'and it says so' '.roles == ["fd", "pid"]'
run flatten document.json --role pid --record 'NVOS*'
expect_cannot '^drvabi: no such record of nvidia 120\.01\.00 has a scalar of the role pid$'
run flatten document.json --role pi
expect_cannot "^drvabi: --role: 'pi' is not a role of fields; use pointer, fd, "

it 'nothing that matches'
run flatten document.json --record 'NOTHING*'
expect_cannot "^drvabi: no record of nvidia 120\\.01\\.00 matches 'NOTHING\\*'$"
run flatten document.json --record 'NVOS54_PARAMETER'
expect_cannot "^drvabi: no record of nvidia 120\\.01\\.00 matches 'NVOS54_PARAMETER'; nearest: .*NVOS54_PARAMETERS"
run flatten nowhere.json
expect_cannot '^drvabi: cannot open nowhere\.json: No such file or directory$'
run flatten
expect_cannot '^drvabi: standard input:1:1: expected a value, found the end of the text$'


it 'show --flat is flatten'
run flatten --repo "$REPO" --version 100.10.01 --record 'NVOS5*' --format json
keep flat.json
run show --flat --repo "$REPO" --version 100.10.01 'NVOS5*' --format json
expect_status 0
expect_same 'the same bytes' "$OUT" "$WORK/flat.json"
run show --flat --repo "$REPO" --version 100.10.01 UVM_FREE
expect_status 0
expect_out_like '^struct UVM_FREE_PARAMS '
run show --flat --repo "$REPO" NVOS54_PARAMETER
expect_cannot "matches 'NVOS54_PARAMETER'; nearest: NVOS54_PARAMETERS"
run show --flat --repo "$REPO" NVOS54_PARAMETERS --format c
expect_cannot '^drvabi: --flat is for --format text and json, not for c$'
run show --repo "$REPO" NVOS54_PARAMETERS --role pointer
expect_cannot '^drvabi: --role selects scalars; give --flat as well$'
run --help
expect_out_unlike '^  flatten '
done_testing
