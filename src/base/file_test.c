#include "base/base.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <cmocka.h>

/* A directory of the test's own, which it leaves empty or with one file "f". */
struct place {
	char dir[64];
	struct strbuf path; /* DIR/f */
	struct strbuf other; /* DIR/ and another name */
	struct strbuf text;
	struct err err;
};

static int open_place(void **state)
{
	struct place *place = calloc(1, sizeof(*place));

	snprintf(place->dir, sizeof(place->dir), "/tmp/drvabi-file-test.XXXXXX");
	if (!mkdtemp(place->dir))
		return -1;
	strbuf_addf(&place->path, "%s/f", place->dir);
	*state = place;
	return 0;
}

static int close_place(void **state)
{
	struct place *place = *state;
	int rc;

	unlink(place->path.text);
	rc = rmdir(place->dir);
	strbuf_release(&place->path);
	strbuf_release(&place->other);
	strbuf_release(&place->text);
	free(place);
	return rc;
}

static size_t files_in(const char *dir)
{
	DIR *stream = opendir(dir);
	size_t count = 0;

	while (readdir(stream))
		count++;
	closedir(stream);
	return count - 2;
}

static void what_is_written_is_read(void **state)
{
	struct place *place = *state;

	assert_int_equal(file_write_atomic(place->path.text, "a\0b", 3, &place->err), 0);
	assert_int_equal(file_read(&place->text, place->path.text, 100, &place->err), 0);
	assert_int_equal(place->text.length, 3);
	assert_memory_equal(place->text.text, "a\0b", 4);
}

static void reading_appends(void **state)
{
	struct place *place = *state;

	file_write_atomic(place->path.text, "new", 3, &place->err);
	strbuf_adds(&place->text, "old ");
	assert_int_equal(file_read(&place->text, place->path.text, 3, &place->err), 0);
	assert_string_equal(place->text.text, "old new");
}

static void a_longer_file_is_replaced_whole(void **state)
{
	struct place *place = *state;

	file_write_atomic(place->path.text, "a longer text", 13, &place->err);
	file_write_atomic(place->path.text, "short", 5, &place->err);
	file_read(&place->text, place->path.text, 100, &place->err);
	assert_string_equal(place->text.text, "short");
}

static void nothing_is_left_beside_a_written_file(void **state)
{
	struct place *place = *state;

	file_write_atomic(place->path.text, "x", 1, &place->err);
	assert_int_equal(files_in(place->dir), 1);
}

static void a_file_that_is_not_there_is_not_found(void **state)
{
	struct place *place = *state;

	assert_int_equal(file_read(&place->text, place->path.text, 100, &place->err), ERR_NOT_FOUND);
	assert_non_null(strstr(place->err.text, place->path.text));
}

static void a_file_beyond_the_limit_leaves_the_text_as_it_was(void **state)
{
	struct place *place = *state;

	file_write_atomic(place->path.text, "0123456789", 10, &place->err);
	strbuf_adds(&place->text, "old");
	assert_int_equal(file_read(&place->text, place->path.text, 9, &place->err), ERR_LIMIT);
	assert_string_equal(place->text.text, "old");
}

static void a_directory_cannot_be_read(void **state)
{
	struct place *place = *state;

	assert_int_equal(file_read(&place->text, place->dir, 100, &place->err), ERR_IO);
}

static void a_directory_is_not_written_over(void **state)
{
	struct place *place = *state;

	assert_int_equal(file_write_atomic(place->dir, "x", 1, &place->err), ERR_IO);
	assert_int_equal(files_in(place->dir), 0);
}

static void a_file_in_no_directory_is_not_written(void **state)
{
	struct place *place = *state;

	assert_int_equal(file_write_atomic("/nonexistent/dir/f", "x", 1, &place->err), ERR_IO);
	assert_non_null(strstr(place->err.text, "/nonexistent/dir/f"));
}

static void a_full_disk_is_noticed(void **state)
{
	struct place *place = *state;

	if (access("/dev/full", W_OK))
		skip();
	assert_int_equal(file_write_atomic("/dev/full", "x", 1, &place->err), ERR_IO);
	assert_non_null(strstr(place->err.text, "/dev/full"));
}

