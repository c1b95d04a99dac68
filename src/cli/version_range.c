#include "cli/version_range.h"

#include <string.h>

/* Every version there is, by abi_version_compare(). */
struct names {
	const char *const *item;
	size_t count;
};

/* The archive's versions; of a repository that it does not know, the tags. */
static int all_versions(struct names *out, struct arena *arena, const struct cli_args *args, struct err *err)
{
	struct store_request skipped = { .skipped = true };
	struct store_around around;
	const char **names;
	int rc;

	if (!(rc = load_around(&around, &skipped, args, err))) {
		names = arena_array(arena, around.graph.count, sizeof(*names));
		for (size_t i = 0; i < around.graph.count; i++)
			names[i] = arena_strdup(arena, around.graph.versions[i].name);
		*out = (struct names){ names, around.graph.count };
	}
	load_documents_release(&skipped, 1);
	if (!rc && !out->count)
		rc = load_tags(&out->item, &out->count, args, arena, err);
	return rc;
}

/* "580.65.06" is "580.65.06", and begins as "580" and "580.65" do. */
static bool begins_as(const char *version, const char *start)
{
	size_t length = strlen(start);

	return !strncmp(version, start, length) && (!version[length] || version[length] == '.');
}

static int no_version(const char *start, const struct names *names, struct err *err)
{
	struct abi_nearest nearest = { .count = 0 };
	struct strbuf near = { 0 };
	int rc;

	abi_nearest_neighbours(&nearest, start, names->item, names->count);
	abi_nearest_list(&near, &nearest);
	rc = err_set(err, ERR_NOT_FOUND, "no version is or begins with %s%s", start, strbuf_text(&near));
	strbuf_release(&near);
	return rc;
}

/* The first version, or the last one, that begins as @start does. */
static int find_bound(size_t *out, const char *start, bool is_last, const struct names *names, struct err *err)
{
	size_t found = names->count;

	if (!*start) {
		*out = is_last ? names->count - 1 : 0;
		return 0;
	}
	for (size_t i = 0; i < names->count && (is_last || found == names->count); i++)
		if (begins_as(names->item[i], start))
			found = i;
	if (found == names->count)
		return no_version(start, names, err);
	*out = found;
	return 0;
}

static int find_range(struct version_range *out, const char *range, const struct names *names, struct err *err)
{
	const char *dots = strstr(range, "..");
	size_t first, last;
	int rc;

	if (!dots)
		return err_set(err, ERR_USAGE, "--versions takes A..B, not '%s'", range);
	if (!names->count)
		return err_set(err, ERR_NOT_FOUND, "no version is known here; name a repository with --repo, or an archive");
	if ((rc = find_bound(&first, arena_strndup(&out->arena, range, (size_t)(dots - range)), false, names, err)) ||
	    (rc = find_bound(&last, dots + 2, true, names, err)))
		return rc;
	if (first > last)
		return err_set(err, ERR_USAGE, "--versions %s is empty: %s is newer than %s", range, names->item[first], names->item[last]);
	out->count = last - first + 1;
	out->requests = arena_array(&out->arena, out->count, sizeof(*out->requests));
	for (size_t i = 0; i < out->count; i++)
		out->requests[i].version = names->item[first + i];
	return 0;
}

int version_range_load(struct version_range *out, const char *range, const struct cli_args *args, struct err *err)
{
	struct names names = { 0 };
	int rc;

	if ((rc = all_versions(&names, &out->arena, args, err)) ||
	    (rc = find_range(out, range, &names, err)))
		return rc;
	return load_documents(out->requests, out->count, args, err);
}

void version_range_release(struct version_range *range)
{
	if (range->requests)
		load_documents_release(range->requests, range->count);
	arena_release(&range->arena);
}
