/*
 * sniff/preload.h - run a command with libc's ioctl() recorded by a library that is preloaded
 *
 * Layer L4. Faster than tracing, and needs no permission to trace; but sees only what calls libc's ioctl(): no static programs, no raw
 * system calls, no programs with privileges of their own.
 *
 *   hook.c       the library: ioctl()            follow.c      which memory belongs to a call
 *   plan.c       offsets instead of a document   plan_make.c   out of a document
 *   channel.c    what both share                 preload.c     starts the command, and takes out what was recorded
 *   handover.c   the channel, in a pid namespace
 */
#ifndef SNIFF_PRELOAD_H
#define SNIFF_PRELOAD_H

#include "abi/abi.h"
#include "decode/decode.h"

struct preload_options {
	const char *library;          /* path of libdrvabi-preload.so */
	const char *const *command;   /* ended by NULL */
	char *const *environment;     /* of the command */
	const struct abi *abi;        /* the running driver's; NULL: nothing is followed */
	const struct pointer_rules *rules;
	const struct device_rules *devices;
	uint64_t region_bytes;        /* of one range of memory, at most */
};

struct preload_observer {
	/* The command runs: nothing can fail any more. */
	void (*started)(void *data);
	/* Whole messages, as they stand in a trace: to be written. Return: false to end the workload. */
	bool (*bytes)(void *data, const void *bytes, size_t size_bytes);
	/*
	 * NULL, or each of them: an ioctl, or the first use of a descriptor, in the order in which they ended; lives until the function
	 * returns. To unpack them costs as much as to record them. Return: false to end the workload.
	 */
	bool (*message)(void *data, const struct trace_message *message);
	/* One finished sentence about calls that were not recorded. */
	void (*loss)(void *data, const char *sentence);
	void *data;
};

struct preload_result {
	int status;      /* of the command, as wait(2) has it */
	bool was_ended;  /* by the observer */
};

/**
 * preload_run - run a command until it and all that it started have ended
 *
 * What is sent to this process alone (SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGALRM) goes on to the command, or, when
 * that has ended, to the processes that it left behind; the terminal's signals are left to them. Children that this process has already are not waited for.
 * Return: 0; ERR_NOT_FOUND if there is no such command or library; ERR_IO if it cannot be started.
 */
int preload_run(struct preload_result *out, const struct preload_options *options, const struct preload_observer *observer, struct err *err);

#endif
