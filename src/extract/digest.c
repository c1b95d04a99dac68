/*
 * Names that code declares are found by a reader of C that knows braces and
 * parentheses and little else. It may take a word for a declaration that is
 * none; one that it misses is noticed after the parse, by clang (see
 * pieces.c), and then the text is not trusted.
 */
#include "extract/digest.h"

#include "extract/hashes.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

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

struct digesting {
	struct digest *out;
	struct macro_rules *rules;
	struct arena *arena;
	struct hashes meant, code, bodies, undefined, pasting;
	struct digest_early *early;
	size_t early_count, early_capacity;
	struct reader reader;
	struct reader outside[CONDITIONS_MAX]; /* as it was before each #if that is open */
	unsigned conditions;
	bool unlike_c; /* the code does not go by the rules */
	unsigned directives; /* so far, pragmas left out */
	unsigned open;       /* of these, #ifs without #endif */
	struct view guard;   /* the X of a first #ifndef X */
	bool has_guard;      /* #define X came next */
	bool has_once;       /* #pragma once */
	bool has_more;       /* something stands outside the guard */
	unsigned cxx;        /* how many #ifs were open before an #ifdef __cplusplus that is, and 1; 0: none is */
	bool has_code;       /* that is not for C++ only */
	bool has_other;      /* another directive than a guard's, #include, #ifdef __cplusplus, #endif */
	struct digest_include *includes;
	size_t include_count, include_capacity;
	const char **include_at; /* where in the text each stands */
	size_t at_count, at_capacity;
	struct digest_mention *mentions;
	size_t mention_count, mention_capacity;
	struct macro_definition *wanted;
	size_t wanted_count, wanted_capacity;
	bool is_plain;            /* of the directive that is being read */
	uint64_t macro;           /* whose body is being read */
	bool is_asked;            /* its value is */
	uint32_t seen;            /* #includes before what is being read */
};

uint64_t digest_name(struct view name)
{
	uint64_t hash = XXH3_64bits(name.at, name.length);

	return hash ? hash : 1;
}

/* @names go to the arena, but those that are @elsewhere, if that is given; the set is freed. */
static struct digest_names names_take(struct hashes *names, const struct hashes *elsewhere, struct arena *arena)
{
	struct digest_names taken = { .hash = arena_array(arena, names->count + 1, sizeof(*taken.hash)) };

	for (size_t i = 0; names->slot && i <= names->mask; i++)
		if (names->slot[i] && !(elsewhere && hashes_have(elsewhere, names->slot[i])))
			taken.hash[taken.count++] = names->slot[i];
	return taken;
}

static bool view_is(struct view view, const char *text)
{
	return view.length == strlen(text) && !memcmp(view.at, text, view.length);
}

static void is_odd(struct digesting *digesting, const char *why)
{
	if (!digesting->out->odd)
		digesting->out->odd = why;
}

/* What these stand for depends on more than texts, or they change what follows in other files. */
static const char *odd_word(struct view word)
{
	static const char *const odd[] = {
		"_Pragma", "__pragma", "__COUNTER__", "__INCLUDE_LEVEL__", "__BASE_FILE__", "__TIMESTAMP__", "__has_include",
		"__has_include_next", "__has_embed",
	};

	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++)
		if (view_is(word, odd[i]))
			return odd[i];
	return NULL;
}

/* These are few: a file begins with its includes. */
static void note_early(struct digesting *digesting, uint64_t hash)
{
	for (size_t i = 0; i < digesting->early_count; i++)
		if (digesting->early[i].hash == hash)
			return;
	if (digesting->early_count == EARLY_MAX) {
		is_odd(digesting, "too much stands before the last #include of a file");
		return;
	}
	ARRAY_GROW(digesting->early, digesting->early_count, digesting->early_capacity);
	digesting->early[digesting->early_count++] = (struct digest_early){ hash, digesting->seen };
}

