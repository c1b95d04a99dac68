/*
 * base/err.h - how a function says that it could not do what it was asked
 *
 * Layer L0. A fallible function returns 0 or one of the negative ERR_*
 * codes, writes one finished sentence into the caller's struct err and leaves
 * its outputs untouched. The sentence names what, where and what to do next;
 * it has no trailing newline and no program name, main() adds those.
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

enum err_code {
	ERR_USAGE = -1,      /* the command line is wrong */
	ERR_IO = -2,         /* the operating system refused; errno's text is in the sentence */
	ERR_NOT_FOUND = -3,  /* a version, file, record or repository does not exist */
	ERR_FORMAT = -4,     /* an input document is malformed; the sentence says where */
	ERR_PARSE = -5,      /* a header does not parse, or includes what is not there */
	ERR_LAYOUT = -6,     /* a type has no size or an offset that cannot be known */
	ERR_LIMIT = -7,      /* an input is larger or deeper than the limit for it */
	ERR_GIT = -8,        /* libgit2 failed for a reason that is none of the above */
};

struct err {
	char text[1024];
};

/**
 * err_set - say what went wrong
 * @err:  the caller's, overwritten; may be NULL
 * @code: the ERR_* to return
 *
 * Return: @code, so that `return err_set(err, ERR_IO, ...)` is one line.
 */
int err_set(struct err *err, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * err_prefix - put a location in front of the sentence that is already in @err
 *
 * "unexpected end" becomes "table.json: unexpected end". Does nothing to a
 * NULL @err.
 */
void err_prefix(struct err *err, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
