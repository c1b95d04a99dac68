#include "base/ctext.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static void a_name_is_what_clang_calls_one(void **state)
{
	(void)state;
	assert_true(view_is_name(view_of("_NV0000$a9")));
	assert_true(view_is_name(view_of("gr\xc3\xb6\xc3\x9f" "e")));
	assert_false(view_is_name(view_of("")));
	assert_false(view_is_name(view_of("9a")));
	assert_false(view_is_name(view_of("a b")));
}

static void a_cut_goes_to_the_next_word(void **state)
{
	struct view rest = view_of("#  define A_B (1)"), name;

	(void)state;
	assert_true(view_cut(&rest, "#"));
	assert_true(view_cut(&rest, "define"));
	assert_true(view_cut_name(&name, &rest));
	assert_true(view_is(name, "A_B"));
	assert_true(view_is(rest, "(1)"));
	assert_false(view_cut_name(&name, &rest));
	assert_true(view_is(rest, "(1)"));
}

static void a_number_is_read_as_c_reads_it(void **state)
{
	static const struct {
		const char *text;
		uint64_t value;
	} good[] = {
		{ "0", 0 }, { "12u", 12 }, { "0x1FUL", 31 }, { "017", 15 }, { "18446744073709551615", UINT64_MAX },
	};
	static const char *const bad[] = { "", "u", "0x", "08", "1.5", "-1", "18446744073709551616", "1 2" };
	uint64_t value;

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_true(view_number(&value, view_of(good[i].text)));
		assert_int_equal(value, good[i].value);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (view_number(&value, view_of(bad[i])))
			fail_msg("%s is a number", bad[i]);
}

static void a_mention_is_a_whole_word(void **state)
{
	const char *text = "AB_ A_B AB(x)";

	(void)state;
	assert_ptr_equal(view_mention(view_of(text), "AB"), text + 8);
	assert_null(view_mention(view_of(text), "B"));
	assert_null(view_mention(view_of(text), ""));
}

static void names_are_separated_by_bars(void **state)
{
	struct view list = view_of("A | B |C"), name;
	bool malformed = false;
	size_t count = 0;

	(void)state;
	while (view_cut_names(&name, &list, &malformed))
		count++;
	assert_int_equal(count, 3);
	assert_false(malformed);
	list = view_of("A + B");
	assert_false(view_cut_names(&name, &list, &malformed));
	assert_true(malformed);
}

static void a_line_has_no_white_space_around_it(void **state)
{
	const char *text = " a \r\n\n\tb";
	struct view_lines lines = { text, text + strlen(text), 1 };
	struct view line;

	(void)state;
	assert_true(view_next_line(&line, &lines));
	assert_true(view_is(line, "a"));
	assert_true(view_next_line(&line, &lines));
	assert_true(view_is(line, ""));
	assert_true(view_next_line(&line, &lines));
	assert_true(view_is(line, "b"));
	assert_int_equal(lines.number, 4);
	assert_false(view_next_line(&line, &lines));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_is_what_clang_calls_one),
		cmocka_unit_test(a_cut_goes_to_the_next_word),
		cmocka_unit_test(a_number_is_read_as_c_reads_it),
		cmocka_unit_test(a_mention_is_a_whole_word),
		cmocka_unit_test(names_are_separated_by_bars),
		cmocka_unit_test(a_line_has_no_white_space_around_it),
	};

	return cmocka_run_group_tests_name("view", tests, NULL, NULL);
}
