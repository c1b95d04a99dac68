#!/usr/bin/env bash
# show --format c: a compiler gives its declarations the layout of the document.
. "$(dirname "$0")/lib.sh"
fixture

# agrees WHAT NAMES - pass if the header on standard output has document.json's layout, for the records in the JSON array NAMES (null: all)
agrees() {
	jq -r --argjson names "$2" -f "$ROOT/testdata/cli/c/asserts.jq" "$WORK/document.json" >"$WORK/asserts.c"
	cat "$OUT" "$WORK/asserts.c" >"$WORK/header.c"
	expect "$1: the header has assertions" grep -q '^_Static_assert(offsetof' "$WORK/asserts.c"
	expect "$1: a compiler agrees" gcc -std=c11 "$WORK/header.c" -o "$WORK/header"
	expect "$1: bit-fields agree" "$WORK/header"
}

it 'one record'
run show --repo "$REPO" --version 120.01.00 --format c NV0000_CTRL_OS_UNIX_EXPORT_OBJECT_PARAMS NV0000_CTRL_OS_UNIX_EXPORT_OBJECT
expect_status 0
expect_err_empty
expect_out_is record.h

it 'a record with the types that it uses'
run show --repo "$REPO" --version 120.01.00 --format c --expand 0x20803021 NV2080_CTRL_GPU_MODE
expect_out_is expand.h
expect 'compiles alone' gcc -std=c11 -fsyntax-only -x c "$OUT"

for version in 100.10.01 110.05.00 120.01.00; do
	it "all records of $version"
	run extract --repo "$REPO" "$version" -o document.json
	run show --repo "$REPO" --version "$version" --format c --expand '*'
	expect_status 0
	agrees 'whole' null
done

it 'the comparison finds a planted fault'
sed -i 's/^struct NVOS54_PARAMETERS {/&\n\tchar another;/' "$WORK/header.c"
refused() {
	! gcc -std=c11 -fsyntax-only "$WORK/header.c" 2>"$WORK/said" && grep -q 'static assertion failed' "$WORK/said"
}
expect 'in one field' refused

it 'complex records'
unpack 120.01.00 tree
sed -i '$d' "$WORK/tree/src/common/sdk/nvidia/inc/nvos.h"
cat >>"$WORK/tree/src/common/sdk/nvidia/inc/nvos.h" <<'C'
typedef struct {
	NvU32 lo : 3, : 2, hi : 5, straddles : 30;
	struct { NvU8 a; NvU64 b; } pairs[2][3];
	union { NvU8 byte; NvP64 pointer; struct { NvHandle hFirst; NvU32 fd; }; };
	NvU8 tail[];
} __attribute__((packed)) NVOS_HARD_PACKED;
typedef struct {
	NvU8 a;
	NvU32 x : 7, : 0, y : 3;
	NvU64 z : 33;
	NvU8 b : 1;
	NvU16 c;
} NVOS_HARD_BITS;
typedef struct { NvU8 a; NvU8 b __attribute__((aligned(32))); NvU32 c __attribute__((aligned(64))); } NVOS_HARD_ALIGNED;
typedef struct { NvU8 a; NvU64 b; NvU16 c; } __attribute__((packed, aligned(4))) NVOS_HARD_BOTH;
typedef struct { NvU32 a; } __attribute__((aligned(16))) NVOS_HARD_WHOLE;
typedef union { NvU8 a[5]; NvU16 b; struct { NvU8 c; NvU32 d; } e[2]; } __attribute__((packed)) NVOS_HARD_UNION;
typedef struct { enum { NVOS_A = -1, NVOS_B = 5 } kind; enum { NVOS_C } small __attribute__((packed)); int zero[0]; } NVOS_HARD_ENUM;
struct NVOS_HARD_NODE { struct NVOS_HARD_NODE *next; const char *name; void (*call)(int); NvU32 *const *numbers; volatile NvU32 v; };
typedef enum { NVOS_TINY } __attribute__((packed)) NVOS_HARD_TINY;
typedef struct { NVOS_HARD_TINY tiny; NVOS_HARD_PACKED *more; NVOS_HARD_WHOLE whole[2]; NVOS_HARD_BOTH both; } NVOS_HARD_MORE;
typedef struct { } NVOS_HARD_EMPTY;
typedef struct { NvU8 a; _Alignas(8) struct { NvU32 b; }; NvU8 c; NvU16 d; } __attribute__((packed)) NVOS_HARD_UNNAMED;
typedef struct {
	NvU8 a;
	_Alignas(16) union { struct { NvU8 b; _Alignas(8) struct { NvU32 c; }; }; struct { NvU8 d; _Alignas(8) struct { NvU32 e; }; NvU8 f; }; };
	_Atomic int n;
	_Atomic struct { int x; } m;
} NVOS_HARD_FILLED;
typedef struct { NvU32 count; NVOS_HARD_EMPTY none; struct { NvU16 x; NvU8 y; } __attribute__((packed)) pairs[]; } NVOS_HARD_TAIL;
#endif
C
run extract --dir tree -o document.json
expect_status 0
run show --dir tree --format c --expand 'NVOS_HARD_*'
expect_status 0
expect_out_is hard.h
names=$(jq -c '.records | keys | map(select(startswith("NVOS_HARD_") and (contains("::") | not)))' "$WORK/document.json")
expect 'all are declared' [ "$(jq length <<<"$names")" = 13 ]
agrees 'hard' "$names"

