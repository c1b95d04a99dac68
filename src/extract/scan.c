#include "extract/scan.h"

#include <string.h>

/*
 * The conditions that a line stands under. A guard around the whole file,
 * "#ifndef X" and "#define X" as its first two directives, does not count.
 */
struct conditions {
	unsigned depth;      /* #if without #endif */
	unsigned directives; /* seen so far */
	struct view guard;   /* the X of a first #ifndef */
	bool in_guard;       /* that #ifndef is open, and the #define followed */
	bool after_guard;    /* it was closed, or had an #else */
};

struct scanner {
	const char *at;
	const char *end; /* *end is NUL */
	unsigned line;
	struct conditions conditions;
	const struct scan_sink *sink;
};

/* A NUL byte is white space to clang as well. */
static bool is_blank(char ch)
{
	return ch == ' ' || ch == '\t' || ch == '\r' || ch == '\v' || ch == '\f' || ch == '\0';
}

static const bool word_chars[256] = {
	['a' ... 'z'] = true, ['A' ... 'Z'] = true, ['0' ... '9'] = true, ['_'] = true, ['$'] = true,
};

/* A backslash, blanks that clang forgives, and the newline. Return: their length, 0 if @at starts no continuation. */
static size_t continuation(const char *at, const char *end)
{
	const char *p = at;

	if (p == end || *p != '\\')
		return 0;
	for (p++; p < end && is_blank(*p); p++)
		;
	return p < end && *p == '\n' ? (size_t)(p - at) + 1 : 0;
}

/* Past the end of the block comment that starts at @at, or to the end of the text. */
static const char *comment_end(const char *at, const char *end)
{
	const char *p = at + 2;

	while ((p = memchr(p, '/', (size_t)(end - p)))) {
		if (p[-1] == '*' && p - at >= 3)
			return p + 1;
		p++;
	}
	return end;
}

/* Past the closing quote of the literal that starts at @at; a literal ends with its line at the latest. */
static const char *literal_end(const char *at, const char *end)
{
	const char *p;

	for (p = at + 1; p < end && *p != '\n'; p++) {
		size_t splice = continuation(p, end);

		if (splice)
			p += splice - 1;
		else if (*p == '\\' && p + 1 < end)
			p++;
		else if (*p == *at)
			return p + 1;
	}
	return p;
}

static void count_lines(struct scanner *scanner, const char *to)
{
	const char *p = scanner->at;

	while (p < to && (p = memchr(p, '\n', (size_t)(to - p)))) {
		scanner->line++;
		p++;
	}
	scanner->at = to;
}

/* Where a line can end or begin to mean something else: newline, slash, quotes, backslash. */
static const char *next_special(const char *at, const char *end)
{
	static const bool special[256] = { ['\n'] = true, ['/'] = true, ['"'] = true, ['\''] = true, ['\\'] = true };

	while (at < end && !special[(unsigned char)*at])
		at++;
	return at;
}

/* Past the line comment at @at; a continued line continues it. */
static const char *line_comment_end(const char *at, const char *end)
{
	size_t splice;

	for (;;) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		const char *stop = newline ? newline : end;

		while ((at = memchr(at, '\\', (size_t)(stop - at)))) {
			if ((splice = continuation(at, end)))
				break;
			at++;
		}
		if (!at)
			return stop;
		at += splice;
	}
}

/* The newline (or end of text) that ends the logical line @at stands on. */
static const char *logical_line_end(const char *at, const char *end)
{
	const char *p = next_special(at, end);

	while (p < end && *p != '\n') {
		if (*p == '/' && p[1] == '*')
			p = comment_end(p, end);
		else if (*p == '/' && p[1] == '/')
			p = line_comment_end(p, end);
		else if (*p == '"' || *p == '\'')
			p = literal_end(p, end);
		else
			p += *p == '\\' && continuation(p, end) ? continuation(p, end) : 1;
		p = next_special(p, end);
	}
	return p;
}

/* Nothing on a line without "/" can open a comment: the common line is passed in one step. */
static const char *plain_line_end(const char *at, const char *end)
{
	const char *newline = memchr(at, '\n', (size_t)(end - at));
	const char *stop = newline ? newline : end;

	if (memchr(at, '/', (size_t)(stop - at)) || memchr(at, '\\', (size_t)(stop - at)))
		return logical_line_end(at, end);
	return stop;
}

