/*
 * abi/serialize.c - a document as compact bytes, and back
 *
 * Strings and arrays of fields that occur several times are written once. Reading checks every number and the
 * order of every list, so damaged bytes are an error and never a wrong document.
 */
#include "abi/abi.h"
#include "abi/internal.h"

#include <stdlib.h>
#include <string.h>

#define HASH_FUNCTION(key, length, hash) ((hash) = (unsigned int)XXH3_64bits((key), (length)))
#include <uthash.h>

enum {
	SERIAL_STRING_NEXT = 0,
	SERIAL_STRING_NULL = 1,
	SERIAL_STRING_FIRST = 2, /* plus the string's number */
};

enum {
	SERIAL_FIELDS_OWN = 0,
	SERIAL_FIELDS_SHARED = 1, /* plus the record's number */
};

/* One byte per field: the role and whether it is a bit-field. */
enum {
	SERIAL_FIELD_ROLE = 0x7f,
	SERIAL_FIELD_BITFIELD = 0x80,
};

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
	strbuf_addch(&serializer->body,
		     (char)((int)field->role | (field->is_bitfield ? SERIAL_FIELD_BITFIELD : 0)));
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

/*
 * The hash vouches that these are bytes that abi_serialize() wrote. Reading is
 * bounded all the same, and the order of names is checked, so that even
 * forged bytes lead nowhere but to ERR_FORMAT.
 */

struct deserializer {
	struct byte_reader in;
	const char **strings; /* string_count of them */
	size_t string_count;
	size_t next_string;   /* the first that has not been used yet */
	struct arena *arena;
};

static void fail(struct deserializer *from)
{
	byte_reader_fail(&from->in);
}

static uint64_t read_number(struct deserializer *from)
{
	return byte_reader_number(&from->in);
}

static size_t read_count(struct deserializer *from, size_t least_bytes)
{
	return byte_reader_count(&from->in, least_bytes);
}

static bool read_bool(struct deserializer *from)
{
	return byte_reader_bool(&from->in);
}

static const char *read_optional(struct deserializer *from)
{
	uint64_t number = read_number(from);

	if (number == SERIAL_STRING_NULL)
		return NULL;
	if (number == SERIAL_STRING_NEXT) {
		if (!from->in.failed && from->next_string < from->string_count)
			return from->strings[from->next_string++];
	} else if (number - SERIAL_STRING_FIRST < from->next_string) {
		return from->strings[number - SERIAL_STRING_FIRST];
	}
	fail(from);
	return "";
}

static const char *read_text(struct deserializer *from)
{
	const char *text = read_optional(from);

	if (text)
		return text;
	fail(from);
	return "";
}

static struct abi_number read_value(struct deserializer *from)
{
	bool negative = read_bool(from);
	uint64_t magnitude = read_number(from);

	if (negative && !magnitude)
		fail(from);
	return (struct abi_number){ magnitude, negative };
}

/* Sealed arrays are sorted, and no two elements are the same. */
static void check_order(struct deserializer *from, const void *array, size_t count, size_t size,
			int (*order)(const void *, const void *))
{
	for (size_t i = 1; !from->in.failed && i < count; i++)
		if (order((const char *)array + (i - 1) * size, (const char *)array + i * size) >= 0)
			fail(from);
}

static void read_field(struct deserializer *from, struct abi_field *field)
{
	unsigned char flags;

	field->name = read_text(from);
	field->type = read_text(from);
	field->offset_bits = read_number(from);
	field->size_bits = read_number(from);
	if (from->in.at == from->in.end) {
		fail(from);
		return;
	}
	flags = *from->in.at++;
	if ((flags & SERIAL_FIELD_ROLE) > ABI_ROLE_LAST)
		fail(from);
	field->role = (enum abi_role)(flags & SERIAL_FIELD_ROLE);
	field->is_bitfield = flags & SERIAL_FIELD_BITFIELD;
}

static void read_own_fields(struct deserializer *from, struct abi_record *record)
{
	size_t count = read_count(from, 5);
	struct abi_field *fields = count ? arena_array(from->arena, count, sizeof(*fields)) : NULL;

	for (size_t i = 0; i < count; i++)
		read_field(from, &fields[i]);
	record->fields = fields;
	record->field_count = count;
}

