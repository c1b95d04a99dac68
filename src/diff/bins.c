#include "diff/bins.h"

#include <stdint.h>
#include <string.h>

enum { TEXT_BIN_BITS = 12 };
_Static_assert(DIFF_TEXT_BINS == 1 << TEXT_BIN_BITS, "a bin for every number");

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
	const uint64_t spread = UINT64_C(0x9e3779b97f4a7c15); /* the golden ratio */
	uint64_t number = length, word = 0;

	for (; length >= sizeof(word); text += sizeof(word), length -= sizeof(word)) {
		memcpy(&word, text, sizeof(word));
		number = (number ^ word) * spread;
		number ^= number >> 32;
	}
	word = 0;
	memcpy(&word, text, length);
	return (size_t)(((number ^ word) * spread) >> (64 - TEXT_BIN_BITS));
}
