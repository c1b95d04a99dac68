#include "decode/unpack.h"

#include "decode/length.h"
#include "decode/trace.pb-c.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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

/* Forgets the message before, and gets ready for one of @size_bytes. */
static void reset(struct trace_unpacker *unpacker, size_t size_bytes)
{
	arena_release(&unpacker->arena);
	unpacker->used_bytes = 0;
	unpacker->left_bytes = 2 * size_bytes + TRACE_PARTS_MAX_BYTES;
	unpacker->spent = false;
}

/* What protobuf-c allocates with. The memory is not cleared. */
static void *allocate(void *data, size_t size)
{
	struct trace_unpacker *unpacker = data;
	const size_t aligned = (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);

	if (size > unpacker->left_bytes) {
		unpacker->spent = true;
		return NULL;
	}
	unpacker->left_bytes -= size;
	if (aligned > sizeof(unpacker->first) - unpacker->used_bytes)
		return arena_alloc(&unpacker->arena, size);
	unpacker->used_bytes += aligned;
	return (char *)unpacker->first + unpacker->used_bytes - aligned;
}

/* Nothing is freed one by one. */
static void no_free(void *data, void *memory)
{
	(void)data;
	(void)memory;
}

static struct trace_bytes recorded(bool has, const ProtobufCBinaryData *binary)
{
	static const uint8_t none[1];

	if (!has)
		return (struct trace_bytes){ 0 };
	return (struct trace_bytes){ binary->data ? binary->data : none, binary->len };
}

static const char *text(const char *given)
{
	return given ? given : "";
}

static int too_many(struct err *err)
{
	return err_set(err, ERR_LIMIT, "it has more parts than %d MB of memory hold", TRACE_PARTS_MAX_BYTES >> 20);
}

/* The bytes after a call, of which only those that it changed were written. */
static int restore_after(struct trace_bytes *after, const struct trace_bytes *before, uint64_t changed_at, struct trace_unpacker *unpacker,
			 struct err *err)
{
	uint8_t *all;

	if (!before->bytes || changed_at > before->size_bytes || after->size_bytes > before->size_bytes - changed_at)
		return err_set(err, ERR_FORMAT, "bytes of memory changed that it does not have");
	if (!after->size_bytes) {
		*after = *before;
		return 0;
	}
	if (!(all = allocate(unpacker, before->size_bytes)))
		return too_many(err);
	memcpy(all, before->bytes, before->size_bytes);
	memcpy(all + changed_at, after->bytes, after->size_bytes);
	*after = (struct trace_bytes){ all, before->size_bytes };
	return 0;
}

static int set_memory(struct trace_memory *out, const TracePb__Memory *from, struct trace_unpacker *unpacker, struct err *err)
{
	struct trace_memory to = {
		.address = from->address,
		.before = recorded(from->has_before, &from->before),
		.after = recorded(from->has_after, &from->after),
	};
	int rc = from->has_changed_at ? restore_after(&to.after, &to.before, from->changed_at, unpacker, err) : 0;

	to.size_bytes = to.before.size_bytes > to.after.size_bytes ? to.before.size_bytes : to.after.size_bytes;
	if (from->has_size)
		to.size_bytes = from->size;
	*out = to;
	return rc;
}

static int set_parts(struct trace_message *out, const TracePb__Message *message, struct trace_unpacker *unpacker, struct err *err)
{
	struct trace_memory *memories = allocate(unpacker, message->n_memory * sizeof(*memories));
	struct trace_fd *fds = allocate(unpacker, message->n_descriptors * sizeof(*fds));
	int rc;

	if (!memories || !fds)
		return too_many(err);
	for (size_t i = 0; i < message->n_memory; i++)
		if ((rc = set_memory(&memories[i], message->memory[i], unpacker, err)))
			return rc;
	for (size_t i = 0; i < message->n_descriptors; i++)
		fds[i] = (struct trace_fd){ message->descriptors[i]->number, text(message->descriptors[i]->path) };
	out->memory = memories;
	out->memory_count = message->n_memory;
	out->fds = fds;
	out->fd_count = message->n_descriptors;
	return 0;
}

