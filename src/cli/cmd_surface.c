#include "cli/commands.h"
#include "cli/load.h"
#include "cli/load_table.h"
#include "cli/nearby.h"
#include "cli/output.h"

#include "report/surface.h"

#include <stdlib.h>
#include <string.h>

/* One run of surface. */
struct surface_run {
	const struct cli_args *args;
	struct store_request request;
	struct table table;
	struct table_view view, base;  /* with --table; with --since */
	struct profile_strings wanted; /* with --caps */
	struct caps caps;
	struct caps_since since;
	struct surface surface;
};

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

static int no_word(const char *sentence, const struct nearby_words *words, const char *word, struct err *err)
{
	struct strbuf text = { 0 };
	int rc;

	strbuf_adds(&text, sentence);
	nearby_list(&text, words, word);
	rc = err_set(err, ERR_NOT_FOUND, "%s", text.text);
	strbuf_release(&text);
	return rc;
}

static int no_cap(const struct surface_run *run, const char *cap, struct arena *arena, struct err *err)
{
	struct nearby_words words = { .count = 0 };

	for (const char *const *known = table_caps; *known; known++)
		nearby_word(&words, *known, arena);
	for (size_t i = 0; i < run->view.entry_count; i++)
		for (size_t c = 0; c < run->view.entries[i]->cap_count; c++)
			nearby_word(&words, run->view.entries[i]->caps[c], arena);
	return no_word(arena_printf(arena, "--caps: '%s' is no capability, neither a driver's nor one of %s", cap, run->args->table), &words,
		       cap, err);
}

/* Ioctls that one of the options alone leaves. */
static size_t left_by(struct surface_run *run, const struct surface_filter *filter)
{
	struct surface surface;

	surface_select(&surface, &run->request.abi, run->args->table ? &run->view : NULL, filter, &run->request.arena);
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
	return no_word(arena_printf(arena, "--family: %s %s has no ioctls of a family '%s'", abi->driver, abi->version, run->args->family),
		       &words, run->args->family, err);
}

static int no_flag(struct surface_run *run, struct err *err)
{
	const struct abi *abi = &run->request.abi;
	struct arena *arena = &run->request.arena;
	struct nearby_words words = { .count = 0 };

	for (size_t i = 0; i < abi->ioctl_count; i++)
		for (size_t flag = 0; flag < abi->ioctls[i].flag_count; flag++)
			nearby_word(&words, abi->ioctls[i].flags[flag], arena);
	return no_word(arena_printf(arena, "--caller: no ioctl of %s %s has '%s' among its flags", abi->driver, abi->version,
				    run->args->caller), &words, run->args->caller, err);
}

static int no_name(struct surface_run *run, struct err *err)
{
	const struct abi *abi = &run->request.abi;
	struct abi_nearest nearest = { .count = 0 };
	struct strbuf near = { 0 };
	int rc;

	for (size_t i = 0; i < abi->ioctl_count; i++)
		abi_nearest_name(&nearest, run->args->class_glob, abi->ioctls[i].name);
	abi_nearest_list(&near, &nearest);
	rc = err_set(err, ERR_NOT_FOUND, "--class: no ioctl of %s %s matches '%s'%s", abi->driver, abi->version, run->args->class_glob,
		     strbuf_text(&near));
	strbuf_release(&near);
	return rc;
}

/* What the capabilities gained or lost since then. */
static size_t changed_since(const struct surface_run *run)
{
	size_t changed = 0;

	for (size_t i = 0; i < run->since.change_count; i++)
		changed += run->since.changes[i].gained_count + run->since.changes[i].lost_count;
	return changed;
}

/* Capabilities that there are, and by which the proxy exposes nothing. */
static int no_entry(struct surface_run *run, struct err *err)
{
	struct arena *arena = &run->request.arena;
	struct nearby_words words = { .count = 0 };

	for (size_t i = 0; i < run->view.entry_count; i++)
		for (size_t c = 0; c < run->view.entries[i]->cap_count; c++)
			nearby_word(&words, run->view.entries[i]->caps[c], arena);
	return no_word(arena_printf(arena, "--caps: %s exposes nothing by %s at its node %s", run->table.proxy,
				    strcmp(run->args->caps, "all") ? run->args->caps : "any capability", run->view.node->version), &words, run->args->caps, err);
}

/* Each option alone must leave something. */
static int check_filters(struct surface_run *run, struct err *err)
{
	const struct cli_args *args = run->args;

	if (args->family && !left_by(run, &(struct surface_filter){ .family = args->family }))
		return no_family(run, err);
	if (args->caller && !left_by(run, &(struct surface_filter){ .flag = args->caller }))
		return no_flag(run, err);
	if (args->class_glob && !left_by(run, &(struct surface_filter){ .name = args->class_glob }))
		return no_name(run, err);
	if (args->caps && !changed_since(run) && !left_by(run, &(struct surface_filter){ .caps = &run->wanted }))
		return no_entry(run, err);
	return 0;
}

