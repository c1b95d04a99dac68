/*
 * cli/cmd_verify.c - drvabi verify: checks all versions that the table supports, or some of them, and writes
 * suppression files
 */
#include "cli/cli.h"

#include <sys/stat.h>

/* The caller sets @args, @table, @suppressions and @fails. */
struct verify_run {
	const struct cli_args *args;
	struct table table;
	struct version_range range;      /* the versions of --versions */
	struct suppressions suppressions;
	bool fails[VERIFY_RULE_COUNT];   /* rules whose findings make the exit status 1 */
	struct history_graph graph;      /* the graph that load_node() uses to choose a node for a version */
	const struct table_node **nodes; /* the node that is used for each version */
	struct store_request *requests;  /* indexed by version */
	struct verify_version *versions; /* set by verify_run_check() */
	size_t count;                    /* the number of versions */
};

/*
 * the steps of verify
 *
 * 1. verify_run_load() chooses the versions to check: those of the supported nodes, with --all-nodes those of
 *    all nodes, or the versions that --version, --versions or --json names. For each version, it chooses a
 *    node of the table and loads the document. A version is unavailable if no source has it.
 * 2. check_version() compares each document with the table's view at the chosen node, removes suppressed
 *    findings, and counts the others.
 * 3. verify_run_check() fails if nothing was checked: no version is available, the table forwards nothing, or
 *    the driver does not have the table's families.
 */

/* Adds a version to check, and its node. Return: as load_node(); ERR_NOT_FOUND if all nodes are newer. */
static int choose_version(struct verify_run *run, const char *version, struct err *err)
{
	const struct table_node **node = &run->nodes[run->count];
	int rc = load_node(node, &run->graph, &run->table, version, run->args, err);

	if (rc)
		return rc;
	if (!*node)
		return err_set(err, ERR_NOT_FOUND,
			"%s has no node for %s or one of its ancestors; its oldest node is %s: name that version or a newer one",
			run->table.path, version, run->table.nodes[0].version);
	run->requests[run->count++].version = version;
	return 0;
}

/*
 * Adds the version of every supported node to the versions to check; with --all-nodes, of every node. A
 * version that does not exist is not an error here. Return: 0; ERR_NOT_FOUND if there is no such node.
 */
static int choose_nodes(struct verify_run *run, struct err *err)
{
	for (size_t i = 0; i < run->table.node_count; i++) {
		const struct table_node *node = &run->table.nodes[i];

		if (!node->supported && !run->args->all_nodes)
			continue;
		run->requests[run->count].version = node->version;
		run->requests[run->count].may_lack = true;
		run->nodes[run->count++] = node;
	}
	if (!run->count)
		return err_set(err, ERR_NOT_FOUND,
			       "%s has no supported version; --all-nodes checks the unsupported ones",
			       run->table.path);
	return 0;
}

/*
 * Sets run->requests and run->nodes: the versions to check, their documents and their nodes. This is step 1
 * of the list above. Fails if the document of --json has a different version than --version, or no version.
 */
static int verify_run_load(struct verify_run *run, struct err *err)
{
	const struct cli_args *args = run->args;
	const size_t room = args->versions ? run->range.count : run->table.node_count + 1;
	int rc = 0;

	run->nodes = arena_array(args->arena, room, sizeof(*run->nodes));
	run->requests = args->versions ? run->range.requests
				       : arena_array(args->arena, room, sizeof(*run->requests));
	if (args->json) {
		const struct abi *abi = &run->requests[0].abi;
		bool is_version;

		run->requests[0].json = args->json;
		if ((rc = load_documents(run->requests, 1, args, err)))
			return rc;
		/* A document that was extracted from a directory has no version. */
		is_version = *abi->version && !strchr(abi->version, '/') && strcmp(abi->version, ".");
		if (!args->version && !is_version)
			return usage_error(err, "%s does not name its version; give --version", args->json);
		if (args->version && is_version && strcmp(args->version, abi->version))
			return usage_error(err, "%s has version %s, not %s", args->json, abi->version,
					   args->version);
		return choose_version(run, args->version ? args->version : abi->version, err);
	}
	if (args->version)
		rc = choose_version(run, args->version, err);
	else if (!args->versions)
		rc = choose_nodes(run, err);
	for (size_t i = 0; args->versions && i < run->range.count && !rc; i++)
		rc = choose_version(run, run->range.requests[i].version, err);
	return rc ? rc : load_documents(run->requests, run->count, args, err);
}

/*
 * Compares one version with its node, removes the suppressed findings, and counts those that make the exit
 * status 1. If the version is unavailable, but supported, its only finding is that it is unavailable; the
 * finding is removed unless --strict or --fail-on includes that rule, but a suppression of it counts as used.
 */
