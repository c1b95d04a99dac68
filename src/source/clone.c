#include "source/git.h"

#include "source/clone_dir.h"
#include "source/download.h"
#include "source/url.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	READABLE_MAX = 60, /* characters of a clone's name that come from its URL */
	HASH_DIGITS = 16,
};

/* "NVIDIA-open-gpu-kernel-modules" out of "https://host/NVIDIA/open-gpu-kernel-modules.git/" */
static void add_readable(struct strbuf *out, const char *url)
{
	size_t length = strcspn(url, "?"), start;
	size_t slashes = 0;

	while (length && url[length - 1] == '/')
		length--;
	if (length > 4 && !strncmp(url + length - 4, ".git", 4))
		length -= 4;
	for (start = length; start && length - start < READABLE_MAX; start--) {
		if (url[start - 1] == ':' || (url[start - 1] == '/' && ++slashes == 2))
			break;
	}
	while (start < length && strchr("/.-", url[start]))
		start++;
	for (; start < length; start++)
		strbuf_addch(out, isalnum((unsigned char)url[start]) || strchr("._", url[start]) ? url[start] : '-');
}

/* A new token does not make it another repository, and is not to be read in the name of a file. */
static int clone_path(struct strbuf *out, const char *dir, const struct source *source, struct err *err)
{
	struct strbuf identity = { 0 };
	char hex[GIT_OID_HEXSZ + 1];
	git_oid hash;
	int rc = 0;

	url_identity(&identity, source->url);
	if (git_odb_hash(&hash, strbuf_text(&identity), identity.length, GIT_OBJECT_BLOB)) {
		rc = err_set(err, ERR_GIT, "cannot name the clone of %s: %s", source->shown, git_why());
	} else {
		strbuf_addf(out, "%s/", dir);
		add_readable(out, strbuf_text(&identity));
		strbuf_addf(out, "-%.*s.git", HASH_DIGITS, git_oid_tostr(hex, sizeof(hex), &hash));
	}
	strbuf_release(&identity);
	return rc;
}

static bool exists(const char *path)
{
	struct stat st;

	return !stat(path, &st);
}

/* Fetch everything into the empty directory @temp. */
static int clone_into(const char *temp, const struct source *source, struct err *err)
{
	git_repository_init_options options;
	git_repository *repo = NULL;
	int rc;

	git_repository_init_options_init(&options, GIT_REPOSITORY_INIT_OPTIONS_VERSION);
	options.flags = GIT_REPOSITORY_INIT_BARE | GIT_REPOSITORY_INIT_MKDIR;
	if (git_repository_init_ext(&repo, temp, &options))
		return err_set(err, ERR_IO, "cannot make a repository in %s: %s", temp, git_why());
	rc = download(repo, source, "clone", err);
	git_repository_free(repo);
	return rc;
}

/* Under the lock of @path, if the file system has locks. */
static int clone_make(const char *path, const struct source *source, struct err *err)
{
	struct strbuf temp = { 0 };
	int rc;

	if ((rc = clone_dir_temp(&temp, path, err)))
		return rc;
	rc = clone_into(temp.text, source, err);
	/* Without locks another process may have been first: its clone is as good. */
	if (!rc && rename(temp.text, path) && errno != EEXIST && errno != ENOTEMPTY)
		rc = err_set(err, ERR_IO, "cannot rename %s to %s: %s", temp.text, path, strerror(errno));
	clone_dir_remove(temp.text);
	strbuf_release(&temp);
	return rc;
}

static int clone_first(struct source *source, const char *dir, const char *path, struct err *err)
{
	struct clone_lock lock;
	int rc;

	if ((rc = clone_lock_acquire(&lock, path, source, err)))
		return rc;
	clone_dir_sweep(dir, lock.held ? path : NULL);
	if (!exists(path)) { /* else it was made while we waited */
		rc = clone_make(path, source, err);
		source->fetched = !rc;
	}
	clone_lock_drop(&lock);
	return rc;
}

static char *detached(struct strbuf *buf)
{
	char *text = buf->text;

	*buf = (struct strbuf){ 0 };
	return text;
}

/* In a directory that somebody else may write to, a repository is whatever he says. */
static int check_owner(const char *dir, struct err *err)
{
	const int fd = file_open_own_dir(dir, err);

	if (fd < 0)
		return ERR_IO;
	close(fd);
	return 0;
}

int clone_open(struct source *source, const char *url, struct err *err)
{
	struct strbuf dir = { 0 }, path = { 0 }, copy = { 0 };
	int rc;

	if ((rc = url_check(url, err)))
		return rc;
	if (!source->options.cache_dir || !*source->options.cache_dir)
		return err_set(err, ERR_USAGE,
			       "no place to keep a clone of %s: set XDG_CACHE_HOME or HOME, or clone it with git and give the clone with --repo PATH",
			       source->shown);
	strbuf_adds(&copy, url);
	source->url = detached(&copy);
	strbuf_addf(&dir, "%s/repos", source->options.cache_dir);
	if ((rc = clone_path(&path, dir.text, source, err)))
		goto out;
	source->path = detached(&path);
	if ((rc = file_make_own_dir(dir.text, err)) || (rc = check_owner(dir.text, err)))
		goto out;
	do /* cache clear may be at work */
		if (!exists(source->path) && (rc = clone_first(source, dir.text, source->path, err)))
			goto out;
	while ((source->use_fd = clone_dir_use(source->path, LOCK_SH)) < 0 && !exists(source->path));
	if ((rc = check_owner(source->path, err)))
		goto out;
	rc = git_open(&source->repo, source->path, GIT_REPOSITORY_OPEN_NO_SEARCH | GIT_REPOSITORY_OPEN_BARE, source->path, err);
	if (rc)
		rc = err_set(err, ERR_GIT, "the clone of %s in %s is damaged; remove that directory to have it cloned again",
			     source->shown, source->path);
out:
	strbuf_release(&path);
	strbuf_release(&dir);
	return rc;
}

int clone_fetch(struct source *source, struct err *err)
{
	struct clone_lock lock;
	int rc;

	if ((rc = clone_lock_acquire(&lock, source->path, source, err)))
		return rc;
	if (lock.held)
		clone_dir_unlock_stale(source->path);
	rc = download(source->repo, source, "fetch from", err);
	source->fetched = true; /* tried, which is enough for one run */
	clone_lock_drop(&lock);
	return rc;
}

int source_prune(const char *cache_dir, bool clones_too, struct err *err)
{
	struct strbuf dir = { 0 };
	int rc = 0;

	strbuf_addf(&dir, "%s/repos", cache_dir);
	if (exists(dir.text) && !(rc = check_owner(dir.text, err)))
		rc = clone_dir_prune(dir.text, clones_too, err);
	strbuf_release(&dir);
	return rc;
}

bool source_is_cloned(const char *url, const char *cache_dir)
{
	struct source source = { .shown = git_shown(url), .url = (char *)url };
	struct strbuf dir = { 0 }, path = { 0 };
	bool is_cloned;

	strbuf_addf(&dir, "%s/repos", cache_dir);
	is_cloned = !git_setup(NULL) && url_is_url(url) && !clone_path(&path, dir.text, &source, NULL) && exists(path.text);
	free(source.shown);
	strbuf_release(&path);
	strbuf_release(&dir);
	return is_cloned;
}

int source_fetch(struct source *source, struct err *err)
{
	int rc = 0;

	pthread_mutex_lock(&source->lock);
	if (source->url && !source->fetched)
		rc = clone_fetch(source, err);
	pthread_mutex_unlock(&source->lock);
	return rc;
}
