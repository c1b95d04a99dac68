/* cli/cmd_history.c - drvabi history, blame and ranges: the choice of versions and items, and the output */
#include "cli/cli.h"
#include "flatten/flatten.h"

/* the words of history: versions, names and numbers */

static bool names_versions(const struct cli_args *args)
{
	for (size_t i = 0; i < args->word_count; i++)
		if (select_is_versions(args->words[i]))
			return true;
	return args->since || args->until;
}

/*
 * Sets the names, numbers and classes of @filter from --number, --class, and the words that do not name
 * versions. Return: 0; ERR_USAGE, also if --format html is combined with classes or versions.
 */
static int history_options_read(struct history_filter *filter, const struct cli_args *args, struct err *err)
{
	uint64_t *numbers = arena_array(args->arena, args->word_count + 1, sizeof(*numbers));
	const char **names = arena_array(args->arena, args->word_count + 1, sizeof(*names));

	if (args->number && !hex_number(&numbers[filter->number_count++], args->number))
		return usage_error(err, "--number takes an ioctl's number, such as 0x20801358, not '%s'%s",
				   args->number,
				   args->number[strspn(args->number, "0123456789abcdefABCDEF")]
					   ? ""
					   : "; in hexadecimal it begins with 0x");
	for (size_t i = 0; i < args->word_count; i++)
		if (select_is_versions(args->words[i]))
			continue;
		else if (hex_number(&numbers[filter->number_count], args->words[i]))
			filter->number_count++;
		else
			names[filter->name_count++] = args->words[i];
	filter->numbers = numbers;
	filter->names = names;
	if (!strcmp(args->format, "html") && (args->classes || names_versions(args)))
		return usage_error(err,
				   "--format html writes one page of all versions and classes; leave out %s",
				   args->classes ? "--class"
				   : args->since ? "--since"
				   : args->until ? "--until"
						 : "the versions");
	return word_list_read(&filter->classes, WORDS_CLASS, args->classes, args->arena, err);
}

/*
 * Sets the versions of @filter from the words, --since and --until. Without these, @filter is unchanged.
 * Fails if a word matches no version, or if no selected version has a parent.
 */
static int history_options_select(struct history_filter *filter, const struct cli_args *args,
				  const struct history_graph *graph, struct err *err)
{
	bool *wanted = arena_array(args->arena, graph->version_count + 1, sizeof(*wanted));
	size_t first = graph->version_count;
	bool any = false;
	int rc;

	if (!names_versions(args))
		return 0;
	for (size_t i = 0; i < args->word_count; i++) {
		if (!select_is_versions(args->words[i]))
			continue;
		if ((rc = select_add(wanted, graph, args->words[i], err)))
			return rc;
		any = true;
	}
	for (size_t i = 0; !any && i < graph->version_count; i++)
		wanted[i] = true;
	if ((rc = select_clip(wanted, graph, args->since, args->until, err)))
		return rc;
	filter->versions = wanted;
	for (size_t i = graph->version_count; i--;)
		if (wanted[i]) {
			filter->version_count++;
			first = i;
		}
	for (size_t i = 0; i < graph->edge_count; i++)
		if (select_edge(filter, graph, i))
			return 0;
	/* No selected version has a parent that could be read, so there is nothing to compare. */
	if (first == graph->version_count)
		return err_set(err, ERR_NOT_FOUND,
			       "no version is in all requested ranges; leave one of them out");
	return err_set(err, ERR_NOT_FOUND,
		"%s has no earlier version to compare it with; drvabi surface and show list its ioctls and records",
		graph->versions[first].version);
}

/* Returns true if a version has an item called @name, or, if @name is a glob, an item that @name matches. */
static bool is_known_name(const char *name, const struct history_spans *spans,
			  const struct history_graph *graph)
{
	for (size_t i = 0; i < spans->count; i++)
		if (!strcmp(spans->spans[i].name, name))
			return true;
	for (size_t i = graph->version_count; i-- && history_is_glob(name);)
		if (graph->versions[i].abi && nearby_matches(graph->versions[i].abi, name))
			return true;
	return false;
}

