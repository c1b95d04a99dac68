#include "extract/unit.h"

#include "extract/decl.h"
#include "extract/digest.h"
#include "extract/quiet.h"
#include "extract/sane.h"
#include "extract/take.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { ATTEMPTS_MAX = 8, OWN_HEADERS_SIZE = 4096 };

static const char own_probe[] = "/dev/null/probe.c";
static char own_headers[OWN_HEADERS_SIZE];
static pthread_once_t own_headers_once = PTHREAD_ONCE_INIT;

static void own_headers_visit(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData data)
{
	char name[OWN_HEADERS_SIZE], *slash;

	(void)stack;
	(void)depth;
	(void)data;
	if (take_into(name, sizeof(name), clang_getFileName(file)) && strcmp(name, own_probe) &&
	    (slash = strrchr(name, '/'))) {
		slash[1] = '\0';
		memcpy(own_headers, name, strlen(name) + 1);
	}
}

/* clang knows where its headers are and has no call to say so: one of them is included. */
static void own_headers_find(void)
{
	static const char text[] = "#include <stddef.h>\n";
	const char *const args[] = { "-x", "c", "-ffreestanding", "-nostdlibinc" };
	struct CXUnsavedFile file = { own_probe, text, sizeof(text) - 1 };
	CXIndex index = clang_createIndex(0, 0);
	CXTranslationUnit tu = NULL;

	if (!clang_parseTranslationUnit2(index, own_probe, args, sizeof(args) / sizeof(args[0]), &file, 1, 0, &tu))
		clang_getInclusions(tu, own_headers_visit, NULL);
	clang_disposeTranslationUnit(tu);
	clang_disposeIndex(index);
}

const char *unit_own_headers(void)
{
	pthread_once(&own_headers_once, own_headers_find);
	return own_headers;
}

/* The main file, and where in it things stand. */
struct main_file {
	struct strbuf text;
	unsigned sentinel_line; /* declares UNIT_SENTINEL, behind the headers */
	unsigned section_line;  /* the first line of the questions */
};

#define UNIT_SENTINEL "drvabi_headers_are_closed"
#define UNIT_SEAL "drvabi_seal_"
/* On both targets long double is 16 bytes wide, and aligned so; any packing that changes a layout changes this one. */
#define UNIT_SEALED_SIZE "sizeof(struct{char a;long double b;})"
enum { SEALED_BYTES = 32 };

/* Lines of the main file for each header. */
static unsigned lines_each(const struct closure *closure)
{
	return closure->is_sealed ? 2 : 1;
}

static void write_main(struct main_file *out, const struct closure *closure, struct macro_scan *macros)
{
	const struct profile_strings *prologue = &closure->unit->prologue;
	size_t i;

	*out = (struct main_file){ .sentinel_line = 1 };
	for (i = 0; i < prologue->count; i++, out->sentinel_line++)
		strbuf_addf(&out->text, "%s\n", prologue->item[i]);
	for (i = 0; i < closure->header_count; i++, out->sentinel_line += lines_each(closure)) {
		strbuf_addf(&out->text, "#include \"" CLOSURE_ROOT "%s\"\n", closure->headers[i]);
		if (closure->is_sealed)
			strbuf_addf(&out->text, "enum{" UNIT_SEAL "%zu=" UNIT_SEALED_SIZE "};\n", i);
	}
	strbuf_adds(&out->text, "enum{" UNIT_SENTINEL "};\n");
	out->section_line = out->sentinel_line + 1;
	macro_scan_section(macros, &out->text);
}

/* The arguments of one parse; strings live in the closure's arena. */
static const char **write_args(int *count, const struct closure *closure, const char *target)
{
	static const char *const fixed[] = {
		"-x", "c", "-std=gnu11", "-ffreestanding", "-nostdlibinc", "-w", "-ferror-limit=0",
	};
	const struct profile_strings *define = &closure->unit->define;
	size_t fixed_count = sizeof(fixed) / sizeof(fixed[0]), used = 0, i;
	const char **args = arena_array(closure->arena, fixed_count + 1 + closure->dir_count + define->count, sizeof(*args));

	for (i = 0; i < fixed_count; i++)
		args[used++] = fixed[i];
	args[used++] = arena_printf(closure->arena, "--target=%s", target);
	for (i = 0; i < closure->dir_count; i++)
		args[used++] = arena_printf(closure->arena, "-I" CLOSURE_ROOT "%s", closure->dirs[i]);
	for (i = 0; i < define->count; i++)
		args[used++] = arena_printf(closure->arena, "-D%s", define->item[i]);
	*count = (int)used;
	return args;
}

