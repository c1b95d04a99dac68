/*
 * cli/trace_file.h - all messages of a trace that the user names
 *
 * Layer L6.
 */
#ifndef CLI_TRACE_FILE_H
#define CLI_TRACE_FILE_H

#include "cli/cli.h"
#include "decode/decode.h"

/**
 * trace_file_each - calls @each with each message; what does not return 0 ends it
 * @path: a file, or "-" for standard input
 *
 * A trace that ends within a message is used up to there; @cut_bytes is then set to where that message begins, else to UINT64_MAX.
 * Return: 0; ERR_FORMAT if it is no trace, or damaged; ERR_IO; what @each returned.
 */
int trace_file_each(uint64_t *cut_bytes, const char *path, int (*each)(const struct trace_message *message, void *data, struct err *err), void *data,
		    struct err *err);

/* trace_file_warn - a note that a trace is cut, if it is. */
void trace_file_warn(const struct cli_args *args, const char *path, uint64_t cut_bytes);

#endif
