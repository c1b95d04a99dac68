#!/usr/bin/env bash
# decode of logs and calls, field by field, with the included archive.
. "$(dirname "$0")/lib.sh"

two_releases
answers=(DRVABI_REPO= decode --archive "$ARCHIVE")
every_release=(DRVABI_REPO= decode)

# zeros COUNT - print COUNT bytes as hexadecimal digits
zeros() {
	printf '00%.0s' $(seq "$1")
}

it 'numbers from bug reports'
run "${every_release[@]}" --control 0x2080122b --format json
expect_status 0
expect_err_empty
expect_json '0x2080122b' '.family == "control" and .name == "NV2080_CTRL_CMD_GR_GET_TPC_MASK" and .versions == ["515.43.04..595.45.04"] and .version == null'
run "${answers[@]}" 0xc08046d4 --format json
expect_json 'frontend 212' '.family == "frontend" and .number == 212 and .name == "NV_ESC_ATTACH_GPUS_TO_FD" and .record == "NvU32[32]"'
run "${every_release[@]}" --control 0x20803801 "$(zeros 1928)" --version 550.54.15 --format json
expect_json '0x20803801 with 1928 bytes' '.name == "NV2080_CTRL_CMD_GRMGR_GET_GR_FS_INFO" and .version == "550.54.15" and .size == 1928 and .notes == []'
run "${answers[@]}" --control 0x20802068 08000000 --format json
expect_json '0x20802068 with 4 bytes' '.name == "NV2080_CTRL_CMD_PERF_GET_CURRENT_PSTATE" and [.fields[] | [.path, .offset, .size, .value]] == [["currPstate", 0, 4, 8]]'
run "${every_release[@]}" --control 0xcb33010c --format json
expect_json '0xcb33010c' '.name == "NV_CONF_COMPUTE_CTRL_CMD_GPU_GET_KEY_ROTATION_STATE" and .versions[0] == "550.40.65..550.40.85"'
run "${answers[@]}" --alloc 0xc640 --format json
expect_json 'a class' '.family == "alloc" and .name == "AMPERE_SMC_MONITOR_SESSION"'
run "${answers[@]}" --uvm 29 --format json
expect_json 'an ioctl of UVM' '.family == "uvm" and .name == "UVM_ENABLE_PEER_ACCESS"'

name=00000000$(printf 'NVIDIA H200' | od -An -v -tx1 | tr -d ' \n')$(zeros 117)

it 'a GPU name of 0x84 bytes'
run "${answers[@]}" --control 0x20800110 "$name" --version 590.48.01
expect_status 0
expect_out_is name.txt
run "${every_release[@]}" --control 0x20800110 "$name" --format json
expect_json 'has its size up to 590.48.01' '.versions == ["515.43.04..590.48.01"] and .version == null and .notes == []'
run "${answers[@]}" --control 0x20800110 "$name" --version 595.45.04 --format json
expect_status 0
expect_json 'is decoded in 595.45.04, with a note' '.notes == ["132 bytes; in 595.45.04, the record has 68; decoded as in 590.48.01"] and (.fields[] | select(.path == "gpuNameString.ascii").value) == "NVIDIA H200"'

it 'a size that no version has'
run "${every_release[@]}" --control 0x2080012f "$(zeros 168)"
expect_cannot '^drvabi: control 0x2080012f is NV2080_CTRL_CMD_GPU_QUERY_ECC_STATUS, and no version has 168 bytes of parameters for it; NV2080_CTRL_GPU_QUERY_ECC_STATUS_PARAMS has 904 to 1664$'

it 'the inner command of an envelope'
run "${answers[@]}" 0xc020462a "0100d0c10200005c1001802000000000803411" --version 590.48.01
expect_cannot 'no version has 19 bytes of parameters for it; NVOS54_PARAMETERS has 32$'
control=0100d0c10200005c1001802000000000803411
control+=51be7e00008400000000000000
run "${answers[@]}" 0xc020462a "$control" "0x7ebe51113480=$name" --version 590.48.01
expect_status 0
expect_out_is control.txt
run "${answers[@]}" 0xc020462a "$control" --version 590.48.01 --format json
expect_json 'has a name, but no bytes' '.name == "NV2080_CTRL_CMD_GPU_GET_NAME_STRING" and .size == 132 and .status == "NV_OK" and .fields == [] and .envelopes[0].name == "NV_ESC_RM_CONTROL"'

