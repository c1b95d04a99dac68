#include "abi/nearest.h"

#include "abi/table.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
	NEAREST_TEXT = 128, /* longer names are no slips of the fingers */
	TYPO_DISTANCE = 2,
	CORE_LETTERS = 3,   /* of a name: fewer resemble everything */
	START_LETTERS = 4,  /* of a word, that another name has to hold */
	/* Distances by tier: slips of the fingers, names that hold the word, names that hold its beginning. */
	TIER = 100,
	HOLDS_DISTANCE = 1 * TIER,
	BEGINS_DISTANCE = 2 * TIER,
};

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Letters to change, add, drop or swap with their neighbour, to make @a into @b. */
static size_t edit_distance(const char *a, const char *b)
{
	size_t a_length = strlen(a), b_length = strlen(b);
	size_t row[3][NEAREST_TEXT + 1]; /* of the table of distances between the starts of @a and of @b: row i is row[i % 3] */
	size_t i, j;

	if (a_length > NEAREST_TEXT || b_length > NEAREST_TEXT)
		return SIZE_MAX;
	for (j = 0; j <= b_length; j++)
		row[0][j] = j;
	for (i = 1; i <= a_length; i++) {
		size_t *now = row[i % 3], *before = row[(i + 2) % 3], *older = row[(i + 1) % 3];

		now[0] = i;
		for (j = 1; j <= b_length; j++) {
			now[j] = least(before[j - 1] + (a[i - 1] != b[j - 1]), least(before[j], now[j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				now[j] = least(now[j], older[j - 2] + 1);
		}
	}
	return row[a_length % 3][b_length];
}

static void nearest_add(struct abi_nearest *nearest, const char *name, size_t distance)
{
	size_t at = nearest->count, i;

	for (i = 0; i < nearest->count; i++)
		if (!strcmp(nearest->name[i], name))
			return;
	while (at && nearest->distance[at - 1] > distance)
		at--;
	if (at == ABI_NEAREST_MAX)
		return;
	if (nearest->count < ABI_NEAREST_MAX)
		nearest->count++;
	for (i = nearest->count - 1; i > at; i--) {
		nearest->name[i] = nearest->name[i - 1];
		nearest->distance[i] = nearest->distance[i - 1];
	}
	nearest->name[at] = name;
	nearest->distance[at] = distance;
}

void abi_nearest_typos(struct abi_nearest *nearest, const char *version, const char *const *names, size_t count)
{
	size_t length = strlen(version), i;

	for (i = count; i--;) { /* the last ones first: of all 580 that "580" begins, the newest are worth a line */
		bool is_start = !strncmp(names[i], version, length) && names[i][length] == '.';
		size_t distance = is_start ? 0 : edit_distance(version, names[i]);

		if (distance <= TYPO_DISTANCE && distance < length)
			nearest_add(nearest, names[i], distance);
	}
}

void abi_nearest_neighbours(struct abi_nearest *nearest, const char *version, const char *const *names, size_t count)
{
	size_t above = 0, closest = 0, i;

	while (above < count && abi_version_compare(names[above], version) <= 0)
		above++;
	for (i = 1; i < count; i++)
		if (edit_distance(version, names[i]) < edit_distance(version, names[closest]))
			closest = i;
	if (above)
		nearest_add(nearest, names[above - 1], 0);
	if (above < count)
		nearest_add(nearest, names[above], 0);
	if (count)
		nearest_add(nearest, names[closest], 0);
}

/* The longest run of @word without a character that stands for others. Return: a lower-case copy; to be freed. */
static char *glob_core(const char *word)
{
	const char *core = word;
	size_t length = 0;
	char *copy;

	while (*word) {
		size_t run = strcspn(word, "*?[]\\");

		if (run > length) {
			core = word;
			length = run;
		}
		word += run + (word[run] != '\0');
	}
	copy = xmalloc(length + 1);
	for (size_t i = 0; i < length; i++)
		copy[i] = (char)tolower((unsigned char)core[i]);
	copy[length] = '\0';
	return copy;
}

/* How much of the beginning of @core @name holds somewhere, in letters; 0 if it is fewer than START_LETTERS. */
static size_t held_start(const char *core, const char *name)
{
	char start[START_LETTERS + 1] = "";
	size_t most = 0;

	memcpy(start, core, strnlen(core, START_LETTERS));
	for (const char *at = strstr(name, start); *start && at; at = strstr(at + 1, start)) {
		size_t length = 0;

		while (core[length] && core[length] == at[length])
			length++;
		most = length > most ? length : most;
	}
	return most < START_LETTERS ? 0 : most;
}

/* How far @name is from @core, both in lower case; SIZE_MAX if there is no likeness. */
static size_t name_distance(const char *core, const char *name)
{
	size_t length = strlen(core), name_length = strlen(name);
	size_t difference = length < name_length ? name_length - length : length - name_length;
	size_t distance = difference <= TYPO_DISTANCE ? edit_distance(core, name) : SIZE_MAX;
	size_t start = held_start(core, name);

	if (distance <= TYPO_DISTANCE && distance + 1 < length)
		return distance;
	if (strstr(name, core))
		return HOLDS_DISTANCE;
	if (start && start * 2 >= length)
		return BEGINS_DISTANCE + length - start;
	return SIZE_MAX;
}

void abi_nearest_name(struct abi_nearest *nearest, const char *word, const char *name)
{
	char *core = glob_core(word);
	char lower[NEAREST_TEXT + 1];
	size_t length = strlen(name), distance;

	if (strlen(core) >= CORE_LETTERS && length <= NEAREST_TEXT) {
		for (size_t i = 0; i <= length; i++)
			lower[i] = (char)tolower((unsigned char)name[i]);
		distance = name_distance(core, lower);
		if (nearest->count && nearest->distance[0] / TIER > distance / TIER)
			nearest->count = 0;
		if (distance != SIZE_MAX && (!nearest->count || nearest->distance[0] / TIER == distance / TIER))
			nearest_add(nearest, name, distance);
	}
	free(core);
}

static int order_version(const void *a, const void *b)
{
	return abi_version_compare(*(const char *const *)a, *(const char *const *)b);
}

void abi_nearest_list(struct strbuf *out, struct abi_nearest *nearest)
{
	qsort(nearest->name, nearest->count, sizeof(*nearest->name), order_version);
	for (size_t i = 0; i < nearest->count; i++)
		strbuf_addf(out, "%s%s", i ? ", " : "; nearest: ", nearest->name[i]);
}
