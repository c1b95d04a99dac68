#!/usr/bin/env bash
# drvabi sniff --preload: a workload in a process id namespace whose /proc does not have the recorder.
. "$(dirname "$0")/lib.sh"
. "$ROOT/testdata/sniff/lib.sh"
workload
cd "$WORK" || exit
"$SNIFF/with-zero-devices" unshare -p -f --mount-proc true 2>/dev/null || skip_all 'this machine cannot create a process id namespace'

sniff=("$DRVABI" sniff --preload --archive "$ARCHIVE" --table "$ROOT/data/nvproxy.json" --version 590.48.01 -q)

# sniffed COMMAND... - pass if trace and log agree for a workload in a namespace
sniffed() {
	rm -f log
	run_program "$SNIFF/with-zero-devices" "${sniff[@]}" -o trace -- "$@"
	expect_status 0
	expect_err_empty
	expect 'trace and log agree' "$COMPARE" --ioctls trace log
}

for mode in basic threads fork exec; do
	it "$mode"
	sniffed unshare -p -f --mount-proc "$WORKLOAD" --any-answer --log log "$mode"
done

it 'a workload that closes inherited descriptors'
sniffed unshare -p -f --mount-proc python3 -c 'import subprocess, sys; sys.exit(subprocess.call(sys.argv[1:], close_fds=True))' \
	"$WORKLOAD" --any-answer --log log basic

it 'a workload in a different network namespace'
run_program "$SNIFF/with-zero-devices" "${sniff[@]}" -o trace -- unshare -p -n -f --mount-proc "$WORKLOAD" --any-answer --log log basic
expect_status 0
expect 'runs, and is not recorded' [ "$("$SNIFF/make-trace" --text trace | grep -c '"kind": "ioctl"')" = 0 ]

done_testing
