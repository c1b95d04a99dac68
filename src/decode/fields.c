/*
 * decode/fields.c - lists the fields in the bytes of a record
 *
 * A template has the offsets of a record's fields. It is made once for a record. The field that counts the
 * elements of an array is found by its name. To list the fields, a template is applied to bytes. This finds
 * the values and their names, the number of elements to show, the changes that the call made, and the
 * non-zero bytes that no field covers.
 */
#include "decode/internal.h"

#include <uthash.h>

enum { STEM_MAX = 128 };

/*
 * Sets @out to a name in lower case without words such as "count" and "tbl", and without an "s" at its end,
 * so that a count and its array have the same stem: that of "pidTblCount" and "pidTbl" is "pid".
 */
static void name_stem(char out[STEM_MAX], const char *name)
{
	static const char *const words[] = {
		"count", "num", "valid", "array", "list", "tbl", "table", "per"
	};
	size_t length;
	char *at;

	for (length = 0; name[length] && length < STEM_MAX - 1; length++)
		out[length] = (char)tolower((unsigned char)name[length]);
	out[length] = '\0';
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		while ((at = strstr(out, words[i])))
			memmove(at, at + strlen(words[i]), strlen(at + strlen(words[i])) + 1);
	length = strlen(out);
	if (length && out[length - 1] == 's')
		out[length - 1] = '\0';
}

enum fit {
	FIT_NONE,
	FIT_PART, /* the stem of one name is a part of the other's ("gpuCount" and "gpuIds"), or the stem of
		     the count is empty or "entry" ("numEntries") */
	FIT_WHOLE,
};

/* Guesses from their names whether @count counts the elements of @array. */
static enum fit fit_of_names(const struct abi_field *count, const struct abi_field *array)
{
	char a[STEM_MAX], b[STEM_MAX];

	name_stem(a, count->name);
	name_stem(b, array->name);
	if (*a && !strcmp(a, b))
		return FIT_WHOLE;
	if (!*a || !strcmp(a, "entry") || !strcmp(a, "entrie"))
		return FIT_PART;
	return *b && (strstr(a, b) || strstr(b, a)) ? FIT_PART : FIT_NONE;
}

static bool is_array(const struct abi_field *field)
{
	return strchr(field->type, '[') && !padding_in_diff(field->name);
}

static size_t field_distance(const struct abi_field *a, const struct abi_field *b)
{
	return (size_t)(a < b ? b - a : a - b);
}

/* Is @array the nearest of the arrays that @count fits? numBksvs counts bKsvList, not bKsv. */
static bool is_nearest(const struct abi_record *record, const struct abi_field *count,
		       const struct abi_field *array)
{
	for (size_t i = 0; i < record->field_count; i++)
		if (is_array(&record->fields[i]) && fit_of_names(count, &record->fields[i]) == FIT_WHOLE &&
		    field_distance(count, &record->fields[i]) < field_distance(count, array))
			return false;
	return true;
}

/*
 * Does the name of a third field begin with the stem of the count? If so, the stem does not show what the
 * count counts: the names of all fields of DPAUXPACKET begin with "aux".
 */
static bool is_common(const struct abi_record *record, const struct abi_field *count,
		      const struct abi_field *array)
{
	char name[STEM_MAX], other[STEM_MAX];

	name_stem(name, count->name);
	for (size_t i = 0; *name && i < record->field_count; i++) {
		name_stem(other, record->fields[i].name);
		if (&record->fields[i] != count && &record->fields[i] != array &&
		    begins(other, name))
			return true;
	}
	return false;
}

/*
 * Finds the field of @record with the number of elements of its array @array that are in use; NULL if there
 * is no such field.
 *
 * The field's name is like the array's: "pidTblCount" for "pidTbl", "numObjects" for "objects". If the record
 * has only one array and only one count, the name can also be like a part of the array's name ("gpuCount" for
 * "gpuIds"), or name no array ("count", "numEntries"). No field is returned if the names do not show this
 * clearly, because a wrong count would hide elements that are in use.
 */
