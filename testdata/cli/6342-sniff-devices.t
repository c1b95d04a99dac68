#!/usr/bin/env bash
# drvabi sniff --enforce exits with 0 only if the proxy supports all calls to all devices of the driver.
. "$(dirname "$0")/lib.sh"
. "$ROOT/testdata/sniff/lib.sh"
cd "$WORK" || exit
sniff_or_skip
"$SNIFF/with-zero-devices" true || skip_all 'this machine cannot create device files for the test'

options=(--archive "$ARCHIVE" --table "$ROOT/data/nvproxy.json" --version 590.48.01)

# asks.py WORD... - ioctls: PATH=REQUEST of a device; sent, or taken: what follows is of a descriptor that came from another process
cat >asks.py <<'ASKS'
import contextlib, fcntl, os, struct, sys

def sent(path):
    """Opened by a child, and sent over a socket."""
    import socket
    here, there = socket.socketpair()
    if not os.fork():
        socket.send_fds(there, [b"x"], [os.open(path, os.O_RDWR)])
        os._exit(0)
    fd = socket.recv_fds(here, 1, 1)[1][0]
    os.wait()
    return fd

def taken(path):
    """Opened by a child, and taken out of it (pidfd_getfd)."""
    import ctypes
    go, ready = os.pipe(), os.pipe()
    child = os.fork()
    if not child:
        os.write(ready[1], struct.pack("i", os.open(path, os.O_RDWR)))
        os.read(go[0], 1)
        os._exit(0)
    theirs = struct.unpack("i", os.read(ready[0], 4))[0]
    fd = ctypes.CDLL(None, use_errno=True).syscall(438, os.pidfd_open(child), theirs, 0)
    os.write(go[1], b"x")
    os.wait()
    if fd < 0:
        sys.exit(77)
    return fd

opened = lambda path: os.dup(os.open(path, os.O_RDWR))
# NVOS54_PARAMETERS of a command that is in nvproxy's table
control = struct.pack("<4IQ2I", 1, 2, 0x20800110, 0, 0, 0, 0)
for word in sys.argv[1:]:
    if word in ("sent", "taken"):
        opened = globals()[word]
        continue
    path, request = word.rsplit("=", 1)
    with contextlib.suppress(OSError):
        fcntl.ioctl(opened(path), int(request, 0), bytearray(control))
ASKS

# asked OPTION... -- WORD... - run sniff with a workload that makes these calls
asked() {
	local given=()
	while [ "$1" != -- ]; do given+=("$1"); shift; done
	run_program "$SNIFF/with-zero-devices" "$DRVABI" sniff "${options[@]}" --enforce report "${given[@]}" -- python3 asks.py "${@:2}"
}
control=/dev/nvidiactl=0xc020462a

it 'calls that the proxy supports'
asked -- "$control"
expect_status 0
expect_err_like 'supports all of them at 590\.48\.01$'

for option in -q --survive --preload; do
	it "a different device of the driver, $option"
	asked "$option" -- "$control" /dev/nvidia-modeset=0xc0106d00
	expect_status 1
	expect_err_like '^not supported: nvkms 0x1 NVKMS_IOCTL_FREE_DEVICE$'
	asked "$option" -- "$control" /dev/nvidia-nvswitch0=0xc0205301
	expect_status 1
	expect_err_like '^not supported: nvswitch 0x1 CTRL_NVSWITCH_'
	asked "$option" -- "$control" /dev/nvidia-nvswitchctl=0xc0205300
	expect_status 1
	expect_err_like '^not supported: nvswitch-ctl 0xc0205300'
	asked "$option" -- "$control" /dev/nvidia-nvlink=0xc0404c01
	expect_status 1
	expect_err_like '^not supported: nvlink 0x1 '
	it "a device whose ioctls are unknown, $option"
	asked "$option" -- "$control" /dev/nvidia-caps/nvidia-cap1=0xc0407800 /dev/nvidia-caps/nvidia-cap1=0xc0407801
	expect_status 1
	expect_err_like '^2 calls of devices whose ioctls are unknown, such as /dev/nvidia-caps/nvidia-cap1$'
	it "a request with a different type, $option"
	asked "$option" -- "$control" /dev/nvidiactl=0xc0207bfe
	expect_status 1
	expect_err_like '^not supported: frontend 0xfe '
	for way in sent taken; do
		it "a descriptor that was $way, $option"
		asked "$option" -- "$way" /dev/nvidia-modeset=0xc0106d00
		[ "$STATUS" = 77 ] || expect_status 1
		[ "$STATUS" = 77 ] || expect_err_like '^not supported: nvkms 0x1 NVKMS_IOCTL_FREE_DEVICE$'
	done
