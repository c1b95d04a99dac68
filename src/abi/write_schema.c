/*
 * abi/write_schema.c - writes JSON Schemas from the lists of fields that are used to read and write formats
 *
 * A schema has the valid keys, the required keys, and the types of their values. It does not have the checks
 * of hooks (for a path, a regular expression, two keys that exclude each other). So it accepts every text
 * that the readers accept, and other texts, too.
 */
#include "abi/internal.h"

#include <assert.h>

const struct json_format abi_formats[] = {
	{ ABI_FORMAT, &abi_document_fields, false },
	{ "drvabi-flat/1", &abi_layouts_fields, false },
	{ TABLE_FORMAT, &table_document_fields, false },
	{ TABLE_PATCH_FORMAT, &table_patch_fields, false },
	{ PROFILE_FORMAT, &profile_document_fields, false },
	{ USE_FORMAT, &use_document_fields, false },
	{ ".drvabi.json", &project_config_fields, false },
	{ NULL, NULL, false },
};

static void write_struct_schema(struct json_writer *writer, const struct json_struct *of);

/* Writes the key "type" of a schema, with the JSON types that the JSON_WANT_* bits of @kind allow. */
static void write_type_names(struct json_writer *writer, unsigned kind)
{
	static const struct {
		unsigned want;
		const char *types[2];
	} types[] = {
		{ JSON_WANT_OBJECT, { "object" } },  { JSON_WANT_ARRAY, { "array" } },
		{ JSON_WANT_STRING, { "string" } },  { JSON_WANT_INTEGER, { "integer", "string" } },
		{ JSON_WANT_BOOL, { "boolean" } },   { JSON_WANT_NULL, { "null" } },
	};

	const char *found[8];
	size_t count = 0;

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		for (size_t k = 0; k < 2 && kind & types[i].want && types[i].types[k]; k++)
			if (k != 1 || !(kind & JSON_WANT_STRING)) /* an integer can be a string, but "string"
								     must not be listed twice */
				found[count++] = types[i].types[k];
	if (count == 1)
		json_key_string(writer, "type", found[0]);
	else
		json_key_strings(writer, "type", found, count);
}

/*
 * Writes the schema of a number. A number that JSON readers might round is a string, "0xffffffffffffffff".
 * Numbers that a hook reads can be negative.
 */
static void write_number_schema(struct json_writer *writer, const struct json_field *field)
{
	const unsigned kind = field->kind & ~JSON_MODIFIERS;
	const bool is_of_hook = kind < 1 << 8; /* JSON_WANT_* alone */
	const bool is_signed = kind == JSON_NUMBER || kind == JSON_I64 || is_of_hook;

	if (is_of_hook && kind & JSON_WANT_STRING)
		return; /* the string need not be a number */
	json_key_string(writer, "pattern", is_signed ? "^-?0x[0-9a-fA-F]+$" : "^0x[0-9a-fA-F]+$");
	if (!is_signed)
		json_key_unsigned(writer, "minimum", 0);
	if (field->max && field->max <= ABI_DOUBLE_EXACT_MAX) /* larger numbers are strings */
		json_key_unsigned(writer, "maximum", field->max);
}

/*
 * Writes the names of the constants of a JSON_NAMED or JSON_NAMED_BITS. A constant without a name can be
 * null. An empty name is only for writing, so a field with a message for readers cannot have it.
 */
static void write_names(struct json_writer *writer, const struct json_field *field)
{
	json_key_open(writer, "enum", json_open_inline_array);
	for (unsigned constant = 0; constant < field->max; constant++) {
		const char *name = field->name_of(constant);

		if (name ? *name || !field->text : !!(field->kind & JSON_OR_NULL))
			json_string(writer, name);
	}
	json_close_array(writer);
}

/* Writes the schema of a value that is a struct or null, into the open object. */
static void write_struct_or_null(struct json_writer *writer, const struct json_struct *of)
{
	json_key_open(writer, "anyOf", json_open_array);
	json_open_object(writer);
	write_struct_schema(writer, of);
	json_close_object(writer);
	json_open_inline_object(writer);
	json_key_string(writer, "type", "null");
	json_close_object(writer);
	json_close_array(writer);
}

