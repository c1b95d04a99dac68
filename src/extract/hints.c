#include "extract/hints.h"

#include <stdlib.h>
#include <string.h>

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

const struct hints *hints_read(struct macro_rules *rules, const char *unit, const char *path, const char *text, size_t size,
			       struct arena *arena)
{
	struct reading reading = { .text = text, .rules = rules, .arena = arena };
	struct hints hints;

	if (rules)
		macro_rules_enter(rules, path, unit);
	directives_scan(text, size, &(struct directives_sink){ &reading, on_include, on_define, on_function });
	find_questions(&reading, size);
	hints = (struct hints){
		.questions = arena_memdup(arena, reading.questions, reading.question_count * sizeof(*reading.questions)),
		.question_count = reading.question_count,
		.pops = memmem(text, size, "pop_macro", strlen("pop_macro")) != NULL,
		.includes = arena_memdup(arena, reading.includes, reading.include_count * sizeof(*reading.includes)),
		.include_count = reading.include_count,
		.defines = arena_memdup(arena, reading.defines, reading.define_count * sizeof(*reading.defines)),
		.define_count = reading.define_count,
	};
	free(reading.includes);
	free(reading.defines);
	free(reading.questions);
	return arena_memdup(arena, &hints, sizeof(hints));
}
