#!/usr/bin/env bash
# decode: dumps with the bytes of parameters. testdata/decode/libcudest.txt was printed by libcudest's shim at 98bc46f.
. "$(dirname "$0")/lib.sh"

two_releases
answers=(DRVABI_REPO= decode --archive "$ARCHIVE")
every_release=(DRVABI_REPO= decode)
dump=$ROOT/testdata/decode/libcudest.txt

it 'a dump of libcudest'
run "${every_release[@]}" "$dump" --only --version 590.48.01
expect_status 0
expect_err_empty
expect_out_is libcudest.txt
run "${every_release[@]}" "$dump" --format json --version 590.48.01
expect_json '0x20800110 with 0x84 bytes has the GPU name' -s '.[0].number == 545259792 and .[0].version == "590.48.01" and .[0].size == 132 and .[0].notes == []
	and (.[0].fields[] | select(.path == "gpuNameString.ascii").value) == "NVIDIA H200"'
expect_json '0x2080012f with 0xa8 bytes has a name, but no fields' -s '.[2].number == 545259823 and .[2].size == 168 and .[2].fields == []
	and .[2].notes == ["168 bytes; the record has 904 to 1664"]'
run "${answers[@]}" "$dump" --format json --version 595.45.04
expect_json 'in 595.45.04, the size causes a note' -s '.[0].notes == ["132 bytes; in 595.45.04, the record has 68; decoded as in 590.48.01"]
	and (.[0].fields[] | select(.path == "gpuNameString.ascii").value) == "NVIDIA H200"'
run "${answers[@]}" "$dump" --input libcudest --format summary --version 590.48.01
expect_status 0
expect_out_like '^control 0x20800110 NV2080_CTRL_CMD_GPU_GET_NAME_STRING x1'

it 'without escape sequences, and with CRLF line ends'
sed 's/\x1b\[[0-9;]*m//g; s/$/\r/' "$dump" >"$WORK/plain"
run "${answers[@]}" "$dump" --format json
keep coloured
run "${answers[@]}" plain --format json
expect_same 'gives the same' "$WORK/coloured" "$OUT"

it 'text that was copied from a page of libcudest, also with blanks instead of line ends'
{
	printf 'ioctl 2a, 32-byte param, fd 3\n0xc1d04277 0x5c000002 0x20800110 0x00000000\n'
	printf '0x0010 0x73be4970 0x00007fff 0x00000084 0x00000000\nGPU method 0x5c000002:20800110\n'
	printf '0x00000000 0x6f466547 0x20656372 0x20535447\n0x0010 0x4d303633 0x00000000 0x00000000 0x00000000\n'
	for at in 20 30 40 50 60 70; do
		printf '0x00%s 0x00000000 0x00000000 0x00000000 0x00000000\n' "$at"
	done
	printf '0x0080 0x00000000\nRESULT: 0\n'
} >"$WORK/page"
run "${answers[@]}" page --only --version 590.48.01
expect_status 0
expect_out_like '^control 0x20800110 NV2080_CTRL_CMD_GPU_GET_NAME_STRING'
expect_out_like '"GeForce GTS 360M"'
keep lines
tr '\n' ' ' <"$WORK/page" >"$WORK/blanks"
run "${answers[@]}" blanks --only --version 590.48.01
expect_same 'gives the same' "$WORK/lines" "$OUT"

it 'a dump with only the first words of the page'
{
	printf 'ioctl 2a, 32-byte param, fd 3\n0xc1d04277 0x5c000002 0x20800110 0x00000000\n'
	printf '0x0010 0x73be4970 0x00007fff 0x00000084 0x00000000\nGPU method 0x5c000002:20800110\n'
	printf '0x00000000 0x6f466547 0x20656372 0x20535447\n0x0010 0x4d303633 0x00000000 …\nRESULT: 0\n'
} >"$WORK/first"
run "${every_release[@]}" first --only
expect_status 0
expect_out_is first-words.txt

it 'bytes of parameters'
bytes=00000000$(printf 'NVIDIA H200' | od -An -v -tx1 | tr -d ' \n')$(printf '00%.0s' $(seq 117))
printf '%s' "$bytes" | sed 's/../\\x&/g' >"$WORK/escaped"
printf '%b' "$(cat "$WORK/escaped")" >"$WORK/bytes"
run "${answers[@]}" --control 0x20800110 "$bytes" --version 590.48.01
keep wanted

