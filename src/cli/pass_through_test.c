/* Tests of escaping the lines of a log. */
#include "cli/cli.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void passes_as(const char *text, size_t length, const char *wanted)
{
	char *copy = malloc(length); /* a copy of the exact size, so that the sanitizers find reads beyond
					it */
	struct strbuf out = { 0 }, scratch = { 0 };

	memcpy(copy, text, length);
	pass_through(&out, copy, length, &scratch);
	assert_string_equal(strbuf_text(&out), wanted);
	free(copy);
	strbuf_release(&out);
	strbuf_release(&scratch);
}

static void plain_text_is_the_same(void **state)
{
	(void)state;
	passes_as("a line\tof plain text ~\nand another\n\n",
		  strlen("a line\tof plain text ~\nand another\n\n"),
		  "a line\tof plain text ~\nand another\n\n");
}

static void only_what_is_not_plain_is_spelled_out(void **state)
{
	static const char text[] = "plain\n\033[31mred\0\xff\tx\nplain\n";

	(void)state;
	passes_as(text, sizeof(text) - 1, "plain\n\\x1b[31mred\\x00\\xff\tx\nplain\n");
	passes_as("\xc3\xa9\xe2\x80\xae", 5, "\xc3\xa9\\u202e");
}

/* is_plain() tests many bytes at a time, so every position is tested. */
static void a_strange_byte_is_found_wherever_it_stands(void **state)
{
	(void)state;
	for (int ch = 0; ch < 256; ch++)
		for (size_t at = 0; at < 40; at++) {
			char text[40];
			struct strbuf out = { 0 }, scratch = { 0 };
			const bool is_plain = (ch >= ' ' && ch < 0x7f) || ch == '\t' || ch == '\n';

			memset(text, 'x', sizeof(text));
			text[at] = (char)ch;
			pass_through(&out, text, sizeof(text), &scratch);
			assert_int_equal(out.length == sizeof(text) && !memcmp(out.text, text, sizeof(text)),
					 is_plain);
			strbuf_release(&out);
			strbuf_release(&scratch);
		}
}

static void a_character_is_not_cut(void **state)
{
	(void)state;
	assert_int_equal(pass_through_whole("ab\xe2\x80", 4), 2);
	assert_int_equal(pass_through_whole("ab\xc3", 3), 2);
	assert_int_equal(pass_through_whole("abc", 3), 3);
	assert_int_equal(pass_through_whole("\x80\x80\x80\x80\x80", 5), 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_text_is_the_same),
		cmocka_unit_test(only_what_is_not_plain_is_spelled_out),
		cmocka_unit_test(a_strange_byte_is_found_wherever_it_stands),
		cmocka_unit_test(a_character_is_not_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
