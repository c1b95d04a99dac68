/*
 * cli/cmd_bootstrap.c - drvabi bootstrap
 *
 * 1. The graph and the document of the version are loaded. With --dir, --run or --json, the document is that
 *    of a tree, a package or a file. A version that is not in the graph is inserted according to its number.
 * 2. The place of the version in the table's tree is found (bootstrap/bootstrap.h).
 * 3. The documents of the parent node, of the version, and of the versions between them are loaded. If the
 *    table is up to date, there are only two documents.
 * 4. bootstrap_version() or bootstrap_add() finds the work, and the report and the files are written.
 */
#include "cli/cli.h"

#include <sys/stat.h>
#include <unistd.h>

/*
 * what bootstrap writes into a directory
 *
 * All four texts are written into temporary files before the first of them replaces an old file
 * (file_writer_finish()), so a full disk changes no file.
 */

enum { FILES = 4 };

struct out_file {
	const char *path;
	struct strbuf text;
	struct file_writer to;
};

struct bootstrap_run {
	const struct cli_args *args;
	struct cli_args stores;         /* args without --dir, --run and --json: for other versions */
	struct store_request given;     /* the document of --dir, --run or --json */
	struct stat package;            /* the status of the file of --run before its SHA-256 was computed */
	const char *parent_by_number; /* the parent of @given, if the graph did not contain @given */
	struct store_history loaded;
	struct history_graph graph;
	struct table table;
	struct bootstrap_position position;
	struct proxytype_set *types;
	struct bootstrap_observed observed;
	struct suppressions accepted;
	struct bootstrap result;
};

/* Sets @files to the paths and texts of the four files that --output DIR has. The caller releases them. */
static void render_files(struct out_file files[FILES], const char *dir, const struct bootstrap *bootstrap,
			 struct arena *arena)
{
	static const char *const names[FILES] = { "report.md", "table.patch.json", "structs.go",
						  "bootstrap.json" };
	const struct gen_file structs = {
		.style = GEN_NVPROXY,
		.package = "nvgpu",
		.origin = arena_printf(arena, "%s %s, %s", bootstrap->driver, bootstrap->version,
				       bootstrap->target),
		.types = bootstrap->types,
		.type_count = bootstrap->type_count,
	};

	for (size_t i = 0; i < FILES; i++)
		files[i] = (struct out_file){ .path = arena_printf(arena, "%s/%s", dir, names[i]),
					      .to = { .fd = -1, .dir_fd = -1 } };
	report_bootstrap(&files[0].text, bootstrap, &(struct report_style){ .markdown = true });
	json_write_table(&(struct json_writer){ .out = &files[1].text }, &bootstrap->patch,
			 TABLE_PATCH_FORMAT);
	gen_go(&files[2].text, &structs);
	if (!bootstrap->type_count)
		strbuf_adds(&files[2].text, "\n// No new type is needed.\n");
	report_bootstrap_json(&files[3].text, bootstrap);
}

/*
 * Writes the text into a temporary file, which file_writer_finish() later renames to file->path. Return: 0;
 * ERR_IO, also if a link, a pipe or a device has the file's name; ERR_USAGE if the run has read the file.
 */
static int write_out_file(struct out_file *file, struct err *err)
{
	struct stat st;
	int rc;

	if (!lstat(file->path, &st) && !S_ISREG(st.st_mode))
		return err_set(err, ERR_IO,
			       "%s is not a regular file; remove it, or name a different directory",
			       file->path);
	if ((rc = file_check_output(file->path, err)) || (rc = file_writer_open(&file->to, file->path, err)))
		return rc;
	if ((rc = file_writer_add(&file->to, strbuf_text(&file->text), file->text.length, err)))
		return rc;
	/* Some file systems report only now that the disk is full. */
	if (fsync(file->to.fd) && errno != EINVAL && errno != EROFS)
		return err_set(err, ERR_IO, "cannot write %s: %s", file->path, strerror(errno));
	return 0;
}

