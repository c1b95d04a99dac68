/*
 * sniff/listen.h - take the ioctls that gVisor's hook sends
 *
 * Layer L3. gVisor's ioctl_sniffer is a library that is preloaded into a
 * workload. Each thread of it connects to a Unix socket, whose path is in
 * GVISOR_IOCTL_SNIFFER_SOCKET_PATH, and writes its ioctls as a stream of trace.h.
 *
 * Whoever may write to the socket can connect, and may send anything. What is no message of gVisor's is read and thrown
 * away: a connection that were closed would end its program with SIGPIPE, and one that is not read would hold it up.
 */
#ifndef SNIFF_LISTEN_H
#define SNIFF_LISTEN_H

#include "decode/decode.h"

struct listen_options {
	const char *path;   /* of the socket, which is made, and removed at the end */
	bool until_gone;    /* end when there was a connection, and none is left; else only by a signal */
};

/* What a caller of listen_run() gets; @data is the last member. */
struct listen_observer {
	/* The socket is there. */
	void (*started)(void *data);
	/* An ioctl, in the order of arrival: fd_path, request, ret, after, and the pid of the process that connected. Return: false to end. */
	bool (*message)(void *data, const struct trace_message *message);
	/* One finished sentence about a connection. */
	void (*note)(void *data, const char *sentence);
	void *data;
};

/**
 * listen_run - listen until SIGINT, SIGTERM or SIGHUP, or as @options says
 *
 * What has arrived when the signal comes is passed on. A socket that nobody listens at any more is replaced.
 * Return: 0; ERR_IO if there can be no socket of that path, and why.
 */
int listen_run(const struct listen_options *options, const struct listen_observer *observer, struct err *err);

#endif
