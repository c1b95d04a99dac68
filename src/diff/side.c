#include "diff/side.h"

#include "flatten/flatten.h"

#include <stdlib.h>
#include <string.h>

static int compare_sizes(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_fields(const struct abi_field *a, const struct abi_field *b)
{
	int order;

	if ((order = compare_sizes(a->offset_bits, b->offset_bits)) || (order = compare_sizes(a->size_bits, b->size_bits)) ||
	    (order = a->is_bitfield - b->is_bitfield) || (order = (int)a->role - (int)b->role) ||
	    (order = strcmp(a->name, b->name)))
		return order;
	return strcmp(a->type, b->type);
}

static int compare_record_content(const struct abi *abi, size_t a, size_t b)
{
	const struct abi_record *x = &abi->records[a], *y = &abi->records[b];
	int order;

	if ((order = compare_sizes(x->size_bytes, y->size_bytes)) || (order = compare_sizes(x->align_bytes, y->align_bytes)) ||
	    (order = x->is_union - y->is_union) || (order = compare_sizes(x->field_count, y->field_count)))
		return order;
	for (size_t i = 0; !order && x->fields != y->fields && i < x->field_count; i++)
		order = compare_fields(&x->fields[i], &y->fields[i]);
	return order;
}

static int compare_numbers(struct abi_number a, struct abi_number b)
{
	return a.negative != b.negative ? b.negative - a.negative : compare_sizes(a.magnitude, b.magnitude);
}

static int compare_values(const struct abi_enum *a, const struct abi_enum *b)
{
	int order = compare_sizes(a->value_count, b->value_count);

	if (a->values == b->values)
		return order;
	for (size_t i = 0; !order && i < a->value_count; i++) {
		order = strcmp(a->values[i].name, b->values[i].name);
		if (!order)
			order = compare_numbers(a->values[i].value, b->values[i].value);
	}
	return order;
}

bool diff_same_values(const struct abi_enum *a, const struct abi_enum *b)
{
	return !compare_values(a, b);
}

static int compare_enum_content(const struct abi *abi, size_t a, size_t b)
{
	const struct abi_enum *x = &abi->enums[a], *y = &abi->enums[b];
	int order = compare_sizes(x->size_bytes, y->size_bytes);

	if (!order)
		order = strcmp(x->type, y->type);
	return order ? order : compare_values(x, y);
}

/* "PARENT::FIELD_t"; nothing else in C has a colon. */
static bool is_unnamed_spelling(const char *type)
{
	const char *colon = strchr(type, ':');

	return colon && strstr(colon, "::");
}

/* Marks every record that is the unnamed type of some field, and those that have such a field. */
static int mark_unnamed(bool *unnamed, bool *has_unnamed, const struct abi *abi, struct err *err)
{
	for (size_t i = 0; i < abi->record_count; i++) {
		const struct abi_record *record = &abi->records[i];

		for (size_t j = 0; j < record->field_count; j++) {
			struct abi_type type;
			int rc;

			if (!is_unnamed_spelling(record->fields[j].type))
				continue;
			has_unnamed[i] = true;
			if ((rc = abi_resolve_type(&type, abi, record->fields[j].type, err))) {
				err_prefix(err, "%s.%s", record->name, record->fields[j].name);
				return rc;
			}
			if (type.record && strstr(type.record->name, "::"))
				unnamed[type.record - abi->records] = true;
		}
	}
	return 0;
}

static int index_records(struct diff_side *side, struct err *err)
{
	size_t count = side->abi->record_count;
	const char **name = arena_array(side->arena, count + 1, sizeof(*name));
	const char **source = arena_array(side->arena, count + 1, sizeof(*source));
	bool *unnamed = arena_array(side->arena, count + 1, sizeof(*unnamed));
	bool *has_unnamed = arena_array(side->arena, count + 1, sizeof(*has_unnamed));
	int rc;

	if ((rc = mark_unnamed(unnamed, has_unnamed, side->abi, err)))
		return rc;
	side->has_unnamed = has_unnamed;
	for (size_t i = 0; i < count; i++) {
		name[i] = side->abi->records[i].name;
		source[i] = side->abi->records[i].source ? side->abi->records[i].source : "";
	}
	side->record_names = (struct diff_names){ name, source, unnamed, count, compare_record_content, side->abi };
	diff_group_names(&side->records, &side->record_names, side->arena);
	side->layout = arena_array(side->arena, count + 1, sizeof(*side->layout));
	return 0;
}

static void index_enums(struct diff_side *side)
{
	size_t count = side->abi->enum_count;
	const char **name = arena_array(side->arena, count + 1, sizeof(*name));
	const char **source = arena_array(side->arena, count + 1, sizeof(*source));

	for (size_t i = 0; i < count; i++) {
		name[i] = side->abi->enums[i].name;
		source[i] = side->abi->enums[i].source ? side->abi->enums[i].source : "";
	}
	side->enum_names = (struct diff_names){ name, source, NULL, count, compare_enum_content, side->abi };
	diff_group_names(&side->enums, &side->enum_names, side->arena);
}

/* Of several ioctls with one name, the first one counts. */
static void index_ioctls(struct diff_side *side)
{
	const struct abi *abi = side->abi;
	size_t known;

	for (size_t i = 0; i < abi->ioctl_count; i++)
		if (!diff_name_index_find(&known, &side->ioctls, abi->ioctls[i].name, strlen(abi->ioctls[i].name)))
			diff_name_index_add(&side->ioctls, abi->ioctls[i].name, i, side->arena);
	side->has_ioctl_index = true;
}

const struct abi_ioctl *diff_side_ioctl(struct diff_side *side, const char *name)
{
	size_t i;

	if (!side->has_ioctl_index)
		index_ioctls(side);
	return diff_name_index_find(&i, &side->ioctls, name, strlen(name)) ? &side->abi->ioctls[i] : NULL;
}

static void index_types(struct diff_side *side)
{
	const struct abi *abi = side->abi;

	for (size_t i = 0; i < abi->alias_count; i++)
		diff_name_index_add(&side->aliases_by_name, abi->aliases[i].name, i, side->arena);
	for (size_t i = 0; i < abi->record_count; i++)
		diff_name_index_add(&side->records_by_name, abi->records[i].name, i, side->arena);
	for (size_t i = 0; i < abi->enum_count; i++)
		diff_name_index_add(&side->enums_by_name, abi->enums[i].name, i, side->arena);
	side->has_type_index = true;
}

/* The index of @name in a list of @side; SIZE_MAX if it is not there. */
static size_t find_type(struct diff_side *side, const struct diff_name_index *index, const char *name, size_t length)
{
	size_t i;

	if (!side->has_type_index)
		index_types(side);
	return diff_name_index_find(&i, index, name, length) ? i : SIZE_MAX;
}

const struct abi_alias *diff_side_alias_named(struct diff_side *side, const char *name, size_t length)
{
	size_t i = find_type(side, &side->aliases_by_name, name, length);

	return i == SIZE_MAX ? NULL : &side->abi->aliases[i];
}

const struct abi_record *diff_side_record_named(struct diff_side *side, const char *name, size_t length)
{
	size_t i = find_type(side, &side->records_by_name, name, length);

	return i == SIZE_MAX ? NULL : &side->abi->records[i];
}

const struct abi_enum *diff_side_enum_named(struct diff_side *side, const char *name, size_t length)
{
	size_t i = find_type(side, &side->enums_by_name, name, length);

	return i == SIZE_MAX ? NULL : &side->abi->enums[i];
}

int diff_side_init(struct diff_side *side, const struct abi *abi, struct arena *arena, struct err *err)
{
	*side = (struct diff_side){ .abi = abi, .arena = arena };
	index_enums(side);
	return index_records(side, err);
}

void diff_side_release(struct diff_side *side)
{
	diff_name_index_release(&side->aliases_by_name);
	diff_name_index_release(&side->records_by_name);
	diff_name_index_release(&side->enums_by_name);
	diff_name_index_release(&side->ioctls);
	side->has_type_index = side->has_ioctl_index = false;
}

bool diff_side_is_unnamed(const struct diff_side *side, const struct abi_record *record)
{
	return side->record_names.skipped[record - side->abi->records];
}

int diff_side_layout(const struct abi_layout **out, struct diff_side *side, const struct abi_record *record,
		     struct err *err)
{
	size_t i = (size_t)(record - side->abi->records);

	if (!side->layout[i]) {
		struct abi_layout *layout = arena_alloc(side->arena, sizeof(*layout));
		int rc = flatten_record(layout, side->abi, record->name, side->arena, err);

		if (rc) {
			err_prefix(err, "%s", side->abi->version);
			return rc;
		}
		side->layout[i] = layout;
	}
	*out = side->layout[i];
	return 0;
}

const struct abi_record *diff_side_record(const struct diff_side *side, size_t group)
{
	return &side->abi->records[side->records.group[group].index[0]];
}

const struct abi_enum *diff_side_enum(const struct diff_side *side, size_t group)
{
	return &side->abi->enums[side->enums.group[group].index[0]];
}

enum abi_role diff_acted_on(enum abi_role role, enum abi_scalar kind)
{
	switch (role) {
	case ABI_ROLE_POINTER:
	case ABI_ROLE_FD:
	case ABI_ROLE_HANDLE:
	case ABI_ROLE_PID:
		return role;
	case ABI_ROLE_KERNEL_POINTER: /* whatever its type, nobody translates it */
		return ABI_ROLE_NONE;
	case ABI_ROLE_NONE:
	case ABI_ROLE_STATUS:
	case ABI_ROLE_SIZE:
	case ABI_ROLE_COUNT:
		break;
	}
	return kind == ABI_POINTER ? ABI_ROLE_POINTER : ABI_ROLE_NONE;
}
