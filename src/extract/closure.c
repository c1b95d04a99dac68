#include "extract/closure.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

/* The hash node is private to this file. */
struct node {
	struct closure_file file; /* first */
	UT_hash_handle hh;
};

/* One #include whose spelled path clang would not find among the registered names. */
struct edit {
	size_t at, length; /* of the spelled path in the text */
	const char *path;  /* what to write instead */
};

/* The scan of one file. */
struct includer {
	struct closure *closure;
	struct closure_file *file;
	struct edit *edits;
	size_t edit_count, edit_capacity;
	int rc; /* the first failure of the tree */
	struct err *err;
};

static bool append_component(char *out, size_t out_size, size_t *length, struct view part)
{
	if (!part.length || (part.length == 1 && *part.at == '.'))
		return true;
	if (part.length == 2 && !memcmp(part.at, "..", 2)) {
		if (!*length)
			return false;
		while (*length && out[--*length] != '/')
			;
		return true;
	}
	if (*length + part.length + 2 > out_size)
		return false;
	if (*length)
		out[(*length)++] = '/';
	memcpy(out + *length, part.at, part.length);
	*length += part.length;
	return true;
}

static bool append_path(char *out, size_t out_size, size_t *length, struct view path)
{
	while (path.length) {
		const char *slash = memchr(path.at, '/', path.length);
		size_t step = slash ? (size_t)(slash - path.at) : path.length;

		if (!append_component(out, out_size, length, (struct view){ path.at, step }))
			return false;
		step += slash ? 1 : 0;
		path.at += step;
		path.length -= step;
	}
	return true;
}

size_t closure_normalise(char *out, size_t out_size, const char *dir, size_t dir_length, struct view path)
{
	size_t length = 0;

	if ((path.length && *path.at == '/') || memchr(path.at, '\0', path.length))
		return 0;
	if (!append_path(out, out_size, &length, (struct view){ dir, dir_length }) ||
	    !append_path(out, out_size, &length, path))
		return 0;
	out[length] = '\0';
	return length;
}

bool closure_is_inside(const struct profile_strings *roots, const char *path)
{
	size_t i;

	for (i = 0; i < roots->count; i++) {
		size_t length = strlen(roots->item[i]);

		if (!length || !strcmp(roots->item[i], ".") ||
		    (!strncmp(path, roots->item[i], length) && (path[length] == '/' || !path[length])))
			return true;
	}
	return false;
}

static struct node *node_find(const struct closure *closure, const char *path, size_t length)
{
	struct node *nodes = (struct node *)closure->by_path, *found;

	HASH_FIND(hh, nodes, path, length, found);
	return found;
}

static struct node *node_add(struct closure *closure, const char *path, size_t length)
{
	struct node *nodes = (struct node *)closure->by_path;
	struct node *node = arena_alloc(closure->arena, sizeof(*node));

	node->file.path = arena_printf(closure->arena, CLOSURE_ROOT "%s", path) + strlen(CLOSURE_ROOT);
	HASH_ADD_KEYPTR(hh, nodes, node->file.path, length, node);
	closure->by_path = (struct closure_file *)nodes;
	if (!closure_is_inside(closure->roots, node->file.path))
		closure->inside_roots = false;
	return node;
}

/* What the profile has for a path at which the tree has nothing. */
static bool take_stand_in(struct closure_file *file, const struct profile_unit *unit)
{
	size_t i;

	for (i = 0; i < unit->stand_in_count; i++) {
		if (strcmp(unit->stand_ins[i].path, file->path))
			continue;
		file->text = unit->stand_ins[i].text;
		file->size = strlen(file->text);
		file->is_stand_in = true;
		return true;
	}
	return false;
}

static void list_file(struct closure *closure, struct closure_file *file)
{
	ARRAY_GROW(closure->files, closure->file_count, closure->file_capacity);
	file->order = closure->file_count;
	closure->files[closure->file_count++] = file;
}

struct closure_file *closure_put(struct closure *closure, const char *path, const char *text, size_t size)
{
	struct closure_file *file = &node_add(closure, path, strlen(path))->file;

	file->text = text;
	file->size = size;
	list_file(closure, file);
	return file;
}

/*
 * The file at @path, read if it was not before.
 * Return: 0, *out NULL if there is none; what the tree returned.
 */
