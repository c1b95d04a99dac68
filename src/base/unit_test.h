/*
 * base/unit_test.h - define a unit test
 *
 *	TEST(a_sentence_that_is_true)
 *	{
 *		assert_int_equal(1 + 1, 2);
 *	}
 *
 * The definition adds the test to the list that testdata/test_main.c runs, in the order of the file. All
 * tests of a file are one group of cmocka, which has the name of the file.
 */
#ifndef BASE_UNIT_TEST_H
#define BASE_UNIT_TEST_H

#include "base/base.h"

#include <setjmp.h>

#include <cmocka.h>

struct unit_test {
	const char *file;
	struct CMUnitTest test;
};

/* The setup and teardown of a file's tests, and what the program does instead if it has an argument. */
struct unit_group {
	const char *file;
	CMFixtureFunction setup, teardown;
	int (*run)(const char *argument);
};

extern char **unit_argv; /* the argv of main() */

void unit_test_add(const struct unit_test *test);
void unit_group_add(const struct unit_group *group);

/* TEST_WITH - define a test that has a setup and a teardown; each can be NULL */
#define TEST_WITH(name_, setup_, teardown_) \
	static void name_(void **state); \
	static void __attribute__((constructor)) unit_add_##name_(void) \
	{ \
		unit_test_add(&(struct unit_test){ __FILE__, { #name_, name_, setup_, teardown_, NULL } }); \
	} \
	static void name_(void **state)

#define TEST(name) TEST_WITH(name, NULL, NULL)

/* TEST_GROUP - run @setup before the tests of this file, and @teardown after them; each can be NULL */
#define TEST_GROUP(setup_, teardown_) TEST_PROGRAM(setup_, teardown_, NULL)

/* TEST_PROGRAM - as TEST_GROUP, but if the program has an argument, it returns run_(argument) instead. */
#define TEST_PROGRAM(setup_, teardown_, run_) \
	static void __attribute__((constructor)) add_group(void) \
	{ \
		unit_group_add(&(struct unit_group){ __FILE__, setup_, teardown_, run_ }); \
	}

#endif