/* Creates the directory. Return: 1 if it was created; 0 if it already existed; ERR_IO. */
static int make_dir(const char *dir, struct err *err)
{
	struct stat st;

	if (!mkdir(dir, 0777))
		return 1;
	if (errno != EEXIST)
		return err_set(err, ERR_IO, "cannot make the directory %s: %s", dir, strerror(errno));
	if (stat(dir, &st) || !S_ISDIR(st.st_mode))
		return err_set(err, ERR_IO,
			       "%s is not a directory; bootstrap writes four files into it", dir);
	return 0;
}

/*
 * Writes report.md, table.patch.json, structs.go and bootstrap.json into @dir, which is created if it does
 * not exist. After an error, all files are unchanged, and a created directory is removed, unless a file
 * could be written but not renamed. The message then says which files are new.
 */
static int bootstrap_files_write(const char *dir, const struct bootstrap_run *run, struct err *err)
{
	struct out_file files[FILES];
	struct strbuf replaced = { 0 };
	struct err cause;
	int made, rc = 0;

	if ((made = make_dir(dir, err)) < 0)
		return made;
	render_files(files, dir, &run->result, run->args->arena);
	for (size_t i = 0; i < FILES && !rc; i++)
		rc = write_out_file(&files[i], err);
	for (size_t i = 0; i < FILES && !rc; i++)
		if (!(rc = file_writer_finish(&files[i].to, err)))
			strbuf_addf(&replaced, "%s%s", i ? ", " : "", files[i].path);
	if (rc && replaced.length) {
		cause = *err;
		err_set(err, rc, "%s; already replaced: %s", cause.text, replaced.text);
	}
	for (size_t i = 0; i < FILES; i++) {
		file_writer_release(&files[i].to);
		strbuf_release(&files[i].text);
	}
	strbuf_release(&replaced);
	if (rc && made)
		rmdir(dir);
	return rc;
}

/*
 * 1. trace_call_follow() finds each recorded call and the calls inside it, with the document of the trace's
 *    version.
 * 2. An ioctl that the driver did not refuse counts as used. Its name is taken from the document.
 * 3. The uses of all traces are sorted, without duplicates.
 */

struct observed_run {
	const struct cli_args *args;
	const char *version;        /* the version of traces that do not contain their version */
	struct use_rules use;
	struct bootstrap_use *uses; /* the uses in all traces */
	size_t count;
	const char *cap, *name;     /* the capability and file name of the trace that is being read */
	struct store_request one;
	bool has_document;
	struct arena document;      /* freed after each trace, because each may need a different document */
};

/* --- calls --------------------------------------------------------------------------- */

static bool has_status_value(const struct abi *abi, const char *name, uint64_t value)
{
	const struct abi_constant *constant = abi_find_constant(abi, name);

	return constant && constant->value.magnitude == value;
}

/*
 * Returns true if the status in the envelope @chain[@index] says that the driver does not support the call
 * or class inside it. A workload does not need such a call, because it continued without it.
 */
static bool is_refused(const struct trace_message *message, const struct call *chain, size_t index,
		       const struct abi *abi)
{
	const struct call *envelope = &chain[index];
	const struct trace_bytes *after = message_after(message, index, envelope->address);
	uint64_t status;

	if (!after || !after->bytes || !envelope->record ||
	    !call_field_value(&status, abi, envelope->record, "status", after->bytes, after->size_bytes))
		return false;
	return has_status_value(abi, "NV_ERR_NOT_SUPPORTED", status) ||
	       has_status_value(abi, "NV_ERR_INVALID_CLASS", status);
}

/*
 * Adds an ioctl of the trace that is being read to run->uses. If the uses already contain the ioctl for the
 * same trace, only @caller is added to its callers. @caller: "" if it is unknown
 */
