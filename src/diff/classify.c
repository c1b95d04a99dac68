/*
 * diff/classify.c - find the change of each member of a record, and its classes
 *
 * The table shows the classes of a change. Every line that applies adds its class. If no line applies to a
 * member of both versions, the member did not change.
 *
 *   change                                                                class
 *   member only in next, its bits free in base, no later member moved up  growth
 *   member only in next, otherwise                                        layout
 *   member only in base                                                   layout
 *   ... named like padding, its bits still inside the record              (none)
 *   different offset                                                      layout
 *   different size or dimensions                                          layout
 *   ... a named record that kept its scalars and grew into free bits      growth
 *   different spelling of the type, an integer of equal width and sign    (see below)
 *   ... enums with different enumerators                                  layout
 *   ... a named record with the same scalars                              name
 *   ... a pointer to the same type, or to an unknown type                 name
 *   ... a pointer to a different type                                     translation
 *   ... anything else                                                     layout
 *   different role, and a proxy must translate neither                    layout
 *   different path                                                        name
 *   named like padding in both versions, no more bits than before         (none)
 *   ... different bits, all of them free                                  growth
 *   pointers, fds, handles, pids: different offset, number or role        translation
 *
 * "An integer of equal width and sign" means that NvU32 became NvV32, or an enum became the integer in which
 * it was stored. This is name, unless the member has a different change, too. If the new spelling adds or
 * removes a role, as from NvU32 to NvHandle, the class is only translation.
 *
 * Bits are free in base if they are past its end, in a hole or the tail padding, or in a member named like
 * padding ("reserved"). The bits of members that did not change are free too: a member that overlaps them is
 * a new alternative of a union and does not affect the others. If members moved to higher offsets, a member
 * that was added before them is layout, not growth, even if its bits are free.
 *
 * For the record as a whole: if a union became a struct, or a struct a union, the class is layout. Fewer
 * bytes are layout. More bytes without a change of a member are growth. A change of only the alignment is
 * layout. If only padding was added or removed, the class is name.
 */
#include "diff/internal.h"

/* The bits from @from up to, but not including, @to. */
struct interval {
	uint64_t from, to;
};

struct compare {
	const struct diff_record_pair *pair;
	struct diff_members base, next;
	const struct abi_layout *base_layout;
	struct interval *free; /* free bits of base, sorted, without overlaps; malloc'd */
	size_t free_count, free_capacity;
	uint64_t pushed_to;    /* the highest offset in next of a member that had a lower offset in base; 0
				  if none */
	struct arena *arena;
	struct diff_field *fields;
	size_t field_count;
};

static uint64_t end_of(const struct diff_member *member)
{
	return member->side.offset_bits + member->side.size_bits;
}

/* --- free bits ------------------------------------------------------------------------------ */

static void add_free_range(struct compare *compare, uint64_t from, uint64_t to)
{
	ARRAY_GROW(compare->free, compare->free_count, compare->free_capacity);
	compare->free[compare->free_count++] = (struct interval){ from, to };
}

/* Orders intervals by their start, because list_free_bits() then merges neighbours. */
static int compare_intervals(const void *a, const void *b)
{
	const struct interval *x = a, *y = b;

	return compare_numbers(x->from, y->from);
}

/* Sets compare->free (see the top of this file) and compare->pushed_to. */
static void list_free_bits(struct compare *compare)
{
	const struct abi_layout *layout = compare->base_layout;
	size_t last = 0;

	add_free_range(compare, layout->size_bytes * 8, UINT64_MAX);
	for (size_t i = 0; i < layout->hole_count; i++)
		add_free_range(compare, layout->hole[i].offset_bits,
			       layout->hole[i].offset_bits + layout->hole[i].size_bits);
	for (size_t i = 0; i < compare->base.count; i++)
		if (compare->base.member[i].is_padding)
			add_free_range(compare, compare->base.member[i].side.offset_bits,
				       end_of(&compare->base.member[i]));
	for (size_t j = 0; j < compare->next.count; j++) {
		const struct diff_member *member = &compare->next.member[j], *was;

		if (member->partner == DIFF_NO_PARTNER || member->is_group)
			continue;
		was = &compare->base.member[member->partner];
		if (was->side.offset_bits == member->side.offset_bits &&
		    was->side.size_bits == member->side.size_bits)
			add_free_range(compare, member->side.offset_bits, end_of(member));
		if (was->side.offset_bits < member->side.offset_bits && !member->is_padding &&
		    member->side.offset_bits > compare->pushed_to)
			compare->pushed_to = member->side.offset_bits;
	}
	sort_items(compare->free, compare->free_count, sizeof(*compare->free), compare_intervals);
	for (size_t i = 1; i < compare->free_count; i++) { /* merge intervals that overlap or touch */
		if (compare->free[i].from > compare->free[last].to)
			compare->free[++last] = compare->free[i];
		else if (compare->free[i].to > compare->free[last].to)
			compare->free[last].to = compare->free[i].to;
	}
	compare->free_count = last + 1;
}

