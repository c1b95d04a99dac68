/*
 * Parts of pieces: what single chunks declare. Those that were found before
 * are moved to the lines on which the chunks stand now.
 */
#include "extract/making.h"

#include <stdlib.h>
#include <string.h>

/* The part that stands on a line, or NULL. */
struct part_maker *parts_at(const struct making *making, size_t index, unsigned line)
{
	const struct maker *maker = &making->makers[index];
	uint32_t chunk = maker->part_count ? places_chunk(making, index, line) : DIGEST_NO_CHUNK;
	size_t low = 0, high = chunk == DIGEST_NO_CHUNK ? 0 : maker->part_count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (maker->parts[middle].chunk <= chunk)
			low = middle + 1;
		else
			high = middle;
	}
	return low && maker->parts[low - 1].chunk == chunk ? &maker->parts[low - 1] : NULL;
}

/* The number that a walk has for what stands on a line. */
unsigned parts_piece(const struct making *making, size_t index, unsigned line)
{
	const struct maker *maker = &making->makers[index];
	const struct part_maker *part = parts_at(making, index, line);

	return maker->first_piece + (part ? (unsigned)(part - maker->parts) + 1 : 0);
}

static void find_part_keys(struct making *making, size_t index)
{
	const struct digest *digest = &making->plan->files[index].text->digest;
	struct maker *maker = &making->makers[index];

	for (uint32_t i = 0; i < digest->chunk_count; i++)
		maker->part_count += !digest->chunks[i].is_define;
	maker->parts = arena_array(making->plan->arena, maker->part_count + 1, sizeof(*maker->parts));
	maker->part_count = 0;
	for (uint32_t i = 0; i < digest->chunk_count; i++) {
		struct part_maker *part = &maker->parts[maker->part_count];

		if (digest->chunks[i].is_define)
			continue;
		maker->part_count++;
		part->chunk = i;
		part->has_key = plan_chunk_key(&part->key, making->plan, (struct plan_seat){ (uint32_t)index, i }, maker->columns[i]);
	}
}

/* Which parts are known? @fresh: by chunk: those that are not */
static void look_for_parts(bool *fresh, struct making *making, size_t index)
{
	struct maker *maker = &making->makers[index];

	for (size_t i = 0; i < maker->part_count; i++) {
		struct part_maker *part = &maker->parts[i];

		part->known = part->has_key ? share_find_part(making->plan->share, &part->key) : NULL;
		if (part->known)
			continue;
		part->builder = abi_builder_new(making->plan->arena);
		making->is_idle = false;
		fresh[part->chunk] = true;
	}
}

bool **parts_find(struct making *making, const bool *claimed)
{
	struct plan *plan = making->plan;
	bool **fresh = arena_array(plan->arena, plan->count, sizeof(bool *));

	plan_begin_chunks(plan);
	for (size_t i = 0; i < plan->count; i++) {
		const struct digest *digest = &plan->files[i].text->digest;

		if (!claimed[i])
			continue;
		/* An #include that leads nowhere may be an error, which clang has to tell. */
		if (!making->makers[i].lines || plan->files[i].target_count != digest->include_count)
			making->is_idle = false;
		if (!making->makers[i].lines)
			continue;
		fresh[i] = arena_array(plan->arena, digest->chunk_count, sizeof(bool));
		find_part_keys(making, i);
	}
	plan_end_chunks(plan);
	share_lock(plan->share);
	for (size_t i = 0; i < plan->count; i++)
		if (fresh[i])
			look_for_parts(fresh[i], making, i);
	share_unlock(plan->share);
	return fresh;
}

void parts_number(struct making *making)
{
	unsigned piece = 0;

	for (size_t i = 0; i < making->plan->count; i++) {
		making->makers[i].first_piece = piece;
		piece += 1 + (unsigned)making->makers[i].part_count;
	}
}

