#include "cli/load.h"

#include "cli/archived.h"
#include "cli/load_header.h"
#include "cli/load_parts.h"
#include "extract/extract.h"
#include "json/json.h"
#include "profile/profile.h"

#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { INPUT_LIMIT_BYTES = 256 * 1024 * 1024 };

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

static int load_extract(struct load *load, struct load_request *request, struct tree *tree, const struct cache_key *key)
{
	struct extract_options options = { .target = load->args->target };
	struct extract_result result;
	int rc;

	rc = extract_tree(&result, tree, &load->profile, &options, &request->arena, &request->err);
	if (rc)
		return rc;
	request->abi = result.abi;
	if (load_shared_of(load, request))
		load_shared_of(load, request)->inside_roots = result.inside_roots;
	if (!key || !result.inside_roots)
		return 0;
	rc = cache_put(&result.abi, load->cache_dir.text, key, &request->err);
	if (rc)
		load_cannot_write(&request->err);
	return rc;
}

void load_cannot_write(struct err *err)
{
	err_prefix(err, "%s", "the cache cannot be written (set XDG_CACHE_HOME, or give --no-cache)");
}

void load_name_document(struct load_request *request, const char *version, const char *commit)
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

	if (keyed && load_share(load, request, &key)) {
		load_name_document(request, tree->version, tree->commit);
		return 0;
	}
	if (cached && !cache_get(&request->abi, load->cache_dir.text, &key, &request->arena, NULL)) {
		if (load_shared_of(load, request))
			load_shared_of(load, request)->inside_roots = true;
		rc = 0;
	} else {
		rc = load_extract(load, request, tree, cached ? &key : NULL);
	}
	if (!rc)
		load_name_document(request, tree->version, tree->commit);
	return rc;
}

static bool needs_repository(const struct load_request *request, const struct cli_args *args)
{
	return !request->json && !args->dir && !names_directory(request->version);
}

int load_one(struct load *load, struct load_request *request)
{
	struct tree *tree = NULL;
	int rc;

	if (request->skipped)
		return 0;
	if (request->json)
		return load_json(request);
	if (load->args->archive && needs_repository(request, load->args))
		return archived_load(request, load->archive, load->args);
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

/*
 * Half of the threads work from the first version on, and half from the last
 * one back: versions that are neighbours want the same headers parsed, and
 * would wait for each other. NULL: there is none left.
 */
static struct load_request *take_request(struct load *load, bool from_end)
{
	struct load_request *request = NULL;

	pthread_mutex_lock(&load->lock);
	if (load->next < load->end)
		request = &load->requests[from_end ? --load->end : load->next++];
	pthread_mutex_unlock(&load->lock);
	return request;
}

static void *load_worker(void *data)
{
	struct load *load = data;
	bool from_end;

	pthread_mutex_lock(&load->lock);
	from_end = load->worker_count++ % 2;
	pthread_mutex_unlock(&load->lock);
	for (;;) {
		struct load_request *request = take_request(load, from_end);

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

/* As much as libclang gives to the thread that it would make for every parse, and as much again for what calls it. */
enum { STACK_BYTES = 16 * 1024 * 1024 };

/* Return: how many could be had. */
static unsigned start_workers(pthread_t *threads, unsigned count, struct load *load)
{
	pthread_attr_t attributes;
	unsigned started = 0;

	if (pthread_attr_init(&attributes))
		return 0;
	if (!pthread_attr_setstacksize(&attributes, STACK_BYTES))
		while (started < count && !pthread_create(&threads[started], &attributes, load_worker, load))
			started++;
	pthread_attr_destroy(&attributes);
	return started;
}

/*
 * The threads have stacks for libclang, which need not make a thread for
 * each parse then: there are a hundred parses in a history. It is told so by
 * the environment, and by nothing else. A thread that cannot be had is not
 * missed; without any, this one works, as libclang likes it.
 */
void load_run(struct load *load)
{
	static const char no_threads[] = "LIBCLANG_NOTHREADS";
	unsigned jobs = load_jobs(load->args, load->count);
	pthread_t *threads = arena_array(&load->arena, jobs, sizeof(*threads));
	bool is_set = getenv(no_threads);
	unsigned started;

	load->end = load->count;
	/*
	 * What two versions have in common is less than it costs to find out. Where there are more, threads
	 * work long enough to be worth heaps of their own.
	 */
	if (load->count > 2) {
		mallopt(M_ARENA_MAX, (int)jobs + 1);
	}
	setenv(no_threads, "1", 0);
	started = start_workers(threads, jobs, load);
	if (!started && !is_set)
		unsetenv(no_threads);
	if (!started)
		load_worker(load);
	while (started)
		pthread_join(threads[--started], NULL);
	if (!is_set)
		unsetenv(no_threads);
}

static void show_warning(void *data, const char *sentence)
{
	progress_done(data);
	fprintf(stderr, "drvabi: warning: %s\n", sentence);
}

static int load_open_source(struct load *load, struct err *err)
{
	struct source_options options = {
		.cache_dir = strbuf_text(&load->cache_dir), .warn = show_warning, .warn_data = &load->progress,
	};
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
	if (!(rc = source_open(&load->source, load->repo, &options, err)))
		load->repo = source_shown(load->source); /* the URL may hold a token */
	progress_done(&load->progress);
	return rc;
}

int load_prepare(struct load *load, struct arena *documents, struct err *err)
{
	struct arena *arena = &load->arena;
	bool repository = false;
	bool sources = false;
	int rc;

	pthread_mutex_init(&load->lock, NULL);
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

void load_release(struct load *load)
{
	progress_done(&load->progress);
	source_free(load->source);
	strbuf_release(&load->cache_dir);
	strbuf_release(&load->salt);
	arena_release(&load->arena);
	pthread_mutex_destroy(&load->lock);
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

void load_show_warnings(const struct load *load)
{
	for (size_t i = 0; i < load->count; i++)
		load_warn(&load->requests[i].abi, load->requests[i].abi.version, load->args);
}

void load_documents_release(struct load_request *requests, size_t count)
{
	for (size_t i = 0; i < count; i++)
		arena_release(&requests[i].arena);
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
