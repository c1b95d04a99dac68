#include "extract/unit.h"

#include "extract/clang_type.h"
#include "extract/cxstring.h"
#include "extract/clang_files.h"
#include "extract/diagnostics.h"
#include "extract/own_headers.h"
#include "extract/pragmas.h"

#include <stdlib.h>
#include <string.h>

/* Parses of one unit. Each brings something new, so more are a sign of headers that are meant to occupy us. */
enum { ATTEMPTS_MAX = 64, PATIENT_ATTEMPTS = 48 };

#define SENTINEL "drvabi_headers_are_closed"

/* What clang is to say of the questions, whatever the headers have switched off. */
#define WARNING(option) "_Pragma(\"clang diagnostic warning \\\"" option "\\\"\")"
#define DOUBTS WARNING("-Wshift-count-overflow") WARNING("-Wshift-count-negative") WARNING("-Wimplicitly-unsigned-literal") WARNING("-Wgnu-folding-constant")

/* int_fast16_t and int_fast32_t: gcc's are long on both targets. */
#define FAST_AS_GCC(bits) \
	"-D__INT_FAST" bits "_TYPE__=long int", "-D__UINT_FAST" bits "_TYPE__=long unsigned int", "-D__INT_FAST" bits "_WIDTH__=64", \
	"-D__INT_FAST" bits "_MAX__=0x7fffffffffffffffL", "-D__UINT_FAST" bits "_MAX__=0xffffffffffffffffUL"

/* One call of unit_parse(). */
struct parsing {
	struct unit *unit;
	struct closure *closure;
	struct macro_values *macros;
	const char *target;
	struct clang_files files;
	struct strbuf main_text;
	unsigned sentinel_line; /* of the main file: declares SENTINEL, behind the headers */
	unsigned section_line;  /* the first line of the questions */
	bool has_pragmas;       /* that change layouts, in some file of the closure */
	bool found_sentinel;
	bool again;             /* the closure has grown, or there are fewer questions */
	CXFile last;            /* of the last location */
	const struct closure_file *last_file;
	bool last_is_own;
	struct err *err;
	int rc;                 /* of what a visit met */
};

static void write_main(struct parsing *parsing)
{
	const struct closure *closure = parsing->closure;
	const struct profile_strings *prologue = &closure->unit->prologue;
	struct strbuf *text = &parsing->main_text;

	strbuf_reset(text);
	for (size_t i = 0; i < prologue->count; i++)
		strbuf_addf(text, "%s\n", prologue->item[i]);
	for (size_t i = 0; i < closure->header_count; i++)
		strbuf_addf(text, "#include \"" CLOSURE_ROOT "%s\"\n", closure->headers[i]);
	strbuf_adds(text, "enum{" SENTINEL "};" DOUBTS "\n");
	parsing->sentinel_line = (unsigned)(prologue->count + closure->header_count + 1);
	parsing->section_line = parsing->sentinel_line + 1;
	macro_values_section(parsing->macros, text);
}

/* The arguments of one parse; strings are in the closure's arena. */
static const char **write_args(int *count, const struct parsing *parsing)
{
	static const char *const fixed[] = {
		"-x", "c", "-std=gnu11", "-ffreestanding", "-nostdlibinc", "-Wno-everything", "-Wimplicitly-unsigned-literal", "-ferror-limit=0",
		"-U__DATE__", "-U__TIME__", "-U__TIMESTAMP__", /* a document does not depend on the clock */
		/* Drivers are built with gcc: conditions on the compiler are answered as gcc 12 answers them, for both targets. */
		"-fgnuc-version=12.2.0", "-U__clang__", "-U__clang_major__", "-U__clang_minor__", "-U__clang_patchlevel__", "-U__clang_version__",
		"-U__llvm__", "-U__LITTLE_ENDIAN__", "-U__POINTER_WIDTH__", "-U__BITINT_MAXWIDTH__",
		FAST_AS_GCC("16"), FAST_AS_GCC("32"),
		"-ivfsoverlay",
	};
	const struct closure *closure = parsing->closure;
	const struct profile_strings *define = &closure->unit->define;
	size_t fixed_count = sizeof(fixed) / sizeof(fixed[0]), used = 0;
	const char **args = arena_array(closure->arena, fixed_count + 2 + closure->dir_count + define->count, sizeof(*args));

	for (size_t i = 0; i < fixed_count; i++)
		args[used++] = fixed[i];
	args[used++] = parsing->files.path;
	args[used++] = arena_printf(closure->arena, "--target=%s", parsing->target);
	for (size_t i = 0; i < closure->dir_count; i++)
		args[used++] = arena_printf(closure->arena, "-I" CLOSURE_ROOT "%s", closure->dirs[i]);
	for (size_t i = 0; i < define->count; i++)
		args[used++] = arena_printf(closure->arena, "-D%s", define->item[i]);
	*count = (int)used;
	return args;
}

