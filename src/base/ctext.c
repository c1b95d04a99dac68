/* C source as text. base.h describes each part. */
#include "base/base.h"

#include <fnmatch.h>

const bool view_word_chars[256] = {
	['a' ... 'z'] = true, ['A' ... 'Z'] = true, ['0' ... '9'] = true, ['_'] = true, ['$'] = true,
	[0x80 ... 0xff] = true, /* bytes of UTF-8 */
};

struct view view_of(const char *text)
{
	return (struct view){ text, strlen(text) };
}

/* Returns @view without its first @count bytes. */
static struct view view_behind(struct view view, size_t count)
{
	return (struct view){ view.at + count, view.length - count };
}

struct view view_trim(struct view view)
{
	while (view.length && view_is_space(view.at[0]))
		view = view_behind(view, 1);
	while (view.length && view_is_space(view.at[view.length - 1]))
		view.length--;
	return view;
}

bool view_equal(struct view a, struct view b)
{
	return a.length == b.length && !memcmp(a.at, b.at, a.length);
}

bool view_starts_with(struct view view, const char *prefix)
{
	size_t length = strlen(prefix);

	return view.length >= length && !memcmp(view.at, prefix, length);
}

bool view_ends_with(struct view view, const char *suffix)
{
	size_t length = strlen(suffix);

	return view.length >= length && !memcmp(view.at + view.length - length, suffix, length);
}

struct view view_word(struct view view)
{
	size_t length = 0;

	while (length < view.length && view_is_word_char(view.at[length]))
		length++;
	return (struct view){ view.at, length };
}

bool view_is_name(struct view view)
{
	return view.length && !view_is_digit(view.at[0]) && view_word(view).length == view.length;
}

bool view_copy(char *buffer, size_t size, struct view view)
{
	if (view.length >= size)
		return false;
	memcpy(buffer, view.at, view.length);
	buffer[view.length] = '\0';
	return true;
}

bool view_cut(struct view *view, const char *prefix)
{
	if (!view_starts_with(*view, prefix))
		return false;
	*view = view_trim(view_behind(*view, strlen(prefix)));
	return true;
}

bool view_cut_name(struct view *name, struct view *view)
{
	struct view word = view_word(*view);

	if (!view_is_name(word))
		return false;
	*name = word;
	*view = view_trim(view_behind(*view, word.length));
	return true;
}

bool view_cut_names(struct view *name, struct view *list, bool *malformed)
{
	if (!list->length)
		return false;
	if (!view_cut_name(name, list) || (list->length && !view_cut(list, "|"))) {
		*malformed = true;
		return false;
	}
	return true;
}

static unsigned digit_of(char ch)
{
	if (view_is_digit(ch))
		return (unsigned)(ch - '0');
	if (ch >= 'a' && ch <= 'f')
		return (unsigned)(ch - 'a' + 10);
	return ch >= 'A' && ch <= 'F' ? (unsigned)(ch - 'A' + 10) : 16;
}

bool view_number(uint64_t *out, struct view view)
{
	uint64_t value = 0;
	unsigned base = 10;

	while (view.length > 1 && strchr("uUlL", view.at[view.length - 1]))
		view.length--;
	if (view.length > 2 && (view_starts_with(view, "0x") || view_starts_with(view, "0X"))) {
		view = view_behind(view, 2);
		base = 16;
	} else if (view.length > 1 && view.at[0] == '0') {
		view = view_behind(view, 1);
		base = 8;
	}
	if (!view.length)
		return false;
	for (size_t i = 0; i < view.length; i++) {
		unsigned digit = digit_of(view.at[i]);

		if (digit >= base || value > (UINT64_MAX - digit) / base)
			return false;
		value = value * base + digit;
	}
	*out = value;
	return true;
}

/* Returns the first position from @at to @end, exclusive, at which @word begins; NULL if there is none. */
static const char *find_begin(const char *at, const char *end, const char *word, size_t length)
{
	for (; at < end; at++)
		if (*at == *word && !memcmp(at, word, length))
			return at;
	return NULL;
}

