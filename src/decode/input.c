#include "decode/input.h"

#include "base/compress.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { INPUT_BYTES = 128 * 1024, MAGIC_BYTES = 4 };

struct trace_input {
	int fd;
	bool begun; /* enough was read to know whether it is packed */
	struct compress_stream *packed; /* NULL: it is not */
	uint8_t *bytes; /* read and not yet returned or unpacked: from begin to end */
	size_t begin, end, capacity;
};

struct trace_input *trace_input_new(int fd, const uint8_t *begun, size_t size_bytes)
{
	struct trace_input *input = xmalloc(sizeof(*input));

	*input = (struct trace_input){ .fd = fd, .capacity = size_bytes > INPUT_BYTES ? size_bytes : INPUT_BYTES, .end = size_bytes };
	input->bytes = xmalloc(input->capacity);
	if (size_bytes)
		memcpy(input->bytes, begun, size_bytes);
	return input;
}

void trace_input_free(struct trace_input *input)
{
	if (!input)
		return;
	compress_stream_free(input->packed);
	free(input->bytes);
	free(input);
}

bool trace_input_is_packed(const struct trace_input *input)
{
	return input->packed;
}

bool trace_input_is_whole(const struct trace_input *input)
{
	return !input->packed || compress_stream_is_whole(input->packed);
}

static int read_some(size_t *got, int fd, uint8_t *out, size_t room, struct err *err)
{
	ssize_t count;

	do
		count = read(fd, out, room);
	while (count < 0 && errno == EINTR);
	if (count < 0)
		return err_set(err, ERR_IO, "%s", strerror(errno));
	*got = (size_t)count;
	return 0;
}

/* Reads behind what is there. */
static int fill(size_t *got, struct trace_input *input, struct err *err)
{
	const int rc = read_some(got, input->fd, input->bytes + input->end, input->capacity - input->end, err);

	if (!rc)
		input->end += *got;
	return rc;
}

/* Reads what tells zstd from a trace. */
static int begin(struct trace_input *input, struct err *err)
{
	size_t got = 1;
	int rc = 0;

	while (!rc && got && input->end < MAGIC_BYTES)
		rc = fill(&got, input, err);
	if (rc)
		return rc;
	input->begun = true;
	if (compress_recognise(input->bytes, input->end))
		input->packed = compress_stream_new();
	return 0;
}

/* What is in the buffer, and then what comes, without a copy. */
static int read_plain(size_t *got, struct trace_input *input, uint8_t *out, size_t room, struct err *err)
{
	const size_t there = input->end - input->begin;

	if (!there)
		return read_some(got, input->fd, out, room, err);
	*got = there < room ? there : room;
	memcpy(out, input->bytes + input->begin, *got);
	input->begin += *got;
	return 0;
}

static int unpack(size_t *got, struct trace_input *input, uint8_t *out, size_t room, struct err *err)
{
	const uint8_t *at = input->bytes + input->begin;
	const int rc = compress_stream_next(got, input->packed, out, room, &at, input->bytes + input->end, err);

	input->begin = (size_t)(at - input->bytes);
	return rc;
}

static int read_packed(size_t *got, struct trace_input *input, uint8_t *out, size_t room, struct err *err)
{
	size_t arrived = 1;
	int rc;

	while (!(rc = unpack(got, input, out, room, err)) && !*got && arrived) {
		input->begin = input->end = 0; /* all was used */
		if ((rc = fill(&arrived, input, err)))
			break;
	}
	return rc;
}

int trace_input_read(size_t *got, struct trace_input *input, uint8_t *out, size_t room, struct err *err)
{
	int rc;

	if (!input->begun && (rc = begin(input, err)))
		return rc;
	return input->packed ? read_packed(got, input, out, room, err) : read_plain(got, input, out, room, err);
}
