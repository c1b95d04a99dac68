/* Results that are made bit by bit. */
#include "cli/cli.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char directory[64];
static struct strbuf path;

static int open_directory(void **state)
{
	(void)state;
	memcpy(directory, "/tmp/drvabi-spool-test.XXXXXX", sizeof("/tmp/drvabi-spool-test.XXXXXX"));
	if (!mkdtemp(directory))
		return -1;
	strbuf_reset(&path);
	strbuf_addf(&path, "%s/f", directory);
	return 0;
}

static int remove_directory(void **state)
{
	(void)state;
	unlink(path.text);
	strbuf_release(&path);
	return rmdir(directory);
}

static void a_file_appears_when_it_is_whole(void **state)
{
	struct strbuf text = { 0 };
	struct spool spool;
	struct err err;

	(void)state;
	assert_int_equal(spool_open(&spool, path.text, &err), 0);
	assert_int_equal(spool_write(&spool, "a", 1, &err), 0);
	assert_int_equal(spool_write(&spool, "bc", 2, &err), 0);
	assert_int_equal(access(path.text, F_OK), -1);
	assert_int_equal(spool_finish(&spool, &err), 0);
	spool_close(&spool);
	assert_int_equal(file_read(&text, path.text, 10, &err), 0);
	assert_string_equal(text.text, "abc");
	strbuf_release(&text);
}

static void an_old_file_is_as_it_was_without_an_end(void **state)
{
	struct strbuf text = { 0 };
	struct spool spool;
	struct err err;

	(void)state;
	assert_int_equal(file_write_atomic(path.text, "old", 3, &err), 0);
	assert_int_equal(spool_open(&spool, path.text, &err), 0);
	assert_int_equal(spool_write(&spool, "new", 3, &err), 0);
	spool_close(&spool);
	file_read(&text, path.text, 10, &err);
	assert_string_equal(text.text, "old");
	strbuf_release(&text);
}

static void a_directory_that_is_not_there_is_named(void **state)
{
	struct spool spool;
	struct err err;

	(void)state;
	assert_int_equal(spool_open(&spool, "/nonexistent/directory/f", &err), ERR_IO);
	assert_string_equal(err.text, "cannot write /nonexistent/directory/f: No such file or directory");
}

/* What is no regular file is written to at the end, too. */
static void a_device_is_written_to(void **state)
{
	struct spool spool;
	struct err err;

	(void)state;
	assert_int_equal(spool_open(&spool, "/dev/null", &err), 0);
	assert_int_equal(spool_write(&spool, "x", 1, &err), 0);
	assert_int_equal(spool_finish(&spool, &err), 0);
	spool_close(&spool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_file_appears_when_it_is_whole, open_directory, remove_directory),
		cmocka_unit_test_setup_teardown(an_old_file_is_as_it_was_without_an_end, open_directory, remove_directory),
		cmocka_unit_test(a_directory_that_is_not_there_is_named),
		cmocka_unit_test(a_device_is_written_to),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
