#!/usr/bin/env bash
# drvabi sniff --preload: a workload in a pid namespace, where /proc does not have the recorder.
. "$(dirname "$0")/lib.sh"
. "$ROOT/testdata/sniff/lib.sh"
workload
cd "$WORK" || exit
"$SNIFF/with-zero-devices" unshare -p -f --mount-proc true 2>/dev/null || skip_all 'no pid namespace can be made here'

sniff=("$DRVABI" sniff --preload --archive "$ROOT/data/nvidia.drvabi" --table "$ROOT/data/nvproxy.json" --version 590.48.01 -q)

# sniffed COMMAND... - what the workload in a namespace says and what is recorded agree
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

it 'what closes the descriptors that it inherits'
sniffed unshare -p -f --mount-proc python3 -c 'import subprocess, sys; sys.exit(subprocess.call(sys.argv[1:], close_fds=True))' \
	"$WORKLOAD" --any-answer --log log basic

it 'another network namespace as well'
run_program "$SNIFF/with-zero-devices" "${sniff[@]}" -o trace -- unshare -p -n -f --mount-proc "$WORKLOAD" --any-answer --log log basic
expect_status 0
expect 'is not recorded, and runs' [ "$("$SNIFF/make-trace" --text trace | grep -c '"kind": "ioctl"')" = 0 ]

done_testing
