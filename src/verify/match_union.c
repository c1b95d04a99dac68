/*
 * How a union of the driver is met
 *
 * A proxy's types have no unions. Where the driver has one, the proxy has either:
 *
 * 1. Bytes: one array of unsigned integers over the whole of it (of all
 *    elements, for an array of unions). That meets every union; what the proxy
 *    makes of the bytes cannot be seen in a table, so if a pointer or a file
 *    descriptor may be among them, that is one finding (not-simple), unseen.
 * 2. The fields of one member. The member with the fewest faults is the one
 *    that the proxy reads, and its faults are the union's. What the other
 *    members hold matters still: where one has a pointer, so must the proxy
 *    (the driver will follow it), and every byte that one of them uses must
 *    lie under a field of the proxy that is no padding.
 */
#include "verify/match_internal.h"

#include "flatten/flatten.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NAMED_MAX = 4 };

/* The proxy's bytes over all of [@offset_bytes, @offset_bytes + @size_bytes), or NULL. */
static const struct proxy_leaf *bytes_over(const struct match *match, uint64_t offset_bytes, uint64_t size_bytes)
{
	const struct proxy_leaf *leaf = proxy_leaf_at(match->subject->proxy, offset_bytes);

	if (!leaf || !leaf->dimension_count || leaf->is_signed || leaf->is_bool || leaf->is_padding || leaf->role != ABI_ROLE_NONE)
		return NULL;
	return proxy_leaf_bytes(leaf) == size_bytes ? leaf : NULL;
}

static const char *leaf_path(struct match *match, const struct match_position *position, const struct abi_type *type, const char *path)
{
	return arena_printf(match->arena, "%s%s%s%s", position->path, type->dimension_count ? "[]" : "", *position->path && *path ? "." : "", path);
}

/* One finding for all pointers and descriptors of a union that is bytes to the proxy. */
static int add_hidden(struct finding_list *list, struct match *match, const struct abi_type *type, const struct match_position *position,
		      const struct proxy_leaf *bytes)
{
	struct verify_finding finding = *match->subject->about;
	struct strbuf names = { 0 };
	struct abi_layout layout;
	size_t count = 0;
	int rc;

	if ((rc = flatten_record(&layout, match->subject->driver->abi, type->record->name, match->arena, match->err)))
		return rc;
	for (size_t i = 0; i < layout.leaf_count; i++) {
		const struct abi_leaf *leaf = &layout.leaf[i];

		if (!meet_is_pointer(leaf->kind, leaf->role) && !meet_is_fd(leaf->path, leaf->role))
			continue;
		if (count++ < NAMED_MAX)
			strbuf_addf(&names, "%s%s at %" PRIu64, count > 1 ? ", " : "", leaf_path(match, position, type, leaf->path),
				    (position->offset_bits + leaf->offset_bits) / 8);
	}
	finding.rule = VERIFY_NOT_SIMPLE;
	finding.unseen = true;
	finding.path = position->path;
	finding.driver = (struct verify_side){ .present = true, .offset_bytes = position->offset_bits / 8,
					       .size_bytes = type->element_bytes * type->count, .type = type->record->name };
	finding.proxy = (struct verify_side){ .present = true, .offset_bytes = bytes->offset_bytes,
					      .size_bytes = proxy_leaf_bytes(bytes), .type = bytes->type };
	if (count > NAMED_MAX)
		strbuf_addf(&names, ", and %zu more", count - NAMED_MAX);
	if (count)
		finding_add(list, finding, "%s is a union that may hold a pointer or a file descriptor (%s), the proxy has it as bytes (%s): "
					   "what the proxy does with them cannot be seen here", match_name(match, position->path), names.text, bytes->type);
	strbuf_release(&names);
	return 0;
}

static const struct verify_finding *finding_of(const struct finding_list *list, uint64_t offset_bytes)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->item[i].driver.present && list->item[i].driver.offset_bytes == offset_bytes)
			return &list->item[i];
	return NULL;
}

/* Every pointer of any member, where the proxy has none and nothing has been found yet. */
static int add_unmet_pointers(struct finding_list *list, struct match *match, const struct abi_record *record,
			      const struct match_position *position)
{
	struct abi_layout layout;
	int rc;

	if ((rc = flatten_record(&layout, match->subject->driver->abi, record->name, match->arena, match->err)))
		return rc;
	for (size_t i = 0; i < layout.leaf_count; i++) {
		const struct abi_leaf *leaf = &layout.leaf[i];
		uint64_t offset_bytes = (position->offset_bits + leaf->offset_bits) / 8;
		const struct proxy_leaf *met = proxy_leaf_at(match->subject->proxy, offset_bytes);
		struct verify_finding finding = *match->subject->about;

		if (!meet_is_pointer(leaf->kind, leaf->role) || (met && met->role == ABI_ROLE_POINTER) || finding_of(list, offset_bytes))
			continue;
		finding.rule = VERIFY_FIELD_TYPE;
		finding.path = arena_printf(match->arena, "%s%s%s", position->path, *position->path ? "." : "", leaf->path);
		finding.driver = (struct verify_side){ .present = true, .offset_bytes = offset_bytes, .size_bytes = leaf->size_bits / 8,
						       .type = leaf->type };
		if (met)
			finding.proxy = (struct verify_side){ .present = true, .offset_bytes = offset_bytes,
							      .size_bytes = proxy_leaf_bytes(met), .type = met->type };
		finding_add(list, finding, "%s (%s at %" PRIu64 ") is a pointer in a member of a union of which the proxy reads another",
			    match_name(match, finding.path), leaf->type, offset_bytes);
	}
	return 0;
}

