/*
 * Fills the list of places as the options say, finds out what each request
 * stands for, and lets the list answer.
 */
#include "store/places.h"

#include "json/json.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DOCUMENT_LIMIT_BYTES = 256 * 1024 * 1024 };

struct store {
	struct store_options options;
	struct arena *documents;
	struct arena arena;
	struct strbuf cache_dir; /* "" if there is nowhere */
	struct archive_place archive;
	struct cache_place cache;
	struct tree_place tree;
	struct list list;
};

void store_say(const struct store_options *options, enum store_remark kind, const char *format, ...)
{
	struct err sentence; /* one line, whatever an input put into a name */
	char text[sizeof(sentence.text)];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	err_set(&sentence, 0, "%s", text);
	if (options->remark)
		options->remark(options->data, kind, sentence.text);
}

static bool names_directory(const char *version)
{
	return version && (*version == '/' || !strncmp(version, "./", 2) || !strncmp(version, "../", 3) ||
			   !strcmp(version, ".") || !strcmp(version, ".."));
}

static void fill_places(struct store *store)
{
	const struct store_options *options = &store->options;
	const char *cache_dir;

	if (cache_default_dir(&store->cache_dir, NULL))
		strbuf_reset(&store->cache_dir);
	cache_dir = strbuf_text(&store->cache_dir);
	store->archive = (struct archive_place){ .options = options, .arena = store->documents };
	store->tree = (struct tree_place){ .options = options, .arena = &store->arena, .cache_dir = cache_dir,
					   .repo = options->repo ? options->repo : options->profile->repository };
	store->cache = (struct cache_place){ .options = options, .trees = &store->tree, .dir = cache_dir };
}

/* The order of the places, and who of them names versions. A tree that is a directory is asked for by no name. */
static void fill_list(struct store *store)
{
	const struct store_options *options = &store->options;
	struct list *list = &store->list;
	bool is_silent = options->repo || options->of_repository;

	if (options->archive || !options->no_archive)
		list_add(list, &archive_place_ops, &store->archive, is_silent);
	if (!options->no_cache && !options->archive)
		list_add(list, &cache_place_ops, &store->cache, false);
	list_add(list, &tree_place_ops, &store->tree, options->archive);
}

void store_open(struct store **out, const struct store_options *options, struct arena *arena)
{
	struct store *store = xmalloc(sizeof(*store));

	*store = (struct store){ .options = *options, .documents = arena };
	fill_places(store);
	fill_list(store);
	*out = store;
}

void store_free(struct store *store)
{
	if (!store)
		return;
	tree_place_release(&store->tree);
	strbuf_release(&store->cache_dir);
	arena_release(&store->arena);
	free(store);
}

int store_archive(const struct archive **out, struct store *store, struct err *err)
{
	int rc;

	if (!(rc = archive_place_look(&store->archive, err)))
		*out = store->archive.archive;
	return rc;
}

int store_tags(const char *const **names, size_t *count, struct store *store, struct err *err)
{
	const char *repo = store->tree.repo;

	*names = NULL;
	*count = 0;
	if (!store->options.repo && (!repo || !source_is_cloned(repo, store->tree.cache_dir)))
		return 0;
	return tree_place_tags(names, count, &store->tree, store->documents, err);
}

/* --- documents of some versions ---------------------------------------------------- */

static int read_json(struct store_request *request, struct arena *arena, struct err *err)
{
	const char *name = strcmp(request->json, "-") ? request->json : "standard input";
	struct strbuf file = { 0 };
	int rc;

	rc = file_read(&file, request->json, DOCUMENT_LIMIT_BYTES, err);
	if (!rc)
		rc = json_read_abi(&request->abi, strbuf_text(&file), file.length, name, arena, err);
	strbuf_release(&file);
	return rc;
}

static bool names_by_archive(const struct store *store)
{
	return store->archive.archive && !store->list.places[0].is_silent;
}

/* What versions are named by, in words. */
static const char *who_names(const struct store *store)
{
	if (!names_by_archive(store))
		return "the repository";
	if (!store->options.archive)
		return "the archive that comes with drvabi";
	return arena_printf(store->documents, "the archive %s", store->options.archive);
}

/* What @request stands for; a document's file is read at once. */
static int resolve(struct wanted *out, struct store *store, struct store_request *request, struct err *err)
{
	const char *directory = names_directory(request->version) ? request->version : store->options.dir;
	int rc;

	*out = (struct wanted){ .request = request, .done = true };
	if (request->skipped)
		return 0;
	if (request->json)
		return read_json(request, store->documents, err);
	out->done = false;
	if (directory) {
		out->directory = directory;
		out->version = (struct found_version){ directory, "" };
		return 0;
	}
	rc = list_find(&out->version, &store->list, request->version, !request->may_lack, store->documents, err);
	if (rc != ERR_NOT_FOUND || !request->may_lack)
		return rc;
	request->lacking = out->done = true;
	request->lacking_in = who_names(store);
	request->err = *err;
	return 0;
}

