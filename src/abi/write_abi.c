/* abi/write_abi.c - a document and its layouts as JSON */
/*
 * "drvabi-abi/1" as text: one field, alias, value, constant and ioctl a line,
 * so that two documents can be compared line by line.
 */
#include "abi/abi.h"

#include <string.h>

void json_write_ioc(struct json_writer *writer, const struct abi_ioctl *ioctl)
{
	if (!abi_ioctl_is_encoded(ioctl))
		return;
	json_key(writer, "ioc");
	json_open_object(writer);
	json_key_string(writer, "direction",
			abi_ioc_direction_name(abi_ioc_get(ioctl->number, ABI_IOC_DIRECTION)));
	json_key_unsigned(writer, "type", abi_ioc_get(ioctl->number, ABI_IOC_TYPE));
	json_key_unsigned(writer, "nr", abi_ioc_get(ioctl->number, ABI_IOC_NR));
	json_key_unsigned(writer, "size", abi_ioc_get(ioctl->number, ABI_IOC_SIZE));
	json_key_string(writer, "known_by", ioctl->encoding == ABI_NUMBER_IOC_BY_NR ? "nr" : "number");
	if (ioctl->argument)
		json_key_string(writer, "argument", ioctl->argument);
	if (ioctl->varies) {
		json_key(writer, "varies");
		json_open_array(writer);
		for (int i = 0; i < ABI_IOC_FIELD_COUNT; i++)
			if (ioctl->varies >> i & 1)
				json_string(writer, abi_ioc_field_name((enum abi_ioc_field)i));
		json_close_array(writer);
	}
	json_close_object(writer);
}

/*
 * "drvabi-flat/1" as text: one leaf and one hole a line. Members that hold
 * their usual value are left out: "count" 1, no repetition, no union.
 */

static void write_repeats(struct json_writer *writer, const struct abi_repeat *repeat, size_t count)
{
	if (!count)
		return;
	json_key(writer, "repeat");
	json_open_array(writer);
	for (size_t i = 0; i < count; i++) {
		json_open_object(writer);
		json_key_unsigned(writer, "count", repeat[i].count);
		json_key_unsigned(writer, "stride_bits", repeat[i].stride_bits);
		json_close_object(writer);
	}
	json_close_array(writer);
}

void json_write_leaf(struct json_writer *writer, const struct abi_leaf *leaf)
{
	json_key_string(writer, "path", leaf->path);
	json_key_unsigned(writer, "bit_offset", leaf->offset_bits);
	json_key_unsigned(writer, "bit_size", leaf->size_bits);
	json_key_string(writer, "kind", abi_scalar_name(leaf->kind));
	json_key_string(writer, "type", leaf->type);
	if (leaf->dimension_count) {
		json_key_unsigned(writer, "count", leaf->count);
		json_key_unsigned(writer, "element_bits", leaf->element_bits);
	}
	if (leaf->flexible)
		json_key_bool(writer, "flexible", true);
	if (leaf->is_bitfield)
		json_key_bool(writer, "bit_field", true);
	if (leaf->role != ABI_ROLE_NONE)
		json_key_string(writer, "role", abi_role_name(leaf->role));
	write_repeats(writer, leaf->repeat, leaf->repeat_count);
	if (leaf->union_path) {
		json_key_string(writer, "union", leaf->union_path);
		json_key_unsigned(writer, "alternative", leaf->alternative);
	}
}

static void write_hole(struct json_writer *writer, const struct abi_hole *hole)
{
	json_open_inline_object(writer);
	json_key_unsigned(writer, "bit_offset", hole->offset_bits);
	json_key_unsigned(writer, "bit_size", hole->size_bits);
	json_key_string(writer, "after", hole->after);
	json_key_bool(writer, "is_tail", hole->is_tail);
	write_repeats(writer, hole->repeat, hole->repeat_count);
	json_close_object(writer);
}

void json_write_layout(struct json_writer *writer, const struct abi_layout *layout)
{
	size_t i;

	json_key_unsigned(writer, "size", layout->size_bytes);
	json_key_unsigned(writer, "align", layout->align_bytes);
	json_key_bool(writer, "is_union", layout->is_union);
	json_key_string(writer, "source", layout->source ? layout->source : "");
	json_key(writer, "leaves");
	json_open_array(writer);
	for (i = 0; i < layout->leaf_count; i++) {
		json_open_inline_object(writer);
		json_write_leaf(writer, &layout->leaf[i]);
		json_close_object(writer);
	}
	json_close_array(writer);
	json_key(writer, "holes");
	json_open_array(writer);
	for (i = 0; i < layout->hole_count; i++)
		write_hole(writer, &layout->hole[i]);
	json_close_array(writer);
}

