#include "cli/load.h"

#include "cache/cache.h"
#include "cli/archived.h"
#include "cli/load_header.h"
#include "cli/progress.h"
#include "extract/extract.h"
#include "json/json.h"
#include "profile/profile.h"
#include "source/source.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { INPUT_LIMIT_BYTES = 256 * 1024 * 1024 };

/* What all requests of one run share; only read once the threads run. */
struct load {
	const struct cli_args *args;
	struct arena arena;
	struct profile profile;
	const char *profile_text;
	struct strbuf cache_dir;
	struct strbuf salt;
	struct source *source;   /* NULL until a request needs the repository */
	const struct archive *archive; /* args->archive, once a request needs it */
	const char *repo;        /* or the archive: where versions come from */
	struct progress progress;
	struct load_request *requests;
	size_t count;
	size_t next;             /* the next request to take, under @lock, as all that follows */
	size_t done;
	struct load_shared *shared; /* one for each request, if equal documents are to be one; else NULL */
	pthread_mutex_t lock;
};

/* Which versions of a history are wanted; { 0 }: all. */
struct load_choice {
	const char *only; /* this one and its ancestors */
	const char *const *names; /* these, @count of them */
	size_t count;
};

/* What sharing has to know of a request. */
struct load_shared {
	bool keyed;
	bool inside_roots; /* the key says all that decides the document */
	struct cache_key key;
	const struct load_request *owner; /* the request that has the document of this key; NULL: this one */
};

int load_profile(struct profile *out, const char **text, const struct cli_args *args, struct arena *arena, struct err *err)
{
	const char *builtin = profile_builtin(args->profile);
	struct strbuf file = { 0 };
	int rc;

	if (builtin) {
		*text = builtin;
		return json_read_profile(out, builtin, strlen(builtin), args->profile, arena, err);
	}
	if (!strchr(args->profile, '/') && !strchr(args->profile, '.')) {
		struct strbuf names = { 0 };

		for (const char *const *name = profile_builtin_names(); *name; name++)
			strbuf_addf(&names, "%s%s", names.length ? ", " : "", *name);
		rc = err_set(err, ERR_NOT_FOUND, "no profile '%s'; built in are %s; a file is named with a dot or a slash",
			     args->profile, strbuf_text(&names));
		strbuf_release(&names);
		return rc;
	}
	rc = file_read(&file, args->profile, INPUT_LIMIT_BYTES, err);
	if (!rc) {
		*text = arena_strndup(arena, strbuf_text(&file), file.length);
		rc = json_read_profile(out, *text, file.length, args->profile, arena, err);
	}
	strbuf_release(&file);
	return rc;
}

int load_table(struct table *out, const struct cli_args *args, struct arena *arena, struct err *err)
{
	struct strbuf file = { 0 };
	int rc;

	if (args->table_from_header)
		return load_header_table(out, args, arena, err);
	rc = file_read(&file, args->table, INPUT_LIMIT_BYTES, err);
	if (!rc)
		rc = json_read_table(out, strbuf_text(&file), file.length, args->table, arena, err);
	strbuf_release(&file);
	return rc;
}

int load_table_view(struct table_view *view, struct table *table, const struct abi *abi, const struct cli_args *args,
		    struct arena *arena, struct err *err)
{
	const struct table_node *node;
	int rc;

	if ((rc = load_table(table, args, arena, err)))
		return rc;
	if (strcmp(table->driver, abi->driver))
		return err_set(err, ERR_USAGE, "%s is a table for the driver %s, not for %s", args->table, table->driver, abi->driver);
	node = table_nearest_node(table, abi->version);
	if (!node)
		node = &table->nodes[0];
	table_view_at(view, table, node, arena);
	return 0;
}

static bool names_directory(const char *version)
{
	return version && (*version == '/' || !strncmp(version, "./", 2) || !strncmp(version, "../", 3) ||
			   !strcmp(version, ".") || !strcmp(version, ".."));
}

