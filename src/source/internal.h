/*
 * source/internal.h - declarations that the files of this directory share
 *
 *   source.c            starts libgit2, and opens a repository, and the tree of a version
 *   version.c           finds the commit of a version's name, or the most similar names; checks packed-refs
 *   graph.c             finds the ancestors of tags in the commit graph
 *   objects.c           reads a git object, after checking its size and file, with bounded memory
 *   commit_files.c      the files of a commit as a struct tree
 *   directory.c         the files of a directory as a struct tree
 *   package.c           the files of a .run file as a struct tree
 *   tree_files.c        functions for all kinds of trees: paths, patterns, files that were read
 *   clone.c             clones URLs into the cache directory
 *   url.c               parses URLs, and removes the secrets in them
 */
#ifndef SOURCE_INTERNAL_H
#define SOURCE_INTERNAL_H

#include "source/source.h"

#include <git2.h>

/* --- source.c ---------------------------------------------------------------------- */

struct source {
	char *shown; /* the repository as the user gave it, without secrets, for messages */
	char *url;   /* NULL for a path: the user's own repository is never written to */
	char *path;  /* the path of the clone of @url; NULL without a URL */
	git_repository *repo;
	struct source_options options; /* cache_dir is NULL after the source is opened */
	bool fetched; /* the clone was made or updated in this run */
	int use_fd; /* descriptor that locks the clone, so that no process removes it; -1: none */
};

/* git_why - return libgit2's message for the last error on this thread. */
const char *git_why(void);

/*
 * git_open - open a repository, and note its files as inputs; the caller calls git_repository_free(). Return:
 * 0; ERR_NOT_FOUND; ERR_IO if the user may not read it; ERR_GIT.
 */
int git_open(git_repository **out, const char *path, unsigned flags, const char *shown, struct err *err);

/* --- version.c ------------------------------------------------------------------ */

/*
 * The result of looking up a version's name. The caller sets it to { 0 } before the lookup, and releases
 * `name`.
 */
struct version {
	bool found;
	git_oid commit;
	struct strbuf name; /* for messages: the tag or branch as the user gave it. For a commit id, the
			       commit's tag or the first 12 digits */
};

/**
 * version_find - find the commit that a tag, a branch, a commit id or "HEAD" names
 * @out: found is false if nothing has this name
 *
 * Return: 0; ERR_NOT_FOUND if the name is ambiguous or does not name a commit; ERR_LIMIT; ERR_GIT; ERR_IO.
 */
int version_find(struct version *out, git_repository *repo, const char *version, const char *shown,
		 struct err *err);

/* version_tag_is_damaged - check whether the tag's file is empty, unreadable, or not a reference */
bool version_tag_is_damaged(git_repository *repo, const char *name);

/*
 * version_tags - list all tags in the order of abi_version_compare(), including damaged tags; in @arena.
 * Return: 0; ERR_GIT; ERR_IO.
 */
int version_tags(const char *const **names, size_t *count, git_repository *repo, struct arena *arena,
		 struct err *err);

/*
 * nearest_err - report that @shown does not have @version, and which names are similar. Return:
 * ERR_NOT_FOUND; ERR_GIT if @version is a damaged tag.
 */
int nearest_err(git_repository *repo, const char *version, const char *shown, struct err *err);

/**
 * packed_refs_check - check that the file of references is complete
 *
 * libgit2 looks a reference up in packed-refs by binary search, and does not report damaged lines: a tag
 * after such a line is not found, or all tags are missing. So drvabi reads the file once. Return: 0, also if
 * @path does not exist; ERR_FORMAT, naming the line; ERR_IO; ERR_LIMIT.
 */
int packed_refs_check(const char *path, struct err *err);

/* --- objects.c ------------------------------------------------------------------ */

/*
 * A loose object is a zlib stream of "TYPE SIZE\0" and SIZE bytes, in a file of its own. libgit2
 * (odb_loose.c, up to 1.9.7) allocates SIZE bytes, writes the whole stream into them, and hangs if the stream
 * ends early. So the file is inflated here first, in a separate buffer, and libgit2 reads only valid files.
 */

/* The directories that can hold loose objects: the repository's own directory, then its alternates. */
struct loose_dirs {
	struct loose_dir {
		const char *path;
		dev_t device;
		ino_t inode;
	} *dirs;
	size_t count;
	struct arena arena; /* owns everything */
};

/*
 * loose_dirs_init - find the object directories of the repository in @common_dir, as libgit2 does
 *
 * The caller releases @out. This never fails: libgit2 reports directories that cannot be read.
 */
void loose_dirs_init(struct loose_dirs *out, const char *common_dir);
void loose_dirs_release(struct loose_dirs *dirs); /* { 0 } is fine */

/**
 * loose_fault - find the fault in the file of an object
 *
 * Stops reading when the stream has more bytes than the header says.
 * Return: NULL if the file is valid, or does not exist (the object is in a pack); otherwise a phrase that
 * follows the object's name in a message: "ends early".
 */
const char *loose_fault(const struct loose_dirs *dirs, const git_oid *id);

