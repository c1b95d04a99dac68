#include "abi/abi.h"

#include <stdarg.h>
#include <setjmp.h>
#include <string.h>
#include <cmocka.h>

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
static const struct table table = { .path = "t.json",
				    .types = types,
				    .type_count = 2,
				    .nodes = nodes,
				    .node_count = 4 };

static void a_type_is_found_by_name(void **state)
{
	(void)state;
	assert_ptr_equal(table_find_type(&table, "Handle"), &types[1]);
	assert_null(table_find_type(&table, "Handles"));
}

static void a_node_is_found_by_version(void **state)
{
	(void)state;
	assert_ptr_equal(table_find_node(&table, "545.23.06"), &nodes[3]);
	assert_null(table_find_node(&table, "545.23.6"));
}

static void assert_nearest(const char *version, const struct table_node *want)
{
	assert_ptr_equal(table_nearest_node(&table, version), want);
}

static void the_nearest_node_of_a_node_is_itself(void **state)
{
	(void)state;
	for (size_t i = 0; i < 4; i++)
		assert_nearest(nodes[i].version, &nodes[i]);
}

static void the_nearest_node_is_the_newest_that_is_not_newer(void **state)
{
	(void)state;
	assert_nearest("535.113.01", &nodes[0]);
	assert_nearest("535.261.03", &nodes[1]);
	assert_nearest("545.29.02", &nodes[3]);
	assert_nearest("550.54.14", &nodes[2]);
}

static void a_branch_without_a_node_has_the_one_before(void **state)
{
	(void)state;
	assert_nearest("540.1", &nodes[1]);
	assert_nearest("615.15.00", &nodes[2]);
	assert_nearest("550.1", &nodes[3]);
}

static void a_version_older_than_all_nodes_has_none(void **state)
{
	(void)state;
	assert_null(table_nearest_node(&table, "535.54.03"));
	assert_null(table_nearest_node(&table, "515.43.04"));
}

static void assert_view(const struct table_node *node, const char *want)
{
	struct arena arena = { 0 };
	struct strbuf got = { 0 };
	struct table_view view;

	table_view_at(&view, &table, node, &arena);
	assert_ptr_equal(view.node, node);
	for (size_t i = 0; i < view.entry_count; i++)
		strbuf_addf(&got, "%s/%s=%d ", view.entries[i]->family, view.entries[i]->name,
			    (int)view.entries[i]->number);
	assert_string_equal(strbuf_text(&got), want);
	strbuf_release(&got);
	arena_release(&arena);
}

static void the_view_of_the_root_is_its_entries(void **state)
{
	(void)state;
	assert_view(&nodes[0], "alloc/A=1 control/A=2 control/B=3 uvm/U=4 ");
}

static void a_view_adds_replaces_and_removes(void **state)
{
	(void)state;
	assert_view(&nodes[1], "alloc/A=1 control/A=22 control/AA=23 uvm/U=4 uvm/V=5 ");
}

static void a_view_goes_through_every_generation(void **state)
{
	(void)state;
	assert_view(&nodes[2], "alloc/A=1 control/A=22 control/AA=23 control/B=33 uvm/V=5 ");
}

static void a_node_without_entries_is_as_its_parent(void **state)
{
	(void)state;
	assert_view(&nodes[3], "alloc/A=1 control/A=2 control/B=3 uvm/U=4 ");
}

static void no_node_forwards_nothing(void **state)
{
	(void)state;
	assert_view(NULL, "");
}

static void assert_older(const char *a, const char *b)
{
	if (abi_version_compare(a, b) >= 0 || abi_version_compare(b, a) <= 0)
		fail_msg("%s is not older than %s", a, b);
}

static void versions_compare_as_numbers(void **state)
{
	(void)state;
	assert_older("535.54.03", "535.104.05");
	assert_older("535.104.05", "535.113.01");
	assert_older("550.54.14", "550.54.15");
	assert_older("95.1", "100.1");
	assert_older("550.54", "550.54.14");
	assert_older("", "1");
}

static void numbers_of_any_length_compare(void **state)
{
	(void)state;
	assert_older("1.99999999999999999999999999", "1.100000000000000000000000000");
	assert_older("1.00000000000000000000000009", "1.10");
}

static void text_in_versions_compares_as_text(void **state)
{
	(void)state;
	assert_older("v6.1-rc2", "v6.1-rc10");
	assert_older("a.1", "b.0");
}

static void only_the_same_text_is_the_same_version(void **state)
{
	(void)state;
	assert_int_equal(abi_version_compare("550.54.14", "550.54.14"), 0);
	assert_older("550.54.03", "550.54.3");
	assert_older("550.54.3", "550.54.04");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_type_is_found_by_name),
		cmocka_unit_test(a_node_is_found_by_version),
		cmocka_unit_test(the_nearest_node_of_a_node_is_itself),
		cmocka_unit_test(the_nearest_node_is_the_newest_that_is_not_newer),
		cmocka_unit_test(a_branch_without_a_node_has_the_one_before),
		cmocka_unit_test(a_version_older_than_all_nodes_has_none),
		cmocka_unit_test(the_view_of_the_root_is_its_entries),
		cmocka_unit_test(a_view_adds_replaces_and_removes),
		cmocka_unit_test(a_view_goes_through_every_generation),
		cmocka_unit_test(a_node_without_entries_is_as_its_parent),
		cmocka_unit_test(no_node_forwards_nothing),
		cmocka_unit_test(versions_compare_as_numbers),
		cmocka_unit_test(numbers_of_any_length_compare),
		cmocka_unit_test(text_in_versions_compares_as_text),
		cmocka_unit_test(only_the_same_text_is_the_same_version),
	};

	return cmocka_run_group_tests_name("table", tests, NULL, NULL);
}
