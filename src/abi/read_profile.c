/* abi/read_profile.c - a profile from JSON, "drvabi-profile/1"; docs/profile.md is its reference */
#include "abi/internal.h"

#include <errno.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

/*
 * reading a profile, in several files
 *
 * Everything that is read is in the caller's
 * arena. All functions return 0, or ERR_FORMAT with the path of what is wrong.
 */

enum {
	OPTIONAL_STRING = JSON_WANT_STRING | JSON_WANT_OPTIONAL,
	OPTIONAL_ARRAY = JSON_WANT_ARRAY | JSON_WANT_OPTIONAL
};

/* Of characters that a regex stands for; the longest of the built-in profiles has some hundred. */
enum { REGEX_COPIES_MAX = 10000, REGEX_DEPTH_MAX = 100 };

/* The "]" that ends what begins with "[" at @at; or the end of the text. */
static const char *bracket_end(const char *at)
{
	at += at[1] == '^' ? 2 : 1;
	if (*at == ']')
		at++;
	while (*at && *at != ']') {
		const char kind = *at == '[' && strchr(":.=", at[1]) ? at[1] : '\0';

		at++;
		if (!kind)
			continue;
		do
			at += strcspn(at + 1, "]") + 1;
		while (*at && at[-1] != kind);
		at += *at == ']';
	}
	return at;
}

/* How many copies "{2,5}" at *@at asks for, and its "}"; 1 if it is no repetition. */
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
 * glibc copies what is repeated: twice for each "+", and as often as "{n}" says. Behind and around each other
 * they multiply, so that a regex of 50 characters can take all memory.
 */
static bool is_too_large(const char *regex)
{
	unsigned long before[REGEX_DEPTH_MAX] = { 0 },
		      last = 0; /* of each open group what is before the last item; and that item */
	size_t depth = 0;

	for (const char *at = regex; *at; at++) {
		if (*at == '+')
			last *= 2;
		else if (*at == '{')
			last *= copies_of(&at);
		else if (*at == ')' && depth)
			last += before[depth--];
		else if (*at != '*' && *at != '?') {
			before[depth] += last;
			last = *at != '(';
			if (*at == '(' && ++depth == REGEX_DEPTH_MAX)
				return true;
			before[depth] *= *at != '(';
		}
		if (last > REGEX_COPIES_MAX || before[depth] + last > REGEX_COPIES_MAX)
			return true;
		if (*at == '\\' && at[1])
			at++;
		else if (*at == '[' && !*(at = bracket_end(at)))
			break;
	}
	return false;
}

/*
 * profile_check_regex - extended, as extract/ will compile it: refused here, where the path is known. Absent
 * is fine.
 */
static int profile_check_regex(const struct json_value *at, struct err *err)
{
	char what[200];
	regex_t regex;
	int code;

	if (!at->item)
		return 0;
	if (is_too_large(at->item->valuestring))
		return json_fail(at, ERR_LIMIT, err,
				 "the repetitions of the regular expression stand for more than %d characters",
				 REGEX_COPIES_MAX);
	code = regcomp(&regex, at->item->valuestring, REG_EXTENDED);
	if (code) {
		regerror(code, &regex, what, sizeof(what));
		return json_fail(at, ERR_FORMAT, err, "not an extended regular expression: %s", what);
	}
	regfree(&regex);
	return 0;
}

/* profile_has_group - has the expression at @at, which is one, a group? False if it is absent. */
static bool profile_has_group(const struct json_value *at)
{
	regex_t regex;
	bool has;

	if (!at->item || is_too_large(at->item->valuestring) ||
	    regcomp(&regex, at->item->valuestring, REG_EXTENDED))
		return false;
	has = regex.re_nsub > 0;
	regfree(&regex);
	return has;
}

/*
 * profile_check_path - relative, with no empty, "." or ".." component. "." alone is the tree's root, for
 * directories.
 */
