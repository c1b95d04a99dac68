/*
 * history/since.h - from which version to which an item has a name or a number
 *
 * Part of history/, and of its public face.
 */
#ifndef HISTORY_SINCE_H
#define HISTORY_SINCE_H

#include "abi/abi.h"

struct history;
struct history_graph;
struct history_filter;

/* What an item is on the other side of the edge where its span begins or ends. Set by history_moves(). */
struct history_move {
	enum abi_kind kind; /* ABI_CONSTANT: only a macro has its number there */
	const char *name;   /* its name there; NULL: it is not there */
	uint64_t number;    /* of an ioctl or a command's macro; else 0 */
	size_t parent;      /* of the edge */
};

/* An item of the ABI over all versions. */
struct history_span {
	enum abi_kind kind;
	const char *family;   /* of an ioctl; else NULL */
	const char *name;
	bool has_number;      /* the span is that of @number: it has the versions in which the item has that number */
	uint64_t number;
	const size_t *since;  /* versions that have it, and whose parent has not or is not known */
	size_t since_count;
	const size_t *until;  /* versions that do not have it any more, though their parent has */
	size_t until_count;
	size_t version_count; /* that have it */
	/* Of a number that is looked up (lookup.h): where the item got it and lost it, if that is not where it came and went itself. */
	const size_t *number_since, *number_until;
	size_t number_since_count, number_until_count;
	const struct history_move *was; /* by @since: what the parent has instead */
	const struct history_move *now; /* by @until: what it has become */
};

struct history_spans {
	const struct history_span *spans; /* by kind, family, name; then those of numbers, by number and first version */
	size_t count;
};

/**
 * history_since - the spans of what @filter names
 * @out: lives in @arena
 *
 * Of a number: every ioctl, and every macro of a command that no table
 * lists, that ever had it, while it had it. Of a name that is no glob: every
 * thing of that name. A macro that is the number of an ioctl of that name is
 * the ioctl.
 */
void history_since(struct history_spans *out, const struct history_graph *graph, const struct history_filter *filter,
		   struct arena *arena);

/**
 * history_moves - sets what the items of @spans were before, and what they became
 * @history: of the filter that @spans are of
 *
 * A thing of the same name that has another number, a macro that became an
 * ioctl or the other way round, and renames that the differ found: with a
 * table, only of that what the proxy forwards.
 */
void history_moves(struct history_spans *spans, const struct history *history, struct arena *arena);

/* history_is_glob - has @name a character that stands for others? */
bool history_is_glob(const char *name);

#endif
