#!/usr/bin/env bash
# drvabi sniff: many threads that stop often get equal turns, and sniff does not wait for children from before the command.
. "$(dirname "$0")/lib.sh"
. "$ROOT/testdata/sniff/lib.sh"
cd "$WORK" || exit
sniff_or_skip
"$SNIFF/with-zero-devices" true || skip_all 'this machine cannot create device files for the test'

sniff=("$DRVABI" sniff --archive "$ARCHIVE" --table "$ROOT/data/nvproxy.json" --version 590.48.01 -q)
"${CC:-cc}" -std=gnu11 -D_GNU_SOURCE -O1 -Wall -Wextra -Werror -pthread "$ROOT/testdata/cli/c/busy.c" -o busy

# fair - pass if each thread made at least a tenth as many calls as the busiest thread
fair() {
	sort -n "$1" | awk 'NR == 1 { least = $1 } { most = $1 } END { exit !(NR == 8 && least * 10 >= most) }'
}

for option in -q --survive; do
	it "eight threads, $option"
	run_program "$SNIFF/with-zero-devices" "${sniff[@]}" "$option" -o trace -- ./busy 8 1500
	expect_status 0
	expect 'all threads make calls' fair "$OUT"
	"$SNIFF/make-trace" --text trace | grep -o '"request": 32233[0-9]*' | sort | uniq -c | awk '{ print $1 }' | sort -n >traced
	expect 'the trace has the calls of all threads' diff <(sort -n "$OUT") traced
done

# in_time COMMAND... - pass if the command ends in half the time of the earlier child
in_time() {
	local begin=$SECONDS
	sh -c 'sleep 20 & echo $! >child; exec "$@"' - "$@"
	local status=$?
	kill "$(cat child)"
	[ "$status" = 0 ] && [ $((SECONDS - begin)) -lt 10 ]
}

it 'a child from before the command'
for option in -q --survive --preload; do
	expect "sniff does not wait for it, $option" in_time "${sniff[@]}" "$option" -- true
	expect "sniff waits for processes that the command started, $option" in_time "${sniff[@]}" "$option" -- sh -c '(sleep 1; : >late) & exec true'
	expect "they ran to their end, $option" rm late
done

done_testing
