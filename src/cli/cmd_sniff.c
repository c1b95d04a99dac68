/*
 * cli/cmd_sniff.c - drvabi sniff: records the calls that are observed
 *
 * Each message is written to the trace, counted, and printed with -v. A summary is printed at the end. Text
 * for the user goes to standard error, because standard output belongs to the workload.
 */
#include "cli/cli.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { REGION_BYTES = 1024 * 1024 };

struct sniff_log {
	const struct cli_args *args;
	bool is_json;
	bool ends_workload;             /* --enforce instant: an unsupported ioctl ends the workload */
	enum trace_wire wire;

	struct loaded_scope loaded;     /* for the version of the driver */
	struct decode_scope printed;    /* the same scope with a cache, for printed calls. The summary uses no
					   cache, because its data outlives a call */
	struct sniff_judge judge;

	struct sniff_use use;
	struct decode_seen *seen;       /* set with --against */
	struct decode_handles *handles; /* the handles in printed calls */
	struct file_writer file;        /* the trace; its fd is -1 if there is no trace */
	bool was_there;                 /* the file of the trace existed before */
	struct driver_files files;      /* the files of this machine that were already written to the trace */
	const struct driver_files *replayed; /* with --replay: the files of the replayed trace */
	struct strbuf scratch;
	struct compress_packer *packer; /* compresses the trace as it is written; else NULL */
	struct strbuf packed;
	bool has_losses;                /* some calls were not recorded; a message has reported it */
	bool has_failed;                /* writing the trace failed, for the reason @why */
	struct err why;
};

/* --- the command line --------------------------------------------------------------------------------- */

/*
 * Returns true if no workload is run, and only the ABI of the trace's ioctls is compared between two
 * versions.
 */
static bool compares_trace(const struct cli_args *args)
{
	return args->replay && args->against && !args->rest_count && !args->attach && !args->listen;
}

static int check_words(const struct cli_args *args, struct err *err)
{
	const char *instead = cli_given(args, "attach all listen"); /* of a command */

	if (args->word_count)
		return usage_error(err,
			"'%s' is not an option; the command goes after --, as in drvabi sniff -- nvidia-smi",
			args->words[0]);
	if (instead && args->rest_count)
		return usage_error(err, "--%s runs no command; leave out the command", instead);
	if (!instead && !args->rest_count && !compares_trace(args))
		return usage_error(err, "no command; give it after --, as in drvabi sniff -- nvidia-smi");
	if (!strcmp(args->format, "json") && !args->output)
		return usage_error(err,
			"--format json needs a file, because standard output belongs to the command; name it with -o");
	if (!strcmp(args->format, "json") && args->wire)
		return usage_error(err, "--wire is for traces; --format json does not write one");
	return 0;
}

/* Sets @out to @word, a number from 1 to @limit; unchanged if @word is NULL. Return: 0; ERR_USAGE. */
static int read_up_to(uint64_t *out, const char *option, const char *word, uint64_t limit, struct err *err)
{
	if (!word)
		return 0;
	if (!hex_number(out, word) || !*out || *out > limit)
		return usage_error(err, "%s takes a number from 1 to %llu, not '%s'", option,
				   (unsigned long long)limit, word);
	return 0;
}

/* --- what calls are checked against -------------------------------------------------------------- */

/*
 * Sets log->loaded, log->printed and log->judge: the documents with which calls are decoded, and the
 * proxy's table. The default table is nvproxy's. sniff_log_release() frees them, also after an error.
 */
static int load_log(struct sniff_log *log, const char *version, struct err *err)
{
	const struct decode_scope *scope = &log->loaded.scope;
	struct cli_args args = *log->args;
	int rc;

	if (!args.table) {
		args.table_name = "nvproxy";
		if ((rc = load_table_find(&args.table, args.table_name, &args, err)))
			return rc;
	}
	if ((rc = load_scope(&log->loaded, version, &args, err)))
		return rc;
	if (args.against)
		log->seen = decode_seen_new();
	log->handles = decode_handles_new();
	log->printed = *scope;
	log->printed.cache = decode_cache_new();
	log->judge.abi = scope->asked;
	log->judge.table = scope->table;
	log->judge.node =
		forwarded_node(scope->table, scope->graph, scope->asked_index, scope->asked->version);
	return 0;
}

