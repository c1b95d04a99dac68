/*
 * What the driver's headers say in words only, or not at all: which escape
 * carries another ioctl, and which an array.
 */
#include "decode/call.h"

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

/* nvidia_ioctl() in kernel-open/nvidia/nv.c of 515.43.04 to 595.45.04: as many as arg_size / sizeof() says */
static const struct {
	const char *ioctl, *element;
} arrays[] = {
	{ "NV_ESC_CARD_INFO", "nv_ioctl_card_info_t" },
	{ "NV_ESC_ATTACH_GPUS_TO_FD", "NvU32" },
};

const struct abi_ioctl *call_sized_ioctl(const struct abi *abi, const char *record)
{
	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++) {
		const struct abi_ioctl *ioctl = strcmp(rules[i].record, record) ? NULL : abi_find_ioctl(abi, rules[i].outer, rules[i].ioctl);

		if (ioctl && ioctl->params && strcmp(ioctl->params, record) != 0 && abi_find_record(abi, record) &&
		    call_record_size(abi, record) != call_record_size(abi, ioctl->params))
			return ioctl;
	}
	return NULL;
}

bool call_has_sizes(const char *family, const char *name)
{
	size_t records = 0;

	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
		records += !strcmp(rules[i].outer, family) && !strcmp(rules[i].ioctl, name);
	for (size_t i = 0; i < sizeof(arrays) / sizeof(*arrays); i++)
		if (!strcmp(family, "frontend") && !strcmp(name, arrays[i].ioctl))
			return true;
	return records > 1;
}

const char *call_array_element(const struct abi_ioctl *ioctl)
{
	for (size_t i = 0; i < sizeof(arrays) / sizeof(*arrays); i++)
		if (!strcmp(ioctl->family, "frontend") && !strcmp(ioctl->name, arrays[i].ioctl))
			return arrays[i].element;
	return NULL;
}
