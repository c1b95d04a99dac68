/* decode/trace.c - reads and writes a trace: a stream of messages, each preceded by its length */
#include "decode/internal.h"
#include "decode/trace.pb-c.h"

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

uint64_t trace_length(const uint8_t *bytes)
{
	uint64_t length = 0;

	for (int i = 0; i < TRACE_LENGTH_BYTES; i++)
		length |= (uint64_t)bytes[i] << (8 * i);
	return length;
}

/* Constants of protobuf's encoding. */
enum { WIRE_BITS = 3, WIRE_VARINT = 0, WIRE_BYTES = 2 };

/* Returns the wire type of a message's field; -1 if the message has no field with this number. */
static int wire_of(unsigned field)
{
	const ProtobufCFieldDescriptor *found =
		protobuf_c_message_descriptor_get_field(&trace_pb__message__descriptor, field);
	const bool has_length = found && (found->type == PROTOBUF_C_TYPE_STRING ||
					  found->type == PROTOBUF_C_TYPE_BYTES ||
					  found->type == PROTOBUF_C_TYPE_MESSAGE);

	return !found ? -1 : has_length ? WIRE_BYTES : WIRE_VARINT;
}

bool trace_recognise(const uint8_t *bytes, size_t size_bytes)
{
	uint64_t length, field_length;
	const uint8_t *at;
	int wire;

	/* The contents of a zstd file are not checked, because no other input is compressed by zstd. */
	if (compress_recognise(bytes, size_bytes))
		return true;
	/*
	 * A trace begins with a length, whose upper bytes are 0. In a text, these bytes are letters. The next
	 * byte has the number, below 16, and the type of the first field of a message.
	 */
	if (size_bytes <= TRACE_LENGTH_BYTES)
		return false;
	length = trace_length(bytes);
	at = bytes + TRACE_LENGTH_BYTES;
	wire = wire_of(*at >> WIRE_BITS);
	if (!length || length > TRACE_MESSAGE_MAX || wire != (*at++ & ((1 << WIRE_BITS) - 1)))
		return false;
	return wire != WIRE_BYTES || !varint_get(&field_length, &at, bytes + size_bytes) ||
	       field_length <= length;
}

enum { TRACE_PARTS_MAX_BYTES = 16 * 1024 * 1024 };

struct trace_unpacker {
	size_t left_bytes;  /* the number of bytes that can still be allocated */
	bool spent;         /* true if an allocation exceeded left_bytes */
	struct arena arena;
};

struct trace_unpacker *trace_unpacker_new(void)
{
	struct trace_unpacker *unpacker = xmalloc(sizeof(*unpacker));

	unpacker->arena = (struct arena){ NULL };
	return unpacker;
}

void trace_unpacker_free(struct trace_unpacker *unpacker)
{
	if (unpacker)
		arena_release(&unpacker->arena);
	free(unpacker);
}

/* Frees the previous message, and prepares for one of @size_bytes. */
static void reset_unpacker(struct trace_unpacker *unpacker, size_t size_bytes)
{
	arena_release(&unpacker->arena);
	unpacker->left_bytes = 2 * size_bytes + TRACE_PARTS_MAX_BYTES;
	unpacker->spent = false;
}

/* Allocates memory of a message, also for protobuf-c. Return: NULL, with spent set, if it is too much. */
static void *allocate_unpacked(void *data, size_t size)
{
	struct trace_unpacker *unpacker = data;

	if (size > unpacker->left_bytes) {
		unpacker->spent = true;
		return NULL;
	}
	unpacker->left_bytes -= size;
	return arena_alloc(&unpacker->arena, size);
}

/* For protobuf-c. Does nothing, because reset_unpacker() frees all memory of a message. */
static void no_free(void *data, void *memory)
{
	(void)data;
	(void)memory;
}

static struct trace_bytes unpacked_bytes(bool has, const ProtobufCBinaryData *binary)
{
	static const uint8_t none[1]; /* so that recorded bytes are not NULL, even if they are 0 bytes */

	if (!has)
		return (struct trace_bytes){ 0 };
	return (struct trace_bytes){ binary->data ? binary->data : none, binary->len };
}

static const char *text_or_empty(const char *given)
{
	return given ? given : "";
}

static int too_many(struct err *err)
{
	return err_set(err, ERR_LIMIT, "its parts do not fit in %d MB of memory",
		       TRACE_PARTS_MAX_BYTES >> 20);
}

