#!/usr/bin/env bash
# Declarations for which gcc and clang have different layouts or values get a warning with its place, and no others.
. "$(dirname "$0")/lib.sh"
fresh

mkdir -p "$WORK/tree"
cat >"$WORK/profile.json" <<'JSON'
{"format": "drvabi-profile/1", "name": "x", "units": [{"name": "all", "headers": ["a.h"]}], "constants": [{"name": "K_*"}]}
JSON

# warned HEADER PLACE... - pass if the lines of HEADER cause warnings at exactly these places
warned() {
	local places
	places=$(printf ',"a.h:%s"' "${@:2}")
	[ $# -gt 1 ] || places=
	printf '%b' "$1" >"$WORK/tree/a.h"
	run extract --profile ./profile.json --dir tree
	expect_status 0
	expect_json "${1//\\n/ }" "[.warnings[].place] == [${places#,}]"
}

it 'pragmas'
warned '#define N 1\n#pragma pack(push, N)\n' 2:20
warned '#define N 1\n#pragma /* c */ pack(push, N)\n' 2:28
warned '#define N 1\n_Pragma("pack(push, N)")\n' 2:10
warned '#define N 1\n#define DO_PRAGMA(x) _Pragma(#x)\nDO_PRAGMA(pack(N))\n' 3:11
warned 'struct a { char a; struct {\n#pragma pack(1)\nchar x; int b; } s; long c; };\n' 2:9
warned 'struct a { char a;\n#pragma pack(push, 1)\nlong c; };\n#pragma pack(pop)\n' 4:9
warned '#pragma pack(push, 1)\n#pragma pack(pop, 4)\n' 2:9
warned '#pragma pack(1) and more\n' 1:9
warned '#pragma options align=packed\n' 1:9
warned '#pragma ms_struct on\n' 1:9
warned '#pragma scalar_storage_order big-endian\n' 1:9
warned 'struct __attribute__((scalar_storage_order("big-endian"))) a { int x; };\n' 1:23

it 'a pragma that is still in effect at the end of a header'
warned '#pragma pack(push, 2)\nstruct a { char c; int i; };\n'
sed -i 's/"a.h"/&, "b.h"/' "$WORK/profile.json"
printf 'struct b { char c; int i; };\n' >"$WORK/tree/b.h"
warned '#pragma pack(1)\nstruct a { char c; int i; };\n' 1:9
warned '#pragma pack(push, 1)\nstruct a { char c; int i; };\n#pragma pack(pop)\n'
printf '#pragma pack(1)\nstruct b { char c; int i; };\n#pragma pack()\n' >"$WORK/tree/b.h"
warned '#pragma pack(push, 1)\nstruct a { char c; int i; };\n#pragma pack(push)\n#pragma pack(pop)\n' 1:9
rm "$WORK/tree/b.h"
sed -i 's/, "b.h"//' "$WORK/profile.json"

it "declarations that depend on the driver's build"
warned 'struct a { int b;\n#ifdef DEBUG\nint c;\n#endif\n};\n' 2
warned 'enum a { B,\n# if defined(__linux__) && DEBUG > 1\nC,\n#endif\nD };\n' 2
warned 'struct a {\n#ifdef __linux__\nint b;\n#elif defined(_WIN32)\nlong b;\n#endif\n#if 0\nint c;\n#endif\n/*\n#ifdef D\n*/};\n'
warned '#ifdef DEBUG\nstruct b {\n#else\nstruct a {\n#endif\nint c; };\n'
warned 'struct a {\n#if defined(__linux__) || \\\n\tdefined(DEBUG)\nint b;\n#endif\n};\n' 2
warned 'struct a {\n#if 0\n#ifdef DEBUG\nint b;\n#endif\n#endif\n#ifdef __cplusplus\n#endif\nint c; };\n'

it 'a constant that is defined twice'
warned '#define K_1 1\n#define K_1 2\n#define K_2 3\n#define K_2 3\n#undef K_3\n#define K_3 4\n' 2

it 'declarations'
warned 'struct __attribute__((packed)) a;\nstruct a { char a; int b; };\n' 1:32
warned 'struct __attribute__((aligned(16))) a { int b; } __attribute__((aligned(8)));\n' 1:37
warned 'typedef int a __attribute__((aligned(16), aligned(8)));\n' 1:13
warned 'typedef int wide __attribute__((aligned(8)));\nstruct a { char c; wide x : 3; };\n' 2:25
warned 'struct a { char c; unsigned x : 17 __attribute__((aligned(2))); };\n' 1:29
warned 'struct a { char c; unsigned x : 16 __attribute__((aligned(2))), y : 30 __attribute__((aligned(4))); };\n'
warned 'struct a { char c; unsigned x : 30 __attribute__((packed, aligned(2))); };\n'
warned 'struct a { char c; unsigned x : 30 __attribute__((aligned(2))); } __attribute__((packed));\n'
warned '#pragma pack(2)\nstruct a { short x : 2; short y : 7 __attribute__((aligned(8))); };\n' 2:31
warned '#define MS __attribute__((ms_struct))\nunion MS a { char a : 3; int b : 4; };\n' 2:10
warned 'struct a { char x; _Atomic struct { char c[3]; } a[2]; };\n' 1:50
warned 'struct s { short c[2]; };\nstruct a { char x; _Atomic(struct s) a[2]; _Atomic(int) i[2]; _Atomic(struct s) b; };\n' 2:38
warned 'struct s { char c[3]; };\ntypedef _Atomic(struct s) a;\ntypedef _Atomic(int) i;\n' 2:27
warned 'enum e { E = -9223372036854775808 };\n' 1:15
warned 'enum e { E = 1 << 33, F = 1 << (31), G = (1 << 32) };\nenum f { H = 1ULL << 63, I = 0x80000000 };\nenum g { J = 1ULL << (64) };\n' 1:10 1:38 3:10
warned '#define N 32\n#define BIT(n) (1 << (n))\nenum e { E = BIT(N), F = BIT(31), G = 0x80000000 >> 32, H = 0xffffffff & 0x80000000 };\n' 3:10 3:35
warned 'struct a { int x : (1 << 32) ? 3 : 5; int y : 1 << 2; };\n' 1:16

it 'constants that are omitted'
warned '#define K_1 (1 << 32)\n#define K_2 (-9223372036854775808)\n#define K_3 (1, 2)\n#define K_4 9223372036854775808\n' 1 2 3
expect_json 'only K_4 is extracted' '.constants | keys == ["K_4"]'

it 'declarations that gcc and clang treat alike'
sed '1,/^--- 1.0/d' "$ROOT/testdata/chance/23-no-difference.case" >"$WORK/tree/a.h"
run extract --profile ./profile.json --dir tree
expect_status 0
expect_json 'have no warnings' '.warnings == [] and (.records | length) == 8'

done_testing
