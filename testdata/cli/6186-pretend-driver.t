#!/usr/bin/env bash
# scripts/pretend-driver with a test program. testdata/full/6185 uses NVIDIA's programs.
. "$(dirname "$0")/lib.sh"
. "$ROOT/testdata/sniff/lib.sh"
cd "$WORK" || exit
sniff_or_skip
[ "$(uname -m)" = x86_64 ] || skip_all 'scripts/pretend-driver supports only the system calls of x86_64'
[ -z "${DRVABI_SAN:-}" ] || skip_all 'the leak checker does not work under ptrace'

pretend() {
	run_program DRVABI="$DRVABI" DRVABI_REPO= "$ROOT/scripts/pretend-driver" "$@"
}

pretend -- true
[ "$STATUS" != 77 ] || skip_all "$(cat "$ERR")"

cat >asks.py <<'PYTHON'
import ctypes, fcntl, os, struct, sys
print(open("/proc/driver/nvidia/version").read().split("  ")[1], os.stat("/dev/nvidiactl").st_rdev == os.makedev(195, 255))
os.symlink("nothing", "/dev/nvidia-link")
device = os.open("/dev/nvidiactl", os.O_RDWR)
root = bytearray(struct.pack("<IIIIQII", 0, 0, 0, 0x41, 0, 0, 7))  # NVOS21_PARAMETERS, with a different status before the call
fcntl.ioctl(device, 0xC020462B, root)
handle, status = struct.unpack_from("<8xI16xI", root)
name = ctypes.create_string_buffer(132)
for command, size in (0x20800110, 132), (0x20800fff, 4):
    control = bytearray(struct.pack("<IIIIQII", handle, handle, command, 0, ctypes.addressof(name), size, 0))
    fcntl.ioctl(device, 0xC020462A, control)
    print(hex(handle), status, name[4:20].split(b"\0")[0].decode(), hex(struct.unpack_from("<28xI", control)[0]))
PYTHON

it 'answers from the documents and the table'
pretend --log log -- python3 asks.py
expect_status 0
expect_err_empty
printf '%s\n' '535.261.03 True' '0xc1d00001 0 Pretended GPU 0x0' '0xc1d00001 0 Pretended GPU 0x56' >wanted
expect 'the output is right' diff wanted "$OUT"
expect 'the log has the calls' [ "$(jq -r .name log | paste -sd,)" = 'NV_ESC_RM_ALLOC NV01_ROOT_CLIENT,NV_ESC_RM_CONTROL NV2080_CTRL_CMD_GPU_GET_NAME_STRING,NV_ESC_RM_CONTROL 0x20800fff' ]
expect 'nothing was created in /dev' [ ! -L /dev/nvidia-link ]

documents=(--archive "$ROOT/data/nvidia.drvabi" --table "$ROOT/data/nvproxy.json")
for way in filter survive preload; do
	it "recorded with --$way"
	option=(-q --"$way")
	[ "$way" != filter ] || option=()
	pretend -- "$DRVABI" sniff "${documents[@]}" "${option[@]}" -o "$way.trace" -- python3 asks.py
	expect_status 0
	expect 'the output is right' diff wanted "$OUT"
	if [ "$way" = filter ]; then
		expect_err_like "^drvabi: note: an older seccomp filter of this process handles ioctls, so drvabi's filter does not see them; python3 stops at every system call"
	fi
done
expect '--survive and --preload record the same bytes' "$COMPARE" --ioctls --traces survive.trace preload.trace
expect 'both record the same calls' "$COMPARE" --traces survive.trace filter.trace

it "the command's exit status"
pretend -- sh -c 'exit 7'
expect_status 7
pretend
expect_status 2
expect_err_like '^pretend-driver: error: missing a command after --$'
pretend -- ./nothing
expect_status 2
expect_err_like '^pretend-driver: \./nothing: No such file or directory$'
sed 's/"gpuNameString.ascii"/"noSuchField"/' "$ROOT/testdata/sniff/driver/answers.json" >wrong.json
pretend --answers wrong.json -- python3 asks.py
expect_err_like '^pretend-driver: NV2080_CTRL_GPU_GET_NAME_STRING_PARAMS has no field noSuchField$'

done_testing
