/* cli/lineage.c - ranges of versions, the commit graph with its documents, and work on several threads */
#include "cli/cli.h"

#include <pthread.h>
#include <unistd.h>

struct history_version *lineage_versions(const struct source_graph *graph, struct arena *arena)
{
	struct history_version *versions = arena_array(arena, graph->count + 1, sizeof(*versions));

	for (size_t i = 0; i < graph->count; i++) {
		const struct source_version *listed = &graph->versions[i];

		versions[i] = (struct history_version){
			.version = listed->name,
			.commit = listed->commit,
			.time = listed->time,
			.parent = listed->parent == SOURCE_NO_PARENT ? HISTORY_NO_PARENT : listed->parent,
			.on_main = listed->on_main,
		};
	}
	return versions;
}

struct history_version *lineage_documents(const struct store_history *loaded, struct arena *arena)
{
	struct history_version *versions = lineage_versions(&loaded->graph, arena);

	for (size_t i = 0; i < loaded->graph.count; i++)
		versions[i].abi = loaded->requests[i].rc || loaded->requests[i].skipped
					  ? NULL
					  : &loaded->requests[i].abi;
	return versions;
}

int lineage_load(struct lineage *lineage, const char *shown, const struct cli_args *args, struct err *err)
{
	const struct store_choice choice = { .shown = shown };
	const struct store_history *loaded = &lineage->loaded;
	int rc;

	*lineage = (struct lineage){ .driver = NULL };
	if ((rc = load_history(&lineage->loaded, &choice, args, err)))
		return rc;
	history_graph_of(&lineage->graph, lineage_documents(loaded, args->arena), loaded->graph.count,
			 args->arena);
	for (size_t i = 0; i < loaded->graph.count && !lineage->driver; i++)
		if (lineage->graph.versions[i].abi)
			lineage->driver = lineage->graph.versions[i].abi->driver;
	if (!lineage->driver)
		return err_set(err, ERR_PARSE, "no version can be read; %s: %s",
			       loaded->graph.versions[loaded->newest].name,
			       loaded->requests[loaded->newest].err.text);
	return 0;
}

int lineage_load_named(struct history_graph *out, const char *const *names, size_t count,
		       const struct cli_args *args, struct err *err)
{
	const struct store_choice named = { .names = names, .count = count };
	struct cli_args quiet = *args;
	struct store_history loaded;
	int rc;

	quiet.quiet = true; /* the warnings were printed when the command loaded its documents */
	quiet.verbose = false;
	quiet.constants = NULL; /* with --constants, the archive could not be used */
	if ((rc = load_history(&loaded, &named, &quiet, err)))
		return rc;
	history_graph_of(out, lineage_documents(&loaded, args->arena), loaded.graph.count, args->arena);
	return 0;
}

int lineage_named(const struct abi **out, size_t *index, struct store_request *request, const char *version,
		  const struct lineage *lineage, const struct cli_args *args, struct err *err)
{
	const struct history_graph *graph = &lineage->graph;
	size_t i;
	int rc;

	request->version = version;
	if ((rc = load_documents(request, 1, args, err)))
		return rc;
	*index = i = history_graph_index(graph, request->abi.version);
	*out = i < graph->version_count && graph->versions[i].abi ? graph->versions[i].abi : &request->abi;
	return 0;
}

/*
 * Sets @out to the versions of the archive, or the tags of the repository if no archive can be used, sorted
 * by abi_version_compare(). There can be none. Return: 0; what load_around() and load_tags() return.
 */
static int all_versions(struct profile_strings *out, const struct cli_args *args, struct err *err)
{
	struct store_request skipped = { .skipped = true };
	struct store_around around;
	const char **names;
	int rc;

	if ((rc = load_around(&around, &skipped, args, err)))
		return rc;
	names = arena_array(args->arena, around.graph.count, sizeof(*names));
	for (size_t i = 0; i < around.graph.count; i++)
		names[i] = around.graph.versions[i].name;
	*out = (struct profile_strings){ names, around.graph.count };
	return out->count ? 0 : load_tags(&out->item, &out->count, args, err);
}

/* Finds the versions that are or begin with @word; all if it is empty. Return: 0; ERR_NOT_FOUND. */
static int find_bound(struct abi_version_run *out, const char *word, const struct profile_strings *names,
		      struct err *err)
{
	struct abi_nearest nearest = { .count = 0 };

	*out = *word ? abi_version_run(word, names->item, names->count)
		     : (struct abi_version_run){ 0, names->count };
	if (out->count)
		return 0;
	abi_nearest_typos(&nearest, word, names->item, names->count);
	if (!nearest.count)
		abi_nearest_neighbours(&nearest, word, names->item, names->count);
	return nearby_fail(err, &nearest, "none of the %zu versions is or begins with '%s'", names->count,
			   word);
}

/* Marks the versions in @range, "A..B" or "A", in @wanted. Fails if @range is malformed or empty. */
static int mark_versions(bool *wanted, const char *range, const struct profile_strings *names,
			 struct arena *arena, struct err *err)
{
	const char *dots = strstr(range, "..");
	struct abi_version_run from, to;
	size_t last;
	int rc;

