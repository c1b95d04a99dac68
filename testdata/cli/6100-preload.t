#!/usr/bin/env bash
# drvabi sniff --preload records each call and byte of the workload's calls through libc. Log, trace and ptrace agree.
. "$(dirname "$0")/lib.sh"
. "$ROOT/testdata/sniff/lib.sh"
workload
cd "$WORK" || exit

"${CC:-cc}" -std=gnu11 -D_GNU_SOURCE -O1 -Wall -Wextra -Werror -shared -fPIC "$ROOT/testdata/cli/c/memfd_driver.c" "$SNIFF/pretend.c" "$SNIFF/calls.c" \
	-o libdriver.so
"${CC:-cc}" -std=gnu11 -D_GNU_SOURCE -O1 -pthread "$SNIFF/workload.c" "$SNIFF/calls.c" "$SNIFF/pretend.c" -L. -Wl,--no-as-needed -ldriver \
	-Wl,-rpath,"$WORK" -o workload

# preload OPTION... -- COMMAND... - record the command with --preload
preload() {
	run_program "$DRVABI" sniff --preload --archive "$ARCHIVE" --table "$ROOT/data/nvproxy.json" --version 590.48.01 "$@"
}

for mode in basic embedded xfer fds bad partial many threads fork exec vfork dup pass signals; do
	it "$mode"
	rm -f log
	preload -q -o trace -- ./workload --log log --count 200 "$mode"
	expect_status 0
	expect_err_empty
	expect 'trace and log agree' "$COMPARE" --ioctls trace log
done

it 'when each call is counted'
rm -f log
preload -o trace -- ./workload --log log basic
expect_status 0
expect 'trace and log agree' "$COMPARE" --ioctls trace log
expect_err_like '^control 0x20800110 NV2080_CTRL_CMD_GPU_GET_NAME_STRING x1$'
expect_err_like '^alloc 0xc640 AMPERE_SMC_MONITOR_SESSION x1$'

# calls TRACE - print decode's calls, without times, process ids and addresses
calls() {
	DRVABI_ARCHIVE=$ARCHIVE "$DRVABI" decode --format json "$1" |
		jq -c 'select(.name) | [.name, .ret, .errno, .status, .fields]' | sed 's/0x[0-9a-f]\{8,\}/ADDRESS/g'
}

it 'compressed'
rm -f log
preload -q -o trace -- ./workload --log log --count 200 many
calls trace >plain
preload -q --compress -o packed.trace -- ./workload --log log2 --count 200 many
expect_status 0
expect_err_empty
expect 'the trace is smaller' [ "$(stat -c %s packed.trace)" -lt $(("$(stat -c %s trace)" / 4)) ]
calls packed.trace >packed
expect 'it has the same calls' [ "$(wc -l <packed)" -ge 200 ]
expect_same 'it has the same bytes' packed plain
mkfifo pipe
cat pipe >through &
preload -q --compress -o pipe -- ./workload --log log3 --count 200 many
expect_status 0
wait
calls through >packed
expect_same 'also through a pipe' packed plain

it 'exit status and output of the workload'
preload -q -o trace -- sh -c 'echo out; echo err >&2; exit 7'
expect_status 7
expect_out_like '^out$'
expect_err_like '^err$'

it 'a static program'
preload -o trace -- "$WORKLOAD_STATIC" --pretend --log log basic
expect_err_like 'the library was not loaded'

it 'options that cannot be combined with it'
preload -p 1
expect_status 2
expect_err_like '^drvabi: --preload and --attach cannot be used together'

it 'the preloaded library'
library=$(dirname "$DRVABI")/libdrvabi-preload.so
expect 'depends only on libc' [ "$(readelf -d "$library" | grep NEEDED | grep -vcE '\[(libc\.so\.6|ld-linux-aarch64\.so\.1)\]')" = 0 ]
expect 'depends on libc' sh -c 'readelf -d "$1" | grep -q "NEEDED.*\[libc\.so\.6\]"' sh "$library"
expect 'exports only ioctl' [ "$(nm -D --defined-only "$library" | awk '{ print $NF }')" = ioctl ]

done_testing
