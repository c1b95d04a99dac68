/*
 * "drvabi-profile/1" from text; docs/profile.md is its reference.
 *
 * Units, constants and roles are here, families are in read_profile_family.c.
 */
#include "abi/linux_basics.h"
#include "abi/read_profile_internal.h"

#include <string.h>

static int read_stand_in(struct profile_stand_in *out, const struct json_value *at, struct arena *arena, struct err *err)
{
	enum { PATH, TEXT, EXPECTED, COUNT };
	static const struct json_member members[] = {
		[PATH] = { "path", JSON_WANT_STRING },
		[TEXT] = { "text", JSON_WANT_STRING },
		[EXPECTED] = { "expected", JSON_WANT_BOOL | JSON_WANT_OPTIONAL },
	};
	struct json_value found[COUNT];
	int rc;

	if ((rc = json_members(found, at, members, COUNT, err)) || (rc = profile_check_path(&found[PATH], false, err)))
		return rc;
	out->path = json_get_string(&found[PATH], arena);
	out->text = json_get_string(&found[TEXT], arena);
	out->is_expected = found[EXPECTED].item && json_is_true(&found[EXPECTED]);
	return 0;
}

static int read_stand_ins(struct profile_unit *out, const struct json_value *at, struct arena *arena, struct err *err)
{
	struct profile_stand_in *list;
	struct json_value child;
	int rc;

	out->stand_in_count = json_count(at);
	if (!out->stand_in_count)
		return 0;
	out->stand_ins = list = arena_array(arena, out->stand_in_count, sizeof(*list));
	for (child = json_first(at); child.item; json_next(&child))
		if ((rc = read_stand_in(&list[child.index], &child, arena, err)))
			return rc;
	return 0;
}

/* A line that goes on would swallow the first header. */
static int read_lines(struct profile_strings *out, const struct json_value *at, struct arena *arena, struct err *err)
{
	struct json_value child;
	int rc;

	if ((rc = json_get_strings(out, at, arena, err)))
		return rc;
	for (child = json_first(at); child.item; json_next(&child)) {
		const char *line = child.item->valuestring;
		size_t length = strlen(line);

		if (strpbrk(line, "\r\n") || (length && line[length - 1] == '\\'))
			return json_fail(&child, ERR_FORMAT, err, "this is more than one line, or goes on on the next one");
	}
	return 0;
}

static int read_unit(struct profile_unit *out, const struct json_value *at, struct arena *arena, struct err *err)
{
	enum { NAME, HEADERS, OPTIONAL_HEADERS, CONTEXT, INCLUDE, DEFINE, PROLOGUE, STAND_INS, BASICS, UNREADABLE, COUNT };
	static const struct json_member members[] = {
		[NAME] = { "name", JSON_WANT_STRING },
		[HEADERS] = { "headers", JSON_WANT_ARRAY },
		[OPTIONAL_HEADERS] = { "optional_headers", OPTIONAL_ARRAY },
		[CONTEXT] = { "context", OPTIONAL_ARRAY },
		[INCLUDE] = { "include", OPTIONAL_ARRAY },
		[DEFINE] = { "define", OPTIONAL_ARRAY },
		[PROLOGUE] = { "prologue", OPTIONAL_ARRAY },
		[STAND_INS] = { "stand_ins", OPTIONAL_ARRAY },
		[BASICS] = { "basics", OPTIONAL_STRING },
		[UNREADABLE] = { "unreadable", OPTIONAL_STRING },
	};
	struct json_value found[COUNT];
	int rc;

	if ((rc = json_members(found, at, members, COUNT, err)) ||
	    (rc = profile_read_name(&out->name, &found[NAME], arena, err)) ||
	    (rc = profile_read_headers(out, &found[HEADERS], arena, err)) ||
	    (rc = profile_read_paths(&out->optional_headers, &found[OPTIONAL_HEADERS], false, arena, err)) ||
	    (rc = profile_read_paths(&out->context, &found[CONTEXT], false, arena, err)) ||
	    (rc = profile_read_include(out, &found[INCLUDE], arena, err)) ||
	    (rc = read_lines(&out->define, &found[DEFINE], arena, err)) ||
	    (rc = read_lines(&out->prologue, &found[PROLOGUE], arena, err)) ||
	    (rc = read_stand_ins(out, &found[STAND_INS], arena, err)))
		return rc;
	if (!out->headers.count && !out->optional_headers.count)
		return json_fail(&found[HEADERS], ERR_FORMAT, err, "a unit without headers has nothing to read");
	if (found[BASICS].item && strcmp(found[BASICS].item->valuestring, "linux"))
		return json_fail(&found[BASICS], ERR_FORMAT, err, "there are basics for \"linux\" only");
	if (found[UNREADABLE].item && strcmp(found[UNREADABLE].item->valuestring, "warning") && strcmp(found[UNREADABLE].item->valuestring, "error"))
		return json_fail(&found[UNREADABLE], ERR_FORMAT, err, "an unreadable header is a \"warning\" or an \"error\"");
	out->skips_unreadable = found[UNREADABLE].item && !strcmp(found[UNREADABLE].item->valuestring, "warning");
	if (found[BASICS].item)
		linux_basics_add(out, arena);
	return 0;
}

