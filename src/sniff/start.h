/*
 * sniff/start.h - a command, or a process, comes under the tracer
 *
 * Part of sniff/.
 */
#ifndef SNIFF_START_H
#define SNIFF_START_H

#include "sniff/session.h"

/**
 * start_command - begin session->options->command
 *
 * It has the descriptors, the terminal, the working directory and the signals of this process, as its parent had given them to it.
 * Return: 0, with session->child; ERR_NOT_FOUND if there is no such command; ERR_IO.
 */
int start_command(struct session *session, struct err *err);

/* attach_process - all threads of session->options->pid. Return: 0; ERR_NOT_FOUND if there is no such process; ERR_IO. */
int attach_process(struct session *session, struct err *err);

/* attach_leave - ask every thread to stop, so that it can be detached from. */
void attach_leave(struct session *session);

#endif
