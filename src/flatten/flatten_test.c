#include "flatten/flatten.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define FIELD(n, t, at, bytes) { .name = (n), .type = (t), .offset_bits = (at) * 8, .size_bits = (bytes) * 8 }
#define BITS(n, t, at, width)                                                                                \
	{ .name = (n), .type = (t), .offset_bits = (at), .size_bits = (width), .is_bitfield = true }
#define RECORD(b, n, size, f) add_record(b, n, size, false, f, sizeof(f) / sizeof((f)[0]))
#define UNION(b, n, size, f) add_record(b, n, size, true, f, sizeof(f) / sizeof((f)[0]))

static struct arena arena;

static int release(void **state)
{
	(void)state;
	arena_release(&arena);
	return 0;
}

static void add_record(struct abi_builder *builder, const char *name, uint64_t size, bool is_union,
		       const struct abi_field *fields, size_t count)
{
	struct abi_record record = { .name = name, .size_bytes = size, .align_bytes = 4, .is_union = is_union,
				     .source = arena_printf(&arena, "a.h:1:%s", name), .field_count = count };

	record.fields = arena_memdup(&arena, fields, count * sizeof(*fields));
	abi_builder_record(builder, &record);
}

static struct abi_builder *begin(void)
{
	static const struct abi_alias aliases[] = {
		{ "NvU8", "unsigned char", 1 },      { "NvU32", "unsigned int", 4 },
		{ "NvU64", "unsigned long", 8 },     { "NvP64", "void *", 8 },
		{ "NvU8Quad", "unsigned char[4]", 4 },
	};
	struct abi_builder *builder = abi_builder_new(&arena);

	for (size_t i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++)
		abi_builder_alias(builder, &aliases[i]);
	return builder;
}

static const struct abi *sealed(struct abi_builder *builder)
{
	struct abi head = { .driver = "d", .version = "1", .commit = "", .target = "x86_64-linux-gnu" };
	struct abi *abi = arena_alloc(&arena, sizeof(*abi));

	abi_builder_seal(abi, builder, &head);
	abi_builder_free(builder);
	return abi;
}

static struct abi_layout flattened(struct abi_builder *builder, const char *name)
{
	struct abi_layout layout = { 0 };
	struct err err = { "" };
	int rc = flatten_record(&layout, sealed(builder), name, &arena, &err);

	if (rc)
		fail_msg("%s", err.text);
	return layout;
}

static void assert_refused(struct abi_builder *builder, const char *name, int code, const char *sentence)
{
	struct abi_layout layout = { .record = "untouched" };
	struct err err = { "" };

	assert_int_equal(flatten_record(&layout, sealed(builder), name, &arena, &err), code);
	assert_string_equal(err.text, sentence);
	assert_string_equal(layout.record, "untouched");
}

static void lists_scalars_with_kind_and_offset(void **state)
{
	const struct abi_field fields[] = { FIELD("a", "NvU32", 0, 4), FIELD("p", "NvP64", 8, 8) };
	struct abi_builder *builder = begin();
	struct abi_layout got;

	(void)state;
	RECORD(builder, "R", 16, fields);
	got = flattened(builder, "R");
	assert_int_equal(got.leaf_count, 2);
	assert_string_equal(got.leaf[1].path, "p");
	assert_int_equal(got.leaf[0].kind, ABI_U32);
	assert_int_equal(got.leaf[1].kind, ABI_POINTER);
	assert_int_equal(got.leaf[1].offset_bits, 64);
	assert_null(got.leaf[0].union_path);
}

static void an_array_of_scalars_is_one_leaf(void **state)
{
	const struct abi_field fields[] = { FIELD("a", "NvU32[4][2]", 0, 32) };
	struct abi_builder *builder = begin();
	struct abi_layout got;

	(void)state;
	RECORD(builder, "R", 32, fields);
	got = flattened(builder, "R");
	assert_int_equal(got.leaf_count, 1);
	assert_true(got.leaf[0].dimension_count);
	assert_int_equal(got.leaf[0].count, 8);
	assert_int_equal(got.leaf[0].element_bits, 32);
	assert_int_equal(got.leaf[0].size_bits, 256);
}

