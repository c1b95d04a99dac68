#!/usr/bin/env bash
# Deprecated commands, and ioctl numbers without a case in the driver's dispatch.
. "$(dirname "$0")/lib.sh"
fixture

uvm=tree/kernel-open/nvidia-uvm
old=tree/src/nvidia/interface/deprecated/rmapi_deprecated_control.c

it 'deprecated commands'
run surface --repo "$REPO" 120.01.00 --caller deprecated -v
expect_status 0
expect_err_empty
expect_out_like '^control +0x20801802 +NV2080_CTRL_CMD_BUS_GET_INFO$'
expect_out_like '^ +NV2080_CTRL_BUS_GET_INFO_PARAMS, 16 bytes$'
expect_out_like '^ +deprecated embedded-pointers$'
expect_out_like '^nvidia 120.01.00: 1 ioctl$'

it 'ioctls that are not dispatched'
run surface --repo "$REPO" 120.01.00 --caller not-dispatched -v
expect_status 0
expect_out_like '^uvm +1 +UVM_RESERVE_VA  UVM_RESERVE_VA_PARAMS, 24 bytes$'
expect_out_like '^ +not-dispatched$'
expect_out_like '^nvidia 120.01.00: 1 ioctl$'

it 'command macros'
unpack 120.01.00 tree
run extract --repo "$REPO" 120.01.00
expect_status 0
grep -rhoE '#define NV[0-9A-F]{4}_CTRL_CMD_[A-Z0-9_]+' "$WORK/tree/src/common/sdk/nvidia/inc/ctrl" | cut -d ' ' -f 2 | sort >"$WORK/macros"
expect 'are in the tree' [ -s "$WORK/macros" ]
jq -r '.constants | keys[]' "$OUT" | grep '_CTRL_CMD_' | sort >"$WORK/constants"
expect_same 'are all constants of the document' "$WORK/constants" "$WORK/macros"
expect_json 'are not ioctls without a method' '.constants.NV2080_CTRL_CMD_BUS_GET_SPEED == 545265667
	and all(.ioctls[]; .number != 545265667)'
run extract --dir tree
expect_status 0
expect_json 'cause no warnings' '.warnings == []'

it 'an unknown form of dispatch'
cp "$WORK/$uvm/uvm.c" "$WORK/uvm.c"
printf 'if (cmd == UVM_RESERVE_VA)\n    return uvm_api_reserve_va(arg);\n' >>"$WORK/$uvm/uvm.c"
run extract --dir tree
expect_status 0
expect_json 'has a warning' '[.warnings[].text] == ["UVM_RESERVE_VA is mentioned here, but not in a label of a switch over commands, so it is unknown whether it is dispatched."]'
expect_json 'does not set not-dispatched' 'all(.ioctls[]; .flags | index("not-dispatched") | not)'

it 'a dispatch that is not understood'
sed 's/case UVM_DEINITIALIZE:/case UVM_INITIALIZE ... UVM_DEINITIALIZE:/' "$WORK/uvm.c" >"$WORK/$uvm/uvm.c"
run extract --dir tree
expect_json 'has a warning' '[.warnings[] | [.place, .text]] == [["kernel-open/nvidia-uvm/uvm.c:9",
	"The label of this case is not a single name, so it is unknown which ioctls are dispatched."]]'
expect_json 'does not set not-dispatched' 'all(.ioctls[]; .flags | index("not-dispatched") | not)'

it 'a missing dispatch'
rm "$WORK/$uvm/uvm.c" "$WORK/$uvm/uvm_tools.c"
run extract --dir tree
expect_json 'has a warning for each file' '[.warnings[] | [.place, .text]] == (["uvm.c", "uvm_tools.c"] |
	map(["kernel-open/nvidia-uvm/\(.)", "The tree does not have this file, so it is unknown which ioctls of family uvm are dispatched."]))'
expect_json 'does not set not-dispatched' 'all(.ioctls[]; .flags | index("not-dispatched") | not)'
unpack 120.01.00 tree

it 'a converter with a different record'
sed -i 's/^\( *\)NV2080_CTRL_BUS_GET_INFO_PARAMS,/\1NV2080_CTRL_BUS_PARAMS,/' "$WORK/$old"
run extract --dir tree
expect_json 'has a warning' '[.warnings[].text | test("should have the parameters NV2080_CTRL_BUS_GET_INFO_PARAMS, but its function does not mention that record")] == [true]'
expect_json 'the command has no parameters in the document' '[.ioctls[] | select(.number == 545265666) | [.params, .flags]] == [[null, ["deprecated"]]]'

it 'a missing table'
rm "$WORK/$old"
run extract --dir tree
expect_json 'has a warning' '[.warnings[].text] == ["The tree does not have this file, so it is unknown which commands are deprecated."]'
unpack 120.01.00 tree

it 'a new number without a case'
sed -i 's/^#define UVM_RESERVE_VA .*/&\n#define UVM_RELEASE_VA UVM_IOCTL_BASE(2)\n#define UVM_MAP_COUNTER UVM_IOCTL_BASE(13)/' "$WORK/$uvm/uvm_linux_ioctl.h"
sed -i 's/^ *UVM_ROUTE_CMD_STACK_INIT_CHECK(UVM_FREE,.*/&\n        UVM_ROUTE_CMD_STACK_INIT_CHECK(UVM_MAP_COUNTER, uvm_api_map_counter);/' "$WORK/$uvm/uvm.c"
run extract --repo "$REPO" 120.01.00 -o base.json
run extract --dir tree -o next.json
run diff --base-json base.json --next-json next.json --format json
expect_status 1
expect_json 'is a change' '[.changes[] | select(.kind == "ioctl") | .name] == ["UVM_MAP_COUNTER", "UVM_RELEASE_VA"]'
run diff --base-json base.json --next-json next.json --table "$TABLE" --format json
expect_status 1
expect_json 'is not a candidate for a proxy' '[.changes[] | select(.kind == "ioctl") | .name] == ["UVM_MAP_COUNTER"]'

done_testing
