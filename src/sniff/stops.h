/*
 * sniff/stops.h - what each stop of a thread is, and how it goes on
 *
 * Part of sniff/.
 */
#ifndef SNIFF_STOPS_H
#define SNIFF_STOPS_H

#include "sniff/session.h"

/* stops_next - something happened to the thread @tid: @status is wait(2)'s. */
void stops_next(struct session *session, pid_t tid, int status);

#endif