static void read_fields(struct deserializer *from, struct abi_record *records, size_t number)
{
	uint64_t how = read_number(from);
	const struct abi_record *shared;

	if (how == SERIAL_FIELDS_OWN) {
		read_own_fields(from, &records[number]);
	} else if (how - SERIAL_FIELDS_SHARED < number) {
		shared = &records[how - SERIAL_FIELDS_SHARED];
		records[number].fields = shared->fields;
		records[number].field_count = shared->field_count;
	} else {
		fail(from);
	}
}

static void read_records(struct deserializer *from, struct abi *abi)
{
	size_t count = read_count(from, 6);
	struct abi_record *records = count ? arena_array(from->arena, count, sizeof(*records)) : NULL;

	for (size_t i = 0; i < count; i++) {
		records[i].name = read_text(from);
		records[i].size_bytes = read_number(from);
		records[i].align_bytes = read_number(from);
		records[i].is_union = read_bool(from);
		records[i].source = read_text(from);
		read_fields(from, records, i);
	}
	check_order(from, records, count, sizeof(*records), abi_order_named);
	abi->records = records;
	abi->record_count = count;
}

static void read_aliases(struct deserializer *from, struct abi *abi)
{
	size_t count = read_count(from, 3);
	struct abi_alias *aliases = count ? arena_array(from->arena, count, sizeof(*aliases)) : NULL;

	for (size_t i = 0; i < count; i++) {
		aliases[i].name = read_text(from);
		aliases[i].type = read_text(from);
		aliases[i].size_bytes = read_number(from);
	}
	check_order(from, aliases, count, sizeof(*aliases), abi_order_named);
	abi->aliases = aliases;
	abi->alias_count = count;
}

static void read_enumerators(struct deserializer *from, struct abi_enum *one)
{
	size_t count = read_count(from, 3);
	struct abi_enumerator *values = count ? arena_array(from->arena, count, sizeof(*values)) : NULL;

	for (size_t i = 0; i < count; i++) {
		values[i].name = read_text(from);
		values[i].value = read_value(from);
	}
	check_order(from, values, count, sizeof(*values), abi_order_named);
	one->values = values;
	one->value_count = count;
}

static void read_enums(struct deserializer *from, struct abi *abi)
{
	size_t count = read_count(from, 5);
	struct abi_enum *enums = count ? arena_array(from->arena, count, sizeof(*enums)) : NULL;

	for (size_t i = 0; i < count; i++) {
		enums[i].name = read_text(from);
		enums[i].type = read_text(from);
		enums[i].size_bytes = read_number(from);
		enums[i].source = read_text(from);
		read_enumerators(from, &enums[i]);
	}
	check_order(from, enums, count, sizeof(*enums), abi_order_named);
	abi->enums = enums;
	abi->enum_count = count;
}

static void read_constants(struct deserializer *from, struct abi *abi)
{
	size_t count = read_count(from, 3);
	struct abi_constant *constants = count ? arena_array(from->arena, count, sizeof(*constants)) : NULL;

	for (size_t i = 0; i < count; i++) {
		constants[i].name = read_text(from);
		constants[i].value = read_value(from);
	}
	check_order(from, constants, count, sizeof(*constants), abi_order_named);
	abi->constants = constants;
	abi->constant_count = count;
}

static void read_flags(struct deserializer *from, struct abi_ioctl *ioctl)
{
	bool has_argument = false;
	const char **flags;
	size_t count;

	if (!abi_ioctl_set_head(ioctl, &has_argument, read_number(from)))
		fail(from);
	if (has_argument)
		ioctl->argument = read_text(from);
	count = byte_reader_bounded(&from->in, ioctl->flag_count, 1);
	flags = count ? arena_array(from->arena, count, sizeof(*flags)) : NULL;
	for (size_t i = 0; i < count; i++)
		flags[i] = read_text(from);
	check_order(from, flags, count, sizeof(*flags), abi_order_string);
	ioctl->flags = flags;
	ioctl->flag_count = count;
}

