/*
 * Tests of C source as text: views, the lexer, directives, conditions, globs for names. Most of them are rows
 * of one table: a text, a function that reads it, and what that function makes of it, as text.
 */
#include "base/unit_test.h"

static struct arena arena;

static int release_arena(void **state)
{
	arena_release(&arena);
	return 0;
}

static const char *as_name(const char *text)
{
	return view_is_name(view_of(text)) ? "a name" : "no name";
}

static const char *as_number(const char *text)
{
	uint64_t value;

	return view_number(&value, view_of(text)) ? arena_printf(&arena, "%" PRIu64, value) : "no number";
}

/* Returns "[A][B]" for the names, then "malformed" if something else follows. */
static const char *as_names(const char *text)
{
	struct view list = view_of(text), one;
	bool malformed = false;
	const char *all = "";

	while (view_cut_names(&one, &list, &malformed))
		all = arena_printf(&arena, "%s[%.*s]", all, (int)one.length, one.at);
	return arena_printf(&arena, "%s%s", all, malformed ? "malformed" : "");
}

/* Returns "[A][B]" for the lines, then the number of the line after them. */
static const char *as_lines(const char *text)
{
	struct view_lines rest = { text, text + strlen(text), 1 };
	const char *all = "";
	struct view line;

	while (view_next_line(&line, &rest))
		all = arena_printf(&arena, "%s[%.*s]", all, (int)line.length, line.at);
	return arena_printf(&arena, "%s%u", all, rest.number);
}

static const char *blanked(const char *text)
{
	return lexer_blank(view_of(text), &arena);
}

static const char *after_comment(const char *text)
{
	const char *rest = lexer_skip_comment(text, text + strlen(text));

	return rest ? rest : "no comment";
}

static const char *uncommented(const char *text)
{
	const struct view view = lexer_uncommented(view_of(text));

	return arena_strndup(&arena, view.at, view.length);
}

static const char *with_newlines(const char *text)
{
	const char *changed = lexer_newlines(text, strlen(text), &arena);

	return changed == text ? "not copied" : changed;
}

static const char *joined(const char *text)
{
	return lexer_join(view_of(text), false, &arena);
}

static const char *joined_with_comment(const char *text)
{
	return lexer_join(view_of(text), true, &arena);
}

static void on_include(void *data, struct view spelled)
{
	strbuf_addf(data, "<%.*s> ", (int)spelled.length, spelled.at);
}

static void on_define(void *data, const struct define *define)
{
	strbuf_addf(data, "%.*s@%u=%s; ", (int)define->name.length, define->name.at, define->line,
		    lexer_join(define->body, false, &arena));
}

/* Returns the includes and the macros: "<a.h> <b.h> N@3=1; ". */
static const char *as_directives(const char *text)
{
	struct strbuf found = { 0 };
	struct directives_sink sink = { .data = &found, .include = on_include, .define = on_define };
	const char *all;

	directives_scan(text, strlen(text), &sink);
	all = arena_strdup(&arena, strbuf_text(&found));
	strbuf_release(&found);
	return all;
}

/* Returns what happens to the text after the lines. */
static const char *as_branch(const char *text)
{
	static const char *const branches[] = {
		[BRANCH_COMPILED] = "compiled", [BRANCH_SKIPPED] = "skipped", [BRANCH_UNKNOWN] = "unknown"
	};
	struct view_lines rest = { text, text + strlen(text), 1 };
	struct conditions conditions = { 0 };
	struct view line;

	while (view_next_line(&line, &rest))
		assert_true(conditions_follow(&conditions, line, conditions_opened(line)));
	return branches[conditions_branch(&conditions)];
}

