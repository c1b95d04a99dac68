/*
 * source/source.h - driver trees, from git repositories and from directories
 *
 * Only this directory uses libgit2. Nothing is ever checked out: files are read from the object store into
 * memory.
 */
#ifndef SOURCE_SOURCE_H
#define SOURCE_SOURCE_H

#include "abi/abi.h"

struct source;

/* Reports the progress of a clone or a fetch. @total is 0 while it is unknown; @what is NULL at the end. */
typedef void (*source_progress)(void *data, const char *what, size_t done, size_t total);

struct source_options {
	const char *cache_dir;     /* the directory of clones of URLs: "$XDG_CACHE_HOME/drvabi" */
	const char *wanted; /* clone a URL only if it has this tag, branch or commit; NULL: always clone */
	source_progress progress;  /* may be NULL */
	void *progress_data;
	void (*warn)(void *data,
		     const char *sentence); /* reports a problem that is not an error; may be NULL */
	void *warn_data;
};

/**
 * source_open - open a git repository by path or URL
 *
 * A repository is not trusted: libgit2 can be made to wait forever, or to use much memory. Call this
 * function, and those that read a struct source or its trees, in a process with bounds (store/worker.c).
 * @out: the caller frees it with source_free()
 * @repo: the path of a bare repository or of a work tree (or a directory in it), or a URL. A URL is cloned
 *        bare under cache_dir on first use
 *
 * A clone gets its final name when it is complete. So a clone that was killed is started again, and two
 * processes can clone at the same time.
 * Return: 0; ERR_NOT_FOUND if @repo is not a repository, or does not have the wanted version; ERR_USAGE if
 * the URL is refused, or cache_dir is not set; ERR_FORMAT (packed-refs); ERR_IO; ERR_GIT; ERR_LIMIT.
 */
int source_open(struct source **out, const char *repo, const struct source_options *options, struct err *err);
void source_free(struct source *source); /* NULL is fine */

/*
 * source_shown - make the name of a repository for messages, which may end up in a log: the user's path or
 * URL without passwords and tokens. A path that exists is not changed. The caller frees the name.
 */
char *source_shown(const char *repo);

/*
 * git_setup - start libgit2, unless it was started. Functions of this directory call it if they need it.
 *
 * Starting it costs 4 ms, most of it for reading the machine's certificates. So a process that forks others,
 * which open repositories, calls it first. The library is not shut down before the program ends.
 * Return: 0; ERR_GIT.
 */
int git_setup(struct err *err);

/* url_is_url - check for "scheme://...", or for "host:path" that is not a path on this machine */
bool url_is_url(const char *repo);

/*
 * source_prune - remove files of killed clones and fetches under @cache_dir, which need not exist.
 * @clones_too: also remove clones that no process reads. Return: 0; ERR_IO.
 */
int source_prune(const char *cache_dir, bool clones_too, struct err *err);

/*
 * source_ignore_user_config - from now on, ignore ~/.gitconfig and the other configuration of the user and
 * the system. Call it only in a process that does not fetch, because fetching needs this configuration.
 */
void source_ignore_user_config(void);

/*
 * source_readable - list the directories and files that libgit2 can read after the repository is opened:
 * those of the repository, and the object directories that objects/info/alternates names. Some of them may
 * not exist. A worker may open only these.
 * Return: a NULL-terminated list of paths in @arena.
 */
const char *const *source_readable(const struct source *source, struct arena *arena);

/**
 * source_tree - open the tree of one version
 * @out: to be freed before @source
 * @version: a tag, a branch, or a full or abbreviated commit id
 *
 * Branches of a clone are as of its last update.
 * Return: 0; ERR_NOT_FOUND; ERR_USAGE if @version is a URL; ERR_LIMIT; ERR_GIT; ERR_IO.
 */
int source_tree(struct tree **out, struct source *source, const char *version, struct err *err);

/**
 * source_versions - list all tags of the repository
 * @names: set to the tags, sorted by abi_version_compare(); in @arena
 *
 * Return: 0; ERR_GIT; ERR_IO.
 */
