/*
 * The parts of each kind of element, in the order of the archive. One list of parts is enough to make keys,
 * by which equal elements are found, and to write and read archives:
 *
 * Each part is passed to number_part() or text_part(), and replaced with the result. If an element is
 * written, the result is the part itself. If an element is read, the part is ignored, and the result was
 * read.
 */
#include "store/internal.h"

/* --- where an element is declared ----------------------------------------------- */

enum { DIGITS_MAX = 9 }; /* a number with up to 9 digits fits into 32 bits */

/*
 * Reads the number after the last ':' in the first @length bytes of @source, for location_split(). A number
 * with leading zeros or more than 9 digits is not accepted, because location_join() must restore the exact
 * text. Return: the length of the text before the ':'; 0 if there is no such number.
 */
static size_t number_before(uint32_t *number, const char *source, size_t length)
{
	size_t start = length;
	uint32_t value = 0;

	while (start && view_is_digit(source[start - 1]))
		start--;
	if (start == length || length - start > DIGITS_MAX || !start || source[start - 1] != ':')
		return 0;
	if (source[start] == '0' && length - start > 1)
		return 0;
	for (size_t i = start; i < length; i++)
		value = value * 10 + (uint32_t)(source[i] - '0');
	*number = value;
	return start - 1;
}

struct location location_split(const char *source)
{
	struct location location = { .path_length = strlen(source), .form = ARCHIVE_LOCATION_WHOLE };
	uint32_t last, line;
	size_t before_last = number_before(&last, source, location.path_length);
	size_t before_line = before_last ? number_before(&line, source, before_last) : 0;

	if (before_line)
		return (struct location){ before_line, ARCHIVE_LOCATION_COLUMN + last, line };
	if (before_last)
		return (struct location){ before_last, ARCHIVE_LOCATION_LINE, last };
	return location;
}

/* Writes ":42" at @at. Return: the end of the text. */
static char *put_decimal(char *at, uint32_t number)
{
	char digits[10];
	size_t count = 0;

	do
		digits[count++] = (char)('0' + number % 10);
	while (number /= 10);
	*at++ = ':';
	while (count)
		*at++ = digits[--count];
	return at;
}

const char *location_join(const char *path, size_t path_length, uint32_t form, uint32_t line,
			  struct arena *arena)
{
	enum { NUMBERS_MAX = sizeof(":4294967295:4294967295") };
	char *text, *end;

	if (form == ARCHIVE_LOCATION_WHOLE)
		return path;
	text = arena_alloc(arena, path_length + NUMBERS_MAX);
	memcpy(text, path, path_length);
	end = put_decimal(text + path_length, line);
	if (form != ARCHIVE_LOCATION_LINE)
		put_decimal(end, form - ARCHIVE_LOCATION_COLUMN);
	return text;
}

/* --- numbers and texts ---------------------------------------------------------- */

static uint64_t number_part(struct parts *parts, uint64_t number)
{
	if (parts->reads)
		return byte_reader_number(&parts->in);
	parts->number(parts->to, number);
	return number;
}

/* As number_part(). If a number that was read is not less than @limit, parts->in fails. */
static uint64_t number_part_below(struct parts *parts, uint64_t number, uint64_t limit)
{
	number = number_part(parts, number);
	return !parts->reads || number < limit ? number : byte_reader_fail(&parts->in);
}

/*
 * Writes @text, which can be NULL, or reads a text: its number among the strings. At its first use, a string
 * is the next one in its block. Return: the text or NULL; "", and parts->in fails, if the number is invalid.
 */
static const char *optional_text_part(struct parts *parts, const char *text)
{
	uint64_t number;

	if (!parts->reads) {
		parts->text(parts->to, text);
		return text;
	}
	number = byte_reader_number(&parts->in);
	if (number == ARCHIVE_STRING_NULL)
		return NULL;
	if (number == ARCHIVE_STRING_NEXT) {
		if (!parts->in.failed && parts->next_string < parts->string_count)
			return parts->strings[parts->next_string++];
	} else if (number - ARCHIVE_STRING_FIRST < parts->next_string) {
		return parts->strings[number - ARCHIVE_STRING_FIRST];
	}
	byte_reader_fail(&parts->in);
	return "";
}

