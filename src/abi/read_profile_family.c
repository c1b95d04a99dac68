/*
 * A family of ioctls: where its numbers come from (a table, macros or an
 * enum), where its parameter records do, and the words of its flags.
 */
#include "abi/read_profile_internal.h"

#include <string.h>

/* "\\0" and "\\1", also with an l between; @regex: the expression whose first group the latter is. */
static int check_references(const char *record, const struct json_value *at, const struct json_value *regex, struct err *err)
{
	for (const char *text = record; (text = strchr(text, '\\')); text++) {
		const char which = text[1] == 'l' ? text[2] : text[1];

		if (which != '0' && which != '1')
			return json_fail(at, ERR_FORMAT, err, "behind a backslash stands 0, 1, l0 or l1");
		if (which == '1' && !profile_has_group(regex))
			return json_fail(at, ERR_FORMAT, err, "\"\\1\" needs a group in \"regex\" or \"name_regex\", and there is neither");
	}
	return 0;
}

static int read_params(struct profile_params *out, const struct json_value *at, struct arena *arena, struct err *err)
{
	enum { IOCTL, RECORD, REGEX, NAME_REGEX, COUNT };
	static const struct json_member members[] = {
		[IOCTL] = { "ioctl", OPTIONAL_STRING },
		[RECORD] = { "record", JSON_WANT_STRING },
		[REGEX] = { "regex", OPTIONAL_STRING },
		[NAME_REGEX] = { "name_regex", OPTIONAL_STRING },
	};
	struct json_value found[COUNT];
	int rc;

	if ((rc = json_members(found, at, members, COUNT, err)) ||
	    (rc = profile_read_name(&out->record, &found[RECORD], arena, err)) ||
	    (rc = profile_check_regex(&found[REGEX], err)) ||
	    (rc = profile_check_regex(&found[NAME_REGEX], err)))
		return rc;
	if ((rc = check_references(out->record, &found[RECORD], found[REGEX].item ? &found[REGEX] : &found[NAME_REGEX], err)))
		return rc;
	out->ioctl = json_get_string(&found[IOCTL], arena);
	out->regex = json_get_string(&found[REGEX], arena);
	out->name_regex = json_get_string(&found[NAME_REGEX], arena);
	return 0;
}

static int read_words(struct profile_words *out, const struct json_value *at, struct arena *arena, struct err *err)
{
	enum { FILES, PREFIX, EXCEPT, FALLBACK, UNLESS, COUNT };
	static const struct json_member members[] = {
		[FILES] = { "files", JSON_WANT_ARRAY },
		[PREFIX] = { "prefix", JSON_WANT_ARRAY },
		[EXCEPT] = { "except", OPTIONAL_ARRAY },
		[FALLBACK] = { "fallback", OPTIONAL_STRING },
		[UNLESS] = { "unless", OPTIONAL_ARRAY },
	};
	struct json_value found[COUNT];
	int rc;

	if (!at->item)
		return 0;
	if ((rc = json_members(found, at, members, COUNT, err)) ||
	    (rc = profile_read_paths(&out->files, &found[FILES], false, arena, err)) ||
	    (rc = json_get_strings(&out->prefix, &found[PREFIX], arena, err)) ||
	    (rc = json_get_strings(&out->except, &found[EXCEPT], arena, err)) ||
	    (rc = json_get_strings(&out->unless, &found[UNLESS], arena, err)))
		return rc;
	out->fallback = json_get_string(&found[FALLBACK], arena);
	return 0;
}

/* The member "files" of what is read as text; there must be one. @what: for the message */
static int read_files(struct profile_strings *out, const struct json_value *at, const char *what, struct arena *arena, struct err *err)
{
	int rc;

	if ((rc = profile_read_paths(out, at, false, arena, err)))
		return rc;
	return out->count ? 0 : json_fail(at, ERR_FORMAT, err, "a %s without files has nothing to read", what);
}

static int read_dispatch(struct profile_dispatch *out, const struct json_value *at, struct arena *arena, struct err *err)
{
	enum { FILES, MACROS, COUNT };
	static const struct json_member members[] = {
		[FILES] = { "files", JSON_WANT_ARRAY },
		[MACROS] = { "macros", OPTIONAL_ARRAY },
	};
	struct json_value found[COUNT];
	int rc;

	if (!at->item)
		return 0;
	if ((rc = json_members(found, at, members, COUNT, err)) ||
	    (rc = read_files(&out->files, &found[FILES], "dispatch", arena, err)))
		return rc;
	return json_get_strings(&out->macros, &found[MACROS], arena, err);
}

