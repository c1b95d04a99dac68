#!/usr/bin/env bash
# drvabi sniff --replay: device files that a program finds, and device files that it does not find.
. "$(dirname "$0")/lib.sh"
. "$ROOT/testdata/sniff/lib.sh"
workload
cd "$WORK" || exit
sniff_or_skip

replay=(sniff --archive "$ARCHIVE" --table "$ROOT/data/nvproxy.json" --replay basic.trace)
logged basic basic
# shellcheck disable=SC2086 # flags
for kind in dynamic static; do
	flags=-Wall
	[ "$kind" = dynamic ] || flags='-Wall -static'
	"${CC:-cc}" -D_GNU_SOURCE $flags "$ROOT/testdata/cli/c/device_paths.c" -o "$kind"
done

it 'all system calls find device files'
for options in '' --survive; do
	for kind in dynamic static; do
		# shellcheck disable=SC2086 # no option, or one
		run "${replay[@]}" $options -q -- "./$kind"
		expect_status 0
		expect_out_empty
	done
done

it 'a directory does not list the device files'
# shellcheck disable=SC2016 # for the inner shell
run "${replay[@]}" -q -- bash -c 'for file in /dev/nvidia*; do echo "$file"; done'
expect_status 0
[ -e /dev/nvidiactl ] || expect_out_like '^/dev/nvidia\*$'

it 'without files in the trace, those of the machine are used'
if [ ! -e /proc/driver/nvidia ]; then
	run "${replay[@]}" -- cat /proc/driver/nvidia/version
	expect_status 1
	expect_err_like '^drvabi: note: process [0-9]+ opens /proc/driver/nvidia/version, which the trace does not name$'
	expect_err_like 'cat: /proc/driver/nvidia/version: No such file or directory$'
	run "${replay[@]}" -- cat /proc/driver/nvidia/params
	expect_err_like '^drvabi: note: process [0-9]+ opens /proc/driver/nvidia/params, which the trace does not name$'
fi
run "${replay[@]}" -q -- cmp /proc/devices /proc/devices
expect_status 0
run "${replay[@]}" -q -- mknod /dev/nvidia5 c 195 5
expect_status 1
expect 'no device file is created' [ ! -e /dev/nvidia5 ]

