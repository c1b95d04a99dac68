/*
 * store/store.h - find documents: in an archive, in the cache, or by extraction
 *
 * Documents come from three stores, which are searched in the order of a list (internal.h):
 *
 *   archive  the file that the user named, or the archive that is included in drvabi
 *   cache    documents that were extracted on this machine before
 *   tree     the driver's sources: a repository, or a directory
 *
 * The store that defines the versions depends on what the user named:
 *
 *   an archive    The archive defines the versions, and has all of their documents.
 *   a repository  The repository defines the versions. If an archive has a commit, the
 *                 document is read from it; otherwise the document is extracted.
 *   neither       The included archive defines the versions. The public repository is
 *                 cloned and read only for a branch, a commit, or a version newer than
 *                 the archive's newest. If no included archive can be used, the public
 *                 repository defines the versions.
 *
 * The user can also name a directory ("./x") or the file of a document, which have no version.
 */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include "source/source.h"

/* --- documents ------------------------------------------------------------------ */

enum store_remark {
	STORE_NOTICE,  /* always printed, because an item is missing from the output */
	STORE_WARNING,
	STORE_DETAIL,  /* printed only if the user requests details */
};

struct store_options {
	const struct profile *profile; /* the result of json_read_profile() */
	const char *target;
	const char *archive;    /* an archive file that the user named; NULL: none */
	const char *repo;       /* the path or URL of a repository that the user named; NULL: none */
	const char *package;    /* a .run file, used instead of @dir; NULL: none */
	const char *dir;        /* a directory to read in place of versions of a repository; NULL: none */
	const char *first_archive; /* with @repo: an archive to search for documents before the included one;
				      NULL: none */
	bool of_repository;     /* the current repository defines the versions, even if the user named no
				   repository */
	bool no_archive;        /* use no archive except @archive */
	bool no_cache;
	bool accepts_partial;   /* accept directories and documents that have only a part of a tree */
	unsigned jobs;          /* number of parallel extractions; 0: one for each processor */
	void (*remark)(void *data, enum store_remark kind, const char *sentence);
	source_progress progress; /* NULL: progress is not reported */
	void *data;             /* argument of both functions */
};

struct archive;
struct stores;

/**
 * stores_open - choose the stores and their order, and which of them say which versions exist; files are
 * opened only when they are needed
 * @out:     freed with stores_free()
 * @options: copied; its target must outlive the store
 * @arena:   owns the documents, which outlive the store
 */
void stores_open(struct stores **out, const struct store_options *options, struct arena *arena);
void stores_free(struct stores *stores); /* NULL is fine */

/* One document that is wanted. */
struct store_request {
	const char *version; /* a version, or a directory ("./x", "/x"); NULL: options.dir, or, if there is
				none, the newest version */
	const char *json;    /* the file of a document, "-" for standard input; NULL: use @version */
	/*
	 * If the version does not exist, set @lacking in place of an error. Such a version is not searched in
	 * the public repository, because a proxy's table may name many of them.
	 */
	bool may_lack;
	bool skipped;        /* the request is ignored, and nothing is set */
	bool lacking;        /* set by stores_documents() if the version does not exist; abi is not set */
	const char *lacking_why;   /* set with @lacking: "not in the data (as of 2026-03-13)" */
	const char *lacking_to_do; /* set with @lacking: tells the user how to get the version */
	struct abi abi;      /* set by stores_documents() */
	int rc;
	struct err err;
};

/**
 * stores_documents - read all of @requests
 *
 * Return: 0, or the code of the first request that failed, whose message is in @err.
 */
int stores_documents(struct store_request *requests, size_t count, struct stores *stores, struct err *err);

/*
 * All versions, their commit graph and their documents. Versions with the same sources share a document.
 */
struct store_history {
	struct source_graph graph;
	size_t newest;                  /* the index of choice.shown, or of the last version */
	struct store_request *requests; /* indexed by version of the graph; rc is set if a version could not
					   be read */
};

/* Which versions of a history to read; { 0 }: all versions. */
struct store_choice {
	const char *shown;        /* the tag for history.newest; NULL or "": the newest tag */
	const char *const *names; /* only these @count tags are read; NULL: all tags */
	size_t count;
};

/**
 * stores_history - list all versions, and read the documents of the chosen versions
 * @out: in the store's arena; the requests of versions that were not chosen are skipped
 *
 * Tags that are not versions, and versions that cannot be read, are reported to the user.
 * Return: 0; ERR_NOT_FOUND if there are no versions, or a chosen version does not exist; ERR_USAGE with
 * options.dir; ERR_IO; ERR_GIT.
 */
int stores_history(struct store_history *out, struct stores *stores, const struct store_choice *choice,
		   struct err *err);

/* The other versions of a document's driver, from an archive. */
struct store_around {
	struct source_graph graph; /* has no versions if other versions are unknown */
	struct abi_index index;    /* the index of the graph's versions */
	size_t asked;              /* index of the requested version in the graph; graph.count if not there */
};

