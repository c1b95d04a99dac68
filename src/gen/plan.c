/*
 * gen/plan.c - divide a record into fields, bytes and padding, in up to four attempts
 *
 * 1. The fields are laid out by C's rules, with padding where a field's offset is larger. The attempt
 *    succeeds if each field has the driver's offset, and the record's alignment is not larger than the
 *    driver's.
 * 2. Like attempt 1, but packed to the record's alignment: no field has a larger alignment.
 * 3. Like attempt 1, but packed to 1. The record's alignment in the language can then be less than the
 *    driver's. Only Python tries this, because no Python code relies on the alignment.
 * 4. In Rust: not packed, with bytes for each field that attempt 1 could not put at its offset.
 *
 * A union is laid out in the same way, with each field at offset 0.
 */
#include "gen/internal.h"

/* One attempt. */
struct attempt {
	enum gen_language language;
	struct arena *arena;
	const struct definition *definition;
	const struct abi_record *record; /* the definition's */
	uint64_t pack_bytes;      /* 0 if not packed */
	bool with_bytes;          /* fields that do not fit become bytes */
	struct plan_item *items;
	size_t count;
	uint64_t end_bytes;       /* the end of the items so far */
	uint64_t align_bytes;     /* the alignment that the items need */
	bool has_align;
	unsigned paddings, bits, anonymous; /* the next numbers in the names of such items */
};

/* --- names ------------------------------------------------------------------------- */

/*
 * Does an unnamed record inside @definition have an item with this name? In Python, such an item is also an
 * attribute of the outer record.
 */
static bool is_promoted(const struct definition *definition, const char *name)
{
	for (size_t i = 0; i < definition->record->field_count; i++) {
		const struct definition_member *member = &definition->members[i];
		const struct plan *plan = *member->field->name || !member->type.record
						  ? NULL
						  : member->type.record->plan;

		for (size_t k = 0; plan && k < plan->count; k++)
			if (!plan->items[k].is_anonymous && !strcmp(plan->items[k].name, name))
				return true;
		if (plan && is_promoted(member->type.record, name))
			return true;
	}
	return false;
}

/*
 * Does a record that contains @definition, an unnamed record, have a field with this name? "A::B::c_t" is in
 * "A::B" and in "A".
 */
static bool is_outer_field(const struct definition *definition, const char *name, struct arena *arena)
{
	char *outer = arena_strdup(arena, definition->driver_name);

	for (char *end; (end = strrchr(outer, ':')) && end > outer;) {
		const struct abi_record *record;

		end[-1] = '\0';
		record = abi_find_record(definition->abi, outer);
		if (record && abi_find_field(record, name))
			return true;
	}
	return false;
}

/* Returns a unique name for an item that has none in C: "pad_0" for @what "pad". Increases @count. */
static const char *made_up_name(const struct attempt *attempt, const char *what, unsigned *count)
{
	const struct definition *definition = attempt->definition;
	const char *name;

	do {
		name = arena_printf(attempt->arena, "%s_%u", what, (*count)++);
	} while (abi_find_field(definition->record, name) ||
		 (attempt->language == GEN_PYTHON && (is_promoted(definition, name) ||
						      is_outer_field(definition, name, attempt->arena))));
	return name;
}

const char *plan_field_name(enum gen_language language, const struct abi_record *record, const char *name,
			    struct arena *arena)
{
	const char *spelled = words_field(language, name, arena);

	while (spelled != name && abi_find_field(record, spelled))
		spelled = arena_printf(arena, "%s_", spelled);
	return spelled;
}

/* --- types ------------------------------------------------------------------------- */

/* Do both languages have the scalar, with the same size and alignment? If not (long double), it is bytes. */
static bool has_type(const struct definition_type *type)
{
	if (type->record || type->scalar != ABI_BYTES)
		return true;
	return type->words && (!strcmp(type->words, "float") || !strcmp(type->words, "double"));
}

