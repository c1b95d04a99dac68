#include "extract/macro_scan.h"

#include "extract/macro_rules.h"
#include "extract/macro_text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* One #define of a name that is wanted, and where. */
struct candidate {
	const struct macro_definition *definition;
	const struct closure_file *file;
};

#define NO_WITNESS SIZE_MAX
#define TRUSTED (SIZE_MAX - 1)
#define MACRO_NAME_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$"

/* One name, all its #defines, and what clang made of it. */
struct question {
	const char *name;
	const struct candidate *candidates;
	size_t candidate_count;
	const struct candidate *chosen; /* set when the unit is finished: the one that counts */
	size_t witness;        /* the question whose answer says that this one's only #define counts; or NO_WITNESS: ask; or TRUSTED */
	struct abi_number value; /* if answered, or if there is a witness */
	uint64_t width_bytes;
	bool is_asked;    /* some body could be a number */
	bool is_guarded;  /* some body could upset the parser, so there is a mark */
	bool is_undefined; /* there is an #undef of it */
	bool is_answered; /* there is a value */
	bool is_marked;   /* the mark was found */
	bool is_changing; /* on the next line it is another number: it speaks of __LINE__, or counts */
	bool has_failed;  /* there was an error on its lines */
	bool is_dropped;  /* it made the parser lose its way, and is not asked again */
};

struct macro_scan {
	struct arena *arena;
	struct macro_rules *rules;
	const struct profile_unit *unit;
	const struct closure_file *file; /* the one that the rules were entered for */
	struct candidate *candidates;    /* of the unit */
	size_t candidate_count, candidate_capacity;
	struct view *undefs;
	size_t undef_count, undef_capacity;
	struct question *questions;      /* of the unit, sorted by name */
	size_t question_count;
	size_t *put;                     /* the indexes of those that clang is asked */
	size_t put_count;
	bool trusts_files;               /* as of macro_scan_trust() */
	struct macro *macros;            /* of all units */
	size_t macro_count, macro_capacity;
};

struct macro_scan *macro_scan_bare(struct arena *arena)
{
	struct macro_scan *scan = xmalloc(sizeof(*scan));

	*scan = (struct macro_scan){ .arena = arena };
	return scan;
}

int macro_scan_new(struct macro_scan **out, const struct profile *profile, struct arena *arena, struct err *err)
{
	struct macro_scan *scan = macro_scan_bare(arena);
	int rc;

	rc = macro_rules_new(&scan->rules, profile, arena, err);
	if (rc)
		free(scan);
	else
		*out = scan;
	return rc;
}

static void drop_unit(struct macro_scan *scan)
{
	free(scan->candidates);
	free(scan->questions);
	free(scan->undefs);
	free(scan->put);
	scan->put = NULL;
	scan->put_count = 0;
	scan->candidates = NULL;
	scan->questions = NULL;
	scan->undefs = NULL;
	scan->candidate_count = scan->candidate_capacity = scan->question_count = 0;
	scan->undef_count = scan->undef_capacity = 0;
	scan->file = NULL;
}

void macro_scan_free(struct macro_scan *scan)
{
	if (!scan)
		return;
	drop_unit(scan);
	macro_rules_free(scan->rules);
	free(scan->macros);
	free(scan);
}

void macro_scan_begin(struct macro_scan *scan, const struct profile_unit *unit)
{
	drop_unit(scan);
	scan->unit = unit;
}

void macro_scan_add(struct macro_scan *scan, const struct closure_file *file, const struct macro_definition *definition)
{
	ARRAY_GROW(scan->candidates, scan->candidate_count, scan->candidate_capacity);
	scan->candidates[scan->candidate_count++] = (struct candidate){ definition, file };
}

void macro_scan_define(void *data, const struct closure_file *file, const struct scan_define *define)
{
	struct macro_scan *scan = data;
	struct macro_definition definition;

	if (file != scan->file)
		macro_rules_enter(scan->rules, file->path, scan->unit->name);
	scan->file = file;
	if (macro_rules_take(&definition, scan->rules, define, scan->arena))
		macro_scan_add(scan, file, arena_memdup(scan->arena, &definition, sizeof(definition)));
}