static void add_observed_use(struct observed_run *run, const struct call *call, const char *caller)
{
	const char *name = call->ioctl ? call->ioctl->name : "";
	struct bootstrap_use *known = NULL;
	struct strbuf callers = { 0 };

	for (size_t i = run->count; i-- > 0 && !known;) {
		struct bootstrap_use *use = &run->uses[i];

		if (use->number == call->number && !strcmp(use->name, name) &&
		    !strcmp(use->family, call->family) && use->cap == run->cap && use->trace == run->name)
			known = use;
	}
	if (known && *caller) {
		strbuf_adds(&callers, known->callers ? known->callers : "");
		decode_callers_add(&callers, caller);
		if (!known->callers || callers.length > strlen(known->callers))
			known->callers = arena_strdup(run->args->arena, strbuf_text(&callers));
		strbuf_release(&callers);
	}
	if (known)
		return;
	run->uses = arena_room(run->args->arena, run->uses, run->count, sizeof(*run->uses));
	run->uses[run->count++] = (struct bootstrap_use){
		arena_strdup(run->args->arena, call->family),
		arena_strdup(run->args->arena, name),
		call->number,
		run->cap,
		run->name,
		*caller ? arena_strdup(run->args->arena, caller) : NULL,
	};
}

/* --- traces -------------------------------------------------------------------------- */

/*
 * Loads the document of the version and target that @message names if it is the header of the trace;
 * otherwise of run->version. --target overrides the header.
 */
static int load_document(struct observed_run *run, const struct trace_message *message, struct err *err)
{
	const bool is_header = message->kind == TRACE_HEADER;
	struct cli_args args = *run->args;
	int rc;

	args.arena = &run->document;
	run->one.version =
		is_header && *message->version ? arena_strdup(args.arena, message->version) : run->version;
	if (!args.target_given && is_header && *message->target)
		args.target = arena_strdup(args.arena, message->target);
	if ((rc = load_documents(&run->one, 1, &args, err))) {
		err_prefix(err, "%s", run->name);
		return rc;
	}
	run->has_document = true;
	return 0;
}

/*
 * Called for each message of a trace. Adds an ioctl that did not fail, and the calls inside it that the
 * driver did not refuse, to the uses. The first message of a trace also selects the document.
 */
static int add_message(const struct trace_message *message, void *data, struct err *err)
{
	struct observed_run *run = data;
	struct call chain[CALL_DEPTH_MAX];
	size_t count;
	int rc;

	if (!run->has_document && (rc = load_document(run, message, err)))
		return rc;
	if (message->kind != TRACE_IOCTL || message->ret < 0)
		return 0;
	count = trace_call_follow(chain, message, &run->use.devices, &run->one.abi);
	for (size_t i = 0; i < count; i++) {
		add_observed_use(run, &chain[i], message->caller);
		if (is_refused(message, chain, i, &run->one.abi))
			break;
	}
	return 0;
}

/* Returns the capability @word, as table_caps has it; NULL if it is unknown. */
static const char *find_cap(const char *word)
{
	for (const char *const *known = table_caps; *known; known++)
		if (!strcmp(*known, word))
			return *known;
	return NULL;
}

/*
 * Fails because a capability in @item is unknown. The message lists all capabilities. Return: ERR_USAGE.
 * @takes: the first words of the message, such as "--caps takes some of"
 */
static int fail_unknown_cap(const char *takes, const char *item, struct arena *arena, struct err *err)
{
	struct strbuf all = { 0 };

	for (const char *const *known = table_caps; *known; known++)
		strbuf_addf(&all, "%s%s", all.length ? ", " : "", *known);
	return usage_error(err, "%s the capabilities %s, not '%s'", takes, strbuf_take(&all, arena), item);
}

/* Sets out->given to the distinct capabilities of --caps, sorted. Return: 0; ERR_USAGE if one is unknown. */
static int read_given_caps(struct bootstrap_observed *out, const struct cli_args *args, struct err *err)
{
	const struct profile_strings words = list_split(args->caps, ',', args->arena);
	struct nearby_words caps = { .count = 0 };

	for (size_t i = 0; i < words.count; i++) {
		const char *cap = find_cap(words.item[i]);

		if (!cap)
			return fail_unknown_cap("--caps takes some of", args->caps, args->arena, err);
		nearby_word(&caps, cap, args->arena);
	}
	sort_items(caps.item, caps.count, sizeof(*caps.item), order_named);
	out->given = caps.item;
	out->given_count = caps.count;
	return 0;
}

