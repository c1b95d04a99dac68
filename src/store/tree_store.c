/*
 * Reads the documents of versions from their trees. Versions with the same tree share one extraction:
 *
 * 1. The key of a version is the hash of the profile's directories in its tree, and of all other inputs. For
 *    each key, the first wanted version is read.
 * 2. Each reading is a job of a worker process. The worker returns whether the document depends only on the
 *    key, and the packed document. The document is given to all versions with the same key.
 * 3. If headers outside of the profile's directories were read, the document does not depend only on the key.
 *    Then the other versions with this key are also read.
 */
#include "store/internal.h"
#include "extract/extract.h"

#include <unistd.h>

/* --- a worker ------------------------------------------------------------------- */

/*
 * Extracts a document. Appends a byte, 1 if all trees with the same key have this document and otherwise 0,
 * and the packed document.
 */
static int read_tree(struct strbuf *out, struct tree *tree, const struct store_options *options,
		     struct err *err)
{
	const struct profile *profile = options->profile;
	struct abi head = {
		.driver = profile->name,
		.version = tree->version,
		.commit = tree->commit,
		.target = options->target,
	};
	struct arena arena = { 0 };
	struct abi_builder *builder = abi_builder_new(&arena);
	struct profile_strings absent = { .count = 0 };
	struct extract_result result;
	struct abi abi;
	int rc;

	if ((options->accepts_partial && !*tree->commit &&
	     (rc = extract_part(&profile, &absent, tree, profile, &arena, err))) ||
	    (rc = extract_tree(&result, builder, tree, profile, options->target, &arena, err)))
		goto out;
	head.absent = absent.item;
	head.absent_count = absent.count;
	abi_builder_seal(&abi, builder, &head);
	strbuf_addch(out, result.inside_roots);
	rc = archive_pack(out, &abi, err);
out:
	abi_builder_free(builder);
	arena_release(&arena);
	return rc;
}

/* --- the repository ------------------------------------------------------------- */

/*
 * Repositories are opened only in workers. This process asks them for a version, the tags, the graph, or the
 * keys of trees.
 */

/* For source_open(): passes a warning on to the user. */
static void warn(void *data, const char *sentence)
{
	const struct tree_store *self = data;

	store_say(self->options, STORE_NOTICE, "warning: %s", sentence);
}

/*
 * Opens the repository in a worker, before it is confined. Later calls return the result of the first call.
 * @wanted: clone a URL only if this version is there; NULL: always clone a URL
 */
static int open_source(struct tree_store *self, const char *wanted, struct err *err)
{
	const struct source_options how = {
		.cache_dir = self->cache_dir, .wanted = wanted,
		.progress = self->options->progress, .progress_data = self->options->data,
		.warn = warn, .warn_data = self,
	};

	if (!self->opened)
		self->open_rc = source_open(&self->source, self->repo, &how, &self->open_err);
	self->opened = true;
	return self->open_rc ? err_set(err, self->open_rc, "%s", self->open_err.text) : 0;
}

/*
 * Opens the repository in a worker. Returns the files that libgit2 can read in the repository, which the
 * worker may then open; NULL if it cannot be opened, and then its job fails.
 */
static const char *const *open_before_confining(struct tree_store *self)
{
	if (open_source(self, NULL, NULL))
		return NULL;
	source_ignore_user_config(); /* the worker may not open these files */
	return source_readable(self->source, self->arena);
}

/* A question to a worker, and what it is about. */
struct repo_question {
	struct tree_store *store; /* in the worker, its arena owns what the answer needs */
	int (*answer)(const struct repo_question *question, struct strbuf *out, struct err *err);
	const char *version;          /* answer_version(): NULL means the newest; answer_clone() */
	struct wanted *const *wanted; /* answer_keys() */
	size_t count;
	bool fetches;                 /* answer_clone(): update the clone */
	const struct tree_job *job;   /* answer_job() */
	const char *directory;        /* answer_job(): the tree; NULL if it is in the repository */
};

