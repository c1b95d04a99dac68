/* Tests which ioctls a version offers, which of them a proxy forwards, and what its capabilities expose. */
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static struct arena arena;

static const char *const open_to_all[] = { "non-privileged" };
static const char *const compute[] = { "compute", "utility" };
static const char *const graphics[] = { "graphics" };
static const char *const both[] = { "compute", "graphics" };
static const char *const strange[] = { "strange" };

#define CAPS(list) .caps = (list), .cap_count = sizeof(list) / sizeof(*(list))

static const struct abi_field fields[] = {
	{ .name = "a", .type = "H", .size_bits = 32 },
	{ .name = "who", .type = "H", .offset_bits = 64, .size_bits = 32, .role = ABI_ROLE_PID },
};
static const struct abi_record records[] = {
	{ .name = "R", .fields = fields, .field_count = 2, .size_bytes = 12, .source = "" }
};
static const struct abi_alias aliases[] = { { "H", "unsigned int", 4 } };
static const struct abi_ioctl ioctls[] = {
	{ .family = "alloc", .name = "ROOT", .number = 65, .params = "H", .source = "" },
	{ .family = "control",
	  .name = "CMD_A",
	  .number = 1,
	  .params = "R",
	  .flags = open_to_all,
	  .flag_count = 1,
	  .source = "" },
	{ .family = "control", .name = "CMD_B", .number = 2, .source = "" },
};
static const struct abi document = { .driver = "d",
				     .version = "2",
				     .commit = "",
				     .records = records,
				     .record_count = 1,
				     .aliases = aliases,
				     .alias_count = 1,
				     .ioctls = ioctls,
				     .ioctl_count = 3 };

static const struct table_entry entries[] = {
	{ .family = "alloc", .name = "ROOT", .number = 65, CAPS(compute) },
	{ .family = "control", .name = "CMD_A", .number = 1, CAPS(both) },
	{ .family = "control", .name = "GONE", .number = 9, CAPS(graphics) },
	{ .family = "uvm", .name = "FREE", .number = 1 },
};
static const struct table_entry *const list[] = { &entries[0], &entries[1], &entries[2], &entries[3] };
static const struct table_passed passed[] = { { "control", 0x3, 0x2, "TWO" } };
static const struct table table = { .proxy = "p", .passed = passed, .passed_count = 1 };
static const struct table_view view = { .table = &table, .entries = list, .entry_count = 4 };

static int end_test(void **state)
{
	(void)state;
	arena_release(&arena);
	return 0;
}

static struct surface selected(const struct table_view *with, struct surface_filter filter)
{
	struct surface surface;
	struct err err = { "" };

	if (surface_select(&surface, &document, with, &filter, &arena, &err))
		fail_msg("%s", err.text);
	return surface;
}

static void without_a_table_every_ioctl_is_listed(void **state)
{
	struct surface surface = selected(NULL, (struct surface_filter){ 0 });

	(void)state;
	assert_int_equal(surface.row_count, 3);
	assert_int_equal(surface.forwarded, 0);
	assert_int_equal(surface.rows[0].params_bytes, 4);
	assert_int_equal(surface.rows[1].params_bytes, 12);
	assert_int_equal(surface.rows[2].params_bytes, 0);
}

static void with_a_table_what_the_driver_lacks_is_listed_too(void **state)
{
	struct surface surface = selected(&view, (struct surface_filter){ 0 });

	(void)state;
	assert_int_equal(surface.row_count, 5);
	assert_int_equal(surface.forwarded, 2);
	assert_int_equal(surface.unknown, 2);
	assert_int_equal(surface.passed, 1);
	assert_string_equal(surface.rows[2].passed_as, "TWO");
	assert_null(surface.rows[1].passed_as);
	assert_null(surface.rows[3].ioctl);
	assert_string_equal(surface.rows[3].entry->name, "GONE");
	assert_null(surface.rows[2].entry);
}

static void families_flags_and_names_filter(void **state)
{
	(void)state;
	assert_int_equal(selected(&view, (struct surface_filter){ .family = "control" }).row_count, 3);
	assert_int_equal(selected(&view, (struct surface_filter){ .flag = "non-privileged" }).row_count, 1);
	assert_int_equal(selected(&view, (struct surface_filter){ .name = "CMD_*" }).row_count, 2);
}

static void capabilities_filter(void **state)
{
	const struct profile_strings wanted = { graphics, 1 };

	(void)state;
	assert_int_equal(selected(&view, (struct surface_filter){ .caps = &wanted }).row_count, 2);
}

static const struct caps_one *cap(const struct caps *caps, const char *name)
{
	for (size_t i = 0; i < caps->cap_count; i++)
		if (!strcmp(caps->caps[i].name, name))
			return &caps->caps[i];
	fail_msg("no capability %s", name);
	return NULL;
}

static void what_each_capability_adds_sums_up(void **state)
{
	struct caps caps;

	(void)state;
	caps_count(&caps, &view, NULL, &arena);
	assert_int_equal(caps.cap_count, 10);
	assert_int_equal(cap(&caps, "compute")->entries, 2);
	assert_int_equal(cap(&caps, "compute")->adds, 2);
	assert_int_equal(cap(&caps, "utility")->adds, 0);
	assert_int_equal(cap(&caps, "graphics")->entries, 2);
	assert_int_equal(cap(&caps, "graphics")->adds, 1);
	assert_int_equal(cap(&caps, "graphics")->own, 1);
	assert_int_equal(caps.reached, 3);
}

