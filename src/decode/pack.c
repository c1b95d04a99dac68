/* decode/pack.c - packs a call into the bytes of a message */
#include "decode/decode.h"
#include "decode/trace.pb-c.h"

/* Casts away const: protobuf-c's pointers are not const, but it only reads the messages that it packs. */
static char *writable_text(const char *given)
{
	return given && *given ? (char *)given : NULL;
}

static ProtobufCBinaryData binary_of(const struct trace_bytes *bytes)
{
	return (ProtobufCBinaryData){ bytes->size_bytes, (uint8_t *)bytes->bytes };
}

/* Sets a field. It is written only if it is not 0. */
#define SET(out, field, value) ((out)->has_##field = ((out)->field = (value)) != 0)

enum { WORD_BYTES = sizeof(uint64_t), WORTH_BYTES = 64 };

static bool is_same_word(const uint8_t *one, const uint8_t *other)
{
	return !memcmp(one, other, WORD_BYTES);
}

/* Reduces @out's bytes after the call to the changed part, if that saves at least WORTH_BYTES. */
static void set_changed(TracePb__Memory *out, const struct trace_bytes *before,
			const struct trace_bytes *after)
{
	size_t begin = 0, end = after->size_bytes;

	if (!before->bytes || !after->bytes || before->size_bytes != end || end < WORTH_BYTES)
		return;
	if (!memcmp(before->bytes, after->bytes, end))
		end = 0;
	while (end - begin >= WORD_BYTES && is_same_word(before->bytes + begin, after->bytes + begin))
		begin += WORD_BYTES;
	while (end - begin >= WORD_BYTES &&
	       is_same_word(before->bytes + end - WORD_BYTES, after->bytes + end - WORD_BYTES))
		end -= WORD_BYTES;
	if (after->size_bytes - (end - begin) < WORTH_BYTES)
		return;
	out->changed_at = begin;
	out->has_changed_at = true;
	out->after = (ProtobufCBinaryData){ end - begin, (uint8_t *)after->bytes + begin };
}

/* Computes the size of a message's submessages, and of the pointer arrays that protobuf-c needs for them. */
static size_t submessages_bytes(const struct trace_message *message)
{
	return message->memory_count * (sizeof(TracePb__Memory) + sizeof(TracePb__Memory *)) +
	       message->fd_count * (sizeof(TracePb__Descriptor) + sizeof(TracePb__Descriptor *));
}

/*
 * Sets the submessages for the memory and the descriptors of @message. They are in @room, which has
 * submessages_bytes(): structs, then pointers, which need no padding.
 */
static void set_submessages(TracePb__Message *out, void *room, const struct trace_message *message)
{
	TracePb__Memory *memories = room;
	TracePb__Descriptor *fds = (TracePb__Descriptor *)(memories + message->memory_count);

	out->memory = (TracePb__Memory **)(fds + message->fd_count);
	out->n_memory = message->memory_count;
	out->descriptors = (TracePb__Descriptor **)(out->memory + message->memory_count);
	out->n_descriptors = message->fd_count;
	for (size_t i = 0; i < message->memory_count; i++) {
		const struct trace_memory *from = &message->memory[i];
		TracePb__Memory *to = out->memory[i] = &memories[i];

		trace_pb__memory__init(to);
		SET(to, address, from->address);
		to->before = binary_of(&from->before);
		to->has_before = from->before.bytes != NULL;
		to->after = binary_of(&from->after);
		to->has_after = from->after.bytes != NULL;
		set_changed(to, &from->before, &from->after);
		to->size = from->size_bytes;
		to->has_size = from->size_bytes != trace_memory_recorded(from);
	}
	for (size_t i = 0; i < message->fd_count; i++) {
		trace_pb__descriptor__init(out->descriptors[i] = &fds[i]);
		SET(&fds[i], number, message->fds[i].number);
		fds[i].path = writable_text(message->fds[i].path);
	}
}

/*
 * Sets the fields of a message that @wire has. @room has submessages_bytes() bytes for the submessages.
 * Return: the size of the packed message; 0 if @wire cannot express it.
 */
