/* abi/ioc.c - the parts of an ioctl's number, as <linux/ioctl.h> encodes it */
#include "abi/abi.h"

static const struct {
	const char *name;
	unsigned low_bit, width;
} fields[ABI_IOC_FIELD_COUNT] = {
	[ABI_IOC_NR] = { "nr", 0, 8 },
	[ABI_IOC_TYPE] = { "type", 8, 8 },
	[ABI_IOC_SIZE] = { "size", 16, 14 },
	[ABI_IOC_DIRECTION] = { "direction", 30, 2 },
};

uint64_t abi_ioc_mask(enum abi_ioc_field field)
{
	return ((UINT64_C(1) << fields[field].width) - 1) << fields[field].low_bit;
}

unsigned abi_ioc_get(uint64_t number, enum abi_ioc_field field)
{
	return (unsigned)((number & abi_ioc_mask(field)) >> fields[field].low_bit);
}

const char *abi_ioc_field_name(enum abi_ioc_field field)
{
	return fields[field].name;
}

const char *abi_ioc_direction_name(unsigned direction)
{
	static const char *const names[] = { "none", "write", "read", "read-write" };

	return names[direction & 3];
}

bool abi_ioctl_is_plain(const void *ioctl)
{
	return ((const struct abi_ioctl *)ioctl)->encoding == ABI_NUMBER_PLAIN;
}

bool abi_ioctl_is_by_nr(const struct abi_ioctl *ioctl)
{
	return ioctl->encoding == ABI_NUMBER_IOC_BY_NR ||
	       (abi_ioctl_is_plain(ioctl) && abi_ioc_get(ioctl->number, ABI_IOC_TYPE) == 'd' &&
		!strcmp(ioctl->family, "drm"));
}

uint64_t abi_ioctl_identity(const struct abi_ioctl *ioctl)
{
	if (!abi_ioctl_is_by_nr(ioctl))
		return ioctl->number;
	return ioctl->number & (abi_ioc_mask(ABI_IOC_TYPE) | abi_ioc_mask(ABI_IOC_NR));
}
