/*
 * gen/proxytype.c - declare a record, and the records inside it, as types of a proxy
 *
 * 1. The members of the record become fields, in the order of their offsets. A record inside it is declared
 *    first, in the same way. The members of an unnamed struct become fields of the record around it. A field
 *    that the parent type also has keeps its name and type from the parent. A document can be written by
 *    hand, so each member must begin after the previous one, end inside the record, and have the size of its
 *    type.
 * 2. Bytes that no field covers become padding. The result is "flat": it embeds nothing.
 * 3. If the parent or a type that the set has under this name is equal, that type is the result. A type of
 *    the table is compared by its scalars, because people choose its fields' names. A type of the set is
 *    compared by its fields.
 * 4. If none is equal, the type is new. It embeds the parent if the parent is a prefix of it. It has the
 *    record's name, with the version appended if that name is in use.
 */
#include "gen/internal.h"

/* No driver exceeds these limits. They bound the cost of a document written by hand. */
enum { DEPTH_MAX = 64, MEMBERS_MAX = 1 << 14 };

/* The state of one call of proxytype_declare(). */
struct declaring {
	struct proxytype_set *set;
	const struct proxytype_request *request;
	struct arena *arena;       /* joins the set's arena if the set keeps a text or type of this call */
	struct arena scratch;      /* the lists of the drafts */
	bool is_kept;              /* the set keeps one */
	struct abi_known_types known_types;
	size_t members;            /* members seen so far, in all records */
	struct err *err;
};

/* The latest type that the proxy declared for a record. */
struct parent {
	const struct table_type *type;   /* NULL if there is none */
	const struct abi *abi;           /* a version whose record has the layout of @type; NULL if unknown */
	const struct abi_record *record; /* in @abi; NULL if @abi is NULL, or does not have it */
};

struct draft_field {
	struct table_field field;
	struct proxytype_field note;
	const struct proxytype *inner; /* the type of a record that is not an array; else NULL */
	const char *driver_type;       /* as the document spells it; NULL for padding and bit-fields */
};

/* The type that is being made for one record. */
struct draft {
	struct declaring *with;
	const struct draft *outer;       /* of the record that contains this one; NULL for the request's */
	const struct abi_record *record;
	struct parent parent;
	struct table_field *parent_fields; /* the fields of the parent's type, and of the types that it
					      embeds */
	size_t parent_field_count;
	struct draft_field *fields;      /* sorted by offset */
	size_t count;
	uint64_t end_bytes;              /* of the last field */
	const char *beyond;              /* as in struct proxytype */
	uint64_t bits_from,
		bits_end; /* of consecutive bit-fields, which share bytes; equal if there are none */
	const char *bits_names;          /* "lo:3, hi:5"; NULL if there are none */
	unsigned unions;                 /* unnamed unions so far */
	size_t depth;                    /* current nesting of unnamed structs */
};

static int fail_member(const struct draft *draft, const char *name, const char *what)
{
	return err_set(draft->with->err, ERR_LAYOUT, "member %s of record %s %s; fix the document",
		       *name ? name : "(unnamed)", draft->record->name, what);
}

static int check_type_name(const char *name, const struct draft *draft)
{
	if (words_is_identifier(name))
		return 0;
	return err_set(draft->with->err, ERR_FORMAT,
		       "record \"%.200s\" does not have a valid name in Go; fix the "
		       "document", draft->record->name);
}

/* --- the proxy's type for a member -------------------------------------------------------- */

/*
 * Adds the fields of the parent @type. The fields of an embedded type precede the embedded type itself. A
 * type with a role (Handle) is a scalar, so its fields are not added.
 */
static void add_parent_fields(struct draft *draft, const struct table_type *type, uint64_t offset_bytes)
{
	for (size_t i = 0; i < type->field_count; i++) {
		const struct table_type *embedded = go_embedded(draft->with->set, &type->fields[i]);
		struct table_field field = type->fields[i];

		field.offset_bytes += offset_bytes;
		if (embedded && embedded->role == ABI_ROLE_NONE)
			add_parent_fields(draft, embedded, field.offset_bytes);
		draft->parent_fields = arena_room(&draft->with->scratch, draft->parent_fields,
						  draft->parent_field_count, sizeof(field));
		draft->parent_fields[draft->parent_field_count++] = field;
	}
}

static const struct abi_field *older_member(const struct parent *parent, const char *name)
{
	return parent->record && *name ? abi_find_field(parent->record, name) : NULL;
}

/* Gets "NAME" from "NAME[4]"; NULL if @spelling cannot be parsed. */
static const char *base_of_type(const char *spelling, struct arena *arena)
{
	struct abi_spelling parsed;

	return abi_spelling_parse(&parsed, spelling, NULL)
		       ? NULL
		       : arena_strndup(arena, parsed.base, parsed.base_length);
}