static const struct abi_field *find_count(const struct abi_record *record, const struct abi_field *array)
{
	const struct abi_field *only = NULL;
	size_t counts = 0, arrays = 0;

	if (record->is_union || !is_array(array))
		return NULL;
	for (size_t i = 0; i < record->field_count; i++) {
		const struct abi_field *field = &record->fields[i];

		arrays += is_array(field);
		if (field->role != ABI_ROLE_COUNT || field->is_bitfield || is_array(field))
			continue;
		if (fit_of_names(field, array) == FIT_WHOLE && is_nearest(record, field, array))
			return field;
		only = field;
		counts++;
	}
	return counts == 1 && arrays == 1 && fit_of_names(only, array) != FIT_NONE &&
			       !is_common(record, only, array)
		       ? only
		       : NULL;
}

/*
 * How a template is made:
 *
 * 1. A record's fields are visited in order. Types are resolved in the document, and arrays of records are
 *    visited element by element. In a union, only the member that the bytes select is visited, or all members
 *    if the union has no rule.
 * 2. Each scalar or array of scalars becomes a field of the template. The field says where the number of
 *    elements in use is, and which names its value can have.
 * 3. Each array of records becomes a fold, which has the index of each element's first field.
 * 4. Bytes that no field covers become gaps.
 */

/* The elements of an array, or the one element that another field is. */
struct template_elements {
	uint64_t offset_bits, element_bits, count;
	struct call_field by; /* the field with the number of elements in use; its field is NULL if there is
				 none, and its offset is from the start of the payload */
};

/* The last three members are sources of a name for the value. At most one is set, and none for an enum. */
struct template_field {
	struct decode_field field; /* without the members that depend on the bytes */
	struct template_elements elements;
	bool is_status;                /* true if the value is a status of the resource manager */
	const char *family;            /* the family, if the value is the number of an ioctl; else NULL */
	const struct union_rule *rule; /* the rule, if the value selects a union's member; else NULL */
};

/* The member of a union that the bytes select. */
struct template_choice {
	const struct union_rule *rule;
	struct call_field by;             /* the selector; its offset is from the start of the payload */
	const struct union_choice *made;  /* NULL if the rule does not have the selector's value */
};

/* An array of records. */
struct template_fold {
	const char *path;
	struct template_elements elements;
	const size_t *first; /* the index of each element's first field, and of the end of the array */
};

struct decode_template {
	const struct abi *abi;
	const char *type;
	uint64_t size_bytes;
	struct template_field *fields;
	size_t count;
	struct template_fold *folds; /* in the order of their first fields, outer folds first */
	size_t fold_count;
	struct decode_padding *gaps; /* bytes that no field covers */
	size_t gap_count;
	struct template_choice *choices; /* the template is valid only for these */
	size_t choice_count;
};

enum { DEPTH_MAX = 64 };

struct field_walk {
	struct decode_template form; /* so far; its fields are freed with free() */
	size_t field_capacity;
	const struct union_rules *unions;
	const struct decode_payload *payload;
	uint8_t *covered;            /* indexed by byte: 1 if a field covers it */
	unsigned depth;
	size_t steps;                /* limited, because nested arrays could have too many elements */
	struct arena *arena;
	struct err *err;
};

/* A part of the payload that has a type: the whole payload, a field, or an element. */
struct typed_part {
	const char *path;
	const char *type;
	uint64_t offset_bits;
	const char *member;            /* as in struct decode_field */
	const struct abi_record *in;   /* the record that has the part as its field @field; NULL if the part
					  is the whole payload or an element */
	const struct abi_field *field;
};

/* --- the parts that depend on the bytes -------------------------------------------------- */

/* Returns the choice that the selector's bytes make; NULL if they are unknown, or have no choice. */
static const struct union_choice *choice_in(const struct decode_payload *payload,
					    const struct template_choice *choice)
{
	uint64_t value;

	return call_field_read(&value, &choice->by, payload->bytes, payload->recorded_bytes)
		       ? call_choice(choice->rule, value)
		       : NULL;
}

