#!/usr/bin/env bash
# drvabi sniff: attaching to a process; killing and signals; interrupted calls; callers of other architectures
. "$(dirname "$0")/lib.sh"
. "$ROOT/testdata/sniff/lib.sh"
workload
cd "$WORK" || exit
sniff_or_skip

sniff=("$DRVABI" sniff --archive "$ARCHIVE" --table "$ROOT/data/nvproxy.json" --version 590.48.01 -q)
compiled() {
	"${CC:-cc}" -std=gnu11 -D_GNU_SOURCE -O1 -Wall -Wextra -Werror "$ROOT/testdata/cli/c/$1.c" -o "$1"
}

# ends PID - pass if the process ends within ten seconds; a zombie counts as ended
ends() {
	local try
	for try in $(seq 100); do
		[ -n "$try" ] && grep -q '^State:.[^Z]' "/proc/$1/status" 2>/dev/null || return 0
		sleep 0.1
	done
	return 1
}

# appears FILE - pass if the file appears within ten seconds and is not empty
appears() {
	local try
	for try in $(seq 100); do
		[ -n "$try" ] && [ ! -s "$1" ] || return 0
		sleep 0.1
	done
	return 1
}

# A command that writes its process id, and runs until a file appears.
lasting='echo $$ >pid.new; mv pid.new pid; until [ -e stop ]; do sleep 0.05; done; echo whole >ended'

# started OPTION... - start the command with sniff; $workload and $sniffer are their process ids
started() {
	rm -f pid stop ended
	"${sniff[@]}" "$@" -- sh -c "$lasting" 2>err &
	sniffer=$!
	appears pid || { echo 'Bail out! the command does not start'; exit 1; }
	workload=$(cat pid)
}

# traced - pass if the workload is traced within five seconds
traced() {
	for _ in $(seq 100); do
		grep -q '^TracerPid:.[1-9]' "/proc/$workload/status" && return
		sleep 0.05
	done
}

it 'sniff is killed'
started
kill -9 "$sniffer"
expect 'the workload ends' ends "$workload"
expect 'it was killed' [ ! -e ended ]
started --survive
kill -9 "$sniffer"
sleep 0.3
expect 'with --survive, the workload continues' grep -q '^State:.[SRD]' "/proc/$workload/status"
touch stop
expect 'until its end' appears ended

it 'a signal to sniff'
started
kill -TERM "$sniffer"
status=0
wait "$sniffer" || status=$?
expect 'ends the command and sniff with the same signal' [ "$status" = 143 ]
expect 'the command has ended' ends "$workload"

it 'sniff -p'
rm -f pid stop ended
sh -c "$lasting" &
workload=$!
appears pid
"${sniff[@]}" -p "$workload" 2>err &
sniffer=$!
traced
expect 'traces the process' grep -q "^TracerPid:.$sniffer\$" "/proc/$workload/status"
kill -INT "$sniffer"
status=0
wait "$sniffer" || status=$?
expect 'exits with 0 after an interrupt' [ "$status" = 0 ]
expect 'no longer traces the process' grep -q '^TracerPid:.0$' "/proc/$workload/status"
touch stop
expect 'the process continues until its end' appears ended
wait "$workload"
rm -f pid stop ended
sh -c "$lasting" &
workload=$!
appears pid
"${sniff[@]}" -p "$workload" 2>err &
sniffer=$!
traced
touch stop
status=0
wait "$sniffer" || status=$?
expect 'ends with the process' [ "$status" = 0 ]

it 'two processes'
started
run "${sniff[@]:1}" -p "$workload"
expect_cannot "^drvabi: cannot trace process $workload: process $sniffer \(drvabi\) already traces it, and a process can have only one tracer$"
touch stop
wait "$sniffer"

# Calls on a terminal and on /dev/zero, with the names of the driver's devices.
"$SNIFF/with-zero-devices" true || { done_testing; exit; }

it 'a call that a signal interrupts'
compiled interrupted
if "$SNIFF/with-zero-devices" ./interrupted /dev/nvidiactl >plain; then
	run_program "$SNIFF/with-zero-devices" "${sniff[@]}" -o interrupted.trace -- ./interrupted /dev/nvidiactl
	expect_status 0
	expect 'the program gets the same results as without drvabi' diff plain "$OUT"
	"$SNIFF/make-trace" --text interrupted.trace >interrupted.log
	jq -r 'select(.request != 0 and .kind == "ioctl") | "\(.request) \(.ret) \(.error) \(.start_ns)"' interrupted.log | sort -n -k4 | sed '1d' |
		while read -r request ret error _; do printf '%x %d %d\n' "$request" "$ret" "$error"; done | sort >traced
	expect 'the trace has each call with the result that the program got' diff <(sort plain) traced
	run_program "$SNIFF/with-zero-devices" "${sniff[@]}" -o left.trace -- ./interrupted /dev/nvidiactl left
	expect_status 0
	"$SNIFF/make-trace" --text left.trace | jq -r 'select(.kind == "ioctl" and (.end_ns // 0) == 0) | .request' >left
	expect 'calls that never end are in the order in which they began' diff <(printf '%d\n' 0x5402 0x5403) left
