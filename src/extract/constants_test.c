/* Tests of the macros and enumerators that become constants. */
#include "extract/fixture_test.h"

static void a_plain_constant_counts_only_if_its_file_does(void **state)
{
	const struct memory_file files[] = {
		{ "a.h",
		  "#include <guarded.h>\n#if 0\n#include <unread.h>\n#endif\n#define TWICE_H\n#include <twice.h>\n" },
		{ "inc/guarded.h", "#ifndef G_H\n#define G_H\n#define K_ONE 1\n#define K_TWO 2\n#endif\n" },
		{ "inc/twice.h",
		  "#ifndef TWICE_H\n#define TWICE_H\n#define K_THREE 3\n#define K_FOUR 4\n#endif\n" },
		{ "inc/unread.h", "#define K_FIVE 5\n#define K_SIX 6\n" },
		{ NULL, NULL },
	};
	struct fixture *fixture = *state;

	assert_int_equal(extract(fixture, files), 0);
	assert_int_equal(fixture->abi.constant_count, 2);
	assert_int_equal(abi_find_constant(&fixture->abi, "K_TWO")->value.magnitude, 2);
}

static void an_undefined_constant_is_none(void **state)
{
	const struct abi *abi = abi_of(
		state,
		"#define K_A 1\n#define K_B 2\n#undef K_B\n#define K_C 3\n"
		"#pragma push_macro(\"K_C\")\n#undef K_C\n#define K_C 4\n#pragma pop_macro(\"K_C\")\n");

	assert_null(abi_find_constant(abi, "K_B"));
	assert_int_equal(abi_find_constant(abi, "K_C")->value.magnitude, 3);
}

static void a_constant_that_is_none_is_a_warning(void **state)
{
	const struct abi *abi =
		abi_of(state, "#define K_A (nowhere + 1)\n#define K_B 7:0\n#define K_C 5\n#define K_D\n");

	assert_int_equal(abi->constant_count, 1);
	assert_int_equal(abi->warning_count, 2);
	assert_string_equal(abi->warnings[0].place, "a.h:1");
	assert_string_equal(abi->warnings[1].place, "a.h:2");
}

/* Returns the constants of a header with the text @text, as "K_A=1 K_B=2". */
static const char *constants_of(void **state, const char *text)
{
	const struct abi *abi = abi_of(state, text);
	struct fixture *fixture = *state;
	const char *all = "";

	for (size_t i = 0; i < abi->constant_count; i++)
		all = arena_printf(&fixture->arena, "%s%s%s=%s%llu", all, *all ? " " : "",
				   abi->constants[i].name, abi->constants[i].value.negative ? "-" : "",
				   (unsigned long long)abi->constants[i].value.magnitude);
	return all;
}

static void clang_says_which_macros_there_are(void **state)
{
	assert_string_equal(constants_of(state, "#define K_\\\nA 1\n%:define K_B 2\n#def\\\nine K_C 3\n"),
			    "K_A=1 K_B=2 K_C=3");
	assert_string_equal(constants_of(state, "#define K_A 1\r#define K_B 2\r"), "K_A=1 K_B=2");
	assert_string_equal(constants_of(state, "\xef\xbb\xbf#define K_A 1\n"), "K_A=1");
	assert_string_equal(constants_of(state, "#define K_\\u00e9 1\n#define K_\xc3\xa8 2\n"),
			    "K_\xc3\xa8=2 K_\xc3\xa9=1");
	assert_string_equal(constants_of(state, "#if 0\n#define K_A 1\n#endif\n/*\n#define K_B 2\n*/\n"), "");
}

