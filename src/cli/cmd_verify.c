#include "cli/commands.h"
#include "cli/load.h"
#include "cli/load_header.h"
#include "cli/load_table.h"
#include "cli/nearby.h"
#include "cli/output.h"

#include "report/verify.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SUPPRESS_LIMIT_BYTES = 16 * 1024 * 1024 };

/* One run of verify. */
struct verify_run {
	const struct cli_args *args;
	struct arena arena;
	struct table table;
	struct suppressions suppressions;
	const struct table_node **nodes; /* what is looked at, in the table's order */
	size_t count;
	struct store_request *requests;   /* one for each of nodes */
	struct verify_version *versions;
	bool fails[VERIFY_RULE_COUNT];   /* rules whose findings make the exit status 1 */
};

/* What --json's document is: its own version, unless that is a directory's name. */
static int version_of_document(const char **out, const struct cli_args *args, const struct abi *abi, struct err *err)
{
	bool is_version = *abi->version && !strchr(abi->version, '/') && strcmp(abi->version, ".");

	if (!args->version && !is_version)
		return err_set(err, ERR_USAGE, "%s does not say which version it is; --version does", args->json);
	if (args->version && is_version && strcmp(args->version, abi->version))
		return err_set(err, ERR_USAGE, "%s is %s, not %s", args->json, abi->version, args->version);
	*out = args->version ? args->version : abi->version;
	return 0;
}

/* One version, by the node that stands for it. */
static int choose_version(struct verify_run *run, const char *version, struct err *err)
{
	const struct table_node *node = table_nearest_node(&run->table, version);

	if (!node)
		return err_set(err, ERR_NOT_FOUND, "%s says nothing about %s: its oldest node is %s", run->args->table, version,
			       run->table.nodes[0].version);
	run->requests[0].version = version;
	run->nodes[run->count++] = node;
	return 0;
}

/* The nodes that --version, --all-nodes, or neither asks for. */
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
		return err_set(err, ERR_NOT_FOUND, "%s supports no version; --all-nodes checks the nodes between", run->args->table);
	return 0;
}

/* Which versions to look at, and their documents. */
static int load_versions(struct verify_run *run, struct err *err)
{
	const struct cli_args *args = run->args;
	const char *version = NULL;
	int rc;

	run->nodes = arena_array(&run->arena, run->table.node_count + 1, sizeof(*run->nodes));
	run->requests = arena_array(&run->arena, run->table.node_count + 1, sizeof(*run->requests));
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

/* YYYYMMDD, in UTC; SOURCE_DATE_EPOCH stands for now, as reproducible-builds.org has it. */
static int today(unsigned *out, struct err *err)
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	time_t now = time(NULL);
	struct tm day;
	char *end;

	if (epoch && *epoch) {
		errno = 0;
		now = (time_t)strtoll(epoch, &end, 10);
		if (errno || *end)
			return err_set(err, ERR_USAGE, "SOURCE_DATE_EPOCH is '%s'; it takes seconds since 1970", epoch);
	}
	if (!gmtime_r(&now, &day))
		return err_set(err, ERR_USAGE, "SOURCE_DATE_EPOCH is '%s', which is no day", epoch ? epoch : "");
	*out = (unsigned)(day.tm_year + 1900) * 10000 + (unsigned)(day.tm_mon + 1) * 100 + (unsigned)day.tm_mday;
	return 0;
}

static int read_suppressions(struct verify_run *run, struct err *err)
{
	const char *path = run->args->suppress;
	struct strbuf file = { 0 };
	unsigned day = 0;
	int rc;

	if (!path)
		return 0;
	if ((rc = today(&day, err)) || (rc = file_read(&file, path, SUPPRESS_LIMIT_BYTES, err)))
		goto out;
	if (strlen(strbuf_text(&file)) != file.length)
		rc = err_set(err, ERR_FORMAT, "%s: this is no text file, it has a NUL byte at %zu", path, strlen(strbuf_text(&file)));
	else
		rc = suppressions_parse(&run->suppressions, strbuf_text(&file), path, day, &run->arena, err);
out:
	strbuf_release(&file);
	return rc;
}

/* --fail-on RULE,...: which findings make the exit status 1. Without it, those of every rule that does more than warn. */
static int read_fail_on(struct verify_run *run, struct err *err)
{
	const char *at = run->args->fail_on;
	int rc;

	for (int rule = 0; !at && rule < VERIFY_RULE_COUNT; rule++)
		run->fails[rule] = !verify_rule_warns((enum verify_rule)rule);
	while (at && *at) {
		size_t length = strcspn(at, ",");
		enum verify_rule rule;

		if ((rc = verify_rule_parse(&rule, arena_strndup(&run->arena, at, length), err))) {
			err_prefix(err, "--fail-on");
			return rc;
		}
		run->fails[rule] = true;
		at += length + (at[length] == ',');
	}
	return 0;
}

