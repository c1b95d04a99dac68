/*
 * base/base.h - what every room uses; it knows nothing of drivers
 *
 *   memory.c    an arena that is freed at once, a string that grows
 *   escape.c    text from outside in each output format, UTF-8, the sentence of an error
 *   varint.c    numbers of few bytes, and reading them from bytes that are not trusted
 *   file.c      whole files in, whole files out, and which files were read
 *   compress.c  zstd
 *   system.c    processes, character devices, and where drvabi's data is installed
 *   ctext.c     C text as text: views, lexer, directives, conditions, patterns of names
 */
#ifndef BASE_BASE_H
#define BASE_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>
#include <sys/uio.h>

/* --- errors --------------------------------------------------------------------- */

/*
 * A fallible function returns 0 or one of the negative ERR_* codes, writes one finished sentence into the
 * caller's struct err and leaves its outputs untouched. The sentence names what, where and what to do next;
 * it has no trailing newline and no program name, which main() adds.
 */
enum err_code {
	ERR_USAGE = -1,      /* the command line is wrong */
	ERR_IO = -2,         /* the operating system refused; errno's text is in the sentence */
	ERR_NOT_FOUND = -3,  /* a version, file, record or repository does not exist */
	ERR_FORMAT = -4,     /* an input document is malformed; the sentence says where */
	ERR_PARSE = -5,      /* a header does not parse, or includes a missing file */
	ERR_LAYOUT = -6,     /* a type has no size or an offset that cannot be known */
	ERR_LIMIT = -7,      /* an input is larger or deeper than the limit for it */
	ERR_GIT = -8,        /* libgit2 failed for another reason */
};

struct err {
	char text[1024];
};

/**
 * err_set - report an error
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
 * "unexpected end" becomes "table.json: unexpected end". Does nothing to a NULL @err.
 */