/*
 * Finds the member that the bytes select in the union at @at; NULL if it could be any member. A choice by a
 * rule is noted in the template, which is then used only for bytes that make the same choice.
 */
static const char *chosen_member(struct field_walk *walk, const struct typed_part *at)
{
	struct decode_template *form = &walk->form;
	const struct union_rule *rule =
		at->in ? call_union_rule(walk->unions, form->abi, at->in->name, at->field->name, NULL) : NULL;
	struct template_choice choice = { .rule = rule };

	if (!rule || !call_field_find(&choice.by, form->abi, at->in->name, rule->by))
		return NULL;
	choice.by.offset_bits += at->offset_bits - at->field->offset_bits;
	choice.made = choice_in(walk->payload, &choice);
	form->choices = arena_room(walk->arena, form->choices, form->choice_count, sizeof(*form->choices));
	form->choices[form->choice_count++] = choice;
	return choice.made ? choice.made->member : NULL;
}

/* The fields whose value is the number of an ioctl or a class. */
static const struct {
	const char *record; /* NULL: any */
	const char *field, *family;
} numbers[] = {
	{ NULL, "hClass", "alloc" },
	{ "NVOS54_PARAMETERS", "cmd", "control" },
	{ "nv_ioctl_xfer_t", "cmd", "frontend" },
};

/* Sets the source of names for the field's value (is_status, family or rule), unless it has no names. */
static void find_namer(struct template_field *out, const struct field_walk *walk,
		       const struct typed_part *spot)
{
	if (out->field.enumeration || !spot->in)
		return;
	/* A status of these types is one of the resource manager, not one of NVLink or NVKMS. */
	out->is_status = spot->field->role == ABI_ROLE_STATUS &&
			 (!strcmp(spot->type, "NvV32") || !strcmp(spot->type, "NvU32") ||
			  !strcmp(spot->type, "NV_STATUS"));
	for (size_t i = 0; !out->is_status && !out->family && i < sizeof(numbers) / sizeof(*numbers); i++)
		if (!strcmp(numbers[i].field, spot->field->name) &&
		    (!numbers[i].record || !strcmp(numbers[i].record, spot->in->name)))
			out->family = numbers[i].family;
	if (!out->is_status && !out->family)
		out->rule = call_union_rule(walk->unions, walk->form.abi, spot->in->name, NULL,
					    spot->field->name);
}

/* Describes the elements at @spot. If they are an array, finds the field that counts those in use. */
static struct template_elements elements_of(const struct typed_part *spot, const struct abi_type *type,
					    uint64_t element_bits)
{
	struct template_elements out = { .offset_bits = spot->offset_bits,
					 .element_bits = element_bits,
					 .count = type->count };

	if (spot->in && type->dimension_count)
		out.by.field = find_count(spot->in, spot->field);
	if (out.by.field)
		out.by.offset_bits =
			spot->offset_bits - spot->field->offset_bits + out.by.field->offset_bits;
	return out;
}

bool decode_field_is_integer(const struct decode_field *field)
{
	return field->kind != ABI_BYTES && field->element_bytes <= 8;
}

/* --- visiting the fields ------------------------------------------------------------------- */

static bool is_bitfield(const struct typed_part *spot)
{
	return spot->in && spot->field->is_bitfield;
}

/* Adds a number or an array of numbers to the template, and marks its bytes covered. Return: 0; ERR_LIMIT. */
static int add_scalar(struct field_walk *walk, const struct typed_part *spot, const struct abi_type *type)
{
	const uint64_t element_bits = is_bitfield(spot) ? spot->field->size_bits : type->element_bytes * 8;
	struct template_field out = {
		.field = {
			.path = spot->path,
			.type = spot->type,
			.offset_bits = spot->offset_bits,
			.size_bits = type->count * element_bits,
			.is_bitfield = is_bitfield(spot),
			.is_array = type->dimension_count > 0,
			.kind = type->scalar,
			.element_bytes = type->element_bytes,
			.count = type->count,
			.role = spot->in ? spot->field->role : ABI_ROLE_NONE,
			.enumeration = type->enumeration,
			.member = spot->member,
			.shown = 1, /* of an array: set when the template is applied */
		},
		.elements = elements_of(spot, type, element_bits),
	};

	if (walk->form.count == DECODE_FIELDS_MAX)
		return err_set(walk->err, ERR_LIMIT, "%s has more than %d fields", walk->form.abi->version,
			       (int)DECODE_FIELDS_MAX);
	if (!out.field.is_array && decode_field_is_integer(&out.field))
		find_namer(&out, walk, spot);
	memset(walk->covered + spot->offset_bits / 8, 1,
	       (spot->offset_bits % 8 + out.field.size_bits + 7) / 8);
	ARRAY_GROW(walk->form.fields, walk->form.count, walk->field_capacity);
	walk->form.fields[walk->form.count++] = out;
	return 0;
}

