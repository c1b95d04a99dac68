/*
 * store/internal.h - declarations that the files of this room share
 *
 *   store.c             requests become versions and commits, and the first store that has a document gives
 * it archive_store.c     the archive as a store tree_store.c        the driver's tree as a store: which
 * versions are extracted, and by which worker bounded.c           workers: processes with bounds on memory
 * and time cache.c             documents that were extracted before, as files archive_read.c      an archive
 * in memory, checked, and the things of one target in it archive_document.c  the documents of some versions
 * out of these things archive_collect.c   the things of many documents, each once archive_write.c     an
 * archive out of these things
 */
#ifndef STORE_INTERNAL_H
#define STORE_INTERNAL_H

#include "store/archive.h"
#include "store/cache.h"
#include "store/store.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <xxhash.h>

#define HASH_FUNCTION(key, length, hash) ((hash) = (unsigned int)XXH3_64bits((key), (length)))
#include <uthash.h>

/* --- stores --------------------------------------------------------------------- */

/* store_say - a sentence for the user; printf-like. */
void store_say(const struct store_options *options, enum store_remark kind, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * The ordered list of stores that documents come from. Every store has the same three functions, so their
 * order alone decides which one answers:
 *
 *   find       from a version's name to its commit: the first store that knows
 *              the name; a store may say that no later one is to be asked
 *   versions   all versions: of the first store that names any
 *   documents  each store in turn gives what it has of what is still wanted;
 *              stores before it, which did not have a document, are offered it
 */

/* The meaning of a version's name. */
struct found_version {
	const char *name;   /* as the user should see it: a tag, a branch, or the first digits of a commit */
	const char *commit; /* 40 hex digits */
};

/* A document that is wanted, as it is passed from store to store. */
struct wanted {
	struct store_request *request;
	struct found_version version;
	const char *directory;  /* the tree is this directory, and version.commit ""; NULL: it is the
				   repository's */
	bool done;              /* the request's abi or rc is set */
	bool has_key;           /* @key is that of the tree */
	bool looked_for_key;
	bool key_decides;       /* the document depends on nothing but @key */
	struct cache_key key;
};

struct store_ops {
	/*
	 * @version: NULL is the newest. @out is in @arena. ERR_NOT_FOUND if the store has no such version.
	 * NULL: the store names no versions.
	 */
	int (*find)(struct found_version *out, void *self, const char *version, struct arena *arena,
		    struct err *err);
	/*
	 * May a later store be searched for a version that find() did not know? @by_user: the user named
	 * it, and not a table. NULL: yes.
	 */
	bool (*leaves_open)(void *self, const char *version, bool by_user);
	/* ERR_NOT_FOUND if the store has no versions. NULL with find. */
	int (*versions)(struct source_graph *out, void *self, struct arena *arena, struct err *err);
	/*
	 * The entries of @wanted, none of which is done, that the store completes become done. @arena: for
	 * the documents.
	 */
	int (*documents)(void *self, struct wanted *const *wanted, size_t count, struct arena *arena,
			 struct err *err);
	/* A later store had the document that this one did not have. NULL: it does not matter. */
	void (*offer)(void *self, const struct wanted *wanted);
};

struct store {
	const struct store_ops *ops;
	void *self;
	bool is_silent; /* has documents, but is not searched for names */
};

enum { LIST_MAX = 3 };

struct list {
	struct store stores[LIST_MAX];
	size_t count;
};

/* list_add - after all others. */
void list_add(struct list *list, const struct store_ops *ops, void *self, bool is_silent);

/*
 * list_find - the version of that name; if the user gave it (@by_user), else the only one that begins with it
 *
 * Return: 0; ERR_NOT_FOUND, in the words of the last store that was asked, or with all versions that begin
 * with it; the error of a store.
 */
int list_find(struct found_version *out, const struct list *list, const char *version, bool by_user,
	      struct arena *arena, struct err *err);

/* list_versions - Return: 0; ERR_NOT_FOUND if no store names any; the error of a store. */
int list_versions(struct source_graph *out, const struct list *list, struct arena *arena, struct err *err);

/**
 * list_documents - every document of @wanted that a store has
 *
 * A version that could not be read has the reason in its request. Return: 0; the error of a store that
 * failed as a whole; ERR_NOT_FOUND if nothing has one of them.
 */
int list_documents(const struct list *list, struct wanted *wanted, size_t count, struct arena *arena,
		   struct err *err);

/* --- archive_store.c ------------------------------------------------------------ */

struct archive_store {
	const struct store_options *options;
	struct arena *arena;           /* of the archive */
	bool looked;
	const struct archive *archive; /* once looked: the one that fits; NULL if there is none */
	size_t target;                 /* index of options->target in it */
};

extern const struct store_ops archive_store_ops;

/* archive_store_look - find the archive, once. Return: 0; the fault of one that the user named. */
int archive_store_look(struct archive_store *self, struct err *err);

/*
 * archive_store_around - the index of all of its versions; also the document of @wanted, if no store has
 * given it yet and the archive has it. Return: as archive_indexed().
 */
int archive_store_around(struct abi_index *index, struct archive_store *self, struct wanted *wanted,
			 struct arena *arena, struct err *err);

/* --- tree_store.c --------------------------------------------------------------- */

struct tree_store {
	const struct store_options *options;
	const char *cache_dir;  /* where clones go; "" if there is nowhere */
	const char *repo;       /* path or URL; NULL if there is none */
	const char *shown;      /* the same for messages; set with source */
	const char *salt;       /* of cache keys; NULL until it is needed */
	struct arena *arena;
	struct source *source;  /* NULL until it is needed */
	bool lacks_wanted;      /* it was not opened, because it does not have the requested version */
};

extern const struct store_ops tree_store_ops;

/* tree_store_key - sets the key of @wanted, if its tree has one. */
void tree_store_key(struct tree_store *self, struct wanted *wanted);

/* tree_store_tags - of the repository, without fetching; in @arena. */
int tree_store_tags(const char *const **names, size_t *count, struct tree_store *self, struct arena *arena,
		    struct err *err);

void tree_store_release(struct tree_store *self);

/*
 * The requests of one extraction to its tree, and whether another tree gives the same answers.
 *
 * A profile names directories, and a document depends on few of the files in them: in a kernel's
 * include/uapi, the header of one driver and its includes. An extraction sees of a version only the
 * answers of the tree, so a tree with the same answers has the same document.
 *
 * 1. dependencies_tree() wraps a tree and records each request (the files that a pattern matches, a file,
 *    the target of a path) with its answer: for a file its object id.
 * 2. dependencies_hold() asks another tree the same. The first different answer ends that, and is compared
 *    first from then on: an answer that changed once changes again.
 */

struct dependency;

struct dependencies {
	struct dependency *items;
	size_t count, capacity;
	bool is_unknown; /* the tree has no object ids, or an answer was an error: they never hold */
	struct arena arena;
};

/*
 * dependencies_tree - @inner, with the requests to it recorded in @dependencies; both must outlive it. Freed
 * with tree_free(), which leaves @inner.
 */
struct tree *dependencies_tree(struct dependencies *dependencies, struct tree *inner);

/*
 * dependencies_hold - would an extraction of @tree, with the same profile and target, get the same answers?
 */
bool dependencies_hold(struct dependencies *dependencies, struct tree *tree);

void dependencies_release(struct dependencies *dependencies);

/* --- bounded.c ------------------------------------------------------------------ */

struct bounded_ops {
	/* In a worker: do job @index, append its result to @out. Return: 0 or an ERR_*, with @err. */
	int (*work)(void *data, size_t index, struct strbuf *out, struct err *err);
	/*
	 * In this process, in whatever order jobs end: @bytes are the result, @err the sentence if @rc is not
	 * 0.
	 */
	void (*done)(void *data, size_t index, int rc, const struct strbuf *bytes, const struct err *err);
	/* The name of job @index, "590.48.01", for the error about a worker that died. */
	const char *(*name)(void *data, size_t index);
	void *data;
	/* Up to a NULL: the files, and the directories below which files are, that a worker may open. NULL:
	 * any. */
	const char *const *readable;
};

/**
 * bounded_run - do @count jobs in @jobs processes at a time
 *
 * DRVABI_PARSE_MB and DRVABI_PARSE_SECONDS set the bounds of one worker on
 * memory (default 2048, at least 64) and of one job on processor time (default 60; twenty
 * times as much may pass). Has to be called while this process has one thread.
 * Return: 0, however the jobs ended; ERR_USAGE for a bound that is not a number; ERR_IO if no process could
 * be made.
 */
int bounded_run(const struct bounded_ops *ops, size_t count, unsigned jobs, struct err *err);

/* --- cache.c -------------------------------------------------------------------- */

struct cache_store {
	const struct store_options *options;
	struct tree_store *trees; /* knows the keys */
	const char *dir;          /* "" if there is nowhere */
	bool warned;              /* that it cannot be written */
};

extern const struct store_ops cache_store_ops;

/*
 * wanted_same_key - do both trees have the same key? Then one document is both of theirs, if the key decides
 * it.
 */
bool wanted_same_key(const struct wanted *a, const struct wanted *b);

/* wanted_share - give @wanted the document of @owner, whose key it has, under its own name. */
void wanted_share(struct wanted *wanted, const struct wanted *owner);

/**
 * trim_directory - removes the least recently used documents, and files of killed writers
 * @limit_bytes: if there is more, entries go until three quarters of it are left
 *
 * Never fails: files that cannot be removed, or that other processes remove meanwhile, do not matter, since
 * the next trim sees them again.
 */
void trim_directory(const char *dir, uint64_t limit_bytes);

/* --- archive_read.c, archive_write.c -------------------------------------------- */

/*
 * The form of an archive, which archive_write.c writes and archive_read.c reads:
 *
 *   header   8 bytes of magic, the last of which is the version of this form;
 *            8 bytes: the size of the file; 16 bytes: the hash of the block
 *            table
 *   table    for each block 8 bytes: its size in the file, 8 bytes: its size
 *            unpacked, 16 bytes: the hash of its bytes in the file
 *   blocks   one after the other, each a frame of zstd
 *
 * Numbers of the header and the table are little endian, hashes are XXH3 (128 bits, canonical order). So each
 * byte of a file is either a hash, or covered by one, or compared with the only value that it may have.
 *
 * Within blocks all numbers are varints, a text has its NUL. A string is 0 for the next one of the block of
 * strings that has not been used yet, 1 for NULL, or its number plus 2.
 *
 *   ARCHIVE_VERSIONS      driver, hash of the profile, generation; how many
 *                         targets, then each; main branch ("" for none),
 *                         shallow; how many versions, and for each: name,
 *                         commit, time (folded), parent plus 1, on_main. All
 *                         texts are written out here
 *   ARCHIVE_STRINGS       how many, then each, once
 *   ARCHIVE_THINGS        how many paths, then each; how many layouts follow;
 *                         then counts and elements of records, aliases,
 *                         enums, constants, ioctls, lists of warnings; each
 *                         group in the order of documents
 *   ARCHIVE_VERSION_SETS  the version set of each element of ARCHIVE_THINGS
 *                         and of each of ARCHIVE_LINES, in that order
 *   ARCHIVE_LINES         how many lists of lines, and for each: its path's
 *                         number, its size in bytes, and the lines
 *
 * A thing says which versions have it; a version does not list its things. A version set in one target is a
 * count of spans, and for each span the number of versions since the end of the one before, and its length
 * less 1. The first target has that; every other one has 0 if it is as in the target before, else that with
 * 1 added to the count. A record that was added at 535.43.02, was never changed again and is the same for
 * all targets is four bytes, however many versions there are. To read a version is to walk over all things
 * and to select those that have it; no version needs another one.
 *
 * The line in which a thing is declared changes in most versions. So a thing has a path and a column only,
 * and its line is in a list: all lines of the things that one version has in one file, those of records
 * first, then of enums, then of ioctls, in the order of documents, each as the (folded) difference to the
 * one before. Versions with equal files share lists.
 *
 * A record's layout (size, align, union or struct, fields) is written out
 * where it is first used, and numbered; other records, a typedef of it or
 * the same under another name, are ARCHIVE_LAYOUT_KNOWN plus its number.
 */

#define ARCHIVE_MAGIC "drvarch\x02"

/* A version set in a target that is not the first. */
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

/* One number per field: the role and whether it is a bit-field. */
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

enum {
	ARCHIVE_BLOCK_COUNT = ARCHIVE_LINES + 1,
	ARCHIVE_MAGIC_BYTES = 8,
	ARCHIVE_SIZE_AT = 8,
	ARCHIVE_HASH_AT = 16,
	ARCHIVE_TABLE_AT = 32,
	ARCHIVE_ROW_BYTES = 32,     /* of the block table */
	ARCHIVE_ROW_UNPACKED_AT = 8,
	ARCHIVE_ROW_HASH_AT = 16,
	ARCHIVE_BLOCKS_AT = ARCHIVE_TABLE_AT + ARCHIVE_BLOCK_COUNT * ARCHIVE_ROW_BYTES,
	ARCHIVE_UNPACKED_LIMIT_BYTES = 64 * 1024 * 1024,
	ARCHIVE_TARGETS_MAX = 16,
};

_Static_assert(sizeof(ARCHIVE_MAGIC) - 1 == ARCHIVE_MAGIC_BYTES, "the magic fills its bytes");

struct block {
	const unsigned char *data;
	size_t size;
};

/* A block as it is in the file; its hash was found right. */
struct packed_block {
	struct block packed;
	size_t unpacked_bytes;
};

struct archive {
	const char *name; /* the file's, for messages */
	struct archive_head head;
	struct packed_block blocks[ARCHIVE_BLOCK_COUNT];
};

/*
 * blocks_write - append the whole file. Return: 0; ERR_LIMIT if a block is too large to be read again, or
 * zstd cannot.
 */
int blocks_write(struct strbuf *out, const struct strbuf blocks[ARCHIVE_BLOCK_COUNT], int level,
		 struct err *err);

/**
 * blocks_find - check a whole file
 * @blocks: point into @data
 *
 * Return: 0; ERR_FORMAT; ERR_NOT_FOUND for another form.
 */
int blocks_find(struct packed_block blocks[ARCHIVE_BLOCK_COUNT], const void *data, size_t size,
		struct err *err);

/* block_unpack - @out is in @arena. Return: false if it does not decompress to the expected bytes. */
bool block_unpack(struct block *out, const struct packed_block *block, struct arena *arena);

/*
 * "path:line:column", parsed. The same declaration has the same path and column in most versions, and another
 * line; so the line is stored apart.
 */
struct location {
	size_t path_length; /* of the source's beginning */
	uint32_t form;      /* ARCHIVE_LOCATION_* */
	uint32_t line;      /* unless form is ARCHIVE_LOCATION_WHOLE */
};

/*
 * location_split - the path, line and column in @source. Any text is a location: one without line is all
 * path.
 */
struct location location_split(const char *source);

/* location_join - the text that location_split() was given, in @arena or @path itself. */
const char *location_join(const char *path, size_t path_length, uint32_t form, uint32_t line,
			  struct arena *arena);

/*
 * The versions that have a thing, in order, with at least one version between two spans. The spans are
 * borrowed.
 */
struct version_set {
	const struct abi_span *spans;
	size_t count;
};

static inline bool version_set_has(const struct version_set *set, uint32_t version)
{
	for (size_t i = 0; i < set->count && set->spans[i].from <= version; i++)
		if (version < set->spans[i].until)
			return true;
	return false;
}

/* --- archive_read.c ------------------------------------------------------------- */

/* The place where a thing is declared, without its line. */
struct unpacked_location {
	uint32_t path; /* number */
	uint32_t form;
};

/* The things of one kind, in the order of documents. */
struct unpacked_things {
	void *items;                         /* struct abi_record, abi_alias and so on, without their sources
						*/
	size_t count, size_bytes;            /* of one item */
	struct version_set *versions;        /* by item */
	struct unpacked_location *locations; /* by item; NULL: things of this kind have no source */
};

struct unpacked_warnings {
	const struct abi_warning *warnings;
	size_t count;
	struct version_set versions;
};

/* The lines of one file, as they are in the block. */
struct unpacked_lines {
	const unsigned char *at, *end;
	uint32_t path;
	struct version_set versions;
};

struct unpacked_path {
	const char *text;
	size_t length;
};

/* All that an archive has of one target. */
struct unpacked {
	const struct archive *archive;
	const char *target;
	const struct unpacked_path *paths;
	size_t path_count;
	struct unpacked_things things[ABI_KIND_COUNT];
	const struct unpacked_warnings *warnings;
	size_t warning_count;
	const struct unpacked_lines *lines;
	size_t line_count;
	const bool *differs; /* by version: is anything else than in the version before? */
};

/*
 * unpacked_read - all of one target. @out points into @arena and @archive. Return: 0; ERR_FORMAT if the
 * archive contradicts itself.
 */
int unpacked_read(struct unpacked *out, const struct archive *archive, size_t target, struct arena *arena,
		  struct err *err);

/*
 * unpacked_index - the versions of each item; points into @arena and into the memory that @unpacked points
 * into.
 */
void unpacked_index(struct abi_index *out, const struct unpacked *unpacked, struct arena *arena);

/* --- archive_document.c --------------------------------------------------------- */

/*
 * Which things of an archive each version has. Versions are requested in ascending order: a span that ended
 * before one of them is not examined again.
 */

/* The things of one kind. */
struct present_kind {
	struct version_set *left; /* by thing: the spans that have not ended; malloc'd */
	uint32_t *rank;           /* by thing: that of its name among all names; malloc'd */
	size_t count;
	size_t size_bytes;        /* of one in a document */
};

struct present {
	struct present_kind kinds[ABI_KIND_COUNT];
	size_t *things; /* what present_list() found; malloc'd */
};

/**
 * present_init - before the first version
 * @out: freed with present_release(), also after a failure
 *
 * Return: false if the things are not in the order of documents.
 */
bool present_init(struct present *out, const struct unpacked *unpacked);
void present_release(struct present *present);

/**
 * present_list - the things of one kind that @version has
 * @out:     set to their numbers, ascending; they last until the next call
 * @version: not less than that of the call before
 * @failed:  set if two of them have one name
 *
 * Return: how many.
 */
size_t present_list(const size_t **out, struct present *present, enum abi_kind kind, uint32_t version,
		    bool *failed);

/**
 * present_bytes - the memory of the elements of the documents
 * @wanted: by version, @count of them
 *
 * To be called before the first present_list().
 */
size_t present_bytes(const struct present *present, const bool *wanted, size_t count);

/* --- archive_collect.c ---------------------------------------------------------- */

/*
 * Things that many versions have, each once. Two things are one if the bytes of their keys are equal. The
 * pool owns things and keys.
 */
struct thing {
	const void *of;     /* its value: an element of the first document that has it */
	size_t number;      /* in the order in which things were added */
	size_t path;        /* number of its path; of records, enums, ioctls and lists of lines */
	size_t layout;      /* number of its layout; of records */
	const char *key;    /* key_size bytes */
	size_t key_size;
	struct abi_span *spans; /* the versions that have it, in order */
	size_t span_count, span_capacity;
	UT_hash_handle hh;
};

struct pool {
	struct thing **things; /* in the order in which they were added, until pool_sort() */
	size_t count, capacity;
	struct thing *by_key;
	struct arena arena;    /* the things */
};

/*
 * The things of the document before, in its order. Consecutive documents of one run share most of their
 * elements: an element at the same address is the same thing.
 */
struct collect_before {
	const char *elements;  /* of that document; NULL at first */
	size_t count;
	size_t at;             /* those before this one come before all that is still to be added */
	struct thing **things; /* malloc'd, by element */
	struct thing **now;    /* the same of the document that is being added */
};

/* The elements of all documents, each once. The collection borrows the documents and owns everything else. */
struct collection {
	struct pool paths;     /* known by their text: key, without NUL */
	struct pool layouts;   /* of: struct abi_record; its name and source do not count */
	struct pool things[ABI_KIND_COUNT]; /* of: struct abi_record and so on */
	struct pool warnings;  /* lists; of: the struct abi that has it */
	struct pool lines;     /* lists; known by their path's number, and the bytes that are written */
	struct strbuf key;     /* of the document that is being added */
	struct strbuf *file_lines; /* by path: the lines of the document that is being added */
	uint32_t *last_line;       /* by path */
	size_t file_capacity;
	struct collect_before before[ABI_KIND_COUNT];
};

/**
 * collection_add - @version has all that is in @abi
 * @version: more than that of the call before
 *
 * @abi must outlive @all. Return: 0; ERR_FORMAT if it has a thing twice; then @all is only good for
 * collection_release().
 */
int collection_add(struct collection *all, const struct abi *abi, uint32_t version, struct err *err);

/* collection_sort - every pool in the order of documents, layouts and paths in that of their first use. */
void collection_sort(struct collection *all);

void collection_release(struct collection *all);

#endif
