/* abi/fields.c - reads, writes and compares structs, with the list of their fields (struct json_struct) */
#include "abi/internal.h"

_Static_assert(sizeof(size_t) == sizeof(uint64_t), "JSON_SIZE is JSON_U64");

/* Is the struct written as the value of its only field, instead of as an object? */
static bool is_plain_value(const struct json_struct *of)
{
	return !*of->field[0].key;
}

static bool is_hidden(const struct json_field *field)
{
	return (field->kind & JSON_HIDDEN) == JSON_HIDDEN;
}

/* Is the value computed from other fields, instead of stored in the struct? */
static bool is_computed(const struct json_field *field)
{
	return field->get_text || field->get_number;
}

/* Finds the field with @key; NULL if it is unknown. Tries @guess first, because most keys are in order. */
static const struct json_field *find_json_field(const struct json_struct *of, const struct json_field *guess,
						const char *key)
{
	if (guess->key && !is_hidden(guess) && !strcmp(guess->key, key))
		return guess;
	for (guess = of->field; guess->key; guess++)
		if (!is_hidden(guess) && !strcmp(guess->key, key))
			return guess;
	return NULL;
}

/*
 * Sets @found[i] to the JSON member of the field number i of @of; its item is NULL if the member is absent.
 * Fails on a wrong format, unknown keys, values of a wrong type and missing keys, before any value is read.
 */
static int find_members(struct json_value *found, const struct json_struct *of, const struct json_value *at,
			struct err *err)
{
	const struct json_field *field;
	struct json_value child;
	int rc;

	if ((rc = json_expect(at, JSON_WANT_OBJECT, err)))
		return rc;
	for (field = of->field; field->key; field++)
		found[field - of->field] = (struct json_value){ .parent = at, .key = field->key };
	field = of->field;
	for (child = json_first(at); child.item; json_next(&child)) {
		field = find_json_field(of, field, child.key);
		if (!field)
			return json_fail(&child, ERR_FORMAT, err, "unknown key");
		found[field - of->field].item = child.item;
		if ((rc = json_expect(&child, field->kind, err)))
			return rc;
		if (json_is_fixed_text(field) && strcmp(child.item->valuestring, field->text))
			return json_fail(&child, ERR_FORMAT, err, "expected \"%s\", found \"%.60s\"",
					 field->text, child.item->valuestring);
		field++;
	}
	for (field = of->field; field->key; field++)
		if (!found[field - of->field].item && !(field->kind & JSON_WANT_OPTIONAL))
			return json_fail(at, ERR_FORMAT, err, "the key \"%s\" is missing", field->key);
	return 0;
}

/* Reads a list or map of structs into a new array. An element of a map begins with its key. */
static int read_elements(void *object, const struct json_field *field, const struct json_value *at,
			 struct json_reader *reader)
{
	const size_t size = field->of->size, count = json_count(at);
	char *elements = arena_array(reader->arena, count + 1, size);
	struct json_value child;
	int rc = 0;

	for (child = json_first(at); child.item && !rc; json_next(&child)) {
		void *element = elements + child.index * size;

		if (child.key)
			*(const char **)element = arena_strdup(reader->arena, child.key);
		rc = json_read_struct(element, field->of, &child, reader);
	}
	*(void **)json_place(object, field) = elements;
	*(size_t *)((char *)object + field->count) = count;
	return rc;
}

static int read_unsigned(uint64_t *out, const struct json_field *field, const struct json_value *at,
			 uint64_t max, struct err *err)
{
	return at->item ? json_get_unsigned(out, at, field->max ? field->max : max, err) : 0;
}

/*
 * Sets @out to the constant whose name is the text at @at. If the key is missing, @out is unchanged. Return:
 * 0; ERR_FORMAT if no constant has the name, with a message that lists the names.
 */
static int read_named(unsigned *out, const struct json_field *field, const struct json_value *at,
		      struct err *err)
{
	const char *text = at->item ? at->item->valuestring : NULL;
	struct strbuf names = { 0 };
	int rc;

	for (unsigned i = 0; text && i < field->max; i++)
		if (*text && field->name_of(i) && !strcmp(field->name_of(i), text)) {
			*out = i;
			return 0;
		}
	if (!text)
		return 0;
	for (unsigned i = 0; i < field->max; i++)
		if (field->name_of(i) && *field->name_of(i))
			strbuf_addf(&names, "%s%s", !names.length ? "" : i + 1 < field->max ? ", " : " or ",
				    field->name_of(i));
	rc = json_fail(at, ERR_FORMAT, err, "\"%.60s\" is not %s (%s)", text, field->text,
		       strbuf_text(&names));
	strbuf_release(&names);
	return rc;
}

