/* Tests of the ioctls of a version, and of those that the capabilities of a proxy expose. */
#include "report/fixture_test.h"

static const struct surface_row row_of_a = { .ioctl = &cmd_a, .params = "A", .params_bytes = 8 },
				forwarded_row = { .ioctl = &cmd_a,
						  .params = "A",
						  .entry = &entry_of_a,
						  .params_bytes = 8 };

static const char *const families[] = { "control" };
static const size_t by_family[] = { 1 };
static const struct caps_one cap = { .name = "compute",
				     .is_known = true,
				     .entries = 1,
				     .adds = 1,
				     .own = 1,
				     .by_family = by_family };
static const struct caps_set set = { compute, 1, entries, 1 };
static const struct caps caps = { .view = &view,
				  .families = families,
				  .family_count = 1,
				  .caps = &cap,
				  .cap_count = 1,
				  .sets = &set,
				  .set_count = 1,
				  .reached = 1 };

static void an_ioctl_is_a_line_with_its_number_and_parameters(void **state)
{
	const struct surface surface = { .abi = &next, .rows = &row_of_a, .row_count = 1 };

	report_surface_text(&out, &surface, &plain);
	assert_has("toy 2.0: 1 ioctl\n"
		   "\n"
		   "control   0x801       CMD_A  A, 8 bytes\n");
}

static void flags_are_for_those_who_ask(void **state)
{
	const struct surface surface = { .abi = &next, .rows = &row_of_a, .row_count = 1 };

	report_surface_text(&out, &surface, &verbose);
	assert_has("control   0x801       CMD_A  A, 8 bytes\n"
		   "                      privileged\n");
}

#define LONG_NAME "NV0100_CTRL_CMD_PERFORM_LOCK_STRESS_INTERNAL_NO_GPUS_LOCK_API_LOCK_READ_MODE"

static void names_that_are_too_long_for_one_line_are_not_broken(void **state)
{
	static const struct abi_ioctl cmd = {
		.family = "control", .name = LONG_NAME, .number = 0x801, .params = "A", .source = ""
	};
	const struct surface_row row = { .ioctl = &cmd, .params = "A", .params_bytes = 8 };
	const struct surface surface = { .abi = &next, .rows = &row, .row_count = 1 };

	report_surface_text(&out, &surface, &plain);
	assert_has("control   0x801\n"
		   "    " LONG_NAME "\n"
		   "                      A, 8 bytes\n");
}

static const struct surface_row row_with_handle = { .ioctl = &cmd_a,
						    .params = "A",
						    .params_bytes = 8,
						    .fields = leaves_of_a,
						    .field_count = 1 };
static const struct surface handles = { .abi = &next,
					.rows = &row_with_handle,
					.row_count = 1,
					.roles = 1u << ABI_ROLE_HANDLE };

static void fields_of_the_roles_that_are_asked_for_stand_below(void **state)
{
	report_surface_text(&out, &handles, &plain);
	assert_has("control   0x801       CMD_A  A, 8 bytes\n"
		   "            0  handle    handle  NvHandle\n");
}

static void with_a_table_it_says_what_is_forwarded(void **state)
{
	const struct surface surface = {
		.abi = &next, .view = &view, .rows = &forwarded_row, .row_count = 1, .forwarded = 1
	};

	report_surface_text(&out, &surface, &plain);
	assert_has("toy 2.0: 1 ioctl, 1 forwarded (*) by proxy (node 1.0)\n");
	assert_has("* control   0x801       CMD_A ");
}

static void an_entry_that_the_driver_does_not_have_is_shown(void **state)
{
	const struct surface_row row = { .entry = &entry_of_a };
	const struct surface surface = {
		.abi = &next, .view = &view, .rows = &row, .row_count = 1, .unknown = 1
	};

	report_surface_text(&out, &surface, &plain);
	assert_has("not in the driver's tables\n");
}

static void json_has_an_object_for_each_ioctl(void **state)
{
	const struct surface surface = {
		.abi = &next, .view = &view, .rows = &forwarded_row, .row_count = 1, .forwarded = 1
	};

	report_surface_json(&out, &surface, NULL, NULL);
	assert_has(
		"  {\"family\": \"control\", \"number\": 2049, \"name\": \"CMD_A\", \"in_driver\": true, "
		"\"params\": \"A\", \"params_size\": 8, \"flags\": [\"privileged\"], \"forwarded\": true, \"caps\": [\"compute\"]}\n");
}

static void capabilities_say_what_each_adds(void **state)
{
	report_caps_text(&out, &caps, NULL, &plain);
	assert_rendered("proxy at node 1.0: 1 entries, 1 of them exposed by 1 of 1 capabilities\n"
			"\n"
			"capability          entries    adds  only by it    control\n"
			"compute                   1       1           1          1\n"
			"\n"
			"no entry is shared by two capabilities\n"
			"\n"
			"every entry of the node is reached by some capability\n");
}

static void capabilities_say_what_each_gained(void **state)
{
	static const struct caps_change gained = { "compute", entries, 1, NULL, 0 };
	const struct caps_since since = { &view, &gained, 1 };

	report_caps_text(&out, &caps, &since, &plain);
	assert_has("  compute +1 -0\n"
		   "    + control  CMD_A\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(an_ioctl_is_a_line_with_its_number_and_parameters),
		TEST(flags_are_for_those_who_ask),
		TEST(names_that_are_too_long_for_one_line_are_not_broken),
		TEST(fields_of_the_roles_that_are_asked_for_stand_below),
		TEST(with_a_table_it_says_what_is_forwarded),
		TEST(an_entry_that_the_driver_does_not_have_is_shown),
		TEST(json_has_an_object_for_each_ioctl),
		TEST(capabilities_say_what_each_adds),
		TEST(capabilities_say_what_each_gained),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
