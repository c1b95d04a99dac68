/*
 * Tests of the records, enums and types of a document, of the files that clang reads, and of the errors for
 * files that it cannot read.
 */
#include "extract/fixture_test.h"

static void a_struct_has_its_fields(void **state)
{
	const struct abi *abi = abi_of(state, "struct s { char a; int b; };\n");
	const struct abi_record *s = abi_find_record(abi, "s");

	assert_non_null(s);
	assert_int_equal(s->size_bytes, 8);
	assert_int_equal(s->field_count, 2);
	assert_string_equal(s->fields[1].name, "b");
	assert_int_equal(s->fields[1].offset_bits, 32);
	assert_string_equal(s->source, "a.h:1:8");
}

static void two_unnamed_members_have_two_names(void **state)
{
	const struct abi *abi = abi_of(state, "struct s { struct { int a; }; union { int b; }; };\n");
	const struct abi_record *s = abi_find_record(abi, "s");

	assert_string_equal(s->fields[0].type, "s::_t");
	assert_string_equal(s->fields[1].type, "s::_t2");
	assert_true(abi_find_record(abi, "s::_t2")->is_union);
}

static void a_typedef_is_a_copy_with_names_of_its_own(void **state)
{
	const struct abi *abi =
		abi_of(state, "typedef struct t { struct { int x; } e[4]; } T; typedef T U;\n");

	assert_string_equal(abi_find_record(abi, "t")->fields[0].type, "t::e_t[4]");
	assert_string_equal(abi_find_record(abi, "T")->fields[0].type, "T::e_t[4]");
	assert_string_equal(abi_find_record(abi, "U")->fields[0].type, "T::e_t[4]");
	assert_non_null(abi_find_record(abi, "T::e_t"));
}

static void a_role_comes_from_the_profile(void **state)
{
	static const struct profile_role role = { .role = ABI_ROLE_FD, .name = "*fd" };
	struct fixture *fixture = *state;
	const struct abi *abi;

	fixture->profile.roles = &role;
	fixture->profile.role_count = 1;
	abi = abi_of(state, "struct s { int ctlFd; int other; };\n");
	assert_int_equal(abi_find_record(abi, "s")->fields[0].role, ABI_ROLE_FD);
	assert_int_equal(abi_find_record(abi, "s")->fields[1].role, ABI_ROLE_NONE);
}

static void the_target_decides(void **state)
{
	const struct memory_file files[] = { { "a.h", "#define K_CHAR ((char)0xff)\n" }, { NULL, NULL } };
	struct fixture *fixture = *state;

	assert_int_equal(extract_for(fixture, files, "x86_64-linux-gnu"), 0);
	assert_true(abi_find_constant(&fixture->abi, "K_CHAR")->value.negative);
	assert_int_equal(extract_for(fixture, files, "aarch64-linux-gnu"), 0);
	assert_false(abi_find_constant(&fixture->abi, "K_CHAR")->value.negative);
}

static void an_unknown_target_is_refused(void **state)
{
	const struct memory_file files[] = { { "a.h", "" }, { NULL, NULL } };

	assert_int_equal(extract_for(*state, files, "vax"), ERR_USAGE);
}

/* inner.h declares several types. a.h uses only one of them, by its typedef. */
static void what_only_the_context_declares_is_recorded_where_it_is_used(void **state)
{
	static const char *const context = "inc/inner.h";
	const struct memory_file files[] = {
		{ "a.h", "#include \"inner.h\"\nstruct s { Used u; };\n" },
		{ "inc/inner.h",
		  "typedef struct used_tag { int a; } Used; struct idle { Used u; }; enum idle_e { IDLE_1 }; typedef int idle_t;\n" },
		{ NULL, NULL },
	};
	struct fixture *fixture = *state;
	const struct abi *abi = &fixture->abi;

	fixture->unit.context = (struct profile_strings){ &context, 1 };
	assert_int_equal(extract(fixture, files), 0);
	assert_int_equal(abi->record_count, 3);
	assert_non_null(abi_find_record(abi, "Used"));
	assert_non_null(abi_find_record(abi, "used_tag"));
	assert_int_equal(abi->enum_count, 0);
	assert_null(abi_find_alias(abi, "idle_t"));
	fixture->unit.context.count = 0;
	assert_int_equal(extract(fixture, files), 0);
	assert_non_null(abi_find_record(abi, "idle"));
	assert_non_null(abi_find_enum(abi, "idle_e"));
}

static void types_inside_expressions_are_found(void **state)
{
	const struct abi *abi = abi_of(
		state,
		"enum { Q = sizeof(enum { LEN = 5 }) };\nstruct s { int a[sizeof(struct t { char c; })]; };\n");

	assert_non_null(abi_find_enum(abi, "::LEN_t"));
	assert_non_null(abi_find_record(abi, "t"));
}

static void what_clang_declares_by_itself_is_no_record(void **state)
{
	const struct abi *abi = abi_of(state, "typedef __builtin_va_list list; struct s { list l; };\n");

	assert_int_equal(abi->record_count, 1);
}

