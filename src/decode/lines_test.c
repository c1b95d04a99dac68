/*
 * Tests of the reader that finds calls in the lines of logs. A row of a table has lines, and the calls that
 * they report (struct lines_fact). A line that is not among the expected calls must not report a call.
 */
#include "decode/fixture_test.h"
#include "decode/internal.h"

/* The rules of src/extract/profiles/nvidia-use.json. */
static const struct device_rule device_list[] = {
	{ .path = "/dev/nvidiactl", .family = "frontend",
	  .major = 195, .first_minor = 255, .last_minor = 255 },
	{ .path = "/dev/nvidia#", .family = "frontend" },
	{ .path = "/dev/nvidia-uvm", .family = "uvm" }, { .path = "/dev/nvidia-uvm-tools", .family = "uvm" },
	{ .path = "/dev/nvidia-caps/*" }, { .path = "/dev/nvidia-modeset", .family = "modeset" },
	{ .path = "/dev/dri/card#", .family = "drm" }, { .path = "/dev/dri/renderD#", .family = "drm" },
};
static const struct device_rules devices = { .rules = device_list, .count = COUNT(device_list) };

#define CONTROL "0x3 /dev/nvidiactl, 0xc020462a, 0x7ebe"
#define PERF "1.609 ( 0.022 ms): gen/1 ioctl("

