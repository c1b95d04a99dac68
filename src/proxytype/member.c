/*
 * proxytype/member.c - the members of a struct as fields of a type
 *
 * Members are taken in the order of declaration, which is that of their
 * offsets. An unnamed struct's members are its parent's. A document may be
 * written by hand, so each member must lie behind the one before it and inside
 * the record, and be as large as its type.
 */
#include "proxytype/draft.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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

static const char *array_type(const struct draft *draft, const char *base, uint64_t count)
{
	return arena_printf(&draft->with->scratch, "%s[%" PRIu64 "]", base, count);
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
	pad.field = (struct table_field){ "", array_type(draft, "uint8", end_bytes - draft->end_bytes), draft->end_bytes };
	append(draft, &pad, end_bytes - draft->end_bytes);
}

/* Go would move a field that is not aligned, and round up the size of a struct: then the field is bytes. */
static void align_field(struct draft *draft, struct draft_field *field, uint64_t size_bytes)
{
	uint64_t align = go_align(draft->with->set, field->field.type);

	if (field->field.offset_bytes % align == 0 && draft->record->size_bytes % align == 0)
		return;
	field->field.type = array_type(draft, "uint8", size_bytes);
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
	align_field(draft, field, size_bytes);
	append_padding(draft, offset);
	append(draft, field, size_bytes);
	return 0;
}

/* --- bit-fields --------------------------------------------------------------- */

static const char *storage_type(const struct draft *draft, uint64_t from_bytes, uint64_t size_bytes)
{
	if ((size_bytes & (size_bytes - 1)) == 0 && size_bytes <= 8 && from_bytes % size_bytes == 0)
		return arena_printf(&draft->with->scratch, "uint%" PRIu64, size_bytes * 8);
	return array_type(draft, "uint8", size_bytes);
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

/* Types that a proxy has for the driver's own. A set without a table declares them when they are used. */
static const struct own_type {
	const char *name, *alias;
	uint64_t size_bytes;
	enum abi_role role;
} own_types[] = {
	{ "Handle", "uint32", 4, ABI_ROLE_HANDLE },
	{ "P64", "uint64", 8, ABI_ROLE_POINTER },
	{ "NvUUID", "uint8[16]", 16, ABI_ROLE_NONE },
};

static const char *own_type(const struct draft *draft, const char *name)
{
	struct proxytype_set *set = draft->with->set;

	for (size_t i = 0; i < sizeof(own_types) / sizeof(*own_types) && !proxytype_find(set, name); i++) {
		struct table_type type = { .name = own_types[i].name, .size_bytes = own_types[i].size_bytes,
					   .alias = own_types[i].alias, .role = own_types[i].role };

		if (!strcmp(own_types[i].name, name))
			set_add(set, name, &(struct proxytype){ .type = &type, .version = "" }, &type);
	}
	return name;
}

static bool is_uuid(const struct abi_record *record)
{
	static const char *const names[] = { "NvProcessorUuid", "NvSystemUuid", "NvUuid", "nv_uuid" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(record->name, names[i]))
			return record->size_bytes == 16 && !record->is_union;
	return false;
}

static const char *scalar_name(const struct draft *draft, const struct abi_type *type, const char *spelling)
{
	static const char *const names[] = {
		[ABI_U8] = "uint8", [ABI_U16] = "uint16", [ABI_U32] = "uint32", [ABI_U64] = "uint64",
		[ABI_I8] = "int8", [ABI_I16] = "int16", [ABI_I32] = "int32", [ABI_I64] = "int64",
		[ABI_CHAR] = "uint8", [ABI_BOOL] = "uint8",
	};
	struct abi_spelling parsed;
	bool is_handle = !abi_spelling_parse(&parsed, spelling, NULL) && parsed.base_length == strlen("NvHandle") &&
			 !strncmp(parsed.base, "NvHandle", parsed.base_length);

	switch (type->scalar) {
	case ABI_POINTER:
		return type->element_bytes == 8 ? own_type(draft, "P64") : NULL;
	case ABI_ENUMERATION:
		return type->element_bytes <= 8 && (type->element_bytes & (type->element_bytes - 1)) == 0
			       ? arena_printf(&draft->with->scratch, "uint%" PRIu64, type->element_bytes * 8)
			       : NULL;
	case ABI_BYTES:
		return NULL;
	case ABI_U8: case ABI_U16: case ABI_U32: case ABI_U64: case ABI_I8: case ABI_I16: case ABI_I32: case ABI_I64:
	case ABI_CHAR: case ABI_BOOL:
		break;
	}
	return is_handle && type->element_bytes == 4 ? own_type(draft, "Handle") : names[type->scalar];
}

static const char *with_dimensions(const struct draft *draft, const char *base, const struct abi_type *type)
{
	const char *out = base;

	for (size_t i = 0; i < type->dimension_count; i++)
		out = array_type(draft, out, type->dimension[i]);
	return out;
}

const char *draft_scalar(const struct draft *draft, const struct abi_type *type, const char *spelling)
{
	const char *base = scalar_name(draft, type, spelling);

	if (!base)
		return array_type(draft, "uint8", type->count * type->element_bytes);
	return with_dimensions(draft, base, type);
}

static const char *array_of_bytes(const struct draft *draft, const struct abi_field *member)
{
	return array_type(draft, "uint8", member->size_bits / 8);
}

static void type_scalar(struct draft_field *out, const struct draft *draft, const struct abi_field *member, const struct abi_type *type)
{
	struct arena *arena = &draft->with->scratch;
	const char *base = scalar_name(draft, type, member->type);

	out->field.type = base ? with_dimensions(draft, base, type) : array_of_bytes(draft, member);
	out->note.is_char = type->scalar == ABI_CHAR && type->dimension_count;
	if (!base)
		out->note.remark = member->type;
	else if (type->scalar == ABI_ENUMERATION && type->enumeration)
		out->note.remark = arena_printf(arena, "enum %s", type->enumeration->name);
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
		out->field.type = with_dimensions(draft, own_type(draft, "NvUUID"), type);
		return 0;
	}
	if (type->record->is_union) {
		out->field.type = array_of_bytes(draft, member);
		out->note.remark = "union";
		return 0;
	}
	if ((rc = ancestor_of(&ancestor, draft, member)))
		return rc;
	if (!ancestor.type)
		ancestor_by_name(&ancestor, draft, type->record);
	if ((rc = declare_record(&inner, draft->with, draft, type->record, &ancestor)))
		return rc;
	out->field.type = with_dimensions(draft, inner->type->name, type);
	out->inner = type->dimension_count ? NULL : inner;
	return 0;
}

/* The type that the proxy has for the same member, of the same driver's type: people may know better what it is (ClassID). */
static const char *their_type(const struct draft *draft, const struct abi_field *member, const char *ours)
{
	const struct table_field *theirs = ancestor_field(draft, member);
	const struct abi_field *old = ancestor_member(&draft->ancestor, member->name);
	const struct proxytype_set *set = draft->with->set;

	if (!theirs || !old || strcmp(old->type, member->type) || go_size(set, theirs->type) != go_size(set, ours) ||
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
	const char *first = theirs && !padding_of_proxy(theirs->name) ? theirs->name
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

	if (++members->depth > 64)
		return err_set(members->draft->with->err, ERR_LIMIT, "record %s has unnamed records 64 deep", members->draft->record->name);
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
		type_scalar(&field, draft, member, type);
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

int draft_members(struct draft *draft)
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