/* Return: how many warnings it has of its own. */
size_t parts_put(struct abi_builder *builder, const struct abi *part)
{
	for (size_t i = 0; i < part->record_count; i++)
		abi_builder_record(builder, &part->records[i]);
	for (size_t i = 0; i < part->alias_count; i++)
		abi_builder_alias(builder, &part->aliases[i]);
	for (size_t i = 0; i < part->enum_count; i++)
		abi_builder_enum(builder, &part->enums[i]);
	for (size_t i = 0; i < part->constant_count; i++)
		abi_builder_constant(builder, &part->constants[i]);
	for (size_t i = 0; i < part->warning_count; i++)
		abi_builder_warning(builder, part->warnings[i].place, part->warnings[i].text);
	return part->warning_count;
}

static bool is_at_home(const struct making *making, struct plan_seat seat, const char *source)
{
	unsigned line;
	size_t index = places_of_source(making, source, &line);

	return *source == '<' || (index == seat.file && places_chunk(making, index, line) == seat.chunk);
}

/* Does it say of nothing where it stands but of what stands in the chunk? Then it is known wherever that chunk comes again. */
static bool is_whole_part(const struct making *making, struct plan_seat seat, const struct abi *part)
{
	for (size_t i = 0; i < part->record_count; i++)
		if (!is_at_home(making, seat, part->records[i].source))
			return false;
	for (size_t i = 0; i < part->enum_count; i++)
		if (!is_at_home(making, seat, part->enums[i].source))
			return false;
	return true;
}

static const char *moved_source(const struct making *making, const char *source, long lines)
{
	const char *column = strrchr(source, ':'), *line = column;

	while (line && line > source && line[-1] != ':')
		line--;
	if (*source == '<' || !line)
		return source;
	return arena_printf(making->plan->arena, "%.*s%ld%s", (int)(line - source), source, strtol(line, NULL, 10) + lines, column);
}

/* What was found where the chunk stood on another line. */
static void move_part(struct abi *part, const struct making *making, const struct share_part *known, uint32_t line)
{
	long lines = (long)line - (long)known->line;
	struct abi_record *records;
	struct abi_enum *enums;

	*part = known->part;
	if (!lines)
		return;
	part->records = records = arena_memdup(making->plan->arena, part->records, part->record_count * sizeof(*records));
	part->enums = enums = arena_memdup(making->plan->arena, part->enums, part->enum_count * sizeof(*enums));
	for (size_t i = 0; i < part->record_count; i++)
		records[i].source = moved_source(making, records[i].source, lines);
	for (size_t i = 0; i < part->enum_count; i++)
		enums[i].source = moved_source(making, enums[i].source, lines);
}

static void finish_part(struct making *making, size_t index, struct part_maker *part)
{
	const struct plan_seat seat = { (uint32_t)index, part->chunk };
	const struct maker *maker = &making->makers[index];

	if (part->known) {
		move_part(&part->part, making, part->known, maker->lines[part->chunk]);
		return;
	}
	abi_builder_seal(&part->part, part->builder, &(struct abi){ .driver = "" });
	places_check_enumerators(making, index, &part->part);
	if (part->has_key && is_whole_part(making, seat, &part->part))
		share_add_part(making->plan->share, &part->key, &(struct share_part){ part->part, maker->lines[part->chunk] });
}

/* Parts of a header that contradict each other would have been told by clang, or were told when both were fresh. */
bool parts_join(struct making *making, size_t index)
{
	struct maker *maker = &making->makers[index];
	size_t warnings = abi_builder_warning_count(maker->builder);

	for (size_t i = 0; i < maker->part_count; i++) {
		finish_part(making, index, &maker->parts[i]);
		warnings += parts_put(maker->builder, &maker->parts[i].part);
	}
	return abi_builder_warning_count(maker->builder) == warnings;
}

bool parts_are_sound(const struct making *making, size_t index)
{
	const struct maker *maker = &making->makers[index];

	for (size_t i = 0; i < maker->part_count; i++)
		if (maker->parts[i].builder && abi_builder_warning_count(maker->parts[i].builder))
			return false;
	return true;
}