/*
 * Finds the parent's field for @member, a member of a later version of the record; NULL if there is none. If
 * the parent's record is known, the old member is found by its name, and the parent's field by the old
 * member's offset and size. Otherwise, the names must be equal, except for case.
 *
 * An embedded type can have the same offset and size as its only field. Then the result is the embedded type
 * if @member is a record, and the field if @member is a scalar.
 */
static const struct table_field *find_parent_field(const struct draft *draft, const struct abi_field *member,
						   bool is_record)
{
	const struct abi_field *old = older_member(&draft->parent, member->name);
	const struct table_field *found = NULL;
	const char *name;

	if (old ? old->is_bitfield : draft->parent.record || !*member->name || !draft->parent_field_count)
		return NULL;
	name = old ? NULL : proxytype_field_name(member->name, draft->with->arena);
	for (size_t i = 0; i < draft->parent_field_count; i++) {
		const struct table_field *field = &draft->parent_fields[i];
		const char *base;

		if (old ? field->offset_bytes != old->offset_bits / 8 ||
				    go_size(draft->with->set, field->type) != old->size_bits / 8
			: strcasecmp(field->name, name))
			continue;
		if (!is_record || ((base = base_of_type(field->type, draft->with->arena)) && !go_width(base)))
			return field;
		found = found ? found : field;
	}
	return found;
}

/*
 * Chooses the type of a member. The proxy's maintainers may have chosen a more exact type than the driver's,
 * such as ClassID, in their latest type for the record. @parent_field is the field of that type for @member;
 * NULL if there is none. Return: the type of @parent_field, if it is a named type with the size and alignment
 * of @ours, and the driver has not changed the member's type since; else @ours.
 */
static const char *choose_type(const struct draft *draft, const struct table_field *parent_field,
			       const struct abi_field *member, const char *ours)
{
	const struct abi_field *old = older_member(&draft->parent, member->name);
	const char *base;

	if (!parent_field || !old || strcmp(old->type, member->type) ||
	    !(base = base_of_type(parent_field->type, draft->with->arena)) || !words_is_identifier(base) ||
	    go_size(draft->with->set, parent_field->type) != go_size(draft->with->set, ours) ||
	    go_align(draft->with->set, parent_field->type) != go_align(draft->with->set, ours))
		return ours;
	return parent_field->type;
}

/*
 * Sets @out to the proxy's type for an earlier version of @record, the type of @member: the type of
 * @parent_field; or else the latest type that the set declared under the record's name; or else the table's
 * type with that name; out->type is NULL if there is none. Return: 0; an error of abi_resolve_type().
 */
static int parent_of_member(struct parent *out, const struct draft *draft,
			    const struct table_field *parent_field, const struct abi_field *member,
			    const struct abi_record *record)
{
	struct declaring *with = draft->with;
	const struct abi_field *old = older_member(&draft->parent, member->name);
	const char *name = parent_field ? base_of_type(parent_field->type, with->arena) : NULL;
	const struct set_type *latest;
	struct abi_type type;
	int rc;

	*out = (struct parent){ .type = name ? proxytype_find(with->set, name) : NULL };
	if (out->type && old) {
		if ((rc = abi_resolve_type(&type, draft->parent.abi, old->type, with->err)))
			return rc;
		out->abi = draft->parent.abi;
		out->record = type.record;
	} else if (!out->type) {
		name = proxytype_type_name(record->name, with->arena);
		latest = set_base_of(with->set, name)->latest;
		out->type = latest ? latest->type.type : proxytype_find(with->set, name);
		if (with->request->parent_abi)
			out->record = abi_find_record(with->request->parent_abi, record->name);
		out->abi = out->record ? with->request->parent_abi : NULL;
	}
	return 0;
}

/* --- scalars ------------------------------------------------------------------------------- */

static const char *array_type(const struct draft *draft, const char *base, uint64_t count)
{
	return arena_printf(draft->with->arena, "%s[%" PRIu64 "]", base, count);
}

static const char *with_dimensions(const struct draft *draft, const char *base, const struct abi_type *type)
{
	for (size_t i = 0; i < type->dimension_count; i++)
		base = array_type(draft, base, type->dimension[i]);
	return base;
}

/* Returns @name: Handle, P64 or NvUUID. Declares the type if neither the table nor the set has it. */
static const char *own_type(const struct draft *draft, const char *name)
{
	static const struct table_type own_types[] = {
		{ .name = "Handle", .alias = "uint32", .size_bytes = 4, .role = ABI_ROLE_HANDLE },
		{ .name = "P64", .alias = "uint64", .size_bytes = 8, .role = ABI_ROLE_POINTER },
		{ .name = "NvUUID", .alias = "uint8[16]", .size_bytes = 16 },
	};
	struct proxytype_set *set = draft->with->set;

	for (size_t i = 0; i < sizeof(own_types) / sizeof(*own_types) && !proxytype_find(set, name); i++)
		if (!strcmp(own_types[i].name, name))
			set_add(set, set_base_of(set, name),
				(struct proxytype){ .type = &own_types[i], .version = "" }, &own_types[i]);
	return name;
}