/* A header has no path of a device; all others do, be it "". */
static int kind_of(enum trace_kind *out, const TracePb__Message *message, struct err *err)
{
	switch (message->kind) {
	case TRACE_PB__KIND__IOCTL:
		*out = message->fd_path || message->has_kind ? TRACE_IOCTL : TRACE_HEADER;
		return 0;
	case TRACE_PB__KIND__OPEN:
		*out = TRACE_OPEN;
		return 0;
	case TRACE_PB__KIND__MMAP:
		*out = TRACE_MMAP;
		return 0;
	default:
		return err_set(err, ERR_FORMAT, "it is of kind %d, which this drvabi does not know", (int)message->kind);
	}
}

static void set_kind_fields(struct trace_message *out, const TracePb__Message *message)
{
	if (out->kind == TRACE_OPEN)
		out->open_flags = message->first;
	if (out->kind != TRACE_MMAP)
		return;
	out->map_size_bytes = message->first;
	out->map_protection = message->second & UINT32_MAX;
	out->map_flags = message->second >> 32;
	out->map_offset = message->third;
}

static struct trace_message message_of(const TracePb__Message *message, enum trace_kind kind)
{
	struct trace_message out = {
		.kind = kind,
		.fd_path = text(message->fd_path),
		.fd = message->has_fd ? message->fd : -1,
		.ret = message->ret,
		.error = message->error,
		.pid = message->pid,
		.tid = message->tid,
		.start_ns = message->start_ns,
		.end_ns = message->end_ns,
		.request = message->request,
		.argument = message->argument,
		.before = recorded(message->has_arg_before, &message->arg_before),
		.after = recorded(message->has_arg_data, &message->arg_data),
		.version = text(message->version),
		.target = text(message->target),
		.command = text(message->command),
	};

	set_kind_fields(&out, message);
	return out;
}

int trace_unpack(struct trace_message *out, const uint8_t *bytes, size_t size_bytes, struct trace_unpacker *unpacker, struct err *err)
{
	ProtobufCAllocator allocator = { allocate, no_free, unpacker };
	enum trace_kind kind = TRACE_HEADER;
	const TracePb__Message *message;
	struct trace_message got;
	int rc;

	reset(unpacker, size_bytes);
	if (!(message = trace_pb__message__unpack(&allocator, size_bytes, bytes)))
		return unpacker->spent ? too_many(err) : err_set(err, ERR_FORMAT, "it is damaged, or this is no trace");
	if ((rc = kind_of(&kind, message, err)))
		return rc;
	got = message_of(message, kind);
	if ((rc = set_parts(&got, message, unpacker, err)))
		return rc;
	*out = got;
	return 0;
}

uint64_t trace_length(const uint8_t *bytes)
{
	return trace_length_get(bytes);
}

int trace_take(struct trace_message *out, struct trace_unpacker *unpacker, const uint8_t **at, const uint8_t *end, size_t max_bytes,
	       struct err *err)
{
	const size_t there = (size_t)(end - *at);
	uint64_t length;
	int rc;

	if (there < TRACE_LENGTH_BYTES)
		return 0;
	length = trace_length_get(*at);
	if (length > max_bytes)
		return err_set(err, ERR_LIMIT, "it claims %" PRIu64 " bytes, and %zu are the most; the trace is damaged there, or is none",
			       length, max_bytes);
	if (!length)
		return err_set(err, ERR_FORMAT, "it is empty; the trace is damaged there, or is none");
	if (there - TRACE_LENGTH_BYTES < length)
		return 0;
	if ((rc = trace_unpack(out, *at + TRACE_LENGTH_BYTES, (size_t)length, unpacker, err)))
		return rc;
	*at += TRACE_LENGTH_BYTES + length;
	return 1;
}
