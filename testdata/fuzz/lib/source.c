#include "lib/source.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

void fuzz_source_begin(struct fuzz_source *source, const uint8_t *data, size_t size)
{
	*source = (struct fuzz_source){ .text = fuzz_text(data, size) };
	source->file = (struct table_file){
		.path = "t.c", .text = source->text, .size = size, .builder = abi_builder_new(&source->arena), .arena = &source->arena,
	};
}

void fuzz_source_end(struct fuzz_source *source)
{
	static const struct abi head;
	struct abi abi;

	abi_builder_seal(&abi, source->file.builder, &head);
	abi_builder_free(source->file.builder);
	for (size_t i = 0; i < abi.warning_count; i++) {
		MUST(!strncmp(abi.warnings[i].place, "t.c", 3));
		MUST(*abi.warnings[i].text);
	}
	arena_release(&source->arena);
	free(source->text);
}

static int glob_files(struct tree *tree, const char *pattern, const char ***paths, size_t *count, struct err *err)
{
	const struct fuzz_tree *self = (struct fuzz_tree *)tree;

	(void)err;
	for (size_t i = 0; i < self->count; i++) {
		if (fnmatch(pattern, self->files[i].path, FNM_PATHNAME))
			continue;
		*paths = xrealloc(*paths, (*count + 1) * sizeof(**paths));
		(*paths)[(*count)++] = self->files[i].path;
	}
	return 0;
}

static int read_text(struct tree *tree, const char *path, const char **text, size_t *size, struct err *err)
{
	const struct fuzz_tree *self = (struct fuzz_tree *)tree;

	for (size_t i = 0; i < self->count; i++) {
		if (strcmp(self->files[i].path, path))
			continue;
		*text = self->files[i].text;
		*size = self->files[i].size;
		return 0;
	}
	return err_set(err, ERR_NOT_FOUND, "there is no %s", path);
}

/* content_id - get 40 digits that differ for different texts. Return: ERR_NOT_FOUND for directories. */
static int content_id(struct tree *tree, const char *path, char hex[41], struct err *err)
{
	XXH128_hash_t hash;
	const char *text;
	size_t size;
	int rc;

	if ((rc = read_text(tree, path, &text, &size, err)))
		return rc;
	hash = XXH3_128bits(text, size);
	snprintf(hex, 41, "%08x%016llx%016llx", (unsigned)size, (unsigned long long)hash.high64, (unsigned long long)hash.low64);
	return 0;
}

static void nothing_to_free(struct tree *tree)
{
	(void)tree;
}

struct fuzz_tree fuzz_tree_of(const struct fuzz_tree_file *files, size_t count)
{
	static const struct tree_ops ops = { .glob = glob_files, .read = read_text, .id = content_id, .free = nothing_to_free };

	return (struct fuzz_tree){ { &ops, "1.0", "" }, files, count };
}