it 'an ioctl in a different ioctl'
run "${answers[@]}" 0xc01046d3 "2a000000200000000090000000000000" --version 590.48.01
expect_out_like '^    cmd = 0x2a NV_ESC_RM_CONTROL$'

it 'a union whose member depends on the function'
run "${answers[@]}" 0xc0b8464a "0000000000000000""05000000$(zeros 172)" --version 590.48.01 --format json
expect_json 'has only the fields of one member' '[.fields[].path | select(startswith("data."))] | length > 3 and all(startswith("data.Info."))'
expect_json 'the function has its name' 'any(.fields[]; .path == "function" and .name == "NVOS32_FUNCTION_INFO")'

it "the function in nvproxy's log"
printf 'nvproxy: frontend ioctl: nr = 74 = 0x4a, argSize = 184\nnvproxy: VID_HEAP_CONTROL function 2\n' >"$WORK/function"
printf 'nvproxy: handler is undefined for VID_HEAP_CONTROL function 99\n' >>"$WORK/function"
run "${every_release[@]}" function --only
expect_status 0
expect_out_is function.txt
run "${answers[@]}" function --format json
expect_json 'is a field' -s '[.[].fields[] | [.path, .offset, .value, .name]] == [["function", 8, 2, "NVOS32_FUNCTION_ALLOC_SIZE"], ["function", 8, 99, null]]'

it 'a log'
run "${every_release[@]}" "$ROOT/testdata/decode/log.txt" --version 590.48.01 --table nvproxy
expect_status 0
expect_err_empty
expect_out_is log.txt
run "${every_release[@]}" "$ROOT/testdata/decode/log.txt" --version 590.48.01 --table nvproxy --only
expect_out_unlike 'some other line|^ioctl'
run "${every_release[@]}" "$ROOT/testdata/decode/log.txt" --version 590.48.01 --table nvproxy --format summary
expect_status 0
expect_out_is summary.txt
run "${every_release[@]}" "$ROOT/testdata/decode/log.txt" --version 590.48.01 --table nvproxy --exit-code
expect_status 1
run "${answers[@]}" "$ROOT/testdata/decode/log.txt" --format json
expect 'JSON has a line for each call' [ "$(jq -c .name "$OUT" | wc -l)" = "$(wc -l <"$OUT")" ]
expect 'there are more than 10 calls' [ "$(wc -l <"$OUT")" -gt 10 ]

it 'ioctls that gVisor forwards by a mask of the number'
for number in 0x20810110 0x20808159; do
	echo "Control ioctl: request=0xc020462a [nr=NV_ESC_RM_CONTROL, cmd=$number] => ret=0 status=0x56"
done >"$WORK/passed"
run "${answers[@]}" passed --table nvproxy --only --format json
expect_json 'are forwarded' -s 'map(.proxy | [.use, .passed_as]) == [["unread", "NV2081_BINAPI"], ["unread", "RM_GSS_LEGACY_MASK"]]'
run "${answers[@]}" passed --table nvproxy --only
expect_out_like '^  proxy       passed through unread, without an entry \(NV2081_BINAPI\); node'

it 'a class that a different ioctl than NV_ESC_RM_ALLOC allocates'
cat >"$WORK/classes.log" <<'LOG'
W1122 12:00:00.000001  1 frontend.go:1] nvproxy: undefined handler for NV_ESC_RM_ALLOC_MEMORY class 0x0000003e
W1122 12:00:00.000002  1 frontend.go:1] nvproxy: unknown allocation class 0x0000003e
LOG
run "${answers[@]}" --version 590.48.01 --table "$ROOT/data/nvproxy.json" --format json classes.log
expect_json 'is not reported as forwarded' 'map(select(.family)) | .[0].notes == ["allocated by NV_ESC_RM_ALLOC_MEMORY; the proxy\u0027s table does not say which classes are allowed for this ioctl"] and (.[0].proxy | not)
	and .[1].notes == [] and .[1].proxy.use == "read"' -s
