/* Tests of a history as JSON. */
#include "report/fixture_test.h"

static void an_event_has_its_edges_and_what_changed(void **state)
{
	struct one_event one;

	report_history_json(&out, history_of(&one, &a_grew));
	assert_has("\"format\": \"drvabi-history/1\"");
	assert_has(
		"   \"edges\": [\n"
		"    {\"version\": \"2.0\", \"parent\": \"1.0\", \"inside_release\": false}\n"
		"   ],\n"
		"   \"kind\": \"record\",\n"
		"   \"name\": \"A\",\n"
		"   \"classes\": [\"growth\"],\n"
		"   \"before\": {\"size\": 4, \"align\": 4, \"is_union\": false, \"source\": \"a.h:1:1\"},\n"
		"   \"after\": {\"size\": 8, \"align\": 4, \"is_union\": false, \"source\": \"a.h:1:1\"},\n");
}

static void versions_have_their_parent_by_name(void **state)
{
	struct one_event one;

	report_history_json(&out, history_of(&one, &a_grew));
	assert_has("  {\"version\": \"1.0\", \"commit\": \"c1\", \"parent\": null, \"on_main\": true},\n"
		   "  {\"version\": \"2.0\", \"commit\": \"c2\", \"parent\": \"1.0\", \"on_main\": true}\n");
}

static void an_ioctl_has_both_numbers(void **state)
{
	struct one_event one;

	report_history_json(&out, history_of(&one, &a_renumbered));
	assert_has("   \"before\": 2049,\n"
		   "   \"after\": 2050,\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(an_event_has_its_edges_and_what_changed),
		TEST(versions_have_their_parent_by_name),
		TEST(an_ioctl_has_both_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
