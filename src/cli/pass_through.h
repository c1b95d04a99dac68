/*
 * cli/pass_through.h - the lines of a log, as they may be shown
 *
 * Layer L6. Plain text is copied; in what is not, control characters and
 * bytes that are no UTF-8 are spelled out. Tabs and ends of lines stay.
 */
#ifndef CLI_PASS_THROUGH_H
#define CLI_PASS_THROUGH_H

#include "base/base.h"

#include <stdbool.h>

/**
 * pass_through - append @length bytes of @text to @out
 * @scratch: memory for one call; the owner releases it
 *
 * A character of UTF-8 must not be cut at the end of @text, or its bytes are spelled out.
 */
void pass_through(struct strbuf *out, const char *text, size_t length, struct strbuf *scratch);

/* pass_through_is_plain - would pass_through() only copy it? */
bool pass_through_is_plain(const char *text, size_t length);

/* pass_through_whole - how many of @length bytes are whole characters of UTF-8, if more bytes follow */
size_t pass_through_whole(const char *text, size_t length);

#endif
