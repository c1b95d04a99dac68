/* Tests of the verdict, the sentence above a diff with a table. */
#include "report/internal.h"
#include "report/fixture_test.h"

#include "history/history.h"

static const struct table_node newer = { .version = "1.9" };

/* Renders the verdict for @choice, or NULL, and @totals. */
static void render_verdict(const struct ranges_choice *choice, struct diff_totals totals)
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
}

#define SIX_CHANGES { .changes = 6, .records = 6 }

static const struct {
	const char *fact;
	struct ranges_choice choice; /* of no version: none is given */
	struct diff_totals totals;
	const char *verdict;
} verdicts[] = {
	{ "a node that fits is named",
	  { .version = "2.0", .is_known = true, .node = &node, .follows = &node }, SIX_CHANGES,
	  "2.0 can use the node of 1.0: 6 forwarded records changed, and proxy reads none of them" },
	{ "a version may have a node of its own",
	  { .version = "1.0", .is_known = true, .is_own = true, .node = &node, .follows = &node }, { 0 },
	  "proxy has a node for 1.0: nothing that proxy forwards changed" },
	{ "another node than that of its ancestor",
	  { .version = "2.0", .is_known = true, .fit = RANGES_OTHER, .node = &newer, .follows = &node }, SIX_CHANGES,
	  "2.0 follows the node of 1.0, but can also use that of 1.9: "
	  "6 forwarded records changed, and proxy reads none of them" },
	{ "a new node is needed if none fits",
	  { .version = "2.0", .is_known = true, .fit = RANGES_NEEDS, .follows = &node },
	  { .changes = 14, .records = 14, .read = 4 },
	  "2.0 needs a new node: 14 forwarded records changed, and proxy reads 4 of them" },
	{ "a version older than the table",
	  { .version = "0.9", .is_known = true, .fit = RANGES_OLDER, .follows_none = true, .follows = &node },
	  SIX_CHANGES,
	  "0.9 is older than the table's first node, 1.0, which does not fit: "
	  "6 forwarded records changed, and proxy reads none of them" },
	{ "an older version may still fit",
	  { .version = "0.9", .is_known = true, .follows_none = true, .node = &node, .follows = &node }, SIX_CHANGES,
	  "0.9 can use the node of 1.0, although it is older than the table: "
	  "6 forwarded records changed, and proxy reads none of them" },
	{ "an unknown node has a reason",
	  { .version = "main", .why = "main is no tag" }, SIX_CHANGES,
	  "It is unknown which node main can use (main is no tag): "
	  "6 forwarded records changed, and proxy reads none of them" },
	{ "one record is in the singular", { 0 }, { .changes = 1, .records = 1, .read = 1 },
	  "1 forwarded record changed, and proxy reads it" },
	{ "records that need a handler and changed ioctls are at the end", { 0 },
	  { .changes = 9, .records = 2, .read = 2, .handlers = 1, .removed = 1, .renumbered = 2 },
	  "2 forwarded records changed, and proxy reads all of them; 1 unread record needs a handler; "
	  "1 forwarded ioctl is removed; 2 forwarded ioctls have a different number, parameter record or argument" },
};

static void the_verdict_is_one_sentence(void **state)
{
	for (size_t i = 0; i < COUNT(verdicts); i++) {
		fact = verdicts[i].fact;
		render_verdict(verdicts[i].choice.version ? &verdicts[i].choice : NULL, verdicts[i].totals);
		assert_rendered(verdicts[i].verdict);
	}
}

static void a_branch_at_a_tag_is_told_with_it(void **state)
{
	const struct ranges_choice choice = {
		.version = "1.5", .is_known = true, .node = &node, .follows = &node
	};
	struct diff diff = diff_of(NULL, 0);
	const struct diff_report report = { .diff = &diff, .choice = &choice };

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

	diff.view = &view;
	report_verdict_proof(&out, &report);
	assert_rendered("With node 1.0, verify has 3 findings that it does not have at 1.0, in CMD_A, CMD_B");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_verdict_is_one_sentence),
		TEST(a_branch_at_a_tag_is_told_with_it),
		TEST(the_proof_names_each_entry_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
