#include "abi/abi.h"

#include <stdarg.h>
#include <setjmp.h>
#include <string.h>
#include <cmocka.h>
#include <stdlib.h>

/* One builder and the arena of its document. */
struct site {
	struct arena arena;
	struct abi_builder *builder;
	struct abi abi;
};

static int open_site(void **state)
{
	struct site *site = calloc(1, sizeof(*site));

	site->builder = abi_builder_new(&site->arena);
	*state = site;
	return 0;
}

static int close_site(void **state)
{
	struct site *site = *state;

	abi_builder_free(site->builder);
	arena_release(&site->arena);
	free(site);
	return 0;
}

static const struct abi *sealed(struct site *site)
{
	const struct abi head = {
		.driver = "nvidia", .version = "1.2", .commit = "", .target = "x86_64-linux-gnu"
	};

	abi_builder_seal(&site->abi, site->builder, &head);
	return &site->abi;
}

static void add_record(struct site *site, const char *name, uint64_t size_bytes, const char *source)
{
	const struct abi_record record = {
		.name = name, .size_bytes = size_bytes, .align_bytes = 4, .source = source
	};

	abi_builder_record(site->builder, &record);
}

static void add_alias(struct site *site, const char *name, const char *type, uint64_t size_bytes)
{
	const struct abi_alias alias = { name, type, size_bytes };

	abi_builder_alias(site->builder, &alias);
}

static void add_constant(struct site *site, const char *name, int64_t value)
{
	const struct abi_constant constant = { name, abi_number_signed(value) };

	abi_builder_constant(site->builder, &constant);
}

static void add_ioctl(struct site *site, const char *family, uint64_t number, const char *name)
{
	const struct abi_ioctl ioctl = { .family = family, .number = number, .name = name, .source = "t.c:1" };

	abi_builder_ioctl(site->builder, &ioctl);
}

static void assert_warning(const struct abi *abi, size_t number, const char *place, const char *text)
{
	assert_true(number < abi->warning_count);
	assert_string_equal(abi->warnings[number].place, place);
	assert_string_equal(abi->warnings[number].text, text);
}

static void the_head_is_that_of_the_caller(void **state)
{
	const struct abi *abi = sealed(*state);

	assert_string_equal(abi->driver, "nvidia");
	assert_string_equal(abi->version, "1.2");
	assert_string_equal(abi->target, "x86_64-linux-gnu");
}

static void names_come_out_sorted(void **state)
{
	const struct abi *abi;

	add_record(*state, "b", 4, "a.h:1:1");
	add_record(*state, "A", 4, "a.h:2:1");
	add_record(*state, "a", 4, "a.h:3:1");
	abi = sealed(*state);
	assert_int_equal(abi->record_count, 3);
	assert_string_equal(abi->records[0].name, "A");
	assert_string_equal(abi->records[1].name, "a");
	assert_string_equal(abi->records[2].name, "b");
}

static void the_same_thing_twice_is_one_thing(void **state)
{
	const struct abi *abi;

	for (int i = 0; i < 2; i++) {
		add_record(*state, "R", 4, "a.h:1:1");
		add_alias(*state, "NvU32", "unsigned int", 4);
		add_constant(*state, "C", 7);
		add_ioctl(*state, "control", 1, "I");
	}
	abi = sealed(*state);
	assert_int_equal(abi->record_count + abi->alias_count + abi->constant_count + abi->ioctl_count, 4);
	assert_int_equal(abi->warning_count, 0);
}

static void the_same_record_at_another_place_is_one(void **state)
{
	const struct abi *abi;

	add_record(*state, "R", 4, "a.h:1:1");
	add_record(*state, "R", 4, "b.h:1:1");
	abi = sealed(*state);
	assert_int_equal(abi->record_count, 1);
	assert_string_equal(abi->records[0].source, "a.h:1:1");
	assert_int_equal(abi->warning_count, 0);
}

static void another_record_of_that_name_is_reported_with_both_places(void **state)
{
	const struct abi *abi;

	add_record(*state, "R", 4, "a.h:1:1");
	add_record(*state, "R", 8, "b.h:2:3");
	abi = sealed(*state);
	assert_int_equal(abi->record_count, 1);
	assert_int_equal(abi->records[0].size_bytes, 4);
	assert_int_equal(abi->warning_count, 1);
	assert_warning(abi, 0, "b.h:2:3",
		       "struct R is defined differently at a.h:1:1 (4 bytes, 0 fields) and at "
		       "b.h:2:3 (8 bytes, 0 fields); the first is kept");
}

static void the_same_contradiction_is_reported_once(void **state)
{
	add_record(*state, "R", 4, "a.h:1:1");
	add_record(*state, "R", 8, "b.h:2:3");
	add_record(*state, "R", 8, "b.h:2:3");
	assert_int_equal(sealed(*state)->warning_count, 1);
}

