/*
 * Opening a FIFO waits for a writer, possibly forever, and libgit2 opens files by name without checking their
 * type. So before libgit2 opens a user's repository, every file that libgit2 can open is checked:
 *
 * 1. all files in the repository's directory, and for a linked worktree, in the main repository's directory;
 * 2. all files in the object directories that objects/info/alternates names;
 * 3. the files that the repository's configuration includes. Conditions of includes are not evaluated, so
 *    every file that can be included is checked.
 *
 * Links are followed, because libgit2 follows them. After libgit2 has opened the repository, packed-refs is
 * checked, because libgit2 does not report its faults.
 */
#include "source/internal.h"

#include <ctype.h>
#include <errno.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- files that libgit2 would wait for ------------------------------------------ */

enum {
	WALK_FDS = 16,
	FILES_MAX = 4 * 1024 * 1024, /* so that a link to "/" does not lead through the whole file system */
	INCLUDES_MAX = 1000, /* with ten levels of includes, a few files can cause billions of reads */
	INCLUDES_DEEP = 10, /* MAX_INCLUDE_DEPTH of libgit2; deeper includes are an error of libgit2 */
	TEXT_LIMIT_BYTES = ALLOCATION_BLOCK_BYTES, /* libgit2 cannot read larger files */
};

/* The arguments of visit_file(), because nftw(3) cannot pass arguments. */
static _Thread_local struct {
	size_t files;
	struct err *err;
	int rc;
} walk;

static int refuse_special(const char *path, const struct stat *st, struct err *err)
{
	if (S_ISREG(st->st_mode) || S_ISDIR(st->st_mode) ||
	    S_ISSOCK(st->st_mode)) /* open() of a socket fails at once */
		return 0;
	return err_set(err, ERR_GIT, "%s is a FIFO or a device, and reading it may wait forever; remove it",
		       path);
}

static int visit_file(const char *path, const struct stat *st, int type, struct FTW *position)
{
	(void)position;
	if (type == FTW_F)
		walk.rc = refuse_special(path, st, walk.err);
	if (!walk.rc && ++walk.files > FILES_MAX)
		walk.rc = err_set(
			walk.err, ERR_LIMIT,
			"%s: there are more than %d files in this repository; does a link lead outside?",
			path, FILES_MAX);
	return walk.rc;
}

static int check_files(const char *dir, struct err *err)
{
	walk.err = err;
	walk.rc = walk.files = 0;
	nftw(dir, visit_file, WALK_FDS, 0);
	return walk.rc;
}

struct config_check {
	unsigned includes;
	struct err *err;
};

/* Reads the value of a variable, without quotes, escapes and comments. Return: the end of the value. */
static const char *read_value(struct strbuf *out, const char *at)
{
	bool quoted = false, continued = false;

	strbuf_reset(out);
	for (at += strspn(at, " \t"); *at && *at != '\n'; at++) {
		if (*at == '\\' && (at[1] == '\n' || (at[1] == '\r' && at[2] == '\n'))) {
			at += at[1] == '\r' ? 2 : 1;
			at += strspn(at + 1, " \t");
			continued = true;
			continue;
		}
		if (!quoted && (*at == ';' || *at == '#')) {
			at += strcspn(at, "\n");
			if (!continued || !*at)
				break;
			continue; /* skip a comment between two lines of a value */
		}
		continued = false;
		if (*at == '"')
			quoted = !quoted;
		else if (*at != '\\')
			strbuf_addch(out, *at);
		else if (at[1])
			strbuf_addch(out, *++at == 'n' ? '\n' : *at == 't' ? '\t' : *at == 'b' ? '\b' : *at);
	}
	while (out->length && strchr(" \t\r", out->text[out->length - 1]))
		out->text[--out->length] = '\0';
	return at;
}

/* Returns the text after a section's header, [name] or [name "subsection"]. */
static const char *skip_header(const char *at)
{
	bool quoted = false;

	for (; *at && *at != '\n' && (quoted || *at != ']'); at++) {
		if (*at == '\\' && at[1] && at[1] != '\n')
			at++;
		else if (*at == '"')
			quoted = !quoted;
	}
	at += *at == ']';
	return at + strspn(at, " \t");
}

static int check_include(struct config_check *check, const char *from, const char *value, unsigned depth);

/*
 * Checks a file of the configuration and the files that it includes. libgit2 reports syntax errors. Return:
 * 0, also if @path does not exist; ERR_GIT; ERR_LIMIT.
 */
static int check_config(struct config_check *check, const char *path, unsigned depth)
{
	struct strbuf text = { 0 }, value = { 0 };
	bool is_include = false;
	struct stat st;
	int rc = 0;

	if (depth > INCLUDES_DEEP || stat(path, &st) || S_ISDIR(st.st_mode) ||
	    (rc = refuse_special(path, &st, check->err)))
		return rc;
	if (!st.st_size ||
	    file_read(&text, path, TEXT_LIMIT_BYTES, NULL)) /* do not read files of size 0, because reading
							       such a file in /proc may wait as well */
		goto out;
	for (size_t i = 0; i < text.length; i++)
		if (!text.text[i])
			text.text[i] = '\n';
	for (const char *at = text.text; !rc && *at; at += *at == '\n') {
		at += strspn(at, " \t\r\f\v\xef\xbb\xbf"); /* blanks and a byte order mark */
		if (*at == '[') {
			is_include = !strncasecmp(at + 1, "include", strlen("include"));
			at = skip_header(at);
		}
		if (is_include && !strncasecmp(at, "path", 4) && at[4 + strspn(at + 4, " \t")] == '=') {
			at = read_value(&value, strchr(at, '=') + 1);
			rc = check_include(check, path, strbuf_text(&value), depth + 1);
		} else if (*at != '[') {
			at = read_value(&value, at); /* the value may have several lines */
		}
	}
out:
	strbuf_release(&text);
	strbuf_release(&value);
	return rc;
}