/*
 * A git object is not inflated before its size is known, because a pack of 1 MB can have 1 GB of zeros. So
 * the header is read first, and the size is compared with the limit for the object's use. What a delta needs
 * in addition is bounded by the process.
 */

/* The use of an object. */
enum object_use { OBJECT_COMMIT, OBJECT_TAG, OBJECT_DIRECTORY, OBJECT_FILE, OBJECT_LINK };

/* One reader of the objects of a repository. */
struct objects {
	git_repository *repo; /* the caller's */
	git_odb *odb;
	struct loose_dirs loose;
	const char *shown;    /* the repository, for messages */
	const char *version;  /* the version that is read, for messages; NULL: none */
};

/* objects_init - open the objects of @repo. The caller releases @out also on errors. Return: 0; ERR_GIT. */
int objects_init(struct objects *out, git_repository *repo, const char *shown, const char *version,
		 struct err *err);
void objects_release(struct objects *objects); /* { 0 } is fine */

/* object_type - read the type of an object. Return: 0, or an error code of libgit2, such as GIT_ENOTFOUND. */
int object_type(git_object_t *out, const struct objects *objects, const git_oid *id);

/**
 * object_open - read one object
 * @out:  a git_commit, git_tag, git_tree or git_blob, depending on @use; the caller calls git_object_free()
 * @what: the object's name in messages: "inc/a.h", "0123"; "": the only commit of the version, or the root
 *
 * Return: 0; ERR_LIMIT if the object is larger than the limit for @use; ERR_GIT.
 */
int object_open(git_object **out, struct objects *objects, const git_oid *id, enum object_use use,
		const char *what, struct err *err);

/**
 * directory_check - check that the names of a directory follow git's rules
 * @path:  the directory's path in its commit, "" for the root; for the message
 * @shown: the repository, for the message
 *
 * The rules: each name is unique and not empty, is not "." or "..", and has no "/". The names are in git's
 * order. libgit2 looks up names by binary search, so in an unsorted directory (an error for git fsck), it
 * would not find a file that exists.
 * Return: 0; ERR_GIT, naming the first entry that breaks a rule.
 */
int directory_check(const git_tree *directory, const char *path, const char *version, const char *shown,
		    struct err *err);

/* --- commit_files.c ------------------------------------------------------------- */

/**
 * commit_files_open - open the files of @commit as a tree
 * @out: to be freed before @source
 * @version: copied
 *
 * Reads only the commit and its root directory. Return: 0; ERR_LIMIT; ERR_GIT.
 */
int commit_files_open(struct tree **out, const struct source *source, const git_oid *commit,
		      const char *version, struct err *err);

/* --- tree_files.c ------------------------------------------------------------------ */

enum {
	/* The largest header of NVIDIA's driver (OGKM) has 0.6 MB, and all headers have 39 MB. */
	LOADED_FILE_LIMIT_BYTES = 32 * 1024 * 1024,
	LOADED_LIMIT_BYTES = 96 * 1024 * 1024, /* all loaded files of a tree */
};

/* A file of a tree that has been read. */
struct loaded_file {
	char *path; /* the first member, because order_named() compares it */
	char *text; /* NUL-terminated */
	size_t size;
};

/* Paths inside a tree are relative, with "/", and without "." or "..". */
enum {
	TREE_PATH_BYTES = 4096, /* PATH_MAX */
	TREE_PATH_DEPTH = 128,  /* limit for a recursion; the depth of OGKM is 11 */
};

/*
 * tree_path_check - check a path in a tree. Return: 0; ERR_FORMAT if @path is empty, absolute or has an empty
 * component, "." or ".."; ERR_LIMIT if it is longer or deeper than any driver's paths.
 */
int tree_path_check(const char *path, struct err *err);

enum glob_kind {
	GLOB_ABSENT,
	GLOB_FILE,
	GLOB_DIRECTORY,
	GLOB_UNKNOWN, /* for example a link: kind() finds its kind */
};

typedef int (*glob_visit)(void *data, const char *name, enum glob_kind kind);

/* What distinguishes the trees that load files. list() and kind() are needed only by file_tree_glob(). */
struct file_tree_ops {
	/* Reads @path, which is not loaded yet, and adds it with file_tree_add(). */
	int (*load)(const struct loaded_file **out, struct tree *tree, const char *path, struct err *err);
	/*
	 * Calls @visit for each entry of directory @dir ("" is the root), in any order. A directory that does
	 * not exist has no entries.
	 */
	int (*list)(struct tree *tree, const char *dir, glob_visit visit, void *data, struct err *err);
	/* Never sets GLOB_UNKNOWN. A link that cannot be followed is a GLOB_FILE; reading it fails. */
	int (*kind)(enum glob_kind *out, struct tree *tree, const char *path, struct err *err);
};

/*
 * In a git tree, one directory object can have many names, and its parent directories can have many names,
 * too: ten objects can have ten thousand million paths. So the work for all patterns of a tree is bounded:
 * GLOB_LIMIT_BYTES is the limit for the bytes of all visited paths.
 */
