/*
 * store/internal.h - declarations that the files of src/store share
 *
 * A thing is a distinct record, alias, enum, constant or ioctl of an archive, or a distinct list of warnings
 * or lines.
 *
 *   store.c             finds the versions and commits of requests, and the first store with each document
 *   archive_store.c     the archive as a store; packs a new archive
 *   tree_store.c        the driver's tree as a store: which versions are extracted, and by which worker
 *   worker.c            workers: processes with bounds on memory and time
 *   cache.c             the files of documents that were extracted before, and the cache as a store
 *   archive_read.c      checks an archive in memory, and finds versions in it
 *   archive_document.c  makes the documents of some versions
 *   archive_write.c     collects the things of many documents, each once, and writes an archive from them
 *   archive_parts.c     the parts of each kind of thing
 */
#ifndef STORE_INTERNAL_H
#define STORE_INTERNAL_H

#include "store/store.h"

#include <xxhash.h>

#define HASH_FUNCTION(key, length, hash) ((hash) = (unsigned int)XXH3_64bits((key), (length)))
#include <uthash.h>

/* --- stores --------------------------------------------------------------------- */

/* store_say - pass a sentence to options->remark(). */
void store_say(const struct store_options *options, enum store_remark kind, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * The ordered list of stores. All stores have the same three functions, so only their order determines which
 * store is used:
 *
 *   find       finds the commit of a version's name. The first store that knows the name is used. A store can
 *              end the search.
 *   versions   lists all versions. The first store that has versions is used.
 *   documents  reads documents. Each store reads those that no earlier store has.
 */

/* The commit to which a version's name refers. */
struct found_version {
	const char *name;   /* the name for messages: a tag, a branch, or the first digits of a commit */
	const char *commit; /* 40 hex digits */
};

enum { CACHE_KEY_DIGITS = 32 }; /* XXH3, 128 bits, in hexadecimal */

/* A wanted document, which is passed from store to store. */
struct wanted {
	struct store_request *request;
	struct found_version version;
	const char *directory;  /* the tree is this directory, and version.commit is ""; NULL: the tree is in
				   the repository */
	bool done;              /* the request's abi or rc is set */
	char key[CACHE_KEY_DIGITS + 1]; /* see cache_key_of(); "" if unknown */
	bool looked_for_key;
	bool key_decides;       /* trees with the same @key have the same document */
};

struct store_ops {
	/*
	 * Finds a version. @version: NULL means the newest version. @out is in @arena. Return: ERR_NOT_FOUND
	 * if the store does not have the version. The function is NULL if the store defines no versions.
	 */
	int (*find)(struct found_version *out, void *self, const char *version, struct arena *arena,
		    struct err *err);
	/*
	 * Returns true if later stores may be searched for a version that find() did not find. @by_user: true
	 * if the user named the version, false if a table did. If the function is NULL, later stores are
	 * always searched.
	 */
	bool (*leaves_open)(void *self, const char *version, bool by_user);
	/* Lists all versions. Return: ERR_NOT_FOUND if there are none. The function is NULL if find() is. */
	int (*versions)(struct source_graph *out, void *self, struct arena *arena, struct err *err);
	/*
	 * Reads the documents of @wanted that the store has, and sets done for them. The caller passes only
	 * entries that are not done. @arena: owns the documents
	 */
	int (*documents)(void *self, struct wanted *const *wanted, size_t count, struct arena *arena,
			 struct err *err);
};

struct store {
	const struct store_ops *ops;
	void *self;
	bool only_documents; /* the store is used only for documents, not for versions */
};

enum { LIST_MAX = 3 };

struct list {
	struct store stores[LIST_MAX];
	size_t count;
};

/* list_add - append a store. */
void list_add(struct list *list, const struct store_ops *ops, void *self, bool only_documents);

/*
 * list_find - find a version by its name; with @by_user, also by an unambiguous beginning of its name
 *
 * Return: 0; ERR_NOT_FOUND; the error of a store. The message is that of the last store that was searched,
 * or, if @version is ambiguous, a list of the versions that begin with it.
 */
int list_find(struct found_version *out, const struct list *list, const char *version, bool by_user,
	      struct arena *arena, struct err *err);

/* list_versions - list all versions. Return: 0; ERR_NOT_FOUND if no store has any; the error of a store. */
int list_versions(struct source_graph *out, const struct list *list, struct arena *arena, struct err *err);

/**
 * list_documents - read all documents of @wanted
 *
 * If a version could not be read, its request has the error. Return: 0; the error of a store that failed
 * completely; ERR_NOT_FOUND if a document is in no store.
 */
int list_documents(const struct list *list, struct wanted *wanted, size_t count, struct arena *arena,
		   struct err *err);

/* --- archive_store.c ------------------------------------------------------------ */

struct archive_store {
	const struct store_options *options;
	struct arena *arena;           /* owns the archive */
	bool looked;
	const struct archive *archive; /* if @looked is set: the archive to use; NULL if there is none */
	size_t target;                 /* the index of options->target in @archive */
};

extern const struct store_ops archive_store_ops;

/*
 * archive_store_look - at the first call, find the archive to use, and set self->archive; NULL: none. Other
 * archives than options->archive that cannot be used are reported to the user, and skipped. Return: 0; at the
 * first call, the error of options->archive if it cannot be used.
 */
int archive_store_look(struct archive_store *self, struct err *err);

/*
 * archive_store_around - index the items of all versions of self->archive. If the archive has the document of
 * @wanted, and it was not read yet, also read it. Return: the result of archive_documents().
 */
int archive_store_around(struct abi_index *index, struct archive_store *self, struct wanted *wanted,
			 struct arena *arena, struct err *err);

/* --- tree_store.c --------------------------------------------------------------- */

struct tree_store {
	const struct store_options *options;
	const char *cache_dir;  /* the directory for clones; "" if there is none */
	const char *repo;       /* path or URL; NULL if there is none */
	char *shown;            /* @repo for messages, from source_shown() */
	const char *salt;       /* the salt of cache keys; NULL until it is needed */
	struct arena *arena;
	struct cache_store *cache; /* gets the documents that workers read; NULL: there is none */
	bool lacks_wanted;      /* the repository does not have the wanted version, so it was not cloned */
	int clone_fd;           /* holds the clone of a URL, see source_hold_clone(); -1: none */
	bool updated;           /* the clone of a URL was made or fetched, or this failed, in this run */
	/* In a worker: the repository. This process never opens it. */
	struct source *source;
	bool opened;
	int open_rc;            /* from source_open() */
	struct err open_err;
};

extern const struct store_ops tree_store_ops;

/* tree_store_keys - compute keys of @wanted in a worker, once. Directories and unreadable trees keep "". */
void tree_store_keys(struct tree_store *self, struct wanted *const *wanted, size_t count);

/*
 * tree_store_tags - list the repository's tags, sorted, in @arena. A URL is cloned if there is no clone; an
 * existing clone is not updated. Return: 0; the error of a repository that cannot be read.
 */
int tree_store_tags(const char *const **names, size_t *count, struct tree_store *self, struct arena *arena,
		    struct err *err);

/* tree_store_run_job - call job->in_worker() in a worker, see stores_run_job(). @out: in @arena */
int tree_store_run_job(struct byte_reader *out, struct tree_store *self, const char *version,
		   const struct tree_job *job, struct arena *arena, struct err *err);

void tree_store_release(struct tree_store *self);

/* --- worker.c ------------------------------------------------------------------- */

/* What jobs read, which decides their bounds. */
enum bounded_kind {
	BOUNDED_HEADERS,
	BOUNDED_REPOSITORY, /* ten times the bound on processor time, because a job can read all commits */
	BOUNDED_DOWNLOAD,   /* may write files, use the network and standard error; no bound on time, and four
			       times the bound on memory */
};

struct bounded_ops {
	enum bounded_kind kind;
	/*
	 * Called in a worker before it is confined. Return: the files that the worker may open, and
	 * directories of such files; NULL-terminated. NULL: any file. The function can be NULL.
	 */
	const char *const *(*prepare)(void *data);
	/* Called in a worker: does job @index, and appends its result to @out. Return: 0; ERR_*. */
	int (*work)(void *data, size_t index, struct strbuf *out, struct err *err);
	/*
	 * Called in this process when a job has ended, in any order. @err is set if @rc is not 0.
	 */
	void (*done)(void *data, size_t index, int rc, struct view result, const struct err *err);
	/* Returns the name of job @index, "590.48.01", for the message about a worker that died. */
	const char *(*name)(void *data, size_t index);
	const char *subject; /* if @name is NULL: the name of the only job */
	void *data;
};

/**
 * bounded_run - do @count jobs in up to @jobs processes at the same time
 *
 * DRVABI_PARSE_MB sets the bound on a worker's memory (default 2048, at least 64). DRVABI_PARSE_SECONDS sets
 * the bound on the processor time of a job (default 60); a job may also wait for as long, for example for a
 * disk. This process must have only one thread.
 * Return: 0, even if jobs failed; ERR_USAGE if a bound is not a number; ERR_IO if no process could be
 * created.
 */
int bounded_run(const struct bounded_ops *ops, size_t count, unsigned jobs, struct err *err);

/*
 * bounded_ask - do one job in a process. @out: reads its result, which is in @arena. @ops: `done` is NULL.
 * Return: the job's return code, or that of bounded_run().
 */
int bounded_ask(struct byte_reader *out, const struct bounded_ops *ops, struct arena *arena, struct err *err);

/* --- cache.c -------------------------------------------------------------------- */

struct cache_store {
	const struct store_options *options;
	struct tree_store *trees; /* finds the keys */
	const char *dir;          /* the cache's directory; "" if there is none */
	bool warned;              /* the warning that the cache cannot be written was printed */
};

extern const struct store_ops cache_store_ops;

/**
 * cache_key_of - hash the inputs of an extraction
 * @salt: program version, profile text, target, compiler and repository, made by make_salt() in tree_store.c.
 *        A different salt gives a different key
 *
 * Hashes @salt and the content ids of all profile_roots() in @tree, including the absent ones.
 * Return: false if an id cannot be read, or if the tree is a directory, which has no content ids and is not
 * cached.
 */
bool cache_key_of(char key[CACHE_KEY_DIGITS + 1], struct tree *tree, const struct profile *profile,
		  const char *salt);

/**
 * cache_get - read an entry
 * @abi: in @arena; its version and commit are those with which the entry was written
 *
 * Also sets the time of the last use, at most once an hour.
 * Return: false if the entry is absent, damaged or for a different key, or others may write to the directory.
 */
bool cache_get(struct abi *abi, const char *dir, const char *key, struct arena *arena);

/*
 * cache_put - write an entry, and for some keys, trim the directory. @packed: the output of archive_pack().
 * Return: 0, also if @packed is too large, and is not written; ERR_IO, and no partial file is left.
 */
int cache_put(struct view packed, const char *dir, const char *key, struct err *err);

/*
 * cache_store_put - put the document of @wanted, @packed, into the cache, if its key decides it. If the cache
 * cannot be written, warns the user, and does nothing in later calls.
 */
void cache_store_put(struct cache_store *self, const struct wanted *wanted, struct view packed);

/*
 * wanted_owner - find the first entry that has the same key as entry @index. If its key_decides is set, both
 * have the same document. Return: the index of the entry; @index if its key is "" or new.
 */
size_t wanted_owner(struct wanted *const *wanted, size_t index);

/* wanted_set - give @wanted a copy of a document, with the version and commit of @wanted, and set done. */
void wanted_set(struct wanted *wanted, const struct abi *abi);

/* wanted_share - give @wanted the document of @owner, which depends only on the key. */
void wanted_share(struct wanted *wanted, const struct wanted *owner);

/**
 * trim_directory - remove the least recently used documents, and files of killed writers
 * @limit_bytes: if all documents together are larger, the oldest ones are removed until three quarters of
 *               the limit are left
 *
 * Never fails: files that cannot be removed, or that other processes have removed, are ignored.
 */
void trim_directory(const char *dir, uint64_t limit_bytes);

/* --- archive_read.c -------------------------------------------- */

/*
 * The format of an archive, which archive_write.c writes and archive_read.c reads:
 *
 *   header   8 bytes of magic, the last of which is the format's version; 8 bytes: the size of the file; 16
 *            bytes: the hash of the block table
 *   table    for each block, 8 bytes: its size in the file, 8 bytes: its unpacked size, 16 bytes: the hash of
 *            its bytes in the file
 *   blocks   one after the other, each a frame of zstd
 *
 * Numbers in the header and the table are little endian. Hashes are XXH3 (128 bits, canonical order). Each
 * byte of a file is part of a hash, covered by a hash, or compared with its only valid value.
 *
 * In the blocks, all numbers are varints, and texts end with a NUL. A "folded" number is a signed number in
 * zigzag encoding. A string is written as a number: 0 for the first string in the block of strings that was
 * not used yet, 1 for NULL, or the string's number plus 2.
 *
 *   ARCHIVE_VERSIONS      driver, hash of the profile, generation; count of targets, targets; main branch
 *                         ("" for none), shallow; count of versions, and for each: name, commit, time
 *                         (folded), parent plus 1, on_main. Strings are written as texts in this block
 *   ARCHIVE_STRINGS       count of strings, strings
 *   ARCHIVE_THINGS        count of paths, paths; count of layouts; then counts and elements of records,
 *                         aliases, enums, constants, ioctls, lists of warnings. Each kind is sorted as in
 *                         documents
 *   ARCHIVE_VERSION_SETS  the version set of each element of ARCHIVE_THINGS, then of ARCHIVE_LINES
 *   ARCHIVE_LINES         count of lists of lines, and for each: the path's number, size in bytes, lines
 *
 * Each thing has a version set: the versions that have the thing. Versions do not list their things. A
 * version set for one target is a count of spans, and for each span, the number of versions since the end of
 * the previous span, and the span's length minus 1. For each target after the first, the set is written as 0
 * if it is the same as for the previous target. Otherwise, 1 is added to the count. So a record that was
 * added at 535.43.02, never changed, and is the same for all targets takes four bytes for any number of
 * versions. To read a version, all things are visited, and those of the version are selected. No version
 * depends on a different version.
 *
 * The number of the line in which a thing is declared changes in most versions. So a thing has only a path
 * and a column, and its line number is in a list of lines. A list has the line numbers of all things that one
 * version declares in one file: those of records, then of enums, then of ioctls, each kind in the order of
 * documents. A line number is written as the (folded) difference from the previous line number. Versions with
 * equal files share lists.
 *
 * A record's layout (size, align, union or struct, fields) is written at its first use, and gets a number. At
 * later uses, ARCHIVE_LAYOUT_KNOWN plus this number is written.
 */

#define ARCHIVE_MAGIC "drvarch"

enum {
	ARCHIVE_FORMAT_AT = sizeof(ARCHIVE_MAGIC) - 1, /* offset of the format's version */
	ARCHIVE_FORMAT = 2,
	ARCHIVE_UNPACKED_LIMIT_BYTES = 64 * 1024 * 1024,
	ARCHIVE_TARGETS_MAX = 16,
};

/* The beginning of a version set for a target that is not the first. */
enum {
	ARCHIVE_SET_AS_BEFORE = 0,
	ARCHIVE_SET_OWN = 1, /* plus the count of spans */
};

enum {
	ARCHIVE_STRING_NEXT = 0,
	ARCHIVE_STRING_NULL = 1,
	ARCHIVE_STRING_FIRST = 2, /* plus the string's number */
};

enum {
	ARCHIVE_LAYOUT_NEW = 0,
	ARCHIVE_LAYOUT_KNOWN = 1, /* plus the layout's number */
};

/* A field's role, and whether the field is a bit-field, in one number. */
enum {
	ARCHIVE_FIELD_BITFIELD = 1,
	ARCHIVE_FIELD_ROLE_SHIFT = 1,
};

/* The text after the path of a location: nothing, a line, or a line and a column. */
enum {
	ARCHIVE_LOCATION_WHOLE = 0,
	ARCHIVE_LOCATION_LINE = 1,
	ARCHIVE_LOCATION_COLUMN = 2, /* plus the column */
};

enum archive_block {
	ARCHIVE_VERSIONS,
	ARCHIVE_STRINGS,
	ARCHIVE_THINGS,
	ARCHIVE_VERSION_SETS,
	ARCHIVE_LINES,
};

enum { ARCHIVE_BLOCK_COUNT = ARCHIVE_LINES + 1 };

/* A compressed block, whose hash has been checked. */
struct packed_block {
	const unsigned char *data;
	size_t size, unpacked_bytes;
};

/*
 * blocks_write - compress all blocks, and append the whole file to @out, which errors do not change. Return:
 * 0; ERR_LIMIT if a block is too large to be read again, or zstd cannot compress it.
 */
int blocks_write(struct strbuf *out, const struct strbuf blocks[ARCHIVE_BLOCK_COUNT], int level,
		 struct err *err);

/*
 * texts_put - append the number of texts, and the texts. texts_read - read them, and copy them to @arena.
 * Return: the number of texts; 0 if it is invalid.
 */
void texts_put(struct strbuf *out, const char *const *texts, size_t count);
size_t texts_read(const char *const **out, struct byte_reader *in, struct arena *arena);

/* graph_put - append the main branch and the versions of @graph, as in ARCHIVE_VERSIONS. */
void graph_put(struct strbuf *out, const struct source_graph *graph);
/*
 * graph_read - read what graph_put() wrote. @in fails if versions are not in order, or a version is its own
 * ancestor. The strings of @out point into the buffer of @in.
 */
void graph_read(struct source_graph *out, struct byte_reader *in, struct arena *arena);

/**
 * blocks_find - check the header, the sizes and the hashes of a whole file, and find its blocks
 * @blocks: point into @data
 *
 * Return: 0; ERR_FORMAT; ERR_NOT_FOUND if the file format is different.
 */
int blocks_find(struct packed_block blocks[ARCHIVE_BLOCK_COUNT], const void *data, size_t size,
		struct err *err);

enum { COMMIT_DIGITS = 40 };

/* is_commit_id - check whether @text can be a commit id or its first digits, in upper or lower case */
bool is_commit_id(const char *text, size_t least_digits);

/*
 * block_unpack - decompress a block. @out: reads the result, which is in @arena. Return: false if the block
 * cannot be decompressed, or the result has the wrong size.
 */
bool block_unpack(struct byte_reader *out, const struct packed_block *block, struct arena *arena);

/* --- archive_parts.c ------------------------------------------------------------ */

/*
 * A parsed "path:line:column". The line is stored separately, because a declaration has the same path and
 * column in most versions, but not the same line.
 */
struct location {
	size_t path_length; /* the path is at the beginning of the text */
	uint32_t form;      /* ARCHIVE_LOCATION_* */
	uint32_t line;      /* unless form is ARCHIVE_LOCATION_WHOLE */
};

/*
 * location_split - find the path, line and column in @source. Any text is valid: a text without a line is a
 * path.
 */
struct location location_split(const char *source);

/*
 * location_join - make the text from which location_split() made these parts. Return: @path itself if the
 * text has no line, else a text in @arena.
 */
const char *location_join(const char *path, size_t path_length, uint32_t form, uint32_t line,
			  struct arena *arena);

/* The place where an element is declared, without its line. */
struct place {
	uint32_t path; /* the path's number */
	uint32_t form; /* ARCHIVE_LOCATION_* */
};

/* Writes the parts of elements as numbers and texts, or reads them. */
struct parts {
	bool reads;
	/* To write: receive a number, or a text, which can be NULL. */
	void (*number)(void *to, uint64_t number);
	void (*text)(void *to, const char *text);
	void *to;
	/* To read: */
	struct byte_reader in; /* fails if a part is invalid */
	const char **strings;  /* of ARCHIVE_STRINGS */
	size_t string_count;
	size_t next_string;    /* the first string that has not been used yet */
	size_t path_count;
	struct arena *arena;   /* owns the lists of elements that are read */
};

/* The kinds of things: those of enum abi_kind, and these. */
enum {
	THING_WARNINGS = ABI_KIND_COUNT, /* the warnings of a struct abi */
	THING_KIND_COUNT,
	THING_LAYOUT = THING_KIND_COUNT, /* the layout of a struct abi_record. It is a part of other things */
};

/* thing_bytes - the size of the struct for a thing of @kind */
size_t thing_bytes(size_t kind);

/* text_part - write @text, or read a text. Return: the text; "", and parts->in fails, if it is invalid. */
const char *text_part(struct parts *parts, const char *text);

/*
 * thing_parts - write a thing, or read it into @thing, which was zeroed; parts->in fails if it is invalid
 * @thing: a struct abi_record, abi_alias ... Its source, and the layout of a record, are not written or read
 * @place: the place of its declaration; ignored for things without a source
 */
void thing_parts(struct parts *parts, size_t kind, void *thing, struct place *place);
/* thing_put - write a const thing: pass a copy to thing_parts(), which also sets the parts that it writes. */
void thing_put(struct parts *parts, size_t kind, const void *thing, struct place place);

#endif
