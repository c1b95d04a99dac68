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
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <cmocka.h>

/* A directory for one test, which the test must leave empty or with only the file "f". */
struct fixture {
	char dir[64];
	struct strbuf path; /* DIR/f */
	struct strbuf other; /* a different path in DIR */
	struct strbuf text;
	struct err err;
};

static int open_fixture(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));

	snprintf(fixture->dir, sizeof(fixture->dir), "/tmp/drvabi-file-test.XXXXXX");
	if (!mkdtemp(fixture->dir))
		return -1;
	strbuf_addf(&fixture->path, "%s/f", fixture->dir);
	*state = fixture;
	return 0;
}

static int close_fixture(void **state)
{
	struct fixture *fixture = *state;
	int rc;

	unlink(fixture->path.text);
	rc = rmdir(fixture->dir);
	strbuf_release(&fixture->path);
	strbuf_release(&fixture->other);
	strbuf_release(&fixture->text);
	free(fixture);
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
	struct fixture *fixture = *state;

	assert_int_equal(file_write_atomic(fixture->path.text, "a\0b", 3, &fixture->err), 0);
	assert_int_equal(file_read(&fixture->text, fixture->path.text, 100, &fixture->err), 0);
	assert_int_equal(fixture->text.length, 3);
	assert_memory_equal(fixture->text.text, "a\0b", 4);
}

static void reading_appends(void **state)
{
	struct fixture *fixture = *state;

	file_write_atomic(fixture->path.text, "new", 3, &fixture->err);
	strbuf_adds(&fixture->text, "old ");
	assert_int_equal(file_read(&fixture->text, fixture->path.text, 3, &fixture->err), 0);
	assert_string_equal(fixture->text.text, "old new");
}

static void a_longer_file_is_replaced_whole(void **state)
{
	struct fixture *fixture = *state;

	file_write_atomic(fixture->path.text, "a longer text", 13, &fixture->err);
	file_write_atomic(fixture->path.text, "short", 5, &fixture->err);
	file_read(&fixture->text, fixture->path.text, 100, &fixture->err);
	assert_string_equal(fixture->text.text, "short");
}

static void a_file_is_made_of_parts(void **state)
{
	struct fixture *fixture = *state;
	struct file_writer writer;

	assert_int_equal(file_writer_open(&writer, fixture->path.text, &fixture->err), 0);
	assert_int_equal(file_writer_add(&writer, "", 0, &fixture->err), 0);
	assert_int_equal(file_writer_add(&writer, "ab", 2, &fixture->err), 0);
	assert_int_equal(file_writer_add(&writer, "c", 1, &fixture->err), 0);
	assert_int_equal(file_writer_add(&writer, "d", 1, &fixture->err), 0);
	assert_int_equal(access(fixture->path.text, F_OK), -1);
	assert_int_equal(file_writer_finish(&writer, &fixture->err), 0);
	file_writer_release(&writer);
	file_read(&fixture->text, fixture->path.text, 100, &fixture->err);
	assert_string_equal(fixture->text.text, "abcd");
}

static void a_file_that_is_not_finished_leaves_the_old_one(void **state)
{
	struct fixture *fixture = *state;
	struct file_writer writer;

	file_write_atomic(fixture->path.text, "old", 3, &fixture->err);
	assert_int_equal(file_writer_open(&writer, fixture->path.text, &fixture->err), 0);
	assert_int_equal(file_writer_add(&writer, "new", 3, &fixture->err), 0);
	file_writer_release(&writer);
	file_read(&fixture->text, fixture->path.text, 100, &fixture->err);
	assert_string_equal(fixture->text.text, "old");
	assert_int_equal(files_in(fixture->dir), 1);
}

static void a_file_that_is_appended_to_is_there_at_once(void **state)
{
	struct fixture *fixture = *state;
	struct file_writer writer;

	file_write_atomic(fixture->path.text, "old", 3, &fixture->err);
	assert_int_equal(file_writer_append(&writer, fixture->path.text, &fixture->err), 0);
	assert_int_equal(file_writer_add(&writer, "new", 3, &fixture->err), 0);
	file_read(&fixture->text, fixture->path.text, 100, &fixture->err);
	assert_string_equal(fixture->text.text, "oldnew");
	file_writer_release(&writer);
}

