/*
 * How a record of the driver is met by a type of the proxy
 *
 * 1. The record is walked down to its scalars, with arrays of records written
 *    out. Each scalar must have a leaf of the proxy that starts where it
 *    starts, with the same kind, width, sign and dimensions (meet.c). Fields
 *    that the driver calls reserved are fields too.
 * 2. A scalar that nothing starts at is one of three faults: a leaf of the
 *    same name stands elsewhere (field-offset), the proxy's padding lies over
 *    it (padding-overlap), or nothing does (field-missing). A bit-field is met
 *    by any leaf that covers its bits.
 * 3. Unions have a file of their own, match_union.c.
 * 4. Then the same from the other side: a leaf of the proxy that is no padding
 *    and lies where the driver declares nothing is field-missing too; two
 *    leaves that bear one another's names were exchanged (field-offset); and a
 *    bool is no type for bytes that an application can choose (field-type).
 */
#include "verify/match_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 64 };

static struct verify_side leaf_side(const struct proxy_leaf *leaf)
{
	return (struct verify_side){ .present = true, .offset_bytes = leaf->offset_bytes, .size_bytes = proxy_leaf_bytes(leaf),
				     .type = leaf->type };
}

static struct verify_finding finding_at(const struct match *match, enum verify_rule rule, const struct match_position *position,
					const struct abi_field *field, const struct proxy_leaf *leaf)
{
	struct verify_finding finding = *match->subject->about;

	finding.rule = rule;
	finding.path = position->path;
	finding.driver = (struct verify_side){ .present = true, .offset_bytes = position->offset_bits / 8,
					       .size_bytes = (field->size_bits + 7) / 8, .type = field->type };
	if (leaf)
		finding.proxy = leaf_side(leaf);
	return finding;
}

/* The leaf that is called as a driver's field, and meets no other; NULL if there is none. */
static const struct proxy_leaf *leaf_of_name(const struct match *match, const char *path)
{
	const struct proxy_layout *proxy = match->subject->proxy;

	for (size_t i = 0; i < proxy->leaf_count; i++)
		if (!match->met[i] && !proxy->leaves[i].is_padding && meet_same_path(path, proxy->leaves[i].path))
			return &proxy->leaves[i];
	return NULL;
}

static void add_overlap(struct finding_list *list, const struct match *match, const struct match_position *position,
			const struct abi_field *field, const struct proxy_leaf *leaf)
{
	finding_add(list, finding_at(match, VERIFY_PADDING_OVERLAP, position, field, leaf),
		    "%s (%s at %" PRIu64 ") overlaps the proxy's padding %s", match_name(match, position->path), field->type,
		    position->offset_bits / 8, leaf->path);
}

/* Nothing of the proxy starts where @field does. */
static void match_absent(struct finding_list *list, const struct match *match, const struct match_position *position,
			 const struct abi_field *field)
{
	uint64_t offset_bytes = position->offset_bits / 8, end_bytes = (position->offset_bits + field->size_bits + 7) / 8;
	const struct proxy_leaf *over = proxy_leaf_over(match->subject->proxy, offset_bytes, end_bytes - offset_bytes);
	const struct proxy_leaf *elsewhere = leaf_of_name(match, position->path);
	const char *name = match_name(match, position->path);

	if (elsewhere && elsewhere->offset_bytes != offset_bytes)
		finding_add(list, finding_at(match, VERIFY_FIELD_OFFSET, position, field, elsewhere),
			    "%s is at %" PRIu64 " in the driver, at %" PRIu64 " in the proxy", name, offset_bytes,
			    elsewhere->offset_bytes);
	else if (over && over->is_padding)
		add_overlap(list, match, position, field, over);
	else
		finding_add(list, finding_at(match, VERIFY_FIELD_MISSING, position, field, over),
			    "%s (%s at %" PRIu64 ") has no field in the proxy%s%s", name, field->type, offset_bytes,
			    over ? ", which has there: " : "", over ? over->path : "");
}

