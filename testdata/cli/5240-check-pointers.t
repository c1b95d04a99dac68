#!/usr/bin/env bash
# check-pointers: in the documents, each ioctl with the flag embedded-pointers has a rule whose fields exist.
. "$(dirname "$0")/lib.sh"

export DRVABI DRVABI_REPO=

check() {
	STATUS=0
	python3 "$1/scripts/check-pointers" "${@:2}" >"$OUT" 2>"$ERR" || STATUS=$?
}

it 'the first, some middle and the newest releases'
check "$ROOT" 515.43.04 525.53 550.40.65 560.35.03 590.48.01 595.45.04
expect_status 0
expect_out_like '^6 versions, [0-9]+ rules, 0 errors$'

it 'a rule with a field that the driver does not have'
mkdir -p "$DRVABI_TEST_DIR"/wrong/{scripts,src/extract/profiles}
cp "$ROOT/scripts/check-pointers" "$DRVABI_TEST_DIR/wrong/scripts"
sed 's/"count": "engineCount"/"count": "engineNumber"/' "$ROOT/src/extract/profiles/nvidia-use.json" >"$DRVABI_TEST_DIR/wrong/src/extract/profiles/nvidia-use.json"
check "$DRVABI_TEST_DIR/wrong" 590.48.01
expect_status 1
expect_out_like '^590.48.01: NV2080_CTRL_CMD_GPU_GET_ENGINES has embedded pointers, and no rule applies to it$'

done_testing
