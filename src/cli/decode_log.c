/*
 * cli/decode_log.c - drvabi decode: decodes a log line by line, or a trace call by call, as text, JSON or a
 * summary
 */
#include "cli/cli.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

enum { OUT_BYTES = 256 * 1024 };

/* How decoded calls are written: as text or JSON as they arrive, or as a summary at the end. */
enum decode_format { DECODE_TEXT, DECODE_JSON, DECODE_SUMMARY, DECODE_MARKDOWN, DECODE_AGAINST };

/*
 * The state of reading a log or a trace, and of writing its calls. Memory use does not grow with the number
 * of calls, but with the number of distinct ioctls if there is a summary.
 */
struct log_reading {
	const struct cli_args *args;
	struct decode_scope scope;  /* a copy of the caller's scope, with its own cache */
	struct trace_file input;
	char version[64];           /* the version that the input named last; "" if it named none */
	struct decode_handles *handles; /* the handles allocated by previous calls whose bytes are known */
	enum decode_format format;
	struct strbuf out;          /* text that is not yet written to @file */
	struct file_writer file;
	bool has_written;
	struct decode_summary summary;
	struct arena summed;        /* the calls of @summary */
	bool wrong;                 /* decode_is_wrong(), or with --against a changed ABI */
	struct decode_seen *seen;   /* set with --against */
};

bool decode_is_wrong(const struct decode_call *call)
{
	const struct decode_ioctl *last = &call->ioctls[call->count - 1];

	return !last->name || (last->has_size && !last->version_count) ||
	       (call->has_table && call->forwarded.use == FORWARDED_NONE);
}

/*
 * Counts the innermost call in the summary. The summary outlives @call, so the first call of an ioctl is
 * decoded again, without its bytes, into memory of the summary. Return: 0; what decode_call() returns.
 */
static int add_to_summary(struct log_reading *reading, const struct decode_call *call, struct err *err)
{
	const struct decode_ioctl *last = &call->ioctls[call->count - 1];
	const struct decode_input input = { .family = last->family,
					    .number = last->number,
					    .allocated_by = last->allocated_by,
					    .has_size = last->has_size,
					    .size_bytes = last->size_bytes,
					    .has_ret = call->has_ret,
					    .ret = call->ret,
					    .has_status = call->has_status,
					    .status = call->status,
					    .callers = call->callers };
	struct decode_scope scope = reading->scope;
	const struct decode_call *added = call;
	struct decode_call *owned;
	int rc;

	if (!decode_summary_has(&reading->summary, call) && reading->summary.count < DECODE_SUMMARY_MAX) {
		owned = arena_alloc(&reading->summed, sizeof(*owned));
		scope.cache = NULL; /* the summary lives longer than the cache */
		if ((rc = decode_call(owned, &input, &scope, &reading->summed, err)))
			return rc;
		added = owned;
	}
	decode_summary_add(&reading->summary, added, call, 1);
	return 0;
}

/* Appends the text or JSON of a call. For other formats, nothing is appended. */
static void reading_render(struct strbuf *out, const struct log_reading *reading,
			   const struct decode_call *call)
{
	if (reading->format == DECODE_JSON)
		report_decode_json(out, call);
	else if (reading->format == DECODE_TEXT)
		report_decode_text(out, call, &reading->args->style);
}

/* Writes the collected text. Return: 0; ERR_IO; ERR_USAGE if the output is a file that the run reads. */
static int reading_flush(struct log_reading *reading, struct err *err)
{
	int rc;

	/* Checks that the output is not the input, which is now open, before anything is written. */
	if (!(rc = reading->has_written ? 0 : file_check_output(reading->file.path, err)))
		rc = file_writer_add(&reading->file, strbuf_text(&reading->out), reading->out.length, err);
	reading->has_written = true;
	strbuf_reset(&reading->out);
	return rc;
}

/*
 * Counts a call that has been rendered: in reading->wrong or, with --against, in reading->seen, and in the
 * summary if there is one. If much text has been collected, it is written.
 */
