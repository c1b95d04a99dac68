/* cli/cmd_surface.c - drvabi surface and pids: the ioctls of one version, or of each version of --versions */
#include "cli/cli.h"

/* --- the versions that both commands can read -------------------------------------------- */

/* Sets @out to the version to read without --versions; NULL if there is none. Refuses two versions. */
static int find_version(const char **out, const char *command, const struct cli_args *args, struct err *err)
{
	const char *version = args->word_count ? args->words[0] : args->version;

	if (args->word_count > 1 || (args->word_count && args->version))
		return usage_error(err, "%s reads one version; --versions A..B reads several", command);
	if (args->versions && version)
		return usage_error(err, "--versions and %s both name what to read; give one", version);
	if ((args->dir || args->json) && version)
		return usage_error(err, "--%s names one tree or document; leave '%s' out",
				   args->dir ? "dir" : "json", version);
	*out = version;
	return 0;
}

/* Appends the report of one version, without an empty line at the end. */
typedef int render_version(struct strbuf *out, void *run, const struct abi *abi, struct err *err);

/* Appends "nvidia 580.76.05..580.142: the same as 580.65.06" for the versions after @as, up to @last. */
static void add_same(struct strbuf *out, const struct version_range *range, size_t as, size_t last)
{
	const struct store_request *requests = range->requests;

	if (last == as)
		return;
	strbuf_addf(out, "\n%s %s", requests[as].abi.driver, requests[as + 1].abi.version);
	if (last > as + 1)
		strbuf_addf(out, "..%s", requests[last].abi.version);
	strbuf_addf(out, ": the same as %s\n", requests[as].abi.version);
}

/*
 * Appends the report of one version, or of each version of --versions, as an array in JSON. In the other
 * formats, consecutive reports that differ only in their first line are printed once, followed by one line
 * for the later versions. Return: 0; what @render returns.
 */
static int render_range(const struct version_range *range, render_version *render, void *run,
			const struct cli_args *args, struct err *err)
{
	const bool is_json = !strcmp(args->format, "json");
	struct strbuf *out = args->out, shown = { 0 }, next = { 0 };
	size_t as = 0; /* the index of the version whose report is @shown */
	int rc = 0;

	if (!args->versions)
		return render(out, run, &range->requests[0].abi, err);
	for (size_t i = 0; i < range->count && !(rc = render(&next, run, &range->requests[i].abi, err));
	     i++) {
		if (is_json) {
			strbuf_adds(out, i ? ",\n" : "[\n");
			strbuf_add(out, next.text, next.length - 1);
		} else if (!i || strcmp(strchr(next.text, '\n'), strchr(shown.text, '\n'))) {
			if (i)
				add_same(out, range, as, i - 1);
			strbuf_addf(out, "%s%s", i ? "\n" : "", next.text);
			strbuf_reset(&shown);
			strbuf_adds(&shown, next.text);
			as = i;
		}
		strbuf_reset(&next);
	}
	if (is_json)
		strbuf_adds(out, "\n]\n");
	else
		add_same(out, range, as, range->count - 1);
	strbuf_release(&shown);
	strbuf_release(&next);
	return rc;
}

/* --- surface: the selected ioctls --------------------------------------------------------- */

/* The state of a run of surface, for one version. */
struct surface_run {
	const struct cli_args *args;
	const struct abi *abi;
	struct table table;
	struct history_graph graph;    /* the graph that load_node() uses to choose a node for a version */
	struct table_view view, base;  /* @view is set with --table, @base with --since */
	unsigned roles;                /* with --role: bits of 1u << enum abi_role */
	struct profile_strings wanted; /* the capabilities of --caps */
	struct caps caps;
	struct caps_since since;
	struct surface surface;
	size_t found; /* the number of selected ioctls, in all versions so far */
};

/*
 * The ioctls that --family, --caller, --name, --role, --caps and --since select
 *
 * 1. --caps is split into capabilities, which the driver or the table must know. The ioctls of each
 *    capability are counted. With --since, they are compared with those at an older node.
 * 2. If no ioctl is selected, each option is tried alone. An option that selects nothing alone is probably
 *    misspelled, and the error lists its possible values.
 * 3. If each option alone selects an ioctl, the error says that no ioctl matches all of them.
 */

