/*
 * cli/decode_trace.h - a trace, message by message, as it comes in
 *
 * Layer L6. What has arrived is answered before more is waited for.
 */
#ifndef CLI_DECODE_TRACE_H
#define CLI_DECODE_TRACE_H

#include "cli/cli.h"
#include "decode/decode.h"

/**
 * decode_trace_recognise - is what @path begins with a trace?
 * @path: "-" for standard input, from which nothing is taken
 *
 * A file that cannot be read is none; who reads it says why.
 */
bool decode_trace_recognise(const char *path);

/**
 * decode_trace - decode the calls of a trace
 * @wrong: set if a call is not forwarded by the scope's table, or fits no version
 * @scope: the version that its header names is used if @scope has none
 *
 * Return: 0; ERR_NOT_FOUND or ERR_IO of the file; ERR_FORMAT, ERR_LIMIT of a message; ERR_IO of the output; what decode_call() returns.
 */
int decode_trace(bool *wrong, const char *path, const struct decode_scope *scope, const struct cli_args *args, struct err *err);

#endif