static void match_bits(struct finding_list *list, const struct match *match, const struct match_position *position,
		       const struct abi_field *field)
{
	uint64_t from = position->offset_bits / 8, to = (position->offset_bits + field->size_bits + 7) / 8;
	const struct proxy_leaf *leaf = proxy_leaf_over(match->subject->proxy, from, to - from);

	if (!leaf || leaf->offset_bytes > from || leaf->offset_bytes + proxy_leaf_bytes(leaf) < to)
		match_absent(list, match, position, field);
	else if (leaf->is_padding && !padding_of_driver(position->path))
		add_overlap(list, match, position, field, leaf);
	else if (leaf->role != ABI_ROLE_NONE)
		finding_add(list, finding_at(match, VERIFY_FIELD_TYPE, position, field, leaf),
			    "%s is %s:%" PRIu64 " in the driver, %s in the proxy: the proxy treats it as a %s", match_name(match, position->path),
			    field->type, field->size_bits, leaf->type, abi_role_name(leaf->role));
}

static void match_leaf(struct finding_list *list, const struct match *match, const struct match_position *position,
		       const struct abi_field *field, const struct abi_type *type)
{
	const struct proxy_layout *proxy = match->subject->proxy;
	const struct proxy_leaf *leaf = proxy_leaf_at(proxy, position->offset_bits / 8);
	bool driver_pads = padding_of_driver(position->path);
	const char *fault;

	if (!type->count && !type->flexible)
		return; /* T[0] takes no bytes */
	fault = leaf ? meet_fault(match->subject->driver, field, type, leaf) : NULL;
	if (leaf && !fault && !meet_same_indices(position->path, leaf->path))
		fault = "in arrays of another shape";
	if (!leaf || (fault && leaf->is_padding && !driver_pads)) {
		match_absent(list, match, position, field);
		return;
	}
	if (fault)
		finding_add(list, finding_at(match, VERIFY_FIELD_TYPE, position, field, leaf), "%s is %s in the driver, %s in the proxy: %s",
			    match_name(match, position->path), *position->path ? field->type : "an alias", leaf->type, fault);
	else if (leaf->is_padding && !driver_pads)
		add_overlap(list, match, position, field, leaf);
	if (!match->unions && !fault)
		match->met[leaf - proxy->leaves] = position->path;
}

static int match_members(struct finding_list *list, struct match *match, const struct abi_record *record, const struct match_position *position)
{
	int rc = 0;

	for (size_t i = 0; i < record->field_count && !rc; i++)
		rc = match->field(list, match, &record->fields[i], position);
	return rc;
}

static int match_elements(struct finding_list *list, struct match *match, const struct abi_type *type, const struct match_position *position)
{
	int rc = 0;

	for (uint64_t i = 0; i < type->count && !rc; i++) {
		struct match_position element;

		if (!(rc = match_element(&element, match, type, position, i)))
			rc = match_members(list, match, type->record, &element);
	}
	return rc;
}

static const char *join(struct match *match, const char *path, const char *name)
{
	if (!*path || !*name)
		return *path ? path : name;
	return arena_printf(match->arena, "%s.%s", path, name);
}

static int match_field(struct finding_list *list, struct match *match, const struct abi_field *field, const struct match_position *outer)
{
	struct match_position position = { join(match, outer->path, field->name), outer->offset_bits + field->offset_bits, outer->depth + 1 };
	struct abi_type type;
	int rc;

	if (position.depth > DEPTH_MAX)
		return err_set(match->err, ERR_LIMIT, "%s is nested deeper than %d records", match->subject->about->record, DEPTH_MAX);
	if ((rc = abi_resolve_type(&type, match->subject->driver->abi, field->type, match->err)))
		return rc;
	if (type.record && type.record->is_union)
		return match_unions(list, match, &type, &position);
	if (type.record)
		return match_elements(list, match, &type, &position);
	if (field->is_bitfield && !*field->name)
		return 0; /* C: an unnamed bit-field is padding */
	(*match->leaves)++;
	extent_add(&match->extents, (struct extent){ .path = position.path, .from_bits = position.offset_bits,
						     .to_bits = position.offset_bits + field->size_bits,
						     .is_padding = padding_of_driver(position.path) });
	if (field->is_bitfield)
		match_bits(list, match, &position, field);
	else
		match_leaf(list, match, &position, field, &type);
	return 0;
}

typedef bool same_fn(const char *driver, const char *proxy);

static bool same_parent(const char *a, const char *b)
{
	const char *dot_a = strrchr(a, '.'), *dot_b = strrchr(b, '.');
	size_t length = dot_a ? (size_t)(dot_a - a) : 0;

	return length == (dot_b ? (size_t)(dot_b - b) : 0) && !strncmp(a, b, length);
}

