/*
 * 1. The header names the version that the calls are decoded with. A second header, of a trace that was appended, begins
 *    anew: other processes, other handles.
 * 2. Each ioctl becomes what decode/ takes: its family by the path of its device, its bytes, and the memory that was
 *    recorded, the argument's own bytes among it.
 * 3. Before the input is waited for, what has been decoded is written.
 */
#include "cli/decode_trace.h"

#include "cli/decode_result.h"
#include "cli/output.h"
#include "report/decode.h"
#include "trace/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
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
	const struct history_graph *graph = run->scope.graph;
	size_t i = 0;

	decode_handles_free(run->handles);
	run->handles = decode_handles_new();
	if (run->args->version)
		return;
	while (i < graph->version_count && (!graph->versions[i].abi || strcmp(graph->versions[i].version, header->version) != 0))
		i++;
	run->scope.asked = i < graph->version_count ? graph->versions[i].abi : NULL;
	run->scope.asked_index = i;
	run->result.scope.asked = run->scope.asked;
	run->result.scope.asked_index = i;
	if (i == graph->version_count && *header->version)
		output_note(run->args, "the trace is of version %s, which no document has; sizes decide, or name another one with --version", header->version);
	decode_memo_free(run->scope.memo);
	run->scope.memo = decode_memo_new();
}

/* --- a call ----------------------------------------------------------------------------------- */

/* What of @known is behind @address. Return: false if it begins elsewhere. */
static bool covers(struct decode_recorded *out, const struct trace_memory *known, uint64_t address, uint64_t size_bytes)
{
	const uint64_t offset = address - known->address;
	struct decode_recorded found = { .before = NULL };

	if (address < known->address)
		return false;
	if (known->before.bytes && offset < known->before.size_bytes) {
		found.before = known->before.bytes + offset;
		found.before_bytes = known->before.size_bytes - offset < size_bytes ? known->before.size_bytes - offset : size_bytes;
	}
	if (known->after.bytes && offset < known->after.size_bytes) {
		found.after = known->after.bytes + offset;
		found.after_bytes = known->after.size_bytes - offset < size_bytes ? known->after.size_bytes - offset : size_bytes;
	}
	*out = found;
	return found.before || found.after;
}

static uint64_t most_bytes(const struct decode_recorded *recorded)
{
	return recorded->before_bytes > recorded->after_bytes ? recorded->before_bytes : recorded->after_bytes;
}

/* The range that knows most. */
static bool find_memory(struct decode_recorded *out, void *data, uint64_t address, uint64_t size_bytes)
{
	const struct trace_message *message = data;
	const struct trace_memory argument = { .address = message->argument, .before = message->before, .after = message->after };
	struct decode_recorded found;
	bool is_found = message->argument && covers(out, &argument, address, size_bytes);

	for (size_t i = 0; i < message->memory_count; i++)
		if (covers(&found, &message->memory[i], address, size_bytes) && (!is_found || most_bytes(&found) > most_bytes(out))) {
			*out = found;
			is_found = true;
		}
	return is_found;
}

static uint64_t length_of(const struct trace_bytes *bytes)
{
	return bytes->bytes ? bytes->size_bytes : 0;
}

/* The parameters' size: the request's, but for UVM, whose requests have none: what was recorded. */
static void find_size(struct decode_input *input, const struct trace_message *message)
{
	const uint64_t recorded = length_of(&message->after) > length_of(&message->before) ? length_of(&message->after) : length_of(&message->before);

	input->size_bytes = strcmp(input->family, "uvm") ? call_split(message->request).size_bytes : recorded;
	input->has_size = input->size_bytes > 0;
	if (!input->has_size)
		return;
	input->bytes = length_of(&message->after) >= input->size_bytes ? message->after.bytes : NULL;
	input->before = length_of(&message->before) >= input->size_bytes ? message->before.bytes : NULL;
}

static const struct decode_fd *list_fds(struct run *run, const struct trace_message *message)
{
	struct decode_fd *fds = arena_array(&run->arena, message->fd_count + 1, sizeof(*fds));

	for (size_t i = 0; i < message->fd_count; i++)
		fds[i] = (struct decode_fd){ message->fds[i].number, message->fds[i].path };
	return fds;
}

static int tell_ioctl(struct run *run, const struct trace_message *message, struct err *err)
{
	const struct decode_memory memory = { .find = find_memory, .data = (void *)message };
	const struct decode_origin origin = { .pid = message->pid, .tid = message->tid, .start_ns = message->start_ns, .end_ns = message->end_ns,
					      .fd = { message->fd, message->fd_path } };
	struct decode_input input = { .recorded = &memory, .address = message->argument, .origin = &origin, .handles = run->handles, .has_ret = true,
				      .ret = message->ret, .has_error = message->error > 0, .error = message->error,
				      .fds = list_fds(run, message), .fd_count = message->fd_count };
	struct decode_call call;
	int rc;

	input.family = call_identify(&input.number, call_family_of_path(message->fd_path), message->request);
	if (!input.family) {
		run->others++;
		return 0;
	}
	find_size(&input, message);
	if (!(rc = decode_call(&call, &input, &run->scope, &run->arena, err)))
		rc = decode_result_call(&run->result, &call, err);
	return rc;
}

/* --- the whole ------------------------------------------------------------------------------------- */

static void tell_other(struct run *run, const struct trace_message *message)
{
	struct report_trace_event event = { .is_map = message->kind == TRACE_MMAP, .path = message->fd_path, .fd = message->fd, .ret = message->ret,
					    .open_flags = message->open_flags, .address = message->argument, .size_bytes = message->map_size_bytes,
					    .protection = message->map_protection, .map_flags = message->map_flags, .offset = message->map_offset };

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
		output_note(run->args, "%zu ioctls of %s are not the driver's", run->others, name);
}

int decode_trace(bool *wrong, const char *path, const struct decode_scope *scope, const struct cli_args *args, struct err *err)
{
	const bool is_input = !strcmp(path, "-");
	const char *name = is_input ? "standard input" : path;
	struct run run = { .scope = *scope, .args = args, .fd = is_input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC) };
	int rc;

	if (run.fd < 0)
		return err_set(err, errno == ENOENT ? ERR_NOT_FOUND : ERR_IO, "cannot read %s: %s", path, strerror(errno));
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
