#include "base/ctext.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static void globs_match_whole_names(void **state)
{
	static const struct {
		const char *glob, *name;
		bool matches;
	} cases[] = {
		{ "A", "A", true }, { "A", "AB", false }, { "A*", "AB", true }, { "A*", "BA", false }, { "*A", "BA", true },
		{ "*A", "AB", false }, { "A*B*C", "AxBxC", true }, { "A*B*C", "AxCxB", false }, { "A*A", "A", false },
		{ "A*A", "AA", true }, { "*", "", true }, { "", "", true }, { "", "A", false }, { "**", "x", true },
		{ "*AB*", "xAAB", true }, { "A?C", "ABC", true }, { "[!N]*", "NV", false }, { "[!N]*", "XV", true },
		{ "A*BC*C", "ABC", false }, { "A*BC*C", "ABCC", true },
	};
	struct arena arena = { 0 };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct name_glob pattern;

		name_glob_init(&pattern, cases[i].glob, &arena);
		if (name_glob_matches(&pattern, (struct view){ cases[i].name, strlen(cases[i].name) }) != cases[i].matches)
			fail_msg("%s against %s", cases[i].name, cases[i].glob);
	}
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(globs_match_whole_names),
	};

	return cmocka_run_group_tests_name("name_glob", tests, NULL, NULL);
}
