/* abi/read_profile.c - reads a profile, "drvabi-profile/1" (see docs/profile.md) */
#include "abi/internal.h"

#include <regex.h>

/* Limits for a regex that glibc expanded. In the built-in profiles, a regex has some hundred characters. */
enum { REGEX_COPIES_MAX = 10000, REGEX_GROUPS_MAX = 100 };

/*
 * Moves @at from the "{" of "{2,5}" to the "}". Return: about as many copies as glibc makes, at most
 * REGEX_COPIES_MAX + 1; 1, with @at unchanged, if "{" does not begin a repetition.
 */
static unsigned long copies_of(const char **at)
{
	char *end;
	unsigned long least = strtoul(*at + 1, &end, 10), most = *end == ',' ? strtoul(end + 1, &end, 10) : 0;

	if (*end != '}')
		return 1;
	*at = end;
	most = most > least ? most : least;
	return most < REGEX_COPIES_MAX ? most + 1 : REGEX_COPIES_MAX + 1;
}

/*
 * Does the regex exceed the limits? glibc makes two copies of an expression for "+", and about n for "{n}".
 * Consecutive and nested repetitions multiply, so a regex of 50 characters can use up all memory. The copies
 * of a group are counted as copies of the whole regex.
 */
static bool is_too_large(const char *regex)
{
	unsigned long length = 0, factor = 1, groups = 0;

	for (const char *at = regex; *at && groups <= REGEX_GROUPS_MAX && length * factor <= REGEX_COPIES_MAX;
	     at++) {
		const bool multiplies = at > regex && strchr(")+*?}", at[-1]);
		const unsigned long copies = *at == '+' ? 2 : *at == '{' ? copies_of(&at) : 1;

		if (multiplies && copies > 1)
			factor *= copies;
		else
			length += copies;
		groups += *at == '(';
	}
	return groups > REGEX_GROUPS_MAX || length * factor > REGEX_COPIES_MAX;
}

/* Checks that extract/ will be able to compile the regex. An error that is found here has the JSON path. */
static int check_regex(const struct json_value *at, struct err *err)
{
	char what[200];
	regex_t regex;
	int code;

	if (is_too_large(at->item->valuestring))
		return json_fail(
			at, ERR_LIMIT, err,
			"the regular expression has more than %d groups, or its repetitions expand to more than %d characters",
			REGEX_GROUPS_MAX, REGEX_COPIES_MAX);
	code = regcomp(&regex, at->item->valuestring, REG_EXTENDED);
	if (code) {
		regerror(code, &regex, what, sizeof(what));
		return json_fail(at, ERR_FORMAT, err, "not an extended regular expression: %s", what);
	}
	regfree(&regex);
	return 0;
}

/* Does @expression have a group? False for NULL. check_regex() has accepted all other expressions. */
static bool has_group(const char *expression)
{
	regex_t regex;
	bool has;

	if (!expression || regcomp(&regex, expression, REG_EXTENDED))
		return false;
	has = regex.re_nsub > 0;
	regfree(&regex);
	return has;
}

/* Checks a path or glob: relative, with no empty component, "." or "..". A directory can be "." itself. */
static int check_path_text(const struct json_value *at, bool is_directory, struct err *err)
{
	const char *path = at->item->valuestring;
	const char *component = path;

	if (is_directory && !strcmp(path, "."))
		return 0;
	for (;;) {
		size_t length = strcspn(component, "/");

		if (!length || (length == 1 && component[0] == '.') ||
		    (length == 2 && component[0] == '.' && component[1] == '.'))
			return json_fail(at, ERR_FORMAT, err,
					 "\"%.100s\" is not a path inside a tree (a/b/c.h)", path);
		if (!component[length])
			return 0;
		component += length + 1;
	}
}

static int check_path(const struct json_value *at, struct err *err)
{
	return check_path_text(at, false, err);
}