run "${answers[@]}" --version 590.48.01 --table "$ROOT/data/nvproxy.json" --format summary classes.log
expect_out_like '^  note +allocated by NV_ESC_RM_ALLOC_MEMORY; the proxy'
expect 'one of two is forwarded in the summary' [ "$(grep -c '^  proxy' "$OUT")" = 1 ]
run "${answers[@]}" --version 590.48.01 --table "$ROOT/data/nvproxy.json" --format markdown classes.log
expect_out_like '^\| alloc 0x3e `NV01_MEMORY_SYSTEM` \| 1 \|.*allocated by.* \|  \|$'
expect_out_like '^\| alloc 0x3e `NV01_MEMORY_SYSTEM` \| 1 \|.*read, as '

it 'a command that is in no version, with its size'
echo 'nvproxy: unknown control command 0x20805555 (paramsSize=12)' >"$WORK/unknown"
for format in text summary; do
	run "${answers[@]}" unknown --format $format
	expect_out_like '^  parameters  unknown, 12 bytes$'
done

it 'a command without parameters'
echo 'nvproxy: unknown control command 0x20800112 (paramsSize=0)' >"$WORK/zero"
run "${answers[@]}" zero --only --format json
expect_json 'has the size 0' '.size == 0 and .ret == null'

it 'hostile input'
printf 'a\033[31m b\377\000c\t\342\200\256 unknown control command 0x\033[1m\n' >"$WORK/hostile"
run "${answers[@]}" hostile
expect_status 0
expect 'is escaped' cmp -s "$OUT" <(printf 'a\\x1b[31m b\\xff\\x00c\t\\u202e unknown control command 0x\\x1b[1m\n')
head -c 3000000 /dev/zero | tr '\0' x >"$WORK/long"
run "${answers[@]}" long
expect_status 0
expect 'a long line is printed unchanged' [ "$(wc -lc <"$OUT" | tr -s ' ')" = ' 1 3000001' ]
expect_err_like '^drvabi: note: only the first 64 KB of 1 line of long were searched for ioctls$'
printf 'half a line: nvproxy: unknown uvm ioctl 29 = 0x1d' >"$WORK/half"
run "${answers[@]}" half --only --format json
expect_json 'the last line needs no newline' '.name == "UVM_ENABLE_PEER_ACCESS"'

it 'a log that must be converted first'
log='nvproxy: unknown uvm ioctl 29 = 0x1d\n'
# expect_converted FILE WHAT COMMAND - pass if FILE, by name and on standard input, is an error that names COMMAND
expect_converted() {
	run "${answers[@]}" "$1" --table nvproxy --exit-code
	expect_cannot "^drvabi: $1 is $2; use $3 FILE \\| drvabi decode -\$"
	INPUT=$WORK/$1 run "${answers[@]}" - --format json
	expect_cannot "^drvabi: standard input is $2; use $3 FILE \\| drvabi decode -\$"
}
# shellcheck disable=SC2059
printf "$log" | gzip >"$WORK/log.gz"
expect_converted log.gz 'compressed by gzip' zcat
printf '\xfd7zXZ\0\0\4' >"$WORK/log.xz"
expect_converted log.xz 'compressed by xz' xzcat
printf 'BZh91AY&SY\0\0' >"$WORK/log.bz2"
expect_converted log.bz2 'compressed by bzip2' bzcat
for bom in '\xff\xfen\0v\0' '\xfe\xff\0n\0v'; do
	printf "$bom" >"$WORK/log.utf16"
	expect_converted log.utf16 'in UTF-16' 'iconv -f UTF-16 -t UTF-8'