/* Are all bits of base from @from up to @to free? Yes if the range is empty. */
static bool is_free_range(const struct compare *compare, uint64_t from, uint64_t to)
{
	size_t low = 0, high = compare->free_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare->free[middle].to <= from)
			low = middle + 1;
		else
			high = middle;
	}
	return from >= to ||
	       (low < compare->free_count && compare->free[low].from <= from && to <= compare->free[low].to);
}

/* --- members of one version ------------------------------------------------------------------- */

/* Sets @out to the parts of a member that a proxy must translate. Return: 0; an error of flatten_record(). */
static int acted_of(struct diff_acted *out, const struct diff_member *member, struct diff_side *side,
		    struct err *err)
{
	int rc = 0;

	*out = (struct diff_acted){ .type = &member->type, .role = member->side.role,
				    .offset_bits = member->side.offset_bits };
	if (member->type.record)
		rc = diff_side_layout(&out->layout, side, member->type.record, err);
	return rc;
}

/* Are the bits of @member from @from on free, and did no member after @member move to a higher offset? */
static bool is_growth(const struct compare *compare, const struct diff_member *member, uint64_t from)
{
	return is_free_range(compare, from, end_of(member)) && compare->pushed_to <= member->side.offset_bits;
}

/*
 * Adds to compare->fields a field that only one version has, with its classes. An unnamed record that is not
 * an array is not added, because its members are reported instead. Return: 0; an error of flatten_record().
 */
static int add_lone_field(struct compare *compare, const struct diff_member *member, bool is_added,
			  struct err *err)
{
	const struct diff_record_pair *pair = compare->pair;
	struct diff_field field = { .op = is_added ? DIFF_OP_ADDED : DIFF_OP_REMOVED };
	const struct diff_field_side *side;
	struct diff_acted acted;
	int rc;

	if (member->is_group && !member->type.dimension_count)
		return 0;
	if ((rc = acted_of(&acted, member, is_added ? pair->next_side : pair->base_side, err)))
		return rc;
	side = arena_memdup(compare->arena, &member->side, sizeof(*side));
	if (is_added) {
		field.after = side;
		field.classes = is_growth(compare, member, side->offset_bits) ? DIFF_GROWTH : DIFF_LAYOUT;
	} else {
		field.before = side;
		if (!member->is_padding || end_of(member) > pair->next->size_bytes * 8)
			field.classes = DIFF_LAYOUT;
	}
	if (diff_acted_any(&acted))
		field.classes |= DIFF_TRANSLATION;
	compare->fields[compare->field_count++] = field;
	return 0;
}

/* --- members of both versions ------------------------------------------------------------------- */

/*
 * Sets @classes for a field whose type is a record in both versions: DIFF_NAME if the record kept its scalars
 * and size; DIFF_GROWTH if it kept its scalars and grew into free bits, and the field is not an array and did
 * not move; else DIFF_LAYOUT. Return: 0; an error of flatten_record().
 */
static int record_type_classes(unsigned *classes, const struct compare *compare,
			       const struct diff_member *before, const struct diff_member *after,
			       struct err *err)
{
	const struct abi_layout *a, *b;
	int rc;

	if ((rc = diff_side_layout(&a, compare->pair->base_side, before->type.record, err)) ||
	    (rc = diff_side_layout(&b, compare->pair->next_side, after->type.record, err)))
		return rc;
	if (!abi_same_dimensions(&before->type, &after->type) || !diff_scalars_contained(a, b))
		*classes = DIFF_LAYOUT;
	else if (a->size_bytes != b->size_bytes)
		*classes = !before->type.dimension_count &&
					   before->side.offset_bits == after->side.offset_bits &&
					   is_growth(compare, after, end_of(before))
				   ? DIFF_GROWTH
				   : DIFF_LAYOUT;
	else
		*classes = DIFF_NAME;
	return 0;
}