static int check_directory(const struct json_value *at, struct err *err)
{
	return check_path_text(at, true, err);
}

/* Checks that each path or glob of a list is inside the driver's source tree. */
static int check_paths(const struct json_value *at, struct err *err)
{
	struct json_value child;
	int rc = 0;

	for (child = json_first(at); child.item && !rc; json_next(&child))
		rc = check_path(&child, err);
	return rc;
}

/* Checks a list of paths, which must not be empty. */
static int check_files(const struct json_value *at, struct err *err)
{
	return json_count(at) ? check_paths(at, err)
			      : json_fail(at, ERR_FORMAT, err, "expected at least one file");
}

static int check_name(const struct json_value *at, struct err *err)
{
	return *at->item->valuestring
		       ? 0
		       : json_fail(at, ERR_FORMAT, err, "expected a name, found an empty string");
}

/* The headers of a unit: globs, and lists of alternative globs. */

static bool is_list(const struct json_value *at)
{
	return !json_expect(at, JSON_WANT_ARRAY, NULL);
}

/* Checks the path or glob at @at, and appends it to @globs, which must have room for it. */
static int read_glob(const char **globs, size_t *count, const struct json_value *at, struct arena *arena,
		     struct err *err)
{
	int rc;

	if ((rc = json_expect(at, JSON_WANT_STRING, err)) || (rc = check_path_text(at, false, err)))
		return rc;
	globs[(*count)++] = json_get_string(at, arena);
	return 0;
}

/*
 * Reads the headers of a unit: paths or globs, and arrays of alternatives, which must not be empty. Of each
 * array, extract/ uses only the first that matches a file.
 */
static int read_headers(void *object, const struct json_field *field, const struct json_value *at,
			struct json_reader *reader)
{
	struct profile_unit *unit = object;
	size_t most = 0, count = 0;
	struct json_value child, one;
	bool *is_alternative;
	const char **globs;
	int rc = 0;

	(void)field;
	for (child = json_first(at); child.item; json_next(&child))
		most += is_list(&child) ? json_count(&child) : 1;
	globs = arena_array(reader->arena, most + 1, sizeof(*globs));
	is_alternative = arena_array(reader->arena, most + 1, sizeof(*is_alternative));
	for (child = json_first(at); child.item && !rc; json_next(&child)) {
		if (!is_list(&child)) {
			rc = read_glob(globs, &count, &child, reader->arena, reader->err);
			continue;
		}
		if (!json_count(&child))
			return json_fail(&child, ERR_FORMAT, reader->err,
					 "the list of alternatives is empty");
		for (one = json_first(&child); one.item && !rc; json_next(&one)) {
			is_alternative[count] = one.index > 0;
			rc = read_glob(globs, &count, &one, reader->arena, reader->err);
		}
	}
	unit->headers = (struct profile_strings){ globs, count };
	unit->is_alternative = is_alternative;
	return rc;
}

/* The include directories of a unit. Each is for all targets or for one target. */

enum { TARGETS = 2 };

struct target_paths {
	const char *path[TARGETS];
};

/* {"x86_64-linux-gnu": "arch/x86/include/uapi", "aarch64-linux-gnu": "arch/arm64/include/uapi"} */
static const struct json_struct target_fields = { sizeof(struct target_paths), NULL, .field = {
	JSON_FIELD("x86_64-linux-gnu", JSON_TEXT | JSON_OPTIONAL, target_paths, path[0],
		   .check = check_directory),
	JSON_FIELD("aarch64-linux-gnu", JSON_TEXT | JSON_OPTIONAL, target_paths, path[1],
		   .check = check_directory),
} };

/* Reads the include directories of a unit: paths, and objects that have a directory for some targets. */
static int read_include(void *object, const struct json_field *field, const struct json_value *at,
			struct json_reader *reader)
{
	const size_t most = json_count(at) * TARGETS + 1;
	const char **paths = arena_array(reader->arena, most, sizeof(*paths));
	const char **targets = arena_array(reader->arena, most, sizeof(*targets));
	struct profile_unit *unit = object;
	struct json_value child;
	size_t count = 0;
	int rc = 0;

