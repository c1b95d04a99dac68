#include "base/base.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

static pid_t sleeping(void)
{
	const pid_t pid = fork();

	if (!pid) {
		pause();
		_exit(0);
	}
	return pid;
}

static bool has(const pid_t *found, size_t count, pid_t pid)
{
	while (count)
		if (found[--count] == pid)
			return true;
	return false;
}

static void the_children_of_a_process_are_found(void **state)
{
	const pid_t first = sleeping(), second = sleeping();
	pid_t *found;
	size_t count = processes_find(&found, PROCESSES_OF_PARENT, getpid());

	(void)state;
	assert_true(has(found, count, first));
	assert_true(has(found, count, second));
	assert_false(has(found, count, getpid()));
	free(found);
	kill(first, SIGKILL);
	waitpid(first, NULL, 0);
	count = processes_find(&found, PROCESSES_OF_PARENT, getpid());
	assert_false(has(found, count, first));
	assert_true(has(found, count, second));
	free(found);
	kill(second, SIGKILL);
	waitpid(second, NULL, 0);
}

static void a_process_that_has_none_has_none(void **state)
{
	const pid_t pid = sleeping();
	pid_t *found;

	(void)state;
	assert_int_equal(processes_find(&found, PROCESSES_OF_PARENT, pid), 0);
	assert_null(found);
	assert_int_equal(processes_number(PROCESSES_OF_PARENT, pid), getpid());
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	assert_int_equal(processes_number(PROCESSES_OF_PARENT, pid), 0);
}

static void a_driver_is_named_by_its_major_number(void **state)
{
	char name[CHARDEV_NAME_MAX];

	(void)state;
	chardev_driver(name, makedev(1, 77));
	assert_string_equal(name, "mem");
	chardev_driver(name, makedev(10, 0));
	assert_string_equal(name, "misc");
}

/* 259 is "blkext", a number for block devices. */
static void a_block_device_s_number_is_not_a_character_device_s(void **state)
{
	char name[CHARDEV_NAME_MAX];

	(void)state;
	chardev_driver(name, makedev(259, 0));
	assert_string_equal(name, "");
	chardev_driver(name, makedev(4000, 0));
	assert_string_equal(name, "");
}

static void a_device_without_a_driver_has_no_module(void **state)
{
	char name[CHARDEV_NAME_MAX] = "?";

	(void)state;
	chardev_module(name, makedev(1, 3));
	assert_string_equal(name, "");
}

/* Returns the paths, one on each line. */
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
		cmocka_unit_test(the_children_of_a_process_are_found),
		cmocka_unit_test(a_process_that_has_none_has_none),
		cmocka_unit_test(a_driver_is_named_by_its_major_number),
		cmocka_unit_test(a_block_device_s_number_is_not_a_character_device_s),
		cmocka_unit_test(a_device_without_a_driver_has_no_module),
		cmocka_unit_test(a_users_own_comes_first_and_the_systems_last),
		cmocka_unit_test(what_is_not_set_has_defaults),
		cmocka_unit_test(relative_directories_are_ignored),
		cmocka_unit_test(a_name_that_is_no_files_has_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