static int reading_add(struct log_reading *reading, const struct decode_call *call, struct err *err)
{
	if (reading->format == DECODE_AGAINST)
		decode_seen_add(reading->seen, call);
	else
		reading->wrong |= decode_is_wrong(call);
	if (reading->format == DECODE_SUMMARY || reading->format == DECODE_MARKDOWN)
		return add_to_summary(reading, call, err);
	return reading->out.length > OUT_BYTES ? reading_flush(reading, err) : 0;
}

/* Writes the summary or the comparison, and closes the output. Fails if --against has no known version. */
static int reading_finish(struct log_reading *reading, struct err *err)
{
	int rc;

	if (reading->format == DECODE_AGAINST && !reading->scope.asked)
		return usage_error(err,
				   "--against: the version of the calls is unknown; name it with --version");
	if (reading->format == DECODE_AGAINST &&
	    (rc = against_render(&reading->out, &reading->wrong, reading->seen, &reading->scope,
				 reading->args->format, &reading->args->style, err)))
		return rc;
	if (reading->format == DECODE_SUMMARY)
		report_decode_summary(&reading->out, &reading->summary, &reading->args->style);
	if (reading->format == DECODE_MARKDOWN)
		report_decode_summary_markdown(&reading->out, &reading->summary);
	if ((rc = reading_flush(reading, err)))
		return rc;
	return file_writer_finish(&reading->file, err);
}

/*
 * Sets the version of the following calls to @version, which the input names; "" if it is unknown. Empties
 * the cache of the previous version. Return: true if there is a document of that version.
 */
static bool name_version(struct log_reading *reading, const char *version)
{
	bool has_document;

	snprintf(reading->version, sizeof(reading->version), "%s", version);
	has_document = decode_scope_name(&reading->scope, reading->version);
	if (!*version)
		reading->scope.named = NULL;
	decode_cache_free(reading->scope.cache);
	reading->scope.cache = decode_cache_new();
	return has_document;
}

/*
 * 1. decode_lines_feed() splits the bytes that read(2) returns into lines, which are copied to the output,
 *    and finds the calls in them. If a dump of the call's bytes can follow, the call is reported before the
 *    next line that is not part of the dump, or when the input pauses.
 * 2. The decoded text of a call without bytes is kept in a small table, and used again for the next equal
 *    call.
 */

enum { CACHED_CALLS = 1024, WAIT_MS = 200 };

/* --- decoded calls ------------------------------------------------------------------------------- */

/* A decoded call and its text, kept for the next equal call. */
struct cached_call {
	bool is_set;
	struct decode_input line;
	struct strbuf text;
	struct decode_call call; /* the decoded call; lives in @arena */
	struct arena arena;
};

struct stream {
	struct log_reading *in;
	bool is_mid_line; /* the text that was copied last is the beginning of a line */
	struct decode_lines *lines;
	bool has_calls;
	struct cached_call *cache; /* indexed by cache_slot(); the last is for calls with bytes */
	struct strbuf scratch;
};

static bool line_has_bytes(const struct decode_input *line)
{
	return line->before || line->bytes;
}

/* Returns the index of a call without bytes in stream->cache: a log often repeats lines. */
static size_t cache_slot(const struct decode_input *line)
{
	uint64_t hash = line->number * UINT64_C(0x9e3779b97f4a7c15);

	hash ^= (line->size_bytes + line->status * 31 + (uint64_t)line->ret * 17 + line->value * 13 +
		 (unsigned char)line->family[0]) *
		UINT64_C(0xff51afd7ed558ccd);
	return (size_t)(hash >> 32) % CACHED_CALLS;
}

/* Returns true if the text of one call is also that of the other. Neither has bytes. */
static bool same_line(const struct decode_input *a, const struct decode_input *b)
{
	return a->number == b->number && a->allocated_by == b->allocated_by && a->has_size == b->has_size &&
	       a->size_bytes == b->size_bytes && a->has_ret == b->has_ret && a->ret == b->ret &&
	       a->error == b->error && a->has_status == b->has_status && a->status == b->status &&
	       a->field == b->field && a->value == b->value &&
	       !strcmp(a->family, b->family);
}

