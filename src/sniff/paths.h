/*
 * sniff/paths.h - system calls that name a replayed device, or ask what it is
 *
 * Part of sniff/. An open becomes memfd_create(2) with the caller's own path as the name, which /proc shows for as long as the descriptor is
 * open. A status is that of the driver's character device; what readlink(2) says of such a descriptor is the device's path.
 */
#ifndef SNIFF_PATHS_H
#define SNIFF_PATHS_H

#include "sniff/session.h"

/* paths_entry - at the entry of a call of which filter_names_path() is true: sets tracee->call if it is answered. */
void paths_entry(struct session *session, struct tracee *tracee, const struct entry *entry);

/* paths_exit - at the exit of such a call, before answer_exit(): @result, or another one. */
int64_t paths_exit(struct session *session, struct watched *call, struct tracee *tracee, int64_t result);

#endif
