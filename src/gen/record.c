/*
 * gen/record.c - one record, with those inside it, as types
 *
 * Members are read in the order of declaration, which is that of their
 * offsets. An unnamed struct's members are its parent's. A document may be
 * written by hand, so each member must lie behind the one before it and inside
 * the record, and be as large as its type.
 */
#include "gen/draft.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* No driver comes near these; they bound what a document written by hand may cost. */
enum { DEPTH_MAX = 64, MEMBERS_MAX = 1 << 14 };

/* Consecutive bit-fields, which share bytes. */
struct bits {
	uint64_t from, end;  /* in bits, from the start of the record; equal: there are none */
	struct strbuf names; /* "lo:3, hi:5" */
};

/* One run over a record's members. */
struct members {
	struct draft *draft;
	struct bits bits;
	unsigned unions;     /* unnamed, so far */
	size_t depth;        /* of unnamed structs */
};

static int bad_member(const struct draft *draft, const char *name, const char *what)
{
	return err_set(draft->with->err, ERR_LAYOUT, "member %s of record %s %s; mend the document", *name ? name : "without a name",
		       draft->record->name, what);
}

static void append(struct draft *draft, const struct draft_field *field, uint64_t size_bytes)
{
	ARRAY_GROW(draft->fields, draft->count, draft->capacity);
	draft->fields[draft->count++] = *field;
	draft->end_bytes = field->field.offset_bytes + size_bytes;
}

/* Padding is named when all fields are. */
static void append_padding(struct draft *draft, uint64_t end_bytes)
{
	struct draft_field pad = { .note = { .kind = PROXYTYPE_PADDING, .driver = "", .driver_type = "" } };

	if (draft->end_bytes >= end_bytes)
		return;
	pad.field = (struct table_field){ "", draft_array(draft, "uint8", end_bytes - draft->end_bytes), draft->end_bytes };
	append(draft, &pad, end_bytes - draft->end_bytes);
}

/*
 * Go would move a field that is not aligned, and round up the size of a struct: then the field is bytes. So it is if
 * a record of the driver has the name of one of the proxy's own types.
 */
static void fit_field(struct draft *draft, struct draft_field *field, uint64_t size_bytes)
{
	uint64_t align = go_align(draft->with->set, field->field.type);

	if (field->field.offset_bytes % align == 0 && draft->record->size_bytes % align == 0 &&
	    go_size(draft->with->set, field->field.type) == size_bytes)
		return;
	field->field.type = draft_array(draft, "uint8", size_bytes);
	field->note.remark = arena_printf(&draft->with->scratch, "packed: %s", field->note.driver_type);
	field->inner = NULL;
}

static int add_field(struct draft *draft, struct draft_field *field, uint64_t size_bytes)
{
	uint64_t offset = field->field.offset_bytes;

	if (offset < draft->end_bytes)
		return bad_member(draft, field->note.driver, "overlaps the one before it");
	if (size_bytes > draft->record->size_bytes || offset > draft->record->size_bytes - size_bytes)
		return bad_member(draft, field->note.driver, "ends behind the record");
	fit_field(draft, field, size_bytes);
	append_padding(draft, offset);
	append(draft, field, size_bytes);
	return 0;
}

/* --- bit-fields --------------------------------------------------------------- */

static const char *storage_type(const struct draft *draft, uint64_t from_bytes, uint64_t size_bytes)
{
	if ((size_bytes & (size_bytes - 1)) == 0 && size_bytes <= 8 && from_bytes % size_bytes == 0)
		return arena_printf(&draft->with->scratch, "uint%" PRIu64, size_bytes * 8);
	return draft_array(draft, "uint8", size_bytes);
}

static int flush_bits(struct members *members)
{
	struct draft *draft = members->draft;
	uint64_t from = members->bits.from / 8, end = (members->bits.end + 7) / 8;
	struct draft_field field = { .note = { .driver = "", .driver_type = "" } };

	if (members->bits.from == members->bits.end)
		return 0;
	field.field = (struct table_field){ arena_printf(&draft->with->scratch, "Bits%" PRIu64, from),
					    storage_type(draft, from, end - from), from };
	field.note.remark = arena_printf(&draft->with->scratch, "bit-fields %s", strbuf_text(&members->bits.names));
	members->bits.from = members->bits.end = 0;
	strbuf_reset(&members->bits.names);
	return add_field(draft, &field, end - from);
}