/*
 * Returns the proxy's type for one element of a scalar that the driver spells @spelling; NULL if it must be
 * declared as bytes. P64 or Handle is first declared in the set.
 */
static const char *scalar_name(const struct draft *draft, const struct abi_type *type, const char *spelling)
{
	static const char *const names[] = {
		[ABI_U8] = "uint8", [ABI_U16] = "uint16", [ABI_U32] = "uint32", [ABI_U64] = "uint64",
		[ABI_I8] = "int8", [ABI_I16] = "int16", [ABI_I32] = "int32", [ABI_I64] = "int64",
		[ABI_CHAR] = "uint8", [ABI_BOOL] = "uint8",
	};
	uint64_t bytes = type->element_bytes;
	const char *base;

	if (type->scalar == ABI_POINTER)
		return bytes == 8 ? own_type(draft, "P64") : NULL;
	if (type->scalar == ABI_ENUMERATION)
		return bytes <= 8 && (bytes & (bytes - 1)) == 0
			       ? arena_printf(draft->with->arena, "uint%" PRIu64, bytes * 8)
			       : NULL;
	if (type->scalar == ABI_BYTES)
		return NULL;
	base = base_of_type(spelling, draft->with->arena);
	return base && !strcmp(base, "NvHandle") && bytes == 4 ? own_type(draft, "Handle")
							       : names[type->scalar];
}

static const char *scalar_type(const struct draft *draft, const struct abi_type *type, const char *spelling)
{
	const char *base = scalar_name(draft, type, spelling);

	return base ? with_dimensions(draft, base, type)
		    : array_type(draft, "uint8", type->count * type->element_bytes);
}

/* --- fields --------------------------------------------------------------------------------- */

static bool is_taken(const struct draft *draft, const char *name)
{
	for (size_t i = 0; i < draft->count; i++)
		if (!strcmp(draft->fields[i].field.name, name))
			return true;
	return false;
}

static void append_field(struct draft *draft, const struct draft_field *field, uint64_t size_bytes)
{
	draft->fields = arena_room(&draft->with->scratch, draft->fields, draft->count, sizeof(*field));
	draft->fields[draft->count++] = *field;
	draft->end_bytes = field->field.offset_bytes + size_bytes;
}

/* Adds padding up to @end_bytes. name_padding() names it after all fields have their names. */
static void append_padding(struct draft *draft, uint64_t end_bytes)
{
	struct draft_field pad = { .note = { .kind = PROXYTYPE_PADDING, .driver = "" } };

	if (draft->end_bytes >= end_bytes)
		return;
	pad.field = (struct table_field){ "", array_type(draft, "uint8", end_bytes - draft->end_bytes),
					  draft->end_bytes };
	append_field(draft, &pad, end_bytes - draft->end_bytes);
}

/*
 * Adds a field, after padding up to its offset. It becomes bytes if its alignment would make Go move it or
 * enlarge the struct, or if its type has a different size: a record of the driver can have the name of a type
 * of the proxy. ERR_LAYOUT if it overlaps the previous field or the end of the record.
 */
static int add_draft_field(struct draft *draft, struct draft_field *field, uint64_t size_bytes)
{
	uint64_t offset = field->field.offset_bytes, align;

	if (offset < draft->end_bytes)
		return fail_member(draft, field->note.driver, "overlaps the member before it");
	if (size_bytes > draft->record->size_bytes || offset > draft->record->size_bytes - size_bytes)
		return fail_member(draft, field->note.driver, "ends after the record");
	align = go_align(draft->with->set, field->field.type);
	if (offset % align || draft->record->size_bytes % align ||
	    go_size(draft->with->set, field->field.type) != size_bytes) {
		field->field.type = array_type(draft, "uint8", size_bytes);
		if (field->driver_type) /* the remark of bit-fields has their names */
			field->note.remark =
				arena_printf(draft->with->arena, "packed: %s", field->driver_type);
		field->inner = NULL;
	}
	append_padding(draft, offset);
	append_field(draft, field, size_bytes);
	return 0;
}

