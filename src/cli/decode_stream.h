/*
 * cli/decode_stream.h - a log, line by line, as it comes in
 *
 * Layer L6. Memory does not grow with the input (but with --format summary's distinct ioctls), and what a read brought is
 * answered before the next read: `tail -f LOG | drvabi decode` works.
 */
#ifndef CLI_DECODE_STREAM_H
#define CLI_DECODE_STREAM_H

#include "cli/cli.h"
#include "decode/decode.h"

/**
 * decode_stream - decode what the lines of a log name
 * @path:   "-" for standard input
 * @wrong:  set if a call is not forwarded by the scope's table, or fits no version
 *
 * Return: 0; ERR_NOT_FOUND or ERR_IO of the file; ERR_IO of the output; what decode_call() returns.
 */
int decode_stream(bool *wrong, const char *path, const struct decode_scope *scope, const struct cli_args *args, struct err *err);

#endif
