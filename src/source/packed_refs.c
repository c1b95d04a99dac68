#include "source/packed_refs.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

enum {
	ID_DIGITS = 40,
	FILE_LIMIT_BYTES = 64 * 1024 * 1024, /* a million references */
};

/* What is read of the file so far. */
struct packed_refs {
	bool sorted;      /* the first line says so */
	const char *name; /* of the reference in the line before; NULL: none */
	size_t name_length;
	bool peeled;      /* that reference's second line, of what a tag is of, was there */
};

static bool begins_with_id(const char *line, size_t length)
{
	size_t digits = 0;

	while (digits < length && isxdigit((unsigned char)line[digits]))
		digits++;
	return digits == ID_DIGITS;
}

static int compare_names(const char *a, size_t a_length, const char *b, size_t b_length)
{
	int order = memcmp(a, b, a_length < b_length ? a_length : b_length);

	return order ? order : a_length < b_length ? -1 : a_length > b_length;
}

/* "<id> <name>" */
static const char *read_reference(struct packed_refs *refs, const char *line, size_t length)
{
	const char *name = line + ID_DIGITS + 1;
	size_t name_length;

	if (!begins_with_id(line, length) || length < ID_DIGITS + 2 || line[ID_DIGITS] != ' ')
		return "is no id and name of a reference";
	name_length = length - ID_DIGITS - 1;
	if (refs->sorted && refs->name && compare_names(refs->name, refs->name_length, name, name_length) >= 0)
		return "is out of order, and the first line says that all are sorted";
	refs->name = name;
	refs->name_length = name_length;
	refs->peeled = false;
	return NULL;
}

/* "^<id>" */
static const char *read_peeled(struct packed_refs *refs, const char *line, size_t length)
{
	if (!refs->name || refs->peeled || length != ID_DIGITS + 1 || !begins_with_id(line + 1, length - 1))
		return "is no id of what the tag before it is of";
	refs->peeled = true;
	return NULL;
}

/* What is wrong with a line, without its end; NULL: nothing. */
static const char *read_line(struct packed_refs *refs, const char *line, size_t length)
{
	if (memchr(line, '\0', length))
		return "has a NUL byte";
	if (*line == '#' && !refs->name) {
		refs->sorted |= memmem(line, length, " sorted ", strlen(" sorted ")) != NULL;
		return NULL;
	}
	return *line == '^' ? read_peeled(refs, line, length) : read_reference(refs, line, length);
}

static int check(const struct strbuf *text, const char *path, struct err *err)
{
	struct packed_refs refs = { .name = NULL };
	const char *at = strbuf_text(text), *end = at + text->length;

	for (size_t number = 1; at < end; number++) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		size_t length = newline ? (size_t)(newline - at) : 0;
		const char *wrong;

		if (length && at[length - 1] == '\r')
			length--;
		wrong = newline ? read_line(&refs, at, length) : "has no end";
		if (wrong)
			return err_set(err, ERR_FORMAT, "%s:%zu: this line %s, so tags may be missing; mend the file, or clone the repository again",
				       path, number, wrong);
		at = newline + 1;
	}
	return 0;
}

int packed_refs_check(const char *path, struct err *err)
{
	struct strbuf text = { 0 };
	int rc;

	if (access(path, F_OK) && errno == ENOENT)
		return 0;
	if (!(rc = file_read(&text, path, FILE_LIMIT_BYTES, err)))
		rc = check(&text, path, err);
	strbuf_release(&text);
	return rc;
}
