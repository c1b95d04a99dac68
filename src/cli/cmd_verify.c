/*
 * cli/cmd_verify.c - drvabi verify: checks all versions that the table supports, or some of them, and writes
 * suppression files
 */
#include "cli/cli.h"

#include <string.h>
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
 * 2. verify_run_check() compares each document with the table's view at the chosen node, removes suppressed
 *    findings, and counts the others.
 * 3. verify_run_check() fails if nothing was checked: no version is available, the table forwards nothing, or
 *    the driver does not have the table's families.
 */

/*
 * Sets @out to the version of the document of --json. If the document was extracted from a directory, it has
 * no version, and --version is required.
 */
static int version_of_document(const char **out, const struct cli_args *args, const struct abi *abi,
			       struct err *err)
{
	bool is_version = *abi->version && !strchr(abi->version, '/') && strcmp(abi->version, ".");

	if (!args->version && !is_version)
		return usage_error(err, "%s does not name its version; give --version", args->json);
	if (args->version && is_version && strcmp(args->version, abi->version))
		return usage_error(err, "%s has version %s, not %s", args->json, abi->version, args->version);
	*out = args->version ? args->version : abi->version;
	return 0;
}

static int fail_no_node(const struct verify_run *run, const char *version, struct err *err)
{
	return err_set(err, ERR_NOT_FOUND,
		"%s has no node for %s or one of its ancestors; its oldest node is %s: name that version or a newer one",
		run->table.path, version, run->table.nodes[0].version);
}

/* Chooses one version, and the node that is used for it. */
static int choose_version(struct verify_run *run, const char *version, struct err *err)
{
	int rc = load_node(&run->nodes[0], &run->graph, &run->table, version, run->args, err);

	if (rc || !run->nodes[0])
		return rc ? rc : fail_no_node(run, version, err);
	run->requests[0].version = version;
	run->count = 1;
	return 0;
}

/* Chooses the version of every supported node; with --all-nodes, of every node. */
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

/* Chooses the versions of --versions, and a node for each. */
static int choose_range(struct verify_run *run, struct err *err)
{
	const struct version_range *range = &run->range;
	int rc = 0;

	run->nodes = arena_array(run->args->arena, range->count, sizeof(*run->nodes));
	run->requests = range->requests;
	for (size_t i = 0; i < range->count && !rc; i++) {
		const char *version = range->requests[i].version;

		rc = load_node(&run->nodes[i], &run->graph, &run->table, version, run->args, err);
		if (!rc && !run->nodes[i])
			rc = fail_no_node(run, version, err);
		run->count++;
	}
	return rc;
}

/*
 * verify_run_load - choose the versions and load their documents. Return: 0; ERR_USAGE; ERR_NOT_FOUND; what
 * load_documents() returns.
 */
static int verify_run_load(struct verify_run *run, struct err *err)
{
	const struct cli_args *args = run->args;
	const char *version = NULL;
	int rc;

	if (args->versions) {
		rc = choose_range(run, err);
		return rc ? rc : load_documents(run->requests, run->count, args, err);
	}
	run->nodes = arena_array(run->args->arena, run->table.node_count + 1, sizeof(*run->nodes));
	run->requests = arena_array(run->args->arena, run->table.node_count + 1, sizeof(*run->requests));
	if (args->json) {
		run->requests[0].json = args->json;
		if ((rc = load_documents(run->requests, 1, args, err)) ||
		    (rc = version_of_document(&version, args, &run->requests[0].abi, err)))
			return rc;
		return choose_version(run, version, err);
	}
	rc = args->version ? choose_version(run, args->version, err) : choose_nodes(run, err);
	return rc ? rc : load_documents(run->requests, run->count, args, err);
}

static int check_version(struct verify_run *run, size_t index, struct err *err)
{
	struct store_request *request = &run->requests[index];
	struct verify_version *version = &run->versions[index];
	struct table_view *view = arena_alloc(run->args->arena, sizeof(*view));
	int rc;

	if (strcmp(run->table.driver, request->abi.driver))
		return usage_error(err, "%s is a table for the driver %s, not for %s", run->table.path,
				   run->table.driver, request->abi.driver);
	table_view_at(view, &run->table, run->nodes[index], run->args->arena);
	if ((rc = verify_view(&version->result, &request->abi, view, run->args->arena, err))) {
		err_prefix(err, "%s", version->version);
		return rc;
	}
	version->suppressed_count = suppressions_apply(&version->suppressed, &version->result,
						       &run->suppressions, version->version,
						       run->args->arena);
	for (size_t i = 0; i < version->result.finding_count; i++)
		version->failing += run->fails[version->result.findings[i].rule];
	version->status = version->failing ? VERIFY_FAIL : VERIFY_PASS;
	return 0;
}

