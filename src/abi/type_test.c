#include "abi/abi.h"

#include <stdarg.h>
#include <setjmp.h>
#include <string.h>
#include <cmocka.h>

static const struct abi_field point_fields[] = {
	{ .name = "x", .type = "NvU32", .size_bits = 32 },
	{ .name = "y", .type = "NvU32", .offset_bits = 32, .size_bits = 32 },
};
static const struct abi_record records[] = {
	{ "P::e_t", point_fields, 2, 8, 4, false, "a.h:1:1" },
	{ "POINT", point_fields, 2, 8, 4, false, "a.h:2:1" },
};
/* Sorted by name. */
static const struct abi_alias aliases[] = {
	{ "BAD_ARRAY", "unsigned int[3]", 16 },
	{ "BAD_POINT", "POINT", 12 },
	{ "DEEP", "NvUuidPair[2]", 64 },
	{ "EMPTY", "unsigned int[0]", 0 },
	{ "FUNCTION", "void (*)(int)", 8 },
	{ "FUNCTIONS", "void (*[4])(int)", 32 },
	{ "LOST_ENUM", "enum LOST_ENUM", 4 },
	{ "MODE", "MODE", 4 },
	{ "NvBool", "unsigned char", 1 },
	{ "NvHandle", "NvU32", 4 },
	{ "NvP64", "void *", 8 },
	{ "NvS16", "short", 2 },
	{ "NvS32", "int", 4 },
	{ "NvU32", "unsigned int", 4 },
	{ "NvU64", "unsigned long long", 8 },
	{ "NvUuidPair", "unsigned char[2][16]", 32 },
	{ "OPAQUE", "OPAQUE", 24 },
	{ "POINTS", "POINT[3]", 24 },
	{ "RING_A", "RING_B", 4 },
	{ "RING_B", "RING_A", 4 },
	{ "_Bool", "_Bool", 1 },
	{ "char", "char", 1 },
	{ "const char *", "const char *", 8 },
	{ "const int", "const int", 4 },
	{ "double", "double", 8 },
	{ "int", "int", 4 },
	{ "int (*)[4]", "int (*)[4]", 8 },
	{ "long", "long", 8 },
	{ "signed char", "signed char", 1 },
	{ "ulong32", "unsigned long", 4 },
	{ "unsigned __int128", "unsigned __int128", 16 },
	{ "unsigned short", "unsigned short", 2 },
	{ "void (*)(int)", "void (*)(int)", 8 },
	{ "void *", "void *", 8 },
	{ "void *const", "void *const", 8 },
	{ "volatile const POINT", "const volatile POINT", 8 },
};
static const struct abi_enum enums[] = {
	{ .name = "MODE", .type = "unsigned int", .size_bytes = 4 },
};
static const struct abi document = {
	.records = records, .record_count = sizeof(records) / sizeof(records[0]),
	.aliases = aliases, .alias_count = sizeof(aliases) / sizeof(aliases[0]),
	.enums = enums, .enum_count = 1,
};

static struct abi_type resolved(const char *type)
{
	struct abi_type got = { 0 };
	struct err err = { "" };

	if (abi_resolve_type(&got, &document, type, &err))
		fail_msg("%s: %s", type, err.text);
	return got;
}

static int refused(const char *type)
{
	struct abi_type got = { .count = 77 };
	struct err err = { "" };
	int rc = abi_resolve_type(&got, &document, type, &err);

	assert_true(!rc || (err.text[0] && got.count == 77));
	return rc;
}

static void assert_kind(const char *type, const char *kind, uint64_t element_bytes)
{
	struct abi_type got = resolved(type);

	if (got.record)
		fail_msg("%s is a record", type);
	assert_string_equal(abi_scalar_name(got.scalar), kind);
	assert_int_equal(got.element_bytes, element_bytes);
}

static struct abi_spelling spelled(const char *type)
{
	struct abi_spelling got = { 0 };
	struct err err = { "" };

	if (abi_spelling_parse(&got, type, &err))
		fail_msg("%s: %s", type, err.text);
	return got;
}

