/*
 * Which memory the driver copies from and to behind the pointers in a call's
 * parameters. How much that is, the rules say in field names ("drvabi-use/1");
 * where these fields are, the document says.
 */
#include "decode/call.h"

#include <string.h>

/* The rules' words: enum use_direction. */
const char *call_direction_name(enum use_direction direction)
{
	switch (direction) {
	case USE_UNKNOWN: return NULL;
	case USE_IN: return "in";
	case USE_OUT: return "out";
	case USE_INOUT: return "inout";
	}
	return NULL;
}

bool call_holds_in(const struct use_span *versions, size_t count, const struct abi *abi)
{
	for (size_t i = 0; i < count; i++)
		if (abi_version_compare(abi->version, versions[i].since) >= 0 &&
		    (!versions[i].until || abi_version_compare(abi->version, versions[i].until) < 0))
			return true;
	return !count;
}

bool call_pointer_rule_matches(const struct pointer_rule *rule, const struct abi *abi, const struct abi_ioctl *ioctl, const char *record)
{
	struct call_field field;

	return !strcmp(rule->record, record) && (!rule->ioctl || (ioctl && !strcmp(rule->ioctl, ioctl->name))) && 
	       call_holds_in(rule->versions, rule->version_count, abi) &&
	       call_field_find(&field, abi, record, rule->path) && (!rule->count || call_field_find(&field, abi, record, rule->count)) &&
	       (!rule->times || call_field_find(&field, abi, record, rule->times)) &&
	       (!rule->when || call_field_find(&field, abi, record, rule->when));
}

static uint64_t field_value(const struct call *call, const struct abi *abi, const char *path)
{
	uint64_t value;

	return call_field_value(&value, abi, call->record, path, call->bytes, call->size_bytes) ? value : 0;
}

/* How many elements there are. Return: false if that is no number of 64 bits. */
static bool element_count(uint64_t *out, const struct pointer_rule *rule, const struct call *call, const struct abi *abi)
{
	const uint64_t count = rule->count ? field_value(call, abi, rule->count) : 1;
	const uint64_t times = rule->times ? field_value(call, abi, rule->times) : 1;

	if (times && count > UINT64_MAX / times)
		return false;
	*out = count * times;
	return true;
}

/* The driver does not follow a pointer in parameters that are serialized: NVOS54_FLAGS_FINN_SERIALIZED, nvos.h. */
bool call_is_serialized(const struct call *outer, const struct abi *abi)
{
	enum { SERIALIZED = 4 };

	return outer->record && outer->bytes && !strcmp(outer->record, "NVOS54_PARAMETERS") && field_value(outer, abi, "flags") & SERIALIZED;
}

static void read_memory(struct call_pointer *pointer, const struct call_memory *memory)
{
	if (memory && !pointer->is_too_long && pointer->size_bytes &&
	    !memory->read(&pointer->bytes, memory->data, pointer->address, pointer->size_bytes))
		pointer->bytes = NULL;
}

/* Return: false if nothing is behind it. */
static bool follow(struct call_pointer *out, const struct pointer_rule *rule, const struct call *call, const struct abi *abi,
		   const struct call_memory *memory)
{
	struct call_pointer found = { .path = rule->path, .element = rule->element, .counted_by = rule->count, .direction = rule->direction };
	struct call_field field;

	if ((rule->when && (field_value(call, abi, rule->when) & rule->mask) != rule->equals) ||
	    !call_field_find(&field, abi, call->record, rule->path) ||
	    !call_field_read(&found.address, &field, call->bytes, call->size_bytes) || !found.address)
		return false;
	found.offset_bytes = field.offset_bits / 8;
	found.element_bytes = call_record_size(abi, rule->element);
	if (!element_count(&found.count, rule, call, abi) ||
	    (found.element_bytes && found.count > CALL_SIZE_MAX / found.element_bytes) || found.count > CALL_SIZE_MAX)
		found.is_too_long = true;
	else
		found.size_bytes = found.count * found.element_bytes;
	read_memory(&found, memory);
	*out = found;
	return true;
}

static bool has_path(const struct call_pointer *pointers, size_t count, const char *path)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(pointers[i].path, path))
			return true;
	return false;
}

size_t call_pointers(struct call_pointer out[CALL_POINTERS_MAX], const struct call *chain, size_t index, const struct abi *abi,
		     const struct pointer_rules *rules, const struct call_memory *memory)
{
	const struct call *call = &chain[index];
	size_t count = 0;

	if (!call->record || !call->bytes || call_record_size(abi, call->record) != call->size_bytes ||
	    (index && call_is_serialized(&chain[index - 1], abi)))
		return 0;
	for (size_t i = 0; i < rules->count && count < CALL_POINTERS_MAX; i++)
		if (call_pointer_rule_matches(&rules->rules[i], abi, call->ioctl, call->record) && !has_path(out, count, rules->rules[i].path))
			count += follow(&out[count], &rules->rules[i], call, abi, memory);
	return count;
}

bool call_follows(const struct pointer_rules *rules, const struct abi *abi, const struct abi_ioctl *ioctl, const char *record, const char *path)
{
	const struct call_rule *envelope = ioctl ? call_rule_of(ioctl, record) : NULL;

	if (envelope && !strcmp(envelope->pointer, path))
		return true;
	for (size_t i = 0; i < rules->count; i++)
		if (!strcmp(rules->rules[i].path, path) && call_pointer_rule_matches(&rules->rules[i], abi, ioctl, record))
			return true;
	return false;
}
