/* Tests of a history as text. */
#include "report/fixture_test.h"

static void without_a_filter_each_step_is_a_line(void **state)
{
	struct one_event one;

	report_history(&out, history_of(&one, &a_grew), &plain);
	assert_has("toy: 2 versions, 1.0 to 2.0  (x86_64-linux-gnu)\n  1 change in 1 of 1 step\n");
	assert_has("  2.0 after 1.0: 1 change\n");
	assert_lacks("struct A");
}

static void one_version_shows_its_changes(void **state)
{
	static const bool last[] = { false, true };
	struct one_event one;
	const struct history_report *report = history_of(&one, &a_grew);

	one.filter = (struct history_filter){ .versions = last, .version_count = 1 };
	report_history(&out, report, &plain);
	assert_has("  only at 2.0\n  1 change in 1 of 1 step");
	assert_has("struct A");
}

static void a_version_that_could_not_be_read_is_named(void **state)
{
	struct history_version some[] = { versions[0], versions[1] };
	struct history_graph partly = graph;
	struct one_event one;
	const struct history_report *report = history_of(&one, &a_grew);

	some[1].abi = NULL;
	partly.versions = some;
	one.history.graph = &partly;
	report_history(&out, report, &plain);
	assert_has("  not read, and left out: 2.0\n");
	strbuf_reset(&out);
	report_history(&out, report, &markdown);
	assert_has("\nnot read, and left out: 2.0\n");
}

static void classes_are_named(void **state)
{
	struct one_event one;
	const struct history_report *report = history_of(&one, &a_grew);

	one.filter = (struct history_filter){ .classes = DIFF_TRANSLATION | DIFF_GROWTH };
	report_history(&out, report, &plain);
	assert_has("  only changes of class translation, growth\n");
	assert_has("struct A");
}

static void a_filter_shows_each_change_below_its_step(void **state)
{
	static const char *const names[] = { "A" };
	struct one_event one;
	const struct history_report *report = history_of(&one, &a_grew);

	one.filter = (struct history_filter){ .names = names, .name_count = 1 };
	report_history(&out, report, &plain);
	assert_has("2.0 after 1.0\n  [growth] struct A  4 -> 8 bytes\n");
}

static void a_span_says_since_when_and_until_when(void **state)
{
	static const size_t since[] = { 0 }, until[] = { 1 };
	static const struct history_move gone = { .name = NULL };
	const struct history_span span = { .kind = ABI_RECORD,
					   .name = "A",
					   .since = since,
					   .since_count = 1,
					   .until = until,
					   .until_count = 1,
					   .version_count = 1,
					   .was = &gone,
					   .now = &gone };
	struct one_event one;
	const struct history_report *report = history_of(&one, &a_grew);

	one.spans = (struct history_spans){ &span, 1 };
	report_history(&out, report, &plain);
	assert_has("record A\n    since 1.0; removed in 2.0; in 1 of 2 releases\n");
}

static void a_change_inside_a_release_says_so(void **state)
{
	static const char *const names[] = { "A" };
	static const struct history_edge inside = { .version = 1, .parent = 0, .inside_release = true };
	static const struct history_graph inner = { versions, 2, &inside, 1 };
	struct one_event one;
	const struct history_report *report = history_of(&one, &a_grew);

	one.filter = (struct history_filter){ .names = names, .name_count = 1 };
	one.history.graph = &inner;
	report_history(&out, report, &plain);
	assert_has("2.0 after 1.0, inside release 2\n");
}

static void an_ioctl_with_another_number_is_among_the_numbers(void **state)
{
	struct one_event one;
	const struct history_report *report = history_of(&one, &a_renumbered);

	one.event.renumbered = true;
	one.history.numbers.renumbered = 1;
	report_history(&out, report, &plain);
	assert_has("Numbers: 1 ioctl has a new number, 0 numbers passed to a different ioctl;");
	assert_has("  control CMD_A  0x801 -> 0x802\n      at 2.0 after 1.0\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(without_a_filter_each_step_is_a_line),
		TEST(one_version_shows_its_changes),
		TEST(a_version_that_could_not_be_read_is_named),
		TEST(classes_are_named),
		TEST(a_filter_shows_each_change_below_its_step),
		TEST(a_span_says_since_when_and_until_when),
		TEST(a_change_inside_a_release_says_so),
		TEST(an_ioctl_with_another_number_is_among_the_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