/* Adds the collected bit-fields, which share bytes, as one integer if that fits, or else as bytes. */
static int flush_bits(struct draft *draft)
{
	uint64_t from = draft->bits_from / 8, size = (draft->bits_end + 7) / 8 - from;
	struct draft_field field = { .note = { .driver = "" } };

	if (draft->bits_from == draft->bits_end)
		return 0;
	field.field = (struct table_field){ arena_printf(draft->with->arena, "Bits%" PRIu64, from),
					    array_type(draft, "uint8", size), from };
	if ((size & (size - 1)) == 0 && size <= 8 && from % size == 0)
		field.field.type = arena_printf(draft->with->arena, "uint%" PRIu64, size * 8);
	field.note.remark = arena_printf(draft->with->arena, "bit-fields %s", draft->bits_names);
	draft->bits_from = draft->bits_end = 0;
	draft->bits_names = NULL;
	return add_draft_field(draft, &field, size);
}

/*
 * Collects a bit-field, after flush_bits() if it shares no byte with those already collected. Go has none, so
 * all that share bytes are declared as one integer. ERR_LAYOUT if it overlaps the member before it.
 */
static int add_bitfield(struct draft *draft, const struct abi_field *member, uint64_t base_bits)
{
	uint64_t from = base_bits + member->offset_bits;
	int rc;

	if (draft->bits_from != draft->bits_end && from / 8 >= (draft->bits_end + 7) / 8 &&
	    (rc = flush_bits(draft)))
		return rc;
	if (draft->bits_from == draft->bits_end)
		draft->bits_from = from;
	if (from < draft->bits_from || (draft->bits_names && from < draft->bits_end))
		return fail_member(draft, member->name, "overlaps the member before it");
	draft->bits_end = from + member->size_bits;
	draft->bits_names = arena_printf(draft->with->arena, "%s%s%s:%" PRIu64,
					 draft->bits_names ? draft->bits_names : "",
					 draft->bits_names ? ", " : "", member->name, member->size_bits);
	return 0;
}

/* --- members --------------------------------------------------------------------------------- */

static int declare_record(const struct proxytype **out, struct declaring *with, const struct draft *outer,
			  const struct abi_record *record, const struct parent *parent);

static bool is_uuid(const struct abi_record *record)
{
	static const char *const names[] = { "NvProcessorUuid", "NvSystemUuid", "NvUuid", "nv_uuid" };

	return texts_have(names, sizeof(names) / sizeof(*names), record->name) && record->size_bytes == 16 &&
	       !record->is_union;
}

/*
 * Sets the type of a field whose type is a record: NvUUID for a UUID, bytes for a union; any other record is
 * first declared in the set. Return: 0; an error of declare_record() or abi_resolve_type().
 */
static int set_record_type(struct draft_field *out, const struct draft *draft,
			   const struct table_field *parent_field, const struct abi_field *member,
			   const struct abi_type *type)
{
	const struct proxytype *inner;
	struct parent parent;
	int rc;

	if (is_uuid(type->record)) {
		out->field.type = with_dimensions(draft, own_type(draft, "NvUUID"), type);
		return 0;
	}
	if (type->record->is_union) {
		out->field.type = array_type(draft, "uint8", member->size_bits / 8);
		out->note.remark = "union";
		return 0;
	}
	if ((rc = parent_of_member(&parent, draft, parent_field, member, type->record)) ||
	    (rc = declare_record(&inner, draft->with, draft, type->record, &parent)))
		return rc;
	out->field.type = with_dimensions(draft, inner->type->name, type);
	out->inner = type->dimension_count ? NULL : inner;
	return 0;
}

/* Returns a name that no field of the draft has: that of @parent_field, the member's in Go, or UnionN. */
static const char *field_name(struct draft *draft, const struct table_field *parent_field,
			      const struct abi_field *member)
{
	const char *first, *name;

	if (parent_field && !padding_of_proxy(parent_field->name) && words_is_identifier(parent_field->name))
		first = parent_field->name;
	else if (*member->name)
		first = proxytype_field_name(member->name, draft->with->arena);
	else
		first = arena_printf(draft->with->arena, "Union%u", draft->unions++);
	name = first;
	for (unsigned i = 2; is_taken(draft, name); i++)
		name = arena_printf(draft->with->arena, "%s_%u", first, i);
	return name;
}

/* Checks that Go can declare the member: its name, its offset, and its size, which must be that of @type. */
static int check_member_for_go(const struct draft *draft, const struct abi_field *member,
			       const struct abi_type *type)
{
	uint64_t bytes;

	if (*member->name && !words_is_identifier(member->name))
		return err_set(draft->with->err, ERR_FORMAT,
			       "member \"%.200s\" of record %s does not have a valid name in Go; "
			       "fix the document",
			       member->name, draft->record->name);
	if (member->offset_bits % 8)
		return fail_member(draft, member->name,
				   "is not a bit-field, but does not begin at a byte boundary");
	if (__builtin_mul_overflow(type->count, type->element_bytes, &bytes) || bytes > UINT64_MAX / 8 ||
	    bytes * 8 != member->size_bits)
		return fail_member(draft, member->name, "does not have the size of its type");
	return 0;
}

