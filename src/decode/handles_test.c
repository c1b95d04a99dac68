/* Tests of the objects that a trace has allocated, and of those that remain after others were freed. */
#include "decode/fixture_test.h"
#include "decode/internal.h"

enum { CLIENT = 0xc1d00001, OTHER = 0xc1d00002 };

static struct decode_handles *handles;

static int begin(void **state)
{
	handles = decode_handles_new();
	return 0;
}

static int end(void **state)
{
	decode_handles_free(handles);
	return 0;
}

static void add(uint32_t client, uint32_t parent, uint32_t handle)
{
	decode_handles_add(handles, client, handle, parent, "CLASS");
}

static bool is_known(uint32_t client, uint32_t handle)
{
	return decode_handles_class(handles, client, handle);
}

#define HANDLES_TEST(name) TEST_WITH(name, begin, end)

HANDLES_TEST(a_handle_belongs_to_its_client)
{
	decode_handles_add(handles, CLIENT, 1, CLIENT, "A");
	decode_handles_add(handles, OTHER, 1, OTHER, "B");
	assert_string_equal(decode_handles_class(handles, CLIENT, 1), "A");
	assert_string_equal(decode_handles_class(handles, OTHER, 1), "B");
	assert_false(is_known(OTHER, 2));
}

HANDLES_TEST(a_handle_that_is_allocated_again_has_its_new_class)
{
	add(CLIENT, CLIENT, 1);
	decode_handles_add(handles, CLIENT, 1, CLIENT, "NEW");
	assert_string_equal(decode_handles_class(handles, CLIENT, 1), "NEW");
}

HANDLES_TEST(the_children_of_an_object_are_freed_if_its_handle_is_allocated_again)
{
	add(CLIENT, CLIENT, 1);
	add(CLIENT, 1, 2);
	add(CLIENT, 2, 3);
	add(CLIENT, CLIENT, 1);
	assert_true(is_known(CLIENT, 1));
	assert_false(is_known(CLIENT, 2));
	assert_false(is_known(CLIENT, 3));
}

HANDLES_TEST(an_object_is_freed_with_its_parent)
{
	add(CLIENT, 0, CLIENT);
	add(CLIENT, CLIENT, 1);
	add(CLIENT, 1, 2);
	add(CLIENT, 2, 3);
	add(CLIENT, CLIENT, 4);
	decode_handles_remove(handles, CLIENT, 1);
	assert_false(is_known(CLIENT, 3));
	assert_true(is_known(CLIENT, 4));
	assert_int_equal(decode_handles_count(handles), 2);
}

HANDLES_TEST(the_objects_of_a_client_are_freed_with_it_even_if_its_allocation_was_not_seen)
{
	add(CLIENT, 77, 1);
	add(OTHER, OTHER, 1);
	assert_false(is_known(CLIENT, CLIENT));
	decode_handles_remove(handles, CLIENT, CLIENT);
	assert_false(is_known(CLIENT, 1));
	assert_true(is_known(OTHER, 1));
}

HANDLES_TEST(an_object_that_was_never_allocated_can_be_freed)
{
	decode_handles_remove(handles, CLIENT, 9);
	assert_int_equal(decode_handles_count(handles), 0);
}

HANDLES_TEST(parents_that_form_a_ring_have_an_end)
{
	add(CLIENT, 2, 1);
	add(CLIENT, 1, 2);
	add(CLIENT, 2, 1);
	decode_handles_remove(handles, CLIENT, 2);
	decode_handles_remove(handles, CLIENT, CLIENT);
	assert_int_equal(decode_handles_count(handles), 0);
}

HANDLES_TEST(a_chain_without_end_costs_no_more_than_a_flat_one)
{
	for (uint32_t i = 1; i < 100000; i++)
		add(CLIENT, i - 1, i);
	decode_handles_remove(handles, CLIENT, CLIENT);
	assert_true(decode_handles_count(handles) < 100000);
}

HANDLES_TEST(if_there_are_too_many_objects_the_oldest_are_dropped)
{
	for (uint32_t i = 1; i <= DECODE_HANDLES_MAX + 10; i++)
		add(CLIENT, CLIENT, i);
	assert_int_equal(decode_handles_count(handles), DECODE_HANDLES_MAX);
	assert_false(is_known(CLIENT, 1));
	assert_true(is_known(CLIENT, DECODE_HANDLES_MAX + 10));
}
