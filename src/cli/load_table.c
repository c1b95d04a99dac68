#include "cli/load_table.h"

#include "cli/load.h"
#include "cli/load_header.h"
#include "cli/nearby.h"
#include "cli/output.h"
#include "json/json.h"

#include <string.h>

enum { TABLE_LIMIT_BYTES = 256 * 1024 * 1024 };

int load_table(struct table *out, const struct cli_args *args, struct arena *arena, struct err *err)
{
	struct strbuf file = { 0 };
	int rc;

	if (args->table_from_header)
		return load_header_table(out, args, arena, err);
	rc = file_read(&file, args->table, TABLE_LIMIT_BYTES, err);
	if (!rc)
		rc = json_read_table(out, strbuf_text(&file), file.length, args->table, arena, err);
	strbuf_release(&file);
	return rc;
}

int load_table_for(struct table *out, const char *driver, const struct cli_args *args, struct arena *arena, struct err *err)
{
	struct table table;
	int rc;

	if ((rc = load_table(&table, args, arena, err)))
		return rc;
	if (strcmp(table.driver, driver))
		return err_set(err, ERR_USAGE, "%s is a table for the driver %s, not for %s", table.path, table.driver, driver);
	*out = table;
	return 0;
}

/* A note if another node stands for @version. Text and JSON name the node of a release themselves, CSV does not. */
static void note_node(const struct table *table, const struct table_node *node, const char *version, const struct cli_args *args)
{
	bool is_csv = !strcmp(args->format, "csv");

	if (!table_nearest_node(table, version))
		output_note(args, "all nodes of %s are newer than %s; its first, %s, stands for it", table->path, version, node->version);
	else if (strcmp(node->version, version) && (is_csv || !nearby_are_releases(node->version, version)))
		output_note(args, "%s has no node %s; %s stands for it", table->path, version, node->version);
}

int load_table_view(struct table_view *view, struct table *table, const struct abi *abi, const struct cli_args *args,
		    struct arena *arena, struct err *err)
{
	const struct table_node *node;
	int rc;

	if ((rc = load_table_for(table, abi->driver, args, arena, err)))
		return rc;
	node = table_nearest_node(table, abi->version);
	if (!node)
		node = &table->nodes[0];
	note_node(table, node, abi->version, args);
	table_view_at(view, table, node, arena);
	return 0;
}
