/*
 * decode/strace_names.h - the names of other drivers' ioctls that strace has for requests of this one
 *
 * Internal to decode/.
 */
#ifndef DECODE_STRACE_NAMES_H
#define DECODE_STRACE_NAMES_H

#include "decode/rest.h"

/**
 * strace_name_read - the request that strace printed as "FIBMAP", or as "NAME or NAME"
 * @family: of the device, without which a name is what it says; NULL: it is not known
 *
 * Return: false if there is no name, or it is that of no request of this driver.
 */
bool strace_name_read(uint64_t *out, struct rest *rest, const char *family);

#endif
