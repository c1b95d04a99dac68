#include "base/data_paths.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* All paths, one behind the other. */
static const char *paths_of(const char *name, const struct data_surroundings *of, struct arena *arena)
{
	struct data_paths paths;
	const char *all = "";

	data_paths(&paths, name, ".drvabi", of, arena);
	for (size_t i = 0; i < paths.count; i++)
		all = arena_printf(arena, "%s%s\n", all, paths.path[i]);
	return all;
}

static void assert_paths(const char *name, const struct data_surroundings *of, const char *expected)
{
	struct arena arena = { 0 };

	assert_string_equal(paths_of(name, of, &arena), expected);
	arena_release(&arena);
}

static void a_users_own_comes_first_and_the_systems_last(void **state)
{
	const struct data_surroundings of = { "/opt/d/bin/drvabi", "/home/u", "/data", "/x:/y" };

	(void)state;
	assert_paths("nvidia", &of,
		     "/data/drvabi/nvidia.drvabi\n"
		     "/opt/d/share/drvabi/nvidia.drvabi\n"
		     "/opt/d/data/nvidia.drvabi\n"
		     "/x/drvabi/nvidia.drvabi\n"
		     "/y/drvabi/nvidia.drvabi\n");
}

static void what_is_not_set_has_defaults(void **state)
{
	const struct data_surroundings of = { .home = "/home/u" };

	(void)state;
	assert_paths("nvidia", &of,
		     "/home/u/.local/share/drvabi/nvidia.drvabi\n"
		     "/usr/local/share/drvabi/nvidia.drvabi\n"
		     "/usr/share/drvabi/nvidia.drvabi\n");
}

static void relative_directories_are_ignored(void **state)
{
	const struct data_surroundings of = { "drvabi", "home", "data", "share::/y" };

	(void)state;
	assert_paths("nvidia", &of, "/y/drvabi/nvidia.drvabi\n");
}

static void a_name_that_is_no_files_has_none(void **state)
{
	const struct data_surroundings of = { .home = "/home/u" };

	(void)state;
	assert_paths("../../etc/x", &of, "");
	assert_paths("..", &of, "");
	assert_paths("", &of, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_users_own_comes_first_and_the_systems_last),
		cmocka_unit_test(what_is_not_set_has_defaults),
		cmocka_unit_test(relative_directories_are_ignored),
		cmocka_unit_test(a_name_that_is_no_files_has_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
