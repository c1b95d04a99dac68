/* The list of questions of a unit. */
#include "extract/macro_values_internal.h"

#include <stdlib.h>
#include <string.h>

void questions_drop(struct macro_values *values)
{
	HASH_CLEAR(hh, values->by_name);
	for (size_t i = 0; i < values->question_count; i++)
		free(values->questions[i]);
	values->question_count = values->line_count = values->group_count = values->added = 0;
	values->hinted = 0;
	values->file = NULL;
}

struct question *question_find(const struct macro_values *values, const char *name)
{
	struct question *found;

	HASH_FIND_STR(values->by_name, name, found);
	return found;
}

struct question *question_add(struct macro_values *values, const char *name, enum form form)
{
	struct question *question = xmalloc(sizeof(*question));

	*question = (struct question){ .name = name, .form = form };
	HASH_ADD_KEYPTR(hh, values->by_name, question->name, strlen(question->name), question);
	ARRAY_GROW(values->questions, values->question_count, values->question_capacity);
	values->questions[values->question_count++] = question;
	values->added++;
	return question;
}

/* What they are decides what @definition is. */
static void ask_for_names(struct macro_values *values, const struct macro_definition *definition)
{
	for (size_t i = 0; i < definition->name_count; i++) {
		struct question *question = question_find(values, definition->names[i]);

		if (!question)
			question = question_add(values, definition->names[i], FORM_GUARDED);
		values->added += !question->has_kind;
		question->has_kind = true;
	}
}

void question_note(struct macro_values *values, struct question *question, const struct macro_definition *definition)
{
	ask_for_names(values, definition);
	question->has_kind = question->has_kind || definition->wish.kind;
	question->call = definition->call;
	if (definition->parameters)
		question->parameter_count = definition->parameter_count;
}

bool question_is_evaluated(const struct question *question)
{
	return question->is_answered && !question->has_failed && !question->is_changing && question->width_bytes <= sizeof(uint64_t) &&
	       !question->doubt;
}

bool question_is_ioctl(const struct question *question)
{
	return question->same || (question->is_ioc && !question->is_maker && (!question->call || question->is_its_call));
}

void question_lines(struct macro_values *values, size_t question, unsigned count)
{
	while (count--) {
		ARRAY_GROW(values->lines, values->line_count, values->line_capacity);
		values->lines[values->line_count++] = question;
	}
}
