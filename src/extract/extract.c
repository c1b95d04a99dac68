/* extract/extract.c - from a tree to a document; and from one file, as gVisor's driver_ast_parser does it */
#include "extract/extract.h"
#include "extract/internal.h"

#include <clang-c/CXCompilationDatabase.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * A name that extract_file() looks for. It is granted by the walk over the file's declarations; a missing
 * one is reported with similar names.
 */
struct wish {
	const char *name;
	const char *declared_at; /* "path:line:column" of the first declaration; NULL if there is none */
	bool is_granted; /* the requested name is in the document */
	struct abi_nearest nearest;
};

struct wishes {
	struct wish *items;
	size_t count;
};

/* wish_find - Return: the request for @name, or NULL. */
static struct wish *wish_find(const struct wishes *wishes, const char *name)
{
	for (size_t i = 0; i < wishes->count; i++)
		if (!strcmp(wishes->items[i].name, name))
			return &wishes->items[i];
	return NULL;
}

static struct wishes wishes_of(const char *const *names, size_t count, struct arena *arena)
{
	struct wishes wishes = { arena_array(arena, count, sizeof(struct wish)), 0 };

	for (size_t i = 0; i < count; i++) /* a name that is given twice is one request */
		if (!wish_find(&wishes, names[i]))
			wishes.items[wishes.count++] = (struct wish){ .name = names[i] };
	return wishes;
}

/* wishes_missing - the number of missing ones. */
static size_t wishes_missing(const struct wishes *wishes)
{
	size_t count = 0;

	for (size_t i = 0; i < wishes->count; i++)
		count += !wishes->items[i].is_granted;
	return count;
}

/* wishes_compare - @name is declared: it may resemble a missing one. @name must outlive @wishes. */
static void wishes_compare(const struct wishes *wishes, const char *name)
{
	for (size_t i = 0; i < wishes->count; i++)
		if (!wishes->items[i].is_granted && !wishes->items[i].declared_at)
			abi_nearest_name(&wishes->items[i].nearest, wishes->items[i].name, name);
}

/*
 * wishes_warn - a warning for each missing one
 *
 * "@lacking NAME; nearest: …" at @path if it is not declared, else "NAME @unusable and is left out", where it
 * is declared.
 */
static void wishes_warn(const struct wishes *wishes, const char *lacking, const char *unusable,
			const char *path, struct abi_builder *builder)
{
	for (size_t i = 0; i < wishes->count; i++) {
		struct wish *wish = &wishes->items[i];
		struct strbuf nearest = { 0 };

		if (wish->is_granted)
			continue;
		abi_nearest_list(&nearest, &wish->nearest);
		if (wish->declared_at)
			abi_builder_warning(builder, wish->declared_at, "%s %s and is left out", wish->name,
					    unusable);
		else
			abi_builder_warning(builder, path, "%s %s%s", lacking, wish->name,
					    strbuf_text(&nearest));
		strbuf_release(&nearest);
	}
}

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
		if (closure->files[i]->is_stand_in && closure->files[i]->included &&
		    !closure->files[i]->is_expected)
			abi_builder_warning(builder, closure->files[i]->path,
					    "The tree has no such file; what the profile puts in its place was read.");
}

static void warn_of_unreadable(const struct closure *closure, struct abi_builder *builder)
{
	for (size_t i = 0; i < closure->unreadable_count; i++)
		abi_builder_warning(builder, closure->unreadable[i].place,
				    "%s is left out, since clang cannot read it: %s.",
				    closure->unreadable[i].header, closure->unreadable[i].text);
}

static void warn_of_differences(const struct closure *closure, struct abi_builder *builder)
{
	for (size_t i = 0; i < closure->difference_count; i++)
		abi_builder_warning(builder, closure->differences[i].place, "%s",
				    closure->differences[i].text);
}

