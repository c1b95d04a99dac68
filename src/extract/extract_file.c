/*
 * extract/extract_file.c - extracts names from one file on disk, as gVisor's driver_ast_parser does
 *
 * The file is parsed with the caller's clang arguments, and only the requested names and the types that they
 * use are extracted.
 */
#include "extract/extract.h"
#include "extract/internal.h"

#include <unistd.h>

/* --- requested names ---------------------------------------------------------------------- */

/* One requested name. If it is not found, the warning lists similar names. */
struct request {
	const char *name;
	const char *declared_at; /* "path:line:column" of the first declaration; NULL if there is none */
	bool is_found; /* the document has the name */
	struct abi_nearest nearest;
};

struct requests {
	struct request *items;
	size_t count;
};

/* find_request - return the request for @name, or NULL if @name is not requested. */
static struct request *find_request(const struct requests *requests, const char *name)
{
	for (size_t i = 0; i < requests->count; i++)
		if (!strcmp(requests->items[i].name, name))
			return &requests->items[i];
	return NULL;
}

/* Returns a request for each of @names, in @arena. */
static struct requests requests_of(const struct profile_strings *names, struct arena *arena)
{
	struct requests requests = { arena_array(arena, names->count, sizeof(struct request)), 0 };

	for (size_t i = 0; i < names->count; i++) /* a name that is given twice becomes one request */
		if (!find_request(&requests, names->item[i]))
			requests.items[requests.count++] = (struct request){ .name = names->item[i] };
	return requests;
}

/*
 * compare_missing - add the declared name @name to the similar names of each request that was not found.
 * @name must outlive @requests.
 */
static void compare_missing(const struct requests *requests, const char *name)
{
	for (size_t i = 0; i < requests->count; i++)
		if (!requests->items[i].is_found && !requests->items[i].declared_at)
			abi_nearest_name(&requests->items[i].nearest, requests->items[i].name, name);
}

/*
 * warn_of_missing - add a warning for each missing name
 *
 * If NAME is not declared, the warning is about @path: "@lacking NAME; nearest: …". Otherwise it is about the
 * declaration: "NAME @unusable and is left out". Return: the number of missing names.
 */
static size_t warn_of_missing(const struct requests *requests, const char *lacking, const char *unusable,
			      const char *path, struct abi_builder *builder)
{
	size_t count = 0;

	for (size_t i = 0; i < requests->count; i++) {
		struct request *request = &requests->items[i];
		struct strbuf nearest = { 0 };

		if (request->is_found)
			continue;
		count++;
		abi_nearest_list(&nearest, &request->nearest);
		if (request->declared_at)
			abi_builder_warning(builder, request->declared_at, "%s %s and is left out",
					    request->name, unusable);
		else
			abi_builder_warning(builder, path, "%s %s%s", lacking, request->name,
					    strbuf_text(&nearest));
		strbuf_release(&nearest);
	}
	return count;
}

/* --- the file ----------------------------------------------------------------------------- */

enum { FILE_BYTES_MAX = 64 * 1024 * 1024 };

/* The state of one call of extract_file(). */
struct file_run {
	const char *path;
	struct requests types, constants, numbers;
	struct walk walk;
};

/*
 * Returns the name that clang has for a file, without the "./" that libclang 14 adds to some names. All files
 * count as the caller's, also system headers.
 */
static const char *drop_in_file_name(void *data, const char *clang_name)
{
	while (clang_name[0] == '.' && clang_name[1] == '/' && clang_name[2] && clang_name[2] != '/')
		clang_name += 2;
	return arena_strdup(data, clang_name);
}

