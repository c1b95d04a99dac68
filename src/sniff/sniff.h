/*
 * sniff/sniff.h - run a command, and see what it asks of the driver
 *
 * Layer L4. The only room that traces processes.
 *
 *   sniff.c     starts or attaches, and waits for what happens
 *   start.c     the command, behind its filter; attach.c: a process that runs already
 *   filter.c    at which system calls it stops
 *   stops.c     what each stop is, and how to go on
 *   watch.c     a call's entry and exit
 *   restart.c   a call that a signal interrupts is one call, however often the kernel makes it
 *   gather.c    the memory that belongs to a call; traits.c: what is in a record, asked once
 *   message.c   what the observer is told
 *   replay.c    which call of a trace answers one of the workload; recording.c: the trace; answer.c, paths.c: the answers
 *   device.c    which device a descriptor is; memory.c: the workload's memory; ahead.c: and where it will be looked for; arch_*.c: its registers
 *   signals.c   signals to the tracer; privilege.c: what a tracer may not, and what a traced program loses
 *   used.c      the distinct ioctls, and whether a proxy supports them; cover.c: under which capabilities
 *
 * The workload is as it was without: its output, its status, its signals. But set-user-id programs run without their privilege, unless
 * the tracer is root.
 */
#ifndef SNIFF_SNIFF_H
#define SNIFF_SNIFF_H

#include "decode/decode.h"
#include "sniff/cover.h"
#include "sniff/driver_version.h"
#include "sniff/replay.h"
#include "sniff/used.h"
#include "sniff/preload.h"
#include "sniff/listen.h"

#include <sys/types.h>

/* What happens to a caller of sniff_run(). */
struct sniff_observer {
	/* The command runs, or the process is attached to: nothing can fail any more. */
	void (*started)(void *data);
	/*
	 * A call has ended. @chain is what it is, and what is inside, with the bytes before the call; empty for what is no ioctl of a family
	 * that the document has. All live until the function returns. Return: false to end the workload.
	 */
	bool (*message)(void *data, const struct trace_message *message, const struct call *chain, size_t chain_count);
	/* One finished sentence about what is not as the user may expect. */
	void (*note)(void *data, const char *sentence);
	/* The same about calls that were not recorded. */
	void (*loss)(void *data, const char *sentence);
	void *data;
};

struct sniff_options {
	const char *const *command;  /* ended by NULL; NULL: @pid */
	char *const *environment;    /* of the command */
	pid_t pid;                   /* a process that runs already */
	bool survive;                /* the workload goes on without its tracer; every system call stops */
	uint64_t region_bytes;       /* of one range of memory, at most */
	const struct abi *abi;       /* the running driver's */
	const struct pointer_rules *pointers; /* that it follows */
	const struct device_rules *devices;   /* that are its own */
	struct replay *replay;       /* answers the calls of its devices; NULL: the driver does. Used up: one run for each */
};

struct sniff_result {
	int status;       /* of the command, as wait(2) has it */
	bool was_ended;   /* by the observer */
	size_t unmatched; /* calls that the replayed trace had no answer for */
};

/**
 * sniff_run - run a command until it and all that it started have ended
 *
 * With @pid: until all its threads have ended, or a SIGINT, SIGTERM or SIGHUP comes; then it goes on without its tracer.
 * Return: 0; ERR_NOT_FOUND if there is no such command or process; ERR_IO if it cannot be started or traced, with what to allow.
 */
int sniff_run(struct sniff_result *out, const struct sniff_options *options, const struct sniff_observer *observer, struct err *err);

/* sniff_target - of documents, for programs of this machine: "x86_64-linux-gnu". */
const char *sniff_target(void);

#endif