/*
 * The leaf whose name is that of the driver's field at leaves[@at], and which
 * meets another that is not called so; one beside it, if there is one.
 */
static const struct proxy_leaf *exchanged_for(const struct match *match, size_t at, same_fn *same)
{
	const struct proxy_layout *proxy = match->subject->proxy;
	const struct proxy_leaf *found = NULL;

	for (size_t i = 0; i < proxy->leaf_count; i++) {
		const struct proxy_leaf *other = &proxy->leaves[i];

		if (i == at || !match->met[i] || other->is_padding || !same(match->met[at], other->path) ||
		    same(match->met[i], other->path))
			continue;
		if (same_parent(other->path, proxy->leaves[at].path))
			return other;
		if (!found)
			found = other;
	}
	return found;
}

/* Is it in the first element of every array of records that it is in? The others are like it. */
static bool is_first_element(const char *path)
{
	for (const char *open = strchr(path, '['); open; open = strchr(open + 1, '['))
		if (open[1] != '0')
			return false;
	return true;
}

/*
 * Fields that bear one another's names: the member that a leaf is in, or the
 * leaf itself. Only the first leaf of a member is looked at for the former.
 */
static void match_exchanged(struct finding_list *list, const struct match *match)
{
	const struct proxy_layout *proxy = match->subject->proxy;

	for (size_t i = 0; i < proxy->leaf_count; i++) {
		const struct proxy_leaf *leaf = &proxy->leaves[i], *other = NULL;
		struct verify_finding finding = *match->subject->about;
		bool begins = !i || !meet_same_member(proxy->leaves[i - 1].path, leaf->path);

		if (!match->met[i] || !is_first_element(leaf->path))
			continue;
		if (begins && !meet_same_member(match->met[i], leaf->path))
			other = exchanged_for(match, i, meet_same_member);
		if (!other && !meet_same_name(match->met[i], leaf->path))
			other = exchanged_for(match, i, meet_same_name);
		if (!other)
			continue;
		finding.rule = VERIFY_FIELD_OFFSET;
		finding.path = match->met[i];
		finding.driver = leaf_side(leaf); /* it is met, so it is as large */
		finding.proxy = leaf_side(other);
		finding_add(list, finding, "%s is at %" PRIu64 " in the driver; there the proxy has %s, and %s at %" PRIu64,
			    match_name(match, finding.path), leaf->offset_bytes, leaf->path, other->path, other->offset_bytes);
	}
}

/* What the proxy has, and the driver has not. */
static void match_surplus(struct finding_list *list, struct match *match)
{
	const struct proxy_layout *proxy = match->subject->proxy;

	extent_merge(&match->extents);
	for (size_t i = 0; i < proxy->leaf_count; i++) {
		const struct proxy_leaf *leaf = &proxy->leaves[i];
		struct verify_finding finding = *match->subject->about;

		finding.path = leaf->path;
		finding.proxy = leaf_side(leaf);
		if (leaf->is_bool) {
			finding.rule = VERIFY_FIELD_TYPE;
			finding_add(list, finding, "%s (%s) of the proxy is a bool, but the bytes of an ioctl may hold anything", leaf->path,
				    leaf->type);
		}
		if (leaf->is_padding ||
		    extent_touches(&match->extents, leaf->offset_bytes * 8, (leaf->offset_bytes + proxy_leaf_bytes(leaf)) * 8))
			continue;
		finding.rule = VERIFY_FIELD_MISSING;
		finding_add(list, finding, "the proxy has %s (%s at %" PRIu64 ") where the driver has nothing%s", leaf->path, leaf->type,
			    leaf->offset_bytes, leaf->offset_bytes >= match->subject->size_bytes ? " any more" : "");
	}
}

int match_type(struct finding_list *list, const struct match_subject *subject, size_t *leaves, struct err *err)
{
	struct match match = { .subject = subject, .arena = list->arena, .leaves = leaves, .field = match_field, .err = err };
	struct abi_field whole = { .name = "", .type = subject->type, .size_bits = subject->size_bytes * 8 };
	struct match_position start = { "", 0, 0 };
	size_t first = list->count;
	int rc;

	match.met = arena_array(match.arena, subject->proxy->leaf_count + 1, sizeof(*match.met));
	rc = match_field(list, &match, &whole, &start);
	if (!rc) {
		match_exchanged(list, &match);
		match_surplus(list, &match);
		finding_fold(list, first);
	}
	free(match.extents.item);
	return rc;
}
