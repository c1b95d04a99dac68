/*
 * How a record of the driver is met by a type of the proxy
 *
 * 1. The record is walked down to its scalars, with arrays of records written
 *    out. Each scalar must have a proxy leaf that starts where it starts, with
 *    the same kind, width, sign and number of elements. An enum is a u32, a
 *    char a u8, a pointer is the proxy's pointer type and nothing else.
 * 2. A scalar that nothing starts at is one of three faults: a leaf of the
 *    same name stands elsewhere (field-offset), the proxy's padding lies over
 *    it (padding-overlap), or nothing does (field-missing).
 * 3. Of a union, one member has to be met whole: the one with the fewest
 *    faults is taken, and its faults are the union's. A pointer in a member
 *    that was not taken must still be met by a pointer, since the driver will
 *    follow it. Bytes (an array of u8 over the whole of it) meet every union;
 *    what the proxy makes of them cannot be seen in a table, so if there are
 *    pointers inside, that is one finding (not-simple) for the whole union.
 * 4. Padding of the driver (holes, and fields that are called padding) may be
 *    met by anything.
 */
#include "verify/match.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 64, ELEMENTS_MAX = 1 << 16 };

struct match {
	const struct abi *abi;
	const struct proxy_layout *proxy;
	const struct verify_finding *about;
	struct arena *arena;
	size_t *leaves;
	size_t elements; /* of arrays of records, so far */
	struct err *err;
};

/* A member of the driver's record, at a place. */
struct place {
	const char *path;
	uint64_t offset_bits; /* from the start of the outermost record */
	unsigned depth;
};

void finding_add(struct finding_list *list, struct verify_finding finding, const char *format, ...)
{
	char text[2048];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	finding.message = arena_strdup(list->arena, text);
	ARRAY_GROW(list->item, list->count, list->capacity);
	list->item[list->count++] = finding;
}

/* "hClient" and "HClient", "rmStatus" and "RMStatus" are one name in two languages. */
static bool same_name(const char *driver, const char *proxy)
{
	const char *dot = strrchr(driver, '.');

	driver = dot ? dot + 1 : driver;
	dot = strrchr(proxy, '.');
	proxy = dot ? dot + 1 : proxy;
	while (*driver && *proxy) {
		if (*driver == '_') {
			driver++;
		} else if (*proxy == '_') {
			proxy++;
		} else if (tolower((unsigned char)*driver++) != tolower((unsigned char)*proxy++)) {
			return false;
		}
	}
	return !*driver && !*proxy;
}

static bool called_padding(const char *path)
{
	const char *name = strrchr(path, '.') ? strrchr(path, '.') + 1 : path;
	static const char *const words[] = { "pad", "reserved", "rsvd", "unused", "_" };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strncasecmp(name, words[i], strlen(words[i])))
			return true;
	return false;
}

static bool is_special(const struct abi_type *type, enum abi_role role)
{
	return type->scalar == ABI_POINTER || role == ABI_ROLE_POINTER || role == ABI_ROLE_FD;
}

static bool is_signed(enum abi_scalar kind)
{
	return kind == ABI_I8 || kind == ABI_I16 || kind == ABI_I32 || kind == ABI_I64;
}

static struct verify_finding finding_at(const struct match *match, enum verify_rule rule, const struct place *place,
					const struct abi_field *field, const struct proxy_leaf *leaf)
{
	struct verify_finding finding = *match->about;

	finding.rule = rule;
	finding.path = place->path;
	finding.driver = (struct verify_side){ .present = true, .offset_bytes = place->offset_bits / 8,
					       .size_bytes = field->size_bits / 8, .type = field->type };
	if (leaf)
		finding.proxy = (struct verify_side){ .present = true, .offset_bytes = leaf->offset_bytes,
						      .size_bytes = leaf->element_bytes * leaf->count, .type = leaf->type };
	return finding;
}

/* The way in which @leaf does not meet a scalar, or NULL. */
static const char *mismatch(const struct abi_type *type, enum abi_role role, const struct proxy_leaf *leaf)
{
	bool pointer = type->scalar == ABI_POINTER || role == ABI_ROLE_POINTER;

	if (pointer != (leaf->role == ABI_ROLE_POINTER))
		return pointer ? "the driver follows it as a pointer, the proxy does not" : "the proxy takes it for a pointer";
	if (leaf->element_bytes != type->element_bytes)
		return "of another width";
	if (leaf->count != (type->dimension_count ? type->count : 1))
		return "of another length";
	if (!pointer && type->scalar != ABI_ENUMERATION && leaf->role == ABI_ROLE_NONE && leaf->is_signed != is_signed(type->scalar))
		return "of another sign";
	if (leaf->role == ABI_ROLE_HANDLE && role != ABI_ROLE_HANDLE)
		return "the proxy takes it for a handle";
	return NULL;
}

