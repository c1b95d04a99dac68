/* Functions for bit-fields in Rust. */
#include "gen/rust_bits.h"

#include "gen/fixture_test.h"

static struct strbuf text;

/* What is written for the record T. */
static const char *written(void)
{
	const struct definition *const *all;
	const struct plan *plan = NULL;
	struct plans *plans;
	size_t count;

	seal(GEN_RUST);
	declared(0, "T");
	plans = plans_new(GEN_RUST, &arena);
	all = definitions_all(&count, set);
	assert_int_equal(plan_of(&plan, plans, all[count - 1], &err), 0);
	strbuf_release(&text);
	text = (struct strbuf){ 0 };
	rust_bits_add(&text, all[count - 1], plan, &arena);
	plans_free(plans);
	return strbuf_text(&text);
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
	assert_false(rust_bits_has(got));
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
	RECORD(0, "T", 4, 4, BITS("a", "NvU32", 0, 1), BITS("set_a", "NvU32", 1, 1), BITS("a_", "NvU32", 2, 1), BITS("self", "NvU32", 3, 1),
	       BITS("self_", "NvU32", 4, 1));
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
		BITS_TEST(a_bit_field_is_read_and_set_by_functions),
		BITS_TEST(a_record_without_bit_fields_has_none),
		BITS_TEST(what_has_no_name_has_no_function),
		BITS_TEST(what_rust_has_no_integer_for_has_no_function),
		BITS_TEST(a_width_that_its_type_lacks_has_no_function),
		BITS_TEST(no_two_functions_of_a_record_have_one_name),
	};

	return cmocka_run_group_tests_name("rust_bits", tests, NULL, NULL);
}
