/* cli/load.c - loads what commands read: documents, tables, headers, rules, traces */
#include "cli/cli.h"
#include "extract/extract.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int load_use(struct use_rules *out, const struct cli_args *args, struct err *err)
{
	const char *text = profile_builtin_use(args->profile);

	*out = (struct use_rules){ .pids = { 0 } };
	return text ? json_read_use(out, text, strlen(text), args->profile, args->arena, err) : 0;
}

enum { TEXT_BYTES_MAX = 64 * 1024 * 1024, MAKEFILE_LIMIT_BYTES = 1024 * 1024 };

int load_table_check(const char *command, const struct cli_args *args, struct err *err)
{
	if (!args->table && !args->table_from_header)
		return usage_error(err,
			"%s needs the proxy's table: --table FILE, or --table nvproxy for gVisor's, which is included",
			command);
	if (args->table_from_header && !args->version && !args->versions)
		return usage_error(err,
			"--table-from-header needs --version VERSION: a header has the structs of one version");
	if (!args->table_from_header && args->has_rest)
		return usage_error(err,
				   "arguments for clang after -- can be used only with --table-from-header");
	return 0;
}

/* Adds what a proxy's header, or a file of --map, says about ioctls to @map. */
static int read_ctable(struct ctable_map *map, const char *path, enum ctable_kind kind, struct arena *arena,
		       struct err *err)
{
	struct strbuf file = { 0 };
	int rc;

	rc = file_read(&file, path, TEXT_BYTES_MAX, err);
	if (!rc && strlen(strbuf_text(&file)) != file.length)
		rc = err_set(err, ERR_FORMAT, "%s: this is not a text file: it has a NUL byte", path);
	if (!rc)
		rc = ctable_read(map, strbuf_text(&file), kind, path, arena, err);
	strbuf_release(&file);
	return rc;
}

int load_profile(struct profile *out, const struct cli_args *args, struct err *err)
{
	const char *builtin = profile_builtin(args->profile);
	struct strbuf file = { 0 };
	int rc;

	if (builtin)
		return json_read_profile(out, builtin, strlen(builtin), args->profile, args->arena, err);
	if (!strchr(args->profile, '/') && !strchr(args->profile, '.')) {
		struct strbuf names = { 0 };

		for (const char *const *name = profile_builtin_names(); *name; name++)
			strbuf_addf(&names, "%s%s", names.length ? ", " : "", *name);
		return err_set(err, ERR_NOT_FOUND,
			"no profile '%s'; the built-in profiles are %s; the name of a file must contain a dot or a slash",
			args->profile, strbuf_take(&names, args->arena));
	}
	rc = file_read(&file, args->profile, INPUT_LIMIT_BYTES, err);
	if (!rc)
		rc = json_read_profile(out, strbuf_text(&file), file.length, args->profile, args->arena, err);
	if (!rc && args->profile_of_project)
		out->repository = NULL; /* .drvabi.json must not make drvabi clone a repository */
	strbuf_release(&file);
	return rc;
}

void load_warn_each(const struct abi *abi, const char *name)
{
	for (size_t w = 0; w < abi->warning_count; w++) {
		const struct abi_warning *warning = &abi->warnings[w];

		output_say("%s%s%s%s%s", name ? name : "", name ? ": " : "", warning->place,
			   *warning->place ? ": " : "", warning->text);
	}
}

/*
 * load_warn - print the number of warnings of a document, or with -v each warning. @name: the document's name
 * for the user
 */
static void load_warn(const struct abi *abi, const char *name, const struct cli_args *args)
{
	if (!abi->warning_count || args->quiet)
		return;
	if (args->verbose)
		load_warn_each(abi, name);
	else
		output_say("%s: %zu warning%s from extraction; details with -v", name, abi->warning_count,
			   abi->warning_count == 1 ? "" : "s");
}

/*
 * Makes a table of args->version from args->table_from_header and args->map, and prints the warnings about
 * the header. clang gets --target, -ffreestanding, and the arguments after "--". With -ffreestanding, clang
 * uses its own headers of the C language, and not those of the machine.
 */
