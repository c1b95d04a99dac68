/* decode/lines.c - reports the calls in the lines of a log, whose forms are in line_formats.c */
/*
 * 1. A line is read only if it has one of a few words, or if a dump is open. All other lines are skipped,
 *    many at a time.
 * 2. If a dump is open, each line is checked for a part of the dump, until the dump is complete.
 * 3. All other lines are read in the first format that they match. The order of formats is fixed.
 * 4. A call that began is pending until it returns, and is then reported. If too many calls are pending, a
 *    new call is reported where it begins. If a call does not return, it is reported at the end of the log.
 * 5. A driver version is reported before the calls after its line.
 * 6. A call that can have a dump after it is held until the next line shows whether it has one.
 * 7. A call from a debug message of nvproxy is also held, because nvproxy logs a warning for the same call if
 *    it does not forward the call. If another line comes first, and the message names its thread, the call is
 *    put aside until the next message of the thread.
 */
#include "decode/internal.h"

enum { AHEAD = 4 }; /* the number of bytes in a hint after the first byte */

/* Does one of the texts for which hints_find() searches begin at @at? AHEAD bytes after *@at can be read. */
static bool is_hint(const char *at)
{
	switch (*at) {
	case 'i': return !memcmp(at, "ioctl", 5);
	case 'I': return !memcmp(at, "IA dr", 5) || !memcmp(at, "ID_HE", 5);
	case 'd':
	case 's': return !memcmp(at + 1, " 0x", 3);
	default: return false;
	}
}

/*
 * hints_find - find the first hint that a line could have a call or the driver's version
 *
 * Every line with a call has "ioctl", "command 0x", "class 0x" or "VID_HEAP_CONTROL". A line with the
 * driver's version has "NVIDIA driver". One pass searches for a part of any of these, 16 bytes at a time: for
 * "i.ct", for a 'd' or an 's' before ".0x", and for "I..d" or "I..H". Most of the time for reading a log is
 * spent in this loop. Other text can match, too. Return: NULL if there is no hint.
 */
static const char *hints_find(const char *text, size_t length)
{
	const char *end = text + length, *at = text;

	for (; end - at >= BYTES16 + AHEAD; at += BYTES16) {
		const bytes16 first = bytes16_load(at), third = bytes16_load(at + 2),
			      fourth = bytes16_load(at + 3);
		const bytes16 call =
			bytes16_equal(first, 'i') & bytes16_equal(third, 'c') & bytes16_equal(fourth, 't');
		const bytes16 number = bytes16_equal(fourth, 'x') & bytes16_equal(third, '0') &
				       (bytes16_equal(first, 'd') | bytes16_equal(first, 's'));
		const bytes16 name = bytes16_equal(first, 'I') &
				     (bytes16_equal(fourth, 'd') | bytes16_equal(fourth, 'H'));

		for (size_t i = 0; bytes16_any(call | number | name) && i < BYTES16; i++)
			if (is_hint(at + i))
				return at + i;
	}
	for (; end - at > AHEAD; at++)
		if (is_hint(at))
			return at;
	return NULL;
}

enum { PENDING_MAX = 256 };

/* The calls that have begun and not yet returned, in the order in which they began. */
struct pending_calls {
	struct pending_call {
		size_t format;
		uint64_t thread;
		struct decode_input line; /* without bytes */
	} calls[PENDING_MAX];
	size_t count;
};

/* pending_add - add a call of @thread, which has no pending call. Return: false if there is no room. */
static bool pending_add(struct pending_calls *pending, size_t format, uint64_t thread,
			const struct decode_input *line)
{
	if (pending->count == PENDING_MAX)
		return false;
	pending->calls[pending->count++] = (struct pending_call){ format, thread, *line };
	return true;
}

/* pending_find - find the index of @thread's call; the count if @thread has no pending call */
static size_t pending_find(const struct pending_calls *pending, size_t format, uint64_t thread)
{
	size_t i = 0;

	while (i < pending->count &&
	       (pending->calls[i].format != format || pending->calls[i].thread != thread))
		i++;
	return i;
}

