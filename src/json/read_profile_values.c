#include "json/read_profile_internal.h"

#include <regex.h>
#include <string.h>

int profile_check_regex(const struct json_value *at, struct err *err)
{
	char what[200];
	regex_t regex;
	int code;

	if (!at->item)
		return 0;
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

	if (!at->item || regcomp(&regex, at->item->valuestring, REG_EXTENDED))
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