static void match_absent(struct finding_list *list, const struct match *match, const struct place *place,
			 const struct abi_field *field)
{
	const struct proxy_leaf *over = proxy_leaf_over(match->proxy, place->offset_bits / 8, (field->size_bits + 7) / 8);

	for (size_t i = 0; i < match->proxy->leaf_count; i++) {
		const struct proxy_leaf *leaf = &match->proxy->leaves[i];

		if (!same_name(place->path, leaf->path) || leaf->is_padding)
			continue;
		finding_add(list, finding_at(match, VERIFY_FIELD_OFFSET, place, field, leaf),
			    "%s.%s is at %" PRIu64 " in the driver, at %" PRIu64 " in the proxy", match->about->record, place->path,
			    place->offset_bits / 8, leaf->offset_bytes);
		return;
	}
	if (over && over->is_padding)
		finding_add(list, finding_at(match, VERIFY_PADDING_OVERLAP, place, field, over),
			    "%s.%s (%s at %" PRIu64 ") lies under the proxy's padding %s", match->about->record, place->path,
			    field->type, place->offset_bits / 8, over->path);
	else
		finding_add(list, finding_at(match, VERIFY_FIELD_MISSING, place, field, over),
			    "%s.%s (%s at %" PRIu64 ") has no field of the proxy%s%s", match->about->record, place->path, field->type,
			    place->offset_bits / 8, over ? "; there lies a part of " : "", over ? over->path : "");
}

static void match_leaf(struct finding_list *list, struct match *match, const struct place *place,
		       const struct abi_field *field, const struct abi_type *type)
{
	const struct proxy_leaf *leaf = proxy_leaf_at(match->proxy, place->offset_bits / 8);
	const char *fault;

	(*match->leaves)++;
	if (called_padding(place->path) && !is_special(type, field->role))
		return;
	if (!leaf || (leaf->is_padding && place->offset_bits % 8 == 0 && mismatch(type, field->role, leaf))) {
		match_absent(list, match, place, field);
		return;
	}
	if (leaf->is_padding) {
		finding_add(list, finding_at(match, VERIFY_PADDING_OVERLAP, place, field, leaf),
			    "%s.%s (%s at %" PRIu64 ") lies under the proxy's padding %s", match->about->record, place->path,
			    field->type, place->offset_bits / 8, leaf->path);
		return;
	}
	fault = field->is_bitfield ? NULL : mismatch(type, field->role, leaf);
	if (fault)
		finding_add(list, finding_at(match, VERIFY_FIELD_TYPE, place, field, leaf), "%s.%s is %s in the driver, %s in the proxy: %s",
			    match->about->record, place->path, field->type, leaf->type, fault);
}

static int match_members(struct finding_list *list, struct match *match, const struct abi_record *record, const struct place *place);

static const char *join(struct match *match, const char *path, const char *name)
{
	if (!*path || !*name)
		return *path ? path : name;
	return arena_printf(match->arena, "%s.%s", path, name);
}

static int match_elements(struct finding_list *list, struct match *match, const struct abi_type *type, const struct place *place)
{
	int rc = 0;

	for (uint64_t i = 0; i < type->count && !rc; i++) {
		struct place element = *place;

		if (++match->elements > ELEMENTS_MAX)
			return err_set(match->err, ERR_LIMIT, "%s has more than %d records inside", match->about->record, ELEMENTS_MAX);
		if (type->dimension_count)
			element.path = arena_printf(match->arena, "%s[%" PRIu64 "]", place->path, i);
		element.offset_bits += i * type->element_bytes * 8;
		rc = match_members(list, match, type->record, &element);
	}
	return rc;
}

static int match_field(struct finding_list *list, struct match *match, const struct abi_field *field, const struct place *outer)
{
	struct place place = { join(match, outer->path, field->name), outer->offset_bits + field->offset_bits, outer->depth + 1 };
	struct abi_type type;
	int rc;

	if (place.depth > DEPTH_MAX)
		return err_set(match->err, ERR_LIMIT, "%s is nested deeper than %d records", match->about->record, DEPTH_MAX);
	if ((rc = abi_resolve_type(&type, match->abi, field->type, match->err)))
		return rc;
	if (type.record)
		return match_elements(list, match, &type, &place);
	match_leaf(list, match, &place, field, &type);
	return 0;
}

