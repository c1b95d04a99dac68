/*
 * Fills the list of stores as the options say, finds out what each request
 * stands for, and lets the list answer.
 */
#include "store/store_internal.h"

#include "abi/abi.h"

#include <stdlib.h>
#include <string.h>

enum { DOCUMENT_LIMIT_BYTES = 256 * 1024 * 1024 };

static bool names_directory(const char *version)
{
	return version && (*version == '/' || !strncmp(version, "./", 2) || !strncmp(version, "../", 3) ||
			   !strcmp(version, ".") || !strcmp(version, ".."));
}

static void fill_stores(struct stores *stores)
{
	const struct store_options *options = &stores->options;
	const char *cache_dir;

	if (cache_default_dir(&stores->cache_dir, NULL))
		strbuf_reset(&stores->cache_dir);
	cache_dir = strbuf_text(&stores->cache_dir);
	stores->archive = (struct archive_store){ .options = options, .arena = stores->documents };
	stores->tree = (struct tree_store){ .options = options, .arena = &stores->arena, .cache_dir = cache_dir,
					   .repo = options->repo ? options->repo : options->profile->repository };
	stores->cache = (struct cache_store){ .options = options, .trees = &stores->tree, .dir = cache_dir };
}

/* The order of the stores, and who of them names versions. A tree that is a directory is asked for by no name. */
static void fill_list(struct stores *stores)
{
	const struct store_options *options = &stores->options;
	struct list *list = &stores->list;
	bool is_silent = options->repo || options->of_repository;

	if (options->archive || !options->no_archive)
		list_add(list, &archive_store_ops, &stores->archive, is_silent);
	if (!options->no_cache && !options->archive)
		list_add(list, &cache_store_ops, &stores->cache, false);
	list_add(list, &tree_store_ops, &stores->tree, options->archive);
}

void stores_open(struct stores **out, const struct store_options *options, struct arena *arena)
{
	struct stores *stores = xmalloc(sizeof(*stores));

	*stores = (struct stores){ .options = *options, .documents = arena };
	fill_stores(stores);
	fill_list(stores);
	*out = stores;
}

void stores_free(struct stores *stores)
{
	if (!stores)
		return;
	tree_store_release(&stores->tree);
	strbuf_release(&stores->cache_dir);
	arena_release(&stores->arena);
	free(stores);
}

int stores_archive(const struct archive **out, struct stores *stores, struct err *err)
{
	int rc;

	if (!(rc = archive_store_look(&stores->archive, err)))
		*out = stores->archive.archive;
	return rc;
}

