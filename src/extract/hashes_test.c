#include "extract/hashes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void an_empty_set_has_nothing(void **state)
{
	struct hashes set = { 0 };

	(void)state;
	assert_false(hashes_have(&set, 1));
	hashes_release(&set);
}

static void what_is_added_is_there_once(void **state)
{
	struct hashes set = { 0 };

	(void)state;
	/* All meet in one place until the set grows, and some after that. */
	for (uint64_t i = 1; i <= 1000; i++)
		assert_true(hashes_add(&set, i << 32 | 7));
	for (uint64_t i = 1; i <= 1000; i++) {
		assert_false(hashes_add(&set, i << 32 | 7));
		assert_true(hashes_have(&set, i << 32 | 7));
		assert_false(hashes_have(&set, i << 32 | 8));
	}
	assert_int_equal(set.count, 1000);
	hashes_release(&set);
	assert_false(hashes_have(&set, (uint64_t)1 << 32 | 7));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_set_has_nothing),
		cmocka_unit_test(what_is_added_is_there_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
