#!/usr/bin/env bash
# NVIDIA's own programs on a pretended driver: each way to record gets all calls, and a replay without the driver gives the same output.
# GVISOR=a clone of gVisor, to test its hook, too.
. "$(dirname "$0")/../cli/lib.sh"
. "$ROOT/testdata/sniff/lib.sh"
cd "$WORK" || exit
sniff_or_skip
[ "$(uname -m)" = x86_64 ] || skip_all 'scripts/pretend-driver supports only x86_64'

[ -d /sys/module ] || skip_all 'nvidia-smi needs /sys, which is not mounted'
software=${DRVABI%/*}/nvidia-user-space
"$ROOT/scripts/nvidia-user-space" "$software" 2>said || skip_all "$(cat said)"
smi=$software/root/usr/lib/nvidia/current/nvidia-smi
programs=$software/root/usr/bin
libraries=$software/root/usr/lib/x86_64-linux-gnu/nvidia/current
documents=(--archive "$ROOT/data/nvidia.drvabi" --table "$ROOT/data/nvproxy.json")
pretend=("$ROOT/scripts/pretend-driver")
export DRVABI LD_LIBRARY_PATH=$libraries:$libraries/../..

status=0
"${pretend[@]}" -- true 2>said || status=$?
[ "$status" != 77 ] || skip_all "$(cat said)"

hook=
if [ -n "${GVISOR:-}" ]; then
	"$ROOT/scripts/build-gvisor-hook" "$GVISOR" "$WORK/hook.so" && hook=$WORK/hook.so
fi

# without_times FILE - print a program's output without its times
without_times() {
	sed -E 's/[A-Z][a-z]{2} [A-Z][a-z]{2} +[0-9]+ [0-9:]{8} [0-9]{4}/TIME/' "$1"
}

# has_all_calls LOG TRACE - return whether the trace has the ioctls in the driver's log, in the same order for each thread
has_all_calls() {
	"$SNIFF/make-trace" --text "$2" | jq -r 'select(.kind == "ioctl") | "\(.tid) \(.fd_path) \(.request)"' | sort -s -k1,1n >recorded
	jq -r '"\(.pid) \(.path) \(.request)"' "$1" | sort -s -k1,1n >made
	[ -s made ] && diff made recorded
}

# hook_has_all_calls LOG TRACE - the same for gVisor's hook, which does not record threads
hook_has_all_calls() {
	"$SNIFF/make-trace" --text "$2" | jq -r 'select(.kind == "ioctl") | "\(.fd_path) \(.request)"' | sort >recorded
	jq -r '"\(.path) \(.request)"' "$1" | sort | diff - recorded
}

# records WAY OPTION... -- COMMAND... - write WAY.trace, WAY.log and WAY.out
records() {
	local way=$1
	shift
	status=0
	timeout 30 "${pretend[@]}" --log "$way.log" -- "$DRVABI" sniff "${documents[@]}" -q -o "$way.trace" "$@" >"$way.out" 2>"$way.err" </dev/null || status=$?
	echo "$status" >"$way.status"
	expect "$way: the trace has all calls" has_all_calls "$way.log" "$way.trace"
}

# listens COMMAND... - write hook.trace, hook.log and hook.out with gVisor's hook
listens() {
	local listener
	"$DRVABI" sniff "${documents[@]}" --version 535.261.03 -q --listen "$WORK/socket" -o hook.trace 2>hook.err &
	listener=$!
	while [ ! -S socket ]; do sleep 0.05; done
	"${pretend[@]}" --log hook.log -- env LD_PRELOAD="$hook" GVISOR_IOCTL_SNIFFER_SOCKET_PATH="$WORK/socket" "$@" >hook.out 2>&1 </dev/null || true
	kill "$listener"
	wait "$listener" || true
	rm -f socket
	expect "gVisor's hook: the trace has all calls" hook_has_all_calls hook.log hook.trace
}

# ioctls_of TRACE - print the number of ioctls in TRACE
ioctls_of() {
	"$SNIFF/make-trace" --text "$1" | jq -s 'map(select(.kind == "ioctl")) | length'
}

# of KIND - print how many calls the replay answered in this way
of() {
	sed -n "s/.* \([0-9]*\) $1.*/\1/p" replay.err | head -n 1
}

# same NAME COMMAND... - record COMMAND in each way, replay it, and compare
same() {
	local similar again refused count
	it "$1"
	shift
	records ptrace -- "$@"
	records preload --preload -- "$@"
	expect 'both recordings are equal' "$COMPARE" --ioctls --traces --no-fds --moved preload.trace ptrace.trace
	[ -z "$hook" ] || listens "$@"
	STATUS=0
	timeout 30 "$DRVABI" sniff "${documents[@]}" --replay ptrace.trace -o replay.trace -- "$@" >replay.out 2>replay.err </dev/null || STATUS=$?
	expect 'the replay has the same exit status' [ "$STATUS" = "$(cat ptrace.status)" ]
	expect 'the recording of the replay equals the trace' "$COMPARE" --traces --no-fds --moved ptrace.trace replay.trace
	expect 'the replay prints the same' diff <(without_times ptrace.out) <(without_times replay.out)
	similar=$(of 'with similar') again=$(of 'again by') refused=$(sed -n 's/.*note: \([0-9]*\) calls* had no match.*/\1/p' replay.err)
	expect 'all calls have a match' [ -z "$refused" ]
	count=$(ioctls_of replay.trace)
	printf '# %s: %d calls; recorded: %d by ptrace, %d by --preload' "$lib_label" "$(wc -l <ptrace.log)" "$(ioctls_of ptrace.trace)" \
		"$(ioctls_of preload.trace)"
	[ -z "$hook" ] || printf ", %d of %d by gVisor's hook" "$(ioctls_of hook.trace)" "$(wc -l <hook.log)"
	printf '; replay: %d exact, %d similar, %d again, %d refused\n' $((count - ${similar:-0} - ${again:-0} - ${refused:-0})) "${similar:-0}" \
		"${again:-0}" "${refused:-0}"
}

