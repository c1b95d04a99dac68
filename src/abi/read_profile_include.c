/* The include directories of a unit: for all targets, or one for each. */
#include "abi/read_profile_internal.h"

enum { X86_64, AARCH64, TARGETS };

static const struct json_member targets[TARGETS] = {
	[X86_64] = { "x86_64-linux-gnu", OPTIONAL_STRING },
	[AARCH64] = { "aarch64-linux-gnu", OPTIONAL_STRING },
};

/* Directories that are found one after the other. */
struct directories {
	const char **paths, **targets;
	size_t count;
	struct arena *arena;
};

static int add_directory(struct directories *out, const struct json_value *at, const char *target, struct err *err)
{
	int rc = profile_check_path(at, true, err);

	if (rc)
		return rc;
	out->paths[out->count] = json_get_string(at, out->arena);
	out->targets[out->count++] = target;
	return 0;
}

/* {"x86_64-linux-gnu": "arch/x86/include/uapi", "aarch64-linux-gnu": "arch/arm64/include/uapi"} */
static int add_by_target(struct directories *out, const struct json_value *at, struct err *err)
{
	struct json_value found[TARGETS];
	size_t before = out->count;
	int rc = json_members(found, at, targets, TARGETS, err);

	for (size_t i = 0; i < TARGETS && !rc; i++)
		if (found[i].item)
			rc = add_directory(out, &found[i], targets[i].name, err);
	if (!rc && out->count == before)
		return json_fail(at, ERR_FORMAT, err, "there is a directory for no target");
	return rc;
}

int profile_read_include(struct profile_unit *out, const struct json_value *at, struct arena *arena, struct err *err)
{
	const size_t most = json_count(at) * TARGETS + 1;
	struct directories all = {
		.paths = arena_array(arena, most, sizeof(*all.paths)), .targets = arena_array(arena, most, sizeof(*all.targets)), .arena = arena,
	};
	struct json_value child;
	int rc = 0;

	for (child = json_first(at); child.item && !rc; json_next(&child)) {
		if (!json_expect(&child, JSON_WANT_OBJECT, NULL))
			rc = add_by_target(&all, &child, err);
		else if (!(rc = json_expect(&child, JSON_WANT_STRING, err)))
			rc = add_directory(&all, &child, NULL, err);
	}
	out->include = (struct profile_strings){ all.paths, all.count };
	out->include_target = all.targets;
	return rc;
}
