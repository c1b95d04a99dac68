/*
 * decode/request.c - identifies the ioctl of a request, and finds its memory
 *
 * This file finds the ioctls inside envelopes, the file descriptors in the parameters, and the memory at
 * pointers. The rules of "drvabi-use/1" name the fields with the size of this memory. The document has the
 * offsets of these fields.
 */
#include "decode/internal.h"
#include "flatten/flatten.h"

bool call_field_find(struct call_field *out, const struct abi *abi, const char *record_name, const char *path)
{
	const struct abi_record *record = abi_find_record(abi, record_name);
	struct call_field found = { .field = NULL };

	for (const char *at = path; record; at += *at == '.') {
		const size_t length = strcspn(at, ".");
		struct abi_type type;

		found.field = NULL;
		for (size_t i = 0; i < record->field_count && !found.field; i++)
			if (strlen(record->fields[i].name) == length &&
			    !memcmp(record->fields[i].name, at, length))
				found.field = &record->fields[i];
		if (!found.field)
			return false;
		found.offset_bits += found.field->offset_bits;
		at += length;
		if (!*at) {
			*out = found;
			return true;
		}
		record = abi_resolve_type(&type, abi, found.field->type, NULL) || type.dimension_count
				 ? NULL
				 : type.record;
	}
	return false;
}

bool call_field_read(uint64_t *out, const struct call_field *field, const uint8_t *bytes, uint64_t size_bytes)
{
	const uint64_t offset = field->offset_bits / 8, size = field->field->size_bits / 8;
	uint64_t value = 0;

	if (field->field->is_bitfield || !size || size > 8 || field->offset_bits % 8 || offset > size_bytes ||
	    size > size_bytes - offset)
		return false;
	for (uint64_t i = size; i-- > 0;)
		value = value << 8 | bytes[offset + i];
	*out = value;
	return true;
}

bool call_field_value(uint64_t *out, const struct abi *abi, const char *record, const char *path,
		      const uint8_t *bytes, uint64_t size_bytes)
{
	struct call_field field;

	return call_field_find(&field, abi, record, path) && call_field_read(out, &field, bytes, size_bytes);
}

const struct union_rule *call_union_rule(const struct union_rules *rules, const struct abi *abi,
					 const char *record, const char *field, const char *by)
{
	for (size_t i = 0; rules && i < rules->count; i++) {
		const struct union_rule *rule = &rules->rules[i];

		if ((!field || !strcmp(rule->field, field)) && (!by || !strcmp(rule->by, by)) &&
		    !strcmp(rule->record, record) &&
		    use_holds_in(rule->versions, rule->version_count, abi->version))
			return rule;
	}
	return NULL;
}

/*
 * Facts that the driver's headers have only in comments or not at all: the ioctls that are envelopes, and
 * those whose parameters are an array.
 */

/* From nv_escape.h, nvos.h, nv-ioctl.h and nvkms-ioctl.h. */
static const struct call_rule call_rules[] = {
	{ "frontend", "NV_ESC_RM_CONTROL", "NVOS54_PARAMETERS", "cmd", "params", "paramsSize", "control" },
	{ "frontend", "NV_ESC_RM_ALLOC", "NVOS64_PARAMETERS", "hClass", "pAllocParms", "paramsSize",
	  "alloc" },
	{ "frontend", "NV_ESC_RM_ALLOC", "NVOS21_PARAMETERS", "hClass", "pAllocParms", "paramsSize",
	  "alloc" },
	{ "frontend", "NV_ESC_IOCTL_XFER_CMD", "nv_ioctl_xfer_t", "cmd", "ptr", "size", "frontend" },
	{ "modeset", "NVKMS_IOCTL_IOWR", "NvKmsIoctlParams", "cmd", "address", "size", "nvkms" },
};

const struct union_choice *call_choice(const struct union_rule *rule, uint64_t value)
{
	for (size_t i = 0; i < rule->choice_count; i++)
		if (rule->choices[i].value == value)
			return &rule->choices[i];
	return NULL;
}