static int load_json(struct load_request *request)
{
	const char *name = strcmp(request->json, "-") ? request->json : "standard input";
	struct strbuf file = { 0 };
	int rc;

	rc = file_read(&file, request->json, INPUT_LIMIT_BYTES, &request->err);
	if (!rc)
		rc = json_read_abi(&request->abi, strbuf_text(&file), file.length, name, &request->arena, &request->err);
	strbuf_release(&file);
	return rc;
}

static struct load_shared *shared_of(const struct load *load, const struct load_request *request)
{
	return load->shared ? &load->shared[request - load->requests] : NULL;
}

/* Is there another request that has taken on the document of @key? If not, this one does. */
static bool share(struct load *load, const struct load_request *request, const struct cache_key *key)
{
	struct load_shared *own = shared_of(load, request);

	if (!own || own->keyed) /* the second time: it could not be shared */
		return false;
	pthread_mutex_lock(&load->lock);
	for (size_t i = 0; i < load->count && !own->owner; i++)
		if (load->shared[i].keyed && !load->shared[i].owner && !strcmp(load->shared[i].key.hex, key->hex))
			own->owner = &load->requests[i];
	own->key = *key;
	own->keyed = true;
	pthread_mutex_unlock(&load->lock);
	return own->owner;
}

static int load_extract(struct load *load, struct load_request *request, struct tree *tree, const struct cache_key *key)
{
	struct extract_options options = { .target = load->args->target };
	struct extract_result result;
	int rc;

	rc = extract_tree(&result, tree, &load->profile, &options, &request->arena, &request->err);
	if (rc)
		return rc;
	request->abi = result.abi;
	if (shared_of(load, request))
		shared_of(load, request)->inside_roots = result.inside_roots;
	if (!key || !result.inside_roots)
		return 0;
	rc = cache_put(&result.abi, load->cache_dir.text, key, &request->err);
	if (rc)
		err_prefix(&request->err, "%s", "the cache cannot be written (set XDG_CACHE_HOME, or give --no-cache)");
	return rc;
}

/* The document is that of a version, whichever version it was first made from. */
static void name_document(struct load_request *request, const char *version, const char *commit)
{
	request->abi.version = arena_strdup(&request->arena, version);
	request->abi.commit = arena_strdup(&request->arena, commit);
}

/* From the cache if it is there, from the sources if not. */
static int load_tree(struct load *load, struct load_request *request, struct tree *tree)
{
	struct cache_key key;
	bool keyed = load->cache_dir.length && (load->shared || !load->args->no_cache) &&
		     !cache_key_of(&key, tree, &load->profile, strbuf_text(&load->salt), NULL);
	bool cached = keyed && !load->args->no_cache;
	int rc;

	if (keyed && share(load, request, &key)) {
		name_document(request, tree->version, tree->commit);
		return 0;
	}
	if (cached && !cache_get(&request->abi, load->cache_dir.text, &key, &request->arena, NULL)) {
		if (shared_of(load, request))
			shared_of(load, request)->inside_roots = true;
		rc = 0;
	} else {
		rc = load_extract(load, request, tree, cached ? &key : NULL);
	}
	if (!rc)
		name_document(request, tree->version, tree->commit);
	return rc;
}

static bool needs_repository(const struct load_request *request, const struct cli_args *args)
{
	return !request->json && !args->dir && !names_directory(request->version);
}

static int load_one(struct load *load, struct load_request *request)
{
	struct tree *tree = NULL;
	int rc;

	if (request->skipped)
		return 0;
	if (request->json)
		return load_json(request);
	if (load->args->archive && needs_repository(request, load->args))
		return archived_load(request, load->archive);
	if (names_directory(request->version))
		rc = source_directory(&tree, request->version, &request->err);
	else if (load->args->dir)
		rc = source_directory(&tree, load->args->dir, &request->err);
	else
		rc = source_tree(&tree, load->source, request->version, &request->err);
	if (rc == ERR_NOT_FOUND && request->may_lack) {
		request->lacking = true;
		return 0;
	}
	if (!rc) {
		rc = load_tree(load, request, tree);
		if (rc && rc != ERR_IO && !strstr(request->err.text, tree->version))
			err_prefix(&request->err, "%s", tree->version);
	}
	tree_free(tree);
	return rc;
}

