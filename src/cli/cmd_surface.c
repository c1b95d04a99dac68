/* cli/cmd_surface.c - drvabi surface and pids: the ioctls of a version, filtered */
#include "cli/cli.h"
#include "report/report.h"
#include "store/store.h"
#include "verify/verify.h"

#include <stdlib.h>
#include <string.h>

/* what the options of surface select */

/* One run of surface. */
struct surface_run {
	const struct cli_args *args;
	struct store_request request;
	struct table table;
	struct table_view view, base;  /* with --table; with --since */
	unsigned roles;                /* with --role: bits of 1u << enum abi_role */
	struct profile_strings wanted; /* with --caps */
	struct caps caps;
	struct caps_since since;
	struct surface surface;
};

/*
 * what --family, --caller, --name, --role, --caps and --since select
 *
 * 1. --caps is split into capabilities, each of which the driver or the table
 *    must know. They are counted; with --since, compared with an older node.
 * 2. Each option alone must select something. If one does not, it is likely
 *    misspelled, and the error lists what there is.
 * 3. After the selection, surface_options_check() refuses options that select
 *    nothing together.
 */

static bool is_cap(const struct table_view *view, const char *cap)
{
	for (const char *const *known = table_caps; *known; known++)
		if (!strcmp(*known, cap))
			return true;
	for (size_t i = 0; i < view->entry_count; i++)
		if (caps_lists(view->entries[i], cap))
			return true;
	return false;
}

static int no_cap(const struct surface_run *run, const char *cap, struct arena *arena, struct err *err)
{
	struct nearby_words words = { .count = 0 };

	for (const char *const *known = table_caps; *known; known++)
		nearby_word(&words, *known, arena);
	for (size_t i = 0; i < run->view.entry_count; i++)
		for (size_t c = 0; c < run->view.entries[i]->cap_count; c++)
			nearby_word(&words, run->view.entries[i]->caps[c], arena);
	return nearby_words_fail(err, &words, cap,
				 "--caps: '%s' is no capability, neither a driver's nor one of %s", cap,
				 run->args->table);
}

static bool stands_before(const struct profile_strings *list, const char *word)
{
	for (size_t i = 0; i < list->count; i++)
		if (!strcmp(list->item[i], word))
			return true;
	return false;
}

/* "graphics,video" as a list, each once. */
static int split_caps(struct surface_run *run, const char *text, struct err *err)
{
	const char **item = arena_array(&run->request.arena, strlen(text) + 1, sizeof(*item));

	run->wanted = (struct profile_strings){ item, 0 };
	while (*text) {
		size_t length = strcspn(text, ",");
		const char *word = arena_strndup(&run->request.arena, text, length);

		if (!is_cap(&run->view, word))
			return no_cap(run, word, &run->request.arena, err);
		if (!stands_before(&run->wanted, word))
			item[run->wanted.count++] = word;
		text += length + (text[length] == ',');
	}
	return 0;
}

/* 'all' as a list. */
static void all_caps(struct surface_run *run)
{
	const char **item = arena_array(&run->request.arena, run->caps.cap_count + 1, sizeof(*item));

	for (size_t i = 0; i < run->caps.cap_count; i++)
		item[i] = run->caps.caps[i].name;
	run->wanted = (struct profile_strings){ item, run->caps.cap_count };
}

static int compare_versions(const void *a, const void *b)
{
	return abi_version_compare(*(const char *const *)a, *(const char *const *)b);
}

/* An error, because another node would give another set of changes. */
static int no_node(const struct table *table, const char *version, struct err *err)
{
	const char **names = xmalloc(table->node_count * sizeof(*names));
	struct abi_nearest nearest = { .count = 0 };

	for (size_t i = 0; i < table->node_count; i++)
		names[i] = table->nodes[i].version;
	qsort(names, table->node_count, sizeof(*names), compare_versions);
	abi_nearest_typos(&nearest, version, names, table->node_count);
	if (!nearest.count)
		abi_nearest_neighbours(&nearest, version, names, table->node_count);
	free(names);
	return nearby_fail(err, &nearest, "--since: %s has no node %s", table->path, version);
}