const char *find_text(const char *at, const char *end, const char *word, size_t length)
{
	enum { POSITIONS = 2 * BYTES16 }; /* positions that are ruled out together */
	const size_t last = length - 1, middle = last / 2;
	const char *final, *begin;

	if (length > (size_t)(end - at) || !length)
		return length ? NULL : at;
	end -= last;
	if (end - at < POSITIONS)
		return find_begin(at, end, word, length);
	for (final = end - POSITIONS;; at += POSITIONS) {
		bytes16 low, high;

		if (at > final)
			at = final;
		low = bytes16_equal(bytes16_load(at + middle), word[middle]) &
		      bytes16_equal(bytes16_load(at + last), word[last]);
		high = bytes16_equal(bytes16_load(at + BYTES16 + middle), word[middle]) &
		       bytes16_equal(bytes16_load(at + BYTES16 + last), word[last]);
		if (bytes16_any(low | high) && (begin = find_begin(at, at + POSITIONS, word, length)))
			return begin;
		if (at == final)
			return NULL;
	}
}

const char *view_mention(struct view text, const char *name)
{
	const char *end = text.at + text.length, *at = text.at;
	size_t length = strlen(name);

	while (length && (at = find_text(at, end, name, length))) {
		if ((at == text.at || !view_is_word_char(at[-1])) &&
		    (at + length == end || !view_is_word_char(at[length])))
			return at;
		at++;
	}
	return NULL;
}

bool view_next_line(struct view *out, struct view_lines *lines)
{
	const char *newline;

	if (lines->at >= lines->end)
		return false;
	newline = memchr(lines->at, '\n', (size_t)(lines->end - lines->at));
	if (!newline)
		newline = lines->end;
	*out = view_trim((struct view){ lines->at, (size_t)(newline - lines->at) });
	lines->at = newline < lines->end ? newline + 1 : newline;
	lines->number++;
	return true;
}

/* --- patterns of names ---------------------------------------------------------- */

static char folded(char ch)
{
	return ch >= 'A' && ch <= 'Z' ? (char)(ch - 'A' + 'a') : ch;
}

/* In camel case, does a word begin at @at that is not the first word of @start? */
static bool is_next_word(const char *start, const char *at)
{
	return at > start && at[-1] >= 'a' && at[-1] <= 'z' && *at >= 'A' && *at <= 'Z';
}

static bool fnmatch_view(const char *glob, struct view text, bool fold_case)
{
	char name[256], *copy = text.length < sizeof(name) ? name : xmalloc(text.length + 1);
	bool matches;

	view_copy(copy, text.length + 1, text);
	matches = !fnmatch(glob, copy, fold_case ? FNM_CASEFOLD : 0);
	if (copy != name)
		free(copy);
	return matches;
}

/* As glob_matches() with fold_case. After a mismatch, the last '*' is extended by a character. */
static bool matches_ignoring_case(const char *glob, struct view text)
{
	const char *word_start = glob, *at = text.at, *end = at + text.length;
	const char *star = NULL, *resume = NULL; /* the glob after its last '*', and the text there */
	const char *last = glob + strlen(glob);

	if (strpbrk(glob, "?[\\"))
		return fnmatch_view(glob, text, true);
	if (last > glob && last[-1] != '*' && (at == end || folded(last[-1]) != folded(end[-1])))
		return false;
	while (at < end) {
		if (*glob == '*') {
			star = word_start = ++glob;
			resume = at;
		} else if (*glob == *at || (folded(*glob) == folded(*at) &&
					    !(glob > word_start && is_next_word(text.at, at)))) {
			glob++;
			at++;
		} else if (star) {
			glob = star;
			at = ++resume;
		} else {
			return false;
		}
	}
	while (*glob == '*')
		glob++;
	return !*glob;
}

static bool is_wildcard(char ch)
{
	return ch == '*' || ch == '?' || ch == '[' || ch == '\\';
}

/*
 * Matches all of @text, as glob_matches() without fold_case does. Most globs have no wildcard except '*', so
 * that is matched here: the text between two '*' is found as early as possible, and the text after the last
 * '*' at the end. At another wildcard, fnmatch() matches the whole text.
 */
static bool matches_exactly(const char *glob, struct view text)
{
	const char *at = text.at, *end = at + text.length, *next = glob;
	size_t length;

	while (at < end && *next == *at && !is_wildcard(*next)) {
		next++;
		at++;
	}
	while (*next == '*') {
		length = strcspn(++next, "*?[\\");
		if (!next[length])
			return (size_t)(end - at) >= length && !memcmp(end - length, next, length);
		at = find_text(at, end, next, length);
		if (!at)
			return false;
		at += length;
		next += length;
	}
	return is_wildcard(*next) ? fnmatch_view(glob, text, false) : at == end && !*next;
}