/* Blanks, comments and continued line ends, all of which mean nothing before and inside a directive. */
static const char *skip_blank(const char *at, const char *end)
{
	while (at < end) {
		size_t splice = 0;

		if (is_blank(*at))
			at++;
		else if (at[0] == '/' && at + 1 < end && at[1] == '*')
			at = comment_end(at, end);
		else if (*at == '\\' && (splice = continuation(at, end)))
			at += splice;
		else
			break;
	}
	return at;
}

static struct view word_at(const char *at, const char *end)
{
	const char *p = at;

	while (p < end && word_chars[(unsigned char)*p])
		p++;
	return (struct view){ at, (size_t)(p - at) };
}

static inline bool view_is(struct view view, const char *text)
{
	return view.length == strlen(text) && !memcmp(view.at, text, view.length);
}

static void report_include(const struct scanner *scanner, const char *at, const char *stop, bool next)
{
	enum scan_include kind = SCAN_ANGLED;
	const char *close;

	if (at == stop || (*at != '"' && *at != '<') || !scanner->sink->include)
		return;
	if (*at == '"')
		kind = SCAN_QUOTED;
	if (next)
		kind = SCAN_NEXT;
	close = memchr(at + 1, *at == '"' ? '"' : '>', (size_t)(stop - at - 1));
	if (close && close > at + 1)
		scanner->sink->include(scanner->sink->data, (struct view){ at + 1, (size_t)(close - at - 1) }, kind);
}

/* Is it certain that the line counts wherever the file does? */
static bool is_plain(const struct conditions *conditions)
{
	return !conditions->after_guard && conditions->depth == (conditions->in_guard ? 1 : 0);
}

static bool view_same(struct view a, struct view b)
{
	return a.length == b.length && !memcmp(a.at, b.at, a.length);
}

static const char *skip_char(const char *at, const char *end, char c)
{
	return at < end && *at == c ? skip_blank(at + 1, end) : NULL;
}

/* The X of "!defined(X)", with blanks where there may be some and nothing behind it. */
static struct view undefined_name(const char *at, const char *end)
{
	struct view word, none = { at, 0 };
	const char *open;

	if (!(at = skip_char(at, end, '!')) || !view_is(word = word_at(at, end), "defined"))
		return none;
	at = skip_blank(word.at + word.length, end);
	open = skip_char(at, end, '(');
	word = word_at(open ? open : at, end);
	at = skip_blank(word.at + word.length, end);
	if (open && !(at = skip_char(at, end, ')')))
		return none;
	return at == end || *at == '\r' || (*at == '/' && at[1] == '/') ? word : none;
}

struct view scan_guard(struct view directive, struct view rest)
{
	const char *end = rest.at + rest.length;

	if (view_is(directive, "ifndef"))
		return word_at(rest.at, end);
	return view_is(directive, "if") ? undefined_name(rest.at, end) : (struct view){ rest.at, 0 };
}

/* @word is the directive, @rest what is behind it. */
static void follow_conditions(struct conditions *conditions, struct view word, struct view rest)
{
	struct view name = word_at(rest.at, rest.at + rest.length);

	if (!view_is(word, "pragma"))
		conditions->directives++;
	if (conditions->directives == 1 && !view_is(word, "pragma"))
		conditions->guard = scan_guard(word, rest);
	else if (view_is(word, "define") && conditions->directives == 2 && conditions->guard.length)
		conditions->in_guard = view_same(conditions->guard, name);
	if (view_is(word, "if") || view_is(word, "ifdef") || view_is(word, "ifndef")) {
		conditions->depth++;
	} else if (view_is(word, "endif") || (word.length > 2 && !memcmp(word.at, "el", 2))) {
		if (conditions->depth == 1 && conditions->in_guard)
			conditions->after_guard = true;
		if (view_is(word, "endif") && conditions->depth)
			conditions->depth--;
	}
}

/* Is the word in front of @at continued on the next line, as in "FO\\" and "O"? */
static bool is_spliced(const char *at, const char *end)
{
	size_t splice = continuation(at, end);

	return splice && word_at(at + splice, end).length;
}

