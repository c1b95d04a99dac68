#include "abi/pack.h"

#include "abi/pack_form.h"

#include <string.h>

#define HASH_FUNCTION(key, length, hash) ((hash) = (unsigned int)XXH3_64bits((key), (length)))
#include <uthash.h>

/* A string that was used before. */
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

struct packer {
	struct strbuf strings;
	struct strbuf body;
	struct known_string *known_strings;
	struct known_fields *known_fields;
	uint64_t string_count;
	struct arena scratch; /* the known_* */
};

static void put_optional(struct packer *packer, const char *text)
{
	struct known_string *known;
	unsigned int hash;
	size_t length;

	if (!text) {
		varint_put(&packer->body, PACK_STRING_NULL);
		return;
	}
	length = strlen(text);
	HASH_VALUE(text, length, hash);
	HASH_FIND_BYHASHVALUE(hh, packer->known_strings, text, length, hash, known);
	if (known) {
		varint_put(&packer->body, PACK_STRING_FIRST + known->number);
		return;
	}
	known = arena_alloc(&packer->scratch, sizeof(*known));
	known->text = text;
	known->number = packer->string_count++;
	HASH_ADD_KEYPTR_BYHASHVALUE(hh, packer->known_strings, known->text, length, hash, known);
	strbuf_add(&packer->strings, text, length + 1);
	varint_put(&packer->body, PACK_STRING_NEXT);
}

static void put_text(struct packer *packer, const char *text)
{
	put_optional(packer, text ? text : "");
}

static void put_value(struct packer *packer, struct abi_number value)
{
	varint_put(&packer->body, value.negative);
	varint_put(&packer->body, value.magnitude);
}

static void put_field(struct packer *packer, const struct abi_field *field)
{
	put_text(packer, field->name);
	put_text(packer, field->type);
	varint_put(&packer->body, field->offset_bits);
	varint_put(&packer->body, field->size_bits);
	strbuf_addch(&packer->body, (char)((int)field->role | (field->is_bitfield ? PACK_FIELD_BITFIELD : 0)));
}

static void put_fields(struct packer *packer, const struct abi_record *record, uint64_t number)
{
	struct known_fields *known;

	HASH_FIND_PTR(packer->known_fields, &record->fields, known);
	if (known && known->count == record->field_count) {
		varint_put(&packer->body, PACK_FIELDS_SHARED + known->record);
		return;
	}
	varint_put(&packer->body, PACK_FIELDS_OWN);
	varint_put(&packer->body, record->field_count);
	for (size_t i = 0; i < record->field_count; i++)
		put_field(packer, &record->fields[i]);
	if (known || !record->field_count)
		return;
	known = arena_alloc(&packer->scratch, sizeof(*known));
	known->fields = record->fields;
	known->count = record->field_count;
	known->record = number;
	HASH_ADD_PTR(packer->known_fields, fields, known);
}

static void put_records(struct packer *packer, const struct abi *abi)
{
	varint_put(&packer->body, abi->record_count);
	for (size_t i = 0; i < abi->record_count; i++) {
		const struct abi_record *record = &abi->records[i];

		put_text(packer, record->name);
		varint_put(&packer->body, record->size_bytes);
		varint_put(&packer->body, record->align_bytes);
		varint_put(&packer->body, record->is_union);
		put_text(packer, record->source);
		put_fields(packer, record, i);
	}
}

static void put_aliases(struct packer *packer, const struct abi *abi)
{
	varint_put(&packer->body, abi->alias_count);
	for (size_t i = 0; i < abi->alias_count; i++) {
		put_text(packer, abi->aliases[i].name);
		put_text(packer, abi->aliases[i].type);
		varint_put(&packer->body, abi->aliases[i].size_bytes);
	}
}

static void put_enums(struct packer *packer, const struct abi *abi)
{
	varint_put(&packer->body, abi->enum_count);
	for (size_t i = 0; i < abi->enum_count; i++) {
		const struct abi_enum *one = &abi->enums[i];

		put_text(packer, one->name);
		put_text(packer, one->type);
		varint_put(&packer->body, one->size_bytes);
		put_text(packer, one->source);
		varint_put(&packer->body, one->value_count);
		for (size_t j = 0; j < one->value_count; j++) {
			put_text(packer, one->values[j].name);
			put_value(packer, one->values[j].value);
		}
	}
}

static void put_constants(struct packer *packer, const struct abi *abi)
{
	varint_put(&packer->body, abi->constant_count);
	for (size_t i = 0; i < abi->constant_count; i++) {
		put_text(packer, abi->constants[i].name);
		put_value(packer, abi->constants[i].value);
	}
}

static void put_ioctls(struct packer *packer, const struct abi *abi)
{
	varint_put(&packer->body, abi->ioctl_count);
	for (size_t i = 0; i < abi->ioctl_count; i++) {
		const struct abi_ioctl *ioctl = &abi->ioctls[i];

		put_text(packer, ioctl->family);
		put_text(packer, ioctl->name);
		varint_put(&packer->body, ioctl->number);
		put_optional(packer, ioctl->params);
		put_optional(packer, ioctl->access);
		put_text(packer, ioctl->source);
		varint_put(&packer->body, ioctl->flag_count);
		for (size_t j = 0; j < ioctl->flag_count; j++)
			put_text(packer, ioctl->flags[j]);
	}
}

static void put_warnings(struct packer *packer, const struct abi *abi)
{
	varint_put(&packer->body, abi->warning_count);
	for (size_t i = 0; i < abi->warning_count; i++) {
		put_text(packer, abi->warnings[i].place);
		put_text(packer, abi->warnings[i].text);
	}
}

/* The header in front of what @out has held since @start. */
static void seal_header(struct strbuf *out, size_t start)
{
	unsigned char *header = (unsigned char *)out->text + start;
	uint64_t size = out->length - start - PACK_HEADER_BYTES;
	XXH128_canonical_t hash;

	memcpy(header, PACK_MAGIC, PACK_MAGIC_BYTES);
	for (int i = 0; i < 8; i++)
		header[PACK_SIZE_AT + i] = (unsigned char)(size >> (8 * i));
	XXH128_canonicalFromHash(&hash, XXH3_128bits(header + PACK_HEADER_BYTES, size));
	memcpy(header + PACK_HASH_AT, &hash, sizeof(hash));
}

void abi_pack(struct strbuf *out, const struct abi *abi)
{
	static const char no_header[PACK_HEADER_BYTES];
	struct packer packer = { 0 };
	size_t start = out->length;

	put_text(&packer, abi->driver);
	put_text(&packer, abi->version);
	put_text(&packer, abi->commit);
	put_text(&packer, abi->target);
	put_records(&packer, abi);
	put_aliases(&packer, abi);
	put_enums(&packer, abi);
	put_constants(&packer, abi);
	put_ioctls(&packer, abi);
	put_warnings(&packer, abi);

	strbuf_add(out, no_header, sizeof(no_header));
	varint_put(out, packer.string_count);
	varint_put(out, packer.strings.length);
	strbuf_add(out, strbuf_text(&packer.strings), packer.strings.length);
	strbuf_add(out, strbuf_text(&packer.body), packer.body.length);
	seal_header(out, start);

	HASH_CLEAR(hh, packer.known_strings);
	HASH_CLEAR(hh, packer.known_fields);
	arena_release(&packer.scratch);
	strbuf_release(&packer.strings);
	strbuf_release(&packer.body);
}