static int profile_check_path(const struct json_value *at, bool is_directory, struct err *err)
{
	const char *path = at->item->valuestring;
	const char *component = path;

	if (is_directory && !strcmp(path, "."))
		return 0;
	for (;;) {
		size_t length = strcspn(component, "/");

		if (!length || (length == 1 && component[0] == '.') ||
		    (length == 2 && component[0] == '.' && component[1] == '.'))
			return json_fail(at, ERR_FORMAT, err, "\"%.100s\" is no path inside a tree (a/b/c.h)",
					 path);
		if (!component[length])
			return 0;
		component += length + 1;
	}
}

/* profile_read_paths - an array of such paths; empty if absent. */
static int profile_read_paths(struct profile_strings *out, const struct json_value *at, bool are_directories,
			      struct arena *arena, struct err *err)
{
	struct json_value child;
	int rc = json_get_strings(out, at, arena, err);

	for (child = json_first(at); child.item && !rc; json_next(&child))
		rc = profile_check_path(&child, are_directories, err);
	return rc;
}

/* profile_read_name - a string that is not empty. */
static int profile_read_name(const char **out, const struct json_value *at, struct arena *arena,
			     struct err *err)
{
	if (!*at->item->valuestring)
		return json_fail(at, ERR_FORMAT, err, "expected a name, found an empty string");
	*out = json_get_string(at, arena);
	return 0;
}

/* The headers of a unit: globs, and lists of globs that are alternatives. */

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
static int read_glob(const char **globs, size_t *count, const struct json_value *at, struct arena *arena,
		     struct err *err)
{
	int rc;

	if ((rc = json_expect(at, JSON_WANT_STRING, err)) || (rc = profile_check_path(at, false, err)))
		return rc;
	globs[(*count)++] = json_get_string(at, arena);
	return 0;
}

/* profile_read_headers - paths, and arrays of paths of which the first counts that matches something. */
static int profile_read_headers(struct profile_unit *out, const struct json_value *at, struct arena *arena,
				struct err *err)
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

/* The include directories of a unit: for all targets, or one for each. */

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

static int add_directory(struct directories *out, const struct json_value *at, const char *target,
			 struct err *err)
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

/* profile_read_include - directories, and objects that name one for each target; empty if absent. */
static int profile_read_include(struct profile_unit *out, const struct json_value *at, struct arena *arena,
				struct err *err)
{
	const size_t most = json_count(at) * TARGETS + 1;
	struct directories all = {
		.paths = arena_array(arena, most, sizeof(*all.paths)),
		.targets = arena_array(arena, most, sizeof(*all.targets)),
		.arena = arena,
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

/* How the numbers of a family are encoded. */

/* "K", or a number: "0x12", "174". */
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
				 "\"%.20s\" is no type (one character, or a number up to 255)", text);
	*out = (unsigned)value;
	return 0;
}

static int read_types(struct profile_ioc *out, const struct json_value *at, struct arena *arena,
		      struct err *err)
{
	struct profile_strings texts;
	struct json_value child;
	unsigned *types;
	int rc;

	if ((rc = json_get_strings(&texts, at, arena, err)))
		return rc;
	out->types = types = arena_array(arena, texts.count + 1, sizeof(*types));
	out->type_count = texts.count;
	for (child = json_first(at); child.item && !rc; json_next(&child))
		rc = read_type(&types[child.index], &child, err);
	return rc;
}

/* profile_read_ioc - the "ioc" of a family; absent is fine, and leaves @out as it is. */
static int profile_read_ioc(struct profile_ioc *out, const struct json_value *at, struct arena *arena,
			    struct err *err)
{
	enum { TYPES, KNOWN_BY, COUNT };
	static const struct json_member members[] = {
		[TYPES] = { "types", OPTIONAL_ARRAY },
		[KNOWN_BY] = { "known_by", OPTIONAL_STRING },
	};
	struct json_value found[COUNT];
	int rc;

	if (!at->item)
		return 0;
	if ((rc = json_members(found, at, members, COUNT, err)) ||
	    (rc = read_types(out, &found[TYPES], arena, err)))
		return rc;
	out->is_encoded = true;
	out->by_nr = found[KNOWN_BY].item && !strcmp(found[KNOWN_BY].item->valuestring, "nr");
	if (found[KNOWN_BY].item && !out->by_nr && strcmp(found[KNOWN_BY].item->valuestring, "number"))
		return json_fail(&found[KNOWN_BY], ERR_FORMAT, err,
				 "an ioctl is known by \"nr\" or by \"number\"");
	return 0;
}

