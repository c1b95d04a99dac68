/* What a proxy reads against what the driver has, field by field. */
#include "verify/fixture_test.h"

static void equal_layouts_meet(void **state)
{
	(void)state;
	RECORD("R", 16, HANDLE("hClient", 0), U32("flags", 4), POINTER("params", 8));
	TYPE("T", 16, P("HClient", "Handle", 0), P("Flags", "uint32", 4), P("Params", "P64", 8));
	compare("R", "T");
	expect_nothing();
	assert_int_equal(found.leaf_count, 3);
}

static void another_size_is_found_alone(void **state)
{
	(void)state;
	RECORD("R", 8, U32("a", 0));
	TYPE("T", 4, P("A", "uint32", 0));
	compare("R", "T");
	assert_string_equal(expect_one(VERIFY_SIZE, "")->message,
			    "R is 8 bytes in the driver, T 4 in the proxy");
}

static void a_narrower_field_is_another_type(void **state)
{
	(void)state;
	RECORD("R", 4, U32("a", 0));
	TYPE("T", 4, P("A", "uint16", 0), P("Pad", "uint16", 2));
	compare("R", "T");
	expect_one(VERIFY_FIELD_TYPE, "a");
}

static void another_sign_is_another_type(void **state)
{
	(void)state;
	RECORD("R", 4, S32("a", 0));
	TYPE("T", 4, P("A", "uint32", 0));
	compare("R", "T");
	expect_one(VERIFY_FIELD_TYPE, "a");
}

static void plain_char_is_an_unsigned_byte(void **state)
{
	(void)state;
	RECORD("R", 4, F("name", "char[4]", 0, 4));
	TYPE("T", 4, P("Name", "uint8[4]", 0));
	compare("R", "T");
	expect_nothing();
}

static void an_enum_is_unsigned(void **state)
{
	static const struct abi_enumerator values[] = { { "E_MINUS", { 1, true } } };
	const struct abi_enum one = {
		.name = "E", .type = "int", .size_bytes = 4, .values = values, .value_count = 1, .source = ""
	};

	(void)state;
	abi_builder_enum(driver, &one);
	RECORD("R", 8, F("a", "E", 0, 4), F("b", "E", 4, 4));
	TYPE("T", 8, P("A", "uint32", 0), P("B", "int32", 4));
	compare("R", "T");
	expect_one(VERIFY_FIELD_TYPE, "b");
}

static void one_dimension_for_two_is_another_length(void **state)
{
	(void)state;
	RECORD("R", 32, F("m", "NvU32[4][2]", 0, 32));
	TYPE("T", 32, P("M", "uint32[8]", 0));
	compare("R", "T");
	expect_one(VERIFY_FIELD_TYPE, "m");
}

static void an_array_of_one_is_no_scalar(void **state)
{
	(void)state;
	RECORD("R", 4, F("a", "NvU32[1]", 0, 4));
	TYPE("T", 4, P("A", "uint32", 0));
	compare("R", "T");
	expect_one(VERIFY_FIELD_TYPE, "a");
}

static void a_typedef_of_an_array_has_its_dimensions(void **state)
{
	(void)state;
	put_alias("Row", "unsigned int[4]", 16);
	RECORD("R", 32, F("m", "Row[2]", 0, 32));
	TYPE("T", 32, P("M", "uint32[2][4]", 0));
	compare("R", "T");
	expect_nothing();
}

static void a_pointer_read_as_a_number_is_found(void **state)
{
	(void)state;
	RECORD("R", 8, POINTER("p", 0));
	TYPE("T", 8, P("P", "uint64", 0));
	compare("R", "T");
	expect_one(VERIFY_FIELD_TYPE, "p");
}

static void a_number_that_has_the_role_of_a_pointer_is_one(void **state)
{
	(void)state;
	RECORD("R", 8, ROLE("address", "NvU64", 0, 8, ABI_ROLE_POINTER));
	TYPE("T", 8, P("Address", "uint64", 0));
	compare("R", "T");
	expect_one(VERIFY_FIELD_TYPE, "address");
}

