/*
 * Compares the types in gVisor's nvproxy, which were written by hand, with the driver's records. Reads the
 * included table and archive.
 */
#include "base/unit_test.h"
#include "cli/cli.h"

static struct arena arena;
static const struct cli_args args = {
	.arena = &arena,
	.profile = "nvidia",
	.target = "x86_64-linux-gnu",
	.archive = "data/nvidia.drvabi",
	.table = "data/nvproxy.json",
	.quiet = true,
};

/*
 * At every node that the archive contains. No type is generated, so each compared type is a type of the
 * table.
 */
TEST(every_type_by_hand_has_the_layout_that_its_record_declares)
{
	struct err err = { "" };
	struct store_request *requests;
	struct table table;
	size_t nodes = 0, pairs = 0, differ = 0;

	assert_int_equal(load_table(&table, &args, &err), 0);
	requests = arena_array(&arena, table.node_count, sizeof(*requests));
	for (size_t i = 0; i < table.node_count; i++) {
		requests[i].version = table.nodes[i].version;
		requests[i].may_lack = true;
	}
	assert_int_equal(load_documents(requests, table.node_count, &args, &err), 0);
	for (size_t i = 0; i < table.node_count; i++) {
		const struct abi *abi = &requests[i].abi;
		struct proxytype_set *set;
		struct table_view view;

		if (requests[i].lacking)
			continue;
		nodes++;
		set = proxytype_set_new(&table, &arena);
		table_view_at(&view, &table, &table.nodes[i], &arena);
		for (size_t e = 0; e < view.entry_count; e++)
			for (size_t s = 0; s < view.entries[e]->struct_count; s++) {
				const struct table_struct *pair = &view.entries[e]->structs[s];
				struct proxytype_request request = { .abi = abi, .record = pair->driver,
								     .parent_abi = abi };
				const struct proxytype *got;

				if (!pair->proxy)
					continue;
				pairs++;
				request.parent = table_find_type(&table, pair->proxy);
				err = (struct err){ "" };
				if (!proxytype_declare(&got, set, &request, &err) &&
				    got->type == request.parent)
					continue;
				differ++;
				print_error("%s: %s is %s, not %s %s\n", abi->version, pair->driver,
					    pair->proxy, *err.text ? "" : got->type->name, err.text);
			}
		proxytype_set_free(set);
	}
	print_message("%zu pairs of a record and a type, at %zu nodes\n", pairs, nodes);
	assert_true(nodes > 20 && pairs > 3000);
	assert_int_equal(differ, 0);
	arena_release(&arena);
}
