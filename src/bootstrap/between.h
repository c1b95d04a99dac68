/*
 * bootstrap/between.h - are the nodes between right at their own versions?
 *
 * Inside the room.
 */
#ifndef BOOTSTRAP_BETWEEN_H
#define BOOTSTRAP_BETWEEN_H

#include "bootstrap/run.h"

/* between_check - after nodes_build(): a TODO for each entry of a node between of which verify finds something there. */
int between_check(struct boot *boot);

#endif
