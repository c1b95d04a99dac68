/*
 * extract/closure.c - finds the files of a tree that clang can read
 *
 * clang gets the texts of all files before it parses. The files that it will need are guessed by following
 * the #include lines from the profile's headers. Conditions are not evaluated, so the guess usually has too
 * many files, not too few. If a parse looked for a file that was not guessed, closure_include() adds the
 * file, and the unit is parsed again (unit.c). Without the guess, each level of #include would need one more
 * parse: extracting 595.45.04 would take 0.70 s instead of 0.39 s.
 *
 * 1. Find the files that the header globs of the unit match (load_headers()), and those that the unit's
 *    prologue includes. The prologue is the text before the #includes of the headers.
 * 2. The first lookup of a path (look_up_path()) reads the file and adds it to closure->files. If the tree
 *    does not have the file, the text of the profile's stand-in is used, if there is one. Paths that symbolic
 *    links resolve to the same file get the same inode number.
 * 3. Scan each file for hints (hints_read()): the names that it includes, the macros that it defines, and its
 *    pragmas. The scan ignores conditions. Look up each included name in the directory of the includer and in
 *    every include directory. Scan the files that the lookup finds, too.
 * 4. If clang looks for a file that no hint names, closure_include() adds it as in steps 2 and 3.
 */
#include "extract/internal.h"

/* The state of one call of hints_read(). */
struct hint_reading {
	const char *text;
	struct macro_rules *rules;
	struct arena *arena;
	struct hints found;
};

/* Appends the file name of an #include to the hints of @data, a struct hint_reading. */
static void add_include_hint(void *data, struct view spelled)
{
	struct hint_reading *reading = data;
	struct hints *found = &reading->found;

	found->includes = arena_room(reading->arena, found->includes, found->include_count,
				     sizeof(*found->includes));
	found->includes[found->include_count++] =
		(struct view){ arena_strndup(reading->arena, spelled.at, spelled.length), spelled.length };
}

/*
 * Checks whether clang is certain to read the same name and body from the #define as the scan of its text.
 * Return: false if a character hints at a line that is continued inside a token, such as the mark of a
 * comment, at a literal that is not closed, or at Unicode white space.
 */
static bool is_certain_define(const struct define *define)
{
	const char *at = define->name.at, *end = define->body.at + define->body.length;

	for (; end - at >= BYTES16; at += BYTES16) {
		const bytes16 bytes = bytes16_load(at);

		if (bytes16_any((bytes16)(bytes >= 0x80) | bytes16_equal(bytes, '\\') |
				bytes16_equal(bytes, '"') | bytes16_equal(bytes, '\'')))
			return false;
	}
	while (at < end && !(*at & 0x80) && *at != '\\' && *at != '"' && *at != '\'')
		at++;
	return at == end;
}

/*
 * Appends a hint for a #define, with the result of the profile's rules for it, to @data, a struct
 * hint_reading. A function-like macro has no value without arguments, so only the rules of a PROFILE_FROM_IOC
 * family can want it; if they do not, there is no hint.
 */
static void add_define_hint(void *data, const struct define *define)
{
	const bool is_function = define->parameters.at;
	struct hint_reading *reading = data;
	struct hints *found = &reading->found;
	struct macro_definition definition;
	struct hint hint = { .start = (size_t)(define->name.at - reading->text),
			     .is_certain = is_certain_define(define) };

	if (!reading->rules || (is_function && !macro_rules_want_functions(reading->rules)))
		return;
	hint.verdict = macro_rules_apply(&definition, reading->rules, define, reading->arena);
	if (is_function && hint.verdict != MACRO_WANTED)
		return;
	if (hint.verdict == MACRO_WANTED)
		hint.definition = arena_memdup(reading->arena, &definition, sizeof(definition));
	found->defines = arena_room(reading->arena, found->defines, found->define_count,
				    sizeof(*found->defines));
	found->defines[found->define_count++] = hint;
}

bool has_questions(struct view text)
{
	static const char begin[] = "__has_";
	const char *at = text.at, *end = at + text.length;

	while ((at = find_text(at, end, begin, strlen(begin)))) {
		const struct view rest = { at, (size_t)(end - at) };

		if (view_starts_with(rest, "__has_include") || view_starts_with(rest, "__has_embed"))
			return true;
		at++;
	}
	return false;
}

