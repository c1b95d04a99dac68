#include "diff/under.h"

#include "diff/name_index.h"

#include <string.h>

struct under {
	struct diff_change *changes;
	struct diff_name_index by_name; /* records that are on both sides, or came, or went: no name of a record twice */
};

static bool find(size_t *index, const struct under *under, const char *name)
{
	return diff_name_index_find(index, &under->by_name, name, strlen(name));
}

/* The first in the list of those that @change follows from; SIZE_MAX if it follows from none. */
static size_t reason_of(const struct under *under, const struct diff_change *change)
{
	size_t first = SIZE_MAX, index;

	for (size_t i = 0; i < change->because_count; i++)
		if (find(&index, under, change->because[i]) && index < first)
			first = index;
	if (change->inside && find(&index, under, change->inside))
		first = index;
	return first;
}

/* A record cannot be inside itself, but a document may say so: no chain is longer than the list. */
static const struct diff_change *root_of(const struct under *under, size_t start, size_t count)
{
	size_t at = start, steps = 0, reason;

	while (steps++ < count && (reason = reason_of(under, &under->changes[at])) != SIZE_MAX)
		at = reason;
	return at == start || steps > count ? NULL : &under->changes[at];
}

/* Under the ioctl goes what was renamed with it, and what is told under that. */
static void set_with(struct diff_change *changes, size_t count, struct arena *arena)
{
	struct diff_name_index renamed = { 0 };
	size_t index;

	for (size_t i = 0; i < count; i++)
		if (changes[i].kind == ABI_IOCTL && changes[i].base_name &&
		    !diff_name_index_find(&index, &renamed, changes[i].name, strlen(changes[i].name)))
			diff_name_index_add(&renamed, changes[i].name, i, arena);
	for (size_t i = 0; i < count; i++)
		if (changes[i].with)
			changes[i].under = diff_name_index_find(&index, &renamed, changes[i].with, strlen(changes[i].with)) ?
				&changes[index] : NULL;
	for (size_t i = 0; i < count; i++)
		if (changes[i].under && changes[i].under->under)
			changes[i].under = changes[i].under->under;
	diff_name_index_release(&renamed);
}

/* The reverse: counts first, and then gives each its part of one list. */
static void set_told(struct diff_change *changes, size_t count, struct arena *arena)
{
	const struct diff_change **list = arena_array(arena, count + 1, sizeof(const struct diff_change *));
	size_t *end = arena_array(arena, count + 1, sizeof(*end)), used = 0;

	for (size_t i = 0; i < count; i++)
		if (changes[i].under)
			end[changes[i].under - changes]++;
	for (size_t i = 0; i < count; i++) {
		changes[i].told = list + used;
		changes[i].told_count = end[i];
		end[i] = used;
		used += changes[i].told_count;
	}
	for (size_t i = 0; i < count; i++)
		if (changes[i].under)
			list[end[changes[i].under - changes]++] = &changes[i];
}

void diff_set_under(struct diff_change *changes, size_t count, struct arena *arena)
{
	struct under under = { .changes = changes };
	size_t index;

	for (size_t i = 0; i < count; i++)
		if (changes[i].kind == ABI_RECORD && !changes[i].same_as && !find(&index, &under, changes[i].name))
			diff_name_index_add(&under.by_name, changes[i].name, i, arena);
	for (size_t i = 0; i < count; i++)
		changes[i].under = changes[i].because_count || changes[i].inside ? root_of(&under, i, count) : NULL;
	diff_name_index_release(&under.by_name);
	set_with(changes, count, arena);
	set_told(changes, count, arena);
}
