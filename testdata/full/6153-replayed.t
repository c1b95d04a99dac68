#!/usr/bin/env bash
# drvabi sniff --replay of the workload: recording gives the trace again.
. "$(dirname "$0")/../cli/lib.sh"
. "$ROOT/testdata/sniff/lib.sh"
workload
cd "$WORK" || exit
sniff_or_skip

# replayed TRACE RECORDING COMMAND... - ends with 0, and says nothing
replayed() {
	local trace=$1 recording=$2
	shift 2
	rm -f "$recording" log
	run sniff --archive "$ROOT/data/nvidia.drvabi" --table "$ROOT/data/nvproxy.json" -q --replay "$trace" -o "$recording" -- "$@"
}

# agrees WHAT COMPARE-ARGUMENT...
agrees() {
	local what=$1
	shift
	expect "$what" "$COMPARE" "$@"
}

# Threads, and what a child inherits, have their answers in another order, or by other descriptors, than in the log that was pretended.
for mode in basic embedded xfer fds bad partial many threads fork exec vfork dup pass signals mmap types; do
	logged "$mode" "$mode"
	programs=("$WORKLOAD_STATIC")
	[[ $mode != @(basic|threads|vfork) ]] || programs+=("$WORKLOAD --raw" "$WORKLOAD")
	for program in "${programs[@]}"; do
		it "$mode, ${program##*/}"
		# shellcheck disable=SC2086 # a command and an option
		replayed "$mode.trace" recording $program --log log --count "${COUNT:-100}" "$mode"
		expect_status 0
		expect_out_empty
		agrees 'the recording is what the workload says' --opened recording log
		[ "$mode" = threads ] || agrees 'and what was replayed' --no-fds --no-ids recording "$mode.log"
	done

	[ "$mode" != threads ] || continue
	it "$mode, a recording of a replay"
	replayed recording again $program --log log --count "${COUNT:-100}" "$mode"
	expect_status 0
	agrees 'is replayed as the trace was' --traces --opened recording again
done

it '10,000 calls'
COUNT=10000 logged many many
replayed many.trace recording "$WORKLOAD_STATIC" --log log --count 10000 many
expect_status 0
agrees 'the recording is what the workload says' recording log

done_testing