done

it 'devices of other drivers'
asked -- "$control" /dev/zero=0xc0106d00 /dev/null=0xc020462a
expect_status 0
asked --preload -o trace -- "$control" /dev/zero=0xc0106d00 /dev/null=0xc020462a
expect 'are not recorded, --preload' [ "$("$SNIFF/make-trace" --text trace | grep -c '"kind": "ioctl"')" = 1 ]

it 'calls that the recorder could miss'
asked --preload -- "$control"
expect_status 1
expect_err_like '^drvabi: --preload sees no raw system calls and no static programs, so it is unknown whether the proxy supports all calls; leave --preload out to find out$'

it 'devices in a trace'
python3 - <<'TRACE' | "$ROOT/scripts/make-trace" >devices.trace
import json, struct
print(json.dumps({"kind": "header", "version": "590.48.01", "target": "x86_64-linux-gnu", "command": "asks.py"}))
for path, request in (("/dev/nvidiactl", 0xc020462a), ("/dev/dri/renderD128", 0xc0106452)):
    print(json.dumps({"fd_path": path, "fd": 3, "request": request, "argument": 4096, "start_ns": 1, "end_ns": 2,
                      "before": struct.pack("<4IQ2I", 1, 2, 0x20800110, 0, 0, 0, 0).hex()[:2 * (request >> 16 & 0x3fff)],
                      "after": struct.pack("<4IQ2I", 1, 2, 0x20800110, 0, 0, 0, 0).hex()[:2 * (request >> 16 & 0x3fff)]}))
TRACE
run sniff "${options[@]}" --enforce report --replay devices.trace -- python3 asks.py "$control" /dev/dri/renderD128=0xc0106452
expect_status 1
expect_err_like '^not supported: drm 0xc0106452 '

it 'all devices of the driver can be replayed'
devices='/dev/nvidiactl=0xc020462a /dev/nvidia0=0xc020462a /dev/nvidia-modeset=0xc0106d00 /dev/dri/renderD128=0xc0106452 /dev/dri/card1=0xc0106452
	/dev/nvidia-nvswitchctl=0xc0205300 /dev/nvidia-nvswitch0=0xc0205301 /dev/nvidia-nvlink=0xc0204c01 /dev/nvidia-uvm=27'
for word in $devices; do
	printf '{"fd_path": "%s", "fd": 3, "request": "%s", "argument": 4096, "start_ns": 1, "end_ns": 2, "before": "%s", "after": "%s", "descriptors": [%s]}\n' \
		"${word%=*}" "${word#*=}" 0100000002000000100180200000000000000000000000000000000000000000 aa00000002000000100180200000000000000000000000000000000000000000 \
		'{"number": 5, "path": "/dev/nvidia-caps/nvidia-cap1"}, {"number": 6, "path": "/tmp/none"}' | sed -E '/0xc010/s/([0-9a-f]{32})[0-9a-f]{32}/\1/g'
done | "$ROOT/scripts/make-trace" >all.trace
cat >opens.py <<'OPENS'
import os, sys
print(os.fstat(os.open("/dev/nvidia-caps/nvidia-cap1", os.O_RDONLY)).st_mode == 0o20666)
exec(open("asks.py").read())
OPENS
# shellcheck disable=SC2086 # words
run sniff "${options[@]}" --strict --replay all.trace -o again.trace -- python3 opens.py $devices
expect_status 0
expect_out_like '^True$'
expect 'all calls have answers' [ "$(grep -c -E 'no match|not asked for|does not name' "$ERR")" = 0 ]
expect 'all devices are recorded' [ "$("$SNIFF/make-trace" --text again.trace | jq -r 'select(.kind == "ioctl").fd_path' | sort | tr '\n' ' ')" = \
	"$(for word in $devices; do echo "${word%=*}"; done | sort | tr '\n' ' ')" ]