static const char *const *prepare_question(void *data)
{
	const struct repo_question *question = data;

	return question->directory ? NULL : open_before_confining(question->store);
}

/* Answers a struct repo_question in a worker, because a repository may be hostile. There is only one job. */
static int answer_question(void *data, size_t index, struct strbuf *out, struct err *err)
{
	const struct repo_question *question = data;
	int rc = question->directory ? 0 : open_source(question->store, question->version, err);

	(void)index;
	return rc ? rc : question->answer(question, out, err);
}

/*
 * Lets a worker of kind BOUNDED_REPOSITORY or BOUNDED_DOWNLOAD answer @question. @out: reads the answer,
 * which is in @arena. Return: the result of question->answer(); the errors of bounded_ask().
 */
static int ask_worker(struct byte_reader *out, enum bounded_kind kind, const struct repo_question *question,
		      struct arena *arena, struct err *err)
{
	const struct bounded_ops ops = { .kind = kind,
					 .prepare = kind == BOUNDED_REPOSITORY ? prepare_question : NULL,
					 .work = answer_question,
					 .subject = question->directory ? question->directory
									: question->store->shown,
					 .data = (void *)question };

	return bounded_ask(out, &ops, arena, err);
}

/* Checks the answer of a worker after it was read. Return: 0; ERR_FORMAT if bytes are missing or left. */
static int check_answer(const struct tree_store *self, const struct byte_reader *in, struct err *err)
{
	if (byte_reader_is_done(in))
		return 0;
	return err_set(err, ERR_FORMAT, "%s: the answer of the process that read the repository is invalid",
		       self->shown);
}

/* In a worker, after open_source() has made the clone: updates it if the question requests that. */
static int answer_clone(const struct repo_question *question, struct strbuf *out, struct err *err)
{
	(void)out;
	return question->fetches ? source_fetch(question->store->source, err) : 0;
}

/*
 * In a worker, makes the clone, or with @fetches updates it. Sets self->updated. @wanted: the version for
 * which this is done, or NULL. Return: 0; ERR_NOT_FOUND if @wanted does not exist; an error of ask_worker().
 */
static int update_clone(struct tree_store *self, const char *wanted, bool fetches, struct err *err)
{
	const struct repo_question question = {
		.store = self, .answer = answer_clone, .version = wanted, .fetches = fetches
	};
	struct byte_reader none;
	int rc;

	self->updated = true; /* also on failure: one attempt per run is enough */
	rc = ask_worker(&none, BOUNDED_DOWNLOAD, &question, self->arena, err);
	if (self->options->progress) /* the worker may have died with its progress bar on the terminal */
		self->options->progress(self->options->data, NULL, 0, 0);
	return rc;
}

/*
 * Prepares a question to the repository: sets self->shown, starts libgit2, and makes and holds the clone of
 * a URL. @wanted: see open_source(). Return: 0; ERR_USAGE if there is no repository; ERR_NOT_FOUND if it
 * does not have @wanted, and lacks_wanted is set; the errors of git_setup() and update_clone().
 */
static int find_repository(struct tree_store *self, const char *wanted, struct err *err)
{
	int rc;

	if (!self->repo)
		return err_set(err, ERR_USAGE,
			       "the profile %s names no public repository; give --repo PATH or --dir PATH",
			       self->options->profile->name);
	if (!self->shown)
		self->shown = source_shown(self->repo);
	if ((rc = git_setup(err)))
		return rc;
	while (!rc && url_is_url(self->repo) && self->clone_fd < 0) {
		self->clone_fd = source_hold_clone(self->repo, self->cache_dir);
		if (self->clone_fd < 0)
			rc = update_clone(self, wanted, false, err);
	}
	self->lacks_wanted = rc == ERR_NOT_FOUND && wanted;
	return rc;
}

/* In a worker: writes the tags of the repository, sorted. */
static int answer_tags(const struct repo_question *question, struct strbuf *out, struct err *err)
{
	const char *const *names;
	size_t count;
	int rc = source_versions(&names, &count, question->store->source, question->store->arena, err);

	if (!rc)
		texts_put(out, names, count);
	return rc;
}