/* Adds the capabilities of the view's entries. */
static void add_entry_caps(struct nearby_words *words, const struct surface_run *run)
{
	for (size_t i = 0; i < run->view.entry_count; i++)
		for (size_t c = 0; c < run->view.entries[i]->cap_count; c++)
			nearby_word(words, run->view.entries[i]->caps[c], run->args->arena);
}

/* Sets run->wanted to the distinct capabilities in @text. Return: 0; ERR_NOT_FOUND if one is unknown. */
static int split_caps(struct surface_run *run, const char *text, struct err *err)
{
	struct nearby_words known = { .count = 0 }, wanted = { .count = 0 };
	const struct profile_strings words = list_split(text, ',', run->args->arena);

	for (const char *const *cap = table_caps; *cap; cap++)
		nearby_word(&known, *cap, run->args->arena);
	add_entry_caps(&known, run);
	for (size_t i = 0; i < words.count; i++) {
		if (!texts_have(known.item, known.count, words.item[i]))
			return nearby_words_fail(err, &known, words.item[i],
						 "--caps: '%s' is not a capability of the driver or of %s",
						 words.item[i], run->args->table);
		nearby_word(&wanted, words.item[i], run->args->arena);
	}
	run->wanted = (struct profile_strings){ wanted.item, wanted.count };
	return 0;
}

/* Fails because the table does not have the node of --since. The message lists similar nodes. */
static int fail_no_node(const struct table *table, const char *version, struct err *err)
{
	const char **names = xmalloc(table->node_count * sizeof(*names));
	struct abi_nearest nearest = { .count = 0 };

	for (size_t i = 0; i < table->node_count; i++)
		names[i] = table->nodes[i].version;
	sort_items(names, table->node_count, sizeof(*names), abi_order_versions);
	abi_nearest_typos(&nearest, version, names, table->node_count);
	if (!nearest.count)
		abi_nearest_neighbours(&nearest, version, names, table->node_count);
	free(names);
	return nearby_fail(err, &nearest, "--since: %s has no node %s", table->path, version);
}

/*
 * Sets run->wanted to the capabilities of --caps, and counts the ioctls of each in run->caps. With --since,
 * compares them with that node in run->since, and prints a note if it has a higher number. Return: 0;
 * ERR_NOT_FOUND if a capability or the node is unknown.
 */
static int read_wanted_caps(struct surface_run *run, struct err *err)
{
	const struct cli_args *args = run->args;
	struct arena *arena = run->args->arena;
	const struct table_node *node;
	bool all = !strcmp(args->caps, "all");
	int rc;

	if (!all && (rc = split_caps(run, args->caps, err)))
		return rc;
	caps_count(&run->caps, &run->view, all ? NULL : &run->wanted, arena);
	if (all) {
		const char **item = arena_array(arena, run->caps.cap_count + 1, sizeof(*item));

		for (size_t i = 0; i < run->caps.cap_count; i++)
			item[i] = run->caps.caps[i].name;
		run->wanted = (struct profile_strings){ item, run->caps.cap_count };
	}
	if (!args->since)
		return 0;
	if (!(node = table_find_node(&run->table, args->since)))
		return fail_no_node(&run->table, args->since, err);
	if (nearby_are_releases(node->version, run->view.node->version) &&
	    abi_version_compare(node->version, run->view.node->version) > 0)
		output_note(args, "--since %s has a higher number than %s", node->version, run->view.node->version);
	table_view_at(&run->base, &run->table, node, arena);
	caps_compare(&run->since, &run->caps, &run->base, arena);
	return 0;
}

/* Returns the number of ioctls that @filter, one option alone, selects; 0 if the document is invalid. */
static size_t selected_by(struct surface_run *run, const struct surface_filter *filter)
{
	struct surface surface = { .row_count = 0 };
	struct err ignored; /* surface_select() with all options reports an invalid document */

	surface_select(&surface, run->abi, run->args->table ? &run->view : NULL, filter, run->args->arena,
		       &ignored);
	return surface.row_count;
}

