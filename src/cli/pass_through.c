#include "cli/pass_through.h"

#include <stdint.h>
#include <string.h>

typedef uint8_t bytes16 __attribute__((vector_size(16)));
typedef uint64_t words2 __attribute__((vector_size(16)));

enum { STEP = 16, UTF8_TAIL = 3 };

static bool is_plain_byte(unsigned char ch)
{
	return (ch >= ' ' && ch < 0x7f) || ch == '\t' || ch == '\n';
}

/* STEP bytes at once: 1 for each that is no printable ASCII, tab or end of a line */
static words2 strange(const char *text)
{
	bytes16 bytes;

	memcpy(&bytes, text, sizeof(bytes));
	return (words2)((bytes16)(bytes - ' ' >= 0x7f - ' ') & (bytes16)(bytes != '\t') & (bytes16)(bytes != '\n'));
}

bool pass_through_is_plain(const char *text, size_t length)
{
	size_t i = 0;

	for (; length - i >= STEP; i += STEP) {
		const words2 any = strange(text + i);

		if (any[0] | any[1])
			return false;
	}
	for (; i < length; i++)
		if (!is_plain_byte((unsigned char)text[i]))
			return false;
	return true;
}

/* Tabs and ends of lines stay, a NUL is spelled out, the rest is escape_terminal()'s. */
static void pass_escaped(struct strbuf *out, const char *text, size_t length, struct strbuf *scratch)
{
	for (size_t i = 0; i < length;) {
		size_t end = i;

		while (end < length && text[end] && text[end] != '\t' && text[end] != '\n')
			end++;
		strbuf_reset(scratch);
		strbuf_add(scratch, text + i, end - i);
		escape_terminal(out, strbuf_text(scratch));
		if (end < length && text[end])
			strbuf_addch(out, text[end]);
		else if (end < length)
			strbuf_adds(out, "\\x00");
		i = end + 1;
	}
}

/* Line by line, since most lines of a log with a strange one are plain. */
void pass_through(struct strbuf *out, const char *text, size_t length, struct strbuf *scratch)
{
	for (size_t at = 0; at < length;) {
		const char *end = memchr(text + at, '\n', length - at);
		const size_t line = end ? (size_t)(end + 1 - text) - at : length - at;

		if (pass_through_is_plain(text + at, line))
			strbuf_add(out, text + at, line);
		else
			pass_escaped(out, text + at, line, scratch);
		at += line;
	}
}

size_t pass_through_whole(const char *text, size_t length)
{
	for (size_t back = 1; back <= UTF8_TAIL && back < length; back++)
		if ((unsigned char)text[length - back] >= 0xc0)
			return length - back;
		else if ((unsigned char)text[length - back] < 0x80)
			break;
	return length;
}