static void a_stream_that_cannot_be_written_is_noticed(void **state)
{
	struct place *place = *state;
	FILE *stream = fopen("/dev/full", "w");

	if (!stream)
		skip();
	fputs("x", stream);
	assert_int_equal(file_finish_stream(stream, "standard output", &place->err), ERR_IO);
	assert_non_null(strstr(place->err.text, "standard output"));
	fclose(stream);
}

static void a_stream_that_was_written_is_finished(void **state)
{
	struct place *place = *state;
	FILE *stream = fopen(place->path.text, "w");

	fputs("x", stream);
	assert_int_equal(file_finish_stream(stream, place->path.text, &place->err), 0);
	fclose(stream);
}

static void directories_are_made_with_their_parents(void **state)
{
	struct place *place = *state;
	struct strbuf deep = { 0 };

	strbuf_addf(&deep, "%s/a/b/", place->dir);
	assert_int_equal(file_make_dirs(deep.text, &place->err), 0);
	assert_int_equal(file_make_dirs(deep.text, &place->err), 0);
	assert_int_equal(rmdir(deep.text), 0);
	strbuf_reset(&deep);
	strbuf_addf(&deep, "%s/a", place->dir);
	assert_int_equal(rmdir(deep.text), 0);
	strbuf_release(&deep);
}

static void a_file_in_the_way_of_a_directory_is_named(void **state)
{
	struct place *place = *state;
	struct strbuf below = { 0 };

	file_write_atomic(place->path.text, "x", 1, &place->err);
	strbuf_addf(&below, "%s/d", place->path.text);
	assert_int_equal(file_make_dirs(below.text, &place->err), ERR_IO);
	assert_non_null(strstr(place->err.text, place->path.text));
	strbuf_release(&below);
}

/* DIR/NAME; a test that makes one removes it. */
static const char *beside(struct place *place, const char *name)
{
	strbuf_reset(&place->other);
	strbuf_addf(&place->other, "%s/%s", place->dir, name);
	return place->other.text;
}

static void write_text(struct place *place, const char *path, const char *text)
{
	assert_int_equal(file_write_atomic(path, text, strlen(text), &place->err), 0);
}

static void check_text(struct place *place, const char *path, const char *text)
{
	strbuf_reset(&place->text);
	assert_int_equal(file_read(&place->text, path, 1000, &place->err), 0);
	assert_string_equal(strbuf_text(&place->text), text);
}

static struct stat state_of(const char *path)
{
	struct stat st;

	assert_int_equal(lstat(path, &st), 0);
	return st;
}

static void a_link_is_written_through(void **state)
{
	struct place *place = *state;
	const char *link = beside(place, "link");

	write_text(place, place->path.text, "old");
	assert_int_equal(symlink("f", link), 0);
	write_text(place, link, "new");
	assert_true(S_ISLNK(state_of(link).st_mode));
	check_text(place, place->path.text, "new");
	assert_int_equal(files_in(place->dir), 2);
	unlink(link);
}

static void a_link_to_nothing_makes_its_target(void **state)
{
	struct place *place = *state;
	const char *link = beside(place, "link");

	assert_int_equal(symlink(place->path.text, link), 0);
	write_text(place, link, "new");
	assert_true(S_ISLNK(state_of(link).st_mode));
	check_text(place, place->path.text, "new");
	unlink(link);
}

static void a_link_to_itself_is_an_error(void **state)
{
	struct place *place = *state;

	assert_int_equal(symlink("f", place->path.text), 0);
	assert_int_equal(file_write_atomic(place->path.text, "x", 1, &place->err), ERR_IO);
	assert_true(S_ISLNK(state_of(place->path.text).st_mode));
}

