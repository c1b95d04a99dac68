/*
 * 1. The header names the version that the calls are decoded with. A second header, of a trace that was appended, begins
 *    anew: other processes, other handles.
 * 2. Each ioctl becomes what decode/ takes (trace_call.c).
 * 3. Before the input is waited for, what has been decoded is written.
 */
#include "cli/decode_trace.h"

#include "cli/decode_result.h"
#include "cli/output.h"
#include "cli/trace_call.h"
#include "report/report.h"
#include "decode/decode.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { BEGIN_BYTES = 64 };

struct run {
	struct decode_scope scope;
	const struct cli_args *args;
	struct decode_result result;
	struct trace_reader *reader;
	int fd;
	struct decode_handles *handles;
	struct arena arena; /* of one message */
	char version[64];   /* of the header; "": it names none */
	size_t others;      /* ioctls of other devices */
};

/* --- is it one? --------------------------------------------------------------------------- */

/* The beginning of a pipe, which stays in it. Return: bytes, or -1. */
static ssize_t peek_pipe(uint8_t *out, size_t size)
{
	int copy[2];
	ssize_t got;

	if (pipe2(copy, O_CLOEXEC))
		return -1;
	do
		got = tee(STDIN_FILENO, copy[1], size, 0);
	while (got < 0 && errno == EINTR);
	if (got > 0)
		got = read(copy[0], out, (size_t)got);
	close(copy[0]);
	close(copy[1]);
	return got;
}

static ssize_t peek_file(uint8_t *out, size_t size, const char *path)
{
	const bool is_input = !strcmp(path, "-");
	const int fd = is_input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t got;

	if (fd < 0)
		return -1;
	got = pread(fd, out, size, is_input ? lseek(fd, 0, SEEK_CUR) : 0);
	if (!is_input)
		close(fd);
	return got;
}

bool decode_trace_recognise(const char *path)
{
	uint8_t begin[BEGIN_BYTES];
	ssize_t got = peek_file(begin, sizeof(begin), path);

	if (got < 0 && !strcmp(path, "-"))
		got = peek_pipe(begin, sizeof(begin));
	return got > 0 && trace_recognise(begin, (size_t)got);
}

/* --- the header ----------------------------------------------------------------------------- */

static void begin_trace(struct run *run, const struct trace_message *header)
{
	decode_handles_free(run->handles);
	run->handles = decode_handles_new();
	if (*header->target && !run->args->target_given && strcmp(header->target, run->args->target) != 0)
		output_note(run->args, "the trace is of target %s, and is decoded as one of %s; name its own with --target", header->target,
			    run->args->target);
	if (run->args->version)
		return;
	snprintf(run->version, sizeof(run->version), "%s", header->version);
	if (!decode_scope_name(&run->scope, run->version) && *header->version)
		output_note(run->args, "the trace is of version %s, which no document has; sizes decide, or name another one with --version", header->version);
	if (!*header->version)
		run->scope.named = NULL;
	run->result.scope.named = run->scope.named;
	run->result.scope.asked = run->scope.asked;
	run->result.scope.asked_index = run->scope.asked_index;
	decode_memo_free(run->scope.memo);
	run->scope.memo = decode_memo_new();
}

/* --- a call ----------------------------------------------------------------------------------- */

static int tell_ioctl(struct run *run, const struct trace_message *message, struct err *err)
{
	struct decode_input input;
	struct trace_call recorded;
	struct decode_call call;
	int rc;

	if (!trace_call_input(&input, &recorded, message, run->scope.devices, &run->arena)) {
		run->others++;
		return 0;
	}
	input.handles = run->handles;
	if (!(rc = decode_call(&call, &input, &run->scope, &run->arena, err)))
		rc = decode_result_call(&run->result, &call, err);
	return rc;
}

/* --- the whole ------------------------------------------------------------------------------------- */

static void tell_other(struct run *run, const struct trace_message *message)
{
	const struct report_trace_event event = trace_call_event(message);

	if (run->result.format == DECODE_JSON)
		report_trace_event_json(&run->result.out, &event);
	else if (run->result.format == DECODE_TEXT && !run->args->only)
		report_trace_event_text(&run->result.out, &event, &run->result.style);
}

static int tell_message(struct run *run, const struct trace_message *message, struct err *err)
{
	int rc = 0;

	switch (message->kind) {
	case TRACE_HEADER:
		begin_trace(run, message);
		break;
	case TRACE_IOCTL:
		rc = tell_ioctl(run, message, err);
		break;
	case TRACE_OPEN:
	case TRACE_MMAP:
		tell_other(run, message);
		break;
	}
	arena_release(&run->arena);
	return rc;
}

static bool would_wait(int fd)
{
	struct pollfd input = { .fd = fd, .events = POLLIN };

	return poll(&input, 1, 0) == 0;
}

static int tell_all(struct run *run, struct err *err)
{
	struct trace_message message;
	int rc;

	for (;;) {
		if (run->result.out.length && would_wait(run->fd) && (rc = decode_result_flush(&run->result, err)))
			return rc;
		if ((rc = trace_next(&message, run->reader, err)) <= 0)
			return rc;
		if ((rc = tell_message(run, &message, err)))
			return rc;
	}
}

static void tell_end(const struct run *run, const char *name)
{
	const uint64_t cut = trace_reader_cut(run->reader);

	if (cut != UINT64_MAX)
		output_note(run->args, "%s breaks off within the message at byte %llu; all before it is decoded", name, (unsigned long long)cut);
	if (run->others)
		output_note(run->args, "%zu %s of %s %s not the driver's", run->others, run->others == 1 ? "ioctl" : "ioctls", name, run->others == 1 ? "is" : "are");
}

int decode_trace(bool *wrong, const char *path, const struct decode_scope *scope, const struct cli_args *args, struct err *err)
{
	const bool is_input = !strcmp(path, "-");
	const char *name = is_input ? "standard input" : path;
	struct run run = { .scope = *scope, .args = args, .fd = is_input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC) };
	int rc;

	if (run.fd < 0)
		return err_set(err, errno == ENOENT ? ERR_NOT_FOUND : ERR_IO, "cannot read %s: %s", path, strerror(errno));
	file_note_input(run.fd);
	run.reader = trace_reader_new(run.fd, name, NULL, 0);
	run.handles = decode_handles_new();
	run.scope.memo = decode_memo_new();
	if (!(rc = decode_result_open(&run.result, scope, args, err)) && !(rc = tell_all(&run, err)))
		rc = decode_result_finish(&run.result, err);
	if (!rc)
		tell_end(&run, name);
	*wrong = run.result.wrong;
	decode_result_release(&run.result);
	decode_handles_free(run.handles);
	decode_memo_free(run.scope.memo);
	trace_reader_free(run.reader);
	arena_release(&run.arena);
	if (!is_input)
		close(run.fd);
	return rc;
}