static int read_deprecated(struct profile_deprecated *out, const struct json_value *at, struct arena *arena, struct err *err)
{
	enum { FILES, TABLE, COUNT };
	static const struct json_member members[] = {
		[FILES] = { "files", JSON_WANT_ARRAY },
		[TABLE] = { "table", JSON_WANT_STRING },
	};
	struct json_value found[COUNT];
	int rc;

	if (!at->item)
		return 0;
	if ((rc = json_members(found, at, members, COUNT, err)) ||
	    (rc = read_files(&out->files, &found[FILES], "table", arena, err)))
		return rc;
	return profile_read_name(&out->table, &found[TABLE], arena, err);
}

static int read_source(enum profile_source *out, const struct json_value *at, struct err *err)
{
	static const struct {
		const char *name;
		enum profile_source source;
	} names[] = {
		{ "constants", PROFILE_FROM_CONSTANTS },
		{ "enum", PROFILE_FROM_ENUM },
		{ "nvoc", PROFILE_FROM_NVOC },
		{ "rs_entry", PROFILE_FROM_RS_ENTRY },
		{ "ioc", PROFILE_FROM_IOC },
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!strcmp(at->item->valuestring, names[i].name)) {
			*out = names[i].source;
			return 0;
		}
	}
	return json_fail(at, ERR_FORMAT, err, "\"%.60s\" is no source of ioctls (ioc, constants, enum, nvoc or rs_entry)", at->item->valuestring);
}

static int read_param_list(struct profile_family *out, const struct json_value *at, struct arena *arena, struct err *err)
{
	struct profile_params *list;
	struct json_value child;
	int rc;

	out->param_count = json_count(at);
	if (!out->param_count)
		return 0;
	out->params = list = arena_array(arena, out->param_count, sizeof(*list));
	for (child = json_first(at); child.item; json_next(&child))
		if ((rc = read_params(&list[child.index], &child, arena, err)))
			return rc;
	return 0;
}

/* "\\1" to "\\9" and nothing else behind a backslash. */
static int read_pattern(const char **out, const struct json_value *at, struct arena *arena, struct err *err)
{
	for (const char *text = at->item->valuestring; (text = strchr(text, '\\')); text++)
		if (text[1] < '1' || text[1] > '9')
			return json_fail(at, ERR_FORMAT, err, "behind a backslash stands the number of an argument, 1 to 9");
	return profile_read_name(out, at, arena, err);
}

static int read_call(struct profile_route *out, const struct json_value *at, struct arena *arena, struct err *err)
{
	enum { NAME, IOCTL, RECORD, FLAGS, WORDS, PREFIX, COUNT };
	static const struct json_member members[] = {
		[NAME] = { "name", JSON_WANT_STRING },
		[IOCTL] = { "ioctl", JSON_WANT_STRING },
		[RECORD] = { "record", OPTIONAL_STRING },
		[FLAGS] = { "flags", OPTIONAL_ARRAY },
		[WORDS] = { "words", OPTIONAL_STRING },
		[PREFIX] = { "prefix", OPTIONAL_STRING },
	};
	struct json_value found[COUNT];
	int rc;

	if ((rc = json_members(found, at, members, COUNT, err)) ||
	    (rc = profile_read_name(&out->name, &found[NAME], arena, err)) ||
	    (rc = read_pattern(&out->ioctl, &found[IOCTL], arena, err)) ||
	    (found[RECORD].item && (rc = read_pattern(&out->record, &found[RECORD], arena, err))) ||
	    (rc = json_get_strings(&out->flags, &found[FLAGS], arena, err)) ||
	    (found[WORDS].item && (rc = read_pattern(&out->words, &found[WORDS], arena, err))))
		return rc;
	if (out->words && strlen(out->words) != 2)
		return json_fail(&found[WORDS], ERR_FORMAT, err, "the words are one argument, \"\\1\" to \"\\9\"");
	if (found[PREFIX].item && !found[WORDS].item)
		return json_fail(&found[PREFIX], ERR_FORMAT, err, "a prefix is cut off \"words\", and there are none");
	out->prefix = found[PREFIX].item ? json_get_string(&found[PREFIX], arena) : "";
	return 0;
}