/*
 * Did an array get or lose a dimension, become flexible or stop being flexible, or change its dimensions but
 * not its number of elements? All other changes of dimensions are reported as a change of size.
 */
static bool is_reshaped(const struct abi_type *a, const struct abi_type *b)
{
	return a->dimension_count != b->dimension_count || a->flexible != b->flexible ||
	       (a->count == b->count && !abi_same_dimensions(a, b));
}

/* Did an unnamed record change between struct and union, or change its dimensions? */
static bool is_frame_changed(const struct diff_member *before, const struct diff_member *after)
{
	return before->type.record->is_union != after->type.record->is_union ||
	       is_reshaped(&before->type, &after->type);
}

/* Sets @classes to those of a change of type or size, but not of offset or path; 0 without such a change. */
static int type_classes(unsigned *classes, const struct compare *compare, const struct diff_field *field,
			const struct diff_member *before, const struct diff_member *after, struct err *err)
{
	const struct diff_typed base = { compare->pair->base_side, &before->type, before->side.type };
	const struct diff_typed next = { compare->pair->next_side, &after->type, after->side.type };

	*classes = 0;
	if (!field->resized && !field->retyped)
		return 0;
	if (before->is_group && after->is_group)
		*classes = field->resized || is_frame_changed(before, after) ? DIFF_LAYOUT : DIFF_NAME;
	else if (before->type.record && after->type.record)
		return record_type_classes(classes, compare, before, after, err);
	else if (field->resized)
		*classes = DIFF_LAYOUT;
	else
		return diff_type_classes(classes, &base, &next, err);
	return 0;
}

/* Did the type (perhaps only through an alias) or the role change? The content of a record does not count. */
static bool is_retyped(const struct diff_member *before, const struct diff_member *after)
{
	if (before->is_group && after->is_group)
		return is_frame_changed(before, after) ||
		       (!(strstr(before->side.type, "::") && strstr(after->side.type, "::")) &&
			!diff_same_spelling(before->side.type, after->side.type));
	return !diff_same_spelling(before->side.type, after->side.type) ||
	       is_reshaped(&before->type, &after->type) ||
	       (!(before->type.record && after->type.record) &&
		!diff_same_element(&before->type, &after->type)) ||
	       before->side.role != after->side.role || before->side.is_bitfield != after->side.is_bitfield;
}

/* Adds to compare->fields a field that both versions have, if it changed, with its changes and classes. */
static int add_common_field(struct compare *compare, const struct diff_member *before,
			    const struct diff_member *after, struct err *err)
{
	const struct diff_field_side *was = &before->side, *is = &after->side;
	bool repeats = before->type.dimension_count || after->type.dimension_count;
	struct diff_field seen = {
		.moved = was->offset_bits != is->offset_bits,
		.resized = was->size_bits != is->size_bits || before->type.count != after->type.count,
		.renamed = before->renamed,
		.retyped = is_retyped(before, after),
	};
	struct diff_acted acted_before, acted_after;
	unsigned classes;
	int rc;

	/*
	 * A change of an unnamed record is reported with its members, unless the field is an array whose size
	 * changed, or the type of the field changed.
	 */
	if (before->is_group && after->is_group && !seen.retyped && !(repeats && seen.resized))
		return 0;
	if (!seen.moved && !seen.resized && !seen.renamed && !seen.retyped)
		return 0;
	seen.op = seen.moved     ? DIFF_OP_MOVED
		  : seen.resized ? DIFF_OP_RESIZED
		  : seen.retyped ? DIFF_OP_RETYPED
				 : DIFF_OP_RENAMED;
	if ((rc = type_classes(&classes, compare, &seen, before, after, err)) ||
	    (rc = acted_of(&acted_before, before, compare->pair->base_side, err)) ||
	    (rc = acted_of(&acted_after, after, compare->pair->next_side, err)))
		return rc;
	/* Within bits that were free in base, padding that reaches further is growth, or else no change. */
	if (before->is_padding && after->is_padding && !before->type.record) {
		if (!is_free_range(compare, is->offset_bits, end_of(after)))
			classes = DIFF_LAYOUT;
		else if (is->offset_bits < was->offset_bits || end_of(after) > end_of(before))
			classes = DIFF_GROWTH;
		else
			classes = 0;
	} else if (seen.moved) {
		classes |= DIFF_LAYOUT;
	}
	if (seen.renamed)
		classes |= DIFF_NAME;
	if (!diff_acted_equal(&acted_before, &acted_after))
		classes |= DIFF_TRANSLATION;
	else if (was->role != is->role && diff_acted_on(was->role, before->type.scalar) == ABI_ROLE_NONE)
		classes |= DIFF_LAYOUT;
	if ((classes & DIFF_TRANSLATION) && !seen.renamed)
		classes &= ~(unsigned)DIFF_NAME;
	seen.classes = classes;
	seen.before = arena_memdup(compare->arena, was, sizeof(*was));
	seen.after = arena_memdup(compare->arena, is, sizeof(*is));
	compare->fields[compare->field_count++] = seen;
	return 0;
}