/* pending_take - move the call with index @at of @pending to @out. Return: false if it does not exist. */
static bool pending_take(struct decode_input *out, struct pending_calls *pending, size_t at)
{
	if (at >= pending->count)
		return false;
	*out = pending->calls[at].line;
	memmove(&pending->calls[at], &pending->calls[at + 1],
		(--pending->count - at) * sizeof(*pending->calls));
	return true;
}

/**
 * pending_take_resumed - remove the call that returned in @thread, and copy it to @out
 *
 * strace does not print the thread while there is only one. If the line of the start or that of the return
 * has no thread, they are about the same call only if no other call of the format is pending.
 * Return: false if no such call is pending.
 */
static bool pending_take_resumed(struct decode_input *out, struct pending_calls *pending, size_t format,
				 uint64_t thread)
{
	size_t only = pending_find(pending, format, thread), of_format = 0;

	if (only == pending->count) {
		for (size_t i = 0; i < pending->count; i++)
			if (pending->calls[i].format == format) {
				only = i;
				of_format++;
			}
		if (of_format != 1 || (thread && pending->calls[only].thread))
			return false;
	}
	return pending_take(out, pending, only);
}

enum { SKIP_BYTES = 4096 }; /* limited, because the next call searches the text after a hint again */

struct decode_lines {
	size_t asked; /* the requested format; FORMAT_COUNT for every format */
	const struct device_rules *devices;
	struct decode_sink sink;
	const char *other;
	struct decode_unread unread[2]; /* [1]: of the driver's devices */
	struct cudest cudest;
	struct pending_calls pending;
	struct decode_logged_call held; /* a call to which the next line can add; line.family is NULL if there
					   is none */
	struct pasted_dump pasted;    /* the lines of a dump after the held call */
	struct pending_calls aside;   /* calls from debug messages of other threads than that of @held */
	bool is_within;               /* decode_lines_feed() has read the beginning of the current line */
	size_t cut_count;             /* the result of decode_lines_cut() */
};

const char *decode_lines_format(size_t index)
{
	return index < FORMAT_COUNT ? line_formats[index].name : NULL;
}

struct decode_lines *decode_lines_new(const char *format, const struct device_rules *devices,
				      const struct decode_sink *sink)
{
	struct decode_lines *lines;
	size_t asked = 0;

	while (asked < FORMAT_COUNT && format && strcmp(line_formats[asked].name, format))
		asked++;
	if (format && asked == FORMAT_COUNT)
		return NULL;
	lines = xmalloc(sizeof(*lines));
	memset(lines, 0, sizeof(*lines));
	lines->asked = format ? asked : FORMAT_COUNT;
	lines->devices = devices;
	lines->sink = *sink;
	return lines;
}

void decode_lines_free(struct decode_lines *lines)
{
	if (!lines)
		return;
	cudest_release(&lines->cudest);
	pasted_dump_release(&lines->pasted);
	strbuf_release(&lines->unread[0].path);
	strbuf_release(&lines->unread[1].path);
	free(lines);
}

const char *decode_lines_other(const struct decode_lines *lines)
{
	return lines->other;
}

const struct decode_unread *decode_lines_unread(const struct decode_lines *lines, bool is_drivers)
{
	return &lines->unread[is_drivers];
}

static bool is_notice(const struct decode_logged_call *held)
{
	return held->line.family && held->kind == LOGGED_NOTICE;
}

/* Passes the held call, if there is one, to the sink, with the bytes of the dump after it. */
static int report_held(struct decode_lines *lines, struct err *err)
{
	struct decode_input call = lines->held.line;

	if (!call.family)
		return 0;
	lines->held.line.family = NULL;
	pasted_dump_end(&call, &lines->pasted);
	return lines->sink.found(lines->sink.data, &call, err);
}

/*
 * Reports the held call, so that another call can be held. A notice without a dump is only put aside, unless
 * its thread is unknown or is @thread, which now makes another call.
 */
