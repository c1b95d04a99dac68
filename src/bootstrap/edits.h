/*
 * bootstrap/edits.h - what to write where in the proxy's source
 *
 * Inside the room. In the words of gVisor's nvproxy (pkg/sentry/devices/nvproxy, pkg/abi/nvgpu).
 */
#ifndef BOOTSTRAP_EDITS_H
#define BOOTSTRAP_EDITS_H

#include "bootstrap/run.h"

/* edits_write - sets the edits of one entry, and a TODO for each that is one. */
void edits_write(struct boot *boot, struct bootstrap_entry *entry);

#endif
