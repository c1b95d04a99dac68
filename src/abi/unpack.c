/*
 * The hash vouches that these are bytes that abi_pack() wrote. Reading is
 * bounded all the same, and the order of names is checked, so that even
 * forged bytes lead nowhere but to ERR_FORMAT.
 */
#include "abi/pack.h"

#include "abi/order.h"
#include "abi/pack_form.h"

#include <stdlib.h>
#include <string.h>

struct unpacker {
	const unsigned char *at;
	const unsigned char *end;
	const char **strings; /* string_count of them */
	size_t string_count;
	size_t next_string;   /* the first that has not been used yet */
	bool failed;          /* once set, at == end and all numbers are 0 */
	struct arena *arena;
};

static uint64_t fail(struct unpacker *in)
{
	in->failed = true;
	in->at = in->end;
	return 0;
}

static inline uint64_t take_number(struct unpacker *in)
{
	uint64_t value;

	return varint_take(&value, &in->at, in->end) ? value : fail(in);
}

/* A count of elements that take at least @least_bytes each, so that no forged count allocates much. */
static size_t take_count(struct unpacker *in, size_t least_bytes)
{
	uint64_t count = take_number(in);

	return count > (uint64_t)(in->end - in->at) / least_bytes ? (size_t)fail(in) : (size_t)count;
}

static bool take_bool(struct unpacker *in)
{
	uint64_t value = take_number(in);

	return value > 1 ? fail(in) : value;
}

static const char *take_optional(struct unpacker *in)
{
	uint64_t number = take_number(in);

	if (number == PACK_STRING_NULL)
		return NULL;
	if (number == PACK_STRING_NEXT) {
		if (!in->failed && in->next_string < in->string_count)
			return in->strings[in->next_string++];
	} else if (number - PACK_STRING_FIRST < in->next_string) {
		return in->strings[number - PACK_STRING_FIRST];
	}
	fail(in);
	return "";
}

static const char *take_text(struct unpacker *in)
{
	const char *text = take_optional(in);

	if (text)
		return text;
	fail(in);
	return "";
}

static struct abi_number take_value(struct unpacker *in)
{
	bool negative = take_bool(in);
	uint64_t magnitude = take_number(in);

	if (negative && !magnitude)
		fail(in);
	return (struct abi_number){ magnitude, negative };
}

/* Sealed arrays are sorted, and no two elements are the same. */
static void check_order(struct unpacker *in, const void *array, size_t count, size_t size,
			int (*order)(const void *, const void *))
{
	for (size_t i = 1; !in->failed && i < count; i++)
		if (order((const char *)array + (i - 1) * size, (const char *)array + i * size) >= 0)
			fail(in);
}

static void take_field(struct unpacker *in, struct abi_field *field)
{
	unsigned char flags;

	field->name = take_text(in);
	field->type = take_text(in);
	field->offset_bits = take_number(in);
	field->size_bits = take_number(in);
	if (in->at == in->end) {
		fail(in);
		return;
	}
	flags = *in->at++;
	if ((flags & PACK_FIELD_ROLE) > ABI_ROLE_LAST)
		fail(in);
	field->role = (enum abi_role)(flags & PACK_FIELD_ROLE);
	field->is_bitfield = flags & PACK_FIELD_BITFIELD;
}

static void take_own_fields(struct unpacker *in, struct abi_record *record)
{
	size_t count = take_count(in, 5);
	struct abi_field *fields = count ? arena_array(in->arena, count, sizeof(*fields)) : NULL;

	for (size_t i = 0; i < count; i++)
		take_field(in, &fields[i]);
	record->fields = fields;
	record->field_count = count;
}

static void take_fields(struct unpacker *in, struct abi_record *records, size_t number)
{
	uint64_t how = take_number(in);
	const struct abi_record *shared;

	if (how == PACK_FIELDS_OWN) {
		take_own_fields(in, &records[number]);
	} else if (how - PACK_FIELDS_SHARED < number) {
		shared = &records[how - PACK_FIELDS_SHARED];
		records[number].fields = shared->fields;
		records[number].field_count = shared->field_count;
	} else {
		fail(in);
	}
}

static void take_records(struct unpacker *in, struct abi *abi)
{
	size_t count = take_count(in, 6);
	struct abi_record *records = count ? arena_array(in->arena, count, sizeof(*records)) : NULL;

	for (size_t i = 0; i < count; i++) {
		records[i].name = take_text(in);
		records[i].size_bytes = take_number(in);
		records[i].align_bytes = take_number(in);
		records[i].is_union = take_bool(in);
		records[i].source = take_text(in);
		take_fields(in, records, i);
	}
	check_order(in, records, count, sizeof(*records), abi_order_named);
	abi->records = records;
	abi->record_count = count;
}

static void take_aliases(struct unpacker *in, struct abi *abi)
{
	size_t count = take_count(in, 3);
	struct abi_alias *aliases = count ? arena_array(in->arena, count, sizeof(*aliases)) : NULL;

	for (size_t i = 0; i < count; i++) {
		aliases[i].name = take_text(in);
		aliases[i].type = take_text(in);
		aliases[i].size_bytes = take_number(in);
	}
	check_order(in, aliases, count, sizeof(*aliases), abi_order_named);
	abi->aliases = aliases;
	abi->alias_count = count;
}

static void take_enumerators(struct unpacker *in, struct abi_enum *one)
{
	size_t count = take_count(in, 3);
	struct abi_enumerator *values = count ? arena_array(in->arena, count, sizeof(*values)) : NULL;

	for (size_t i = 0; i < count; i++) {
		values[i].name = take_text(in);
		values[i].value = take_value(in);
	}
	check_order(in, values, count, sizeof(*values), abi_order_named);
	one->values = values;
	one->value_count = count;
}

