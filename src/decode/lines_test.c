/* Tests of the reader that finds calls in the lines of logs. */
#include "decode/decode.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <errno.h>
#include <string.h>

#include <cmocka.h>

enum { CALLS_MAX = 600 };

/* The calls in a text, in order, without their bytes. */
struct told {
	struct decode_line calls[CALLS_MAX];
	size_t at_line[CALLS_MAX]; /* the number of the line that reported the call; 0: the end of the text */
	size_t count, line;
	const char *other;
	char version[32];          /* the last version that a line named */
	size_t calls_before;       /* the number of calls before that line */
};

static int remember(void *data, const struct decode_line *call, struct err *err)
{
	struct told *told = data;

	(void)err;
	assert_true(told->count < CALLS_MAX);
	told->at_line[told->count] = told->line;
	told->calls[told->count++] = *call;
	return 0;
}

/* The rules of src/extract/profiles/nvidia-use.json. */
static const struct device_rule device_list[] = {
	{ .path = "/dev/nvidiactl", .family = "frontend" }, { .path = "/dev/nvidia#", .family = "frontend" },
	{ .path = "/dev/nvidia-uvm", .family = "uvm" }, { .path = "/dev/nvidia-uvm-tools", .family = "uvm" },
	{ .path = "/dev/nvidia-caps/*" }, { .path = "/dev/nvidia-modeset", .family = "modeset" },
	{ .path = "/dev/dri/card#", .family = "drm" }, { .path = "/dev/dri/renderD#", .family = "drm" },
};
static const struct device_rules devices = { .rules = device_list,
					    .count = sizeof(device_list) / sizeof(*device_list) };

static struct told told;

static int remember_version(void *data, const char *version, struct err *err)
{
	struct told *to = data;

	(void)err;
	snprintf(to->version, sizeof(to->version), "%s", version);
	to->calls_before = to->count;
	return 0;
}

/* Reads all lines of @text. With a pause after each line, no call is held until the next line. */
static void read_lines(const char *format, const char *text, bool has_pauses)
{
	const struct decode_sink sink = { .found = remember, .version = remember_version, .data = &told };
	struct decode_lines *lines = decode_lines_new(format, &devices, &sink);

	memset(&told, 0, sizeof(told));
	assert_non_null(lines);
	for (const char *at = text; *at;) {
		const size_t length = strcspn(at, "\n");

		told.line++;
		assert_int_equal(decode_lines_read(lines, at, length, NULL), 0);
		if (has_pauses)
			assert_int_equal(decode_lines_flush(lines, NULL), 0);
		at += length + (at[length] == '\n');
	}
	told.line = 0;
	assert_int_equal(decode_lines_end(lines, NULL), 0);
	told.other = decode_lines_other(lines);
	decode_lines_free(lines);
}

static void read_as(const char *format, const char *text)
{
	read_lines(format, text, true);
}

/* Checks that @text has one call, with this family, number and size (-1 for no size). */
static void names(const char *text, const char *family, uint64_t number, int64_t size)
{
	read_as(NULL, text);
	if (told.count != 1)
		fail_msg("%zu calls in '%s'", told.count, text);
	assert_string_equal(told.calls[0].family, family);
	assert_int_equal(told.calls[0].number, number);
	assert_int_equal(told.calls[0].has_size ? (int64_t)told.calls[0].size_bytes : -1, size);
}

static void names_nothing(const char *text)
{
	read_as(NULL, text);
	if (told.count)
		fail_msg("'%s' is a call", text);
}

/* Checks that line @line reported the call @index, which returned @ret. */
static void returned(size_t index, size_t line, int64_t ret)
{
	assert_true(index < told.count);
	assert_int_equal(told.at_line[index], line);
	assert_true(told.calls[index].has_ret);
	assert_int_equal(told.calls[index].ret, ret);
}

