/*
 * source/directory_check.h - is a directory of a commit one that git writes?
 *
 * Layer L2, internal to source/. libgit2 looks a name up by binary search, and
 * trusts the order of the entries: in a directory whose entries are not sorted, a file
 * that is there is not found, without a word. git fsck refuses such
 * directories; a repository that nobody checked can hold them.
 */
#ifndef SOURCE_DIRECTORY_CHECK_H
#define SOURCE_DIRECTORY_CHECK_H

#include "base/base.h"

#include <git2.h>

/**
 * directory_check - hold the names of a directory against git's rules
 * @path:  of the directory in its commit, "" for the root: for the message
 * @shown: the repository, for the message
 *
 * Each name is unique, not empty, neither "." nor "..", without "/", and they are in git's order.
 * Return: 0; ERR_GIT, naming the first entry that breaks a rule.
 */
int directory_check(const git_tree *directory, const char *path, const char *version, const char *shown, struct err *err);

#endif
