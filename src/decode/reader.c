/*
 * How a stream is read:
 *
 * 1. What arrives, unpacked if it is zstd's (input.h), is appended to a buffer, which doubles when it is full: it
 *    grows with what is there, not with what a length claims.
 * 2. A message that is whole in the buffer is unpacked into memory of its
 *    own, which the next one gets again.
 * 3. Only if none is whole, the rest moves to the front and more is read.
 */
#include "decode/trace.h"

#include "decode/input.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { READ_BYTES = 64 * 1024 };

struct trace_reader {
	struct trace_input *input;
	char *name;
	uint8_t *bytes;           /* read and not yet returned: from begin to end */
	size_t begin, end, capacity;
	uint64_t offset_bytes;    /* of bytes[begin] in the stream */
	uint64_t cut_bytes;       /* UINT64_MAX: not known to be cut off */
	struct trace_unpacker *unpacker;
};

/* Room for at least @size bytes behind the end. */
static void make_room(struct trace_reader *reader, size_t size)
{
	if (reader->begin) {
		memmove(reader->bytes, reader->bytes + reader->begin, reader->end - reader->begin);
		reader->end -= reader->begin;
		reader->begin = 0;
	}
	if (reader->capacity - reader->end >= size)
		return;
	reader->capacity = reader->capacity * 2 > reader->end + size ? reader->capacity * 2 : reader->end + size;
	reader->bytes = xrealloc(reader->bytes, reader->capacity);
}

struct trace_reader *trace_reader_new(int fd, const char *name, const uint8_t *begun, size_t size_bytes)
{
	struct trace_reader *reader = xmalloc(sizeof(*reader));

	*reader = (struct trace_reader){ .input = trace_input_new(fd, begun, size_bytes), .unpacker = trace_unpacker_new(), .cut_bytes = UINT64_MAX };
	reader->name = xmalloc(strlen(name) + 1);
	memcpy(reader->name, name, strlen(name) + 1);
	make_room(reader, READ_BYTES);
	return reader;
}

void trace_reader_free(struct trace_reader *reader)
{
	if (!reader)
		return;
	trace_unpacker_free(reader->unpacker);
	trace_input_free(reader->input);
	free(reader->name);
	free(reader->bytes);
	free(reader);
}

uint64_t trace_reader_cut(const struct trace_reader *reader)
{
	return reader->cut_bytes;
}

/* Of what the offsets are: of the file as it is, or as it was before it was packed. */
static const char *unpacked(const struct trace_reader *reader)
{
	return trace_input_is_packed(reader->input) ? " (unpacked)" : "";
}

/* Return: 1 if more has arrived; 0 at the end; ERR_IO, ERR_FORMAT. */
static int read_more(struct trace_reader *reader, struct err *err)
{
	size_t got = 0;
	int rc;

	make_room(reader, READ_BYTES);
	rc = trace_input_read(&got, reader->input, reader->bytes + reader->end, reader->capacity - reader->end, err);
	if (rc == ERR_FORMAT)
		err_prefix(err, "%s: zstd cannot unpack what follows byte %" PRIu64 "%s", reader->name,
			   reader->offset_bytes + (reader->end - reader->begin), unpacked(reader));
	else if (rc)
		err_prefix(err, "cannot read %s", reader->name);
	if (rc)
		return rc;
	reader->end += got;
	return got > 0;
}

/* What is whole in the buffer. */
static int take(struct trace_message *out, struct trace_reader *reader, struct err *err)
{
	const uint8_t *const begin = reader->bytes + reader->begin, *at = begin;
	const int rc = trace_take(out, reader->unpacker, &at, reader->bytes + reader->end, TRACE_MESSAGE_MAX, err);

	if (rc < 0)
		err_prefix(err, "%s: the message at byte %" PRIu64 "%s", reader->name, reader->offset_bytes, unpacked(reader));
	reader->begin += (size_t)(at - begin);
	reader->offset_bytes += (uint64_t)(at - begin);
	return rc;
}

int trace_next(struct trace_message *out, struct trace_reader *reader, struct err *err)
{
	int rc;

	while (!(rc = take(out, reader, err)))
		if ((rc = read_more(reader, err)) <= 0)
			break;
	if (!rc && (reader->begin < reader->end || !trace_input_is_whole(reader->input)))
		reader->cut_bytes = reader->offset_bytes;
	return rc;
}
