/*
 * Fine keys: of headers, and of single chunks. Both are hashes of what is
 * needed, in the order in which a preprocessor comes to it.
 */
#include "extract/plan_finder.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>
#include <xxhash.h>

/* A chunk, or the part of a whole file between two #includes, and when it comes. */
struct placed_seat {
	uint32_t time, chunk; /* or part */
	uint64_t path;
	const uint64_t *hash;
};

/* Headers that import the same names need the same. */
struct group {
	uint64_t names[2];        /* a hash of these */
	bool is_vague;
	struct plan_seat *relevant;
	size_t relevant_count;
	struct placed_seat *seats; /* in order; malloc'd */
	size_t seat_count;
	UT_hash_handle hh;
};

static int order_seats(const void *a, const void *b)
{
	const struct placed_seat *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return (x->chunk > y->chunk) - (x->chunk < y->chunk);
}

/* They come nearly in order, and are few, most of the time. */
static void sort_seats(struct placed_seat *seats, size_t count)
{
	enum { FEW = 64 };

	if (count > FEW) {
		qsort(seats, count, sizeof(*seats), order_seats);
		return;
	}
	for (size_t i = 1; i < count; i++) {
		const struct placed_seat one = seats[i];
		size_t at = i;

		for (; at && order_seats(&seats[at - 1], &one) > 0; at--)
			seats[at] = seats[at - 1];
		seats[at] = one;
	}
}

/* When the header comes to each of its parts that #includes divide, as far as anything stands in them. */
static size_t list_parts(uint32_t *parts, const struct digest *digest, const uint32_t *times)
{
	size_t count = 0;

	if (!digest->is_split)
		for (size_t seen = 0; seen <= digest->include_count; seen++)
			parts[count++] = times[seen];
	for (size_t i = 0; digest->is_split && i < digest->chunk_count; i++)
		if (!count || parts[count - 1] != times[digest->chunks[i].seen])
			parts[count++] = times[digest->chunks[i].seen];
	return count;
}

static void place_seats(struct group *group, const struct plan *plan)
{
	size_t capacity = group->relevant_count;

	group->seats = xmalloc((capacity + 1) * sizeof(*group->seats));
	for (size_t i = 0; i < group->relevant_count; i++) {
		const struct plan_seat *seat = &group->relevant[i];
		const struct plan_file *other = &plan->files[seat->file];
		const struct digest *digest = &other->text->digest;
		bool is_whole = seat->chunk == PLAN_WHOLE;

		for (size_t part = 0; part <= (is_whole ? digest->include_count : 0); part++) {
			ARRAY_GROW(group->seats, group->seat_count, capacity);
			group->seats[group->seat_count++] = (struct placed_seat){
				.time = other->times[is_whole ? part : digest->chunks[seat->chunk].seen],
				.chunk = is_whole ? (uint32_t)part : seat->chunk, .path = other->text->path_hash,
				.hash = is_whole ? other->text->id : digest->chunks[seat->chunk].hash,
			};
		}
	}
	sort_seats(group->seats, group->seat_count);
}

static void find_fine_key(struct plan_file *file, const struct group *group)
{
	const struct digest *digest = &file->text->digest;
	const struct placed_seat *seats = group->seats;
	size_t seat_count = group->seat_count, part = 0, count = 0;
	uint32_t *parts = xmalloc((digest->chunk_count + digest->include_count + 1) * sizeof(*parts));
	size_t part_count = list_parts(parts, digest, file->times);
	uint64_t *words = xmalloc((4 + 3 * seat_count + part_count + file->target_count) * sizeof(*words));
	XXH128_hash_t hash;

	words[count++] = 1; /* fine */
	words[count++] = file->text->id[0];
	words[count++] = file->text->id[1];
	/* An #include that leads nowhere is an error; where one leads is told by what is relevant there. */
	for (size_t t = 0; t < file->target_count; t++)
		words[count++] = file->targets[t].ordinal;
	words[count++] = file->target_count;
	for (size_t i = 0; i < seat_count; i++) {
		for (; part < part_count && parts[part] < seats[i].time; part++)
			words[count++] = 0;
		words[count++] = seats[i].path;
		words[count++] = seats[i].hash[0];
		words[count++] = seats[i].hash[1];
	}
	hash = XXH3_128bits(words, count * sizeof(*words));
	file->key = (struct share_key){ { hash.low64, hash.high64 } };
	free(words);
	free(parts);
}

static const struct share_text *text_of_path(const struct plan *plan, const struct plan_file *file, uint64_t path)
{
	for (size_t i = 0; i < file->relevant_count; i++)
		if (plan->files[file->relevant[i].file].text->path_hash == path)
			return plan->files[file->relevant[i].file].text;
	return file->text;
}

void plan_place(struct plan *plan, size_t index, const uint64_t *paths, size_t count)
{
	struct plan_file *file = &plan->files[index];
	uint64_t *words = xmalloc((2 + 2 * count) * sizeof(*words));
	XXH128_hash_t hash;

	memcpy(words, file->key.half, sizeof(file->key.half));
	for (size_t i = 0; i < count; i++)
		memcpy(words + 2 + 2 * i, text_of_path(plan, file, paths[i])->id, sizeof(file->text->id));
	hash = XXH3_128bits(words, (2 + 2 * count) * sizeof(*words));
	file->key = (struct share_key){ { hash.low64, hash.high64 } };
	file->is_in_place = true;
	free(words);
}

