/*
 * extract/flag_words.h - words for the bits of a number
 *
 * Layer L2, inside ioctls/. The bits of a command's flags moved
 * between versions (RMCTRL_FLAGS_NON_PRIVILEGED is bit 4 in 515 and bit 3 in
 * 590), so the words are read from the #defines of the same tree.
 */
#ifndef EXTRACT_FLAG_WORDS_H
#define EXTRACT_FLAG_WORDS_H

#include "extract/table_file.h"

struct flag_word {
	const char *macro; /* "RMCTRL_FLAGS_PRIVILEGED" */
	const char *word;  /* "privileged" */
	uint64_t bits;     /* several for a macro that uses others */
	const char *value; /* as written; NULL once bits is known */
	const char *source; /* "path:line" */
};

struct flag_words {
	const struct profile_words *rule;
	struct flag_word *items; /* in the order of the headers; freed by flag_words_release() */
	size_t count;
	size_t capacity;            /* 0: items are somebody else's */
	uint64_t unless_bits; /* any of these: no fallback */
	const char *fallback; /* a word, or NULL */
};

/* A set of words that grows. { 0 } is empty. */
struct word_set {
	const char **items;
	size_t count;
	size_t capacity;
};

/**
 * flag_words_read - the words that @rule names, from the headers of @tree
 * @bit_numbers: the macros' values are numbers of bits, not masks
 * @out: all zero; on failure still to be released
 *
 * Return: 0, also when no header is there (then each bit becomes "bit-0x…"
 * and there is a warning); what the tree returned.
 */
int flag_words_read(struct flag_words *out, struct tree *tree, const struct profile_words *rule, bool bit_numbers,
		       struct abi_builder *builder, struct arena *arena, struct err *err);
void flag_words_release(struct flag_words *words);

/* flag_words_add_bits - the word of every bit of @bits, the fallback if it applies. */
void flag_words_add_bits(struct word_set *out, const struct flag_words *words, uint64_t bits,
			    struct arena *arena);

/**
 * flag_words_add_macro - the word of a macro, or the words of those that it uses
 *
 * Return: false if the headers do not define it; its own name gives the word then.
 */
bool flag_words_add_macro(struct word_set *out, const struct flag_words *words, struct view macro,
			     struct arena *arena);

void word_set_add(struct word_set *set, const char *word);
/* word_set_seal - sorted, unique, in @arena; NULL if empty. @set is empty afterwards. */
const char *const *word_set_seal(size_t *count, struct word_set *set, struct arena *arena);

/* word_set_join - "a,b" in @arena; NULL if empty. @set is empty afterwards. */
const char *word_set_join(struct word_set *set, struct arena *arena);

#endif