# expect_payload WHAT COMMAND... - pass if decode reads the bytes from the output of the command
expect_payload() {
	local what=$1
	shift
	if ! command -v "$1" >/dev/null; then
		pass "$what # SKIP $1 is not installed"
		return
	fi
	"$@" >"$WORK/printed"
	run "${answers[@]}" --control 0x20800110 printed --version 590.48.01
	expect_same "$what, in a file, gives the bytes" "$WORK/wanted" "$OUT"
	INPUT=$WORK/printed run "${answers[@]}" --control 0x20800110 - --version 590.48.01
	expect_same "$what, from standard input, gives the bytes" "$WORK/wanted" "$OUT"
	if ! grep -q = "$WORK/printed"; then # a word with "=" would be ADDRESS=HEX
		run "${answers[@]}" --control 0x20800110 "$(cat "$WORK/printed")" --version 590.48.01
		expect_same "$what, as an argument, gives the bytes" "$WORK/wanted" "$OUT"
	fi
	case $1 in
	od) run "${answers[@]}" --control 0x20800110 printed --version 590.48.01 --input hexdump ;;
	*) run "${answers[@]}" --control 0x20800110 printed --version 590.48.01 --input "$1" ;;
	esac
	expect_same "$what, with the ioctl's name, gives the bytes" "$WORK/wanted" "$OUT"
}

expect_payload 'hexdump' hexdump "$WORK/bytes"
expect_payload 'hexdump -x' hexdump -x "$WORK/bytes"
expect_payload 'hexdump -C' hexdump -C "$WORK/bytes"
expect_payload 'hexdump -v' hexdump -v "$WORK/bytes"
expect_payload 'od -A x -t x1' od -A x -t x1 "$WORK/bytes"
expect_payload 'od -A x -t x1z -v' od -A x -t x1z -v "$WORK/bytes"
expect_payload 'od -A x -t x2' od -A x -t x2 "$WORK/bytes"
expect_payload 'od -A x -t x4' od -A x -t x4 "$WORK/bytes"
expect_payload 'xxd' xxd "$WORK/bytes"
expect_payload 'xxd -g 1 -u' xxd -g 1 -u "$WORK/bytes"
expect_payload 'xxd -a -c 12' xxd -a -c 12 "$WORK/bytes"
expect_payload 'xxd -e' xxd -e "$WORK/bytes"
expect_payload 'xxd -p' xxd -p "$WORK/bytes"
expect_payload 'xxd -i' xxd -i "$WORK/bytes"

it 'groups without a known byte order'
printf '00000000: 04030201 08070605  ........\n' >"$WORK/turned"
run "${answers[@]}" --control 0x20800610 turned
expect_cannot '^drvabi: turned: line 1 of the dump has groups of more than 2 bytes, and no text column shows whether their bytes are reversed, as by xxd -e; give lines of xxd -g 1$'
printf '00000000: 04030201   070605  .......\n' >"$WORK/turned"
run "${answers[@]}" --control 0x20800610 turned --format json
expect_json 'the blanks of a short group show the order' '.bytes == "0x01020304050607"'

it 'output of od after the line of a call'
printf 'nvproxy: unknown control command 0x20802068 (paramsSize=4)\n000000 08 00 00 00\n000004\n' >"$WORK/below"
run "${answers[@]}" below --format json
expect_json 'has the parameters of the call' '[.fields[] | [.path, .value]] == [["currPstate", 8]]'

it 'memory that a pointer points to'
control=0100d0c10200005c1001802000000000803411
control+=51be7e00008400000000000000
xxd "$WORK/bytes" >"$WORK/target" 2>/dev/null || hexdump -C "$WORK/bytes" >"$WORK/target"
run "${answers[@]}" 0xc020462a "$control" "0x7ebe51113480=$bytes" --version 590.48.01
keep wanted
run "${answers[@]}" 0xc020462a "$control" 0x7ebe51113480=target --version 590.48.01
expect_same 'can be in a file' "$WORK/wanted" "$OUT"

it 'bytes before the call'
params='0xc1d04277 0x5c000002 0x20800110 0x00000000\n0x0010 0x73be4970 0x00007fff 0x00000084 '
printf "ioctl 2a, 32-byte param, fd 3\n${params}0x00000000\nRESULT: 0\n" >"$WORK/before"
run "${answers[@]}" before --format json
expect_json 'have no result' '.name == "NV2080_CTRL_CMD_GPU_GET_NAME_STRING" and .status == null'
printf "${params}0x00000056\n" >>"$WORK/before"
run "${answers[@]}" before --format json
expect_json 'bytes after the call have the result' '.status == "NV_ERR_NOT_SUPPORTED"'

it 'malformed dumps'
cat >"$WORK/gap" <<'END'
00000000  08 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|
00000020  08 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|
END
run "${answers[@]}" --control 0x20802068 gap
expect_cannot '^drvabi: gap: line 2 of the dump is at offset 0x20, but the lines before it have 0x10 bytes; give all lines, starting at offset 0$'
printf '0000000 0000 0000\n*\nfffffff0\n' >"$WORK/large"
run "${answers[@]}" --control 0x20802068 large
expect_cannot '^drvabi: large: line 3 of the dump is at offset 0xfffffff0; a dump can have at most 16777216 bytes$'
printf '0000000 141 142 143\n' >"$WORK/octal"
run "${answers[@]}" --control 0x20802068 octal
expect_cannot '^drvabi: octal: line 1 of the dump has groups that are not hexadecimal bytes or words'
printf '00000000: 01100001 01100010 01100011 00000001  abc.\n' >"$WORK/bits"
run "${answers[@]}" --control 0x20802068 bits
expect_cannot '^drvabi: bits: line 1 of the dump has bytes that do not match the text next to them'
printf 'x8000000 01\n' >"$WORK/digits"
run "${answers[@]}" --control 0x20802068 digits --input hexdump
expect_cannot '^drvabi: digits: line 1 of the dump does not begin with an offset'
printf '08\0' >"$WORK/nul"
run "${answers[@]}" --control 0x20802068 nul
expect_cannot '^drvabi: nul: the file has a NUL byte; it must be text'
run "${answers[@]}" --control 0x20802068 zz
expect_cannot "^drvabi: 'zz' is not hexadecimal"

