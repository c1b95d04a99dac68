#!/usr/bin/env bash
# drvabi sniff --replay: devices and answers of the trace, and answers for calls that are not in the trace.
. "$(dirname "$0")/lib.sh"
. "$ROOT/testdata/sniff/lib.sh"
workload
cd "$WORK" || exit
sniff_or_skip

sniffed=(sniff --archive "$ARCHIVE" --table "$ROOT/data/nvproxy.json" -q)
logged basic basic
replay=("${sniffed[@]}" --replay basic.trace)

it 'the devices of the trace'
run "${replay[@]}" -- stat -c '%n %F %t:%T' /dev/nvidiactl /dev/nvidia0
expect_status 0
expect "are character devices with the driver's numbers" diff - "$OUT" <<'END'
/dev/nvidiactl character special file c3:ff
/dev/nvidia0 character special file c3:0
END
# shellcheck disable=SC2016 # for the inner shell
run "${replay[@]}" -- bash -c 'exec 5<>/dev/nvidiactl; readlink /proc/self/fd/5; [ -r /dev/nvidia0 ] && [ -c /dev/nvidia0 ] && [ ! -e /dev/nvidia7 ] && echo there;
	exec 6>&5; bash -c "readlink /proc/self/fd/6"; python3 -c "import os; print(oct(os.fstat(5).st_mode), os.stat(\"/dev/nvidia-uvm\").st_mode == os.fstat(5).st_mode)"'
expect_status 0
expect 'also by descriptor, in children, and for other system calls' diff - "$OUT" <<'END'
/dev/nvidiactl
there
/dev/nvidiactl
0o20666 True
END
run sniff --archive "$ARCHIVE" --table "$ROOT/data/nvproxy.json" --replay basic.trace -- bash -c ': </dev/nvidia7'
expect_status 1
expect_err_like '^drvabi: note: process [0-9]+ opens /dev/nvidia7, which the trace does not name$'

it 'links of the machine that lead to devices of the trace'
# shellcheck disable=SC2016 # for the inner shell
run "${replay[@]}" -- bash -c 'mkdir links && cd links && ln -s /dev/nvidiactl device && ln -s device second && ln -s /dev directory && ln -s nowhere dangling
	for path in device second directory/nvidiactl "$PWD/../links/second" /proc/self/root/dev/nvidiactl /proc/thread-self/root/dev/nvidiactl; do
		exec 5<>"$path" && readlink /proc/self/fd/5
	done
	stat -L -c %F second; stat -c %F second; cat dangling; readlink device
	rm device && ln -s /dev/null device && stat -L -c %t:%T second'
expect_status 0
expect 'are followed, and can be removed' diff - "$OUT" <<'END'
/dev/nvidiactl
/dev/nvidiactl
/dev/nvidiactl
/dev/nvidiactl
/dev/nvidiactl
/dev/nvidiactl
character special file
symbolic link
/dev/nvidiactl
1:3
END
run sniff --archive "$ARCHIVE" --table "$ROOT/data/nvproxy.json" --replay basic.trace -- bash -c 'ln -s /dev/nvidia7 links/unknown; : <links/unknown'
expect_err_like '^drvabi: note: process [0-9]+ opens /dev/nvidia7, which the trace does not name$'

it 'all system calls for stat'
expect 'the workload finds its devices' "$WORKLOAD_STATIC" --log stat.log --pretend basic
run "${replay[@]}" -- "$WORKLOAD_STATIC" --log log stat
expect_status 0
run "${replay[@]}" --survive -- "$WORKLOAD" --log log stat
expect_status 0

it 'with --survive'
rm -f log
run "${replay[@]}" --survive -o survive.trace -- "$WORKLOAD" --log log basic
expect_status 0
expect "the recording agrees with the workload's log" "$COMPARE" --opened survive.trace log

it 'calls that are not in the trace'
sed '/"before": "[0-9a-f]*10018020/d' basic.log | "$SNIFF/make-trace" >fewer.trace
rm -f log
run sniff --archive "$ARCHIVE" --table "$ROOT/data/nvproxy.json" --replay fewer.trace -o refused.trace -- "$WORKLOAD_STATIC" --any-answer --log log basic
expect_status 0
expect_err_like '^drvabi: note: /dev/nvidiactl of process [0-9]+: the trace has no unused control NV2080_CTRL_CMD_GPU_GET_NAME_STRING 0x20800110 with these inputs; the call gets NV_ERR_NOT_SUPPORTED$'
expect_err_like '^drvabi: note: 1 call had no match in fewer.trace$'
expect 'the recording has their answers' "$COMPARE" refused.trace log
run decode --archive "$ARCHIVE" --format json refused.trace
expect_json 'the status is that of a driver' -s '[.[] | select(.number == 545259792)] | length == 1 and .[0].status == "NV_ERR_NOT_SUPPORTED" and .[0].ret == 0'

it 'inputs that only the driver changed'
# Bytes before a call can be left over from an earlier call. A byte that the driver overwrote is not compared.
"$SNIFF/make-trace" --text basic.trace | sed 1d | python3 -c '
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    for memory in message.get("memory", []):
        before, after = bytearray.fromhex(memory["before"]), bytes.fromhex(memory["after"])
        for at in range(len(before)):
            if len(before) == 132 and before[at] != after[at]:
                before[at] ^= 0x55
                if before[at] == after[at]:
                    before[at] ^= 1
        memory["before"] = before.hex()
    print(json.dumps(message))' | "$SNIFF/make-trace" >garbage.trace
