/* verify/fixture_test.h - the arena of a test, and rows of expected texts, for the tests of verify */
#ifndef VERIFY_FIXTURE_TEST_H
#define VERIFY_FIXTURE_TEST_H

#include "verify/verify.h"
#include "abi/table_test.h"

#define VERIFY_TEST(name) TEST_WITH(name, NULL, end_test)
#define COUNT(rows) (sizeof(rows) / sizeof(*(rows)))

static struct arena arena; /* of one test, or of one row */
static struct err err;

static inline int end_test(void **state)
{
	arena_release(&arena);
	return 0;
}

#endif
