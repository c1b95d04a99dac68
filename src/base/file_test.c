/*
 * Tests of reading and writing whole files. close_dir() fails if a test left a temporary file, so no test
 * looks for one.
 */
#include "base/fixture_test.h"

#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>

/* Checks that a file cannot be written, with @reason in the message. */
static void check_refused(const char *to, const char *reason)
{
	assert_int_equal(file_write_atomic(to, "new", 3, &err), ERR_IO);
	if (!strstr(err.text, reason))
		fail_msg("no '%s' in '%s'", reason, err.text);
}

TEST_IN_DIR(what_is_written_is_read)
{
	struct strbuf text = { 0 };

	assert_int_equal(file_write_atomic(path, "a\0b", 3, &err), 0);
	assert_int_equal(file_read(&text, path, 100, &err), 0);
	assert_int_equal(text.length, 3);
	assert_memory_equal(text.text, "a\0b", 4);
	strbuf_release(&text);
}

TEST_IN_DIR(reading_appends)
{
	struct strbuf text = { 0 };

	write_text(path, "new");
	strbuf_adds(&text, "old ");
	assert_int_equal(file_read(&text, path, 2, &err), ERR_LIMIT);
	assert_string_equal(text.text, "old ");
	assert_int_equal(file_read(&text, path, 3, &err), 0);
	assert_string_equal(text.text, "old new");
	strbuf_release(&text);
}

/* A process that has the old file open still reads the old text. */
TEST_IN_DIR(a_longer_file_is_replaced_whole)
{
	char text[14] = "";
	int fd;

	write_text(path, "a longer text");
	fd = open(path, O_RDONLY);
	write_text(path, "short");
	check_text(path, "short");
	assert_int_equal(read(fd, text, sizeof(text)), 13);
	assert_string_equal(text, "a longer text");
	close(fd);
}

