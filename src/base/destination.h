/*
 * base/destination.h - which file a name to write to stands for, through its symbolic links
 *
 * Layer L0, internal to base/.
 *
 * A file is replaced by a rename, and a rename replaces the last component of
 * a path even if that is a link. So links in that position are followed here,
 * one by one, until there is something that is none, or nothing yet.
 */
#ifndef BASE_DESTINATION_H
#define BASE_DESTINATION_H

#include "base/strbuf.h"

#include <stdbool.h>

struct destination {
	struct strbuf path; /* where the links lead; the path as it was given if it goes through no link */
	const char *name;   /* its last component, in @path */
	int dir_fd;         /* the directory of @name; -1 if @own_fd is set */
	int own_fd;         /* the path is this descriptor of the process: /dev/stdout, /dev/fd/3; else -1 */
	bool is_magic;      /* @name is a link in /proc that only the kernel can follow */
};

/**
 * destination_find - follow the links of @path
 * @out: to be released, also on failure
 *
 * As Linux does with fs.protected_symlinks, follows no link of another user
 * in a directory like /tmp.
 * Return: 0, also if there is nothing of that name yet; -1 with errno.
 */
int destination_find(struct destination *out, const char *path);

void destination_release(struct destination *destination);

#endif
