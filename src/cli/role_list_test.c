/* Tests of roles of fields on the command line. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "cli/cli.h"

#include <string.h>

static struct err err;

static void several_roles_are_parted_by_commas(void **state)
{
	unsigned roles = 0;

	(void)state;
	assert_int_equal(word_list_read(&roles, WORDS_ROLE, "fd,pid,fd", &err), 0);
	assert_int_equal(roles, 1u << ABI_ROLE_PID | 1u << ABI_ROLE_FD);
}

static void without_the_option_there_is_no_role(void **state)
{
	unsigned roles = 1;

	(void)state;
	assert_int_equal(word_list_read(&roles, WORDS_ROLE, NULL, &err), 0);
	assert_int_equal(roles, 0);
}

static void refused(const char *text, const char *beginning)
{
	unsigned roles = 77;

	assert_int_equal(word_list_read(&roles, WORDS_ROLE, text, &err), ERR_USAGE);
	assert_int_equal(roles, 77);
	assert_memory_equal(err.text, beginning, strlen(beginning));
}

static void a_word_that_is_no_role_is_refused_and_all_roles_are_named(void **state)
{
	(void)state;
	refused("fd,sz", "--role: 'sz' is not a role of fields; use pointer, fd, ");
	refused("poin", "--role: 'poin' is not a role");
}

static void a_comma_without_a_word_is_refused(void **state)
{
	(void)state;
	refused("fd,", "--role: '' is not a role");
	refused(",fd", "--role: '' is not a role");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(several_roles_are_parted_by_commas),
		cmocka_unit_test(without_the_option_there_is_no_role),
		cmocka_unit_test(a_word_that_is_no_role_is_refused_and_all_roles_are_named),
		cmocka_unit_test(a_comma_without_a_word_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