static const struct lines_fact facts[] = {
	{ "old lines of runsc",
	  "nvproxy: unknown control command 0x20803801 (paramsSize=1928)\n"
	  "nvproxy: unknown frontend ioctl 212 == 0xd4 (argSize=128, cmd=0xc08046d4)\n"
	  "nvproxy: unknown uvm ioctl 29 = 0x1d\n"
	  "nvproxy: unknown allocation class 0x0000b0b5",
	  "1: control 0x20803801[1928]\n"
	  "2: frontend 0xd4[128]\n"
	  "3: uvm 0x1d\n"
	  "4: alloc 0xb0b5" },
	{ "a number with commas is not read",
	  "nvproxy: unknown control command 0x20803801 (paramsSize=1,928)",
	  "1: control 0x20803801" },
	{ "new lines of runsc",
	  "W1122 nvproxy: handler is undefined for control command 0x2080012f (paramsSize=168)\n"
	  "nvproxy: missing capability for uvm ioctl 72 = 0x48\n"
	  "nvproxy: control command 0x20800110, object 0x5c000002\n"
	  "nvproxy: frontend ioctl: nr = 42 = 0x2a, argSize = 32\n"
	  "nvproxy: NV_ESC_RM_ALLOC_CONTEXT_DMA2 class 0x00000002",
	  "1: control 0x2080012f[168]\n"
	  "2: uvm 0x48\n"
	  "3: control 0x20800110\n"
	  "4: frontend 0x2a[32]\n"
	  "5: alloc 0x2 within NV_ESC_RM_ALLOC_CONTEXT_DMA2" },
	{ "a line may have several messages",
	  "nvproxy: unknown allocation class 0xc640 nvproxy: unknown allocation class 0x41\n"
	  "nvproxy: unknown control command 0x20803801 (paramsSize=4) "
	  "nvproxy: unknown control command 0x20800110\n"
	  "nvproxy: failed: nvproxy: unknown control command 0x20800110 (paramsSize=132)",
	  "1: alloc 0xc640\n"
	  "1: alloc 0x41\n"
	  "2: control 0x20803801[4]\n"
	  "2: control 0x20800110\n"
	  "3: control 0x20800110[132]" },
	{ "a message of the ioctl_sniffer begins with letters, after a tab or directly after a status",
	  "Control ioctl: request=0xc020462a [nr=NV_ESC_RM_CONTROL, cmd=0x20810110] => ret=0 status=0x56\t"
	  "Control ioctl: request=0xc020462a [nr=NV_ESC_RM_CONTROL, cmd=0x20800110] => ret=0 status=0x0"
	  "Unknown ioctl: path=/dev/nvidia0 request=0xc0106d00 [nr=0x0] => ret=1\n",
	  "1: control 0x20810110 = 0 status 0x56\n"
	  "1: control 0x20800110 = 0 status 0x0\n"
	  "1: frontend 0x0[16] = 1" },
	{ "a line may have several messages of the ioctl_sniffer",
	  "Control ioctl: request=0xc020462a [nr=NV_ESC_RM_CONTROL, cmd=0x20810110] => ret=0 status=0x0"
	  " Unknown ioctl: path=/dev/nvidia0 request=0xc0106d00 [nr=0x0] => ret=1 "
	  "Control ioctl: request=0xc020462a [nr=NV_ESC_RM_CONTROL, cmd=0x20800110] => ret=0 status=0x56\n",
	  "1: control 0x20810110 = 0 status 0x0\n"
	  "1: frontend 0x0[16] = 1\n"
	  "1: control 0x20800110 = 0 status 0x56" },
	{ "the line of runsc that names the version",
	  "nvproxy: unknown uvm ioctl 29\n"
	  "I1122 12:00:00.1 1 nvproxy.go:69] NVIDIA driver version: 535.129.03\n"
	  "nvproxy: unknown uvm ioctl 30\n"
	  "NVIDIA driver version: \n"
	  "NVIDIA driver version: unknown\n"
	  "NVIDIA driver version 535.1 is not officially supported\n"
	  "NVIDIA driver version: 1.11111111111111111111111111111111111111111\n",
	  "1: uvm 0x1d\n"
	  "2: version 535.129.03\n"
	  "3: uvm 0x1e" },
	{ "strace of runsc",
	  "python X ioctl(0x3 /dev/nvidiactl, 0xc020462a, 0x7ebe51113480) = 0 (0x0) (21.883us)\n"
	  "[   1:   1] python X ioctl(" CONTROL ") = -1 errno=22 (invalid argument) (2us)\n"
	  "python X ioctl(0x3 /dev/pts/0, 0xc020462a, 0x7ebe51113480) = 0 (0x0) (21.883us)",
	  "1: frontend 0x2a[32] = 0\n"
	  "2: frontend 0x2a[32] = -1 errno 22\n"
	  "unread 1 /dev/pts/0" },
	{ "runsc reports a call when it begins and when it returns",
	  "[   1:   1] python E ioctl(" CONTROL ")\n"
	  "[   1:   2] python E ioctl(0x3 /dev/nvidiactl, 0xc030462b, 0x7ebe)\n"
	  "[   1:   1] python X ioctl(" CONTROL ") = 0 (0x0) (21.883us)\n",
	  "3: frontend 0x2a[32] = 0\n"
	  "end: frontend 0x2b[48]" },
	{ "a message of nvproxy within a call is reported before the call's return",
	  "[   1:   1] python E ioctl(" CONTROL ")\n"
	  "[   1:   1] nvproxy: frontend ioctl: nr = 42 = 0x2a, argSize = 32\n"
	  "[   1:   1] nvproxy: control command 0x20800110, object 0x5c000002\n"
	  "[   1:   1] python X ioctl(" CONTROL ") = 0 (0x0) (21.883us)\n",
	  "3: control 0x20800110\n"
	  "4: frontend 0x2a[32] = 0" },
	{ "the function that nvproxy names within a call is a field of the call",
	  "[   1:   1] python E ioctl(0x3 /dev/nvidiactl, 0xc0b8464a, 0x7ebe)\n"
	  "[   1:   1] nvproxy: frontend ioctl: nr = 74 = 0x4a, argSize = 184\n"
	  "[   1:   1] nvproxy: VID_HEAP_CONTROL function 5\n"
	  "[   1:   1] python X ioctl(0x3 /dev/nvidiactl, 0xc0b8464a, 0x7ebe) = 0 (0x0) (21.883us)\n",
	  "4: frontend 0x4a[184] = 0 function 5" },
	{ "an overwritten class is not a second class",
	  "nvproxy: allocation class 0x00000080\n"
	  "nvproxy: overwriting allocation class 0x00000080 with 0x0000c640\n",
	  "1: alloc 0x80" },
	{ "text of the sniffer",
	  "Control ioctl: request=0xc020462a [nr=NV_ESC_RM_CONTROL, cmd=0x20810110] => ret=0 status=0x56\n"
	  "Alloc ioctl: request=0xc030462b [nr=NV_ESC_RM_ALLOC, hClass=0xc640] => ret=0 status=0x22\n"
	  "UVM ioctl: request=0x22 [nr=0x22] => ret=0\n"
	  "Frontend ioctl: request=0xc00446c9 [nr=0xc9, size=4] => ret=0\n"
	  "Control ioctl: request=0xc020462a [nr=NV_ESC_RM_CONTROL, cmd=0x120810110] => ret=0 status=0x56\n"
	  "Unknown ioctl: path=/dev/nvidia-modeset request=0xc0106d00 [nr=0x0] => ret=0\n"
	  "Unknown ioctl: path=/dev/nvidia-uvm-tools request=0x38 [nr=0x38] => ret=-1\n"
	  "Unknown ioctl: path=/dev/nvidia-caps/nvidia-cap1 request=0x1 [nr=0x1] => ret=0\n"
	  "Unknown ioctl: path=/dev/kvm request=0xae01 [nr=0x1] => ret=0",
	  "1: control 0x20810110 = 0 status 0x56\n"
	  "2: alloc 0xc640 = 0 status 0x22\n"
	  "3: uvm 0x22 = 0\n"
	  "4: frontend 0xc9[4] = 0\n"
	  "6: modeset 0xc0106d00 = 0\n"
	  "7: uvm 0x38 = -1\n"
	  "unread 1 /dev/nvidia-caps/nvidia-cap1 of the driver" },
	{ "lines of strace",
	  "ioctl(3, _IOC(_IOC_READ|_IOC_WRITE, 0x46, 0x2a, 0x20), 0x7ffc19671e20) = 0\n"
	  "ioctl(4, _IOC(_IOC_NONE, 0, 0x1, 0x3000), 0x7ffc19671e20) = 0\n"
	  "ioctl(3</dev/nvidiactl<char 195:255>>, 0xc020462a, 0x7ffc19671e20) = 0\n"
	  "ioctl(3</dev/nvidiactl>(deleted), 0xc020462a, 0x7ffc19671e20) = 0\n"
	  "ioctl(0x3, 0xc020462a, 0x7f1fb46d5010)  = -1 ENOTTY (Inappropriate ioctl for device)\n"
	  "ioctl(3, 0xc020462a, 0x7f1f) = -1 ENEW (Unknown error 999)\n"
	  "ioctl(3</dev/nvidiactl>, 0xc020462a, 0x7ffc) = -1 EINVAL (Invalid argument)\n"
	  "ioctl(3, 0xc020462a, 0x7f1fb46d5010)        = 1 <0.000012>\n"
	  "ioctl(3, 0xc020462a, 0x7f1fb46d5010) = ?",
	  "1: frontend 0x2a[32] = 0\n"
	  "2: uvm 0x30000001 = 0\n"
	  "3: frontend 0x2a[32] = 0\n"
	  "4: frontend 0x2a[32] = 0\n"
	  "5: frontend 0x2a[32] = -1 errno 25\n"
	  "6: frontend 0x2a[32] = -1\n"
	  "7: frontend 0x2a[32] = -1 errno 22\n"
	  "8: frontend 0x2a[32] = 1\n"
	  "9: frontend 0x2a[32]" },
	{ "devices below another root, and devices shown by their numbers",
	  "ioctl(4</run/nvidia/driver/dev/nvidiactl<char 195:255>>, 0xc030462b, 0x7ffc) = 0\n"
	  "ioctl(4</run/nvidia/driver/dev/nvidiactl>, 0xc030462b, 0x7ffc) = 1\n"
	  "ioctl(4</dev/char/195:255<char 195:255>>, 0xc030462b, 0x7ffc) = 2\n"
	  "ioctl(4</run/nvidia/driver/dev/nvidia-uvm<char 511:0>>, FIBMAP, 0x7ffc) = 3\n"
	  "python X ioctl(0x3 /proc/1/root/dev/nvidiactl, 0xc020462a, 0x7ebe) = 4 (0x4) (2us)\n"
	  PERF "fd: 3</dev/pts/../dev/nvidiactl>, cmd: (READ|WRITE, 0x46, 0x2a, 0x20), arg: 0x7f9d) = 5\n"
	  "ioctl(4</dev/nvidiactl (deleted)>, 0xc030462b, 0x7ffc) = 6\n"
	  "ioctl(4</tmp/dev/nvidiactl<char 1:3>>, 0xc030462b, 0x7ffc) = 7",
	  "1: frontend 0x2b[48] = 0\n"
	  "2: frontend 0x2b[48] = 1\n"
	  "3: frontend 0x2b[48] = 2\n"
	  "4: uvm 0x1 = 3\n"
	  "5: frontend 0x2a[32] = 4\n"
	  "6: frontend 0x2a[32] = 5\n"
	  "7: frontend 0x2b[48] = 6" },
	{ "requests like the driver's on other files are counted",
	  "ioctl(4</srv/gpu>, 0xc030462b, 0x7ffc) = 0\n"
	  "ioctl(4</srv/uvm<char 511:0>>, 0x30000001, 0x7ffc) = 0\n"
	  "ioctl(4</dev/fb0<char 29:0>>, 0xc030462b, 0x7ffc) = 0\n"
	  "ioctl(4</dev/sda<block 8:0>>, 0xc030462b, 0x7ffc) = 0\n"
	  "ioctl(4</dev/fb0>, 0x4600, 0x7ffc) = 0\n"
	  "ioctl(4</srv/file>, 0x2, 0x7ffc) = 0\n"
	  "ioctl(4</srv/gpu>, 0x5401, 0x7ffc) = 0\n"
	  "ioctl(4<socket:[1]>, 0xc030462b, 0x7ffc) = 0",
	  "unread 2 /srv/gpu" },
	{ "names that strace has for other ioctls",
	  "ioctl(5</dev/nvidia-uvm<char 511:0>>, FIBMAP, 0x7ffc19671e20) = 0\n"
	  "ioctl(5</dev/nvidia-uvm<char 511:0>>, FIGETBSZ, 0x7ffc19671e20) = 0\n"
	  "ioctl(3</dev/nvidia-uvm>, 0x2 /* FIGETBSZ */, 0x7f2978fa0010) = 0\n"
	  "ioctl(3, FIGETBSZ, 0x7ffc19671e20) = 0\n"
	  "ioctl(3</etc/passwd>, FIBMAP, 0x7ffc) = 0",
	  "1: uvm 0x1 = 0\n"
	  "2: uvm 0x2 = 0\n"
	  "3: uvm 0x2 = 0" },
	{ "paths in hexadecimal",
	  "ioctl(3<\\x2f\\x64\\x65\\x76\\x2f\\x6e\\x76\\x69\\x64\\x69\\x61\\x2d\\x75\\x76\\x6d<char 1:3>>, "
	  "FIBMAP, 0x7ffc) = 0\n"
	  "ioctl(3<\\x2f\\x64\\x65\\x76\\x2f\\x6b\\x76\\x6d>, 0xc020462a, 0x7ffc) = 0\n"
	  "ioctl(3<anon_inode:[eventfd]>, 0xc020462a, 0x7ffc) = 0",
	  "1: uvm 0x1 = 0\n"
	  "unread 1 \\x2f\\x64\\x65\\x76\\x2f\\x6b\\x76\\x6d" },
	{ "an unfinished call is reported when it resumes",
	  "[pid 10] ioctl(3, 0xc020462a <unfinished ...>\n"
	  "[pid 11] ioctl(3, 0xc030462b, 0x7ffc <unfinished ...>\n"
	  "[pid 12] close(3) = 0\n"
	  "[pid 11] <... ioctl resumed>) = 0\n"
	  "[pid 10] <... ioctl resumed>, 0x7f1a3b1d2eb0) = -1 EIO (Input/output error)\n"
	  "[pid 13] <... ioctl resumed>) = 0\n",
	  "4: frontend 0x2b[48] = 0\n"
	  "5: frontend 0x2a[32] = -1 errno 5" },
	{ "threads have several forms",
	  "10 16:09:48.218700 ioctl(3, 0xc020462a <unfinished ...>\n"
	  "11<app> ioctl(3, 0xc030462b <unfinished ...>\n"
	  "[pid    12<app>] ioctl(3, 0xc01046c8 <unfinished ...>\n"
	  "[pid    12<app>] <... ioctl resumed>) = 3\n"
	  "11<app> <... ioctl resumed>) = 2\n"
	  "10    16:09:48.218701 <... ioctl resumed>) = 1 <0.1>\n",
	  "4: frontend 0xc8[16] = 3\n"
	  "5: frontend 0x2b[48] = 2\n"
	  "6: frontend 0x2a[32] = 1" },
	{ "a time is not a thread",
	  "1795363746.732242 ioctl(3, 0xc020462a <unfinished ...>\n"
	  "1795363747.000000 <... ioctl resumed>) = 0\n"
	  "16:09:06 ioctl(3, 0xc020462a <unfinished ...>\n"
	  "16:09:07 <... ioctl resumed>) = 0\n",
	  "2: frontend 0x2a[32] = 0\n"
	  "4: frontend 0x2a[32] = 0" },
	{ "the first thread has no number until there is another",
	  "ioctl(3, 0xc020462a)strace: Process 11 attached\n"
	  " <unfinished ...>\n"
	  "[pid 10] <... ioctl resumed>, 0x7ffc) = 0\n",
	  "3: frontend 0x2a[32] = 0" },
	{ "several calls in one line",
	  "[pid 10] ioctl(3, 0xc020462a, 0x7ffc) = -1 EIO (x)[pid 11] ioctl(4</dev/kvm>, 0xc020462a, 0x7f) = 0"
	  "[pid 12] ioctl(0, TCGETS, 0x7ffc) = 0[pid 13] ioctl(3, 0xc030462b <unfinished ...>"
	  "[pid 14] ioctl(3, 0xc01046c8, 0x7ffc) = 2[pid 13] <... ioctl resumed>, 0x7ffc) = 3"
	  "[pid 15] ioctl(3, 0xc020462a) = ?\n"
	  "python E ioctl(0x3 /dev/nvidiactl, 0xc020462a, 0x7ebe)"
	  "python X ioctl(0x3 /dev/nvidiactl, 0xc020462a, 0x7ebe) = 0 (0x0)\n"
	  PERF "3, (READ|WRITE, 0x46, 0x2a, 0x20), 0x7f9d) ..."
	  PERF "3, (READ|WRITE, 0x46, 0x2b, 0x30), 0x7f9d) = 0",
	  "1: frontend 0x2a[32] = -1 errno 5\n"
	  "1: frontend 0xc8[16] = 2\n"
	  "1: frontend 0x2b[48] = 3\n"
	  "1: frontend 0x2a[32]\n"
	  "2: frontend 0x2a[32] = 0\n"
	  "3: frontend 0x2a[32]\n"
	  "3: frontend 0x2b[48] = 0\n"
	  "unread 1 /dev/kvm" },
	{ "a carriage return ends a line",
	  "10%\rioctl(3, 0xc020462a, 0x7ffc) = 0\r20%\r\rnvproxy: unknown uvm ioctl 29 = 0x1d\r\n"
	  "ioctl(3, 0xc030462b <unfinished ...>\rioctl(3, 0xc01046c8, 0x7ffc) = 2\r",
	  "1: frontend 0x2a[32] = 0\n"
	  "1: uvm 0x1d\n"
	  "2: frontend 0x2b[48]\n"
	  "2: frontend 0xc8[16] = 2" },
	{ "a call that is never resumed is reported all the same",
	  "[pid 10] ioctl(3, 0xc020462a <unfinished ...>\n"
	  "[pid 10] ioctl(3, 0xc020462a, 0x7ffc) = 0\n"
	  "[pid 11] ioctl(3, 0xc030462b <unfinished ...>\n",
	  "2: frontend 0x2a[32]\n"
	  "2: frontend 0x2a[32] = 0\n"
	  "end: frontend 0x2b[48]" },
	{ "lines of perf trace",
	  "     0.000 ( 0.037 ms): app/21091 ioctl(fd: 3, cmd: (READ|WRITE, 0x46, 0x2a, 0x20), "
	  "arg: 0x7ffd3c85) = -1 ENOTTY (x)\n"
	  "     0.058 ( 0.020 ms): gen/1 ioctl(fd: 3</dev/nvidia-uvm>, cmd: (NONE, 0, 0x1, 0), arg: 0x7f3c)"
	  "             = 0\n"
	  PERF "fd: 3, cmd: (_IOC_READ|_IOC_WRITE, 0x46, 0x2a, 0x20), arg: 0x7f9d) = 0\n"
	  PERF "cmd: (NONE, 0, 0x1, 0x3000), arg: 0x7f9d) = 0\n"
	  PERF "3, (READ|WRITE, 0x46, 0x2a, 0x20), 0x7f9d) = 0\n"
	  PERF "fd: 3</dev/kvm>, cmd: (READ|WRITE, 0x46, 0x2a, 0x20), arg: 0x7f9d) = 0\n"
	  PERF "fd: 3, cmd: DRM_I915_INIT, arg: 0x7f9d) = 0\n"
	  PERF "fd: 3, cmd: TCGETS, arg: 0x7f9d) = 0",
	  "1: frontend 0x2a[32] = -1 errno 25\n"
	  "2: uvm 0x1 = 0\n"
	  "3: frontend 0x2a[32] = 0\n"
	  "4: uvm 0x30000001 = 0\n"
	  "5: frontend 0x2a[32] = 0\n"
	  "unread 1 /dev/kvm" },
	{ "perf reports a call that another one interrupted",
	  "    11.187 (         ): slow/16626 ioctl(fd: 3, cmd: (READ|WRITE, 0x46, 0x2d, 0x20), "
	  "arg: 0x7f23) ...\n"
	  "    11.190 ( 0.033 ms): slow/16629 ioctl(fd: 3, cmd: (READ|WRITE, 0x46, 0x30, 0x20), "
	  "arg: 0x7f23) = 0\n"
	  "    11.187 ( 0.022 ms): slow/16626  ... [continued]: ioctl())          = -1 ENOTTY (Inapp)\n",
	  "2: frontend 0x30[32] = 0\n"
	  "3: frontend 0x2d[32] = -1 errno 25" },
};

