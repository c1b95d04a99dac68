#include "source/kept.h"

#include "base/base.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT_OVERHEAD_BYTES = 128 };

static int compare_paths(const void *a, const void *b)
{
	return strcmp(((const struct kept_file *)a)->path, ((const struct kept_file *)b)->path);
}

const struct kept_file *kept_find(const struct kept *kept, const char *path)
{
	struct kept_file key = { .path = (char *)path };
	void *const *node = tfind(&key, &kept->by_path, compare_paths);

	return node ? *node : NULL;
}

/* What a file takes beside its text: its path, and the tree's node. */
static size_t size_of(const struct kept_file *file)
{
	return file->size + strlen(file->path) + KEPT_OVERHEAD_BYTES;
}

bool kept_has_room(const struct kept *kept, size_t size)
{
	return kept->bytes <= KEPT_LIMIT_BYTES && size <= KEPT_LIMIT_BYTES - kept->bytes;
}

const struct kept_file *kept_add(struct kept *kept, const char *path, const void *data, size_t size)
{
	size_t path_size = strlen(path) + 1;
	struct kept_file *file = xmalloc(sizeof(*file));

	/* One allocation for both: text first, so that freeing it frees the path. */
	file->text = xmalloc(size + 1 + path_size);
	file->size = size;
	if (size)
		memcpy(file->text, data, size);
	file->text[size] = '\0';
	file->path = file->text + size + 1;
	memcpy(file->path, path, path_size);
	tsearch(file, &kept->by_path, compare_paths);
	kept->bytes += size_of(file);
	return file;
}

static void free_file(void *node)
{
	struct kept_file *file = node;

	free(file->text);
	free(file);
}

void kept_drop(struct kept *kept, const char *path)
{
	struct kept_file key = { .path = (char *)path };
	void *const *node = tfind(&key, &kept->by_path, compare_paths);
	struct kept_file *file = node ? *node : NULL;

	if (!file)
		return;
	kept->bytes -= size_of(file);
	tdelete(file, &kept->by_path, compare_paths);
	free_file(file);
}

void kept_release(struct kept *kept)
{
	tdestroy(kept->by_path, free_file);
	*kept = (struct kept){ 0 };
}
