#!/usr/bin/env bash
# drvabi sniff reports calls that could not be recorded, also with -q, and --enforce then does not report full support.
. "$(dirname "$0")/lib.sh"
. "$ROOT/testdata/sniff/lib.sh"
cd "$WORK" || exit
sniff_or_skip
"$SNIFF/with-zero-devices" true || skip_all 'this machine cannot create device files for the test'

options=(--archive "$ARCHIVE" --table "$ROOT/data/nvproxy.json" --version 590.48.01)
"${CC:-cc}" -std=gnu11 -D_GNU_SOURCE -O1 -Wall -Wextra -Werror -pthread "$ROOT/testdata/cli/c/asks.c" -o asks
"${CC:-cc}" -std=gnu11 -D_GNU_SOURCE -O1 -Wall -Wextra -Werror -pthread -static "$ROOT/testdata/cli/c/asks.c" -o asks-static

# weak OPTION... -- COMMAND... - run sniff as root without the right to read processes of other users, as in a container
weak() {
	run_program "$SNIFF/with-zero-devices" setpriv --bounding-set=-sys_ptrace,-sys_admin --inh-caps=-all "$DRVABI" sniff "${options[@]}" -q "$@"
}

calls() {
	"$SNIFF/make-trace" --text trace | grep -c '"kind": "ioctl"'
}

if [ "$(id -u)" = 0 ] && setpriv --bounding-set=-sys_ptrace,-sys_admin --inh-caps=-all --reuid 65534 true 2>/dev/null; then
	chmod 755 "$WORK" "${WORK%/*}"
	hidden='process [0-9]+ cannot be read: it belongs to another user, is not dumpable \(PR_SET_DUMPABLE\), or /proc does not show it; its ioctls are not recorded\. Sniff as root, in a container with the capability SYS_PTRACE \(--cap-add SYS_PTRACE\)'
	for words in 'user 65534 call 0x2a call 0x2a' 'hidden call 0x2a call 0x2a' 'user 65534 again call 0x2a call 0x2a'; do
		it "$words"
		# shellcheck disable=SC2086 # words
		weak -o trace -- ./asks $words
		expect_status 0
		expect_err_like "^drvabi: $hidden\$"
		expect 'each process is reported once' [ "$(wc -l <"$ERR")" = 1 ]
		expect 'the trace has no calls' [ "$(calls)" = 0 ]
		# shellcheck disable=SC2086
		weak --enforce report -- ./asks $words
		expect_status 1
		expect_err_like '^drvabi: some calls were not recorded, so it is unknown whether the proxy supports all calls$'
	done
	it "a different user who only reads the terminal's settings"
	weak --enforce report -- setpriv --reuid 65534 --clear-groups sh -c 'test -t 0; id -u'
	expect_status 0
	expect_err_empty
	expect 'runs as this user' grep -qx 65534 "$OUT"
	it 'a different user, --preload'
	weak --preload -o trace -- ./asks user 65534 again call 0x2a
	expect_status 0
	expect_err_like '^drvabi: calls of other users. processes are not recorded: they cannot open the memory shared with drvabi$'
	expect 'the trace has no calls' [ "$(calls)" = 0 ]
	it 'a hidden process, --preload'
	weak --preload -o trace -- ./asks hidden call 0x2a
	expect 'is recorded' [ "$(calls)" = 1 ]
fi

# shellcheck disable=SC2016 # variables of the inner shell
for proc in 'umount -l /proc' 'mount -t proc -o hidepid=2 none /proc'; do
	it "a process that /proc does not show: $proc"
	run_program "$SNIFF/with-zero-devices" unshare -m sh -c "$proc"' && exec setpriv --bounding-set=-sys_ptrace,-sys_admin --inh-caps=-all "$@"' - \
		"$DRVABI" sniff "${options[@]}" -q --enforce report -- ./asks user 65534 call 0x2a
	expect_status 1
	expect_err_like '^drvabi: process [0-9]+ cannot be read'
done