TEST(a_text_is_read)
{
	static const struct {
		const char *fact; /* NULL: that of the row above */
		const char *(*read)(const char *text);
		const char *text, *expected;
	} rows[] = {
		{ "a name is what clang calls one", as_name, "_NV0000$a9", "a name" },
		{ NULL, as_name, "gr\xc3\xb6\xc3\x9f" "e", "a name" },
		{ NULL, as_name, "", "no name" },
		{ NULL, as_name, "9a", "no name" },
		{ NULL, as_name, "a b", "no name" },
		{ "a number is read as C reads it", as_number, "0", "0" },
		{ NULL, as_number, "12u", "12" },
		{ NULL, as_number, "0x1FUL", "31" },
		{ NULL, as_number, "017", "15" },
		{ NULL, as_number, "18446744073709551615", "18446744073709551615" },
		{ NULL, as_number, "", "no number" },
		{ NULL, as_number, "u", "no number" },
		{ NULL, as_number, "0x", "no number" },
		{ NULL, as_number, "08", "no number" },
		{ NULL, as_number, "1.5", "no number" },
		{ NULL, as_number, "-1", "no number" },
		{ NULL, as_number, "18446744073709551616", "no number" },
		{ NULL, as_number, "1 2", "no number" },
		{ "names are separated by bars", as_names, "A | B |C", "[A][B][C]" },
		{ NULL, as_names, "A + B", "malformed" },
		{ "a line has no white space around it", as_lines, " a \r\n\n\tb", "[a][][b]4" },
		{ "comments and the insides of literals are blank", blanked, "a /* \"b */ c // d\ne",
		  "a          c     \ne" },
		{ NULL, blanked, "f(\"x, )\", '\\'')", "f(\"    \", '  ')" },
		{ NULL, blanked, "/* 1\n2 */ 3", "    \n     3" },
		{ NULL, blanked, "/*/ a */ b", "         b" },
		{ "a literal ends with its line", blanked, "\"a\nb", "\" \nb" },
		{ NULL, blanked, "\"a\\\nb\" c", "\"  \n \" c" },
		{ NULL, blanked, "#error don't\nb", "#error don't\nb" },
		{ "a line comment continues after a splice", after_comment, "// a \\ \r\n b\nc", "\nc" },
		{ NULL, after_comment, "/", "no comment" },
		{ "a comment in a literal is none", uncommented, "\"/*\" 1 // x", "\"/*\" 1 " },
		{ NULL, uncommented, "1 / 2", "1 / 2" },
		{ "a lone carriage return ends a line", with_newlines, "a\r\nb\n", "not copied" },
		{ NULL, with_newlines, "#define A 1 // x\r#define B\r\r\n\r",
		  "#define A 1 // x\n#define B\n\r\n\n" },
		{ "a body has its comment if asked", joined_with_comment,
		  " (0x20) /* the \\\n   NAME\n of it */", "(0x20) /* the NAME of it */" },
		{ NULL, joined, " (0x20) /* the \\\n   NAME\n of it */", "(0x20)" },
		{ "includes of both kinds are found", as_directives,
		  "#include <a.h>\n  #  include \"b.h\" // c\n#include_next <d.h>\n#import \"e.h\"\n",
		  "<a.h> <b.h> <d.h> <e.h> " },
		{ "comments hide directives", as_directives,
		  "/* \n#include <a.h>\n*/ #include <b.h>\n// \\\n#include <c.h>\n#include <d.h>",
		  "<b.h> <d.h> " },
		{ NULL, as_directives, "/*/\n#define A 1\n*/\n/**/#define B 2\n", "B@4=2; " },
		{ "literals hide comments", as_directives,
		  "const char *s = \"/*\";\n#define A 1\nchar c = '\"'; /* \" */\n#define B 2\n",
		  "A@2=1; B@4=2; " },
		/* As in clang, a character constant that begins in skipped text ends with its line. */
		{ NULL, as_directives, "don't /* stop\n#define A 1\n#define B \"\\\"/*\"\n#define C 3\n",
		  "A@2=1; B@3=\"\\\"/*\"; C@4=3; " },
		{ "continued lines are one", as_directives,
		  "#define A (1 + \\\n  2)\n#def\\\nine B 1\n#define C 3 /* to\n here */ + 4\n#define D 5\n",
		  "A@1=(1 + 2); C@5=3 + 4; D@7=5; " },
		{ NULL, as_directives, "#define A 1 \\  \r\n + 2\r\n#define B 3\r\n", "A@1=1 + 2; B@3=3; " },
		{ "function-like macros are left out", as_directives,
		  "#define F(x) x\n#define G (x)\n#define H\n#define 1X 1\n#define\n#\n", "G@2=(x); H@3=; " },
		{ "a header that a macro names is an include", as_directives,
		  "#define H <a.h>\n#define I \"b.h\"\n#define S \"text\"\n",
		  "H@1=<a.h>; <a.h> I@2=\"b.h\"; <b.h> S@3=\"text\"; " },
		{ "a branch follows from the first one", as_branch, "", "compiled" },
		{ NULL, as_branch, "#if 0", "skipped" },
		{ NULL, as_branch, "#if 0\n#else", "compiled" },
		{ NULL, as_branch, "#if 0\n#elif A", "unknown" },
		{ NULL, as_branch, "#ifdef A\n#else", "unknown" },
		{ NULL, as_branch, "#ifdef A\n#endif", "compiled" },
		{ NULL, as_branch, "# if 0\n#if A", "skipped" },
		{ NULL, as_branch, "#if 0\n#else\n#else", "skipped" },
	};
	const char *fact = NULL;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const char *got = rows[i].read(rows[i].text);

		fact = rows[i].fact ? rows[i].fact : fact;
		if (strcmp(got, rows[i].expected))
			fail_msg("%s: '%s' is '%s', expected '%s'", fact, rows[i].text, got,
				 rows[i].expected);
	}
}

