/*
 * history/since.c - from which version to which something has a name or a number
 *
 * 1. Each version's document is searched for the filter's names (not globs) and numbers.
 *    Every item that is found becomes a span: by kind, family and name; for a
 *    number, by that number as well. An item that several versions have is
 *    one span.
 * 2. For each span, every version is asked whether it has the item.
 * 3. An edge whose parent has it and whose version lacks it ends the span
 *    there (until); the reverse begins it (since). A version without a
 *    readable ancestor that has it begins it, too. With several branches, a
 *    span may begin and end several times.
 * 4. The spans are sorted: names first, then numbers.
 *
 * moves.c adds what the item was before, and what it became.
 */
#include "history/history.h"
#include "history/command.h"

#include <stdlib.h>
#include <string.h>

/* The spans that were found so far. */
struct spans {
	const struct history_graph *graph;
	const struct history_filter *filter;
	struct arena *arena;
	struct history_span *item; /* malloc'd */
	size_t count, capacity;
};

bool history_is_glob(const char *name)
{
	return strpbrk(name, "*?[\\");
}

static void add_span(struct spans *spans, const struct history_span *new)
{
	for (size_t i = 0; i < spans->count; i++) {
		const struct history_span *span = &spans->item[i];

		if (span->kind == new->kind && span->has_number == new->has_number && span->number == new->number &&
		    !strcmp(span->name, new->name) && (!new->family || !strcmp(span->family, new->family)))
			return;
	}
	ARRAY_GROW(spans->item, spans->count, spans->capacity);
	spans->item[spans->count++] = *new;
}

static void add_kind(struct spans *spans, enum abi_kind kind, const char *family, const char *name)
{
	add_span(spans, &(struct history_span){ .kind = kind, .family = family, .name = name });
}

static void add_number(struct spans *spans, enum abi_kind kind, const char *family, const char *name, uint64_t number)
{
	add_span(spans, &(struct history_span){ .kind = kind, .family = family, .name = name, .has_number = true, .number = number });
}

/* The macro of a command that no table lists, with that number. */
static bool is_numbered_macro(const struct abi *abi, const struct abi_constant *constant, uint64_t number)
{
	struct command_form form;

	if (!constant || constant->value.magnitude != number)
		return false;
	form = command_form_of(abi);
	return command_is_macro(&form, constant) && !abi_find_ioctl(abi, NULL, constant->name);
}

static void add_numbered(struct spans *spans, const struct abi *abi, uint64_t number)
{
	for (size_t i = 0; i < abi->ioctl_count; i++)
		if (abi->ioctls[i].number == number)
			add_number(spans, ABI_IOCTL, abi->ioctls[i].family, abi->ioctls[i].name, number);
	for (size_t i = 0; i < abi->constant_count; i++)
		if (is_numbered_macro(abi, &abi->constants[i], number))
			add_number(spans, ABI_CONSTANT, NULL, abi->constants[i].name, number);
}

static void add_named(struct spans *spans, const struct abi *abi, const char *name)
{
	bool is_ioctl = false;

	if (abi_find_record(abi, name))
		add_kind(spans, ABI_RECORD, NULL, name);
	if (abi_find_alias(abi, name))
		add_kind(spans, ABI_ALIAS, NULL, name);
	if (abi_find_enum(abi, name))
		add_kind(spans, ABI_ENUM, NULL, name);
	for (size_t i = 0; i < abi->ioctl_count; i++)
		if (!strcmp(abi->ioctls[i].name, name)) {
			add_kind(spans, ABI_IOCTL, abi->ioctls[i].family, name);
			is_ioctl = true;
		}
	if (!is_ioctl && abi_find_constant(abi, name))
		add_kind(spans, ABI_CONSTANT, NULL, name);
}

static bool has_ioctl(const struct abi *abi, const struct history_span *span)
{
	for (size_t i = 0; i < abi->ioctl_count; i++) {
		const struct abi_ioctl *ioctl = &abi->ioctls[i];

		if ((!span->has_number || ioctl->number == span->number) && !strcmp(ioctl->name, span->name) &&
		    !strcmp(ioctl->family, span->family))
			return true;
	}
	return false;
}

