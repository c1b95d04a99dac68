#include "diff/names.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* By declaration: source, then content; then by name. */
static int compare_declarations(const void *a, const void *b, void *context)
{
	const struct diff_names *names = context;
	size_t x = *(const size_t *)a, y = *(const size_t *)b;
	int order = strcmp(names->source[x], names->source[y]);

	if (!order)
		order = names->compare(names->abi, x, y);
	return order ? order : x < y ? -1 : x > y;
}

/* Names without a source are never taken for one: nothing says that they are. */
static bool one_declaration(const struct diff_names *names, size_t a, size_t b)
{
	return *names->source[a] && !strcmp(names->source[a], names->source[b]) && !names->compare(names->abi, a, b);
}

void diff_group_names(struct diff_grouping *out, const struct diff_names *names, struct arena *arena)
{
	size_t *order = arena_array(arena, names->count + 1, sizeof(*order)), count = 0;

	out->names = names;
	out->group = arena_array(arena, names->count + 1, sizeof(*out->group));
	out->group_count = 0;
	out->of = arena_array(arena, names->count + 1, sizeof(*out->of));
	for (size_t i = 0; i < names->count; i++) {
		out->of[i] = SIZE_MAX;
		if (!names->skipped || !names->skipped[i])
			order[count++] = i;
	}
	if (count > 1)
		qsort_r(order, count, sizeof(*order), compare_declarations, (void *)names);
	for (size_t i = 0; i < count; i++) {
		if (!i || !one_declaration(names, order[i - 1], order[i]))
			out->group[out->group_count++].index = &order[i];
		out->group[out->group_count - 1].count++;
		out->of[order[i]] = out->group_count - 1;
	}
}

/* A name that both versions have. */
struct shared {
	size_t base, next; /* groups */
	const char *name;
};

static int compare_shared(const void *a, const void *b)
{
	const struct shared *x = a, *y = b;

	if (x->base != y->base)
		return x->base < y->base ? -1 : 1;
	if (x->next != y->next)
		return x->next < y->next ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* Walks both sorted lists at once. */
static size_t find_shared(struct shared *shared, bool *lost, bool *gained, const struct diff_grouping *base,
			  const struct diff_grouping *next)
{
	size_t count = 0, i = 0, j = 0;

	while (i < base->names->count || j < next->names->count) {
		int order = i == base->names->count ? 1 : j == next->names->count ? -1 :
			    strcmp(base->names->name[i], next->names->name[j]);

		if (order < 0) {
			lost[i] = base->of[i] != SIZE_MAX;
			i++;
		} else if (order > 0) {
			gained[j] = next->of[j] != SIZE_MAX;
			j++;
		} else {
			if (base->of[i] != SIZE_MAX && next->of[j] != SIZE_MAX)
				shared[count++] = (struct shared){ base->of[i], next->of[j], base->names->name[i] };
			lost[i] = base->of[i] != SIZE_MAX && next->of[j] == SIZE_MAX;
			gained[j] = next->of[j] != SIZE_MAX && base->of[i] == SIZE_MAX;
			i++;
			j++;
		}
	}
	return count;
}

void diff_pair_names(struct diff_pairing *out, const struct diff_grouping *base, const struct diff_grouping *next,
		     struct arena *arena)
{
	struct shared *shared = arena_array(arena, base->names->count + 1, sizeof(*shared));
	bool *lost = arena_array(arena, base->names->count + 1, sizeof(*lost));
	bool *gained = arena_array(arena, next->names->count + 1, sizeof(*gained));
	size_t *base_pairs = arena_array(arena, base->group_count + 1, sizeof(*base_pairs));
	size_t *next_pairs = arena_array(arena, next->group_count + 1, sizeof(*next_pairs));
	size_t count = find_shared(shared, lost, gained, base, next), pairs = 0;
	const char **common = arena_array(arena, count + 1, sizeof(*common));
	struct diff_pair *pair = arena_array(arena, count + 1, sizeof(*pair));

	if (count > 1)
		qsort(shared, count, sizeof(*shared), compare_shared);
	for (size_t i = 0; i < count; i++) {
		struct diff_pair *here = &pair[pairs];

		if (!i || shared[i - 1].base != shared[i].base || shared[i - 1].next != shared[i].next) {
			here->base = shared[i].base;
			here->next = shared[i].next;
			here->common = common + i;
			base_pairs[here->base]++;
			next_pairs[here->next]++;
			pairs++;
		}
		common[i] = shared[i].name;
		pair[pairs - 1].common_count++;
	}
	*out = (struct diff_pairing){ pair, pairs, base_pairs, next_pairs, lost, gained };
}

/* Part of a name. */
struct span {
	const char *text;
	size_t length;
};

static size_t shared_head(struct span a, struct span b)
{
	size_t length = 0;

	while (length < a.length && length < b.length && !strncasecmp(a.text + length, b.text + length, 1))
		length++;
	return length;
}

static size_t shared_tail(struct span a, struct span b)
{
	size_t length = 0;

	while (length < a.length && length < b.length &&
	       !strncasecmp(a.text + a.length - length - 1, b.text + b.length - length - 1, 1))
		length++;
	return length;
}

/* Takes whole words, ended by '_', off the front of both. */
static void drop_first_words(struct span *a, struct span *b)
{
	size_t length = shared_head(*a, *b);

	while (length && a->text[length - 1] != '_')
		length--;
	*a = (struct span){ a->text + length, a->length - length };
	*b = (struct span){ b->text + length, b->length - length };
}

/* Takes whole words, begun by '_', off the end of both. */
static void drop_last_words(struct span *a, struct span *b)
{
	size_t length = shared_tail(*a, *b);

	while (length && a->text[a->length - length] != '_')
		length--;
	a->length -= length;
	b->length -= length;
}

static size_t shared_ends(struct span a, struct span b)
{
	size_t head = shared_head(a, b);

	a = (struct span){ a.text + head, a.length - head };
	b = (struct span){ b.text + head, b.length - head };
	return head + shared_tail(a, b);
}

size_t diff_closeness(const char *a, const char *b)
{
	return shared_ends((struct span){ a, strlen(a) }, (struct span){ b, strlen(b) });
}

bool diff_alike(const char *a, const char *b)
{
	struct span x = { a, strlen(a) }, y = { b, strlen(b) };
	size_t longer;

	drop_first_words(&x, &y);
	drop_last_words(&x, &y);
	longer = x.length > y.length ? x.length : y.length;
	return !x.length || !y.length || shared_ends(x, y) * 2 >= longer;
}
