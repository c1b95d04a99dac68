#include "abi/read_profile_internal.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

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
 * glibc copies what is repeated: twice for each "+", and as often as "{n}" says. Behind and around each other they multiply, so that a
 * regex of 50 characters can take all memory.
 */
static bool is_too_large(const char *regex)
{
	unsigned long before[REGEX_DEPTH_MAX] = { 0 }, last = 0; /* of each open group what is before the last item; and that item */
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

int profile_check_regex(const struct json_value *at, struct err *err)
{
	char what[200];
	regex_t regex;
	int code;

	if (!at->item)
		return 0;
	if (is_too_large(at->item->valuestring))
		return json_fail(at, ERR_LIMIT, err, "the repetitions of the regular expression stand for more than %d characters", REGEX_COPIES_MAX);
	code = regcomp(&regex, at->item->valuestring, REG_EXTENDED);
	if (code) {
		regerror(code, &regex, what, sizeof(what));
		return json_fail(at, ERR_FORMAT, err, "not an extended regular expression: %s", what);
	}
	regfree(&regex);
	return 0;
}

bool profile_has_group(const struct json_value *at)
{
	regex_t regex;
	bool has;

	if (!at->item || is_too_large(at->item->valuestring) || regcomp(&regex, at->item->valuestring, REG_EXTENDED))
		return false;
	has = regex.re_nsub > 0;
	regfree(&regex);
	return has;
}

int profile_check_path(const struct json_value *at, bool is_directory, struct err *err)
{
	const char *path = at->item->valuestring;
	const char *component = path;

	if (is_directory && !strcmp(path, "."))
		return 0;
	for (;;) {
		size_t length = strcspn(component, "/");

		if (!length || (length == 1 && component[0] == '.') || (length == 2 && component[0] == '.' && component[1] == '.'))
			return json_fail(at, ERR_FORMAT, err, "\"%.100s\" is no path inside a tree (a/b/c.h)", path);
		if (!component[length])
			return 0;
		component += length + 1;
	}
}

int profile_read_paths(struct profile_strings *out, const struct json_value *at, bool are_directories, struct arena *arena,
		       struct err *err)
{
	struct json_value child;
	int rc = json_get_strings(out, at, arena, err);

	for (child = json_first(at); child.item && !rc; json_next(&child))
		rc = profile_check_path(&child, are_directories, err);
	return rc;
}

int profile_read_name(const char **out, const struct json_value *at, struct arena *arena, struct err *err)
{
	if (!*at->item->valuestring)
		return json_fail(at, ERR_FORMAT, err, "expected a name, found an empty string");
	*out = json_get_string(at, arena);
	return 0;
}