enum { GLOB_LIMIT_BYTES = 32 * 1024 * 1024 }; /* the patterns for OGKM read 50 kB */

/*
 * The first member of the trees that load files. The arena owns the strings of the tree and of its globs.
 * Each file is loaded once. Its text stays at its address until file_tree_forget() or file_tree_release().
 */
struct file_tree {
	struct tree tree;
	const struct file_tree_ops *ops;
	void *loaded; /* tsearch(3) tree of struct loaded_file, by path */
	size_t loaded_bytes; /* memory of all loaded files, including overhead */
	size_t visited_bytes; /* the bytes of all paths that file_tree_glob() has visited */
	struct arena arena;
};

/* file_tree_find - find a loaded file. Return: NULL if @path is not loaded. */
const struct loaded_file *file_tree_find(const struct file_tree *files, const char *path);
/* file_tree_has_room - check whether @size more bytes fit into LOADED_LIMIT_BYTES */
bool file_tree_has_room(const struct file_tree *files, size_t size);
/* file_tree_add - add a copy of @size bytes of @data. @path is not loaded yet. */
const struct loaded_file *file_tree_add(struct file_tree *files, const char *path, const void *data,
					size_t size);

/*
 * file_tree_glob, file_tree_read, file_tree_forget - functions for tree_ops
 *
 * file_tree_glob() lists only directories that can have a match: for "a/b/c*.h", only a/b. Return: 0;
 * ERR_FORMAT; ERR_LIMIT, also beyond GLOB_LIMIT_BYTES; errors of file_tree_ops. file_tree_read() loads a file
 * at its first use, and returns 0 or the error of load(). file_tree_forget() frees a loaded file.
 */
int file_tree_glob(struct tree *tree, const char *pattern, const char ***paths, size_t *count,
		   struct err *err);
int file_tree_read(struct tree *tree, const char *path, const char **text, size_t *size, struct err *err);
void file_tree_forget(struct tree *tree, const char *path);
/* file_tree_no_id - tree_ops.id for a tree that is not in a repository. Return: ERR_NOT_FOUND. */
int file_tree_no_id(struct tree *tree, const char *path, char hex[41], struct err *err);
/* file_tree_release - free the files and the arena. */
void file_tree_release(struct file_tree *tree);

/* --- clone.c -------------------------------------------------------------------- */

/*
 * clone_open - open or make the clone of @url, lock it for reading, and set path, url, use_fd and repo of
 * @source; `shown` and `options` are already set. source_free() frees these members, also after an error.
 * Return: 0; ERR_USAGE; ERR_NOT_FOUND if the repository does not have the wanted version; ERR_IO; ERR_GIT.
 */
int clone_open(struct source *source, const char *url, struct err *err);

/*
 * A process that makes or updates the clone NAME.git holds a lock on NAME.git.lock. The kernel releases the
 * lock when the process dies. The holder removes the lock file at the end, so a lock is valid only if the
 * locked file still has its name.
 */
struct clone_lock {
	struct strbuf path;
	int fd;
	bool held; /* false if the file system has no locks */
};

/*
 * clone_lock_acquire - lock a clone, which need not exist; the caller calls clone_lock_drop(). @waiting: wait
 * for another process, and report this as progress; NULL: do not wait. Return: 0, also if the file system has
 * no locks; ERR_IO, also if another process holds the lock and @waiting is NULL.
 */
int clone_lock_acquire(struct clone_lock *lock, const char *clone, const struct source *waiting,
		       struct err *err);
/* clone_lock_drop - release the lock, and remove its file. */
void clone_lock_drop(struct clone_lock *lock);

/* clone_dir_remove - remove a directory tree; errors are ignored. */
void clone_dir_remove(const char *path);

/* --- url.c ---------------------------------------------------------------------- */

/*
 * A URL can contain secrets: a password, a user name (often a token, except with ssh), or the value of a
 * query's parameter. Every URL in a message comes from this file, which removes secrets.
 *
 *   https://user:SECRET@host/x      https://SECRET@host/x     https://host/x?private_token=SECRET
 *   user:SECRET@host:x, https://user:SEC/RET@host/x           invalid URLs that still have a secret
 */

/* url_is_clear - check for http:// or git://, whose data others on the network can read and change */
bool url_is_clear(const char *url);

/* url_redact - append @url for messages, with "***" for each secret. */
void url_redact(struct strbuf *out, const char *url);

/*
 * url_redact_text - append a text from a different program, without secrets. The text may quote @url, its
 * secrets, or other URLs.
 */
void url_redact_text(struct strbuf *out, const char *text, const char *url);

/*
 * url_identity - append the parts that identify the repository: @url without secrets. The name of the clone
 * is made from these parts.
 */
void url_identity(struct strbuf *out, const char *url);

/**
 * url_check - check that @url may be used
 *
 * Return: 0; ERR_USAGE if @url would send a secret unencrypted, or has a secret at an invalid place.
 */
int url_check(const char *url, struct err *err);

#endif