bool glob_matches(const char *glob, struct view text, bool fold_case)
{
	const char first = text.length ? *text.at : '\0';

	/* A glob is matched with a hundred thousand names, most of which differ in the first character. */
	if (*glob != first && !is_wildcard(*glob) && !(fold_case && folded(*glob) == folded(first)))
		return false;
	return fold_case ? matches_ignoring_case(glob, text) : matches_exactly(glob, text);
}

/* --- comments, literals, continued lines ---------------------------------------- */

const char *lexer_newlines(const char *text, size_t size, struct arena *arena)
{
	char *copy = NULL;

	for (const char *at = text; (at = memchr(at, '\r', size - (size_t)(at - text))); at++) {
		if (at[1] == '\n')
			continue;
		if (!copy)
			copy = arena_strndup(arena, text, size);
		copy[at - text] = '\n';
	}
	return copy ? copy : text;
}

/* lexer_splice - return the length of the backslash, blanks and newline at @at; 0 if there is no splice. */
static size_t lexer_splice(const char *at, const char *end)
{
	const char *p = at;

	if (p == end || *p != '\\')
		return 0;
	for (p++; p < end && view_is_blank(*p); p++)
		;
	return p < end && *p == '\n' ? (size_t)(p - at) + 1 : 0;
}

static bool is_comment(const char *at, const char *end)
{
	return end - at >= 2 && at[0] == '/' && (at[1] == '*' || at[1] == '/');
}

/* Returns the end of the block comment that starts at @at; @end if the comment is not closed. */
static const char *skip_block_comment(const char *at, const char *end)
{
	const char *close = find_text(at + 2, end, "*/", 2);

	return close ? close + 2 : end;
}

/* Returns the newline that ends the line comment at @at, or @end. The comment continues after a splice. */
static const char *skip_line_comment(const char *at, const char *end)
{
	size_t splice;

	for (;;) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		const char *stop = newline ? newline : end;

		while ((at = memchr(at, '\\', (size_t)(stop - at)))) {
			if ((splice = lexer_splice(at, end)))
				break;
			at++;
		}
		if (!at)
			return stop;
		at += splice;
	}
}

const char *lexer_skip_comment(const char *at, const char *end)
{
	if (!is_comment(at, end))
		return NULL;
	return at[1] == '*' ? skip_block_comment(at, end) : skip_line_comment(at, end);
}

bool lexer_skip_literal(const char **at, const char *end)
{
	const char *p;

	for (p = *at + 1; p < end && *p != '\n'; p++) {
		size_t splice = lexer_splice(p, end);

		if (splice) {
			p += splice - 1;
		} else if (*p == '\\' && p + 1 < end) {
			p++;
		} else if (*p == **at) {
			*at = p + 1;
			return true;
		}
	}
	*at = p;
	return false;
}

/* Skips the comment, literal or splice that starts at @at, or else one character. */
static const char *skip_one(const char *at, const char *end)
{
	const char *comment = lexer_skip_comment(at, end);
	size_t splice = lexer_splice(at, end);

	if (comment || splice)
		return comment ? comment : at + splice;
	if (*at != '"' && *at != '\'')
		return at + 1;
	lexer_skip_literal(&at, end);
	return at;
}

const char *lexer_line_end(const char *at, const char *end)
{
	static const bool special[256] = { ['/'] = true, ['"'] = true, ['\''] = true, ['\\'] = true };
	const char *newline = memchr(at, '\n', (size_t)(end - at));
	const char *stop = newline ? newline : end;

	/* Most lines have no slash and no backslash, so no comment and no splice: skip them in one step. */
	if (!memchr(at, '/', (size_t)(stop - at)) && !memchr(at, '\\', (size_t)(stop - at)))
		return stop;
	while (at < end && *at != '\n')
		at = special[(unsigned char)*at] ? skip_one(at, end) : at + 1;
	return at;
}

const char *lexer_skip_blank(const char *at, const char *end)
{
	while (at < end) {
		size_t splice;

		if (view_is_blank(*at))
			at++;
		else if (is_comment(at, end) && at[1] == '*')
			at = skip_block_comment(at, end);
		else if ((splice = lexer_splice(at, end)))
			at += splice;
		else
			break;
	}
	return at;
}

struct view lexer_uncommented(struct view text)
{
	const char *at = text.at, *end = text.at + text.length;

	while (at < end && !is_comment(at, end))
		at = skip_one(at, end);
	return (struct view){ text.at, (size_t)(at - text.at) };
}

static void blank_range(char *from, const char *to)
{
	for (; from < to; from++)
		if (*from != '\n')
			*from = ' ';
}

