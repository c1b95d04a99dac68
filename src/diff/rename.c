/*
 * diff/rename.c - records that go by another name in the other version
 *
 * A wrong claim is worse than none, so two things count as proof only:
 *
 * 1. The ioctl says so: every ioctl that had the old record and is still
 *    there has the new one, and every one that has the new record and was
 *    there had the old one. The fields may then differ.
 * 2. The bytes say so: all leaves are equal in name, type and offset, and no
 *    other record that came or went has the same. Besides, the names are alike,
 *    or both are declared in one file and have at least LEAVES_THAT_PROVE
 *    leaves ({ NvU32 flags } proves nothing).
 */
#include "diff/rename.h"
#include "diff/classify.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { LEAVES_THAT_PROVE = 4 };

struct rename_search {
	struct diff_pass *pass;
	size_t *next_of, *base_of;
};

static size_t params_group(const struct diff_side *side, const struct abi_ioctl *ioctl)
{
	const struct abi_record *record = ioctl->params ? abi_find_record(side->abi, ioctl->params) : NULL;

	return record ? side->records.of[record - side->abi->records] : SIZE_MAX;
}

/* What one ioctl says: claims that contradict each other end up as SIZE_MAX - 1. */
static void note_claim(size_t *claim, size_t group, size_t other)
{
	claim[group] = claim[group] == SIZE_MAX || claim[group] == other ? other : SIZE_MAX - 1;
}

/*
 * Asks the ioctls that both versions have. An ioctl whose parameter record has
 * the same name in both claims nothing: that record is paired already.
 */
static void claims_of_ioctls(const struct rename_search *search, size_t *next_claim, size_t *base_claim)
{
	struct diff_pass *pass = search->pass;

	for (size_t i = 0; i < pass->base.abi->ioctl_count; i++) {
		const struct abi_ioctl *partner = pass->base_partner[i];
		size_t was, is;

		if (!partner || !partner->params || !pass->base.abi->ioctls[i].params ||
		    !diff_compare_texts(pass->base.abi->ioctls[i].params, partner->params))
			continue;
		was = params_group(&pass->base, &pass->base.abi->ioctls[i]);
		is = params_group(&pass->next, partner);
		if (was == SIZE_MAX || is == SIZE_MAX)
			continue;
		note_claim(next_claim, was, is);
		note_claim(base_claim, is, was);
	}
}

static void accept_claims(const struct rename_search *search, const size_t *next_claim, const size_t *base_claim)
{
	for (size_t g = 0; g < search->pass->base.records.group_count; g++) {
		size_t h = next_claim[g];

		if (h >= SIZE_MAX - 1 || base_claim[h] != g)
			continue;
		if (search->pass->records.base_pairs[g] || search->pass->records.next_pairs[h])
			continue;
		search->next_of[g] = h;
		search->base_of[h] = g;
	}
}

static size_t *no_claims(size_t count, struct arena *arena)
{
	size_t *list = arena_array(arena, count + 1, sizeof(*list));

	memset(list, 0xff, (count + 1) * sizeof(*list));
	return list;
}

static void find_by_ioctl(const struct rename_search *search)
{
	struct diff_pass *pass = search->pass;
	size_t *next_claim = no_claims(pass->base.records.group_count, pass->arena);
	size_t *base_claim = no_claims(pass->next.records.group_count, pass->arena);

	claims_of_ioctls(search, next_claim, base_claim);
	accept_claims(search, next_claim, base_claim);
}

/* A record that no other one is paired with yet, and a number for its leaves. */
struct lone {
	uint64_t fingerprint;
	size_t group;
};

/* Equal for equal leaves; accept_equal() compares what has one fingerprint in full. */
static uint64_t fingerprint(const struct abi_layout *layout)
{
	uint64_t hash = layout->size_bytes;

	for (size_t i = 0; i < layout->leaf_count; i++) {
		const struct abi_leaf *leaf = &layout->leaf[i];

		hash = XXH3_64bits_withSeed(leaf->path, strlen(leaf->path), hash);
		hash = XXH3_64bits_withSeed(leaf->type, strlen(leaf->type), hash);
		hash = XXH3_64bits_withSeed(&leaf->offset_bits, sizeof(leaf->offset_bits), hash);
	}
	return hash;
}

static int compare_lone(const void *a, const void *b)
{
	const struct lone *x = a, *y = b;

	if (x->fingerprint != y->fingerprint)
		return x->fingerprint < y->fingerprint ? -1 : 1;
	return x->group < y->group ? -1 : x->group > y->group;
}