else
	echo '# there is no terminal to interrupt here'
fi

it 'callers of a different architecture'
cat >i386.c <<'END'
#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>
static int call(long number, long b, long c, long d, long s, long f)
{
	int result;
	__asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(b), "c"(c), "d"(d), "S"(s), "D"(f) : "memory", "r8", "r9", "r10", "r11");
	return result;
}
int main(void)
{
	enum { IOCTL = 54, OLD_MMAP = 90, MMAP2 = 192 };
	int fd = open("/dev/nvidiactl", O_RDWR);
	uint32_t *page = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	const uint32_t arguments[] = { 0, 4096, PROT_READ, MAP_SHARED, fd, 0 };
	for (int i = 0; i < 6; i++)
		page[i] = arguments[i];
	if (call(IOCTL, fd, 0xc020462a, 0, 0, 0) != -25 || call(IOCTL, fd, 0xc0106d00, 0, 0, 0) != -25)
		return 1;
	call(IOCTL, fd, 0x5401, 0, 0, 0);
	call(MMAP2, 0, 4096, PROT_READ, MAP_PRIVATE, fd);
	return (uint32_t)call(MMAP2, 0, 4096, PROT_READ, MAP_SHARED, fd) > -4096U || (uint32_t)call(OLD_MMAP, (long)page, 0, 0, 0, 0) > -4096U;
}
END
if [ "$(uname -m)" = x86_64 ] && "${CC:-cc}" i386.c -o i386 && "$SNIFF/with-zero-devices" ./i386; then
	run_program "$SNIFF/with-zero-devices" "${sniff[@]:0:8}" -o i386.trace -- ./i386
	expect_status 0
	expect_err_like '^drvabi: process [0-9]+ makes i386 calls on /dev/nvidiactl; they are not recorded$'
	expect_err_like '^drvabi: 4 calls on the driver.s devices by programs not built for x86_64-linux-gnu are not recorded$'
	expect 'the trace has no calls' [ "$("$SNIFF/make-trace" --text i386.trace | grep -c '"kind": "[^hf]')" = 0 ]
	for option in -q --survive; do
		run_program "$SNIFF/with-zero-devices" "${sniff[@]:0:8}" "$option" --enforce report -- ./i386
		expect_status 1
		expect_err_like '^drvabi: 4 calls on '
	done
fi
echo 'void _start(void) { __asm__("int $0x80" : : "a"(1), "b"(0)); }' >exit32.c
if [ "$(uname -m)" = x86_64 ] && "${CC:-cc}" -m32 -static -nostdlib -fno-pie -no-pie exit32.c -o exit32 2>/dev/null && ./exit32; then
	COUNT=1 logged basic answers
	run_program "${sniff[@]}" --enforce report --replay answers.trace -- ./exit32
	expect_status 1
	expect_err_like '^drvabi: process [0-9]+ executes an i386 program, whose opens and calls the trace does not answer$'
else
	echo '# SKIP no i386 program can be built and run here (cc -m32)'
fi

it 'a set-user-id program'
if [ "$(id -u)" = 0 ] && setpriv --reuid 65534 true 2>/dev/null; then
	chmod 755 "$WORK" "${WORK%/*}"
	cp "$(command -v id)" ./id
	chmod 4755 id
	cp "$DRVABI" ./drvabi
	cp "$ROOT/data/nvidia.drvabi" "$ROOT/data/nvproxy.json" .
	chmod 644 nvidia.drvabi nvproxy.json
	run_program setpriv --reuid 65534 --regid 65534 --clear-groups ./drvabi sniff --archive nvidia.drvabi --table nvproxy.json --version 590.48.01 -- ./id -u
	expect_status 0
	expect_out_like '^65534$'
	expect_err_like '^drvabi: note: .*/id runs without the privilege of its owner, .*run it beforehand \(nvidia-modprobe\), or sniff as root$'
	run_program ./drvabi sniff --archive nvidia.drvabi --table nvproxy.json --version 590.48.01 -q -- setpriv --reuid 65534 --regid 65534 --clear-groups ./id -u
	expect_out_like '^0$'
	expect_err_empty
fi

done_testing
