/* What clang answered, whether that is all, and what becomes of it. */
#include "extract/macro_text.h"
#include "extract/macro_values_internal.h"

#include <stdlib.h>
#include <string.h>

static struct question *question_at(const struct macro_values *values, size_t number)
{
	return number < values->question_count ? values->questions[number] : NULL;
}

void macro_values_failed(struct macro_values *values, size_t line)
{
	struct question *question = line < values->line_count ? question_at(values, values->lines[line]) : NULL;

	if (question)
		question->has_failed = true;
}

void macro_values_doubt(struct macro_values *values, size_t line, enum macro_doubt doubt)
{
	struct question *question = line < values->line_count ? question_at(values, values->lines[line]) : NULL;

	if (!question || !question->definition || (question->doubt && question->doubt < doubt))
		return;
	if (doubt == MACRO_LITERAL && form_of(question->definition->text) == FORM_PLAIN)
		return; /* alone, it is the same number in both */
	if (doubt == MACRO_COMMA && !macro_has_comma(question->definition->text))
		return; /* clang calculates what C calls no constant, as gcc does */
	question->doubt = doubt;
}

/* The number behind @word in @name; false if it is another word. */
static bool cut_number(size_t *out, const char *name, const char *word)
{
	size_t length = strlen(word);

	if (strncmp(name, word, length))
		return false;
	*out = strtoul(name + length, NULL, 10);
	return true;
}

void macro_values_answer(struct macro_values *values, const char *enumerator, struct abi_number value)
{
	const char *name = enumerator + strlen(MACRO_PREFIX);
	struct question *question;
	size_t number;

	if (cut_number(&number, name, "value") && (question = question_at(values, number))) {
		question->is_answered = true;
		question->value = value;
	} else if (cut_number(&number, name, "width") && (question = question_at(values, number))) {
		question->width_bytes = value.magnitude;
	} else if (cut_number(&number, name, "again") && (question = question_at(values, number))) {
		question->is_changing = question->is_answered && !abi_number_equal(question->value, value);
	} else if (cut_number(&number, name, "mark") && (question = question_at(values, number))) {
		question->is_marked = true;
	} else if (cut_number(&number, name, "varying") && (question = question_at(values, number))) {
		question->varying = value.magnitude;
	} else if (cut_number(&number, name, "call") && (question = question_at(values, number))) {
		question->is_its_call = value.magnitude == 1;
	} else if (cut_number(&number, name, "group") && number < values->group_count) {
		values->groups[number] = true;
	}
}

void macro_values_restart(struct macro_values *values)
{
	for (size_t i = 0; i < values->question_count; i++) {
		const struct question *old = values->questions[i];
		UT_hash_handle hh = old->hh;

		*values->questions[i] = (struct question){ .name = old->name, .form = old->form, .is_dropped = old->is_dropped,
							    .has_kind = old->has_kind, .parameter_count = old->parameter_count, .call = old->call, .hh = hh };
	}
	values->file = NULL;
}

/* What is no plain number after all, or whose enum was spoilt, is asked for alone. */
static bool change_forms(struct macro_values *values)
{
	bool found = false;

	for (size_t i = 0; i < values->question_count; i++) {
		struct question *question = values->questions[i];
		bool is_spoilt = question->form == FORM_PLAIN && (question->has_failed || !values->groups[question->group]);

		if (question->seen > question->form || is_spoilt) {
			question->form = question->seen > FORM_GUARDED ? question->seen : FORM_GUARDED;
			found = true;
		}
	}
	return found;
}

/* The mark behind it is gone, with what the macro swallowed. */
static bool is_lost(const struct question *question)
{
	return !question->is_dropped && !question->is_marked;
}

/* Do not ask again; unless the scan was wrong about the text, so that another form is worth trying. Return: true. */
static bool drop(struct question *question)
{
	if (question->seen < question->form)
		question->form = question->seen;
	else
		question->is_dropped = true;
	return true;
}

