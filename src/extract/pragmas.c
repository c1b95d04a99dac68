/*
 * extract/pragmas.c - finds the pragmas that change how records are laid out, and warns where gcc and clang
 * interpret them differently
 *
 * pragmas_find() searches the text of each file, also text that conditions exclude. After a parse,
 * pragmas_check() ignores the excluded pragmas, and finds the records that contain the others.
 */
#include "extract/internal.h"

/* Cuts a word, and the blanks around it, at *@at. Return: the word; empty if there is no word. */
static struct view next_directive_word(const char **at, const char *stop)
{
	struct view word;

	*at = lexer_skip_blank(*at, stop);
	word = view_word((struct view){ *at, (size_t)(stop - *at) });
	*at = lexer_skip_blank(*at + word.length, stop);
	return word;
}

/*
 * Reads a #pragma pack. *@at is after the word "pack", and is set to the end of the pragma. @is_directive: as
 * in add_pragma(). Return: false if neither gcc nor clang follows the pragma.
 */
static bool read_pack(enum pragma_kind *kind, const char **at, const char *stop, bool is_directive)
{
	const char *rest;
	struct view word;
	bool has_name;

	if (*(*at = lexer_skip_blank(*at, stop)) != '(')
		return false;
	++*at;
	word = next_directive_word(at, stop);
	*kind = view_is(word, "push") ? PRAGMA_PUSH : view_is(word, "pop") ? PRAGMA_POP : PRAGMA_SET;
	has_name = *kind == PRAGMA_SET && word.length && !view_is_digit(*word.at);
	while (*at < stop && **at == ',') {
		++*at;
		word = next_directive_word(at, stop);
		has_name = word.length && !view_is_digit(*word.at);
		if (*kind == PRAGMA_POP && !has_name)
			*kind = PRAGMA_ODD_PACK;
	}
	if (*at == stop || **at != ')')
		return false;
	++*at;
	rest = lexer_skip_blank(*at, stop);
	/*
	 * A name in the parentheses can be a macro. In a directive, clang's preprocessing record shows the
	 * expansion (pragmas_expansion()). In a string, it does not, so every name is reported.
	 */
	if (is_directive ? rest < stop && *rest != '\r' && *rest != '/' : has_name && *kind != PRAGMA_POP)
		*kind = PRAGMA_ODD_PACK;
	return true;
}

/*
 * Reads the pragma that begins with @word, and sets the kind and end of @hint. @rest: the text after @word.
 * Return: false unless the pragma is pack(), or a layout pragma that only one of gcc and clang supports.
 */
static bool read_pragma(struct pragma_hint *hint, struct view word, const char *rest, const char *stop,
			bool is_directive, const char *text)
{
	const char *at = rest;
	struct view next;

	hint->kind = PRAGMA_OF_ONE;
	if (view_is(word, "pack") && !read_pack(&hint->kind, &at, stop, is_directive))
		return false;
	hint->end = (size_t)(at - text);
	if (view_is(word, "pack") || view_is(word, "scalar_storage_order"))
		return true;
	if (view_is(word, "align"))
		return *lexer_skip_blank(at, stop) == '=';
	next = next_directive_word(&at, stop);
	return view_is(word, "options") ? view_is(next, "align") : view_is(next, "on");
}

/*
 * Appends the pragma whose first word is at @at, or after blanks there, if it can change layouts.
 * @is_directive: false if the text is in a string or in the argument of a macro
 */
static void add_pragma(struct hints *out, const char *text, const char *at, const char *end,
		       bool is_directive, struct arena *arena)
{
	enum {
		LENGTH_MAX = 1024
	}; /* limit for the length of a pragma in bytes, because a long line with many pragmas would take
	      quadratic time */
	static const char *const words[] = { "pack", "options", "align", "ms_struct",
					     "scalar_storage_order" };
	const char *stop = end - at > LENGTH_MAX ? at + LENGTH_MAX : end;
	struct pragma_hint hint;
	struct view word;
	size_t i = 0;

	at = lexer_skip_blank(at, stop);
	hint.start = (size_t)(at - text);
	word = view_word((struct view){ at, (size_t)(stop - at) });
	while (i < sizeof(words) / sizeof(words[0]) && !view_is(word, words[i]))
		i++;
	at += word.length;
	if (i == sizeof(words) / sizeof(words[0]) ||
	    !read_pragma(&hint, word, at, lexer_line_end(at, stop), is_directive, text))
		return;
	out->pragmas = arena_room(arena, out->pragmas, out->pragma_count, sizeof(hint));
	out->pragmas[out->pragma_count++] = hint;
}

