/*
 * gen/embed.c - a type that begins with its parent embeds it
 *
 * Only if the parent, to its last byte, is a prefix: the same fields by name
 * and type, and no new field in what was the parent's padding. Then Go lays the
 * embedded struct out as the fields themselves.
 */
#include "gen/draft.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The parent with the fields of what it embeds as its own. */
static const struct table_type *flat_parent(const struct draft *draft)
{
	const struct table_type *parent = draft->ancestor.type;
	struct set_type *known = parent ? set_find(draft->with->set, parent->name) : NULL;

	return known && known->flat ? known->flat : parent;
}

static bool has_field(const struct proxytype_set *set, const struct table_type *type, const struct table_field *wanted, uint64_t at)
{
	for (size_t i = 0; i < type->field_count; i++) {
		const struct table_field *field = &type->fields[i];
		const struct table_type *inner = strcmp(field->name, field->type) ? NULL : proxytype_find(set, field->type);

		if (field->offset_bytes + at == wanted->offset_bytes && !strcmp(field->name, wanted->name) && !strcmp(field->type, wanted->type))
			return true;
		if (inner && has_field(set, inner, wanted, field->offset_bytes + at))
			return true;
	}
	return false;
}

/* The fields of @type before @end_bytes, as a type of that size; false if one of them goes beyond, or the parent lacks it. */
static bool prefix_of(struct table_type *out, size_t *split, const struct proxytype *type, const struct draft *draft, uint64_t end_bytes)
{
	const struct proxytype_set *set = draft->with->set;
	size_t i;

	for (i = 0; i < type->type->field_count && type->type->fields[i].offset_bytes < end_bytes; i++) {
		const struct table_field *field = &type->type->fields[i];

		if (type->fields[i].kind == PROXYTYPE_PADDING)
			continue;
		if (field->offset_bytes + go_size(set, field->type) > end_bytes || !has_field(set, flat_parent(draft), field, 0))
			return false;
	}
	*split = i;
	*out = (struct table_type){ .name = "", .size_bytes = end_bytes, .fields = type->type->fields, .field_count = i };
	return true;
}

static unsigned pads_in(const struct proxytype_set *set, const struct table_type *type)
{
	unsigned next = 0;

	for (size_t i = 0; i < type->field_count; i++) {
		const struct table_field *field = &type->fields[i];
		const struct table_type *inner = strcmp(field->name, field->type) ? NULL : proxytype_find(set, field->type);
		unsigned number, inside = inner ? pads_in(set, inner) : 0;

		if (sscanf(field->name, "Pad%u", &number) == 1 && number < 1000 && number + 1 > next)
			next = number + 1;
		if (inside > next)
			next = inside;
	}
	return next;
}

/* A type under construction: @count of the arrays is in use. */
struct embedding {
	struct arena *arena;
	struct table_field *fields;
	struct proxytype_field *notes;
	size_t count;
	unsigned pads;
};

static void add_padding(struct embedding *out, uint64_t from, uint64_t end)
{
	out->fields[out->count] = (struct table_field){ arena_printf(out->arena, "Pad%u", out->pads++),
							arena_printf(out->arena, "uint8[%" PRIu64 "]", end - from), from };
	out->notes[out->count++] = (struct proxytype_field){ .kind = PROXYTYPE_PADDING, .driver = "", .driver_type = "" };
}

/* What stands behind the parent; padding is numbered after the parent's. */
static void add_rest(struct embedding *out, const struct proxytype *type, size_t split, const struct draft *draft)
{
	const struct table_type *parent = draft->ancestor.type;
	const struct table_type *flat = type->type;
	uint64_t next = split < flat->field_count ? flat->fields[split].offset_bytes : flat->size_bytes;

	if (parent->size_bytes < next)
		add_padding(out, parent->size_bytes, next);
	for (size_t i = split; i < flat->field_count; i++) {
		uint64_t end = i + 1 < flat->field_count ? flat->fields[i + 1].offset_bytes : flat->size_bytes;

		if (type->fields[i].kind == PROXYTYPE_PADDING) {
			add_padding(out, flat->fields[i].offset_bytes, end);
			continue;
		}
		out->fields[out->count] = flat->fields[i];
		out->notes[out->count++] = type->fields[i];
	}
}

static void embed(struct proxytype *type, size_t split, const struct draft *draft)
{
	struct arena *arena = &draft->with->scratch;
	const struct table_type *parent = draft->ancestor.type;
	size_t most = type->type->field_count - split + 2;
	struct embedding out = { .arena = arena, .fields = arena_array(arena, most, sizeof(*out.fields)),
				 .notes = arena_array(arena, most, sizeof(*out.notes)), .count = 1,
				 .pads = pads_in(draft->with->set, parent) };
	struct table_type *result = arena_memdup(arena, type->type, sizeof(*result));

	out.fields[0] = (struct table_field){ parent->name, parent->name, 0 };
	out.notes[0] = (struct proxytype_field){ .kind = PROXYTYPE_EMBEDDED, .driver = "", .driver_type = "" };
	add_rest(&out, type, split, draft);
	result->fields = out.fields;
	result->field_count = out.count;
	type->type = result;
	type->fields = out.notes;
}

void draft_embed(struct proxytype *type, const struct draft *draft)
{
	const struct table_type *parent = draft->ancestor.type;
	struct table_type prefix;
	size_t split;

	if (!parent || parent->alias || type->type->alias || !parent->size_bytes || parent->size_bytes >= type->type->size_bytes)
		return;
	if (prefix_of(&prefix, &split, type, draft, parent->size_bytes) && go_same(draft->with->set, &prefix, parent))
		embed(type, split, draft);
}
