/* trace - read traces in drvabi's and gVisor's format, and compressed traces */
#include "lib/fuzz.h"

#include "decode/decode.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int file_of(const uint8_t *data, size_t size)
{
	const int fd = memfd_create("trace", MFD_CLOEXEC);

	MUST(fd >= 0 && (!size || write(fd, data, size) == (ssize_t)size) && !lseek(fd, 0, SEEK_SET));
	return fd;
}

static void touch(const struct trace_bytes *bytes)
{
	volatile uint8_t sum = 0;

	MUST(bytes->bytes || !bytes->size_bytes);
	for (uint64_t i = 0; i < bytes->size_bytes; i++)
		sum = (uint8_t)(sum + bytes->bytes[i]);
}

static void touch_all(const struct trace_message *message)
{
	MUST(message->fd_path && message->version && message->target && message->command);
	MUST(message->lacks && message->caller);
	touch(&message->before);
	touch(&message->after);
	for (size_t i = 0; i < message->memory_count; i++) {
		touch(&message->memory[i].before);
		touch(&message->memory[i].after);
	}
	for (size_t i = 0; i < message->fd_count; i++)
		MUST(message->fds[i].path);
}

/* round_trip - write a message, and check that it is recognized as a trace and read as the same message */
static void round_trip(const struct trace_message *message)
{
	struct strbuf once = { 0 }, twice = { 0 };
	struct trace_reader *reader;
	struct trace_message again;

	trace_pack(&once, message, TRACE_WIRE_GVISOR);
	strbuf_reset(&once);
	trace_pack(&once, message, TRACE_WIRE_DRVABI);
	if (once.length <= 8 + (size_t)TRACE_MESSAGE_MAX) {
		MUST(trace_recognise((const uint8_t *)once.text, once.length));
		reader = trace_reader_new(-1, "again", (const uint8_t *)once.text, once.length);
		MUST(trace_next(&again, reader, NULL) == 1);
		trace_pack(&twice, &again, TRACE_WIRE_DRVABI);
		MUST(once.length == twice.length && !memcmp(once.text, twice.text, once.length));
		trace_reader_free(reader);
	}
	strbuf_release(&once);
	strbuf_release(&twice);
}

static void read_all(const uint8_t *data, size_t size, size_t begun)
{
	const int fd = file_of(data + begun, size - begun);
	struct trace_reader *reader = trace_reader_new(fd, "fuzz", data, begun);
	struct trace_message message;
	struct err err = { "" };
	int rc;

	while ((rc = trace_next(&message, reader, &err)) == 1) {
		touch_all(&message);
		round_trip(&message);
	}
	if (rc < 0)
		fuzz_sentence(&err);
	MUST(trace_next(&message, reader, &err) == rc);
	trace_reader_free(reader);
	close(fd);
}

/* read_framed - read the input as one message, with the right length before it */
static void read_framed(const uint8_t *data, size_t size)
{
	uint8_t *framed = xmalloc(8 + size);

	for (int i = 0; i < 8; i++)
		framed[i] = (uint8_t)((uint64_t)size >> (8 * i));
	if (size)
		memcpy(framed + 8, data, size);
	trace_recognise(framed, 8 + size);
	read_all(framed, 8 + size, 8 + size);
	free(framed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *bytes = xmalloc(size);

	if (size)
		memcpy(bytes, data, size);
	trace_recognise(bytes, size);
	read_all(bytes, size, size / 3);
	read_framed(bytes, size);
	free(bytes);
	return 0;
}