static void a_number_read_as_a_pointer_is_found(void **state)
{
	(void)state;
	RECORD("R", 8, U64("n", 0));
	TYPE("T", 8, P("N", "P64", 0));
	compare("R", "T");
	expect_one(VERIFY_FIELD_TYPE, "n");
}

static void an_address_of_the_kernel_is_met_by_a_number_and_by_a_pointer(void **state)
{
	(void)state;
	RECORD("R", 16, KERNEL_POINTER("a", "NvP64", 0), KERNEL_POINTER("b", "NvU64", 8));
	TYPE("T", 16, P("A", "uint64", 0), P("B", "P64", 8));
	compare("R", "T");
	assert_int_equal(found.finding_count, 2);
	expect_among(VERIFY_KERNEL_POINTER, "a");
	expect_among(VERIFY_KERNEL_POINTER, "b");
}

static void an_address_of_the_kernel_has_its_width(void **state)
{
	(void)state;
	RECORD("R", 8, KERNEL_POINTER("k", "NvU64", 0));
	TYPE("T", 8, P("K", "uint32", 0), P("Pad0", "uint8[4]", 4));
	compare("R", "T");
	expect_among(VERIFY_FIELD_TYPE, "k");
}

static void a_handle_type_is_met_by_a_handle_only(void **state)
{
	(void)state;
	RECORD("R", 8, HANDLE("a", 0), U32("b", 4));
	TYPE("T", 8, P("A", "uint32", 0), P("B", "Handle", 4));
	compare("R", "T");
	assert_int_equal(found.finding_count, 2);
	expect_among(VERIFY_FIELD_TYPE, "a");
	expect_among(VERIFY_FIELD_TYPE, "b");
}

static void a_handle_by_its_name_alone_stays_a_number(void **state)
{
	(void)state;
	RECORD("R", 12, ROLE("hClient", "NvU32", 0, 4, ABI_ROLE_HANDLE), U32("a", 4), U32("b", 8));
	TYPE("T", 12, P("HClient", "uint32", 0), P("A", "uint32", 4), P("B", "uint32", 8));
	compare("R", "T");
	expect_nothing();
}

static void a_field_at_another_offset_is_named_with_both(void **state)
{
	const struct verify_finding *finding;

	(void)state;
	RECORD("R", 16, U32("a", 0), U64("b", 8));
	TYPE("T", 16, P("B", "uint64", 0), P("Pad", "uint8[8]", 8));
	compare("R", "T");
	finding = expect_among(VERIFY_FIELD_OFFSET, "b");
	assert_int_equal(finding->driver.offset_bytes, 8);
	assert_int_equal(finding->proxy.offset_bytes, 0);
}

static void a_lost_field_is_missing(void **state)
{
	(void)state;
	RECORD("R", 8, U32("a", 0), U32("b", 4));
	TYPE("T", 8, P("A", "uint32", 0));
	compare("R", "T");
	expect_one(VERIFY_FIELD_MISSING, "b");
}

static void padding_over_a_field_is_found(void **state)
{
	(void)state;
	RECORD("R", 8, U32("a", 0), U32("b", 4));
	TYPE("T", 8, P("A", "uint32", 0), P("Pad0", "uint32", 4));
	compare("R", "T");
	expect_one(VERIFY_PADDING_OVERLAP, "b");
}

static void padding_over_what_the_driver_reserves_is_none(void **state)
{
	(void)state;
	RECORD("R", 8, U32("a", 0), U32("reserved0", 4));
	TYPE("T", 8, P("A", "uint32", 0), P("_", "uint32", 4));
	compare("R", "T");
	expect_nothing();
}

static void a_reserved_field_has_to_be_met(void **state)
{
	(void)state;
	RECORD("R", 8, U32("a", 0), U32("reserved0", 4));
	TYPE("T", 8, P("A", "uint32", 0));
	compare("R", "T");
	expect_one(VERIFY_FIELD_MISSING, "reserved0");
}

static void reserved_size_is_no_padding(void **state)
{
	(void)state;
	RECORD("R", 8, U32("a", 0), U32("reservedSize", 4));
	TYPE("T", 8, P("A", "uint32", 0), P("Pad", "uint32", 4));
	compare("R", "T");
	expect_one(VERIFY_PADDING_OVERLAP, "reservedSize");
}

