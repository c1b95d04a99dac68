#!/usr/bin/env bash
# show: names and numbers.
. "$(dirname "$0")/lib.sh"
fixture

# shows GOLDEN NAME... - pass if show prints GOLDEN at 120.01.00
shows() {
	it "${*:2}"
	run show --repo "$REPO" --version 120.01.00 "${@:2}"
	expect_status 0
	expect_err_empty
	expect_out_is "$1.txt"
}

shows record NV_CHANNEL_ALLOC_PARAMS
shows union NV0000_CTRL_OS_UNIX_EXPORT_OBJECT_PARAMS
shows shared NV2080_CTRL_PERF_SAMPLE
shows alias NvHandle
shows enum NV2080_CTRL_GPU_MODE
shows constant UVM_MAX_GPUS
shows ioctl NV2080_CTRL_CMD_GPU_GET_ENGINES
shows number 0x20803021
shows decimal 42
shows glob 'UVM_REGISTER_GPU*'
shows several NvHandle NV_ESC_RM_FREE

it 'without a version'
run show --repo "$REPO" --version 120.01.00 NvHandle
keep newest
run show --repo "$REPO" NvHandle
expect_same 'the newest tag is used' "$OUT" "$WORK/newest"

it 'in a document'
run extract --repo "$REPO" 120.01.00 -o document.json
run show --json document.json NvHandle
expect_same 'prints the same' "$OUT" "$WORK/newest"
INPUT=$WORK/document.json run show --json - NvHandle
expect_same 'from a pipe, too' "$OUT" "$WORK/newest"

it 'an unknown name'
run show --repo "$REPO" NVOS33_PARAMETER
expect_cannot "^drvabi: the document of nvidia 120\\.01\\.00 has nothing called 'NVOS33_PARAMETER'; nearest: .*NVOS33_PARAMETERS.*$"
run show --repo "$REPO" channel_alloc
expect_cannot "^drvabi: the document of nvidia 120\\.01\\.00 has nothing called 'channel_alloc'; nearest: NV_CHANNEL_ALLOC_PARAMS$"
run show --repo "$REPO" 20803010
expect_cannot "^drvabi: the document of nvidia 120\\.01\\.00 does not have the number 20803010 \\(did you mean 0x20803010\\?\\)$"
run show --repo "$REPO" 0x99999999
expect_cannot '^drvabi: the document of nvidia 120\.01\.00 does not have the number 0x99999999: class 0x9999, interface 0x99, method 0x99$'
run show --repo "$REPO" 'ZZZ*'
expect_cannot "^drvabi: the document of nvidia 120\\.01\\.00 has nothing called 'ZZZ\\*'; --constants 'ZZZ\\*' searches the driver's other macros$"
run show --repo "$REPO" NvHandle NOTHING -o file
expect_cannot "^drvabi: the document of nvidia 120\\.01\\.00 has nothing called 'NOTHING'; --constants 'NOTHING' searches the driver's other macros$"

done_testing
