#include "cli/commands.h"
#include "cli/load_table.h"
#include "cli/output.h"
#include "cli/lineage.h"
#include "cli/work.h"

#include "report/report.h"

#include <string.h>

/* One run of ranges. Every node and every version has an arena of its own, because several threads work on them. */
struct ranges_run {
	const struct cli_args *args;
	struct lineage lineage;
	struct table table;
	struct ranges ranges;
	struct ranges_proof *proofs;
	struct arena arena;
	struct arena *node_arenas, *version_arenas;
};

static int read_notion(enum ranges_notion *out, const struct cli_args *args, struct err *err)
{
	if (!args->notion || !strcmp(args->notion, "table"))
		*out = RANGES_TABLE;
	else if (!strcmp(args->notion, "strict"))
		*out = RANGES_STRICT;
	else
		return err_set(err, ERR_USAGE, "--notion takes table or strict, not '%s'", args->notion);
	return 0;
}

static int baseline(void *data, size_t node, struct err *err)
{
	struct ranges_run *run = data;

	return ranges_baseline(&run->ranges, node, &run->node_arenas[node], err);
}

static int assign(void *data, size_t version, struct err *err)
{
	struct ranges_run *run = data;

	return ranges_assign(&run->ranges, version, &run->version_arenas[version], err);
}

static int prove(void *data, size_t version, struct err *err)
{
	struct ranges_run *run = data;

	return ranges_prove(&run->proofs[version], &run->ranges, version, &run->version_arenas[version], err);
}

/* A table that forwards nothing cannot tell versions apart. */
static int check_table(const struct table *table, struct err *err)
{
	for (size_t i = 0; i < table->node_count; i++)
		for (size_t e = 0; e < table->nodes[i].entry_count; e++)
			if (!table->nodes[i].entries[e].removed)
				return 0;
	return err_set(err, ERR_NOT_FOUND, "%s forwards nothing at any of its nodes, so there is nothing to sort versions by", table->path);
}

static int judge(struct ranges_run *run, enum ranges_notion notion, struct err *err)
{
	size_t versions = run->lineage.graph.version_count, nodes = run->table.node_count;
	int rc;

	ranges_plan(&run->ranges, &run->lineage.graph, &run->table, notion, &run->arena);
	run->node_arenas = arena_array(&run->arena, nodes + 1, sizeof(*run->node_arenas));
	run->version_arenas = arena_array(&run->arena, versions + 1, sizeof(*run->version_arenas));
	if ((rc = work_each(baseline, run, nodes, run->args, err)) ||
	    (rc = work_each(assign, run, versions, run->args, err)))
		return rc;
	if ((rc = ranges_finish(&run->ranges, &run->arena, err)) || !run->args->prove)
		return rc;
	run->proofs = arena_array(&run->arena, versions + 1, sizeof(*run->proofs));
	return work_each(prove, run, versions, run->args, err);
}

static int write_ranges(const struct ranges_run *run, struct err *err)
{
	struct ranges_report report = { run->lineage.driver, run->args->target, &run->ranges, run->proofs };
	struct report_style style = output_style(run->args);
	struct strbuf out = { 0 };
	int rc;

	if (!strcmp(run->args->format, "json"))
		report_ranges_json(&out, &report);
	else if (!strcmp(run->args->format, "markdown"))
		report_ranges_markdown(&out, &report);
	else
		report_ranges_text(&out, &report, &style);
	rc = output_write(&out, run->args, err);
	strbuf_release(&out);
	return rc;
}

static int exit_status(const struct ranges_run *run)
{
	if (!run->args->exit_code)
		return CLI_NOTHING;
	for (size_t i = 0; run->proofs && i < run->lineage.graph.version_count; i++)
		if (run->proofs[i].against_count)
			return CLI_SOMETHING;
	return run->ranges.new_nodes ? CLI_SOMETHING : CLI_NOTHING;
}

static void release(struct ranges_run *run)
{
	for (size_t i = 0; run->node_arenas && i < run->table.node_count; i++)
		arena_release(&run->node_arenas[i]);
	for (size_t i = 0; run->version_arenas && i < run->lineage.graph.version_count; i++)
		arena_release(&run->version_arenas[i]);
	arena_release(&run->arena);
	lineage_release(&run->lineage);
}

int cmd_ranges(const struct cli_args *args, struct err *err)
{
	struct ranges_run run = { .args = args };
	enum ranges_notion notion = RANGES_TABLE;
	int rc;

	if (!args->table)
		return err_set(err, ERR_USAGE, "ranges needs the proxy's table: --table FILE");
	if (args->word_count)
		return err_set(err, ERR_USAGE, "ranges takes no '%s'; it looks at every version", args->words[0]);
	if ((rc = read_notion(&notion, args, err)) ||
	    (rc = lineage_load(&run.lineage, NULL, args, err)) ||
	    (rc = load_table_for(&run.table, run.lineage.driver, args, &run.lineage.arena, err)) ||
	    (rc = check_table(&run.table, err)) ||
	    (rc = judge(&run, notion, err)) ||
	    (rc = write_ranges(&run, err)))
		goto out;
	rc = exit_status(&run);
out:
	release(&run);
	return rc;
}
