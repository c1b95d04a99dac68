/*
 * The cache of extracted documents, described in cache.h: its keys, its files, the limit of its size, and the
 * cache as a store.
 */
#include "store/internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

enum {
	CACHE_LIMIT_BYTES = 256 * 1024 * 1024,      /* all documents together */
	CACHE_ENTRY_LIMIT_BYTES = 64 * 1024 * 1024, /* one document */
	CACHE_KEY_DIGITS = sizeof(((struct cache_key *)0)->hex) - 1,
};

/* --- the inputs of a document --------------------------------------------------- */

/* The format and its version. This text is a part of all keys. */
#define CACHE_FORMAT "drvabi-cache/2"

/* Hashes a text with its NUL, so that "a", "bc" and "ab", "c" differ. */
static void hash_text(XXH3_state_t *state, const char *text)
{
	XXH3_128bits_update(state, text, strlen(text) + 1);
}

int cache_key_of(struct cache_key *out, struct tree *tree, const struct profile *profile, const char *salt,
		 struct err *err)
{
	struct arena arena = { 0 };
	struct profile_strings roots;
	XXH3_state_t *state = NULL;
	XXH128_hash_t hash;
	char id[41];
	int rc;

	if (!*tree->commit)
		return err_set(err, ERR_NOT_FOUND,
			       "%s is a directory, so its documents are not cached", tree->version);
	profile_roots(&roots, profile, &arena);
	if (!(state = XXH3_createState())) {
		rc = err_set(err, ERR_LIMIT, "out of memory while hashing a cache key");
		goto out;
	}
	XXH3_128bits_reset(state);
	hash_text(state, CACHE_FORMAT);
	hash_text(state, salt);
	for (size_t i = 0; i < roots.count; i++) {
		rc = tree->ops->id(tree, roots.item[i], id, err); /* changes with any file in it */
		if (rc && rc != ERR_NOT_FOUND)
			goto out;
		hash_text(state, roots.item[i]);
		hash_text(state, rc ? "absent" : id);
	}
	rc = 0;
	hash = XXH3_128bits_digest(state);
	snprintf(out->hex, sizeof(out->hex), "%016llx%016llx", (unsigned long long)hash.high64,
		 (unsigned long long)hash.low64);
out:
	XXH3_freeState(state);
	arena_release(&arena);
	return rc;
}

/* --- the limit of the cache's size ---------------------------------------------- */

#define TEMP_SUFFIX ".tmp" /* suffix of the files of struct file_writer */

enum {
	TEMP_STALE_SECONDS = 60 * 60,
	USED_AFTER_SECONDS = 60 * 60, /* the time of an entry is updated at most once an hour */
	ENTRY_OVERHEAD_BYTES = 512, /* approximate disk space of an empty file */
};

struct trim_entry {
	const char *name;
	struct timespec used;
	uint64_t size_bytes; /* includes the overhead */
};

static bool ends_in(const char *path, const char *suffix)
{
	size_t length = strlen(path), tail = strlen(suffix);

	return length > tail && !strcmp(path + length - tail, suffix);
}

/* Orders entries by the time of their last use: trim_directory() deletes the least recently used first. */
static int compare_last_use(const void *a, const void *b)
{
	const struct trim_entry *left = a;
	const struct trim_entry *right = b;

	if (left->used.tv_sec != right->used.tv_sec)
		return left->used.tv_sec < right->used.tv_sec ? -1 : 1;
	if (left->used.tv_nsec != right->used.tv_nsec)
		return left->used.tv_nsec < right->used.tv_nsec ? -1 : 1;
	return strcmp(left->name, right->name);
}

