#!/usr/bin/env bash
# drvabi in place of gVisor's driver_ast_parser: its arguments, its input, and output that its readers accept.
. "$(dirname "$0")/lib.sh"

mkdir -p "$WORK/include/inner"
cat >"$WORK/include/toy.h" <<'C'
#pragma once
#include "inner/types.h"
typedef struct TOY_INNER { u32 x[2][3]; } TOY_INNER;
typedef struct TOY_OUTER {
	u32 count;
	TOY_INNER inner[2];
	union { u64 number; void *pointer; } value;
	struct { u8 a; } first, second[4];
	enum toy_mode mode;
	u32 lo : 3, hi : 5;
} TOY_OUTER;
typedef TOY_OUTER TOY_OTHER_NAME;
struct toy_list { struct toy_list *next; TOY_OUTER *item; u8 rest[]; };
struct unwanted { int x; };
#define TOY_BASE 0xC0DE0000U
#define TOY_COMMAND (TOY_BASE | 0x17)
C
cat >"$WORK/include/inner/types.h" <<'C'
#pragma once
typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;
enum toy_mode { TOY_OFF, TOY_ON = 5 };
C
# Constants are variables in this source: the caller writes one for each macro.
printf '#include "toy.h"\nconst unsigned int VALUE_OF_COMMAND = TOY_COMMAND;\nconst unsigned int VALUE_OF_ON = TOY_ON;\n' >"$WORK/source.cc"
echo '{"structs": ["TOY_OUTER", "TOY_OTHER_NAME", "toy_list"], "constants": ["VALUE_OF_COMMAND", "VALUE_OF_ON"]}' >"$WORK/names.json"

it 'C++'
run extract --input names.json source.cc -- -I include
expect_status 0
expect_err_empty
expect_out_is parsed.json
keep parsed.json
# The keys that the reader of the tool's output needs, with their spelling.
expect_json 'fields have name, type and offset' 'all(.records[].fields[]; (.name | type == "string") and (.type | type == "string") and (.offset | type == "number"))'
expect_json 'records have size, is_union and source' 'all(.records[]; (.size | type == "number") and (.is_union | type == "boolean") and (.source | type == "string"))'
expect_json 'aliases have type and size' 'all(.aliases[]; (.type | type == "string") and (.size | type == "number"))'
expect_json 'other records are omitted' '.records | has("unwanted") | not'

it 'C'
cp "$WORK/source.cc" "$WORK/source.c"
run extract --input names.json source.c -- -I include
expect_status 0
sed 's/source\.c"/source.cc"/' "$OUT" >"$WORK/c.json"
expect_same 'has the same layout' "$WORK/c.json" "$WORK/parsed.json"

it 'arguments for clang'
run extract --input names.json source.cc -- -I include -DTOY_UNUSED=1 -std=c++17 -Wno-everything
expect_same 'are passed on' "$OUT" "$WORK/parsed.json"
run extract --input names.json source.cc -o file -- -I include
expect_same "-o before them is drvabi's option" "$WORK/file" "$WORK/parsed.json"
run extract --input names.json source.cc -- -I include --target=i386-linux-gnu
expect_status 0
expect_json 'a different target has a different layout' '.target | startswith("i386")'
expect_json 'with pointers of a different size' '.records.toy_list.fields[1].offset == 4'

it 'declarations that only C++ has'
cat >"$WORK/classes.cc" <<'C'
struct base { long q; };
struct derived : base { char &low; const base &&high; char tail; };
C
echo '{"structs": ["derived"], "constants": []}' >"$WORK/classes.json"
run extract --input classes.json classes.cc
expect_status 0
expect_json 'a reference is a pointer' '[.records.derived.fields[] | [.offset, .size]] == [[8, 8], [16, 8], [24, 1]] and .aliases["const base &&"].size == 8'
expect_err_like '^drvabi: classes\.cc:2:8: derived has base classes, which are left out: libclang does not report their offsets\.$'
run extract --input classes.json classes.cc -- --target=i386-linux-gnu
expect_json 'they have the size of the target' '[.records.derived.fields[] | [.offset, .size]] == [[4, 4], [8, 4], [12, 1]]'

