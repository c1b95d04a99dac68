/*
 * verify/match_record.c - compare a record of the driver with a type of the proxy
 *
 * 1. The record is walked down to its scalars, with arrays of records expanded. For each scalar of the
 *    driver, the proxy must have a scalar at the same offset, with the same kind, width, sign and dimensions.
 *    This includes the fields that the driver calls reserved.
 * 2. If no scalar of the proxy has the offset, there are three possible faults: the proxy's scalar with the
 *    same name has a different offset (field-offset), padding of the proxy covers the driver's scalar
 *    (padding-overlap), or neither (field-missing). For a bit-field, any scalar of the proxy that covers its
 *    bits is enough.
 * 3. A proxy's types have no unions. If the driver has a union, the proxy can declare an array of unsigned
 *    integers that covers the whole union (or the whole array of unions). Such an array matches every union,
 *    but the table does not show how the proxy uses it. If the union may contain a pointer or a file
 *    descriptor, there is one finding (not-simple), with @unseen set. Without such an array, drvabi assumes
 *    that the proxy declares the member with the fewest faults, and reports these faults. The other members
 *    are checked in two ways: for each of their pointers, the proxy must have a pointer (the driver will
 *    follow it), and each byte that they use must be covered by a field of the proxy that is not padding.
 * 4. Then the scalars of the proxy are checked. A scalar that is not padding, and covers only bytes that the
 *    driver does not declare, is a fault, too (field-missing). If two scalars have each other's names, they
 *    were exchanged (field-offset). A bool cannot hold every value that an application can pass (field-type).
 */
#include "verify/internal.h"
#include "flatten/flatten.h"

enum { DEPTH_MAX = 64, ELEMENTS_MAX = 1 << 16, NAMED_MAX = 4 };

/* The bits of a scalar of the driver. */
struct extent {
	const char *path;
	uint64_t from_bits, to_bits; /* from the start of the outermost record; @to_bits is not included */
	bool is_padding; /* the name of the scalar says that it is padding */
};

/* A member of the driver's record: its path and where it starts. */
struct match_position {
	const char *path;
	uint64_t offset_bits; /* from the start of the outermost record */
	unsigned depth;
};

/* A name by which a driver's field can be found in the proxy. */
struct scalar_name {
	const char *name; /* the scalar's path */
	bool is_promoted; /* without the embedded structs around the scalar */
	const struct proxy_scalar *scalar;
};

/* The state of one match. */
struct match {
	const struct match_driver *driver;
	const struct proxy_layout *proxy;
	const struct verify_finding *about; /* family, entry and record of the findings */
	uint64_t size_bytes;        /* of the driver's record or alias */
	struct arena *arena;        /* of the findings */
	struct arena scratch;       /* of the lists of this struct */
	const char **met;           /* for each scalar of the proxy, the path of the driver's scalar that it
				       matches; NULL if there is none */
	struct scalar_name *names;  /* of the scalars of the proxy, sorted; NULL until needed */
	size_t name_count;
	struct extent *extents;     /* every scalar of the driver that was walked, including members of
				       unions */
	size_t extent_count;
	size_t *scalars;
	size_t elements;            /* records walked so far */
	unsigned unions;            /* number of enclosing unions whose members are being tried; @met is set
				       only if this is 0 */
	struct err *err;
};

/* --- findings ------------------------------------------------------------------- */

/* Makes "RECORD.path", or "RECORD" for the whole record. */
static const char *name_of_path(const struct match *match, const char *path)
{
	const char *record = match->about->record;

	return *path ? arena_printf(match->arena, "%s.%s", record, path) : record;
}

static const char *joined_path(const struct match *match, const char *path, const char *name)
{
	if (!*path || !*name)
		return *path ? path : name;
	return arena_printf(match->arena, "%s.%s", path, name);
}

static struct verify_side scalar_side(const struct proxy_scalar *scalar)
{
	return verify_side_at(scalar->offset_bytes, proxy_scalar_bytes(scalar), scalar->type);
}

/* Makes a finding about a field, without its message. @scalar: the proxy's field; NULL if there is none */
static struct verify_finding finding_at(const struct match *match, enum verify_rule rule, const char *path,
					struct verify_side driver, const struct proxy_scalar *scalar)
{
	struct verify_finding finding = *match->about;

