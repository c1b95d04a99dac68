/*
 * flatten/flatten.c - lists the scalars and holes of a record
 *
 * A scalar, or an array of scalars, becomes one struct abi_scalar. A nested record is walked in place. An
 * array of records is walked only for its first element, and each scalar in it gets the dimensions of the
 * array as repeats.
 *
 * A document can be written by hand, so it is not trusted: every field must be inside its record, and be as
 * large as its type. This also ensures that no sum of offsets exceeds 64 bits.
 */
#include "flatten/flatten.h"

/*
 * Flattening has two steps, which share the state below. walk_record() collects the scalars of a record, and
 * the bits that they cover. flatten_find_holes() then finds the bits that no scalar covers.
 */

/*
 * A range of bits that scalars cover: the bits of one scalar, or of the second and all later elements of an
 * array of records.
 */
struct flatten_extent {
	uint64_t offset_bits;
	uint64_t size_bits;
	const char *path; /* path of the scalar, or of the last scalar of the array */
};

/* An array of records that is not in a union. All its elements have the same holes as the first element. */
struct flatten_array {
	uint64_t offset_bits;
	uint64_t element_bits;
	const struct abi_repeat *repeat; /* the repeats of the array's elements, outermost first */
	size_t repeat_count;
};

struct flatten_cover {
	struct flatten_extent *extents;
	size_t extent_count, extent_capacity;
	struct flatten_array *arrays;
	size_t array_count, array_capacity;
};

/*
 * --- the bits of a record that no scalar covers ---
 *
 * 1. Go through the extents in the order of their offsets; the bits between them are holes. Unions need no
 *    special handling: a bit is covered if at least one alternative covers it.
 * 2. In an array inside a union, each element has separate extents, because a different alternative can cover
 *    bits of only some elements. So the same hole is found in many elements: join holes that have the same
 *    size, follow the same scalar and are at equal distances into one hole that repeats.
 * 3. If a hole is in the first element of any other array, it repeats in all elements.
 */

/* Orders extents by offset for find_uncovered(), which looks for bits between them. */
static int compare_extents(const void *a, const void *b)
{
	const struct flatten_extent *x = a, *y = b;

	return compare_numbers(x->offset_bits, y->offset_bits) ?: compare_numbers(x->size_bits, y->size_bits);
}

/*
 * Sets @holes to the ranges of bits of a record that no extent covers. It has room for one more than there
 * are extents, which are sorted by offset. Return: the number of holes.
 */
static size_t find_uncovered(struct abi_hole *holes, const struct flatten_cover *cover, uint64_t size_bits)
{
	const char *after = "";
	uint64_t covered = 0;
	size_t found = 0;

	for (size_t i = 0; i < cover->extent_count; i++) {
		const struct flatten_extent *extent = &cover->extents[i];

		if (!extent->size_bits)
			continue;
		if (extent->offset_bits > covered)
			holes[found++] = (struct abi_hole){ .offset_bits = covered,
							    .size_bits = extent->offset_bits - covered,
							    .after = after };
		if (extent->offset_bits + extent->size_bits > covered) {
			covered = extent->offset_bits + extent->size_bits;
			after = extent->path;
		}
	}
	if (covered < size_bits)
		holes[found++] = (struct abi_hole){ .offset_bits = covered,
						    .size_bits = size_bits - covered,
						    .after = after,
						    .is_tail = true };
	return found;
}

/* Returns true if two holes differ only in their offsets, so that join_runs() can join them. */
static bool are_alike(const struct abi_hole *a, const struct abi_hole *b)
{
	return a->size_bits == b->size_bits && a->is_tail == b->is_tail && !strcmp(a->after, b->after) &&
	       a->repeat_count == b->repeat_count &&
	       !memcmp(a->repeat, b->repeat, a->repeat_count * sizeof(*a->repeat));
}

