/*
 * decode/resolve.h - which ioctl a call is, in which version, whatever its bytes are
 *
 * Internal to decode/.
 */
#ifndef DECODE_RESOLVE_H
#define DECODE_RESOLVE_H

#include "decode/decode.h"

/* What decides it. */
struct decode_subject {
	const char *family;
	uint64_t number;
	bool has_size;
	uint64_t size_bytes; /* of the parameters */
	bool has_bytes;
};

/* decode_resolve - name, record, version and notes; fields and pointers are none. @out lives in @arena. */
void decode_resolve(struct decode_ioctl *out, const struct decode_subject *subject, const struct decode_scope *scope, struct arena *arena);

#endif