/*
 * Sets @after, which has only the bytes that a call changed, to all bytes after the call. @changed_at: the
 * offset of the changed bytes in @before. Return: 0; ERR_FORMAT; ERR_LIMIT.
 */
static int restore_after(struct trace_bytes *after, const struct trace_bytes *before, uint64_t changed_at,
			 struct trace_unpacker *unpacker, struct err *err)
{
	uint8_t *all;

	if (!before->bytes || changed_at > before->size_bytes ||
	    after->size_bytes > before->size_bytes - changed_at)
		return err_set(err, ERR_FORMAT, "its changed bytes are not inside the recorded memory");
	if (!after->size_bytes) {
		*after = *before;
		return 0;
	}
	if (!(all = allocate_unpacked(unpacker, before->size_bytes)))
		return too_many(err);
	memcpy(all, before->bytes, before->size_bytes);
	memcpy(all + changed_at, after->bytes, after->size_bytes);
	*after = (struct trace_bytes){ all, before->size_bytes };
	return 0;
}

/* Unpacks the message's recorded memory and descriptors into @unpacker. Return: 0; ERR_FORMAT; ERR_LIMIT. */
static int unpack_lists(struct trace_message *out, const TracePb__Message *message,
			struct trace_unpacker *unpacker, struct err *err)
{
	struct trace_memory *memories = allocate_unpacked(unpacker, message->n_memory * sizeof(*memories));
	struct decode_fd *fds = allocate_unpacked(unpacker, message->n_descriptors * sizeof(*fds));
	int rc;

	if (!memories || !fds)
		return too_many(err);
	for (size_t i = 0; i < message->n_memory; i++) {
		const TracePb__Memory *from = message->memory[i];
		struct trace_memory to = {
			.address = from->address,
			.before = unpacked_bytes(from->has_before, &from->before),
			.after = unpacked_bytes(from->has_after, &from->after),
		};

		if (from->has_changed_at &&
		    (rc = restore_after(&to.after, &to.before, from->changed_at, unpacker, err)))
			return rc;
		to.size_bytes = from->has_size ? from->size : trace_memory_recorded(&to);
		memories[i] = to;
	}
	for (size_t i = 0; i < message->n_descriptors; i++)
		fds[i] = (struct decode_fd){ message->descriptors[i]->number,
					    text_or_empty(message->descriptors[i]->path) };
	out->memory = memories;
	out->memory_count = message->n_memory;
	out->fds = fds;
	out->fd_count = message->n_descriptors;
	return 0;
}

/* Converts a message without its memory and descriptors. Only a header has no path; other paths can be "". */
static struct trace_message unpacked_message(const TracePb__Message *message)
{
	const bool is_header = !message->fd_path && !message->has_kind;
	struct trace_message out = {
		.kind = is_header ? TRACE_HEADER : TRACE_IOCTL + (int)message->kind,
		.fd_path = text_or_empty(message->fd_path),
		.fd = message->has_fd ? message->fd : -1,
		.ret = message->ret,
		.error = message->error,
		.pid = message->pid,
		.tid = message->tid,
		.start_ns = message->start_ns,
		.end_ns = message->end_ns,
		.request = message->request,
		.argument = message->argument,
		.before = unpacked_bytes(message->has_arg_before, &message->arg_before),
		.after = unpacked_bytes(message->has_arg_data, &message->arg_data),
		.version = text_or_empty(message->version),
		.target = text_or_empty(message->target),
		.command = text_or_empty(message->command),
		.lacks = text_or_empty(message->lacks),
		.caller = text_or_empty(message->caller),
	};

	switch (out.kind) {
	case TRACE_HEADER:
	case TRACE_IOCTL: break;
	case TRACE_OPEN: out.open_flags = message->first; break;
	case TRACE_MMAP:
		out.map_size_bytes = message->first;
		out.map_protection = message->second & UINT32_MAX;
		out.map_flags = message->second >> 32;
		out.map_offset = message->third;
		break;
	case TRACE_FILE:
		out.file_mode = (uint32_t)message->first;
		out.file_device = message->second;
		out.file_size_bytes = message->third;
		break;
	}
	return out;
}

