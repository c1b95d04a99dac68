/*
 * Tests of the functions that read the text of a macro. Each row of a table has a text, and what one function
 * finds in it.
 */
#include "extract/fixture_test.h"

struct macro_row {
	const char *text, *expected;
};

/* Calls @print, which prints what a function finds, for each row. The last row has no text. */
static void check_macros(const struct macro_row *rows, void (*print)(struct strbuf *out, const char *text))
{
	bool differs = false;

	for (; rows->text; rows++) {
		struct strbuf text = { 0 };

		print(&text, rows->text);
		differs |= text_differs(rows->text, &text, rows->expected);
	}
	assert_false(differs);
}

TEST(a_number_has_only_tokens_of_expressions)
{
	static const struct {
		bool can_be_number;
		const char *texts[24]; /* ends with NULL */
	} rows[] = {
		{ true,
		  { "1", "(0x20U)", "-1", "~0ULL", "1 << 31", "(1 ? 2 : 3)", "'A'", "'\\''", "(1 == 2)",
		    "3 <= 4", "1 != 0", "!0" } },
		{ true, /* names can be any value */
		  { "A", "(A + 1)", "sizeof(int)", "F(1, 2)", "(int)1.5", "(A ? B : C)", "((T)1)", "a[1]" } },
		{ false,
		  { "", "\"s\"", "7:0", "(7:0)", "1, 2", "{ 1 }", "x = 1", "do { } while (0)", "unsigned int",
		    "struct s", "1.5", "1e5", "(1", "1)", "(1]", "a;", "# x", "'", "0x1p3", "return 1",
		    "1 ? 2 : 3 : 4" } },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		for (const char *const *text = rows[i].texts; *text; text++)
			if (macro_can_be_number(*text) != rows[i].can_be_number)
				fail_msg("%s", *text);
}

TEST(nesting_has_a_limit)
{
	char text[2048] = "";

	memset(text, '(', 600);
	text[600] = '1';
	memset(text + 601, ')', 600);
	assert_false(macro_can_be_number(text));
	text[1101] = '\0';
	assert_true(macro_can_be_number(text + 100));
}

static void print_literal(struct strbuf *out, const char *text)
{
	strbuf_adds(out, macro_is_literal(text) ? "literal" : "");
}

/* Which numbers are literals is tested with view_number(). */
TEST(a_literal_can_be_in_brackets)
{
	static const struct macro_row rows[] = {
		{ "0", "literal" }, { "((0x20))", "literal" }, { "( 1 )", "literal" }, { "7llu", "literal" },
		{ "", "" }, { "x", "" }, { "-1", "" }, { "1 + 1", "" }, { "((1)", "" }, { "1.5", "" },
		{ "18446744073709551616", "" }, { "'a'", "" },
		{ 0 },
	};

	check_macros(rows, print_literal);
}

static void print_call(struct strbuf *out, const char *text)
{
	struct view call;

	if (macro_first_call(&call, text))
		strbuf_add(out, call.at, call.length);
}

TEST(a_call_is_found_in_other_text)
{
	static const struct macro_row rows[] = {
		{ "_IO('T', 1)", "_IO('T', 1)" }, { "((unsigned)_IO('T', 2))", "_IO('T', 2)" },
		{ "0x4020+A (B(1), 2)", "A (B(1), 2)" }, { "sizeof(long) == 8 ? A(1) : B(2)", "A(1)" },
		{ "(u32)(_IO(1, 2) | 0)", "_IO(1, 2)" }, { "sizeof(A(1))", "A(1)" },
		{ "", "" }, { "A", "" }, { "(1)", "" }, { "(A)", "" }, { "1(2)", "" },
		{ "sizeof(long)", "" }, { "A(", "" }, { "A + (1)", "" }, { "0x1F(2)", "" },
		{ 0 },
	};

	check_macros(rows, print_call);
}

static void print_names(struct strbuf *out, const char *text)
{
	struct view name;

	while (macro_next_name(&name, &text))
		strbuf_addf(out, "%s%.*s", out->length ? " " : "", (int)name.length, name.at);
}

TEST(names_are_found_outside_of_calls)
{
	static const struct macro_row rows[] = {
		{ "(sizeof(struct s) == 8 ? A : B)", "A B" },
		{ "(sizeof (time_t) > sizeof(x) ? A2 : __A_3)", "A2 __A_3" },
		{ "(unsigned)(u32)A", "u32 A" }, { "f(A, B) + C - g (D)", "C" },
		{ "0x10UL + 'A' + 3 * 1e5", "" }, { "__LINE__ + __COUNTER__ || defined A", "A" },
		{ "A(", "A" }, { "\"A\" B", "B" }, { "", "" },
		{ 0 },
	};

	check_macros(rows, print_names);
}

static void print_is_name(struct strbuf *out, const char *text)
{
	strbuf_adds(out, macro_is_name(text) ? "name" : "");
}

TEST(brackets_around_a_name_do_not_count)
{
	static const struct macro_row rows[] = {
		{ "A", "name" }, { " ( (A) ) ", "name" }, { "A + B", "" }, { "(A)(B)", "" }, { "()", "" },
		{ 0 },
	};

	check_macros(rows, print_is_name);
}

static void print_has_comma(struct strbuf *out, const char *text)
{
	strbuf_adds(out, macro_has_comma(text) ? "comma" : "");
}

TEST(a_comma_is_an_operator_outside_of_calls)
{
	static const struct macro_row rows[] = {
		{ "(1, 2)", "comma" }, { "f(1, (2, 3))", "comma" }, { "1, 2", "comma" },
		{ "f(1, 2) + sizeof (3, 4)", "" }, { "(struct s){ 1, 2 }", "" },
		{ "(1 + ',' + \",\"[0])", "" }, { ") '", "" },
		{ 0 },
	};

	check_macros(rows, print_has_comma);
}
