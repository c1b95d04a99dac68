#include "base/ctext.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static void expect_blank(const char *text, const char *expected)
{
	struct arena arena = { 0 };

	assert_string_equal(lexer_blank(view_of(text), &arena), expected);
	arena_release(&arena);
}

static void comments_and_the_insides_of_literals_are_blank(void **state)
{
	(void)state;
	expect_blank("a /* \"b */ c // d\ne", "a          c     \ne");
	expect_blank("f(\"x, )\", '\\'')", "f(\"    \", '  ')");
	expect_blank("/* 1\n2 */ 3", "    \n     3");
	expect_blank("/*/ a */ b", "         b");
}

static void a_literal_ends_with_its_line(void **state)
{
	(void)state;
	expect_blank("\"a\nb", "\" \nb");
	expect_blank("\"a\\\nb\" c", "\"  \n \" c");
	expect_blank("#error don't\nb", "#error don't\nb");
}

static void a_line_comment_goes_on_behind_a_splice(void **state)
{
	const char *text = "// a \\ \r\n b\nc";

	(void)state;
	assert_string_equal(lexer_skip_comment(text, text + strlen(text)), "\nc");
	assert_null(lexer_skip_comment("/", strchr("/", '\0')));
}

static void a_comment_in_a_literal_is_none(void **state)
{
	(void)state;
	assert_true(view_is(lexer_uncommented(view_of("\"/*\" 1 // x")), "\"/*\" 1 "));
	assert_true(view_is(lexer_uncommented(view_of("1 / 2")), "1 / 2"));
}

static void any_text_comes_to_an_end(void **state)
{
	static const char *const texts[] = { "", "\"", "'\\", "/", "/*", "/* *", "//", "// \\", "\\", "\"\\\n" };
	struct arena arena = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		const char *end = texts[i] + strlen(texts[i]);

		assert_int_equal(strlen(lexer_blank(view_of(texts[i]), &arena)), strlen(texts[i]));
		lexer_join(view_of(texts[i]), true, &arena);
		assert_true(lexer_line_end(texts[i], end) <= end);
		assert_true(lexer_skip_blank(texts[i], end) <= end);
		assert_true(lexer_uncommented(view_of(texts[i])).length <= strlen(texts[i]));
	}
	arena_release(&arena);
}

static void a_lone_carriage_return_ends_a_line(void **state)
{
	const char *plain = "a\r\nb\n";
	struct arena arena = { 0 };

	(void)state;
	assert_ptr_equal(lexer_newlines(plain, strlen(plain), &arena), plain);
	assert_string_equal(lexer_newlines("#define A 1 // x\r#define B\r\r\n\r", 30, &arena), "#define A 1 // x\n#define B\n\r\n\n");
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(comments_and_the_insides_of_literals_are_blank),
		cmocka_unit_test(a_literal_ends_with_its_line),
		cmocka_unit_test(a_line_comment_goes_on_behind_a_splice),
		cmocka_unit_test(a_comment_in_a_literal_is_none),
		cmocka_unit_test(any_text_comes_to_an_end),
		cmocka_unit_test(a_lone_carriage_return_ends_a_line),
	};

	return cmocka_run_group_tests_name("lexer", tests, NULL, NULL);
}
