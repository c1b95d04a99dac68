/* Finds damaged lines of packed-refs, which libgit2 does not report. */
#include "source/internal.h"

#include <unistd.h>

enum {
	ID_DIGITS = 40,
	FILE_LIMIT_BYTES = 64 * 1024 * 1024, /* a million references */
};

/* The state after the lines that were read so far. */
struct packed_refs {
	bool sorted;      /* the first line states that the references are sorted */
	const char *name; /* the reference in the previous line; NULL: none */
	size_t name_length;
	bool peeled;      /* the second line of this reference, with the object that a tag points to, was read
			     */
};

/* Does the line begin with exactly as many hexadecimal digits as an object id of SHA-1 has? */
static bool begins_with_id(const char *line, size_t length)
{
	size_t digits = 0;

	while (digits < length && isxdigit((unsigned char)line[digits]))
		digits++;
	return digits == ID_DIGITS;
}

/* Reads a line, without its newline. Return: NULL, or the fault. */
static const char *read_line(struct packed_refs *refs, const char *line, size_t length)
{
	const char *name = line + ID_DIGITS + 1;
	size_t name_length, common;
	int order;

	if (memchr(line, '\0', length))
		return "has a NUL byte";
	if (*line == '#' && !refs->name) {
		refs->sorted |= memmem(line, length, " sorted ", strlen(" sorted ")) != NULL;
		return NULL;
	}
	if (*line == '^') { /* "^<id>", the object of an annotated tag */
		if (!refs->name || refs->peeled || length != ID_DIGITS + 1 ||
		    !begins_with_id(line + 1, length - 1))
			return "is not the object id of the tag in the previous line";
		refs->peeled = true;
		return NULL;
	}
	if (!begins_with_id(line, length) || length < ID_DIGITS + 2 || line[ID_DIGITS] != ' ')
		return "is not an object id followed by a reference name";
	name_length = length - ID_DIGITS - 1;
	if (refs->sorted && refs->name) { /* byte by byte, as git sorts them */
		common = refs->name_length < name_length ? refs->name_length : name_length;
		order = memcmp(refs->name, name, common);
		if (order > 0 || (!order && refs->name_length >= name_length))
			return "is out of order, although the first line says that the references are sorted";
	}
	refs->name = name;
	refs->name_length = name_length;
	refs->peeled = false;
	return NULL;
}

int packed_refs_check(const char *path, struct err *err)
{
	struct packed_refs refs = { .name = NULL };
	struct strbuf text = { 0 };
	const char *at, *end;
	int rc;

	if (access(path, F_OK) && errno == ENOENT)
		return 0;
	rc = file_read(&text, path, FILE_LIMIT_BYTES, err);
	at = strbuf_text(&text);
	end = at + text.length;
	for (size_t number = 1; !rc && at < end; number++) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		size_t length = newline ? (size_t)(newline - at) : 0;
		const char *wrong;

		if (length && at[length - 1] == '\r')
			length--;
		wrong = newline ? read_line(&refs, at, length) : "does not end with a newline";
		if (wrong)
			rc = err_set(
				err, ERR_FORMAT,
				"%s:%zu: this line %s, so tags may be missing; repair the file, or clone the repository again",
				path, number, wrong);
		else
			at = newline + 1;
	}
	strbuf_release(&text);
	return rc;
}
