/* Tests of styles, of output files, of the pager, and of escaping the lines of a log. */
#include "cli/cli.h"
#include "abi/document_test.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#define IN_DIRECTORY(test) TEST_WITH(test, with_directory, without_directory)

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
	struct strbuf out = { 0 };
	struct cli_args args = { .out = &out, .output = path };
	int rc;

	strbuf_adds(&out, text);
	rc = output_write(&args, err);
	strbuf_release(&out);
	return rc;
}

TEST(options_select_the_style)
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

IN_DIRECTORY(a_file_has_the_bytes_of_the_last_text)
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

IN_DIRECTORY(a_file_in_a_directory_that_does_not_exist_cannot_be_written)
{
	struct fixture *fixture = *state;
	char path[200], expected[300];

	snprintf(path, sizeof(path), "%s/none/out", fixture->dir);
	snprintf(expected, sizeof(expected), "cannot write %s: No such file or directory", path);
	assert_int_equal(write_to(path, "a\n", &fixture->err), ERR_IO);
	assert_string_equal(fixture->err.text, expected);
}

/*
 * A row of the pager has the environment, and the result: whether the text was shown, what the pager wrote
 * into the file $OUT, and the message.
 */
#define TO_OUT " >\"$OUT\""
#define NOT_RUN(pager) "not shown: the pager '" pager "' cannot be run; " \
	"set DRVABI_PAGER to a different one, or to cat for none"

/* More bytes than a pipe can hold. */
enum { TEXT_BYTES = 1 << 20 };

static char paged[TEXT_BYTES];

static void set_variable(const char *name, const char *value)
{
	if (value)
		setenv(name, value, 1);
	else
		unsetenv(name);
}

static void put_shown(struct strbuf *out, const char *path)
{
	struct strbuf written = { 0 };
	struct err why = { "" };
	const bool is_shown = pager_show(paged, sizeof(paged), &why);

	assert_int_equal(file_read(&written, path, 2 * TEXT_BYTES, NULL), 0);
	file_forget_input(path);
	if (written.length == sizeof(paged) && !memcmp(written.text, paged, sizeof(paged))) {
		strbuf_reset(&written);
		strbuf_adds(&written, "all");
	}
	strbuf_addf(out, "%sshown: %s%s", is_shown ? "" : "not ", strbuf_text(&written), why.text);
	strbuf_release(&written);
}

IN_DIRECTORY(a_pager_shows_the_text)
{
	static const struct {
		const char *fact, *drvabi_pager, *pager, *less, *term, *result;
	} rows[] = {
		{ "the whole text goes to the pager", "cat" TO_OUT, NULL, NULL, "xterm", "shown: all" },
		{ "the pager has exited", "cat >/dev/null; sleep 0.1; echo end" TO_OUT, NULL, NULL, "xterm",
		  "shown: end\n" },
		{ "a pager need not read", "true", NULL, NULL, "xterm", "shown: " },
		{ "a pager may fail", "exit 3", NULL, NULL, "xterm", "shown: " },
		{ "a pager may be killed", "kill -9 $$", NULL, NULL, "xterm", "shown: " },
		{ "a word is run without a shell", "/nonexistent/pager", NULL, NULL, "xterm",
		  NOT_RUN("/nonexistent/pager") },
		{ "a file is not a program", "/etc/passwd", NULL, NULL, "xterm", NOT_RUN("/etc/passwd") },
		{ "cat is not a pager", "cat", "echo no" TO_OUT, NULL, "xterm", "not shown: " },
		{ "an empty name is not a pager", "", "echo no" TO_OUT, NULL, "xterm", "not shown: " },
		{ "PAGER is the default", NULL, "echo PAGER" TO_OUT, NULL, "xterm", "shown: PAGER\n" },
		{ "less gets options", "echo $LESS $LV" TO_OUT, NULL, NULL, "xterm", "shown: FRX -c\n" },
		{ "less keeps the user's", "echo $LESS $LV" TO_OUT, NULL, "S", "xterm", "shown: S -c\n" },
		{ "a dumb terminal has no pager", NULL, NULL, NULL, "dumb", "not shown: " },
		{ "an unknown terminal has no pager", NULL, NULL, NULL, NULL, "not shown: " },
		{ "a named pager is used", "echo named" TO_OUT, NULL, NULL, NULL, "shown: named\n" },
	};
	static const int signals[] = { SIGINT, SIGQUIT, SIGPIPE };
	struct sigaction before[3], after;
	struct fixture *fixture = *state;
	size_t failed = 0;

	memset(paged, 'x', sizeof(paged));
	setenv("OUT", fixture->path, 1);
	unsetenv("LV");
	for (size_t i = 0; i < 3; i++)
		sigaction(signals[i], NULL, &before[i]);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct strbuf got = { 0 };

		assert_int_equal(file_write_atomic(fixture->path, "", 0, NULL), 0);
		set_variable("DRVABI_PAGER", rows[i].drvabi_pager);
		set_variable("PAGER", rows[i].pager);
		set_variable("LESS", rows[i].less);
		set_variable("TERM", rows[i].term);
		put_shown(&got, fixture->path);
		failed += text_differs(rows[i].fact, &got, rows[i].result);
		assert_int_equal(getenv("LESS") != NULL, rows[i].less != NULL); /* set only for the pager */
		assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
		assert_int_equal(errno, ECHILD);
		for (size_t j = 0; j < 3; j++) {
			sigaction(signals[j], NULL, &after);
			assert_ptr_equal(after.sa_handler, before[j].sa_handler);
		}
	}
	assert_int_equal(failed, 0);
}

TEST(only_what_is_not_plain_is_escaped)
{
	static const struct {
		const char *text;
		size_t length;
		const char *passed;
	} rows[] = {
#define ROW(text, passed) { text, sizeof(text) - 1, passed }
		ROW("a line\tof plain text ~\nand another\n\n", "a line\tof plain text ~\nand another\n\n"),
		ROW("plain\n\033[31mred\0\xff\tx\nplain\n", "plain\n\\x1b[31mred\\x00\\xff\tx\nplain\n"),
		ROW("\xc3\xa9\xe2\x80\xae", "\xc3\xa9\\u202e"),
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		/* of the exact size, so that the sanitizers find reads beyond it */
		char *copy = malloc(rows[i].length);
		struct strbuf out = { 0 }, scratch = { 0 };

		memcpy(copy, rows[i].text, rows[i].length);
		pass_through(&out, copy, rows[i].length, &scratch);
		assert_string_equal(strbuf_text(&out), rows[i].passed);
		free(copy);
		strbuf_release(&out);
		strbuf_release(&scratch);
	}
}

/* is_plain() tests many bytes at a time, so every position is tested. */
TEST(a_byte_that_is_not_plain_is_found_at_each_place)
{
	for (int ch = 0; ch < 256; ch++)
		for (size_t at = 0; at < 40; at++) {
			char text[40];
			struct strbuf out = { 0 }, scratch = { 0 };
			const bool is_plain = (ch >= ' ' && ch < 0x7f) || ch == '\t' || ch == '\n';

			memset(text, 'x', sizeof(text));
			text[at] = (char)ch;
			pass_through(&out, text, sizeof(text), &scratch);
			assert_int_equal(out.length == sizeof(text) && !memcmp(out.text, text, sizeof(text)),
					 is_plain);
			strbuf_release(&out);
			strbuf_release(&scratch);
		}
}