static void assert_base(const char *type, const char *base, size_t dimension_count)
{
	struct abi_spelling got = spelled(type);

	assert_int_equal(got.base_length, strlen(base));
	assert_memory_equal(got.base, base, got.base_length);
	assert_int_equal(got.dimension_count, dimension_count);
}

static void a_spelling_without_brackets_is_its_base(void **state)
{
	(void)state;
	assert_base("NvU32", "NvU32", 0);
}

static void dimensions_stand_in_c_order(void **state)
{
	struct abi_spelling got = spelled("NvU32[4][2]");

	(void)state;
	assert_base("NvU32[4][2]", "NvU32", 2);
	assert_int_equal(got.dimension[0], 4);
	assert_int_equal(got.dimension[1], 2);
}

static void an_empty_dimension_is_flexible(void **state)
{
	(void)state;
	assert_true(spelled("T[]").flexible);
	assert_true(spelled("T[][8]").flexible);
	assert_int_equal(spelled("T[][8]").dimension[1], 8);
}

static void a_zero_dimension_is_not_flexible(void **state)
{
	(void)state;
	assert_false(spelled("T[0]").flexible);
	assert_int_equal(spelled("T[0]").dimension_count, 1);
}

static void a_pointer_to_an_array_keeps_its_brackets(void **state)
{
	(void)state;
	assert_base("int (*)[4]", "int (*)[4]", 0);
	assert_base("int (*const)[4]", "int (*const)[4]", 0);
	assert_base("int (*[3])[4]", "int (*[3])[4]", 0);
}

static void dimensions_behind_a_parameter_list_are_of_the_function_pointer(void **state)
{
	(void)state;
	assert_base("void (*)(int)[4]", "void (*)(int)", 1);
	assert_base("void (*)(int[4])", "void (*)(int[4])", 0);
}

static int misspelled(const char *type)
{
	struct abi_spelling got = { .base_length = 77 };
	struct err err = { "" };
	int rc = abi_spelling_parse(&got, type, &err);

	assert_true(!rc || (err.text[0] && got.base_length == 77));
	return rc;
}

