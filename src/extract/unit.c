/*
 * extract/unit.c - parses one translation unit, repeatedly until no file and no value is missing
 *
 * This file writes the text of the main file: the unit's prologue, an #include for each header, and the
 * section that requests the values of macros (macro_values.c). All texts are in memory, and clang does not
 * use the machine's file system (clang.c).
 *
 * 1. clang parses the main file with the files of the closure. Its preprocessing record has every #include,
 *    with the file name after macro expansion, and every __has_include.
 * 2. The files of the tree to which these names can refer are added to the closure. If at least one file was
 *    added, the unit is parsed again.
 * 3. An error in the section means that a macro is not an integer. If a header has an error and the profile
 *    allows unreadable headers, the header is left out, and the unit is parsed again. Otherwise extraction
 *    fails, with one message that lists all missing names.
 * 4. The unit is parsed again if macro_values_incomplete() returns true.
 *
 * Usually one parse is enough. The preprocessing record does not show a __has_include in the body of a macro,
 * or the file name of a __has_include that a macro expands to. Both are reported as errors with a line.
 */
#include "extract/internal.h"

/* The state of one call of unit_parse(). */
struct parsing {
	struct unit *unit;
	struct closure *closure;
	struct macro_values *macros;
	struct clang_files files;
	struct strbuf main_text;
	unsigned sentinel_line; /* the line of the main file, after the #includes, that declares SENTINEL */
	unsigned section_line; /* the first line of the section that requests the values of macros */
	bool has_pragmas; /* at least one file of the closure has a pragma that changes layouts */
	bool found_sentinel;
	size_t left_packed; /* as in pragmas_check() */
	bool again; /* parse again: files were added to the closure, or questions or headers were dropped */
	CXFile last; /* the file of the last location that was looked up */
	const struct closure_file *last_file;
	bool last_is_own;
	struct err *err;
	int rc; /* the first error of a visitor function */
};

/* An error or a warning of clang, and its place. */
struct problem {
	char file[4096]; /* the name that clang has for the file; "" if the problem has no place */
	unsigned line, column, offset;
	const char *text; /* in the closure's arena */
};

/* Copies the place and the text of a diagnostic. */
static void read_problem(struct problem *out, CXDiagnostic diagnostic, const struct closure *closure)
{
	CXFile file = NULL;

	*out = (struct problem){ .line = 0 };
	clang.getExpansionLocation(clang.getDiagnosticLocation(diagnostic), &file, &out->line, &out->column,
				   &out->offset);
	if (file && !cxstring_copy(out->file, sizeof(out->file), clang.getFileName(file)))
		out->file[0] = '\0';
	out->text = cxstring_dup(clang.getDiagnosticSpelling(diagnostic), closure->arena);
}

/* Returns the header that @line of the main file includes; NULL if it includes none. */
static const char *header_at(const struct closure *closure, unsigned line)
{
	const size_t first = closure->unit->prologue.count + 1;
	const size_t index = line >= first ? (line - first) / closure->lines_each : SIZE_MAX;

	return index < closure->header_count ? closure->headers[index] : NULL;
}

/* Returns the place of @problem for messages: "a.h:3:2"; a description if it is not in a file of the tree. */
static const char *place_of(const struct problem *problem, const struct parsing *parsing)
{
	const struct closure *closure = parsing->closure;
	const struct closure_file *file = closure_find(closure, problem->file);
	const bool is_main = !strcmp(problem->file, UNIT_MAIN);

	if (file)
		return arena_printf(closure->arena, "%s:%u:%u", file->real, problem->line, problem->column);
	if (is_main && problem->line <= closure->unit->prologue.count)
		return arena_printf(closure->arena, "line %u of the prologue of the profile's unit %s",
				    problem->line, closure->unit->name);
	if (is_main && header_at(closure, problem->line))
		return header_at(closure, problem->line);
	return arena_printf(closure->arena, "unit %s of version %s", closure->unit->name,
			    closure->tree->version);
}

/* --- all missing names in one message --- */

/*
 * Sets @name to the missing name in an error such as "unknown type name '__u32'" or "'drm.h' file not found",
 * so that one message can list all of them. Return: false for any other error.
 */