/* Checks whether the file is C++: by the argument -x, or otherwise by the ending of its name. */
static bool is_cxx(const char *path, const char *const *args, size_t count)
{
	static const char *const endings[] = { ".cc", ".cpp", ".cxx", ".c++", ".C",
					       ".hh", ".hpp", ".hxx", ".H" };
	const char *ending = strrchr(path, '.');
	bool found = ending && texts_have(endings, sizeof(endings) / sizeof(endings[0]), ending);

	for (size_t i = 0; i < count; i++) {
		if (!strcmp(args[i], "-x") && i + 1 < count)
			found = begins(args[i + 1], "c++");
		else if (begins(args[i], "-x"))
			found = begins(args[i] + 2, "c++");
	}
	return found;
}

/* Sets @err to the first error of the parse, with its place. Return: 0 if there are no errors; ERR_PARSE. */
static int check_errors(CXTranslationUnit tu, const char *path, struct err *err)
{
	unsigned count = clang.getNumDiagnostics(tu);
	int rc = 0;

	for (unsigned i = 0; i < count && !rc; i++) {
		CXDiagnostic diagnostic = clang.getDiagnostic(tu, i);

		if (clang.getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error) {
			CXString text = clang.getDiagnosticSpelling(diagnostic), name;
			CXFile file = NULL;
			unsigned line = 0, column = 0;

			clang.getExpansionLocation(clang.getDiagnosticLocation(diagnostic), &file, &line,
						   &column, NULL);
			name = clang.getFileName(file);
			if (file)
				rc = err_set(err, ERR_PARSE, "%s:%u:%u: %s", clang.getCString(name), line,
					     column, clang.getCString(text));
			else
				rc = err_set(err, ERR_PARSE, "%s: %s", path, clang.getCString(text));
			clang.disposeString(name);
			clang.disposeString(text);
		}
		clang.disposeDiagnostic(diagnostic);
	}
	return rc;
}

/*
 * Adds the value of the variable at @cursor as a constant, truncated to the size of the variable's type, as
 * gVisor's tool prints it. Return: false if the value is not an integer constant.
 */
static bool add_value(struct file_run *run, const struct request *request, CXCursor cursor)
{
	const long long size = clang.Type_getSizeOf(clang.getCursorType(cursor));
	uint64_t bits;

	if (!cursor_integer(&bits, cursor))
		return false;
	if (size > 0 && size < 8)
		bits &= ((uint64_t)1 << size * 8) - 1;
	abi_builder_constant(run->walk.decls.builder,
			     &(struct abi_constant){ request->name, abi_number_unsigned(bits) });
	return true;
}

#define NUMBER_PREFIX "drvabi_number_"

/*
 * Checks whether the cursor is a namespace or extern "C" { }, which contain declarations. extern "C" { } is a
 * LinkageSpec in libclang 19. In libclang 14, it is an UnexposedDecl, like everything for which libclang has
 * no cursor kind.
 */
static bool is_around_declarations(CXCursor cursor)
{
	return cursor.kind == CXCursor_Namespace || cursor.kind == CXCursor_LinkageSpec ||
	       cursor.kind == CXCursor_UnexposedDecl;
}

/* Adds the values of requested enumerators, and of the variables that read_numbers() appends for macros. */
static enum CXChildVisitResult number_visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct file_run *run = data;
	struct request *request;
	char name[512];

	if (is_around_declarations(cursor) || cursor.kind == CXCursor_EnumDecl)
		return CXChildVisit_Recurse;
	if (!cxstring_copy(name, sizeof(name), clang.getCursorSpelling(cursor)))
		return CXChildVisit_Continue;
	if (cursor.kind == CXCursor_EnumConstantDecl && (request = find_request(&run->numbers, name)))
		abi_builder_constant(
			run->walk.decls.builder,
			&(struct abi_constant){ request->name, enumerator_value(cursor, parent) });
	else if (cursor.kind == CXCursor_VarDecl && begins(name, NUMBER_PREFIX) &&
		 (request = find_request(&run->numbers, name + strlen(NUMBER_PREFIX))))
		add_value(run, request, cursor);
	return CXChildVisit_Continue;
}