static int add_members(struct draft *draft, const struct abi_record *record, uint64_t base_bits);

/*
 * Adds a member, after the types that it uses. The members of an unnamed struct become members of the outer
 * type. A member without bytes is not added; a flexible array is noted in draft->beyond.
 */
static int add_member(struct draft *draft, const struct abi_field *member, uint64_t base_bits)
{
	struct declaring *with = draft->with;
	struct draft_field field = {
		.note = { .driver = arena_strdup(with->arena, member->name), .role = member->role },
		.driver_type = member->type,
	};
	const struct table_field *parent_field;
	const struct abi_type *known;
	struct abi_type type;
	int rc;

	if (++with->members > MEMBERS_MAX)
		return err_set(with->err, ERR_LIMIT,
			       "record %s has more than %d members, including those of nested records",
			       with->request->record, MEMBERS_MAX);
	if (member->offset_bits > UINT64_MAX / 2 || base_bits > UINT64_MAX / 2)
		return fail_member(draft, member->name, "ends after the record");
	if (member->is_bitfield)
		return add_bitfield(draft, member, base_bits);
	if ((rc = flush_bits(draft)) ||
	    (rc = abi_resolve_known(&known, &with->known_types, with->request->abi, member->type,
				    with->err)) ||
	    (rc = check_member_for_go(draft, member, known)))
		return rc;
	type = *known; /* @known is valid only until the next call */
	if (!member->size_bits) {
		if (type.flexible)
			draft->beyond = arena_printf(with->arena, "%s %s", member->type, member->name);
		return 0;
	}
	if (type.record && !type.record->is_union && !*member->name && !type.dimension_count) {
		if (++draft->depth > DEPTH_MAX)
			return err_set(with->err, ERR_LIMIT,
				       "record %s nests unnamed records more than %d levels deep",
				       draft->record->name, DEPTH_MAX);
		rc = add_members(draft, type.record, base_bits + member->offset_bits);
		draft->depth--;
		return rc;
	}
	parent_field = find_parent_field(draft, member, type.record);
	if (!type.record) {
		if (!scalar_name(draft, &type, member->type))
			field.note.remark = arena_strdup(with->arena, member->type);
		else if (type.scalar == ABI_ENUMERATION && type.enumeration)
			field.note.remark = arena_printf(with->arena, "enum %s", type.enumeration->name);
		field.note.is_char = type.scalar == ABI_CHAR && type.dimension_count;
		field.field.type = choose_type(draft, parent_field, member,
					       scalar_type(draft, &type, member->type));
	} else if ((rc = set_record_type(&field, draft, parent_field, member, &type))) {
		return rc;
	}
	field.field.name = field_name(draft, parent_field, member);
	field.field.offset_bytes = (base_bits + member->offset_bits) / 8;
	return add_draft_field(draft, &field, member->size_bits / 8);
}

static int add_members(struct draft *draft, const struct abi_record *record, uint64_t base_bits)
{
	int rc = 0;

	for (size_t i = 0; i < record->field_count && !rc; i++)
		rc = add_member(draft, &record->fields[i], base_bits);
	return rc;
}

/* Names all padding Pad0, Pad1, …, from @next on. All other fields must have their names. */
static void name_padding(struct draft *draft, unsigned next)
{
	for (size_t i = 0; i < draft->count; i++)
		if (draft->fields[i].note.kind == PROXYTYPE_PADDING) {
			const char *name;

			do
				name = arena_printf(draft->with->arena, "Pad%u", next++);
			while (is_taken(draft, name));
			draft->fields[i].field.name = name;
		}
}

/* --- embedding ------------------------------------------------------------------------------- */

/* Does the parent, with the fields of its embedded type, have this field? */
static bool is_parent_field(const struct draft *draft, const struct table_field *wanted)
{
	for (size_t i = 0; i < draft->parent_field_count; i++) {
		const struct table_field *field = &draft->parent_fields[i];

		if (field->offset_bytes == wanted->offset_bytes && !strcmp(field->name, wanted->name) &&
		    !strcmp(field->type, wanted->type))
			return true;
	}
	return false;
}

/*
 * Returns the size of the parent if the new type can embed it, otherwise 0. The parent must be a prefix of
 * @flat, with the same names and types of fields, and no new field can be in its padding. Then Go lays out
 * the embedded struct in the same way as its fields.
 */
