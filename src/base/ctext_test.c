#include "base/base.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
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
		{ "0", 0 },
		{ "12u", 12 },
		{ "0x1FUL", 31 },
		{ "017", 15 },
		{ "18446744073709551615", UINT64_MAX },
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

static void globs_match_whole_names(void **state)
{
	static const struct {
		const char *glob, *name;
		bool matches;
	} cases[] = {
		{ "A", "A", true },         { "A", "AB", false },        { "A*", "AB", true },
		{ "A*", "BA", false },      { "*A", "BA", true },        { "*A", "AB", false },
		{ "A*B*C", "AxBxC", true }, { "A*B*C", "AxCxB", false }, { "A*A", "A", false },
		{ "A*A", "AA", true },      { "*", "", true },           { "", "", true },
		{ "", "A", false },         { "**", "x", true },         { "*AB*", "xAAB", true },
		{ "A?C", "ABC", true },     { "[!N]*", "NV", false },    { "[!N]*", "XV", true },
		{ "A*BC*C", "ABC", false }, { "A*BC*C", "ABCC", true },
	};
	struct arena arena = { 0 };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct name_glob pattern;

		name_glob_init(&pattern, cases[i].glob, &arena);
		if (name_glob_matches(&pattern, (struct view){ cases[i].name, strlen(cases[i].name) }) !=
		    cases[i].matches)
			fail_msg("%s against %s", cases[i].name, cases[i].glob);
	}
	arena_release(&arena);
}

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
	static const char *const texts[] = {
		"", "\"", "'\\", "/", "/*", "/* *", "//", "// \\", "\\", "\"\\\n"
	};
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
	assert_string_equal(lexer_newlines("#define A 1 // x\r#define B\r\r\n\r", 30, &arena),
			    "#define A 1 // x\n#define B\n\r\n\n");
	arena_release(&arena);
}

/* The results of a scan as one line of text: "<a.h> <b.h> N@3=1;". */
struct report {
	struct strbuf text;
	struct arena arena;
};

static void on_include(void *data, struct view spelled)
{
	struct report *report = data;

	strbuf_addf(&report->text, "<%.*s> ", (int)spelled.length, spelled.at);
}

static void on_define(void *data, const struct define *define)
{
	struct report *report = data;

	strbuf_addf(&report->text, "%.*s@%u=%s; ", (int)define->name.length, define->name.at, define->line,
		    lexer_join(define->body, false, &report->arena));
}

static void expect(const char *text, const char *expected)
{
	struct report report = { .arena = { 0 } };
	struct directives_sink sink = { .data = &report, .include = on_include, .define = on_define };

	directives_scan(text, strlen(text), &sink);
	while (report.text.length && report.text.text[report.text.length - 1] == ' ')
		report.text.text[--report.text.length] = '\0';
	assert_string_equal(strbuf_text(&report.text), expected);
	strbuf_release(&report.text);
	arena_release(&report.arena);
}

static void includes_of_both_kinds_are_found(void **state)
{
	(void)state;
	expect("#include <a.h>\n  #  include \"b.h\" // c\n#include_next <d.h>\n#import \"e.h\"\n",
	       "<a.h> <b.h> <d.h> <e.h>");
}

static void comments_hide_directives(void **state)
{
	(void)state;
	expect("/* \n#include <a.h>\n*/ #include <b.h>\n// \\\n#include <c.h>\n#include <d.h>",
	       "<b.h> <d.h>");
	expect("/*/\n#define A 1\n*/\n/**/#define B 2\n", "B@4=2;");
}

static void literals_hide_comments(void **state)
{
	(void)state;
	expect("const char *s = \"/*\";\n#define A 1\nchar c = '\"'; /* \" */\n#define B 2\n",
	       "A@2=1; B@4=2;");
	/* As in clang, a character constant that begins in skipped text ends at the end of its line. */
	expect("don't /* stop\n#define A 1\n#define B \"\\\"/*\"\n#define C 3\n",
	       "A@2=1; B@3=\"\\\"/*\"; C@4=3;");
}

static void continued_lines_are_one(void **state)
{
	(void)state;
	expect("#define A (1 + \\\n  2)\n#def\\\nine B 1\n#define C 3 /* to\n here */ + 4\n#define D 5\n",
	       "A@1=(1 + 2); C@5=3 + 4; D@7=5;");
	expect("#define A 1 \\  \r\n + 2\r\n#define B 3\r\n", "A@1=1 + 2; B@3=3;");
}

static void function_like_macros_are_left_out(void **state)
{
	(void)state;
	expect("#define F(x) x\n#define G (x)\n#define H\n#define 1X 1\n#define\n#\n", "G@2=(x); H@3=;");
}

static void a_header_behind_a_macro_is_an_include(void **state)
{
	(void)state;
	expect("#define H <a.h>\n#define I \"b.h\"\n#define S \"text\"\n",
	       "H@1=<a.h>; <a.h> I@2=\"b.h\"; <b.h> S@3=\"text\";");
}

