#include "store/dependencies.h"

#include <stdlib.h>
#include <string.h>

enum question { ASK_FILES, ASK_TEXT, ASK_REAL };

struct dependency {
	enum question question;
	const char *path;   /* or pattern */
	const char *answer; /* NULL: there is nothing */
};

struct noting_tree {
	struct tree tree; /* first */
	struct tree *inner;
	struct dependencies *dependencies;
};

static struct tree *inner_of(struct tree *tree)
{
	return ((struct noting_tree *)tree)->inner;
}

/* Lengths in front, so that no two lists read alike. */
static const char *join_paths(const char *const *paths, size_t count, struct arena *arena)
{
	struct strbuf text = { 0 };
	const char *joined;

	for (size_t i = 0; i < count; i++)
		strbuf_addf(&text, "%zu %s\n", strlen(paths[i]), paths[i]);
	joined = arena_strdup(arena, strbuf_text(&text));
	strbuf_release(&text);
	return joined;
}

static int compare(const void *a, const void *b)
{
	const struct dependency *left = a, *right = b;
	int order = strcmp(left->path, right->path);

	if (order || left->question != right->question)
		return order ? order : (int)left->question - (int)right->question;
	return strcmp(left->answer ? left->answer : "", right->answer ? right->answer : "");
}

static void drop_duplicates(struct dependencies *dependencies)
{
	size_t left = 0;

	if (dependencies->count > 1)
		qsort(dependencies->items, dependencies->count, sizeof(*dependencies->items), compare);
	for (size_t i = 0; i < dependencies->count; i++)
		if (!left || compare(&dependencies->items[left - 1], &dependencies->items[i]))
			dependencies->items[left++] = dependencies->items[i];
	dependencies->count = left;
}

/* @rc: of the question; @answer: of rc 0 */
static void note(struct tree *tree, enum question question, const char *path, int rc, const char *answer)
{
	struct dependencies *all = ((struct noting_tree *)tree)->dependencies;

	if (rc && rc != ERR_NOT_FOUND)
		all->is_unknown = true;
	ARRAY_GROW(all->items, all->count, all->capacity);
	all->items[all->count++] = (struct dependency){
		question, arena_strdup(&all->arena, path), rc ? NULL : arena_strdup(&all->arena, answer),
	};
}

static int noting_glob(struct tree *tree, const char *pattern, const char ***paths, size_t *count, struct err *err)
{
	struct noting_tree *noting = (struct noting_tree *)tree;
	size_t before = *count;
	int rc = noting->inner->ops->glob(noting->inner, pattern, paths, count, err);
	const char *const *found = *count > before ? *paths + before : NULL; /* without any, there may be no array */

	note(tree, ASK_FILES, pattern, rc, join_paths(found, *count - before, &noting->dependencies->arena));
	return rc;
}

static int noting_read(struct tree *tree, const char *path, const char **text, size_t *size, struct err *err)
{
	struct tree *inner = inner_of(tree);
	int rc = inner->ops->read(inner, path, text, size, err);
	char id[41] = "";

	if (!rc && inner->ops->id(inner, path, id, NULL))
		((struct noting_tree *)tree)->dependencies->is_unknown = true;
	note(tree, ASK_TEXT, path, rc, id);
	return rc;
}

/* Who asks for the id of a file may know what is in it. */
static int noting_id(struct tree *tree, const char *path, char hex[41], struct err *err)
{
	struct tree *inner = inner_of(tree);
	int rc = inner->ops->id(inner, path, hex, err);

	if (!rc)
		note(tree, ASK_TEXT, path, 0, hex);
	return rc;
}

static int noting_real(struct tree *tree, const char *path, const char **real, struct err *err)
{
	int rc = tree_real(inner_of(tree), path, real, err);

	note(tree, ASK_REAL, path, rc, rc ? NULL : *real);
	return rc;
}

static void noting_forget(struct tree *tree, const char *path)
{
	tree_forget(inner_of(tree), path);
}

static void noting_free(struct tree *tree)
{
	drop_duplicates(((struct noting_tree *)tree)->dependencies);
	free(tree);
}

static const struct tree_ops noting_ops = {
	.glob = noting_glob, .read = noting_read, .id = noting_id, .real = noting_real, .forget = noting_forget, .free = noting_free,
};

struct tree *dependencies_tree(struct dependencies *dependencies, struct tree *inner)
{
	struct noting_tree *noting = xmalloc(sizeof(*noting));

	*noting = (struct noting_tree){ .tree = *inner, .inner = inner, .dependencies = dependencies };
	noting->tree.ops = &noting_ops;
	return &noting->tree;
}

/* --- another tree --- */

static bool has_same_files(const struct dependency *dependency, struct tree *tree)
{
	struct arena arena = { 0 };
	const char **paths = NULL;
	size_t count = 0;
	int rc = tree->ops->glob(tree, dependency->path, &paths, &count, NULL);
	bool same = rc ? rc == ERR_NOT_FOUND && !dependency->answer :
			 dependency->answer && !strcmp(join_paths(paths, count, &arena), dependency->answer);

	free(paths);
	arena_release(&arena);
	return same;
}

/* A directory has an id but no text. */
static bool has_same_text(const struct dependency *dependency, struct tree *tree)
{
	char id[41];
	const char *text;
	size_t size;
	int rc = tree->ops->id(tree, dependency->path, id, NULL);

	if (rc)
		return rc == ERR_NOT_FOUND && !dependency->answer;
	if (!dependency->answer)
		return tree->ops->read(tree, dependency->path, &text, &size, NULL) == ERR_NOT_FOUND;
	return !strcmp(id, dependency->answer);
}

static bool has_same_real(const struct dependency *dependency, struct tree *tree)
{
	const char *real;
	int rc = tree_real(tree, dependency->path, &real, NULL);

	return rc ? rc == ERR_NOT_FOUND && !dependency->answer : dependency->answer && !strcmp(real, dependency->answer);
}

static bool holds(const struct dependency *dependency, struct tree *tree)
{
	switch (dependency->question) {
	case ASK_FILES:
		return has_same_files(dependency, tree);
	case ASK_TEXT:
		return has_same_text(dependency, tree);
	case ASK_REAL:
		return has_same_real(dependency, tree);
	}
	return false;
}

bool dependencies_hold(struct dependencies *dependencies, struct tree *tree)
{
	if (dependencies->is_unknown)
		return false;
	for (size_t i = 0; i < dependencies->count; i++) {
		struct dependency changed = dependencies->items[i];

		if (holds(&changed, tree))
			continue;
		dependencies->items[i] = dependencies->items[0];
		dependencies->items[0] = changed;
		return false;
	}
	return true;
}

void dependencies_release(struct dependencies *dependencies)
{
	free(dependencies->items);
	arena_release(&dependencies->arena);
	*dependencies = (struct dependencies){ .items = NULL };
}