/* --- the trace --------------------------------------------------------------------------------------- */

static void stop_recording(struct sniff_log *log, const struct err *why)
{
	log->has_failed = true;
	log->why = *why;
	output_say("%s", why->text);
	output_note(log->args, "the workload continues; its further calls are not recorded");
}

/* Compresses bytes of the trace, and writes the compressed bytes. Return: 0; ERR_IO. */
static int write_packed(struct sniff_log *log, const void *bytes, size_t size_bytes,
			enum compress_flush flush, struct err *err)
{
	strbuf_reset(&log->packed);
	if (compress_packer_add(&log->packed, log->packer, bytes, size_bytes, flush, err)) {
		err_prefix(err, "%s", log->args->output);
		return ERR_IO;
	}
	return file_writer_add(&log->file, log->packed.text, log->packed.length, err);
}

/* Writes complete messages in the format of a trace. After an error, nothing more is recorded. */
static void record_bytes(void *data, const void *bytes, size_t size_bytes)
{
	struct sniff_log *log = data;
	struct err err = { "" };

	if (log->file.fd < 0 || log->has_failed)
		return;
	if (log->packer ? write_packed(log, bytes, size_bytes, COMPRESS_NOW, &err)
			: file_writer_add(&log->file, bytes, size_bytes, &err))
		stop_recording(log, &err);
}

/* Appends a message to the trace, unless the output is JSON. After an error, nothing more is recorded. */
static void write_message(struct sniff_log *log, const struct trace_message *message)
{
	struct err err = { "" };

	if (log->file.fd < 0 || log->has_failed || log->is_json)
		return;
	if (log->packer) {
		strbuf_reset(&log->scratch);
		trace_pack(&log->scratch, message, log->wire);
		record_bytes(log, log->scratch.text, log->scratch.length);
	} else if (trace_write(log->file.fd, message, log->wire, &log->scratch, &err)) {
		err_prefix(&err, "%s", log->args->output);
		stop_recording(log, &err);
	}
}

/* Appends a word, quoted for a shell. */
static void add_shell_word(struct strbuf *out, const char *word)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";

	strbuf_adds(out, out->length ? " " : "");
	if (*word && !word[strspn(word, plain)]) {
		strbuf_adds(out, word);
		return;
	}
	strbuf_addch(out, '\'');
	for (; *word; word++)
		if (*word == '\'')
			strbuf_adds(out, "'\\''");
		else
			strbuf_addch(out, *word);
	strbuf_addch(out, '\'');
}

/* Writes @json to the output file and @text to standard error, and releases both. */
static void emit_output(struct sniff_log *log, struct strbuf *json, struct strbuf *text)
{
	struct err err = { "" };

	if (file_writer_add(&log->file, json->text, json->length, &err))
		stop_recording(log, &err);
	fputs(strbuf_text(text), stderr);
	strbuf_release(json);
	strbuf_release(text);
}

static bool writes_json(const struct sniff_log *log)
{
	return log->is_json && !log->has_failed;
}

/* Writes a message that is not an ioctl: to the output with --format json, and to stderr if @is_shown. */
static void emit_event(struct sniff_log *log, const struct trace_message *message, bool is_shown)
{
	const struct report_style style = { .color = false };
	struct strbuf json = { 0 }, text = { 0 };

	if (writes_json(log))
		report_trace_event_json(&json, message);
	if (is_shown)
		report_trace_event_text(&text, message, &style);
	emit_output(log, &json, &text);
}

static void add_file(void *data, const struct trace_message *message)
{
	write_message(data, message);
	emit_event(data, message, false);
}

/*
 * Writes messages about the driver's files of this machine to the trace; with --replay, about those of the
 * replayed trace. With --listen, records none, because the programs can run on a different machine.
 */
static void add_files(struct sniff_log *log)
{
	struct trace_message message;

	if (log->file.fd < 0 || log->args->listen)
		return;
	if (!log->replayed) {
		files_record(&log->files, &log->loaded.use.devices, add_file, log);
		return;
	}
	for (const struct driver_file *file = log->replayed->by_path; file; file = file->hh.next) {
		files_message(&message, file);
		add_file(log, &message);
	}
}