it 'a static program, --preload'
run_program "$SNIFF/with-zero-devices" "$DRVABI" sniff "${options[@]}" -q --preload -- ./asks-static call 0x2a
expect_status 0
expect_err_like '^drvabi: the library was not loaded: static and set-user-id programs do not load it'
run_program "$SNIFF/with-zero-devices" "$DRVABI" sniff "${options[@]}" -q --preload --enforce report -- ./asks-static call 0x2a
expect_status 1

it 'all requests on a device are recorded, except those that the kernel answers, and isatty()'
for option in --survive --preload; do
	run_program "$SNIFF/with-zero-devices" "$DRVABI" sniff "${options[@]}" -q "$option" -o trace -- \
		./asks uvm 1 uvm 255 uvm 256 uvm 0x1ff uvm 0x200 uvm 0x30000001 uvm 0xc0200001 uvm 0x8001 \
		uvm 0x5402 uvm 0x5401 uvm 0x5451
	expect_status 0
	expect "the calls are recorded, $option" [ "$(calls)" = 9 ]
done

it 'an argument before an unmapped page'
for option in --survive --preload; do
	run_program "$SNIFF/with-zero-devices" "$DRVABI" sniff "${options[@]}" -q "$option" -o trace -- ./asks edge 0x2a
	expect "is recorded up to the page, $option" [ "$("$SNIFF/make-trace" --text trace | jq -r 'select(.kind == "ioctl").before')" = 00000000000000000000 ]
done

it 'a call on a small stack'
if ./asks short 201 2>/dev/null || [ $? != 2 ]; then
	for option in --survive --preload; do
		run_program "$SNIFF/with-zero-devices" "$DRVABI" sniff "${options[@]}" -q "$option" -o trace -- ./asks short 201
		expect_status 0
		expect "has its descriptors, $option" [ "$("$SNIFF/make-trace" --text trace | jq -r 'select(.kind == "ioctl").fds[].number')" = 0 ]
	done
fi

it 'a process whose first thread has exited'
for option in --survive --preload; do
	run_program "$SNIFF/with-zero-devices" "$DRVABI" sniff "${options[@]}" -q "$option" -o trace -- ./asks thread call 0x2a edge 0x2a
	expect_status 0
	expect "is recorded with its memory, $option" [ "$("$SNIFF/make-trace" --text trace | jq -r 'select(.kind == "ioctl").before | length' | tr '\n' ' ')" = '64 20 ' ]
done

it 'attaching to a process whose first thread has exited'
"$SNIFF/with-zero-devices" sh -c 'echo $$ >asking; exec ./asks thread sleep 2 call 0x2a' &
sleep 0.5
run sniff "${options[@]}" -q -p "$(cat asking)" -o trace
expect_status 0
expect 'sniff -p records it' [ "$(calls)" = 1 ]
wait
sh -c 'sleep 0.1 & echo $! >ended; exec sleep 1' &
sleep 0.5
run sniff "${options[@]}" -p "$(cat ended)"
expect_cannot '^drvabi: process [0-9]+ has ended$'
wait

it 'a process that executes another program'
for option in --survive --preload; do
	run_program "$SNIFF/with-zero-devices" "$DRVABI" sniff "${options[@]}" -q "$option" -o trace -- ./asks call 0x2a again call 0x2a
	expect "opens the device again, $option" [ "$("$SNIFF/make-trace" --text trace | jq -r 'select(.kind != "file").kind' | tr '\n' ' ')" = 'header open ioctl open ioctl ' ]
done

it '--enforce instant --preload'
run_program "$SNIFF/with-zero-devices" "$DRVABI" sniff "${options[@]}" -q --preload --enforce instant -- \
	sh -c '(sleep 2; : >late) & ./asks call 1; sleep 2; : >later'
expect_status 1
expect_err_like '^drvabi: the workload was ended, because the ioctl above is not supported$'
sleep 3
expect 'ends all processes' [ ! -e late ]
expect 'ends the command' [ ! -e later ]

done_testing
