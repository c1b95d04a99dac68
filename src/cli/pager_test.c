#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "cli/cli.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* More bytes than a pipe can hold. */
enum { TEXT_BYTES = 1 << 20 };

static char text[TEXT_BYTES];
static char path[4096];
static struct err why;

/* The text that the pager wrote into the test's file. */
static struct strbuf written;

static int use_a_file(void **state)
{
	const char *temp = getenv("TMPDIR");
	int fd;

	(void)state;
	memset(text, 'x', sizeof(text));
	snprintf(path, sizeof(path), "%s/pager-XXXXXX", temp ? temp : "/tmp");
	fd = mkstemp(path);
	assert_true(fd >= 0);
	close(fd);
	setenv("OUT", path, 1);
	unsetenv("PAGER");
	unsetenv("LESS");
	setenv("TERM", "xterm", 1);
	return 0;
}

static int remove_the_file(void **state)
{
	(void)state;
	unlink(path);
	strbuf_release(&written);
	written = (struct strbuf){ 0 };
	return 0;
}

static const char *what_was_written(void)
{
	struct err err = { "" };

	assert_int_equal(file_read(&written, path, 2 * TEXT_BYTES, &err), 0);
	return strbuf_text(&written);
}

static void the_whole_text_goes_to_the_pager(void **state)
{
	(void)state;
	setenv("DRVABI_PAGER", "cat >\"$OUT\"", 1);
	assert_true(pager_show(text, sizeof(text), &why));
	what_was_written();
	assert_int_equal(written.length, sizeof(text));
	assert_memory_equal(written.text, text, sizeof(text));
}

static void the_pager_has_ended_and_was_waited_for(void **state)
{
	(void)state;
	setenv("DRVABI_PAGER", "cat >/dev/null; sleep 0.1; echo end >\"$OUT\"", 1);
	assert_true(pager_show(text, sizeof(text), &why));
	assert_string_equal(what_was_written(), "end\n");
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

static void a_pager_that_reads_nothing_is_no_error(void **state)
{
	(void)state;
	setenv("DRVABI_PAGER", "true", 1);
	assert_true(pager_show(text, sizeof(text), &why));
	setenv("DRVABI_PAGER", "exit 3", 1);
	assert_true(pager_show(text, sizeof(text), &why));
	setenv("DRVABI_PAGER", "kill -9 $$", 1);
	assert_true(pager_show(text, sizeof(text), &why));
}

static void signals_are_afterwards_as_they_were(void **state)
{
	static const int signals[] = { SIGINT, SIGQUIT, SIGPIPE };
	struct sigaction before[3], after;

	(void)state;
	for (size_t i = 0; i < 3; i++)
		sigaction(signals[i], NULL, &before[i]);
	setenv("DRVABI_PAGER", "true", 1);
	pager_show(text, sizeof(text), &why);
	for (size_t i = 0; i < 3; i++) {
		sigaction(signals[i], NULL, &after);
		assert_ptr_equal(after.sa_handler, before[i].sa_handler);
	}
}

static void one_word_is_run_without_a_shell(void **state)
{
	(void)state;
	setenv("DRVABI_PAGER", "/nonexistent/pager", 1);
	assert_false(pager_show(text, sizeof(text), &why));
	assert_string_equal(
		why.text,
		"the pager '/nonexistent/pager' cannot be run; set DRVABI_PAGER to a different one, or to cat for none");
	setenv("DRVABI_PAGER", path, 1); /* a file that is not a program */
	assert_false(pager_show(text, sizeof(text), &why));
}

static void cat_and_nothing_are_no_pager(void **state)
{
	(void)state;
	setenv("PAGER", "touch \"$OUT\"; echo no >\"$OUT\"", 1);
	setenv("DRVABI_PAGER", "cat", 1);
	assert_false(pager_show(text, sizeof(text), &why));
	setenv("DRVABI_PAGER", "", 1);
	assert_false(pager_show(text, sizeof(text), &why));
	assert_string_equal(what_was_written(), "");
}

static void pager_comes_after_drvabi_pager(void **state)
{
	(void)state;
	unsetenv("DRVABI_PAGER");
	setenv("PAGER", "echo PAGER >\"$OUT\"", 1);
	assert_true(pager_show(text, sizeof(text), &why));
	assert_string_equal(what_was_written(), "PAGER\n");
}

static void less_has_options_unless_the_user_has(void **state)
{
	(void)state;
	setenv("DRVABI_PAGER", "echo \"$LESS $LV\" >\"$OUT\"", 1);
	assert_true(pager_show(text, sizeof(text), &why));
	assert_string_equal(what_was_written(), "FRX -c\n");
	assert_null(getenv("LESS")); /* LESS is set only for the pager */
	setenv("LESS", "S", 1);
	assert_true(pager_show(text, sizeof(text), &why));
	strbuf_reset(&written);
	assert_string_equal(what_was_written(), "S -c\n");
}

static void a_dumb_terminal_has_no_pager_unless_one_is_named(void **state)
{
	(void)state;
	unsetenv("DRVABI_PAGER");
	setenv("TERM", "dumb", 1);
	assert_false(pager_show(text, sizeof(text), &why));
	unsetenv("TERM");
	assert_false(pager_show(text, sizeof(text), &why));
	setenv("DRVABI_PAGER", "echo named >\"$OUT\"", 1);
	assert_true(pager_show(text, sizeof(text), &why));
	assert_string_equal(what_was_written(), "named\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_whole_text_goes_to_the_pager, use_a_file,
						remove_the_file),
		cmocka_unit_test_setup_teardown(the_pager_has_ended_and_was_waited_for, use_a_file,
						remove_the_file),
		cmocka_unit_test_setup_teardown(a_pager_that_reads_nothing_is_no_error, use_a_file,
						remove_the_file),
		cmocka_unit_test_setup_teardown(signals_are_afterwards_as_they_were, use_a_file,
						remove_the_file),
		cmocka_unit_test_setup_teardown(one_word_is_run_without_a_shell, use_a_file, remove_the_file),
		cmocka_unit_test_setup_teardown(cat_and_nothing_are_no_pager, use_a_file, remove_the_file),
		cmocka_unit_test_setup_teardown(pager_comes_after_drvabi_pager, use_a_file, remove_the_file),
		cmocka_unit_test_setup_teardown(less_has_options_unless_the_user_has, use_a_file,
						remove_the_file),
		cmocka_unit_test_setup_teardown(a_dumb_terminal_has_no_pager_unless_one_is_named, use_a_file,
						remove_the_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