static int release_held(struct decode_lines *lines, uint64_t thread, struct err *err)
{
	const struct decode_logged_call *held = &lines->held;

	if (!is_notice(held) || !held->thread || held->thread == thread || lines->sink.text ||
	    lines->pasted.text.length ||
	    !pending_add(&lines->aside, FORMAT_RUNSC, held->thread, &held->line))
		return report_held(lines, err);
	lines->held.line.family = NULL;
	return 0;
}

int decode_lines_flush(struct decode_lines *lines, struct err *err)
{
	struct decode_input call;
	int rc = 0;

	while (!rc && pending_take(&call, &lines->aside, 0))
		rc = lines->sink.found(lines->sink.data, &call, err);
	return rc ? rc : report_held(lines, err);
}

bool decode_lines_is_waiting(const struct decode_lines *lines)
{
	return lines->held.line.family || lines->aside.count;
}

static bool same_call(const struct decode_input *a, const struct decode_input *b)
{
	return a->number == b->number && !strcmp(a->family, b->family);
}

/*
 * Is @logged a message about the held call of a debug message, and does it add facts? A warning does. So does
 * the first message with the value of a field.
 */
static bool says_more(const struct decode_lines *lines, const struct decode_logged_call *logged)
{
	const struct decode_input *held = &lines->held.line, *line = &logged->line;

	return is_notice(&lines->held) && !lines->pasted.text.length && logged->is_message &&
	       (logged->kind == LOGGED_CALL || (line->field && !held->field)) &&
	       (!held->field || line->value == held->value) && logged->thread == lines->held.thread &&
	       same_call(held, line);
}

static bool line_says_more(const struct decode_lines *lines, struct rest line)
{
	struct decode_logged_call logged;

	return is_notice(&lines->held) && line_read(&logged, FORMAT_RUNSC, lines->devices, line) &&
	       says_more(lines, &logged);
}

/* Is @line one of the dump after the held call? */
static bool is_of_dump(const struct decode_lines *lines, struct rest line)
{
	return lines->held.line.family && pasted_dump_is_mine(&lines->pasted, &lines->held.line, line);
}

/* Reports the held call, unless the line belongs to it. */
static int report_before(struct decode_lines *lines, const char *text, size_t length, struct err *err)
{
	const struct rest line = { text, text + length };

	return is_of_dump(lines, line) || line_says_more(lines, line) ? 0 : release_held(lines, 0, err);
}

/* Releases the held call. Then passes @call to the sink, or holds it if a dump of its bytes can follow. */
static int report_call(struct decode_lines *lines, const struct decode_input *call, struct err *err)
{
	const int rc = release_held(lines, 0, err);

	if (rc || !pasted_dump_can_follow(call))
		return rc ? rc : lines->sink.found(lines->sink.data, call, err);
	lines->held = (struct decode_logged_call){ .kind = LOGGED_CALL, .line = *call };
	return 0;
}

/* --- calls that begin in one line and return in another --------------------------------------- */

/*
 * Reports the call of a proxy's message, or holds it if a later message can add to it. If the call is
 * pending, the message only adds a field, because the line where the call returns has all other facts. If an
 * earlier message of the call is held, a message that says more replaces it.
 */
static int emit_message(struct decode_lines *lines, size_t format, struct decode_logged_call *logged,
			struct err *err)
{
	const size_t pending = pending_find(&lines->pending, format, logged->thread);
	struct decode_input *begun =
		pending < lines->pending.count ? &lines->pending.calls[pending].line : NULL;
	struct decode_input aside;
	int rc;