TEST_IN_DIR(a_file_is_made_of_parts)
{
	static const char *const parts[] = { "", "ab", "c", "d" };
	static const struct {
		int (*open)(struct file_writer *out, const char *path, struct err *err);
		bool is_finished;
		const char *old, *during, *after; /* the text; NULL: there is no file */
	} rows[] = {
		{ file_writer_open, true, NULL, NULL, "abcd" },
		{ file_writer_open, false, "old", "old", "old" },
		{ file_writer_append, false, "old", "oldabcd", "oldabcd" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct file_writer writer;

		if (rows[i].old)
			write_text(path, rows[i].old);
		assert_int_equal(rows[i].open(&writer, path, &err), 0);
		for (size_t k = 0; k < 4; k++)
			assert_int_equal(file_writer_add(&writer, parts[k], strlen(parts[k]), &err), 0);
		if (rows[i].during)
			check_text(path, rows[i].during);
		else
			assert_int_equal(access(path, F_OK), -1);
		if (rows[i].is_finished)
			assert_int_equal(file_writer_finish(&writer, &err), 0);
		file_writer_release(&writer);
		check_text(path, rows[i].after);
	}
}

/* First, the name is a link, whose target must stay unchanged. Then it is a pipe, which must not block. */
TEST_IN_DIR(what_has_the_name_in_a_directory_is_not_opened)
{
	const int fd = open(dir, O_PATH | O_DIRECTORY);
	struct file_writer writer;

	for (int i = 0; i < 2; i++) {
		unlink(path);
		assert_int_equal(i ? mkfifo(path, 0666) : symlink("nowhere", path), 0);
		assert_int_equal(file_writer_open_in(&writer, fd, "f", &err), 0);
		assert_int_equal(file_writer_add(&writer, "new", 3, &err), 0);
		assert_int_equal(file_writer_finish(&writer, &err), 0);
		file_writer_release(&writer);
		assert_int_equal(state_of(path).st_mode, S_IFREG | 0600);
	}
	close(fd);
}

TEST_IN_DIR(what_was_read_is_no_output)
{
	write_text(path, "old");
	file_forget_input(path); /* files of earlier tests may have had this inode */
	file_forget_input(dir);
	assert_int_equal(file_check_output(path, &err), 0);
	check_text(path, "old");
	assert_int_equal(file_check_output(path, &err), ERR_USAGE);
	file_forget_input(path);
	assert_int_equal(file_check_output(path, &err), 0);
	file_note_input_path(dir);
	assert_int_equal(file_check_output(path, &err), ERR_USAGE);
	file_forget_input(dir);
	assert_int_equal(file_check_output(path, &err), 0);
}

TEST_IN_DIR(what_a_child_has_read_is_no_output)
{
	pid_t child;

	write_text(path, "old");
	file_share_inputs();
	if (!(child = fork())) {
		file_note_input_path(path);
		_exit(0);
	}
	assert_int_equal(waitpid(child, NULL, 0), child);
	assert_int_equal(file_check_output(path, &err), ERR_USAGE);
	file_forget_input(path);
}

TEST_IN_DIR(what_is_no_file_is_not_read)
{
	struct strbuf text = { 0 };

	assert_int_equal(file_read(&text, path, 100, &err), ERR_NOT_FOUND);
	assert_non_null(strstr(err.text, path));
	assert_int_equal(file_read(&text, dir, 100, &err), ERR_IO);
	strbuf_release(&text);
}

TEST_IN_DIR(what_cannot_be_written_is_named)
{
	check_refused(dir, dir);
	check_refused("/nonexistent/dir/f", "/nonexistent/dir/f");
	if (!access("/dev/full", W_OK)) /* a full disk */
		check_refused("/dev/full", "/dev/full");
}

TEST_IN_DIR(directories_are_made_with_their_parents)
{
	beside("a/b/");
	assert_int_equal(file_make_dirs(other, &err), 0);
	assert_int_equal(file_make_dirs(other, &err), 0);
	assert_int_equal(rmdir(other), 0);
	assert_int_equal(rmdir(beside("a")), 0);
}

TEST_IN_DIR(a_file_in_the_way_of_a_directory_is_named)
{
	write_text(path, "x");
	assert_int_equal(file_make_dirs(beside("f/d"), &err), ERR_IO);
	assert_non_null(strstr(err.text, path));
}

/* The link's target exists, or is made. */
TEST_IN_DIR(a_link_is_written_through)
{
	const char *link = beside("link");

	for (int i = 0; i < 2; i++) {
		if (i)
			unlink(path);
		else
			write_text(path, "old");
		assert_int_equal(symlink(i ? path : "f", link), 0);
		write_text(link, "new");
		assert_true(S_ISLNK(state_of(link).st_mode));
		check_text(path, "new");
		unlink(link);
	}
}

TEST_IN_DIR(a_link_to_itself_is_an_error)
{
	assert_int_equal(symlink("f", path), 0);
	check_refused(path, path);
	assert_true(S_ISLNK(state_of(path).st_mode));
}

static bool can_be_unnamed(void)
{
	const int fd = open(dir, O_WRONLY | O_TMPFILE, 0600);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

TEST_IN_DIR(a_new_file_is_there_in_one_step)
{
	_Alignas(struct inotify_event) char events[4096];
	const struct inotify_event *event;
	const int fd = inotify_init1(IN_NONBLOCK);
	size_t steps = 0;

	if (fd < 0 || !can_be_unnamed() || access("/proc/self/fd", F_OK))
		skip();
	assert_true(inotify_add_watch(fd, dir, IN_CREATE | IN_DELETE | IN_MOVED_TO) >= 0);
	write_text(path, "new");
	for (ssize_t at = 0, end = read(fd, events, sizeof(events)); at < end;
	     at += (ssize_t)(sizeof(*event) + event->len)) {
		event = (const struct inotify_event *)(events + at);
		assert_string_equal(event->name, "f");
		steps++;
	}
	assert_int_equal(steps, 1);
	close(fd);
}

TEST_IN_DIR(a_new_file_obeys_the_umask)
{
	const mode_t before = umask(037);

	write_text(path, "x");
	umask(before);
	assert_int_equal(state_of(path).st_mode & 07777, 0640);
}

TEST_IN_DIR(an_old_file_has_its_mode_afterwards)
{
	static const mode_t modes[] = { 0600, 0604, 0666, 0755 };
	const mode_t before = umask(077);
	ino_t old;

	for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++) {
		write_text(path, "old");
		assert_int_equal(chmod(path, modes[i]), 0);
		old = state_of(path).st_ino;
		write_text(path, "new");
		assert_int_equal(state_of(path).st_mode & 07777, modes[i]);
		assert_int_not_equal(state_of(path).st_ino, old); /* the file was replaced by a new one */
	}
	umask(before);
}

/* A file with two names is refused, also for appending. */
TEST_IN_DIR(a_file_with_two_names_is_an_error)
{
	struct file_writer writer;

	write_text(path, "old");
	assert_int_equal(link(path, beside("other")), 0);
	check_refused(other, "it has several names");
	assert_int_equal(file_writer_append(&writer, other, &err), ERR_IO);
	check_text(path, "old");
	unlink(other);
}

TEST_IN_DIR(a_file_with_attributes_is_an_error)
{
	write_text(path, "old");
	if (setxattr(path, "user.note", "x", 1, 0))
		skip();
	check_refused(path, "it has an access list or attributes");
	check_text(path, "old");
}

TEST_IN_DIR(a_file_that_may_not_grow_leaves_the_old_one)
{
	struct rlimit before;
	int rc[2];

	write_text(path, "old");
	before = begin_limit(4);
	rc[0] = file_write_atomic(beside("other"), "0123456789", 10, &err);
	rc[1] = file_write_atomic(path, "0123456789", 10, &err);
	end_limit(before);
	assert_int_equal(rc[0], ERR_IO);
	assert_int_equal(rc[1], ERR_IO);
	assert_int_equal(access(other, F_OK), -1);
	check_text(path, "old");
}

TEST_IN_DIR(a_name_as_long_as_names_can_be_is_written)
{
	char name[256];

	memset(name, 'n', 255);
	name[255] = '\0';
	write_text(beside(name), "old");
	write_text(other, "new");
	check_text(other, "new");
	unlink(other);
}

TEST_IN_DIR(a_descriptor_is_written_where_it_stands)
{
	char name[32];
	int fd;

	write_text(path, "old");
	fd = open(path, O_WRONLY | O_APPEND);
	snprintf(name, sizeof(name), "/dev/fd/%d", fd);
	write_text(name, "new");
	close(fd);
	check_text(path, "oldnew");
	check_refused(name, name);
}

TEST_IN_DIR(a_read_only_descriptor_is_an_error)
{
	char name[32];
	int fd;

	write_text(path, "old");
	fd = open(path, O_RDONLY);
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	check_refused(name, name);
	check_text(path, "old");
	close(fd);
}

TEST_IN_DIR(a_pipe_is_written_to)
{
	char text[4] = "";
	int fd;

	assert_int_equal(mkfifo(path, 0600), 0);
	fd = open(path, O_RDWR);
	write_text(path, "new");
	assert_int_equal(read(fd, text, 3), 3);
	assert_string_equal(text, "new");
	assert_true(S_ISFIFO(state_of(path).st_mode));
	close(fd);
}

TEST_IN_DIR(a_socket_is_an_error)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "%s/f", dir);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	check_refused(path, "it is a socket");
	close(fd);
}
