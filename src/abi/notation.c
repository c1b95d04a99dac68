#include "abi/notation.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Above, a decimal number tells nobody anything, and JSON has none either (abi_number_text()). */
#define MAX_DECIMAL (UINT64_C(1) << 53)

/*
 * A document has no text of the headers, so this is known here. In OGKM all
 * releases have UVM_IOCTL_BASE(34), which is 34 on Linux, in uvm_ioctl.h, and
 * NV_IOCTL_BASE + 12, where that is 200, in nv-ioctl-numbers.h;
 * UVM_TEST_IOCTL_BASE(7) is 207; and nvkms counts with an enum. The other
 * numbers are hexadecimal: nv_escape.h, class/, ctrl/, uvm_linux_ioctl.h; and so
 * are the requests of drm and kfd.
 */
const struct abi_counted abi_counted_numbers[] = {
	{ "uvm", 0, 0xffff },
	{ "uvm-test", 0, 0xffff },
	{ "nvkms", 0, 0xffff },
	{ "frontend", 200, 255 },
	{ NULL, 0, 0 },
};

static bool is_counted(const char *family, uint64_t number)
{
	for (const struct abi_counted *counted = abi_counted_numbers; family && counted->family; counted++)
		if (!strcmp(family, counted->family) && number >= counted->first && number <= counted->last)
			return true;
	return false;
}

const char *abi_ioctl_number(const char *family, uint64_t number, char buffer[ABI_NOTATION_BYTES])
{
	snprintf(buffer, ABI_NOTATION_BYTES, is_counted(family, number) ? "%" PRIu64 : "0x%" PRIx64, number);
	return buffer;
}

const char *abi_constant_number(const struct abi_constant *constant, char buffer[ABI_NOTATION_BYTES])
{
	uint64_t value = constant->value.magnitude;

	if (constant->value.negative || value > MAX_DECIMAL)
		return abi_number_text(constant->value, buffer);
	if (strstr(constant->name, "_CMD_"))
		return abi_ioctl_number(NULL, value, buffer);
	snprintf(buffer, ABI_NOTATION_BYTES, value < 10 ? "%" PRIu64 : "0x%" PRIx64 " (%" PRIu64 ")", value, value);
	return buffer;
}