static bool has_constant(const struct abi *abi, const struct history_span *span)
{
	const struct abi_constant *constant = abi_find_constant(abi, span->name);

	if (span->has_number)
		return is_numbered_macro(abi, constant, span->number);
	return constant && !abi_find_ioctl(abi, NULL, span->name);
}

static bool has(const struct abi *abi, const struct history_span *span)
{
	switch (span->kind) {
	case ABI_RECORD: return abi_find_record(abi, span->name);
	case ABI_ALIAS: return abi_find_alias(abi, span->name);
	case ABI_ENUM: return abi_find_enum(abi, span->name);
	case ABI_CONSTANT: return has_constant(abi, span);
	case ABI_IOCTL: return has_ioctl(abi, span);
	}
	return false;
}

static int compare_indices(const void *a, const void *b)
{
	const size_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* Step 2: by version, has it the item? */
static const bool *presence_of(struct history_span *span, const struct spans *spans)
{
	const struct history_graph *graph = spans->graph;
	bool *present = arena_array(spans->arena, graph->version_count + 1, sizeof(*present));

	for (size_t i = 0; i < graph->version_count; i++) {
		present[i] = graph->versions[i].abi && has(graph->versions[i].abi, span);
		span->version_count += present[i];
	}
	return present;
}

/* Step 3. */
static void finish_span(struct spans *spans, struct history_span *span)
{
	const struct history_graph *graph = spans->graph;
	const bool *present = presence_of(span, spans);
	bool *follows = arena_array(spans->arena, graph->version_count + 1, sizeof(*follows)); /* has a parent that is known */
	size_t *since = arena_array(spans->arena, graph->version_count + 1, sizeof(*since));
	size_t *until = arena_array(spans->arena, graph->version_count + 1, sizeof(*until));

	for (size_t i = 0; i < graph->edge_count; i++) {
		const struct history_edge *edge = &graph->edges[i];

		follows[edge->version] = true;
		if (present[edge->parent] && !present[edge->version])
			until[span->until_count++] = edge->version;
		if (!present[edge->parent] && present[edge->version])
			since[span->since_count++] = edge->version;
	}
	for (size_t i = 0; i < graph->version_count; i++)
		if (present[i] && !follows[i])
			since[span->since_count++] = i;
	if (span->since_count > 1)
		qsort(since, span->since_count, sizeof(*since), compare_indices);
	span->since = since;
	span->until = until;
	span->was = arena_array(spans->arena, span->since_count + 1, sizeof(*span->was));
	span->now = arena_array(spans->arena, span->until_count + 1, sizeof(*span->now));
}

static int compare_texts(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

static int compare_by_name(const void *a, const void *b)
{
	const struct history_span *x = a, *y = b;
	int order = (int)x->kind - (int)y->kind;

	if (order || (order = compare_texts(x->family, y->family)))
		return order;
	return strcmp(x->name, y->name);
}

/* Those of names come first. */
static int compare_spans(const void *a, const void *b)
{
	const struct history_span *x = a, *y = b;
	int order;

	if (x->has_number != y->has_number)
		return x->has_number ? 1 : -1;
	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	order = x->has_number ? compare_indices(x->since, y->since) : 0;
	return order ? order : compare_by_name(a, b);
}

static void add_asked(struct spans *spans, const struct abi *abi)
{
	const struct history_filter *filter = spans->filter;

	for (size_t i = 0; i < filter->number_count; i++)
		add_numbered(spans, abi, filter->numbers[i]);
	for (size_t i = 0; i < filter->name_count; i++)
		if (!history_is_glob(filter->names[i]))
			add_named(spans, abi, filter->names[i]);
}

void history_since(struct history_spans *out, const struct history_graph *graph, const struct history_filter *filter,
		   struct arena *arena)
{
	struct spans spans = { .graph = graph, .filter = filter, .arena = arena };

	for (size_t i = 0; i < graph->version_count; i++)
		if (graph->versions[i].abi)
			add_asked(&spans, graph->versions[i].abi);
	for (size_t i = 0; i < spans.count; i++)
		finish_span(&spans, &spans.item[i]);
	if (spans.count > 1)
		qsort(spans.item, spans.count, sizeof(*spans.item), compare_spans);
	out->spans = arena_memdup(arena, spans.item, spans.count * sizeof(*spans.item));
	out->count = spans.count;
	free(spans.item);
}
