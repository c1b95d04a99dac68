/*
 * What the driver's headers say in words only: which escape carries another
 * ioctl, and which member of a union a function uses.
 */
#include "call/call.h"

#include <string.h>

/* nv_escape.h, and the structs of nvos.h and nv-ioctl.h; nvkms-ioctl.h */
static const struct call_rule rules[] = {
	{ "frontend", "NV_ESC_RM_CONTROL", "NVOS54_PARAMETERS", "cmd", "params", "paramsSize", "control" },
	{ "frontend", "NV_ESC_RM_ALLOC", "NVOS64_PARAMETERS", "hClass", "pAllocParms", "paramsSize", "alloc" },
	{ "frontend", "NV_ESC_RM_ALLOC", "NVOS21_PARAMETERS", "hClass", "pAllocParms", "paramsSize", "alloc" },
	{ "frontend", "NV_ESC_IOCTL_XFER_CMD", "nv_ioctl_xfer_t", "cmd", "ptr", "size", "frontend" },
	{ "modeset", "NVKMS_IOCTL_IOWR", "NvKmsIoctlParams", "cmd", "address", "size", "nvkms" },
};

const struct call_rule *call_rule_of(const struct abi_ioctl *ioctl, const char *record)
{
	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
		if (!strcmp(rules[i].outer, ioctl->family) && !strcmp(rules[i].ioctl, ioctl->name) && !strcmp(rules[i].record, record))
			return &rules[i];
	return NULL;
}

const char *call_record(const struct abi *abi, const struct abi_ioctl *ioctl, uint64_t size_bytes)
{
	if (!ioctl->params || !size_bytes || call_record_size(abi, ioctl->params) == size_bytes)
		return ioctl->params;
	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
		if (call_rule_of(ioctl, rules[i].record) == &rules[i] && call_record_size(abi, rules[i].record) == size_bytes)
			return rules[i].record;
	return ioctl->params;
}

#define HEAP(number, name, union_member) { "NVOS32_PARAMETERS", "function", number, "data", union_member, "NVOS32_FUNCTION_" name }

/* nvos.h, NVOS32_FUNCTION_* and the comments of the union's members. */
static const struct call_choice choices[] = {
	HEAP(2, "ALLOC_SIZE", "AllocSize"),
	HEAP(3, "FREE", "Free"),
	HEAP(5, "INFO", "Info"),
	HEAP(6, "ALLOC_TILED_PITCH_HEIGHT", "AllocTiledPitchHeight"),
	HEAP(14, "ALLOC_SIZE_RANGE", "AllocSizeRange"),
	HEAP(15, "REACQUIRE_COMPR", "ReacquireCompr"),
	HEAP(16, "RELEASE_COMPR", "ReleaseCompr"),
	HEAP(18, "GET_MEM_ALIGNMENT", "AllocHintAlignment"),
	HEAP(19, "HW_ALLOC", "HwAlloc"),
	HEAP(20, "HW_FREE", "HwFree"),
	HEAP(27, "ALLOC_OS_DESCRIPTOR", "AllocOsDesc"),
};

bool call_may_choose(const char *record)
{
	for (size_t i = 0; i < sizeof(choices) / sizeof(*choices); i++)
		if (!strcmp(choices[i].record, record))
			return true;
	return false;
}

const struct call_choice *call_chosen(const struct abi *abi, const char *record, const uint8_t *bytes, uint64_t size_bytes)
{
	uint64_t value;

	for (size_t i = 0; i < sizeof(choices) / sizeof(*choices); i++)
		if (!strcmp(choices[i].record, record) &&
		    call_field_value(&value, abi, record, choices[i].selector, bytes, size_bytes) && value == choices[i].value)
			return &choices[i];
	return NULL;
}
