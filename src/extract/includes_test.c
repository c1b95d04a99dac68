/* Which files clang reads, and what is said of those that it cannot read. */
#include "extract/fixture_test.h"

static void a_header_that_is_not_there_is_named(void **state)
{
	const struct memory_file files[] = { { "b.h", "" }, { NULL, NULL } };
	struct fixture *fixture = *state;

	assert_int_equal(extract(fixture, files), ERR_NOT_FOUND);
	assert_non_null(strstr(fixture->err.text, "a.h"));
}

static void a_syntax_error_names_its_line(void **state)
{
	const struct memory_file files[] = { { "a.h", "struct s {\n int a b;\n};\n" }, { NULL, NULL } };
	struct fixture *fixture = *state;

	assert_int_equal(extract(fixture, files), ERR_PARSE);
	assert_int_equal(strncmp(fixture->err.text, "a.h:2:7: ", 9), 0);
}

static void a_missing_include_names_its_line(void **state)
{
	const struct memory_file files[] = { { "a.h", "\n#include \"gone.h\"\n" }, { NULL, NULL } };
	struct fixture *fixture = *state;

	assert_int_equal(extract(fixture, files), ERR_PARSE);
	assert_int_equal(strncmp(fixture->err.text, "a.h:2:10: ", 10), 0);
}

static void a_missing_include_that_is_not_reached_is_no_error(void **state)
{
	abi_of(state, "#if 0\n#include \"gone.h\"\n#endif\n");
}

static void an_error_in_an_included_file_names_that_file(void **state)
{
	const struct memory_file files[] = {
		{ "a.h", "#include <b.h>\n" }, { "inc/b.h", "#error this one\n" }, { NULL, NULL },
	};
	struct fixture *fixture = *state;

	assert_int_equal(extract(fixture, files), ERR_PARSE);
	assert_int_equal(strncmp(fixture->err.text, "inc/b.h:1:2: ", 13), 0);
}

static void a_header_of_the_machine_is_refused(void **state)
{
	const struct memory_file files[] = { { "a.h", "#include \"/usr/include/stdlib.h\"\n" },
					     { NULL, NULL } };

	assert_int_equal(extract(*state, files), ERR_PARSE);
}

static void the_machine_is_not_searched(void **state)
{
	const struct memory_file files[] = { { "a.h", "#include <stdlib.h>\n" }, { NULL, NULL } };

	assert_int_equal(extract(*state, files), ERR_PARSE);
}

static void clang_brings_its_own_headers(void **state)
{
	const struct abi *abi =
		abi_of(state,
		       "#include <stdint.h>\n#include <stddef.h>\nstruct s { uint64_t a; size_t b; };\n");

	assert_string_equal(abi_find_alias(abi, "uint64_t")->type, "unsigned long");
	assert_null(abi_find_alias(abi, "uint8_t")); /* nothing uses it */
	assert_null(abi_find_record(abi, "max_align_t"));
}

static void a_declaration_left_open_is_an_error(void **state)
{
	const struct memory_file files[] = { { "a.h", "struct s {\n int a;\n" }, { NULL, NULL } };

	assert_int_equal(extract(*state, files), ERR_PARSE);
}

static void the_includer_comes_before_the_directories(void **state)
{
	const struct memory_file files[] = {
		{ "a.h", "#include \"inc/x.h\"\n" }, { "inc/x.h", "#include \"y.h\"\n#include \"../z.h\"\n" },
		{ "inc/y.h", "struct near { int a; };\n" }, { "y.h", "struct far { int a; };\n" },
		{ "z.h", "#pragma once\nstruct up { int a; };\n" }, { NULL, NULL },
	};
	struct fixture *fixture = *state;

	assert_int_equal(extract(fixture, files), 0);
	assert_non_null(abi_find_record(&fixture->abi, "near"));
	assert_null(abi_find_record(&fixture->abi, "far"));
	assert_string_equal(abi_find_record(&fixture->abi, "up")->source, "z.h:2:8");
}

