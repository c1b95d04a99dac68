#include "store/present.h"

#include <stdlib.h>
#include <string.h>

static struct present_kind kind_of(size_t count, size_t size_bytes)
{
	return (struct present_kind){
		.left = xmalloc(count * sizeof(struct version_set)), .rank = xmalloc(count * sizeof(uint32_t)), .count = count, .size_bytes = size_bytes,
	};
}

static int by_name(const char *const *a, const char *const *b)
{
	return strcmp(*a, *b);
}

static int by_number(const struct abi_ioctl *a, const struct abi_ioctl *b)
{
	const int order = strcmp(a->family, b->family);

	if (order)
		return order;
	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* @member: what @order compares of a thing. Names are compared here, once, and not in each version. */
#define ADD_KIND(is_sorted, kind, things, thing_count, member, order, size) do { \
	*(kind) = kind_of((thing_count), (size)); \
	for (size_t thing = 0; thing < (thing_count); thing++) { \
		const int step = thing ? order(&(things)[thing - 1].member, &(things)[thing].member) : -1; \
		(kind)->left[thing] = (things)[thing].versions; \
		(kind)->rank[thing] = thing ? (kind)->rank[thing - 1] + (step < 0) : 1; \
		(is_sorted) &= step <= 0; \
	} \
} while (0)

bool present_init(struct present *out, const struct unpacked *unpacked)
{
	struct present_kind *kinds = out->kinds;
	size_t greatest = 0;
	bool is_sorted = true;

	ADD_KIND(is_sorted, &kinds[ABI_RECORD], unpacked->records, unpacked->record_count, record.name, by_name, sizeof(struct abi_record));
	ADD_KIND(is_sorted, &kinds[ABI_ALIAS], unpacked->aliases, unpacked->alias_count, alias.name, by_name, sizeof(struct abi_alias));
	ADD_KIND(is_sorted, &kinds[ABI_ENUM], unpacked->enums, unpacked->enum_count, one.name, by_name, sizeof(struct abi_enum));
	ADD_KIND(is_sorted, &kinds[ABI_CONSTANT], unpacked->constants, unpacked->constant_count, constant.name, by_name, sizeof(struct abi_constant));
	ADD_KIND(is_sorted, &kinds[ABI_IOCTL], unpacked->ioctls, unpacked->ioctl_count, ioctl, by_number, sizeof(struct abi_ioctl));
	for (size_t i = 0; i < ABI_KIND_COUNT; i++)
		if (kinds[i].count > greatest)
			greatest = kinds[i].count;
	out->things = xmalloc((greatest + 1) * sizeof(*out->things));
	return is_sorted;
}

void present_release(struct present *present)
{
	for (size_t i = 0; i < ABI_KIND_COUNT; i++) {
		free(present->kinds[i].left);
		free(present->kinds[i].rank);
	}
	free(present->things);
}

size_t present_list(const size_t **out, struct present *present, enum abi_kind kind, uint32_t version, bool *failed)
{
	const struct present_kind *all = &present->kinds[kind];
	size_t count = 0;

	for (size_t thing = 0; thing < all->count; thing++) {
		struct version_set *left = &all->left[thing];

		for (; left->count && left->spans->until <= version; left->count--)
			left->spans++;
		if (!left->count || left->spans->from > version)
			continue;
		if (count && all->rank[present->things[count - 1]] == all->rank[thing])
			*failed = true;
		present->things[count++] = thing;
	}
	*out = present->things;
	return count;
}

size_t present_bytes(const struct present *present, const bool *wanted, size_t count)
{
	int64_t *edges = xmalloc((count + 1) * sizeof(*edges)), size = 0; /* of one version; edges: how it differs from that before */
	size_t all = 0;

	memset(edges, 0, (count + 1) * sizeof(*edges));
	for (size_t i = 0; i < ABI_KIND_COUNT; i++)
		for (size_t thing = 0; thing < present->kinds[i].count; thing++)
			for (size_t k = 0; k < present->kinds[i].left[thing].count; k++) {
				edges[present->kinds[i].left[thing].spans[k].from] += (int64_t)present->kinds[i].size_bytes;
				edges[present->kinds[i].left[thing].spans[k].until] -= (int64_t)present->kinds[i].size_bytes;
			}
	for (size_t i = 0; i < count; i++) {
		size += edges[i];
		all += wanted[i] ? (size_t)size : 0;
	}
	free(edges);
	return all;
}