/* Adds to @out the bit of each constant whose name is in the list at @at. */
static int read_named_bits(unsigned *out, const struct json_field *field, const struct json_value *at,
			   struct err *err)
{
	struct json_value child;
	unsigned constant;
	int rc = 0;

	for (child = json_first(at); child.item && !rc; json_next(&child))
		if (!(rc = json_expect(&child, JSON_WANT_STRING, err)) &&
		    !(rc = read_named(&constant, field, &child, err)))
			*out |= 1u << constant;
	return rc;
}

/*
 * Reads the value at @at into the field of the struct @object, then calls the hooks .check and .read of the
 * field. If the key is missing (@at has no item), no hook is called. An integer, enum or struct then keeps
 * its value, and a text, bool or list becomes NULL, "", false or empty.
 */
static int read_field_value(void *object, const struct json_field *field, const struct json_value *at,
			    struct json_reader *reader)
{
	void *place = json_place(object, field);
	struct profile_strings texts;
	unsigned word = false;
	uint64_t number;
	int rc = 0;

	switch (is_computed(field) ? 0 : field->kind & ~JSON_MODIFIERS) {
	case JSON_TEXT:
		*(const char **)place = json_get_string(at, reader->arena);
		break;
	case JSON_TEXT_OR_EMPTY:
		*(const char **)place = at->item ? json_get_string(at, reader->arena) : "";
		break;
	case JSON_FORMAT: /* find_members() has checked it */
		break;
	case JSON_BOOL:
		*(bool *)place = at->item && cJSON_IsTrue(at->item);
		break;
	case JSON_U32:
		number = *(uint32_t *)place;
		if (!(rc = read_unsigned(&number, field, at, UINT32_MAX, reader->err)))
			*(uint32_t *)place = (uint32_t)number;
		break;
	case JSON_BITS:
		if (!(rc = read_unsigned(place, field, at, UINT64_MAX / 8, reader->err)) && at->item)
			*(uint64_t *)place *= 8;
		break;
	case JSON_NAMED:
		rc = read_named(place, field, at, reader->err);
		break;
	case JSON_NAMED_BOOL:
		rc = read_named(&word, field, at, reader->err);
		*(bool *)place = word;
		break;
	case JSON_NAMED_BITS:
		rc = read_named_bits(place, field, at, reader->err);
		break;
	case JSON_U64:
		rc = read_unsigned(place, field, at, UINT64_MAX, reader->err);
		break;
	case JSON_NUMBER:
		*(struct abi_number *)place = json_get_number(at);
		break;
	case JSON_TEXTS:
		if ((rc = json_get_strings(&texts, at, reader->arena, reader->err)))
			break;
		*(const char *const **)place = texts.item;
		*(size_t *)((char *)object + field->count) = texts.count;
		break;
	case JSON_OBJECT:
		rc = at->item ? json_read_struct(place, field->of, at, reader) : 0;
		break;
	case JSON_LIST:
	case JSON_MAP:
		rc = read_elements(object, field, at, reader);
		break;
	}
	if (!rc && at->item && field->check)
		rc = field->check(at, reader->err);
	return rc || !at->item || !field->read ? rc : field->read(object, field, at, reader);
}

int json_read_struct(void *out, const struct json_struct *of, const struct json_value *at,
		     struct json_reader *reader)
{
	struct json_value found[JSON_FIELDS_MAX];
	int rc;

	found[0] = *at;
	if (is_plain_value(of))
		rc = json_expect(at, of->field[0].kind, reader->err);
	else
		rc = find_members(found, of, at, reader->err);
	for (size_t i = 0; !rc && of->field[i].key; i++)
		rc = is_hidden(&of->field[i]) ? 0 : read_field_value(out, &of->field[i], &found[i], reader);
	return rc || !of->check ? rc : of->check(out, found, reader);
}

const struct json_value *json_member(const struct json_value *found, const char *key)
{
	while (strcmp(found->key, key))
		found++;
	return found;
}

int json_read_text(void *out, const struct json_struct *of, const char *text, size_t size, const char *name,
		   struct arena *arena, struct err *err)
{
	struct json_reader reader = { arena, err, NULL };
	void *whole = arena_alloc(arena, of->size);
	struct json_value root;
	int rc;