	if (pending_take(&aside, &lines->aside, pending_find(&lines->aside, FORMAT_RUNSC, logged->thread))) {
		if ((rc = release_held(lines, logged->thread, err)))
			return rc;
		lines->held = (struct decode_logged_call){ .kind = LOGGED_NOTICE, .line = aside,
							   .thread = logged->thread };
	}
	if (says_more(lines, logged)) {
		if (!logged->line.has_size) {
			logged->line.has_size = lines->held.line.has_size;
			logged->line.size_bytes = lines->held.line.size_bytes;
		}
		lines->held.line.family = NULL;
	}
	if (begun && same_call(begun, &logged->line)) {
		if (logged->line.field) {
			begun->field = logged->line.field;
			begun->value = logged->line.value;
		}
		return release_held(lines, logged->thread, err);
	}
	if ((rc = release_held(lines, logged->thread, err)))
		return rc;
	if (logged->kind == LOGGED_CALL)
		return report_call(lines, &logged->line, err);
	lines->held = *logged;
	return 0;
}

/*
 * Reports a call when it is complete. The beginning of a call is kept as pending until the call returns. A
 * call that is not decoded is only counted. Return: 0, or the value that a function of the sink returned.
 */
static int emit_logged_call(struct decode_lines *lines, size_t format, struct decode_logged_call *logged,
			    struct err *err)
{
	struct decode_input call;
	int rc;

	if (logged->kind == LOGGED_UNREAD) {
		struct decode_unread *unread = &lines->unread[logged->is_drivers];

		if (!unread->count++)
			strbuf_add(&unread->path, logged->path.at, rest_length(&logged->path));
		return 0;
	}
	if (logged->is_message)
		return emit_message(lines, format, logged, err);
	if (logged->kind == LOGGED_RESUME) {
		if (!pending_take_resumed(&call, &lines->pending, format, logged->thread))
			return 0;
		call.has_ret = logged->line.has_ret;
		call.ret = logged->line.ret;
		call.error = logged->line.error;
		return report_call(lines, &call, err);
	}
	if (pending_take(&call, &lines->pending, pending_find(&lines->pending, format, logged->thread))) {
		/* The pending call of the thread must have returned. */
		if (logged->kind == LOGGED_RETURN && same_call(&call, &logged->line)) {
			/* The line has all facts of this call, except a field that a message added. */
			logged->line.field = call.field;
			logged->line.value = call.value;
		} else if ((rc = report_call(lines, &call, err))) {
			return rc;
		}
	}
	if (logged->kind == LOGGED_BEGIN &&
	    pending_add(&lines->pending, format, logged->thread, &logged->line))
		return 0;
	return report_call(lines, &logged->line, err);
}

/* --- lines ---------------------------------------------------------------------------------------- */

static bool is_asked(const struct decode_lines *lines, size_t format)
{
	return lines->asked == FORMAT_COUNT || lines->asked == format;
}

/*
 * Reads a line, or one of several messages in it. Return: its format; FORMAT_COUNT if it has no requested
 * format. The first other format of a call is noted for decode_lines_other().
 */
static size_t read_line(struct decode_logged_call *out, struct decode_lines *lines, struct rest line)
{
	size_t other = FORMAT_COUNT;

	for (size_t i = 0; i < FORMAT_COUNT; i++) {
		if ((!is_asked(lines, i) && lines->other) || !line_read(out, i, lines->devices, line))
			continue;
		if (is_asked(lines, i))
			return i;
		if (other == FORMAT_COUNT && out->kind != LOGGED_UNREAD)
			other = i;
	}
	if (other < FORMAT_COUNT)
		lines->other = line_formats[other].name;
	return FORMAT_COUNT;
}

static int emit_dump(struct decode_lines *lines, struct err *err)
{
	struct decode_input call;

	return cudest_end(&call, &lines->cudest) ? report_call(lines, &call, err) : 0;
}

/* Does the line have the words with which a dump begins? */
static bool may_begin_dump(struct rest line)
{
	return rest_has(line, "-byte param, fd ");
}

/*
 * Reads the parts of libcudest's dumps in a line, which can be of several calls, and reports each call that
 * is complete or cut off. Sets @is_mine if the line has any part.
 */