/*
 * Scans @text, of the file @path in @unit, for #includes, wanted macros and pragmas. If @rules is NULL,
 * macros are ignored. Return: the hints, in @arena; they do not point into @text.
 */
static const struct hints *hints_read(struct macro_rules *rules, const char *unit, const char *path,
				      const char *text, size_t size, struct arena *arena)
{
	struct hint_reading reading = { .text = text, .rules = rules, .arena = arena };
	struct hints *found = &reading.found;

	if (rules)
		macro_rules_enter(rules, path, unit);
	directives_scan(text, size, &(struct directives_sink){ &reading, add_include_hint, add_define_hint,
							       add_define_hint });
	found->has_questions = has_questions((struct view){ text, size });
	pragmas_find(found, text, size, arena);
	return arena_memdup(arena, found, sizeof(*found));
}

/*
 * Appends the parts of @path to the normal path @out, in which ".." removes a part. Return: false if the path
 * leaves the tree or does not fit.
 */
static bool append_path(char *out, size_t out_size, size_t *length, struct view path)
{
	while (path.length) {
		const char *slash = memchr(path.at, '/', path.length);
		const struct view name = { path.at, slash ? (size_t)(slash - path.at) : path.length };
		const size_t step = name.length + (slash != NULL);

		if (view_is(name, "..")) {
			if (!*length)
				return false;
			while (*length && out[--*length] != '/')
				;
		} else if (name.length && !view_is(name, ".")) {
			if (*length + name.length + 2 > out_size)
				return false;
			if (*length)
				out[(*length)++] = '/';
			memcpy(out + *length, name.at, name.length);
			*length += name.length;
		}
		path.at += step;
		path.length -= step;
	}
	return true;
}

/*
 * Joins @dir and @path, and resolves "." and "..": "dir" and "a/./b/../c.h" become "dir/a/c.h". Return: the
 * length of the result; 0 if the result is the root of the tree or does not fit, or if @path is absolute,
 * leads out of the tree or has a NUL byte.
 */
static size_t normalise_path(char *out, size_t out_size, const char *dir, size_t dir_length, struct view path)
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

/* Checks whether @path is in one of the directories @roots, of which "" and "." are the whole tree. */
static bool is_inside_roots(const struct profile_strings *roots, const char *path)
{
	for (size_t i = 0; i < roots->count; i++) {
		size_t length = strlen(roots->item[i]);

		if (!length || !strcmp(roots->item[i], ".") ||
		    (!strncmp(path, roots->item[i], length) && (path[length] == '/' || !path[length])))
			return true;
	}
	return false;
}

static struct closure_file *path_find(const struct closure *closure, const char *path, size_t length)
{
	struct closure_file *found;

	HASH_FIND(hh, closure->by_path, path, length, found);
	return found;
}

/*
 * Returns the entry for @path in closure->by_path. Adds an entry without a text if there is none, and clears
 * closure->inside_roots if the path is outside of the roots.
 */
static struct closure_file *path_entry(struct closure *closure, const char *path, size_t length)
{
	struct closure_file *file = path_find(closure, path, length);

	if (file)
		return file;
	file = arena_alloc(closure->arena, sizeof(*file));
	file->path = arena_printf(closure->arena, CLOSURE_ROOT "%s", path) + strlen(CLOSURE_ROOT);
	HASH_ADD_KEYPTR(hh, closure->by_path, file->path, length, file);
	if (!is_inside_roots(closure->roots, file->path))
		closure->inside_roots = false;
	return file;
}

/*
 * Sets the text of @file, which the tree does not have, to that of the profile's stand-in. Return: false if
 * the profile has no stand-in for this path.
 */
static bool use_stand_in(struct closure_file *file, const struct profile_unit *unit)
{
	for (size_t i = 0; i < unit->stand_in_count; i++) {
		const struct profile_stand_in *one = &unit->stand_ins[i];

		if (strcmp(one->path, file->path))
			continue;
		file->text = one->text;
		file->size = strlen(one->text);
		file->stand_in = one;
		return true;
	}
	return false;
}

/*
 * Finds the file at @path; the first time, reads it from the tree or the profile's stand-ins, and appends it
 * to closure->files. Return: 0, with *@out NULL if there is none; an error from reading the tree.
 */