static void write_roles(struct json_writer *writer, unsigned roles)
{
	if (!roles)
		return;
	json_key(writer, "roles");
	json_open_inline_array(writer);
	for (unsigned role = ABI_ROLE_NONE + 1; role <= ABI_ROLE_LAST; role++)
		if (roles & 1u << role)
			json_string(writer, abi_role_name((enum abi_role)role));
	json_close_array(writer);
}

void json_write_layouts(struct json_writer *writer, const struct abi *abi, const struct abi_layout *layouts,
			size_t count, unsigned roles)
{
	size_t i;

	json_open_object(writer);
	json_key_string(writer, "format", "drvabi-flat/1");
	json_key_string(writer, "version", abi->version);
	json_key_string(writer, "commit", abi->commit);
	json_key_string(writer, "target", abi->target);
	write_roles(writer, roles);
	json_key(writer, "records");
	json_open_object(writer);
	for (i = 0; i < count; i++) {
		json_key(writer, layouts[i].record);
		json_open_object(writer);
		json_write_layout(writer, &layouts[i]);
		json_close_object(writer);
	}
	json_close_object(writer);
	json_close_object(writer);
	json_end(writer);
}

bool abi_leaf_same_dimensions(const struct abi_leaf *a, const struct abi_leaf *b)
{
	if (a->repeat_count != b->repeat_count || a->dimension_count != b->dimension_count ||
	    a->flexible != b->flexible)
		return false;
	for (size_t i = 0; i < a->repeat_count; i++)
		if (a->repeat[i].count != b->repeat[i].count ||
		    a->repeat[i].stride_bits != b->repeat[i].stride_bits)
			return false;
	for (size_t i = 0; i < a->dimension_count; i++)
		if (a->dimension[i] != b->dimension[i])
			return false;
	return true;
}

bool abi_leaf_same_bits(const struct abi_leaf *a, const struct abi_leaf *b)
{
	return a->offset_bits == b->offset_bits && a->size_bits == b->size_bits &&
	       a->element_bits == b->element_bits && a->is_bitfield == b->is_bitfield &&
	       abi_leaf_same_dimensions(a, b);
}

bool abi_leaf_same(const struct abi_leaf *a, const struct abi_leaf *b)
{
	return abi_leaf_same_bits(a, b) && a->kind == b->kind && a->role == b->role &&
	       !a->c_name == !b->c_name && (!a->c_name || !strcmp(a->c_name, b->c_name));
}

/*
 * All dimensions, through aliases: of "ROW[8]" also those of ROW. They are not stored but derived, so that a
 * document has one truth.
 */
static void write_dimensions(struct json_writer *writer, const struct abi_type *type)
{
	json_key(writer, "dims");
	json_open_array(writer);
	for (size_t i = 0; i < type->dimension_count; i++) {
		if (type->flexible && !i)
			json_null(writer);
		else
			json_unsigned(writer, type->dimension[i]);
	}
	json_close_array(writer);
}

/* What is written of one document. */
struct abi_writer {
	struct json_writer *out;
	const struct abi *abi;
	struct abi_known_types known;
};

static void write_field_size(struct abi_writer *with, const struct abi_field *field)
{
	const struct abi_type *type;

	json_key_unsigned(with->out, "size", field->size_bits / 8);
	if (!abi_resolve_known(&type, &with->known, with->abi, field->type, NULL) && type->dimension_count)
		write_dimensions(with->out, type);
}

static void write_field(struct abi_writer *with, const struct abi_field *field)
{
	struct json_writer *writer = with->out;

	json_open_inline_object(writer);
	json_key_string(writer, "name", field->name);
	json_key_string(writer, "type", field->type);
	json_key_unsigned(writer, "offset", field->offset_bits / 8);
	if (field->is_bitfield) {
		json_key_unsigned(writer, "bit_offset", field->offset_bits);
		json_key_unsigned(writer, "bit_width", field->size_bits);
	} else {
		write_field_size(with, field);
	}
	if (field->role != ABI_ROLE_NONE)
		json_key_string(writer, "role", abi_role_name(field->role));
	json_close_object(writer);
}

static void write_record(struct abi_writer *with, const struct abi_record *record)
{
	struct json_writer *writer = with->out;
	size_t i;

	json_key(writer, record->name);
	json_open_object(writer);
	json_key(writer, "fields");
	json_open_array(writer);
	for (i = 0; i < record->field_count; i++)
		write_field(with, &record->fields[i]);
	json_close_array(writer);
	json_key_unsigned(writer, "size", record->size_bytes);
	json_key_unsigned(writer, "align", record->align_bytes);
	json_key_bool(writer, "is_union", record->is_union);
	json_key_string(writer, "source", record->source ? record->source : "");
	json_close_object(writer);
}