/* Called once the workload runs. Empties the trace, and writes its header and what add_files() writes. */
static void begin_trace(void *data)
{
	struct sniff_log *log = data;
	struct trace_message header = { .kind = TRACE_HEADER, .fd_path = "", .fd = -1, .target = sniff_target() };
	struct strbuf command = { 0 };
	struct stat st;

	if (log->file.fd < 0)
		return;
	/*
	 * A file of size 0 is not truncated: pipes and devices cannot be truncated, and ext4 would write a
	 * new file to the disk when it is closed, if it had been truncated.
	 */
	if (!fstat(log->file.fd, &st) && st.st_size && ftruncate(log->file.fd, 0))
		errno = 0;
	for (size_t i = 0; i < log->args->rest_count; i++)
		add_shell_word(&command, log->args->rest[i]);
	header.version = log->judge.abi->version;
	header.command = strbuf_text(&command);
	header.lacks = log->args->listen ? TRACE_HOOK_LACKS : "";
	write_message(log, &header);
	strbuf_release(&command);
	add_files(log);
}

/* --- calls ---------------------------------------------------------------------------------------------- */

/* Decodes one call, counts it for --against, and prints it. If decoding fails, the error is printed. */
static void decode_message(struct sniff_log *log, const struct trace_message *message)
{
	const struct report_style style = { .color = false };
	struct strbuf json = { 0 }, text = { 0 };
	struct arena arena = { 0 };
	struct decode_input input;
	struct decode_origin origin;
	struct decode_call call;
	struct err err = { "" };

	if (!trace_call_input(&input, &origin, message, log->printed.devices, &arena))
		goto out;
	input.handles = log->handles;
	if (decode_call(&call, &input, &log->printed, &arena, &err)) {
		output_say("%s", err.text);
		goto out;
	}
	if (log->seen)
		decode_seen_add(log->seen, &call);
	if (writes_json(log))
		report_decode_json(&json, &call);
	if (log->args->verbose)
		report_decode_text(&text, &call, &style);
	emit_output(log, &json, &text);
out:
	arena_release(&arena);
}

/*
 * Called for each message. Writes it to the trace, counts and prints it. Return: false to end the workload,
 * because --enforce instant is given and the ioctl is unknown or the proxy does not support it.
 */
static bool record_message(void *data, const struct trace_message *message, const struct call *chain,
			   size_t chain_count)
{
	struct sniff_log *log = data;
	const bool is_shown = log->args->verbose || writes_json(log);
	struct call followed[CALL_DEPTH_MAX];
	const struct sniff_used *used;

	write_message(log, message);
	if (message->kind != TRACE_IOCTL) {
		if (is_shown)
			emit_event(log, message, log->args->verbose);
		return true;
	}
	if (!chain) {
		chain = followed;
		chain_count = trace_call_follow(followed, message, log->printed.devices, log->printed.asked);
	}
	used = sniff_use_add(&log->use, message, chain, chain_count, &log->judge);
	if (is_shown || log->seen)
		decode_message(log, message);
	return !log->ends_workload || (used && used->support != SNIFF_LACKING);
}

/* Prints a sentence about calls that were not recorded, even with --quiet. */
static void note_loss(void *data, const char *sentence)
{
	struct sniff_log *log = data;

	log->has_losses = true;
	output_say("%s", sentence);
}

/* --- the recorders: ptrace, a preloaded library, gVisor's hook ------------------------------ */

#define LIBRARY "libdrvabi-preload.so"

/*
 * Returns the path of the preloaded library: in the directory of the program, as after a build, or else where
 * make install puts it.
 */
static const char *find_library(struct arena *arena)
{
	const char *program = data_surroundings(arena).program;
	const char *slash = program ? strrchr(program, '/') : NULL;
	const char *dir = slash ? arena_strndup(arena, program, (size_t)(slash - program)) : "";
	const char *beside = arena_printf(arena, "%s/" LIBRARY, dir);

	return access(beside, R_OK) ? arena_printf(arena, "%s/../lib/drvabi/" LIBRARY, dir) : beside;
}

/* Called when the socket of --listen exists. Begins the trace, and prints how to run the workload. */
static void listener_started(void *data)
{
	const struct sniff_log *log = data;

	begin_trace(data);
	output_note(log->args, "listening; run the workload with GVISOR_IOCTL_SNIFFER_SOCKET_PATH=%s",
		    log->args->listen);
	output_note(log->args, "the hook sends " TRACE_HOOK_LACKS);
}