static int parse(struct parsing *parsing)
{
	const unsigned options = CXTranslationUnit_DetailedPreprocessingRecord | CXTranslationUnit_SkipFunctionBodies |
				 CXTranslationUnit_KeepGoing;
	const struct closure *closure = parsing->closure;
	struct CXUnsavedFile *files = xmalloc((closure->file_count + 2) * sizeof(*files));
	struct unit *unit = parsing->unit;
	enum CXErrorCode code;
	const char **args;
	int arg_count;

	files[0] = (struct CXUnsavedFile){ UNIT_MAIN, strbuf_text(&parsing->main_text), parsing->main_text.length };
	for (size_t i = 0; i < closure->file_count; i++)
		files[i + 1] = (struct CXUnsavedFile){ closure_name(closure->files[i]), closure->files[i]->text, closure->files[i]->size };
	files[closure->file_count + 1] = own_stdint(closure->arena);
	args = write_args(&arg_count, parsing);
	unit->index = clang_createIndex(0, 0);
	code = clang_parseTranslationUnit2(unit->index, UNIT_MAIN, args, arg_count, files, (unsigned)closure->file_count + 2, options, &unit->tu);
	free(files);
	if (code)
		return err_set(parsing->err, ERR_PARSE, "unit %s of version %s: libclang gave up on its headers (error %d)",
			       closure->unit->name, closure->tree->version, (int)code);
	return 0;
}

/* --- the record of the preprocessing --- */

/* Where a cursor is: an offset in the text of a file. */
struct spot {
	const struct closure_file *file; /* NULL: none of the tree's */
	bool is_own;                     /* one of clang's own headers */
	unsigned offset;
};

/* Neighbours in the record are mostly in one file: its name is looked up when it changes. */
static void enter_file(struct parsing *parsing, CXFile file)
{
	CXString name = clang_getFileName(file);
	const char *text = file && clang_getCString(name) ? clang_getCString(name) : "";

	parsing->last = file;
	parsing->last_file = closure_find(parsing->closure, text);
	parsing->last_is_own = own_headers_have(text);
	clang_disposeString(name);
}

static void find_spot(struct spot *out, struct parsing *parsing, CXSourceLocation location)
{
	CXFile file = NULL;

	clang_getFileLocation(location, &file, NULL, NULL, &out->offset);
	if (!file || file != parsing->last)
		enter_file(parsing, file);
	out->file = parsing->last_file;
	out->is_own = parsing->last_is_own;
}

static void look_for(struct parsing *parsing, const struct closure_file *includer, struct view spelled)
{
	size_t before = parsing->closure->file_count;

	if (!parsing->rc)
		parsing->rc = closure_include(parsing->closure, includer ? includer->path : NULL, spelled, parsing->err);
	if (parsing->closure->file_count > before)
		parsing->again = true;
}

/* The name is what was there in the end, even if macros made it. */
static void visit_include(struct parsing *parsing, CXCursor cursor)
{
	CXString name = clang_getCursorSpelling(cursor);
	const char *spelled = clang_getCString(name);
	struct spot spot;

	find_spot(&spot, parsing, clang_getCursorLocation(cursor));
	if (spelled) /* one of clang's own headers may include a header of the tree by <> */
		look_for(parsing, spot.file, (struct view){ spelled, strlen(spelled) });
	clang_disposeString(name);
}