static bool missing_name(struct view *name, const char *text)
{
	static const char unknown[] = "unknown type name '", not_found[] = "' file not found";
	struct view view = view_of(text);

	if (view_starts_with(view, unknown) && view_ends_with(view, "'")) {
		*name = (struct view){ text + strlen(unknown), view.length - strlen(unknown) - 1 };
		return true;
	}
	if (*text != '\'' || !view_ends_with(view, not_found))
		return false;
	*name = (struct view){ text + 1, view.length - strlen(not_found) - 1 };
	return true;
}

/* --- */

/*
 * Marks the question in whose lines the error is as failed. For an error without a place, drops the riskiest
 * questions, and sets parsing->again. Return: false if no question can have caused the error.
 */
static bool note_question_error(const struct problem *problem, struct parsing *parsing)
{
	if (!strcmp(problem->file, UNIT_MAIN) && problem->line >= parsing->section_line) {
		macro_values_failed(parsing->macros, problem->line - parsing->section_line);
		return true;
	}
	if (*problem->file || !macro_values_drop_riskiest(parsing->macros))
		return false;
	return parsing->again = true;
}

static bool is_left_out(const struct closure *closure, const char *header)
{
	for (size_t i = 0; i < closure->unreadable_count; i++)
		if (closure->unreadable[i].header == header)
			return true;
	return false;
}

/*
 * Adds the header that led to @problem to closure->unreadable. Return: false if the header is unknown, or if
 * the profile does not allow unreadable headers.
 */
static bool leave_header_out(const struct problem *problem, const struct parsing *parsing)
{
	struct closure *closure = parsing->closure;
	const struct closure_file *file = closure_find(closure, problem->file);
	const char *header = file                                ? file->through
			     : !strcmp(problem->file, UNIT_MAIN) ? header_at(closure, problem->line)
								 : NULL;

	if (!closure->unit->skips_unreadable || !header)
		return false;
	if (!is_left_out(closure, header))
		closure->unreadable[closure->unreadable_count++] =
			(struct closure_unreadable){ header, place_of(problem, parsing), problem->text };
	return true;
}

/* Removes the headers of closure->unreadable from closure->headers. Return: true if there were any. */
static bool drop_unreadable_headers(struct closure *closure)
{
	size_t count = 0, before = closure->header_count;

	for (size_t i = 0; i < before; i++)
		if (!is_left_out(closure, closure->headers[i]))
			closure->headers[count++] = closure->headers[i];
	closure->header_count = count;
	for (size_t i = 0; i < closure->file_count && count < before; i++) /* the next parse sets `included`
									      again */
		closure->files[i]->included = false;
	return count < before;
}

/* Checks whether @problem is in a directive. gcc and clang evaluate the condition of an #if equally. */
static bool is_directive(const struct problem *problem, const struct closure *closure)
{
	const struct closure_file *file = closure_find(closure, problem->file);
	const char *start = file ? file->text + problem->offset - (problem->column - 1) : "";

	return *lexer_skip_blank(start, start + strlen(start)) == '#';
}

/*
 * Processes a warning of clang. If it shows that gcc interprets the text differently, makes the value of the
 * question on its line doubtful, or adds a difference to the closure. Ignores other warnings.
 */
static void look_at_warning(CXDiagnostic diagnostic, const struct parsing *parsing)
{
	static const struct {
		const char *option;
		enum macro_doubt doubt;
	} rows[] = {
		{ "-Wshift-count-overflow", MACRO_SHIFTS },
		{ "-Wshift-count-negative", MACRO_SHIFTS },
		{ "-Wimplicitly-unsigned-literal", MACRO_LITERAL },
		{ "-Wgnu-folding-constant", MACRO_COMMA },
	};
	enum macro_doubt doubt = MACRO_NO_DOUBT;
	struct problem problem;
	char option[64] = "";

	if (cxstring_copy(option, sizeof(option), clang.getDiagnosticOption(diagnostic, NULL)))
		for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
			doubt = strcmp(option, rows[i].option) ? doubt : rows[i].doubt;
	if (!doubt && strcmp(option, "-Wunknown-attributes"))
		return;
	read_problem(&problem, diagnostic, parsing->closure);
	if (!doubt) {
		if (strstr(problem.text, "scalar_storage_order"))
			closure_differs(
				parsing->closure, place_of(&problem, parsing),
				"Only gcc knows this attribute: numbers in the record may have a different "
				"byte order than the target.");
	} else if (!strcmp(problem.file, UNIT_MAIN) && problem.line >= parsing->section_line)
		macro_values_doubt(parsing->macros, problem.line - parsing->section_line, doubt);
	else if (doubt == MACRO_LITERAL && !is_directive(&problem, parsing->closure))
		closure_differs(
			parsing->closure, place_of(&problem, parsing),
			"A literal that is too large for a signed type is an __int128 in gcc and unsigned in "
			"clang; clang's value is used.");
}

