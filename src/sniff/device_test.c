#include "sniff/internal.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static const struct device_rule device_list[] = {
	{ .path = "/dev/nvidiactl", .family = "frontend" },
	{ .path = "/dev/driver#", .family = "frontend", .major = 1, .first_minor = 3, .last_minor = 3 },
};
static const struct device_rules devices = { .rules = device_list, .count = 1 },
				 nulls = { .rules = device_list + 1, .count = 1 };

static void a_memfd_that_is_called_as_a_device_is_replayed(void **state)
{
	const int fd = memfd_create("/dev/nvidiactl", MFD_CLOEXEC);
	struct device device;

	(void)state;
	assert_true(device_of(&device, &devices, getpid(), -1, fd, ""));
	assert_string_equal(device.path, "/dev/nvidiactl");
	assert_true(device.is_replayed);
	close(fd);
}

static void a_memfd_may_have_the_path_of_its_device_inside(void **state)
{
	static const struct {
		const char *name, *content, *expected; /* @expected is NULL if it is not a replayed device */
	} rows[] = {
		{ "nvidia0", DEVICE_CONTENT "/dev/nvidia0", "/dev/nvidia0" },
		{ "/dev//nvidia0", DEVICE_CONTENT "/dev/nvidia0", "/dev/nvidia0" },
		{ "/dev/nvidia0", "", "/dev/nvidia0" },
		{ "nvidia0", "", NULL },
		{ "nvidia-caps", "/dev/nvidia-caps", NULL },
		{ "/dev/nvidia-caps", "/dev/nvidia-caps", NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const int fd = memfd_create(rows[i].name, MFD_CLOEXEC);
		struct device device;

		assert_int_equal(write(fd, rows[i].content, strlen(rows[i].content)),
				 strlen(rows[i].content));
		assert_int_equal(device_of(&device, &devices, getpid(), -1, fd, ""),
				 rows[i].expected != NULL);
		if (rows[i].expected)
			assert_string_equal(device.path, rows[i].expected);
		close(fd);
	}
}

static void a_memfd_that_is_pretended_is_a_device_that_is_not_replayed(void **state)
{
	const int fd = memfd_create("drvabi:/dev/nvidiactl", MFD_CLOEXEC),
		  other = memfd_create("drvabi:/dev/null", MFD_CLOEXEC);
	struct device device;

	(void)state;
	assert_true(device_of(&device, &devices, getpid(), -1, fd, ""));
	assert_string_equal(device.path, "/dev/nvidiactl");
	assert_false(device.is_replayed);
	assert_false(device_of(&device, &devices, getpid(), -1, other, ""));
	close(fd);
	close(other);
}

static void other_files_are_no_devices_of_the_driver(void **state)
{
	const int null = open("/dev/null", O_RDWR | O_CLOEXEC),
		  memory = memfd_create("nvidiactl", MFD_CLOEXEC);
	struct device device;
	int ends[2];

	(void)state;
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	assert_false(device_of(&device, &devices, getpid(), -1, null, ""));
	assert_false(device_of(&device, &devices, getpid(), -1, memory, ""));
	assert_false(device_of(&device, &devices, getpid(), -1, ends[0], ""));
	assert_false(device_of(&device, &devices, getpid(), -1, 12345, ""));
	close(null);
	close(memory);
	close(ends[0]);
	close(ends[1]);
}

static int replayed(const char *path)
{
	return memfd_create(path, MFD_CLOEXEC);
}

static void a_table_has_what_a_descriptor_is_now(void **state)
{
	const int fd = replayed("/dev/nvidiactl"), other = replayed("/dev/nvidia0"),
		  table = device_table_open(getpid());
	struct device device;

	(void)state;
	assert_true(device_of(&device, &devices, getpid(), table, fd, ""));
	assert_string_equal(device.path, "/dev/nvidiactl");
	dup2(other, fd);
	assert_true(device_of(&device, &devices, getpid(), table, fd, ""));
	assert_string_equal(device.path, "/dev/nvidia0");
	close(fd);
	assert_false(device_of(&device, &devices, getpid(), table, fd, ""));
	assert_false(device_of(&device, &devices, getpid(), table, -1, ""));
	close(other);
	close(table);
}

/* The table is used with the id of a different thread, as if a new thread had the ended thread's id. */
static void the_table_of_an_ended_thread_has_nothing(void **state)
{
	const int fd = replayed("/dev/nvidiactl");
	struct device device;
	pid_t child;
	int table;

	(void)state;
	child = fork();
	if (!child) {
		dup2(replayed("/dev/nvidia0"), fd);
		pause();
	}
	table = device_table_open(child);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	assert_true(device_of(&device, &devices, getpid(), table, fd, ""));
	assert_string_equal(device.path, "/dev/nvidiactl");
	close(fd);
	assert_false(device_of(&device, &devices, getpid(), table, fd, ""));
	close(table);
}

static void a_known_path_is_believed(void **state)
{
	const int fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	struct device device;

	(void)state;
	assert_true(device_of(&device, &devices, getpid(), -1, fd, "/dev/null"));
	assert_false(device.is_replayed);
	close(fd);
}

static void a_node_elsewhere_is_found_by_its_number(void **state)
{
	const int fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	struct device device;

	(void)state;
	assert_true(device_of(&device, &nulls, getpid(), -1, fd, ""));
	assert_string_equal(device.path, "/dev/driver3");
	close(fd);
}

static void flags_are_those_of_the_open(void **state)
{
	const int fd = open("/dev/null", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	(void)state;
	assert_int_equal(device_open_flags(getpid(), fd), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	assert_int_equal(device_open_flags(getpid(), 12345), 0);
	close(fd);
}

static void marks_are_cut_off_device_paths_alone(void **state)
{
	char device[DEVICE_PATH_MAX] = "/memfd:/dev/nvidia0 (deleted)",
	     other[DEVICE_PATH_MAX] = "/memfd:wayland (deleted)";

	(void)state;
	assert_true(device_unmark(device, getpid(), -1));
	assert_string_equal(device, "/dev/nvidia0");
	assert_false(device_unmark(other, getpid(), -1));
}

static void a_process_with_one_thread_lists_its_devices_by_number(void **state)
{
	const int first = memfd_create("/dev/nvidia0", MFD_CLOEXEC),
		  second = memfd_create("/dev/nvidiactl", MFD_CLOEXEC);
	struct device_list list;

	(void)state;
	device_list_of(&list, &devices, getpid());
	assert_int_equal(list.count, 2);
	assert_int_equal(list.fds[0], first < second ? first : second);
	assert_string_equal(list.devices[0].path, first < second ? "/dev/nvidia0" : "/dev/nvidiactl");
	device_list_release(&list);
	close(first);
	close(second);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_memfd_that_is_called_as_a_device_is_replayed),
		cmocka_unit_test(a_memfd_may_have_the_path_of_its_device_inside),
		cmocka_unit_test(a_memfd_that_is_pretended_is_a_device_that_is_not_replayed),
		cmocka_unit_test(other_files_are_no_devices_of_the_driver),
		cmocka_unit_test(a_table_has_what_a_descriptor_is_now),
		cmocka_unit_test(the_table_of_an_ended_thread_has_nothing),
		cmocka_unit_test(a_known_path_is_believed),
		cmocka_unit_test(a_node_elsewhere_is_found_by_its_number),
		cmocka_unit_test(flags_are_those_of_the_open),
		cmocka_unit_test(marks_are_cut_off_device_paths_alone),
		cmocka_unit_test(a_process_with_one_thread_lists_its_devices_by_number),
	};

	return cmocka_run_group_tests_name("sniff device", tests, NULL, NULL);
}