/* The name between quotes or angles at @at; length 0 if macros or continued lines are there. */
static struct view asked_name(const char *at)
{
	const char *close;

	if (*at != '"' && *at != '<')
		return (struct view){ at, 0 };
	close = at + 1 + strcspn(at + 1, *at == '"' ? "\"\\\r\n" : ">\\\r\n");
	if (*close != (*at == '"' ? '"' : '>'))
		return (struct view){ at, 0 };
	return (struct view){ at + 1, (size_t)(close - at - 1) };
}

static int computed_name(const struct parsing *parsing, CXCursor cursor, const struct spot *spot, const char *macro)
{
	unsigned line;

	clang_getFileLocation(clang_getCursorLocation(cursor), NULL, &line, NULL, NULL);
	return err_set(parsing->err, ERR_PARSE, "%s:%u: which file %s asks for is made by macros; write its name there",
		       spot->file ? spot->file->real : "the prologue of the profile", line, macro);
}

/*
 * __has_include says no where a file is not in the closure. clang's record
 * does not have the name that was asked for, so it is read off the text, if
 * it is there.
 */
static void visit_question(struct parsing *parsing, CXCursor cursor, const char *macro)
{
	struct view name = { NULL, 0 };
	size_t length = strlen(macro);
	const char *at, *end;
	struct spot spot;

	find_spot(&spot, parsing, clang_getCursorLocation(cursor));
	if (spot.is_own || parsing->rc)
		return;
	if (spot.file && spot.offset + length <= spot.file->size && !strncmp(spot.file->text + spot.offset, macro, length)) {
		end = spot.file->text + spot.file->size;
		at = lexer_skip_blank(spot.file->text + spot.offset + length, end);
		if (*at != '(')
			return; /* #ifdef __has_include: the record calls that an expansion too */
		name = asked_name(lexer_skip_blank(at + 1, end));
	}
	if (name.length)
		look_for(parsing, spot.file, name);
	else
		parsing->rc = computed_name(parsing, cursor, &spot, macro);
}

static void visit_expansion(struct parsing *parsing, CXCursor cursor)
{
	CXString name = clang_getCursorSpelling(cursor);
	const char *spelled = clang_getCString(name);
	struct spot spot = { .file = NULL };

	if (spelled && (!strcmp(spelled, "__has_include") || !strcmp(spelled, "__has_include_next") || !strcmp(spelled, "__has_embed")))
		visit_question(parsing, cursor, spelled);
	if (parsing->has_pragmas)
		find_spot(&spot, parsing, clang_getCursorLocation(cursor));
	if (spot.file)
		pragmas_expansion(parsing->closure, spot.file, spot.offset, cursor);
	clang_disposeString(name);
}

/* The tokens of a definition but for its name, with a blank between each two. */
static const char *body_tokens(const struct parsing *parsing, CXSourceRange extent)
{
	CXToken *tokens = NULL;
	struct strbuf body = { 0 };
	const char *copy;
	unsigned count = 0;

	clang_tokenize(parsing->unit->tu, extent, &tokens, &count);
	for (unsigned i = 1; i < count; i++) {
		CXString text = clang_getTokenSpelling(parsing->unit->tu, tokens[i]);

		strbuf_addf(&body, "%s%s", body.length ? " " : "", clang_getCString(text));
		clang_disposeString(text);
	}
	clang_disposeTokens(parsing->unit->tu, tokens, count);
	copy = arena_strdup(parsing->closure->arena, strbuf_text(&body));
	strbuf_release(&body);
	return copy;
}

/* Is @name written at @at as it is, and not with a continued line or a \u in it? */
static bool is_written(const char *name, const char *at)
{
	size_t length = strlen(name);

	return !strncmp(name, at, length) && !view_is_word_char(at[length]) && at[length] != '\\';
}

