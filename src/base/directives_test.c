#include "base/ctext.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

/* What a scan reported, as one line of text: "<a.h> <b.h> N@3=1;". */
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
	expect("#include <a.h>\n  #  include \"b.h\" // c\n#include_next <d.h>\n#import \"e.h\"\n", "<a.h> <b.h> <d.h> <e.h>");
}

static void comments_hide_directives(void **state)
{
	(void)state;
	expect("/* \n#include <a.h>\n*/ #include <b.h>\n// \\\n#include <c.h>\n#include <d.h>", "<b.h> <d.h>");
	expect("/*/\n#define A 1\n*/\n/**/#define B 2\n", "B@4=2;");
}

static void literals_hide_comments(void **state)
{
	(void)state;
	expect("const char *s = \"/*\";\n#define A 1\nchar c = '\"'; /* \" */\n#define B 2\n", "A@2=1; B@4=2;");
	/* To clang, too, an apostrophe in text that is skipped reaches to the end of its line. */
	expect("don't /* stop\n#define A 1\n#define B \"\\\"/*\"\n#define C 3\n", "A@2=1; B@3=\"\\\"/*\"; C@4=3;");
}

static void continued_lines_are_one(void **state)
{
	(void)state;
	expect("#define A (1 + \\\n  2)\n#def\\\nine B 1\n#define C 3 /* to\n here */ + 4\n#define D 5\n", "A@1=(1 + 2); C@5=3 + 4; D@7=5;");
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
	expect("#define H <a.h>\n#define I \"b.h\"\n#define S \"text\"\n", "H@1=<a.h>; <a.h> I@2=\"b.h\"; <b.h> S@3=\"text\";");
}

static void any_text_comes_to_an_end(void **state)
{
	static const char *const texts[] = {
		"", "#", "#define", "#define A", "#include", "#include <", "#include \"a", "/*", "/* *", "//", "// \\", "\\", "\"",
		"'\\", "#define A \"\\", "#define A /*", "#pragma pop_macro(\"", "#define A '", "/", "#/", "\n\n#\\\n",
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

/* clang warns of it and reads on: 0x10 + 5 is not 16. */
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(includes_of_both_kinds_are_found),
		cmocka_unit_test(comments_hide_directives),
		cmocka_unit_test(literals_hide_comments),
		cmocka_unit_test(continued_lines_are_one),
		cmocka_unit_test(function_like_macros_are_left_out),
		cmocka_unit_test(a_header_behind_a_macro_is_an_include),
		cmocka_unit_test(any_text_comes_to_an_end),
		cmocka_unit_test(a_nul_byte_is_white_space),
		cmocka_unit_test(a_body_has_its_comment_if_asked),
	};

	return cmocka_run_group_tests_name("directives", tests, NULL, NULL);
}
