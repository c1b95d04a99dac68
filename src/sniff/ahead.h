/*
 * sniff/ahead.h - a thread's memory, read before it is asked for
 *
 * Part of sniff/. Which memory belongs to a call is only known when its argument has been read, so that takes two system calls. A thread that makes
 * one ioctl again and again has its parameters where they were: so both are read at once, if what was asked for second was the same twice.
 * All is read in the stop that it is asked for in, and nothing is believed of an earlier one but where to look.
 */
#ifndef SNIFF_AHEAD_H
#define SNIFF_AHEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct ahead_range {
	uint64_t address;
	size_t size_bytes;
};

struct ahead {
	struct ahead_range second;  /* that was asked for in the last stop with one */
	unsigned same_count;        /* in how many stops on end */
	unsigned asked_count;       /* in this stop */
	size_t read_bytes;          /* of @second, in this stop */
	uint8_t *bytes;             /* of @second; owned */
};

/* ahead_begin - a thread has stopped: what was read is forgotten. */
void ahead_begin(struct ahead *ahead);

/* ahead_read - as memory_read(). */
size_t ahead_read(void *out, struct ahead *ahead, pid_t tid, uint64_t address, size_t size_bytes);

void ahead_release(struct ahead *ahead);

#endif