/* First, the name is a link, whose target must stay unchanged. Then it is a pipe, which must not block. */
static void what_has_the_name_in_a_directory_is_not_opened(void **state)
{
	struct fixture *fixture = *state;
	const int dir = open(fixture->dir, O_PATH | O_DIRECTORY);
	struct file_writer writer;
	struct stat st;

	for (int i = 0; i < 2; i++) {
		unlink(fixture->path.text);
		assert_int_equal(
			i ? mkfifo(fixture->path.text, 0666) : symlink("nowhere", fixture->path.text), 0);
		assert_int_equal(file_writer_open_in(&writer, dir, "f", &fixture->err), 0);
		assert_int_equal(file_writer_add(&writer, "new", 3, &fixture->err), 0);
		assert_int_equal(file_writer_finish(&writer, &fixture->err), 0);
		file_writer_release(&writer);
		assert_int_equal(lstat(fixture->path.text, &st), 0);
		assert_int_equal(st.st_mode, S_IFREG | 0600);
		assert_int_equal(files_in(fixture->dir), 1);
	}
	close(dir);
}

static void what_was_read_is_no_output(void **state)
{
	struct fixture *fixture = *state;

	file_write_atomic(fixture->path.text, "old", 3, &fixture->err);
	file_forget_input(fixture->path.text); /* files of earlier tests may have had this inode */
	file_forget_input(fixture->dir);
	assert_int_equal(file_check_output(fixture->path.text, &fixture->err), 0);
	file_read(&fixture->text, fixture->path.text, 100, &fixture->err);
	assert_int_equal(file_check_output(fixture->path.text, &fixture->err), ERR_USAGE);
	file_forget_input(fixture->path.text);
	assert_int_equal(file_check_output(fixture->path.text, &fixture->err), 0);
	file_note_input_path(fixture->dir);
	assert_int_equal(file_check_output(fixture->path.text, &fixture->err), ERR_USAGE);
	file_forget_input(fixture->dir);
	assert_int_equal(file_check_output(fixture->path.text, &fixture->err), 0);
}

static void what_a_child_has_read_is_no_output(void **state)
{
	struct fixture *fixture = *state;
	pid_t child;

	file_write_atomic(fixture->path.text, "old", 3, &fixture->err);
	file_share_inputs();
	if (!(child = fork())) {
		file_note_input_path(fixture->path.text);
		_exit(0);
	}
	assert_int_equal(waitpid(child, NULL, 0), child);
	assert_int_equal(file_check_output(fixture->path.text, &fixture->err), ERR_USAGE);
	file_forget_input(fixture->path.text);
}

static void nothing_is_left_beside_a_written_file(void **state)
{
	struct fixture *fixture = *state;

	file_write_atomic(fixture->path.text, "x", 1, &fixture->err);
	assert_int_equal(files_in(fixture->dir), 1);
}

static void a_file_that_is_not_there_is_not_found(void **state)
{
	struct fixture *fixture = *state;

	assert_int_equal(file_read(&fixture->text, fixture->path.text, 100, &fixture->err), ERR_NOT_FOUND);
	assert_non_null(strstr(fixture->err.text, fixture->path.text));
}

static void a_file_beyond_the_limit_leaves_the_text_as_it_was(void **state)
{
	struct fixture *fixture = *state;

	file_write_atomic(fixture->path.text, "0123456789", 10, &fixture->err);
	strbuf_adds(&fixture->text, "old");
	assert_int_equal(file_read(&fixture->text, fixture->path.text, 9, &fixture->err), ERR_LIMIT);
	assert_string_equal(fixture->text.text, "old");
}

static void a_directory_cannot_be_read(void **state)
{
	struct fixture *fixture = *state;

	assert_int_equal(file_read(&fixture->text, fixture->dir, 100, &fixture->err), ERR_IO);
}

static void a_directory_is_not_written_over(void **state)
{
	struct fixture *fixture = *state;

	assert_int_equal(file_write_atomic(fixture->dir, "x", 1, &fixture->err), ERR_IO);
	assert_int_equal(files_in(fixture->dir), 0);
}

static void a_file_in_no_directory_is_not_written(void **state)
{
	struct fixture *fixture = *state;

	assert_int_equal(file_write_atomic("/nonexistent/dir/f", "x", 1, &fixture->err), ERR_IO);
	assert_non_null(strstr(fixture->err.text, "/nonexistent/dir/f"));
}

