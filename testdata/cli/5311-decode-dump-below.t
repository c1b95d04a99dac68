#!/usr/bin/env bash
# decode: the output of hexdump or xxd after a line of a log has the parameters of the line's call, if the size is the same.
. "$(dirname "$0")/lib.sh"

answers=(DRVABI_REPO= decode)
log=$DRVABI_TEST_DIR/below.log
bytes=$DRVABI_TEST_DIR/below.bin

{ head -c 4 /dev/zero && printf 'NVIDIA H200' && head -c 117 /dev/zero; } >"$bytes"
call='I1122 19:34:08.123456 1 frontend.go:123] nvproxy: unknown control command 0x20800110 (paramsSize=132)'

# below PROGRAM [OPTION...] - print a log with a call, and its bytes as PROGRAM prints them
below() {
	{ echo 'before'; echo "$call"; "$@" "$bytes"; echo 'behind'; } >"$log"
}

for program in 'hexdump -C' 'hexdump' 'hexdump -v' 'xxd' 'xxd -g 1 -c 8'; do
	it "the output of $program"
	below $program
	run "${answers[@]}" "$log" --version 590.48.01 --format json
	expect_status 0
	expect_json 'has the parameters' '.name == "NV2080_CTRL_CMD_GPU_GET_NAME_STRING" and (.fields[] | select(.path == "gpuNameString.ascii").value) == "NVIDIA H200"'
	expect 'there is one call' [ "$(wc -l <"$OUT")" = 1 ]
done

it 'as text, with the decoded call after the dump'
below hexdump -C
run "${answers[@]}" "$log" --version 590.48.01
expect_status 0
expect_err_empty
expect_out_is below.txt

it 'a dump with a different size, or one that does not follow directly, is printed unchanged'
sed 's/paramsSize=132/paramsSize=131/' "$log" >"$log.size"
run "${answers[@]}" "$log.size" --format json
expect_json 'the call has no fields' '.fields == [] and .size == 131'
sed 's/^00000000/\n&/' "$log" >"$log.blank"
run "${answers[@]}" "$log.blank" --version 590.48.01 --format json
expect_json 'the call has no fields' '.fields == [] and .size == 132'

it 'a call is printed when the input pauses'
rm -f "$DRVABI_TEST_DIR/below.fifo"
mkfifo "$DRVABI_TEST_DIR/below.fifo"
DRVABI_REPO= "$DRVABI" decode --only --version 590.48.01 <"$DRVABI_TEST_DIR/below.fifo" >"$OUT" 2>"$ERR" &
exec 7>"$DRVABI_TEST_DIR/below.fifo"
echo "$call" >&7
for _ in $(seq 100); do
	! grep -q GET_NAME_STRING "$OUT" || break
	sleep 0.1
done
expect 'before the input ends' grep -q GET_NAME_STRING "$OUT"
exec 7>&-
wait

done_testing
