/* The input of gVisor's driver_ast_parser: the names to look for. */
#include "abi/dom.h"

static int read_root(struct profile_strings *structs, struct profile_strings *constants, const struct json_value *root,
		     struct arena *arena, struct err *err)
{
	enum { STRUCTS, CONSTANTS, COUNT };
	static const struct json_member members[] = {
		[STRUCTS] = { "structs", JSON_WANT_ARRAY | JSON_WANT_NULL },
		[CONSTANTS] = { "constants", JSON_WANT_ARRAY | JSON_WANT_NULL | JSON_WANT_OPTIONAL },
	};
	struct json_value found[COUNT];
	int rc;

	if ((rc = json_members(found, root, members, COUNT, err)) ||
	    (rc = json_get_strings(structs, &found[STRUCTS], arena, err)))
		return rc;
	return json_get_strings(constants, &found[CONSTANTS], arena, err);
}

int json_read_wanted(struct profile_strings *structs, struct profile_strings *constants, const char *text, size_t size,
		     const char *name, struct arena *arena, struct err *err)
{
	struct profile_strings wanted_structs = { 0 }, wanted_constants = { 0 };
	struct json_value root;
	int rc;

	if ((rc = json_parse(&root, text, size, name, err)))
		return rc;
	rc = read_root(&wanted_structs, &wanted_constants, &root, arena, err);
	json_parse_free(&root);
	if (!rc) {
		*structs = wanted_structs;
		*constants = wanted_constants;
	}
	return rc;
}
