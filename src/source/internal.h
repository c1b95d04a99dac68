/*
 * source/internal.h - declarations that the files of this room share
 *
 *   source.c            libgit2 is started, a repository opened; the tree of a version repository_check.c
 *   files that libgit2 would wait for or overlook: FIFOs, damaged packed-refs
 *   version.c           from a version's name to a commit, and the nearest names if there is none
 *   graph.c             tags along the commit graph
 *   objects.c           a git object, after a look at its size, its file, and its memory
 *   commit_files.c      the files of a commit as a struct tree
 *   directory.c         the files of a directory as a struct tree
 *   tree_files.c        what both kinds of trees need: paths, patterns, files that were read
 *   clone.c             repositories of URLs, cloned below the cache directory
 *   url.c               URLs, and the secrets in them
 */
#ifndef SOURCE_INTERNAL_H
#define SOURCE_INTERNAL_H

#include "source/source.h"

#include <git2.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* --- source.c ---------------------------------------------------------------------- */

struct source {
	char *shown; /* the repository as the user gave it, without secrets: for messages */
	char *url;   /* NULL for a repository of the user's own, which is never written to */
	char *path;  /* of the clone of @url, else NULL */
	git_repository *repo;
	pthread_mutex_t lock;  /* held by source_tree() and source_versions() */
	struct source_options options; /* cache_dir is NULL: used only while opening */
	bool fetched; /* in this run */
	int use_fd; /* locks a clone against being removed; -1: none */
};

/*
 * git_setup - start libgit2; the first call of any function here
 *
 * The library stays up until the program ends: starting it costs 4 ms, most
 * of it for reading the machine's certificates.
 */
int git_setup(struct err *err);

/* git_why - libgit2's message for the last error on this thread */
const char *git_why(void);

/*
 * git_shown - the text of the user, for messages, which may end up in a log. A path that is there has no
 * secret. To be freed.
 */
char *git_shown(const char *repo);

/* git_open - @out is freed with git_repository_free(). Return: 0; ERR_NOT_FOUND; ERR_GIT. */
int git_open(git_repository **out, const char *path, unsigned flags, const char *shown, struct err *err);

/* --- repository_check.c --------------------------------------------------------- */

/**
 * repository_check - refuse the repository at @path if libgit2 would wait for one of its files
 *
 * Return: 0, also if there is no repository; ERR_GIT; ERR_LIMIT.
 */
int repository_check(const char *path, struct err *err);

/**
 * packed_refs_check - is the file of references complete?
 *
 * libgit2 looks a reference up in packed-refs by binary search, and does not see a fault elsewhere: a tag
 * after a damaged line is not found, or all tags are lost without a word of where. So the file is read once.
 * Return: 0, also if @path does not exist; ERR_FORMAT, naming the line; ERR_IO; ERR_LIMIT.
 */
int packed_refs_check(const char *path, struct err *err);

/* --- version.c ------------------------------------------------------------------ */

/* The result of looking a version's name up. { 0 } before; the owner releases name. */
struct version {
	bool found;
	git_oid commit;
	struct strbuf name; /* for the user: a tag or branch as given; for a commit id its tag, or its first
			       12 digits */
};

/**
 * version_find - the commit that a tag, a branch or a commit id names
 * @out: found is false if there is nothing of that name
 *
 * Return: 0; ERR_NOT_FOUND if it is there, but ambiguous or no commit; ERR_GIT.
 */
int version_find(struct version *out, git_repository *repo, const char *version, const char *shown,
		 struct err *err);

/* version_tag_is_damaged - is the tag's file empty, unreadable, or something else than a reference? */
bool version_tag_is_damaged(git_repository *repo, const char *name);

/*
 * version_tags - all tags, in version_order(), those that are damaged too; in @arena. Return: 0; ERR_GIT;
 * ERR_IO.
 */
int version_tags(const char *const **names, size_t *count, git_repository *repo, struct arena *arena,
		 struct err *err);

/*
 * nearest_err - report that @version is not in @shown, and similar names. Return: ERR_NOT_FOUND; ERR_GIT if
 * it is a tag that is damaged.
 */
