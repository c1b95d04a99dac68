/*
 * gen/numbers.c - numbers of ioctls, constants and enumerators, in groups
 *
 * A number is known by its group and the driver's name. In a later version it
 * may have another value: then it is one more constant, with that version in its name.
 * First values are named before all others: no later value of TOY_A is called as the driver's own TOY_A_V2.
 */
#include "gen/collect.h"
#include "gen/words.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

/* One value of one name. */
struct value {
	const char *text;
	struct abi_number number;
	const char *version; /* the first that has it */
	const char *name; /* in the file; NULL until it is named, or if another constant of that name has the same value */
	struct value *next;
};

struct number {
	const char *name; /* the driver's */
	struct value *values; /* oldest first */
	UT_hash_handle by_name;
};

struct number_group {
	const char *title;
	bool is_enum;
	struct number *numbers; /* hash */
	UT_hash_handle by_title;
};

static struct number_group *group_of(struct numbers *numbers, const char *title)
{
	struct number_group *group;

	HASH_FIND(by_title, numbers->groups, title, strlen(title), group);
	if (!group) {
		group = arena_alloc(numbers->arena, sizeof(*group));
		group->title = title;
		HASH_ADD_KEYPTR(by_title, numbers->groups, title, strlen(title), group);
	}
	return group;
}

static struct number *number_of(struct numbers *numbers, struct number_group *group, const char *name)
{
	struct number *number;

	HASH_FIND(by_name, group->numbers, name, strlen(name), number);
	if (!number) {
		number = arena_alloc(numbers->arena, sizeof(*number));
		number->name = name;
		HASH_ADD_KEYPTR(by_name, group->numbers, name, strlen(name), number);
	}
	return number;
}

static void add(struct numbers *numbers, const char *title, const char *name, const char *text, struct abi_number number, const char *version)
{
	struct number *one = number_of(numbers, group_of(numbers, title), name);
	struct value **end = &one->values;

	for (; *end; end = &(*end)->next)
		if (abi_number_equal((*end)->number, number))
			return;
	*end = arena_alloc(numbers->arena, sizeof(**end));
	**end = (struct value){ arena_strdup(numbers->arena, text), number, version, NULL, NULL };
}

const char *numbers_ioctl_name(const struct abi_ioctl *ioctl, struct arena *arena)
{
	return ioctl->varies ? arena_strndup(arena, ioctl->name, strcspn(ioctl->name, "(")) : ioctl->name;
}

void numbers_add_ioctl(struct numbers *numbers, const struct abi_ioctl *ioctl, const char *version)
{
	const char *varies = ioctl->varies ? " whose arguments are bits of the number: with 0 for these" : "";
	char buffer[ABI_NOTATION_BYTES];

	add(numbers, arena_printf(numbers->arena, "Numbers of %s ioctls%s.", ioctl->family, varies), numbers_ioctl_name(ioctl, numbers->arena),
	    abi_ioctl_number(ioctl->family, ioctl->number, buffer), abi_number_unsigned(ioctl->number), version);
}

void numbers_add_constant(struct numbers *numbers, const struct abi_constant *constant, const char *version)
{
	char buffer[ABI_NOTATION_BYTES];
	char *text = arena_strdup(numbers->arena, abi_constant_number(constant, buffer));

	text[strcspn(text, " ")] = '\0'; /* "0xa097 (41111)" */
	add(numbers, "Constants.", constant->name, text, constant->value, version);
}

void numbers_add_enum(struct numbers *numbers, const struct abi_enum *one, const char *version)
{
	const char *title = arena_printf(numbers->arena, "Values of enum %s.", one->name);
	char buffer[24];

	group_of(numbers, title)->is_enum = true;
	for (size_t i = 0; i < one->value_count; i++)
		add(numbers, title, one->values[i].name, abi_number_text(one->values[i].value, buffer), one->values[i].value, version);
}

/* --- as a file has them ------------------------------------------------------------- */

/* A name that is in use, and for what. */
struct used {
	const char *name;
	struct abi_number number;
	UT_hash_handle by_name;
};

struct naming {
	const struct collect_types *types;
	struct used *used;
	struct arena *arena;
};

/* The driver's name as the language can have it. */
static const char *constant_name(const struct naming *naming, const char *name)
{
	if (naming->types->language == GEN_GO)
		return proxytype_type_name(name, naming->arena);
	return words_is_reserved(naming->types->language, name) ? arena_printf(naming->arena, "%s_", name) : name;
}