/* In these logs, the next line shows whether it adds to the call before it. */
static const struct lines_fact held_facts[] = {
	/* If runsc logs everything, up to five lines report one call (rmControl() in frontend.go). */
	{ "a message of nvproxy may add to the one before",
	  "[   1:   1] nvproxy: control command 0x20803801, object 0x5c000002\n"
	  "[   1:   1] nvproxy: unknown control command 0x20803801 (paramsSize=1928)\n"
	  "[   1:   1] nvproxy: frontend ioctl: nr = 212 = 0xd4, argSize = 128\n"
	  "[   1:   1] nvproxy: handler is undefined for frontend ioctl 212 == 0xd4 (argSize=128, "
	  "cmd=0xc08046d4)\n",
	  "3: control 0x20803801[1928]\n"
	  "end: frontend 0xd4[128]" },
	{ "another call or thread is another call",
	  "[   1:   1] nvproxy: control command 0x20803801, object 0x5c000002\n"
	  "[   1:   2] nvproxy: unknown control command 0x20803801 (paramsSize=1928)\n"
	  "[   1:   2] nvproxy: control command 0x20800110, object 0x5c000002\n"
	  "[   1:   2] nvproxy: control command 0x20800110, object 0x5c000002\n"
	  "[   1:   2] nvproxy: unknown control command 0x20803801 (paramsSize=1928)\n",
	  "3: control 0x20803801[1928]\n"
	  "4: control 0x20800110\n"
	  "5: control 0x20800110\n"
	  "end: control 0x20803801\n"
	  "end: control 0x20803801[1928]" },
	{ "messages of other threads can be between those of a call",
	  "[   1:   1] nvproxy: control command 0x20803801, object 0x5c000002\n"
	  "[   1:   2] nvproxy: control command 0x20800110, object 0x5c000002\n"
	  "[   1:   3] nvproxy: control command 0x20800110, object 0x5c000002\n"
	  "[   1:   1] nvproxy: handler is undefined for control command 0x20803801 (paramsSize=1928)\n"
	  "[   1:   2] nvproxy: handler is undefined for control command 0x20800110 (paramsSize=132)\n"
	  "[   1:   3] nvproxy: control command 0x20800111, object 0x5c000002\n"
	  "NVIDIA driver version: 535.129.03\n"
	  "[   1:   3] nvproxy: handler is undefined for control command 0x20800111 (paramsSize=8)\n",
	  "5: control 0x20803801[1928]\n"
	  "6: control 0x20800110[132]\n"
	  "6: control 0x20800110\n"
	  "7: control 0x20800111\n"
	  "7: version 535.129.03\n"
	  "end: control 0x20800111[8]" },
	{ "the function that nvproxy names is a field of the call",
	  "[   1:   1] nvproxy: frontend ioctl: nr = 74 = 0x4a, argSize = 184\n"
	  "[   1:   1] nvproxy: VID_HEAP_CONTROL function 27\n"
	  "[   1:   1] nvproxy: handler is undefined for VID_HEAP_CONTROL function 27\n"
	  "[   1:   2] nvproxy: VID_HEAP_CONTROL function 2\n"
	  "[   1:   2] nvproxy: VID_HEAP_CONTROL function 2\n"
	  "nvproxy: VID_HEAP_CONTROL function 4294967296\n",
	  "4: frontend 0x4a[184] function 27\n"
	  "5: frontend 0x4a function 2\n"
	  "end: frontend 0x4a function 2" },
};