	(void)field;
	for (child = json_first(at); child.item && !rc; json_next(&child)) {
		struct target_paths of = { { NULL } };

		if ((rc = json_expect(&child, JSON_WANT_OBJECT | JSON_WANT_STRING, reader->err)))
			return rc;
		if (cJSON_IsString(child.item)) {
			paths[count++] = json_get_string(&child, reader->arena);
			rc = check_directory(&child, reader->err);
			continue;
		}
		if (!(rc = json_read_struct(&of, &target_fields, &child, reader)) && !json_count(&child))
			rc = json_fail(&child, ERR_FORMAT, reader->err,
				       "the object names no directory for any target");
		for (size_t i = 0; i < TARGETS; i++)
			if (of.path[i]) {
				targets[count] = target_fields.field[i].key;
				paths[count++] = of.path[i];
			}
	}
	unit->include = (struct profile_strings){ paths, count };
	unit->include_target = targets;
	return rc;
}

/* How the numbers of a family are encoded. */

/* Reads the type of ioctl numbers: a character, "K", or a number, "0x12", "174". */
static int read_type(unsigned *out, const struct json_value *at, struct err *err)
{
	const char *text = at->item->valuestring;
	unsigned long value;
	char *end;

	if (*text && !text[1]) {
		*out = (unsigned char)*text;
		return 0;
	}
	errno = 0;
	value = *text >= '0' && *text <= '9' ? strtoul(text, &end, 0) : 256;
	if (value > 255 || errno || *end)
		return json_fail(at, ERR_FORMAT, err,
				 "\"%.20s\" is not an ioctl type (one character, or a number up to 255)",
				 text);
	*out = (unsigned)value;
	return 0;
}

/* Reads the types that the ioctl numbers of a family can have. */
static int read_types(void *object, const struct json_field *field, const struct json_value *at,
		      struct json_reader *reader)
{
	struct profile_ioc *ioc = object;
	unsigned *types = arena_array(reader->arena, json_count(at) + 1, sizeof(*types));
	struct profile_strings texts;
	struct json_value child;
	int rc = json_get_strings(&texts, at, reader->arena, reader->err);

	(void)field;
	for (child = json_first(at); child.item && !rc; json_next(&child))
		rc = read_type(&types[child.index], &child, reader->err);
	ioc->types = types;
	ioc->type_count = json_count(at);
	return rc;
}

static const char *known_by_name(unsigned by_nr)
{
	return by_nr ? "nr" : "number";
}

static const struct json_struct ioc_fields = { sizeof(struct profile_ioc), NULL, .field = {
	{ .key = "types", .kind = JSON_WANT_ARRAY | JSON_OPTIONAL, .read = read_types },
	JSON_FIELD("known_by", JSON_NAMED_BOOL | JSON_OPTIONAL, profile_ioc, by_nr, .name_of = known_by_name,
		   .max = 2, .text = "a value of \"known_by\""),
} };

/*
 * A family of ioctls: the source of its numbers (a table, macros or an enum), the source of its parameter
 * records, and the words for its flags.
 */

/*
 * Checks the references "\\0", "\\1", "\\l0" and "\\l1" in "record". "\\0" is the ioctl's name. "\\1" is the
 * first group of "regex", or of "name_regex" if "regex" is absent.
 */
