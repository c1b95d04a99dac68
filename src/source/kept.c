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

static const struct kept_file *add(struct kept *kept, const struct kept_file *file)
{
	struct kept_file *added = xmalloc(sizeof(*added));
	size_t path_size = strlen(file->path) + 1;

	*added = *file;
	added->path = xmalloc(path_size);
	memcpy(added->path, file->path, path_size);
	tsearch(added, &kept->by_path, compare_paths);
	kept->bytes += size_of(added);
	return added;
}

const struct kept_file *kept_add(struct kept *kept, const char *path, const void *data, size_t size)
{
	char *text = xmalloc(size + 1);

	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	return add(kept, &(struct kept_file){ (char *)path, text, size, NULL });
}

const struct kept_file *kept_add_blob(struct kept *kept, const char *path, struct blob *blob)
{
	return add(kept, &(struct kept_file){ (char *)path, blob->text, blob->size, blob });
}

static void free_file(struct kept *kept, struct kept_file *file)
{
	if (file->blob)
		blobs_return(kept->blobs, file->blob);
	else
		free(file->text);
	free(file->path);
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
	free_file(kept, file);
}

void kept_release(struct kept *kept)
{
	while (kept->by_path) {
		struct kept_file *file = *(struct kept_file **)kept->by_path; /* of a node of tsearch(3) the datum comes first */

		tdelete(file, &kept->by_path, compare_paths);
		free_file(kept, file);
	}
	*kept = (struct kept){ 0 };
}