static int read_dump(bool *is_mine, struct decode_lines *lines, struct rest line, struct err *err)
{
	struct cudest *cudest = &lines->cudest;
	int rc = 0;

	do {
		if (cudest->is_open) {
			const enum cudest_line what = cudest_line(cudest, &line);

			*is_mine |= what == CUDEST_MORE || what == CUDEST_DONE;
			if (what == CUDEST_DONE || what == CUDEST_LOST || may_begin_dump(line))
				rc = emit_dump(lines, err);
		}
	} while (!rc && may_begin_dump(line) && cudest_begin(cudest, &line) && (*is_mine = true));
	return rc;
}

/* Returns what each message in @line has: "nvproxy: ", or " ioctl: " for the ioctl_sniffer; NULL for a call. */
static const char *mark_of_messages(struct rest line)
{
	struct rest at = line;

	return rest_find_call(&at) ? NULL : rest_has(line, "nvproxy: ") ? "nvproxy: " : " ioctl: ";
}

/*
 * Returns the first message with @mark in @line, or the first call of a tracer if @mark is NULL, and moves
 * past it. A line can have several if several processes write to the log. The text between the result of a
 * call and the next call is returned with both, because it has the error of the first and the thread of the
 * second.
 */
static struct rest next_message(struct rest *line, const char *mark)
{
	struct rest after = *line, at = *line, message = *line;
	const bool is_call = !mark && rest_find_call(&after);
	const char *second = NULL;
	int64_t ret;

	if (is_call) {
		at = after;
		second = rest_find_call(&at);
	} else if (mark && rest_find(&at, mark) && (second = rest_find(&at, mark)) && *mark == ' ') {
		/* to the letters before, "Control"; before them can be the status of the first message */
		while ((second[-1] | 0x20) >= 'a' && (second[-1] | 0x20) <= 'z')
			second--;
	}
	line->at = message.end = after.end = second ? second : line->end;
	if (second && is_call &&
	    (rest_find(&after, ")%_= %d", &ret) || rest_find(&after, ")") || rest_find(&after, "...")))
		line->at = after.at;
	return message;
}

enum { VERSION_BYTES = 32 };

/* Copies the version of "NVIDIA driver version: 535.129.03" in gVisor's log. Return: false if there is none. */
static bool read_version(char version[VERSION_BYTES], struct rest line)
{
	const char *first;
	size_t length;

	if (!rest_find(&line, "NVIDIA driver version: "))
		return false;
	first = line.at;
	rest_skip_any(&line, "0123456789.");
	length = (size_t)(line.at - first);
	if (length >= VERSION_BYTES || !memchr(first, '.', length))
		return false;
	memcpy(version, first, length);
	version[length] = '\0';
	return true;
}

/*
 * Reads a line without carriage returns, as a line of a dump, or else each of its messages and calls, and
 * reports the calls and the driver's version. Return: 0, or the value that a function of the sink returned.
 */
static int read_log_line(struct decode_lines *lines, const char *text, size_t length, struct err *err)
{
	const struct rest line = { text, text + length };
	struct rest left = line;
	const char *mark;
	char version[VERSION_BYTES];
	struct decode_logged_call logged;
	bool is_dump = false;
	size_t format;
	int rc;

	if ((rc = report_before(lines, text, length, err)))
		return rc;
	if (is_of_dump(lines, line) && !line_says_more(lines, line)) {
		pasted_dump_add(&lines->pasted, line);
		return 0;
	}
	if (!lines->cudest.is_open && !hints_find(text, length))
		return 0;
	if (is_asked(lines, FORMAT_LIBCUDEST) && ((rc = read_dump(&is_dump, lines, line, err)) || is_dump))
		return rc;
	if (lines->sink.version && is_asked(lines, FORMAT_RUNSC) && read_version(version, line) &&
	    ((rc = decode_lines_flush(lines, err)) || /* these calls are from before the line */
	     (rc = lines->sink.version(lines->sink.data, version, err))))
		return rc;
	mark = mark_of_messages(line);
	do {
		format = read_line(&logged, lines, next_message(&left, mark));
		if (format < FORMAT_COUNT && (rc = emit_logged_call(lines, format, &logged, err)))
			return rc;
	} while (rest_length(&left));
	if (!is_asked(lines, FORMAT_LIBCUDEST) && !lines->other && may_begin_dump(line))
		lines->other = line_formats[FORMAT_LIBCUDEST].name;
	return 0;
}