static int extract_unit(struct extraction *run, const struct profile_unit *profile_unit, struct err *err)
{
	struct closure closure = {
		.tree = run->tree,
		.unit = profile_unit,
		.target = run->target,
		.arena = run->arena,
		.roots = &run->roots,
		.rules = run->rules,
		.memo = run->memo,
	};
	struct roles roles = { .profile = run->profile, .arena = run->arena };
	struct walk walk = {
		.builder = run->builder,
		.decls = { .arena = run->arena,
			   .builder = run->builder,
			   .file_name = file_name,
			   .data = &closure },
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

		walk.decls.mentions_ms_struct =
			walk.decls.mentions_ms_struct || (hints && hints->mentions_ms_struct);
		walk.decls.has_pragmas = walk.decls.has_pragmas || (hints && hints->pragma_count);
	}
	if ((rc = walk_declarations(&walk, unit.declarations, unit.count, err)) ||
	    (rc = kinds_read(run->macros, &walk, err)))
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

/*
 * part of a tree
 *
 * If headers that every tree has are missing, a directory at the top of which no header of the profile is there
 * is absent, as long as another one is not. Its headers are left out, except those that the unit's other directories have as well, as #include finds them:
 * kernel-open/common/inc has a copy of nv-ioctl.h. So are the families whose tables would be in there, and
 * units of optional headers, because one header may not compile without the others.
 */

struct top {
	const char *name;
	bool is_there;
};

struct tops {
	struct top *items;
	size_t count, there_count;
};

static struct top *find_top(const struct tops *tops, const char *path)
{
	const size_t length = strcspn(path, "/");

	for (size_t i = 0; path[length] && i < tops->count; i++)
		if (!strncmp(tops->items[i].name, path, length) && !tops->items[i].name[length])
			return &tops->items[i];
	return NULL;
}

static bool is_absent(const struct tops *tops, const char *path)
{
	const struct top *top = find_top(tops, path);

	return top && !top->is_there;
}

static int tree_has(bool *out, struct tree *tree, const char *glob, struct err *err)
{
	const char **paths = NULL;
	size_t count = 0;
	int rc = tree->ops->glob(tree, glob, &paths, &count, err);

	free(paths);
	*out = count;
	return rc == ERR_NOT_FOUND ? 0 : rc;
}

/* Is there a header for each that the unit has to have? */
static int is_whole(bool *out, struct tree *tree, const struct profile_unit *unit, struct err *err)
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

static int find_tops(struct tops *tops, struct tree *tree, const struct profile_strings *globs,
		     struct arena *arena, struct err *err)
{
	size_t capacity = tops->count;
	int rc = 0;

	for (size_t i = 0; i < globs->count && !rc; i++) {
		const char *glob = globs->item[i];
		struct top *top = find_top(tops, glob);

		if (!strchr(glob, '/'))
			continue;
		if (!top) {
			ARRAY_GROW(tops->items, tops->count, capacity);
			top = &tops->items[tops->count++];
			*top = (struct top){ arena_strndup(arena, glob, strcspn(glob, "/")), false };
		}
		if (!top->is_there && !(rc = tree_has(&top->is_there, tree, glob, err)))
			tops->there_count += top->is_there;
	}
	return rc;
}

/* The same header in a directory that the unit searches for includes; NULL if none has it. */
static int find_beside(const char **out, const struct tops *tops, struct tree *tree,
		       const struct profile_unit *unit, const char *glob, struct arena *arena, struct err *err)
{
	const char *last = strrchr(glob, '/') + 1;
	bool has = false;
	int rc = 0;

	*out = NULL;
	for (size_t i = 0; i < unit->include.count && *last != '*' && !has && !rc; i++) {
		const char *dir = unit->include.item[i];
		const char *beside = strcmp(dir, ".") ? arena_printf(arena, "%s/%s", dir, last) : last;

		if (!is_absent(tops, dir) && !(rc = tree_has(&has, tree, beside, err)) && has)
			*out = beside;
	}
	return rc;
}

static int reduce_unit(struct profile_unit *unit, const struct tops *tops, struct tree *tree,
		       struct arena *arena, struct err *err)
{
	const struct profile_strings all = unit->headers;
	const char **kept = arena_array(arena, all.count + 1, sizeof(*kept));
	bool *is_alternative = arena_array(arena, all.count + 1, sizeof(*is_alternative));
	bool has_first = false; /* of the headers that are alternatives to each other, one is kept */
	size_t count = 0;
	int rc = 0;

	for (size_t i = 0; i < all.count && !rc; i++) {
		const char *header = all.item[i];

		has_first = has_first && unit->is_alternative && unit->is_alternative[i];
		if (is_absent(tops, header))
			rc = find_beside(&header, tops, tree, unit, header, arena, err);
		if (rc || !header)
			continue;
		is_alternative[count] = has_first;
		kept[count++] = header;
		has_first = true;
	}
	for (size_t i = 0; i < unit->optional_headers.count && !count; i++)
		if (is_absent(tops, unit->optional_headers.item[i]))
			unit->optional_headers.count = 0;
	unit->headers = (struct profile_strings){ kept, count };
	unit->is_alternative = is_alternative;
	return rc;
}

static bool is_family_absent(const struct profile_family *family, const struct tops *tops)
{
	for (size_t i = 0; i < family->files.count; i++)
		if (!is_absent(tops, family->files.item[i]))
			return false;
	return family->files.count > 0;
}

static int reduce_profile(const struct profile **out, const struct tops *tops, struct tree *tree,
			  const struct profile *profile, struct arena *arena, struct err *err)
{
	struct profile *part = arena_memdup(arena, profile, sizeof(*part));
	struct profile_unit *units = arena_memdup(arena, profile->units, profile->unit_count * sizeof(*units));
	struct profile_family *families =
		arena_array(arena, profile->family_count + 1, sizeof(*families));
	int rc = 0;

	part->family_count = 0;
	for (size_t i = 0; i < profile->unit_count && !rc; i++)
		rc = reduce_unit(&units[i], tops, tree, arena, err);
	for (size_t i = 0; i < profile->family_count; i++)
		if (!is_family_absent(&profile->families[i], tops))
			families[part->family_count++] = profile->families[i];
	part->units = units;
	part->families = families;
	*out = part;
	return rc;
}

int extract_part(const struct profile **out, struct profile_strings *absent, struct tree *tree,
		 const struct profile *profile, struct arena *arena, struct err *err)
{
	struct tops tops = { 0 };
	const char **names;
	bool whole = true;
	int rc = 0;

	*out = profile;
	*absent = (struct profile_strings){ .count = 0 };
	for (size_t i = 0; i < profile->unit_count && whole && !rc; i++)
		rc = is_whole(&whole, tree, &profile->units[i], err);
	for (size_t i = 0; i < profile->unit_count && !whole && !rc; i++)
		if (!(rc = find_tops(&tops, tree, &profile->units[i].headers, arena, err)))
			rc = find_tops(&tops, tree, &profile->units[i].optional_headers, arena, err);
	if (!rc && tops.there_count && tops.there_count < tops.count) {
		names = arena_array(arena, tops.count, sizeof(*names));
		for (size_t i = 0; i < tops.count; i++)
			if (!tops.items[i].is_there)
				names[absent->count++] = tops.items[i].name;
		absent->item = names;
		rc = reduce_profile(out, &tops, tree, profile, arena, err);
	}
	free(tops.items);
	return rc;
}

static int check_target(const char *target, struct err *err)
{
	if (!strcmp(target, "x86_64-linux-gnu") || !strcmp(target, "aarch64-linux-gnu"))
		return 0;
	return err_set(err, ERR_USAGE, "unknown target %s; there are x86_64-linux-gnu and aarch64-linux-gnu",
		       target);
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

int extract_tree(struct extract_result *out, struct abi_builder *builder, struct tree *tree,
		 const struct profile *profile, const struct extract_options *options, struct arena *arena,
		 struct err *err)
{
	struct extraction run = {
		.tree = tree,
		.profile = profile,
		.target = options->target,
		.builder = builder,
		.memo = options->memo,
		.arena = arena,
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

	return libclang_load(&err) ? arena_strdup(arena, err.text)
				   : cxstring_dup(clang_getClangVersion(), arena);
}

const char *extract_compiler_key(struct arena *arena)
{
	const char *identity = libclang_identity(arena);

	return identity ? identity : extract_compiler(arena);
}

/*
 * The form of extraction that replaces gVisor's driver_ast_parser: a file on disk, parsed with the caller's
 * arguments, of which only the requested names are extracted.
 */

enum { FILE_BYTES_MAX = 64 * 1024 * 1024 };

/* One run over a file. */
struct file_run {
	const char *path;
	struct wishes types, constants, numbers;
	struct walk walk;
	struct err *err;
	int rc;
};

/*
 * On disk every file is the caller's, and has clang's name for it, without the "./" that libclang 14 puts
 * in front of some.
 */
static const char *drop_in_file_name(void *data, const char *clang_name)
{
	while (clang_name[0] == '.' && clang_name[1] == '/' && clang_name[2] && clang_name[2] != '/')
		clang_name += 2;
	return arena_strdup(data, clang_name);
}

static bool names_cxx(const char *language)
{
	return !strncmp(language, "c++", 3);
}

/* By the file's name, unless an argument says otherwise. */
static bool is_cxx(const char *path, const char *const *args, size_t count)
{
	static const char *const endings[] = { ".cc", ".cpp", ".cxx", ".c++", ".C",
					       ".hh", ".hpp", ".hxx", ".H" };
	const char *ending = strrchr(path, '.');
	bool found = false;
	size_t i;

	for (i = 0; ending && i < sizeof(endings) / sizeof(endings[0]); i++)
		found = found || !strcmp(ending, endings[i]);
	for (i = 0; i < count; i++) {
		if (!strcmp(args[i], "-x") && i + 1 < count)
			found = names_cxx(args[i + 1]);
		else if (!strncmp(args[i], "-x", 2))
			found = names_cxx(args[i] + 2);
	}
	return found;
}

/* The first error of the parse. Return: 0 if there is none; ERR_PARSE. */
static int check_errors(CXTranslationUnit tu, const char *path, struct err *err)
{
	unsigned count = clang_getNumDiagnostics(tu), i;
	int rc = 0;

	for (i = 0; i < count && !rc; i++) {
		CXDiagnostic diagnostic = clang_getDiagnostic(tu, i);

		if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error) {
			CXString text = clang_getDiagnosticSpelling(diagnostic), name;
			CXFile file = NULL;
			unsigned line = 0, column = 0;

			clang_getExpansionLocation(clang_getDiagnosticLocation(diagnostic), &file, &line,
						   &column, NULL);
			name = clang_getFileName(file);
			if (file)
				rc = err_set(err, ERR_PARSE, "%s:%u:%u: %s", clang_getCString(name), line,
					     column, clang_getCString(text));
			else
				rc = err_set(err, ERR_PARSE, "%s: %s", path, clang_getCString(text));
			clang_disposeString(name);
			clang_disposeString(text);
		}
		clang_disposeDiagnostic(diagnostic);
	}
	return rc;
}

/* The bits of the value as the variable's type has them, as gVisor's tool prints it. */
static uint64_t bits_of(CXEvalResult result, CXType type)
{
	uint64_t bits = clang_EvalResult_isUnsignedInt(result)
				? clang_EvalResult_getAsUnsigned(result)
				: (uint64_t)clang_EvalResult_getAsLongLong(result);
	long long size = clang_Type_getSizeOf(type);

	return size > 0 && size < 8 ? bits & (((uint64_t)1 << size * 8) - 1) : bits;
}

/* Return: does the variable at @cursor have a value that is an integer constant? */
static bool add_value(struct file_run *run, const struct wish *wish, CXCursor cursor)
{
	CXEvalResult result = clang_Cursor_Evaluate(cursor);
	bool is_integer = result && clang_EvalResult_getKind(result) == CXEval_Int;

	if (is_integer)
		abi_builder_constant(run->walk.builder, &(struct abi_constant){
			wish->name, abi_number_unsigned(bits_of(result, clang_getCursorType(cursor))) });
	if (result)
		clang_EvalResult_dispose(result);
	return is_integer;
}

#define NUMBER_PREFIX "drvabi_number_"

/*
 * clang forgets macros after the parse. Their values are requested after the file's own end, each as a
 * variable of its own: one that is not an integer spoils no other.
 */
static int ask_numbers(struct strbuf *out, const struct file_run *run)
{
	size_t i;
	int rc;

	if ((rc = file_read(out, run->path, FILE_BYTES_MAX, run->err)))
		return rc;
	strbuf_adds(out, "\n\n");
	for (i = 0; i < run->numbers.count; i++) {
		const char *name = run->numbers.items[i].name;

		strbuf_addf(out, "#ifdef %s\nconst unsigned long long " NUMBER_PREFIX "%s = (%s);\n#endif\n",
			    name, name, name);
	}
	return 0;
}

/*
 * A cursor that contains declarations and is not a type itself. extern "C" { } is a LinkageSpec in libclang
 * 19; in 14 it is an UnexposedDecl, as is whatever else libclang has no kind for.
 */
static bool is_around_declarations(CXCursor cursor)
{
	return cursor.kind == CXCursor_Namespace || cursor.kind == CXCursor_LinkageSpec ||
	       cursor.kind == CXCursor_UnexposedDecl;
}

static enum CXChildVisitResult number_visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
	const size_t prefix = strlen(NUMBER_PREFIX);
	struct file_run *run = data;
	struct wish *wish;
	char name[512];

	if (is_around_declarations(cursor) || cursor.kind == CXCursor_EnumDecl)
		return CXChildVisit_Recurse;
	if (!cxstring_copy(name, sizeof(name), clang_getCursorSpelling(cursor)))
		return CXChildVisit_Continue;
	if (cursor.kind == CXCursor_EnumConstantDecl && (wish = wish_find(&run->numbers, name)))
		abi_builder_constant(run->walk.builder,
				     &(struct abi_constant){ wish->name, enumerator_value(cursor, parent) });
	else if (cursor.kind == CXCursor_VarDecl && !strncmp(name, NUMBER_PREFIX, prefix) &&
		 (wish = wish_find(&run->numbers, name + prefix)))
		add_value(run, wish, cursor);
	return CXChildVisit_Continue;
}

/* A parse of their own: an error in a question must not count as the file's fault, nor the reverse. */
static int read_numbers(struct file_run *run, CXIndex index, const char *const *clang_args, size_t arg_count)
{
	struct strbuf text = { 0 };
	struct CXUnsavedFile file = { .Filename = run->path };
	CXTranslationUnit tu = NULL;
	int rc;

	if (!run->numbers.count)
		return 0;
	rc = ask_numbers(&text, run);
	file.Contents = strbuf_text(&text);
	file.Length = text.length;
	if (!rc && !clang_parseTranslationUnit2(index, run->path, clang_args, (int)arg_count, &file, 1,
						CXTranslationUnit_SkipFunctionBodies, &tu))
		clang_visitChildren(clang_getTranslationUnitCursor(tu), number_visit, run);
	if (tu)
		clang_disposeTranslationUnit(tu);
	strbuf_release(&text);
	return rc;
}

static bool is_record(CXCursor cursor)
{
	return cursor.kind == CXCursor_StructDecl || cursor.kind == CXCursor_UnionDecl ||
	       cursor.kind == CXCursor_ClassDecl;
}

static bool declares_type(CXCursor cursor)
{
	if (cursor.kind == CXCursor_TypedefDecl || cursor.kind == CXCursor_TypeAliasDecl)
		return true;
	return (is_record(cursor) || cursor.kind == CXCursor_EnumDecl) && decl_has_tag(cursor);
}

/*
 * Is it in the document, under its own name or, inside a namespace or another record of C++, under that with
 * the scope?
 */
static bool is_recorded(struct file_run *run, const struct wish *wish, CXCursor cursor)
{
	const char *scoped =
		cxstring_dup(clang_getTypeSpelling(clang_getCursorType(cursor)), run->walk.decls.arena);

	return abi_builder_has_record(run->walk.builder, wish->name) ||
	       abi_builder_has_alias(run->walk.builder, wish->name) ||
	       abi_builder_has_record(run->walk.builder, scoped) ||
	       abi_builder_has_alias(run->walk.builder, scoped);
}

/* A warning is about the first declaration of a requested name. */
static void see_wish(struct file_run *run, struct wish *wish, CXCursor cursor)
{
	bool in_own_header;

	if (!wish->declared_at)
		wish->declared_at = decl_location(&run->walk.decls, cursor, &in_own_header);
}

static void see_declaration(struct file_run *run, CXCursor cursor, const char *name)
{
	struct wish *wish;

	if (declares_type(cursor) && (wish = wish_find(&run->types, name))) {
		see_wish(run, wish, cursor);
		run->rc = walk_type(&run->walk, cursor, run->err);
		wish->is_granted = wish->is_granted || is_recorded(run, wish, cursor);
	} else if (cursor.kind == CXCursor_VarDecl && (wish = wish_find(&run->constants, name))) {
		see_wish(run, wish, cursor);
		wish->is_granted = add_value(run, wish, cursor) || wish->is_granted;
	}
}

static enum CXChildVisitResult typedef_visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct file_run *run = data;

	(void)parent;
	decls_note_typedefs(&run->walk.decls, &cursor, 1);
	return CXChildVisit_Continue;
}