static int check_references(void *object, const struct json_value *found, struct json_reader *reader)
{
	const struct profile_params *params = object;
	const struct json_value *at = json_member(found, "record");

	for (const char *text = params->record; (text = strchr(text, '\\')); text++) {
		const char which = text[1] == 'l' ? text[2] : text[1];

		if (which != '0' && which != '1')
			return json_fail(at, ERR_FORMAT, reader->err,
					 "a backslash must be followed by 0, 1, l0 or l1");
		if (which == '1' && !has_group(params->regex ? params->regex : params->name_regex))
			return json_fail(
				at, ERR_FORMAT, reader->err,
				"\"\\1\" needs a group in \"regex\", or in \"name_regex\" if \"regex\" is absent");
	}
	return 0;
}

static const struct json_struct params_fields = { sizeof(struct profile_params), check_references, .field = {
	JSON_FIELD("ioctl", JSON_TEXT | JSON_OPTIONAL, profile_params, ioctl),
	JSON_FIELD("record", JSON_TEXT, profile_params, record, .check = check_name),
	JSON_FIELD("regex", JSON_TEXT | JSON_OPTIONAL, profile_params, regex, .check = check_regex),
	JSON_FIELD("name_regex", JSON_TEXT | JSON_OPTIONAL, profile_params, name_regex, .check = check_regex),
} };

static const struct json_struct words_fields = { sizeof(struct profile_words), NULL, .field = {
	JSON_STRINGS("files", 0, profile_words, files, .check = check_paths),
	JSON_STRINGS("prefix", 0, profile_words, prefix),
	JSON_STRINGS("except", JSON_OPTIONAL, profile_words, except),
	JSON_FIELD("fallback", JSON_TEXT | JSON_OPTIONAL, profile_words, fallback),
	JSON_STRINGS("unless", JSON_OPTIONAL, profile_words, unless),
} };

static const struct json_struct dispatch_fields = { sizeof(struct profile_dispatch), NULL, .field = {
	JSON_STRINGS("files", 0, profile_dispatch, files, .check = check_files),
	JSON_STRINGS("macros", JSON_OPTIONAL, profile_dispatch, macros),
} };

static const struct json_struct deprecated_fields = { sizeof(struct profile_deprecated), NULL, .field = {
	JSON_STRINGS("files", 0, profile_deprecated, files, .check = check_files),
	JSON_FIELD("table", JSON_TEXT, profile_deprecated, table, .check = check_name),
} };

static const char *source_name(unsigned source)
{
	static const char *const names[] = {
		[PROFILE_FROM_CONSTANTS] = "constants", [PROFILE_FROM_ENUM] = "enum", [PROFILE_FROM_NVOC] = "nvoc",
		[PROFILE_FROM_RS_ENTRY] = "rs_entry", [PROFILE_FROM_IOC] = "ioc",
	};

	return names[source];
}

/* Checks that a pattern of a route is not empty, and that a digit from 1 to 9 follows each backslash. */
static int check_pattern(const struct json_value *at, struct err *err)
{
	for (const char *text = at->item->valuestring; (text = strchr(text, '\\')); text++)
		if (text[1] < '1' || text[1] > '9')
			return json_fail(at, ERR_FORMAT, err,
					 "a backslash must be followed by the number of an argument, 1 to 9");
	return check_name(at, err);
}

static int check_route(void *object, const struct json_value *found, struct json_reader *reader)
{
	const struct profile_route *call = object;

	if (call->words && (*call->words != '\\' || strlen(call->words) != 2))
		return json_fail(json_member(found, "words"), ERR_FORMAT, reader->err,
				 "\"words\" must be a single argument, \"\\1\" to \"\\9\"");
	if (json_member(found, "prefix")->item && !call->words)
		return json_fail(json_member(found, "prefix"), ERR_FORMAT, reader->err,
				 "\"prefix\" needs \"words\", which is missing");
	return 0;
}

