/*
 * sniff/identify.h - which ioctl a request to a device is, and how long its argument
 *
 * Part of sniff/.
 */
#ifndef SNIFF_IDENTIFY_H
#define SNIFF_IDENTIFY_H

#include "decode/decode.h"

/**
 * identify_ioctl - sets family, number, address and size_bytes
 * @path: of the device, which @devices name
 * @abi:  NULL: only what the request says
 *
 * The size is what the request says; UVM's requests are plain numbers, and the document says it. family is NULL for a device that has none.
 */
void identify_ioctl(struct call *out, const struct device_rules *devices, const char *path, uint64_t request, uint64_t argument,
		    const struct abi *abi);

#endif
