#!/usr/bin/env bash
# Versions that are read together share what they have in common; each is what it is alone. What testdata/fuzz/share.c found.
. "$(dirname "$0")/lib.sh"

cat >"$WORK/profile.json" <<'END'
{"format": "drvabi-profile/1", "name": "tiny", "units": [{"name": "all", "headers": ["*.h"], "include": ["."]}],
 "constants": [{"name": "NV_*"}], "roles": [], "families": []}
END

# begin LABEL - a repository without versions, in $WORK/repo
begin() {
	it "$1"
	rm -rf "$WORK/repo"
	git_in . init -q --template= repo
}

# header NAME - standard input is its text
header() {
	cat >"$WORK/repo/$1.h"
}

# version TAG
version() {
	git_in repo add -A
	git_in repo commit -q -m "$1"
	git_in repo tag "$1"
}

# expect_alone - each version out of a run over all is the one that it is on its own. Both come again, with one header
# more: in whatever order versions are read, each kind follows the other.
expect_alone() {
	local tag
	header z <<<'typedef int LAST;'
	version 1.2
	git_in repo checkout -q 1.0
	header z <<<'typedef int LAST;'
	version 1.3
	run archive write --no-cache --jobs 1 --profile ./profile.json --repo repo -o all.drvabi
	expect_status 0
	for tag in $(git_in repo tag); do
		run extract --no-cache -q --profile ./profile.json --repo repo "$tag"
		keep alone.json
		run extract -q --archive all.drvabi "$tag"
		expect_same "$tag is as it is alone" "$OUT" "$WORK/alone.json"
	done
	rm "$WORK/all.drvabi"
}

begin 'a type that another header brings is another'
header a <<<'typedef int T;'
header b <<<$'#include "a.h"\nstruct S { char c; T t; };'
version 1.0
header a <<<'typedef long long T;'
version 1.1
expect_alone

it 'no version was read alone, and -v would say so'
run archive write --no-cache -v --profile ./profile.json --repo repo -o all.drvabi
expect_status 0
expect_err_empty
header b <<<'_Pragma("pack(1)")'
version 1.4
run archive write --no-cache -v --profile ./profile.json --repo repo -o all.drvabi
expect_status 0
expect_err_like '^drvabi: 1\.4 was read alone: b\.h: _Pragma$'
rm "$WORK/all.drvabi"

begin 'a macro that looks like an include'
header 0 <<<$'#ifndef BASE\n#define BASE\ntypedef short T;\ntypedef long U;\n#endif'
header a <<<$'#ifndef A\nstruct S { U a; struct P *p; };\nstruct LOST { int a; T b; };\n#endif'
header b <<<$'#ifndef B\n#define B\nstruct K { char a; T b; };\nT f(struct S *p);\n#endif'
version 1.0
header a <<<$'#ifndef A\nstruct S { U a; struct P *p; };\n#define M "b.h"\n#endif'
version 1.1
expect_alone

begin 'a header that is another when it is included again'
header a <<<$'#ifndef A\n#define A\ntypedef int T;\n#else\ntypedef int AGAIN;\n#endif'
header c <<<'typedef int U;'
version 1.0
header c <<<$'typedef int U;\n#include "a.h"'
version 1.1
expect_alone

begin 'a header that is included again with another meaning'
header a <<<$'#ifndef NAME\n#define NAME FIRST\n#endif\nstruct NAME { int a; };\n#undef NAME'
header b <<<'typedef int T;'
version 1.0
header b <<<$'#define NAME SECOND\n#include "a.h"\ntypedef int T;'
version 1.1
expect_alone

begin 'a macro that is the line where it stands'
header a <<<$'#define NV_A 1\n#define NV_LINE __LINE__'
header b <<<'#define NV_B 1'
version 1.0
header b <<<$'#define NV_B 1\n#define NV_C 2'
header a <<<$'#define NV_A 1\n#define NV_A2 1\n#define NV_LINE __LINE__'
version 1.1
expect_alone

done_testing