const char *text_part(struct parts *parts, const char *text)
{
	text = optional_text_part(parts, text);
	if (text)
		return text;
	byte_reader_fail(&parts->in);
	return "";
}

/* Writes or reads an integer as its sign and magnitude. If it is read as -0, parts->in fails. */
static void value_parts(struct parts *parts, struct abi_number *value)
{
	value->negative = number_part_below(parts, value->negative, 2);
	value->magnitude = number_part(parts, value->magnitude);
	if (parts->reads && value->negative && !value->magnitude)
		byte_reader_fail(&parts->in);
}

static void place_parts(struct parts *parts, struct place *place)
{
	place->path = (uint32_t)number_part_below(parts, place->path, parts->path_count);
	place->form = (uint32_t)number_part_below(parts, place->form, UINT32_MAX);
}

/* --- lists in an element --------------------------------------------------------- */

/*
 * Writes or reads the @count items of a list, each with @part. If the list is read, @items is ignored, and
 * the items are allocated in parts->arena. Return: the list; NULL if it was read and is empty.
 */
static const void *item_parts(struct parts *parts, const void *items, size_t count, size_t size_bytes,
			      void (*part)(struct parts *parts, void *item))
{
	char *read = parts->reads && count ? arena_array(parts->arena, count, size_bytes) : NULL;
	union {
		struct abi_field field;
		struct abi_enumerator enumerator;
		struct abi_warning warning;
		const char *text;
	} copy; /* @part sets each part, but the items that are written are const */

	for (size_t i = 0; i < count; i++) {
		if (!parts->reads)
			memcpy(&copy, (const char *)items + i * size_bytes, size_bytes);
		part(parts, parts->reads ? read + i * size_bytes : (void *)&copy);
	}
	return parts->reads ? read : items;
}

/*
 * Writes or reads the number of items, and then the items, as item_parts(). @count: set if the list is read.
 * @least_bytes: the minimum size of an item in the archive
 */
static const void *list_parts(struct parts *parts, const void *items, size_t *count, size_t size_bytes,
			      size_t least_bytes, void (*part)(struct parts *parts, void *item))
{
	*count = parts->reads ? byte_reader_count(&parts->in, least_bytes) : number_part(parts, *count);
	return item_parts(parts, items, *count, size_bytes, part);
}

static void flag_part(struct parts *parts, void *item)
{
	const char **flag = item;

	*flag = text_part(parts, *flag);
}

static void enumerator_parts(struct parts *parts, void *item)
{
	struct abi_enumerator *enumerator = item;

	enumerator->name = text_part(parts, enumerator->name);
	value_parts(parts, &enumerator->value);
}

/* Writes or reads one field of a record, for list_parts(). If the role is invalid, parts->in fails. */
static void field_parts(struct parts *parts, void *item)
{
	struct abi_field *field = item;
	uint64_t flags = (uint64_t)field->role << ARCHIVE_FIELD_ROLE_SHIFT |
			 (field->is_bitfield ? ARCHIVE_FIELD_BITFIELD : 0);

	field->name = text_part(parts, field->name);
	field->type = text_part(parts, field->type);
	field->offset_bits = number_part(parts, field->offset_bits);
	field->size_bits = number_part(parts, field->size_bits);
	flags = number_part_below(parts, flags, (ABI_ROLE_LAST + 1) << ARCHIVE_FIELD_ROLE_SHIFT);
	field->role = (enum abi_role)(flags >> ARCHIVE_FIELD_ROLE_SHIFT);
	field->is_bitfield = flags & ARCHIVE_FIELD_BITFIELD;
}

static void one_warning_parts(struct parts *parts, void *item)
{
	struct abi_warning *warning = item;

	warning->place = text_part(parts, warning->place);
	warning->text = text_part(parts, warning->text);
}

/* --- things ----------------------------------------------------------------------- */

/*
 * An ioctl's head has the flag count in the bits below HEAD_ENCODING. The other bits are 0 if the ioctl's
 * number is plain. Old archives have only flag counts.
 */
enum { HEAD_ENCODING = 48, HEAD_VARIES = 52, HEAD_ARGUMENT = 56 }; /* the lowest bit of each part */

/*
 * Writes or reads an ioctl's head, and sets flag_count, encoding and varies. If the head is invalid,
 * parts->in fails. Return: true if the ioctl's argument follows in the archive.
 */