static void *load_worker(void *data)
{
	struct load *load = data;

	for (;;) {
		struct load_request *request = NULL;

		pthread_mutex_lock(&load->lock);
		if (load->next < load->count)
			request = &load->requests[load->next++];
		pthread_mutex_unlock(&load->lock);
		if (!request)
			return NULL;
		request->rc = load_one(load, request);
		pthread_mutex_lock(&load->lock);
		load->done++;
		if (load->count > 2) /* two are read before anyone has looked */
			progress_show(&load->progress, "reading versions", load->done, load->count);
		pthread_mutex_unlock(&load->lock);
	}
}

unsigned load_jobs(const struct cli_args *args, size_t count)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	unsigned jobs = args->jobs ? args->jobs : processors > 0 ? (unsigned)processors : 1;

	return jobs < count ? jobs : count ? (unsigned)count : 1;
}

/* This thread works too; the others help. A thread that cannot be had is not missed. */
static void load_run(struct load *load)
{
	unsigned helpers = load_jobs(load->args, load->count) - 1;
	pthread_t *threads = arena_array(&load->arena, helpers + 1, sizeof(*threads));
	unsigned started = 0;

	pthread_mutex_init(&load->lock, NULL);
	while (started < helpers && !pthread_create(&threads[started], NULL, load_worker, load))
		started++;
	load_worker(load);
	while (started)
		pthread_join(threads[--started], NULL);
	pthread_mutex_destroy(&load->lock);
}

static int load_open_source(struct load *load, struct err *err)
{
	struct source_options options = { .cache_dir = strbuf_text(&load->cache_dir) };
	int rc;

	load->repo = load->args->repo ? load->args->repo : getenv("DRVABI_REPO");
	if (!load->repo || !*load->repo)
		load->repo = load->profile.repository;
	if (!load->repo)
		return err_set(err, ERR_USAGE, "the profile %s names no public repository; give --repo PATH or --dir PATH",
			       load->profile.name);
	progress_init(&load->progress, load->args->quiet);
	options.progress = progress_show;
	options.progress_data = &load->progress;
	rc = source_open(&load->source, load->repo, &options, err);
	progress_done(&load->progress);
	return rc;
}

/* @documents: what an archive is to live in, as the documents from it do. */
static int load_prepare(struct load *load, struct arena *documents, struct err *err)
{
	struct arena *arena = &load->arena;
	bool repository = false;
	bool sources = false;
	int rc;

	for (size_t i = 0; i < load->count; i++) {
		bool needs = needs_repository(&load->requests[i], load->args);

		repository |= needs;
		sources |= !load->requests[i].json && !(needs && load->args->archive);
	}
	if (repository && load->args->archive) {
		load->repo = load->args->archive;
		repository = false;
		if ((rc = archived_open(&load->archive, load->args, documents, err)))
			return rc;
	}
	if (!sources)
		return 0;
	if ((rc = load_profile(&load->profile, &load->profile_text, load->args, arena, err)))
		return rc;
	if (!repository)
		return 0;
	rc = cache_default_dir(&load->cache_dir, err);
	if (rc && !load->args->no_cache) /* a clone needs the place as well: then source_open() says so */
		return rc;
	strbuf_addf(&load->salt, "drvabi %s\n%s\n%s\n%s", DRVABI_MAKERS, extract_compiler(arena), load->args->target,
		    load->profile_text);
	return load_open_source(load, err);
}

static void load_release(struct load *load)
{
	progress_done(&load->progress);
	source_free(load->source);
	strbuf_release(&load->cache_dir);
	strbuf_release(&load->salt);
	arena_release(&load->arena);
}

void load_warn(const struct abi *abi, const char *name, const struct cli_args *args)
{
	struct err line; /* one, whatever an input put into its warnings */

	if (!abi->warning_count || args->quiet)
		return;
	for (size_t w = 0; args->verbose && w < abi->warning_count; w++) {
		err_set(&line, 0, "%s: %s%s%s", name, abi->warnings[w].place, *abi->warnings[w].place ? ": " : "", abi->warnings[w].text);
		fprintf(stderr, "drvabi: %s\n", line.text);
	}
	if (!args->verbose)
		fprintf(stderr, "drvabi: %s: %zu thing%s could not be read whole; -v lists %s\n", name, abi->warning_count,
			abi->warning_count == 1 ? "" : "s", abi->warning_count == 1 ? "it" : "them");
}