/*
 * Reads the requested numbers, with a variable for each of them after the text of the file, because libclang
 * does not report the values of macros. If a name is not an integer, the error affects only its variable.
 * This is a separate parse, so that errors in the appended variables are not mistaken for errors in the file.
 * Numbers with an integer value become constants. Return: 0; an error from reading the file.
 */
static int read_numbers(struct file_run *run, CXIndex index, const char *const *clang_args, size_t arg_count)
{
	struct strbuf text = { 0 };
	struct CXUnsavedFile file = { .Filename = run->path };
	CXTranslationUnit tu = NULL;
	int rc;

	if (!run->numbers.count)
		return 0;
	rc = file_read(&text, run->path, FILE_BYTES_MAX, run->walk.decls.err);
	strbuf_adds(&text, "\n\n");
	for (size_t i = 0; i < run->numbers.count; i++) {
		const char *name = run->numbers.items[i].name;

		strbuf_addf(&text,
			    "#ifdef %s\nconst unsigned long long " NUMBER_PREFIX "%s = (%s);\n#endif\n", name,
			    name, name);
	}
	file.Contents = text.text;
	file.Length = text.length;
	if (!rc && !clang.parseTranslationUnit2(index, run->path, clang_args, (int)arg_count, &file, 1,
						CXTranslationUnit_SkipFunctionBodies, &tu))
		clang.visitChildren(clang.getTranslationUnitCursor(tu), number_visit, run);
	if (tu)
		clang.disposeTranslationUnit(tu);
	strbuf_release(&text);
	return rc;
}

static bool is_record_or_class(CXCursor cursor)
{
	return cursor.kind == CXCursor_StructDecl || cursor.kind == CXCursor_UnionDecl ||
	       cursor.kind == CXCursor_ClassDecl;
}

static bool declares_type(CXCursor cursor)
{
	if (cursor.kind == CXCursor_TypedefDecl || cursor.kind == CXCursor_TypeAliasDecl)
		return true;
	return (is_record_or_class(cursor) || cursor.kind == CXCursor_EnumDecl) && decl_has_tag(cursor);
}

/* Checks whether the document has the requested name, or in C++ that with its scope, as a record or alias. */
static bool is_recorded(struct file_run *run, const struct request *request, CXCursor cursor)
{
	const char *scoped =
		cxstring_dup(clang.getTypeSpelling(clang.getCursorType(cursor)), run->walk.decls.arena);

	return abi_builder_find(run->walk.decls.builder, ABI_RECORD, request->name) ||
	       abi_builder_find(run->walk.decls.builder, ABI_ALIAS, request->name) ||
	       abi_builder_find(run->walk.decls.builder, ABI_RECORD, scoped) ||
	       abi_builder_find(run->walk.decls.builder, ABI_ALIAS, scoped);
}

/* Remembers the place of the first declaration of a requested name, for a warning. */
static void see_request(struct file_run *run, struct request *request, CXCursor cursor)
{
	if (!request->declared_at)
		request->declared_at = decl_location(&run->walk.decls, cursor, NULL);
}

/* Passes a typedef to decls_note_typedefs(), before file_visit() extracts declarations. */
static enum CXChildVisitResult typedef_visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct file_run *run = data;

	(void)parent;
	decls_note_typedefs(&run->walk.decls, &cursor, 1);
	return CXChildVisit_Continue;
}

/*
 * Adds a declaration whose name is requested to the document, and updates is_found of the request. Visits
 * records too, because they can declare types and constants. An error, in walk.rc, ends the visit.
 */