static const struct json_struct call_fields = { sizeof(struct profile_route), check_route, .field = {
	JSON_FIELD("name", JSON_TEXT, profile_route, name, .check = check_name),
	JSON_FIELD("ioctl", JSON_TEXT, profile_route, ioctl, .check = check_pattern),
	JSON_FIELD("record", JSON_TEXT | JSON_OPTIONAL, profile_route, record, .check = check_pattern),
	JSON_STRINGS("flags", JSON_OPTIONAL, profile_route, flags),
	JSON_FIELD("words", JSON_TEXT | JSON_OPTIONAL, profile_route, words, .check = check_pattern),
	JSON_FIELD("prefix", JSON_TEXT_OR_EMPTY | JSON_OPTIONAL, profile_route, prefix),
} };

static int check_routes(void *object, const struct json_value *found, struct json_reader *reader)
{
	const struct profile_routes *routes = object;

	return routes->call_count && routes->files.count
		       ? 0
		       : json_fail(found->parent, ERR_FORMAT, reader->err,
				   "\"routes\" needs at least one file and one call");
}

static const struct json_struct routes_fields = { sizeof(struct profile_routes), check_routes, .field = {
	JSON_STRINGS("files", 0, profile_routes, files, .check = check_paths),
	JSON_ARRAY("calls", JSON_LIST, profile_routes, calls, call_count, &call_fields),
} };

/* Reads the width of a range of bits, which is at least 1, and at most the number of bits from low_bit up. */
static int read_width(void *object, const struct json_field *field, const struct json_value *at,
		      struct json_reader *reader)
{
	struct profile_bits *bits = object;
	const unsigned most = 64 - bits->low_bit;
	uint64_t width;
	int rc = json_get_unsigned(&width, at, most, reader->err);

	(void)field;
	if (!rc && !width)
		rc = json_fail(at, ERR_FORMAT, reader->err, "expected a number from 1 to %u", most);
	if (!rc)
		bits->width = (unsigned)width;
	return rc;
}

static const struct json_struct bits_fields = { sizeof(struct profile_bits), NULL, .field = {
	JSON_FIELD("name", JSON_TEXT, profile_bits, name, .check = check_name),
	JSON_FIELD("low_bit", JSON_U32, profile_bits, low_bit, .max = 63),
	{ .key = "width", .kind = JSON_WANT_INTEGER, .read = read_width },
	JSON_FIELD("family", JSON_TEXT | JSON_OPTIONAL, profile_bits, family),
	JSON_FIELD("macros", JSON_TEXT | JSON_OPTIONAL, profile_bits, macros),
} };

/*
 * Checks that a family has the keys that its source needs ("files" for a table, "match" for macros, "enum"
 * for enumerators), and no key that its source does not use. Sets ioc.is_encoded.
 */
static int finish_family(void *object, const struct json_value *found, struct json_reader *reader)
{
	struct profile_family *family = object;
	const enum profile_source source = family->source;
	const bool is_table = source == PROFILE_FROM_NVOC || source == PROFILE_FROM_RS_ENTRY;
	const bool is_encoded = json_member(found, "ioc")->item || source == PROFILE_FROM_IOC;
	const struct {
		bool is_wrong;
		const char *what;
	} rules[] = {
		{ source == PROFILE_FROM_CONSTANTS && !family->match.count,
		  "the source \"constants\" needs \"match\": globs for the names of macros" },
		{ (source == PROFILE_FROM_ENUM) != (family->enumeration != NULL),
		  "the source \"enum\" needs \"enum\": the name of an enum; no other source can have it" },
		{ is_table && !family->files.count, "the sources nvoc and rs_entry need \"files\"" },
		{ is_table && is_encoded, "\"ioc\" is only for the sources ioc, constants and enum" },
		{ is_table && (family->flags.count || family->routes.call_count),
		  "\"flags\" and \"routes\" are not for the sources nvoc and rs_entry, "
		  "whose tables have both" },
		{ is_table && family->returns_fd.count,
		  "\"returns_fd\" is not for the sources nvoc and rs_entry" },
		{ source != PROFILE_FROM_CONSTANTS && source != PROFILE_FROM_IOC &&
			  family->dispatch.files.count,
		  "\"dispatch\" is only for the sources constants and ioc" },
		{ family->routes.call_count && family->dispatch.files.count,
		  "\"dispatch\" and \"routes\" cannot be used together; remove one of them" },
		{ source != PROFILE_FROM_NVOC && family->deprecated.files.count,
		  "\"deprecated\" is only for the source nvoc" },
	};

	family->ioc.is_encoded = is_encoded;
	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
		if (rules[i].is_wrong)
			return json_fail(found->parent, ERR_FORMAT, reader->err, "%s", rules[i].what);
	return 0;
}

