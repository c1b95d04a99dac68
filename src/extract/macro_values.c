#include "extract/macro_values_internal.h"

#include "extract/macro_text.h"

#include <stdlib.h>
#include <string.h>

/* How many plain numbers share an enum: if one is none after all, the others of its enum are asked again, too. */
enum { GROUP_SIZE = 64 };

struct macro_values *macro_values_new(struct macro_rules *rules, struct arena *arena)
{
	struct macro_values *values = xmalloc(sizeof(*values));

	*values = (struct macro_values){ .arena = arena, .rules = rules };
	return values;
}

void macro_values_free(struct macro_values *values)
{
	if (!values)
		return;
	questions_drop(values);
	free(values->questions);
	free(values->lines);
	free(values->groups);
	free(values->macros);
	extra_macros_free(&values->extra);
	free(values);
}

void macro_values_begin(struct macro_values *values, const struct closure *closure)
{
	questions_drop(values);
	values->closure = closure;
}

enum form form_of(const char *text)
{
	uint64_t value;

	if (!*text)
		return FORM_NONE;
	if (macro_literal(&value, text))
		return FORM_PLAIN;
	if (!macro_is_balanced(text))
		return FORM_BROKEN;
	return macro_shape_of(text) == MACRO_NO_NUMBER ? FORM_SUSPECT : FORM_GUARDED;
}

static void ask_for(struct macro_values *values, const struct macro_definition *definition)
{
	struct question *question = question_find(values, definition->name);
	enum form form = definition->parameters ? FORM_CALL : form_of(definition->text);

	if (!question)
		question = question_add(values, definition->name, form);
	else if (form > question->form)
		question->form = form;
	question_note(values, question, definition);
}

/* Files that the closure got since the last time have hints as well. */
static void follow_hints(struct macro_values *values)
{
	for (; values->hinted < values->closure->file_count; values->hinted++) {
		const struct hints *hints = values->closure->files[values->hinted]->hints;

		for (size_t i = 0; i < hints->define_count; i++)
			if (hints->defines[i].verdict == MACRO_WANTED)
				ask_for(values, hints->defines[i].definition);
	}
}

static int order_questions(const void *a, const void *b)
{
	return strcmp((*(const struct question *const *)a)->name, (*(const struct question *const *)b)->name);
}

static void end_group(struct macro_values *values, struct strbuf *out)
{
	strbuf_addf(out, MACRO_PREFIX "group%zu=0};\n", values->group_count); /* a value of its own: the one before may be the largest */
	question_lines(values, NO_QUESTION, 1);
	ARRAY_GROW(values->groups, values->group_count, values->group_capacity);
	values->groups[values->group_count++] = false;
}

/* Enumerators of the one type that holds them all: none is negative. */
static void ask_plain(struct macro_values *values, struct strbuf *out)
{
	size_t in_group = 0;

	for (size_t i = 0; i < values->question_count; i++) {
		struct question *question = values->questions[i];

		if (question->form != FORM_PLAIN)
			continue;
		if (!in_group++) {
			strbuf_adds(out, "enum{\n");
			question_lines(values, NO_QUESTION, 1);
		}
		question->group = values->group_count;
		strbuf_addf(out, "#ifdef %s\n" MACRO_PREFIX "value%zu=%s,\n#endif\n", question->name, i, question->name);
		question_lines(values, i, 3);
		if (in_group == GROUP_SIZE) {
			end_group(values, out);
			in_group = 0;
		}
	}
	if (in_group)
		end_group(values, out);
}

static void ask(struct macro_values *values, struct strbuf *out, size_t number)
{
	const char *name = values->questions[number]->name;

	/* The width comes first: an enumerator that is in error gets its value from the one before it. */
	strbuf_addf(out, "#ifdef %s\n", name);
	strbuf_addf(out, "enum{" MACRO_PREFIX "width%zu=sizeof(%s)," MACRO_PREFIX "value%zu=(%s),\n", number, name, number, name);
	/* As an argument, or "1, 2" were a number: 2. */
	strbuf_addf(out, MACRO_PREFIX "again%zu=__builtin_choose_expr(1,%s,0)};\n", number, name);
	/* Of an enumerator clang does not say that it shifts too far. */
	strbuf_addf(out, "static const __typeof__(0ULL) " MACRO_PREFIX "shift%zu=(%s);\n#endif\n", number, name);
	strbuf_addf(out, "enum{" MACRO_PREFIX "mark%zu};\n", number);
	question_lines(values, number, 6);
}

static void ask_alone(struct macro_values *values, struct strbuf *out, enum form form)
{
	for (size_t i = 0; i < values->question_count; i++)
		if (values->questions[i]->form == form && !values->questions[i]->is_dropped)
			ask(values, out, i);
}

void macro_values_section(struct macro_values *values, struct strbuf *out)
{
	follow_hints(values);
	if (values->question_count)
		qsort(values->questions, values->question_count, sizeof(*values->questions), order_questions);
	values->line_count = values->group_count = values->added = 0;
	ask_plain(values, out);
	ask_alone(values, out, FORM_GUARDED);
	ask_alone(values, out, FORM_SUSPECT);
	kinds_ask_calls(values, out);
	ask_alone(values, out, FORM_BROKEN);
	kinds_ask(values, out);
}
