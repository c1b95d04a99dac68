/*
 * base/escape.h - text from outside, in the form that each output format needs
 *
 * Layer L0. Tags, paths, names, reasons: all of that is data, no matter who
 * wrote it. Every function appends @text to @out so that it reads as what it is and
 * acts as nothing else. What is no printable text is spelled out in every
 * format: "\x1b", "\u202e". Text of ordinary letters stays byte for byte.
 */
#ifndef BASE_ESCAPE_H
#define BASE_ESCAPE_H

#include "base/strbuf.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>

/**
 * escape_terminal - one line of text for a terminal
 *
 * Spelled out: control characters of ASCII and C1 (U+0080 to U+009F), tabs and
 * newlines too; what changes the direction of text; U+2028 and U+2029;
 * noncharacters; bytes that are no UTF-8. To escape twice is to escape once.
 */
void escape_terminal(struct strbuf *out, const char *text);

/**
 * escape_markdown - text in a paragraph, a heading or a cell of a table (GitHub's dialect)
 *
 * No markup, no HTML, no link, no image; a bar ends no cell. Nor does GitHub
 * make a link or a picture of it: a mention, an issue (#1, GH-1), the id of a
 * commit, :tada:. Those get a space without width, so text that is to be
 * copied, such as a commit, is better written as code.
 */
void escape_markdown(struct strbuf *out, const char *text);

/* escape_markdown_code - text as a code span, with as many backticks around it as are needed; with a bar in it, plain text. */
void escape_markdown_code(struct strbuf *out, const char *text);

/* escape_xml - text in an element of XML or HTML, or in an attribute with double quotes. */
void escape_xml(struct strbuf *out, const char *text);

/**
 * escape_sarif - the text of a message in SARIF 2.1.0, before it becomes a string of JSON
 *
 * Its braces are doubled (3.11.5). "[text](target)" would be a link (3.11.6);
 * the standard has no escape for it, so a space without width comes in between.
 */
void escape_sarif(struct strbuf *out, const char *text);

/**
 * escape_addf - strbuf_addf(), with @escape for the text of every %s
 * @escape: any of the functions above
 *
 * The width of a %s counts bytes of the escaped text; its precision, bytes of
 * the text before. Of the conversions there are %s, %c, %d, %u, %x and %%,
 * those for integers also with l, ll and z. A %c is one of the program's own.
 */
void escape_addf(struct strbuf *out, void (*escape)(struct strbuf *, const char *), const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void escape_vaddf(struct strbuf *out, void (*escape)(struct strbuf *, const char *), const char *format, va_list args)
	__attribute__((format(printf, 3, 0)));

/* escape_is_printable - may this character, UTF-8 or not, stand on a terminal as it is? */
bool escape_is_printable(uint32_t code);

#endif
