/* A proxy's own types as scalars. */
#include "verify/fixture_test.h"

static struct proxy_layout flat;

static const struct table_type *find_type(const void *from, const char *name)
{
	return table_find_type(from, name);
}

static int try_to_flatten(const char *name)
{
	const struct proxy_types of = { find_type, &table, table.path };

	qsort(types, table.type_count, sizeof(*types), compare_type_names);
	return proxy_flatten(&flat, &of, table_find_type(&table, name), &arena, &err);
}

static void flatten(const char *name)
{
	assert_int_equal(try_to_flatten(name), 0);
}

static void fields_of_structs_inside_have_whole_paths_and_offsets(void **state)
{
	(void)state;
	TYPE("In", 8, P("A", "uint32", 0), P("B", "int32", 4));
	TYPE("T", 16, P("X", "uint64", 0), P("In", "In", 8));
	flatten("T");
	assert_int_equal(flat.leaf_count, 3);
	assert_string_equal(flat.leaves[2].path, "In.B");
	assert_int_equal(flat.leaves[2].offset_bytes, 12);
	assert_true(flat.leaves[2].is_signed);
}

static void a_type_with_a_role_is_one_scalar(void **state)
{
	(void)state;
	TYPE("T", 32, P("H", "Handle[8]", 0));
	flatten("T");
	assert_int_equal(flat.leaf_count, 1);
	assert_int_equal(flat.leaves[0].role, ABI_ROLE_HANDLE);
	assert_int_equal(flat.leaves[0].count, 8);
	assert_int_equal(flat.leaves[0].element_bytes, 4);
}

static void an_alias_of_an_alias_is_its_scalar(void **state)
{
	(void)state;
	put_type_of((struct table_type){ .name = "Class", .size_bytes = 4, .alias = "uint32" });
	put_type_of((struct table_type){ .name = "SubClass", .size_bytes = 4, .alias = "Class" });
	TYPE("T", 8, P("C", "SubClass[2]", 0));
	flatten("T");
	assert_int_equal(flat.leaf_count, 1);
	assert_int_equal(flat.leaves[0].element_bytes, 4);
	assert_int_equal(flat.leaves[0].dimension_count, 1);
}

static void an_alias_of_a_type_with_a_role_has_it(void **state)
{
	(void)state;
	put_type_of((struct table_type){ .name = "Client", .size_bytes = 4, .alias = "Handle" });
	TYPE("T", 8, P("C", "Client[2]", 0));
	flatten("T");
	assert_int_equal(flat.leaf_count, 1);
	assert_int_equal(flat.leaves[0].role, ABI_ROLE_HANDLE);
}

static void an_alias_of_a_struct_is_resolved(void **state)
{
	(void)state;
	TYPE("In", 8, P("A", "uint32", 0), P("B", "uint32", 4));
	put_type_of((struct table_type){ .name = "Other", .size_bytes = 8, .alias = "In" });
	TYPE("T", 16, P("O", "Other[2]", 0));
	flatten("T");
	assert_int_equal(flat.leaf_count, 4);
	assert_string_equal(flat.leaves[3].path, "O[1].B");
}

static void dimensions_of_scalars_stay(void **state)
{
	(void)state;
	TYPE("T", 32, P("M", "uint32[4][2]", 0));
	flatten("T");
	assert_int_equal(flat.leaf_count, 1);
	assert_int_equal(flat.leaves[0].dimension[0], 4);
	assert_int_equal(flat.leaves[0].dimension[1], 2);
}

static void what_has_no_bytes_is_no_leaf(void **state)
{
	(void)state;
	TYPE("None", 0, P("N", "uint8[0]", 0));
	TYPE("T", 4, P("A", "uint32[0]", 0), P("N", "None[3]", 0), P("B", "uint32", 0));
	flatten("T");
	assert_int_equal(flat.leaf_count, 1);
	assert_string_equal(flat.leaves[0].path, "B");
}

static void padding_is_known_by_its_name(void **state)
{
	static const struct { const char *name; bool padding; } names[] = {
		{ "Pad", true }, { "Pad12", true }, { "_", true }, { "padding0", true }, { "__pad", true },
		{ "Padlock", false }, { "Reserved", false }, { "PadTo4", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		TYPE(arena_printf(&arena, "T%zu", i), 4, P(names[i].name, "uint32", 0));
		flatten(arena_printf(&arena, "T%zu", i));
		assert_int_equal(flat.leaves[0].is_padding, names[i].padding);
	}
}

static void all_of_a_struct_that_is_padding_is_padding(void **state)
{
	(void)state;
	TYPE("In", 4, P("A", "uint32", 0));
	TYPE("T", 4, P("Pad", "In", 0));
	flatten("T");
	assert_true(flat.leaves[0].is_padding);
}

static void leaves_are_found_by_offset(void **state)
{
	(void)state;
	TYPE("T", 16, P("A", "uint32", 0), P("B", "uint64", 8));
	flatten("T");
	assert_string_equal(proxy_leaf_at(&flat, 8)->path, "B");
	assert_null(proxy_leaf_at(&flat, 4));
	assert_null(proxy_leaf_over(&flat, 4, 4));
	assert_string_equal(proxy_leaf_over(&flat, 4, 5)->path, "B");
	assert_string_equal(proxy_leaf_over(&flat, 15, 1)->path, "B");
	assert_null(proxy_leaf_over(&flat, 16, 8));
}

static void too_many_elements_are_refused(void **state)
{
	(void)state;
	TYPE("None", 0, P("N", "uint8[0]", 0));
	TYPE("T", 0, P("N", "None[4294967295]", 0));
	assert_int_equal(try_to_flatten("T"), ERR_LIMIT);
	assert_string_equal(err.text,
			    "t.json: type None[4294967295] has more than 65536 fields with each element of its arrays");
}

static void a_type_that_is_not_there_is_refused(void **state)
{
	(void)state;
	TYPE("T", 4, P("A", "Nowhere", 0));
	assert_int_equal(try_to_flatten("T"), ERR_FORMAT);
	assert_string_equal(err.text, "t.json: no type 'Nowhere' among its types");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(fields_of_structs_inside_have_whole_paths_and_offsets),
		TEST(a_type_with_a_role_is_one_scalar),
		TEST(an_alias_of_an_alias_is_its_scalar),
		TEST(an_alias_of_a_type_with_a_role_has_it),
		TEST(an_alias_of_a_struct_is_resolved),
		TEST(dimensions_of_scalars_stay),
		TEST(what_has_no_bytes_is_no_leaf),
		TEST(padding_is_known_by_its_name),
		TEST(all_of_a_struct_that_is_padding_is_padding),
		TEST(leaves_are_found_by_offset),
		TEST(too_many_elements_are_refused),
		TEST(a_type_that_is_not_there_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