TEST(a_cut_goes_to_the_next_word)
{
	struct view rest = view_of("#  define A_B (1)"), name;

	assert_true(view_cut(&rest, "#"));
	assert_true(view_cut(&rest, "define"));
	assert_true(view_cut_name(&name, &rest));
	assert_true(view_is(name, "A_B"));
	assert_true(view_is(rest, "(1)"));
	assert_false(view_cut_name(&name, &rest));
	assert_true(view_is(rest, "(1)"));
}

TEST(a_mention_is_a_whole_word)
{
	const char *text = "AB_ A_B AB(x)";

	assert_ptr_equal(view_mention(view_of(text), "AB"), text + 8);
	assert_null(view_mention(view_of(text), "B"));
	assert_null(view_mention(view_of(text), ""));
}

TEST(globs_match_whole_names)
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

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (glob_matches(cases[i].glob, view_of(cases[i].name), false) != cases[i].matches)
			fail_msg("%s against %s", cases[i].name, cases[i].glob);
	}
}

TEST(a_word_is_found_wherever_it_is)
{
	static const char *const words[] = { "", "x", "xy", "xyz", "xyzxyzxyzxyzxyzxyz" };
	char text[41];

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		const size_t length = strlen(words[i]);

		for (size_t size = 0; size < sizeof(text); size++) {
			memset(text, 'x', sizeof(text));
			assert_ptr_equal(find_text(text, text + size, words[i], length),
					 memmem(text, size, words[i], length));
			for (size_t at = 0; at + length <= size; at++) {
				memset(text, 'y', sizeof(text));
				memcpy(text + at, words[i], length);
				assert_ptr_equal(find_text(text, text + size, words[i], length),
						 memmem(text, size, words[i], length));
			}
		}
	}
}

TEST(any_text_comes_to_an_end)
{
	static const char *const texts[] = {
		"", "#", "#define", "#define A", "#include", "#include <", "#include \"a", "/*", "/* *", "//",
		"// \\", "\\", "\"", "'\\", "#define A \"\\", "#define A /*", "#pragma pop_macro(\"",
		"#define A '", "/", "#/", "\n\n#\\\n", "\"\\\n",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		const char *end = texts[i] + strlen(texts[i]);

		assert_int_equal(strlen(blanked(texts[i])), strlen(texts[i]));
		joined_with_comment(texts[i]);
		as_directives(texts[i]);
		assert_true(lexer_line_end(texts[i], end) <= end);
		assert_true(lexer_skip_blank(texts[i], end) <= end);
		assert_true(lexer_uncommented(view_of(texts[i])).length <= strlen(texts[i]));
	}
}

/* clang warns of a NUL byte and treats it as white space: 0x10 + 5 is not 16. */
TEST(a_nul_byte_is_white_space)
{
	static const char body[] = " 0x10\0+ 5\0";

	assert_string_equal(lexer_join((struct view){ body, sizeof(body) - 1 }, false, &arena), "0x10 + 5");
}

TEST(an_endif_needs_an_if_at_any_depth)
{
	struct conditions conditions = { 0 };

	for (int i = 0; i < 3 * CONDITIONS_MAX; i++)
		assert_true(conditions_follow(&conditions, view_of("#if A"), BRANCH_UNKNOWN));
	for (int i = 0; i < 3 * CONDITIONS_MAX; i++)
		assert_true(conditions_follow(&conditions, view_of("#endif"), BRANCH_UNKNOWN));
	assert_int_equal(conditions_branch(&conditions), BRANCH_COMPILED);
	assert_false(conditions_follow(&conditions, view_of("#endif"), BRANCH_UNKNOWN));
	assert_false(conditions_follow(&conditions, view_of("#else"), BRANCH_UNKNOWN));
	assert_true(conditions_follow(&conditions, view_of("#pragma once"), BRANCH_UNKNOWN));
}

TEST_GROUP(NULL, release_arena)
