/*
 * The drop-in form of gVisor's driver_ast_parser: a file on disk, parsed with
 * whatever arguments the caller has, and out of it only what was asked for.
 */
#include "extract/extract.h"

#include "extract/clang_type.h"
#include "extract/cxstring.h"
#include "extract/libclang.h"
#include "extract/walk.h"
#include "extract/wishes.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

enum { FILE_BYTES_MAX = 64 * 1024 * 1024 };

/* One run over a file. */
struct file_run {
	const char *path;
	struct wishes types, constants, numbers;
	struct walk walk;
	struct err *err;
	int rc;
};

/* On disk every file is the caller's, and is called what clang calls it, but for "./", which libclang 14 puts in front of some. */
static const char *file_name(void *data, const char *clang_name)
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
	static const char *const endings[] = { ".cc", ".cpp", ".cxx", ".c++", ".C", ".hh", ".hpp", ".hxx", ".H" };
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

			clang_getExpansionLocation(clang_getDiagnosticLocation(diagnostic), &file, &line, &column, NULL);
			name = clang_getFileName(file);
			if (file)
				rc = err_set(err, ERR_PARSE, "%s:%u:%u: %s", clang_getCString(name), line, column, clang_getCString(text));
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
	uint64_t bits = clang_EvalResult_isUnsignedInt(result) ? clang_EvalResult_getAsUnsigned(result) :
								 (uint64_t)clang_EvalResult_getAsLongLong(result);
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
 * clang forgets macros after the parse. Their values are asked for behind the file's own end, each as a variable
 * of its own: one that is no integer spoils no other.
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

		strbuf_addf(out, "#ifdef %s\nconst unsigned long long " NUMBER_PREFIX "%s = (%s);\n#endif\n", name, name, name);
	}
	return 0;
}

static void add_enumerator(struct file_run *run, const struct wish *wish, CXCursor cursor, CXType type)
{
	abi_builder_constant(run->walk.builder, &(struct abi_constant){
		wish->name, type_is_unsigned(type) ? abi_number_unsigned(clang_getEnumConstantDeclUnsignedValue(cursor)) :
						     abi_number_signed(clang_getEnumConstantDeclValue(cursor)) });
}

/*
 * What holds declarations and is no type itself. extern "C" { } is a LinkageSpec in libclang 19; in 14 it is an
 * UnexposedDecl, as is whatever else libclang has no kind for.
 */
static bool is_around_declarations(CXCursor cursor)
{
	return cursor.kind == CXCursor_Namespace || cursor.kind == CXCursor_LinkageSpec || cursor.kind == CXCursor_UnexposedDecl;
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
		add_enumerator(run, wish, cursor, clang_getEnumDeclIntegerType(parent));
	else if (cursor.kind == CXCursor_VarDecl && !strncmp(name, NUMBER_PREFIX, prefix) &&
		 (wish = wish_find(&run->numbers, name + prefix)))
		add_value(run, wish, cursor);
	return CXChildVisit_Continue;
}

/* A parse of their own: what is wrong with a question must not count as the file's fault, nor the reverse. */
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
	return cursor.kind == CXCursor_StructDecl || cursor.kind == CXCursor_UnionDecl || cursor.kind == CXCursor_ClassDecl;
}

/*
 * Does it have a tag? Of "typedef struct { } T" libclang 19 says that the struct is called T. What has a tag is located
 * there, and what has none where it begins.
 */
static bool has_tag(CXCursor cursor)
{
	return !clang_equalLocations(clang_getCursorLocation(cursor), clang_getRangeStart(clang_getCursorExtent(cursor)));
}

static bool declares_type(CXCursor cursor)
{
	if (cursor.kind == CXCursor_TypedefDecl || cursor.kind == CXCursor_TypeAliasDecl)
		return true;
	return (is_record(cursor) || cursor.kind == CXCursor_EnumDecl) && has_tag(cursor);
}

/* Is it in the document, under its own name or, inside a namespace or another record of C++, under that with the scope? */
static bool is_recorded(struct file_run *run, const struct wish *wish, CXCursor cursor)
{
	const char *scoped = cxstring_dup(clang_getTypeSpelling(clang_getCursorType(cursor)), run->walk.decls.arena);

	return abi_builder_has_record(run->walk.builder, wish->name) || abi_builder_has_alias(run->walk.builder, wish->name) ||
	       abi_builder_has_record(run->walk.builder, scoped) || abi_builder_has_alias(run->walk.builder, scoped);
}

/* The first declaration of a wish is what a warning is about. */
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
		wishes_compare(&run->types, cxstring_dup(clang_getCursorSpelling(cursor), run->walk.decls.arena));
	else if (cursor.kind == CXCursor_VarDecl)
		wishes_compare(&run->constants, cxstring_dup(clang_getCursorSpelling(cursor), run->walk.decls.arena));
	return is_record(cursor) ? CXChildVisit_Recurse : CXChildVisit_Continue;
}

/* Return: how many wishes are not granted; each is a warning. */
static size_t warn_missing(struct file_run *run, CXCursor unit)
{
	size_t count = wishes_missing(&run->types) + wishes_missing(&run->constants);

	if (!count)
		return 0;
	clang_visitChildren(unit, nearest_visit, run);
	wishes_warn(&run->types, "there is no type", "has no layout, being incomplete, a function or in a namespace without a name,",
		    run->path, run->walk.builder, run->walk.decls.arena);
	wishes_warn(&run->constants, "there is no variable", "has no initializer that is an integer constant", run->path,
		    run->walk.builder, run->walk.decls.arena);
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

int extract_file(struct abi *out, size_t *missing, const char *path, const char *const *clang_args, size_t arg_count,
		 const struct extract_wanted *wanted, struct arena *arena, struct err *err)
{
	struct file_run run = {
		.path = path,
		.types = wishes_of(wanted->structs, wanted->struct_count, arena),
		.constants = wishes_of(wanted->constants, wanted->constant_count, arena),
		.numbers = wishes_of(wanted->numbers, wanted->number_count, arena),
		.walk = { .decls = { .arena = arena, .file_name = file_name, .data = arena } },
		.err = err,
	};
	CXTranslationUnit tu = NULL;
	enum CXErrorCode code;
	CXIndex index;
	int rc;

	if (access(path, R_OK))
		return err_set(err, errno == ENOENT ? ERR_NOT_FOUND : ERR_IO, "cannot read %s: %s", path, strerror(errno));
	if ((rc = libclang_load(err)))
		return rc;
	run.walk.decls.is_cxx = is_cxx(path, clang_args, arg_count);
	run.walk.builder = run.walk.decls.builder = abi_builder_new(arena);
	index = clang_createIndex(0, 0);
	code = clang_parseTranslationUnit2(index, path, clang_args, (int)arg_count, NULL, 0, CXTranslationUnit_SkipFunctionBodies, &tu);
	if (code)
		rc = err_set(err, ERR_PARSE, "%s: libclang cannot parse it with these arguments (error %d)", path, (int)code);
	else if (!(rc = read_numbers(&run, index, clang_args, arg_count)))
		rc = run_file(out, missing, &run, tu);
	walk_release(&run.walk);
	abi_builder_free(run.walk.builder);
	if (tu)
		clang_disposeTranslationUnit(tu);
	clang_disposeIndex(index);
	return rc;
}
