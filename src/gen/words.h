/*
 * gen/words.h - what a name may be in each language
 *
 * Inside the room. All names are letters, digits and '_' (words_is_identifier).
 */
#ifndef GEN_WORDS_H
#define GEN_WORDS_H

#include "gen/gen.h"

/* words_is_identifier - letters, digits and '_', the first no digit. A document may be written by hand. */
bool words_is_identifier(const char *name);

/*
 * words_type - @name for a type; in Python with one underscore before it in place of more, which a class body takes for its own.
 * In @arena.
 */
const char *words_type(enum gen_language language, const char *name, struct arena *arena);

/* words_is_reserved - may no type or constant of a file be called so? A keyword, or a name that the file itself uses. */
bool words_is_reserved(enum gen_language language, const char *name);

/* words_field - how the language spells a field of that name: "r#type" in Rust, "in_" in Python; @name if there is no need. In @arena. */
const char *words_field(enum gen_language language, const char *name, struct arena *arena);

/* words_versioned - "NAME_V590" or, if @whole, "NAME_V590_44_01" of version 590.44.01 or v590.44.01; '_' for what a name cannot have. */
char *words_versioned(const char *name, const char *version, bool whole, struct arena *arena);

#endif