it 'numbers, enums and aliases'
run show --repo "$REPO" --version 120.01.00 --format c 34 NV_STATUS NvU32 NV2080_CTRL_CMD_DEMO_GET_OWNER UVM_MAX_GPUS
expect_status 0
expect_out_is numbers.h

it 'records of other versions'
run archive write --repo "$REPO" -o all.drvabi
run show --archive all.drvabi --format c NV2080_CTRL_PERF_RESET_LIMIT_PARAMS
expect_status 0
expect_out_like '^/\* NV2080_CTRL_PERF_RESET_LIMIT_PARAMS: not in 120\.01\.00; this is 100\.10\.01, the nearest version that has it \*/$'

it 'the lowest number'
mkdir "$WORK/low"
printf '#define LOWEST (-9223372036854775807LL - 1)\nenum low { LOW_E = -9223372036854775807LL - 1 };\n' >"$WORK/low/a.h"
printf '%s\n' '{"format": "drvabi-profile/1", "name": "low", "units": [{"name": "all", "headers": ["a.h"]}], "constants": [{"name": "L*"}]}' >"$WORK/low.json"
run show --profile ./low.json --dir low --format c low LOWEST
expect_status 0
printf '#if LOWEST >= 0\n#error\n#endif\n_Static_assert(LOW_E < 0 && LOW_E == LOWEST, "");\n' | cat "$OUT" - >"$WORK/low.c"
expect 'a compiler agrees' gcc -Wall -Werror -std=c11 -fsyntax-only "$WORK/low.c"

it 'documents with contradictions'
jq '.records.NVOS54_PARAMETERS.fields[1].offset = 2' "$WORK/document.json" >"$WORK/lie.json"
run show --json lie.json --format c NVOS54_PARAMETERS
expect_cannot 'NVOS54_PARAMETERS: its fields overlap, so it cannot be declared in C; fix the document$'
jq '.records.NVOS54_PARAMETERS.fields[1].name = "a; } */ int x"' "$WORK/document.json" >"$WORK/lie.json"
run show --json lie.json --format c NVOS54_PARAMETERS
expect_cannot "'a; } \*/ int x' is not a valid identifier in C, so it cannot be declared; use --format text$"
jq '.records.NVOS54_PARAMETERS.fields[1].name = "sizeof"' "$WORK/document.json" >"$WORK/lie.json"
run show --json lie.json --format c NVOS54_PARAMETERS
expect_cannot "'sizeof' is not a valid identifier in C, so it cannot be declared; use --format text$"
jq '.records.NVOS54_PARAMETERS.source = "*/ #error x /*:1:1"' "$WORK/document.json" >"$WORK/lie.json"
run show --json lie.json --format c --expand NVOS54_PARAMETERS
expect_status 0
expect 'a comment remains a comment' gcc -std=c11 -fsyntax-only -x c "$OUT"
jq '.enums.E = {type: "*/ #error x /*", size: 4, values: {E_A: 0}, source: ""}' "$WORK/document.json" >"$WORK/lie.json"
run show --json lie.json --format c E
expect_status 0
expect 'the type of an enum remains a comment' gcc -std=c11 -fsyntax-only -x c "$OUT"
jq '.enums["NVOS_HARD_ENUM::kind_t"].type = "" | .records.NVOS_HARD_ENUM.fields[2] =
	(.records.NVOS_HARD_ENUM.fields[0] | .name = "again" | .offset = 8) | .records.NVOS_HARD_ENUM.size = 12' \
	"$WORK/document.json" >"$WORK/lie.json"
run show --json lie.json --format c NVOS_HARD_ENUM
expect_cannot "has no type ''$"
jq '.enums.E = {type: "", size: 4, values: {E_A: 0}, source: ""} | .records.NVOS_HARD_TAIL.fields[0].type = "E"' \
	"$WORK/document.json" >"$WORK/lie.json"
run gen --lang c --json lie.json NVOS_HARD_TAIL
expect_status 0
expect_out_like '^typedef int E; /\* an enum \*/$'

it 'errors'
run show --repo "$REPO" --expand NvU32
expect_cannot '^drvabi: --expand is for declarations of C; give --format c as well$'

done_testing
