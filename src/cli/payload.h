/*
 * cli/payload.h - the bytes of a call's parameters, as people have them
 *
 * Layer L6. On the command line as hexadecimal digits, or in a file as these,
 * or as what hexdump and xxd print.
 */
#ifndef CLI_PAYLOAD_H
#define CLI_PAYLOAD_H

#include "base/base.h"

/**
 * payload_read - append the bytes that a word of the command line stands for
 * @word:   hexadecimal digits; or a file's name, or "-" for standard input, whose form is recognised
 * @format: of --input: "hex", "hexdump" or "xxd"; then @word is a file's name or "-". NULL: any
 *
 * Digits are digits, even if there is a file of that name.
 * Return: 0; ERR_USAGE; ERR_NOT_FOUND, ERR_IO or ERR_LIMIT of the file; ERR_FORMAT, which names the line. Then @out is as before.
 */
int payload_read(struct strbuf *out, const char *word, const char *format, struct err *err);

/* payload_check_input - does --input name a format of calls, as it must for a log, or of bytes? Return: 0 or ERR_USAGE. */
int payload_check_input(const char *format, bool is_log, struct err *err);

#endif
