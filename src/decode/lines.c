/*
 * 1. Only a line with one of a few words is looked at, unless a dump is open; runs of others are skipped together (hints.c).
 * 2. A dump takes its lines, one by one, until it is whole.
 * 3. Any other line is given to the readers of the formats, in the order in which one's line could be taken for another's.
 * 4. What began is told when it returned (pending.c). It is told where it begins if there are too many such calls, and at the
 *    end if it never returned.
 * 5. A line that names the driver's version is told before the calls that follow it.
 * 6. A call that may have a dump below it is told when the next line shows whether it has (below.c); so is one of a debug
 *    message of nvproxy, which a warning about the same call follows if nvproxy does not forward it.
 */
#include "decode/lines.h"

#include "decode/below.h"
#include "decode/hints.h"
#include "decode/lines_internal.h"
#include "decode/pending.h"
#include "decode/read_cudest.h"

#include <stdlib.h>
#include <string.h>

enum { SKIP_BYTES = 4096 }; /* what is behind a hint is searched again: not too much at once */

static const struct {
	const char *name;
	bool (*read)(struct decode_reading *out, struct rest line); /* NULL: a dump */
} formats[] = {
	{ "sniffer", decode_read_sniffer }, { "runsc", decode_read_runsc }, { "strace", decode_read_strace }, { "perf", decode_read_perf },
	{ "libcudest", NULL },
};
enum { FORMAT_COUNT = sizeof(formats) / sizeof(*formats) };

struct decode_lines {
	size_t asked; /* FORMAT_COUNT: every one */
	const struct device_rules *devices;
	const char *other;
	struct cudest cudest;
	struct pending pending;
	struct below below;
	struct decode_reading notice; /* that is not told yet; family NULL: there is none */
};

const char *decode_lines_format(size_t index)
{
	return index < FORMAT_COUNT ? formats[index].name : NULL;
}

struct decode_lines *decode_lines_new(const char *format, const struct device_rules *devices)
{
	struct decode_lines *lines;
	size_t asked = 0;

	while (asked < FORMAT_COUNT && format && strcmp(formats[asked].name, format))
		asked++;
	if (format && asked == FORMAT_COUNT)
		return NULL;
	lines = xmalloc(sizeof(*lines));
	memset(lines, 0, sizeof(*lines));
	lines->asked = format ? asked : FORMAT_COUNT;
	lines->devices = devices;
	return lines;
}

void decode_lines_free(struct decode_lines *lines)
{
	if (!lines)
		return;
	cudest_release(&lines->cudest);
	below_release(&lines->below);
	free(lines);
}

const char *decode_lines_other(const struct decode_lines *lines)
{
	return lines->other;
}

/* They are of one call, if there are both. */
int decode_lines_flush(struct decode_lines *lines, const struct decode_sink *sink, struct err *err)
{
	struct decode_line call = lines->notice.line;

	lines->notice.line.family = NULL;
	return below_end(&call, &lines->below) || call.family ? sink->found(sink->data, &call, err) : 0;
}

bool decode_lines_is_waiting(const struct decode_lines *lines)
{
	return lines->below.is_held || lines->notice.line.family;
}

static bool same_call(const struct decode_line *a, const struct decode_line *b)
{
	return a->number == b->number && !strcmp(a->family, b->family);
}

/* Does a message tell more of the call that the debug message before it has told of? */
static bool tells_more(const struct decode_lines *lines, const struct decode_reading *reading)
{
	return lines->notice.line.family && !(lines->below.is_held && lines->below.is_open) && reading->is_message && reading->kind == READING_CALL &&
	       reading->thread == lines->notice.thread && same_call(&lines->notice.line, &reading->line);
}

static bool line_tells_more(const struct decode_lines *lines, struct rest line)
{
	struct decode_reading reading = { .kind = READING_CALL, .devices = lines->devices };

	return lines->notice.line.family && decode_read_runsc(&reading, line) && tells_more(lines, &reading);
}

