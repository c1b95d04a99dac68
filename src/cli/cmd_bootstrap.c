/*
 * cli/cmd_bootstrap.c - drvabi bootstrap
 *
 * 1. The graph, and the document of the version, which says whether there is one.
 * 2. Where the version stands in the table's tree (bootstrap/bootstrap.h).
 * 3. The documents of its path, and of no other version: a table that is up to date needs two.
 * 4. The pass, then the report and the files.
 */
#include "cli/bootstrap_files.h"
#include "cli/commands.h"
#include "cli/lineage.h"
#include "cli/load.h"
#include "cli/load_table.h"
#include "cli/observed.h"
#include "cli/output.h"

#include "abi/abi.h"
#include "bootstrap/bootstrap.h"

#include <ctype.h>
#include <string.h>

struct bootstrap_run {
	const struct cli_args *args;
	struct store_history loaded;
	struct history_graph graph;
	struct table table;
	struct bootstrap_position position;
	struct proxytype_set *types;
	struct bootstrap_observed observed;
	struct bootstrap result;
	struct arena arena;
};

static int check_sha256(const char *option, const char *hex, struct err *err)
{
	if (!hex || !strcmp(hex, BOOTSTRAP_NO_PACKAGE) || (strlen(hex) == 64 && strspn(hex, "0123456789abcdef") == 64))
		return 0;
	return err_set(err, ERR_USAGE, "%s takes a SHA-256 as sha256sum prints it, 64 hexadecimal digits in lower case, or none, not '%s'", option, hex);
}

static int check_args(const struct cli_args *args, struct err *err)
{
	int rc;

	if (!args->table)
		return err_set(err, ERR_USAGE, "bootstrap needs the proxy's table: --table FILE");
	if (args->add_ioctls && !args->word_count)
		return err_set(err, ERR_USAGE, "--add needs names or numbers of ioctls");
	if (args->add_ioctls && (args->sha256_x86_64 || args->sha256_arm64))
		return err_set(err, ERR_USAGE, "--add changes nodes that are there; a checksum is a new version's");
	if (!args->add_ioctls && args->word_count != 1)
		return err_set(err, ERR_USAGE, args->word_count ? "bootstrap takes one version, not %zu words" :
			       "bootstrap needs a version, or --add with names or numbers of ioctls", args->word_count);
	if ((rc = check_sha256("--sha256-x86_64", args->sha256_x86_64, err)))
		return rc;
	return check_sha256("--sha256-arm64", args->sha256_arm64, err);
}

static int load(struct bootstrap_run *run, const char *const *names, size_t count, struct err *err)
{
	const struct store_choice choice = { .names = names, .count = count };
	int rc = load_history(&run->loaded, &choice, run->args, &run->arena, err);

	if (!rc)
		history_graph_of(&run->graph, lineage_documents(&run->loaded, &run->arena), run->loaded.graph.count, &run->arena);
	return rc;
}

static size_t index_of(const struct history_graph *graph, const char *version)
{
	size_t i = 0;

	while (i < graph->version_count && strcmp(graph->versions[i].version, version))
		i++;
	return i;
}

/* What cannot be read between does not matter, but both ends do. */
static int check_ends(const struct bootstrap_run *run, struct err *err)
{
	const size_t ends[] = { run->position.path[0], run->position.path[run->position.path_count - 1] };

	for (size_t i = 0; i < 2; i++)
		if (!run->graph.versions[ends[i]].abi) {
			*err = run->loaded.requests[ends[i]].err;
			return run->loaded.requests[ends[i]].rc;
		}
	return 0;
}

static int load_path(struct bootstrap_run *run, struct err *err)
{
	const char **names = arena_array(&run->arena, run->position.path_count, sizeof(*names));
	int rc;

	for (size_t i = 0; i < run->position.path_count; i++)
		names[i] = run->graph.versions[run->position.path[i]].version;
	rc = load(run, names, run->position.path_count, err);
	return rc ? rc : check_ends(run, err);
}

static int find_position(struct bootstrap_run *run, struct err *err)
{
	size_t version = 0;

	while (run->loaded.requests[version].skipped)
		version++;
	if (!run->graph.versions[version].abi) {
		*err = run->loaded.requests[version].err;
		return run->loaded.requests[version].rc;
	}
	return bootstrap_find(&run->position, &run->graph, &run->table, version, &run->arena, err);
}

static int bootstrap(struct bootstrap_run *run, struct err *err)
{
	const struct bootstrap_options options = { run->args->sha256_x86_64, run->args->sha256_arm64, &run->observed };

	run->types = proxytype_set_new(&run->table, &run->arena);
	return bootstrap_version(&run->result, &run->position, &run->graph, &run->table, run->types, &options, &run->arena, err);
}

