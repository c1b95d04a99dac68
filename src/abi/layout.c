/*
 * abi/layout.c - compares scalars of flat layouts, and writes layouts as "drvabi-flat/1"
 *
 * Each scalar and each hole is on its own line. Members with their usual value are not written: "count" 1, no
 * enclosing array, no union.
 */
#include "abi/internal.h"

static const struct json_struct repeat_fields = {
	.size = sizeof(struct abi_repeat),
	.field = { JSON_FIELD("count", JSON_U64, abi_repeat, count),
		   JSON_FIELD("stride_bits", JSON_U64, abi_repeat, stride_bits) },
};

/* The arrays that enclose a scalar or a hole. */
JSON_GET_LIST(scalar_repeats, abi_scalar, it->repeat, it->repeat_count)
JSON_GET_LIST(hole_repeats, abi_hole, it->repeat, it->repeat_count)

#define REPEATS(get) \
	{ .key = "repeat", .kind = JSON_LIST | JSON_SPARSE, .of = &repeat_fields, .get_list = (get) }

JSON_IS(is_no_array, abi_scalar, !it->dimension_count)
JSON_IS(is_in_no_union, abi_scalar, !it->union_path)

const struct json_struct abi_scalar_fields = {
	.size = sizeof(struct abi_scalar),
	.is_inline = true,
	.field = { JSON_FIELD("path", JSON_TEXT, abi_scalar, path),
		   JSON_FIELD("bit_offset", JSON_U64, abi_scalar, offset_bits),
		   JSON_FIELD("bit_size", JSON_U64, abi_scalar, size_bits),
		   JSON_FIELD("kind", JSON_NAMED, abi_scalar, kind, .name_of = abi_scalar_kind_name,
			      .max = ABI_BYTES + 1),
		   JSON_FIELD("type", JSON_TEXT, abi_scalar, type),
		   JSON_FIELD("count", JSON_U64 | JSON_OPTIONAL, abi_scalar, count,
			      .is_left_out = is_no_array),
		   JSON_FIELD("element_bits", JSON_U64 | JSON_OPTIONAL, abi_scalar, element_bits,
			      .is_left_out = is_no_array),
		   JSON_FIELD("flexible", JSON_BOOL | JSON_SPARSE, abi_scalar, flexible),
		   JSON_FIELD("bit_field", JSON_BOOL | JSON_SPARSE, abi_scalar, is_bitfield),
		   JSON_ROLE(JSON_SPARSE, abi_scalar, role), REPEATS(scalar_repeats),
		   JSON_FIELD("union", JSON_TEXT | JSON_SPARSE, abi_scalar, union_path),
		   JSON_FIELD("alternative", JSON_SIZE | JSON_OPTIONAL, abi_scalar, alternative,
			      .is_left_out = is_in_no_union) },
};

static const struct json_struct hole_fields = {
	.size = sizeof(struct abi_hole),
	.is_inline = true,
	.field = { JSON_FIELD("bit_offset", JSON_U64, abi_hole, offset_bits),
		   JSON_FIELD("bit_size", JSON_U64, abi_hole, size_bits),
		   JSON_FIELD("after", JSON_TEXT, abi_hole, after),
		   JSON_FIELD("is_tail", JSON_BOOL, abi_hole, is_tail), REPEATS(hole_repeats) },
};

const struct json_struct abi_layout_fields = {
	.size = sizeof(struct abi_layout),
	.field = { JSON_FIELD("size", JSON_U64, abi_layout, size_bytes),
		   JSON_FIELD("align", JSON_U64, abi_layout, align_bytes),
		   JSON_FIELD("is_union", JSON_BOOL, abi_layout, is_union),
		   JSON_FIELD("source", JSON_TEXT_OR_EMPTY, abi_layout, source),
		   JSON_ARRAY("leaves", JSON_LIST, abi_layout, scalar, scalar_count, &abi_scalar_fields),
		   JSON_ARRAY("holes", JSON_LIST, abi_layout, hole, hole_count, &hole_fields) },
};

/* All that a file "drvabi-flat/1" has. */
struct layouts {
	const struct abi *abi;
	const struct abi_layout *layouts; /* each struct begins with the record's name */
	size_t count;
	unsigned roles; /* the roles to which the scalars are limited; 0 if the layouts have all scalars */
};

static const struct json_struct origin_fields = {
	.field = { JSON_FIELD("version", JSON_TEXT, abi, version),
		   JSON_FIELD("commit", JSON_TEXT, abi, commit),
		   JSON_FIELD("target", JSON_TEXT, abi, target) },
};

const struct json_struct abi_layouts_fields = {
	.field = { { .key = "format", .kind = JSON_FORMAT, .text = "drvabi-flat/1" },
		   JSON_INTO_BY_POINTER(layouts, abi, &origin_fields),
		   JSON_FIELD("roles", JSON_NAMED_BITS | JSON_SPARSE | JSON_ON_ONE_LINE, layouts, roles,
			      .name_of = abi_role_name, .max = ABI_ROLE_LAST + 1, .text = "a role"),
		   JSON_ARRAY("records", JSON_MAP, layouts, layouts, count, &abi_layout_fields) },
};

void json_write_layouts(struct json_writer *writer, const struct abi *abi, const struct abi_layout *layouts,
			size_t count, unsigned roles)
{
	json_write_struct(writer, &(struct layouts){ abi, layouts, count, roles }, &abi_layouts_fields);
	json_end(writer);
}

const struct abi_scalar *abi_find_scalar(const struct abi_layout *layout, const char *path)
{
	for (size_t i = 0; i < layout->scalar_count; i++)
		if (!strcmp(layout->scalar[i].path, path))
			return &layout->scalar[i];
	return NULL;
}

bool abi_scalar_same_dimensions(const struct abi_scalar *a, const struct abi_scalar *b)
{
	return a->repeat_count == b->repeat_count && a->dimension_count == b->dimension_count &&
	       a->flexible == b->flexible &&
	       !memcmp(a->repeat, b->repeat, a->repeat_count * sizeof(*a->repeat)) &&
	       (!a->dimension_count ||
		!memcmp(a->dimension, b->dimension, a->dimension_count * sizeof(*a->dimension)));
}

bool abi_scalar_same_bits(const struct abi_scalar *a, const struct abi_scalar *b)
{
	return a->offset_bits == b->offset_bits && a->size_bits == b->size_bits &&
	       a->element_bits == b->element_bits && a->is_bitfield == b->is_bitfield &&
	       abi_scalar_same_dimensions(a, b);
}

bool abi_scalar_same(const struct abi_scalar *a, const struct abi_scalar *b)
{
	return abi_scalar_same_bits(a, b) && a->kind == b->kind && a->role == b->role &&
	       !a->c_name == !b->c_name && (!a->c_name || !strcmp(a->c_name, b->c_name));
}
