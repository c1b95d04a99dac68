#!/usr/bin/env bash
# drvabi sniff: of many threads that stop all the time, each gets its turn; children from before are not waited for.
. "$(dirname "$0")/lib.sh"
. "$ROOT/testdata/sniff/lib.sh"
cd "$WORK" || exit
sniff_or_skip
"$SNIFF/with-zero-devices" true || skip_all 'no devices can be pretended here'

sniff=("$DRVABI" sniff --archive "$ROOT/data/nvidia.drvabi" --table "$ROOT/data/nvproxy.json" --version 590.48.01 -q)
"${CC:-cc}" -std=gnu11 -D_GNU_SOURCE -O1 -Wall -Wextra -Werror -pthread "$ROOT/testdata/cli/c/busy.c" -o busy

# fair - nobody made less than a tenth of what the busiest made
fair() {
	sort -n "$1" | awk 'NR == 1 { least = $1 } { most = $1 } END { exit !(NR == 8 && least * 10 >= most) }'
}

for option in -q --survive; do
	it "eight threads, $option"
	run_program "$SNIFF/with-zero-devices" "${sniff[@]}" "$option" -o trace -- ./busy 8 2
	expect_status 0
	expect 'all get on' fair "$OUT"
	"$SNIFF/make-trace" --text trace | grep -o '"request": 32233[0-9]*' | sort | uniq -c | awk '{ print $1 }' | sort -n >traced
	expect 'and the trace has the calls that they made' diff <(sort -n "$OUT") traced
done

# in_time COMMAND... - within half of the time that the child from before lasts
in_time() {
	local begin=$SECONDS
	sh -c 'sleep 20 & echo $! >child; exec "$@"' - "$@"
	local status=$?
	kill "$(cat child)"
	[ "$status" = 0 ] && [ $((SECONDS - begin)) -lt 10 ]
}

it 'a child that was there before'
for option in -q --survive --preload; do
	expect "is not waited for, $option" in_time "${sniff[@]}" "$option" -- true
	expect "what the command started is, $option" in_time "${sniff[@]}" "$option" -- sh -c '(sleep 1; : >late) & exec true'
	expect "and did what it had to, $option" rm late
done

done_testing