uint32_t digest_seen(const struct digest *digest, uint64_t hash)
{
	for (size_t i = 0; i < digest->early_count; i++)
		if (digest->early[i].hash == hash)
			return digest->early[i].seen;
	return (uint32_t)digest->include_count;
}

static void speak(struct digesting *digesting, struct hashes *names, struct view word)
{
	const char *odd = *word.at == '_' ? odd_word(word) : NULL;
	uint64_t hash = digest_name(word);

	if (odd)
		is_odd(digesting, odd);
	hashes_add(names, hash);
	if (digesting->seen < digesting->include_count)
		note_early(digesting, hash);
}

static void on_body_word(void *data, struct view word)
{
	struct digesting *digesting = data;

	speak(digesting, digesting->is_asked ? &digesting->code : &digesting->bodies, word);
	ARRAY_GROW(digesting->mentions, digesting->mention_count, digesting->mention_capacity);
	digesting->mentions[digesting->mention_count++] = (struct digest_mention){ digesting->macro, digest_name(word) };
}

static void on_condition_word(void *data, struct view word)
{
	struct digesting *digesting = data;

	speak(digesting, &digesting->code, word);
}

/* Words of C that can stand where a name would. */
static bool is_keyword(struct view word)
{
	static const char *const keywords[] = {
		"void", "char", "short", "int", "long", "signed", "unsigned", "float", "double", "_Bool", "const", "volatile",
		"restrict", "struct", "union", "enum", "typedef", "extern", "static", "inline", "sizeof", "__attribute__", "__inline",
		"__inline__", "__extension__", "__volatile__", "__const", "_Static_assert", "_Alignas", "return", "if", "else", "for",
		"while", "do", "switch", "case", "default", "break", "goto", "continue",
	};

	if (*word.at > 'w')
		return false;
	for (size_t i = 0; i < sizeof(keywords) / sizeof(keywords[0]); i++)
		if (view_is(word, keywords[i]))
			return true;
	return false;
}

static void on_code_word(void *data, struct view word)
{
	struct digesting *digesting = data;
	struct reader *reader = &digesting->reader;

	/* What a function does declares nothing, whatever its macros paste; but they must be macros. */
	digesting->has_more |= !digesting->conditions;
	digesting->has_code |= !digesting->cxx;
	speak(digesting, reader->functions ? &digesting->bodies : &digesting->code, word);
	if (view_is(word, "struct") || view_is(word, "union"))
		reader->pending = BRACE_RECORD;
	else if (view_is(word, "enum"))
		reader->pending = BRACE_ENUM;
	reader->before = reader->word;
	reader->word = is_keyword(word) ? 0 : digest_name(word);
	reader->run++;
}

/* Does @mark, behind the last word, make that a name which is being declared? */
static bool declares(const struct reader *reader, char mark)
{
	enum brace inside = reader->open ? (enum brace)reader->braces[reader->open - 1] : BRACE_NONE;

	if (!reader->word)
		return false;
	if (mark == '{')
		return reader->pending;
	if (reader->depth)
		return inside == BRACE_ENUM && !reader->parens && strchr(",=}", mark);
	if (!reader->parens)
		return strchr(";,[(=:", mark);
	/* "(*name)(", and "WHATEVER(name, ...)" if that is a macro; a parameter's type is not meant. */
	return (reader->mark == '*' && strchr(")[", mark)) || (reader->mark == '(' && reader->run == 1 && strchr(",)", mark));
}

static void open_brace(struct digesting *digesting)
{
	struct reader *reader = &digesting->reader;
	enum brace brace = reader->pending;

	if (!brace)
		brace = reader->mark == '"' && !reader->word ? BRACE_LINKAGE : BRACE_OTHER;
	if (reader->open == BRACES_MAX) {
		digesting->unlike_c = true;
		return;
	}
	reader->braces[reader->open++] = (unsigned char)brace;
	reader->depth += brace != BRACE_LINKAGE;
	reader->functions += brace == BRACE_OTHER;
	reader->pending = BRACE_NONE;
}

