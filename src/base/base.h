/*
 * base/base.h - functions that all other directories use, for any driver
 *
 *   memory.c    arenas, whose memory is freed together, and strings that grow
 *   escape.c    escapes untrusted text for each output format; checks UTF-8; reports errors
 *   varint.c    numbers in few bytes, and a reader of untrusted bytes
 *   file.c      reads and writes whole files, and remembers which files were read
 *   compress.c  compresses and unpacks with zstd
 *   system.c    processes, character devices, and where drvabi's data is installed
 *   ctext.c     reads C source as text: views, lexer, directives, conditions, patterns of names
 *
 * This header includes those of the C library, so other files include only the system's and other libraries'.
 */
#ifndef BASE_BASE_H
#define BASE_BASE_H

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/types.h>
#include <time.h>

/* --- errors --------------------------------------------------------------------- */

/*
 * A fallible function returns 0 or one of the negative ERR_* codes. On failure it writes one finished
 * sentence to the caller's struct err and leaves its outputs untouched. The sentence says what failed, where,
 * and what to do next. It does not have a newline or the program's name; main() adds these.
 */
enum err_code {
	ERR_USAGE = -1,      /* the command line is wrong */
	ERR_IO = -2,         /* a system call failed; the sentence has the text of errno */
	ERR_NOT_FOUND = -3,  /* a version, file, record or repository does not exist */
	ERR_FORMAT = -4,     /* an input document is malformed; the sentence has the place */
	ERR_PARSE = -5,      /* a header does not parse, or includes a missing file */
	ERR_LAYOUT = -6,     /* the size of a type or the offset of a field is unknown */
	ERR_LIMIT = -7,      /* an input is larger or deeper than the limit for it */
	ERR_GIT = -8,        /* libgit2 failed for a reason that has no other code */
};

struct err {
	char text[1024];
};

/**
 * err_set - report an error
 * @err: overwritten; may be NULL. Characters of the sentence that are not printable are spelled out
 * @code: the ERR_* to return
 *
 * Return: @code, so that a caller can write `return err_set(err, ERR_IO, ...)`.
 */