TEST(the_calls_are_those_of_the_facts)
{
	check_lines(facts, COUNT(facts), NULL, &devices, true);
	check_lines(held_facts, COUNT(held_facts), NULL, &devices, false);
}

TEST(one_format_alone_is_read_if_it_is_named)
{
	static const struct {
		const char *format;
		struct lines_fact lines;
	} rows[] = {
		{ "runsc",
		  { "a line of strace has a different format",
		    "ioctl(3, 0xc020462a, 0x7ffc) = 0\nnvproxy: unknown uvm ioctl 29 = 0x1d\n",
		    "2: uvm 0x1d\n"
		    "other strace" } },
		{ "perf",
		  { "a line of the sniffer has a different format",
		    "UVM ioctl: request=0x22 [nr=0x22] => ret=0\n", "other sniffer" } },
		{ "perf",
		  { "a line of libcudest has a different format",
		    "ioctl 2a, 32-byte param, fd 3\t0xc1d00001\n", "other libcudest" } },
		{ "strace", { "a line without a call has no format", "nothing\n", "" } },
		{ "strace",
		  { "only runsc's format has the line that names the version",
		    "NVIDIA driver version: 535.129.03\n", "" } },
	};

	for (size_t i = 0; i < COUNT(rows); i++)
		check_lines(&rows[i].lines, 1, rows[i].format, &devices, true);
	assert_null(decode_lines_new("nvidia", &devices, NULL));
}

