/*
 * "drvabi-proxy-patch/1" from text: a table with what a patch adds to it. A
 * patch is read by the readers of a table, which here have a base. Its new
 * versions become nodes like any other; read_table_add.c adds to the others.
 */
#include "abi/read_table.h"

#include <string.h>

/* A patch for another proxy or driver must not be merged by mistake. */
static int check_owner(const struct json_value *at, const char *owner, const struct table *base, struct err *err)
{
	if (at->item && strcmp(at->item->valuestring, owner))
		return json_fail(at, ERR_FORMAT, err, "the patch is for %.100s, and %s is for %.100s", at->item->valuestring, base->path, owner);
	return 0;
}

static int read_root(struct table *out, const struct table *base, const struct json_value *root, struct arena *arena, struct err *err)
{
	enum { FORMAT, PROXY, REVISION, DRIVER, TYPES, VERSIONS, COUNT };
	static const struct json_member members[] = {
		[FORMAT] = { "format", JSON_WANT_STRING },
		[PROXY] = { "proxy", JSON_WANT_STRING | JSON_WANT_OPTIONAL },
		[REVISION] = { "revision", JSON_WANT_STRING | JSON_WANT_OPTIONAL },
		[DRIVER] = { "driver", JSON_WANT_STRING | JSON_WANT_OPTIONAL },
		[TYPES] = { "types", JSON_WANT_OBJECT },
		[VERSIONS] = { "versions", JSON_WANT_ARRAY },
	};
	struct json_value found[COUNT];
	int rc;

	if ((rc = json_members(found, root, members, COUNT, err)) ||
	    (rc = json_expect_format(&found[FORMAT], TABLE_PATCH_FORMAT, err)) ||
	    (rc = check_owner(&found[PROXY], base->proxy, base, err)) ||
	    (rc = check_owner(&found[DRIVER], base->driver, base, err)) ||
	    (rc = table_reader_types(out, base, &found[TYPES], arena, err)))
		return rc;
	return table_reader_nodes(out, base, &found[VERSIONS], arena, err);
}

int json_read_table_patch(struct table *out, const struct table *base, const char *text, size_t size, const char *name,
			  struct arena *arena, struct err *err)
{
	struct table table = { .path = base->path, .proxy = base->proxy, .revision = base->revision, .driver = base->driver };
	struct json_value root;
	int rc;

	if ((rc = json_parse_lines(&root, text, size, name, err)))
		return rc;
	rc = read_root(&table, base, &root, arena, err);
	json_parse_free(&root);
	if (!rc)
		*out = table;
	return rc;
}