/* Of those that are lost in a row only the first is to blame. */
static bool drop_lost(struct macro_values *values, enum form form, bool *in_run, bool give_up)
{
	bool found = false;

	for (size_t i = 0; i < values->question_count; i++) {
		struct question *question = values->questions[i];

		if (question->form != form)
			continue;
		if (is_lost(question) && (!*in_run || give_up))
			found = *in_run = drop(question);
		else if (question->is_marked)
			*in_run = false;
	}
	return found;
}

bool macro_values_drop_riskiest(struct macro_values *values)
{
	enum form riskiest = FORM_PLAIN;

	for (size_t i = 0; i < values->question_count; i++)
		if (!values->questions[i]->is_dropped && values->questions[i]->form > riskiest)
			riskiest = values->questions[i]->form;
	if (riskiest == FORM_PLAIN)
		return false;
	for (size_t i = 0; i < values->question_count; i++)
		if (values->questions[i]->form == riskiest)
			drop(values->questions[i]);
	macro_values_restart(values);
	return true;
}

bool macro_values_incomplete(struct macro_values *values, bool give_up)
{
	bool found = values->added > 0, in_run = false;

	if (!found) { /* else some have no answer because they were not asked */
		found = drop_lost(values, FORM_GUARDED, &in_run, give_up);
		found = drop_lost(values, FORM_SUSPECT, &in_run, give_up) || found;
		found = drop_lost(values, FORM_CALL, &in_run, give_up) || found;
		found = drop_lost(values, FORM_BROKEN, &in_run, give_up) || found;
		found = change_forms(values) || found;
	}
	if (found)
		macro_values_restart(values);
	return found;
}

/* "#define THIS_TYPE Foo": an error for a number, and yet clang knows the size of it. */
static bool names_a_type(const struct question *question)
{
	return question->has_failed && question->width_bytes && view_is_name(view_of(question->definition->text));
}

/* A guard or a switch: nobody meant it for a number, so there is no warning that it is none. */
static bool is_empty(const struct question *question)
{
	return form_of(question->definition->text) == FORM_NONE;
}

static void warn(const struct macro_values *values, const struct question *question, struct abi_builder *builder)
{
	const struct macro_definition *definition = question->definition;
	static const char *const doubts[] = {
		[MACRO_SHIFTS] = "shifts by as many bits as its type has, or more, which gcc and clang answer differently,",
		[MACRO_LITERAL] = "has a literal that is too large for a signed type, to gcc an __int128 and to clang unsigned,",
		[MACRO_COMMA] = "has a comma operator, of which clang makes a constant and gcc does not,",
	};
	const char *why = "is not an integer constant";

	if (question->is_changing && !question->has_failed)
		why = "is another number each time";
	else if (question->doubt && !question->has_failed)
		why = doubts[question->doubt];
	else if (question->is_answered && !question->has_failed)
		why = "is wider than 64 bits";
	else if (question->is_dropped)
		why = "could not be evaluated";
	abi_builder_warning(builder, arena_printf(values->arena, "%s:%u", question->file->real, question->line),
			    arena_printf(values->arena, "%s %s and is left out: %.200s", question->name, why, definition->text));
}

/* Is it an ioctl by how it is made? */
static bool is_made(const struct question *question)
{
	return question->definition->wish.kind && question_is_ioctl(question);
}

static void index_question(struct macro_values *values, const struct question *question)
{
	const struct macro_definition *definition = question->definition;
	const struct question *made = question->same ? question->same : question;

	ARRAY_GROW(values->macros, values->macro_count, values->macro_capacity);
	values->macros[values->macro_count++] = (struct macro){
		.name = question->name,
		.value = question_is_evaluated(question) ? question->value : (struct abi_number){ 0 },
		.evaluated = question_is_evaluated(question),
		.has_failed = question->has_failed && !names_a_type(question) && !is_empty(question),
		.is_constant = question->definition->wish.constant,
		.unit = values->closure->unit->name,
		.file = question->file->real,
		.line = question->line,
		.body = definition->shown,
		.call = definition->parameters ? arena_printf(values->arena, "%s(%s)", question->name, definition->parameters) : NULL,
		.is_ioc = is_made(question),
		.varying = question->varying,
		.argument = made->argument,
		.params = made->params,
	};
}