int source_versions(const char *const **names, size_t *count, struct source *source, struct arena *arena,
		    struct err *err);

enum { SOURCE_NO_PARENT = -1 };

/* A tag, and its node in the commit graph. */
struct source_version {
	const char *name;
	const char *commit; /* 40 hex digits */
	int64_t time;       /* the commit's time: seconds since 1970, UTC */
	long parent;        /* the index of the nearest tagged ancestor; SOURCE_NO_PARENT if no ancestor has a
			       tag */
	bool on_main;       /* the commit is on the main branch itself, not only merged into it */
};

struct source_graph {
	const struct source_version *versions; /* sorted by abi_version_compare() */
	size_t count;
	const char *const *no_commits; /* tags of objects that are not commits; they are not versions */
	size_t no_commit_count;
	const char *const *damaged;    /* tags whose files cannot be read, so their commits are unknown */
	size_t damaged_count;
	const char *main; /* the main branch, "main"; NULL if the repository has none, and on_main is false
			     for all versions */
	bool shallow;     /* old commits are missing, so the parents of some versions may be unknown */
};

/**
 * source_graph - list all tags of the repository, and the nearest tagged ancestor of each tag
 * @out: in @arena
 *
 * If a merge leads to two tagged ancestors, the nearest is the one that descends from the other. If neither
 * descends from the other, it is the one with fewer commits in between, or if the numbers are equal, the one
 * on the first parent's side. Among the tags of one commit, each is the parent of the next higher version.
 * The main branch is the remote's HEAD, otherwise the repository's HEAD, otherwise the branch main or master.
 * Return: 0; ERR_LIMIT if the graph is too large; ERR_IO; ERR_GIT.
 */
int source_graph(struct source_graph *out, struct source *source, struct arena *arena, struct err *err);

/*
 * source_hold_clone - lock the clone of @url, so that no process removes it. Return: a descriptor, which the
 * caller closes; -1 if @cache_dir has no clone of @url.
 */
int source_hold_clone(const char *url, const char *cache_dir);

/*
 * source_fetch - update the clone of a URL. Only the first call of a run does this, even if it fails. Other
 * repositories are not changed. Return: 0; ERR_GIT; ERR_IO; ERR_USAGE as source_open().
 */
int source_fetch(struct source *source, struct err *err);

/*
 * source_directory - open an unpacked tree. @top: the name of the directory in the tree, if @path is only one
 * directory of the tree; NULL if @path is the whole tree. The name must outlive @out. Return: 0;
 * ERR_NOT_FOUND if @path is not a directory; ERR_IO.
 */
int source_directory(struct tree **out, const char *path, const char *top, struct err *err);

/* Values from the script of a .run file, and the checksum of the file. */
struct package_head {
	const char *sha256;  /* 64 hexadecimal digits */
	const char *version; /* "595.45.04"; "" if the script has none */
	const char *machine; /* "x86_64", "aarch64"; "" if the script has none */
	uint64_t payload_at; /* offset of the archive in the file, in bytes */
};

/*
 * package_head - read the head of an NVIDIA .run file. source_package - open its directory kernel-open as a
 * tree. The file is not trusted, and never run. Call these functions in a process with bounds
 * (store/worker.c). Return: 0; ERR_NOT_FOUND if the file does not exist or has no kernel-open; ERR_FORMAT;
 * ERR_LIMIT; ERR_IO.
 */
int package_head(struct package_head *out, const char *path, struct arena *arena, struct err *err);
int source_package(struct tree **out, const char *path, struct err *err);

/*
 * package_library - load libarchive, which source_package() needs. A process with bounds cannot load it any
 * more, so its parent does. Return: 0; ERR_IO with the dynamic loader's message.
 */
int package_library(struct err *err);

/* source_libraries - list the libraries that are loaded, "libgit2 1.5.1, zlib 1.2.13"; in @arena. */
const char *source_libraries(struct arena *arena);

#endif
