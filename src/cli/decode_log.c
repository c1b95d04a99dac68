/* cli/decode_log.c - decode: a log line by line, or a trace call by call, as text, JSON or a summary */
#include "cli/cli.h"
#include "decode/decode.h"
#include "report/report.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	PIPE_BYTES = 256 * 1024,
	OUT_BYTES = 256 * 1024,
	PASSED_BYTES_MIN = 1024 /* less is copied as fast */
};

/*
 * where decoded calls go: text, JSON or a summary, as they come
 *
 * Memory does not grow with the calls, but with the distinct ioctls of a summary.
 */

enum decode_format { DECODE_TEXT, DECODE_JSON, DECODE_SUMMARY, DECODE_MARKDOWN, DECODE_AGAINST };

enum { DECODE_PASSED_MAX = 64 };

/* Text that goes into the result uncopied. */
struct decode_passed {
	const char *text;
	size_t length;
	size_t at; /* bytes of the result's @out that come before it */
};

struct decode_result {
	struct decode_scope scope; /* without a cache: a summary keeps its data longer */
	struct report_style style;
	enum decode_format format;
	const char *format_name;   /* of --format */
	struct strbuf out;         /* that is not yet in @file; callers may append */
	struct decode_passed passed[DECODE_PASSED_MAX]; /* likewise, in between */
	size_t passed_count;
	struct file_writer file;
	bool has_written;
	struct decode_summary summary;
	struct arena arena;        /* of the summary */
	size_t call_count;
	bool wrong;                /* decode_is_wrong() of a call; with --against, an ioctl is another ABI */
	struct decode_seen *seen;  /* with --against */
};

bool decode_is_wrong(const struct decode_call *call)
{
	const struct decode_ioctl *last = &call->ioctls[call->count - 1];

	return !last->name || (last->has_size && !last->version_count) ||
	       (call->has_table && call->forwarded.use == FORWARDED_NONE);
}

static enum decode_format format_of(const char *name)
{
	return !strcmp(name, "json")       ? DECODE_JSON
	       : !strcmp(name, "summary")  ? DECODE_SUMMARY
	       : !strcmp(name, "markdown") ? DECODE_MARKDOWN
					   : DECODE_TEXT;
}

/* In a pipe of 64 kB, which is the usual size, each write waits for the reader. */
static void enlarge_pipe(int fd)
{
	const int size_bytes = fcntl(fd, F_GETPIPE_SZ);

	if (size_bytes > 0 && size_bytes < PIPE_BYTES)
		fcntl(fd, F_SETPIPE_SZ, PIPE_BYTES);
}

/* decode_result_open - Return: 0; ERR_IO of --output. */
static int decode_result_open(struct decode_result *out, const struct decode_scope *scope,
			      const struct cli_args *args, struct err *err)
{
	int rc;

	*out = (struct decode_result){ .scope = *scope,
				       .style = output_style(args),
				       .format = format_of(args->format),
				       .format_name = args->format };
	out->scope.memo = NULL;
	if (scope->against) {
		out->format = DECODE_AGAINST;
		out->seen = decode_seen_new();
	}
	if ((rc = file_writer_open(&out->file, args->output, err)))
		return rc;
	if (out->file.dir_fd < 0)
		enlarge_pipe(out->file.fd);
	return 0;
}

/* A call in the summary must outlive this one: the innermost call, without its bytes. */
static int add_to_summary(struct decode_result *result, const struct decode_call *call, struct err *err)
{
	const struct decode_ioctl *last = &call->ioctls[call->count - 1];
	const struct decode_input input = { .family = last->family,
					    .number = last->number,
					    .within = last->within,
					    .has_size = last->has_size,
					    .size_bytes = last->size_bytes,
					    .has_ret = call->has_ret,
					    .ret = call->ret,
					    .has_status = call->has_status,
					    .status = call->status,
					    .callers = call->callers };
	const struct decode_call *recorded = call;
	struct decode_call *owned;
	int rc;

	if (!decode_summary_has(&result->summary, call) && result->summary.count < DECODE_SUMMARY_MAX) {
		owned = arena_alloc(&result->arena, sizeof(*owned));
		if ((rc = decode_call(owned, &input, &result->scope, &result->arena, err)))
			return rc;
		call = owned;
	}
	decode_summary_add(&result->summary, call, 1);
	decode_summary_add_pointers(&result->summary, recorded);
	return 0;
}