/*
 * Joins each run of holes into one hole that repeats. The holes of a run are alike and at equal distances.
 * Another call can join the results, as for an array of arrays. Return: the number of holes afterwards.
 */
static size_t join_runs(struct abi_hole *holes, size_t count)
{
	size_t joined = 0;

	for (size_t i = 0, length; i < count; i += length) {
		struct abi_hole hole = holes[i];

		length = 1;
		while (hole.repeat_count < ABI_REPEATS_MAX && i + length < count &&
		       are_alike(&hole, &holes[i + length]) &&
		       holes[i + length].offset_bits - holes[i + length - 1].offset_bits ==
			       holes[i + 1].offset_bits - hole.offset_bits)
			length++;
		if (length > 1) {
			memmove(hole.repeat + 1, hole.repeat, hole.repeat_count++ * sizeof(*hole.repeat));
			hole.repeat[0] =
				(struct abi_repeat){ length, holes[i + 1].offset_bits - hole.offset_bits };
		}
		holes[joined++] = hole;
	}
	return joined;
}

/* Orders arrays by offset for repeat_holes(). An outer array comes before inner arrays: it repeats less. */
static int compare_arrays(const void *a, const void *b)
{
	const struct flatten_array *x = a, *y = b;

	return compare_numbers(x->offset_bits, y->offset_bits)
		?: compare_numbers(x->repeat_count, y->repeat_count);
}

/*
 * Adds the repeats of arrays to the holes inside their first elements. A hole that would have more than
 * ABI_REPEATS_MAX repeats is unchanged. Arrays and holes are sorted by offset. `open` has the nested arrays
 * around the current hole, outermost first.
 */
static void repeat_holes(struct abi_hole *holes, size_t count, const struct flatten_cover *cover)
{
	const struct flatten_array *open[ABI_REPEATS_MAX];
	size_t depth = 0, next = 0;

	for (size_t i = 0; i < count; i++) {
		struct abi_hole *hole = &holes[i];
		uint64_t from = hole->offset_bits, to = from + hole->size_bits;
		size_t outer;

		for (; next < cover->array_count && cover->arrays[next].offset_bits <= from; next++) {
			const struct flatten_array *array = &cover->arrays[next];

			while (depth && array->offset_bits >=
						open[depth - 1]->offset_bits + open[depth - 1]->element_bits)
				depth--;
			if (depth < ABI_REPEATS_MAX)
				open[depth++] = array;
		}
		while (depth && to > open[depth - 1]->offset_bits + open[depth - 1]->element_bits)
			depth--;
		outer = depth ? open[depth - 1]->repeat_count : 0;
		if (!outer || outer + hole->repeat_count > ABI_REPEATS_MAX)
			continue;
		memmove(hole->repeat + outer, hole->repeat, hole->repeat_count * sizeof(*hole->repeat));
		memcpy(hole->repeat, open[depth - 1]->repeat, outer * sizeof(*hole->repeat));
		hole->repeat_count += outer;
	}
}

/* flatten_find_holes - set the holes of @layout, whose size is set. Sorts extents and arrays of @cover. */
static void flatten_find_holes(struct abi_layout *layout, struct flatten_cover *cover, struct arena *arena)
{
	struct abi_hole *holes = xmalloc((cover->extent_count + 1) * sizeof(*holes));
	size_t count, joined;

	sort_items(cover->extents, cover->extent_count, sizeof(*cover->extents), compare_extents);
	sort_items(cover->arrays, cover->array_count, sizeof(*cover->arrays), compare_arrays);
	joined = count = find_uncovered(holes, cover, layout->size_bytes * 8);
	do {
		count = joined;
		joined = join_runs(holes, count);
	} while (joined < count);
	repeat_holes(holes, count, cover);
	layout->hole = arena_memdup(arena, holes, count * sizeof(*holes));
	layout->hole_count = count;
	free(holes);
}

