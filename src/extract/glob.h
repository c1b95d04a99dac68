/*
 * extract/glob.h - a name pattern, taken apart
 *
 * Layer L2, inside extract/. The same meaning as profile_matches(), for
 * names that are not NUL-terminated and come by the hundred thousand.
 */
#ifndef EXTRACT_GLOB_H
#define EXTRACT_GLOB_H

#include "extract/scan.h"

struct glob_pattern {
	const char *text;
	struct view *parts; /* what stands between the '*'; NULL if there are other wildcards */
	size_t part_count;
	size_t literal;     /* bytes before the first wildcard */
};

void glob_prepare(struct glob_pattern *out, const char *text, struct arena *arena);
bool glob_accepts(const struct glob_pattern *pattern, struct view name);
/* glob_accepts_rest - the same, when it is known that the bytes before the first wildcard agree. */
bool glob_accepts_rest(const struct glob_pattern *pattern, struct view name);

#endif