static void forget_call(struct cached_call *cached)
{
	strbuf_release(&cached->text);
	arena_release(&cached->arena);
	*cached = (struct cached_call){ .is_set = false };
}

/* Sets @cached to the decoded call of a line and its text. Only a call with bytes can change the handles. */
static int cache_call(struct cached_call *cached, struct stream *stream, const struct decode_input *line,
		       struct err *err)
{
	struct decode_input input = *line;
	int rc;

	if (line_has_bytes(line))
		input.handles = stream->in->handles;
	forget_call(cached);
	if ((rc = decode_call(&cached->call, &input, &stream->in->scope, &cached->arena, err)))
		return rc;
	cached->line = *line;
	cached->is_set = true;
	reading_render(&cached->text, stream->in, &cached->call);
	return 0;
}

/*
 * Called for each call that is found in the log. Appends the call's text to the output, after the line, and
 * counts the call. An equal call without bytes is not decoded again.
 */
static int append_call(void *data, const struct decode_input *line, struct err *err)
{
	struct stream *stream = data;
	struct strbuf *out = &stream->in->out;
	struct cached_call *cached = &stream->cache[line_has_bytes(line) ? CACHED_CALLS : cache_slot(line)];
	int rc;

	stream->has_calls = true;
	if ((line_has_bytes(line) || !cached->is_set || !same_line(&cached->line, line)) &&
	    (rc = cache_call(cached, stream, line, err)))
		return rc;
	if (stream->is_mid_line)
		strbuf_addch(out, '\n');
	stream->is_mid_line = false;
	strbuf_add(out, strbuf_text(&cached->text), cached->text.length);
	return reading_add(stream->in, &cached->call, err);
}

/*
 * Called when a line of the log names a version. Unless the user named one, sets the version of the following
 * calls, forgets the texts of earlier calls, and prints a note. Return: 0; ERR_USAGE with --against if the
 * log has two versions.
 */
static int begin_version(void *data, const char *version, struct err *err)
{
	struct stream *stream = data;
	struct log_reading *in = stream->in;

	if (in->args->version || !strcmp(in->version, version))
		return 0;
	if (*in->version && in->format == DECODE_AGAINST)
		return usage_error(err,
			"%s has calls of the versions %s and %s, but --against compares one version with one other; name it with --version",
			in->input.name, in->version, version);
	for (size_t i = 0; i < CACHED_CALLS; i++)
		forget_call(&stream->cache[i]);
	if (name_version(in, version))
		output_note(in->args,
			"%s gives the driver version as %s: the calls after that line are decoded with it",
			in->input.name, version);
	else
		output_note(in->args,
			"%s gives the driver version as %s, for which there is no document: after that line, the size of each "
			"call's parameters selects the version; name a different one with --version",
			in->input.name, version);
	return 0;
}

/* --- lines ------------------------------------------------------------------------------------------ */

/* Called for the text of the log. Appends it to the output, with control characters escaped. */
static void print_text(void *data, const char *text, size_t length, bool ends_line)
{
	struct stream *stream = data;

	pass_through(&stream->in->out, text, length, &stream->scratch);
	if (ends_line)
		strbuf_addch(&stream->in->out, '\n');
	stream->is_mid_line = !ends_line;
}

/* Returns true if no input arrives within @ms milliseconds. */
static bool would_wait(int fd, int ms)
{
	struct pollfd input = { .fd = fd, .events = POLLIN };

	return poll(&input, 1, ms) == 0;
}

/*
 * Fails if the first bytes of the input are those of a compressed file or of UTF-16 text, in which no calls
 * can be found. The message names a program that converts the file. Return: 0; ERR_FORMAT.
 */