static int add_bits(struct members *members, const struct abi_field *member, uint64_t base_bits)
{
	struct bits *bits = &members->bits;
	uint64_t from = base_bits + member->offset_bits;
	int rc;

	if (bits->from != bits->end && from / 8 >= (bits->end + 7) / 8 && (rc = flush_bits(members)))
		return rc;
	if (bits->from == bits->end)
		bits->from = from;
	if (from < bits->from || (bits->names.length && from < bits->end))
		return bad_member(members->draft, member->name, "overlaps the one before it");
	bits->end = from + member->size_bits;
	strbuf_addf(&bits->names, "%s%s:%" PRIu64, bits->names.length ? ", " : "", member->name, member->size_bits);
	return 0;
}

/* --- types -------------------------------------------------------------------- */

static bool is_uuid(const struct abi_record *record)
{
	static const char *const names[] = { "NvProcessorUuid", "NvSystemUuid", "NvUuid", "nv_uuid" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(record->name, names[i]))
			return record->size_bytes == 16 && !record->is_union;
	return false;
}

/* What the proxy has for the record that @member is. */
static int ancestor_of(struct ancestor *out, const struct draft *draft, const struct abi_field *member)
{
	const struct table_field *theirs = ancestor_field(draft, member);
	const struct abi_field *old = ancestor_member(&draft->ancestor, member->name);
	struct abi_spelling parsed;
	struct abi_type type;
	int rc;

	*out = (struct ancestor){ 0 };
	if (!theirs || abi_spelling_parse(&parsed, theirs->type, NULL))
		return 0;
	out->type = proxytype_find(draft->with->set, arena_strndup(&draft->with->scratch, parsed.base, parsed.base_length));
	if (!out->type || !old)
		return 0;
	if ((rc = abi_resolve_type(&type, draft->ancestor.abi, old->type, draft->with->err)))
		return rc;
	out->abi = draft->ancestor.abi;
	out->record = type.record;
	return 0;
}

/* What was last declared under the record's name, or what the table has under it. */
static void ancestor_by_name(struct ancestor *out, const struct draft *draft, const struct abi_record *record)
{
	const char *name = proxytype_type_name(record->name, &draft->with->scratch);

	const struct set_type *latest = set_latest(draft->with->set, name);

	out->type = latest ? latest->type.type : proxytype_find(draft->with->set, name);
	if (draft->with->request->parent_abi)
		out->record = abi_find_record(draft->with->request->parent_abi, record->name);
	out->abi = out->record ? draft->with->request->parent_abi : NULL;
}

static int type_record(struct draft_field *out, const struct draft *draft, const struct abi_field *member, const struct abi_type *type)
{
	const struct proxytype *inner;
	struct ancestor ancestor;
	int rc;

	if (is_uuid(type->record)) {
		out->field.type = draft_dimensions(draft, draft_own_type(draft, "NvUUID"), type);
		return 0;
	}
	if (type->record->is_union) {
		out->field.type = draft_bytes(draft, member);
		out->note.remark = "union";
		return 0;
	}
	if ((rc = ancestor_of(&ancestor, draft, member)))
		return rc;
	if (!ancestor.type)
		ancestor_by_name(&ancestor, draft, type->record);
	if ((rc = declare_record(&inner, draft->with, draft, type->record, &ancestor)))
		return rc;
	out->field.type = draft_dimensions(draft, inner->type->name, type);
	out->inner = type->dimension_count ? NULL : inner;
	return 0;
}

/* An identifier, and dimensions. */
static bool is_type(const char *spelling, struct arena *arena)
{
	struct abi_spelling parsed;

	return !abi_spelling_parse(&parsed, spelling, NULL) && draft_is_identifier(arena_strndup(arena, parsed.base, parsed.base_length));
}