static bool can_be_unnamed(const char *dir)
{
	const int fd = open(dir, O_WRONLY | O_TMPFILE, 0600);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static void a_new_file_is_there_in_one_step(void **state)
{
	struct place *place = *state;
	_Alignas(struct inotify_event) char events[4096];
	const struct inotify_event *event;
	const int fd = inotify_init1(IN_NONBLOCK);
	size_t steps = 0;

	if (fd < 0 || !can_be_unnamed(place->dir) || access("/proc/self/fd", F_OK))
		skip();
	assert_true(inotify_add_watch(fd, place->dir, IN_CREATE | IN_DELETE | IN_MOVED_TO) >= 0);
	write_text(place, place->path.text, "new");
	for (ssize_t at = 0, end = read(fd, events, sizeof(events)); at < end; at += (ssize_t)(sizeof(*event) + event->len)) {
		event = (const struct inotify_event *)(events + at);
		assert_string_equal(event->name, "f");
		steps++;
	}
	assert_int_equal(steps, 1);
	close(fd);
}

static void a_new_file_obeys_the_umask(void **state)
{
	struct place *place = *state;
	const mode_t before = umask(037);

	write_text(place, place->path.text, "x");
	umask(before);
	assert_int_equal(state_of(place->path.text).st_mode & 07777, 0640);
}

static void an_old_file_has_its_mode_afterwards(void **state)
{
	static const mode_t modes[] = { 0600, 0604, 0666, 0755 };
	struct place *place = *state;
	const mode_t before = umask(077);
	ino_t old;

	for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++) {
		write_text(place, place->path.text, "old");
		assert_int_equal(chmod(place->path.text, modes[i]), 0);
		old = state_of(place->path.text).st_ino;
		write_text(place, place->path.text, "new");
		assert_int_equal(state_of(place->path.text).st_mode & 07777, modes[i]);
		assert_int_not_equal(state_of(place->path.text).st_ino, old); /* it was replaced */
	}
	umask(before);
}

static void an_old_file_is_replaced_not_changed(void **state)
{
	struct place *place = *state;
	char text[4] = "";
	int fd;

	write_text(place, place->path.text, "old");
	fd = open(place->path.text, O_RDONLY);
	write_text(place, place->path.text, "new");
	assert_int_equal(read(fd, text, 3), 3);
	assert_string_equal(text, "old");
	close(fd);
}

static void a_file_with_two_names_has_them_afterwards(void **state)
{
	struct place *place = *state;
	const char *other = beside(place, "other");

	write_text(place, place->path.text, "a longer old text");
	assert_int_equal(link(place->path.text, other), 0);
	write_text(place, other, "new");
	check_text(place, place->path.text, "new");
	assert_int_equal(state_of(other).st_ino, state_of(place->path.text).st_ino);
	unlink(other);
}

/* With files of no more than that many bytes; the signal that would end the test is ignored, as main() does. */
static int write_limited(struct place *place, const char *path, const char *text, rlim_t limit)
{
	struct rlimit before, now;
	int rc;

	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &before);
	now = before;
	now.rlim_cur = limit;
	setrlimit(RLIMIT_FSIZE, &now);
	rc = file_write_atomic(path, text, strlen(text), &place->err);
	setrlimit(RLIMIT_FSIZE, &before);
	signal(SIGXFSZ, SIG_DFL);
	return rc;
}

static void a_file_that_may_not_grow_leaves_the_old_one(void **state)
{
	struct place *place = *state;
	const char *other = beside(place, "other");

	assert_int_equal(write_limited(place, other, "0123456789", 4), ERR_IO);
	assert_int_equal(access(other, F_OK), -1);
	write_text(place, place->path.text, "old");
	assert_int_equal(write_limited(place, place->path.text, "0123456789", 4), ERR_IO);
	check_text(place, place->path.text, "old");
	assert_int_equal(files_in(place->dir), 1);
}

static void a_file_with_two_names_that_may_not_grow_is_as_it_was(void **state)
{
	struct place *place = *state;
	const char *other = beside(place, "other");

	write_text(place, place->path.text, "old");
	assert_int_equal(link(place->path.text, other), 0);
	assert_int_equal(write_limited(place, other, "0123456789", 4), ERR_IO);
	assert_null(strstr(place->err.text, "incomplete"));
	check_text(place, place->path.text, "old");
	unlink(other);
}

