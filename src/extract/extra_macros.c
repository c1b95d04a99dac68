#include "extract/extra_macros.h"

#include <stdlib.h>
#include <string.h>

enum { NAMES_SHOWN = 3 };

void extra_macros_add(struct extra_macros *list, const struct extra_macro *one)
{
	ARRAY_GROW(list->items, list->count, list->capacity);
	list->items[list->count++] = *one;
}

/* Of one name, the integer comes first. */
static int order_macros(const void *a, const void *b)
{
	const struct extra_macro *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : y->is_integer - x->is_integer;
}

static const char *left_out(size_t count, const char *names, struct arena *arena)
{
	struct strbuf text = { 0 };
	const char *copy;

	strbuf_adds(&text, "No integers, and left out of the constants that were asked for: ");
	strbuf_plural(&text, count, "macro");
	strbuf_addf(&text, ", %s%s", count > NAMES_SHOWN ? "the first ones " : "", names);
	copy = arena_strdup(arena, text.text);
	strbuf_release(&text);
	return copy;
}

void extra_macros_warn(struct extra_macros *list, struct abi_builder *builder, struct arena *arena)
{
	struct strbuf names = { 0 };
	size_t count = 0;

	if (list->count)
		qsort(list->items, list->count, sizeof(*list->items), order_macros);
	for (size_t i = 0; i < list->count; i++) {
		const struct extra_macro *one = &list->items[i];

		if (one->is_integer || (i && !strcmp(one[-1].name, one->name)))
			continue;
		if (count++ < NAMES_SHOWN)
			strbuf_addf(&names, "%s%s (%.40s)", count > 1 ? ", " : "", one->name, one->text);
	}
	if (count)
		abi_builder_warning(builder, "", left_out(count, strbuf_text(&names), arena));
	strbuf_release(&names);
}

void extra_macros_free(struct extra_macros *list)
{
	free(list->items);
	*list = (struct extra_macros){ 0 };
}
