/*
 * cli/cmd_sniff.c - drvabi sniff: records the ioctls of a workload, with ptrace, a preloaded library or
 * gVisor's hook
 */
#include "cli/cli.h"
#include "decode/decode.h"
#include "report/report.h"
#include "sniff/sniff.h"

#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int against_render(struct strbuf *out, bool *is_other, const struct decode_seen *seen,
		   const struct decode_scope *scope, const char *format, const struct report_style *style,
		   struct err *err)
{
	struct decode_against against;
	struct arena arena = { 0 };
	size_t count;
	struct decode_seen_ioctl *list = decode_seen_list(&count, seen);
	int rc;

	if (!(rc = decode_against(&against, list, count, scope->asked, scope->against, scope->pointers,
				  &arena, err))) {
		against.left_out = decode_seen_left_out(seen);
		*is_other = against.by_fate[DECODE_CHANGED] || against.by_fate[DECODE_GONE];
		if (!strcmp(format, "json"))
			report_against_json(out, &against);
		else
			report_against(out, &against, style);
	}
	free(list);
	arena_release(&arena);
	return rc;
}

/* drvabi sniff --preload */

#define LIBRARY "libdrvabi-preload.so"

static void started(void *data)
{
	sniff_log_begin(data, sniff_target());
}

static bool bytes(void *data, const void *bytes_, size_t size_bytes)
{
	sniff_log_bytes(data, bytes_, size_bytes);
	return true;
}

static bool no_bytes(void *data, const void *bytes_, size_t size_bytes)
{
	(void)data;
	(void)bytes_;
	(void)size_bytes;
	return true;
}

/*
 * Returns the path of the preloaded library: in the directory of the program, as after a build, or else where
 * make install puts it.
 */
static const char *find_library(struct arena *arena)
{
	const char *program = data_surroundings(arena).program;
	const char *slash = program ? strrchr(program, '/') : NULL;
	const int length = slash ? (int)(slash - program) : 0;
	const char *beside = arena_printf(arena, "%.*s/" LIBRARY, length, program ? program : "");

	return access(beside, R_OK)
		       ? arena_printf(arena, "%.*s/../lib/drvabi/" LIBRARY, length, program ? program : "")
		       : beside;
}

/* Returns true if each call must be decoded. Otherwise the recorded messages are written unchanged. */
static bool is_shown(const struct sniff_log *log)
{
	return !log->args->quiet || log->args->verbose || log->is_json || log->enforce != SNIFF_ENFORCE_NOT ||
	       log->wire != TRACE_WIRE_DRVABI;
}

/* --- finding the calls inside a recorded call, for recorders that do not find them --- */

static const struct trace_bytes *recorded(const struct trace_bytes *before, const struct trace_bytes *after)
{
	return before->bytes ? before : after;
}