TEST(more_calls_than_there_is_room_for_are_reported_where_they_begin)
{
	struct strbuf text = { 0 }, calls = { 0 }, expected = { 0 };

	for (int pid = 1; pid <= 300; pid++) {
		strbuf_addf(&text, "[pid %d] ioctl(3, 0xc020462a <unfinished ...>\n", pid);
		if (pid > 256)
			strbuf_addf(&expected, "%d: frontend 0x2a[32]\n", pid);
	}
	strbuf_adds(&text, "[pid 1] <... ioctl resumed>) = 0\n[pid 300] <... ioctl resumed>) = 0\n");
	strbuf_adds(&expected, "301: frontend 0x2a[32] = 0");
	for (int i = 0; i < 255; i++)
		strbuf_adds(&expected, "\nend: frontend 0x2a[32]");
	print_lines(&calls, NULL, &devices, text.text, true);
	assert_false(text_differs("300 pending calls", &calls, expected.text));
	strbuf_release(&text);
	strbuf_release(&expected);
}

TEST(lines_of_other_things_have_no_call)
{
	static const char *const lines[] = {
		"", "ioctl", "ioctl(", "ioctl(3", "ioctl(3, ", "ioctl(3, _IOC(", "ioctl(fd: 3",
		"ioctl(fd: 3, cmd: (", "ioctl(fd: 3, cmd: (READ|", "ioctl(3<", "ioctl(3</dev/nvidiactl",
		"ioctl(3<\\x2", "[pid ioctl(3", "ioctl(3, _IOC(_IOC_READ, 0x46, 0x2a", "nvproxy: ",
		"ioctl(3</dev/pts/0>, TCGETS, {...}) = 0", "ioctl(3, TCGETS, 0x7ffc) = 0",
		"ioctl(3</dev/dri/../sda>, 0x", "unknown control command (paramsSize=1)",
		"control command 0x123456789abcdef01 too long", "control command 0x2080012f00",
		"frontend ioctl x", "ioctl(3, _IOC(_IOC_NONE, 0x1ff, 0x1, 0x3000), 0) = 0",
		"ioctl(3, 0x1c020462a, 0) = 0", "write(1, \"ioctl(3, 0xc020462a, 0) = 0\"..., 40) = 40",
		"my_ioctl(3, 0xc020462a, 0)", "<... ioctl resumed>) = 0", "... [continued]: ioctl()) = 0",
		"ioctl 2a, 16384-byte param, fd 3", "ioctl 12a, 32-byte param, fd 3",
	};

	for (size_t i = 0; i < COUNT(lines); i++)
		check_lines(&(struct lines_fact){ lines[i], lines[i], "" }, 1, NULL, &devices, true);
}

