/*
 * extract/encoding.h - what the number of a Linux ioctl says besides
 *
 * Layer L2, inside ioctls/. Direction, type, nr and size are in the number (abi/ioc.h); the C type that the size is of, clang
 * found where the macro is made with _IO() or its like (extract/macro_kinds.h).
 */
#ifndef EXTRACT_ENCODING_H
#define EXTRACT_ENCODING_H

#include "extract/params.h"

/**
 * encoding_number - the number of @member, 32 bits of it where the family's numbers are encoded
 *
 * "2 << 30" is negative in C: then the bits count. Return: false if it is no number of an ioctl, after a warning.
 */
bool encoding_number(uint64_t *out, const struct family_context *context, const struct ioctl_candidate *member);

/* encoding_wants - is @number of one of the family's types, or says the family nothing of types? */
bool encoding_wants(const struct profile_family *family, uint64_t number);

/**
 * encoding_set - the encoding of @ioctl, if its family's numbers are encoded; a warning if its record has another size
 * @ioctl: number and params are set; params that are NULL become what the macro was given
 */
void encoding_set(struct abi_ioctl *ioctl, const struct family_context *context, const struct ioctl_candidate *member);

#endif