/**
 * trace_unpack - unpack one message
 * @out:   points into @unpacker; the previous message is freed
 * @bytes: the message without its length, at most TRACE_MESSAGE_MAX bytes; not needed afterwards
 *
 * Allocates at most twice the size of the message (a message has only those bytes of memory that a call
 * changed), and TRACE_PARTS_MAX_BYTES, because two bytes of a message can become a struct of 100 bytes.
 * Return: 0; ERR_FORMAT; ERR_LIMIT if it has too many parts. @err does not have the message's offset.
 */
static int trace_unpack(struct trace_message *out, const uint8_t *bytes, size_t size_bytes,
			struct trace_unpacker *unpacker, struct err *err)
{
	ProtobufCAllocator allocator = { allocate_unpacked, no_free, unpacker };
	const TracePb__Message *message;
	struct trace_message got;
	int rc;

	reset_unpacker(unpacker, size_bytes);
	if (!(message = trace_pb__message__unpack(&allocator, size_bytes, bytes)))
		return unpacker->spent ? too_many(err)
				       : err_set(err, ERR_FORMAT, "it is damaged, or this is not a trace");
	if ((unsigned)message->kind > TRACE_PB__KIND__FILE)
		return err_set(err, ERR_FORMAT, "its kind is %d, which this version of drvabi does not know",
			       (int)message->kind);
	got = unpacked_message(message);
	if ((rc = unpack_lists(&got, message, unpacker, err)))
		return rc;
	*out = got;
	return 0;
}

int trace_take(struct trace_message *out, struct trace_unpacker *unpacker, const uint8_t **at,
	       const uint8_t *end, size_t max_bytes, struct err *err)
{
	const size_t there = (size_t)(end - *at);
	uint64_t length;
	int rc;

	if (there < TRACE_LENGTH_BYTES)
		return 0;
	length = trace_length(*at);
	if (length > max_bytes)
		return err_set(
			err, ERR_LIMIT,
			"its length is %" PRIu64
			" bytes, but at most %zu are allowed; the trace is damaged there, or this is not a trace",
			length, max_bytes);
	if (!length)
		return err_set(err, ERR_FORMAT,
			       "it is empty; the trace is damaged there, or this is not a trace");
	if (there - TRACE_LENGTH_BYTES < length)
		return 0;
	if ((rc = trace_unpack(out, *at + TRACE_LENGTH_BYTES, (size_t)length, unpacker, err)))
		return rc;
	*at += TRACE_LENGTH_BYTES + length;
	return 1;
}

/*
 * How a stream is read:
 *
 * 1. Its first bytes show whether it is compressed by zstd.
 * 2. Received bytes are decompressed and appended to a queue. If the queue is full, its size is doubled. It
 *    grows with the received bytes, not with the length that a message claims.
 * 3. A message that is complete in the queue is unpacked. The next message reuses the memory.
 * 4. If no message is complete, the remaining bytes move to the front and more are read.
 */

enum { READ_BYTES = 64 * 1024, MAGIC_BYTES = 4 };

/* The bytes from begin to end were received, but not used yet. */
struct byte_queue {
	uint8_t *bytes;
	size_t begin, end, capacity;
};

struct trace_reader {
	int fd;
	const char *name;
	bool has_begun;                 /* true once it is known whether the stream is compressed */
	struct compress_stream *packed; /* NULL if the stream is not compressed */
	struct byte_queue raw;          /* the bytes to decompress; empty if packed is NULL */
	struct byte_queue plain;
	uint64_t offset_bytes;          /* the offset in the decompressed stream of the first byte in plain */
	uint64_t cut_bytes;             /* as in trace_reader_cut(); UINT64_MAX if nothing was cut off */
	struct trace_unpacker *unpacker;
};

/* Makes room for at least @size bytes after the end. The bytes move to the front, and can be reallocated. */
static void queue_make_room(struct byte_queue *queue, size_t size)
{
	if (queue->begin) {
		memmove(queue->bytes, queue->bytes + queue->begin, queue->end - queue->begin);
		queue->end -= queue->begin;
		queue->begin = 0;
	}
	if (queue->capacity - queue->end >= size)
		return;
	queue->capacity = queue->capacity * 2 > queue->end + size ? queue->capacity * 2 : queue->end + size;
	queue->bytes = xrealloc(queue->bytes, queue->capacity);
}

/* Reads bytes from @fd to the end of the queue. Sets @got to their number; 0 only at the end of the file. */
static int queue_read(size_t *got, struct byte_queue *queue, int fd, struct err *err)
{
	ssize_t count;

	queue_make_room(queue, READ_BYTES);
	do
		count = read(fd, queue->bytes + queue->end, queue->capacity - queue->end);
	while (count < 0 && errno == EINTR);
	if (count < 0)
		return err_set(err, ERR_IO, "%s", strerror(errno));
	queue->end += (size_t)count;
	*got = (size_t)count;
	return 0;
}