/*
 * Adds the ioctls in the trace of @item, "compute=FILE", to run->uses. Prints a note if the trace is
 * incomplete or adds none. Return: 0; ERR_USAGE if @item is malformed; what trace_file_each() returns.
 */
static int load_trace(struct observed_run *run, const char *item, struct err *err)
{
	const size_t before = run->count, length = strcspn(item, "=");
	const char *path = item + length + 1, *slash;
	uint64_t cut_bytes = UINT64_MAX;
	int rc;

	if (!item[length] || !*path ||
	    !(run->cap = find_cap(arena_strndup(run->args->arena, item, length))))
		return fail_unknown_cap("--trace takes CAP=TRACE, with one of", item, run->args->arena, err);
	slash = strrchr(path, '/');
	run->name = slash && slash[1] ? slash + 1 : path;
	run->one = (struct store_request){ .version = NULL };
	run->has_document = false;
	if (!(rc = trace_file_each(&cut_bytes, path, add_message, run, err))) {
		trace_file_warn(run->args, path, cut_bytes);
		if (run->count == before)
			output_note(run->args, "%s has no ioctl that the driver accepted", path);
	}
	arena_release(&run->document);
	return rc;
}

/*
 * Sets @out to the capabilities of --caps, and to the ioctls in all traces of --trace CAP=FILE, sorted. Calls
 * that failed, or returned NV_ERR_NOT_SUPPORTED or NV_ERR_INVALID_CLASS, are left out, because the workload
 * continued without them. @version: that of traces that do not contain it; NULL: the newest
 */
static int observed_load(struct bootstrap_observed *out, const struct cli_args *args, const char *version,
			 struct err *err)
{
	struct observed_run run = { .args = args, .version = version };
	int rc;

	if ((args->caps && (rc = read_given_caps(out, args, err))) || (rc = load_use(&run.use, args, err)))
		return rc;
	for (size_t i = 0; i < args->traces.count && !rc; i++)
		rc = load_trace(&run, args->traces.item[i], err);
	if (!rc && run.count) {
		sort_items(run.uses, run.count, sizeof(*run.uses), bootstrap_use_order);
		out->uses = run.uses;
		out->count = run.count;
	}
	return rc;
}

static int check_sha256(const char *option, const char *hex, struct err *err)
{
	if (!hex || !strcmp(hex, BOOTSTRAP_NO_PACKAGE) ||
	    (strlen(hex) == 64 && strspn(hex, "0123456789abcdef") == 64))
		return 0;
	return usage_error(err,
		"%s takes a SHA-256 as sha256sum prints it, 64 hexadecimal digits in lower case, or the word none, not '%s'",
		option, hex);
}

/* Returns true if the first word is a version. Names and numbers of ioctls contain no dot. */
static bool has_version(const struct cli_args *args)
{
	return !args->add_ioctls || (args->word_count && strchr(args->words[0], '.'));
}

static bool has_given(const struct cli_args *args)
{
	return args->dir || args->json || args->run_file;
}

static int check_args(const struct cli_args *args, struct err *err)
{
	const char *given = args->dir ? args->dir : args->json ? args->json : args->run_file;
	int rc;

	if ((rc = load_table_check("bootstrap", args, err)))
		return rc;
	if (args->add_ioctls && args->word_count == has_version(args))
		return usage_error(err, "--add needs names or numbers of ioctls");
	if (given && !has_version(args))
		return usage_error(err, "bootstrap needs the version of %s: bootstrap VERSION --%s %s", given,
				   cli_given(args, "dir json run"), given);
	if (!has_version(args) && (args->sha256_x86_64 || args->sha256_arm64))
		return usage_error(err,
			"--add without a version changes existing nodes; checksums are for a new version");
	if (!args->add_ioctls && args->word_count != 1)
		return usage_error(err,
			args->word_count
				? "bootstrap takes one version, but got %zu arguments"
				: "bootstrap needs a version, or --add with names or numbers of ioctls",
			args->word_count);
	if (args->only_counts && strcmp(args->format, "text"))
		return usage_error(err, "--stat is for --format text, not for %s", args->format);
	if ((rc = check_sha256("--sha256-x86_64", args->sha256_x86_64, err)))
		return rc;
	return check_sha256("--sha256-arm64", args->sha256_arm64, err);
}

