/*
 * Documents of many versions in one file.
 *
 *   header   8 bytes of magic, the last of which is the version of this form;
 *            8 bytes, little endian: how many bytes the file has; 16 bytes:
 *            XXH3 (128 bits, canonical order) of all that follows
 *   salt     16 bytes: the hash of what all documents were made with
 *   names    how many documents there are, how many names, and each name with
 *            its NUL and its document's number; numbers are varints
 *   the rest is the documents
 *
 * One hash covers all, so that names and documents that were not written
 * together are not taken for a pack.
 */
#include "cache/cache.h"

#include "cache/limits.h"
#include "cache/pack.h"
#include "cache/trim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define PACK_MAGIC "drvmany\x01"

enum {
	PACK_MAGIC_BYTES = 8,
	PACK_SIZE_AT = 8,
	PACK_HASH_AT = 16,
	PACK_SALT_AT = 32, /* from here on, all is hashed */
	PACK_NAMES_AT = 48,
	PACK_HASH_BYTES = 16,
	PACK_NAME_LEAST_BYTES = 3, /* one that is not empty, its NUL, a number */
};

_Static_assert(sizeof(PACK_MAGIC) - 1 == PACK_MAGIC_BYTES, "the magic fills its place");
_Static_assert(sizeof(XXH128_canonical_t) == PACK_HASH_BYTES, "a hash fills its place");

static void put_hash(void *at, const void *data, size_t size)
{
	XXH128_canonical_t hash;

	XXH128_canonicalFromHash(&hash, XXH3_128bits(data, size));
	memcpy(at, &hash, sizeof(hash));
}

static void salt_hash(unsigned char out[PACK_HASH_BYTES], const char *salt)
{
	put_hash(out, salt, strlen(salt));
}

static void add_hex(struct strbuf *out, const unsigned char *bytes)
{
	for (size_t i = 0; i < PACK_HASH_BYTES; i++)
		strbuf_addf(out, "%02x", bytes[i]);
}

static void pack_path(struct strbuf *out, const char *dir, const char *salt)
{
	unsigned char hash[PACK_HASH_BYTES];

	salt_hash(hash, salt);
	strbuf_addf(out, "%s/documents/", dir);
	add_hex(out, hash);
	strbuf_adds(out, CACHE_PACK_SUFFIX);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(((const struct cache_name *)a)->name, ((const struct cache_name *)b)->name);
}

bool cache_pack_find(size_t *document, const struct cache_pack *pack, const char *name)
{
	const struct cache_name key = { .name = name };
	const struct cache_name *found = NULL;

	if (pack->name_count)
		found = bsearch(&key, pack->names, pack->name_count, sizeof(key), compare_names);
	if (found)
		*document = found->document;
	return found;
}

/* Return: where the names end; NULL if they are not what cache_pack_put() writes. */
static const unsigned char *read_names(struct cache_pack *out, const unsigned char *at, const unsigned char *end, struct arena *arena)
{
	struct cache_name *names;
	uint64_t documents, count, document;

	if (!varint_take(&documents, &at, end) || documents > UINT32_MAX || !varint_take(&count, &at, end) ||
	    count > (uint64_t)(end - at) / PACK_NAME_LEAST_BYTES)
		return NULL;
	names = arena_array(arena, count + 1, sizeof(*names));
	for (uint64_t i = 0; i < count; i++) {
		const unsigned char *nul = memchr(at, '\0', (size_t)(end - at));

		if (!nul)
			return NULL;
		names[i].name = (const char *)at;
		at = nul + 1;
		if (!varint_take(&document, &at, end) || document >= documents || (i && compare_names(&names[i - 1], &names[i]) >= 0))
			return NULL;
		names[i].document = (uint32_t)document;
	}
	out->names = names;
	out->name_count = count;
	out->document_count = documents;
	return at;
}

static uint64_t get_size(const unsigned char *at)
{
	uint64_t size = 0;

	for (int i = 0; i < 8; i++)
		size |= (uint64_t)at[i] << (8 * i);
	return size;
}

