/*
 * archive/place.h - "path:line:column", taken apart and put together
 *
 * Private to archive/. A source says the same under every version but for
 * its line.
 */
#ifndef ARCHIVE_PLACE_H
#define ARCHIVE_PLACE_H

#include "base/base.h"

struct place {
	size_t path_length; /* of the source's beginning */
	uint32_t form;      /* ARCHIVE_PLACE_* of form.h */
	uint32_t line;      /* unless form is ARCHIVE_PLACE_WHOLE */
};

/* place_split - what of @source is path, line and column. Any text is a place: one without line is all path. */
struct place place_split(const char *source);

/* place_join - the text that place_split() took apart; lives in @arena. */
const char *place_join(const char *path, size_t path_length, uint32_t form, uint32_t line, struct arena *arena);

#endif
