/*
 * For every format, next_unit() first spells out characters that are not printable. Then the format's special
 * characters are escaped.
 */
#include "base/base.h"

#include <assert.h>

enum { UTF8_TAIL = 3 };

size_t utf8_whole(const char *text, size_t length)
{
	for (size_t back = 1; back <= UTF8_TAIL && back < length; back++)
		if ((unsigned char)text[length - back] >= 0xc0)
			return length - back;
		else if ((unsigned char)text[length - back] < 0x80)
			break;
	return length;
}

size_t utf8_length(const char *text, size_t size)
{
	unsigned char low = 0x80, high = 0xbf;
	unsigned char first = (unsigned char)text[0];
	size_t length, i;

	if (first < 0x80)
		return 1;
	length = first >= 0xc2 && first <= 0xdf   ? 2
		 : first >= 0xe0 && first <= 0xef ? 3
		 : first >= 0xf0 && first <= 0xf4 ? 4
						  : 0;
	if (!length || length > size)
		return 0;
	if (first == 0xe0)
		low = 0xa0; /* smaller code points have a shorter form */
	else if (first == 0xed)
		high = 0x9f; /* surrogates */
	else if (first == 0xf0)
		low = 0x90;
	else if (first == 0xf4)
		high = 0x8f; /* above U+10FFFF */
	for (i = 1; i < length; i++) {
		if ((unsigned char)text[i] < low || (unsigned char)text[i] > high)
			return 0;
		low = 0x80;
		high = 0xbf;
	}
	return length;
}

uint32_t utf8_code(const char *text, size_t length)
{
	static const unsigned char mask[] = { 0, 0x7f, 0x1f, 0x0f, 0x07 };
	uint32_t code = (unsigned char)text[0] & mask[length];

	for (size_t i = 1; i < length; i++)
		code = code << 6 | ((unsigned char)text[i] & 0x3f);
	return code;
}

bool utf8_is_valid(const char *text)
{
	size_t left = strlen(text), length;

	for (; left; left -= length, text += length)
		if (!(length = utf8_length(text, left)))
			return false;
	return true;
}

enum { UTF8_MAX = 4, UNIT_BYTES = 12, COMMIT_MIN = 7, COMMIT_MAX = 40 };

#define NO_SPACE "&#8203;" /* zero-width space, U+200B: it splits a word into two */

bool escape_is_printable(uint32_t code)
{
	if (code < ' ' || (code >= 0x7f && code < 0xa0))
		return false;
	if (code == 0x061c || code == 0x200e || code == 0x200f) /* directional marks */
		return false;
	if ((code >= 0x202a && code <= 0x202e) ||
	    (code >= 0x2066 && code <= 0x2069)) /* directional embeddings, overrides, isolates */
		return false;
	return code != 0x2028 && code != 0x2029 && (code & 0xfffe) != 0xfffe;
}

/*
 * Sets @unit to the first character of @text, spelled out if it is not printable. If @text does not begin
 * with UTF-8, the first byte is spelled out. Return: the number of bytes of @text that were used.
 */
static size_t next_unit(char unit[UNIT_BYTES], const char *text)
{
	const size_t length = utf8_length(text, strnlen(text, UTF8_MAX));
	const uint32_t code = length ? utf8_code(text, length) : (unsigned char)*text;

	if (length && escape_is_printable(code)) {
		memcpy(unit, text, length);
		unit[length] = '\0';
	} else if (length <= 1) {
		snprintf(unit, UNIT_BYTES, "\\x%02x", (unsigned)code);
	} else {
		snprintf(unit, UNIT_BYTES, code > 0xffff ? "\\U%08x" : "\\u%04x", (unsigned)code);
	}
	return length ? length : 1;
}

void escape_terminal(struct strbuf *out, const char *text)
{
	char unit[UNIT_BYTES];

	while (*text) {
		const char *plain = text;

		while (*text >= ' ' && *text < 0x7f)
			text++;
		strbuf_add(out, plain, (size_t)(text - plain));
		if (!*text)
			break;
		text += next_unit(unit, text);
		strbuf_adds(out, unit);
	}
}

