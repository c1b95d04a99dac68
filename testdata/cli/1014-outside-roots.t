#!/usr/bin/env bash
# Versions with equal cache keys can differ, because headers outside of the profile's directories are read.
. "$(dirname "$0")/lib.sh"
fixture

ctrl=src/common/sdk/nvidia/inc/ctrl/ctrl2080/ctrl2080demo.h
git clone -q --bare "$REPO" "$WORK/outside.git"
newest=120.01.00

# tag VERSION FILE TEXT - add a version after the newest version, with TEXT at the end of FILE
tag() {
	local index=$lib_scratch/index blob tree
	blob=$({
		git_in outside.git show "$newest:$2" 2>/dev/null || true
		printf '%s\n' "$3"
	} | git_in outside.git hash-object -w --stdin)
	rm -f "$index"
	GIT_INDEX_FILE=$index git --git-dir="$WORK/outside.git" read-tree "$newest"
	GIT_INDEX_FILE=$index git --git-dir="$WORK/outside.git" update-index --add --cacheinfo "100644,$blob,$2"
	tree=$(GIT_INDEX_FILE=$index git --git-dir="$WORK/outside.git" write-tree)
	git_in outside.git tag "$1" "$(git_in outside.git commit-tree -p "$newest^{commit}" -m "$1" "$tree")"
	newest=$1
}

tag 120.02.00 outside.h '#define OUTSIDE 9'
tag 120.02.01 "$ctrl" '#pragma once
#include "../../../../../../../outside.h"
typedef struct { NvU32 some[OUTSIDE]; } NV2080_CTRL_DEMO_OUTSIDE_PARAMS;'
for minor in 1 2 3 4; do
	tag "120.03.0$minor" outside.h "#undef OUTSIDE
#define OUTSIDE $minor"
done

it 'without a cache'
for version in 120.02.01 120.03.01 120.03.04; do
	run extract --no-cache --repo outside.git "$version"
	expect_status 0
	keep "$version.json"
done
run history --no-cache --repo outside.git --format json
expect_json 'all versions differ' '[.events[] | select(.name | test("_OUTSIDE_PARAMS$")) | .edges[].version] | unique | length == 5'
keep history.json

it 'with a cache'
for again in first second; do
	run history --repo outside.git --format json
	expect_same "the result is the same the $again time" "$OUT" "$WORK/history.json"
	for version in 120.02.01 120.03.01 120.03.04; do
		run extract --repo outside.git "$version"
		expect_same "$version, the $again time" "$OUT" "$WORK/$version.json"
	done
done
run cache
expect_out_like 'documents +4 .* 0 damaged'

done_testing
