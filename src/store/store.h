/*
 * store/store.h - where documents come from
 *
 * The only room that sees archive, cache, source and extract together. Documents come from three stores, in
 * one ordered list (internal.h):
 *
 *   archive  the file that the user named, or the one that comes with drvabi
 *   cache    documents that were extracted on this machine before
 *   tree     the driver's sources: a repository, or a directory
 *
 * The user's choice decides which of them name versions:
 *
 *   an archive    it alone names versions, and has all of their documents
 *   a repository  it names versions; a commit that an archive holds comes
 *                 out of that archive, every other one is extracted
 *   neither       the archive that comes with drvabi names versions. The public
 *                 repository is asked, and so cloned, only for a branch, a commit
 *                 or a version newer than the archive's newest. Without a
 *                 fitting archive, it is asked for everything
 *
 * A document's file and a directory ("./x") need none of these.
 */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include "store/archive.h"
#include "source/source.h"
#include "store/cache.h"

enum store_remark {
	STORE_NOTICE,  /* always printed: a requested item is missing */
	STORE_WARNING,
	STORE_DETAIL,  /* for users who ask for details */
};

struct store_options {
	const struct profile *profile; /* as json_read_profile() gave it */
	const char *target;
	const char *archive;    /* a file that the user named; NULL: none */
	const char *repo;       /* a repository that the user named, path or URL; NULL: none */
	const char *package;    /* a .run file, in place of @dir; NULL: none */
	const char *dir;        /* the tree of every version that is not a directory itself; NULL: none */
	const char *first_archive; /* with @repo: asked for documents before the one that comes with drvabi;
				      NULL: none */
	bool of_repository;     /* versions are those of the repository as it is now, even if the user named
				   none */
	bool no_archive;        /* except @archive */
	bool no_cache;
	bool takes_part;        /* a directory may be a part of a tree, and a document's file be of one */
	unsigned jobs;          /* extractions at the same time; 0: one a processor */
	void (*remark)(void *data, enum store_remark kind, const char *sentence);
	source_progress progress; /* NULL: none */
	void *data;             /* of both functions */
};

struct stores;

/**
 * stores_open - prepare to read; nothing is opened before it is needed
 * @options: copied; its target must outlive the store
 * @arena:   for documents, which outlive the store
 */
void stores_open(struct stores **out, const struct store_options *options, struct arena *arena);
void stores_free(struct stores *stores); /* NULL is fine */

/* One document that is wanted. */
struct store_request {
	const char *version; /* a version, or a directory ("./x", "/x"); NULL: options.dir, or else the newest
				version */
	const char *json;    /* a document's file, "-" for standard input; NULL: by @version */
	/*
	 * A version that does not exist is not an error: @lacking says so. It is not searched in the public
	 * repository in addition to the included archive: a proxy's table may name many such versions.
	 */
	bool may_lack;
	bool skipped;        /* not requested: nothing is set */
	bool lacking;        /* set by stores_documents(): no such version, @err says more; abi is unset */
	const char *lacking_why;   /* set with it: "not in the data (as of 2026-03-13)" */
	const char *lacking_to_do; /* and how to get it, as an imperative clause */
	struct abi abi;      /* set by stores_documents() */
	int rc;
	struct err err;
};

/**
 * stores_documents - read all of @requests
 *
 * Return: 0, or the first failing request's code, with its sentence in @err.
 */
int stores_documents(struct store_request *requests, size_t count, struct stores *stores, struct err *err);

/*
 * Every version there is, along the commit graph, with its document. Versions whose sources are equal share
 * one.
 */
struct store_history {
	struct source_graph graph;
	size_t newest;                  /* choice.shown, or the last version */
	struct store_request *requests; /* by the graph's index; rc is not 0 where a version could not be read
					   */
};

/* Which versions of a history are wanted; { 0 }: all. */
struct store_choice {
	const char *shown;        /* the tag of history.newest; NULL or "": the newest one */
	const char *const *names; /* only these tags, @count of them */
	size_t count;
};

/**
 * stores_history - all versions and the documents of those that are chosen
 * @out: in the store's arena; requests of other versions are skipped
 *
 * Tags that are not versions, and versions that cannot be read, are reported.
 * Return: 0; ERR_NOT_FOUND if there is no version at all, or not the requested one; ERR_USAGE with
 * options.dir; ERR_IO; ERR_GIT.
 */
int stores_history(struct store_history *out, struct stores *stores, const struct store_choice *choice,
		   struct err *err);

/* A version, and the versions that an archive has beside it. */
struct store_around {
	struct source_graph graph; /* without versions if nothing is known of others */
	struct abi_index index;    /* of the graph's versions */
	size_t asked;              /* the requested one; the graph's count if it is not in the graph */
};

/**
 * stores_around - one document, and what other versions have
 * @out: in the store's arena
 *
 * The others are those of the archive; there are none if @request is a file or a directory, if no archive
 * fits, or if the user named a repository whose commit the archive does not know: it may be of another
 * driver. No other document than @request's is extracted; none at all if it is skipped.
 * Return: what stores_documents() returns.
 */
int stores_around(struct store_around *out, struct store_request *request, struct stores *stores,
		  struct err *err);

/**
 * stores_tags - the tags of the repository
 * @names: by abi_version_compare(); in the store's arena. NULL if the user named no repository and the public
 *         one was not cloned before; then nothing is fetched
 *
 * Return: 0; the fault of a repository that exists.
 */
int stores_tags(const char *const **names, size_t *count, struct stores *stores, struct err *err);

/**
 * store_read_archive - an archive by its path, if @profile is what its documents were made with, and by this
 * generation
 *
 * Return: 0; ERR_USAGE if it does not fit, with what to do in @err; ERR_NOT_FOUND if it does not exist, or
 * has another form; ERR_FORMAT; ERR_IO.
 */
int store_read_archive(const struct archive **out, const char *path, const struct profile *profile,
		       struct arena *arena, struct err *err);

/* The inputs of an archive. */
struct store_packing {
	const struct profile *profile;
	const char *const *targets;
	size_t target_count;
	const struct store_history *loaded; /* by target; of the same versions */
	const struct archive *old; /* for these targets; versions that only it has stay; NULL: none */
};

/**
 * store_pack_archive - append the archive of the versions that were read for every target to @out
 * @added: names of versions that are not in @packing's old archive, or are there at another commit,
 * NULL-terminated, in
 *         @arena; all of them without an old archive
 *
 * Return: 0; ERR_NOT_FOUND if there is no such version; what archive_documents() and archive_write() return.
 */
int store_pack_archive(struct strbuf *out, const char *const **added, const struct store_packing *packing,
		       struct arena *arena, struct err *err);

struct extract_wanted;

/**
 * store_source_file - extract_file() in a worker process
 *
 * It needs no store: the file is the user's own, and nothing that is read of it is stored. @missing is set on
 * success.
 * Return: what extract_file() returned; ERR_LIMIT if libclang did not survive it; ERR_IO.
 */
int store_source_file(struct abi *out, size_t *missing, const char *path, const char *const *clang_args,
		      size_t arg_count, const struct extract_wanted *wanted, struct arena *arena,
		      struct err *err);

/**
 * store_package_head - package_head() in a worker process. Return: what that returned; ERR_LIMIT if the
 * process did not survive the file.
 */
int store_package_head(struct package_head *out, const char *path, struct arena *arena, struct err *err);

/**
 * stores_archive - the archive that the store would ask first
 * @out: in the store's arena; NULL if none fits
 *
 * Return: 0; for one that the user named, why it cannot be used.
 */
int stores_archive(const struct archive **out, struct stores *stores, struct err *err);

#endif