static bool is_alphanumeric(char ch)
{
	return isalnum((unsigned char)ch);
}

/* Checks whether the underscore at @at is inside a word. There, an underscore is not markup. */
static bool is_inside_word(const char *text, size_t at)
{
	size_t begin = at, end = at;

	while (begin && text[begin - 1] == '_')
		begin--;
	while (text[end] == '_')
		end++;
	return begin && is_alphanumeric(text[begin - 1]) && is_alphanumeric(text[end]);
}

/*
 * Checks whether Markdown would treat the character at @at as markup, so that it needs a backslash before it.
 * A tilde between a space and a word is not markup: it could only begin strikethrough text, and all tildes
 * that could end such text are escaped.
 */
static bool is_markup(const char *text, size_t at)
{
	const char before = at ? text[at - 1] : ' ', after = text[at + 1];

	switch (text[at]) {
	case '`':
	case '*':
	case '|':
	case '\\':
	case '$': return true;
	case '_': return !is_inside_word(text, at);
	case '~': return before != ' ' || !(is_alphanumeric(after) || after == '_');
	case ']': return after == '(';
	/* a heading, a quote, a list or a definition begins only at the start of a paragraph */
	default: return !at && (strchr("#>=[", *text) || (strchr("+-", *text) && strchr(" -+", text[1])));
	}
}

/*
 * Checks whether the text at @at looks like an issue ("#1", "owner/name#1", "GH-1"), which GitHub would make
 * a link.
 */
static bool begins_issue(const char *text, size_t at)
{
	if (!isdigit((unsigned char)text[at + 1]))
		return false;
	return text[at] == '#' || (text[at] == '-' && at >= 2 && !strncasecmp(text + at - 2, "gh", 2) &&
				   !(at >= 3 && is_alphanumeric(text[at - 3])));
}

/*
 * Checks for an emoji such as ":tada:". ":tada" at the end of the text counts, because a colon may be
 * appended.
 */
static bool begins_emoji(const char *text, size_t at)
{
	const size_t name = strspn(text + at + 1, "abcdefghijklmnopqrstuvwxyz0123456789_+-");

	return text[at] == ':' && name && (text[at + 1 + name] == ':' || !text[at + 1 + name]);
}

/*
 * Checks whether @at is in a commit id, and a zero-width space must be inserted there. Commit ids are words
 * of 7 to 40 hexadecimal digits, so a space is inserted after every 6 digits. Decimal numbers of less than 40
 * digits are not split: they are sizes and ioctl numbers, which people copy.
 */
static bool breaks_commit(const char *text, size_t at)
{
	static const char hex[] = "0123456789abcdef";
	size_t begin = at, length;

	while (begin && at - begin <= COMMIT_MAX && strchr(hex, text[begin - 1]))
		begin--;
	length = strspn(text + begin, hex);
	if (at == begin || (at - begin) % (COMMIT_MIN - 1) || length < COMMIT_MIN || length > COMMIT_MAX)
		return false;
	if ((begin && (is_alphanumeric(text[begin - 1]) || text[begin - 1] == '_')) ||
	    is_alphanumeric(text[begin + length]) || text[begin + length] == '_')
		return false;
	return length == COMMIT_MAX || strspn(text + begin, "0123456789") < length;
}

/*
 * Returns the entity to write instead of the character at @at; NULL if the character needs none. In "://" and
 * "www.", an entity prevents the links that GitHub's dialect makes without markup.
 */
static const char *markdown_entity(const char *text, size_t at)
{
	const char ch = text[at], after = text[at + 1];

	if (ch == '<')
		return "&lt;";
	if (ch == '&' && (after == '#' || is_alphanumeric(after)))
		return "&amp;";
	if (ch == ':' && !strncmp(text + at, "://", 3))
		return "&#58;";
	if (ch == '.' && at >= 3 && !strncasecmp(text + at - 3, "www", 3))
		return "&#46;";
	return NULL;
}