int stores_tags(const char *const **names, size_t *count, struct stores *stores, struct err *err)
{
	const char *repo = stores->tree.repo;

	*names = NULL;
	*count = 0;
	if (!stores->options.repo && (!repo || !source_is_cloned(repo, stores->tree.cache_dir)))
		return 0;
	return tree_store_tags(names, count, &stores->tree, stores->documents, err);
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

bool stores_named_by_archive(const struct stores *stores)
{
	return stores->archive.archive && !stores->list.stores[0].is_silent;
}

/* "the data (as of 2026-03-13)" of what comes with drvabi, "the archive F (as of …)". */
static const char *name_data(const struct stores *stores)
{
	const char *first = stores->options.first_archive, *name = archive_name(stores->archive.archive);
	const char *file = stores->options.archive ? stores->options.archive : first && !strcmp(first, name) ? first : NULL;
	char day[32];

	archive_as_of(stores->archive.archive, day);
	return file ? arena_printf(stores->documents, "the archive %s (as of %s)", file, day) :
		      arena_printf(stores->documents, "the data (as of %s)", day);
}

/*
 * Nothing that is asked for names has @request's version. That does not say that it was never released, so the sentence
 * says what was looked at, and as of when. A repository that the user named names versions alone; the archive beside it
 * is looked at for this sentence only.
 */
static void explain_lacking(struct stores *stores, struct store_request *request)
{
	const struct archive *archive = NULL;
	struct err ignored;
	size_t index;

	request->lacking = true;
	if (!stores->options.no_archive || stores->options.archive)
		(void)stores_archive(&archive, stores, &ignored);
	if (stores_named_by_archive(stores)) {
		request->lacking_why = arena_printf(stores->documents, "not in %s", name_data(stores));
		request->lacking_to_do = "renew the archive (drvabi archive write --add), name a clone that has the version with --repo, or give "
					 "its unpacked tree with --dir and --version";
		return;
	}
	request->lacking_to_do = "fetch the tags of the repository, name another one with --repo, or give the version's unpacked tree with "
				 "--dir and --version";
	if (!archive)
		request->lacking_why = "not in the repository";
	else if (archive_find(&index, archive, request->version, &ignored))
		request->lacking_why = arena_printf(stores->documents, "not in the repository, and not in %s", name_data(stores));
	else
		request->lacking_why = arena_printf(stores->documents, "not in the repository, but in %s", name_data(stores));
}

/* What @request stands for; a document's file is read at once. */
static int resolve(struct wanted *out, struct stores *stores, struct store_request *request, struct err *err)
{
	const char *directory = names_directory(request->version) ? request->version : stores->options.dir;
	int rc;

	*out = (struct wanted){ .request = request, .done = true };
	if (request->skipped)
		return 0;
	if (request->json)
		return read_json(request, stores->documents, err);
	out->done = false;
	if (directory) {
		out->directory = directory;
		out->version = (struct found_version){ directory, "" };
		return 0;
	}
	rc = list_find(&out->version, &stores->list, request->version, !request->may_lack, stores->documents, err);
	if (!rc && request->version && abi_version_begins(out->version.name, request->version))
		request->version = out->version.name; /* it was cut short */
	if (rc != ERR_NOT_FOUND || !request->may_lack)
		return rc;
	out->done = true;
	request->err = *err;
	explain_lacking(stores, request);
	return 0;
}

int stores_documents(struct store_request *requests, size_t count, struct stores *stores, struct err *err)
{
	struct wanted *wanted = arena_array(&stores->arena, count + 1, sizeof(*wanted));
	int rc = 0;

	for (size_t i = 0; !rc && i < count; i++)
		rc = resolve(&wanted[i], stores, &requests[i], err);
	if (!rc)
		rc = list_documents(&stores->list, wanted, count, stores->documents, err);
	for (size_t i = 0; !rc && i < count; i++) {
		if (!requests[i].rc)
			continue;
		rc = requests[i].rc;
		*err = requests[i].err;
	}
	return rc;
}

/* --- one version, and what is known of others ------------------------------------------ */

/* Are the archive's versions of the driver that @asked is of, beyond doubt? */
static int look_beside(bool *out, struct stores *stores, const struct wanted *asked, struct err *err)
{
	const struct store_options *options = &stores->options;
	size_t index;
	int rc;

	*out = false;
	if (asked->request->json || asked->directory || (options->no_archive && !options->archive))
		return 0;
	if ((rc = archive_store_look(&stores->archive, err)))
		return rc;
	*out = stores->archive.archive &&
	       (!options->repo || archive_find_commit(&index, stores->archive.archive, asked->version.commit));
	return 0;
}

/* The version that @asked is: of several at its commit, the one of its name, else the first; the graph's count if there is none. */
static size_t index_of(const struct source_graph *graph, const struct found_version *asked)
{
	size_t found = graph->count;

	for (size_t i = graph->count; i--;) {
		if (strcmp(graph->versions[i].commit, asked->commit))
			continue;
		if (!strcmp(graph->versions[i].name, asked->name))
			return i;
		found = i;
	}
	return found;
}

static int read_beside(struct store_around *out, struct stores *stores, struct wanted *asked, struct err *err)
{
	int rc;

	if ((rc = archive_store_ops.versions(&out->graph, &stores->archive, stores->documents, err)) ||
	    (rc = archive_store_around(&out->index, &stores->archive, asked, stores->documents, err)))
		return rc;
	out->asked = index_of(&out->graph, &asked->version);
	return 0;
}

/* As resolve(), but of what is skipped the version is found, too. */
static int resolve_asked(struct wanted *out, struct stores *stores, struct store_request *request, struct err *err)
{
	if (!request->skipped)
		return resolve(out, stores, request, err);
	*out = (struct wanted){ .request = request, .done = true };
	return list_find(&out->version, &stores->list, request->version, true, stores->documents, err);
}

int stores_around(struct store_around *out, struct store_request *request, struct stores *stores, struct err *err)
{
	struct store_around around = { .asked = 0 };
	struct wanted asked;
	bool has_beside;
	int rc;

	if ((rc = resolve_asked(&asked, stores, request, err)) ||
	    (rc = look_beside(&has_beside, stores, &asked, err)) ||
	    (has_beside && (rc = read_beside(&around, stores, &asked, err))) ||
	    (rc = list_documents(&stores->list, &asked, 1, stores->documents, err)))
		return rc;
	if (request->rc) {
		*err = request->err;
		return request->rc;
	}
	*out = around;
	return 0;
}