/* Fails because no version has @name. The message lists similar names, or suggests a missing 0x. */
static int fail_unknown_name(const char *name, const struct history_graph *graph, struct err *err)
{
	struct abi_nearest nearest = { .count = 0 };

	for (size_t i = graph->version_count; i--;) {
		if (!graph->versions[i].abi)
			continue;
		if (nearby_number(graph->versions[i].abi, name))
			return err_set(err, ERR_NOT_FOUND,
				       "the documents of the %zu versions have nothing called '%s' "
				       "(did you mean 0x%s?)",
				       graph->version_count, name, name);
		nearby_names(&nearest, graph->versions[i].abi, name);
	}
	return nearby_fail(err, &nearest, "the documents of the %zu versions have nothing called '%s'",
			   graph->version_count, name);
}

/*
 * Fails because no version has @number. The message takes into account that the user may have omitted the
 * 0x of a hexadecimal number, or may mean the versions that begin with @number. Return: ERR_NOT_FOUND.
 */
static int fail_unknown_number(uint64_t number, const struct history_graph *graph, struct err *err)
{
	char decimal[24];
	bool is_hex = false;

	snprintf(decimal, sizeof(decimal), "%" PRIu64, number);
	for (size_t i = graph->version_count; i-- && !is_hex;)
		is_hex = graph->versions[i].abi && nearby_number(graph->versions[i].abi, decimal);
	if (is_hex)
		return err_set(err, ERR_NOT_FOUND,
			       "no ioctl or command of the %zu versions has the number 0x%" PRIx64
			       " (did you mean 0x%s?)",
			       graph->version_count, number, decimal);
	for (size_t i = 0; i < graph->version_count; i++)
		if (abi_version_begins(graph->versions[i].version, decimal))
			return err_set(err, ERR_NOT_FOUND,
				"no ioctl or command of the %zu versions has the number %s; %s..%s are the versions that " "begin with it",
				graph->version_count, decimal, decimal, decimal);
	return err_set(err, ERR_NOT_FOUND,
		       "no ioctl or command of the %zu versions has the number 0x%" PRIx64
		       "; drvabi show 0x%" PRIx64 " shows its parts",
		       graph->version_count, number, number);
}

static bool is_known_number(uint64_t number, const struct history_spans *spans)
{
	for (size_t i = 0; i < spans->count; i++)
		if (spans->spans[i].has_number && spans->spans[i].number == number)
			return true;
	return false;
}

/*
 * Fails for the first name, glob or number of @filter that no version has, because it is probably
 * misspelled. Return: 0; ERR_NOT_FOUND. @spans: set by history_since() for @filter
 */
static int history_options_check(const struct history_filter *filter, const struct history_spans *spans,
				 const struct history_graph *graph, struct err *err)
{
	for (size_t i = 0; i < filter->number_count; i++)
		if (!is_known_number(filter->numbers[i], spans))
			return fail_unknown_number(filter->numbers[i], graph, err);
	for (size_t i = 0; i < filter->name_count; i++)
		if (!is_known_name(filter->names[i], spans, graph))
			return fail_unknown_name(filter->names[i], graph, err);
	return 0;
}

/* Prints a note if there are changes, but the proxy forwards none of the changed items. */
static void note_nothing(const struct history *history, const struct cli_args *args)
{
	const struct history_graph *graph = history->graph;
	size_t steps = 0;

	if (history->event_count)
		return;
	for (size_t i = 0; i < graph->edge_count; i++)
		steps += history->changes[i].left_out > 0;
	if (steps)
		output_note(args,
			"%s forwards none of the items that changed in %zu of the %zu releases; leave --table out to see these releases",
			history->filter->table->proxy, steps, graph->edge_count);
}

/* Prints a note if versions are older than all nodes, because the first node is used for them. */
static void note_older(const struct history_graph *graph, const struct table *table,
		       const struct cli_args *args)
{
	size_t older = 0;

	for (size_t i = 0; i < graph->version_count; i++)
		older += !table_nearest_node(table, graph->versions[i].version);
	if (older)
		output_note(args,
			"%zu of %zu versions are older than all nodes of %s; its first node, %s, is used for them",
			older, graph->version_count, table->path, table->nodes[0].version);
}

