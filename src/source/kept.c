#include "source/kept.h"

#include "base/base.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

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
	tdelete(file, &kept->by_path, compare_paths);
	free_file(file);
}

void kept_release(struct kept *kept)
{
	tdestroy(kept->by_path, free_file);
	kept->by_path = NULL;
}
