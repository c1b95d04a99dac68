/*
 * cli/spool.h - where a result goes that is made bit by bit
 *
 * Layer L6. To standard output at once. For --output, into a file without a
 * name, whose bytes become those of the named one when all are there: memory
 * does not grow with the result, and a run that fails leaves nothing behind.
 */
#ifndef CLI_SPOOL_H
#define CLI_SPOOL_H

#include "base/base.h"

#include <stdint.h>
#include <sys/uio.h>

struct spool {
	const char *path; /* NULL: standard output */
	int fd;
	uint64_t size_bytes;
};

/**
 * spool_open - begin
 * @path: of --output; NULL: standard output
 *
 * Return: 0; ERR_IO, and nothing is to be closed.
 */
int spool_open(struct spool *out, const char *path, struct err *err);

/* spool_write - append to the result. Return: 0 or ERR_IO. */
int spool_write(struct spool *spool, const char *text, size_t length, struct err *err);

/* spool_write_parts - the same of at most IOV_MAX parts, one after the other; @parts are used up */
int spool_write_parts(struct spool *spool, struct iovec *parts, size_t count, struct err *err);

/* spool_finish - the result is whole. Return: 0; ERR_IO, and a file that was named is as it was before. */
int spool_finish(struct spool *spool, struct err *err);

/* spool_close - what is not finished is gone. */
void spool_close(struct spool *spool);

#endif
