/*
 * bootstrap/candidates.h - what a version offers that its parent did not, and is there more to its parameters than bytes?
 *
 * Inside the room.
 */
#ifndef BOOTSTRAP_CANDIDATES_H
#define BOOTSTRAP_CANDIDATES_H

#include "bootstrap/run.h"

/* candidates_find - sets candidates, and adds what is doubtful about the simple ones to audit. Return: 0; what flatten_record() returns. */
int candidates_find(struct boot *boot);

/* candidates_judge - sets record, size, is_simple and why; @params: NULL if it has none. */
int candidates_judge(struct bootstrap_candidate *out, const struct abi *abi, const char *params, struct arena *arena, struct err *err);

/**
 * candidates_params - the record that an ioctl takes
 *
 * What the driver's table says; for a command of which there is only a macro, by its name:
 * NV2080_CTRL_CMD_X takes NV2080_CTRL_X_PARAMS. NULL if it takes none, or nothing says.
 */
const char *candidates_params(const struct abi *abi, const struct abi_ioctl *ioctl, const char *name, struct arena *arena);

#endif
