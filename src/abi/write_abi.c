/*
 * "drvabi-abi/1" as text: one field, alias, value, constant and ioctl a line,
 * so that two documents can be compared line by line.
 */
#include "abi/json.h"
#include "abi/write_layout.h"

/*
 * All dimensions, through aliases: of "ROW[8]" also those of ROW. They are not stored but derived, so that a document
 * has one truth.
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
