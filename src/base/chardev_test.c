#include "base/base.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/sysmacros.h>

#include <cmocka.h>

static void a_driver_is_named_by_its_major_number(void **state)
{
	char name[CHARDEV_NAME_MAX];

	(void)state;
	chardev_driver(name, makedev(1, 77));
	assert_string_equal(name, "mem");
	chardev_driver(name, makedev(10, 0));
	assert_string_equal(name, "misc");
}

/* 259 is "blkext", of a block device. */
static void a_block_device_s_number_is_not_a_character_device_s(void **state)
{
	char name[CHARDEV_NAME_MAX];

	(void)state;
	chardev_driver(name, makedev(259, 0));
	assert_string_equal(name, "");
	chardev_driver(name, makedev(4000, 0));
	assert_string_equal(name, "");
}

static void a_device_without_a_driver_has_no_module(void **state)
{
	char name[CHARDEV_NAME_MAX] = "?";

	(void)state;
	chardev_module(name, makedev(1, 3));
	assert_string_equal(name, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_driver_is_named_by_its_major_number),
		cmocka_unit_test(a_block_device_s_number_is_not_a_character_device_s),
		cmocka_unit_test(a_device_without_a_driver_has_no_module),
	};

	return cmocka_run_group_tests_name("base chardev", tests, NULL, NULL);
}
