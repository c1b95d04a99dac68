/*
 * decode/against.h - which of the ioctls that a workload made are another ABI in another version
 *
 * Part of decode/, and of its public face.
 */
#ifndef DECODE_AGAINST_H
#define DECODE_AGAINST_H

#include "decode/seen.h"
#include "diff/diff.h"

struct pointer_rules;

/* What the other version has instead of an ioctl. */
enum decode_fate {
	DECODE_SAME,
	DECODE_CHANGED,    /* number, record, bytes or access: the workload may break */
	DECODE_GONE,
	DECODE_ALIKE,      /* names, flags or values changed: the bytes and numbers that it used are right */
	DECODE_UNKNOWN,    /* the version that it ran with has no such ioctl: nothing to compare */
};

struct decode_against_row {
	const struct decode_seen_ioctl *seen;
	const struct abi_ioctl *base; /* NULL: DECODE_UNKNOWN */
	const char *next_name;        /* NULL: next has it no more */
	enum decode_fate fate;
	unsigned classes;             /* enum diff_class, of all changes that it is reached by */
};

struct decode_against {
	struct diff diff;             /* of what the ioctls carry alone */
	const struct decode_against_row *rows; /* as decode_seen_list() */
	size_t count;
	size_t by_fate[DECODE_UNKNOWN + 1];    /* ioctls */
	size_t opaque_count;          /* calls of envelopes whose content was not recorded: what they carried is not compared */
	size_t unfollowed_count;      /* calls with a pointer that no rule is for: what it leads to is not compared */
	size_t left_out;              /* calls that were not noted */
};

/* decode_fate_name - "same", "changed", "gone", "alike", "unknown" */
const char *decode_fate_name(enum decode_fate fate);

/**
 * decode_against - compare what was seen
 * @out:  in @arena; points into @seen and the documents
 * @seen: of decode_seen_list()
 * @base: of the version that the workload ran with
 * @pointers: what pointers lead to is compared, too; NULL: it is not
 *
 * Return: 0; what diff_documents() returns.
 */
int decode_against(struct decode_against *out, const struct decode_seen_ioctl *seen, size_t seen_count, const struct abi *base,
		   const struct abi *next, const struct pointer_rules *pointers, struct arena *arena, struct err *err);

#endif