/* drvabi history: reports the changes of all versions, or of the selected versions and items. */
int cmd_history(struct cli_args *args, struct err *err)
{
	struct history_filter filter = { 0 };
	struct history_report report;
	struct history_timelines timelines;
	struct history_spans spans;
	struct history history;
	struct arena *arena = args->arena;
	struct lineage lineage = { 0 };
	struct table table;
	int rc;

	if ((rc = history_options_read(&filter, args, err)) ||
	    (rc = lineage_load(&lineage, NULL, args, err)) ||
	    (args->table && (rc = load_table_for(&table, lineage.driver, args, err))))
		return rc;
	filter.table = args->table ? &table : NULL;
	history_since(&spans, &lineage.graph, &filter, arena);
	if ((rc = history_options_check(&filter, &spans, &lineage.graph, err)) ||
	    (rc = history_options_select(&filter, args, &lineage.graph, err)) ||
	    (rc = lineage_compare(&lineage, &filter, args, err)))
		return rc;
	if (args->table)
		note_older(&lineage.graph, &table, args);
	history_join(&history, &lineage.graph, &filter, lineage.changes, arena);
	history_moves(&spans, &history, arena); /* needs the changes that are not selected, too */
	if (filter.versions || filter.classes) {
		select_changes(lineage.changes, &lineage.graph, &filter, arena);
		history_join(&history, &lineage.graph, &filter, lineage.changes, arena);
	}
	report = (struct history_report){ .driver = lineage.driver,
					  .target = args->target,
					  .main = lineage.loaded.graph.main,
					  .history = &history,
					  .spans = &spans };
	note_nothing(&history, args);
	if (!strcmp(args->format, "html")) {
		history_timelines(&timelines, &history, arena);
		report_history_page(args->out, &report, &timelines);
	} else if (!strcmp(args->format, "json")) {
		report_history_json(args->out, &report);
	} else {
		report_history(args->out, &report, &args->style);
	}
	return args->exit_code && history.event_count ? CLI_SOMETHING : CLI_NOTHING;
}

/* The state of one run of blame. */
struct blame_run {
	const struct cli_args *args;
	const char *name;              /* the name on the command line, without the field */
	const char *field;             /* NULL: all fields */
	struct lookup_word word;
	struct lineage lineage;
	size_t shown;                  /* the requested version, or the nearest that has the item */
	struct store_request request;  /* for the requested version; the document is @lineage's */
	struct word_scope words;
	struct lookup lookup;
	const char *record;            /* the record whose fields are shown */
	struct show_item ioctl; /* the ioctl whose parameters are shown; .item is NULL for a record */
};

/*
 * Sets run->name, run->field and run->word from the only word, "NAME.FIELD" or "NAME". C identifiers and
 * numbers contain no dot. Return: 0; ERR_USAGE if there is not exactly one word.
 */
static int blame_words(struct blame_run *run, struct err *err)
{
	const struct cli_args *args = run->args;
	const char *word = args->word_count ? args->words[0] : "";
	const char *dot = strchr(word, '.');

	if (args->word_count != 1)
		return usage_error(err, "blame takes one record or ioctl, NAME, NUMBER or NAME.FIELD%s",
				   args->word_count ? "; give a version with --version" : "");
	run->name = dot ? arena_strndup(run->args->arena, word, (size_t)(dot - word)) : word;
	run->field = dot ? dot + 1 : NULL;
	word_read(&run->word, run->name);
	return 0;
}

static const struct history_version *shown_version(const struct blame_run *run)
{
	return &run->lineage.graph.versions[run->shown];
}

/* Sets run->shown, the version whose record is shown. Return: 0; the error of reading its document. */
static int blame_show(struct blame_run *run, size_t version, struct err *err)
{
	const struct store_request *request = &run->lineage.loaded.requests[version];

	run->shown = version;
	if (request->rc)
		*err = request->err;
	return request->rc;
}

/* Fails because the shown version has no record run->name. The message lists similar names. */
static int fail_no_record(const struct blame_run *run, struct err *err)
{
	const struct abi *abi = shown_version(run)->abi;
	struct abi_nearest nearest = { .count = 0 };

	if (nearby_number(abi, run->name))
		return err_set(err, ERR_NOT_FOUND, "%s %s has no record called '%s' (did you mean 0x%s?)",
			       abi->driver, abi->version, run->name, run->name);
	nearby_records(&nearest, abi, run->name);
	for (size_t i = 0; i < abi->ioctl_count; i++)
		if (abi->ioctls[i].params)
			abi_nearest_name(&nearest, run->name, abi->ioctls[i].name);
	return nearby_fail(err, &nearest,
			   "%s %s has no record called '%s', and no ioctl with this name that has parameters",
			   abi->driver, abi->version, run->name);
}