static enum CXChildVisitResult predefined_visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
	char name[512];

	(void)parent;
	if (cursor.kind == CXCursor_MacroDefinition && take_into(name, sizeof(name), clang_getCursorSpelling(cursor)))
		hashes_add(data, digest_name((struct view){ name, strlen(name) }));
	return CXChildVisit_Continue;
}

int unit_predefined(struct hashes *names, const struct profile_unit *unit, const char *target, struct err *err)
{
	struct arena arena = { 0 };
	struct closure closure = { .unit = unit, .arena = &arena };
	struct CXUnsavedFile file = { UNIT_MAIN, "", 0 };
	CXIndex index = clang_createIndex(0, 0);
	CXTranslationUnit tu = NULL;
	const char **args;
	int arg_count, rc = 0;

	args = write_args(&arg_count, &closure, target);
	if (clang_parseTranslationUnit2(index, UNIT_MAIN, args, arg_count, &file, 1, CXTranslationUnit_DetailedPreprocessingRecord, &tu))
		rc = err_set(err, ERR_PARSE, "libclang does not tell which macros it defines");
	else
		clang_visitChildren(clang_getTranslationUnitCursor(tu), predefined_visit, names);
	clang_disposeTranslationUnit(tu);
	clang_disposeIndex(index);
	arena_release(&arena);
	return rc;
}

static int parse_once(struct unit *out, const struct closure *closure, const struct quiet_text *texts,
		      const struct main_file *main_file, const char *target, struct err *err)
{
	struct CXUnsavedFile *files = xmalloc((closure->file_count + 1) * sizeof(*files));
	enum CXErrorCode code;
	const char **args;
	int arg_count;
	size_t i;

	files[0] = (struct CXUnsavedFile){ UNIT_MAIN, strbuf_text(&main_file->text), main_file->text.length };
	for (i = 0; i < closure->file_count; i++)
		files[i + 1] = (struct CXUnsavedFile){ closure_name(closure->files[i]), texts[i].text, texts[i].size };
	args = write_args(&arg_count, closure, target);
	out->index = clang_createIndex(0, 0);
	code = clang_parseTranslationUnit2(out->index, UNIT_MAIN, args, arg_count, files, (unsigned)closure->file_count + 1,
					   CXTranslationUnit_SkipFunctionBodies, &out->tu);
	free(files);
	if (code)
		return err_set(err, ERR_PARSE, "unit %s of version %s: libclang gave up on its headers (error %d)",
			       closure->unit->name, closure->tree->version, (int)code);
	return 0;
}

/* Where a diagnostic stands: the place that a reader of the headers knows. */
struct diagnostic_place {
	char file[4096]; /* as clang names it; "" if it has no place */
	unsigned line, column;
};

static void place_of(struct diagnostic_place *out, CXDiagnostic diagnostic)
{
	CXFile file = NULL;

	*out = (struct diagnostic_place){ .line = 0 };
	clang_getExpansionLocation(clang_getDiagnosticLocation(diagnostic), &file, &out->line, &out->column, NULL);
	if (file && !take_into(out->file, sizeof(out->file), clang_getFileName(file)))
		out->file[0] = '\0';
}

