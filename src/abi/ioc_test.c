#include "abi/abi.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

/* AMDKFD_IOC_CREATE_QUEUE: _IOWR('K', 0x02, struct kfd_ioctl_create_queue_args) of 96 bytes. */
#define CREATE_QUEUE UINT64_C(0xc0604b02)

static void a_number_has_a_direction_a_type_an_nr_and_a_size(void **state)
{
	(void)state;
	assert_int_equal(abi_ioc_get(CREATE_QUEUE, ABI_IOC_DIRECTION), ABI_IOC_READ | ABI_IOC_WRITE);
	assert_int_equal(abi_ioc_get(CREATE_QUEUE, ABI_IOC_TYPE), 'K');
	assert_int_equal(abi_ioc_get(CREATE_QUEUE, ABI_IOC_NR), 2);
	assert_int_equal(abi_ioc_get(CREATE_QUEUE, ABI_IOC_SIZE), 96);
}

static void the_largest_size_has_14_bits(void **state)
{
	(void)state;
	assert_int_equal(abi_ioc_get(UINT64_C(0x3fff0000), ABI_IOC_SIZE), 16383);
	assert_int_equal(abi_ioc_get(UINT64_C(0xc000ffff), ABI_IOC_SIZE), 0);
}

static void the_fields_are_all_of_32_bits(void **state)
{
	uint64_t bits = 0;

	(void)state;
	for (int i = 0; i < ABI_IOC_FIELD_COUNT; i++) {
		assert_int_equal(bits & abi_ioc_mask((enum abi_ioc_field)i), 0);
		bits |= abi_ioc_mask((enum abi_ioc_field)i);
	}
	assert_int_equal(bits, UINT32_MAX);
}

static void a_direction_is_named_as_the_caller_sees_it(void **state)
{
	(void)state;
	assert_string_equal(abi_ioc_direction_name(0), "none");
	assert_string_equal(abi_ioc_direction_name(ABI_IOC_READ), "read");
	assert_string_equal(abi_ioc_direction_name(ABI_IOC_WRITE), "write");
	assert_string_equal(abi_ioc_direction_name(ABI_IOC_READ | ABI_IOC_WRITE), "read-write");
}

static void size_and_direction_are_no_part_of_an_identity_by_nr(void **state)
{
	const struct abi_ioctl by_nr = { .number = CREATE_QUEUE, .encoding = ABI_NUMBER_IOC_BY_NR };
	const struct abi_ioctl whole = { .number = CREATE_QUEUE, .encoding = ABI_NUMBER_IOC };

	(void)state;
	assert_int_equal(abi_ioctl_identity(&by_nr), 0x4b02);
	assert_int_equal(abi_ioctl_identity(&whole), CREATE_QUEUE);
}

static void a_plain_number_is_its_own_identity(void **state)
{
	const struct abi_ioctl plain = { .number = UINT64_C(0x20800110) };

	(void)state;
	assert_false(abi_ioctl_is_encoded(&plain));
	assert_int_equal(abi_ioctl_identity(&plain), 0x20800110);
}

static void another_argument_is_another_encoding(void **state)
{
	const struct abi_ioctl one = { .encoding = ABI_NUMBER_IOC },
			       two = { .encoding = ABI_NUMBER_IOC, .argument = "x *" };

	(void)state;
	assert_true(abi_ioctl_same_encoding(&one, &one));
	assert_true(abi_ioctl_same_encoding(&two, &two));
	assert_false(abi_ioctl_same_encoding(&one, &two));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_number_has_a_direction_a_type_an_nr_and_a_size),
		cmocka_unit_test(the_largest_size_has_14_bits),
		cmocka_unit_test(the_fields_are_all_of_32_bits),
		cmocka_unit_test(a_direction_is_named_as_the_caller_sees_it),
		cmocka_unit_test(size_and_direction_are_no_part_of_an_identity_by_nr),
		cmocka_unit_test(a_plain_number_is_its_own_identity),
		cmocka_unit_test(another_argument_is_another_encoding),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
