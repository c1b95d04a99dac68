#include "extract/pieces.h"

#include "extract/plan.h"
#include "extract/take.h"
#include "extract/unit.h"
#include "extract/walk.h"

#include <stdlib.h>
#include <string.h>

/* Of all walks together: half of what decl_members() allows a single one, which a tree that is read whole must not pass either. */
enum { WORK_MAX = 100 * 1000 * 1000 };

/* So many headers are parsed in one go; what they include comes on top. */
enum { CLAIM_MAX = 128 };

/* A piece in the making. */
struct maker {
	struct abi_builder *builder; /* NULL: it is not wanted */
	struct macro *macros;        /* malloc'd */
	size_t macro_count, macro_capacity;
	struct hashes meant;         /* what the digest says that the file declares; empty until it is needed */
};

struct making {
	const struct pieces_source *source;
	struct plan *plan;
	struct closure closure;
	struct macro_scan *macros;
	struct maker *makers;   /* by file of the plan */
	struct walk walk;
	const void *last_file;  /* CXFile, or struct closure_file, that was asked for last */
	size_t last_index;
	bool is_missed;         /* something is declared that the digest does not know of */
	struct err *err;
	int rc;
};

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

static size_t index_of_cursor(struct making *making, CXCursor cursor)
{
	struct closure_file *found;
	CXFile file = NULL;
	CXString name;

	clang_getExpansionLocation(clang_getCursorLocation(cursor), &file, NULL, NULL, NULL);
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
}

/* --- what is declared ------------------------------------------------------- */

static bool means(struct making *making, size_t index, uint64_t hash)
{
	const struct digest_names *names = &making->plan->files[index].text->digest.meant;
	struct hashes *meant = &making->makers[index].meant;

	if (!meant->count)
		for (size_t i = 0; i < names->count; i++)
			hashes_add(meant, names->hash[i]);
	return hashes_have(meant, hash);
}

static uint64_t hash_of(const char *name)
{
	return digest_name((struct view){ name, strlen(name) });
}

static void on_declared(void *data, CXCursor cursor)
{
	struct making *making = data;
	size_t index = index_of_cursor(making, cursor);
	char name[512];

	if (index == making->plan->count || clang_Cursor_isAnonymous(cursor))
		return;
	/* "struct tag" without a body gives it no meaning. */
	if (cursor.kind != CXCursor_TypedefDecl && cursor.kind != CXCursor_FunctionDecl && cursor.kind != CXCursor_VarDecl &&
	    !clang_isCursorDefinition(cursor))
		return;
	if (!take_into(name, sizeof(name), clang_getCursorSpelling(cursor)))
		making->is_missed = true;
	else if (*name && !strpbrk(name, " (:") && !means(making, index, hash_of(name)))
		making->is_missed = true;
}

static bool is_elsewhere(void *data, CXCursor cursor)
{
	struct making *making = data;
	size_t index = index_of_cursor(making, cursor);

	return index != making->walk.piece && index < making->plan->count;
}

/* An enumerator may stand in a file that is included between the braces. */
static bool is_enumerator_known(struct making *making, size_t index, const char *name)
{
	const struct plan *plan = making->plan;
	uint64_t hash = hash_of(name);

	if (means(making, index, hash))
		return true;
	for (size_t i = 0; i < plan->count; i++)
		if (plan_has_bit(plan->files[index].reach, i) && means(making, i, hash))
			return true;
	return false;
}

static void check_enumerators(struct making *making, size_t index, const struct abi *part)
{
	for (size_t e = 0; e < part->enum_count; e++)
		for (size_t v = 0; v < part->enums[e].value_count && !making->is_missed; v++)
			making->is_missed = !is_enumerator_known(making, index, part->enums[e].values[v].name);
}

/* --- parse and walk --------------------------------------------------------- */

static enum CXChildVisitResult top_visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct making *making = data;
	size_t index = index_of_cursor(making, cursor);

	(void)parent;
	if (index == making->plan->count || !making->makers[index].builder)
		return CXChildVisit_Continue;
	making->walk.builder = making->makers[index].builder;
	making->walk.piece = (unsigned)index;
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
static int load_closure(struct making *making, const bool *claimed, struct err *err)
{
	const struct plan *plan = making->plan;
	struct closure *closure = &making->closure;
	uint64_t *included = plan_headers(&closure->headers, &closure->header_count, plan, claimed);
	size_t count;
	int rc = 0;

	closure_begin(closure);
	for (size_t i = 0; i < plan->count && !rc; i++) {
		struct share_text *text = plan->files[i].text;
		const char *bytes;
		size_t size;

		if (!plan_has_bit(included, i))
			continue;
		if (!(rc = read_text(&bytes, &size, plan, text, err)))
			closure_put(closure, text->path, bytes, size)->order = i;
	}
	count = closure->file_count;
	for (size_t i = 0; i < count && !rc; i++) {
		struct closure_file *file = closure->files[i];

		if (claimed[file->order])
			add_definitions(making, file);
		if (plan->files[file->order].text->digest.must_be_scanned)
			rc = closure_scan(closure, file, err);
	}
	if (!rc && closure->file_count != count)
		rc = err_set(err, ERR_FORMAT, "%s is not planned for", closure->files[count]->path);
	for (size_t i = 0; i < closure->header_count && !rc; i++)
		closure->headers[i] = closure_find_path(closure, closure->headers[i])->path;
	return rc;
}

