/*
 * A tree is extracted once for all versions that have it:
 *
 *   1. the versions that are wanted are sorted by key, the hash of all that
 *      decides a document; the first of each key is read
 *   2. each reading is a job of a worker process, which gives the packed document
 *      and whether its key decides it; or says which of its last jobs had a tree that is the same in all that was
 *      read of it (reader.h): a key is that of whole directories
 *   3. what comes back is unpacked, and given to the other versions of that key
 *   4. where the key does not decide the document (headers outside of what the
 *      profile names were read), these versions are read themselves
 */
#include "store/stores.h"
#include "store/bounded.h"
#include "store/reader.h"

#include "extract/extract.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void warn(void *data, const char *sentence)
{
	const struct tree_store *self = data;

	store_say(self->options, STORE_NOTICE, "warning: %s", sentence);
}

static int open_source(struct tree_store *self, struct err *err)
{
	const struct store_options *options = self->options;
	const struct source_options how = {
		.cache_dir = self->cache_dir, .progress = options->progress, .progress_data = options->data,
		.warn = warn, .warn_data = self,
	};
	int rc;

	if (self->source)
		return 0;
	if (!self->repo)
		return err_set(err, ERR_USAGE, "the profile %s names no public repository; give --repo PATH or --dir PATH",
			       options->profile->name);
	if ((rc = source_open(&self->source, self->repo, &how, err)))
		return rc;
	self->shown = source_shown(self->source);
	return 0;
}

int tree_store_tags(const char *const **names, size_t *count, struct tree_store *self, struct arena *arena, struct err *err)
{
	int rc = open_source(self, err);

	return rc ? rc : source_versions(names, count, self->source, arena, err);
}

static int find_newest(const char **out, struct tree_store *self, struct arena *arena, struct err *err)
{
	const char *const *names;
	size_t count;
	int rc;

	if ((rc = source_versions(&names, &count, self->source, arena, err)))
		return rc;
	if (!count)
		return err_set(err, ERR_NOT_FOUND, "%s has no tags; name a version with --version", self->shown);
	*out = names[count - 1];
	return 0;
}

static int find(struct found_version *out, void *data, const char *version, struct arena *arena, struct err *err)
{
	struct tree_store *self = data;
	struct tree *tree;
	int rc;

	if ((rc = open_source(self, err)) ||
	    (!version && (rc = find_newest(&version, self, arena, err))) ||
	    (rc = source_tree(&tree, self->source, version, err)))
		return rc;
	*out = (struct found_version){ arena_strdup(arena, tree->version), arena_strdup(arena, tree->commit) };
	tree_free(tree);
	return 0;
}

static int versions(struct source_graph *out, void *data, struct arena *arena, struct err *err)
{
	struct tree_store *self = data;
	int rc;

	if ((rc = open_source(self, err)) ||
	    (self->options->of_repository && (rc = source_fetch(self->source, err))) ||
	    (rc = source_graph(out, self->source, arena, err)))
		return rc;
	if (!out->count)
		return err_set(err, ERR_NOT_FOUND, "%s has no tags, so it has no history", self->shown);
	for (size_t i = 0; i < out->no_commit_count; i++)
		store_say(self->options, STORE_WARNING, "the tag %s is of no commit: it is no version", out->no_commits[i]);
	for (size_t i = 0; i < out->damaged_count; i++)
		store_say(self->options, STORE_NOTICE, "the tag %s of %s cannot be read, so its version is left out; mend or delete it, or fetch the tags again",
			  out->damaged[i], self->shown);
	if (out->shallow)
		store_say(self->options, STORE_WARNING, "%s is a shallow clone: what came before its oldest commits is not known", self->shown);
	return 0;
}

/* The tree of @wanted. A name that is a tag or branch leads there faster than the commit does. */
static int open_tree(struct tree **out, const struct tree_store *self, const struct wanted *wanted, struct err *err)
{
	if (wanted->directory)
		return source_directory(out, wanted->directory, err);
	return source_tree(out, self->source, wanted->request->version ? wanted->request->version : wanted->version.name, err);
}

/*
 * What a cached document depends on besides the tree. Nobody checks the object ids of a repository, so a document
 * of one is never used for another: its real path goes in, or its URL.
 */
static const char *salt_of(struct tree_store *self)
{
	const struct store_options *options = self->options;
	const char *identity = self->shown;
	char path[PATH_MAX];

	if (self->salt)
		return self->salt;
	if (!strstr(self->repo, "://") && realpath(self->repo, path))
		identity = path;
	self->salt = arena_printf(self->arena, "drvabi %s\n%s\n%s\n%s\n%s", DRVABI_MAKERS, extract_compiler_key(self->arena), options->target,
				  options->profile->hash ? options->profile->hash : "", identity);
	return self->salt;
}

void tree_store_key(struct tree_store *self, struct wanted *wanted)
{
	struct tree *tree;

	if (wanted->looked_for_key || wanted->directory)
		return;
	wanted->looked_for_key = true;
	if (open_source(self, NULL) || open_tree(&tree, self, wanted, NULL))
		return;
	wanted->has_key = !cache_key_of(&wanted->key, tree, self->options->profile, salt_of(self), NULL);
	tree_free(tree);
}