void macro_scan_undef(void *data, struct view name)
{
	struct macro_scan *scan = data;

	ARRAY_GROW(scan->undefs, scan->undef_count, scan->undef_capacity);
	scan->undefs[scan->undef_count++] = (struct view){ arena_strndup(scan->arena, name.at, name.length), name.length };
}

/* By name, then as they were found. */
static int order_candidates(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;
	int order = strcmp(x->definition->name, y->definition->name);

	if (!order)
		order = (x->file->order > y->file->order) - (x->file->order < y->file->order);
	return order ? order : (x->definition->line > y->definition->line) - (x->definition->line < y->definition->line);
}

/* Look at all bodies of @question. */
static void judge(struct question *question)
{
	size_t i;

	for (i = 0; i < question->candidate_count; i++) {
		enum macro_shape shape = macro_shape_of(question->candidates[i].definition->text);

		if (shape != MACRO_NO_NUMBER)
			question->is_asked = true;
		if (shape != MACRO_LITERALS)
			question->is_guarded = true;
	}
}

static int order_name_question(const void *name, const void *question)
{
	const struct view *view = name;
	const char *other = ((const struct question *)question)->name;
	int order = strncmp(view->at, other, view->length);

	return order ? order : -(other[view->length] != '\0');
}

static void note_undefs(struct macro_scan *scan)
{
	size_t i;

	for (i = 0; i < scan->undef_count; i++) {
		struct question *found = bsearch(&scan->undefs[i], scan->questions, scan->question_count,
						 sizeof(*scan->questions), order_name_question);

		if (found)
			found->is_undefined = true;
	}
}

/* A plain number, defined once, under no condition, never undefined. */
static bool is_certain(const struct question *question, uint64_t *value)
{
	return question->candidate_count == 1 && question->candidates->definition->is_plain && !question->is_undefined &&
	       question->is_asked && !question->is_guarded && macro_literal(value, question->candidates->definition->text);
}

/* The first certain question of each file is asked; the others have it for a witness. */
static void find_witnesses(struct macro_scan *scan)
{
	size_t file_count = 0, i, *witness;

	for (i = 0; i < scan->candidate_count; i++)
		if (scan->candidates[i].file->order >= file_count)
			file_count = scan->candidates[i].file->order + 1;
	witness = xmalloc(file_count * sizeof(*witness));
	for (i = 0; i < file_count; i++)
		witness[i] = NO_WITNESS;
	for (i = 0; i < scan->question_count; i++) {
		struct question *question = &scan->questions[i];
		size_t order = question->candidates->file->order;
		uint64_t value;

		if (!is_certain(question, &value))
			continue;
		question->witness = scan->trusts_files ? TRUSTED : witness[order];
		question->value = abi_number_unsigned(value);
		if (witness[order] == NO_WITNESS)
			witness[order] = i;
	}
	free(witness);
}

/* Sort the candidates and make one question of each name. */
static void make_questions(struct macro_scan *scan)
{
	size_t i;

	if (!scan->candidate_count)
		return;
	qsort(scan->candidates, scan->candidate_count, sizeof(*scan->candidates), order_candidates);
	scan->questions = xmalloc(scan->candidate_count * sizeof(*scan->questions));
	scan->put = xmalloc(scan->candidate_count * sizeof(*scan->put));
	for (i = 0; i < scan->candidate_count; i++) {
		const struct candidate *candidate = &scan->candidates[i];
		struct question *last = scan->question_count ? &scan->questions[scan->question_count - 1] : NULL;

		if (last && !strcmp(last->name, candidate->definition->name))
			last->candidate_count++;
		else
			scan->questions[scan->question_count++] = (struct question){
				.name = candidate->definition->name, .candidates = candidate, .candidate_count = 1, .witness = NO_WITNESS };
	}
	for (i = 0; i < scan->question_count; i++)
		judge(&scan->questions[i]);
	note_undefs(scan);
	find_witnesses(scan);
}

/* Whether clang is asked. */
static bool is_put(const struct question *question)
{
	return question->is_asked && question->witness == NO_WITNESS;
}