/*
 * Sets run->loaded and run->graph, with the documents of @names, and with that of --dir, --run or --json. If
 * the version of the latter is not in the graph, it is added as a child of the result of
 * bootstrap_assume_parent(). @names: not NULL, which would load all documents. Return: 0; what load_history()
 * returns.
 */
static int load_graph(struct bootstrap_run *run, const char *const *names, size_t count, struct err *err)
{
	const struct store_choice choice = { .names = names, .count = count };
	const char *given = has_given(run->args) ? run->args->words[0] : NULL;
	int rc = load_history(&run->loaded, &choice, &run->stores, err);
	size_t version_count = run->loaded.graph.count, at = 0;
	struct history_version *versions;

	if (rc == ERR_USAGE && given)
		return usage_error(err,
				   "bootstrap compares %s with the versions of the table's nodes; name a "
				   "repository that has them with --repo PATH",
				   given);
	if (rc)
		return rc;
	versions = lineage_documents(&run->loaded, run->args->arena);
	while (given && at < version_count && strcmp(versions[at].version, given))
		at++;
	if (given && at == version_count) {
		const long parent = bootstrap_assume_parent(versions, version_count, given);

		run->parent_by_number = parent == HISTORY_NO_PARENT ? NULL : versions[parent].version;
		versions[version_count++] = (struct history_version){ .version = given, .parent = parent };
	}
	if (given) {
		versions[at].abi = &run->given.abi;
		versions[at].commit = run->given.abi.commit;
	}
	history_graph_of(&run->graph, versions, version_count, run->args->arena);
	return 0;
}

/* Fails with the error of reading the version, if it could not be read. @version: its index in the graph */
static int check_read(const struct bootstrap_run *run, size_t version, struct err *err)
{
	if (run->graph.versions[version].abi)
		return 0;
	*err = run->loaded.requests[version].err;
	return run->loaded.requests[version].rc;
}

/*
 * Loads the graph again, with the documents of position.path. With --add, also loads the documents of all
 * nodes of the table and of their ancestors, to find the first version with each ioctl.
 */
static int load_needed(struct bootstrap_run *run, struct err *err)
{
	size_t all = run->graph.version_count, count = 0;
	const char **names = arena_array(run->args->arena, all + 1, sizeof(*names));
	bool *wanted = arena_array(run->args->arena, all + 1, sizeof(*wanted));

	for (size_t i = 0; i < run->position.path_count; i++)
		wanted[run->position.path[i]] = true;
	for (size_t i = 0; i < run->table.node_count && run->args->add_ioctls; i++) {
		size_t node = history_graph_index(&run->graph, run->table.nodes[i].version);
		long version = node < all ? (long)node : HISTORY_NO_PARENT;

		for (; version != HISTORY_NO_PARENT && !wanted[version];
		     version = run->graph.versions[version].parent)
			wanted[version] = true;
	}
	for (size_t i = 0; i < all; i++)
		if (wanted[i] && run->graph.versions[i].abi != &run->given.abi)
			names[count++] = run->graph.versions[i].version;
	return load_graph(run, names, count, err);
}

/*
 * Sets run->position to the place in the table's tree of the version that is added: that of --dir, --run or
 * --json, or else the only version that was requested. Fails if the version could not be read.
 */
