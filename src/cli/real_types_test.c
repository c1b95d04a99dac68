/*
 * Compares the types in gVisor's nvproxy, which were written by hand, with the driver's records. Reads the
 * included table and archive.
 */
#include "cli/cli.h"

#include "gen/gen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static struct arena arena;
static const struct cli_args args = {
	.arena = &arena,
	.profile = "nvidia",
	.target = "x86_64-linux-gnu",
	.archive = "data/nvidia.drvabi",
	.table = "data/nvproxy.json",
	.quiet = true,
};

/* The comparison at one node of the table. */
struct checked {
	const struct table *table;
	const struct abi *abi;
	size_t pairs;  /* the number of pairs of a record and a type of the proxy */
	size_t differ;
	struct arena *arena;
};

static void check_pair(struct checked *checked, const struct table_struct *pair, struct proxytype_set *set)
{
	struct proxytype_request request = { .abi = checked->abi,
					     .record = pair->driver,
					     .parent_abi = checked->abi };
	const struct proxytype *got;
	struct err err = { "" };

	request.parent = table_find_type(checked->table, pair->proxy);
	checked->pairs++;
	if (!proxytype_declare(&got, set, &request, &err) && got->type == request.parent)
		return;
	checked->differ++;
	print_error("%s: %s is %s, not %s %s\n", checked->abi->version, pair->driver, pair->proxy,
		    *err.text ? "" : got->type->name, err.text);
}

static void check_node(struct checked *checked, const struct table_node *node)
{
	struct proxytype_set *set = proxytype_set_new(checked->table, checked->arena);
	struct table_view view;

	table_view_at(&view, checked->table, node, checked->arena);
	for (size_t i = 0; i < view.entry_count; i++)
		for (size_t j = 0; j < view.entries[i]->struct_count; j++)
			if (view.entries[i]->structs[j].proxy)
				check_pair(checked, &view.entries[i]->structs[j], set);
	proxytype_set_free(set);
}

/*
 * At every node that the archive contains. No type is generated, so each compared type is a type of the
 * table.
 */
static void every_type_by_hand_has_the_layout_that_its_record_declares(void **state)
{
	struct err err = { "" };
	struct store_request *requests;
	struct table table;
	struct checked checked = { .table = &table, .arena = &arena };
	size_t nodes = 0;

	assert_int_equal(load_table(&table, &args, &err), 0);
	requests = arena_array(&arena, table.node_count, sizeof(*requests));
	for (size_t i = 0; i < table.node_count; i++) {
		requests[i].version = table.nodes[i].version;
		requests[i].may_lack = true;
	}
	assert_int_equal(load_documents(requests, table.node_count, &args, &err), 0);
	for (size_t i = 0; i < table.node_count; i++) {
		if (requests[i].lacking)
			continue;
		checked.abi = &requests[i].abi;
		check_node(&checked, &table.nodes[i]);
		nodes++;
	}
	print_message("%zu pairs of a record and a type, at %zu nodes\n", checked.pairs, nodes);
	assert_true(nodes > 20 && checked.pairs > 3000);
	assert_int_equal(checked.differ, 0);
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_type_by_hand_has_the_layout_that_its_record_declares),
	};

	return cmocka_run_group_tests_name("real_types", tests, NULL, NULL);
}
