#!/usr/bin/env bash
# decode of traces, call by call. scripts/make-trace makes the traces, and the included archive has the versions.
. "$(dirname "$0")/lib.sh"

two_releases
answers=(DRVABI_REPO= decode --archive "$ARCHIVE")
every_release=(DRVABI_REPO= decode)
trace=$DRVABI_TEST_DIR/session.trace
lines=$ROOT/testdata/decode/trace.jsonl
mkdir -p "$DRVABI_TEST_DIR"
"$ROOT/scripts/make-trace" <"$lines" >"$trace"

it 'a trace'
run "${every_release[@]}" "$trace"
expect_status 0
expect_err_empty
expect_out_is trace.txt
run "${answers[@]}" "$trace" --format json
expect_status 0

# expect_calls WHAT FILTER - pass if the filter is true for the list of all calls
expect_calls() {
	lib_command="jq -s $2"
	expect "$1" jq -e -s "$2" "$OUT"
}

expect_calls 'is of the version in its header' '[.[] | select(.number == 545259792).version] == ["590.48.01", "590.48.01", "590.48.01"]'
expect_calls 'has the bytes that the driver changed' '[.[] | select(.name == "NV2080_CTRL_CMD_GPU_GET_NAME_STRING")][0].fields[] | select(.path == "gpuNameString.ascii") | .value == "NVIDIA H200" and (.before | startswith("0x0000"))'
expect_calls 'does not repeat bytes that the driver did not change' '[.[] | select(.name == "NV2080_CTRL_CMD_GPU_GET_NAME_STRING")][0].fields[0] | has("before") | not'
expect_calls 'names the class of a handle' '[.[] | select(.number == 545259792)][0].envelopes[0].fields[] | select(.path == "hObject").object == "NV20_SUBDEVICE_0"'
expect_calls 'does not name the class of a freed handle' '[.[] | select(.number == 545259792)][2].envelopes[0].fields[] | select(.path == "hObject") | has("object") | not'
expect_calls 'knows the class of an event by its parameters' '[.[] | select(.name == "NV01_EVENT")][0].envelopes[0].fields[] | select(.path == "hObjectNew").object == "NV01_EVENT_OS_EVENT"'
expect_calls 'names a descriptor by its path' '[.[] | select(.name == "NV01_EVENT")][0].fields[] | select(.path == "data").object == "/dev/nvidia0"'
expect_calls 'follows a pointer' '[.[] | select(.name == "NV2080_CTRL_CMD_GPU_GET_ENGINES")][0].pointers == [{"path": "engineList", "address": 139637976764416, "element": "NvU32", "count": 4, "counted_by": "engineCount", "direction": "inout", "size": 16, "recorded": 16, "fields": [{"path": "", "offset": 0, "size": 16, "kind": "u32", "count": 4, "value": [1, 27, 19, 9], "before": [0, 0, 0, 0]}], "before_known": true}]'
expect_calls 'notes how many bytes were recorded' '[.[] | select(.name == "NV2080_CTRL_CMD_BIOS_GET_INFO")][0].pointers[0] | .note == "16 of 800 bytes were recorded" and (.fields | length) == 4'
expect_calls 'has errno by name, and no status if the driver wrote none' '[.[] | select(.ret == -1)] | length == 1 and .[0].errno == "ENOTTY" and .[0].status == null'
expect_calls 'has ids and times' '[.[] | select(.name == "UVM_INITIALIZE")][0] | .fd == {"number": 4, "path": "/dev/nvidia-uvm"} and .pid == 100 and .tid == 101 and .end_ns - .start_ns == 21500'
expect_calls 'has opens and mappings' '[.[] | select(.kind) | .kind] == ["open", "mmap"]'

it 'a trace from a FIFO'
mkfifo "$WORK/fifo"
cat "$trace" >"$WORK/fifo" &
run "${every_release[@]}" fifo
expect_out_is trace.txt
wait

it 'a trace on standard input'
lib_command='drvabi decode < TRACE'
expect 'is recognized in a pipe' bash -c "cat '$trace' | DRVABI_REPO= '$DRVABI' decode --only | cmp - <(DRVABI_REPO= '$DRVABI' decode --only '$trace')"
expect 'is recognized in a file' bash -c "DRVABI_REPO= '$DRVABI' decode --only <'$trace' | cmp - <(DRVABI_REPO= '$DRVABI' decode --only '$trace')"
on_socket='import socket, subprocess, sys; ours, theirs = socket.socketpair(); child = subprocess.Popen(sys.argv[1:], stdin=theirs)
theirs.close(); ours.sendall(sys.stdin.buffer.read()); ours.close(); sys.exit(child.wait())'
expect 'is recognized on a socket' bash -c "DRVABI_REPO= python3 -c '$on_socket' '$DRVABI' decode --only <'$trace' | cmp - <(DRVABI_REPO= '$DRVABI' decode --only '$trace')"
in_parts="for n in 1 7 1; do head -c \$n; sleep 0.05; done <'$trace'; tail -c +10 '$trace'"
expect 'is recognized if the writer first writes the length of a message' bash -c "{ $in_parts; } | DRVABI_REPO= '$DRVABI' decode --only | cmp - <(DRVABI_REPO= '$DRVABI' decode --only '$trace')"

