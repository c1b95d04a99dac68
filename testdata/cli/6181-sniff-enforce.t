#!/usr/bin/env bash
# drvabi sniff --enforce: calls without an entry that nvproxy nevertheless supports, according to gVisor's ioctl_sniffer (Ioctl.IsSupported() in
# tools/ioctl_sniffer/sniffer/sniffer.go).
. "$(dirname "$0")/lib.sh"
. "$ROOT/testdata/sniff/lib.sh"
cd "$WORK" || exit
sniff_or_skip

cp "$ROOT/data/nvproxy.json" nvproxy.json
sniffed=(sniff --archive "$ARCHIVE" --table nvproxy.json --enforce report -q)

# calls.py FILE makes the calls that FILE names, one a line: "control NUMBER STATUS", "alloc CLASS STATUS"; --trace prints them as scripts/make-trace takes them.
cat >calls.py <<'END_CALLS'
import ctypes
import fcntl
import json
import os
import struct
import sys

CONTROL, ALLOC, XFER = 0xc020462a, 0xc020462b, 0xc01046d3


def parameters(kind, number, status):
    """NVOS54_PARAMETERS and NVOS21_PARAMETERS, without what they lead to."""
    if kind == "alloc":
        return struct.pack("<4IQ2I", 1, 2, 3, number, 0, 0, status)
    return struct.pack("<4IQ2I", 1, 2, number, 0, 0, 0, status)


def make(line, is_text):
    kind, number, status = line.split()
    is_wrapped = kind.startswith("xfer-")
    kind, number, status = kind.removeprefix("xfer-"), int(number, 0), int(status, 0)
    before, after = parameters(kind, number, 0), parameters(kind, number, status)
    request = ALLOC if kind == "alloc" else CONTROL
    message = {"fd_path": "/dev/nvidiactl", "fd": 3, "request": request, "argument": 4096, "start_ns": 1, "end_ns": 2, "before": before.hex(), "after": after.hex()}
    if is_wrapped:
        wrapper = struct.pack("<2IQ", request & 0xff, len(before), 8192)
        message.update(request=XFER, before=wrapper.hex(), after=wrapper.hex(), memory=[{"address": 8192, "before": before.hex(), "after": after.hex()}])
    if is_text:
        print(json.dumps(message))
        return
    data = ctypes.create_string_buffer(before, len(before))
    argument = bytearray(before)
    if is_wrapped:
        argument = bytearray(struct.pack("<2IQ", request & 0xff, len(before), ctypes.addressof(data)))
    fcntl.ioctl(os.open("/dev/nvidiactl", os.O_RDWR), message["request"], argument)
    assert (data.raw if is_wrapped else bytes(argument)) == after, line


is_text = sys.argv[1] == "--trace"
if is_text:
    print(json.dumps({"kind": "header", "version": "590.48.01", "target": "x86_64-linux-gnu", "command": "calls.py"}))
for line in open(sys.argv[-1], encoding="utf-8"):
    make(line, is_text)
END_CALLS

# calling LINE... - run a workload with these calls, with the statuses in the lines
calling() {
	printf '%s\n' "$@" >calls
	python3 calls.py --trace calls | "$ROOT/scripts/make-trace" >calls.trace
	run "${sniffed[@]}" --replay calls.trace -- python3 calls.py calls
}

it 'ioctls of the table'
calling 'control 0x20800110 0' 'alloc 0x41 0'
expect_status 0
expect_err_empty

it 'ioctls that are not in the table'
calling 'control 0x20803ffe 0'
expect_status 1
expect_err_like '^not supported: control 0x20803ffe \(no ioctl of this version\)$'
calling 'alloc 0xc640 0'
expect_status 1
expect_err_like '^not supported: alloc 0xc640 AMPERE_SMC_MONITOR_SESSION$'

it 'ioctls that nvproxy forwards without an entry'
calling 'control 0x20808110 0' 'control 0x0000c001 0' 'control 0x20810110 0' 'control 0x20818110 0x56'
expect_status 0
expect_err_empty
calling 'control 0x20820110 0'
expect_status 1

it 'ioctls that the driver rejects, as nvproxy does'
calling 'control 0x20803ffe 0x56' 'alloc 0xc640 0x22'
expect_status 0
expect_err_empty
calling 'control 0x20803ffe 0x22'
expect_status 1
calling 'alloc 0xc640 0x56'
expect_status 1
calling 'control 0x20803ffe 0x56' 'control 0x20803ffe 0'
expect_status 1

it 'ioctls in NV_ESC_IOCTL_XFER_CMD'
calling 'xfer-control 0x20800110 0' 'xfer-control 0x20803ffe 0x56' 'xfer-alloc 0xc640 0x22' 'xfer-control 0x20808110 0'
expect_status 0
expect_err_empty
calling 'xfer-control 0x20803ffe 0'
expect_status 1

it 'the summary'
sniffed=(sniff --archive "$ARCHIVE" --table nvproxy.json --enforce report)
calling 'control 0x20808110 0' 'control 0x20810110 0' 'control 0x20803ffe 0x56' 'alloc 0xc640 0x22' 'control 0x20803ffd 0'
expect_status 1
grep -E '^(passed|not|capab|to add)' "$ERR" >said
expect_file_is said said.txt

it '--enforce instant'
sniffed=(sniff --archive "$ARCHIVE" --table nvproxy.json --enforce instant -q)
calling 'control 0x20808110 0' 'control 0x20810110 0' 'control 0x20803ffe 0x56' 'alloc 0xc640 0x22'
expect_status 0
calling 'control 0x20803ffe 0x56' 'control 0x20803ffe 0' 'control 0x20800110 0'
expect_status 1
expect_err_like '^drvabi: the workload was ended, because the ioctl above is not supported$'

it 'calls that are not in the trace'
# Replay answers like a driver without the command, because the real answer is unknown.
sniffed=(sniff --archive "$ARCHIVE" --table nvproxy.json --enforce report -q)
calling 'control 0x20803ffe 0x56'
printf '%s\n' 'control 0x20803ffe 0x56' 'control 0x20803ffd 0x56' >calls
run "${sniffed[@]}" --replay calls.trace -- python3 calls.py calls
expect_status 1
expect_err_like '^drvabi: 1 call had no match in calls\.trace, so it is unknown whether the driver refuses what the proxy does not support$'
printf '%s\n' 'control 0x20800110 0x56' 'control 0x20800110 0x56' >calls
run "${sniffed[@]}" --replay calls.trace -- python3 calls.py calls
expect_status 0

done_testing