it 'unknown names'
echo '{"structs": ["TOY_OUTER", "TOY_NOWHERE"], "constants": ["TOY_LACKING"]}' >"$WORK/more.json"
run extract --input more.json source.cc -- -I include
expect_status 2
expect_err_like '^drvabi: source\.cc: there is no type TOY_NOWHERE$'
expect_err_like '^drvabi: source\.cc: there is no variable TOY_LACKING$'
expect_err_like '^drvabi: source\.cc: 2 of the names in more\.json are not found; the rest was extracted$'
expect_json 'each has a warning in the document' '[.warnings[].text | test("TOY_NOWHERE|TOY_LACKING")] == [true, true]'
expect_json 'the other names are extracted' '.records | has("TOY_OUTER") and has("TOY_INNER")'
run extract -q --input more.json source.cc -o quiet.json -- -I include
expect_status 2
expect_same 'prints one line with -q' "$ERR" <(echo 'drvabi: source.cc: 2 of the names in more.json are not found; the rest was extracted')
cp "$WORK/quiet.json" "$OUT"
expect_json '-o FILE has the extracted names' '.records | has("TOY_OUTER")'
echo '{"structs": ["TOY_OUTTER", "TOY_OUTTER", "toy_later", "toy_call"], "constants": ["VALUE_OF_COMAND", "VALUE_ELSEWHERE"]}' >"$WORK/near.json"
printf '#include "source.cc"\nstruct toy_later; typedef int toy_call(int); extern const int VALUE_ELSEWHERE;\n' >"$WORK/near.cc"
run extract --input near.json near.cc -- -I include
expect_status 2
expect_err_like '^drvabi: near\.cc: there is no type TOY_OUTTER; nearest: TOY_OUTER$'
expect_err_like '^drvabi: near\.cc: there is no variable VALUE_OF_COMAND; nearest: VALUE_OF_COMMAND$'
expect_err_like '^drvabi: near\.cc:2:8: toy_later has no layout \('
expect_err_like '^drvabi: near\.cc:2:31: toy_call has no layout \('
expect_err_like '^drvabi: near\.cc:2:63: VALUE_ELSEWHERE has no initializer that is an integer constant and is left out$'
expect_err_like '^drvabi: near\.cc: 5 of the names in near\.json are not found; the rest was extracted$'

it 'under the name driver_ast_parser'
parser() { run_program "${DRVABI%/*}/driver_ast_parser" "$@"; }
mkdir -p "$WORK/tree/build/sub"
cp "$WORK/source.cc" "$WORK/tree/build/sub/source.cc"
printf '[{"directory": "%s", "arguments": ["clang", "-c", "-o", "x.o", "-I", "include", "%s"], "file": "%s"}]\n' "$WORK" \
	"$WORK/tree/build/sub/source.cc" "$WORK/tree/build/sub/source.cc" >"$WORK/tree/compile_commands.json"
parser --input more.json tree/build/sub/source.cc
expect_status 0
expect_err_like ': there is no type TOY_NOWHERE$'
expect_err_like ': there is no variable TOY_LACKING$'
expect_json 'a missing name is not an error, and arguments come from compile_commands.json in a parent directory' '.records | has("TOY_OUTER")'
expect_json 'an enum with a tag is spelled with the keyword' '.aliases.toy_mode.type == "enum toy_mode"'
parser -input more.json -output file tree/build/sub/source.cc
expect_status 0
expect_same 'one hyphen, and -output, are accepted' "$WORK/file" <(parser --input more.json tree/build/sub/source.cc >/dev/null; cat "$OUT")
parser --input=more.json -o=file tree/build/sub/source.cc
expect_same 'values after equals signs are accepted' "$WORK/file" <(parser --input more.json tree/build/sub/source.cc >/dev/null; cat "$OUT")
mv "$WORK/tree/compile_commands.json" "$WORK/tree/build/sub/source.cc" "$WORK"
sed -i 's|/tree/build/sub||g' "$WORK/compile_commands.json"
parser -p=. --input more.json source.cc
expect_json '-p names the directory of compile_commands.json' '.records | has("TOY_OUTER")'
mv "$WORK/compile_commands.json" "$WORK/tree/"
cp "$WORK/source.cc" "$WORK/tree/build/sub/source.cc"
parser --input names.json source.cc -- -I include
sed 's/"enum toy_mode"/"toy_mode"/' "$OUT" >"$WORK/without"
expect_same 'arguments after -- are used, and the rest is the same' "$WORK/without" "$WORK/parsed.json"
cp "$DRVABI" "$WORK/driver_ast_parser_123"
run_program "$WORK/driver_ast_parser_123" --input names.json source.cc -- -I include
expect_json 'a copy with a number in its name works, as gVisor unpacks it' '.aliases.toy_mode.type == "enum toy_mode"'
rm "$WORK/driver_ast_parser_123"
parser source.cc
expect_cannot '^drvabi: give --input NAMES\.json and one source file$'
parser --inputs names.json source.cc
expect_cannot '^drvabi: there is no option --inputs \(did you mean --input\?\); see driver_ast_parser --help$'
parser --version
expect_out_like '^driver_ast_parser \(drvabi\) '
parser -help
expect_out_like '^Usage: driver_ast_parser --input NAMES\.json FILE '
echo '[]' >"$WORK/tree/compile_commands.json"
parser --input names.json tree/build/sub/source.cc
expect_cannot '^drvabi: .*/tree/compile_commands\.json has no command for .*/tree/build/sub/source\.cc$'
echo '{' >"$WORK/tree/compile_commands.json"
parser --input names.json tree/build/sub/source.cc
expect_cannot '^drvabi: libclang cannot read .*/tree/compile_commands\.json$'

