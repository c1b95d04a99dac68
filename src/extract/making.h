/*
 * extract/making.h - pieces in the making
 *
 * Layer L2, private to making.c, parts.c and places.c: headers are parsed for
 * the pieces that no version had before (making.c), of which most consist of
 * parts that one had (parts.c); and what is found where is held against what
 * the texts said (places.c).
 */
#ifndef EXTRACT_MAKING_H
#define EXTRACT_MAKING_H

#include "extract/pieces.h"
#include "extract/plan.h"
#include "extract/walk.h"

/* What one chunk declares, in the making. */
struct part_maker {
	uint32_t chunk;
	struct abi_builder *builder;    /* NULL: it declares nothing, or is known */
	const struct share_part *known;
	struct share_key key;
	bool has_key;
	struct abi part;                /* sealed */
};

/* A piece in the making. */
struct maker {
	struct abi_builder *builder; /* NULL: it is not wanted */
	struct macro *macros;        /* malloc'd */
	size_t macro_count, macro_capacity;
	struct hashes meant;         /* what the digest says that the file declares, and in which chunk; empty until it is needed */
	uint32_t *lines, *columns;   /* at which each chunk starts; NULL: the file is not split */
	struct part_maker *parts;    /* of all chunks but macros, in their order; NULL: it is made as one */
	size_t part_count;
	unsigned first_piece;        /* of the walk: the file's, then one for each part */
	uint64_t *foreign;           /* hashes of the paths of other files in which it names places; malloc'd */
	size_t foreign_count, foreign_capacity;
	bool is_unanswered;          /* a macro is an error: it may be that what makes it none was left out */
};

struct making {
	const struct pieces_source *source;
	struct plan *plan;
	struct closure closure;
	struct macro_scan *macros;
	struct maker *makers;   /* by file of the plan */
	struct walk walk;
	const void *last_file;  /* CXFile, or struct closure_file, that was asked for last */
	size_t last_index;
	bool is_fine;           /* all pieces that are made have fine keys */
	bool is_idle;           /* all that is asked for is known: nothing is to be parsed */
	bool is_missed;         /* something is declared that the digest does not know of */
	struct err *err;
	int rc;
};

/* making_claimed - make the pieces that were claimed, and publish them, or give all of them up. */
int making_claimed(struct plan *plan, const struct pieces_source *source, const bool *claimed, bool is_fine, struct err *err);

/* --- places.c --------------------------------------------------------------- */

/* places_find_lines - of the chunks of a file, if it is split; its text is the tree's. */
void places_find_lines(struct making *making, const struct closure_file *file);
/* places_chunk - the chunk that stands on a line of a file whose lines were found; DIGEST_NO_CHUNK. */
uint32_t places_chunk(const struct making *making, size_t index, unsigned line);
/* places_mean - does the file give @name a meaning: where its chunks are known, in the one of @line? */
bool places_mean(struct making *making, size_t index, uint64_t name, unsigned line);
/* places_of_source - where "path:line:column" is: the index of its file, or plan->count. */
size_t places_of_source(const struct making *making, const char *source, unsigned *line);
/* places_check_enumerators - is_missed, if the texts do not tell of one. */
void places_check_enumerators(struct making *making, size_t index, const struct abi *part);
/* places_note_foreign - the maker's foreign paths. */
void places_note_foreign(struct making *making, size_t index, const struct abi *part);

/* --- parts.c ---------------------------------------------------------------- */

/* parts_find - of all pieces that are made; is_idle is cleared if any is not known. Return: by file and chunk: those; NULL: the file has no parts. */
bool **parts_find(struct making *making, const bool *claimed);
/* parts_number - what walk.piece is for each file and part. */
void parts_number(struct making *making);
/* parts_at - the part that stands on a line, or NULL. */
struct part_maker *parts_at(const struct making *making, size_t index, unsigned line);
/* parts_piece - the number that a walk has for what stands on a line. */
unsigned parts_piece(const struct making *making, size_t index, unsigned line);
/* parts_are_sound - does none contradict itself? */
bool parts_are_sound(const struct making *making, size_t index);
/* parts_join - put them into the maker's builder, and make the new ones known. Return: false if two contradict each other. */
bool parts_join(struct making *making, size_t index);
/* parts_put - one part, or piece, into a builder. Return: how many warnings it has of its own. */
size_t parts_put(struct abi_builder *builder, const struct abi *part);

#endif
