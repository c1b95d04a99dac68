/*
 * 1. What a read brings is cut into lines. A line longer than the buffer is told in slices, and only its first one is
 *    searched for an ioctl.
 * 2. A line of plain text passes through as it is; others are escaped first.
 * 3. The answer to a line that says the same as an earlier one comes out of a small table.
 */
#include "cli/decode_stream.h"

#include "cli/output.h"
#include "report/decode.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUFFER_BYTES = 64 * 1024, ANSWERS = 1024, UTF8_TAIL = 3 };

/* What was said to a line, for the next one that says the same. */
struct answer {
	bool is_set;
	struct decode_line line;
	struct strbuf text;
	struct decode_call call; /* without fields; of @arena */
	bool is_wrong;
	struct arena arena;
};

struct stream {
	const struct decode_scope *scope;
	const struct cli_args *args;
	struct report_style style;
	bool is_json, is_summary, passes;
	struct answer *answers;
	struct decode_summary summary;
	struct arena summary_arena;
	struct strbuf out; /* of one read */
	struct strbuf slice;
	bool wrong;
};

bool decode_is_wrong(const struct decode_call *call)
{
	const struct decode_ioctl *last = &call->ioctls[call->count - 1];

	return !last->name || (last->has_size && !last->version_count) || (call->has_table && call->forwarded.use == FORWARDED_NONE);
}

/* --- lines that pass through ------------------------------------------------------------------ */

static bool is_plain_byte(unsigned char ch)
{
	return (ch >= ' ' && ch < 0x7f) || ch == '\t' || ch == '\n';
}

/* Eight bytes at once: has one its high bit set, is one below ' ', or DEL? May say yes of a few that are neither. */
static bool may_be_strange(const char *text)
{
	const uint64_t ones = UINT64_C(0x0101010101010101), high = ones << 7;
	uint64_t word;

	memcpy(&word, text, sizeof(word));
	return (word | (word - ones * ' ') | ((word ^ ones * 0x7f) - ones)) & high;
}

/* Printable ASCII, tabs and ends of lines alone? */
static bool is_plain(const char *text, size_t length)
{
	size_t i = 0;

	while (i < length) {
		if (length - i >= 8 && !may_be_strange(text + i)) {
			i += 8;
			continue;
		}
		for (const size_t end = length - i < 8 ? length : i + 8; i < end; i++)
			if (!is_plain_byte((unsigned char)text[i]))
				return false;
	}
	return true;
}

/* Tabs stay, a NUL is spelled out, the rest is escape_terminal()'s. */
static void pass_escaped(struct stream *stream, const char *line, size_t length)
{
	for (size_t i = 0; i < length;) {
		size_t end = i;

		while (end < length && line[end] && line[end] != '\t')
			end++;
		strbuf_reset(&stream->slice);
		strbuf_add(&stream->slice, line + i, end - i);
		escape_terminal(&stream->out, strbuf_text(&stream->slice));
		if (end < length)
			strbuf_adds(&stream->out, line[end] ? "\t" : "\\x00");
		i = end + 1;
	}
}

static void pass(struct stream *stream, const char *line, size_t length, bool is_whole)
{
	if (!stream->passes)
		return;
	if (is_plain(line, length))
		strbuf_add(&stream->out, line, length);
	else
		pass_escaped(stream, line, length);
	if (is_whole)
		strbuf_addch(&stream->out, '\n');
}

/* Whole lines that name no ioctl. */
static void pass_lines(struct stream *stream, const char *lines, size_t length)
{
	if (!stream->passes)
		return;
	if (is_plain(lines, length)) {
		strbuf_add(&stream->out, lines, length);
		return;
	}
	for (size_t at = 0; at < length;) {
		const size_t line = (size_t)((const char *)memchr(lines + at, '\n', length - at) - (lines + at));

		pass(stream, lines + at, line, true);
		at += line + 1;
	}
}

/* --- lines that name an ioctl -------------------------------------------------------------------- */