static int look_up_path(struct closure_file **out, struct closure *closure, const char *path, size_t length,
			struct err *err)
{
	struct closure_file *file = path_entry(closure, path, length);
	int rc;

	if (!file->real) {
		file->real = file->path;
		rc = closure->tree->ops->read(closure->tree, file->path, &file->text, &file->size, err);
		if (!rc)
			rc = tree_real(closure->tree, file->path, &file->real, err);
		if (rc && rc != ERR_NOT_FOUND)
			return rc;
		if (!rc)
			file->text = lexer_newlines(file->text, file->size, closure->arena);
		if (rc && !use_stand_in(file, closure->unit)) {
			file->text = NULL;
		} else {
			struct closure_file *real = path_entry(closure, file->real, strlen(file->real));

			if (!real->has_inode)
				real->inode = closure->file_count;
			real->has_inode = true;
			file->inode = real->inode;
			closure->files = arena_room(closure->arena, closure->files, closure->file_count,
						    sizeof(*closure->files));
			closure->files[closure->file_count++] = file;
		}
	}
	*out = file->text ? file : NULL;
	return 0;
}

/* Looks up @spelled relative to @dir. Ignores a path that is absolute or leads out of the tree. */
static int look_up_in(struct closure *closure, const char *dir, size_t dir_length, struct view spelled,
		      struct err *err)
{
	struct closure_file *file;
	char path[PATH_MAX];
	size_t length = normalise_path(path, sizeof(path), dir, dir_length, spelled);

	return length ? look_up_path(&file, closure, path, length, err) : 0;
}

/*
 * Looks up the included name @spelled in every directory in which clang could look for it, to add the files
 * to closure->files. @includer: the file with the #include; NULL if it is not in the tree
 */
static int look_up_everywhere(struct closure *closure, const char *includer, struct view spelled,
			      struct err *err)
{
	const size_t root = strlen(CLOSURE_ROOT);
	const char *slash = includer ? strrchr(includer, '/') : NULL;
	int rc = 0;

	if (spelled.length > root && !memcmp(spelled.at, CLOSURE_ROOT, root))
		return look_up_in(closure, "", 0, (struct view){ spelled.at + root, spelled.length - root },
				  err);
	if (includer)
		rc = look_up_in(closure, includer, slash ? (size_t)(slash - includer) : 0, spelled, err);
	for (size_t i = 0; i < closure->dir_count && !rc; i++)
		rc = look_up_in(closure, closure->dirs[i], strlen(closure->dirs[i]), spelled, err);
	return rc;
}

/* Looks up all included names in @hints. @includer: as in look_up_everywhere() */
static int look_up_includes(struct closure *closure, const char *includer, const struct hints *hints,
			    struct err *err)
{
	int rc = 0;

	for (size_t i = 0; i < hints->include_count && !rc; i++)
		rc = look_up_everywhere(closure, includer, hints->includes[i], err);
	return rc;
}

/* Scans all files that are not scanned yet, and those that their #includes then add to the closure. */
static int scan_files(struct closure *closure, struct err *err)
{
	int rc = 0;

	while (closure->scanned < closure->file_count && !rc) {
		struct closure_file *file = closure->files[closure->scanned++];

		file->hints = hints_read(closure->rules, closure->unit->name, file->real, file->text,
					 file->size, closure->arena);
		rc = look_up_includes(closure, file->path, file->hints, err);
	}
	return rc;
}

int closure_include(struct closure *closure, const char *includer, struct view spelled, struct err *err)
{
	int rc = look_up_everywhere(closure, includer, spelled, err);

	return rc ? rc : scan_files(closure, err);
}

/*
 * Appends the paths that the unit's header globs match, to @paths, which must be freed. A glob's alternatives
 * are tried until one matches. Return: 0; ERR_NOT_FOUND if none matches; an error from reading the tree.
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
		if (*count == before && is_last) {
			const char *choices = unit->headers.item[first]; /* "a.h, nor b.h, nor c.h" */

			while (first < i)
				choices = arena_printf(closure->arena, "%s, nor %s", choices,
						       unit->headers.item[++first]);
			return err_set(
				err, ERR_NOT_FOUND,
				"version %s has no file %s, which unit %s of the profile reads; is this the right tree for the profile?",
				tree->version, choices, unit->name);
		}
	}
	return 0;
}