static void a_typedef_of_an_array_is_an_array(void **state)
{
	const struct abi_field fields[] = { FIELD("a", "NvU8Quad", 0, 4) };
	struct abi_builder *builder = begin();
	struct abi_layout got;

	(void)state;
	RECORD(builder, "R", 4, fields);
	got = flattened(builder, "R");
	assert_true(got.leaf[0].dimension_count);
	assert_int_equal(got.leaf[0].count, 4);
}

static void a_nested_record_extends_the_path(void **state)
{
	const struct abi_field inner[] = { FIELD("c", "NvU32", 4, 4) };
	const struct abi_field outer[] = { FIELD("e", "I", 8, 8) };
	struct abi_builder *builder = begin();
	struct abi_layout got;

	(void)state;
	RECORD(builder, "I", 8, inner);
	RECORD(builder, "R", 16, outer);
	got = flattened(builder, "R");
	assert_string_equal(got.leaf[0].path, "e.c");
	assert_int_equal(got.leaf[0].offset_bits, 96);
}

static void an_unnamed_member_adds_nothing_to_the_path(void **state)
{
	const struct abi_field inner[] = { FIELD("c", "NvU32", 0, 4) };
	const struct abi_field outer[] = { FIELD("", "R::unnamed_t", 0, 4) };
	struct abi_builder *builder = begin();

	(void)state;
	UNION(builder, "R::unnamed_t", 4, inner);
	RECORD(builder, "R", 4, outer);
	assert_string_equal(flattened(builder, "R").leaf[0].path, "c");
}

static void an_array_of_records_is_a_repeated_group(void **state)
{
	const struct abi_field inner[] = { FIELD("a", "NvU32", 0, 4), FIELD("c", "NvU32", 4, 4) };
	const struct abi_field outer[] = { FIELD("e", "I[3]", 8, 24) };
	struct abi_builder *builder = begin();
	struct abi_layout got;

	(void)state;
	RECORD(builder, "I", 8, inner);
	RECORD(builder, "R", 32, outer);
	got = flattened(builder, "R");
	assert_int_equal(got.leaf_count, 2);
	assert_string_equal(got.leaf[1].path, "e[].c");
	assert_int_equal(got.leaf[1].offset_bits, 96);
	assert_int_equal(got.leaf[1].repeat_count, 1);
	assert_int_equal(got.leaf[1].repeat[0].count, 3);
	assert_int_equal(got.leaf[1].repeat[0].stride_bits, 64);
}

static void two_dimensions_have_two_strides(void **state)
{
	const struct abi_field inner[] = { FIELD("x", "NvU32", 0, 4) };
	const struct abi_field outer[] = { FIELD("m", "I[3][2]", 0, 24) };
	struct abi_builder *builder = begin();
	struct abi_layout got;

	(void)state;
	RECORD(builder, "I", 4, inner);
	RECORD(builder, "R", 24, outer);
	got = flattened(builder, "R");
	assert_string_equal(got.leaf[0].path, "m[][].x");
	assert_int_equal(got.leaf[0].repeat[0].count, 3);
	assert_int_equal(got.leaf[0].repeat[0].stride_bits, 64);
	assert_int_equal(got.leaf[0].repeat[1].count, 2);
	assert_int_equal(got.leaf[0].repeat[1].stride_bits, 32);
}

static void groups_inside_groups_have_both_repeats(void **state)
{
	const struct abi_field inner[] = { FIELD("x", "NvU32", 0, 4) };
	const struct abi_field middle[] = { FIELD("i", "I[2]", 0, 8) };
	const struct abi_field outer[] = { FIELD("m", "M[5]", 0, 40) };
	struct abi_builder *builder = begin();
	struct abi_layout got;

	(void)state;
	RECORD(builder, "I", 4, inner);
	RECORD(builder, "M", 8, middle);
	RECORD(builder, "R", 40, outer);
	got = flattened(builder, "R");
	assert_string_equal(got.leaf[0].path, "m[].i[].x");
	assert_int_equal(got.leaf[0].repeat[0].count, 5);
	assert_int_equal(got.leaf[0].repeat[1].count, 2);
	assert_int_equal(got.hole_count, 0);
}

