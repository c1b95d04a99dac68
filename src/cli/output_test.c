/* Tests of the output files, styles and formats of results. */
#include "cli/cli.h"
#include "abi/document_test.h"

#include <unistd.h>

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

static void options_select_the_style(void **state)
{
	static const struct {
		const char *fact;
		struct cli_args args;
		bool color, verbose;
	} rows[] = {
		{ "a file gets color on request", { .color = "always", .output = "file" }, true, false },
		{ "there is no color on request", { .color = "never" }, false, false },
		{ "a file gets no color by default", { .color = "auto", .output = "file" }, false, false },
		{ "there are details on request", { .color = "never", .verbose = true }, false, true },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct report_style style = output_style(&rows[i].args);

		if (style.color != rows[i].color || style.verbose != rows[i].verbose)
			fail_msg("%s: color %d, verbose %d", rows[i].fact, style.color, style.verbose);
	}
}

static void a_file_has_the_bytes_of_the_last_text(void **state)
{
	static const char *const texts[] = { "a\033[1mb\033[0m\a\n", "b\n" };
	struct fixture *fixture = *state;

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct strbuf file = { 0 };

		assert_int_equal(write_to(fixture->path, texts[i], &fixture->err), 0);
		assert_int_equal(file_read(&file, fixture->path, 1000, NULL), 0);
		file_forget_input(fixture->path); /* the next file may get the same inode */
		assert_false(text_differs("the file", &file, texts[i]));
	}
}

static void a_file_in_a_directory_that_does_not_exist_cannot_be_written(void **state)
{
	struct fixture *fixture = *state;
	struct strbuf got = { 0 }, expected = { 0 };
	char path[200];

	snprintf(path, sizeof(path), "%s/none/out", fixture->dir);
	assert_int_equal(write_to(path, "a\n", &fixture->err), ERR_IO);
	strbuf_adds(&got, fixture->err.text);
	strbuf_addf(&expected, "cannot write %s: No such file or directory", path);
	assert_false(text_differs("the error", &got, expected.text));
	strbuf_release(&expected);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(options_select_the_style),
		cmocka_unit_test_setup_teardown(a_file_has_the_bytes_of_the_last_text, with_directory,
						without_directory),
		cmocka_unit_test_setup_teardown(
			a_file_in_a_directory_that_does_not_exist_cannot_be_written, with_directory,
			without_directory),
	};

	return cmocka_run_group_tests_name("output", tests, NULL, NULL);
}
