#include "extract/enumerators.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

/* Does @glob match the path in @source, "path:line:column"? */
static bool is_in_file(const char *glob, const char *source)
{
	size_t length = strlen(source);
	char *path;
	bool matches;

	for (int colons = 0; length && colons < 2; colons += source[length] == ':')
		length--;
	path = xmalloc(length + 1);
	memcpy(path, source, length);
	path[length] = '\0';
	matches = !fnmatch(glob, path, 0);
	free(path);
	return matches;
}

static bool wants_enum(const struct profile_constant *rule, const struct abi_enum *one)
{
	return rule->enumeration && !fnmatch(rule->enumeration, one->name, 0) &&
	       (!rule->file || is_in_file(rule->file, one->source));
}

static bool wants_name(const struct profile_constant *rule, const char *name)
{
	return !fnmatch(rule->name, name, 0) && !profile_matches(&rule->except, name);
}

void enumerators_add(struct abi_builder *builder, const struct profile *profile, const struct abi_enum *one)
{
	for (size_t i = 0; i < profile->constant_count; i++) {
		const struct profile_constant *rule = &profile->constants[i];

		if (!wants_enum(rule, one))
			continue;
		for (size_t j = 0; j < one->value_count; j++)
			if (wants_name(rule, one->values[j].name))
				abi_builder_constant(builder, &(struct abi_constant){ one->values[j].name, one->values[j].value });
	}
}
