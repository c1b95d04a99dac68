/*
 * gen/comment.h - comments up to the end of a line
 *
 * Inside the room.
 */
#ifndef GEN_COMMENT_H
#define GEN_COMMENT_H

#include "base/base.h"

/* comment_add - @text as comment lines of 80 columns at most, cut between words. @mark: what begins one, "//" */
void comment_add(struct strbuf *out, const char *mark, const char *text);

/* comment_text - @text, with '?' for what would end a comment's line or be no text. */
void comment_text(struct strbuf *out, const char *text);

/* comment_quoted - the same between double quotes: whatever @text is, it ends no string either. */
void comment_quoted(struct strbuf *out, const char *text);

#endif
