/*
 * abi/serialize.c - a document as compact bytes, and back
 *
 * The lists of fields that JSON is read and written by are followed here, too. Strings and arrays that occur
 * several times are written once. Reading checks every number and the order of every list, so damaged bytes
 * are an error and never a wrong document.
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
	SERIAL_ARRAY_OWN = 0,
	SERIAL_ARRAY_KNOWN = 1, /* plus its number among those that end before this place and are not empty */
};

/* A string that was written before. */
struct known_string {
	const char *text;
	uint64_t number;
	UT_hash_handle hh;
};

struct array {
	const void *elements;
	size_t count;
	const struct json_struct *of; /* NULL: texts */
};

/* An array that was written before. */
struct known_array {
	struct array array;
	uint64_t number;
	UT_hash_handle hh;
};

struct serializer {
	struct strbuf strings;
	struct strbuf body;
	struct known_string *known_strings;
	struct known_array *known_arrays;
	uint64_t string_count, array_count;
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

/* The number of a kind. */
#define PACKED(kind) ((kind) >> 8 & 15)

static bool is_map(const struct json_field *field)
{
	return (field->kind & ~JSON_MODIFIERS) == JSON_MAP;
}

/* Is the field in this form? JSON's "format" is not, nor are fields that only a function reads or derives. */
static bool is_packed(const struct json_field *field)
{
	const unsigned kind = PACKED(field->kind);

	return kind && kind != PACKED(JSON_FORMAT) && !(field->kind & JSON_DERIVED);
}

static void put_struct(struct serializer *serializer, const void *object, const struct json_struct *of);

static void put_elements(struct serializer *serializer, const struct json_field *field, const char *elements,
			 size_t count)
{
	struct known_array *known = NULL;

	HASH_FIND_PTR(serializer->known_arrays, &elements, known);
	if (known && known->array.count == count && known->array.of == field->of) {
		varint_put(&serializer->body, SERIAL_ARRAY_KNOWN + known->number);
		return;
	}
	varint_put(&serializer->body, SERIAL_ARRAY_OWN);
	varint_put(&serializer->body, count);
	for (size_t i = 0; i < count; i++) {
		const char *element = elements + i * field->of->size;

		if (is_map(field))
			put_text(serializer, *(const char *const *)element);
		put_struct(serializer, element, field->of);
	}
	if (!count)
		return;
	serializer->array_count++;
	if (known)
		return;
	known = arena_alloc(&serializer->scratch, sizeof(*known));
	known->array = (struct array){ elements, count, field->of };
	known->number = serializer->array_count - 1;
	HASH_ADD_PTR(serializer->known_arrays, array.elements, known);
}

static void put_member(struct serializer *serializer, const struct json_field *field, const void *object)
{
	const void *place = (const char *)object + field->offset;
	const size_t count = field->count ? *(const size_t *)((const char *)object + field->count) : 0;
	struct strbuf *body = &serializer->body;
	bool is_there;

	switch (PACKED(field->kind)) {
	case PACKED(JSON_TEXT):
		if (field->kind & (JSON_OPTIONAL | JSON_OR_NULL))
			put_optional(serializer, *(const char *const *)place);
		else
			put_text(serializer, *(const char *const *)place);
		break;
	case PACKED(JSON_TEXT_OR_EMPTY):
		put_text(serializer, *(const char *const *)place);
		break;
	case PACKED(JSON_BOOL):
		varint_put(body, *(const bool *)place);
		break;
	case PACKED(JSON_U32):
		varint_put(body, *(const uint32_t *)place);
		break;
	case PACKED(JSON_U64):
	case PACKED(JSON_BITS):
		varint_put(body, *(const uint64_t *)place);
		break;
	case PACKED(JSON_ROLE):
		varint_put(body, *(const enum abi_role *)place);
		break;
	case PACKED(JSON_NUMBER):
		varint_put(body, ((const struct abi_number *)place)->negative);
		varint_put(body, ((const struct abi_number *)place)->magnitude);
		break;
	case PACKED(JSON_TEXTS):
		varint_put(body, count);
		for (size_t i = 0; i < count; i++)
			put_text(serializer, (*(const char *const *const *)place)[i]);
		break;
	case PACKED(JSON_OBJECT):
		is_there = !field->is_left_out || !field->is_left_out(object);
		varint_put(body, is_there);
		if (is_there)
			put_struct(serializer, place, field->of);
		break;
	case PACKED(JSON_LIST):
	case PACKED(JSON_MAP):
		put_elements(serializer, field, *(const char *const *)place, count);
		break;
	}
}

static void put_struct(struct serializer *serializer, const void *object, const struct json_struct *of)
{
	for (const struct json_field *field = of->field; field->key; field++)
		if (is_packed(field))
			put_member(serializer, field, object);
}

/* The header before the bytes that were appended to @out since @start. */
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

	put_struct(&serializer, abi, &abi_document_fields);

	strbuf_add(out, no_header, sizeof(no_header));
	varint_put(out, serializer.string_count);
	varint_put(out, serializer.strings.length);
	strbuf_add(out, strbuf_text(&serializer.strings), serializer.strings.length);
	strbuf_add(out, strbuf_text(&serializer.body), serializer.body.length);
	seal_header(out, start);

