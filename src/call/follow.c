#include "call/call.h"

#include <string.h>

static void look_up(struct call *call, const struct abi *abi)
{
	call->ioctl = call_find(abi, call->family, call->number);
	call->record = call->ioctl ? call_record(abi, call->ioctl, call->size_bytes) : NULL;
}

/* What @outer's bytes say is inside. Return: false if it is no envelope, or says nothing. */
static bool open_envelope(struct call *inner, const struct call *outer, const struct abi *abi, const struct call_memory *memory)
{
	const struct call_rule *rule = outer->record ? call_rule_of(outer->ioctl, outer->record) : NULL;
	struct call found = { .address = 0 };

	if (!rule || !outer->bytes || call_record_size(abi, outer->record) != outer->size_bytes ||
	    !call_field_value(&found.number, abi, outer->record, rule->number, outer->bytes, outer->size_bytes) ||
	    !call_field_value(&found.address, abi, outer->record, rule->pointer, outer->bytes, outer->size_bytes))
		return false;
	found.family = rule->family;
	/* The driver goes by the class: what an allocation says of its size need not be true, and 515 and 525 have no field for it. */
	found.has_size = strcmp(found.family, "alloc") != 0;
	if (!call_field_value(&found.size_bytes, abi, outer->record, rule->size, outer->bytes, outer->size_bytes) && found.has_size)
		return false;
	look_up(&found, abi);
	if (!found.has_size && found.record)
		found.size_bytes = call_record_size(abi, found.record);
	if (found.address && found.size_bytes && found.size_bytes <= CALL_SIZE_MAX && memory)
		if (!memory->read(&found.bytes, memory->data, found.address, found.size_bytes))
			found.bytes = NULL;
	*inner = found;
	return true;
}

size_t call_follow(struct call chain[CALL_DEPTH_MAX], const struct call *first, const struct abi *abi, const struct call_memory *memory)
{
	size_t count = 1;

	chain[0] = *first;
	look_up(&chain[0], abi);
	while (count < CALL_DEPTH_MAX && open_envelope(&chain[count], &chain[count - 1], abi, memory))
		count++;
	return count;
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
