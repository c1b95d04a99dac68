#include "extract/pieces.h"

#include "extract/making.h"

#include <stdlib.h>
#include <string.h>

/* Of all walks together: half of what decl_members() allows a single one, which a tree that is read whole must not pass either. */
enum { WORK_MAX = 100 * 1000 * 1000 };

/* So many headers are parsed in one go; what they include comes on top. */
enum { CLAIM_MAX = 128 };

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

/* With the lock held: the key of a SHARE_PLACED piece becomes the one under which it is kept. */
static void place(struct plan *plan, size_t index)
{
	size_t count;
	const uint64_t *paths = share_places(&count, plan->share, &plan->files[index].key);

	plan_place(plan, index, paths, count);
}

/* With the lock held: is it for the caller to make this piece? */
static bool claim_one(bool *claimed, struct plan *plan, size_t index, bool is_fine)
{
	enum share_state state;

	if (claimed[index] || is_barren(plan, index) || plan->files[index].is_fine != is_fine)
		return false;
	state = share_claim(plan->share, &plan->files[index].key);
	if (state == SHARE_PLACED) {
		place(plan, index);
		state = share_claim(plan->share, &plan->files[index].key);
	}
	if (state == SHARE_COARSE) /* its turn comes */
		plan_coarsen(plan, index);
	claimed[index] = state == SHARE_ABSENT;
	return claimed[index];
}

/*
 * With the lock held: pieces that nobody makes, so few that another thread
 * that needs the same may take the rest. Those that depend on each other are
 * taken together.
 */
static size_t claim(bool *claimed, struct plan *plan, bool is_fine, size_t at_most)
{
	size_t count = 0;

	for (size_t i = 0; i < plan->count && count < at_most; i++) {
		if (!claim_one(claimed, plan, i, is_fine))
			continue;
		count++;
		for (size_t other = i + 1; other < plan->count; other++)
			count += reaches(plan, i, other) && reaches(plan, other, i) && claim_one(claimed, plan, other, is_fine);
	}
	return count;
}

static int make_missing(struct plan *plan, const struct pieces_source *source, struct err *err)
{
	bool *claimed = arena_array(plan->arena, plan->count, sizeof(*claimed));
	bool is_fine = true;
	int rc = 0;

	while (!rc) {
		size_t count;

		memset(claimed, 0, plan->count * sizeof(*claimed));
		share_lock(plan->share);
		count = claim(claimed, plan, is_fine, CLAIM_MAX);
		share_unlock(plan->share);
		if (count)
			rc = making_claimed(plan, source, claimed, is_fine, err);
		else if (is_fine)
			is_fine = false;
		else
			break;
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

/*
 * Wait for all pieces, whoever makes them.
 * @again: some have come to have another key, and are to be made
 */
static int wait_for_all(bool *again, struct plan *plan, struct err *err)
{
	int rc = 0;

	*again = false;
	share_lock(plan->share);
	for (size_t i = 0; i < plan->count && !rc; i++) {
		enum share_state state;

		if (is_barren(plan, i) || share_wait(&state, plan->share, &plan->files[i].key))
			continue;
		if (state == SHARE_PLACED || state == SHARE_COARSE) {
			if (state == SHARE_PLACED)
				place(plan, i);
			else
				plan_coarsen(plan, i);
			*again = true;
		} else {
			rc = err_set(err, ERR_FORMAT, "another version could not be read by pieces");
		}
	}
	share_unlock(plan->share);
	return rc;
}

static void collect(struct pieces *out, const struct plan *plan)
{
	enum share_state state;

	share_lock(plan->share);
	for (size_t i = 0; i < plan->count; i++) {
		if (is_barren(plan, i))
			continue;
		ARRAY_GROW(out->item, out->count, out->capacity);
		out->item[out->count++] = share_wait(&state, plan->share, &plan->files[i].key);
	}
	share_unlock(plan->share);
}

static int find_in_unit(struct pieces *out, struct plan *plan, const struct pieces_source *source, struct err *err)
{
	const char *why;
	bool again;
	int rc;

	if ((rc = plan_make(plan, err)))
		return rc;
	if ((why = distrust_of(plan->share)))
		return err_set(err, ERR_FORMAT, "%s", why);
	do {
		if ((rc = make_missing(plan, source, err)) || (rc = wait_for_all(&again, plan, err)))
			return rc;
	} while (again);
	out->inside_roots = out->inside_roots && plan->inside_roots;
	collect(out, plan);
	return 0;
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
			.tools = tools, .target = source->target, .arena = source->arena, .share_arena = share_owned,
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
		warnings += parts_put(builder, &pieces->item[i]->part);
		count += pieces->item[i]->macro_count;
	}
	if (abi_builder_warning_count(builder) != warnings)
		return err_set(err, ERR_FORMAT, "two headers contradict each other");
	index_macros(macros, pieces, count, arena);
	return 0;
}
