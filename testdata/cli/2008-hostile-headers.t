#!/usr/bin/env bash
# Headers that would keep libclang busy forever, use all memory or end the program: exit status 2 and one line.
. "$(dirname "$0")/lib.sh"

mkdir "$WORK/tree"
cat >"$WORK/profile.json" <<'END'
{"format": "drvabi-profile/1", "name": "tiny", "units": [{"name": "all", "headers": ["a.h"], "include": ["."]}],
 "constants": [{"name": "K_*"}], "roles": [], "families": []}
END

# repeated N TEXT - print TEXT N times
repeated() {
	head -c "$1" /dev/zero | sed "s/\\x00/$2/g"
}

# refused REGEX [NAME=VALUE]... - expect an error for the tree
refused() {
	local regex=$1
	shift
	run "$@" extract --profile ./profile.json --dir tree -o file
	expect_cannot "^drvabi: tree: $regex$"
}

header=$WORK/tree/a.h

it 'a hundred thousand casts'
{ printf 'enum { A = '; repeated 100000 '(int)'; echo '1 };'; } >"$header"
refused "$lib_died"

if [ -z "${DRVABI_SAN-}" ]; then
	it 'a macro of a hundred million tokens'
	{
		echo '#define A0 0 0 0 0 0 0 0 0'
		for i in {1..9}; do
			echo "#define A$i $(for ((n = 0; n < 8; n++)); do printf 'A%d ' $((i - 1)); done)"
		done
		echo 'int x[] = { A9 };'
	} >"$header"
	refused 'reading its headers takes more than 100 MB of memory; DRVABI_PARSE_MB=N allows more' DRVABI_PARSE_MB=100
fi

it 'a hundred thousand dimensions'
{ printf 'int x'; repeated 100000 '[1]'; echo ';'; } >"$header"
refused "(reading its headers takes more than 1 s of processor time; DRVABI_PARSE_SECONDS=N allows more|$lib_died)" DRVABI_PARSE_SECONDS=1

it 'a file that is included a trillion times'
for i in {1..40}; do
	printf '#include "h%d.h"\n#include "h%d.h"\n' $((i + 1)) $((i + 1)) >"$WORK/tree/h$i.h"
done
echo 'int done;' >"$WORK/tree/h41.h"
echo '#include "h1.h"' >"$header"
refused 'reading its headers takes more than .*; DRVABI_PARSE_.*=N allows more' DRVABI_PARSE_SECONDS=1

it 'one bad version among others'
git_in . init -q --template= repo
echo 'struct s { int a; };' >"$WORK/repo/a.h"
git_in repo add -A
git_in repo commit -q -m 1
git_in repo tag 1.0
{ printf 'enum { A = '; repeated 100000 '(int)'; echo '1 };'; } >"$WORK/repo/a.h"
git_in repo commit -q -a -m 2
git_in repo tag 1.1
echo 'struct s { int a, b; };' >"$WORK/repo/a.h"
git_in repo commit -q -a -m 3
git_in repo tag 1.2
for jobs in 1 2; do
	run history --profile ./profile.json --repo repo --no-cache --jobs $jobs
	expect_err_like "^drvabi: .*1\.1: $lib_died$"
	expect_out_like "1[.]2 after 1[.]0, inside"
done

it 'a limit that is not a number'
run DRVABI_PARSE_MB=many extract --profile ./profile.json --repo repo --no-cache 1.0
expect_cannot "^drvabi: DRVABI_PARSE_MB is 'many', but should be a number, at least 64$"

it 'the source file of driver_ast_parser'
{ printf 'enum { A = '; repeated 100000 '(int)'; echo '1 };'; } >"$WORK/deep.c"
echo '{"structs": ["s"], "constants": []}' >"$WORK/names.json"
run extract --input names.json deep.c
expect_cannot "^drvabi: deep\.c: $lib_died$"

if [ -n "${DRVABI_SAN:-}" ]; then
	it "the sanitizers know libclang's thread-local memory"
	mkdir "$WORK/asan"
	echo 'struct a { int b; };' >"$WORK/a.h"
	echo '{"structs": ["a"], "constants": []}' >"$WORK/names.json"
	run ASAN_OPTIONS="verbosity=2:log_path=$WORK/asan/log" extract --input names.json a.h
	expect_status 0
	cat "$WORK/asan"/log* >"$WORK/asan.txt"
	expect 'they do not guess its address' lib_lacks 'glibc (version|>=|<=)' "$WORK/asan.txt"
fi

done_testing
