#include "base/base.h"

#include <dirent.h>
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

/* A directory of the test's own, which it leaves empty or with one file "f". */
struct place {
	char dir[64];
	struct strbuf path; /* DIR/f */
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
	};

	return cmocka_run_group_tests_name("file", tests, NULL, NULL);
}
