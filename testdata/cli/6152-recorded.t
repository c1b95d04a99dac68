#!/usr/bin/env bash
# drvabi sniff with calls that the kernel answers (with ENOTTY): the trace has each call and byte that the workload logs.
. "$(dirname "$0")/lib.sh"
. "$ROOT/testdata/sniff/lib.sh"
workload
cd "$WORK" || exit
sniff_or_skip
"$SNIFF/with-zero-devices" true || skip_all 'this machine cannot create a mount namespace'

# recorded PROGRAM MODE [OPTION]... - pass if trace and log agree for a mode of the workload
recorded() {
	local program=$1 mode=$2
	shift 2
	it "$mode, ${program##*/} $*"
	rm -f log trace
	run_program "$SNIFF/with-zero-devices" "$DRVABI" sniff --archive "$ARCHIVE" --table "$ROOT/data/nvproxy.json" --version 590.48.01 -q \
		-o trace -- "$program" --any-answer --log log --count "${COUNT:-200}" "$@" "$mode"
	expect_status 0
	expect 'trace and log agree' "$COMPARE" --opened trace log
}

for mode in basic embedded xfer fds bad partial many threads fork exec vfork dup pass signals mmap types; do
	recorded "$WORKLOAD_STATIC" "$mode"
	recorded "$WORKLOAD" "$mode" --raw
done
count=4000
! in_full || count=100000
COUNT=$count recorded "$WORKLOAD" many

done_testing