static size_t set_message(TracePb__Message *out, void *room, const struct trace_message *message,
			  enum trace_wire wire)
{
	if (wire == TRACE_WIRE_GVISOR && message->kind != TRACE_IOCTL)
		return 0;
	if (message->kind == TRACE_HEADER) {
		/* The version is always set, because a header must not be an empty message. */
		out->version = (char *)(message->version ? message->version : "");
		out->target = writable_text(message->target);
		out->command = writable_text(message->command);
		out->lacks = writable_text(message->lacks);
		return trace_pb__message__get_packed_size(out);
	}
	out->fd_path = (char *)(message->fd_path ? message->fd_path : "");
	SET(out, request, message->request);
	SET(out, ret, message->ret);
	out->arg_data = binary_of(&message->after);
	if (wire == TRACE_WIRE_GVISOR) { /* in proto3, empty bytes are omitted */
		out->has_arg_data = message->after.bytes && message->after.size_bytes;
		return trace_pb__message__get_packed_size(out);
	}
	out->has_arg_data = message->after.bytes != NULL;
	out->arg_before = binary_of(&message->before);
	out->has_arg_before = message->before.bytes != NULL;
	SET(out, error, message->error);
	out->caller = writable_text(message->caller);
	SET(out, pid, message->pid);
	SET(out, tid, message->tid);
	SET(out, start_ns, message->start_ns);
	SET(out, end_ns, message->end_ns);
	SET(out, argument, message->argument);
	out->fd = message->fd;
	out->has_fd = message->fd >= 0;
	if (message->memory_count || message->fd_count)
		set_submessages(out, room, message);
	SET(out, kind, (TracePb__Kind)(message->kind - TRACE_IOCTL));
	switch (message->kind) {
	case TRACE_HEADER:
	case TRACE_IOCTL: break;
	case TRACE_OPEN:
		SET(out, first, message->open_flags);
		break;
	case TRACE_MMAP:
		out->first = message->map_size_bytes;
		out->second = (message->map_protection & UINT32_MAX) | message->map_flags << 32;
		out->third = message->map_offset;
		out->has_first = out->has_second = out->has_third = true;
		break;
	case TRACE_FILE:
		SET(out, first, message->file_mode);
		SET(out, second, message->file_device);
		SET(out, third, message->file_size_bytes);
		break;
	}
	return trace_pb__message__get_packed_size(out);
}

static void put_message(uint8_t *at, const TracePb__Message *message, size_t size)
{
	for (int i = 0; i < TRACE_LENGTH_BYTES; i++)
		at[i] = (uint8_t)((uint64_t)size >> (8 * i));
	trace_pb__message__pack(message, at + TRACE_LENGTH_BYTES);
}

void trace_pack(struct strbuf *out, const struct trace_message *message, enum trace_wire wire)
{
	TracePb__Message packed = TRACE_PB__MESSAGE__INIT;
	void *room = xmalloc(submessages_bytes(message) + 1);
	const size_t size = set_message(&packed, room, message, wire);

	if (size) {
		strbuf_reserve(out, TRACE_LENGTH_BYTES + size);
		put_message((uint8_t *)out->text + out->length, &packed, size);
		out->length += TRACE_LENGTH_BYTES + size;
		out->text[out->length] = '\0';
	}
	free(room);
}

bool trace_pack_in(struct trace_bytes *out, void *memory, size_t size_bytes,
		   const struct trace_message *message, enum trace_wire wire)
{
	TracePb__Message packed = TRACE_PB__MESSAGE__INIT;
	const size_t room_bytes = submessages_bytes(message);
	uint8_t *at = (uint8_t *)memory + room_bytes;
	size_t size;

	if (room_bytes > size_bytes)
		return false;
	size = set_message(&packed, memory, message, wire);
	if (size && (size_bytes - room_bytes < TRACE_LENGTH_BYTES ||
		     size > size_bytes - room_bytes - TRACE_LENGTH_BYTES))
		return false;
	if (size)
		put_message(at, &packed, size);
	*out = (struct trace_bytes){ at, size ? TRACE_LENGTH_BYTES + size : 0 };
	return true;
}
