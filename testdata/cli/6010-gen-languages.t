#!/usr/bin/env bash
# drvabi gen --lang c|rust|python: records, numbers and constants with the driver's names, for one version or a range.
. "$(dirname "$0")/lib.sh"
fixture

# gen LANGUAGE ARGUMENT... - run gen for the demo driver
gen() {
	local language=$1
	shift
	run gen --lang "$language" --repo "$REPO" "$@"
}

clang=$(compgen -c clang- | grep -x 'clang-[0-9]*' | sort | head -n 1) || clang=

# quiet COMMAND... - pass if the command succeeds without output
quiet() {
	local said
	if ! said=$("$@" 2>&1) || [ -n "$said" ]; then
		printf '%s\n' "$said" | head -n 20
		return 1
	fi
}

# compiles WHAT LANGUAGE FILE - pass if FILE compiles without warnings and, in Rust, has the format of rustfmt. Languages without a compiler are skipped.
compiles() {
	case $2 in
	c)
		expect "$1: gcc" quiet gcc -std=c11 -Wall -Wextra -Werror -fsyntax-only -x c "$3"
		if [ -n "$clang" ]; then
			expect "$1: $clang" quiet "$clang" -std=c11 -Wall -Wextra -Werror -fsyntax-only -x c "$3"
			expect "$1: $clang for aarch64" quiet "$clang" --target=aarch64-linux-gnu -ffreestanding -std=c11 -Wall -Wextra -Werror \
				-fsyntax-only -x c "$3"
		fi ;;
	rust)
		printf '#![no_std]\n#[path = "%s"]\npub mod generated;\n' "$3" >"$WORK/lib.rs"
		if command -v rustc >/dev/null; then
			expect "$1: rustc, without std" quiet rustc --edition 2021 -D warnings --crate-type lib --emit metadata --out-dir "$WORK" "$WORK/lib.rs"
		else
			pass "$1: rustc # SKIP rustc is not installed"
		fi
		if command -v rustfmt >/dev/null; then
			expect "$1: rustfmt" quiet rustfmt --edition 2021 --check "$3"
		else
			pass "$1: rustfmt # SKIP rustfmt is not installed"
		fi ;;
	python)
		expect "$1: python3" quiet python3 -W error -B -O "$3" ;;
	esac
}

# refused LANGUAGE FILE - pass if FILE does not compile
refused() {
	case $1 in
	c) ! gcc -std=c11 -fsyntax-only -x c "$2" 2>/dev/null ;;
	rust) ! rustc --edition 2021 --crate-type lib --emit metadata --out-dir "$WORK" "$2" 2>/dev/null ;;
	python) ! python3 -B -O "$2" 2>/dev/null ;;
	esac
}

# faults LANGUAGE FILE SED... - pass if FILE does not compile after any of the changes, each of which makes a fact wrong
faults() {
	local language=$1 file=$2 changed=$WORK/changed.$1 edit
	shift 2
	if [ "$language" = rust ] && ! command -v rustc >/dev/null; then
		pass 'a wrong fact causes an error # SKIP rustc is not installed'
		return
	fi
	for edit; do
		sed "$edit" "$file" >"$changed"
		expect "the file was changed: $edit" [ -n "$(cmp "$file" "$changed" 2>&1)" ]
		expect "a wrong fact causes an error: $edit" refused "$language" "$changed"
	done
}

declare -A ending=([c]=h [rust]=rs [python]=py)