static void old_lines_of_runsc(void **state)
{
	(void)state;
	names("nvproxy: unknown control command 0x20803801 (paramsSize=1928)", "control", 0x20803801, 1928);
	names("nvproxy: unknown frontend ioctl 212 == 0xd4 (argSize=128, cmd=0xc08046d4)", "frontend", 212,
	      128);
	names("nvproxy: unknown uvm ioctl 29 = 0x1d", "uvm", 29, -1);
	names("nvproxy: unknown allocation class 0x0000b0b5", "alloc", 0xb0b5, -1);
}

static void new_lines_of_runsc(void **state)
{
	(void)state;
	names("W1122 nvproxy: handler is undefined for control command 0x2080012f (paramsSize=168)",
	      "control", 0x2080012f, 168);
	names("nvproxy: missing capability for uvm ioctl 72 = 0x48", "uvm", 72, -1);
	names("nvproxy: control command 0x20800110, object 0x5c000002", "control", 0x20800110, -1);
	names("nvproxy: frontend ioctl: nr = 42 = 0x2a, argSize = 32", "frontend", 42, 32);
	names("nvproxy: NV_ESC_RM_ALLOC_CONTEXT_DMA2 class 0x00000002", "alloc", 2, -1);
}

static void the_line_of_runsc_that_names_the_version(void **state)
{
	(void)state;
	read_as(NULL,
		"nvproxy: unknown uvm ioctl 29\nI1122 12:00:00.1 1 nvproxy.go:69] NVIDIA driver version: 535.129.03\nnvproxy: unknown uvm ioctl 30\n");
	assert_int_equal(told.count, 2);
	assert_string_equal(told.version, "535.129.03");
	assert_int_equal(told.calls_before, 1);
	read_as("strace", "NVIDIA driver version: 535.129.03\n");
	assert_string_equal(told.version, "");
	read_as(NULL,
		"NVIDIA driver version: \nNVIDIA driver version: unknown\nNVIDIA driver version 535.1 is not officially supported\n"
		"NVIDIA driver version: 1.11111111111111111111111111111111111111111\n");
	assert_string_equal(told.version, "");
}

static void strace_of_runsc(void **state)
{
	(void)state;
	names("python X ioctl(0x3 /dev/nvidiactl, 0xc020462a, 0x7ebe51113480) = 0 (0x0) (21.883us)",
	      "frontend", 0x2a, 32);
	names("[   1:   1] python X ioctl(0x3 /dev/nvidiactl, 0xc020462a, 0x7ebe) = -1 errno=22 (invalid argument) (2us)",
	      "frontend", 0x2a, 32);
	returned(0, 1, -1);
	assert_int_equal(told.calls[0].error, EINVAL);
	names_nothing("python X ioctl(0x3 /dev/pts/0, 0xc020462a, 0x7ebe51113480) = 0 (0x0) (21.883us)");
}

static void runsc_tells_of_a_call_when_it_begins_and_when_it_returns(void **state)
{
	(void)state;
	read_as(NULL,
		"[   1:   1] python E ioctl(0x3 /dev/nvidiactl, 0xc020462a, 0x7ebe)\n"
		"[   1:   2] python E ioctl(0x3 /dev/nvidiactl, 0xc030462b, 0x7ebe)\n"
		"[   1:   1] python X ioctl(0x3 /dev/nvidiactl, 0xc020462a, 0x7ebe) = 0 (0x0) (21.883us)\n");
	assert_int_equal(told.count, 2);
	returned(0, 3, 0);
	assert_int_equal(told.calls[1].number, 0x2b);
	assert_false(told.calls[1].has_ret);
	assert_int_equal(told.at_line[1], 0); /* the call did not return */
}