same 'nvidia-smi' "$smi"
for words in -L -q '-q -x' 'topo -m' 'dmon -c 2' 'pmon -c 2' 'nvlink -s' 'mig -lgip' '-q -d SUPPORTED_CLOCKS' 'clocks --sync-boost-list' \
	'--query-gpu=name,uuid,driver_version,memory.total --format=csv' 'compute-policy -l'; do
	# shellcheck disable=SC2086 # arguments
	same "nvidia-smi $words" "$smi" $words
done
it 'nvidia-smi dmon -c 5, replayed from a recording of dmon -c 2'
records more -- "$smi" dmon -c 2
STATUS=0
timeout 30 "$DRVABI" sniff "${documents[@]}" --replay more.trace -- "$smi" dmon -c 5 >"$OUT" 2>"$ERR" </dev/null || STATUS=$?
expect_status 0
expect 'it prints five lines' [ "$(grep -c '^ *0 ' "$OUT")" = 5 ]
expect_err_like '^drvabi: note: ioctls answered from more.trace: 97 by a call with the same inputs, 0 by one with similar inputs, [1-9][0-9]* by a call that was used before'
# These two programs do not end, and query the driver every ten seconds.
for words in encodersessions fbcsessions; do
	same "nvidia-smi $words" timeout 5 "$smi" "$words" -l 10
done
it 'the functions of NVML that nvidia-smi called'
records who --who -- "$smi" -L
"$SNIFF/make-trace" --text who.trace | jq -r '.caller // empty' | sort -u >callers
expect 'are named' grep -qx 'libnvidia-ml.so.535.261.03 nvmlDeviceGetUUID' callers

# The programs that draw need an X server. Xvfb runs xkbcomp from a directory that was compiled in, so a copy of Xvfb gets a different path.
export VDPAU_DRIVER=nvidia VDPAU_DRIVER_PATH=$libraries __GLX_VENDOR_LIBRARY_NAME=nvidia TERM=xterm
export OCL_ICD_VENDORS=$WORK/vendors VK_ICD_FILENAMES=$WORK/vulkan.json __EGL_VENDOR_LIBRARY_FILENAMES=$WORK/egl.json
mkdir vendors
echo libnvidia-opencl.so.1 >vendors/nvidia.icd
echo '{"file_format_version": "1.0.0", "ICD": {"library_path": "libEGL_nvidia.so.0"}}' >egl.json
echo '{"file_format_version": "1.0.0", "ICD": {"library_path": "libGLX_nvidia.so.0", "api_version": "1.3.242"}}' >vulkan.json
same 'clinfo' "$programs/clinfo"
same 'eglinfo' "$programs/eglinfo.x86_64-linux-gnu"
LC_ALL=C sed 's,/usr/bin\x00,.///////\x00,' "$programs/Xvfb" >Xvfb
cp "$programs/xkbcomp" .
chmod +x Xvfb
./Xvfb -displayfd 3 -screen 0 640x480x24 -xkbdir "$software/root/usr/share/X11/xkb" 3>display >Xvfb.log 2>&1 &
server=$!
# shellcheck disable=SC2154 # the trap of lib.sh, and the server
trap 'kill "$server"; chmod -R u+rwX "$lib_scratch"; rm -rf "$lib_scratch"' EXIT
for _ in $(seq 100); do
	[ ! -s display ] || break
	sleep 0.1
done
it 'Xvfb'
expect 'starts' [ -s display ] || cat Xvfb.log
DISPLAY=:$(cat display)
export DISPLAY
if "${pretend[@]}" -- "$programs/glxinfo.x86_64-linux-gnu" -B 2>&1 | grep -q 'extension "GLX" missing'; then
	it 'glxinfo'
	pass 'runs # SKIP this Xvfb has no GLX, which needs Mesa'
else
	same 'glxinfo' "$programs/glxinfo.x86_64-linux-gnu" -B
fi
same 'vulkaninfo' "$programs/vulkaninfo" --summary
same 'vdpauinfo' "$programs/vdpauinfo"
# nvtop queries the GPU at the start and then once a minute, and ends at the key q.
cat >nvtop <<-END
	{ sleep 2; printf q; } | script -qec '$programs/nvtop -d 600' /dev/null
END
if script -qec true /dev/null </dev/null >/dev/null 2>&1; then
	same 'nvtop' sh nvtop
else
	it 'nvtop'
	pass 'runs # SKIP script(1) cannot create a terminal'
fi

same 'NVML' python3 "$SNIFF/driver/programs.py" nvml "$libraries/libnvidia-ml.so.1"
same 'CUDA' python3 "$SNIFF/driver/programs.py" cuda "$libraries/libcuda.so.1"

done_testing
