#!/usr/bin/env bash
# scripts/anonymize-trace replaces the data that identifies a machine or a person, and nothing else.
. "$(dirname "$0")/../cli/lib.sh"
cd "$WORK" || exit
# shellcheck disable=SC2034 # used by the script that damage.py runs
export DRVABI
answers=(DRVABI_REPO= decode)

cat >messages.py <<'END_MESSAGES'
"""Print calls with personal data as JSON, one a line, for scripts/make-trace."""
import json
import struct

CPU = bytes.fromhex("a65e0f4ed7d47ba25047412c142a7773")  # NV_PROCESSOR_UUID_CPU_DEFAULT, the same on all machines
UUID = bytes.fromhex("6e1f7a3bc45d4e8f9a0b1c2d3e4f5a6b")
OTHER = bytes.fromhex("aabbccddeeff00112233445566778899")
TEXT = b"GPU-6e1f7a3b-c45d-4e8f-9a0b-1c2d3e4f5a6b"


def padded(data, size):
    return data + bytes(size - len(data))


def control(command, parameters, **more):
    outer = struct.pack("<4IQ2I", 1, 2, command, 0, 0x7000, len(parameters), 0)
    return dict({"fd_path": "/dev/nvidiactl", "fd": 3, "request": 0xc020462a, "argument": 0x1000, "start_ns": 1, "end_ns": 2, "before": outer.hex(), "after": outer.hex(),
                 "memory": [{"address": 0x7000, "before": bytes(len(parameters)).hex(), "after": parameters.hex()}]}, **more)


def uvm(number, parameters):
    return {"fd_path": "/dev/nvidia-uvm", "fd": 4, "request": number, "argument": 0x2000, "start_ns": 1, "end_ns": 2, "before": parameters.hex(), "after": parameters.hex()}


def gid(flags, data):
    return control(0x2080014a, struct.pack("<3I", 0, flags, len(data)) + padded(data, 256))


board = struct.pack("<I24s16s92s", 0, b"board", b"1650320012345", b"")
for message in (
        {"kind": "header", "version": "590.48.01", "target": "x86_64-linux-gnu", "command": "/home/alice/bin/app --on gpu-box.example.org"},
        {"kind": "open", "fd_path": "/dev/nvidiactl", "fd": 3, "ret": 3, "first": 2},
        gid(0, TEXT + b"\0"), gid(2, UUID), gid(2, OTHER),
        uvm(0x25, padded(UUID, 40)), uvm(0x25, padded(OTHER, 40)), uvm(0x25, padded(CPU, 40)), uvm(0x27, bytes(8)),
        control(0x2080013f, board),
        # No document has these calls: text, a known UUID, a UUID that the buffer cuts, a path.
        control(0x20803ffe, b"on gpu-box for /home/alice/x; " + TEXT.upper() + b" or bare " + TEXT[4:] + b" / 1650320012345 " + UUID + b" alicent; GPU-6e1f7a3b-c4"),
        control(0x20803ffe, bytes(96), memory=[{"address": 0x7000, "changed_at": 12, "before": padded(TEXT[:12], 96).hex(), "after": TEXT[12:].hex()}]),
        control(0x20800110, bytes(132), descriptors=[{"number": 7, "path": "/home/alice/socket"}, {"number": 3, "path": "/dev/nvidiactl"}])):
    print(json.dumps(message))
END_MESSAGES
python3 messages.py >messages
"$ROOT/scripts/make-trace" <messages >in.trace

anonymize() {
	run_program DRVABI="$DRVABI" DRVABI_REPO= "$ROOT/scripts/anonymize-trace" "$@"
}

not() {
	! "$@"
}

# has PATTERN FILE - return whether the bytes of FILE match PATTERN
has() {
	LC_ALL=C grep -aqP "$1" "$2"
}

it 'a trace'
anonymize --name gpu-box.example.org --name gpu-box in.trace out.trace
expect_status 0
expect_err_empty
expect_out_like '^2 UUIDs, 1 serial numbers and host names in fields, 3 names$'
expect 'memory that had only its changed bytes is written in full' [ "$(($(stat -c %s out.trace) - $(stat -c %s in.trace)))" = $((96 - 28 - 2)) ]
for left in alice gpu-box 1650320012345 '(?i)6e1f7a3b' '\x6e\x1f\x7a\x3b\xc4\x5d' '\xaa\xbb\xcc\xdd\xee\xff\x00\x11'; do
	expect "the trace has $left" has "$left(?!nt)" in.trace
	expect "$left is replaced" not has "$left(?!nt)" out.trace
