#include "extract/internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static void numbers_and_operators_are_literals(void **state)
{
	static const char *const texts[] = {
		"1",   "(0x20U)", "-1",	      "~0ULL",	"1 << 31", "(1 ? 2 : 3)",
		"'A'", "'\\''",	  "(1 == 2)", "3 <= 4", "1 != 0",  "!0",
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_int_equal(macro_shape_of(texts[i]), MACRO_LITERALS);
}

static void names_may_stand_for_anything(void **state)
{
	static const char *const texts[] = { "A",        "(A + 1)",     "sizeof(int)", "F(1, 2)",
					     "(int)1.5", "(A ? B : C)", "((T)1)",      "a[1]" };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_int_equal(macro_shape_of(texts[i]), MACRO_NAMES);
}

static void what_was_never_a_number_is_none(void **state)
{
	static const char *const texts[] = {
		"",
		"\"s\"",
		"7:0",
		"(7:0)",
		"1, 2",
		"{ 1 }",
		"x = 1",
		"do { } while (0)",
		"unsigned int",
		"struct s",
		"1.5",
		"1e5",
		"(1",
		"1)",
		"(1]",
		"a;",
		"# x",
		"'",
		"0x1p3",
		"return 1",
		"1 ? 2 : 3 : 4",
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_int_equal(macro_shape_of(texts[i]), MACRO_NO_NUMBER);
}

static void nesting_has_a_limit(void **state)
{
	char text[2048] = "";

	(void)state;
	memset(text, '(', 600);
	text[600] = '1';
	memset(text + 601, ')', 600);
	assert_int_equal(macro_shape_of(text), MACRO_NO_NUMBER);
	assert_int_equal(macro_shape_of(text + 300), MACRO_NO_NUMBER);
	text[901] = '\0';
	assert_int_equal(macro_shape_of(text + 300), MACRO_NAMES);
}

static void a_literal_has_its_value(void **state)
{
	static const struct {
		const char *text;
		uint64_t value;
	} good[] = {
		{ "0", 0 },
		{ "((0x20))", 32 },
		{ "010", 8 },
		{ "4294967296", 4294967296 },
		{ "0xffffffffffffffffULL", UINT64_MAX },
		{ "( 1 )", 1 },
		{ "7llu", 7 },
	};
	static const char *const bad[] = { "",      "x",  "-1",  "1 + 1",
					   "08",    "0x", "1.5", "18446744073709551616",
					   "1ulul", "1x", "'a'" };
	uint64_t value;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_true(macro_literal(&value, good[i].text));
		assert_int_equal(value, good[i].value);
	}
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(macro_literal(&value, bad[i]));
}

static void a_call_is_found_in_what_is_around_it(void **state)
{
	static const char *const good[][2] = {
		{ "_IO('T', 1)", "_IO('T', 1)" },        { "((unsigned)_IO('T', 2))", "_IO('T', 2)" },
		{ "0x4020+A (B(1), 2)", "A (B(1), 2)" }, { "sizeof(long) == 8 ? A(1) : B(2)", "A(1)" },
		{ "(u32)(_IO(1, 2) | 0)", "_IO(1, 2)" }, { "sizeof(A(1))", "A(1)" },
	};
	static const char *const bad[] = { "",   "A",       "(1)",    "(A)", "1(2)", "sizeof(long)",
					   "A(", "A + (1)", "0x1F(2)" };
	struct view call;

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_true(macro_first_call(&call, good[i][0]));
		assert_true(view_is(call, good[i][1]));
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(macro_first_call(&call, bad[i]));
}

/*
 * Checks the names that macro_next_name() finds, which are outside of calls: "A B" for "(A + f(C) |
 * sizeof(D)) ? B : 1".
 */
static void assert_names(const char *text, const char *expected)
{
	char names[64] = "";
	struct view name;

	while (macro_next_name(&name, &text)) {
		assert_true(strlen(names) + name.length + 2 < sizeof(names));
		snprintf(names + strlen(names), sizeof(names) - strlen(names), "%s%.*s", *names ? " " : "",
			 (int)name.length, name.at);
	}
	assert_string_equal(names, expected);
}

static void names_are_found_outside_of_calls(void **state)
{
	(void)state;
	assert_names("(sizeof(struct s) == 8 ? A : B)", "A B");
	assert_names("(sizeof (time_t) > sizeof(x) ? A2 : __A_3)", "A2 __A_3");
	assert_names("(unsigned)(u32)A", "u32 A");
	assert_names("f(A, B) + C - g (D)", "C");
	assert_names("0x10UL + 'A' + 3 * 1e5", "");
	assert_names("__LINE__ + __COUNTER__ || defined A", "A");
	assert_names("A(", "A");
	assert_names("\"A\" B", "B");
	assert_names("", "");
}

static void brackets_around_a_name_do_not_count(void **state)
{
	(void)state;
	assert_true(macro_is_name("A"));
	assert_true(macro_is_name(" ( (A) ) "));
	assert_false(macro_is_name("A + B"));
	assert_false(macro_is_name("(A)(B)"));
	assert_false(macro_is_name("()"));
}

static void a_comma_is_an_operator_outside_of_calls(void **state)
{
	(void)state;
	assert_true(macro_has_comma("(1, 2)"));
	assert_true(macro_has_comma("f(1, (2, 3))"));
	assert_true(macro_has_comma("1, 2"));
	assert_false(macro_has_comma("f(1, 2) + sizeof (3, 4)"));
	assert_false(macro_has_comma("(struct s){ 1, 2 }"));
	assert_false(macro_has_comma("(1 + ',' + \",\"[0])"));
	assert_false(macro_has_comma(") '"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_and_operators_are_literals),
		cmocka_unit_test(names_may_stand_for_anything),
		cmocka_unit_test(what_was_never_a_number_is_none),
		cmocka_unit_test(nesting_has_a_limit),
		cmocka_unit_test(a_literal_has_its_value),
		cmocka_unit_test(a_call_is_found_in_what_is_around_it),
		cmocka_unit_test(names_are_found_outside_of_calls),
		cmocka_unit_test(brackets_around_a_name_do_not_count),
		cmocka_unit_test(a_comma_is_an_operator_outside_of_calls),
	};

	return cmocka_run_group_tests_name("macro_text", tests, NULL, NULL);
}