static void print_note(void *data, const char *sentence)
{
	const struct sniff_log *log = data;

	output_note(log->args, "%s", sentence);
}

static int add_recorded(const struct trace_message *recorded, void *data, struct err *err)
{
	(void)err;
	replay_add(data, recorded);
	return 0;
}

/*
 * Sets options->replay to the calls of the trace to replay; the caller frees it, even after an error.
 * Prints notes if the trace is incomplete. Return: 0; ERR_NOT_FOUND if the trace has no device; ERR_USAGE
 * if the version is unknown; what trace_file_each() returns.
 * @version: if it is NULL, set to the version in the trace
 */
static int read_replay(struct sniff_options *options, const char **version, const struct cli_args *args,
		       struct err *err)
{
	uint64_t cut_bytes = UINT64_MAX;
	int rc;

	options->replay = replay_new();
	if ((rc = trace_file_each(&cut_bytes, args->replay, add_recorded, options->replay, err)))
		return rc;
	trace_file_warn(args, args->replay, cut_bytes);
	if (!replay_has_inputs(options->replay))
		output_note(args, "%s has " TRACE_HOOK_LACKS "; recorded calls are chosen by their commands only",
			    args->replay);
	if (replay_is_empty(options->replay))
		return err_set(err, ERR_NOT_FOUND, "%s names no device: there is nothing to replay",
			       args->replay);
	if (!*version && *replay_version(options->replay))
		*version = replay_version(options->replay);
	if (!*version)
		return usage_error(err, "%s does not contain the driver's version; name it with --version",
				   args->replay);
	return 0;
}

/*
 * Runs the workload, or waits for gVisor's hook, and records the calls. If the workload could not be started,
 * the file of the trace is removed, unless it existed before. The caller calls sniff_log_release(), and frees
 * options->replay, even after an error.
 */
static int record_workload(struct sniff_log *log, struct sniff_options *options, struct sniff_result *result,
			   struct err *err)
{
	const struct cli_args *args = log->args;
	struct sniff_observer observer = {
		.started = args->listen ? listener_started : begin_trace, .message = record_message,
		.note = print_note, .loss = note_loss, .may_end = log->ends_workload, .data = log
	};
	const char *version = args->version, *path = args->output;
	struct stat st;
	int rc;

	if (args->replay && (rc = read_replay(options, &version, args, err)))
		return rc;
	log->replayed = options->replay ? replay_files(options->replay) : NULL;
	if ((!version && (rc = driver_version_read(&version, args->arena, err))) ||
	    (rc = load_log(log, version, err)))
		return rc;
	if (!log->loaded.use.devices.count)
		return usage_error(err,
			"profile %s does not say which devices are the driver's, so none of its ioctls would be seen; use the profile nvidia",
			args->profile);
	if (path) {
		log->was_there = !stat(path, &st);
		if ((rc = file_check_output(path, err)) || (rc = file_writer_append(&log->file, path, err)))
			return rc;
	}
	options->abi = log->judge.abi;
	options->pointers = &log->loaded.use.pointers;
	options->devices = &log->loaded.use.devices;
	if (args->preload && args->quiet && !args->verbose && !log->is_json && !args->enforce &&
	    log->wire == TRACE_WIRE_DRVABI) {
		/* No message must be read, so the recorded bytes are written unchanged. */
		observer.message = NULL;
		observer.bytes = record_bytes;
		/*
		 * Level 1 is fast enough that the workload is not delayed. If there is no memory for the
		 * packer, the file is compressed at the end.
		 */
		log->packer = args->compress ? compress_packer_new(1) : NULL;
	}
	options->library = args->preload ? find_library(args->arena) : NULL;
	/* --listen records until a signal arrives, or with --once until all connections are closed. */
	rc = args->listen    ? listen_run(args->listen, args->once, &observer, err)
	     : args->preload ? preload_run(result, options, &observer, err)
			     : sniff_run(result, options, &observer, err);
	if (rc && log->file.fd >= 0 && !log->was_there)
		unlink(log->file.target.text);
	return rc;
}

/* Returns true if the workload made an ioctl with @support. */
static bool has_support(const struct sniff_log *log, enum sniff_support support)
{
	for (const struct sniff_used *used = log->use.used; used; used = used->hh.next)
		if (used->support == support)
			return true;
	return false;
}

