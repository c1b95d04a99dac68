/*
 * decode/errno_name.h - the names of what a system call fails with
 *
 * Part of decode/, and of its public face.
 */
#ifndef DECODE_ERRNO_NAME_H
#define DECODE_ERRNO_NAME_H

#include <stddef.h>

/* decode_errno_name - "EINVAL"; NULL for what the driver's ioctls do not fail with. */
const char *decode_errno_name(int error);

/* decode_errno_number - of @length bytes of a name; 0 if it is none of those. */
int decode_errno_number(const char *name, size_t length);

#endif