/* The type that the proxy has for the same member, of the same driver's type: people may know better what it is (ClassID). */
static const char *their_type(const struct draft *draft, const struct abi_field *member, const char *ours)
{
	const struct table_field *theirs = ancestor_field(draft, member);
	const struct abi_field *old = ancestor_member(&draft->ancestor, member->name);
	struct proxytype_set *set = draft->with->set;

	if (!theirs || !old || strcmp(old->type, member->type) || !is_type(theirs->type, &draft->with->scratch) || go_size(set, theirs->type) != go_size(set, ours) ||
	    go_align(set, theirs->type) != go_align(set, ours))
		return ours;
	return theirs->type;
}

/* --- members ------------------------------------------------------------------ */

static bool is_taken(const struct draft *draft, const char *name)
{
	for (size_t i = 0; i < draft->count; i++)
		if (!strcmp(draft->fields[i].field.name, name))
			return true;
	return false;
}

static const char *field_name(struct members *members, const struct abi_field *member)
{
	struct draft *draft = members->draft;
	struct arena *arena = &draft->with->scratch;
	const struct table_field *theirs = ancestor_field(draft, member);
	const char *first = theirs && !padding_of_proxy(theirs->name) && draft_is_identifier(theirs->name) ? theirs->name
			    : *member->name ? proxytype_field_name(member->name, arena)
					    : arena_printf(arena, "Union%u", members->unions++);
	const char *name = first;

	for (unsigned i = 2; is_taken(draft, name); i++)
		name = arena_printf(arena, "%s_%u", first, i);
	return name;
}

