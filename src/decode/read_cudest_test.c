/* Tests of the reader for libcudest's dumps. testdata/decode/libcudest.txt has real output of libcudest. */
#include "decode/decode.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static struct decode_line found;
static struct strbuf before, after, target, target_after; /* the dumps of the last call */
static size_t calls, line_number, found_at;

static void copy(struct strbuf *to, const uint8_t *bytes, uint64_t size_bytes)
{
	strbuf_reset(to);
	if (bytes)
		strbuf_add(to, bytes, size_bytes);
}

static int remember(void *data, const struct decode_line *call, struct err *err)
{
	(void)data;
	(void)err;
	found = *call;
	found_at = line_number;
	calls++;
	copy(&before, call->before, call->size_bytes);
	copy(&after, call->after, call->size_bytes);
	copy(&target, call->memory.before.bytes, call->memory.size_bytes);
	copy(&target_after, call->memory.after.bytes, call->memory.size_bytes);
	return 0;
}

static void read_text(const char *text)
{
	const struct decode_sink sink = { .found = remember };
	struct decode_lines *lines = decode_lines_new(NULL, NULL, &sink);

	calls = line_number = found_at = 0;
	memset(&found, 0, sizeof(found));
	for (const char *at = text; *at;) {
		const size_t length = strcspn(at, "\n");

		line_number++;
		assert_int_equal(decode_lines_read(lines, at, length, NULL), 0);
		at += length + (at[length] == '\n');
	}
	line_number = 0;
	assert_int_equal(decode_lines_end(lines, NULL), 0);
	decode_lines_free(lines);
}

#define ALLOC \
	"ioctl 2b, 32-byte param, fd 3\t0xc1d00001 0x00000000 0x00000005 0x00000006 \n0x0010\t\t\t\t0x00000000 0x00000000 0x00000000 0x00000000 \n"
#define ALLOC_AFTER \
	"RESULT: 0\t\t\t0xc1d00001 0x00000000 0x00000005 0x00000006 \n0x0010\t\t\t\t0x00000000 0x00000000 0x00000000 0x00000022 \n"
#define CONTROL \
	"0xc1d00001 0x5c000002 0x20802068 0x00000000 \n0x0010\t\t\t\t0xbfe84040 0x000055a2 0x00000004 0x00000000 \n"

static void parameters_before_and_after_the_call(void **state)
{
	static const uint8_t first[] = { 0x01, 0x00, 0xd0, 0xc1 };

	(void)state;
	read_text(ALLOC ALLOC_AFTER "\n");
	assert_int_equal(calls, 1);
	assert_string_equal(found.family, "frontend");
	assert_int_equal(found.number, 0x2b);
	assert_int_equal(found.size_bytes, 32);
	assert_int_equal(found.ret, 0);
	assert_int_equal(before.length, 32);
	assert_memory_equal(before.text, first, sizeof(first));
	assert_int_equal((uint8_t)after.text[28], 0x22);
	assert_int_equal(found_at, 4); /* not only at the empty line */
}

static void what_the_parameters_of_a_control_point_to(void **state)
{
	(void)state;
	read_text("ioctl 2a, 32-byte param, fd 3\t" CONTROL "GPU method 0x5c000002:20802068\t0x00000000 \n"
		  "RESULT: 0\t\t\t" CONTROL "GPU method 0x5c000002:20802068\t0x00000008 \n\n");
	assert_int_equal(calls, 1);
	assert_int_equal(found.memory.address, 0x55a2bfe84040);
	assert_int_equal(found.memory.size_bytes, 4);
	assert_int_equal(target.text[0], 0);
	assert_int_equal(target_after.text[0], 8);
	assert_int_equal(found_at, 6);
}

static void colours_do_not_matter(void **state)
{
	(void)state;
	read_text("ioctl c9, 4-byte param, fd 3\t\033[1m\033[32m0xc1d00001 \033[0m\n"
		  "\033[1m\033[34mRESULT: 0\033[0m\t\t\t\033[1m\033[32m0xc1d00002 \033[0m\n\n");
	assert_int_equal(calls, 1);
	assert_int_equal(before.text[0], 1);
	assert_int_equal(after.text[0], 2);
}

