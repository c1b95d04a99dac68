/*
 * source/packed_refs.h - is the file of references all there?
 *
 * Layer L2, internal to source/. libgit2 looks a reference up in packed-refs by halving it,
 * and does not see what is wrong elsewhere: a tag behind a damaged line is not
 * found, or all tags are lost without a word of where. So the file is read once.
 */
#ifndef SOURCE_PACKED_REFS_H
#define SOURCE_PACKED_REFS_H

#include "base/base.h"

/* packed_refs_check - Return: 0, also if there is no @path; ERR_FORMAT, naming the line; ERR_IO; ERR_LIMIT. */
int packed_refs_check(const char *path, struct err *err);

#endif