/*
 * A family of ioctls: where its numbers come from (a table, macros or an
 * enum), where its parameter records do, and the words of its flags.
 */

/* "\\0" and "\\1", also with an l between; @regex: the expression whose first group the latter is. */
static int check_references(const char *record, const struct json_value *at, const struct json_value *regex,
			    struct err *err)
{
	for (const char *text = record; (text = strchr(text, '\\')); text++) {
		const char which = text[1] == 'l' ? text[2] : text[1];

		if (which != '0' && which != '1')
			return json_fail(at, ERR_FORMAT, err, "a backslash is followed by 0, 1, l0 or l1");
		if (which == '1' && !profile_has_group(regex))
			return json_fail(at, ERR_FORMAT, err,
					 "\"\\1\" needs a group in \"regex\" or \"name_regex\", and there is neither");
	}
	return 0;
}

static int read_params(struct profile_params *out, const struct json_value *at, struct arena *arena,
		       struct err *err)
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
	if ((rc = check_references(out->record, &found[RECORD],
				   found[REGEX].item ? &found[REGEX] : &found[NAME_REGEX], err)))
		return rc;
	out->ioctl = json_get_string(&found[IOCTL], arena);
	out->regex = json_get_string(&found[REGEX], arena);
	out->name_regex = json_get_string(&found[NAME_REGEX], arena);
	return 0;
}

static int read_words(struct profile_words *out, const struct json_value *at, struct arena *arena,
		      struct err *err)
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
static int read_files(struct profile_strings *out, const struct json_value *at, const char *what,
		      struct arena *arena, struct err *err)
{
	int rc;

	if ((rc = profile_read_paths(out, at, false, arena, err)))
		return rc;
	return out->count ? 0
			  : json_fail(at, ERR_FORMAT, err, "a %s without files has nothing to read", what);
}

static int read_dispatch(struct profile_dispatch *out, const struct json_value *at, struct arena *arena,
			 struct err *err)
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

static int read_deprecated(struct profile_deprecated *out, const struct json_value *at, struct arena *arena,
			   struct err *err)
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
	return json_fail(at, ERR_FORMAT, err,
			 "\"%.60s\" is no source of ioctls (ioc, constants, enum, nvoc or rs_entry)",
			 at->item->valuestring);
}

static int read_param_list(struct profile_family *out, const struct json_value *at, struct arena *arena,
			   struct err *err)
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
			return json_fail(at, ERR_FORMAT, err,
					 "a backslash is followed by the number of an argument, 1 to 9");
	return profile_read_name(out, at, arena, err);
}

static int read_call(struct profile_route *out, const struct json_value *at, struct arena *arena,
		     struct err *err)
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
		return json_fail(&found[WORDS], ERR_FORMAT, err,
				 "the words are one argument, \"\\1\" to \"\\9\"");
	if (found[PREFIX].item && !found[WORDS].item)
		return json_fail(&found[PREFIX], ERR_FORMAT, err,
				 "a prefix is cut off \"words\", and there are none");
	out->prefix = found[PREFIX].item ? json_get_string(&found[PREFIX], arena) : "";
	return 0;
}

static int read_routes(struct profile_routes *out, const struct json_value *at, struct arena *arena,
		       struct err *err)
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
		return json_fail(at, ERR_FORMAT, err,
				 "without files, or without calls in them, there is nothing to read");
	out->calls = list = arena_array(arena, out->call_count, sizeof(*list));
	for (child = json_first(&found[CALLS]); child.item; json_next(&child))
		if ((rc = read_call(&list[child.index], &child, arena, err)))
			return rc;
	return 0;
}

static int read_count(unsigned *out, const struct json_value *at, unsigned least, unsigned most,
		      struct err *err)
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

static int read_bits(struct profile_bits *out, const struct json_value *at, struct arena *arena,
		     struct err *err)
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

static int read_bits_list(struct profile_family *out, const struct json_value *at, struct arena *arena,
			  struct err *err)
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