	if ((rc = json_parse(&root, text, size, name, err)))
		return rc;
	rc = json_read_struct(whole, of, &root, &reader);
	json_parse_free(&root);
	if (!rc)
		memcpy(out, whole, of->size);
	return rc;
}

static bool is_by_pointer(const struct json_field *field)
{
	return field->kind & JSON_BY_POINTER;
}

/* Gets the number, bool or enum at @place. */
static uint64_t number_at(const struct json_field *field, const void *place)
{
	switch (field->kind & ~JSON_MODIFIERS) {
	case JSON_BOOL: return *(const bool *)place;
	case JSON_U32:
	case JSON_NAMED:
	case JSON_NAMED_BITS: return *(const uint32_t *)place;
	default: return *(const uint64_t *)place;
	}
}

/* Returns true if the value at @place is empty, NULL or 0, so that a JSON_SPARSE field is not written. */
static bool is_unset_field(const struct json_field *field, const void *place, size_t count)
{
	switch (field->kind & ~JSON_MODIFIERS) {
	case JSON_TEXT: return !*(const char *const *)place;
	case JSON_TEXT_OR_EMPTY: return !**(const char *const *)place;
	case JSON_BOOL:
	case JSON_U32:
	case JSON_U64:
	case JSON_NAMED:
	case JSON_NAMED_BITS: return !number_at(field, place);
	case JSON_NUMBER:
	case JSON_OBJECT: return is_by_pointer(field) && !*(const void *const *)place;
	case JSON_TEXTS:
	case JSON_LIST:
	case JSON_MAP: return !count;
	default: return false;
	}
}

static void open_list(struct json_writer *writer, const struct json_field *field)
{
	if (field->kind & JSON_ON_ONE_LINE)
		json_open_inline_array(writer);
	else
		json_open_array(writer);
}

/* Writes @count structs as a list or map. @list has pointers to the structs if the field is by pointer. */
static void write_elements(struct json_writer *writer, const struct json_field *field, const void *list,
			   size_t count)
{
	const bool is_map = (field->kind & ~JSON_MODIFIERS) == JSON_MAP;
	const size_t step = is_by_pointer(field) ? sizeof(void *) : field->of->size;

	if (is_map)
		json_open_object(writer);
	else
		open_list(writer, field);
	for (size_t i = 0; i < count; i++) {
		const char *at = (const char *)list + i * step;
		const void *element = is_by_pointer(field) ? *(const void *const *)at : at;

		if (is_map)
			json_key(writer, *(const char *const *)element);
		json_write_struct(writer, element, field->of);
	}
	if (is_map)
		json_close_object(writer);
	else
		json_close_array(writer);
}

/* Writes the key and the value of a field of the struct @object, unless the field is left out. */
static void write_value(struct json_writer *writer, const struct json_field *field, const void *object)
{
	const void *place = (const char *)object + field->offset, *computed;
	size_t count = field->count ? *(const size_t *)((const char *)object + field->count) : 0;
	const unsigned kind = field->kind & ~JSON_MODIFIERS;
	const char *text;
	uint64_t number;

	if (is_hidden(field) || (field->is_left_out && field->is_left_out(object)) ||
	    (field->context_omits && field->context_omits(writer->context)))
		return;
	if (field->get_text) {
		text = field->get_text(object);
		place = &text;
	} else if (field->get_struct || field->get_list) {
		computed = field->get_list ? field->get_list(&count, object) : field->get_struct(object);
		place = &computed;
	}
	if ((field->kind & JSON_SPARSE) == JSON_SPARSE &&
	    (field->get_number ? !field->get_number(object) : is_unset_field(field, place, count)))
		return;
	if (field->write) {
		field->write(writer, field, object);
		return;
	}
	if (is_by_pointer(field) && kind != JSON_LIST)
		place = *(const void *const *)place;
	if (kind == JSON_MEMBERS) {
		json_write_members(writer, place, field->of);
		return;
	}
	if (*field->key)
		json_key(writer, field->key);
	if (field->is_null && field->is_null(object)) {
		json_null(writer);
		return;
	}
	switch (kind) {
	case JSON_TEXT:
		json_string(writer, *(const char *const *)place);
		break;
	case JSON_TEXT_OR_EMPTY:
		text = *(const char *const *)place;
		json_string(writer, text ? text : "");
		break;
	case JSON_FORMAT:
		json_string(writer, field->text);
		break;
	case JSON_BOOL:
		json_bool(writer, field->get_number ? field->get_number(object) : number_at(field, place));
		break;
	case JSON_U32:
	case JSON_U64:
	case JSON_BITS:
		number = field->get_number ? field->get_number(object) : number_at(field, place);
		if (number || field->is_null || !(field->kind & JSON_OR_NULL))
			json_unsigned(writer, kind == JSON_BITS ? number / 8 : number);
		else
			json_null(writer);
		break;
	case JSON_I64:
		number = field->get_number ? field->get_number(object) : number_at(field, place);
		json_number(writer, abi_number_signed((int64_t)number));
		break;
	case JSON_NAMED:
		json_string(writer, field->name_of((unsigned)number_at(field, place)));
		break;
	case JSON_NAMED_BITS:
		open_list(writer, field);
		for (unsigned constant = 0; constant < field->max; constant++)
			if (number_at(field, place) >> constant & 1)
				json_string(writer, field->name_of(constant));
		json_close_array(writer);
		break;
	case JSON_NUMBER:
		json_number(writer, *(const struct abi_number *)place);
		break;
	case JSON_TEXTS:
		open_list(writer, field);
		for (size_t i = 0; i < count; i++)
			json_string(writer, (*(const char *const *const *)place)[i]);
		json_close_array(writer);
		break;
	case JSON_OBJECT:
		if (place)
			json_write_struct(writer, place, field->of);
		else
			json_null(writer);
		break;
	case JSON_LIST:
	case JSON_MAP:
		write_elements(writer, field, *(const void *const *)place, count);
		break;
	}
}

