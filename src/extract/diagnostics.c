#include "extract/diagnostics.h"

#include "extract/cxstring.h"
#include "extract/unit_main.h"

#include <string.h>

/* One error, as a reader of the headers knows it. */
struct problem {
	char file[4096]; /* as clang names it; "" if it points nowhere */
	unsigned line, column, offset;
	const char *text; /* in the closure's arena */
};

static void read_problem(struct problem *out, CXDiagnostic diagnostic, const struct closure *closure)
{
	CXFile file = NULL;

	*out = (struct problem){ .line = 0 };
	clang_getExpansionLocation(clang_getDiagnosticLocation(diagnostic), &file, &out->line, &out->column, &out->offset);
	if (file && !cxstring_copy(out->file, sizeof(out->file), clang_getFileName(file)))
		out->file[0] = '\0';
	out->text = cxstring_dup(clang_getDiagnosticSpelling(diagnostic), closure->arena);
}

void diagnostics_note_inclusion(struct closure_file *file, const struct closure *closure, CXSourceLocation outermost)
{
	const size_t first = closure->unit->prologue.count + 1;
	unsigned line = 0;

	clang_getExpansionLocation(outermost, NULL, &line, NULL, NULL);
	file->through = line >= first && line - first < closure->header_count ? closure->headers[line - first] : NULL;
}

/* "a.h:3:2", or where else it is. */
static const char *place_of(const struct problem *problem, const struct diagnostics *diagnostics)
{
	const struct closure *closure = diagnostics->closure;
	const struct profile_unit *unit = closure->unit;
	const struct closure_file *file = closure_find(closure, problem->file);

	if (file)
		return arena_printf(closure->arena, "%s:%u:%u", file->real, problem->line, problem->column);
	if (!strcmp(problem->file, UNIT_MAIN) && problem->line <= unit->prologue.count)
		return arena_printf(closure->arena, "line %u of the prologue of the profile's unit %s", problem->line, unit->name);
	if (!strcmp(problem->file, UNIT_MAIN) && problem->line < diagnostics->sentinel_line)
		return closure->headers[problem->line - unit->prologue.count - 1];
	return arena_printf(closure->arena, "unit %s of version %s", unit->name, closure->tree->version);
}

/* --- all that is missing, in one sentence --- */

/* What a text says is missing: "unknown type name '__u32'" or "'drm.h' file not found"; false if it is of another kind. */
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

/* Is @name in @list, which is "a, b"? */
static bool is_listed(const char *list, struct view name)
{
	while (*list) {
		size_t length = strcspn(list, ",");

		if (length == name.length && !memcmp(list, name.at, length))
			return true;
		list += length + strspn(list + length, ", ");
	}
	return false;
}

/* Adds the name that a problem says is missing. */
static void add_missing(struct strbuf *list, const struct problem *first, const struct problem *problem)
{
	struct view name, known;

	if (!missing_name(&name, problem->text) || (missing_name(&known, first->text) && view_equal(name, known)) ||
	    is_listed(strbuf_text(list), name))
		return;
	strbuf_addf(list, "%s%.*s", list->length ? ", " : "", (int)name.length, name.at);
}

/* --- */

/* Is the error one of a question? Then it is told to the macros. */
static bool is_answer(const struct problem *problem, const struct diagnostics *diagnostics, bool *again)
{
	if (!strcmp(problem->file, UNIT_MAIN) && problem->line >= diagnostics->section_line) {
		macro_values_failed(diagnostics->macros, problem->line - diagnostics->section_line);
		return true;
	}
	if (*problem->file || !macro_values_drop_riskiest(diagnostics->macros))
		return false;
	return *again = true;
}

static const char *header_of(const struct problem *problem, const struct diagnostics *diagnostics)
{
	const struct closure *closure = diagnostics->closure;
	const struct closure_file *file = closure_find(closure, problem->file);
	const size_t first = closure->unit->prologue.count + 1;

	if (file)
		return file->through;
	if (strcmp(problem->file, UNIT_MAIN) || problem->line < first || problem->line >= diagnostics->sentinel_line)
		return NULL;
	return closure->headers[problem->line - first];
}

static bool is_left_out(const struct closure *closure, const char *header)
{
	for (size_t i = 0; i < closure->unreadable_count; i++)
		if (closure->unreadable[i].header == header)
			return true;
	return false;
}