static uint64_t embeddable_bytes(const struct draft *draft, const struct table_type *flat)
{
	const struct table_type *parent = draft->parent.type;
	struct table_type prefix = { .name = "", .fields = flat->fields };

	if (!parent || parent->alias || flat->alias || parent->size_bytes >= flat->size_bytes)
		return 0;
	prefix.size_bytes = parent->size_bytes;
	for (size_t i = 0; i < draft->count; i++) {
		const struct draft_field *field = &draft->fields[i];
		uint64_t offset_bytes = field->field.offset_bytes;

		if (offset_bytes >= parent->size_bytes)
			break;
		if (field->note.kind != PROXYTYPE_PADDING &&
		    (offset_bytes + go_size(draft->with->set, field->field.type) > parent->size_bytes ||
		     !is_parent_field(draft, &field->field)))
			return 0;
		prefix.field_count++;
	}
	return go_same(draft->with->set, &prefix, parent) ? parent->size_bytes : 0;
}

/*
 * Replaces the fields in the first @bytes with the parent. The numbers of later padding continue those of the
 * parent.
 */
static void embed_parent(struct draft *draft, uint64_t bytes)
{
	const char *parent = draft->parent.type->name;
	const struct draft_field embedded = { .field = { parent, parent, 0 },
					      .note = { .kind = PROXYTYPE_EMBEDDED, .driver = "" } };
	struct draft_field *flat = draft->fields;
	size_t count = draft->count;
	unsigned next = 0, number;

	draft->count = 0;
	draft->fields = NULL;
	append_field(draft, &embedded, bytes);
	for (size_t i = 0; i < count; i++) {
		if (flat[i].note.kind == PROXYTYPE_PADDING || flat[i].field.offset_bytes < bytes)
			continue;
		append_padding(draft, flat[i].field.offset_bytes);
		append_field(draft, &flat[i], go_size(draft->with->set, flat[i].field.type));
	}
	append_padding(draft, draft->record->size_bytes);
	for (size_t i = 0; i < draft->parent_field_count; i++)
		if (sscanf(draft->parent_fields[i].name, "Pad%u", &number) == 1 && number < 1000 &&
		    number >= next)
			next = number + 1;
	name_padding(draft, next);
}

/* --- fields that a proxy's code accesses by their role --------------------------------------- */

/* Can the accessors of @access read and write @field? */
static bool is_selected(enum proxytype_access access, const struct draft *draft,
			const struct draft_field *field)
{
	const struct proxytype_field *note = &field->note;

	if (note->kind != PROXYTYPE_FIELD)
		return false;
	if (access == PROXYTYPE_OS_EVENT)
		return !strcmp(note->driver, "pOsEvent") && !strcmp(field->field.type, "P64") &&
		       proxytype_find(draft->with->set, "P64");
	return note->role == (access == PROXYTYPE_FD ? ABI_ROLE_FD : ABI_ROLE_STATUS) &&
	       go_width(field->field.type) == 4;
}

/*
 * Returns the field for the accessors of @access. If no field of the type itself qualifies, the records
 * inside it are searched. The selector is empty if two fields qualify.
 * @embedded_bytes: size of the embedded parent, or 0
 */
static struct proxytype_selector select_field(enum proxytype_access access, uint64_t embedded_bytes,
					      const struct draft *draft)
{
	struct arena *arena = draft->with->arena;
	struct proxytype_selector found = { 0 };
	size_t count = 0;

	for (int level = 0; level < 2 && !count; level++)
		for (size_t i = 0; i < draft->count; i++) {
			const struct draft_field *field = &draft->fields[i];
			const struct proxytype_selector *inner =
				level && field->inner ? &field->inner->selectors[access] : NULL;

			if (level ? !inner || !inner->path : !is_selected(access, draft, field))
				continue;
			count++;
			found.path = inner ? arena_printf(arena, "%s.%s", field->field.name, inner->path)
					   : field->field.name;
			found.type = inner ? inner->type : field->field.type;
			found.is_promoted = field->field.offset_bytes < embedded_bytes;
		}
	return count == 1 ? found : (struct proxytype_selector){ 0 };
}

static void set_selectors(struct proxytype *out, uint64_t embedded_bytes, const struct draft *draft)
{
	for (int access = 0; access < PROXYTYPE_ACCESSES; access++)
		out->selectors[access] =
			select_field((enum proxytype_access)access, embedded_bytes, draft);
}

/* --- the result: a type that the set has, or a new one ---------------------------------------- */

/*
 * Returns "X" for a type of the table that is named "X_V590" or "X_V590_44_01". "X_V2" stays, because the
 * driver itself uses such names.
 */
static const char *strip_version(const char *name, struct arena *arena)
{
	const char *at = NULL;

	for (const char *next = strstr(name, "_V"); next; next = strstr(next + 1, "_V"))
		at = next;
	if (!at || strspn(at + 2, "0123456789") < 3 || at[2 + strspn(at + 2, "0123456789_")])
		return name;
	return arena_strndup(arena, name, (size_t)(at - name));
}