int decode_lines_before(struct decode_lines *lines, const char *text, size_t length, const struct decode_sink *sink, struct err *err)
{
	const struct rest line = { text, text + length };

	return below_is_mine(&lines->below, line) || line_tells_more(lines, line) ? 0 : decode_lines_flush(lines, sink, err);
}

static int tell(struct decode_lines *lines, const struct decode_sink *sink, const struct decode_line *call, struct err *err)
{
	const int rc = decode_lines_flush(lines, sink, err);

	return rc || below_hold(&lines->below, call) ? rc : sink->found(sink->data, call, err);
}

/* --- calls that begin in one line and return in another --------------------------------------- */

/* A thread that calls again has returned, although no line says so. */
static int tell_stale(struct decode_lines *lines, size_t format, const struct decode_reading *reading, const struct decode_sink *sink,
		      struct err *err)
{
	struct decode_line stale;

	if (!pending_take(&stale, &lines->pending, format, reading->thread))
		return 0;
	if (reading->kind == READING_RETURN && same_call(&stale, &reading->line))
		return 0; /* this line says all that the first one said */
	return tell(lines, sink, &stale, err);
}

/* What a proxy says of a call between the lines where it began and returned, the second of which tells all of it. */
static int tell_message(struct decode_lines *lines, size_t format, const struct decode_reading *reading, const struct decode_sink *sink,
			struct err *err)
{
	const struct decode_line *begun = pending_find(&lines->pending, format, reading->thread);
	int rc;

	if (tells_more(lines, reading)) {
		lines->notice.line.family = NULL;
		lines->below.is_held = false;
	}
	if (begun && same_call(begun, &reading->line))
		return decode_lines_flush(lines, sink, err);
	if (reading->kind == READING_CALL)
		return tell(lines, sink, &reading->line, err);
	if ((rc = decode_lines_flush(lines, sink, err)))
		return rc;
	below_hold(&lines->below, &reading->line);
	lines->notice = *reading;
	return 0;
}

static int tell_reading(struct decode_lines *lines, size_t format, const struct decode_reading *reading, const struct decode_sink *sink,
			struct err *err)
{
	struct decode_line call;
	int rc;

	if (reading->is_message)
		return tell_message(lines, format, reading, sink, err);
	if (reading->kind == READING_RESUME) {
		if (!pending_take_resumed(&call, &lines->pending, format, reading->thread))
			return 0;
		call.has_ret = reading->line.has_ret;
		call.ret = reading->line.ret;
		call.error = reading->line.error;
		return tell(lines, sink, &call, err);
	}
	if ((rc = tell_stale(lines, format, reading, sink, err)))
		return rc;
	if (reading->kind == READING_BEGIN && pending_add(&lines->pending, format, reading->thread, &reading->line))
		return 0;
	return tell(lines, sink, &reading->line, err);
}

/* --- lines ---------------------------------------------------------------------------------------- */

static bool is_asked(const struct decode_lines *lines, size_t format)
{
	return lines->asked == FORMAT_COUNT || lines->asked == format;
}

/* The format that a line is of; FORMAT_COUNT: none that @lines reads. */
static size_t read_line(struct decode_reading *out, struct decode_lines *lines, struct rest line)
{
	size_t other = FORMAT_COUNT;

	for (size_t i = 0; i < FORMAT_COUNT; i++) {
		if (!formats[i].read || (!is_asked(lines, i) && lines->other))
			continue;
		*out = (struct decode_reading){ .kind = READING_CALL, .devices = lines->devices };
		if (!formats[i].read(out, line))
			continue;
		if (is_asked(lines, i))
			return i;
		if (other == FORMAT_COUNT)
			other = i;
	}
	if (other < FORMAT_COUNT)
		lines->other = formats[other].name;
	return FORMAT_COUNT;
}

static int tell_dump(struct decode_lines *lines, const struct decode_sink *sink, struct err *err)
{
	struct decode_line call;

	return cudest_end(&call, &lines->cudest) ? tell(lines, sink, &call, err) : 0;
}

/* Only such a line begins a dump. */
static bool may_begin_dump(struct rest line)
{
	return rest_skip_past(&line, "-byte param, fd ");
}

