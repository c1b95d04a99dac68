/*
 * gen/client.h - a program in C that makes the calls of a trace again
 *
 * Part of the room's public face. The program needs nothing but libc: it opens
 * the devices, makes each ioctl with the bytes that were recorded, and compares
 * what comes back. It is what replaces a workload that waits for a GPU.
 *
 *	client = gen_client_new(&abi);
 *	while (trace_next(&message, reader, err) == 1)
 *		if ((rc = gen_client_add(client, &message, err)))
 *			goto out;
 *	gen_client_write(&text, client);
 */
#ifndef GEN_CLIENT_H
#define GEN_CLIENT_H

#include "abi/abi.h"
#include "trace/trace.h"

struct gen_client;

/* gen_client_new - @abi: of the trace's version; says where handles and file descriptors are. Must outlive the client. */
struct gen_client *gen_client_new(const struct abi *abi);
void gen_client_free(struct gen_client *client); /* NULL is fine */

/**
 * gen_client_add - one message of the trace, copied; a header adds nothing
 *
 * Pointers are found by the addresses of what was recorded behind them. A handle that the driver chose is, wherever a field
 * that is a handle has it later on, what the driver answers when the client runs; those that the workload chose stay.
 * Descriptors are told apart by process and number, and by path where a process has one from elsewhere.
 * Return: 0; ERR_FORMAT if the bytes before the call are missing, as in gVisor's streams; ERR_LIMIT.
 */
int gen_client_add(struct gen_client *client, const struct trace_message *message, struct err *err);

/* gen_client_count - how many calls there are so far, opens and mappings among them. */
size_t gen_client_count(const struct gen_client *client);

/* gen_client_write - append the program. The same messages give the same bytes. */
void gen_client_write(struct strbuf *out, const struct gen_client *client);

#endif