static void write_records(struct json_writer *writer, const struct abi *abi)
{
	struct abi_writer with = { .out = writer, .abi = abi };
	size_t i;

	json_key(writer, "records");
	json_open_object(writer);
	for (i = 0; i < abi->record_count; i++)
		write_record(&with, &abi->records[i]);
	json_close_object(writer);
}

static void write_aliases(struct json_writer *writer, const struct abi *abi)
{
	size_t i;

	json_key(writer, "aliases");
	json_open_object(writer);
	for (i = 0; i < abi->alias_count; i++) {
		json_key(writer, abi->aliases[i].name);
		json_open_inline_object(writer);
		json_key_string(writer, "type", abi->aliases[i].type);
		json_key_unsigned(writer, "size", abi->aliases[i].size_bytes);
		json_close_object(writer);
	}
	json_close_object(writer);
}

static void write_enum(struct json_writer *writer, const struct abi_enum *one)
{
	size_t i;

	json_key(writer, one->name);
	json_open_object(writer);
	json_key_string(writer, "type", one->type);
	json_key_unsigned(writer, "size", one->size_bytes);
	json_key(writer, "values");
	json_open_object(writer);
	for (i = 0; i < one->value_count; i++) {
		json_key(writer, one->values[i].name);
		json_number(writer, one->values[i].value);
	}
	json_close_object(writer);
	json_key_string(writer, "source", one->source ? one->source : "");
	json_close_object(writer);
}

static void write_enums(struct json_writer *writer, const struct abi *abi)
{
	size_t i;

	json_key(writer, "enums");
	json_open_object(writer);
	for (i = 0; i < abi->enum_count; i++)
		write_enum(writer, &abi->enums[i]);
	json_close_object(writer);
}

static void write_constants(struct json_writer *writer, const struct abi *abi)
{
	size_t i;

	json_key(writer, "constants");
	json_open_object(writer);
	for (i = 0; i < abi->constant_count; i++) {
		json_key(writer, abi->constants[i].name);
		json_number(writer, abi->constants[i].value);
	}
	json_close_object(writer);
}

static void write_ioctl(struct json_writer *writer, const struct abi_ioctl *ioctl)
{
	size_t i;

	json_open_inline_object(writer);
	json_key_string(writer, "family", ioctl->family);
	json_key_string(writer, "name", ioctl->name);
	json_key_unsigned(writer, "number", ioctl->number);
	json_key_string(writer, "params", ioctl->params);
	if (ioctl->flag_count) {
		json_key(writer, "flags");
		json_open_array(writer);
		for (i = 0; i < ioctl->flag_count; i++)
			json_string(writer, ioctl->flags[i]);
		json_close_array(writer);
	}
	if (ioctl->access)
		json_key_string(writer, "access", ioctl->access);
	json_write_ioc(writer, ioctl);
	json_key_string(writer, "source", ioctl->source ? ioctl->source : "");
	json_close_object(writer);
}

static void write_ioctls(struct json_writer *writer, const struct abi *abi)
{
	size_t i;

	json_key(writer, "ioctls");
	json_open_array(writer);
	for (i = 0; i < abi->ioctl_count; i++)
		write_ioctl(writer, &abi->ioctls[i]);
	json_close_array(writer);
}

static void write_warnings(struct json_writer *writer, const struct abi *abi)
{
	size_t i;

	json_key(writer, "warnings");
	json_open_array(writer);
	for (i = 0; i < abi->warning_count; i++) {
		json_open_inline_object(writer);
		json_key_string(writer, "place", abi->warnings[i].place);
		json_key_string(writer, "text", abi->warnings[i].text);
		json_close_object(writer);
	}
	json_close_array(writer);
}

void json_write_abi(struct json_writer *writer, const struct abi *abi)
{
	json_open_object(writer);
	json_key_string(writer, "format", ABI_FORMAT);
	json_key_string(writer, "driver", abi->driver);
	json_key_string(writer, "version", abi->version);
	json_key_string(writer, "commit", abi->commit);
	json_key_string(writer, "target", abi->target);
	write_records(writer, abi);
	write_aliases(writer, abi);
	write_enums(writer, abi);
	write_constants(writer, abi);
	write_ioctls(writer, abi);
	write_warnings(writer, abi);
	json_close_object(writer);
	json_end(writer);
}