/*
 * decode_result_render - prints a call itself; nothing for a summary. decode_result_rendered() takes
 * it as often as the call is repeated.
 */
static void decode_result_render(struct strbuf *out, const struct decode_result *result,
				 const struct decode_call *call)
{
	switch (result->format) {
	case DECODE_SUMMARY: case DECODE_MARKDOWN: case DECODE_AGAINST:
		break;
	case DECODE_JSON:
		report_decode_json(out, call);
		break;
	case DECODE_TEXT:
		report_decode_text(out, call, &result->style);
		break;
	}
}

static struct iovec part(const char *text, size_t length)
{
	return (struct iovec){ .iov_base = (char *)text, .iov_len = length };
}

/* decode_result_flush - all that is there is written. Return: 0 or ERR_IO. */
static int decode_result_flush(struct decode_result *result, struct err *err)
{
	const char *out = strbuf_text(&result->out);
	struct iovec parts[2 * DECODE_PASSED_MAX + 1];
	size_t count = 0, at = 0;
	int rc;

	for (size_t i = 0; i < result->passed_count; i++) {
		const struct decode_passed *passed = &result->passed[i];

		parts[count++] = part(out + at, passed->at - at);
		parts[count++] = part(passed->text, passed->length);
		at = passed->at;
	}
	parts[count++] = part(out + at, result->out.length - at);
	/* The input is known now, and nothing has been written. */
	if (!(rc = result->has_written ? 0 : file_check_output(result->file.path, err)))
		rc = file_writer_add_parts(&result->file, parts, count, err);
	result->has_written = true;
	result->passed_count = 0;
	strbuf_reset(&result->out);
	return rc;
}

static int add_call(struct decode_result *result, const struct decode_call *call, struct err *err)
{
	result->call_count++;
	if (result->format == DECODE_AGAINST)
		decode_seen_add(result->seen, call);
	else
		result->wrong |= decode_is_wrong(call);
	if (result->format == DECODE_SUMMARY || result->format == DECODE_MARKDOWN)
		return add_to_summary(result, call, err);
	return result->out.length > OUT_BYTES ? decode_result_flush(result, err) : 0;
}

static int decode_result_rendered(struct decode_result *result, const struct decode_call *call,
				  const struct strbuf *text, struct err *err)
{
	strbuf_add(&result->out, strbuf_text(text), text->length);
	return add_call(result, call, err);
}

/* decode_result_call - one more call. Return: 0; ERR_IO; what decode_call() returns. */
static int decode_result_call(struct decode_result *result, const struct decode_call *call, struct err *err)
{
	decode_result_render(&result->out, result, call);
	return add_call(result, call, err);
}

/* decode_result_pass - append @text, which must stay as it is until the next decode_result_flush(). */
static void decode_result_pass(struct decode_result *result, const char *text, size_t length)
{
	if (length < PASSED_BYTES_MIN || result->passed_count == DECODE_PASSED_MAX)
		strbuf_add(&result->out, text, length);
	else
		result->passed[result->passed_count++] =
			(struct decode_passed){ text, length, result->out.length };
}

static int compare(struct decode_result *result, struct err *err)
{
	if (!result->scope.asked)
		return err_set(err, ERR_USAGE,
			       "--against: the version of the calls is unknown; name it with --version");
	return against_render(&result->out, &result->wrong, result->seen, &result->scope, result->format_name,
			      &result->style, err);
}

/*
 * decode_result_finish - the summary, or the comparison with another ABI, and the end. Return: 0 or ERR_IO;
 * ERR_USAGE if it is not known what to compare; then a file that was named is as it was before.
 */
static int decode_result_finish(struct decode_result *result, struct err *err)
{
	int rc;

	if (result->format == DECODE_AGAINST && (rc = compare(result, err)))
		return rc;
	if (result->format == DECODE_SUMMARY)
		report_decode_summary(&result->out, &result->summary, &result->style);
	if (result->format == DECODE_MARKDOWN)
		report_decode_summary_markdown(&result->out, &result->summary);
	if ((rc = decode_result_flush(result, err)))
		return rc;
	return file_writer_finish(&result->file, err);
}

static void decode_result_release(struct decode_result *result)
{
	decode_seen_free(result->seen);
	decode_summary_release(&result->summary);
	arena_release(&result->arena);
	strbuf_release(&result->out);
	file_writer_release(&result->file);
}

