#include "extract/extract.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

/* A file with the same kinds of declarations as in the test file of gVisor's driver_ast_parser. */
static const char fixture_text[] =
	"typedef int Number;\n"
	"typedef union { int whole; char parts[4]; } Value;\n"
	"typedef struct Device {\n"
	"  int id;\n"
	"  struct { Number x; Number y; } point[4];\n"
	"  Value value;\n"
	"} Device;\n"
	"typedef Device DeviceAgain;\n"
	"struct Unwanted { int a; };\n"
	"#define BASE 0x1469\n"
	"#define CALL(i) i\n"
	"const unsigned int VAR_BASE = BASE;\n"
	"const unsigned int VAR_SUM = (BASE + 7);\n"
	"const unsigned int VAR_CALL = CALL(1);\n"
	"const int VAR_NEGATIVE = -1;\n"
	"const unsigned long long VAR_WIDE = 0xfffffffffffffff0ULL;\n"
	"extern const int VAR_ELSEWHERE;\n";

struct fixture {
	struct arena arena;
	struct err err;
	struct abi abi;
	size_t missing;
	char path[64];
};

static int set_up(void **state)
{
	struct fixture *fixture = xmalloc(sizeof(*fixture));

	*fixture = (struct fixture){ .path = P_tmpdir "/drvabi-test-XXXXXX.cc" };
	*state = fixture;
	close(mkstemps(fixture->path, 3));
	return file_write_atomic(fixture->path, fixture_text, sizeof(fixture_text) - 1, NULL);
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;

	unlink(fixture->path);
	arena_release(&fixture->arena);
	free(fixture);
	return 0;
}

static int run(struct fixture *fixture, const char *wanted_struct, const char *wanted_constant,
	       const char *const *args, size_t count)
{
	struct extract_wanted wanted = {
		.structs = &wanted_struct, .struct_count = wanted_struct ? 1 : 0,
		.constants = &wanted_constant, .constant_count = wanted_constant ? 1 : 0,
	};

	return extract_file(&fixture->abi, &fixture->missing, fixture->path, args, count, &wanted,
			    &fixture->arena, &fixture->err);
}

static const struct abi *abi_of(void **state, const char *wanted_struct, const char *wanted_constant)
{
	struct fixture *fixture = *state;

	assert_int_equal(run(fixture, wanted_struct, wanted_constant, NULL, 0), 0);
	return &fixture->abi;
}

static void only_what_is_wanted_and_what_it_reaches_is_there(void **state)
{
	const struct abi *abi = abi_of(state, "Device", NULL);

	assert_int_equal(abi->record_count, 3);
	assert_non_null(abi_find_record(abi, "Device"));
	assert_non_null(abi_find_record(abi, "Device::point_t"));
	assert_non_null(abi_find_record(abi, "Value"));
	assert_string_equal(abi_find_alias(abi, "Number")->type, "int");
	assert_int_equal(abi->constant_count, 0);
}

static void fields_are_spelled_as_the_tool_does(void **state)
{
	const struct abi_record *device = abi_find_record(abi_of(state, "Device", NULL), "Device");

	assert_string_equal(device->fields[1].type, "Device::point_t[4]");
	assert_string_equal(device->fields[2].type, "Value");
	assert_int_equal(device->size_bytes, 40);
	assert_non_null(strstr(device->source, ".cc:3:16"));
}

static void a_typedef_of_a_typedef_brings_both(void **state)
{
	const struct abi *abi = abi_of(state, "DeviceAgain", NULL);

	assert_non_null(abi_find_record(abi, "Device"));
	assert_string_equal(abi_find_record(abi, "DeviceAgain")->fields[1].type, "Device::point_t[4]");
	assert_null(abi_find_record(abi, "DeviceAgain::point_t"));
}

static void assert_constant(void **state, const char *name, uint64_t value)
{
	const struct abi_constant *constant = abi_find_constant(abi_of(state, NULL, name), name);

	assert_non_null(constant);
	assert_false(constant->value.negative);
	assert_true(constant->value.magnitude == value);
}

static void constants_are_variables(void **state)
{
	assert_constant(state, "VAR_BASE", 0x1469);
	assert_constant(state, "VAR_SUM", 0x1470);
	assert_constant(state, "VAR_CALL", 1);
	assert_constant(state, "VAR_WIDE", 0xfffffffffffffff0);
	assert_constant(state, "VAR_NEGATIVE", 0xffffffff);
}

static void numbers_are_macros_and_enumerators(void **state)
{
	static const char *const names[] = { "BASE", "CALL",   "FOUR",    "MINUS",
					     "TEXT", "BROKEN", "NOWHERE", "LAST" };
	static const char text[] =
		"#define BASE (0x1469U + 1)\n#define CALL(i) i\nenum { FOUR = 4, MINUS = -1 };\n"
		"#define TEXT \"a\"\n#define BROKEN nothing + 1\n#define LAST 0xc0de";
	struct extract_wanted wanted = { .numbers = names, .number_count = sizeof(names) / sizeof(*names) };
	struct fixture *fixture = *state;
	const struct abi *abi = &fixture->abi;

	assert_int_equal(file_write_atomic(fixture->path, text, sizeof(text) - 1, NULL), 0);
	assert_int_equal(extract_file(&fixture->abi, &fixture->missing, fixture->path, NULL, 0, &wanted,
				      &fixture->arena, &fixture->err),
			 0);
	assert_int_equal(abi->constant_count, 4);
	assert_int_equal(abi_find_constant(abi, "BASE")->value.magnitude, 0x146a);
	assert_int_equal(abi_find_constant(abi, "FOUR")->value.magnitude, 4);
	assert_true(abi_find_constant(abi, "MINUS")->value.negative);
	assert_int_equal(abi_find_constant(abi, "LAST")->value.magnitude, 0xc0de);
	assert_int_equal(abi->warning_count, 0);
}