const struct call_rule *call_rule_of(const struct abi_ioctl *ioctl, const char *record)
{
	for (size_t i = 0; i < sizeof(call_rules) / sizeof(*call_rules); i++)
		if (!strcmp(call_rules[i].outer, ioctl->family) &&
		    !strcmp(call_rules[i].ioctl, ioctl->name) && !strcmp(call_rules[i].record, record))
			return &call_rules[i];
	return NULL;
}

uint64_t call_record_size(const struct abi *abi, const char *name)
{
	const struct abi_record *record = abi_find_record(abi, name);
	struct abi_type type;

	if (record)
		return record->size_bytes;
	if (abi_resolve_type(&type, abi, name, NULL) ||
	    (type.count && type.element_bytes > UINT64_MAX / type.count))
		return 0;
	return type.element_bytes * type.count;
}

const char *call_record(const struct abi *abi, const struct abi_ioctl *ioctl, uint64_t size_bytes)
{
	if (!ioctl->params || !size_bytes || call_record_size(abi, ioctl->params) == size_bytes)
		return ioctl->params;
	for (size_t i = 0; i < sizeof(call_rules) / sizeof(*call_rules); i++)
		if (call_rule_of(ioctl, call_rules[i].record) == &call_rules[i] &&
		    call_record_size(abi, call_rules[i].record) == size_bytes)
			return call_rules[i].record;
	return ioctl->params;
}

/* From nvidia_ioctl(), kernel-open/nvidia/nv.c, 515.43.04 to 595.45.04: the length is arg_size / sizeof(). */
static const struct {
	const char *ioctl, *element;
} arrays[] = {
	{ "NV_ESC_CARD_INFO", "nv_ioctl_card_info_t" },
	{ "NV_ESC_ATTACH_GPUS_TO_FD", "NvU32" },
};

const struct abi_ioctl *call_sized_ioctl(const struct abi *abi, const char *record)
{
	for (size_t i = 0; i < sizeof(call_rules) / sizeof(*call_rules); i++) {
		const struct abi_ioctl *ioctl =
			strcmp(call_rules[i].record, record)
				? NULL
				: abi_find_ioctl(abi, call_rules[i].outer, call_rules[i].ioctl);

		if (ioctl && ioctl->params && strcmp(ioctl->params, record) != 0 &&
		    abi_find_record(abi, record) &&
		    call_record_size(abi, record) != call_record_size(abi, ioctl->params))
			return ioctl;
	}
	return NULL;
}

bool call_has_sizes(const char *family, const char *name)
{
	const struct abi_ioctl ioctl = { .family = family, .name = name };
	size_t records = 0;

	for (size_t i = 0; i < sizeof(call_rules) / sizeof(*call_rules); i++)
		records += !strcmp(call_rules[i].outer, family) && !strcmp(call_rules[i].ioctl, name);
	return records > 1 || call_array_element(&ioctl);
}

const char *call_array_element(const struct abi_ioctl *ioctl)
{
	for (size_t i = 0; i < sizeof(arrays) / sizeof(*arrays); i++)
		if (!strcmp(ioctl->family, "frontend") && !strcmp(ioctl->name, arrays[i].ioctl))
			return arrays[i].element;
	return NULL;
}

/* Finds the family by the request's type, for an unknown device; NULL if no family has the type. */
static const char *family_of_type(uint64_t request)
{
	switch (abi_ioc_get(request, ABI_IOC_TYPE)) {
	case 'F': return "frontend";
	case 'm': return "modeset";
	case 'd': return "drm";
	case 0: return abi_ioc_get(request, ABI_IOC_DIRECTION) ? NULL : "uvm";
	default: return NULL;
	}
}

const char *call_identify(uint64_t *number, const char *family, uint64_t request)
{
	/*
	 * A program that stores the request in an int passes a sign-extended value, 0xffffffffc020462a. The
	 * kernel uses only the lower half.
	 */
	if (request > UINT32_MAX && request != (uint64_t)(int32_t)request)
		return NULL;
	if (!family && !(family = family_of_type(request)))
		return NULL;
	/*
	 * In a document, the number of an ioctl of these families is only the nr of the request. In all other
	 * families, it is the whole request, also in drm, of which call_find() compares only type and nr.
	 */
	*number = !strcmp(family, "frontend") || !strcmp(family, "nvswitch") || !strcmp(family, "nvlink")
			  ? abi_ioc_get(request, ABI_IOC_NR)
			  : (uint32_t)request;
	return family;
}