static enum CXChildVisitResult file_visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct file_run *run = data;
	struct request *request;
	char name[512];
	bool fits;

	(void)parent;
	if (is_around_declarations(cursor))
		return CXChildVisit_Recurse;
	fits = cxstring_copy(name, sizeof(name), clang.getCursorSpelling(cursor));
	if (fits && declares_type(cursor) && (request = find_request(&run->types, name))) {
		see_request(run, request, cursor);
		run->walk.rc = walk_type(&run->walk, cursor);
		request->is_found = request->is_found || is_recorded(run, request, cursor);
	} else if (fits && cursor.kind == CXCursor_VarDecl &&
		   (request = find_request(&run->constants, name))) {
		see_request(run, request, cursor);
		request->is_found = add_value(run, request, cursor) || request->is_found;
	}
	if (run->walk.rc)
		return CXChildVisit_Break;
	return is_record_or_class(cursor) ? CXChildVisit_Recurse : CXChildVisit_Continue;
}

/* Compares a declared name with the requests that were not found, to list similar names in their warnings. */
static enum CXChildVisitResult nearest_visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct file_run *run = data;

	(void)parent;
	if (is_around_declarations(cursor))
		return CXChildVisit_Recurse;
	if (declares_type(cursor))
		compare_missing(&run->types,
			       cxstring_dup(clang.getCursorSpelling(cursor), run->walk.decls.arena));
	else if (cursor.kind == CXCursor_VarDecl)
		compare_missing(&run->constants,
			       cxstring_dup(clang.getCursorSpelling(cursor), run->walk.decls.arena));
	return is_record_or_class(cursor) ? CXChildVisit_Recurse : CXChildVisit_Continue;
}

/* Notes a file that clang read as an input, so that the result cannot overwrite the file. */
static void note_input_file(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData data)
{
	char name[4096];

	(void)stack;
	(void)depth;
	(void)data;
	if (cxstring_copy(name, sizeof(name), clang.getFileName(file)))
		file_note_input_path(name);
}

/* Makes the document of the parsed file. Return: 0; ERR_PARSE if the file has errors; as walk_type(). */
static int run_file(struct abi *out, size_t *missing, struct file_run *run, CXTranslationUnit tu)
{
	struct abi_builder *builder = run->walk.decls.builder;
	struct decls *decls = &run->walk.decls;
	CXCursor unit = clang.getTranslationUnitCursor(tu);
	CXTargetInfo target;
	struct abi head = { .target = "" };

	clang.getInclusions(tu, note_input_file, NULL);
	if (check_errors(tu, run->path, decls->err))
		return ERR_PARSE;
	target = clang.getTranslationUnitTargetInfo(tu);
	head.target = cxstring_dup(clang.TargetInfo_getTriple(target), decls->arena);
	decls->reference_bytes = clang.TargetInfo_getPointerWidth(target) / 8;
	clang.TargetInfo_dispose(target);
	clang.visitChildren(unit, typedef_visit, run);
	clang.visitChildren(unit, file_visit, run);
	if (run->walk.rc)
		return run->walk.rc;
	clang.visitChildren(unit, nearest_visit, run);
	*missing = warn_of_missing(&run->types, "there is no type",
				   "has no layout (it is incomplete, a function, or in an anonymous "
				   "namespace)",
				   run->path, builder) +
		   warn_of_missing(&run->constants, "there is no variable",
				   "has no initializer that is an integer constant", run->path, builder);
	abi_builder_seal(out, builder, &head);
	return 0;
}

/* Returns the nearest directory above @path with a compile_commands.json, with "/" at its end; or NULL. */
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

/* Sets @out to the clang arguments of a command, except compiler, output and source. Return: their number. */
static size_t read_command(const char *const **out, CXCompileCommand command, const char *path,
			   struct arena *arena)
{
	const char *file = cxstring_dup(clang.CompileCommand_getFilename(command), arena);
	unsigned arg_count = clang.CompileCommand_getNumArgs(command);
	const char **args = arena_array(arena, arg_count + 1, sizeof(*args));
	size_t count = 0;

