#!/usr/bin/env bash
# drvabi sniff --all records every process with an open device of the driver. It runs in a process id namespace, apart from other tests.
. "$(dirname "$0")/lib.sh"
. "$ROOT/testdata/sniff/lib.sh"
cd "$WORK" || exit
sniff_or_skip
"$SNIFF/with-zero-devices" unshare -pf --mount-proc true 2>/dev/null || skip_all 'this machine cannot create device files and process id namespaces for the test'

cat >holds.py <<'HOLDS'
import contextlib, fcntl, os, sys, threading, time
device = os.open("/dev/nvidiactl", os.O_RDWR) if "open" in sys.argv else None
def ask():
    with contextlib.suppress(OSError):
        fcntl.ioctl(device, 0xc020462a, bytearray(32))
while not os.path.exists("go"):
    time.sleep(0.05)
if device is None:
    device = os.open("/dev/nvidiactl", os.O_RDWR)
    time.sleep(2)
ask()
thread = threading.Thread(target=ask)
thread.start()
thread.join()
open("asked." + sys.argv[1], "w").close()
while not os.path.exists("end"):
    time.sleep(0.05)
open("ended." + sys.argv[1], "w").close()
HOLDS

cat >all.sh <<'ALL'
python3 holds.py before open & python3 holds.py after & python3 holds.py before2 open &
sleep 1
"$@" 2>said &
sniffer=$!
for ((i = 0; i < 100; i++)); do
	[ "$(grep -c 'has /dev/nvidiactl open' said)" = 2 ] && break
	sleep 0.1
done
: >go
for ((i = 0; i < 100; i++)); do
	[ -e asked.before ] && [ -e asked.after ] && [ -e asked.before2 ] && break
	sleep 0.1
done
kill -INT "$sniffer"
wait "$sniffer"
status=$?
: >end
wait
cat said >&2
exit "$status"
ALL

it 'two processes with an open device, and one that opens it later'
run_program "$SNIFF/with-zero-devices" unshare -pf --mount-proc bash all.sh "$DRVABI" sniff --archive "$ARCHIVE" --table "$ROOT/data/nvproxy.json" \
	--version 590.48.01 --all -o trace
expect_status 0
expect 'each process is reported once' [ "$(grep -c -E '^drvabi: process [0-9]+ has /dev/nvidiactl open; its earlier calls are not recorded$' "$ERR")" = 3 ]
expect 'all threads are recorded' [ "$("$SNIFF/make-trace" --text trace | jq -r 'select(.kind == "ioctl") | .pid' | sort | uniq -c | awk '{ print $1 }' | tr '\n' ' ')" = '2 2 2 ' ]
expect 'continue after drvabi has ended' test "$(echo ended.*)" = 'ended.after ended.before ended.before2'

it '--enforce'
rm -f go end asked.* ended.*
run_program "$SNIFF/with-zero-devices" unshare -pf --mount-proc bash all.sh "$DRVABI" sniff --archive "$ARCHIVE" --table "$ROOT/data/nvproxy.json" \
	--version 590.48.01 --all -q --enforce report
expect_status 1
expect_err_like '^drvabi: some calls were not recorded, so it is unknown whether the proxy supports all calls$'

it 'options that cannot be combined with it'
run sniff --version 590.48.01 --all -- true
expect_cannot '^drvabi: --all runs no command; leave out the command$'

done_testing