uint64_t call_request_size(const char *family, uint64_t request)
{
	return !strcmp(family, "frontend") || !strcmp(family, "drm") ? abi_ioc_get(request, ABI_IOC_SIZE) : 0;
}

const char *call_identify_on(uint64_t *number, const struct device_rules *devices, const char *path,
			     uint64_t request)
{
	const struct device_rule *rule = device_rule_shown(devices, path, 0);

	return rule && *rule->family ? call_identify(number, rule->family, request) : NULL;
}

const struct abi_ioctl *call_find(const struct abi *abi, const char *family, uint64_t number)
{
	const struct abi_ioctl asked = { .family = family, .number = number };
	const uint64_t identity = abi_ioctl_identity(&asked);
	size_t count;
	const struct abi_ioctl *found = abi_ioctls_numbered(&count, abi, family, number);

	if (found || !abi_ioctl_is_by_nr(&asked))
		return found;
	for (size_t i = abi_ioctls_from(abi, family, identity);
	     i < abi->ioctl_count && !strcmp(abi->ioctls[i].family, family); i++)
		if (abi_ioctl_identity(&abi->ioctls[i]) == identity)
			return &abi->ioctls[i];
	return NULL;
}

/* --- file descriptors: all fields with the role fd, also those in every member of a union ------------ */

/* Lists the descriptors of a record. Return: false if it has none, or if its layout is unknown. */
static bool list_fds(struct abi_layout *out, const struct abi *abi, const char *record, struct arena *arena)
{
	struct abi_layout all;

	if (flatten_record(&all, abi, record, arena, NULL))
		return false;
	flatten_select(out, &all, 1u << ABI_ROLE_FD, arena);
	return out->scalar_count;
}

bool call_has_fd(const struct abi *abi, const char *record)
{
	struct arena arena = { 0 };
	struct abi_layout layout;
	const bool has_fd = list_fds(&layout, abi, record, &arena);

	arena_release(&arena);
	return has_fd;
}

/*
 * Adds the descriptors of @scalar to the @count in @out: one for each element of its enclosing arrays, the
 * first @depth of which @offset_bits includes. Return: their new number.
 */
static size_t add_fd(struct call_fd out[CALL_FDS_MAX], size_t count, const struct call *call,
		     const struct abi_scalar *scalar, uint64_t offset_bits, size_t depth)
{
	const struct abi_field field = { .size_bits = scalar->size_bits };
	const struct call_field at = { &field, offset_bits };
	uint64_t value = 0;

	if (depth < scalar->repeat_count) {
		for (uint64_t i = 0; i < scalar->repeat[depth].count && count < CALL_FDS_MAX; i++)
			count = add_fd(out, count, call, scalar,
				       offset_bits + i * scalar->repeat[depth].stride_bits, depth + 1);
		return count;
	}
	if (count == CALL_FDS_MAX || scalar->is_bitfield || scalar->size_bits > 64 ||
	    (call->bytes && !call_field_read(&value, &at, call->bytes, call->size_bytes)))
		return count;
	out[count] = (struct call_fd){
		.offset_bytes = offset_bits / 8,
		.size_bytes = scalar->size_bits / 8,
		.number = scalar->size_bits == 32 ? (int32_t)value : (int64_t)value,
	};
	return count + 1;
}

size_t call_fds(struct call_fd out[CALL_FDS_MAX], const struct call *call, const struct abi *abi)
{
	struct arena arena = { 0 };
	struct abi_layout layout;
	size_t count = 0;

	if (call->record && list_fds(&layout, abi, call->record, &arena) &&
	    layout.size_bytes == call->size_bytes)
		for (size_t i = 0; i < layout.scalar_count; i++)
			count = add_fd(out, count, call, &layout.scalar[i], layout.scalar[i].offset_bits, 0);
	arena_release(&arena);
	return count;
}

/* --- the memory at the pointers in a call's parameters ------------------------------------------------ */