static int load_header_table(struct table *out, const struct cli_args *args, struct err *err)
{
	const size_t clang_count = args->rest_count + 2;
	const char *header = args->table_from_header;
	const char **clang = arena_array(args->arena, clang_count, sizeof(*clang));
	struct profile profile;
	struct ctable_head head = { .path = header, .version = args->version, .profile = &profile };
	struct ctable_map map = { 0 };
	struct extract_wanted wanted = { 0 };
	size_t missing;
	struct abi abi;
	int rc;

	/* The user's arguments come last, so they override the default arguments. */
	clang[0] = arena_printf(args->arena, "--target=%s", args->target);
	clang[1] = "-ffreestanding";
	for (size_t i = 0; i < args->rest_count; i++)
		clang[i + 2] = args->rest[i];
	if ((rc = load_profile(&profile, args, err)) ||
	    (rc = read_ctable(&map, header, CTABLE_HEADER, args->arena, err)) ||
	    (args->map && (rc = read_ctable(&map, args->map, CTABLE_MAP, args->arena, err))))
		return rc;
	ctable_wanted(&wanted.structs, &wanted.numbers, &map, args->arena);
	if ((rc = store_source_file(&abi, &missing, header, clang, clang_count, &wanted, args->arena, err)) ||
	    (rc = ctable_build(out, &map, &abi, &head, args->arena, err)))
		return rc;
	load_warn(&abi, header, args);
	return 0;
}

bool load_is_file(const char *path)
{
	struct stat st;

	return !stat(path, &st) && !S_ISDIR(st.st_mode);
}

/*
 * Returns true if @name can be the name of an included table, such as "nvproxy": it is not a path, and does
 * not end in ".json".
 */
static bool is_table_name(const char *name)
{
	size_t length = strlen(name);

	return *name != '.' && strcmp(name, "-") && !strchr(name, '/') &&
	       (length < 5 || strcmp(name + length - 5, ".json"));
}

int load_table_find(const char **out, const char *name, const struct cli_args *args, struct err *err)
{
	const struct data_surroundings surroundings = data_surroundings(args->arena);
	struct abi_nearest nearest = { .count = 0 };
	struct strbuf places = { 0 };
	struct data_paths paths;

	*out = name;
	if (!is_table_name(name))
		return 0;
	data_paths(&paths, name, ".json", &surroundings, args->arena);
	for (size_t i = 0; i < paths.count; i++) {
		if (!load_is_file(paths.path[i]))
			continue;
		if (load_is_file(name))
			output_note(args,
				"the file %s is used as the table, not the included table %s; for the included table, use --table %s",
				name, paths.path[i], paths.path[i]);
		else
			*out = paths.path[i];
		return 0;
	}
	if (load_is_file(name))
		return 0;
	for (size_t i = 0; i < paths.count; i++)
		strbuf_addf(&places, "%s%s", !i ? "" : i + 1 < paths.count ? ", " : " or ", paths.path[i]);
	if (strcmp(name, "nvproxy"))
		abi_nearest_name(&nearest, name, "nvproxy");
	return err_set(err, ERR_NOT_FOUND, "no table '%s'%s: no file of this name here, nor %s", name,
		       nearest.count ? " (did you mean nvproxy?)" : "", strbuf_take(&places, args->arena));
}

int load_table_file(struct table *out, const char *path, struct arena *arena, struct err *err)
{
	struct strbuf file = { 0 };
	int rc;

	rc = file_read(&file, path, INPUT_LIMIT_BYTES, err);
	if (!rc)
		rc = json_read_table(out, NULL, strbuf_text(&file), file.length, path, arena, err);
	strbuf_release(&file);
	return rc;
}

int load_table(struct table *out, const struct cli_args *args, struct err *err)
{
	if (args->table_from_header)
		return load_header_table(out, args, err);
	return load_table_file(out, args->table, args->arena, err);
}

int load_table_check_driver(const struct table *table, const char *driver, const struct cli_args *args,
			    struct err *err)
{
	if (!strcmp(table->driver, driver))
		return 0;
	return usage_error(err, "%s is a table for the driver %s, not for %s%s", table->path, table->driver,
		driver,
		args->table_of_environment
			? "; DRVABI_TABLE names it; to use no table, set DRVABI_TABLE to \"\""
			: "");
}

