/* Tests of a diff as JSON. */
#include "report/fixture_test.h"

static void nothing_changed_is_an_empty_list(void **state)
{
	const struct diff diff = diff_of(NULL, 0);

	report_diff_json(&out, report_of(&diff));
	assert_has("\"format\": \"drvabi-diff/1\"");
	assert_has("\n"
		   " \"changes\": [],\n");
}

static void a_record_has_its_classes_sizes_and_fields(void **state)
{
	const struct diff diff = diff_of(&a_grew, 1);

	report_diff_json(&out, report_of(&diff));
	assert_has(
		"   \"kind\": \"record\",\n"
		"   \"name\": \"A\",\n"
		"   \"classes\": [\"growth\"],\n"
		"   \"proxied\": false,\n"
		"   \"before\": {\"size\": 4, \"align\": 4, \"is_union\": false, \"source\": \"a.h:1:1\"},\n"
		"   \"after\": {\"size\": 8, \"align\": 4, \"is_union\": false, \"source\": \"a.h:1:1\"},\n"
		"   \"fields\": [\n"
		"    {\"op\": \"added\", \"path\": \"flags\", \"classes\": [\"growth\"], "
		"\"after\": {\"path\": \"flags\", \"offset\": 4, \"size\": 4, \"type\": \"NvU32\"}}\n"
		"   ],\n");
}

static void an_ioctl_has_both_numbers(void **state)
{
	const struct diff diff = diff_of(&a_renumbered, 1);

	report_diff_json(&out, report_of(&diff));
	assert_has(
		"   \"before\": {\"number\": 2049, \"params\": \"A\", \"flags\": [\"privileged\"], \"source\": \"\"},\n"
		"   \"after\": {\"number\": 2050, \"params\": \"A\", \"flags\": [\"privileged\"], \"source\": \"\"}\n");
}

static void with_a_table_it_names_the_entries_that_a_change_touches(void **state)
{
	struct diff_change change = a_renumbered;
	struct diff diff = diff_of(&change, 1);

	change.proxied = true;
	change.entries = entries;
	change.entry_count = 1;
	diff.view = &view;
	report_diff_json(&out, report_of(&diff));
	assert_has("   \"entries\": [\n"
		   "    {\"family\": \"control\", \"name\": \"CMD_A\", \"number\": 2049}\n"
		   "   ]\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(nothing_changed_is_an_empty_list),
		TEST(a_record_has_its_classes_sizes_and_fields),
		TEST(an_ioctl_has_both_numbers),
		TEST(with_a_table_it_names_the_entries_that_a_change_touches),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
