/* patch - merge a patch into the demo driver's table. Existing items and a second merge must not change. */
#include "lib/fuzz.h"

#include <stdlib.h>
#include <string.h>

/* check_base - check that the merged table has all nodes, entries and types of the demo table, unchanged */
static void check_base(const struct table *merged, struct arena *arena)
{
	const struct table *base = fuzz_demo_table();
	struct table_view was;

	for (size_t i = 0; i < base->node_count; i++) {
		const struct table_node *node = table_find_node(merged, base->nodes[i].version);

		MUST(node);
		table_view_at(&was, base, &base->nodes[i], arena);
		for (size_t e = 0; e < was.entry_count; e++) {
			const struct table_entry *entry = table_entry_at(node, was.entries[e]);

			MUST(entry && table_entry_same(entry, was.entries[e]));
		}
	}
	for (size_t i = 0; i < base->type_count; i++) {
		const struct table_type *type = table_find_type(merged, base->types[i].name);

		MUST(type && table_type_same(type, &base->types[i]));
	}
}

static void write(struct strbuf *out, const struct table *table)
{
	struct json_writer writer = { .out = out };

	json_write_table(&writer, table, TABLE_FORMAT);
}

/* check_again - write and read the merged table, merge the patch again, and check that nothing changes */
static void check_again(const struct table *merged, const char *patch, size_t size, struct arena *arena)
{
	struct strbuf once = { 0 }, twice = { 0 };
	struct table read, again;
	struct err err = { "" };

	write(&once, merged);
	MUST_SAY(!json_read_table(&read, NULL, once.text, once.length, "table.json", arena, &err), &err);
	MUST_SAY(!json_read_table(&again, &read, patch, size, "patch.json", arena, &err), &err);
	write(&twice, &again);
	MUST(!strcmp(strbuf_text(&once), strbuf_text(&twice)));
	strbuf_release(&once);
	strbuf_release(&twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	struct arena arena = { 0 };
	struct err err = { "" };
	struct table merged;

	if (json_read_table(&merged, fuzz_demo_table(), text, size, "patch.json", &arena, &err)) {
		fuzz_sentence(&err);
	} else {
		check_base(&merged, &arena);
		check_again(&merged, text, size, &arena);
	}
	arena_release(&arena);
	free(text);
	return 0;
}
