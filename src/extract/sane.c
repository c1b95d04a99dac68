#include "extract/sane.h"

#include <stdbool.h>
#include <string.h>

/* clang 19 does not survive 1,000 casts in a row; the headers of NVIDIA's driver and of Debian have 130 at most. */
enum { OPERATORS_MAX = 500 };

struct sanity {
	const char *start, *at, *end; /* *end is NUL */
	unsigned line;
	unsigned operators;   /* since the last thing that ends an expression */
	bool in_directive;
};

static void skip_block_comment(struct sanity *sanity)
{
	const char *close = memmem(sanity->at + 2, (size_t)(sanity->end - sanity->at) - 2, "*/", 2);
	const char *stop = close ? close + 2 : sanity->end;

	for (; sanity->at < stop; sanity->at++)
		sanity->line += *sanity->at == '\n';
}

static void skip_line_comment(struct sanity *sanity)
{
	const char *newline = memchr(sanity->at, '\n', (size_t)(sanity->end - sanity->at));

	sanity->at = newline ? newline : sanity->end;
}

/* A literal ends with its line at the latest. */
static void skip_literal(struct sanity *sanity)
{
	char quote = *sanity->at++;

	while (sanity->at < sanity->end && *sanity->at != '\n') {
		char ch = *sanity->at++;

		if (ch == quote)
			return;
		if (ch == '\\' && sanity->at < sanity->end && *sanity->at != '\n')
			sanity->at++;
	}
}

static bool is_word(char ch)
{
	return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9') || ch == '_';
}

static void skip_word(struct sanity *sanity)
{
	const char *start = sanity->at;
	size_t length;

	while (is_word(*sanity->at))
		sanity->at++;
	length = (size_t)(sanity->at - start);
	if ((length == 6 && !memcmp(start, "sizeof", 6)) || (length > 9 && !memcmp(start, "__alignof", 9)) ||
	    (length == 13 && !memcmp(start, "__extension__", 13)))
		sanity->operators++;
}

/* At a newline: a directive ends here, unless the line is continued, or begins behind it. */
static void next_line(struct sanity *sanity)
{
	size_t before = (size_t)(sanity->at - sanity->start);
	bool continued = (before > 0 && sanity->at[-1] == '\\') ||
			 (before > 1 && sanity->at[-1] == '\r' && sanity->at[-2] == '\\');

	sanity->line++;
	sanity->at++;
	if (continued)
		return;
	while (*sanity->at == ' ' || *sanity->at == '\t')
		sanity->at++;
	if (sanity->in_directive || *sanity->at == '#')
		sanity->operators = 0;
	sanity->in_directive = *sanity->at == '#';
}

static void step(struct sanity *sanity)
{
	switch (*sanity->at) {
	case ';':
	case ',':
	case '{':
	case '}':
		sanity->operators = 0;
		break;
	case '(':
	case '[':
	case '*':
	case '-':
	case '!':
	case '~':
	case '&':
	case '+':
	case '?':
		sanity->operators++;
		break;
	default:
		break;
	}
	sanity->at++;
}

unsigned sane_check(const char *text, size_t size)
{
	struct sanity sanity = { text, text, text + size, 1, 0, *text == '#' };

	while (sanity.at < sanity.end && sanity.operators <= OPERATORS_MAX) {
		char ch = *sanity.at;

		if (ch == '/' && sanity.at[1] == '*')
			skip_block_comment(&sanity);
		else if (ch == '/' && sanity.at[1] == '/')
			skip_line_comment(&sanity);
		else if (ch == '"' || ch == '\'')
			skip_literal(&sanity);
		else if (is_word(ch))
			skip_word(&sanity);
		else if (ch == '\n')
			next_line(&sanity);
		else
			step(&sanity);
	}
	return sanity.operators > OPERATORS_MAX ? sanity.line : 0;
}
