#include "base/base.h"

#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static void an_error_returns_its_code_and_keeps_its_sentence(void **state)
{
	struct err err;

	(void)state;
	assert_int_equal(err_set(&err, ERR_NOT_FOUND, "no version %s in %s", "1.2", "repo"), ERR_NOT_FOUND);
	assert_string_equal(err.text, "no version 1.2 in repo");
}

static void nobody_need_listen(void **state)
{
	(void)state;
	assert_int_equal(err_set(NULL, ERR_IO, "lost"), ERR_IO);
	err_prefix(NULL, "nowhere");
}

static void a_place_goes_in_front(void **state)
{
	struct err err;

	(void)state;
	err_set(&err, ERR_FORMAT, "unexpected end");
	err_prefix(&err, "%s:%d", "table.json", 3);
	assert_string_equal(err.text, "table.json:3: unexpected end");
}

static void a_sentence_stays_on_one_line(void **state)
{
	struct err err;

	(void)state;
	err_set(&err, ERR_FORMAT, "no field \"%s\"", "a\nb\033[31m\tc\x7f");
	err_prefix(&err, "file\r\n");
	assert_string_equal(err.text, "file\\x0d\\x0a: no field \"a\\x0ab\\x1b[31m\\x09c\\x7f\"");
}

static void letters_beyond_ascii_are_kept(void **state)
{
	struct err err;

	(void)state;
	err_set(&err, ERR_FORMAT, "größer");
	assert_string_equal(err.text, "größer");
}

static void what_does_not_fit_is_cut(void **state)
{
	char longer[3 * sizeof(struct err)];
	struct err err;

	(void)state;
	memset(longer, 'x', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	err_set(&err, ERR_FORMAT, "%s", longer);
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
	err_prefix(&err, "%s", longer);
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_error_returns_its_code_and_keeps_its_sentence),
		cmocka_unit_test(nobody_need_listen),
		cmocka_unit_test(a_place_goes_in_front),
		cmocka_unit_test(a_sentence_stays_on_one_line),
		cmocka_unit_test(letters_beyond_ascii_are_kept),
		cmocka_unit_test(what_does_not_fit_is_cut),
	};

	return cmocka_run_group_tests_name("err", tests, NULL, NULL);
}
