/* Tests of a table in memory: its types and nodes by name, what a node forwards, the order of versions. */
#include "abi/fixture_test.h"

static const struct table_type types[] = {
	{ .name = "ClassID", .size_bytes = 4, .alias = "uint32" },
	{ .name = "Handle", .size_bytes = 4 },
};
static const struct table_entry root_entries[] = {
	{ .family = "alloc", .name = "A", .number = 1 },
	{ .family = "control", .name = "A", .number = 2 },
	{ .family = "control", .name = "B", .number = 3 },
	{ .family = "uvm", .name = "U", .number = 4 },
};
/* Replaces control A, removes control B, adds control AA and an entry that sorts after all others. */
static const struct table_entry child_entries[] = {
	{ .family = "control", .name = "A", .number = 22 },
	{ .family = "control", .name = "AA", .number = 23 },
	{ .family = "control", .name = "B", .removed = true },
	{ .family = "uvm", .name = "V", .number = 5 },
};
static const struct table_entry grandchild_entries[] = {
	{ .family = "control", .name = "B", .number = 33 },
	{ .family = "control", .name = "NEVER", .removed = true },
	{ .family = "uvm", .name = "U", .removed = true },
};
static const struct table_node nodes[] = {
	{ .version = "535.104.05", .entries = root_entries, .entry_count = 4 },
	{ .version = "535.129.03", .parent = &nodes[0], .entries = child_entries, .entry_count = 4 },
	{ .version = "550.40.07", .parent = &nodes[1], .entries = grandchild_entries, .entry_count = 3 },
	{ .version = "545.23.06", .parent = &nodes[0] },
};
static const struct table table = {
	.path = "t.json", .types = types, .type_count = 2, .nodes = nodes, .node_count = 4
};

TEST(a_type_is_found_by_name)
{
	assert_ptr_equal(table_find_type(&table, "Handle"), &types[1]);
	assert_null(table_find_type(&table, "Handles"));
}

TEST(a_node_is_found_by_version)
{
	assert_ptr_equal(table_find_node(&table, "545.23.06"), &nodes[3]);
	assert_null(table_find_node(&table, "545.23.6"));
}

TEST(the_nearest_node_is_the_newest_that_is_not_newer)
{
	static const struct {
		const char *fact, *version;
		const struct table_node *node;
	} rows[] = {
		{ "the nearest node of the root is itself", "535.104.05", &nodes[0] },
		{ "the nearest node of a child is itself", "535.129.03", &nodes[1] },
		{ "the nearest node of a grandchild is itself", "550.40.07", &nodes[2] },
		{ "the nearest node of the last node is itself", "545.23.06", &nodes[3] },
		{ "between two nodes of a branch", "535.113.01", &nodes[0] },
		{ "after the last node of a branch", "535.261.03", &nodes[1] },
		{ "after the only node of a branch", "545.29.02", &nodes[3] },
		{ "after the newest node", "550.54.14", &nodes[2] },
		{ "a branch without a node has the one before", "540.1", &nodes[1] },
		{ "a branch after all nodes has the newest", "615.15.00", &nodes[2] },
		{ "before the first node of a branch, that of the branch before", "550.1", &nodes[3] },
		{ "a version of the oldest branch that is older than all nodes has none", "535.54.03", NULL },
		{ "a branch that is older than all nodes has none", "515.43.04", NULL },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (table_nearest_node(&table, rows[i].version) != rows[i].node)
			fail_msg("%s", rows[i].fact);
}

TEST(a_view_has_what_a_node_forwards)
{
	static const struct {
		const char *fact;
		const struct table_node *node;
		const char *entries;
	} rows[] = {
		{ "the view of the root is its entries", &nodes[0],
		  "alloc/A=1 control/A=2 control/B=3 uvm/U=4 " },
		{ "a view adds, replaces and removes", &nodes[1],
		  "alloc/A=1 control/A=22 control/AA=23 uvm/U=4 uvm/V=5 " },
		{ "a view goes through every generation", &nodes[2],
		  "alloc/A=1 control/A=22 control/AA=23 control/B=33 uvm/V=5 " },
		{ "a node without entries is as its parent", &nodes[3],
		  "alloc/A=1 control/A=2 control/B=3 uvm/U=4 " },
		{ "no node forwards nothing", NULL, "" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct strbuf got = { 0 };
		struct table_view view;

		table_view_at(&view, &table, rows[i].node, &arena);
		assert_ptr_equal(view.node, rows[i].node);
		for (size_t e = 0; e < view.entry_count; e++)
			strbuf_addf(&got, "%s/%s=%d ", view.entries[e]->family, view.entries[e]->name,
				    (int)view.entries[e]->number);
		assert_false(text_differs(rows[i].fact, &got, rows[i].entries));
	}
}

TEST(an_older_version_sorts_before_a_newer_one)
{
	static const struct {
		const char *fact, *older, *newer;
	} rows[] = {
		{ "versions compare as numbers", "535.54.03", "535.104.05" },
		{ "numbers of equal length compare", "535.104.05", "535.113.01" },
		{ "the last number decides", "550.54.14", "550.54.15" },
		{ "the first number decides", "95.1", "100.1" },
		{ "a shorter version is older", "550.54", "550.54.14" },
		{ "no version is the oldest", "", "1" },
		{ "numbers of any length compare", "1.99999999999999999999999999",
		  "1.100000000000000000000000000" },
		{ "zeros in front do not matter", "1.00000000000000000000000009", "1.10" },
		{ "numbers in text compare as numbers", "v6.1-rc2", "v6.1-rc10" },
		{ "a pre-release is older than its release", "v6.1-rc10", "v6.1" },
		{ "a pre-release is older than a package of its release", "v6.1-rc10", "v6.1-1" },
		{ "a pre-release is newer than the release before", "v6.0.9", "v6.1-rc1" },
		{ "text compares as text", "a.1", "b.0" },
		{ "equal numbers in other digits are two versions", "550.54.03", "550.54.3" },
		{ "a number matters more than its digits", "550.54.3", "550.54.04" },
	};

	assert_int_equal(abi_version_compare("550.54.14", "550.54.14"), 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (abi_version_compare(rows[i].older, rows[i].newer) >= 0 ||
		    abi_version_compare(rows[i].newer, rows[i].older) <= 0)
			fail_msg("%s", rows[i].fact);
}

TEST_GROUP(NULL, release_arena)