it '--input'
printf 'nvproxy: unknown uvm ioctl 29 = 0x1d\nioctl(3, 0xc020462a, 0x7ffc) = 0\n' >"$WORK/log"
run "${answers[@]}" log --input runsc --format json
expect_json 'reads only this format' '.name == "UVM_ENABLE_PEER_ACCESS"'
run "${answers[@]}" log --input perf --only
expect_cannot '^drvabi: no line of log is a call in the format perf, but some are in the format runsc: use --input runsc, or leave --input out$'
echo nothing >"$WORK/empty"
run "${answers[@]}" empty --input perf --only
expect_cannot '^drvabi: no line of empty is a call in the format perf$'
run "${answers[@]}" empty --input perf -o result
expect_cannot '^drvabi: no line of empty is a call in the format perf$'
run "${answers[@]}" empty
expect_status 0
expect_one_line_error '^drvabi: note: no line of empty names an ioctl of the driver$'
run "${answers[@]}" empty -q
expect_err_empty
run "${answers[@]}" log --input nvidia
expect_cannot "^drvabi: --input has no format 'nvidia'; use trace, gvisor, sniffer, runsc, strace, perf, libcudest, hex, hexdump or xxd$"
run "${answers[@]}" log --input xxd
expect_cannot '^drvabi: --input xxd is for the bytes of one call; name the call with --control, --alloc, --uvm or a request$'
run "${answers[@]}" --control 0x20802068 08000000 --input strace
expect_cannot '^drvabi: --input strace is for a log, but the call is named already; for the call.s bytes, use hex, hexdump or xxd$'

it 'hostile lines'
{
	printf 'nvproxy: unknown control command 0x20800110 (paramsSize=18446744073709551615)\n'
	printf 'nvproxy: unknown control command 0x20800110 (paramsSize=99999999999999999999)\n'
	printf 'nvproxy: unknown control command 0x120800110 (paramsSize=1)\n'
	printf 'ioctl(3</dev/nvidiactl\0>, 0xc020462a\033]0;x\007, 0x7ffc) = 0\n'
	printf 'ioctl 2a, 32-byte param, fd 3\t0xc1d00001 0x5c000002 0x20800110 0x00000000\n0x0010\t\t\t\t0x00000000 0x00000000 0xffffffff 0xffffffff\n'
	printf 'GPU method 0x5c000002:20800110\t0x00000000\nRESULT: 0\n'
	head -c 3000000 /dev/zero | tr '\0' x
	printf 'ioctl(3, 0xc020462a, 0x7ffc) = 0\n[pid 1] ioctl(3, 0xc020462a <unfinished ...>'
} >"$WORK/hostile"
run "${answers[@]}" hostile --format json
expect_status 0
expect_json 'are read up to the first error' -s 'map([.family, .number, .size]) == [["control", 545259792, "0xffffffffffffffff"], ["control", 545259792, null],
	["frontend", 42, 32], ["control", 545259792, 4294967295], ["frontend", 42, 32]]'
run "${answers[@]}" hostile
expect_status 0
expect 'no control characters are printed' lib_lacks "$(printf '[\001-\010\013-\037\177]')" "$OUT"

it '-o'
yes 'nvproxy: unknown control command 0x20800110 (paramsSize=132)' | head -n 60000 >"$WORK/long" || true
run "${answers[@]}" long -o result
expect_status 0
expect 'has the output' [ "$(wc -l <"$WORK/result")" = 240000 ]
expect 'no temporary file remains' [ "$(cd "$WORK" && find . -name '*drvabi*' | wc -l)" = 0 ]
if [ -x /usr/bin/time ] && [ -z "${DRVABI_SAN-}" ]; then
	small=$(cd "$WORK" && env -i HOME="$WORK/home" DRVABI_REPO= /usr/bin/time -f %M "$DRVABI" decode log -o small 2>&1 >/dev/null)
	large=$(cd "$WORK" && env -i HOME="$WORK/home" DRVABI_REPO= /usr/bin/time -f %M "$DRVABI" decode long -o large 2>&1 >/dev/null)
	expect "memory does not grow with the output ($small and $large kB)" [ "$large" -lt "$((small + 4096))" ]
else
	pass 'memory does not grow with the output # SKIP needs /usr/bin/time, and a build without sanitizers'
fi

done_testing
