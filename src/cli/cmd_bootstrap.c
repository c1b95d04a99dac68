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
#include "abi/abi.h"
#include "bootstrap/bootstrap.h"
#include "decode/decode.h"
#include "gen/gen.h"
#include "report/report.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * what bootstrap writes into a directory
 *
 * All texts are rendered before the first file is written. Each file is written atomically
 * (file_write_atomic()). If a file cannot be written, the files that were already written get their old
 * contents back, or are removed.
 */

enum { FILES = 4, OLD_LIMIT_BYTES = 256 * 1024 * 1024 };

struct out_file {
	const char *path;
	struct strbuf text;
	struct strbuf old; /* the contents before this run */
	bool was_there, written;
};

struct bootstrap_run {
	const struct cli_args *args;
	struct cli_args stores;         /* a copy of args without --dir, --run and --json: the source of
					   the other versions */
	struct store_request given;     /* the document of --dir, --run or --json */
	struct stat package;            /* the status of the file of --run before its SHA-256 was computed */
	const char *by_number; /* the version that became the parent of @given in the graph; NULL if
				  @given was already in the graph */
	struct store_history loaded;
	struct history_graph graph;
	struct table table;
	struct bootstrap_position position;
	struct proxytype_set *types;
	struct bootstrap_observed observed;
	struct suppressions accepted;
	struct bootstrap result;
};

static void render_patch(struct strbuf *out, const struct bootstrap *bootstrap)
{
	struct json_writer writer = { .out = out };

	json_write_table_patch(&writer, &bootstrap->patch);
}

/* Writes the types in the style of gVisor's package nvgpu. A file without types is also valid Go. */
static void render_structs(struct strbuf *out, const struct bootstrap *bootstrap, struct arena *arena)
{
	const struct gen_file file = {
		.style = GEN_NVPROXY,
		.package = "nvgpu",
		.origin = arena_printf(arena, "%s %s, %s", bootstrap->driver, bootstrap->version,
				       bootstrap->target),
		.types = bootstrap->types,
		.type_count = bootstrap->type_count,
	};

	gen_go(out, &file);
	if (!bootstrap->type_count)
		strbuf_adds(out, "\n// No new type is needed.\n");
}

static void render_files(struct out_file files[FILES], const char *dir, const struct bootstrap *bootstrap,
		   struct arena *arena)
{
	static const char *const names[FILES] = { "report.md", "table.patch.json", "structs.go",
						  "bootstrap.json" };

	for (size_t i = 0; i < FILES; i++)
		files[i] = (struct out_file){ .path = arena_printf(arena, "%s/%s", dir, names[i]) };
	report_bootstrap(&files[0].text, bootstrap, &(struct report_style){ .markdown = true });
	render_patch(&files[1].text, bootstrap);
	render_structs(&files[2].text, bootstrap, arena);
	report_bootstrap_json(&files[3].text, bootstrap);
}

/*
 * Reads the contents of the existing file. A link, a pipe or a device is refused, because it could not be
 * restored.
 */
static int read_old(struct out_file *file, struct err *err)
{
	struct stat st;
	int rc;

	if (lstat(file->path, &st))
		return errno == ENOENT ? 0
				       : err_set(err, ERR_IO, "cannot read the status of %s: %s", file->path,
						 strerror(errno));
	if (!S_ISREG(st.st_mode))
		return err_set(err, ERR_IO,
			       "%s is not a regular file; remove it, or name a different directory",
			       file->path);
	if ((rc = file_check_output(file->path, err)))
		return rc;
	file->was_there = true;
	rc = file_read(&file->old, file->path, OLD_LIMIT_BYTES, err);
	file_forget_input(file->path);
	return rc;
}

/*
 * Restores the old contents of a file, or removes a new file. Errors are ignored, because an earlier error is
 * reported.
 */
static void restore_file(const struct out_file *file)
{
	struct err ignored;

	if (file->was_there)
		file_write_atomic(file->path, strbuf_text(&file->old), file->old.length, &ignored);
	else
		unlink(file->path);
}