/*
 * Reads the headers that the unit's globs match, and lists each once in closure->headers, at its first match.
 * Optional headers come last, and may be missing. Return: as closure_load().
 */
static int load_headers(struct closure *closure, struct err *err)
{
	const struct profile_strings *optional = &closure->unit->optional_headers;
	struct tree *tree = closure->tree;
	const char **paths = NULL;
	size_t count = 0;
	int rc = match_headers(&paths, &count, closure, err);

	for (size_t i = 0; i < optional->count && !rc; i++) {
		rc = tree->ops->glob(tree, optional->item[i], &paths, &count, err);
		if (rc == ERR_NOT_FOUND)
			rc = 0;
	}
	closure->headers = arena_array(closure->arena, count, sizeof(*closure->headers));
	closure->unreadable = arena_array(closure->arena, count, sizeof(*closure->unreadable));
	for (size_t i = 0; i < count && !rc; i++) {
		const size_t before = closure->file_count;
		struct closure_file *file;

		rc = look_up_path(&file, closure, paths[i], strlen(paths[i]), err);
		if (!rc && !file)
			rc = err_set(err, ERR_NOT_FOUND, "%s is listed in version %s but cannot be read",
				     paths[i], tree->version);
		if (!rc && closure->file_count > before)
			closure->headers[closure->header_count++] = file->path;
	}
	free(paths);
	return rc;
}

int closure_load(struct closure *closure, struct err *err)
{
	const struct profile_unit *unit = closure->unit;
	char path[PATH_MAX];
	int rc;

	closure->inside_roots = true;
	closure->dirs = arena_array(closure->arena, unit->include.count, sizeof(*closure->dirs));
	for (size_t i = 0; i < unit->include.count; i++) {
		const char *only = unit->include_target ? unit->include_target[i] : NULL;
		const struct view dir = view_of(unit->include.item[i]);
		const size_t length = normalise_path(path, sizeof(path), "", 0, dir);

		if ((!only || !strcmp(only, closure->target)) &&
		    (length || !dir.length || view_is(dir, ".")))
			closure->dirs[closure->dir_count++] = arena_strndup(closure->arena, path, length);
	}
	rc = load_headers(closure, err);
	for (size_t i = 0; i < unit->prologue.count && !rc; i++) {
		const char *line = unit->prologue.item[i];

		rc = look_up_includes(closure, NULL,
				      hints_read(NULL, "", "", line, strlen(line), closure->arena), err);
	}
	return rc ? rc : scan_files(closure, err);
}

void closure_release(struct closure *closure)
{
	HASH_CLEAR(hh, closure->by_path);
}

void closure_differs(struct closure *closure, const char *place, const char *text)
{
	closure->differences = arena_room(closure->arena, closure->differences, closure->difference_count,
					  sizeof(*closure->differences));
	closure->differences[closure->difference_count++] = (struct closure_difference){ place, text };
}

struct closure_file *closure_find(const struct closure *closure, const char *path)
{
	struct closure_file *file = NULL;
	char normal[PATH_MAX];
	size_t length = 0;

	if (begins(path, CLOSURE_ROOT)) {
		path += strlen(CLOSURE_ROOT);
		length = normalise_path(normal, sizeof(normal), "", 0, (struct view){ path, strlen(path) });
	}
	if (length)
		file = path_find(closure, normal, length);
	return file && file->text ? closure->files[file->inode] : NULL;
}

/* Compares an offset with the start of a hint, for bsearch(). */
static int order_hint(const void *offset, const void *hint)
{
	return compare_numbers(*(const size_t *)offset, ((const struct hint *)hint)->start);
}

const struct hint *closure_hint(const struct closure_file *file, size_t start)
{
	const struct hints *hints = file->hints;

	return hints->define_count ? bsearch(&start, hints->defines, hints->define_count,
					     sizeof(*hints->defines), order_hint)
				   : NULL;
}

bool closure_mentions(const struct closure *closure, const char *word)
{
	for (size_t i = 0; i < closure->file_count; i++) {
		const struct closure_file *file = closure->files[i];

		if (file->included && find_text(file->text, file->text + file->size, word, strlen(word)))
			return true;
	}
	return false;
}