/* Returns true if the workload made an ioctl of an unknown device, or one that the proxy does not support. */
static bool is_unsupported(const struct sniff_log *log)
{
	return has_support(log, SNIFF_LACKING) || log->use.unidentified;
}

/* --- the summary of the ioctls that a workload made ----------------------------------------- */

/*
 * Returns true if no earlier element of use->used has the same ioctl and the same support, so that an ioctl
 * is listed once. Elements with the same ioctl differ in size, status or result.
 */
static bool is_first(const struct sniff_use *use, const struct sniff_used *used)
{
	for (const struct sniff_used *at = use->used; at != used; at = at->hh.next)
		if (at->support == used->support && at->number == used->number &&
		    !strcmp(at->family, used->family))
			return false;
	return true;
}

static const char *support_words(enum sniff_support support)
{
	switch (support) {
	case SNIFF_FORWARDED: return "forwarded";
	case SNIFF_PASSED: return "passed through without an entry";
	case SNIFF_REFUSED: return "not in the table, but the driver refuses it, too";
	case SNIFF_LACKING: return "not supported";
	}
	return "";
}

/* Appends a line for each distinct ioctl with @support to @out, and " NAME" to @names, which can be NULL. */
static void add_support_lines(struct strbuf *out, struct strbuf *names, const struct sniff_log *log,
			      enum sniff_support support)
{
	for (const struct sniff_used *used = log->use.used; used; used = used->hh.next) {
		const struct abi_ioctl *ioctl;

		if (used->support != support || !is_first(&log->use, used))
			continue;
		ioctl = call_find(log->judge.abi, used->family, used->number);
		strbuf_addf(out, "%s: %s 0x%llx %s\n", support_words(support), used->family,
			    (unsigned long long)used->number,
			    ioctl ? ioctl->name : "(no ioctl of this version)");
		if (ioctl && names)
			strbuf_addf(names, " %s", ioctl->name);
	}
}

/*
 * Appends the proxy's support for the ioctls: those that it does not support, with the command that adds them
 * to the table; without --quiet, also those that it passes through or that the driver refuses, and the
 * capabilities that the workload needs. @entries: the entries of the table that the workload used
 */
static void add_proxy_support(struct strbuf *out, const struct sniff_log *log,
			      const struct table_entry **entries, size_t entry_count)
{
	const char *name = log->loaded.scope.table_name, *const *caps;
	struct strbuf lacking = { 0 };

	if (!log->judge.node)
		strbuf_addf(out, "%s has no node for %s\n", name, log->judge.abi->version);
	if (!log->args->quiet) {
		add_support_lines(out, NULL, log, SNIFF_PASSED);
		add_support_lines(out, NULL, log, SNIFF_REFUSED);
	}
	add_support_lines(out, &lacking, log, SNIFF_LACKING);
	if (log->use.unidentified) {
		strbuf_plural(out, log->use.unidentified, "call");
		escape_addf(out, escape_terminal, " of devices whose ioctls are unknown, such as %s\n",
			    log->use.unidentified_path);
	}
	if (!log->args->quiet) {
		caps_cover(&caps, entries, entry_count, log->args->arena);
		if (*caps)
			strbuf_adds(out, "capabilities that cover all forwarded ioctls:");
		for (size_t i = 0; caps[i]; i++)
			strbuf_addf(out, " %s%s", caps[i], caps[i + 1] ? "" : "\n");
		if (!is_unsupported(log) && log->use.used)
			strbuf_addf(out, "%s supports all of them at %s\n", name, log->judge.abi->version);
	}
	if (lacking.length)
		strbuf_addf(out, "to add them: drvabi bootstrap --add%s --table %s\n", lacking.text, name);
	strbuf_release(&lacking);
}

/*
 * Appends a summary of all calls, as drvabi decode writes it, the proxy's support for them, and the
 * comparison of --against. With --quiet, appends only the unsupported ioctls and the comparison.
 */
