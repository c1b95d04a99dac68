#include "cli/commands.h"
#include "cli/load_header.h"
#include "cli/load_table.h"
#include "cli/output.h"
#include "cli/suppress_file.h"
#include "cli/verify_run.h"

#include <string.h>

/* --strict adds a rule to those of --fail-on, or to those that count without it. */
static int read_fail_on(bool fails[VERIFY_RULE_COUNT], const struct cli_args *args, struct err *err)
{
	int rc = verify_rules_parse(fails, args->fail_on, err);

	if (rc)
		err_prefix(err, "--fail-on");
	fails[VERIFY_LACKING] |= args->strict;
	return rc;
}

/* --caps: only the table is needed, so unavailable versions are counted as well. */
static void count_caps(struct verify_run *run)
{
	for (size_t i = 0; run->args->show_caps && i < run->count; i++) {
		struct verify_version *version = &run->versions[i];
		struct table_view *view = arena_alloc(&run->arena, sizeof(*view));
		struct caps *caps = arena_alloc(&run->arena, sizeof(*caps));
		struct caps_since *since = arena_alloc(&run->arena, sizeof(*since));

		table_view_at(view, &run->table, run->nodes[i], &run->arena);
		caps_count(caps, view, NULL, &run->arena);
		version->caps = caps;
		if (!i)
			continue;
		caps_compare(since, caps, run->versions[i - 1].caps->view, &run->arena);
		version->since = since;
	}
}

static int exit_status(const struct verify_run *run)
{
	for (size_t i = 0; i < run->count; i++)
		if (run->versions[i].failing)
			return CLI_SOMETHING;
	for (size_t i = 0; i < run->suppressions.count; i++)
		if (run->suppressions.item[i].expired)
			return CLI_SOMETHING;
	return CLI_NOTHING;
}

static enum verify_format chosen_format(const struct cli_args *args)
{
	static const char *const names[] = { "text", "json", "markdown", "junit", "sarif" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(names[i], args->format))
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

	memcpy(report.fails, run->fails, sizeof(report.fails));
	report_verify(&out, &report, chosen_format(run->args), &style);
	rc = output_write(&out, run->args, err);
	strbuf_release(&out);
	return rc;
}

/* Refuses options that contradict each other. */
static int check_args(const struct cli_args *args, struct err *err)
{
	if (!args->table && !args->table_from_header)
		return err_set(err, ERR_USAGE, "verify needs the proxy's table: --table FILE");
	if (args->word_count)
		return err_set(err, ERR_USAGE, "verify takes no '%s'; --version %s checks one version", args->words[0], args->words[0]);
	if (args->all_nodes && (args->version || args->json))
		return err_set(err, ERR_USAGE, "--all-nodes and %s contradict each other", args->json ? "--json" : "--version");
	if (args->dir && !args->version)
		return err_set(err, ERR_USAGE, "--dir is a tree of one version; name it with --version");
	if (args->show_caps && chosen_format(args) != VERIFY_TEXT && chosen_format(args) != VERIFY_JSON)
		return err_set(err, ERR_USAGE, "--caps is for --format text and json, not for %s", args->format);
	return load_header_check(args, err);
}

/* A note if another node stands for a version. Text and JSON reports name the node themselves. */
static void note_nodes(const struct verify_run *run)
{
	enum verify_format format = chosen_format(run->args);

	for (size_t i = 0; format != VERIFY_TEXT && format != VERIFY_JSON && i < run->count; i++)
		if (strcmp(run->nodes[i]->version, run->versions[i].version))
			output_note(run->args, "%s has no node %s; %s is used for it", run->table.path, run->versions[i].version,
				    run->nodes[i]->version);
}

int cmd_verify(const struct cli_args *args, struct err *err)
{
	struct verify_run run = { .args = args };
	int rc;

	if ((rc = check_args(args, err)) ||
	    (rc = load_table(&run.table, args, &run.arena, err)) ||
	    (args->suppress && (rc = suppress_file_read(&run.suppressions, args->suppress, NULL, &run.arena, err))) ||
	    (rc = read_fail_on(run.fails, args, err)) ||
	    (rc = verify_run_load(&run, err)) ||
	    (rc = verify_run_check(&run, err)))
		goto out;
	count_caps(&run);
	note_nodes(&run);
	rc = args->write_suppress ? suppress_file_write(&run, err) : 0;
	if (!rc)
		rc = write_report(&run, err);
	if (!rc)
		rc = exit_status(&run);
out:
	verify_run_release(&run);
	return rc;
}