static void a_name_as_long_as_names_can_be_is_written(void **state)
{
	struct place *place = *state;
	char name[256];

	memset(name, 'n', 255);
	name[255] = '\0';
	write_text(place, beside(place, name), "old");
	write_text(place, place->other.text, "new");
	check_text(place, place->other.text, "new");
	unlink(place->other.text);
	assert_int_equal(files_in(place->dir), 0);
}

static void a_descriptor_is_written_where_it_stands(void **state)
{
	struct place *place = *state;
	struct strbuf name = { 0 };
	int fd;

	write_text(place, place->path.text, "old");
	fd = open(place->path.text, O_WRONLY | O_APPEND);
	strbuf_addf(&name, "/dev/fd/%d", fd);
	write_text(place, name.text, "new");
	close(fd);
	check_text(place, place->path.text, "oldnew");
	assert_int_equal(file_write_atomic(name.text, "x", 1, &place->err), ERR_IO);
	strbuf_release(&name);
}

static void a_pipe_is_written_to(void **state)
{
	struct place *place = *state;
	char text[4] = "";
	int fd;

	assert_int_equal(mkfifo(place->path.text, 0600), 0);
	fd = open(place->path.text, O_RDWR);
	write_text(place, place->path.text, "new");
	assert_int_equal(read(fd, text, 3), 3);
	assert_string_equal(text, "new");
	assert_true(S_ISFIFO(state_of(place->path.text).st_mode));
	close(fd);
}

static void a_socket_is_an_error(void **state)
{
	struct place *place = *state;
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "%s", place->path.text);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	assert_int_equal(file_write_atomic(place->path.text, "x", 1, &place->err), ERR_IO);
	assert_non_null(strstr(place->err.text, "it is a socket"));
	close(fd);
}

static void a_read_only_descriptor_is_an_error(void **state)
{
	struct place *place = *state;
	struct strbuf name = { 0 };
	int fd;

	write_text(place, place->path.text, "old");
	fd = open(place->path.text, O_RDONLY);
	strbuf_addf(&name, "/proc/self/fd/%d", fd);
	assert_int_equal(file_write_atomic(name.text, "x", 1, &place->err), ERR_IO);
	check_text(place, place->path.text, "old");
	strbuf_release(&name);
	close(fd);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_place, close_place)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_is_written_is_read),
		TEST(reading_appends),
		TEST(a_longer_file_is_replaced_whole),
		TEST(nothing_is_left_beside_a_written_file),
		TEST(a_file_that_is_not_there_is_not_found),
		TEST(a_file_beyond_the_limit_leaves_the_text_as_it_was),
		TEST(a_directory_cannot_be_read),
		TEST(a_directory_is_not_written_over),
		TEST(a_file_in_no_directory_is_not_written),
		TEST(a_full_disk_is_noticed),
		TEST(a_stream_that_cannot_be_written_is_noticed),
		TEST(a_stream_that_was_written_is_finished),
		TEST(directories_are_made_with_their_parents),
		TEST(a_file_in_the_way_of_a_directory_is_named),
		TEST(a_link_is_written_through),
		TEST(a_link_to_nothing_makes_its_target),
		TEST(a_link_to_itself_is_an_error),
		TEST(a_new_file_is_there_in_one_step),
		TEST(a_new_file_obeys_the_umask),
		TEST(an_old_file_has_its_mode_afterwards),
		TEST(an_old_file_is_replaced_not_changed),
		TEST(a_file_with_two_names_has_them_afterwards),
		TEST(a_file_that_may_not_grow_leaves_the_old_one),
		TEST(a_file_with_two_names_that_may_not_grow_is_as_it_was),
		TEST(a_name_as_long_as_names_can_be_is_written),
		TEST(a_descriptor_is_written_where_it_stands),
		TEST(a_pipe_is_written_to),
		TEST(a_socket_is_an_error),
		TEST(a_read_only_descriptor_is_an_error),
	};

	return cmocka_run_group_tests_name("file", tests, NULL, NULL);
}