static void any_text_comes_to_an_end_of_directives(void **state)
{
	static const char *const texts[] = {
		"",
		"#",
		"#define",
		"#define A",
		"#include",
		"#include <",
		"#include \"a",
		"/*",
		"/* *",
		"//",
		"// \\",
		"\\",
		"\"",
		"'\\",
		"#define A \"\\",
		"#define A /*",
		"#pragma pop_macro(\"",
		"#define A '",
		"/",
		"#/",
		"\n\n#\\\n",
	};
	struct report report = { .arena = { 0 } };
	struct directives_sink sink = { .data = &report, .include = on_include, .define = on_define };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		directives_scan(texts[i], strlen(texts[i]), &sink);
	strbuf_release(&report.text);
	arena_release(&report.arena);
}

/* clang warns of a NUL byte and treats it as white space: 0x10 + 5 is not 16. */
static void a_nul_byte_is_white_space(void **state)
{
	static const char body[] = " 0x10\0+ 5\0";
	struct arena arena = { 0 };

	(void)state;
	assert_string_equal(lexer_join((struct view){ body, sizeof(body) - 1 }, false, &arena), "0x10 + 5");
	arena_release(&arena);
}

static void a_body_has_its_comment_if_asked(void **state)
{
	struct arena arena = { 0 };
	const char *body = " (0x20) /* the \\\n   NAME\n of it */";
	struct view view = { body, strlen(body) };

	(void)state;
	assert_string_equal(lexer_join(view, true, &arena), "(0x20) /* the NAME of it */");
	assert_string_equal(lexer_join(view, false, &arena), "(0x20)");
	arena_release(&arena);
}

static enum branch branch_behind(const char *lines)
{
	struct view_lines text = { lines, lines + strlen(lines), 1 };
	struct conditions conditions = { 0 };
	struct view line;

	while (view_next_line(&line, &text))
		assert_true(conditions_follow(&conditions, line, conditions_opened(line)));
	return conditions_branch(&conditions);
}

static void a_branch_follows_from_the_first_one(void **state)
{
	(void)state;
	assert_int_equal(branch_behind(""), BRANCH_COMPILED);
	assert_int_equal(branch_behind("#if 0"), BRANCH_SKIPPED);
	assert_int_equal(branch_behind("#if 0\n#else"), BRANCH_COMPILED);
	assert_int_equal(branch_behind("#if 0\n#elif A"), BRANCH_UNKNOWN);
	assert_int_equal(branch_behind("#ifdef A\n#else"), BRANCH_UNKNOWN);
	assert_int_equal(branch_behind("#ifdef A\n#endif"), BRANCH_COMPILED);
	assert_int_equal(branch_behind("# if 0\n#if A"), BRANCH_SKIPPED);
	assert_int_equal(branch_behind("#if 0\n#else\n#else"), BRANCH_SKIPPED);
}

static void an_endif_needs_an_if(void **state)
{
	struct conditions conditions = { 0 };

	(void)state;
	assert_false(conditions_follow(&conditions, view_of("#endif"), BRANCH_UNKNOWN));
	assert_false(conditions_follow(&conditions, view_of("#else"), BRANCH_UNKNOWN));
	assert_true(conditions_follow(&conditions, view_of("#pragma once"), BRANCH_UNKNOWN));
}

static void depth_has_no_limit(void **state)
{
	struct conditions conditions = { 0 };

	(void)state;
	for (int i = 0; i < 3 * CONDITIONS_MAX; i++)
		assert_true(conditions_follow(&conditions, view_of("#if A"), BRANCH_UNKNOWN));
	for (int i = 0; i < 3 * CONDITIONS_MAX; i++)
		assert_true(conditions_follow(&conditions, view_of("#endif"), BRANCH_UNKNOWN));
	assert_int_equal(conditions_branch(&conditions), BRANCH_COMPILED);
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
		cmocka_unit_test(globs_match_whole_names),
		cmocka_unit_test(comments_and_the_insides_of_literals_are_blank),
		cmocka_unit_test(a_literal_ends_with_its_line),
		cmocka_unit_test(a_line_comment_goes_on_behind_a_splice),
		cmocka_unit_test(a_comment_in_a_literal_is_none),
		cmocka_unit_test(any_text_comes_to_an_end),
		cmocka_unit_test(a_lone_carriage_return_ends_a_line),
		cmocka_unit_test(includes_of_both_kinds_are_found),
		cmocka_unit_test(comments_hide_directives),
		cmocka_unit_test(literals_hide_comments),
		cmocka_unit_test(continued_lines_are_one),
		cmocka_unit_test(function_like_macros_are_left_out),
		cmocka_unit_test(a_header_behind_a_macro_is_an_include),
		cmocka_unit_test(any_text_comes_to_an_end_of_directives),
		cmocka_unit_test(a_nul_byte_is_white_space),
		cmocka_unit_test(a_body_has_its_comment_if_asked),
		cmocka_unit_test(a_branch_follows_from_the_first_one),
		cmocka_unit_test(an_endif_needs_an_if),
		cmocka_unit_test(depth_has_no_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
