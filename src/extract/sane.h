/*
 * extract/sane.h - texts that would be too much for clang's parser
 *
 * Layer L2, inside extract/. clang parses by recursion and guards only its
 * brackets: some hundred prefix operators, casts or dimensions in one
 * expression end the whole program. No header comes near that.
 */
#ifndef EXTRACT_SANE_H
#define EXTRACT_SANE_H

#include <stddef.h>

/* sane_check - Return: 0; the line, from 1, of an expression that is deeper than is sane. */
unsigned sane_check(const char *text, size_t size);

#endif
