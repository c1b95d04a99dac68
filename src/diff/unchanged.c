/*
 * diff/unchanged.c - is a record the same in both versions, without listing its members?
 *
 * 1. diff_changed_types_list() lists the names whose definition differs: an
 *    alias or enum with another size or type, or one that became something
 *    else. Records are not listed: a record that changed is reported on its
 *    own, not with those that contain it.
 * 2. diff_is_unchanged() compares the two records as they are spelled. If
 *    they are equal, it looks their fields' types up in that list, and
 *    compares unnamed records of their fields the same way: these are only
 *    reported with the record that contains them.
 *
 * The answer "no" may be wrong, and costs a comparison in full.
 */
#include "diff/unchanged.h"

#include <stdlib.h>
#include <string.h>

enum { UNNAMED_DEPTH_MAX = 64 };

/* Has a type name of base another definition in next? Names that next lacks are not in its fields. */
static bool alias_changed(const struct abi *next, const struct abi_alias *was)
{
	const struct abi_alias *is = abi_find_alias(next, was->name);

	if (is)
		return !abi_same_alias(was, is);
	return abi_find_record(next, was->name) || abi_find_enum(next, was->name);
}

static bool enum_changed(const struct abi *next, const struct abi_enum *was)
{
	const struct abi_enum *is = abi_find_enum(next, was->name);

	if (is)
		return was->size_bytes != is->size_bytes || strcmp(was->type, is->type);
	return abi_find_record(next, was->name) || abi_find_alias(next, was->name);
}

static int compare_texts(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void diff_changed_types_list(struct diff_changed_types *out, const struct diff_side *base_side, const struct diff_side *next_side,
			     struct arena *arena)
{
	const struct abi *base = base_side->abi, *next = next_side->abi;
	const char **list = arena_array(arena, base->alias_count + base->enum_count + 1, sizeof(*list));
	size_t count = 0;

	for (size_t i = 0; i < base->alias_count; i++)
		if (alias_changed(next, &base->aliases[i]))
			list[count++] = base->aliases[i].name;
	for (size_t i = 0; i < base->enum_count; i++)
		if (enum_changed(next, &base->enums[i]))
			list[count++] = base->enums[i].name;
	if (count > 1)
		qsort(list, count, sizeof(*list), compare_texts);
	*out = (struct diff_changed_types){ base_side, next_side, list, count };
}

static bool type_changed(const struct diff_changed_types *types, const char *type)
{
	size_t low = 0, high = types->count;
	struct abi_spelling spelling;

	if (!high || abi_spelling_parse(&spelling, type, NULL))
		return high > 0;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = strncmp(types->name[middle], spelling.base, spelling.base_length);

		if (!order && !types->name[middle][spelling.base_length])
			return true;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

static bool is_unchanged(const struct diff_changed_types *types, const struct abi_record *base, const struct abi_record *next, int depth);

/* An equal spelling is an equal type, unless its name has another definition now, or it is an unnamed record that changed. */
static bool is_unchanged_type(const struct diff_changed_types *types, const char *type, int depth)
{
	struct abi_type was, is;

	if (type_changed(types, type))
		return false;
	if (!strstr(type, "::"))
		return true;
	if (abi_resolve_type(&was, types->base->abi, type, NULL) || abi_resolve_type(&is, types->next->abi, type, NULL) ||
	    !was.record != !is.record)
		return false;
	return !was.record || !diff_side_is_unnamed(types->base, was.record) ||
	       is_unchanged(types, was.record, is.record, depth + 1);
}

/* The common case, decided without listing members. */
static bool is_unchanged(const struct diff_changed_types *types, const struct abi_record *base, const struct abi_record *next, int depth)
{
	if (!abi_same_record(base, next) || depth == UNNAMED_DEPTH_MAX)
		return false;
	if (!types->count && !types->base->has_unnamed[base - types->base->abi->records])
		return true;
	for (size_t i = 0; i < base->field_count; i++)
		if (!is_unchanged_type(types, base->fields[i].type, depth))
			return false;
	return true;
}

bool diff_is_unchanged(const struct diff_changed_types *types, const struct abi_record *base, const struct abi_record *next)
{
	return is_unchanged(types, base, next, 0);
}
