#include "verify/findings.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void finding_add(struct finding_list *list, struct verify_finding finding, const char *format, ...)
{
	char text[2048];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	finding.message = arena_strdup(list->arena, text);
	ARRAY_GROW(list->item, list->count, list->capacity);
	list->item[list->count++] = finding;
}

static const char *skip_index(const char *at)
{
	while (isdigit((unsigned char)*at))
		at++;
	return at;
}

/* The same path but for what stands in brackets. */
static bool same_but_index(const char *a, const char *b)
{
	while (*a && *a == *b) {
		bool opens = *a == '[';

		a++;
		b++;
		if (opens) {
			a = skip_index(a);
			b = skip_index(b);
		}
	}
	return *a == *b;
}

static bool same_fault(const struct verify_finding *a, const struct verify_finding *b)
{
	return a->rule == b->rule && a->unseen == b->unseen && a->driver.present == b->driver.present && a->proxy.present == b->proxy.present &&
	       (!a->driver.present || !strcmp(a->driver.type, b->driver.type)) &&
	       (!a->proxy.present || !strcmp(a->proxy.type, b->proxy.type)) && same_but_index(a->path, b->path);
}

/* Says in how many elements of an array it is the same. */
static void add_count(struct verify_finding *finding, size_t more, struct arena *arena)
{
	struct strbuf count = { 0 };

	strbuf_plural(&count, more, "more element");
	finding->message = arena_printf(arena, "%s (and in %s)", finding->message, strbuf_text(&count));
	strbuf_release(&count);
}

void finding_fold(struct finding_list *list, size_t first)
{
	size_t *more = xmalloc((list->count - first + 1) * sizeof(*more));
	size_t count = first;

	for (size_t i = first; i < list->count; i++) {
		size_t like = strchr(list->item[i].path, '[') ? first : count;

		while (like < count && !same_fault(&list->item[like], &list->item[i]))
			like++;
		if (like < count) {
			more[like - first]++;
			continue;
		}
		more[count - first] = 0;
		list->item[count++] = list->item[i];
	}
	list->count = count;
	for (size_t i = first; i < count; i++)
		if (more[i - first])
			add_count(&list->item[i], more[i - first], list->arena);
	free(more);
}

static int compare_findings(const void *a, const void *b)
{
	const struct verify_finding *x = a, *y = b;
	int order;

	if ((order = strcmp(x->family, y->family)) || (order = strcmp(x->entry, y->entry)) || (order = strcmp(x->record, y->record)))
		return order;
	if (x->driver.offset_bytes != y->driver.offset_bytes)
		return x->driver.offset_bytes < y->driver.offset_bytes ? -1 : 1;
	if (x->rule != y->rule)
		return (int)x->rule - (int)y->rule;
	return (order = strcmp(x->path, y->path)) ? order : strcmp(x->message, y->message);
}

void finding_sort(struct finding_list *list)
{
	if (list->count)
		qsort(list->item, list->count, sizeof(*list->item), compare_findings);
}
