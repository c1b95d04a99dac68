#include "cli/version_range.h"

#include "abi/abi.h"

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

static int no_version(const char *word, const struct names *names, struct err *err)
{
	struct abi_nearest nearest = { .count = 0 };
	struct strbuf near = { 0 };
	int rc;

	abi_nearest_typos(&nearest, word, names->item, names->count);
	if (!nearest.count)
		abi_nearest_neighbours(&nearest, word, names->item, names->count);
	abi_nearest_list(&near, &nearest);
	rc = err_set(err, ERR_NOT_FOUND, "none of the %zu versions is or begins with '%s'%s", names->count, word, strbuf_text(&near));
	strbuf_release(&near);
	return rc;
}

/* The versions that @word is or begins; all if it is empty. */
static int find_bound(struct abi_version_run *out, const char *word, const struct names *names, struct err *err)
{
	*out = *word ? abi_version_run(word, names->item, names->count) : (struct abi_version_run){ 0, names->count };
	return out->count ? 0 : no_version(word, names, err);
}

static int find_range(struct version_range *out, const char *range, const struct names *names, struct err *err)
{
	const char *dots = strstr(range, "..");
	struct abi_version_run from, to;
	size_t last;
	int rc;

	if (!dots || dots[2] == '.')
		return err_set(err, ERR_USAGE, "--versions takes A..B, not '%s'", range);
	if (!names->count)
		return err_set(err, ERR_NOT_FOUND, "no version is known here; name a repository with --repo, or an archive");
	if ((rc = find_bound(&from, arena_strndup(&out->arena, range, (size_t)(dots - range)), names, err)) ||
	    (rc = find_bound(&to, dots + 2, names, err)))
		return rc;
	last = to.first + to.count - 1;
	if (from.first > last)
		return err_set(err, ERR_USAGE, "--versions %s has no version: %s is newer than %s; give the older one first", range,
			       names->item[from.first], names->item[last]);
	out->count = last - from.first + 1;
	out->requests = arena_array(&out->arena, out->count, sizeof(*out->requests));
	for (size_t i = 0; i < out->count; i++)
		out->requests[i].version = names->item[from.first + i];
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
