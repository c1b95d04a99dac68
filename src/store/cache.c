#include "store/cache.h"

#include "store/limits.h"
#include "store/trim.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

/* Of what a key is made from and of what a file holds: a change of either is another key. */
#define CACHE_FORMAT "drvabi-cache/2"

/* Texts go in with their NUL, so that "a", "bc" and "ab", "c" differ. */
static void hash_text(XXH3_state_t *state, const char *text)
{
	XXH3_128bits_update(state, text, strlen(text) + 1);
}

static int hash_root(XXH3_state_t *state, struct tree *tree, const char *path, struct err *err)
{
	char id[41];
	int rc = tree->ops->id(tree, path, id, err);

	if (rc && rc != ERR_NOT_FOUND)
		return rc;
	hash_text(state, path);
	hash_text(state, rc ? "absent" : id);
	return 0;
}

int cache_key_of(struct cache_key *out, struct tree *tree, const struct profile *profile, const char *salt, struct err *err)
{
	struct arena arena = { 0 };
	struct profile_strings roots;
	XXH3_state_t *state = NULL;
	XXH128_hash_t hash;
	size_t i;
	int rc;

	if (!*tree->commit)
		return err_set(err, ERR_NOT_FOUND, "%s is a directory, and what is read from it is not cached", tree->version);
	if ((rc = profile_roots(&roots, profile, &arena, err)))
		goto out;
	if (!(state = XXH3_createState())) {
		rc = err_set(err, ERR_LIMIT, "there is no memory to hash a cache key");
		goto out;
	}
	XXH3_128bits_reset(state);
	hash_text(state, CACHE_FORMAT);
	hash_text(state, salt);
	for (i = 0; !rc && i < roots.count; i++)
		rc = hash_root(state, tree, roots.item[i], err);
	if (rc)
		goto out;
	hash = XXH3_128bits_digest(state);
	snprintf(out->hex, sizeof(out->hex), "%016llx%016llx", (unsigned long long)hash.high64, (unsigned long long)hash.low64);
out:
	XXH3_freeState(state);
	arena_release(&arena);
	return rc;
}

/* In a directory that somebody else may write to, an entry is whatever he says. Return: a descriptor; -1 with @err. */
static int open_documents(const char *dir, struct err *err)
{
	struct strbuf path = { 0 };
	int fd;

	strbuf_addf(&path, "%s/documents", dir);
	fd = file_open_own_dir(path.text, err);
	strbuf_release(&path);
	return fd;
}

static int read_file(struct strbuf *out, int fd, struct err *err)
{
	struct stat st;
	ssize_t got = 1;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size > CACHE_ENTRY_LIMIT_BYTES)
		return err_set(err, ERR_FORMAT, "it is not a file, or too large");
	strbuf_reserve(out, (size_t)st.st_size + 1);
	while (got > 0 && out->length <= (size_t)st.st_size) {
		got = read(fd, out->text + out->length, (size_t)st.st_size + 1 - out->length);
		out->length += got > 0 ? (size_t)got : 0;
	}
	return got || out->length != (size_t)st.st_size ? err_set(err, ERR_IO, "it cannot be read whole") : 0;
}

int cache_read_entry(struct abi *abi, int dir_fd, const char *name, struct arena *arena, struct err *err)
{
	const int fd = openat(dir_fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct strbuf bytes = { 0 };
	int rc;

	if (fd < 0)
		return err_set(err, ERR_NOT_FOUND, "%s", strerror(errno));
	rc = read_file(&bytes, fd, err);
	if (!rc && (bytes.length < CACHE_KEY_DIGITS || strlen(name) != CACHE_KEY_DIGITS || memcmp(bytes.text, name, CACHE_KEY_DIGITS)))
		rc = err_set(err, ERR_FORMAT, "it is the entry of another key");
	if (!rc)
		rc = abi_deserialize(abi, bytes.text + CACHE_KEY_DIGITS, bytes.length - CACHE_KEY_DIGITS, arena, err);
	strbuf_release(&bytes);
	close(fd);
	return rc;
}

int cache_get(struct abi *abi, const char *dir, const struct cache_key *key, struct arena *arena, struct err *err)
{
	struct err why = { "" };
	const int documents = open_documents(dir, &why);
	int rc = ERR_NOT_FOUND;

	if (documents >= 0 && !(rc = cache_read_entry(abi, documents, key->hex, arena, &why)))
		trim_mark_used(documents, key->hex);
	if (documents >= 0)
		close(documents);
	return rc ? err_set(err, ERR_NOT_FOUND, "no cached document %s/documents/%s: %s", dir, key->hex, why.text) : 0;
}

/*
 * Looking at every entry on every write would make a run over all versions
 * quadratic. Keys are spread evenly, so one in 16 of them looks.
 */
static bool is_trimming_key(const struct cache_key *key)
{
	return key->hex[31] == '0';
}

static int write_entry(int dir_fd, const struct cache_key *key, const struct strbuf *bytes, struct err *err)
{
	struct file_writer entry;
	bool is_cleared;
	int rc;

	if ((rc = file_writer_open_in(&entry, dir_fd, key->hex, err)))
		return errno == ENOENT ? 0 : rc;
	if (!(rc = file_writer_add(&entry, bytes->text, bytes->length, err)))
		rc = file_writer_finish(&entry, err);
	is_cleared = rc && errno == ENOENT; /* by another process, meanwhile */
	file_writer_release(&entry);
	return is_cleared ? 0 : rc;
}

int cache_put(const struct abi *abi, const char *dir, const struct cache_key *key, struct err *err)
{
	struct strbuf bytes = { 0 }, path = { 0 };
	int documents = -1, rc = 0;

	strbuf_addf(&path, "%s/documents", dir);
	strbuf_adds(&bytes, key->hex);
	abi_serialize(&bytes, abi);
	if (bytes.length > CACHE_ENTRY_LIMIT_BYTES) /* could not be read again */
		goto out;
	if ((rc = file_make_own_dir(path.text, err)))
		goto out;
	if ((documents = file_open_own_dir(path.text, err)) < 0)
		rc = ERR_IO;
	else if ((rc = write_entry(documents, key, &bytes, err)))
		err_prefix(err, "%s", path.text);
	else if (is_trimming_key(key))
		trim_directory(path.text, CACHE_LIMIT_BYTES);
	if (documents >= 0)
		close(documents);
out:
	strbuf_release(&path);
	strbuf_release(&bytes);
	return rc;
}

int cache_default_dir(struct strbuf *out, struct err *err)
{
	const char *cache = getenv("XDG_CACHE_HOME");
	const char *home = getenv("HOME");

	/* The XDG specification: a relative path is to be ignored. */
	if (cache && *cache == '/')
		strbuf_addf(out, "%s/drvabi", cache);
	else if (home && *home == '/')
		strbuf_addf(out, "%s/.cache/drvabi", home);
	else
		return err_set(err, ERR_NOT_FOUND, "there is no place for a cache: set XDG_CACHE_HOME or HOME");
	return 0;
}
