/* How Rust and Python declare a record. */
#include "gen/internal.h"

#include "gen/fixture_test.h"

static const struct plan *plan;

/* The plan for @name, with those of all that it uses. */
static void planned(enum gen_language language, const char *name)
{
	seal(language);
	plan = declared(0, name)->plan;
	assert_non_null(plan);
}

static void assert_item(size_t i, enum plan_kind kind, const char *name, uint64_t offset_bytes,
			uint64_t size_bytes)
{
	assert_true(i < plan->count);
	assert_int_equal(plan->items[i].kind, kind);
	assert_string_equal(plan->items[i].name, name);
	assert_int_equal(plan->items[i].offset_bytes, offset_bytes);
	assert_int_equal(plan->items[i].size_bytes, size_bytes);
}

static void all_padding_is_a_field_in_rust(void **state)
{
	(void)state;
	RECORD(0, "T", 24, 8, F("a", "NvU8", 0, 1), F("b", "NvU64", 8, 8), F("c", "NvU16", 16, 2));
	planned(GEN_RUST, "T");
	assert_int_equal(plan->count, 5);
	assert_item(1, PLAN_PADDING, "pad_0", 1, 7);
	assert_item(4, PLAN_PADDING, "pad_1", 18, 6);
	assert_int_equal(plan->effective_bytes, 8);
}

static void python_leaves_its_own_padding(void **state)
{
	(void)state;
	RECORD(0, "T", 24, 8, F("a", "NvU8", 0, 1), F("b", "NvU64", 8, 8), F("c", "NvU16", 16, 2));
	planned(GEN_PYTHON, "T");
	assert_int_equal(plan->count, 3);
}

static void a_field_further_on_has_padding_before_it(void **state)
{
	(void)state;
	RECORD(0, "T", 8, 4, F("a", "NvU32", 0, 4), F("b", "NvU8", 6, 1));
	planned(GEN_PYTHON, "T");
	assert_item(1, PLAN_PADDING, "pad_0", 4, 2);
	assert_int_equal(plan->count, 3);
}

static void what_is_packed_is_packed(void **state)
{
	(void)state;
	RECORD(0, "T", 9, 1, F("a", "NvU8", 0, 1), F("b", "NvU64", 1, 8));
	planned(GEN_RUST, "T");
	assert_int_equal(plan->pack_bytes, 1);
	assert_item(1, PLAN_FIELD, "b", 1, 8);
}

static void packed_to_four_is_that(void **state)
{
	(void)state;
	RECORD(0, "T", 12, 4, F("a", "NvU32", 0, 4), F("b", "NvU64", 4, 8));
	planned(GEN_RUST, "T");
	assert_int_equal(plan->pack_bytes, 4);
	assert_item(1, PLAN_FIELD, "b", 4, 8);
}

static void packed_and_aligned_is_bytes_in_rust(void **state)
{
	(void)state;
	RECORD(0, "T", 12, 4, F("a", "NvU8", 0, 1), F("b", "NvU64", 1, 8));
	planned(GEN_RUST, "T");
	assert_int_equal(plan->pack_bytes, 0);
	assert_int_equal(plan->align_bytes, 4);
	assert_item(1, PLAN_BYTES, "b", 1, 8);
}

static void packed_and_aligned_is_packed_in_python(void **state)
{
	(void)state;
	RECORD(0, "T", 12, 4, F("a", "NvU8", 0, 1), F("b", "NvU64", 1, 8));
	planned(GEN_PYTHON, "T");
	assert_int_equal(plan->pack_bytes, 1);
	assert_item(1, PLAN_FIELD, "b", 1, 8);
	assert_item(2, PLAN_PADDING, "pad_0", 9, 3);
}

static void rust_packs_no_record_that_is_aligned(void **state)
{
	(void)state;
	RECORD(0, "In", 16, 16, F("a", "NvU32", 0, 4));
	RECORD(0, "T", 17, 1, F("a", "NvU8", 0, 1), F("inner", "In", 1, 16));
	planned(GEN_RUST, "T");
	assert_int_equal(plan->pack_bytes, 1);
	assert_item(1, PLAN_BYTES, "inner", 1, 16);
	assert_false(plan->has_align);
}