/* What a macro asks for by __has_include is not in the record, where the macro is used. */
static void check_body(struct parsing *parsing, CXCursor cursor, const struct spot *start)
{
	const struct hints *hints = start->file->hints;
	struct spot end;

	find_spot(&end, parsing, clang_getRangeEnd(clang_getCursorExtent(cursor)));
	for (size_t i = 0; i < hints->question_count && !parsing->rc; i++)
		if (hints->questions[i] > start->offset && hints->questions[i] < end.offset)
			parsing->rc = computed_name(parsing, cursor, start, "__has_include");
}

static void visit_definition(struct parsing *parsing, CXCursor cursor)
{
	struct macro_record record = { 0 };
	struct spot start, end;
	CXSourceRange extent;
	CXString name;

	find_spot(&start, parsing, clang_getCursorLocation(cursor));
	if (start.file && start.file->hints->question_count)
		check_body(parsing, cursor, &start);
	if (start.file && macro_values_skips(parsing->macros, start.file, start.offset))
		return;
	extent = clang_getCursorExtent(cursor);
	find_spot(&end, parsing, clang_getRangeEnd(extent));
	name = clang_getCursorSpelling(cursor);
	record.name = clang_getCString(name);
	record.file = start.file;
	record.start = start.offset;
	record.end = end.offset;
	record.is_function_like = clang_Cursor_isMacroFunctionLike(cursor);
	if (record.name && record.file && !record.is_function_like) {
		clang_getFileLocation(clang_getRangeStart(extent), NULL, &record.line, NULL, NULL);
		if (!is_written(record.name, record.file->text + record.start))
			record.body = body_tokens(parsing, extent);
	}
	if (record.name)
		macro_values_definition(parsing->macros, &record);
	clang_disposeString(name);
}

/* --- declarations --- */

static enum CXChildVisitResult visit_answer(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct parsing *parsing = data;
	char name[64];

	if (!cxstring_copy(name, sizeof(name), clang_getCursorSpelling(cursor)))
		return CXChildVisit_Continue;
	if (!strcmp(name, SENTINEL))
		parsing->found_sentinel = true;
	else if (!strncmp(name, MACRO_PREFIX, strlen(MACRO_PREFIX)) && cursor.kind == CXCursor_EnumConstantDecl)
		macro_values_answer(parsing->macros, name, type_is_unsigned(clang_getEnumDeclIntegerType(parent)) ?
				    abi_number_unsigned(clang_getEnumConstantDeclUnsignedValue(cursor)) :
				    abi_number_signed(clang_getEnumConstantDeclValue(cursor)));
	return CXChildVisit_Continue;
}

static void visit_question_declaration(struct parsing *parsing, CXCursor cursor)
{
	struct unit *unit = parsing->unit;
	struct kind_variable variable;

	if (cursor.kind == CXCursor_EnumDecl)
		clang_visitChildren(cursor, visit_answer, parsing);
	if (!kinds_variable(&variable, cursor))
		return;
	ARRAY_GROW(unit->kinds, unit->kind_count, unit->kind_capacity);
	unit->kinds[unit->kind_count++] = variable;
}

/* The declarations of the headers are listed; those at the end of the main file are answers, or what a macro brought there. */
static void visit_declaration(struct parsing *parsing, CXCursor cursor)
{
	CXSourceLocation location = clang_getCursorLocation(cursor);
	struct unit *unit = parsing->unit;
	unsigned line = 0;

	if (clang_Location_isFromMainFile(location)) {
		clang_getExpansionLocation(location, NULL, &line, NULL, NULL);
		if (line >= parsing->sentinel_line) {
			visit_question_declaration(parsing, cursor);
			return;
		}
	}
	ARRAY_GROW(unit->declarations, unit->count, unit->capacity);
	unit->declarations[unit->count++] = cursor;
}