static bool is_whole(const unsigned char *data, size_t size)
{
	unsigned char hash[PACK_HASH_BYTES];

	if (size < PACK_NAMES_AT || memcmp(data, PACK_MAGIC, PACK_MAGIC_BYTES) || get_size(data + PACK_SIZE_AT) != size)
		return false;
	put_hash(hash, data + PACK_SALT_AT, size - PACK_SALT_AT);
	return !memcmp(data + PACK_HASH_AT, hash, sizeof(hash));
}

int pack_read(struct cache_pack *out, const char *path, struct arena *arena, struct err *err)
{
	struct cache_pack pack = { .names = NULL };
	struct strbuf bytes = { 0 }, name = { 0 };
	const unsigned char *data, *documents;
	int rc;

	if ((rc = file_read(&bytes, path, CACHE_ENTRY_LIMIT_BYTES, err)))
		goto out;
	data = arena_memdup(arena, strbuf_text(&bytes), bytes.length);
	if (!is_whole(data, bytes.length)) {
		rc = err_set(err, ERR_FORMAT, "%s is damaged", path);
		goto out;
	}
	strbuf_addch(&name, '/');
	add_hex(&name, data + PACK_SALT_AT);
	strbuf_adds(&name, CACHE_PACK_SUFFIX);
	documents = read_names(&pack, data + PACK_NAMES_AT, data + bytes.length, arena);
	if (!documents || strlen(path) < name.length || strcmp(path + strlen(path) - name.length, name.text)) {
		rc = err_set(err, ERR_FORMAT, "%s is not what it is called", path);
		goto out;
	}
	pack.documents = documents;
	pack.size = (size_t)(data + bytes.length - documents);
	*out = pack;
out:
	strbuf_release(&name);
	strbuf_release(&bytes);
	return rc;
}

int cache_pack_get(struct cache_pack *out, const char *dir, const char *salt, struct arena *arena, struct err *err)
{
	struct strbuf path = { 0 };
	struct err why = { "" };
	int rc;

	pack_path(&path, dir, salt);
	rc = pack_read(out, path.text, arena, &why);
	if (rc)
		rc = err_set(err, ERR_NOT_FOUND, "no pack %s: %s", path.text, why.text);
	else
		trim_mark_used(path.text);
	strbuf_release(&path);
	return rc;
}

static void put_pack(struct strbuf *out, const struct cache_pack *pack, const char *salt)
{
	unsigned char header[PACK_NAMES_AT] = PACK_MAGIC;

	salt_hash(header + PACK_SALT_AT, salt);
	strbuf_add(out, header, sizeof(header));
	varint_put(out, pack->document_count);
	varint_put(out, pack->name_count);
	for (size_t i = 0; i < pack->name_count; i++) {
		strbuf_add(out, pack->names[i].name, strlen(pack->names[i].name) + 1);
		varint_put(out, pack->names[i].document);
	}
	strbuf_add(out, pack->documents, pack->size);
	for (int i = 0; i < 8; i++)
		out->text[PACK_SIZE_AT + i] = (char)((uint64_t)out->length >> (8 * i));
	put_hash(out->text + PACK_HASH_AT, out->text + PACK_SALT_AT, out->length - PACK_SALT_AT);
}

int cache_pack_put(const struct cache_pack *pack, const char *dir, const char *salt, struct err *err)
{
	struct strbuf documents = { 0 }, path = { 0 }, bytes = { 0 };
	int rc;

	strbuf_addf(&documents, "%s/documents", dir);
	pack_path(&path, dir, salt);
	put_pack(&bytes, pack, salt);
	if (bytes.length > CACHE_ENTRY_LIMIT_BYTES) {
		rc = err_set(err, ERR_LIMIT, "%s would have %zu bytes and not be read again", path.text, bytes.length);
		goto out;
	}
	if ((rc = file_make_dirs(documents.text, err)) ||
	    (rc = file_write_unsynced(path.text, bytes.text, bytes.length, err)))
		goto out;
	trim_directory(documents.text, CACHE_LIMIT_BYTES);
out:
	strbuf_release(&bytes);
	strbuf_release(&path);
	strbuf_release(&documents);
	return rc;
}
