/*
 * sniff/watch.h - the system calls that are watched, from entry to exit
 *
 * Part of sniff/. An ioctl or a shared mmap whose descriptor is one of the driver's devices becomes a message, when it has ended.
 */
#ifndef SNIFF_WATCH_H
#define SNIFF_WATCH_H

#include "sniff/session.h"

/* A system call that a thread has begun. */
struct entry {
	uint32_t architecture;       /* AUDIT_ARCH_* */
	uint64_t number;
	uint64_t arguments[6];
	uint64_t instruction, stack;
};

/* watch_pid - the process that the thread is of. */
pid_t watch_pid(struct tracee *tracee);

/* watch_entry - sets tracee->call if the call is watched. */
void watch_entry(struct session *session, struct tracee *tracee, const struct entry *entry);

/* watch_new_call - tracee->call becomes a call that began now. */
struct watched *watch_new_call(struct session *session, struct tracee *tracee, const struct entry *entry);

/* watch_exit - the call that tracee->call is has ended with @result, as the kernel has it: a negative errno, or what it returns. */
void watch_exit(struct session *session, struct tracee *tracee, int64_t result);

/* watch_end_call - @call of @tracee has ended; the message goes to the observer, and @call is no more. */
void watch_end_call(struct session *session, struct tracee *tracee, struct watched *call, int64_t result);

/* watch_gone - the thread has ended, or become another program: the calls that it was in have no end. */
void watch_gone(struct session *session, struct tracee *tracee);

#endif
