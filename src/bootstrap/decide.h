/*
 * bootstrap/decide.h - what has to be done about each entry that changed
 *
 * Inside the room.
 */
#ifndef BOOTSTRAP_DECIDE_H
#define BOOTSTRAP_DECIDE_H

#include "bootstrap/findings.h"

/*
 * decide_actions - sets the action of each change, since when, its new types and its new entry
 *
 * Return: 0; what verify_view(), flatten_record() and proxytype_declare() return.
 */
int decide_actions(struct boot *boot);

/* decide_unsettled - what verify would still find in the version with all that was decided. */
int decide_unsettled(struct boot_findings *out, struct boot *boot);

/* decide_types - the table's types, and the new ones. */
struct table decide_types(const struct boot *boot);

#endif
