/* cli/cmd_cache.c - drvabi cache: shows, prunes or clears the cache */
#include "cli/cli.h"

/* Appends a size in megabytes, "12.3 MB". */
static void add_size(struct strbuf *out, uint64_t bytes)
{
	strbuf_addf(out, "%" PRIu64 ".%" PRIu64 " MB", bytes / 1000000, bytes / 100000 % 10);
}

/*
 * drvabi cache: shows the size of the cache; "prune" removes damaged and left-over files, and the oldest
 * documents beyond the limit, "clear" all documents, and "clear all" also the clones that no process reads.
 */
int cmd_cache(struct cli_args *args, struct err *err)
{
	const char *verb = args->word_count ? args->words[0] : "show";
	bool all = args->word_count == 2 && !strcmp(verb, "clear") && !strcmp(args->words[1], "all");
	struct strbuf dir = { 0 }, *out = args->out;
	struct cache_contents contents;
	int rc;

	if (args->word_count > 1 && !all)
		return usage_error(err, "cache %s does not take '%s'; see drvabi cache --help", verb,
				   args->words[1]);
	if (args->output && (!strcmp(verb, "prune") || !strcmp(verb, "clear")))
		return usage_error(err, "cache %s prints nothing; leave -o out", verb);
	if ((rc = cache_default_dir(&dir, err)))
		goto out;
	if (!strcmp(verb, "show")) {
		if ((rc = cache_look(&contents, dir.text, err)))
			goto out;
		escape_addf(out, escape_terminal, "%s\n  documents  %5zu  ", dir.text, contents.documents);
		add_size(out, contents.document_bytes);
		strbuf_adds(out, " of at most ");
		add_size(out, contents.limit_bytes);
		strbuf_addf(out, ", %zu damaged, %zu left over by killed runs\n  clones     %5zu  ",
			    contents.damaged, contents.leftovers, contents.clones);
		add_size(out, contents.clone_bytes);
		strbuf_addch(out, '\n');
	} else if (!strcmp(verb, "prune")) {
		(void)((rc = cache_prune(dir.text, err)) || (rc = source_prune(dir.text, false, err)));
	} else if (!strcmp(verb, "clear")) {
		(void)((rc = cache_clear(dir.text, err)) ||
		       (all && (rc = source_prune(dir.text, true, err))));
	} else {
		rc = usage_verb(args, "cache", "show, prune or clear", err);
	}
out:
	strbuf_release(&dir);
	return rc;
}
