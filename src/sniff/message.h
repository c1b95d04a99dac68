/*
 * sniff/message.h - what the observer is told of a call
 *
 * Part of sniff/.
 */
#ifndef SNIFF_MESSAGE_H
#define SNIFF_MESSAGE_H

#include "sniff/session.h"

/**
 * message_end_call - an ioctl or mmap has ended; it is told, and is no more
 * @result: as the kernel has it: a negative errno, or what it returns
 */
void message_end_call(struct session *session, struct tracee *tracee, struct watched *call, int64_t result);

/* message_endless - of a call that has no end, because its thread has ended. Nothing is known after it. */
void message_endless(struct session *session, struct tracee *tracee, struct watched *call);

/**
 * message_opens - the descriptors that were opened before @call, which has begun
 *
 * An open is told when its descriptor is first used, since opens do not stop: the descriptor of @call, if the process has not used it before, or
 * not as this device. Of a process with one thread then all of its descriptors that are devices: one of them may never be used. With several
 * threads that would be told at another moment each time.
 */
void message_opens(struct session *session, struct tracee *tracee, const struct watched *call);

#endif
