/* extract/extract.c - extracts all units of a profile from a tree */
#include "extract/extract.h"
#include "extract/internal.h"

/* The state of one call of extract_tree(). */
struct extraction {
	struct tree *tree;
	const struct profile *profile;
	const char *target;
	struct profile_strings roots;
	struct abi_builder *builder;
	struct macro_values macros;
	struct arena *arena;
	bool inside_roots;
};

/* Returns the path in the tree of the file @clang_name; "prologue" for the main file; NULL for any other. */
static const char *tree_file_name(void *data, const char *clang_name)
{
	struct closure_file *file = closure_find(data, clang_name);

	if (file)
		return file->real;
	return strcmp(clang_name, UNIT_MAIN) ? NULL : "prologue";
}

/*
 * Parses a unit of the profile, adds its declarations, constants and warnings to the document, and its macros
 * to run->macros. Clears run->inside_roots if a path outside of run->roots was looked up. Does nothing if the
 * unit has no headers in this tree. Return: as extract_tree().
 */
static int extract_unit(struct extraction *run, const struct profile_unit *profile_unit, struct err *err)
{
	struct closure closure = {
		.tree = run->tree,
		.unit = profile_unit,
		.target = run->target,
		.arena = run->arena,
		.roots = &run->roots,
		.rules = run->macros.rules,
	};
	struct walk walk = {
		.decls = { .arena = run->arena,
			   .builder = run->builder,
			   .err = err,
			   .file_name = tree_file_name,
			   .data = &closure },
		.profile = run->profile,
		.context = &profile_unit->context,
	};
	struct unit unit = { 0 };
	int rc;

	if ((rc = closure_load(&closure, err)) || !closure.header_count)
		goto out;
	run->macros.closure = &closure;
	if ((rc = unit_parse(&unit, &closure, &run->macros, err)))
		goto out;
	walk.decls.mentions_ms_struct = closure_mentions(&closure, "ms_struct");
	for (size_t i = 0; i < closure.file_count; i++)
		if (closure.files[i]->included && closure.files[i]->hints->pragma_count)
			walk.decls.has_pragmas = true;
	if ((rc = walk_declarations(&walk, unit.declarations, unit.count)) ||
	    (rc = kinds_find_ioctls(&run->macros, &walk)))
		goto out;
	macro_values_finish(&run->macros, run->builder);
	for (size_t i = 0; i < closure.file_count; i++)
		if (closure.files[i]->included && closure.files[i]->stand_in &&
		    !closure.files[i]->stand_in->is_expected)
			abi_builder_warning(
				run->builder, closure.files[i]->path,
				"The tree does not have this file; the profile's stand-in was read instead.");
	for (size_t i = 0; i < closure.unreadable_count; i++)
		abi_builder_warning(run->builder, closure.unreadable[i].place,
				    "%s is left out, since clang cannot read it: %s.",
				    closure.unreadable[i].header, closure.unreadable[i].text);
	for (size_t i = 0; i < closure.difference_count; i++)
		abi_builder_warning(run->builder, closure.differences[i].place, "%s",
				    closure.differences[i].text);
	run->inside_roots = run->inside_roots && closure.inside_roots;
out:
	walk_release(&walk);
	unit_release(&unit);
	closure_release(&closure);
	return rc;
}

/*
 * --- a tree that has only some of the driver's top-level directories ---
 *
 * If required headers are missing, a top-level directory is absent if it has no header of the profile. But if
 * all directories would be absent, none is considered absent. The profile is then reduced:
 *
 * - Headers in an absent directory are removed, unless an include directory of the unit has a header with the
 *   same name. For example, kernel-open/common/inc has a copy of nv-ioctl.h.
 * - Families whose tables are all in absent directories are removed.
 * - If a unit keeps no required header, and an optional header of it is in an absent directory, all its
 *   optional headers are removed, because one may not compile without the others.
 */

