/*
 * sniff/socket.h - a Unix socket with a name
 *
 * Part of listen/.
 */
#ifndef SNIFF_SOCKET_H
#define SNIFF_SOCKET_H

#include "base/base.h"

#include <sys/types.h>

/**
 * socket_listen - make the socket @path; its user alone may connect, unless the umask is changed afterwards
 *
 * Return: a descriptor that does not block, to be closed with socket_close(); ERR_IO.
 */
int socket_listen(const char *path, struct err *err);

/* socket_close - and remove the name. */
void socket_close(int fd, const char *path);

/* socket_peer - the process that connected; 0 if it is not known. */
pid_t socket_peer(int fd);

#endif
