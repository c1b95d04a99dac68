/*
 * abi/padding.h - names that say that bytes are unused
 *
 * Layer L1. There are three rules, since a wrong answer costs something else
 * in each case:
 *
 *   padding_in_diff()   a reader is told "taken from padding" in place of "layout changed": generous
 *   padding_of_driver() the proxy need not have such a field: strict
 *   padding_of_proxy()  what a proxy written in Go or C calls padding: "Pad0", "_"
 */
#ifndef ABI_PADDING_H
#define ABI_PADDING_H

#include <stdbool.h>

/*
 * padding_in_diff - "reserved", "pad2", "params.rsvd_0", "reserved_flags": the last component begins with such a word
 *
 * A letter may not follow the word: "padlinkMask" and "reservedSorMask" of the real driver are in use.
 */
bool padding_in_diff(const char *path);

/* padding_of_driver - "pad0", "reserved", "rsvd2": the last component is such a word, and a number. */
bool padding_of_driver(const char *path);

/* padding_of_proxy - "Pad0", "_", "padding_1": the whole name. */
bool padding_of_proxy(const char *name);

#endif
