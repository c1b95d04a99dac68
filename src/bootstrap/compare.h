/*
 * bootstrap/compare.h - which entries changed, and at which version first
 *
 * Inside the room.
 */
#ifndef BOOTSTRAP_COMPARE_H
#define BOOTSTRAP_COMPARE_H

#include "bootstrap/run.h"

/* compare_entries - sets changes and proof, and what passed in between. Return: 0; what flatten_record() returns. */
int compare_entries(struct boot *boot);

/* compare_find_since - sets the version from which on @change is as it is. Return: 0; what flatten_record() returns. */
int compare_find_since(struct boot *boot, struct boot_change *change);

#endif
