/*
 * extract/share_fake.h - versions that tests make up, read with a share and without
 *
 * Layer L2, for the tests of the share.
 */
#ifndef EXTRACT_SHARE_FAKE_H
#define EXTRACT_SHARE_FAKE_H

#include "extract/extract.h"

#include <fnmatch.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { FILES_MAX = 16 };

/* A version: like git's, its files have ids. */
struct version {
	struct tree tree; /* first */
	const char *paths[FILES_MAX + 1]; /* sorted */
	const char *texts[FILES_MAX + 1];
	size_t count;
	unsigned reads; /* of texts */
};

static size_t find(const struct version *version, const char *path)
{
	size_t i = 0;

	while (i < version->count && strcmp(version->paths[i], path))
		i++;
	return i;
}

static int version_glob(struct tree *tree, const char *pattern, const char ***paths, size_t *count, struct err *err)
{
	struct version *version = (struct version *)tree;

	(void)err;
	for (size_t i = 0; i < version->count; i++) {
		if (fnmatch(pattern, version->paths[i], FNM_PATHNAME))
			continue;
		*paths = xrealloc(*paths, (*count + 1) * sizeof(**paths));
		(*paths)[(*count)++] = version->paths[i];
	}
	return 0;
}

static int version_read(struct tree *tree, const char *path, const char **text, size_t *size, struct err *err)
{
	struct version *version = (struct version *)tree;
	size_t found = find(version, path);

	if (found == version->count)
		return err_set(err, ERR_NOT_FOUND, "there is no %s", path);
	version->reads++;
	*text = version->texts[found];
	*size = strlen(*text);
	return 0;
}

/* Not a good hash, but texts of one test that differ have different ids. */
static int version_id(struct tree *tree, const char *path, char hex[41], struct err *err)
{
	struct version *version = (struct version *)tree;
	size_t found = find(version, path);
	uint64_t hash = 14695981039346656037u;

	if (found == version->count)
		return err_set(err, ERR_NOT_FOUND, "there is no %s", path);
	for (const char *at = version->texts[found]; *at; at++)
		hash = (hash ^ (unsigned char)*at) * 1099511628211u;
	snprintf(hex, 41, "%016llx%08zx", (unsigned long long)hash, strlen(version->texts[found]));
	return 0;
}

static void version_free(struct tree *tree)
{
	(void)tree;
}

static struct version new_version(void)
{
	static const struct tree_ops ops = { .glob = version_glob, .read = version_read, .id = version_id, .free = version_free };

	return (struct version){ .tree = { &ops, "1.0", "0123" } };
}

static void put(struct version *version, const char *path, const char *text)
{
	size_t at = find(version, path);

	if (at == version->count) {
		assert_true(version->count < FILES_MAX);
		for (at = version->count++; at && strcmp(version->paths[at - 1], path) > 0; at--) {
			version->paths[at] = version->paths[at - 1];
			version->texts[at] = version->texts[at - 1];
		}
	}
	version->paths[at] = path;
	version->texts[at] = text;
}

static void drop(struct version *version, const char *path)
{
	size_t at = find(version, path);

	if (at == version->count)
		return;
	version->count--;
	for (; at < version->count; at++) {
		version->paths[at] = version->paths[at + 1];
		version->texts[at] = version->texts[at + 1];
	}
}

/* Every test has this profile: "h/" is listed, "inc/" and "more/" are searched. */
static const struct profile *the_profile(void)
{
	static const char *const headers[] = { "h/*.h" }, *const include[] = { "inc", "more", "h" };
	static const struct profile_constant any_k = { "K_*", NULL, NULL, { NULL, 0 } };
	static const struct profile_unit unit = { .name = "main", .headers = { headers, 1 }, .include = { include, 3 } };
	static const struct profile profile = {
		.name = "test", .units = &unit, .unit_count = 1, .constants = &any_k, .constant_count = 1,
	};

	return &profile;
}

/* All that a document holds; packing it would do, but tells less when it fails. */
static void write_document(struct strbuf *out, const struct extract_result *result)
{
	const struct abi *abi = &result->abi;

	strbuf_addf(out, "%s %s %s %s %d\n", abi->driver, abi->version, abi->commit, abi->target, result->inside_roots);
	for (size_t i = 0; i < abi->record_count; i++) {
		const struct abi_record *record = &abi->records[i];

		strbuf_addf(out, "%s %s %zu %zu %s\n", record->is_union ? "union" : "struct", record->name, (size_t)record->size_bytes,
			    (size_t)record->align_bytes, record->source);
		for (size_t f = 0; f < record->field_count; f++)
			strbuf_addf(out, "  %s %s %zu %zu %d %d\n", record->fields[f].type, record->fields[f].name,
				    (size_t)record->fields[f].offset_bits, (size_t)record->fields[f].size_bits, record->fields[f].is_bitfield,
				    record->fields[f].role);
	}
	for (size_t i = 0; i < abi->alias_count; i++)
		strbuf_addf(out, "alias %s = %s %zu\n", abi->aliases[i].name, abi->aliases[i].type, (size_t)abi->aliases[i].size_bytes);
	for (size_t i = 0; i < abi->enum_count; i++) {
		strbuf_addf(out, "enum %s %s %zu %s\n", abi->enums[i].name, abi->enums[i].type, (size_t)abi->enums[i].size_bytes,
			    abi->enums[i].source);
		for (size_t v = 0; v < abi->enums[i].value_count; v++)
			strbuf_addf(out, "  %s %zu\n", abi->enums[i].values[v].name, (size_t)abi->enums[i].values[v].value.magnitude);
	}
	for (size_t i = 0; i < abi->constant_count; i++)
		strbuf_addf(out, "constant %s %zu\n", abi->constants[i].name, (size_t)abi->constants[i].value.magnitude);
	for (size_t i = 0; i < abi->warning_count; i++)
		strbuf_addf(out, "warning %s: %s\n", abi->warnings[i].place, abi->warnings[i].text);
}

/* A document as text, or its error. */
static int read_version(struct strbuf *out, struct version *version, struct extract_share *share)
{
	const struct extract_options options = { .target = "x86_64-linux-gnu", .share = share };
	struct extract_result result;
	struct arena arena = { 0 };
	struct err err = { "" };
	int rc;

	rc = extract_tree(&result, &version->tree, the_profile(), &options, &arena, &err);
	if (rc)
		strbuf_addf(out, "%d: %s", rc, err.text);
	else
		write_document(out, &result);
	arena_release(&arena);
	return rc;
}

/* Return: texts that were read with the share. */
static unsigned check(struct version *version, struct extract_share *share)
{
	struct strbuf alone = { 0 }, shared = { 0 };
	unsigned reads;

	read_version(&alone, version, NULL);
	version->reads = 0;
	read_version(&shared, version, share);
	reads = version->reads;
	if (alone.length != shared.length || memcmp(strbuf_text(&alone), strbuf_text(&shared), alone.length))
		for (size_t i = 0; i < version->count; i++)
			print_message("# %s:\n%s\n", version->paths[i], version->texts[i]);
	assert_string_equal(strbuf_text(&shared), strbuf_text(&alone));
	strbuf_release(&alone);
	strbuf_release(&shared);
	return reads;
}

static struct extract_share *new_share(void)
{
	struct extract_share *share;

	assert_int_equal(extract_share_new(&share, NULL), 0);
	return share;
}

#endif
