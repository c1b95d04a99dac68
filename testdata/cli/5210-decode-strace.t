#!/usr/bin/env bash
# decode: lines of strace and perf trace. strace wrote testdata/decode/strace.txt, which has all requests of two versions.
. "$(dirname "$0")/lib.sh"

answers=(DRVABI_REPO= decode)
recorded=$ROOT/testdata/decode/strace.txt

# requests FILE - print "FAMILY NUMBER RET" for each line of strace -X verbose, which has the number
requests() {
	local device request ret family
	sed -nE 's|^ioctl\([0-9]+<([^<]*)<.*>>, (0x[0-9a-f]+) /\*.*\) += (-?[0-9]+).*|\1 \2 \3|p' "$1" | while read -r device request ret; do
		case $device in
		/dev/nvidia-uvm) family=uvm ;;
		/dev/nvidia-modeset) family=modeset ;;
		/dev/dri/*) family=drm ;;
		*) family=frontend request=$((request & 255)) ;;
		esac
		printf '%s %d %s\n' "$family" "$request" "$ret"
	done
}

# expect_requests WHAT FILE - pass if each line of FILE is decoded as the recorded call
expect_requests() {
	local what=$1 file=$2
	shift 2
	run "${answers[@]}" "$file" --format json "$@"
	expect_status 0
	jq -r '[.family, .number, .ret] | join(" ")' "$OUT" >"$WORK/printed"
	expect "$what: every request is read" lib_same "$WORK/requests" "$WORK/printed"
}

requests "$recorded" >"$WORK/requests"

it 'every request of 590.48.01 and 515.43.04'
expect 'there are more than 100 requests' [ "$(wc -l <"$WORK/requests")" -gt 100 ]
expect_requests '-X verbose' "$recorded"
sed -E 's|0x[0-9a-f]+ /\* (.*) \*/|\1|' "$recorded" >"$WORK/named"
expect 'some have names of ioctls of other drivers' [ "$(grep -c 'FIBMAP\|FIGETBSZ\|DRM_IOCTL' "$WORK/named")" = 15 ]
expect_requests 'by name' named
expect_requests 'and with --input' named --input strace
sed -E 's|(0x[0-9a-f]+) /\* .* \*/|\1|' "$recorded" >"$WORK/raw"
expect_requests '-X raw' raw
sed 's|/dev/nvidia-uvm|\\x2f\\x64\\x65\\x76\\x2f\\x6e\\x76\\x69\\x64\\x69\\x61\\x2d\\x75\\x76\\x6d|' "$WORK/named" >"$WORK/hex"
expect_requests '-xx' hex
sed 's|^|[pid  1234<app>] 16:09:48.218700 |; s|$| <0.000055>|' "$WORK/named" >"$WORK/timed"
expect_requests '-f -Y -tt -T' timed
awk '{ at = index($0, ", 0x7ffc19671e20)"); pid = 1000 + NR % 7 }
	at { print pid " " substr($0, 1, at - 1) " <unfinished ...>"; print pid " <... ioctl resumed>" substr($0, at) }' "$WORK/named" >"$WORK/resumed"
expect_requests 'unfinished and resumed' resumed

it 'lines without a path'
sed -E 's|<[^>]*>>||; s|0x[0-9a-f]+ /\* (.*) \*/|\1|' "$recorded" >"$WORK/plain"
grep '^ioctl' "$recorded" | paste -d '|' "$WORK/requests" - | grep -v 'FIBMAP\|FIGETBSZ\|DRM_IOCTL' | cut -d '|' -f 1 >"$WORK/others"
mv "$WORK/others" "$WORK/requests"
sed -i '/^uvm 2047 /d' "$WORK/requests" # 0x7ff has the type 7
expect_requests 'all but those that have names of other ioctls, and one of UVM, are read by their type' plain

it 'a negative request number, printed as an int'
printf 'ioctl(0x3, 0xffffffffc020462a, 0x55fa) = 0\n' >"$WORK/signed"
run "${answers[@]}" signed --format json
expect_json 'is the same request' '[.family, .number, .size] == ["frontend", 42, 32]'

it 'the installed strace'
requests "$recorded" | grep -v '^uvm 2047 ' | while read -r family number _; do
	[ "$family" != frontend ] || number=$((3 << 30 | 70 << 8 | number))
	echo "$number"