/* Types and constants may be declared inside a record. */
static enum CXChildVisitResult file_visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct file_run *run = data;
	char name[512];

	(void)parent;
	if (is_around_declarations(cursor))
		return CXChildVisit_Recurse;
	if (cxstring_copy(name, sizeof(name), clang_getCursorSpelling(cursor)))
		see_declaration(run, cursor, name);
	if (run->rc)
		return CXChildVisit_Break;
	return is_record(cursor) ? CXChildVisit_Recurse : CXChildVisit_Continue;
}

/* A second visit, for the names that resemble one that is not there. */
static enum CXChildVisitResult nearest_visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct file_run *run = data;

	(void)parent;
	if (is_around_declarations(cursor))
		return CXChildVisit_Recurse;
	if (declares_type(cursor))
		wishes_compare(&run->types,
			       cxstring_dup(clang_getCursorSpelling(cursor), run->walk.decls.arena));
	else if (cursor.kind == CXCursor_VarDecl)
		wishes_compare(&run->constants,
			       cxstring_dup(clang_getCursorSpelling(cursor), run->walk.decls.arena));
	return is_record(cursor) ? CXChildVisit_Recurse : CXChildVisit_Continue;
}

/* Return: the number of missing names; each is a warning. */
static size_t warn_missing(struct file_run *run, CXCursor unit)
{
	size_t count = wishes_missing(&run->types) + wishes_missing(&run->constants);

	if (!count)
		return 0;
	clang_visitChildren(unit, nearest_visit, run);
	wishes_warn(&run->types, "there is no type",
		    "has no layout, being incomplete, a function or in a namespace without a name,",
		    run->path, run->walk.builder);
	wishes_warn(&run->constants, "there is no variable", "has no initializer that is an integer constant",
		    run->path, run->walk.builder);
	return count;
}