static void a_full_disk_is_noticed(void **state)
{
	struct fixture *fixture = *state;

	if (access("/dev/full", W_OK))
		skip();
	assert_int_equal(file_write_atomic("/dev/full", "x", 1, &fixture->err), ERR_IO);
	assert_non_null(strstr(fixture->err.text, "/dev/full"));
}

static void directories_are_made_with_their_parents(void **state)
{
	struct fixture *fixture = *state;
	struct strbuf deep = { 0 };

	strbuf_addf(&deep, "%s/a/b/", fixture->dir);
	assert_int_equal(file_make_dirs(deep.text, &fixture->err), 0);
	assert_int_equal(file_make_dirs(deep.text, &fixture->err), 0);
	assert_int_equal(rmdir(deep.text), 0);
	strbuf_reset(&deep);
	strbuf_addf(&deep, "%s/a", fixture->dir);
	assert_int_equal(rmdir(deep.text), 0);
	strbuf_release(&deep);
}

static void a_file_in_the_way_of_a_directory_is_named(void **state)
{
	struct fixture *fixture = *state;
	struct strbuf below = { 0 };

	file_write_atomic(fixture->path.text, "x", 1, &fixture->err);
	strbuf_addf(&below, "%s/d", fixture->path.text);
	assert_int_equal(file_make_dirs(below.text, &fixture->err), ERR_IO);
	assert_non_null(strstr(fixture->err.text, fixture->path.text));
	strbuf_release(&below);
}

/* Returns the path DIR/NAME. A test that makes this file removes it. */
static const char *beside(struct fixture *fixture, const char *name)
{
	strbuf_reset(&fixture->other);
	strbuf_addf(&fixture->other, "%s/%s", fixture->dir, name);
	return fixture->other.text;
}

static void write_text(struct fixture *fixture, const char *path, const char *text)
{
	assert_int_equal(file_write_atomic(path, text, strlen(text), &fixture->err), 0);
}

static void check_text(struct fixture *fixture, const char *path, const char *text)
{
	strbuf_reset(&fixture->text);
	assert_int_equal(file_read(&fixture->text, path, 1000, &fixture->err), 0);
	assert_string_equal(strbuf_text(&fixture->text), text);
}

static struct stat state_of(const char *path)
{
	struct stat st;

	assert_int_equal(lstat(path, &st), 0);
	return st;
}

static void a_link_is_written_through(void **state)
{
	struct fixture *fixture = *state;
	const char *link = beside(fixture, "link");

	write_text(fixture, fixture->path.text, "old");
	assert_int_equal(symlink("f", link), 0);
	write_text(fixture, link, "new");
	assert_true(S_ISLNK(state_of(link).st_mode));
	check_text(fixture, fixture->path.text, "new");
	assert_int_equal(files_in(fixture->dir), 2);
	unlink(link);
}

static void a_link_to_nothing_makes_its_target(void **state)
{
	struct fixture *fixture = *state;
	const char *link = beside(fixture, "link");

	assert_int_equal(symlink(fixture->path.text, link), 0);
	write_text(fixture, link, "new");
	assert_true(S_ISLNK(state_of(link).st_mode));
	check_text(fixture, fixture->path.text, "new");
	unlink(link);
}

static void a_link_to_itself_is_an_error(void **state)
{
	struct fixture *fixture = *state;

	assert_int_equal(symlink("f", fixture->path.text), 0);
	assert_int_equal(file_write_atomic(fixture->path.text, "x", 1, &fixture->err), ERR_IO);
	assert_true(S_ISLNK(state_of(fixture->path.text).st_mode));
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
	struct fixture *fixture = *state;
	_Alignas(struct inotify_event) char events[4096];
	const struct inotify_event *event;
	const int fd = inotify_init1(IN_NONBLOCK);
	size_t steps = 0;

	if (fd < 0 || !can_be_unnamed(fixture->dir) || access("/proc/self/fd", F_OK))
		skip();
	assert_true(inotify_add_watch(fd, fixture->dir, IN_CREATE | IN_DELETE | IN_MOVED_TO) >= 0);
	write_text(fixture, fixture->path.text, "new");
	for (ssize_t at = 0, end = read(fd, events, sizeof(events)); at < end;
	     at += (ssize_t)(sizeof(*event) + event->len)) {
		event = (const struct inotify_event *)(events + at);
		assert_string_equal(event->name, "f");
		steps++;
	}
	assert_int_equal(steps, 1);
	close(fd);
}

