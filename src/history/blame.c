/*
 * history/blame.c - find the version that last changed each scalar of a record
 *
 * 1. The record is flattened in the requested version. Each scalar gets a line, which is not settled yet.
 * 2. The walk goes from version to parent. If a parent does not have the record, the differ finds out whether
 *    the record was renamed.
 * 3. The record is flattened in the parent. If a scalar differs in the parent, its line is settled: this
 *    version changed it. If the parent does not have the scalar's path, the scalar was renamed if the parent
 *    has the same bytes under a path that was removed. Otherwise, it was added.
 * 4. The walk ends when all lines and the size are settled, or at the version that added the record, or at
 *    the first version of the graph. Lines that remain are settled at that version.
 * 5. Releases of the same day can be on different branches, so several versions can be the first of their
 *    branch to have a field. All versions are flattened, and the versions of other branches that introduced
 *    the same state are listed.
 */
#include "history/internal.h"

#include "flatten/flatten.h"

/* The walk from version to parent. */
struct blame_walk {
	const struct history_graph *graph;
	struct blame *blame;
	struct blame_name *names; /* former names of the record, newest first */
	size_t name_count;
	struct blame_line *lines; /* blame->lines, not const while they are filled */
	bool *settled;            /* indexed like @lines */
	size_t left;              /* number of lines that are not settled */
	bool size_settled;
	struct arena *arena;
};

static bool same_scalar(const struct abi_scalar *a, const struct abi_scalar *b)
{
	return abi_scalar_same(a, b) && !strcmp(a->type, b->type);
}

/* Finds the scalar of @before with @scalar's bits and kind, and a path that @now does not have; or NULL. */
static const struct abi_scalar *find_renamed(const struct abi_layout *before, const struct abi_layout *now,
					   const struct abi_scalar *scalar)
{
	for (size_t i = 0; i < before->scalar_count; i++)
		if (abi_scalar_same_bits(&before->scalar[i], scalar) &&
		    before->scalar[i].kind == scalar->kind && !abi_find_scalar(now, before->scalar[i].path))
			return &before->scalar[i];
	return NULL;
}

/*
 * Sets @out to the number of elements, in all dimensions together, and their distance. The distance is 0
 * outside arrays of records.
 */
static void extent_of(uint64_t out[2], const struct abi_scalar *scalar)
{
	out[0] = scalar->count;
	for (size_t i = 0; i < scalar->repeat_count; i++)
		out[0] *= scalar->repeat[i].count;
	out[1] = scalar->repeat_count ? scalar->repeat[scalar->repeat_count - 1].stride_bits : 0;
}

/* Names the change that explains a line: a move before a resize, and these before a new type. */
static enum diff_op op_of(const struct abi_scalar *before, const struct abi_scalar *scalar)
{
	uint64_t was[2], is[2];

	if (before->offset_bits != scalar->offset_bits)
		return DIFF_OP_MOVED;
	extent_of(was, before);
	extent_of(is, scalar);
	if (before->size_bits != scalar->size_bits || memcmp(was, is, sizeof(was)))
		return DIFF_OP_RESIZED;
	return DIFF_OP_RETYPED;
}

/*
 * Settles every line whose scalar @version changed, and the size if @version changed it. @before: NULL if the
 * parent does not have the record, or if no parent is known
 */
static void settle_changed(struct blame_walk *walk, size_t version, const struct abi_layout *now,
			   const struct abi_layout *before, bool is_boundary)
{
	struct blame *blame = walk->blame;

	for (size_t i = 0; i < blame->line_count; i++) {
		struct blame_line *line = &walk->lines[i];
		const struct abi_scalar *was = before ? abi_find_scalar(before, line->scalar->path) : NULL;
		const struct abi_scalar *renamed = before && !was ? find_renamed(before, now, line->scalar) :
						 NULL;

		if (walk->settled[i] || (was && same_scalar(was, line->scalar)))
			continue;
		line->version = version;
		line->op = was ? op_of(was, line->scalar) : renamed ? DIFF_OP_RENAMED : DIFF_OP_ADDED;
		line->before = was ? was : renamed;
		line->is_boundary = is_boundary;
		walk->settled[i] = true;
		walk->left--;
	}
	if (walk->size_settled || (before && before->size_bytes == blame->layout->size_bytes))
		return;
	blame->size_version = version;
	blame->size_is_boundary = is_boundary;
	blame->size_before = before ? before->size_bytes : 0;
	walk->size_settled = true;
}