/* Checks whether @path is in one of the absent directories. */
static bool is_absent(const struct profile_strings *absent, const char *path)
{
	const size_t length = strcspn(path, "/");

	for (size_t i = 0; path[length] && i < absent->count; i++)
		if (!strncmp(absent->item[i], path, length) && !absent->item[i][length])
			return true;
	return false;
}

/* Sets @out to whether a file of the tree matches @glob. Return: 0; an error from reading the tree. */
static int tree_has(bool *out, struct tree *tree, const char *glob, struct err *err)
{
	const char **paths = NULL;
	size_t count = 0;
	int rc = tree->ops->glob(tree, glob, &paths, &count, err);

	free(paths);
	*out = count;
	return rc == ERR_NOT_FOUND ? 0 : rc;
}

/* Sets @out to whether the tree has every header that the unit requires, or an alternative to it. */
static int has_all_headers(bool *out, struct tree *tree, const struct profile_unit *unit, struct err *err)
{
	bool has = true;
	int rc = 0;

	for (size_t i = 0; i < unit->headers.count && !rc; i++) {
		const bool is_other = unit->is_alternative && unit->is_alternative[i];

		if (!is_other && !has)
			break;
		if (!is_other || !has)
			rc = tree_has(&has, tree, unit->headers.item[i], err);
	}
	*out = has;
	return rc;
}

/* Adds the top-level directories of @globs to @all, and those with a file that a glob matches to @present. */
static int find_directories(struct profile_strings *all, struct profile_strings *present, struct tree *tree,
			    const struct profile_strings *globs, struct arena *arena, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; i < globs->count && !rc; i++) {
		const char *slash = strchr(globs->item[i], '/'), *top;
		bool has;

		if (!slash)
			continue;
		top = arena_strndup(arena, globs->item[i], (size_t)(slash - globs->item[i]));
		strings_append(all, top, arena);
		if (!texts_have(present->item, present->count, top) &&
		    !(rc = tree_has(&has, tree, globs->item[i], err)) && has)
			strings_append(present, top, arena);
	}
	return rc;
}

/*
 * Finds a replacement for the header @glob, which is in an absent directory: a header with the same file name
 * in an include directory of the unit. @out: NULL if there is none. Return: as tree_has().
 */
static int find_beside(const char **out, const struct profile_strings *absent, struct tree *tree,
		       const struct profile_unit *unit, const char *glob, struct arena *arena,
		       struct err *err)
{
	const char *last = strrchr(glob, '/') + 1;
	bool has = false;
	int rc = 0;

	*out = NULL;
	for (size_t i = 0; i < unit->include.count && *last != '*' && !has && !rc; i++) {
		const char *dir = unit->include.item[i];
		const char *beside = strcmp(dir, ".") ? arena_printf(arena, "%s/%s", dir, last) : last;

		if (!is_absent(absent, dir) && !(rc = tree_has(&has, tree, beside, err)) && has)
			*out = beside;
	}
	return rc;
}

/*
 * Removes the headers in absent directories from @unit, a copy of the profile's unit, or replaces them with
 * headers of the same names in its include directories. If no required header is left, optional headers may
 * be removed too. Return: as tree_has().
 */
static int reduce_unit(struct profile_unit *unit, const struct profile_strings *absent, struct tree *tree,
		       struct arena *arena, struct err *err)
{
	const struct profile_strings all = unit->headers;
	const char **kept = arena_array(arena, all.count + 1, sizeof(*kept));
	bool *is_alternative = arena_array(arena, all.count + 1, sizeof(*is_alternative));
	bool has_first = false; /* a header of the current group of alternatives was kept */
	size_t count = 0;
	int rc = 0;

	for (size_t i = 0; i < all.count && !rc; i++) {
		const char *header = all.item[i];

		has_first = has_first && unit->is_alternative && unit->is_alternative[i];
		if (is_absent(absent, header))
			rc = find_beside(&header, absent, tree, unit, header, arena, err);
		if (rc || !header)
			continue;
		is_alternative[count] = has_first;
		kept[count++] = header;
		has_first = true;
	}
	for (size_t i = 0; i < unit->optional_headers.count && !count; i++)
		if (is_absent(absent, unit->optional_headers.item[i]))
			unit->optional_headers.count = 0;
	unit->headers = (struct profile_strings){ kept, count };
	unit->is_alternative = is_alternative;
	return rc;
}