int err_set(struct err *err, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * err_prefix - insert a location before the sentence in @err
 *
 * "unexpected end" becomes "table.json: unexpected end". Does nothing if @err is NULL.
 */
void err_prefix(struct err *err, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* --- memory.c ------------------------------------------------------------------- */

/*
 * Memory that is freed together. Each document has an arena: everything that belongs to the document is
 * allocated in it, and one arena_release() frees it. Memory is zeroed, and aligned for any type. A single
 * allocation cannot be freed.
 *
 * Only one thread may use an arena at a time. If memory runs out, the program ends with exit status 2 and one
 * line on standard error, because no caller could handle the error.
 */
struct arena_block;

struct arena {
	struct arena_block *blocks; /* newest first; { 0 } is an empty arena */
};

/* arena_alloc - allocate @size zeroed bytes that stay valid until the arena is released */
void *arena_alloc(struct arena *arena, size_t size);
/*
 * arena_array - allocate @count zeroed elements of @size bytes. If the product overflows, the program ends as
 * if memory had run out.
 */
void *arena_array(struct arena *arena, size_t count, size_t size);
/* arena_memdup - copy @size bytes of @data */
void *arena_memdup(struct arena *arena, const void *data, size_t size);
/*
 * arena_room - make room for one more element at the end of an array that only this function has allocated.
 * The caller adds the element and increments its count.
 * @items: NULL if @count is 0. Not for a stack: whenever it grows again, more memory would be allocated
 *
 * Return: the array's new address. The old address stays valid, for the old elements.
 */
void *arena_room(struct arena *arena, const void *items, size_t count, size_t size);
char *arena_strdup(struct arena *arena, const char *text);
/* arena_strndup - copy the first @length bytes of @text, and add a NUL. */
char *arena_strndup(struct arena *arena, const char *text, size_t length);
char *arena_printf(struct arena *arena, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
char *arena_vprintf(struct arena *arena, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));
/* arena_join - move everything from @from to @arena. @from is empty afterwards and can be used again. */
void arena_join(struct arena *arena, struct arena *from);
/* arena_release - free everything. @arena is empty afterwards and can be used again. */
void arena_release(struct arena *arena);

/* texts_have - check whether one of @count texts is equal to @text */
bool texts_have(const char *const *texts, size_t count, const char *text);

/* same_text - compare two texts that can be NULL */
bool same_text(const char *a, const char *b);

/*
 * compare_texts - compare two texts as strcmp(). NULL is equal to "". It is fast if the addresses are equal:
 * documents from the same archive share their texts.
 */
static inline int compare_texts(const char *a, const char *b)
{
	return a == b ? 0 : strcmp(a ? a : "", b ? b : "");
}

/* begins - check whether @text begins with the text @with */
static inline bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

/*
 * compare_numbers - order two numbers as strcmp() orders texts: negative, 0 or positive
 *
 * A function that orders by several members is a chain: compare_numbers(...) ?: strcmp(...)
 */
static inline int compare_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/* sort_items - qsort(), which does not allow an @items of NULL, not even for no items */
static inline void sort_items(void *items, size_t count, size_t size_bytes,
			      int (*compare)(const void *, const void *))
{
	if (count > 1)
		qsort(items, count, size_bytes, compare);
}

/* round_up - return the lowest multiple of @to that is at least @value; if @to is 0, @value */
static inline uint64_t round_up(uint64_t value, uint64_t to)
{
	return to ? (value + to - 1) / to * to : value;
}

/* monotonic_ns - return the time of CLOCK_MONOTONIC */
static inline uint64_t monotonic_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/*
 * xmalloc, xrealloc - as malloc() and realloc(), but they never return NULL: if memory runs out, the program
 * ends with exit status 2. They are for buffers that grow. The caller frees the memory with free().
 */
void *xmalloc(size_t size);
void *xrealloc(void *old, size_t size);

/**
 * ARRAY_GROW - make room for one more element at the end of an array
 * @array: pointer from xrealloc(), or NULL; its owner frees it with free()
 * @count: elements in use
 * @capacity: elements allocated, updated by this macro
 */
#define ARRAY_GROW(array, count, capacity) do { \
	if ((count) == (capacity)) { \
		(capacity) = (capacity) ? (capacity) * 2 : 16; \
		(array) = xrealloc((array), (capacity) * sizeof(*(array))); \
	} \
} while (0)

/*
 * order_named - compare two elements that begin with a const char *, for qsort(), bsearch() and tsearch():
 * strings, and structs whose first member is their name
 */
int order_named(const void *a, const void *b);

/*
 * A string that grows. { 0 } is empty, and its `text` is NULL. After the first addition, `text` is
 * NUL-terminated at text[length]. strbuf_text() never returns NULL. The owner calls strbuf_release().
 */
struct strbuf {
	char *text;
	size_t length;   /* bytes in use, without the NUL */
	size_t capacity; /* bytes allocated */
};

void strbuf_add(struct strbuf *buf, const void *data, size_t size);
void strbuf_adds(struct strbuf *buf, const char *text);
void strbuf_addch(struct strbuf *buf, char ch);
void strbuf_addf(struct strbuf *buf, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/*
 * strbuf_plural - append "1 record" or "2 records". @word is the singular. The plural of "entry" is
 * "entries", and that of "alias" is "aliases".
 */
void strbuf_plural(struct strbuf *buf, size_t count, const char *word);
/*
 * text_of_day - write the day (UTC) of the time @seconds after 1970 to @buffer, as "2025-01-27". Return:
 * @buffer; "?" if the year is out of range.
 */
const char *text_of_day(int64_t seconds, char buffer[32]);
/* strbuf_reserve - make room for @size more bytes and the NUL. */
void strbuf_reserve(struct strbuf *buf, size_t size);
/* strbuf_reset - make @buf empty. The memory stays allocated. */
void strbuf_reset(struct strbuf *buf);
void strbuf_release(struct strbuf *buf);
/* Copies the text to @arena, and releases @buf. */
const char *strbuf_take(struct strbuf *buf, struct arena *arena);

static inline const char *strbuf_text(const struct strbuf *buf)
{
	return buf->text ? buf->text : "";
}

/* --- varint.c ------------------------------------------------------------------- */

/*
 * Unsigned numbers in as few bytes as possible: each byte has seven bits, the lowest bits come first, and the
 * top bit means that another byte follows. Each number has only one valid form: a form whose last byte is an
 * unnecessary zero is refused.
 */
void varint_put(struct strbuf *out, uint64_t value);

/* text_put - append a text and its NUL, which byte_reader_text() reads */
void text_put(struct strbuf *out, const char *text);

/* varint_get_long - as varint_get(), for numbers of several bytes */
bool varint_get_long(uint64_t *value, const unsigned char **at, const unsigned char *end);

/**
 * varint_get - read a number
 * @at: moved past the number on success
 *
 * Return: false if the bytes end too early, if the number has more than 64 bits, or if it has unnecessary
 * bytes.
 */
static inline bool varint_get(uint64_t *value, const unsigned char **at, const unsigned char *end)
{
	if (*at == end || **at >= 0x80)
		return varint_get_long(value, at, end);
	*value = *(*at)++;
	return true;
}

/* Maps signed numbers to unsigned ones. Numbers near zero stay small: 0, -1, 1, -2 become 0, 1, 2, 3. */
static inline uint64_t varint_folded(int64_t value)
{
	return value < 0 ? ~((uint64_t)value << 1) : (uint64_t)value << 1;
}

static inline int64_t varint_unfolded(uint64_t folded)
{
	return (int64_t)(folded & 1 ? ~(folded >> 1) : folded >> 1);
}

/*
 * Reads numbers and texts from a buffer, and never past its end. After the first error, the reader is at the
 * end and every read returns 0 or "". So a caller checks `failed` only once, when it is done. The buffer must
 * outlive the reader and the texts, which point into the buffer.
 */
struct byte_reader {
	const unsigned char *at, *end;
	bool failed; /* once set, at == end */
};

void byte_reader_init(struct byte_reader *in, const void *data, size_t size);

/* byte_reader_fail - note that the bytes are invalid. Return: 0, the result of a failed read. */
uint64_t byte_reader_fail(struct byte_reader *in);

static inline uint64_t byte_reader_number(struct byte_reader *in)
{
	uint64_t value;

	return varint_get(&value, &in->at, in->end) ? value : byte_reader_fail(in);
}

/* byte_reader_is_done - true if all bytes were read, and no read failed */
static inline bool byte_reader_is_done(const struct byte_reader *in)
{
	return !in->failed && in->at == in->end;
}

/* byte_reader_below - read a number. A number that is not less than @limit is an error. */
uint64_t byte_reader_below(struct byte_reader *in, uint64_t limit);

/* byte_reader_bool - read 0 or 1. Any other number is an error. */
bool byte_reader_bool(struct byte_reader *in);

/*
 * byte_reader_count - read a number of elements that have at least @least_bytes each. The read fails if the
 * remaining bytes are too few for that many elements, so that a forged number does not make the caller
 * allocate much memory.
 */
size_t byte_reader_count(struct byte_reader *in, size_t least_bytes);
/* byte_reader_bounded - as byte_reader_count(), but check a @count that was read already. */
size_t byte_reader_bounded(struct byte_reader *in, uint64_t count, size_t least_bytes);

/* byte_reader_text - read a text and its NUL. The result points into the buffer; "" on failure. */
const char *byte_reader_text(struct byte_reader *in);

/* --- escape.c ------------------------------------------------------------------- */

/*
 * utf8_length - return the length in bytes of the UTF-8 sequence at @text; 0 if it is invalid. @size: the
 * bytes left in @text, at least 1
 */
size_t utf8_length(const char *text, size_t size);

/*
 * utf8_whole - return where to split a text, so that no UTF-8 sequence is split: at @length, or before the
 * sequence that begins in the last three bytes before @length, even if it is complete
 */
size_t utf8_whole(const char *text, size_t length);

/* utf8_code - return the code point of the UTF-8 sequence at @text. @length: the result of utf8_length() */
uint32_t utf8_code(const char *text, size_t length);

/* utf8_is_valid - check whether all of @text is UTF-8 */
bool utf8_is_valid(const char *text);

/*
 * Tags, paths, names and reasons can come from anybody. Each function appends @text to @out so that it is
 * readable, but cannot act as markup or as a control sequence. In every format, characters that are not
 * printable are spelled out: "\x1b", "\u202e". Ordinary letters are not changed.
 */

/**
 * escape_terminal - append one line of text, escaped for a terminal
 *
 * These are spelled out: control characters of ASCII (also tabs and newlines) and of C1 (U+0080 to U+009F);
 * characters that change the direction of text; U+2028 and U+2029; noncharacters; bytes that are not UTF-8.
 * Escaping the result again does not change it.
 */
void escape_terminal(struct strbuf *out, const char *text);

/**
 * escape_markdown - append text, escaped for a paragraph, a heading or a table cell (in GitHub's dialect)
 *
 * The text does not become markup, HTML, a link or an image, and a vertical bar does not end a cell. GitHub
 * does not make links or images from mentions, issues (#1, GH-1), commit ids or :tada: either, because a
 * zero-width space is inserted. So text that people copy, such as a commit id, should be written as code
 * instead.
 */
void escape_markdown(struct strbuf *out, const char *text);

/*
 * escape_markdown_code - append text as a code span, in as many backticks as necessary. Text that contains a
 * vertical bar is appended by escape_markdown() instead.
 */
void escape_markdown_code(struct strbuf *out, const char *text);

/* escape_xml - append text, escaped for an element of XML or HTML, or for an attribute in double quotes. */
void escape_xml(struct strbuf *out, const char *text);

/**
 * escape_sarif - append text, escaped for a SARIF 2.1.0 message. It must still be escaped as a JSON string.
 *
 * Braces are doubled (3.11.5). "[text](target)" would be a link (3.11.6). The standard has no escape for
 * links, so a zero-width space is inserted.
 */
void escape_sarif(struct strbuf *out, const char *text);

/*
 * escape_github - escape the message of a workflow command of GitHub Actions. escape_github_property - escape
 * the value of a property of the command. Line ends are spelled out, because they would end the command.
 */
void escape_github(struct strbuf *out, const char *text);
void escape_github_property(struct strbuf *out, const char *text);

/**
 * escape_addf - as strbuf_addf(), but the text of every %s is escaped by @escape
 * @escape: one of the functions above
 *
 * The width of a %s counts characters of the escaped text, and its precision bytes of the original text. The
 * conversions are %s, %c, %d, %u, %x and %%; those for integers can have the modifiers l, ll and z. The
 * character of a %c is not escaped, so it must not come from an input.
 */
void escape_addf(struct strbuf *out, void (*escape)(struct strbuf *, const char *), const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void escape_vaddf(struct strbuf *out, void (*escape)(struct strbuf *, const char *), const char *format,
		  va_list args) __attribute__((format(printf, 3, 0)));

/*
 * escape_is_printable - check whether the character with this code point can be written to a terminal
 * unchanged
 */
bool escape_is_printable(uint32_t code);

/* --- file.c --------------------------------------------------------------------- */

/**
 * file_read - append the text of a file to @out
 * @path: "-" for standard input
 * @limit_bytes: a larger file is ERR_LIMIT
 *
 * Return: 0; ERR_NOT_FOUND if the file does not exist; ERR_IO; ERR_LIMIT.
 */
int file_read(struct strbuf *out, const char *path, size_t limit_bytes, struct err *err);

/*
 * A file that is being written, or standard output. The text of a regular file is written to a temporary file
 * with the owner and permissions of the old file. file_writer_finish() gives the name to the temporary file;
 * without that call, the old file stays. A file that is not regular is written to directly. file.c explains
 * how, and docs/output.md what users can rely on.
 */
struct file_writer {
	int fd;             /* descriptor to write to */
	int dir_fd; /* directory of the regular file that is replaced; -1 if fd is the target itself */
	const char *path;   /* the caller's path; NULL for standard output */
	struct strbuf target; /* the path with its symbolic links resolved */
	const char *name;   /* the last component of `target` */
	bool is_named;      /* the temporary file has a name, which is `temporary` */
	bool is_private;    /* opened by file_writer_open_in() */
	char temporary[256];
};

/**
 * file_writer_open - begin to replace a whole file
 * @path: NULL for standard output
 *
 * Return: 0; ERR_IO, and @out need not be released. It is an error if the file has several hard links, an
 * access list, or an owner that the new file cannot get.
 */
int file_writer_open(struct file_writer *out, const char *path, struct err *err);

/* file_writer_append - begin to append to a file, which is created if it does not exist */
int file_writer_append(struct file_writer *out, const char *path, struct err *err);

/**
 * file_writer_open_in - begin to replace the file @name, a name without directories, in @dir_fd
 *
 * For files that are validated when they are read, such as a cache. Only this user can read the file, and its
 * data is not flushed to the disk. A link or a pipe with that name is replaced and never opened.
 * Return: 0; ERR_IO, and @out need not be released.
 */
int file_writer_open_in(struct file_writer *out, int dir_fd, const char *name, struct err *err);

/* file_writer_add - write all @size bytes; waits if a pipe is full. Return: 0; ERR_IO. */
int file_writer_add(struct file_writer *writer, const void *data, size_t size, struct err *err);

/*
 * file_writer_finish - replace the old file with the flushed temporary file, or close a file that is written
 * to directly. Return: 0; ERR_IO. An old file that would have been replaced is unchanged then.
 */
int file_writer_finish(struct file_writer *writer, struct err *err);

/* file_writer_release - must be called after each successful open. An unfinished file is removed. */
void file_writer_release(struct file_writer *writer);

/* file_write_atomic - replace a file with @data: file_writer_open(), add and finish */
int file_write_atomic(const char *path, const void *data, size_t size, struct err *err);

/*
 * The files that this process and its workers have read are noted, so that no result replaces them: call
 * file_check_output() before a result is written. file_read() notes its file. Code that opens a file
 * differently must note its descriptor or path. A device or a pipe can be both input and output, as in a
 * shell. If a directory is noted, all files in it are noted.
 */
void file_note_input(int fd);
void file_note_input_path(const char *path);
/* file_share_inputs - make the list of inputs, so that processes that are forked afterwards add to it, too */
void file_share_inputs(void);
/* file_forget_input - allow the file to be replaced, because the result includes its contents */
void file_forget_input(const char *path);

/*
 * file_check_output - check that @path is not a noted file. @path: NULL for standard output. Return: 0, also
 * if there is no such file; ERR_USAGE if it is noted, or if so many were noted that some are unknown.
 */
int file_check_output(const char *path, struct err *err);

/* file_make_dirs - make a directory and its parents, as mkdir -p does. Return: 0; ERR_IO. */
int file_make_dirs(const char *path, struct err *err);

/*
 * A private directory is for files that drvabi trusts when it reads them later. It is not a link, its owner
 * is this user or root, and only the owner may write to it.
 */
/*
 * file_make_own_dir - make a private directory and its parents. If a directory or any other file has the
 * name, it is not changed: file_open_own_dir() checks it. Return: 0; ERR_IO.
 */
int file_make_own_dir(const char *path, struct err *err);
/*
 * file_open_own_dir - open a private directory. Return: a descriptor; -1 with @err if @path is not a private
 * directory.
 */
int file_open_own_dir(const char *path, struct err *err);

/* --- compress.c ----------------------------------------------------------------- */

/**
 * compress_append - append @size bytes of @data, such as a block of an archive, as one compressed frame
 * @level: zstd's level, 1 to 19; the same level gives the same bytes with the same release of zstd
 *
 * Return: 0; ERR_LIMIT if zstd fails.
 */
int compress_append(struct strbuf *out, const void *data, size_t size, int level, struct err *err);

/*
 * compress_unpacked_bytes - return the unpacked size that a frame states; UINT64_MAX if it states none, or is
 * not a frame.
 */
uint64_t compress_unpacked_bytes(const void *packed, size_t size);

/* compress_unpack - unpack frames. Return: true if the result has exactly @out_bytes bytes. */
bool compress_unpack(void *out, size_t out_bytes, const void *packed, size_t size);

/* compress_version - return the version of zstd that is loaded at run time, "1.5.4". */
const char *compress_version(void);

/* compress_recognise - check whether a file that begins with @bytes (four are enough) is a zstd file */
bool compress_recognise(const uint8_t *bytes, size_t size);

struct compress_stream;

/*
 * compress_stream_new - begin to unpack consecutive frames, such as those of a compressed trace. At most 130
 * MB of memory are used, whatever size the frames state.
 */
struct compress_stream *compress_stream_new(void);
void compress_stream_free(struct compress_stream *stream); /* NULL is fine */

/**
 * compress_stream_next - unpack the next part of a stream, from the input that has arrived so far
 * @got: number of bytes written to @out, at most @room; 0 only if all input was used
 * @at: moved past the input that was used
 *
 * Return: 0; ERR_FORMAT if the input is damaged, and all further calls fail too; ERR_LIMIT if memory runs
 * out.
 */
int compress_stream_next(size_t *got, struct compress_stream *stream, uint8_t *out, size_t room,
			 const uint8_t **at, const uint8_t *end, struct err *err);

/* compress_stream_is_whole - check whether every frame was complete */
bool compress_stream_is_whole(const struct compress_stream *stream);

struct compress_packer;

/**
 * compress_packer_new - begin a frame with a checksum, to compress a trace while it is written
 * @level: zstd's level, 1 to 19
 *
 * Return: NULL if memory runs out.
 */
struct compress_packer *compress_packer_new(int level);
void compress_packer_free(struct compress_packer *packer); /* NULL is fine */

/* How much of the added data can be decompressed from the output so far. */
enum compress_flush {
	COMPRESS_LATER, /* some of it */
	COMPRESS_NOW,   /* all of it */
	COMPRESS_END, /* all of it, and the frame is complete: nothing may be added */
};

/*
 * compress_packer_add - compress @size more bytes of the frame, and append the output to @out, possibly
 * nothing with COMPRESS_LATER. Return: 0; ERR_IO if zstd fails.
 */
int compress_packer_add(struct strbuf *out, struct compress_packer *packer, const void *data, size_t size,
			enum compress_flush flush, struct err *err);

/**
 * compress_file - replace a file, such as a finished trace, with its compressed form
 *
 * Uses constant memory. The file exists at every moment, and is unchanged on failure.
 * Return: 0; ERR_IO, also if @path is not a regular file.
 */
int compress_file(const char *path, struct err *err);

/* --- system.c ------------------------------------------------------------------- */

/*
 * The places of the archives and proxy tables that come with drvabi. They are searched in this order:
 *   1. $XDG_DATA_HOME/drvabi (default: ~/.local/share/drvabi), where a user can put newer files
 *   2. ../share/drvabi, relative to the directory of the program, so that an installation can be moved
 *   3. ../data, relative to that directory: the source tree, if the program is in build/
 *   4. drvabi/ in each of $XDG_DATA_DIRS (default: /usr/local/share, /usr/share)
 */

/* What the paths depend on. An environment variable that is not set is NULL. */
struct data_surroundings {
	const char *program; /* path of the program, with links resolved */
	const char *home, *data_home, *data_dirs;
};

/* data_surroundings - get the program's path, in @arena, and the environment variables, for data_paths() */
struct data_surroundings data_surroundings(struct arena *arena);

enum { DATA_PATHS_MAX = 16 };

struct data_paths {
	const char *path[DATA_PATHS_MAX];
	size_t count;
};

/*
 * data_paths - list the paths where a file can be, in the order of the search. Its name is @name and @suffix,
 * "nvidia" and ".drvabi". The paths are in @arena. If @name is not a valid file name, the list is empty.
 */
void data_paths(struct data_paths *out, const char *name, const char *suffix,
		const struct data_surroundings *of, struct arena *arena);

/* Selects a line of /proc/PID/status: PPid or TracerPid. */
enum processes_of { PROCESSES_OF_PARENT, PROCESSES_OF_TRACER };

/**
 * processes_find - list all processes whose parent or tracer is @pid
 * @out: an array that the caller frees; NULL if no process was found
 *
 * Processes that start or end during the call may or may not be listed. If /proc belongs to a different pid
 * namespace than this process, no process is found.
 * Return: the number of processes.
 */
size_t processes_find(pid_t **out, enum processes_of whose, pid_t pid);

/*
 * processes_number - return the pid of a process's parent or tracer; 0 if the process has none, or does not
 * exist.
 */
pid_t processes_number(enum processes_of whose, pid_t pid);

/*
 * The following functions do not allocate memory, because the library that is preloaded into workloads calls
 * them too.
 */

/*
 * link_target - read the target of a symbolic link, truncated to @room bytes with the NUL. Return: its
 * length; 0 and "" if @path is not a link.
 */
size_t link_target(char *out, size_t room, const char *path);

/* The driver of a character device, according to /proc/devices and /sys. */
enum { CHARDEV_NAME_MAX = 64 };

/*
 * chardev_driver - get the name that /proc/devices gives to the major number of @number; "" if it has no
 * name.
 */
void chardev_driver(char out[CHARDEV_NAME_MAX], dev_t number);

/* chardev_module - get the kernel module that drives a device; "" if /sys does not name it. */
void chardev_module(char out[CHARDEV_NAME_MAX], dev_t number);

/* --- files of the source tree --------------------------------------------------- */

/**
 * EMBED - declare "const char symbol[]" with the bytes of a file. @path: a string literal
 *
 * The assembler puts the bytes and a NUL into read-only data. So no C is generated, and no string literal is
 * longer than the standard allows. The Makefile defines the directory, and rebuilds the object if an embedded
 * file changes.
 */
#define EMBED(symbol, path) \
	__asm__(".pushsection .rodata\n" \
		"\t.globl " #symbol "\n" \
		"\t.hidden " #symbol "\n" \
		#symbol ":\n" \
		"\t.incbin \"" path "\"\n" \
		"\t.byte 0\n" \
		"\t.popsection\n"); \
	extern const char symbol[] __attribute__((visibility("hidden")))

/* --- ctext.c -------------------------------------------------------------------- */

/*
 * C source as text. Nothing here does what a preprocessor does. This code finds hints, which clang confirms,
 * and reads tables that were generated in a fixed format.
 *
 * A view is a part of a text. The text must outlive the view. A view is not NUL-terminated. Only functions
 * with an arena allocate memory.
 */
struct view {
	const char *at;
	size_t length;
};

/*
 * view_is_word_char - check whether @ch can be in an identifier. As in clang, these are letters, digits, '_',
 * '$' and the bytes of UTF-8 sequences.
 */
extern const bool view_word_chars[256];

static inline bool view_is_word_char(char ch)
{
	return view_word_chars[(unsigned char)ch];
}

static inline bool view_is_digit(char ch)
{
	return ch >= '0' && ch <= '9';
}

/* view_is_space - check for white space, including line ends */
static inline bool view_is_space(char ch)
{
	return ch == ' ' || (ch >= '\t' && ch <= '\r');
}

/* view_is_blank - check for white space other than newlines. As in clang, a NUL byte is white space. */
static inline bool view_is_blank(char ch)
{
	return ch == ' ' || ch == '\t' || ch == '\r' || ch == '\v' || ch == '\f' || ch == '\0';
}

/* Sixteen bytes, to search text faster than one byte at a time. A comparison sets equal bytes to 0xff. */
typedef uint8_t bytes16 __attribute__((vector_size(16)));

enum { BYTES16 = sizeof(bytes16) };

static inline bytes16 bytes16_load(const char *at)
{
	bytes16 out;

	memcpy(&out, at, sizeof(out));
	return out;
}

static inline bytes16 bytes16_equal(bytes16 bytes, char ch)
{
	return (bytes16)(bytes == (uint8_t)ch);
}

/* bytes16_any - return whether any byte is not 0 */
static inline bool bytes16_any(bytes16 bytes)
{
	uint64_t half[2];

	memcpy(half, &bytes, sizeof(half));
	return half[0] | half[1];
}

/*
 * find_text - find @word in the bytes from @at to @end; NULL if it is not there. This is faster than
 * memmem(), which makes a table for each search: most positions are ruled out 32 at a time, by two bytes of
 * the word.
 */
const char *find_text(const char *at, const char *end, const char *word, size_t length);

struct view view_of(const char *text);
struct view view_trim(struct view view);
static inline bool view_is(struct view view, const char *text)
{
	return strlen(text) == view.length && !memcmp(view.at, text, view.length);
}
bool view_equal(struct view a, struct view b);
bool view_starts_with(struct view view, const char *prefix);
bool view_ends_with(struct view view, const char *suffix);

/* view_word - return the word characters at the start of @view; an empty view if there are none. */
struct view view_word(struct view view);

/* view_is_name - check whether the whole view is one identifier */
bool view_is_name(struct view view);

/*
 * view_number - read the whole view as a C integer literal without a sign. Return: false if it is not one, or
 * does not fit in 64 bits.
 */
bool view_number(uint64_t *out, struct view view);

/* view_copy - copy a view to @buffer with a NUL. Return: false, with @buffer untouched, if it does not fit */
bool view_copy(char *buffer, size_t size, struct view view);

/*
 * view_cut - cut off @prefix, and trim the rest. Return: false, with @view untouched, if it does not start
 * with @prefix.
 */
bool view_cut(struct view *view, const char *prefix);

/*
 * view_cut_name - cut an identifier off the start of @view, and trim the rest. Return: false, with @name and
 * @view untouched, if @view does not start with one.
 */
bool view_cut_name(struct view *name, struct view *view);

/*
 * view_cut_names - cut the next name and the "|" after it off a list, "A | B | C". Return: false at the end;
 * false with *@malformed set if @list does not start with a name, or has another text after the name.
 */
bool view_cut_names(struct view *name, struct view *list, bool *malformed);

/* view_mention - find the first place where a source text has @name as a whole word; NULL if not found */
const char *view_mention(struct view text, const char *name);

/* The state of reading a text line by line. */
struct view_lines {
	const char *at; /* start of the next line */
	const char *end;
	unsigned number; /* number of the next line, from 1 */
};

/* view_next_line - get the next line without the white space around it. Return: false at the end. */
bool view_next_line(struct view *out, struct view_lines *lines);

/*
 * glob_matches - check whether a profile's pattern matches all of @text, as fnmatch(3) without flags does
 * @fold_case: ignore case. But unless @glob has "?", "[" or a backslash, a word of @glob does not match parts
 *             of two words in camel case: "*pid" matches "vmPid", "PID" and "vmpid", but not "chipId".
 */
bool glob_matches(const char *glob, struct view text, bool fold_case);

/*
 * Comments, literals and continued lines. Only this code decides where these begin and end:
 *
 * - A backslash and a newline continue a line; as in clang, blanks may be between the two. This is a splice.
 * - A block comment ends after its end mark, or at the end of the text. A line comment ends before a newline
 *   that is not part of a splice.
 * - A string or character constant ends after its closing quote, or at the end of the line if it has none.
 *
 * Texts are NUL-terminated at @end.
 */

/*
 * lexer_newlines - replace carriage returns that are not followed by a newline with newlines, because clang
 * treats them as newlines. Return: a copy in @arena; @text itself if it has none.
 */
const char *lexer_newlines(const char *text, size_t size, struct arena *arena);

/* lexer_skip_comment - return the end of the comment that starts at @at; NULL if none starts there. */
const char *lexer_skip_comment(const char *at, const char *end);

/*
 * lexer_skip_literal - move from the opening quote to after the closing one. Return: false, at the end of the
 * line, if the closing quote is missing.
 */
bool lexer_skip_literal(const char **at, const char *end);

/* lexer_line_end - return the newline that ends the logical line of @at; @end if it has no newline. */
const char *lexer_line_end(const char *at, const char *end);

/* lexer_skip_blank - skip blanks, block comments and splices, but not a newline. */
const char *lexer_skip_blank(const char *at, const char *end);

/* lexer_uncommented - return the text before the first comment of @text; all of it if it has no comment. */
struct view lexer_uncommented(struct view text);

/**
 * lexer_blank - copy @text, with spaces for comments and the insides of literals, so that a search finds code
 *
 * Offsets and line numbers in the copy are those of @text. Return: the copy, in @arena.
 */
const char *lexer_blank(struct view text, struct arena *arena);

/**
 * lexer_join - copy the body of a macro to one line, to show or parse it
 * @with_comments: keep comments; otherwise each becomes one space
 *
 * Splices are removed, a run of white space outside of literals becomes one space, and the ends are trimmed.
 * Return: the copy, in @arena.
 */
const char *lexer_join(struct view body, bool with_comments, struct arena *arena);

/*
 * Finds the #include and #define lines of a text. The scanner is much faster than a preprocessor because it
 * ignores conditions: a line inside "#if 0" is reported too. Its results are hints. If it misses a
 * definition, clang finds it, at the cost of a second parse.
 */

struct define {
	struct view name;
	struct view body; /* as written, with comments and splices, up to the newline of the directive */
	unsigned line;
	struct view parameters; /* the text between the parentheses, as written; its `at` is NULL for an
				   object-like macro */
};

struct directives_sink {
	void *data;
	/*
	 * Called for #include, #include_next and #import. @spelled is the text between the quotes or angle
	 * brackets. May be NULL.
	 */
	void (*include)(void *data, struct view spelled);
	/* Called for an object-like macro, #define NAME body. May be NULL. */
	void (*define)(void *data, const struct define *define);
	/* Called for a function-like macro. May be NULL. */
	void (*define_function)(void *data, const struct define *define);
};

/*
 * directives_cut_parameters - cut the parameters of a function-like macro off the start of define->body, and
 * set define->parameters. Return: false if the body does not begin with "(", or has no ")".
 */
bool directives_cut_parameters(struct define *define);

/*
 * directives_scan - pass every #include and #define of @text to the functions of @sink, also in branches that
 * are not compiled. @text[@size] must be NUL.
 */
void directives_scan(const char *text, size_t size, const struct directives_sink *sink);

/*
 * The #ifs around a line. Conditions are not evaluated here: the caller decides whether the first branch of
 * an #if is compiled, and the state of the later branches follows from that.
 */

/* The state of a branch of an #if. */
enum branch {
	BRANCH_COMPILED, /* compiled */
	BRANCH_SKIPPED,  /* not compiled */
	BRANCH_PASSED,   /* not compiled, because an earlier branch of the same #if is or may be compiled */
	BRANCH_UNKNOWN,  /* it depends on how the text is compiled */
};

/* The number of elements of `branch`, outermost #if first. All deeper #ifs share the last element. */
enum { CONDITIONS_MAX = 32 };

struct conditions {
	unsigned depth;
	enum branch branch[CONDITIONS_MAX];
};

/**
 * conditions_follow - update the state after a preprocessor line, so that conditions_branch() says whether
 * the next lines are compiled
 * @line: starts with "#"
 * @opened: for an #if, #ifdef or #ifndef, the state of its first branch
 *
 * Other directives change nothing. Return: false for an #else, #elif or #endif without an #if.
 */
bool conditions_follow(struct conditions *conditions, struct view line, enum branch opened);

/*
 * conditions_opened - return the state of the first branch of the #if in @line, if nothing is known about its
 * condition: BRANCH_SKIPPED for "#if 0"; BRANCH_UNKNOWN for any other condition.
 */
enum branch conditions_opened(struct view line);

/*
 * conditions_branch - return the state of the next line: BRANCH_SKIPPED if an enclosing branch is not
 * compiled; else BRANCH_UNKNOWN if an enclosing branch is unknown; else BRANCH_COMPILED.
 */
enum branch conditions_branch(const struct conditions *conditions);

#endif