/*
 * A table needs its files, macros need their globs, enumerators their enum; a key that the source does not
 * use is a mistake.
 */
static int check_family(const struct profile_family *family, const struct json_value *at, struct err *err)
{
	bool is_table = family->source == PROFILE_FROM_NVOC || family->source == PROFILE_FROM_RS_ENTRY;

	if (family->source == PROFILE_FROM_CONSTANTS && !family->match.count)
		return json_fail(at, ERR_FORMAT, err,
				 "a family from constants needs \"match\", the globs over macro names");
	if ((family->source == PROFILE_FROM_ENUM) != (family->enumeration != NULL))
		return json_fail(at, ERR_FORMAT, err,
				 "a family from an enum needs \"enum\", its name, and no other family has one");
	if (is_table && !family->files.count)
		return json_fail(at, ERR_FORMAT, err, "a family from the driver's tables needs \"files\"");
	if (is_table && family->ioc.is_encoded)
		return json_fail(at, ERR_FORMAT, err,
				 "\"ioc\" is for families from ioc, constants or an enum");
	if (is_table && (family->flags.count || family->routes.call_count))
		return json_fail(at, ERR_FORMAT, err,
				 "\"flags\" and \"routes\" are for families from constants or an enum: a table states both");
	if (family->source != PROFILE_FROM_CONSTANTS && family->source != PROFILE_FROM_IOC &&
	    family->dispatch.files.count)
		return json_fail(at, ERR_FORMAT, err,
				 "\"dispatch\" is for a family from constants or ioc; a table lists what is dispatched");
	if (family->routes.call_count && family->dispatch.files.count)
		return json_fail(at, ERR_FORMAT, err,
				 "\"dispatch\" and \"routes\" both say what is dispatched; one of them is enough");
	if (family->source != PROFILE_FROM_NVOC && family->deprecated.files.count)
		return json_fail(at, ERR_FORMAT, err, "\"deprecated\" is for a family from nvoc");
	return 0;
}

/* profile_read_family - an item of "families"; whether its unit exists is for the caller to check. */
static int profile_read_family(struct profile_family *out, const struct json_value *at, struct arena *arena,
			       struct err *err)
{
	enum {
		NAME,
		SOURCE,
		ENUMERATION,
		MATCH,
		EXCEPT,
		FLAGS,
		ROUTES,
		FILES,
		EMBEDDED,
		FLAG_WORDS,
		ACCESS_WORDS,
		UNIT,
		DISPATCH,
		DEPRECATED,
		PARAMS,
		BITS,
		IOC,
		COUNT
	};
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
	    (found[ENUMERATION].item &&
	     (rc = profile_read_name(&out->enumeration, &found[ENUMERATION], arena, err))) ||
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

static int read_stand_in(struct profile_stand_in *out, const struct json_value *at, struct arena *arena,
			 struct err *err)
{
	enum { PATH, TEXT, EXPECTED, COUNT };
	static const struct json_member members[] = {
		[PATH] = { "path", JSON_WANT_STRING },
		[TEXT] = { "text", JSON_WANT_STRING },
		[EXPECTED] = { "expected", JSON_WANT_BOOL | JSON_WANT_OPTIONAL },
	};
	struct json_value found[COUNT];
	int rc;

	if ((rc = json_members(found, at, members, COUNT, err)) ||
	    (rc = profile_check_path(&found[PATH], false, err)))
		return rc;
	out->path = json_get_string(&found[PATH], arena);
	out->text = json_get_string(&found[TEXT], arena);
	out->is_expected = found[EXPECTED].item && json_is_true(&found[EXPECTED]);
	return 0;
}

static int read_stand_ins(struct profile_unit *out, const struct json_value *at, struct arena *arena,
			  struct err *err)
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
static int read_lines(struct profile_strings *out, const struct json_value *at, struct arena *arena,
		      struct err *err)
{
	struct json_value child;
	int rc;

