/*
 * A repository that is given as a URL is cloned once, as the bare repository CACHE/repos/NAME.git. The clone
 * is updated if it does not have the requested version. Many processes share that directory, and any of them
 * may be killed:
 *
 * 1. A clone is made as NAME.git.tmp-XXXXXX, and renamed when it is complete. Files of a killed process are
 *    removed by the next process that clones.
 * 2. A process that clones or fetches holds a lock on NAME.git.lock.
 * 3. A process that reads a clone holds a shared lock on the clone's directory, so that `cache clear all`
 *    does not remove the clone.
 * 4. The directory and the clone are used only if no other user can write to them.
 */
#include "source/internal.h"

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* --- the directory of clones ---------------------------------------------------- */

#define CLONE_SUFFIX ".git"
#define TEMP_SUFFIX ".tmp-" /* followed by six characters from mkdtemp(3) */
#define LOCK_SUFFIX ".lock"
#define TEMP_MARK CLONE_SUFFIX TEMP_SUFFIX

enum {
	STALE_SECONDS = 24 * 60 * 60,
	WALK_FDS = 16,
};

/*
 * Checks whether the locked file still has its name, because the previous owner of the lock may have removed
 * the file.
 */
static bool has_name(int fd, const char *path)
{
	struct stat ours, named;

	return !fstat(fd, &ours) && !stat(path, &named) && ours.st_dev == named.st_dev &&
	       ours.st_ino == named.st_ino;
}

static void report_progress(const struct source *source, const char *what, size_t done, size_t total)
{
	if (source->options.progress)
		source->options.progress(source->options.progress_data, what, done, total);
}

int clone_lock_acquire(struct clone_lock *lock, const char *clone, const struct source *waiting,
		       struct err *err)
{
	int code, rc;

