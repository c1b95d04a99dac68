#include "decode/follow.h"

/* What was recorded there, and how much of it is known both before and after the call, or on the one side that there is. */
static struct decode_recorded find_recorded(const struct call_pointer *to, const struct decode_memory *memory)
{
	struct decode_recorded found = { .before = NULL };

	if (!memory || !to->size_bytes || !memory->find(&found, memory->data, to->address, to->size_bytes))
		return (struct decode_recorded){ .before = NULL };
	if (!found.before)
		found.before_bytes = 0;
	if (!found.after)
		found.after_bytes = 0;
	return found;
}

static const char *note_of(const struct decode_pointer *pointer, const struct decode_recorded *found, struct arena *arena)
{
	if (pointer->to.is_too_long)
		return arena_printf(arena, "longer than %d bytes; it is not looked at", (int)CALL_SIZE_MAX);
	if (!pointer->to.element_bytes)
		return "the document has no such type";
	if (pointer->to.size_bytes && !found->before && !found->after)
		return "not recorded";
	if (pointer->recorded_bytes < pointer->to.size_bytes)
		return arena_printf(arena, "%llu of %llu bytes were recorded", (unsigned long long)pointer->recorded_bytes,
				    (unsigned long long)pointer->to.size_bytes);
	if (!found->after && found->before && pointer->to.direction != USE_IN)
		return "recorded before the call only";
	return NULL;
}

/* The elements that are whole. */
static void read_elements(struct decode_pointer *pointer, const struct decode_recorded *found, const struct decode_ioctl *ioctl,
			  const struct decode_scope *scope, struct arena *arena)
{
	const struct call_pointer *to = &pointer->to;
	const uint64_t count = to->element_bytes ? pointer->recorded_bytes / to->element_bytes : 0;
	const uint8_t *bytes = found->after ? found->after : found->before;
	const uint8_t *before = found->after && found->before && found->before_bytes >= pointer->recorded_bytes ? found->before : NULL;
	const char *type = to->counted_by ? arena_printf(arena, "%s[%llu]", to->element, (unsigned long long)count) : to->element;
	struct err err = { "" };

	if (!count || !decode_fields(&pointer->fields, scope, ioctl->abi, type, bytes, before, count * to->element_bytes, arena, &err))
		return;
	pointer->fields = (struct decode_fields){ .count = 0 };
	if (!pointer->note)
		pointer->note = arena_strdup(arena, err.text);
}

/* Before the call, if that is known: the driver went by it. */
static bool is_null(const struct decode_field *field)
{
	const uint8_t *bytes = (field->before ? field->before : field->bytes) + field->offset_bits / 8;

	for (uint64_t i = 0; i < field->size_bits / 8; i++)
		if (bytes[i])
			return false;
	return true;
}

/* @call: whose parameters the fields are; NULL: they are behind a pointer, and no rule is for those */
static void mark_unfollowed(const struct decode_fields *fields, const struct call *call, const struct abi *abi, const struct pointer_rules *rules)
{
	for (size_t i = 0; i < fields->count; i++) {
		struct decode_field *field = (struct decode_field *)&fields->fields[i]; /* this pass made it */

		field->is_unfollowed = field->role == ABI_ROLE_POINTER && !is_null(field) &&
				       (!call || !call_follows(rules, abi, call->ioctl, call->record, field->path));
	}
}

static void follow_pointers(struct decode_ioctl *ioctl, const struct call *chain, size_t index, const struct decode_scope *scope,
			    const struct decode_memory *memory, struct arena *arena)
{
	struct call_pointer found[CALL_POINTERS_MAX];
	const size_t count = call_pointers(found, chain, index, ioctl->abi, scope->pointers, NULL);
	struct decode_pointer *pointers = count ? arena_array(arena, count, sizeof(*pointers)) : NULL;

	for (size_t i = 0; i < count; i++) {
		const struct decode_recorded recorded = find_recorded(&found[i], memory);

		pointers[i].to = found[i];
		pointers[i].recorded_bytes = recorded.after ? recorded.after_bytes : recorded.before_bytes;
		pointers[i].note = note_of(&pointers[i], &recorded, arena);
		read_elements(&pointers[i], &recorded, ioctl, scope, arena);
		mark_unfollowed(&pointers[i].fields, NULL, ioctl->abi, scope->pointers);
	}
	ioctl->pointers = pointers;
	ioctl->pointer_count = count;
}

void decode_follow(struct decode_ioctl *ioctl, const struct call *chain, size_t index, const struct decode_scope *scope,
		   const struct decode_memory *memory, struct arena *arena)
{
	if (!scope->pointers || !ioctl->abi || !chain[index].record)
		return;
	follow_pointers(ioctl, chain, index, scope, memory, arena);
	if (!index || !call_is_serialized(&chain[index - 1], ioctl->abi))
		mark_unfollowed(&ioctl->fields, &chain[index], ioctl->abi, scope->pointers);
}

static bool has_unfollowed(const struct decode_fields *fields)
{
	for (size_t i = 0; i < fields->count; i++)
		if (fields->fields[i].is_unfollowed)
			return true;
	return false;
}

bool decode_has_unfollowed(const struct decode_ioctl *ioctl)
{
	bool found = has_unfollowed(&ioctl->fields);

	for (size_t i = 0; i < ioctl->pointer_count && !found; i++)
		found = has_unfollowed(&ioctl->pointers[i].fields);
	return found;
}

bool decode_follow_lacks_rule(const struct call *chain, size_t index, const struct decode_scope *scope)
{
	const struct call *call = &chain[index];
	struct decode_fields fields = { .count = 0 };
	struct arena arena = { 0 };
	bool lacks;

	if (!scope->pointers || !scope->asked || !call->record || !call->bytes || call_record_size(scope->asked, call->record) != call->size_bytes ||
	    (index && call_is_serialized(&chain[index - 1], scope->asked)))
		return false;
	if (!decode_fields(&fields, scope, scope->asked, call->record, call->bytes, NULL, call->size_bytes, &arena, NULL))
		mark_unfollowed(&fields, call, scope->asked, scope->pointers);
	lacks = has_unfollowed(&fields);
	arena_release(&arena);
	return lacks;
}
