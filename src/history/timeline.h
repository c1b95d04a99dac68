/*
 * history/timeline.h - every item of the ABI, and its state in each version
 *
 * Part of history/; report/ sees it, too. A timeline has a step only where
 * the state differs from the version's ancestor, so an item that never
 * changed has one step.
 */
#ifndef HISTORY_TIMELINE_H
#define HISTORY_TIMELINE_H

#include "abi/abi.h"

struct history;

/* An item as one document has it; the kind of its timeline says which member is set. */
union history_state {
	const struct abi_record *record;
	const struct abi_alias *alias;
	const struct abi_enum *one;
	const struct abi_constant *constant;
	const struct abi_ioctl *ioctl;
	const void *any; /* NULL: the version lacks it */
};

/* At @version the state differs from that of the version's nearest ancestor that could be read. */
struct history_step {
	size_t version;
	union history_state state;
};

struct history_timeline {
	enum abi_kind kind;
	const char *family; /* of an ioctl; else NULL */
	const char *name;
	const struct history_step *steps; /* by version */
	size_t step_count;
};

struct history_timelines {
	const struct history_timeline *timelines; /* by kind, family, name */
	size_t count;
};

/**
 * history_timelines - the timelines of all that @history is about
 * @out: lives in @arena; the documents must outlive it
 *
 * Without a filter, those of every item of any version. With one, those of
 * what changed, of what the filter names, of the ioctls that carry either, and
 * of every type that these use.
 */
void history_timelines(struct history_timelines *out, const struct history *history, struct arena *arena);

#endif
