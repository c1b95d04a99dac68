/*
 * What stays in a share is made of parts that are there once: two versions
 * that have the same name, the same fields or the same flags point to the same
 * memory. So they take little room, and are quickly found to be the same.
 */
#include "extract/share.h"

#include <stdlib.h>
#include <string.h>

static const struct abi_field *keep_fields(struct extract_share *share, const struct abi_record *record)
{
	struct abi_field *fields = xmalloc((record->field_count + 1) * sizeof(*fields));
	const struct abi_field *kept;

	/* What is between the members counts when bytes are compared. */
	memset(fields, 0, (record->field_count + 1) * sizeof(*fields));
	for (size_t i = 0; i < record->field_count; i++) {
		fields[i].name = share_string(share, record->fields[i].name);
		fields[i].type = share_string(share, record->fields[i].type);
		fields[i].offset_bits = record->fields[i].offset_bits;
		fields[i].size_bits = record->fields[i].size_bits;
		fields[i].is_bitfield = record->fields[i].is_bitfield;
		fields[i].role = record->fields[i].role;
	}
	kept = share_bytes(share, fields, record->field_count * sizeof(*fields));
	free(fields);
	return kept;
}

static const struct abi_record *keep_records(struct extract_share *share, const struct abi *part)
{
	struct abi_record *records = arena_array(&share->kept, part->record_count, sizeof(*records));

	for (size_t i = 0; i < part->record_count; i++) {
		const struct abi_record *record = &part->records[i];

		records[i] = (struct abi_record){
			.name = share_string(share, record->name),
			.fields = keep_fields(share, record),
			.field_count = record->field_count,
			.size_bytes = record->size_bytes,
			.align_bytes = record->align_bytes,
			.is_union = record->is_union,
			.source = share_string(share, record->source),
		};
	}
	return records;
}

static const struct abi_enumerator *keep_values(struct extract_share *share, const struct abi_enum *one)
{
	struct abi_enumerator *values = xmalloc((one->value_count + 1) * sizeof(*values));
	const struct abi_enumerator *kept;

	memset(values, 0, (one->value_count + 1) * sizeof(*values));
	for (size_t i = 0; i < one->value_count; i++) {
		values[i].name = share_string(share, one->values[i].name);
		values[i].value.magnitude = one->values[i].value.magnitude;
		values[i].value.negative = one->values[i].value.negative;
	}
	kept = share_bytes(share, values, one->value_count * sizeof(*values));
	free(values);
	return kept;
}

static const struct abi_enum *keep_enums(struct extract_share *share, const struct abi *part)
{
	struct abi_enum *enums = arena_array(&share->kept, part->enum_count, sizeof(*enums));

	for (size_t i = 0; i < part->enum_count; i++)
		enums[i] = (struct abi_enum){
			.name = share_string(share, part->enums[i].name),
			.type = share_string(share, part->enums[i].type),
			.size_bytes = part->enums[i].size_bytes,
			.values = keep_values(share, &part->enums[i]),
			.value_count = part->enums[i].value_count,
			.source = share_string(share, part->enums[i].source),
		};
	return enums;
}

static const struct abi_alias *keep_aliases(struct extract_share *share, const struct abi *part)
{
	struct abi_alias *aliases = arena_array(&share->kept, part->alias_count, sizeof(*aliases));

	for (size_t i = 0; i < part->alias_count; i++)
		aliases[i] = (struct abi_alias){
			share_string(share, part->aliases[i].name), share_string(share, part->aliases[i].type), part->aliases[i].size_bytes,
		};
	return aliases;
}

static const struct abi_constant *keep_constants(struct extract_share *share, const struct abi *part)
{
	struct abi_constant *constants = arena_array(&share->kept, part->constant_count, sizeof(*constants));

	for (size_t i = 0; i < part->constant_count; i++)
		constants[i] = (struct abi_constant){ share_string(share, part->constants[i].name), part->constants[i].value };
	return constants;
}

static const struct abi_warning *keep_warnings(struct extract_share *share, const struct abi *part)
{
	struct abi_warning *warnings = arena_array(&share->kept, part->warning_count, sizeof(*warnings));

	for (size_t i = 0; i < part->warning_count; i++)
		warnings[i] = (struct abi_warning){
			share_string(share, part->warnings[i].place), share_string(share, part->warnings[i].text),
		};
	return warnings;
}