it 'a call on the descriptor 0'
sed 's/"fd": 4,/"fd": 0,/' "$lines" | "$ROOT/scripts/make-trace" >"$DRVABI_TEST_DIR/zero.trace"
run "${answers[@]}" "$DRVABI_TEST_DIR/zero.trace" --format json
expect_calls 'has its number' '[.[] | select(.name == "UVM_INITIALIZE")][0].fd == {"number": 0, "path": "/dev/nvidia-uvm"}'

it 'a truncated trace'
head -c 2000 "$trace" >"$DRVABI_TEST_DIR/cut.trace"
run "${answers[@]}" "$DRVABI_TEST_DIR/cut.trace" --format json
expect_status 0
expect_err_like '^drvabi: note: .*ends within the message at byte [0-9]+; everything before it is decoded$'

it 'a version that has no document'
sed '1s/590.48.01/999.1/' "$lines" | "$ROOT/scripts/make-trace" >"$DRVABI_TEST_DIR/new.trace"
run "${answers[@]}" "$DRVABI_TEST_DIR/new.trace" --format json
expect_status 0
expect_err_like '^drvabi: note: the trace is of version 999.1, for which there is no document: the size of each call.s parameters selects the version; name a different one with --version$'
expect_calls 'is not chosen' '[.[] | select(.name == "UVM_INITIALIZE")][0].version == null'
run "${answers[@]}" "$DRVABI_TEST_DIR/new.trace" --format json --version 595.45.04
expect_status 0
expect_err_empty
expect_calls 'and --version overrides it' '[.[] | select(.name == "NV2080_CTRL_CMD_GPU_GET_NAME_STRING")][0].notes == ["132 bytes; in 595.45.04, the record has 68; decoded as in 590.48.01"]'

it "gVisor's stream"
"$ROOT/scripts/make-trace" --wire gvisor <"$lines" >"$DRVABI_TEST_DIR/gvisor.trace"
run "${answers[@]}" "$DRVABI_TEST_DIR/gvisor.trace" --format json
expect_status 0
expect_calls 'names the calls' '[.[].name] | index("NV2080_CTRL_CMD_GPU_GET_NAME_STRING")'
expect_calls 'has no values from before' '[.[] | .. | objects | select(has("before"))] == []'

it 'summaries'
run "${every_release[@]}" "$trace" --format summary
expect_status 0
expect_out_is summary.txt
run "${every_release[@]}" "$trace" --format markdown --table nvproxy
expect_status 0
expect_out_is summary.md
run "${every_release[@]}" --control 0x20802068 08000000 --format markdown
expect_status 0
expect_out_is call.md

it 'files that are not traces'
run "${answers[@]}" "$lines" --input trace
expect_status 2
expect_out_empty
run "${answers[@]}" --control 0x20802068 08000000 --input trace
expect_status 2

it 'a trace that is written again'
lib_command=check-decode
expect 'is the same, before and after each call' env DRVABI="$DRVABI" "$ROOT/scripts/check-decode" --trace --seed 1 590.48.01

it 'a trace of a different target'
{
	printf '\041\0\0\0\0\0\0\0\152\011590.48.01\162\021aarch64-linux-gnu\172\001x'
	printf '\023\0\0\0\0\0\0\0\012\017/dev/nvidia-uvm\020\042'
} >"$WORK/arm.trace"
run "${answers[@]}" arm.trace --format json
expect_json 'is decoded' '.name == "UVM_FREE"'
expect_err_like '^drvabi: note: the trace was recorded for target aarch64-linux-gnu, but is decoded for x86_64-linux-gnu; name the right one with --target$'
run "${answers[@]}" arm.trace --format json --target aarch64-linux-gnu
expect_json 'also if the target is given' '.name == "UVM_FREE"'
expect_err_empty

it 'a trace without ioctls'
head -c 41 "$WORK/arm.trace" >"$WORK/none.trace"
run "${answers[@]}" none.trace --target aarch64-linux-gnu
expect_status 0
expect_out_empty
expect_err_like '^drvabi: note: none.trace has no ioctl of the driver$'

done_testing
