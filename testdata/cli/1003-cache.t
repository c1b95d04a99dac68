#!/usr/bin/env bash
# Cached documents: the result has the same bytes, whatever happened to the cache.
. "$(dirname "$0")/lib.sh"
fixture

entries() {
	find "$WORK/cache/drvabi/documents" -type f 2>/dev/null
}

# each_entry COMMAND... - run COMMAND on each entry of the cache
each_entry() {
	local file
	for file in $(entries); do
		"$@" "$file"
	done
}

# differs_as_ever WHAT - pass if a run gives the same result as the first run
differs_as_ever() {
	run_differ --repo "$REPO" --base 100.10.01 --next 120.01.00 --format json
	expect_status 1
	expect_err_empty
	expect_same "$1" "$OUT" "$WORK/first.json"
}

# differs_though_unwritable WHY [NAME=VALUE]... - pass if a run gives the first result, and one warning about the cache
differs_though_unwritable() {
	local why=$1
	shift
	run_differ "$@" --repo "$REPO" --base 100.10.01 --next 120.01.00 --format json
	expect_status 1
	expect_one_line_error "^drvabi: the cache cannot be written \\(set XDG_CACHE_HOME, or give --no-cache\\): $why$"
	expect_same 'the result is the same' "$OUT" "$WORK/first.json"
}

it 'without a cache'
run_differ --no-cache --repo "$REPO" --base 100.10.01 --next 120.01.00 --format json
expect_status 1
keep first.json
expect 'nothing is written' [ -z "$(entries)" ]

it 'with an empty cache'
differs_as_ever 'the same'
expect 'two documents are written' [ "$(entries | wc -l)" = 2 ]

it 'with a filled cache'
each_entry touch -d 2001-01-02
differs_as_ever 'the same'

it 'documents from the cache are the same'
for version in 100.10.01 110.05.00 100.20.02 120.01.00; do
	run extract --no-cache --repo "$REPO" "$version"
	keep none.json
	run extract --repo "$REPO" "$version"
	expect_same "$version, not in the cache" "$OUT" "$WORK/none.json"
	run extract --repo "$REPO" "$version"
	expect_same "$version, in the cache" "$OUT" "$WORK/none.json"
done
run extract --repo "$REPO" --target aarch64-linux-gnu 110.05.00
expect_json 'a different target has its own document' '.target == "aarch64-linux-gnu"'
run extract --repo "$REPO" main
keep main.json
run extract --repo "$REPO" 120.01.00
expect_json 'two names of one tree keep their names' '.version == "120.01.00"'

it 'a different profile with the same name'
sed 's/"role": "handle", "type": "NvHandle"/"role": "none", "type": "NvHandle"/' "$ROOT/src/extract/profiles/nvidia.json" >"$WORK/other.json"
run extract --repo "$REPO" --profile ./other.json 120.01.00
expect_status 0
expect 'has its own document' lib_lacks '"handle"' "$OUT"

empty_it() { : >"$1"; }
shorten() { truncate -s "-$2" "$1"; }
halve() { truncate -s $(($(stat -c %s "$1") / 2)) "$1"; }
lengthen() { printf 'more' >>"$1"; }
garble() { head -c 5000 /dev/zero | tr '\0' "$2" >"$1"; }
# flip FILE PERMILLE - change one byte of FILE
flip() {
	local at=$(($(stat -c %s "$1") * $2 / 1000))
	printf '\377\376' | dd of="$1" bs=1 seek="$at" conv=notrunc status=none
}
damage() {
	local file
	for file in $(entries); do
		case $1 in
		empty) empty_it "$file" ;;
		short) shorten "$file" "$2" ;;
		half) halve "$file" ;;
		long) lengthen "$file" ;;
		garbage) garble "$file" "$2" ;;
		flip) flip "$file" "$2" ;;
		esac
	done
}

it 'a damaged entry'
for how in empty half long 'short 1' 'short 100' 'garbage a' 'garbage \0' 'flip 0' 'flip 2' 'flip 100' 'flip 500' 'flip 900' 'flip 998'; do
	# shellcheck disable=SC2086 # words
	damage $how
	differs_as_ever "is never believed: $how"
done

rm -rf "$WORK/cache"