/* If runsc logs everything, up to five lines report one call (rmControl() in frontend.go). */
static void a_message_of_nvproxy_may_tell_more_of_the_one_before(void **state)
{
	(void)state;
	read_lines(
		NULL,
		"[   1:   1] nvproxy: control command 0x20803801, object 0x5c000002\n"
		"[   1:   1] nvproxy: unknown control command 0x20803801 (paramsSize=1928)\n"
		"[   1:   1] nvproxy: frontend ioctl: nr = 212 = 0xd4, argSize = 128\n"
		"[   1:   1] nvproxy: handler is undefined for frontend ioctl 212 == 0xd4 (argSize=128, cmd=0xc08046d4)\n",
		false);
	assert_int_equal(told.count, 2);
	assert_int_equal(told.calls[0].size_bytes, 1928);
	assert_int_equal(told.calls[1].number, 212);
}

static void another_call_or_thread_is_another_call(void **state)
{
	(void)state;
	read_lines(NULL,
		   "[   1:   1] nvproxy: control command 0x20803801, object 0x5c000002\n"
		   "[   1:   2] nvproxy: unknown control command 0x20803801 (paramsSize=1928)\n"
		   "[   1:   2] nvproxy: control command 0x20800110, object 0x5c000002\n"
		   "[   1:   2] nvproxy: control command 0x20800110, object 0x5c000002\n"
		   "[   1:   2] nvproxy: unknown control command 0x20803801 (paramsSize=1928)\n",
		   false);
	assert_int_equal(told.count, 5);
	names("nvproxy: allocation class 0x00000080\nnvproxy: overwriting allocation class 0x00000080 with 0x0000c640\n",
	      "alloc", 0x80, -1);
}

static void what_nvproxy_says_within_a_call_is_told_with_its_return(void **state)
{
	(void)state;
	read_lines(
		NULL,
		"[   1:   1] python E ioctl(0x3 /dev/nvidiactl, 0xc020462a, 0x7ebe)\n"
		"[   1:   1] nvproxy: frontend ioctl: nr = 42 = 0x2a, argSize = 32\n"
		"[   1:   1] nvproxy: control command 0x20800110, object 0x5c000002\n"
		"[   1:   1] python X ioctl(0x3 /dev/nvidiactl, 0xc020462a, 0x7ebe) = 0 (0x0) (21.883us)\n",
		true);
	assert_int_equal(told.count, 2);
	assert_string_equal(told.calls[0].family, "control");
	assert_int_equal(told.calls[1].number, 0x2a);
	returned(1, 4, 0);
}

static void the_function_that_nvproxy_names_is_a_field_of_the_call(void **state)
{
	(void)state;
	read_lines(NULL, "[   1:   1] nvproxy: frontend ioctl: nr = 74 = 0x4a, argSize = 184\n"
			 "[   1:   1] nvproxy: VID_HEAP_CONTROL function 27\n"
			 "[   1:   1] nvproxy: handler is undefined for VID_HEAP_CONTROL function 27\n"
			 "[   1:   2] nvproxy: VID_HEAP_CONTROL function 2\n"
			 "[   1:   2] nvproxy: VID_HEAP_CONTROL function 2\n"
			 "nvproxy: VID_HEAP_CONTROL function 4294967296\n", false);
	assert_int_equal(told.count, 3);
	assert_int_equal(told.calls[0].number, 0x4a);
	assert_int_equal(told.calls[0].size_bytes, 184);
	assert_string_equal(told.calls[0].field, "function");
	assert_int_equal(told.calls[0].value, 27);
	assert_int_equal(told.calls[2].value, 2);
	read_lines(
		NULL,
		"[   1:   1] python E ioctl(0x3 /dev/nvidiactl, 0xc0b8464a, 0x7ebe)\n"
		"[   1:   1] nvproxy: frontend ioctl: nr = 74 = 0x4a, argSize = 184\n"
		"[   1:   1] nvproxy: VID_HEAP_CONTROL function 5\n"
		"[   1:   1] python X ioctl(0x3 /dev/nvidiactl, 0xc0b8464a, 0x7ebe) = 0 (0x0) (21.883us)\n",
		true);
	assert_int_equal(told.count, 1);
	assert_int_equal(told.calls[0].value, 5);
	returned(0, 4, 0);
}