bool call_pointer_rule_matches(const struct pointer_rule *rule, const struct abi *abi,
			       const struct abi_ioctl *ioctl, const char *record)
{
	struct call_field field;

	return !strcmp(rule->record, record) &&
	       (!rule->ioctl || (ioctl && !strcmp(rule->ioctl, ioctl->name))) &&
	       use_holds_in(rule->versions, rule->version_count, abi->version) &&
	       call_field_find(&field, abi, record, rule->path) &&
	       (!rule->count || call_field_find(&field, abi, record, rule->count)) &&
	       (!rule->times || call_field_find(&field, abi, record, rule->times)) &&
	       (!rule->when || call_field_find(&field, abi, record, rule->when));
}

/* Returns the value of a field of the parameters; 0 if the record or the call's bytes do not have it. */
static uint64_t field_value(const struct call *call, const struct abi *abi, const char *path)
{
	uint64_t value;

	return call_field_value(&value, abi, call->record, path, call->bytes, call->size_bytes) ? value : 0;
}

bool call_is_serialized(const struct call *outer, const struct abi *abi)
{
	enum { SERIALIZED = 4 };

	return outer->record && outer->bytes && !strcmp(outer->record, "NVOS54_PARAMETERS") &&
	       field_value(outer, abi, "flags") & SERIALIZED;
}

/* Return: the bytes at @address; NULL if they are unknown, or if @size_bytes is 0. */
static const uint8_t *read_memory(const struct call_memory *memory, uint64_t address, uint64_t size_bytes)
{
	const uint8_t *bytes = NULL;

	return memory && size_bytes && memory->read(&bytes, memory->data, address, size_bytes) ? bytes : NULL;
}

/*
 * Gets the address, the size and the bytes of what the pointer of @rule points to. If the size is above
 * CALL_SIZE_MAX, is_too_long is set and there are no bytes. Return: false if the pointer is NULL, its field
 * is not in the record or not in the call's bytes, or the rule's condition is false.
 */
