/*
 * diff/pass.h - the state of one comparison, passed from step to step
 *
 * Layer L3, internal to diff/. diff.c runs the steps in this order:
 *
 *   pair_records     which records share a name
 *   match_ioctls     which ioctls are the same, or were renamed; asks what their records hold
 *   records          which records changed; asks the ioctls which were renamed
 *   enums, aliases   what changed, without regard to who uses it
 *   ioctls           which changed, now that it is known which records are the same
 *   constants        which changed and were not told with their ioctl
 *   renamed_with     which records and constants were renamed together with an ioctl
 *   reach            which ioctls carry a changed record
 *   touch            which entries of the table that concerns
 *   through          which records changed only through one inside them, or came inside one that changed
 *   use              what the proxy does with each, and what it has to do
 */
#ifndef DIFF_PASS_H
#define DIFF_PASS_H

#include "diff/diff.h"
#include "diff/side.h"

struct diff_pass {
	struct diff_side base, next;
	const struct diff_options *options;
	struct arena *arena;          /* the result's; also for what only the pass needs */
	struct diff_change *changes;  /* malloc'd */
	size_t change_count, change_capacity;
	struct diff_pairing records;  /* of record names */
	size_t *record_partner;       /* by group of base: the group of next that it became; SIZE_MAX if none */
	/* By index in its document: the same ioctl in the other one; NULL if none. */
	const struct abi_ioctl **base_partner, **next_partner;
	/* By family and abi_ioctl_identity(): the ioctls of either version. */
	const struct abi_ioctl *const *base_by_identity, *const *next_by_identity;
};

/* diff_add_change - a zeroed change at the end of the list; the pointer holds until the next one is added. */
struct diff_change *diff_add_change(struct diff_pass *pass, enum abi_kind kind, const char *name);

void diff_pair_records(struct diff_pass *pass);
int diff_match_ioctls(struct diff_pass *pass, struct err *err);
int diff_records(struct diff_pass *pass, struct err *err);
void diff_enums(struct diff_pass *pass);
int diff_aliases(struct diff_pass *pass, struct err *err);
int diff_ioctls(struct diff_pass *pass, struct err *err);
void diff_constants(struct diff_pass *pass);
void diff_renamed_with(struct diff_pass *pass);
void diff_reach(struct diff_pass *pass);
void diff_touch(struct diff_pass *pass);
void diff_through(struct diff_pass *pass);
/* diff_reads_entry - has the proxy a type of its own for any struct of @entry? */
bool diff_reads_entry(const struct table_entry *entry);
int diff_set_uses(struct diff_pass *pass, struct err *err);
void diff_count_tally(struct diff_tally *out, const struct diff_pass *pass);

/* diff_same_params - do two parameter records, one of base and one of next, stand for the same one? NULL is none. */
bool diff_same_params(const struct diff_pass *pass, const char *base, const char *next);

#endif
