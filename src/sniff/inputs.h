/*
 * sniff/inputs.h - what of a call must be the same, so that a recorded one answers it
 *
 * Part of sniff/.
 */
#ifndef SNIFF_INPUTS_H
#define SNIFF_INPUTS_H

#include "sniff/gather.h"

#define INPUTS_EMPTY_HASH UINT64_C(0xcbf29ce484222325)

/* inputs_mix - add bytes to a hash, which begins as INPUTS_EMPTY_HASH. */
void inputs_mix(uint64_t *hash, const void *data, size_t size_bytes);

/* inputs_shape - a hash of device, request, what is inside, and the sizes of all ranges. */
uint64_t inputs_shape(const char *path, uint64_t request, const struct gathered *gathered);

/* inputs_copy - the bytes of one range that are inputs: pointers and descriptors become zeros. */
void inputs_copy(struct strbuf *out, const struct gathered *gathered, size_t region);

/* inputs_hash - of all ranges, but for those that the driver only writes. */
uint64_t inputs_hash(const struct gathered *gathered);

#endif