/* Returns how many entries the capabilities gained and lost since the node of --since; 0 without it. */
static size_t changed_since(const struct surface_run *run)
{
	size_t changed = 0;

	for (size_t i = 0; i < run->since.change_count; i++)
		changed += run->since.changes[i].gained_count + run->since.changes[i].lost_count;
	return changed;
}

/*
 * Fails if --family, --caller, --name or --caps selects nothing even alone, because its value is probably
 * misspelled. The message lists possible values. Return: 0; ERR_NOT_FOUND.
 */
static int check_filters(struct surface_run *run, struct err *err)
{
	const struct cli_args *args = run->args;
	const struct abi *abi = run->abi;
	struct nearby_words words = { .count = 0 };
	struct abi_nearest nearest = { .count = 0 };

	if (args->family && !selected_by(run, &(struct surface_filter){ .family = args->family })) {
		for (size_t i = 0; i < abi->ioctl_count; i++)
			nearby_word(&words, abi->ioctls[i].family, args->arena);
		for (size_t i = 0; i < run->view.entry_count; i++)
			nearby_word(&words, run->view.entries[i]->family, args->arena);
		return nearby_words_fail(err, &words, args->family,
					 "--family: %s %s has no ioctls of a family '%s'", abi->driver,
					 abi->version, args->family);
	}
	if (args->caller && !selected_by(run, &(struct surface_filter){ .flag = args->caller })) {
		for (size_t i = 0; i < abi->ioctl_count; i++)
			for (size_t flag = 0; flag < abi->ioctls[i].flag_count; flag++)
				nearby_word(&words, abi->ioctls[i].flags[flag], args->arena);
		return nearby_words_fail(err, &words, args->caller,
					 "--caller: no ioctl of %s %s has the flag '%s'", abi->driver,
					 abi->version, args->caller);
	}
	if (args->name && !selected_by(run, &(struct surface_filter){ .name = args->name })) {
		for (size_t i = 0; i < abi->ioctl_count; i++)
			abi_nearest_name(&nearest, args->name, abi->ioctls[i].name);
		return nearby_fail(err, &nearest, "--name: no ioctl of %s %s matches '%s'", abi->driver,
				   abi->version, args->name);
	}
	if (args->caps && !changed_since(run) &&
	    !selected_by(run, &(struct surface_filter){ .caps = &run->wanted })) {
		add_entry_caps(&words, run);
		return nearby_words_fail(err, &words, args->caps,
					 "--caps: %s exposes nothing under %s at its node %s",
					 run->table.proxy,
					 strcmp(args->caps, "all") ? args->caps : "any capability",
					 run->view.node->version);
	}
	return 0;
}

static void add_filter(struct strbuf *out, const char *option, const char *value)
{
	if (value)
		strbuf_addf(out, "%s--%s '%s'", out->length ? " and " : "", option, value);
}

/*
 * Fails if the options select no ioctl in any version: as check_filters(), or, unless a capability changed,
 * because no ioctl matches all options. The messages are about the last version that was read. Without such
 * options, prints a note. Return: 0; ERR_NOT_FOUND.
 */
static int check_selection(struct surface_run *run, struct err *err)
{
	const struct cli_args *args = run->args;
	const struct abi *abi = run->abi;
	struct strbuf filters = { 0 };
	const char *given;
	int rc;

	if (run->found || (rc = check_filters(run, err)) || changed_since(run))
		return run->found ? 0 : rc;
	add_filter(&filters, "family", args->family);
	add_filter(&filters, "caller", args->caller);
	add_filter(&filters, "name", args->name);
	add_filter(&filters, "role", args->role);
	add_filter(&filters, "caps", args->caps);
	if (args->not_forwarded)
		strbuf_addf(&filters, "%s--not-forwarded", filters.length ? " and " : "");
	if (!filters.length) {
		output_note(args, "%s %s has no ioctls that its profile knows of", abi->driver, abi->version);
		return 0;
	}
	given = strbuf_take(&filters, args->arena);
	return err_set(err, ERR_NOT_FOUND, "no ioctl of %s %s matches %s%s", abi->driver, abi->version, given,
		       strstr(given, " and --") ? " together, although each alone matches some ioctls" : "");
}

/*
 * For render_range(): appends the report about the version of @abi. With --caps, this includes the number
 * of ioctls of each capability. Counts the selected ioctls in run->found. @with: the struct surface_run
 */
