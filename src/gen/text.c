/*
 * gen/text.c - words, indents and comments of C
 */
#include "gen/cdecl.h"
#include "gen/text.h"

#include "base/escape.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

enum { COMMENT_COLUMN = 48, LINE_COLUMNS = 80 };

/* Of C11; and what gcc adds to it even where it is asked for nothing else. */
static bool is_keyword(const char *text)
{
	static const char *const keywords[] = {
		"auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum", "extern", "float", "for", "goto",
		"if", "inline", "int", "long", "register", "restrict", "return", "short", "signed", "sizeof", "static", "struct", "switch",
		"typedef", "union", "unsigned", "void", "volatile", "while", "_Alignas", "_Alignof", "_Atomic", "_Bool", "_Complex", "_Generic",
		"_Imaginary", "_Noreturn", "_Static_assert", "_Thread_local", "__asm__", "__attribute__", "__extension__", "__typeof__",
	};

	for (size_t i = 0; i < sizeof(keywords) / sizeof(*keywords); i++)
		if (!strcmp(keywords[i], text))
			return true;
	return false;
}

bool cdecl_is_name(const char *text)
{
	size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");

	return length && !text[length] && !isdigit((unsigned char)*text) && !is_keyword(text);
}

int cdecl_check_name(const char *name, struct err *err)
{
	return cdecl_is_name(name) ? 0 : err_set(err, ERR_FORMAT, "'%s' is no name of C, so it cannot be declared; --format text shows it", name);
}

void cdecl_comment(struct strbuf *out, const char *text)
{
	struct strbuf escaped = { 0 };

	escape_terminal(&escaped, text);
	strbuf_adds(out, "/* ");
	for (const char *at = strbuf_text(&escaped); *at; at++) {
		strbuf_addch(out, *at);
		if (*at == '*' && at[1] == '/')
			strbuf_addch(out, ' ');
		if (*at == '/' && at[1] == '*')
			strbuf_addch(out, ' ');
	}
	strbuf_adds(out, " */");
	strbuf_release(&escaped);
}

bool cdecl_is_builtin(const char *text)
{
	static const char *const own[] = { "char", "short", "int", "long", "float", "double", "signed", "unsigned", "void", "_Bool", "_Complex", "__int128",
					   "const", "volatile", NULL };

	while (*text) {
		size_t length = strcspn(text, " "), i = 0;

		while (own[i] && (strlen(own[i]) != length || strncmp(own[i], text, length)))
			i++;
		if (!own[i])
			return false;
		text += length + strspn(text + length, " ");
	}
	return true;
}

void text_indent(struct strbuf *out, size_t depth)
{
	for (size_t i = 0; i < depth; i++)
		strbuf_addch(out, '\t');
}

/* Columns of the last line, with tabs of 8. */
static size_t column_of(const struct strbuf *out)
{
	const char *end = memrchr(out->text, '\n', out->length), *at = end ? end + 1 : out->text;
	size_t column = 0;

	for (; *at; at++)
		column = *at == '\t' ? (column / 8 + 1) * 8 : column + 1;
	return column;
}

/* Comments begin in one column, but for those behind long names, or below them where both do not fit on a line. */
void text_to_comment(struct strbuf *out, size_t width)
{
	size_t column = column_of(out);

	if (column < COMMENT_COLUMN && COMMENT_COLUMN + width <= LINE_COLUMNS) {
		strbuf_addf(out, "%*s", (int)(COMMENT_COLUMN - column), "");
	} else if (column + 1 + width <= LINE_COLUMNS) {
		strbuf_addch(out, ' ');
	} else {
		strbuf_addch(out, '\n');
		text_indent(out, COMMENT_COLUMN + width <= LINE_COLUMNS ? COMMENT_COLUMN / 8 : 1);
	}
}

/* @text as a comment behind what is on the line, or below it. */
void text_add_comment(struct strbuf *out, const char *text)
{
	struct strbuf comment = { 0 };

	cdecl_comment(&comment, text);
	text_to_comment(out, comment.length);
	strbuf_adds(out, strbuf_text(&comment));
	strbuf_release(&comment);
}
