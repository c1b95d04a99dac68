#include "bootstrap/observed.h"

#include <string.h>

int bootstrap_use_order(const void *a, const void *b)
{
	const struct bootstrap_use *x = a, *y = b;
	int order = strcmp(x->family, y->family);

	if (!order)
		order = strcmp(x->name, y->name);
	if (!order)
		order = x->number < y->number ? -1 : x->number > y->number;
	if (!order)
		order = strcmp(x->cap, y->cap);
	return order ? order : strcmp(x->trace, y->trace);
}

/* By name; by number only if it has no name. */
static bool is_of(const struct bootstrap_use *use, const char *family, const char *name, uint64_t number)
{
	return !strcmp(use->family, family) && !strcmp(use->name, name) && (*name || use->number == number);
}

/* The first use of an ioctl; the count of all if there is none. */
static size_t find(const struct bootstrap_observed *observed, const char *family, const char *name, uint64_t number)
{
	const struct bootstrap_use wanted = { family, name, *name ? 0 : number, "", "" };
	size_t low = 0, high = observed->count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (bootstrap_use_order(&observed->uses[middle], &wanted) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < observed->count && is_of(&observed->uses[low], family, name, number) ? low : observed->count;
}

/* "observed in a.trace, b.trace": each once, in the order of capabilities. */
static const char *seen_in(const struct bootstrap_use *uses, size_t count, struct arena *arena)
{
	struct strbuf text = { 0 };
	const char *told;

	strbuf_adds(&text, "observed in ");
	for (size_t i = 0; i < count; i++) {
		bool is_new = true;

		for (size_t j = 0; j < i && is_new; j++)
			is_new = strcmp(uses[j].trace, uses[i].trace) != 0;
		if (is_new)
			strbuf_addf(&text, "%s%s", i ? ", " : "", uses[i].trace);
	}
	told = arena_strdup(arena, text.text);
	strbuf_release(&text);
	return told;
}

size_t bootstrap_observed_caps(const char *const **caps, const char **evidence, const struct bootstrap_observed *observed, const char *family,
			       const char *name, uint64_t number, struct arena *arena)
{
	const char **found;
	size_t first, end, count = 0;

	if (!observed || !observed->count)
		return 0;
	if ((first = find(observed, family, name, number)) == observed->count && (first = find(observed, family, name = "", number)) == observed->count)
		return 0;
	for (end = first; end < observed->count && is_of(&observed->uses[end], family, name, number);)
		end++;
	found = arena_array(arena, end - first, sizeof(*found));
	for (size_t i = first; i < end; i++)
		if (!count || strcmp(found[count - 1], observed->uses[i].cap) != 0)
			found[count++] = observed->uses[i].cap;
	*caps = found;
	*evidence = seen_in(&observed->uses[first], end - first, arena);
	return count;
}