done
expect 'only whole words are replaced' has alicent out.trace
expect 'a UUID is replaced in its text form' has 'GPU-00000000-0000-4000-8000-000000000001\x00' out.trace
expect 'a UUID is replaced in its binary form' has '\x00\x00\x00\x00\x00\x00\x40\x00\x80\x00\x00\x00\x00\x00\x00\x01' out.trace
expect 'a different UUID gets a different number' has '\x00\x00\x00\x00\x00\x00\x40\x00\x80\x00\x00\x00\x00\x00\x00\x02' out.trace
run "${answers[@]}" --format json in.trace
jq -c 'del(.. | .value?, .before?, .bytes?)' "$OUT" >in.json
run "${answers[@]}" --format json out.trace
expect_status 0
expect_json 'the serial number is replaced by a number' -s 'any(.. | objects | select(.path == "serialNumber"); .value == "0000000000001")'
expect_json 'fields that a document names uuid are replaced' -s '[.. | objects | select(.path == "gpu_uuid.uuid").value] == ["0x00000000000040008000000000000001", "0x00000000000040008000000000000002", "0xa65e0f4ed7d47ba25047412c142a7773"]'
expect 'only values change' diff <(sed 's/alice/u0001/' in.json) <(jq -c 'del(.. | .value?, .before?, .bytes?)' "$OUT")

it 'an anonymized trace'
anonymize --name gpu-box.example.org --name gpu-box out.trace again.trace
expect_status 0
expect_out_like '^0 UUIDs, 0 serial numbers and host names in fields, 0 names$'
expect 'is unchanged' cmp out.trace again.trace
cp in.trace place.trace
anonymize --name gpu-box.example.org --name gpu-box place.trace place.trace
expect 'the output can replace the input' cmp out.trace place.trace

it 'messages that were added to an anonymized trace'
cat out.trace in.trace >both.trace
anonymize --name gpu-box.example.org --name gpu-box both.trace both.out
expect_status 0
tail -c "$(stat -c %s out.trace)" both.out >added.trace
expect 'get numbers that are not in use' has 'GPU-00000000-0000-4000-8000-000000000003\x00' added.trace
expect 'the earlier messages are unchanged' cmp -n "$(stat -c %s out.trace)" out.trace both.out

it 'a stream of gVisor'
"$ROOT/scripts/make-trace" --wire gvisor <messages >gvisor.trace
anonymize gvisor.trace out.gvisor
expect_status 0
expect 'UUIDs are replaced' not has '\x6e\x1f\x7a\x3b\xc4\x5d' out.gvisor

it 'names of this machine'
host=$(python3 -c 'import socket; print(socket.gethostname())')
printf '%s\n' "{\"kind\": \"header\", \"version\": \"590.48.01\", \"command\": \"app --user somebody --host=$host\"}" | "$ROOT/scripts/make-trace" >local.trace
run_program DRVABI="$DRVABI" DRVABI_REPO= LOGNAME=somebody "$ROOT/scripts/anonymize-trace" --local local.trace local.out
expect_status 0
expect '--local replaces the user' not has somebody local.out
[ "$host" = localhost ] || expect '--local replaces the host' not has "$host" local.out
anonymize local.trace local.out
expect 'without --local, the user is kept' has somebody local.out

it 'a trace without personal data'
"$ROOT/scripts/make-trace" <"$ROOT/testdata/decode/trace.jsonl" >plain.trace
anonymize plain.trace plain.out
expect_status 0
expect 'is unchanged' cmp plain.trace plain.out

it 'a trace that ends within a message'
head -c -7 in.trace >cut.trace
anonymize cut.trace cut.out
expect_status 0
expect_err_like '^anonymize-trace: note: cut\.trace ends within the message at byte [0-9]+, which is omitted$'
expect 'the last message is omitted' [ "$(stat -c %s cut.out)" -lt "$(stat -c %s cut.trace)" ]

it 'invalid input'
anonymize "$ROOT/README.md" not.out
expect_status 2
expect_err_like '^anonymize-trace: '
anonymize nothing not.out
expect_status 2
expect_err_like '^anonymize-trace: cannot read nothing: No such file or directory$'
{ cat in.trace; printf '\004\0\0\0\0\0\0\0\377\377\377\377'; } >damaged.trace
anonymize damaged.trace not.out
expect_status 2
printf '\050\265\057\375packed' >packed.trace
anonymize packed.trace not.out
expect_status 2
expect_err_like '^anonymize-trace: packed\.trace is compressed; decompress it with zstd -d$'
anonymize in.trace nowhere/out
expect_status 2
expect 'no output is written' not compgen -G 'not.out*'

it 'random damage'
cat >damage.py <<'END_DAMAGE'
import random
import subprocess
import sys

data = open("in.trace", "rb").read()
chance = random.Random(1)
for number in range(40):
    copy = bytearray(data)
    for _ in range(chance.randrange(1, 4)):
        copy[chance.randrange(len(copy))] = chance.randrange(256)
    open("damage.trace", "wb").write(copy[:chance.randrange(len(copy)) if number % 4 == 0 else len(copy)])
    done = subprocess.run([sys.argv[1], "damage.trace", "damage.out"], capture_output=True, text=True)
    lines = done.stderr.splitlines()
    if done.returncode not in (0, 2) or not all(line.startswith("anonymize-trace: ") for line in lines):
        sys.exit("%d: %d\n%s" % (number, done.returncode, done.stderr))
END_DAMAGE
expect 'is accepted or refused with a message' python3 damage.py "$ROOT/scripts/anonymize-trace"

done_testing