/* Return: the triple. */
static const char *read_target(struct decls *decls, CXTranslationUnit tu)
{
	CXTargetInfo target = clang_getTranslationUnitTargetInfo(tu);
	const char *triple = cxstring_dup(clang_TargetInfo_getTriple(target), decls->arena);

	decls->reference_bytes = clang_TargetInfo_getPointerWidth(target) / 8;
	clang_TargetInfo_dispose(target);
	return triple;
}

static void note_inclusion(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData data)
{
	char name[4096];

	(void)stack;
	(void)depth;
	(void)data;
	if (cxstring_copy(name, sizeof(name), clang_getFileName(file)))
		file_note_input_path(name);
}

static int run_file(struct abi *out, size_t *missing, struct file_run *run, CXTranslationUnit tu)
{
	struct abi head = { .target = "" };
	CXCursor unit = clang_getTranslationUnitCursor(tu);

	clang_getInclusions(tu, note_inclusion, NULL);
	if (check_errors(tu, run->path, run->err))
		return ERR_PARSE;
	head.target = read_target(&run->walk.decls, tu);
	clang_visitChildren(unit, typedef_visit, run);
	clang_visitChildren(unit, file_visit, run);
	if (run->rc)
		return run->rc;
	*missing = warn_missing(run, unit);
	abi_builder_seal(out, run->walk.builder, &head);
	return 0;
}