static int render_surface(struct strbuf *out, void *with, const struct abi *abi, struct err *err)
{
	struct surface_run *run = with;
	const struct cli_args *args = run->args;
	const struct caps *caps = args->caps ? &run->caps : NULL;
	const struct caps_since *since = args->since ? &run->since : NULL;
	struct surface_filter filter = { .family = args->family,
					 .flag = args->caller,
					 .name = args->name,
					 .roles = run->roles,
					 .not_forwarded = args->not_forwarded };
	int rc;

	*run = (struct surface_run){ .args = args, .abi = abi, .roles = run->roles,
				     .table = run->table, .graph = run->graph, .found = run->found };
	if ((args->table &&
	     (rc = load_table_view(&run->view, &run->table, &run->graph, abi, args, err))) ||
	    (args->caps && (rc = read_wanted_caps(run, err))))
		return rc;
	filter.caps = args->caps ? &run->wanted : NULL;
	if ((rc = surface_select(&run->surface, abi, args->table ? &run->view : NULL, &filter, args->arena,
				 err)))
		return rc;
	run->found += run->surface.row_count;
	if (!strcmp(args->format, "json")) {
		report_surface_json(out, &run->surface, caps, since);
		return 0;
	}
	if (caps)
		report_caps_text(out, caps, since, &args->style);
	if (caps && args->versions) /* for several versions, only the counts of capabilities are printed */
		return 0;
	if (caps)
		strbuf_addch(out, '\n');
	report_surface_text(out, &run->surface, &args->style);
	return 0;
}

/* drvabi surface: reports the ioctls that the options select. Fails if no version has one. */
int cmd_surface(struct cli_args *args, struct err *err)
{
	struct version_range range = { 0 };
	struct surface_run run = { .args = args };
	const char *version;
	int rc;

	if ((rc = find_version(&version, "surface", args, err)) ||
	    (rc = word_list_read(&run.roles, WORDS_ROLE, args->role, args->arena, err)) ||
	    (rc = version_range_load(&range, version, args, err)) ||
	    (rc = render_range(&range, render_surface, &run, args, err)))
		return rc;
	return check_selection(&run, err);
}

/* --- pids ---------------------------------------------------------------------------------- */

struct pids_run {
	const struct cli_args *args;
	struct use_rules rules;
	struct table table;
	struct history_graph graph;
};

/* For render_range(): appends the report about the version of @abi. @with: the struct pids_run */
static int render_pids(struct strbuf *out, void *with, const struct abi *abi, struct err *err)
{
	static const struct surface_filter all;
	struct pids_run *run = with;
	const struct cli_args *args = run->args;
	struct table_view view = { 0 };
	struct surface surface = { 0 };
	struct pids pids = { 0 };
	int rc;

	if ((args->table &&
	     (rc = load_table_view(&view, &run->table, &run->graph, abi, args, err))) ||
	    (rc = surface_select(&surface, abi, args->table ? &view : NULL, &all, args->arena, err)) ||
	    (rc = pids_select(&pids, &surface, &run->rules, args->arena, err)))
		return rc;
	if (!strcmp(args->format, "json"))
		report_pids_json(out, &pids);
	else
		report_pids(out, &pids, &args->style);
	return 0;
}

/* drvabi pids: reports the fields with process ids; with --shim, generates code that translates them. */
int cmd_pids(struct cli_args *args, struct err *err)
{
	struct version_range range = { 0 };
	struct pids_run run = { .args = args };
	struct cli_args gen = *args;
	int rc;

	if ((rc = find_version(&gen.version, "pids", args, err)))
		return rc;
	if (args->pid_shim) { /* drvabi gen --pid-shim c, which does not take the version as a word */
		gen.word_count = 0;
		return cmd_gen(&gen, err);
	}
	if ((rc = version_range_load(&range, gen.version, args, err)) ||
	    (rc = load_use(&run.rules, args, err)))
		return rc;
	if (!run.rules.pids.count)
		output_note(args,
			"profile %s does not say how its driver uses process ids, so there are no directions and counts",
			args->profile);
	return render_range(&range, render_pids, &run, args, err);
}