/* --caps and --since. */
static int read_caps(struct surface_run *run, struct err *err)
{
	const struct cli_args *args = run->args;
	struct arena *arena = &run->request.arena;
	const struct table_node *node;
	bool all = !strcmp(args->caps, "all");
	int rc;

	if (!all && (rc = split_caps(run, args->caps, err)))
		return rc;
	caps_count(&run->caps, &run->view, all ? NULL : &run->wanted, arena);
	if (all)
		all_caps(run);
	if (!args->since)
		return 0;
	if (!(node = table_find_node(&run->table, args->since)))
		return no_node(&run->table, args->since, err);
	if (nearby_are_releases(node->version, run->view.node->version) &&
	    abi_version_compare(node->version, run->view.node->version) > 0)
		output_note(args, "--since %s is newer than %s", node->version, run->view.node->version);
	table_view_at(&run->base, &run->table, node, arena);
	caps_compare(&run->since, &run->caps, &run->base, arena);
	return 0;
}

/* How many ioctls one of the options alone selects. */
static size_t selected_by(struct surface_run *run, const struct surface_filter *filter)
{
	struct surface surface = { .row_count = 0 };
	struct err ignored; /* of a document that lies; surface_select() of all options says it */

	surface_select(&surface, &run->request.abi, run->args->table ? &run->view : NULL, filter,
		       &run->request.arena, &ignored);
	return surface.row_count;
}

static int no_family(struct surface_run *run, struct err *err)
{
	const struct abi *abi = &run->request.abi;
	struct arena *arena = &run->request.arena;
	struct nearby_words words = { .count = 0 };

	for (size_t i = 0; i < abi->ioctl_count; i++)
		nearby_word(&words, abi->ioctls[i].family, arena);
	for (size_t i = 0; i < run->view.entry_count; i++)
		nearby_word(&words, run->view.entries[i]->family, arena);
	return nearby_words_fail(err, &words, run->args->family,
				 "--family: %s %s has no ioctls of a family '%s'", abi->driver, abi->version,
				 run->args->family);
}

static int no_flag(struct surface_run *run, struct err *err)
{
	const struct abi *abi = &run->request.abi;
	struct arena *arena = &run->request.arena;
	struct nearby_words words = { .count = 0 };

	for (size_t i = 0; i < abi->ioctl_count; i++)
		for (size_t flag = 0; flag < abi->ioctls[i].flag_count; flag++)
			nearby_word(&words, abi->ioctls[i].flags[flag], arena);
	return nearby_words_fail(err, &words, run->args->caller,
				 "--caller: no ioctl of %s %s has '%s' among its flags", abi->driver,
				 abi->version, run->args->caller);
}

static int no_name(struct surface_run *run, struct err *err)
{
	const struct abi *abi = &run->request.abi;
	struct abi_nearest nearest = { .count = 0 };

	for (size_t i = 0; i < abi->ioctl_count; i++)
		abi_nearest_name(&nearest, run->args->name, abi->ioctls[i].name);
	return nearby_fail(err, &nearest, "--name: no ioctl of %s %s matches '%s'", abi->driver,
			   abi->version, run->args->name);
}

/* How many entries the capabilities gained and lost since then. */
static size_t changed_since(const struct surface_run *run)
{
	size_t changed = 0;

	for (size_t i = 0; i < run->since.change_count; i++)
		changed += run->since.changes[i].gained_count + run->since.changes[i].lost_count;
	return changed;
}

