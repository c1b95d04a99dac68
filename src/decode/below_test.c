/* Tests of dumps after the line of a call: does the dump have the call's bytes? */
#include "decode/decode.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { BYTES_MAX = 32 };

static struct {
	size_t count;
	unsigned line, at_line; /* the current line, and the line at which the last call was reported */
	struct decode_line last;
	uint8_t bytes[BYTES_MAX];
} told;

static int remember(void *data, const struct decode_line *call, struct err *err)
{
	(void)data;
	(void)err;
	told.count++;
	told.at_line = told.line;
	told.last = *call;
	if (call->before)
		memcpy(told.bytes, call->before, call->size_bytes < BYTES_MAX ? call->size_bytes : BYTES_MAX);
	return 0;
}

static void read_all(const char *text)
{
	const struct decode_sink sink = { .found = remember, .data = NULL };
	struct decode_lines *lines = decode_lines_new(NULL, NULL, &sink);

	memset(&told, 0, sizeof(told));
	for (const char *at = text; *at;) {
		const size_t length = strcspn(at, "\n");

		told.line++;
		assert_int_equal(decode_lines_read(lines, at, length, NULL), 0);
		at += length + (at[length] == '\n');
	}
	told.line = 0;
	assert_int_equal(decode_lines_end(lines, NULL), 0);
	assert_false(decode_lines_is_waiting(lines));
	decode_lines_free(lines);
}

#define CALL(size) "nvproxy: unknown control command 0x20800110 (paramsSize=" size ")\n"

static void assert_joined(const char *text)
{
	read_all(text);
	assert_int_equal(told.count, 1);
	assert_non_null(told.last.before);
	assert_int_equal(told.bytes[0], 0x4e);
	assert_int_equal(told.bytes[told.last.size_bytes - 1], 0x41);
}

static void assert_left(const char *text)
{
	read_all(text);
	assert_true(told.count >= 1);
	if (told.last.before)
		fail_msg("joined: %s", text);
}

static void each_form_of_a_dump_is_joined(void **state)
{
	(void)state;
	assert_joined(
		CALL("6") "00000000  4e 56 49 44 49 41                                 |NVIDIA|\n00000006\n");
	assert_joined(CALL("6") "00000000  4e 56 49 44 49 41                                 |NVIDIA|\n");
	assert_joined(CALL("6") "0000000 564e 4449 4149\n0000006\n");
	assert_joined(
		CALL("6") "00000000: 4e56 4944 4941                           NVIDIA\nsomething else\n");
	assert_joined(CALL(
		"18") "  00000000: 4e56 4944 4941 4e56 4944 4941 4e56 4944  NVIDIANVIDIANVID\r\n  00000010: 4941  IA\r\n");
	assert_joined(CALL(
		"32") "00000000  4e 41 4e 41 4e 41 4e 41  4e 41 4e 41 4e 41 4e 41  |NANANANANANANANA|\n*\n00000020\n");
}

static void the_call_is_told_where_its_dump_ends(void **state)
{
	(void)state;
	read_all(CALL(
		"6") "00000000  4e 56 49 44 49 41                                 |NVIDIA|\n00000006\nfour\nfive\n");
	assert_int_equal(told.at_line, 4);
	assert_int_equal(told.last.number, 0x20800110);
	read_all(CALL("6") "two\nthree\n");
	assert_int_equal(told.at_line, 2);
}

#define DUMP "00000000  4e 56 49 44 49 41                                 |NVIDIA|\n"

static void a_dump_of_another_size_is_not_joined(void **state)
{
	(void)state;
	assert_left(CALL("5") DUMP);
	assert_left(CALL("7") DUMP);
	assert_left(CALL("0") DUMP);
	assert_left("nvproxy: unknown control command 0x20800110\n" DUMP);
}

static void what_stands_between_separates(void **state)
{
	(void)state;
	assert_left(CALL("6") "\n" DUMP);
	assert_left(CALL("6") "another line\n" DUMP);
	assert_left(CALL("6") "I1122 20:00:00 " DUMP);
	assert_left(CALL(
		"18") "00000000  4e 56 49 44 49 41 4e 56  49 44 49 41 4e 56 49 44  |NVIDIANVIDIANVID|\n\n00000010  49 41  |IA|\n");
}

static void a_dump_is_of_the_last_call_above_it(void **state)
{
	(void)state;
	read_all(CALL("6") CALL("8") DUMP);
	assert_int_equal(told.count, 2);
	assert_int_equal(told.last.size_bytes, 8);
	assert_null(told.last.before);
	read_all(CALL("8") CALL("6") DUMP CALL("6"));
	assert_int_equal(told.count, 3);
	assert_int_equal(told.bytes[0], 0x4e);
	assert_null(told.last.before);
}

static void lines_that_are_missing_or_wrong_are_no_dump(void **state)
{
	(void)state;
	assert_left(CALL("6") "00000010  4e 56 49 44 49 41                                 |NVIDIA|\n");
	assert_left(CALL(
		"34") "00000000  4e 41 4e 41 4e 41 4e 41  4e 41 4e 41 4e 41 4e 41  |NANANANANANANANA|\n00000020  4e 41  |NA|\n");
	assert_left(CALL(
		"32") "00000000  4e 41 4e 41 4e 41 4e 41  4e 41 4e 41 4e 41 4e 41  |NANANANANANANANA|\n*\n");
	assert_left(CALL("6") "00000000  4e 56 49 44 zz 41\n");
	assert_left(CALL("6") "*\n00000006\n");
	assert_left(CALL("12") "00000000  4e 56 49 44 49 41 |NVIDIA|\n00000006: 4e56 4944 4941  NVIDIA\n");
	assert_left(CALL("6") DUMP "00000006\n00000006  4e\n");
}

static void two_dumps_are_not_one(void **state)
{
	(void)state;
	assert_left(CALL("12") DUMP DUMP);
	assert_joined(CALL("6") DUMP DUMP);
}

static void a_pause_ends_the_wait(void **state)
{
	static const char line[] = "nvproxy: unknown control command 0x20800110 (paramsSize=6)",
			  dump[] = "00000000  4e 56 49 44 49 41";
	const struct decode_sink sink = { .found = remember, .data = NULL };
	struct decode_lines *lines = decode_lines_new(NULL, NULL, &sink);

	(void)state;
	memset(&told, 0, sizeof(told));
	assert_int_equal(decode_lines_read(lines, line, strlen(line), NULL), 0);
	assert_true(decode_lines_is_waiting(lines));
	assert_int_equal(decode_lines_skip(lines, "x\n", 2), 0);
	assert_int_equal(decode_lines_flush(lines, NULL), 0);
	assert_int_equal(told.count, 1);
	assert_int_equal(decode_lines_read(lines, dump, strlen(dump), NULL), 0);
	assert_int_equal(decode_lines_end(lines, NULL), 0);
	assert_int_equal(told.count, 1);
	decode_lines_free(lines);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_form_of_a_dump_is_joined),
		cmocka_unit_test(the_call_is_told_where_its_dump_ends),
		cmocka_unit_test(a_dump_of_another_size_is_not_joined),
		cmocka_unit_test(what_stands_between_separates),
		cmocka_unit_test(a_dump_is_of_the_last_call_above_it),
		cmocka_unit_test(lines_that_are_missing_or_wrong_are_no_dump),
		cmocka_unit_test(two_dumps_are_not_one),
		cmocka_unit_test(a_pause_ends_the_wait),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
