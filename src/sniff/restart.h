/*
 * sniff/restart.h - a call that a signal interrupts
 *
 * Part of sniff/. Such a call ends with a number that no program sees (ERESTARTSYS, ...). Then the kernel either makes it again, at the same
 * instruction, and to the program it is one call; or it returns EINTR. Which of the two is decided when the signal is
 * delivered:
 *
 *   1. without a handler, it is made again
 *   2. with a handler, the kernel has decided when the handler begins, and what it decided stands in the context that the handler
 *      returns to: the thread makes one step into the handler, and the context is read
 *   3. a call that begins where an interrupted one was made, with the same arguments and stack, is that one
 */
#ifndef SNIFF_RESTART_H
#define SNIFF_RESTART_H

#include "sniff/session.h"

/* restart_may_follow - is it a result that means "interrupted"? */
bool restart_may_follow(int64_t result);

/* restart_continue - is the call that begins an interrupted one? Then it is tracee->call again. */
bool restart_continue(struct tracee *tracee, const struct entry *entry);

/* restart_must_look - before @signal is delivered: will its handler's context tell what becomes of a call? Then the thread is to step. */
bool restart_must_look(const struct tracee *tracee, int signal);

/* restart_look - the thread stands in the handler. */
void restart_look(struct session *session, struct tracee *tracee);

#endif