static void text_of_the_sniffer(void **state)
{
	(void)state;
	names("Control ioctl: request=0xc020462a [nr=NV_ESC_RM_CONTROL, cmd=0x20810110] => ret=0 status=0x56",
	      "control", 0x20810110, -1);
	assert_true(told.calls[0].has_ret && told.calls[0].has_status);
	assert_int_equal(told.calls[0].status, 0x56);
	names("Alloc ioctl: request=0xc030462b [nr=NV_ESC_RM_ALLOC, hClass=0xc640] => ret=0 status=0x22",
	      "alloc", 0xc640, -1);
	names("UVM ioctl: request=0x22 [nr=0x22] => ret=0", "uvm", 0x22, -1);
	names("Frontend ioctl: request=0xc00446c9 [nr=0xc9, size=4] => ret=0", "frontend", 0xc9, 4);
	names_nothing(
		"Control ioctl: request=0xc020462a [nr=NV_ESC_RM_CONTROL, cmd=0x120810110] => ret=0 status=0x56");
	names("Unknown ioctl: path=/dev/nvidia-modeset request=0xc0106d00 [nr=0x0] => ret=0", "modeset",
	      0xc0106d00, -1);
	names("Unknown ioctl: path=/dev/nvidia-uvm-tools request=0x38 [nr=0x38] => ret=-1", "uvm", 0x38, -1);
	returned(0, 1, -1);
	names_nothing("Unknown ioctl: path=/dev/nvidia-caps/nvidia-cap1 request=0x1 [nr=0x1] => ret=0");
	names_nothing("Unknown ioctl: path=/dev/kvm request=0xae01 [nr=0x1] => ret=0");
}

static void straces(void **state)
{
	(void)state;
	names("ioctl(3, _IOC(_IOC_READ|_IOC_WRITE, 0x46, 0x2a, 0x20), 0x7ffc19671e20) = 0", "frontend", 0x2a,
	      32);
	names("ioctl(4, _IOC(_IOC_NONE, 0, 0x1, 0x3000), 0x7ffc19671e20) = 0", "uvm", 0x30000001, -1);
	names("ioctl(3</dev/nvidiactl<char 195:255>>, 0xc020462a, 0x7ffc19671e20) = 0", "frontend", 0x2a, 32);
	names("ioctl(3</dev/nvidiactl>(deleted), 0xc020462a, 0x7ffc19671e20) = 0", "frontend", 0x2a, 32);
	names("ioctl(0x3, 0xc020462a, 0x7f1fb46d5010)  = -1 ENOTTY (Inappropriate ioctl for device)",
	      "frontend", 0x2a, 32);
	returned(0, 1, -1);
	assert_int_equal(told.calls[0].error, ENOTTY);
	names("ioctl(3, 0xc020462a, 0x7f1f) = -1 ENEW (Unknown error 999)", "frontend", 0x2a, 32);
	returned(0, 1, -1);
	assert_int_equal(told.calls[0].error, 0);
}

static void names_that_strace_has_for_other_ioctls(void **state)
{
	(void)state;
	names("ioctl(5</dev/nvidia-uvm<char 511:0>>, FIBMAP, 0x7ffc19671e20) = 0", "uvm", 1, -1);
	names("ioctl(5</dev/nvidia-uvm<char 511:0>>, FIGETBSZ, 0x7ffc19671e20) = 0", "uvm", 2, -1);
	names("ioctl(3</dev/nvidia-uvm>, 0x2 /* FIGETBSZ */, 0x7f2978fa0010) = 0", "uvm", 2, -1);
	names_nothing("ioctl(3, FIGETBSZ, 0x7ffc19671e20) = 0");
	names_nothing("ioctl(3</etc/passwd>, FIBMAP, 0x7ffc) = 0");
}

