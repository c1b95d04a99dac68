/*
 * cli/suppress_file.h - the files of --suppress, and of verify --write-suppress
 *
 * Layer L6. verify/verify.h has the form of a line.
 */
#ifndef CLI_SUPPRESS_FILE_H
#define CLI_SUPPRESS_FILE_H

#include "cli/verify_run.h"

/**
 * suppress_file_read - the lines of @path, as of today
 * @word: knows the words of the first column; NULL: they are verify's rules
 *
 * Return: 0; ERR_USAGE if SOURCE_DATE_EPOCH is no time; ERR_FORMAT for a file
 * with a NUL byte; what file_read() and suppressions_parse() return.
 */
int suppress_file_read(struct suppressions *out, const char *path, suppress_word word, struct arena *arena, struct err *err);

/* suppress_file_write - every finding of @run as a line of args->write_suppress. Return: 0; what accept_findings() and file_write_atomic() return. */
int suppress_file_write(const struct verify_run *run, struct err *err);

#endif
