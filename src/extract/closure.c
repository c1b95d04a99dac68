/*
 * extract/closure.c - the files of a tree that clang can read
 *
 * clang gets the texts of all files before it parses. Which files it needs is guessed by following the
 * #include lines from the profile's headers. Conditions are not evaluated, so the guess usually has too many
 * files, not too few. If a parse looked for a file that was not guessed, closure_include() adds the file, and
 * the unit is parsed again (unit.c). Without the guess, each level of #include would need one more parse:
 * 0.70 s instead of 0.39 s for 595.45.04.
 *
 * 1. The headers are the files that the globs of the unit match (load_headers()). The profile's prologue may
 *    include more (scan_prologue()).
 * 2. A lookup (look_up()) normalises a path, reads the file the first time, and adds it to the list. If the
 *    tree does not have the file, the profile may have a stand-in. Paths that links resolve to the same file
 *    share an inode.
 * 3. Each listed file is scanned for hints (hints_read()): the files that it includes, the macros that it
 *    defines, and its pragmas. The scan ignores conditions and depends only on the text, its path and the
 *    rules. Each included name is looked up in the includer's directory and in every include directory. Files
 *    that are found are listed and scanned too.
 * 4. clang may look for files that the hints do not name. closure_include() adds them as in steps 2 and 3.
 */
#include "extract/internal.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <uthash.h>

/* The state of one call of hints_read(). */
struct reading {
	const char *text;
	struct macro_rules *rules;
	struct arena *arena;
	struct hints found; /* its arrays are malloc'd; keep() moves them to the arena */
	size_t include_capacity, define_capacity, question_capacity, pragma_capacity;
};

static void on_include(void *data, struct view spelled)
{
	struct reading *reading = data;
	struct hints *found = &reading->found;

	ARRAY_GROW(found->includes, found->include_count, reading->include_capacity);
	found->includes[found->include_count++] =
		(struct view){ arena_strndup(reading->arena, spelled.at, spelled.length), spelled.length };
}

/*
 * The offset of the end of the last token of @body; 0 if @body has a character that may not be part of a
 * token, such as "/" of a comment.
 */
static size_t plain_end(const struct reading *reading, struct view body)
{
	static const bool is_plain[256] = {
		['a' ... 'z'] = true, ['A' ... 'Z'] = true, ['0' ... '9'] = true, ['_'] = true, ['$'] = true,
		[' '] = true,         ['\t'] = true,        ['('] = true,         [')'] = true, ['|'] = true,
		['&'] = true,         ['+'] = true,         ['-'] = true,         ['*'] = true, ['~'] = true,
		['='] = true,         ['>'] = true,         [','] = true,
	};
	size_t length = body.length;

	for (size_t i = 0; i < body.length; i++)
		if (!is_plain[(unsigned char)body.at[i]])
			return 0;
	while (length && (body.at[length - 1] == ' ' || body.at[length - 1] == '\t'))
		length--;
	return (size_t)(body.at + length - reading->text);
}

/* Does clang see the same end of @name? For clang, a name goes on after a continued line or a "\u". */
static bool is_whole(struct view name)
{
	return name.at[name.length] != '\\';
}

/* A function-like macro has no value without arguments. Only a rule of a family from ioc can want it. */
static void on_define(void *data, const struct define *define)
{
	const bool is_function = define->parameters.at, is_whole_name = is_whole(define->name);
	struct reading *reading = data;
	struct hints *found = &reading->found;
	struct macro_definition definition;
	struct hint hint = { .start = (size_t)(define->name.at - reading->text) };

	if (!reading->rules ||
	    (is_function && (!macro_rules_want_functions(reading->rules) || !is_whole_name)))
		return;
	hint.verdict = macro_rules_apply(&definition, reading->rules, define, reading->arena);
	if (is_function && hint.verdict != MACRO_WANTED)
		return;
	if (hint.verdict == MACRO_WANTED)
		hint.definition = arena_memdup(reading->arena, &definition, sizeof(definition));
	if (is_whole_name)
		hint.end = plain_end(reading, define->body);
	else if (hint.verdict == MACRO_UNKNOWN)
		hint.verdict =
			MACRO_REJECTED; /* clang sees a longer name, to which the rules were not applied */
	ARRAY_GROW(found->defines, found->define_count, reading->define_capacity);
	found->defines[found->define_count++] = hint;
}