static void paths_in_hexadecimal(void **state)
{
	(void)state;
	names("ioctl(3<\\x2f\\x64\\x65\\x76\\x2f\\x6e\\x76\\x69\\x64\\x69\\x61\\x2d\\x75\\x76\\x6d<char 1:3>>, FIBMAP, 0x7ffc) = 0",
	      "uvm", 1, -1);
	names_nothing("ioctl(3<\\x2f\\x64\\x65\\x76\\x2f\\x6b\\x76\\x6d>, 0xc020462a, 0x7ffc) = 0");
	names_nothing("ioctl(3<anon_inode:[eventfd]>, 0xc020462a, 0x7ffc) = 0");
}

static void what_a_call_returned(void **state)
{
	(void)state;
	read_as(NULL, "ioctl(3</dev/nvidiactl>, 0xc020462a, 0x7ffc) = -1 EINVAL (Invalid argument)\n"
		      "ioctl(3, 0xc020462a, 0x7f1fb46d5010)        = 1 <0.000012>\n"
		      "ioctl(3, 0xc020462a, 0x7f1fb46d5010) = ?\n");
	returned(0, 1, -1);
	returned(1, 2, 1);
	assert_false(told.calls[2].has_ret);
}

static void an_unfinished_call_is_told_when_it_resumes(void **state)
{
	(void)state;
	read_as(NULL, "[pid 10] ioctl(3, 0xc020462a <unfinished ...>\n"
		      "[pid 11] ioctl(3, 0xc030462b, 0x7ffc <unfinished ...>\n"
		      "[pid 12] close(3) = 0\n"
		      "[pid 11] <... ioctl resumed>) = 0\n"
		      "[pid 10] <... ioctl resumed>, 0x7f1a3b1d2eb0) = -1 EIO (Input/output error)\n"
		      "[pid 13] <... ioctl resumed>) = 0\n");
	assert_int_equal(told.count, 2);
	assert_int_equal(told.calls[0].number, 0x2b);
	returned(0, 4, 0);
	assert_int_equal(told.calls[1].number, 0x2a);
	returned(1, 5, -1);
}

static void threads_have_several_forms(void **state)
{
	(void)state;
	read_as(NULL, "10 16:09:48.218700 ioctl(3, 0xc020462a <unfinished ...>\n"
		      "11<app> ioctl(3, 0xc030462b <unfinished ...>\n"
		      "[pid    12<app>] ioctl(3, 0xc01046c8 <unfinished ...>\n"
		      "[pid    12<app>] <... ioctl resumed>) = 3\n"
		      "11<app> <... ioctl resumed>) = 2\n"
		      "10    16:09:48.218701 <... ioctl resumed>) = 1 <0.1>\n");
	assert_int_equal(told.count, 3);
	returned(0, 4, 3);
	returned(1, 5, 2);
	returned(2, 6, 1);
	assert_int_equal(told.calls[2].number, 0x2a);
}

static void a_time_is_no_thread(void **state)
{
	(void)state;
	read_as(NULL, "1795363746.732242 ioctl(3, 0xc020462a <unfinished ...>\n"
		      "1795363747.000000 <... ioctl resumed>) = 0\n");
	assert_int_equal(told.count, 1);
	returned(0, 2, 0);
	read_as(NULL, "16:09:06 ioctl(3, 0xc020462a <unfinished ...>\n"
		      "16:09:07 <... ioctl resumed>) = 0\n");
	assert_int_equal(told.count, 1);
	returned(0, 2, 0);
}

static void the_first_thread_has_no_number_until_there_is_another(void **state)
{
	(void)state;
	read_as(NULL, "ioctl(3, 0xc020462a)strace: Process 11 attached\n"
		      " <unfinished ...>\n"
		      "[pid 10] <... ioctl resumed>, 0x7ffc) = 0\n");
	assert_int_equal(told.count, 1);
	returned(0, 3, 0);
}

