#!/usr/bin/env bash
# drvabi sniff --replay, of the workload and of the client that drvabi gen makes of its trace: recording gives the trace again.
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
	run sniff --archive "$ROOT/data/nvidia.drvabi" --table "$ROOT/data/nvproxy.json" -q --any-type --replay "$trace" -o "$recording" -- "$@"
}

# agrees WHAT COMPARE-ARGUMENT...
agrees() {
	local what=$1
	shift
	expect "$what" "$COMPARE" "$@"
}

# client MODE - of MODE.trace, static
client() {
	run gen --lang c --client "$1.trace" --archive "$ROOT/data/nvidia.drvabi" -o "$1.c"
	expect_status 0
	"${CC:-cc}" -O1 -static "$1.c" -o "$1.client"
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

	it "$mode, its client"
	client "$mode"
	replayed "$mode.trace" first "./$mode.client"
	expect_status 0
	agrees 'makes the same calls' --traces --no-fds --no-threads first "$mode.trace"
	replayed first second "./$mode.client"
	expect_status 0
	agrees 'a recording of a replay is the trace again' --traces --opened first second
done

it 'a client whose trace was answered otherwise'
sed -E '4s/("after": ")0/\11/' basic.log | "$SNIFF/make-trace" >other.trace
replayed other.trace recording ./basic.client
expect_status 1
expect_err_like '^client: call 4 of 15, ioctl 0xc030462b on /dev/nvidiactl, NV_ESC_RM_ALLOC NV01_DEVICE_0: byte 0 of the argument is 0x1., and was 0x0. when it was recorded$'

it '10,000 calls'
COUNT=10000 logged many many
replayed many.trace recording "$WORKLOAD_STATIC" --log log --count 10000 many
expect_status 0
agrees 'the recording is what the workload says' recording log
client many
replayed many.trace recording ./many.client
expect_status 0
agrees 'and the client makes the same calls' --traces --no-fds recording many.trace

done_testing