static int look_up(struct closure_file **out, struct closure *closure, const char *path, size_t length, struct err *err)
{
	struct node *node = node_find(closure, path, length);
	int rc;

	if (!node) {
		node = node_add(closure, path, length);
		rc = closure->tree->ops->read(closure->tree, node->file.path, &node->file.text, &node->file.size, err);
		if (rc && rc != ERR_NOT_FOUND)
			return rc;
		if (rc && !take_stand_in(&node->file, closure->unit))
			node->file.text = NULL;
		else
			list_file(closure, &node->file);
	}
	*out = node->file.text ? &node->file : NULL;
	return 0;
}

static int look_in(struct closure_file **out, struct closure *closure, const char *dir, size_t dir_length,
		   struct view spelled, struct err *err)
{
	char path[PATH_MAX];
	size_t length = closure_normalise(path, sizeof(path), dir, dir_length, spelled);

	*out = NULL;
	return length ? look_up(out, closure, path, length, err) : 0;
}

static size_t directory_length(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (size_t)(slash - path) : 0;
}

/* clang compares names, not places: "./x.h" and "../x.h" are looked for as they are spelled. */
static bool is_normal(struct view spelled)
{
	char path[PATH_MAX];
	size_t length = closure_normalise(path, sizeof(path), "", 0, spelled);

	return length == spelled.length && !memcmp(path, spelled.at, length);
}

static void add_edit(struct includer *includer, struct view spelled, const struct closure_file *target)
{
	const char *text = includer->file->text;
	struct edit *edit;

	ARRAY_GROW(includer->edits, includer->edit_count, includer->edit_capacity);
	edit = &includer->edits[includer->edit_count++];
	edit->at = (size_t)(spelled.at - text);
	edit->length = spelled.length;
	edit->path = target->path;
}

static void on_include(void *data, struct view spelled, enum scan_include kind)
{
	struct includer *includer = data;
	struct closure *closure = includer->closure;
	const char *path = includer->file->path;
	struct closure_file *target = NULL;
	size_t i;

	if (includer->rc)
		return;
	if (kind == SCAN_QUOTED)
		includer->rc = look_in(&target, closure, path, directory_length(path), spelled, includer->err);
	for (i = 0; i < closure->dir_count && !includer->rc && (!target || kind == SCAN_NEXT); i++)
		includer->rc = look_in(&target, closure, closure->dirs[i], strlen(closure->dirs[i]), spelled, includer->err);
	if (target && kind != SCAN_NEXT && !is_normal(spelled))
		add_edit(includer, spelled, target);
}

static void on_define(void *data, const struct scan_define *define)
{
	struct includer *includer = data;

	includer->closure->define(includer->closure->macro_data, includer->file, define);
}

static void on_undef(void *data, struct view name)
{
	struct includer *includer = data;

	includer->closure->undef(includer->closure->macro_data, name);
}

/*
 * An include through ".." would be found only if that very spelling were
 * registered too, and then the file would be two files to #pragma once.
 * So clang is shown the normalised path. Lines do not move.
 */
static void apply_edits(const struct includer *includer)
{
	struct closure_file *file = includer->file;
	struct strbuf text = { 0 };
	size_t from = 0, i;

	if (!includer->edit_count)
		return;
	for (i = 0; i < includer->edit_count; i++) {
		const struct edit *edit = &includer->edits[i];

		strbuf_add(&text, file->text + from, edit->at - from);
		strbuf_adds(&text, CLOSURE_ROOT);
		strbuf_adds(&text, edit->path);
		from = edit->at + edit->length;
	}
	strbuf_add(&text, file->text + from, file->size - from);
	file->text = arena_strndup(includer->closure->arena, strbuf_text(&text), text.length);
	file->size = text.length;
	strbuf_release(&text);
}

/* What the profile puts before the headers may include files of the tree as well, by <>. */
static int scan_prologue(struct closure *closure, struct err *err)
{
	const struct profile_strings *lines = &closure->unit->prologue;
	struct closure_file file = { .path = "" };
	struct includer includer = { .closure = closure, .file = &file, .err = err };
	struct scan_sink sink = { .data = &includer, .include = on_include };
	size_t i;

	for (i = 0; i < lines->count && !includer.rc; i++) {
		file.text = lines->item[i];
		scan_directives(file.text, strlen(file.text), &sink);
	}
	free(includer.edits);
	return includer.rc;
}

int closure_scan(struct closure *closure, struct closure_file *file, struct err *err)
{
	struct includer includer = { .closure = closure, .file = file, .err = err };
	struct scan_sink sink = { .data = &includer, .include = on_include, .define = on_define, .undef = on_undef };

	scan_directives(file->text, file->size, &sink);
	if (!includer.rc)
		apply_edits(&includer);
	free(includer.edits);
	return includer.rc;
}