static int compare_pragmas(const void *a, const void *b)
{
	const struct pragma_hint *left = a, *right = b;

	return compare_numbers(left->start, right->start);
}

void pragmas_find(struct hints *out, const char *text, size_t size, struct arena *arena)
{
	static const char *const names[] = { "ragma", "RAGMA" };
	const char *end = text + size;
	bool is_mentioned = false;
	size_t count = 0;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *at = text, *start;

		while ((start = find_text(at, end, names[i], strlen(names[i])))) {
			at = start + strlen(names[i]);
			is_mentioned = true;
			if (start == text || at == end || (start[-1] != 'p' && start[-1] != 'P'))
				continue;
			if (*at == '(') /* of a macro such as DO_PRAGMA */
				add_pragma(out, text, at + 1, end, false, arena);
			else if (view_is_blank(*at) && start[-1] == 'p' && *start == 'r')
				add_pragma(out, text, at, end, true, arena);
		}
	}
	/* any string can be the argument of a _Pragma(), also through a macro */
	for (const char *at = is_mentioned ? text : end; (at = memchr(at, '"', (size_t)(end - at)));)
		add_pragma(out, text, ++at, end, false, arena);
	sort_items(out->pragmas, out->pragma_count, sizeof(*out->pragmas), compare_pragmas);
	for (size_t i = 0; i < out->pragma_count; i++) /* one can be found as a directive and as a string */
		if (!count || out->pragmas[count - 1].start != out->pragmas[i].start)
			out->pragmas[count++] = out->pragmas[i];
	out->pragma_count = count;
}

/* The state of checking the pragmas of one file. */
struct pragma_check {
	struct closure *closure;
	CXTranslationUnit tu;
	const struct closure_file *file;
	CXFile clang_file;
	CXSourceRangeList *skipped; /* text that preprocessor conditions exclude; may be NULL */
	struct open_push {
		CXCursor record; /* the record that contains the push; a null cursor if there is none */
		CXSourceLocation location;
	} *open;
	size_t open_count, open_capacity;
	CXSourceLocation set; /* the file's last PRAGMA_SET outside of a push and its pop; else null */
};

static const char *place_in(struct closure *closure, const struct closure_file *file,
			    CXSourceLocation location)
{
	unsigned line, column;

	clang.getFileLocation(location, NULL, &line, &column, NULL);
	return arena_printf(closure->arena, "%s:%u:%u", file->real, line, column);
}

void pragmas_expansion(struct closure *closure, const struct closure_file *file, size_t offset,
		       CXCursor macro)
{
	for (size_t i = 0; i < file->hints->pragma_count; i++) {
		const struct pragma_hint *hint = &file->hints->pragmas[i];

		if (offset >= hint->start && offset < hint->end)
			closure_differs(
				closure, place_in(closure, file, clang.getCursorLocation(macro)),
				"In this #pragma pack, clang expands the macro, and gcc does not: records "
				"after it may be packed differently.");
	}
}

/* Checks whether preprocessor conditions exclude the text at @offset of the file. */
static bool is_in_skipped_text(const struct pragma_check *look, size_t offset)
{
	for (unsigned i = 0; look->skipped && i < look->skipped->count; i++) {
		unsigned start, end;

		clang.getFileLocation(clang.getRangeStart(look->skipped->ranges[i]), NULL, NULL, NULL,
				      &start);
		clang.getFileLocation(clang.getRangeEnd(look->skipped->ranges[i]), NULL, NULL, NULL, &end);
		if (offset >= start && offset < end)
			return true;
	}
	return false;
}

