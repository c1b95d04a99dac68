#!/usr/bin/env bash
# scripts/reconstruct with nvproxy's table and the included archive: bootstrap each node again, and compare it with the maintainers' node.
. "$(dirname "$0")/lib.sh"

it 'each node of the table with changes whose version is in the data'
run_program "$ROOT/scripts/reconstruct" DRVABI="$DRVABI" DRVABI_REPO=
expect_status 0
expect_err_empty
expect_out_unlike '^not ok'
expect_out_like '^# 1[0-9] nodes: [1-9][0-9]* replaced, '
expect_out_like '^ok [0-9]+ - 590\.48\.01 also needs the node 590\.44\.01, with four entries and five types$'
expect_out_like '^ok [0-9]+ - three commands are added to the same nodes as by hand$'
# The driver had this command before the node to which it was added by hand. All other added entries were new in the driver.
expect 'only one entry was added late' test "$(grep -c '^# added by hand, not a candidate: ' "$OUT")" = 1
expect_out_like '^# added by hand, not a candidate: control NV90E7_CTRL_CMD_BBX_GET_LAST_FLUSH_TIME, '

it 'a type that differs from the driver is reported'
jq '.types.UVM_FREE_PARAMS_V590.fields[1].type = "uint16"' "$ROOT/data/nvproxy.json" >"$WORK/wrong.json"
run_program "$ROOT/scripts/reconstruct" DRVABI="$DRVABI" DRVABI_REPO= --node 590.44.01 wrong.json
expect_status 1
expect_out_like '^not ok [0-9]+ - 590\.44\.01 '
expect_out_like "^# uvm UVM_FREE: the layout of bootstrap's UVM_FREE_PARAMS_V590 differs from that of UVM_FREE_PARAMS_V590$"
run_program "$ROOT/scripts/reconstruct" DRVABI="$DRVABI" DRVABI_REPO= no-such.json
expect_status 2
expect_err_like '^reconstruct: .*no-such\.json'
done_testing
