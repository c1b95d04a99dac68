/* scan - read the preprocessor directives of C source, and join the lines of macro bodies */
#include "lib/fuzz.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

struct text {
	const char *start, *end;
	unsigned line;    /* the line of the last definition */
	struct arena *arena;
};

static bool inside(const struct text *text, struct view view)
{
	return view.at >= text->start && view.at <= text->end && view.length <= (size_t)(text->end - view.at);
}

static bool is_word(struct view name)
{
	for (size_t i = 0; i < name.length; i++)
		if (!strchr("_$", name.at[i]) && (unsigned char)name.at[i] < 0x80 && !(name.at[i] >= '0' && name.at[i] <= '9') &&
		    !((name.at[i] | 0x20) >= 'a' && (name.at[i] | 0x20) <= 'z'))
			return false;
	return name.length;
}

static bool is_name(struct view name)
{
	return is_word(name) && !(*name.at >= '0' && *name.at <= '9');
}

static void on_include(void *data, struct view spelled)
{
	MUST(inside(data, spelled) && spelled.length);
}

/*
 * check_joined - check a joined macro body without string or character literals
 *
 * It is one line, without spaces at its ends or several spaces in a row. Joining
 * it again changes nothing, unless a backslash-newline splits a comment marker.
 */
static void check_joined(struct text *text, struct view body)
{
	const char *joined = lexer_join(body, false, text->arena);
	size_t length = strlen(joined);

	lexer_join(body, true, text->arena);
	if (memchr(body.at, '"', body.length) || memchr(body.at, '\'', body.length))
		return;
	MUST(!length || (*joined != ' ' && joined[length - 1] != ' '));
	MUST(!strpbrk(joined, "\n\t\v\f\r"));
	MUST(!strstr(joined, "  "));
	MUST(memchr(body.at, '\\', body.length) || !strcmp(lexer_join((struct view){ joined, length }, false, text->arena), joined));
}

static unsigned line_of(const struct text *text, const char *at)
{
	unsigned line = 1;

	for (const char *p = text->start; p < at; p++)
		line += *p == '\n';
	return line;
}

static void on_define(void *data, const struct define *define)
{
	struct text *text = data;

	MUST(inside(text, define->name) && inside(text, define->body));
	MUST(is_name(define->name));
	MUST(define->body.at == define->name.at + define->name.length);
	MUST(define->line >= text->line);
	MUST(define->line <= line_of(text, define->name.at));
	text->line = define->line;
	check_joined(text, define->body);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct directives_sink sink = { .include = on_include, .define = on_define };
	char *copy = fuzz_text(data, size);
	struct arena arena = { 0 };
	struct text text = { .start = copy, .end = copy + size, .arena = &arena };
	struct directives_sink with_data = sink;

	with_data.data = &text;
	directives_scan(copy, size, &with_data);
	arena_release(&arena);
	free(copy);
	return 0;
}
