/*
 * Makes the list of stores from the options, finds the version and commit of each request, and reads the
 * documents from these stores.
 */
#include "store/internal.h"
#include "extract/extract.h"

#include <xxhash.h>

struct stores {
	struct store_options options;
	struct arena *documents;
	struct arena arena;
	struct strbuf cache_dir; /* "" if there is none */
	struct archive_store archive;
	struct cache_store cache;
	struct tree_store tree;
	struct list list;
};

/* --- the list of stores --------------------------------------------------------- */

size_t wanted_owner(struct wanted *const *wanted, size_t index)
{
	for (size_t i = 0; *wanted[index]->key && i < index; i++)
		if (!strcmp(wanted[i]->key, wanted[index]->key))
			return i;
	return index;
}

void wanted_set(struct wanted *wanted, const struct abi *abi)
{
	wanted->request->abi = *abi;
	wanted->request->abi.version = wanted->version.name;
	wanted->request->abi.commit = wanted->version.commit;
	wanted->done = true;
}

void wanted_share(struct wanted *wanted, const struct wanted *owner)
{
	wanted_set(wanted, &owner->request->abi);
	wanted->key_decides = true;
}

void list_add(struct list *list, const struct store_ops *ops, void *self, bool only_documents)
{
	list->stores[list->count++] = (struct store){ ops, self, only_documents };
}

static bool names_versions(const struct store *store)
{
	return store->ops->find && !store->only_documents;
}

int list_versions(struct source_graph *out, const struct list *list, struct arena *arena, struct err *err)
{
	int rc = err_set(err, ERR_NOT_FOUND, "there is no archive or repository with versions");

	for (size_t i = 0; rc == ERR_NOT_FOUND && i < list->count; i++)
		if (names_versions(&list->stores[i]))
			rc = list->stores[i].ops->versions(out, list->stores[i].self, arena, err);
	return rc;
}

/*
 * Finds the only version that begins with @version. Return: 0; ERR_NOT_FOUND if several versions do, and
 * @err lists them, or if no version is known that does, and @err is not changed.
 */
static int find_abbreviated(struct found_version *out, const struct list *list, const char *version,
			    struct arena *arena, struct err *err)
{
	struct source_graph graph;
	struct err ignored;
	struct abi_version_run run;
	const char **names;

	if (!strpbrk(version, "0123456789") || list_versions(&graph, list, arena, &ignored))
		return ERR_NOT_FOUND;
	names = arena_array(arena, graph.count + 1, sizeof(*names));
	for (size_t i = 0; i < graph.count; i++)
		names[i] = graph.versions[i].name;
	run = abi_version_run(version, names, graph.count);
	if (!run.count || !strcmp(names[run.first], version))
		return ERR_NOT_FOUND;
	if (run.count > 1)
		return abi_version_ambiguous(version, names, run, err);
	*out = (struct found_version){ names[run.first], graph.versions[run.first].commit };
	return 0;
}

int list_find(struct found_version *out, const struct list *list, const char *version, bool by_user,
	      struct arena *arena, struct err *err)
{
	int rc = err_set(err, ERR_NOT_FOUND, "there is no archive or repository with versions");

	for (size_t i = 0; i < list->count; i++) {
		const struct store *store = &list->stores[i];

		if (!names_versions(store))
			continue;
		rc = store->ops->find(out, store->self, version, arena, err);
		if (rc != ERR_NOT_FOUND ||
		    (store->ops->leaves_open && !store->ops->leaves_open(store->self, version, by_user)))
			break;
	}
	return rc == ERR_NOT_FOUND && version && by_user ? find_abbreviated(out, list, version, arena, err)
							 : rc;
}

/* Lists the entries of @wanted that are not done. Return: their number. */
static size_t still_wanted(struct wanted **out, struct wanted *wanted, size_t count)
{
	size_t left = 0;

	for (size_t i = 0; i < count; i++)
		if (!wanted[i].done)
			out[left++] = &wanted[i];
	return left;
}

int list_documents(const struct list *list, struct wanted *wanted, size_t count, struct arena *arena,
		   struct err *err)
{
	struct wanted **left = xmalloc((count + 1) * sizeof(struct wanted *));
	size_t left_count = still_wanted(left, wanted, count);
	int rc = 0;

