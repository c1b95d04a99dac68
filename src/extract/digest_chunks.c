/*
 * Where one chunk ends and the next begins. What looks like the body of a
 * function ends a chunk: if a name is declared behind it all the same, as macros can
 * make it, clang sees that the declaration begins in another chunk (making.c).
 */
#include "extract/digest_parts.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static void begin_chunk(struct digesting *digesting, const char *at)
{
	struct chunker *chunker = &digesting->chunker;

	if (chunker->at)
		return;
	chunker->at = at;
	chunker->seen = digesting->seen;
	chunker->word = (uint32_t)chunker->word_count;
	chunker->is_define = false;
}

void chunks_end(struct chunker *chunker, const char *end)
{
	struct digest_chunk chunk = { .seen = chunker->seen & INT32_MAX, .is_define = chunker->is_define, .word = chunker->word };
	XXH128_hash_t hash;

	chunker->may_end = false;
	if (!chunker->at)
		return;
	chunk.start = (uint32_t)(chunker->at - chunker->text);
	chunk.end = (uint32_t)(end - chunker->text);
	hash = XXH3_128bits(chunker->at, (size_t)(end - chunker->at));
	chunk.hash[0] = hash.low64;
	chunk.hash[1] = hash.high64;
	ARRAY_GROW(chunker->chunks, chunker->count, chunker->capacity);
	chunker->chunks[chunker->count++] = chunk;
	chunker->at = NULL;
}

/* Something stands in the code: at @at, unless that is no place in the text. */
void chunks_token(struct digesting *digesting, const char *at)
{
	struct chunker *chunker = &digesting->chunker;

	if (!chunker->at)
		begin_chunk(digesting, at >= chunker->text && at < chunker->end ? at : chunker->region);
	chunker->may_end = false;
	chunker->is_open = true;
}

void chunks_mark(struct digesting *digesting, char mark)
{
	const struct reader *reader = &digesting->reader;
	struct chunker *chunker = &digesting->chunker;
	int brace;

	if (mark == '(') {
		chunker->round++;
	} else if (mark == ')') {
		chunker->is_unsplit |= !chunker->round;
		chunker->round -= chunker->round > 0;
	} else if (mark == ';' && !digesting->reader.depth && !chunker->round) {
		chunker->is_open = false;
		chunker->may_end = digesting->conditions == chunker->guards;
	}
	if (mark != '{' && mark != '}')
		return;
	/* extern "C" { and its end declare nothing; and here ends a function's body, or what looks like one (see on_declared()). */
	brace = mark == '{' && reader->open ? reader->braces[reader->open - 1] : reader->braces[reader->open];
	if (brace == BRACE_LINKAGE && !chunker->round)
		chunker->is_open = false;
	if (mark == '}' && brace == BRACE_OTHER && !reader->depth && !chunker->round) {
		chunker->is_open = false;
		chunker->may_end = digesting->conditions == chunker->guards;
	}
}

/* Its last ones are looked at: most that come again come again soon. */
void chunks_word(struct chunker *chunker, uint64_t hash)
{
	size_t first = chunker->word_count > chunker->word + 4 ? chunker->word_count - 4 : chunker->word;

	if (!chunker->at)
		return;
	for (size_t i = first; i < chunker->word_count; i++)
		if (chunker->words[i] == hash)
			return;
	ARRAY_GROW(chunker->words, chunker->word_count, chunker->word_capacity);
	chunker->words[chunker->word_count++] = hash;
}

void chunks_meaning(struct chunker *chunker, uint64_t hash)
{
	const uint32_t chunk = chunker->at ? (uint32_t)chunker->count : DIGEST_NO_CHUNK;
	const struct digest_meaning *last = chunker->meaning_count ? &chunker->meanings[chunker->meaning_count - 1] : NULL;

	if (last && last->name == hash && last->chunk == chunk)
		return;
	ARRAY_GROW(chunker->meanings, chunker->meaning_count, chunker->meaning_capacity);
	chunker->meanings[chunker->meaning_count++] = (struct digest_meaning){ hash, chunk };
}

