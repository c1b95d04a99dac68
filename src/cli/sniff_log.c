/* cli/sniff_log.c - drvabi sniff: records and prints each call, and prints the summary at the end */
#include "cli/cli.h"
#include "base/base.h"
#include "report/report.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct report_trace_event trace_call_event(const struct trace_message *message)
{
	const bool is_file = message->kind == TRACE_FILE;

	return (struct report_trace_event){ .kind = is_file                     ? REPORT_TRACE_FILE
						    : message->kind == TRACE_MMAP ? REPORT_TRACE_MMAP
										  : REPORT_TRACE_OPEN,
					    .path = message->fd_path,
					    .fd = message->fd,
					    .ret = message->ret,
					    .open_flags = message->open_flags,
					    .address = message->argument,
					    .size_bytes = is_file ? message->after.size_bytes
								  : message->map_size_bytes,
					    .mode = message->file_mode,
					    .device = message->file_device,
					    .protection = message->map_protection,
					    .map_flags = message->map_flags,
					    .offset = message->map_offset };
}

static const struct trace_bytes *before_or_after(const struct trace_bytes *before,
						 const struct trace_bytes *after)
{
	return before->bytes ? before : after;
}

/* For trace_call_follow(): finds the recorded memory that a pointer of the call points to. */
static bool read_recorded(const uint8_t **bytes, void *data, uint64_t address, uint64_t size_bytes)
{
	const struct trace_message *message = data;

	for (size_t i = 0; i < message->memory_count; i++) {
		const struct trace_memory *memory = &message->memory[i];
		const struct trace_bytes *found = before_or_after(&memory->before, &memory->after);

		if (memory->address != address || memory->size_bytes != size_bytes ||
		    found->size_bytes != size_bytes)
			continue;
		*bytes = found->bytes;
		return true;
	}
	return false;
}

size_t trace_call_follow(struct call chain[CALL_DEPTH_MAX], const struct trace_message *message,
			 const struct device_rules *devices, const struct abi *abi)
{
	const struct call_memory memory = { .read = read_recorded, .data = (void *)message };
	const struct trace_bytes *bytes = before_or_after(&message->before, &message->after);
	struct call first = { .address = message->argument,
			      .bytes = bytes->bytes,
			      .size_bytes = bytes->size_bytes,
			      .has_size = bytes->bytes };

	if (message->kind != TRACE_IOCTL)
		return 0;
	first.family = call_identify_on(&first.number, devices, message->fd_path, message->request);
	return first.family ? call_follow(chain, &first, abi, &memory) : 0;
}

/* --- what calls are checked against -------------------------------------------------------------- */

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
	log->cache = decode_cache_new();
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
	output_say(why->text);
	output_note(log->args, "the workload continues; its further calls are not recorded");
}

/* Writes all of @text, with several calls of write(2) if necessary. */
static int write_text(int fd, const void *text, size_t length, const char *path, struct err *err)
{
	size_t done = 0;

	while (done < length) {
		const ssize_t written = write(fd, (const char *)text + done, length - done);

		if (written < 0 && errno != EINTR)
			return err_set(err, ERR_IO, "cannot write %s: %s", path, strerror(errno));
		done += written < 0 ? 0 : (size_t)written;
	}
	return 0;
}

/* Compresses bytes of the trace, and writes the compressed bytes. */
static int write_packed(struct sniff_log *log, const void *bytes, size_t size_bytes,
			enum compress_flush flush, struct err *err)
{
	strbuf_reset(&log->packed);
	if (compress_packer_add(&log->packed, log->packer, bytes, size_bytes, flush, err)) {
		err_prefix(err, "%s", log->args->output);
		return ERR_IO;
	}
	return write_text(log->fd, log->packed.text, log->packed.length, log->args->output, err);
}