static void ask(struct strbuf *out, const struct question *question, size_t number)
{
	const char *name = question->name;

	if (question->is_dropped) {
		strbuf_adds(out, "\n\n\n\n\n");
		return;
	}
	strbuf_addf(out, "#ifdef %s\nenum{", name);
	/* The width comes first: an enumerator that is in error takes its value from the one before it. */
	if (question->is_guarded)
		strbuf_addf(out, MACRO_WIDTH_PREFIX "%zu=sizeof(%s),", number, name);
	strbuf_addf(out, MACRO_VALUE_PREFIX "%zu=(%s),\n", number, name);
	if (question->is_guarded)
		strbuf_addf(out, MACRO_AGAIN_PREFIX "%zu=(%s)", number, name);
	strbuf_adds(out, "};\n#endif\n");
	if (question->is_guarded)
		strbuf_addf(out, "enum{" MACRO_MARK_PREFIX "%zu};", number);
	strbuf_addch(out, '\n');
}

void macro_scan_section(struct macro_scan *scan, struct strbuf *out)
{
	size_t i, number = 0;

	if (!scan->questions)
		make_questions(scan);
	for (i = 0; i < scan->question_count; i++) {
		if (!is_put(&scan->questions[i]))
			continue;
		scan->put[number] = i;
		ask(out, &scan->questions[i], number++);
	}
	scan->put_count = number;
}

void macro_scan_trust(struct macro_scan *scan)
{
	scan->trusts_files = true;
}

void macro_scan_forget(struct macro_scan *scan)
{
	size_t i;

	for (i = 0; i < scan->question_count; i++) {
		struct question *question = &scan->questions[i];

		question->is_answered = question->is_marked = question->has_failed = question->is_changing = false;
		question->width_bytes = 0;
	}
}

static struct question *question_put(const struct macro_scan *scan, size_t number)
{
	return number < scan->put_count ? &scan->questions[scan->put[number]] : NULL;
}

void macro_scan_failed(struct macro_scan *scan, size_t line)
{
	struct question *question = question_put(scan, line / MACRO_SECTION_LINES);

	if (question)
		question->has_failed = true;
}

/* The question whose number stands behind @prefix; NULL if it is none. */
static struct question *question_of(const struct macro_scan *scan, const char *enumerator, const char *prefix)
{
	size_t length = strlen(prefix);

	if (strncmp(enumerator, prefix, length))
		return NULL;
	return question_put(scan, strtoul(enumerator + length, NULL, 10));
}

void macro_scan_answer(struct macro_scan *scan, const char *enumerator, struct abi_number value)
{
	struct question *question;

	if ((question = question_of(scan, enumerator, MACRO_VALUE_PREFIX))) {
		question->is_answered = true;
		question->value = value;
	} else if ((question = question_of(scan, enumerator, MACRO_WIDTH_PREFIX))) {
		question->width_bytes = value.magnitude;
	} else if ((question = question_of(scan, enumerator, MACRO_AGAIN_PREFIX))) {
		question->is_changing = question->is_answered && !abi_number_equal(question->value, value);
	} else if ((question = question_of(scan, enumerator, MACRO_MARK_PREFIX))) {
		question->is_marked = true;
	}
}

/* The mark behind it is gone, with what the macro swallowed. */
static bool is_lost(const struct question *question)
{
	return is_put(question) && !question->is_dropped && question->is_guarded && !question->is_marked;
}

bool macro_scan_lost(struct macro_scan *scan, bool drop_all)
{
	bool in_run = false, found = false;
	size_t i;

	for (i = 0; i < scan->put_count; i++) {
		struct question *question = question_put(scan, i);

		/* Only the first of those that are lost in a row is to blame. */
		if (is_lost(question) && (!in_run || drop_all))
			found = question->is_dropped = in_run = true;
		else if (question->is_marked)
			in_run = false;
	}
	return found;
}

/*
 * Which of the #defines is the one that counted? One that stands in a file
 * that was read, and, of several, one that plainly says the value.
 */
static void choose(struct question *question)
{
	bool exact = false;
	size_t i;

	for (i = 0; i < question->candidate_count && !exact; i++) {
		const struct candidate *candidate = &question->candidates[i];
		uint64_t value;

		exact = candidate->file->included && question->is_answered && macro_literal(&value, candidate->definition->text) &&
			abi_number_equal(question->value, abi_number_unsigned(value));
		if (!question->chosen || exact || (candidate->file->included && !question->chosen->file->included))
			question->chosen = candidate;
	}
}

