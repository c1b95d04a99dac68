/*
 * store/history_documents.c - the documents of all versions, or of a choice of them
 *
 * 1. choose() gets all versions along the commit graph, and marks those that
 *    are not asked for as skipped.
 * 2. The list of stores gives the documents of the others.
 * 3. settle_failures() tells of each version that cannot be read, and leaves
 *    it out; an error of the disk or of git ends it all.
 */
#include "store/store_internal.h"

#include "abi/abi.h"

#include <stdlib.h>
#include <string.h>

/* The archive or repository that the versions come from, for messages. */
static const char *name_of(const struct stores *stores)
{
	return stores_named_by_archive(stores) ? archive_name(stores->archive.archive) : stores->tree.repo;
}

/* Marks all but the tags of @names as skipped. */
static int skip_unnamed(struct store_history *history, const struct stores *stores, const char *const *names, size_t count, struct err *err)
{
	const struct source_graph *graph = &history->graph;

	for (size_t i = 0; i < graph->count; i++)
		history->requests[i].skipped = true;
	for (size_t n = 0; n < count; n++) {
		size_t found = 0;

		while (found < graph->count && strcmp(graph->versions[found].name, names[n]))
			found++;
		if (found == graph->count)
			return err_set(err, ERR_NOT_FOUND, "%s is no tag of %s, and has no place in its history", names[n], name_of(stores));
		history->requests[found].skipped = false;
	}
	return 0;
}

static int no_tag(const struct stores *stores, const struct source_graph *graph, const char *only, struct err *err)
{
	const char **names = xmalloc((graph->count + 1) * sizeof(*names));
	struct abi_nearest nearest = { .count = 0 };
	struct strbuf near = { 0 };
	int rc;

	for (size_t i = 0; i < graph->count; i++)
		names[i] = graph->versions[i].name;
	abi_nearest_typos(&nearest, only, names, graph->count);
	abi_nearest_list(&near, &nearest);
	rc = err_set(err, ERR_NOT_FOUND, "no tag %s in %s; history goes from tag to tag, and the newest is %s%s", only, name_of(stores),
		     graph->versions[graph->count - 1].name, strbuf_text(&near));
	strbuf_release(&near);
	free(names);
	return rc;
}

/* The tag that @only is, or that alone begins with it. */
static int find_tag(size_t *out, const struct stores *stores, const struct source_graph *graph, const char *only, struct err *err)
{
	const char **names = xmalloc((graph->count + 1) * sizeof(*names));
	struct abi_version_run run;
	int rc = 0;

	for (size_t i = 0; i < graph->count; i++)
		names[i] = graph->versions[i].name;
	run = abi_version_run(only, names, graph->count);
	if (!run.count)
		rc = no_tag(stores, graph, only, err);
	else if (run.count > 1)
		rc = abi_version_ambiguous(only, names, run, err);
	else
		*out = run.first;
	free(names);
	return rc;
}

/* Marks all but @only and its ancestors as skipped. */
static int skip_others(struct store_history *history, const struct stores *stores, const char *only, struct err *err)
{
	const struct source_graph *graph = &history->graph;
	size_t found = graph->count - 1;
	int rc;

	for (size_t i = 0; i < graph->count; i++)
		history->requests[i].skipped = true;
	if (*only && (rc = find_tag(&found, stores, graph, only, err)))
		return rc;
	history->newest = found;
	for (long i = (long)found; i != SOURCE_NO_PARENT; i = graph->versions[i].parent)
		history->requests[i].skipped = false;
	return 0;
}

/*
 * Looks each named version up once: a missing one is an error with the nearest names, a new one is fetched, and one that was
 * cut short is set whole in @names.
 */
static int find_named(const char **names, struct stores *stores, const struct store_choice *choice, struct err *err)
{
	struct found_version found;
	int rc;

	for (size_t i = 0; i < choice->count; i++) {
		if ((rc = list_find(&found, &stores->list, choice->names[i], true, &stores->arena, err)))
			return rc;
		names[i] = found.name;
	}
	return 0;
}

static int choose(struct store_history *history, struct stores *stores, const struct store_choice *choice, struct err *err)
{
	struct arena *arena = stores->documents;
	const char **names = arena_array(&stores->arena, choice->count + 1, sizeof(*names));
	int rc;

	if ((rc = find_named(names, stores, choice, err)) ||
	    (rc = list_versions(&history->graph, &stores->list, arena, err)))
		return rc;
	if (!history->graph.count)
		return err_set(err, ERR_NOT_FOUND, "%s has no versions, so it has no history", name_of(stores));
	history->requests = arena_array(arena, history->graph.count, sizeof(*history->requests));
	for (size_t i = 0; i < history->graph.count; i++)
		history->requests[i].version = history->graph.versions[i].name;
	history->newest = history->graph.count - 1;
	if (choice->names)
		return skip_unnamed(history, stores, names, choice->count, err);
	return choice->only ? skip_others(history, stores, choice->only, err) : 0;
}

/* A version that does not parse is told and left out; what is wrong with more than that version is an error. */
static int settle_failures(const struct store_history *history, const struct stores *stores, struct err *err)
{
	for (size_t i = 0; i < history->graph.count; i++) {
		const struct store_request *request = &history->requests[i];

		if (request->rc == ERR_IO || request->rc == ERR_GIT) {
			*err = request->err;
			return request->rc;
		}
		if (request->rc)
			store_say(&stores->options, STORE_NOTICE, "left out: %s", request->err.text);
	}
	return 0;
}

int stores_history(struct store_history *out, struct stores *stores, const struct store_choice *choice, struct err *err)
{
	struct store_history history = { .requests = NULL };
	struct wanted *wanted;
	int rc;

	if (stores->options.dir)
		return err_set(err, ERR_USAGE, "--dir is a tree without versions; history is read from a repository");
	if ((rc = choose(&history, stores, choice, err)))
		return rc;
	wanted = arena_array(&stores->arena, history.graph.count, sizeof(*wanted));
	for (size_t i = 0; i < history.graph.count; i++)
		wanted[i] = (struct wanted){
			.request = &history.requests[i],
			.version = { history.graph.versions[i].name, history.graph.versions[i].commit },
			.done = history.requests[i].skipped,
		};
	if ((rc = list_documents(&stores->list, wanted, history.graph.count, stores->documents, err)) ||
	    (rc = settle_failures(&history, stores, err)))
		return rc;
	*out = history;
	return 0;
}