static void include_next_finds_the_next(void **state)
{
	const struct memory_file files[] = {
		{ "a.h", "#include <x.h>\n" }, { "inc/x.h", "#include_next <x.h>\n" },
		{ "more/x.h", "struct next { int a; };\n" }, { NULL, NULL },
	};
	const struct profile_strings dirs = STRINGS("inc", "more");
	struct fixture *fixture = *state;

	fixture->unit.include = dirs;
	assert_int_equal(extract(fixture, files), 0);
	assert_string_equal(abi_find_record(&fixture->abi, "next")->source, "more/x.h:1:8");
}

static void a_directory_may_be_that_of_one_target(void **state)
{
	const struct memory_file files[] = {
		{ "a.h", "#include <asm/regs.h>\n" }, { "arm/asm/regs.h", "struct regs { int a[2]; };\n" },
		{ "x86/asm/regs.h", "struct regs { int a; };\n" }, { NULL, NULL },
	};
	const struct profile_strings dirs = STRINGS("arm", "x86");
	static const char *const targets[] = { "aarch64-linux-gnu", "x86_64-linux-gnu" };
	struct fixture *fixture = *state;

	fixture->unit.include = dirs;
	fixture->unit.include_target = targets;
	assert_int_equal(extract_for(fixture, files, "x86_64-linux-gnu"), 0);
	assert_int_equal(abi_find_record(&fixture->abi, "regs")->size_bytes, 4);
	assert_int_equal(extract_for(fixture, files, "aarch64-linux-gnu"), 0);
	assert_int_equal(abi_find_record(&fixture->abi, "regs")->size_bytes, 8);
}

static void prologue_and_defines_come_first(void **state)
{
	const struct profile_strings prologue = STRINGS("typedef unsigned int __u32;", "#include <p.h>");
	const struct profile_strings define = STRINGS("WIDE", "COUNT=3");
	const struct memory_file files[] = {
		{ "a.h", "#ifdef WIDE\nstruct s { __u32 a[COUNT]; from_p b; };\n#endif\n" },
		{ "inc/p.h", "typedef int from_p;\n" }, { NULL, NULL },
	};
	struct fixture *fixture = *state;

	fixture->unit.prologue = prologue;
	fixture->unit.define = define;
	assert_int_equal(extract(fixture, files), 0);
	assert_int_equal(abi_find_record(&fixture->abi, "s")->size_bytes, 16);
}

static void a_read_outside_of_the_roots_is_told(void **state)
{
	const struct memory_file inside[] = { { "a.h", "#include <b.h>\n" },
					      { "inc/b.h", "" },
					      { NULL, NULL } };
	const struct memory_file outside[] = { { "d/b.h", "" },
					       { "x/a.h", "#include \"../d/b.h\"\n" },
					       { NULL, NULL } };
	const struct profile_strings headers = STRINGS("x/a.h");
	struct fixture *fixture = *state;

	assert_int_equal(extract(fixture, inside), 0);
	assert_true(fixture->result.inside_roots);
	fixture->unit.headers = headers;
	assert_int_equal(extract(fixture, outside), 0);
	assert_false(fixture->result.inside_roots);
}

static void has_include_is_answered_from_the_tree(void **state)
{
	const struct memory_file files[] = {
		{ "a.h",
		  "#if __has_include(\"inc/../b.h\") && __has_include( <c.h> ) && __has_include(<stddef.h>)\n#define K_A 1\n#endif\n"
		  "#if __has_include(\"/etc/passwd\") || __has_include(<stdio.h>) || __has_include(\"d.h\")\n#define K_B 1\n#endif\n"
		  "#ifdef __has_include\n#define K_C 1\n#endif\n" },
		{ "b.h", "" },
		{ "inc/c.h", "" },
		{ NULL, NULL },
	};
	struct fixture *fixture = *state;

	assert_int_equal(extract(fixture, files), 0);
	assert_int_equal(fixture->abi.constant_count, 2);
	assert_non_null(abi_find_constant(&fixture->abi, "K_A"));
	assert_non_null(abi_find_constant(&fixture->abi, "K_C"));
}