static int walk_record(struct field_walk *walk, const struct typed_part *at, const struct abi_record *record);

/* Adds the fold of an array of records to the template, and visits each record. Return: 0 or an error. */
static int walk_elements(struct field_walk *walk, const struct typed_part *at, const struct abi_type *type)
{
	const uint64_t element_bits = type->element_bytes * 8;
	struct decode_template *form = &walk->form;
	struct template_fold fold = { .path = at->path };
	size_t *first;
	int rc = 0;

	if (!type->element_bytes)
		return 0;
	if (type->count > DECODE_FIELDS_MAX)
		return err_set(walk->err, ERR_LIMIT, "'%s' has more than %d elements", at->path,
			       (int)DECODE_FIELDS_MAX);
	first = arena_array(walk->arena, type->count + 1, sizeof(*first));
	fold.first = first;
	fold.elements = elements_of(at, type, element_bits);
	form->folds = arena_room(walk->arena, form->folds, form->fold_count, sizeof(*form->folds));
	form->folds[form->fold_count++] = fold;
	for (uint64_t i = 0; i < type->count && !rc; i++) {
		struct typed_part spot = *at;
		uint64_t inner = type->count;

		first[i] = form->count;
		for (size_t d = 0; d < type->dimension_count; d++) {
			inner /= type->dimension[d];
			spot.path = arena_printf(walk->arena, "%s[%llu]", spot.path,
						 (unsigned long long)(i / inner % type->dimension[d]));
		}
		spot.offset_bits = at->offset_bits + i * element_bits;
		spot.in = NULL;
		rc = walk_record(walk, &spot, type->record);
	}
	first[type->count] = form->count;
	return rc;
}

/*
 * Visits a part of the payload: adds its field, or the fields in its records, to the template. An array
 * without elements has no bytes. Return: 0; ERR_LAYOUT if the part is not inside the payload; ERR_LIMIT; an
 * error of abi_resolve_type().
 */
static int walk_spot(struct field_walk *walk, const struct typed_part *spot)
{
	struct abi_type type;
	uint64_t bits;
	int rc;

	if ((rc = abi_resolve_type(&type, walk->form.abi, spot->type, walk->err)))
		return rc;
	if (++walk->steps > 4 * (size_t)DECODE_FIELDS_MAX)
		return err_set(walk->err, ERR_LIMIT, "'%s' comes after %zu other fields, the limit; no further fields are decoded",
			       spot->path, walk->steps - 1);
	if (!type.count || type.flexible)
		return 0;
	if (type.element_bytes > walk->form.size_bytes || type.count > walk->form.size_bytes ||
	    (is_bitfield(spot) && spot->field->size_bits > 64))
		return err_set(walk->err, ERR_LAYOUT, "'%s' is longer than its record", spot->path);
	if (is_bitfield(spot) && (type.record || type.dimension_count))
		return err_set(walk->err, ERR_LAYOUT, "'%s' is a bit-field, but its type is not an integer",
			       spot->path);
	bits = is_bitfield(spot) ? spot->field->size_bits : type.count * type.element_bytes * 8;
	if (spot->offset_bits > walk->form.size_bytes * 8 ||
	    bits > walk->form.size_bytes * 8 - spot->offset_bits ||
	    (!is_bitfield(spot) && spot->offset_bits % 8))
		return err_set(walk->err, ERR_LAYOUT, "'%s' is not inside its record", spot->path);
	if (!bits)
		return 0;
	if (!type.record)
		return add_scalar(walk, spot, &type);
	return type.dimension_count ? walk_elements(walk, spot, &type) : walk_record(walk, spot, type.record);
}