/* Fails because run->name matches several ioctls. The message lists them. Return: ERR_USAGE. */
static int fail_several(const struct blame_run *run, struct err *err)
{
	struct strbuf names = { 0 };

	for (size_t i = 0; i < run->lookup.item_count; i++)
		if (run->lookup.items[i].kind == ABI_IOCTL)
			strbuf_addf(&names, "%s%s %s", names.length ? ", " : "",
				    run->lookup.items[i].ioctl->family, run->lookup.items[i].ioctl->name);
	return usage_error(err, "%s matches several ioctls: %s; name one of them", run->name,
			   strbuf_take(&names, run->args->arena));
}

/*
 * Sets run->record to the record with the name, or to the parameters of the ioctl with the name, which is set
 * in run->ioctl.item. Return: 0; ERR_USAGE if there are several such ioctls; ERR_NOT_FOUND if none.
 */
static int choose_record(struct blame_run *run, struct err *err)
{
	const struct abi *abi = shown_version(run)->abi;
	const struct lookup_item *first = &run->lookup.items[0];

	for (size_t i = 0; i < run->lookup.item_count; i++) {
		const struct lookup_item *item = &run->lookup.items[i];

		if (item->kind == ABI_RECORD) {
			run->record = item->record->name;
			return 0;
		}
		if (item->kind != ABI_IOCTL || !lookup_record(abi, item->ioctl))
			continue;
		if (run->record)
			return fail_several(run, err);
		run->record = item->ioctl->params;
		run->ioctl.item = item;
	}
	if (run->record)
		return 0;
	if (first->is_command)
		return err_set(err, ERR_NOT_FOUND,
			"%s is %s at %s, a command macro without an exported method: its parameters are unknown",
			run->name, first->constant->name, abi->version);
	if (first->kind == ABI_IOCTL)
		return err_set(err, ERR_NOT_FOUND, "%s is %s %s at %s, which has no parameter record",
			       run->name, first->ioctl->family, first->ioctl->name, abi->version);
	return fail_no_record(run, err);
}

/*
 * If there is no archive, and the user named no version, sets run->shown to the newest version that has the
 * name, and run->record to the name. Return: true if there is such a version.
 */
static bool blame_newest_with_name(struct blame_run *run)
{
	const struct history_version *versions = run->lineage.graph.versions;

	if (run->args->version || run->word.is_number || history_is_glob(run->name) ||
	    run->words.graph.version_count)
		return false;
	for (size_t i = run->lineage.graph.version_count; i-- > 0;) {
		const struct abi *abi = versions[i].abi;
		const struct abi_ioctl *ioctl = abi ? abi_find_ioctl(abi, NULL, run->name) : NULL;

		if (abi && (abi_find_record(abi, run->name) || (ioctl && ioctl->params))) {
			run->shown = i;
			run->record = run->name;
			return true;
		}
	}
	return false;
}

/*
 * Looks up the name or number, and sets run->record and run->shown: the newest or requested version, or the
 * nearest one that has the name. Fails if no version has it, or if it has no record.
 */
static int blame_find(struct blame_run *run, struct err *err)
{
	const struct history_version *version = shown_version(run);
	const char *nearest;
	size_t shown;
	int rc;

	run->request =
		(struct store_request){ .version = version->version, .skipped = true, .abi = *version->abi };
	if ((rc = word_load(&run->words, &run->request, run->args, err)))
		return rc;
	lookup_find(&run->lookup, &run->words.scope, &run->word, run->args->arena);
	if (!run->lookup.item_count && blame_newest_with_name(run))
		return 0;
	if (!run->word.is_number && (history_is_glob(run->name) ||
	    (!run->lookup.item_count && run->lookup.nearest == run->words.graph.version_count)))
		return fail_no_record(run, err);
	if ((rc = word_check(&run->lookup, &run->word, &run->words, err)))
		return rc;
	if (word_is_elsewhere(&run->lookup, &run->words)) {
		nearest = run->words.graph.versions[run->lookup.nearest].version;
		shown = history_graph_index(&run->lineage.graph, nearest);
		if (shown == run->lineage.graph.version_count)
			return err_set(err, ERR_NOT_FOUND, "%s is in %s, which the repository does not have",
				       run->name, nearest);
		if ((rc = blame_show(run, shown, err)))
			return rc;
		word_lookup_at(&run->lookup, &run->word, &run->words, shown_version(run)->abi,
			       run->lookup.nearest);
	}
	return choose_record(run, err);
}