int load_table_for(struct table *out, const char *driver, const struct cli_args *args, struct err *err)
{
	struct table table;
	int rc;

	if ((rc = load_table(&table, args, err)) || (rc = load_table_check_driver(&table, driver, args, err)))
		return rc;
	*out = table;
	return 0;
}

/*
 * Returns the version in the makefiles of NVIDIA's driver in @dir, and sets @makefile to the makefile that
 * contains it. Returns NULL, and leaves @makefile unchanged, if no readable makefile contains a version.
 */
static const char *tree_version(const char **makefile, const char *dir, struct arena *arena)
{
	static const char *const places[][2] = {
		{ "version.mk", "\nNVIDIA_VERSION = " },
		{ "kernel-open/Kbuild", "-DNV_VERSION_STRING=\\\"" },
		{ "Kbuild", "-DNV_VERSION_STRING=\\\"" }, /* for a tree that contains only kernel-open */
	};
	const char *version = NULL;

	for (size_t i = 0; i < sizeof(places) / sizeof(*places) && !version; i++) {
		const char *path = arena_printf(arena, "%s/%s", dir, places[i][0]), *at = NULL;
		struct strbuf text = { 0 };
		struct err ignored;
		struct stat st;

		strbuf_addch(&text, '\n');
		if (!stat(path, &st) && S_ISREG(st.st_mode) &&
		    !file_read(&text, path, MAKEFILE_LIMIT_BYTES, &ignored))
			at = strstr(text.text, places[i][1]);
		if (at) {
			at += strlen(places[i][1]);
			version = arena_strndup(arena, at, strcspn(at, "\\\" \t\r\n"));
			*makefile = places[i][0];
		}
		strbuf_release(&text);
	}
	return version;
}

const char *load_note_version(const char *version, const struct cli_args *args)
{
	const char *makefile, *stated = args->dir ? tree_version(&makefile, args->dir, args->arena) : NULL;

	if (!stated || !strcmp(stated, version))
		return NULL;
	output_note(args, "%s is read as version %s, but its %s says %s", args->dir, version, makefile,
		    stated);
	return arena_printf(args->arena, "%s says %s", makefile, stated);
}

int load_node(const struct table_node **out, struct history_graph *graph, const struct table *table,
	      const char *version, const struct cli_args *args, struct err *err)
{
	size_t index;
	int rc;

	*out = table_find_node(table, version);
	if (*out)
		return 0;
	/* ERR_USAGE: no repository is known, so neither is a tag. */
	if (!graph->version_count && !args->dir && !args->json &&
	    (rc = lineage_load_named(graph, &version, 0, args, err)) && rc != ERR_USAGE)
		return rc;
	index = history_graph_index(graph, version);
	*out = forwarded_node(table, graph, index, version);
	if (*out && index < graph->version_count && forwarded_node_outside(table, graph, version))
		output_note(args,
			"node %s is used, because its number is the nearest; the repository does not have that version, so "
			"it is unknown whether %s descends from it",
			(*out)->version, version);
	return 0;
}

int load_table_view(struct table_view *view, struct table *table, struct history_graph *graph,
		    const struct abi *abi, const struct cli_args *args, struct err *err)
{
	const struct table_node *node;
	int rc;

	if ((!table->path && (rc = load_table_for(table, abi->driver, args, err))) ||
	    (rc = load_node(&node, graph, table, abi->version, args, err)))
		return rc;
	if (!node)
		output_note(args,
			"neither %s nor one of its ancestors has a node in %s; the first node, %s, is used",
			abi->version, table->path, table->nodes[0].version);
	/* For a release, the reports name the node. */
	else if (strcmp(node->version, abi->version) && !nearby_are_releases(node->version, abi->version))
		output_note(args, "%s has no node %s; node %s is used instead", table->path, abi->version,
			    node->version);
	table_view_at(view, table, node ? node : &table->nodes[0], args->arena);
	return 0;
}

ssize_t trace_file_read(const struct trace_file *file, void *out, size_t size_bytes, struct err *err)
{
	ssize_t got;

	do
		got = read(file->fd, out, size_bytes);
	while (got < 0 && errno == EINTR);
	return got < 0 ? err_set(err, ERR_IO, "cannot read %s: %s", file->name, strerror(errno)) : got;
}