void trim_directory(const char *dir, uint64_t limit_bytes)
{
	struct trim_entry *entries = NULL;
	size_t count = 0, capacity = 0;
	uint64_t size_bytes = 0;
	struct arena names = { 0 };
	struct dirent *file;
	struct stat st;
	DIR *stream = opendir(dir);

	if (!stream)
		return;
	while ((file = readdir(stream))) {
		if (fstatat(dirfd(stream), file->d_name, &st, AT_SYMLINK_NOFOLLOW) || !S_ISREG(st.st_mode))
			continue;
		if (ends_in(file->d_name, TEMP_SUFFIX)) {
			if (time(NULL) - st.st_mtime > TEMP_STALE_SECONDS)
				unlinkat(dirfd(stream), file->d_name, 0);
			continue;
		}
		ARRAY_GROW(entries, count, capacity);
		entries[count] = (struct trim_entry){ arena_strdup(&names, file->d_name), st.st_mtim,
						      (uint64_t)st.st_size + ENTRY_OVERHEAD_BYTES };
		size_bytes += entries[count++].size_bytes;
	}
	if (size_bytes > limit_bytes) {
		qsort(entries, count, sizeof(*entries), compare_last_use);
		for (size_t i = 0; i < count && size_bytes > limit_bytes / 4 * 3; i++) {
			unlinkat(dirfd(stream), entries[i].name, 0);
			size_bytes -= entries[i].size_bytes;
		}
	}
	closedir(stream);
	free(entries);
	arena_release(&names);
}

/* --- entries -------------------------------------------------------------------- */

static int read_file(struct strbuf *out, int fd, struct err *err)
{
	struct stat st;
	ssize_t got = 1;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size > CACHE_ENTRY_LIMIT_BYTES)
		return err_set(err, ERR_FORMAT, "it is not a regular file, or is too large");
	strbuf_reserve(out, (size_t)st.st_size + 1);
	while (got > 0 && out->length <= (size_t)st.st_size) {
		got = read(fd, out->text + out->length, (size_t)st.st_size + 1 - out->length);
		out->length += got > 0 ? (size_t)got : 0;
	}
	return got || out->length != (size_t)st.st_size ? err_set(err, ERR_IO, "it is incomplete") : 0;
}

/**
 * cache_read_entry - read the document of an entry
 * @name: the entry's name, which must be the same as the key in the file. A renamed entry is not used
 *
 * Return: 0; ERR_NOT_FOUND; ERR_IO or ERR_FORMAT if the entry is damaged, a link, or has a different key.
 */
static int cache_read_entry(struct abi *abi, int dir_fd, const char *name, struct arena *arena,
			    struct err *err)
{
	const int fd = openat(dir_fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct strbuf bytes = { 0 };
	int rc;

	if (fd < 0)
		return err_set(err, ERR_NOT_FOUND, "%s", strerror(errno));
	rc = read_file(&bytes, fd, err);
	if (!rc && (bytes.length < CACHE_KEY_DIGITS || strlen(name) != CACHE_KEY_DIGITS ||
		    memcmp(bytes.text, name, CACHE_KEY_DIGITS)))
		rc = err_set(err, ERR_FORMAT, "it has a different key");
	if (!rc)
		rc = archive_unpack(abi, bytes.text + CACHE_KEY_DIGITS, bytes.length - CACHE_KEY_DIGITS,
				    arena, err);
	strbuf_release(&bytes);
	close(fd);
	return rc;
}

int cache_get(struct abi *abi, const char *dir, const struct cache_key *key, struct arena *arena,
	      struct err *err)
{
	struct strbuf path = { 0 };
	struct err why = { "" };
	struct stat st;
	int documents, rc = ERR_NOT_FOUND;