/* Returns true if the record has run->field in that version; false also if the record cannot be flattened. */
static bool version_has_field(struct blame_run *run, size_t version, const char *record)
{
	const struct abi *abi = run->lineage.graph.versions[version].abi;
	struct abi_layout layout;
	struct err ignored;

	return abi && abi_find_record(abi, record) &&
	       !flatten_record(&layout, abi, record, run->args->arena, &ignored) &&
	       report_blame_has(&layout, run->field);
}

/* Returns the nearest ancestor whose record has the field, or else the newest such version; else NULL. */
static const char *version_with_field(struct blame_run *run, const char *record)
{
	const struct history_version *versions = run->lineage.graph.versions;

	for (long i = (long)run->shown; i != HISTORY_NO_PARENT; i = versions[i].parent)
		if (version_has_field(run, (size_t)i, record))
			return versions[i].version;
	for (size_t i = run->lineage.graph.version_count; i--;)
		if (version_has_field(run, i, record))
			return versions[i].version;
	return NULL;
}

/* Fails because the record has no such field. The message names a version that has it, or similar fields. */
static int fail_no_field(struct blame_run *run, const struct blame *blame, struct err *err)
{
	const char *has = version_with_field(run, blame->name), *version = shown_version(run)->version;
	struct abi_nearest nearest = { .count = 0 };

	if (has)
		return err_set(err, ERR_NOT_FOUND, "%s has no field '%s' at %s; --version %s has it",
			       blame->name, run->field, version, has);
	for (size_t i = 0; i < blame->layout->scalar_count; i++)
		abi_nearest_name(&nearest, run->field, blame->layout->scalar[i].path);
	return nearby_fail(err, &nearest, "%s has no field '%s' at %s", blame->name, run->field, version);
}

/* drvabi blame: reports which version last changed each field of a record or of an ioctl's parameters. */
int cmd_blame(struct cli_args *args, struct err *err)
{
	struct strbuf *out = args->out;
	struct blame_run run = { .args = args };
	struct blame blame;
	struct blame_report report = { .graph = &run.lineage.graph, .blame = &blame,
				       .known = &run.words.graph };
	int rc;

	if ((rc = blame_words(&run, err)) ||
	    (rc = lineage_load(&run.lineage, args->version, args, err)) ||
	    (rc = blame_show(&run, run.lineage.loaded.newest, err)) ||
	    (rc = blame_find(&run, err)) ||
	    (rc = history_blame(&blame, &run.lineage.graph, run.shown, run.record, args->arena, err)))
		return rc;
	if (run.field && !report_blame_has(blame.layout, run.field))
		return fail_no_field(&run, &blame, err);
	report.field = run.field;
	if (run.ioctl.item) {
		report.ioctl = &run.ioctl;
		word_describe(&run.ioctl, &run.words, shown_version(&run)->abi);
	}
	if (!strcmp(args->format, "json")) {
		report_blame_json(out, &report);
		return 0;
	}
	if (run.shown != run.lineage.loaded.newest)
		report_elsewhere_text(out, &run.word, run.request.abi.version, shown_version(&run)->version,
				      &args->style);
	if (run.ioctl.item) {
		report_described_text(out, &run.words.graph, &run.ioctl, &args->style);
		strbuf_addch(out, '\n');
	}
	report_blame_text(out, &report, &args->style);
	return 0;
}

/* The state of one run of ranges. */
struct ranges_run {
	const struct cli_args *args;
	struct lineage lineage;
	struct table table;
	struct ranges ranges;
	struct ranges_proof *proofs;
};

/* One step for all nodes or versions. */
struct ranges_step {
	int (*take)(struct ranges *ranges, size_t index, struct arena *arena, struct err *err);
	struct ranges *ranges;
};

static int take_step(void *data, size_t index, struct arena *arena, struct err *err)
{
	const struct ranges_step *step = data;

	return step->take(step->ranges, index, arena, err);
}

static int prove_version(void *data, size_t version, struct arena *arena, struct err *err)
{
	struct ranges_run *run = data;

	return ranges_prove(&run->proofs[version], &run->ranges, version, arena, err);
}