static void read_ioctls(struct deserializer *from, struct abi *abi)
{
	size_t count = read_count(from, 7);
	struct abi_ioctl *ioctls = count ? arena_array(from->arena, count, sizeof(*ioctls)) : NULL;

	for (size_t i = 0; i < count; i++) {
		ioctls[i].family = read_text(from);
		ioctls[i].name = read_text(from);
		ioctls[i].number = read_number(from);
		ioctls[i].params = read_optional(from);
		ioctls[i].access = read_optional(from);
		ioctls[i].source = read_text(from);
		read_flags(from, &ioctls[i]);
	}
	check_order(from, ioctls, count, sizeof(*ioctls), abi_order_ioctl);
	abi->ioctls = ioctls;
	abi->ioctl_count = count;
}

static void read_warnings(struct deserializer *from, struct abi *abi)
{
	size_t count = read_count(from, 2);
	struct abi_warning *warnings = count ? arena_array(from->arena, count, sizeof(*warnings)) : NULL;

	for (size_t i = 0; i < count; i++) {
		warnings[i].place = read_text(from);
		warnings[i].text = read_text(from);
	}
	check_order(from, warnings, count, sizeof(*warnings), abi_order_warning);
	abi->warnings = warnings;
	abi->warning_count = count;
}

/* Copies the strings into the arena and notes where each begins. */
static void read_strings(struct deserializer *from)
{
	size_t count = read_count(from, 1);
	size_t size = read_count(from, 1);
	const char *text, *end;

	if (from->in.failed || count > size)
		goto bad;
	from->strings = xmalloc(count * sizeof(*from->strings));
	text = arena_memdup(from->arena, from->in.at, size);
	end = text + size;
	from->in.at += size;
	for (; from->string_count < count; from->string_count++) {
		const char *nul = memchr(text, '\0', (size_t)(end - text));

		if (!nul)
			goto bad;
		from->strings[from->string_count] = text;
		text = nul + 1;
	}
	if (text == end)
		return;
bad:
	fail(from);
}

/* Return: false if @data is not the whole of what abi_serialize() wrote. */
static bool header_is_right(const unsigned char *data, size_t size)
{
	XXH128_canonical_t hash;
	uint64_t stated = 0;

	if (size < SERIAL_HEADER_BYTES || memcmp(data, SERIAL_MAGIC, SERIAL_MAGIC_BYTES))
		return false;
	for (int i = 0; i < 8; i++)
		stated |= (uint64_t)data[SERIAL_SIZE_AT + i] << (8 * i);
	if (stated != size - SERIAL_HEADER_BYTES)
		return false;
	XXH128_canonicalFromHash(&hash, XXH3_128bits(data + SERIAL_HEADER_BYTES, size - SERIAL_HEADER_BYTES));
	return !memcmp(&hash, data + SERIAL_HASH_AT, sizeof(hash));
}

static void read_document(struct deserializer *from, struct abi *abi)
{
	read_strings(from);
	abi->driver = read_text(from);
	abi->version = read_text(from);
	abi->commit = read_text(from);
	abi->target = read_text(from);
	read_records(from, abi);
	read_aliases(from, abi);
	read_enums(from, abi);
	read_constants(from, abi);
	read_ioctls(from, abi);
	read_warnings(from, abi);
	if (from->in.at != from->in.end || from->next_string != from->string_count)
		fail(from);
}

int abi_deserialize(struct abi *abi, const void *data, size_t size, struct arena *arena, struct err *err)
{
	struct deserializer from = { .arena = arena };
	struct abi got = { 0 };

	if (!header_is_right(data, size))
		return err_set(err, ERR_FORMAT,
			       "the packed document is damaged, cut short, or of another version of drvabi");
	byte_reader_init(&from.in, (const unsigned char *)data + SERIAL_HEADER_BYTES,
			 size - SERIAL_HEADER_BYTES);
	read_document(&from, &got);
	free(from.strings);
	if (from.in.failed)
		return err_set(err, ERR_FORMAT,
			       "the packed document contradicts itself; it was not written by this drvabi");
	*abi = got;
	return 0;
}