void flatten_select(struct abi_layout *out, const struct abi_layout *layout, unsigned roles,
		    struct arena *arena)
{
	struct abi_scalar *scalars = arena_array(arena, layout->scalar_count + 1, sizeof(*scalars));
	size_t count = 0;

	for (size_t i = 0; i < layout->scalar_count; i++)
		if (roles & 1u << layout->scalar[i].role)
			scalars[count++] = layout->scalar[i];
	*out = *layout;
	out->scalar = scalars;
	out->scalar_count = count;
	out->hole = NULL;
	out->hole_count = 0;
}

/*
 * Limits on the time that a document written by hand can take. No driver's records have so many fields or
 * levels.
 */
enum { DEPTH_MAX = 64, MEMBERS_MAX = 1 << 18 };

/*
 * If an array inside a union would have more extents than this, only the holes in its first element are
 * found.
 */
enum { EXTENTS_MAX = 1 << 20 };

static const uint64_t SIZE_MAX_BYTES = (uint64_t)1 << 40; /* DEPTH_MAX times this size, in bits, is less than
							     2^63 */

/* A record that is currently walked. */
struct flatten_frame {
	const struct flatten_frame *outer;
	const struct abi_record *record;
	const char *path;        /* path of the field that is this record; "" for the outermost record. An
				    unnamed field adds nothing to the path of its parent */
	uint64_t offset_bits;    /* offset of the record from the start of the outermost record */
	const char *union_path;  /* as in struct abi_scalar */
	size_t alternative;
	struct abi_repeat repeat[ABI_REPEATS_MAX];
	size_t repeat_count;
	bool is_in_empty_array;  /* the record is in an array with no elements, so its scalars do not cover
				    any bits */
	size_t depth;
};

struct flatten_walk {
	const struct abi *abi;
	struct arena *arena;
	struct abi_scalar *scalars;
	size_t scalar_count, scalar_capacity;
	struct flatten_cover cover;
	size_t members; /* number of fields visited so far */
	struct abi_known_types known;
};

/* Returns "outer.name[][]", with one pair of brackets for each of @brackets. */
static const char *join_path(struct arena *arena, const char *outer, const char *name, size_t brackets)
{
	size_t outer_length = strlen(outer), name_length = strlen(name);
	bool dot = outer_length && name_length;
	char *path, *end;

	if (!name_length && !brackets)
		return outer;
	if (!outer_length && !brackets)
		return name;
	path = end = arena_alloc(arena, outer_length + dot + name_length + 2 * brackets + 1);
	memcpy(end, outer, outer_length);
	end += outer_length;
	if (dot)
		*end++ = '.';
	memcpy(end, name, name_length);
	end += name_length;
	for (size_t i = 0; i < brackets; i++) {
		*end++ = '[';
		*end++ = ']';
	}
	return path;
}

static void add_extent(struct flatten_walk *walk, uint64_t offset_bits, uint64_t size_bits, const char *path)
{
	struct flatten_cover *cover = &walk->cover;

	ARRAY_GROW(cover->extents, cover->extent_count, cover->extent_capacity);
	cover->extents[cover->extent_count++] = (struct flatten_extent){ offset_bits, size_bits, path };
}