static void find_questions(struct reading *reading, size_t size)
{
	static const char *const names[] = { "__has_include", "__has_embed" };
	const char *end = reading->text + size;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		for (const char *at = reading->text;
		     (at = memmem(at, (size_t)(end - at), names[i], strlen(names[i]))); at++) {
			ARRAY_GROW(reading->found.questions, reading->found.question_count,
				   reading->question_capacity);
			reading->found.questions[reading->found.question_count++] =
				(size_t)(at - reading->text);
		}
	}
}

/*
 * Is the word at @at the first word of a pragma? It is if it follows "#pragma", begins a string, or begins
 * the argument of a macro whose name ends like DO_PRAGMA.
 */
static bool begins_pragma(bool *is_directive, const char *text, const char *at)
{
	static const char word[] = "pragma";
	const char *before = at;

	while (before > text && (before[-1] == ' ' || before[-1] == '\t'))
		before--;
	*is_directive = before < at && before - text >= (ptrdiff_t)strlen(word) &&
			!memcmp(before - strlen(word), word, strlen(word));
	if (*is_directive || before == text || before[-1] != '(')
		return *is_directive || (before > text && before[-1] == '"');
	return before - text > (ptrdiff_t)strlen(word) &&
	       !strncasecmp(before - 1 - strlen(word), word, strlen(word));
}

static struct view next_word(const char **at, const char *stop)
{
	struct view word;

	*at = lexer_skip_blank(*at, stop);
	word = view_word((struct view){ *at, (size_t)(stop - *at) });
	*at = lexer_skip_blank(*at + word.length, stop);
	return word;
}

/* Reads a pragma from after the word "pack" at *@at. Return: false if both compilers ignore it. */
static bool read_pack(enum pragma_kind *kind, const char **at, const char *stop, bool is_directive)
{
	const char *rest;
	struct view word;
	bool has_name;

	if (*(*at = lexer_skip_blank(*at, stop)) != '(')
		return false;
	++*at;
	word = next_word(at, stop);
	*kind = view_is(word, "push") ? PRAGMA_PUSH : view_is(word, "pop") ? PRAGMA_POP : PRAGMA_SET;
	has_name = *kind == PRAGMA_SET && word.length && !view_is_digit(*word.at);
	while (*at < stop && **at == ',') {
		++*at;
		word = next_word(at, stop);
		has_name = word.length && !view_is_digit(*word.at);
		if (*kind == PRAGMA_POP && !has_name)
			*kind = PRAGMA_ODD_PACK;
	}
	if (*at == stop || **at != ')')
		return false;
	++*at;
	rest = lexer_skip_blank(*at, stop);
	/*
	 * A name may be a macro. In a #pragma directive, clang's record shows where it is expanded; in a
	 * string it does not.
	 */
	if (is_directive ? rest < stop && *rest != '\r' && *rest != '/' : has_name && *kind != PRAGMA_POP)
		*kind = PRAGMA_ODD_PACK;
	return true;
}

/*
 * Reads the pragma that begins with @word, before @rest. Return: false unless it is pack(), or a layout
 * pragma that only one of the compilers knows.
 */
static bool read_pragma(struct pragma_hint *hint, struct view word, const char *rest, const char *stop,
			bool is_directive, const char *text)
{
	const char *at = rest;
	struct view next;

	hint->kind = PRAGMA_OF_ONE;
	if (view_is(word, "pack") && !read_pack(&hint->kind, &at, stop, is_directive))
		return false;
	hint->end = (size_t)(at - text);
	if (view_is(word, "pack") || view_is(word, "scalar_storage_order"))
		return true;
	if (view_is(word, "align"))
		return *lexer_skip_blank(at, stop) == '=';
	next = next_word(&at, stop);
	return view_is(word, "options") ? view_is(next, "align") : view_is(next, "on");
}

static void find_pragmas(struct reading *reading, size_t size)
{
	enum {
		LENGTH_MAX = 1024
	}; /* of a pragma, in bytes; without a limit, one long line with many pragmas would take quadratic
	      time */
	static const char *const words[] = { "pack", "options", "align", "ms_struct",
					     "scalar_storage_order" };
	const char *text = reading->text, *end = text + size;

	if (!memmem(text, size, "ragma", strlen("ragma")) && !memmem(text, size, "PRAGMA", strlen("PRAGMA")))
		return;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		struct view word = view_of(words[i]);

		for (const char *at = text; (at = memmem(at, (size_t)(end - at), word.at, word.length));
		     at++) {
			struct pragma_hint hint = { .start = (size_t)(at - text) };
			const char *rest = at + word.length;
			bool is_directive;

			if (view_is_word_char(*rest) || !begins_pragma(&is_directive, text, at) ||
			    !read_pragma(&hint, word, rest,
					 lexer_line_end(rest,
							end - rest > LENGTH_MAX ? rest + LENGTH_MAX : end),
					 is_directive, text))
				continue;
			ARRAY_GROW(reading->found.pragmas, reading->found.pragma_count,
				   reading->pragma_capacity);
			reading->found.pragmas[reading->found.pragma_count++] = hint;
		}
	}
}

