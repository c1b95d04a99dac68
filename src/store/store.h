/*
 * store/store.h - finds documents: in an archive, in the cache, or by extraction
 *
 * The only room that sees archive, cache, source and extract together. Documents come from three stores, in
 * one ordered list (internal.h):
 *
 *   archive  the file that the user named, or the archive that is included in drvabi
 *   cache    documents that were extracted on this machine before
 *   tree     the driver's sources: a repository, or a directory
 *
 * The user's choice decides which store defines the versions:
 *
 *   an archive    The archive defines the versions, and has all of their documents.
 *   a repository  The repository defines the versions. If an archive has a commit, the
 *                 document is read from it; otherwise the document is extracted.
 *   neither       The included archive defines the versions. The public repository is
 *                 cloned and read only for a branch, a commit, or a version newer than
 *                 the archive's newest. If no included archive can be used, the public
 *                 repository defines the versions.
 *
 * The file of a document and a directory ("./x") need no store.
 */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include "store/archive.h"
#include "source/source.h"
#include "store/cache.h"

enum store_remark {
	STORE_NOTICE,  /* is always printed: a requested item is missing */
	STORE_WARNING,
	STORE_DETAIL,  /* for users who want details */
};

struct store_options {
	const struct profile *profile; /* the result of json_read_profile() */
	const char *target;
	const char *archive;    /* an archive file that the user named; NULL: none */
	const char *repo;       /* the path or URL of a repository that the user named; NULL: none */
	const char *package;    /* a .run file, used instead of @dir; NULL: none */
	const char *dir;        /* the tree for every version that is not a directory itself; NULL: none */
	const char *first_archive; /* with @repo: an archive to search for documents before the included one;
				      NULL: none */
	bool of_repository;     /* the current repository defines the versions, even if the user named no
				   repository */
	bool no_archive;        /* use no archive except @archive */
	bool no_cache;
	bool takes_part;        /* accept directories and documents of a part of a tree */
	unsigned jobs;          /* number of parallel extractions; 0: one for each processor */
	void (*remark)(void *data, enum store_remark kind, const char *sentence);
	source_progress progress; /* NULL: progress is not reported */
	void *data;             /* argument of both functions */
};

struct stores;

/**
 * stores_open - prepare to read documents; files are opened only when they are needed
 * @options: copied; its target must outlive the store
 * @arena:   owns the documents, which outlive the store
 */
void stores_open(struct stores **out, const struct store_options *options, struct arena *arena);
void stores_free(struct stores *stores); /* NULL is fine */

/* One document that is wanted. */
struct store_request {
	const char *version; /* a version, or a directory ("./x", "/x"); NULL: options.dir, or without it the
				newest version */
	const char *json;    /* the file of a document, "-" for standard input; NULL: use @version */
	/*
	 * If the version does not exist, @lacking is set, and there is no error. The version is not searched
	 * in the public repository, because a proxy's table may name many such versions.
	 */
	bool may_lack;
	bool skipped;        /* the request is ignored, and nothing is set */
	bool lacking;        /* set by stores_documents() if there is no such version; abi is not set */
	const char *lacking_why;   /* set with @lacking: "not in the data (as of 2026-03-13)" */
	const char *lacking_to_do; /* set with @lacking: how to get the version, an imperative clause */
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
 * All versions, with the commit graph and their documents. Versions with the same sources share a document.
 */
struct store_history {
	struct source_graph graph;
	size_t newest;                  /* the index of choice.shown, or of the last version */
	struct store_request *requests; /* indexed like the graph's versions; rc is set if a version could not
					   be read */
};

/* Which versions of a history to read; { 0 }: all versions. */
struct store_choice {
	const char *shown;        /* the tag for history.newest; NULL or "": the newest tag */
	const char *const *names; /* @count tags, which alone are read; NULL: all tags */
	size_t count;
};

/**
 * stores_history - list all versions, and read the documents of the chosen versions
 * @out: in the store's arena; requests of other versions are skipped
 *
 * Tags that are not versions, and versions that cannot be read, are reported to the user.
 * Return: 0; ERR_NOT_FOUND if there are no versions, or a chosen version does not exist; ERR_USAGE with
 * options.dir; ERR_IO; ERR_GIT.
 */
int stores_history(struct store_history *out, struct stores *stores, const struct store_choice *choice,
		   struct err *err);

/* What an archive has about the other versions of a document. */
struct store_around {
	struct source_graph graph; /* has no versions if other versions are unknown */
	struct abi_index index;    /* the index of the graph's versions */
	size_t asked;              /* the requested version; the graph's count if it is not in the graph */
};

/**
 * stores_around - read one document, and the index of all other versions
 * @out: in the store's arena
 *
 * The other versions are those of the archive. They are unknown if @request is a file or a directory, if no
 * archive can be used, or if the user named a repository whose commit is not in the archive, because this
 * repository may be a different driver's. At most the document of @request is extracted; none if it is
 * skipped.
 * Return: what stores_documents() returns.
 */
int stores_around(struct store_around *out, struct store_request *request, struct stores *stores,
		  struct err *err);

/**
 * stores_tags - list the tags of the repository
 * @names: sorted by abi_version_compare(); in the store's arena. NULL if the user named no repository and the
 *         public one has no clone, which is not made here
 *
 * Return: 0; the error of a repository that exists.
 */
int stores_tags(const char *const **names, size_t *count, struct stores *stores, struct err *err);

/**
 * store_read_archive - read an archive, whose documents must be made with @profile and this generation
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
	const struct archive *old; /* of the same targets; versions that only @old has are kept; NULL: none */
};

/**
 * store_pack_archive - append to @out an archive of the versions that were read for every target
 * @added: names of versions that are not in @packing's old archive, or have a different commit there;
 *         NULL-terminated, in @arena. Without an old archive, all versions
 *
 * Return: 0; ERR_NOT_FOUND if there is no such version; the errors of archive_documents() and
 * archive_write().
 */
int store_pack_archive(struct strbuf *out, const char *const **added, const struct store_packing *packing,
		       struct arena *arena, struct err *err);

struct extract_wanted;

/**
 * store_source_file - call extract_file() in a worker process
 *
 * No store is needed: the file is the user's own, and its document is not stored. @missing is set on success.
 * Return: the result of extract_file(); ERR_LIMIT if libclang crashed; ERR_IO.
 */
int store_source_file(struct abi *out, size_t *missing, const char *path, const char *const *clang_args,
		      size_t arg_count, const struct extract_wanted *wanted, struct arena *arena,
		      struct err *err);

/**
 * store_package_head - call package_head() in a worker process. Return: its result; ERR_LIMIT if the process
 * crashed or reached a bound.
 */
int store_package_head(struct package_head *out, const char *path, struct arena *arena, struct err *err);

/**
 * stores_archive - find the archive that the store would use
 * @out: in the store's arena; NULL if no archive can be used
 *
 * Return: 0; the error of an archive that the user named, if it cannot be used.
 */
int stores_archive(const struct archive **out, struct stores *stores, struct err *err);

#endif