	if ((rc = json_get_strings(out, at, arena, err)))
		return rc;
	for (child = json_first(at); child.item; json_next(&child)) {
		const char *line = child.item->valuestring;
		size_t length = strlen(line);

		if (strpbrk(line, "\r\n") || (length && line[length - 1] == '\\'))
			return json_fail(&child, ERR_FORMAT, err,
					 "this is more than one line, or goes on on the next one");
	}
	return 0;
}

static int read_unit(struct profile_unit *out, const struct json_value *at, struct arena *arena,
		     struct err *err)
{
	enum {
		NAME,
		HEADERS,
		OPTIONAL_HEADERS,
		CONTEXT,
		INCLUDE,
		DEFINE,
		PROLOGUE,
		STAND_INS,
		BASICS,
		UNREADABLE,
		COUNT
	};
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
		return json_fail(&found[HEADERS], ERR_FORMAT, err,
				 "a unit without headers has nothing to read");
	if (found[BASICS].item && strcmp(found[BASICS].item->valuestring, "linux"))
		return json_fail(&found[BASICS], ERR_FORMAT, err, "there are basics for \"linux\" only");
	if (found[UNREADABLE].item && strcmp(found[UNREADABLE].item->valuestring, "warning") &&
	    strcmp(found[UNREADABLE].item->valuestring, "error"))
		return json_fail(&found[UNREADABLE], ERR_FORMAT, err,
				 "an unreadable header is a \"warning\" or an \"error\"");
	out->skips_unreadable =
		found[UNREADABLE].item && !strcmp(found[UNREADABLE].item->valuestring, "warning");
	if (found[BASICS].item)
		linux_basics_add(out, arena);
	return 0;
}

static int read_constant(struct profile_constant *out, const struct json_value *at, struct arena *arena,
			 struct err *err)
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
	    (found[ENUMERATION].item &&
	     (rc = profile_read_name(&out->enumeration, &found[ENUMERATION], arena, err))) ||
	    (rc = profile_check_regex(&found[VALUE], err)) ||
	    (rc = json_get_strings(&out->except, &found[EXCEPT], arena, err)))
		return rc;
	if (found[FILE_GLOB].item && (rc = profile_check_path(&found[FILE_GLOB], false, err)))
		return rc;
	if (found[ENUMERATION].item && found[VALUE].item)
		return json_fail(&found[VALUE], ERR_FORMAT, err,
				 "\"value\" is about a macro's body, and an enumerator has none");
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

static int read_role(struct profile_role *out, const struct json_value *at, struct arena *arena,
		     struct err *err)
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

	if ((rc = json_members(found, at, members, COUNT, err)) ||
	    (rc = read_role_name(&out->role, &found[ROLE], err)))
		return rc;
	if (found[EVIDENCE].item && (rc = profile_read_name(&out->evidence, &found[EVIDENCE], arena, err)))
		return rc;
	if (!found[TYPE].item && !found[NAME].item && !found[RECORD].item)
		return json_fail(at, ERR_FORMAT, err,
				 "a rule without \"type\", \"name\" and \"record\" would take every field");
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

static int check_names(const struct profile *profile, const struct json_value *units,
		       const struct json_value *families, struct err *err)
{
	size_t i, j;

	for (i = 0; i < profile->unit_count; i++)
		if (find_unit(profile, i, profile->units[i].name))
			return json_fail(units, ERR_FORMAT, err, "two units are named \"%.60s\"",
					 profile->units[i].name);
	for (i = 0; i < profile->family_count; i++) {
		const struct profile_family *family = &profile->families[i];

		for (j = 0; j < i; j++)
			if (!strcmp(profile->families[j].name, family->name))
				return json_fail(families, ERR_FORMAT, err,
						 "two families are named \"%.60s\"", family->name);
		if (family->unit && !find_unit(profile, profile->unit_count, family->unit))
			return json_fail(families, ERR_FORMAT, err,
					 "the family \"%.60s\" names the unit \"%.60s\", which does not exist",
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
		return json_fail(&found[UNITS], ERR_FORMAT, err,
				 "a profile without units has nothing to read");
	return check_names(out, &found[UNITS], &found[FAMILIES], err);
}

int json_read_profile(struct profile *out, const char *text, size_t size, const char *name,
		      struct arena *arena, struct err *err)
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