static int check_member(const struct draft *draft, const struct abi_field *member, const struct abi_type *type)
{
	uint64_t bytes;

	if (member->name[strspn(member->name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")])
		return err_set(draft->with->err, ERR_FORMAT, "member \"%.200s\" of record %s cannot be named in Go; mend the document", member->name,
			       draft->record->name);
	if (member->offset_bits % 8)
		return bad_member(draft, member->name, "is no bit-field, and does not begin at a byte");
	if (__builtin_mul_overflow(type->count, type->element_bytes, &bytes) || bytes > UINT64_MAX / 8 || bytes * 8 != member->size_bits)
		return bad_member(draft, member->name, "has not the size of its type");
	return 0;
}

static int add_members(struct members *members, const struct abi_record *record, uint64_t base_bits);

static int add_unnamed(struct members *members, const struct abi_record *record, uint64_t base_bits)
{
	int rc;

	if (++members->depth > DEPTH_MAX)
		return err_set(members->draft->with->err, ERR_LIMIT, "record %s has unnamed records more than %d deep", members->draft->record->name, DEPTH_MAX);
	rc = add_members(members, record, base_bits);
	members->depth--;
	return rc;
}

static int add_named(struct members *members, const struct abi_field *member, const struct abi_type *type, uint64_t base_bits)
{
	struct draft *draft = members->draft;
	struct draft_field field = { .note = { .driver = member->name, .driver_type = member->type, .role = member->role } };
	int rc = 0;

	if (type->record)
		rc = type_record(&field, draft, member, type);
	else
		draft_scalar_field(&field, draft, member, type);
	if (rc)
		return rc;
	field.field.name = field_name(members, member);
	field.field.type = type->record ? field.field.type : their_type(draft, member, field.field.type);
	field.field.offset_bytes = (base_bits + member->offset_bits) / 8;
	return add_field(draft, &field, member->size_bits / 8);
}

static int add_member(struct members *members, const struct abi_field *member, uint64_t base_bits)
{
	struct draft *draft = members->draft;
	const struct abi_type *known;
	struct abi_type type;
	int rc;

	if (++draft->with->members > MEMBERS_MAX)
		return err_set(draft->with->err, ERR_LIMIT, "record %s has more than %d members, with those of the records inside it",
			       draft->with->request->record, MEMBERS_MAX);
	if (member->offset_bits > UINT64_MAX / 2 || base_bits > UINT64_MAX / 2)
		return bad_member(draft, member->name, "ends behind the record");
	if (member->is_bitfield)
		return add_bits(members, member, base_bits);
	if ((rc = flush_bits(members)) ||
	    (rc = abi_resolve_known(&known, &draft->with->known_types, draft->with->request->abi, member->type, draft->with->err)) ||
	    (rc = check_member(draft, member, known)))
		return rc;
	type = *known; /* good until the next call, which declares the record */
	if (!member->size_bits) {
		if (type.flexible)
			draft->beyond = arena_printf(&draft->with->scratch, "%s %s", member->type, member->name);
		return 0;
	}
	if (type.record && !type.record->is_union && !*member->name && !type.dimension_count)
		return add_unnamed(members, type.record, base_bits + member->offset_bits);
	return add_named(members, member, &type, base_bits);
}

static int add_members(struct members *members, const struct abi_record *record, uint64_t base_bits)
{
	int rc = 0;

	for (size_t i = 0; i < record->field_count && !rc; i++)
		rc = add_member(members, &record->fields[i], base_bits);
	return rc;
}

static void name_padding(struct draft *draft)
{
	struct arena *arena = &draft->with->scratch;
	unsigned next = 0;

	for (size_t i = 0; i < draft->count; i++)
		if (draft->fields[i].note.kind == PROXYTYPE_PADDING) {
			const char *name;

			do
				name = arena_printf(arena, "Pad%u", next++);
			while (is_taken(draft, name));
			draft->fields[i].field.name = name;
		}
}

static int draft_members(struct draft *draft)
{
	struct members members = { .draft = draft };
	int rc;

	if (!(rc = add_members(&members, draft->record, 0)) && !(rc = flush_bits(&members))) {
		append_padding(draft, draft->record->size_bytes);
		name_padding(draft);
	}
	strbuf_release(&members.bits.names);
	return rc;
}

/* --- the record ------------------------------------------------------------------ */

static int check_nesting(const struct draft *draft)
{
	size_t depth = 0;

	for (const struct draft *outer = draft->outer; outer; outer = outer->outer) {
		if (outer->record == draft->record)
			return err_set(draft->with->err, ERR_LIMIT, "record %s contains itself", draft->record->name);
		if (++depth == DEPTH_MAX)
			return err_set(draft->with->err, ERR_LIMIT, "record %s is nested deeper than %d records", draft->record->name, DEPTH_MAX);
	}
	return 0;
}

/* The fields of the draft, as a type without a name. */
static void draft_type(struct proxytype *out, struct table_type *type, const struct draft *draft)
{
	struct table_field *fields = arena_array(&draft->with->scratch, draft->count, sizeof(*fields));
	struct proxytype_field *notes = arena_array(&draft->with->scratch, draft->count, sizeof(*notes));

	for (size_t i = 0; i < draft->count; i++) {
		fields[i] = draft->fields[i].field;
		notes[i] = draft->fields[i].note;
	}
	*type = (struct table_type){ .name = "", .size_bytes = draft->record->size_bytes, .fields = fields, .field_count = draft->count };
	if (draft->record->is_union)
		type->alias = arena_printf(&draft->with->scratch, "uint8[%" PRIu64 "]", draft->record->size_bytes);
	*out = (struct proxytype){ .type = type, .fields = notes, .beyond = draft->beyond };
}

int declare_record(const struct proxytype **out, struct declaring *with, const struct draft *outer, const struct abi_record *record,
		   const struct ancestor *ancestor)
{
	struct draft draft = { .with = with, .outer = outer, .record = record, .ancestor = *ancestor };
	const char *base = ancestor->type ? draft_base(with, ancestor->type) : proxytype_type_name(record->name, &with->scratch);
	struct table_type type;
	struct proxytype flat;
	int rc;

	if ((rc = check_nesting(&draft)) || (rc = draft_check_name(base, &draft)) ||
	    (!record->is_union && (rc = draft_members(&draft))))
		goto out;
	draft_type(&flat, &type, &draft);
	*out = draft_answer(&draft, &flat, base);
out:
	free(draft.fields);
	return rc;
}