static void members_of_a_union_are_alternatives(void **state)
{
	const struct abi_field members[] = { FIELD("a", "NvU32", 0, 4), FIELD("b", "NvU64", 0, 8) };
	const struct abi_field outer[] = { FIELD("u", "U", 0, 8) };
	struct abi_builder *builder = begin();
	struct abi_layout got;

	(void)state;
	UNION(builder, "U", 8, members);
	RECORD(builder, "R", 8, outer);
	got = flattened(builder, "R");
	assert_string_equal(got.leaf[0].union_path, "u");
	assert_int_equal(got.leaf[0].alternative, 0);
	assert_int_equal(got.leaf[1].alternative, 1);
	assert_int_equal(got.hole_count, 0);
}

static void a_record_that_is_a_union_has_the_empty_union_path(void **state)
{
	const struct abi_field members[] = { FIELD("a", "NvU32", 0, 4), FIELD("b", "NvU64", 0, 8) };
	struct abi_builder *builder = begin();

	(void)state;
	UNION(builder, "U", 8, members);
	assert_string_equal(flattened(builder, "U").leaf[1].union_path, "");
}

static void leaves_are_in_the_order_of_offsets(void **state)
{
	const struct abi_field one[] = { FIELD("a", "NvU32", 0, 4), FIELD("b", "NvU32", 4, 4) };
	const struct abi_field members[] = { FIELD("x", "I", 0, 8), FIELD("y", "I", 0, 8) };
	struct abi_builder *builder = begin();
	struct abi_layout got;

	(void)state;
	RECORD(builder, "I", 8, one);
	UNION(builder, "U", 8, members);
	got = flattened(builder, "U");
	assert_string_equal(got.leaf[0].path, "x.a");
	assert_string_equal(got.leaf[1].path, "y.a");
	assert_string_equal(got.leaf[2].path, "x.b");
	assert_string_equal(got.leaf[3].path, "y.b");
}

static void bit_fields_have_their_bits(void **state)
{
	const struct abi_field fields[] = { BITS("lo", "NvU32", 0, 3), BITS("hi", "NvU32", 3, 5) };
	struct abi_builder *builder = begin();
	struct abi_layout got;

	(void)state;
	RECORD(builder, "R", 4, fields);
	got = flattened(builder, "R");
	assert_string_equal(got.leaf[1].path, "hi");
	assert_int_equal(got.leaf[1].offset_bits, 3);
	assert_int_equal(got.leaf[1].size_bits, 5);
	assert_true(got.leaf[1].is_bitfield);
	assert_int_equal(got.hole_count, 1);
	assert_int_equal(got.hole[0].offset_bits, 8);
	assert_int_equal(got.hole[0].size_bits, 24);
}

static void an_unnamed_bit_field_is_a_hole(void **state)
{
	const struct abi_field fields[] = { BITS("lo", "NvU32", 0, 3), BITS("", "NvU32", 3, 5),
					    BITS("hi", "NvU32", 8, 24) };
	struct abi_builder *builder = begin();
	struct abi_layout got;

	(void)state;
	RECORD(builder, "R", 4, fields);
	got = flattened(builder, "R");
	assert_int_equal(got.leaf_count, 2);
	assert_int_equal(got.hole_count, 1);
	assert_int_equal(got.hole[0].offset_bits, 3);
}

static void a_flexible_array_has_no_bits(void **state)
{
	const struct abi_field fields[] = { FIELD("n", "NvU64", 0, 8), FIELD("v", "NvU32[]", 8, 0) };
	struct abi_builder *builder = begin();
	struct abi_layout got;

	(void)state;
	RECORD(builder, "R", 8, fields);
	got = flattened(builder, "R");
	assert_true(got.leaf[1].flexible);
	assert_int_equal(got.leaf[1].count, 0);
	assert_int_equal(got.leaf[1].size_bits, 0);
	assert_int_equal(got.hole_count, 0);
}

