/*
 * base/ctext.h - C text as text
 *
 * Layer L1, beside abi/: includes base/ only. This is the public header of the room:
 *
 *   base/view.h        struct view: bytes of somebody else's text; what is a word, a name, a number
 *   base/lexer.h       comments, literals and continued lines
 *   base/conditions.h  the #ifs around a line
 *   base/directives.h  the #include and #define lines of a text
 *   base/name_glob.h   patterns of names that come by the hundred thousand
 *
 * Nothing here decides what a preprocessor decides. It reads hints, which clang confirms, and tables
 * whose grammar is a generator's.
 */
#ifndef BASE_CTEXT_H
#define BASE_CTEXT_H

#include "base/conditions.h"
#include "base/directives.h"
#include "base/lexer.h"
#include "base/name_glob.h"
#include "base/view.h"

#endif
