/*
 * history/since.h - who had a name or a number, from which version to which
 *
 * Part of history/, and of its public face.
 */
#ifndef HISTORY_SINCE_H
#define HISTORY_SINCE_H

#include "abi/abi.h"

struct history_graph;
struct history_filter;

/* A thing of the ABI over all versions. */
struct history_span {
	enum abi_kind kind;
	const char *family;   /* of an ioctl; else NULL */
	const char *name;
	const size_t *since;  /* versions that have it, and whose parent has not or is not known */
	size_t since_count;
	const size_t *until;  /* versions that do not have it any more, though their parent has */
	size_t until_count;
	size_t version_count; /* that have it */
};

struct history_spans {
	const struct history_span *spans; /* by kind, family, name; those of a number by first version */
	size_t count;
};

/**
 * history_since - the spans of what @filter names
 * @out: lives in @arena
 *
 * With a number: every ioctl, and every macro of a command that no table
 * lists, that ever had it, while it had it. Else every
 * thing of each name that is no glob. A macro that is the number of an ioctl
 * of that name is the ioctl.
 */
void history_since(struct history_spans *out, const struct history_graph *graph, const struct history_filter *filter,
		   struct arena *arena);

/* history_is_glob - has @name a character that stands for others? */
bool history_is_glob(const char *name);

#endif
