/* cli/cmd_diff.c - drvabi diff, also called run_differ */
#include "cli/cli.h"

#include "diff/diff.h"
#include "report/report.h"

#include <string.h>

/* Where the dots of "A..B" are; NULL: it is a version, or a directory, which may be "../old". */
static const char *range_dots(const char *word)
{
	return strchr(word, '/') ? NULL : strstr(word, "..");
}

/* "A..B" as the two words A and B, which live in @arena; any other words as they are. */
static int split_range(const char *words[2], size_t *count, const struct cli_args *args, struct err *err)
{
	const char *word = args->word_count == 1 ? args->words[0] : "", *dots = range_dots(word);

	*count = args->word_count < 2 ? args->word_count : 2;
	for (size_t i = 0; i < *count; i++)
		words[i] = args->words[i];
	if (!dots)
		return 0;
	if (dots == word || !dots[2] || dots[2] == '.' || args->base || args->next || args->base_json ||
	    args->next_json)
		return err_set(err, ERR_USAGE,
			       "'%s' is not the two versions of a diff; give it alone, as BASE..NEXT", word);
	words[0] = arena_strndup(args->arena, word, (size_t)(dots - word));
	words[1] = dots + 2;
	*count = 2;
	return 0;
}

/* "old.json": no release is called so. A document of another name goes to --base-json. */
static bool is_document(const char *word)
{
	const size_t length = strlen(word);

	return length > 5 && !strcmp(word + length - 5, ".json");
}

/* The two versions, from options or from words: "diff A B", "diff A..B", "diff a.json b.json". */
static int diff_sides(struct store_request requests[2], const struct cli_args *args, struct err *err)
{
	const char *version[2] = { args->base, args->next };
	const char *json[2] = { args->base_json, args->next_json };
	static const char *const side[2] = { "base", "next" };
	const char *words[2];
	size_t word = 0, word_count;
	int rc;

	if ((rc = split_range(words, &word_count, args, err)))
		return rc;
	for (size_t i = 0; i < 2; i++) {
		if (version[i] && json[i])
			return err_set(err, ERR_USAGE,
				       "--%s and --%s-json name two documents for one side; give one",
				       side[i], side[i]);
		if (!version[i] && !json[i] && word < word_count)
			version[i] = words[word++];
		if (version[i] && is_document(version[i])) {
			json[i] = version[i];
			version[i] = NULL;
		}
		if (!version[i] && !json[i])
			return err_set(
				err, ERR_USAGE,
				"no %s version; give BASE NEXT, BASE..NEXT, or --base and --next (%s --help)",
				side[i], program_is_differ() ? "run_differ" : "drvabi diff");
		requests[i] = (struct store_request){ .version = version[i], .json = json[i] };
	}
	if (word < word_count || args->word_count > 2)
		return err_set(err, ERR_USAGE, "'%s' is one version too many; diff takes two",
			       args->words[word]);
	if (args->dir)
		return err_set(err, ERR_USAGE,
			       "diff takes directories as versions: --base ./old --next ./new");
	if (json[0] && json[1] && !strcmp(json[0], "-") && !strcmp(json[1], "-"))
		return err_set(err, ERR_USAGE, "standard input can be one of the two documents, not both");
	return 0;
}

/*
 * A change that --class leaves out would never make the run fail, and without a table no change is in a
 * group of its own.
 */
static int check_fail_on(unsigned shown, unsigned fails, const struct cli_args *args, struct err *err)
{
	unsigned hidden = fails & ~shown & FAIL_CLASSES;

	if (args->only_counts && strcmp(args->format, "text"))
		return err_set(err, ERR_USAGE, "--stat is for --format text, not for %s", args->format);
	if (args->fail_on && fails & ~FAIL_CLASSES && !args->table)
		return err_set(
			err, ERR_USAGE,
			"--fail-on %s is about what a proxy forwards; give its table with --table FILE",
			args->fail_on);
	if (!args->fail_on || !shown || !hidden)
		return 0;
	return err_set(err, ERR_USAGE,
		       "--fail-on names the class %s, whose changes --class leaves out; name it in both",
		       diff_class_name((enum diff_class)(hidden & -hidden)));
}

/* A glob that matches no name of either version is likely misspelled. */
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

/* The user may want this order, but added and removed are swapped then. */
static void note_order(const struct abi *base, const struct abi *next, const struct cli_args *args)
{
	if (nearby_are_releases(base->version, next->version) &&
	    abi_version_compare(base->version, next->version) > 0)
		output_note(args, "base %s is newer than next %s", base->version, next->version);
}

static void diff_render(struct strbuf *out, const void *report, const struct cli_args *args)
{
	struct report_style style = output_style(args);

	if (!strcmp(args->format, "json"))
		report_diff_json(out, report);
	else
		report_diff(out, report, &style);
}

/* With a table: what it forwards at base, and which of its nodes next can use. */
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

int cmd_diff(const struct cli_args *args, struct err *err)
{
	struct store_request requests[2] = { 0 };
	struct diff_options options = { .record = args->record };
	struct ranges_choice choice;
	struct diff_accepted accepted;
	struct diff_report report;
	struct diff diff;
	int rc;

	if ((rc = diff_sides(requests, args, err)) ||
	    (rc = class_list_read(&options.classes, args->classes, err)) ||
	    (rc = diff_accepted_read(&accepted, args, err)) ||
	    (rc = check_fail_on(options.classes, accepted.fails, args, err)) ||
	    (rc = load_documents(requests, 2, args, err)) ||
	    (rc = check_record(&requests[0].abi, &requests[1].abi, args->record, err)))
		return rc;
	note_order(&requests[0].abi, &requests[1].abi, args);
	if ((rc = read_table(&options, &choice, requests, args, err)) ||
	    (rc = diff_documents(&diff, &requests[0].abi, &requests[1].abi, &options, args->arena, err)))
		return rc;
	report = (struct diff_report){ .diff = &diff, .choice = options.view ? &choice : NULL,
				       .suppressions = args->suppress ? &accepted.suppressions : NULL,
				       .only_counts = args->only_counts,
				       .suppressed_count = diff_accept(&diff, &accepted, args->arena),
				       .is_filtered = args->record || args->classes };
	if ((rc = output_result(args, diff_render, &report, err)))
		return rc;
	return diff_fails(&diff, &accepted) ? CLI_SOMETHING : CLI_NOTHING;
}