static void close_brace(struct digesting *digesting)
{
	struct reader *reader = &digesting->reader;

	if (!reader->open) {
		digesting->unlike_c = true;
		return;
	}
	reader->open--;
	reader->depth -= reader->braces[reader->open] != BRACE_LINKAGE;
	reader->functions -= reader->braces[reader->open] == BRACE_OTHER;
	reader->pending = BRACE_NONE;
}

static void on_code_mark(void *data, const char *at)
{
	struct digesting *digesting = data;
	struct reader *reader = &digesting->reader;

	if (*at == '\n')
		return;
	digesting->has_code |= !digesting->cxx;
	if (at[0] == '%' && at[1] == ':') /* "#", written otherwise */
		is_odd(digesting, "a digraph");
	if (declares(reader, *at)) {
		/* In "typedef int name ALIGNED;" the last word is a macro. */
		if (reader->before && hashes_have(&digesting->meant, reader->word))
			hashes_add(&digesting->meant, reader->before);
		hashes_add(&digesting->meant, reader->word);
	}
	switch (*at) {
	case '{':
		open_brace(digesting);
		break;
	case '}':
		close_brace(digesting);
		break;
	case '(':
		reader->parens++;
		break;
	case ')':
		reader->parens -= reader->parens > 0;
		break;
	case ';':
		reader->pending = BRACE_NONE;
		reader->parens = 0;
		break;
	}
	reader->word = reader->before = 0;
	reader->run = 0;
	reader->mark = *at;
}

static void on_include(void *data, struct view spelled, enum scan_include kind)
{
	struct digesting *digesting = data;
	struct digest_include include = { .kind = kind, .is_plain = digesting->is_plain };

	if (memmem(spelled.at, spelled.length, "./", 2) || memmem(spelled.at, spelled.length, "//", 2))
		digesting->out->must_be_scanned = true;
	include.spelled = (struct view){ arena_strndup(digesting->arena, spelled.at, spelled.length), spelled.length };
	ARRAY_GROW(digesting->includes, digesting->include_count, digesting->include_capacity);
	digesting->includes[digesting->include_count++] = include;
	ARRAY_GROW(digesting->include_at, digesting->at_count, digesting->at_capacity);
	digesting->include_at[digesting->at_count++] = spelled.at;
}

static void on_undef(void *data, struct view name)
{
	struct digesting *digesting = data;

	hashes_add(&digesting->meant, digest_name(name));
	hashes_add(&digesting->undefined, digest_name(name));
	digesting->out->must_be_scanned = true;
}

static void on_define(void *data, const struct scan_define *define)
{
	struct digesting *digesting = data;
	struct macro_definition wanted;

	if (!macro_rules_take(&wanted, digesting->rules, define, digesting->arena))
		return;
	ARRAY_GROW(digesting->wanted, digesting->wanted_count, digesting->wanted_capacity);
	digesting->wanted[digesting->wanted_count++] = wanted;
	/* The bodies are read in the second pass; what is asked for is told apart by name. */
	hashes_add(&digesting->code, digest_name(define->name));
	if (memmem(define->body.at, define->body.length, "##", 2))
		is_odd(digesting, "a macro that is asked for pastes names together");
}

/* Only pragmas that end with their file, and those of packing, which is looked at behind each header. */
static bool is_tame_pragma(struct view rest)
{
	return (rest.length >= 4 && !memcmp(rest.at, "once", 4)) || (rest.length >= 4 && !memcmp(rest.at, "pack", 4));
}

/* The name that a line of directives begins with. */
static struct view first_word(struct view rest)
{
	struct view word = { rest.at, 0 };

	while (word.length < rest.length && !strchr(" \t\r\n/(", rest.at[word.length]))
		word.length++;
	return word;
}

/* One of those that a header of nothing but #includes has, and that cannot be wrong. */
static bool is_of_bag(const struct digesting *digesting, struct view name, struct view word, struct view rest)
{
	if (view_is(name, "include"))
		return true;
	if (view_is(name, "ifdef"))
		return view_is(word, "__cplusplus");
	if (view_is(name, "endif"))
		return digesting->open;
	if (!word.length || (*word.at >= '0' && *word.at <= '9'))
		return false;
	if (view_is(name, "ifndef"))
		return digesting->directives == 1;
	return view_is(name, "define") && digesting->directives == 2 && word.length == rest.length;
}