/*
 * 1. The bytes of a read are split into lines. A line longer than the buffer is handled in slices, and only
 *    its first one is searched for an ioctl.
 * 2. Lines pass through (output.c), and decode/decode.h finds the calls in them. A call that waits for a
 *    dump after its line is reported before the next line that is not one, or when the input pauses.
 * 3. The answer to a call without bytes that equals an earlier one comes from a small table.
 */

enum { BUFFER_BYTES = 64 * 1024, ANSWERS = 1024, WAIT_MS = 200 };

static int decode_line(struct decode_call *out, const struct decode_line *line,
		       const struct decode_scope *scope, struct decode_handles *handles, struct arena *arena,
		       struct err *err);

/* --- answers ------------------------------------------------------------------------------------- */

/* @handles: of the calls so far; NULL for a call without bytes */
static int decode_line(struct decode_call *out, const struct decode_line *line,
		       const struct decode_scope *scope, struct decode_handles *handles, struct arena *arena,
		       struct err *err)
{
	const struct decode_input input = {
		.family = line->family,
		.number = line->number,
		.within = line->within,
		.has_size = line->has_size,
		.size_bytes = line->size_bytes,
		.bytes = line->after,
		.before = line->before,
		.memory = &line->memory,
		.memory_count = 1,
		.handles = handles,
		.has_ret = line->has_ret,
		.ret = line->ret,
		.has_error = line->error,
		.error = line->error,
		.has_status = line->has_status,
		.status = line->status,
		.field = line->field,
		.value = line->value,
	};

	return decode_call(out, &input, scope, arena, err);
}

/* The answer to a call, for the next equal one. */
struct answer {
	bool is_set;
	struct decode_line line;
	struct strbuf text;
	struct decode_call call; /* without fields; of @arena */
	struct arena arena;
};

struct stream {
	struct decode_scope scope;  /* with a memo of its own */
	const char *path;
	const struct cli_args *args;
	struct decode_result result;
	char version[64];           /* that the log named last; "": none */
	bool passes;
	bool is_mid_line; /* what passed last is a slice of a line */
	size_t cut_lines; /* longer than the buffer: not searched to their end */
	struct decode_lines *lines;
	struct decode_handles *handles; /* that calls with bytes allocated */
	bool has_calls;
	struct answer *answers;
	struct answer single; /* of a call with bytes */
	struct strbuf scratch;
};

static bool has_bytes(const struct decode_line *line)
{
	return line->before || line->after;
}

static size_t slot_of(const struct decode_line *line)
{
	uint64_t hash = line->number * UINT64_C(0x9e3779b97f4a7c15);

	hash ^= (line->size_bytes + line->status * 31 + (uint64_t)line->ret * 17 +
		 (unsigned char)line->family[0]) *
		UINT64_C(0xff51afd7ed558ccd);
	return (size_t)(hash >> 32) % ANSWERS;
}

static bool same_line(const struct decode_line *a, const struct decode_line *b)
{
	return a->number == b->number && a->within == b->within && a->has_size == b->has_size &&
	       a->size_bytes == b->size_bytes && a->has_ret == b->has_ret && a->ret == b->ret &&
	       a->error == b->error && a->has_status == b->has_status && a->status == b->status &&
	       a->field == b->field && a->value == b->value &&
	       !strcmp(a->family, b->family);
}

static void forget(struct answer *answer)
{
	strbuf_release(&answer->text);
	arena_release(&answer->arena);
	*answer = (struct answer){ .is_set = false };
}

static int find_answer(struct answer *answer, struct stream *stream, const struct decode_line *line,
		       struct err *err)
{
	int rc;

	forget(answer);
	if ((rc = decode_line(&answer->call, line, &stream->scope, has_bytes(line) ? stream->handles : NULL,
			      &answer->arena, err)))
		return rc;
	answer->line = *line;
	answer->is_set = true;
	decode_result_render(&answer->text, &stream->result, &answer->call);
	return 0;
}

/* What decode/decode.h calls. */
static int answer_call(void *data, const struct decode_line *line, struct err *err)
{
	struct stream *stream = data;
	struct answer *answer = has_bytes(line) ? &stream->single : &stream->answers[slot_of(line)];
	int rc;

	stream->has_calls = true;
	if ((has_bytes(line) || !answer->is_set || !same_line(&answer->line, line)) &&
	    (rc = find_answer(answer, stream, line, err)))
		return rc;
	if (stream->is_mid_line)
		strbuf_addch(&stream->result.out, '\n');
	stream->is_mid_line = false;
	return decode_result_rendered(&stream->result, &answer->call, &answer->text, err);
}