static void what_is_in_force_at_the_end_counts(void **state)
{
	assert_string_equal(
		constants_of(state, "#define K_A 1\n#undef K_A\n#define K_B 1\n#undef K_B\n#define K_B 2\n"),
		"K_B=2");
	assert_string_equal(
		constants_of(
			state,
			"#define K_A 1\n#pragma push_macro(\"K_A\")\n#undef K_A\n#define K_A 2\n#pragma pop_macro(\"K_A\")\n"),
		"K_A=1");
	assert_string_equal(constants_of(state, "#define K_A 1\n#undef K_A\n#define K_A(x) x\n"), "");
	assert_string_equal(constants_of(state,
					 "#define K_A __LINE__\n#define K_B __COUNTER__\n#define K_C 3\n"),
			    "K_C=3");
}

static void one_macro_that_is_no_number_spoils_no_other(void **state)
{
	assert_string_equal(
		constants_of(
			state,
			"#define K_A 1) x (2\n#define K_B sizeof(struct { int a; })\n#define K_C }; int x = {\n#define K_D 4\n"),
		"K_B=4 K_D=4");
	assert_string_equal(
		constants_of(
			state,
			"#define K_A (1\n#define K_B 1, 2\n#define K_C sizeof(\"abc\")\n#define K_D _Generic(1, int: 5)\n"),
		"K_C=4 K_D=5");
}

static void a_name_that_has_include_gets_from_macros_is_refused(void **state)
{
	const struct memory_file files[] = {
		{ "a.h", "#define NAME \"b.h\"\n#if __has_include(NAME)\n#endif\n" },
		{ "b.h", "" },
		{ NULL, NULL },
	};
	struct fixture *fixture = *state;

	assert_int_equal(extract(fixture, files), ERR_PARSE);
	assert_int_equal(strncmp(fixture->err.text, "a.h:2: ", 7), 0);
}

static void a_macro_that_asks_is_refused(void **state)
{
	const struct memory_file files[] = {
		{ "a.h", "int x;\n#define HAS(x) __has_include(x)\n#if HAS(\"b.inc\")\n#endif\n" },
		{ "b.inc", "" },
		{ NULL, NULL },
	};
	struct fixture *fixture = *state;

	assert_int_equal(extract(fixture, files), ERR_PARSE);
	assert_int_equal(strncmp(fixture->err.text, "a.h:2: ", 7), 0);
}

static void the_clock_does_not_matter(void **state)
{
	struct fixture *fixture = *state;

	assert_int_equal(extract(fixture,
				 (struct memory_file[]){ { "a.h", "struct s { char a[__TIME__[7]]; };\n" },
							 { NULL, NULL } }),
			 ERR_PARSE);
}

static void what_pop_macro_brings_back_is_not_guessed(void **state)
{
	static const struct profile_constant rule = { .name = "K_*", .value = "^[0-9]" };
	struct fixture *fixture = *state;
	const struct abi *abi;

	fixture->profile.constants = &rule;
	abi = abi_of(
		state,
		"#define K_A 1\n#pragma push_macro(\"K_A\")\n#undef K_A\n#define K_A \"s\"\n#pragma pop_macro(\"K_A\")\n#define K_B 2\n");
	assert_int_equal(abi->constant_count, 1);
	assert_int_equal(abi->warning_count, 1);
}

static void enumerators_are_constants_if_the_profile_says_so(void **state)
{
	static const char *const except[] = { "K_END" };
	static const struct profile_constant rules[] = {
		{ .name = "K_*", .enumeration = "::K_OK_t", .file = "a.h", .except = { except, 1 } },
		{ .name = "K_C", .enumeration = "named" },
		{ .name = "K_*", .enumeration = "typed" },
		{ .name = "K_*", .enumeration = "s::e_t" },
		{ .name = "K_*", .enumeration = "elsewhere", .file = "b.h" },
	};
	struct fixture *fixture = *state;

	fixture->profile.constants = rules;
	fixture->profile.constant_count = sizeof(rules) / sizeof(rules[0]);
	assert_string_equal(
		constants_of(
			state,
			"#define CODE(name, value) name = (value),\nenum {\nCODE(K_OK, 0)\nCODE(K_BAD, 0x22)\nCODE(K_END, 3)\nOTHER\n};\n"
			"enum named { K_B = 7, K_C = -8 };\n"
			"typedef enum { K_D = 0xffffffffu } typed;\n"
			"struct s { enum { K_E = 5 } e; };\n"
			"enum elsewhere { K_F };\n"
			"#define K_MACRO 1\n"),
		"K_BAD=34 K_C=-8 K_D=4294967295 K_E=5 K_OK=0");
	assert_int_equal(fixture->abi.warning_count, 0);
}