static int read_routes(struct profile_routes *out, const struct json_value *at, struct arena *arena, struct err *err)
{
	enum { FILES, CALLS, COUNT };
	static const struct json_member members[] = {
		[FILES] = { "files", JSON_WANT_ARRAY },
		[CALLS] = { "calls", JSON_WANT_ARRAY },
	};
	struct json_value found[COUNT], child;
	struct profile_route *list;
	int rc;

	if (!at->item)
		return 0;
	if ((rc = json_members(found, at, members, COUNT, err)) ||
	    (rc = profile_read_paths(&out->files, &found[FILES], false, arena, err)))
		return rc;
	out->call_count = json_count(&found[CALLS]);
	if (!out->call_count || !out->files.count)
		return json_fail(at, ERR_FORMAT, err, "without files, or without calls in them, there is nothing to read");
	out->calls = list = arena_array(arena, out->call_count, sizeof(*list));
	for (child = json_first(&found[CALLS]); child.item; json_next(&child))
		if ((rc = read_call(&list[child.index], &child, arena, err)))
			return rc;
	return 0;
}

static int read_count(unsigned *out, const struct json_value *at, unsigned least, unsigned most, struct err *err)
{
	uint64_t value;
	int rc;

	if ((rc = json_get_unsigned(&value, at, most, err)))
		return rc;
	if (value < least)
		return json_fail(at, ERR_FORMAT, err, "expected a number from %u to %u", least, most);
	*out = (unsigned)value;
	return 0;
}

static int read_bits(struct profile_bits *out, const struct json_value *at, struct arena *arena, struct err *err)
{
	enum { NAME, LOW_BIT, WIDTH, FAMILY, MACROS, COUNT };
	static const struct json_member members[] = {
		[NAME] = { "name", JSON_WANT_STRING },
		[LOW_BIT] = { "low_bit", JSON_WANT_INTEGER },
		[WIDTH] = { "width", JSON_WANT_INTEGER },
		[FAMILY] = { "family", OPTIONAL_STRING },
		[MACROS] = { "macros", OPTIONAL_STRING },
	};
	struct json_value found[COUNT];
	int rc;

	if ((rc = json_members(found, at, members, COUNT, err)) ||
	    (rc = profile_read_name(&out->name, &found[NAME], arena, err)) ||
	    (rc = read_count(&out->low_bit, &found[LOW_BIT], 0, 63, err)) ||
	    (rc = read_count(&out->width, &found[WIDTH], 1, 64 - out->low_bit, err)))
		return rc;
	out->family = json_get_string(&found[FAMILY], arena);
	out->macros = json_get_string(&found[MACROS], arena);
	return 0;
}

static int read_bits_list(struct profile_family *out, const struct json_value *at, struct arena *arena, struct err *err)
{
	struct profile_bits *list;
	struct json_value child;
	int rc;

	out->bits_count = json_count(at);
	if (!out->bits_count)
		return 0;
	out->bits = list = arena_array(arena, out->bits_count, sizeof(*list));
	for (child = json_first(at); child.item; json_next(&child))
		if ((rc = read_bits(&list[child.index], &child, arena, err)))
			return rc;
	return 0;
}

/* A table needs its files, macros need their globs, enumerators their enum; a key that the source does not use is a mistake. */
static int check_family(const struct profile_family *family, const struct json_value *at, struct err *err)
{
	bool is_table = family->source == PROFILE_FROM_NVOC || family->source == PROFILE_FROM_RS_ENTRY;

	if (family->source == PROFILE_FROM_CONSTANTS && !family->match.count)
		return json_fail(at, ERR_FORMAT, err, "a family from constants needs \"match\", the globs over macro names");
	if ((family->source == PROFILE_FROM_ENUM) != (family->enumeration != NULL))
		return json_fail(at, ERR_FORMAT, err, "a family from an enum needs \"enum\", its name, and no other family has one");
	if (is_table && !family->files.count)
		return json_fail(at, ERR_FORMAT, err, "a family from the driver's tables needs \"files\"");
	if (is_table && family->ioc.is_encoded)
		return json_fail(at, ERR_FORMAT, err, "\"ioc\" is for families from ioc, constants or an enum");
	if (is_table && (family->flags.count || family->routes.call_count))
		return json_fail(at, ERR_FORMAT, err, "\"flags\" and \"routes\" are for families from constants or an enum: a table states both");
	if (family->source != PROFILE_FROM_CONSTANTS && family->source != PROFILE_FROM_IOC && family->dispatch.files.count)
		return json_fail(at, ERR_FORMAT, err, "\"dispatch\" is for a family from constants or ioc; a table lists what is dispatched");
	if (family->routes.call_count && family->dispatch.files.count)
		return json_fail(at, ERR_FORMAT, err, "\"dispatch\" and \"routes\" both say what is dispatched; one of them is enough");
	if (family->source != PROFILE_FROM_NVOC && family->deprecated.files.count)
		return json_fail(at, ERR_FORMAT, err, "\"deprecated\" is for a family from nvoc");
	return 0;
}