static int find_position(struct bootstrap_run *run, struct err *err)
{
	size_t version = 0;
	int rc;

	if (has_given(run->args))
		version = history_graph_index(&run->graph, run->args->words[0]);
	else
		while (run->loaded.requests[version].skipped)
			version++;
	rc = check_read(run, version, err);
	return rc ? rc
		  : bootstrap_find(&run->position, &run->graph, &run->table, version, run->args->arena, err);
}

/* Fails if the table is for a different driver than a loaded document. Return: 0; ERR_USAGE. */
static int check_driver(const struct bootstrap_run *run, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; i < run->graph.version_count && !rc; i++)
		if (run->graph.versions[i].abi)
			rc = load_table_check_driver(&run->table, run->graph.versions[i].abi->driver,
						     run->args, err);
	return rc;
}

/*
 * Adds hints to the message of @err: the versions nearest to @word, and the node that the number of @word
 * suggests. @word is in neither the archive nor the repository, or the repository could not be fetched. If
 * @word does not begin with a digit, or the graph cannot be loaded, the message is unchanged.
 */
static void add_nearest(struct bootstrap_run *run, const char *word, struct err *err)
{
	struct abi_nearest nearest = { .count = 0 };
	struct strbuf hint = { 0 };
	struct err cause = *err;
	const struct table_node *node = NULL;
	const char **names;
	const bool is_known = strstr(err->text, "nearest: ");
	long older;

	if (!isdigit((unsigned char)*word) || load_graph(run, &word, 0, &(struct err){ "" }))
		return;
	names = arena_array(run->args->arena, run->graph.version_count + 1, sizeof(*names));
	for (size_t i = 0; i < run->graph.version_count; i++)
		names[i] = run->graph.versions[i].version;
	abi_nearest_neighbours(&nearest, word, names, run->graph.version_count);
	if (!is_known)
		abi_nearest_list(&hint, &nearest);
	older = bootstrap_assume_parent(run->graph.versions, run->graph.version_count, word);
	if (older != HISTORY_NO_PARENT)
		node = forwarded_node(&run->table, &run->graph, (size_t)older, NULL);
	if (node)
		strbuf_addf(&hint,
			"; according to its number, it follows node %s; only its source (--dir TREE) can confirm this",
			node->version);
	if (is_known)
		err_set(err, 0, "%s%s", cause.text, strbuf_text(&hint));
	else
		err_set(err, 0, "%s is not a known version%s; %s", word, strbuf_text(&hint),
			cause.text);
	strbuf_release(&hint);
}

/*
 * Loads the document of the version or of --dir, --run or --json, and the graph that contains this version.
 * If a version that the user named is not found, the message has the hints of add_nearest().
 */
static int load_version(struct bootstrap_run *run, struct err *err)
{
	const struct cli_args *args = run->args;
	const char *version = args->words[0];
	struct cli_args with = *args;
	int rc;

	if (!has_given(args)) {
		rc = load_graph(run, args->words, 1, err);
		if (rc == ERR_NOT_FOUND || rc == ERR_GIT)
			add_nearest(run, version, err);
		return rc;
	}
	with.accepts_partial = true;
	with.repo = with.archive = NULL;
	run->given.json = args->json;
	run->given.version = args->json ? NULL : version;
	if ((rc = load_documents(&run->given, 1, &with, err)))
		return rc;
	/* Without a commit, the document is that of a directory, and its version is the directory's name. */
	if (args->json && *run->given.abi.commit && strcmp(run->given.abi.version, version))
		return usage_error(err, "%s has version %s, not %s", args->json, run->given.abi.version,
				   version);
	run->given.abi.version = version;
	return load_graph(run, args->words, 0, err);
}

/*
 * Fails if the file of --run changed between the computation of its SHA-256, which is for the table, and the
 * reading of its sources. Return: 0; ERR_IO.
 */
static int check_package(const struct bootstrap_run *run, struct err *err)
{
	const struct stat *before = &run->package;
	struct stat now;

	if (!run->args->run_file)
		return 0;
	if (stat(run->args->run_file, &now) || now.st_dev != before->st_dev || now.st_ino != before->st_ino ||
	    now.st_size != before->st_size || now.st_ctim.tv_sec != before->st_ctim.tv_sec ||
	    now.st_ctim.tv_nsec != before->st_ctim.tv_nsec)
		return err_set(err, ERR_IO, "%s changed while it was read; run the command again",
			       run->args->run_file);
	return 0;
}