/* Visits the fields of a record; of a union, only the member in use if a rule says which one that is. */
static int walk_record(struct field_walk *walk, const struct typed_part *at, const struct abi_record *record)
{
	const char *only = record->is_union ? chosen_member(walk, at) : NULL;
	int rc = 0;

	if (++walk->depth > DEPTH_MAX)
		return err_set(walk->err, ERR_LIMIT, "%s nests records deeper than %d levels", record->name,
			       (int)DEPTH_MAX);
	if (only && !abi_find_field(record, only))
		only = NULL;
	for (size_t i = 0; i < record->field_count && !rc; i++) {
		const struct abi_field *field = &record->fields[i];
		struct typed_part spot = { .type = field->type,
					   .offset_bits = at->offset_bits + field->offset_bits,
					   .in = record,
					   .field = field,
					   .member = record->is_union && !only && record->field_count > 1
							     ? (*at->path ? at->path : record->name)
							     : at->member };

		if (only && strcmp(only, field->name))
			continue;
		spot.path = !*field->name ? at->path
			    : *at->path   ? arena_printf(walk->arena, "%s.%s", at->path, field->name)
					  : field->name;
		rc = walk_spot(walk, &spot);
	}
	walk->depth--;
	return rc;
}

/* --- the template ----------------------------------------------------------------------------- */

/* Adds the ranges of bytes that no visited field covers to the template. */
static void find_gaps(struct field_walk *walk)
{
	struct decode_template *form = &walk->form;

	for (uint64_t i = 0, first; i < form->size_bytes; i++) {
		for (first = i; i < form->size_bytes && !walk->covered[i];)
			i++;
		if (i == first)
			continue;
		form->gaps = arena_room(walk->arena, form->gaps, form->gap_count, sizeof(*form->gaps));
		form->gaps[form->gap_count++] = (struct decode_padding){ .offset = first, .size = i - first };
	}
}

/* Does @payload, of the template's size, select the same union members? */
static bool template_fits(const struct decode_template *form, const struct decode_payload *payload)
{
	for (size_t i = 0; i < form->choice_count; i++)
		if (choice_in(payload, &form->choices[i]) != form->choices[i].made)
			return false;
	return true;
}

/* Makes the template of a type, in @arena. @payload: for the selectors of unions. Return: as walk_spot(). */
static int compile_template(struct decode_template *out, const struct abi *abi,
			    const struct union_rules *unions, const char *type,
			    const struct decode_payload *payload, struct arena *arena, struct err *err)
{
	struct field_walk walk = {
		/* a copy of the type, because fields point to it */
		.form = { .abi = abi, .type = arena_strdup(arena, type), .size_bytes = payload->size_bytes },
		.unions = unions,
		.payload = payload,
		.covered = xmalloc(payload->size_bytes + 1),
		.arena = arena,
		.err = err,
	};
	const struct abi_record *found = abi_find_record(abi, type);
	struct typed_part spot = { .path = "", .type = walk.form.type };
	int rc;

	memset(walk.covered, 0, payload->size_bytes + 1);
	rc = found ? walk_record(&walk, &spot, found) : walk_spot(&walk, &spot);
	if (rc) {
		err_prefix(err, "%s of %s", type, abi->version);
	} else {
		find_gaps(&walk);
		*out = walk.form;
		out->fields = arena_memdup(arena, out->fields, out->count * sizeof(*out->fields));
	}
	free(walk.form.fields);
	free(walk.covered);
	return rc;
}

enum { TEXT_LEAST = 4 };

/* --- values --------------------------------------------------------------------------- */