/* Is the reader outside of all declarations, and of all conditions but the guard? */
static bool is_between_chunks(const struct digesting *digesting)
{
	return digesting->conditions == digesting->chunker.guards && !digesting->chunker.is_open;
}

/* Is a directive that has a meaning of its own outside of all chunks? */
static bool is_lonely(const struct digesting *digesting, struct view name)
{
	static const char *const known[] = { "if", "ifdef", "ifndef", "undef", "include", "pragma" };

	if (digesting->conditions > digesting->chunker.guards || view_is(name, "define"))
		return false;
	if (digesting->conditions && view_is(name, "endif"))
		return false;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (view_is(name, known[i]))
			return false;
	return true;
}

/* The definition or other directive that begins at @at, with @name, is about to be read. */
void chunks_directive(struct digesting *digesting, const char *at, struct view name)
{
	struct chunker *chunker = &digesting->chunker;
	bool is_condition = name.length >= 2 && !memcmp(name.at, "if", 2);

	if (!view_is(name, "pragma"))
		chunker->directives++;
	chunker->is_unsplit |= chunker->round > 0 || (view_is(name, "include") && chunker->is_open) || is_lonely(digesting, name);
	if (is_between_chunks(digesting))
		chunks_end(chunker, at);
	if (chunker->directives == 1 && is_condition && digesting->has_guard)
		chunker->guards = 1;
	else if (is_between_chunks(digesting) && (is_condition || view_is(name, "undef") || view_is(name, "define")) &&
		 !(chunker->directives == 2 && chunker->guards)) {
		begin_chunk(digesting, at);
		chunker->is_define = view_is(name, "define");
	}
	if (is_condition && digesting->conditions < CONDITIONS_MAX)
		chunker->was_open[digesting->conditions] = chunker->is_open;
	else if (((name.length > 2 && !memcmp(name.at, "el", 2)) || view_is(name, "endif")) && digesting->conditions)
		chunker->is_unsplit |= chunker->was_open[digesting->conditions - 1] != chunker->is_open;
}

/* It was read up to @end. */
void chunks_directive_end(struct digesting *digesting, const char *end)
{
	if (is_between_chunks(digesting))
		chunks_end(&digesting->chunker, end);
}

static bool speaks_of(const struct chunker *chunker, uint64_t name)
{
	for (size_t i = 0; i < chunker->word_count; i++)
		if (digest_word(chunker->words[i]) == name)
			return true;
	return false;
}

/*
 * May a comment be left open at the end? Then nobody must leave out what is
 * outside of all chunks. What begins one in a literal, or in a line comment, counts as well.
 */
static bool may_end_in_comment(const char *text, const char *end)
{
	const char *at = end;

	while ((at = memrchr(text, '*', (size_t)(at - text)))) {
		if (at > text && at[-1] == '/')
			return true;
		if (at + 1 < end && at[1] == '/')
			return false;
	}
	return false;
}

void chunks_take(struct digest *out, struct digesting *digesting)
{
	struct chunker *chunker = &digesting->chunker;

	chunks_end(chunker, chunker->end);
	out->is_split = !out->odd && !chunker->is_unsplit && !may_end_in_comment(chunker->text, chunker->end) && !chunker->is_open && !chunker->round && !digesting->conditions &&
			(!chunker->guards || (out->is_guarded && !speaks_of(chunker, digest_name(digesting->guard)))) && !memchr(chunker->text, '\r', (size_t)(chunker->end - chunker->text)) &&
			chunker->end - chunker->text < UINT32_MAX;
	ARRAY_GROW(chunker->chunks, chunker->count, chunker->capacity);
	chunker->chunks[chunker->count] = (struct digest_chunk){
		.seen = (uint32_t)digesting->include_count & INT32_MAX, .word = (uint32_t)chunker->word_count,
	};
	out->chunks = arena_memdup(digesting->arena, chunker->chunks, (chunker->count + 1) * sizeof(*out->chunks));
	out->chunk_count = chunker->count;
	out->words = arena_memdup(digesting->arena, chunker->words, chunker->word_count * sizeof(*out->words));
	out->meanings = arena_memdup(digesting->arena, chunker->meanings, chunker->meaning_count * sizeof(*out->meanings));
	out->meaning_count = chunker->meaning_count;
}