static int check_is_text(const char *bytes, size_t length, const char *name, struct err *err)
{
	static const struct {
		const char *magic; /* '?' is any byte */
		size_t length;
		const char *what, *command;
	} kinds[] = {
		{ "\x1f\x8b", 2, "compressed by gzip", "zcat" },
		{ "\xfd" "7zXZ", 6, "compressed by xz", "xzcat" },
		{ "BZh?1AY&SY", 10, "compressed by bzip2", "bzcat" },
		{ "\xff\xfe", 2, "in UTF-16", "iconv -f UTF-16 -t UTF-8" },
		{ "\xfe\xff", 2, "in UTF-16", "iconv -f UTF-16 -t UTF-8" },
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		size_t same = 0;

		while (same < kinds[i].length && same < length &&
		       (bytes[same] == kinds[i].magic[same] || kinds[i].magic[same] == '?'))
			same++;
		if (same == kinds[i].length)
			return err_set(err, ERR_FORMAT, "%s is %s; use %s FILE | drvabi decode -", name,
				       kinds[i].what, kinds[i].command);
	}
	return 0;
}

/*
 * Reads the input to its end, and writes the calls of each part as soon as it has arrived. Return: 0; as
 * check_is_text(); the error of reading, decoding or writing.
 */
static int read_stream(struct stream *stream, struct err *err)
{
	const struct trace_file *input = &stream->in->input;
	char *buffer = xmalloc(DECODE_LINE_MAX);
	ssize_t got = input->begin_bytes, consumed;
	size_t length = 0;
	int rc;

	memcpy(buffer, input->begin, sizeof(input->begin));
	rc = check_is_text(buffer, (size_t)got, input->name, err);
	while (!rc) {
		length += (size_t)got;
		consumed = decode_lines_feed(stream->lines, buffer, length, !got, err);
		rc = consumed < 0 ? (int)consumed : 0;
		/*
		 * If a call is pending, because a dump of its bytes can follow, and no input arrives, the
		 * call is reported. A user who watches a log thus sees the call before the next line.
		 */
		if (!rc && decode_lines_is_waiting(stream->lines) && would_wait(input->fd, WAIT_MS))
			rc = decode_lines_flush(stream->lines, err);
		if (rc || (rc = reading_flush(stream->in, err)) || !got)
			break;
		length -= (size_t)consumed;
		memmove(buffer, buffer + consumed, length);
		got = trace_file_read(input, buffer + length, DECODE_LINE_MAX - length, err);
		rc = got < 0 ? (int)got : 0;
	}
	free(buffer);
	return rc;
}

/* --- a whole log ---------------------------------------------------------------------------------------- */

/* Reports that the log has no calls. Return: 0; ERR_NOT_FOUND if the user named the log's format. */
static int note_no_calls(const struct stream *stream, struct err *err)
{
	const char *name = stream->in->input.name, *format = stream->in->args->input_format;
	const char *other = decode_lines_other(stream->lines);

	if (!format) {
		output_note(stream->in->args, "no line of %s names an ioctl of the driver", name);
		return 0;
	}
	if (other)
		return err_set(err, ERR_NOT_FOUND,
			"no line of %s is a call in the format %s, but some are in the format %s: use --input %s, or leave --input out",
			name, format, other, other);
	return err_set(err, ERR_NOT_FOUND, "no line of %s is a call in the format %s", name, format);
}

/*
 * Prints notes about lines and ioctls that were not searched or not decoded, reports the pending call, and
 * finishes the output. Fails if the log has no calls, but its format was named.
 */