static const struct json_struct family_fields = { sizeof(struct profile_family), finish_family, .field = {
	JSON_FIELD("name", JSON_TEXT, profile_family, name, .check = check_name),
	JSON_FIELD("source", JSON_NAMED, profile_family, source, .name_of = source_name,
		   .max = PROFILE_FROM_IOC + 1, .text = "a source of ioctls"),
	JSON_FIELD("enum", JSON_TEXT | JSON_OPTIONAL, profile_family, enumeration, .check = check_name),
	JSON_STRINGS("match", JSON_OPTIONAL, profile_family, match),
	JSON_STRINGS("except", JSON_OPTIONAL, profile_family, except),
	JSON_STRINGS("flags", JSON_OPTIONAL, profile_family, flags),
	JSON_STRINGS("returns_fd", JSON_OPTIONAL, profile_family, returns_fd),
	JSON_FIELD("routes", JSON_OBJECT | JSON_OPTIONAL, profile_family, routes, .of = &routes_fields),
	JSON_STRINGS("files", JSON_OPTIONAL, profile_family, files, .check = check_paths),
	JSON_STRINGS("embedded", JSON_OPTIONAL, profile_family, embedded, .check = check_paths),
	JSON_FIELD("flag_words", JSON_OBJECT | JSON_OPTIONAL, profile_family, flag_words,
		   .of = &words_fields),
	JSON_FIELD("access_words", JSON_OBJECT | JSON_OPTIONAL, profile_family, access_words,
		   .of = &words_fields),
	JSON_FIELD("unit", JSON_TEXT | JSON_OPTIONAL, profile_family, unit),
	JSON_FIELD("dispatch", JSON_OBJECT | JSON_OPTIONAL, profile_family, dispatch, .of = &dispatch_fields),
	JSON_FIELD("deprecated", JSON_OBJECT | JSON_OPTIONAL, profile_family, deprecated,
		   .of = &deprecated_fields),
	JSON_ARRAY("params", JSON_LIST | JSON_OPTIONAL, profile_family, params, param_count, &params_fields),
	JSON_ARRAY("bits", JSON_LIST | JSON_OPTIONAL, profile_family, bits, bits_count, &bits_fields),
	JSON_FIELD("ioc", JSON_OBJECT | JSON_OPTIONAL, profile_family, ioc, .of = &ioc_fields),
} };

static const struct json_struct stand_in_fields = { sizeof(struct profile_stand_in), NULL, .field = {
	JSON_FIELD("path", JSON_TEXT, profile_stand_in, path, .check = check_path),
	JSON_FIELD("text", JSON_TEXT, profile_stand_in, text),
	JSON_FIELD("expected", JSON_BOOL | JSON_OPTIONAL, profile_stand_in, is_expected),
} };

/* Checks that each string is one line of C. A backslash at its end would append the next line to it. */
static int check_lines(const struct json_value *at, struct err *err)
{
	struct json_value child;

	for (child = json_first(at); child.item; json_next(&child)) {
		const char *line = child.item->valuestring;
		size_t length = strlen(line);

		if (strpbrk(line, "\r\n") || (length && line[length - 1] == '\\'))
			return json_fail(&child, ERR_FORMAT, err,
					 "the line contains a line break, or ends with a backslash");
	}
	return 0;
}