static const char *array_text(enum gen_language language, const char *element, uint64_t count,
			      struct arena *arena)
{
	return arena_printf(arena, language == GEN_RUST ? "[%s; %" PRIu64 "]" : "%s * %" PRIu64, element,
			    count);
}

const char *plan_type_text(enum gen_language language, const struct definition_type *type,
			   struct arena *arena)
{
	static const char *const names[][2] = {
		[ABI_U8] = { "u8", "c_uint8" }, [ABI_U16] = { "u16", "c_uint16" },
		[ABI_U32] = { "u32", "c_uint32" }, [ABI_U64] = { "u64", "c_uint64" },
		[ABI_I8] = { "i8", "c_int8" }, [ABI_I16] = { "i16", "c_int16" },
		[ABI_I32] = { "i32", "c_int32" }, [ABI_I64] = { "i64", "c_int64" },
		[ABI_CHAR] = { "u8", "c_char" }, [ABI_BOOL] = { "u8", "c_bool" },
		[ABI_POINTER] = { "*mut core::ffi::c_void", "c_void_p" },
	};
	bool is_rust = language == GEN_RUST;
	const char *text;

	if (type->definition)
		text = type->definition->name;
	else if (type->scalar != ABI_BYTES)
		text = is_rust ? names[type->scalar][0]
			       : arena_printf(arena, "ctypes.%s", names[type->scalar][1]);
	else if (has_type(type) && is_rust) /* float or double, whose scalar is ABI_BYTES, too */
		text = type->element_bytes == 4 ? "f32" : "f64";
	else if (has_type(type))
		text = type->element_bytes == 4 ? "ctypes.c_float" : "ctypes.c_double";
	else
		text = arena_printf(arena, is_rust ? "[u8; %" PRIu64 "]" : "(ctypes.c_uint8 * %" PRIu64 ")",
				    type->element_bytes);
	for (size_t i = type->dimension_count; i; i--) /* T[4][2] is [[T; 2]; 4], or T * 2 * 4 */
		text = array_text(language, text, type->dimension[i - 1], arena);
	return text;
}

const char *plan_item_text(enum gen_language language, const struct plan_item *item, struct arena *arena)
{
	if (item->kind == PLAN_FIELD)
		return plan_type_text(language, &item->members->type, arena);
	return array_text(language, language == GEN_RUST ? "u8" : "ctypes.c_uint8", item->size_bytes, arena);
}

/* Gets the alignment of a field of @type in the language; 0 if it can only be bytes. */
static uint64_t align_of_type(struct attempt *attempt, const struct definition_type *type)
{
	const struct plan *plan = type->record ? type->record->plan : NULL;

	if (!has_type(type))
		return 0;
	if (!plan)
		return type->record ? 0 : type->element_bytes;
	if (plan->has_align && attempt->pack_bytes && attempt->language == GEN_RUST)
		return 0;
	return plan->effective_bytes;
}

/* --- items ------------------------------------------------------------------------- */

static void add_plan_item(struct attempt *attempt, struct plan_item item)
{
	uint64_t end_bytes = item.offset_bytes + item.size_bytes;

	if (end_bytes > attempt->end_bytes)
		attempt->end_bytes = end_bytes;
	attempt->items[attempt->count++] = item;
}

/*
 * Adds the padding up to @until, unless the language itself leaves these bytes before a field with the
 * alignment @align_bytes.
 */
static void add_padding(struct attempt *attempt, uint64_t until, uint64_t align_bytes)
{
	if (attempt->record->is_union || attempt->end_bytes == until ||
	    (attempt->language == GEN_PYTHON && round_up(attempt->end_bytes, align_bytes) == until))
		return;
	add_plan_item(attempt, (struct plan_item){ .kind = PLAN_PADDING,
						   .name = made_up_name(attempt, "pad", &attempt->paddings),
						   .offset_bytes = attempt->end_bytes,
						   .size_bytes = until - attempt->end_bytes });
}

static int fail_overlap(const struct attempt *attempt, struct err *err)
{
	return err_set(err, ERR_LAYOUT, "%s: its fields overlap, so it cannot be declared; fix the document",
		       attempt->definition->driver_name);
}