static void padding_of_the_proxy_in_a_hole_is_right(void **state)
{
	(void)state;
	RECORD("R", 16, U32("a", 0), U64("b", 8));
	TYPE("T", 16, P("A", "uint32", 0), P("Pad0", "uint8[4]", 4), P("B", "uint64", 8));
	compare("R", "T");
	expect_nothing();
}

static void a_field_in_a_hole_of_the_driver_is_found(void **state)
{
	(void)state;
	RECORD("R", 16, U32("a", 0), U64("b", 8));
	TYPE("T", 16, P("A", "uint32", 0), P("C", "uint32", 4), P("B", "uint64", 8));
	compare("R", "T");
	assert_false(expect_one(VERIFY_FIELD_MISSING, "C")->driver.present);
}

static void fields_that_bear_one_anothers_names_are_found(void **state)
{
	(void)state;
	RECORD("R", 8, U32("width", 0), U32("height", 4));
	TYPE("T", 8, P("Height", "uint32", 0), P("Width", "uint32", 4));
	compare("R", "T");
	assert_int_equal(found.finding_count, 2);
	expect_among(VERIFY_FIELD_OFFSET, "width");
}

static void another_name_is_no_fault(void **state)
{
	(void)state;
	RECORD("R", 8, U32("width", 0), U32("height", 4));
	TYPE("T", 8, P("W", "uint32", 0), P("H", "uint32", 4));
	compare("R", "T");
	expect_nothing();
}

static void an_array_of_records_is_written_out_and_told_once(void **state)
{
	(void)state;
	RECORD("E", 8, U32("a", 0), S32("b", 4));
	RECORD("R", 32, F("e", "E[2][2]", 0, 32));
	TYPE("PE", 8, P("A", "uint32", 0), P("B", "uint32", 4));
	TYPE("T", 32, P("E", "PE[2][2]", 0));
	compare("R", "T");
	assert_string_equal(expect_one(VERIFY_FIELD_TYPE, "e[0][0].b")->message,
			    "R.e[0][0].b is NvS32 in the driver, uint32 in the proxy: another sign (and in 3 more elements)");
}

static void an_array_of_records_that_is_longer_in_the_proxy_is_found(void **state)
{
	(void)state;
	RECORD("E", 4, U32("a", 0));
	RECORD("R", 16, F("e", "E[3]", 0, 12));
	TYPE("PE", 4, P("A", "uint32", 0));
	TYPE("T", 16, P("E", "PE[4]", 0));
	compare("R", "T");
	expect_one(VERIFY_FIELD_MISSING, "E[3].A");
}

static void an_array_of_one_record_is_no_record(void **state)
{
	(void)state;
	RECORD("E", 4, U32("a", 0));
	RECORD("R", 4, F("e", "E", 0, 4));
	TYPE("PE", 4, P("A", "uint32", 0));
	TYPE("T", 4, P("E", "PE[1]", 0));
	compare("R", "T");
	expect_one(VERIFY_FIELD_TYPE, "e.a");
}

static void four_records_are_not_two_times_two(void **state)
{
	(void)state;
	RECORD("E", 4, U32("a", 0));
	RECORD("R", 16, F("e", "E[4]", 0, 16));
	TYPE("PE", 4, P("A", "uint32", 0));
	TYPE("T", 16, P("E", "PE[2][2]", 0));
	compare("R", "T");
	expect_one(VERIFY_FIELD_TYPE, "e[0].a");
}

static void an_array_of_array_typedefs_meets_an_array_of_records(void **state)
{
	(void)state;
	RECORD("UUID", 16, F("uuid", "NvU8[16]", 0, 16));
	RECORD("R", 32, F("u", "UUID[2]", 0, 32));
	put_type_of((struct table_type){ .name = "NvUUID", .size_bytes = 16, .alias = "uint8[16]" });
	TYPE("T", 32, P("U", "NvUUID[2]", 0));
	compare("R", "T");
	expect_nothing();
}