/* Loads all inputs for a new version, and sets run->result with bootstrap_version(). */
static int run_version(struct bootstrap_run *run, struct bootstrap_options *options, struct err *err)
{
	const struct cli_args *args = run->args;
	struct arena *arena = args->arena;
	const char *other;
	int rc;

	if ((rc = load_version(run, err)) ||
	    (rc = check_package(run, err)) ||
	    (rc = check_driver(run, err)) ||
	    (rc = observed_load(&run->observed, &run->stores, args->words[0], err)) ||
	    (rc = find_position(run, err)) ||
	    (rc = load_needed(run, err)) ||
	    /* The versions between the first and the last one are not required. */
	    (rc = check_read(run, run->position.path[0], err)) ||
	    (rc = check_read(run, run->position.path[run->position.path_count - 1], err)))
		return rc;
	options->sha256_x86_64 = args->sha256_x86_64;
	options->sha256_arm64 = args->sha256_arm64;
	options->add = args->words + 1;
	options->add_count = args->word_count - 1;
	other = load_note_version(args->words[0], args);
	if (has_given(args))
		options->origin = other ? arena_printf(arena, "the tree in %s, whose %s", args->dir, other)
				  : args->dir      ? arena_printf(arena, "the tree in %s", args->dir)
				  : args->run_file ? arena_printf(arena, "kernel-open of %s", args->run_file)
						   : arena_printf(arena, "the document %s", args->json);
	options->parent_by_number = run->parent_by_number;
	run->types = proxytype_set_new(&run->table, run->args->arena);
	return bootstrap_version(&run->result, &run->position, &run->graph, &run->table, run->types, options,
				 run->args->arena, err);
}

/* For --add without a version: loads all inputs, and sets run->result with bootstrap_add(). */
static int run_add(struct bootstrap_run *run, const struct bootstrap_options *options, struct err *err)
{
	int rc;

	if ((rc = load_graph(run, run->args->words, 0, err)) ||
	    (rc = load_needed(run, err)) ||
	    (rc = check_driver(run, err)) ||
	    (rc = observed_load(&run->observed, &run->stores, NULL, err)))
		return rc;
	run->types = proxytype_set_new(&run->table, run->args->arena);
	return bootstrap_add(&run->result, &run->graph, &run->table, run->types, run->args->words,
			     run->args->word_count, options, run->args->arena, err);
}

/* Returns the work that is needed, as bits of enum bootstrap_work, for --fail-on. */
static unsigned work_of(const struct bootstrap *bootstrap)
{
	unsigned work = bootstrap->fault_count ? WORK_FAULT : 0;

	for (size_t i = 0; i < bootstrap->node_count; i++)
		work |= bootstrap->nodes[i].exists ? 0 : WORK_NODE;
	for (size_t i = 0; i < bootstrap->entry_count; i++) {
		const struct bootstrap_entry *entry = &bootstrap->entries[i];

		if (entry->action != BOOTSTRAP_NONE)
			work |= entry->is_read                         ? WORK_READ
				: entry->action == BOOTSTRAP_REPLACE ? WORK_HANDLER
								     : WORK_UNREAD;
	}
	for (size_t i = 0; i < bootstrap->todo_count; i++)
		work |= !strcmp(bootstrap->todo[i].what, "ioctl") ? WORK_UNREAD
			: !strcmp(bootstrap->todo[i].what, "pid")   ? WORK_HANDLER
			: !strcmp(bootstrap->todo[i].what, "finding") ? WORK_FAULT
								      : 0;
	return work;
}

/* Sets *@given to @hex, the checksum of @path. Return: 0; ERR_USAGE if the user gave a different one. */
static int take_sha256(const char **given, const char *hex, const char *path, struct err *err)
{
	if (*given && strcmp(*given, hex))
		return usage_error(err, "the SHA-256 of %s is %s, not %s", path, hex, *given);
	*given = hex;
	return 0;
}