int nearest_err(git_repository *repo, const char *version, const char *shown, struct err *err);

/* --- objects.c ------------------------------------------------------------------ */

/*
 * Bounds on what libgit2 allocates. An object's header has its size, but not what unpacking it needs: the
 * object may be a delta of 20 bytes to a base of 1 GB, which is a delta itself, and so on for a million
 * deltas. libgit2 shows nothing of such a chain. So its allocator is ours: it refuses a block that is too
 * large, libgit2 fails as if memory had run out, and the bound has the size that was refused. A bound holds
 * for the calling thread. Without one, as on the threads that libgit2 starts, ALLOCATION_BLOCK_BYTES is the
 * limit.
 */
struct allocation_bound {
	size_t block_bytes; /* the largest block, of an object's bytes or of a growing list */
	uint64_t *left_bytes; /* what may still be allocated, freed blocks included: bounds the time;
				 decreases */
	size_t refused_bytes; /* the block that was refused; 0: none was */
	struct allocation_bound *outer;
};

enum {
	ALLOCATION_BLOCK_BYTES = 64 * 1024 * 1024,
	ALLOCATION_LIST_BYTES = 512 * 1024 *
		1024, /* Linux has 11 million objects, and lists of 16 bytes for each */
};

/* allocation_setup - make libgit2 allocate here; before any other thread calls it. Return: libgit2's code. */
int allocation_setup(void);

/* allocation_begin, allocation_end - @bound holds in between and must not move; it may be inside another */
void allocation_begin(struct allocation_bound *bound, size_t block_bytes, uint64_t *left_bytes);
void allocation_end(struct allocation_bound *bound);

/* allocation_lists - may lists of all objects grow to ALLOCATION_LIST_BYTES, where no bound is set? */
void allocation_lists(bool may_grow);

/*
 * allocation_refused - the block that was refused where no bound is set, since the last call on this thread;
 * 0: none
 */
size_t allocation_refused(void);

/*
 * A loose object is a zlib stream of "TYPE SIZE\0" and SIZE bytes, in a file of its own. libgit2
 * (odb_loose.c, up to 1.9.7) allocates SIZE bytes and writes the whole stream into it, and does not come back
 * from a stream that ends early. So the file is inflated here first, in a buffer of its own, and libgit2
 * reads only sound files.
 */

/* Where loose objects may be: the repository's own directory, then its alternates. */
struct loose_dirs {
	const char **path;
	struct {
		dev_t device;
		ino_t inode;
	} *id;
	size_t count;
	struct arena arena; /* of the paths */
};

/*
 * loose_dirs_init - find those of the repository whose directory is @common_dir, as libgit2 does
 *
 * To be released. Never fails: an object that cannot be read is left to libgit2.
 */
void loose_dirs_init(struct loose_dirs *out, const char *common_dir);
void loose_dirs_release(struct loose_dirs *dirs); /* { 0 } is fine */

/**
 * loose_fault - the fault in the file of an object
 *
 * Reads until more bytes come than the header says.
 * Return: NULL if it is sound, or does not exist (the object is in a pack); else a phrase that follows the
 * object's name: "ends early".
 */
const char *loose_fault(const struct loose_dirs *dirs, const git_oid *id);

/*
 * A git object is not inflated before its size is known, since 1 GB of zeros is a pack of 1 MB. Its header
 * is read first and compared with the limit of the object's use. The additional memory for unpacking is
 * bounded by the limit of its type.
 */

/* The use of an object. */
enum object_use { OBJECT_COMMIT, OBJECT_TAG, OBJECT_DIRECTORY, OBJECT_FILE, OBJECT_LINK };

/* The objects of one repository, as one reader sees them. */
struct objects {
	git_repository *repo; /* the caller's */
	git_odb *odb;
	struct loose_dirs loose;
	const char *shown;    /* the repository, for messages */
	const char *version;  /* likewise; NULL: none is being read */
	uint64_t left_bytes;  /* that may still be unpacked */
};

