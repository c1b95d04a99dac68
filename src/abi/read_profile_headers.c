/* The headers of a unit: globs, and lists of globs that are alternatives. */
#include "abi/read_profile_internal.h"

static bool is_list(const struct json_value *at)
{
	return !json_expect(at, JSON_WANT_ARRAY, NULL);
}

static size_t count_globs(const struct json_value *at)
{
	struct json_value child;
	size_t count = 0;

	for (child = json_first(at); child.item; json_next(&child))
		count += is_list(&child) ? json_count(&child) : 1;
	return count;
}

/* A path at the end of @globs. */
static int read_glob(const char **globs, size_t *count, const struct json_value *at, struct arena *arena, struct err *err)
{
	int rc;

	if ((rc = json_expect(at, JSON_WANT_STRING, err)) || (rc = profile_check_path(at, false, err)))
		return rc;
	globs[(*count)++] = json_get_string(at, arena);
	return 0;
}

int profile_read_headers(struct profile_unit *out, const struct json_value *at, struct arena *arena, struct err *err)
{
	size_t most = count_globs(at), count = 0;
	const char **globs = arena_array(arena, most + 1, sizeof(*globs));
	bool *is_alternative = arena_array(arena, most + 1, sizeof(*is_alternative));
	struct json_value child, one;
	int rc = 0;

	for (child = json_first(at); child.item && !rc; json_next(&child)) {
		if (!is_list(&child)) {
			rc = read_glob(globs, &count, &child, arena, err);
			continue;
		}
		if (!json_count(&child))
			return json_fail(&child, ERR_FORMAT, err, "there is nothing to choose from");
		for (one = json_first(&child); one.item && !rc; json_next(&one)) {
			is_alternative[count] = one.index > 0;
			rc = read_glob(globs, &count, &one, arena, err);
		}
	}
	out->headers = (struct profile_strings){ globs, count };
	out->is_alternative = is_alternative;
	return rc;
}
