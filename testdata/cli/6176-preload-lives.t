#!/usr/bin/env bash
# drvabi sniff --preload: if the recorder is killed, the workload continues, and the trace has its first calls.
. "$(dirname "$0")/lib.sh"
. "$ROOT/testdata/sniff/lib.sh"
workload
cd "$WORK" || exit
"$SNIFF/with-zero-devices" true || skip_all 'this machine cannot create a mount namespace'
"${CC:-cc}" -O2 "$SNIFF/bench/calls.c" -o calls

sniff=("$DRVABI" sniff --preload --archive "$ARCHIVE" --table "$ROOT/data/nvproxy.json" --version 590.48.01 -q)

# begin TRACE [--compress] COMMAND... - COMMAND below a recorder, both in the background; files recorder: its pid, ended: COMMAND's status
begin() {
	local trace=(-o "$1")
	shift
	[ "$1" != --compress ] || { trace+=("$1") && shift; }
	rm -f recorder ended log
	# shellcheck disable=SC2016 # variables of the inner shell
	env -u LD_PRELOAD "$SNIFF/with-zero-devices" "${sniff[@]}" "${trace[@]}" -- sh -c 'echo $PPID >recorder; "$@"; echo $? >ended' sh "$@" >said 2>&1 &
}

# until_true COMMAND... - wait up to a minute until the command succeeds
until_true() {
	local waits=0
	until "$@" 2>/dev/null; do
		[ $((waits += 1)) -le 3000 ] || return 1
		sleep 0.02
	done
}

lines() {
	[ "$(wc -l <"$1")" -ge "$2" ]
}

it 'the recorder is killed'
begin killed.trace "$WORKLOAD" --any-answer --log log --count 20000 many
expect 'the workload has started' until_true lines log 2000
kill -KILL "$(cat recorder)"
had=$(wc -l <log)
expect 'the workload continues until its end' until_true test -s ended
expect 'exits with its own status' grep -qx 0 ended
expect 'makes all its calls' [ "$(grep -c '"kind": "ioctl"' log)" -gt 20000 ]
expect 'also after the recorder has ended' [ "$(wc -l <log)" -gt "$had" ]
wait

it 'the trace of a killed recorder'
run decode --archive "$ARCHIVE" --table "$ROOT/data/nvproxy.json" --format json killed.trace
expect 'can be read up to the last message' [ "$STATUS" = 0 ]
python3 - <<'CUT'
import struct
data = open("killed.trace", "rb").read()
at = 0
while at + 8 <= len(data) and at + 8 + struct.unpack_from("<Q", data, at)[0] <= len(data):
    at += 8 + struct.unpack_from("<Q", data, at)[0]
open("whole.trace", "wb").write(data[:at])
CUT
calls=$("$SNIFF/make-trace" --text whole.trace | grep -c '"kind": "ioctl"')
grep '"kind": "ioctl"' log | head -n "$calls" >first.log
expect 'has at least 1000 calls' [ "$calls" -ge 1000 ]
expect 'has the first calls of the workload' "$COMPARE" --ioctls whole.trace first.log

it 'the recorder is killed while it compresses'
begin packed.trace --compress "$WORKLOAD" --any-answer --log log --count 20000 many
expect 'the workload has started' until_true lines log 2000
kill -KILL "$(cat recorder)"
expect 'the workload ends normally' until_true grep -qx 0 ended
wait
run decode --archive "$ARCHIVE" --table "$ROOT/data/nvproxy.json" --format json packed.trace
expect_err_like 'packed\.trace ends within'
expect 'the trace has the calls up to that time' [ "$(grep -c '"number"' "$OUT")" -ge 1000 ]

it 'the recorder is killed while the buffer is full'
# shellcheck disable=SC2016 # variables of the inner shell
begin full.trace sh -c 'kill -STOP "$(cat recorder)"; exec ./calls ioctl 30000'
expect 'the recorder is stopped' until_true grep -q '^State:.T' "/proc/$(until_true test -s recorder && cat recorder)/status"
sleep 1
expect 'the workload waits for the recorder' [ ! -e ended ]
kill -KILL "$(cat recorder)"
expect 'continues without the recorder' until_true test -s ended
expect 'exits with its own status' grep -qx 0 ended
wait

done_testing