	HASH_CLEAR(hh, serializer.known_strings);
	HASH_CLEAR(hh, serializer.known_arrays);
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
	struct array *arrays;
	size_t array_count, array_capacity;
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
	bool negative = byte_reader_bool(&from->in);
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

/* The fewest bytes of one element of an array. */
static size_t least_bytes(const struct json_field *array)
{
	const struct json_field *field;
	size_t least = is_map(array);

	for (field = array->of->field; field->key; field++)
		if (is_packed(field))
			least += (field->kind & ~JSON_MODIFIERS) == JSON_NUMBER ? 2 : 1;
	return least;
}

static void read_struct(struct deserializer *from, void *object, const struct json_struct *of);

static struct array read_own_array(struct deserializer *from, const struct json_field *field)
{
	const size_t count = read_count(from, least_bytes(field)), size = field->of->size;
	char *elements = count ? arena_array(from->arena, count, size) : NULL;

	for (size_t i = 0; i < count && !from->in.failed; i++) {
		if (is_map(field))
			*(const char **)(elements + i * size) = read_text(from);
		read_struct(from, elements + i * size, field->of);
	}
	if (is_map(field) || field->of->order)
		check_order(from, elements, count, size, is_map(field) ? abi_order_named : field->of->order);
	if (count) {
		ARRAY_GROW(from->arrays, from->array_count, from->array_capacity);
		from->arrays[from->array_count++] = (struct array){ elements, count, field->of };
	}
	return (struct array){ elements, count, field->of };
}

static struct array read_array(struct deserializer *from, const struct json_field *field)
{
	const uint64_t how = read_number(from);

	if (how == SERIAL_ARRAY_OWN)
		return read_own_array(from, field);
	if (how - SERIAL_ARRAY_KNOWN < from->array_count &&
	    from->arrays[how - SERIAL_ARRAY_KNOWN].of == field->of)
		return from->arrays[how - SERIAL_ARRAY_KNOWN];
	fail(from);
	return (struct array){ NULL, 0, NULL };
}

static struct array read_texts(struct deserializer *from)
{
	const size_t count = read_count(from, 1);
	const char **texts = count ? arena_array(from->arena, count, sizeof(*texts)) : NULL;

	for (size_t i = 0; i < count; i++)
		texts[i] = read_text(from);
	check_order(from, texts, count, sizeof(*texts), abi_order_string);
	return (struct array){ texts, count, NULL };
}

/* What holds other things. */
static void read_compound(struct deserializer *from, const struct json_field *field, void *object)
{
	struct array array;

	if (PACKED(field->kind) == PACKED(JSON_OBJECT)) {
		if (byte_reader_bool(&from->in)) {
			read_struct(from, json_place(object, field), field->of);
			if (field->is_left_out && field->is_left_out(object))
				fail(from);
		}
		return;
	}
	array = PACKED(field->kind) == PACKED(JSON_TEXTS) ? read_texts(from) : read_array(from, field);
	*(const void **)json_place(object, field) = array.elements;
	*(size_t *)((char *)object + field->count) = array.count;
}

static void read_struct(struct deserializer *from, void *object, const struct json_struct *of)
{
	for (const struct json_field *field = of->field; field->key; field++) {
		void *place = json_place(object, field);

		if (!is_packed(field))
			continue;
		switch (PACKED(field->kind)) {
		case PACKED(JSON_TEXT):
			*(const char **)place = field->kind & (JSON_OPTIONAL | JSON_OR_NULL)
							? read_optional(from)
							: read_text(from);
			break;
		case PACKED(JSON_TEXT_OR_EMPTY):
			*(const char **)place = read_text(from);
			break;
		case PACKED(JSON_BOOL):
			*(bool *)place = byte_reader_bool(&from->in);
			break;
		case PACKED(JSON_U32):
			*(uint32_t *)place = (uint32_t)byte_reader_below(
				&from->in, field->max ? field->max + 1 : UINT64_C(1) << 32);
			break;
		case PACKED(JSON_U64):
		case PACKED(JSON_BITS):
			*(uint64_t *)place = read_number(from);
			break;
		case PACKED(JSON_ROLE):
			*(enum abi_role *)place =
				(enum abi_role)byte_reader_below(&from->in, ABI_ROLE_LAST + 1);
			break;
		case PACKED(JSON_NUMBER):
			*(struct abi_number *)place = read_value(from);
			break;
		default:
			read_compound(from, field, object);
			break;
		}
	}
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

/* Return: false if @data is not the whole output of abi_serialize(). */
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
	read_struct(from, abi, &abi_document_fields);
	if (from->in.at != from->in.end || from->next_string != from->string_count)
		fail(from);
}

int abi_deserialize(struct abi *abi, const void *data, size_t size, struct arena *arena, struct err *err)
{
	struct deserializer from = { .arena = arena };
	struct abi got = { 0 };

	if (!header_is_right(data, size))
		return err_set(err, ERR_FORMAT,
			       "the packed document is damaged, truncated, or of another version of drvabi");
	byte_reader_init(&from.in, (const unsigned char *)data + SERIAL_HEADER_BYTES,
			 size - SERIAL_HEADER_BYTES);
	read_document(&from, &got);
	free(from.strings);
	free(from.arrays);
	if (from.in.failed)
		return err_set(err, ERR_FORMAT,
			       "the packed document contradicts itself; it was not written by this drvabi");
	*abi = got;
	return 0;
}
