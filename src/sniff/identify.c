#include "sniff/identify.h"

#include <string.h>

void identify_ioctl(struct call *out, const struct device_rules *devices, const char *path, uint64_t request, uint64_t argument,
		    const struct abi *abi)
{
	struct call call = { .address = argument, .size_bytes = call_split(request).size_bytes };

	call.family = call_identify_on(&call.number, devices, path, request);
	if (call.family && !strcmp(call.family, "uvm")) {
		const struct abi_ioctl *ioctl = abi ? call_find(abi, call.family, call.number) : NULL;
		const char *record = ioctl ? call_record(abi, ioctl, 0) : NULL;

		call.size_bytes = record ? call_record_size(abi, record) : 0;
	}
	call.has_size = call.size_bytes;
	*out = call;
}