void json_write_members(struct json_writer *writer, const void *object, const struct json_struct *of)
{
	for (const struct json_field *field = of->field; field->key; field++)
		write_value(writer, field, object);
}

void json_write_struct(struct json_writer *writer, const void *object, const struct json_struct *of)
{
	if (is_plain_value(of)) {
		write_value(writer, of->field, object);
		return;
	}
	if (of->is_inline)
		json_open_inline_object(writer);
	else
		json_open_object(writer);
	json_write_members(writer, object, of);
	json_close_object(writer);
}

/* Compares two arrays of @count structs. In a map, the keys must be the same, too. */
static bool same_elements(const char *a, const char *b, size_t count, const struct json_field *field)
{
	const bool is_map = (field->kind & ~JSON_MODIFIERS) == JSON_MAP;

	if (a == b)
		return true;
	for (; count; count--, a += field->of->size, b += field->of->size)
		if ((is_map && strcmp(*(const char *const *)a, *(const char *const *)b)) ||
		    !json_same_struct(a, b, field->of))
			return false;
	return true;
}

/*
 * Returns true if the structs @a and @b have the same value in the field. Computed values, values that only
 * hooks read, and JSON_NAMED_BOOL are not compared.
 */
static bool same_value(const void *a, const void *b, const struct json_field *field)
{
	const void *x = (const char *)a + field->offset, *y = (const char *)b + field->offset;
	const size_t count = field->count ? *(const size_t *)((const char *)a + field->count) : 0;

	if (field->count && count != *(const size_t *)((const char *)b + field->count))
		return false;
	switch (is_computed(field) ? 0 : field->kind & ~JSON_MODIFIERS) {
	case JSON_TEXT:
	case JSON_TEXT_OR_EMPTY: return same_text(*(const char *const *)x, *(const char *const *)y);
	case JSON_BOOL:
	case JSON_U32:
	case JSON_U64:
	case JSON_BITS:
	case JSON_NAMED:
	case JSON_NAMED_BITS: return number_at(field, x) == number_at(field, y);
	case JSON_NUMBER:
		return abi_number_equal(*(const struct abi_number *)x, *(const struct abi_number *)y);
	case JSON_TEXTS:
		for (size_t i = 0; i < count; i++)
			if (strcmp((*(const char *const *const *)x)[i], (*(const char *const *const *)y)[i]))
				return false;
		return true;
	case JSON_OBJECT: return json_same_struct(x, y, field->of);
	case JSON_LIST:
	case JSON_MAP: return same_elements(*(const char *const *)x, *(const char *const *)y, count, field);
	default: return true;
	}
}

bool json_same_struct(const void *a, const void *b, const struct json_struct *of)
{
	for (const struct json_field *field = of->field; field->key; field++) {
		const bool no_a = field->is_left_out && field->is_left_out(a);
		const bool no_b = field->is_left_out && field->is_left_out(b);

		if (!(field->kind & JSON_PLACE) &&
		    (no_a != no_b || (!no_a && !same_value(a, b, field))))
			return false;
	}
	return true;
}