	strbuf_addf(&path, "%s/documents", dir);
	if ((documents = file_open_own_dir(path.text, &why)) >= 0) {
		rc = cache_read_entry(abi, documents, key->hex, arena, &why);
		/* For trimming, the modification time is the time of the last use. */
		if (!rc && !fstatat(documents, key->hex, &st, AT_SYMLINK_NOFOLLOW) &&
		    time(NULL) - st.st_mtime > USED_AFTER_SECONDS)
			utimensat(documents, key->hex, NULL, AT_SYMLINK_NOFOLLOW);
		close(documents);
	}
	if (rc)
		rc = err_set(err, ERR_NOT_FOUND, "no cached document %s/%s: %s", path.text, key->hex,
			     why.text);
	strbuf_release(&path);
	return rc;
}

/* Writes an entry. It is not an error if another process clears the cache at the same time. */
static int write_entry(int dir_fd, const struct cache_key *key, struct view packed, struct err *err)
{
	struct file_writer entry;
	bool is_cleared;
	int rc;

	if ((rc = file_writer_open_in(&entry, dir_fd, key->hex, err)))
		return errno == ENOENT ? 0 : rc;
	if (!(rc = file_writer_add(&entry, key->hex, CACHE_KEY_DIGITS, err)) &&
	    !(rc = file_writer_add(&entry, packed.at, packed.length, err)))
		rc = file_writer_finish(&entry, err);
	is_cleared = rc && errno == ENOENT; /* another process has removed the directory meanwhile */
	file_writer_release(&entry);
	return is_cleared ? 0 : rc;
}

int cache_put(struct view packed, const char *dir, const struct cache_key *key, struct err *err)
{
	struct strbuf path = { 0 };
	int documents = -1, rc = 0;

	if (packed.length > CACHE_ENTRY_LIMIT_BYTES - CACHE_KEY_DIGITS) /* it could not be read again */
		return 0;
	strbuf_addf(&path, "%s/documents", dir);
	if ((rc = file_make_own_dir(path.text, err)))
		goto out;
	if ((documents = file_open_own_dir(path.text, err)) < 0)
		rc = ERR_IO;
	else if ((rc = write_entry(documents, key, packed, err)))
		err_prefix(err, "%s", path.text);
	else if (key->hex[31] == '0') /* one key in 16: trimming after each write takes quadratic time */
		trim_directory(path.text, CACHE_LIMIT_BYTES);
	if (documents >= 0)
		close(documents);
out:
	strbuf_release(&path);
	return rc;
}

int cache_default_dir(struct strbuf *out, struct err *err)
{
	const char *cache = getenv("XDG_CACHE_HOME");
	const char *home = getenv("HOME");

	/* according to the XDG specification, relative paths are ignored */
	if (cache && *cache == '/')
		strbuf_addf(out, "%s/drvabi", cache);
	else if (home && *home == '/')
		strbuf_addf(out, "%s/.cache/drvabi", home);
	else
		return err_set(err, ERR_NOT_FOUND,
			       "there is no directory for a cache: set XDG_CACHE_HOME or HOME");
	return 0;
}

/* --- the contents of the cache, for drvabi cache -------------------------------- */

enum { OPEN_DIRECTORIES_MAX = 16 };

/*
 * The state of a walk. It is a global variable of each thread, because nftw(3) passes no data to its visitor.
 * Other processes may use the same directory, so an entry that vanishes during the walk is not an error.
 */
static _Thread_local struct walk {
	struct cache_contents contents;
	bool removes_damaged;
	bool removes_all;
	int error; /* errno of the first removal that failed */
} walk;

static void remove_path(const char *path)
{
	if (remove(path) && errno != ENOENT && !walk.error)
		walk.error = errno;
}

/* Checks whether drvabi could use the entry @path. @name: its last component */
static bool is_valid(const char *path, const char *name)
{
	struct arena arena = { 0 };
	struct strbuf dir = { 0 };
	struct abi abi;
	int fd, rc = ERR_IO;

	strbuf_add(&dir, path, (size_t)(name - path));
	if ((fd = open(dir.text, O_PATH | O_DIRECTORY | O_CLOEXEC)) >= 0) {
		rc = cache_read_entry(&abi, fd, name, &arena, NULL);
		close(fd);
	}
	strbuf_release(&dir);
	arena_release(&arena);
	return !rc;
}

static int visit_document(const char *path, const struct stat *st, int type, struct FTW *position)
{
	if (type != FTW_F || position->level != 1)
		return 0;
	if (walk.removes_all) {
		remove_path(path);
		return 0;
	}
	if (ends_in(path, TEMP_SUFFIX)) {
		walk.contents.leftovers++;
		return 0;
	}
	walk.contents.documents++;
	walk.contents.document_bytes += (uint64_t)st->st_size;
	if (is_valid(path, path + position->base))
		return 0;
	walk.contents.damaged++;
	if (walk.removes_damaged)
		remove_path(path);
	return 0;
}

static int visit_clone(const char *path, const struct stat *st, int type, struct FTW *position)
{
	(void)path;
	if (type == FTW_DP && position->level == 1)
		walk.contents.clones++;
	if (type == FTW_F)
		walk.contents.clone_bytes += (uint64_t)st->st_size;
	return 0;
}

/* Visits all files. Return: 0; ERR_IO if the directory exists and cannot be read, or a removal failed. */
static int walk_below(const char *dir, const char *name,
		      int (*visit)(const char *, const struct stat *, int, struct FTW *), struct err *err)
{
	struct strbuf path = { 0 };
	int rc = 0;

	strbuf_addf(&path, "%s/%s", dir, name);
	if (nftw(path.text, visit, OPEN_DIRECTORIES_MAX, FTW_PHYS | FTW_DEPTH) && errno != ENOENT)
		rc = err_set(err, ERR_IO, "cannot read %s: %s", path.text, strerror(errno));
	else if (walk.error)
		rc = err_set(err, ERR_IO, "cannot remove the files in %s: %s", path.text,
			     strerror(walk.error));
	strbuf_release(&path);
	return rc;
}

int cache_look(struct cache_contents *out, const char *dir, struct err *err)
{
	int rc;

	walk = (struct walk){ .removes_all = false };
	if ((rc = walk_below(dir, "documents", visit_document, err)) ||
	    (rc = walk_below(dir, "repos", visit_clone, err)))
		return rc;
	*out = walk.contents;
	out->limit_bytes = CACHE_LIMIT_BYTES;
	return 0;
}

int cache_prune(const char *dir, struct err *err)
{
	struct strbuf path = { 0 };
	int rc;

	walk = (struct walk){ .removes_damaged = true };
	rc = walk_below(dir, "documents", visit_document, err);
	if (!rc) {
		strbuf_addf(&path, "%s/documents", dir);
		trim_directory(path.text, CACHE_LIMIT_BYTES);
	}
	strbuf_release(&path);
	return rc;
}

int cache_clear(const char *dir, struct err *err)
{
	walk = (struct walk){ .removes_all = true };
	return walk_below(dir, "documents", visit_document, err);
}

/* --- the cache as a store ------------------------------------------------------- */

/*
 * The cache is searched once for each key, because versions with the same key share a document. Trees without
 * a key are not cached. Documents that are not in the cache are put into it when a worker has read them. If
 * the cache cannot be written, this is reported once, and has no other effect.
 */

static int cache_documents(void *data, struct wanted *const *wanted, size_t count, struct arena *arena,
			   struct err *err)
{
	struct cache_store *self = data;
	struct abi abi;

