/*
 * base/name_glob.h - a pattern of names, split at its stars
 *
 * Layer L1, inside ctext/. It matches as profile_matches() does, for
 * names that are not NUL-terminated and come by the hundred thousand.
 */
#ifndef BASE_NAME_GLOB_H
#define BASE_NAME_GLOB_H

#include "base/view.h"

struct name_glob {
	const char *text;
	struct view *runs;  /* the text between the '*'; NULL if there are other wildcards */
	size_t run_count;
	size_t literal;     /* bytes before the first wildcard */
};

void name_glob_init(struct name_glob *out, const char *text, struct arena *arena);
bool name_glob_matches(const struct name_glob *pattern, struct view name);
/* name_glob_matches_rest - the same, when it is known that the bytes before the first wildcard agree. */
bool name_glob_matches_rest(const struct name_glob *pattern, struct view name);

#endif
