#include "sniff/internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

enum { PAGE = 4096 };

/* Two pages, of which the second cannot be read. */
static char *half_mapped(void)
{
	char *pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	memset(pages, 'a', PAGE);
	mprotect(pages + PAGE, PAGE, PROT_NONE);
	return pages;
}

static void what_is_mapped_of_a_range_is_read(void **state)
{
	char *pages = half_mapped(), bytes[64];

	(void)state;
	assert_int_equal(memory_read(bytes, getpid(), (uintptr_t)pages + PAGE - 10, 64), 10);
	assert_memory_equal(bytes, "aaaaaaaaaa", 10);
	assert_int_equal(memory_read(bytes, getpid(), (uintptr_t)pages + PAGE, 64), 0);
	assert_int_equal(memory_read(bytes, getpid(), 8, 64), 0);
	assert_int_equal(memory_read(bytes, getpid(), UINT64_MAX - 4, 64), 0);
	munmap(pages, 2 * PAGE);
}

static void what_is_mapped_of_a_range_is_written(void **state)
{
	char *pages = half_mapped();

	(void)state;
	assert_int_equal(memory_write(getpid(), (uintptr_t)pages + PAGE - 4, "12345678", 8), 4);
	assert_memory_equal(pages + PAGE - 5, "a1234", 5);
	munmap(pages, 2 * PAGE);
}

static void a_string_ends_within_its_bytes_or_is_none(void **state)
{
	char *pages = half_mapped(), text[32];

	(void)state;
	assert_false(memory_read_text(text, getpid(), (uintptr_t)pages, sizeof(text)));
	assert_false(memory_read_text(text, getpid(), (uintptr_t)pages + PAGE - 5, sizeof(text)));
	pages[PAGE - 1] = '\0';
	assert_true(memory_read_text(text, getpid(), (uintptr_t)pages + PAGE - 5, sizeof(text)));
	assert_string_equal(text, "aaaa");
	munmap(pages, 2 * PAGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_mapped_of_a_range_is_read),
		cmocka_unit_test(what_is_mapped_of_a_range_is_written),
		cmocka_unit_test(a_string_ends_within_its_bytes_or_is_none),
	};

	return cmocka_run_group_tests_name("sniff memory", tests, NULL, NULL);
}
