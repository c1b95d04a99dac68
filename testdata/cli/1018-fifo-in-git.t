#!/usr/bin/env bash
# Files that would make drvabi wait forever, or use a wrong file, cause a message.
. "$(dirname "$0")/lib.sh"
fixture

it 'a FIFO in a repository'
for name in packed-refs config refs/tags/110.05.00 objects/info/alternates; do
	rm -rf "$WORK/copy"
	git clone -q --bare "$REPO" "$WORK/copy"
	mkdir -p "$WORK/copy/${name%/*}" 2>/dev/null || true
	rm -f "$WORK/copy/$name"
	mkfifo "$WORK/copy/$name"
	run DRVABI_PARSE_SECONDS=1 extract --no-archive --no-cache --repo copy 110.05.00
	expect_cannot '^drvabi: copy: reading the repository waited for more than 1 s; is one of the files a FIFO, .* DRVABI_PARSE_SECONDS=N allows more$'
done
run DRVABI_PARSE_SECONDS=1 history --no-archive --no-cache --repo copy
expect_cannot '^drvabi: copy: reading the repository waited for more than 1 s; '

it 'a file with the name of an included table'
cp "$ROOT/data/nvproxy.json" "$WORK/nvproxy"
run verify --table nvproxy --version 595.44.03
expect 'is used, with a note' grep -q 'note: the file nvproxy is used as the table, not the included table .*nvproxy.json' "$ERR"

it 'without /proc, the included archive is found'
# The sanitizers read their options and the threads in /proc, so a build with sanitizers does not run without it.
if [ -z "${DRVABI_SAN:-}" ] && unshare -m sh -c 'mount -t tmpfs none /proc' 2>/dev/null; then
	status=0
	(cd "$WORK" && env -i PATH="$PATH" HOME="$WORK/home" unshare -m sh -c 'mount -t tmpfs none /proc && exec "$0" show --version 595.44.03 NVOS21_PARAMETERS' "$DRVABI") \
		>"$WORK/out" 2>"$WORK/err" || status=$?
	expect 'is found' [ "$status" = 0 ]
fi

it 'a small stack limit is raised, or causes an error'
status=0
(ulimit -Ss 64 && exec "$DRVABI" extract --no-archive --no-cache --repo "$REPO" 110.05.00) >"$WORK/out" 2>"$WORK/err" || status=$?
expect 'is raised' [ "$status" = 0 ]
status=0
(ulimit -Ss 64 && ulimit -Hs 64 && exec "$DRVABI" --version) >"$WORK/out" 2>"$WORK/err" || status=$?
expect 'is an error' [ "$status" = 2 ]
expect 'with a message' grep -q 'the stack limit is 64 KB' "$WORK/err"

done_testing