static void load_show_warnings(const struct load *load)
{
	for (size_t i = 0; i < load->count; i++)
		load_warn(&load->requests[i].abi, load->requests[i].abi.version, load->args);
}

int load_documents(struct load_request *requests, size_t count, const struct cli_args *args, struct err *err)
{
	struct load load = { .args = args, .requests = requests, .count = count };
	int rc;

	rc = load_prepare(&load, &requests[0].arena, err);
	if (rc)
		goto out;
	load_run(&load);
	for (size_t i = 0; i < count && !rc; i++)
		if (requests[i].rc) {
			rc = requests[i].rc;
			*err = requests[i].err;
		}
	if (!rc)
		load_show_warnings(&load);
out:
	load_release(&load);
	return rc;
}

/* Gives every version its document that another one has read. One that may not have it reads its own. */
static void settle_shared(struct load *load)
{
	for (size_t i = 0; i < load->count; i++) {
		struct load_request *request = &load->requests[i];
		const struct load_request *owner = load->shared[i].owner;

		if (!owner)
			continue;
		if (owner->rc || !shared_of(load, owner)->inside_roots) {
			request->rc = load_one(load, request);
		} else {
			struct abi own = owner->abi;

			own.version = request->abi.version;
			own.commit = request->abi.commit;
			request->abi = own;
		}
	}
}

/* A version that does not parse is told and left out; what is wrong with more than that version is an error. */
static int settle_failures(const struct load *load, struct err *err)
{
	for (size_t i = 0; i < load->count; i++) {
		const struct load_request *request = &load->requests[i];

		if (request->rc == ERR_IO || request->rc == ERR_GIT) {
			*err = request->err;
			return request->rc;
		}
		if (request->rc)
			fprintf(stderr, "drvabi: left out: %s\n", request->err.text);
	}
	return 0;
}

/* Leaves the tags of @names. */
static int skip_unnamed(struct load_history *out, struct load *load, const struct load_choice *choice, struct err *err)
{
	for (size_t i = 0; i < load->count; i++)
		load->requests[i].skipped = true;
	for (size_t n = 0; n < choice->count; n++) {
		size_t found = 0;

		while (found < load->count && strcmp(out->graph.versions[found].name, choice->names[n]))
			found++;
		if (found == load->count)
			return err_set(err, ERR_NOT_FOUND, "%s is no tag of %s, and has no place in its history", choice->names[n], load->repo);
		load->requests[found].skipped = false;
	}
	return 0;
}

/* Leaves @only and its ancestors. */
static int skip_others(struct load_history *out, struct load *load, const char *only, struct err *err)
{
	const struct source_graph *graph = &out->graph;
	size_t found = graph->count - 1;

	for (size_t i = 0; i < graph->count; i++) {
		load->requests[i].skipped = true;
		if (!strcmp(graph->versions[i].name, only))
			found = i;
	}
	if (*only && strcmp(graph->versions[found].name, only))
		return err_set(err, ERR_NOT_FOUND, "no tag %s in %s; history goes from tag to tag, and the newest is %s", only, load->repo,
			       graph->versions[found].name);
	out->newest = found;
	for (long i = (long)found; i != SOURCE_NO_PARENT; i = graph->versions[i].parent)
		load->requests[i].skipped = false;
	return 0;
}

/* A version that the repository lacks is said to be lacking as always, with the nearest ones; a new one is fetched. */
static int find_named(const struct load *load, const struct load_choice *choice, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < choice->count; i++) {
		struct tree *tree = NULL;

		rc = source_tree(&tree, load->source, choice->names[i], err);
		tree_free(tree);
	}
	return rc;
}

