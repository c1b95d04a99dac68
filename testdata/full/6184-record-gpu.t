#!/usr/bin/env bash
# scripts/record-gpu --pretend, which needs neither a GPU nor programs that use one.
. "$(dirname "$0")/../cli/lib.sh"
. "$ROOT/testdata/sniff/lib.sh"
cd "$WORK" || exit
sniff_or_skip

record() {
	run_program DRVABI="${PROGRAM:-$DRVABI}" DRVABI_REPO= CC="${CC:-cc}" "$ROOT/scripts/record-gpu" "$@"
}

it 'the workload of the tests'
record --pretend -o traces
expect_status 0
expect_err_empty
expect_out_like '^pretended: no GPU, no driver$'
expect_out_like '^basic-static: exit status 0, 12 calls, [0-9]+ bytes$'
expect_out_like '^  statuses: NV_ERR_INVALID_CLASS x1, NV_ERR_NOT_SUPPORTED x1, NV_OK x9, ret 0 x1$'
expect 'ten traces' [ "$(compgen -G 'traces/*.trace' | wc -l)" = 10 ]
expect 'the report equals the output' diff traces/report.txt <(head -n -1 "$OUT")
expect 'the archive has all files' [ "$(tar -tzf traces/gpu-traces.tar.gz | wc -l)" = 11 ]
expect 'the archive is small' [ "$(stat -c %s traces/gpu-traces.tar.gz)" -lt 100000 ]
run DRVABI_REPO= decode --format summary traces/xfer-dynamic.trace
expect_status 0
expect_out_like '^control 0x20800110 NV2080_CTRL_CMD_GPU_GET_NAME_STRING x1$'

# broken FILE CODE - write a drvabi to FILE that runs CODE first
broken() {
	# shellcheck disable=SC2016 # variables of the generated script
	printf '#!/usr/bin/env bash\nset -e\nreal=%q\n%s\nexec "$real" "$@"\n' "$DRVABI" "$2" >"$1"
	chmod +x "$1"
}

it 'a replay with a different exit status'
# shellcheck disable=SC2016 # variables of the generated script
broken replaying 'case "$*" in sniff\ --replay*fds*) echo "drvabi: note: 1 call had no match in x" >&2; exit 3 ;; esac'
PROGRAM=$WORK/replaying record --pretend -o replayed
expect_status 1
expect_out_like '^  replay: 1 call had no match in x$'
expect_out_like '^  replay: exits with 3, and exited with 0 when it was recorded$'

it 'a size that differs from the document'
# shellcheck disable=SC2016 # variables of the generated script
broken decoding 'case "$*" in decode\ --format\ json\ decoded/embedded*) "$real" "$@" | sed "s/\"notes\": \[\]/\"notes\": [\"9 bytes; the record has 8\"]/"; exit ;; esac'
PROGRAM=$WORK/decoding record --pretend -o decoded
expect_status 1
expect_out_like '^  document: .*: 9 bytes; the record has 8 x[0-9]+$'

it 'a machine without a GPU'
if [ ! -e /proc/driver/nvidia/version ]; then
	record -o none
	expect_status 2
	expect_err_like '^record-gpu: /proc/driver/nvidia/version does not exist: this machine has no NVIDIA driver; use --pretend to test the script without one$'
	expect 'no directory is created' [ ! -e none ]
fi
PROGRAM=$WORK/nothing record --pretend -o none
expect_status 2
expect_err_like '^record-gpu: cannot run .*/nothing; build it with make, or set DRVABI to a different drvabi$'

done_testing
