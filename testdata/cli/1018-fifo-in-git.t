#!/usr/bin/env bash
# What would be waited for, or taken for something else, without a word.
. "$(dirname "$0")/lib.sh"
fixture

it 'a FIFO in a repository is said, and nothing waits for it'
for name in packed-refs config refs/tags/100.99.99 objects/info/alternates objects/ab/cdef0123; do
	rm -rf "$WORK/copy"
	git clone -q --bare "$REPO" "$WORK/copy"
	rm -f "$WORK/copy/$name"
	mkdir -p "$WORK/copy/${name%/*}" 2>/dev/null || true
	rm -rf "${WORK:?}/copy/$name"
	mkfifo "$WORK/copy/$name"
	status=0
	timeout 20 "$DRVABI" extract --no-archive --no-cache --repo "$WORK/copy" 110.05.00 >"$WORK/out" 2>"$WORK/err" || status=$?
	expect "$name" [ "$status" = 2 ]
	expect "$name is named" grep -q "copy/$name is a FIFO" "$WORK/err"
done

it 'a file hides a table that is included: that is said'
cp "$ROOT/data/nvproxy.json" "$WORK/nvproxy"
run verify --table nvproxy --version 595.44.03
expect 'a note' grep -q 'note: the table nvproxy is the file of this name here, not .*nvproxy.json' "$ERR"

it 'without /proc the archive that is included is found all the same'
# The sanitizers read their options and the threads in /proc: without it, no build of theirs runs.
if [ -z "${DRVABI_SAN:-}" ] && unshare -m sh -c 'mount -t tmpfs none /proc' 2>/dev/null; then
	status=0
	(cd "$WORK" && env -i PATH="$PATH" HOME="$WORK/home" unshare -m sh -c 'mount -t tmpfs none /proc && exec "$0" show --version 595.44.03 NVOS21_PARAMETERS' "$DRVABI") \
		>"$WORK/out" 2>"$WORK/err" || status=$?
	expect 'found' [ "$status" = 0 ]
fi

it 'a small stack is raised, or refused in a sentence'
status=0
(ulimit -Ss 64 && exec "$DRVABI" extract --no-archive --no-cache --repo "$REPO" 110.05.00) >"$WORK/out" 2>"$WORK/err" || status=$?
expect 'raised' [ "$status" = 0 ]
status=0
(ulimit -Ss 64 && ulimit -Hs 64 && exec "$DRVABI" --version) >"$WORK/out" 2>"$WORK/err" || status=$?
expect 'refused' [ "$status" = 2 ]
expect 'in a sentence' grep -q 'the stack may have 64 KB' "$WORK/err"

done_testing
