/*
 * Which definitions can be left out
 *
 * 1. All definitions of all files go into one table by name. Several of one
 *    name stay or go together.
 * 2. A name is spoken of if it occurs outside of definitions: in code, in a
 *    condition, behind #undef, in the main text, in the profile's defines. Its
 *    definitions stay, and so the words of their bodies are spoken of too,
 *    and so on until nothing is added.
 * 3. What "##" pastes together cannot be seen as a word. Of a definition
 *    that stays and pastes, every name that begins with the piece that
 *    a chain begins with, or ends with the piece that it ends with, is spoken of;
 *    if parameters stand at both ends, it could be any name.
 * 4. clang's own headers are not part of the closure. They test reserved
 *    names only, so what begins with "_" always stays.
 */
#include "extract/quiet.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define NONE UINT32_MAX

struct definition {
	struct view name, rest;
	const char *start; /* of the directive, which ends where rest ends */
	uint32_t hash;
	uint32_t first;    /* the first definition of the same name, which speaks for all; may be itself */
	uint32_t next;     /* another of the same name; NONE */
};

struct quiet {
	struct definition *definitions;
	size_t count, capacity;
	struct view *code; /* what stands between definitions */
	size_t code_count, code_capacity;
	bool *stays;       /* by definition: of the first of each name */
	uint32_t *slots;   /* open addressing: the first definition of a name; NONE */
	size_t mask;       /* slots - 1 */
	uint32_t *work;    /* names spoken of whose bodies have not been read */
	size_t work_count;
	bool has_pasted;
	struct view pasted_first, pasted_last; /* the last that speak_pasted() looked for: they come in rows */
};

static uint32_t hash_of(struct view name)
{
	return (uint32_t)XXH3_64bits(name.at, name.length);
}

static bool same(struct view a, struct view b)
{
	return a.length == b.length && (!a.length || !memcmp(a.at, b.at, a.length));
}

/* The slot of @name: where it is, or where it would go. */
static uint32_t *slot_of(const struct quiet *quiet, struct view name, uint32_t hash)
{
	size_t at = hash & quiet->mask;

	while (quiet->slots[at] != NONE) {
		const struct definition *here = &quiet->definitions[quiet->slots[at]];

		if (here->hash == hash && same(here->name, name))
			break;
		at = (at + 1) & quiet->mask;
	}
	return &quiet->slots[at];
}

static void collect(void *data, const struct scan_piece *piece)
{
	struct quiet *quiet = data;

	if (!piece->is_define) {
		ARRAY_GROW(quiet->code, quiet->code_count, quiet->code_capacity);
		quiet->code[quiet->code_count++] = piece->whole;
		return;
	}
	ARRAY_GROW(quiet->definitions, quiet->count, quiet->capacity);
	quiet->definitions[quiet->count++] = (struct definition){
		.name = piece->name, .rest = piece->rest, .start = piece->whole.at, .hash = hash_of(piece->name), .next = NONE,
	};
}

static void make_table(struct quiet *quiet)
{
	size_t size = 64;

	while (size < quiet->count * 2)
		size *= 2;
	quiet->mask = size - 1;
	quiet->slots = xmalloc(size * sizeof(*quiet->slots));
	memset(quiet->slots, 0xff, size * sizeof(*quiet->slots));
	quiet->stays = xmalloc(quiet->count + 1);
	memset(quiet->stays, 0, quiet->count + 1);
	quiet->work = xmalloc((quiet->count + 1) * sizeof(*quiet->work));
	for (size_t i = 0; i < quiet->count; i++) {
		struct definition *one = &quiet->definitions[i];
		uint32_t *slot = slot_of(quiet, one->name, one->hash);

		if (*slot == NONE)
			*slot = (uint32_t)i;
		one->first = *slot;
		if (one->first != i) {
			one->next = quiet->definitions[one->first].next;
			quiet->definitions[one->first].next = (uint32_t)i;
		}
	}
}

/* The definitions in @slot are spoken of. */
static void speak(struct quiet *quiet, uint32_t slot)
{
	if (slot == NONE || quiet->stays[slot])
		return;
	quiet->stays[slot] = true;
	quiet->work[quiet->work_count++] = slot;
}

static void speak_word(void *data, struct view word)
{
	struct quiet *quiet = data;

	speak(quiet, *slot_of(quiet, word, hash_of(word)));
}

static bool begins_with(struct view name, struct view part)
{
	return part.length && name.length >= part.length && !memcmp(name.at, part.at, part.length);
}

static bool ends_with(struct view name, struct view part)
{
	return part.length && name.length >= part.length && !memcmp(name.at + name.length - part.length, part.at, part.length);
}

/* Every name that a chain from @first to @last may make; an empty one is a parameter. */
static void speak_pasted(struct quiet *quiet, struct view first, struct view last)
{
	bool any = !first.length && !last.length;

	if (quiet->has_pasted && same(first, quiet->pasted_first) && same(last, quiet->pasted_last))
		return;
	quiet->has_pasted = true;
	quiet->pasted_first = first;
	quiet->pasted_last = last;
	for (size_t i = 0; i < quiet->count; i++) {
		struct view name = quiet->definitions[i].name;

		if (any || (first.length ? begins_with(name, first) : ends_with(name, last)))
			speak(quiet, quiet->definitions[i].first);
	}
}

