#include "store/present.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static const struct abi_span always[] = { { 0, 4 } }, early[] = { { 0, 1 } }, late[] = { { 1, 2 }, { 3, 4 } };

/* a in all versions; b in version 0, in 1 and 3 another b; no c */
static const struct unpacked_alias aliases[] = {
	{ .alias = { .name = "a" }, .versions = { always, 1 } },
	{ .alias = { .name = "b" }, .versions = { early, 1 } },
	{ .alias = { .name = "b" }, .versions = { late, 2 } },
	{ .alias = { .name = "c" } },
};

static void assert_listed(struct present *present, uint32_t version, size_t count, size_t last)
{
	const size_t *things;
	bool failed = false;

	assert_int_equal(present_list(&things, present, ABI_ALIAS, version, &failed), count);
	assert_int_equal(things[count - 1], last);
	assert_false(failed);
}

static void each_version_has_its_things(void **state)
{
	const struct unpacked unpacked = { .aliases = aliases, .alias_count = 4 };
	struct present present;

	(void)state;
	assert_true(present_init(&present, &unpacked));
	assert_listed(&present, 0, 2, 1);
	assert_listed(&present, 1, 2, 2);
	assert_listed(&present, 2, 1, 0);
	assert_listed(&present, 3, 2, 2);
	present_release(&present);
}

static void versions_may_be_passed_over(void **state)
{
	const struct unpacked unpacked = { .aliases = aliases, .alias_count = 4 };
	struct present present;

	(void)state;
	assert_true(present_init(&present, &unpacked));
	assert_listed(&present, 3, 2, 2);
	present_release(&present);
}

static void a_name_twice_in_one_version_is_found(void **state)
{
	const struct unpacked_alias twice[] = { aliases[0], aliases[1], aliases[1] };
	const struct unpacked unpacked = { .aliases = twice, .alias_count = 3 };
	struct present present;
	const size_t *things;
	bool failed = false;

	(void)state;
	assert_true(present_init(&present, &unpacked));
	present_list(&things, &present, ABI_ALIAS, 0, &failed);
	assert_true(failed);
	present_release(&present);
}

static void names_out_of_order_are_refused(void **state)
{
	const struct unpacked_alias turned[] = { aliases[1], aliases[0] };
	const struct unpacked unpacked = { .aliases = turned, .alias_count = 2 };
	struct present present;

	(void)state;
	assert_false(present_init(&present, &unpacked));
	present_release(&present);
}

static void ioctls_are_in_the_order_of_family_and_number(void **state)
{
	struct unpacked_ioctl ioctls[] = {
		{ .ioctl = { .family = "alloc", .name = "z", .number = 9 } },
		{ .ioctl = { .family = "control", .name = "y", .number = 2 } },
		{ .ioctl = { .family = "control", .name = "x", .number = 10 } },
	};
	const struct unpacked unpacked = { .ioctls = ioctls, .ioctl_count = 3 };
	struct present present;

	(void)state;
	assert_true(present_init(&present, &unpacked));
	present_release(&present);
	ioctls[2].ioctl.number = 1;
	assert_false(present_init(&present, &unpacked));
	present_release(&present);
}

static void the_elements_of_wanted_versions_are_counted(void **state)
{
	const struct unpacked unpacked = { .aliases = aliases, .alias_count = 4 };
	const bool wanted[] = { false, true, true, true };
	struct present present;

	(void)state;
	assert_true(present_init(&present, &unpacked));
	assert_int_equal(present_bytes(&present, wanted, 4), 5 * sizeof(struct abi_alias));
	present_release(&present);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_version_has_its_things),
		cmocka_unit_test(versions_may_be_passed_over),
		cmocka_unit_test(a_name_twice_in_one_version_is_found),
		cmocka_unit_test(names_out_of_order_are_refused),
		cmocka_unit_test(ioctls_are_in_the_order_of_family_and_number),
		cmocka_unit_test(the_elements_of_wanted_versions_are_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
