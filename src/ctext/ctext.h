/*
 * ctext/ctext.h - C text as text
 *
 * Layer L1, beside abi/: includes base/ only. This is the public header of the room:
 *
 *   ctext/view.h        struct view: bytes of somebody else's text; what is a word, a name, a number
 *   ctext/lexer.h       comments, literals and continued lines
 *   ctext/conditions.h  the #ifs around a line
 *   ctext/directives.h  the #include and #define lines of a text
 *   ctext/name_glob.h   patterns of names that come by the hundred thousand
 *
 * Nothing here decides what a preprocessor decides. It reads hints, which clang confirms, and tables
 * whose grammar is a generator's.
 */
#ifndef CTEXT_CTEXT_H
#define CTEXT_CTEXT_H

#include "ctext/conditions.h"
#include "ctext/directives.h"
#include "ctext/lexer.h"
#include "ctext/name_glob.h"
#include "ctext/view.h"

#endif