static void report_define(const struct scanner *scanner, const char *at, const char *stop, unsigned line)
{
	struct view name = word_at(at, stop);
	struct view body = { name.at + name.length, (size_t)(stop - name.at) - name.length };
	const char *start;

	if (!name.length || (*name.at >= '0' && *name.at <= '9') || (body.length && *body.at == '(') || is_spliced(body.at, stop))
		return;
	if (scanner->sink->define)
		scanner->sink->define(scanner->sink->data, &(struct scan_define){ name, body, line, is_plain(&scanner->conditions) });
	/* "#define HEADER <x.h>" may be included by name. */
	start = skip_blank(body.at, stop);
	if (start < stop && (*start == '<' || (*start == '"' && memmem(start, (size_t)(stop - start), ".h\"", 3))))
		report_include(scanner, start, stop, false);
}

static void report_undef(const struct scanner *scanner, struct view name)
{
	if (name.length && scanner->sink->undef)
		scanner->sink->undef(scanner->sink->data, name);
}

/* #pragma pop_macro("NAME") may take a definition away as well. */
static void report_pragma(const struct scanner *scanner, const char *at, const char *stop)
{
	const char *quote;

	if (!view_is(word_at(at, stop), "pop_macro"))
		return;
	quote = memchr(at, '"', (size_t)(stop - at));
	if (quote)
		report_undef(scanner, word_at(quote + 1, stop));
}

/* @scanner stands on the "#". */
static void scan_directive(struct scanner *scanner)
{
	const char *stop = plain_line_end(scanner->at, scanner->end);
	const char *at = skip_blank(scanner->at + 1, stop);
	struct view word = word_at(at, stop);

	at = skip_blank(word.at + word.length, stop);
	if (word.length)
		follow_conditions(&scanner->conditions, word, (struct view){ at, (size_t)(stop - at) });
	if (scanner->sink->directive)
		scanner->sink->directive(scanner->sink->data, word, (struct view){ at, (size_t)(stop - at) }, is_plain(&scanner->conditions));
	if (view_is(word, "define"))
		report_define(scanner, at, stop, scanner->line);
	else if (view_is(word, "include") || view_is(word, "include_next") || view_is(word, "import"))
		report_include(scanner, at, stop, view_is(word, "include_next"));
	else if (view_is(word, "undef"))
		report_undef(scanner, word_at(at, stop));
	else if (view_is(word, "pragma"))
		report_pragma(scanner, at, stop);
	count_lines(scanner, stop);
}

void scan_directives(const char *text, size_t size, const struct scan_sink *sink)
{
	struct scanner scanner = { .at = text, .end = text + size, .line = 1, .sink = sink };

	while (scanner.at < scanner.end) {
		count_lines(&scanner, skip_blank(scanner.at, scanner.end));
		if (*scanner.at == '#')
			scan_directive(&scanner);
		else
			count_lines(&scanner, plain_line_end(scanner.at, scanner.end));
		if (scanner.at < scanner.end) {
			scanner.at++;
			scanner.line++;
		}
	}
}

/* The directive that starts at @at, a "#". A definition whose name is continued on the next line is none to us. */
static struct scan_piece directive_at(const char *at, const char *end)
{
	const char *stop = plain_line_end(at, end);
	struct view word = word_at(skip_blank(at + 1, stop), stop);
	struct scan_piece piece = { .whole = { at, (size_t)(stop - at) }, .is_directive = true };

	if (!view_is(word, "define"))
		return piece;
	piece.name = word_at(skip_blank(word.at + word.length, stop), stop);
	if (!piece.name.length || is_spliced(piece.name.at + piece.name.length, stop))
		return piece;
	piece.rest = (struct view){ piece.name.at + piece.name.length, (size_t)(stop - piece.name.at) - piece.name.length };
	piece.is_define = true;
	piece.is_directive = false;
	return piece;
}

void scan_pieces(const char *text, size_t size, void *data, void (*piece)(void *data, const struct scan_piece *piece))
{
	const char *at = text, *end = text + size, *since = text;

	while (at < end) {
		at = skip_blank(at, end);
		if (*at == '#') {
			struct scan_piece directive = directive_at(at, end);

			if (at > since)
				piece(data, &(struct scan_piece){ .whole = { since, (size_t)(at - since) } });
			piece(data, &directive);
			since = at = directive.whole.at + directive.whole.length;
		} else {
			at = plain_line_end(at, end);
		}
		at += at < end;
	}
	if (end > since)
		piece(data, &(struct scan_piece){ .whole = { since, (size_t)(end - since) } });
}