int profile_read_family(struct profile_family *out, const struct json_value *at, struct arena *arena, struct err *err)
{
	enum { NAME, SOURCE, ENUMERATION, MATCH, EXCEPT, FLAGS, ROUTES, FILES, EMBEDDED, FLAG_WORDS, ACCESS_WORDS, UNIT, DISPATCH, DEPRECATED,
	       PARAMS, BITS, IOC, COUNT };
	static const struct json_member members[] = {
		[NAME] = { "name", JSON_WANT_STRING },
		[SOURCE] = { "source", JSON_WANT_STRING },
		[ENUMERATION] = { "enum", OPTIONAL_STRING },
		[MATCH] = { "match", OPTIONAL_ARRAY },
		[EXCEPT] = { "except", OPTIONAL_ARRAY },
		[FLAGS] = { "flags", OPTIONAL_ARRAY },
		[ROUTES] = { "routes", JSON_WANT_OBJECT | JSON_WANT_OPTIONAL },
		[FILES] = { "files", OPTIONAL_ARRAY },
		[EMBEDDED] = { "embedded", OPTIONAL_ARRAY },
		[FLAG_WORDS] = { "flag_words", JSON_WANT_OBJECT | JSON_WANT_OPTIONAL },
		[ACCESS_WORDS] = { "access_words", JSON_WANT_OBJECT | JSON_WANT_OPTIONAL },
		[UNIT] = { "unit", OPTIONAL_STRING },
		[DISPATCH] = { "dispatch", JSON_WANT_OBJECT | JSON_WANT_OPTIONAL },
		[DEPRECATED] = { "deprecated", JSON_WANT_OBJECT | JSON_WANT_OPTIONAL },
		[PARAMS] = { "params", OPTIONAL_ARRAY },
		[BITS] = { "bits", OPTIONAL_ARRAY },
		[IOC] = { "ioc", JSON_WANT_OBJECT | JSON_WANT_OPTIONAL },
	};
	struct json_value found[COUNT];
	int rc;

	if ((rc = json_members(found, at, members, COUNT, err)) ||
	    (rc = profile_read_name(&out->name, &found[NAME], arena, err)) ||
	    (rc = read_source(&out->source, &found[SOURCE], err)) ||
	    (found[ENUMERATION].item && (rc = profile_read_name(&out->enumeration, &found[ENUMERATION], arena, err))) ||
	    (rc = json_get_strings(&out->match, &found[MATCH], arena, err)) ||
	    (rc = json_get_strings(&out->except, &found[EXCEPT], arena, err)) ||
	    (rc = json_get_strings(&out->flags, &found[FLAGS], arena, err)) ||
	    (rc = read_routes(&out->routes, &found[ROUTES], arena, err)) ||
	    (rc = profile_read_paths(&out->files, &found[FILES], false, arena, err)) ||
	    (rc = profile_read_paths(&out->embedded, &found[EMBEDDED], false, arena, err)) ||
	    (rc = read_words(&out->flag_words, &found[FLAG_WORDS], arena, err)) ||
	    (rc = read_words(&out->access_words, &found[ACCESS_WORDS], arena, err)) ||
	    (rc = read_dispatch(&out->dispatch, &found[DISPATCH], arena, err)) ||
	    (rc = read_deprecated(&out->deprecated, &found[DEPRECATED], arena, err)) ||
	    (rc = read_param_list(out, &found[PARAMS], arena, err)) ||
	    (rc = read_bits_list(out, &found[BITS], arena, err)) ||
	    (rc = profile_read_ioc(&out->ioc, &found[IOC], arena, err)))
		return rc;
	out->ioc.is_encoded = out->ioc.is_encoded || out->source == PROFILE_FROM_IOC;
	out->unit = json_get_string(&found[UNIT], arena);
	return check_family(out, at, err);
}