static int finish_stream(struct stream *stream, struct err *err)
{
	const struct decode_unread *foreign = decode_lines_unread(stream->lines, false);
	const struct decode_unread *drivers = decode_lines_unread(stream->lines, true);
	const struct cli_args *args = stream->in->args;
	const char *name = stream->in->input.name;
	const size_t cut = decode_lines_cut(stream->lines);
	int rc;

	if (cut)
		output_note(args, "only the first %d KB of %zu line%s of %s were searched for ioctls",
			    DECODE_LINE_MAX / 1024, cut, cut == 1 ? "" : "s", name);
	if (foreign->count)
		output_note(args,
			"%s: the files of %zu %s with requests like the driver's, such as %s, are not recognized as devices of the driver, so these are not decoded",
			name, foreign->count, foreign->count == 1 ? "ioctl" : "ioctls",
			strbuf_text(&foreign->path));
	if (drivers->count)
		output_note(args,
			"%s: the ioctls of devices such as %s are in no document, so %zu %s not decoded",
			name, strbuf_text(&drivers->path), drivers->count,
			drivers->count == 1 ? "ioctl is" : "ioctls are");
	if ((rc = decode_lines_end(stream->lines, err)) ||
	    (!stream->has_calls && (rc = note_no_calls(stream, err))))
		return rc;
	return reading_finish(stream->in, err);
}

/* Decodes a log that is text, such as the output of strace; decode_trace() decodes binary traces. */
static int decode_stream(struct log_reading *in, struct err *err)
{
	const struct cli_args *args = in->args;
	const bool prints_lines = in->format == DECODE_TEXT && !args->only;
	struct stream stream = { .in = in };
	int rc;

	stream.lines = decode_lines_new(
		args->input_format, in->scope.devices,
		&(struct decode_sink){ .found = append_call, .version = begin_version,
				       .text = prints_lines ? print_text : NULL, .data = &stream });
	stream.cache = xmalloc((CACHED_CALLS + 1) * sizeof(*stream.cache));
	memset(stream.cache, 0, (CACHED_CALLS + 1) * sizeof(*stream.cache));
	if (!(rc = read_stream(&stream, err)))
		rc = finish_stream(&stream, err);
	for (size_t i = 0; i <= CACHED_CALLS; i++)
		forget_call(&stream.cache[i]);
	free(stream.cache);
	decode_lines_free(stream.lines);
	strbuf_release(&stream.scratch);
	return rc;
}

/*
 * 1. The header names the version that the calls are decoded with. If two traces were concatenated, there is
 *    a second header. The second header discards the handles, because they belong to other processes.
 * 2. trace_call_input() converts each ioctl to the input of decode_call().
 * 3. The decoded calls are written before drvabi waits for more input.
 */

struct trace_reading {
	struct log_reading *in;
	struct arena arena; /* for one message */
	bool has_calls;     /* true if an ioctl was decoded */
	size_t others;      /* the number of ioctls of other devices */
};

/* --- the header ----------------------------------------------------------------------------- */

/*
 * Begins a recording: forgets the handles of the previous one, and sets the version to that in the header
 * unless the user named one. Prints notes if the target differs, bytes are missing, or there is no document.
 */
static void begin_trace(struct trace_reading *run, const struct trace_message *header)
{
	struct log_reading *in = run->in;
	const struct cli_args *args = in->args;

	decode_handles_free(in->handles);
	in->handles = decode_handles_new();
	if (*header->target && !args->target_given && strcmp(header->target, args->target) != 0)
		output_note(args,
			"the trace was recorded for target %s, but is decoded for %s; name the right one with --target",
			header->target, args->target);
	if (*header->lacks)
		output_note(args, "the trace has %s", header->lacks);
	if (!args->version && !name_version(in, header->version) && *header->version)
		output_note(args,
			"the trace is of version %s, for which there is no document: the size of each call's parameters selects the version; name a different one with --version",
			header->version);
}

/* --- a call ----------------------------------------------------------------------------------- */

/* Decodes and appends an ioctl of the driver. Ioctls of other devices are only counted. */
static int emit_ioctl(struct trace_reading *run, const struct trace_message *message, struct err *err)
{
	struct log_reading *in = run->in;
	struct decode_input input;
	struct decode_origin origin;
	struct decode_call call;
	int rc;

	if (!trace_call_input(&input, &origin, message, in->scope.devices, &run->arena)) {
		run->others++;
		return 0;
	}
	input.handles = in->handles;
	run->has_calls = true;
	if ((rc = decode_call(&call, &input, &in->scope, &run->arena, err)))
		return rc;
	reading_render(&in->out, in, &call);
	return reading_add(in, &call, err);
}

