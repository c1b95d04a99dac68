/*
 * history/blame.h - for each leaf of a record, the version that last changed it
 *
 * Part of history/, and of its public face.
 */
#ifndef HISTORY_BLAME_H
#define HISTORY_BLAME_H

#include "abi/abi.h"
#include "diff/diff.h"

struct history_graph;

struct blame_line {
	const struct abi_leaf *leaf;   /* as it is in the version that was asked for */
	size_t version;                /* that made it what it is */
	bool is_boundary;              /* it was so in the first version already; what was before is unknown */
	enum diff_op op;               /* what that version did to it; added if is_boundary */
	const struct abi_leaf *before; /* what it was; NULL if it was not there */
};

struct blame {
	const char *name;
	size_t version;                /* that was asked for */
	const struct abi_layout *layout;
	const struct blame_line *lines; /* one for each leaf of the layout */
	size_t line_count;
	size_t size_version;           /* that made the record as large as it is */
	bool size_is_boundary;
	uint64_t size_before;          /* 0 if the record was not there */
};

/**
 * history_blame - the version that last changed each leaf of a record
 * @version: index in @graph; its document is known
 * @name:    of a record there, or of an ioctl: its parameters are meant
 *
 * Goes from version to parent, and follows the record where it was renamed.
 * A leaf is changed by another offset, size, type or role, or another number
 * of elements around it.
 * Return: 0; ERR_NOT_FOUND if that version has no such record; what
 * flatten_record() and diff_documents() return.
 */
int history_blame(struct blame *out, const struct history_graph *graph, size_t version, const char *name, struct arena *arena,
		  struct err *err);

#endif