done
# A zstd frame with one raw block.
# shellcheck disable=SC2059
printf "\x28\xb5\x2f\xfd\x20\x26\x31\1\0$log\n" >"$WORK/log.zst"
run "${answers[@]}" log.zst
expect_cannot '^drvabi: log.zst is compressed by zstd, and contains no trace; for a log, use zstdcat FILE \| drvabi decode -$'
# shellcheck disable=SC2059
printf "BZh and \x1f\x8b\n$log" >"$WORK/later"
run "${answers[@]}" later --only --format json
expect_json 'magic bytes later in the input are text' '.name == "UVM_ENABLE_PEER_ACCESS"'

it 'lines that end in a carriage return'
yes $'ioctl(3, 0xc020462a, 0x7ffc) = 0\rprogress: 1\r' | head -n 2000 | tr -d '\n' >"$WORK/returns"
run "${answers[@]}" returns --format json
expect 'are lines, also beyond 64 KB' [ "$(wc -l <"$OUT")" = 2000 ]
expect_err_empty

it 'output is written before the input ends'
mkfifo "$WORK/pipe"
(cd "$WORK" && env -i PATH="$PATH" HOME="$WORK/home" "$DRVABI" decode - <pipe >early &)
exec 9>"$WORK/pipe"
echo 'nvproxy: unknown uvm ioctl 29 = 0x1d' >&9
for _ in $(seq 100); do
	grep -q UVM_ENABLE_PEER_ACCESS "$WORK/early" 2>/dev/null && break
	sleep 0.1
done
expect 'a line is decoded at once' grep -q UVM_ENABLE_PEER_ACCESS "$WORK/early"
exec 9>&-

it 'errors'
run "${every_release[@]}" --control 0xffffffff
expect_cannot '^drvabi: no control ioctl 0xffffffff in 515.43.04..595.45.04; drvabi show 0xffffffff prints what is known about it$'
run "${answers[@]}" --control 0x20810110 --table nvproxy
expect_cannot '; drvabi show 0x20810110 --table nvproxy prints what is known about it$'
run DRVABI_REPO= show 0x20810110 --table nvproxy
expect_cannot '; node [0-9.]+ of the table passes it through unread, without an entry \(NV2081_BINAPI\)$'
run "${answers[@]}" 0x5401
expect_cannot "^drvabi: 0x5401 is not a request of the driver's devices; "
run "${answers[@]}" --control 0x20802068 0800000
expect_cannot "^drvabi: '0' is not hexadecimal: give two digits per byte"
run "${every_release[@]}" --control 20800110
expect_cannot '^drvabi: no control ioctl 0x13d626e in 515.43.04..595.45.04 \(did you mean 0x20800110\?\); drvabi show 0x13d626e prints what is known about it$'
run "${answers[@]}" --control NV2080_CTRL_CMD_GPU_GET_NAM
expect_cannot "^drvabi: the documents of all versions have no control ioctl 'NV2080_CTRL_CMD_GPU_GET_NAM'; .*; nearest: NV2080_CTRL_CMD_GPU_GET_NAME_STRING$"
run "${answers[@]}" --no-pager --control NV2080_CTRL_CMD_GPU_GET_NAME_STRING
expect_status 0
cp "$OUT" "$WORK/by-name"
run "${answers[@]}" --control 0x20800110
expect_same 'a name gives the same as a number' "$OUT" "$WORK/by-name"
run "${answers[@]}" --control x
expect_cannot "^drvabi: the documents of all versions have no control ioctl 'x'; a number is decimal, or begins with 0x$"
run "${answers[@]}" --control 1 --uvm 2
expect_cannot '^drvabi: --control and --uvm cannot be used together: both name the call$'
run "${answers[@]}" nofile
expect_cannot '^drvabi: cannot read nofile: No such file or directory$'

it 'JSON has each byte of some ioctls'
lib_command=check-decode
expect 'scripts/check-decode finds no error' env DRVABI="$DRVABI" "$ROOT/scripts/check-decode" --seed 1 --match GPU_GET_P 590.48.01

done_testing