	*lock = (struct clone_lock){ .held = false };
	strbuf_addf(&lock->path, "%s" LOCK_SUFFIX, clone);
	for (;;) {
		lock->fd = open(lock->path.text, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
		if (lock->fd < 0)
			break;
		code = flock(lock->fd, LOCK_EX | LOCK_NB);
		if (code && errno == EWOULDBLOCK) {
			if (!waiting)
				break;
			report_progress(waiting, "waiting for another process that is cloning it", 0, 0);
			while ((code = flock(lock->fd, LOCK_EX)) && errno == EINTR)
				;
			if (code)
				break;
		}
		lock->held = !code;
		if (code || has_name(lock->fd, lock->path.text))
			return 0;
		close(lock->fd);
	}
	rc = err_set(err, ERR_IO, "cannot lock %s: %s", lock->path.text, strerror(errno));
	if (lock->fd >= 0)
		close(lock->fd);
	strbuf_release(&lock->path);
	return rc;
}

void clone_lock_drop(struct clone_lock *lock)
{
	unlink(lock->path.text);
	close(lock->fd);
	strbuf_release(&lock->path);
}

/* For nftw(): removes a file or an empty directory; errors are ignored. */
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

/* For nftw(): removes a lock file, a temporary file of libgit2, or FETCH_HEAD, and keeps all other files. */
static int remove_leftover(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
	const char *name = path + ftw->base;

	(void)st;
	if (kind == FTW_F &&
	    (view_ends_with(view_of(name), LOCK_SUFFIX) || strstr(name, "_git2_") || /* libgit2's names */
	     (ftw->level == 1 && !strcmp(name, "FETCH_HEAD"))))
		unlink(path);
	return 0;
}

/*
 * clean_clone - remove lock files and incomplete packs of a killed fetch from a clone. It also removes
 * FETCH_HEAD, because earlier versions of drvabi wrote the URL into it. The caller holds the lock of @clone.
 */
static void clean_clone(const char *clone)
{
	nftw(clone, remove_leftover, WALK_FDS, FTW_PHYS);
}

/*
 * Returns the length of the name of the clone to which the file @name belongs: @name is the clone itself,
 * its lock, or a leftover, and begins with this name. 0 if the file belongs to no clone.
 */
static size_t clone_length(const char *name)
{
	const char *mark = strstr(name, TEMP_MARK);

	if (*name == '.') /* add_readable() removes it: ".git" is not a clone */
		return 0;
	if (mark)
		return (size_t)(mark - name) + strlen(CLONE_SUFFIX);
	if (view_ends_with(view_of(name), CLONE_SUFFIX LOCK_SUFFIX))
		return strlen(name) - strlen(LOCK_SUFFIX);
	return view_ends_with(view_of(name), CLONE_SUFFIX) ? strlen(name) : 0;
}

/*
 * lock_clone_dir - lock the directory of a clone, with LOCK_SH to read it. Return: a descriptor, which the
 * caller closes to unlock it; -1 if the directory cannot be opened, was removed or, with LOCK_NB, is in use.
 */
static int lock_clone_dir(const char *clone, int how)
{
	const int fd = open(clone, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return -1;
	if ((flock(fd, how) && errno == EWOULDBLOCK) || !has_name(fd, clone)) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Checks whether a leftover is so old that no process can still be writing to it. */
static bool is_stale(const char *path)
{
	struct stat st;

	return !lstat(path, &st) && time(NULL) - st.st_mtime > STALE_SECONDS;
}

/* Checks that no other user can replace the repository in @dir. Return: 0; ERR_IO. */
static int check_owner(const char *dir, struct err *err)
{
	const int fd = file_open_own_dir(dir, err);

	if (fd < 0)
		return ERR_IO;
	close(fd);
	return 0;
}

/*
 * Removes @path if it is a leftover of a killed process. If it is a clone, removes stale files in it, or
 * with @clones_too the whole clone, unless a different process reads it. @is_locked: the caller holds the
 * clone's lock. Without locks, only old leftovers are removed. Return: 0; ERR_IO if files remain.
 */
static int prune_path(const char *path, bool is_locked, bool clones_too, struct err *err)
{
	const bool is_clone = is_locked && view_ends_with(view_of(path), CLONE_SUFFIX);
	bool is_unwanted = strstr(strrchr(path, '/'), TEMP_MARK) && (is_locked || is_stale(path));
	struct strbuf gone = { 0 };
	int fd = -1, rc = 0;

	if (is_clone)
		clean_clone(path);
	if (is_clone && clones_too && (fd = lock_clone_dir(path, LOCK_EX | LOCK_NB)) >= 0) {
		/* Rename the clone first, so that the next process that needs it makes a new clone. */
		strbuf_addf(&gone, "%s" TEMP_SUFFIX "XXXXXX", path);
		if (mkdtemp(gone.text) && !rename(path, gone.text))
			path = gone.text;
		is_unwanted = true;
	}
	if (is_unwanted) {
		clone_dir_remove(path);
		if (!access(path, F_OK))
			rc = err_set(err, ERR_IO, "cannot remove all of %s: %s", path, strerror(errno));
	}
	if (fd >= 0)
		close(fd);
	strbuf_release(&gone);
	return rc;
}

/*
 * Prunes the file or clone @name in the directory of clones, as prune_path(). Skips names that belong to no
 * clone, and clones that a different process makes or updates. Return: 0; ERR_IO.
 */
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
	if (!clone_lock_acquire(&lock, clone.text, NULL, NULL)) {
		rc = prune_path(path.text, lock.held, clones_too, err);
		clone_lock_drop(&lock);
	}
	strbuf_release(&path);
	strbuf_release(&clone);
	return rc;
}

int source_prune(const char *cache_dir, bool clones_too, struct err *err)
{
	struct strbuf dir = { 0 };
	struct dirent *entry;
	DIR *stream;
	int rc = 0;

	strbuf_addf(&dir, "%s/repos", cache_dir);
	if (access(dir.text, F_OK) || (rc = check_owner(dir.text, err)))
		goto out;
	if (!(stream = opendir(dir.text))) {
		if (errno != ENOENT)
			rc = err_set(err, ERR_IO, "cannot read %s: %s", dir.text, strerror(errno));
		goto out;
	}
	while (!rc && (entry = readdir(stream)))
		rc = prune_entry(dir.text, entry->d_name, clones_too, err);
	closedir(stream);
out:
	strbuf_release(&dir);
	return rc;
}

/* --- all tags and branches of a URL --------------------------------------------- */

enum {
	/*
	 * libgit2 writes packs through a memory mapping, so a full disk would kill the program with SIGBUS.
	 * So the download stops while this much space is left.
	 */
	SPACE_LEFT_BYTES = 48 * 1024 * 1024,
	SPACE_EVERY_BYTES = 8 * 1024 * 1024,
};

/* One fetch, for libgit2's callbacks. */
struct download {
	const struct source *source;
	const char *dir;      /* the directory that receives the objects */
	size_t checked_bytes; /* how many bytes had been received when the free space was last checked */
	bool disk_is_full;
	bool asked;           /* libgit2 has already requested credentials */
	const char *wanted;   /* the version that must exist; NULL: none */
	bool is_lacking;      /* the remote does not have @wanted */
};

/* For libgit2: reports a download's progress. Return: 0; GIT_EUSER, to end it, if the disk is almost full. */
static int on_transfer(const git_indexer_progress *stats, void *data)
{
	struct download *download = data;
	struct statvfs space;

	if (!stats->received_bytes ||
	    stats->received_bytes - download->checked_bytes >= SPACE_EVERY_BYTES) {
		download->checked_bytes = stats->received_bytes;
		if (!statvfs(download->dir, &space) &&
		    (uint64_t)space.f_bavail * space.f_frsize < SPACE_LEFT_BYTES) {
			download->disk_is_full = true;
			return GIT_EUSER;
		}
	}
	if (stats->total_objects && stats->received_objects == stats->total_objects)
		report_progress(download->source, "resolving deltas", stats->indexed_deltas,
				stats->total_deltas);
	else
		report_progress(download->source, "receiving objects", stats->received_objects,
				stats->total_objects);
	return 0;
}

/* Called by libgit2 while a remote on this machine (file://) packs objects: reports the progress. */
static int on_pack(int stage, uint32_t done, uint32_t total, void *data)
{
	report_progress(((const struct download *)data)->source,
			stage == GIT_PACKBUILDER_ADDING_OBJECTS ? "counting objects" : "compressing objects",
			done, total);
	return 0;
}

/*
 * Called by libgit2 if the remote requires credentials. Gives a user name, a key of the ssh agent or a
 * Kerberos ticket, which need no input from the user. Return: 0; GIT_EAUTH if the remote accepts none of
 * them, or refused one; an error of libgit2.
 */
static int on_credentials(git_credential **out, const char *url, const char *user, unsigned allowed,
			  void *data)
{
	struct download *download = data;

	(void)url;
	if (allowed & GIT_CREDENTIAL_USERNAME)
		return git_credential_username_new(out, user ? user : "git");
	if (download->asked)
		return GIT_EAUTH;
	download->asked = true;
	if (allowed & GIT_CREDENTIAL_SSH_KEY)
		return git_credential_ssh_key_from_agent(out, user ? user : "git");
	if (allowed & GIT_CREDENTIAL_DEFAULT)
		return git_credential_default_new(out);
	return GIT_EAUTH;
}

/*
 * Checks whether the remote lists a tag or branch whose name is or begins with the wanted version, before
 * anything is downloaded. Return: true also if @wanted may be a commit id, or the remote lists no names.
 */
static bool has_wanted(git_remote *remote, const char *wanted)
{
	const size_t length = strlen(wanted);
	const git_remote_head **heads;
	size_t count;

	if (git_remote_ls(&heads, &count, remote) ||
	    (length >= 4 && strspn(wanted, "0123456789abcdef") == length))
		return true;
	for (size_t i = 0; i < count; i++) {
		const char *name =
			strncmp(heads[i]->name, "refs/", 5) ? NULL : strchr(heads[i]->name + 5, '/');

		if (name && (!strcmp(name + 1, wanted) || abi_version_begins(name + 1, wanted)))
			return true;
	}
	return false;
}

/*
 * Fetches all branches and tags, and points HEAD to the default branch of the remote. Return: 0; an error
 * code of libgit2, and is_lacking is set if the remote does not have download->wanted.
 */
static int fetch_all(git_remote *remote, git_repository *repo, struct download *download)
{
	char *specs[] = { (char *)"+refs/heads/*:refs/heads/*", (char *)"+refs/tags/*:refs/tags/*" };
	const git_strarray refspecs = { specs, 2 };
	git_fetch_options options;
	git_buf head = { 0 };
	int code;

	git_fetch_options_init(&options, GIT_FETCH_OPTIONS_VERSION);
	options.callbacks.transfer_progress = on_transfer;
	options.callbacks.pack_progress = on_pack;
	options.callbacks.credentials = on_credentials;
	options.callbacks.payload = download;
	options.proxy_opts.type = GIT_PROXY_AUTO;
	options.update_fetchhead = 0; /* FETCH_HEAD would hold the URL */
	options.download_tags = GIT_REMOTE_DOWNLOAD_TAGS_NONE; /* the refspec already has all tags */
	code = git_remote_connect(remote, GIT_DIRECTION_FETCH, &options.callbacks, &options.proxy_opts, NULL);
	if (code)
		return code;
	if (download->wanted && !has_wanted(remote, download->wanted)) {
		download->is_lacking = true;
		return GIT_ENOTFOUND;
	}
	/* An empty repository has no default branch. This is not an error. */
	if (git_remote_default_branch(&head, remote))
		head.ptr = NULL;
	code = git_remote_fetch(remote, &refspecs, &options, "drvabi");
	if (!code && head.ptr)
		code = git_repository_set_head(repo, head.ptr);
	git_buf_dispose(&head);
	return code;
}

/*
 * Explains in @err why a download failed. @used: the URL after the user's configuration was applied
 * (url.<base>.insteadOf); NULL if it is unknown. Return: ERR_NOT_FOUND if the wanted version is lacking;
 * ERR_IO if the disk is full; otherwise ERR_GIT.
 */
static int download_failed(const struct download *run, int code, const char *used, const char *verb,
			   struct err *err)
{
	const char *shown = run->source->shown;
	struct strbuf given = { 0 }, reason = { 0 };
	int rc;

	url_redact_text(&given, git_why(), run->source->url);
	url_redact_text(&reason, strbuf_text(&given), used ? used : run->source->url);
	if (run->is_lacking)
		rc = err_set(err, ERR_NOT_FOUND, "%s has no tag or branch %s", shown, run->wanted);
	else if (run->disk_is_full)
		rc = err_set(err, ERR_IO, "cannot %s %s: less than %d MB are left on the disk of %s",
			     verb, shown, SPACE_LEFT_BYTES / 1024 / 1024, run->dir);
	else if (code == GIT_EAUTH)
		rc = err_set(
			err, ERR_GIT,
			"cannot %s %s: it requires a name and a password; clone it with git and give the clone with --repo PATH",
			verb, shown);
	else
		rc = err_set(
			err, ERR_GIT,
			"cannot %s %s: %s; check the URL and the network%s, or clone it with git and give the clone with --repo PATH",
			verb, shown, strbuf_text(&reason),
			url_is_clear(run->source->url)
				? ", use https:// so that nobody can read or change the data"
				: "");
	strbuf_release(&given);
	strbuf_release(&reason);
	return rc;
}

/**
 * download - fetch all branches and tags from @source's URL, pack the references, and warn of an insecure URL
 * @verb: for messages: "clone", "fetch from"
 * @wanted: fetch only if this tag, branch or commit exists; NULL: always fetch
 *
 * Return: 0; ERR_IO if the disk is full; ERR_NOT_FOUND if @wanted does not exist; as url_check(); ERR_GIT.
 */
static int download(git_repository *repo, const struct source *source, const char *verb, const char *wanted,
		    struct err *err)
{
	struct download run = { .source = source, .dir = git_repository_path(repo), .wanted = wanted };
	const struct source_options *options = &source->options;
	struct strbuf warning = { 0 };
	git_remote *remote = NULL;
	git_refdb *refdb;
	int code, rc = 0;

	report_progress(source, "connecting", 0, 0);
	/* An anonymous remote is not stored in the clone, so a password in the URL is not stored either. */
	if (!(code = git_remote_create_anonymous(&remote, repo, source->url)) &&
	    !(rc = url_check(git_remote_url(remote), err)) && !(code = fetch_all(remote, repo, &run)) &&
	    !(code = git_repository_refdb(&refdb, repo))) {
		code = git_refdb_compress(refdb); /* listing hundreds of tags from separate files is slow */
		git_refdb_free(refdb);
	}
	if (code)
		rc = download_failed(&run, code, remote ? git_remote_url(remote) : NULL, verb, err);
	/* Others can have changed the data. No secret was sent. */
	if (!rc && options->warn && (url_is_clear(source->url) || url_is_clear(git_remote_url(remote)))) {
		strbuf_addf(
			&warning,
			"%s was downloaded over a connection that others can read and change; use https:// if the host supports it",
			source->shown);
		options->warn(options->warn_data, warning.text);
		strbuf_release(&warning);
	}
	git_remote_free(remote);
	return rc;
}

/* --- clones --------------------------------------------------------------------- */

enum {
	READABLE_MAX = 60, /* how many characters of the URL are in a clone's name */
	HASH_DIGITS = 16,
};

/* Appends "NVIDIA-open-gpu-kernel-modules" for "https://host/NVIDIA/open-gpu-kernel-modules.git/". */
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
		strbuf_addch(out, isalnum((unsigned char)url[start]) || strchr("._", url[start]) ? url[start]
												 : '-');
}

/*
 * Appends the path of the clone of @url. It depends only on the URL without secrets. So a new token does not
 * cause a new clone, and no file name contains a token. Return: 0; ERR_GIT.
 */
static int clone_path(struct strbuf *out, const char *cache_dir, const char *url, struct err *err)
{
	struct strbuf identity = { 0 };
	char hex[GIT_OID_HEXSZ + 1];
	git_oid hash;
	int rc = 0;

	url_identity(&identity, url);
	if (git_odb_hash(&hash, strbuf_text(&identity), identity.length, GIT_OBJECT_BLOB)) {
		rc = err_set(err, ERR_GIT, "cannot compute the directory name for a clone: %s", git_why());
	} else {
		strbuf_addf(out, "%s/repos/", cache_dir);
		add_readable(out, strbuf_text(&identity));
		strbuf_addf(out, "-%.*s.git", HASH_DIGITS, git_oid_tostr(hex, sizeof(hex), &hash));
	}
	strbuf_release(&identity);
	return rc;
}

/*
 * Clones @source's URL into a temporary directory, and renames the complete clone to @path. The caller holds
 * the lock of @path, if the file system supports locks. Return: 0; ERR_IO; the errors of download().
 */
static int clone_make(const char *path, const struct source *source, struct err *err)
{
	git_repository_init_options options;
	git_repository *repo = NULL;
	struct strbuf temp = { 0 };
	int rc;

	strbuf_addf(&temp, "%s" TEMP_SUFFIX "XXXXXX", path);
	if (!mkdtemp(temp.text)) {
		rc = err_set(err, ERR_IO, "cannot make directory %s: %s", temp.text, strerror(errno));
		goto out;
	}
	git_repository_init_options_init(&options, GIT_REPOSITORY_INIT_OPTIONS_VERSION);
	options.flags = GIT_REPOSITORY_INIT_BARE | GIT_REPOSITORY_INIT_MKDIR;
	if (git_repository_init_ext(&repo, temp.text, &options))
		rc = err_set(err, ERR_IO, "cannot make a repository in %s: %s", temp.text, git_why());
	else
		rc = download(repo, source, "clone", source->options.wanted, err);
	git_repository_free(repo);
	/* Without locks, a different process may have made the clone first. That clone is used. */
	if (!rc && rename(temp.text, path) && errno != EEXIST && errno != ENOTEMPTY)
		rc = err_set(err, ERR_IO, "cannot rename %s to %s: %s", temp.text, path, strerror(errno));
	clone_dir_remove(temp.text);
out:
	strbuf_release(&temp);
	return rc;
}

/*
 * Makes the clone @path, or waits for a different process that is making it. Sets source->fetched if this
 * process made it. Before and afterwards, removes leftovers of killed processes.
 */
static int clone_once(struct source *source, const char *path, struct err *err)
{
	struct clone_lock lock;
	int rc;

	(void)source_prune(source->options.cache_dir, false, NULL);
	if ((rc = clone_lock_acquire(&lock, path, source, err)))
		return rc;
	if (access(path, F_OK)) { /* otherwise a different process made the clone during the wait */
		rc = clone_make(path, source, err);
		source->fetched = !rc;
	}
	clone_lock_drop(&lock);
	/* A process that this one waited for may have been killed during the wait. */
	(void)source_prune(source->options.cache_dir, false, NULL);
	return rc;
}

int clone_open(struct source *source, const char *url, struct err *err)
{
	struct strbuf dir = { 0 }, path = { 0 }, copy = { 0 };
	int rc;

	if ((rc = url_check(url, err)))
		return rc;
	if (!source->options.cache_dir || !*source->options.cache_dir)
		return err_set(
			err, ERR_USAGE,
			"no place to keep a clone of %s: set XDG_CACHE_HOME or HOME, or clone it with git and give the clone with --repo PATH",
			source->shown);
	strbuf_adds(&copy, url);
	source->url = copy.text;
	strbuf_addf(&dir, "%s/repos", source->options.cache_dir);
	rc = clone_path(&path, source->options.cache_dir, url, err);
	source->path = path.text;
	if (rc || (rc = file_make_own_dir(dir.text, err)) || (rc = check_owner(dir.text, err)))
		goto out;
	do /* repeated, because `cache clear` may remove the clone */
		if (access(source->path, F_OK) && (rc = clone_once(source, source->path, err)))
			goto out;
	while ((source->use_fd = lock_clone_dir(source->path, LOCK_SH)) < 0 && access(source->path, F_OK));
	if ((rc = check_owner(source->path, err)))
		goto out;
	rc = git_open(&source->repo, source->path, GIT_REPOSITORY_OPEN_NO_SEARCH | GIT_REPOSITORY_OPEN_BARE,
		      source->path, err);
	if (rc)
		rc = err_set(
			err, ERR_GIT,
			"the clone of %s in %s is damaged; remove that directory to have it cloned again",
			source->shown, source->path);
out:
	strbuf_release(&dir);
	return rc;
}

int source_fetch(struct source *source, struct err *err)
{
	struct clone_lock lock;
	int rc;

	if (!source->url || source->fetched)
		return 0;
	if ((rc = clone_lock_acquire(&lock, source->path, source, err)))
		return rc;
	if (lock.held)
		clean_clone(source->path);
	rc = download(source->repo, source, "fetch from", NULL, err);
	source->fetched = true; /* set also on failure: one attempt per run is enough */
	clone_lock_drop(&lock);
	return rc;
}

int source_hold_clone(const char *url, const char *cache_dir)
{
	struct strbuf path = { 0 };
	int fd = -1;

	if (!git_setup(NULL) && url_is_url(url) && !clone_path(&path, cache_dir, url, NULL))
		fd = lock_clone_dir(path.text, LOCK_SH);
	strbuf_release(&path);
	return fd;
}