rm -f log
run "${sniffed[@]}" --replay garbage.trace -o garbage.out -- "$WORKLOAD_STATIC" --log log basic
expect_status 0
expect_err_empty
names() {
	jq -r '.memory[]? | select(.size == 132).after' "$1"
}
expect 'the answers are those of the trace' diff <(names basic.log) <(names log)

it 'a program that makes more calls than were recorded'
twice=(bash -c '"$1" --log log basic && "$1" --log log2 basic' sh "$WORKLOAD_STATIC")
again=(sniff --archive "$ARCHIVE" --table "$ROOT/data/nvproxy.json" --replay basic.trace)
rm -f log log2
run "${again[@]}" -- "${twice[@]}"
expect_status 0
expect_err_like '^drvabi: note: ioctls answered from basic\.trace: 12 by a call with the same inputs, 0 by one with similar inputs, 12 by a call that was used before; -v lists them$'
rm -f log log2
run "${again[@]}" -v -- "${twice[@]}"
expect_err_like '^drvabi: note: /dev/nvidiactl of process [0-9]+: control NV2080_CTRL_CMD_GPU_GET_NAME_STRING 0x20800110 gets the same answer again$'
rm -f log log2
run "${again[@]}" --strict -- "${twice[@]}"
expect_err_like '^drvabi: note: [0-9]+ calls? had no match in basic\.trace$'
rm -f log log2
run "${again[@]}" -- true
expect_err_like '^drvabi: note: 12 ioctls in basic\.trace were not used$'

it 'a call with a different status field before it, which no driver reads'
cat >free.py <<'PYTHON'
import fcntl, json, os
call = next(one for one in map(json.loads, open("basic.text")) if one["kind"] == "ioctl" and one["request"] & 0xff == 0x29)
data = bytearray(bytes.fromhex(call["before"])[:12] + bytes([0x56, 0, 0, 0]))
fcntl.ioctl(os.open("/dev/nvidiactl", os.O_RDWR), call["request"], data)
print(data[12:].hex())
PYTHON
"$SNIFF/make-trace" --text basic.trace >basic.text
run "${again[@]}" -- python3 free.py
expect_status 0
expect_out_like '^00000000$'
expect_err_like '^drvabi: note: ioctls answered from basic\.trace: 0 by a call with the same inputs, 1 by one with similar inputs, 0 by a call that was used before'
run "${again[@]}" --strict -- python3 free.py
expect_out_like '^56000000$'
expect_err_like '^drvabi: note: 1 call had no match in basic\.trace$'

it "gVisor's stream"
rm -f log
run "${sniffed[@]}" --replay basic.trace --wire gvisor -o gvisor.trace -- "$WORKLOAD_STATIC" --log log basic
expect_status 0
run decode --archive "$ARCHIVE" --format json gvisor.trace
expect_json 'has the same number of ioctls' -s '[.[] | select(has("family"))] | length == 12'
run "${sniffed[@]}" --replay gvisor.trace -- true
expect_cannot '^drvabi: gvisor\.trace does not contain the driver'\''s version; name it with --version$'
logged xfer xfer
rm -f log
run "${sniffed[@]}" --replay xfer.trace --wire gvisor -o gvisor.trace -- "$WORKLOAD_STATIC" --log log xfer
rm -f log
# The stream names only devices that were used: nvidia0 is opened, but has no ioctls.
{ cat gvisor.trace; "$SNIFF/make-trace" <xfer.log; } >named.trace
run "${sniffed[@]}" --replay named.trace --version 590.48.01 -- "$WORKLOAD_STATIC" --any-answer --log log xfer
expect_status 0
expect_err_empty

it 'compressed'
rm -f log
run "${sniffed[@]}" --replay basic.trace --compress -o packed.trace -- "$WORKLOAD_STATIC" --log log basic
expect_status 0
expect 'is smaller' [ "$(stat -c %s packed.trace)" -lt "$(stat -c %s basic.trace)" ]
run "${sniffed[@]}" --replay packed.trace -o again.trace -- "$WORKLOAD_STATIC" --log log2 basic
expect_status 0
expect 'can be read again' "$COMPARE" again.trace log2

it 'an mmap that failed'
logged mmap mmap
sed -E 's/("kind": "mmap".*"ret": )0, "error": 0/\1-1, "error": 19/' mmap.log | "$SNIFF/make-trace" >failed.trace
run "${sniffed[@]}" --replay failed.trace -- "$WORKLOAD_STATIC" --log log mmap
expect_status 1
expect_err_like '^workload: mmap: mmap\(\) failed$'

it '--max-bytes'
rm -f log
run "${sniffed[@]}" --replay basic.trace --max-bytes 16 -o short.trace -- "$WORKLOAD_STATIC" --log log basic
expect_status 0
"$SNIFF/make-trace" --text short.trace | sed 1d >short.log
# shellcheck disable=SC2016 # variables of jq
expect 'records that memory is cut off' jq -es 'map(.memory[]? | select(.size > 16)) | length == 4 and all((.before | length) == 32 and (.after | length) == 32)' short.log
expect 'records the whole argument' jq -es 'map(select(.request == 3223340586).before | length == 64) | length == 3 and all' short.log

done_testing
