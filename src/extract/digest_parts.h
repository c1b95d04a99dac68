/*
 * extract/digest_parts.h - a text that is being digested
 *
 * Layer L2, private to digest.c, which finds names, and digest_chunks.c, which
 * finds chunks.
 */
#ifndef EXTRACT_DIGEST_PARTS_H
#define EXTRACT_DIGEST_PARTS_H

#include "extract/digest.h"
#include "extract/hashes.h"

#include <string.h>

enum { BRACES_MAX = 64, CONDITIONS_MAX = 32, EARLY_MAX = 2048 };

enum brace {
	BRACE_NONE,
	BRACE_LINKAGE, /* extern "C" { */
	BRACE_RECORD,
	BRACE_ENUM,
	BRACE_OTHER,
};

/* Where in the code the reader is. */
struct reader {
	unsigned char braces[BRACES_MAX]; /* enum brace */
	unsigned depth;     /* of braces, linkage left out */
	unsigned open;      /* of all braces */
	unsigned functions; /* of those that are neither linkage, nor records, nor enums */
	unsigned parens;
	enum brace pending; /* what the next brace opens, by the last struct, union or enum */
	uint64_t word;      /* the last one; 0: a mark came after it */
	uint64_t before;    /* the one before that in the same run; 0 */
	unsigned run;       /* words since the last mark */
	char mark;          /* the last one */
};

/* The chunk that is being read, and those that were. */
struct chunker {
	const char *text, *end;
	struct digest_chunk *chunks;
	size_t count, capacity;
	uint64_t *words;
	size_t word_count, word_capacity;
	struct digest_meaning *meanings;
	size_t meaning_count, meaning_capacity;
	const char *at;       /* where it starts; NULL: none is being read */
	const char *region;   /* where the code starts that is being read */
	uint32_t seen;
	uint32_t word;
	bool is_define;       /* it is one definition */
	bool is_open;         /* it is in the middle of a declaration */
	bool may_end;         /* a declaration ended, and nothing stood behind it so far */
	unsigned round;       /* parentheses that are open */
	bool was_open[CONDITIONS_MAX]; /* is_open before each #if that is open */
	unsigned directives;  /* so far, pragmas left out */
	unsigned guards;      /* 1: the first #if that is open is the guard's */
	bool is_unsplit;
};

struct digesting {
	struct digest *out;
	struct macro_rules *rules;
	struct arena *arena;
	struct hashes meant, code, bodies, undefined, pasting;
	struct chunker chunker;
	struct digest_early *early;
	size_t early_count, early_capacity;
	struct reader reader;
	struct reader outside[CONDITIONS_MAX]; /* as it was before each #if that is open */
	unsigned conditions;
	bool unlike_c; /* the code does not go by the rules */
	unsigned directives; /* so far, pragmas left out */
	unsigned open;       /* of these, #ifs without #endif */
	uint64_t unless;     /* the name X of an #ifndef X, or #if !defined(X), with nothing around it but a guard, that is open */
	struct view guard;   /* the X of a first #ifndef X */
	bool has_guard;      /* #define X came next */
	bool has_once;       /* #pragma once */
	unsigned packed;     /* #pragma pack(push) without pop */
	bool has_more;       /* something stands outside the guard */
	unsigned cxx;        /* how many #ifs were open before an #ifdef __cplusplus that is, and 1; 0: none is */
	bool has_code;       /* that is not for C++ only */
	bool has_other;      /* another directive than a guard's, #include, #ifdef __cplusplus, #endif */
	struct digest_include *includes;
	size_t include_count, include_capacity;
	const char **include_at; /* where in the text each stands */
	size_t at_count, at_capacity;
	struct view *undefs;     /* names, where they stand */
	size_t undef_count, undef_capacity, undefs_done;
	struct digest_mention *mentions;
	size_t mention_count, mention_capacity;
	struct macro_definition *wanted;
	size_t wanted_count, wanted_capacity;
	bool is_plain;            /* of the directive that is being read */
	bool is_include;          /* the same */
	uint64_t macro;           /* whose body is being read */
	bool is_asked;            /* its value is */
	uint32_t seen;            /* #includes before what is being read */
};

static inline bool view_is(struct view view, const char *text)
{
	return view.length == strlen(text) && !memcmp(view.at, text, view.length);
}

/* chunks_token - something stands in the code: at @at, unless that is no place in the text. */
void chunks_token(struct digesting *digesting, const char *at);
/* chunks_mark - a mark was read, and the reader has taken note of it. */
void chunks_mark(struct digesting *digesting, char mark);
/* chunks_word, chunks_meaning - of the chunk that is being read; a word as of digest_word(). */
void chunks_word(struct chunker *chunker, uint64_t hash);
void chunks_meaning(struct chunker *chunker, uint64_t hash);
/* chunks_end - the chunk that is being read, if one is, ends at @end. */
void chunks_end(struct chunker *chunker, const char *end);
/* chunks_directive - a definition or other directive with @name begins at @at, and is about to be read. */
void chunks_directive(struct digesting *digesting, const char *at, struct view name);
/* chunks_directive_end - it was read, up to @end. */
void chunks_directive_end(struct digesting *digesting, const char *end);
/* chunks_take - the text was read: what was found goes to @out. */
void chunks_take(struct digest *out, struct digesting *digesting);

#endif
