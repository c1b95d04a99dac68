/* Tests reading and writing the memory of another process, and of the own process, up to unmapped pages. */
#include "sniff/internal.h"
#include "sniff/channel.h"
#include "abi/document_test.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PAGE = 4096, SIZE = 2000 };

/* Maps two pages. The second page cannot be read. */
static char *half_mapped(void)
{
	char *pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	memset(pages, 'a', PAGE);
	mprotect(pages + PAGE, PAGE, PROT_NONE);
	return pages;
}

TEST(what_is_mapped_of_a_range_is_read)
{
	char *pages = half_mapped(), bytes[64];

	assert_int_equal(memory_read(bytes, getpid(), (uintptr_t)pages + PAGE - 10, 64), 10);
	assert_memory_equal(bytes, "aaaaaaaaaa", 10);
	assert_int_equal(memory_read(bytes, getpid(), (uintptr_t)pages + PAGE, 64), 0);
	assert_int_equal(memory_read(bytes, getpid(), 8, 64), 0);
	assert_int_equal(memory_read(bytes, getpid(), UINT64_MAX - 4, 64), 0);
	munmap(pages, 2 * PAGE);
}

TEST(what_is_mapped_of_a_range_is_written)
{
	char *pages = half_mapped();

	assert_int_equal(memory_write(getpid(), (uintptr_t)pages + PAGE - 4, "12345678", 8), 4);
	assert_memory_equal(pages + PAGE - 5, "a1234", 5);
	munmap(pages, 2 * PAGE);
}

TEST(a_string_must_end_within_its_bytes)
{
	char *pages = half_mapped(), text[32];

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
	const struct own_range stack = own_stack_of(getpid(), (pid_t)syscall(SYS_gettid));

	return own_memory_read(out, getpid(), &stack, (uintptr_t)address, size);
}

TEST(stack_heap_data_and_mappings_are_read)
{
	char out[SIZE], on_stack[SIZE] = "stack", *on_heap = calloc(1, SIZE);
	char *mapped = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *const places[] = { on_stack, on_heap, in_program, mapped };

	memcpy(on_heap, "heap", sizeof("heap"));
	memcpy(mapped, "mapped", sizeof("mapped"));
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		assert_int_equal(read_from(out, places[i], SIZE), SIZE);
		assert_memory_equal(out, places[i], SIZE);
	}
	free(on_heap);
	munmap(mapped, PAGE);
}

TEST(what_is_not_mapped_is_not_read)
{
	char out[PAGE], *gone = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const void *const places[] = { gone, NULL, (void *)8, (void *)UINTPTR_MAX,
				       (void *)(UINTPTR_MAX - PAGE) };

	munmap(gone, PAGE);
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++)
		assert_int_equal(read_from(out, places[i], PAGE), 0);
}

TEST(a_range_is_read_up_to_the_first_page_that_is_not_mapped)
{
	char *out = malloc(4 * PAGE),
	     *pages = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	mprotect(pages + 2 * PAGE, PAGE, PROT_NONE);
	assert_int_equal(read_from(out, pages + 100, 4 * PAGE - 100), 2 * PAGE - 100);
	assert_int_equal(read_from(out, pages + 2 * PAGE, PAGE), 0);
	munmap(pages, 4 * PAGE);
	free(out);
}

/* Reads a range that begins on the stack and ends after the stack. */
TEST(the_stack_has_an_end)
{
	char *out = malloc(64 * 1024 * 1024), here = 0;
	const size_t got = read_from(out, &here, 64 * 1024 * 1024);

	assert_true(got > 0 && got < 64 * 1024 * 1024);
	free(out);
}

static int find_own_memory(void **state)
{
	own_memory_init(unit_argv);
	return 0;
}

TEST_GROUP(find_own_memory, NULL)