it 'an entry that is a directory, a dangling link, or a pipe'
differs_as_ever 'to begin with'
names=$(entries)
for name in $names; do
	rm "$name"
	ln -s nowhere "$name"
done
differs_as_ever 'a link to nowhere'
for name in $names; do
	rm -f "$name"
	mkdir "$name"
done
differs_though_unwritable '.*: Is a directory'
rm -rf "$WORK/cache"

it 'a run that is killed at any time'
for delay in 0 0.002 0.005 0.01 0.015 0.02 0.03 0.05; do
	(
		cd "$WORK"
		exec env -i PATH="$PATH" XDG_CACHE_HOME="$WORK/cache" "$DRVABI" diff --repo "$REPO" 100.10.01 120.01.00 -o killed.json
	) >/dev/null 2>&1 &
	sleep "$delay"
	kill -9 $! 2>/dev/null || true
	wait $! 2>/dev/null || true
done
rm -f "$WORK"/killed.json*
differs_as_ever 'leaves a cache that the next run can use'
differs_as_ever 'and the one after that'

it 'files of a killed run'
for name in $(entries); do
	head -c 1000 "$name" >"$name.4711-0.tmp"
done
differs_as_ever 'is not taken for an entry'

it 'several runs at once'
rm -rf "$WORK/cache"
pids=
for i in 1 2 3 4 5 6; do
	(
		cd "$WORK"
		exec env -i PATH="$PATH" XDG_CACHE_HOME="$WORK/cache" "$DRVABI" diff --repo "$REPO" 100.10.01 120.01.00 --format json
	) >"$lib_scratch/several.$i" 2>"$ERR" &
	pids="$pids $!"
done
for pid in $pids; do
	wait "$pid" || true
done
for i in 1 2 3 4 5 6; do
	expect_same 'use the cache together' "$lib_scratch/several.$i" "$WORK/first.json"
done

it 'a cache that cannot be written'
: >"$WORK/file"
differs_though_unwritable 'cannot make directory .*/file: .*' XDG_CACHE_HOME="$WORK/file"
differs_though_unwritable 'cannot make directory /dev/null: .*' XDG_CACHE_HOME=/dev/null/cache
run XDG_CACHE_HOME=/dev/null/cache diff -q --repo "$REPO" 100.10.01 120.01.00
expect_status 1
expect_err_empty
run XDG_CACHE_HOME=/dev/null/cache history -q --repo "$REPO"
expect_status 0
expect_err_empty
run XDG_CACHE_HOME=/dev/null/cache diff --no-cache --repo "$REPO" 100.10.01 120.01.00 --format json
expect_status 1
expect_same 'does not matter with --no-cache' "$OUT" "$WORK/first.json"
if [ "$(id -u)" != 0 ]; then
	mkdir "$WORK/locked"
	chmod 500 "$WORK/locked"
	differs_though_unwritable 'cannot make directory .*/locked/drvabi: Permission denied' XDG_CACHE_HOME="$WORK/locked"
	chmod 700 "$WORK/locked"
fi

it 'no directory for a cache'
differs_though_unwritable 'there is no directory for the cache: neither XDG_CACHE_HOME nor HOME is set' XDG_CACHE_HOME= HOME=
run XDG_CACHE_HOME= HOME= diff --no-cache --repo "$REPO" 100.10.01 120.01.00 --format json
expect_same 'does not matter with --no-cache' "$OUT" "$WORK/first.json"
run XDG_CACHE_HOME=relative diff --repo "$REPO" 100.10.01 120.01.00 --format json
expect_same 'a relative XDG_CACHE_HOME is ignored' "$OUT" "$WORK/first.json"
expect 'HOME is used instead' [ -d "$WORK/home/.cache/drvabi/documents" ]

it 'documents of directories'
rm -rf "$WORK/cache"
unpack 110.05.00 tree
run extract --dir tree
keep one.json
expect 'are not cached' [ -z "$(entries)" ]
sed -i 's/^#define UVM_MAX_GPUS .*/#define UVM_MAX_GPUS 77/' "$(grep -rl 'define UVM_MAX_GPUS' "$WORK/tree")"
run extract --dir tree
expect_json 'so a change has an effect at once' '.constants.UVM_MAX_GPUS == 77'

done_testing