static int sniff_summary(struct strbuf *out, const struct sniff_log *log, struct err *err)
{
	struct arena *arena = log->args->arena;
	const struct table_entry **entries =
		arena_array(arena, HASH_COUNT(log->use.used) + 1, sizeof(*entries));
	struct report_style style = log->args->style;
	struct decode_summary summary = { 0 };
	size_t entry_count = 0;
	bool is_other;
	int rc = 0;

	style.color = false;
	for (const struct sniff_used *used = log->use.used; used; used = used->hh.next) {
		const struct decode_input input = {
			.family = used->family,
			.number = used->number,
			.has_size = used->has_size,
			.size_bytes = used->size_bytes,
			.has_ret = true,
			.ret = used->ret,
			.has_status = used->has_status,
			.status = used->status,
			.callers = used->callers.text,
		};
		struct decode_call *call = arena_alloc(arena, sizeof(*call));

		if ((rc = decode_call(call, &input, &log->loaded.scope, arena, err)))
			break;
		decode_summary_add(&summary, call, call, used->count);
		if (call->has_table && call->forwarded.entry)
			entries[entry_count++] = call->forwarded.entry;
	}
	if (!rc && !log->args->quiet)
		report_decode_summary(out, &summary, &style);
	if (!rc)
		add_proxy_support(out, log, entries, entry_count);
	if (!rc && log->seen)
		rc = against_render(out, &is_other, log->seen, &log->loaded.scope, "text", &style, err);
	decode_summary_release(&summary);
	return rc;
}

/*
 * Prints the summary, records the files of the driver that are new, and finishes the compressed trace.
 * Return: 0; ERR_IO if the trace is incomplete; what sniff_summary() returns.
 */
static int finish_trace(struct sniff_log *log, struct err *err)
{
	struct strbuf text = { 0 };
	int rc = sniff_summary(&text, log, err);

	if (!log->replayed)
		add_files(log); /* files may have been created since begin_trace() */
	if (!rc)
		fputs(strbuf_text(&text), stderr);
	strbuf_release(&text);
	if (!rc && log->has_failed)
		return err_set(err, ERR_IO, "%s; the trace ends early", log->why.text);
	if (rc || !log->args->compress)
		return rc;
	return log->packer ? write_packed(log, NULL, 0, COMPRESS_END, err)
			   : compress_file(log->args->output, err);
}

static void sniff_log_release(struct sniff_log *log)
{
	file_writer_release(&log->file);
	strbuf_release(&log->scratch);
	strbuf_release(&log->packed);
	compress_packer_free(log->packer);
	decode_handles_free(log->handles);
	decode_cache_free(log->printed.cache);
	decode_numbers_free(log->loaded.scope.numbers);
	sniff_use_release(&log->use);
	decode_seen_free(log->seen);
	files_release(&log->files);
}

/* --- the end ------------------------------------------------------------------------------------ */

/*
 * Returns the exit status of the command, or, if a signal ended the command, ends drvabi with that signal.
 * drvabi writes no core file, because it could overwrite the command's core file.
 */
static int end_as(int status)
{
	const struct rlimit none = { 0, 0 };

	if (!WIFSIGNALED(status))
		return WEXITSTATUS(status);
	setrlimit(RLIMIT_CORE, &none);
	signal(WTERMSIG(status), SIG_DFL);
	raise(WTERMSIG(status));
	return 128 + WTERMSIG(status);
}

/*
 * Prints how many calls of a replay matched no recorded call. Return: true if it is therefore unknown
 * whether the proxy supports all calls.
 */
static bool note_unmatched(const struct sniff_log *log, size_t count)
{
	const bool decides = log->args->enforce && has_support(log, SNIFF_REFUSED);
	const char *s = count == 1 ? "" : "s", *trace = log->args->replay;

	if (decides)
		output_say("%zu call%s had no match in %s, so it is unknown whether the driver refuses what the proxy does not support",
			   count, s, trace);
	else
		output_note(log->args, "%zu call%s had no match in %s", count, s, trace);
	return decides;
}

/*
 * Finishes the trace, and prints how the run ended. Return: CLI_SOMETHING if --enforce found an unsupported
 * ioctl or is in doubt; otherwise the command's status; the error of finish_trace().
 */