static void malformed_spellings_are_refused(void **state)
{
	static const char *const bad[] = {
		"", " ", "[4]", "T[", "T]", "T[4", "T4]", "T[[4]]", "T[x]", "T[-1]", "T[4][]", "T[][]", "T]4[", "T[ 4 ]",
		"T[18446744073709551616]", "T[1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1]",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (misspelled(bad[i]) != ERR_FORMAT)
			fail_msg("\"%s\" was taken", bad[i]);
}

static void the_largest_dimension_fits(void **state)
{
	(void)state;
	assert_true(spelled("T[18446744073709551615]").dimension[0] == UINT64_MAX);
}

static void integers_have_the_sign_of_the_spelling_and_the_width_of_the_alias(void **state)
{
	(void)state;
	assert_kind("NvU32", "u32", 4);
	assert_kind("NvS32", "i32", 4);
	assert_kind("NvS16", "i16", 2);
	assert_kind("NvU64", "u64", 8);
	assert_kind("unsigned short", "u16", 2);
	assert_kind("long", "i64", 8);
	assert_kind("ulong32", "u32", 4);
}

static void the_three_chars_differ(void **state)
{
	(void)state;
	assert_kind("char", "char", 1);
	assert_kind("signed char", "i8", 1);
	assert_kind("NvBool", "u8", 1);
}

static void bool_is_a_kind_of_its_own(void **state)
{
	(void)state;
	assert_kind("_Bool", "bool", 1);
}

static void whatever_a_proxy_cannot_name_is_bytes(void **state)
{
	(void)state;
	assert_kind("double", "bytes", 8);
	assert_kind("unsigned __int128", "bytes", 16);
	assert_kind("OPAQUE", "bytes", 24);
}

static void pointers_of_every_shape_are_pointers(void **state)
{
	(void)state;
	assert_kind("void *", "pointer", 8);
	assert_kind("void *const", "pointer", 8);
	assert_kind("const char *", "pointer", 8);
	assert_kind("NvP64", "pointer", 8);
	assert_kind("FUNCTION", "pointer", 8);
	assert_kind("void (*)(int)", "pointer", 8);
	assert_kind("int (*)[4]", "pointer", 8);
}

static void an_alias_of_an_alias_is_followed(void **state)
{
	(void)state;
	assert_kind("NvHandle", "u32", 4);
}

static void qualifiers_do_not_hide_a_name(void **state)
{
	(void)state;
	assert_kind("const NvU32", "u32", 4);
	assert_kind("volatile const NvHandle", "u32", 4);
	assert_kind("const int", "i32", 4);
	assert_ptr_equal(resolved("const POINT").record, &records[1]);
	assert_ptr_equal(resolved("const struct POINT").record, &records[1]);
	assert_ptr_equal(resolved("volatile const POINT").record, &records[1]);
}

static void an_enum_leads_to_its_enumerators(void **state)
{
	(void)state;
	assert_kind("MODE", "enum", 4);
	assert_ptr_equal(resolved("enum MODE").enumeration, &enums[0]);
}

static void an_enum_that_the_document_lacks_is_still_an_enum(void **state)
{
	(void)state;
	assert_kind("LOST_ENUM", "enum", 4);
	assert_null(resolved("LOST_ENUM").enumeration);
}

static void a_record_ends_the_search(void **state)
{
	struct abi_type got = resolved("P::e_t[2]");

	(void)state;
	assert_ptr_equal(got.record, &records[0]);
	assert_int_equal(got.element_bytes, 8);
	assert_int_equal(got.count, 2);
}

static void a_typedef_of_an_array_adds_its_dimensions_behind(void **state)
{
	struct abi_type got = resolved("DEEP[5]");
	const uint64_t want[] = { 5, 2, 2, 16 };

	(void)state;
	assert_int_equal(got.dimension_count, 4);
	assert_memory_equal(got.dimension, want, sizeof(want));
	assert_int_equal(got.count, 320);
	assert_int_equal(got.scalar, ABI_U8);
	assert_int_equal(got.element_bytes, 1);
}

static void a_typedef_of_an_array_of_records_is_one(void **state)
{
	(void)state;
	assert_ptr_equal(resolved("POINTS").record, &records[1]);
	assert_int_equal(resolved("POINTS").count, 3);
}

static void an_array_of_function_pointers_has_their_number(void **state)
{
	(void)state;
	assert_kind("FUNCTIONS", "pointer", 8);
	assert_int_equal(resolved("FUNCTIONS").count, 4);
}

static void an_array_of_pointers_to_arrays_is_told_from_a_pointer(void **state)
{
	(void)state;
	assert_kind("int (*)[4][3]", "pointer", 8);
	assert_int_equal(resolved("int (*)[4][3]").count, 3);
	assert_kind("int (*[3])[4]", "pointer", 8);
	assert_int_equal(resolved("int (*[3])[4]").count, 3);
	assert_int_equal(resolved("int (*[3][2])[4]").dimension[0], 3);
	assert_int_equal(resolved("int (*[3][2])[4]").dimension[1], 2);
	assert_kind("void (*[3])(int)", "pointer", 8);
	assert_int_equal(resolved("void (*[3])(int)").count, 3);
	assert_int_equal(refused("int (*[3])[5]"), ERR_NOT_FOUND);
	assert_int_equal(refused("int (*[3)[4]"), ERR_FORMAT);
	assert_int_equal(refused("int (*[3]"), ERR_NOT_FOUND);
	assert_int_equal(refused("int (*[4294967296][4294967296])[4]"), ERR_LIMIT);
}

static void an_array_of_nothing_keeps_the_width_of_its_element(void **state)
{
	(void)state;
	assert_kind("EMPTY", "u32", 4);
	assert_int_equal(resolved("EMPTY").count, 0);
	assert_kind("NvU32[]", "u32", 4);
	assert_true(resolved("NvU32[]").flexible);
}

static void a_scalar_has_count_one(void **state)
{
	(void)state;
	assert_int_equal(resolved("NvU32").count, 1);
	assert_int_equal(resolved("NvU32").dimension_count, 0);
}

static void an_unknown_name_is_not_found(void **state)
{
	(void)state;
	assert_int_equal(refused("NvU128"), ERR_NOT_FOUND);
	assert_int_equal(refused("const NvU128[2]"), ERR_NOT_FOUND);
	assert_int_equal(refused("POIN"), ERR_NOT_FOUND);
	assert_int_equal(refused("POINTE"), ERR_NOT_FOUND);
}

static void rings_of_aliases_are_refused(void **state)
{
	(void)state;
	assert_int_equal(refused("RING_A"), ERR_LIMIT);
}

static void arrays_beyond_64_bits_are_refused(void **state)
{
	(void)state;
	assert_int_equal(refused("NvU32[4294967296][4294967296]"), ERR_LIMIT);
	assert_int_equal(refused("NvU32[9223372036854775807]"), ERR_LIMIT);
}

static void an_alias_that_contradicts_itself_is_refused(void **state)
{
	(void)state;
	assert_int_equal(refused("BAD_ARRAY"), ERR_FORMAT);
	assert_int_equal(refused("BAD_POINT"), ERR_FORMAT);
}

static void a_known_type_is_what_it_was(void **state)
{
	struct abi_known_types known = { .spelling = { NULL } };
	const struct abi_type *first, *again;

	(void)state;
	assert_int_equal(abi_resolve_known(&first, &known, &document, point_fields[0].type, NULL), 0);
	assert_int_equal(first->scalar, ABI_U32);
	assert_int_equal(abi_resolve_known(&again, &known, &document, point_fields[0].type, NULL), 0);
	assert_ptr_equal(first, again);
}

static void a_type_that_cannot_be_resolved_is_never_known(void **state)
{
	static const char type[] = "NOWHERE";
	struct abi_known_types known = { .spelling = { NULL } };
	const struct abi_type *untouched = NULL;

	(void)state;
	for (int i = 0; i < 2; i++) {
		assert_int_equal(abi_resolve_known(&untouched, &known, &document, type, NULL), ERR_NOT_FOUND);
		assert_null(untouched);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_spelling_without_brackets_is_its_base),
		cmocka_unit_test(dimensions_stand_in_c_order),
		cmocka_unit_test(an_empty_dimension_is_flexible),
		cmocka_unit_test(a_zero_dimension_is_not_flexible),
		cmocka_unit_test(a_pointer_to_an_array_keeps_its_brackets),
		cmocka_unit_test(dimensions_behind_a_parameter_list_are_of_the_function_pointer),
		cmocka_unit_test(malformed_spellings_are_refused),
		cmocka_unit_test(the_largest_dimension_fits),
		cmocka_unit_test(integers_have_the_sign_of_the_spelling_and_the_width_of_the_alias),
		cmocka_unit_test(the_three_chars_differ),
		cmocka_unit_test(bool_is_a_kind_of_its_own),
		cmocka_unit_test(whatever_a_proxy_cannot_name_is_bytes),
		cmocka_unit_test(pointers_of_every_shape_are_pointers),
		cmocka_unit_test(an_alias_of_an_alias_is_followed),
		cmocka_unit_test(qualifiers_do_not_hide_a_name),
		cmocka_unit_test(an_enum_leads_to_its_enumerators),
		cmocka_unit_test(an_enum_that_the_document_lacks_is_still_an_enum),
		cmocka_unit_test(a_record_ends_the_search),
		cmocka_unit_test(a_typedef_of_an_array_adds_its_dimensions_behind),
		cmocka_unit_test(a_typedef_of_an_array_of_records_is_one),
		cmocka_unit_test(an_array_of_function_pointers_has_their_number),
		cmocka_unit_test(an_array_of_pointers_to_arrays_is_told_from_a_pointer),
		cmocka_unit_test(an_array_of_nothing_keeps_the_width_of_its_element),
		cmocka_unit_test(a_scalar_has_count_one),
		cmocka_unit_test(an_unknown_name_is_not_found),
		cmocka_unit_test(rings_of_aliases_are_refused),
		cmocka_unit_test(arrays_beyond_64_bits_are_refused),
		cmocka_unit_test(an_alias_that_contradicts_itself_is_refused),
		cmocka_unit_test(a_known_type_is_what_it_was),
		cmocka_unit_test(a_type_that_cannot_be_resolved_is_never_known),
	};

	return cmocka_run_group_tests_name("type", tests, NULL, NULL);
}
