/* The ioctls of a version, and what the capabilities of a proxy expose. */
#include "report/fixture_test.h"

static const struct surface_row row_of_a = { &cmd_a, NULL, 8 }, forwarded_row = { &cmd_a, &entry_of_a, 8 };

static const char *const families[] = { "control" };
static const size_t by_family[] = { 1 };
static const struct caps_one cap = { .name = "compute", .is_known = true, .entries = 1, .adds = 1, .own = 1, .by_family = by_family };
static const struct caps_set set = { compute, 1, entries, 1 };
static const struct caps caps = { .view = &view, .families = families, .family_count = 1, .caps = &cap, .cap_count = 1, .sets = &set,
				  .set_count = 1, .reached = 1 };

static void an_ioctl_is_a_line_with_number_parameters_and_flags(void **state)
{
	const struct surface surface = { &next, NULL, &row_of_a, 1, 0, 0 };

	(void)state;
	report_surface_text(&out, &surface, &plain);
	assert_has("toy 2.0: 1 ioctl\n"
		   "\n"
		   "control   0x801       CMD_A                                                            A 8  privileged\n");
}

static void with_a_table_it_says_what_is_forwarded(void **state)
{
	const struct surface surface = { &next, &view, &forwarded_row, 1, 1, 0 };

	(void)state;
	report_surface_text(&out, &surface, &plain);
	assert_has("control   0x801       forwarded  CMD_A ");
}

static void an_entry_that_the_driver_does_not_have_is_shown(void **state)
{
	const struct surface_row row = { NULL, &entry_of_a, 0 };
	const struct surface surface = { &next, &view, &row, 1, 0, 1 };

	(void)state;
	report_surface_text(&out, &surface, &plain);
	assert_has("not in the driver's tables\n");
}

static void csv_has_a_row_for_each_ioctl(void **state)
{
	const struct surface surface = { &next, NULL, &row_of_a, 1, 0, 0 };

	(void)state;
	report_surface_csv(&out, &surface);
	assert_rendered("family,number,name,params,params_size,flags,access,forwarded,caps\n"
			"control,0x801,CMD_A,A,8,privileged,,,\n");
}

static void json_has_an_object_for_each_ioctl(void **state)
{
	const struct surface surface = { &next, &view, &forwarded_row, 1, 1, 0 };

	(void)state;
	report_surface_json(&out, &surface, NULL, NULL);
	assert_has("  {\"family\": \"control\", \"number\": 2049, \"name\": \"CMD_A\", \"in_driver\": true, "
		   "\"params\": \"A\", \"params_size\": 8, \"flags\": [\"privileged\"], \"forwarded\": true, \"caps\": [\"compute\"]}\n");
}

static void capabilities_say_what_each_adds(void **state)
{
	(void)state;
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

	(void)state;
	report_caps_text(&out, &caps, &since, &plain);
	assert_has("  compute +1 -0\n"
		   "    + control  CMD_A\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(an_ioctl_is_a_line_with_number_parameters_and_flags),
		TEST(with_a_table_it_says_what_is_forwarded),
		TEST(an_entry_that_the_driver_does_not_have_is_shown),
		TEST(csv_has_a_row_for_each_ioctl),
		TEST(json_has_an_object_for_each_ioctl),
		TEST(capabilities_say_what_each_adds),
		TEST(capabilities_say_what_each_gained),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