static int parse_and_walk(struct making *making, struct unit *unit, const bool *claimed, struct err *err)
{
	struct macro_sink sink = { making, builder_of, take_macro };
	struct walk *walk = &making->walk;
	int rc;

	macro_scan_begin(making->macros, making->plan->unit);
	if ((rc = load_closure(making, claimed, err)) ||
	    (rc = unit_parse(unit, &making->closure, making->macros, making->source->target, err)))
		return rc;
	walk->main_end_line = unit->main_end_line;
	making->last_file = NULL;
	clang_visitChildren(clang_getTranslationUnitCursor(unit->tu), top_visit, making);
	if (making->rc)
		return making->rc;
	walk_finish(walk);
	for (size_t i = 0; i < making->plan->count; i++)
		if (making->makers[i].builder && abi_builder_warning_count(making->makers[i].builder))
			return err_set(err, ERR_FORMAT, "%s contradicts itself", making->plan->files[i].text->path);
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

	abi_builder_seal(&part, maker->builder, &(struct abi){ .driver = "" });
	check_enumerators(making, index, &part);
	share_keep_piece(out, share, &part, maker->macros, maker->macro_count);
}

static int make_all(struct making *making, struct share_piece *made, const bool *claimed, struct err *err)
{
	const struct plan *plan = making->plan;
	struct unit unit = { 0 };
	int rc;

	making->err = err;
	rc = parse_and_walk(making, &unit, claimed, err);
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
		free(making->makers[i].macros);
		hashes_release(&making->makers[i].meant);
	}
}

