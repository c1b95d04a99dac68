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

void question_note(struct question *question, const struct macro_definition *definition)
{
	question->has_kind = question->has_kind || definition->wish.kind;
	question->call = definition->call;
	if (definition->parameters)
		question->parameter_count = definition->parameter_count;
}

void question_lines(struct macro_values *values, size_t question, unsigned count)
{
	while (count--) {
		ARRAY_GROW(values->lines, values->line_count, values->line_capacity);
		values->lines[values->line_count++] = question;
	}
}