/* The directory of @path, or the nearest one above it, that has a compile_commands.json; NULL: none has. */
static const char *find_database(const char *path, struct arena *arena)
{
	for (const char *slash; (slash = strrchr(path, '/'));
	     path = arena_strndup(arena, path, (size_t)(slash - path))) {
		const char *directory = arena_printf(arena, "%.*s/", (int)(slash - path), path);

		if (!access(arena_printf(arena, "%scompile_commands.json", directory), F_OK))
			return directory;
	}
	return NULL;
}

/* The version without the compiler, from the file itself. */
static size_t read_command(const char *const **out, CXCompileCommand command, const char *path,
			   struct arena *arena)
{
	const char *file = cxstring_dup(clang_CompileCommand_getFilename(command), arena);
	unsigned arg_count = clang_CompileCommand_getNumArgs(command);
	const char **args = arena_array(arena, arg_count + 1, sizeof(*args));
	size_t count = 0;

	args[count++] = arena_printf(arena, "-working-directory=%s",
				     cxstring_dup(clang_CompileCommand_getDirectory(command), arena));
	for (unsigned i = 1; i < arg_count; i++) {
		const char *arg = cxstring_dup(clang_CompileCommand_getArg(command, i), arena);

		if (!strcmp(arg, "-o"))
			i++;
		else if (strcmp(arg, "-c") && strcmp(arg, "--") && strcmp(arg, file) && strcmp(arg, path))
			args[count++] = arg;
	}
	*out = args;
	return count;
}