static void a_new_file_obeys_the_umask(void **state)
{
	struct fixture *fixture = *state;
	const mode_t before = umask(037);

	write_text(fixture, fixture->path.text, "x");
	umask(before);
	assert_int_equal(state_of(fixture->path.text).st_mode & 07777, 0640);
}

static void an_old_file_has_its_mode_afterwards(void **state)
{
	static const mode_t modes[] = { 0600, 0604, 0666, 0755 };
	struct fixture *fixture = *state;
	const mode_t before = umask(077);
	ino_t old;

	for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++) {
		write_text(fixture, fixture->path.text, "old");
		assert_int_equal(chmod(fixture->path.text, modes[i]), 0);
		old = state_of(fixture->path.text).st_ino;
		write_text(fixture, fixture->path.text, "new");
		assert_int_equal(state_of(fixture->path.text).st_mode & 07777, modes[i]);
		/* the file was replaced by a new one */
		assert_int_not_equal(state_of(fixture->path.text).st_ino, old);
	}
	umask(before);
}

static void an_old_file_is_replaced_not_changed(void **state)
{
	struct fixture *fixture = *state;
	char text[4] = "";
	int fd;

	write_text(fixture, fixture->path.text, "old");
	fd = open(fixture->path.text, O_RDONLY);
	write_text(fixture, fixture->path.text, "new");
	assert_int_equal(read(fd, text, 3), 3);
	assert_string_equal(text, "old");
	close(fd);
}

/* A file with two names is refused, also for appending. */
static void a_file_with_two_names_is_an_error(void **state)
{
	struct fixture *fixture = *state;
	const char *other = beside(fixture, "other");
	struct file_writer writer;

	write_text(fixture, fixture->path.text, "old");
	assert_int_equal(link(fixture->path.text, other), 0);
	assert_int_equal(file_write_atomic(other, "new", 3, &fixture->err), ERR_IO);
	assert_non_null(strstr(fixture->err.text, "it has several names"));
	assert_int_equal(file_writer_append(&writer, other, &fixture->err), ERR_IO);
	check_text(fixture, fixture->path.text, "old");
	unlink(other);
}

static void a_file_with_attributes_is_an_error(void **state)
{
	struct fixture *fixture = *state;

	write_text(fixture, fixture->path.text, "old");
	if (setxattr(fixture->path.text, "user.note", "x", 1, 0))
		skip();
	assert_int_equal(file_write_atomic(fixture->path.text, "new", 3, &fixture->err), ERR_IO);
	assert_non_null(strstr(fixture->err.text, "it has an access list or attributes"));
	check_text(fixture, fixture->path.text, "old");
}

/*
 * Writes a file with a limit on the size of files. SIGXFSZ, which would end the test, is ignored as in
 * main().
 */
static int write_limited(struct fixture *fixture, const char *path, const char *text, rlim_t limit)
{
	struct rlimit before, now;
	int rc;

	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &before);
	now = before;
	now.rlim_cur = limit;
	setrlimit(RLIMIT_FSIZE, &now);
	rc = file_write_atomic(path, text, strlen(text), &fixture->err);
	setrlimit(RLIMIT_FSIZE, &before);
	signal(SIGXFSZ, SIG_DFL);
	return rc;
}

static void a_file_that_may_not_grow_leaves_the_old_one(void **state)
{
	struct fixture *fixture = *state;
	const char *other = beside(fixture, "other");

	assert_int_equal(write_limited(fixture, other, "0123456789", 4), ERR_IO);
	assert_int_equal(access(other, F_OK), -1);
	write_text(fixture, fixture->path.text, "old");
	assert_int_equal(write_limited(fixture, fixture->path.text, "0123456789", 4), ERR_IO);
	check_text(fixture, fixture->path.text, "old");
	assert_int_equal(files_in(fixture->dir), 1);
}