/* Is all of the union one array of bytes to the proxy? */
static bool met_by_bytes(const struct match *match, const struct abi_record *record, const struct place *place)
{
	const struct proxy_leaf *leaf = proxy_leaf_over(match->proxy, place->offset_bits / 8, 1);

	return leaf && leaf->element_bytes == 1 && !leaf->is_padding &&
	       leaf->offset_bytes + leaf->count >= place->offset_bits / 8 + record->size_bytes;
}

/* Of a member of a union, only what the driver would follow. */
static void keep_special(struct finding_list *into, const struct finding_list *from, const struct match *match)
{
	for (size_t i = 0; i < from->count; i++) {
		const struct verify_finding *finding = &from->item[i];
		struct abi_type type;

		if (abi_resolve_type(&type, match->abi, finding->driver.type, NULL) || type.record)
			continue;
		if (type.scalar != ABI_POINTER)
			continue;
		finding_add(into, *finding, "%s, in a union of which the proxy reads another member", finding->message);
	}
}

/* The pointers of a union that the proxy takes as bytes, as one finding. */
static void match_bytes(struct finding_list *list, const struct match *match, const struct abi_record *record,
			const struct place *place, const struct finding_list *members)
{
	struct verify_finding finding = *match->about;
	struct finding_list pointers = { .arena = list->arena };
	const struct proxy_leaf *leaf = proxy_leaf_over(match->proxy, place->offset_bits / 8, 1);
	struct strbuf names = { 0 };

	for (size_t i = 0; i < record->field_count; i++)
		keep_special(&pointers, &members[i], match);
	for (size_t i = 0; i < pointers.count; i++)
		strbuf_addf(&names, "%s%s at %" PRIu64, i ? ", " : "", pointers.item[i].path, pointers.item[i].driver.offset_bytes);
	finding.rule = VERIFY_NOT_SIMPLE;
	finding.path = place->path;
	finding.driver = (struct verify_side){ .present = true, .offset_bytes = place->offset_bits / 8,
					       .size_bytes = record->size_bytes, .type = record->name };
	finding.proxy = (struct verify_side){ .present = true, .offset_bytes = leaf->offset_bytes, .size_bytes = leaf->count,
					      .type = leaf->type };
	if (pointers.count)
		finding_add(list, finding, "%s.%s is a union with pointers (%s), the proxy has it as bytes: what it makes of them cannot be seen here",
			    match->about->record, place->path, names.text);
	strbuf_release(&names);
	free(pointers.item);
}

/* The member of a union that the proxy means: the one that it meets best. */
static size_t best_member(const struct finding_list *members, size_t count)
{
	size_t best = 0;

	for (size_t i = 1; i < count; i++)
		if (members[i].count < members[best].count)
			best = i;
	return best;
}

static void take_member(struct finding_list *list, const struct match *match, const struct finding_list *members, size_t count)
{
	size_t best = best_member(members, count);

	for (size_t i = 0; i < count; i++) {
		if (i != best)
			keep_special(list, &members[i], match);
		for (size_t f = 0; i == best && f < members[i].count; f++)
			finding_add(list, members[i].item[f], "%s", members[i].item[f].message);
	}
}

static int match_union(struct finding_list *list, struct match *match, const struct abi_record *record, const struct place *place)
{
	struct finding_list *members = xmalloc((record->field_count + 1) * sizeof(*members));
	int rc = 0;

	for (size_t i = 0; i < record->field_count; i++) {
		members[i] = (struct finding_list){ .arena = list->arena };
		if (!rc)
			rc = match_field(&members[i], match, &record->fields[i], place);
	}
	if (!rc && met_by_bytes(match, record, place))
		match_bytes(list, match, record, place, members);
	else if (!rc)
		take_member(list, match, members, record->field_count);
	for (size_t i = 0; i < record->field_count; i++)
		free(members[i].item);
	free(members);
	return rc;
}

static int match_members(struct finding_list *list, struct match *match, const struct abi_record *record, const struct place *place)
{
	int rc = 0;

	if (record->is_union && record->field_count)
		return match_union(list, match, record, place);
	for (size_t i = 0; i < record->field_count && !rc; i++)
		rc = match_field(list, match, &record->fields[i], place);
	return rc;
}

int match_record(struct finding_list *list, const struct abi *abi, const struct abi_record *record,
		 const struct proxy_layout *proxy, const struct verify_finding *about, size_t *leaves, struct err *err)
{
	struct match match = { .abi = abi, .proxy = proxy, .about = about, .arena = list->arena, .leaves = leaves, .err = err };
	struct place start = { "", 0, 0 };

	return match_members(list, &match, record, &start);
}
