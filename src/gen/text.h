/*
 * gen/text.h - words, indents and comments of C
 *
 * Inside the room.
 */
#ifndef GEN_TEXT_H
#define GEN_TEXT_H

#include "base/base.h"

#include <stdbool.h>
#include <stddef.h>

/* text_indent - @depth tabs */
void text_indent(struct strbuf *out, size_t depth);

/*
 * text_to_comment - white space up to where a comment of @width columns begins
 *
 * Comments begin in one column, but for those behind long names, or below them where both do not fit on a line.
 */
void text_to_comment(struct strbuf *out, size_t width);

/* text_add_comment - @text as a comment behind what is on the line, or below it */
void text_add_comment(struct strbuf *out, const char *text);

#endif