/* Adds the scalar for a field whose type is not a record, and its extent unless the frame is_beyond. */
static void add_scalar(struct flatten_walk *walk, const struct flatten_frame *frame,
		       const struct abi_field *field,
		     const struct abi_type *type)
{
	struct abi_scalar *scalar;

	ARRAY_GROW(walk->scalars, walk->scalar_count, walk->scalar_capacity);
	scalar = &walk->scalars[walk->scalar_count++];
	memset(scalar, 0, sizeof(*scalar));
	scalar->path = join_path(walk->arena, frame->path, field->name, 0);
	scalar->type = field->type;
	scalar->offset_bits = frame->offset_bits + field->offset_bits;
	scalar->size_bits = field->size_bits;
	scalar->kind = type->scalar;
	scalar->element_bits = field->is_bitfield ? field->size_bits : type->element_bytes * 8;
	scalar->count = type->count;
	scalar->dimension = type->dimension_count
				  ? arena_memdup(walk->arena, type->dimension,
						 type->dimension_count * sizeof(*type->dimension))
				  : NULL;
	scalar->dimension_count = type->dimension_count;
	scalar->c_name = type->c_name ? arena_strndup(walk->arena, type->c_name, type->c_length) : NULL;
	scalar->is_bitfield = field->is_bitfield;
	scalar->flexible = type->flexible;
	scalar->role = field->role;
	memcpy(scalar->repeat, frame->repeat, frame->repeat_count * sizeof(*scalar->repeat));
	scalar->repeat_count = frame->repeat_count;
	scalar->union_path = frame->union_path;
	scalar->alternative = frame->alternative;
	if (!frame->is_in_empty_array)
		add_extent(walk, scalar->offset_bits, scalar->size_bits, scalar->path);
}

/*
 * Adds the dimensions of an array of records to the repeats of @inner. Return: 0; ERR_LIMIT if there are more
 * than ABI_REPEATS_MAX, or if the size of the array in bits does not fit in 64 bits.
 */
static int push_repeats(struct flatten_frame *inner, const struct abi_type *type,
			const struct abi_field *field, struct err *err)
{
	uint64_t stride_bits = type->element_bytes * 8;

	if (inner->repeat_count + type->dimension_count > ABI_REPEATS_MAX)
		return err_set(err, ERR_LIMIT, "%s.%s is inside more than %d array dimensions",
			       inner->outer->record->name, field->name, ABI_REPEATS_MAX);
	for (size_t i = type->dimension_count; i-- > 0;) {
		struct abi_repeat *repeat = &inner->repeat[inner->repeat_count + i];

		repeat->count = type->dimension[i];
		repeat->stride_bits = stride_bits;
		if (__builtin_mul_overflow(stride_bits, type->dimension[i], &stride_bits))
			return err_set(err, ERR_LIMIT, "%s.%s has more elements than 64 bits can address",
				       inner->outer->record->name, field->name);
	}
	inner->repeat_count += type->dimension_count;
	return 0;
}

/*
 * Adds extents for the second and all later elements of an array of records: in a union, those of each
 * scalar, unless they are too many, or else one extent for all bits. An array that is not in a union is also
 * added to cover->arrays, so that repeat_holes() repeats the holes of its first element.
 * @first: index of the first extent of the first element
 */
static void cover_elements(struct flatten_walk *walk, const struct flatten_frame *inner, uint64_t count,
			   uint64_t element_bits, size_t first)
{
	struct flatten_cover *cover = &walk->cover;
	const size_t end = cover->extent_count, extents = end - first;
	const char *last = walk->scalar_count ? walk->scalars[walk->scalar_count - 1].path : inner->path;

	if (inner->union_path && extents && count <= EXTENTS_MAX / extents) {
		for (uint64_t i = 1; i < count; i++)
			for (size_t k = first; k < end; k++)
				add_extent(walk, cover->extents[k].offset_bits + i * element_bits,
					   cover->extents[k].size_bits, cover->extents[k].path);
	} else {
		add_extent(walk, inner->offset_bits + element_bits, (count - 1) * element_bits, last);
	}
	if (inner->union_path)
		return;
	ARRAY_GROW(cover->arrays, cover->array_count, cover->array_capacity);
	cover->arrays[cover->array_count++] = (struct flatten_array){
		.offset_bits = inner->offset_bits,
		.element_bits = element_bits,
		.repeat_count = inner->repeat_count,
		.repeat = arena_memdup(walk->arena, inner->repeat,
				       inner->repeat_count * sizeof(*inner->repeat)),
	};
}