static int read_constant(struct profile_constant *out, const struct json_value *at, struct arena *arena, struct err *err)
{
	enum { NAME, FILE_GLOB, VALUE, EXCEPT, ENUMERATION, COUNT };
	static const struct json_member members[] = {
		[NAME] = { "name", JSON_WANT_STRING },
		[FILE_GLOB] = { "file", OPTIONAL_STRING },
		[VALUE] = { "value", OPTIONAL_STRING },
		[EXCEPT] = { "except", OPTIONAL_ARRAY },
		[ENUMERATION] = { "enum", OPTIONAL_STRING },
	};
	struct json_value found[COUNT];
	int rc;

	if ((rc = json_members(found, at, members, COUNT, err)) ||
	    (rc = profile_read_name(&out->name, &found[NAME], arena, err)) ||
	    (found[ENUMERATION].item && (rc = profile_read_name(&out->enumeration, &found[ENUMERATION], arena, err))) ||
	    (rc = profile_check_regex(&found[VALUE], err)) ||
	    (rc = json_get_strings(&out->except, &found[EXCEPT], arena, err)))
		return rc;
	if (found[FILE_GLOB].item && (rc = profile_check_path(&found[FILE_GLOB], false, err)))
		return rc;
	if (found[ENUMERATION].item && found[VALUE].item)
		return json_fail(&found[VALUE], ERR_FORMAT, err, "\"value\" is about a macro's body, and an enumerator has none");
	out->file = json_get_string(&found[FILE_GLOB], arena);
	out->value = json_get_string(&found[VALUE], arena);
	return 0;
}

/* "none" ends the search: the field has no role, whatever later rules say. */
static int read_role_name(enum abi_role *out, const struct json_value *at, struct err *err)
{
	if (!strcmp(at->item->valuestring, "none")) {
		*out = ABI_ROLE_NONE;
		return 0;
	}
	if (*at->item->valuestring && !abi_role_parse(out, at->item->valuestring, NULL))
		return 0;
	return json_fail(at, ERR_FORMAT, err,
			 "\"%.60s\" is no role (pointer, fd, handle, pid, status, size, count, kernel-pointer or none)", at->item->valuestring);
}

static int read_role(struct profile_role *out, const struct json_value *at, struct arena *arena, struct err *err)
{
	enum { ROLE, TYPE, NAME, RECORD, EVIDENCE, COUNT };
	static const struct json_member members[] = {
		[ROLE] = { "role", JSON_WANT_STRING },
		[TYPE] = { "type", OPTIONAL_STRING },
		[NAME] = { "name", OPTIONAL_STRING },
		[RECORD] = { "record", OPTIONAL_STRING },
		[EVIDENCE] = { "evidence", OPTIONAL_STRING },
	};
	struct json_value found[COUNT];
	int rc;

	if ((rc = json_members(found, at, members, COUNT, err)) || (rc = read_role_name(&out->role, &found[ROLE], err)))
		return rc;
	if (found[EVIDENCE].item && (rc = profile_read_name(&out->evidence, &found[EVIDENCE], arena, err)))
		return rc;
	if (!found[TYPE].item && !found[NAME].item && !found[RECORD].item)
		return json_fail(at, ERR_FORMAT, err, "a rule without \"type\", \"name\" and \"record\" would take every field");
	out->type = json_get_string(&found[TYPE], arena);
	out->name = json_get_string(&found[NAME], arena);
	out->record = json_get_string(&found[RECORD], arena);
	return 0;
}

