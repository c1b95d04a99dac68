/* What lines of logs name. */
#include "decode/decode.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static struct decode_line read_line(const char *text)
{
	struct decode_line line = { .family = "none" };

	decode_line_read(&line, text, strlen(text));
	return line;
}

/* Is @text a call of that family, number and size (-1: none)? */
static void names(const char *text, const char *family, uint64_t number, int64_t size)
{
	const struct decode_line line = read_line(text);

	assert_string_equal(line.family, family);
	assert_int_equal(line.number, number);
	assert_int_equal(line.has_size ? (int64_t)line.size_bytes : -1, size);
}

static void old_lines_of_runsc(void **state)
{
	(void)state;
	names("nvproxy: unknown control command 0x20803801 (paramsSize=1928)", "control", 0x20803801, 1928);
	names("nvproxy: unknown frontend ioctl 212 == 0xd4 (argSize=128, cmd=0xc08046d4)", "frontend", 212, 128);
	names("nvproxy: unknown uvm ioctl 29 = 0x1d", "uvm", 29, -1);
	names("nvproxy: unknown allocation class 0x0000b0b5", "alloc", 0xb0b5, -1);
}

static void new_lines_of_runsc(void **state)
{
	(void)state;
	names("W1122 nvproxy: handler is undefined for control command 0x2080012f (paramsSize=168)", "control", 0x2080012f, 168);
	names("nvproxy: missing capability for uvm ioctl 72 = 0x48", "uvm", 72, -1);
	names("nvproxy: control command 0x20800110, object 0x5c000002", "control", 0x20800110, -1);
	names("nvproxy: frontend ioctl: nr = 42 = 0x2a, argSize = 32", "frontend", 42, 32);
}

static void text_of_the_sniffer(void **state)
{
	const struct decode_line line =
		read_line("Control ioctl: request=0xc020462a [nr=NV_ESC_RM_CONTROL, cmd=0x20810110] => ret=0 status=0x56");

	(void)state;
	names("Control ioctl: request=0xc020462a [nr=NV_ESC_RM_CONTROL, cmd=0x20810110] => ret=0 status=0x56", "control", 0x20810110, -1);
	names("Alloc ioctl: request=0xc030462b [nr=NV_ESC_RM_ALLOC, hClass=0xc640] => ret=0 status=0x22", "alloc", 0xc640, -1);
	names("UVM ioctl: request=0x22 [nr=0x22] => ret=0", "uvm", 0x22, -1);
	assert_true(line.has_ret && line.has_status);
	assert_int_equal(line.status, 0x56);
}

static void straces(void **state)
{
	(void)state;
	names("python X ioctl(0x3 /dev/nvidiactl, 0xc020462a, 0x7ebe51113480) = 0 (0x0) (21.883us)", "frontend", 0x2a, 32);
	names("ioctl(3, _IOC(_IOC_READ|_IOC_WRITE, 0x46, 0x2a, 0x20), 0x7ffc19671e20) = 0", "frontend", 0x2a, 32);
	names("ioctl(4, _IOC(_IOC_NONE, 0, 0x1, 0x3000), 0x7ffc19671e20) = 0", "uvm", 0x30000001, -1);
	names("ioctl(3</dev/nvidiactl<char 195:255>>, 0xc020462a, 0x7ffc19671e20) = 0", "frontend", 0x2a, 32);
	names("ioctl(5</dev/nvidia-uvm<char 511:0>>, FIBMAP, 0x7ffc19671e20) = 0", "uvm", 1, -1);
	names("ioctl(5</dev/nvidia-uvm<char 511:0>>, FIGETBSZ, 0x7ffc19671e20) = 0", "uvm", 2, -1);
}

static void what_a_call_returned(void **state)
{
	const struct decode_line line = read_line("ioctl(3</dev/nvidiactl>, 0xc020462a, 0x7ffc) = -1 EINVAL (Invalid argument)");

	(void)state;
	assert_true(line.has_ret);
	assert_int_equal(line.ret, -1);
}

static void lines_of_other_things_name_nothing(void **state)
{
	static const char *const lines[] = {
		"", "ioctl", "ioctl(", "ioctl(3", "ioctl(3, ", "ioctl(3, _IOC(", "ioctl(3, _IOC(_IOC_READ, 0x46, 0x2a", "nvproxy: ",
		"ioctl(3</dev/pts/0>, TCGETS, {...}) = 0", "ioctl(3, TCGETS, 0x7ffc) = 0", "ioctl(3</etc/passwd>, FIBMAP, 0x7ffc) = 0",
		"ioctl(3</dev/dri/../sda>, 0x", "unknown control command (paramsSize=1)", "control command 0x123456789abcdef01 too long",
		"control command 0x2080012f00", "frontend ioctl x", "ioctl(3, _IOC(_IOC_NONE, 0x1ff, 0x1, 0x3000), 0) = 0",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		assert_string_equal(read_line(lines[i]).family, "none");
}

static void lines_that_name_nothing_are_skipped_together(void **state)
{
	static const char two[] = "a\nb\nx ioctl y\nc\n", none[] = "a\nb\nhalf", one[] = "control command 0x1\n";

	(void)state;
	assert_int_equal(decode_lines_skip(two, sizeof(two) - 1), 4);
	assert_int_equal(decode_lines_skip(none, sizeof(none) - 1), 4);
	assert_int_equal(decode_lines_skip(one, sizeof(one) - 1), 0);
	assert_int_equal(decode_lines_skip(two, 0), 0);
}

static void a_line_is_not_read_beyond_its_length(void **state)
{
	struct decode_line line;
	const char text[] = "nvproxy: unknown control command 0x2080";

	(void)state;
	assert_true(decode_line_read(&line, text, sizeof(text) - 3));
	assert_int_equal(line.number, 0x20);
	assert_false(decode_line_read(&line, text, sizeof(text) - 7));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(old_lines_of_runsc),
		cmocka_unit_test(new_lines_of_runsc),
		cmocka_unit_test(text_of_the_sniffer),
		cmocka_unit_test(straces),
		cmocka_unit_test(what_a_call_returned),
		cmocka_unit_test(lines_of_other_things_name_nothing),
		cmocka_unit_test(lines_that_name_nothing_are_skipped_together),
		cmocka_unit_test(a_line_is_not_read_beyond_its_length),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
