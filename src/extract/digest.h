/*
 * extract/digest.h - what one text could have to do with others
 *
 * Layer L2, inside extract/. Most headers of a version are those of the
 * version before. To know which of them have to be parsed again, it must be
 * known what each could depend on: which files it includes, which names it
 * speaks of, and which it gives a meaning to. All is found without a
 * preprocessor, so it is a superset: what stands under a condition counts.
 *
 * A name is known by a hash of 64 bits. That two names share one makes a
 * dependency too many, never one too few.
 */
#ifndef EXTRACT_DIGEST_H
#define EXTRACT_DIGEST_H

#include "extract/macro_rules.h"
#include "extract/scan.h"

#include <stdint.h>

struct digest_include {
	struct view spelled; /* lives in the arena */
	uint32_t at;         /* where in the text it is spelled */
	enum scan_include kind;
	bool is_plain;       /* under no condition: it counts if the file does */
	uint64_t unless;     /* it does, too, if nothing defines this name; 0: no such name */
};

/* Names, each once. */
struct digest_names {
	uint64_t *hash;
	size_t count;
};

/* The definition of a macro speaks of a word. */
struct digest_mention {
	uint64_t macro, word;
};

/*
 * A part of a text that can be told from the rest: a definition outside of
 * all conditions, a declaration or some that share a line, or all from an #if
 * to its #endif. The guard, #includes, comments and blanks are in none.
 */
struct digest_chunk {
	uint64_t hash[2];    /* of its bytes */
	uint32_t start, end; /* where in the text it stands */
	uint32_t seen : 31;  /* #includes before it */
	uint32_t is_define : 1; /* it is one definition of a macro */
	uint32_t word;       /* the first of its words; the next chunk's is behind the last */
};

enum { DIGEST_NO_CHUNK = UINT32_MAX };

/* A name is given a meaning: macros defined or undefined; types, tags, enumerators, functions declared. */
struct digest_meaning {
	uint64_t name;
	uint32_t chunk; /* by index, or DIGEST_NO_CHUNK: outside of all */
};

/* A name that is spoken of before the last #include: how many there are before it. */
struct digest_early {
	uint64_t hash;
	uint32_t seen;
};

struct digest {
	struct digest_include *includes; /* in the order of the text */
	size_t include_count;
	struct digest_meaning *meanings; /* in the order of the text; a name may come more than once */
	size_t meaning_count;
	struct digest_chunk *chunks;  /* in the order of the text, and one more, which ends the words */
	size_t chunk_count;           /* the one more has the last ends of both */
	/* Names that chunks speak of, and those that they give a meaning to; no keywords. See digest_word(). */
	uint64_t *words;
	/*
	 * The chunks are all that there is: if one changes, nothing changes but what it gives a meaning
	 * to, and what speaks of that.
	 */
	bool is_split;
	bool upsets_chunks;           /* it defines a keyword, which are not among the words */
	struct digest_names code;     /* spoken of in code, in conditions, and in macros whose value is asked for */
	struct digest_names bodies;   /* spoken of in the definitions of macros and functions, and not in code */
	struct digest_early *early;   /* of both, those before the last #include */
	size_t early_count;
	struct digest_names undefined; /* macros undefined */
	struct digest_names pasting;  /* macros whose definitions paste names together, or open what another one has to close */
	struct digest_mention *mentions;
	size_t mention_count;
	struct macro_definition *wanted; /* macros that a rule asks for */
	size_t wanted_count;
	uint64_t guard;  /* the name of its guard; 0 */
	bool is_guarded; /* all that stands in it counts once, however often it is included */
	/*
	 * Nothing but a guard, #includes and what is for C++: if these lead somewhere, neither a
	 * document nor an error comes of it.
	 */
	bool is_barren;
	bool must_be_scanned; /* it undefines macros, or includes by a path that is not normal: see closure_scan() */
	/*
	 * Why nobody can say what this text depends on, or what depends on it: a version that has it is
	 * read whole. NULL if that can be said.
	 */
	const char *odd;
};

/**
 * digest_text - read a text
 * @out:   lives in @arena
 * @rules: entered for the file; says which macros' values are asked for
 */
void digest_text(struct digest *out, const char *text, size_t size, struct macro_rules *rules, struct arena *arena);

/* digest_seen - how many #includes stand before the first place that speaks of a name; all, if it is not early. */
uint32_t digest_seen(const struct digest *digest, uint64_t hash);

/* digest_name - the hash of a name; it is even, and not 0. */
uint64_t digest_name(struct view name);
/* digest_word - the name of a chunk's word. It is odd if the word stands in the definition of a macro, which is used later. */
static inline uint64_t digest_word(uint64_t word)
{
	return word & ~(uint64_t)1;
}

#endif
