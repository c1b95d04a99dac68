/*
 * store/bounded.h - work that may crash, hang or eat all memory, done in other processes
 *
 * Layer L3, internal to store/. Headers are untrusted, and libclang does not
 * survive all of them. So each document is extracted in a worker process, with
 * bounds of its own on memory and processor time, whose standard error is
 * discarded. What it sends back is bytes that the caller reads like any
 * untrusted input.
 *
 * 1. Workers are forked before this process has any other thread, at most as
 *    many as there are jobs; each is connected by a socket.
 * 2. The parent sends a worker the number of a job; the worker does it, and
 *    sends a code, a sentence and bytes. It does one job after the other, since
 *    memory that it has already touched costs nothing.
 * 3. A worker that failed at a job ends: nothing is known of its state. The
 *    parent learns from wait4() why one died without an answer (a signal, and how much
 *    memory it had), makes a sentence of that, and forks another one while there are
 *    jobs. It kills one that runs for twenty times its processor time without using it.
 * 4. Workers die with their parent (PR_SET_PDEATHSIG, and the closed socket).
 */
#ifndef STORE_BOUNDED_H
#define STORE_BOUNDED_H

#include "base/base.h"

#include <stddef.h>

struct bounded_ops {
	/* In a worker: do job @index, append its result to @out. Return: 0 or an ERR_*, with @err. */
	int (*work)(void *data, size_t index, struct strbuf *out, struct err *err);
	/* In this process, in whatever order jobs end: @bytes are the result, @err the sentence if @rc is not 0. */
	void (*done)(void *data, size_t index, int rc, const struct strbuf *bytes, const struct err *err);
	/* What job @index reads, "590.48.01", for the sentence about a worker that died. */
	const char *(*name)(void *data, size_t index);
	void *data;
};

/**
 * bounded_run - do @count jobs in @jobs processes at a time
 *
 * DRVABI_PARSE_MB and DRVABI_PARSE_SECONDS set the bounds of one worker on
 * memory (default 2048, at least 64) and of one job on processor time (default 60; twenty
 * times as much may pass). Has to be called while this process has one thread.
 * Return: 0, however the jobs ended; ERR_USAGE for a bound that is no number;
 * ERR_IO if no process could be made.
 */
int bounded_run(const struct bounded_ops *ops, size_t count, unsigned jobs, struct err *err);

#endif
