/*
 * gen/ancestor.c - the field that a parent type has for a member
 *
 * The parent was right for an older version of the record. With that version's
 * document, a member is found there by its name, and the parent's field by that
 * member's offset and size. Without it, the parent's field of the same name,
 * case ignored, is it. The fields of a type that the parent embeds are the
 * parent's: an embedded field is called like its type.
 */
#include "gen/draft.h"

#include <string.h>
#include <strings.h>

const struct abi_field *ancestor_member(const struct ancestor *ancestor, const char *name)
{
	for (size_t i = 0; ancestor->record && *name && i < ancestor->record->field_count; i++)
		if (!strcmp(ancestor->record->fields[i].name, name))
			return &ancestor->record->fields[i];
	return NULL;
}

static const struct table_type *embedded(const struct proxytype_set *set, const struct table_field *field)
{
	return strcmp(field->name, field->type) ? NULL : proxytype_find(set, field->type);
}

/* A field that begins @offset_bytes behind the start of @type and has @size_bytes. */
static const struct table_field *field_at(const struct proxytype_set *set, const struct table_type *type, uint64_t offset_bytes,
					  uint64_t size_bytes)
{
	for (size_t i = 0; i < type->field_count; i++) {
		const struct table_field *field = &type->fields[i];
		const struct table_type *inner = embedded(set, field);

		if (field->offset_bytes == offset_bytes && go_size(set, field->type) == size_bytes)
			return field;
		if (inner && field->offset_bytes <= offset_bytes && offset_bytes - field->offset_bytes < inner->size_bytes)
			return field_at(set, inner, offset_bytes - field->offset_bytes, size_bytes);
	}
	return NULL;
}

static const struct table_field *field_named(const struct proxytype_set *set, const struct table_type *type, const char *name)
{
	for (size_t i = 0; i < type->field_count; i++) {
		const struct table_type *inner = embedded(set, &type->fields[i]);
		const struct table_field *found = inner ? field_named(set, inner, name) : NULL;

		if (found)
			return found;
		if (!strcasecmp(type->fields[i].name, name))
			return &type->fields[i];
	}
	return NULL;
}

const struct table_field *ancestor_field(const struct draft *draft, const struct abi_field *field)
{
	const struct ancestor *ancestor = &draft->ancestor;
	const struct abi_field *old = ancestor_member(ancestor, field->name);
	const struct proxytype_set *set = draft->with->set;

	if (!ancestor->type || ancestor->type->alias)
		return NULL;
	if (old)
		return old->is_bitfield ? NULL : field_at(set, ancestor->type, old->offset_bits / 8, old->size_bits / 8);
	if (ancestor->record || !*field->name)
		return NULL;
	return field_named(set, ancestor->type, proxytype_field_name(field->name, &draft->with->scratch));
}