static void an_entry_without_capabilities_is_reached_by_none(void **state)
{
	struct caps caps;

	(void)state;
	caps_count(&caps, &view, NULL, &arena);
	assert_int_equal(caps.unreached_count, 1);
	assert_string_equal(caps.unreached[0]->name, "FREE");
}

static void families_are_counted(void **state)
{
	struct caps caps;

	(void)state;
	caps_count(&caps, &view, NULL, &arena);
	assert_int_equal(caps.family_count, 3);
	assert_int_equal(cap(&caps, "compute")->by_family[0], 1);
	assert_int_equal(cap(&caps, "compute")->by_family[1], 1);
	assert_int_equal(cap(&caps, "compute")->by_family[2], 0);
}

static void sets_hold_what_lists_the_same(void **state)
{
	struct caps caps;

	(void)state;
	caps_count(&caps, &view, NULL, &arena);
	assert_int_equal(caps.set_count, 3);
	for (size_t i = 0; i < caps.set_count; i++)
		assert_int_equal(caps.sets[i].entry_count, 1);
}

static void the_order_that_is_asked_for_decides_what_adds(void **state)
{
	static const char *const order[] = { "graphics", "compute" };
	const struct profile_strings wanted = { order, 2 };
	struct caps caps;

	(void)state;
	caps_count(&caps, &view, &wanted, &arena);
	assert_int_equal(caps.cap_count, 2);
	assert_string_equal(caps.caps[0].name, "graphics");
	assert_int_equal(caps.caps[0].adds, 2);
	assert_int_equal(caps.caps[1].adds, 1);
}

static void an_unknown_capability_is_counted_last(void **state)
{
	const struct table_entry one = { .family = "control", .name = "X", .number = 3, CAPS(strange) };
	const struct table_entry *const only[] = { &one };
	const struct table_view other = { .entries = only, .entry_count = 1 };
	struct caps caps;

	(void)state;
	caps_count(&caps, &other, NULL, &arena);
	assert_int_equal(caps.cap_count, 11);
	assert_string_equal(caps.caps[10].name, "strange");
	assert_false(caps.caps[10].is_known);
}

static void what_came_and_went_is_told_for_each(void **state)
{
	const struct table_entry older[] = {
		{ .family = "alloc", .name = "ROOT", .number = 65, CAPS(graphics) },
		{ .family = "control", .name = "CMD_A", .number = 1, CAPS(compute) },
		{ .family = "control", .name = "OLD", .number = 3, CAPS(graphics) },
	};
	const struct table_entry *const old_list[] = { &older[0], &older[1], &older[2] };
	const struct table_view base = { .entries = old_list, .entry_count = 3 };
	struct caps_since since;
	struct caps caps;

	(void)state;
	caps_count(&caps, &view, NULL, &arena);
	caps_compare(&since, &caps, &base, &arena);
	assert_string_equal(since.changes[0].name, "compute");
	assert_int_equal(since.changes[0].gained_count, 1);
	assert_string_equal(since.changes[0].gained[0]->name, "ROOT");
	assert_int_equal(since.changes[0].lost_count, 0);
	assert_string_equal(since.changes[2].name, "graphics");
	assert_int_equal(since.changes[2].gained_count, 2);
	assert_int_equal(since.changes[2].lost_count, 2);
	assert_string_equal(since.changes[2].lost[1]->name, "OLD");
}

static void a_role_selects_ioctls_whose_parameters_have_such_a_field(void **state)
{
	struct surface surface =
		selected(&view, (struct surface_filter){ .roles = 1u << ABI_ROLE_PID | 1u << ABI_ROLE_FD });

	(void)state;
	assert_int_equal(surface.row_count, 1);
	assert_string_equal(surface.rows[0].ioctl->name, "CMD_A");
	assert_int_equal(surface.rows[0].field_count, 1);
	assert_string_equal(surface.rows[0].fields[0].path, "who");
	assert_int_equal(surface.rows[0].fields[0].offset_bits, 64);
	assert_int_equal(surface.forwarded, 1);
}

static void without_roles_a_row_has_no_fields(void **state)
{
	struct surface surface = selected(NULL, (struct surface_filter){ 0 });

	(void)state;
	for (size_t i = 0; i < surface.row_count; i++)
		assert_int_equal(surface.rows[i].field_count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(a_role_selects_ioctls_whose_parameters_have_such_a_field, end_test),
		cmocka_unit_test_teardown(without_roles_a_row_has_no_fields, end_test),
		cmocka_unit_test_teardown(without_a_table_every_ioctl_is_listed, end_test),
		cmocka_unit_test_teardown(with_a_table_what_the_driver_lacks_is_listed_too, end_test),
		cmocka_unit_test_teardown(families_flags_and_names_filter, end_test),
		cmocka_unit_test_teardown(capabilities_filter, end_test),
		cmocka_unit_test_teardown(what_each_capability_adds_sums_up, end_test),
		cmocka_unit_test_teardown(an_entry_without_capabilities_is_reached_by_none, end_test),
		cmocka_unit_test_teardown(families_are_counted, end_test),
		cmocka_unit_test_teardown(sets_hold_what_lists_the_same, end_test),
		cmocka_unit_test_teardown(the_order_that_is_asked_for_decides_what_adds, end_test),
		cmocka_unit_test_teardown(an_unknown_capability_is_counted_last, end_test),
		cmocka_unit_test_teardown(what_came_and_went_is_told_for_each, end_test),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
