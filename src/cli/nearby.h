/*
 * cli/nearby.h - a name, glob or word of the command line that matches nothing
 *
 * Layer L6. A word that matches nothing is an error: its sentence lists the
 * nearest names, or all words if they are few.
 */
#ifndef CLI_NEARBY_H
#define CLI_NEARBY_H

#include "abi/abi.h"

/* nearby_matches - does @glob match a name of @abi, of any kind? */
bool nearby_matches(const struct abi *abi, const char *glob);

/* nearby_names - add names of @abi, of any kind, that resemble @word. */
void nearby_names(struct abi_nearest *nearest, const struct abi *abi, const char *word);

/* nearby_records - the same, of records only. */
void nearby_records(struct abi_nearest *nearest, const struct abi *abi, const char *word);

/* nearby_number - is @word an ioctl's number of @abi in hexadecimal, without its "0x"? */
bool nearby_number(const struct abi *abi, const char *word);

/* nearby_are_releases - digits and dots, after the same letters if any: not a branch, a commit or a directory. */
bool nearby_are_releases(const char *a, const char *b);

/* Words of one sort: families, flags, capabilities. { 0 } is none; lives in the arena of nearby_word(). */
struct nearby_words {
	const char **item;
	size_t count, capacity;
};

/* nearby_word - add @word, unless it is there. */
void nearby_word(struct nearby_words *words, const char *word, struct arena *arena);

/*
 * nearby_list - append what @word, which is none of @words, may have meant
 *
 * Of a few words, all: "; there are A, B, C", or "; there is none". Of many, those that resemble it.
 */
void nearby_list(struct strbuf *out, const struct nearby_words *words, const char *word);

#endif