enum { SILENT_COUNT = 2 }; /* so few are read without a progress bar */

/* --- one reading --------------------------------------------------------------- */

/* The jobs of one run. */
struct readings {
	struct tree_store *store;
	struct wanted **wanted; /* by job */
	size_t count;
	size_t finished, shared;
	struct reader reader; /* of a worker */
	struct arena *arena;
};

static int work(void *data, size_t index, struct strbuf *out, struct err *err)
{
	struct readings *readings = data;
	struct tree *tree;
	int rc;

	if ((rc = open_tree(&tree, readings->store, readings->wanted[index], err)))
		return rc;
	rc = reader_read(out, &readings->reader, index, tree, readings->store->options, err);
	if (rc && rc != ERR_IO && !strstr(err->text, tree->version))
		err_prefix(err, "%s", tree->version);
	tree_free(tree);
	return rc;
}

/* Nothing that a worker says is trusted: the job has to be one whose document has come. */
static int take_job(struct readings *readings, struct wanted *wanted, const struct strbuf *bytes)
{
	struct err *err = &wanted->request->err;
	const struct wanted *owner;
	size_t job = reader_job(bytes);

	owner = job < readings->count ? readings->wanted[job] : NULL;
	if (!owner || owner == wanted || !owner->done || owner->request->rc)
		return err_set(err, ERR_FORMAT, "%s: what was read is that of no other version", wanted->version.name);
	wanted_share(wanted, owner);
	wanted->key_decides = owner->key_decides;
	readings->shared++;
	return 0;
}

static int take_document(const struct readings *readings, struct wanted *wanted, const struct strbuf *bytes)
{
	struct store_request *request = wanted->request;
	int rc = abi_deserialize(&request->abi, bytes->text + 1, bytes->length - 1, readings->arena, &request->err);

	if (rc)
		return rc;
	wanted->key_decides = bytes->text[0] == READER_DOCUMENT_OF_KEY;
	request->abi.version = wanted->version.name;
	request->abi.commit = wanted->version.commit;
	return 0;
}

static void done(void *data, size_t index, int rc, const struct strbuf *bytes, const struct err *err)
{
	struct readings *readings = data;
	const struct store_options *options = readings->store->options;
	struct wanted *wanted = readings->wanted[index];
	struct store_request *request = wanted->request;

	if (++readings->finished && readings->count > SILENT_COUNT && options->progress)
		options->progress(options->data, "reading versions", readings->finished, readings->count);
	if (rc)
		request->err = *err;
	else if (!bytes->length)
		rc = err_set(&request->err, ERR_FORMAT, "%s: nothing was read", wanted->version.name);
	else
		rc = bytes->text[0] == READER_JOB ? take_job(readings, wanted, bytes) : take_document(readings, wanted, bytes);
	request->rc = rc;
	wanted->done = true;
}

static const char *name(void *data, size_t index)
{
	const struct wanted *wanted = ((const struct readings *)data)->wanted[index];

	return wanted->directory ? wanted->directory : wanted->version.name;
}

static unsigned jobs_of(const struct store_options *options)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);

	return options->jobs ? options->jobs : processors > 0 ? (unsigned)processors : 1;
}

static int run(struct readings *readings, struct err *err)
{
	const struct bounded_ops ops = { work, done, name, readings };

	readings->finished = 0;
	return bounded_run(&ops, readings->count, jobs_of(readings->store->options), err);
}

/* --- all of them ----------------------------------------------------------------- */

/* The first of @wanted that has the key of @index. */
static size_t owner_of(struct wanted *const *wanted, size_t index)
{
	for (size_t i = 0; i < index && wanted[index]->has_key; i++)
		if (wanted_same_key(wanted[i], wanted[index]))
			return i;
	return index;
}

/* Gives @wanted the document of a version that has the same key. Return: false if that is not decided by the key. */
static bool share(struct wanted *wanted, const struct wanted *owner)
{
	if (owner->request->rc || !owner->key_decides)
		return false;
	wanted_share(wanted, owner);
	return true;
}

static int documents(void *data, struct wanted *const *wanted, size_t count, struct arena *arena, struct err *err)
{
	struct tree_store *self = data;
	struct readings readings = { .store = self, .wanted = xmalloc((count + 1) * sizeof(struct wanted *)), .arena = arena };
	int rc;

	for (size_t i = 0; i < count && count > 1; i++)
		tree_store_key(self, wanted[i]);
	for (size_t i = 0; i < count; i++)
		if (owner_of(wanted, i) == i)
			readings.wanted[readings.count++] = wanted[i];
	rc = run(&readings, err);
	readings.count = 0;
	for (size_t i = 0; i < count && !rc; i++)
		if (!wanted[i]->done && !share(wanted[i], wanted[owner_of(wanted, i)]))
			readings.wanted[readings.count++] = wanted[i];
	if (!rc)
		rc = run(&readings, err);
	if (readings.shared)
		store_say(self->options, STORE_DETAIL, "%zu of %zu trees are the same as another one in all that is read of them", readings.shared, count);
	free(readings.wanted);
	return rc;
}

void tree_store_release(struct tree_store *self)
{
	source_free(self->source);
}

const struct store_ops tree_store_ops = { .find = find, .versions = versions, .documents = documents };