/* objects_init - Return: 0; ERR_GIT. @out is released in either case. */
int objects_init(struct objects *out, git_repository *repo, const char *shown, const char *version,
		 struct err *err);
void objects_release(struct objects *objects); /* { 0 } is fine */

/* object_type - Return: 0; GIT_ENOTFOUND; another of libgit2's codes. */
int object_type(git_object_t *out, const struct objects *objects, const git_oid *id);

/**
 * object_open - read one object
 * @out:  to be freed with git_object_free(); a git_commit, git_tag, git_tree or git_blob, as @use wants
 * @what: its name in messages: "inc/a.h", "directory inc", "commit 0123"
 *
 * Return: 0; ERR_LIMIT if it is larger than the limit of @use, or needs too much memory to unpack; ERR_GIT.
 */
int object_open(git_object **out, struct objects *objects, const git_oid *id, enum object_use use,
		const char *what, struct err *err);

/**
 * directory_check - are the names of a directory by git's rules?
 * @path:  of the directory in its commit, "" for the root: for the message
 * @shown: the repository, for the message
 *
 * Each name is unique, not empty, neither "." nor "..", without "/", and they are in git's order. libgit2
 * looks a name up by binary search: in a directory that is not sorted, which git fsck refuses, it would not
 * find a file that exists.
 * Return: 0; ERR_GIT, naming the first entry that breaks a rule.
 */
int directory_check(const git_tree *directory, const char *path, const char *version, const char *shown,
		    struct err *err);

/* --- commit_files.c ------------------------------------------------------------- */

/**
 * commit_files_open - the files of @commit
 * @version: copied
 *
 * The tree opens the repository once more for itself, so that it may be used by another thread than @source.
 */
int commit_files_open(struct tree **out, const struct source *source, const git_oid *commit,
		      const char *version, struct err *err);

/* --- tree_files.c ------------------------------------------------------------------ */

/*
 * The files of a tree that have been read, by path. { 0 } is empty. A text is loaded once; it belongs to the
 * struct and stays at its address until loaded_forget() or loaded_release(). Nothing here fails.
 */
enum {
	LOADED_FILE_LIMIT_BYTES = 32 * 1024 * 1024, /* the largest header of OGKM has 0.6 MB */
	LOADED_LIMIT_BYTES = 96 * 1024 *
		1024, /* all files of a tree that are not forgotten; all headers of OGKM have 39 MB */
};

struct loaded_file {
	char *path;
	char *text; /* NUL-terminated */
	size_t size;
};

struct loaded_files {
	void *by_path; /* tsearch(3) tree of struct loaded_file */
	size_t bytes;  /* of all files, with their overhead */
};

const struct loaded_file *loaded_find(const struct loaded_files *loaded, const char *path);
/* loaded_has_room - may @size more bytes be added below LOADED_LIMIT_BYTES? */
bool loaded_has_room(const struct loaded_files *loaded, size_t size);
/* loaded_add - copies @size bytes of @data; @path is not there yet. */
const struct loaded_file *loaded_add(struct loaded_files *loaded, const char *path, const void *data,
				     size_t size);
/* loaded_forget - forget one file, if it is there. */
void loaded_forget(struct loaded_files *loaded, const char *path);
void loaded_release(struct loaded_files *loaded);

/* Paths inside a tree are relative, with "/", and without "." or "..". */
enum {
	TREE_PATH_BYTES = 4096, /* PATH_MAX */
	TREE_PATH_DEPTH = 128,  /* directories; that of OGKM is 11. A directory is found by recursion. */
};

/*
 * tree_path_check - Return: 0; ERR_FORMAT if @path is empty, absolute or has an empty, "." or ".." component;
 * ERR_LIMIT if it is longer or deeper than any driver's.
 */
int tree_path_check(const char *path, struct err *err);

/*
 * Which files of a tree match a pattern. Only directories that a pattern can reach are listed: "a/b/c*.h"
 * lists only a/b.
 */
