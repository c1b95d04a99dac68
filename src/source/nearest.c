#include "source/git.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
	NEAREST_MAX = 3,
	NEAREST_TEXT = 64, /* longer names are no slips of the fingers */
	TYPO_DISTANCE = 2,
};

struct nearest {
	const char *name[NEAREST_MAX];
	size_t distance[NEAREST_MAX];
	size_t count;
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

static void nearest_add(struct nearest *nearest, const char *name, size_t distance)
{
	size_t at = nearest->count, i;

	for (i = 0; i < nearest->count; i++)
		if (!strcmp(nearest->name[i], name))
			return;
	while (at && nearest->distance[at - 1] > distance)
		at--;
	if (at == NEAREST_MAX)
		return;
	if (nearest->count < NEAREST_MAX)
		nearest->count++;
	for (i = nearest->count - 1; i > at; i--) {
		nearest->name[i] = nearest->name[i - 1];
		nearest->distance[i] = nearest->distance[i - 1];
	}
	nearest->name[at] = name;
	nearest->distance[at] = distance;
}

/* Names that were cut short ("550.54"), or that a slip of the fingers can have turned into @version. */
static void nearest_typos(struct nearest *nearest, const char *version, const char *const *names, size_t count)
{
	size_t length = strlen(version), i;

	for (i = 0; i < count; i++) {
		bool is_start = !strncmp(names[i], version, length) && names[i][length] == '.';
		size_t distance = is_start ? 0 : edit_distance(version, names[i]);

		if (distance <= TYPO_DISTANCE && distance < length)
			nearest_add(nearest, names[i], distance);
	}
}

/* The last one before @version, the first one after it, and the one spelled most like it. */
static void nearest_neighbours(struct nearest *nearest, const char *version, const char *const *tags, size_t count)
{
	size_t above = 0, closest = 0, i;

	while (above < count && abi_version_compare(tags[above], version) <= 0)
		above++;
	for (i = 1; i < count; i++)
		if (edit_distance(version, tags[i]) < edit_distance(version, tags[closest]))
			closest = i;
	if (above)
		nearest_add(nearest, tags[above - 1], 0);
	if (above < count)
		nearest_add(nearest, tags[above], 0);
	if (count)
		nearest_add(nearest, tags[closest], 0);
}

static int branch_names(const char *const **names, size_t *count, git_repository *repo, struct arena *arena)
{
	git_branch_iterator *branches;
	const char **found = NULL;
	size_t found_count = 0, capacity = 0;
	git_reference *ref;
	git_branch_t type;

	if (git_branch_iterator_new(&branches, repo, GIT_BRANCH_ALL))
		return ERR_GIT;
	while (!git_branch_next(&ref, &type, branches)) {
		const char *name;

		if (!git_branch_name(&name, ref)) {
			ARRAY_GROW(found, found_count, capacity);
			found[found_count++] = arena_strdup(arena, name);
		}
		git_reference_free(ref);
	}
	git_branch_iterator_free(branches);
	*names = arena_memdup(arena, found, found_count * sizeof(*found));
	*count = found_count;
	free(found);
	return 0;
}

int nearest_err(git_repository *repo, const char *version, const char *shown, struct err *err)
{
	struct nearest nearest = { .count = 0 };
	struct arena arena = { 0 };
	struct strbuf list = { 0 };
	const char *const *tags = NULL, *const *branches = NULL;
	size_t tag_count, branch_count, i;

	if (version_tags(&tags, &tag_count, repo, &arena, NULL))
		tag_count = 0;
	if (branch_names(&branches, &branch_count, repo, &arena))
		branch_count = 0;
	if (tag_count)
		nearest_typos(&nearest, version, tags, tag_count);
	if (!nearest.count && branch_count)
		nearest_typos(&nearest, version, branches, branch_count);
	if (!nearest.count && tag_count)
		nearest_neighbours(&nearest, version, tags, tag_count);
	qsort(nearest.name, nearest.count, sizeof(*nearest.name), version_order);
	for (i = 0; i < nearest.count; i++)
		strbuf_addf(&list, "%s%s", i ? ", " : "; nearest: ", nearest.name[i]);
	if (!nearest.count)
		strbuf_adds(&list, ", which has no tags");
	err_set(err, ERR_NOT_FOUND, "no version %s in %s%s", version, shown, list.text);
	strbuf_release(&list);
	arena_release(&arena);
	return ERR_NOT_FOUND;
}