/* If a file cannot be written, those written before it get their old contents back. */
static int write_all_or_none(struct out_file files[FILES], struct err *err)
{
	int rc = 0;

	for (size_t i = 0; i < FILES && !rc; i++)
		rc = read_old(&files[i], err);
	for (size_t i = 0; i < FILES && !rc; i++) {
		rc = file_write_atomic(files[i].path, strbuf_text(&files[i].text), files[i].text.length, err);
		files[i].written = !rc;
	}
	for (size_t i = 0; i < FILES && rc; i++)
		if (files[i].written)
			restore_file(&files[i]);
	return rc;
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

/**
 * bootstrap_files_write - write report.md, table.patch.json, structs.go and bootstrap.json, all or none
 * @dir: created if it does not exist; its other files are kept
 *
 * Return: 0; ERR_USAGE if this run reads one of the files; ERR_IO. After an error, all files are unchanged.
 */
static int bootstrap_files_write(const char *dir, const struct bootstrap_run *run, struct err *err)
{
	struct out_file files[FILES];
	int made, rc;

	if ((made = make_dir(dir, err)) < 0)
		return made;
	render_files(files, dir, &run->result, run->args->arena);
	rc = write_all_or_none(files, err);
	if (rc && made)
		rmdir(dir);
	for (size_t i = 0; i < FILES; i++) {
		strbuf_release(&files[i].text);
		strbuf_release(&files[i].old);
	}
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
	size_t count, capacity;
	const char *cap, *name;     /* the capability and file name of the trace that is being read */
	struct store_request one;
	bool has_document;
	struct arena document;      /* freed after each trace, because each may need a different document */
};

/* --- calls --------------------------------------------------------------------------- */

/* Returns the bytes at @address after the call; NULL if they were not recorded. */
static const struct trace_bytes *bytes_after(const struct trace_message *message, uint64_t address)
{
	if (address == message->argument)
		return &message->after;
	for (size_t i = 0; i < message->memory_count; i++)
		if (message->memory[i].address == address)
			return &message->memory[i].after;
	return NULL;
}

static bool has_status_value(const struct abi *abi, const char *name, uint64_t value)
{
	const struct abi_constant *constant = abi_find_constant(abi, name);

	return constant && constant->value.magnitude == value;
}

/*
 * Returns true if the status in @envelope says that the driver does not support the call or class inside it.
 */
static bool is_refused(const struct trace_message *message, const struct call *envelope,
		       const struct abi *abi)
{
	const struct trace_bytes *after = bytes_after(message, envelope->address);
	uint64_t status;

	if (!after || !after->bytes || !envelope->record ||
	    !call_field_value(&status, abi, envelope->record, "status", after->bytes, after->size_bytes))
		return false;
	return has_status_value(abi, "NV_ERR_NOT_SUPPORTED", status) ||
	       has_status_value(abi, "NV_ERR_INVALID_CLASS", status);
}

/* Returns the use of the ioctl of @call, with @name, in the current trace; NULL if there is none yet. */
static struct bootstrap_use *known_use(const struct observed_run *run, const struct call *call,
				       const char *name)
{
	for (size_t i = run->count; i-- > 0;) {
		struct bootstrap_use *use = &run->uses[i];

		if (use->number == call->number && !strcmp(use->name, name) &&
		    !strcmp(use->family, call->family) && use->cap == run->cap && use->trace == run->name)
			return use;
	}
	return NULL;
}

static void add_observed_use(struct observed_run *run, const struct call *call, const char *caller)
{
	const char *name = call->ioctl ? call->ioctl->name : "";
	struct bootstrap_use *known = known_use(run, call, name);
	struct strbuf callers = { 0 };

	if (known && *caller) {
		strbuf_adds(&callers, known->callers ? known->callers : "");
		decode_callers_add(&callers, caller);
		if (!known->callers || callers.length > strlen(known->callers))
			known->callers = arena_strdup(run->args->arena, strbuf_text(&callers));
		strbuf_release(&callers);
	}
	if (known)
		return;
	ARRAY_GROW(run->uses, run->count, run->capacity);
	run->uses[run->count++] = (struct bootstrap_use){
		arena_strdup(run->args->arena, call->family),
		arena_strdup(run->args->arena, name),
		call->number,
		run->cap,
		run->name,
		*caller ? arena_strdup(run->args->arena, caller) : NULL,
	};
}

static void add_observed_call(struct observed_run *run, const struct trace_message *message)
{
	struct call chain[CALL_DEPTH_MAX];
	size_t count = trace_call_follow(chain, message, &run->use.devices, &run->one.abi);

	for (size_t i = 0; i < count && message->ret >= 0; i++) {
		add_observed_use(run, &chain[i], message->caller);
		if (is_refused(message, &chain[i], &run->one.abi))
			return;
	}
}

/* --- traces -------------------------------------------------------------------------- */

/*
 * Loads the document of the version that @message names if it is the header of the trace; otherwise of
 * run->version.
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

static int add_message(const struct trace_message *message, void *data, struct err *err)
{
	struct observed_run *run = data;
	int rc;

	if (!run->has_document && (rc = load_document(run, message, err)))
		return rc;
	if (message->kind == TRACE_IOCTL)
		add_observed_call(run, message);
	return 0;
}

static const char *file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* Returns the capability whose name is the @length bytes at @word; NULL if it is unknown. */
static const char *find_cap(const char *word, size_t length)
{
	for (const char *const *known = table_caps; *known; known++)
		if (strlen(*known) == length && !strncmp(*known, word, length))
			return *known;
	return NULL;
}

static int fail_unknown_cap(const char *takes, const char *item, struct err *err)
{
	struct strbuf all = { 0 };
	int rc;

	for (const char *const *known = table_caps; *known; known++)
		strbuf_addf(&all, "%s%s", all.length ? ", " : "", *known);
	rc = usage_error(err, "%s the capabilities %s, not '%s'", takes, all.text, item);
	strbuf_release(&all);
	return rc;
}

/* Reads the capabilities of --caps, without duplicates. */
static int read_given_caps(struct bootstrap_observed *out, const struct cli_args *args, struct err *err)
{
	const char *words = args->caps, **caps = arena_array(args->arena, strlen(words) + 1, sizeof(*caps));
	size_t count = 0, kept = 0;

	for (const char *at = words, *end; ; at = end + 1) {
		end = strchrnul(at, ',');
		if (!(caps[count++] = find_cap(at, (size_t)(end - at))))
			return fail_unknown_cap("--caps takes some of", words, err);
		if (!*end)
			break;
	}
	qsort(caps, count, sizeof(*caps), order_named);
	for (size_t i = 0; i < count; i++)
		if (!kept || caps[kept - 1] != caps[i])
			caps[kept++] = caps[i];
	out->given = caps;
	out->given_count = kept;
	return 0;
}

/* Splits "compute=FILE" into the capability and the path. */
static int split_trace_option(const char **cap, const char **path, const char *item, struct err *err)
{
	const size_t length = strcspn(item, "=");

	if (!item[length] || !item[length + 1] || !(*cap = find_cap(item, length)))
		return fail_unknown_cap("--trace takes CAP=TRACE, with one of", item, err);
	*path = item + length + 1;
	return 0;
}

static int load_trace(struct observed_run *run, const char *item, struct err *err)
{
	const size_t before = run->count;
	uint64_t cut_bytes = UINT64_MAX;
	const char *path = "";
	int rc;

	if ((rc = split_trace_option(&run->cap, &path, item, err)))
		return rc;
	run->name = file_name(path);
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

/**
 * observed_load - read the capabilities of --caps, and the ioctls in all traces of --trace CAP=FILE that the
 * driver did not refuse
 * @version: the version of traces that do not contain their version; NULL: the newest version
 *
 * Calls that failed, or returned NV_ERR_NOT_SUPPORTED or NV_ERR_INVALID_CLASS, are left out. The workload
 * does not need them, because it continued without them. Return: 0; ERR_USAGE if a capability is unknown;
 * what trace_file_each() and load_documents() return.
 */
static int observed_load(struct bootstrap_observed *out, const struct cli_args *args, const char *version,
			 struct err *err)
{
	struct observed_run run = { .args = args, .version = version };
	int rc;

	if ((args->caps && (rc = read_given_caps(out, args, err))) || (rc = load_use(&run.use, args, err)))
		return rc;
	for (size_t i = 0; i < args->traces.count && !rc; i++)
		rc = load_trace(&run, args->traces.items[i], err);
	if (!rc && run.count) {
		qsort(run.uses, run.count, sizeof(*run.uses), bootstrap_use_order);
		out->uses = arena_memdup(args->arena, run.uses, run.count * sizeof(*run.uses));
		out->count = run.count;
	}
	free(run.uses);
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
	int rc;

	if (!args->table)
		return usage_error(err,
			"bootstrap needs the proxy's table: --table FILE, or --table nvproxy for gVisor's, which is included");
	if (args->add_ioctls && args->word_count == has_version(args))
		return usage_error(err, "--add needs names or numbers of ioctls");
	if (!has_version(args) && (args->sha256_x86_64 || args->sha256_arm64))
		return usage_error(err,
			"--add without a version changes existing nodes; checksums are for a new version");
	if (!args->add_ioctls && args->word_count != 1)
		return usage_error(err,
			args->word_count
				? "bootstrap takes one version, but got %zu arguments"
				: "bootstrap needs a version, or --add with names or numbers of ioctls",
			args->word_count);
	if (has_given(args) && !has_version(args))
		return usage_error(err, "bootstrap needs the version of %s: bootstrap VERSION --%s %s",
				   args->dir ? args->dir : args->json, args->dir ? "dir" : "json",
				   args->dir ? args->dir : args->json);
	if (args->only_counts && strcmp(args->format, "text"))
		return usage_error(err, "--stat is for --format text, not for %s", args->format);
	if ((rc = check_sha256("--sha256-x86_64", args->sha256_x86_64, err)))
		return rc;
	return check_sha256("--sha256-arm64", args->sha256_arm64, err);
}

/*
 * Puts the document of --dir, --run or --json into the graph. If the graph does not contain its version, the
 * version is added as a child of the result of bootstrap_assume_parent().
 */
static void insert_given(struct bootstrap_run *run, struct history_version *versions, size_t *count)
{
	struct history_version version = { .version = run->args->words[0], .parent = HISTORY_NO_PARENT };
	size_t at = 0;

	while (at < *count && strcmp(versions[at].version, version.version))
		at++;
	if (at < *count) {
		version.parent = versions[at].parent;
		version.time = versions[at].time;
		version.on_main = versions[at].on_main;
	} else {
		version.parent = bootstrap_assume_parent(versions, *count, version.version);
		run->by_number =
			version.parent == HISTORY_NO_PARENT ? NULL : versions[version.parent].version;
	}
	version.abi = &run->given.abi;
	version.commit = version.abi->commit;
	versions[at] = version;
	*count += at == *count;
}

static int load_graph(struct bootstrap_run *run, const char *const *names, size_t count, struct err *err)
{
	const struct store_choice choice = { .names = names, .count = count };
	int rc = load_history(&run->loaded, &choice, &run->stores, err);
	size_t version_count = run->loaded.graph.count;
	struct history_version *versions;

	if (rc == ERR_USAGE && has_given(run->args))
		return usage_error(err,
				   "bootstrap compares %s with the versions of the table's nodes; name a "
				   "repository that has them with --repo PATH",
				   run->args->words[0]);
	if (rc)
		return rc;
	versions = arena_array(run->args->arena, version_count + 1, sizeof(*versions));
	memcpy(versions, lineage_documents(&run->loaded, run->args->arena),
	       version_count * sizeof(*versions));
	if (has_given(run->args))
		insert_given(run, versions, &version_count);
	history_graph_of(&run->graph, versions, version_count, run->args->arena);
	return 0;
}

/*
 * Fails if the first or last version of position.path could not be read. The versions between them are not
 * required.
 */
static int check_ends(const struct bootstrap_run *run, struct err *err)
{
	const size_t ends[] = { run->position.path[0], run->position.path[run->position.path_count - 1] };

	for (size_t i = 0; i < 2; i++)
		if (!run->graph.versions[ends[i]].abi) {
			*err = run->loaded.requests[ends[i]].err;
			return run->loaded.requests[ends[i]].rc;
		}
	return 0;
}

/* Marks a version and its ancestors. */
static void mark_line(bool *wanted, const struct history_graph *graph, size_t version)
{
	for (long i = (long)version; i != HISTORY_NO_PARENT && !wanted[i]; i = graph->versions[i].parent)
		wanted[i] = true;
}

/*
 * Loads the documents of position.path. With --add, also loads the documents of all nodes of the table and of
 * their ancestors, to find the first version with each ioctl.
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

		if (node < all)
			mark_line(wanted, &run->graph, node);
	}
	for (size_t i = 0; i < all; i++)
		if (wanted[i] && run->graph.versions[i].abi != &run->given.abi)
			names[count++] = run->graph.versions[i].version;
	return load_graph(run, names, count, err);
}

static int find_position(struct bootstrap_run *run, struct err *err)
{
	size_t version = 0;

	if (has_given(run->args))
		version = history_graph_index(&run->graph, run->args->words[0]);
	else
		while (run->loaded.requests[version].skipped)
			version++;
	if (!run->graph.versions[version].abi) {
		*err = run->loaded.requests[version].err;
		return run->loaded.requests[version].rc;
	}
	return bootstrap_find(&run->position, &run->graph, &run->table, version, run->args->arena, err);
}

static int check_driver(const struct bootstrap_run *run, struct err *err)
{
	for (size_t i = 0; i < run->graph.version_count; i++) {
		const struct abi *abi = run->graph.versions[i].abi;

		if (abi && strcmp(run->table.driver, abi->driver))
			return usage_error(err, "%s is a table for the driver %s, not for %s",
					   run->table.path, run->table.driver, abi->driver);
	}
	return 0;
}

/* Returns the node for @version, which is not in the graph, according to its number; NULL if no node fits. */
static const struct table_node *node_by_number(const struct bootstrap_run *run, const char *version)
{
	const struct history_graph *graph = &run->graph;
	const long older = bootstrap_assume_parent(graph->versions, graph->version_count, version);

	return older == HISTORY_NO_PARENT ? NULL : forwarded_node(&run->table, graph, (size_t)older, NULL);
}

/*
 * Adds to @err the versions nearest to @word, and the node that the number suggests. @word is in neither the
 * archive nor the repository, or the repository could not be fetched.
 */
static void add_nearest(struct bootstrap_run *run, const char *word, struct err *err)
{
	struct abi_nearest nearest = { .count = 0 };
	struct strbuf near = { 0 };
	struct err said = *err;
	const struct table_node *node;
	const char **names;
	const bool is_known = strstr(err->text, "nearest: ");

	if (!isdigit((unsigned char)*word) || load_graph(run, &word, 0, &(struct err){ "" }))
		return;
	names = arena_array(run->args->arena, run->graph.version_count + 1, sizeof(*names));
	for (size_t i = 0; i < run->graph.version_count; i++)
		names[i] = run->graph.versions[i].version;
	abi_nearest_neighbours(&nearest, word, names, run->graph.version_count);
	if (!is_known)
		abi_nearest_list(&near, &nearest);
	node = node_by_number(run, word);
	if (node)
		strbuf_addf(&near,
			"; according to its number, it follows node %s; only its source (--dir TREE) can confirm this",
			node->version);
	if (is_known)
		err_set(err, 0, "%s%s", said.text, strbuf_text(&near));
	else
		err_set(err, 0, "%s is not a known version%s; %s", word, strbuf_text(&near),
			said.text);
	strbuf_release(&near);
}

static int load_given(struct bootstrap_run *run, struct err *err)
{
	const struct cli_args *args = run->args;
	const char *version = args->words[0];
	struct cli_args with = *args;
	int rc;

	with.takes_part = true;
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
	return load_graph(run, NULL, 0, err);
}

static int load_version(struct bootstrap_run *run, struct err *err)
{
	int rc;

	if (has_given(run->args))
		return load_given(run, err);
	rc = load_graph(run, run->args->words, 1, err);
	if (rc == ERR_NOT_FOUND || rc == ERR_GIT)
		add_nearest(run, run->args->words[0], err);
	return rc;
}

/* Fails if the file of --run changed after its SHA-256 was computed and before its sources were read. */
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

/* Loads all inputs for a new version, and calls bootstrap_version(). */
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
	    (rc = check_ends(run, err)))
		return rc;
	options->sha256_x86_64 = args->sha256_x86_64;
	options->sha256_arm64 = args->sha256_arm64;
	options->add = args->words + 1;
	options->add_count = args->word_count - 1;
	other = load_other_version(args->words[0], args);
	if (has_given(args))
		options->origin = other ? arena_printf(arena, "the tree in %s, whose %s", args->dir, other)
				  : args->dir      ? arena_printf(arena, "the tree in %s", args->dir)
				  : args->run_file ? arena_printf(arena, "kernel-open of %s", args->run_file)
						   : arena_printf(arena, "the document %s", args->json);
	options->by_number = run->by_number;
	run->types = proxytype_set_new(&run->table, run->args->arena);
	return bootstrap_version(&run->result, &run->position, &run->graph, &run->table, run->types, options,
				 run->args->arena, err);
}

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