static int check_version(struct verify_run *run, size_t index, struct err *err)
{
	struct store_request *request = &run->requests[index];
	struct verify_version *version = &run->versions[index];
	struct table_view *view = arena_alloc(&run->arena, sizeof(*view));
	int rc;

	if (strcmp(run->table.driver, request->abi.driver))
		return err_set(err, ERR_USAGE, "%s is a table for the driver %s, not for %s", run->args->table, run->table.driver,
			       request->abi.driver);
	table_view_at(view, &run->table, run->nodes[index], &run->arena);
	if ((rc = verify_view(&version->result, &request->abi, view, &run->arena, err))) {
		err_prefix(err, "%s", version->version);
		return rc;
	}
	version->suppressed_count = suppressions_apply(&version->suppressed, &version->result, &run->suppressions, version->version,
						       &run->arena);
	for (size_t i = 0; i < version->result.finding_count; i++)
		version->failing += run->fails[version->result.findings[i].rule];
	version->status = version->failing ? VERIFY_FAIL : VERIFY_PASS;
	return 0;
}

/* Which lines are for versions that were compared. */
static void try_suppressions(struct verify_run *run)
{
	const char **compared = arena_array(&run->arena, run->count, sizeof(*compared));
	size_t count = 0;

	for (size_t i = 0; i < run->count; i++)
		if (run->versions[i].status != VERIFY_UNAVAILABLE)
			compared[count++] = run->versions[i].version;
	suppressions_try(&run->suppressions, &run->table, compared, count);
}

/* Ioctls are sorted by family. */
static bool has_family(const struct abi *abi, const char *family)
{
	size_t low = 0, high = abi->ioctl_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(abi->ioctls[middle].family, family) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < abi->ioctl_count && !strcmp(abi->ioctls[low].family, family);
}

/* A version that could be checked, and of which the driver's own tables are known. */
static bool has_ioctls(const struct verify_run *run, size_t index)
{
	return !run->requests[index].lacking && run->requests[index].abi.ioctl_count;
}

/* Does no version have ioctls of that family, though it has some? */
static bool is_unknown(const struct verify_run *run, const char *family)
{
	bool any = false;

	for (size_t i = 0; i < run->count; i++) {
		if (has_ioctls(run, i) && has_family(&run->requests[i].abi, family))
			return false;
		any = any || has_ioctls(run, i);
	}
	return any;
}

/* The first family of an entry that no version knows; NULL if there is none. */
static const char *unknown_family(const struct verify_run *run)
{
	for (size_t i = 0; i < run->count; i++) {
		const struct table_view *view = run->versions[i].result.view;
		const char *before = "";

		for (size_t e = 0; !run->requests[i].lacking && e < view->entry_count; e++) {
			const char *family = view->entries[e]->family; /* entries are sorted by it */

			if (strcmp(family, before) && is_unknown(run, family))
				return family;
			before = family;
		}
	}
	return NULL;
}

/* A table that forwards nothing, or what the driver has no kind of, fits whatever the driver is. */
static int check_entries(struct verify_run *run, struct err *err)
{
	struct nearby_words known = { .count = 0 };
	struct strbuf near = { 0 };
	const char *family;
	size_t entries = 0;
	int rc;

	for (size_t i = 0; i < run->count; i++)
		entries += run->requests[i].lacking ? 0 : run->versions[i].result.view->entry_count;
	if (!entries)
		return err_set(err, ERR_NOT_FOUND, "%s forwards nothing at what was to be checked, so nothing was", run->table.path);
	if (!(family = unknown_family(run)))
		return 0;
	for (size_t i = 0; i < run->count; i++)
		for (size_t n = 0; has_ioctls(run, i) && n < run->requests[i].abi.ioctl_count; n++)
			nearby_word(&known, run->requests[i].abi.ioctls[n].family, &run->arena);
	nearby_list(&near, &known, family);
	rc = err_set(err, ERR_NOT_FOUND, "%s has entries of a family '%s', of which the driver has no ioctls%s", run->table.path, family,
		     strbuf_text(&near));
	strbuf_release(&near);
	return rc;
}

static int check_all(struct verify_run *run, struct err *err)
{
	const char *lacking_in = "the repository";
	size_t checked = 0;
	int rc;

	run->versions = arena_array(&run->arena, run->count, sizeof(*run->versions));
	for (size_t i = 0; i < run->count; i++) {
		run->versions[i].version = run->requests[i].version;
		run->versions[i].supported = run->nodes[i]->supported && !strcmp(run->nodes[i]->version, run->versions[i].version);
		if (run->requests[i].lacking) {
			lacking_in = run->requests[i].lacking_in;
			run->versions[i].status = VERIFY_UNAVAILABLE;
			run->versions[i].reason = arena_printf(&run->arena, "%s has no such version", lacking_in);
			continue;
		}
		if ((rc = check_version(run, i, err)))
			return rc;
		checked++;
	}
	if (!checked)
		return err_set(err, ERR_NOT_FOUND, "none of the %zu versions of %s is in %s, so nothing was checked; is it the driver's?", run->count,
			       run->args->table, lacking_in);
	try_suppressions(run);
	return check_entries(run, err);
}