static void a_flexible_array_of_records_covers_no_padding(void **state)
{
	const struct abi_field inner[] = { FIELD("c", "NvU32", 0, 4) };
	const struct abi_field fields[] = { FIELD("n", "NvU32", 0, 4), FIELD("e", "I[]", 4, 0) };
	struct abi_builder *builder = begin();
	struct abi_layout got;

	(void)state;
	RECORD(builder, "I", 4, inner);
	RECORD(builder, "R", 8, fields);
	got = flattened(builder, "R");
	assert_string_equal(got.leaf[1].path, "e[].c");
	assert_int_equal(got.leaf[1].repeat[0].count, 0);
	assert_int_equal(got.hole_count, 1);
	assert_true(got.hole[0].is_tail);
}

static void holes_and_tail_padding_are_listed(void **state)
{
	const struct abi_field fields[] = { FIELD("a", "NvU8", 0, 1), FIELD("b", "NvU32", 4, 4),
					    FIELD("c", "NvU8", 8, 1) };
	struct abi_builder *builder = begin();
	struct abi_layout got;

	(void)state;
	RECORD(builder, "R", 12, fields);
	got = flattened(builder, "R");
	assert_int_equal(got.hole_count, 2);
	assert_string_equal(got.hole[0].after, "a");
	assert_int_equal(got.hole[0].offset_bits, 8);
	assert_int_equal(got.hole[0].size_bits, 24);
	assert_false(got.hole[0].is_tail);
	assert_string_equal(got.hole[1].after, "c");
	assert_true(got.hole[1].is_tail);
}

static void a_hole_of_a_union_is_what_no_alternative_covers(void **state)
{
	const struct abi_field gap[] = { FIELD("a", "NvU8", 0, 1), FIELD("b", "NvU32", 4, 4) };
	const struct abi_field members[] = { FIELD("x", "I", 0, 8), FIELD("y", "NvU8[2]", 0, 2) };
	struct abi_builder *builder = begin();
	struct abi_layout got;

	(void)state;
	RECORD(builder, "I", 8, gap);
	UNION(builder, "U", 8, members);
	got = flattened(builder, "U");
	assert_int_equal(got.hole_count, 1);
	assert_int_equal(got.hole[0].offset_bits, 16);
	assert_int_equal(got.hole[0].size_bits, 16);
}

static void a_repeated_hole_is_listed_once(void **state)
{
	const struct abi_field inner[] = { FIELD("a", "NvU8", 0, 1), FIELD("b", "NvU32", 4, 4) };
	const struct abi_field outer[] = { FIELD("e", "I[3]", 0, 24) };
	struct abi_builder *builder = begin();
	struct abi_layout got;

	(void)state;
	RECORD(builder, "I", 8, inner);
	RECORD(builder, "R", 24, outer);
	got = flattened(builder, "R");
	assert_int_equal(got.hole_count, 1);
	assert_int_equal(got.hole[0].offset_bits, 8);
	assert_string_equal(got.hole[0].after, "e[].a");
	assert_int_equal(got.hole[0].repeat_count, 1);
	assert_int_equal(got.hole[0].repeat[0].stride_bits, got.leaf[0].repeat[0].stride_bits);
	assert_int_equal(got.hole[0].repeat[0].count, got.leaf[0].repeat[0].count);
}

static void holes_of_later_elements_are_found_below_another_alternative(void **state)
{
	const struct abi_field inner[] = { FIELD("a", "NvU8", 0, 1), FIELD("b", "NvU32", 4, 4) };
	const struct abi_field members[] = { FIELD("e", "I[2][2]", 0, 32), FIELD("raw", "NvU8[10]", 0, 10) };
	struct abi_builder *builder = begin();
	struct abi_layout got;

	(void)state;
	RECORD(builder, "I", 8, inner);
	UNION(builder, "U", 32, members);
	got = flattened(builder, "U");
	assert_int_equal(got.hole_count, 2);
	assert_int_equal(got.hole[0].offset_bits, 80);
	assert_int_equal(got.hole[0].size_bits, 16);
	assert_int_equal(got.hole[0].repeat_count, 0);
	assert_int_equal(got.hole[1].offset_bits, 136);
	assert_int_equal(got.hole[1].size_bits, 24);
	assert_int_equal(got.hole[1].repeat_count, 1);
	assert_int_equal(got.hole[1].repeat[0].count, 2);
	assert_int_equal(got.hole[1].repeat[0].stride_bits, 64);
}

