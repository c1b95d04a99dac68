#include "extract/macro_scan.h"

#include "extract/macro_rules.h"
#include "extract/macro_text.h"

#include <stdlib.h>
#include <string.h>

/* One #define of a name that is wanted. */
struct candidate {
	const char *name;
	const struct closure_file *file;
	struct view body; /* raw */
	unsigned line;
	bool is_constant;
};

/* One name, all its #defines, and what clang made of it. */
struct question {
	const char *name;
	const struct candidate *candidates;
	size_t candidate_count;
	const struct candidate *chosen; /* set when the unit is finished: the one that counts */
	const char *text;               /* of that one, without comments */
	struct abi_number value;
	uint64_t width_bytes;
	bool asked;    /* some body could be a number */
	bool guarded;  /* some body could upset the parser, so there is a mark */
	bool answered; /* there is a value */
	bool marked;   /* the mark was found */
	bool failed;   /* there was an error on its lines */
};

struct macro_scan {
	struct arena *arena;
	struct macro_rules *rules;
	const struct profile_unit *unit;
	struct candidate *candidates; /* of the unit */
	size_t candidate_count, candidate_capacity;
	struct question *questions; /* of the unit, sorted by name */
	size_t question_count;
	struct macro *macros; /* of all units */
	size_t macro_count, macro_capacity;
};