/*
 * If a file has a pragma that changes layouts, the main file has a static assertion after each #include. If
 * the packing is not the default one there, the assertion fails with this text and the header's number.
 */
#define PACKING "drvabi_packing_"

/*
 * Updates parsing->left_packed if @problem is the failure of an assertion about packing. After the last
 * header, the packing does not matter. Return: false for any other problem.
 */
static bool note_packing_error(const struct problem *problem, struct parsing *parsing)
{
	const char *found = strcmp(problem->file, UNIT_MAIN) ? NULL : strstr(problem->text, PACKING);
	const size_t header = found ? strtoul(found + strlen(PACKING), NULL, 10) : 0;

	if (!parsing->left_packed && header < parsing->closure->header_count)
		parsing->left_packed = header;
	return found;
}

/*
 * Processes the errors and warnings of a parse. Sets parsing->again if a header, or a question that may have
 * caused an error, is left out. Return: 0; ERR_PARSE with the line of the first error in the headers, and all
 * missing names.
 */
static int check_diagnostics(struct parsing *parsing)
{
	unsigned count = clang.getNumDiagnostics(parsing->unit->tu);
	struct closure *closure = parsing->closure;
	struct problem first, problem; /* `first`: the first error that cannot be ignored */
	struct profile_strings missing = { 0 }; /* the missing names in the errors after the first */
	struct strbuf also = { 0 };
	bool has_first = false;
	int rc = 0;

	for (unsigned i = 0; i < count && !parsing->again; i++) {
		CXDiagnostic diagnostic = clang.getDiagnostic(parsing->unit->tu, i);
		enum CXDiagnosticSeverity severity = clang.getDiagnosticSeverity(diagnostic);
		struct view name, known;

		if (severity == CXDiagnostic_Warning)
			look_at_warning(diagnostic, parsing);
		if (severity >= CXDiagnostic_Error)
			read_problem(&problem, diagnostic, closure);
		clang.disposeDiagnostic(diagnostic);
		if (severity < CXDiagnostic_Error)
			continue;
		if (note_packing_error(&problem, parsing) || note_question_error(&problem, parsing) ||
		    leave_header_out(&problem, parsing))
			continue;
		if (!has_first)
			first = problem;
		else if (missing_name(&name, problem.text) &&
			 !(missing_name(&known, first.text) && view_equal(name, known)))
			strings_append(&missing, arena_strndup(closure->arena, name.at, name.length),
				       closure->arena);
		has_first = true;
	}
	for (size_t i = 0; i < missing.count; i++)
		strbuf_addf(&also, "%s%s", i ? ", " : "; also missing: ", missing.item[i]);
	if (!parsing->again && has_first) {
		rc = err_set(parsing->err, ERR_PARSE, "%s: %s%.416s", place_of(&first, parsing), first.text,
			     strbuf_text(&also));
	} else if (!parsing->again && drop_unreadable_headers(closure)) {
		if (!closure->header_count)
			rc = err_set(parsing->err, ERR_PARSE, "%s: %s", closure->unreadable[0].place,
				     closure->unreadable[0].text);
		macro_values_restart(parsing->macros);
		parsing->again = true;
	}
	strbuf_release(&also);
	return rc;
}

/*
 * The largest number of parses of one unit. Each parse finds something new, so headers that need more were
 * probably written to waste time. After PATIENT_ATTEMPTS parses, all questions that disturb the parse are
 * dropped.
 */
