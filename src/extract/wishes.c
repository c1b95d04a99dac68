#include "extract/wishes.h"

#include <string.h>

struct wishes wishes_of(const char *const *names, size_t count, struct arena *arena)
{
	struct wishes wishes = { arena_array(arena, count, sizeof(struct wish)), 0 };

	for (size_t i = 0; i < count; i++) /* a name that is given twice is one wish */
		if (!wish_find(&wishes, names[i]))
			wishes.items[wishes.count++] = (struct wish){ .name = names[i] };
	return wishes;
}

struct wish *wish_find(const struct wishes *wishes, const char *name)
{
	for (size_t i = 0; i < wishes->count; i++)
		if (!strcmp(wishes->items[i].name, name))
			return &wishes->items[i];
	return NULL;
}

size_t wishes_missing(const struct wishes *wishes)
{
	size_t count = 0;

	for (size_t i = 0; i < wishes->count; i++)
		count += !wishes->items[i].is_granted;
	return count;
}

void wishes_compare(const struct wishes *wishes, const char *name)
{
	for (size_t i = 0; i < wishes->count; i++)
		if (!wishes->items[i].is_granted && !wishes->items[i].declared_at)
			abi_nearest_name(&wishes->items[i].nearest, wishes->items[i].name, name);
}

static const char *lacking_text(struct wish *wish, const char *lacking, struct arena *arena)
{
	struct strbuf text = { 0 };
	const char *copy;

	strbuf_addf(&text, "%s %s", lacking, wish->name);
	abi_nearest_list(&text, &wish->nearest);
	copy = arena_strdup(arena, strbuf_text(&text));
	strbuf_release(&text);
	return copy;
}

void wishes_warn(const struct wishes *wishes, const char *lacking, const char *unusable, const char *path,
		 struct abi_builder *builder, struct arena *arena)
{
	for (size_t i = 0; i < wishes->count; i++) {
		struct wish *wish = &wishes->items[i];

		if (!wish->is_granted && wish->declared_at)
			abi_builder_warning(builder, wish->declared_at, arena_printf(arena, "%s %s and is left out", wish->name, unusable));
		else if (!wish->is_granted)
			abi_builder_warning(builder, path, lacking_text(wish, lacking, arena));
	}
}