static size_t skipped(const char *text, size_t length)
{
	struct decode_lines *lines =
		decode_lines_new(NULL, &devices, &(struct decode_sink){ .found = print_call });
	const size_t bytes = decode_lines_skip(lines, text, length);

	decode_lines_free(lines);
	return bytes;
}

TEST(lines_without_a_call_are_skipped_together)
{
	assert_int_equal(skipped("a\nb\nx ioctl y\nc\n", 16), 4);
	assert_int_equal(skipped("a\nb\nhalf", 8), 4);
	assert_int_equal(skipped("control command 0x1\n", 20), 0);
	assert_int_equal(skipped("a\nb\n", 0), 0);
}

static int collect_call(void *data, const struct decode_input *call, struct err *err)
{
	(void)err;
	strbuf_addf(data, "<0x%llx>", (unsigned long long)call->number);
	return 0;
}

static void collect_text(void *data, const char *text, size_t length, bool ends_line)
{
	strbuf_add(data, text, length);
	strbuf_adds(data, ends_line ? "\n" : "");
}

/* Feeds a log of which @piece more bytes arrive each time. Return: decode_lines_cut() */
static size_t feed(struct strbuf *out, const char *text, size_t length, size_t piece)
{
	struct decode_lines *lines = decode_lines_new(
		NULL, &devices,
		&(struct decode_sink){ .found = collect_call, .text = collect_text, .data = out });
	size_t used = 0, arrived = 0, cut;
	bool is_end = false;

	while (!is_end) {
		ssize_t got;

		is_end = arrived == length;
		got = decode_lines_feed(lines, text + used, arrived - used, is_end, NULL);
		assert_true(got >= 0 && (size_t)got <= arrived - used);
		used += (size_t)got;
		assert_true(arrived - used < DECODE_LINE_MAX);
		arrived += arrived + piece < length ? piece : length - arrived;
		arrived = arrived - used < DECODE_LINE_MAX ? arrived : used + DECODE_LINE_MAX;
	}
	assert_int_equal(used, length);
	assert_int_equal(decode_lines_end(lines, NULL), 0);
	cut = decode_lines_cut(lines);
	decode_lines_free(lines);
	return cut;
}