enum { ATTEMPTS_MAX = 64, PATIENT_ATTEMPTS = 48 };

#define SENTINEL "drvabi_headers_are_closed"

/* Enables the warnings of enum macro_doubt for the section, even if a header disabled them. */
#define WARNING(option) "_Pragma(\"clang diagnostic warning \\\"" option "\\\"\")"
#define DOUBTS                                                                                               \
	WARNING("-Wshift-count-overflow")                                                                    \
	WARNING("-Wshift-count-negative") WARNING("-Wimplicitly-unsigned-literal")                           \
		WARNING("-Wgnu-folding-constant")

/* In gcc, int_fast16_t and int_fast32_t are long on both targets. */
#define FAST_AS_GCC(bits) \
	"-D__INT_FAST" bits "_TYPE__=long int", "-D__UINT_FAST" bits "_TYPE__=long unsigned int", \
		"-D__INT_FAST" bits "_WIDTH__=64", "-D__INT_FAST" bits "_MAX__=0x7fffffffffffffffL", \
		"-D__UINT_FAST" bits "_MAX__=0xffffffffffffffffUL"

/* Writes parsing->main_text: the prologue, #includes and questions. Sets the line numbers of its parts. */
static void write_main_file(struct parsing *parsing)
{
	const struct closure *closure = parsing->closure;
	const struct profile_strings *prologue = &closure->unit->prologue;
	struct strbuf *text = &parsing->main_text;

	strbuf_reset(text);
	for (size_t i = 0; i < prologue->count; i++)
		strbuf_addf(text, "%s\n", prologue->item[i]);
	for (size_t i = 0; i < closure->header_count; i++) {
		strbuf_addf(text, "#include \"" CLOSURE_ROOT "%s\"\n", closure->headers[i]);
		if (closure->lines_each == 2)
			strbuf_addf(text,
				    "_Static_assert(__alignof__(struct{char a;long long b;})==8,\"" PACKING
				    "%zu\");\n",
				    i + 1);
	}
	strbuf_adds(text, "enum{" SENTINEL "};" DOUBTS "\n");
	parsing->sentinel_line =
		(unsigned)(prologue->count + closure->lines_each * closure->header_count + 1);
	parsing->section_line = parsing->sentinel_line + 1;
	macro_values_section(parsing->macros, text);
}

/* Returns the arguments of clang for one parse, in the closure's arena. */
static const char **write_args(int *count, const struct parsing *parsing)
{
	static const char *const fixed[] = {
		"-x", "c", "-std=gnu11", "-ffreestanding", "-nostdlibinc",
		"-Wno-everything", "-Wimplicitly-unsigned-literal", "-Wunknown-attributes", "-ferror-limit=0",
		/* so that a document does not depend on the time of the extraction */
		"-U__DATE__", "-U__TIME__", "-U__TIMESTAMP__",
		/*
		 * Drivers are built with gcc, so the macros that identify the compiler are those of gcc 12,
		 * as far as headers test them.
		 */
		"-fgnuc-version=12.2.0", "-U__clang__", "-U__clang_major__", "-U__clang_minor__",
		"-U__clang_patchlevel__", "-U__clang_version__", "-U__llvm__", "-U__LITTLE_ENDIAN__",
		"-U__POINTER_WIDTH__", "-U__BITINT_MAXWIDTH__", "-U__FLOAT128__", "-U__BOOL_WIDTH__",
		"-D__GXX_ABI_VERSION=1017", "-D__VERSION__=\"12.2.0\"",
		FAST_AS_GCC("16"),
		FAST_AS_GCC("32"),
		"-ivfsoverlay",
	};
	const struct closure *closure = parsing->closure;
	const struct profile_strings *define = &closure->unit->define;
	size_t fixed_count = sizeof(fixed) / sizeof(fixed[0]), used = 0;
	const char **args = arena_array(closure->arena, fixed_count + 2 + closure->dir_count + define->count,
					sizeof(*args));

	for (size_t i = 0; i < fixed_count; i++)
		args[used++] = fixed[i];
	args[used++] = parsing->files.path;
	args[used++] = arena_printf(closure->arena, "--target=%s", closure->target);
	for (size_t i = 0; i < closure->dir_count; i++)
		args[used++] = arena_printf(closure->arena, "-I" CLOSURE_ROOT "%s", closure->dirs[i]);
	for (size_t i = 0; i < define->count; i++)
		args[used++] = arena_printf(closure->arena, "-D%s", define->item[i]);
	*count = (int)used;
	return args;
}