/* Writes the schema of a key's value, without the checks of hooks. */
static void write_value_schema(struct json_writer *writer, const struct json_field *field)
{
	const unsigned kind = field->kind & ~JSON_MODIFIERS;

	json_open_object(writer);
	if (kind == JSON_OBJECT && field->kind & JSON_OR_NULL) {
		write_struct_or_null(writer, field->of);
	} else if (kind == JSON_OBJECT) {
		write_struct_schema(writer, field->of);
	} else {
		write_type_names(writer, field->kind);
	}
	if (json_is_fixed_text(field))
		json_key_string(writer, "const", field->text);
	if (kind & JSON_WANT_INTEGER)
		write_number_schema(writer, field);
	if (kind == JSON_NAMED || kind == JSON_NAMED_BOOL)
		write_names(writer, field);
	if (kind == JSON_TEXTS || kind == JSON_NAMED_BITS) {
		json_key_open(writer, "items", json_open_inline_object);
		if (kind == JSON_TEXTS)
			json_key_string(writer, "type", "string");
		else
			write_names(writer, field);
		json_close_object(writer);
	} else if (kind == JSON_LIST || kind == JSON_MAP) {
		json_key_open(writer, kind == JSON_LIST ? "items" : "additionalProperties", json_open_object);
		write_struct_schema(writer, field->of);
		json_close_object(writer);
	} else if (kind == JSON_WANT_OBJECT && field->of) { /* a hook reads an object of objects, whose
							       members can be null */
		json_key_open(writer, "additionalProperties", json_open_object);
		write_type_names(writer, JSON_WANT_OBJECT);
		json_key_open(writer, "additionalProperties", json_open_object);
		write_struct_or_null(writer, field->of);
		json_close_object(writer);
		json_close_object(writer);
	}
	json_close_object(writer);
}

/* The keys that were written into an object. Several structs can be written into the same object. */
struct written_keys {
	const char *key[2 * JSON_FIELDS_MAX];
	size_t count;
};

/* Writes a schema for each field of @of whose key is not in @keys, and adds the key to @keys. */
static void write_properties(struct json_writer *writer, const struct json_struct *of,
			     struct written_keys *keys)
{
	for (const struct json_field *field = of->field; field->key; field++) {
		if ((field->kind & JSON_HIDDEN) == JSON_HIDDEN ||
		    texts_have(keys->key, keys->count, field->key))
			continue;
		if ((field->kind & ~JSON_MODIFIERS) == JSON_MEMBERS) {
			write_properties(writer, field->of, keys);
			continue;
		}
		assert(keys->count < sizeof(keys->key) / sizeof(*keys->key));
		keys->key[keys->count++] = field->key;
		json_key(writer, field->key);
		write_value_schema(writer, field);
	}
}

/* Writes the keys that are not optional, including those of embedded structs, into the open array. */
static void write_required(struct json_writer *writer, const struct json_struct *of)
{
	for (const struct json_field *field = of->field; field->key; field++)
		if (field->kind & JSON_WANT_OPTIONAL)
			continue;
		else if ((field->kind & ~JSON_MODIFIERS) == JSON_MEMBERS)
			write_required(writer, field->of);
		else
			json_string(writer, field->key);
}

/* Writes the keywords for a struct into the open object. */
static void write_struct_schema(struct json_writer *writer, const struct json_struct *of)
{
	const struct json_field *field = of->field;
	struct written_keys keys = { .count = 0 };

	if (!*field->key) { /* the struct is a plain value */
		write_type_names(writer, field->kind);
		if (field->kind & JSON_WANT_INTEGER)
			write_number_schema(writer, field);
		return;
	}
	json_key_string(writer, "type", "object");
	json_key_open(writer, "properties", json_open_object);
	write_properties(writer, of, &keys);
	json_close_object(writer);
	json_key_open(writer, "required", json_open_inline_array);
	write_required(writer, of);
	json_close_array(writer);
	json_key_bool(writer, "additionalProperties", false);
}

/* Writes into the open object the schema of a text with a struct, or, for --versions, an array of them. */
static void write_one_or_list(struct json_writer *writer, const struct json_struct *of)
{
	static const char one[] = "#/$defs/version";

	json_key_open(writer, "anyOf", json_open_array);
	json_open_inline_object(writer);
	json_key_string(writer, "$ref", one);
	json_close_object(writer);
	json_open_object(writer);
	json_key_string(writer, "type", "array");
	json_key_open(writer, "items", json_open_inline_object);
	json_key_string(writer, "$ref", one);
	json_close_object(writer);
	json_close_object(writer);
	json_close_array(writer);
	json_key_open(writer, "$defs", json_open_object);
	json_key_open(writer, "version", json_open_object);
	write_struct_schema(writer, of);
	json_close_object(writer);
	json_close_object(writer);
}

void json_write_schema(struct strbuf *out, const struct json_format *format)
{
	struct json_writer writer = { .out = out };

	json_open_object(&writer);
	json_key_string(&writer, "$schema", "https://json-schema.org/draft/2020-12/schema");
	json_key_string(&writer, "title", format->name);
	if (format->is_list_of_versions)
		write_one_or_list(&writer, format->of);
	else
		write_struct_schema(&writer, format->of);
	json_close_object(&writer);
	json_end(&writer);
}