static int end_sniff(struct sniff_log *log, const struct sniff_result *result, struct err *err)
{
	const size_t *answered = result->answered;
	const struct cli_args *args = log->args;
	bool is_doubtful = false;
	int rc = finish_trace(log, err);

	if (rc)
		return rc;
	if (answered[REPLAY_REFUSED])
		is_doubtful = note_unmatched(log, answered[REPLAY_REFUSED]);
	if (answered[REPLAY_SIMILAR] || answered[REPLAY_REPEATED])
		output_note(args,
			"ioctls answered from %s: %zu by a call with the same inputs, %zu by one with similar inputs, %zu by a call that was "
			"used before; -v lists them",
			args->replay, answered[REPLAY_EXACT], answered[REPLAY_SIMILAR],
			answered[REPLAY_REPEATED]);
	if (result->unasked)
		output_note(args, "%zu ioctls in %s were not used", result->unasked, args->replay);
	if (result->was_ended)
		output_say("the workload was ended, because the ioctl above is not supported");
	if (!args->enforce)
		return result->status;
	if (log->has_losses) {
		output_say("some calls were not recorded, so it is unknown whether the proxy supports all calls");
		is_doubtful = true;
	}
	if ((args->preload || args->listen) && !is_doubtful && !is_unsupported(log)) {
		output_say("%s, so it is unknown whether the proxy supports all calls; leave --%s out to find out",
			   args->preload ? "--preload sees no raw system calls and no static programs"
					 : "gVisor's hook sees only calls on /dev/nvidia*, and neither raw system calls nor static programs",
			   args->preload ? "preload" : "listen");
		is_doubtful = true;
	}
	return is_doubtful || is_unsupported(log) ? CLI_SOMETHING : result->status;
}

/* Runs drvabi decode --against for the trace of --replay. Refuses options that need a workload. */
static int compare_trace(const struct cli_args *args, struct err *err)
{
	const char *const trace[] = { args->replay };
	struct cli_args decoded = *args;
	int rc;

	if (args->format_given ||
	    cli_given(args, "preload once who all max-bytes enforce survive compress wire output"))
		return usage_error(err,
			"--replay and --against without a command compare the calls in a trace; other options need a command, "
			"after --. For formats and an exit status, use drvabi decode --against");
	if ((rc = check_words(args, err)))
		return rc;
	decoded.replay = NULL;
	decoded.words = trace;
	decoded.word_count = 1;
	decoded.input_format = "trace";
	decoded.format = "text";
	decoded.quiet = false; /* sniff's --quiet does not suppress decode's notes and warnings */
	return cmd_decode(&decoded, err);
}

/*
 * drvabi sniff: runs or observes a workload, records its ioctls, and reports which of them a proxy supports.
 * Return: as end_sniff(). If a signal ended the workload, drvabi ends with it, too.
 */
int cmd_sniff(struct cli_args *args, struct err *err)
{
	struct sniff_log log = { .args = args,
				 .ends_workload = args->enforce && !strcmp(args->enforce, "instant"),
				 .wire = args->wire && !strcmp(args->wire, "gvisor") ? TRACE_WIRE_GVISOR
										     : TRACE_WIRE_DRVABI,
				 .is_json = !strcmp(args->format, "json"),
				 .file = { .fd = -1, .dir_fd = -1 } };
	struct sniff_options options = { .command = args->attach || args->all ? NULL : args->rest,
					 .environment = environ,
					 .survive = args->survive,
					 .replay_strictly = args->strict,
					 .notes_answers = args->verbose,
					 .names_callers = args->who,
					 .region_bytes = REGION_BYTES };
	struct sniff_result result = { .status = 0 };
	uint64_t pid = 0;
	bool has_ended = false;
	int rc;

	if (compares_trace(args))
		return compare_trace(args, err);
	if (!args->target_given) /* documents are loaded for the architecture of this machine */
		args->target = sniff_target();
	if (!(rc = check_words(args, err)) && !(rc = read_up_to(&pid, "-p", args->attach, INT_MAX, err)) &&
	    !(rc = read_up_to(&options.region_bytes, "--max-bytes", args->max_bytes, UINT32_MAX, err))) {
		options.pid = args->all ? SNIFF_ALL : (pid_t)pid;
		if (!(rc = record_workload(&log, &options, &result, err)))
			rc = end_sniff(&log, &result, err);
		has_ended = rc >= 0 && rc == result.status;
	}
	sniff_log_release(&log);
	args->output = NULL; /* it is the trace */
	replay_free(options.replay);
	return has_ended ? end_as(result.status) : rc;
}