int macro_scan_new(struct macro_scan **out, const struct profile *profile, struct arena *arena, struct err *err)
{
	struct macro_scan *scan = xmalloc(sizeof(*scan));
	int rc;

	*scan = (struct macro_scan){ .arena = arena };
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
	scan->candidates = NULL;
	scan->questions = NULL;
	scan->candidate_count = scan->candidate_capacity = scan->question_count = 0;
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

void macro_scan_define(void *data, const struct closure_file *file, struct view name, struct view body, unsigned line)
{
	struct macro_scan *scan = data;
	bool is_constant;
	char *text, buffer[256];

	if (name.length >= sizeof(buffer) || !macro_rules_may_match(scan->rules, name))
		return;
	memcpy(buffer, name.at, name.length);
	buffer[name.length] = '\0';
	is_constant = macro_rules_is_constant(scan->rules, buffer, file->path, body, scan->arena);
	if (!is_constant && !macro_rules_in_family(scan->rules, buffer, scan->unit->name))
		return;
	text = arena_strndup(scan->arena, buffer, name.length);
	ARRAY_GROW(scan->candidates, scan->candidate_count, scan->candidate_capacity);
	scan->candidates[scan->candidate_count++] = (struct candidate){ text, file, body, line, is_constant };
}

/* By name, then as they were found. */
static int order_candidates(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	if (!order)
		order = (x->file->order > y->file->order) - (x->file->order < y->file->order);
	return order ? order : (x->line > y->line) - (x->line < y->line);
}

/* Look at all bodies of @question. */
static void judge(struct macro_scan *scan, struct question *question)
{
	size_t i;

	for (i = 0; i < question->candidate_count; i++) {
		const char *text = scan_join(question->candidates[i].body, false, scan->arena);
		enum macro_shape shape = macro_shape_of(text);

		if (shape != MACRO_NO_NUMBER)
			question->asked = true;
		if (shape != MACRO_LITERALS)
			question->guarded = true;
	}
}

/* Sort the candidates and make one question of each name. */
static void make_questions(struct macro_scan *scan)
{
	size_t i;

	if (!scan->candidate_count)
		return;
	qsort(scan->candidates, scan->candidate_count, sizeof(*scan->candidates), order_candidates);
	scan->questions = xmalloc(scan->candidate_count * sizeof(*scan->questions));
	for (i = 0; i < scan->candidate_count; i++) {
		const struct candidate *candidate = &scan->candidates[i];
		struct question *last = scan->question_count ? &scan->questions[scan->question_count - 1] : NULL;

		if (last && !strcmp(last->name, candidate->name))
			last->candidate_count++;
		else
			scan->questions[scan->question_count++] = (struct question){
				.name = candidate->name, .candidates = candidate, .candidate_count = 1 };
	}
	for (i = 0; i < scan->question_count; i++)
		judge(scan, &scan->questions[i]);
}

static void ask(struct strbuf *out, const struct question *question, size_t number)
{
	const char *name = question->name;

	if (!question->asked || question->failed) {
		strbuf_adds(out, "\n\n\n\n");
		return;
	}
	strbuf_addf(out, "#ifdef %s\nenum{" MACRO_VALUE_PREFIX "%zu=(%s)", name, number, name);
	if (question->guarded)
		strbuf_addf(out, "," MACRO_WIDTH_PREFIX "%zu=sizeof(%s)};\n#endif\nenum{" MACRO_MARK_PREFIX "%zu};\n",
			    number, name, number);
	else
		strbuf_adds(out, "};\n#endif\n\n");
}

void macro_scan_section(struct macro_scan *scan, struct strbuf *out)
{
	size_t i;

	if (!scan->questions)
		make_questions(scan);
	for (i = 0; i < scan->question_count; i++)
		ask(out, &scan->questions[i], i);
}

void macro_scan_forget(struct macro_scan *scan)
{
	size_t i;

	for (i = 0; i < scan->question_count; i++) {
		struct question *question = &scan->questions[i];

		question->answered = question->marked = false;
		question->width_bytes = 0;
	}
}

void macro_scan_failed(struct macro_scan *scan, size_t line)
{
	size_t number = line / MACRO_SECTION_LINES;

	if (number < scan->question_count)
		scan->questions[number].failed = true;
}

/* The question whose number stands behind @prefix; NULL if it is none. */
static struct question *question_of(const struct macro_scan *scan, const char *enumerator, const char *prefix)
{
	size_t length = strlen(prefix), number;

	if (strncmp(enumerator, prefix, length))
		return NULL;
	number = strtoul(enumerator + length, NULL, 10);
	return number < scan->question_count ? &scan->questions[number] : NULL;
}

void macro_scan_answer(struct macro_scan *scan, const char *enumerator, struct abi_number value)
{
	struct question *question;

	if ((question = question_of(scan, enumerator, MACRO_VALUE_PREFIX))) {
		question->answered = true;
		question->value = value;
	} else if ((question = question_of(scan, enumerator, MACRO_WIDTH_PREFIX))) {
		question->width_bytes = value.magnitude;
	} else if ((question = question_of(scan, enumerator, MACRO_MARK_PREFIX))) {
		question->marked = true;
	}
}

bool macro_scan_lost(const struct macro_scan *scan)
{
	size_t i;

	for (i = 0; i < scan->question_count; i++) {
		const struct question *question = &scan->questions[i];

		if (question->asked && question->guarded && !question->marked && !question->failed)
			return true;
	}
	return false;
}

/*
 * Which of the #defines is the one that counted? One that stands in a file
 * that was read, and, of several, one that plainly says the value.
 */
static void choose(struct macro_scan *scan, struct question *question)
{
	bool exact = false;
	size_t i;

	for (i = 0; i < question->candidate_count && !exact; i++) {
		const struct candidate *candidate = &question->candidates[i];
		const char *text = scan_join(candidate->body, false, scan->arena);
		uint64_t value;

		exact = candidate->file->included && question->answered && macro_literal(&value, text) &&
			abi_number_equal(question->value, abi_number_unsigned(value));
		if (!question->chosen || exact || (candidate->file->included && !question->chosen->file->included)) {
			question->chosen = candidate;
			question->text = text;
		}
	}
}

static bool is_evaluated(const struct question *question)
{
	return question->answered && !question->failed && question->width_bytes <= sizeof(uint64_t);
}

static bool is_constant(const struct question *question)
{
	size_t i;

	for (i = 0; i < question->candidate_count; i++)
		if (question->candidates[i].is_constant)
			return true;
	return false;
}

static void warn(const struct macro_scan *scan, const struct question *question, struct abi_builder *builder)
{
	const struct candidate *chosen = question->chosen;
	const char *why = "is not an integer constant";

	if (question->answered && !question->failed)
		why = "is wider than 64 bits";
	else if (!question->failed)
		why = "could not be evaluated beside the others";
	abi_builder_warning(builder, arena_printf(scan->arena, "%s:%u", chosen->file->path, chosen->line),
			    arena_printf(scan->arena, "%s %s and is left out: %.200s", question->name, why, question->text));
}

static void record(struct macro_scan *scan, const struct question *question)
{
	const struct candidate *chosen = question->chosen;

	ARRAY_GROW(scan->macros, scan->macro_count, scan->macro_capacity);
	scan->macros[scan->macro_count++] = (struct macro){
		.name = question->name,
		.value = question->value,
		.evaluated = is_evaluated(question),
		.is_constant = is_constant(question),
		.unit = scan->unit->name,
		.file = chosen->file->path,
		.line = chosen->line,
		.body = scan_join(chosen->body, true, scan->arena),
	};
}

void macro_scan_finish(struct macro_scan *scan, struct abi_builder *builder)
{
	size_t i;

	for (i = 0; i < scan->question_count; i++) {
		struct question *question = &scan->questions[i];
		bool lost = question->asked && question->guarded && !question->marked;

		choose(scan, question);
		record(scan, question);
		if (is_evaluated(question) && is_constant(question))
			abi_builder_constant(builder, &(struct abi_constant){ question->name, question->value });
		else if (!is_evaluated(question) && (question->failed || question->answered || lost))
			warn(scan, question, builder);
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
