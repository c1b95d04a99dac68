#include "extract/hints.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* One scan. */
struct reading {
	const char *text;
	struct macro_rules *rules;
	struct arena *arena;
	struct view *includes;
	size_t include_count, include_capacity;
	struct hint *defines;
	size_t define_count, define_capacity;
	size_t *questions;
	size_t question_count, question_capacity;
	struct pragma_hint *pragmas;
	size_t pragma_count, pragma_capacity;
};

static void on_include(void *data, struct view spelled)
{
	struct reading *reading = data;

	ARRAY_GROW(reading->includes, reading->include_count, reading->include_capacity);
	reading->includes[reading->include_count++] = (struct view){
		arena_strndup(reading->arena, spelled.at, spelled.length), spelled.length };
}

/* Where the last token of @body ends, if nothing in it could be anything but a token or a blank; else 0. */
static size_t plain_end(const struct reading *reading, struct view body)
{
	static const bool is_plain[256] = {
		['a' ... 'z'] = true, ['A' ... 'Z'] = true, ['0' ... '9'] = true, ['_'] = true, ['$'] = true, [' '] = true, ['\t'] = true,
		['('] = true, [')'] = true, ['|'] = true, ['&'] = true, ['+'] = true, ['-'] = true, ['*'] = true, ['~'] = true,
		['='] = true, ['>'] = true, [','] = true,
	};
	size_t length = body.length;

	for (size_t i = 0; i < body.length; i++)
		if (!is_plain[(unsigned char)body.at[i]])
			return 0;
	while (length && (body.at[length - 1] == ' ' || body.at[length - 1] == '\t'))
		length--;
	return (size_t)(body.at + length - reading->text);
}

/* Does the name end there to clang as well, which sees continued lines and \u in it? */
static bool is_whole(struct view name)
{
	return name.at[name.length] != '\\';
}

static void on_define(void *data, const struct define *define)
{
	struct reading *reading = data;
	struct macro_definition definition;
	struct hint hint = { .start = (size_t)(define->name.at - reading->text) };

	if (!reading->rules)
		return;
	hint.verdict = macro_rules_apply(&definition, reading->rules, define, reading->arena);
	if (hint.verdict == MACRO_WANTED)
		hint.definition = arena_memdup(reading->arena, &definition, sizeof(definition));
	if (is_whole(define->name))
		hint.end = plain_end(reading, define->body);
	else if (hint.verdict == MACRO_UNKNOWN)
		hint.verdict = MACRO_REJECTED; /* its name is another one, of which the rules were not asked */
	ARRAY_GROW(reading->defines, reading->define_count, reading->define_capacity);
	reading->defines[reading->define_count++] = hint;
}

/* A function-like macro has no value of its own, and no rule but those of families from ioc wants one. */
static void on_function(void *data, const struct define *define)
{
	struct reading *reading = data;
	struct macro_definition definition;
	struct hint hint = { .start = (size_t)(define->name.at - reading->text), .verdict = MACRO_WANTED };

	if (!reading->rules || !macro_rules_want_functions(reading->rules) || !is_whole(define->name) ||
	    macro_rules_apply(&definition, reading->rules, define, reading->arena) != MACRO_WANTED)
		return;
	hint.definition = arena_memdup(reading->arena, &definition, sizeof(definition));
	hint.end = plain_end(reading, define->body);
	ARRAY_GROW(reading->defines, reading->define_count, reading->define_capacity);
	reading->defines[reading->define_count++] = hint;
}

static void find_questions(struct reading *reading, size_t size)
{
	static const char *const names[] = { "__has_include", "__has_embed" };
	const char *end = reading->text + size;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		for (const char *at = reading->text; (at = memmem(at, (size_t)(end - at), names[i], strlen(names[i]))); at++) {
			ARRAY_GROW(reading->questions, reading->question_count, reading->question_capacity);
			reading->questions[reading->question_count++] = (size_t)(at - reading->text);
		}
	}
}

/* Is it a pragma's first word: behind "#pragma", at the start of a string, or of the argument of a macro that is called DO_PRAGMA or so? */
static bool begins_pragma(bool *is_directive, const char *text, const char *at)
{
	static const char word[] = "pragma";
	const char *before = at;

	while (before > text && (before[-1] == ' ' || before[-1] == '\t'))
		before--;
	*is_directive = before < at && before - text >= (ptrdiff_t)strlen(word) && !memcmp(before - strlen(word), word, strlen(word));
	if (*is_directive || before == text || before[-1] != '(')
		return *is_directive || (before > text && before[-1] == '"');
	return before - text > (ptrdiff_t)strlen(word) && !strncasecmp(before - 1 - strlen(word), word, strlen(word));
}

static struct view next_word(const char **at, const char *stop)
{
	struct view word;