static void *keep(void *array, size_t size, struct arena *arena)
{
	void *copy = arena_memdup(arena, array, size);

	free(array);
	return copy;
}

/* Return: the hints, in @arena; they do not point into @text. If @rules is NULL, definitions are ignored. */
static const struct hints *hints_read(struct macro_rules *rules, const char *unit, const char *path,
				      const char *text, size_t size, struct arena *arena)
{
	struct reading reading = { .text = text, .rules = rules, .arena = arena };
	struct hints *found = &reading.found;

	if (rules)
		macro_rules_enter(rules, path, unit);
	directives_scan(text, size, &(struct directives_sink){ &reading, on_include, on_define, on_define });
	find_questions(&reading, size);
	find_pragmas(&reading, size);
	found->pops = memmem(text, size, "pop_macro", strlen("pop_macro")) != NULL;
	found->mentions_ms_struct = memmem(text, size, "ms_struct", strlen("ms_struct")) != NULL;
	found->includes = keep(found->includes, found->include_count * sizeof(*found->includes), arena);
	found->defines = keep(found->defines, found->define_count * sizeof(*found->defines), arena);
	found->questions = keep(found->questions, found->question_count * sizeof(*found->questions), arena);
	found->pragmas = keep(found->pragmas, found->pragma_count * sizeof(*found->pragmas), arena);
	return arena_memdup(arena, found, sizeof(*found));
}

/* A path that was looked up, whether or not a file exists there. Private to this file. */
struct node {
	struct closure_file file; /* the first member: closure.by_path points to it */
	bool is_looked_up;
	bool has_inode;           /* the inode is set: a listed path resolves to this one */
	size_t inode;
	UT_hash_handle hh;
};

static bool append_component(char *out, size_t out_size, size_t *length, struct view name)
{
	if (!name.length || (name.length == 1 && *name.at == '.'))
		return true;
	if (name.length == 2 && !memcmp(name.at, "..", 2)) {
		if (!*length)
			return false;
		while (*length && out[--*length] != '/')
			;
		return true;
	}
	if (*length + name.length + 2 > out_size)
		return false;
	if (*length)
		out[(*length)++] = '/';
	memcpy(out + *length, name.at, name.length);
	*length += name.length;
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

/*
 * Normalises "a/./b/../c.h" in @dir to "dir/a/c.h". @out is NUL-terminated. Return: its length; 0 if @path is
 * absolute, leaves the tree, holds a NUL byte or does not fit.
 */
static size_t normalise(char *out, size_t out_size, const char *dir, size_t dir_length, struct view path)
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

static bool is_inside_roots(const struct profile_strings *roots, const char *path)
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
	if (!is_inside_roots(closure->roots, node->file.path))
		closure->inside_roots = false;
	return node;
}

/*
 * Gives @file, which the tree does not have, the text of the profile's stand-in. Return: false if the profile
 * has none.
 */
static bool use_stand_in(struct closure_file *file, const struct profile_unit *unit)
{
	size_t i;

	for (i = 0; i < unit->stand_in_count; i++) {
		if (strcmp(unit->stand_ins[i].path, file->path))
			continue;
		file->text = unit->stand_ins[i].text;
		file->size = strlen(file->text);
		file->is_stand_in = true;
		file->is_expected = unit->stand_ins[i].is_expected;
		return true;
	}
	return false;
}

static struct node *node_of(struct closure *closure, const char *path, size_t length)
{
	struct node *node = node_find(closure, path, length);

	return node ? node : node_add(closure, path, length);
}

static void list_file(struct closure *closure, struct closure_file *file)
{
	struct node *real = node_of(closure, file->real, strlen(file->real));

	ARRAY_GROW(closure->files, closure->file_count, closure->file_capacity);
	file->order = closure->file_count;
	closure->files[closure->file_count++] = file;
	if (!real->has_inode)
		real->inode = file->order;
	real->has_inode = true;
	file->inode = real->inode;
}

/*
 * Finds the file at @path; the first call for a path reads the file. Return: 0, with *@out NULL if no such
 * file exists; the error of the tree.
 */
static int look_up(struct closure_file **out, struct closure *closure, const char *path, size_t length,
		   struct err *err)
{
	struct node *node = node_of(closure, path, length);
	struct closure_file *file = &node->file;
	int rc;

