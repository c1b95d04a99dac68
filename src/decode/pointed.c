#include "decode/call.h"

#include <string.h>

static void fill(struct call_shape *shape, const struct call *call, const struct abi *abi)
{
	const struct abi_ioctl *ioctl = call_find(abi, call->family, call->number);
	const char *record = ioctl ? call_record(abi, ioctl, call->size_bytes) : NULL;
	const struct call_rule *rule = record ? call_rule_of(ioctl, record) : NULL;

	*shape = (struct call_shape){ .family = call->family, .number = call->number, .size_bytes = call->size_bytes, .ioctl = ioctl,
				      .record = record, .record_bytes = record ? call_record_size(abi, record) : 0 };
	if (!rule || !call_field_find(&shape->inner_number, abi, record, rule->number) ||
	    !call_field_find(&shape->inner_pointer, abi, record, rule->pointer))
		return;
	shape->rule = rule;
	shape->has_inner_size = call_field_find(&shape->inner_size, abi, record, rule->size);
}

/* The slot of @memo that a call's shape is in, or comes to; what was there is forgotten. */
static struct call_shape *slot_of(struct call_memo *memo, const struct call *call)
{
	const uint64_t hash = (call->number ^ call->size_bytes << 32 ^ (uintptr_t)call->family) * UINT64_C(0x9e3779b97f4a7c15);

	return &memo->shapes[hash >> 32 & (CALL_MEMO_SHAPES - 1)];
}

/* Return: until the next shape is asked for; in @own, if there is no memo. */
static const struct call_shape *shape_of(struct call_shape *own, struct call_memo *memo, const struct call *call, const struct abi *abi)
{
	struct call_shape *shape = memo ? slot_of(memo, call) : own;

	if (!memo || shape->family != call->family || shape->number != call->number || shape->size_bytes != call->size_bytes)
		fill(shape, call, abi);
	return shape;
}

/* What is in an envelope, by its bytes. Return: false if it is none, or says nothing. */
static bool open_envelope(struct call *inner, const struct call *outer, const struct call_shape *shape)
{
	struct call found = { .address = 0 };

	if (!shape->rule || !outer->bytes || shape->record_bytes != outer->size_bytes ||
	    !call_field_read(&found.number, &shape->inner_number, outer->bytes, outer->size_bytes) ||
	    !call_field_read(&found.address, &shape->inner_pointer, outer->bytes, outer->size_bytes))
		return false;
	found.family = shape->rule->family;
	/* The driver goes by the class: what an allocation says of its size need not be true, and 515 and 525 have no field for it. */
	found.has_size = strcmp(found.family, "alloc") != 0;
	if ((!shape->has_inner_size || !call_field_read(&found.size_bytes, &shape->inner_size, outer->bytes, outer->size_bytes)) && found.has_size)
		return false;
	*inner = found;
	return true;
}

static void read_inner(struct call *inner, const struct call_shape *shape, const struct call_memory *memory)
{
	inner->ioctl = shape->ioctl;
	inner->record = shape->record;
	if (!inner->has_size && inner->record)
		inner->size_bytes = shape->record_bytes;
	if (inner->address && inner->size_bytes && inner->size_bytes <= CALL_SIZE_MAX && memory)
		if (!memory->read(&inner->bytes, memory->data, inner->address, inner->size_bytes))
			inner->bytes = NULL;
}

size_t call_follow_with(struct call chain[CALL_DEPTH_MAX], const struct call *first, const struct abi *abi, const struct call_memory *memory,
			struct call_memo *memo)
{
	struct call_shape own;
	const struct call_shape *shape = shape_of(&own, memo, first, abi);
	size_t count = 1;

	chain[0] = *first;
	chain[0].ioctl = shape->ioctl;
	chain[0].record = shape->record;
	while (count < CALL_DEPTH_MAX && open_envelope(&chain[count], &chain[count - 1], shape)) {
		shape = shape_of(&own, memo, &chain[count], abi);
		read_inner(&chain[count++], shape, memory);
	}
	return count;
}

size_t call_follow(struct call chain[CALL_DEPTH_MAX], const struct call *first, const struct abi *abi, const struct call_memory *memory)
{
	return call_follow_with(chain, first, abi, memory, NULL);
}

bool call_class(uint64_t *out, const struct call *call, const struct abi *abi)
{
	if (strcmp(call->family, "alloc") != 0)
		return false;
	if (!call->ioctl || strcmp(call->ioctl->name, "NV01_EVENT") != 0 || !call->record || !call->bytes ||
	    !call_field_value(out, abi, call->record, "hClass", call->bytes, call->size_bytes))
		*out = call->number;
	return true;
}