static void take_enums(struct unpacker *in, struct abi *abi)
{
	size_t count = take_count(in, 5);
	struct abi_enum *enums = count ? arena_array(in->arena, count, sizeof(*enums)) : NULL;

	for (size_t i = 0; i < count; i++) {
		enums[i].name = take_text(in);
		enums[i].type = take_text(in);
		enums[i].size_bytes = take_number(in);
		enums[i].source = take_text(in);
		take_enumerators(in, &enums[i]);
	}
	check_order(in, enums, count, sizeof(*enums), abi_order_named);
	abi->enums = enums;
	abi->enum_count = count;
}

static void take_constants(struct unpacker *in, struct abi *abi)
{
	size_t count = take_count(in, 3);
	struct abi_constant *constants = count ? arena_array(in->arena, count, sizeof(*constants)) : NULL;

	for (size_t i = 0; i < count; i++) {
		constants[i].name = take_text(in);
		constants[i].value = take_value(in);
	}
	check_order(in, constants, count, sizeof(*constants), abi_order_named);
	abi->constants = constants;
	abi->constant_count = count;
}

static void take_flags(struct unpacker *in, struct abi_ioctl *ioctl)
{
	size_t count = take_count(in, 1);
	const char **flags = count ? arena_array(in->arena, count, sizeof(*flags)) : NULL;

	for (size_t i = 0; i < count; i++)
		flags[i] = take_text(in);
	check_order(in, flags, count, sizeof(*flags), abi_order_string);
	ioctl->flags = flags;
	ioctl->flag_count = count;
}

static void take_ioctls(struct unpacker *in, struct abi *abi)
{
	size_t count = take_count(in, 7);
	struct abi_ioctl *ioctls = count ? arena_array(in->arena, count, sizeof(*ioctls)) : NULL;

	for (size_t i = 0; i < count; i++) {
		ioctls[i].family = take_text(in);
		ioctls[i].name = take_text(in);
		ioctls[i].number = take_number(in);
		ioctls[i].params = take_optional(in);
		ioctls[i].access = take_optional(in);
		ioctls[i].source = take_text(in);
		take_flags(in, &ioctls[i]);
	}
	check_order(in, ioctls, count, sizeof(*ioctls), abi_order_ioctl);
	abi->ioctls = ioctls;
	abi->ioctl_count = count;
}

static void take_warnings(struct unpacker *in, struct abi *abi)
{
	size_t count = take_count(in, 2);
	struct abi_warning *warnings = count ? arena_array(in->arena, count, sizeof(*warnings)) : NULL;

	for (size_t i = 0; i < count; i++) {
		warnings[i].place = take_text(in);
		warnings[i].text = take_text(in);
	}
	check_order(in, warnings, count, sizeof(*warnings), abi_order_warning);
	abi->warnings = warnings;
	abi->warning_count = count;
}

/* Copies the strings into the arena and notes where each begins. */
static void take_strings(struct unpacker *in)
{
	size_t count = take_count(in, 1);
	size_t size = take_count(in, 1);
	const char *text, *end;

	if (in->failed || count > size)
		goto bad;
	in->strings = xmalloc(count * sizeof(*in->strings));
	text = arena_memdup(in->arena, in->at, size);
	end = text + size;
	in->at += size;
	for (; in->string_count < count; in->string_count++) {
		const char *nul = memchr(text, '\0', (size_t)(end - text));

		if (!nul)
			goto bad;
		in->strings[in->string_count] = text;
		text = nul + 1;
	}
	if (text == end)
		return;
bad:
	fail(in);
}

/* Return: false if @data is not the whole of what abi_pack() wrote. */
static bool header_is_right(const unsigned char *data, size_t size)
{
	XXH128_canonical_t hash;
	uint64_t stated = 0;

	if (size < PACK_HEADER_BYTES || memcmp(data, PACK_MAGIC, PACK_MAGIC_BYTES))
		return false;
	for (int i = 0; i < 8; i++)
		stated |= (uint64_t)data[PACK_SIZE_AT + i] << (8 * i);
	if (stated != size - PACK_HEADER_BYTES)
		return false;
	XXH128_canonicalFromHash(&hash, XXH3_128bits(data + PACK_HEADER_BYTES, size - PACK_HEADER_BYTES));
	return !memcmp(&hash, data + PACK_HASH_AT, sizeof(hash));
}

static void take_document(struct unpacker *in, struct abi *abi)
{
	take_strings(in);
	abi->driver = take_text(in);
	abi->version = take_text(in);
	abi->commit = take_text(in);
	abi->target = take_text(in);
	take_records(in, abi);
	take_aliases(in, abi);
	take_enums(in, abi);
	take_constants(in, abi);
	take_ioctls(in, abi);
	take_warnings(in, abi);
	if (in->at != in->end || in->next_string != in->string_count)
		fail(in);
}

int abi_unpack(struct abi *abi, const void *data, size_t size, struct arena *arena, struct err *err)
{
	struct unpacker in = { .arena = arena };
	struct abi got = { 0 };

	if (!header_is_right(data, size))
		return err_set(err, ERR_FORMAT, "the packed document is damaged, cut short, or of another version of drvabi");
	in.at = (const unsigned char *)data + PACK_HEADER_BYTES;
	in.end = (const unsigned char *)data + size;
	take_document(&in, &got);
	free(in.strings);
	if (in.failed)
		return err_set(err, ERR_FORMAT, "the packed document contradicts itself; it was not written by this drvabi");
	*abi = got;
	return 0;
}