/* --- a whole trace --------------------------------------------------------------------------------- */

/*
 * Adds one message of a trace to the output: begins a recording, decodes an ioctl, or appends a line or
 * JSON for another event. Releases run->arena, which contains the decoded message.
 */
static int emit_trace_message(struct trace_reading *run, const struct trace_message *message, struct err *err)
{
	struct log_reading *in = run->in;
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
		if (in->format == DECODE_JSON)
			report_trace_event_json(&in->out, message);
		else if (in->format == DECODE_TEXT && !in->args->only &&
			 (message->kind != TRACE_FILE || in->args->verbose))
			report_trace_event_text(&in->out, message, &in->args->style);
		break;
	}
	arena_release(&run->arena);
	return rc;
}

/*
 * Decodes a binary trace, and writes the collected text before it waits for input. Prints a note if the
 * trace is incomplete, has no ioctl of the driver, or has ioctls of other devices.
 */
static int decode_trace(struct log_reading *in, struct err *err)
{
	const struct trace_file *input = &in->input;
	struct trace_reader *reader =
		trace_reader_new(input->fd, input->name, input->begin, (size_t)input->begin_bytes);
	struct trace_reading run = { .in = in };
	struct trace_message message;
	uint64_t cut;
	int rc;

	for (;;) {
		if (in->out.length && would_wait(input->fd, 0) && (rc = reading_flush(in, err)))
			goto out;
		if ((rc = trace_next(&message, reader, err)) <= 0)
			break;
		if ((rc = emit_trace_message(&run, &message, err)))
			goto out;
	}
	if (rc || (rc = reading_finish(in, err)))
		goto out;
	if ((cut = trace_reader_cut(reader)) != UINT64_MAX)
		output_note(in->args, "%s ends within the message at byte %llu; everything before it is decoded",
			    input->name, (unsigned long long)cut);
	if (!run.has_calls)
		output_note(in->args, "%s has no ioctl of the driver", input->name);
	if (run.others)
		output_note(in->args, "%zu %s of %s %s not the driver's", run.others,
			    run.others == 1 ? "ioctl" : "ioctls", input->name, run.others == 1 ? "is" : "are");
out:
	trace_reader_free(reader);
	arena_release(&run.arena);
	return rc;
}

int decode_input(bool *wrong, const char *path, const struct decode_scope *scope, const struct cli_args *args,
		 struct err *err)
{
	const char *format = args->input_format;
	struct log_reading in = { .args = args,
				  .scope = *scope,
				  .format = scope->against                       ? DECODE_AGAINST
					    : !strcmp(args->format, "json")     ? DECODE_JSON
					    : !strcmp(args->format, "summary")  ? DECODE_SUMMARY
					    : !strcmp(args->format, "markdown") ? DECODE_MARKDOWN
										: DECODE_TEXT };
	bool is_trace;
	int rc;

	if ((rc = trace_file_open(&in.input, path, err))) {
		const struct err cause = *err;

		return strchr(path, ' ')
			       ? err_set(err, rc, "%s; give a line of a log on standard input", cause.text)
			       : rc;
	}
	is_trace = format ? !strcmp(format, "trace") || !strcmp(format, "gvisor") : in.input.is_trace;
	in.scope.cache = decode_cache_new();
	in.handles = decode_handles_new();
	if (scope->against)
		in.seen = decode_seen_new();
	if (!(rc = file_writer_open(&in.file, args->output, err))) {
		rc = is_trace ? decode_trace(&in, err) : decode_stream(&in, err);
		file_writer_release(&in.file);
	}
	*wrong = in.wrong;
	decode_handles_free(in.handles);
	decode_cache_free(in.scope.cache);
	decode_seen_free(in.seen);
	decode_summary_release(&in.summary);
	arena_release(&in.summed);
	strbuf_release(&in.out);
	trace_file_close(&in.input);
	return rc;
}