it 'nested declarations'
cat >"$WORK/inside.cc" <<'C'
#include "inner/types.h"
extern "C" {
typedef struct { u32 a; } IN_LINKAGE;
const u32 VALUE_IN_LINKAGE = 5;
extern "C++" { namespace toy { typedef struct { u32 b; } IN_BOTH; struct TAG { u32 c; }; const u32 VALUE_IN_BOTH = 7; } }
}
extern "C" typedef struct { u32 d; } ONE_LINE;
extern "C" const u32 VALUE_LATER;
const u32 VALUE_LATER = 11;
struct OUTSIDE { struct INSIDE { u32 e; } x; static const u32 VALUE_INSIDE = 13; };
namespace other { struct TAG { u32 f, g; }; }
C
echo '{"structs": ["IN_LINKAGE", "IN_BOTH", "TAG", "ONE_LINE", "INSIDE"],
       "constants": ["VALUE_IN_LINKAGE", "VALUE_IN_BOTH", "VALUE_LATER", "VALUE_INSIDE"]}' >"$WORK/inside.json"
run extract --input inside.json inside.cc -- -I include
expect_status 0
expect_err_empty
expect_json 'are found in extern "C", namespaces and records' \
	'.records | keys == ["IN_BOTH", "IN_LINKAGE", "ONE_LINE", "OUTSIDE::INSIDE", "other::TAG", "toy::TAG"]'
expect_json 'constants are found, too' '.constants == {"VALUE_INSIDE": 13, "VALUE_IN_BOTH": 7, "VALUE_IN_LINKAGE": 5, "VALUE_LATER": 11}'
printf '#ifdef __cplusplus\nextern "C" {\n#endif\n#include "toy.h"\nstruct toy_around { struct toy_within { u32 a; } x; };\n#ifdef __cplusplus\n}\n#endif\n' >"$WORK/both.h"
echo '{"structs": ["TOY_OUTER", "toy_within"], "constants": []}' >"$WORK/both.json"
for language in c c++; do
	run extract --input both.json both.h -- -I include -x $language
	expect_status 0
	expect_json "a header for both languages, as $language" '.records | has("TOY_OUTER") and (has("toy_within") or has("toy_around::toy_within"))'
done

it 'a source that cannot be read'
run extract --input names.json source.cc
expect_cannot "^drvabi: source\\.cc:1:10: .*toy\\.h.*$"
run extract --input names.json nowhere.cc -- -I include
expect_cannot '^drvabi: cannot read nowhere\.cc: No such file or directory$'
printf 'struct broken {\n' >"$WORK/broken.cc"
run extract --input names.json broken.cc
expect_cannot '^drvabi: broken\.cc:[12]:[0-9]+: .*$'
run extract --input names.json source.cc -- --no-such-argument
expect_cannot "^drvabi: source\\.cc: .*--no-such-argument.*$"
run extract --input names.json . -- -I include
expect_cannot '^drvabi: '

it 'malformed input'
run extract --input nowhere.json source.cc -- -I include
expect_cannot '^drvabi: cannot open nowhere\.json: No such file or directory$'
# malformed TEXT REGEX - expect an error for this input
malformed() {
	printf '%s' "$1" >"$WORK/bad.json"
	run extract --input bad.json source.cc -- -I include
	expect_cannot "^drvabi: bad\\.json:$2$"
}
malformed '' '1:1: expected a value, found the end of the text'
malformed '{"structs": [' '1:14: .*found the end of the text'
malformed '{"structs": [5], "constants": []}' ' structs\[0\]: expected a string, found an integer'
malformed '{"structs": "x", "constants": []}' ' structs: expected an array or null, found a string'
malformed '{"strcuts": [], "constants": []}' ' strcuts: unknown key'
malformed '[]' ' expected an object, found an array'
run extract --input names.json -- -I include
expect_cannot '^drvabi: --input needs one source file: drvabi extract --input NAMES\.json FILE -- CLANG-ARGS$'
run extract --input names.json source.cc source.c -- -I include
expect_cannot '^drvabi: --input needs one source file: '

done_testing
