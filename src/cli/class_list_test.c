/* Tests of classes of changes on the command line. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "cli/cli.h"

#include <string.h>

static struct err err;

static void several_classes_are_parted_by_commas(void **state)
{
	unsigned classes = 0;

	(void)state;
	assert_int_equal(word_list_read(&classes, WORDS_CLASS, "layout,translation,layout", &err), 0);
	assert_int_equal(classes, DIFF_TRANSLATION | DIFF_LAYOUT);
}

static void without_the_option_there_is_no_class(void **state)
{
	unsigned classes = 1;

	(void)state;
	assert_int_equal(word_list_read(&classes, WORDS_CLASS, NULL, &err), 0);
	assert_int_equal(classes, 0);
}

static void refused(const char *text, const char *beginning)
{
	unsigned classes = 77;

	assert_int_equal(word_list_read(&classes, WORDS_CLASS, text, &err), ERR_USAGE);
	assert_int_equal(classes, 77);
	assert_memory_equal(err.text, beginning, strlen(beginning));
}

static void a_word_that_is_no_class_is_refused_and_all_classes_are_named(void **state)
{
	(void)state;
	refused("layout,size", "--class: 'size' is not a class of changes; use translation, layout, ");
	refused("lay", "--class: 'lay' is not a class");
}

static void a_comma_without_a_word_is_refused(void **state)
{
	(void)state;
	refused("layout,", "--class: '' is not a class");
	refused(",layout", "--class: '' is not a class");
}

static void fail_on_takes_classes_and_groups_of_the_report(void **state)
{
	unsigned fails;

	(void)state;
	assert_int_equal(word_list_read(&fails, WORDS_FAIL, "layout,handler", &err), 0);
	assert_int_equal(fails, DIFF_LAYOUT | FAIL_SECTION(DIFF_SECTION_HANDLER));
	assert_int_equal(word_list_read(&fails, WORDS_WORK, "node,unread", &err), 0);
	assert_int_equal(fails, WORK_NODE | WORK_UNREAD);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(several_classes_are_parted_by_commas),
		cmocka_unit_test(without_the_option_there_is_no_class),
		cmocka_unit_test(a_word_that_is_no_class_is_refused_and_all_classes_are_named),
		cmocka_unit_test(a_comma_without_a_word_is_refused),
		cmocka_unit_test(fail_on_takes_classes_and_groups_of_the_report),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