	for (size_t i = 0; !rc && left_count && i < list->count; i++) {
		const struct store *store = &list->stores[i];

		rc = store->ops->documents(store->self, left, left_count, arena, err);
		left_count = still_wanted(left, wanted, count);
	}
	if (!rc && left_count)
		rc = err_set(err, ERR_NOT_FOUND, "there is no document of %s", left[0]->version.name);
	free(left);
	return rc;
}

void store_say(const struct store_options *options, enum store_remark kind, const char *format, ...)
{
	struct err sentence; /* err_set() makes a single line, even if a name has a newline */
	char text[sizeof(sentence.text)];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	err_set(&sentence, 0, "%s", text);
	if (options->remark)
		options->remark(options->data, kind, sentence.text);
}

/* --- one file, for extract --input ---------------------------------------------- */

/* One file to read. */
struct file_reading {
	const char *path;
	const char *const *clang_args;
	size_t arg_count;
	const struct extract_wanted *wanted;
};

static const char *const *prepare_source_file(void *data)
{
	(void)data;
	extract_prepare_process();
	return NULL;
}

/* Runs in the worker. Writes the number of missing names, and then the document. */
static int read_source_file(void *data, size_t index, struct strbuf *out, struct err *err)
{
	const struct file_reading *reading = data;
	struct arena arena = { 0 };
	size_t missing = 0;
	struct abi abi;
	int rc;

	(void)index;
	rc = extract_file(&abi, &missing, reading->path, reading->clang_args, reading->arg_count,
			  reading->wanted, &arena, err);
	if (!rc) {
		varint_put(out, missing);
		rc = archive_pack(out, &abi, err);
	}
	arena_release(&arena);
	return rc;
}

int store_source_file(struct abi *out, size_t *missing, const char *path, const char *const *clang_args,
		      size_t arg_count, const struct extract_wanted *wanted, struct arena *arena,
		      struct err *err)
{
	struct file_reading reading = { path, clang_args, arg_count, wanted };
	const struct bounded_ops ops = { .kind = BOUNDED_HEADERS,
					 .prepare = prepare_source_file,
					 .work = read_source_file,
					 .subject = path,
					 .data = &reading };
	struct byte_reader in;
	int rc;

	if ((rc = extract_load(err)) || (rc = bounded_ask(&in, &ops, arena, err)))
		return rc;
	*missing = byte_reader_number(&in);
	return archive_unpack(out, in.at, (size_t)(in.end - in.at), arena, err);
}

/* --- a .run file ------------------------------------------------------------------ */

static const char *const *prepare_package(void *data)
{
	static const char *readable[2];

	readable[0] = data;
	return readable;
}

/* Runs in the worker. Writes the texts of struct package_head. */
static int read_package_head(void *data, size_t index, struct strbuf *out, struct err *err)
{
	struct arena arena = { 0 };
	struct package_head head;
	int rc = package_head(&head, data, &arena, err);

	(void)index;
	if (!rc) {
		text_put(out, head.sha256);
		text_put(out, head.version);
		text_put(out, head.machine);
	}
	arena_release(&arena);
	return rc;
}

int store_package_head(struct package_head *out, const char *path, struct arena *arena, struct err *err)
{
	const struct bounded_ops ops = { .kind = BOUNDED_HEADERS,
					 .prepare = prepare_package,
					 .work = read_package_head,
					 .subject = path,
					 .data = (void *)path };
	struct byte_reader in;
	int rc;

	if ((rc = bounded_ask(&in, &ops, arena, err)))
		return rc;
	out->sha256 = byte_reader_text(&in);
	out->version = byte_reader_text(&in);
	out->machine = byte_reader_text(&in);
	return 0;
}

/* --- opening -------------------------------------------------------------------- */

enum { DOCUMENT_LIMIT_BYTES = 256 * 1024 * 1024 };

static bool names_directory(const char *version)
{
	return version && (*version == '/' || !strncmp(version, "./", 2) || !strncmp(version, "../", 3) ||
			   !strcmp(version, ".") || !strcmp(version, ".."));
}