static size_t slot_of(const struct decode_line *line)
{
	uint64_t hash = line->number * UINT64_C(0x9e3779b97f4a7c15);

	hash ^= (line->size_bytes + line->status * 31 + (uint64_t)line->ret * 17 + (unsigned char)line->family[0]) * UINT64_C(0xff51afd7ed558ccd);
	return (size_t)(hash >> 32) % ANSWERS;
}

static bool same_line(const struct decode_line *a, const struct decode_line *b)
{
	return a->number == b->number && a->has_size == b->has_size && a->size_bytes == b->size_bytes && a->has_ret == b->has_ret &&
	       a->ret == b->ret && a->has_status == b->has_status && a->status == b->status && !strcmp(a->family, b->family);
}

static void forget(struct answer *answer)
{
	strbuf_release(&answer->text);
	arena_release(&answer->arena);
	*answer = (struct answer){ .is_set = false };
}

static int find_answer(struct answer *answer, struct stream *stream, const struct decode_line *line, struct err *err)
{
	const struct decode_input input = { .family = line->family, .number = line->number, .has_size = line->has_size,
					    .size_bytes = line->size_bytes, .has_ret = line->has_ret, .ret = line->ret,
					    .has_status = line->has_status, .status = line->status };
	int rc;

	forget(answer);
	if ((rc = decode_call(&answer->call, &input, stream->scope, &answer->arena, err)))
		return rc;
	answer->line = *line;
	answer->is_set = true;
	answer->is_wrong = decode_is_wrong(&answer->call);
	if (stream->is_json)
		report_decode_json(&answer->text, &answer->call);
	else
		report_decode_text(&answer->text, &answer->call, &stream->style);
	return 0;
}

/* A call that the summary holds on to must outlive the answer. */
static int add_to_summary(struct stream *stream, const struct answer *answer, struct err *err)
{
	const struct decode_line *line = &answer->line;
	const struct decode_input input = { .family = line->family, .number = line->number, .has_size = line->has_size,
					    .size_bytes = line->size_bytes, .has_status = line->has_status, .status = line->status };
	struct decode_call *call;
	int rc;

	if (decode_summary_has(&stream->summary, &answer->call) || stream->summary.count == DECODE_SUMMARY_MAX) {
		decode_summary_add(&stream->summary, &answer->call, 1);
		return 0;
	}
	call = arena_alloc(&stream->summary_arena, sizeof(*call));
	if ((rc = decode_call(call, &input, stream->scope, &stream->summary_arena, err)))
		return rc;
	decode_summary_add(&stream->summary, call, 1);
	return 0;
}

static int answer_line(struct stream *stream, const struct decode_line *line, struct err *err)
{
	struct answer *answer = &stream->answers[slot_of(line)];
	int rc;

	if ((!answer->is_set || !same_line(&answer->line, line)) && (rc = find_answer(answer, stream, line, err)))
		return rc;
	stream->wrong |= answer->is_wrong;
	if (stream->is_summary)
		return add_to_summary(stream, answer, err);
	strbuf_add(&stream->out, strbuf_text(&answer->text), answer->text.length);
	return 0;
}

/* @is_first: the beginning of a line; @is_whole: its end is there, too */
static int tell_line(struct stream *stream, const char *line, size_t length, bool is_first, bool is_whole, struct err *err)
{
	struct decode_line found;

	pass(stream, line, length, is_whole);
	if (!is_first || !decode_line_read(&found, line, length))
		return 0;
	if (!is_whole && stream->passes)
		strbuf_addch(&stream->out, '\n');
	return answer_line(stream, &found, err);
}

/* --- reading ------------------------------------------------------------------------------------------ */

static int flush(struct stream *stream, struct err *err)
{
	size_t done = 0;

	while (!stream->args->output && done < stream->out.length) {
		const ssize_t wrote = write(STDOUT_FILENO, stream->out.text + done, stream->out.length - done);

		if (wrote < 0 && errno != EINTR)
			return err_set(err, ERR_IO, "cannot write to standard output: %s", strerror(errno));
		done += wrote > 0 ? (size_t)wrote : 0;
	}
	if (!stream->args->output)
		strbuf_reset(&stream->out);
	return 0;
}