static int check_include(struct config_check *check, const char *from, const char *value, unsigned depth)
{
	const char *home = getenv("HOME"), *slash = strrchr(from, '/');
	struct strbuf path = { 0 };
	int rc;

	if (++check->includes > INCLUDES_MAX)
		return err_set(check->err, ERR_LIMIT,
			       "%s: the configuration of this repository includes more than %d files", from,
			       INCLUDES_MAX);
	if (!strncmp(value, "~/", 2))
		strbuf_addf(&path, "%s%s", home ? home : "", value + 1);
	else if (*value == '/' || !slash)
		strbuf_adds(&path, value);
	else
		strbuf_addf(&path, "%.*s/%s", (int)(slash - from), from, value);
	rc = check_config(check, strbuf_text(&path), depth);
	strbuf_release(&path);
	return rc;
}

/*
 * Finds the directory of the main repository, as libgit2 does. It is @dir, unless @dir belongs to a linked
 * worktree.
 */
static void find_common_dir(struct strbuf *out, const char *dir)
{
	struct strbuf path = { 0 }, text = { 0 };

	strbuf_addf(&path, "%s/commondir", dir);
	if (file_read_regular(&text, path.text, TEXT_LIMIT_BYTES, NULL))
		strbuf_adds(out, dir);
	else if (*strbuf_text(&text) == '/')
		strbuf_adds(out, text.text);
	else
		strbuf_addf(out, "%s/%s", dir, strbuf_text(&text));
	while (out->length > 1 && strchr("/ \t\r\n", out->text[out->length - 1]))
		out->text[--out->length] = '\0';
	strbuf_release(&path);
	strbuf_release(&text);
}

static int check_configs(const char *dir, const char *common, struct err *err)
{
	struct config_check check = { .err = err };
	struct strbuf path = { 0 };
	int rc;

	strbuf_addf(&path, "%s/config", common);
	if (!(rc = check_config(&check, path.text, 0))) {
		strbuf_reset(&path);
		strbuf_addf(&path, "%s/config.worktree", dir);
		rc = check_config(&check, path.text, 0);
	}
	strbuf_release(&path);
	return rc;
}

int repository_check(const char *path, struct err *err)
{
	struct strbuf dir = { 0 }, common = { 0 };
	struct loose_dirs objects = { 0 };
	git_buf found = { 0 };
	int rc;

	if (!git_repository_discover(&found, path, 0, NULL))
		strbuf_adds(&dir, found.ptr);
	git_buf_dispose(&found);
	if (!dir.length)
		return 0;
	while (dir.length > 1 && dir.text[dir.length - 1] == '/')
		dir.text[--dir.length] = '\0';
	if (!(rc = check_files(dir.text, err))) {
		find_common_dir(&common, dir.text);
		if (strcmp(common.text, dir.text))
			rc = check_files(common.text, err);
	}
	if (!rc)
		loose_dirs_init(&objects, common.text);
	for (size_t i = 1; !rc && i < objects.count; i++)
		rc = check_files(objects.path[i], err);
	if (!rc)
		rc = check_configs(dir.text, common.text, err);
	loose_dirs_release(&objects);
	strbuf_release(&common);
	strbuf_release(&dir);
	return rc;
}

/* --- packed-refs ---------------------------------------------------------------- */

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

/* Reads a line "<id> <name>". Return: NULL, or the fault. */
static const char *read_reference(struct packed_refs *refs, const char *line, size_t length)
{
	const char *name = line + ID_DIGITS + 1;
	size_t name_length;

	if (!begins_with_id(line, length) || length < ID_DIGITS + 2 || line[ID_DIGITS] != ' ')
		return "is not an object id followed by a reference name";
	name_length = length - ID_DIGITS - 1;
	if (refs->sorted && refs->name &&
	    compare_names(refs->name, refs->name_length, name, name_length) >= 0)
		return "is out of order, although the first line says that the references are sorted";
	refs->name = name;
	refs->name_length = name_length;
	refs->peeled = false;
	return NULL;
}

/* Reads a line "^<id>", the object of an annotated tag. Return: NULL, or the fault. */
static const char *read_peeled(struct packed_refs *refs, const char *line, size_t length)
{
	if (!refs->name || refs->peeled || length != ID_DIGITS + 1 || !begins_with_id(line + 1, length - 1))
		return "is not the object id of the tag in the previous line";
	refs->peeled = true;
	return NULL;
}

/* Reads a line, without its newline. Return: NULL, or the fault. */
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

static int check_lines(const struct strbuf *text, const char *path, struct err *err)
{
	struct packed_refs refs = { .name = NULL };
	const char *at = strbuf_text(text), *end = at + text->length;

	for (size_t number = 1; at < end; number++) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		size_t length = newline ? (size_t)(newline - at) : 0;
		const char *wrong;

		if (length && at[length - 1] == '\r')
			length--;
		wrong = newline ? read_line(&refs, at, length) : "does not end with a newline";
		if (wrong)
			return err_set(
				err, ERR_FORMAT,
				"%s:%zu: this line %s, so tags may be missing; repair the file, or clone the repository again",
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
		rc = check_lines(&text, path, err);
	strbuf_release(&text);
	return rc;
}
