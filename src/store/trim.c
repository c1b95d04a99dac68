#include "store/trim.h"

#include "base/base.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define TEMP_SUFFIX ".tmp" /* of file_write_atomic() */

enum {
	TEMP_STALE_SECONDS = 60 * 60,
	USED_AFTER_SECONDS = 60 * 60, /* reading an entry marks it as used at most that often */
	ENTRY_OVERHEAD_BYTES = 512, /* about the disk space of an empty file */
};

struct trim_entry {
	const char *name;
	struct timespec used;
	uint64_t size_bytes; /* with its overhead */
};

struct trim_list {
	struct trim_entry *entry;
	size_t count;
	size_t capacity;
	uint64_t size_bytes;
	struct arena names;
};

static bool is_temporary(const char *name)
{
	size_t length = strlen(name), suffix = strlen(TEMP_SUFFIX);

	return length > suffix && !strcmp(name + length - suffix, TEMP_SUFFIX);
}

static void trim_add_entry(struct trim_list *list, int dir_fd, const char *name)
{
	struct stat st;
	uint64_t size_bytes;

	if (fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) || !S_ISREG(st.st_mode))
		return;
	if (is_temporary(name)) {
		if (time(NULL) - st.st_mtime > TEMP_STALE_SECONDS)
			unlinkat(dir_fd, name, 0);
		return;
	}
	size_bytes = (uint64_t)st.st_size + ENTRY_OVERHEAD_BYTES;
	ARRAY_GROW(list->entry, list->count, list->capacity);
	list->entry[list->count++] = (struct trim_entry){ arena_strdup(&list->names, name), st.st_mtim, size_bytes };
	list->size_bytes += size_bytes;
}

static int compare_use(const void *a, const void *b)
{
	const struct trim_entry *left = a;
	const struct trim_entry *right = b;

	if (left->used.tv_sec != right->used.tv_sec)
		return left->used.tv_sec < right->used.tv_sec ? -1 : 1;
	if (left->used.tv_nsec != right->used.tv_nsec)
		return left->used.tv_nsec < right->used.tv_nsec ? -1 : 1;
	return strcmp(left->name, right->name);
}

void trim_mark_used(int dir_fd, const char *name)
{
	struct stat st;

	if (!fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) && time(NULL) - st.st_mtime > USED_AFTER_SECONDS)
		utimensat(dir_fd, name, NULL, AT_SYMLINK_NOFOLLOW);
}

void trim_directory(const char *dir, uint64_t limit_bytes)
{
	struct trim_list list = { 0 };
	struct dirent *entry;
	DIR *stream = opendir(dir);
	size_t i;

	if (!stream)
		return;
	while ((entry = readdir(stream)))
		trim_add_entry(&list, dirfd(stream), entry->d_name);
	if (list.size_bytes > limit_bytes) {
		qsort(list.entry, list.count, sizeof(*list.entry), compare_use);
		for (i = 0; i < list.count && list.size_bytes > limit_bytes / 4 * 3; i++) {
			unlinkat(dirfd(stream), list.entry[i].name, 0);
			list.size_bytes -= list.entry[i].size_bytes;
		}
	}
	closedir(stream);
	free(list.entry);
	arena_release(&list.names);
}