static void bytes_meet_a_union_without_pointers(void **state)
{
	(void)state;
	UNION("U", 16, F("raw", "NvU8[16]", 0, 16), U64("n", 0));
	RECORD("R", 24, U32("kind", 0), F("u", "U", 8, 16));
	TYPE("T", 24, P("Kind", "uint32", 0), P("Pad", "uint32", 4), P("Data", "uint8[16]", 8));
	compare("R", "T");
	expect_nothing();
}

static void bytes_over_a_union_with_a_pointer_are_unseen(void **state)
{
	(void)state;
	UNION("U", 16, U64("n", 0), POINTER("p", 8));
	RECORD("R", 24, U32("kind", 0), F("u", "U", 8, 16));
	TYPE("T", 24, P("Kind", "uint32", 0), P("Pad", "uint32", 4), P("Data", "uint8[16]", 8));
	compare("R", "T");
	assert_non_null(strstr(expect_unseen(VERIFY_NOT_SIMPLE, "u")->message, "(u.p at 16)"));
}

static void a_pointer_in_a_union_in_a_union_under_bytes_is_seen(void **state)
{
	(void)state;
	UNION("INNER", 8, POINTER("p", 0), U64("n", 0));
	RECORD("BOX", 16, U64("a", 0), F("inner", "INNER", 8, 8));
	UNION("U", 16, F("box", "BOX", 0, 16), U64("n", 0));
	RECORD("R", 16, F("u", "U", 0, 16));
	TYPE("T", 16, P("Data", "uint8[16]", 0));
	compare("R", "T");
	expect_unseen(VERIFY_NOT_SIMPLE, "u");
}

static void what_is_unseen_hides_no_fault(void **state)
{
	(void)state;
	UNION("U", 8, U64("n", 0), POINTER("p", 0));
	RECORD("R", 16, U32("kind", 0), F("u", "U", 8, 8));
	TYPE("T", 16, P("Kind", "int32", 0), P("Pad", "uint32", 4), P("Data", "uint8[8]", 8));
	compare("R", "T");
	expect_one(VERIFY_FIELD_TYPE, "kind");
	assert_int_equal(found.unseen_count, 1);
}

static void bytes_that_end_before_the_union_are_too_few(void **state)
{
	(void)state;
	UNION("U", 16, F("raw", "NvU8[16]", 0, 16), U8("first", 0));
	RECORD("R", 16, F("u", "U", 0, 16));
	TYPE("T", 16, P("Data", "uint8[1]", 0));
	compare("R", "T");
	assert_true(found.finding_count > 0);
}

static void one_member_meets_a_union_that_it_covers(void **state)
{
	(void)state;
	RECORD("A", 16, U64("address", 0), U32("size", 8), U32("kind", 12));
	RECORD("B", 16, HANDLE("h", 0), U32("x", 4), U64("y", 8));
	UNION("U", 16, F("a", "A", 0, 16), F("b", "B", 0, 16));
	RECORD("R", 16, F("u", "U", 0, 16));
	TYPE("T", 16, P("Address", "uint64", 0), P("Size", "uint32", 8), P("Kind", "uint32", 12));
	compare("R", "T");
	expect_nothing();
}

static void a_member_with_a_pointer_has_to_be_met_as_well(void **state)
{
	(void)state;
	UNION("U", 8, U64("cookie", 0), POINTER("p", 0));
	RECORD("R", 8, F("u", "U", 0, 8));
	TYPE("T", 8, P("Cookie", "uint64", 0));
	compare("R", "T");
	expect_one(VERIFY_FIELD_TYPE, "u.p");
}

static void bytes_of_another_member_under_padding_are_found(void **state)
{
	(void)state;
	UNION("U", 16, U64("small", 0), F("large", "NvU32[4]", 0, 16));
	RECORD("R", 16, F("u", "U", 0, 16));
	TYPE("T", 16, P("Small", "uint64", 0), P("Pad", "uint8[8]", 8));
	compare("R", "T");
	expect_one(VERIFY_PADDING_OVERLAP, "u.large");
}

static void a_bit_field_is_met_by_what_covers_it(void **state)
{
	(void)state;
	RECORD("R", 4, BITS("low", "NvU32", 0, 9), BITS("high", "NvU32", 9, 23));
	TYPE("T", 4, P("Bits", "uint32", 0));
	compare("R", "T");
	expect_nothing();
}