static const char *unreadable_name(unsigned is_skipped)
{
	return is_skipped ? "warning" : "error";
}

/* Checks that a unit has headers, and adds the stand-ins for "basics": "linux" to the unit. */
static int finish_unit(void *object, const struct json_value *found, struct json_reader *reader)
{
	struct profile_unit *unit = object;

	if (!unit->headers.count && !unit->optional_headers.count)
		return json_fail(json_member(found, "headers"), ERR_FORMAT, reader->err,
				 "a unit needs at least one header");
	if (json_member(found, "basics")->item)
		linux_stand_ins_add(unit, reader->arena);
	return 0;
}

static const struct json_struct unit_fields = { sizeof(struct profile_unit), finish_unit, .field = {
	JSON_FIELD("name", JSON_TEXT, profile_unit, name, .check = check_name),
	{ .key = "headers", .kind = JSON_WANT_ARRAY, .read = read_headers },
	JSON_STRINGS("optional_headers", JSON_OPTIONAL, profile_unit, optional_headers, .check = check_paths),
	JSON_STRINGS("context", JSON_OPTIONAL, profile_unit, context, .check = check_paths),
	{ .key = "include", .kind = JSON_WANT_ARRAY | JSON_OPTIONAL, .read = read_include },
	JSON_STRINGS("define", JSON_OPTIONAL, profile_unit, define, .check = check_lines),
	JSON_STRINGS("prologue", JSON_OPTIONAL, profile_unit, prologue, .check = check_lines),
	JSON_ARRAY("stand_ins", JSON_LIST | JSON_OPTIONAL, profile_unit, stand_ins, stand_in_count,
		   &stand_in_fields),
	{ .key = "basics", .kind = JSON_FORMAT | JSON_OPTIONAL, .text = "linux" },
	JSON_FIELD("unreadable", JSON_NAMED_BOOL | JSON_OPTIONAL, profile_unit, skips_unreadable,
		   .name_of = unreadable_name, .max = 2, .text = "a value of \"unreadable\""),
} };

static int check_constant(void *object, const struct json_value *found, struct json_reader *reader)
{
	const struct profile_constant *rule = object;

	return rule->enumeration && rule->value
		       ? json_fail(json_member(found, "value"), ERR_FORMAT, reader->err,
				   "\"value\" matches the body of a macro, so a rule with \"enum\" cannot have it")
		       : 0;
}

static const struct json_struct constant_fields = { sizeof(struct profile_constant), check_constant,
						    .field = {
	JSON_FIELD("name", JSON_TEXT, profile_constant, name, .check = check_name),
	JSON_FIELD("enum", JSON_TEXT | JSON_OPTIONAL, profile_constant, enumeration, .check = check_name),
	JSON_FIELD("value", JSON_TEXT | JSON_OPTIONAL, profile_constant, value, .check = check_regex),
	JSON_STRINGS("except", JSON_OPTIONAL, profile_constant, except),
	JSON_FIELD("file", JSON_TEXT | JSON_OPTIONAL, profile_constant, file, .check = check_path),
} };

/* "none" ends the search: the field has no role, even if later rules match. */
static const char *rule_role_name(unsigned role)
{
	return role ? abi_role_name((enum abi_role)role) : "none";
}

static int check_role(void *object, const struct json_value *found, struct json_reader *reader)
{
	const struct profile_role *rule = object;

	return rule->type || rule->name || rule->record
		       ? 0
		       : json_fail(found->parent, ERR_FORMAT, reader->err,
				   "a rule without \"type\", \"name\" and \"record\" would match every field");
}

