/*
 * Counting and removing what is in the cache: for drvabi cache.
 *
 * Other processes may be at work in the same directory, so that an entry which
 * vanishes meanwhile is no error.
 */
#include "store/cache.h"

#include "store/limits.h"
#include "store/trim.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OPEN_DIRECTORIES_MAX = 16 };

/* nftw(3) hands its visitor nothing of its caller's: one walk at a time, on one thread. */
static _Thread_local struct {
	struct cache_contents contents;
	bool removes_damaged;
	bool removes_all;
	int error; /* errno of the first removal that failed */
} walk;

static void remove_path(const char *path)
{
	if (remove(path) && errno != ENOENT && !walk.error)
		walk.error = errno;
}

static bool is_valid(const char *path, const char *name)
{
	struct arena arena = { 0 };
	struct strbuf dir = { 0 };
	struct abi abi;
	int fd, rc = ERR_IO;

	strbuf_add(&dir, path, (size_t)(name - path));
	if ((fd = open(dir.text, O_PATH | O_DIRECTORY | O_CLOEXEC)) >= 0) {
		rc = cache_read_entry(&abi, fd, name, &arena, NULL);
		close(fd);
	}
	strbuf_release(&dir);
	arena_release(&arena);
	return !rc;
}

static bool ends_in(const char *path, const char *suffix)
{
	size_t length = strlen(path), tail = strlen(suffix);

	return length > tail && !strcmp(path + length - tail, suffix);
}

static int visit_document(const char *path, const struct stat *st, int type, struct FTW *position)
{
	if (type != FTW_F || position->level != 1)
		return 0;
	if (walk.removes_all) {
		remove_path(path);
		return 0;
	}
	if (ends_in(path, ".tmp")) {
		walk.contents.leftovers++;
		return 0;
	}
	walk.contents.documents++;
	walk.contents.document_bytes += (uint64_t)st->st_size;
	if (is_valid(path, path + position->base))
		return 0;
	walk.contents.damaged++;
	if (walk.removes_damaged)
		remove_path(path);
	return 0;
}

static int visit_clone(const char *path, const struct stat *st, int type, struct FTW *position)
{
	(void)path;
	if (type == FTW_DP && position->level == 1)
		walk.contents.clones++;
	if (type == FTW_F)
		walk.contents.clone_bytes += (uint64_t)st->st_size;
	return 0;
}

/* Return: 0; ERR_IO if the directory is there and cannot be walked, or a removal failed. */
static int walk_below(const char *dir, const char *name, int (*visit)(const char *, const struct stat *, int, struct FTW *),
		      struct err *err)
{
	struct strbuf path = { 0 };
	int rc = 0;

	strbuf_addf(&path, "%s/%s", dir, name);
	if (nftw(path.text, visit, OPEN_DIRECTORIES_MAX, FTW_PHYS | FTW_DEPTH) && errno != ENOENT)
		rc = err_set(err, ERR_IO, "cannot read %s: %s", path.text, strerror(errno));
	else if (walk.error)
		rc = err_set(err, ERR_IO, "cannot remove what is in %s: %s", path.text, strerror(walk.error));
	strbuf_release(&path);
	return rc;
}

static void walk_begin(bool removes_damaged, bool removes_all)
{
	memset(&walk, 0, sizeof(walk));
	walk.removes_damaged = removes_damaged;
	walk.removes_all = removes_all;
}

int cache_look(struct cache_contents *out, const char *dir, struct err *err)
{
	int rc;

	walk_begin(false, false);
	if ((rc = walk_below(dir, "documents", visit_document, err)) ||
	    (rc = walk_below(dir, "repos", visit_clone, err)))
		return rc;
	*out = walk.contents;
	out->limit_bytes = CACHE_LIMIT_BYTES;
	return 0;
}

int cache_prune(const char *dir, struct err *err)
{
	struct strbuf path = { 0 };
	int rc;

	walk_begin(true, false);
	rc = walk_below(dir, "documents", visit_document, err);
	if (!rc) {
		strbuf_addf(&path, "%s/documents", dir);
		trim_directory(path.text, CACHE_LIMIT_BYTES);
	}
	strbuf_release(&path);
	return rc;
}

int cache_clear(const char *dir, struct err *err)
{
	walk_begin(false, true);
	return walk_below(dir, "documents", visit_document, err);
}
