#!/usr/bin/env bash
# The program that the tests of sniff stand on: what it logs is a trace, and compare finds what differs.
. "$(dirname "$0")/lib.sh"
. "$ROOT/testdata/sniff/lib.sh"
workload
cd "$WORK"

for mode in basic embedded xfer fds bad partial many threads fork exec vfork dup pass signals mmap types; do
	it "$mode"
	expect 'it runs, and its log is a trace' logged "$mode" "$mode"
	expect 'log and trace agree' "$COMPARE" "$mode.trace" "$mode.log"
done

it 'a dynamic program'
expect 'runs' "$WORKLOAD" --log dynamic.log --pretend basic
"$SNIFF/make-trace" <dynamic.log >dynamic.trace
expect 'gives the same trace but for ids and addresses' "$COMPARE" --traces dynamic.trace basic.trace
expect 'text of a trace is a log again' sh -c "'$SNIFF/make-trace' --text basic.trace | sed 1d >text.log && '$COMPARE' basic.trace text.log"

it 'compare'
# differs SED-EXPRESSION WHAT - a log with that change is no longer what the trace says
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
expect 'finds an open that is missing' refused "$COMPARE" --opened --traces unopened.trace unopened.trace
expect 'asks for none otherwise' "$COMPARE" --traces unopened.trace unopened.trace

done_testing
