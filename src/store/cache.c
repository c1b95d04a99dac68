/*
 * The cache of extracted documents, described in store.h: its keys, its files, the limit of its size, and the
 * cache as a store.
 */
#include "store/internal.h"

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

enum {
	CACHE_LIMIT_BYTES = 256 * 1024 * 1024,      /* all documents together */
	CACHE_ENTRY_LIMIT_BYTES = 64 * 1024 * 1024, /* one document */
};

/* --- the inputs of a document --------------------------------------------------- */

/* The format and its version. This text is a part of all keys. */
#define CACHE_FORMAT "drvabi-cache/2"

bool cache_key_of(char key[CACHE_KEY_DIGITS + 1], struct tree *tree, const struct profile *profile,
		  const char *salt)
{
	struct strbuf inputs = { 0 }; /* texts with their NULs, so that "a", "bc" and "ab", "c" differ */
	struct arena arena = { 0 };
	struct profile_strings roots;
	XXH128_hash_t hash;
	bool is_known = *tree->commit;

	profile_roots(&roots, profile, &arena);
	text_put(&inputs, CACHE_FORMAT);
	text_put(&inputs, salt);
	for (size_t i = 0; is_known && i < roots.count; i++) {
		char id[41]; /* changes with any file in the directory */
		int rc = tree->ops->id(tree, roots.item[i], id, NULL);

		is_known = !rc || rc == ERR_NOT_FOUND;
		text_put(&inputs, roots.item[i]);
		text_put(&inputs, rc ? "absent" : id);
	}
	hash = XXH3_128bits(inputs.text, inputs.length);
	snprintf(key, CACHE_KEY_DIGITS + 1, "%016llx%016llx", (unsigned long long)hash.high64,
		 (unsigned long long)hash.low64);
	strbuf_release(&inputs);
	arena_release(&arena);
	return is_known;
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
	struct timespec used; /* the time of the last use */
	uint64_t size_bytes;  /* includes the overhead */
};

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
	struct arena arena = { 0 };
	uint64_t size_bytes = 0;
	size_t count = 0;
	struct dirent *file;
	struct stat st;
	DIR *stream = opendir(dir);

	if (!stream)
		return;
	while ((file = readdir(stream))) {
		if (fstatat(dirfd(stream), file->d_name, &st, AT_SYMLINK_NOFOLLOW) || S_ISDIR(st.st_mode))
			continue;
		if (view_ends_with(view_of(file->d_name), TEMP_SUFFIX)) {
			/* No writer makes a link or a pipe, so these need not be stale. */
			if (!S_ISREG(st.st_mode) || time(NULL) - st.st_mtime > TEMP_STALE_SECONDS)
				unlinkat(dirfd(stream), file->d_name, 0);
			continue;
		}
		entries = arena_room(&arena, entries, count, sizeof(*entries));
		entries[count] = (struct trim_entry){ arena_strdup(&arena, file->d_name), st.st_mtim,
						      (uint64_t)st.st_size + ENTRY_OVERHEAD_BYTES };
		size_bytes += entries[count++].size_bytes;
	}
	if (size_bytes > limit_bytes) {
		sort_items(entries, count, sizeof(*entries), compare_last_use);
		for (size_t i = 0; i < count && size_bytes > limit_bytes / 4 * 3; i++) {
			unlinkat(dirfd(stream), entries[i].name, 0);
			size_bytes -= entries[i].size_bytes;
		}
	}
	closedir(stream);
	arena_release(&arena);
}

/* --- entries -------------------------------------------------------------------- */

/* Reads a whole regular file. Return: false if it is too large, or cannot be read. */
static bool read_regular(struct strbuf *out, int fd)
{
	struct stat st;
	ssize_t got = 1;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size > CACHE_ENTRY_LIMIT_BYTES)
		return false;
	strbuf_reserve(out, (size_t)st.st_size + 1);
	while (got > 0 && out->length <= (size_t)st.st_size) {
		got = read(fd, out->text + out->length, (size_t)st.st_size + 1 - out->length);
		out->length += got > 0 ? (size_t)got : 0;
	}
	return !got && out->length == (size_t)st.st_size;
}