static void a_name_as_long_as_names_can_be_is_written(void **state)
{
	struct fixture *fixture = *state;
	char name[256];

	memset(name, 'n', 255);
	name[255] = '\0';
	write_text(fixture, beside(fixture, name), "old");
	write_text(fixture, fixture->other.text, "new");
	check_text(fixture, fixture->other.text, "new");
	unlink(fixture->other.text);
	assert_int_equal(files_in(fixture->dir), 0);
}

static void a_descriptor_is_written_where_it_stands(void **state)
{
	struct fixture *fixture = *state;
	struct strbuf name = { 0 };
	int fd;

	write_text(fixture, fixture->path.text, "old");
	fd = open(fixture->path.text, O_WRONLY | O_APPEND);
	strbuf_addf(&name, "/dev/fd/%d", fd);
	write_text(fixture, name.text, "new");
	close(fd);
	check_text(fixture, fixture->path.text, "oldnew");
	assert_int_equal(file_write_atomic(name.text, "x", 1, &fixture->err), ERR_IO);
	strbuf_release(&name);
}

static void a_pipe_is_written_to(void **state)
{
	struct fixture *fixture = *state;
	char text[4] = "";
	int fd;

	assert_int_equal(mkfifo(fixture->path.text, 0600), 0);
	fd = open(fixture->path.text, O_RDWR);
	write_text(fixture, fixture->path.text, "new");
	assert_int_equal(read(fd, text, 3), 3);
	assert_string_equal(text, "new");
	assert_true(S_ISFIFO(state_of(fixture->path.text).st_mode));
	close(fd);
}

static void a_socket_is_an_error(void **state)
{
	struct fixture *fixture = *state;
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "%s", fixture->path.text);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	assert_int_equal(file_write_atomic(fixture->path.text, "x", 1, &fixture->err), ERR_IO);
	assert_non_null(strstr(fixture->err.text, "it is a socket"));
	close(fd);
}

static void a_read_only_descriptor_is_an_error(void **state)
{
	struct fixture *fixture = *state;
	struct strbuf name = { 0 };
	int fd;

	write_text(fixture, fixture->path.text, "old");
	fd = open(fixture->path.text, O_RDONLY);
	strbuf_addf(&name, "/proc/self/fd/%d", fd);
	assert_int_equal(file_write_atomic(name.text, "x", 1, &fixture->err), ERR_IO);
	check_text(fixture, fixture->path.text, "old");
	strbuf_release(&name);
	close(fd);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_fixture, close_fixture)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_is_written_is_read),
		TEST(reading_appends),
		TEST(a_longer_file_is_replaced_whole),
		TEST(a_file_is_made_of_parts),
		TEST(a_file_that_is_not_finished_leaves_the_old_one),
		TEST(a_file_that_is_appended_to_is_there_at_once),
		TEST(what_has_the_name_in_a_directory_is_not_opened),
		TEST(what_was_read_is_no_output),
		TEST(what_a_child_has_read_is_no_output),
		TEST(nothing_is_left_beside_a_written_file),
		TEST(a_file_that_is_not_there_is_not_found),
		TEST(a_file_beyond_the_limit_leaves_the_text_as_it_was),
		TEST(a_directory_cannot_be_read),
		TEST(a_directory_is_not_written_over),
		TEST(a_file_in_no_directory_is_not_written),
		TEST(a_full_disk_is_noticed),
		TEST(directories_are_made_with_their_parents),
		TEST(a_file_in_the_way_of_a_directory_is_named),
		TEST(a_link_is_written_through),
		TEST(a_link_to_nothing_makes_its_target),
		TEST(a_link_to_itself_is_an_error),
		TEST(a_new_file_is_there_in_one_step),
		TEST(a_new_file_obeys_the_umask),
		TEST(an_old_file_has_its_mode_afterwards),
		TEST(an_old_file_is_replaced_not_changed),
		TEST(a_file_with_two_names_is_an_error),
		TEST(a_file_that_may_not_grow_leaves_the_old_one),
		TEST(a_file_with_attributes_is_an_error),
		TEST(a_name_as_long_as_names_can_be_is_written),
		TEST(a_descriptor_is_written_where_it_stands),
		TEST(a_pipe_is_written_to),
		TEST(a_socket_is_an_error),
		TEST(a_read_only_descriptor_is_an_error),
	};

	return cmocka_run_group_tests_name("file", tests, NULL, NULL);
}