enum glob_kind {
	GLOB_ABSENT,
	GLOB_FILE,
	GLOB_DIRECTORY,
	GLOB_UNKNOWN, /* a link, say: ask kind() */
};

typedef int (*glob_visit)(void *data, const char *name, enum glob_kind kind);

struct glob_ops {
	/*
	 * Calls @visit for each entry of directory @dir ("" is the root), in any order; for none if the
	 * directory does not exist.
	 */
	int (*list)(struct tree *tree, const char *dir, glob_visit visit, void *data, struct err *err);
	/* Never GLOB_UNKNOWN. A link that cannot be followed is a GLOB_FILE: reading it says why. */
	int (*kind)(enum glob_kind *out, struct tree *tree, const char *path, struct err *err);
};

/*
 * A directory may have any number of names in a git tree, and so may each directory around it: ten objects
 * name ten thousand million files. So the work for the patterns of a tree is bounded, in bytes of its paths.
 */
enum { GLOB_LIMIT_BYTES = 32 * 1024 * 1024 }; /* the patterns for OGKM read 50 kB */

/**
 * glob_tree - tree_ops.glob for a tree that can list a directory
 * @looked_bytes: grows by the bytes that were compared; zero for a new tree
 * @arena: for the strings
 *
 * Return: 0; ERR_FORMAT; ERR_LIMIT if GLOB_LIMIT_BYTES are exceeded; what @ops return.
 */
int glob_tree(const char ***paths, size_t *count, struct tree *tree, const struct glob_ops *ops,
	      const char *pattern, size_t *looked_bytes, struct arena *arena, struct err *err);

/* --- clone.c -------------------------------------------------------------------- */

/* clone_open - fills path, url and repo of @source, which has its shown and options. */
int clone_open(struct source *source, const char *url, struct err *err);

/* clone_fetch - bring tags and branches up to date. Return: 0; ERR_GIT; ERR_IO. */
int clone_fetch(struct source *source, struct err *err);

/*
 * A process that makes a clone NAME.git or fetches into it holds a lock on NAME.git.lock, which the kernel
 * releases when a process dies. The holder may remove that file: a lock counts only if the file still has its
 * name.
 */
struct clone_lock {
	struct strbuf path;
	int fd;
	bool held; /* false where the file system has no locks */
};

/* clone_lock_acquire - waits for others, and reports that to @source's progress. Return: 0 or ERR_IO. */
int clone_lock_acquire(struct clone_lock *lock, const char *clone, const struct source *source,
		       struct err *err);
/* clone_lock_drop - the lock's file goes too */
void clone_lock_drop(struct clone_lock *lock);

/* clone_dir_remove - rm -rf; it is not an error if that does not exist, or cannot be removed */
void clone_dir_remove(const char *path);

/* --- url.c ---------------------------------------------------------------------- */

/*
 * URLs may hold secrets: a password, a user name (a token is often written as one) other than that of ssh, or
 * the value of a query's parameter. The form of URLs that a user may read is made only here.
 *
 *   https://user:SECRET@host/x      https://SECRET@host/x     https://host/x?private_token=SECRET
 *   user:SECRET@host:x, https://user:SEC/RET@host/x           what is no URL, but has a secret all the same
 */

/* url_is_url - "scheme://..." or "host:path" that is not a path of this machine */
bool url_is_url(const char *repo);

/* url_is_clear - sent as it is, over http:// or git://, so that anybody on the way can read and change it */
bool url_is_clear(const char *url);

/* url_redact - append @url for messages: each secret as "***" */
void url_redact(struct strbuf *out, const char *url);

/*
 * url_redact_text - appends the text of another program, which may quote @url, secrets of it, or other URLs
 */
void url_redact_text(struct strbuf *out, const char *text, const char *url);

/*
 * url_identity - append the parts that distinguish one repository from another: @url without secrets; names
 * its clone
 */
void url_identity(struct strbuf *out, const char *url);

/**
 * url_check - may @url be used?
 *
 * Return: 0; ERR_USAGE if it would send a secret in the clear, or has one where none can be.
 */
int url_check(const char *url, struct err *err);

#endif
