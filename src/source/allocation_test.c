#include "source/allocation.h"

#include "source/fixture_test.h"

#include <git2/sys/odb_backend.h>

enum { KB = 1024 };

static int with_libgit2(void **state)
{
	static struct err err;

	*state = &err;
	return git_setup(&err);
}

/* Does libgit2 get a block of @size_bytes? */
static bool allocates(size_t size_bytes)
{
	void *block = git_odb_backend_data_alloc(NULL, size_bytes);

	git_odb_backend_data_free(NULL, block);
	return block;
}

static void a_block_above_the_bound_is_refused(void **state)
{
	struct allocation_bound bound;
	uint64_t left_bytes = 1000 * KB;

	(void)state;
	allocation_begin(&bound, 10 * KB, &left_bytes);
	assert_true(allocates(10 * KB));
	assert_int_equal(bound.refused_bytes, 0);
	assert_false(allocates(10 * KB + 1));
	assert_int_equal(bound.refused_bytes, 10 * KB + 1);
	allocation_end(&bound);
	assert_true(allocates(10 * KB + 1));
}

static void freed_blocks_count(void **state)
{
	struct allocation_bound bound;
	uint64_t left_bytes = 100 * KB;
	unsigned blocks = 0;

	(void)state;
	allocation_begin(&bound, 10 * KB, &left_bytes);
	while (allocates(10 * KB))
		blocks++;
	allocation_end(&bound);
	assert_int_equal(blocks, 9);
	assert_int_equal(bound.refused_bytes, 10 * KB);
}

static void empty_blocks_count(void **state)
{
	struct allocation_bound bound;
	uint64_t left_bytes = KB;
	unsigned blocks = 0;

	(void)state;
	allocation_begin(&bound, KB, &left_bytes);
	while (allocates(0))
		blocks++;
	allocation_end(&bound);
	assert_in_range(blocks, 1, KB);
	assert_true(bound.refused_bytes > 0);
}

static void a_bound_inside_another_ends_before_it(void **state)
{
	struct allocation_bound outer, inner;
	uint64_t left_bytes = 1000 * KB;

	(void)state;
	allocation_begin(&outer, 10 * KB, &left_bytes);
	allocation_begin(&inner, 20 * KB, &left_bytes);
	assert_true(allocates(20 * KB));
	allocation_end(&inner);
	assert_false(allocates(20 * KB));
	allocation_end(&outer);
}

static void without_a_bound_a_block_has_a_limit_too(void **state)
{
	(void)state;
	assert_int_equal(allocation_refused(), 0);
	assert_true(allocates(ALLOCATION_BLOCK_BYTES));
	assert_false(allocates(ALLOCATION_BLOCK_BYTES + 1));
	assert_int_equal(allocation_refused(), ALLOCATION_BLOCK_BYTES + 1);
	assert_int_equal(allocation_refused(), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_block_above_the_bound_is_refused),
		cmocka_unit_test(freed_blocks_count),
		cmocka_unit_test(empty_blocks_count),
		cmocka_unit_test(a_bound_inside_another_ends_before_it),
		cmocka_unit_test(without_a_bound_a_block_has_a_limit_too),
	};

	return cmocka_run_group_tests(tests, with_libgit2, NULL);
}