int store_documents(struct store_request *requests, size_t count, struct store *store, struct err *err)
{
	struct wanted *wanted = arena_array(&store->arena, count + 1, sizeof(*wanted));
	int rc = 0;

	for (size_t i = 0; !rc && i < count; i++)
		rc = resolve(&wanted[i], store, &requests[i], err);
	if (!rc)
		rc = list_documents(&store->list, wanted, count, store->documents, err);
	for (size_t i = 0; !rc && i < count; i++) {
		if (!requests[i].rc)
			continue;
		rc = requests[i].rc;
		*err = requests[i].err;
	}
	return rc;
}

/* --- all versions -------------------------------------------------------------------- */

/* What versions are named by, for messages. */
static const char *name_of(const struct store *store)
{
	return names_by_archive(store) ? archive_name(store->archive.archive) : store->tree.repo;
}

/* Leaves the tags that are named. */
static int skip_unnamed(struct store_history *history, const struct store *store, const struct store_choice *choice, struct err *err)
{
	const struct source_graph *graph = &history->graph;

	for (size_t i = 0; i < graph->count; i++)
		history->requests[i].skipped = true;
	for (size_t n = 0; n < choice->count; n++) {
		size_t found = 0;

		while (found < graph->count && strcmp(graph->versions[found].name, choice->names[n]))
			found++;
		if (found == graph->count)
			return err_set(err, ERR_NOT_FOUND, "%s is no tag of %s, and has no place in its history", choice->names[n], name_of(store));
		history->requests[found].skipped = false;
	}
	return 0;
}

/* Leaves @only and its ancestors. */
static int skip_others(struct store_history *history, const struct store *store, const char *only, struct err *err)
{
	const struct source_graph *graph = &history->graph;
	size_t found = graph->count - 1;

	for (size_t i = 0; i < graph->count; i++) {
		history->requests[i].skipped = true;
		if (!strcmp(graph->versions[i].name, only))
			found = i;
	}
	if (*only && strcmp(graph->versions[found].name, only))
		return err_set(err, ERR_NOT_FOUND, "no tag %s in %s; history goes from tag to tag, and the newest is %s", only, name_of(store),
			       graph->versions[found].name);
	history->newest = found;
	for (long i = (long)found; i != SOURCE_NO_PARENT; i = graph->versions[i].parent)
		history->requests[i].skipped = false;
	return 0;
}

/* A version that there is not is said to be lacking as always, with the nearest ones; a new one is fetched. */
static int find_named(struct store *store, const struct store_choice *choice, struct err *err)
{
	struct found_version found;
	int rc = 0;

	for (size_t i = 0; !rc && i < choice->count; i++)
		rc = list_find(&found, &store->list, choice->names[i], true, &store->arena, err);
	return rc;
}

static int choose(struct store_history *history, struct store *store, const struct store_choice *choice, struct err *err)
{
	struct arena *arena = store->documents;
	int rc;

	if ((rc = find_named(store, choice, err)) ||
	    (rc = list_versions(&history->graph, &store->list, arena, err)))
		return rc;
	if (!history->graph.count)
		return err_set(err, ERR_NOT_FOUND, "%s has no versions, so it has no history", name_of(store));
	history->requests = arena_array(arena, history->graph.count, sizeof(*history->requests));
	for (size_t i = 0; i < history->graph.count; i++)
		history->requests[i].version = history->graph.versions[i].name;
	history->newest = history->graph.count - 1;
	if (choice->names)
		return skip_unnamed(history, store, choice, err);
	return choice->only ? skip_others(history, store, choice->only, err) : 0;
}

/* A version that does not parse is told and left out; what is wrong with more than that version is an error. */
static int settle_failures(const struct store_history *history, const struct store *store, struct err *err)
{
	for (size_t i = 0; i < history->graph.count; i++) {
		const struct store_request *request = &history->requests[i];

		if (request->rc == ERR_IO || request->rc == ERR_GIT) {
			*err = request->err;
			return request->rc;
		}
		if (request->rc)
			store_say(&store->options, STORE_NOTICE, "left out: %s", request->err.text);
	}
	return 0;
}

int store_history(struct store_history *out, struct store *store, const struct store_choice *choice, struct err *err)
{
	struct store_history history = { .requests = NULL };
	struct wanted *wanted;
	int rc;

	if (store->options.dir)
		return err_set(err, ERR_USAGE, "--dir is a tree without versions; history is read from a repository");
	if ((rc = choose(&history, store, choice, err)))
		return rc;
	wanted = arena_array(&store->arena, history.graph.count, sizeof(*wanted));
	for (size_t i = 0; i < history.graph.count; i++)
		wanted[i] = (struct wanted){
			.request = &history.requests[i],
			.version = { history.graph.versions[i].name, history.graph.versions[i].commit },
			.done = history.requests[i].skipped,
		};
	if ((rc = list_documents(&store->list, wanted, history.graph.count, store->documents, err)) ||
	    (rc = settle_failures(&history, store, err)))
		return rc;
	*out = history;
	return 0;
}
