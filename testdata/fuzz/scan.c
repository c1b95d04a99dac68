/* scan - directives, pieces, words and joined bodies of a C text */
#include "lib/fuzz.h"

#include "extract/scan.h"

#include <stdlib.h>
#include <string.h>

struct text {
	const char *start, *end;
	const char *at;   /* pieces: where the next one must begin */
	unsigned line;    /* directives: of the last definition */
	struct arena *arena;
};

static bool inside(const struct text *text, struct view view)
{
	return view.at >= text->start && view.at <= text->end && view.length <= (size_t)(text->end - view.at);
}

static bool is_word(struct view name)
{
	for (size_t i = 0; i < name.length; i++)
		if (!strchr("_$", name.at[i]) && !(name.at[i] >= '0' && name.at[i] <= '9') &&
		    !((name.at[i] | 0x20) >= 'a' && (name.at[i] | 0x20) <= 'z'))
			return false;
	return name.length;
}

static bool is_name(struct view name)
{
	return is_word(name) && !(*name.at >= '0' && *name.at <= '9');
}

static void take_include(void *data, struct view spelled, enum scan_include kind)
{
	(void)kind;
	MUST(inside(data, spelled) && spelled.length);
}

/*
 * Without literals: one line, no space at its ends, no run of spaces; joined
 * again it stays as it is, unless a continued line parted a comment's mark.
 */
static void check_joined(struct text *text, struct view body)
{
	const char *joined = scan_join(body, false, text->arena);
	size_t length = strlen(joined);

	scan_join(body, true, text->arena);
	if (memchr(body.at, '"', body.length) || memchr(body.at, '\'', body.length))
		return;
	MUST(!length || (*joined != ' ' && joined[length - 1] != ' '));
	MUST(!strpbrk(joined, "\n\t\v\f\r"));
	MUST(!strstr(joined, "  "));
	MUST(memchr(body.at, '\\', body.length) || !strcmp(scan_join((struct view){ joined, length }, false, text->arena), joined));
}

static unsigned line_of(const struct text *text, const char *at)
{
	unsigned line = 1;

	for (const char *p = text->start; p < at; p++)
		line += *p == '\n';
	return line;
}

static void take_define(void *data, const struct scan_define *define)
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

static void take_undef(void *data, struct view name)
{
	MUST(inside(data, name) && name.length);
}

/* One that is continued on the next line is not inside the text, but in a buffer; in literals, numbers are words as well. */
static void take_word(void *data, struct view word)
{
	const struct text *text = data;

	MUST(is_word(word));
	MUST(word.length <= (size_t)(text->end - text->start));
}

/* Pieces cover the text, in order, with nothing between. */
static void take_piece(void *data, const struct scan_piece *piece)
{
	struct text *text = data;

	MUST(piece->whole.at == text->at);
	MUST(piece->whole.length > 0);
	text->at += piece->whole.length;
	MUST(inside(text, piece->whole));
	scan_words(piece->whole, data, take_word);
	if (!piece->is_define)
		return;
	MUST(*piece->whole.at == '#');
	MUST(inside(text, piece->name) && inside(text, piece->rest));
	MUST(piece->name.at > piece->whole.at);
	MUST(piece->rest.at == piece->name.at + piece->name.length);
	MUST(piece->rest.at + piece->rest.length == text->at);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct scan_sink sink = { .include = take_include, .define = take_define, .undef = take_undef };
	char *copy = fuzz_text(data, size);
	struct arena arena = { 0 };
	struct text text = { .start = copy, .end = copy + size, .at = copy, .arena = &arena };
	struct scan_sink with_data = sink;

	with_data.data = &text;
	scan_directives(copy, size, &with_data);
	scan_pieces(copy, size, &text, take_piece);
	MUST(text.at == text.end);
	scan_words((struct view){ copy, size }, &text, take_word);
	arena_release(&arena);
	free(copy);
	return 0;
}
