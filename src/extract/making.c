#include "extract/making.h"

#include "extract/excerpt.h"
#include "extract/take.h"
#include "extract/unit.h"

#include <stdlib.h>
#include <string.h>

/* --- which file ------------------------------------------------------------- */

/* plan->count if it is none. Things of one file come in a row. */
static size_t index_of_file(struct making *making, const struct closure_file *file)
{
	if (file != making->last_file) {
		making->last_file = file;
		making->last_index = plan_find(making->plan, file->path);
	}
	return making->last_index;
}

static size_t index_of_cursor(struct making *making, CXCursor cursor, unsigned *line)
{
	struct closure_file *found;
	CXFile file = NULL;
	CXString name;

	clang_getExpansionLocation(clang_getCursorLocation(cursor), &file, line, NULL, NULL);
	if (file == making->last_file && file)
		return making->last_index;
	name = clang_getFileName(file);
	found = clang_getCString(name) ? closure_find(&making->closure, clang_getCString(name)) : NULL;
	clang_disposeString(name);
	making->last_file = file;
	making->last_index = found ? plan_find(making->plan, found->path) : making->plan->count;
	return making->last_index;
}

static const char *file_name(void *data, const char *clang_name)
{
	struct closure_file *file = closure_find(&((struct making *)data)->closure, clang_name);

	if (file)
		return file->path;
	return strcmp(clang_name, UNIT_MAIN) ? NULL : "prologue";
}

/* --- macros ----------------------------------------------------------------- */

/* The definitions that are wanted are in the digests. */
static void on_define(void *data, const struct closure_file *file, const struct scan_define *define)
{
	(void)data;
	(void)file;
	(void)define;
}

static void on_undef(void *data, struct view name)
{
	macro_scan_undef(((struct making *)data)->macros, name);
}

static void add_definitions(struct making *making, const struct closure_file *file)
{
	const struct digest *digest = &making->plan->files[file->order].text->digest;

	for (size_t i = 0; i < digest->wanted_count; i++)
		macro_scan_add(making->macros, file, &digest->wanted[i]);
}

static struct abi_builder *builder_of(void *data, const struct closure_file *file)
{
	struct making *making = data;

	return making->makers[index_of_file(making, file)].builder;
}

static void take_macro(void *data, const struct closure_file *file, const struct macro *macro)
{
	struct making *making = data;
	struct maker *maker = &making->makers[index_of_file(making, file)];

	ARRAY_GROW(maker->macros, maker->macro_count, maker->macro_capacity);
	maker->macros[maker->macro_count++] = *macro;
	maker->is_unanswered |= macro->has_failed;
}

/* --- what is declared ------------------------------------------------------- */

/* Does it begin in the chunk in which its name stands? */
static bool is_in_one_chunk(struct making *making, size_t index, CXCursor cursor, unsigned line)
{
	CXFile file = NULL;
	unsigned first = 0;

	if (!making->makers[index].lines)
		return true;
	clang_getExpansionLocation(clang_getRangeStart(clang_getCursorExtent(cursor)), &file, &first, NULL, NULL);
	return file == making->last_file && places_chunk(making, index, first) == places_chunk(making, index, line);
}

static void on_declared(void *data, CXCursor cursor)
{
	struct making *making = data;
	unsigned line;
	size_t index = index_of_cursor(making, cursor, &line);
	char name[512];

	if (index == making->plan->count)
		return;
	if (!is_in_one_chunk(making, index, cursor, line))
		making->is_missed = true;
	if (clang_Cursor_isAnonymous(cursor))
		return;
	/* "struct tag" without a body gives it no meaning. */
	if (cursor.kind != CXCursor_TypedefDecl && cursor.kind != CXCursor_FunctionDecl && cursor.kind != CXCursor_VarDecl &&
	    !clang_isCursorDefinition(cursor))
		return;
	if (!take_into(name, sizeof(name), clang_getCursorSpelling(cursor)))
		making->is_missed = true;
	else if (*name && !strpbrk(name, " (:") && !places_mean(making, index, digest_name((struct view){ name, strlen(name) }), line))
		making->is_missed = true;
}

static bool is_elsewhere(void *data, CXCursor cursor)
{
	struct making *making = data;
	unsigned line;
	size_t index = index_of_cursor(making, cursor, &line);

	return index < making->plan->count && parts_piece(making, index, line) != making->walk.piece;
}

/* --- parse and walk --------------------------------------------------------- */