/* Known capabilities, but the proxy exposes nothing under them. */
static int no_entry(struct surface_run *run, struct err *err)
{
	struct arena *arena = &run->request.arena;
	struct nearby_words words = { .count = 0 };

	for (size_t i = 0; i < run->view.entry_count; i++)
		for (size_t c = 0; c < run->view.entries[i]->cap_count; c++)
			nearby_word(&words, run->view.entries[i]->caps[c], arena);
	return nearby_words_fail(err, &words, run->args->caps,
				 "--caps: %s exposes nothing by %s at its node %s",
				 run->table.proxy,
				 strcmp(run->args->caps, "all") ? run->args->caps : "any capability",
				 run->view.node->version);
}

/* Step 2. */
static int check_filters(struct surface_run *run, struct err *err)
{
	const struct cli_args *args = run->args;

	if (args->family && !selected_by(run, &(struct surface_filter){ .family = args->family }))
		return no_family(run, err);
	if (args->caller && !selected_by(run, &(struct surface_filter){ .flag = args->caller }))
		return no_flag(run, err);
	if (args->name && !selected_by(run, &(struct surface_filter){ .name = args->name }))
		return no_name(run, err);
	if (args->caps && !changed_since(run) &&
	    !selected_by(run, &(struct surface_filter){ .caps = &run->wanted }))
		return no_entry(run, err);
	return 0;
}

/**
 * surface_options_read - sets @wanted, @caps and @since of a run whose document, and table if any, are loaded
 *
 * Return: 0; ERR_NOT_FOUND if one of the options matches nothing, with what is near.
 */
static int surface_options_read(struct surface_run *run, struct err *err)
{
	int rc = run->args->caps ? read_caps(run, err) : 0;

	return rc ? rc : check_filters(run, err);
}

static void add_filter(struct strbuf *out, const char *option, const char *value)
{
	if (value)
		strbuf_addf(out, "%s--%s '%s'", out->length ? " and " : "", option, value);
}

/*
 * surface_options_check - is anything selected? Return: 0, also for a driver without ioctls; ERR_NOT_FOUND.
 */
static int surface_options_check(const struct surface_run *run, struct err *err)
{
	const struct cli_args *args = run->args;
	const struct abi *abi = &run->request.abi;
	struct strbuf filters = { 0 };
	int rc = 0;

	if (run->surface.row_count || changed_since(run))
		return 0;
	add_filter(&filters, "family", args->family);
	add_filter(&filters, "caller", args->caller);
	add_filter(&filters, "name", args->name);
	add_filter(&filters, "role", args->role);
	add_filter(&filters, "caps", args->caps);
	if (args->not_forwarded)
		strbuf_addf(&filters, "%s--not-forwarded", filters.length ? " and " : "");
	if (!filters.length)
		output_note(args, "%s %s has no ioctls that its profile knows of", abi->driver, abi->version);
	else
		rc = err_set(err, ERR_NOT_FOUND, "no ioctl of %s %s is left by %s%s", abi->driver,
			     abi->version, filters.text,
			     strstr(filters.text, " and --") ? " together, though each alone leaves some"
							     : "");
	strbuf_release(&filters);
	return rc;
}

static int surface_request(struct store_request *request, const struct cli_args *args, struct err *err)
{
	if (args->word_count > 1 || (args->word_count && args->version))
		return err_set(err, ERR_USAGE, "surface is about one version at a time");
	if (args->caps && !args->table)
		return err_set(err, ERR_USAGE,
			       "--caps are a proxy's capabilities; give its table with --table FILE");
	if (args->not_forwarded && !args->table)
		return err_set(err, ERR_USAGE,
			       "--not-forwarded is about a proxy; give its table with --table FILE");
	if (args->not_forwarded && args->caps)
		return err_set(err, ERR_USAGE, "--not-forwarded and --caps contradict each other");
	if (args->since && !args->caps)
		return err_set(err, ERR_USAGE,
			       "--since is about what capabilities expose; give --caps as well");
	request->version = args->word_count ? args->words[0] : args->version;
	if (args->dir && request->version)
		return err_set(err, ERR_USAGE, "--dir is a tree without versions; leave '%s' out",
			       request->version);
	return 0;
}

