#!/usr/bin/env bash
# The workload of the tests of sniff: its log can be converted to a trace, and compare finds differences.
. "$(dirname "$0")/lib.sh"
. "$ROOT/testdata/sniff/lib.sh"
workload
cd "$WORK"

for mode in basic embedded xfer fds bad partial many threads fork exec vfork dup pass signals mmap types; do
	it "$mode"
	expect 'runs, and the log is a trace' logged "$mode" "$mode"
	expect 'log and trace agree' "$COMPARE" "$mode.trace" "$mode.log"
done

it 'a dynamic program'
expect 'runs' "$WORKLOAD" --log dynamic.log --pretend basic
"$SNIFF/make-trace" <dynamic.log >dynamic.trace
expect 'gives the same trace, except for process ids and addresses' "$COMPARE" --traces dynamic.trace basic.trace
expect 'the text form of a trace is a log' sh -c "'$SNIFF/make-trace' --text basic.trace | sed 1d >text.log && '$COMPARE' basic.trace text.log"

it 'compare'
# differs SED-EXPRESSION WHAT - pass if compare finds the change in the log
differs() {
	sed -E "$1" basic.log >changed.log
	expect "finds $2" refused "$COMPARE" basic.trace changed.log
}
refused() {
	local status=0
	"$@" || status=$?
	[ "$status" = 1 ]
}
differs '5d' 'a call that is missing'
differs '5p' 'a call too many'
differs '5s/"before": "01/"before": "02/' 'a byte before'
differs '5s/("after": ")0/\11/' 'a byte after'
differs '5s/(size.*"before": ".*)0(0", "after)/\11\2/' 'a byte of memory before'
differs '5s/"ret": 0/"ret": -1/' 'a returned value'
differs '5s/"request": 3/"request": 4/' 'a request'
differs '5s/nvidiactl/nvidia1/' 'a path'
differs 's/"tid": [0-9]+/"tid": 1/' 'a thread'
differs '1,$d' 'that there are none'

sed '1d;$d' basic.log | "$SNIFF/make-trace" >unopened.trace
expect 'finds a missing open' refused "$COMPARE" --opened --traces unopened.trace unopened.trace
expect 'does not need an open without --opened' "$COMPARE" --traces unopened.trace unopened.trace

done_testing
