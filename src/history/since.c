#include "history/history.h"
#include "history/numbers.h"

#include <stdlib.h>
#include <string.h>

/* Spans in the making. */
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

static void add_span(struct spans *spans, enum abi_kind kind, const char *family, const char *name)
{
	for (size_t i = 0; i < spans->count; i++) {
		const struct history_span *span = &spans->item[i];

		if (span->kind == kind && !strcmp(span->name, name) && (!family || !strcmp(span->family, family)))
			return;
	}
	ARRAY_GROW(spans->item, spans->count, spans->capacity);
	spans->item[spans->count++] = (struct history_span){ .kind = kind, .family = family, .name = name };
}

/* The macro of a command that no table lists, with the number that is asked for. */
static bool is_numbered_macro(const struct abi *abi, const struct abi_constant *constant, const struct history_filter *filter)
{
	struct numbers_form form;

	if (!constant || constant->value.magnitude != filter->number)
		return false;
	form = numbers_form_of(abi);
	return numbers_is_command(&form, constant) && !abi_find_ioctl(abi, NULL, constant->name);
}

static void add_numbered(struct spans *spans, const struct abi *abi)
{
	for (size_t i = 0; i < abi->ioctl_count; i++)
		if (abi->ioctls[i].number == spans->filter->number)
			add_span(spans, ABI_IOCTL, abi->ioctls[i].family, abi->ioctls[i].name);
	for (size_t i = 0; i < abi->constant_count; i++)
		if (is_numbered_macro(abi, &abi->constants[i], spans->filter))
			add_span(spans, ABI_CONSTANT, NULL, abi->constants[i].name);
}

static void add_named(struct spans *spans, const struct abi *abi, const char *name)
{
	bool is_ioctl = false;

	if (abi_find_record(abi, name))
		add_span(spans, ABI_RECORD, NULL, name);
	if (abi_find_alias(abi, name))
		add_span(spans, ABI_ALIAS, NULL, name);
	if (abi_find_enum(abi, name))
		add_span(spans, ABI_ENUM, NULL, name);
	for (size_t i = 0; i < abi->ioctl_count; i++)
		if (!strcmp(abi->ioctls[i].name, name)) {
			add_span(spans, ABI_IOCTL, abi->ioctls[i].family, name);
			is_ioctl = true;
		}
	if (!is_ioctl && abi_find_constant(abi, name))
		add_span(spans, ABI_CONSTANT, NULL, name);
}

static bool has_ioctl(const struct abi *abi, const struct history_span *span, const struct history_filter *filter)
{
	for (size_t i = 0; i < abi->ioctl_count; i++) {
		const struct abi_ioctl *ioctl = &abi->ioctls[i];

		if ((!filter->has_number || ioctl->number == filter->number) && !strcmp(ioctl->name, span->name) &&
		    !strcmp(ioctl->family, span->family))
			return true;
	}
	return false;
}

static bool has_constant(const struct abi *abi, const struct history_span *span, const struct history_filter *filter)
{
	const struct abi_constant *constant = abi_find_constant(abi, span->name);

	if (filter->has_number)
		return is_numbered_macro(abi, constant, filter);
	return constant && !abi_find_ioctl(abi, NULL, span->name);
}

static bool has(const struct abi *abi, const struct history_span *span, const struct history_filter *filter)
{
	switch (span->kind) {
	case ABI_RECORD: return abi_find_record(abi, span->name);
	case ABI_ALIAS: return abi_find_alias(abi, span->name);
	case ABI_ENUM: return abi_find_enum(abi, span->name);
	case ABI_CONSTANT: return has_constant(abi, span, filter);
	case ABI_IOCTL: return has_ioctl(abi, span, filter);
	}
	return false;
}

static int compare_indices(const void *a, const void *b)
{
	const size_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static void finish_span(struct spans *spans, struct history_span *span)
{
	const struct history_graph *graph = spans->graph;
	bool *present = arena_array(spans->arena, graph->version_count + 1, sizeof(*present));
	bool *follows = arena_array(spans->arena, graph->version_count + 1, sizeof(*follows)); /* has a parent that is known */
	size_t *since = arena_array(spans->arena, graph->version_count + 1, sizeof(*since));
	size_t *until = arena_array(spans->arena, graph->version_count + 1, sizeof(*until));

	for (size_t i = 0; i < graph->version_count; i++) {
		present[i] = graph->versions[i].abi && has(graph->versions[i].abi, span, spans->filter);
		span->version_count += present[i];
	}
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

static int compare_by_start(const void *a, const void *b)
{
	const struct history_span *x = a, *y = b;
	int order = compare_indices(x->since, y->since);

	return order ? order : compare_by_name(a, b);
}

void history_since(struct history_spans *out, const struct history_graph *graph, const struct history_filter *filter,
		   struct arena *arena)
{
	struct spans spans = { .graph = graph, .filter = filter, .arena = arena };

	for (size_t i = 0; i < graph->version_count; i++) {
		const struct abi *abi = graph->versions[i].abi;

		if (abi && filter->has_number)
			add_numbered(&spans, abi);
		for (size_t n = 0; abi && !filter->has_number && n < filter->name_count; n++)
			if (!history_is_glob(filter->names[n]))
				add_named(&spans, abi, filter->names[n]);
	}
	for (size_t i = 0; i < spans.count; i++)
		finish_span(&spans, &spans.item[i]);
	if (spans.count > 1)
		qsort(spans.item, spans.count, sizeof(*spans.item), filter->has_number ? compare_by_start : compare_by_name);
	out->spans = arena_memdup(arena, spans.item, spans.count * sizeof(*spans.item));
	out->count = spans.count;
	free(spans.item);
}