static void an_empty_record_has_no_leaf_and_no_hole(void **state)
{
	struct abi_builder *builder = begin();
	struct abi_layout got;

	(void)state;
	add_record(builder, "R", 0, false, NULL, 0);
	got = flattened(builder, "R");
	assert_int_equal(got.leaf_count, 0);
	assert_int_equal(got.hole_count, 0);
}

static void roles_come_from_the_fields(void **state)
{
	struct abi_field fields[] = { FIELD("h", "NvU32", 0, 4) };
	struct abi_builder *builder = begin();

	(void)state;
	fields[0].role = ABI_ROLE_HANDLE;
	RECORD(builder, "R", 4, fields);
	assert_int_equal(flattened(builder, "R").leaf[0].role, ABI_ROLE_HANDLE);
}

static void a_missing_record_is_named(void **state)
{
	(void)state;
	assert_refused(begin(), "NONE", ERR_NOT_FOUND, "there is no record NONE in 1");
}

static void a_record_that_contains_itself_is_refused(void **state)
{
	const struct abi_field a[] = { FIELD("b", "B", 0, 4) };
	const struct abi_field b[] = { FIELD("a", "A", 0, 4) };
	struct abi_builder *builder = begin();

	(void)state;
	RECORD(builder, "A", 4, a);
	RECORD(builder, "B", 4, b);
	assert_refused(builder, "A", ERR_LIMIT, "record A contains itself, as member b.a");
}

static void a_member_beyond_its_record_is_refused(void **state)
{
	const struct abi_field fields[] = { FIELD("a", "NvU32", 4, 4) };
	struct abi_builder *builder = begin();

	(void)state;
	RECORD(builder, "R", 4, fields);
	assert_refused(builder, "R", ERR_LAYOUT, "R.a ends after its record, which has 4 bytes");
}

static void a_member_of_another_size_than_its_type_is_refused(void **state)
{
	const struct abi_field fields[] = { FIELD("a", "NvU64", 0, 4) };
	struct abi_builder *builder = begin();

	(void)state;
	RECORD(builder, "R", 4, fields);
	assert_refused(builder, "R", ERR_LAYOUT, "R.a has 32 bits, but its type NvU64 has 64");
}

static void a_bit_field_of_an_array_is_refused(void **state)
{
	const struct abi_field fields[] = { BITS("a", "NvU32[2]", 0, 3) };
	struct abi_builder *builder = begin();

	(void)state;
	RECORD(builder, "R", 8, fields);
	assert_refused(builder, "R", ERR_LAYOUT,
		       "R.a is a bit-field of the type NvU32[2], which is not an integer");
}

static void an_unknown_type_is_refused(void **state)
{
	const struct abi_field fields[] = { FIELD("a", "Mystery", 0, 4) };
	struct abi_layout layout;
	struct abi_builder *builder = begin();
	struct err err = { "" };

	(void)state;
	RECORD(builder, "R", 4, fields);
	assert_int_equal(flatten_record(&layout, sealed(builder), "R", &arena, &err), ERR_NOT_FOUND);
	assert_memory_equal(err.text, "R.a: ", 5);
}

static void records_that_double_at_every_level_are_refused(void **state)
{
	struct abi_field fields[] = { FIELD("a", "", 0, 0), FIELD("b", "", 0, 0) };
	struct abi_builder *builder = begin();
	struct abi_layout layout;
	struct err err = { "" };

	(void)state;
	add_record(builder, "R0", 0, false, NULL, 0);
	for (int level = 1; level < 60; level++) {
		fields[0].type = fields[1].type = arena_printf(&arena, "R%d", level - 1);
		RECORD(builder, arena_printf(&arena, "R%d", level), 0, fields);
	}
	assert_int_equal(flatten_record(&layout, sealed(builder), "R59", &arena, &err), ERR_LIMIT);
}