static void ask_witness(const struct macro_scan *scan, struct question *question)
{
	const struct question *witness;

	if (question->witness == NO_WITNESS)
		return;
	if (question->witness == TRUSTED) {
		question->is_answered = true;
		return;
	}
	witness = &scan->questions[question->witness];
	question->is_answered = witness->is_answered && !witness->has_failed;
}

static bool is_evaluated(const struct question *question)
{
	return question->is_answered && !question->has_failed && !question->is_changing && question->width_bytes <= sizeof(uint64_t);
}

static struct macro_wish wish_of(const struct question *question)
{
	struct macro_wish wish = { 0 };
	size_t i;

	for (i = 0; i < question->candidate_count; i++) {
		wish.constant = wish.constant || question->candidates[i].definition->wish.constant;
		wish.number = wish.number || question->candidates[i].definition->wish.number;
	}
	return wish;
}

/* "#define THIS_TYPE Foo": an error for a number, and yet clang knows the size of it. */
static bool names_a_type(const struct question *question)
{
	const char *text = question->chosen->definition->text;

	return question->has_failed && question->width_bytes && !text[strspn(text, MACRO_NAME_CHARACTERS)];
}

static void warn(const struct macro_scan *scan, const struct question *question, struct abi_builder *builder)
{
	const struct candidate *chosen = question->chosen;
	const char *why = "is not an integer constant";

	if (question->is_changing && !question->has_failed)
		why = "is another number each time";
	else if (question->is_answered && !question->has_failed)
		why = "is wider than 64 bits";
	else if (question->is_dropped)
		why = "could not be evaluated";
	abi_builder_warning(builder, arena_printf(scan->arena, "%s:%u", chosen->file->path, chosen->definition->line),
			    arena_printf(scan->arena, "%s %s and is left out: %.200s", question->name, why, chosen->definition->text));
}

static void record(struct macro_scan *scan, const struct question *question, bool is_constant)
{
	const struct candidate *chosen = question->chosen;

	ARRAY_GROW(scan->macros, scan->macro_count, scan->macro_capacity);
	scan->macros[scan->macro_count++] = (struct macro){
		.name = question->name,
		.value = is_evaluated(question) ? question->value : (struct abi_number){ 0 },
		.evaluated = is_evaluated(question),
		.has_failed = question->has_failed && !names_a_type(question),
		.is_constant = is_constant,
		.unit = scan->unit->name,
		.file = chosen->file->path,
		.line = chosen->definition->line,
		.body = chosen->definition->shown,
	};
}

void macro_scan_finish(struct macro_scan *scan, const struct macro_sink *sink)
{
	size_t i;

	for (i = 0; i < scan->question_count; i++) {
		struct question *question = &scan->questions[i];
		const struct closure_file *file = question->candidates->file;
		struct macro_wish wish = wish_of(question);

		ask_witness(scan, question);
		choose(question);
		record(scan, question, wish.constant);
		if (sink->macro)
			sink->macro(sink->data, file, &scan->macros[scan->macro_count - 1]);
		if (is_evaluated(question) && wish.constant)
			abi_builder_constant(sink->builder(sink->data, file), &(struct abi_constant){ question->name, question->value });
		else if (!is_evaluated(question) && (wish.constant || wish.number) && !names_a_type(question) &&
			 (question->has_failed || question->is_answered || question->is_dropped))
			warn(scan, question, sink->builder(sink->data, file));
	}
	drop_unit(scan);
}

/* By name; items of one name stay in the order of the units, in which they were recorded. */
static int order_macros(const void *a, const void *b)
{
	const struct macro *x = *(const struct macro *const *)a, *y = *(const struct macro *const *)b;
	int order = strcmp(x->name, y->name);

	return order ? order : (x > y) - (x < y);
}

void macro_scan_index(struct macro_index *out, struct macro_scan *scan)
{
	const struct macro **sorted = xmalloc(scan->macro_count * sizeof(*sorted));
	struct macro *items = arena_array(scan->arena, scan->macro_count, sizeof(*items));
	size_t i;

	for (i = 0; i < scan->macro_count; i++)
		sorted[i] = &scan->macros[i];
	qsort(sorted, scan->macro_count, sizeof(*sorted), order_macros);
	for (i = 0; i < scan->macro_count; i++)
		items[i] = *sorted[i];
	free(sorted);
	*out = (struct macro_index){ items, scan->macro_count };
}
