#include "extract/extract.h"

#include "extract/cxstring.h"
#include "extract/libclang.h"
#include "extract/macro_values.h"
#include "extract/unit.h"
#include "extract/walk.h"

/* One run over a tree. */
struct extraction {
	struct tree *tree;
	const struct profile *profile;
	const char *target;
	struct profile_strings roots;
	struct abi_builder *builder;
	struct macro_rules *rules;
	struct macro_values *macros;
	struct memo *memo; /* or NULL */
	struct arena *arena;
	bool inside_roots;
};

static const char *file_name(void *data, const char *clang_name)
{
	struct closure_file *file = closure_find(data, clang_name);

	if (file)
		return file->real;
	return strcmp(clang_name, UNIT_MAIN) ? NULL : "prologue";
}

/* A document says which of its files the tree did not have, unless the driver never has them. */
static void warn_of_stand_ins(const struct closure *closure, struct abi_builder *builder)
{
	size_t i;

	for (i = 0; i < closure->file_count; i++)
		if (closure->files[i]->is_stand_in && closure->files[i]->included && !closure->files[i]->is_expected)
			abi_builder_warning(builder, closure->files[i]->path,
					    "The tree has no such file; what the profile puts in its place was read.");
}

static void warn_of_unreadable(const struct closure *closure, struct abi_builder *builder)
{
	for (size_t i = 0; i < closure->unreadable_count; i++)
		abi_builder_warning(builder, closure->unreadable[i].place,
				    arena_printf(closure->arena, "%s is left out, since clang cannot read it: %s.", closure->unreadable[i].header,
						 closure->unreadable[i].text));
}

static void warn_of_differences(const struct closure *closure, struct abi_builder *builder)
{
	for (size_t i = 0; i < closure->difference_count; i++)
		abi_builder_warning(builder, closure->differences[i].place, closure->differences[i].text);
}

static int extract_unit(struct extraction *run, const struct profile_unit *profile_unit, struct err *err)
{
	struct closure closure = {
		.tree = run->tree, .unit = profile_unit, .target = run->target, .arena = run->arena, .roots = &run->roots,
		.rules = run->rules, .memo = run->memo,
	};
	struct roles roles = { .profile = run->profile, .arena = run->arena };
	struct walk walk = {
		.builder = run->builder,
		.decls = { .arena = run->arena, .builder = run->builder, .file_name = file_name, .data = &closure },
		.roles = &roles,
		.profile = run->profile,
		.context = &profile_unit->context,
	};
	struct unit unit = { 0 };
	int rc;

	if ((rc = closure_load(&closure, err)) || !closure.header_count)
		goto out;
	macro_values_begin(run->macros, &closure);
	if ((rc = unit_parse(&unit, &closure, run->macros, run->target, err)))
		goto out;
	for (size_t i = 0; i < closure.file_count; i++) {
		const struct hints *hints = closure.files[i]->included ? closure.files[i]->hints : NULL;

		walk.decls.mentions_ms_struct = walk.decls.mentions_ms_struct || (hints && hints->mentions_ms_struct);
		walk.decls.has_pragmas = walk.decls.has_pragmas || (hints && hints->pragma_count);
	}
	if ((rc = walk_declarations(&walk, unit.declarations, unit.count, err)) ||
	    (rc = kinds_read(run->macros, &walk, unit.kinds, unit.kind_count, err)))
		goto out;
	macro_values_finish(run->macros, run->builder);
	warn_of_stand_ins(&closure, run->builder);
	warn_of_unreadable(&closure, run->builder);
	warn_of_differences(&closure, run->builder);
	run->inside_roots = run->inside_roots && closure.inside_roots;
out:
	walk_release(&walk);
	roles_release(&roles);
	unit_release(&unit);
	closure_release(&closure);
	return rc;
}

static int check_target(const char *target, struct err *err)
{
	if (!strcmp(target, "x86_64-linux-gnu") || !strcmp(target, "aarch64-linux-gnu"))
		return 0;
	return err_set(err, ERR_USAGE, "unknown target %s; there are x86_64-linux-gnu and aarch64-linux-gnu", target);
}

/* All units, one after the other. */
static int extract_units(struct extraction *run, struct macro_index *index, struct err *err)
{
	int rc;

	if ((rc = macro_rules_new(&run->rules, run->profile, run->arena, err)))
		return rc;
	run->macros = macro_values_new(run->rules, run->arena);
	for (size_t i = 0; i < run->profile->unit_count && !rc; i++)
		rc = extract_unit(run, &run->profile->units[i], err);
	if (!rc) {
		macro_values_warn(run->macros, run->builder);
		macro_values_index(index, run->macros);
	}
	macro_values_free(run->macros);
	macro_rules_free(run->rules);
	return rc;
}

int extract_tree(struct extract_result *out, struct abi_builder *builder, struct tree *tree, const struct profile *profile,
		 const struct extract_options *options, struct arena *arena, struct err *err)
{
	struct extraction run = {
		.tree = tree, .profile = profile, .target = options->target, .builder = builder, .memo = options->memo, .arena = arena,
		.inside_roots = true,
	};
	struct macro_index index;
	int rc;

	if ((rc = check_target(options->target, err)) ||
	    (rc = libclang_load(err)) ||
	    (rc = profile_roots(&run.roots, profile, arena, err)) ||
	    (rc = extract_units(&run, &index, err)))
		return rc;
	*out = (struct extract_result){ index, run.inside_roots };
	return 0;
}

int extract_load(struct err *err)
{
	return libclang_load(err);
}

const char *extract_compiler(struct arena *arena)
{
	struct err err = { "" };

	return libclang_load(&err) ? arena_strdup(arena, err.text) : cxstring_dup(clang_getClangVersion(), arena);
}

const char *extract_compiler_key(struct arena *arena)
{
	const char *identity = libclang_identity(arena);

	return identity ? identity : extract_compiler(arena);
}