/* Parses the main file; errors in headers become diagnostics. Return: 0; ERR_PARSE if libclang refuses it. */
static int parse_unit(struct parsing *parsing)
{
	const unsigned options = CXTranslationUnit_DetailedPreprocessingRecord |
				 CXTranslationUnit_SkipFunctionBodies | CXTranslationUnit_KeepGoing;
	const struct closure *closure = parsing->closure;
	struct CXUnsavedFile *files = xmalloc((closure->file_count + 2) * sizeof(*files));
	struct unit *unit = parsing->unit;
	enum CXErrorCode code;
	const char **args;
	int arg_count;

	files[0] = (struct CXUnsavedFile){ UNIT_MAIN, strbuf_text(&parsing->main_text),
					   parsing->main_text.length };
	for (size_t i = 0; i < closure->file_count; i++)
		files[i + 1] = (struct CXUnsavedFile){ closure_name(closure->files[i]),
						       closure->files[i]->text, closure->files[i]->size };
	files[closure->file_count + 1] = own_stdint(closure->arena);
	args = write_args(&arg_count, parsing);
	unit->index = clang.createIndex(0, 0);
	code = clang.parseTranslationUnit2(unit->index, UNIT_MAIN, args, arg_count, files,
					   (unsigned)closure->file_count + 2, options, &unit->tu);
	free(files);
	if (code)
		return err_set(parsing->err, ERR_PARSE,
			       "unit %s of version %s: libclang could not parse its headers (error %d)",
			       closure->unit->name, closure->tree->version, (int)code);
	return 0;
}

/* --- the preprocessing record --- */

/* The place of a cursor: a file and an offset in its text. */
struct cursor_place {
	const struct closure_file *file; /* NULL if the place is not in a file of the tree */
	bool is_own;                     /* the place is in one of clang's own headers */
	unsigned offset;
};

/* Returns the place of @location, which can be in the closure or in one of clang's own headers. */
static struct cursor_place find_place(struct parsing *parsing, CXSourceLocation location)
{
	CXFile file = NULL;
	unsigned offset;

	clang.getFileLocation(location, &file, NULL, NULL, &offset);
	if (!file || file != parsing->last) { /* consecutive cursors are usually in the same file */
		CXString name = clang.getFileName(file);
		const char *text = file && clang.getCString(name) ? clang.getCString(name) : "";

		parsing->last = file;
		parsing->last_file = closure_find(parsing->closure, text);
		parsing->last_is_own = own_headers_have(text);
		clang.disposeString(name);
	}
	return (struct cursor_place){ parsing->last_file, parsing->last_is_own, offset };
}

/*
 * Adds the files to which an #include of @spelled can refer to the closure. Sets parsing->again if a file was
 * added, and parsing->rc on an error. @includer: NULL if it is not a file of the tree
 */
static void look_for_included(struct parsing *parsing, const struct closure_file *includer,
			      struct view spelled)
{
	size_t before = parsing->closure->file_count;

	if (!parsing->rc)
		parsing->rc = closure_include(parsing->closure, includer ? includer->path : NULL, spelled,
					      parsing->err);
	if (parsing->closure->file_count > before)
		parsing->again = true;
}

/*
 * Returns the file name of a __has_include, between quotes or angle brackets at @at. The length is 0 if no
 * name is written there, or the name has a backslash.
 */
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

/* Sets the error for a @directive, "__has_include", whose file name is in a macro. Return: ERR_PARSE. */
static int fail_computed_name(const struct parsing *parsing, CXCursor cursor, const struct cursor_place *spot,
			      const char *directive)
{
	unsigned line;

	clang.getFileLocation(clang.getCursorLocation(cursor), NULL, &line, NULL, NULL);
	return err_set(parsing->err, ERR_PARSE,
		       "%s:%u: this %s or its file name is in a macro; write both without macros",
		       spot->file ? spot->file->real : "the prologue of the profile", line, directive);
}

