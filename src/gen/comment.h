/*
 * gen/comment.h - comments of Go
 *
 * Inside the room.
 */
#ifndef GEN_COMMENT_H
#define GEN_COMMENT_H

#include "base/base.h"

/* comment_add - @text as comment lines of 80 columns at most, cut between words. */
void comment_add(struct strbuf *out, const char *text);

/* comment_text - @text, with '?' for what would end a comment's line or be no text. */
void comment_text(struct strbuf *out, const char *text);

#endif