static void surface_render(struct strbuf *out, const struct surface_run *run)
{
	const struct cli_args *args = run->args;
	const struct caps *caps = args->caps ? &run->caps : NULL;
	const struct caps_since *since = args->since ? &run->since : NULL;
	struct report_style style = output_style(args);

	if (!strcmp(args->format, "json")) {
		report_surface_json(out, &run->surface, caps, since);
	} else {
		if (caps)
			report_caps_text(out, caps, since, &style);
		if (caps)
			strbuf_addch(out, '\n');
		report_surface_text(out, &run->surface, &style);
	}
}

int cmd_surface(const struct cli_args *args, struct err *err)
{
	struct surface_run run = { .args = args };
	struct store_request *request = &run.request;
	struct surface_filter filter = { .family = args->family, .flag = args->caller, .name = args->name };
	struct strbuf out = { 0 };
	int rc;

	if ((rc = surface_request(request, args, err)) ||
	    (rc = role_list_read(&run.roles, args->role, err)) ||
	    (rc = load_documents(request, 1, args, err)) ||
	    (args->table &&
	     (rc = load_table_view(&run.view, &run.table, &request->abi, args, &request->arena, err))) ||
	    (rc = surface_options_read(&run, err)))
		goto out;
	filter.caps = args->caps ? &run.wanted : NULL;
	filter.roles = run.roles;
	filter.not_forwarded = args->not_forwarded;
	if ((rc = surface_select(&run.surface, &request->abi, args->table ? &run.view : NULL, &filter,
				 &request->arena, err)) ||
	    (rc = surface_options_check(&run, err)))
		goto out;
	surface_render(&out, &run);
	rc = output_write(&out, args, err);
out:
	strbuf_release(&out);
	load_documents_release(request, 1);
	return rc;
}

/* One of --versions, or the version. */
struct pids_version {
	struct table table;
	struct table_view view;
	struct surface surface;
	struct pids pids;
};

struct pids_run {
	const struct cli_args *args;
	struct store_request request; /* without --versions */
	struct version_range range;
	struct use_rules rules;
	struct arena arena;
};

static int pids_request(struct store_request *request, const struct cli_args *args, struct err *err)
{
	if (args->word_count > 1 || (args->word_count && args->version))
		return err_set(err, ERR_USAGE, "pids is about one version at a time");
	request->version = args->word_count ? args->words[0] : args->version;
	request->json = args->json;
	if (args->versions && (request->version || args->dir || args->json))
		return err_set(err, ERR_USAGE, "--versions and %s both name what to read; give one",
			       request->version ? request->version
			       : args->dir      ? "--dir"
						: "--json");
	if ((args->dir || args->json) && request->version)
		return err_set(err, ERR_USAGE, "--%s names one tree or document; leave '%s' out",
			       args->dir ? "dir" : "json", request->version);
	return 0;
}

static void render_pids(struct strbuf *out, const struct pids *pids, const struct cli_args *args)
{
	struct report_style style = output_style(args);

	if (!strcmp(args->format, "json"))
		report_pids_json(out, pids);
	else if (!strcmp(args->format, "markdown"))
		report_pids_markdown(out, pids);
	else
		report_pids_text(out, pids, &style);
}

static int select_pids(struct pids_version *out, const struct abi *abi, struct pids_run *run, struct err *err)
{
	static const struct surface_filter all;
	const struct table_view *view = run->args->table ? &out->view : NULL;
	int rc;

	if ((view && (rc = load_table_view(&out->view, &out->table, abi, run->args, &run->arena, err))) ||
	    (rc = surface_select(&out->surface, abi, view, &all, &run->arena, err)))
		return rc;
	return pids_select(&out->pids, &out->surface, &run->rules, &run->arena, err);
}

