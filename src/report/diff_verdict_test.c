/* Tests of the verdict, the sentence above a diff with a table. */
#include "report/internal.h"
#include "report/fixture_test.h"

#include "history/history.h"

static const struct table_node newer = { .version = "1.9" };

/* Renders the verdict for @choice and @totals. */
static const char *verdict(const struct ranges_choice *choice, struct diff_totals totals)
{
	static struct abi named;
	struct diff diff = diff_of(NULL, 0);
	const struct diff_report report = { .diff = &diff, .choice = choice };

	named = next;
	named.version = choice ? choice->version : next.version;
	diff.next = &named;
	diff.view = &view;
	diff.totals = totals;
	strbuf_reset(&out);
	report_verdict(&out, &report);
	return strbuf_text(&out);
}

static const struct diff_totals six = { .changes = 6, .records = 6 };

static void a_node_that_fits_is_named(void **state)
{
	const struct ranges_choice choice = {
		.version = "2.0", .is_known = true, .node = &node, .follows = &node
	};

	(void)state;
	assert_string_equal(
		verdict(&choice, six),
		"2.0 can use the node of 1.0: 6 forwarded records changed, and proxy reads none of them");
}

static void a_version_may_have_a_node_of_its_own(void **state)
{
	const struct ranges_choice choice = {
		.version = "1.0", .is_known = true, .is_own = true, .node = &node, .follows = &node
	};

	(void)state;
	assert_string_equal(verdict(&choice, (struct diff_totals){ .changes = 0 }),
			    "proxy has a node for 1.0: nothing that proxy forwards changed");
}

static void another_node_than_that_of_its_ancestor_is_said_to_be_so(void **state)
{
	const struct ranges_choice choice = {
		.version = "2.0", .is_known = true, .fit = RANGES_OTHER, .node = &newer, .follows = &node
	};

	(void)state;
	assert_string_equal(
		verdict(&choice, six),
		"2.0 follows the node of 1.0, but can also use that of 1.9: 6 forwarded records changed, and proxy reads none of them");
}

static void a_new_node_is_needed_where_none_fits(void **state)
{
	const struct ranges_choice choice = {
		.version = "2.0", .is_known = true, .fit = RANGES_NEEDS, .follows = &node
	};

	(void)state;
	assert_string_equal(verdict(&choice, (struct diff_totals){ .changes = 14, .records = 14, .read = 4 }),
			    "2.0 needs a new node: 14 forwarded records changed, and proxy reads 4 of them");
}

static void a_version_older_than_the_table_is_told(void **state)
{
	const struct ranges_choice choice = { .version = "0.9",
					      .is_known = true,
					      .fit = RANGES_OLDER,
					      .follows_none = true,
					      .follows = &node };

	(void)state;
	assert_string_equal(verdict(&choice, six),
			    "0.9 is older than the table's first node, 1.0, which does not fit: "
			    "6 forwarded records changed, and proxy reads none of them");
}

static void an_older_version_may_still_fit(void **state)
{
	const struct ranges_choice choice = {
		.version = "0.9", .is_known = true, .follows_none = true, .node = &node, .follows = &node
	};

	(void)state;
	assert_string_equal(verdict(&choice, six),
			    "0.9 can use the node of 1.0, although it is older than the table: "
			    "6 forwarded records changed, and proxy reads none of them");
}

static void what_is_not_known_is_said_with_the_reason(void **state)
{
	const struct ranges_choice choice = { .version = "main", .why = "main is no tag" };

	(void)state;
	assert_string_equal(verdict(&choice, six),
			    "It is unknown which node main can use (main is no tag): "
			    "6 forwarded records changed, and proxy reads none of them");
}

static void one_record_is_told_in_the_singular(void **state)
{
	(void)state;
	assert_string_equal(verdict(NULL, (struct diff_totals){ .changes = 1, .records = 1, .read = 1 }),
			    "1 forwarded record changed, and proxy reads it");
}

static void what_calls_for_a_handler_and_ioctls_are_told_behind(void **state)
{
	(void)state;
	assert_string_equal(
		verdict(NULL, (struct diff_totals){ .changes = 9,
						    .records = 2,
						    .read = 2,
						    .handlers = 1,
						    .removed = 1,
						    .renumbered = 2 }),
		"2 forwarded records changed, and proxy reads all of them; 1 unread record needs a handler; "
		"1 forwarded ioctl is removed; 2 forwarded ioctls have a different number, parameter record or argument");
}

static void a_branch_at_a_tag_is_told_with_it(void **state)
{
	const struct ranges_choice choice = {
		.version = "1.5", .is_known = true, .node = &node, .follows = &node
	};
	struct diff diff = diff_of(NULL, 0);
	const struct diff_report report = { .diff = &diff, .choice = &choice };

	(void)state;
	diff.view = &view;
	report_verdict(&out, &report);
	assert_rendered("2.0 is 1.5; 1.5 can use the node of 1.0: nothing that proxy forwards changed");
}

static void the_proof_names_each_entry_once(void **state)
{
	const struct verify_finding fresh[] = { { .entry = "CMD_A" },
						{ .entry = "CMD_A" },
						{ .entry = "CMD_B" } };
	const struct ranges_choice choice = { .version = "2.0",
					      .is_known = true,
					      .fit = RANGES_NEEDS,
					      .follows = &node,
					      .fresh = fresh,
					      .fresh_count = 3 };
	struct diff diff = diff_of(NULL, 0);
	const struct diff_report report = { .diff = &diff, .choice = &choice };

	(void)state;
	diff.view = &view;
	report_verdict_proof(&out, &report);
	assert_rendered("With node 1.0, verify has 3 findings that it does not have at 1.0, in CMD_A, CMD_B");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_node_that_fits_is_named),
		TEST(a_version_may_have_a_node_of_its_own),
		TEST(another_node_than_that_of_its_ancestor_is_said_to_be_so),
		TEST(a_new_node_is_needed_where_none_fits),
		TEST(a_version_older_than_the_table_is_told),
		TEST(an_older_version_may_still_fit),
		TEST(what_is_not_known_is_said_with_the_reason),
		TEST(one_record_is_told_in_the_singular),
		TEST(what_calls_for_a_handler_and_ioctls_are_told_behind),
		TEST(a_branch_at_a_tag_is_told_with_it),
		TEST(the_proof_names_each_entry_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