/* Make the pieces that were claimed, and publish them, or give all of them up. */
static int make_claimed(struct plan *plan, const struct pieces_source *source, const bool *claimed, struct err *err)
{
	struct share_piece *made = arena_array(plan->arena, plan->count, sizeof(*made));
	struct making making = {
		.source = source, .plan = plan,
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
	for (size_t i = 0; i < plan->count; i++)
		if (claimed[i])
			share_publish(plan->share, &plan->files[i].key, rc ? NULL : &made[i]);
	share_unlock(plan->share);
	release_makers(&making);
	return rc;
}

/* --- a unit ----------------------------------------------------------------- */

/* Headers that do nothing but include others have no piece. */
static bool is_barren(const struct plan *plan, size_t index)
{
	const struct plan_file *file = &plan->files[index];

	return file->text->digest.is_barren && !file->is_repeated && file->target_count == file->text->digest.include_count;
}

static bool reaches(const struct plan *plan, size_t from, size_t to)
{
	return plan_has_bit(plan->files[from].reach, to);
}

/*
 * With the lock held: pieces that nobody makes, so few that another thread
 * that needs the same may take the rest. Those that depend on each other are
 * taken together.
 */
static size_t claim(bool *claimed, struct plan *plan, size_t at_most)
{
	size_t count = 0;

	for (size_t i = 0; i < plan->count && count < at_most; i++) {
		if (claimed[i] || is_barren(plan, i) || share_claim(plan->share, &plan->files[i].key) != SHARE_ABSENT)
			continue;
		claimed[i] = true;
		count++;
		for (size_t other = i + 1; other < plan->count; other++)
			if (!claimed[other] && !is_barren(plan, other) && reaches(plan, i, other) && reaches(plan, other, i) &&
			    share_claim(plan->share, &plan->files[other].key) == SHARE_ABSENT) {
				claimed[other] = true;
				count++;
			}
	}
	return count;
}

static int make_missing(struct plan *plan, const struct pieces_source *source, struct err *err)
{
	bool *claimed = arena_array(plan->arena, plan->count, sizeof(*claimed));
	int rc = 0;

	while (!rc) {
		size_t count;

		memset(claimed, 0, plan->count * sizeof(*claimed));
		share_lock(plan->share);
		count = claim(claimed, plan, CLAIM_MAX);
		share_unlock(plan->share);
		if (!count)
			break;
		rc = make_claimed(plan, source, claimed, err);
	}
	return rc;
}

static const char *distrust_of(struct extract_share *share)
{
	const char *why;

	share_lock(share);
	if (!share->distrust && share->work > WORK_MAX)
		share->distrust = "the headers are too much work";
	why = share->distrust;
	share_unlock(share);
	return why;
}

static int collect(struct pieces *out, struct plan *plan, struct err *err)
{
	int rc = 0;

	share_lock(plan->share);
	for (size_t i = 0; i < plan->count && !rc; i++) {
		const struct share_piece *piece;

		if (is_barren(plan, i))
			continue;
		if (!(piece = share_wait(plan->share, &plan->files[i].key)))
			rc = err_set(err, ERR_FORMAT, "another version could not be read by pieces");
		ARRAY_GROW(out->item, out->count, out->capacity);
		out->item[out->count++] = piece;
	}
	share_unlock(plan->share);
	return rc;
}

static int find_in_unit(struct pieces *out, struct plan *plan, const struct pieces_source *source, struct err *err)
{
	const char *why;
	int rc;

	if ((rc = plan_make(plan, err)))
		return rc;
	if ((why = distrust_of(plan->share)))
		return err_set(err, ERR_FORMAT, "%s", why);
	if ((rc = make_missing(plan, source, err)))
		return rc;
	out->inside_roots = out->inside_roots && plan->inside_roots;
	return collect(out, plan, err);
}

int pieces_find(struct pieces *out, const struct pieces_source *source, struct err *err)
{
	struct arena *share_owned = share_arena(source->share);
	struct share_tools *tools = NULL;
	const char *why = distrust_of(source->share);
	int rc;

	if (why)
		return err_set(err, ERR_FORMAT, "%s", why);
	rc = share_borrow(&tools, source->share, source->profile, err);
	out->inside_roots = true;
	for (size_t i = 0; i < source->profile->unit_count && !rc; i++) {
		struct plan plan = {
			.share = source->share, .tree = source->tree, .unit = &source->profile->units[i], .roots = source->roots,
			.tools = tools, .arena = source->arena, .share_arena = share_owned,
		};

		rc = find_in_unit(out, &plan, source, err);
		plan_release(&plan);
	}
	if (tools)
		share_give_back(source->share, tools);
	return rc;
}

void pieces_release(struct pieces *pieces)
{
	free(pieces->item);
	*pieces = (struct pieces){ 0 };
}

/* --- together --------------------------------------------------------------- */

static size_t join_one(struct abi_builder *builder, const struct abi *part)
{
	for (size_t i = 0; i < part->record_count; i++)
		abi_builder_record(builder, &part->records[i]);
	for (size_t i = 0; i < part->alias_count; i++)
		abi_builder_alias(builder, &part->aliases[i]);
	for (size_t i = 0; i < part->enum_count; i++)
		abi_builder_enum(builder, &part->enums[i]);
	for (size_t i = 0; i < part->constant_count; i++)
		abi_builder_constant(builder, &part->constants[i]);
	for (size_t i = 0; i < part->warning_count; i++)
		abi_builder_warning(builder, part->warnings[i].place, part->warnings[i].text);
	return part->warning_count;
}

/* A macro, and where it came. */
struct placed_macro {
	const struct macro *macro;
	size_t place;
};

/* By name; of one name, in the order of the units. */
static int order_macros(const void *a, const void *b)
{
	const struct placed_macro *x = a, *y = b;
	int order = strcmp(x->macro->name, y->macro->name);

	return order ? order : (x->place > y->place) - (x->place < y->place);
}

static void index_macros(struct macro_index *out, const struct pieces *pieces, size_t count, struct arena *arena)
{
	struct placed_macro *sorted = xmalloc((count + 1) * sizeof(*sorted));
	struct macro *items = arena_array(arena, count, sizeof(*items));
	size_t at = 0;

	for (size_t i = 0; i < pieces->count; i++)
		for (size_t m = 0; m < pieces->item[i]->macro_count; m++, at++)
			sorted[at] = (struct placed_macro){ &pieces->item[i]->macros[m], at };
	qsort(sorted, count, sizeof(*sorted), order_macros);
	for (size_t i = 0; i < count; i++)
		items[i] = *sorted[i].macro;
	free(sorted);
	*out = (struct macro_index){ items, count };
}

int pieces_join(struct abi_builder *builder, struct macro_index *macros, const struct pieces *pieces, struct arena *arena,
		struct err *err)
{
	size_t count = 0, warnings = 0;

	for (size_t i = 0; i < pieces->count; i++) {
		warnings += join_one(builder, &pieces->item[i]->part);
		count += pieces->item[i]->macro_count;
	}
	if (abi_builder_warning_count(builder) != warnings)
		return err_set(err, ERR_FORMAT, "two headers contradict each other");
	index_macros(macros, pieces, count, arena);
	return 0;
}
