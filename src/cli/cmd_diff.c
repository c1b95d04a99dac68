/* cli/cmd_diff.c - drvabi diff, also called run_differ */
#include "cli/cli.h"

/*
 * choice of the node that the next version can use
 *
 * 1. The commit graph gives the node that the version follows. Only the documents of the version and of that
 *    node are read.
 * 2. The findings of verify for the node's own version are known faults. If verify has no other findings for
 *    the new version, the node is chosen.
 * 3. Otherwise, the documents of all nodes are read, and each node is tried.
 */

/* Returns the tag of the document, or of its commit if the user named a commit; NULL if there is none. */
static const char *tag_of(const struct history_graph *graph, const struct abi *abi)
{
	if (history_graph_index(graph, abi->version) < graph->version_count)
		return abi->version;
	for (size_t i = 0; *abi->commit && i < graph->version_count; i++)
		if (!strcmp(graph->versions[i].commit, abi->commit))
			return graph->versions[i].version;
	return NULL;
}

/*
 * Finds the table's node that the version of @request can use. For a document, a directory, or a name that
 * is not a tag, no node is chosen, and out->why is the reason. @request: already loaded
 */
static int node_choice_load(struct ranges_choice *out, const struct table *table,
			    const struct store_request *request, const struct cli_args *args, struct err *err)
{
	struct arena *arena = args->arena;
	const char **names = arena_array(arena, table->node_count + 1, sizeof(char *));
	const char *place = request->json ? request->json : request->version, *node;
	const bool is_directory = place && (*place == '/' || !strncmp(place, "./", 2) ||
					    !strncmp(place, "../", 3) || !strcmp(place, ".") ||
					    !strcmp(place, ".."));
	struct history_graph graph;
	size_t version, count = 1;
	int rc;

	*out = (struct ranges_choice){ .version = request->abi.version };
	if (request->json || is_directory) {
		out->why = arena_printf(arena, "%s is a %s, so its place in the commit graph is unknown",
					request->json && !strcmp(place, "-") ? "standard input" : place,
					request->json ? "document" : "directory");
		return 0;
	}
	if ((rc = lineage_load_named(&graph, &request->abi.version, 1, args, err)) == ERR_NOT_FOUND)
		rc = lineage_load_named(&graph, &request->abi.version, 0, args, err);
	if (rc)
		return rc;
	if (!(names[0] = tag_of(&graph, &request->abi))) {
		out->why = arena_printf(arena, "%s is not a tag", request->abi.version);
		return 0;
	}
	/* If the version fits the node that it follows, the documents of the other nodes are not loaded. */
	version = history_graph_index(&graph, names[0]);
	node = ranges_followed(&graph, table, version)->version;
	if (history_graph_index(&graph, node) < graph.version_count)
		names[count++] = node;
	if ((rc = lineage_load_named(&graph, names, count, args, err)) ||
	    (rc = ranges_choose(out, &graph, table, version, arena, err)) || out->node || out->follows_none)
		return rc;
	count = 1;
	for (size_t i = 0; i < table->node_count; i++)
		if (history_graph_index(&graph, table->nodes[i].version) < graph.version_count)
			names[count++] = table->nodes[i].version;
	if ((rc = lineage_load_named(&graph, names, count, args, err)))
		return rc;
	return ranges_choose(out, &graph, table, version, arena, err);
}

/*
 * --suppress and --fail-on
 *
 * The file of --suppress has the format of verify's suppression files (verify/verify.h), with a class of
 * change instead of a rule.
 */

struct diff_accepted {
	struct suppressions suppressions;
	unsigned fails; /* the changes that make the exit status 1: bits of WORDS_FAIL */
	unsigned *left; /* for each remaining change, the classes that no line of the file covers */
};

/*
 * Returns the line that covers one class of a change, under any of the change's names; NULL if no line does.
 */
static struct suppression *line_for(const struct suppressions *suppressions, const struct diff_change *change,
				    unsigned class_bit, const char *version)
{
	struct suppression *line = suppressions_find(suppressions, class_bit, change->name, NULL, version);

	if (!line && change->base_name)
		line = suppressions_find(suppressions, class_bit, change->base_name, NULL, version);
	for (size_t i = 0; !line && i < change->also_count; i++)
		line = suppressions_find(suppressions, class_bit, change->also[i], NULL, version);
	return line;
}

