#!/usr/bin/env bash
# drvabi sniff: a file size limit that is too small for --preload causes an error.
. "$(dirname "$0")/lib.sh"
. "$ROOT/testdata/sniff/lib.sh"
cd "$WORK" || exit
sniff_or_skip

limited() {
	(ulimit -f "$1" && run_program "$DRVABI" sniff --archive "$ARCHIVE" --table "$ROOT/data/nvproxy.json" --version 590.48.01 -q "${@:2}")
}

it 'a file size limit'
limited 1000 --preload -- true
expect 'is reported' grep -qx 'drvabi: cannot share memory with the workload: a file can have at most 1024000 bytes here, and the shared memory needs 17 MB; raise the limit (ulimit -f), or omit --preload' "$ERR"
limited 20000 --preload -- bash -c 'ulimit -f'
expect 'does not change if it is large enough' grep -qx 20000 "$OUT"
limited 1000 -- bash -c 'ulimit -f'
expect 'does not matter without --preload' grep -qx 1000 "$OUT"

done_testing