/* @is_mine: set if the line is a dump's */
static int read_dump(bool *is_mine, struct decode_lines *lines, struct rest line, const struct decode_sink *sink, struct err *err)
{
	struct cudest *cudest = &lines->cudest;
	enum cudest_line what = CUDEST_FOREIGN;
	const bool begins = may_begin_dump(line);
	int rc = 0;

	if (cudest->is_open && (begins || (what = cudest_line(cudest, line)) == CUDEST_DONE || what == CUDEST_LOST))
		rc = tell_dump(lines, sink, err);
	*is_mine = what == CUDEST_MORE || what == CUDEST_DONE || (!rc && begins && cudest_begin(cudest, line));
	return rc;
}

/* The first message of a line of several of nvproxy's, as writers that share a file leave them; @line moves behind it. A call's line is one. */
static struct rest next_message(struct rest *line)
{
	static const char begin[] = "nvproxy: ";
	const size_t length = rest_length(line), skipped = sizeof(begin) - 1;
	const char *first = memmem(line->at, length, "ioctl(", 6) ? NULL : memmem(line->at, length, begin, skipped);
	const char *second = first ? memmem(first + skipped, (size_t)(line->end - first) - skipped, begin, skipped) : NULL;
	const struct rest message = { line->at, second ? second : line->end };

	line->at = message.end;
	return message;
}

static int read_messages(struct decode_lines *lines, struct rest line, const struct decode_sink *sink, struct err *err)
{
	struct decode_reading reading;
	size_t format;
	int rc = 0;

	do {
		format = read_line(&reading, lines, next_message(&line));
		if (format < FORMAT_COUNT)
			rc = tell_reading(lines, format, &reading, sink, err);
	} while (!rc && rest_length(&line));
	return rc;
}

static int read_version(struct decode_lines *lines, struct rest line, const struct decode_sink *sink, struct err *err)
{
	char version[DECODE_VERSION_BYTES];

	if (!sink->version || (lines->asked < FORMAT_COUNT && formats[lines->asked].read != decode_read_runsc) || !decode_read_version(version, line))
		return 0;
	return sink->version(sink->data, version, err);
}

static const size_t dump_format = FORMAT_COUNT - 1;

int decode_lines_read(struct decode_lines *lines, const char *text, size_t length, const struct decode_sink *sink, struct err *err)
{
	const struct rest line = { text, text + length };
	bool is_dump = false;
	int rc;

	if ((rc = decode_lines_before(lines, text, length, sink, err)))
		return rc;
	if (lines->below.is_held && !line_tells_more(lines, line)) {
		below_add(&lines->below, line);
		return 0;
	}
	if (!lines->cudest.is_open && !hints_find(text, length))
		return 0;
	if (is_asked(lines, dump_format) && ((rc = read_dump(&is_dump, lines, line, sink, err)) || is_dump))
		return rc;
	if ((rc = read_version(lines, line, sink, err)) || (rc = read_messages(lines, line, sink, err)))
		return rc;
	if (!is_asked(lines, dump_format) && !lines->other && may_begin_dump(line))
		lines->other = formats[dump_format].name;
	return 0;
}

int decode_lines_end(struct decode_lines *lines, const struct decode_sink *sink, struct err *err)
{
	struct decode_line call;
	int rc = 0;

	while (!rc && pending_take_oldest(&call, &lines->pending))
		rc = tell(lines, sink, &call, err);
	if (!rc && lines->cudest.is_open)
		rc = tell_dump(lines, sink, err);
	return rc ? rc : decode_lines_flush(lines, sink, err);
}

size_t decode_lines_skip(const struct decode_lines *lines, const char *text, size_t length)
{
	const char *hint, *end;

	if (lines->cudest.is_open || decode_lines_is_waiting(lines))
		return 0;
	if (length > SKIP_BYTES)
		length = SKIP_BYTES;
	hint = hints_find(text, length);
	end = memrchr(text, '\n', hint ? (size_t)(hint - text) : length);
	return end ? (size_t)(end + 1 - text) : 0;
}