/* Returns the classes of a change that no line covers, and counts the lines that cover a class as used. */
static unsigned classes_left(struct suppressions *suppressions, const struct diff_change *change,
			     const char *version)
{
	unsigned left = change->classes;

	for (unsigned bit = 0; bit < DIFF_CLASS_COUNT; bit++) {
		struct suppression *line = change->classes & 1u << bit
						   ? line_for(suppressions, change, 1u << bit, version)
						   : NULL;

		if (!line)
			continue;
		line->used++;
		left &= ~(1u << bit);
	}
	return left;
}

/*
 * Removes a change from @diff if lines for the next version cover all its classes, under any of its names.
 * Sets accepted->left, and marks the lines that were not tried. Return: the number of removed changes.
 */
static size_t diff_accept(struct diff *diff, struct diff_accepted *accepted, struct arena *arena)
{
	bool *dropped = arena_array(arena, diff->change_count + 1, sizeof(*dropped));
	size_t left = 0, before = diff->change_count;

	accepted->left = arena_array(arena, before + 1, sizeof(*accepted->left));
	for (size_t i = 0; i < before; i++) {
		unsigned classes =
			classes_left(&accepted->suppressions, &diff->changes[i], diff->next->version);

		dropped[i] = !classes;
		if (classes)
			accepted->left[left++] = classes;
	}
	if (!accepted->suppressions.path)
		return 0;
	suppressions_try(&accepted->suppressions, NULL, &diff->next->version, 1);
	diff_drop(diff, dropped, arena);
	return before - left;
}

/* Returns true if an uncovered change has a class or section of --fail-on. */
static bool diff_fails(const struct diff *diff, const struct diff_accepted *accepted)
{
	for (size_t i = 0; i < diff->change_count; i++)
		if (accepted->left[i] & accepted->fails ||
		    (accepted->left[i] && accepted->fails & FAIL_SECTION(diff->changes[i].section)))
			return true;
	return false;
}

/* --- the command line ---------------------------------------------------------------------- */

/*
 * Sets @words to the one or two words, which name versions, and splits "A..B" into the two words A and B.
 * Return: 0; ERR_USAGE if A or B is missing, or if options name a version, too.
 */
static int split_range(const char *words[2], size_t *count, const struct cli_args *args, struct err *err)
{
	const char *word = args->word_count == 1 ? args->words[0] : "";
	const char *dots = strchr(word, '/') ? NULL : strstr(word, ".."); /* "../old" is a directory */

	*count = args->word_count < 2 ? args->word_count : 2;
	for (size_t i = 0; i < *count; i++)
		words[i] = args->words[i];
	if (!dots)
		return 0;
	if (dots == word || !dots[2] || dots[2] == '.' || args->base || args->next || args->base_json ||
	    args->next_json)
		return usage_error(err, "'%s' does not name two versions; give only BASE..NEXT", word);
	words[0] = arena_strndup(args->arena, word, (size_t)(dots - word));
	words[1] = dots + 2;
	*count = 2;
	return 0;
}

/* Sets @requests to the versions of the options or words: "A B", "A..B", "a.json b.json". */
static int diff_sides(struct store_request requests[2], const struct cli_args *args, struct err *err)
{
	const char *version[2] = { args->base, args->next };
	const char *json[2] = { args->base_json, args->next_json };
	static const char *const side[2] = { "base", "next" };
	const char *words[2];
	size_t word = 0, word_count, length;
	int rc;

	if ((rc = split_range(words, &word_count, args, err)))
		return rc;
	for (size_t i = 0; i < 2; i++) {
		if (!version[i] && !json[i] && word < word_count)
			version[i] = words[word++];
		/* No release has such a name. For other documents, there are --base-json and --next-json. */
		length = version[i] ? strlen(version[i]) : 0;
		if (length > 5 && !strcmp(version[i] + length - 5, ".json")) {
			json[i] = version[i];
			version[i] = NULL;
		}
		if (!version[i] && !json[i])
			return usage_error(err,
				"no %s version; give BASE NEXT, BASE..NEXT, or --base and --next (%s --help)",
				side[i], program_is_differ() ? "run_differ" : "drvabi diff");
		requests[i] = (struct store_request){ .version = version[i], .json = json[i] };
	}
	if (word < word_count || args->word_count > 2)
		return usage_error(err, "'%s' is one version too many; diff takes two", args->words[word]);
	if (args->dir)
		return usage_error(err, "diff takes directories as versions: --base ./old --next ./new");
	if (json[0] && json[1] && !strcmp(json[0], "-") && !strcmp(json[1], "-"))
		return usage_error(err, "standard input can be one of the two documents, not both");
	return 0;
}

/*
 * Refuses words of --fail-on that no change could match: a class that --class leaves out, or a section that
 * only a report with a table has. Also refuses --stat with a format other than text. Return: 0; ERR_USAGE.
 */
