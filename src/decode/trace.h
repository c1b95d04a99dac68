/*
 * decode/trace.h - ioctls that a workload made, with their bytes
 *
 * Layer L2. The only room that sees protobuf-c. A trace ("drvabi-trace/1") is
 * a stream of messages, each behind its length (u64, little-endian); trace.proto
 * is the message. The first four fields are those of gVisor's ioctl_sniffer: its
 * streams are read, too, and can be written (TRACE_WIRE_GVISOR).
 *
 * A message is written with one call of write(2), so that a trace whose writer
 * was killed is whole up to its last message. A reader takes what is whole.
 * A file that is closed may be compressed (compress_file()); the reader unpacks.
 */
#ifndef DECODE_TRACE_H
#define DECODE_TRACE_H

#include "base/base.h"

/* Bytes that were recorded; NULL: they were not. */
struct trace_bytes {
	const uint8_t *bytes;
	uint64_t size_bytes;
};

/* Memory that a pointer in the parameters leads to. */
struct trace_memory {
	uint64_t address;
	uint64_t size_bytes; /* that belong to the call; more than what was recorded if that was cut, or not readable */
	struct trace_bytes before, after;
};

/* A file descriptor in the parameters. */
struct trace_fd {
	int64_t number;
	const char *path; /* as /proc/PID/fd says */
};

enum trace_kind {
	TRACE_HEADER, /* version, target, command */
	TRACE_IOCTL,
	TRACE_OPEN,   /* of a device: fd_path, ret (the descriptor), open_flags */
	TRACE_MMAP,   /* shared, of a device: fd_path, argument (the address it got), and map_* */
};

/*
 * One message. What a writer did not know is 0, NULL or "": gVisor's streams
 * have fd_path, request, ret and after.
 */
struct trace_message {
	enum trace_kind kind;

	const char *fd_path; /* of the device that the descriptor is; "" in a header */
	int32_t fd;          /* the descriptor's number; -1 unknown */
	int32_t ret;         /* -1 with error */
	int32_t error;       /* errno */
	uint32_t pid, tid;
	uint64_t start_ns, end_ns; /* since the trace began */

	uint64_t request;
	uint64_t argument;         /* the ioctl's third argument, an address */
	struct trace_bytes before, after; /* what it points to */
	const struct trace_memory *memory; /* what that leads to, in the order in which it was read */
	size_t memory_count;
	const struct trace_fd *fds;
	size_t fd_count;

	uint64_t open_flags;
	uint64_t map_size_bytes, map_protection, map_flags, map_offset;

	const char *version; /* of the driver, "590.48.01"; "" unknown */
	const char *target;  /* "x86_64-linux-gnu"; "" unknown */
	const char *command; /* as a shell would take it; "" unknown */
};

/* --- writing ------------------------------------------------------------------------- */

enum trace_wire {
	TRACE_WIRE_DRVABI,
	TRACE_WIRE_GVISOR, /* ioctls alone, with fd_path, request, ret and the bytes after the call */
};

/**
 * trace_pack - append a message, with its length before it
 *
 * Nothing is appended for a message that @wire has no form for.
 */
void trace_pack(struct strbuf *out, const struct trace_message *message, enum trace_wire wire);

/**
 * trace_pack_in - trace_pack() that allocates nothing
 * @out:    the bytes, in @memory; none if @wire has no form for the message
 * @memory: of any contents, aligned for any type
 *
 * Return: false if @size_bytes are too few.
 */
bool trace_pack_in(struct trace_bytes *out, void *memory, size_t size_bytes, const struct trace_message *message, enum trace_wire wire);

/**
 * trace_write - append a message to a file, in one write
 * @scratch: overwritten; the caller's, so that its memory is used again
 *
 * Return: 0; ERR_LIMIT if the message is larger than TRACE_MESSAGE_MAX, and nothing is written; ERR_IO, also when only a
 * part of it could be written: then the file is cut back to what it was, if it is one and nobody else has written to it.
 */
int trace_write(int fd, const struct trace_message *message, enum trace_wire wire, struct strbuf *scratch, struct err *err);

/* --- reading ------------------------------------------------------------------------- */

enum { TRACE_MESSAGE_MAX = 64 * 1024 * 1024, TRACE_LENGTH_BYTES = 8 };

/* The memory of one message, which the next one gets again. */
struct trace_unpacker;
struct trace_unpacker *trace_unpacker_new(void);
void trace_unpacker_free(struct trace_unpacker *unpacker); /* NULL is fine */

/**
 * trace_take - the message at the beginning of some bytes
 * @out: points into @unpacker, until the next call
 * @at:  moves past it, if it is there
 * @max_bytes: of a message, without its length; at most TRACE_MESSAGE_MAX
 *
 * Return: 1; 0 if it is not whole, @out untouched; ERR_FORMAT; ERR_LIMIT if it is longer than @max_bytes, or has too many parts.
 */
int trace_take(struct trace_message *out, struct trace_unpacker *unpacker, const uint8_t **at, const uint8_t *end, size_t max_bytes,
	       struct err *err);

/* trace_length - of the message whose first TRACE_LENGTH_BYTES these are, without them. */
uint64_t trace_length(const uint8_t *bytes);

struct trace_reader;

/**
 * trace_recognise - is this the beginning of a trace?
 * @bytes: the first @size_bytes of a file; 64 are enough
 *
 * Knows drvabi-trace/1 and gVisor's streams. Whatever is zstd's is taken for one of them.
 */
bool trace_recognise(const uint8_t *bytes, size_t size_bytes);

/**
 * trace_reader_new - read a trace from a file or a pipe
 * @fd:    borrowed; read from where it stands
 * @begun: bytes that were read from it already; copied
 */
struct trace_reader *trace_reader_new(int fd, const char *name, const uint8_t *begun, size_t size_bytes);
void trace_reader_free(struct trace_reader *reader); /* NULL is fine */

/**
 * trace_next - the next message
 * @out: points into the reader, until the next call
 *
 * Blocks only while no whole message is there. A stream that ends within a message ends before it; trace_reader_cut() tells.
 * Memory grows with the bytes that have arrived, not with what a length claims.
 * Return: 1; 0 at the end, @out untouched; ERR_FORMAT or ERR_LIMIT with the offset in bytes, ERR_IO: then each further call says the same.
 */
int trace_next(struct trace_message *out, struct trace_reader *reader, struct err *err);

/* trace_reader_cut - the offset of the message that the stream broke off in, or of its end if zstd's frame broke off there;
 * UINT64_MAX if it ended with a whole one. In a compressed trace, offsets are of the unpacked bytes. */
uint64_t trace_reader_cut(const struct trace_reader *reader);

#endif