static void asking_for_numbers_hides_no_error(void **state)
{
	static const char *const names[] = { "BASE" };
	struct extract_wanted wanted = { .numbers = names, .number_count = 1 };
	struct fixture *fixture = *state;

	assert_int_equal(file_write_atomic(fixture->path, "#define BASE 1\nint x(", 21, NULL), 0);
	assert_int_equal(extract_file(&fixture->abi, &fixture->missing, fixture->path, NULL, 0, &wanted,
				      &fixture->arena, &fixture->err),
			 ERR_PARSE);
}

static void a_variable_without_a_value_is_a_warning(void **state)
{
	const struct abi *abi = abi_of(state, NULL, "VAR_ELSEWHERE");

	assert_int_equal(abi->constant_count, 0);
	assert_int_equal(abi->warning_count, 1);
}

static void what_is_not_there_is_a_warning(void **state)
{
	const struct abi *abi = abi_of(state, "Nothing", "NOWHERE");

	assert_int_equal(abi->record_count, 0);
	assert_int_equal(abi->warning_count, 2);
	assert_int_equal(((struct fixture *)*state)->missing, 2);
}

static void a_warning_names_what_resembles_the_name(void **state)
{
	const struct abi *abi = abi_of(state, "Devise", NULL);

	assert_int_equal(abi->warning_count, 1);
	assert_string_equal(abi->warnings[0].text, "there is no type Devise; nearest: Device");
}

/* libclang 14 has no cursor kind for extern "C". */
static void a_linkage_specification_hides_nothing(void **state)
{
	static const char text[] =
		"extern \"C\" { extern \"C\" { typedef struct { int a; } Inner; const int VALUE = 3; } }\n"
		"extern \"C\" typedef Inner Device;\n";
	struct fixture *fixture = *state;

	assert_int_equal(file_write_atomic(fixture->path, text, sizeof(text) - 1, NULL), 0);
	assert_non_null(abi_find_record(abi_of(state, "Device", "VALUE"), "Device"));
	assert_int_equal(abi_find_constant(&fixture->abi, "VALUE")->value.magnitude, 3);
	assert_int_equal(fixture->missing, 0);
}

static void an_incomplete_record_is_missing(void **state)
{
	struct fixture *fixture = *state;

	assert_int_equal(file_write_atomic(fixture->path, "struct Device;\n", 15, NULL), 0);
	assert_int_equal(abi_of(state, "Device", NULL)->record_count, 0);
	assert_int_equal(fixture->missing, 1);
	assert_non_null(strstr(fixture->abi.warnings[0].place, ".cc:1:8"));
}

/* The file declares "extern const int VALUE;" before the definition with the value. */
static void a_later_definition_has_the_value(void **state)
{
	static const char text[] = "extern const int VALUE;\nconst int VALUE = 4;\n";
	struct fixture *fixture = *state;

	assert_int_equal(file_write_atomic(fixture->path, text, sizeof(text) - 1, NULL), 0);
	assert_int_equal(abi_find_constant(abi_of(state, NULL, "VALUE"), "VALUE")->value.magnitude, 4);
	assert_int_equal(fixture->abi.warning_count, 0);
}

static void the_arguments_reach_clang(void **state)
{
	static const char *const args[] = { "-x", "c", "--target=aarch64-linux-gnu", "-DBASE_IS_DEFINED" };
	struct fixture *fixture = *state;

	assert_int_equal(run(fixture, "Device", NULL, args, 4), 0);
	assert_int_equal(strncmp(fixture->abi.target, "aarch64", 7), 0);
}

static void an_error_names_its_line(void **state)
{
	static const char *const args[] = { "-include", "no/such/header.h" };
	struct fixture *fixture = *state;

	assert_int_equal(run(fixture, "Device", NULL, args, 2), ERR_PARSE);
	assert_int_equal(file_write_atomic(fixture->path, "\nint x(;\n", 9, NULL), 0);
	assert_int_equal(run(fixture, "Device", NULL, NULL, 0), ERR_PARSE);
	assert_non_null(strstr(fixture->err.text, ".cc:2:"));
}

static void a_file_that_is_not_there_is_named(void **state)
{
	struct fixture *fixture = *state;

	unlink(fixture->path);
	assert_int_equal(run(fixture, "Device", NULL, NULL, 0), ERR_NOT_FOUND);
	assert_non_null(strstr(fixture->err.text, fixture->path));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(only_what_is_wanted_and_what_it_reaches_is_there),
		TEST(fields_are_spelled_as_the_tool_does),
		TEST(a_typedef_of_a_typedef_brings_both),
		TEST(constants_are_variables),
		TEST(numbers_are_macros_and_enumerators),
		TEST(asking_for_numbers_hides_no_error),
		TEST(a_variable_without_a_value_is_a_warning),
		TEST(what_is_not_there_is_a_warning),
		TEST(a_warning_names_what_resembles_the_name),
		TEST(a_linkage_specification_hides_nothing),
		TEST(an_incomplete_record_is_missing),
		TEST(a_later_definition_has_the_value),
		TEST(the_arguments_reach_clang),
		TEST(an_error_names_its_line),
		TEST(a_file_that_is_not_there_is_named),
	};

	return cmocka_run_group_tests_name("extract_file", tests, NULL, NULL);
}
