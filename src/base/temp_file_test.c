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
struct place {
	char dir[64];
	int dir_fd;
};

static int open_place(void **state)
{
	struct place *place = calloc(1, sizeof(*place));

	snprintf(place->dir, sizeof(place->dir), "/tmp/drvabi-temp-test.XXXXXX");
	if (!mkdtemp(place->dir))
		return -1;
	place->dir_fd = open(place->dir, O_PATH | O_DIRECTORY);
	*state = place;
	return 0;
}

static int close_place(void **state)
{
	struct place *place = *state;
	int rc;

	unlinkat(place->dir_fd, "f", 0);
	unlinkat(place->dir_fd, "f", AT_REMOVEDIR);
	close(place->dir_fd);
	rc = rmdir(place->dir);
	free(place);
	return rc;
}

static size_t files_in(const struct place *place)
{
	DIR *stream = opendir(place->dir);
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
static char only_byte(const struct place *place)
{
	int fd = openat(place->dir_fd, "f", O_RDONLY);
	char text[2] = "";

	assert_int_equal(read(fd, text, 2), 1);
	close(fd);
	return *text;
}

static void open_one(struct temp_file *temp, const struct place *place, bool named)
{
	if (named)
		assert_int_equal(temp_file_open_named(temp, place->dir_fd, "f", 0666), 0);
	else if (temp_file_open_unnamed(temp, place->dir_fd, 0666))
		skip();
}

static void check_publish(const struct place *place, bool named)
{
	struct temp_file temp;

	for (char ch = 'a'; ch < 'd'; ch++) { /* the first is new, the others replace one */
		open_one(&temp, place, named);
		put(&temp, ch);
		assert_int_equal(temp_file_publish(&temp, "f"), 0);
		assert_int_equal(only_byte(place), ch);
		assert_int_equal(files_in(place), 1);
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
	const struct place *place = *state;
	struct temp_file temp;

	assert_int_equal(mkdirat(place->dir_fd, "f", 0777), 0);
	for (int named = 0; named < 2; named++) {
		open_one(&temp, place, named);
		assert_int_equal(temp_file_publish(&temp, "f"), -1);
		assert_int_equal(errno, EISDIR);
		assert_int_equal(files_in(place), 1);
	}
	assert_int_equal(unlinkat(place->dir_fd, "f", AT_REMOVEDIR), 0);
}

/* In a process of its own: it is told to end while the file has a name that is not to stay. */
static int ended_by(const struct place *place, int signal, bool publish)
{
	const pid_t child = fork();
	struct temp_file temp;
	int status;

	if (!child) {
		setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
		if (temp_file_open_named(&temp, place->dir_fd, "f", 0666))
			_exit(1);
		kill(getpid(), signal);
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
		assert_int_equal(unlinkat(((struct place *)*state)->dir_fd, "f", 0), 0);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_place, close_place)

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
