#include "store/archive.h"

#include <string.h>

enum {
	COMMIT_DIGITS = 40,
	SHOWN_DIGITS = 12, /* of a commit, as archive list prints it: so many are enough */
};

static int no_version(const struct archive *archive, const char *version, struct err *err)
{
	const struct archive_head *head = archive_head(archive);
	struct abi_nearest nearest = { .count = 0 };
	struct arena arena = { 0 };
	struct strbuf list = { 0 };
	char day[32];
	const char **names = arena_array(&arena, head->count + 1, sizeof(*names));

	for (size_t i = 0; i < head->count; i++)
		names[i] = head->versions[i].name;
	abi_nearest_typos(&nearest, version, names, head->count);
	if (!nearest.count)
		abi_nearest_neighbours(&nearest, version, names, head->count);
	abi_nearest_list(&list, &nearest);
	err_set(err, ERR_NOT_FOUND, "no version %s in %s (as of %s)%s", version, archive_name(archive), archive_as_of(archive, day),
		strbuf_text(&list));
	strbuf_release(&list);
	arena_release(&arena);
	return ERR_NOT_FOUND;
}

static bool is_commit_id(const char *text)
{
	size_t digits = strlen(text);

	return digits >= SHOWN_DIGITS && digits <= COMMIT_DIGITS && strspn(text, "0123456789abcdef") == digits;
}

/* The lowest of a commit's versions, as with a repository. */
static bool find_digits(size_t *index, const struct archive_head *head, const char *digits)
{
	for (size_t i = 0; i < head->count; i++) {
		if (strncmp(head->versions[i].commit, digits, strlen(digits)))
			continue;
		*index = i;
		return true;
	}
	return false;
}

bool archive_find_commit(size_t *index, const struct archive *archive, const char *commit)
{
	return strlen(commit) == COMMIT_DIGITS && find_digits(index, archive_head(archive), commit);
}

int archive_find(size_t *index, const struct archive *archive, const char *version, struct err *err)
{
	const struct archive_head *head = archive_head(archive);

	for (size_t i = 0; i < head->count; i++) {
		if (strcmp(head->versions[i].name, version))
			continue;
		*index = i;
		return 0;
	}
	if (is_commit_id(version) && find_digits(index, head, version))
		return 0;
	return no_version(archive, version, err);
}
