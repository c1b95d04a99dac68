#include "base/temp_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

/* A directory of the test's own, which it leaves empty or with one file "f". */
struct folder {
	char dir[64];
	int dir_fd;
};

static int make_folder(void **state)
{
	struct folder *folder = calloc(1, sizeof(*folder));

	snprintf(folder->dir, sizeof(folder->dir), "/tmp/drvabi-temp-test.XXXXXX");
	if (!mkdtemp(folder->dir))
		return -1;
	folder->dir_fd = open(folder->dir, O_PATH | O_DIRECTORY);
	*state = folder;
	return 0;
}

static int remove_folder(void **state)
{
	struct folder *folder = *state;
	int rc;

	unlinkat(folder->dir_fd, "f", 0);
	unlinkat(folder->dir_fd, "f", AT_REMOVEDIR);
	close(folder->dir_fd);
	rc = rmdir(folder->dir);
	free(folder);
	return rc;
}

static size_t files_in(const struct folder *folder)
{
	DIR *stream = opendir(folder->dir);
	size_t count = 0;

	while (readdir(stream))
		count++;
	closedir(stream);
	return count - 2;
}

static void put(const struct temp_file *temp, char ch)
{
	assert_int_equal(write(temp->fd, &ch, 1), 1);
}

/* The only byte of "f". */
static char only_byte(const struct folder *folder)
{
	int fd = openat(folder->dir_fd, "f", O_RDONLY);
	char text[2] = "";

	assert_int_equal(read(fd, text, 2), 1);
	close(fd);
	return *text;
}

static void open_one(struct temp_file *temp, const struct folder *folder, bool named)
{
	if (named)
		assert_int_equal(temp_file_open_named(temp, folder->dir_fd, "f", 0666), 0);
	else if (temp_file_open_unnamed(temp, folder->dir_fd, 0666))
		skip();
}

static void check_publish(const struct folder *folder, bool named)
{
	struct temp_file temp;

	for (char ch = 'a'; ch < 'd'; ch++) { /* the first is new, the others replace one */
		open_one(&temp, folder, named);
		put(&temp, ch);
		assert_int_equal(temp_file_publish(&temp, "f"), 0);
		assert_int_equal(only_byte(folder), ch);
		assert_int_equal(files_in(folder), 1);
	}
}

static void a_file_without_a_name_gets_one(void **state)
{
	check_publish(*state, false);
}

static void a_file_with_a_name_gets_another(void **state)
{
	check_publish(*state, true);
}

static void nobody_sees_a_file_without_a_name(void **state)
{
	struct temp_file temp;

	open_one(&temp, *state, false);
	put(&temp, 'a');
	assert_int_equal(files_in(*state), 0);
	temp_file_discard(&temp);
	assert_int_equal(files_in(*state), 0);
}

static void a_file_with_a_name_is_discarded(void **state)
{
	struct temp_file temp;

	open_one(&temp, *state, true);
	assert_int_equal(files_in(*state), 1);
	errno = ENOSPC;
	temp_file_discard(&temp);
	assert_int_equal(errno, ENOSPC);
	assert_int_equal(files_in(*state), 0);
}

static void what_cannot_be_published_is_gone(void **state)
{
	const struct folder *folder = *state;
	struct temp_file temp;

	assert_int_equal(mkdirat(folder->dir_fd, "f", 0777), 0);
	for (int named = 0; named < 2; named++) {
		open_one(&temp, folder, named);
		assert_int_equal(temp_file_publish(&temp, "f"), -1);
		assert_int_equal(errno, EISDIR);
		assert_int_equal(files_in(folder), 1);
	}
	assert_int_equal(unlinkat(folder->dir_fd, "f", AT_REMOVEDIR), 0);
}

/* In a process of its own: it is told to end while the file has a name that is not to stay. */
static int ended_by(const struct folder *folder, int number, bool publish)
{
	const pid_t child = fork();
	struct temp_file temp;
	int status;

	if (!child) {
		setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
		signal(number, SIG_DFL); /* below nohup, or in the background of a shell, it is ignored */
		if (temp_file_open_named(&temp, folder->dir_fd, "f", 0666))
			_exit(1);
		kill(getpid(), number);
		if (publish)
			temp_file_publish(&temp, "f");
		else
			temp_file_discard(&temp);
		_exit(2); /* the signal came before this */
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFSIGNALED(status) ? WTERMSIG(status) : -WEXITSTATUS(status);
}

static void a_signal_waits_until_nothing_is_left(void **state)
{
	static const int signals[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM };

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++) {
		assert_int_equal(ended_by(*state, signals[i], false), signals[i]);
		assert_int_equal(files_in(*state), 0);
		assert_int_equal(ended_by(*state, signals[i], true), signals[i]);
		assert_int_equal(files_in(*state), 1);
		assert_int_equal(unlinkat(((struct folder *)*state)->dir_fd, "f", 0), 0);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_file_without_a_name_gets_one),
		TEST(a_file_with_a_name_gets_another),
		TEST(nobody_sees_a_file_without_a_name),
		TEST(a_file_with_a_name_is_discarded),
		TEST(what_cannot_be_published_is_gone),
		TEST(a_signal_waits_until_nothing_is_left),
	};

	return cmocka_run_group_tests_name("temp_file", tests, NULL, NULL);
}
