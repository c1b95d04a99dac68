/*
 * decode/hints.h - where in a log something may be told
 *
 * Internal to decode/.
 */
#ifndef DECODE_HINTS_H
#define DECODE_HINTS_H

#include <stddef.h>

/**
 * hints_find - the first place in @text that a line with a call or the driver's version has
 *
 * That is "ioctl", a number behind "command" or "class", or "NVIDIA driver"; other text may be like it.
 * Return: NULL if there is none.
 */
const char *hints_find(const char *text, size_t length);

#endif
