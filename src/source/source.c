/*
 * Starts libgit2, opens or clones a repository, and opens the tree of a version.
 */
#include "source/internal.h"

#include <dirent.h>
#include <unistd.h>
#include <zlib.h>

enum {
	/*
	 * How much of the pack files is mapped at once. Mapped pages count as memory of this process: with
	 * libgit2's default, 8 GB, reading all tags would need as much memory as the repository has on disk.
	 */
	WINDOW_BYTES = 4 * 1024 * 1024,
	MAPPED_BYTES = 32 * 1024 * 1024,
	/* Parsed objects that libgit2 caches; the default is 256 MB. */
	CACHED_BYTES = 8 * 1024 * 1024,
	/*
	 * The limit for the objects of a cloned repository; Linux has 11 million. libgit2 allocates lists for
	 * all objects before it receives the first one.
	 */
	CLONED_OBJECTS = 32 * 1024 * 1024,
};

const char *git_why(void)
{
	const git_error *error = git_error_last();

	return error && error->message ? error->message : "no reason given";
}

int git_setup(struct err *err)
{
	static bool is_set_up;
	static int setup_rc;

	if (!is_set_up && (setup_rc = git_libgit2_init()) >= 0) {
		/*
		 * Objects are not hashed again when they are read, as in git, because that would double the
		 * time. Damaged packs are still noticed, because each deflated object has a checksum.
		 */
		git_libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, 0);
		/* A repository's owner matters only to programs that run its hooks or trust its settings. */
		git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
		git_libgit2_opts(GIT_OPT_SET_MWINDOW_SIZE, (size_t)WINDOW_BYTES);
		git_libgit2_opts(GIT_OPT_SET_MWINDOW_MAPPED_LIMIT, (size_t)MAPPED_BYTES);
		git_libgit2_opts(GIT_OPT_SET_CACHE_MAX_SIZE, (ssize_t)CACHED_BYTES);
		git_libgit2_opts(GIT_OPT_SET_PACK_MAX_OBJECTS, (size_t)CLONED_OBJECTS);
	}
	is_set_up = true;
	return setup_rc < 0 ? err_set(err, ERR_GIT, "cannot start libgit2: %s", git_why()) : 0;
}

enum { FILES_COUNT = 7 };

/*
 * Returns the path of a file or directory that libgit2 reads, except alternates: an input, which a worker may
 * open, even if it is a link. @index: 0 to 2 * FILES_COUNT - 1; odd: in the directory that work trees share
 */
static const char *file_of(git_repository *repo, size_t index, struct arena *arena)
{
	static const char *const names[FILES_COUNT] = { "objects", "refs",   "packed-refs",
							"config",  "HEAD", "shallow", "refs/tags" };

	return arena_printf(arena, "%s%s",
			    index % 2 ? git_repository_commondir(repo) : git_repository_path(repo),
			    names[index / 2]);
}

void source_ignore_user_config(void)
{
	static const git_config_level_t levels[] = { GIT_CONFIG_LEVEL_PROGRAMDATA, GIT_CONFIG_LEVEL_SYSTEM,
						     GIT_CONFIG_LEVEL_XDG, GIT_CONFIG_LEVEL_GLOBAL };

	for (size_t i = 0; i < sizeof(levels) / sizeof(*levels); i++)
		git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, levels[i], "");
}

static void add_path(const char ***paths, size_t *count, const char *path, struct arena *arena)
{
	*paths = arena_room(arena, *paths, *count, sizeof(**paths));
	(*paths)[(*count)++] = path;
}

const char *const *source_readable(const struct source *source, struct arena *arena)
{
	struct loose_dirs objects;
	const char **paths = NULL;
	size_t count = 0;

	loose_dirs_init(&objects, git_repository_commondir(source->repo));
	add_path(&paths, &count, arena_strdup(arena, git_repository_path(source->repo)), arena);
	add_path(&paths, &count, arena_strdup(arena, git_repository_commondir(source->repo)), arena);
	for (size_t i = 0; i < 2 * FILES_COUNT; i++)
		add_path(&paths, &count, file_of(source->repo, i, arena), arena);
	for (size_t i = 0; i < objects.count; i++) {
		const char *packs = arena_printf(arena, "%s/pack", objects.dirs[i].path);
		DIR *stream = opendir(packs);
		struct dirent *entry;

		add_path(&paths, &count, arena_strdup(arena, objects.dirs[i].path), arena);
		add_path(&paths, &count, packs, arena);
		while (stream && (entry = readdir(stream)))
			if (entry->d_type == DT_LNK) /* a link's target can be anywhere */
				add_path(&paths, &count, arena_printf(arena, "%s/%s", packs, entry->d_name),
					 arena);
		if (stream)
			closedir(stream);
	}
	add_path(&paths, &count, NULL, arena);
	loose_dirs_release(&objects);
	return paths;
}

