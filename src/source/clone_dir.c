#include "source/clone_dir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define TEMP_MARK ".git.tmp-"

enum {
	STALE_SECONDS = 24 * 60 * 60,
	WALK_FDS = 16,
};

int clone_lock_take(struct clone_lock *lock, const char *clone, const struct source *source, struct err *err)
{
	struct strbuf path = { 0 };
	int rc;

	strbuf_addf(&path, "%s.lock", clone);
	lock->fd = open(path.text, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (lock->fd < 0) {
		rc = err_set(err, ERR_IO, "cannot open %s: %s", path.text, strerror(errno));
		strbuf_release(&path);
		return rc;
	}
	strbuf_release(&path);
	rc = flock(lock->fd, LOCK_EX | LOCK_NB);
	if (rc && errno == EWOULDBLOCK) {
		if (source->options.progress)
			source->options.progress(source->options.progress_data, "waiting for another process that clones it", 0, 0);
		do
			rc = flock(lock->fd, LOCK_EX);
		while (rc && errno == EINTR);
	}
	lock->held = !rc;
	return 0;
}

void clone_lock_drop(struct clone_lock *lock)
{
	close(lock->fd);
}

int clone_dir_temp(struct strbuf *out, const char *clone, struct err *err)
{
	strbuf_addf(out, "%s.tmp-XXXXXX", clone);
	if (!mkdtemp(out->text))
		return err_set(err, ERR_IO, "cannot make directory %s: %s", out->text, strerror(errno));
	return 0;
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
	(void)st;
	(void)kind;
	(void)ftw;
	remove(path);
	return 0;
}

void clone_dir_remove(const char *path)
{
	nftw(path, remove_one, WALK_FDS, FTW_DEPTH | FTW_PHYS);
}

static bool is_stale(const char *path)
{
	struct stat st;

	return !lstat(path, &st) && time(NULL) - st.st_mtime > STALE_SECONDS;
}

void clone_dir_sweep(const char *dir, const char *clone)
{
	struct strbuf path = { 0 };
	struct dirent *entry;
	DIR *stream = opendir(dir);

	while (stream && (entry = readdir(stream))) {
		const char *mark = strstr(entry->d_name, TEMP_MARK);

		if (!mark)
			continue;
		strbuf_reset(&path);
		strbuf_addf(&path, "%s/%s", dir, entry->d_name);
		if (is_stale(path.text) ||
		    (clone && !strncmp(path.text, clone, strlen(clone)) && !strncmp(path.text + strlen(clone), ".tmp-", 5)))
			clone_dir_remove(path.text);
	}
	if (stream)
		closedir(stream);
	strbuf_release(&path);
}

static int remove_leftover(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
	const char *name = path + ftw->base;
	size_t length = strlen(name);

	(void)st;
	if (kind == FTW_F &&
	    ((length > 5 && !strcmp(name + length - 5, ".lock")) || strstr(name, "_git2_"))) /* libgit2's names */
		unlink(path);
	return 0;
}

void clone_dir_unlock_stale(const char *clone)
{
	nftw(clone, remove_leftover, WALK_FDS, FTW_PHYS);
}