int tree_store_tags(const char *const **names, size_t *count, struct tree_store *self, struct arena *arena,
		    struct err *err)
{
	const struct repo_question question = { .store = self, .answer = answer_tags };
	struct byte_reader in;
	int rc;

	if ((rc = find_repository(self, NULL, err)) ||
	    (rc = ask_worker(&in, BOUNDED_REPOSITORY, &question, arena, err)))
		return rc;
	*count = texts_read(names, &in, arena);
	return check_answer(self, &in, err);
}

/* In a worker: writes the name and the commit of question->version, or of the newest tag if that is NULL. */
static int answer_version(const struct repo_question *question, struct strbuf *out, struct err *err)
{
	struct tree_store *self = question->store;
	const char *version = question->version, *const *names;
	struct tree *tree;
	size_t count;
	int rc;

	if (!version) {
		if ((rc = source_versions(&names, &count, self->source, self->arena, err)))
			return rc;
		if (!count)
			return err_set(err, ERR_NOT_FOUND, "%s has no tags; name a version with --version",
				       self->shown);
		version = names[count - 1];
	}
	if ((rc = source_tree(&tree, self->source, version, err)))
		return rc;
	text_put(out, tree->version);
	text_put(out, tree->commit);
	tree_free(tree);
	return 0;
}

/*
 * The function `find` of this store: finds a tag, branch or commit. @version: NULL means the newest tag. If
 * the clone of a URL does not have the version, the clone is updated, once per run. Return: 0;
 * ERR_NOT_FOUND; the error of the repository.
 */
static int find_version(struct found_version *out, void *data, const char *version, struct arena *arena,
			struct err *err)
{
	struct tree_store *self = data;
	const struct repo_question question = { .store = self, .answer = answer_version, .version = version };
	struct byte_reader in;
	int rc;

	if ((rc = find_repository(self, version, err)))
		return rc;
	rc = ask_worker(&in, BOUNDED_REPOSITORY, &question, arena, err);
	if (rc == ERR_NOT_FOUND && url_is_url(self->repo) && !self->updated) {
		if ((rc = update_clone(self, NULL, true, err)))
			err_prefix(err, "no version %s in the existing clone of %s", version, self->shown);
		else
			rc = ask_worker(&in, BOUNDED_REPOSITORY, &question, arena, err);
	}
	if (rc)
		return rc;
	out->name = byte_reader_text(&in);
	out->commit = byte_reader_text(&in);
	return check_answer(self, &in, err);
}

/* In a worker: writes the graph of all tags, and the tags that are not versions, for list_graph(). */
static int answer_graph(const struct repo_question *question, struct strbuf *out, struct err *err)
{
	struct source_graph graph;
	int rc = source_graph(&graph, question->store->source, question->store->arena, err);

	if (rc)
		return rc;
	graph_put(out, &graph);
	texts_put(out, graph.no_commits, graph.no_commit_count);
	texts_put(out, graph.damaged, graph.damaged_count);
	return 0;
}

/*
 * The function `versions` of this store: lists the tags and their graph, and warns about tags that are left
 * out. Return: 0; ERR_NOT_FOUND if there are no tags, or find() did not make the clone; a repository's error.
 */
