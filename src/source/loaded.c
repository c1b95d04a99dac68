#include "source/loaded.h"

#include "base/base.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

enum { LOADED_OVERHEAD_BYTES = 128 };

static int compare_paths(const void *a, const void *b)
{
	return strcmp(((const struct loaded_file *)a)->path, ((const struct loaded_file *)b)->path);
}

const struct loaded_file *loaded_find(const struct loaded_files *loaded, const char *path)
{
	struct loaded_file key = { .path = (char *)path };
	void *const *node = tfind(&key, &loaded->by_path, compare_paths);

	return node ? *node : NULL;
}

/* The memory of a file: its text, its path, and the tree's node. */
static size_t size_of(const struct loaded_file *file)
{
	return file->size + strlen(file->path) + LOADED_OVERHEAD_BYTES;
}

bool loaded_has_room(const struct loaded_files *loaded, size_t size)
{
	return loaded->bytes <= LOADED_LIMIT_BYTES && size <= LOADED_LIMIT_BYTES - loaded->bytes;
}

static const struct loaded_file *add(struct loaded_files *loaded, const struct loaded_file *file)
{
	struct loaded_file *added = xmalloc(sizeof(*added));
	size_t path_size = strlen(file->path) + 1;

	*added = *file;
	added->path = xmalloc(path_size);
	memcpy(added->path, file->path, path_size);
	tsearch(added, &loaded->by_path, compare_paths);
	loaded->bytes += size_of(added);
	return added;
}

const struct loaded_file *loaded_add(struct loaded_files *loaded, const char *path, const void *data, size_t size)
{
	char *text = xmalloc(size + 1);

	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	return add(loaded, &(struct loaded_file){ (char *)path, text, size, NULL });
}

const struct loaded_file *loaded_add_blob(struct loaded_files *loaded, const char *path, struct blob *blob)
{
	return add(loaded, &(struct loaded_file){ (char *)path, blob->text, blob->size, blob });
}

static void free_file(struct loaded_files *loaded, struct loaded_file *file)
{
	if (file->blob)
		blobs_return(loaded->blobs, file->blob);
	else
		free(file->text);
	free(file->path);
	free(file);
}

void loaded_forget(struct loaded_files *loaded, const char *path)
{
	struct loaded_file key = { .path = (char *)path };
	void *const *node = tfind(&key, &loaded->by_path, compare_paths);
	struct loaded_file *file = node ? *node : NULL;

	if (!file)
		return;
	loaded->bytes -= size_of(file);
	tdelete(file, &loaded->by_path, compare_paths);
	free_file(loaded, file);
}

void loaded_release(struct loaded_files *loaded)
{
	while (loaded->by_path) {
		struct loaded_file *file = *(struct loaded_file **)loaded->by_path; /* of a node of tsearch(3) the datum comes first */

		tdelete(file, &loaded->by_path, compare_paths);
		free_file(loaded, file);
	}
	*loaded = (struct loaded_files){ 0 };
}
