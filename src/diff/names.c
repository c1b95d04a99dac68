#include "diff/names.h"

#include "diff/bins.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* By declaration: source, then content; then by name. */
static int compare_declarations(const struct diff_names *names, size_t a, size_t b)
{
	int order = strcmp(names->source[a], names->source[b]);

	if (!order)
		order = names->compare(names->abi, a, b);
	return order ? order : a < b ? -1 : a > b;
}

int diff_group_order(const struct diff_grouping *grouping, size_t a, size_t b)
{
	return compare_declarations(grouping->names, grouping->group[a].index[0], grouping->group[b].index[0]);
}

/* For qsort_r() of names, by declaration. */
static int compare_names(const void *a, const void *b, void *context)
{
	return compare_declarations(context, *(const size_t *)a, *(const size_t *)b);
}

/* Names without a source are never one declaration: nothing says that they are. */
static bool one_declaration(const struct diff_names *names, size_t a, size_t b)
{
	return *names->source[a] && !strcmp(names->source[a], names->source[b]) && !names->compare(names->abi, a, b);
}

/* Names of one declaration side by side, in an arbitrary order. */
static size_t *list_by_source(size_t *count, const struct diff_names *names, struct arena *arena)
{
	size_t *bin = arena_array(arena, names->count + 1, sizeof(*bin));
	struct diff_bins bins;

	for (size_t i = 0; i < names->count; i++)
		bin[i] = names->skipped && names->skipped[i] ? DIFF_NO_BIN : diff_text_bin(names->source[i], strlen(names->source[i]));
	diff_bins_fill(&bins, DIFF_TEXT_BINS, bin, names->count, arena);
	for (size_t b = 0; b < DIFF_TEXT_BINS; b++)
		if (bins.first[b + 1] - bins.first[b] > 1)
			qsort_r(bins.item + bins.first[b], bins.first[b + 1] - bins.first[b], sizeof(*bins.item), compare_names,
				(void *)names);
	*count = bins.first[DIFF_TEXT_BINS];
	return bins.item;
}

void diff_group_names(struct diff_grouping *out, const struct diff_names *names, struct arena *arena)
{
	size_t count, *order = list_by_source(&count, names, arena);
	size_t *length = arena_array(arena, names->count + 1, sizeof(*length)); /* by first name: of its group */

	out->names = names;
	out->group = arena_array(arena, names->count + 1, sizeof(*out->group));
	out->group_count = 0;
	out->of = arena_array(arena, names->count + 1, sizeof(*out->of));
	memset(out->of, 0xff, (names->count + 1) * sizeof(*out->of)); /* SIZE_MAX */
	for (size_t i = 0, first = 0; i < count; i++) {
		if (!i || !one_declaration(names, order[i - 1], order[i]))
			first = i;
		length[order[first]]++;
		out->of[order[i]] = first; /* for now: where its group begins in order */
	}
	for (size_t i = 0; i < names->count; i++) {
		struct diff_group *group = &out->group[out->group_count];

		if (!length[i])
			continue;
		*group = (struct diff_group){ &order[out->of[i]], length[i] };
		for (size_t k = 0; k < group->count; k++)
			out->of[group->index[k]] = out->group_count;
		out->group_count++;
	}
}

/* Walks both sorted lists at once. @same: by name of base: the same name in next, SIZE_MAX if there is none. */
static void find_shared(size_t *same, bool *lost, bool *gained, const struct diff_grouping *base,
			const struct diff_grouping *next)
{
	const char *const *was = base->names->name, *const *is = next->names->name;
	size_t i = 0, j = 0;

	while (i < base->names->count || j < next->names->count) {
		int order = i == base->names->count ? 1 : j == next->names->count ? -1 : diff_compare_texts(was[i], is[j]);
		bool in_base = order <= 0 && base->of[i] != SIZE_MAX, in_next = order >= 0 && next->of[j] != SIZE_MAX;

		if (order <= 0) {
			same[i] = in_base && in_next ? j : SIZE_MAX;
			lost[i++] = in_base && !in_next;
		}
		if (order >= 0)
			gained[j++] = in_next && !in_base;
	}
}

/* The names of base in next. */
struct sharing {
	const size_t *same; /* by name of base: the same name in next; SIZE_MAX if there is none */
	const struct diff_grouping *next;
};

/* For qsort_r() of names of base that next has: by their group there. */
static int compare_shared(const void *a, const void *b, void *context)
{
	const struct sharing *sharing = context;
	size_t x = *(const size_t *)a, y = *(const size_t *)b;
	size_t p = sharing->next->of[sharing->same[x]], q = sharing->next->of[sharing->same[y]];

	if (p != q)
		return p < q ? -1 : 1;
	return x < y ? -1 : x > y;
}

/* The names of @group that next has, by their group there. Return: how many. */
static size_t list_shared(size_t *list, const struct diff_group *group, struct sharing *sharing)
{
	size_t count = 0;

	for (size_t i = 0; i < group->count; i++)
		if (sharing->same[group->index[i]] != SIZE_MAX)
			list[count++] = group->index[i];
	if (count > 1)
		qsort_r(list, count, sizeof(*list), compare_shared, sharing);
	return count;
}

void diff_pair_names(struct diff_pairing *out, const struct diff_grouping *base, const struct diff_grouping *next,
		     struct arena *arena)
{
	size_t *same = arena_array(arena, base->names->count + 1, sizeof(*same));
	size_t *in_base = arena_array(arena, base->names->count + 1, sizeof(*in_base));
	size_t *in_next = arena_array(arena, base->names->count + 1, sizeof(*in_next));
	bool *lost = arena_array(arena, base->names->count + 1, sizeof(*lost));
	bool *gained = arena_array(arena, next->names->count + 1, sizeof(*gained));
	size_t *base_pairs = arena_array(arena, base->group_count + 1, sizeof(*base_pairs));
	size_t *next_pairs = arena_array(arena, next->group_count + 1, sizeof(*next_pairs));
	struct diff_pair *pair = arena_array(arena, base->names->count + 1, sizeof(*pair));
	struct sharing sharing = { same, next };
	size_t count = 0, pairs = 0;

	find_shared(same, lost, gained, base, next);
	for (size_t g = 0; g < base->group_count; g++) {
		size_t end = count + list_shared(in_base + count, &base->group[g], &sharing);

		for (size_t h = SIZE_MAX; count < end; count++) {
			in_next[count] = same[in_base[count]];
			if (h != next->of[in_next[count]]) {
				h = next->of[in_next[count]];
				pair[pairs++] = (struct diff_pair){ g, h, in_base + count, in_next + count, 0 };
				base_pairs[g]++;
				next_pairs[h]++;
			}
			pair[pairs - 1].name_count++;
		}
	}
	*out = (struct diff_pairing){ pair, pairs, base_pairs, next_pairs, lost, gained };
}

/* A range of a name. */
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

/* Removes whole words, ended by '_', from the front of both. */
static void drop_first_words(struct span *a, struct span *b)
{
	size_t length = shared_head(*a, *b);

	while (length && a->text[length - 1] != '_')
		length--;
	*a = (struct span){ a->text + length, a->length - length };
	*b = (struct span){ b->text + length, b->length - length };
}

/* Removes whole words, begun by '_', from the end of both. */
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