done >"$WORK/numbers"
cat >"$WORK/make.c" <<'END'
#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void)
{
	unsigned long request;
	static char parameters[1 << 20];
	const int fd = open("/dev/null", O_RDWR);

	while (scanf("%lu", &request) == 1)
		syscall(SYS_ioctl, fd, request, parameters);
	return 0;
}
END
if command -v strace >/dev/null && "${CC:-cc}" -o "$WORK/make" "$WORK/make.c" && strace -o "$WORK/tried" true 2>"$WORK/why"; then
	strace -e trace=ioctl -X verbose -o "$WORK/verbose" "$WORK/make" <"$WORK/numbers"
	strace -e trace=ioctl -e raw=ioctl -o "$WORK/raw" "$WORK/make" <"$WORK/numbers"
	grep '^ioctl.*_IOC(' "$WORK/verbose" | sed -E 's|0x[0-9a-f]+ /\* (.*) \*/|\1|' >"$WORK/named"
	expect 'each request has a line' [ "$(grep -c '^ioctl' "$WORK/raw")" = "$(wc -l <"$WORK/numbers")" ]
	run "${answers[@]}" named --format json
	expect 'all names are read' [ "$(wc -l <"$OUT")" = "$(grep -c '^ioctl' "$WORK/named")" ]
	jq -c '[.family, .number]' "$OUT" >"$WORK/by-name"
	paste -d '|' "$WORK/verbose" "$WORK/raw" | grep '^ioctl.*_IOC(' | cut -d '|' -f 2- >"$WORK/raw-others"
	run "${answers[@]}" raw-others --format json
	jq -c '[.family, .number]' "$OUT" >"$WORK/by-number"
	expect_same 'names and numbers give the same' "$WORK/by-name" "$WORK/by-number"
else
	pass 'the output of strace is read # SKIP strace is not installed, or may not trace'
fi

it 'perf trace'
cat >"$WORK/perf" <<'END'
     0.000 ( 0.035 ms): gen/15352 ioctl(fd: 3</dev/nvidiactl>, cmd: (READ|WRITE, 0x46, 0x2a, 0x20), arg: 0x7f3c85785010) = -1 ENOTTY (Inappropriate ioctl for device)
     0.058 ( 0.020 ms): gen/15352 ioctl(fd: 4</dev/nvidia-uvm>, cmd: (NONE, 0, 0x1, 0), arg: 0x7f3c85785010)             = 0
     0.133 ( 0.017 ms): gen/15352 ioctl(fd: 3, cmd: (NONE, 0, 0x1, 0x3000), arg: 0x7f3c85785010)        = 0
     1.609 ( 0.022 ms): gen/15387 ioctl(fd: 3, cmd: (_IOC_READ|_IOC_WRITE, 0x46, 0xd3, 0x10), arg: 0x7f9d01a92010) = 0
    11.187 (         ): slow/16626 ioctl(fd: 3, cmd: (READ|WRITE, 0x46, 0x29, 0x10), arg: 0x7f233d712eb0) ...
     1.200 ( 0.022 ms): gen/15387 ioctl(fd: 3</dev/pts/0>, cmd: TCGETS, arg: 0x7f9d01a92010) = 0
    11.187 ( 0.022 ms): slow/16626  ... [continued]: ioctl())                                            = -1 EIO (Input/output error)
END
run "${answers[@]}" perf --version 590.48.01
expect_status 0
expect_out_is perf.txt
run "${answers[@]}" perf --input perf --format json
expect_json 'five calls are read' -s 'map([.family, .number, .ret]) == [["frontend", 42, -1], ["uvm", 1, 0], ["uvm", 805306369, 0], ["frontend", 211, 0], ["frontend", 41, -1]]'

it 'two lines of runsc for one call'
printf '[   1:   1] python E ioctl(0x3 /dev/nvidiactl, 0xc020462a, 0x7ebe)\n[   1:   1] python X ioctl(0x3 /dev/nvidiactl, 0xc020462a, 0x7ebe) = 0 (0x0) (2us)\n' >"$WORK/runsc"
run "${answers[@]}" runsc --format json
expect 'are one call' [ "$(wc -l <"$OUT")" = 1 ]

done_testing