static void another_alias_of_that_name_is_reported(void **state)
{
	add_alias(*state, "T", "unsigned int", 4);
	add_alias(*state, "T", "unsigned long", 8);
	assert_warning(sealed(*state), 0, "",
		       "T stands for \"unsigned int\" (4 bytes) in one translation unit and for "
		       "\"unsigned long\" (8 bytes) in another; the first is kept");
}

static void another_value_of_a_constant_is_reported(void **state)
{
	const struct abi *abi;

	add_constant(*state, "C", 5);
	add_constant(*state, "C", -6);
	abi = sealed(*state);
	assert_int_equal(abi->constants[0].value.magnitude, 5);
	assert_warning(abi, 0, "", "C is 5 in one translation unit and -6 in another; the first is kept");
}

static void enumerators_come_out_sorted(void **state)
{
	const struct abi_enumerator values[] = { { "Z", { 0, false } }, { "A", { 1, false } } };
	const struct abi_enum one = { "E", "unsigned int", 4, values, 2, "a.h:1:1" };
	const struct abi *abi;

	abi_builder_enum(((struct site *)*state)->builder, &one);
	abi = sealed(*state);
	assert_string_equal(abi->enums[0].values[0].name, "A");
	assert_string_equal(abi->enums[0].values[1].name, "Z");
}

static void an_enum_in_another_order_is_the_same(void **state)
{
	const struct abi_enumerator up[] = { { "A", { 1, false } }, { "Z", { 0, false } } };
	const struct abi_enumerator down[] = { { "Z", { 0, false } }, { "A", { 1, false } } };
	const struct abi_enum one = { "E", "unsigned int", 4, up, 2, "a.h:1:1" };
	const struct abi_enum two = { "E", "unsigned int", 4, down, 2, "a.h:1:1" };

	abi_builder_enum(((struct site *)*state)->builder, &one);
	abi_builder_enum(((struct site *)*state)->builder, &two);
	assert_int_equal(sealed(*state)->warning_count, 0);
}

static void an_enum_with_another_value_is_reported(void **state)
{
	const struct abi_enumerator first[] = { { "A", { 1, false } } };
	const struct abi_enumerator second[] = { { "A", { 2, false } } };
	const struct abi_enum one = { "E", "unsigned int", 4, first, 1, "a.h:1:1" };
	const struct abi_enum two = { "E", "unsigned int", 4, second, 1, "b.h:2:2" };

	abi_builder_enum(((struct site *)*state)->builder, &one);
	abi_builder_enum(((struct site *)*state)->builder, &two);
	assert_warning(sealed(*state), 0, "b.h:2:2",
		       "enum E is defined differently at a.h:1:1 (4 bytes, 1 values) and at b.h:2:2 (4 bytes, 1 values); "
		       "the first is kept");
}

static void ioctls_come_out_by_family_number_and_name(void **state)
{
	static const char *const want[] = { "alloc 9 Z", "control 2 B", "control 2 C", "control 10 A" };
	const struct abi *abi;

	add_ioctl(*state, "control", 10, "A");
	add_ioctl(*state, "control", 2, "C");
	add_ioctl(*state, "alloc", 9, "Z");
	add_ioctl(*state, "control", 2, "B");
	abi = sealed(*state);
	for (size_t i = 0; i < 4; i++)
		assert_string_equal(want[i], arena_printf(&((struct site *)*state)->arena, "%s %d %s",
							  abi->ioctls[i].family, (int)abi->ioctls[i].number,
							  abi->ioctls[i].name));
}

static void one_name_in_two_families_is_two_ioctls(void **state)
{
	add_ioctl(*state, "alloc", 1, "A");
	add_ioctl(*state, "control", 1, "A");
	assert_int_equal(sealed(*state)->ioctl_count, 2);
}

static void another_ioctl_of_that_name_is_reported_with_both_numbers(void **state)
{
	const struct abi *abi;

	add_ioctl(*state, "control", 1, "A");
	add_ioctl(*state, "control", 2, "A");
	abi = sealed(*state);
	assert_int_equal(abi->ioctl_count, 1);
	assert_warning(abi, 0, "t.c:1",
		       "control ioctl A is stated differently at t.c:1 (number 0x1, parameters none) and "
		       "at t.c:1 (number 0x2, parameters none); the first is kept");
}

static void flags_come_out_sorted_and_once(void **state)
{
	static const char *const flags[] = { "b", "a", "b" };
	const struct abi_ioctl ioctl = {
		.family = "f", .name = "n", .flags = flags, .flag_count = 3, .source = ""
	};
	const struct abi *abi;

	abi_builder_ioctl(((struct site *)*state)->builder, &ioctl);
	abi = sealed(*state);
	assert_int_equal(abi->ioctls[0].flag_count, 2);
	assert_string_equal(abi->ioctls[0].flags[0], "a");
	assert_string_equal(abi->ioctls[0].flags[1], "b");
}