/* A macro and an enumerator can have the same name. If their values differ, there is a warning. */
static void an_enumerator_and_a_macro_that_differ_are_a_warning(void **state)
{
	static const struct profile_constant rules[] = { { .name = "K_*" },
							 { .name = "K_*", .enumeration = "*" } };
	struct fixture *fixture = *state;

	fixture->profile.constants = rules;
	fixture->profile.constant_count = 2;
	assert_string_equal(constants_of(state, "enum { K_A = 1, K_B = 2 };\n#define K_A K_A\n"),
			    "K_A=1 K_B=2");
	assert_int_equal(fixture->abi.warning_count, 0);
	assert_string_equal(constants_of(state, "enum { K_A = 1 };\n#define K_A 2\n"), "K_A=1");
	assert_int_equal(fixture->abi.warning_count, 1);
}

/* Requests the constants that match @glob, in addition to K_*, which the fixture's profile requests. */
static void want(struct fixture *fixture, const char *glob)
{
	profile_want_constants(&fixture->profile,
			       &(struct profile_strings){ arena_memdup(&fixture->arena, &glob, sizeof(glob)),
							  1 },
			       &fixture->arena);
}

static void macros_and_enumerators_that_are_asked_for_are_constants(void **state)
{
	want(*state, "F_*");
	assert_string_equal(
		constants_of(state,
			     "#define K_A 1\n#define F_LOW (-2)\n#define F_SUM (K_A + 8)\n#define G 3\n"
			     "enum { F_ONE = 5, G_ONE };\ntypedef struct { enum { F_TWO = 6 } e; } s;\n"),
		"F_LOW=-2 F_ONE=5 F_SUM=9 F_TWO=6 K_A=1");
}

/* A macro that is requested in addition must not become an ioctl, or name a command. */
static void what_is_asked_for_besides_is_no_macro_of_the_profile(void **state)
{
	struct fixture *fixture = *state;

	want(fixture, "*");
	assert_string_equal(constants_of(state, "#define K_A 1\n#define F_A 1\n"), "F_A=1 K_A=1");
	assert_int_equal(fixture->result.macros.count, 1);
	assert_string_equal(fixture->result.macros.items[0].name, "K_A");
}

/* A macro that is requested in addition becomes a constant even if the profile's rules reject its text. */
static void what_is_asked_for_is_not_judged_by_the_rules_of_the_profile(void **state)
{
	static const struct profile_constant rule = { .name = "K_*", .value = "^0x" };
	struct fixture *fixture = *state;

	fixture->profile.constants = &rule;
	want(fixture, "K_*");
	assert_string_equal(constants_of(state, "#define K_A 0x1\n#define K_B 2\n"), "K_A=1 K_B=2");
	assert_int_equal(fixture->result.macros.count, 1);
}

static void what_is_asked_for_and_no_integer_is_one_warning(void **state)
{
	struct fixture *fixture = *state;

	want(fixture, "F_*");
	assert_string_equal(
		constants_of(
			state,
			"#define F_BITS 7:0\n#define F_TEXT \"a\"\n#define F_GUARD\n#define F_TYPE struct s\n"
			"#define F_D d\n#define F_OPEN (\n#define F_CALL(x) x\n#define F_ONE 1\n"),
		"F_ONE=1");
	assert_int_equal(fixture->abi.warning_count, 1);
	assert_string_equal(fixture->abi.warnings[0].text,
			    "Left out of the requested constants, because they are not integers: 5 macros, "
			    "the first ones F_BITS (7:0), F_D (d), F_OPEN (()");
}

