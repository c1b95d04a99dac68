/*
 * cli/verify_run.c - from a table and the options to findings
 *
 * 1. verify_run_load() chooses nodes of the table: all that are supported, all
 *    with --all-nodes, or the one that stands for --version or for the version
 *    of --json's document. It loads the document of each node's version. One
 *    that nothing named has is unavailable.
 * 2. verify_run_check() compares each document with the table's view at its
 *    node, removes what the suppressions cover, and counts what is left.
 * 3. It then refuses a table that cannot be checked in this way: no version
 *    exists, the table forwards nothing, or the driver lacks its families.
 */
#include "cli/verify_run.h"

#include "cli/nearby.h"

#include <string.h>

/* What --json's document is: its own version, unless that is a directory's name. */
static int version_of_document(const char **out, const struct cli_args *args, const struct abi *abi, struct err *err)
{
	bool is_version = *abi->version && !strchr(abi->version, '/') && strcmp(abi->version, ".");

	if (!args->version && !is_version)
		return err_set(err, ERR_USAGE, "%s does not name its version; give --version", args->json);
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
		return err_set(err, ERR_NOT_FOUND, "%s has no node for %s: its oldest node is %s", run->table.path, version,
			       run->table.nodes[0].version);
	run->requests[0].version = version;
	run->nodes[run->count++] = node;
	return 0;
}

/* Every node that the proxy supports; with --all-nodes, those between as well. */
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
		return err_set(err, ERR_NOT_FOUND, "%s supports no version; --all-nodes checks the nodes between", run->table.path);
	return 0;
}

int verify_run_load(struct verify_run *run, struct err *err)
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

static int check_version(struct verify_run *run, size_t index, struct err *err)
{
	struct store_request *request = &run->requests[index];
	struct verify_version *version = &run->versions[index];
	struct table_view *view = arena_alloc(&run->arena, sizeof(*view));
	int rc;

	if (strcmp(run->table.driver, request->abi.driver))
		return err_set(err, ERR_USAGE, "%s is a table for the driver %s, not for %s", run->table.path, run->table.driver,
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

/* Marks the suppressions of which no version was compared. */
static void try_suppressions(struct verify_run *run)
{
	const char **compared = arena_array(&run->arena, run->count, sizeof(*compared));
	size_t count = 0;

	for (size_t i = 0; i < run->count; i++)
		if (run->versions[i].status != VERIFY_UNAVAILABLE)
			compared[count++] = run->versions[i].version;
	suppressions_try(&run->suppressions, &run->table, compared, count);
}

/* Lists the families of all versions, which the user may have misspelled. */
static void list_families(struct strbuf *out, struct verify_run *run, const char *family)
{
	struct nearby_words known = { .count = 0 };

	for (size_t i = 0; i < run->count; i++)
		for (size_t n = 0; !run->requests[i].lacking && n < run->requests[i].abi.ioctl_count; n++)
			nearby_word(&known, run->requests[i].abi.ioctls[n].family, &run->arena);
	nearby_list(out, &known, family);
}

static int fail_family(struct verify_run *run, const char *family, struct err *err)
{
	struct strbuf near = { 0 };
	int rc;

	list_families(&near, run, family);
	rc = err_set(err, ERR_NOT_FOUND, "%s has entries of a family '%s', of which the driver has no ioctls%s", run->table.path, family,
		     strbuf_text(&near));
	strbuf_release(&near);
	return rc;
}

/* A table without entries, or with entries of unknown families only, would fit every driver. */
static int check_entries(struct verify_run *run, struct err *err)
{
	const struct verify_result **results = arena_array(&run->arena, run->count, sizeof(const struct verify_result *));
	size_t count = 0, entries = 0;
	const char *family;

	for (size_t i = 0; i < run->count; i++) {
		if (run->requests[i].lacking)
			continue;
		results[count++] = &run->versions[i].result;
		entries += run->versions[i].result.view->entry_count;
	}
	if (!entries)
		return err_set(err, ERR_NOT_FOUND, "%s forwards nothing in the versions to check, so nothing was checked", run->table.path);
	family = verify_unknown_family(results, count);
	return family ? fail_family(run, family, err) : 0;
}

/* That a supported version is unavailable is a finding if it counts. A line that accepts it is used in any case. */
static void find_lacking(struct verify_run *run, struct verify_version *version, const struct table_node *node)
{
	struct table_view *view = arena_alloc(&run->arena, sizeof(*view));

	table_view_at(view, &run->table, node, &run->arena);
	verify_lacking(&version->result, view, version->version, version->reason, &run->arena);
	version->suppressed_count = suppressions_apply(&version->suppressed, &version->result, &run->suppressions, version->version,
						       &run->arena);
	if (!run->fails[VERIFY_LACKING])
		version->result.finding_count = 0;
	version->failing = version->result.finding_count;
}

/* Sets what does not depend on the check. Return: is there a document? */
static bool begin_version(struct verify_run *run, size_t index)
{
	const struct store_request *request = &run->requests[index];
	struct verify_version *version = &run->versions[index];

	version->version = request->version;
	version->supported = run->nodes[index]->supported && !strcmp(run->nodes[index]->version, request->version);
	if (!request->lacking)
		return true;
	version->status = VERIFY_UNAVAILABLE;
	version->reason = request->lacking_why;
	version->to_do = request->lacking_to_do;
	if (version->supported)
		find_lacking(run, version, run->nodes[index]);
	return false;
}

int verify_run_check(struct verify_run *run, struct err *err)
{
	const char *lacking_why = "";
	size_t checked = 0;
	int rc;

	run->versions = arena_array(&run->arena, run->count, sizeof(*run->versions));
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
		return err_set(err, ERR_NOT_FOUND, "%s: none of its %zu versions could be checked: they are %s; is it the driver's?", run->table.path,
			       run->count, lacking_why);
	try_suppressions(run);
	return check_entries(run, err);
}

void verify_run_release(struct verify_run *run)
{
	if (run->requests)
		load_documents_release(run->requests, run->table.node_count + 1);
	arena_release(&run->arena);
}