/*
 * Looks up the file name in a __has_include, which is false if the closure does not have the file. The
 * preprocessing record does not have the name, so it is read from the text. Without a name there, sets
 * parsing->rc to ERR_PARSE. @directive: "__has_include"
 */
static void visit_has_include(struct parsing *parsing, CXCursor cursor, const char *directive)
{
	struct view name = { NULL, 0 };
	size_t length = strlen(directive);
	const struct cursor_place spot = find_place(parsing, clang.getCursorLocation(cursor));
	const char *at, *end;

	if (spot.is_own || parsing->rc)
		return;
	if (spot.file && begins(spot.file->text + spot.offset, directive)) {
		end = spot.file->text + spot.file->size;
		at = lexer_skip_blank(spot.file->text + spot.offset + length, end);
		if (*at != '(')
			return; /* the preprocessing record has #ifdef __has_include as an expansion too */
		name = asked_name(lexer_skip_blank(at + 1, end));
	}
	if (name.length)
		look_for_included(parsing, spot.file, name);
	else
		parsing->rc = fail_computed_name(parsing, cursor, &spot, directive);
}

/* Looks up the file of a __has_include, and adds a difference if a macro is expanded in a #pragma pack. */
static void visit_expansion(struct parsing *parsing, CXCursor cursor)
{
	CXString name = clang.getCursorSpelling(cursor);
	const char *spelled = clang.getCString(name);
	struct cursor_place spot = { .file = NULL };

	if (spelled && (!strcmp(spelled, "__has_include") || !strcmp(spelled, "__has_include_next") ||
			!strcmp(spelled, "__has_embed")))
		visit_has_include(parsing, cursor, spelled);
	if (parsing->has_pragmas)
		spot = find_place(parsing, clang.getCursorLocation(cursor));
	if (spot.file)
		pragmas_expansion(parsing->closure, spot.file, spot.offset, cursor);
	clang.disposeString(name);
}

/* Returns the tokens of a macro's body, separated by blanks, for a text that spells the name differently. */
static struct view body_tokens(const struct parsing *parsing, CXSourceRange extent)
{
	CXToken *tokens = NULL;
	struct strbuf body = { 0 };
	unsigned count = 0;

	clang.tokenize(parsing->unit->tu, extent, &tokens, &count);
	for (unsigned i = 1; i < count; i++) {
		CXString text = clang.getTokenSpelling(parsing->unit->tu, tokens[i]);

		strbuf_addf(&body, "%s%s", body.length ? " " : "", clang.getCString(text));
		clang.disposeString(text);
	}
	clang.disposeTokens(parsing->unit->tu, tokens, count);
	return view_of(strbuf_take(&body, parsing->closure->arena));
}

/* Checks whether the text at @at has exactly the name @name, without a continued line or a \u in it. */
static bool is_written(const char *name, const char *at)
{
	size_t length = strlen(name);

	return !strncmp(name, at, length) && !view_is_word_char(at[length]) && at[length] != '\\';
}

/*
 * Sets parsing->rc to an error if the body of a macro contains a __has_include, because the preprocessing
 * record does not show it where the macro is used.
 */
static void check_macro_body(struct parsing *parsing, CXCursor cursor, const struct cursor_place *start)
{
	const unsigned end = find_place(parsing, clang.getRangeEnd(clang.getCursorExtent(cursor))).offset;

	if (end > start->offset && !parsing->rc &&
	    has_questions((struct view){ start->file->text + start->offset + 1, end - start->offset - 1 }))
		parsing->rc = fail_computed_name(parsing, cursor, start, "__has_include");
}