int decode_lines_read(struct decode_lines *lines, const char *text, size_t length, struct err *err)
{
	const char *end = text + length, *next = text;
	int rc;

	/* Programs show progress with carriage returns. One at the end of @text is part of a newline. */
	while ((next = memchr(next, '\r', (size_t)(end - next)))) {
		if (++next == end || *next == '\r')
			continue;
		if ((rc = read_log_line(lines, text, (size_t)(next - 1 - text), err)))
			return rc;
		text = next;
	}
	return read_log_line(lines, text, (size_t)(end - text), err);
}

int decode_lines_end(struct decode_lines *lines, struct err *err)
{
	struct decode_input call;
	int rc = 0;

	while (!rc && pending_take(&call, &lines->pending, 0))
		rc = report_call(lines, &call, err);
	if (!rc && lines->cudest.is_open)
		rc = emit_dump(lines, err);
	return rc ? rc : decode_lines_flush(lines, err);
}

size_t decode_lines_skip(const struct decode_lines *lines, const char *text, size_t length)
{
	const char *hint, *end;

	if (lines->cudest.is_open || lines->held.line.family)
		return 0;
	if (length > SKIP_BYTES)
		length = SKIP_BYTES;
	hint = hints_find(text, length);
	end = memrchr(text, '\n', hint ? (size_t)(hint - text) : length);
	return end ? (size_t)(end + 1 - text) : 0;
}

/*
 * Passes a line, or a piece of a line, to the sink, and reads the calls in it if it is the start of the line.
 * @is_whole: whether @line has the line's end. Return: 0, or the value that a function of the sink returned.
 */
static int feed_line(struct decode_lines *lines, const char *line, size_t length, bool is_whole,
		     struct err *err)
{
	const bool is_first = !lines->is_within;
	int rc;

	if (is_first && (rc = report_before(lines, line, length, err)))
		return rc;
	if (lines->sink.text)
		lines->sink.text(lines->sink.data, line, length, is_whole);
	lines->cut_count += is_first && !is_whole;
	lines->is_within = !is_whole;
	return is_first ? decode_lines_read(lines, line, length, err) : 0;
}

/* Passes the whole lines at the start of @text that have no call to the sink. Return: their length. */
static size_t feed_skipped(struct decode_lines *lines, const char *text, size_t length)
{
	size_t skipped = 0, more;

	while ((more = decode_lines_skip(lines, text + skipped, length - skipped)))
		skipped += more;
	if (skipped && lines->sink.text)
		lines->sink.text(lines->sink.data, text, skipped - 1, true);
	return skipped;
}

ssize_t decode_lines_feed(struct decode_lines *lines, const char *text, size_t length, bool is_end,
			  struct err *err)
{
	size_t used = 0;
	const char *end;
	int rc;

	for (;;) {
		if (!lines->is_within)
			used += feed_skipped(lines, text + used, length - used);
		if (!(end = memchr(text + used, '\n', length - used)))
			break;
		if ((rc = feed_line(lines, text + used, (size_t)(end - text) - used, true, err)))
			return rc;
		used = (size_t)(end - text) + 1;
	}
	if (used == length || (!is_end && (used || length < DECODE_LINE_MAX)))
		return (ssize_t)used;
	if (!is_end && (end = memrchr(text, '\r', length - 1))) { /* a progress bar, without newlines */
		rc = feed_line(lines, text, (size_t)(end - text), true, err);
		return rc ? rc : end + 1 - text;
	}
	if (!is_end)
		length = utf8_whole(text, length);
	rc = feed_line(lines, text + used, length - used, is_end, err);
	return rc ? rc : (ssize_t)length;
}

size_t decode_lines_cut(const struct decode_lines *lines)
{
	return lines->cut_count;
}
