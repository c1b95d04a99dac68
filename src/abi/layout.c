/*
 * abi/layout.c - flat layouts: which are the same, and "drvabi-flat/1" as text
 *
 * One leaf and one hole a line. Members that hold their usual value are left out: "count" 1, no repetition,
 * no union.
 */
#include "abi/abi.h"

#include <string.h>

static void write_repeats(struct json_writer *writer, const struct abi_repeat *repeat, size_t count)
{
	if (!count)
		return;
	json_key(writer, "repeat");
	json_open_array(writer);
	for (size_t i = 0; i < count; i++) {
		json_open_object(writer);
		json_key_unsigned(writer, "count", repeat[i].count);
		json_key_unsigned(writer, "stride_bits", repeat[i].stride_bits);
		json_close_object(writer);
	}
	json_close_array(writer);
}

void json_write_leaf(struct json_writer *writer, const struct abi_leaf *leaf)
{
	json_key_string(writer, "path", leaf->path);
	json_key_unsigned(writer, "bit_offset", leaf->offset_bits);
	json_key_unsigned(writer, "bit_size", leaf->size_bits);
	json_key_string(writer, "kind", abi_scalar_name(leaf->kind));
	json_key_string(writer, "type", leaf->type);
	if (leaf->dimension_count) {
		json_key_unsigned(writer, "count", leaf->count);
		json_key_unsigned(writer, "element_bits", leaf->element_bits);
	}
	if (leaf->flexible)
		json_key_bool(writer, "flexible", true);
	if (leaf->is_bitfield)
		json_key_bool(writer, "bit_field", true);
	if (leaf->role != ABI_ROLE_NONE)
		json_key_string(writer, "role", abi_role_name(leaf->role));
	write_repeats(writer, leaf->repeat, leaf->repeat_count);
	if (leaf->union_path) {
		json_key_string(writer, "union", leaf->union_path);
		json_key_unsigned(writer, "alternative", leaf->alternative);
	}
}

static void write_hole(struct json_writer *writer, const struct abi_hole *hole)
{
	json_open_inline_object(writer);
	json_key_unsigned(writer, "bit_offset", hole->offset_bits);
	json_key_unsigned(writer, "bit_size", hole->size_bits);
	json_key_string(writer, "after", hole->after);
	json_key_bool(writer, "is_tail", hole->is_tail);
	write_repeats(writer, hole->repeat, hole->repeat_count);
	json_close_object(writer);
}

void json_write_layout(struct json_writer *writer, const struct abi_layout *layout)
{
	size_t i;

	json_key_unsigned(writer, "size", layout->size_bytes);
	json_key_unsigned(writer, "align", layout->align_bytes);
	json_key_bool(writer, "is_union", layout->is_union);
	json_key_string(writer, "source", layout->source ? layout->source : "");
	json_key(writer, "leaves");
	json_open_array(writer);
	for (i = 0; i < layout->leaf_count; i++) {
		json_open_inline_object(writer);
		json_write_leaf(writer, &layout->leaf[i]);
		json_close_object(writer);
	}
	json_close_array(writer);
	json_key(writer, "holes");
	json_open_array(writer);
	for (i = 0; i < layout->hole_count; i++)
		write_hole(writer, &layout->hole[i]);
	json_close_array(writer);
}

static void write_roles(struct json_writer *writer, unsigned roles)
{
	if (!roles)
		return;
	json_key(writer, "roles");
	json_open_inline_array(writer);
	for (unsigned role = ABI_ROLE_NONE + 1; role <= ABI_ROLE_LAST; role++)
		if (roles & 1u << role)
			json_string(writer, abi_role_name((enum abi_role)role));
	json_close_array(writer);
}

void json_write_layouts(struct json_writer *writer, const struct abi *abi, const struct abi_layout *layouts,
			size_t count, unsigned roles)
{
	size_t i;

	json_open_object(writer);
	json_key_string(writer, "format", "drvabi-flat/1");
	json_key_string(writer, "version", abi->version);
	json_key_string(writer, "commit", abi->commit);
	json_key_string(writer, "target", abi->target);
	write_roles(writer, roles);
	json_key(writer, "records");
	json_open_object(writer);
	for (i = 0; i < count; i++) {
		json_key(writer, layouts[i].record);
		json_open_object(writer);
		json_write_layout(writer, &layouts[i]);
		json_close_object(writer);
	}
	json_close_object(writer);
	json_close_object(writer);
	json_end(writer);
}

bool abi_leaf_same_dimensions(const struct abi_leaf *a, const struct abi_leaf *b)
{
	if (a->repeat_count != b->repeat_count || a->dimension_count != b->dimension_count ||
	    a->flexible != b->flexible)
		return false;
	for (size_t i = 0; i < a->repeat_count; i++)
		if (a->repeat[i].count != b->repeat[i].count ||
		    a->repeat[i].stride_bits != b->repeat[i].stride_bits)
			return false;
	for (size_t i = 0; i < a->dimension_count; i++)
		if (a->dimension[i] != b->dimension[i])
			return false;
	return true;
}

bool abi_leaf_same_bits(const struct abi_leaf *a, const struct abi_leaf *b)
{
	return a->offset_bits == b->offset_bits && a->size_bits == b->size_bits &&
	       a->element_bits == b->element_bits && a->is_bitfield == b->is_bitfield &&
	       abi_leaf_same_dimensions(a, b);
}

bool abi_leaf_same(const struct abi_leaf *a, const struct abi_leaf *b)
{
	return abi_leaf_same_bits(a, b) && a->kind == b->kind && a->role == b->role &&
	       !a->c_name == !b->c_name && (!a->c_name || !strcmp(a->c_name, b->c_name));
}
