/* source/tree_files.c - paths, patterns and loaded files of trees */
#include "source/internal.h"

#include <fnmatch.h>
#include <search.h>

int tree_path_check(const char *path, struct err *err)
{
	const char *at = path;
	unsigned depth;

	if (strlen(path) > TREE_PATH_BYTES)
		return err_set(err, ERR_LIMIT,
			       "the path \"%.60s...\" has %zu bytes; the limit is %d", path,
			       strlen(path), TREE_PATH_BYTES);
	for (depth = 0; depth <= TREE_PATH_DEPTH; depth++) {
		size_t length = strcspn(at, "/");

		if (!length || (length <= 2 && !strncmp(at, "..", length)))
			return err_set(
				err, ERR_FORMAT,
				"\"%s\" is not a path inside a driver tree: write it relative to the tree's root, without \".\" and \"..\"",
				path);
		if (!at[length])
			return 0;
		at += length + 1;
	}
	return err_set(err, ERR_LIMIT, "the path \"%.60s...\" is deeper than %d directories", path,
		       TREE_PATH_DEPTH);
}

/* Sets @out to "dir/name", or to "name" if @dir is "". */
static void tree_path_join(struct strbuf *out, const char *dir, const char *name)
{
	strbuf_reset(out);
	strbuf_addf(out, "%s%s%s", dir, *dir ? "/" : "", name);
}

/* --- patterns ------------------------------------------------------------------- */

/* One run of file_tree_glob(). */
struct glob {
	struct file_tree *files;
	const char *pattern;
	struct err *err;
	struct arena arena; /* owns the array of paths */
	const char **found;
	size_t found_count;
};

/* The entries of one directory that match one component of the pattern. */
struct glob_level {
	struct glob *glob;
	const char *dir;
	const char *component;
	struct arena arena; /* owns the entries */
	struct glob_match {
		const char *name;
		enum glob_kind kind;
	} *match;
	size_t count;
};

/*
 * For file_tree_ops.list(): keeps the entry @name of a directory if it matches this component of the
 * pattern. Counts the bytes of its path. Return: 0; ERR_LIMIT if all paths together have too many bytes.
 */
static int level_visit(void *data, const char *name, enum glob_kind kind)
{
	struct glob_level *level = data;
	struct file_tree *files = level->glob->files;
	size_t bytes = strlen(level->dir) + 1 + strlen(name);

	if (bytes > GLOB_LIMIT_BYTES - files->visited_bytes)
		return err_set(
			level->glob->err, ERR_LIMIT,
			"too many files for the pattern %s in version %s: their paths have more than %d bytes in total; the last one is %.200s",
			level->glob->pattern, files->tree.version, GLOB_LIMIT_BYTES, level->dir);
	files->visited_bytes += bytes;
	if (fnmatch(level->component, name, 0))
		return 0;
	level->match = arena_room(&level->arena, level->match, level->count, sizeof(*level->match));
	level->match[level->count++] = (struct glob_match){ arena_strdup(&level->arena, name), kind };
	return 0;
}

static int glob_below(struct glob *glob, const char *dir, const char *pattern);

/* Adds the files that match @rest below @path to glob->found; the file @path itself if @rest is NULL. */
static int glob_at(struct glob *glob, const char *path, enum glob_kind kind, const char *rest)
{
	int rc;

	if (kind == GLOB_UNKNOWN && (rc = glob->files->ops->kind(&kind, &glob->files->tree, path, glob->err)))
		return rc;
	if (rest)
		return kind == GLOB_DIRECTORY ? glob_below(glob, path, rest) : 0;
	if (kind != GLOB_FILE)
		return 0;
	glob->found = arena_room(&glob->arena, glob->found, glob->found_count, sizeof(*glob->found));
	glob->found[glob->found_count++] = arena_strdup(&glob->files->arena, path);
	return 0;
}

/*
 * For each entry of @dir that matches @component, adds the files that match @rest below it, with glob_at().
 * @rest: the pattern after @component; NULL if it is the last one
 */
static int glob_level(struct glob *glob, const char *dir, const char *component, const char *rest)
{
	struct glob_level level = { .glob = glob, .dir = dir, .component = component };
	struct strbuf path = { 0 };
	int rc;

	rc = glob->files->ops->list(&glob->files->tree, dir, level_visit, &level, glob->err);
	for (size_t i = 0; !rc && i < level.count; i++) {
		tree_path_join(&path, dir, level.match[i].name);
		rc = glob_at(glob, path.text, level.match[i].kind, rest);
	}
	strbuf_release(&path);
	arena_release(&level.arena);
	return rc;
}