static void warnings_come_out_by_line_as_a_number(void **state)
{
	static const char *const places[] = { "b.h", "a.h:10:2", "a.h:9:30", "a.h:10:1", "", "a.h", "a.h:9" };
	static const char *const want[] = { "", "a.h", "a.h:9", "a.h:9:30", "a.h:10:1", "a.h:10:2", "b.h" };
	const struct abi *abi;

	for (size_t i = 0; i < 7; i++)
		abi_builder_warning(((struct site *)*state)->builder, places[i], "text");
	abi = sealed(*state);
	for (size_t i = 0; i < 7; i++)
		assert_string_equal(abi->warnings[i].place, want[i]);
}

static void equal_warnings_are_one(void **state)
{
	abi_builder_warning(((struct site *)*state)->builder, "a.h:1", "b");
	abi_builder_warning(((struct site *)*state)->builder, "a.h:1", "a");
	abi_builder_warning(((struct site *)*state)->builder, "a.h:1", "b");
	assert_int_equal(sealed(*state)->warning_count, 2);
	assert_string_equal(((struct site *)*state)->abi.warnings[0].text, "a");
}

static void a_name_is_told_to_be_of_another_kind(void **state)
{
	const struct site *site = *state;

	add_record(*state, "record", 8, "a.h:1:1");
	add_alias(*state, "alias", "int", 4);
	add_alias(*state, "one", "one", 4);
	abi_builder_enum(site->builder,
			 &(struct abi_enum){
				 .name = "one", .type = "int", .size_bytes = 4, .source = "a.h:2:1" });
	assert_false(abi_builder_has_other(site->builder, ABI_RECORD, "record"));
	assert_true(abi_builder_has_other(site->builder, ABI_ENUM, "record"));
	assert_true(abi_builder_has_other(site->builder, ABI_ALIAS, "record"));
	assert_true(abi_builder_has_other(site->builder, ABI_RECORD, "alias"));
	assert_true(abi_builder_has_other(site->builder, ABI_ENUM, "alias"));
	assert_false(abi_builder_has_other(site->builder, ABI_ALIAS, "alias"));
	assert_true(abi_builder_has_other(site->builder, ABI_RECORD, "one"));
	assert_false(abi_builder_has_other(site->builder, ABI_ENUM, "one"));
	assert_true(abi_builder_has_other(site->builder, ABI_ALIAS, "one"));
	assert_false(abi_builder_has_other(site->builder, ABI_ALIAS, "none"));
	sealed(*state);
}

static void a_builder_knows_what_it_has(void **state)
{
	struct site *site = *state;

	add_record(site, "R", 4, "a.h:1:1");
	add_alias(site, "T", "int", 4);
	assert_true(abi_builder_has_record(site->builder, "R"));
	assert_false(abi_builder_has_record(site->builder, "T"));
	assert_true(abi_builder_has_alias(site->builder, "T"));
	assert_false(abi_builder_has_alias(site->builder, "R"));
}

static void a_sealed_builder_is_empty(void **state)
{
	struct site *site = *state;

	add_record(site, "R", 4, "a.h:1:1");
	assert_int_equal(sealed(site)->record_count, 1);
	assert_false(abi_builder_has_record(site->builder, "R"));
	assert_int_equal(sealed(site)->record_count, 0);
}

static void freeing_nothing_is_allowed(void **state)
{
	(void)state;
	abi_builder_free(NULL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_site, close_site)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_head_is_that_of_the_caller),
		TEST(names_come_out_sorted),
		TEST(the_same_thing_twice_is_one_thing),
		TEST(the_same_record_at_another_place_is_one),
		TEST(another_record_of_that_name_is_reported_with_both_places),
		TEST(the_same_contradiction_is_reported_once),
		TEST(another_alias_of_that_name_is_reported),
		TEST(another_value_of_a_constant_is_reported),
		TEST(enumerators_come_out_sorted),
		TEST(an_enum_in_another_order_is_the_same),
		TEST(an_enum_with_another_value_is_reported),
		TEST(ioctls_come_out_by_family_number_and_name),
		TEST(one_name_in_two_families_is_two_ioctls),
		TEST(another_ioctl_of_that_name_is_reported_with_both_numbers),
		TEST(flags_come_out_sorted_and_once),
		TEST(warnings_come_out_by_line_as_a_number),
		TEST(equal_warnings_are_one),
		TEST(a_name_is_told_to_be_of_another_kind),
		TEST(a_builder_knows_what_it_has),
		TEST(a_sealed_builder_is_empty),
		TEST(freeing_nothing_is_allowed),
	};

	return cmocka_run_group_tests_name("builder", tests, NULL, NULL);
}
