#include "decode/call.h"

#include <string.h>

/* The bits of a request: asm-generic/ioctl.h, which x86_64 and arm64 use. */
enum { NUMBER_BITS = 8, TYPE_BITS = 8, SIZE_BITS = 14 };

struct call_request call_split(uint64_t request)
{
	return (struct call_request){
		.number = (unsigned)(request & 0xff),
		.type = (unsigned)(request >> NUMBER_BITS) & 0xff,
		.size_bytes = (unsigned)(request >> (NUMBER_BITS + TYPE_BITS)) & ((1u << SIZE_BITS) - 1),
		.direction = (unsigned)(request >> (NUMBER_BITS + TYPE_BITS + SIZE_BITS)) & 3,
	};
}

const char *call_family_of_path(const struct device_rules *devices, const char *path)
{
	const struct device_rule *rule = device_rule_of_path(devices, path);

	return rule && *rule->family ? rule->family : NULL;
}

/* By the request's type, where no device is known. */
static const char *family_of_type(const struct call_request *request)
{
	switch (request->type) {
	case 'F': return "frontend";
	case 'm': return "modeset";
	case 'd': return "drm";
	case 0: return request->direction ? NULL : "uvm";
	default: return NULL;
	}
}

/* A program that has the request in an int passes its sign, too: 0xffffffffc020462a. The kernel looks at the lower half. */
static bool is_32_bits(uint64_t request)
{
	return request <= UINT32_MAX || request == (uint64_t)(int32_t)request;
}

/* The driver ignores the type of an escape, and nvswitch and nvlink the size; all others are numbered by the whole request. */
static bool is_known_by_nr(const char *family)
{
	return !strcmp(family, "frontend") || !strcmp(family, "nvswitch") || !strcmp(family, "nvlink");
}

const char *call_identify(uint64_t *number, const char *family, uint64_t request)
{
	const struct call_request split = call_split(request);

	if (!is_32_bits(request))
		return NULL;
	if (!family)
		family = family_of_type(&split);
	if (!family)
		return NULL;
	*number = is_known_by_nr(family) ? split.number : (uint32_t)request;
	return family;
}

const char *call_identify_on(uint64_t *number, const struct device_rules *devices, const char *path, uint64_t request)
{
	const char *family = call_family_of_path(devices, path);

	return family ? call_identify(number, family, request) : NULL;
}

const struct abi_ioctl *call_find(const struct abi *abi, const char *family, uint64_t number)
{
	size_t low = 0, high = abi->ioctl_count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		const struct abi_ioctl *at = &abi->ioctls[middle];
		const int order = strcmp(at->family, family);

		if (order < 0 || (!order && at->number < number))
			low = middle + 1;
		else
			high = middle;
	}
	if (low == abi->ioctl_count || strcmp(abi->ioctls[low].family, family) || abi->ioctls[low].number != number)
		return NULL;
	return &abi->ioctls[low];
}

uint64_t call_record_size(const struct abi *abi, const char *name)
{
	const struct abi_record *record = abi_find_record(abi, name);
	struct abi_type type;

	if (record)
		return record->size_bytes;
	if (abi_resolve_type(&type, abi, name, NULL) || (type.count && type.element_bytes > UINT64_MAX / type.count))
		return 0;
	return type.element_bytes * type.count;
}
