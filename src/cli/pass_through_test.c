/* Tests of escaping the lines of a log. */
#include "cli/cli.h"
#include "abi/document_test.h"

static void only_what_is_not_plain_is_escaped(void **state)
{
	static const struct {
		const char *text;
		size_t length;
		const char *passed;
	} rows[] = {
#define ROW(text, passed) { text, sizeof(text) - 1, passed }
		ROW("a line\tof plain text ~\nand another\n\n", "a line\tof plain text ~\nand another\n\n"),
		ROW("plain\n\033[31mred\0\xff\tx\nplain\n", "plain\n\\x1b[31mred\\x00\\xff\tx\nplain\n"),
		ROW("\xc3\xa9\xe2\x80\xae", "\xc3\xa9\\u202e"),
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		/* of the exact size, so that the sanitizers find reads beyond it */
		char *copy = malloc(rows[i].length);
		struct strbuf out = { 0 }, scratch = { 0 };

		memcpy(copy, rows[i].text, rows[i].length);
		pass_through(&out, copy, rows[i].length, &scratch);
		assert_string_equal(strbuf_text(&out), rows[i].passed);
		free(copy);
		strbuf_release(&out);
		strbuf_release(&scratch);
	}
}

/* is_plain() tests many bytes at a time, so every position is tested. */
static void a_byte_that_is_not_plain_is_found_at_each_place(void **state)
{
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
	assert_int_equal(pass_through_whole("ab\xe2\x80", 4), 2);
	assert_int_equal(pass_through_whole("ab\xc3", 3), 2);
	assert_int_equal(pass_through_whole("abc", 3), 3);
	assert_int_equal(pass_through_whole("\x80\x80\x80\x80\x80", 5), 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_what_is_not_plain_is_escaped),
		cmocka_unit_test(a_byte_that_is_not_plain_is_found_at_each_place),
		cmocka_unit_test(a_character_is_not_cut),
	};

	return cmocka_run_group_tests_name("pass through", tests, NULL, NULL);
}