static const struct json_struct role_fields = { sizeof(struct profile_role), check_role, .field = {
	JSON_FIELD("role", JSON_NAMED, profile_role, role, .name_of = rule_role_name,
		   .max = ABI_ROLE_LAST + 1, .text = "a role"),
	JSON_FIELD("type", JSON_TEXT | JSON_OPTIONAL, profile_role, type),
	JSON_FIELD("name", JSON_TEXT | JSON_OPTIONAL, profile_role, name),
	JSON_FIELD("record", JSON_TEXT | JSON_OPTIONAL, profile_role, record),
	JSON_FIELD("evidence", JSON_TEXT | JSON_OPTIONAL, profile_role, evidence, .check = check_name),
} };

static const struct profile_unit *find_unit(const struct profile *profile, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(profile->units[i].name, name))
			return &profile->units[i];
	return NULL;
}

/* Checks that there is a unit, that units and families have unique names, and that a family's unit exists. */
static int check_profile(void *object, const struct json_value *found, struct json_reader *reader)
{
	const struct json_value *families = json_member(found, "families");
	const struct json_value *units = json_member(found, "units");
	const struct profile *profile = object;
	size_t i, j;

	if (!profile->unit_count)
		return json_fail(units, ERR_FORMAT, reader->err,
				 "a profile needs at least one unit");
	for (i = 0; i < profile->unit_count; i++)
		if (find_unit(profile, i, profile->units[i].name))
			return json_fail(units, ERR_FORMAT, reader->err, "two units are named \"%.60s\"",
					 profile->units[i].name);
	for (i = 0; i < profile->family_count; i++) {
		const struct profile_family *family = &profile->families[i];

		for (j = 0; j < i; j++)
			if (!strcmp(profile->families[j].name, family->name))
				return json_fail(families, ERR_FORMAT, reader->err,
						 "two families are named \"%.60s\"", family->name);
		if (family->unit && !find_unit(profile, profile->unit_count, family->unit))
			return json_fail(
				families, ERR_FORMAT, reader->err,
				"the family \"%.60s\" names the unit \"%.60s\", which does not exist",
				family->name, family->unit);
	}
	return 0;
}

const struct json_struct profile_document_fields = { sizeof(struct profile), check_profile, .field = {
	{ .key = "format", .kind = JSON_FORMAT, .text = PROFILE_FORMAT },
	JSON_FIELD("name", JSON_TEXT, profile, name, .check = check_name),
	JSON_FIELD("description", JSON_TEXT_OR_EMPTY | JSON_OPTIONAL, profile, description),
	JSON_FIELD("repository", JSON_TEXT | JSON_OR_NULL | JSON_OPTIONAL, profile, repository),
	JSON_ARRAY("units", JSON_LIST, profile, units, unit_count, &unit_fields),
	JSON_ARRAY("constants", JSON_LIST | JSON_OPTIONAL, profile, constants, constant_count,
		   &constant_fields),
	JSON_ARRAY("roles", JSON_LIST | JSON_OPTIONAL, profile, roles, role_count, &role_fields),
	JSON_ARRAY("families", JSON_LIST | JSON_OPTIONAL, profile, families, family_count, &family_fields),
} };

int json_read_profile(struct profile *out, const char *text, size_t size, const char *name,
		      struct arena *arena, struct err *err)
{
	int rc = json_read_text(out, &profile_document_fields, text, size, name, arena, err);

	if (!rc)
		out->hash = profile_hash(text, size, arena);
	return rc;
}

const struct json_struct project_config_fields = { sizeof(struct project_config), NULL, .field = {
	JSON_FIELD("table", JSON_TEXT | JSON_OPTIONAL, project_config, table),
	JSON_FIELD("profile", JSON_TEXT | JSON_OPTIONAL, project_config, profile),
	JSON_FIELD("repo", JSON_TEXT | JSON_OPTIONAL, project_config, repo),
	JSON_FIELD("suppressions", JSON_TEXT | JSON_OPTIONAL, project_config, suppressions),
} };

int json_read_config(struct project_config *out, const char *text, size_t size, const char *name,
		     struct arena *arena, struct err *err)
{
	return json_read_text(out, &project_config_fields, text, size, name, arena, err);
}
