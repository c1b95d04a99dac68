/*
 * cli/config.c - .drvabi.json: the defaults of a project
 *
 * 1. The file is searched for in the working directory and the directories above it, up to the root of the
 *    git repository.
 * 2. A file that belongs to a different user, except root, is ignored, and a note is printed. Otherwise, a
 *    user who can write into a directory above the working directory could decide what drvabi reads.
 * 3. The paths in the file are relative to its directory. No key can make drvabi write, download or run
 *    anything. Paths name inputs only. The repository must be a directory on this machine. A repository that
 *    the profile names is not cloned.
 * 4. The command line and the environment override the file (args_choose_configured()).
 */
#include "cli/cli.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CONFIG_BYTES_MAX = 64 * 1024 };

#define CONFIG_NAME ".drvabi.json"

/*
 * Reads the open file @fd. *@is_ours: set to false, with a note, if the file is ignored because of its owner
 * or type; otherwise to true. Return: 0; ERR_IO; ERR_LIMIT if the file is too large.
 */
static int read_config(struct strbuf *out, bool *is_ours, int fd, const char *path,
		       const struct cli_args *args, struct err *err)
{
	struct stat st;
	ssize_t got;
	char block[4096];

	if (fstat(fd, &st))
		return err_set(err, ERR_IO, "%s: %s", path, strerror(errno));
	*is_ours = S_ISREG(st.st_mode) && (st.st_uid == geteuid() || !st.st_uid);
	if (!*is_ours) {
		output_note(args, "%s is ignored: %s", path,
			    S_ISREG(st.st_mode) ? "it belongs to another user" : "it is not a regular file");
		return 0;
	}
	file_note_input(fd);
	while ((got = read(fd, block, sizeof(block))) > 0 && out->length <= CONFIG_BYTES_MAX)
		strbuf_add(out, block, (size_t)got);
	if (got < 0)
		return err_set(err, ERR_IO, "%s: %s", path, strerror(errno));
	if (out->length > CONFIG_BYTES_MAX)
		return err_set(err, ERR_LIMIT, "%s has more than %d bytes", path, CONFIG_BYTES_MAX);
	return 0;
}

/*
 * Opens the first .drvabi.json in @dir, which is modified, or above it, up to the root of a git repository. A
 * link or an unreadable file ends the search with a note. Return: a descriptor; -1 if there is no such file.
 */
static int find_config(const char **path, char *dir, const struct cli_args *args)
{
	struct stat st;
	char *slash;

	for (;;) {
		const char *git = arena_printf(args->arena, "%s/.git", dir);
		int fd;

		*path = arena_printf(args->arena, "%s/" CONFIG_NAME, dir);
		fd = open(*path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
		if (fd >= 0)
			return fd;
		if (!lstat(*path, &st)) {
			output_note(args, "%s is ignored: it %s", *path,
				    S_ISLNK(st.st_mode) ? "is a symbolic link" : "cannot be read");
			return -1;
		}
		if (!*dir || !lstat(git, &st))
			return -1;
		slash = strrchr(dir, '/');
		*slash = '\0';
	}
}

/* Returns @value as a path relative to the directory of the file @path. */
static const char *path_beside(const char *path, const char *value, struct arena *arena)
{
	if (*value == '/')
		return value;
	return arena_printf(arena, "%.*s/%s", (int)(strrchr(path, '/') - path), path, value);
}

/* Makes the paths of the file @path absolute. Return: 0; ERR_USAGE if the repository is not a directory. */
static int resolve_paths(struct project_config *config, const char *path, struct arena *arena,
			 struct err *err)
{
	struct stat st;

	/*
	 * A profile without a slash or a dot is a built-in profile, and a table without a slash or .json is
	 * an included table. In this file, "-" does not mean standard input.
	 */
	if (config->table && (strchr(config->table, '/') || strstr(config->table, ".json") ||
			      !strcmp(config->table, "-")))
		config->table = path_beside(path, config->table, arena);
	if (config->profile && strpbrk(config->profile, "/."))
		config->profile = path_beside(path, config->profile, arena);
	if (config->suppressions)
		config->suppressions = path_beside(path, config->suppressions, arena);
	if (!config->repo)
		return 0;
	config->repo = path_beside(path, config->repo, arena);
	if (stat(config->repo, &st) || !S_ISDIR(st.st_mode))
		return usage_error(err,
			"%s: repo: %s is not a directory; repo must be a repository on this machine", path,
			config->repo);
	return 0;
}

int config_load(struct project_config *out, const char **path, const struct cli_args *args, struct err *err)
{
	struct project_config config = { .table = NULL };
	struct strbuf text = { 0 };
	bool is_ours = false;
	char dir[4096];
	int fd, rc;

	*out = config;
	if (!getcwd(dir, sizeof(dir)) || *dir != '/' || (fd = find_config(path, dir, args)) < 0)
		return 0;
	rc = read_config(&text, &is_ours, fd, *path, args, err);
	close(fd);
	if (!rc && is_ours &&
	    !(rc = json_read_config(&config, strbuf_text(&text), text.length, *path, args->arena, err)) &&
	    !(rc = resolve_paths(&config, *path, args->arena, err)))
		*out = config;
	strbuf_release(&text);
	return rc;
}