/* Checks that the field is inside the record, and that its type can have its size. Return: 0; ERR_LAYOUT. */
static int check_member_bounds(const struct abi_record *record, const struct abi_field *field,
			       const struct abi_type *type, struct err *err)
{
	uint64_t record_bits = record->size_bytes * 8, type_bits;

	if (field->offset_bits > record_bits || field->size_bits > record_bits - field->offset_bits)
		return err_set(err, ERR_LAYOUT, "%s.%s ends after its record, which has %" PRIu64 " bytes",
			       record->name, field->name, record->size_bytes);
	if (!type->record && !type->element_bytes)
		return err_set(err, ERR_LAYOUT, "%s.%s has the type %s, which has no size", record->name,
			       field->name, field->type);
	if (__builtin_mul_overflow(type->element_bytes * 8, type->count, &type_bits))
		return err_set(err, ERR_LAYOUT, "%s.%s has a size that does not fit in 64 bits", record->name,
			       field->name);
	if (field->is_bitfield && (type->record || type->dimension_count))
		return err_set(err, ERR_LAYOUT,
			       "%s.%s is a bit-field of the type %s, which is not an integer", record->name,
			       field->name, field->type);
	if (field->is_bitfield ? field->size_bits > type_bits : field->size_bits != type_bits)
		return err_set(err, ERR_LAYOUT, "%s.%s has %" PRIu64 " bits, but its type %s has %" PRIu64,
			       record->name, field->name, field->size_bits, field->type, type_bits);
	return 0;
}

static int walk_member_record(struct flatten_walk *walk, const struct flatten_frame *outer,
			      const struct abi_field *field, const struct abi_type *type, struct err *err);

/* Adds the scalars of a field, but none for an unnamed bit-field. Return: as flatten_record(). */
static int walk_member(struct flatten_walk *walk, const struct flatten_frame *frame,
		       const struct abi_field *field, struct err *err)
{
	const struct abi_type *type;
	int rc;

	if (++walk->members > MEMBERS_MAX)
		return err_set(err, ERR_LIMIT, "%s has more than %d members, including those of nested "
					       "records",
			       frame->record->name, MEMBERS_MAX);
	if (field->is_bitfield && !*field->name)
		return 0; /* in C, an unnamed bit-field is padding */
	if ((rc = abi_resolve_known(&type, &walk->known, walk->abi, field->type, err))) {
		err_prefix(err, "%s.%s", frame->record->name, field->name);
		return rc;
	}
	if (type->element_bytes > SIZE_MAX_BYTES)
		return err_set(err, ERR_LIMIT,
			       "%s.%s has the type %s of %" PRIu64 " bytes, which is too large",
			       frame->record->name, field->name, field->type, type->element_bytes);
	if ((rc = check_member_bounds(frame->record, field, type, err)))
		return rc;
	if (type->record)
		return walk_member_record(walk, frame, field, type, err);
	add_scalar(walk, frame, field, type);
	return 0;
}

/* Adds the scalars of the fields of a record. Fails if it contains itself, or is too deep or too large. */
static int walk_record(struct flatten_walk *walk, const struct flatten_frame *frame, struct err *err)
{
	const struct abi_record *record = frame->record;
	struct flatten_frame here = *frame;
	int rc;

	for (const struct flatten_frame *outer = frame->outer; outer; outer = outer->outer)
		if (outer->record == record)
			return err_set(err, ERR_LIMIT, "record %s contains itself, as member %s",
				       record->name, frame->path);
	if (frame->depth > DEPTH_MAX)
		return err_set(err, ERR_LIMIT, "record %s is nested deeper than %d records", record->name,
			       DEPTH_MAX);
	if (record->size_bytes > SIZE_MAX_BYTES)
		return err_set(err, ERR_LIMIT, "record %s has %" PRIu64 " bytes, which is too large",
			       record->name, record->size_bytes);
	if (record->is_union)
		here.union_path = frame->path;
	for (size_t i = 0; i < record->field_count; i++) {
		if (record->is_union)
			here.alternative = i;
		if ((rc = walk_member(walk, &here, &record->fields[i], err)))
			return rc;
	}
	return 0;
}

