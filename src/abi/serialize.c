#include "abi/serialize.h"

#include "abi/ioc.h"
#include "abi/serial_form.h"

#include <string.h>

#define HASH_FUNCTION(key, length, hash) ((hash) = (unsigned int)XXH3_64bits((key), (length)))
#include <uthash.h>

/* A string that was written before. */
struct known_string {
	const char *text;
	uint64_t number;
	UT_hash_handle hh;
};

/* An array of fields that was written before. */
struct known_fields {
	const struct abi_field *fields;
	size_t count;
	uint64_t record; /* number of the record that has it */
	UT_hash_handle hh;
};

struct serializer {
	struct strbuf strings;
	struct strbuf body;
	struct known_string *known_strings;
	struct known_fields *known_fields;
	uint64_t string_count;
	struct arena scratch; /* the known_* */
};

static void put_optional(struct serializer *serializer, const char *text)
{
	struct known_string *known;
	unsigned int hash;
	size_t length;

	if (!text) {
		varint_put(&serializer->body, SERIAL_STRING_NULL);
		return;
	}
	length = strlen(text);
	HASH_VALUE(text, length, hash);
	HASH_FIND_BYHASHVALUE(hh, serializer->known_strings, text, length, hash, known);
	if (known) {
		varint_put(&serializer->body, SERIAL_STRING_FIRST + known->number);
		return;
	}
	known = arena_alloc(&serializer->scratch, sizeof(*known));
	known->text = text;
	known->number = serializer->string_count++;
	HASH_ADD_KEYPTR_BYHASHVALUE(hh, serializer->known_strings, known->text, length, hash, known);
	strbuf_add(&serializer->strings, text, length + 1);
	varint_put(&serializer->body, SERIAL_STRING_NEXT);
}

static void put_text(struct serializer *serializer, const char *text)
{
	put_optional(serializer, text ? text : "");
}

static void put_value(struct serializer *serializer, struct abi_number value)
{
	varint_put(&serializer->body, value.negative);
	varint_put(&serializer->body, value.magnitude);
}

static void put_field(struct serializer *serializer, const struct abi_field *field)
{
	put_text(serializer, field->name);
	put_text(serializer, field->type);
	varint_put(&serializer->body, field->offset_bits);
	varint_put(&serializer->body, field->size_bits);
	strbuf_addch(&serializer->body, (char)((int)field->role | (field->is_bitfield ? SERIAL_FIELD_BITFIELD : 0)));
}

static void put_fields(struct serializer *serializer, const struct abi_record *record, uint64_t number)
{
	struct known_fields *known;

	HASH_FIND_PTR(serializer->known_fields, &record->fields, known);
	if (known && known->count == record->field_count) {
		varint_put(&serializer->body, SERIAL_FIELDS_SHARED + known->record);
		return;
	}
	varint_put(&serializer->body, SERIAL_FIELDS_OWN);
	varint_put(&serializer->body, record->field_count);
	for (size_t i = 0; i < record->field_count; i++)
		put_field(serializer, &record->fields[i]);
	if (known || !record->field_count)
		return;
	known = arena_alloc(&serializer->scratch, sizeof(*known));
	known->fields = record->fields;
	known->count = record->field_count;
	known->record = number;
	HASH_ADD_PTR(serializer->known_fields, fields, known);
}

static void put_records(struct serializer *serializer, const struct abi *abi)
{
	varint_put(&serializer->body, abi->record_count);
	for (size_t i = 0; i < abi->record_count; i++) {
		const struct abi_record *record = &abi->records[i];

		put_text(serializer, record->name);
		varint_put(&serializer->body, record->size_bytes);
		varint_put(&serializer->body, record->align_bytes);
		varint_put(&serializer->body, record->is_union);
		put_text(serializer, record->source);
		put_fields(serializer, record, i);
	}
}

static void put_aliases(struct serializer *serializer, const struct abi *abi)
{
	varint_put(&serializer->body, abi->alias_count);
	for (size_t i = 0; i < abi->alias_count; i++) {
		put_text(serializer, abi->aliases[i].name);
		put_text(serializer, abi->aliases[i].type);
		varint_put(&serializer->body, abi->aliases[i].size_bytes);
	}
}

