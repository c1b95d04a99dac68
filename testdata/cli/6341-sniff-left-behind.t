#!/usr/bin/env bash
# drvabi sniff: the command's status where the caller ignores SIGCHLD; signals when the command has ended and what it started goes on.
. "$(dirname "$0")/lib.sh"
. "$ROOT/testdata/sniff/lib.sh"
cd "$WORK" || exit
sniff_or_skip

sniff=("$DRVABI" sniff --archive "$ARCHIVE" --table "$ROOT/data/nvproxy.json" --version 590.48.01 -q)
ended() {
	! kill -0 "$1" 2>/dev/null
}

for option in -q --survive --preload; do
	it "an ignored SIGCHLD, $option"
	run_program bash -c "trap '' CHLD; exec \"\$@\"" - "${sniff[@]}" "$option" -- bash -c 'grep ^SigIgn /proc/self/status; exit 3'
	expect_status 3
	expect 'is ignored in the command' grep -Eq '^SigIgn:.[0-9a-f]*[13579bdf][0-9a-f]{4}$' "$OUT"

	it "a signal after the command has ended, $option"
	rm -f begun
	"${sniff[@]}" "$option" -- sh -c '(trap "echo told >told; exit" TERM; : >begun; while sleep 0.1; do :; done) & exit 5' &
	drvabi=$!
	for _ in $(seq 100); do [ ! -e begun ] || break; sleep 0.1; done
	sleep 0.5
	kill -TERM "$drvabi"
	for _ in $(seq 100); do ! ended "$drvabi" || break; sleep 0.1; done
	expect 'ends drvabi' ended "$drvabi"
	ended "$drvabi" || kill -KILL "$drvabi"
	status=0
	wait "$drvabi" || status=$?
	expect 'is sent to the processes that the command started' [ "$(cat told)" = told ]
	expect 'the exit status is that of the command' [ "$status" = 5 ]
	rm -f told
done

done_testing