/* Returns the name for @record without a version: the parent's base name, or the record's own name in Go. */
static const char *name_without_version(struct declaring *with, const struct table_type *parent,
					const char *record)
{
	const struct set_type *found = parent ? set_find(with->set, parent->name) : NULL;

	if (!parent)
		return proxytype_type_name(record, with->arena);
	return found && found->base ? found->base->name : strip_version(parent->name, with->arena);
}

/* Finds a name that no type has: the base name, then one with the version, then with a number. */
static const char *unused_type_name(const struct draft *draft, const char *base)
{
	const struct abi *abi = draft->with->request->abi;
	const char *version = abi->version ? abi->version : "",
		   *whole = gen_versioned_name(base, version, true, draft->with->arena);
	const char *name = base;

	if (proxytype_find(draft->with->set, name))
		name = gen_versioned_name(base, version, false, draft->with->arena);
	if (proxytype_find(draft->with->set, name))
		name = whole;
	for (unsigned i = 2; proxytype_find(draft->with->set, name); i++)
		name = arena_printf(draft->with->arena, "%s_%u", whole, i);
	return name;
}

/* Do two flat types have the same fields at the same offsets? The names of padding do not count. */
static bool same_fields(const struct table_type *a, const struct table_type *b)
{
	if (a->size_bytes != b->size_bytes || a->field_count != b->field_count || !a->alias != !b->alias ||
	    (a->alias && strcmp(a->alias, b->alias)))
		return false;
	for (size_t i = 0; i < a->field_count; i++) {
		const struct table_field *x = &a->fields[i], *y = &b->fields[i];

		if (x->offset_bytes != y->offset_bytes || strcmp(x->type, y->type) ||
		    (strcmp(x->name, y->name) && !(padding_of_proxy(x->name) && padding_of_proxy(y->name))))
			return false;
	}
	return true;
}

/* Finds a type of the set or its table that has the layout of @flat; NULL if there is none. */
static struct set_type *find_same(const struct draft *draft, const struct table_type *flat,
				  const struct set_base *base)
{
	const struct table_type *parent = draft->parent.type;
	const struct proxytype_set *set = draft->with->set;

	if (parent && table_find_type(set->known, parent->name) && go_same(set, parent, flat))
		return set_find(set, parent->name);
	for (size_t i = 0; i < base->count; i++)
		if (same_fields(base->types[i]->flat, flat))
			return base->types[i];
	for (size_t i = 0; i < set->known->type_count; i++) {
		const struct table_type *known = &set->known->types[i];

		if (begins(known->name, base->name) &&
		    !strcmp(strip_version(known->name, draft->with->arena), base->name) &&
		    go_same(set, known, flat))
			return set_find(set, known->name);
	}
	return NULL;
}

/* Lists the fields of the draft, without the notes about them. */
static const struct table_field *plain_fields(const struct draft *draft)
{
	struct table_field *out = arena_array(draft->with->arena, draft->count, sizeof(*out));

	for (size_t i = 0; i < draft->count; i++)
		out[i] = draft->fields[i].field;
	return out;
}

/* Adds the draft to the set. It embeds the parent's type if that is a prefix of @flat. */
static struct set_type *add_new_type(struct draft *draft, const struct table_type *flat,
				     struct set_base *base)
{
	struct arena *arena = draft->with->arena;
	const char *source = draft->record->source ? draft->record->source : "",
		   *version = draft->with->request->abi->version;
	uint64_t embedded_bytes = embeddable_bytes(draft, flat);
	struct table_type *named = arena_memdup(arena, flat, sizeof(*flat));
	struct proxytype type = { .type = named, .record = arena_strdup(arena, draft->record->name),
				  .version = arena_strdup(arena, version ? version : ""),
				  .header = arena_strndup(arena, source, strcspn(source, ":")),
				  .beyond = draft->beyond };
	struct proxytype_field *notes;

	set_selectors(&type, embedded_bytes, draft);
	if (embedded_bytes) {
		embed_parent(draft, embedded_bytes);
		named->fields = plain_fields(draft);
		named->field_count = draft->count;
	}
	named->name = unused_type_name(draft, base->name);
	type.fields = notes = arena_array(arena, draft->count, sizeof(*notes));
	for (size_t i = 0; i < draft->count; i++)
		notes[i] = draft->fields[i].note;
	type.updates = table_find_type(draft->with->set->known, base->name) ? base->name
		       : base->count ? base->types[0]->type.type->name
				     : NULL;
	return set_add(draft->with->set, base, type, arena_memdup(arena, flat, sizeof(*flat)));
}

/*
 * Returns the type for a complete draft: a type of the set or its table that has the same layout, or a new
 * one. It becomes the latest type of @name. @flat: a type without a name that has the draft's fields; @name:
 * the record's name in Go, without a version
 */