static void clang_s_own_headers_may_include_the_tree_s(void **state)
{
	const struct memory_file files[] = {
		{ "a.h", "#include <stdatomic.h>\n#ifdef IN_TREE\n#define K_A 1\n#endif\n" },
		{ "inc/stdint.h", "#define IN_TREE\n#include_next <stdint.h>\n" },
		{ NULL, NULL },
	};
	struct fixture *fixture = *state;

	assert_int_equal(extract(fixture, files), 0);
	assert_non_null(abi_find_constant(&fixture->abi, "K_A"));
}

static void every_spelling_of_a_path_is_one_file(void **state)
{
	const struct memory_file files[] = {
		{ "a.h",
		  "#include \"b.h\"\n#include \"./b.h\"\n#include \"inc/../b.h\"\n#define NAME <../b.h>\n#include NAME\n" },
		{ "b.h", "#pragma once\nstruct s { int x; };\n" },
		{ NULL, NULL },
	};
	struct fixture *fixture = *state;

	assert_int_equal(extract(fixture, files), 0);
	assert_int_equal(fixture->abi.record_count, 1);
	assert_string_equal(fixture->abi.records[0].source, "b.h:2:8");
}

static void a_file_may_stand_in_the_middle_of_a_record(void **state)
{
	const struct memory_file files[] = {
		{ "a.h", "struct s {\n#include \"fields.inc\"\n}\n#include \"end.inc\"\n" },
		{ "end.inc", "__attribute__((packed));\n" },
		{ "fields.inc", "char c; struct t { int i; } t;\n" },
		{ NULL, NULL },
	};
	struct fixture *fixture = *state;

	assert_int_equal(extract(fixture, files), 0);
	assert_int_equal(abi_find_record(&fixture->abi, "s")->size_bytes, 5);
	assert_string_equal(abi_find_record(&fixture->abi, "t")->source, "fields.inc:1:16");
}

static void a_stand_in_that_is_expected_is_no_warning(void **state)
{
	const struct memory_file files[] = { { "a.h", "#include <other.h>\nstruct s { t x; };\n" },
					     { NULL, NULL } };
	struct profile_stand_in stand_in = { "inc/other.h", "typedef int t;\n", true };
	struct fixture *fixture = *state;

	fixture->unit.stand_ins = &stand_in;
	fixture->unit.stand_in_count = 1;
	assert_int_equal(extract(fixture, files), 0);
	assert_int_equal(fixture->abi.warning_count, 0);
	stand_in.is_expected = false;
	assert_int_equal(extract(fixture, files), 0);
	assert_int_equal(fixture->abi.warning_count, 1);
	assert_string_equal(fixture->abi.warnings[0].place, "inc/other.h");
}

static void a_unit_whose_headers_are_all_absent_is_not_read(void **state)
{
	const struct memory_file files[] = { { "b.h", "struct s { int x; };\n" }, { NULL, NULL } };
	struct fixture *fixture = *state;

	fixture->unit.optional_headers = fixture->unit.headers;
	fixture->unit.headers.count = 0;
	assert_int_equal(extract(fixture, files), 0);
	assert_int_equal(fixture->abi.record_count, 0);
	assert_int_equal(fixture->abi.warning_count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_header_that_is_not_there_is_named),
		TEST(a_syntax_error_names_its_line),
		TEST(a_missing_include_names_its_line),
		TEST(a_missing_include_that_is_not_reached_is_no_error),
		TEST(an_error_in_an_included_file_names_that_file),
		TEST(a_header_of_the_machine_is_refused),
		TEST(the_machine_is_not_searched),
		TEST(clang_brings_its_own_headers),
		TEST(a_declaration_left_open_is_an_error),
		TEST(the_includer_comes_before_the_directories),
		TEST(include_next_finds_the_next),
		TEST(a_directory_may_be_that_of_one_target),
		TEST(prologue_and_defines_come_first),
		TEST(a_read_outside_of_the_roots_is_told),
		TEST(has_include_is_answered_from_the_tree),
		TEST(clang_s_own_headers_may_include_the_tree_s),
		TEST(every_spelling_of_a_path_is_one_file),
		TEST(a_file_may_stand_in_the_middle_of_a_record),
		TEST(a_stand_in_that_is_expected_is_no_warning),
		TEST(a_unit_whose_headers_are_all_absent_is_not_read),
	};

	return cmocka_run_group_tests_name("includes", tests, NULL, NULL);
}
