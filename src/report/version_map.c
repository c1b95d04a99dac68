/*
 * report/version_map.c - the node that each release may use, for a proxy that loads this map when it starts
 *
 * 1. A release is proven if verify has no new finding with the node, and diff finds no change of items that
 *    the table reads. All other releases are left out, so that a lookup of them fails.
 * 2. Releases with the same node and the same hash share a row.
 * 3. The rows are written as JSON ("drvabi-version-map/1") or as a Go package, which has the functions of
 *    version_map.in and a table.
 */
#include "report/internal.h"

#ifndef PAGE_DIR
#error "PAGE_DIR is not defined; the Makefile sets it to the directory of version_map.in"
#endif

EMBED(version_map_frame, PAGE_DIR "/version_map.in");

struct map_row {
	const struct ranges_version *first;
	const char **versions;
	size_t count;
};

struct version_map {
	const struct ranges_report *report;
	const char *table_hash; /* hash of the table as drvabi table prints it */
	struct map_row *rows;
	size_t row_count;
};

/* Returns true if @version is two or three numbers with dots between them, as for the driver's releases. */
static bool is_release(const char *version)
{
	size_t numbers = 0;

	for (size_t length; (length = strspn(version, "0123456789")) && length < 10; version++) {
		version += length;
		if (++numbers && *version != '.')
			return !*version && (numbers == 2 || numbers == 3);
	}
	return false;
}

/* Sets the rows: one for all proven releases with one node and one hash. Return: the number of releases. */
static size_t collect_rows(struct version_map *map, struct arena *arena)
{
	const struct ranges *ranges = map->report->ranges;
	const size_t total = ranges->graph->version_count;
	size_t count = 0;

	map->rows = arena_array(arena, total + 1, sizeof(*map->rows));
	for (size_t i = 0; i < total; i++) {
		const struct history_version *version = &ranges->graph->versions[i];
		struct map_row *row;

		if (!version->abi || !ranges->versions[i].safe || !is_release(version->version) ||
		    map->report->proofs[i].against_count)
			continue;
		for (row = map->rows; row < &map->rows[map->row_count]; row++)
			if (row->first->safe == ranges->versions[i].safe &&
			    !strcmp(row->first->proof, ranges->versions[i].proof))
				break;
		if (row == &map->rows[map->row_count]) {
			map->row_count++;
			*row = (struct map_row){ &ranges->versions[i],
						 arena_array(arena, total - i, sizeof(*row->versions)), 0 };
		}
		row->versions[row->count++] = version->version;
		count++;
	}
	return count;
}

/* Returns the hash of the table as JSON, so that a version map can be compared with its table. */
static const char *hash_of_table(const struct table *table, struct arena *arena)
{
	struct strbuf text = { 0 };
	struct json_writer writer = { .out = &text };
	const char *hash;

	json_write_table(&writer, table, TABLE_FORMAT);
	hash = profile_hash(strbuf_text(&text), text.length, arena);
	strbuf_release(&text);
	return hash;
}

JSON_GET_TEXT(row_node, map_row, it->first->safe->version)
JSON_GET_TEXT(row_hash, map_row, it->first->proof)
JSON_GET_TEXT(map_table, version_map, it->report->ranges->table->proxy)
JSON_GET_TEXT(map_revision, version_map, it->report->ranges->table->revision)
JSON_GET_TEXT(map_criterion, version_map, ranges_criterion_name(it->report->ranges->criterion))

const struct json_struct report_version_map_fields = {
	.field = {
		{ .key = "format", .kind = JSON_FORMAT, .text = "drvabi-version-map/1" },
		JSON_INTO_BY_POINTER(version_map, report, JSON_STRUCT(ranges_report,
			JSON_FIELD("driver", JSON_TEXT, ranges_report, driver),
			JSON_FIELD("target", JSON_TEXT, ranges_report, target))),
		{ .key = "table", .kind = JSON_TEXT, .get_text = map_table },
		{ .key = "revision", .kind = JSON_TEXT, .get_text = map_revision },
		JSON_FIELD("table_hash", JSON_TEXT, version_map, table_hash),
		{ .key = "criterion", .kind = JSON_TEXT, .get_text = map_criterion },
		JSON_ARRAY("proofs", JSON_LIST, version_map, rows, row_count, JSON_LINE(map_row,
			{ .key = "node", .kind = JSON_TEXT, .get_text = row_node },
			{ .key = "hash", .kind = JSON_TEXT, .get_text = row_hash },
			JSON_ARRAY("versions", JSON_TEXTS, map_row, versions, count, NULL))),
	},
};

/* Appends a Go string literal. JSON's escapes are also valid in Go. */
static void add_literal(struct strbuf *out, const char *text)
{
	struct json_writer writer = { .out = out };

	json_string(&writer, text);
}

/* Writes a Go file for the target's machine: version_map.in, constants about the table, the rows. */
static void write_go(struct strbuf *out, const struct version_map *map)
{
	const char *target = map->report->target;
	const bool is_arm = !strncmp(target, "aarch64", strlen("aarch64"));

	strbuf_addf(out, "//go:build %s\n\n%s", is_arm ? "arm64" : "amd64", version_map_frame);
	strbuf_adds(out, "// The inputs of the proofs.\nconst (\n\tTable     = ");
	add_literal(out, map->report->ranges->table->proxy);
	strbuf_addf(out, "\n\tTableHash = \"%s\" // of the table, as drvabi table prints it\n",
		    map->table_hash);
	strbuf_addf(out, "\tMachine   = \"%.*s\"\n)\n\n", (int)strcspn(target, "-"), target);
	strbuf_adds(out, "var proofs = []struct {\n\tProof\n\tversions string\n}{\n");
	for (size_t i = 0; i < map->row_count; i++) {
		const struct map_row *row = &map->rows[i];

		strbuf_adds(out, "\t{Proof{");
		add_literal(out, row->first->safe->version);
		strbuf_addf(out, ", \"%s\"}, \"", row->first->proof);
		for (size_t v = 0; v < row->count; v++)
			strbuf_addf(out, "%s%s", v ? " " : "", row->versions[v]);
		strbuf_adds(out, "\"},\n");
	}
	strbuf_adds(out, "}\n");
}

size_t report_version_map(struct strbuf *out, const struct ranges_report *report, bool is_go)
{
	struct version_map map = { .report = report };
	struct arena arena = { 0 };
	size_t count = collect_rows(&map, &arena);

	map.table_hash = hash_of_table(report->ranges->table, &arena);
	if (is_go)
		write_go(out, &map);
	else
		report_write_json(out, &map, &report_version_map_fields, NULL);
	arena_release(&arena);
	return count;
}
