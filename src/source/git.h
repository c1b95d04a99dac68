/*
 * source/git.h - what the files of source/ that call libgit2 share
 *
 * Layer L2, internal to source/.
 *
 *   source.c        a repository, and the trees of its versions
 *   git.c           starting libgit2, opening a repository
 *   blobs.c         texts that several versions have
 *   object.c        reading an object, after a look at its size
 *   loose.c         whether a loose object is whole
 *   allocation.c    what libgit2 may allocate
 *   commit_files.c  a commit's files as a struct tree
 *   directory_check.c  whether a directory is one that git writes
 *   version.c       from a version's name to a commit
 *   nearest.c       names that exist, for one that does not
 *   graph.c         tags along the commit graph
 *   repository_check.c  whether a FIFO or a device is among its files
 *   packed_refs.c   whether the file of references is all there
 *   url.c           URLs, and the secrets in them
 *   clone.c         repositories of URLs, cloned below the cache directory
 *   clone_dir.c     that directory: locks, temporary names, what killed processes left
 *   download.c      everything a URL has, over the wire
 */
#ifndef SOURCE_GIT_H
#define SOURCE_GIT_H

#include "source/source.h"

#include "source/blobs.h"

#include <git2.h>
#include <pthread.h>
#include <stdbool.h>

struct source {
	char *shown; /* the repository as the user gave it, without secrets: for messages */
	char *url;   /* NULL for a repository of the user's own, which is never written to */
	char *path;  /* of the clone of @url, else NULL */
	git_repository *repo;
	pthread_mutex_t lock;  /* held by source_tree() and source_versions() */
	struct source_options options; /* cache_dir is NULL: used only while opening */
	bool fetched; /* in this run */
	int use_fd; /* locks a clone against being removed; -1: none */
	struct blobs *blobs; /* texts that its trees share */
};

/*
 * git_setup - start libgit2; the first call of any function here
 *
 * The library stays up until the program ends: starting it costs 4 ms, most
 * of it for reading the machine's certificates.
 */
int git_setup(struct err *err);

/* git_why - libgit2's words for what just failed on this thread */
const char *git_why(void);

/* git_shown - what the user gave, for messages, which may end up in a log. A path that is there has no secret. To be freed. */
char *git_shown(const char *repo);

/* repository_check - refuse the repository at @path if libgit2 would wait for one of its files. Return: 0, also if there is none; ERR_GIT; ERR_LIMIT. */
int repository_check(const char *path, struct err *err);

/* git_open - @out is freed with git_repository_free(). Return: 0; ERR_NOT_FOUND; ERR_GIT. */
int git_open(git_repository **out, const char *path, unsigned flags, const char *shown, struct err *err);

/**
 * commit_files_open - the files of @commit
 * @version: copied
 *
 * The tree opens the repository once more for itself, so that it may be used
 * by another thread than @source.
 */
int commit_files_open(struct tree **out, const struct source *source, const git_oid *commit, const char *version, struct err *err);

/* What a version's name turned out to be. { 0 } before; the owner releases name. */
struct version {
	bool found;
	git_oid commit;
	struct strbuf name; /* for the user: a tag or branch as given; for a commit id its tag, or its first 12 digits */
};

/**
 * version_find - the commit that a tag, a branch or a commit id names
 * @out: found is false if there is nothing of that name
 *
 * Return: 0; ERR_NOT_FOUND if it is there, but ambiguous or no commit; ERR_GIT.
 */
int version_find(struct version *out, git_repository *repo, const char *version, const char *shown, struct err *err);

/* version_order - for qsort(3) over const char *: abi_version_compare(), equal ones by their bytes */
int version_order(const void *a, const void *b);

/* version_tag_is_damaged - is the tag's file empty, unreadable, or something else than a reference? */
bool version_tag_is_damaged(git_repository *repo, const char *name);

/* version_tags - all tags, in version_order(), those that are damaged too; in @arena. Return: 0; ERR_GIT; ERR_IO. */
int version_tags(const char *const **names, size_t *count, git_repository *repo, struct arena *arena, struct err *err);

/* nearest_err - say that @version is not in @shown, and what is. Return: ERR_NOT_FOUND; ERR_GIT if it is a tag that is damaged. */
int nearest_err(git_repository *repo, const char *version, const char *shown, struct err *err);

/* clone_open - fills path, url and repo of @source, which has its shown and options. */
int clone_open(struct source *source, const char *url, struct err *err);

/* clone_fetch - bring tags and branches up to date. Return: 0; ERR_GIT; ERR_IO. */
int clone_fetch(struct source *source, struct err *err);

#endif