/* --- the record ----------------------------------------------------------------------------------- */

static const struct diff_field_side *shown_side(const struct diff_field *field)
{
	return field->after ? field->after : field->before;
}

/* Orders fields for a report: by offset, then removed fields first, then records before their members. */
static int compare_fields(const void *a, const void *b)
{
	const struct diff_field *x = a, *y = b;
	const struct diff_field_side *p = shown_side(x), *q = shown_side(y);

	return compare_numbers(p->offset_bits, q->offset_bits) ?: !y->after - !x->after
		?: compare_numbers(q->size_bits, p->size_bits) ?: strcmp(p->path, q->path);
}

/* Returns the classes of the changed fields and of the record as a whole (see the top of this file). */
static unsigned record_classes(const struct compare *compare)
{
	const struct abi_record *base = compare->pair->base, *next = compare->pair->next;
	unsigned classes = 0;

	for (size_t i = 0; i < compare->field_count; i++)
		classes |= compare->fields[i].classes;
	if (base->is_union != next->is_union || next->size_bytes < base->size_bytes)
		classes |= DIFF_LAYOUT;
	if (!classes && next->size_bytes > base->size_bytes)
		classes |= DIFF_GROWTH;
	if (!classes && base->align_bytes != next->align_bytes)
		classes |= DIFF_LAYOUT;
	if (!classes && compare->field_count)
		classes |= DIFF_NAME;
	return classes;
}

int diff_compare_records(struct diff_change *change, const struct diff_record_pair *pair, struct arena *arena,
			 struct err *err)
{
	struct compare compare = { .pair = pair, .arena = arena, .base = { .side = pair->base_side },
				   .next = { .side = pair->next_side } };
	const struct abi_layout *validated;
	int rc;

	if ((rc = diff_side_layout(&compare.base_layout, pair->base_side, pair->base, err)) ||
	    (rc = diff_side_layout(&validated, pair->next_side, pair->next, err)) ||
	    (rc = diff_members_match(&compare.base, pair->base, &compare.next, pair->next, err)))
		goto out;
	list_free_bits(&compare);
	compare.fields = arena_array(arena, compare.base.count + compare.next.count, sizeof(*compare.fields));
	for (size_t j = 0; !rc && j < compare.next.count; j++) {
		const struct diff_member *member = &compare.next.member[j];

		rc = member->partner == DIFF_NO_PARTNER
			     ? add_lone_field(&compare, member, true, err)
			     : add_common_field(&compare, &compare.base.member[member->partner], member, err);
	}
	for (size_t i = 0; !rc && i < compare.base.count; i++)
		if (compare.base.member[i].partner == DIFF_NO_PARTNER)
			rc = add_lone_field(&compare, &compare.base.member[i], false, err);
	if (rc)
		goto out;
	sort_items(compare.fields, compare.field_count, sizeof(*compare.fields), compare_fields);
	change->fields = compare.fields;
	change->field_count = compare.field_count;
	change->classes |= record_classes(&compare);
out:
	diff_members_release(&compare.base);
	diff_members_release(&compare.next);
	free(compare.free);
	return rc;
}
