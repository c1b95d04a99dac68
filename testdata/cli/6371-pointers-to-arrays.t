#!/usr/bin/env bash
# Arrays of pointers to arrays differ from pointers to larger arrays, although gVisor's tool spells both alike
. "$(dirname "$0")/lib.sh"
fresh

mkdir -p "$WORK/tree"
printf '{"format": "drvabi-profile/1", "name": "toy", "units": [{"name": "toy", "headers": ["toy.h"], "basics": "linux"}],
 "families": [{"name": "toy", "source": "ioc"}]}\n' >"$WORK/toy.json"
cat >"$WORK/tree/toy.h" <<'C'
typedef int (*rows_t[2])[3];
struct toy {
	int (*plane)[3][2];
	int (*rows[2])[3];
	int (*const both[4][2])[3];
	int (**deep[2])[3];
	int (*(*mixed[2])[5])[3];
	rows_t named;
	rows_t more[4];
	int (*(*calls[2])(int (*)[7]))[3];
	int (*call[2])(int);
};
#define TOY _IOW('t', 1, int (*[2])[3])
C

it 'are spelled as in C'
run extract --profile toy.json --dir tree
expect_status 0
expect_json 'have the right size' '[.records.toy.fields[] | [.name, .type, .size, .dims]] == [
	["plane", "int (*)[3][2]", 8, null], ["rows", "int (*[2])[3]", 16, [2]], ["both", "int (*const[4][2])[3]", 64, [4, 2]],
	["deep", "int (**[2])[3]", 16, [2]], ["mixed", "int (*(*[2])[5])[3]", 16, [2]], ["named", "int (*[2])[3]", 16, [2]],
	["more", "rows_t[4]", 64, [4, 2]], ["calls", "int (*(*[2])(int (*)[7]))[3]", 16, [2]], ["call", "int (*)(int)[2]", 16, [2]]]'
cp "$OUT" "$WORK/toy-document.json"

it 'are flattened'
run flatten toy-document.json
expect_status 0
expect_out_like '^ +8 +16  pointer  rows .* int \(\*\[2\]\)\[3\]$'
expect_out_like '^ +0 +8  pointer  plane .* int \(\*\)\[3\]\[2\]$'

it 'gen declares all elements in C'
run show --profile toy.json --dir tree --format c toy
expect_status 0
expect_out_like '^	void \*plane; '
expect_out_like '^	void \*rows\[2\]; '
expect_out_like '^	void \*both\[4\]\[2\]; '
expect_out_like '^	rows_t more\[4\]; '

it "have the compiler's layout"
for language in c python; do
	run gen --profile toy.json --dir tree --lang $language toy
	cp "$OUT" "$WORK/gen.$language"
	expect_status 0
done
expect 'the C compiles' "${CC:-cc}" -x c -fsyntax-only "$WORK/gen.c"
expect 'the Python can be imported' python3 "$WORK/gen.python"

it 'are the same from an archive'
git_in tree init -q -b main
git_in tree add . && git_in tree commit -qm one && git_in tree tag v1.0
run archive write -o toy.drvabi --profile toy.json --repo "$WORK/tree"
expect_status 0
run extract --profile toy.json --archive toy.drvabi v1.0
expect_json 'equal those of extraction' '[.records.toy.fields[1, 4] | .type] == ["int (*[2])[3]", "int (*(*[2])[5])[3]"]'

it 'older documents can still be read'
sed 's/"int (\*\[2\])\[3\]"/"int (*)[3][2]"/' "$WORK/toy-document.json" |
	jq 'del(.aliases["int (*)[3][2]"]) | .records |= map_values(.fields |= map(select(.name == "rows"))) | .ioctls = []' >"$WORK/old.json"
run flatten old.json
expect_status 0
expect_out_like '^ +8 +16  pointer  rows .* int \(\*\)\[3\]\[2\]$'

done_testing
