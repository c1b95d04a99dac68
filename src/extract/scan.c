#include "extract/scan.h"

#include <string.h>

struct scanner {
	const char *at;
	const char *end; /* *end is NUL */
	unsigned line;
	const struct scan_sink *sink;
};

/* A NUL byte is white space to clang as well. */
static bool is_blank(char ch)
{
	return ch == ' ' || ch == '\t' || ch == '\r' || ch == '\v' || ch == '\f' || ch == '\0';
}

static const bool word_chars[256] = {
	['a' ... 'z'] = true, ['A' ... 'Z'] = true, ['0' ... '9'] = true, ['_'] = true, ['$'] = true,
	[0x80 ... 0xff] = true, /* of UTF-8 */
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
const char *scan_line_end(const char *at, const char *end)
{
	const char *newline = memchr(at, '\n', (size_t)(end - at));
	const char *stop = newline ? newline : end;

	if (memchr(at, '/', (size_t)(stop - at)) || memchr(at, '\\', (size_t)(stop - at)))
		return logical_line_end(at, end);
	return stop;
}

/* Blanks, comments and continued line ends, all of which mean nothing before and inside a directive. */
const char *scan_skip_blank(const char *at, const char *end)
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

static void report_include(const struct scanner *scanner, const char *at, const char *stop)
{
	const char *close;

	if (at == stop || (*at != '"' && *at != '<') || !scanner->sink->include)
		return;
	close = memchr(at + 1, *at == '"' ? '"' : '>', (size_t)(stop - at - 1));
	if (close && close > at + 1)
		scanner->sink->include(scanner->sink->data, (struct view){ at + 1, (size_t)(close - at - 1) });
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
		scanner->sink->define(scanner->sink->data, &(struct scan_define){ name, body, line });
	/* "#define HEADER <x.h>" may be included by name. */
	start = scan_skip_blank(body.at, stop);
	if (start < stop && (*start == '<' || (*start == '"' && memmem(start, (size_t)(stop - start), ".h\"", 3))))
		report_include(scanner, start, stop);
}

/* @scanner stands on the "#". */
static void scan_directive(struct scanner *scanner)
{
	const char *stop = scan_line_end(scanner->at, scanner->end);
	const char *at = scan_skip_blank(scanner->at + 1, stop);
	struct view word = word_at(at, stop);

	at = scan_skip_blank(word.at + word.length, stop);
	if (view_is(word, "define"))
		report_define(scanner, at, stop, scanner->line);
	else if (view_is(word, "include") || view_is(word, "include_next") || view_is(word, "import"))
		report_include(scanner, at, stop);
	count_lines(scanner, stop);
}

void scan_directives(const char *text, size_t size, const struct scan_sink *sink)
{
	struct scanner scanner = { .at = text, .end = text + size, .line = 1, .sink = sink };

	while (scanner.at < scanner.end) {
		count_lines(&scanner, scan_skip_blank(scanner.at, scanner.end));
		if (*scanner.at == '#')
			scan_directive(&scanner);
		else
			count_lines(&scanner, scan_line_end(scanner.at, scanner.end));
		if (scanner.at < scanner.end) {
			scanner.at++;
			scanner.line++;
		}
	}
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
