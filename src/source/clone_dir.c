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

#define CLONE_SUFFIX ".git"
#define TEMP_SUFFIX ".tmp-" /* and six characters of mkdtemp(3)'s */
#define LOCK_SUFFIX ".lock"
#define TEMP_MARK CLONE_SUFFIX TEMP_SUFFIX

enum {
	STALE_SECONDS = 24 * 60 * 60,
	WALK_FDS = 16,
};

/* Has the file that is locked still its name, or has the one who had the lock before removed it? */
static bool lock_counts(const struct clone_lock *lock)
{
	struct stat ours, named;

	return !fstat(lock->fd, &ours) && !stat(lock->path.text, &named) && ours.st_dev == named.st_dev && ours.st_ino == named.st_ino;
}

static void lock_close(struct clone_lock *lock)
{
	close(lock->fd);
	strbuf_release(&lock->path);
}

/* Not yet locked. */
static int lock_open(struct clone_lock *lock, const char *clone, struct err *err)
{
	int rc;

	*lock = (struct clone_lock){ .fd = -1 };
	strbuf_addf(&lock->path, "%s" LOCK_SUFFIX, clone);
	lock->fd = open(lock->path.text, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (lock->fd >= 0)
		return 0;
	rc = err_set(err, ERR_IO, "cannot open %s: %s", lock->path.text, strerror(errno));
	strbuf_release(&lock->path);
	return rc;
}

/* Another process has it: wait, and tell so. */
static void lock_wait(struct clone_lock *lock, const struct source *source)
{
	int rc;

	if (source->options.progress)
		source->options.progress(source->options.progress_data, "waiting for another process that clones it", 0, 0);
	do
		rc = flock(lock->fd, LOCK_EX);
	while (rc && errno == EINTR);
	lock->held = !rc;
}

int clone_lock_acquire(struct clone_lock *lock, const char *clone, const struct source *source, struct err *err)
{
	int rc;

	for (;;) {
		if ((rc = lock_open(lock, clone, err)))
			return rc;
		lock->held = !flock(lock->fd, LOCK_EX | LOCK_NB);
		if (!lock->held && errno == EWOULDBLOCK)
			lock_wait(lock, source);
		if (!lock->held || lock_counts(lock))
			return 0;
		lock_close(lock);
	}
}

/* Return: is it ours? If another process has it, or there are no locks, it is not. */
static bool lock_try(struct clone_lock *lock, const char *clone)
{
	if (lock_open(lock, clone, NULL))
		return false;
	lock->held = !flock(lock->fd, LOCK_EX | LOCK_NB);
	if (lock->held && lock_counts(lock))
		return true;
	if (!lock->held && errno != EWOULDBLOCK)
		unlink(lock->path.text); /* there are no locks, so that this one locks nothing */
	lock_close(lock);
	return false;
}

void clone_lock_drop(struct clone_lock *lock)
{
	if (lock->held)
		unlink(lock->path.text);
	lock_close(lock);
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

static bool ends_in(const char *text, const char *suffix)
{
	size_t length = strlen(text), tail = strlen(suffix);

	return length > tail && !strcmp(text + length - tail, suffix);
}

static int remove_leftover(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
	const char *name = path + ftw->base;

	(void)st;
	if (kind == FTW_F &&
	    (ends_in(name, LOCK_SUFFIX) || strstr(name, "_git2_") || /* libgit2's names */
	     (ftw->level == 1 && !strcmp(name, "FETCH_HEAD"))))
		unlink(path);
	return 0;
}

void clone_dir_unlock_stale(const char *clone)
{
	nftw(clone, remove_leftover, WALK_FDS, FTW_PHYS);
}

/* The clone that the entry @name of the directory belongs to, as a length of @name; 0: to none. */
static size_t clone_length(const char *name)
{
	const char *mark = strstr(name, TEMP_MARK);

	if (mark)
		return (size_t)(mark - name) + strlen(CLONE_SUFFIX);
	if (ends_in(name, CLONE_SUFFIX LOCK_SUFFIX))
		return strlen(name) - strlen(LOCK_SUFFIX);
	return ends_in(name, CLONE_SUFFIX) ? strlen(name) : 0;
}

int clone_dir_use(const char *clone, int how)
{
	const int fd = open(clone, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct stat ours, named;

	if (fd < 0)
		return -1;
	if ((flock(fd, how) && errno == EWOULDBLOCK) ||
	    fstat(fd, &ours) || stat(clone, &named) || ours.st_dev != named.st_dev || ours.st_ino != named.st_ino) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Under the lock of the clone that it belongs to. Its own lock goes with that. A clone that is read from stays. */
static int prune_locked(const char *path, const char *name, bool clones_too, struct err *err)
{
	int fd = -1;

	if (ends_in(name, CLONE_SUFFIX))
		clone_dir_unlock_stale(path);
	if (ends_in(name, CLONE_SUFFIX) && clones_too && (fd = clone_dir_use(path, LOCK_EX | LOCK_NB)) >= 0) {
		struct strbuf gone = { 0 };

		/* At once: whoever opens it next makes it anew. */
		strbuf_addf(&gone, "%s" TEMP_SUFFIX "XXXXXX", path);
		if (mkdtemp(gone.text) && !rename(path, gone.text))
			path = gone.text;
		clone_dir_remove(path);
		close(fd);
		fd = access(path, F_OK) ? 0 : err_set(err, ERR_IO, "cannot remove all of %s: %s", path, strerror(errno));
		strbuf_release(&gone);
		return fd;
	}
	if (!strstr(name, TEMP_MARK))
		return 0;
	clone_dir_remove(path);
	if (!access(path, F_OK))
		return err_set(err, ERR_IO, "cannot remove all of %s: %s", path, strerror(errno));
	return 0;
}

static int prune_entry(const char *dir, const char *name, bool clones_too, struct err *err)
{
	struct strbuf path = { 0 }, clone = { 0 };
	size_t length = clone_length(name);
	struct clone_lock lock;
	int rc = 0;

	if (!length)
		return 0;
	strbuf_addf(&path, "%s/%s", dir, name);
	strbuf_addf(&clone, "%s/%.*s", dir, (int)length, name);
	if (lock_try(&lock, clone.text)) {
		rc = prune_locked(path.text, name, clones_too, err);
		clone_lock_drop(&lock);
	}
	strbuf_release(&path);
	strbuf_release(&clone);
	return rc;
}

int clone_dir_prune(const char *dir, bool clones_too, struct err *err)
{
	DIR *stream = opendir(dir);
	struct dirent *entry;
	int rc = 0;

	if (!stream)
		return errno == ENOENT ? 0 : err_set(err, ERR_IO, "cannot read %s: %s", dir, strerror(errno));
	while (!rc && (entry = readdir(stream)))
		rc = prune_entry(dir, entry->d_name, clones_too, err);
	closedir(stream);
	clone_dir_sweep(dir, NULL); /* where there are no locks, what is a day old */
	return rc;
}
