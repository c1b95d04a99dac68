/*
 * source/download.h - all tags and branches of a URL, into a repository of ours
 *
 * Layer L2, internal to source/.
 */
#ifndef SOURCE_DOWNLOAD_H
#define SOURCE_DOWNLOAD_H

#include "source/git.h"

/**
 * download - fetch from @source's URL
 * @verb: for the sentence: "clone", "fetch from"
 *
 * Return: 0; ERR_IO if the disk gets full; ERR_GIT.
 */
int download(git_repository *repo, const struct source *source, const char *verb, struct err *err);

#endif