/* Reads each item of an array of objects into the array at @out, elements of @size bytes. */
#define READ_LIST(profile, list, counter, array, read_one) \
	do { \
		(profile)->counter = json_count(array); \
		list = arena_array(arena, (profile)->counter + 1, sizeof(*list)); \
		(profile)->list = list; \
		for (child = json_first(array); child.item; json_next(&child)) \
			if ((rc = read_one(&list[child.index], &child, arena, err))) \
				return rc; \
	} while (0)

static const struct profile_unit *find_unit(const struct profile *profile, size_t count, const char *name)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (!strcmp(profile->units[i].name, name))
			return &profile->units[i];
	return NULL;
}

static int check_names(const struct profile *profile, const struct json_value *units, const struct json_value *families,
		       struct err *err)
{
	size_t i, j;

	for (i = 0; i < profile->unit_count; i++)
		if (find_unit(profile, i, profile->units[i].name))
			return json_fail(units, ERR_FORMAT, err, "two units are named \"%.60s\"", profile->units[i].name);
	for (i = 0; i < profile->family_count; i++) {
		const struct profile_family *family = &profile->families[i];

		for (j = 0; j < i; j++)
			if (!strcmp(profile->families[j].name, family->name))
				return json_fail(families, ERR_FORMAT, err, "two families are named \"%.60s\"", family->name);
		if (family->unit && !find_unit(profile, profile->unit_count, family->unit))
			return json_fail(families, ERR_FORMAT, err, "the family \"%.60s\" names the unit \"%.60s\", which does not exist",
					 family->name, family->unit);
	}
	return 0;
}

static int read_root(struct profile *out, const struct json_value *root, struct arena *arena, struct err *err)
{
	enum { FORMAT, NAME, DESCRIPTION, REPOSITORY, UNITS, CONSTANTS, ROLES, FAMILIES, COUNT };
	static const struct json_member members[] = {
		[FORMAT] = { "format", JSON_WANT_STRING },
		[NAME] = { "name", JSON_WANT_STRING },
		[DESCRIPTION] = { "description", OPTIONAL_STRING },
		[REPOSITORY] = { "repository", JSON_WANT_NULL | OPTIONAL_STRING },
		[UNITS] = { "units", JSON_WANT_ARRAY },
		[CONSTANTS] = { "constants", OPTIONAL_ARRAY },
		[ROLES] = { "roles", OPTIONAL_ARRAY },
		[FAMILIES] = { "families", OPTIONAL_ARRAY },
	};
	struct json_value found[COUNT], child;
	struct profile_constant *constants;
	struct profile_family *families;
	struct profile_unit *units;
	struct profile_role *roles;
	int rc;

	if ((rc = json_members(found, root, members, COUNT, err)) ||
	    (rc = json_expect_format(&found[FORMAT], PROFILE_FORMAT, err)) ||
	    (rc = profile_read_name(&out->name, &found[NAME], arena, err)))
		return rc;
	out->description = found[DESCRIPTION].item ? json_get_string(&found[DESCRIPTION], arena) : "";
	out->repository = json_get_string(&found[REPOSITORY], arena);
	READ_LIST(out, units, unit_count, &found[UNITS], read_unit);
	READ_LIST(out, constants, constant_count, &found[CONSTANTS], read_constant);
	READ_LIST(out, roles, role_count, &found[ROLES], read_role);
	READ_LIST(out, families, family_count, &found[FAMILIES], profile_read_family);
	if (!out->unit_count)
		return json_fail(&found[UNITS], ERR_FORMAT, err, "a profile without units has nothing to read");
	return check_names(out, &found[UNITS], &found[FAMILIES], err);
}

int json_read_profile(struct profile *out, const char *text, size_t size, const char *name, struct arena *arena, struct err *err)
{
	struct profile profile = { 0 };
	struct json_value root;
	int rc;

	if ((rc = json_parse(&root, text, size, name, err)))
		return rc;
	rc = read_root(&profile, &root, arena, err);
	json_parse_free(&root);
	if (rc)
		return rc;
	profile.hash = profile_hash(text, size, arena);
	*out = profile;
	return 0;
}
