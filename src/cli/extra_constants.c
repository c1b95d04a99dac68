#include "cli/extra_constants.h"

#include "abi/abi.h"

#include <string.h>

int extra_constants_read(struct profile_strings *out, const char *list, struct arena *arena, struct err *err)
{
	const char **globs = arena_array(arena, strlen(list) / 2 + 1, sizeof(*globs));
	size_t count = 0;

	for (const char *at = list;; at++) {
		size_t length = strcspn(at, ",");

		if (!length)
			return err_set(err, ERR_USAGE, "--constants: one of the names in '%s' is empty", list);
		globs[count++] = arena_strndup(arena, at, length);
		at += length;
		if (!*at)
			break;
	}
	*out = (struct profile_strings){ globs, count };
	return 0;
}

static bool has_constant(const struct abi *abi, const char *glob)
{
	const struct profile_strings globs = { &glob, 1 };

	for (size_t i = 0; i < abi->constant_count; i++)
		if (profile_matches(&globs, abi->constants[i].name))
			return true;
	return false;
}

const char *extra_constants_unmatched(const struct store_request *requests, size_t count, const struct cli_args *args, struct arena *arena)
{
	struct profile_strings globs;

	if (extra_constants_read(&globs, args->constants, arena, NULL))
		return NULL;
	for (size_t i = 0; i < globs.count; i++) {
		bool found = false;

		for (size_t r = 0; r < count && !found; r++)
			found = requests[r].skipped || has_constant(&requests[r].abi, globs.item[i]);
		if (!found)
			return globs.item[i];
	}
	return NULL;
}

int extra_constants_none(const char *glob, const struct abi *abi, struct err *err)
{
	struct abi_nearest nearest = { .count = 0 };
	struct strbuf near = { 0 };
	int rc;

	for (size_t i = 0; i < abi->constant_count; i++)
		abi_nearest_name(&nearest, glob, abi->constants[i].name);
	abi_nearest_list(&near, &nearest);
	rc = err_set(err, ERR_NOT_FOUND, "--constants: %s %s has no macro with an integer value and no enumerator called '%s'%s", abi->driver,
		     abi->version, glob, strbuf_text(&near));
	strbuf_release(&near);
	return rc;
}
