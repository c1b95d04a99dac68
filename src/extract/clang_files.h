/*
 * extract/clang_files.h - the file system that clang sees: the closure's files (closure.h) and clang's own (own_headers.h)
 *
 * Layer L2, inside extract/. clang looks for files in two steps: by name among
 * the texts in memory (CXUnsavedFile), then in a file system, which is the
 * machine's unless it is told otherwise. So "a/../b.h" would not be found
 * though b.h is in memory, and "/etc/passwd" would be found. An overlay file
 * (-ivfsoverlay) replaces the machine's file system:
 *
 * 1. "fallthrough": false hides everything that the overlay does not name.
 * 2. It names every file of the closure, so that each spelling of its path,
 *    with "." or "..", leads to it. (clang resolves ".." by the text alone: unlike
 *    on a disk, "none/../b.h" is b.h, and ".." behind a linked directory leads
 *    to where the link is.) Two paths are one file to clang if they
 *    have one inode (#pragma once, the texts in memory), so each file has
 *    an inode of its own, that of an empty memfd. Its bytes are never read: the
 *    text in memory has the same name. A link and what it leads to have one inode.
 * 3. It passes on the directory of clang's own headers.
 *
 * The overlay is a memfd too, and all are named by /proc/self/fd/N.
 */
#ifndef EXTRACT_CLANG_FILES_H
#define EXTRACT_CLANG_FILES_H

#include "extract/closure.h"

struct clang_files {
	char path[32];       /* of the overlay file, for -ivfsoverlay */
	int file;            /* its descriptor */
	int *inodes;         /* descriptors that lend their inodes */
	size_t inode_count, inode_capacity;
};

/**
 * clang_files_write - make @files name the main file @main_name and all files of @closure
 * @files: { .file = -1 } at first; may be written again when the closure has grown
 * @own_headers: the directory of clang's own headers; "" if there is none
 *
 * Return: 0; ERR_LIMIT if there are more files than the process may open;
 * ERR_FORMAT if a path is no UTF-8, which an overlay cannot name; ERR_IO.
 * clang_files_release() is due in any case.
 */
int clang_files_write(struct clang_files *files, const struct closure *closure, const char *main_name, const char *own_headers, struct err *err);
void clang_files_release(struct clang_files *files);

#endif