	finding.rule = rule;
	finding.path = path;
	finding.driver = driver;
	if (scalar)
		finding.proxy = scalar_side(scalar);
	return finding;
}

static struct verify_finding field_finding(const struct match *match, enum verify_rule rule,
					   const struct match_position *position,
					   const struct abi_field *field, const struct proxy_scalar *scalar)
{
	return finding_at(match, rule, position->path,
			  verify_side_at(position->offset_bits / 8, (field->size_bits + 7) / 8, field->type),
			  scalar);
}

/* --- scalars -------------------------------------------------------------------- */

/* Orders names without case and underscores, for scalar_of_name(). Whole paths precede promoted names. */
static int compare_scalar_names(const void *a, const void *b)
{
	const struct scalar_name *x = a, *y = b;

	return match_compare_paths(x->name, y->name) ?: compare_numbers(x->is_promoted, y->is_promoted)
		?: compare_numbers((uintptr_t)x->scalar, (uintptr_t)y->scalar);
}

/* Does the driver's record have a member with the first name of the proxy's path @path, "Params.FD"? */
static bool is_member(const struct match *match, const char *path)
{
	const struct abi_record *record = abi_find_record(match->driver->abi, match->about->record);

	for (size_t i = 0; record && i < record->field_count; i++) {
		const char *rest = *record->fields[i].name ? match_after(path, record->fields[i].name) : NULL;

		if (rest && *rest == '.')
			return true;
	}
	return false;
}

/*
 * Returns the length of "T." at the start of @path "T.Flags" if T is an embedded struct in @type, which has
 * the name of its type; otherwise 0.
 */
static size_t embedded_length(const struct table_type *type, const char *path)
{
	size_t length = strcspn(path, ".");

	for (size_t i = 0; path[length] && i < type->field_count; i++) {
		const struct table_field *field = &type->fields[i];

		if (strlen(field->name) == length && !strncmp(field->name, path, length))
			return strcmp(field->name, field->type) ? 0 : length + 1;
	}
	return 0;
}

/*
 * Sets match->names to the names of the proxy's scalars, sorted for scalar_of_name(). A scalar in an embedded
 * struct also has the name with which Go promotes it, unless the driver has a member for the struct.
 */
static void set_names(struct match *match)
{
	const struct proxy_layout *proxy = match->proxy;

	match->names = arena_array(&match->scratch, 2 * proxy->scalar_count + 1, sizeof(*match->names));
	for (size_t i = 0; i < proxy->scalar_count; i++) {
		const struct proxy_scalar *scalar = &proxy->scalars[i];
		size_t embedded = embedded_length(proxy->type, scalar->path);

		match->names[match->name_count++] = (struct scalar_name){ scalar->path, false, scalar };
		if (embedded && !is_member(match, scalar->path))
			match->names[match->name_count++] =
				(struct scalar_name){ scalar->path + embedded, true, scalar };
	}
	sort_items(match->names, match->name_count, sizeof(*match->names), compare_scalar_names);
}

/*
 * Finds the first scalar of the proxy that has the name of the driver's field at @path, is not padding, and
 * has not been matched to a scalar of the driver; NULL if there is none.
 */
