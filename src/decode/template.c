/*
 * 1. A record's fields are walked in order, types resolved in the document, arrays of records element by element. Of a union
 *    only the member is walked that the bytes choose, if a rule says how they do, and all of them otherwise.
 * 2. What is a scalar, or an array of such, is a field of the template, with where its number of elements is and what
 *    kind of name its value has.
 * 3. An array of records is a fold, which knows with which field each of its elements begins.
 * 4. Bytes that no field covers are gaps.
 */
#include "decode/template.h"

#include "decode/counted.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 64 };

struct walk {
	const struct abi *abi;
	const struct union_rules *unions;
	const uint8_t *bytes;
	uint64_t size_bytes;
	struct template_field *fields; /* from xrealloc */
	size_t count, capacity;
	struct template_fold *folds;
	size_t fold_count, fold_capacity;
	uint8_t *covered;            /* by byte */
	struct template_choice *choices;
	size_t choice_count, choice_capacity;
	unsigned depth;
	size_t steps;                /* records may be nested so that they have no end in any reasonable time */
	struct arena *arena;
	struct err *err;
};

/* Something of a type, somewhere in the payload. */
struct spot {
	const char *path;
	const char *type;
	uint64_t offset_bits, size_bits;
	bool is_bitfield;
	enum abi_role role;
	const char *member;            /* as in struct decode_field */
	const struct abi_record *in;   /* the record that has it; NULL: none */
	const struct abi_field *field; /* of that */
	uint64_t record_offset_bits;
};

/* --- what depends on the bytes ----------------------------------------------------------- */

static const struct union_choice *made_by(const struct template_choice *choice, const uint8_t *bytes, uint64_t size_bytes)
{
	uint64_t value;

	return call_field_read(&value, &choice->by, bytes, size_bytes) ? call_choice(choice->rule, value) : NULL;
}

/* Which member of the union at @at the bytes choose; NULL: any. */
static const char *chosen_member(struct walk *walk, const struct spot *at)
{
	const struct union_rule *rule = at->in ? call_union_rule(walk->unions, walk->abi, at->in->name, at->field->name) : NULL;
	struct template_choice choice = { .rule = rule };

	if (!rule || !call_field_find(&choice.by, walk->abi, at->in->name, rule->by))
		return NULL;
	choice.by.offset_bits += at->record_offset_bits;
	choice.made = made_by(&choice, walk->bytes, walk->size_bytes);
	ARRAY_GROW(walk->choices, walk->choice_count, walk->choice_capacity);
	walk->choices[walk->choice_count++] = choice;
	return choice.made ? choice.made->member : NULL;
}

/* A status of NVLink or NVKMS is none of the resource manager's. */
static bool is_rm_status(const struct spot *spot)
{
	return spot->role == ABI_ROLE_STATUS && (!strcmp(spot->type, "NvV32") || !strcmp(spot->type, "NvU32") || !strcmp(spot->type, "NV_STATUS"));
}

static void find_name(struct template_field *out, const struct walk *walk, const struct spot *spot)
{
	if (out->field.enumeration) {
		out->name = TEMPLATE_ENUMERATOR;
	} else if (is_rm_status(spot)) {
		out->name = TEMPLATE_STATUS;
	} else if (spot->field && !strcmp(spot->field->name, "hClass")) {
		out->name = TEMPLATE_CLASS;
	} else if (spot->field && !strcmp(spot->in->name, "NVOS54_PARAMETERS") && !strcmp(spot->field->name, "cmd")) {
		out->name = TEMPLATE_COMMAND;
	} else if (spot->field && !strcmp(spot->in->name, "nv_ioctl_xfer_t") && !strcmp(spot->field->name, "cmd")) {
		out->name = TEMPLATE_ESCAPE;
	} else if (spot->field && (out->rule = call_selector_rule(walk->unions, walk->abi, spot->in->name, spot->field->name))) {
		out->name = TEMPLATE_WORD;
	}
}

/* Which field counts the elements of the array at @spot. */
static struct template_count count_of(const struct walk *walk, const struct spot *spot)
{
	const struct abi_field *by = spot->in && spot->field ? decode_counted_by(spot->in, spot->field) : NULL;
	const uint64_t at = by ? spot->record_offset_bits + by->offset_bits : 0;

	if (!by || by->size_bits > 64 || by->offset_bits > walk->size_bytes * 8 || at + by->size_bits > walk->size_bytes * 8)
		return (struct template_count){ .size_bits = 0 };
	return (struct template_count){ .name = by->name, .offset_bits = at, .size_bits = by->size_bits };
}