void err_prefix(struct err *err, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* --- memory.c ------------------------------------------------------------------- */

/*
 * Memory that is freed together. One arena per document: everything that belongs to the document is allocated
 * in it, and freed by one arena_release(). Memory is zeroed, and aligned for any type. No single allocation
 * can be freed.
 *
 * An arena is used by one thread at a time. Running out of memory ends the program with exit status 2 and
 * one line on standard error, because no caller could handle it.
 */
struct arena_block;

struct arena {
	struct arena_block *blocks; /* newest first; { 0 } is an empty arena */
};

void *arena_alloc(struct arena *arena, size_t size);
/* arena_array - @count zeroed elements of @size bytes; checks the product. */
void *arena_array(struct arena *arena, size_t count, size_t size);
void *arena_memdup(struct arena *arena, const void *data, size_t size);
char *arena_strdup(struct arena *arena, const char *text);
/* arena_strndup - the first @length bytes of @text, NUL-terminated. */
char *arena_strndup(struct arena *arena, const char *text, size_t length);
char *arena_printf(struct arena *arena, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
char *arena_vprintf(struct arena *arena, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));
/* arena_join - everything in @from is in @arena from now on; @from is empty and usable afterwards. */
void arena_join(struct arena *arena, struct arena *from);
/* arena_release - frees everything; @arena is empty and usable afterwards. */
void arena_release(struct arena *arena);

/*
 * xmalloc, xrealloc - malloc and realloc that do not return NULL. For buffers that grow; their results are
 * freed with free().
 */
void *xmalloc(size_t size);
void *xrealloc(void *old, size_t size);

/**
 * ARRAY_GROW - room for one more element at the end of a growing array
 * @array: pointer, from xrealloc or NULL; freed by its owner with free()
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
 * A string that grows. { 0 } is an empty strbuf. Once anything has been added, text is NUL-terminated at
 * text[length]; strbuf_text() is never NULL. The owner calls strbuf_release().
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
/* strbuf_plural - "1 record", "2 records"; @word is the singular: "entry", "entries", "alias", "aliases". */
void strbuf_plural(struct strbuf *buf, size_t count, const char *word);
/*
 * text_of_day - "2025-01-27", the day in UTC of seconds since 1970; "?" if no calendar has it. Return:
 * @buffer.
 */
const char *text_of_day(int64_t seconds, char buffer[32]);
/* strbuf_reserve - room for @size more bytes and the NUL. */
void strbuf_reserve(struct strbuf *buf, size_t size);
/* strbuf_reset - empty; the memory stays allocated. */
void strbuf_reset(struct strbuf *buf);
void strbuf_release(struct strbuf *buf);

static inline const char *strbuf_text(const struct strbuf *buf)
{
	return buf->text ? buf->text : "";
}

/* --- varint.c ------------------------------------------------------------------- */

/*
 * Whole numbers in the fewest bytes: seven bits a byte, the lowest first; the top bit says that another byte
 * follows. A number has one form only: one that ends in a zero byte is refused.
 */
void varint_put(struct strbuf *out, uint64_t value);

/* varint_get_long - varint_get() of more than one byte */
bool varint_get_long(uint64_t *value, const unsigned char **at, const unsigned char *end);

/**
 * varint_get - read a number
 * @at: moves past it, if it is one
 *
 * Return: false if the bytes end too early, are not a number of 64 bits, or are more than the number needs.
 */
static inline bool varint_get(uint64_t *value, const unsigned char **at, const unsigned char *end)
{
	if (*at == end || **at >= 0x80)
		return varint_get_long(value, at, end);
	*value = *(*at)++;
	return true;
}

/* Small numbers of either sign as small numbers: 0, -1, 1, -2 are 0, 1, 2, 3. */
static inline uint64_t varint_folded(int64_t value)
{
	return value < 0 ? ~((uint64_t)value << 1) : (uint64_t)value << 1;
}

static inline int64_t varint_unfolded(uint64_t folded)
{
	return (int64_t)(folded & 1 ? ~(folded >> 1) : folded >> 1);
}

/*
 * Reads numbers and texts from bytes, never past their end. After the first error a reader is at its end
 * and every read returns 0 or "", so a caller checks `failed` once, when it is done. The reader borrows the
 * bytes, and the texts that it returns point into them.
 */
struct byte_reader {
	const unsigned char *at, *end;
	bool failed; /* once set, at == end */
};

void byte_reader_init(struct byte_reader *in, const void *data, size_t size);

/* byte_reader_fail - the bytes are invalid. Return: 0, as the value. */
uint64_t byte_reader_fail(struct byte_reader *in);

static inline uint64_t byte_reader_number(struct byte_reader *in)
{
	uint64_t value;

	return varint_get(&value, &in->at, in->end) ? value : byte_reader_fail(in);
}

/* byte_reader_below - a number less than @limit. */
uint64_t byte_reader_below(struct byte_reader *in, uint64_t limit);

/* byte_reader_bool - 0 or 1. */
bool byte_reader_bool(struct byte_reader *in);

/* byte_reader_count - of elements of at least @least_bytes each, so that no forged count allocates much. */
size_t byte_reader_count(struct byte_reader *in, size_t least_bytes);
/* byte_reader_bounded - the same of a @count that has been read already. */
size_t byte_reader_bounded(struct byte_reader *in, uint64_t count, size_t least_bytes);

/* byte_reader_text - up to and with its NUL; points into the bytes. */
const char *byte_reader_text(struct byte_reader *in);

/* --- escape.c ------------------------------------------------------------------- */

/*
 * utf8_length - bytes of the UTF-8 sequence at @text, of which @size (at least 1) are left; 0 if it is not
 * one.
 */
size_t utf8_length(const char *text, size_t size);

/* utf8_code - the character of the @length bytes at @text, as utf8_length() counts them. */
uint32_t utf8_code(const char *text, size_t length);

/* utf8_is_valid - is all of @text UTF-8? */
bool utf8_is_valid(const char *text);

/*
 * Tags, paths, names, reasons: all of that is data, no matter who wrote it. Every function appends @text to
 * @out so that it is readable and has no effect. Text that is not printable is spelled out in every format:
 * "\x1b", "\u202e". Text of ordinary letters stays byte for byte.
 */

/**
 * escape_terminal - one line of text for a terminal
 *
 * Spelled out: control characters of ASCII and C1 (U+0080 to U+009F), tabs and newlines too; what changes
 * the direction of text; U+2028 and U+2029; noncharacters; bytes that are not UTF-8. To escape twice is to
 * escape once.
 */
void escape_terminal(struct strbuf *out, const char *text);

/**
 * escape_markdown - text in a paragraph, a heading or a cell of a table (GitHub's dialect)
 *
 * No markup, no HTML, no link, no image; a bar ends no cell. Nor does GitHub make a link or a picture of it:
 * a mention, an issue (#1, GH-1), the id of a commit, :tada:. Those get a space without width, so text that
 * is to be copied, such as a commit, is better written as code.
 */
void escape_markdown(struct strbuf *out, const char *text);

/*
 * escape_markdown_code - text as a code span, with as many backticks around it as are needed; with a bar in
 * it, plain text.
 */
void escape_markdown_code(struct strbuf *out, const char *text);

/* escape_xml - text in an element of XML or HTML, or in an attribute with double quotes. */
void escape_xml(struct strbuf *out, const char *text);

/**
 * escape_sarif - the text of a message in SARIF 2.1.0, before it becomes a string of JSON
 *
 * Its braces are doubled (3.11.5). "[text](target)" would be a link (3.11.6); the standard has no escape
 * for it, so a space without width is inserted.
 */
void escape_sarif(struct strbuf *out, const char *text);

/*
 * escape_github - the message of a workflow command of GitHub Actions; escape_github_property - the value of
 * one of its properties. Ends of lines are spelled out, so that neither ends the command.
 */
void escape_github(struct strbuf *out, const char *text);
void escape_github_property(struct strbuf *out, const char *text);

/**
 * escape_addf - strbuf_addf(), with @escape for the text of every %s
 * @escape: any of the functions above
 *
 * The width of a %s counts bytes of the escaped text; its precision, bytes of the text before. The
 * conversions are %s, %c, %d, %u, %x and %%, those for integers also with l, ll and z. A %c is one of the
 * program's own.
 */
void escape_addf(struct strbuf *out, void (*escape)(struct strbuf *, const char *), const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void escape_vaddf(struct strbuf *out, void (*escape)(struct strbuf *, const char *), const char *format,
		  va_list args) __attribute__((format(printf, 3, 0)));

/* escape_is_printable - may this character, UTF-8 or not, be written to a terminal unchanged? */
bool escape_is_printable(uint32_t code);

/* --- file.c --------------------------------------------------------------------- */

/**
 * file_read - append a whole file to @out
 * @path: "-" is standard input
 * @limit_bytes: more is ERR_LIMIT
 *
 * Return: 0; ERR_NOT_FOUND if there is no such file; ERR_IO; ERR_LIMIT.
 */
int file_read(struct strbuf *out, const char *path, size_t limit_bytes, struct err *err);

/*
 * file_read_regular - file_read() of a file by its path; ERR_IO if reading might wait for somebody, because
 * it is a FIFO or a device
 */
int file_read_regular(struct strbuf *out, const char *path, size_t limit_bytes, struct err *err);

/*
 * One file on its way to disk, or standard output. A regular file is made beside its name, and takes the
 * name, its old owner and permissions in file_writer_finish(); without that call the old text stays. A file
 * that is not a regular one is written to at once. file.c explains how, docs/output.md what a user may rely
 * on.
 */
struct file_writer {
	int fd;             /* to write to */
	int dir_fd;         /* where a regular file is replaced; -1: @fd is the target itself */
	const char *path;   /* borrowed, as it was given; NULL: standard output */
	struct strbuf target; /* @path after following its symbolic links */
	const char *name;   /* the last component of @target */
	bool is_named;      /* the temporary file has the name @temporary */
	bool is_private;    /* of file_writer_open_in() */
	char temporary[256];
};

/**
 * file_writer_open - a file that is replaced as a whole
 * @path: NULL is standard output
 *
 * Return: 0; ERR_IO, and nothing to be released. It is an error if the file has several names, an access
 * list, or an owner that we cannot give it.
 */
int file_writer_open(struct file_writer *out, const char *path, struct err *err);

/* file_writer_append - one that is written in place, at its end; created if it is missing */
int file_writer_append(struct file_writer *out, const char *path, struct err *err);

/**
 * file_writer_open_in - the file @name, which is not a path, in @dir_fd
 *
 * For files that are checked when they are read: only we can read it, and nothing waits for the disk. A
 * link or a pipe with that name is replaced and never opened.
 */
int file_writer_open_in(struct file_writer *out, int dir_fd, const char *name, struct err *err);

int file_writer_add(struct file_writer *writer, const void *data, size_t size, struct err *err);

/* file_writer_add_parts - at most IOV_MAX of them, one after the other; they are used up */
int file_writer_add_parts(struct file_writer *writer, struct iovec *parts, size_t count, struct err *err);

/* file_writer_finish - the file is whole. Return: 0; ERR_IO, and the old file is as it was. */
int file_writer_finish(struct file_writer *writer, struct err *err);

/* file_writer_release - due after each open that succeeded; an unfinished file is removed */
void file_writer_release(struct file_writer *writer);

/* file_write_atomic - file_writer_open(), add and finish */
int file_write_atomic(const char *path, const void *data, size_t size, struct err *err);

/*
 * The files that this process and its workers have read, so that no result replaces them: call
 * file_check_output() before writing a result. file_read() notes the file; who opens a file in another way
 * notes its descriptor, or its path. A device or a pipe may be input and output, as in a shell. For a
 * directory, all files in it count.
 */
void file_note_input(int fd);
void file_note_input_path(const char *path);
/* file_share_inputs - share the list of inputs with processes that are forked later */
void file_share_inputs(void);
/* file_forget_input - allow the file to be replaced, because the result includes its contents */
void file_forget_input(const char *path);

/*
 * file_check_output - ERR_USAGE if @path, or standard output if that is NULL, is a file that was noted, and
 * not forgotten
 */
int file_check_output(const char *path, struct err *err);

/* file_make_dirs - mkdir -p. Return: 0 or ERR_IO. */
int file_make_dirs(const char *path, struct err *err);

/*
 * A private directory holds files that are trusted later: it is not a link, and only its owner, this user or
 * root, may write to it.
 */
/* file_make_own_dir - make it and its parents; an existing directory stays as it is. Return: 0 or ERR_IO. */
int file_make_own_dir(const char *path, struct err *err);
/* file_open_own_dir - Return: a descriptor; -1 with @err if @path is not a private directory */
int file_open_own_dir(const char *path, struct err *err);

/* --- compress.c ----------------------------------------------------------------- */

/**
 * compress_append - append @size bytes, compressed, as one frame
 * @level: zstd's, 1 to 19; the same level gives the same bytes with one release of zstd
 *
 * Return: 0; ERR_LIMIT if zstd cannot.
 */
int compress_append(struct strbuf *out, const void *data, size_t size, int level, struct err *err);

/*
 * compress_unpacked_bytes - how many a frame says it unpacks to; UINT64_MAX if it does not say, or is not
 * one.
 */
uint64_t compress_unpacked_bytes(const void *packed, size_t size);

/* compress_unpack - Return: did the frames unpack to @out_bytes, neither more nor less? */
bool compress_unpack(void *out, size_t out_bytes, const void *packed, size_t size);

/* compress_version - "1.5.4": the zstd that is loaded at run time. */
const char *compress_version(void);

/* compress_recognise - do these bytes begin a stream of zstd? Four are enough. */
bool compress_recognise(const uint8_t *bytes, size_t size);

struct compress_stream;

/*
 * compress_stream_new - unpacks frames that follow each other, in at most 130 MB of memory, whatever they
 * claim.
 */
struct compress_stream *compress_stream_new(void);
void compress_stream_free(struct compress_stream *stream); /* NULL is fine */

/**
 * compress_stream_next - unpack some more
 * @got: how many bytes of @out were filled; 0 only if all of @at was used
 * @at: moves past the used bytes
 *
 * Return: 0; ERR_FORMAT if the bytes are damaged: each further call fails, too.
 */
int compress_stream_next(size_t *got, struct compress_stream *stream, uint8_t *out, size_t room,
			 const uint8_t **at, const uint8_t *end, struct err *err);

/* compress_stream_is_whole - has every frame that began ended? */
bool compress_stream_is_whole(const struct compress_stream *stream);

struct compress_packer;

/**
 * compress_packer_new - makes one frame, piece by piece, with a checksum
 * @level: zstd's, 1 to 19
 *
 * Return: NULL if zstd has no memory.
 */
struct compress_packer *compress_packer_new(int level);
void compress_packer_free(struct compress_packer *packer); /* NULL is fine */

/* How much of the added data can be decompressed from the output so far. */
enum compress_flush {
	COMPRESS_LATER, /* some of it */
	COMPRESS_NOW,   /* all of it */
	COMPRESS_END,   /* all of it, and the frame is whole: nothing is added after it */
};

/* compress_packer_add - appends to @out the output for @size more bytes. Return: 0; ERR_IO if zstd cannot. */
int compress_packer_add(struct strbuf *out, struct compress_packer *packer, const void *data, size_t size,
			enum compress_flush flush, struct err *err);

/**
 * compress_file - replaces a file by its compressed form
 *
 * In constant memory. The file is there at every moment, and stays as it is on failure.
 * Return: 0; ERR_IO, also if it is not a regular file.
 */
int compress_file(const char *path, struct err *err);

/* --- system.c ------------------------------------------------------------------- */

/*
 * Where the archives and proxy tables that are included in drvabi may be. All paths are in the caller's
 * arena. In this order:
 *   1. $XDG_DATA_HOME/drvabi (default: ~/.local/share/drvabi), where a user puts
 *      a newer one
 *   2. ../share/drvabi beside the directory of the program, so that an installation
 *      works wherever it was staged or moved to
 *   3. ../data beside that directory: the source tree, if the program is in build/
 *   4. drvabi/ in each of $XDG_DATA_DIRS (default: /usr/local/share, /usr/share)
 */

/* The inputs of the paths; NULL for unset ones. */
struct data_surroundings {
	const char *program; /* path of the program, links resolved */
	const char *home, *data_home, *data_dirs;
};

/* data_surroundings - of this process; in @arena. */
struct data_surroundings data_surroundings(struct arena *arena);

enum { DATA_PATHS_MAX = 16 };

struct data_paths {
	const char *path[DATA_PATHS_MAX];
	size_t count;
};

/*
 * data_paths - of the file called @name and @suffix, "nvidia" and ".drvabi"; none if @name is not a file's.
 * In
 * @arena.
 */
void data_paths(struct data_paths *out, const char *name, const char *suffix,
		const struct data_surroundings *of, struct arena *arena);

/* Whose number it is, in /proc/PID/status. */
enum processes_of { PROCESSES_OF_PARENT, PROCESSES_OF_TRACER };

/**
 * processes_find - all processes whose parent or tracer is @pid
 * @out: set to an array that the caller frees; NULL if there is none
 *
 * Processes that begin or end meanwhile may be missing, or have ended. If /proc is another pid namespace's
 * than this process's, none is found.
 * Return: how many.
 */
size_t processes_find(pid_t **out, enum processes_of whose, pid_t pid);

/* processes_number - a number of one process: its parent or tracer; 0: it has none, or is not there. */
pid_t processes_number(enum processes_of whose, pid_t pid);

/*
 * Which driver a character device has, by /proc/devices and /sys. Allocates nothing: the library that is
 * preloaded into workloads asks, too.
 */
enum { CHARDEV_NAME_MAX = 64 };

/*
 * chardev_driver - the name that a driver has in /proc/devices for the major number of @number; "" if none is
 * known.
 */
void chardev_driver(char out[CHARDEV_NAME_MAX], dev_t number);

/* chardev_module - the module of the kernel that drives a device; "" if /sys does not say. */
void chardev_module(char out[CHARDEV_NAME_MAX], dev_t number);

/* --- files of the source tree --------------------------------------------------- */

/**
 * EMBED - declares @symbol, "const char symbol[]", with the bytes of the file @path, a literal
 *
 * The assembler puts the bytes into read-only data, with a NUL after them: no generated C, and no string
 * literal too long for the standard. The Makefile defines the directory, and rebuilds the object when a file
 * changes.
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
 * C text as text. Nothing here makes decisions of a preprocessor: it reads hints, which clang confirms, and
 * tables whose grammar is a generator's.
 *
 * A view is bytes of somebody else's text, which outlives it; it is not NUL-terminated. Only functions with
 * an arena allocate.
 */
struct view {
	const char *at;
	size_t length;
};

/*
 * view_is_word_char - may @ch be in an identifier? As in clang: letters, digits, '_', '$', and the bytes of
 * UTF-8.
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

/* view_is_space - white space, line ends included. */
static inline bool view_is_space(char ch)
{
	return ch == ' ' || (ch >= '\t' && ch <= '\r');
}

/* view_is_blank - white space inside a line; a NUL byte is that to clang as well. */
static inline bool view_is_blank(char ch)
{
	return ch == ' ' || ch == '\t' || ch == '\r' || ch == '\v' || ch == '\f' || ch == '\0';
}

struct view view_of(const char *text);
struct view view_trim(struct view view);
bool view_is(struct view view, const char *text);
bool view_equal(struct view a, struct view b);
bool view_starts_with(struct view view, const char *prefix);
bool view_ends_with(struct view view, const char *suffix);

/* view_word - the word characters at the start of @view; empty if there is none. */
struct view view_word(struct view view);

/* view_is_name - is all of it one identifier? */
bool view_is_name(struct view view);

/* view_number - all of @view as a C integer literal without a sign. */
bool view_number(uint64_t *out, struct view view);

/* view_copy - as a string in @buffer. Return: false, @buffer untouched, if it does not fit. */
bool view_copy(char *buffer, size_t size, struct view view);

/* view_cut - if @view starts with @prefix, cut it and the white space after it off. */
bool view_cut(struct view *view, const char *prefix);

/* view_cut_name - cut an identifier and the white space after it off; false if there is none. */
bool view_cut_name(struct view *name, struct view *view);

/*
 * view_cut_names - cut the next name off "A | B | C"; false at the end or, with *@malformed set, at anything
 * else.
 */
bool view_cut_names(struct view *name, struct view *list, bool *malformed);

/* view_mention - where @name first is in @text as a whole word, or NULL. */
const char *view_mention(struct view text, const char *name);

/* Lines of a text, one after the other. */
struct view_lines {
	const char *at; /* of the next line */
	const char *end;
	unsigned number; /* of the next line, from 1 */
};

/* view_next_line - the next line without the white space around it; false at the end. */
bool view_next_line(struct view *out, struct view_lines *lines);

/*
 * A pattern of names, split at its stars. It matches as profile_matches() does, for names that are not
 * NUL-terminated and come by the hundred thousand.
 */
struct name_glob {
	const char *text;
	struct view *runs;  /* the text between the '*'; NULL if there are other wildcards */
	size_t run_count;
	size_t literal;     /* bytes before the first wildcard */
};

void name_glob_init(struct name_glob *out, const char *text, struct arena *arena);
bool name_glob_matches(const struct name_glob *pattern, struct view name);
/* name_glob_matches_rest - the same, when it is known that the bytes before the first wildcard agree. */
bool name_glob_matches_rest(const struct name_glob *pattern, struct view name);

/*
 * Comments, literals and continued lines. This is the only code that knows where these begin and end:
 *
 * - A backslash, blanks that clang forgives, and a newline continue a line: a splice.
 * - A block comment ends with its mark or with the text, a line comment before a newline that is
 *   not continued.
 * - A string or character constant ends with its quote, with its line at the latest.
 *
 * Texts are NUL-terminated at @end.
 */

/*
 * lexer_newlines - @text, or a copy in @arena in which each carriage return that no newline follows is one,
 * as it is to clang.
 */
const char *lexer_newlines(const char *text, size_t size, struct arena *arena);

/* lexer_skip_comment - past the comment that starts at @at; NULL if none does. */
const char *lexer_skip_comment(const char *at, const char *end);

/*
 * lexer_skip_literal - from the opening quote past the closing one. Return: false, at the end of the line, if
 * there is none.
 */
bool lexer_skip_literal(const char **at, const char *end);

/* lexer_line_end - the newline, or @end, that ends the logical line of @at. */
const char *lexer_line_end(const char *at, const char *end);

/* lexer_skip_blank - past blanks, block comments and splices, but not past a newline or @end. */
const char *lexer_skip_blank(const char *at, const char *end);

/* lexer_uncommented - the text before the first comment of @text. */
struct view lexer_uncommented(struct view text);

/**
 * lexer_blank - a copy of @text in which comments and the insides of literals are spaces
 *
 * Line ends stay where they are, so that lines have their numbers. Return: allocated in @arena.
 */
const char *lexer_blank(struct view text, struct arena *arena);

/**
 * lexer_join - the body of a macro on one line
 * @with_comments: false: each becomes one space
 *
 * Splices go, runs of white space outside of literals become one space, the ends are trimmed.
 * Return: allocated in @arena.
 */
const char *lexer_join(struct view body, bool with_comments, struct arena *arena);

/*
 * The #include and #define lines of a text, found by a scanner that is much faster than a preprocessor
 * because it knows nothing about conditions: a line under "#if 0" is reported as well. Its results are
 * hints. A definition that it misses is found by clang, and costs a second parse.
 */

struct define {
	struct view name;
	struct view body; /* raw: with comments and continued lines, up to the newline of the directive */
	unsigned line;
	struct view parameters; /* the raw text between the parentheses; NULL of an object-like macro */
};

struct directives_sink {
	void *data;
	/*
	 * #include "spelled" or <spelled>, #include_next or #import; @spelled is the text between the
	 * delimiters. May be NULL.
	 */
	void (*include)(void *data, struct view spelled);
	/* #define NAME body, object-like. May be NULL. */
	void (*define)(void *data, const struct define *define);
	/* The same, function-like. May be NULL. */
	void (*define_function)(void *data, const struct define *define);
};

/*
 * directives_cut_parameters - cut the parameters off a body that begins with "(". Return: false if it does
 * not, or none closes it.
 */
bool directives_cut_parameters(struct define *define);

/* directives_scan - report every directive of @text, which is NUL-terminated at @size. */
void directives_scan(const char *text, size_t size, const struct directives_sink *sink);

/*
 * The #ifs around a line. No condition is evaluated: the reader of a text decides what the first branch of
 * an #if means to it, and the later branches follow from that.
 */

/* The meaning of a branch of an #if to a reader. */
enum branch {
	BRANCH_COMPILED, /* as far as the reader cares */
	BRANCH_SKIPPED,  /* not compiled */
	BRANCH_PASSED,   /* not compiled, because an earlier branch of the same #if is */
	BRANCH_UNKNOWN,  /* depends on how the text is compiled */
};

/* Outermost first. Those deeper than the array share its last element. */
enum { CONDITIONS_MAX = 32 };

struct conditions {
	unsigned depth;
	enum branch branch[CONDITIONS_MAX];
};

/**
 * conditions_follow - follow one preprocessor line
 * @line: starts with "#"
 * @opened: for an #if, #ifdef or #ifndef: what its first branch is to the reader
 *
 * Other directives change nothing.
 * Return: false for an #else, #elif or #endif that has no #if.
 */
bool conditions_follow(struct conditions *conditions, struct view line, enum branch opened);

/* conditions_opened - "#if 0" is never compiled; of any other condition it is not known. */
enum branch conditions_opened(struct view line);

/*
 * conditions_branch - the branch that the next line is in: BRANCH_SKIPPED, else BRANCH_UNKNOWN, if any around
 * it is.
 */
enum branch conditions_branch(const struct conditions *conditions);

#endif