TEST(the_lines_of_a_log_do_not_depend_on_the_pieces_in_which_it_arrives)
{
	static const char text[] = "a\0b\n\nx ioctl(3, 0xc020462a, 0x1) = 0\r\ny\n"
				   "nvproxy: unknown uvm ioctl 29\nz",
			  fed[] = "a\0b\n\nx ioctl(3, 0xc020462a, 0x1) = 0\r\n<0x2a>y\n"
				  "nvproxy: unknown uvm ioctl 29\n<0x1d>z\n";

	for (size_t piece = 1; piece <= sizeof(text); piece++) {
		struct strbuf out = { 0 };

		assert_int_equal(feed(&out, text, sizeof(text) - 1, piece), 0);
		assert_int_equal(out.length, sizeof(fed) - 1);
		assert_memory_equal(out.text, fed, out.length);
		strbuf_release(&out);
	}
}

TEST(only_the_first_piece_of_a_long_line_is_searched)
{
	static const char end[] = " ioctl(3, 0xc020462a, 0x1) = 0\nioctl(3, 0xc030462b, 0x1) = 0\n";
	struct strbuf text = { 0 }, out = { 0 };

	strbuf_adds(&text, "ioctl(3, 0xc020462d, 0x1) = 0 ");
	while (text.length < 3 * DECODE_LINE_MAX)
		strbuf_adds(&text, "\303\251"); /* a character of two bytes, which is not torn */
	strbuf_adds(&text, end);
	assert_int_equal(feed(&out, text.text, text.length, DECODE_LINE_MAX), 1);
	strbuf_reset(&text);
	strbuf_adds(&text, strstr(out.text, "\251 ioctl"));
	assert_string_equal(text.text, "\251 ioctl(3, 0xc020462a, 0x1) = 0\n<0x2d>"
				       "ioctl(3, 0xc030462b, 0x1) = 0\n<0x2b>");
	strbuf_release(&text);
	strbuf_release(&out);
}