static bool follow_pointer(struct call_pointer *out, const struct pointer_rule *rule, const struct call *call,
			   const struct abi *abi, const struct call_memory *memory)
{
	struct call_pointer found = { .path = rule->path,
				      .element = rule->element,
				      .counted_by = rule->count,
				      .direction = rule->direction };
	struct call_field field;
	uint64_t count, times;

	if ((rule->when && (field_value(call, abi, rule->when) & rule->mask) != rule->equals) ||
	    !call_field_find(&field, abi, call->record, rule->path) ||
	    !call_field_read(&found.address, &field, call->bytes, call->size_bytes) || !found.address)
		return false;
	found.offset_bytes = field.offset_bits / 8;
	found.element_bytes = call_record_size(abi, rule->element);
	count = rule->count ? field_value(call, abi, rule->count) : 1;
	times = rule->times ? field_value(call, abi, rule->times) : 1;
	found.is_too_long = times && count > UINT64_MAX / times;
	found.count = found.is_too_long ? 0 : count * times;
	if (found.count > CALL_SIZE_MAX ||
	    (found.element_bytes && found.count > CALL_SIZE_MAX / found.element_bytes))
		found.is_too_long = true;
	if (!found.is_too_long)
		found.size_bytes = found.count * found.element_bytes;
	found.bytes = read_memory(memory, found.address, found.size_bytes);
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

/*
 * Appends the pointers in @call's bytes that have a rule to the @count pointers in @out. Of several rules for
 * a pointer, the first whose condition is true is used. Return: their new number.
 */
static size_t follow_all(struct call_pointer out[CALL_POINTERS_MAX], size_t count, const struct call *call,
			 const struct abi *abi, const struct pointer_rules *rules,
			 const struct call_memory *memory)
{
	const size_t first = count;

	for (size_t i = 0; i < rules->count && count < CALL_POINTERS_MAX; i++)
		if (call_pointer_rule_matches(&rules->rules[i], abi, call->ioctl, call->record) &&
		    !has_path(out + first, count - first, rules->rules[i].path))
			count += follow_pointer(&out[count], &rules->rules[i], call, abi, memory);
	return count;
}

bool call_has_pointer_rule(const struct pointer_rules *rules, const char *record)
{
	for (size_t i = 0; i < rules->count; i++)
		if (!strcmp(rules->rules[i].record, record))
			return true;
	return false;
}

size_t call_pointers(struct call_pointer out[CALL_POINTERS_MAX], const struct call *chain, size_t index,
		     const struct abi *abi, const struct pointer_rules *rules,
		     const struct call_memory *memory)
{
	const struct call *call = &chain[index];
	size_t count, direct;

	if (!call->record || !call->bytes || call_record_size(abi, call->record) != call->size_bytes ||
	    (index && call_is_serialized(&chain[index - 1], abi)))
		return 0;
	count = direct = follow_all(out, 0, call, abi, rules, memory);
	for (size_t i = 0; i < direct; i++) {
		struct call element = { .record = out[i].element, .size_bytes = out[i].element_bytes };

		if (!out[i].bytes || !call_has_pointer_rule(rules, element.record))
			continue;
		for (uint64_t e = 0; e < out[i].count && count < CALL_POINTERS_MAX; e++) {
			const size_t first = count;

			element.bytes = out[i].bytes + e * element.size_bytes;
			count = follow_all(out, count, &element, abi, rules, memory);
			for (size_t k = first; k < count; k++) {
				out[k].within = i + 1;
				out[k].element_index = e;
				out[k].offset_bytes += e * element.size_bytes;
			}
		}
	}
	return count;
}

bool call_follows(const struct pointer_rules *rules, const struct abi *abi, const struct abi_ioctl *ioctl,
		  const char *record, const char *path)
{
	const struct call_rule *envelope = ioctl ? call_rule_of(ioctl, record) : NULL;

	if (envelope && !strcmp(envelope->pointer, path))
		return true;
	for (size_t i = 0; i < rules->count; i++)
		if (!strcmp(rules->rules[i].path, path) &&
		    call_pointer_rule_matches(&rules->rules[i], abi, ioctl, record))
			return true;
	return false;
}

static void identify_parameters(struct call *call, const struct abi *abi)
{
	call->ioctl = call_find(abi, call->family, call->number);
	call->record = call->ioctl ? call_record(abi, call->ioctl, call->size_bytes) : NULL;
}

/* Finds the ioctl inside @outer. Return: false if @outer is not an envelope, or its bytes are unknown. */
static bool open_envelope(struct call *inner, const struct call *outer, const struct abi *abi)
{
	const struct call_rule *rule = outer->record ? call_rule_of(outer->ioctl, outer->record) : NULL;
	struct call found = { .address = 0 };

	if (!rule || !outer->bytes || call_record_size(abi, outer->record) != outer->size_bytes ||
	    !call_field_value(&found.number, abi, outer->record, rule->number, outer->bytes,
			      outer->size_bytes) ||
	    !call_field_value(&found.address, abi, outer->record, rule->pointer, outer->bytes,
			      outer->size_bytes))
		return false;
	found.family = rule->family;
	/*
	 * In an allocation, the class decides the size. The driver ignores a different size in the envelope,
	 * and the envelopes of 515 and 525 have no field for the size.
	 */
	found.has_size = strcmp(found.family, "alloc") != 0;
	if (!call_field_value(&found.size_bytes, abi, outer->record, rule->size, outer->bytes,
			      outer->size_bytes) &&
	    found.has_size)
		return false;
	*inner = found;
	return true;
}

size_t call_follow(struct call chain[CALL_DEPTH_MAX], const struct call *first, const struct abi *abi,
		   const struct call_memory *memory)
{
	size_t count = 1;

	chain[0] = *first;
	identify_parameters(&chain[0], abi);
	for (; count < CALL_DEPTH_MAX && open_envelope(&chain[count], &chain[count - 1], abi); count++) {
		struct call *inner = &chain[count];

		identify_parameters(inner, abi);
		if (!inner->has_size && inner->record)
			inner->size_bytes = call_record_size(abi, inner->record);
		if (inner->address && inner->size_bytes <= CALL_SIZE_MAX)
			inner->bytes = read_memory(memory, inner->address, inner->size_bytes);
	}
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