/* How much of a slice is whole characters of UTF-8. */
static size_t whole_characters(const char *text, size_t length)
{
	for (size_t back = 1; back <= UTF8_TAIL && back < length; back++)
		if ((unsigned char)text[length - back] >= 0xc0)
			return length - back;
		else if ((unsigned char)text[length - back] < 0x80)
			break;
	return length;
}

/* All lines of the buffer, and, if it is full or the input has ended, what is left. Return: bytes that were told, or an error. */
static ssize_t tell_buffer(struct stream *stream, const char *buffer, size_t length, bool *is_first, bool is_end, struct err *err)
{
	size_t told = 0;
	const char *end;
	int rc;

	for (;;) {
		for (size_t skipped = 1; *is_first && skipped; told += skipped) {
			skipped = decode_lines_skip(buffer + told, length - told);
			pass_lines(stream, buffer + told, skipped);
		}
		if (!(end = memchr(buffer + told, '\n', length - told)))
			break;
		if ((rc = tell_line(stream, buffer + told, (size_t)(end - buffer) - told, *is_first, true, err)))
			return rc;
		told = (size_t)(end - buffer) + 1;
		*is_first = true;
	}
	if (told == length || !(is_end || (!told && length == BUFFER_BYTES)))
		return (ssize_t)told;
	if (!is_end)
		length = whole_characters(buffer, length);
	if ((rc = tell_line(stream, buffer + told, length - told, *is_first, is_end, err)))
		return rc;
	*is_first = false;
	return (ssize_t)length;
}

static int read_all(struct stream *stream, int fd, const char *path, struct err *err)
{
	char *buffer = xmalloc(BUFFER_BYTES);
	bool is_first = true;
	size_t length = 0;
	ssize_t got;
	int rc = 0;

	do {
		ssize_t told;

		got = read(fd, buffer + length, BUFFER_BYTES - length);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			rc = err_set(err, ERR_IO, "cannot read %s: %s", path, strerror(errno));
			break;
		}
		length += (size_t)got;
		told = tell_buffer(stream, buffer, length, &is_first, !got, err);
		rc = told < 0 ? (int)told : flush(stream, err);
		if (rc)
			break;
		length -= (size_t)told;
		memmove(buffer, buffer + told, length);
	} while (got);
	free(buffer);
	return rc;
}

static int open_input(const char *path, struct err *err)
{
	int fd;

	if (!strcmp(path, "-"))
		return STDIN_FILENO;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return err_set(err, errno == ENOENT ? ERR_NOT_FOUND : ERR_IO, "cannot read %s: %s", path, strerror(errno));
	return fd;
}

static int finish(struct stream *stream, struct err *err)
{
	if (stream->is_summary)
		report_decode_summary(&stream->out, &stream->summary, &stream->style);
	return stream->args->output ? output_write(&stream->out, stream->args, err) : flush(stream, err);
}

int decode_stream(bool *wrong, const char *path, const struct decode_scope *scope, const struct cli_args *args, struct err *err)
{
	struct stream stream = { .scope = scope, .args = args, .style = output_style(args) };
	int fd = open_input(path, err);
	int rc;

	if (fd < 0)
		return fd;
	stream.is_json = !strcmp(args->format, "json");
	stream.is_summary = !strcmp(args->format, "summary");
	stream.passes = !stream.is_json && !stream.is_summary && !args->only;
	stream.answers = xmalloc(ANSWERS * sizeof(*stream.answers));
	memset(stream.answers, 0, ANSWERS * sizeof(*stream.answers));
	if (!(rc = read_all(&stream, fd, path, err)))
		rc = finish(&stream, err);
	for (size_t i = 0; i < ANSWERS; i++)
		forget(&stream.answers[i]);
	free(stream.answers);
	decode_summary_release(&stream.summary);
	arena_release(&stream.summary_arena);
	strbuf_release(&stream.out);
	strbuf_release(&stream.slice);
	if (fd != STDIN_FILENO)
		close(fd);
	*wrong = stream.wrong;
	return rc;
}
