/*
 * source/source.h - driver trees, from git repositories and from directories
 *
 * The only room that sees libgit2. Nothing is ever checked out: files are read from the object store into
 * memory.
 */
#ifndef SOURCE_SOURCE_H
#define SOURCE_SOURCE_H

#include "abi/abi.h"

struct source;

/* Called while a clone or a fetch runs; @total is 0 while it is not known. */
typedef void (*source_progress)(void *data, const char *what, size_t done, size_t total);

struct source_options {
	const char *cache_dir;     /* where clones of URLs are: "$XDG_CACHE_HOME/drvabi" */
	const char *wanted; /* a URL that has no such tag, branch or commit is not cloned; NULL: any is */
	source_progress progress;  /* NULL: none */
	void *progress_data;
	void (*warn)(void *data,
		     const char *sentence); /* a problem that is not an error; NULL: they are not reported */
	void *warn_data;
};

/**
 * source_open - a git repository, by path or URL
 * @out: to be freed with source_free()
 * @repo: a path (bare or with a work tree, or inside one), or a URL, which is
 *        cloned bare below cache_dir on first use
 *
 * A clone appears under its final name only when it is complete, so one that
 * was killed is started again, and two at the same time do not meet.
 * Return: 0; ERR_NOT_FOUND if @repo is not a repository, or does not have the wanted version; ERR_USAGE if
 * it is a URL that would send a password in the clear; ERR_IO; ERR_GIT; ERR_LIMIT.
 */
int source_open(struct source **out, const char *repo, const struct source_options *options, struct err *err);
void source_free(struct source *source); /* NULL is fine */

/*
 * source_shown - the repository as the user gave it, without passwords and tokens: for messages; belongs to
 * @source
 */
const char *source_shown(const struct source *source);

/*
 * source_prune - remove what killed runs left of clones below @cache_dir, which need not exist. Return: 0;
 * ERR_IO.
 */
int source_prune(const char *cache_dir, bool clones_too,
		 struct err *err); /* @clones_too: those that no process reads */

/*
 * source_ignore_user_config - from now on, repositories are opened without ~/.gitconfig and what else git
 * reads of the user and the system. For a process that only reads objects: fetching needs these files.
 */
void source_ignore_user_config(void);

/*
 * source_readable - the directories and files in which libgit2 finds whatever it reads of the repository
 * later: its own, those of its objects, and those that objects/info/alternates names. Some may not exist.
 * Return: paths up to a NULL; they belong to @arena.
 */
const char *const *source_readable(const struct source *source, struct arena *arena);

/**
 * source_tree - the tree of one version
 * @version: a tag, a branch, or a full or abbreviated commit id
 *
 * A version that a cloned URL does not have is fetched once. A branch of a cloned URL is where it was when
 * that was last fetched. May be called by several threads. The tree is independent of @source, which may be
 * freed before it.
 * Return: 0; ERR_NOT_FOUND, with the nearest versions that exist in @err;
 * ERR_GIT.
 */
int source_tree(struct tree **out, struct source *source, const char *version, struct err *err);

/**
 * source_versions - every tag of the repository
 * @names: sorted by abi_version_compare(); in @arena
 */
int source_versions(const char *const **names, size_t *count, struct source *source, struct arena *arena,
		    struct err *err);

enum { SOURCE_NO_PARENT = -1 };

/* A tag, and its node in the commit graph. */
struct source_version {
	const char *name;
	const char *commit; /* 40 hex digits */
	int64_t time;       /* when that was committed: seconds since 1970, UTC */
	long parent;        /* its nearest tagged ancestor, by index; SOURCE_NO_PARENT if no ancestor has a
			       tag */
	bool on_main;       /* on the main branch itself, not only merged into it */
};

struct source_graph {
	const struct source_version *versions; /* sorted by abi_version_compare() */
	size_t count;
	const char *const *no_commits; /* tags of another kind, which are not versions */
	size_t no_commit_count;
	const char *const *damaged;    /* tags whose files cannot be read: which versions they are is not
					  known */
	size_t damaged_count;
	const char *main; /* the main branch, "main"; NULL if the repository has none: then no version is on
			     it */
	bool shallow;     /* old commits are missing, so a version without parent may have one */
};

/**
 * source_graph - every tag of the repository, and its nearest tagged ancestor
 * @out: in @arena
 *
 * Among the tagged ancestors on both sides of a merge, one that descends from the other is nearer; else the
 * one with fewer commits in between; else the one on the side that was merged into. Among the tags of one
 * commit, each is the parent of the next higher version. The main branch is the remote's HEAD, else the
 * repository's, else the one called main or master.
 */
int source_graph(struct source_graph *out, struct source *source, struct arena *arena, struct err *err);

/* source_is_cloned - is there a clone of @url below @cache_dir, so that source_open() needs no network? */
bool source_is_cloned(const char *url, const char *cache_dir);

/*
 * source_fetch - bring the clone of a URL up to date, once in a run; any other repository is as it is.
 * Return: 0; ERR_GIT; ERR_IO.
 */
int source_fetch(struct source *source, struct err *err);

/*
 * source_directory - an unpacked tree. @top: the directory of the tree that @path is; NULL: @path is the
 * whole tree. Return: 0; ERR_NOT_FOUND if @path is not a directory.
 */
int source_directory(struct tree **out, const char *path, const char *top, struct err *err);

/* What the script of a .run file says, and the checksum of the file. */
struct package_head {
	const char *sha256;  /* 64 hexadecimal digits */
	const char *version; /* "595.45.04"; "" if it does not say */
	const char *machine; /* "x86_64", "aarch64"; "" if it does not say */
	uint64_t payload_at; /* where the archive begins */
};

/*
 * package_head, source_package - a .run file of NVIDIA: what it is, and its kernel-open as a tree. The file
 * is not trusted, and never run: for a process with bounds (store/bounded.c). Return: 0; ERR_NOT_FOUND if
 * there is no such file or it has no kernel-open; ERR_FORMAT; ERR_LIMIT; ERR_IO.
 */
int package_head(struct package_head *out, const char *path, struct arena *arena, struct err *err);
int source_package(struct tree **out, const char *path, struct err *err);

/* source_libraries - "libgit2 1.5.1, zlib 1.2.13": what is loaded at run time. In @arena. */
const char *source_libraries(struct arena *arena);

#endif
