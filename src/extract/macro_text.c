/*
 * extract/macro_text.c - classifies the body of a macro by its text
 *
 * In every function, @text is the body of a macro without comments, as lexer_join() returns it.
 */
#include "extract/internal.h"

/* The largest depth of brackets that is followed. clang's limit is 256. */
enum { BRACKET_DEPTH_MAX = 512 };

/* The state of macro_can_be_number() at one position of a body. */
struct macro_scan {
	size_t depth; /* number of open brackets */
	unsigned questions; /* number of "?" without a matching ":" so far */
	bool has_name;
	bool has_fraction;
};

/*
 * Checks whether @word is a keyword that can begin a type, a declaration or a statement, but not an
 * expression. "sizeof" can begin an expression.
 */
static bool is_keyword(struct view word)
{
	static const char *const words[] = {
		"__attribute__", "__asm__",	 "__inline__", "asm",	 "break",    "case",   "char",
		"const",	 "continue",	 "do",	       "double", "else",     "enum",   "extern",
		"float",	 "for",		 "goto",       "if",	 "inline",   "int",    "long",
		"register",	 "return",	 "short",      "signed", "static",   "struct", "switch",
		"typedef",	 "union",	 "unsigned",   "void",	 "volatile", "while",  "_Bool",
		"__inline",	 "__volatile__",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (view_is(word, words[i]))
			return true;
	return false;
}

/* Returns the end of the preprocessing number at @at. Sets has_fraction if it has a dot or an exponent. */
static const char *number_end(struct macro_scan *look, const char *at)
{
	bool hexadecimal = at[0] == '0' && (at[1] == 'x' || at[1] == 'X');
	const char *p;

	for (p = at; view_is_word_char(*p) || *p == '.'; p++) {
		bool exponent = hexadecimal ? *p == 'p' || *p == 'P' : *p == 'e' || *p == 'E';

		if (*p == '.' || exponent)
			look->has_fraction = true;
		if (exponent && (p[1] == '+' || p[1] == '-'))
			p++;
	}
	return p;
}

/* Updates @look for a character of punctuation. Return: false if a number cannot have this character here. */
static bool look_at_char(struct macro_scan *look, char ch)
{
	switch (ch) {
	case '(':
	case '[':
		look->depth++;
		return true;
	case ')':
	case ']':
		look->depth--;
		return true;
	case '?':
		look->questions++;
		return true;
	case ':':
		return look->questions-- > 0;
	case ',':
		return look->depth > 0;
	default:
		return !strchr("{};\"#@\\`=", ch);
	}
}

bool macro_can_be_number(const char *text)
{
	struct macro_scan look = { 0 };
	const char *p = text, *end = text + strlen(text);

	if (!macro_is_balanced(text))
		return false;
	while (p < end) {
		if (view_is_digit(*p) || (*p == '.' && view_is_digit(p[1]))) {
			p = number_end(&look, p);
		} else if (view_is_word_char(*p)) {
			struct view word = view_word((struct view){ p, (size_t)(end - p) });

			if (p == text && is_keyword(word))
				return false;
			look.has_name = true;
			p += word.length;
		} else if (*p == '\'') {
			if (!lexer_skip_literal(&p, end))
				return false;
		} else if (p[1] == '=' && strchr("=!<>", *p)) {
			p += 2;
		} else if (look_at_char(&look, *p)) {
			p++;
		} else {
			return false;
		}
	}
	return *text && (look.has_name || !look.has_fraction);
}

bool macro_is_balanced(const char *text)
{
	const char *end = text + strlen(text);
	char open[BRACKET_DEPTH_MAX];
	size_t depth = 0;

	while (text < end) {
		const char *brackets = "()[]{}", *bracket = strchr(brackets, *text);

		if (*text == '"' || *text == '\'') {
			lexer_skip_literal(&text, end);
			continue;
		}
		if (bracket && (bracket - brackets) % 2 == 0) {
			if (depth == BRACKET_DEPTH_MAX)
				return false;
			open[depth++] = bracket[1];
		} else if (bracket && (!depth || open[--depth] != *text)) {
			return false;
		}
		text++;
	}
	return !depth;
}

bool macro_has_comma(const char *text)
{
	const char *end = text + strlen(text);
	bool is_call[BRACKET_DEPTH_MAX + 1] = { false }, after_name = false;
	size_t depth = 0;

	for (; text < end; text++) {
		if (*text == '"' || *text == '\'') {
			lexer_skip_literal(&text, end);
			text--;
		} else if (strchr("([{", *text) && depth < BRACKET_DEPTH_MAX) {
			is_call[++depth] = after_name || *text != '(';
		} else if (strchr(")]}", *text) && depth) {
			depth--;
		} else if (*text == ',' && !is_call[depth]) {
			return true;
		}
		after_name = view_is_word_char(*text) || (after_name && *text == ' ');
	}
	return false;
}

/*
 * Returns the position after the bracket that closes the bracket at @at; NULL if it is not closed. Literals
 * are not skipped, because a text with a bracket in a literal is not a number.
 */
static const char *bracket_end(const char *at, const char *end)
{
	size_t depth = 0;

	for (; at < end; at++) {
		depth += *at == '(';
		if (*at == ')' && !--depth)
			return at + 1;
	}
	return NULL;
}

struct view macro_without_brackets(const char *text)
{
	struct view view = view_trim(view_of(text));

	while (view.length && *view.at == '(' &&
	       bracket_end(view.at, view.at + view.length) == view.at + view.length)
		view = view_trim((struct view){ view.at + 1, view.length - 2 });
	return view;
}

bool macro_is_call(const char *text)
{
	struct view view = macro_without_brackets(text), name;

	if (!view_cut_name(&name, &view) || !view.length || *view.at != '(')
		return false;
	return bracket_end(view.at, view.at + view.length) == view.at + view.length;
}

bool macro_is_literal(const char *text)
{
	uint64_t value;

	return view_number(&value, macro_without_brackets(text));
}

bool macro_is_name(const char *text)
{
	return view_is_name(macro_without_brackets(text));
}

/* Returns the position after the arguments in brackets at @at; @at itself if there is no bracket. */
static const char *skip_arguments(const char *at, const char *end)
{
	const struct view rest = view_trim((struct view){ at, (size_t)(end - at) });
	const char *after = rest.length && *rest.at == '(' ? bracket_end(rest.at, end) : NULL;

	return after ? after : at;
}

/*
 * Checks whether @word can be a macro of the headers. Names like __LINE__ are predefined by the compiler, and
 * "#ifdef defined" is an error.
 */
static bool may_be_macro(struct view word)
{
	const bool is_predefined = view_starts_with(word, "__") && view_ends_with(word, "__");

	return view_is_name(word) && !is_predefined && !view_is(word, "defined") &&
	       !view_is(word, "sizeof") && !is_keyword(word);
}

bool macro_next_name(struct view *out, const char **at)
{
	const char *p = *at, *end = p + strlen(p);

	while (p < end) {
		const struct view word = view_word((struct view){ p, (size_t)(end - p) });
		const char *after = p + word.length, *next;

		if (*p == '"' || *p == '\'') {
			lexer_skip_literal(&p, end);
			continue;
		}
		next = view_is_name(word) ? skip_arguments(after, end) : after;
		if (next == after && may_be_macro(word)) {
			*out = word;
			*at = after;
			return true;
		}
		p = word.length ? next : p + 1;
	}
	return false;
}

bool macro_first_call(struct view *out, const char *text)
{
	const char *end = text + strlen(text), *after;

	while (text < end) {
		struct view rest = { text, (size_t)(end - text) }, name;
		const size_t length = view_word(rest).length;

		if (view_cut_name(&name, &rest) && rest.length && *rest.at == '(' &&
		    !view_is(name, "sizeof") && (after = bracket_end(rest.at, end))) {
			*out = (struct view){ text, (size_t)(after - text) };
			return true;
		}
		text += length ? length : 1;
	}
	return false;
}