const char **closure_dirs(size_t *count, const struct profile_unit *unit, struct arena *arena)
{
	const struct profile_strings *include = &unit->include;
	const char **dirs = arena_array(arena, include->count, sizeof(*dirs));
	char path[PATH_MAX];
	size_t i;

	*count = 0;
	for (i = 0; i < include->count; i++) {
		struct view dir = { include->item[i], strlen(include->item[i]) };
		size_t length = closure_normalise(path, sizeof(path), "", 0, dir);

		if (length || !strcmp(dir.at, ".") || !dir.length)
			dirs[(*count)++] = arena_strndup(arena, path, length);
	}
	return dirs;
}

/* A header that two globs match is included once, where it was matched first. */
static int add_header(struct closure *closure, const char *path, struct err *err)
{
	struct closure_file *file;
	size_t before = closure->file_count;
	int rc = look_up(&file, closure, path, strlen(path), err);

	if (!rc && !file)
		rc = closure_no_header(closure->tree, path, err);
	if (!rc && closure->file_count > before)
		closure->headers[closure->header_count++] = file->path;
	return rc;
}

int closure_no_header(const struct tree *tree, const char *path, struct err *err)
{
	return err_set(err, ERR_NOT_FOUND, "%s is listed in version %s but cannot be read", path, tree->version);
}

static int match_some(struct tree *tree, const struct profile_unit *unit, const struct profile_strings *globs, bool optional,
		      const char ***paths, size_t *count, struct err *err)
{
	size_t i;
	int rc;

	for (i = 0; i < globs->count; i++) {
		size_t before = *count;

		rc = tree->ops->glob(tree, globs->item[i], paths, count, err);
		if (rc && !(optional && rc == ERR_NOT_FOUND))
			return rc;
		if (*count == before && !optional)
			return err_set(err, ERR_NOT_FOUND,
				       "version %s has no file %s, which unit %s of the profile reads; is this the right tree for the profile?",
				       tree->version, globs->item[i], unit->name);
	}
	return 0;
}

int closure_match(const char ***paths, size_t *count, struct tree *tree, const struct profile_unit *unit, struct err *err)
{
	int rc = match_some(tree, unit, &unit->headers, false, paths, count, err);

	return rc ? rc : match_some(tree, unit, &unit->optional_headers, true, paths, count, err);
}

static int load_headers(struct closure *closure, struct err *err)
{
	const char **paths = NULL;
	size_t count = 0, i;
	int rc;

	if ((rc = closure_match(&paths, &count, closure->tree, closure->unit, err)))
		goto out;
	closure->headers = arena_array(closure->arena, count, sizeof(*closure->headers));
	for (i = 0; i < count && !rc; i++)
		rc = add_header(closure, paths[i], err);
out:
	free(paths);
	return rc;
}

void closure_begin(struct closure *closure)
{
	closure->inside_roots = true;
	closure->dirs = closure_dirs(&closure->dir_count, closure->unit, closure->arena);
}

int closure_load(struct closure *closure, struct err *err)
{
	size_t i;
	int rc;

	closure_begin(closure);
	if ((rc = load_headers(closure, err)) || (rc = scan_prologue(closure, err)))
		return rc;
	for (i = 0; i < closure->file_count && !rc; i++)
		rc = closure_scan(closure, closure->files[i], err);
	return rc;
}

void closure_release(struct closure *closure)
{
	struct node *nodes = (struct node *)closure->by_path;

	HASH_CLEAR(hh, nodes);
	closure->by_path = NULL;
	free(closure->files);
	closure->files = NULL;
	closure->file_count = closure->file_capacity = 0;
}

struct closure_file *closure_find(struct closure *closure, const char *path)
{
	struct node *node = NULL;
	char normal[PATH_MAX];
	size_t length = 0;

	if (!strncmp(path, CLOSURE_ROOT, strlen(CLOSURE_ROOT))) {
		path += strlen(CLOSURE_ROOT);
		length = closure_normalise(normal, sizeof(normal), "", 0, (struct view){ path, strlen(path) });
	}
	if (length)
		node = node_find(closure, normal, length);
	return node && node->file.text ? &node->file : NULL;
}

struct closure_file *closure_find_path(const struct closure *closure, const char *path)
{
	struct node *node = node_find(closure, path, strlen(path));

	return node && node->file.text ? &node->file : NULL;
}

void closure_forget_texts(struct closure *closure)
{
	for (size_t i = 0; i < closure->file_count; i++) {
		struct closure_file *file = closure->files[i];

		if (!file->is_stand_in)
			tree_forget(closure->tree, file->path);
		file->text = "";
		file->size = 0;
	}
}