/*
 * Checks whether this user is not allowed to read @path or its .git. In this case, libgit2 reports that there
 * is no repository.
 */
static bool is_forbidden(const char *path)
{
	struct strbuf dot_git = { 0 };
	bool forbidden;

	strbuf_addf(&dot_git, "%s/.git", path);
	forbidden = access(dot_git.text, R_OK) && errno == EACCES;
	strbuf_release(&dot_git);
	return forbidden;
}

int git_open(git_repository **out, const char *path, unsigned flags, const char *shown, struct err *err)
{
	const int code = git_repository_open_ext(out, path, flags, NULL);
	struct arena arena = { 0 };

	if (code && is_forbidden(path))
		return err_set(err, ERR_IO, "cannot read the git repository %s: %s", shown,
			       strerror(EACCES));
	if (code == GIT_ENOTFOUND)
		return err_set(
			err, ERR_NOT_FOUND,
			"no git repository at %s; give a clone of the driver with --repo PATH, or an unpacked tree with --dir PATH",
			shown);
	if (code)
		return err_set(err, ERR_GIT, "cannot open the git repository %s: %s", shown, git_why());
	/* These files are inputs. loose_dirs_init() notes the alternates. */
	for (size_t i = 0; i < 2 * FILES_COUNT; i++)
		file_note_input_path(file_of(*out, i, &arena));
	arena_release(&arena);
	return 0;
}

char *source_shown(const char *repo)
{
	struct strbuf shown = { 0 };

	if (access(repo, F_OK))
		url_redact(&shown, repo);
	else
		strbuf_adds(&shown, repo);
	strbuf_adds(&shown, ""); /* makes `text` non-NULL even if it is empty */
	return shown.text;
}

void source_free(struct source *source)
{
	if (!source)
		return;
	git_repository_free(source->repo);
	if (source->use_fd >= 0)
		close(source->use_fd);
	free(source->shown);
	free(source->url);
	free(source->path);
	free(source);
}

int source_open(struct source **out, const char *repo, const struct source_options *options, struct err *err)
{
	struct strbuf refs = { 0 };
	struct source *source;
	int rc;

	if ((rc = git_setup(err)))
		return rc;
	source = xmalloc(sizeof(*source));
	*source = (struct source){ .shown = source_shown(repo), .use_fd = -1 };
	if (options)
		source->options = *options;
	if (url_is_url(repo))
		rc = clone_open(source, repo, err);
	else
		rc = git_open(&source->repo, repo, 0, source->shown, err);
	if (!rc) {
		strbuf_addf(&refs, "%spacked-refs", git_repository_commondir(source->repo));
		rc = packed_refs_check(refs.text, err);
		strbuf_release(&refs);
	}
	source->options.cache_dir = NULL;
	if (rc)
		source_free(source);
	else
		*out = source;
	return rc;
}

int source_tree(struct tree **out, struct source *source, const char *version, struct err *err)
{
	struct version found = { 0 };
	struct strbuf shown = { 0 };
	int rc;

	if (strstr(version, "://")) { /* messages show the version, but must not show a password in a URL */
		url_redact(&shown, version);
		rc = err_set(err, ERR_USAGE, "%s is a URL, not a version; give a repository with --repo",
			     shown.text);
		strbuf_release(&shown);
		return rc;
	}
	rc = version_find(&found, source->repo, version, source->shown, err);
	if (!rc && !found.found)
		rc = nearest_err(source->repo, version, source->shown, err);
	if (!rc)
		rc = commit_files_open(out, source, &found.commit, found.name.text, err);
	strbuf_release(&found.name);
	return rc;
}

int source_versions(const char *const **names, size_t *count, struct source *source, struct arena *arena,
		    struct err *err)
{
	return version_tags(names, count, source->repo, arena, err);
}

const char *source_libraries(struct arena *arena)
{
	int major, minor, revision;

	git_libgit2_version(&major, &minor, &revision);
	return arena_printf(arena, "libgit2 %d.%d.%d, zlib %s", major, minor, revision, zlibVersion());
}
