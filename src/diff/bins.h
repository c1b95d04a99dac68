/*
 * diff/bins.h - a bucket sort: things by bin, in linear time
 *
 * Layer L3, internal to diff/. Where a sort would only bring equal things together, bins
 * do that without comparing: only what shares a bin is compared. Everything is
 * in the caller's arena; nothing fails.
 */
#ifndef DIFF_BINS_H
#define DIFF_BINS_H

#include "base/base.h"

/* Bin b holds item[first[b]] up to, but not including, item[first[b + 1]]. */
struct diff_bins {
	size_t *first;
	size_t *item; /* numbers of things; within a bin ascending */
};

#define DIFF_NO_BIN SIZE_MAX
enum { DIFF_TEXT_BINS = 4096 };

/* diff_bins_fill - @bin: of each of @count things, less than @bin_count, or DIFF_NO_BIN; @out is in @arena */
void diff_bins_fill(struct diff_bins *out, size_t bin_count, const size_t *bin, size_t count, struct arena *arena);

/*
 * diff_text_bin - for @length bytes of text, a number less than DIFF_TEXT_BINS
 *
 * Equal for equal texts, so a lookup reads a single bin, and compares what is in
 * it.
 */
size_t diff_text_bin(const char *text, size_t length);

#endif