cat >list.sh <<'LIST'
cat /proc/driver/nvidia/version
cd /proc; cat driver/nvidia/gpus/0000:01:00.0/information; cd - >/dev/null
cat /sys/module/nvidia/holders/nvidia_uvm/initstate /sys/module/nvidia/secret
find /dev/dri /dev/nvidia-caps /proc/driver/nvidia /sys/module/nvidia | sort
(cd /dev; echo nvidia*; cd /sys/module; echo nvidia*)
stat -c '%n %F %a %t:%T' /dev/nvidiactl /dev/dri/* /dev/nvidia-caps/* /sys/module/nvidia/holders/* /proc/driver/nvidia
stat -L -c '%F' /sys/module/nvidia/holders/nvidia_uvm
readlink /sys/module/nvidia/holders/nvidia_uvm
ls -l /dev/dri | cut -c 1-10
grep -n -m 2 '' /proc/devices; grep nvidia /proc/modules; grep -c -x '  1 mem' /proc/devices
cat /dev/nvidia5 /proc/driver/nvidia/params
ls /sys/bus/pci/devices | grep fe:00; cd /sys/bus/pci/devices/0000:fe:00.0; cat vendor; od -A n -t x1 config; cat local_cpus; readlink driver; cd /sys/dev/char; cat 226:128/device/vendor
cd /proc/driver/nvidia/gpus/0000:01:00.0; python3 "$WORK/old.py"; cat information ../../version; cat ../../../../meminfo; cd ../..; ls; (cd /; pwd -P); echo *
ln -s ../nvidia0 /dev/char/195:0 && echo linked
mknod /dev/nvidia0 c 195 0; mknod /dev/nvidia5 c 195 5; mkdir /dev/nvidia-caps; rm -f /dev/nvidia0; chmod 666 /dev/nvidia0 && echo changed
LIST
cat >old.py <<'OLD'
import ctypes, os, platform, struct
names = os.listdir("..")
if platform.machine() == "x86_64":  # the only architecture with getdents(2)
    buffer = ctypes.create_string_buffer(4096)
    size = ctypes.CDLL(None).syscall(78, os.open("..", os.O_RDONLY), buffer, len(buffer))
    at, names = 0, []
    while at < size:
        length, = struct.unpack_from("<H", buffer, at + 16)
        names.append(buffer.raw[at + 18:at + length].split(b"\0")[0].decode() + ("/" if buffer.raw[at + length - 1] == 4 else ""))
        at += length
print(os.getcwd(), *names)
OLD

it 'with files in the trace'
"$SNIFF/make-trace" >files.trace <<FILES
$(python3 - <<'MAKE'
import json
def file(path, mode, content=None, device=0, size=0):
    print(json.dumps({"kind": "file", "fd_path": path, "fd": -1, "ret": 0, "mode": mode, "device": device, "size": size,
                      "after": None if content is None else content.encode().hex()}))
file("/dev/nvidia0", 0o20666, None, 195 << 8)
file("/dev/nvidiactl", 0o20660, None, 195 << 8 | 255)
file("/dev/nvidia-caps", 0o40755)
file("/dev/nvidia-caps/nvidia-cap1", 0o20400, None, 237 << 8 | 1)
file("/dev/dri", 0o40755)
file("/dev/dri/renderD128", 0o20660, None, 226 << 8 | 128)
for directory in "", "/gpus", "/gpus/0000:01:00.0":
    file("/proc/driver/nvidia" + directory, 0o40555)
file("/proc/driver/nvidia/gpus/0000:01:00.0/information", 0o100444, "Model: A\n")
file("/proc/driver/nvidia/version", 0o100444, "NVRM version: 590.48.01\n")
for directory in "nvidia", "nvidia/holders", "nvidia_uvm":
    file("/sys/module/" + directory, 0o40755)
file("/sys/module/nvidia/holders/nvidia_uvm", 0o120777, "../../nvidia_uvm")
file("/sys/module/nvidia/secret", 0o100400, None, 0, 4096)
file("/sys/module/nvidia_uvm/initstate", 0o100444, "live\n", 0, 4096)
pci = "/sys/devices/pci0000:fe/0000:fe:00.0"
file("/sys/bus/pci/devices/0000:fe:00.0", 0o120777, "../../.." + pci[4:])
file(pci, 0o40755)
file(pci + "/config", 0o100644, "0123", 0, 4096)
file(pci + "/driver", 0o120777, "../../../bus/pci/drivers/nvidia")
file(pci + "/drm", 0o40755)
file(pci + "/vendor", 0o100444, "0x10de\n", 0, 4096)
file("/sys/dev/char/226:128", 0o120777, "../.." + pci[4:] + "/drm/renderD128")
file(pci + "/drm/renderD128", 0o40755)
file(pci + "/drm/renderD128/device", 0o120777, "../../../0000:fe:00.0")
file("/proc/devices", 0o100444, "195 nvidia\n")
file("/proc/modules", 0o100444, "nvidia_uvm 4096 0 - Live 0x0\n")
MAKE
)
FILES
replay[-1]=files.trace
for options in '' --survive; do
	# shellcheck disable=SC2086 # no option, or one
	run_program WORK="$WORK" "$DRVABI" "${replay[@]}" $options -q -- bash list.sh
	if [ -d /sys/module ] && [ ! -e /dev/nvidiactl ] && [ ! -e /proc/driver/nvidia ] && [ ! -e /sys/module/nvidia ] && [ ! -e /dev/dri ]; then
		cat "$ERR" >>"$OUT"
		expect_out_is files.txt
	else
		echo '# SKIP this machine has no /sys, or a driver'
		golden_is_left_out files.txt
	fi
done
expect 'no device file is created' [ ! -e /dev/nvidia5 ]

it 'a link is not opened with O_NOFOLLOW, and it exists if its target does not'
for path in /sys/module/nvidia/holders/nvidia_uvm /sys/bus/pci/devices/0000:fe:00.0/driver; do
	run "${replay[@]}" -q -- dd iflag=nofollow if="$path"
	expect_status 1
	expect_err_like 'Too many levels of symbolic links$'
	run "${replay[@]}" -q -- mkdir "$path"
	expect_err_like 'File exists$'
	run "${replay[@]}" -q -- dd of="$path" conv=excl
	expect_err_like 'File exists$'
done

it 'a directory behind a link has a status and entries'
run "${replay[@]}" -q -- python3 -c 'import os, stat
path = "/sys/dev/char/226:128/device/drm"
assert stat.S_ISDIR(os.fstat(os.open(path, os.O_RDONLY)).st_mode)
assert stat.S_ISDIR(os.lstat("/sys/bus/pci/devices/0000:fe:00.0/").st_mode)
assert os.stat("renderD128", dir_fd=os.open(path, os.O_RDONLY))
print(*os.listdir(path))'
expect_status 0
expect_out_like '^renderD128$'

it 'chmod and chown of a recorded file do not reach the file of this machine, but truncate does'
mkdir own && echo machine >own/file
(
	cat <<FILE
{"kind": "file", "fd_path": "/dev/nvidiactl", "fd": -1, "ret": 0, "mode": 8624, "device": 50175, "size": 0, "after": null}
{"kind": "file", "fd_path": "$PWD/own/file", "fd": -1, "ret": 0, "mode": 33188, "device": 0, "size": 6, "after": "74726163650a"}
FILE
) | "$SNIFF/make-trace" >own.trace
run "${replay[@]/files.trace/own.trace}" -q -- sh -c 'chmod 600 own/file; chown 1 own/file; echo new >own/file; python3 -c "import os; os.truncate(\"own/file\", 2)"; cat own/file'
expect_status 0
expect_out_like '^trace$'
run_program sh -c 'stat -c %a own/file; cat own/file'
expect_out_like '^644$'
expect_out_like '^ma$'

it 'a recording of a replay'
run "${replay[@]}" -q -o again.trace -- true
"$SNIFF/make-trace" --text files.trace | jq -S 'select(.kind == "file") | del(.start_ns, .end_ns)' >files.text
"$SNIFF/make-trace" --text again.trace | jq -S 'select(.kind == "file") | del(.start_ns, .end_ns)' >again.text
expect 'has the same files' cmp files.text again.text

it 'a driver'\''s files are recorded'
# shellcheck disable=SC2016 # variables of the inner shell
if unshare -m sh -c 'mount -t tmpfs none /dev && mknod /dev/nvidiactl c 195 255' 2>/dev/null; then
	cat >pretend.sh <<'PRETEND'
dev=$(mktemp -d)
mount --make-rprivate / && mount --rbind /dev "$dev" && mount -t tmpfs none /dev && mount -t tmpfs none /proc/driver && mount -t tmpfs none /sys/module
for file in null zero urandom; do : >/dev/$file; mount --bind "$dev/$file" /dev/$file; done
mknod -m 666 /dev/nvidiactl c 195 255; mknod /dev/nvidia7 c 1 5; mkdir -p /dev/dri /proc/driver/nvidia /sys/module/nvidia/holders
mknod -m 660 /dev/dri/renderD128 c 226 128
echo 'NVRM version: NVIDIA UNIX x86_64 Kernel Module  590.48.01  Wed' >/proc/driver/nvidia/version
mount -t tmpfs none /sys/bus && mount -t tmpfs none /sys/devices && mkdir -p /sys/bus/pci/devices /sys/bus/pci/drivers/nvidia
for gpu in 0000:01:00.0 0000:02:00.0; do
	mkdir -p /sys/devices/pci0/$gpu/power && ln -s ../../../devices/pci0/$gpu /sys/bus/pci/devices/$gpu
	head -c 256 /dev/zero >/sys/devices/pci0/$gpu/config
	echo -1 >/sys/devices/pci0/$gpu/numa_node
done
ln -s ../../../../module/nvidia /sys/bus/pci/drivers/nvidia/module && ln -s ../../../bus/pci/drivers/nvidia /sys/devices/pci0/0000:02:00.0/driver
echo 0xffffffffc0a81000 >/sys/module/nvidia/secret; chmod 400 /sys/module/nvidia/secret
ln -s ../../nvidia_uvm /sys/module/nvidia/holders/nvidia_uvm
"$@"
PRETEND
	for option in --survive --preload; do
		run_program unshare -m sh pretend.sh "$DRVABI" "${replay[@]:0:5}" "$option" -q -o made.trace -- sh -c 'sleep 0.5; mkdir /proc/driver/nvidia/gpus'
		expect_status 0
		"$SNIFF/make-trace" --text made.trace | jq -r 'select(.kind == "file") | "\(.fd_path) \(.mode) \(.device) \(.after)"' >"$OUT"
		expect_out_is recorded.txt
	done
	run decode --archive "$ARCHIVE" -v made.trace
	expect_out_like '^file /dev/nvidiactl mode 020666 device 195:255$'
	expect_out_like '^file /proc/driver/nvidia/version mode 0100644 63 bytes$'
	run decode --archive "$ARCHIVE" --format json made.trace
	expect_out_like '^\{"kind": ?"file", ?"path": ?"/dev/nvidiactl", ?"mode": ?8630, ?"device": ?50175, ?"size": ?0\}$'
else
	echo '# SKIP nobody may make device nodes here'
	golden_is_left_out recorded.txt
fi

done_testing