static void a_bit_field_that_is_half_covered_is_missing(void **state)
{
	(void)state;
	RECORD("R", 4, BITS("low", "NvU32", 0, 9), BITS("high", "NvU32", 9, 23));
	TYPE("T", 4, P("Bits", "uint16", 0), P("Pad", "uint16", 2));
	compare("R", "T");
	expect_among(VERIFY_FIELD_MISSING, "high");
}

static void a_bool_is_no_type_for_an_ioctl(void **state)
{
	(void)state;
	RECORD("R", 1, U8("flag", 0));
	TYPE("T", 1, P("Flag", "bool", 0));
	compare("R", "T");
	expect_one(VERIFY_FIELD_TYPE, "Flag");
}

static void a_flexible_array_has_no_field_in_a_struct_of_fixed_size(void **state)
{
	(void)state;
	RECORD("R", 4, U32("count", 0), F("e", "NvU32[]", 4, 0));
	TYPE("T", 4, P("Count", "uint32", 0));
	compare("R", "T");
	expect_one(VERIFY_FIELD_MISSING, "e");
}

static void an_array_of_no_elements_asks_for_nothing(void **state)
{
	(void)state;
	RECORD("R", 4, U32("count", 0), F("e", "NvU32[0]", 4, 0));
	TYPE("T", 4, P("Count", "uint32", 0));
	compare("R", "T");
	expect_nothing();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(equal_layouts_meet),
		TEST(another_size_is_found_alone),
		TEST(a_narrower_field_is_another_type),
		TEST(another_sign_is_another_type),
		TEST(plain_char_is_an_unsigned_byte),
		TEST(an_enum_is_unsigned),
		TEST(one_dimension_for_two_is_another_length),
		TEST(an_array_of_one_is_no_scalar),
		TEST(a_typedef_of_an_array_has_its_dimensions),
		TEST(a_pointer_read_as_a_number_is_found),
		TEST(a_number_that_has_the_role_of_a_pointer_is_one),
		TEST(a_number_read_as_a_pointer_is_found),
		TEST(an_address_of_the_kernel_is_met_by_a_number_and_by_a_pointer),
		TEST(an_address_of_the_kernel_has_its_width),
		TEST(a_handle_type_is_met_by_a_handle_only),
		TEST(a_handle_by_its_name_alone_stays_a_number),
		TEST(a_field_at_another_offset_is_named_with_both),
		TEST(a_lost_field_is_missing),
		TEST(padding_over_a_field_is_found),
		TEST(padding_over_what_the_driver_reserves_is_none),
		TEST(a_reserved_field_has_to_be_met),
		TEST(reserved_size_is_no_padding),
		TEST(padding_of_the_proxy_in_a_hole_is_right),
		TEST(a_field_in_a_hole_of_the_driver_is_found),
		TEST(fields_that_bear_one_anothers_names_are_found),
		TEST(another_name_is_no_fault),
		TEST(an_array_of_records_is_written_out_and_told_once),
		TEST(an_array_of_records_that_is_longer_in_the_proxy_is_found),
		TEST(an_array_of_one_record_is_no_record),
		TEST(four_records_are_not_two_times_two),
		TEST(an_array_of_array_typedefs_meets_an_array_of_records),
		TEST(bytes_meet_a_union_without_pointers),
		TEST(bytes_over_a_union_with_a_pointer_are_unseen),
		TEST(a_pointer_in_a_union_in_a_union_under_bytes_is_seen),
		TEST(what_is_unseen_hides_no_fault),
		TEST(bytes_that_end_before_the_union_are_too_few),
		TEST(one_member_meets_a_union_that_it_covers),
		TEST(a_member_with_a_pointer_has_to_be_met_as_well),
		TEST(bytes_of_another_member_under_padding_are_found),
		TEST(a_bit_field_is_met_by_what_covers_it),
		TEST(a_bit_field_that_is_half_covered_is_missing),
		TEST(a_bool_is_no_type_for_an_ioctl),
		TEST(a_flexible_array_has_no_field_in_a_struct_of_fixed_size),
		TEST(an_array_of_no_elements_asks_for_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