static enum CXChildVisitResult visit_top(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct parsing *parsing = data;

	(void)parent;
	switch (cursor.kind) {
	case CXCursor_MacroDefinition:
		visit_definition(parsing, cursor);
		break;
	case CXCursor_MacroExpansion:
		visit_expansion(parsing, cursor);
		break;
	case CXCursor_InclusionDirective:
		visit_include(parsing, cursor);
		break;
	default:
		visit_declaration(parsing, cursor);
		break;
	}
	return parsing->rc ? CXChildVisit_Break : CXChildVisit_Continue;
}

static void visit_inclusion(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData data)
{
	struct parsing *parsing = data;
	CXString name = clang_getFileName(file);
	const char *text = clang_getCString(name) ? clang_getCString(name) : "";
	struct closure_file *found = closure_find(parsing->closure, text);

	if (found) {
		found->included = true;
		diagnostics_note_inclusion(found, parsing->closure, depth ? stack[depth - 1] : clang_getNullLocation());
	} else if (strcmp(text, UNIT_MAIN) && !own_headers_have(text) && !parsing->rc) {
		parsing->rc = err_set(parsing->err, ERR_PARSE, "unit %s of version %s: clang read %s, which is not part of the tree",
				      parsing->closure->unit->name, parsing->closure->tree->version, text);
	}
	clang_disposeString(name);
}

/* --- one parse after the other --- */

static int attempt(struct parsing *parsing)
{
	struct closure *closure = parsing->closure;
	int rc;

	unit_release(parsing->unit);
	parsing->again = parsing->found_sentinel = false;
	closure->difference_count = 0;
	parsing->last = NULL;
	parsing->has_pragmas = false;
	for (size_t i = 0; i < closure->file_count; i++)
		parsing->has_pragmas = parsing->has_pragmas || (closure->files[i]->hints && closure->files[i]->hints->pragma_count);
	write_main(parsing);
	if ((rc = clang_files_write(&parsing->files, closure, UNIT_MAIN, own_headers(), parsing->err)) ||
	    (rc = parse(parsing)))
		return rc;
	clang_visitChildren(clang_getTranslationUnitCursor(parsing->unit->tu), visit_top, parsing);
	if (parsing->rc)
		return parsing->rc;
	if (parsing->again) {
		macro_values_restart(parsing->macros);
		return 0;
	}
	clang_getInclusions(parsing->unit->tu, visit_inclusion, parsing);
	if ((rc = parsing->rc) ||
	    (rc = diagnostics_check(&parsing->again, &(struct diagnostics){ parsing->unit->tu, closure, parsing->macros,
									  parsing->sentinel_line, parsing->section_line }, parsing->err)))
		return rc;
	pragmas_check(closure, parsing->unit->tu);
	if (!parsing->found_sentinel && !parsing->again)
		return err_set(parsing->err, ERR_PARSE, "unit %s of version %s: a declaration is left open at the end of the headers",
			       closure->unit->name, closure->tree->version);
	return 0;
}

int unit_parse(struct unit *out, struct closure *closure, struct macro_values *macros, const char *target, struct err *err)
{
	struct parsing parsing = { .unit = out, .closure = closure, .macros = macros, .target = target, .files = { .file = -1 }, .err = err };
	bool done = false;
	int rc = 0;

	for (unsigned tries = 1; tries <= ATTEMPTS_MAX && !done && !rc; tries++) {
		rc = attempt(&parsing);
		done = !rc && !parsing.again && !macro_values_incomplete(macros, tries > PATIENT_ATTEMPTS);
	}
	if (!rc && !done)
		rc = err_set(err, ERR_LIMIT, "unit %s of version %s: %d parses were not enough to find all that its headers look for",
			     closure->unit->name, closure->tree->version, ATTEMPTS_MAX);
	clang_files_release(&parsing.files);
	strbuf_release(&parsing.main_text);
	return rc;
}

void unit_release(struct unit *unit)
{
	if (unit->tu)
		clang_disposeTranslationUnit(unit->tu);
	if (unit->index)
		clang_disposeIndex(unit->index);
	free(unit->declarations);
	free(unit->kinds);
	*unit = (struct unit){ 0 };
}