/* The first byte of [@from, @to) that no field of the proxy covers, or only padding does; @to if there is none. */
static uint64_t first_bare_byte(const struct match *match, uint64_t from, uint64_t to, const struct proxy_leaf **padding)
{
	*padding = NULL;
	while (from < to) {
		const struct proxy_leaf *leaf = proxy_leaf_over(match->subject->proxy, from, 1);

		if (!leaf)
			return from;
		if (leaf->is_padding) {
			*padding = leaf;
			return from;
		}
		from = leaf->offset_bytes + proxy_leaf_bytes(leaf);
	}
	return to;
}

/* Bytes that some member uses and the proxy leaves out: the first such member of all. */
static void add_bare(struct finding_list *list, const struct match *match, const struct abi_record *record,
		     const struct match_position *position, size_t first_extent)
{
	for (size_t i = first_extent; i < match->extents.count; i++) {
		const struct extent *extent = &match->extents.item[i];
		uint64_t from = extent->from_bits / 8, to = (extent->to_bits + 7) / 8, bare;
		const struct proxy_leaf *padding;
		struct verify_finding finding = *match->subject->about;

		if (extent->is_padding || (bare = first_bare_byte(match, from, to, &padding)) == to || finding_of(list, from))
			continue;
		finding.rule = padding ? VERIFY_PADDING_OVERLAP : VERIFY_FIELD_MISSING;
		finding.path = extent->path;
		finding.driver = (struct verify_side){ .present = true, .offset_bytes = from, .size_bytes = to - from, .type = record->name };
		if (padding)
			finding.proxy = (struct verify_side){ .present = true, .offset_bytes = padding->offset_bytes,
							      .size_bytes = proxy_leaf_bytes(padding), .type = padding->type };
		finding_add(list, finding, "%s, of the union %s, uses the byte at %" PRIu64 ", which %s", match_name(match, extent->path),
			    match_name(match, position->path), bare, padding ? "is padding to the proxy" : "has no field in the proxy");
		return;
	}
}

/* The member of a union that the proxy reads: the one with the fewest faults. */
static size_t best_member(const struct finding_list *members, size_t count)
{
	size_t best = 0;

	for (size_t i = 1; i < count; i++)
		if (members[i].count < members[best].count)
			best = i;
	return best;
}

static int walk_members(struct finding_list *members, struct match *match, const struct abi_record *record, const struct match_position *position)
{
	int rc = 0;

	match->unions++;
	for (size_t i = 0; i < record->field_count && !rc; i++)
		rc = match->field(&members[i], match, &record->fields[i], position);
	match->unions--;
	return rc;
}

/* Walks the best member again, now as a plain field: its faults are the union's, and what it meets is recorded. Other counts stay. */
static int match_best(struct finding_list *found, struct match *match, const struct abi_field *member, const struct match_position *position)
{
	size_t leaves = *match->leaves, extents = match->extents.count;
	int rc = match->field(found, match, member, position);

	*match->leaves = leaves;
	match->extents.count = extents;
	return rc;
}

static int match_union(struct finding_list *list, struct match *match, const struct abi_record *record, const struct match_position *position)
{
	struct finding_list *members = xmalloc((record->field_count + 1) * sizeof(*members));
	struct finding_list found = { .arena = list->arena };
	size_t first_extent = match->extents.count;
	int rc;

	for (size_t i = 0; i < record->field_count; i++)
		members[i] = (struct finding_list){ .arena = list->arena };
	rc = walk_members(members, match, record, position);
	if (!rc && record->field_count)
		rc = match_best(&found, match, &record->fields[best_member(members, record->field_count)], position);
	if (!rc && !(rc = add_unmet_pointers(&found, match, record, position)))
		add_bare(&found, match, record, position, first_extent);
	for (size_t i = 0; !rc && i < found.count; i++)
		finding_add(list, found.item[i], "%s", found.item[i].message);
	for (size_t i = 0; i < record->field_count; i++)
		free(members[i].item);
	free(found.item);
	free(members);
	return rc;
}

/* The members are walked only for their extents; their faults are dropped. */
static int match_bytes(struct finding_list *list, struct match *match, const struct abi_type *type, const struct match_position *position,
		       const struct proxy_leaf *bytes)
{
	struct finding_list *ignored = xmalloc((type->record->field_count + 1) * sizeof(*ignored));
	int rc;

	for (size_t i = 0; i < type->record->field_count; i++)
		ignored[i] = (struct finding_list){ .arena = list->arena };
	rc = walk_members(ignored, match, type->record, position);
	for (size_t i = 0; i < type->record->field_count; i++)
		free(ignored[i].item);
	free(ignored);
	return rc ? rc : add_hidden(list, match, type, position, bytes);
}

int match_unions(struct finding_list *list, struct match *match, const struct abi_type *type, const struct match_position *position)
{
	const struct proxy_leaf *bytes = bytes_over(match, position->offset_bits / 8, type->element_bytes * type->count);
	int rc = 0;

	if (bytes)
		return match_bytes(list, match, type, position, bytes);
	for (uint64_t i = 0; i < type->count && !rc; i++) {
		struct match_position element;

		if (!(rc = match_element(&element, match, type, position, i)))
			rc = match_union(list, match, type->record, &element);
	}
	return rc;
}