static void a_call_that_failed_has_nothing_after_it(void **state)
{
	(void)state;
	read_text(ALLOC "RESULT: -1\n\n");
	assert_int_equal(calls, 1);
	assert_int_equal(found.ret, -1);
	assert_non_null(found.before);
	assert_null(found.after);
	assert_int_equal(found_at, 3);
}

/* The shim does not end a line in which it printed no words. */
static void parameters_of_no_bytes(void **state)
{
	(void)state;
	read_text(
		"ioctl 2a, 32-byte param, fd 3\t0xc1d00001 0x5c000002 0x20800112 0x00000000 \n0x0010\t\t\t\t0x10 0x00000000 0x00000000 0x00000000 \n");
	assert_int_equal(calls, 1);
	assert_null(found.before); /* 0x10 is not a word */
	read_text(
		"ioctl 2a, 32-byte param, fd 3\t0xc1d00001 0x5c000002 0x20800112 0x00000000 \n"
		"0x0010\t\t\t\t0x00000010 0x00000000 0x00000000 0x00000000 \n"
		"GPU method 0x5c000002:20800112\tRESULT: 0\t\t\t0xc1d00001 0x5c000002 0x20800112 0x00000000 \n"
		"0x0010\t\t\t\t0x00000010 0x00000000 0x00000000 0x00000056 \n"
		"LENGTH MODIFIED BY CALL!\t(ret: 0x56)\n"
		"GPU method 0x5c000002:20800112\t\n"
		"ioctl 22, 0-byte param, fd 4\tRESULT: 0\t\t\t\n" ALLOC ALLOC_AFTER "\n");
	assert_int_equal(calls, 2);
	assert_int_equal(found.number, 0x2b);
	assert_non_null(found.after);
}

static void a_size_of_uvm_is_none(void **state)
{
	(void)state;
	read_text("ioctl 1, 12288-byte param, fd 4\t0x00000000 \nRESULT: -1\n\n");
	assert_string_equal(found.family, "uvm");
	assert_int_equal(found.number, 0x30000001);
	assert_false(found.has_size);
	assert_null(found.before);
}

static void a_dump_with_a_line_missing_has_no_bytes(void **state)
{
	(void)state;
	read_text(
		"ioctl 2b, 48-byte param, fd 3\t0xc1d00001 0x00000000 0x00000005 0x00000006 \n0x0020\t\t\t\t0x00000000 0x00000000 0x00000000 0x00000000 \n"
		"RESULT: -1\n\n");
	assert_int_equal(calls, 1);
	assert_int_equal(found.number, 0x2b);
	assert_null(found.before);
}

static void lines_of_others_stand_between(void **state)
{
	(void)state;
	read_text("x\n" ALLOC "the program says this\nnvproxy: unknown uvm ioctl 29 = 0x1d\n" ALLOC_AFTER
		  "\n");
	assert_int_equal(calls, 2);
	assert_non_null(found.after);
}

static void a_dump_that_is_cut_off_is_told(void **state)
{
	(void)state;
	read_text(ALLOC ALLOC ALLOC_AFTER);
	assert_int_equal(calls, 2);
	read_text(ALLOC "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n");
	assert_int_equal(calls, 1);
	assert_int_equal(found_at, 19);
	assert_non_null(found.before);
	assert_false(found.has_ret);
	read_text(ALLOC);
	assert_int_equal(calls, 1);
	assert_int_equal(found_at, 0);
}

static void a_dump_is_never_longer_than_the_driver_reads(void **state)
{
	struct strbuf text = { 0 };

	(void)state;
	strbuf_adds(
		&text,
		"ioctl 2a, 32-byte param, fd 3\t0xc1d00001 0x5c000002 0x20802068 0x00000000 \n"
		"0x0010\t\t\t\t0xbfe84040 0x000055a2 0xfffffff0 0x000000ff \nGPU method 0x5c000002:20802068\t");
	for (size_t i = 0; i < 400 * 1024; i++)
		strbuf_adds(&text, "0x00000000 ");
	strbuf_adds(&text, "\nRESULT: -1\n\n");
	read_text(text.text);
	assert_int_equal(calls, 1);
	assert_non_null(found.before);
	assert_int_equal(found.memory.size_bytes, 0);
	strbuf_release(&text);
}