static int run_bootstrap(struct bootstrap_run *run, struct err *err)
{
	struct use_rules use;
	struct bootstrap_options options = { .observed = &run->observed, .accepted = &run->accepted };
	int rc;

	if ((rc = load_use(&use, run->args, err)))
		return rc;
	options.use = &use;
	return has_version(run->args) ? run_version(run, &options, err) : run_add(run, &options, err);
}

/* Prints the report to standard output, because -o names a directory. */
static int print_report(const struct bootstrap_run *run, struct err *err)
{
	struct cli_args args = *run->args;
	struct report_style style;

	args.output = NULL;
	style = output_style(&args);
	if (!strcmp(args.format, "json"))
		report_bootstrap_json(args.out, &run->result);
	else if (args.only_counts && !style.markdown)
		report_bootstrap_counts(args.out, &run->result, &style);
	else
		report_bootstrap(args.out, &run->result, &style);
	return output_write(args.out, &args, err);
}

/* Returns the work that is needed, as bits of enum bootstrap_work. */
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

static int exit_status(const struct bootstrap_run *run, unsigned fails)
{
	if (run->args->fail_on)
		return work_of(&run->result) & fails ? CLI_SOMETHING : CLI_NOTHING;
	return run->args->exit_code && run->result.verdict != BOOTSTRAP_NOTHING ? CLI_SOMETHING : CLI_NOTHING;
}

