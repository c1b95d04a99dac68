/*
 * All versions of a repository. Most releases of a branch have the very
 * headers of the one before: of the requests that need one document, the
 * first to come reads it, and the others get it when all threads are done.
 */
#include "cli/load_parts.h"

#include "cli/archived.h"

#include <stdio.h>
#include <string.h>

/* Which versions of a history are wanted; { 0 }: all. */
struct load_choice {
	const char *only; /* this one and its ancestors */
	const char *const *names; /* these, @count of them */
	size_t count;
};

struct load_shared *load_shared_of(const struct load *load, const struct load_request *request)
{
	return load->shared ? &load->shared[request - load->requests] : NULL;
}

bool load_share(struct load *load, const struct load_request *request, const struct cache_key *key)
{
	struct load_shared *own = load_shared_of(load, request);

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

/* Gives every version its document that another one has read. One that may not have it reads its own. */
static void settle_shared(struct load *load)
{
	for (size_t i = 0; i < load->count; i++) {
		struct load_request *request = &load->requests[i];
		const struct load_request *owner = load->shared[i].owner;

		if (!owner)
			continue;
		if (owner->rc || !load_shared_of(load, owner)->inside_roots) {
			load->shared[i] = (struct load_shared){ .keyed = load->shared[i].keyed, .key = load->shared[i].key };
			request->rc = load_one(load, request);
		} else {
			struct abi own = owner->abi;

			own.version = request->abi.version;
			own.commit = request->abi.commit;
			request->abi = own;
			load->shared[i].inside_roots = true;
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

static int read_versions(struct load *load, struct err *err)
{
	load_run(load);
	settle_shared(load);
	progress_done(&load->progress);
	return settle_failures(load, err);
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
		rc = archived_documents(out->requests, load.archive, args->target, &out->arena, err);
	} else {
		rc = read_versions(&load, err);
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
	if (history->requests)
		load_documents_release(history->requests, history->graph.count);
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
