#include "base/base.h"

#include <stdarg.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include <stdlib.h>

static int empty_arena(void **state)
{
	*state = calloc(1, sizeof(struct arena));
	return 0;
}

static int release_arena(void **state)
{
	arena_release(*state);
	free(*state);
	return 0;
}

static void memory_comes_zeroed(void **state)
{
	const char *got = arena_alloc(*state, 1000);

	for (size_t i = 0; i < 1000; i++)
		assert_int_equal(got[i], 0);
}

static void memory_is_aligned_for_any_type(void **state)
{
	for (size_t size = 0; size < 100; size++)
		assert_int_equal((uintptr_t)arena_alloc(*state, size) % _Alignof(max_align_t), 0);
}

static void pieces_do_not_overlap(void **state)
{
	unsigned char *allocation[300];

	for (size_t i = 0; i < 300; i++)
		allocation[i] = memset(arena_alloc(*state, 1000), (int)(i % 251), 1000);
	for (size_t i = 0; i < 300; i++)
		for (size_t j = 0; j < 1000; j++)
			assert_int_equal(allocation[i][j], i % 251);
}

static void a_piece_larger_than_a_block_is_had(void **state)
{
	char *got = arena_alloc(*state, 10 * 1024 * 1024);

	memset(got, 'x', 10 * 1024 * 1024);
	assert_int_equal(*(char *)arena_alloc(*state, 1), 0);
}

static void text_is_copied(void **state)
{
	char text[] = "NvU32";
	const char *copy = arena_strdup(*state, text);

	text[0] = 'X';
	assert_string_equal(copy, "NvU32");
}

static void a_part_of_a_text_is_copied_and_ended(void **state)
{
	assert_string_equal(arena_strndup(*state, "NvU32[4]", 5), "NvU32");
	assert_string_equal(arena_strndup(*state, "NvU32", 0), "");
}

static void text_is_formatted(void **state)
{
	assert_string_equal(arena_printf(*state, "%s:%d", "nvos.h", 12), "nvos.h:12");
}

static void bytes_are_copied(void **state)
{
	const unsigned char bytes[] = { 0, 1, 0, 255 };

	assert_memory_equal(arena_memdup(*state, bytes, sizeof(bytes)), bytes, sizeof(bytes));
	assert_non_null(arena_memdup(*state, NULL, 0));
}

static void a_released_arena_is_usable(void **state)
{
	struct arena *arena = *state;

	arena_alloc(arena, 10);
	arena_release(arena);
	assert_null(arena->blocks);
	assert_non_null(arena_alloc(arena, 10));
}

static void an_array_grows_and_keeps_what_it_holds(void **state)
{
	size_t count = 0, capacity = 0;
	int *array = NULL;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		ARRAY_GROW(array, count, capacity);
		array[count++] = i;
	}
	for (int i = 0; i < 1000; i++)
		assert_int_equal(array[i], i);
	free(array);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, empty_arena, release_arena)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(memory_comes_zeroed),
		TEST(memory_is_aligned_for_any_type),
		TEST(pieces_do_not_overlap),
		TEST(a_piece_larger_than_a_block_is_had),
		TEST(text_is_copied),
		TEST(a_part_of_a_text_is_copied_and_ended),
		TEST(text_is_formatted),
		TEST(bytes_are_copied),
		TEST(a_released_arena_is_usable),
		TEST(an_array_grows_and_keeps_what_it_holds),
	};

	return cmocka_run_group_tests_name("arena", tests, NULL, NULL);
}
