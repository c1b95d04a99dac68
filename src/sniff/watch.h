/*
 * sniff/watch.h - the system calls that are watched, from entry to exit
 *
 * Part of sniff/. An ioctl or a shared mmap whose descriptor is one of the driver's devices becomes a message, when it has ended.
 */
#ifndef SNIFF_WATCH_H
#define SNIFF_WATCH_H

#include "sniff/session.h"

/* watch_entry - sets tracee->call if the call is watched. */
void watch_entry(struct session *session, struct tracee *tracee, const struct entry *entry);

/* watch_exit - the call that tracee->call is has ended with @result, as the kernel has it: a negative errno, or what it returns. */
void watch_exit(struct session *session, struct tracee *tracee, int64_t result);

/* watch_gone - the thread has ended, or become another program: the calls that it was in have no end. */
void watch_gone(struct session *session, struct tracee *tracee);

#endif