	(void)err; /* entries that cannot be read are treated as absent */
	if (!*self->dir)
		return 0;
	tree_store_keys(self->trees, wanted, count);
	for (size_t i = 0; i < count; i++) {
		size_t owner = 0;

		if (!wanted[i]->has_key)
			continue;
		while (!wanted_same_key(wanted[owner], wanted[i]))
			owner++;
		if (owner < i && wanted[owner]->done)
			wanted_share(wanted[i], wanted[owner]);
		if (owner < i || cache_get(&abi, self->dir, &wanted[i]->key, arena, NULL))
			continue;
		wanted_set(wanted[i], &abi);
		wanted[i]->key_decides = true;
	}
	return 0;
}

void cache_store_put(struct cache_store *self, const struct wanted *wanted, struct view packed)
{
	struct err err = { "" };
	int rc;

	if (!wanted->has_key || !wanted->key_decides || self->warned)
		return;
	rc = *self->dir ? cache_put(packed, self->dir, &wanted->key, &err)
			: err_set(&err, ERR_NOT_FOUND,
				  "there is no directory for the cache: neither XDG_CACHE_HOME nor HOME is set");
	if (!rc)
		return;
	self->warned = true;
	store_say(self->options, STORE_WARNING,
		  "the cache cannot be written (set XDG_CACHE_HOME, or give --no-cache): %s", err.text);
}

const struct store_ops cache_store_ops = { .documents = cache_documents };