/* Fails if the table forwards nothing, because all versions would then be the same to the proxy. */
static int check_table(const struct table *table, struct err *err)
{
	for (size_t i = 0; i < table->node_count; i++)
		for (size_t e = 0; e < table->nodes[i].entry_count; e++)
			if (!table->nodes[i].entries[e].removed)
				return 0;
	return err_set(err, ERR_NOT_FOUND,
		       "%s forwards nothing at any of its nodes, so it cannot be compared with versions",
		       table->path);
}

/*
 * Sets run->ranges: the sets of versions that a table can treat alike, and the table's node for each set.
 * With --prove or --emit, also sets run->proofs: whether each version is read as the first of its set.
 */
static int judge_versions(struct ranges_run *run, enum ranges_criterion criterion, struct err *err)
{
	size_t versions = run->lineage.graph.version_count, nodes = run->table.node_count;
	struct ranges_step baseline = { ranges_baseline, &run->ranges };
	struct ranges_step assign = { ranges_assign, &run->ranges };
	struct ranges_step passed = { ranges_passed, &run->ranges };
	int rc;

	ranges_plan(&run->ranges, &run->lineage.graph, &run->table, criterion, run->args->arena);
	if ((rc = work_each(take_step, &baseline, nodes, run->args, err)) ||
	    (rc = work_each(take_step, &assign, versions, run->args, err)))
		return rc;
	if ((rc = ranges_finish(&run->ranges, run->args->arena, err)) ||
	    (rc = work_each(take_step, &passed, versions, run->args, err)) ||
	    !(run->args->prove || run->args->emit))
		return rc;
	run->proofs = arena_array(run->args->arena, versions + 1, sizeof(*run->proofs));
	return work_each(prove_version, run, versions, run->args, err);
}

static void ranges_render(struct strbuf *out, const void *report, const struct cli_args *args)
{
	if (!strcmp(args->format, "json"))
		report_ranges_json(out, report);
	else
		report_ranges(out, report, &args->style);
}

/*
 * Writes the report and the files of --report; with --emit, only the map of proven versions. Return: 0;
 * ERR_NOT_FOUND if the map would be empty; what output_result() returns.
 */
static int write_ranges(const struct ranges_run *run, struct err *err)
{
	const struct cli_args *args = run->args;
	struct ranges_report report = { run->lineage.driver, args->target, &run->ranges, run->proofs };
	size_t proven;

	if (!args->emit)
		return output_result(args, ranges_render, &report, err);
	proven = report_version_map(args->out, &report, !strcmp(args->emit, "go"));
	if (!proven)
		return err_set(err, ERR_NOT_FOUND, "no release is proven to fit a node of %s",
			       run->table.path);
	output_note(args, "%zu of %zu versions are proven to fit a node; the others are not in the map",
		    proven, run->lineage.graph.version_count);
	return 0;
}

/* With --exit-code, returns CLI_SOMETHING if new nodes are needed, or if a proof found a change. */
static int ranges_exit_status(const struct ranges_run *run)
{
	if (!run->args->exit_code)
		return CLI_NOTHING;
	for (size_t i = 0; run->proofs && i < run->lineage.graph.version_count; i++)
		if (run->proofs[i].against_count)
			return CLI_SOMETHING;
	return run->ranges.new_nodes ? CLI_SOMETHING : CLI_NOTHING;
}

/* drvabi ranges: reports which versions can share a node of a proxy's table. */
int cmd_ranges(struct cli_args *args, struct err *err)
{
	struct ranges_run run = { .args = args };
	const enum ranges_criterion criterion =
		args->criterion && !strcmp(args->criterion, "strict") ? RANGES_STRICT : RANGES_TABLE;
	int rc;

	if ((rc = load_table_check("ranges", args, err)))
		return rc;
	if (args->version && args->table)
		return usage_error(err, "ranges reads every version; --version is for --table-from-header");
	if (args->word_count)
		return usage_error(err, "ranges takes no '%s'; it reads every version", args->words[0]);
	if ((rc = lineage_load(&run.lineage, NULL, args, err)) ||
	    (rc = load_table_for(&run.table, run.lineage.driver, args, err)) ||
	    (rc = check_table(&run.table, err)) ||
	    (rc = judge_versions(&run, criterion, err)) ||
	    (rc = write_ranges(&run, err)))
		return rc;
	return ranges_exit_status(&run);
}