/*
 * Reads the document of an entry. @name: the entry's name, which must be the same as the key in the file. A
 * renamed entry is not used.
 * Return: false if the entry does not exist, is damaged or a link, or has a different key.
 */
static bool read_entry(struct abi *abi, int dir_fd, const char *name, struct arena *arena)
{
	const int fd = openat(dir_fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct strbuf bytes = { 0 };
	bool is_read;

	if (fd < 0)
		return false;
	is_read = read_regular(&bytes, fd) && strlen(name) == CACHE_KEY_DIGITS &&
		  bytes.length >= CACHE_KEY_DIGITS && !memcmp(bytes.text, name, CACHE_KEY_DIGITS) &&
		  !archive_unpack(abi, bytes.text + CACHE_KEY_DIGITS, bytes.length - CACHE_KEY_DIGITS, arena,
				  NULL);
	strbuf_release(&bytes);
	close(fd);
	return is_read;
}

bool cache_get(struct abi *abi, const char *dir, const char *key, struct arena *arena)
{
	const int documents = file_open_own_dir(arena_printf(arena, "%s/documents", dir), NULL);
	bool is_read;
	struct stat st;

	if (documents < 0)
		return false;
	is_read = read_entry(abi, documents, key, arena);
	/* For trimming, the modification time is the time of the last use. */
	if (is_read && !fstatat(documents, key, &st, AT_SYMLINK_NOFOLLOW) &&
	    time(NULL) - st.st_mtime > USED_AFTER_SECONDS)
		utimensat(documents, key, NULL, AT_SYMLINK_NOFOLLOW);
	close(documents);
	return is_read;
}

/* Writes an entry. Return: 0, also if another process clears the cache at the same time; ERR_IO. */
static int write_entry(int dir_fd, const char *key, struct view packed, struct err *err)
{
	struct file_writer entry;
	bool is_cleared;
	int rc;

	if ((rc = file_writer_open_in(&entry, dir_fd, key, err)))
		return errno == ENOENT ? 0 : rc;
	if (!(rc = file_writer_add(&entry, key, CACHE_KEY_DIGITS, err)) &&
	    !(rc = file_writer_add(&entry, packed.at, packed.length, err)))
		rc = file_writer_finish(&entry, err);
	is_cleared = rc && errno == ENOENT; /* another process has removed the directory meanwhile */
	file_writer_release(&entry);
	return is_cleared ? 0 : rc;
}

int cache_put(struct view packed, const char *dir, const char *key, struct err *err)
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
	else if (key[CACHE_KEY_DIGITS - 1] == '0') /* one key in 16: trimming reads the directory */
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

enum cache_action { CACHE_LOOK, CACHE_PRUNE, CACHE_CLEAR };

/*
 * Reads the directory of documents. CACHE_LOOK: counts the documents, damaged ones and leftovers in @out.
 * CACHE_PRUNE: removes damaged documents, and trims the directory. CACHE_CLEAR: removes all files. Return: 0,
 * also if there is no directory; ERR_IO, also if it is a link, whose target is not a part of the cache.
 */
static int walk_documents(struct cache_contents *out, const char *dir, enum cache_action action,
			  struct err *err)
{
	struct strbuf path = { 0 };
	struct dirent *file;
	struct stat st;
	DIR *stream;
	int fd, rc = 0;

	strbuf_addf(&path, "%s/documents", dir);
	if (lstat(path.text, &st) && errno == ENOENT)
		goto out;
	if ((fd = file_open_own_dir(path.text, err)) < 0) {
		rc = ERR_IO;
		goto out;
	}
	if (!(stream = fdopendir(fd))) {
		rc = err_set(err, ERR_IO, "cannot read %s: %s", path.text, strerror(errno));
		close(fd);
		goto out;
	}
	while ((file = readdir(stream))) {
		struct arena arena = { 0 };
		struct abi abi;
		bool is_unwanted = action == CACHE_CLEAR;

		if (fstatat(dirfd(stream), file->d_name, &st, AT_SYMLINK_NOFOLLOW) || S_ISDIR(st.st_mode))
			continue;
		if (!is_unwanted && view_ends_with(view_of(file->d_name), TEMP_SUFFIX)) {
			out->leftovers++;
		} else if (!is_unwanted) {
			is_unwanted = !read_entry(&abi, dirfd(stream), file->d_name, &arena);
			out->documents++;
			out->document_bytes += (uint64_t)st.st_size;
			out->damaged += is_unwanted;
		}
		/* Other processes can use the directory, so an entry that has vanished is not an error. */
		if (action != CACHE_LOOK && is_unwanted && unlinkat(dirfd(stream), file->d_name, 0) &&
		    errno != ENOENT && !rc)
			rc = err_set(err, ERR_IO, "cannot remove the files in %s: %s", path.text,
				     strerror(errno));
		arena_release(&arena);
	}
	closedir(stream);
	if (!rc && action == CACHE_PRUNE)
		trim_directory(path.text, CACHE_LIMIT_BYTES);
out:
	strbuf_release(&path);
	return rc;
}

/* The result of visit_clone(), because nftw(3) passes no data to its visitor. */
static _Thread_local struct cache_contents visited;

/* For nftw(): counts a clone (a directory directly in "repos"), or the bytes of a file, in @visited. */
static int visit_clone(const char *path, const struct stat *st, int type, struct FTW *position)
{
	(void)path;
	if (type == FTW_DP && position->level == 1)
		visited.clones++;
	if (type == FTW_F)
		visited.clone_bytes += (uint64_t)st->st_size;
	return 0;
}

int cache_look(struct cache_contents *out, const char *dir, struct err *err)
{
	enum { OPEN_DIRECTORIES_MAX = 16 };
	struct strbuf clones = { 0 };
	int rc;

	visited = (struct cache_contents){ .limit_bytes = CACHE_LIMIT_BYTES };
	strbuf_addf(&clones, "%s/repos", dir);
	rc = walk_documents(&visited, dir, CACHE_LOOK, err);
	if (!rc && nftw(clones.text, visit_clone, OPEN_DIRECTORIES_MAX, FTW_PHYS | FTW_DEPTH) &&
	    errno != ENOENT)
		rc = err_set(err, ERR_IO, "cannot read %s: %s", clones.text, strerror(errno));
	if (!rc)
		*out = visited;
	strbuf_release(&clones);
	return rc;
}

int cache_prune(const char *dir, struct err *err)
{
	return walk_documents(&(struct cache_contents){ 0 }, dir, CACHE_PRUNE, err);
}

int cache_clear(const char *dir, struct err *err)
{
	return walk_documents(&(struct cache_contents){ 0 }, dir, CACHE_CLEAR, err);
}

/* --- the cache as a store ------------------------------------------------------- */

/*
 * The cache is searched once for each key, because versions with the same key share a document. Trees without
 * a key are not cached. Documents that are not in the cache are put into it when a worker has read them. If
 * the cache cannot be written, this is reported once, and has no other effect.
 */

/*
 * The function `documents` of this store: finds the key of each wanted tree, and sets the documents that the
 * cache has. Entries that cannot be read count as absent. Return: 0.
 */
static int cache_documents(void *data, struct wanted *const *wanted, size_t count, struct arena *arena,
			   struct err *err)
{
	struct cache_store *self = data;
	struct abi abi;

	(void)err;
	if (!*self->dir)
		return 0;
	tree_store_keys(self->trees, wanted, count);
	for (size_t i = 0; i < count; i++) {
		const size_t owner = wanted_owner(wanted, i);

		if (!*wanted[i]->key)
			continue;
		if (owner < i && wanted[owner]->done)
			wanted_share(wanted[i], wanted[owner]);
		if (owner < i || !cache_get(&abi, self->dir, wanted[i]->key, arena))
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

	if (!*wanted->key || !wanted->key_decides || self->warned)
		return;
	rc = *self->dir ? cache_put(packed, self->dir, wanted->key, &err)
			: err_set(&err, ERR_NOT_FOUND,
				  "there is no directory for the cache: neither XDG_CACHE_HOME nor HOME is set");
	if (!rc)
		return;
	self->warned = true;
	store_say(self->options, STORE_WARNING,
		  "the cache cannot be written (set XDG_CACHE_HOME, or give --no-cache): %s", err.text);
}

const struct store_ops cache_store_ops = { .documents = cache_documents };
