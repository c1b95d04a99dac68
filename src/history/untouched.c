/*
 * history/untouched.c - what has a name or a number, held against the other side of an edge
 *
 * 1. All that has one of the filter's names or numbers is compared at once,
 *    except records: they are pushed onto a list, each name once. So are the
 *    parameter records of its ioctls.
 * 2. The records on the list are compared, and the records that their fields
 *    hold or point to are pushed, until the list is done.
 *
 * The first difference ends the comparison.
 */
#include "history/untouched.h"

#include <stdlib.h>
#include <string.h>

/* The records that are still to be held against each other, and those that were. */
struct pending {
	const struct abi *base, *next;
	const char **name; /* malloc'd */
	size_t count, capacity;
	size_t done;
};

static void push(struct pending *pending, const char *name)
{
	for (size_t i = 0; i < pending->count; i++)
		if (!strcmp(pending->name[i], name))
			return;
	ARRAY_GROW(pending->name, pending->count, pending->capacity);
	pending->name[pending->count++] = name;
}

/* Every record that is named in a spelling: "T *", "void (*)(struct T *)". */
static void push_named(struct pending *pending, const char *spelling)
{
	static const char word[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_:";

	while (*(spelling += strcspn(spelling, word))) {
		size_t length = strspn(spelling, word);
		char *name = xmalloc(length + 1);
		const struct abi_record *base, *next;

		memcpy(name, spelling, length);
		name[length] = '\0';
		base = abi_find_record(pending->base, name);
		next = abi_find_record(pending->next, name);
		if (base || next)
			push(pending, (base ? base : next)->name);
		free(name);
		spelling += length;
	}
}

/* What carries a pointer carries what that leads to. An alias is spelled in C itself. */
static void push_pointed_to(struct pending *pending, const char *type)
{
	const struct abi_alias *base = abi_find_alias(pending->base, type), *next = abi_find_alias(pending->next, type);

	push_named(pending, type);
	if (base)
		push_named(pending, base->type);
	if (next)
		push_named(pending, next->type);
}

/* The same scalar, or a record of the same name: that is then held against the other one. */
static bool same_type(struct pending *pending, const char *type)
{
	struct abi_type base, next;

	if (abi_resolve_type(&base, pending->base, type, NULL) || abi_resolve_type(&next, pending->next, type, NULL))
		return false;
	if (base.element_bytes != next.element_bytes || !abi_same_dimensions(&base, &next) || !base.record != !next.record)
		return false;
	if (!base.record) {
		if (base.scalar == ABI_POINTER || next.scalar == ABI_POINTER)
			push_pointed_to(pending, type);
		return base.scalar == next.scalar && abi_same_c_name(&base, &next);
	}
	push(pending, base.record->name);
	return !strcmp(base.record->name, next.record->name);
}

static bool same_record(struct pending *pending, const char *name)
{
	const struct abi_record *base = abi_find_record(pending->base, name), *next = abi_find_record(pending->next, name);

	if (!base || !next)
		return !base && !next;
	if (!abi_same_record(base, next))
		return false;
	for (size_t i = 0; i < base->field_count; i++)
		if (!same_type(pending, base->fields[i].type))
			return false;
	return true;
}

static bool same_alias(const struct abi *base, const struct abi *next, const char *name)
{
	const struct abi_alias *a = abi_find_alias(base, name), *b = abi_find_alias(next, name);

	return a && b ? abi_same_alias(a, b) : !a && !b;
}

static bool same_enum(const struct abi *base, const struct abi *next, const char *name)
{
	const struct abi_enum *a = abi_find_enum(base, name), *b = abi_find_enum(next, name);

	return a && b ? abi_same_enum(a, b) : !a && !b;
}

static bool same_constant(const struct abi *base, const struct abi *next, const char *name)
{
	const struct abi_constant *a = abi_find_constant(base, name), *b = abi_find_constant(next, name);

	return a && b ? abi_number_equal(a->value, b->value) : !a && !b;
}

/* The next ioctl from @index on that has the name, or if that is NULL the number; NULL after the last one. */
static const struct abi_ioctl *next_ioctl(const struct abi *abi, size_t *index, const char *name, uint64_t number)
{
	while (*index < abi->ioctl_count) {
		const struct abi_ioctl *ioctl = &abi->ioctls[(*index)++];

		if (name ? !strcmp(ioctl->name, name) : ioctl->number == number)
			return ioctl;
	}
	return NULL;
}

static bool same_ioctls(struct pending *pending, const char *name, uint64_t number)
{
	size_t i = 0, j = 0;

	for (;;) {
		const struct abi_ioctl *base = next_ioctl(pending->base, &i, name, number);
		const struct abi_ioctl *next = next_ioctl(pending->next, &j, name, number);

		if (!base || !next)
			return !base && !next;
		if (!abi_same_ioctl(base, next))
			return false;
		if (base->params)
			push(pending, base->params);
	}
}

/* The commands' macros that have the number: the same ones on both sides. */
static bool same_macros(const struct abi *base, const struct abi *next, uint64_t number)
{
	size_t i = 0, j = 0;

	for (;;) {
		while (i < base->constant_count && base->constants[i].value.magnitude != number)
			i++;
		while (j < next->constant_count && next->constants[j].value.magnitude != number)
			j++;
		if (i == base->constant_count || j == next->constant_count)
			return i == base->constant_count && j == next->constant_count;
		if (strcmp(base->constants[i++].name, next->constants[j++].name))
			return false;
	}
}

static bool same_name(struct pending *pending, const char *name)
{
	push(pending, name);
	return same_ioctls(pending, name, 0) && same_alias(pending->base, pending->next, name) &&
	       same_enum(pending->base, pending->next, name) && same_constant(pending->base, pending->next, name);
}

/* Everything that is pending, and what that holds. */
static bool same_pending(struct pending *pending)
{
	bool same = true;

	while (same && pending->done < pending->count)
		same = same_record(pending, pending->name[pending->done++]);
	return same;
}

bool history_same_record(const struct abi *base, const struct abi *next, const char *name)
{
	struct pending pending = { .base = base, .next = next };
	bool same;

	push(&pending, name);
	same = abi_find_record(base, name) && same_pending(&pending);
	free(pending.name);
	return same;
}

static bool same_names(struct pending *pending, const struct history_filter *filter)
{
	for (size_t i = 0; i < filter->name_count; i++)
		if (history_is_glob(filter->names[i]) || !same_name(pending, filter->names[i]))
			return false;
	return true;
}

static bool same_numbers(struct pending *pending, const struct history_filter *filter)
{
	for (size_t i = 0; i < filter->number_count; i++)
		if (!same_ioctls(pending, NULL, filter->numbers[i]) ||
		    !same_macros(pending->base, pending->next, filter->numbers[i]))
			return false;
	return true;
}

bool history_untouched(const struct abi *base, const struct abi *next, const struct history_filter *filter)
{
	struct pending pending = { .base = base, .next = next };
	bool same;

	if (!filter->name_count && !filter->number_count)
		return false;
	same = same_names(&pending, filter) && same_numbers(&pending, filter) && same_pending(&pending);
	free(pending.name);
	return same;
}