static int check_driver(const struct bootstrap_run *run, struct err *err)
{
	for (size_t i = 0; i < run->graph.version_count; i++) {
		const struct abi *abi = run->graph.versions[i].abi;

		if (abi && strcmp(run->table.driver, abi->driver))
			return err_set(err, ERR_USAGE, "%s is a table for the driver %s, not for %s", run->table.path, run->table.driver, abi->driver);
	}
	return 0;
}

/* The versions beside @word, which is in none of the stores: neither in the data nor in the repository, or the repository could not be fetched. */
static void add_nearest(struct bootstrap_run *run, const char *word, struct err *err)
{
	struct abi_nearest nearest = { .count = 0 };
	struct strbuf near = { 0 };
	struct err said = *err;
	const char **names;

	if (strstr(err->text, "nearest: ") || !isdigit((unsigned char)*word) || load(run, &word, 0, &(struct err){ "" }))
		return;
	names = arena_array(&run->arena, run->graph.version_count + 1, sizeof(*names));
	for (size_t i = 0; i < run->graph.version_count; i++)
		names[i] = run->graph.versions[i].version;
	abi_nearest_neighbours(&nearest, word, names, run->graph.version_count);
	abi_nearest_list(&near, &nearest);
	err_set(err, 0, "%s is not among the versions here%s; %s", word, strbuf_text(&near), said.text);
	strbuf_release(&near);
}

static int load_version(struct bootstrap_run *run, struct err *err)
{
	int rc = load(run, run->args->words, 1, err);

	if (rc == ERR_NOT_FOUND || rc == ERR_GIT)
		add_nearest(run, run->args->words[0], err);
	return rc;
}

/* The whole way for a version. */
static int run_version(struct bootstrap_run *run, struct err *err)
{
	int rc;

	if ((rc = load_version(run, err)) ||
	    (rc = check_driver(run, err)) ||
	    (rc = observed_load(&run->observed, run->args, run->args->words[0], &run->arena, err)) ||
	    (rc = find_position(run, err)) ||
	    (rc = load_path(run, err)))
		return rc;
	return bootstrap(run, err);
}

/* Of the table's nodes, those whose versions there are; the others are looked at by their parents. */
static int load_nodes(struct bootstrap_run *run, struct err *err)
{
	const char **names = arena_array(&run->arena, run->table.node_count + 1, sizeof(*names));
	size_t count = 0;
	int rc;

	if ((rc = load(run, names, 0, err)))
		return rc;
	for (size_t i = 0; i < run->table.node_count; i++)
		if (index_of(&run->graph, run->table.nodes[i].version) < run->graph.version_count)
			names[count++] = run->table.nodes[i].version;
	return load(run, names, count, err);
}

static int run_add(struct bootstrap_run *run, struct err *err)
{
	const struct bootstrap_options options = { .observed = &run->observed };
	int rc;

	if ((rc = load_nodes(run, err)) ||
	    (rc = check_driver(run, err)) ||
	    (rc = observed_load(&run->observed, run->args, NULL, &run->arena, err)))
		return rc;
	run->types = proxytype_set_new(&run->table, &run->arena);
	return bootstrap_add(&run->result, &run->graph, &run->table, run->types, run->args->words, run->args->word_count, &options, &run->arena, err);
}

/* The report, where -o does not go to: that is a directory. */
static int print_report(const struct bootstrap_run *run, struct err *err)
{
	struct cli_args args = *run->args;
	struct report_style style;
	struct strbuf out = { 0 };
	int rc;

	args.output = NULL;
	style = output_style(&args);
	if (!strcmp(args.format, "json"))
		report_bootstrap_json(&out, &run->result);
	else if (!strcmp(args.format, "markdown"))
		report_bootstrap_markdown(&out, &run->result);
	else
		report_bootstrap_text(&out, &run->result, &style);
	rc = output_write(&out, &args, err);
	strbuf_release(&out);
	return rc;
}

int cmd_bootstrap(const struct cli_args *args, struct err *err)
{
	struct bootstrap_run run = { .args = args };
	int rc;

	if ((rc = check_args(args, err)) ||
	    (rc = load_table(&run.table, args, &run.arena, err)) ||
	    (rc = args->add_ioctls ? run_add(&run, err) : run_version(&run, err)) ||
	    (args->output && (rc = bootstrap_files_write(args->output, &run.result, err))) ||
	    (rc = print_report(&run, err)))
		goto out;
	rc = args->exit_code && run.result.verdict != BOOTSTRAP_NOTHING ? CLI_SOMETHING : CLI_NOTHING;
out:
	proxytype_set_free(run.types);
	arena_release(&run.arena);
	return rc;
}