static void a_call_that_is_never_resumed_is_told_all_the_same(void **state)
{
	(void)state;
	read_as(NULL, "[pid 10] ioctl(3, 0xc020462a <unfinished ...>\n"
		      "[pid 10] ioctl(3, 0xc020462a, 0x7ffc) = 0\n"
		      "[pid 11] ioctl(3, 0xc030462b <unfinished ...>\n");
	assert_int_equal(told.count, 3);
	assert_false(told.calls[0].has_ret);
	returned(1, 2, 0);
	assert_int_equal(told.at_line[2], 0);
	assert_int_equal(told.calls[2].number, 0x2b);
}

static void more_calls_than_there_is_room_for_are_told_where_they_begin(void **state)
{
	struct strbuf text = { 0 };

	(void)state;
	for (int pid = 1; pid <= 300; pid++)
		strbuf_addf(&text, "[pid %d] ioctl(3, 0xc020462a <unfinished ...>\n", pid);
	strbuf_adds(&text, "[pid 1] <... ioctl resumed>) = 0\n[pid 300] <... ioctl resumed>) = 0\n");
	read_as(NULL, text.text);
	assert_int_equal(told.count, 300);
	assert_int_equal(told.at_line[0], 257);
	returned(44, 301, 0);
	strbuf_release(&text);
}

static void perf_traces(void **state)
{
	(void)state;
	names("     0.000 ( 0.037 ms): app/21091 ioctl(fd: 3, cmd: (READ|WRITE, 0x46, 0x2a, 0x20), arg: 0x7ffd3c85) = -1 ENOTTY (x)",
	      "frontend", 0x2a, 32);
	returned(0, 1, -1);
	names("     0.058 ( 0.020 ms): gen/1 ioctl(fd: 3</dev/nvidia-uvm>, cmd: (NONE, 0, 0x1, 0), arg: 0x7f3c)             = 0",
	      "uvm", 1, -1);
	returned(0, 1, 0);
	names("1.609 ( 0.022 ms): gen/1 ioctl(fd: 3, cmd: (_IOC_READ|_IOC_WRITE, 0x46, 0x2a, 0x20), arg: 0x7f9d) = 0",
	      "frontend", 0x2a, 32);
	names("1.609 ( 0.022 ms): gen/1 ioctl(cmd: (NONE, 0, 0x1, 0x3000), arg: 0x7f9d) = 0", "uvm",
	      0x30000001, -1);
	names("1.609 ( 0.022 ms): gen/1 ioctl(3, (READ|WRITE, 0x46, 0x2a, 0x20), 0x7f9d) = 0", "frontend",
	      0x2a, 32);
	names_nothing(
		"1.609 ( 0.022 ms): gen/1 ioctl(fd: 3</dev/kvm>, cmd: (READ|WRITE, 0x46, 0x2a, 0x20), arg: 0x7f9d) = 0");
	names_nothing("1.609 ( 0.022 ms): gen/1 ioctl(fd: 3, cmd: DRM_I915_INIT, arg: 0x7f9d) = 0");
	names_nothing("1.609 ( 0.022 ms): gen/1 ioctl(fd: 3, cmd: TCGETS, arg: 0x7f9d) = 0");
}

static void perf_tells_of_a_call_that_another_one_interrupted(void **state)
{
	(void)state;
	read_as(NULL,
		"    11.187 (         ): slow/16626 ioctl(fd: 3, cmd: (READ|WRITE, 0x46, 0x2d, 0x20), arg: 0x7f23) ...\n"
		"    11.190 ( 0.033 ms): slow/16629 ioctl(fd: 3, cmd: (READ|WRITE, 0x46, 0x30, 0x20), arg: 0x7f23) = 0\n"
		"    11.187 ( 0.022 ms): slow/16626  ... [continued]: ioctl())          = -1 ENOTTY (Inappropriate ioctl for device)\n");
	assert_int_equal(told.count, 2);
	assert_int_equal(told.calls[1].number, 0x2d);
	returned(1, 3, -1);
}