/* An apostrophe after a word does not begin a literal: "#error don't". */
static bool is_quote(const char *start, const char *at)
{
	return *at == '"' || (*at == '\'' && (at == start || !view_is_word_char(at[-1])));
}

const char *lexer_blank(struct view text, struct arena *arena)
{
	char *copy = arena_strndup(arena, text.at, text.length), *end = copy + text.length, *at = copy;

	while (at < end) {
		const char *after = lexer_skip_comment(at, end);

		if (after) {
			blank_range(at, after);
		} else if (is_quote(copy, at)) {
			bool is_closed;

			after = at;
			is_closed = lexer_skip_literal(&after, end);
			blank_range(at + 1, after - is_closed);
		} else {
			after = at + 1;
		}
		at = copy + (after - copy);
	}
	return copy;
}

/* Appends a space, unless @out is empty or ends with a space. */
static void add_space(struct strbuf *out)
{
	if (out->length && out->text[out->length - 1] != ' ')
		strbuf_addch(out, ' ');
}

/* Appends the comment from @at to @to as one line, in which each line break or splice is a space. */
static void add_comment(struct strbuf *out, const char *at, const char *to, const char *end)
{
	size_t splice;

	for (; at < to; at += splice ? splice : 1) {
		splice = lexer_splice(at, end);
		if (splice || *at == '\n' || view_is_blank(*at))
			add_space(out);
		else
			strbuf_addch(out, *at);
	}
}

/*
 * Appends the comment, literal, white space or character that starts at @at, and removes a splice. A line
 * comment ends at @end, because the body of a macro is one logical line. Return: the end of the text that was
 * read.
 */
static const char *join_one(struct strbuf *out, const char *at, const char *end, bool with_comments)
{
	size_t splice = lexer_splice(at, end);
	const char *to = at + 1;

	if (splice)
		return at + splice;
	if (is_comment(at, end)) {
		to = at[1] == '*' ? skip_block_comment(at, end) : end;
		if (with_comments)
			add_comment(out, at, to, end);
		else
			add_space(out);
	} else if (*at == '"' || *at == '\'') {
		to = at;
		lexer_skip_literal(&to, end);
		strbuf_add(out, at, (size_t)(to - at));
	} else if (view_is_blank(*at) || *at == '\n') {
		add_space(out);
	} else {
		strbuf_addch(out, *at);
	}
	return to;
}

const char *lexer_join(struct view body, bool with_comments, struct arena *arena)
{
	const char *at = body.at, *end = body.at + body.length;
	struct strbuf out = { 0 };
	const char *text;

	while (at < end)
		at = join_one(&out, at, end, with_comments);
	while (out.length && out.text[out.length - 1] == ' ')
		out.text[--out.length] = '\0';
	text = arena_strndup(arena, strbuf_text(&out), out.length);
	strbuf_release(&out);
	return text;
}

struct scanner {
	const char *at;
	const char *end; /* the text is NUL-terminated here */
	unsigned line;
	const struct directives_sink *sink;
};

static void scanner_advance(struct scanner *scanner, const char *to)
{
	const char *p = scanner->at;

	while (p < to && (p = memchr(p, '\n', (size_t)(to - p)))) {
		scanner->line++;
		p++;
	}
	scanner->at = to;
}

static struct view word_at(const char *at, const char *end)
{
	return view_word((struct view){ at, (size_t)(end - at) });
}

/* Passes the file name in "" or <> at @at to the sink, without its quotes. @stop: the end of the directive */
static void report_include(const struct scanner *scanner, const char *at, const char *stop)
{
	const char *close;

	if (at == stop || (*at != '"' && *at != '<') || !scanner->sink->include)
		return;
	close = memchr(at + 1, *at == '"' ? '"' : '>', (size_t)(stop - at - 1));
	if (close && close > at + 1)
		scanner->sink->include(scanner->sink->data,
				       (struct view){ at + 1, (size_t)(close - at - 1) });
}

bool directives_cut_parameters(struct define *define)
{
	const char *close = define->body.length && *define->body.at == '('
				    ? memchr(define->body.at, ')', define->body.length)
				    : NULL;

	if (!close)
		return false;
	define->parameters = (struct view){ define->body.at + 1, (size_t)(close - define->body.at) - 1 };
	define->body.length -= define->parameters.length + 2;
	define->body.at = close + 1;
	return true;
}

/*
 * Passes the macro whose name is at @at to the sink, unless the directive is malformed. If an object-like
 * macro is a header's name, passes that to the sink as an include. @stop: the end of the directive
 */