static const struct macro *keep_macros(struct extract_share *share, const struct macro *macros, size_t count)
{
	struct macro *kept = arena_memdup(&share->kept, macros, count * sizeof(*kept));

	for (size_t i = 0; i < count; i++) {
		kept[i].name = share_string(share, macros[i].name);
		kept[i].unit = share_string(share, macros[i].unit);
		kept[i].file = share_string(share, macros[i].file);
		kept[i].body = share_string(share, macros[i].body);
	}
	return kept;
}

void share_keep_piece(struct share_piece *out, struct extract_share *share, const struct abi *part, const struct macro *macros,
		      size_t macro_count)
{
	pthread_mutex_lock(&share->kept_lock);
	out->part = *part;
	out->part.records = keep_records(share, part);
	out->part.aliases = keep_aliases(share, part);
	out->part.enums = keep_enums(share, part);
	out->part.constants = keep_constants(share, part);
	out->part.warnings = keep_warnings(share, part);
	out->macros = keep_macros(share, macros, macro_count);
	out->macro_count = macro_count;
	pthread_mutex_unlock(&share->kept_lock);
}

static const char *const *keep_words(struct extract_share *share, const char *const *words, size_t count)
{
	const char **kept = xmalloc((count + 1) * sizeof(*kept));
	const char *const *shared = NULL;

	for (size_t i = 0; i < count; i++)
		kept[i] = share_string(share, words[i]);
	if (count)
		shared = share_bytes(share, kept, count * sizeof(*kept));
	free(kept);
	return shared;
}

static const struct abi_ioctl *keep_ioctls(struct extract_share *share, const struct abi *abi)
{
	struct abi_ioctl *ioctls = xmalloc((abi->ioctl_count + 1) * sizeof(*ioctls));
	const struct abi_ioctl *kept;

	memset(ioctls, 0, (abi->ioctl_count + 1) * sizeof(*ioctls));
	for (size_t i = 0; i < abi->ioctl_count; i++) {
		ioctls[i].family = share_string(share, abi->ioctls[i].family);
		ioctls[i].name = share_string(share, abi->ioctls[i].name);
		ioctls[i].number = abi->ioctls[i].number;
		ioctls[i].params = share_string(share, abi->ioctls[i].params);
		ioctls[i].flags = keep_words(share, abi->ioctls[i].flags, abi->ioctls[i].flag_count);
		ioctls[i].flag_count = abi->ioctls[i].flag_count;
		ioctls[i].access = share_string(share, abi->ioctls[i].access);
		ioctls[i].source = share_string(share, abi->ioctls[i].source);
	}
	kept = share_bytes(share, ioctls, abi->ioctl_count * sizeof(*ioctls));
	free(ioctls);
	return kept;
}

/* A sealed array of no elements is NULL. */
#define KEPT_ARRAY(share, array, count) ((count) ? share_bytes((share), (array), (count) * sizeof(*(array))) : NULL)

void share_keep_document(struct abi *abi, struct extract_share *share)
{
	pthread_mutex_lock(&share->kept_lock);
	abi->driver = share_string(share, abi->driver);
	abi->version = share_string(share, abi->version);
	abi->commit = share_string(share, abi->commit);
	abi->target = share_string(share, abi->target);
	abi->records = KEPT_ARRAY(share, abi->records, abi->record_count);
	abi->aliases = KEPT_ARRAY(share, abi->aliases, abi->alias_count);
	abi->enums = KEPT_ARRAY(share, abi->enums, abi->enum_count);
	abi->constants = KEPT_ARRAY(share, abi->constants, abi->constant_count);
	abi->ioctls = abi->ioctl_count ? keep_ioctls(share, abi) : NULL;
	abi->warnings = abi->warning_count ? keep_warnings(share, abi) : NULL;
	pthread_mutex_unlock(&share->kept_lock);
}

const struct nvoc_methods *share_keep_methods(struct extract_share *share, const struct nvoc_methods *methods)
{
	struct nvoc_methods *kept;
	struct nvoc_method *items;

	pthread_mutex_lock(&share->kept_lock);
	kept = arena_memdup(&share->kept, methods, sizeof(*kept));
	kept->items = items = arena_memdup(&share->kept, methods->items, methods->count * sizeof(*items));
	for (size_t i = 0; i < methods->count; i++) {
		items[i].params = share_string(share, items[i].params);
		items[i].func = share_string(share, items[i].func);
		items[i].source = share_string(share, items[i].source);
	}
	pthread_mutex_unlock(&share->kept_lock);
	return kept;
}