/*
 * Matches the first component of @pattern in @dir, and adds the files that match all of @pattern to
 * glob->found. Only a component with wildcards lists the directory.
 */
static int glob_below(struct glob *glob, const char *dir, const char *pattern)
{
	size_t length = strcspn(pattern, "/");
	const char *rest = pattern[length] ? pattern + length + 1 : NULL;
	struct strbuf component = { 0 };
	struct strbuf path = { 0 };
	int rc;

	strbuf_add(&component, pattern, length);
	tree_path_join(&path, dir, component.text);
	if (strpbrk(component.text, "*?[\\"))
		rc = glob_level(glob, dir, component.text, rest);
	else
		rc = rest ? glob_below(glob, path.text, rest) : glob_at(glob, path.text, GLOB_UNKNOWN, NULL);
	strbuf_release(&path);
	strbuf_release(&component);
	return rc;
}

int file_tree_glob(struct tree *tree, const char *pattern, const char ***paths, size_t *count,
		   struct err *err)
{
	struct glob glob = { .files = (struct file_tree *)tree, .pattern = pattern, .err = err };
	int rc;

	if (!(rc = tree_path_check(pattern, err)) && !(rc = glob_below(&glob, "", pattern)) &&
	    glob.found_count) {
		sort_items(glob.found, glob.found_count, sizeof(*glob.found), order_named);
		*paths = xrealloc(*paths, (*count + glob.found_count) * sizeof(**paths));
		memcpy(*paths + *count, glob.found, glob.found_count * sizeof(*glob.found));
		*count += glob.found_count;
	}
	arena_release(&glob.arena);
	return rc;
}

/* --- loaded files --------------------------------------------------------------- */

enum { LOADED_OVERHEAD_BYTES = 128 };

const struct loaded_file *file_tree_find(const struct file_tree *files, const char *path)
{
	struct loaded_file key = { .path = (char *)path };
	void *const *node = tfind(&key, &files->loaded, order_named);

	return node ? *node : NULL;
}

/* The memory of a file: its text, its path, and the tree's node. */
static size_t loaded_bytes(const struct loaded_file *file)
{
	return file->size + strlen(file->path) + LOADED_OVERHEAD_BYTES;
}

bool file_tree_has_room(const struct file_tree *files, size_t size)
{
	return files->loaded_bytes <= LOADED_LIMIT_BYTES && size <= LOADED_LIMIT_BYTES - files->loaded_bytes;
}

const struct loaded_file *file_tree_add(struct file_tree *files, const char *path, const void *data,
					size_t size)
{
	struct loaded_file *file = xmalloc(sizeof(*file));
	size_t path_size = strlen(path) + 1;

	*file = (struct loaded_file){ xmalloc(path_size), xmalloc(size + 1), size };
	memcpy(file->path, path, path_size);
	if (size)
		memcpy(file->text, data, size);
	file->text[size] = '\0';
	tsearch(file, &files->loaded, order_named);
	files->loaded_bytes += loaded_bytes(file);
	return file;
}

static void free_loaded(void *item)
{
	struct loaded_file *file = item;

	free(file->text);
	free(file->path);
	free(file);
}

void file_tree_release(struct file_tree *files)
{
	tdestroy(files->loaded, free_loaded);
	arena_release(&files->arena);
}

/* --- functions for tree_ops ----------------------------------------------------- */

int file_tree_read(struct tree *tree, const char *path, const char **text, size_t *size, struct err *err)
{
	const struct file_tree *files = (const struct file_tree *)tree;
	const struct loaded_file *file = file_tree_find(files, path);
	int rc;

	if (!file && (rc = files->ops->load(&file, tree, path, err)))
		return rc;
	*text = file->text;
	*size = file->size;
	return 0;
}

void file_tree_forget(struct tree *tree, const char *path)
{
	struct file_tree *files = (struct file_tree *)tree;
	struct loaded_file *file = (struct loaded_file *)file_tree_find(files, path);

	if (!file)
		return;
	files->loaded_bytes -= loaded_bytes(file);
	tdelete(file, &files->loaded, order_named);
	free_loaded(file);
}

int file_tree_no_id(struct tree *tree, const char *path, char hex[41], struct err *err)
{
	(void)hex;
	return err_set(err, ERR_NOT_FOUND, "%s in %s has no content id: it is not in a git repository", path,
		       tree->version);
}
