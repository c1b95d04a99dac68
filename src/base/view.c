#include "base/view.h"

#include <string.h>

const bool view_word_chars[256] = {
	['a' ... 'z'] = true, ['A' ... 'Z'] = true, ['0' ... '9'] = true, ['_'] = true, ['$'] = true,
	[0x80 ... 0xff] = true, /* of UTF-8 */
};

struct view view_of(const char *text)
{
	return (struct view){ text, strlen(text) };
}

/* Without the first @count bytes. */
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

bool view_is(struct view view, const char *text)
{
	return strlen(text) == view.length && !memcmp(view.at, text, view.length);
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

/* Cuts the prefix off that says the base of a number. */
static unsigned cut_base(struct view *view)
{
	if (view->length > 2 && (view_starts_with(*view, "0x") || view_starts_with(*view, "0X"))) {
		*view = view_behind(*view, 2);
		return 16;
	}
	if (view->length > 1 && view->at[0] == '0') {
		*view = view_behind(*view, 1);
		return 8;
	}
	return 10;
}

bool view_number(uint64_t *out, struct view view)
{
	uint64_t value = 0;
	unsigned base;

	while (view.length > 1 && strchr("uUlL", view.at[view.length - 1]))
		view.length--;
	base = cut_base(&view);
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

const char *view_mention(struct view text, const char *name)
{
	const char *end = text.at + text.length, *at = text.at;
	size_t length = strlen(name);

	while (length && (at = memmem(at, (size_t)(end - at), name, length))) {
		if ((at == text.at || !view_is_word_char(at[-1])) && (at + length == end || !view_is_word_char(at[length])))
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