int trace_file_open(struct trace_file *out, const char *path, struct err *err)
{
	const bool is_stdin = !strcmp(path, "-");
	struct trace_file file = { .fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC),
				   .name = is_stdin ? "standard input" : path };
	ssize_t got;

	if (file.fd < 0)
		return err_set(err, errno == ENOENT ? ERR_NOT_FOUND : ERR_IO, "cannot read %s: %s", path,
			       strerror(errno));
	file_note_input(file.fd);
	/* A writer can write the length of a message, which has no newline, before the message. */
	do {
		got = trace_file_read(&file, file.begin + file.begin_bytes,
				      sizeof(file.begin) - (size_t)file.begin_bytes, err);
		if (got < 0) {
			trace_file_close(&file);
			return (int)got;
		}
		file.begin_bytes += got;
	} while (got && file.begin_bytes <= TRACE_LENGTH_BYTES && file.begin[file.begin_bytes - 1] != '\n');
	file.is_trace = trace_recognise(file.begin, (size_t)file.begin_bytes);
	*out = file;
	return 0;
}

void trace_file_close(struct trace_file *file)
{
	if (file->fd != STDIN_FILENO)
		close(file->fd);
}

int trace_file_each(uint64_t *cut_bytes, const char *path,
		    int (*each)(const struct trace_message *message, void *data, struct err *err), void *data,
		    struct err *err)
{
	struct trace_reader *reader;
	struct trace_message message;
	struct trace_file file;
	int rc;

	if ((rc = trace_file_open(&file, path, err)))
		return rc;
	if (file.is_trace) {
		reader = trace_reader_new(file.fd, file.name, file.begin, (size_t)file.begin_bytes);
		while ((rc = trace_next(&message, reader, err)) == 1)
			if ((rc = each(&message, data, err)))
				break;
		*cut_bytes = trace_reader_cut(reader);
		trace_reader_free(reader);
	} else {
		rc = err_set(err, ERR_FORMAT, "%s is not a trace; drvabi sniff -o FILE -- COMMAND records one",
			     file.name);
	}
	trace_file_close(&file);
	return rc;
}

void trace_file_warn(const struct cli_args *args, const char *path, uint64_t cut_bytes)
{
	if (cut_bytes != UINT64_MAX)
		output_note(args,
			    "%s ends within the message at offset %" PRIu64 "; the calls before it are used",
			    path, cut_bytes);
}

enum { BAR_WIDTH = 30 };
enum { ANNOUNCED_OBJECTS = 10000 }; /* more objects than a download of one release has */

/* The open stores that the options name, and a progress bar on standard error during a long operation. */
struct load {
	const struct cli_args *args;
	struct profile profile;
	bool has_bar;   /* standard error is a terminal, and --quiet was not given */
	bool shows_bar; /* the bar is on the terminal, and must be erased */
	int percent;    /* the percentage that was drawn last; the same percentage is not drawn again */
	bool announced; /* a note about the download of a repository was printed */
	struct stores *store;
};

/* Removes the progress bar from the terminal, so that a line can be printed. */
static void erase_bar(struct load *load)
{
	if (load->shows_bar)
		fprintf(stderr, "\r%*s\r", 24 + 3 + BAR_WIDTH + 6, "");
	load->shows_bar = false;
	load->percent = -1;
}

/* Prints a sentence of the store. --quiet omits warnings, and details need --verbose. */
static void print_remark(void *data, enum store_remark kind, const char *sentence)
{
	struct load *load = data;
	const struct cli_args *args = load->args;

	if ((kind == STORE_WARNING && args->quiet) || (kind == STORE_DETAIL && !args->verbose))
		return;
	erase_bar(load);
	output_say("%s", sentence);
}

/*
 * Draws the progress bar of the operation @what on a terminal, or erases it if @what is NULL. Without a
 * terminal, prints one note about a large download. @data: the struct load
 */