/*
 * Sets @out to the name that the record @name of @next has in @base, where this name does not exist; NULL if
 * the record was added. Return: 0; an error of diff_documents().
 */
static int name_before(const char **out, const struct abi *base, const struct abi *next, const char *name,
		       struct arena *arena, struct err *err)
{
	struct diff_options options = { 0 };
	struct arena scratch = { 0 };
	const char *found = NULL;
	struct diff diff;
	int rc;

	rc = diff_documents(&diff, base, next, &options, &scratch, err);
	for (size_t i = 0; !rc && i < diff.change_count && !found; i++) {
		const struct diff_change *change = &diff.changes[i];

		if (change->kind != ABI_RECORD || change->classes & DIFF_REMOVED ||
		    (strcmp(change->name, name) && !diff_has_also(change, name)))
			continue;
		if (change->same_as)
			found = change->same_as;
		else if (change->base_record)
			found = change->base_name ? change->base_name : change->base_record->name;
	}
	*out = found && abi_find_record(base, found) ? arena_strdup(arena, found) : NULL;
	arena_release(&scratch);
	return rc;
}

/* Flattens a record. Return: 0; an error of flatten_record(), with the version. */
static int layout_of(const struct abi_layout **out, const struct abi *abi, const char *name,
		     struct arena *arena, struct err *err)
{
	struct abi_layout *layout = arena_alloc(arena, sizeof(*layout));
	int rc = flatten_record(layout, abi, name, arena, err);

	if (rc)
		err_prefix(err, "%s", abi->version);
	else
		*out = layout;
	return rc;
}

/*
 * Goes from parent to parent, settles each line and the size at the first difference, and lists the record's
 * former names. Return: 0; an error of name_before() or layout_of().
 */
static int walk_back(struct blame_walk *walk, const char *name, struct err *err)
{
	const struct abi_layout *now = walk->blame->layout, *before;
	size_t version = walk->blame->version;
	int rc;

	walk->names[walk->name_count++] = (struct blame_name){ name, 0 };
	while (walk->left || !walk->size_settled) {
		long parent = history_known_parent(walk->graph->versions, (long)version);
		const struct abi *abi = walk->graph->versions[version].abi;
		const struct abi *base = parent == HISTORY_NO_PARENT ? NULL :
					 walk->graph->versions[parent].abi;

		if (base && !abi_find_record(base, name) &&
		    (rc = name_before(&name, base, abi, name, walk->arena, err)))
			return rc;
		if (!base || !name) {
			settle_changed(walk, version, now, NULL, !base);
			return 0;
		}
		if (strcmp(walk->names[walk->name_count - 1].name, name))
			walk->names[walk->name_count++] = (struct blame_name){ name, version };
		if ((rc = layout_of(&before, base, name, walk->arena, err)))
			return rc;
		settle_changed(walk, version, now, before, false);
		now = before;
		version = (size_t)parent;
	}
	return 0;
}

/* Is @ancestor the same as @version, or one of its ancestors? */
static bool is_ancestor(const struct history_graph *graph, size_t ancestor, size_t version)
{
	long i = (long)version;

	while (i != HISTORY_NO_PARENT && (size_t)i != ancestor)
		i = graph->versions[i].parent;
	return i != HISTORY_NO_PARENT;
}

/*
 * Sets @out to the versions that also introduced the state of @version, and are neither its ancestors nor its
 * descendants. @has: for each version, does it have the state? @read: for each version, can it be read?
 */