static int list_graph(struct source_graph *out, void *data, struct arena *arena, struct err *err)
{
	struct tree_store *self = data;
	const struct repo_question question = { .store = self, .answer = answer_graph };
	struct byte_reader in;
	int rc;

	if (self->lacks_wanted) /* the repository does not have the wanted version, so it is not cloned */
		return err_set(err, ERR_NOT_FOUND, "the repository was not opened");
	if ((rc = find_repository(self, NULL, err)) ||
	    (self->options->of_repository && url_is_url(self->repo) && !self->updated &&
	     (rc = update_clone(self, NULL, true, err))) ||
	    (rc = ask_worker(&in, BOUNDED_REPOSITORY, &question, arena, err)))
		return rc;
	graph_read(out, &in, arena);
	out->no_commit_count = texts_read(&out->no_commits, &in, arena);
	out->damaged_count = texts_read(&out->damaged, &in, arena);
	if ((rc = check_answer(self, &in, err)))
		return rc;
	if (!out->count)
		return err_set(err, ERR_NOT_FOUND, "%s has no tags, so it has no history", self->shown);
	for (size_t i = 0; i < out->no_commit_count; i++)
		store_say(self->options, STORE_WARNING,
			  "the tag %s does not name a commit, so it is not a version", out->no_commits[i]);
	for (size_t i = 0; i < out->damaged_count; i++)
		store_say(
			self->options, STORE_NOTICE,
			"the tag %s of %s cannot be read, so its version is left out; repair or delete it, or fetch the tags again",
			out->damaged[i], self->shown);
	if (out->shallow)
		store_say(self->options, STORE_WARNING,
			  "%s is a shallow clone, so older commits are unknown",
			  self->shown);
	return 0;
}

/*
 * Debian and DKMS unpack only the directory kernel-open of the driver's tree, and rename it. If @path is such
 * a directory, this returns its original name, according to the files that the profile names. NULL if @path
 * is the whole tree.
 */
static const char *find_top(const char *path, const struct profile *profile, struct arena *arena)
{
	struct profile_strings roots;
	const char *found = NULL;

	profile_roots(&roots, profile, arena);
	for (size_t i = 0; i < roots.count; i++) {
		const size_t length = strcspn(roots.item[i], "/");
		const char *top = arena_strndup(arena, roots.item[i], length);

		if (!access(arena_printf(arena, "%s/%s", path, top), F_OK))
			return NULL;
		if (!found && roots.item[i][length] &&
		    !access(arena_printf(arena, "%s%s", path, roots.item[i] + length), F_OK))
			found = top;
	}
	return found;
}

/*
 * In a worker: opens the tree of @wanted: the package, a directory, or a version of the repository. A name
 * is preferred to a commit id, because a tag or branch is found faster. @out: freed with tree_free()
 */
static int open_tree(struct tree **out, struct tree_store *self, const struct wanted *wanted, struct err *err)
{
	int rc;

	if (wanted->directory && wanted->directory == self->options->package)
		return source_package(out, wanted->directory, err);
	if (wanted->directory)
		return source_directory(
			out, wanted->directory,
			self->options->accepts_partial
				? find_top(wanted->directory, self->options->profile, self->arena)
				: NULL,
			err);
	if ((rc = open_source(self, NULL, err)))
		return rc;
	return source_tree(out, self->source,
			   wanted->request->version ? wanted->request->version : wanted->version.name, err);
}

/*
 * Makes the salt of cache keys, unless it was made already. It covers all inputs of extraction except the
 * tree. It also has the real path or the URL of the repository, because object ids are not verified: the
 * document of one repository must not be used for a different repository.
 */
static void make_salt(struct tree_store *self)
{
	const struct store_options *options = self->options;
	const char *identity = self->shown;
	char path[PATH_MAX];

	if (self->salt)
		return;
	if (!strstr(self->repo, "://") && realpath(self->repo, path))
		identity = path;
	self->salt = arena_printf(self->arena, "drvabi %s\n%s\n%s\n%s\n%s", DRVABI_MAKERS,
				  extract_compiler_key(self->arena), options->target,
				  options->profile->hash ? options->profile->hash : "", identity);
}

/* In a worker: computes the key of each wanted version, "" if it cannot be read. */
static int answer_keys(const struct repo_question *question, struct strbuf *out, struct err *err)
{
	struct tree_store *self = question->store;

	(void)err;
	for (size_t i = 0; i < question->count; i++) {
		char key[CACHE_KEY_DIGITS + 1] = "";
		struct tree *tree;

		if (!open_tree(&tree, self, question->wanted[i], NULL)) {
			if (!cache_key_of(key, tree, self->options->profile, self->salt))
				*key = '\0';
			tree_free(tree);
		}
		text_put(out, key);
	}
	return 0;
}