/* Where versions stand: in the repository, or in the archive. */
static int read_graph(struct load_history *out, const struct load *load, const struct load_choice *choice, struct err *err)
{
	int rc;

	if (load->archive) {
		archived_graph(&out->graph, load->archive, &out->arena);
		return 0;
	}
	if ((rc = find_named(load, choice, err)))
		return rc;
	return source_graph(&out->graph, load->source, &out->arena, err);
}

static int load_graph(struct load_history *out, struct load *load, const struct load_choice *choice, struct err *err)
{
	int rc;

	if ((rc = read_graph(out, load, choice, err)))
		return rc;
	if (!out->graph.count)
		return err_set(err, ERR_NOT_FOUND, "%s has no tags, so it has no history", load->repo);
	for (size_t i = 0; i < out->graph.no_commit_count && !load->args->quiet; i++)
		fprintf(stderr, "drvabi: the tag %s is of no commit: it is no version\n", out->graph.no_commits[i]);
	if (out->graph.shallow && !load->args->quiet)
		fprintf(stderr, "drvabi: %s %s a shallow clone: what came before its oldest commits is not known\n", load->repo,
			load->args->archive ? "was made of" : "is");
	load->count = out->graph.count;
	load->requests = out->requests = arena_array(&out->arena, load->count, sizeof(*out->requests));
	load->shared = arena_array(&load->arena, load->count, sizeof(*load->shared));
	for (size_t i = 0; i < load->count; i++)
		load->requests[i].version = out->graph.versions[i].name;
	out->newest = load->count - 1;
	if (choice->names)
		return skip_unnamed(out, load, choice, err);
	return choice->only ? skip_others(out, load, choice->only, err) : 0;
}

static int load_chosen(struct load_history *out, const struct load_choice *choice, const struct cli_args *args, struct err *err)
{
	struct load_request any = { .version = "" };
	struct load load = { .args = args, .requests = &any, .count = 1 };
	int rc;

	*out = (struct load_history){ .requests = NULL };
	if (args->dir)
		return err_set(err, ERR_USAGE, "--dir is a tree without versions; history is read from a repository");
	if ((rc = load_prepare(&load, &out->arena, err)) || (rc = load_graph(out, &load, choice, err)))
		goto out;
	if (load.archive) {
		rc = archived_documents(out->requests, load.archive, &out->arena, err);
	} else {
		load_run(&load);
		settle_shared(&load);
		progress_done(&load.progress);
		rc = settle_failures(&load, err);
	}
	if (!rc)
		load_show_warnings(&load);
out:
	load_release(&load);
	return rc;
}

int load_history(struct load_history *out, const char *only, const struct cli_args *args, struct err *err)
{
	const struct load_choice choice = { .only = only };

	return load_chosen(out, &choice, args, err);
}

int load_tags(struct load_history *out, const char *const *names, size_t count, const struct cli_args *args, struct err *err)
{
	const struct load_choice choice = { .names = names, .count = count };

	return load_chosen(out, &choice, args, err);
}

void load_history_release(struct load_history *history)
{
	for (size_t i = 0; history->requests && i < history->graph.count; i++)
		arena_release(&history->requests[i].arena);
	arena_release(&history->arena);
}

static int list_versions(const char *const **names, size_t *count, const struct load *load, struct arena *arena, struct err *err)
{
	const struct archive_head *head;
	const char **listed;

	if (!load->archive)
		return source_versions(names, count, load->source, arena, err);
	head = archive_head(load->archive);
	*count = head->count;
	*names = listed = arena_array(arena, *count + 1, sizeof(*listed));
	for (size_t i = 0; i < *count; i++)
		listed[i] = head->versions[i].name;
	return 0;
}

int load_newest_version(const char **out, const struct cli_args *args, struct arena *arena, struct err *err)
{
	struct load_request request = { .version = "" };
	struct load load = { .args = args, .requests = &request, .count = 1 };
	const char *const *names;
	size_t count;
	int rc;

	if (!(rc = load_prepare(&load, arena, err)) && !(rc = list_versions(&names, &count, &load, arena, err))) {
		if (count)
			*out = names[count - 1];
		else
			rc = err_set(err, ERR_NOT_FOUND, "%s has no tags; name a version with --version", load.repo);
	}
	load_release(&load);
	return rc;
}