static enum CXChildVisitResult top_visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct making *making = data;
	unsigned line;
	size_t index = index_of_cursor(making, cursor, &line);
	const struct part_maker *part;

	(void)parent;
	if (index == making->plan->count || !making->makers[index].builder)
		return CXChildVisit_Continue;
	making->walk.builder = making->makers[index].builder;
	making->walk.piece = parts_piece(making, index, line);
	if (making->makers[index].parts) {
		part = parts_at(making, index, line);
		making->walk.builder = part ? part->builder : NULL;
	}
	if (!making->walk.builder)
		return CXChildVisit_Continue;
	making->rc = walk_declaration(&making->walk, cursor, making->err);
	return making->rc ? CXChildVisit_Break : CXChildVisit_Continue;
}

static int read_text(const char **bytes, size_t *size, const struct plan *plan, struct share_text *text, struct err *err)
{
	int rc;

	if ((*bytes = share_kept(plan->share, text, size)))
		return 0;
	rc = plan->tree->ops->read(plan->tree, text->path, bytes, size, err);
	if (!rc)
		share_keep(plan->share, text, *bytes, *size);
	return rc;
}

/* The headers to parse, and the files that they include, as they stand in the whole unit. */
static int load_whole(struct closure *closure, const struct plan *plan, const bool *claimed, struct err *err)
{
	uint64_t *included = plan_headers(&closure->headers, &closure->header_count, plan, claimed);
	int rc = 0;

	for (size_t i = 0; i < plan->count && !rc; i++) {
		struct share_text *text = plan->files[i].text;
		const char *bytes;
		size_t size;

		if (!plan_has_bit(included, i))
			continue;
		if (!(rc = read_text(&bytes, &size, plan, text, err)))
			closure_put(closure, text->path, bytes, size)->order = i;
	}
	return rc;
}

static void trim(struct making *making, struct excerpt *excerpt, const bool *claimed)
{
	struct strbuf questions = { 0 };

	macro_scan_trust(making->macros);
	macro_scan_section(making->macros, &questions);
	making->is_idle = !questions.length;
	excerpt_trim(excerpt, &making->closure, parts_find(making, claimed), (struct view){ strbuf_text(&questions), questions.length });
	strbuf_release(&questions);
}

static int load_closure(struct making *making, const bool *claimed, struct err *err)
{
	const struct plan *plan = making->plan;
	struct closure *closure = &making->closure;
	struct excerpt *excerpt = making->is_fine ? excerpt_new(plan, claimed) : NULL;
	size_t count;
	int rc;

	closure_begin(closure);
	rc = excerpt ? excerpt_load(excerpt, closure, read_text, err) : load_whole(closure, plan, claimed, err);
	count = closure->file_count;
	for (size_t i = 0; i < count && !rc; i++) {
		struct closure_file *file = closure->files[i];

		if (claimed[file->order]) {
			add_definitions(making, file);
			places_find_lines(making, file);
		}
		if (plan->files[file->order].text->digest.must_be_scanned)
			rc = closure_scan(closure, file, err);
	}
	if (!rc && closure->file_count != count)
		rc = err_set(err, ERR_FORMAT, "%s is not planned for", closure->files[count]->path);
	for (size_t i = 0; i < closure->header_count && !rc; i++)
		closure->headers[i] = closure_find_path(closure, closure->headers[i])->path;
	if (excerpt && !rc)
		trim(making, excerpt, claimed);
	parts_number(making);
	return rc;
}

static int parse_and_walk(struct making *making, struct unit *unit, struct err *err)
{
	struct walk *walk = &making->walk;
	int rc;

	if ((rc = unit_parse(unit, &making->closure, making->macros, making->source->target, err)))
		return rc;
	walk->main_end_line = unit->main_end_line;
	making->last_file = NULL;
	clang_visitChildren(clang_getTranslationUnitCursor(unit->tu), top_visit, making);
	if (making->rc)
		return making->rc;
	walk_finish(walk);
	for (size_t i = 0; making->is_fine && i < making->closure.file_count; i++)
		if (making->makers[making->closure.files[i]->order].builder && !making->closure.files[i]->included)
			return err_set(err, ERR_FORMAT, "%s was to be read and was not", making->closure.files[i]->path);
	for (size_t i = 0; i < making->plan->count; i++)
		if (making->makers[i].builder && (abi_builder_warning_count(making->makers[i].builder) || !parts_are_sound(making, i)))
			return err_set(err, ERR_FORMAT, "%s contradicts itself", making->plan->files[i].text->path);
	return 0;
}