/*
 * Adds a field, after padding; as bytes if the language does not have its type, or would put it elsewhere.
 * The latter sets @fits to false, except in attempt 4. Return: 0; ERR_LAYOUT if fields overlap.
 */
static int put_field(struct attempt *attempt, const struct definition_member *member, bool *fits,
		     struct err *err)
{
	uint64_t align_bytes = align_of_type(attempt, &member->type), at = member->field->offset_bits / 8;
	const struct plan *inner = member->type.record ? member->type.record->plan : NULL;
	struct plan_item item = { .kind = PLAN_FIELD, .members = member, .member_count = 1,
				  .offset_bytes = at, .size_bytes = member->field->size_bits / 8,
				  .is_anonymous = !*member->field->name };

	if (member->field->offset_bits % 8 || (attempt->record->is_union ? at > 0 : at < attempt->end_bytes))
		return fail_overlap(attempt, err);
	if (attempt->pack_bytes && align_bytes > attempt->pack_bytes)
		align_bytes = attempt->pack_bytes;
	if (align_bytes && (at % align_bytes || align_bytes > attempt->record->align_bytes)) {
		*fits = *fits && attempt->with_bytes;
		align_bytes = 0;
	}
	if (!align_bytes) {
		item.kind = PLAN_BYTES;
		align_bytes = 1;
	} else if (inner && inner->has_align) {
		attempt->has_align = true;
	}
	add_padding(attempt, at, align_bytes);
	item.name = *member->field->name ? plan_field_name(attempt->language, attempt->record,
							   member->field->name, attempt->arena)
					 : made_up_name(attempt, "anon", &attempt->anonymous);
	add_plan_item(attempt, item);
	if (align_bytes > attempt->align_bytes)
		attempt->align_bytes = align_bytes;
	return 0;
}

/* Adds one item for @count adjacent bit-fields from @first on. Return: 0; ERR_LAYOUT if they overlap. */
static int put_bits(struct attempt *attempt, size_t first, size_t count, struct err *err)
{
	const struct definition_member *members = &attempt->definition->members[first];
	uint64_t at = members[0].field->offset_bits / 8, end_bits = members[0].field->offset_bits;

	for (size_t i = 0; i < count; i++) {
		if (members[i].field->offset_bits < end_bits)
			return fail_overlap(attempt, err);
		end_bits = members[i].field->offset_bits + members[i].field->size_bits;
	}
	if (attempt->record->is_union)
		at = 0;
	else if (at < attempt->end_bytes)
		return fail_overlap(attempt, err);
	add_padding(attempt, at, 1);
	add_plan_item(attempt, (struct plan_item){ .kind = PLAN_BITS,
						   .name = made_up_name(attempt, "bits", &attempt->bits),
						   .members = members, .member_count = count,
						   .offset_bytes = at,
						   .size_bytes = (end_bits + 7) / 8 - at });
	return 0;
}

/* --- attempts ---------------------------------------------------------------------- */

/*
 * Sets @out to the plan of this attempt, and @fits to false if the language would lay out its items
 * differently. Return: 0; ERR_LAYOUT if fields overlap or end after the record.
 */
