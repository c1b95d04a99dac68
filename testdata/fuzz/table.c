/* table - read proxy tables as JSON, and verify each node against the demo driver */
#include "lib/fuzz.h"

#include <stdlib.h>
#include <string.h>

enum { NODES_MAX = 8 };

/* check_view - check that entries are sorted and unique, and that none is removed */
static void check_view(const struct table_view *view)
{
	for (size_t i = 0; i < view->entry_count; i++) {
		const struct table_entry *entry = view->entries[i], *before = i ? view->entries[i - 1] : NULL;
		int order = before ? strcmp(before->family, entry->family) : -1;

		MUST(!entry->removed);
		MUST(order < 0 || (!order && strcmp(before->name, entry->name) < 0));
	}
}

/* round_trip - write the table, and check that reading gives the same table */
static void round_trip(const struct table *table, struct arena *arena)
{
	struct strbuf once = { 0 }, twice = { 0 };
	struct json_writer first = { .out = &once }, second = { .out = &twice };
	struct err err = { "" };
	struct table read;

	json_write_table(&first, table, TABLE_FORMAT);
	MUST_SAY(!json_read_table(&read, NULL, once.text, once.length, "written.json", arena, &err), &err);
	json_write_table(&second, &read, TABLE_FORMAT);
	MUST(!strcmp(strbuf_text(&once), strbuf_text(&twice)));
	strbuf_release(&once);
	strbuf_release(&twice);
}

static void use(const struct table *table, struct arena *arena)
{
	struct table_view view;

	MUST(table->node_count > 0);
	round_trip(table, arena);
	table_nearest_node(table, "110.05.00");
	for (size_t i = 0; i < table->node_count && i < NODES_MAX; i++) {
		MUST(!table->nodes[i].parent || table->nodes[i].parent < &table->nodes[i]);
		MUST(table_find_node(table, table->nodes[i].version) == &table->nodes[i]);
		table_view_at(&view, table, &table->nodes[i], arena);
		check_view(&view);
		fuzz_verify(fuzz_demo_abi(), &view, NULL);
	}
	table_view_at(&view, table, &table->nodes[0], arena);
	fuzz_diff(fuzz_demo_abi(), fuzz_demo_abi(), &view);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	struct arena arena = { 0 };
	struct err err = { "" };
	struct table table;

	if (json_read_table(&table, NULL, text, size, "table.json", &arena, &err))
		fuzz_sentence(&err);
	else
		use(&table, &arena);
	arena_release(&arena);
	free(text);
	return 0;
}
