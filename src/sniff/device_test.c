/* Tests which descriptors are devices of the driver. */
#include "sniff/internal.h"
#include "abi/document_test.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

static const struct device_rule device_list[] = {
	{ .path = "/dev/nvidiactl", .family = "frontend" },
	{ .path = "/dev/driver#", .family = "frontend", .major = 1, .first_minor = 3, .last_minor = 3 },
};
static const struct device_rules devices = { .rules = device_list, .count = 1 },
				 nulls = { .rules = device_list + 1, .count = 1 };

/* @expected: the device's path, followed by " replayed" if it is replayed; "none" */
static bool device_differs(const char *fact, const struct device_rules *rules, int fd,
			   const char *known, const char *expected)
{
	struct strbuf got = { 0 };
	struct device device;

	if (device_of(&device, rules, getpid(), fd, known))
		strbuf_addf(&got, "%s%s", device.path, device.is_replayed ? " replayed" : "");
	else
		strbuf_adds(&got, "none");
	return text_differs(fact, &got, expected);
}

static int replayed(const char *path)
{
	return memfd_create(path, MFD_CLOEXEC);
}

TEST(the_name_or_the_content_of_a_memfd_shows_its_device)
{
	static const struct {
		const char *name, *content, *expected;
	} rows[] = {
		{ "/dev/nvidiactl", "", "/dev/nvidiactl replayed" },
		{ "nvidia0", DEVICE_CONTENT "/dev/nvidia0", "/dev/nvidia0 replayed" },
		{ "/dev//nvidia0", DEVICE_CONTENT "/dev/nvidia0", "/dev/nvidia0 replayed" },
		{ "/dev/nvidia0", "", "/dev/nvidia0 replayed" },
		{ "nvidia0", "", "none" },
		{ "nvidiactl", "", "none" },
		{ "nvidia-caps", "/dev/nvidia-caps", "none" }, /* a directory */
		{ "/dev/nvidia-caps", "/dev/nvidia-caps", "none" },
		/* A test's own device is not replayed. */
		{ "drvabi:/dev/nvidiactl", "", "/dev/nvidiactl" },
		{ "drvabi:/dev/null", "", "none" },
	};
	size_t failed = 0;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const int fd = replayed(rows[i].name);
		const size_t length = strlen(rows[i].content);

		assert_int_equal(write(fd, rows[i].content, length), length);
		failed += device_differs(rows[i].name, &devices, fd, "", rows[i].expected);
		close(fd);
	}
	assert_int_equal(failed, 0);
}

TEST(other_files_are_devices_if_a_rule_has_their_number_or_the_path_is_known)
{
	const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	size_t failed = 0;
	int ends[2];

	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	failed += device_differs("/dev/null", &devices, null, "", "none");
	failed += device_differs("a pipe", &devices, ends[0], "", "none");
	failed += device_differs("no file", &devices, 12345, "", "none");
	failed += device_differs("a known path", &devices, null, "/dev/null", "/dev/null");
	failed += device_differs("a node with the number of a rule", &nulls, null, "", "/dev/driver3");
	assert_int_equal(failed, 0);
	close(null);
	close(ends[0]);
	close(ends[1]);
}

TEST(a_descriptor_is_looked_up_at_each_use)
{
	const int fd = replayed("/dev/nvidiactl"), other = replayed("/dev/nvidia0");
	size_t failed = 0;

	failed += device_differs("open", &devices, fd, "", "/dev/nvidiactl replayed");
	dup2(other, fd);
	failed += device_differs("replaced", &devices, fd, "", "/dev/nvidia0 replayed");
	close(fd);
	failed += device_differs("closed", &devices, fd, "", "none");
	failed += device_differs("no descriptor", &devices, -1, "", "none");
	assert_int_equal(failed, 0);
	close(other);
}

TEST(flags_are_those_of_the_open)
{
	const int fd = open("/dev/null", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	assert_int_equal(device_open_flags(getpid(), fd), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	assert_int_equal(device_open_flags(getpid(), 12345), 0);
	close(fd);
}

TEST(marks_are_removed_only_from_paths_of_devices)
{
	char device[DEVICE_PATH_MAX] = "/memfd:/dev/nvidia0 (deleted)",
	     other[DEVICE_PATH_MAX] = "/memfd:wayland (deleted)";

	assert_true(device_unmark(device, getpid(), -1));
	assert_string_equal(device, "/dev/nvidia0");
	assert_false(device_unmark(other, getpid(), -1));
}

TEST(a_process_with_one_thread_lists_its_devices_by_number)
{
	const int first = replayed("/dev/nvidia0"), second = replayed("/dev/nvidiactl");
	struct device *list;

	assert_int_equal(device_list_of(&list, &devices, getpid()), 2);
	assert_int_equal(list[0].fd, first < second ? first : second);
	assert_string_equal(list[0].path, first < second ? "/dev/nvidia0" : "/dev/nvidiactl");
	free(list);
	close(first);
	close(second);
}
