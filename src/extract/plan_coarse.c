/*
 * Coarse keys: of all files that a header reaches, by names or by #includes,
 * whole, and in their order.
 */
#include "extract/plan_parts.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

struct plan_coarse {
	uint32_t *by_begin;      /* files that are sure, in that order, then the others */
	uint64_t (*hashes)[2];   /* by file: of it and what it is linked with */
};

static void hash_file(uint64_t half[2], const struct plan *plan, size_t index, XXH3_state_t *state)
{
	const struct plan_file *file = &plan->files[index];
	const bool how[] = { file->is_sure, file->is_repeated };
	XXH128_hash_t hash;

	XXH3_128bits_reset(state);
	XXH3_128bits_update(state, file->text->id, sizeof(file->text->id));
	XXH3_128bits_update(state, how, sizeof(how));
	for (size_t t = 0; t < file->target_count; t++)
		XXH3_128bits_update(state, plan->files[file->targets[t].file].text->id, sizeof(file->text->id));
	for (size_t l = 0; l < file->link_count; l++) {
		uint64_t order = plan_order_of(plan, index, &file->links[l]);

		if (order == ORDER_SAME)
			continue;
		XXH3_128bits_update(state, plan->files[file->links[l].file].text->id, sizeof(file->text->id));
		XXH3_128bits_update(state, &order, sizeof(order));
	}
	if (file->depends_on_all)
		for (size_t i = 0; i < plan->count; i++)
			XXH3_128bits_update(state, &plan->files[i].begins, sizeof(plan->files[i].begins));
	hash = XXH3_128bits_digest(state);
	half[0] = hash.low64;
	half[1] = hash.high64;
}

uint32_t *plan_by_begin(const struct plan *plan)
{
	uint32_t *by_begin = arena_array(plan->arena, plan->count, sizeof(*by_begin));
	size_t count = 0;

	for (size_t i = 0; i < plan->count; i++)
		if (plan->files[i].begins != PLAN_NONE) {
			by_begin[plan->files[i].begins] = (uint32_t)i;
			count++;
		}
	for (size_t i = 0; i < plan->count; i++)
		if (plan->files[i].begins == PLAN_NONE)
			by_begin[count++] = (uint32_t)i;
	return by_begin;
}

static void begin_coarse(struct plan *plan)
{
	XXH3_state_t *state = XXH3_createState();

	plan->coarse = arena_alloc(plan->arena, sizeof(*plan->coarse));
	plan->coarse->hashes = arena_array(plan->arena, plan->count, sizeof(*plan->coarse->hashes));
	plan->coarse->by_begin = plan_by_begin(plan);
	for (size_t i = 0; i < plan->count; i++)
		hash_file(plan->coarse->hashes[i], plan, i, state);
	XXH3_freeState(state);
}

void plan_coarsen(struct plan *plan, size_t index)
{
	struct plan_file *file = &plan->files[index];
	uint64_t (*sequence)[2] = xmalloc((plan->count + 1) * sizeof(*sequence));
	size_t count = 0;
	XXH128_hash_t hash;

	if (!plan->coarse)
		begin_coarse(plan);
	memcpy(sequence[count++], file->text->id, sizeof(*sequence));
	for (size_t i = 0; i < plan->count; i++)
		if (plan_has_bit(file->reach, plan->coarse->by_begin[i]))
			memcpy(sequence[count++], plan->coarse->hashes[plan->coarse->by_begin[i]], sizeof(*sequence));
	hash = XXH3_128bits(sequence, count * sizeof(*sequence));
	file->key = (struct share_key){ { hash.low64, hash.high64 } };
	file->is_fine = false;
	free(sequence);
}