/**
 * stores_around - read one document, and the index of all other versions
 * @out: in the store's arena
 *
 * The other versions are those of the archive. They are unknown if @request is a file or a directory, or if
 * no archive can be used. They are also unknown if the user named a repository and the archive does not have
 * the requested commit, because this repository may have a different driver. If @request is skipped, only the
 * index is read.
 * Return: the result of stores_documents().
 */
int stores_around(struct store_around *out, struct store_request *request, struct stores *stores,
		  struct err *err);

/* What a worker does with a tree. */
struct tree_job {
	int (*in_worker)(void *data, struct tree *tree, struct strbuf *out, struct err *err);
	void *data;
};

/**
 * stores_run_job - call a function with the tree of a version or of the options' directory, in a worker
 * @out: reads the text that the function appends, which is in the store's arena
 * @version: NULL: the newest tag
 *
 * Return: 0; the error of the function, or of a tree that cannot be read.
 */
int stores_run_job(struct byte_reader *out, struct stores *stores, const char *version,
	       const struct tree_job *job, struct err *err);

/**
 * stores_tags - list the tags of the repository
 * @names: sorted by abi_version_compare(); in the store's arena. NULL if the user named no repository, and
 *         the public one was not cloned yet
 *
 * Holds the clone of a URL, so that no process removes it. Return: 0; an error of an unreadable repository.
 */
int stores_tags(const char *const **names, size_t *count, struct stores *stores, struct err *err);

/**
 * store_read_archive - read an archive, whose documents must have been made with @profile and ABI_GENERATION
 *
 * Return: 0; ERR_USAGE if profile or generation differ, and @err says what to do; ERR_NOT_FOUND if the file
 * does not exist, or has a different file format; ERR_FORMAT; ERR_IO.
 */
int store_read_archive(const struct archive **out, const char *path, const struct profile *profile,
		       struct arena *arena, struct err *err);

/* The inputs of an archive. */
struct store_packing {
	const struct profile *profile;
	const char *const *targets;
	size_t target_count;
	const struct store_history *loaded; /* indexed by target; all with the same versions */
	const struct archive *old; /* has the same targets; its other versions are kept; NULL: none */
};

/**
 * store_pack_archive - append to @out an archive of the versions that were read for every target
 * @added: the versions that are not in the old archive, or have a different commit there; without an old
 *         archive, all versions. NULL-terminated, in @arena
 *
 * Return: 0; ERR_NOT_FOUND if no version was read for every target; the errors of archive_documents() and
 * archive_write().
 */
int store_pack_archive(struct strbuf *out, const char *const **added, const struct store_packing *packing,
		       struct arena *arena, struct err *err);

struct extract_wanted;

/**
 * store_source_file - call extract_file() in a worker process
 *
 * No store is needed, because the document of the user's own file is not stored. @missing is set on success.
 * Return: the result of extract_file(); ERR_LIMIT if libclang crashed; ERR_IO.
 */
int store_source_file(struct abi *out, size_t *missing, const char *path, const char *const *clang_args,
		      size_t arg_count, const struct extract_wanted *wanted, struct arena *arena,
		      struct err *err);

/**
 * store_package_head - call package_head() in a worker process. @out: in @arena; payload_at is not set.
 * Return: the result of package_head(); ERR_LIMIT if the process crashed or reached a bound; ERR_USAGE if a
 * bound is invalid; ERR_IO.
 */
int store_package_head(struct package_head *out, const char *path, struct arena *arena, struct err *err);

/**
 * stores_archive - find the archive that the store would use
 * @out: in the store's arena; NULL if no archive can be used
 *
 * Return: 0; for the first call, the error of options->archive if it cannot be used. Any other archive that
 * cannot be used is reported as a note, and skipped.
 */
int stores_archive(const struct archive **out, struct stores *stores, struct err *err);

/* --- archives ------------------------------------------------------------------- */

/*
 * The documents of many versions, for several targets, in one compact file.
 *
 * Every distinct record, alias, enum, constant and ioctl is stored once, with the versions and targets that
 * have it. The format is described in internal.h. The file has only facts: names, types, offsets, numbers,
 * and the places where the driver declares them.
 *
 * A document is identified by the hash of the profile's text, the document generation, the target and the
 * commit, which determine the result of extraction. The version of clang is not needed, because all versions
 * give the same documents (`make check-archive`).
 */

/* The properties of an archive. */
struct archive_head {
	const char *driver;
	const char *profile;     /* profile_hash() of the profile with which the documents were extracted */
	uint64_t generation;     /* ABI_GENERATION of the program that extracted them */
	const char *const *targets; /* sorted by strcmp(), unique */
	size_t target_count;
	struct source_graph graph; /* a parent is the nearest ancestor in this file. All tags are versions */
};

/**
 * archive_write - append an archive to @out
 * @head:      all documents must have its driver
 * @documents: for each target, one sealed document for each version. Their versions and commits are replaced
 *             with those of @head
 *
 * With the same release of zstd, the same documents give the same bytes.
 * Return: 0; ERR_FORMAT if a document has a different driver or target, or is not sealed; ERR_LIMIT.
 */