static void add_filter(struct strbuf *out, const char *option, const char *value)
{
	if (value)
		strbuf_addf(out, "%s--%s '%s'", out->length ? " and " : "", option, value);
}

/* All options together must leave something, too. A driver without ioctls is no slip of the user's. */
static int check_rows(const struct surface_run *run, struct err *err)
{
	const struct cli_args *args = run->args;
	const struct abi *abi = &run->request.abi;
	struct strbuf filters = { 0 };
	int rc = 0;

	if (run->surface.row_count || changed_since(run))
		return 0;
	add_filter(&filters, "family", args->family);
	add_filter(&filters, "caller", args->caller);
	add_filter(&filters, "class", args->class_glob);
	add_filter(&filters, "caps", args->caps);
	if (!filters.length)
		output_note(args, "%s %s has no ioctls that its profile knows of", abi->driver, abi->version);
	else
		rc = err_set(err, ERR_NOT_FOUND, "no ioctl of %s %s is left by %s%s", abi->driver, abi->version, filters.text,
			     strstr(filters.text, " and --") ? " together, though each alone leaves some" : "");
	strbuf_release(&filters);
	return rc;
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

static int surface_request(struct store_request *request, const struct cli_args *args, struct err *err)
{
	if (args->word_count > 1 || (args->word_count && args->version))
		return err_set(err, ERR_USAGE, "surface is about one version at a time");
	if (args->caps && !args->table)
		return err_set(err, ERR_USAGE, "--caps are a proxy's capabilities; give its table with --table FILE");
	if (args->since && !args->caps)
		return err_set(err, ERR_USAGE, "--since is about what capabilities expose; give --caps as well");
	if (args->since && !strcmp(args->format, "csv"))
		return err_set(err, ERR_USAGE, "--since is for --format text and json, not for csv");
	request->version = args->word_count ? args->words[0] : args->version;
	if (args->dir && request->version)
		return err_set(err, ERR_USAGE, "--dir is a tree without versions; leave '%s' out", request->version);
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

/* What changed since an older node is not what changed since @version: no node replaces it. */
static int no_node(const struct table *table, const char *version, struct err *err)
{
	const char **names = xmalloc(table->node_count * sizeof(*names));
	struct abi_nearest nearest = { .count = 0 };
	struct strbuf near = { 0 };
	int rc;

	for (size_t i = 0; i < table->node_count; i++)
		names[i] = table->nodes[i].version;
	qsort(names, table->node_count, sizeof(*names), compare_versions);
	abi_nearest_typos(&nearest, version, names, table->node_count);
	if (!nearest.count)
		abi_nearest_neighbours(&nearest, version, names, table->node_count);
	abi_nearest_list(&near, &nearest);
	rc = err_set(err, ERR_NOT_FOUND, "--since: %s has no node %s%s", table->path, version, strbuf_text(&near));
	strbuf_release(&near);
	free(names);
	return rc;
}

/* What --caps and --since ask for. */
static int surface_caps(struct surface_run *run, struct err *err)
{
	const struct cli_args *args = run->args;
	struct arena *arena = &run->request.arena;
	const struct table_node *node;
	bool all = args->caps && !strcmp(args->caps, "all");
	int rc;

	if (!args->caps)
		return 0;
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

static void surface_render(struct strbuf *out, const struct surface_run *run)
{
	const struct cli_args *args = run->args;
	const char *format = args->format;
	const struct caps *caps = args->caps ? &run->caps : NULL;
	const struct caps_since *since = args->since ? &run->since : NULL;
	struct report_style style = output_style(args);

	if (!strcmp(format, "json")) {
		report_surface_json(out, &run->surface, caps, since);
	} else if (!strcmp(format, "csv")) {
		report_surface_csv(out, &run->surface);
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
	struct surface_filter filter = { .family = args->family, .flag = args->caller, .name = args->class_glob };
	struct strbuf out = { 0 };
	int rc;

	if ((rc = surface_request(request, args, err)) ||
	    (rc = load_documents(request, 1, args, err)) ||
	    (args->table && (rc = load_table_view(&run.view, &run.table, &request->abi, args, &request->arena, err))) ||
	    (rc = surface_caps(&run, err)) ||
	    (rc = check_filters(&run, err)))
		goto out;
	filter.caps = args->caps ? &run.wanted : NULL;
	surface_select(&run.surface, &request->abi, args->table ? &run.view : NULL, &filter, &request->arena);
	if ((rc = check_rows(&run, err)))
		goto out;
	surface_render(&out, &run);
	rc = output_write(&out, args, err);
out:
	strbuf_release(&out);
	load_documents_release(request, 1);
	return rc;
}