	if (!node->is_looked_up) {
		file->real = file->path;
		rc = closure->tree->ops->read(closure->tree, file->path, &file->text, &file->size, err);
		if (!rc)
			rc = tree_real(closure->tree, file->path, &file->real, err);
		if (rc && rc != ERR_NOT_FOUND)
			return rc;
		if (!rc)
			file->text = lexer_newlines(file->text, file->size, closure->arena);
		if (rc && !use_stand_in(file, closure->unit))
			file->text = NULL;
		else
			list_file(closure, file);
		node->is_looked_up = true;
	}
	*out = node->file.text ? &node->file : NULL;
	return 0;
}

static int look_in(struct closure *closure, const char *dir, size_t dir_length, struct view spelled,
		   struct err *err)
{
	struct closure_file *file;
	char path[PATH_MAX];
	size_t length = normalise(path, sizeof(path), dir, dir_length, spelled);

	return length ? look_up(&file, closure, path, length, err) : 0;
}

static size_t directory_length(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (size_t)(slash - path) : 0;
}

/* Looks for @spelled in every directory in which clang could look. */
static int look_everywhere(struct closure *closure, const char *includer, struct view spelled,
			   struct err *err)
{
	const size_t root = strlen(CLOSURE_ROOT);
	int rc = 0;

	if (spelled.length > root && !memcmp(spelled.at, CLOSURE_ROOT, root))
		return look_in(closure, "", 0, (struct view){ spelled.at + root, spelled.length - root },
			       err);
	if (includer)
		rc = look_in(closure, includer, directory_length(includer), spelled, err);
	for (size_t i = 0; i < closure->dir_count && !rc; i++)
		rc = look_in(closure, closure->dirs[i], strlen(closure->dirs[i]), spelled, err);
	return rc;
}

static int look_for_all(struct closure *closure, const char *includer, const struct hints *hints,
			struct err *err)
{
	int rc = 0;

	for (size_t i = 0; i < hints->include_count && !rc; i++)
		rc = look_everywhere(closure, includer, hints->includes[i], err);
	return rc;
}

/* Scans the files that are not scanned yet, and the files that these scans find. */
static int scan_files(struct closure *closure, struct err *err)
{
	int rc = 0;

	while (closure->scanned < closure->file_count && !rc) {
		struct closure_file *file = closure->files[closure->scanned++];

		file->hints = hints_read(closure->rules, closure->unit->name, file->real, file->text,
					 file->size, closure->arena);
		rc = look_for_all(closure, file->path, file->hints, err);
	}
	return rc;
}

int closure_include(struct closure *closure, const char *includer, struct view spelled, struct err *err)
{
	int rc = look_everywhere(closure, includer, spelled, err);

	return rc ? rc : scan_files(closure, err);
}

static bool is_for_target(const struct profile_unit *unit, size_t directory, const char *target)
{
	const char *only = unit->include_target ? unit->include_target[directory] : NULL;

	return !only || !strcmp(only, target);
}

/* The include directories for @target, normalised. */
static const char **include_dirs(size_t *count, const struct profile_unit *unit, const char *target,
				 struct arena *arena)
{
	const struct profile_strings *include = &unit->include;
	const char **dirs = arena_array(arena, include->count, sizeof(*dirs));
	char path[PATH_MAX];
	size_t i;

	*count = 0;
	for (i = 0; i < include->count; i++) {
		struct view dir = { include->item[i], strlen(include->item[i]) };
		size_t length = normalise(path, sizeof(path), "", 0, dir);

		if (is_for_target(unit, i, target) && (length || !strcmp(dir.at, ".") || !dir.length))
			dirs[(*count)++] = arena_strndup(arena, path, length);
	}
	return dirs;
}

/* Adds a header. A header that two globs match is included once, at its first match. */
static int add_header(struct closure *closure, const char *path, struct err *err)
{
	struct closure_file *file;
	size_t before = closure->file_count;
	int rc = look_up(&file, closure, path, strlen(path), err);

	if (!rc && !file)
		rc = err_set(err, ERR_NOT_FOUND, "%s is listed in version %s but cannot be read", path,
			     closure->tree->version);
	if (!rc && closure->file_count > before)
		closure->headers[closure->header_count++] = file->path;
	return rc;
}

/*
 * Appends the matches of @globs to @paths, which is malloc'd. A header that two globs match is listed twice.
 */
