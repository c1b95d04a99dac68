/*
 * Names that code declares are found by a reader of C that knows braces and
 * parentheses and little else. It may take a word for a declaration that is
 * none; one that it misses is noticed after the parse, by clang (see
 * pieces.c), and then the text is not trusted.
 */
#include "extract/digest_parts.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

uint64_t digest_name(struct view name)
{
	uint64_t hash = XXH3_64bits(name.at, name.length) & ~(uint64_t)1;

	return hash ? hash : 2;
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

static void on_bracket(void *data, const char *at)
{
	static const char pairs[] = "(){}[]";
	const char *found = *at ? strchr(pairs, *at) : NULL;
	int *open = data; /* of each pair, and whether one was closed that was not open */

	if (at[0] == '<' || at[0] == '%' || at[0] == ':')
		open[3] |= strchr("%:>", at[1]) != NULL && at[1]; /* "{" and the like, written otherwise */
	if (!found)
		return;
	open[(found - pairs) / 2] += (found - pairs) % 2 ? -1 : 1;
	open[3] |= open[(found - pairs) / 2] < 0;
}

static void on_no_word(void *data, struct view word)
{
	(void)data;
	(void)word;
}

/* Could what @body opens be closed by another one? */
static bool is_unbalanced(struct view body)
{
	static const bool special[256] = {
		['('] = true, [')'] = true, ['{'] = true, ['}'] = true, ['['] = true, [']'] = true, ['<'] = true, ['%'] = true, [':'] = true,
	};
	int open[4] = { 0 };
	size_t i = 0;

	while (i < body.length && !special[(unsigned char)body.at[i]])
		i++;
	if (i == body.length)
		return false;
	scan_tokens(body, open, on_no_word, on_bracket);
	return open[0] || open[1] || open[2] || open[3];
}

/* Where it stands, or when the text was made, is part of what such a word stands for. */
static bool tells_place(struct view word)
{
	return view_is(word, "__LINE__") || view_is(word, "__FILE__") || view_is(word, "__DATE__") || view_is(word, "__TIME__") ||
	       view_is(word, "__FILE_NAME__");
}

static uint64_t speak(struct digesting *digesting, struct hashes *names, struct view word)
{
	const char *odd = *word.at == '_' ? odd_word(word) : NULL;
	uint64_t hash = digest_name(word);

	if (odd)
		is_odd(digesting, odd);
	if (*word.at == '_' && tells_place(word))
		digesting->chunker.is_unsplit = true;
	hashes_add(names, hash);
	if (digesting->seen < digesting->include_count)
		note_early(digesting, hash);
	return hash;
}

static void mean(struct digesting *digesting, uint64_t hash)
{
	hashes_add(&digesting->meant, hash);
	chunks_meaning(&digesting->chunker, hash);
}

static void on_body_word(void *data, struct view word)
{
	struct digesting *digesting = data;

	uint64_t hash = speak(digesting, digesting->is_asked ? &digesting->code : &digesting->bodies, word);

	chunks_word(&digesting->chunker, hash | 1);
	ARRAY_GROW(digesting->mentions, digesting->mention_count, digesting->mention_capacity);
	digesting->mentions[digesting->mention_count++] = (struct digest_mention){ digesting->macro, hash };
}

static void on_condition_word(void *data, struct view word)
{
	struct digesting *digesting = data;

	chunks_word(&digesting->chunker, speak(digesting, &digesting->code, word));
}

/* Words of C that can stand where a name would. */
static bool is_keyword(struct view word)
{
#define WORD(text) { text, sizeof(text) - 1 }
	static const struct view keywords[] = {
		WORD("void"), WORD("char"), WORD("short"), WORD("int"), WORD("long"), WORD("signed"), WORD("unsigned"), WORD("float"),
		WORD("double"), WORD("_Bool"), WORD("const"), WORD("volatile"), WORD("restrict"), WORD("struct"), WORD("union"),
		WORD("enum"), WORD("typedef"), WORD("extern"), WORD("static"), WORD("inline"), WORD("sizeof"), WORD("__attribute__"),
		WORD("__inline"), WORD("__inline__"), WORD("__extension__"), WORD("__volatile__"), WORD("__const"),
		WORD("_Static_assert"), WORD("_Alignas"), WORD("return"), WORD("if"), WORD("else"), WORD("for"), WORD("while"), WORD("do"),
		WORD("switch"), WORD("case"), WORD("default"), WORD("break"), WORD("goto"), WORD("continue"),
	};
#undef WORD

	if (*word.at > 'w' || *word.at < '_')
		return false;
	for (size_t k = 0; k < sizeof(keywords) / sizeof(keywords[0]); k++)
		if (word.length == keywords[k].length && *word.at == *keywords[k].at && !memcmp(word.at, keywords[k].at, word.length))
			return true;
	return false;
}

static void on_code_word(void *data, struct view word)
{
	struct digesting *digesting = data;
	struct reader *reader = &digesting->reader;
	bool keyword = is_keyword(word);
	uint64_t hash;

	/* What a function does declares nothing, whatever its macros paste; but they must be macros. */
	digesting->has_more |= !digesting->conditions;
	digesting->has_code |= !digesting->cxx;
	chunks_token(digesting, word.at);
	hash = speak(digesting, reader->functions ? &digesting->bodies : &digesting->code, word);
	if (!keyword)
		chunks_word(&digesting->chunker, hash);
	if (view_is(word, "struct") || view_is(word, "union"))
		reader->pending = BRACE_RECORD;
	else if (view_is(word, "enum"))
		reader->pending = BRACE_ENUM;
	reader->before = reader->word;
	reader->word = keyword ? 0 : hash;
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

	if (*at == '\n') {
		if (digesting->chunker.may_end)
			chunks_end(&digesting->chunker, at);
		return;
	}
	digesting->has_code |= !digesting->cxx;
	chunks_token(digesting, at);
	if (at[0] == '%' && at[1] == ':') /* "#", written otherwise */
		is_odd(digesting, "a digraph");
	if (declares(reader, *at)) {
		/* In "typedef int name ALIGNED;" the last word is a macro. */
		if (reader->before && hashes_have(&digesting->meant, reader->word))
			mean(digesting, reader->before);
		mean(digesting, reader->word);
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
	chunks_mark(digesting, *at);
}

static void on_include(void *data, struct view spelled, enum scan_include kind)
{
	struct digesting *digesting = data;
	struct digest_include include = {
		.at = (uint32_t)(spelled.at - digesting->chunker.text), .kind = kind, .is_plain = digesting->is_plain,
		.unless = digesting->is_include && digesting->open == (digesting->has_guard ? 2 : 1) ? digesting->unless : 0,
	};

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

	hashes_add(&digesting->undefined, digest_name(name));
	ARRAY_GROW(digesting->undefs, digesting->undef_count, digesting->undef_capacity);
	digesting->undefs[digesting->undef_count++] = name;
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

/* The name that a line of directives begins with. */
static struct view first_word(struct view rest)
{
	static const bool ends[256] = {
		[0] = true, [' '] = true, ['\t'] = true, ['\r'] = true, ['\n'] = true, ['/'] = true, ['('] = true,
	};
	struct view word = { rest.at, 0 };

	while (word.length < rest.length && !ends[(unsigned char)rest.at[word.length]])
		word.length++;
	return word;
}

/*
 * "once" concerns the file alone, and so does packing that is taken back in
 * it: where none is pushed any more nothing else is said of it, and nothing
 * is included before that.
 */
static bool is_tame_pragma(struct digesting *digesting, struct view rest, bool is_plain)
{
	struct view word = first_word(rest);
	const char *end = rest.at + rest.length, *at = word.at + word.length;

	if (view_is(word, "once"))
		return true;
	while (at < end && strchr(" \t(", *at))
		at++;
	word = first_word((struct view){ at, (size_t)(end - at) });
	if (rest.length < 4 || memcmp(rest.at, "pack", 4) || !is_plain)
		return false;
	if (word.length >= 4 && !memcmp(word.at, "push", 4))
		digesting->packed++;
	else if (!digesting->packed)
		return false;
	else if (word.length >= 3 && !memcmp(word.at, "pop", 3))
		digesting->packed--;
	return true;
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

/* An identifier, or nothing. */
static struct view guard_name(struct view directive, struct view rest)
{
	struct view name = scan_guard(directive, rest);

	return name.length && *name.at >= '0' && *name.at <= '9' ? (struct view){ name.at, 0 } : name;
}

/* Before the directive counts: what condition will be around what follows? */
static void follow_unless(struct digesting *digesting, struct view name, struct view rest)
{
	struct view unless = guard_name(name, rest);
	unsigned outside = digesting->has_guard ? 1 : 0;
	bool is_if = name.length >= 2 && !memcmp(name.at, "if", 2);

	if (is_if && digesting->open == outside)
		digesting->unless = unless.length ? digest_name(unless) : 0;
	else if (!is_if && digesting->open == outside + 1 && (view_is(name, "endif") || (name.length > 2 && !memcmp(name.at, "el", 2))))
		digesting->unless = 0;
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
	if (digesting->directives == 1)
		digesting->guard = guard_name(name, rest);
	else if (digesting->directives == 2 && view_is(name, "define"))
		digesting->has_guard = word.length && word.length == digesting->guard.length &&
				       !memcmp(word.at, digesting->guard.at, word.length);
	if (!digesting->open && digesting->directives > 1)
		digesting->has_more = true;
	follow_unless(digesting, name, rest);
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

	if (view_is(name, "define")) /* most are */
		return true;
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
	digesting->is_include = view_is(name, "include");
	digesting->is_plain = is_plain && digesting->is_include;
	if (!is_whole_directive(name, rest) || view_is(name, "include_next") || view_is(name, "import") || view_is(name, "line") || view_is(name, "embed") ||
	    (view_is(name, "include") && rest.length && *rest.at != '"' && *rest.at != '<') ||
	    (view_is(name, "include") && digesting->packed) ||
	    (view_is(name, "pragma") && !is_tame_pragma(digesting, rest, is_plain)))
		is_odd(digesting, "a directive whose effect cannot be told from texts");
}

static void on_definition(struct digesting *digesting, const struct scan_piece *piece)
{
	digesting->macro = digest_name(piece->name);
	if (view_is(piece->name, "__cplusplus"))
		is_odd(digesting, "a header claims to be C++");
	mean(digesting, digesting->macro);
	chunks_word(&digesting->chunker, digesting->macro);
	digesting->out->upsets_chunks |= is_keyword(piece->name);
	digesting->is_asked = hashes_have(&digesting->code, digesting->macro);
	scan_words(piece->rest, digesting, on_body_word);
	if ((memchr(piece->rest.at, '#', piece->rest.length) && memmem(piece->rest.at, piece->rest.length, "##", 2)) || is_unbalanced(piece->rest))
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

/* The name of a directive; a comment in front of it hides it. */
static struct view directive_name(struct view line)
{
	const char *at = line.at + 1, *end = line.at + line.length;
	struct view name;

	while (at < end && (*at == ' ' || *at == '\t'))
		at++;
	name = (struct view){ at, 0 };
	while (at < end && *at >= 'a' && *at <= 'z')
		at++;
	name.length = (size_t)(at - name.at);
	return name;
}

/* Was an #include found on this line? */
static bool has_include(const struct digesting *digesting, struct view line)
{
	return digesting->seen < digesting->include_count && digesting->include_at[digesting->seen] < line.at + line.length;
}

static void on_other_directive(struct digesting *digesting, const struct scan_piece *piece)
{
	struct view name = directive_name(piece->whole);

	if (piece->name.length) /* see scan_pieces() */
		is_odd(digesting, "a definition whose name goes on behind a line end");
	if (!name.length || view_is(name, "define") ||
	    (view_is(name, "pragma") && !view_is(first_word((struct view){ name.at + name.length + 1, 5 }), "once")))
		digesting->chunker.is_unsplit = true;
	if (view_is(name, "include") && !has_include(digesting, piece->whole)) /* it may be an error */
		digesting->chunker.is_unsplit = true;
	chunks_directive(digesting, piece->whole.at, name);
	scan_words(piece->whole, digesting, on_condition_word);
	while (digesting->undefs_done < digesting->undef_count &&
	       digesting->undefs[digesting->undefs_done].at < piece->whole.at + piece->whole.length)
		mean(digesting, digest_name(digesting->undefs[digesting->undefs_done++]));
	follow_condition(digesting, piece->whole);
	chunks_directive_end(digesting, piece->whole.at + piece->whole.length);
}

static void on_piece(void *data, const struct scan_piece *piece)
{
	static const char define[] = "define";
	struct digesting *digesting = data;

	while (digesting->seen < digesting->include_count && digesting->include_at[digesting->seen] < piece->whole.at)
		digesting->seen++;
	if (piece->is_define) {
		chunks_directive(digesting, piece->whole.at, (struct view){ define, sizeof(define) - 1 });
		/* A guard that stands for something is more than a guard. */
		if (digesting->chunker.guards && digesting->chunker.directives == 2)
			digesting->chunker.is_unsplit |= strspn(piece->rest.at, " \t\r") < piece->rest.length;
		on_definition(digesting, piece);
		chunks_directive_end(digesting, piece->whole.at + piece->whole.length);
	} else if (piece->is_directive) {
		on_other_directive(digesting, piece);
	} else {
		digesting->chunker.region = piece->whole.at;
		scan_tokens(piece->whole, digesting, on_code_word, on_code_mark);
	}
}

static void release(struct digesting *digesting)
{
	free(digesting->includes);
	free(digesting->mentions);
	free(digesting->wanted);
	free(digesting->undefs);
	free(digesting->chunker.chunks);
	free(digesting->chunker.words);
	free(digesting->chunker.meanings);
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
	struct digesting digesting = { .out = out, .rules = rules, .arena = arena, .chunker = { .text = text, .end = text + size } };
	struct scan_sink sink = {
		.data = &digesting, .directive = on_directive, .include = on_include, .define = on_define, .undef = on_undef,
	};

	*out = (struct digest){ 0 };
	scan_directives(text, size, &sink);
	scan_pieces(text, size, &digesting, on_piece);
	while (digesting.undefs_done < digesting.undef_count) /* none is left, if both scans see the same */
		mean(&digesting, digest_name(digesting.undefs[digesting.undefs_done++]));
	/* A text that ends in the middle of a declaration has another one go on with it. */
	if (digesting.unlike_c || digesting.reader.depth || digesting.reader.word || digesting.packed)
		is_odd(&digesting, "braces that do not match, or a declaration or packing that is left open");
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
	chunks_take(out, &digesting);
	out->bodies = names_take(&digesting.bodies, &digesting.code, arena);
	out->code = names_take(&digesting.code, NULL, arena);
	out->early = arena_memdup(arena, digesting.early, digesting.early_count * sizeof(*out->early));
	out->early_count = digesting.early_count;
	out->undefined = names_take(&digesting.undefined, NULL, arena);
	out->pasting = names_take(&digesting.pasting, NULL, arena);
	release(&digesting);
}
