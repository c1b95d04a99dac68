#!/usr/bin/env bash
# drvabi sniff: signals to drvabi alone, to drvabi and its command, and from the command; a command that stops itself; ignored signals.
. "$(dirname "$0")/../cli/lib.sh"
. "$ROOT/testdata/sniff/lib.sh"
cd "$WORK" || exit
sniff_or_skip

cat >sent.py <<'END_SENT'
"""usage: sent.py WHOM SIGNAL COMMAND... - run COMMAND in its own process group, wait for the file ready, and send a signal.

WHOM is process or group. Prints the output of COMMAND and its exit status.
"""
import os
import signal
import subprocess
import sys
import time

whom, number, command = sys.argv[1], getattr(signal, sys.argv[2]), sys.argv[3:]
child = subprocess.Popen(command, start_new_session=True, stdout=subprocess.PIPE)
end = time.time() + 30
while not os.path.exists("ready") and time.time() < end:
    time.sleep(0.01)
os.unlink("ready")
(os.killpg if whom == "group" else os.kill)(child.pid, number)
print(child.communicate()[0].decode(), child.returncode)
END_SENT

cat >counts.py <<'END_COUNTS'
"""Print each signal that arrives within a second."""
import signal
import time

for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGUSR1", "SIGALRM", "SIGCONT"):
    signal.signal(getattr(signal, name), lambda number, frame: print(number, flush=True))
open("ready", "w").close()
end = time.monotonic() + 1
while time.monotonic() < end:
    time.sleep(0.01)
END_COUNTS

# alike WHOM SIGNAL - compare the signals that the command gets, and its exit status, with those of a run without drvabi
alike() {
	local option
	python3 sent.py "$1" "$2" python3 counts.py >plain
	for option in -q --survive; do
		run_program python3 sent.py "$1" "$2" "${sniff[@]}" "$option" -- python3 counts.py
		expect "$2 to the $1, $option" diff plain "$OUT"
	done
}

sniff=("$DRVABI" sniff --archive "$ROOT/data/nvidia.drvabi" --table "$ROOT/data/nvproxy.json" --version 590.48.01 -q)
it 'a signal'
for signal in SIGINT SIGTERM SIGHUP SIGUSR1 SIGALRM SIGCONT; do
	alike process "$signal"
done
for signal in SIGINT SIGTERM SIGUSR1 SIGCONT SIGUSR2; do
	alike group "$signal"
done
for signal in SIGTERM SIGUSR1; do
	python3 sent.py process "$signal" python3 counts.py >plain
	run_program python3 sent.py process "$signal" "${sniff[@]}" --preload -- python3 counts.py
	expect "$signal to the process, --preload" diff plain "$OUT"
done

it 'a signal of the command to its parent'
for option in -q --preload; do
	# shellcheck disable=SC2016 # for the inner shell
	run_program "${sniff[@]}" "$option" -- sh -c 'kill -USR1 $PPID; sleep 0.2; echo whole'
	expect_status 0
	expect "does not end drvabi, $option" grep -qx whole "$OUT"
done

# stopped PID - wait up to ten seconds until the process is stopped
stopped() {
	local try
	for try in $(seq 100); do
		grep -q '^State:.T' "/proc/$1/status" && return
		sleep 0.1
	done
	return "${try:+1}"
}

it 'a command that stops itself'
set -m
"${sniff[@]}" -- sh -c 'kill -STOP $$; echo on >on' 2>err &
job=$!
expect 'also stops drvabi, if drvabi is a job' stopped "$job"
kill -CONT -- "-$job"
status=0
wait "$job" || status=$?
set +m
expect 'continues with drvabi' [ "$status" = 0 ]
expect 'runs to its end' grep -qx on on
run_program timeout 20 "${sniff[@]}" -- sh -c '(sleep 0.5; kill -CONT $$) & kill -STOP $$; echo on'
expect_status 0
expect 'does not stop drvabi if drvabi is not a job, because the workload can continue itself' grep -qx on "$OUT"

it 'SIGXFSZ'
for option in -q --survive --preload; do
	run_program "${sniff[@]}" "$option" -- grep '^SigIgn' /proc/self/status
	expect "is not ignored, $option" grep -Eq '^SigIgn:.[0-9a-f]*[02468ace][0-9a-f]{6}$' "$OUT"
	(trap '' XFSZ && run_program "${sniff[@]}" "$option" -- grep '^SigIgn' /proc/self/status)
	expect "is ignored if it was ignored before, $option" grep -Eq '^SigIgn:.[0-9a-f]*[13579bdf][0-9a-f]{6}$' "$OUT"
done

done_testing
