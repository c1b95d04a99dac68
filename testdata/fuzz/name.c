/* name - small parsers of one line: globs, macro bodies, types, versions. Newlines separate the lines. */
#include "lib/fuzz.h"

#include "base/base.h"
#include "extract/internal.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

enum { LINES = 3 };

/* check_glob - check that glob_matches() agrees with fnmatch(3) */
static void check_glob(const char *glob, const char *name)
{
	MUST(glob_matches(glob, view_of(name), false) == !fnmatch(glob, name, 0));
}

static void check_macro(const char *body)
{
	macro_can_be_number(body);
	if (macro_is_literal(body))
		MUST(strpbrk(body, "0123456789"));
}

static void check_type(const char *type)
{
	struct abi_spelling spelling;
	struct abi_type resolved;
	struct err err = { "" };

	if (abi_spelling_parse(&spelling, type, &err)) {
		fuzz_sentence(&err);
		return;
	}
	MUST(spelling.base >= type && spelling.base + spelling.base_length <= type + strlen(type));
	MUST(spelling.dimension_count <= ABI_DIMENSIONS_MAX);
	if (abi_resolve_type(&resolved, fuzz_demo_abi(), type, &err))
		fuzz_sentence(&err);
	else
		MUST(resolved.dimension_count <= ABI_DIMENSIONS_MAX);
}

static int sign(int order)
{
	return (order > 0) - (order < 0);
}

/* check_versions - check that abi_version_compare() is a total order */
static void check_versions(char *const *v)
{
	for (int i = 0; i < LINES; i++)
		MUST(!abi_version_compare(v[i], v[i]));
	MUST(sign(abi_version_compare(v[0], v[1])) == -sign(abi_version_compare(v[1], v[0])));
	MUST(!abi_version_compare(v[0], v[1]) == !strcmp(v[0], v[1]));
	if (abi_version_compare(v[0], v[1]) <= 0 && abi_version_compare(v[1], v[2]) <= 0)
		MUST(abi_version_compare(v[0], v[2]) <= 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *line[LINES];

	for (int i = 0; i < LINES; i++) {
		const uint8_t *newline = size && i + 1 < LINES ? memchr(data, '\n', size) : NULL;
		size_t length = newline ? (size_t)(newline - data) : size;

		line[i] = fuzz_text(data, length);
		data += length + (newline != NULL);
		size -= length + (newline != NULL);
	}
	check_glob(line[0], line[1]);
	check_macro(line[0]);
	check_type(line[0]);
	check_versions(line);
	for (int i = 0; i < LINES; i++)
		free(line[i]);
	return 0;
}
