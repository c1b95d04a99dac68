/*
 * Text has letters where a length has zeros, so the length alone tells most
 * files from a trace. What follows must begin with fields that a message has,
 * in the form that they have there.
 * What is inside zstd is not looked at: nothing else that is read comes so.
 */
#include "decode/trace.h"

#include "base/compress.h"
#include "decode/length.h"
#include "decode/trace.pb-c.h"

/* Of protobuf's encoding. */
enum { WIRE_BITS = 3, WIRE_VARINT = 0, WIRE_BYTES = 2, VARINT_MAX_BYTES = 10 };

/* The wire type of a field of a message; -1: it has none of this number. */
static int wire_of(uint64_t field)
{
	const ProtobufCFieldDescriptor *found;

	if (field > UINT32_MAX || !(found = protobuf_c_message_descriptor_get_field(&trace_pb__message__descriptor, (unsigned)field)))
		return -1;
	switch (found->type) {
	case PROTOBUF_C_TYPE_STRING:
	case PROTOBUF_C_TYPE_BYTES:
	case PROTOBUF_C_TYPE_MESSAGE:
		return WIRE_BYTES;
	default:
		return WIRE_VARINT;
	}
}

/* The fields that are whole in the first bytes of a message; one that is cut off at @end is fine. */
static bool begins_with_fields(const uint8_t *at, const uint8_t *end, uint64_t length)
{
	const bool is_cut = length > (uint64_t)(end - at);
	const uint8_t *const limit = is_cut ? end : at + length;
	uint64_t tag, value;

	while (at < limit) {
		if (!varint_get(&tag, &at, limit))
			return is_cut && limit - at < VARINT_MAX_BYTES;
		if (wire_of(tag >> WIRE_BITS) != (int)(tag & ((1 << WIRE_BITS) - 1)))
			return false;
		if (!varint_get(&value, &at, limit))
			return is_cut && limit - at < VARINT_MAX_BYTES;
		if ((tag & ((1 << WIRE_BITS) - 1)) != WIRE_BYTES)
			continue;
		if (value > length)
			return false;
		if (value > (uint64_t)(limit - at))
			return is_cut;
		at += value;
	}
	return true;
}

bool trace_recognise(const uint8_t *bytes, size_t size_bytes)
{
	uint64_t length;

	if (compress_recognise(bytes, size_bytes))
		return true;
	if (size_bytes <= TRACE_LENGTH_BYTES)
		return false;
	length = trace_length_get(bytes);
	return length && length <= TRACE_MESSAGE_MAX && begins_with_fields(bytes + TRACE_LENGTH_BYTES, bytes + size_bytes, length);
}