/*
 * Reads the version and the checksum of the package of --run. If args->words does not begin with a version,
 * inserts the package's version there. Sets args->sha256_x86_64 or sha256_arm64; if the package does not
 * name its processor, prints a note. Fails if the user gave a different version or checksum.
 * @st: set to the status of the file before it was read, for check_package()
 */
static int read_package(struct stat *st, struct cli_args *args, struct err *err)
{
	const char *path = args->run_file, **words;
	struct package_head head;
	int rc;

	(void)stat(path, st); /* if this fails, opening the file reports the error */
	if ((rc = store_package_head(&head, path, args->arena, err)))
		return rc;
	if (!args->word_count || !strchr(args->words[0], '.')) {
		words = arena_array(args->arena, args->word_count + 1, sizeof(*words));
		words[0] = head.version;
		for (size_t i = 0; i < args->word_count; i++)
			words[i + 1] = args->words[i];
		args->words = words;
		args->word_count++;
	}
	if (!*args->words[0])
		return usage_error(err,
				   "%s does not contain its version; name it: bootstrap VERSION --run %s",
				   path, path);
	if (*head.version && strcmp(head.version, args->words[0]))
		return usage_error(err, "%s has version %s, not %s", path, head.version, args->words[0]);
	if (!strcmp(head.machine, "x86_64"))
		return take_sha256(&args->sha256_x86_64, head.sha256, path, err);
	if (!strcmp(head.machine, "aarch64"))
		return take_sha256(&args->sha256_arm64, head.sha256, path, err);
	output_note(args, "%s does not say whether it is for x86_64 or aarch64; its SHA-256 is %s", path,
		    head.sha256);
	return 0;
}

/*
 * drvabi bootstrap: reports what a new version, or ioctls to add, require in a proxy's table, and writes the
 * files of -o DIR. Return: CLI_SOMETHING for work of --fail-on; without it, with --exit-code, for any work.
 */
int cmd_bootstrap(struct cli_args *args, struct err *err)
{
	struct bootstrap_run run = { .args = args };
	struct use_rules use;
	struct bootstrap_options options = { .use = &use,
					     .observed = &run.observed,
					     .accepted = &run.accepted };
	unsigned fails = 0;
	int rc;

	if (args->run_file && (rc = read_package(&run.package, args, err)))
		return rc;
	run.stores = *args;
	run.stores.dir = run.stores.json = run.stores.run_file = NULL;
	if ((rc = check_args(args, err)) ||
	    (rc = word_list_read(&fails, WORDS_WORK, args->fail_on, args->arena, err)) ||
	    (rc = load_table(&run.table, args, err)) ||
	    (suppress_path(args) &&
	     (rc = suppress_file_read(&run.accepted, suppress_path(args), NULL, args, err))) ||
	    (rc = load_use(&use, args, err)) ||
	    (rc = has_version(args) ? run_version(&run, &options, err) : run_add(&run, &options, err)) ||
	    (args->output && (rc = bootstrap_files_write(args->output, &run, err))))
		goto out;
	args->output = NULL; /* -o names a directory, so the report goes to standard output */
	args->style = output_style(args);
	if (!strcmp(args->format, "json"))
		report_bootstrap_json(args->out, &run.result);
	else if (args->only_counts && !args->style.markdown)
		report_bootstrap_counts(args->out, &run.result, &args->style);
	else
		report_bootstrap(args->out, &run.result, &args->style);
	if ((rc = output_write(args, err)))
		goto out;
	if (run.result.fault_count) /* the note follows the report */
		suppress_note_unused(&run.table, args);
	if (args->fail_on ? work_of(&run.result) & fails
			  : args->exit_code && run.result.verdict != BOOTSTRAP_NOTHING)
		rc = CLI_SOMETHING;
out:
	proxytype_set_free(run.types);
	return rc;
}