static void set_also(struct blame_also *out, const struct history_graph *graph, size_t version,
		     const bool *has, const bool *read, struct arena *arena)
{
	const size_t *begins;
	const size_t count = span_ends(&begins, graph, has, true, read, arena);
	size_t *others = arena_array(arena, count + 1, sizeof(*others));

	for (size_t i = 0; i < count; i++)
		if (!is_ancestor(graph, begins[i], version) && !is_ancestor(graph, version, begins[i]))
			others[out->count++] = begins[i];
	out->versions = others;
}

/*
 * Sets @also of each line, and size_also, from the record's layouts in all versions. A version that cannot be
 * read counts like its nearest readable ancestor. Return: 0; an error of layout_of().
 */
static int find_also(struct blame_walk *walk, struct err *err)
{
	const struct history_graph *graph = walk->graph;
	const size_t count = graph->version_count;
	struct blame *blame = walk->blame;
	bool *has = arena_array(walk->arena, count + 1, sizeof(*has));
	bool *read = arena_array(walk->arena, count + 1, sizeof(*read));
	/* for each version, the record's layout under any of its names; NULL if it has none */
	const struct abi_layout **layouts = arena_array(walk->arena, count + 1, sizeof(*layouts));
	int rc;

	for (size_t i = 0; i < count; i++) {
		const struct abi *abi = graph->versions[i].abi;
		size_t name = 0;

		while (abi && name < walk->name_count && !abi_find_record(abi, walk->names[name].name))
			name++;
		if (abi && name < walk->name_count &&
		    (rc = layout_of(&layouts[i], abi, walk->names[name].name, walk->arena, err)))
			return rc;
	}
	for (size_t i = 0; i < count; i++) {
		const long from = history_known_parent(graph->versions, (long)i);

		read[i] = graph->versions[i].abi;
		if (!read[i] && from != HISTORY_NO_PARENT)
			layouts[i] = layouts[from];
	}
	for (size_t line = 0; line < blame->line_count; line++) {
		const struct abi_scalar *scalar = walk->lines[line].scalar;

		for (size_t i = 0; i < count; i++) {
			const struct abi_scalar *there = layouts[i] ? abi_find_scalar(layouts[i],
										      scalar->path) :
						       NULL;

			has[i] = there && same_scalar(there, scalar);
		}
		set_also(&walk->lines[line].also, graph, walk->lines[line].version, has, read, walk->arena);
	}
	for (size_t i = 0; i < count; i++)
		has[i] = layouts[i] && layouts[i]->size_bytes == blame->layout->size_bytes;
	set_also(&blame->size_also, graph, blame->size_version, has, read, walk->arena);
	return 0;
}

int history_blame(struct blame *out, const struct history_graph *graph, size_t version, const char *name,
		  struct arena *arena, struct err *err)
{
	const struct abi *abi = graph->versions[version].abi;
	const struct abi_ioctl *ioctl = abi_find_record(abi, name) ? NULL : abi_find_ioctl(abi, NULL, name);
	struct blame blame = { .name = ioctl ? ioctl->params : name, .version = version };
	struct blame_walk walk = { .graph = graph, .blame = &blame, .arena = arena };
	int rc;

	if (!blame.name || !abi_find_record(abi, blame.name))
		return err_set(err, ERR_NOT_FOUND,
			       "%s %s has no record called '%s', and no ioctl with this name that has "
			       "parameters",
			       abi->driver, abi->version, name);
	if ((rc = layout_of(&blame.layout, abi, blame.name, arena, err)))
		return rc;
	blame.line_count = walk.left = blame.layout->scalar_count;
	walk.lines = arena_array(arena, blame.line_count + 1, sizeof(*walk.lines));
	walk.settled = arena_array(arena, blame.line_count + 1, sizeof(*walk.settled));
	walk.names = arena_array(arena, graph->version_count + 1, sizeof(*walk.names));
	for (size_t i = 0; i < blame.line_count; i++)
		walk.lines[i].scalar = &blame.layout->scalar[i];
	if ((rc = walk_back(&walk, blame.name, err)) || (rc = find_also(&walk, err)))
		return rc;
	blame.lines = walk.lines;
	blame.former = walk.names + 1;
	blame.former_count = walk.name_count - 1;
	*out = blame;
	return 0;
}
