/* Tests of processes, character devices, and the places of data files. */
#include "base/unit_test.h"

#include <signal.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

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

TEST(the_children_of_a_process_are_found)
{
	const pid_t first = sleeping(), second = sleeping();
	pid_t *found;
	size_t count = processes_find(&found, PROCESSES_OF_PARENT, getpid());

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

TEST(a_process_that_has_none_has_none)
{
	const pid_t pid = sleeping();
	pid_t *found;

	assert_int_equal(processes_find(&found, PROCESSES_OF_PARENT, pid), 0);
	assert_null(found);
	assert_int_equal(processes_number(PROCESSES_OF_PARENT, pid), getpid());
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	assert_int_equal(processes_number(PROCESSES_OF_PARENT, pid), 0);
}

TEST(a_driver_is_named_by_its_major_number)
{
	static const struct {
		const char *fact;
		unsigned major;
		const char *name;
	} rows[] = {
		{ "the memory devices", 1, "mem" },
		{ "the miscellaneous devices", 10, "misc" },
		{ "blkext, a number for block devices", 259, "" },
		{ "a number without a driver", 4000, "" },
	};
	char name[CHARDEV_NAME_MAX] = "?";

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		chardev_driver(name, makedev(rows[i].major, 7));
		if (strcmp(name, rows[i].name))
			fail_msg("%s: %s", rows[i].fact, name);
	}
}

TEST(a_device_without_a_driver_has_no_module)
{
	char name[CHARDEV_NAME_MAX] = "?";

	chardev_module(name, makedev(1, 3));
	assert_string_equal(name, "");
}

TEST(a_users_own_comes_first_and_the_systems_last)
{
	static const struct {
		const char *fact, *name;
		struct data_surroundings of;
		const char *paths; /* a line for each */
	} rows[] = {
		{ "a user's own comes first and the system's last", "nvidia",
		  { "/opt/d/bin/drvabi", "/home/u", "/data", "/x:/y" },
		  "/data/drvabi/nvidia.drvabi\n/opt/d/share/drvabi/nvidia.drvabi\n/opt/d/data/nvidia.drvabi\n"
		  "/x/drvabi/nvidia.drvabi\n/y/drvabi/nvidia.drvabi\n" },
		{ "what is not set has defaults", "nvidia", { .home = "/home/u" },
		  "/home/u/.local/share/drvabi/nvidia.drvabi\n/usr/local/share/drvabi/nvidia.drvabi\n"
		  "/usr/share/drvabi/nvidia.drvabi\n" },
		{ "relative directories are ignored", "nvidia", { "drvabi", "home", "data", "share::/y" },
		  "/y/drvabi/nvidia.drvabi\n" },
		{ "a name with directories is no file's", "../../etc/x", { .home = "/home/u" }, "" },
		{ "the parent directory is no file", "..", { .home = "/home/u" }, "" },
		{ "no name is no file's", "", { .home = "/home/u" }, "" },
	};
	struct arena arena = { 0 };

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct data_paths paths;
		const char *all = "";

		data_paths(&paths, rows[i].name, ".drvabi", &rows[i].of, &arena);
		for (size_t k = 0; k < paths.count; k++)
			all = arena_printf(&arena, "%s%s\n", all, paths.path[k]);
		if (strcmp(all, rows[i].paths))
			fail_msg("%s:\n%s", rows[i].fact, all);
	}
	arena_release(&arena);
}