static int report(struct closure *closure, const struct main_file *main_file, const struct diagnostic_place *place,
		  const char *text, struct err *err)
{
	const struct profile_unit *unit = closure->unit;
	const struct closure_file *file = closure_find(closure, place->file);

	if (file)
		return err_set(err, ERR_PARSE, "%s:%u:%u: %s", file->path, place->line, place->column, text);
	if (!strcmp(place->file, UNIT_MAIN) && place->line <= unit->prologue.count)
		return err_set(err, ERR_PARSE, "line %u of the prologue of the profile's unit %s: %s", place->line, unit->name, text);
	if (!strcmp(place->file, UNIT_MAIN) && place->line < main_file->sentinel_line)
		return err_set(err, ERR_PARSE, "%s: %s", closure->headers[(place->line - unit->prologue.count - 1) / lines_each(closure)], text);
	return err_set(err, ERR_PARSE, "unit %s of version %s: %s", unit->name, closure->tree->version, text);
}

/*
 * Errors in the questions are answers; any other ends it.
 * Return: 0; ERR_PARSE.
 */
static int check_diagnostics(struct unit *unit, struct closure *closure, const struct main_file *main_file,
			     struct macro_scan *macros, struct err *err)
{
	unsigned count = clang_getNumDiagnostics(unit->tu), i;
	struct diagnostic_place place;
	int rc = 0;

	for (i = 0; i < count && !rc; i++) {
		CXDiagnostic diagnostic = clang_getDiagnostic(unit->tu, i);

		if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error) {
			place_of(&place, diagnostic);
			if (!strcmp(place.file, UNIT_MAIN) && place.line >= main_file->section_line) {
				macro_scan_failed(macros, place.line - main_file->section_line);
			} else {
				CXString text = clang_getDiagnosticSpelling(diagnostic);

				rc = report(closure, main_file, &place, clang_getCString(text), err);
				clang_disposeString(text);
			}
		}
		clang_disposeDiagnostic(diagnostic);
	}
	return rc;
}

/* The search for the enumerators of the main file. */
struct answers {
	struct macro_scan *macros;
	bool is_unsigned;
	bool closed; /* the sentinel was found */
	size_t seals; /* so many were found whole */
};

static enum CXChildVisitResult answer_visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct answers *answers = data;
	char name[64];

	(void)parent;
	if (!take_into(name, sizeof(name), clang_getCursorSpelling(cursor)))
		return CXChildVisit_Continue;
	if (!strcmp(name, UNIT_SENTINEL))
		answers->closed = true;
	else if (!strncmp(name, UNIT_SEAL, strlen(UNIT_SEAL)))
		answers->seals += clang_getEnumConstantDeclValue(cursor) == SEALED_BYTES;
	else if (answers->is_unsigned)
		macro_scan_answer(answers->macros, name, abi_number_unsigned(clang_getEnumConstantDeclUnsignedValue(cursor)));
	else
		macro_scan_answer(answers->macros, name, abi_number_signed(clang_getEnumConstantDeclValue(cursor)));
	return CXChildVisit_Continue;
}

static enum CXChildVisitResult top_visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct answers *answers = data;

	(void)parent;
	if (cursor.kind == CXCursor_EnumDecl && clang_Location_isFromMainFile(clang_getCursorLocation(cursor))) {
		answers->is_unsigned = type_is_unsigned(clang_getEnumDeclIntegerType(cursor));
		clang_visitChildren(cursor, answer_visit, answers);
	}
	return CXChildVisit_Continue;
}

static int take_answers(struct unit *unit, const struct closure *closure, struct macro_scan *macros, struct err *err)
{
	struct answers answers = { .macros = macros };

	clang_visitChildren(clang_getTranslationUnitCursor(unit->tu), top_visit, &answers);
	if (!answers.closed)
		return err_set(err, ERR_PARSE, "unit %s of version %s: a declaration is left open at the end of the headers",
			       closure->unit->name, closure->tree->version);
	if (closure->is_sealed && answers.seals != closure->header_count)
		return err_set(err, ERR_PARSE, "unit %s of version %s: a header changes what comes after it",
			       closure->unit->name, closure->tree->version);
	return 0;
}

/* The files that clang read. */
struct inclusions {
	struct closure *closure;
	struct err *err;
	int rc;
};

static bool is_own_header(const char *name)
{
	const char *own = unit_own_headers();
	size_t length = strlen(own);

	return length && !strncmp(name, own, length) && !strstr(name + length, "..");
}