/* Reports a macro definition to parsing->macros, unless no rule can want its name. */
static void visit_definition(struct parsing *parsing, CXCursor cursor)
{
	const struct cursor_place start = find_place(parsing, clang.getCursorLocation(cursor));
	struct macro_record record = { .file = start.file };
	CXSourceRange extent;
	CXString name;

	if (start.file && start.file->hints->has_questions)
		check_macro_body(parsing, cursor, &start);
	record.hint = start.file ? closure_hint(start.file, start.offset) : NULL;
	if (record.hint && record.hint->verdict == MACRO_UNKNOWN && record.hint->is_certain)
		return;
	extent = clang.getCursorExtent(cursor);
	name = clang.getCursorSpelling(cursor);
	record.name = clang.getCString(name);
	record.is_function_like = clang.Cursor_isMacroFunctionLike(cursor);
	if (record.name && record.file) {
		const char *at = record.file->text + start.offset, *body = at + strlen(record.name),
			   *end = record.file->text + find_place(parsing, clang.getRangeEnd(extent)).offset;
		const bool is_whole = is_written(record.name, at);

		clang.getFileLocation(clang.getRangeStart(extent), NULL, &record.line, NULL, NULL);
		record.body = (struct view){ body, end > body ? (size_t)(end - body) : 0 };
		/* For libclang, an earlier definition has parameters if the last one of this name has. */
		if (is_whole)
			record.is_function_like = *body == '(';
		record.is_respelled = !record.is_function_like && !is_whole;
		if (record.is_respelled)
			record.body = body_tokens(parsing, extent);
	}
	if (record.name)
		macro_values_definition(parsing->macros, &record);
	clang.disposeString(name);
}

/* --- declarations --- */

/* Sets found_sentinel at SENTINEL, or passes the value of an enumerator of the section to parsing->macros. */
static enum CXChildVisitResult visit_answer(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct parsing *parsing = data;
	char name[64];

	if (!cxstring_copy(name, sizeof(name), clang.getCursorSpelling(cursor)))
		return CXChildVisit_Continue;
	if (!strcmp(name, SENTINEL)) {
		parsing->found_sentinel = true;
	} else if (begins(name, MACRO_PREFIX) && cursor.kind == CXCursor_EnumConstantDecl) {
		macro_values_answer(parsing->macros, name, enumerator_value(cursor, parent));
	}
	return CXChildVisit_Continue;
}

static bool is_packing_line(const struct closure *closure, unsigned line)
{
	const size_t first = closure->unit->prologue.count + 1;

	return closure->lines_each == 2 && line >= first && (line - first) % 2;
}

/*
 * Adds a declaration of the headers to unit->declarations. From a declaration after SENTINEL, reads the value
 * of a macro instead.
 */
static void visit_declaration(struct parsing *parsing, CXCursor cursor)
{
	CXSourceLocation location = clang.getCursorLocation(cursor);
	struct unit *unit = parsing->unit;
	unsigned line = 0;
	char name[64];

	if (clang.Location_isFromMainFile(location)) {
		clang.getExpansionLocation(location, NULL, &line, NULL, NULL);
		if (line >= parsing->sentinel_line) {
			if (cursor.kind == CXCursor_EnumDecl)
				clang.visitChildren(cursor, visit_answer, parsing);
			else if (cursor.kind == CXCursor_VarDecl &&
				 cxstring_copy(name, sizeof(name), clang.getCursorSpelling(cursor)) &&
				 begins(name, MACRO_PREFIX))
				macro_values_answer_type(parsing->macros, name, clang.getCursorType(cursor));
			return;
		}
		if (is_packing_line(parsing->closure, line))
			return;
	}
	ARRAY_GROW(unit->declarations, unit->count, unit->capacity);
	unit->declarations[unit->count++] = cursor;
}

/* Visits an item of the preprocessing record, or a declaration. An error, in parsing->rc, ends the visit. */
static enum CXChildVisitResult visit_top(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct parsing *parsing = data;
	struct cursor_place spot;
	CXString name;

	(void)parent;
	switch (cursor.kind) {
	case CXCursor_MacroDefinition:
		visit_definition(parsing, cursor);
		break;
	case CXCursor_MacroExpansion:
		visit_expansion(parsing, cursor);
		break;
	case CXCursor_InclusionDirective:
		/*
		 * Macros in the file name are already expanded. The #includes in clang's own headers count
		 * too, because they can include a header of the tree with <>.
		 */
		name = clang.getCursorSpelling(cursor);
		spot = find_place(parsing, clang.getCursorLocation(cursor));
		if (clang.getCString(name))
			look_for_included(parsing, spot.file, view_of(clang.getCString(name)));
		clang.disposeString(name);
		break;
	default:
		visit_declaration(parsing, cursor);
		break;
	}
	return parsing->rc ? CXChildVisit_Break : CXChildVisit_Continue;
}

