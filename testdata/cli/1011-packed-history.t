#!/usr/bin/env bash
# The documents of a whole history are one file of the cache: the same bytes come out, whatever happened to it in between.
. "$(dirname "$0")/lib.sh"
fixture

ctrl=src/common/sdk/nvidia/inc/ctrl/ctrl2080/ctrl2080demo.h
limits=kernel-open/nvidia-uvm/uvm_ioctl.h
documents=$WORK/cache/drvabi/documents

# repository NAME - a clone of the fixture in which every object that comes is a file
repository() {
	git clone -q --bare "$REPO" "$WORK/$1"
	git_in "$1" config gc.auto 0
}

# tag REPOSITORY VERSION FILE TEXT - a version after the newest one, in which TEXT ends FILE; its blob is in $blob
tag() {
	local index=$lib_scratch/index tree commit
	blob=$({
		git_in "$1" show "$newest:$3" 2>/dev/null || true
		printf '%s\n' "$4"
	} | git_in "$1" hash-object -w --stdin)
	export GIT_INDEX_FILE=$index
	rm -f "$index"
	git --git-dir="$WORK/$1" read-tree "$newest"
	git --git-dir="$WORK/$1" update-index --add --cacheinfo "100644,$blob,$3"
	tree=$(git --git-dir="$WORK/$1" write-tree)
	unset GIT_INDEX_FILE
	commit=$(git_in "$1" commit-tree -p "$newest^{commit}" -m "$2" "$tree")
	git_in "$1" tag "$2" "$commit"
	newest=$2
}

# history_of REPOSITORY [ARGUMENT]... - all of it as JSON
history_of() {
	local repository=$1
	shift
	run history --repo "$repository" --format json "$@"
}

# as_ever WHAT [REPOSITORY] - a run now gives what one without cache gave
as_ever() {
	history_of "${2:-one.git}"
	expect_status 1
	expect_err_empty
	expect_same "$1" "$OUT" "$WORK/${2:-one.git}.json"
}

entries() {
	find "$documents" -type f ! -name '*.pack' 2>/dev/null
}

# packs - and that there is but one
packs() {
	find "$documents" -type f -name '*.pack'
}

unchanged() {
	cmp "$(packs)" "$WORK/$1"
}

fails() {
	! "$@"
}

repository one.git
newest=120.01.00
old_blobs=
for minor in 1 2 3 4 5 6 7 8; do
	tag one.git "120.0$minor.10" "$ctrl" "#define NV2080_CTRL_CMD_DEMO_PACKED_$minor (0x2080300$minor)"
	old_blobs="$old_blobs $blob"
done
tag one.git 120.09.01 "$limits" '#define UVM_MAX_GPUS_OF_ONE 3'

it 'without it'
history_of one.git --no-cache
expect_status 1
keep one.git.json
expect 'nothing is written' [ ! -e "$documents" ]

it 'cold'
as_ever 'the same'
expect 'one pack is there' [ "$(packs | wc -l)" = 1 ]
expect 'and nothing else' [ -z "$(entries)" ]
cp "$(packs)" "$WORK/first.pack"

it 'warm'
touch -d 2001-01-02 "$(packs)"
as_ever 'the same'
expect 'the pack is as it was' unchanged first.pack
expect 'but for the time of its use' [ "$(date -r "$(packs)" +%Y)" != 2001 ]
history_of one.git --jobs 1
expect_same 'the same with one thread' "$OUT" "$WORK/one.git.json"
run blame --repo one.git NVOS54_PARAMETERS
keep blamed
run blame --no-cache --repo one.git NVOS54_PARAMETERS
expect_same 'blame too' "$OUT" "$WORK/blamed"

it 'cold, with one thread'
run XDG_CACHE_HOME="$WORK/single" history --repo one.git --format json --jobs 1
expect_same 'the same' "$OUT" "$WORK/one.git.json"
expect 'and the same pack' cmp "$WORK/single/drvabi/documents/$(basename "$(packs)")" "$WORK/first.pack"
rm -rf "$WORK/single"

it 'after the history'
run_differ --no-cache --repo one.git --base 120.03.10 --next 120.09.01 --format json
keep pair.json
run_differ --repo one.git --base 120.03.10 --next 120.09.01 --format json
expect_status 1
expect_same 'run_differ says the same' "$OUT" "$WORK/pair.json"
expect 'and extracts nothing' [ -z "$(entries)" ]
run archive write --no-cache --repo one.git -o all.drvabi
run archive write --repo one.git -o again.drvabi
expect_same 'archive write gives the same bytes' "$WORK/all.drvabi" "$WORK/again.drvabi"
expect 'the pack is as it was' unchanged first.pack

