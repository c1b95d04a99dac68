/*
 * base/processes.h - which processes belong to another one, out of /proc
 *
 * Layer L0.
 */
#ifndef BASE_PROCESSES_H
#define BASE_PROCESSES_H

#include <stddef.h>
#include <sys/types.h>

/* Whose number it is, in /proc/PID/status. */
enum processes_of { PROCESSES_OF_PARENT, PROCESSES_OF_TRACER };

/**
 * processes_find - all processes whose parent or tracer is @pid
 * @out: set to an array that the caller frees; NULL if there is none
 *
 * Processes that begin or end meanwhile may be missing, or have ended. If /proc is another pid namespace's than this process's, none is found.
 * Return: how many.
 */
size_t processes_find(pid_t **out, enum processes_of whose, pid_t pid);

/* processes_number - a number of one process: its parent or tracer; 0: it has none, or is not there. */
pid_t processes_number(enum processes_of whose, pid_t pid);

#endif