static int check_version(struct verify_run *run, size_t index, struct err *err)
{
	const struct store_request *request = &run->requests[index];
	const struct table_node *node = run->nodes[index];
	struct verify_version *version = &run->versions[index];
	struct table_view *view = arena_alloc(run->args->arena, sizeof(*view));
	int rc;

	version->version = request->version;
	version->supported = node->supported && !strcmp(node->version, request->version);
	if (request->lacking) {
		version->status = VERIFY_UNAVAILABLE;
		version->reason = request->lacking_why;
		version->to_do = request->lacking_to_do;
		if (!version->supported)
			return 0;
	} else if ((rc = load_table_check_driver(&run->table, request->abi.driver, run->args, err))) {
		return rc;
	}
	table_view_at(view, &run->table, node, run->args->arena);
	if (request->lacking) {
		verify_lacking(&version->result, view, version->version, version->reason, run->args->arena);
	} else if ((rc = verify_view(&version->result, &request->abi, view, run->args->arena, err))) {
		err_prefix(err, "%s", version->version);
		return rc;
	}
	version->suppressed_count = suppressions_apply(&version->suppressed, &version->result,
						       &run->suppressions, version->version,
						       run->args->arena);
	if (request->lacking && !run->fails[VERIFY_LACKING])
		version->result.finding_count = 0;
	for (size_t i = 0; i < version->result.finding_count; i++)
		version->failing += run->fails[version->result.findings[i].rule];
	if (!request->lacking)
		version->status = version->failing ? VERIFY_FAIL : VERIFY_PASS;
	return 0;
}

/* Fails because no version has the family. The message lists the families of all versions. */
static int fail_family(struct verify_run *run, const char *family, struct err *err)
{
	struct nearby_words known = { .count = 0 };

	for (size_t i = 0; i < run->count; i++)
		for (size_t n = 0; !run->requests[i].lacking && n < run->requests[i].abi.ioctl_count; n++)
			nearby_word(&known, run->requests[i].abi.ioctls[n].family, run->args->arena);
	return nearby_words_fail(err, &known, family,
				 "%s has entries of the family '%s', but the driver has no such family",
				 run->table.path, family);
}

/*
 * Sets run->versions to the results of all versions (steps 2 and 3), and marks the suppressions that were not
 * tried. Return: 0; ERR_NOT_FOUND if nothing was checked, or if the driver does not have a family of the
 * table; what check_version() returns.
 */
static int verify_run_check(struct verify_run *run, struct err *err)
{
	const char **compared = arena_array(run->args->arena, run->count, sizeof(*compared));
	const struct verify_result **results = arena_array(run->args->arena, run->count, sizeof(*results));
	const char *lacking_why = "", *family;
	size_t checked = 0, entries = 0;
	int rc;

	run->versions = arena_array(run->args->arena, run->count, sizeof(*run->versions));
	for (size_t i = 0; i < run->count; i++) {
		if ((rc = check_version(run, i, err)))
			return rc;
		if (run->requests[i].lacking) {
			lacking_why = run->requests[i].lacking_why;
			continue;
		}
		entries += run->versions[i].result.view->entry_count;
		compared[checked] = run->versions[i].version;
		results[checked++] = &run->versions[i].result;
	}
	if (!checked)
		return err_set(err, ERR_NOT_FOUND,
			"%s: none of its %zu versions could be checked: they are %s; is this a table for the driver?",
			run->table.path, run->count, lacking_why);
	suppressions_try(&run->suppressions, &run->table, compared, checked);
	if (!entries)
		return err_set(err, ERR_NOT_FOUND,
			       "%s forwards nothing in the versions to check, so nothing was checked",
			       run->table.path);
	family = verify_unknown_family(results, checked);
	return family ? fail_family(run, family, err) : 0;
}

/*
 * Replaces the file of --write-suppress, which may be that of --suppress, with the lines of accept_findings()
 * for all versions, and prints their number. Return: 0; ERR_USAGE if the run has read the file; ERR_IO; what
 * accept_findings() returns.
 */
