#!/usr/bin/env bash
# drvabi sniff --preload and drvabi sniff record the same trace: of two runs with the kernel's answers, and of one run with a driver's answers.
. "$(dirname "$0")/../cli/lib.sh"
. "$ROOT/testdata/sniff/lib.sh"
workload
cd "$WORK" || exit
sniff_or_skip

documents=(--archive "$ROOT/data/nvidia.drvabi" --table "$ROOT/data/nvproxy.json")
sniff=("$DRVABI" sniff "${documents[@]}" --version 590.48.01 -q)
fixed=()
! setarch -R true 2>/dev/null || fixed=(setarch -R)

# agree MODE - compare two runs, without times and ids, and without addresses unless they are the same in each run
agree() {
	rm -f log ptrace.trace preload.trace
	run_program "$SNIFF/with-zero-devices" "${fixed[@]}" "${sniff[@]}" -o ptrace.trace -- "$WORKLOAD" --any-answer --log log --count 200 "$1"
	expect_status 0
	run_program "$SNIFF/with-zero-devices" "${fixed[@]}" "${sniff[@]}" --preload -o preload.trace -- "$WORKLOAD" --any-answer --log log --count 200 "$1"
	expect_status 0
	expect 'two runs agree' "$COMPARE" --ioctls --traces preload.trace ptrace.trace
}

# are_one MODE - compare the two recordings of one run, with each byte, id and address. A replay answers in place of the driver.
are_one() {
	COUNT=200 logged "$1" driver
	rm -f log ptrace.trace preload.trace
	run sniff "${documents[@]}" -q --replay driver.trace -o ptrace.trace -- \
		env ASAN_OPTIONS=detect_leaks=0 "${sniff[@]}" --preload -o preload.trace -- "$WORKLOAD" --log log --count 200 "$1" # LeakSanitizer does not work under ptrace
	expect_status 0
	expect_err_empty
	"$SNIFF/make-trace" --text ptrace.trace | sed 1d >ptrace.text
	expect 'both recordings of one run are equal' "$COMPARE" --ioctls preload.trace ptrace.text
	expect 'the recording equals the log of the workload' "$COMPARE" --ioctls preload.trace log
}

for mode in basic embedded xfer fds bad partial many threads fork exec vfork dup pass signals; do
	it "$mode"
	[ "$mode" = threads ] || ! "$SNIFF/with-zero-devices" true || agree "$mode" # the descriptors of threads differ in each run
	are_one "$mode"
done

done_testing
