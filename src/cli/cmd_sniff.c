/* cli/cmd_sniff.c - drvabi sniff: checks the command line, and reports how the recording ended */
#include "cli/cli.h"
#include "decode/decode.h"
#include "report/report.h"
#include "sniff/sniff.h"

#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

enum { REGION_BYTES = 1024 * 1024 };

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
	/* The options that can be used only with ptrace, or only with --listen or --preload. */
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

static int read_up_to(uint64_t *out, const char *option, const char *word, uint64_t limit, struct err *err)
{
	if (!word)
		return 0;
	if (!hex_number(out, word) || !*out || *out > limit)
		return usage_error(err, "%s takes a number from 1 to %llu, not '%s'", option,
				   (unsigned long long)limit, word);
	return 0;
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
 * Reports how the run ended. Return: CLI_SOMETHING if --enforce found an unsupported ioctl or is in doubt;
 * otherwise the command's status.
 */
static int end_sniff(struct sniff_log *log, const struct sniff_result *result, struct err *err)
{
	const size_t *answered = result->answered;
	const struct cli_args *args = log->args;
	bool is_doubtful = false;
	int rc = sniff_log_end(log, err);

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
	if (log->enforce != SNIFF_ENFORCE_NOT && log->has_losses) {
		output_say("some calls were not recorded, so it is unknown whether the proxy supports all calls");
		is_doubtful = true;
	}
	if (log->enforce != SNIFF_ENFORCE_NOT && (args->preload || args->listen) && !is_doubtful &&
	    !sniff_log_is_unsupported(log)) {
		output_say(
			args->preload
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

/* Runs drvabi decode --against for the trace of --replay. */
static int compare_trace(const struct cli_args *args, struct err *err)
{
	const char *const trace[] = { args->replay };
	struct cli_args decoded = *args;
	int rc;

	if (args->preload || args->once || args->who || args->all || args->max_bytes || args->enforce ||
	    args->survive || args->compress || args->wire || args->output || args->format_given)
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

int cmd_sniff(struct cli_args *args, struct err *err)
{
	struct sniff_log log = { .args = args,
				 .enforce = !args->enforce                      ? SNIFF_ENFORCE_NOT
					    : strcmp(args->enforce, "instant") ? SNIFF_ENFORCE_REPORT
									       : SNIFF_ENFORCE_INSTANT,
				 .wire = args->wire && !strcmp(args->wire, "gvisor") ? TRACE_WIRE_GVISOR
										     : TRACE_WIRE_DRVABI,
				 .is_json = !strcmp(args->format, "json"),
				 .fd = -1 };
	struct sniff_options options = { .command = args->attach || args->all ? NULL : args->rest,
					 .environment = program_environment(),
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
		if (!(rc = sniff_log_record(&log, &options, &result, err)))
			rc = end_sniff(&log, &result, err);
		has_ended = rc >= 0 && rc == result.status;
	}
	sniff_log_release(&log);
	args->output = NULL; /* it is the trace */
	replay_free(options.replay);
	return has_ended ? end_as(result.status) : rc;
}
