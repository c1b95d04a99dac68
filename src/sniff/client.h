/*
 * sniff/client.h - one connection: bytes in, messages out
 *
 * Part of listen/.
 */
#ifndef SNIFF_CLIENT_H
#define SNIFF_CLIENT_H

#include "sniff/listen.h"

#include <sys/types.h>

enum {
	CLIENT_MESSAGE_MAX = 32 * 1024, /* an ioctl's argument has at most 16,383 bytes, and a path 4,096 */
	CLIENT_READ_BYTES = 256 * 1024, /* at a time, so that one connection does not hold up the others */
};

struct client {
	int fd;
	pid_t pid;
	bool is_damaged;       /* what it sends is thrown away */
	struct strbuf pending; /* the beginning of a message */
	uint64_t offset_bytes; /* of it in the stream */
};

/* What all connections share. */
struct client_room {
	const struct listen_observer *observer;
	struct trace_unpacker *unpacker;
	uint8_t bytes[CLIENT_READ_BYTES + CLIENT_MESSAGE_MAX + 64];
	bool is_ended; /* by the observer */
};

/**
 * client_read - pass on what has arrived
 *
 * Return: false if the connection has ended.
 */
bool client_read(struct client *client, struct client_room *room);

/* client_close - @client is no more. */
void client_close(struct client *client);

#endif