static const struct proxytype *find_or_add_type(struct draft *draft, const struct table_type *flat,
						const char *name)
{
	struct set_base *base = set_base_of(draft->with->set, name);
	struct set_type *answer = find_same(draft, flat, base);

	draft->with->is_kept |= !answer || !answer->type.is_new;
	if (!answer)
		answer = add_new_type(draft, flat, base);
	else if (!answer->type.is_new) /* a type of the table: the draft has the roles of its fields */
		set_selectors(&answer->type, 0, draft);
	base->latest = answer;
	return &answer->type;
}

/* --- records and names ------------------------------------------------------------------------- */

/* Checks that a record is not nested in itself or too deep. Return: 0; ERR_LIMIT. */
static int check_nesting(const struct draft *draft)
{
	size_t depth = 0;

	for (const struct draft *outer = draft->outer; outer; outer = outer->outer) {
		if (outer->record == draft->record)
			return err_set(draft->with->err, ERR_LIMIT, "record %s contains itself",
				       draft->record->name);
		if (++depth == DEPTH_MAX)
			return err_set(draft->with->err, ERR_LIMIT,
				       "record %s is nested more than %d levels deep", draft->record->name,
				       DEPTH_MAX);
	}
	return 0;
}

/*
 * Finds or declares the proxy's type for @record, after the types that its members use. Return: as
 * proxytype_declare().
 * @out: a type that the set or its table has, if it has the same layout; otherwise a new type of the set
 * @outer: the draft of the record that contains @record; NULL for the record of the request
 * @parent: the proxy's type for an earlier version of @record; @out can embed it, and has its names for the
 * members that did not change
 */
static int declare_record(const struct proxytype **out, struct declaring *with, const struct draft *outer,
			  const struct abi_record *record, const struct parent *parent)
{
	struct draft draft = { .with = with, .outer = outer, .record = record, .parent = *parent };
	const char *name = name_without_version(with, parent->type, record->name);
	struct table_type flat = { .name = "", .size_bytes = record->size_bytes };
	int rc;

	if ((rc = check_nesting(&draft)) || (rc = check_type_name(name, &draft)))
		return rc;
	if (parent->type && !parent->type->alias)
		add_parent_fields(&draft, parent->type, 0);
	if (record->is_union) {
		flat.alias = array_type(&draft, "uint8", record->size_bytes);
	} else {
		if ((rc = add_members(&draft, record, 0)) || (rc = flush_bits(&draft)))
			return rc;
		append_padding(&draft, record->size_bytes);
		name_padding(&draft, 0);
	}
	flat.fields = plain_fields(&draft);
	flat.field_count = draft.count;
	*out = find_or_add_type(&draft, &flat, name);
	return 0;
}

/*
 * Declares a typedef of a scalar: NvHandle becomes Handle. Any other typedef becomes a type with its own
 * name. Return: as proxytype_declare(). @parent: the last type for the typedef; can be NULL
 */
static int declare_alias(const struct proxytype **out, struct declaring *with,
			 const struct table_type *parent)
{
	const char *name = with->request->record, *base = name_without_version(with, parent, name);
	struct abi_record record = { .name = name };
	struct draft draft = { .with = with, .record = &record, .parent = { .type = parent } };
	struct table_type type = { .name = "" };
	struct abi_type scalar;
	int rc;

	if ((rc = abi_resolve_type(&scalar, with->request->abi, name, with->err)) ||
	    (rc = check_type_name(base, &draft)))
		return rc;
	type.alias = scalar_type(&draft, &scalar, name);
	type.size_bytes = scalar.count * scalar.element_bytes;
	if (proxytype_find(with->set, type.alias))
		*out = &set_find(with->set, type.alias)->type;
	else
		*out = find_or_add_type(&draft, &type, base);
	return 0;
}

int proxytype_declare(const struct proxytype **out, struct proxytype_set *set,
		      const struct proxytype_request *request, struct err *err)
{
	struct arena arena = { 0 };
	struct declaring with = { .set = set, .request = request, .arena = &arena, .err = err };
	const struct abi_record *record = abi_find_record(request->abi, request->record);
	struct parent parent = { .type = request->parent, .abi = request->parent_abi };
	int rc;

	if (!record && !abi_find_alias(request->abi, request->record))
		return err_set(err, ERR_NOT_FOUND, "there is no record %s in %s", request->record,
			       request->abi->version ? request->abi->version : "the document");
	if (parent.abi)
		parent.record =
			abi_find_record(parent.abi,
					request->parent_record ? request->parent_record : request->record);
	rc = record ? declare_record(out, &with, NULL, record, &parent)
		    : declare_alias(out, &with, request->parent);
	if (with.is_kept)
		arena_join(set->arena, &arena);
	arena_release(&arena);
	arena_release(&with.scratch);
	return rc;
}