static uint64_t bits_at(const uint8_t *bytes, uint64_t offset_bits, uint64_t size_bits)
{
	uint64_t value = 0;

	for (uint64_t i = 0; i < size_bits && i < 64; i++)
		value |= (uint64_t)(bytes[(offset_bits + i) / 8] >> (offset_bits + i) % 8 & 1) << i;
	return value;
}

static bool is_signed_field(const struct decode_field *field)
{
	return (field->kind >= ABI_I8 && field->kind <= ABI_I64) ||
	       (field->kind == ABI_ENUMERATION && field->enumeration &&
		!strncmp(field->enumeration->type, "int", 3));
}

struct abi_number decode_field_value(const struct decode_field *field, uint64_t index)
{
	const uint64_t width = field->is_bitfield ? field->size_bits : field->element_bytes * 8;
	uint64_t value = bits_at(field->bytes, field->offset_bits + index * field->element_bytes * 8, width);

	if (is_signed_field(field) && width && width < 64 && value >> (width - 1) & 1)
		value |= ~UINT64_C(0) << width;
	return is_signed_field(field) ? abi_number_signed((int64_t)value) : abi_number_unsigned(value);
}

const char *decode_status_name(const struct abi *abi, uint64_t value)
{
	static const char *const prefixes[] = { "NV_OK", "NV_ERR_", "NV_WARN_" };

	for (size_t p = 0; p < sizeof(prefixes) / sizeof(*prefixes); p++) {
		const size_t length = strlen(prefixes[p]);

		for (size_t i = abi_constants_from(abi, prefixes[p]); i < abi->constant_count; i++) {
			const struct abi_constant *at = &abi->constants[i];

			if (strncmp(at->name, prefixes[p], length) != 0 || (!p && at->name[length]))
				break;
			if (!at->value.negative && at->value.magnitude == value)
				return at->name;
		}
	}
	return NULL;
}

/* Returns the driver's name for a field's value; NULL if the value has no name. */
static const char *value_name(const struct template_field *form, const struct abi *abi,
			   const struct decode_field *field)
{
	const struct abi_enum *all = field->is_array ? NULL : field->enumeration;
	const uint64_t value = form->is_status || form->family || form->rule
				       ? decode_field_value(field, 0).magnitude
				       : 0;
	const struct union_choice *choice = form->rule ? call_choice(form->rule, value) : NULL;
	const struct abi_ioctl *ioctl = form->family ? call_find(abi, form->family, value) : NULL;

	for (size_t i = 0; all && i < all->value_count; i++)
		if (abi_number_equal(all->values[i].value, decode_field_value(field, 0)))
			return all->values[i].name;
	if (form->is_status)
		return decode_status_name(abi, value);
	return ioctl ? ioctl->name : choice ? choice->name : NULL;
}

/* --- the elements to show ---------------------------------------------------------------- */

static bool is_zero(const uint8_t *bytes, uint64_t size)
{
	while (size && !bytes[size - 1])
		size--;
	return !size;
}

/* Returns the number of elements up to the last element that is not 0. */
static uint64_t last_used(const uint8_t *bytes, uint64_t count, uint64_t size)
{
	while (count && is_zero(bytes + (count - 1) * size, size))
		count--;
	return count;
}

/* Returns how many elements were recorded completely. */
static uint64_t elements_recorded(const struct template_elements *all, const struct decode_payload *payload)
{
	const uint64_t end_bits = payload->recorded_bytes * 8;
	uint64_t fit;

	if (payload->recorded_bytes == payload->size_bytes)
		return all->count;
	fit = end_bits > all->offset_bits ? (end_bits - all->offset_bits) / all->element_bits : 0;
	return fit < all->count ? fit : all->count;
}

/*
 * Returns how many of the @count recorded elements to show. @counted_by: set to the field that says it, or
 * NULL. @exceeded_by: set to the name of that field if it counts more elements than there are
 */