static bool is_family_absent(const struct profile_family *family, const struct profile_strings *absent)
{
	for (size_t i = 0; i < family->files.count; i++)
		if (!is_absent(absent, family->files.item[i]))
			return false;
	return family->files.count > 0;
}

int extract_part(const struct profile **out, struct profile_strings *absent, struct tree *tree,
		 const struct profile *profile, struct arena *arena, struct err *err)
{
	struct profile_strings all = { 0 }, present = { 0 };
	struct profile_family *families;
	struct profile_unit *units;
	struct profile *part;
	bool whole = true;
	int rc = 0;

	*out = profile;
	*absent = (struct profile_strings){ .count = 0 };
	for (size_t i = 0; i < profile->unit_count && whole && !rc; i++)
		rc = has_all_headers(&whole, tree, &profile->units[i], err);
	for (size_t i = 0; i < profile->unit_count && !whole && !rc; i++) {
		const struct profile_unit *unit = &profile->units[i];

		if (!(rc = find_directories(&all, &present, tree, &unit->headers, arena, err)))
			rc = find_directories(&all, &present, tree, &unit->optional_headers, arena, err);
	}
	if (rc || !present.count || present.count == all.count)
		return rc;
	for (size_t i = 0; i < all.count; i++)
		if (!texts_have(present.item, present.count, all.item[i]))
			strings_append(absent, all.item[i], arena);
	*out = part = arena_memdup(arena, profile, sizeof(*part));
	part->units = units = arena_memdup(arena, profile->units, profile->unit_count * sizeof(*units));
	part->families = families = arena_array(arena, profile->family_count + 1, sizeof(*families));
	part->family_count = 0;
	for (size_t i = 0; i < profile->unit_count && !rc; i++)
		rc = reduce_unit(&units[i], absent, tree, arena, err);
	for (size_t i = 0; i < profile->family_count; i++)
		if (!is_family_absent(&profile->families[i], absent))
			families[part->family_count++] = profile->families[i];
	return rc;
}

int extract_tree(struct extract_result *out, struct abi_builder *builder, struct tree *tree,
		 const struct profile *profile, const char *target, struct arena *arena, struct err *err)
{
	struct extraction run = {
		.tree = tree,
		.profile = profile,
		.target = target,
		.builder = builder,
		.arena = arena,
		.macros = { .arena = arena },
		.inside_roots = true,
	};
	struct extract_result result;
	int rc;

	if (strcmp(target, "x86_64-linux-gnu") && strcmp(target, "aarch64-linux-gnu"))
		return err_set(err, ERR_USAGE, "unknown target %s; use x86_64-linux-gnu or aarch64-linux-gnu",
			       target);
	if ((rc = extract_load(err)) || (rc = macro_rules_new(&run.macros.rules, profile, arena, err)))
		return rc;
	profile_roots(&run.roots, profile, arena);
	for (size_t i = 0; i < profile->unit_count && !rc; i++)
		rc = extract_unit(&run, &profile->units[i], err);
	if (!rc) {
		macro_values_warn(&run.macros, builder);
		macro_values_index(&result.macros, &run.macros);
		result.inside_roots = run.inside_roots;
		rc = ioctls_add(builder, tree, profile, &result.macros, arena, err);
	}
	if (!rc)
		*out = result;
	macro_values_release(&run.macros);
	macro_rules_free(run.macros.rules);
	return rc;
}

const char *extract_compiler(struct arena *arena)
{
	struct err err = { "" };

	return extract_load(&err) ? arena_strdup(arena, err.text)
				   : cxstring_dup(clang.getClangVersion(), arena);
}
