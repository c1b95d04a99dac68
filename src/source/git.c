#include "source/git.h"

#include "source/allocation.h"
#include "source/url.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	/*
	 * How much of the pack files is mapped at once. Pages of a mapping
	 * count as ours: with libgit2's default, 8 GB, reading all tags would
	 * need as much memory as the repository has on disk.
	 */
	WINDOW_BYTES = 4 * 1024 * 1024,
	MAPPED_BYTES = 32 * 1024 * 1024,
	/* Parsed objects that libgit2 caches; the default is 256 MB. */
	CACHED_BYTES = 8 * 1024 * 1024,
	/* Of a repository that is cloned: Linux has 11 million. Room for lists of them is made before any has come. */
	CLONED_OBJECTS = 32 * 1024 * 1024,
	REPOSITORY_DEPTH = 32, /* of directories of references */
};

static int setup_rc;

static void setup_once(void)
{
	setup_rc = git_libgit2_init();
	if (setup_rc < 0)
		return;
	/*
	 * Reading an object does not hash it again, as git does not either: that would double the
	 * time. A damaged pack is noticed all the same: each object is deflated with a checksum.
	 */
	git_libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, 0);
	/* Who owns the repository matters to programs that run its hooks or trust its configuration. */
	git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
	git_libgit2_opts(GIT_OPT_SET_MWINDOW_SIZE, (size_t)WINDOW_BYTES);
	git_libgit2_opts(GIT_OPT_SET_MWINDOW_MAPPED_LIMIT, (size_t)MAPPED_BYTES);
	git_libgit2_opts(GIT_OPT_SET_CACHE_MAX_SIZE, (ssize_t)CACHED_BYTES);
	git_libgit2_opts(GIT_OPT_SET_PACK_MAX_OBJECTS, (size_t)CLONED_OBJECTS);
	setup_rc = allocation_setup();
}

int git_setup(struct err *err)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, setup_once);
	return setup_rc < 0 ? err_set(err, ERR_GIT, "libgit2 does not start: %s", git_why()) : 0;
}

const char *git_why(void)
{
	const git_error *error = git_error_last();

	return error && error->message ? error->message : "no reason given";
}

/*
 * Opening a FIFO waits for ever, and libgit2 opens whatever has the name of a reference or an object. @depth: 0 is the
 * repository's own directory, of whose directories those matter that libgit2 reads.
 */
static int check_files(struct strbuf *path, unsigned depth, struct err *err)
{
	DIR *stream = opendir(path->text);
	const size_t length = path->length;
	struct dirent *entry;
	int rc = 0;

	while (stream && !rc && (entry = readdir(stream))) {
		const char *name = entry->d_name;
		struct stat st;

		if (entry->d_type == DT_REG || !strcmp(name, ".") || !strcmp(name, ".."))
			continue;
		strbuf_addf(path, "/%s", name);
		if (entry->d_type == DT_DIR)
			st.st_mode = S_IFDIR;
		else if (stat(path->text, &st))
			st.st_mode = S_IFREG; /* a link to nowhere */
		if (S_ISDIR(st.st_mode) && entry->d_type != DT_LNK && depth < REPOSITORY_DEPTH &&
		    (depth || !strcmp(name, "refs") || !strcmp(name, "objects") || !strcmp(name, "info")))
			rc = check_files(path, depth + 1, err);
		else if (!S_ISDIR(st.st_mode) && !S_ISREG(st.st_mode) && !S_ISSOCK(st.st_mode)) /* of fsmonitor: cannot be opened */
			rc = err_set(err, ERR_GIT, "%s is a FIFO or a device, which reading would wait for; remove it", path->text);
		path->length = length;
		path->text[length] = '\0';
	}
	if (stream)
		closedir(stream);
	return rc;
}

/* A clone of ours, and a repository that is opened again, need no check. */
static int check_repository(const char *path, struct err *err)
{
	git_buf found = { 0 };
	struct strbuf dir = { 0 };
	int rc = 0;

	if (!git_repository_discover(&found, path, 0, NULL))
		strbuf_adds(&dir, found.ptr);
	git_buf_dispose(&found);
	while (dir.length > 1 && dir.text[dir.length - 1] == '/')
		dir.text[--dir.length] = '\0';
	if (dir.length)
		rc = check_files(&dir, 0, err);
	strbuf_release(&dir);
	return rc;
}

/* Alternates are noted with loose_dirs_init(). */
static void note_files(git_repository *repo)
{
	static const char *const names[] = { "objects", "refs", "packed-refs", "config", "HEAD", "shallow" };
	const char *const dirs[] = { git_repository_path(repo), git_repository_commondir(repo) };
	struct strbuf path = { 0 };

	for (size_t i = 0; i < 2 * sizeof(names) / sizeof(*names); i++) {
		strbuf_reset(&path);
		strbuf_addf(&path, "%s%s", dirs[i % 2], names[i / 2]);
		file_note_input_path(path.text);
	}
	strbuf_release(&path);
}

int git_open(git_repository **out, const char *path, unsigned flags, const char *shown, struct err *err)
{
	int code, rc;

	if (!(flags & GIT_REPOSITORY_OPEN_NO_SEARCH) && (rc = check_repository(path, err)))
		return rc;
	code = git_repository_open_ext(out, path, flags, NULL);
	if (code == GIT_ENOTFOUND)
		return err_set(err, ERR_NOT_FOUND,
			       "no git repository at %s; give a clone of the driver with --repo PATH, or an unpacked tree with --dir PATH",
			       shown);
	if (code)
		return err_set(err, ERR_GIT, "cannot open the git repository %s: %s", shown, git_why());
	note_files(*out);
	return 0;
}

char *git_shown(const char *repo)
{
	struct strbuf shown = { 0 };

	if (access(repo, F_OK))
		url_redact(&shown, repo);
	else
		strbuf_adds(&shown, repo);
	strbuf_adds(&shown, ""); /* also of "" a text */
	return shown.text;
}