/* Return: false if the header is not known, or the profile wants all headers. */
static bool leave_out(const struct problem *problem, const struct diagnostics *diagnostics)
{
	struct closure *closure = diagnostics->closure;
	const char *header = closure->unit->skips_unreadable ? header_of(problem, diagnostics) : NULL;

	if (header && !is_left_out(closure, header))
		closure->unreadable[closure->unreadable_count++] = (struct closure_unreadable){ header, place_of(problem, diagnostics), problem->text };
	return header != NULL;
}

/* Return: are there fewer headers now? */
static bool drop_headers(struct closure *closure)
{
	size_t count = 0, before = closure->header_count;

	for (size_t i = 0; i < before; i++)
		if (!is_left_out(closure, closure->headers[i]))
			closure->headers[count++] = closure->headers[i];
	closure->header_count = count;
	for (size_t i = 0; i < closure->file_count && count < before; i++) /* the next parse says it anew */
		closure->files[i]->included = false;
	return count < before;
}

/* What is found in one walk over the errors. */
struct findings {
	struct problem first; /* that is neither an answer nor leaves a header out */
	bool has_first;
	struct strbuf missing; /* names, besides that of the first */
};

/* A condition of the preprocessor calculates alike in both compilers. */
static bool is_directive(const struct problem *problem, const struct closure *closure)
{
	const struct closure_file *file = closure_find(closure, problem->file);
	const char *start = file ? file->text + problem->offset - (problem->column - 1) : "";

	return *lexer_skip_blank(start, start + strlen(start)) == '#';
}

/* What clang warns of because gcc takes it in another way. */
static void look_at_warning(CXDiagnostic diagnostic, const struct diagnostics *diagnostics)
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
	char option[64];

	if (cxstring_copy(option, sizeof(option), clang_getDiagnosticOption(diagnostic, NULL)))
		for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
			doubt = strcmp(option, rows[i].option) ? doubt : rows[i].doubt;
	if (!doubt)
		return;
	read_problem(&problem, diagnostic, diagnostics->closure);
	if (!strcmp(problem.file, UNIT_MAIN) && problem.line >= diagnostics->section_line)
		macro_values_doubt(diagnostics->macros, problem.line - diagnostics->section_line, doubt);
	else if (doubt == MACRO_LITERAL && !is_directive(&problem, diagnostics->closure))
		closure_differs(diagnostics->closure, place_of(&problem, diagnostics),
				"A literal that is too large for a signed type is an __int128 to gcc, and unsigned to clang, whose value is used.");
}

static void look_at(struct findings *findings, CXDiagnostic diagnostic, const struct diagnostics *diagnostics, bool *again)
{
	enum CXDiagnosticSeverity severity = clang_getDiagnosticSeverity(diagnostic);
	struct problem problem;

	if (severity == CXDiagnostic_Warning)
		look_at_warning(diagnostic, diagnostics);
	if (severity < CXDiagnostic_Error)
		return;
	read_problem(&problem, diagnostic, diagnostics->closure);
	if (is_answer(&problem, diagnostics, again) || leave_out(&problem, diagnostics))
		return;
	if (!findings->has_first)
		findings->first = problem;
	else
		add_missing(&findings->missing, &findings->first, &problem);
	findings->has_first = true;
}

static int fail(const struct findings *findings, const struct diagnostics *diagnostics, struct err *err)
{
	const char *place = place_of(&findings->first, diagnostics);

	if (!findings->missing.length)
		return err_set(err, ERR_PARSE, "%s: %s", place, findings->first.text);
	return err_set(err, ERR_PARSE, "%s: %s; also missing: %.400s", place, findings->first.text, findings->missing.text);
}

int diagnostics_check(bool *again, const struct diagnostics *diagnostics, struct err *err)
{
	unsigned count = clang_getNumDiagnostics(diagnostics->tu);
	struct findings findings = { .has_first = false };
	struct closure *closure = diagnostics->closure;
	int rc = 0;

	for (unsigned i = 0; i < count && !*again; i++) {
		CXDiagnostic diagnostic = clang_getDiagnostic(diagnostics->tu, i);

		look_at(&findings, diagnostic, diagnostics, again);
		clang_disposeDiagnostic(diagnostic);
	}
	if (!*again && findings.has_first) {
		rc = fail(&findings, diagnostics, err);
	} else if (!*again && drop_headers(closure)) {
		if (!closure->header_count)
			rc = err_set(err, ERR_PARSE, "%s: %s", closure->unreadable[0].place, closure->unreadable[0].text);
		macro_values_restart(diagnostics->macros);
		*again = true;
	}
	strbuf_release(&findings.missing);
	return rc;
}
