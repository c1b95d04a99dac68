/*
 * history/lives.h - everything of the ABI, and what it was in each version
 *
 * Part of history/, and of its public face. A life tells only what differs
 * from the parent, so a thing that never changed is one step.
 */
#ifndef HISTORY_LIVES_H
#define HISTORY_LIVES_H

#include "abi/abi.h"

struct history;

/* A thing as one document has it; the kind of its life says which member is set. */
union history_state {
	const struct abi_record *record;
	const struct abi_alias *alias;
	const struct abi_enum *one;
	const struct abi_constant *constant;
	const struct abi_ioctl *ioctl;
	const void *any; /* NULL: the version has it no more */
};

/* At @version it is not what it was in the version's nearest ancestor that could be read. */
struct history_step {
	size_t version;
	union history_state state;
};

struct history_life {
	enum abi_kind kind;
	const char *family; /* of an ioctl; else NULL */
	const char *name;
	const struct history_step *steps; /* by version */
	size_t step_count;
};

struct history_lives {
	const struct history_life *lives; /* by kind, family, name */
	size_t count;
};

/**
 * history_lives - the lives of all that @history is about
 * @out: lives in @arena; the documents must outlive it
 *
 * Without a filter, of everything that any version has. Else of what changed,
 * what the filter names, the ioctls that carry either, and every type that
 * these are made of.
 */
void history_lives(struct history_lives *out, const struct history *history, struct arena *arena);

#endif