void tree_store_keys(struct tree_store *self, struct wanted *const *wanted, size_t count)
{
	struct arena arena = { 0 };
	struct wanted **asked = arena_array(&arena, count + 1, sizeof(*asked));
	struct repo_question question = { .store = self, .answer = answer_keys, .wanted = asked };
	struct byte_reader in;

	for (size_t i = 0; i < count; i++) {
		if (!wanted[i]->looked_for_key && !wanted[i]->directory)
			asked[question.count++] = wanted[i];
		wanted[i]->looked_for_key = true;
	}
	if (question.count && !find_repository(self, NULL, NULL)) {
		make_salt(self);
		if (!ask_worker(&in, BOUNDED_REPOSITORY, &question, &arena, NULL))
			for (size_t i = 0; i < question.count; i++) {
				const char *key = byte_reader_text(&in);

				if (strlen(key) == CACHE_KEY_DIGITS &&
				    !key[strspn(key, "0123456789abcdef")]) /* it becomes a file name */
					memcpy(asked[i]->key, key, CACHE_KEY_DIGITS + 1);
			}
	}
	arena_release(&arena);
}

/* In a worker: opens a tree, and lets the caller's job read it. */
static int answer_job(const struct repo_question *question, struct strbuf *out, struct err *err)
{
	struct tree *tree;
	int rc;

	rc = question->directory ? source_directory(&tree, question->directory, NULL, err)
				 : source_tree(&tree, question->store->source, question->version, err);
	if (rc)
		return rc;
	rc = question->job->in_worker(question->job->data, tree, out, err);
	tree_free(tree);
	return rc;
}

int tree_store_run_job(struct byte_reader *out, struct tree_store *self, const char *version,
		   const struct tree_job *job, struct arena *arena, struct err *err)
{
	struct repo_question question = {
		.store = self, .answer = answer_job, .job = job, .directory = self->options->dir
	};
	struct found_version found;
	int rc;

	if (!question.directory) {
		if ((rc = find_version(&found, self, version, arena, err)))
			return rc;
		question.version = found.name;
	}
	return ask_worker(out, BOUNDED_REPOSITORY, &question, arena, err);
}

enum { SILENT_COUNT = 2 }; /* up to 2 versions are read without a progress bar */

/* --- the jobs of a run ---------------------------------------------------------- */

/* The jobs of one run. */
struct readings {
	struct tree_store *store;
	struct wanted **wanted; /* indexed by job */
	size_t count;
	size_t finished;
	struct arena *arena;
};

/* In a worker: extracts the document of readings->wanted[@index]. @out: see read_tree() */
static int read_wanted(void *data, size_t index, struct strbuf *out, struct err *err)
{
	struct readings *readings = data;
	struct tree *tree;
	int rc;

	if ((rc = open_tree(&tree, readings->store, readings->wanted[index], err)))
		return rc;
	rc = read_tree(out, tree, readings->store->options, err);
	if (rc && rc != ERR_IO && !strstr(err->text, tree->version))
		err_prefix(err, "%s", tree->version);
	tree_free(tree);
	return rc;
}

/*
 * Sets the document or the error of readings->wanted[@index], and its rc. Reports progress, and puts the
 * document into the cache. @result: the output of read_tree()
 */
static void take_answer(void *data, size_t index, int rc, struct view result, const struct err *err)
{
	struct readings *readings = data;
	const struct store_options *options = readings->store->options;
	struct wanted *wanted = readings->wanted[index];
	struct store_request *request = wanted->request;
	const struct view packed = { result.at + 1, result.length - 1 };
	struct abi abi;

	if (++readings->finished && readings->count > SILENT_COUNT && options->progress)
		options->progress(options->data, "reading versions", readings->finished, readings->count);
	if (rc)
		request->err = *err;
	else if (!result.length)
		rc = err_set(&request->err, ERR_FORMAT, "%s: the worker's answer is empty",
			     wanted->version.name);
	else
		rc = archive_unpack(&abi, packed.at, packed.length, readings->arena, &request->err);
	request->rc = rc;
	wanted->done = true;
	if (rc)
		return;
	wanted_set(wanted, &abi);
	wanted->key_decides = *result.at;
	if (readings->store->cache)
		cache_store_put(readings->store->cache, wanted, packed);
}