/* If the user named a version, the log's is not used. */
static int begin_version(void *data, const char *version, struct err *err)
{
	struct stream *stream = data;
	const char *name = strcmp(stream->path, "-") ? stream->path : "standard input";
	struct decode_scope *scope = &stream->scope;

	if (stream->args->version || !strcmp(stream->version, version))
		return 0;
	if (*stream->version && stream->result.format == DECODE_AGAINST)
		return err_set(
			err, ERR_USAGE,
			"%s has calls of %s and of %s, and --against compares one version with another; name it with --version",
			name, stream->version, version);
	snprintf(stream->version, sizeof(stream->version), "%s", version);
	for (size_t i = 0; i < ANSWERS; i++)
		forget(&stream->answers[i]);
	decode_memo_free(scope->memo);
	scope->memo = decode_memo_new();
	if (decode_scope_name(scope, stream->version))
		output_note(
			stream->args,
			"%s names the driver's version, %s: the calls below that line are decoded as in it",
			name, version);
	else
		output_note(
			stream->args,
			"%s names the driver's version, %s, which no document has: for the calls below that line sizes decide, or name "
			"another one with --version",
			name, version);
	stream->result.scope.named = scope->named;
	stream->result.scope.asked = scope->asked;
	stream->result.scope.asked_index = scope->asked_index;
	return 0;
}

/* --- lines ------------------------------------------------------------------------------------------ */

static void pass(struct stream *stream, const char *text, size_t length)
{
	if (stream->passes && pass_through_is_plain(text, length))
		decode_result_pass(&stream->result, text, length);
	else if (stream->passes)
		pass_through(&stream->result.out, text, length, &stream->scratch);
}

/* @is_first: the beginning of a line; @is_whole: its end is there, too */
static int emit_line(struct stream *stream, const char *line, size_t length, bool is_first, bool is_whole,
		     struct err *err)
{
	int rc;

	if (is_first && (rc = decode_lines_before(stream->lines, line, length, err)))
		return rc;
	pass(stream, line, length);
	stream->cut_lines += is_first && !is_whole;
	if (stream->passes && is_whole)
		strbuf_addch(&stream->result.out, '\n');
	stream->is_mid_line = stream->passes && !is_whole;
	return is_first ? decode_lines_read(stream->lines, line, length, err) : 0;
}

/* Whole lines at the beginning of @text without a call. Return: their bytes. */
static size_t skip_lines(struct stream *stream, const char *text, size_t length)
{
	size_t skipped = 0, more;

	while ((more = decode_lines_skip(stream->lines, text + skipped, length - skipped)))
		skipped += more;
	pass(stream, text, skipped);
	return skipped;
}

/*
 * All lines of the buffer, and, if it is full or the input has ended, the rest. Return: bytes that were
 * handled, or an error.
 */
static ssize_t emit_buffer(struct stream *stream, const char *buffer, size_t length, bool *is_first,
			   bool is_end, struct err *err)
{
	size_t consumed = 0;
	const char *end;
	int rc;

	for (;;) {
		if (*is_first)
			consumed += skip_lines(stream, buffer + consumed, length - consumed);
		if (!(end = memchr(buffer + consumed, '\n', length - consumed)))
			break;
		if ((rc = emit_line(stream, buffer + consumed, (size_t)(end - buffer) - consumed, *is_first,
				    true, err)))
			return rc;
		consumed = (size_t)(end - buffer) + 1;
		*is_first = true;
	}
	if (consumed == length || !(is_end || (!consumed && length == BUFFER_BYTES)))
		return (ssize_t)consumed;
	if (!is_end)
		length = pass_through_whole(buffer, length);
	if ((rc = emit_line(stream, buffer + consumed, length - consumed, *is_first, is_end, err)))
		return rc;
	*is_first = false;
	return (ssize_t)length;
}

/*
 * A call whose dump may follow is reported if nothing arrives, so that a person who watches a log does not
 * wait for the next call.
 */
static int stop_waiting(struct stream *stream, int fd, struct err *err)
{
	struct pollfd input = { .fd = fd, .events = POLLIN };
	int rc = 0;

	if (decode_lines_is_waiting(stream->lines) && !poll(&input, 1, WAIT_MS))
		rc = decode_lines_flush(stream->lines, err);
	return rc ? rc : decode_result_flush(&stream->result, err);
}

