/* Tests of the output files, styles and formats of results. */
#include "cli/cli.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* A directory for one test. */
struct fixture {
	char dir[128], path[160];
	struct err err;
};

static int with_directory(void **state)
{
	static struct fixture fixture;
	const char *temp = getenv("TMPDIR");

	fixture = (struct fixture){ .dir = "" };
	snprintf(fixture.dir, sizeof(fixture.dir), "%s/drvabi-XXXXXX",
		 temp && strlen(temp) < 100 ? temp : "/tmp");
	assert_non_null(mkdtemp(fixture.dir));
	snprintf(fixture.path, sizeof(fixture.path), "%s/out", fixture.dir);
	*state = &fixture;
	return 0;
}

static int without_directory(void **state)
{
	struct fixture *fixture = *state;

	unlink(fixture->path);
	return rmdir(fixture->dir);
}

static int write_to(const char *path, const char *text, struct err *err)
{
	const struct cli_args args = { .output = path };
	struct strbuf out = { 0 };
	int rc;

	strbuf_adds(&out, text);
	rc = output_write(&out, &args, err);
	strbuf_release(&out);
	return rc;
}

static void assert_holds(const char *path, const char *text)
{
	struct strbuf file = { 0 };

	assert_int_equal(file_read(&file, path, 1000, NULL), 0);
	file_forget_input(path); /* the next file may get the same inode */
	assert_string_equal(strbuf_text(&file), text);
	strbuf_release(&file);
}

static void color_is_always_there_if_asked_for(void **state)
{
	(void)state;
	assert_true(output_style(&(struct cli_args){ .color = "always", .output = "file" }).color);
	assert_false(output_style(&(struct cli_args){ .color = "never" }).color);
}

static void a_file_gets_no_color_by_itself(void **state)
{
	(void)state;
	assert_false(output_style(&(struct cli_args){ .color = "auto", .output = "file" }).color);
}

static void details_are_asked_for(void **state)
{
	(void)state;
	assert_true(output_style(&(struct cli_args){ .color = "never", .verbose = true }).verbose);
}

static void a_file_gets_what_there_is_byte_for_byte(void **state)
{
	struct fixture *fixture = *state;

	assert_int_equal(write_to(fixture->path, "a\033[1mb\033[0m\a\n", &fixture->err), 0);
	assert_holds(fixture->path, "a\033[1mb\033[0m\a\n");
}

static void an_earlier_file_is_replaced(void **state)
{
	struct fixture *fixture = *state;

	assert_int_equal(write_to(fixture->path, "a long first text\n", &fixture->err), 0);
	assert_int_equal(write_to(fixture->path, "b\n", &fixture->err), 0);
	assert_holds(fixture->path, "b\n");
}

static void a_file_in_no_directory_cannot_be_written(void **state)
{
	struct fixture *fixture = *state;
	char path[200];

	snprintf(path, sizeof(path), "%s/none/out", fixture->dir);
	assert_int_equal(write_to(path, "a\n", &fixture->err), ERR_IO);
	assert_non_null(strstr(fixture->err.text, path));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(color_is_always_there_if_asked_for),
		cmocka_unit_test(a_file_gets_no_color_by_itself),
		cmocka_unit_test(details_are_asked_for),
		cmocka_unit_test_setup_teardown(a_file_gets_what_there_is_byte_for_byte, with_directory,
						without_directory),
		cmocka_unit_test_setup_teardown(an_earlier_file_is_replaced, with_directory,
						without_directory),
		cmocka_unit_test_setup_teardown(a_file_in_no_directory_cannot_be_written, with_directory,
						without_directory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