/* The report of one version, which ends without an empty line. */
static int pids_text(struct strbuf *out, struct pids_run *run, const struct abi *abi, struct err *err)
{
	struct pids_version *version = arena_alloc(&run->arena, sizeof(*version));
	int rc = select_pids(version, abi, run, err);

	strbuf_reset(out);
	if (!rc)
		render_pids(out, &version->pids, run->args);
	return rc;
}

/* "nvidia 580.76.05..580.142: as 580.65.06", of versions of the range */
static void add_same(struct strbuf *out, const struct pids_run *run, size_t as, size_t last)
{
	const struct store_request *requests = run->range.requests;

	if (last == as)
		return;
	strbuf_addf(out, "\n%s %s", requests[as].abi.driver, requests[as + 1].abi.version);
	if (last > as + 1)
		strbuf_addf(out, "..%s", requests[last].abi.version);
	strbuf_addf(out, ": as %s\n", requests[as].abi.version);
}

/*
 * Each of --versions. JSON is an array of them; in the other formats, versions whose report is that of the
 * version before, but for the name in its first line, are one line.
 */
static int render_range(struct strbuf *out, struct pids_run *run, struct err *err)
{
	const bool is_json = !strcmp(run->args->format, "json");
	const size_t count = run->range.count;
	struct strbuf shown = { 0 }, next = { 0 };
	size_t as = 0; /* index of the version of @shown */
	int rc = 0;

	for (size_t i = 0; i < count && !(rc = pids_text(&next, run, &run->range.requests[i].abi, err)); i++) {
		if (is_json) {
			strbuf_adds(out, i ? ",\n" : "[\n");
			strbuf_add(out, next.text, next.length - 1);
			continue;
		}
		if (i && !strcmp(strchr(next.text, '\n'), strchr(shown.text, '\n')))
			continue;
		if (i) {
			add_same(out, run, as, i - 1);
			strbuf_addch(out, '\n');
		}
		strbuf_adds(out, next.text);
		strbuf_reset(&shown);
		strbuf_adds(&shown, next.text);
		as = i;
	}
	if (is_json)
		strbuf_adds(out, "\n]\n");
	else
		add_same(out, run, as, count - 1);
	strbuf_release(&shown);
	strbuf_release(&next);
	return rc;
}

static int render_version(struct strbuf *out, struct pids_run *run, struct err *err)
{
	struct pids_version version = { .table = { 0 } };
	int rc = select_pids(&version, &run->request.abi, run, err);

	if (!rc)
		render_pids(out, &version.pids, run->args);
	return rc;
}

/* pids --shim c is gen --pid-shim c, with a version as an argument. */
static int pid_shim(const struct cli_args *args, struct err *err)
{
	struct cli_args gen = *args;
	struct store_request request = { 0 };
	int rc;

	if (args->format_given)
		return err_set(err, ERR_USAGE, "--shim and --format are two forms of output; give one");
	if ((rc = pids_request(&request, args, err)))
		return rc;
	gen.version = request.version;
	gen.word_count = 0;
	return cmd_gen(&gen, err);
}

int cmd_pids(const struct cli_args *args, struct err *err)
{
	struct pids_run run = { .args = args };
	struct strbuf out = { 0 };
	int rc;

	if (args->pid_shim)
		return pid_shim(args, err);
	if ((rc = pids_request(&run.request, args, err)) ||
	    (rc = args->versions ? version_range_load(&run.range, args->versions, args, err)
				 : load_documents(&run.request, 1, args, err)) ||
	    (rc = load_use(&run.rules, args, &run.arena, err)))
		goto out;
	if (!run.rules.pids.count)
		output_note(args,
			    "profile %s does not say how its driver uses process ids: no directions, no counts",
			    args->profile);
	if (!(rc = args->versions ? render_range(&out, &run, err) : render_version(&out, &run, err)))
		rc = output_write(&out, args, err);
out:
	strbuf_release(&out);
	load_documents_release(&run.request, 1);
	version_range_release(&run.range);
	arena_release(&run.arena);
	return rc;
}
