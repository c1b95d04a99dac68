/* Tests of the objects that a trace has allocated, and of those that remain after others were freed. */
#include "decode/fixture_test.h"

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

static void add(uint32_t client, uint32_t parent, uint32_t handle, uint32_t class_number)
{
	decode_handles_add(handles, &(struct decode_object){ client, handle, parent, class_number, "CLASS" });
}

static uint32_t class_of(uint32_t client, uint32_t handle)
{
	const struct decode_object *object = decode_handles_find(handles, client, handle);

	return object ? object->class_number : 0;
}

static void a_handle_belongs_to_its_client(void **state)
{
	add(CLIENT, CLIENT, 1, 0x80);
	add(OTHER, OTHER, 1, 0x2080);
	assert_int_equal(class_of(CLIENT, 1), 0x80);
	assert_int_equal(class_of(OTHER, 1), 0x2080);
	assert_int_equal(class_of(OTHER, 2), 0);
}

static void a_handle_that_is_allocated_again_has_its_new_class(void **state)
{
	add(CLIENT, CLIENT, 1, 0x80);
	add(CLIENT, CLIENT, 1, 0x2080);
	assert_int_equal(class_of(CLIENT, 1), 0x2080);
}

static void an_object_is_freed_with_its_parent(void **state)
{
	add(CLIENT, 0, CLIENT, 0x41);
	add(CLIENT, CLIENT, 1, 0x80);
	add(CLIENT, 1, 2, 0x2080);
	add(CLIENT, 2, 3, 5);
	add(CLIENT, CLIENT, 4, 0x80);
	decode_handles_remove(handles, CLIENT, 1);
	assert_int_equal(class_of(CLIENT, 3), 0);
	assert_int_equal(class_of(CLIENT, 4), 0x80);
	assert_int_equal(decode_handles_count(handles), 2);
}

static void the_objects_of_a_client_are_freed_with_it_even_if_its_allocation_was_not_seen(void **state)
{
	add(CLIENT, 77, 1, 0x80);
	add(OTHER, OTHER, 1, 0x80);
	assert_null(decode_handles_find(handles, CLIENT, CLIENT));
	decode_handles_remove(handles, CLIENT, CLIENT);
	assert_int_equal(class_of(CLIENT, 1), 0);
	assert_int_equal(class_of(OTHER, 1), 0x80);
}

static void an_object_that_was_never_allocated_can_be_freed(void **state)
{
	decode_handles_remove(handles, CLIENT, 9);
	assert_int_equal(decode_handles_count(handles), 0);
}

static void parents_that_form_a_ring_have_an_end(void **state)
{
	add(CLIENT, 2, 1, 0x80);
	add(CLIENT, 1, 2, 0x80);
	add(CLIENT, 2, 1, 0x80);
	decode_handles_remove(handles, CLIENT, 2);
	decode_handles_remove(handles, CLIENT, CLIENT);
	assert_int_equal(decode_handles_count(handles), 0);
}

static void a_chain_without_end_costs_no_more_than_a_flat_one(void **state)
{
	for (uint32_t i = 1; i < 100000; i++)
		add(CLIENT, i - 1, i, 0x80);
	decode_handles_remove(handles, CLIENT, CLIENT);
	assert_true(decode_handles_count(handles) < 100000);
}

static void if_there_are_too_many_objects_the_oldest_are_dropped(void **state)
{
	for (uint32_t i = 1; i <= DECODE_HANDLES_MAX + 10; i++)
		add(CLIENT, CLIENT, i, 0x80);
	assert_int_equal(decode_handles_count(handles), DECODE_HANDLES_MAX);
	assert_int_equal(class_of(CLIENT, 1), 0);
	assert_int_equal(class_of(CLIENT, DECODE_HANDLES_MAX + 10), 0x80);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_handle_belongs_to_its_client),
		TEST(a_handle_that_is_allocated_again_has_its_new_class),
		TEST(an_object_is_freed_with_its_parent),
		TEST(the_objects_of_a_client_are_freed_with_it_even_if_its_allocation_was_not_seen),
		TEST(an_object_that_was_never_allocated_can_be_freed),
		TEST(parents_that_form_a_ring_have_an_end),
		TEST(a_chain_without_end_costs_no_more_than_a_flat_one),
		TEST(if_there_are_too_many_objects_the_oldest_are_dropped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