static void bit_fields_share_bytes(void **state)
{
	(void)state;
	RECORD(0, "T", 8, 4, BITS("lo", "NvU32", 0, 3), BITS("hi", "NvU32", 5, 12), F("c", "NvU8", 3, 1),
	       BITS("far", "NvU32", 40, 9));
	planned(GEN_RUST, "T");
	assert_item(0, PLAN_BITS, "bits_0", 0, 3);
	assert_int_equal(plan->items[0].member_count, 2);
	assert_item(1, PLAN_FIELD, "c", 3, 1);
	assert_item(2, PLAN_PADDING, "pad_0", 4, 1);
	assert_item(3, PLAN_BITS, "bits_1", 5, 2);
	assert_int_equal(plan->align_bytes, 4);
}

static void a_union_has_its_size(void **state)
{
	(void)state;
	UNION(0, "T", 8, 4, F("a", "NvU32", 0, 4), BITS("b", "NvU32", 0, 9));
	planned(GEN_PYTHON, "T");
	assert_item(0, PLAN_FIELD, "a", 0, 4);
	assert_item(1, PLAN_BITS, "bits_0", 0, 2);
	assert_item(2, PLAN_PADDING, "pad_0", 0, 8);
}

static void what_the_language_lacks_is_bytes(void **state)
{
	(void)state;
	RECORD(0, "T", 32, 16, F("wide", "__int128", 0, 16), F("a", "NvU32", 16, 4));
	planned(GEN_RUST, "T");
	assert_item(0, PLAN_BYTES, "wide", 0, 16);
	assert_int_equal(plan->align_bytes, 16);
}

static void names_are_the_languages_and_each_once(void **state)
{
	(void)state;
	RECORD(0, "T", 24, 4, F("in", "NvU32", 0, 4), F("in_", "NvU32", 4, 4), F("pad_0", "NvU8", 8, 1),
	       F("", "T::_t", 12, 4), F("anon_0", "NvU8", 16, 1));
	RECORD(0, "T::_t", 4, 4, F("x", "NvU32", 0, 4));
	planned(GEN_PYTHON, "T");
	assert_string_equal(plan->items[0].name, "in__");
	assert_string_equal(plan->items[1].name, "in_");
	assert_string_equal(plan->items[3].name, "anon_1");
	assert_true(plan->items[3].is_anonymous);
}

static void a_keyword_is_raw_in_rust(void **state)
{
	(void)state;
	RECORD(0, "T", 8, 4, F("type", "NvU32", 0, 4), F("self", "NvU32", 4, 4));
	planned(GEN_RUST, "T");
	assert_string_equal(plan->items[0].name, "r#type");
	assert_string_equal(plan->items[1].name, "self_");
}

static void fields_that_overlap_are_refused(void **state)
{
	(void)state;
	RECORD(0, "T", 8, 4, F("a", "NvU32", 0, 4), F("b", "NvU32", 2, 4));
	seal(GEN_PYTHON);
	assert_int_equal(declare(0, "T"), ERR_LAYOUT);
}

/* --- functions for bit-fields in Rust ---------------------------------------------- */

static struct strbuf text;

/* What a file in Rust has for the bit-fields of the record T: nothing, or all from "bit_fields!" on. */
static const char *written(void)
{
	struct gen_file file = { .package = "toy", .origin = "toy" };
	const char *found;

	seal(GEN_RUST);
	declared(0, "T");
	file.definitions = definitions_all(&file.definition_count, set);
	strbuf_release(&text);
	text = (struct strbuf){ 0 };
	gen_rust(&text, &file);
	found = strstr(strbuf_text(&text), "\nbit_fields! {");
	assert_true(found || !strstr(strbuf_text(&text), "macro_rules! bit_fields"));
	return found ? found : "";
}

static int end_bits_test(void **state)
{
	strbuf_release(&text);
	text = (struct strbuf){ 0 };
	return end_test(state);
}

