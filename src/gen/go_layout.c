/*
 * gen/go_layout.c - where Go would put the scalars of a type
 *
 * Go aligns a scalar to its size, an array to its elements, and a struct to its
 * widest scalar, on both targets. A table's types form no ring (json/ checks
 * that), nor do those that the set declares; depth is limited all the same.
 */
#include "gen/set.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 256 };

static const struct word {
	const char *name;
	unsigned width_bytes;
	bool is_signed;
} words[] = {
	{ "uint8", 1, false }, { "uint16", 2, false }, { "uint32", 4, false }, { "uint64", 8, false }, { "bool", 1, false },
	{ "int8", 1, true },   { "int16", 2, true },   { "int32", 4, true },   { "int64", 8, true },
};

static const struct word *find_word(const char *name, size_t length)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strlen(words[i].name) == length && !strncmp(words[i].name, name, length))
			return &words[i];
	return NULL;
}

unsigned go_width(const char *word)
{
	const struct word *found = find_word(word, strlen(word));

	return found ? found->width_bytes : 0;
}

/* A spelled type, looked up: one of @word and @type is set, unless the set does not have it. */
struct looked_up {
	const struct word *word;
	const struct table_type *type;
	uint64_t count;
};

static struct looked_up look_up(const struct proxytype_set *set, const char *spelling)
{
	struct looked_up out = { .count = 1 };
	struct abi_spelling parsed;
	char *name;

	if (abi_spelling_parse(&parsed, spelling, NULL))
		return out;
	out.word = find_word(parsed.base, parsed.base_length);
	if (!out.word) {
		name = xmalloc(parsed.base_length + 1);
		memcpy(name, parsed.base, parsed.base_length);
		name[parsed.base_length] = '\0';
		out.type = proxytype_find(set, name);
		free(name);
	}
	for (size_t i = 0; i < parsed.dimension_count; i++)
		if (__builtin_mul_overflow(out.count, parsed.dimension[i], &out.count))
			out.count = UINT64_MAX;
	return out;
}

uint64_t go_size(const struct proxytype_set *set, const char *spelling)
{
	struct looked_up found = look_up(set, spelling);
	uint64_t bytes;

	if ((!found.word && !found.type) ||
	    __builtin_mul_overflow(found.count, found.word ? found.word->width_bytes : found.type->size_bytes, &bytes))
		return UINT64_MAX;
	return bytes;
}

static uint64_t align_of(struct proxytype_set *set, const char *spelling, int depth);

static uint64_t align_of_type(struct proxytype_set *set, const struct table_type *type, int depth)
{
	struct set_type *entry = set_find(set, type->name);
	uint64_t align = type->alias ? align_of(set, type->alias, depth + 1) : 1;

	if (entry->align_bytes)
		return entry->align_bytes;
	for (size_t i = 0; !type->alias && i < type->field_count; i++) {
		uint64_t one = align_of(set, type->fields[i].type, depth + 1);

		if (one > align)
			align = one;
	}
	entry->align_bytes = align;
	return align;
}

static uint64_t align_of(struct proxytype_set *set, const char *spelling, int depth)
{
	struct looked_up found = look_up(set, spelling);

	if (found.type && depth < DEPTH_MAX)
		return align_of_type(set, found.type, depth);
	return found.word ? found.word->width_bytes : 1;
}

uint64_t go_align(struct proxytype_set *set, const char *spelling)
{
	return align_of(set, spelling, 0);
}

/* One walk over a type. */
struct go_walk {
	const struct proxytype_set *set;
	struct go_runs *runs;
	size_t steps; /* bounds what a table written by hand may cost */
};

enum { STEPS_MAX = 1 << 20 };

static void add_run(struct go_runs *runs, struct go_run run)
{
	struct go_run *last = runs->count ? &runs->items[runs->count - 1] : NULL;

	if (last && last->width_bytes == run.width_bytes && last->is_signed == run.is_signed && last->role == run.role &&
	    last->offset_bytes + last->count * last->width_bytes == run.offset_bytes) {
		last->count += run.count;
		return;
	}
	ARRAY_GROW(runs->items, runs->count, runs->capacity);
	runs->items[runs->count++] = run;
}

static void walk_spelling(struct go_walk *walk, const char *spelling, uint64_t offset, enum abi_role role, int depth);

static void walk_type(struct go_walk *walk, const struct table_type *type, uint64_t offset, enum abi_role role, int depth)
{
	if (type->role == ABI_ROLE_POINTER || type->role == ABI_ROLE_HANDLE)
		role = type->role;
	if (type->alias)
		walk_spelling(walk, type->alias, offset, role, depth + 1);
	for (size_t i = 0; !type->alias && i < type->field_count; i++)
		if (!padding_of_proxy(type->fields[i].name))
			walk_spelling(walk, type->fields[i].type, offset + type->fields[i].offset_bytes, role, depth + 1);
}

static void walk_spelling(struct go_walk *walk, const char *spelling, uint64_t offset, enum abi_role role, int depth)
{
	struct looked_up found = look_up(walk->set, spelling);

	if (depth > DEPTH_MAX)
		return;
	if (found.word && found.count)
		add_run(walk->runs, (struct go_run){ offset, found.count, found.word->width_bytes, found.word->is_signed, role });
	for (uint64_t i = 0; found.type && i < found.count && ++walk->steps < STEPS_MAX; i++)
		walk_type(walk, found.type, offset + i * found.type->size_bytes, role, depth);
}

static struct go_runs runs_of(const struct proxytype_set *set, const struct table_type *type)
{
	struct go_runs runs = { 0 };
	struct go_walk walk = { .set = set, .runs = &runs };

	walk_type(&walk, type, 0, ABI_ROLE_NONE, 0);
	return runs;
}

static bool same_runs(const struct go_runs *a, const struct go_runs *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++) {
		const struct go_run *x = &a->items[i], *y = &b->items[i];

		if (x->offset_bytes != y->offset_bytes || x->count != y->count || x->width_bytes != y->width_bytes ||
		    x->is_signed != y->is_signed || x->role != y->role)
			return false;
	}
	return true;
}

bool go_same(const struct proxytype_set *set, const struct table_type *a, const struct table_type *b)
{
	struct go_runs x, y;
	bool same;

	if (a->size_bytes != b->size_bytes)
		return false;
	x = runs_of(set, a);
	y = runs_of(set, b);
	same = same_runs(&x, &y);
	free(x.items);
	free(y.items);
	return same;
}
