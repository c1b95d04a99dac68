/*
 * store/location.h - "path:line:column", parsed and formatted again
 *
 * Layer L2, internal to archive/. The same declaration has the same path and
 * column in most versions, and another line; so these are stored apart.
 */
#ifndef STORE_LOCATION_H
#define STORE_LOCATION_H

#include "base/base.h"

struct location {
	size_t path_length; /* of the source's beginning */
	uint32_t form;      /* ARCHIVE_LOCATION_* of form.h */
	uint32_t line;      /* unless form is ARCHIVE_LOCATION_WHOLE */
};

/* location_split - what of @source is path, line and column. Any text is a location: one without line is all path. */
struct location location_split(const char *source);

/* location_join - the text that location_split() was given, in @arena or @path itself. */
const char *location_join(const char *path, size_t path_length, uint32_t form, uint32_t line, struct arena *arena);

#endif
