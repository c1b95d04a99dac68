/* Tests of ioctl numbers as Linux encodes them. */
#include "abi/fixture_test.h"

/* AMDKFD_IOC_CREATE_QUEUE: _IOWR('K', 0x02, struct kfd_ioctl_create_queue_args) of 96 bytes. */
#define CREATE_QUEUE UINT64_C(0xc0604b02)

static void a_number_has_a_direction_a_type_an_nr_and_a_size(void **state)
{
	static const struct {
		const char *fact;
		uint64_t number;
		unsigned nr, type, size, direction;
	} rows[] = {
		{ "each field has its bits", CREATE_QUEUE, 2, 'K', 96, ABI_IOC_READ | ABI_IOC_WRITE },
		{ "the largest size has 14 bits", 0x3fff0000, 0, 0, 16383, 0 },
		{ "no other field is in the size", 0xc000ffff, 255, 255, 0, ABI_IOC_READ | ABI_IOC_WRITE },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (abi_ioc_get(rows[i].number, ABI_IOC_NR) != rows[i].nr ||
		    abi_ioc_get(rows[i].number, ABI_IOC_TYPE) != rows[i].type ||
		    abi_ioc_get(rows[i].number, ABI_IOC_SIZE) != rows[i].size ||
		    abi_ioc_get(rows[i].number, ABI_IOC_DIRECTION) != rows[i].direction)
			fail_msg("%s", rows[i].fact);
}

static void the_fields_are_all_of_32_bits(void **state)
{
	uint64_t bits = 0;

	for (int i = 0; i < ABI_IOC_FIELD_COUNT; i++) {
		assert_int_equal(bits & abi_ioc_mask((enum abi_ioc_field)i), 0);
		bits |= abi_ioc_mask((enum abi_ioc_field)i);
	}
	assert_int_equal(bits, UINT32_MAX);
}

static void a_direction_is_named_as_the_caller_sees_it(void **state)
{
	assert_string_equal(abi_ioc_direction_name(0), "none");
	assert_string_equal(abi_ioc_direction_name(ABI_IOC_READ), "read");
	assert_string_equal(abi_ioc_direction_name(ABI_IOC_WRITE), "write");
	assert_string_equal(abi_ioc_direction_name(ABI_IOC_READ | ABI_IOC_WRITE), "read-write");
}

static void size_and_direction_are_no_part_of_an_identity_by_nr(void **state)
{
	static const struct {
		struct abi_ioctl ioctl;
		uint64_t identity;
	} rows[] = {
		{ { .number = CREATE_QUEUE, .encoding = ABI_NUMBER_IOC_BY_NR }, 0x4b02 },
		{ { .number = CREATE_QUEUE, .encoding = ABI_NUMBER_IOC }, CREATE_QUEUE },
		{ { .number = 0x20800110, .encoding = ABI_NUMBER_PLAIN }, 0x20800110 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		assert_int_equal(abi_ioctl_identity(&rows[i].ioctl), rows[i].identity);
		assert_int_equal(abi_ioctl_is_encoded(&rows[i].ioctl), i < 2);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_number_has_a_direction_a_type_an_nr_and_a_size),
		cmocka_unit_test(the_fields_are_all_of_32_bits),
		cmocka_unit_test(a_direction_is_named_as_the_caller_sees_it),
		cmocka_unit_test(size_and_direction_are_no_part_of_an_identity_by_nr),
	};

	return cmocka_run_group_tests(tests, NULL, release_arena);
}