/* Report the word that begins with @found and goes on over line ends. Return: its end. */
static const char *spliced_word(struct view found, const char *end, void *data, void (*word)(void *data, struct view word))
{
	const char *at = found.at + found.length;
	char buffer[512];
	size_t length = 0;

	for (;;) {
		if (found.length > sizeof(buffer) - length)
			return at;
		memcpy(buffer + length, found.at, found.length);
		length += found.length;
		if (!is_spliced(at, end))
			break;
		found = word_at(at + continuation(at, end), end);
		at = found.at + found.length;
	}
	word(data, (struct view){ buffer, length });
	return at;
}

/* Words in a literal count: _Pragma("pack(N)"). */
static void literal_words(const char *at, const char *end, void *data, void (*word)(void *data, struct view word))
{
	while (at < end) {
		struct view found = word_at(at, end);

		if (found.length)
			word(data, found);
		at += found.length ? found.length : 1;
	}
}

void scan_tokens(struct view text, void *data, void (*word)(void *data, struct view word), void (*mark)(void *data, const char *at))
{
	const char *at = text.at, *end = text.at + text.length, *stop;

	while (at < end) {
		struct view found = word_at(at, end);

		if (found.length && is_spliced(at + found.length, end)) {
			at = spliced_word(found, end, data, word);
		} else if (found.length) {
			if (*at < '0' || *at > '9')
				word(data, found);
			else if (mark)
				mark(data, at);
			at += found.length;
		} else if (*at == '/' && at + 1 < end && at[1] == '*') {
			at = comment_end(at, end);
		} else if (*at == '/' && at + 1 < end && at[1] == '/') {
			at = line_comment_end(at, end);
		} else if (*at == '"' || *at == '\'') {
			stop = literal_end(at, end);
			literal_words(at + 1, stop, data, word);
			if (mark)
				mark(data, at);
			at = stop;
		} else {
			if (mark && !is_blank(*at))
				mark(data, at);
			at++;
		}
	}
}

void scan_words(struct view text, void *data, void (*word)(void *data, struct view word))
{
	scan_tokens(text, data, word, NULL);
}

/* A run of white space becomes one space, and none at the start. */
static void add_space(struct strbuf *out)
{
	if (out->length && out->text[out->length - 1] != ' ')
		strbuf_addch(out, ' ');
}

static void add_comment(struct strbuf *out, const char *at, const char *to, const char *end)
{
	size_t splice;

	for (; at < to; at += splice ? splice : 1) {
		splice = continuation(at, end);
		if (splice || *at == '\n' || is_blank(*at))
			add_space(out);
		else
			strbuf_addch(out, *at);
	}
}

static const char *join_piece(struct strbuf *out, const char *at, const char *end, bool keep_comments)
{
	size_t splice = continuation(at, end);
	const char *to = at + 1;

	if (splice)
		return at + splice;
	if (*at == '/' && at + 1 < end && (at[1] == '*' || at[1] == '/')) {
		to = at[1] == '*' ? comment_end(at, end) : end;
		if (keep_comments)
			add_comment(out, at, to, end);
		else
			add_space(out);
	} else if (*at == '"' || *at == '\'') {
		to = literal_end(at, end);
		strbuf_add(out, at, (size_t)(to - at));
	} else if (is_blank(*at) || *at == '\n') {
		add_space(out);
	} else {
		strbuf_addch(out, *at);
	}
	return to;
}

const char *scan_join(struct view body, bool keep_comments, struct arena *arena)
{
	const char *at = body.at, *end = body.at + body.length;
	struct strbuf out = { 0 };
	const char *text;

	while (at < end)
		at = join_piece(&out, at, end, keep_comments);
	while (out.length && out.text[out.length - 1] == ' ')
		out.text[--out.length] = '\0';
	text = arena_strndup(arena, strbuf_text(&out), out.length);
	strbuf_release(&out);
	return text;
}
