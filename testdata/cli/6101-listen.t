#!/usr/bin/env bash
# drvabi sniff --listen records the calls that a client of gVisor's protocol sends.
. "$(dirname "$0")/lib.sh"
. "$ROOT/testdata/sniff/lib.sh"
cd "$WORK" || exit

# The protocol of gVisor's hook: each thread has a connection, and each call is a length and a proto3 message.
cat >client.py <<'CLIENT'
import contextlib, socket, struct, sys, threading, time

def varint(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes(out + bytes([number]))

def call(path, request, ret, data):
    body = b"\x0a" + varint(len(path)) + path + b"\x10" + varint(request)
    if ret:
        body += b"\x18" + varint(ret & (1 << 64) - 1)
    if data:
        body += b"\x22" + varint(len(data)) + data
    return struct.pack("<Q", len(body)) + body

def thread(number):
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(sys.argv[1])
        ready.wait()
        for index in range(100):
            connection.sendall(call(b"/dev/nvidiactl", 0xc0104629, 0, struct.pack("<IIII", number, index, 0, 0)))
        connection.sendall(call(b"/dev/nvidia-uvm", 0x30000001, -1, b""))

ready = threading.Barrier(8)
threads = [threading.Thread(target=thread, args=(number,)) for number in range(8)]
with socket.socket(socket.AF_UNIX) as nonsense:
    while nonsense.connect_ex(sys.argv[1]):
        time.sleep(0.01)
    for one in threads:
        one.start()
    with contextlib.suppress(ConnectionError):  # the peer can close it before all data is sent
        nonsense.sendall(b"\xff" * 300000)
    for one in threads:
        one.join()
CLIENT

# hears OPTION... - write what the client sends to the file trace
hears() {
	python3 client.py "$WORK/socket" &
	run_program "$DRVABI" sniff --listen "$WORK/socket" --archive "$ARCHIVE" --table "$ROOT/data/nvproxy.json" --version 590.48.01 \
		-o trace "$@"
	wait $!
}

# texts FILTER - apply a jq filter to the trace
texts() {
	"$SNIFF/make-trace" --text trace | jq -s "$1"
}

it 'eight threads, and one that sends invalid data'
hears --once
expect_status 0
expect_err_like 'is ignored from byte 0 on'
expect 'the socket is removed' [ ! -e socket ]
expect 'all calls are recorded' [ "$(texts '[.[] | select(.kind == "ioctl")] | length')" = 808 ]
expect 'the calls of each thread are in order' [ "$(texts '[.[] | select(.kind == "ioctl" and .after != null) | .after[0:8] as $t | [$t, .after[8:10]]] |
	group_by(.[0]) | map(map(.[1]) == (map(.[1]) | sort)) | all and length == 8')" = true ]
expect 'the trace has a header' [ "$(texts '.[0] | .kind + " " + .version')" = '"header 590.48.01"' ]

it 'an interrupt ends the recording'
python3 - "$DRVABI" "$ROOT" <<'INTERRUPT'
import os, signal, subprocess, sys, time
program = subprocess.Popen([sys.argv[1], "sniff", "--listen", "other", "--archive", sys.argv[2] + "/data/nvidia.drvabi", "--version", "590.48.01", "-q",
                            "-o", "other.trace"])
while not os.path.exists("other"):
    time.sleep(0.01)
program.send_signal(signal.SIGINT)
sys.exit(program.wait() != 0 or os.path.exists("other"))
INTERRUPT
expect 'the exit status is 0, and the socket is removed' [ $? = 0 ]

it 'a socket that cannot be created'
run_program "$DRVABI" sniff --listen "$WORK/none/socket" --archive "$ARCHIVE" --version 590.48.01 -q
expect_status 2
expect_err_like "cannot listen at .*/none/socket: No such file"

it 'options that cannot be combined with it'
run_program "$DRVABI" sniff --listen socket -- true
expect_status 2
expect_err_like '^drvabi: --listen runs no command; leave out the command$'
run_program "$DRVABI" sniff --once -- true
expect_status 2
expect_err_like '^drvabi: --once can be used only with --listen'

done_testing