	if (!*range || (dots && dots[2] == '.'))
		return usage_error(err, "--versions takes A..B or A,B, not '%s'", range);
	if ((rc = find_bound(&from, dots ? arena_strndup(arena, range, (size_t)(dots - range)) : range, names,
			     err)))
		return rc;
	to = from;
	if (dots && (rc = find_bound(&to, dots + 2, names, err)))
		return rc;
	last = to.first + to.count - 1;
	if (from.first > last)
		return usage_error(err,
			"--versions %s is an empty range: %s has a higher number than %s; give the lower one first",
			range, names->item[from.first], names->item[last]);
	for (size_t i = from.first; i <= last; i++)
		wanted[i] = true;
	return 0;
}

int version_range_find(struct version_range *out, const struct cli_args *args, struct err *err)
{
	const struct profile_strings ranges = list_split(args->versions, ',', args->arena);
	struct profile_strings names = { 0 };
	bool *wanted;
	int rc;

	if ((rc = all_versions(&names, args, err)))
		return rc;
	if (!names.count)
		return err_set(err, ERR_NOT_FOUND,
			       "no version is known here; name a repository with --repo, or an archive");
	wanted = arena_array(args->arena, names.count, sizeof(*wanted));
	for (size_t i = 0; i < ranges.count; i++)
		if ((rc = mark_versions(wanted, ranges.item[i], &names, args->arena, err)))
			return rc;
	out->requests = arena_array(args->arena, names.count, sizeof(*out->requests));
	for (size_t i = 0; i < names.count; i++)
		if (wanted[i])
			out->requests[out->count++].version = names.item[i];
	return 0;
}

int version_range_load(struct version_range *out, const char *version, const struct cli_args *args,
		       struct err *err)
{
	int rc;

	if (args->versions && (rc = version_range_find(out, args, err)))
		return rc;
	if (!args->versions) {
		out->requests = arena_array(args->arena, 1, sizeof(*out->requests));
		out->requests[0].version = version;
		out->requests[0].json = args->json;
		out->count = 1;
	}
	return load_documents(out->requests, out->count, args, err);
}

/* The data for compare_one(). */
struct comparison {
	struct lineage *lineage;
	const struct history_filter *filter;
};

/* Sets the changes of one edge, for lineage_compare(). Return: 0; what history_compare() returns. */
static int compare_one(void *data, size_t edge, struct arena *arena, struct err *err)
{
	const struct comparison *comparison = data;
	struct lineage *lineage = comparison->lineage;

	return history_compare(&lineage->changes[edge], &lineage->graph, &lineage->graph.edges[edge],
			       comparison->filter, arena, err);
}

struct work {
	int (*one)(void *data, size_t index, struct arena *arena, struct err *err);
	void *data;
	struct arena *arenas; /* one for each index */
	size_t count;
	size_t next;   /* the next index for a thread; @lock protects this member and the next three */
	int rc;        /* the error of @failed */
	size_t failed; /* the lowest index that failed */
	struct err *err;
	pthread_mutex_t lock;
};

/* The function of a thread: calls work->one() until no index is left, also after errors. */
static void *run_worker(void *data)
{
	struct work *work = data;

	for (;;) {
		struct err err = { "" };
		size_t index;
		int rc;

		pthread_mutex_lock(&work->lock);
		index = work->next++;
		pthread_mutex_unlock(&work->lock);
		if (index >= work->count)
			return NULL;
		if (!(rc = work->one(work->data, index, &work->arenas[index], &err)))
			continue;
		/* Keeps the lowest index, so that the message does not depend on the threads' speed. */
		pthread_mutex_lock(&work->lock);
		if (!work->rc || index < work->failed) {
			work->rc = rc;
			work->failed = index;
			if (work->err)
				*work->err = err;
		}
		pthread_mutex_unlock(&work->lock);
	}
}

int work_each(int (*one)(void *data, size_t index, struct arena *arena, struct err *err), void *data,
	      size_t count, const struct cli_args *args, struct err *err)
{
	struct work work = { .one = one, .data = data, .count = count, .err = err };
	const long processors = sysconf(_SC_NPROCESSORS_ONLN);
	const size_t jobs = args->jobs ? args->jobs : processors > 0 ? (size_t)processors : 1;
	const size_t helpers = (jobs < count ? jobs : count ? count : 1) - 1;
	pthread_t *threads = xmalloc((helpers + 1) * sizeof(*threads));
	size_t started = 0;

	work.arenas = arena_array(args->arena, count + 1, sizeof(*work.arenas));
	pthread_mutex_init(&work.lock, NULL);
	while (started < helpers && !pthread_create(&threads[started], NULL, run_worker, &work))
		started++;
	run_worker(&work); /* all work is done even if no other thread could be started */
	while (started)
		pthread_join(threads[--started], NULL);
	pthread_mutex_destroy(&work.lock);
	free(threads);
	for (size_t i = 0; i < count; i++)
		arena_join(args->arena, &work.arenas[i]);
	return work.rc;
}

int lineage_compare(struct lineage *lineage, const struct history_filter *filter,
		    const struct cli_args *args, struct err *err)
{
	struct comparison comparison = { lineage, filter };
	const size_t count = lineage->graph.edge_count;

	lineage->changes = arena_array(args->arena, count + 1, sizeof(*lineage->changes));
	return work_each(compare_one, &comparison, count, args, err);
}