it 'a new tag'
newest=120.09.01
tag one.git 120.10.00 "$ctrl" '#define NV2080_CTRL_CMD_DEMO_PACKED_10 (0x2080300a)'
history_of one.git --no-cache
keep one.git.json
for blob in $old_blobs; do
	rm -f "$WORK/one.git/objects/${blob%"${blob#??}"}/${blob#??}"
done
history_of one.git --no-cache
expect_cannot 'ctrl2080demo\.h of version 120\.01\.10 is missing from one\.git'
as_ever 'only that one is extracted'
expect 'the pack has it now' [ "$(packs | wc -l)" = 1 ]
expect 'and is another' fails unchanged first.pack
cp "$(packs)" "$WORK/second.pack"
as_ever 'and the run after that'
expect 'leaves it' unchanged second.pack
run_differ --repo one.git --base 120.03.10 --next 120.09.01 --format json
expect_same 'run_differ finds the old versions there' "$OUT" "$WORK/pair.json"

it 'a new tag of an old tree'
git_in one.git tag 120.10.01 "$(git_in one.git commit-tree -p '120.10.00^{commit}' -m again '120.10.00^{tree}')"
history_of one.git
expect_status 1
keep one.git.json
expect_json 'is a version without changes' 'any(.versions[]; .version == "120.10.01") and all(.events[].edges[]; .version != "120.10.01")'
expect 'is known to the pack' fails unchanged second.pack
cp "$(packs)" "$WORK/third.pack"
as_ever 'from then on'
expect 'and not written twice' unchanged third.pack

it 'two repositories in turn'
repository two.git
newest=110.05.00
for minor in 1 2 3 4 5 6; do
	tag two.git "111.0$minor.00" "$ctrl" "#define NV2080_CTRL_CMD_DEMO_OTHER_$minor (0x2080310$minor)"
done
history_of two.git --no-cache
keep two.git.json
as_ever 'the other one' two.git
cp "$(packs)" "$WORK/both.pack"
for repository in one.git two.git one.git two.git; do
	as_ever "$repository" "$repository"
	expect 'the pack has both' unchanged both.pack
done

# From here on one.git has all its versions again.
rm -rf "$WORK/one.git"
repository one.git
newest=120.01.00
for minor in 1 2 3 4 5 6 7 8; do
	tag one.git "120.0$minor.10" "$ctrl" "#define NV2080_CTRL_CMD_DEMO_PACKED_$minor (0x2080300$minor)"
done
history_of one.git --no-cache
keep one.git.json
run cache clear
as_ever 'and one of them alone'
cp "$(packs)" "$WORK/one.pack"

it 'another target, another profile'
run history --repo one.git --target aarch64-linux-gnu --format json
keep aarch64.json
expect 'is another pack' [ "$(packs | wc -l)" = 2 ]
sed 's/"role": "handle", "type": "NvHandle"/"role": "none", "type": "NvHandle"/' "$ROOT/src/profile/nvidia.json" >"$WORK/other.json"
run history --repo one.git --profile ./other.json --format json
expect 'is another pack' [ "$(packs | wc -l)" = 3 ]
as_ever 'none is taken for another'
run history --repo one.git --target aarch64-linux-gnu --format json
expect_same 'nor the other way around' "$OUT" "$WORK/aarch64.json"

it 'a pack under the name of another'
for pack in $(packs); do
	for from in $(packs); do
		[ "$pack" = "$from" ] || cp "$from" "$pack"
	done
done
as_ever 'is not believed'
rm -rf "$documents"

it 'a pack that is damaged'
as_ever 'to begin with'
size=$(stat -c %s "$(packs)")
for at in 0 7 8 15 16 31 32 47 48 50 90 $((size / 10)) $((size / 3)) $((size / 2)) $((size * 9 / 10)) $((size - 1)); do
	byte=$(od -An -tu1 -j "$at" -N 1 "$(packs)")
	# shellcheck disable=SC2059 # an octal escape
	printf "\\$(printf %03o $((byte ^ 64)))" | dd of="$(packs)" bs=1 seek="$at" conv=notrunc status=none
	as_ever "is never believed: byte $at"
	expect 'and is replaced' unchanged one.pack
done
for cut in 0 1 31 32 48 $((size / 2)) $((size - 1)); do
	truncate -s "$cut" "$(packs)"
	as_ever "is never believed: $cut bytes"
	expect 'and is replaced' unchanged one.pack
done
printf 'more' >>"$(packs)"
as_ever 'is never believed: too long'
expect 'and is replaced' unchanged one.pack
pack=$(packs)
rm "$pack"
ln -s nowhere "$pack"
as_ever 'a link to nowhere'
rm -f "$pack"
mkdir "$pack"
history_of one.git
expect_cannot '^drvabi: the cache cannot be written .*: it is a directory$'
rm -rf "$documents"

it 'a run that is killed at any moment'
for delay in 0 0.01 0.05 0.1 0.2 0.3 0.35 0.4 0.45 0.5 0.6; do
	(
		cd "$WORK"
		exec env -i PATH="$PATH" XDG_CACHE_HOME="$WORK/cache" "$DRVABI" history --repo one.git
	) >/dev/null 2>&1 &
	sleep "$delay"
	kill -9 $! 2>/dev/null || true
	wait $! 2>/dev/null || true
done
as_ever 'leaves a cache that the next run can use'
head -c 1000 "$(packs)" >"$(packs).4711-0.tmp"
as_ever 'what it leaves is not taken for a pack'
expect 'and the pack is that of a run that was not' unchanged one.pack

it 'several runs at the same time'
rm -rf "$documents"
pids=
for i in 1 2 3 4; do
	(
		cd "$WORK"
		exec env -i PATH="$PATH" XDG_CACHE_HOME="$WORK/cache" "$DRVABI" history --repo $([ $((i % 2)) = 0 ] && echo one.git || echo two.git) --format json
	) >"$lib_scratch/several.$i" 2>"$ERR" &
	pids="$pids $!"
done
for pid in $pids; do
	wait "$pid" || true
done
for i in 1 2 3 4; do
	expect_same 'share it' "$lib_scratch/several.$i" "$WORK/$([ $((i % 2)) = 0 ] && echo one.git || echo two.git).json"
done
as_ever 'one of them again'
as_ever 'and the other' two.git

it 'a disk that is full'
rm -rf "$documents"
lib_command='drvabi history, with ulimit -f 4' STATUS=0
(
	cd "$WORK" && trap '' XFSZ && ulimit -f 4 &&
		env -i PATH="$PATH" XDG_CACHE_HOME="$WORK/cache" "$DRVABI" history --repo one.git --format json >"$OUT" 2>"$ERR"
) || STATUS=$?
expect_status 2
expect_one_line_error 'the cache cannot be written \(set XDG_CACHE_HOME, or give --no-cache\): .*: File too large$'
expect 'leaves nothing' [ -z "$(find "$documents" -type f)" ]
as_ever 'and the next run is as ever'
cp "$(packs)" "$WORK/before.pack"
(
	cd "$WORK" && trap '' XFSZ && ulimit -f 4 &&
		env -i PATH="$PATH" XDG_CACHE_HOME="$WORK/cache" "$DRVABI" history --repo two.git --format json >"$OUT" 2>"$ERR"
) || true
expect 'the pack that was there stays' unchanged before.pack
run XDG_CACHE_HOME=/dev/null/cache history --repo one.git
expect_cannot '^drvabi: the cache cannot be written \(set XDG_CACHE_HOME, or give --no-cache\): cannot make directory /dev/null: '

it 'a few versions of many'
rm -rf "$documents"
run blame --repo one.git --version 110.05.00 NVOS54_PARAMETERS
expect_status 0
expect 'are documents, each for itself' [ -z "$(packs)" ]
count=$(entries | wc -l)
expect 'which are there' [ "$count" = 2 ]
as_ever 'the whole history takes them'
expect 'into its pack' unchanged one.pack
expect 'and leaves them' [ "$(entries | wc -l)" = "$count" ]

it 'what reads more than its key says'
repository outside.git
newest=120.01.00
tag outside.git 120.02.00 outside.h '#define OUTSIDE 9'
tag outside.git 120.02.01 "$ctrl" '#pragma once
#include "../../../../../../../outside.h"
typedef struct { NvU32 some[OUTSIDE]; } NV2080_CTRL_DEMO_OUTSIDE_PARAMS;'
for minor in 1 2 3 4; do
	tag outside.git "120.03.0$minor" outside.h "#undef OUTSIDE
#define OUTSIDE $minor"
done
history_of outside.git --no-cache
expect_json 'differs from version to version' '[.events[] | select(.name | test("_OUTSIDE_PARAMS$")) | .edges[].version] | unique | length == 5'
keep outside.git.json
run cache clear
as_ever 'is not taken from another version' outside.git
as_ever 'nor from the cache' outside.git
run cache
expect_out_like 'documents +0 '
expect_out_like 'packs +1 .* which hold 4 documents'

it 'drvabi cache'
run cache clear
run cache
expect_out_like 'packs +0 '
as_ever 'one history'
run history --repo one.git --target aarch64-linux-gnu
run cache
expect_out_like 'documents +0 .* 0 damaged'
expect_out_like 'packs +2 .* which hold 24 documents'
printf 'x' >>"$(packs | head -n 1)"
run cache
expect_out_like 'documents +0 .* 1 damaged'
run cache prune
expect_status 0
run cache
expect_out_like 'documents +0 .* 0 damaged'
expect_out_like 'packs +1 .* which hold 12 documents'
run cache clear
expect_status 0
expect 'clear leaves nothing' [ -z "$(find "$documents" -type f)" ]

done_testing