static struct used *find_used(const struct naming *naming, const char *name)
{
	struct used *used;

	HASH_FIND(by_name, naming->used, name, strlen(name), used);
	return used;
}

/* A name for @number; NULL if it has one already: a macro and the ioctl that it is the number of. */
static const char *free_name(struct naming *naming, const char *wanted, struct abi_number number)
{
	const char *name = wanted;
	struct used *used = find_used(naming, name);

	for (unsigned i = 2; used || collect_types_has(naming->types, name); i++) {
		if (used && abi_number_equal(used->number, number))
			return NULL;
		name = arena_printf(naming->arena, "%s_%u", wanted, i);
		used = find_used(naming, name);
	}
	used = arena_alloc(naming->arena, sizeof(*used));
	*used = (struct used){ .name = name, .number = number };
	HASH_ADD_KEYPTR(by_name, naming->used, name, strlen(name), used);
	return name;
}

static int compare_numbers(const void *a, const void *b)
{
	const struct number *x = *(const struct number *const *)a, *y = *(const struct number *const *)b;
	struct abi_number v = x->values->number, w = y->values->number;

	if (v.negative != w.negative)
		return v.negative ? -1 : 1;
	if (v.magnitude != w.magnitude)
		return (v.magnitude < w.magnitude) != v.negative ? -1 : 1;
	return strcmp(x->name, y->name);
}

static const struct number **ordered(const struct number_group *group, struct arena *arena)
{
	const struct number **order = arena_array(arena, HASH_CNT(by_name, group->numbers), sizeof(*order));
	size_t count = 0;

	for (const struct number *one = group->numbers; one; one = one->by_name.next)
		order[count++] = one;
	qsort(order, count, sizeof(*order), compare_numbers);
	return order;
}

static void name_first(struct naming *naming, const struct number *one)
{
	one->values->name = free_name(naming, constant_name(naming, one->name), one->values->number);
}

static void name_later(struct naming *naming, const struct number *one)
{
	for (struct value *value = one->values->next; value; value = value->next)
		value->name = free_name(naming, words_versioned(constant_name(naming, one->name), value->version, false, naming->arena), value->number);
}

static void name_all(struct naming *naming, const struct numbers *numbers, void (*name)(struct naming *naming, const struct number *one))
{
	for (const struct number_group *group = numbers->groups; group; group = group->by_title.next) {
		const struct number **order = ordered(group, naming->arena);

		for (size_t i = 0; i < HASH_CNT(by_name, group->numbers); i++)
			name(naming, order[i]);
	}
}

static size_t value_count(const struct number_group *group)
{
	size_t count = 0;

	for (const struct number *one = group->numbers; one; one = one->by_name.next)
		for (const struct value *value = one->values; value; value = value->next)
			count++;
	return count;
}

static void render_group(struct gen_constants *out, const struct number_group *group, struct arena *arena)
{
	struct gen_constant *items = arena_array(arena, value_count(group), sizeof(*items));
	const struct number **order = ordered(group, arena);

	*out = (struct gen_constants){ .title = group->title, .items = items, .is_enum = group->is_enum };
	for (size_t i = 0; i < HASH_CNT(by_name, group->numbers); i++)
		for (const struct value *value = order[i]->values; value; value = value->next)
			if (value->name)
				items[out->count++] = (struct gen_constant){ value->name, value->text, value->number };
}

void numbers_groups(struct gen_file *out, const struct numbers *numbers, const struct collect_types *types)
{
	struct naming naming = { .types = types, .arena = numbers->arena };
	struct gen_constants *groups = arena_array(numbers->arena, HASH_CNT(by_title, numbers->groups), sizeof(*groups));

	name_all(&naming, numbers, name_first);
	name_all(&naming, numbers, name_later);
	for (const struct number_group *group = numbers->groups; group; group = group->by_title.next) {
		render_group(&groups[out->constants_count], group, numbers->arena);
		out->constants_count += groups[out->constants_count].count > 0;
	}
	out->constants = groups;
	HASH_CLEAR(by_name, naming.used);
}

void numbers_release(struct numbers *numbers)
{
	for (struct number_group *group = numbers->groups; group; group = group->by_title.next)
		HASH_CLEAR(by_name, group->numbers);
	HASH_CLEAR(by_title, numbers->groups);
}