/* Adds the scalars of a field that is a record, or those of the first element of an array of records. */
static int walk_member_record(struct flatten_walk *walk, const struct flatten_frame *outer,
			      const struct abi_field *field, const struct abi_type *type, struct err *err)
{
	struct flatten_frame inner = *outer;
	const uint64_t count = type->count,
		       element_bits =
			       type->element_bytes * 8; /* a copy, because @type becomes invalid when another
							   type is resolved */
	size_t first = walk->cover.extent_count;
	int rc;

	inner.outer = outer;
	inner.record = type->record;
	inner.path = join_path(walk->arena, outer->path, field->name, type->dimension_count);
	inner.offset_bits = outer->offset_bits + field->offset_bits;
	inner.is_in_empty_array = outer->is_in_empty_array || !type->count;
	inner.depth = outer->depth + 1;
	if ((rc = push_repeats(&inner, type, field, err)) || (rc = walk_record(walk, &inner, err)))
		return rc;
	if (!inner.is_in_empty_array && count > 1)
		cover_elements(walk, &inner, count, element_bits, first);
	return 0;
}

/*
 * Sorts by offset. Scalars with the same offset stay in the order of declaration, which is the order of their
 * addresses.
 */
static int compare_scalars(const void *a, const void *b)
{
	const struct abi_scalar *x = *(const struct abi_scalar *const *)a,
			      *y = *(const struct abi_scalar *const *)b;

	return compare_numbers(x->offset_bits, y->offset_bits)
		?: compare_numbers((uintptr_t)x, (uintptr_t)y);
}

/*
 * Returns the scalars sorted by offset, in the walk's arena. Without a union, they are in that order already.
 */
static const struct abi_scalar *sorted_scalars(const struct flatten_walk *walk)
{
	size_t count = walk->scalar_count, ordered = 1;
	const struct abi_scalar **order;
	struct abi_scalar *scalars;

	while (ordered < count &&
	       walk->scalars[ordered - 1].offset_bits <= walk->scalars[ordered].offset_bits)
		ordered++;
	if (ordered >= count)
		return arena_memdup(walk->arena, walk->scalars, count * sizeof(*scalars));
	order = xmalloc(count * sizeof(*order));
	for (size_t i = 0; i < count; i++)
		order[i] = &walk->scalars[i];
	sort_items(order, count, sizeof(*order), compare_scalars);
	scalars = arena_array(walk->arena, count, sizeof(*scalars));
	for (size_t i = 0; i < count; i++)
		scalars[i] = *order[i];
	free(order);
	return scalars;
}

int flatten_record(struct abi_layout *out, const struct abi *abi, const char *name, struct arena *arena,
		   struct err *err)
{
	const struct abi_record *record = abi_find_record(abi, name);
	struct flatten_frame frame = { .record = record, .path = "" };
	struct flatten_walk walk = { .abi = abi, .arena = arena };
	struct abi_layout layout = { 0 };
	int rc;

	if (!record)
		return err_set(err, ERR_NOT_FOUND, "there is no record %s in %s", name,
			       abi->version ? abi->version : "the document");
	if ((rc = walk_record(&walk, &frame, err)))
		goto out;
	layout.record = record->name;
	layout.source = record->source;
	layout.size_bytes = record->size_bytes;
	layout.align_bytes = record->align_bytes;
	layout.is_union = record->is_union;
	layout.scalar = sorted_scalars(&walk);
	layout.scalar_count = walk.scalar_count;
	flatten_find_holes(&layout, &walk.cover, arena);
	*out = layout;
out:
	free(walk.scalars);
	free(walk.cover.extents);
	free(walk.cover.arrays);
	return rc;
}