static int read_all(struct stream *stream, int fd, const char *path, struct err *err)
{
	char *buffer = xmalloc(BUFFER_BYTES);
	bool is_first = true;
	size_t length = 0;
	ssize_t got;
	int rc = 0;

	do {
		ssize_t consumed;

		got = read(fd, buffer + length, BUFFER_BYTES - length);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			rc = err_set(err, ERR_IO, "cannot read %s: %s", path, strerror(errno));
			break;
		}
		length += (size_t)got;
		consumed = emit_buffer(stream, buffer, length, &is_first, !got, err);
		rc = consumed < 0 ? (int)consumed : stop_waiting(stream, fd, err);
		if (rc)
			break;
		length -= (size_t)consumed;
		memmove(buffer, buffer + consumed, length);
	} while (got);
	free(buffer);
	return rc;
}

/* --- the whole ---------------------------------------------------------------------------------------- */

static int open_input(const char *path, struct err *err)
{
	const int fd = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;

	if (fd < 0)
		return err_set(err, errno == ENOENT ? ERR_NOT_FOUND : ERR_IO, "cannot read %s: %s%s", path,
			       strerror(errno),
			       strchr(path, ' ') ? "; a line of a log goes to standard input" : "");
	file_note_input(fd);
	return fd;
}

/* A log without a call is not an error, unless the user named the kind of its lines. */
static int note_no_calls(const struct stream *stream, const char *path, struct err *err)
{
	const char *name = strcmp(path, "-") ? path : "standard input",
		   *other = decode_lines_other(stream->lines);

	if (!stream->args->input_format) {
		output_note(stream->args, "no line of %s names an ioctl of the driver", name);
		return 0;
	}
	if (other)
		return err_set(
			err, ERR_NOT_FOUND,
			"no line of %s is a call as %s writes it, but there are some of %s: use --input %s, or leave it out",
			name, stream->args->input_format, other, other);
	return err_set(err, ERR_NOT_FOUND, "no line of %s is a call as %s writes it", name,
		       stream->args->input_format);
}

static void note_cut(const struct stream *stream, const char *path)
{
	struct strbuf lines = { 0 };

	if (!stream->cut_lines)
		return;
	strbuf_plural(&lines, stream->cut_lines, "line");
	output_note(stream->args, "only the first %d KB of %s of %s were searched for ioctls",
		    BUFFER_BYTES / 1024, strbuf_text(&lines), strcmp(path, "-") ? path : "standard input");
	strbuf_release(&lines);
}

static int finish(struct stream *stream, const char *path, struct err *err)
{
	int rc;

	note_cut(stream, path);
	if ((rc = decode_lines_end(stream->lines, err)) ||
	    (!stream->has_calls && (rc = note_no_calls(stream, path, err))))
		return rc;
	return decode_result_finish(&stream->result, err);
}

static void release(struct stream *stream)
{
	for (size_t i = 0; i < ANSWERS; i++)
		forget(&stream->answers[i]);
	free(stream->answers);
	forget(&stream->single);
	decode_lines_free(stream->lines);
	decode_handles_free(stream->handles);
	decode_memo_free(stream->scope.memo);
	decode_result_release(&stream->result);
	strbuf_release(&stream->scratch);
}

int decode_stream(bool *wrong, const char *path, const struct decode_scope *scope,
		  const struct cli_args *args, struct err *err)
{
	struct stream stream = { .scope = *scope, .path = path, .args = args };
	int fd = open_input(path, err);
	int rc;

	if (fd < 0)
		return fd;
	if ((rc = decode_result_open(&stream.result, scope, args, err)))
		goto out;
	stream.passes = stream.result.format == DECODE_TEXT && !args->only;
	stream.scope.memo = decode_memo_new();
	stream.lines = decode_lines_new(
		args->input_format, scope->devices,
		&(struct decode_sink){ .found = answer_call, .version = begin_version, .data = &stream });
	stream.handles = decode_handles_new();
	stream.answers = xmalloc(ANSWERS * sizeof(*stream.answers));
	memset(stream.answers, 0, ANSWERS * sizeof(*stream.answers));
	if (!(rc = read_all(&stream, fd, path, err)))
		rc = finish(&stream, path, err);
	release(&stream);
	*wrong = stream.result.wrong;
out:
	if (fd != STDIN_FILENO)
		close(fd);
	return rc;
}