/* Does some file that clang read have a pop_macro, which brings back a definition without a trace in the record? */
static bool pops(const struct macro_values *values)
{
	for (size_t i = 0; i < values->closure->file_count; i++)
		if (values->closure->files[i]->included && values->closure->files[i]->hints->pops)
			return true;
	return false;
}

static void warn_of_pop(const struct macro_values *values, const struct question *question, struct abi_builder *builder)
{
	abi_builder_warning(builder, arena_printf(values->arena, "%s:%u", question->file ? question->file->real : "", question->line),
			    arena_printf(values->arena, "%s is left out: which of its definitions pop_macro has left in force is not known", question->name));
}

/* A question whose definition the profile's own rules want. */
static void finish_wanted(struct macro_values *values, const struct question *question, struct abi_builder *builder)
{
	struct macro_wish wish = question->definition->wish;

	index_question(values, question);
	if (question_is_evaluated(question) && wish.constant)
		abi_builder_constant(builder, &(struct abi_constant){ question->name, question->value });
	else if (!question_is_evaluated(question) && (wish.constant || wish.number || is_made(question)) && !is_empty(question) &&
		 (question->has_failed || question->is_answered || question->is_dropped))
		warn(values, question, builder);
}

static void finish_extra(struct macro_values *values, const struct question *question, struct abi_builder *builder)
{
	if (question_is_evaluated(question))
		abi_builder_constant(builder, &(struct abi_constant){ question->name, question->value });
	if (!is_empty(question))
		extra_macros_add(&values->extra, &(struct extra_macro){ question->name, question->definition->text, question_is_evaluated(question) });
}

void macro_values_finish(struct macro_values *values, struct abi_builder *builder)
{
	bool has_pops = pops(values);

	for (size_t i = 0; i < values->question_count; i++) {
		const struct question *question = values->questions[i];
		const struct macro_wish *wish;

		if (has_pops && question->differs && question->is_answered) {
			warn_of_pop(values, question, builder);
			continue;
		}
		if (!question->definition) /* the scan saw one, but it was never in force */
			continue;
		wish = &question->definition->wish;
		if (wish->constant || wish->family || is_made(question))
			finish_wanted(values, question, builder);
		choices_warn(values, question, builder);
		if (wish->extra)
			finish_extra(values, question, builder);
	}
	questions_drop(values);
}

void macro_values_warn(struct macro_values *values, struct abi_builder *builder)
{
	extra_macros_warn(&values->extra, builder, values->arena);
}

/* By name; items of one name stay in the order of the units, in which they were recorded. */
static int order_macros(const void *a, const void *b)
{
	const struct macro *x = *(const struct macro *const *)a, *y = *(const struct macro *const *)b;
	int order = strcmp(x->name, y->name);

	return order ? order : (x > y) - (x < y);
}

void macro_values_index(struct macro_index *out, struct macro_values *values)
{
	const struct macro **sorted = xmalloc((values->macro_count + 1) * sizeof(*sorted));
	struct macro *items = arena_array(values->arena, values->macro_count, sizeof(*items));

	for (size_t i = 0; i < values->macro_count; i++)
		sorted[i] = &values->macros[i];
	qsort(sorted, values->macro_count, sizeof(*sorted), order_macros);
	for (size_t i = 0; i < values->macro_count; i++)
		items[i] = *sorted[i];
	free(sorted);
	*out = (struct macro_index){ items, values->macro_count };
}