static uint64_t elements_shown(const char **counted_by, const char **exceeded_by,
			       const struct template_elements *all, uint64_t count,
			       const struct decode_payload *payload)
{
	uint64_t value;

	*counted_by = NULL;
	if (all->by.field && call_field_read(&value, &all->by, payload->bytes, payload->recorded_bytes)) {
		if (value <= all->count) {
			*counted_by = all->by.field->name;
			return value < count ? value : count;
		}
		*exceeded_by = all->by.field->name;
	}
	return last_used(payload->bytes + all->offset_bits / 8, count, all->element_bits / 8);
}

/*
 * Is the field an array of bytes with printable ASCII, followed only by zeros, so that it is shown as text?
 * Fewer than TEXT_LEAST characters are a text only if the type is char. "0x" does not begin a text.
 */
static bool is_text(const struct decode_field *field)
{
	const uint8_t *bytes = field->bytes + field->offset_bits / 8;
	uint64_t length = 0;

	if (!field->is_array || field->element_bytes != 1)
		return false;
	while (length < field->count && bytes[length] >= ' ' && bytes[length] < 0x7f)
		length++;
	if (length < (field->kind == ABI_CHAR ? 1 : TEXT_LEAST) ||
	    (length >= 2 && bytes[0] == '0' && bytes[1] == 'x'))
		return false;
	return is_zero(bytes + length, field->count - length);
}

/* --- a template's fields ------------------------------------------------------------------- */

/* Sets the members for the value before the call, if the call changed the field. */
static void apply_before(struct decode_field *field, const struct template_field *form, const struct abi *abi,
			 const uint8_t *before)
{
	const uint64_t offset = field->offset_bits, size = field->size_bits;
	struct decode_field old = *field;

	if (field->is_bitfield ? bits_at(field->bytes, offset, size) == bits_at(before, offset, size)
			       : !memcmp(field->bytes + offset / 8, before + offset / 8, size / 8))
		return;
	old.bytes = before;
	field->before = before;
	field->name_before = value_name(form, abi, &old);
	field->is_text_before = is_text(&old);
	field->shown_before = field->shown;
	if (!field->counted_by)
		field->shown_before = last_used(before + offset / 8, old.count, old.element_bytes);
}

/* Makes a field from the template and the bytes. Return: false if no element of the field was recorded. */
static bool apply_field(struct decode_field *field, const char **exceeded_by,
			const struct template_field *form, const struct abi *abi,
			const struct decode_payload *payload)
{
	const struct template_elements *all = &form->elements;
	const uint64_t count = elements_recorded(all, payload);

	if (!count)
		return false;
	*field = form->field;
	field->count = count;
	field->missing = all->count - count;
	field->size_bits = all->element_bits * count;
	field->bytes = payload->bytes;
	field->is_zero = field->is_bitfield
				 ? !bits_at(field->bytes, field->offset_bits, field->size_bits)
				 : is_zero(field->bytes + field->offset_bits / 8, field->size_bits / 8);
	field->is_text = is_text(field);
	if (field->is_array)
		field->shown = elements_shown(&field->counted_by, exceeded_by, all, count, payload);
	field->name = value_name(form, abi, field);
	if (payload->before)
		apply_before(field, form, abi, payload->before);
	return true;
}

/*
 * Makes the folds from the template and the bytes, for arrays of records whose last elements need not be
 * shown. @index: the index in @out of each field of the template, and then the number of fields in @out
 */
static void apply_folds(struct decode_fields *out, const struct decode_template *form, const size_t *index,
			const struct decode_payload *payload, struct arena *arena)
{
	struct decode_fold *folds = arena_array(arena, form->fold_count, sizeof(*folds));

	for (size_t i = 0; i < form->fold_count; i++) {
		const struct template_fold *from = &form->folds[i];
		const struct template_elements *all = &from->elements;
		const uint64_t element_bytes = all->element_bits / 8;
		struct decode_fold fold = { .path = from->path, .count = elements_recorded(all, payload) };

		if (!fold.count)
			continue;
		fold.shown = elements_shown(&fold.counted_by, &out->exceeded_by, all, fold.count, payload);
		if (fold.shown == fold.count)
			continue;
		fold.first = index[from->first[fold.shown]];
		fold.until = index[from->first[fold.count]];
		fold.is_zero = is_zero(out->bytes + all->offset_bits / 8 + fold.shown * element_bytes,
				       (fold.count - fold.shown) * element_bytes);
		folds[out->fold_count++] = fold;
	}
	out->folds = folds;
}