/* As scan.c has it: "#ifndef X" and "#define X" come first, and nothing behind the #endif. */
static void follow_guard(struct digesting *digesting, struct view name, struct view rest)
{
	struct view word = first_word(rest);

	if (view_is(name, "pragma")) {
		digesting->has_once |= view_is(word, "once");
		digesting->has_other |= !view_is(word, "once");
		return;
	}
	digesting->directives++;
	digesting->has_other |= !is_of_bag(digesting, name, word, rest);
	if (digesting->directives == 1 && view_is(name, "ifndef"))
		digesting->guard = word;
	else if (digesting->directives == 2 && view_is(name, "define"))
		digesting->has_guard = word.length && word.length == digesting->guard.length &&
				       !memcmp(word.at, digesting->guard.at, word.length);
	if (!digesting->open && digesting->directives > 1)
		digesting->has_more = true;
	if (name.length >= 2 && !memcmp(name.at, "if", 2))
		digesting->open++;
	else if (digesting->open == 1 && name.length > 2 && !memcmp(name.at, "el", 2))
		digesting->has_more = true;
	else if (view_is(name, "endif") && digesting->open)
		digesting->open--;
}

/* One whose name, or whose macro's name, goes on behind a line end is not understood here; conditions may do so. */
static bool is_whole_directive(struct view name, struct view rest)
{
	static const char *const known[] = {
		"if", "elif", "define", "error", "warning", "include", "ifdef", "ifndef", "undef", "else", "endif", "pragma",
	};
	enum { LONG_ONES = 5 }; /* the first ones may be long */
	size_t i = 0;

	while (i < sizeof(known) / sizeof(known[0]) && !view_is(name, known[i]))
		i++;
	if (i == sizeof(known) / sizeof(known[0]))
		return !name.length && !rest.length;
	return i < LONG_ONES || !memchr(rest.at, '\\', rest.length);
}

static void on_directive(void *data, struct view name, struct view rest, bool is_plain)
{
	struct digesting *digesting = data;

	follow_guard(digesting, name, rest);
	digesting->is_plain = is_plain && view_is(name, "include");
	if (!is_whole_directive(name, rest) || view_is(name, "include_next") || view_is(name, "import") || view_is(name, "line") || view_is(name, "embed") ||
	    (view_is(name, "include") && rest.length && *rest.at != '"' && *rest.at != '<') ||
	    (view_is(name, "pragma") && !is_tame_pragma(rest)))
		is_odd(digesting, "a directive whose effect cannot be told from texts");
}

static void on_definition(struct digesting *digesting, const struct scan_piece *piece)
{
	digesting->macro = digest_name(piece->name);
	if (view_is(piece->name, "__cplusplus"))
		is_odd(digesting, "a header claims to be C++");
	hashes_add(&digesting->meant, digesting->macro);
	digesting->is_asked = hashes_have(&digesting->code, digesting->macro);
	scan_words(piece->rest, digesting, on_body_word);
	if (memmem(piece->rest.at, piece->rest.length, "##", 2))
		hashes_add(&digesting->pasting, digesting->macro);
}

/* Each branch of a condition begins where the first one did; what follows goes on from the last. */
static void follow_condition(struct digesting *digesting, struct view line)
{
	const char *at = line.at + 1, *end = line.at + line.length;

	while (at < end && (*at == ' ' || *at == '\t'))
		at++;
	if (end - at >= 2 && !memcmp(at, "if", 2)) {
		if (digesting->conditions == CONDITIONS_MAX)
			digesting->unlike_c = true;
		else
			digesting->outside[digesting->conditions++] = digesting->reader;
		if (!digesting->cxx && memmem(at, (size_t)(end - at), "ifdef __cplusplus", 17))
			digesting->cxx = digesting->conditions;
	} else if (end - at >= 2 && !memcmp(at, "el", 2) && digesting->conditions) {
		digesting->reader = digesting->outside[digesting->conditions - 1];
	} else if (end - at >= 5 && !memcmp(at, "endif", 5) && digesting->conditions) {
		if (digesting->cxx == digesting->conditions)
			digesting->cxx = 0;
		digesting->conditions--;
	}
}