/* --- the walk ------------------------------------------------------------------------------ */

static int add_scalar(struct walk *walk, const struct spot *spot, const struct abi_type *type)
{
	struct template_field out = { .field = {
		.path = spot->path, .type = spot->type, .offset_bits = spot->offset_bits, .is_bitfield = spot->is_bitfield,
		.is_array = type->dimension_count > 0, .kind = type->scalar, .element_bytes = type->element_bytes, .count = type->count,
		.role = spot->role, .enumeration = type->enumeration, .member = spot->member, .shown = 1,
		.size_bits = spot->is_bitfield ? spot->size_bits : type->count * type->element_bytes * 8,
	} };

	if (walk->count == DECODE_FIELDS_MAX)
		return err_set(walk->err, ERR_LIMIT, "%s has more than %d fields", walk->abi->version, (int)DECODE_FIELDS_MAX);
	if (out.field.is_array)
		out.count = count_of(walk, spot);
	else if (decode_field_is_integer(&out.field))
		find_name(&out, walk, spot);
	memset(walk->covered + spot->offset_bits / 8, 1, (spot->offset_bits % 8 + out.field.size_bits + 7) / 8);
	ARRAY_GROW(walk->fields, walk->count, walk->capacity);
	walk->fields[walk->count++] = out;
	return 0;
}

static int walk_spot(struct walk *walk, const struct spot *spot);

static bool has_member(const struct abi_record *record, const char *name)
{
	for (size_t i = 0; i < record->field_count; i++)
		if (!strcmp(record->fields[i].name, name))
			return true;
	return false;
}

static int walk_record(struct walk *walk, const struct spot *at, const struct abi_record *record)
{
	const char *only = record->is_union ? chosen_member(walk, at) : NULL;
	int rc = 0;

	if (++walk->depth > DEPTH_MAX)
		return err_set(walk->err, ERR_LIMIT, "%s nests records deeper than %d levels", record->name, (int)DEPTH_MAX);
	if (only && !has_member(record, only))
		only = NULL;
	for (size_t i = 0; i < record->field_count && !rc; i++) {
		const struct abi_field *field = &record->fields[i];
		struct spot spot = { .type = field->type, .offset_bits = at->offset_bits + field->offset_bits, .size_bits = field->size_bits,
				     .is_bitfield = field->is_bitfield, .role = field->role, .in = record, .field = field,
				     .record_offset_bits = at->offset_bits,
				     .member = record->is_union && !only && record->field_count > 1 ? (*at->path ? at->path : record->name) : at->member };

		if (only && strcmp(only, field->name))
			continue;
		spot.path = !*field->name ? at->path : *at->path ? arena_printf(walk->arena, "%s.%s", at->path, field->name) : field->name;
		rc = walk_spot(walk, &spot);
	}
	walk->depth--;
	return rc;
}

/* "[2][1]" of the element @index. */
static const char *element_path(const struct walk *walk, const char *path, const struct abi_type *type, uint64_t index)
{
	struct strbuf text = { 0 };
	uint64_t rest = index, inner = type->count;
	const char *out;

	strbuf_adds(&text, path);
	for (size_t d = 0; d < type->dimension_count; d++) {
		inner /= type->dimension[d];
		strbuf_addf(&text, "[%llu]", (unsigned long long)(rest / inner));
		rest %= inner;
	}
	out = arena_strdup(walk->arena, strbuf_text(&text));
	strbuf_release(&text);
	return out;
}

static int walk_elements(struct walk *walk, const struct spot *at, const struct abi_type *type)
{
	struct template_fold fold = { .path = at->path, .offset_bytes = at->offset_bits / 8, .element_bytes = type->element_bytes, .count = type->count };
	size_t *first;
	int rc = 0;

	if (!type->element_bytes)
		return 0;
	if (type->count > DECODE_FIELDS_MAX)
		return err_set(walk->err, ERR_LIMIT, "'%s' has more than %d elements", at->path, (int)DECODE_FIELDS_MAX);
	first = arena_array(walk->arena, type->count + 1, sizeof(*first));
	fold.first = first;
	fold.counted = count_of(walk, at);
	ARRAY_GROW(walk->folds, walk->fold_count, walk->fold_capacity);
	walk->folds[walk->fold_count++] = fold;
	for (uint64_t i = 0; i < type->count && !rc; i++) {
		struct spot spot = *at;

		first[i] = walk->count;
		spot.path = element_path(walk, at->path, type, i);
		spot.offset_bits = at->offset_bits + i * type->element_bytes * 8;
		spot.in = NULL;
		rc = walk_record(walk, &spot, type->record);
	}
	first[type->count] = walk->count;
	return rc;
}