static int lay_out_items(struct plan *out, bool *fits, struct attempt *attempt, struct err *err)
{
	struct plan plan = { .items = attempt->items, .pack_bytes = attempt->pack_bytes };
	const struct abi_record *record = attempt->record;
	int rc = 0;

	*fits = true;
	attempt->align_bytes = 1;
	for (size_t i = 0, count; i < record->field_count && !rc; i += count) {
		count = 1;
		if (!record->fields[i].is_bitfield) {
			rc = put_field(attempt, &attempt->definition->members[i], fits, err);
			continue;
		}
		/* Adjacent bit-fields share bytes, except in a union. */
		while (!record->is_union && i + count < record->field_count &&
		       record->fields[i + count].is_bitfield)
			count++;
		rc = put_bits(attempt, i, count, err);
	}
	if (rc)
		return rc;
	if (attempt->end_bytes > record->size_bytes)
		return err_set(err, ERR_LAYOUT,
			       "%s: its fields end after the record, so it cannot be declared; "
			       "fix the document",
			       record->name);
	plan.effective_bytes = attempt->align_bytes;
	if (attempt->language == GEN_RUST && attempt->align_bytes < record->align_bytes) {
		if (attempt->pack_bytes)
			*fits = false;
		else
			plan.align_bytes = plan.effective_bytes = record->align_bytes;
	}
	if (record->size_bytes % plan.effective_bytes)
		*fits = false;
	/* Add the bytes after the last field; in a union, they become an additional field. */
	if (*fits && !record->is_union)
		add_padding(attempt, record->size_bytes, plan.effective_bytes);
	else if (*fits && round_up(attempt->end_bytes, plan.effective_bytes) != record->size_bytes)
		add_plan_item(attempt,
			      (struct plan_item){ .kind = PLAN_PADDING,
						  .size_bytes = record->size_bytes,
						  .name = made_up_name(attempt, "pad", &attempt->paddings) });
	plan.count = attempt->count;
	plan.has_align = attempt->has_align || plan.align_bytes;
	*out = plan;
	return 0;
}

int plan_definition(struct definition *definition, enum gen_language language, struct arena *arena,
		    struct err *err)
{
	const struct abi_record *record = definition->record;
	struct plan *plan = arena_alloc(arena, sizeof(*plan));
	bool fits;
	int rc;

	for (unsigned number = 1; number <= 4; number++) {
		struct attempt attempt = { .language = language, .arena = arena, .definition = definition,
					   .record = record, .with_bytes = number == 4 };

		if ((number == 3 && language != GEN_PYTHON) || (number == 4 && language != GEN_RUST))
			continue;
		attempt.pack_bytes = number == 2 ? record->align_bytes : number == 3 ? 1 : 0;
		attempt.items = arena_array(arena, record->field_count * 2 + 1, sizeof(*attempt.items));
		if ((rc = lay_out_items(plan, &fits, &attempt, err)))
			return rc;
		if (fits) {
			definition->plan = plan;
			return 0;
		}
	}
	return err_set(err, ERR_LAYOUT,
		       "%s cannot be declared with its offsets, size and alignment; leave it out",
		       definition->driver_name);
}

/* Returns the name, width and position of each bit-field of @item, for a comment. */
static const char *bits_remark(const struct plan_item *item, struct arena *arena)
{
	const char *text = "bit-fields ";

	for (size_t i = 0; i < item->member_count; i++) {
		const struct abi_field *field = item->members[i].field;

		text = arena_printf(arena, "%s%s%s: %" PRIu64 " bit%s from bit %" PRIu64, text, i ? ", " : "",
				    *field->name ? field->name : "(unnamed)", field->size_bits,
				    field->size_bits == 1 ? "" : "s",
				    field->offset_bits - item->offset_bytes * 8);
	}
	return text;
}

const char *plan_remark(const struct plan_item *item, struct arena *arena)
{
	const struct abi_field *field = item->members ? item->members->field : NULL;
	const char *spelling = "", *type = "", *text;

	if (item->kind == PLAN_PADDING)
		return "";
	if (item->kind == PLAN_BITS)
		return bits_remark(item, arena);
	if (item->is_anonymous)
		spelling = "; unnamed in the driver: its members belong to this record";
	else if (strcmp(item->name, field->name) != 0) /* a keyword of the language */
		spelling = arena_printf(arena, "; \"%s\" in the driver", field->name);
	if (item->kind == PLAN_BYTES)
		type = arena_printf(arena, "; %s in the driver, declared as bytes", field->type);
	else if (item->members->type.remark)
		type = arena_printf(arena, "; %s", item->members->type.remark);
	text = arena_printf(arena, "%s%s%s%s", abi_role_name(field->role), spelling, type,
			    item->members->type.flexible ? "; flexible array" : "");
	return text + (begins(text, "; ") ? 2 : 0);
}