static void report_define(const struct scanner *scanner, const char *at, const char *stop)
{
	const struct directives_sink *sink = scanner->sink;
	struct view name = word_at(at, stop);
	struct view body = { name.at + name.length, (size_t)(stop - name.at) - name.length };
	struct define define = { .name = name, .body = body, .line = scanner->line };
	size_t splice = lexer_splice(body.at, stop);
	const char *start;

	if (!name.length || view_is_digit(*name.at))
		return;
	/* the name continues after a splice: "FO\" at the end of a line, and "O" on the next */
	if (splice && word_at(body.at + splice, stop).length)
		return;
	if (body.length && *body.at == '(') {
		if (sink->define_function && directives_cut_parameters(&define))
			sink->define_function(sink->data, &define);
		return;
	}
	if (sink->define)
		sink->define(sink->data, &define);
	/* "#include HEADER" can include the header of "#define HEADER <x.h>". */
	start = lexer_skip_blank(body.at, stop);
	if (start < stop &&
	    (*start == '<' || (*start == '"' && memmem(start, (size_t)(stop - start), ".h\"", 3))))
		report_include(scanner, start, stop);
}

void directives_scan(const char *text, size_t size, const struct directives_sink *sink)
{
	struct scanner scanner = { .at = text, .end = text + size, .line = 1, .sink = sink };

	while (scanner.at < scanner.end) {
		const char *at, *stop;
		struct view word;

		scanner_advance(&scanner, lexer_skip_blank(scanner.at, scanner.end));
		stop = lexer_line_end(scanner.at, scanner.end);
		if (*scanner.at == '#') {
			at = lexer_skip_blank(scanner.at + 1, stop);
			word = word_at(at, stop);
			at = lexer_skip_blank(word.at + word.length, stop);
			if (view_is(word, "define"))
				report_define(&scanner, at, stop);
			else if (view_is(word, "include") || view_is(word, "include_next") ||
				 view_is(word, "import"))
				report_include(&scanner, at, stop);
		}
		scanner_advance(&scanner, stop);
		if (scanner.at < scanner.end) {
			scanner.at++;
			scanner.line++;
		}
	}
}

/* Returns the state of the lines after an #elif or #else, if the lines before it have the state @branch. */
static enum branch branch_of_else(enum branch branch, bool is_else)
{
	if (branch == BRANCH_COMPILED || branch == BRANCH_PASSED)
		return BRANCH_PASSED;
	return branch == BRANCH_SKIPPED && is_else ? BRANCH_COMPILED : BRANCH_UNKNOWN;
}

static enum branch *innermost_branch(struct conditions *conditions)
{
	unsigned depth = conditions->depth;

	return &conditions->branch[(depth > CONDITIONS_MAX ? CONDITIONS_MAX : depth) - 1];
}

bool conditions_follow(struct conditions *conditions, struct view line, enum branch opened)
{
	struct view name;
	bool is_else, is_end;

	if (!view_cut(&line, "#") || !view_cut_name(&name, &line))
		return true;
	if (view_is(name, "if") || view_is(name, "ifdef") || view_is(name, "ifndef")) {
		conditions->depth++;
		*innermost_branch(conditions) = opened;
		return true;
	}
	is_else = view_is(name, "else");
	is_end = view_is(name, "endif");
	if (!is_else && !is_end && !view_is(name, "elif"))
		return true;
	if (!conditions->depth)
		return false;
	if (is_end)
		conditions->depth--;
	else
		*innermost_branch(conditions) = branch_of_else(*innermost_branch(conditions), is_else);
	return true;
}

enum branch conditions_opened(struct view line)
{
	struct view name;

	if (view_cut(&line, "#") && view_cut_name(&name, &line) && view_is(name, "if") &&
	    view_is(view_trim(lexer_uncommented(line)), "0"))
		return BRANCH_SKIPPED;
	return BRANCH_UNKNOWN;
}

enum branch conditions_branch(const struct conditions *conditions)
{
	enum branch branch = BRANCH_COMPILED;

	/* BRANCH_PASSED is not compiled either, because an earlier branch of the same #if is */
	for (unsigned i = 0; i < conditions->depth && i < CONDITIONS_MAX; i++) {
		if (conditions->branch[i] == BRANCH_SKIPPED || conditions->branch[i] == BRANCH_PASSED)
			return BRANCH_SKIPPED;
		if (conditions->branch[i] == BRANCH_UNKNOWN)
			branch = BRANCH_UNKNOWN;
	}
	return branch;
}