static void show_progress(void *data, const char *what, size_t done, size_t total)
{
	struct load *load = data;
	int percent = total ? (int)(done * 100 / total) : 0, filled = percent * BAR_WIDTH / 100;
	struct strbuf line = { 0 };

	if (!what) { /* a different process may have drawn the bar */
		load->shows_bar = load->has_bar;
		erase_bar(load);
		return;
	}
	/*
	 * Without a terminal, there is no progress bar, so a note announces a download that can take minutes.
	 */
	if (!load->has_bar && !load->announced && total >= ANNOUNCED_OBJECTS &&
	    !strcmp(what, "receiving objects")) {
		output_note(load->args,
			"downloading %zu objects of the driver's repository; drvabi cache shows where they are kept",
			total);
		load->announced = true;
	}
	if (!load->has_bar || percent == load->percent)
		return;
	escape_addf(&line, escape_terminal, "\r%-24s [%.*s%*s] %3d%%", what, filled,
		    "##############################", BAR_WIDTH - filled, "", percent);
	fputs(line.text, stderr);
	fflush(stderr);
	strbuf_release(&line);
	load->percent = percent;
	load->shows_bar = true;
}

/*
 * Returns the value of an option, or else that of its environment variable; NULL if neither is set, or the
 * value is empty.
 */
static const char *named_in(const char *option, const char *variable)
{
	const char *value = option ? option : getenv(variable);

	return value && *value ? value : NULL;
}

/* Reads the profile and --constants, and opens the stores. The caller calls load_end(), also on errors. */
static int load_begin(struct load *load, const struct cli_args *args, struct err *err)
{
	struct profile_strings constants;
	struct store_options options = {
		.profile = &load->profile,
		.target = args->target,
		.archive = args->archive,
		.repo = args->archive ? NULL : named_in(args->repo, "DRVABI_REPO"),
		.dir = args->dir,
		.package = args->run_file,
		.first_archive = named_in(args->add, "DRVABI_ARCHIVE"),
		.of_repository = args->of_repository,
		.no_archive = args->no_archive || args->constants,
		.no_cache = args->no_cache,
		.accepts_partial = args->accepts_partial,
		.jobs = args->jobs,
		.remark = print_remark,
		.progress = show_progress,
		.data = load,
	};
	int rc;

	*load = (struct load){ .args = args,
			       .has_bar = !args->quiet && isatty(STDERR_FILENO),
			       .percent = -1 };
	if ((rc = load_profile(&load->profile, args, err)) ||
	    (args->constants && (rc = extra_constants_read(&constants, args, err))))
		return rc;
	if (args->constants)
		profile_want_constants(&load->profile, &constants, args->arena);
	stores_open(&load->store, &options, args->arena);
	return 0;
}

static void load_end(struct load *load)
{
	erase_bar(load);
	stores_free(load->store);
}

static void warn_all(struct load *load, const struct store_request *requests, size_t count)
{
	erase_bar(load);
	for (size_t i = 0; i < count; i++)
		load_warn(&requests[i].abi, requests[i].abi.version, load->args);
}

int load_history(struct store_history *out, const struct store_choice *choice, const struct cli_args *args,
		 struct err *err)
{
	struct load load;
	int rc;

	if (!(rc = load_begin(&load, args, err)) &&
	    !(rc = stores_history(out, load.store, choice, err)))
		warn_all(&load, out->requests, out->graph.count);
	load_end(&load);
	return rc;
}

/*
 * Returns the first glob of args->constants that matches no constant of @requests; NULL if every glob
 * matches one. If a request was skipped, its constants are unknown, so every glob counts as matching.
 */
static const char *unmatched_glob(const struct store_request *requests, size_t count,
				      const struct cli_args *args)
{
	struct profile_strings globs;

	if (extra_constants_read(&globs, args, NULL))
		return NULL;
	for (size_t i = 0; i < globs.count; i++) {
		const struct profile_strings glob = { &globs.item[i], 1 };
		bool found = false;

		for (size_t r = 0; r < count && !found; r++) {
			const struct abi *abi = &requests[r].abi;

			found = requests[r].skipped;
			for (size_t c = 0; c < abi->constant_count && !found; c++)
				found = profile_matches(&glob, abi->constants[c].name);
		}
		if (!found)
			return globs.item[i];
	}
	return NULL;
}

