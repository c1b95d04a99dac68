/*
 * decode/seen.h - the distinct ioctls of many calls, envelopes and what is inside
 *
 * Part of decode/, and of its public face.
 */
#ifndef DECODE_SEEN_H
#define DECODE_SEEN_H

#include "base/base.h"

#include <stdbool.h>

struct call;
struct decode_call;
struct decode_scope;
struct decode_seen;

enum { DECODE_SEEN_MAX = 65536 };

struct decode_seen_ioctl {
	const char *family;
	uint64_t number;
	size_t count;        /* of calls */
	size_t opaque_count; /* of these, envelopes whose content was not recorded */
	size_t unfollowed_count; /* of these, calls with a pointer that no rule is for */
};

struct decode_seen *decode_seen_new(void);
void decode_seen_free(struct decode_seen *seen); /* NULL is fine */

/* decode_seen_add - a call; of ioctls beyond DECODE_SEEN_MAX only decode_seen_left_out() tells. */
void decode_seen_add(struct decode_seen *seen, const struct decode_call *call);

/* decode_seen_add_chain - the same of a call that nobody decodes; @chain: of call_follow() in the document that @scope asks for */
void decode_seen_add_chain(struct decode_seen *seen, const struct call *chain, size_t count, const struct decode_scope *scope);

/* decode_seen_list - by family and number; from xmalloc, freed with free(). */
struct decode_seen_ioctl *decode_seen_list(size_t *count, const struct decode_seen *seen);
size_t decode_seen_left_out(const struct decode_seen *seen);

#endif