/* May a comment be left open? */
static bool is_open_at_end(const char *text, size_t size)
{
	const char *last = NULL, *at = text;

	while ((at = memmem(at, (size_t)(text + size - at), "/*", 2))) {
		last = at;
		at += 2;
	}
	return last && !memmem(last + 2, (size_t)(text + size - last - 2), "*/", 2);
}

static void on_piece(void *data, const struct scan_piece *piece)
{
	struct digesting *digesting = data;

	while (digesting->seen < digesting->include_count && digesting->include_at[digesting->seen] < piece->whole.at)
		digesting->seen++;
	if (piece->is_define)
		on_definition(digesting, piece);
	else if (!piece->is_directive)
		scan_tokens(piece->whole, digesting, on_code_word, on_code_mark);
	if (piece->is_directive) {
		if (piece->name.length) /* see scan_pieces() */
			is_odd(digesting, "a definition whose name goes on behind a line end");
		scan_words(piece->whole, digesting, on_condition_word);
		follow_condition(digesting, piece->whole);
	}
}

static void release(struct digesting *digesting)
{
	free(digesting->includes);
	free(digesting->mentions);
	free(digesting->wanted);
	hashes_release(&digesting->meant);
	hashes_release(&digesting->code);
	hashes_release(&digesting->bodies);
	free(digesting->early);
	free(digesting->include_at);
	hashes_release(&digesting->undefined);
	hashes_release(&digesting->pasting);
}

void digest_text(struct digest *out, const char *text, size_t size, struct macro_rules *rules, struct arena *arena)
{
	struct digesting digesting = { .out = out, .rules = rules, .arena = arena };
	struct scan_sink sink = {
		.data = &digesting, .directive = on_directive, .include = on_include, .define = on_define, .undef = on_undef,
	};

	*out = (struct digest){ 0 };
	scan_directives(text, size, &sink);
	scan_pieces(text, size, &digesting, on_piece);
	/* A text that ends in the middle of a declaration has another one go on with it. */
	if (digesting.unlike_c || digesting.reader.depth || digesting.reader.word)
		is_odd(&digesting, "braces that do not match, or a declaration that is left open");
	out->is_guarded = digesting.has_once || (digesting.has_guard && !digesting.has_more && !digesting.open &&
						 !hashes_have(&digesting.undefined, digest_name(digesting.guard)));
	out->is_barren = !digesting.has_code && !digesting.has_other && !digesting.open && !digesting.wanted_count &&
			 !is_open_at_end(text, size);
	out->guard = out->is_guarded && digesting.guard.length ? digest_name(digesting.guard) : 0;
	out->includes = arena_memdup(arena, digesting.includes, digesting.include_count * sizeof(*out->includes));
	out->include_count = digesting.include_count;
	out->mentions = arena_memdup(arena, digesting.mentions, digesting.mention_count * sizeof(*out->mentions));
	out->mention_count = digesting.mention_count;
	out->wanted = arena_memdup(arena, digesting.wanted, digesting.wanted_count * sizeof(*out->wanted));
	out->wanted_count = digesting.wanted_count;
	out->meant = names_take(&digesting.meant, NULL, arena);
	out->bodies = names_take(&digesting.bodies, &digesting.code, arena);
	out->code = names_take(&digesting.code, NULL, arena);
	out->early = arena_memdup(arena, digesting.early, digesting.early_count * sizeof(*out->early));
	out->early_count = digesting.early_count;
	out->undefined = names_take(&digesting.undefined, NULL, arena);
	out->pasting = names_take(&digesting.pasting, NULL, arena);
	release(&digesting);
}