/* Writes complete messages, which are already in the format of a trace, without counting them. */
static void record_bytes(void *data, const void *bytes, size_t size_bytes)
{
	struct sniff_log *log = data;
	struct err err = { "" };

	if (log->fd < 0 || log->has_failed)
		return;
	if (log->packer ? write_packed(log, bytes, size_bytes, COMPRESS_NOW, &err)
			: write_text(log->fd, bytes, size_bytes, log->args->output, &err))
		stop_recording(log, &err);
}

static void write_message(struct sniff_log *log, const struct trace_message *message)
{
	struct err err = { "" };

	if (log->fd < 0 || log->has_failed || log->is_json)
		return;
	if (log->packer) {
		strbuf_reset(&log->scratch);
		trace_pack(&log->scratch, message, log->wire);
		record_bytes(log, log->scratch.text, log->scratch.length);
	} else if (trace_write(log->fd, message, log->wire, &log->scratch, &err)) {
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

/* The output for one message: for --format json, and for -v. */
struct emitted {
	struct strbuf json, text;
};

static void emit_output(struct sniff_log *log, struct emitted *emitted)
{
	struct err err = { "" };

	if (write_text(log->fd, emitted->json.text, emitted->json.length, log->args->output, &err))
		stop_recording(log, &err);
	write_text(STDERR_FILENO, emitted->text.text, emitted->text.length, "standard error", &err);
	strbuf_release(&emitted->json);
	strbuf_release(&emitted->text);
}

static bool writes_json(const struct sniff_log *log)
{
	return log->is_json && !log->has_failed;
}

static void emit_event(struct sniff_log *log, const struct trace_message *message, bool is_shown)
{
	const struct report_trace_event event = trace_call_event(message);
	const struct report_style style = { .color = false };
	struct emitted emitted = { .json = { 0 } };

	if (writes_json(log))
		report_trace_event_json(&emitted.json, &event);
	if (is_shown)
		report_trace_event_text(&emitted.text, &event, &style);
	emit_output(log, &emitted);
}

static void add_file(void *data, const struct trace_message *message)
{
	write_message(data, message);
	emit_event(data, message, false);
}

/*
 * Records the driver's files of this machine; with --replay, those of the replayed trace. With --listen,
 * records none, because the programs can run on a different machine.
 */
static void add_files(struct sniff_log *log)
{
	struct trace_message message;

	if (log->fd < 0 || log->args->listen)
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

/* Empties the trace, and writes its header, once the workload runs. */
static void begin_trace(void *data)
{
	struct sniff_log *log = data;
	struct trace_message header = { .kind = TRACE_HEADER, .fd_path = "", .fd = -1, .target = sniff_target() };
	struct strbuf command = { 0 };
	struct stat st;

	if (log->fd < 0)
		return;
	/*
	 * A file of size 0 is not truncated: pipes and devices cannot be truncated, and ext4 would write a
	 * new file to the disk when it is closed, if it had been truncated.
	 */
	if (!fstat(log->fd, &st) && st.st_size && ftruncate(log->fd, 0))
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

/* Decodes one call, and prints it as drvabi decode does. */
static void emit_call(struct sniff_log *log, const struct trace_message *message)
{
	const struct report_style style = { .color = false };
	struct decode_scope scope = log->loaded.scope;
	struct emitted emitted = { .json = { 0 } };
	struct arena arena = { 0 };
	struct decode_input input;
	struct decode_origin origin;
	struct decode_call call;
	struct err err = { "" };

	scope.cache = log->cache;
	if (!trace_call_input(&input, &origin, message, scope.devices, &arena))
		goto out;
	input.handles = log->handles;
	if (decode_call(&call, &input, &scope, &arena, &err)) {
		output_say(err.text);
		goto out;
	}
	if (writes_json(log))
		report_decode_json(&emitted.json, &call);
	if (log->args->verbose)
		report_decode_text(&emitted.text, &call, &style);
	emit_output(log, &emitted);
out:
	arena_release(&arena);
}

/* Records, counts and prints a message. Return: false to end the workload. */
static bool record_message(void *data, const struct trace_message *message, const struct call *chain,
			   size_t chain_count)
{
	struct sniff_log *log = data;
	const bool is_shown = log->args->verbose || writes_json(log);
	struct decode_scope scope = log->loaded.scope;
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
		chain_count = trace_call_follow(followed, message, scope.devices, scope.asked);
	}
	scope.cache = log->cache;
	if (log->seen)
		decode_seen_add_chain(log->seen, chain, chain_count, &scope);
	used = sniff_use_add(&log->use, message, chain, chain_count, &log->judge);
	if (is_shown)
		emit_call(log, message);
	return log->enforce != SNIFF_ENFORCE_INSTANT || (used && used->support != SNIFF_LACKING);
}

/* Prints a sentence about calls that were not recorded, even with --quiet. */
static void note_loss(void *data, const char *sentence)
{
	struct sniff_log *log = data;

	log->has_losses = true;
	output_say(sentence);
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

/* Returns true if each call must be decoded. Otherwise the recorded messages are written unchanged. */
static bool is_shown(const struct sniff_log *log)
{
	return !log->args->quiet || log->args->verbose || log->is_json || log->enforce != SNIFF_ENFORCE_NOT ||
	       log->wire != TRACE_WIRE_DRVABI;
}

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

/* Reads the trace to replay. @version: if it is NULL, set to the version in the trace. */
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

int sniff_log_record(struct sniff_log *log, struct sniff_options *options, struct sniff_result *result,
		     struct err *err)
{
	const struct cli_args *args = log->args;
	struct sniff_observer observer = {
		.started = args->listen ? listener_started : begin_trace, .message = record_message,
		.note = print_note, .loss = note_loss, .may_end = log->enforce == SNIFF_ENFORCE_INSTANT,
		.data = log
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
		log->fd = log->file.fd;
	}
	options->abi = log->judge.abi;
	options->pointers = &log->loaded.use.pointers;
	options->devices = &log->loaded.use.devices;
	if (args->preload && !is_shown(log)) {
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
	if (rc && log->fd >= 0 && !log->was_there)
		unlink(log->file.target.text);
	return rc;
}

static bool has_support(const struct sniff_log *log, enum sniff_support support)
{
	for (const struct sniff_used *used = log->use.used; used; used = used->hh.next)
		if (used->support == support)
			return true;
	return false;
}

bool sniff_log_is_unsupported(const struct sniff_log *log)
{
	return has_support(log, SNIFF_LACKING) || log->use.unidentified;
}

bool sniff_log_is_refused(const struct sniff_log *log)
{
	return has_support(log, SNIFF_REFUSED);
}

/* the summary of the ioctls that a workload made */

/* The state of making a summary. */
struct summing {
	const struct sniff_log *log;
	struct decode_summary summary;
	const struct table_entry **entries; /* the entries of the table that the workload needs */
	size_t entry_count;
	struct strbuf add;                  /* the names of the ioctls that the proxy does not support */
	size_t unsupported;                 /* the number of distinct ioctls that the proxy does not
					       support */
	struct arena arena;
};

/*
 * Returns true if no earlier element of use->used has the same ioctl and the same support. Elements with the
 * same ioctl differ in size, status or result.
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

/* Appends a line for each ioctl with @support. */
static void sum_support(struct strbuf *out, struct summing *summing, enum sniff_support support)
{
	const struct sniff_log *log = summing->log;

	for (const struct sniff_used *used = log->use.used; used; used = used->hh.next) {
		const struct abi_ioctl *ioctl;

		if (used->support != support || !is_first(&log->use, used))
			continue;
		ioctl = call_find(log->judge.abi, used->family, used->number);
		strbuf_addf(out, "%s: %s 0x%llx %s\n", support_words(support), used->family,
			    (unsigned long long)used->number,
			    ioctl ? ioctl->name : "(no ioctl of this version)");
		if (support != SNIFF_LACKING)
			continue;
		summing->unsupported++;
		if (ioctl)
			strbuf_addf(&summing->add, " %s", ioctl->name);
	}
}

static void sum_proxy(struct strbuf *out, struct summing *summing)
{
	const struct sniff_log *log = summing->log;
	const char *name = log->loaded.scope.table_name, *const *caps;

	if (!log->judge.node)
		strbuf_addf(out, "%s has no node for %s\n", name, log->judge.abi->version);
	if (!log->args->quiet) {
		sum_support(out, summing, SNIFF_PASSED);
		sum_support(out, summing, SNIFF_REFUSED);
	}
	sum_support(out, summing, SNIFF_LACKING);
	if (log->use.unidentified) {
		strbuf_plural(out, log->use.unidentified, "call");
		escape_addf(out, escape_terminal, " of devices whose ioctls are unknown, such as %s\n",
			    log->use.unidentified_path);
	}
	if (!log->args->quiet) {
		sniff_cover(&caps, summing->entries, summing->entry_count, &summing->arena);
		if (*caps)
			strbuf_adds(out, "capabilities that cover all forwarded ioctls:");
		for (size_t i = 0; caps[i]; i++)
			strbuf_addf(out, " %s%s", caps[i], caps[i + 1] ? "" : "\n");
		if (!summing->unsupported && !log->use.unidentified && log->use.used)
			strbuf_addf(out, "%s supports all of them at %s\n", name, log->judge.abi->version);
	}
	if (summing->add.length)
		strbuf_addf(out, "to add them: drvabi bootstrap --add%s --table %s\n", summing->add.text, name);
}

/*
 * sniff_summary - append a summary of all calls, as drvabi decode writes it, and then the proxy's support for
 * them. With --quiet, append only the unsupported ioctls. With --against, append the comparison with that
 * version.
 */
static int sniff_summary(struct strbuf *out, const struct sniff_log *log, struct err *err)
{
	struct summing summing = { .log = log };
	struct report_style style = output_style(log->args);
	bool is_other;
	int rc = 0;

	style.color = false;
	summing.entries = arena_array(&summing.arena, HASH_COUNT(log->use.used) + 1, sizeof(*summing.entries));
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
		struct decode_call *call = arena_alloc(&summing.arena, sizeof(*call));

		if ((rc = decode_call(call, &input, &log->loaded.scope, &summing.arena, err)))
			break;
		decode_summary_add(&summing.summary, call, used->count);
		if (call->has_table && call->forwarded.entry)
			summing.entries[summing.entry_count++] = call->forwarded.entry;
	}
	if (!rc && !log->args->quiet)
		report_decode_summary(out, &summing.summary, &style);
	if (!rc)
		sum_proxy(out, &summing);
	if (!rc && log->seen)
		rc = against_render(out, &is_other, log->seen, &log->loaded.scope, "text", &style, err);
	decode_summary_release(&summing.summary);
	strbuf_release(&summing.add);
	arena_release(&summing.arena);
	return rc;
}

int sniff_log_end(struct sniff_log *log, struct err *err)
{
	struct strbuf text = { 0 };
	int rc = sniff_summary(&text, log, err);

	if (!log->replayed)
		add_files(log); /* files may have been created since begin_trace() */
	if (!rc)
		write_text(STDERR_FILENO, text.text, text.length, "standard error", err);
	strbuf_release(&text);
	if (!rc && log->has_failed)
		return err_set(err, ERR_IO, "%s; the trace ends early", log->why.text);
	if (rc || !log->args->compress)
		return rc;
	return log->packer ? write_packed(log, NULL, 0, COMPRESS_END, err)
			   : compress_file(log->args->output, err);
}

void sniff_log_release(struct sniff_log *log)
{
	if (log->fd >= 0)
		file_writer_release(&log->file);
	strbuf_release(&log->scratch);
	strbuf_release(&log->packed);
	compress_packer_free(log->packer);
	decode_handles_free(log->handles);
	decode_cache_free(log->cache);
	decode_numbers_free(log->loaded.scope.numbers);
	sniff_use_release(&log->use);
	decode_seen_free(log->seen);
	files_release(&log->files);
}
