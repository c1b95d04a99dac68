#!/usr/bin/env bash
# decode --against: which of the ioctls of a trace or log have a different ABI in a different version.
. "$(dirname "$0")/lib.sh"

answers=(DRVABI_REPO= decode)
trace=$DRVABI_TEST_DIR/against.trace
mkdir -p "$DRVABI_TEST_DIR"
"$ROOT/scripts/make-trace" <"$ROOT/testdata/decode/trace.jsonl" >"$trace"

it 'a version in which one record differs'
run "${answers[@]}" "$trace" --against 595.45.04
expect_status 0
expect_out_is changed.txt
run "${answers[@]}" "$trace" --against 595.45.04 --exit-code
expect_status 1
run "${answers[@]}" "$trace" --against 595.45.04 --format json
expect_status 0
expect_json 'one of eleven ioctls changed' '.format == "drvabi-against/1" and .changed == 1 and (.ioctls | length) == 11 and ([.ioctls[] | select(.fate == "changed").name] == ["NV2080_CTRL_CMD_GPU_GET_NAME_STRING"])'
expect_json 'the changes are those of drvabi diff' '[.changes[].name] == ["NV2080_CTRL_GPU_GET_NAME_STRING_PARAMS"]'
run "${answers[@]}" "$trace" --against 595.45.04 --format markdown
expect_status 0
expect_out_is changed.md

it 'a version without differences'
run "${answers[@]}" "$trace" --against 590.44.01 --exit-code
expect_status 0
expect_out_like '^Of 11 ioctls that were used and are in 590.48.01, none has a different ABI in$'

it 'a log'
run "${answers[@]}" "$ROOT/testdata/decode/log.txt" --against 595.45.04
expect_status 2
expect_err_like '--against: the version of the calls is unknown; name it with --version$'
run "${answers[@]}" "$ROOT/testdata/decode/log.txt" --version 590.48.01 --against 595.45.04 --format json
expect_status 0
expect_json 'has calls whose parameters were not logged' '.opaque_calls > 0'

it 'a command that the version does not have'
printf '%s\n' '{"kind": "header", "version": "570.86.15"}' \
	'{"fd_path": "/dev/nvidiactl", "fd": 3, "request": "0xc020462a", "argument": 4096, "after": "0100d0c10200005c02ff800000000000001000000000000020000000ffff0000"}' |
	"$ROOT/scripts/make-trace" >"$DRVABI_TEST_DIR/unknown.trace"
run "${answers[@]}" "$DRVABI_TEST_DIR/unknown.trace" --against 595.45.04 --format json
expect_status 0
expect_json 'is reported as not compared' '[.ioctls[] | select(.fate == "unknown").number] == [8453890]'

it 'errors'
run "${answers[@]}" --control 0x20802068 --against 595.45.04
expect_status 2
expect_err_like 'to compare one ioctl, use drvabi diff'
run "${answers[@]}" "$trace" --against 595.45.04 --format summary
expect_status 2

done_testing
