/*
 * base/file.h - whole files in, whole files out
 *
 * Layer L0. A regular file that is written appears complete under its name, or not at all.
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/err.h"
#include "base/strbuf.h"

#include <stdbool.h>
#include <stdio.h>
#include <sys/uio.h>

/**
 * file_read - append a whole file to @out
 * @path: "-" is standard input
 * @limit_bytes: more is ERR_LIMIT
 *
 * Return: 0; ERR_NOT_FOUND if there is no such file; ERR_IO; ERR_LIMIT.
 */
int file_read(struct strbuf *out, const char *path, size_t limit_bytes, struct err *err);

/* file_read_regular - file_read() of a file by its path; ERR_IO if reading might wait for somebody, because it is a FIFO or a device */
int file_read_regular(struct strbuf *out, const char *path, size_t limit_bytes, struct err *err);

/*
 * One file on its way to disk, or standard output. A regular file is made beside its name, and takes the name, its old
 * owner and permissions in file_writer_finish(); without that call the old text stays. What is no regular file is
 * written to at once. file_write.c says how, docs/output.md what a user may count on.
 */
struct file_writer {
	int fd;             /* to write to */
	int dir_fd;         /* where a regular file is replaced; -1: @fd is the target itself */
	const char *path;   /* borrowed, as it was given; NULL: standard output */
	struct strbuf target; /* @path behind its symbolic links */
	const char *name;   /* the last component of @target */
	bool is_named;      /* the temporary file has the name @temporary */
	bool is_private;    /* of file_writer_open_in() */
	char temporary[256];
};

/**
 * file_writer_open - a file that is replaced as a whole
 * @path: NULL is standard output
 *
 * Return: 0; ERR_IO, and nothing to be released. It is an error if the file has several names, an access list, or an owner
 * that we cannot give it.
 */
int file_writer_open(struct file_writer *out, const char *path, struct err *err);

/* file_writer_append - one that is written in place, at its end; created if it is missing */
int file_writer_append(struct file_writer *out, const char *path, struct err *err);

/**
 * file_writer_open_in - the file @name, which is no path, in @dir_fd
 *
 * For files that are checked when they are read: only we can read it, and nothing waits for the disk. What has the name, a link or a
 * pipe, is replaced and never opened.
 */
int file_writer_open_in(struct file_writer *out, int dir_fd, const char *name, struct err *err);

int file_writer_add(struct file_writer *writer, const void *data, size_t size, struct err *err);

/* file_writer_add_parts - at most IOV_MAX of them, one after the other; they are used up */
int file_writer_add_parts(struct file_writer *writer, struct iovec *parts, size_t count, struct err *err);

/* file_writer_finish - the file is whole. Return: 0; ERR_IO, and the old file is as it was. */
int file_writer_finish(struct file_writer *writer, struct err *err);

/* file_writer_release - due after each open that succeeded; a file that was not finished is gone */
void file_writer_release(struct file_writer *writer);

/* file_write_atomic - file_writer_open(), add and finish */
int file_write_atomic(const char *path, const void *data, size_t size, struct err *err);

/*
 * What this process and its workers have read, so that no result replaces it: who writes a result asks file_check_output() first.
 * file_read() notes what it reads; who opens a file in another way notes its descriptor, or its path. A device or a pipe may be
 * input and output, as in a shell. Of a directory, all that is in it counts.
 */
void file_note_input(int fd);
void file_note_input_path(const char *path);
/* file_share_inputs - what processes that are forked from now on note, this one knows */
void file_share_inputs(void);
/* file_forget_input - the file may be replaced after all, because the result has all that it said */
void file_forget_input(const char *path);

/* file_check_output - ERR_USAGE if @path, or standard output if that is NULL, is a file that was noted, and not forgotten */
int file_check_output(const char *path, struct err *err);

/* file_make_dirs - mkdir -p. Return: 0 or ERR_IO. */
int file_make_dirs(const char *path, struct err *err);

/* A private directory holds files that are trusted later: it is not a link, and only its owner, this user or root, may write to it. */
/* file_make_own_dir - make it and its parents; an existing directory stays as it is. Return: 0 or ERR_IO. */
int file_make_own_dir(const char *path, struct err *err);
/* file_open_own_dir - Return: a descriptor; -1 with @err if @path is not a private directory */
int file_open_own_dir(const char *path, struct err *err);

#endif