static void a_record_of_records_without_end_is_refused(void **state)
{
	struct fixture *fixture = *state;
	struct strbuf text = { 0 };
	int i;

	strbuf_adds(&text, "struct s0 {};\n");
	for (i = 1; i < 60; i++)
		strbuf_addf(&text, "struct s%d { struct s%d a, b; };\n", i, i - 1);
	assert_int_equal(extract(fixture, (struct memory_file[]){ { "a.h", text.text }, { NULL, NULL } }),
			 ERR_LIMIT);
	strbuf_release(&text);
}

/*
 * Checks that a header is nested too deep: @head, @count times @repeated, and @tail. @repeated is a format
 * for the numbers i and i + 1, where i counts from 0.
 */
static void assert_too_deep(void **state, const char *head, const char *repeated, int count, const char *tail)
{
	struct fixture *fixture = *state;
	struct strbuf text = { 0 };
	int i;

	strbuf_adds(&text, head);
	for (i = 0; i < count; i++)
		strbuf_addf(&text, repeated, i, i + 1);
	strbuf_adds(&text, tail);
	assert_int_equal(extract(fixture, (struct memory_file[]){ { "a.h", text.text }, { NULL, NULL } }),
			 ERR_LIMIT);
	assert_int_equal(strncmp(fixture->err.text, "a.h:", 4), 0);
	strbuf_release(&text);
}

static void types_of_types_without_end_are_refused(void **state)
{
	assert_too_deep(state, "typedef int t0;\n", "typedef t%d *t%d;\n", 5000, "");
	assert_too_deep(state, "struct s0 { int x; };\n", "struct s%2$d { struct s%1$d x; };\n", 5000, "");
}

static void a_long_chain_of_typedefs_is_fine(void **state)
{
	struct strbuf text = { 0 };
	int i;

	strbuf_adds(&text, "typedef struct { int x; } t0;\n");
	for (i = 0; i < 500; i++)
		strbuf_addf(&text, "typedef t%d t%d;\n", i, i + 1);
	assert_int_equal(abi_of(state, text.text)->record_count, 501);
	strbuf_release(&text);
}

static void a_long_chain_of_pointers_is_no_deep_one(void **state)
{
	struct strbuf text = { 0 };
	int i;

	for (i = 0; i < 20000; i++)
		strbuf_addf(&text, "struct s%d { struct s%d *next; };\n", i, i + 1);
	assert_int_equal(abi_of(state, text.text)->record_count, 20000);
	strbuf_release(&text);
}

static void two_runs_give_the_same(void **state)
{
	const char *text =
		"enum { A, B }; struct s { enum { C } e; struct { int x; } u[2][3]; };\n#define K_A 1\n";
	const struct abi *first = abi_of(state, text);
	struct abi copy = *first;
	const struct abi *second = abi_of(state, text);
	size_t i;

	assert_int_equal(copy.record_count, second->record_count);
	for (i = 0; i < copy.record_count; i++)
		assert_true(abi_same_record(&copy.records[i], &second->records[i]));
	assert_non_null(abi_find_enum(second, "::A_t"));
	assert_non_null(abi_find_enum(second, "s::e_t"));
}

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
		{ "a.h", "#include <b.h>\n" },
		{ "inc/b.h", "#error this one\n" },
		{ NULL, NULL },
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
	assert_null(abi_find_alias(abi, "uint8_t")); /* a.h does not use it */
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
		{ "a.h", "#include \"inc/x.h\"\n" },
		{ "inc/x.h", "#include \"y.h\"\n#include \"../z.h\"\n" },
		{ "inc/y.h", "struct near { int a; };\n" },
		{ "y.h", "struct far { int a; };\n" },
		{ "z.h", "#pragma once\nstruct up { int a; };\n" },
		{ NULL, NULL },
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
		{ "a.h", "#include <x.h>\n" },
		{ "inc/x.h", "#include_next <x.h>\n" },
		{ "more/x.h", "struct next { int a; };\n" },
		{ NULL, NULL },
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
		{ "a.h", "#include <asm/regs.h>\n" },
		{ "arm/asm/regs.h", "struct regs { int a[2]; };\n" },
		{ "x86/asm/regs.h", "struct regs { int a; };\n" },
		{ NULL, NULL },
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
		{ "inc/p.h", "typedef int from_p;\n" },
		{ NULL, NULL },
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
		TEST(a_struct_has_its_fields),
		TEST(two_unnamed_members_have_two_names),
		TEST(a_typedef_is_a_copy_with_names_of_its_own),
		TEST(a_role_comes_from_the_profile),
		TEST(the_target_decides),
		TEST(an_unknown_target_is_refused),
		TEST(what_only_the_context_declares_is_recorded_where_it_is_used),
		TEST(types_inside_expressions_are_found),
		TEST(what_clang_declares_by_itself_is_no_record),
		TEST(a_record_of_records_without_end_is_refused),
		TEST(types_of_types_without_end_are_refused),
		TEST(a_long_chain_of_typedefs_is_fine),
		TEST(a_long_chain_of_pointers_is_no_deep_one),
		TEST(two_runs_give_the_same),
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

	return cmocka_run_group_tests_name("extract", tests, NULL, NULL);
}
