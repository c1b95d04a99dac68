#!/usr/bin/env bash
# drvabi gen --client: a program that makes the calls of a trace again, against a driver that is pretended by LD_PRELOAD.
. "$(dirname "$0")/lib.sh"
. "$ROOT/testdata/sniff/lib.sh"
workload
cd "$WORK" || exit

# gen ARGUMENT... - with the archive that comes along
gen() {
	run gen --lang c --archive "$ROOT/data/nvidia.drvabi" "$@"
}

strict=(-Wall -Wextra -Werror -O1)
"${CC:-cc}" -std=gnu11 -D_GNU_SOURCE -O1 -Wall -Wextra -Werror -shared -fPIC "$ROOT/testdata/cli/c/pretend_driver.c" "$SNIFF/pretend.c" "$SNIFF/calls.c" \
	-o driver.so -ldl

# client MODE - MODE.c and MODE, the client of its trace
client() {
	logged "$1" "$1"
	gen --client "$1.trace"
	cp "$OUT" "$1.c"
	expect_status 0
	expect 'compiles, static, without a warning' "${CC:-cc}" "${strict[@]}" -static "$1.c" -o "$1.static"
	"${CC:-cc}" "${strict[@]}" "$1.c" -o "$1"
}

# answers STATUS MODE [NAME=VALUE]... - the client's exit status with that driver; its standard error is in $ERR
answers() {
	local wanted=$1 mode=$2 status=0
	shift 2
	env "$@" LD_PRELOAD="$WORK/driver.so" "./$mode" 2>"$ERR" || status=$?
	expect "the client ends with $wanted ${*:+($*)}" [ "$status" = "$wanted" ]
}

for mode in basic embedded xfer fds bad partial many dup fork mmap; do
	it "$mode"
	client "$mode"
	[ "$mode" = mmap ] || answers 0 "$mode"
	expect_err_empty
done

it 'a driver that chooses other handles'
answers 0 basic PRETEND_HANDLE=0xc1d00777
expect_err_empty

it 'a driver that answers otherwise'
answers 1 basic PRETEND_FAULT=6
expect_file_is "$ERR" fault.txt
answers 1 xfer PRETEND_FAULT=1

it 'a machine without the device'
status=0
./basic.static 2>"$ERR" || status=$?
expect 'the client ends with 2' [ "$status" = 2 ]
expect_err_like '^client: /dev/nvidiactl: '

it 'the same bytes'
gen --client basic.trace
expect_same 'on every run' basic.c "$OUT"
expect_no_path 'the program' "$OUT"
INPUT=$WORK/basic.trace gen --client -
expect_same 'from standard input' basic.c "$OUT"

it 'refusals'
run gen --client basic.trace
expect_cannot '\-\-client is written in C alone; add --lang c$'
gen --client basic.trace NV_ESC_RM_FREE
expect_cannot "\-\-client takes all calls of the trace; leave 'NV_ESC_RM_FREE' out\$"
gen --client "$ROOT/README.md"
expect_cannot 'is no trace; drvabi sniff -o FILE -- COMMAND records one$'
gen --client lacking.trace
expect_cannot 'lacking\.trace: '
"$SNIFF/make-trace" --version '' <basic.log >unknown.trace
gen --client unknown.trace
expect_cannot 'does not say which version of the driver it is of; add --version VERSION$'
gen --client unknown.trace --version 590.48.01
expect_same 'with --version it is as before' basic.c "$OUT"
"$SNIFF/make-trace" </dev/null >empty.trace
gen --client empty.trace
expect_cannot 'empty\.trace has no calls$'
sed -E 's/"before": "[^"]*"/"before": null/' basic.log | "$SNIFF/make-trace" >gvisor.trace
gen --client gvisor.trace
expect_cannot "call 3 of the trace lacks the bytes before the call, as gVisor's traces do; record it with drvabi sniff\$"
head -c 600 basic.trace >cut.trace
gen --client cut.trace
expect_status 0
expect_err_like '^drvabi: note: cut\.trace ends within the message at offset [0-9]+; what is before it is used$'

it 'a trace of nothing but noise'
seq 5000 >>cut.trace
gen --client cut.trace
expect 'ends with an answer' [ "$STATUS" -le 2 ]

done_testing
