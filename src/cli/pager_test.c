/*
 * Tests of the pager. A row has the environment, and the result: whether the text was shown, what the pager
 * wrote into the file $OUT, and the message.
 */
#include "cli/cli.h"
#include "abi/document_test.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#define TO_OUT " >\"$OUT\""
#define NOT_RUN(pager) "not shown: the pager '" pager "' cannot be run; " \
	"set DRVABI_PAGER to a different one, or to cat for none"

/* More bytes than a pipe can hold. */
enum { TEXT_BYTES = 1 << 20 };

static char text[TEXT_BYTES];
static char path[4096];

static int use_a_file(void **state)
{
	const char *temp = getenv("TMPDIR");

	memset(text, 'x', sizeof(text));
	snprintf(path, sizeof(path), "%s/pager-XXXXXX", temp ? temp : "/tmp");
	close(mkstemp(path));
	setenv("OUT", path, 1);
	return unsetenv("LV");
}

static int remove_the_file(void **state)
{
	return unlink(path);
}

static void set_variable(const char *name, const char *value)
{
	if (value)
		setenv(name, value, 1);
	else
		unsetenv(name);
}

static void put_result(struct strbuf *out)
{
	struct strbuf written = { 0 };
	struct err why = { "" };
	const bool is_shown = pager_show(text, sizeof(text), &why);

	assert_int_equal(file_read(&written, path, 2 * TEXT_BYTES, NULL), 0);
	if (written.length == sizeof(text) && !memcmp(written.text, text, sizeof(text))) {
		strbuf_reset(&written);
		strbuf_adds(&written, "all");
	}
	strbuf_addf(out, "%sshown: %s%s", is_shown ? "" : "not ", strbuf_text(&written), why.text);
	strbuf_release(&written);
}

static void a_pager_shows_the_text(void **state)
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
	size_t failed = 0;

	for (size_t i = 0; i < 3; i++)
		sigaction(signals[i], NULL, &before[i]);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct strbuf got = { 0 };

		assert_int_equal(truncate(path, 0), 0);
		set_variable("DRVABI_PAGER", rows[i].drvabi_pager);
		set_variable("PAGER", rows[i].pager);
		set_variable("LESS", rows[i].less);
		set_variable("TERM", rows[i].term);
		put_result(&got);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_pager_shows_the_text, use_a_file, remove_the_file),
	};

	return cmocka_run_group_tests_name("pager", tests, NULL, NULL);
}