/* The search reads many bytes at once, so each position of a hint is tested. */
TEST(a_hint_is_found_at_every_position)
{
	static const char *const hints[] = { "ioctl", "command 0x", "class 0x", "NVIDIA driver version: ",
					     "VID_HEAP_CONTROL function" };
	char text[80];

	for (size_t h = 0; h < COUNT(hints); h++)
		for (size_t at = 2; at + strlen(hints[h]) <= sizeof(text); at++) {
			memset(text, 'i', sizeof(text));
			text[1] = '\n';
			memcpy(text + at, hints[h], strlen(hints[h]));
			if (at + strlen(hints[h]) < sizeof(text))
				text[sizeof(text) - 1] = '\n';
			assert_int_equal(skipped(text, sizeof(text)), 2);
		}
}

TEST(a_line_is_not_read_beyond_its_length)
{
	static const char text[] = "nvproxy: unknown control command 0x2080";
	struct strbuf calls = { 0 };
	struct lines_printer printer = { &calls, 1 };
	struct decode_lines *lines = decode_lines_new(
		NULL, &devices, &(struct decode_sink){ .found = print_call, .data = &printer });

	for (size_t less = 3; less <= 7; less += 4) {
		char *copy = malloc(sizeof(text) - less); /* where the sanitizers see its end */

		memcpy(copy, text, sizeof(text) - less);
		assert_int_equal(decode_lines_read(lines, copy, sizeof(text) - less, NULL), 0);
		free(copy);
	}
	decode_lines_free(lines);
	assert_false(text_differs("0x20, and no number", &calls, "1: control 0x20"));
}

/* Also where only a part of the word is before the end of the text. */
TEST(a_word_is_found_at_every_position)
{
	enum { TEXT_MAX = 56 };
	static const char *const words[] = { "(", ", ", "ioctl(", "<... ioctl resumed>" };

	for (size_t w = 0; w < COUNT(words); w++)
		for (size_t length = 0; length <= TEXT_MAX; length++)
			for (size_t at = 0; at <= length; at++) {
				const size_t word = strlen(words[w]);
				const bool fits = at + word <= length;
				char *text = memset(malloc(length + 1), 'i', length + 1);
				struct rest rest = { text + 1, text + 1 + length };

				memcpy(text + 1 + at, words[w], fits ? word : length - at);
				assert_ptr_equal(rest_find(&rest, words[w]), fits ? text + 1 + at : NULL);
				assert_ptr_equal(rest.at, text + 1 + (fits ? at + word : 0));
				free(text);
			}
}
