#include "store/cache.h"

#include "store/limits.h"
#include "store/trim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* Of what a key is made from and of what a file holds: a change of either is another key. */
#define CACHE_FORMAT "drvabi-cache/1"

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

static void entry_path(struct strbuf *out, const char *dir, const struct cache_key *key)
{
	strbuf_addf(out, "%s/documents/%s", dir, key->hex);
}

int cache_get(struct abi *abi, const char *dir, const struct cache_key *key, struct arena *arena, struct err *err)
{
	struct strbuf path = { 0 };
	struct strbuf bytes = { 0 };
	struct err why = { "" };
	int rc;

	entry_path(&path, dir, key);
	rc = file_read(&bytes, path.text, CACHE_ENTRY_LIMIT_BYTES, &why);
	if (!rc)
		rc = abi_deserialize(abi, bytes.text, bytes.length, arena, &why);
	if (rc)
		rc = err_set(err, ERR_NOT_FOUND, "no cached document %s: %s", path.text, why.text);
	else
		trim_mark_used(path.text);
	strbuf_release(&bytes);
	strbuf_release(&path);
	return rc;
}

/*
 * Looking at every entry on every write would make a run over all versions
 * quadratic. Keys are spread evenly, so one in 16 of them looks.
 */
static bool is_trimming_key(const struct cache_key *key)
{
	return key->hex[31] == '0';
}

int cache_put(const struct abi *abi, const char *dir, const struct cache_key *key, struct err *err)
{
	struct strbuf documents = { 0 };
	struct strbuf path = { 0 };
	struct strbuf bytes = { 0 };
	int rc = 0;

	strbuf_addf(&documents, "%s/documents", dir);
	entry_path(&path, dir, key);
	abi_serialize(&bytes, abi);
	if (bytes.length > CACHE_ENTRY_LIMIT_BYTES) /* could not be read again */
		goto out;
	if ((rc = file_make_dirs(documents.text, err)) ||
	    (rc = file_write_unsynced(path.text, bytes.text, bytes.length, err)))
		goto out;
	if (is_trimming_key(key))
		trim_directory(documents.text, CACHE_LIMIT_BYTES);
out:
	strbuf_release(&bytes);
	strbuf_release(&path);
	strbuf_release(&documents);
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