for language in c rust python; do
	it "one version, $language"
	file=one.${ending[$language]}
	gen "$language" --version 120.01.00 NVOS54_PARAMETERS UVM_FREE 'NV2080_CTRL_GPU_QUERY_MODE*' 'NV_CHANNEL*'
	expect_status 0
	expect_err_empty
	expect_out_is "$file"
	cp "$OUT" "$WORK/$file"
	compiles 'it compiles' "$language" "$WORK/$file"
	gen "$language" --version 120.01.00 --target aarch64-linux-gnu NVOS54_PARAMETERS UVM_FREE 'NV2080_CTRL_GPU_QUERY_MODE*' 'NV_CHANNEL*'
	expect 'the output is the same for aarch64' diff <(sed 's/aarch64/x86_64/' "$OUT") "$WORK/$file"

	it "a range, $language"
	file=range.${ending[$language]}
	gen "$language" --versions 100.10.01..120.01.00 'UVM_MAP*' NV2080_CTRL_CMD_GPU_GET_NAME
	expect_status 0
	expect_out_is "$file"
	cp "$OUT" "$WORK/$file"
	compiles 'it compiles' "$language" "$WORK/$file"

	it "all names of all versions, $language"
	file=everything.${ending[$language]}
	gen "$language" --versions .. '*'
	expect_status 0
	cp "$OUT" "$WORK/$file"
	gen "$language" --versions .. '*'
	expect_same 'the output has the same bytes again' "$WORK/$file" "$OUT"
	compiles 'it compiles' "$language" "$WORK/$file"

	it "complex records, $language"
	mkdir -p "$WORK/hard"
	cp "$ROOT/testdata/cli/c/hard.h" "$WORK/hard"
	printf '%s' '{"format": "drvabi-profile/1", "name": "hard", "description": "", "repository": null, "constants": [], "roles": [],
		"units": [{"name": "hard", "headers": ["hard.h"], "include": ["."]}], "families": []}' >"$WORK/hard.json"
	file=hard.${ending[$language]}
	run gen --lang "$language" --profile hard.json --dir hard '*'
	expect_status 0
	expect_out_is "$file"
	cp "$OUT" "$WORK/$file"
	compiles 'they compile' "$language" "$WORK/$file"
done

it 'a wrong fact'
faults c "$WORK/one.h" \
	's/sizeof(UVM_FREE_PARAMS) == [0-9]*/sizeof(UVM_FREE_PARAMS) == 23/' \
	's/\(offsetof(UVM_FREE_PARAMS, length)\) == 8/\1 == 12/' \
	's/\(_Alignof(UVM_FREE_PARAMS)\) == 8/\1 == 4/' \
	's/^typedef unsigned int NvU32;/typedef unsigned short NvU32;/'
faults rust "$WORK/one.rs" \
	's/layout! { UVM_FREE_PARAMS, [0-9]*/layout! { UVM_FREE_PARAMS, 23/' \
	'/layout! { UVM_FREE_PARAMS/,/^}/s/length: 8/length: 12/' \
	'/layout! { UVM_FREE_PARAMS/,/^}/s/length: 8/length: 4/' \
	's/\(layout! { UVM_FREE_PARAMS, [0-9]*\), 8/\1, 4/' \
	's/^pub type NvU32 = u32;/pub type NvU32 = u16;/'
faults python "$WORK/one.py" \
	's/^_check(UVM_FREE_PARAMS, [0-9]*/_check(UVM_FREE_PARAMS, 23/' \
	'/^_check(UVM_FREE_PARAMS/s/length=8/length=12/' \
	's/^NvU32 = ctypes.c_uint32/NvU32 = ctypes.c_uint16/'

it 'two versions in one translation unit of C'
gen c --versions 100.10.01..120.01.00 UVM_MAP_EXTERNAL_ALLOCATION_PARAMS
cat >"$WORK/both.c" <<'C'
#include "range.h"
#include "range.h"
#include <stdio.h>

int main(void)
{
	printf("%zu %zu\n", sizeof(UVM_MAP_EXTERNAL_ALLOCATION_PARAMS), sizeof(UVM_MAP_EXTERNAL_ALLOCATION_PARAMS_V110));
	for (size_t i = 0; i < sizeof(nvidia_abi_layouts) / sizeof(*nvidia_abi_layouts); i++)
		printf("%s %s %s %zu\n", nvidia_abi_layouts[i].definition, nvidia_abi_versions[nvidia_abi_layouts[i].first],
		       nvidia_abi_versions[nvidia_abi_layouts[i].last], nvidia_abi_layouts[i].size);
	return 0;
}
C
expect 'it compiles' quiet gcc -std=c11 -Wall -Wextra -Werror -o "$WORK/both" "$WORK/both.c"
"$WORK/both" >"$OUT"
expect_out_is both.txt