static bool is_record_decl(CXCursor cursor)
{
	return cursor.kind == CXCursor_StructDecl || cursor.kind == CXCursor_UnionDecl;
}

/* Returns the record that contains @location; a null cursor if @location is not in a record. */
static CXCursor record_at(const struct pragma_check *look, CXSourceLocation location)
{
	CXCursor cursor = clang.getCursor(look->tu, location);

	while (!clang.Cursor_isNull(cursor) && !is_record_decl(cursor) &&
	       cursor.kind != CXCursor_TranslationUnit && cursor.kind < CXCursor_FirstPreprocessing)
		cursor = clang.getCursorSemanticParent(cursor);
	return is_record_decl(cursor) ? cursor : clang.getNullCursor();
}

/*
 * Updates look->open, the open pushes, for a pragma in @record, which can be null. Return: true if the pragma
 * shows that the packing is changed inside a record, and not restored inside the same record.
 */
static bool is_left_inside(struct pragma_check *look, enum pragma_kind kind, CXCursor record,
			   CXSourceLocation location)
{
	CXCursor last = look->open_count ? look->open[look->open_count - 1].record : clang.getNullCursor();
	bool is_last = look->open_count && clang.equalCursors(last, record);

	if (kind == PRAGMA_PUSH) {
		ARRAY_GROW(look->open, look->open_count, look->open_capacity);
		look->open[look->open_count++] = (struct open_push){ record, location };
		return false;
	}
	if (kind == PRAGMA_POP && look->open_count)
		look->open_count--;
	return !is_last && (is_record_decl(record) || (kind == PRAGMA_POP && is_record_decl(last)));
}

/* Adds a difference if gcc and clang differ on the pragma, and updates @look. Ignores it in skipped text. */
static void check_pragma(struct pragma_check *look, const struct pragma_hint *hint)
{
	CXSourceLocation location =
		clang.getLocationForOffset(look->tu, look->clang_file, (unsigned)hint->start);
	const char *text = NULL;

	if (is_in_skipped_text(look, hint->start))
		return;
	if (hint->kind == PRAGMA_SET && !look->open_count)
		look->set = location;
	if (hint->kind == PRAGMA_ODD_PACK)
		text = "gcc reads this #pragma pack differently than clang, or ignores it.";
	else if (hint->kind == PRAGMA_OF_ONE)
		text = "This pragma changes layouts, and only one of gcc and clang knows it.";
	else if (is_left_inside(look, hint->kind, record_at(look, location), location))
		text = "A #pragma pack inside a record stays in force after the record: gcc packs the record "
		       "as at its end, and clang as at its beginning.";
	if (text)
		closure_differs(look->closure, place_in(look->closure, look->file, location), text);
}

void pragmas_check(struct closure *closure, CXTranslationUnit tu, size_t left_packed)
{
	const char *culprit = left_packed ? closure->headers[left_packed - 1] : NULL, *left_at = culprit;
	struct pragma_check look = { .closure = closure, .tu = tu };

	for (size_t i = 0; i < closure->file_count; i++) {
		look.file = closure->files[i];
		if (!look.file->included || !look.file->hints->pragma_count ||
		    !(look.clang_file = clang.getFile(tu, closure_name(look.file))))
			continue;
		look.open_count = 0;
		look.set = clang.getNullLocation();
		look.skipped = clang.getSkippedRanges(tu, look.clang_file);
		for (size_t k = 0; k < look.file->hints->pragma_count; k++)
			check_pragma(&look, &look.file->hints->pragmas[k]);
		if (look.skipped)
			clang.disposeSourceRangeList(look.skipped);
		if (look.file->through == culprit &&
		    (look.open_count || !clang.equalLocations(look.set, clang.getNullLocation())))
			left_at = place_in(closure, look.file,
					   look.open_count ? look.open[0].location : look.set);
	}
	if (culprit)
		closure_differs(
			closure, left_at,
			"A #pragma pack of this header is still in force after the header: the layout of "
			"records in later headers depends on the order of the headers.");
	free(look.open);
}