	args[count++] = arena_printf(arena, "-working-directory=%s",
				     cxstring_dup(clang.CompileCommand_getDirectory(command), arena));
	for (unsigned i = 1; i < arg_count; i++) {
		const char *arg = cxstring_dup(clang.CompileCommand_getArg(command, i), arena);

		if (!strcmp(arg, "-o"))
			i++;
		else if (strcmp(arg, "-c") && strcmp(arg, "--") && strcmp(arg, file) && strcmp(arg, path))
			args[count++] = arg;
	}
	*out = args;
	return count;
}

/*
 * Reads the compiler arguments for @path from a compile_commands.json. @path is made absolute, because the
 * arguments are relative to a directory that they name. If no compile_commands.json is found, nothing is
 * changed. Return: 0; ERR_PARSE if libclang cannot read it; ERR_NOT_FOUND if it has no command for @path.
 */
static int read_database(const char **path, const char *const **args, size_t *arg_count,
			 const char *build_path, struct arena *arena, struct err *err)
{
	char *real = realpath(*path, NULL);
	const char *file = real ? arena_strdup(arena, real) : *path,
		   *directory =
			   build_path ? arena_printf(arena, "%s/", build_path) : find_database(file, arena);
	CXCompilationDatabase_Error code;
	CXCompilationDatabase database;
	CXCompileCommands commands;
	int rc = 0;

	free(real);
	if (!directory)
		return 0;
	database = clang.CompilationDatabase_fromDirectory(directory, &code);
	if (code != CXCompilationDatabase_NoError)
		return err_set(err, ERR_PARSE, "libclang cannot read %scompile_commands.json", directory);
	commands = clang.CompilationDatabase_getCompileCommands(database, file);
	if (clang.CompileCommands_getSize(commands)) {
		*arg_count = read_command(args, clang.CompileCommands_getCommand(commands, 0), file, arena);
		*path = file;
	} else {
		rc = err_set(err, ERR_NOT_FOUND, "%scompile_commands.json has no command for %s", directory,
			     file);
	}
	clang.CompileCommands_dispose(commands);
	clang.CompilationDatabase_dispose(database);
	return rc;
}

int extract_file(struct abi *out, size_t *missing, const char *path, const char *const *clang_args,
		 size_t arg_count, const struct extract_wanted *wanted, struct arena *arena, struct err *err)
{
	struct file_run run = {
		.path = path,
		.types = requests_of(&wanted->structs, arena),
		.constants = requests_of(&wanted->constants, arena),
		.numbers = requests_of(&wanted->numbers, arena),
		.walk = { .decls = { .arena = arena,
				     .err = err,
				     .file_name = drop_in_file_name,
				     .data = arena },
			  .writes_enum = wanted->is_for_gvisor },
	};
	CXTranslationUnit tu = NULL;
	enum CXErrorCode code;
	CXIndex index;
	int rc;

	if (access(path, R_OK))
		return err_set(err, errno == ENOENT ? ERR_NOT_FOUND : ERR_IO, "cannot read %s: %s", path,
			       strerror(errno));
	if ((rc = extract_load(err)))
		return rc;
	if (wanted->is_for_gvisor && !arg_count &&
	    (rc = read_database(&path, &clang_args, &arg_count, wanted->build_path, arena, err)))
		return rc;
	run.path = path;
	run.walk.decls.is_cxx = is_cxx(path, clang_args, arg_count);
	run.walk.decls.builder = abi_builder_new(arena);
	index = clang.createIndex(0, 0);
	code = clang.parseTranslationUnit2(index, path, clang_args, (int)arg_count, NULL, 0,
					   CXTranslationUnit_SkipFunctionBodies, &tu);
	if (code)
		rc = err_set(err, ERR_PARSE, "%s: libclang cannot parse it with these arguments (error %d)",
			     path, (int)code);
	else if (!(rc = read_numbers(&run, index, clang_args, arg_count)))
		rc = run_file(out, missing, &run, tu);
	walk_release(&run.walk);
	abi_builder_free(run.walk.decls.builder);
	if (tu)
		clang.disposeTranslationUnit(tu);
	clang.disposeIndex(index);
	return rc;
}