static int match_optional(const char ***paths, size_t *count, struct closure *closure,
			  const struct profile_strings *globs, struct err *err)
{
	struct tree *tree = closure->tree;
	int rc = 0;

	for (size_t i = 0; i < globs->count && !rc; i++) {
		rc = tree->ops->glob(tree, globs->item[i], paths, count, err);
		if (rc == ERR_NOT_FOUND)
			rc = 0;
	}
	return rc;
}

/* Formats the glob at @first and its alternatives as "a.h, nor b.h, nor c.h". */
static const char *list_choices(const struct profile_unit *unit, size_t first, struct arena *arena)
{
	const char *text = unit->headers.item[first];

	for (size_t i = first + 1; i < unit->headers.count && unit->is_alternative && unit->is_alternative[i];
	     i++)
		text = arena_printf(arena, "%s, nor %s", text, unit->headers.item[i]);
	return text;
}

/*
 * Appends the matches of the unit's header globs to @paths. Each glob or one of its alternatives must match.
 */
static int match_headers(const char ***paths, size_t *count, struct closure *closure, struct err *err)
{
	const struct profile_unit *unit = closure->unit;
	struct tree *tree = closure->tree;
	size_t first = 0, before = 0;

	for (size_t i = 0; i < unit->headers.count; i++) {
		bool is_alternative = unit->is_alternative && unit->is_alternative[i];
		bool is_last =
			i + 1 == unit->headers.count || !unit->is_alternative || !unit->is_alternative[i + 1];
		int rc = 0;

		if (!is_alternative) {
			first = i;
			before = *count;
		}
		if (*count == before)
			rc = tree->ops->glob(tree, unit->headers.item[i], paths, count, err);
		if (rc && (rc != ERR_NOT_FOUND || is_last))
			return rc;
		if (*count == before && is_last)
			return err_set(
				err, ERR_NOT_FOUND,
				"version %s has no file %s, which unit %s of the profile reads; is this the right tree for the profile?",
				tree->version, list_choices(unit, first, closure->arena), unit->name);
	}
	return 0;
}

static int load_headers(struct closure *closure, struct err *err)
{
	const char **paths = NULL;
	size_t count = 0, i;
	int rc;

	if ((rc = match_headers(&paths, &count, closure, err)) ||
	    (rc = match_optional(&paths, &count, closure, &closure->unit->optional_headers, err)))
		goto out;
	closure->headers = arena_array(closure->arena, count, sizeof(*closure->headers));
	closure->unreadable = arena_array(closure->arena, count, sizeof(*closure->unreadable));
	for (i = 0; i < count && !rc; i++)
		rc = add_header(closure, paths[i], err);
out:
	free(paths);
	return rc;
}

/* Looks up what the profile's prologue, the text before the headers, includes. */
static int scan_prologue(struct closure *closure, struct err *err)
{
	const struct profile_strings *lines = &closure->unit->prologue;
	int rc = 0;

	for (size_t i = 0; i < lines->count && !rc; i++)
		rc = look_for_all(closure, NULL,
				  hints_read(NULL, "", "", lines->item[i], strlen(lines->item[i]),
					     closure->arena),
				  err);
	return rc;
}

int closure_load(struct closure *closure, struct err *err)
{
	int rc;

	closure->inside_roots = true;
	closure->dirs = include_dirs(&closure->dir_count, closure->unit, closure->target, closure->arena);
	if ((rc = load_headers(closure, err)) ||
	    (rc = scan_prologue(closure, err)))
		return rc;
	return scan_files(closure, err);
}

void closure_release(struct closure *closure)
{
	struct node *nodes = (struct node *)closure->by_path;

	HASH_CLEAR(hh, nodes);
	closure->by_path = NULL;
	free(closure->files);
	free(closure->differences);
	closure->files = NULL;
	closure->differences = NULL;
	closure->difference_count = closure->difference_capacity = 0;
	closure->file_count = closure->file_capacity = 0;
}

void closure_differs(struct closure *closure, const char *place, const char *text)
{
	ARRAY_GROW(closure->differences, closure->difference_count, closure->difference_capacity);
	closure->differences[closure->difference_count++] = (struct closure_difference){ place, text };
}

struct closure_file *closure_find(const struct closure *closure, const char *path)
{
	struct node *node = NULL;
	char normal[PATH_MAX];
	size_t length = 0;

	if (!strncmp(path, CLOSURE_ROOT, strlen(CLOSURE_ROOT))) {
		path += strlen(CLOSURE_ROOT);
		length = normalise(normal, sizeof(normal), "", 0, (struct view){ path, strlen(path) });
	}
	if (length)
		node = node_find(closure, normal, length);
	return node && node->file.text ? closure->files[node->file.inode] : NULL;
}