/*
 * Sets `included` and `through` of a file that clang read; parsing->rc to ERR_PARSE if it is neither in the
 * tree nor one of clang's own headers. @stack: the places of the nested #includes, that in the main file last
 */
static void note_included_file(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData data)
{
	struct parsing *parsing = data;
	const struct closure *closure = parsing->closure;
	CXString name = clang.getFileName(file);
	const char *text = clang.getCString(name) ? clang.getCString(name) : "";
	struct closure_file *found = closure_find(closure, text);
	unsigned line = 0;

	if (found) {
		clang.getExpansionLocation(depth ? stack[depth - 1] : clang.getNullLocation(), NULL, &line,
					   NULL, NULL);
		found->included = true;
		found->through = header_at(closure, line);
	} else if (strcmp(text, UNIT_MAIN) && !own_headers_have(text) && !parsing->rc) {
		parsing->rc = err_set(parsing->err, ERR_PARSE,
				      "unit %s of version %s: clang read %s, which is not part of the tree",
				      closure->unit->name, closure->tree->version, text);
	}
	clang.disposeString(name);
}

void unit_release(struct unit *unit)
{
	if (unit->tu)
		clang.disposeTranslationUnit(unit->tu);
	if (unit->index)
		clang.disposeIndex(unit->index);
	free(unit->declarations);
	*unit = (struct unit){ 0 };
}

/* --- repeated parses --- */

/*
 * Parses the unit once, and reads the declarations, macros, included files and diagnostics. Sets
 * parsing->again if the result cannot be used, because files or questions have changed. Return: as
 * unit_parse().
 */
static int try_parse(struct parsing *parsing)
{
	struct closure *closure = parsing->closure;
	int rc;

	unit_release(parsing->unit);
	parsing->again = parsing->found_sentinel = false;
	closure->difference_count = 0;
	parsing->left_packed = 0;
	parsing->last = NULL;
	parsing->has_pragmas = false;
	for (size_t i = 0; i < closure->file_count; i++)
		parsing->has_pragmas = parsing->has_pragmas ||
				       (closure->files[i]->hints && closure->files[i]->hints->pragma_count);
	closure->lines_each = parsing->has_pragmas ? 2 : 1;
	write_main_file(parsing);
	if ((rc = clang_files_write(&parsing->files, closure, parsing->err)) || (rc = parse_unit(parsing)))
		return rc;
	clang.visitChildren(clang.getTranslationUnitCursor(parsing->unit->tu), visit_top, parsing);
	if (parsing->rc)
		return parsing->rc;
	if (parsing->again) {
		macro_values_restart(parsing->macros);
		return 0;
	}
	clang.getInclusions(parsing->unit->tu, note_included_file, parsing);
	if ((rc = parsing->rc) || (rc = check_diagnostics(parsing)))
		return rc;
	pragmas_check(closure, parsing->unit->tu, parsing->left_packed);
	if (!parsing->found_sentinel && !parsing->again)
		return err_set(parsing->err, ERR_PARSE,
			       "unit %s of version %s: a declaration is left open at the end of the headers",
			       closure->unit->name, closure->tree->version);
	return 0;
}

int unit_parse(struct unit *out, struct closure *closure, struct macro_values *macros, struct err *err)
{
	struct parsing parsing = { .unit = out,
				   .closure = closure,
				   .macros = macros,
				   .files = { .file = -1 },
				   .err = err };
	bool done = false;
	int rc = 0;

	for (unsigned tries = 1; tries <= ATTEMPTS_MAX && !done && !rc; tries++) {
		rc = try_parse(&parsing);
		done = !rc && !parsing.again && !macro_values_incomplete(macros, tries > PATIENT_ATTEMPTS);
	}
	if (!rc && !done)
		rc = err_set(
			err, ERR_LIMIT,
			"unit %s of version %s: after %d parses, its headers still need more files or "
			"macros; this is the limit",
			closure->unit->name, closure->tree->version, ATTEMPTS_MAX);
	clang_files_release(&parsing.files);
	strbuf_release(&parsing.main_text);
	return rc;
}