static bool is_word_char(char ch)
{
	return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9') || ch == '_' || ch == '$';
}

/* Blanks and continued line ends. */
static bool is_space(char ch)
{
	return ch == ' ' || ch == '\t' || ch == '\\' || ch == '\n' || ch == '\r' || ch == '\v' || ch == '\f';
}

/* The word before @at, from @start on; empty if something else stands there. */
static struct view word_before(const char *start, const char *at)
{
	const char *end, *first;

	while (at > start && is_space(at[-1]))
		at--;
	for (end = first = at; first > start && is_word_char(first[-1]); first--)
		;
	return (struct view){ first, (size_t)(end - first) };
}

static struct view word_after(const char *at, const char *end)
{
	const char *first, *last;

	while (at < end && is_space(*at))
		at++;
	for (first = last = at; last < end && is_word_char(*last); last++)
		;
	return (struct view){ first, (size_t)(last - first) };
}

static bool is_paste(const char *at, const char *end)
{
	return at + 1 < end && at[0] == '#' && at[1] == '#';
}

/* Is @word between the parentheses that @rest begins with? */
static bool is_parameter(struct view rest, struct view word)
{
	const char *close = rest.length && *rest.at == '(' ? memchr(rest.at, ')', rest.length) : NULL;

	for (const char *at = rest.at + 1; close && at < close; at++) {
		struct view here = word_after(at, close);

		if (same(here, word))
			return true;
		at = here.at + here.length;
	}
	return !strncmp(word.at, "__VA_", 5);
}

/* Follow the chain whose first "##" is at @at. Return: its end. */
static const char *speak_chain(struct quiet *quiet, struct view rest, const char *at)
{
	const char *end = rest.at + rest.length;
	struct view first = word_before(rest.at, at), last = { at, 0 };

	while (is_paste(at, end)) {
		last = word_after(at + 2, end);
		at = last.at + last.length;
		while (at < end && is_space(*at))
			at++;
	}
	if (first.length && is_parameter(rest, first))
		first.length = 0;
	if (last.length && is_parameter(rest, last))
		last.length = 0;
	speak_pasted(quiet, first, last);
	return at;
}

static void speak_body(struct quiet *quiet, struct view rest)
{
	const char *end = rest.at + rest.length;
	const char *at = rest.at;

	scan_words(rest, quiet, speak_word);
	while ((at = memmem(at, (size_t)(end - at), "##", 2)))
		at = speak_chain(quiet, rest, at);
}

static void speak_reserved(struct quiet *quiet)
{
	for (size_t i = 0; i < quiet->count; i++)
		if (*quiet->definitions[i].name.at == '_')
			speak(quiet, quiet->definitions[i].first);
}

static void speak_all(struct quiet *quiet, const struct closure *closure, struct view main_text)
{
	const struct profile_strings *defines = &closure->unit->define;

	speak_reserved(quiet);
	scan_words(main_text, quiet, speak_word);
	for (size_t i = 0; i < defines->count; i++)
		scan_words((struct view){ defines->item[i], strlen(defines->item[i]) }, quiet, speak_word);
	for (size_t i = 0; i < quiet->code_count; i++)
		scan_words(quiet->code[i], quiet, speak_word);
	while (quiet->work_count)
		for (uint32_t at = quiet->work[--quiet->work_count]; at != NONE; at = quiet->definitions[at].next)
			speak_body(quiet, quiet->definitions[at].rest);
}

/* What goes leaves its newlines, so that what follows keeps its line. */
static void leave_out(struct strbuf *copy, const char *at, const char *end)
{
	while ((at = memchr(at, '\n', (size_t)(end - at)))) {
		strbuf_addch(copy, '\n');
		at++;
	}
}

/* @next: the first definition of the file, then the first behind it. */
static void copy_file(struct strbuf *copy, const struct quiet *quiet, size_t *next, const struct closure_file *file)
{
	const char *at = file->text, *end = file->text + file->size;

	for (; *next < quiet->count; (*next)++) {
		const struct definition *one = &quiet->definitions[*next];
		const char *stop = one->rest.at + one->rest.length;

		if (one->start < at || one->start >= end)
			break;
		if (quiet->stays[one->first])
			continue;
		strbuf_add(copy, at, (size_t)(one->start - at));
		leave_out(copy, one->start, stop);
		at = stop;
	}
	strbuf_add(copy, at, (size_t)(end - at));
}

void quiet_texts(struct quiet_text *out, const struct closure *closure, struct view main_text, struct arena *arena)
{
	struct quiet quiet = { 0 };
	struct strbuf copy = { 0 };
	size_t next = 0;

	for (size_t i = 0; i < closure->file_count; i++)
		scan_pieces(closure->files[i]->text, closure->files[i]->size, &quiet, collect);
	make_table(&quiet);
	speak_all(&quiet, closure, main_text);
	for (size_t i = 0; i < closure->file_count; i++) {
		strbuf_reset(&copy);
		copy_file(&copy, &quiet, &next, closure->files[i]);
		out[i] = (struct quiet_text){ arena_strndup(arena, strbuf_text(&copy), copy.length), copy.length };
	}
	strbuf_release(&copy);
	free(quiet.definitions);
	free(quiet.code);
	free(quiet.slots);
	free(quiet.stays);
	free(quiet.work);
}
