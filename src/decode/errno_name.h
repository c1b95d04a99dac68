/*
 * decode/errno_name.h - the names of what a system call fails with
 *
 * Part of decode/, and of its public face.
 */
#ifndef DECODE_ERRNO_NAME_H
#define DECODE_ERRNO_NAME_H

/* decode_errno_name - "EINVAL"; NULL for what the driver's ioctls do not fail with. */
const char *decode_errno_name(int error);

#endif
