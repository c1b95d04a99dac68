#include "sniff/internal.h"
#include "sniff/channel.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

enum { PAGE = 4096, SIZE = 2000 };

/* Maps two pages. The second page cannot be read. */
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

static char in_program[SIZE] = "program";

static size_t read_from(void *out, const void *address, size_t size)
{
	const struct own_stack stack = own_stack_of(getpid(), (pid_t)syscall(SYS_gettid));

	return own_memory_read(out, getpid(), &stack, (uintptr_t)address, size);
}

static void stack_heap_data_and_mappings_are_read(void **state)
{
	char out[SIZE], on_stack[SIZE] = "stack", *on_heap = calloc(1, SIZE);
	char *mapped = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	(void)state;
	memcpy(on_heap, "heap", sizeof("heap"));
	memcpy(mapped, "mapped", sizeof("mapped"));
	assert_int_equal(read_from(out, on_stack, SIZE), SIZE);
	assert_string_equal(out, "stack");
	assert_int_equal(read_from(out, on_heap, SIZE), SIZE);
	assert_string_equal(out, "heap");
	assert_int_equal(read_from(out, in_program, SIZE), SIZE);
	assert_string_equal(out, "program");
	assert_int_equal(read_from(out, mapped, SIZE), SIZE);
	assert_string_equal(out, "mapped");
	free(on_heap);
	munmap(mapped, PAGE);
}

static void what_is_not_there_is_not_read(void **state)
{
	char out[PAGE], *gone = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	(void)state;
	munmap(gone, PAGE);
	assert_int_equal(read_from(out, gone, PAGE), 0);
	assert_int_equal(read_from(out, NULL, PAGE), 0);
	assert_int_equal(read_from(out, (void *)8, PAGE), 0);
	assert_int_equal(read_from(out, (void *)UINTPTR_MAX, PAGE), 0);
	assert_int_equal(read_from(out, (void *)(UINTPTR_MAX - PAGE), PAGE), 0);
}

static void a_range_is_read_up_to_the_first_page_that_is_not_there(void **state)
{
	char *out = malloc(4 * PAGE),
	     *pages = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	(void)state;
	mprotect(pages + 2 * PAGE, PAGE, PROT_NONE);
	assert_int_equal(read_from(out, pages + 100, 4 * PAGE - 100), 2 * PAGE - 100);
	assert_int_equal(read_from(out, pages + 2 * PAGE, PAGE), 0);
	munmap(pages, 4 * PAGE);
	free(out);
}

/* Reads a range that begins on the stack and ends after the stack. */
static void the_stack_has_an_end(void **state)
{
	char *out = malloc(64 * 1024 * 1024), here;
	const size_t got = read_from(out, &here, 64 * 1024 * 1024);

	(void)state;
	assert_true(got > 0 && got < 64 * 1024 * 1024);
	free(out);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_mapped_of_a_range_is_read),
		cmocka_unit_test(what_is_mapped_of_a_range_is_written),
		cmocka_unit_test(a_string_ends_within_its_bytes_or_is_none),
		cmocka_unit_test(stack_heap_data_and_mappings_are_read),
		cmocka_unit_test(what_is_not_there_is_not_read),
		cmocka_unit_test(a_range_is_read_up_to_the_first_page_that_is_not_there),
		cmocka_unit_test(the_stack_has_an_end),
	};

	(void)argc;
	own_memory_init(argv);
	return cmocka_run_group_tests_name("sniff process memory", tests, NULL, NULL);
}