int archive_write(struct strbuf *out, const struct archive_head *head, const struct abi *const *documents,
		  struct err *err);

/* An archive whose head was read. Its documents stay packed. */
struct archive {
	const char *name; /* the file's name, for messages */
	struct archive_head head;
	const struct packed_block *blocks; /* indexed by enum archive_block */
};

/**
 * archive_open - check a whole file, and read its head
 * @out:  in @arena
 * @data: not needed afterwards
 * @name: the file's name, for messages
 *
 * Return: 0; ERR_FORMAT, with @name in @err, if the bytes are not exactly the output of archive_write();
 * ERR_NOT_FOUND if the archive has the file format of an older or a newer drvabi.
 */
int archive_open(const struct archive **out, const void *data, size_t size, const char *name,
		 struct arena *arena, struct err *err);

/* archive_as_of - return the day of the newest commit, "2026-03-13"; "?" if the archive has no versions. */
const char *archive_as_of(const struct archive *archive, char buffer[32]);

/* archive_target - find the index of a target. Return: false if the archive does not have it. */
bool archive_target(size_t *index, const struct archive *archive, const char *target);

/**
 * archive_find - find a version by its name, or by at least 12 digits of its commit id
 *
 * Return: 0; ERR_NOT_FOUND, and @err has the most similar names.
 */
int archive_find(size_t *index, const struct archive *archive, const char *version, struct err *err);

/* archive_find_commit - find a version by its whole commit id. Return: false if there is none. */
bool archive_find_commit(size_t *index, const struct archive *archive, const char *commit);

/**
 * archive_documents - read the documents of versions for one target
 * @out:    indexed by version; NULL if a version is not wanted. The documents point into @arena and @archive,
 *          which must outlive them. Consecutive documents share equal elements
 * @index:  set to an index of all versions, including those that are not wanted; NULL: no index
 * @target: the target's index
 *
 * Each call unpacks the archive for this target, so one call should read all wanted documents.
 * Return: 0; ERR_FORMAT if the archive is inconsistent.
 */
int archive_documents(struct abi *const *out, struct abi_index *index, const struct archive *archive,
		      size_t target, struct arena *arena, struct err *err);

/**
 * archive_pack - append one document to @out, for an entry of the cache or for a pipe
 *
 * Writes the names of missing directories, and then an archive of one version with the fastest compression.
 * Return: 0; ERR_FORMAT if @abi is not sealed; ERR_LIMIT.
 */
int archive_pack(struct strbuf *out, const struct abi *abi, struct err *err);

/**
 * archive_unpack - read the output of archive_pack()
 * @abi: in @arena, untouched on failure; @data is not needed afterwards
 *
 * Return: 0; ERR_FORMAT or ERR_NOT_FOUND if the bytes are not exactly the output of archive_pack().
 */
int archive_unpack(struct abi *abi, const void *data, size_t size, struct arena *arena, struct err *err);

/* archive_libraries - return the loaded libraries and versions, "zstd 1.5.4, xxhash 0.8.1"; in @arena. */
const char *archive_libraries(struct arena *arena);

/* --- the cache ------------------------------------------------------------------ */

/*
 * Documents that were extracted before.
 *
 * Only this code uses the cache's directory. Each document is a file DIR/documents/KEY. The file begins with
 * the key. The document with its driver, version, commit and target follows. A file gets its name when it is
 * complete, so many processes can read and write the same entry. Each file is checked when it is read: a file
 * that is damaged or has a different key is ignored and replaced. DIR/documents must belong to the user, and
 * no other user may write to it. Otherwise, the cache is not used.
 */

/**
 * cache_default_dir - append "$XDG_CACHE_HOME/drvabi" or "$HOME/.cache/drvabi"
 *
 * Return: 0; ERR_NOT_FOUND if neither variable is set.
 */
int cache_default_dir(struct strbuf *out, struct err *err);

/* The contents of a cache directory. */
struct cache_contents {
	size_t documents;
	uint64_t document_bytes;
	size_t damaged;       /* number of documents that cannot be read */
	size_t leftovers;     /* number of files of killed writers */
	size_t clones;
	uint64_t clone_bytes; /* size of all clones of URLs */
	uint64_t limit_bytes; /* limit for the size of all documents */
};

/**
 * cache_look - read and check every entry
 *
 * If the directory does not exist, the cache is empty.
 * Return: 0; ERR_IO if the directory cannot be read.
 */
int cache_look(struct cache_contents *out, const char *dir, struct err *err);

/*
 * cache_prune - remove damaged documents and files of killed writers. If the documents are larger than the
 * limit, also remove the oldest ones.
 * Return: 0; ERR_IO.
 */
int cache_prune(const char *dir, struct err *err);

/* cache_clear - remove all documents. Return: 0; ERR_IO. */
int cache_clear(const char *dir, struct err *err);

#endif