/* Marks each unused suppression as untried if no version in its range was compared. */
static void try_suppressions(struct verify_run *run)
{
	const char **compared = arena_array(run->args->arena, run->count, sizeof(*compared));
	size_t count = 0;

	for (size_t i = 0; i < run->count; i++)
		if (run->versions[i].status != VERIFY_UNAVAILABLE)
			compared[count++] = run->versions[i].version;
	suppressions_try(&run->suppressions, &run->table, compared, count);
}

/* Fails because no version has the family, and lists the families of all versions. */
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
 * Fails if the table has no entries in the checked versions, because then nothing was checked. Also fails if
 * no checked version has an ioctl of one of the table's families.
 */
static int check_entries(struct verify_run *run, struct err *err)
{
	const struct verify_result **results =
		arena_array(run->args->arena, run->count, sizeof(const struct verify_result *));
	size_t count = 0, entries = 0;
	const char *family;

	for (size_t i = 0; i < run->count; i++) {
		if (run->requests[i].lacking)
			continue;
		results[count++] = &run->versions[i].result;
		entries += run->versions[i].result.view->entry_count;
	}
	if (!entries)
		return err_set(err, ERR_NOT_FOUND,
			       "%s forwards nothing in the versions to check, so nothing was checked",
			       run->table.path);
	family = verify_unknown_family(results, count);
	return family ? fail_family(run, family, err) : 0;
}

/*
 * Adds the finding that a supported version is unavailable, if --strict or --fail-on includes that rule. A
 * suppression of this finding counts as used in any case.
 */
static void find_lacking(struct verify_run *run, struct verify_version *version,
			 const struct table_node *node)
{
	struct table_view *view = arena_alloc(run->args->arena, sizeof(*view));

	table_view_at(view, &run->table, node, run->args->arena);
	verify_lacking(&version->result, view, version->version, version->reason, run->args->arena);
	version->suppressed_count = suppressions_apply(&version->suppressed, &version->result,
						       &run->suppressions, version->version,
						       run->args->arena);
	if (!run->fails[VERIFY_LACKING])
		version->result.finding_count = 0;
	version->failing = version->result.finding_count;
}

/* Sets the members that do not depend on the check. Return: true if the version has a document. */
static bool begin_version(struct verify_run *run, size_t index)
{
	const struct store_request *request = &run->requests[index];
	struct verify_version *version = &run->versions[index];

	version->version = request->version;
	version->supported =
		run->nodes[index]->supported && !strcmp(run->nodes[index]->version, request->version);
	if (!request->lacking)
		return true;
	version->status = VERIFY_UNAVAILABLE;
	version->reason = request->lacking_why;
	version->to_do = request->lacking_to_do;
	if (version->supported)
		find_lacking(run, version, run->nodes[index]);
	return false;
}

/*
 * verify_run_check - compare each version. Return: 0; ERR_USAGE; ERR_NOT_FOUND if nothing could be checked;
 * what verify_view() returns.
 */
static int verify_run_check(struct verify_run *run, struct err *err)
{
	const char *lacking_why = "";
	size_t checked = 0;
	int rc;

	run->versions = arena_array(run->args->arena, run->count, sizeof(*run->versions));
	for (size_t i = 0; i < run->count; i++) {
		if (!begin_version(run, i)) {
			lacking_why = run->requests[i].lacking_why;
			continue;
		}
		if ((rc = check_version(run, i, err)))
			return rc;
		checked++;
	}
	if (!checked)
		return err_set(err, ERR_NOT_FOUND,
			"%s: none of its %zu versions could be checked: they are %s; is this a table for the driver?",
			run->table.path, run->count, lacking_why);
	try_suppressions(run);
	return check_entries(run, err);
}

/* Prints how many suppressions were written, and how many of them need a reason. */
static void say_accepted(const struct cli_args *args, const struct acceptances *accepted)
{
	struct strbuf sentence = { 0 };

	if (args->quiet)
		return;
	strbuf_adds(&sentence, "wrote ");
	strbuf_plural(&sentence, accepted->count, "suppression");
	strbuf_addf(&sentence, " to %s", args->write_suppress);
	if (accepted->unexplained)
		strbuf_addf(&sentence, "; %zu of them need%s a reason instead of TODO", accepted->unexplained,
			    accepted->unexplained == 1 ? "s" : "");
	output_say(strbuf_text(&sentence));
	strbuf_release(&sentence);
}

static int accept_run(struct acceptances *out, const struct verify_run *run, struct err *err)
{
	struct accept_version *versions = arena_array(run->args->arena, run->count, sizeof(*versions));
	size_t count = 0;

	for (size_t i = 0; i < run->count; i++) {
		const struct verify_version *version = &run->versions[i];

		versions[count++] =
			(struct accept_version){ version->version, version->status == VERIFY_UNAVAILABLE,
						 &version->result, version->suppressed,
						 version->suppressed_count };
	}
	return accept_findings(out, versions, count, run->args->arena, err);
}

