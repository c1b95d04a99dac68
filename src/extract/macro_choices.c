/*
 * Macros that are an ioctl because another one is, which their text names: one of a choice, behind a cast, or through such a macro.
 *
 * "(sizeof(struct timeval) == 8 ? SIOCGSTAMP_OLD : SIOCGSTAMP_NEW)" is an error where macro_kinds.c asks how it is made, since no
 * operator is for functions. So it is what the first of these macros is that is an ioctl of the same value. That one may be such a
 * macro itself.
 */
#include "extract/macro_values_internal.h"

/* An ioctl's number has 32 bits; what a cast has made of it does not count. */
static bool is_same_number(const struct question *a, const struct question *b)
{
	const uint64_t x = a->value.negative ? -a->value.magnitude : a->value.magnitude, y = b->value.negative ? -b->value.magnitude : b->value.magnitude;

	return question_is_evaluated(a) && question_is_evaluated(b) && (uint32_t)x == (uint32_t)y;
}

/* Return: was there one that is an ioctl? */
static bool resolve(const struct macro_values *values, struct question *question)
{
	for (size_t i = 0; i < question->definition->name_count; i++) {
		struct question *named = question_find(values, question->definition->names[i]);

		if (!named || named == question || !question_is_ioctl(named) || !is_same_number(question, named))
			continue;
		question->same = named->same ? named->same : named;
		question->same->is_used = true;
		return true;
	}
	return false;
}

void choices_resolve(struct macro_values *values)
{
	bool found;

	do { /* until no macro follows through which another one could be found */
		found = false;
		for (size_t i = 0; i < values->question_count; i++) {
			struct question *question = values->questions[i];

			if (question->definition && !question_is_ioctl(question))
				found = resolve(values, question) || found;
		}
	} while (found);
}

/* "A and B and C". */
static void add_named(struct strbuf *out, const char *name)
{
	strbuf_addf(out, "%s%.200s", out->length ? " and " : "", name);
}

void choices_warn(const struct macro_values *values, const struct question *question, struct abi_builder *builder)
{
	const struct macro_definition *definition = question->definition;
	struct strbuf named = { 0 };

	if (!definition->wish.kind || question_is_ioctl(question))
		return;
	if (question->is_ioc && question->call)
		add_named(&named, question->call);
	for (size_t i = 0; i < definition->name_count; i++) {
		const struct question *other = question_find(values, definition->names[i]);

		if (other && other != question && question_is_ioctl(other))
			add_named(&named, definition->names[i]);
	}
	if (named.length)
		abi_builder_warning(builder, arena_printf(values->arena, "%s:%u", question->file->real, question->line),
				    arena_printf(values->arena, question_is_evaluated(question) ? "%s is no ioctl, since it is another number than %s" :
						 "%s is left out, since it is no integer constant, and so may be another number than %s",
						 question->name, strbuf_text(&named)));
	strbuf_release(&named);
}
