/*
 * base/temp_file.h - a file that gets its name when it is whole
 *
 * Layer L0, internal to base/.
 *
 * Without a name (O_TMPFILE), it vanishes with the process, however that
 * ends. Where the file system has no such files, and while the file stands
 * under a name of its own before it replaces another one, signals that would
 * end the process wait. What nothing can hold back is SIGKILL: between the two
 * system calls of a replacement it leaves a whole file called NAME.PID-N.tmp.
 */
#ifndef BASE_TEMP_FILE_H
#define BASE_TEMP_FILE_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

struct temp_file {
	int fd;       /* to write to */
	int dir_fd;   /* borrowed: the directory where it will stand */
	char name[256]; /* its name until then, "" without one */
	sigset_t held; /* the signals that were blocked before it had a name */
};

/**
 * temp_file_open_unnamed - a file in the directory @dir_fd that has no name
 * temp_file_open_named - one that has; @name is that of the file it will be
 *
 * Return: 0; -1 with errno, and nothing to be discarded.
 */
int temp_file_open_unnamed(struct temp_file *out, int dir_fd, mode_t mode);
int temp_file_open_named(struct temp_file *out, int dir_fd, const char *name, mode_t mode);

/**
 * temp_file_publish - close @temp, and let @name be this file, whether there is one of that name or not
 *
 * Return: 0; -1 with errno, and nothing is left of it. In both cases @temp is done with.
 */
int temp_file_publish(struct temp_file *temp, const char *name);

/* temp_file_discard - as if it had never been; errno stays. */
void temp_file_discard(struct temp_file *temp);

#endif
