#!/usr/bin/env bash
# Reports print numbers as headers have them: commands and classes hexadecimal, counts decimal.
. "$(dirname "$0")/lib.sh"
fixture

run extract --repo "$REPO" 120.01.00
jq '.version = "next"
	| .ioctls |= map(select(.name | IN("NV01_MEMORY_SYSTEM", "NV_ESC_RM_FREE", "UVM_REGISTER_GPU") | not))
	| .constants |= (del(.NV01_MEMORY_SYSTEM, .NV_ESC_RM_FREE, .UVM_REGISTER_GPU)
		| . + {"DEMO_CLASS_A": 41111, "X_CTRL_CMD_Y": 257, "DEMO_LIMIT": 64, "DEMO_MODE": 3, "DEMO_LOW": -12, "DEMO_ALL": "0xffffffffffffffff"})' \
	"$OUT" >"$WORK/next.json"
cp "$OUT" "$WORK/base.json"

# differ - run the differ, and expect changes
differ() {
	run_differ --base-json "$1" --next-json "$2" "${@:3}"
	expect_status 1
}

it 'added items'
differ base.json next.json
expect_out_like '\[added\] constant DEMO_CLASS_A = 0xa097 \(41111\)$'
expect_out_like '\[added\] constant X_CTRL_CMD_Y = 0x101$'
expect_out_like '\[added\] constant DEMO_LIMIT = 0x40 \(64\)$'
expect_out_like '\[added\] constant DEMO_MODE = 3$'
expect_out_like '\[added\] constant DEMO_LOW = -12$'
expect_out_like '\[added\] constant DEMO_ALL = 0xffffffffffffffff$'

it 'removed items'
expect_out_like '\[removed\] alloc NV01_MEMORY_SYSTEM  0x3e '
expect_out_like '\[removed\] frontend NV_ESC_RM_FREE  0x29 '
expect_out_like '\[removed\] uvm UVM_REGISTER_GPU  37 '
differ next.json base.json
expect_out_like '\[removed\] constant DEMO_CLASS_A  \(was 0xa097 \(41111\)\)$'
expect_out_like '\[removed\] constant X_CTRL_CMD_Y  \(was 0x101\)$'

it 'Markdown'
differ base.json next.json --format markdown
expect_out_like '^\| alloc `NV01_MEMORY_SYSTEM` .*0x3e'
expect_out_like '^\| uvm `UVM_REGISTER_GPU` .*37'
expect_out_like '^\| constant `DEMO_CLASS_A` .*0xa097 \(41111\)'

it 'JSON has numbers'
differ base.json next.json --format json
expect_json 'all numbers' '[.changes[] | select(.name | IN("NV01_MEMORY_SYSTEM", "DEMO_CLASS_A")) | (.before // .after) | if type == "object" then .number // .value else . end] | sort == [62, 41111]'

it 'show'
run show --json base.json NV01_MEMORY_SYSTEM UVM_REGISTER_GPU NV_ESC_RM_FREE
expect_out_like '^alloc ioctl NV01_MEMORY_SYSTEM = 0x3e$'
expect_out_like '^uvm ioctl UVM_REGISTER_GPU = 37$'
expect_out_like '^frontend ioctl NV_ESC_RM_FREE = 0x29$'
run show --json next.json X_CTRL_CMD_Y DEMO_LIMIT
expect_out_like '^constant X_CTRL_CMD_Y = 0x101$'
expect_out_like '^constant DEMO_LIMIT = 0x40 \(64\)$'

it 'surface'
run surface --repo "$REPO" 120.01.00
expect_out_like '^alloc +0x3e +NV01_MEMORY_SYSTEM '
expect_out_like '^uvm +37 +UVM_REGISTER_GPU '

it 'history'
for format in text markdown; do
	run history --repo "$REPO" --format $format
	expect 'no command or class is decimal' lib_lacks '[^0-9a-fx.(]5[0-9]{8}([^0-9a-f.]|$)' "$OUT"
	expect_out_like '0x20803010'
done

it 'verify'
jq '.versions[0].ioctls.uvm.UVM_FREE.number = 99' "$TABLE" >"$WORK/t.json"
run verify --repo "$REPO" --table t.json --version 110.05.00
expect_status 1
expect_out_like 'UVM_FREE is 34 in the driver, 99 in the proxy$'

done_testing
