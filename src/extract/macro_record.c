/* What clang's record of the preprocessing says of the definitions. */
#include "extract/macro_values_internal.h"

#include <string.h>

static const struct hint *find_hint(struct macro_values *values, const struct closure_file *file, size_t start)
{
	const struct hints *hints = file->hints;
	size_t low = 0, high = hints->define_count;

	if (file != values->file)
		values->next = 0;
	values->file = file;
	if (values->next < high && hints->defines[values->next].start == start)
		return &hints->defines[values->next++];
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (hints->defines[middle].start < start)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == hints->define_count || hints->defines[low].start != start)
		return NULL;
	values->next = low + 1;
	return &hints->defines[low];
}

bool macro_values_skips(struct macro_values *values, const struct closure_file *file, size_t start)
{
	const struct hint *hint = find_hint(values, file, start);

	if (!hint || hint->verdict != MACRO_UNKNOWN)
		values->hint = hint;
	return hint && hint->verdict == MACRO_UNKNOWN;
}

/* The text behind the name, as far as its tokens go. */
static struct view body_of(const struct macro_record *record)
{
	size_t start = record->start + strlen(record->name);

	if (record->body)
		return (struct view){ record->body, strlen(record->body) };
	return (struct view){ record->file->text + start, record->end > start ? record->end - start : 0 };
}

/* What the rules say of a definition that no hint tells of. */
static const struct macro_definition *judge(struct macro_values *values, const struct macro_record *record)
{
	const struct closure_file *file = record->file;
	struct define define = { .name = { record->name, strlen(record->name) }, .body = body_of(record), .line = record->line };
	struct macro_definition definition;

	if (record->is_function_like && (record->body || !directives_cut_parameters(&define)))
		return NULL; /* a name that is not written as clang spells it: no macro of ioctls is */
	macro_rules_enter(values->rules, file->real, values->closure->unit->name);
	if (macro_rules_apply(&definition, values->rules, &define, values->arena) != MACRO_WANTED)
		return NULL;
	if (!record->body) { /* show the comment behind it as well */
		define.body.length = (size_t)(lexer_line_end(file->text + record->end, file->text + file->size) - define.body.at);
		definition.shown = lexer_join(define.body, true, values->arena);
	}
	return arena_memdup(values->arena, &definition, sizeof(definition));
}

static const struct macro_definition *wanted_definition(struct macro_values *values, const struct macro_record *record)
{
	const struct hint *hint = record->body ? NULL : values->hint;

	return hint && hint->end == record->end ? hint->definition : judge(values, record);
}

/* Each definition may be the one that is in force at the end, even one that nobody wants. */
static void note_form(struct question *question, const struct macro_record *record, const struct macro_definition *definition,
		       struct arena *arena)
{
	enum form form = FORM_GUARDED;

	if (definition)
		form = definition->parameters ? FORM_CALL : form_of(definition->text);
	else if (record->file && !record->is_function_like)
		form = form_of(lexer_join(body_of(record), false, arena));
	if (form > question->seen)
		question->seen = form;
}

/* To a document: of a constant it has the value alone, of an ioctl the macro's text, too. */
static bool is_same(const struct macro_definition *a, const struct macro_definition *b)
{
	if (!a || !b || memcmp(&a->wish, &b->wish, sizeof(a->wish)))
		return a == b;
	return (!a->wish.family && !a->wish.number && !a->wish.kind) || !strcmp(a->shown, b->shown);
}

void macro_values_definition(struct macro_values *values, const struct macro_record *record)
{
	const struct macro_definition *definition = NULL;
	struct question *question;

	if (record->file)
		definition = wanted_definition(values, record);
	question = question_find(values, record->name);
	if (!question && definition)
		question = question_add(values, definition->name, definition->parameters ? FORM_CALL : FORM_GUARDED);
	if (!question)
		return;
	if (definition && !question->has_kind && definition->wish.kind)
		values->added++; /* that was not asked */
	if (definition)
		question_note(values, question, definition);
	note_form(question, record, definition, values->arena);
	if (question->is_defined && !is_same(question->definition, definition))
		question->differs = true;
	question->is_defined = true;
	/* The last one is in force at the end, but for pop_macro: if nobody wants it, nobody wants the macro. */
	question->definition = definition;
	question->file = record->file;
	question->line = record->is_function_like && values->hint && values->hint->definition ? values->hint->definition->line : record->line;
}
