#!/usr/bin/env bash
# decode reports a pointer without a rule as text, in JSON and in a comparison, because the driver could follow it.
. "$(dirname "$0")/lib.sh"

answers=(DRVABI_REPO= decode)
i2c='01000000 02000000 28000000 00000000 0020000000000000 00000000 00000000'
access='01000000 02000000 03000000 04000000 0000300000000000 00000000 08000000 00000000 00000000'

it 'the rule for the table of UVM'
run "${answers[@]}" --uvm 77 '00601c0000000000 00000000 00000000' --version 580.82.09 --format json
expect_status 0
expect_json 'the whole table is named' '.pointers[0] | .path == "tablePtr" and .element == "NvProcessorUuid[257]" and .size == 4112 and .note == "not recorded"'
run "${answers[@]}" --uvm 64 '00601c0000000000 00000000 00000000 00000000 00000000' --version 550.54.14 --format json
expect_json 'without a count, it has 33 elements' '.pointers | length == 1 and .[0].element == "NvProcessorUuid[33]"'
run "${answers[@]}" --uvm 64 '00601c0000000000 02000000 00000000 00000000 00000000' --version 550.54.14 --format json
expect_json 'with a count, it has that many elements' '.pointers | length == 1 and .[0].element == "NvProcessorUuid" and .[0].count == 2'

it 'I2C has a pointer to a record with a pointer'
run "${answers[@]}" 0xc0204639 "$i2c" "0x2000=$access" 0x300000=0102030405060708 --version 580.82.09
expect_status 0
expect_out_is two-levels.txt
run "${answers[@]}" 0xc0204639 "$i2c" "0x2000=$access" 0x300000=010203 --version 580.82.09 --format json
expect_json 'JSON has the part that was recorded' '.pointers[1] | .path == "paramStructPtr->data" and .counted_by == "dataBuffSize" and .size == 8 and .note == "3 of 8 bytes were recorded" and .fields[0].value == "0x010203"'
run "${answers[@]}" 0xc0204639 "$i2c" "0x2000=${access:0:36}" --version 580.82.09 --format json
expect_json 'the pointer was recorded only in part' '(.pointers | length) == 1 and ([.pointers[0].fields[].path] == ["token", "cmd", "port", "flags"])'
run "${answers[@]}" 0xc0204639 "$i2c" "0x2000=${access/08000000/ffffffff}" --version 580.82.09 --format json
expect_json 'more than drvabi reads' '.pointers[1].note == "longer than 16777216 bytes, so it was not read"'
run "${answers[@]}" 0xc0204639 "$i2c" "0x2000=${access/0000300000000000/0000000000000000}" --version 580.82.09 --format json
expect_json 'NULL is not followed' '(.pointers | length) == 1'

it 'a pointer without a rule'
map='01000000 02000000 03000000 00000000 0000000000000000 0010000000000000 0020000000000000 00000000 00000000 03000000 00000000'
run "${answers[@]}" 0xc038464e "$map" --version 580.82.09
expect_status 0
expect_out_like 'pLinearAddress = 0x2000  pointer  not followed: no rule'
run "${answers[@]}" 0xc038464e "$map" --version 580.82.09 --format json
expect_json 'JSON reports this' '[.fields[] | select(.not_followed == "no rule").path] == ["params.pLinearAddress"]'
run "${answers[@]}" 0xc038464e "${map/0020000000000000/0000000000000000}" --version 580.82.09
expect_out_unlike 'not followed'

it 'a comparison reports the pointer'
log=$DRVABI_TEST_DIR/no-rule.log
mkdir -p "$DRVABI_TEST_DIR"
printf '\001\0\0\0\002\0\0\0\003\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\020\0\0\0\0\0\0\0\040\0\0\0\0\0\0\0\0\0\0\0\0\0\0\003\0\0\0\0\0\0\0' >"$DRVABI_TEST_DIR/no-rule.bin"
{ echo 'ioctl(3</dev/nvidiactl>, _IOC(_IOC_READ|_IOC_WRITE, 0x46, 0x4e, 0x38), 0x7ffc19671e20) = 0' && xxd "$DRVABI_TEST_DIR/no-rule.bin"; } >"$log"
run "${answers[@]}" "$log" --version 580.82.09 --against 590.48.01
expect_status 0
expect_out_like 'none has a different ABI'
expect_out_like '1 call had pointers without a rule'
run "${answers[@]}" "$log" --version 580.82.09 --against 590.48.01 --format json
expect_json 'JSON has the count' '.unfollowed_calls == 1'

it 'a summary reports the pointer'
cat "$log" "$log" >"$log.twice"
run "${answers[@]}" "$log.twice" --version 580.82.09 --format summary
expect_out_like '^  note        2 calls had pointers without a rule: the memory that they point to$'
run "${answers[@]}" "$log.twice" --version 580.82.09 --format markdown
expect_out_like '2 calls had pointers without a rule'

done_testing