it 'the class for a version'
cat >"$WORK/which.py" <<'PYTHON'
import ctypes, range as abi

for version in ("100.10.01", "110.05.00", "120.01.00"):
    found = abi.layout("UVM_MAP_EXTERNAL_ALLOCATION_PARAMS", version)
    print(version, found.__name__, ctypes.sizeof(found))
for name, version in (("UVM_MAP_EXTERNAL_ALLOCATION_PARAMS", "99.0"), ("NO_SUCH", "110.05.00")):
    try:
        abi.layout(name, version)
    except KeyError as missing:
        print("KeyError", missing)
PYTHON
(cd "$WORK" && python3 -B which.py) >"$OUT"
expect_out_is which.txt

it 'bit-fields in Python'
cat >"$WORK/bits.py" <<'PYTHON'
import sys, hard

spelled = {"in": "in_", "__hash__": "__hash___", ("bits_keywords", "in"): "in__"}
for line in sys.stdin:
    path, wanted, value = line.split()
    record, *names = path.split(".")
    names = [spelled.get((record, name), spelled.get(name, name)) for name in names]
    whole = getattr(hard, record)()
    inner = whole
    for name in names[:-1]:
        inner = getattr(inner, name)
    setattr(inner, names[-1], int(value))
    if bytes(whole).hex() != wanted or getattr(inner, names[-1]) != int(value):
        sys.exit(f"{path}: {bytes(whole).hex()}, of C {wanted}")
    setattr(inner, names[-1], -1)
    setattr(inner, names[-1], 0)
    if any(bytes(whole)):
        sys.exit(f"{path} is not 0 again")
record = hard.bits_keywords()
record.yes = 2
if record.yes != 1:
    sys.exit("a _Bool stores 1 for 2 in C")
PYTHON
gcc -std=c11 -I "$ROOT/testdata/cli/c" "$ROOT/testdata/cli/c/bits.c" -o "$WORK/bits"
"$WORK/bits" >"$WORK/bits.txt"
lib_same_bits() {
	(cd "$WORK" && python3 -B bits.py <bits.txt)
}
expect 'have the layout of C' lib_same_bits
expect '38 bit-fields were compared' [ "$(wc -l <"$WORK/bits.txt")" = 38 ]

it 'bit-fields in Rust'
cat >"$WORK/bits_rs.py" <<'PYTHON'
import sys

# Like the output of gen, with members that have no name in C.
paths = {"deep.in.y": "r#in.anon_0.anon_0.y", "deep.in.y2": "r#in.anon_1.anon_0.y2", "flags.mode": "anon_0.anon_0.mode", "flags.rest": "anon_0.anon_0.rest",
         "bits_in_union.b": "anon_0.b", "bits_in_both.b": "anon_0.b", "bits_in_both.bits_1": "anon_1.bits_1", "bits_in_both.d": "anon_1.anon_0.d",
         "bits_keywords.in": "r#in", "bits_keywords.type": "r#type", "bits_keywords.self": "self__"}