static void inclusion_visit(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData data)
{
	struct inclusions *inclusions = data;
	CXString name = clang_getFileName(file);
	const char *text = clang_getCString(name) ? clang_getCString(name) : "";
	struct closure_file *found = closure_find(inclusions->closure, text);

	(void)stack;
	(void)depth;
	if (found)
		found->included = true;
	else if (strcmp(text, UNIT_MAIN) && !is_own_header(text) && !inclusions->rc)
		inclusions->rc = err_set(inclusions->err, ERR_PARSE,
			"unit %s of version %s: clang read %s, which is not part of the tree; include it by a path inside the tree",
			inclusions->closure->unit->name, inclusions->closure->tree->version, text);
	clang_disposeString(name);
}

static int check_inclusions(struct unit *unit, struct closure *closure, struct err *err)
{
	struct inclusions inclusions = { closure, err, 0 };

	clang_getInclusions(unit->tu, inclusion_visit, &inclusions);
	return inclusions.rc;
}

static int attempt(struct unit *out, struct closure *closure, const struct quiet_text *texts, struct macro_scan *macros,
		   const char *target, struct err *err)
{
	struct main_file main_file;
	int rc;

	unit_release(out);
	write_main(&main_file, closure, macros);
	out->main_end_line = main_file.sentinel_line;
	if ((rc = parse_once(out, closure, texts, &main_file, target, err)) ||
	    (rc = check_inclusions(out, closure, err)) ||
	    (rc = check_diagnostics(out, closure, &main_file, macros, err)))
		goto out;
	rc = take_answers(out, closure, macros, err);
out:
	strbuf_release(&main_file.text);
	return rc;
}

static int attempt_all(struct unit *out, struct closure *closure, const struct quiet_text *texts, struct macro_scan *macros,
		       const char *target, struct err *err)
{
	int tries, rc;

	for (tries = 1; tries <= ATTEMPTS_MAX; tries++) {
		macro_scan_forget(macros);
		rc = attempt(out, closure, texts, macros, target, err);
		if (rc || !macro_scan_lost(macros, tries > ATTEMPTS_MAX / 2))
			return rc;
	}
	return err_set(err, ERR_PARSE, "unit %s of version %s: the macros that the profile wants as constants cannot be evaluated",
		       closure->unit->name, closure->tree->version);
}

/* The first attempt asks all questions that any attempt asks, so what it leaves out nobody speaks of. */
static void make_quiet(struct quiet_text *texts, struct closure *closure, struct macro_scan *macros, struct arena *arena)
{
	struct main_file main_file;

	write_main(&main_file, closure, macros);
	quiet_texts(texts, closure, (struct view){ strbuf_text(&main_file.text), main_file.text.length }, arena);
	strbuf_release(&main_file.text);
	closure_forget_texts(closure);
}

static int check_sanity(const struct quiet_text *texts, const struct closure *closure, struct err *err)
{
	for (size_t i = 0; i < closure->file_count; i++) {
		unsigned line = sane_check(texts[i].text, texts[i].size);

		if (line)
			return err_set(err, ERR_LIMIT, "%s:%u: an expression here is deeper than is sane", closure->files[i]->path, line);
	}
	return 0;
}

int unit_parse(struct unit *out, struct closure *closure, struct macro_scan *macros, const char *target, struct err *err)
{
	struct quiet_text *texts = xmalloc((closure->file_count + 1) * sizeof(*texts));
	struct arena arena = { 0 };
	int rc;

	for (size_t i = 0; i < closure->file_count && closure->is_excerpt; i++)
		texts[i] = (struct quiet_text){ closure->files[i]->text, closure->files[i]->size };
	if (!closure->is_excerpt)
		make_quiet(texts, closure, macros, &arena);
	rc = check_sanity(texts, closure, err);
	if (!rc)
		rc = attempt_all(out, closure, texts, macros, target, err);
	arena_release(&arena);
	free(texts);
	return rc;
}

void unit_release(struct unit *unit)
{
	if (unit->tu)
		clang_disposeTranslationUnit(unit->tu);
	if (unit->index)
		clang_disposeIndex(unit->index);
	*unit = (struct unit){ 0 };
}