/* Sets *@given to @hex, unless the user gave a different checksum. */
static int take_sha256(const char **given, const char *hex, const char *path, struct err *err)
{
	if (*given && strcmp(*given, hex))
		return usage_error(err, "the SHA-256 of %s is %s, not %s", path, hex, *given);
	*given = hex;
	return 0;
}

/* Reads the version and the checksum of --run. @st: set to the status of the file before it was read. */
static int read_package(struct stat *st, struct cli_args *args, struct err *err)
{
	const char *path = args->run_file, **words;
	struct package_head head;
	int rc;

	if (args->dir || args->json)
		return usage_error(err, "--run and --%s name two sources of one version; give one",
				   args->dir ? "dir" : "json");
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

int cmd_bootstrap(const struct cli_args *given, struct err *err)
{
	struct cli_args own = *given, *args = &own;
	struct bootstrap_run run = { .args = args };
	unsigned fails = 0;
	int rc;

	if (args->run_file && (rc = read_package(&run.package, args, err)))
		return rc;
	run.stores = *args;
	run.stores.dir = run.stores.json = run.stores.run_file = NULL;
	if ((rc = check_args(args, err)) ||
	    (rc = word_list_read(&fails, WORDS_WORK, args->fail_on, err)) ||
	    (rc = load_table(&run.table, args, err)) ||
	    (suppress_path(args) &&
	     (rc = suppress_file_read(&run.accepted, suppress_path(args), NULL, args, err))) ||
	    (rc = run_bootstrap(&run, err)) ||
	    (args->output && (rc = bootstrap_files_write(args->output, &run, err))) ||
	    (rc = print_report(&run, err)))
		goto out;
	if (run.result.fault_count)
		suppress_note_included(&run.table, args);
	rc = exit_status(&run, fails);
out:
	proxytype_set_free(run.types);
	return rc;
}
