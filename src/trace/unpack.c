#include "trace/unpack.h"

#include "trace/trace.pb-c.h"

/* What protobuf-c allocates from. It frees nothing: the arena is the message's. */
struct bounded_arena {
	struct arena *arena;
	size_t left_bytes;
	bool spent; /* more was wanted */
};

static void *bounded_alloc(void *data, size_t size)
{
	struct bounded_arena *bounded = data;

	if (size > bounded->left_bytes) {
		bounded->spent = true;
		return NULL;
	}
	bounded->left_bytes -= size;
	return arena_alloc(bounded->arena, size);
}

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

static struct trace_memory *memory_of(const TracePb__Message *message, struct arena *arena)
{
	struct trace_memory *all = arena_array(arena, message->n_memory, sizeof(*all));

	for (size_t i = 0; i < message->n_memory; i++) {
		const TracePb__Memory *from = message->memory[i];
		struct trace_memory *to = &all[i];

		to->address = from->address;
		to->before = recorded(from->has_before, &from->before);
		to->after = recorded(from->has_after, &from->after);
		to->size_bytes = to->before.size_bytes > to->after.size_bytes ? to->before.size_bytes : to->after.size_bytes;
		if (from->has_size)
			to->size_bytes = from->size;
	}
	return all;
}

static struct trace_fd *fds_of(const TracePb__Message *message, struct arena *arena)
{
	struct trace_fd *all = arena_array(arena, message->n_descriptors, sizeof(*all));

	for (size_t i = 0; i < message->n_descriptors; i++)
		all[i] = (struct trace_fd){ message->descriptors[i]->number, text(message->descriptors[i]->path) };
	return all;
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

static struct trace_message message_of(const TracePb__Message *message, enum trace_kind kind, struct arena *arena)
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
		.memory = memory_of(message, arena),
		.memory_count = message->n_memory,
		.fds = fds_of(message, arena),
		.fd_count = message->n_descriptors,
		.version = text(message->version),
		.target = text(message->target),
		.command = text(message->command),
	};

	set_kind_fields(&out, message);
	return out;
}

int trace_unpack(struct trace_message *out, const uint8_t *bytes, size_t size_bytes, struct arena *arena, struct err *err)
{
	struct bounded_arena bounded = { arena, size_bytes + TRACE_PARTS_MAX_BYTES, false };
	ProtobufCAllocator allocator = { bounded_alloc, no_free, &bounded };
	const TracePb__Message *message = trace_pb__message__unpack(&allocator, size_bytes, bytes);
	enum trace_kind kind = TRACE_HEADER;
	int rc;

	if (!message && bounded.spent)
		return err_set(err, ERR_LIMIT, "it has more parts than %d MB of memory hold", TRACE_PARTS_MAX_BYTES >> 20);
	if (!message)
		return err_set(err, ERR_FORMAT, "it is damaged, or this is no trace");
	if ((rc = kind_of(&kind, message, err)))
		return rc;
	*out = message_of(message, kind, arena);
	return 0;
}
