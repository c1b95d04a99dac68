/*
 * abi/ioc.h - an ioctl's number as Linux encodes it
 *
 * Layer L1. _IO(), _IOR(), _IOW() and _IOWR() of <linux/ioctl.h> put four things
 * into 32 bits: nr in bits 0 to 7, the type in 8 to 15, the size of what the
 * argument points to in 16 to 29, the direction in 30 and 31. So it is for
 * x86 and arm64, and for all but a few old machines.
 */
#ifndef ABI_IOC_H
#define ABI_IOC_H

#include "abi/document.h"

/* The direction, from where the caller stands; both bits: the driver reads the argument and writes it. */
enum {
	ABI_IOC_WRITE = 1, /* the caller writes it, the driver reads it */
	ABI_IOC_READ = 2,
};

/* What an encoded number is made of. */
enum abi_ioc_field {
	ABI_IOC_NR,
	ABI_IOC_TYPE,
	ABI_IOC_SIZE,
	ABI_IOC_DIRECTION,
};
enum { ABI_IOC_FIELD_COUNT = ABI_IOC_DIRECTION + 1 };

/* abi_ioc_get - one field of @number. */
unsigned abi_ioc_get(uint64_t number, enum abi_ioc_field field);
/* abi_ioc_mask - the bits that @field has in a number. */
uint64_t abi_ioc_mask(enum abi_ioc_field field);
/* abi_ioc_field_name - "nr", "type", "size", "direction". */
const char *abi_ioc_field_name(enum abi_ioc_field field);
/* abi_ioc_direction_name - "none", "read", "write" or "read-write". */
const char *abi_ioc_direction_name(unsigned direction);

/* abi_ioctl_is_encoded - is the number one of <linux/ioctl.h>? */
bool abi_ioctl_is_encoded(const struct abi_ioctl *ioctl);

/**
 * abi_ioctl_identity - what of its number the driver knows an ioctl by
 *
 * The whole number, or type and nr, where the driver looks at nothing else: then an ioctl may get another
 * size, and so another number, and is the same.
 */
uint64_t abi_ioctl_identity(const struct abi_ioctl *ioctl);

/* abi_ioctl_same_encoding - are the encoding, what varies, and the argument the same? Numbers are not compared. */
bool abi_ioctl_same_encoding(const struct abi_ioctl *a, const struct abi_ioctl *b);

/*
 * abi_ioctl_head - the flag count and the encoding as one number, for what is written to files
 *
 * Of an ioctl whose number is plain it is the flag count alone, as it was before there were encodings.
 */
uint64_t abi_ioctl_head(const struct abi_ioctl *ioctl);

/**
 * abi_ioctl_set_head - the reverse
 * @out: flag_count, encoding and varies are set
 * @has_argument: is there an argument to be read?
 *
 * Return: false, nothing set, if @head is none that abi_ioctl_head() gives.
 */
bool abi_ioctl_set_head(struct abi_ioctl *out, bool *has_argument, uint64_t head);

#endif