static void lines_of_other_things_name_nothing(void **state)
{
	static const char *const lines[] = {
		"",
		"ioctl",
		"ioctl(",
		"ioctl(3",
		"ioctl(3, ",
		"ioctl(3, _IOC(",
		"ioctl(3, _IOC(_IOC_READ, 0x46, 0x2a",
		"nvproxy: ",
		"ioctl(3</dev/pts/0>, TCGETS, {...}) = 0",
		"ioctl(3, TCGETS, 0x7ffc) = 0",
		"ioctl(3</dev/dri/../sda>, 0x",
		"unknown control command (paramsSize=1)",
		"control command 0x123456789abcdef01 too long",
		"control command 0x2080012f00",
		"frontend ioctl x",
		"ioctl(3, _IOC(_IOC_NONE, 0x1ff, 0x1, 0x3000), 0) = 0",
		"ioctl(3, 0x1c020462a, 0) = 0",
		"write(1, \"ioctl(3, 0xc020462a, 0) = 0\"..., 40) = 40",
		"my_ioctl(3, 0xc020462a, 0)",
		"<... ioctl resumed>) = 0",
		"... [continued]: ioctl()) = 0",
		"ioctl 2a, 16384-byte param, fd 3",
		"ioctl 12a, 32-byte param, fd 3",
		"ioctl(fd: 3",
		"ioctl(fd: 3, cmd: (",
		"ioctl(fd: 3, cmd: (READ|",
		"ioctl(3<",
		"ioctl(3</dev/nvidiactl",
		"ioctl(3<\\x2",
		"[pid ioctl(3",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		names_nothing(lines[i]);
}

static void one_format_alone_is_read_if_it_is_named(void **state)
{
	(void)state;
	read_as("runsc", "ioctl(3, 0xc020462a, 0x7ffc) = 0\nnvproxy: unknown uvm ioctl 29 = 0x1d\n");
	assert_int_equal(told.count, 1);
	assert_string_equal(told.calls[0].family, "uvm");
	assert_string_equal(told.other, "strace");
	read_as("perf", "UVM ioctl: request=0x22 [nr=0x22] => ret=0\n");
	assert_int_equal(told.count, 0);
	assert_string_equal(told.other, "sniffer");
	read_as("perf", "ioctl 2a, 32-byte param, fd 3\t0xc1d00001\n");
	assert_string_equal(told.other, "libcudest");
	read_as("strace", "nothing\n");
	assert_null(told.other);
	assert_null(decode_lines_new("nvidia", &devices, NULL));
}

static size_t skipped(const char *text, size_t length)
{
	struct decode_lines *lines =
		decode_lines_new(NULL, &devices, &(struct decode_sink){ .found = remember });
	const size_t bytes = decode_lines_skip(lines, text, length);

	decode_lines_free(lines);
	return bytes;
}

static void lines_that_name_nothing_are_skipped_together(void **state)
{
	static const char two[] = "a\nb\nx ioctl y\nc\n", none[] = "a\nb\nhalf",
			  one[] = "control command 0x1\n";

	(void)state;
	assert_int_equal(skipped(two, sizeof(two) - 1), 4);
	assert_int_equal(skipped(none, sizeof(none) - 1), 4);
	assert_int_equal(skipped(one, sizeof(one) - 1), 0);
	assert_int_equal(skipped(two, 0), 0);
}

/* The search reads many bytes at once, so each position of a hint is tested. */
static void a_hint_is_found_wherever_it_stands(void **state)
{
	static const char *const hints[] = { "ioctl", "command 0x", "class 0x", "NVIDIA driver version: ",
					     "VID_HEAP_CONTROL function" };
	char text[80];

	(void)state;
	for (size_t h = 0; h < sizeof(hints) / sizeof(*hints); h++)
		for (size_t at = 2; at + strlen(hints[h]) <= sizeof(text); at++) {
			memset(text, 'i', sizeof(text));
			text[1] = '\n';
			memcpy(text + at, hints[h], strlen(hints[h]));
			text[sizeof(text) - 1] =
				at + strlen(hints[h]) < sizeof(text) ? '\n' : text[sizeof(text) - 1];
			assert_int_equal(skipped(text, sizeof(text)), 2);
		}
}

static void a_line_is_not_read_beyond_its_length(void **state)
{
	const struct decode_sink sink = { .found = remember, .data = &told };
	struct decode_lines *lines = decode_lines_new(NULL, &devices, &sink);
	const char text[] = "nvproxy: unknown control command 0x2080";

	(void)state;
	memset(&told, 0, sizeof(told));
	for (size_t less = 3; less <= 7; less += 4) {
		char *copy = malloc(sizeof(text) - less); /* where the sanitizers see its end */

		memcpy(copy, text, sizeof(text) - less);
		assert_int_equal(decode_lines_read(lines, copy, sizeof(text) - less, NULL), 0);
		free(copy);
	}
	assert_int_equal(told.count, 1);
	assert_int_equal(told.calls[0].number, 0x20);
	decode_lines_free(lines);
}

static void a_line_may_have_several_messages(void **state)
{
	(void)state;
	read_as(NULL, "nvproxy: unknown allocation class 0xc640 nvproxy: unknown allocation class 0x41");
	assert_int_equal(told.count, 2);
	assert_int_equal(told.calls[0].number, 0xc640);
	assert_int_equal(told.calls[1].number, 0x41);
	read_as(NULL,
		"nvproxy: unknown control command 0x20803801 (paramsSize=4) nvproxy: unknown control command 0x20800110");
	assert_int_equal(told.count, 2);
	assert_false(told.calls[1].has_size);
	names("nvproxy: failed: nvproxy: unknown control command 0x20800110 (paramsSize=132)", "control",
	      0x20800110, 132);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_may_have_several_messages),
		cmocka_unit_test(old_lines_of_runsc),
		cmocka_unit_test(new_lines_of_runsc),
		cmocka_unit_test(the_line_of_runsc_that_names_the_version),
		cmocka_unit_test(strace_of_runsc),
		cmocka_unit_test(runsc_tells_of_a_call_when_it_begins_and_when_it_returns),
		cmocka_unit_test(a_message_of_nvproxy_may_tell_more_of_the_one_before),
		cmocka_unit_test(another_call_or_thread_is_another_call),
		cmocka_unit_test(what_nvproxy_says_within_a_call_is_told_with_its_return),
		cmocka_unit_test(the_function_that_nvproxy_names_is_a_field_of_the_call),
		cmocka_unit_test(text_of_the_sniffer),
		cmocka_unit_test(straces),
		cmocka_unit_test(names_that_strace_has_for_other_ioctls),
		cmocka_unit_test(paths_in_hexadecimal),
		cmocka_unit_test(what_a_call_returned),
		cmocka_unit_test(an_unfinished_call_is_told_when_it_resumes),
		cmocka_unit_test(threads_have_several_forms),
		cmocka_unit_test(a_time_is_no_thread),
		cmocka_unit_test(the_first_thread_has_no_number_until_there_is_another),
		cmocka_unit_test(a_call_that_is_never_resumed_is_told_all_the_same),
		cmocka_unit_test(more_calls_than_there_is_room_for_are_told_where_they_begin),
		cmocka_unit_test(perf_traces),
		cmocka_unit_test(perf_tells_of_a_call_that_another_one_interrupted),
		cmocka_unit_test(lines_of_other_things_name_nothing),
		cmocka_unit_test(one_format_alone_is_read_if_it_is_named),
		cmocka_unit_test(lines_that_name_nothing_are_skipped_together),
		cmocka_unit_test(a_hint_is_found_wherever_it_stands),
		cmocka_unit_test(a_line_is_not_read_beyond_its_length),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
