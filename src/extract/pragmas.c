#include "extract/pragmas.h"

#include "extract/cxstring.h"

#include <stdlib.h>

/* The pragmas of one file. */
struct look {
	struct closure *closure;
	CXTranslationUnit tu;
	const struct closure_file *file;
	CXFile clang_file;
	CXSourceRangeList *skipped; /* by conditions; may be NULL */
	CXCursor *open; /* of each push that is open, the record that it is in, or a null cursor */
	size_t open_count, open_capacity;
};

static void differs(struct closure *closure, const struct closure_file *file, CXSourceLocation location, const char *text)
{
	unsigned line, column;

	clang_getFileLocation(location, NULL, &line, &column, NULL);
	closure_differs(closure, arena_printf(closure->arena, "%s:%u:%u", file->real, line, column), text);
}

void pragmas_expansion(struct closure *closure, const struct closure_file *file, size_t offset, CXCursor macro)
{
	for (size_t i = 0; i < file->hints->pragma_count; i++) {
		const struct pragma_hint *hint = &file->hints->pragmas[i];

		if (offset >= hint->start && offset < hint->end)
			differs(closure, file, clang_getCursorLocation(macro), "In a #pragma pack, clang puts a macro's value in its place, and gcc does not: records behind it may be packed otherwise.");
	}
}

static bool is_skipped(const struct look *look, size_t offset)
{
	for (unsigned i = 0; look->skipped && i < look->skipped->count; i++) {
		unsigned start, end;

		clang_getFileLocation(clang_getRangeStart(look->skipped->ranges[i]), NULL, NULL, NULL, &start);
		clang_getFileLocation(clang_getRangeEnd(look->skipped->ranges[i]), NULL, NULL, NULL, &end);
		if (offset >= start && offset < end)
			return true;
	}
	return false;
}

static bool is_record(CXCursor cursor)
{
	return cursor.kind == CXCursor_StructDecl || cursor.kind == CXCursor_UnionDecl;
}

/* The record that the place is in, or a null cursor. */
static CXCursor record_at(const struct look *look, CXSourceLocation location)
{
	CXCursor cursor = clang_getCursor(look->tu, location);

	while (!clang_Cursor_isNull(cursor) && !is_record(cursor) && cursor.kind != CXCursor_TranslationUnit && cursor.kind < CXCursor_FirstPreprocessing)
		cursor = clang_getCursorSemanticParent(cursor);
	return is_record(cursor) ? cursor : clang_getNullCursor();
}

static void inside(const struct look *look, CXSourceLocation location)
{
	differs(look->closure, look->file, location, "A #pragma pack inside a record stays in force behind it: gcc packs the record by what is in force at its end, "
		"clang by what was at its beginning.");
}

/* Return: is what it changes inside a record, and not changed back there? */
static bool is_left_inside(struct look *look, enum pragma_kind kind, CXCursor record)
{
	CXCursor last = look->open_count ? look->open[look->open_count - 1] : clang_getNullCursor();
	bool is_last = look->open_count && clang_equalCursors(last, record);

	if (kind == PRAGMA_PUSH) {
		ARRAY_GROW(look->open, look->open_count, look->open_capacity);
		look->open[look->open_count++] = record;
		return false;
	}
	if (kind == PRAGMA_POP && look->open_count)
		look->open_count--;
	return !is_last && (is_record(record) || (kind == PRAGMA_POP && is_record(last)));
}

static void check_one(struct look *look, const struct pragma_hint *hint)
{
	CXSourceLocation location = clang_getLocationForOffset(look->tu, look->clang_file, (unsigned)hint->start);

	if (is_skipped(look, hint->start))
		return;
	if (hint->kind == PRAGMA_ODD_PACK)
		differs(look->closure, look->file, location, "gcc reads this #pragma pack in another way than clang, or ignores it.");
	else if (hint->kind == PRAGMA_OF_ONE)
		differs(look->closure, look->file, location, "Of gcc and clang only one knows this pragma, which changes layouts.");
	else if (is_left_inside(look, hint->kind, record_at(look, location)))
		inside(look, location);
}

void pragmas_check(struct closure *closure, CXTranslationUnit tu)
{
	struct look look = { .closure = closure, .tu = tu };

	for (size_t i = 0; i < closure->file_count; i++) {
		look.file = closure->files[i];
		if (!look.file->included || !look.file->hints->pragma_count || !(look.clang_file = clang_getFile(tu, closure_name(look.file))))
			continue;
		look.open_count = 0;
		look.skipped = clang_getSkippedRanges(tu, look.clang_file);
		for (size_t k = 0; k < look.file->hints->pragma_count; k++)
			check_one(&look, &look.file->hints->pragmas[k]);
		if (look.skipped)
			clang_disposeSourceRangeList(look.skipped);
	}
	free(look.open);
}
