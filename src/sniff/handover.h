/*
 * sniff/handover.h - the channel's file, for a process that cannot open its path
 *
 * Part of preload/. The channel has a path in /proc, by the recorder's pid. A process in a pid namespace of its own has
 * another /proc; the recorder sends it the file by a Unix socket. The socket is abstract, so that it needs no directory that both
 * see, and has a random name, which only those know who have the workload's environment. It needs the same network namespace.
 */
#ifndef SNIFF_HANDOVER_H
#define SNIFF_HANDOVER_H

#include <stddef.h>

#define HANDOVER_VARIABLE "DRVABI_PRELOAD_SOCKET" /* of the environment: the name */

enum { HANDOVER_NAME_MAX = 64 };

/* handover_open - listen by a new name. Return: a descriptor; -1 with errno. */
int handover_open(char name[HANDOVER_NAME_MAX]);

/*
 * handover_serve - send @channel_fd to all who have asked at @socket_fd, and run as this user or as root. Waits for nobody.
 * Return: how many were refused.
 */
unsigned handover_serve(int socket_fd, int channel_fd);

/* handover_ask - Return: the channel's descriptor, to be closed; -1 if nobody sends one within two seconds. errno may change. */
int handover_ask(const char *name);

#endif
