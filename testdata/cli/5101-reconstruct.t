#!/usr/bin/env bash
# The real table: each node that its maintainers wrote, bootstrapped from what preceded it, out of the archive that comes along.
. "$(dirname "$0")/lib.sh"

it 'every node of the table that has changes and is in the data'
run_program "$ROOT/scripts/reconstruct" DRVABI="$DRVABI" DRVABI_REPO=
expect_status 0
expect_err_empty
expect_out_unlike '^not ok'
expect_out_like '^# 1[0-9] nodes: [1-9][0-9]* replaced, '
expect_out_like '^ok [0-9]+ - 590\.48\.01 has a node between, four structs and the one inside$'
expect_out_like '^ok [0-9]+ - three commands come to the nodes that have them by hand$'
# The driver had this one before the node that has it by hand; all else that was added by hand was new.
expect 'only one was added late' test "$(grep -c '^# added by hand and no candidate: ' "$OUT")" = 1
expect_out_like '^# added by hand and no candidate: control NV90E7_CTRL_CMD_BBX_GET_LAST_FLUSH_TIME, '

it 'the test itself: a type that is not the driver'"'"'s is told'
jq '.types.UVM_FREE_PARAMS_V590.fields[1].type = "uint16"' "$ROOT/data/nvproxy.json" >"$WORK/wrong.json"
run_program "$ROOT/scripts/reconstruct" DRVABI="$DRVABI" DRVABI_REPO= wrong.json
expect_status 1
expect_out_like '^not ok [0-9]+ - 590\.44\.01 '
expect_out_like '^# uvm UVM_FREE: the layout of UVM_FREE_PARAMS_V590 is not that of UVM_FREE_PARAMS_V590$'
run_program "$ROOT/scripts/reconstruct" DRVABI="$DRVABI" DRVABI_REPO= no-such.json
expect_status 2
expect_err_like '^reconstruct: .*no-such\.json'
done_testing