expect 'with their answers' [ "$("$SNIFF/make-trace" --text again.trace | jq -r 'select(.kind == "ioctl").after[:2]' | sort | uniq -c | tr -d ' ')" = 9aa ]

it "a profile without the driver's devices"
mkdir toy
cat >toy.json <<'END'
{"format": "drvabi-profile/1", "name": "toy", "units": [{"name": "toy", "headers": ["toy.h"], "basics": "linux"}],
 "families": [{"name": "toy", "source": "ioc", "ioc": {"types": ["K"], "known_by": "nr"}}]}
END
cat >table.json <<'END'
{"format": "drvabi-proxy/1", "proxy": "toy proxy", "revision": "1", "driver": "toy", "types": {},
 "versions": [{"version": "1.0", "parent": null, "supported": true, "ioctls": {}}]}
END
echo '#define TOY _IO(75, 1)' >toy/toy.h
git init -q toy && git -C toy add toy.h && git -C toy -c user.name=toy -c user.email=toy@example.org commit -qm toy && git -C toy tag 1.0
run sniff --profile "$WORK/toy.json" --repo "$WORK/toy" --version 1.0 --table "$WORK/table.json" --enforce report -- true
expect_cannot '^drvabi: profile .*/toy\.json does not say which devices are the driver.s, so none of its ioctls would be seen; use the profile nvidia$'

it 'a seccomp filter with notifications'
cat >listener.c <<'END'
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void)
{
	struct sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	struct sock_fprog program = { 1, &allow };
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program) < 0 ? 77 : 0;
}
END
"${CC:-cc}" listener.c -o listener
if ./listener; then
	run sniff "${options[@]}" -q --enforce report -- ./listener
	expect_status 1
	expect_err_like '^drvabi: process [0-9]+ installs a seccomp filter that notifies a supervisor'
	run sniff "${options[@]}" -q --survive --enforce report -- ./listener
	expect_status 0
fi

it 'a process that must not be traced'
cat >untraced.c <<'END'
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
	if (!syscall(SYS_clone, CLONE_UNTRACED | SIGCHLD, 0, 0, 0, 0))
		_exit(0);
	wait(0);
	return 0;
}
END
"${CC:-cc}" untraced.c -o untraced
run sniff "${options[@]}" -q --survive --enforce report -- ./untraced
expect_status 1
expect_err_like '^drvabi: process [0-9]+ starts an untraced process \(CLONE_UNTRACED\), whose ioctls are not recorded$'

it 'the preloaded library in a directory that ld.so does not accept'
for name in 'a b' 'a:b' 'a$LIB'; do
	mkdir "$name"
	cp "$DRVABI" "$name/drvabi"
	cp "${DRVABI%/*}/libdrvabi-preload.so" "$name"
	run_program "$SNIFF/with-zero-devices" "./$name/drvabi" sniff "${options[@]}" -q --preload -o trace -- python3 asks.py "$control"
	expect_status 0
	expect "is loaded, $name" [ "$("$SNIFF/make-trace" --text trace | grep -c '"kind": "ioctl"')" = 1 ]
done
expect 'no link remains' [ -z "$(find /tmp -maxdepth 1 -name 'drvabi-??????' -newer asks.py)" ]

it 'a workload that truncates the memory shared with drvabi'
run_program "$SNIFF/with-zero-devices" "$DRVABI" sniff "${options[@]}" -q --preload -o trace -- sh -c \
	'truncate -s 0 "$DRVABI_PRELOAD_CHANNEL" && echo cut; exec python3 asks.py "$1"' - "$control"
expect_status 0
expect 'the workload is not allowed to' [ ! -s "$OUT" ]
expect 'the call is recorded' [ "$("$SNIFF/make-trace" --text trace | grep -c '"kind": "ioctl"')" = 1 ]

it 'a workload that overwrites the shared memory'
run_program "$SNIFF/with-zero-devices" "$DRVABI" sniff "${options[@]}" -q --preload -o trace -- sh -c \
	'head -c 4096 /dev/zero >cleared && dd if=cleared of="$DRVABI_PRELOAD_CHANNEL" conv=notrunc status=none; sleep 0.1; python3 asks.py "$1"' - "$control"
expect_status 0
expect_err_like '^drvabi: the workload has overwritten the recorded calls'

done_testing
