#include "sniff/internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

enum { PAGE = 4096, ARGUMENT = 32, PARAMS = 100 };

/* The memory of a call, of this process. */
struct pages {
	char argument[PAGE], params[PAGE], others[PAGE];
};

static struct pages *mapped(void)
{
	struct pages *pages = mmap(NULL, sizeof(*pages), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	memset(pages->argument, 'a', PAGE);
	memset(pages->params, 'p', PAGE);
	memset(pages->others, 'o', PAGE);
	return pages;
}

static size_t asked(char *out, struct ahead *ahead, const char *at, size_t size_bytes)
{
	memset(out, 0, size_bytes);
	return ahead_read(out, ahead, getpid(), (uintptr_t)at, size_bytes);
}

/* A stop that reads the argument, and @params. */
static void stop(struct ahead *ahead, const struct pages *pages, const char *params)
{
	char bytes[PAGE];

	ahead_begin(ahead);
	assert_int_equal(asked(bytes, ahead, pages->argument, ARGUMENT), ARGUMENT);
	assert_memory_equal(bytes, pages->argument, ARGUMENT);
	assert_int_equal(asked(bytes, ahead, params, PARAMS), PARAMS);
	assert_memory_equal(bytes, params, PARAMS);
}

static void what_was_asked_for_twice_is_read_with_the_first(void **state)
{
	struct ahead ahead = { .bytes = NULL };
	struct pages *pages = mapped();
	char bytes[PAGE];

	(void)state;
	stop(&ahead, pages, pages->params);
	assert_int_equal(ahead.read_bytes, 0);
	stop(&ahead, pages, pages->params);
	assert_int_equal(ahead.read_bytes, 0);
	ahead_begin(&ahead);
	asked(bytes, &ahead, pages->argument, ARGUMENT);
	assert_int_equal(ahead.read_bytes, PARAMS);
	memset(pages->params, 'q', PAGE); /* too late for this stop */
	assert_int_equal(asked(bytes, &ahead, pages->params, PARAMS), PARAMS);
	assert_int_equal(bytes[0], 'p');
	ahead_release(&ahead);
	munmap(pages, sizeof(*pages));
}

static void bytes_of_an_earlier_stop_are_never_given(void **state)
{
	struct ahead ahead = { .bytes = NULL };
	struct pages *pages = mapped();

	(void)state;
	for (int i = 0; i < 6; i++) {
		memset(pages->argument, 'a' + i, PAGE);
		memset(pages->params, 'A' + i, PAGE);
		stop(&ahead, pages, pages->params);
	}
	ahead_release(&ahead);
	munmap(pages, sizeof(*pages));
}

static void another_range_of_the_same_size_is_read_itself(void **state)
{
	struct ahead ahead = { .bytes = NULL };
	struct pages *pages = mapped();

	(void)state;
	for (int i = 0; i < 3; i++)
		stop(&ahead, pages, pages->params);
	for (int i = 0; i < 4; i++)
		stop(&ahead, pages, i % 2 ? pages->params : pages->others);
	assert_int_equal(ahead.read_bytes, 0);
	ahead_release(&ahead);
	munmap(pages, sizeof(*pages));
}

static void a_range_that_cannot_be_read_any_more_is_as_short_as_it_is(void **state)
{
	struct ahead ahead = { .bytes = NULL };
	struct pages *pages = mapped();
	char bytes[PAGE];

	(void)state;
	for (int i = 0; i < 3; i++)
		stop(&ahead, pages, &pages->params[PAGE - 10]);
	mprotect(pages->others, PAGE, PROT_NONE);
	ahead_begin(&ahead);
	assert_int_equal(asked(bytes, &ahead, pages->argument, ARGUMENT), ARGUMENT);
	assert_int_equal(asked(bytes, &ahead, &pages->params[PAGE - 10], PARAMS), 10);
	assert_memory_equal(bytes, "pppppppppp", 10);
	mprotect(pages->argument, PAGE, PROT_NONE);
	ahead_begin(&ahead);
	assert_int_equal(asked(bytes, &ahead, pages->argument, ARGUMENT), 0);
	assert_int_equal(asked(bytes, &ahead, pages->params, PARAMS), PARAMS);
	ahead_release(&ahead);
	munmap(pages, sizeof(*pages));
}

static void a_range_that_nobody_asks_for_any_more_is_not_read(void **state)
{
	struct ahead ahead = { .bytes = NULL };
	struct pages *pages = mapped();
	char bytes[PAGE];

	(void)state;
	for (int i = 0; i < 3; i++)
		stop(&ahead, pages, pages->params);
	for (int i = 0; i < 2; i++) {
		ahead_begin(&ahead);
		asked(bytes, &ahead, pages->argument, ARGUMENT);
		assert_int_equal(ahead.read_bytes, i ? 0 : PARAMS);
	}
	ahead_release(&ahead);
	munmap(pages, sizeof(*pages));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_asked_for_twice_is_read_with_the_first),
		cmocka_unit_test(bytes_of_an_earlier_stop_are_never_given),
		cmocka_unit_test(another_range_of_the_same_size_is_read_itself),
		cmocka_unit_test(a_range_that_cannot_be_read_any_more_is_as_short_as_it_is),
		cmocka_unit_test(a_range_that_nobody_asks_for_any_more_is_not_read),
	};

	return cmocka_run_group_tests_name("sniff ahead", tests, NULL, NULL);
}