static int write_suppress(const struct verify_run *run, struct err *err)
{
	const struct cli_args *args = run->args;
	struct accept_version *versions = arena_array(args->arena, run->count, sizeof(*versions));
	struct acceptances accepted;
	struct strbuf out = { 0 };
	struct stat old, new;
	int rc;

	for (size_t i = 0; i < run->count; i++) {
		const struct verify_version *version = &run->versions[i];

		versions[i] =
			(struct accept_version){ version->version, version->status == VERIFY_UNAVAILABLE,
						 &version->result, version->suppressed,
						 version->suppressed_count };
	}
	if ((rc = accept_findings(&accepted, versions, run->count, args->arena, err)))
		return rc;
	report_acceptances(&out, &run->table, &accepted);
	if (args->suppress && !stat(args->suppress, &old) && !stat(args->write_suppress, &new) &&
	    old.st_dev == new.st_dev && old.st_ino == new.st_ino)
		file_forget_input(args->suppress);
	if (!(rc = file_check_output(args->write_suppress, err)) &&
	    !(rc = file_write_atomic(args->write_suppress, strbuf_text(&out), out.length, err)) &&
	    !args->quiet)
		output_say("wrote %zu suppression%s to %s%s", accepted.count, accepted.count == 1 ? "" : "s",
			   args->write_suppress,
			   accepted.unexplained
				   ? arena_printf(args->arena, "; %zu of them need%s a reason instead of TODO",
						  accepted.unexplained, accepted.unexplained == 1 ? "s" : "")
				   : "");
	strbuf_release(&out);
	return rc;
}

/*
 * Sets @fails to the rules of --fail-on, or to the default rules. --strict adds the rule for unavailable
 * versions. Return: 0; ERR_FORMAT if a rule is unknown.
 */
static int read_fail_on(bool fails[VERIFY_RULE_COUNT], const struct cli_args *args, struct err *err)
{
	int rc = verify_rules_parse(fails, args->fail_on, err);

	if (rc)
		err_prefix(err, "--fail-on");
	fails[VERIFY_LACKING] |= args->strict;
	return rc;
}

/* Returns CLI_SOMETHING if a version has findings of rules in run->fails, or if a suppression has expired. */
static int verify_exit_status(const struct verify_run *run)
{
	for (size_t i = 0; i < run->count; i++)
		if (run->versions[i].failing)
			return CLI_SOMETHING;
	for (size_t i = 0; i < run->suppressions.count; i++)
		if (run->suppressions.item[i].expired)
			return CLI_SOMETHING;
	return CLI_NOTHING;
}

/* Returns the format that --format names. The names are in the order of enum verify_format. */
static enum verify_format chosen_format(const struct cli_args *args)
{
	static const char *const names[] = { "text", "json", "markdown", "junit", "sarif", "github" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(names[i], args->format))
			return (enum verify_format)i;
	return VERIFY_TEXT;
}

static void render_report(struct strbuf *out, const void *result, const struct cli_args *args)
{
	report_verify(out, result, chosen_format(args), &args->style);
}

/* Reads the table, and with --versions sets run->range. A table from a header gets its oldest version. */
static int read_table(struct verify_run *run, struct err *err)
{
	struct cli_args args = *run->args;
	int rc;

	if (args.versions && (rc = version_range_find(&run->range, &args, err)))
		return rc;
	if (args.versions)
		args.version = run->range.requests[0].version;
	return load_table(&run->table, &args, err);
}

/*
 * drvabi verify: reports where a proxy's table differs from the driver, and with --write-suppress writes a
 * file that accepts the findings. Return: CLI_SOMETHING as verify_exit_status() does.
 */
int cmd_verify(struct cli_args *args, struct err *err)
{
	struct verify_run run = { .args = args };
	const enum verify_format format = chosen_format(args);
	struct verify_report report;
	int rc;

	if (args->word_count && (args->table || args->table_from_header))
		return usage_error(err, "verify takes no '%s'; --version %s checks one version",
				   args->words[0], args->words[0]);
	if ((rc = load_table_check("verify", args, err)) || (rc = read_table(&run, err)) ||
	    (suppress_path(args) &&
	     (rc = suppress_file_read(&run.suppressions, suppress_path(args), NULL, args, err))) ||
	    (rc = read_fail_on(run.fails, args, err)) || (rc = verify_run_load(&run, err)) ||
	    (rc = verify_run_check(&run, err)))
		return rc;
	/* Text and JSON reports name the node that is used. */
	for (size_t i = 0; format != VERIFY_TEXT && format != VERIFY_JSON && i < run.count; i++)
		if (strcmp(run.nodes[i]->version, run.versions[i].version))
			output_note(args, "%s has no node %s; node %s is used instead", run.table.path,
				    run.versions[i].version, run.nodes[i]->version);
	if (args->dir)
		load_note_version(args->version, args);
	report = (struct verify_report){ .table = &run.table,
					 .versions = run.versions,
					 .version_count = run.count,
					 .suppressions = suppress_path(args) ? &run.suppressions : NULL };
	memcpy(report.fails, run.fails, sizeof(report.fails));
	if ((args->write_suppress && (rc = write_suppress(&run, err))) ||
	    (rc = output_result(args, render_report, &report, err)))
		return rc;
	if (verify_exit_status(&run) == CLI_NOTHING)
		return CLI_NOTHING;
	if (!(rc = output_write(args, err))) /* the note follows the report */
		suppress_note_unused(&run.table, args);
	return rc ? rc : CLI_SOMETHING;
}