static struct group *new_group(struct finder *finder, size_t index)
{
	struct group *group = arena_alloc(finder->plan->arena, sizeof(*group));

	group->is_vague = !finder_of_header(finder, index);
	group->relevant = arena_memdup(finder->plan->arena, finder->found, finder->found_count * sizeof(*finder->found));
	group->relevant_count = finder->found_count;
	if (!group->is_vague)
		place_seats(group, finder->plan);
	return group;
}

/* One that is not split may be needed whole by what it needs: it is a group of its own. */
static struct group *group_of(struct finder *finder, size_t index)
{
	const struct share_text *text = finder->plan->files[index].text;
	uint64_t names[2] = { 0, text->digest.is_split ? 0 : index + 1 };
	struct group *group;

	for (size_t i = 0; i < text->import_count; i++) {
		XXH128_hash_t hash;

		if (!finder_knows(finder, text->imports[i]))
			continue;
		hash = XXH3_128bits(&text->imports[i], sizeof(text->imports[i]));
		names[0] += hash.low64;
		names[1] += hash.high64;
	}
	HASH_FIND(hh, finder->groups, names, sizeof(names), group);
	if (group)
		return group;
	group = new_group(finder, index);
	memcpy(group->names, names, sizeof(names));
	HASH_ADD(hh, finder->groups, names, sizeof(names), group);
	return group;
}

static void find_groups(struct group **groups, struct finder *finder)
{
	struct plan *plan = finder->plan;

	pthread_rwlock_rdlock(&plan->share->names_lock);
	for (size_t i = 0; i < plan->count; i++)
		if (finder->is_placed[i])
			groups[i] = group_of(finder, i);
	pthread_rwlock_unlock(&plan->share->names_lock);
}

void plan_find_fine(struct plan *plan)
{
	struct finder *finder = finder_new(plan);
	struct group **groups = arena_array(plan->arena, plan->count, sizeof(struct group *));

	plan->finder = finder;
	find_groups(groups, finder);
	for (size_t i = 0; i < plan->count; i++) {
		struct plan_file *file = &plan->files[i];

		if (!groups[i] || groups[i]->is_vague)
			continue;
		file->is_fine = true;
		file->relevant = groups[i]->relevant;
		file->relevant_count = groups[i]->relevant_count;
		find_fine_key(file, groups[i]);
	}
}

void plan_forget_keys(struct plan *plan)
{
	struct finder *finder = plan->finder;

	if (!finder)
		return;
	for (struct group *group = finder->groups; group; group = group->hh.next)
		free(group->seats);
	HASH_CLEAR(hh, finder->groups);
	finder_release(finder);
	plan->finder = NULL;
}

/* --- single chunks ---------------------------------------------------------- */

void plan_begin_chunks(struct plan *plan)
{
	pthread_rwlock_rdlock(&plan->share->names_lock);
}

void plan_end_chunks(struct plan *plan)
{
	pthread_rwlock_unlock(&plan->share->names_lock);
}

static bool has_include(const struct digest *digest, const struct digest_chunk *chunk)
{
	for (size_t i = chunk->seen; i < digest->include_count && digest->includes[i].at < chunk->end; i++)
		if (digest->includes[i].at >= chunk->start)
			return true;
	return false;
}

/* Where the chunk stands among what it needs: that may come before it, or after. */
static void hash_chunk(struct share_key *key, const struct group *group, const struct plan_file *file, uint32_t chunk, uint32_t column)
{
	const struct digest_chunk *one = &file->text->digest.chunks[chunk];
	const struct placed_seat own = { .time = file->times[one->seen], .chunk = chunk };
	uint64_t *words = xmalloc((6 + 3 * group->seat_count) * sizeof(*words));
	size_t count = 0, before = 0;
	XXH128_hash_t hash;

	for (size_t i = 0; i < group->seat_count; i++)
		before += order_seats(&group->seats[i], &own) < 0;
	words[count++] = 2; /* a chunk's */
	words[count++] = file->text->path_hash;
	words[count++] = one->hash[0];
	words[count++] = one->hash[1];
	words[count++] = column;
	words[count++] = before;
	for (size_t i = 0; i < group->seat_count; i++) {
		words[count++] = group->seats[i].path;
		words[count++] = group->seats[i].hash[0];
		words[count++] = group->seats[i].hash[1];
	}
	hash = XXH3_128bits(words, count * sizeof(*words));
	*key = (struct share_key){ { hash.low64, hash.high64 } };
	free(words);
}

bool plan_chunk_key(struct share_key *key, struct plan *plan, struct plan_seat seat, uint32_t column)
{
	struct finder *finder = plan->finder;
	const struct plan_file *file = &plan->files[seat.file];
	struct group group = { .relevant = NULL };

	if (!finder || has_include(&file->text->digest, &file->text->digest.chunks[seat.chunk]) || !finder_of_chunk(finder, seat))
		return false;
	group.relevant = finder->found;
	group.relevant_count = finder->found_count;
	place_seats(&group, plan);
	hash_chunk(key, &group, file, seat.chunk, column);
	free(group.seats);
	return true;
}