static int list_lone(struct lone *list, size_t *count, struct diff_side *side, const size_t *pairs, const size_t *partner,
		     struct err *err)
{
	*count = 0;
	for (size_t g = 0; g < side->records.group_count; g++) {
		const struct abi_layout *layout;
		int rc;

		if (pairs[g] || partner[g] != SIZE_MAX)
			continue;
		if ((rc = diff_side_layout(&layout, side, diff_side_record(side, g), err)))
			return rc;
		if (layout->leaf_count)
			list[(*count)++] = (struct lone){ fingerprint(layout), g };
	}
	if (*count > 1)
		qsort(list, *count, sizeof(*list), compare_lone);
	return 0;
}

static size_t file_length(const char *source)
{
	const char *colon = source ? strchr(source, ':') : NULL;

	return colon ? (size_t)(colon - source) : 0;
}

static bool same_file(const struct abi_record *a, const struct abi_record *b)
{
	size_t length = file_length(a->source);

	return length && length == file_length(b->source) && !memcmp(a->source, b->source, length);
}

static bool any_names_alike(const struct diff_pass *pass, size_t base, size_t next)
{
	const struct diff_group *a = &pass->base.records.group[base], *b = &pass->next.records.group[next];

	for (size_t i = 0; i < a->count; i++)
		for (size_t j = 0; j < b->count; j++)
			if (diff_alike(pass->base.abi->records[a->index[i]].name, pass->next.abi->records[b->index[j]].name))
				return true;
	return false;
}

static bool same_types(const struct abi_layout *a, const struct abi_layout *b)
{
	for (size_t i = 0; i < a->leaf_count; i++)
		if (strcmp(a->leaf[i].type, b->leaf[i].type))
			return false;
	return true;
}

static int accept_equal(const struct rename_search *search, size_t g, size_t h, struct err *err)
{
	struct diff_pass *pass = search->pass;
	const struct abi_record *base = diff_side_record(&pass->base, g), *next = diff_side_record(&pass->next, h);
	const struct diff_record_pair pair = { base, next, &pass->base, &pass->next };
	const struct abi_layout *a, *b;
	bool same;
	int rc;

	if ((rc = diff_same_leaves(&same, &pair, err)) || (rc = diff_side_layout(&a, &pass->base, base, err)) ||
	    (rc = diff_side_layout(&b, &pass->next, next, err)))
		return rc;
	if (!same || !same_types(a, b))
		return 0;
	if (!any_names_alike(pass, g, h) && !(a->leaf_count >= LEAVES_THAT_PROVE && same_file(base, next)))
		return 0;
	search->next_of[g] = h;
	search->base_of[h] = g;
	return 0;
}

/* The end of the run of equal fingerprints that begins at @i. */
static size_t run_end(const struct lone *list, size_t count, size_t i)
{
	uint64_t hash = list[i].fingerprint;

	while (i < count && list[i].fingerprint == hash)
		i++;
	return i;
}

static int match_lone(const struct rename_search *search, const struct lone *base, size_t base_count,
		      const struct lone *next, size_t next_count, struct err *err)
{
	size_t i = 0, j = 0;

	while (i < base_count && j < next_count) {
		size_t i_end = run_end(base, base_count, i), j_end = run_end(next, next_count, j);
		int rc;

		if (base[i].fingerprint < next[j].fingerprint) {
			i = i_end;
			continue;
		}
		if (base[i].fingerprint > next[j].fingerprint) {
			j = j_end;
			continue;
		}
		if (i_end - i == 1 && j_end - j == 1 && (rc = accept_equal(search, base[i].group, next[j].group, err)))
			return rc;
		i = i_end;
		j = j_end;
	}
	return 0;
}

static int find_by_leaves(const struct rename_search *search, struct err *err)
{
	struct diff_pass *pass = search->pass;
	struct lone *base = arena_array(pass->arena, pass->base.records.group_count + 1, sizeof(*base));
	struct lone *next = arena_array(pass->arena, pass->next.records.group_count + 1, sizeof(*next));
	size_t base_count, next_count;
	int rc;

	if ((rc = list_lone(base, &base_count, &pass->base, search->pass->records.base_pairs, search->next_of, err)) ||
	    (rc = list_lone(next, &next_count, &pass->next, search->pass->records.next_pairs, search->base_of, err)))
		return rc;
	return match_lone(search, base, base_count, next, next_count, err);
}

int diff_find_renamed(size_t *next_of, size_t *base_of, struct diff_pass *pass, struct err *err)
{
	const struct rename_search search = { .pass = pass, .next_of = next_of, .base_of = base_of };

	find_by_ioctl(&search);
	return find_by_leaves(&search, err);
}