/* An array without elements has no bytes. */
static int walk_spot(struct walk *walk, const struct spot *spot)
{
	struct abi_type type;
	uint64_t bits;
	int rc;

	if ((rc = abi_resolve_type(&type, walk->abi, spot->type, walk->err)))
		return rc;
	if (++walk->steps > 4 * (size_t)DECODE_FIELDS_MAX)
		return err_set(walk->err, ERR_LIMIT, "'%s' and what is before it are more than %zu fields", spot->path, walk->steps - 1);
	if (!type.count || type.flexible)
		return 0;
	if (type.element_bytes > walk->size_bytes || type.count > walk->size_bytes ||
	    (spot->is_bitfield && (type.record || spot->size_bits > 64)))
		return err_set(walk->err, ERR_LAYOUT, "'%s' is longer than its record", spot->path);
	bits = spot->is_bitfield ? spot->size_bits : type.count * type.element_bytes * 8;
	if (spot->offset_bits > walk->size_bytes * 8 || bits > walk->size_bytes * 8 - spot->offset_bits ||
	    (!spot->is_bitfield && spot->offset_bits % 8))
		return err_set(walk->err, ERR_LAYOUT, "'%s' is not inside its record", spot->path);
	if (!bits)
		return 0;
	if (!type.record)
		return add_scalar(walk, spot, &type);
	return type.dimension_count ? walk_elements(walk, spot, &type) : walk_record(walk, spot, type.record);
}

/* --- the template ----------------------------------------------------------------------------- */

static void find_gaps(struct decode_template *out, const struct walk *walk)
{
	struct decode_padding *gaps = NULL;
	size_t count = 0, capacity = 0;

	for (uint64_t i = 0; i < walk->size_bytes; i++) {
		if (walk->covered[i])
			continue;
		ARRAY_GROW(gaps, count, capacity);
		gaps[count] = (struct decode_padding){ .offset = i };
		while (i < walk->size_bytes && !walk->covered[i])
			i++;
		gaps[count].size = i - gaps[count].offset;
		count++;
	}
	out->gaps = count ? arena_memdup(walk->arena, gaps, count * sizeof(*gaps)) : NULL;
	out->gap_count = count;
	free(gaps);
}

static void hand_over(struct decode_template *out, const struct walk *walk, const char *type)
{
	*out = (struct decode_template){ .abi = walk->abi, .type = type, .size_bytes = walk->size_bytes, .count = walk->count,
					 .fold_count = walk->fold_count, .choice_count = walk->choice_count };
	out->fields = walk->count ? arena_memdup(walk->arena, walk->fields, walk->count * sizeof(*walk->fields)) : NULL;
	out->folds = walk->fold_count ? arena_memdup(walk->arena, walk->folds, walk->fold_count * sizeof(*walk->folds)) : NULL;
	out->choices = walk->choice_count ? arena_memdup(walk->arena, walk->choices, walk->choice_count * sizeof(*walk->choices)) : NULL;
	find_gaps(out, walk);
}

bool decode_template_fits(const struct decode_template *form, const uint8_t *bytes)
{
	for (size_t i = 0; i < form->choice_count; i++)
		if (made_by(&form->choices[i], bytes, form->size_bytes) != form->choices[i].made)
			return false;
	return true;
}

int decode_template_compile(struct decode_template *out, const struct abi *abi, const struct union_rules *unions, const char *type,
			    const uint8_t *bytes, uint64_t size_bytes, struct arena *arena, struct err *err)
{
	struct walk walk = { .abi = abi, .unions = unions, .bytes = bytes, .size_bytes = size_bytes, .arena = arena, .err = err };
	const struct abi_record *found = abi_find_record(abi, type);
	const char *own_type = arena_strdup(arena, type); /* which fields have as well: the caller's may be of one call */
	struct spot spot = { .path = "", .type = own_type };
	int rc;

	walk.covered = xmalloc(size_bytes + 1);
	memset(walk.covered, 0, size_bytes + 1);
	rc = found ? walk_record(&walk, &spot, found) : walk_spot(&walk, &spot);
	if (!rc)
		hand_over(out, &walk, own_type);
	else
		err_prefix(err, "%s of %s", type, abi->version);
	free(walk.fields);
	free(walk.folds);
	free(walk.choices);
	free(walk.covered);
	return rc;
}