/*
 * The arguments that a compile_commands.json has for the file; @path becomes absolute, since they may be
 * about another directory. Nothing changes if there is none.
 */
static int read_database(const char **path, const char *const **args, size_t *arg_count,
			 const char *build_path, struct arena *arena, struct err *err)
{
	char *real = realpath(*path, NULL);
	const char *file = real ? arena_strdup(arena, real) : *path,
		   *directory = build_path ? arena_printf(arena, "%s/", build_path) : find_database(file, arena);
	CXCompilationDatabase_Error code;
	CXCompilationDatabase database;
	CXCompileCommands commands;
	int rc = 0;

	free(real);
	if (!directory)
		return 0;
	database = clang_CompilationDatabase_fromDirectory(directory, &code);
	if (code != CXCompilationDatabase_NoError)
		return err_set(err, ERR_PARSE, "libclang cannot read %scompile_commands.json", directory);
	commands = clang_CompilationDatabase_getCompileCommands(database, file);
	if (clang_CompileCommands_getSize(commands)) {
		*arg_count = read_command(args, clang_CompileCommands_getCommand(commands, 0), file, arena);
		*path = file;
	} else {
		rc = err_set(err, ERR_NOT_FOUND, "%scompile_commands.json has no command for %s", directory,
			     file);
	}
	clang_CompileCommands_dispose(commands);
	clang_CompilationDatabase_dispose(database);
	return rc;
}