static const struct proxy_scalar *scalar_of_name(struct match *match, const char *path)
{
	size_t low = 0, high;

	if (!match->names) /* sort, because a record can have thousands of fields without a counterpart */
		set_names(match);
	for (high = match->name_count; low < high;) {
		size_t middle = low + (high - low) / 2;

		if (match_compare_paths(match->names[middle].name, path) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < match->name_count && !match_compare_paths(match->names[low].name, path); low++) {
		const struct proxy_scalar *scalar = match->names[low].scalar;

		if (!match->met[scalar - match->proxy->scalars] && !scalar->is_padding)
			return scalar;
	}
	return NULL;
}

static void add_overlap(struct finding_list *list, const struct match *match,
			const struct match_position *position, const struct abi_field *field,
			const struct proxy_scalar *scalar)
{
	finding_add(list, field_finding(match, VERIFY_PADDING_OVERLAP, position, field, scalar),
		    "%s (%s at %" PRIu64 ") overlaps the proxy's padding %s",
		    name_of_path(match, position->path), field->type, position->offset_bits / 8,
		    scalar->path);
}

/*
 * Reports that no scalar of the proxy matches @field: as a different offset if the proxy has its name
 * elsewhere, as an overlap if padding of the proxy covers it, or else as a missing field.
 */
static void add_absent(struct finding_list *list, struct match *match,
		       const struct match_position *position, const struct abi_field *field)
{
	uint64_t offset_bytes = position->offset_bits / 8,
		 end_bytes = (position->offset_bits + field->size_bits + 7) / 8;
	const struct proxy_scalar *over =
		proxy_scalar_over(match->proxy, offset_bytes, end_bytes - offset_bytes);
	const struct proxy_scalar *elsewhere = scalar_of_name(match, position->path);
	const char *name = name_of_path(match, position->path);

	if (elsewhere && elsewhere->offset_bytes != offset_bytes)
		finding_add(list, field_finding(match, VERIFY_FIELD_OFFSET, position, field, elsewhere),
			    "%s is at %" PRIu64 " in the driver, at %" PRIu64 " in the proxy", name,
			    offset_bytes, elsewhere->offset_bytes);
	else if (over && over->is_padding)
		add_overlap(list, match, position, field, over);
	else
		finding_add(list, field_finding(match, VERIFY_FIELD_MISSING, position, field, over),
			    "%s (%s at %" PRIu64 ") has no field in the proxy%s%s", name, field->type,
			    offset_bytes, over ? "; the proxy's field there is " : "", over ? over->path : "");
}

/*
 * Reports a bit-field of the driver that does not match: any scalar of the proxy that covers its bytes is
 * enough, unless that scalar has a role, or is padding although the bit-field is not.
 */
static void match_bits(struct finding_list *list, struct match *match,
		       const struct match_position *position, const struct abi_field *field)
{
	uint64_t from = position->offset_bits / 8, to = (position->offset_bits + field->size_bits + 7) / 8;
	const struct proxy_scalar *scalar = proxy_scalar_over(match->proxy, from, to - from);

	if (!scalar || scalar->offset_bytes > from || scalar->offset_bytes + proxy_scalar_bytes(scalar) < to)
		add_absent(list, match, position, field);
	else if (scalar->is_padding && !padding_of_driver(position->path))
		add_overlap(list, match, position, field, scalar);
	else if (scalar->role != ABI_ROLE_NONE)
		finding_add(list, field_finding(match, VERIFY_FIELD_TYPE, position, field, scalar),
			    "%s is %s:%" PRIu64
			    " in the driver, %s in the proxy: the proxy treats it as a %s",
			    name_of_path(match, position->path), field->type, field->size_bits, scalar->type,
			    abi_role_name(scalar->role));
}

/*
 * Compares a scalar of the driver, or an array of scalars, with the scalar of the proxy at its offset, and
 * reports a fault. If type and dimensions match, sets match->met, except during try_members().
 */
static void match_scalar(struct finding_list *list, struct match *match,
		       const struct match_position *position, const struct abi_field *field,
		       const struct abi_type *type)
{
	const struct proxy_layout *proxy = match->proxy;
	const struct proxy_scalar *scalar = proxy_scalar_at(proxy, position->offset_bits / 8);
	bool driver_pads = padding_of_driver(position->path);
	const char *fault;

	if (!type->count && !type->flexible)
		return; /* T[0] takes no bytes */
	fault = scalar ? match_fault(match->driver, field, type, scalar) : NULL;
	if (scalar && !fault && !match_same_indices(position->path, scalar->path))
		fault = "in arrays with different dimensions";
	if (!scalar || (fault && scalar->is_padding && !driver_pads)) {
		add_absent(list, match, position, field);
		return;
	}
	if (fault)
		finding_add(list, field_finding(match, VERIFY_FIELD_TYPE, position, field, scalar),
			    "%s is %s in the driver, %s in the proxy: %s",
			    name_of_path(match, position->path), *position->path ? field->type : "an alias",
			    scalar->type, fault);
	else if (scalar->is_padding && !driver_pads)
		add_overlap(list, match, position, field, scalar);
	if (!match->unions && !fault)
		match->met[scalar - proxy->scalars] = position->path;
}

/* --- records and unions ----------------------------------------------------------- */

/* Matches a field. A member of a union is matched like any field, and may itself be a union. */
static int match_field(struct finding_list *list, struct match *match, const struct abi_field *field,
		       const struct match_position *outer);

/*
 * Matches each member of a union alone, to find the one that the proxy declares. The extents of all members
 * are recorded, but their faults are only counted. @best: set to the index of the member with the fewest
 * faults; untouched if the union has no members
 */
static int try_members(size_t *best, struct match *match, const struct abi_record *record,
		       const struct match_position *position)
{
	size_t fewest = SIZE_MAX;
	int rc = 0;

	match->unions++;
	for (size_t i = 0; i < record->field_count && !rc; i++) {
		struct arena scratch = { 0 };
		struct finding_list faults = { .arena = &scratch };

		rc = match_field(&faults, match, &record->fields[i], position);
		if (faults.count < fewest) {
			fewest = faults.count;
			*best = i;
		}
		arena_release(&scratch);
	}
	match->unions--;
	return rc;
}

/*
 * Adds one unseen finding for all pointers and file descriptors of a union that the proxy declares as @bytes;
 * none if the union has no such member. Counts the scalars of the union and records their extents.
 */
static int match_bytes(struct finding_list *list, struct match *match, const struct abi_type *type,
		       const struct match_position *position, const struct proxy_scalar *bytes)
{
	const char *separator = *position->path ? "." : "";
	struct verify_finding finding =
		finding_at(match, VERIFY_NOT_SIMPLE, position->path,
			   verify_side_at(position->offset_bits / 8, type->element_bytes * type->count,
					  type->record->name),
			   bytes);
	struct strbuf names = { 0 };
	struct abi_layout layout;
	size_t count = 0, unused;
	int rc;

	if ((rc = try_members(&unused, match, type->record, position)) ||
	    (rc = flatten_record(&layout, match->driver->abi, type->record->name, match->arena,
				 match->err)))
		return rc;
	for (size_t i = 0; i < layout.scalar_count; i++) {
		const struct abi_scalar *scalar = &layout.scalar[i];

		if (!verify_is_pointer(scalar->kind, scalar->role) &&
		    !verify_is_fd(scalar->path, scalar->role))
			continue;
		if (count++ < NAMED_MAX)
			strbuf_addf(&names, "%s%s%s%s%s at %" PRIu64, count > 1 ? ", " : "", position->path,
				    type->dimension_count ? "[]" : "", *scalar->path ? separator : "",
				    scalar->path, (position->offset_bits + scalar->offset_bits) / 8);
	}
	if (count > NAMED_MAX)
		strbuf_addf(&names, ", and %zu more", count - NAMED_MAX);
	finding.unseen = true;
	if (count)
		finding_add(
			list, finding,
			"%s is a union that may hold a pointer or a file descriptor (%s); the proxy declares it as "
			"bytes (%s), and the table does not show how the proxy uses these bytes",
			name_of_path(match, position->path), names.text, bytes->type);
	strbuf_release(&names);
	return 0;
}

/* Checks whether one of the findings from @first on is about a driver's field at @offset_bytes. */
static bool has_finding_at(const struct finding_list *list, size_t first, uint64_t offset_bytes)
{
	for (size_t i = first; i < list->count; i++)
		if (list->item[i].driver.present && list->item[i].driver.offset_bytes == offset_bytes)
			return true;
	return false;
}

/*
 * Reports each pointer in a member of the union for which the proxy has no pointer. Skips an offset that a
 * finding from @first on is about.
 */
static int add_unmet_pointers(struct finding_list *list, size_t first, struct match *match,
			      const struct abi_record *record, const struct match_position *position)
{
	struct abi_layout layout;
	int rc;

	if ((rc = flatten_record(&layout, match->driver->abi, record->name, match->arena,
				 match->err)))
		return rc;
	for (size_t i = 0; i < layout.scalar_count; i++) {
		const struct abi_scalar *scalar = &layout.scalar[i];
		uint64_t offset_bytes = (position->offset_bits + scalar->offset_bits) / 8;
		const struct proxy_scalar *met = proxy_scalar_at(match->proxy, offset_bytes);
		const char *path;

		if (!verify_is_pointer(scalar->kind, scalar->role) ||
		    (met && met->role == ABI_ROLE_POINTER) || has_finding_at(list, first, offset_bytes))
			continue;
		path = joined_path(match, position->path, scalar->path);
		finding_add(list,
			    finding_at(match, VERIFY_FIELD_TYPE, path,
				       verify_side_at(offset_bytes, scalar->size_bits / 8,
						      scalar->type), met),
			    "%s (%s at %" PRIu64
			    ") is a pointer, but the proxy reads a different member of that union",
			    name_of_path(match, path), scalar->type, offset_bytes);
	}
	return 0;
}

/*
 * Finds the first byte of [@from, @to) that no field of the proxy covers, or only padding, which is stored in
 * *@padding, else NULL. Return: the byte's offset; @to if fields cover all bytes.
 */
static uint64_t first_bare_byte(const struct match *match, uint64_t from, uint64_t to,
				const struct proxy_scalar **padding)
{
	*padding = NULL;
	while (from < to) {
		const struct proxy_scalar *scalar = proxy_scalar_over(match->proxy, from, 1);

		if (!scalar)
			return from;
		if (scalar->is_padding) {
			*padding = scalar;
			return from;
		}
		from = scalar->offset_bytes + proxy_scalar_bytes(scalar);
	}
	return to;
}

/*
 * Reports the first field of a union, in the extents from @first_extent on, with a byte that no field of the
 * proxy covers, or only padding. Skips padding, and fields at whose offset a finding from @first on is.
 */
static void add_bare(struct finding_list *list, size_t first, const struct match *match,
		     const struct abi_record *record, const struct match_position *position,
		     size_t first_extent)
{
	for (size_t i = first_extent; i < match->extent_count; i++) {
		const struct extent *extent = &match->extents[i];
		uint64_t from = extent->from_bits / 8, to = (extent->to_bits + 7) / 8, bare;
		const struct proxy_scalar *padding;

		if (extent->is_padding || (bare = first_bare_byte(match, from, to, &padding)) == to ||
		    has_finding_at(list, first, from))
			continue;
		finding_add(list,
			    finding_at(match, padding ? VERIFY_PADDING_OVERLAP : VERIFY_FIELD_MISSING,
				       extent->path, verify_side_at(from, to - from, record->name), padding),
			    "%s in the union %s uses the byte at %" PRIu64 ", which %s",
			    name_of_path(match, extent->path), name_of_path(match, position->path), bare,
			    padding ? "is padding in the proxy" : "has no field in the proxy");
		return;
	}
}

/*
 * Compares a union of the driver as the member that fits best, and reports the faults of that member. Also
 * reports pointers of other members that the proxy does not follow, and one field that it does not cover.
 */
static int match_union(struct finding_list *list, struct match *match, const struct abi_record *record,
		       const struct match_position *position)
{
	size_t first = list->count, first_extent = match->extent_count, best;
	int rc;

	if ((rc = try_members(&best, match, record, position)))
		return rc;
	if (record->field_count) {
		size_t scalars = *match->scalars, extents = match->extent_count;

		/*
		 * Match the best member again, as a plain field, to set @met. Its scalars and extents have
		 * already been counted.
		 */
		if ((rc = match_field(list, match, &record->fields[best], position)))
			return rc;
		*match->scalars = scalars;
		match->extent_count = extents;
	}
	if ((rc = add_unmet_pointers(list, first, match, record, position)))
		return rc;
	add_bare(list, first, match, record, position, first_extent);
	return 0;
}

/*
 * Finds the array with which the proxy covers a whole union or array of unions, whose members are then not
 * compared one by one; NULL if there is none.
 */
static const struct proxy_scalar *bytes_over(const struct match *match, const struct match_position *position,
					   const struct abi_type *type)
{
	const struct proxy_scalar *scalar = proxy_scalar_at(match->proxy, position->offset_bits / 8);

	if (!scalar || !scalar->dimension_count || scalar->is_signed || scalar->is_bool ||
	    scalar->is_padding || scalar->role != ABI_ROLE_NONE)
		return NULL;
	return proxy_scalar_bytes(scalar) == type->element_bytes * type->count ? scalar : NULL;
}

/* Matches each element of an array of records or unions, or a single one. Return: as match_type(). */
static int match_elements(struct finding_list *list, struct match *match, const struct abi_type *type,
			  const struct match_position *position)
{
	const struct abi_record *record = type->record;
	int rc = 0;

	for (uint64_t i = 0; i < type->count && !rc; i++) {
		struct match_position element = *position;

		if (++match->elements > ELEMENTS_MAX)
			return err_set(match->err, ERR_LIMIT, "%s has more than %d records inside",
				       match->about->record, ELEMENTS_MAX);
		if (type->dimension_count)
			element.path = arena_printf(match->arena, "%s%s", position->path,
						    match_index(i, type->dimension, type->dimension_count,
								match->arena));
		element.offset_bits += i * type->element_bytes * 8;
		if (record->is_union)
			rc = match_union(list, match, record, &element);
		for (size_t f = 0; f < record->field_count && !record->is_union && !rc; f++)
			rc = match_field(list, match, &record->fields[f], &element);
	}
	return rc;
}

/*
 * Compares a field of the driver, with all fields in its type, with the proxy's scalars, and reports faults.
 * Counts the scalars and records their extents. @outer: the record that has the field
 */
static int match_field(struct finding_list *list, struct match *match, const struct abi_field *field,
		       const struct match_position *outer)
{
	struct match_position position = { joined_path(match, outer->path, field->name),
					   outer->offset_bits + field->offset_bits, outer->depth + 1 };
	const struct proxy_scalar *bytes;
	struct abi_type type;
	int rc;

	if (position.depth > DEPTH_MAX)
		return err_set(match->err, ERR_LIMIT, "%s is nested deeper than %d records",
			       match->about->record, DEPTH_MAX);
	if ((rc = abi_resolve_type(&type, match->driver->abi, field->type, match->err)))
		return rc;
	if (type.record && type.record->is_union && (bytes = bytes_over(match, &position, &type)))
		return match_bytes(list, match, &type, &position, bytes);
	if (type.record)
		return match_elements(list, match, &type, &position);
	if (field->is_bitfield && !*field->name)
		return 0; /* C: an unnamed bit-field is padding */
	(*match->scalars)++;
	match->extents =
		arena_room(&match->scratch, match->extents, match->extent_count, sizeof(*match->extents));
	match->extents[match->extent_count++] =
		(struct extent){ .path = position.path, .from_bits = position.offset_bits,
				 .to_bits = position.offset_bits + field->size_bits,
				 .is_padding = padding_of_driver(position.path) };
	if (field->is_bitfield)
		match_bits(list, match, &position, field);
	else
		match_scalar(list, match, &position, field, &type);
	return 0;
}

/* --- the proxy's scalars ----------------------------------------------------------- */

/*
 * Finds a scalar of the proxy whose component number @up from the end has the name of the driver's field at
 * scalars[@at], but which matches a field with a different name, preferably in the same struct; NULL if none.
 */
static const struct proxy_scalar *exchanged_for(const struct match *match, size_t at, unsigned up)
{
	const struct proxy_layout *proxy = match->proxy;
	const struct proxy_scalar *found = NULL;
	const char *path = proxy->scalars[at].path;
	const ptrdiff_t length = match_component(path, up) - path; /* of the path of the struct */

	for (size_t i = 0; i < proxy->scalar_count; i++) {
		const struct proxy_scalar *other = &proxy->scalars[i];

		if (i == at || !match->met[i] || other->is_padding ||
		    !match_same_name(match->met[at], other->path, up) ||
		    match_same_name(match->met[i], other->path, up))
			continue;
		if (match_component(other->path, up) - other->path == length &&
		    !strncmp(other->path, path, (size_t)length))
			return other;
		if (!found)
			found = other;
	}
	return found;
}

/*
 * Checks whether the scalar is in the first element of each array of records around it. The other elements
 * are the same.
 */
static bool is_first_element(const char *path)
{
	for (const char *open = strchr(path, '['); open; open = strchr(open + 1, '['))
		if (open[1] != '0')
			return false;
	return true;
}

/* Checks whether @scalar is the first scalar of the member that component number @up from the end names. */
static bool begins_member(const struct proxy_layout *proxy, const struct proxy_scalar *scalar, unsigned up)
{
	const char *member = match_component(scalar->path, up);
	size_t length = (size_t)(member - scalar->path) + strcspn(member, ".") + 1;

	return scalar == proxy->scalars || strncmp(scalar[-1].path, scalar->path, length);
}

static unsigned count_components(const char *path)
{
	unsigned count = 1;

	while ((path = strchr(path, '.'))) {
		path++;
		count++;
	}
	return count;
}

/*
 * Reports each field of the proxy at a place where the driver's field has a different name, if that is the
 * name of another field of the proxy, as if the two were exchanged. The outermost members are tried first,
 * the scalars themselves last. A member is reported only at its first scalar. Components of paths are counted
 * from the end, because the proxy's path has one more if a struct of the proxy embeds another struct.
 */
static void match_exchanged(struct finding_list *list, const struct match *match)
{
	const struct proxy_layout *proxy = match->proxy;

	for (size_t i = 0; i < proxy->scalar_count; i++) {
		const struct proxy_scalar *scalar = &proxy->scalars[i], *other = NULL;
		unsigned component;

		if (!match->met[i] || !is_first_element(scalar->path))
			continue;
		component = count_components(match->met[i]);
		if (component < count_components(scalar->path))
			component = count_components(scalar->path);
		while (!other && component--)
			if (begins_member(proxy, scalar, component) &&
			    !match_same_name(match->met[i], scalar->path, component))
				other = exchanged_for(match, i, component);
		if (!other)
			continue;
		finding_add(list, /* @scalar matches the driver's field, so the sizes are equal */
			    finding_at(match, VERIFY_FIELD_OFFSET, match->met[i], scalar_side(scalar), other),
			    "%s is at %" PRIu64 " in the driver; the proxy has %s there, and %s at %" PRIu64,
			    name_of_path(match, match->met[i]), scalar->offset_bytes, scalar->path,
			    other->path, other->offset_bytes);
	}
}

/* Orders extents by their start, in which match_surplus() walks them. */
static int compare_extents(const void *a, const void *b)
{
	const struct extent *x = a, *y = b;

	return compare_numbers(x->from_bits, y->from_bits);
}

/*
 * Reports fields that the proxy has and the driver does not: those that no extent overlaps. Also reports
 * every bool of the proxy. Sorts the extents, because the fields of the proxy are sorted, too.
 */
static void match_surplus(struct finding_list *list, struct match *match)
{
	const struct proxy_layout *proxy = match->proxy;
	const struct verify_side none = { .present = false };
	const struct extent *extents = match->extents;
	uint64_t used_bits = 0; /* the furthest end of the extents before @next */
	size_t next = 0;

	sort_items(match->extents, match->extent_count, sizeof(*extents), compare_extents);
	for (size_t i = 0; i < proxy->scalar_count; i++) {
		const struct proxy_scalar *scalar = &proxy->scalars[i];
		const uint64_t end_bits = (scalar->offset_bytes + proxy_scalar_bytes(scalar)) * 8;

		for (; next < match->extent_count && extents[next].from_bits < end_bits; next++)
			if (extents[next].to_bits > used_bits)
				used_bits = extents[next].to_bits;
		if (scalar->is_bool)
			finding_add(
				list, finding_at(match, VERIFY_FIELD_TYPE, scalar->path, none, scalar),
				"the proxy's %s (%s) is a bool, but an application can pass any value",
				scalar->path, scalar->type);
		if (scalar->is_padding || used_bits > scalar->offset_bytes * 8)
			continue;
		finding_add(list, finding_at(match, VERIFY_FIELD_MISSING, scalar->path, none, scalar),
			    "the proxy has %s (%s at %" PRIu64 ") where the driver has no field%s",
			    scalar->path, scalar->type, scalar->offset_bytes,
			    scalar->offset_bytes >= match->size_bytes
				    ? ", because its record is shorter"
				    : "");
	}
}

int match_type(struct finding_list *list, const struct match_driver *driver, const struct proxy_layout *proxy,
	       const struct verify_finding *about, size_t *scalars, struct err *err)
{
	struct match match = { .driver = driver, .proxy = proxy, .about = about, .arena = list->arena,
			       .size_bytes = driver_bytes(driver->abi, about->record), .scalars = scalars,
			       .err = err };
	struct abi_field whole = { .name = "", .type = about->record, .size_bits = match.size_bytes * 8 };
	struct match_position start = { "", 0, 0 };
	size_t first = list->count;
	int rc;

	match.met = arena_array(&match.scratch, proxy->scalar_count + 1, sizeof(*match.met));
	rc = match_field(list, &match, &whole, &start);
	if (!rc) {
		match_exchanged(list, &match);
		match_surplus(list, &match);
		finding_fold(list, first);
	}
	arena_release(&match.scratch);
	return rc;
}