static void a_bit_field_is_read_and_set_by_functions(void **state)
{
	(void)state;
	RECORD(0, "T", 8, 4, F("a", "NvU32", 0, 4), BITS("lo", "NvU32", 32, 3), BITS("hi", "int", 35, 5));
	assert_string_equal(written(), "\nbit_fields! { T, {\n"
				       "    lo: NvU32, set_lo, bits_0, 0, 3;\n"
				       "    hi: i32, set_hi, bits_0, 3, 5;\n"
				       "} }\n");
}

static void a_record_without_bit_fields_has_none(void **state)
{
	(void)state;
	RECORD(0, "T", 4, 4, F("a", "NvU32", 0, 4));
	assert_string_equal(written(), "");
}

static void what_has_no_name_has_no_function(void **state)
{
	(void)state;
	RECORD(0, "T", 4, 4, BITS("", "NvU32", 0, 3), BITS("a", "NvU32", 3, 1));
	assert_string_equal(written(), "\nbit_fields! { T, {\n    a: NvU32, set_a, bits_0, 3, 1;\n} }\n");
}

static void what_rust_has_no_integer_for_has_no_function(void **state)
{
	(void)state;
	RECORD(0, "T", 16, 16, BITS("a", "__int128", 0, 100));
	assert_string_equal(written(), "");
}

static void a_width_that_its_type_lacks_has_no_function(void **state)
{
	(void)state;
	RECORD(0, "T", 4, 4, BITS("a", "NvU8", 0, 9), BITS("b", "NvU8", 9, 8));
	assert_string_equal(written(), "\nbit_fields! { T, {\n    b: NvU8, set_b, bits_0, 9, 8;\n} }\n");
}

static void no_two_functions_of_a_record_have_one_name(void **state)
{
	(void)state;
	RECORD(0, "T", 4, 4, BITS("a", "NvU32", 0, 1), BITS("set_a", "NvU32", 1, 1),
	       BITS("a_", "NvU32", 2, 1), BITS("self", "NvU32", 3, 1), BITS("self_", "NvU32", 4, 1));
	assert_string_equal(written(), "\nbit_fields! { T, {\n"
				       "    a: NvU32, set_a__, bits_0, 0, 1;\n"
				       "    set_a: NvU32, set_set_a, bits_0, 1, 1;\n"
				       "    a_: NvU32, set_a_, bits_0, 2, 1;\n"
				       "    self__: NvU32, set_self, bits_0, 3, 1;\n"
				       "    self_: NvU32, set_self_, bits_0, 4, 1;\n"
				       "} }\n");
}

int main(void)
{
#define BITS_TEST(name) cmocka_unit_test_setup_teardown(name, begin_test, end_bits_test)
	const struct CMUnitTest tests[] = {
		TEST(all_padding_is_a_field_in_rust),
		TEST(python_leaves_its_own_padding),
		TEST(a_field_further_on_has_padding_before_it),
		TEST(what_is_packed_is_packed),
		TEST(packed_to_four_is_that),
		TEST(packed_and_aligned_is_bytes_in_rust),
		TEST(packed_and_aligned_is_packed_in_python),
		TEST(rust_packs_no_record_that_is_aligned),
		TEST(bit_fields_share_bytes),
		TEST(a_union_has_its_size),
		TEST(what_the_language_lacks_is_bytes),
		TEST(names_are_the_languages_and_each_once),
		TEST(a_keyword_is_raw_in_rust),
		TEST(fields_that_overlap_are_refused),
		BITS_TEST(a_bit_field_is_read_and_set_by_functions),
		BITS_TEST(a_record_without_bit_fields_has_none),
		BITS_TEST(what_has_no_name_has_no_function),
		BITS_TEST(what_rust_has_no_integer_for_has_no_function),
		BITS_TEST(a_width_that_its_type_lacks_has_no_function),
		BITS_TEST(no_two_functions_of_a_record_have_one_name),
	};

	return cmocka_run_group_tests_name("gen/plan", tests, NULL, NULL);
}