/* Writes every finding of @run as a line of args->write_suppress. */
static int write_suppress(const struct verify_run *run, struct err *err)
{
	struct acceptances accepted;
	struct strbuf out = { 0 };
	struct stat old, new;
	int rc;

	if ((rc = accept_run(&accepted, run, err)))
		return rc;
	report_acceptances(&out, &run->table, &accepted);
	if (run->args->suppress && !stat(run->args->suppress, &old) &&
	    !stat(run->args->write_suppress, &new) && old.st_dev == new.st_dev && old.st_ino == new.st_ino)
		file_forget_input(run->args->suppress);
	if (!(rc = file_check_output(run->args->write_suppress, err)) &&
	    !(rc = file_write_atomic(run->args->write_suppress, strbuf_text(&out), out.length, err)))
		say_accepted(run->args, &accepted);
	strbuf_release(&out);
	return rc;
}

/*
 * Reads --fail-on. --strict adds the rule for unavailable versions to the rules of --fail-on, or to the
 * default rules.
 */
static int read_fail_on(bool fails[VERIFY_RULE_COUNT], const struct cli_args *args, struct err *err)
{
	int rc = verify_rules_parse(fails, args->fail_on, err);

	if (rc)
		err_prefix(err, "--fail-on");
	fails[VERIFY_LACKING] |= args->strict;
	return rc;
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
	static const char *const names[] = { "text", "json", "markdown", "junit", "sarif", "github" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(names[i], args->format))
			return (enum verify_format)i;
	return VERIFY_TEXT;
}

static void render_report(struct strbuf *out, const void *result, const struct cli_args *args)
{
	struct report_style style = output_style(args);

	report_verify(out, result, chosen_format(args), &style);
}

static int write_report(const struct verify_run *run, struct err *err)
{
	struct verify_report report = { .table = &run->table,
					.versions = run->versions,
					.version_count = run->count,
					.suppressions =
						suppress_path(run->args) ? &run->suppressions : NULL };

	memcpy(report.fails, run->fails, sizeof(report.fails));
	return output_result(run->args, render_report, &report, err);
}

/* Refuses options that cannot be used together. */
static int check_args(const struct cli_args *args, struct err *err)
{
	const char *other;

	if (!args->table && !args->table_from_header)
		return usage_error(err,
			"verify needs the proxy's table: --table FILE, or --table nvproxy for gVisor's, which is included");
	if (args->word_count)
		return usage_error(err, "verify takes no '%s'; --version %s checks one version",
				   args->words[0], args->words[0]);
	if (args->all_nodes && (args->version || args->json))
		return usage_error(err, "--all-nodes and %s cannot be used together",
				   args->json ? "--json" : "--version");
	if (args->versions && (other = cli_given(args, "version", "json", "dir", "all-nodes", NULL)))
		return usage_error(err, "--versions and --%s both name what to check; give one", other);
	if (args->dir && !args->version)
		return usage_error(err, "--dir is a tree of one version; name it with --version");
	return load_header_check(args, err);
}

/*
 * Prints a note if the node of a different version is used. Text and JSON reports name the node, so they need
 * no note.
 */
static void note_nodes(const struct verify_run *run)
{
	enum verify_format format = chosen_format(run->args);

	for (size_t i = 0; format != VERIFY_TEXT && format != VERIFY_JSON && i < run->count; i++)
		if (strcmp(run->nodes[i]->version, run->versions[i].version))
			output_note(run->args, "%s has no node %s; node %s is used instead", run->table.path,
				    run->versions[i].version, run->nodes[i]->version);
}

/*
 * Reads the table. A table that is made from a header gets the oldest version of --versions as its version.
 */
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

int cmd_verify(const struct cli_args *args, struct err *err)
{
	struct verify_run run = { .args = args };
	int rc;

	if ((rc = check_args(args, err)) || (rc = read_table(&run, err)) ||
	    (suppress_path(args) &&
	     (rc = suppress_file_read(&run.suppressions, suppress_path(args), NULL, args, err))) ||
	    (rc = read_fail_on(run.fails, args, err)) || (rc = verify_run_load(&run, err)) ||
	    (rc = verify_run_check(&run, err)))
		return rc;
	note_nodes(&run);
	if (args->dir)
		load_other_version(args->version, args);
	if ((args->write_suppress && (rc = write_suppress(&run, err))) || (rc = write_report(&run, err)))
		return rc;
	if ((rc = exit_status(&run)) == CLI_SOMETHING)
		suppress_note_included(&run.table, args);
	return rc;
}
