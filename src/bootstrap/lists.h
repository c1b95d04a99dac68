/*
 * bootstrap/lists.h - what is collected on the way: doubts, TODOs, remarks
 *
 * Inside the room.
 */
#ifndef BOOTSTRAP_LISTS_H
#define BOOTSTRAP_LISTS_H

#include "bootstrap/run.h"

struct boot_lists {
	struct bootstrap_audit *audit;
	size_t audit_count, audit_capacity;
	struct bootstrap_todo *todo;
	size_t todo_count, todo_capacity;
	const char **not_checked;
	size_t not_checked_count, not_checked_capacity;
	const char **proof;
	size_t proof_count, proof_capacity;
};

void lists_audit(struct boot *boot, struct bootstrap_audit one);
void lists_todo(struct boot *boot, struct bootstrap_todo one);
/* lists_not_checked, lists_proof - one sentence, in the run's arena. */
void lists_not_checked(struct boot *boot, const char *text);
void lists_proof(struct boot *boot, const char *text);

/* lists_finish - hands all of them to the result. */
void lists_finish(struct boot *boot);
void lists_release(struct boot_lists *lists);

#endif
