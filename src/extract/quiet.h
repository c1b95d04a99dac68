/*
 * extract/quiet.h - headers without the macros that nothing speaks of
 *
 * Layer L2, inside extract/. Nine tenths of a driver's headers are macros
 * that name registers and methods; clang would spend most of its time and
 * memory on them. A macro whose name occurs nowhere but in its own
 * definition cannot change what a declaration or a question means, so its
 * definition is left out. Lines and columns of all else stay where they are.
 */
#ifndef EXTRACT_QUIET_H
#define EXTRACT_QUIET_H

#include "extract/closure.h"

struct quiet_text {
	const char *text; /* lives in the arena */
	size_t size;
};

/**
 * quiet_texts - what clang is to see of each file of a closure
 * @out: one for each of closure->files
 * @main_text: the text that includes them, and asks the questions
 */
void quiet_texts(struct quiet_text *out, const struct closure *closure, struct view main_text, struct arena *arena);

#endif