void escape_markdown(struct strbuf *out, const char *text)
{
	struct strbuf shown = { 0 };
	const char *plain, *entity;

	escape_terminal(&shown, text);
	plain = strbuf_text(&shown);
	for (size_t i = 0; plain[i]; i++) {
		if (breaks_commit(plain, i))
			strbuf_adds(out, NO_SPACE);
		if ((entity = markdown_entity(plain, i))) {
			strbuf_adds(out, entity);
			continue;
		}
		if (is_markup(plain, i))
			strbuf_addch(out, '\\');
		strbuf_addch(out, plain[i]);
		if (plain[i] == '@' || begins_issue(plain, i) || begins_emoji(plain, i))
			strbuf_adds(out, NO_SPACE);
	}
	strbuf_release(&shown);
}

void escape_markdown_code(struct strbuf *out, const char *text)
{
	size_t fence = 1, run = 0; /* the number of backticks, one more than in the longest run */
	/*
	 * One space at both ends is not part of the code. It separates the fence from a backtick at an end of
	 * the text, and is also added if the text begins with a space or is empty.
	 */
	const char *space =
		!*text || *text == ' ' || *text == '`' || text[strlen(text) - 1] == '`' ? " " : "";

	if (strchr(text, '|')) {
		escape_markdown(out, text);
		return;
	}
	for (const char *at = text; *at; at++) {
		run = *at == '`' ? run + 1 : 0;
		fence = run >= fence ? run + 1 : fence;
	}
	for (size_t i = 0; i < fence; i++)
		strbuf_addch(out, '`');
	strbuf_adds(out, space);
	escape_terminal(out, text);
	strbuf_adds(out, space);
	for (size_t i = 0; i < fence; i++)
		strbuf_addch(out, '`');
}

void escape_xml(struct strbuf *out, const char *text)
{
	char unit[UNIT_BYTES];

	while (*text) {
		text += next_unit(unit, text);
		switch (*unit) {
		case '&': strbuf_adds(out, "&amp;"); break;
		case '<': strbuf_adds(out, "&lt;"); break;
		case '>': strbuf_adds(out, "&gt;"); break;
		case '"': strbuf_adds(out, "&quot;"); break;
		default: strbuf_adds(out, unit); break;
		}
	}
}

void escape_sarif(struct strbuf *out, const char *text)
{
	char unit[UNIT_BYTES];

	while (*text) {
		const bool ends_link = text[0] == ']' && text[1] == '(';

		text += next_unit(unit, text);
		strbuf_adds(out, unit);
		if (*unit == '{' || *unit == '}')
			strbuf_adds(out, unit);
		if (ends_link)
			strbuf_adds(out, "\xe2\x80\x8b"); /* U+200B */
	}
}

/* Appends @text, with each of the characters @special as "%" and two hexadecimal digits. */
static void escape_percent(struct strbuf *out, const char *text, const char *special)
{
	char unit[UNIT_BYTES];

	while (*text) {
		text += next_unit(unit, text);
		if (strchr(special, *unit))
			strbuf_addf(out, "%%%02X", (unsigned char)*unit);
		else
			strbuf_adds(out, unit);
	}
}

void escape_github(struct strbuf *out, const char *text)
{
	escape_percent(out, text, "%");
}

void escape_github_property(struct strbuf *out, const char *text)
{
	escape_percent(out, text, "%:,");
}

/* One conversion specification of a format. */
struct conversion {
	char flags[8];   /* "-", "+", "0" */
	int width;       /* 0 if the format has none */
	int precision;   /* -1 if the format has none */
	int size;        /* number of 'l'; a 'z' counts as one 'l', because size_t is as large as long */
	char letter;
};

/* Reads a number at @at and moves past it; "*" takes it from @args. Return: 0 if there is no number. */
static int width_or_precision(const char **at, va_list *args)
{
	char *end;
	long number;

	if (**at == '*') {
		++*at;
		return va_arg(*args, int);
	}
	number = strtol(*at, &end, 10);
	*at = end;
	return (int)number;
}