/* In libcudest's pages, the first line has no words, and no dump follows RESULT. */
#define PAGE_CALL                                                                                            \
	"ioctl 2a, 32-byte param, fd 3\n0xc1d04277 0x5c000002 0x20800110 0x00000000\n"                       \
	"0x0010 0x73be4970 0x00007fff 0x00000014 0x00000000\nGPU method 0x5c000002:20800110\n"
#define PAGE_NAME "0x00000000 0x6f466547 0x20656372 0x20535447\n0x0010 0x4d303633\n"
#define PAGE_ZERO "0x00000000 0x00000000 0x00000000 0x00000000\n0x0010 0x00000000\n"
#define PAGE_AFTER \
	"RESULT: 0\n0xc1d04277 0x5c000002 0x20800110 0x00000000\n0x0010 0x73be4970 0x00007fff 0x00000014 0x00000000\n" \
	"**************MODIFICATION FROM CALL\n"

static const char page[] = PAGE_CALL PAGE_NAME "RESULT: 0\n" PAGE_CALL PAGE_ZERO PAGE_AFTER
	"GPU method 0x5c000002:20800110\n" PAGE_NAME PAGE_CALL PAGE_ZERO PAGE_AFTER PAGE_NAME;

static void expect_name(const struct strbuf *payload)
{
	assert_int_equal(payload->length, 20);
	assert_memory_equal(payload->text + 4, "GeForce GTS 360M", 16);
}

static void the_text_of_a_page(void **state)
{
	(void)state;
	read_text(PAGE_CALL PAGE_NAME "RESULT: 0\n");
	assert_int_equal(calls, 1);
	assert_int_equal(found.size_bytes, 32);
	assert_true(found.has_ret);
	assert_int_equal(found.memory.address, 0x7fff73be4970);
	expect_name(&target);
	assert_int_equal(target_after.length, 0);
	read_text(page);
	assert_int_equal(calls, 3);
	assert_int_equal(target.text[4], 0);
	expect_name(&target_after);
}

static void blanks_in_place_of_line_ends(void **state)
{
	char text[sizeof(page)];

	(void)state;
	for (size_t i = 0; i < sizeof(page); i++)
		text[i] = page[i];
	for (char *at = text; (at = strchr(at, '\n'));)
		*at = ' ';
	read_text(text);
	assert_int_equal(calls, 3);
	expect_name(&target_after);
	*strstr(text, "RESULT: 0") = '\0';
	read_text(text);
	assert_int_equal(calls, 1);
	assert_false(found.has_ret);
	expect_name(&target);
}

static void an_ellipsis_leaves_the_bytes_before_it(void **state)
{
	(void)state;
	read_text(PAGE_CALL "0x00000000 0x6f466547 … RESULT: 0\n\n");
	assert_int_equal(calls, 1);
	assert_true(found.has_ret);
	assert_int_equal(found.memory.size_bytes, 8);
	assert_int_equal(target.length, 8);
	read_text(PAGE_CALL "0x00000000 0x6f466547\n0x0010 0x4d303633 … RESULT: 0\n\n");
	assert_int_equal(calls, 1);
	assert_null(found.memory.before.bytes);
}

static int release(void **state)
{
	(void)state;
	strbuf_release(&before);
	strbuf_release(&after);
	strbuf_release(&target);
	strbuf_release(&target_after);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parameters_before_and_after_the_call),
		cmocka_unit_test(what_the_parameters_of_a_control_point_to),
		cmocka_unit_test(colours_do_not_matter),
		cmocka_unit_test(a_call_that_failed_has_nothing_after_it),
		cmocka_unit_test(parameters_of_no_bytes),
		cmocka_unit_test(a_size_of_uvm_is_none),
		cmocka_unit_test(a_dump_with_a_line_missing_has_no_bytes),
		cmocka_unit_test(lines_of_others_stand_between),
		cmocka_unit_test(a_dump_that_is_cut_off_is_told),
		cmocka_unit_test(a_dump_is_never_longer_than_the_driver_reads),
		cmocka_unit_test(the_text_of_a_page),
		cmocka_unit_test(blanks_in_place_of_line_ends),
		cmocka_unit_test(an_ellipsis_leaves_the_bytes_before_it),
	};

	return cmocka_run_group_tests(tests, NULL, release);
}