static void put_enums(struct serializer *serializer, const struct abi *abi)
{
	varint_put(&serializer->body, abi->enum_count);
	for (size_t i = 0; i < abi->enum_count; i++) {
		const struct abi_enum *one = &abi->enums[i];

		put_text(serializer, one->name);
		put_text(serializer, one->type);
		varint_put(&serializer->body, one->size_bytes);
		put_text(serializer, one->source);
		varint_put(&serializer->body, one->value_count);
		for (size_t j = 0; j < one->value_count; j++) {
			put_text(serializer, one->values[j].name);
			put_value(serializer, one->values[j].value);
		}
	}
}

static void put_constants(struct serializer *serializer, const struct abi *abi)
{
	varint_put(&serializer->body, abi->constant_count);
	for (size_t i = 0; i < abi->constant_count; i++) {
		put_text(serializer, abi->constants[i].name);
		put_value(serializer, abi->constants[i].value);
	}
}

static void put_ioctls(struct serializer *serializer, const struct abi *abi)
{
	varint_put(&serializer->body, abi->ioctl_count);
	for (size_t i = 0; i < abi->ioctl_count; i++) {
		const struct abi_ioctl *ioctl = &abi->ioctls[i];

		put_text(serializer, ioctl->family);
		put_text(serializer, ioctl->name);
		varint_put(&serializer->body, ioctl->number);
		put_optional(serializer, ioctl->params);
		put_optional(serializer, ioctl->access);
		put_text(serializer, ioctl->source);
		varint_put(&serializer->body, abi_ioctl_head(ioctl));
		if (abi_ioctl_is_encoded(ioctl) && ioctl->argument)
			put_text(serializer, ioctl->argument);
		for (size_t j = 0; j < ioctl->flag_count; j++)
			put_text(serializer, ioctl->flags[j]);
	}
}

static void put_warnings(struct serializer *serializer, const struct abi *abi)
{
	varint_put(&serializer->body, abi->warning_count);
	for (size_t i = 0; i < abi->warning_count; i++) {
		put_text(serializer, abi->warnings[i].place);
		put_text(serializer, abi->warnings[i].text);
	}
}

/* The header in front of what @out has held since @start. */
static void seal_header(struct strbuf *out, size_t start)
{
	unsigned char *header = (unsigned char *)out->text + start;
	uint64_t size = out->length - start - SERIAL_HEADER_BYTES;
	XXH128_canonical_t hash;

	memcpy(header, SERIAL_MAGIC, SERIAL_MAGIC_BYTES);
	for (int i = 0; i < 8; i++)
		header[SERIAL_SIZE_AT + i] = (unsigned char)(size >> (8 * i));
	XXH128_canonicalFromHash(&hash, XXH3_128bits(header + SERIAL_HEADER_BYTES, size));
	memcpy(header + SERIAL_HASH_AT, &hash, sizeof(hash));
}

void abi_serialize(struct strbuf *out, const struct abi *abi)
{
	static const char no_header[SERIAL_HEADER_BYTES];
	struct serializer serializer = { 0 };
	size_t start = out->length;

	put_text(&serializer, abi->driver);
	put_text(&serializer, abi->version);
	put_text(&serializer, abi->commit);
	put_text(&serializer, abi->target);
	put_records(&serializer, abi);
	put_aliases(&serializer, abi);
	put_enums(&serializer, abi);
	put_constants(&serializer, abi);
	put_ioctls(&serializer, abi);
	put_warnings(&serializer, abi);

	strbuf_add(out, no_header, sizeof(no_header));
	varint_put(out, serializer.string_count);
	varint_put(out, serializer.strings.length);
	strbuf_add(out, strbuf_text(&serializer.strings), serializer.strings.length);
	strbuf_add(out, strbuf_text(&serializer.body), serializer.body.length);
	seal_header(out, start);

	HASH_CLEAR(hh, serializer.known_strings);
	HASH_CLEAR(hh, serializer.known_fields);
	arena_release(&serializer.scratch);
	strbuf_release(&serializer.strings);
	strbuf_release(&serializer.body);
}
