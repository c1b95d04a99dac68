#include "diff/bins.h"

#include <xxhash.h>

/* Counts, adds up, and then fills each bin from its end. */
void diff_bins_fill(struct diff_bins *out, size_t bin_count, const size_t *bin, size_t count, struct arena *arena)
{
	size_t *first = arena_array(arena, bin_count + 1, sizeof(*first));
	size_t *item = arena_array(arena, count + 1, sizeof(*item));

	for (size_t i = 0; i < count; i++)
		if (bin[i] != DIFF_NO_BIN)
			first[bin[i]]++;
	for (size_t b = 0; b < bin_count; b++)
		first[b + 1] += first[b];
	for (size_t i = count; i--;)
		if (bin[i] != DIFF_NO_BIN)
			item[--first[bin[i]]] = i;
	*out = (struct diff_bins){ first, item };
}

size_t diff_text_bin(const char *text, size_t length)
{
	return XXH3_64bits(text, length) % DIFF_TEXT_BINS;
}
