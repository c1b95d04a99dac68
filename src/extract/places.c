/*
 * Where things stand: what clang found on a line, and what the text that has
 * that line says of it.
 */
#include "extract/making.h"

#include <stdlib.h>
#include <string.h>

/* A name and a chunk, as one hash. */
static uint64_t meaning_hash(uint64_t name, uint32_t chunk)
{
	uint64_t hash = name ^ ((uint64_t)chunk + 1) * 0x9e3779b97f4a7c15u;

	return hash ? hash : 1;
}

uint32_t places_chunk(const struct making *making, size_t index, unsigned line)
{
	const uint32_t *lines = making->makers[index].lines;
	size_t low = 0, high = making->plan->files[index].text->digest.chunk_count;

	while (lines && low < high) {
		size_t middle = (low + high) / 2;

		if (lines[middle] <= line)
			low = middle + 1;
		else
			high = middle;
	}
	return lines && low ? (uint32_t)low - 1 : DIGEST_NO_CHUNK;
}

/* Does a file give @name a meaning: where its chunks are known, in the one of @line? */
bool places_mean(struct making *making, size_t index, uint64_t name, unsigned line)
{
	const struct digest *digest = &making->plan->files[index].text->digest;
	struct maker *maker = &making->makers[index];

	if (!maker->meant.count)
		for (size_t i = 0; i < digest->meaning_count; i++) {
			hashes_add(&maker->meant, digest->meanings[i].name);
			hashes_add(&maker->meant, meaning_hash(digest->meanings[i].name, digest->meanings[i].chunk));
		}
	return hashes_have(&maker->meant, maker->lines ? meaning_hash(name, places_chunk(making, index, line)) : name);
}

/* Lines are those of the text as it is in the tree, which are the same for clang. */
void places_find_lines(struct making *making, const struct closure_file *file)
{
	const struct digest *digest = &making->plan->files[file->order].text->digest;
	struct maker *maker = &making->makers[file->order];
	const char *at = file->text, *newline;
	uint32_t line = 1;

	if (!digest->is_split)
		return;
	maker->lines = arena_array(making->plan->arena, digest->chunk_count + 1, sizeof(*maker->lines));
	maker->columns = arena_array(making->plan->arena, digest->chunk_count + 1, sizeof(*maker->columns));
	for (size_t i = 0; i < digest->chunk_count; i++) {
		const char *start = file->text + digest->chunks[i].start;

		while ((newline = memchr(at, '\n', (size_t)(start - at)))) {
			at = newline + 1;
			line++;
		}
		maker->lines[i] = line;
		maker->columns[i] = (uint32_t)(start - at);
	}
}

/* Where @source, "path:line:column", is: the index of its file, or plan->count. */
size_t places_of_source(const struct making *making, const char *source, unsigned *line)
{
	const char *column = strrchr(source, ':'), *colon = column;
	char path[4096];

	while (colon && colon > source && colon[-1] != ':')
		colon--;
	if (!colon || colon == source || (size_t)(colon - source) > sizeof(path))
		return making->plan->count;
	memcpy(path, source, (size_t)(colon - 1 - source));
	path[colon - 1 - source] = '\0';
	*line = (unsigned)strtoul(colon, NULL, 10);
	return plan_find(making->plan, path);
}

static uint64_t hash_of(const char *name)
{
	return digest_name((struct view){ name, strlen(name) });
}

/* An enumerator may stand in a file that is included between the braces: then neither file is split. */
static bool is_enumerator_known(struct making *making, size_t index, const struct abi_enum *one, const char *name)
{
	const struct plan *plan = making->plan;
	uint64_t hash = hash_of(name);
	unsigned line = 0;
	size_t place = places_of_source(making, one->source, &line);

	if (place < plan->count && making->makers[place].lines)
		return places_mean(making, place, hash, line);
	if (places_mean(making, index, hash, 0))
		return true;
	for (size_t i = 0; i < plan->count; i++)
		if (plan_has_bit(plan->files[index].reach, i) && !making->makers[i].lines && places_mean(making, i, hash, 0))
			return true;
	return false;
}

void places_check_enumerators(struct making *making, size_t index, const struct abi *part)
{
	for (size_t e = 0; e < part->enum_count; e++)
		for (size_t v = 0; v < part->enums[e].value_count && !making->is_missed; v++)
			making->is_missed = !is_enumerator_known(making, index, &part->enums[e], part->enums[e].values[v].name);
}

/* Places in other files move when nothing else does. */
static void note_foreign(struct making *making, size_t index, const char *source)
{
	struct maker *maker = &making->makers[index];
	unsigned line;
	size_t place;
	uint64_t path;

	if (*source == '<')
		return;
	place = places_of_source(making, source, &line);
	if (place == index)
		return;
	making->is_missed |= place == making->plan->count;
	if (making->is_missed)
		return;
	path = making->plan->files[place].text->path_hash;
	for (size_t i = 0; i < maker->foreign_count; i++)
		if (maker->foreign[i] == path)
			return;
	ARRAY_GROW(maker->foreign, maker->foreign_count, maker->foreign_capacity);
	maker->foreign[maker->foreign_count++] = path;
}

void places_note_foreign(struct making *making, size_t index, const struct abi *part)
{
	for (size_t i = 0; i < part->record_count; i++)
		note_foreign(making, index, part->records[i].source);
	for (size_t i = 0; i < part->enum_count; i++)
		note_foreign(making, index, part->enums[i].source);
}
