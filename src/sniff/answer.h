/*
 * sniff/answer.h - calls that are answered from a trace, instead of by the kernel
 *
 * Part of sniff/. At the entry of such a call its number becomes -1, so that the kernel makes none; what a driver would write is written into
 * the caller's memory; at the exit the caller gets the recorded result. A shared mmap becomes one of anonymous memory, an open that of a memfd which is called
 * as the device (paths.c).
 */
#ifndef SNIFF_ANSWER_H
#define SNIFF_ANSWER_H

#include "sniff/session.h"

/* answer_ioctl, answer_mmap - at the entry of @call, whose device is replayed. */
void answer_ioctl(struct session *session, struct tracee *tracee, struct watched *call);
void answer_mmap(struct session *session, struct tracee *tracee, struct watched *call);

/* answer_with - at the entry of a call: it is not made, and returns @result. */
void answer_with(struct watched *call, struct tracee *tracee, int64_t result);

/**
 * answer_change - at the entry of a call: another one is made
 * @number: -1: the same one, with other arguments
 */
void answer_change(struct watched *call, struct tracee *tracee, int64_t number, const uint64_t arguments[6]);

/* answer_exit - at the exit: what the program finds. Return: the result. */
int64_t answer_exit(const struct watched *call, struct tracee *tracee, int64_t result);

#endif
