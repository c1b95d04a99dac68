/*
 * base/file.h - whole files in, whole files out
 *
 * Layer L0. A file that is written appears complete under its name or not at
 * all; file_write.c says how, and where that cannot be.
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/err.h"
#include "base/strbuf.h"

#include <stdio.h>

/**
 * file_read - append a whole file to @out
 * @path: "-" is standard input
 * @limit_bytes: more is ERR_LIMIT
 *
 * Return: 0; ERR_NOT_FOUND if there is no such file; ERR_IO; ERR_LIMIT.
 */
int file_read(struct strbuf *out, const char *path, size_t limit_bytes, struct err *err);

/**
 * file_write_atomic - make @path hold exactly @size bytes of @data
 *
 * Writes through symbolic links. What is no regular file (/dev/stdout, a pipe,
 * a terminal) is opened and written to. A regular file is replaced, and the new
 * one has the owner, group and permissions of the old one; it is overwritten if
 * that is not possible, or would cut off its other names. Leaves nothing behind
 * on failure. But while it overwrites, this is safe against a kill at any
 * moment, and against writers of the same name in other processes.
 *
 * Return: 0 or ERR_IO.
 */
int file_write_atomic(const char *path, const void *data, size_t size, struct err *err);

/**
 * file_write_unsynced - file_write_atomic() that does not wait for the disk
 *
 * For files that are checked when they are read: after a power cut the file
 * may be there and hold anything.
 */
int file_write_unsynced(const char *path, const void *data, size_t size, struct err *err);

/**
 * file_replace - let a file hold what a function makes of it
 * @fill: reads @from, which is the file as it is, to its end, and writes @to; what it says is put behind the name
 *
 * Follows symbolic links. The new file has the owner, group and permissions of the old one, which stands under its name
 * until the new one is whole, and stays on failure.
 * Return: 0; ERR_IO, also if it is no regular file or has several names; what @fill returned.
 */
int file_replace(const char *path, int (*fill)(int to, int from, struct err *err), struct err *err);

/**
 * file_copy_atomic - file_write_atomic() of what another file holds
 * @source: a descriptor of a regular file, at least @size bytes long
 */
int file_copy_atomic(const char *path, int source, size_t size, struct err *err);

/*
 * What this process has read, so that no result replaces it: who writes a result asks file_check_output() first. file_read() notes
 * what it reads; who opens a file in another way notes its descriptor. A device or a pipe may be input and output, as in a shell.
 */
void file_note_input(int fd);
/* file_note_input_tree - all that is in a directory; what is new there may be written */
void file_note_input_tree(const char *path);
/* file_forget_input - the file may be replaced after all, because the result has all that it said */
void file_forget_input(const char *path);

/* file_check_output - ERR_USAGE if @path is a file that was noted, and not forgotten */
int file_check_output(const char *path, struct err *err);

/**
 * file_open_append - open @path to write at its end, created if it is missing
 * @out: to be closed by the caller
 *
 * Follows links as file_write_atomic() does, and does not wait for the reader of a pipe.
 * Return: 0 or ERR_IO.
 */
int file_open_append(int *out, const char *path, struct err *err);

/* file_make_dirs - mkdir -p. Return: 0 or ERR_IO. */
int file_make_dirs(const char *path, struct err *err);

/**
 * file_finish_stream - flush @stream and learn whether all of it arrived
 * @name: for the sentence, "standard output"
 *
 * Return: 0 or ERR_IO (a full disk shows up here).
 */
int file_finish_stream(FILE *stream, const char *name, struct err *err);

#endif