int extract_file(struct abi *out, size_t *missing, const char *path, const char *const *clang_args,
		 size_t arg_count, const struct extract_wanted *wanted, struct arena *arena, struct err *err)
{
	struct file_run run = {
		.path = path,
		.types = wishes_of(wanted->structs, wanted->struct_count, arena),
		.constants = wishes_of(wanted->constants, wanted->constant_count, arena),
		.numbers = wishes_of(wanted->numbers, wanted->number_count, arena),
		.walk = { .decls = { .arena = arena, .file_name = drop_in_file_name, .data = arena },
			  .writes_enum = wanted->is_for_gvisor },
		.err = err,
	};
	CXTranslationUnit tu = NULL;
	enum CXErrorCode code;
	CXIndex index;
	int rc;

	if (access(path, R_OK))
		return err_set(err, errno == ENOENT ? ERR_NOT_FOUND : ERR_IO, "cannot read %s: %s", path,
			       strerror(errno));
	if ((rc = libclang_load(err)))
		return rc;
	if (wanted->is_for_gvisor && !arg_count &&
	    (rc = read_database(&path, &clang_args, &arg_count, wanted->build_path, arena, err)))
		return rc;
	run.path = path;
	run.walk.decls.is_cxx = is_cxx(path, clang_args, arg_count);
	run.walk.builder = run.walk.decls.builder = abi_builder_new(arena);
	index = clang_createIndex(0, 0);
	code = clang_parseTranslationUnit2(index, path, clang_args, (int)arg_count, NULL, 0,
					   CXTranslationUnit_SkipFunctionBodies, &tu);
	if (code)
		rc = err_set(err, ERR_PARSE, "%s: libclang cannot parse it with these arguments (error %d)",
			     path, (int)code);
	else if (!(rc = read_numbers(&run, index, clang_args, arg_count)))
		rc = run_file(out, missing, &run, tu);
	walk_release(&run.walk);
	abi_builder_free(run.walk.builder);
	if (tu)
		clang_disposeTranslationUnit(tu);
	clang_disposeIndex(index);
	return rc;
}