	*at = lexer_skip_blank(*at, stop);
	word = view_word((struct view){ *at, (size_t)(stop - *at) });
	*at = lexer_skip_blank(*at + word.length, stop);
	return word;
}

/* Behind "pack". Return: false if it is ignored by all. */
static bool read_pack(enum pragma_kind *kind, const char **at, const char *stop, bool is_directive)
{
	const char *rest;
	struct view word;
	bool has_name;

	if (*(*at = lexer_skip_blank(*at, stop)) != '(')
		return false;
	++*at;
	word = next_word(at, stop);
	*kind = view_is(word, "push") ? PRAGMA_PUSH : view_is(word, "pop") ? PRAGMA_POP : PRAGMA_SET;
	has_name = *kind == PRAGMA_SET && word.length && !view_is_digit(*word.at);
	while (*at < stop && **at == ',') {
		++*at;
		word = next_word(at, stop);
		has_name = word.length && !view_is_digit(*word.at);
		if (*kind == PRAGMA_POP && !has_name)
			*kind = PRAGMA_ODD_PACK;
	}
	if (*at == stop || **at != ')')
		return false;
	++*at;
	rest = lexer_skip_blank(*at, stop);
	/* Of a macro in a #pragma clang tells where it is; in a string it does not. */
	if (is_directive ? rest < stop && *rest != '\r' && *rest != '/' : has_name && *kind != PRAGMA_POP)
		*kind = PRAGMA_ODD_PACK;
	return true;
}

/* Is the word at @at, behind which is @rest, one that not both compilers know, or pack()? */
static bool read_pragma(struct pragma_hint *hint, struct view word, const char *rest, const char *stop, bool is_directive, const char *text)
{
	const char *at = rest;
	struct view next;

	hint->kind = PRAGMA_OF_ONE;
	if (view_is(word, "pack") && !read_pack(&hint->kind, &at, stop, is_directive))
		return false;
	hint->end = (size_t)(at - text);
	if (view_is(word, "pack") || view_is(word, "scalar_storage_order"))
		return true;
	if (view_is(word, "align"))
		return *lexer_skip_blank(at, stop) == '=';
	next = next_word(&at, stop);
	return view_is(word, "options") ? view_is(next, "align") : view_is(next, "on");
}

static void find_pragmas(struct reading *reading, size_t size)
{
	enum { LENGTH_MAX = 1024 }; /* of what is looked at; or one line with many would take its length squared */
	static const char *const words[] = { "pack", "options", "align", "ms_struct", "scalar_storage_order" };
	const char *text = reading->text, *end = text + size;

	if (!memmem(text, size, "ragma", strlen("ragma")) && !memmem(text, size, "PRAGMA", strlen("PRAGMA")))
		return;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		struct view word = view_of(words[i]);

		for (const char *at = text; (at = memmem(at, (size_t)(end - at), word.at, word.length)); at++) {
			struct pragma_hint hint = { .start = (size_t)(at - text) };
			const char *rest = at + word.length;
			bool is_directive;

			if (view_is_word_char(*rest) || !begins_pragma(&is_directive, text, at) ||
			    !read_pragma(&hint, word, rest, lexer_line_end(rest, end - rest > LENGTH_MAX ? rest + LENGTH_MAX : end), is_directive, text))
				continue;
			ARRAY_GROW(reading->pragmas, reading->pragma_count, reading->pragma_capacity);
			reading->pragmas[reading->pragma_count++] = hint;
		}
	}
}

const struct hints *hints_read(struct macro_rules *rules, const char *unit, const char *path, const char *text, size_t size,
			       struct arena *arena)
{
	struct reading reading = { .text = text, .rules = rules, .arena = arena };
	struct hints hints;

	if (rules)
		macro_rules_enter(rules, path, unit);
	directives_scan(text, size, &(struct directives_sink){ &reading, on_include, on_define, on_function });
	find_questions(&reading, size);
	find_pragmas(&reading, size);
	hints = (struct hints){
		.questions = arena_memdup(arena, reading.questions, reading.question_count * sizeof(*reading.questions)),
		.question_count = reading.question_count,
		.pragmas = arena_memdup(arena, reading.pragmas, reading.pragma_count * sizeof(*reading.pragmas)),
		.pragma_count = reading.pragma_count,
		.pops = memmem(text, size, "pop_macro", strlen("pop_macro")) != NULL,
		.mentions_ms_struct = memmem(text, size, "ms_struct", strlen("ms_struct")) != NULL,
		.includes = arena_memdup(arena, reading.includes, reading.include_count * sizeof(*reading.includes)),
		.include_count = reading.include_count,
		.defines = arena_memdup(arena, reading.defines, reading.define_count * sizeof(*reading.defines)),
		.define_count = reading.define_count,
	};
	free(reading.includes);
	free(reading.defines);
	free(reading.questions);
	free(reading.pragmas);
	return arena_memdup(arena, &hints, sizeof(hints));
}