setters = {"bits_keywords.in": "set_in__"}
print('#[path = "hard.rs"]\nmod hard;\nfn main() {')
for line in sys.stdin:
    name, wanted, value = line.split()
    record, field = name.split(".", 1)
    inner, _, getter = paths.get(name, field).rpartition(".")
    setter = setters.get(name, "set_" + field.rpartition(".")[2])
    whole = f"whole.{inner}" if inner else "whole"
    data = ", ".join(str(byte) for byte in bytes.fromhex(wanted))
    print(f"""    unsafe {{
        let (mut whole, wanted): (hard::{record}, [u8; core::mem::size_of::<hard::{record}>()]) = (core::mem::zeroed(), [{data}]);
        let bytes = core::ptr::addr_of!(whole) as *const [u8; core::mem::size_of::<hard::{record}>()];
        let inner = core::ptr::addr_of_mut!({whole});
        (*inner).{setter}({value} as i128 as _);
        assert_eq!((*bytes, (*inner).{getter}() as i64), (wanted, {value}), "{name}");
        (*inner).{setter}(-1i128 as _);
        (*inner).{setter}(0);
        assert!((*bytes).iter().all(|&byte| byte == 0), "{name} is not 0 again");
    }}""")
print("""    unsafe {
        let mut record: hard::bits_keywords = core::mem::zeroed();
        record.set_yes(2);
        assert_eq!(record.yes(), 1, "a _Bool stores 1 for 2 in C");
    }
}""")
PYTHON
python3 -B "$WORK/bits_rs.py" <"$WORK/bits.txt" >"$WORK/bits_main.rs"
if command -v rustc >/dev/null; then
	expect 'it compiles' quiet rustc --edition 2021 -o "$WORK/bits_main" "$WORK/bits_main.rs"
	expect 'have the layout of C' quiet "$WORK/bits_main"
else
	pass 'have the layout of C # SKIP rustc is not installed'
fi

it 'only an enum, only a constant'
gen c --version 120.01.00 UVM_MAX_GPUS
expect_out_like '^#define UVM_MAX_GPUS '
expect_out_unlike 'include'
gen python --version 120.01.00 UVM_MAX_GPUS
expect_out_unlike 'import'
gen rust --version 120.01.00 UVM_MAX_GPUS
expect_out_unlike 'macro_rules'

it 'errors'
gen rust --style nvproxy UVM_FREE
expect_cannot '--style is for --lang go; leave it out$'
gen c --package x UVM_FREE
expect_cannot '--package is for --lang go; leave it out$'
run gen --lang python --table "$TABLE"
expect_cannot '--table is for --lang go; leave it out$'
run gen --lang rust
expect_cannot 'what should be generated\? drvabi gen --lang rust NAME\.\.\., or '

it 'a document with contradictions'
run extract --repo "$REPO" 120.01.00
cp "$OUT" "$WORK/document.json"
# lies JQ LANGUAGE MESSAGE - expect an error for a document whose record UVM_FREE_PARAMS was changed by jq
lies() {
	jq "$1" "$WORK/document.json" >"$WORK/lie.json"
	run gen --lang "$2" --json lie.json UVM_FREE_PARAMS
	expect_cannot "$3"
}
for language in c rust python; do
	lies '.records.UVM_FREE_PARAMS.fields[1].offset = 4' "$language" 'UVM_FREE_PARAMS: its fields overlap, so it cannot be declared'
	lies '.records.UVM_FREE_PARAMS.fields[0].name = "a int\n}"' "$language" 'is not an identifier; fix the document$'
	lies '.records.UVM_FREE_PARAMS.fields[0].name = "length"' "$language" 'record UVM_FREE_PARAMS has field length twice; fix the document$'
	lies '.records.UVM_FREE_PARAMS.fields[0].type = "UVM_FREE_PARAMS"' "$language" 'nest deeper than 64 levels, or contain themselves$'
	lies '.records.UVM_FREE_PARAMS.size += 4' "$language" 'UVM_FREE_PARAMS: its size is not a multiple of its alignment; fix the document$'
	jq '.version = "1\"}*/\n#error\nx = 1" | .records.UVM_FREE_PARAMS.fields[0].type = "NvU64" | .driver = "a b\n"' "$WORK/document.json" >"$WORK/lie.json"
	run gen --lang "$language" --json lie.json 'UVM_FREE*'
	expect_status 0
	cp "$OUT" "$WORK/lie"
	compiles 'a hostile version is only text' "$language" "$WORK/lie"
done

done_testing