static bool read_recorded(const uint8_t **bytes, void *data, uint64_t address, uint64_t size_bytes)
{
	const struct trace_message *message = data;

	for (size_t i = 0; i < message->memory_count; i++) {
		const struct trace_memory *memory = &message->memory[i];
		const struct trace_bytes *found = recorded(&memory->before, &memory->after);

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
	const struct trace_bytes *bytes = recorded(&message->before, &message->after);
	struct call first = { .address = message->argument,
			      .bytes = bytes->bytes,
			      .size_bytes = bytes->size_bytes,
			      .has_size = bytes->bytes };

	if (message->kind != TRACE_IOCTL)
		return 0;
	first.family = call_identify_on(&first.number, devices, message->fd_path, message->request);
	return first.family ? call_follow(chain, &first, abi, &memory) : 0;
}

static bool recorder_message(void *data, const struct trace_message *message)
{
	const struct sniff_log *log = data;
	const struct decode_scope *scope = &log->loaded.scope;
	struct call chain[CALL_DEPTH_MAX];

	return sniff_log_message(data, message, chain,
				 trace_call_follow(chain, message, scope->devices, scope->asked));
}

/*
 * sniff_library_run - run the workload with the preloaded library, and record its calls in @log. Return: 0;
 * ERR_NOT_FOUND; ERR_IO.
 */
static int sniff_library_run(struct sniff_result *out, const struct sniff_options *options,
			     struct sniff_log *log, struct err *err)
{
	const bool shown = is_shown(log);
	const struct preload_observer observer = { .started = started,
						   .bytes = shown ? no_bytes : bytes,
						   .message = shown ? recorder_message : NULL,
						   .loss = sniff_log_loss,
						   .data = log };
	const struct preload_options preload = { .library = find_library(log->args->arena),
						 .command = options->command,
						 .environment = options->environment,
						 .abi = options->abi,
						 .rules = options->pointers,
						 .devices = options->devices,
						 .region_bytes = options->region_bytes };
	struct preload_result result = { .status = 0 };
	int rc;

	if (!shown)
		sniff_log_pack(log);
	if (!(rc = preload_run(&result, &preload, &observer, err)))
		*out = (struct sniff_result){ .status = result.status, .was_ended = result.was_ended };
	return rc;
}

/* drvabi sniff --listen SOCKET */

static void listener_started(void *data)
{
	const struct sniff_log *log = data;

	started(data);
	output_note(log->args, "listening; run the workload with GVISOR_IOCTL_SNIFFER_SOCKET_PATH=%s",
		    log->args->listen);
	output_note(log->args, "the hook sends " TRACE_HOOK_LACKS);
}

/*
 * sniff_listen_run - record the calls that gVisor's hook sends, until a signal arrives, or with --once until
 * all connections are closed. Return: 0; ERR_IO.
 */
static int sniff_listen_run(struct sniff_log *log, struct err *err)
{
	const struct listen_options options = { .path = log->args->listen, .until_gone = log->args->once };
	const struct listen_observer observer = { .started = listener_started,
						  .message = recorder_message,
						  .note = sniff_log_loss,
						  .data = log };

	return listen_run(&options, &observer, err);
}

enum { REGION_BYTES = 1024 * 1024 };

static void note(void *data, const char *sentence)
{
	const struct sniff_log *log = data;

	output_note(log->args, "%s", sentence);
}

/* --- the command line --------------------------------------------------------------------------------- */

/*
 * Returns true if no workload is run, and only the ABI of the trace's ioctls is compared between two
 * versions.
 */
static bool compares_trace(const struct cli_args *args)
{
	return args->replay && args->against && !args->rest_count && !args->attach && !args->listen;
}

static int check_compared(const struct cli_args *args, struct err *err)
{
	if (args->preload || args->once || args->who || args->all || args->max_bytes || args->enforce ||
	    args->survive || args->compress || args->wire || args->output || args->format_given)
		return usage_error(err,
			"--replay and --against without a command compare the calls in a trace; other options need a command, "
			"after --. For formats and an exit status, use drvabi decode --against");
	return 0;
}

/* Checks the options that can be used only with ptrace, or only with --listen or --preload. */
static int check_ways(const struct cli_args *args, struct err *err)
{
	if (args->listen &&
	    (args->attach || args->rest_count || args->preload || args->replay || args->survive))
		return usage_error(err,
			"--listen waits for programs that gVisor's hook is loaded into; leave out the command, -p, --preload, "
			"--replay and --survive");
	if (args->who && (args->listen || args->preload))
		return usage_error(err,
			"--who reads the stacks of traced processes; leave out --preload and --listen");
	if (args->once && !args->listen)
		return usage_error(err, "--once is for --listen");
	if (args->preload && (args->attach || args->replay || args->survive))
		return usage_error(err,
			"--preload loads a library into a command, and traces nothing; leave out -p, --replay and --survive");
	return 0;
}

static int check_words(const struct cli_args *args, struct err *err)
{
	int rc;

	if ((rc = check_ways(args, err)))
		return rc;
	if (args->word_count)
		return usage_error(err,
			"'%s' is not an option; the command goes after --, as in drvabi sniff -- nvidia-smi",
			args->words[0]);
	if (args->all && (args->attach || args->rest_count || args->listen || args->preload || args->replay))
		return usage_error(err,
			"--all attaches to all processes; leave out the command, -p, --listen, --preload and --replay");
	if (args->attach && args->rest_count)
		return usage_error(err, "-p attaches to a running process; leave out the command");
	if (!args->attach && !args->all && !args->rest_count && !args->listen && !compares_trace(args))
		return usage_error(err, "no command; give it after --, as in drvabi sniff -- nvidia-smi");
	if (args->attach && args->replay)
		return usage_error(err,
			"--replay answers a command from its beginning, but -p attaches to a running process");
	if (args->compress && !args->output)
		return usage_error(err, "--compress is for a trace; name it with -o");
	if (!strcmp(args->format, "json") && !args->output)
		return usage_error(err,
			"--format json needs a file, because standard output belongs to the command; name it with -o");
	if (!strcmp(args->format, "json") && args->wire)
		return usage_error(err, "--wire is for traces; --format json does not write one");
	return 0;
}

static int read_number(uint64_t *out, const char *option, const char *word, uint64_t limit, struct err *err)
{
	if (!word)
		return 0;
	if (!hex_number(out, word) || !*out || *out > limit)
		return usage_error(err, "%s takes a number from 1 to %llu, not '%s'", option,
				   (unsigned long long)limit, word);
	return 0;
}

/* Without --target, documents are loaded for the architecture of this machine. */
static struct cli_args of_this_machine(const struct cli_args *args)
{
	struct cli_args here = *args;

	if (!args->target_given)
		here.target = sniff_target();
	return here;
}

/*
 * --- the end ---------------------------------------------------------------------------------------------
 */

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
 * Reports how many calls matched no recorded call. Return: true if it is therefore unknown whether the proxy
 * supports all calls.
 */
static bool note_unmatched(const struct sniff_log *log, size_t count)
{
	const bool decides = log->enforce != SNIFF_ENFORCE_NOT && sniff_log_is_refused(log);
	struct strbuf text = { 0 };

	strbuf_plural(&text, count, "call");
	strbuf_addf(&text, " had no match in %s", log->args->replay);
	if (decides) {
		strbuf_adds(&text,
			    ", so it is unknown whether the driver refuses what the proxy does not support");
		output_say(strbuf_text(&text));
	} else {
		output_note(log->args, "%s", strbuf_text(&text));
	}
	strbuf_release(&text);
	return decides;
}

/*
 * If ioctls were answered by recorded calls with similar inputs, or by calls that were used before, prints
 * how many ioctls each kind of recorded call answered. Also prints how many recorded ioctls were not used.
 */
static void note_answers(const struct sniff_log *log, const struct sniff_result *result)
{
	const size_t *answered = result->answered;

	if (answered[REPLAY_SIMILAR] || answered[REPLAY_REPEATED])
		output_note(log->args,
			"ioctls answered from %s: %zu by a call with the same inputs, %zu by one with similar inputs, %zu by a call that was "
			"used before; -v lists them",
			log->args->replay, answered[REPLAY_EXACT], answered[REPLAY_SIMILAR],
			answered[REPLAY_REPEATED]);
	if (result->unasked)
		output_note(log->args, "%zu ioctls in %s were not used", result->unasked,
			    log->args->replay);
}

static int end(struct sniff_log *log, const struct sniff_result *result, struct err *err)
{
	bool is_doubtful = false;
	int rc = sniff_log_end(log, err);

	if (rc)
		return rc;
	if (result->answered[REPLAY_REFUSED])
		is_doubtful = note_unmatched(log, result->answered[REPLAY_REFUSED]);
	note_answers(log, result);
	if (result->was_ended)
		output_say("the workload was ended, because the ioctl above is not supported");
	if (log->enforce != SNIFF_ENFORCE_NOT && log->has_losses) {
		output_say("some calls were not recorded, so it is unknown whether the proxy supports all calls");
		is_doubtful = true;
	}
	if (log->enforce != SNIFF_ENFORCE_NOT && (log->args->preload || log->args->listen) && !is_doubtful &&
	    !sniff_log_is_unsupported(log)) {
		output_say(
			log->args->preload
				? "--preload sees no raw system calls and no static programs, so it is unknown whether the proxy supports all calls; "
				  "leave --preload out to find out"
				: "gVisor's hook sees only calls on /dev/nvidia*, and neither raw system calls nor static programs, so it is not known "
				  "whether the proxy supports all calls; leave --listen out to find out");
		is_doubtful = true;
	}
	if (log->enforce != SNIFF_ENFORCE_NOT && (is_doubtful || sniff_log_is_unsupported(log)))
		return CLI_SOMETHING;
	return result->status;
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

static int run(struct sniff_log *log, struct sniff_options *options, struct sniff_result *result,
	       struct err *err)
{
	const struct sniff_observer observer = {
		.started = started, .message = sniff_log_message, .note = note, .loss = sniff_log_loss,
		.may_end = log->enforce == SNIFF_ENFORCE_INSTANT, .data = log
	};
	const char *version = log->args->version;
	int rc;

	if (log->args->replay && (rc = read_replay(options, &version, log->args, err)))
		return rc;
	log->replayed = options->replay ? replay_files(options->replay) : NULL;
	if ((!version && (rc = driver_version_read(&version, log->args->arena, err))) ||
	    (rc = sniff_log_load(log, version, err)))
		return rc;
	if (!log->loaded.use.devices.count)
		return usage_error(err,
			"profile %s does not say which devices are the driver's, so none of its ioctls would be seen; use the profile nvidia",
			log->args->profile);
	if ((rc = sniff_log_open(log, err)))
		return rc;
	options->abi = log->judge.abi;
	options->pointers = &log->loaded.use.pointers;
	options->devices = &log->loaded.use.devices;
	if (log->args->listen)
		rc = sniff_listen_run(log, err);
	else if (log->args->preload)
		rc = sniff_library_run(result, options, log, err);
	else
		rc = sniff_run(result, options, &observer, err);
	if (rc)
		sniff_log_give_up(log);
	return rc;
}

/* Runs drvabi decode --against for the trace of --replay. */
static int compare_trace(const struct cli_args *args, struct err *err)
{
	const char *const trace[] = { args->replay };
	struct cli_args decoded = *args;
	int rc;

	if ((rc = check_compared(args, err)) || (rc = check_words(args, err)))
		return rc;
	decoded.replay = NULL;
	decoded.words = trace;
	decoded.word_count = 1;
	decoded.input_format = "trace";
	decoded.format = "text";
	decoded.quiet = false; /* sniff's --quiet does not suppress decode's notes and warnings */
	return cmd_decode(&decoded, err);
}

int cmd_sniff(const struct cli_args *given, struct err *err)
{
	const struct cli_args args = of_this_machine(given);
	struct sniff_log log = { .args = &args,
				 .enforce = !args.enforce                      ? SNIFF_ENFORCE_NOT
					    : strcmp(args.enforce, "instant") ? SNIFF_ENFORCE_REPORT
									      : SNIFF_ENFORCE_INSTANT,
				 .wire = args.wire && !strcmp(args.wire, "gvisor") ? TRACE_WIRE_GVISOR
										   : TRACE_WIRE_DRVABI,
				 .is_json = !strcmp(args.format, "json"),
				 .fd = -1 };
	struct sniff_options options = { .command = args.attach || args.all ? NULL : args.rest,
					 .environment = program_environment(),
					 .survive = args.survive,
					 .replay_strictly = args.strict,
					 .notes_answers = args.verbose,
					 .names_callers = args.who,
					 .region_bytes = REGION_BYTES };
	struct sniff_result result = { .status = 0 };
	uint64_t pid = 0;
	bool has_ended = false;
	int rc;

	if (compares_trace(given))
		return compare_trace(given, err);
	if (!(rc = check_words(&args, err)) && !(rc = read_number(&pid, "-p", args.attach, INT_MAX, err)) &&
	    !(rc = read_number(&options.region_bytes, "--max-bytes", args.max_bytes, UINT32_MAX, err))) {
		options.pid = args.all ? SNIFF_ALL : (pid_t)pid;
		if (!(rc = run(&log, &options, &result, err)))
			rc = end(&log, &result, err);
		has_ended = rc >= 0 && rc == result.status;
	}
	sniff_log_release(&log);
	replay_free(options.replay);
	return has_ended ? end_as(result.status) : rc;
}