void stores_open(struct stores **out, const struct store_options *options, struct arena *arena)
{
	struct stores *stores = xmalloc(sizeof(*stores));
	const struct store_options *own = &stores->options;
	struct list *list = &stores->list;
	const char *cache_dir;

	*stores = (struct stores){ .options = *options, .documents = arena };
	if (cache_default_dir(&stores->cache_dir, NULL))
		strbuf_reset(&stores->cache_dir);
	cache_dir = strbuf_text(&stores->cache_dir);
	stores->archive = (struct archive_store){ .options = own, .arena = arena };
	stores->tree = (struct tree_store){ .options = own,
					    .arena = &stores->arena,
					    .cache_dir = cache_dir,
					    .clone_fd = -1,
					    .repo = own->repo ? own->repo : own->profile->repository };
	stores->cache = (struct cache_store){ .options = own, .trees = &stores->tree, .dir = cache_dir };

	/* The order in which stores are searched. */
	if (own->archive || !own->no_archive)
		list_add(list, &archive_store_ops, &stores->archive, own->repo || own->of_repository);
	if (!own->no_cache && !own->archive) {
		list_add(list, &cache_store_ops, &stores->cache, false);
		stores->tree.cache = &stores->cache;
	}
	list_add(list, &tree_store_ops, &stores->tree, own->archive);
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

int stores_run_job(struct byte_reader *out, struct stores *stores, const char *version,
	       const struct tree_job *job, struct err *err)
{
	return tree_store_run_job(out, &stores->tree, version, job, stores->documents, err);
}

int stores_tags(const char *const **names, size_t *count, struct stores *stores, struct err *err)
{
	struct tree_store *tree = &stores->tree;

	*names = NULL;
	*count = 0;
	if (tree->repo && tree->clone_fd < 0)
		tree->clone_fd = source_hold_clone(tree->repo, tree->cache_dir);
	if (!stores->options.repo && tree->clone_fd < 0)
		return 0;
	return tree_store_tags(names, count, &stores->tree, stores->documents, err);
}

/* --- documents of some versions ---------------------------------------------------- */

/*
 * Reads the document in the file request->json. Return: 0; ERR_USAGE if it is the document of a part of a
 * tree and @accepts_partial is false; the errors of file_read() and json_read_abi().
 */
static int read_json(struct store_request *request, bool accepts_partial, struct arena *arena,
		     struct err *err)
{
	const char *name = strcmp(request->json, "-") ? request->json : "standard input";
	struct strbuf file = { 0 };
	int rc;

	rc = file_read(&file, request->json, DOCUMENT_LIMIT_BYTES, err);
	if (!rc)
		rc = json_read_abi(&request->abi, strbuf_text(&file), file.length, name, arena, err);
	strbuf_release(&file);
	if (!rc && request->abi.absent_count && !accepts_partial)
		rc = err_set(
			err, ERR_USAGE,
			"%s is the document of a part of a tree, without %s; only drvabi bootstrap accepts such a document",
			name, request->abi.absent[0]);
	return rc;
}

/* stores_named_by_archive - true if an archive defines the versions, not the repository. */
static bool stores_named_by_archive(const struct stores *stores)
{
	return stores->archive.archive && !stores->list.stores[0].only_documents;
}

/* Names the archive for messages: "the data (as of 2026-03-13)"; if not included, "the archive F (…)". */
static const char *name_data(const struct stores *stores)
{
	const char *first = stores->options.first_archive, *name = stores->archive.archive->name;
	const char *file = stores->options.archive         ? stores->options.archive
			   : first && !strcmp(first, name) ? first
							   : NULL;
	char day[32];

	archive_as_of(stores->archive.archive, day);
	return file ? arena_printf(stores->documents, "the archive %s (as of %s)", file, day) :
		      arena_printf(stores->documents, "the data (as of %s)", day);
}

/*
 * Sets lacking, lacking_why and lacking_to_do of @request, whose version is in no store. The version may
 * still have been released, so the text says where drvabi searched, and the date of the data. If the user
 * named a repository, the repository defines the versions, and the archive is used only for the explanation.
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
		request->lacking_to_do =
			"update the archive (drvabi archive write --add), name a clone that has the version (--repo), or "
			"name the version's unpacked tree (--dir and --version)";
		return;
	}
	request->lacking_to_do =
		"fetch the tags of the repository, give a different repository with --repo, or give the version's unpacked tree with "
		"--dir and --version";
	request->lacking_why = "not in the repository";
	if (archive)
		request->lacking_why = arena_printf(
			stores->documents, "not in the repository, %s %s",
			archive_find(&index, archive, request->version, &ignored) ? "and not in" : "but in",
			name_data(stores));
}

/*
 * Finds the version or directory of @request. If @request has the file of a document, the file is read here.
 * @out: done is set if the document is not needed from a store. Return: 0, also if the version does not
 * exist and may_lack is set; otherwise the error of the version or the file.
 */
static int resolve_request(struct wanted *out, struct stores *stores, struct store_request *request,
			   struct err *err)
{
	const char *directory = names_directory(request->version) ? request->version
				: stores->options.package	      ? stores->options.package
								      : stores->options.dir;
	int rc;

	*out = (struct wanted){ .request = request, .done = true };
	if (request->skipped)
		return 0;
	if (request->json)
		return read_json(request, stores->options.accepts_partial, stores->documents, err);
	out->done = false;
	if (directory) {
		out->directory = directory;
		out->version = (struct found_version){ directory, "" };
		return 0;
	}
	rc = list_find(&out->version, &stores->list, request->version, !request->may_lack, stores->documents,
		       err);
	if ((rc == ERR_GIT || rc == ERR_IO) && stores->archive.archive && !stores->options.repo &&
	    request->version)
		err_prefix(err, "%s is not in %s", request->version, name_data(stores));
	if (!rc && request->version && abi_version_begins(out->version.name, request->version))
		request->version = out->version.name; /* the user gave only the beginning of the name */
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
		rc = resolve_request(&wanted[i], stores, &requests[i], err);
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

/* --- one version, and facts about others ------------------------------------------------ */

/*
 * Finds the version @asked by its commit. If several versions have this commit, the one with the same name is
 * preferred, then the first one. Return: the index of the version; the graph's count if there is none.
 */
static size_t index_of_version(const struct source_graph *graph, const struct found_version *asked)
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

int stores_around(struct store_around *out, struct store_request *request, struct stores *stores,
		  struct err *err)
{
	const struct store_options *options = &stores->options;
	struct arena *arena = stores->documents;
	struct archive_store *archive = &stores->archive;
	struct store_around around = { .asked = 0 };
	struct wanted asked = { .request = request, .done = true };
	bool has_others;
	size_t index;
	int rc;

	if ((rc = request->skipped ?
			  list_find(&asked.version, &stores->list, request->version, true, arena, err) :
			  resolve_request(&asked, stores, request, err)))
		return rc;
	has_others = !request->json && !asked.directory && (!options->no_archive || options->archive);
	if (has_others && (rc = archive_store_look(archive, err)))
		return rc;
	/* Unless the archive has the commit, a repository that the user named may have a different driver. */
	if (has_others && archive->archive &&
	    (!options->repo || archive_find_commit(&index, archive->archive, asked.version.commit))) {
		if ((rc = archive_store_ops.versions(&around.graph, archive, arena, err)) ||
		    (rc = archive_store_around(&around.index, archive, &asked, arena, err)))
			return rc;
		around.asked = index_of_version(&around.graph, &asked.version);
	}
	if ((rc = list_documents(&stores->list, &asked, 1, arena, err)))
		return rc;
	if (request->rc) {
		*err = request->err;
		return request->rc;
	}
	*out = around;
	return 0;
}

/* --- all versions, or a choice of them ------------------------------------------ */

/*
 * A history is read in three steps:
 *
 * 1. choose_versions() lists all versions with the commit graph, and sets skipped for versions that were not
 *    chosen.
 * 2. list_documents() reads the documents of the chosen versions.
 * 3. Each version that cannot be read is reported, and left out. An I/O error, or an error of git, ends the
 *    run.
 */

/* Names the archive or repository that defines the versions, for messages. */
static const char *name_origin(const struct stores *stores)
{
	return stores_named_by_archive(stores) ? stores->archive.archive->name : stores->tree.repo;
}

/* Finds the index of the only tag that is or begins with @name. Return: 0; ERR_NOT_FOUND. */
static int find_tag(size_t *out, const struct stores *stores, const struct source_graph *graph,
		    const char *name, struct err *err)
{
	struct arena arena = { 0 };
	const char **names = arena_array(&arena, graph->count, sizeof(*names));
	struct abi_nearest nearest = { .count = 0 };
	struct strbuf hint = { 0 };
	struct abi_version_run run;
	int rc = 0;

	for (size_t i = 0; i < graph->count; i++)
		names[i] = graph->versions[i].name;
	run = abi_version_run(name, names, graph->count);
	if (run.count == 1) {
		*out = run.first;
	} else if (run.count) {
		rc = abi_version_ambiguous(name, names, run, err);
	} else {
		abi_nearest_typos(&nearest, name, names, graph->count);
		abi_nearest_list(&hint, &nearest);
		rc = err_set(err, ERR_NOT_FOUND,
			     "no tag %s in %s; history compares tags, and the newest is %s%s", name,
			     name_origin(stores), names[graph->count - 1], strbuf_text(&hint));
	}
	strbuf_release(&hint);
	arena_release(&arena);
	return rc;
}

/*
 * Sets the graph of @history, one request for each version, and newest. The requests of versions that are
 * not in @choice are skipped, if it names versions. Return: 0; ERR_NOT_FOUND if a chosen version does not
 * exist, or there are no versions; the error of a store.
 */
static int choose_versions(struct store_history *history, struct stores *stores,
			   const struct store_choice *choice, struct err *err)
{
	struct source_graph *graph = &history->graph;
	const char **names = arena_array(&stores->arena, choice->count + 1, sizeof(*names));
	struct found_version found;
	int rc;

	/* If a version is new, it is fetched. If it does not exist, the error lists similar names. */
	for (size_t i = 0; i < choice->count; i++) {
		if ((rc = list_find(&found, &stores->list, choice->names[i], true, &stores->arena, err)))
			return rc;
		names[i] = found.name;
	}
	if ((rc = list_versions(graph, &stores->list, stores->documents, err)))
		return rc;
	if (!graph->count)
		return err_set(err, ERR_NOT_FOUND, "%s has no versions, so it has no history",
			       name_origin(stores));
	history->requests = arena_array(stores->documents, graph->count, sizeof(*history->requests));
	for (size_t i = 0; i < graph->count; i++) {
		history->requests[i].version = graph->versions[i].name;
		history->requests[i].skipped = choice->names;
	}
	for (size_t n = 0; n < choice->count; n++) {
		size_t at = 0;

		while (at < graph->count && strcmp(graph->versions[at].name, names[n]))
			at++;
		if (at == graph->count)
			return err_set(err, ERR_NOT_FOUND,
				       "%s is not a tag of %s, so it is not in the history", names[n],
				       name_origin(stores));
		history->requests[at].skipped = false;
	}
	history->newest = graph->count - 1;
	return !choice->names && choice->shown && *choice->shown ?
		       find_tag(&history->newest, stores, graph, choice->shown, err) :
		       0;
}

int stores_history(struct store_history *out, struct stores *stores, const struct store_choice *choice,
		   struct err *err)
{
	struct store_history history = { .requests = NULL };
	struct wanted *wanted;
	int rc;

	if (stores->options.dir)
		return err_set(err, ERR_USAGE,
			       "--dir is a tree without versions; history needs a repository");
	if ((rc = choose_versions(&history, stores, choice, err)))
		return rc;
	wanted = arena_array(&stores->arena, history.graph.count, sizeof(*wanted));
	for (size_t i = 0; i < history.graph.count; i++)
		wanted[i] = (struct wanted){
			.request = &history.requests[i],
			.version = { history.graph.versions[i].name, history.graph.versions[i].commit },
			.done = history.requests[i].skipped,
		};
	if ((rc = list_documents(&stores->list, wanted, history.graph.count, stores->documents, err)))
		return rc;
	for (size_t i = 0; i < history.graph.count; i++) {
		const struct store_request *request = &history.requests[i];

		if (request->rc == ERR_IO || request->rc == ERR_GIT) {
			*err = request->err;
			return request->rc;
		}
		if (request->rc)
			store_say(&stores->options, STORE_NOTICE, "left out: %s", request->err.text);
	}
	*out = history;
	return 0;
}

const char *archive_libraries(struct arena *arena)
{
	unsigned number = XXH_versionNumber(); /* 801 is 0.8.1 */

	return arena_printf(arena, "zstd %s, xxhash %u.%u.%u", compress_version(), number / 10000,
			    number / 100 % 100, number % 100);
}