struct trace_reader *trace_reader_new(int fd, const char *name, const uint8_t *begun, size_t size_bytes)
{
	struct trace_reader *reader = xmalloc(sizeof(*reader));

	*reader = (struct trace_reader){ .fd = fd,
					 .name = name,
					 .unpacker = trace_unpacker_new(),
					 .cut_bytes = UINT64_MAX };
	queue_make_room(&reader->plain, size_bytes + READ_BYTES);
	if (size_bytes)
		memcpy(reader->plain.bytes, begun, size_bytes);
	reader->plain.end = size_bytes;
	return reader;
}

void trace_reader_free(struct trace_reader *reader)
{
	if (!reader)
		return;
	trace_unpacker_free(reader->unpacker);
	compress_stream_free(reader->packed);
	free(reader->raw.bytes);
	free(reader->plain.bytes);
	free(reader);
}

uint64_t trace_reader_cut(const struct trace_reader *reader)
{
	return reader->cut_bytes;
}

/* Returns the text to write after an offset, which counts decompressed bytes if the stream is compressed. */
static const char *unpacked_words(const struct trace_reader *reader)
{
	return reader->packed ? " (decompressed)" : "";
}

/*
 * Adds bytes to plain. If the stream is compressed, decompresses the available bytes, and reads more until at
 * least one byte was decompressed. Return: 1 if bytes were added; 0 at the end; ERR_IO, ERR_FORMAT.
 */
static int read_more(struct trace_reader *reader, struct err *err)
{
	struct byte_queue *raw = &reader->raw, *plain = &reader->plain;
	size_t got = 0, arrived = 1;
	int rc;

	if (!reader->packed) {
		rc = queue_read(&got, plain, reader->fd, err);
	} else {
		queue_make_room(plain, READ_BYTES);
		do {
			const uint8_t *at = raw->bytes + raw->begin;

			rc = compress_stream_next(&got, reader->packed, plain->bytes + plain->end,
						  plain->capacity - plain->end, &at, raw->bytes + raw->end,
						  err);
			raw->begin = (size_t)(at - raw->bytes);
		} while (!rc && !got && arrived && !(rc = queue_read(&arrived, raw, reader->fd, err)));
		plain->end += got;
	}
	if (rc == ERR_FORMAT)
		err_prefix(err, "%s: zstd cannot decompress the data after byte %" PRIu64 "%s", reader->name,
			   reader->offset_bytes + (plain->end - plain->begin), unpacked_words(reader));
	else if (rc)
		err_prefix(err, "cannot read %s", reader->name);
	return rc ? rc : got > 0;
}

/* Reads the first bytes, and prepares to decompress the stream if they show that it is compressed. */
static int begin_stream(struct trace_reader *reader, struct err *err)
{
	int rc = 1;

	while (rc > 0 && reader->plain.end < MAGIC_BYTES)
		rc = read_more(reader, err);
	if (rc < 0)
		return rc;
	reader->has_begun = true;
	if (compress_recognise(reader->plain.bytes, reader->plain.end)) {
		reader->packed = compress_stream_new();
		reader->raw = reader->plain;
		reader->plain = (struct byte_queue){ .end = 0 };
		queue_make_room(&reader->plain, READ_BYTES);
	}
	return 0;
}

/* Takes the next message from the queue. Return: 1; 0 if it is not complete; an error of trace_take(). */
static int take_queued(struct trace_message *out, struct trace_reader *reader, struct err *err)
{
	struct byte_queue *plain = &reader->plain;
	const uint8_t *const begin = plain->bytes + plain->begin, *at = begin;
	const int rc =
		trace_take(out, reader->unpacker, &at, plain->bytes + plain->end, TRACE_MESSAGE_MAX, err);

	if (rc < 0 && reader->packed && !reader->offset_bytes &&
	    !trace_recognise(begin, plain->end - plain->begin))
		return err_set(err, ERR_FORMAT,
			       "%s is compressed by zstd, and contains no trace; for a log, use zstdcat FILE | drvabi decode -",
			       reader->name);
	if (rc < 0)
		err_prefix(err, "%s: the message at byte %" PRIu64 "%s", reader->name, reader->offset_bytes,
			   unpacked_words(reader));
	plain->begin += (size_t)(at - begin);
	reader->offset_bytes += (uint64_t)(at - begin);
	return rc;
}

