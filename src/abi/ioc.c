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

/* The number of the lowest bit of each part of abi_ioctl_head(). The flag count begins at bit 0. */
enum { HEAD_ENCODING = 48, HEAD_VARIES = 52, HEAD_ARGUMENT = 56 };

uint64_t abi_ioctl_head(const struct abi_ioctl *ioctl)
{
	uint64_t head = ioctl->flag_count;

	if (!abi_ioctl_is_plain(ioctl))
		head |= (uint64_t)ioctl->encoding << HEAD_ENCODING | (uint64_t)ioctl->varies << HEAD_VARIES |
			(uint64_t)(ioctl->argument != NULL) << HEAD_ARGUMENT;
	return head;
}

bool abi_ioctl_set_head(struct abi_ioctl *out, bool *has_argument, uint64_t head)
{
	unsigned encoding = head >> HEAD_ENCODING & 15, varies = head >> HEAD_VARIES & 15;

	if (head >> (HEAD_ARGUMENT + 1) || encoding > ABI_ENCODING_LAST ||
	    (!encoding && head >> HEAD_ENCODING))
		return false;
	out->flag_count = head & ((UINT64_C(1) << HEAD_ENCODING) - 1);
	out->encoding = (enum abi_encoding)encoding;
	out->varies = varies;
	*has_argument = head >> HEAD_ARGUMENT & 1;
	return true;
}
