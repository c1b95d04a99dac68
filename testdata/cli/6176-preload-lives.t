#!/usr/bin/env bash
# drvabi sniff --preload: when the recorder is killed, the workload goes on, and the trace is what it did first.
. "$(dirname "$0")/lib.sh"
. "$ROOT/testdata/sniff/lib.sh"
workload
cd "$WORK" || exit
"$SNIFF/with-zero-devices" true || skip_all 'no mount namespace can be made here'
"${CC:-cc}" -O2 "$SNIFF/bench/calls.c" -o calls

sniff=("$DRVABI" sniff --preload --archive "$ROOT/data/nvidia.drvabi" --table "$ROOT/data/nvproxy.json" --version 590.48.01 -q)

# begin TRACE [--compress] COMMAND... - COMMAND below a recorder, both in the background; files recorder: its pid, ended: COMMAND's status
begin() {
	local trace=(-o "$1")
	shift
	[ "$1" != --compress ] || { trace+=("$1") && shift; }
	rm -f recorder ended log
	# shellcheck disable=SC2016 # for the inner shell
	env -u LD_PRELOAD "$SNIFF/with-zero-devices" "${sniff[@]}" "${trace[@]}" -- sh -c 'echo $PPID >recorder; "$@"; echo $? >ended' sh "$@" >said 2>&1 &
}

# until_true COMMAND... - wait for it, for a minute
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

it 'a recorder that is killed'
begin killed.trace "$WORKLOAD" --any-answer --log log --count 20000 many
expect 'the workload runs' until_true lines log 2000
kill -KILL "$(cat recorder)"
had=$(wc -l <log)
expect 'the workload goes on, and ends as it would' until_true test -s ended
expect 'with its status' grep -qx 0 ended
expect 'and made all its calls' [ "$(grep -c '"kind": "ioctl"' log)" -gt 20000 ]
expect 'after the recorder had gone' [ "$(wc -l <log)" -gt "$had" ]
wait

it 'its trace'
run decode --archive "$ROOT/data/nvidia.drvabi" --table "$ROOT/data/nvproxy.json" --format json killed.trace
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
expect 'has calls' [ "$calls" -ge 1000 ]
expect 'and these are the first that were made' "$COMPARE" --ioctls whole.trace first.log

it 'a recorder that is killed while it compresses'
begin packed.trace --compress "$WORKLOAD" --any-answer --log log --count 20000 many
expect 'the workload runs' until_true lines log 2000
kill -KILL "$(cat recorder)"
expect 'the workload ends as it would' until_true grep -qx 0 ended
wait
run decode --archive "$ROOT/data/nvidia.drvabi" --table "$ROOT/data/nvproxy.json" --format json packed.trace
expect_err_like 'packed\.trace ends within'
expect 'has the calls up to there' [ "$(grep -c '"number"' "$OUT")" -ge 1000 ]

it 'a recorder that is killed when the ring is full'
# shellcheck disable=SC2016 # for the inner shell
begin full.trace sh -c 'kill -STOP "$(cat recorder)"; exec ./calls ioctl 30000'
expect 'the recorder stops' until_true grep -q '^State:.T' "/proc/$(until_true test -s recorder && cat recorder)/status"
sleep 1
expect 'the workload waits for it' [ ! -e ended ]
kill -KILL "$(cat recorder)"
expect 'and goes on without it' until_true test -s ended
expect 'with its status' grep -qx 0 ended
wait

done_testing