int trace_next(struct trace_message *out, struct trace_reader *reader, struct err *err)
{
	int rc;

	if (!reader->has_begun && (rc = begin_stream(reader, err)))
		return rc;
	while (!(rc = take_queued(out, reader, err)))
		if ((rc = read_more(reader, err)) <= 0)
			break;
	if (!rc && (reader->plain.begin < reader->plain.end ||
		    (reader->packed && !compress_stream_is_whole(reader->packed))))
		reader->cut_bytes = reader->offset_bytes;
	return rc;
}

/* Writes bytes. Return: the number of bytes that were written. If it is less than @size, errno is set. */
static size_t write_all_bytes(int fd, const char *bytes, size_t size)
{
	struct pollfd writable = { .fd = fd, .events = POLLOUT };
	size_t done = 0;

	while (done < size) {
		const ssize_t wrote = write(fd, bytes + done, size - done);

		if (wrote >= 0)
			done += (size_t)wrote;
		else if (errno == EAGAIN)
			poll(&writable, 1, -1);
		else if (errno != EINTR)
			break;
	}
	return done;
}

int trace_write(int fd, const struct trace_message *message, enum trace_wire wire, struct strbuf *scratch,
		struct err *err)
{
	struct stat st;
	size_t done;
	off_t end;
	int error;

	strbuf_reset(scratch);
	trace_pack(scratch, message, wire);
	if (scratch->length > TRACE_LENGTH_BYTES + (size_t)TRACE_MESSAGE_MAX)
		return err_set(
			err, ERR_LIMIT,
			"a message has %zu bytes, but at most %d are allowed; record fewer bytes",
			scratch->length - TRACE_LENGTH_BYTES, TRACE_MESSAGE_MAX);
	done = write_all_bytes(fd, scratch->text, scratch->length);
	if (done == scratch->length)
		return 0;
	error = errno;
	/* Remove the written part if @fd is a regular file, and no other process has written after it. */
	end = lseek(fd, 0, SEEK_CUR);
	if (done && end >= (off_t)done && !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size == end &&
	    !ftruncate(fd, end - (off_t)done))
		lseek(fd, end - (off_t)done, SEEK_SET);
	return err_set(err, ERR_IO, "cannot write the trace: %s", strerror(error));
}

/* --- a message as input of decode_call() --------------------------------------------------- */

bool trace_call_input(struct decode_input *out, struct decode_origin *origin,
		      const struct trace_message *message, const struct device_rules *devices,
		      struct arena *arena)
{
	const struct trace_memory argument = { .address = message->argument,
					       .before = message->before,
					       .after = message->after };
	struct decode_input input = { .memory_count = message->memory_count + 1,
				      .address = message->argument,
				      .origin = origin,
				      .has_ret = true,
				      .ret = message->ret,
				      .error = message->error > 0 ? message->error : 0,
				      .fds = message->fds,
				      .fd_count = message->fd_count };
	struct trace_memory *memory;

	input.family = call_identify_on(&input.number, devices, message->fd_path, message->request);
	if (!input.family)
		return false;
	*origin = (struct decode_origin){ .pid = message->pid,
					  .tid = message->tid,
					  .start_ns = message->start_ns,
					  .end_ns = message->end_ns,
					  .fd = { message->fd, message->fd_path },
					  .caller = message->caller ? message->caller : "" };
	input.callers = origin->caller;
	/* The memory at the argument, then the memory at pointers. */
	input.memory = memory = arena_array(arena, input.memory_count, sizeof(*memory));
	if (message->argument)
		memory[0] = argument;
	if (message->memory_count)
		memcpy(memory + 1, message->memory, message->memory_count * sizeof(*memory));
	/* UVM's requests have no size, so the recorded size is used. */
	input.size_bytes = strcmp(input.family, "uvm") ? abi_ioc_get(message->request, ABI_IOC_SIZE)
						       : trace_memory_recorded(&argument);
	input.has_size = input.size_bytes > 0;
	if (input.has_size && argument.after.size_bytes >= input.size_bytes)
		input.bytes = argument.after.bytes;
	if (input.has_size && argument.before.size_bytes >= input.size_bytes)
		input.before = argument.before.bytes;
	*out = input;
	return true;
}