static const char *name_wanted(void *data, size_t index)
{
	const struct wanted *wanted = ((const struct readings *)data)->wanted[index];

	return wanted->directory ? wanted->directory : wanted->version.name;
}

/*
 * In a worker: lists the files that it may read: clang's headers, and the repository or package. NULL lets it
 * read any file: if a tree is a directory, whose links can lead anywhere, or if the repository cannot be
 * opened, and then each job fails.
 */
static const char *const *prepare_reading(void *data)
{
	const struct readings *readings = data;
	struct tree_store *self = readings->store;
	const char *const package[] = { extract_prepare_process(), self->options->package, NULL };
	const char *const *files = package + 1;
	const char **paths;
	size_t count = 0;

	for (size_t i = 0; i < readings->count && !package[1]; i++)
		if (readings->wanted[i]->directory)
			return NULL;
	if (!package[1] && !(files = open_before_confining(self)))
		return NULL;
	while (files[count])
		count++;
	paths = arena_array(self->arena, count + 2, sizeof(*paths));
	paths[0] = package[0];
	memcpy(paths + 1, files, (count + 1) * sizeof(*files));
	return paths;
}

/*
 * Extracts all documents of @readings in workers, at most one for each processor. Return: 0, even if
 * documents could not be extracted, because their requests have the errors; ERR_IO; ERR_USAGE.
 */
static int run_readings(struct readings *readings, struct err *err)
{
	const struct store_options *options = readings->store->options;
	const struct bounded_ops ops = { .kind = BOUNDED_HEADERS,
					 .prepare = prepare_reading,
					 .work = read_wanted,
					 .done = take_answer,
					 .name = name_wanted,
					 .data = readings };
	const long processors = sysconf(_SC_NPROCESSORS_ONLN);
	unsigned jobs = options->jobs ? options->jobs : processors > 0 ? (unsigned)processors : 1;
	int rc;

	/* Workers cannot load libraries any more, or would load them again and again. */
	if (readings->count &&
	    ((rc = extract_load(err)) || (options->package && (rc = package_library(err)))))
		return rc;
	readings->finished = 0;
	return bounded_run(&ops, readings->count, jobs, err);
}

/*
 * The function `documents` of this store: extracts all wanted documents. Reads one tree for each key, and
 * shares its document if the key decides it. Otherwise, also reads the other trees with this key.
 */
static int tree_documents(void *data, struct wanted *const *wanted, size_t count, struct arena *arena,
			  struct err *err)
{
	struct tree_store *self = data;
	struct readings readings = { .store = self,
				     .wanted = xmalloc((count + 1) * sizeof(struct wanted *)),
				     .arena = arena };
	int rc;

	if (count > 1)
		tree_store_keys(self, wanted, count);
	for (size_t i = 0; i < count; i++)
		if (wanted_owner(wanted, i) == i)
			readings.wanted[readings.count++] = wanted[i];
	rc = run_readings(&readings, err);
	readings.count = 0;
	for (size_t i = 0; i < count && !rc; i++) {
		const struct wanted *owner;

		if (wanted[i]->done)
			continue;
		owner = wanted[wanted_owner(wanted, i)];
		if (!owner->request->rc && owner->key_decides)
			wanted_share(wanted[i], owner);
		else
			readings.wanted[readings.count++] = wanted[i];
	}
	if (!rc)
		rc = run_readings(&readings, err);
	free(readings.wanted);
	return rc;
}

void tree_store_release(struct tree_store *self)
{
	free(self->shown);
	if (self->clone_fd >= 0)
		close(self->clone_fd);
}

const struct store_ops tree_store_ops = { .find = find_version,
					  .versions = list_graph,
					  .documents = tree_documents };