static int find_all(struct making *making, struct unit *unit, const bool *claimed, struct err *err)
{
	struct macro_sink sink = { making, builder_of, take_macro };
	int rc;

	macro_scan_begin(making->macros, making->plan->unit);
	if ((rc = load_closure(making, claimed, err)) || (!making->is_idle && (rc = parse_and_walk(making, unit, err))))
		return rc;
	making->last_file = NULL;
	macro_scan_finish(making->macros, &sink);
	return 0;
}

/* What the walk made goes with the tree; the piece stays. What many pieces have in common is there once. */
static void finish_piece(struct share_piece *out, struct making *making, size_t index)
{
	struct extract_share *share = making->plan->share;
	struct maker *maker = &making->makers[index];
	struct abi part;

	making->is_missed |= !parts_join(making, index);
	abi_builder_seal(&part, maker->builder, &(struct abi){ .driver = "" });
	if (!maker->parts)
		places_check_enumerators(making, index, &part);
	places_note_foreign(making, index, &part);
	share_keep_piece(out, share, &part, maker->macros, maker->macro_count);
}

static int make_all(struct making *making, struct share_piece *made, const bool *claimed, struct err *err)
{
	const struct plan *plan = making->plan;
	struct unit unit = { 0 };
	int rc;

	making->err = err;
	rc = find_all(making, &unit, claimed, err);
	for (size_t i = 0; i < plan->count && !rc; i++)
		if (making->makers[i].builder)
			finish_piece(&made[i], making, i);
	if (!rc && making->is_missed) {
		share_distrust(plan->share, "something is declared that cannot be told from texts");
		rc = err_set(err, ERR_FORMAT, "version %s declares what cannot be told from texts", plan->tree->version);
	}
	share_lock(plan->share);
	plan->share->work += making->walk.decls.work;
	share_unlock(plan->share);
	walk_release(&making->walk);
	unit_release(&unit);
	closure_release(&making->closure);
	return rc;
}

static void release_makers(struct making *making)
{
	for (size_t i = 0; i < making->plan->count; i++) {
		abi_builder_free(making->makers[i].builder);
		for (size_t p = 0; p < making->makers[i].part_count; p++)
			abi_builder_free(making->makers[i].parts[p].builder);
		free(making->makers[i].macros);
		free(making->makers[i].foreign);
		hashes_release(&making->makers[i].meant);
	}
}

/* Make the pieces that were claimed, and publish them, or give all of them up. */
int making_claimed(struct plan *plan, const struct pieces_source *source, const bool *claimed, bool is_fine, struct err *err)
{
	struct share_piece *made = arena_array(plan->arena, plan->count, sizeof(*made));
	struct making making = {
		.source = source, .plan = plan, .is_fine = is_fine,
		.closure = {
			.tree = plan->tree, .unit = plan->unit, .arena = plan->arena, .roots = plan->roots, .is_sealed = true,
			.define = on_define, .undef = on_undef,
		},
	};
	int rc;

	making.closure.macro_data = &making;
	making.walk = (struct walk){
		.declared = on_declared, .is_elsewhere = is_elsewhere, .data = &making,
		.decls = { .arena = plan->arena, .file_name = file_name, .data = &making },
		.roles = &plan->tools->roles,
	};
	making.makers = arena_array(plan->arena, plan->count, sizeof(*making.makers));
	for (size_t i = 0; i < plan->count; i++)
		if (claimed[i])
			making.makers[i].builder = abi_builder_new(plan->arena);
	roles_forget(&plan->tools->roles);
	making.macros = macro_scan_bare(plan->arena);
	rc = make_all(&making, made, claimed, err);
	macro_scan_free(making.macros);
	share_lock(plan->share);
	for (size_t i = 0; i < plan->count; i++) {
		const struct maker *maker = &making.makers[i];

		if (!claimed[i])
			continue;
		if (!rc && is_fine && maker->is_unanswered) {
			share_publish_coarse(plan->share, &plan->files[i].key);
			continue;
		}
		if (!rc && is_fine && maker->foreign_count && !plan->files[i].is_in_place) {
			share_publish_placed(plan->share, &plan->files[i].key, maker->foreign, maker->foreign_count);
			plan_place(plan, i, maker->foreign, maker->foreign_count);
		}
		share_publish(plan->share, &plan->files[i].key, rc ? NULL : &made[i]);
	}
	share_unlock(plan->share);
	release_makers(&making);
	return rc;
}