static bool head_part(struct parts *parts, struct abi_ioctl *ioctl)
{
	uint64_t head = ioctl->flag_count;

	if (!abi_ioctl_is_plain(ioctl))
		head |= (uint64_t)ioctl->encoding << HEAD_ENCODING | (uint64_t)ioctl->varies << HEAD_VARIES |
			(uint64_t)(ioctl->argument != NULL) << HEAD_ARGUMENT;
	head = number_part_below(parts, head, UINT64_C(2) << HEAD_ARGUMENT);
	ioctl->flag_count = head & ((UINT64_C(1) << HEAD_ENCODING) - 1);
	ioctl->encoding = (enum abi_encoding)(head >> HEAD_ENCODING & 15);
	ioctl->varies = head >> HEAD_VARIES & 15;
	if (ioctl->encoding > ABI_ENCODING_LAST || (abi_ioctl_is_plain(ioctl) && head >> HEAD_ENCODING))
		byte_reader_fail(&parts->in);
	return head >> HEAD_ARGUMENT & 1;
}

/* Writes or reads an ioctl, its place and its flags. If a part is invalid, parts->in fails. */
static void ioctl_parts(struct parts *parts, struct abi_ioctl *ioctl, struct place *place)
{
	ioctl->family = text_part(parts, ioctl->family);
	ioctl->name = text_part(parts, ioctl->name);
	place_parts(parts, place);
	ioctl->number = number_part(parts, ioctl->number);
	ioctl->params = optional_text_part(parts, ioctl->params);
	ioctl->access = optional_text_part(parts, ioctl->access);
	if (head_part(parts, ioctl))
		ioctl->argument = text_part(parts, ioctl->argument);
	if (parts->reads)
		ioctl->flag_count = byte_reader_bounded(&parts->in, ioctl->flag_count, 1);
	ioctl->flags = item_parts(parts, ioctl->flags, ioctl->flag_count, sizeof(*ioctl->flags), flag_part);
}

void thing_parts(struct parts *parts, size_t kind, void *thing, struct place *place)
{
	struct abi_record *record = thing;
	struct abi_alias *alias = thing;
	struct abi_enum *one = thing;
	struct abi_constant *constant = thing;
	struct abi *abi = thing;

	switch (kind) {
	case ABI_RECORD:
		record->name = text_part(parts, record->name);
		place_parts(parts, place);
		break;
	case ABI_ALIAS:
		alias->name = text_part(parts, alias->name);
		alias->type = text_part(parts, alias->type);
		alias->size_bytes = number_part(parts, alias->size_bytes);
		break;
	case ABI_ENUM:
		one->name = text_part(parts, one->name);
		place_parts(parts, place);
		one->type = text_part(parts, one->type);
		one->size_bytes = number_part(parts, one->size_bytes);
		one->values = list_parts(parts, one->values, &one->value_count, sizeof(*one->values), 3,
					 enumerator_parts);
		break;
	case ABI_CONSTANT:
		constant->name = text_part(parts, constant->name);
		value_parts(parts, &constant->value);
		break;
	case ABI_IOCTL:
		ioctl_parts(parts, thing, place);
		break;
	case THING_WARNINGS:
		abi->warnings = list_parts(parts, abi->warnings, &abi->warning_count, sizeof(*abi->warnings),
					   2, one_warning_parts);
		break;
	case THING_LAYOUT:
		record->size_bytes = number_part(parts, record->size_bytes);
		record->align_bytes = number_part(parts, record->align_bytes);
		record->is_union = number_part_below(parts, record->is_union, 2);
		record->fields = list_parts(parts, record->fields, &record->field_count,
					    sizeof(*record->fields), 5, field_parts);
		break;
	}
}

size_t thing_bytes(size_t kind)
{
	if (kind == THING_WARNINGS)
		return sizeof(struct abi);
	return abi_item_bytes(kind == THING_LAYOUT ? ABI_RECORD : (enum abi_kind)kind);
}

void thing_put(struct parts *parts, size_t kind, const void *thing, struct place place)
{
	union {
		struct abi abi;
		struct abi_record record;
		struct abi_alias alias;
		struct abi_enum one;
		struct abi_constant constant;
		struct abi_ioctl ioctl;
	} copy;

	memcpy(&copy, thing, thing_bytes(kind));
	thing_parts(parts, kind, &copy, &place);
}
