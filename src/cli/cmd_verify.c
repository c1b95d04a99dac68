#include "cli/commands.h"
#include "cli/load.h"
#include "cli/output.h"

#include "report/verify.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* One run of verify. */
struct verify_run {
	const struct cli_args *args;
	struct arena arena;
	struct table table;
	struct suppressions suppressions;
	const struct table_node **nodes; /* what is looked at, in the table's order */
	size_t count;
	struct load_request *requests;   /* one for each of nodes */
	struct verify_version *versions;
	bool wanted_rule[VERIFY_RULE_COUNT];
};

/* The nodes that --version, --all-nodes, or neither asks for. */
static int choose_nodes(struct verify_run *run, struct err *err)
{
	const struct cli_args *args = run->args;

	run->nodes = arena_array(&run->arena, run->table.node_count + 1, sizeof(*run->nodes));
	if (args->version) {
		const struct table_node *node = table_nearest_node(&run->table, args->version);

		if (!node)
			return err_set(err, ERR_NOT_FOUND, "%s says nothing about %s: its oldest node is %s", args->table, args->version,
				       run->table.nodes[0].version);
		run->nodes[run->count++] = node;
		return 0;
	}
	for (size_t i = 0; i < run->table.node_count; i++)
		if (run->table.nodes[i].supported || args->all_nodes)
			run->nodes[run->count++] = &run->table.nodes[i];
	if (!run->count)
		return err_set(err, ERR_NOT_FOUND, "%s supports no version; --all-nodes checks the nodes between", args->table);
	return 0;
}

/* YYYYMMDD, in UTC; SOURCE_DATE_EPOCH stands for now, as reproducible-builds.org has it. */
static unsigned today(void)
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	time_t now = epoch && *epoch ? (time_t)strtoll(epoch, NULL, 10) : time(NULL);
	struct tm day;

	gmtime_r(&now, &day);
	return (unsigned)(day.tm_year + 1900) * 10000 + (unsigned)(day.tm_mon + 1) * 100 + (unsigned)day.tm_mday;
}

static int read_suppressions(struct verify_run *run, struct err *err)
{
	struct strbuf file = { 0 };
	int rc;

	if (!run->args->suppress)
		return 0;
	rc = file_read(&file, run->args->suppress, 16 * 1024 * 1024, err);
	if (!rc)
		rc = suppressions_parse(&run->suppressions, strbuf_text(&file), run->args->suppress, today(), &run->arena, err);
	strbuf_release(&file);
	return rc;
}

/* --fail-on RULE,...: which findings make the exit status 1. */
static int read_fail_on(struct verify_run *run, struct err *err)
{
	const char *at = run->args->fail_on;
	int rc;

	for (int rule = 0; !at && rule < VERIFY_RULE_COUNT; rule++)
		run->wanted_rule[rule] = true;
	while (at && *at) {
		size_t length = strcspn(at, ",");
		enum verify_rule rule;

		if ((rc = verify_rule_parse(&rule, arena_strndup(&run->arena, at, length), err))) {
			err_prefix(err, "--fail-on");
			return rc;
		}
		run->wanted_rule[rule] = true;
		at += length + (at[length] == ',');
	}
	return 0;
}

static int check_version(struct verify_run *run, size_t index, struct err *err)
{
	struct load_request *request = &run->requests[index];
	struct verify_version *version = &run->versions[index];
	struct table_view *view = arena_alloc(&run->arena, sizeof(*view));
	int rc;

	version->version = request->version;
	version->supported = run->nodes[index]->supported;
	if (request->lacking) {
		version->status = VERIFY_UNAVAILABLE;
		version->reason = "the repository has no such version";
		return 0;
	}
	table_view_at(view, &run->table, run->nodes[index], &run->arena);
	if ((rc = verify_view(&version->result, &request->abi, view, &run->arena, err)))
		return rc;
	version->suppressed = suppressions_apply(&version->result, &run->suppressions, version->version, &run->arena);
	version->status = version->result.finding_count ? VERIFY_FAIL : VERIFY_PASS;
	return 0;
}

static int check_all(struct verify_run *run, struct err *err)
{
	int rc;

	run->requests = arena_array(&run->arena, run->count + 1, sizeof(*run->requests));
	run->versions = arena_array(&run->arena, run->count + 1, sizeof(*run->versions));
	for (size_t i = 0; i < run->count; i++) {
		run->requests[i].version = run->args->version ? run->args->version : run->nodes[i]->version;
		run->requests[i].may_lack = !run->args->version;
	}
	if ((rc = load_documents(run->requests, run->count, run->args, err)))
		return rc;
	for (size_t i = 0; i < run->count; i++)
		if ((rc = check_version(run, i, err)))
			return rc;
	return 0;
}

static int exit_status(const struct verify_run *run)
{
	for (size_t i = 0; i < run->count; i++)
		for (size_t f = 0; f < run->versions[i].result.finding_count; f++)
			if (run->wanted_rule[run->versions[i].result.findings[f].rule])
				return CLI_SOMETHING;
	for (size_t i = 0; i < run->suppressions.count; i++)
		if (run->suppressions.item[i].expired)
			return CLI_SOMETHING;
	return CLI_NOTHING;
}

static enum verify_format chosen_format(const struct cli_args *args)
{
	static const char *const names[] = { "text", "json", "markdown", "tap", "junit", "sarif" };
	const char *format = output_format(args, cli_find_command("verify"));

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(names[i], format))
			return (enum verify_format)i;
	return VERIFY_TEXT;
}

static int write_report(const struct verify_run *run, struct err *err)
{
	struct verify_report report = { .table = &run->table, .versions = run->versions, .version_count = run->count,
					.suppressions = run->args->suppress ? &run->suppressions : NULL };
	struct report_style style = output_style(run->args);
	struct strbuf out = { 0 };
	int rc;

	report_verify(&out, &report, chosen_format(run->args), &style);
	rc = output_write(&out, run->args, err);
	strbuf_release(&out);
	return rc;
}

int cmd_verify(const struct cli_args *args, struct err *err)
{
	struct verify_run run = { .args = args };
	int rc;

	if (!args->table)
		return err_set(err, ERR_USAGE, "verify needs the proxy's table: --table FILE");
	if (args->word_count)
		return err_set(err, ERR_USAGE, "verify takes no '%s'; --version %s checks one version", args->words[0], args->words[0]);
	if ((rc = load_table(&run.table, args, &run.arena, err)) ||
	    (rc = choose_nodes(&run, err)) ||
	    (rc = read_suppressions(&run, err)) ||
	    (rc = read_fail_on(&run, err)) ||
	    (rc = check_all(&run, err)) ||
	    (rc = write_report(&run, err)))
		goto out;
	rc = exit_status(&run);
out:
	for (size_t i = 0; run.requests && i < run.count; i++)
		arena_release(&run.requests[i].arena);
	arena_release(&run.arena);
	return rc;
}
