#include "source/glob.h"

#include "source/tree_path.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

/* One run of glob_tree(). */
struct glob {
	struct tree *tree;
	const struct glob_ops *ops;
	const char *pattern;
	size_t *looked_bytes;
	struct arena *arena;
	struct err *err;
	const char **found;
	size_t found_count;
	size_t found_capacity;
};

/* The entries of one directory that match one component of the pattern. */
struct glob_level {
	struct glob *glob;
	const char *dir;
	const char *component;
	struct arena names;
	struct glob_match {
		const char *name;
		enum glob_kind kind;
	} *match;
	size_t count;
	size_t capacity;
};

static int glob_below(struct glob *glob, const char *dir, const char *pattern);

/* One more path, "dir/name", is looked at. */
static int count_path(struct glob *glob, const char *dir, const char *name)
{
	size_t bytes = strlen(dir) + 1 + strlen(name);

	if (bytes > GLOB_LIMIT_BYTES - *glob->looked_bytes)
		return err_set(glob->err, ERR_LIMIT,
			       "too many files for the pattern %s in version %s: their paths have more than %d bytes, at %.200s",
			       glob->pattern, glob->tree->version, GLOB_LIMIT_BYTES, dir);
	*glob->looked_bytes += bytes;
	return 0;
}

static int level_visit(void *data, const char *name, enum glob_kind kind)
{
	struct glob_level *level = data;
	int rc;

	if ((rc = count_path(level->glob, level->dir, name)))
		return rc;
	if (fnmatch(level->component, name, 0))
		return 0;
	ARRAY_GROW(level->match, level->count, level->capacity);
	level->match[level->count++] = (struct glob_match){ arena_strdup(&level->names, name), kind };
	return 0;
}

static void glob_add(struct glob *glob, const char *path)
{
	ARRAY_GROW(glob->found, glob->found_count, glob->found_capacity);
	glob->found[glob->found_count++] = arena_strdup(glob->arena, path);
}

/* @path is in the tree, or not; @rest is the pattern below it, NULL at the end. */
static int glob_at(struct glob *glob, const char *path, enum glob_kind kind, const char *rest)
{
	int rc;

	if (kind == GLOB_UNKNOWN && (rc = glob->ops->kind(&kind, glob->tree, path, glob->err)))
		return rc;
	if (rest)
		return kind == GLOB_DIRECTORY ? glob_below(glob, path, rest) : 0;
	if (kind == GLOB_FILE)
		glob_add(glob, path);
	return 0;
}

static int glob_level(struct glob *glob, const char *dir, const char *component, const char *rest)
{
	struct glob_level level = { .glob = glob, .dir = dir, .component = component };
	struct strbuf path = { 0 };
	size_t i;
	int rc;

	rc = glob->ops->list(glob->tree, dir, level_visit, &level, glob->err);
	for (i = 0; !rc && i < level.count; i++) {
		tree_path_join(&path, dir, level.match[i].name);
		rc = glob_at(glob, path.text, level.match[i].kind, rest);
	}
	strbuf_release(&path);
	free(level.match);
	arena_release(&level.names);
	return rc;
}

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

static int compare_strings(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

int glob_tree(const char ***paths, size_t *count, struct tree *tree, const struct glob_ops *ops, const char *pattern,
	      size_t *looked_bytes, struct arena *arena, struct err *err)
{
	struct glob glob = { .tree = tree, .ops = ops, .pattern = pattern, .looked_bytes = looked_bytes, .arena = arena, .err = err };
	int rc;

	if ((rc = tree_path_check(pattern, err)) ||
	    (rc = glob_below(&glob, "", pattern)))
		goto out;
	if (!glob.found_count)
		goto out;
	qsort(glob.found, glob.found_count, sizeof(*glob.found), compare_strings);
	*paths = xrealloc(*paths, (*count + glob.found_count) * sizeof(**paths));
	memcpy(*paths + *count, glob.found, glob.found_count * sizeof(*glob.found));
	*count += glob.found_count;
out:
	free(glob.found);
	return rc;
}
