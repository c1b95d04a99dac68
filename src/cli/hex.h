/*
 * cli/hex.h - bytes as people paste them
 *
 * Layer L6.
 */
#ifndef CLI_HEX_H
#define CLI_HEX_H

#include "base/base.h"

#include <stdbool.h>
#include <stdint.h>

/**
 * hex_read - append the bytes that @text spells to @out
 *
 * Two digits a byte, in the order of memory: "c1d00001", "c1 d0:00 01", "0xc1,0xd0". Blanks, colons and commas separate bytes.
 * Return: 0; ERR_USAGE, with @out untouched.
 */
int hex_read(struct strbuf *out, const char *text, struct err *err);

/* hex_number - all of @text as a number, decimal or with 0x. Return: false if it is none, or more than 64 bits. */
bool hex_number(uint64_t *out, const char *text);

#endif
