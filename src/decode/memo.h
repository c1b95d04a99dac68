/*
 * decode/memo.h - what is the same for all calls of one ioctl and size
 *
 * Part of decode/, and of its public face. A trace has a million calls of a few
 * hundred ioctls: which versions fit, what is noted and where the fields are is
 * found once.
 */
#ifndef DECODE_MEMO_H
#define DECODE_MEMO_H

#include "decode/fields.h"

struct decode_ioctl;
struct decode_scope;
struct decode_subject;
struct decode_memo;

/* More are not remembered: an input may name as many as it likes. Large records count for as much as they take. */
enum { DECODE_MEMO_MAX = 4096, DECODE_MEMO_FIELDS_MAX = 1 << 20 };

struct decode_memo *decode_memo_new(void);
void decode_memo_free(struct decode_memo *memo); /* NULL is fine; what it handed out is gone */

/**
 * decode_memo_ioctl - as decode_resolve()
 * @scope: the same in every call; its memo may be NULL
 *
 * Return: remembered, or made in @arena.
 */
const struct decode_ioctl *decode_memo_ioctl(const struct decode_subject *subject, const struct decode_scope *scope, struct arena *arena);

/**
 * decode_fields - the fields of some bytes
 * @scope:  its memo and its rules of unions
 * @type:   a record, an alias, or an array of such: "NvU32[8]"
 * @bytes:  as many as the type has
 * @before: the same before the call; NULL: not known. Both must outlive @out
 *
 * Return: 0; ERR_LAYOUT if a field is not inside the record; ERR_LIMIT if there are more than DECODE_FIELDS_MAX,
 * or records nest too deep; ERR_NOT_FOUND, ERR_FORMAT of a type.
 */
int decode_fields(struct decode_fields *out, const struct decode_scope *scope, const struct abi *abi, const char *type, const uint8_t *bytes,
		  const uint8_t *before, uint64_t size_bytes, struct arena *arena, struct err *err);

#endif