static void a_selection_has_only_leaves_of_its_roles_and_no_holes(void **state)
{
	static const struct abi_field fields[] = {
		{ .name = "a", .type = "NvU32", .size_bits = 32, .role = ABI_ROLE_FD },
		{ .name = "b", .type = "NvU32", .offset_bits = 64, .size_bits = 32 },
		{ .name = "c", .type = "NvU32", .offset_bits = 96, .size_bits = 32, .role = ABI_ROLE_PID },
	};
	struct abi_builder *builder = begin();
	struct abi_layout got, selected;
	const struct abi *abi;
	struct err err = { "" };

	(void)state;
	RECORD(builder, "R", 16, fields);
	abi = sealed(builder);
	assert_int_equal(flatten_record(&got, abi, "R", &arena, &err), 0);
	assert_int_equal(got.hole_count, 1);
	flatten_select(&selected, &got, 1u << ABI_ROLE_PID, &arena);
	assert_int_equal(selected.leaf_count, 1);
	assert_string_equal(selected.leaf[0].path, "c");
	assert_int_equal(selected.hole_count, 0);
	assert_int_equal(selected.size_bytes, 16);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(lists_scalars_with_kind_and_offset, release),
		cmocka_unit_test_teardown(an_array_of_scalars_is_one_leaf, release),
		cmocka_unit_test_teardown(a_typedef_of_an_array_is_an_array, release),
		cmocka_unit_test_teardown(a_nested_record_extends_the_path, release),
		cmocka_unit_test_teardown(an_unnamed_member_adds_nothing_to_the_path, release),
		cmocka_unit_test_teardown(an_array_of_records_is_a_repeated_group, release),
		cmocka_unit_test_teardown(two_dimensions_have_two_strides, release),
		cmocka_unit_test_teardown(groups_inside_groups_have_both_repeats, release),
		cmocka_unit_test_teardown(members_of_a_union_are_alternatives, release),
		cmocka_unit_test_teardown(a_record_that_is_a_union_has_the_empty_union_path, release),
		cmocka_unit_test_teardown(leaves_are_in_the_order_of_offsets, release),
		cmocka_unit_test_teardown(bit_fields_have_their_bits, release),
		cmocka_unit_test_teardown(an_unnamed_bit_field_is_a_hole, release),
		cmocka_unit_test_teardown(a_flexible_array_has_no_bits, release),
		cmocka_unit_test_teardown(a_flexible_array_of_records_covers_no_padding, release),
		cmocka_unit_test_teardown(holes_and_tail_padding_are_listed, release),
		cmocka_unit_test_teardown(a_hole_of_a_union_is_what_no_alternative_covers, release),
		cmocka_unit_test_teardown(a_repeated_hole_is_listed_once, release),
		cmocka_unit_test_teardown(holes_of_later_elements_are_found_below_another_alternative,
					  release),
		cmocka_unit_test_teardown(an_empty_record_has_no_leaf_and_no_hole, release),
		cmocka_unit_test_teardown(roles_come_from_the_fields, release),
		cmocka_unit_test_teardown(a_selection_has_only_leaves_of_its_roles_and_no_holes, release),
		cmocka_unit_test_teardown(a_missing_record_is_named, release),
		cmocka_unit_test_teardown(a_record_that_contains_itself_is_refused, release),
		cmocka_unit_test_teardown(a_member_beyond_its_record_is_refused, release),
		cmocka_unit_test_teardown(a_member_of_another_size_than_its_type_is_refused, release),
		cmocka_unit_test_teardown(a_bit_field_of_an_array_is_refused, release),
		cmocka_unit_test_teardown(an_unknown_type_is_refused, release),
		cmocka_unit_test_teardown(records_that_double_at_every_level_are_refused, release),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