/* Reads the conversion whose '%' is before @at. Return: the position after the conversion. */
static const char *read_conversion(struct conversion *out, const char *at, va_list *args)
{
	const size_t flags = strspn(at, "-+ 0#");

	*out = (struct conversion){ .precision = -1 };
	assert(flags < sizeof(out->flags));
	memcpy(out->flags, at, flags);
	at += flags;
	out->width = width_or_precision(&at, args);
	if (*at == '.') {
		at++;
		out->precision = width_or_precision(&at, args);
	}
	for (; *at == 'l' || *at == 'z'; at++)
		out->size++;
	out->letter = *at;
	return at + 1;
}

/* Appends a %s. The precision applies before @text is escaped; the width applies to the escaped text. */
static void add_escaped_text(struct strbuf *out, const struct conversion *conversion,
			     void (*escape)(struct strbuf *, const char *), const char *text)
{
	struct strbuf cut = { 0 }, escaped = { 0 };
	int width = conversion->width; /* for printf, in bytes; the format's is in characters */

	if (conversion->precision >= 0) {
		strbuf_add(&cut, text, strnlen(text, (size_t)conversion->precision));
		text = cut.text;
	}
	escape(&escaped, text);
	for (size_t i = 0; width && i < escaped.length; i++)
		width += ((unsigned char)escaped.text[i] & 0xc0) == 0x80;
	strbuf_addf(out, strchr(conversion->flags, '-') ? "%-*s" : "%*s", width, strbuf_text(&escaped));
	strbuf_release(&cut);
	strbuf_release(&escaped);
}

/* Appends the next integer of @args, formatted by @conversion. A precision is ignored. */
static void add_integer(struct strbuf *out, const struct conversion *conversion, va_list *args)
{
	const bool is_signed = conversion->letter == 'd';
	char format[24];
	long long value;

	if (conversion->size >= 2)
		value = va_arg(*args, long long);
	else if (conversion->size == 1)
		value = is_signed ? va_arg(*args, long) : (long long)va_arg(*args, unsigned long);
	else
		value = is_signed ? va_arg(*args, int) : (long long)va_arg(*args, unsigned);
	snprintf(format, sizeof(format), "%%%s*ll%c", conversion->flags, conversion->letter);
	strbuf_addf(out, format, conversion->width, value);
}

void escape_vaddf(struct strbuf *out, void (*escape)(struct strbuf *, const char *), const char *format,
		  va_list given)
{
	struct conversion conversion;
	size_t plain;
	va_list args;

	va_copy(args, given);
	while (*format) {
		plain = strcspn(format, "%");
		strbuf_add(out, format, plain);
		format += plain;
		if (!*format)
			break;
		format = read_conversion(&conversion, format + 1, &args);
		switch (conversion.letter) {
		case '%': strbuf_addch(out, '%'); break;
		case 'c': strbuf_addch(out, (char)va_arg(args, int)); break;
		case 's': add_escaped_text(out, &conversion, escape, va_arg(args, const char *)); break;
		default: add_integer(out, &conversion, &args); break;
		}
	}
	va_end(args);
}

void escape_addf(struct strbuf *out, void (*escape)(struct strbuf *, const char *), const char *format, ...)
{
	va_list args;

	va_start(args, format);
	escape_vaddf(out, escape, format, args);
	va_end(args);
}

/* Makes the sentence one printable line, because parts of the sentence may come from an input. */
static void err_spell_out(struct err *err)
{
	struct strbuf line = { 0 };

	escape_terminal(&line, err->text);
	snprintf(err->text, sizeof(err->text), "%s", strbuf_text(&line));
	strbuf_release(&line);
}

int err_set(struct err *err, int code, const char *format, ...)
{
	va_list args;

	if (!err)
		return code;
	va_start(args, format);
	vsnprintf(err->text, sizeof(err->text), format, args);
	va_end(args);
	err_spell_out(err);
	return code;
}

void err_prefix(struct err *err, const char *format, ...)
{
	char old[sizeof(err->text)];
	va_list args;
	size_t used;

	if (!err)
		return;
	memcpy(old, err->text, sizeof(old));
	va_start(args, format);
	vsnprintf(err->text, sizeof(err->text), format, args);
	va_end(args);
	used = strlen(err->text);
	snprintf(err->text + used, sizeof(err->text) - used, ": %s", old);
	err_spell_out(err);
}