/* --caps: of the table alone, for versions without source as well. */
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
		if (run->versions[i].status == VERIFY_FAIL)
			return CLI_SOMETHING;
	for (size_t i = 0; i < run->suppressions.count; i++)
		if (run->suppressions.item[i].expired)
			return CLI_SOMETHING;
	return CLI_NOTHING;
}

static enum verify_format chosen_format(const struct cli_args *args)
{
	static const char *const names[] = { "text", "json", "markdown", "tap", "junit", "sarif" };
	const char *format = args->format;

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

	memcpy(report.fails, run->fails, sizeof(report.fails));
	report_verify(&out, &report, chosen_format(run->args), &style);
	rc = output_write(&out, run->args, err);
	strbuf_release(&out);
	return rc;
}

/* How many lines, and how many of them nobody has looked at yet. */
static void say_accepted(const struct cli_args *args, const struct acceptances *accepted)
{
	struct strbuf sentence = { 0 };

	if (args->quiet)
		return;
	strbuf_addf(&sentence, "wrote %zu suppression%s to %s", accepted->count, accepted->count == 1 ? "" : "s", args->write_suppress);
	if (accepted->unexplained)
		strbuf_addf(&sentence, "; %zu of them need%s a reason in place of TODO", accepted->unexplained, accepted->unexplained == 1 ? "s" : "");
	output_say(strbuf_text(&sentence));
	strbuf_release(&sentence);
}

/* --write-suppress: what was found at every version that was compared. */
static int write_accepted(struct verify_run *run, struct err *err)
{
	struct accept_version *versions = arena_array(&run->arena, run->count, sizeof(*versions));
	struct acceptances accepted;
	struct strbuf out = { 0 };
	size_t count = 0;
	int rc;

	for (size_t i = 0; i < run->count; i++) {
		const struct verify_version *version = &run->versions[i];

		if (version->status != VERIFY_UNAVAILABLE)
			versions[count++] = (struct accept_version){ version->version, &version->result, version->suppressed,
								     version->suppressed_count };
	}
	if ((rc = accept_findings(&accepted, versions, count, &run->arena, err)))
		return rc;
	report_acceptances(&out, &run->table, &accepted);
	rc = file_write_atomic(run->args->write_suppress, strbuf_text(&out), out.length, err);
	if (!rc)
		say_accepted(run->args, &accepted);
	strbuf_release(&out);
	return rc;
}

/* Options that do not go together. */
static int check_args(const struct cli_args *args, struct err *err)
{
	if (!args->table && !args->table_from_header)
		return err_set(err, ERR_USAGE, "verify needs the proxy's table: --table FILE");
	if (args->word_count)
		return err_set(err, ERR_USAGE, "verify takes no '%s'; --version %s checks one version", args->words[0], args->words[0]);
	if (args->all_nodes && (args->version || args->json))
		return err_set(err, ERR_USAGE, "--all-nodes and %s contradict each other", args->json ? "--json" : "--version");
	if (args->json && (args->repo || args->dir))
		return err_set(err, ERR_USAGE, "--json and %s name two drivers; give one", args->repo ? "--repo" : "--dir");
	if (args->dir && !args->version)
		return err_set(err, ERR_USAGE, "--dir is a tree of one version; --version says of which");
	if (args->show_caps && chosen_format(args) != VERIFY_TEXT && chosen_format(args) != VERIFY_JSON)
		return err_set(err, ERR_USAGE, "--caps is for --format text and json, not for %s", args->format);
	if (args->write_suppress && args->output && !strcmp(args->write_suppress, args->output))
		return err_set(err, ERR_USAGE, "--write-suppress and -o name one file, %s; give two", args->output);
	return load_header_check(args, err);
}

/* Text and JSON say which node stands for a version; the others have no room for it. */
static void note_nodes(const struct verify_run *run)
{
	enum verify_format format = chosen_format(run->args);

	for (size_t i = 0; format != VERIFY_TEXT && format != VERIFY_JSON && i < run->count; i++)
		if (strcmp(run->nodes[i]->version, run->versions[i].version))
			output_note(run->args, "%s has no node %s; %s stands for it", run->table.path, run->versions[i].version,
				    run->nodes[i]->version);
}

int cmd_verify(const struct cli_args *args, struct err *err)
{
	struct verify_run run = { .args = args };
	int rc;

	if ((rc = check_args(args, err)) ||
	    (rc = load_table(&run.table, args, &run.arena, err)) ||
	    (rc = read_suppressions(&run, err)) ||
	    (rc = read_fail_on(&run, err)) ||
	    (rc = load_versions(&run, err)) ||
	    (rc = check_all(&run, err)))
		goto out;
	count_caps(&run);
	note_nodes(&run);
	rc = args->write_suppress ? write_accepted(&run, err) : 0;
	if (!rc)
		rc = write_report(&run, err);
	if (!rc)
		rc = exit_status(&run);
out:
	if (run.requests)
		load_documents_release(run.requests, run.table.node_count + 1);
	arena_release(&run.arena);
	return rc;
}
