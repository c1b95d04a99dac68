/* Tests of arenas and of strings that grow. */
#include "base/unit_test.h"

/* Both are empty when a test begins. */
static struct arena arena;
static struct strbuf buf;

static int release(void **state)
{
	arena_release(&arena);
	strbuf_release(&buf);
	return 0;
}

#define MEMORY_TEST(name) TEST_WITH(name, NULL, release)

MEMORY_TEST(memory_comes_zeroed_and_aligned_for_any_type)
{
	static const char zeros[1000];

	for (size_t size = 0; size < sizeof(zeros); size++) {
		const char *got = arena_alloc(&arena, size);

		assert_int_equal((uintptr_t)got % _Alignof(max_align_t), 0);
		assert_memory_equal(got, zeros, size);
	}
}

MEMORY_TEST(pieces_do_not_overlap)
{
	unsigned char *allocation[300];

	for (size_t i = 0; i < 300; i++)
		allocation[i] = memset(arena_alloc(&arena, 1000), (int)(i % 251), 1000);
	for (size_t i = 0; i < 300; i++)
		for (size_t j = 0; j < 1000; j++)
			assert_int_equal(allocation[i][j], i % 251);
}

MEMORY_TEST(a_piece_larger_than_a_block_is_had)
{
	memset(arena_alloc(&arena, 10 * 1024 * 1024), 'x', 10 * 1024 * 1024);
	assert_int_equal(*(char *)arena_alloc(&arena, 1), 0);
}

MEMORY_TEST(text_and_bytes_are_copied)
{
	const unsigned char bytes[] = { 0, 1, 0, 255 };
	char text[] = "NvU32";
	const char *copy = arena_strdup(&arena, text);

	text[0] = 'X';
	assert_string_equal(copy, "NvU32");
	assert_string_equal(arena_strndup(&arena, "NvU32[4]", 5), "NvU32");
	assert_string_equal(arena_strndup(&arena, "NvU32", 0), "");
	assert_string_equal(arena_printf(&arena, "%s:%d", "nvos.h", 12), "nvos.h:12");
	assert_memory_equal(arena_memdup(&arena, bytes, sizeof(bytes)), bytes, sizeof(bytes));
	assert_non_null(arena_memdup(&arena, NULL, 0));
}

MEMORY_TEST(what_is_joined_outlives_the_other_arena)
{
	struct arena from = { 0 };
	const char *first = arena_strdup(&arena, "first"), *second = arena_strdup(&from, "second");

	arena_join(&arena, &from);
	assert_null(from.blocks);
	arena_release(&from);
	arena_join(&arena, &from);
	assert_non_null(arena_alloc(&arena, 100000));
	assert_string_equal(first, "first");
	assert_string_equal(second, "second");
	arena_join(&from, &arena);
	assert_null(arena.blocks);
	assert_string_equal(second, "second");
	arena_release(&from);
}

MEMORY_TEST(a_released_arena_is_usable)
{
	arena_alloc(&arena, 10);
	arena_release(&arena);
	assert_null(arena.blocks);
	assert_non_null(arena_alloc(&arena, 10));
}

MEMORY_TEST(an_array_grows_and_keeps_what_it_holds)
{
	size_t count = 0, capacity = 0;
	int *array = NULL;

	for (int i = 0; i < 1000; i++) {
		ARRAY_GROW(array, count, capacity);
		array[count++] = i;
	}
	for (int i = 0; i < 1000; i++)
		assert_int_equal(array[i], i);
	free(array);
}

MEMORY_TEST(text_is_appended_and_ended)
{
	assert_string_equal(strbuf_text(&buf), "");
	strbuf_add(&buf, NULL, 0);
	assert_string_equal(buf.text, "");
	strbuf_adds(&buf, "NvU");
	strbuf_addch(&buf, '3');
	strbuf_addf(&buf, "%d[%s]", 2, "4");
	assert_string_equal(buf.text, "NvU32[4]");
	assert_int_equal(buf.length, 8);
	strbuf_reserve(&buf, 5000);
	assert_true(buf.capacity > 5000);
	assert_string_equal(buf.text, "NvU32[4]");
	strbuf_add(&buf, "a\0b", 3);
	assert_int_equal(buf.length, 11);
	assert_memory_equal(buf.text, "NvU32[4]a\0b", 12);
}

MEMORY_TEST(a_strbuf_grows_as_it_must)
{
	for (int i = 0; i < 10000; i++)
		strbuf_addf(&buf, "%04d", i);
	assert_int_equal(buf.length, 40000);
	assert_memory_equal(buf.text + 4 * 9999, "9999", 5);
}

MEMORY_TEST(a_reset_strbuf_is_empty_and_keeps_its_memory)
{
	size_t capacity;

	strbuf_reset(&buf);
	assert_string_equal(strbuf_text(&buf), "");
	strbuf_adds(&buf, "something");
	capacity = buf.capacity;
	strbuf_reset(&buf);
	assert_string_equal(strbuf_text(&buf), "");
	assert_int_equal(buf.length, 0);
	assert_int_equal(buf.capacity, capacity);
}

MEMORY_TEST(a_released_strbuf_is_usable)
{
	strbuf_adds(&buf, "a");
	strbuf_release(&buf);
	strbuf_release(&buf);
	strbuf_adds(&buf, "b");
	assert_string_equal(buf.text, "b");
}

MEMORY_TEST(one_is_singular_and_others_are_plural)
{
	strbuf_plural(&buf, 1, "record");
	strbuf_addch(&buf, ' ');
	strbuf_plural(&buf, 0, "entry");
	strbuf_addch(&buf, ' ');
	strbuf_plural(&buf, 2, "alias");
	assert_string_equal(buf.text, "1 record 0 entries 2 aliases");
}
