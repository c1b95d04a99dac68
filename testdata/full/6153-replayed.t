#!/usr/bin/env bash
# drvabi sniff --replay of the workload: a recording of the replay equals the trace.
. "$(dirname "$0")/../cli/lib.sh"
. "$ROOT/testdata/sniff/lib.sh"
workload
cd "$WORK" || exit
sniff_or_skip

# replayed TRACE RECORDING COMMAND... - replay TRACE, and record the replay
replayed() {
	local trace=$1 recording=$2
	shift 2
	rm -f "$recording" log
	run sniff --archive "$ROOT/data/nvidia.drvabi" --table "$ROOT/data/nvproxy.json" -q --replay "$trace" -o "$recording" -- "$@"
}

# agrees NAME COMPARE-ARGUMENT... - compare two traces
agrees() {
	local what=$1
	shift
	expect "$what" "$COMPARE" "$@"
}

# Threads and children get their answers in a different order or for different descriptors than in the pretended log.
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
		agrees 'the recording equals the log of the workload' --opened recording log
		[ "$mode" = threads ] || agrees 'the recording equals the pretended log' --no-fds --no-ids recording "$mode.log"
	done

	[ "$mode" != threads ] || continue
	it "$mode, a recording of a replay"
	replayed recording again $program --log log --count "${COUNT:-100}" "$mode"
	expect_status 0
	agrees 'the second recording equals the first' --traces --opened recording again
done

it '10,000 calls'
COUNT=10000 logged many many
replayed many.trace recording "$WORKLOAD_STATIC" --log log --count 10000 many
expect_status 0
agrees 'the recording equals the log of the workload' recording log

done_testing