/*
 * 1. The header names the version that the calls are decoded with. A second header, of a trace that was
 *    appended, begins anew: other processes, other handles.
 * 2. Each ioctl becomes what decode/ takes (trace_call_input()).
 * 3. Before waiting for input, the decoded calls are written.
 */

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
		output_note(
			run->args,
			"the trace is of target %s, and is decoded as one of %s; name its own with --target",
			header->target, run->args->target);
	if (*header->lacks)
		output_note(run->args, "the trace has %s", header->lacks);
	if (run->args->version)
		return;
	snprintf(run->version, sizeof(run->version), "%s", header->version);
	if (!decode_scope_name(&run->scope, run->version) && *header->version)
		output_note(
			run->args,
			"the trace is of version %s, which no document has; sizes decide, or name another one with --version",
			header->version);
	if (!*header->version)
		run->scope.named = NULL;
	run->result.scope.named = run->scope.named;
	run->result.scope.asked = run->scope.asked;
	run->result.scope.asked_index = run->scope.asked_index;
	decode_memo_free(run->scope.memo);
	run->scope.memo = decode_memo_new();
}

/* --- a call ----------------------------------------------------------------------------------- */

static int emit_ioctl(struct run *run, const struct trace_message *message, struct err *err)
{
	struct decode_input input;
	struct decode_origin origin;
	struct decode_call call;
	int rc;

	if (!trace_call_input(&input, &origin, message, run->scope.devices, &run->arena)) {
		run->others++;
		return 0;
	}
	input.handles = run->handles;
	if (!(rc = decode_call(&call, &input, &run->scope, &run->arena, err)))
		rc = decode_result_call(&run->result, &call, err);
	return rc;
}

/* --- the whole ------------------------------------------------------------------------------------- */

static void emit_other(struct run *run, const struct trace_message *message)
{
	const struct report_trace_event event = trace_call_event(message);

	if (run->result.format == DECODE_JSON)
		report_trace_event_json(&run->result.out, &event);
	else if (run->result.format == DECODE_TEXT && !run->args->only &&
		 (message->kind != TRACE_FILE || run->args->verbose))
		report_trace_event_text(&run->result.out, &event, &run->result.style);
}

static int emit_message(struct run *run, const struct trace_message *message, struct err *err)
{
	int rc = 0;

	switch (message->kind) {
	case TRACE_HEADER:
		begin_trace(run, message);
		break;
	case TRACE_IOCTL:
		rc = emit_ioctl(run, message, err);
		break;
	case TRACE_OPEN:
	case TRACE_MMAP:
	case TRACE_FILE:
		emit_other(run, message);
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

static int emit_all(struct run *run, struct err *err)
{
	struct trace_message message;
	int rc;

	for (;;) {
		if (run->result.out.length && would_wait(run->fd) &&
		    (rc = decode_result_flush(&run->result, err)))
			return rc;
		if ((rc = trace_next(&message, run->reader, err)) <= 0)
			return rc;
		if ((rc = emit_message(run, &message, err)))
			return rc;
	}
}

static void emit_end(const struct run *run, const char *name)
{
	const uint64_t cut = trace_reader_cut(run->reader);

	if (cut != UINT64_MAX)
		output_note(run->args,
			    "%s ends within the message at byte %llu; all before it is decoded", name,
			    (unsigned long long)cut);
	if (run->others)
		output_note(run->args, "%zu %s of %s %s not the driver's", run->others,
			    run->others == 1 ? "ioctl" : "ioctls", name, run->others == 1 ? "is" : "are");
}

int decode_trace(bool *wrong, const char *path, const struct decode_scope *scope, const struct cli_args *args,
		 struct err *err)
{
	const bool is_input = !strcmp(path, "-");
	const char *name = is_input ? "standard input" : path;
	struct run run = { .scope = *scope,
			   .args = args,
			   .fd = is_input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC) };
	int rc;

	if (run.fd < 0)
		return err_set(err, errno == ENOENT ? ERR_NOT_FOUND : ERR_IO, "cannot read %s: %s", path,
			       strerror(errno));
	file_note_input(run.fd);
	run.reader = trace_reader_new(run.fd, name, NULL, 0);
	run.handles = decode_handles_new();
	run.scope.memo = decode_memo_new();
	if (!(rc = decode_result_open(&run.result, scope, args, err)) && !(rc = emit_all(&run, err)))
		rc = decode_result_finish(&run.result, err);
	if (!rc)
		emit_end(&run, name);
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
