/*
 * Tests of struct statements, which reads a source statement by statement. Each row of the table has a text,
 * the functions to call on it, and their results.
 */
#include "extract/fixture_test.h"

static void print_view(struct strbuf *out, struct view view)
{
	strbuf_addf(out, "[%.*s]", (int)view.length, view.at);
}

/*
 * Calls a function, and prints what it found. If the function returns false, it prints only "-".
 *   n  statements_next_name()       g  statements_cut_group()   a  statements_cut_arguments(), at most 2
 *   s  statements_skip_statement()  w  statements_skip()        q  nothing, but the stream becomes silent
 *   every other character           statements_cut() of this character
 */
static void call_function(struct strbuf *out, struct statements *stream, char function)
{
	struct view found[2] = { { "", 0 }, { "", 0 } };
	size_t count = 0;
	bool is_found = true;

	switch (function) {
	case 'n':
		is_found = statements_next_name(&found[count++], stream);
		break;
	case 'g':
		is_found = statements_cut_group(&found[count++], stream);
		break;
	case 'a':
		count = statements_cut_arguments(found, 2, stream);
		is_found = count;
		break;
	case 's':
		is_found = statements_skip_statement(stream);
		break;
	case 'w':
		is_found = statements_skip(stream);
		break;
	case 'q':
		stream->is_silent = true;
		break;
	default:
		is_found = statements_cut(stream, function);
	}
	if (!is_found) {
		strbuf_adds(out, "-\n");
		return;
	}
	strbuf_addf(out, "line %u", stream->line);
	if (function == 'a')
		strbuf_addf(out, " %zu arguments", count);
	for (size_t i = 0; i < count && i < 2; i++)
		print_view(out, found[i]);
	strbuf_addch(out, '\n');
}

TEST(a_source_is_read_statement_by_statement)
{
	static const struct {
		const char *fact, *text, *functions, *expected;
	} rows[] = {
		{ "names are found between other things", "1x /* no */ = a\n#define b\n(\"c\") d;", "nnn",
		  "line 1[a]\nline 3[d]\n-\n" },
		{ "a group ends with its own bracket", "{ a[1], (b, '}') } c", "gc",
		  "line 1[a[1], (b, ' ')]\nline 1\n" },
		{ "a group that ends with another bracket", "(a]", "g", "-\n" },
		{ "a group without an end", "(a", "g", "-\n" },
		{ "commas separate arguments", "(a , f(b, c),\n d) e", "a",
		  "line 2 3 arguments[a][f(b, c)]\n" },
		{ "arguments with a directive are skipped", "(a,\n#if X\nb) c", "an", "-\nline 3[c]\n" },
		{ "text after parentheses that do not close is read",
		  "(\n#endif\nf(b)", "qan", "line 1\n-\nline 3[f]\n" },
		{ "a statement ends with a semicolon or a block", "f(a; b);\nif (x) { y; }\n}", "sss}s",
		  "line 1\nline 2\nline 3\nline 3\n-\n" },
		{ "an #endif without an #if is named", "\n#endif\n", "w",
		  "-\nt.c:2: This line closes an #if that was not opened.\n" },
		{ "a silent stream does not name it", "\n#endif\n", "qw", "line 1\n-\n" },
	};
	bool differs = false;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct arena arena = { 0 };
		struct strbuf text = { 0 };
		struct abi_builder *builder = abi_builder_new(&arena);
		struct table_file file = { "t.c", rows[i].text, strlen(rows[i].text), builder, &arena };
		struct statements stream;

		statements_init(&stream, &file);
		for (const char *function = rows[i].functions; *function; function++)
			call_function(&text, &stream, *function);
		print_document(&text, document_seal(builder, "1", &arena));
		differs |= text_differs(rows[i].fact, &text, rows[i].expected);
		abi_builder_free(builder);
		arena_release(&arena);
	}
	assert_false(differs);
}