static int check_fail_on(unsigned shown, unsigned fails, const struct cli_args *args, struct err *err)
{
	unsigned hidden = fails & ~shown & FAIL_CLASSES;

	if (args->only_counts && strcmp(args->format, "text"))
		return usage_error(err, "--stat is for --format text, not for %s", args->format);
	if (args->fail_on && fails & ~FAIL_CLASSES && !args->table)
		return usage_error(err,
			"--fail-on %s depends on what a proxy forwards; give the table of the proxy with --table FILE",
			args->fail_on);
	if (!args->fail_on || !shown || !hidden)
		return 0;
	return usage_error(err,
			   "--fail-on names the class %s, whose changes --class leaves out; name it in both",
			   diff_class_name((enum diff_class)(hidden & -hidden)));
}

/* Fails if --record matches no name of either version, and lists similar names. @glob can be NULL. */
static int check_record(const struct abi *base, const struct abi *next, const char *glob, struct err *err)
{
	struct abi_nearest nearest = { .count = 0 };

	if (!glob || nearby_matches(next, glob) || nearby_matches(base, glob))
		return 0;
	nearby_names(&nearest, next, glob);
	nearby_names(&nearest, base, glob);
	return nearby_fail(err, &nearest, "--record: neither %s nor %s has a name that matches '%s'",
			   base->version, next->version, glob);
}

static void diff_render(struct strbuf *out, const void *report, const struct cli_args *args)
{
	if (!strcmp(args->format, "json"))
		report_diff_json(out, report);
	else
		report_diff(out, report, &args->style);
}

/* If there is a table, sets options->view to its view at base, and chooses its node for next. */
static int read_table(struct diff_options *options, struct ranges_choice *choice,
		      const struct store_request requests[2], const struct cli_args *args, struct err *err)
{
	struct table *table = arena_alloc(args->arena, sizeof(*table));
	struct table_view *view = arena_alloc(args->arena, sizeof(*view));
	struct history_graph graph = { 0 };
	int rc;

	if (!args->table)
		return 0;
	if ((rc = load_table_view(view, table, &graph, &requests[0].abi, args, err)) ||
	    (rc = node_choice_load(choice, table, &requests[1], args, err)))
		return rc;
	options->view = view;
	return 0;
}

/*
 * drvabi diff: reports the changes between two documents. With a table, they are grouped by what a proxy must
 * do, and the report names the node that next can use. Return: CLI_SOMETHING if a change is left that
 * --suppress does not cover and --fail-on includes.
 */
int cmd_diff(struct cli_args *args, struct err *err)
{
	struct store_request requests[2] = { 0 };
	struct diff_options options = { .record = args->record };
	struct ranges_choice choice;
	struct diff_accepted accepted = { .fails = ~0u };
	struct diff_report report;
	struct use_rules use;
	const struct abi *base = &requests[0].abi, *next = &requests[1].abi;
	struct diff diff;
	int rc;

	if ((rc = diff_sides(requests, args, err)) ||
	    (rc = word_list_read(&options.classes, WORDS_CLASS, args->classes, args->arena, err)) ||
	    (args->fail_on &&
	     (rc = word_list_read(&accepted.fails, WORDS_FAIL, args->fail_on, args->arena, err))) ||
	    (args->suppress &&
	     (rc = suppress_file_read(&accepted.suppressions, args->suppress, class_list_word, args, err))) ||
	    (rc = check_fail_on(options.classes, accepted.fails, args, err)) ||
	    (rc = load_documents(requests, 2, args, err)) ||
	    (rc = check_record(base, next, args->record, err)))
		return rc;
	/* The user may want this order, but the report then lists added items as removed. */
	if (nearby_are_releases(base->version, next->version) &&
	    abi_version_compare(base->version, next->version) > 0)
		output_note(args, "base %s has a higher number than next %s", base->version, next->version);
	options.use = &use;
	if ((rc = load_use(&use, args, err)) || (rc = read_table(&options, &choice, requests, args, err)) ||
	    (rc = diff_documents(&diff, base, next, &options, args->arena, err)))
		return rc;
	report = (struct diff_report){ .diff = &diff, .choice = options.view ? &choice : NULL,
				       .suppressions = args->suppress ? &accepted.suppressions : NULL,
				       .only_counts = args->only_counts,
				       .suppressed_count = diff_accept(&diff, &accepted, args->arena),
				       .record = options.record, .classes = options.classes };
	if ((rc = output_result(args, diff_render, &report, err)))
		return rc;
	return diff_fails(&diff, &accepted) ? CLI_SOMETHING : CLI_NOTHING;
}