static void what_is_an_integer_in_one_unit_is_not_left_out(void **state)
{
	static const char *const headers[] = { "a.h", "b.h" };
	const struct memory_file files[] = { { "a.h", "#define F_A X\n" },
					     { "b.h", "enum { X = 4 };\n#define F_A X\n" },
					     { NULL, NULL } };
	const struct profile_unit units[] = { { .name = "a", .headers = { &headers[0], 1 } },
					      { .name = "b", .headers = { &headers[1], 1 } } };
	struct fixture *fixture = *state;

	fixture->profile.units = units;
	fixture->profile.unit_count = 2;
	want(fixture, "F_*");
	assert_int_equal(extract(fixture, files), 0);
	assert_int_equal(abi_find_constant(&fixture->abi, "F_A")->value.magnitude, 4);
	assert_int_equal(fixture->abi.warning_count, 0);
}

static const char *only_field(const struct abi *abi)
{
	return abi_find_record(abi, "s")->fields[0].name;
}

/* However a header uses a macro, clang must read the macro's definition. */
static void every_way_to_speak_of_a_macro_counts(void **state)
{
	assert_string_equal(only_field(abi_of(state, "#define FOO bar\nstruct s { int FO\\\nO; };\n")),
			    "bar");
	assert_string_equal(only_field(abi_of(state, "#define F\\\nOO bar\nstruct s { int FOO; };\n")),
			    "bar");
	assert_string_equal(
		only_field(abi_of(
			state, "#define FOO bar\n#define CAT(a, b) a##b\nstruct s { int CAT(F, OO); };\n")),
		"bar");
	assert_string_equal(only_field(abi_of(state,
					      "#define FOO BAR\n#define BAR baz\nstruct s { int FOO; };\n")),
			    "baz");
	assert_string_equal(only_field(
				    abi_of(state, "#define FOO\n#ifdef FOO\nstruct s { int a; };\n#endif\n")),
			    "a");
	assert_string_equal(
		only_field(abi_of(state, "#define A B\n#define B 1\n#if A\nstruct s { int a; };\n#endif\n")),
		"a");
	assert_string_equal(
		only_field(abi_of(
			state,
			"#define STDC_OPEN struct s {\n#define STDC_CLOSE };\nSTDC_OPEN int x; STDC_CLOSE\n")),
		"x");
}

static void a_pattern_that_is_no_expression_is_refused(void **state)
{
	static const struct profile_constant bad = { .name = "K_*", .value = "(" };
	const struct memory_file files[] = { { "a.h", "" }, { NULL, NULL } };
	struct fixture *fixture = *state;

	fixture->profile.constants = &bad;
	assert_int_equal(extract(fixture, files), ERR_FORMAT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_plain_constant_counts_only_if_its_file_does),
		TEST(an_undefined_constant_is_none),
		TEST(a_constant_that_is_none_is_a_warning),
		TEST(every_way_to_speak_of_a_macro_counts),
		TEST(clang_says_which_macros_there_are),
		TEST(what_is_in_force_at_the_end_counts),
		TEST(one_macro_that_is_no_number_spoils_no_other),
		TEST(a_name_that_has_include_gets_from_macros_is_refused),
		TEST(a_macro_that_asks_is_refused),
		TEST(the_clock_does_not_matter),
		TEST(what_pop_macro_brings_back_is_not_guessed),
		TEST(enumerators_are_constants_if_the_profile_says_so),
		TEST(an_enumerator_and_a_macro_that_differ_are_a_warning),
		TEST(macros_and_enumerators_that_are_asked_for_are_constants),
		TEST(what_is_asked_for_besides_is_no_macro_of_the_profile),
		TEST(what_is_asked_for_is_not_judged_by_the_rules_of_the_profile),
		TEST(what_is_asked_for_and_no_integer_is_one_warning),
		TEST(what_is_an_integer_in_one_unit_is_not_left_out),
		TEST(a_pattern_that_is_no_expression_is_refused),
	};

	return cmocka_run_group_tests_name("constants", tests, NULL, NULL);
}
