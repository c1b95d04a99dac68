#include "abi/abi.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

static struct strbuf text;

static struct json_writer fresh(void)
{
	strbuf_reset(&text);
	return (struct json_writer){ .out = &text };
}

static int release(void **state)
{
	(void)state;
	strbuf_release(&text);
	return 0;
}

static void an_object_is_indented_by_one_space_a_level(void **state)
{
	struct json_writer writer = fresh();

	(void)state;
	json_open_object(&writer);
	json_key_unsigned(&writer, "a", 1);
	json_key(&writer, "b");
	json_open_array(&writer);
	json_null(&writer);
	json_bool(&writer, false);
	json_close_array(&writer);
	json_key_bool(&writer, "c", true);
	json_close_object(&writer);
	json_end(&writer);
	assert_string_equal(strbuf_text(&text),
			    "{\n \"a\": 1,\n \"b\": [\n  null,\n  false\n ],\n \"c\": true\n}\n");
}

static void what_is_in_an_inline_object_stays_on_its_line(void **state)
{
	struct json_writer writer = fresh();

	(void)state;
	json_open_array(&writer);
	json_open_inline_object(&writer);
	json_key_string(&writer, "a", "x");
	json_key(&writer, "b");
	json_open_array(&writer);
	json_unsigned(&writer, 1);
	json_unsigned(&writer, 2);
	json_close_array(&writer);
	json_close_object(&writer);
	json_open_inline_array(&writer);
	json_close_array(&writer);
	json_close_array(&writer);
	json_end(&writer);
	assert_string_equal(strbuf_text(&text), "[\n {\"a\": \"x\", \"b\": [1, 2]},\n []\n]\n");
}

static void an_empty_object_has_no_line_break(void **state)
{
	struct json_writer writer = fresh();

	(void)state;
	json_open_object(&writer);
	json_key(&writer, "a");
	json_open_object(&writer);
	json_close_object(&writer);
	json_close_object(&writer);
	json_end(&writer);
	assert_string_equal(strbuf_text(&text), "{\n \"a\": {}\n}\n");
}

static void compact_keeps_everything_on_one_line(void **state)
{
	struct json_writer writer = fresh();

	(void)state;
	writer.compact = true;
	json_open_object(&writer);
	json_key_unsigned(&writer, "a", 1);
	json_key(&writer, "b");
	json_open_array(&writer);
	json_unsigned(&writer, 2);
	json_close_array(&writer);
	json_close_object(&writer);
	json_end(&writer);
	json_null(&writer);
	json_end(&writer);
	assert_string_equal(strbuf_text(&text), "{\"a\": 1, \"b\": [2]}\nnull\n");
}

static void strings_are_escaped_and_made_valid_utf8(void **state)
{
	static const struct {
		const char *in, *out;
	} cases[] = {
		{ "", "\"\"" },
		{ "a\"b\\c", "\"a\\\"b\\\\c\"" },
		{ "\n\t\r\x01\x1f", "\"\\n\\t\\r\\u0001\\u001f\"" },
		{ "\x7f/", "\"\\u007f/\"" },
		{ "\xc2\x9b\xe2\x80\xae\xc3\xbc", "\"\\u009b\\u202e\xc3\xbc\"" },
		{ "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"" },
		{ "a\xff" "b", "\"a\xef\xbf\xbd" "b\"" },
		{ "\xc3", "\"\xef\xbf\xbd\"" },                                   /* cut */
		{ "\xc0\xaf", "\"\xef\xbf\xbd\xef\xbf\xbd\"" },                   /* overlong */
		{ "\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"" },   /* surrogate */
		{ "\xf4\x90\x80\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct json_writer writer = fresh();

		json_string(&writer, cases[i].in);
		assert_string_equal(strbuf_text(&text), cases[i].out);
	}
}

static void numbers_that_a_double_would_change_become_strings(void **state)
{
	static const struct {
		struct abi_number in;
		const char *out;
	} cases[] = {
		{ { 0, false }, "0" },
		{ { 12, true }, "-12" },
		{ { UINT64_C(1) << 53, false }, "9007199254740992" },
		{ { (UINT64_C(1) << 53) + 1, false }, "\"0x20000000000001\"" },
		{ { (UINT64_C(1) << 53) + 1, true }, "\"-0x20000000000001\"" },
		{ { UINT64_MAX, false }, "\"0xffffffffffffffff\"" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct json_writer writer = fresh();

		json_number(&writer, cases[i].in);
		assert_string_equal(strbuf_text(&text), cases[i].out);
	}
}

static void a_missing_string_is_null(void **state)
{
	struct json_writer writer = fresh();

	(void)state;
	json_string(&writer, NULL);
	assert_string_equal(strbuf_text(&text), "null");
}

static void depth_is_not_bounded_by_the_row_of_spaces(void **state)
{
	struct json_writer writer = fresh();
	int i;

	(void)state;
	for (i = 0; i < 100; i++)
		json_open_array(&writer);
	json_null(&writer);
	for (i = 0; i < 100; i++)
		json_close_array(&writer);
	json_end(&writer);
	/* 100 opening lines, "null", 100 closing lines; the line at depth i has i spaces */
	assert_int_equal(text.length, 2 * (99 * 100 / 2) + 100 + 4 + 200 + 201);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_object_is_indented_by_one_space_a_level),
		cmocka_unit_test(what_is_in_an_inline_object_stays_on_its_line),
		cmocka_unit_test(an_empty_object_has_no_line_break),
		cmocka_unit_test(compact_keeps_everything_on_one_line),
		cmocka_unit_test(strings_are_escaped_and_made_valid_utf8),
		cmocka_unit_test(numbers_that_a_double_would_change_become_strings),
		cmocka_unit_test(a_missing_string_is_null),
		cmocka_unit_test(depth_is_not_bounded_by_the_row_of_spaces),
	};

	return cmocka_run_group_tests(tests, NULL, release);
}