/* Fails because @glob matches no constant. The message lists similar constants of @abi. */
static int fail_no_constant(const char *glob, const struct abi *abi, struct err *err)
{
	struct abi_nearest nearest = { .count = 0 };

	for (size_t i = 0; i < abi->constant_count; i++)
		abi_nearest_name(&nearest, glob, abi->constants[i].name);
	return nearby_fail(err, &nearest,
			   "--constants: %s %s has no macro with an integer value and no enumerator "
			   "called '%s'",
			   abi->driver, abi->version, glob);
}

/*
 * Fails if a glob of --constants matches nothing. To list similar names, loads a document with all
 * constants. Return: 0; ERR_NOT_FOUND; what load_documents() returns.
 */
static int check_constants(const struct store_request *requests, size_t count, const struct cli_args *args,
			   struct err *err)
{
	struct store_request all = { .version = requests[count - 1].version };
	struct cli_args all_args = *args;
	const char *glob;
	int rc;

	if (!args->constants || !(glob = unmatched_glob(requests, count, args)))
		return 0;
	all_args.constants = "*";
	all_args.quiet = true;
	if (!strcmp(args->constants, "*"))
		return fail_no_constant(glob, &requests[count - 1].abi, err);
	rc = load_documents(&all, 1, &all_args, err);
	return rc ? rc : fail_no_constant(glob, &all.abi, err);
}

/* Fails if --target or --profile does not fit a document that was read from a file. Return: 0; ERR_USAGE. */
static int check_documents(const struct store_request *requests, size_t count, const struct load *load,
			   struct err *err)
{
	const struct cli_args *args = load->args;

	for (size_t i = 0; i < count; i++) {
		const struct abi *abi = &requests[i].abi;

		if (!requests[i].json)
			continue;
		if (args->target_given && strcmp(abi->target, args->target) != 0)
			return usage_error(err, "%s is a document for %s; leave --target %s out",
					   requests[i].json, abi->target, args->target);
		if (args->profile_given && strcmp(abi->driver, load->profile.name) != 0)
			return usage_error(err, "%s is a document of the driver %s; leave --profile %s out",
					   requests[i].json, abi->driver, args->profile);
	}
	return 0;
}

/*
 * Reads the documents of @requests, prints their warnings, and checks that they fit the options. Return: as
 * load_documents(). @around: NULL, or set by stores_around() for the only request
 */
static int read_requests(struct store_around *around, struct store_request *requests, size_t count,
			 const struct cli_args *args, struct err *err)
{
	struct load load;
	int rc;

	for (size_t i = 0; i < count; i++)
		if (requests[i].json && requests[i].version)
			return usage_error(err, "%s is the document of one version; leave '%s' out",
					   requests[i].json, requests[i].version);
	if (!(rc = load_begin(&load, args, err)) &&
	    !(rc = around ? stores_around(around, requests, load.store, err)
			  : stores_documents(requests, count, load.store, err)) &&
	    !(rc = check_documents(requests, count, &load, err)))
		warn_all(&load, requests, count);
	load_end(&load);
	return rc ? rc : check_constants(requests, count, args, err);
}

int load_documents(struct store_request *requests, size_t count, const struct cli_args *args, struct err *err)
{
	return read_requests(NULL, requests, count, args, err);
}

int load_around(struct store_around *out, struct store_request *request, const struct cli_args *args,
		struct err *err)
{
	return read_requests(out, request, 1, args, err);
}

int load_archive(const struct archive **out, const struct cli_args *args, struct err *err)
{
	struct load load;
	int rc;

	if (!(rc = load_begin(&load, args, err)))
		rc = stores_archive(out, load.store, err);
	load_end(&load);
	return rc;
}

int load_run_job(struct byte_reader *out, const struct tree_job *job, const struct cli_args *args,
		 struct err *err)
{
	struct load load;
	int rc;

	if (!(rc = load_begin(&load, args, err)))
		rc = stores_run_job(out, load.store, args->version, job, err);
	load_end(&load);
	return rc;
}

int load_tags(const char *const **names, size_t *count, const struct cli_args *args, struct err *err)
{
	struct load load;
	int rc;

	if (!(rc = load_begin(&load, args, err)))
		rc = stores_tags(names, count, load.store, err);
	load_end(&load);
	return rc;
}
