#!/usr/bin/env bash
# Flat layouts of a version, of a document, and from a pipe.
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
expect_same 'gives the same layout' "$OUT" "$WORK/all.txt"
INPUT=$WORK/document.json run flatten
expect_same 'from a pipe, too' "$OUT" "$WORK/all.txt"
INPUT=$WORK/document.json run flatten -
expect_same 'from -, too' "$OUT" "$WORK/all.txt"
run flatten document.json --record 'NV0000_CTRL_*' --format json
expect_same 'as JSON, too' "$OUT" "$WORK/some.json"
run flatten document.json --record 'NV0000_CTRL_*' --format json -o file
expect_same 'in a file, too' "$WORK/file" "$WORK/some.json"
lib_command='drvabi extract | drvabi flatten' STATUS=0
(cd "$WORK" && "$DRVABI" extract --no-cache --repo "$REPO" 120.01.00 | "$DRVABI" flatten >"$OUT" 2>"$ERR") || STATUS=$?
expect_same 'a document and - give the same' "$OUT" "$WORK/all.txt"

it 'from a directory'
unpack 120.01.00 tree
run flatten --dir tree
expect_same 'gives the same layout' "$OUT" "$WORK/all.txt"

it 'all records'
run flatten document.json --format json
# shellcheck disable=SC2016 # variables of jq
expect_json 'of the document have a layout' '(.records | keys) == ($d[0].records | keys)' --slurpfile d "$WORK/document.json"
expect_json 'have their scalars in memory order' 'all(.records[]; [.leaves[].bit_offset] | . == sort)'

it 'complex records'
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

it 'scalars with a role'
run flatten document.json --role pid,fd
expect_status 0
expect_out_is roles.txt
run flatten document.json --role pid,fd --format json
expect_json 'no other scalar is printed' 'all(.records[]; (.leaves | length > 0) and all(.leaves[]; .role == "pid" or .role == "fd") and .holes == [])'
expect_json 'the document has the roles' '.roles == ["fd", "pid"]'
run flatten document.json --role pid --record 'NVOS*'
expect_cannot '^drvabi: no such record of nvidia 120\.01\.00 has a scalar of the role pid$'
run flatten document.json --role pi
expect_cannot "^drvabi: --role: 'pi' is not a role of fields; use pointer, fd, "

it 'no match'
run flatten document.json --record 'NOTHING*'
expect_cannot "^drvabi: no record of nvidia 120\\.01\\.00 matches 'NOTHING\\*'$"
run flatten document.json --record 'NVOS54_PARAMETER'
expect_cannot "^drvabi: no record of nvidia 120\\.01\\.00 matches 'NVOS54_PARAMETER'; nearest: .*NVOS54_PARAMETERS"
run flatten nowhere.json
expect_cannot '^drvabi: cannot open nowhere\.json: No such file or directory$'
run flatten
expect_cannot '^drvabi: standard input:1:1: expected a value, found the end of the text$'


it 'show --flat equals flatten'
run flatten --repo "$REPO" --version 100.10.01 --record 'NVOS5*' --format json
keep flat.json
run show --flat --repo "$REPO" --version 100.10.01 'NVOS5*' --format json
expect_status 0
expect_same 'has the same bytes' "$OUT" "$WORK/flat.json"
run show --flat --repo "$REPO" --version 100.10.01 UVM_FREE
expect_status 0
expect_out_like '^struct UVM_FREE_PARAMS '
run show --flat --repo "$REPO" NVOS54_PARAMETER
expect_cannot "matches 'NVOS54_PARAMETER'; nearest: NVOS54_PARAMETERS"
run show --flat --repo "$REPO" NVOS54_PARAMETERS --format c
expect_cannot '^drvabi: --flat is for --format text and json, not for c$'
run show --repo "$REPO" NVOS54_PARAMETERS --role pointer
expect_cannot '^drvabi: --role can be used only with --flat; add --flat$'
run --help
expect_out_unlike '^  flatten '
done_testing
