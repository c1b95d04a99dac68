/* The file descriptors in a call's parameters: every field that has the role, in every member of a union. */
#include "decode/call.h"

#include <string.h>

enum { DEPTH_MAX = 16, STEPS_MAX = 100000 };

struct walk {
	struct call_fd *out;
	size_t count;
	const struct call *call;
	const struct abi *abi;
	unsigned depth;
	size_t steps;
};

static void add(struct walk *walk, const struct abi_field *field, uint64_t offset_bits)
{
	const struct call_field at = { .field = field, .offset_bits = offset_bits };
	uint64_t value;

	if (walk->count == CALL_FDS_MAX || !call_field_read(&value, &at, walk->call->bytes, walk->call->size_bytes))
		return;
	walk->out[walk->count++] = (struct call_fd){
		.offset_bytes = offset_bits / 8,
		.number = field->size_bits == 32 ? (int32_t)value : (int64_t)value,
	};
}

/* Is there an fd somewhere in a record of this type? Arrays of records are long; most have none. */
static bool has_fd(const struct abi *abi, const struct abi_record *record, unsigned depth)
{
	struct abi_type type;

	for (size_t i = 0; i < record->field_count; i++) {
		const struct abi_field *field = &record->fields[i];

		if (field->role == ABI_ROLE_FD)
			return true;
		if (depth < DEPTH_MAX && field->size_bits > 32 && !abi_resolve_type(&type, abi, field->type, NULL) && type.record &&
		    has_fd(abi, type.record, depth + 1))
			return true;
	}
	return false;
}

static void walk_record(struct walk *walk, const struct abi_record *record, uint64_t offset_bits);

/* The records within @field, element by element. */
static void walk_inside(struct walk *walk, const struct abi_field *field, uint64_t record_bits)
{
	struct abi_type type;

	if (abi_resolve_type(&type, walk->abi, field->type, NULL) || !type.record || type.flexible || !has_fd(walk->abi, type.record, 0))
		return;
	for (uint64_t i = 0; i < type.count && walk->steps < STEPS_MAX; i++)
		walk_record(walk, type.record, record_bits + field->offset_bits + i * type.element_bytes * 8);
}

static void walk_record(struct walk *walk, const struct abi_record *record, uint64_t offset_bits)
{
	if (walk->depth == DEPTH_MAX)
		return;
	walk->depth++;
	for (size_t i = 0; i < record->field_count && walk->steps++ < STEPS_MAX; i++) {
		const struct abi_field *field = &record->fields[i];

		if (field->role == ABI_ROLE_FD)
			add(walk, field, offset_bits + field->offset_bits);
		else if (field->size_bits > 32)
			walk_inside(walk, field, offset_bits);
	}
	walk->depth--;
}

size_t call_fds(struct call_fd out[CALL_FDS_MAX], const struct call *call, const struct abi *abi)
{
	struct walk walk = { .out = out, .call = call, .abi = abi };
	const struct abi_record *record = call->record ? abi_find_record(abi, call->record) : NULL;

	if (record && call->bytes && record->size_bytes == call->size_bytes)
		walk_record(&walk, record, 0);
	return walk.count;
}