/* Lists as padding the gaps with bytes that are not 0, before or after the call, from the first such byte. */
static void apply_gaps(struct decode_fields *out, const struct decode_template *form,
		       const struct decode_payload *payload, struct arena *arena)
{
	const uint8_t *before = payload->before;
	struct decode_padding *found = arena_array(arena, form->gap_count, sizeof(*found));

	for (size_t i = 0; i < form->gap_count; i++) {
		uint64_t at = form->gaps[i].offset;
		uint64_t end = at + form->gaps[i].size;

		end = end < payload->recorded_bytes ? end : payload->recorded_bytes;
		while (at < end && !out->bytes[at] && (!before || !before[at]))
			at++;
		if (at >= end)
			continue;
		found[out->padding_count++] = (struct decode_padding){
			.offset = at,
			.size = end - at,
			.is_changed = before && memcmp(before + at, out->bytes + at, end - at),
		};
	}
	out->padding = found;
}

/* Sets @out to the fields, folds and padding of @payload that were recorded. */
static void apply_template(struct decode_fields *out, const struct decode_template *form,
			   const struct decode_payload *payload, struct arena *arena)
{
	struct decode_field *fields = arena_array(arena, form->count, sizeof(*fields));
	size_t *index = xmalloc((form->count + 1) * sizeof(*index));

	*out = (struct decode_fields){ .bytes = payload->bytes, .before = payload->before, .fields = fields };
	for (size_t i = 0; i < form->count; i++) {
		index[i] = out->count;
		out->count += apply_field(&fields[out->count], &out->exceeded_by, &form->fields[i], form->abi,
					  payload);
	}
	index[form->count] = out->count;
	apply_folds(out, form, index, payload, arena);
	apply_gaps(out, form, payload, arena);
	free(index);
}

/* --- the cache of types ------------------------------------------------------------------ */

/* WAYS_MAX is the most templates of a type that has unions: unions in arrays have many combinations. */
enum { WAYS_MAX = 64 };

struct known_type {
	struct decode_template form; /* form.type is the key */
	struct known_type *next;     /* the same type in a different document, with a different size, or with
					different members of its unions */
	UT_hash_handle hh;
};

void decode_types_clear(struct decode_cache *cache)
{
	HASH_CLEAR(hh, cache->types);
}

int decode_fields(struct decode_fields *out, const struct decode_scope *scope, const struct abi *abi,
		  const char *type, const struct decode_payload *payload, struct arena *arena,
		  struct err *err)
{
	struct decode_cache *cache = scope->cache;
	struct known_type *first = NULL, *known;
	struct arena own = { 0 };
	size_t way_count = 0;
	bool is_kept;
	int rc;

	if (cache)
		HASH_FIND(hh, cache->types, type, strlen(type), first);
	for (known = first; known; known = known->next, way_count++)
		if (known->form.abi == abi && known->form.size_bytes == payload->size_bytes &&
		    template_fits(&known->form, payload))
			break;
	if (!known) {
		known = arena_alloc(&own, sizeof(*known));
		if ((rc = compile_template(&known->form, abi, scope->unions, type, payload, &own, err))) {
			arena_release(&own);
			return rc;
		}
		is_kept = cache && cache->type_count < DECODE_CACHE_MAX &&
			  cache->field_count + known->form.count <= DECODE_CACHE_FIELDS_MAX &&
			  (way_count < WAYS_MAX || !known->form.choice_count);
		if (is_kept) {
			cache->type_count++;
			cache->field_count += known->form.count;
			if (first) {
				known->next = first->next;
				first->next = known;
			} else {
				HASH_ADD_KEYPTR(hh, cache->types, known->form.type, strlen(type), known);
			}
		}
		arena_join(is_kept ? &cache->arena : arena, &own);
	}
	apply_template(out, &known->form, payload, arena);
	return 0;
}
