#include "extract/extract.h"

#include "extract/memory_tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

/* What one test extracts, and with what. */
struct fixture {
	struct arena arena;
	struct err err;
	struct extract_result result;
	struct abi abi;
	struct profile_unit unit;
	struct profile profile;
};

#define STRINGS(...) { (const char *const[]){ __VA_ARGS__ }, sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *) }

static const struct profile_constant any_k = { .name = "K_*" };

static int set_up(void **state)
{
	static const char *const header = "a.h", *const dir = "inc";
	const struct profile_unit unit = { .name = "main", .headers = { &header, 1 }, .include = { &dir, 1 } };
	struct fixture *fixture = xmalloc(sizeof(*fixture));

	*fixture = (struct fixture){ .unit = unit, .profile = { .name = "test", .unit_count = 1 } };
	fixture->profile.units = &fixture->unit;
	fixture->profile.constants = &any_k;
	fixture->profile.constant_count = 1;
	*state = fixture;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;

	arena_release(&fixture->arena);
	free(fixture);
	return 0;
}

static int extract_for(struct fixture *fixture, const struct memory_file *files, const char *target)
{
	struct memory_tree tree = memory_tree_of(files);
	struct extract_options options = { .target = target };
	struct abi_builder *builder = abi_builder_new(&fixture->arena);
	const struct abi head = { .driver = fixture->profile.name, .version = tree.tree.version, .commit = tree.tree.commit, .target = target };
	int rc = extract_tree(&fixture->result, builder, &tree.tree, &fixture->profile, &options, &fixture->arena, &fixture->err);

	if (!rc)
		abi_builder_seal(&fixture->abi, builder, &head);
	abi_builder_free(builder);
	return rc;
}

static int extract(struct fixture *fixture, const struct memory_file *files)
{
	return extract_for(fixture, files, "x86_64-linux-gnu");
}

/* A document of one header. */
static const struct abi *abi_of(void **state, const char *text)
{
	const struct memory_file files[] = { { "a.h", text }, { NULL, NULL } };
	struct fixture *fixture = *state;

	assert_int_equal(extract(fixture, files), 0);
	return &fixture->abi;
}

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
	const struct abi *abi = abi_of(state, "typedef struct t { struct { int x; } e[4]; } T; typedef T U;\n");

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
	const struct memory_file files[] = { { "a.h", "#include \"/usr/include/stdlib.h\"\n" }, { NULL, NULL } };

	assert_int_equal(extract(*state, files), ERR_PARSE);
}

static void the_machine_is_not_searched(void **state)
{
	const struct memory_file files[] = { { "a.h", "#include <stdlib.h>\n" }, { NULL, NULL } };

	assert_int_equal(extract(*state, files), ERR_PARSE);
}

static void clang_brings_its_own_headers(void **state)
{
	const struct abi *abi = abi_of(state, "#include <stdint.h>\n#include <stddef.h>\nstruct s { uint64_t a; size_t b; };\n");

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
	const struct memory_file inside[] = { { "a.h", "#include <b.h>\n" }, { "inc/b.h", "" }, { NULL, NULL } };
	const struct memory_file outside[] = { { "d/b.h", "" }, { "x/a.h", "#include \"../d/b.h\"\n" }, { NULL, NULL } };
	const struct profile_strings headers = STRINGS("x/a.h");
	struct fixture *fixture = *state;

	assert_int_equal(extract(fixture, inside), 0);
	assert_true(fixture->result.inside_roots);
	fixture->unit.headers = headers;
	assert_int_equal(extract(fixture, outside), 0);
	assert_false(fixture->result.inside_roots);
}

static void a_plain_constant_counts_only_if_its_file_does(void **state)
{
	const struct memory_file files[] = {
		{ "a.h", "#include <guarded.h>\n#if 0\n#include <unread.h>\n#endif\n#define TWICE_H\n#include <twice.h>\n" },
		{ "inc/guarded.h", "#ifndef G_H\n#define G_H\n#define K_ONE 1\n#define K_TWO 2\n#endif\n" },
		{ "inc/twice.h", "#ifndef TWICE_H\n#define TWICE_H\n#define K_THREE 3\n#define K_FOUR 4\n#endif\n" },
		{ "inc/unread.h", "#define K_FIVE 5\n#define K_SIX 6\n" },
		{ NULL, NULL },
	};
	struct fixture *fixture = *state;

	assert_int_equal(extract(fixture, files), 0);
	assert_int_equal(fixture->abi.constant_count, 2);
	assert_int_equal(abi_find_constant(&fixture->abi, "K_TWO")->value.magnitude, 2);
}

static void an_undefined_constant_is_none(void **state)
{
	const struct abi *abi = abi_of(state, "#define K_A 1\n#define K_B 2\n#undef K_B\n#define K_C 3\n"
					      "#pragma push_macro(\"K_C\")\n#undef K_C\n#define K_C 4\n#pragma pop_macro(\"K_C\")\n");

	assert_null(abi_find_constant(abi, "K_B"));
	assert_int_equal(abi_find_constant(abi, "K_C")->value.magnitude, 3);
}

static void a_constant_that_is_none_is_a_warning(void **state)
{
	const struct abi *abi = abi_of(state, "#define K_A (nowhere + 1)\n#define K_B 7:0\n#define K_C 5\n#define K_D\n");

	assert_int_equal(abi->constant_count, 1);
	assert_int_equal(abi->warning_count, 2);
	assert_string_equal(abi->warnings[0].place, "a.h:1");
	assert_string_equal(abi->warnings[1].place, "a.h:2");
}

/* The constants of a header of which @text is the text: "K_A=1 K_B=2". */
static const char *constants_of(void **state, const char *text)
{
	const struct abi *abi = abi_of(state, text);
	struct fixture *fixture = *state;
	const char *all = "";

	for (size_t i = 0; i < abi->constant_count; i++)
		all = arena_printf(&fixture->arena, "%s%s%s=%s%llu", all, *all ? " " : "", abi->constants[i].name,
				   abi->constants[i].value.negative ? "-" : "", (unsigned long long)abi->constants[i].value.magnitude);
	return all;
}

static void clang_says_which_macros_there_are(void **state)
{
	assert_string_equal(constants_of(state, "#define K_\\\nA 1\n%:define K_B 2\n#def\\\nine K_C 3\n"), "K_A=1 K_B=2 K_C=3");
	assert_string_equal(constants_of(state, "#define K_A 1\r#define K_B 2\r"), "K_A=1 K_B=2");
	assert_string_equal(constants_of(state, "\xef\xbb\xbf#define K_A 1\n"), "K_A=1");
	assert_string_equal(constants_of(state, "#define K_\\u00e9 1\n#define K_\xc3\xa8 2\n"), "K_\xc3\xa8=2 K_\xc3\xa9=1");
	assert_string_equal(constants_of(state, "#if 0\n#define K_A 1\n#endif\n/*\n#define K_B 2\n*/\n"), "");
}

static void what_is_in_force_at_the_end_counts(void **state)
{
	assert_string_equal(constants_of(state, "#define K_A 1\n#undef K_A\n#define K_B 1\n#undef K_B\n#define K_B 2\n"), "K_B=2");
	assert_string_equal(constants_of(state, "#define K_A 1\n#pragma push_macro(\"K_A\")\n#undef K_A\n#define K_A 2\n#pragma pop_macro(\"K_A\")\n"), "K_A=1");
	assert_string_equal(constants_of(state, "#define K_A 1\n#undef K_A\n#define K_A(x) x\n"), "");
	assert_string_equal(constants_of(state, "#define K_A __LINE__\n#define K_B __COUNTER__\n#define K_C 3\n"), "K_C=3");
}

static void one_macro_that_is_no_number_spoils_no_other(void **state)
{
	assert_string_equal(constants_of(state, "#define K_A 1) x (2\n#define K_B sizeof(struct { int a; })\n#define K_C }; int x = {\n#define K_D 4\n"),
			    "K_B=4 K_D=4");
	assert_string_equal(constants_of(state, "#define K_A (1\n#define K_B 1, 2\n#define K_C sizeof(\"abc\")\n#define K_D _Generic(1, int: 5)\n"),
			    "K_C=4 K_D=5");
}

static void has_include_is_answered_from_the_tree(void **state)
{
	const struct memory_file files[] = {
		{ "a.h", "#if __has_include(\"inc/../b.h\") && __has_include( <c.h> ) && __has_include(<stddef.h>)\n#define K_A 1\n#endif\n"
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

static void a_name_that_has_include_gets_from_macros_is_refused(void **state)
{
	const struct memory_file files[] = {
		{ "a.h", "#define NAME \"b.h\"\n#if __has_include(NAME)\n#endif\n" }, { "b.h", "" }, { NULL, NULL },
	};
	struct fixture *fixture = *state;

	assert_int_equal(extract(fixture, files), ERR_PARSE);
	assert_int_equal(strncmp(fixture->err.text, "a.h:2: ", 7), 0);
}

static void a_macro_that_asks_is_refused(void **state)
{
	const struct memory_file files[] = {
		{ "a.h", "int x;\n#define HAS(x) __has_include(x)\n#if HAS(\"b.inc\")\n#endif\n" }, { "b.inc", "" }, { NULL, NULL },
	};
	struct fixture *fixture = *state;

	assert_int_equal(extract(fixture, files), ERR_PARSE);
	assert_int_equal(strncmp(fixture->err.text, "a.h:2: ", 7), 0);
}

static void the_clock_does_not_matter(void **state)
{
	struct fixture *fixture = *state;

	assert_int_equal(extract(fixture, (struct memory_file[]){ { "a.h", "struct s { char a[__TIME__[7]]; };\n" }, { NULL, NULL } }), ERR_PARSE);
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

static void what_pop_macro_brings_back_is_not_guessed(void **state)
{
	static const struct profile_constant rule = { .name = "K_*", .value = "^[0-9]" };
	struct fixture *fixture = *state;
	const struct abi *abi;

	fixture->profile.constants = &rule;
	abi = abi_of(state, "#define K_A 1\n#pragma push_macro(\"K_A\")\n#undef K_A\n#define K_A \"s\"\n#pragma pop_macro(\"K_A\")\n#define K_B 2\n");
	assert_int_equal(abi->constant_count, 1);
	assert_int_equal(abi->warning_count, 1);
}

static void enumerators_are_constants_if_the_profile_says_so(void **state)
{
	static const char *const except[] = { "K_END" };
	static const struct profile_constant rules[] = {
		{ .name = "K_*", .enumeration = "::K_OK_t", .file = "a.h", .except = { except, 1 } },
		{ .name = "K_C", .enumeration = "named" },
		{ .name = "K_*", .enumeration = "typed" },
		{ .name = "K_*", .enumeration = "s::e_t" },
		{ .name = "K_*", .enumeration = "elsewhere", .file = "b.h" },
	};
	struct fixture *fixture = *state;

	fixture->profile.constants = rules;
	fixture->profile.constant_count = sizeof(rules) / sizeof(rules[0]);
	assert_string_equal(constants_of(state,
		"#define CODE(name, value) name = (value),\nenum {\nCODE(K_OK, 0)\nCODE(K_BAD, 0x22)\nCODE(K_END, 3)\nOTHER\n};\n"
		"enum named { K_B = 7, K_C = -8 };\n"
		"typedef enum { K_D = 0xffffffffu } typed;\n"
		"struct s { enum { K_E = 5 } e; };\n"
		"enum elsewhere { K_F };\n"
		"#define K_MACRO 1\n"), "K_BAD=34 K_C=-8 K_D=4294967295 K_E=5 K_OK=0");
	assert_int_equal(fixture->abi.warning_count, 0);
}

/* The same name, twice and differently: as with macros, said. */
static void an_enumerator_and_a_macro_that_differ_are_a_warning(void **state)
{
	static const struct profile_constant rules[] = { { .name = "K_*" }, { .name = "K_*", .enumeration = "*" } };
	struct fixture *fixture = *state;

	fixture->profile.constants = rules;
	fixture->profile.constant_count = 2;
	assert_string_equal(constants_of(state, "enum { K_A = 1, K_B = 2 };\n#define K_A K_A\n"), "K_A=1 K_B=2");
	assert_int_equal(fixture->abi.warning_count, 0);
	assert_string_equal(constants_of(state, "enum { K_A = 1 };\n#define K_A 2\n"), "K_A=1");
	assert_int_equal(fixture->abi.warning_count, 1);
}

/* Asks for names besides those of the fixture's profile, which wants K_*. */
static void want(struct fixture *fixture, const char *glob)
{
	profile_want_constants(&fixture->profile, &(struct profile_strings){ arena_memdup(&fixture->arena, &glob, sizeof(glob)), 1 },
			       &fixture->arena);
}

static void macros_and_enumerators_that_are_asked_for_are_constants(void **state)
{
	want(*state, "F_*");
	assert_string_equal(constants_of(state, "#define K_A 1\n#define F_LOW (-2)\n#define F_SUM (K_A + 8)\n#define G 3\n"
						"enum { F_ONE = 5, G_ONE };\ntypedef struct { enum { F_TWO = 6 } e; } s;\n"),
			    "F_LOW=-2 F_ONE=5 F_SUM=9 F_TWO=6 K_A=1");
}

/* No ioctl may be found by it, or named after it. */
static void what_is_asked_for_besides_is_no_macro_of_the_profile(void **state)
{
	struct fixture *fixture = *state;

	want(fixture, "*");
	assert_string_equal(constants_of(state, "#define K_A 1\n#define F_A 1\n"), "F_A=1 K_A=1");
	assert_int_equal(fixture->result.macros.count, 1);
	assert_string_equal(fixture->result.macros.items[0].name, "K_A");
}

/* What the rules of the profile refuse because of the text is wanted all the same. */
static void what_is_asked_for_is_not_judged_by_the_rules_of_the_profile(void **state)
{
	static const struct profile_constant rule = { .name = "K_*", .value = "^0x" };
	struct fixture *fixture = *state;

	fixture->profile.constants = &rule;
	want(fixture, "K_*");
	assert_string_equal(constants_of(state, "#define K_A 0x1\n#define K_B 2\n"), "K_A=1 K_B=2");
	assert_int_equal(fixture->result.macros.count, 1);
}

static void what_is_asked_for_and_no_integer_is_one_warning(void **state)
{
	struct fixture *fixture = *state;

	want(fixture, "F_*");
	assert_string_equal(constants_of(state, "#define F_BITS 7:0\n#define F_TEXT \"a\"\n#define F_GUARD\n#define F_TYPE struct s\n"
						"#define F_D d\n#define F_OPEN (\n#define F_CALL(x) x\n#define F_ONE 1\n"), "F_ONE=1");
	assert_int_equal(fixture->abi.warning_count, 1);
	assert_string_equal(fixture->abi.warnings[0].text, "No integers, and left out of the constants that were asked for: 5 macros, "
							   "the first ones F_BITS (7:0), F_D (d), F_OPEN (()");
}

static void what_is_an_integer_in_one_unit_is_not_left_out(void **state)
{
	static const char *const headers[] = { "a.h", "b.h" };
	const struct memory_file files[] = { { "a.h", "#define F_A X\n" }, { "b.h", "enum { X = 4 };\n#define F_A X\n" }, { NULL, NULL } };
	const struct profile_unit units[] = { { .name = "a", .headers = { &headers[0], 1 } }, { .name = "b", .headers = { &headers[1], 1 } } };
	struct fixture *fixture = *state;

	fixture->profile.units = units;
	fixture->profile.unit_count = 2;
	want(fixture, "F_*");
	assert_int_equal(extract(fixture, files), 0);
	assert_int_equal(abi_find_constant(&fixture->abi, "F_A")->value.magnitude, 4);
	assert_int_equal(fixture->abi.warning_count, 0);
}

static void every_spelling_of_a_path_is_one_file(void **state)
{
	const struct memory_file files[] = {
		{ "a.h", "#include \"b.h\"\n#include \"./b.h\"\n#include \"inc/../b.h\"\n#define NAME <../b.h>\n#include NAME\n" },
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

/* inner.h declares three things for itself: one is used by a.h, under a typedef. */
static void what_only_the_context_declares_is_recorded_where_it_is_used(void **state)
{
	static const char *const context = "inc/inner.h";
	const struct memory_file files[] = {
		{ "a.h", "#include \"inner.h\"\nstruct s { Used u; };\n" },
		{ "inc/inner.h", "typedef struct used_tag { int a; } Used; struct idle { Used u; }; enum idle_e { IDLE_1 }; typedef int idle_t;\n" },
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

static void a_stand_in_that_is_expected_is_no_warning(void **state)
{
	const struct memory_file files[] = { { "a.h", "#include <other.h>\nstruct s { t x; };\n" }, { NULL, NULL } };
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

static void types_inside_expressions_are_found(void **state)
{
	const struct abi *abi = abi_of(state, "enum { Q = sizeof(enum { LEN = 5 }) };\nstruct s { int a[sizeof(struct t { char c; })]; };\n");

	assert_non_null(abi_find_enum(abi, "::LEN_t"));
	assert_non_null(abi_find_record(abi, "t"));
}

static void what_clang_declares_by_itself_is_no_record(void **state)
{
	const struct abi *abi = abi_of(state, "typedef __builtin_va_list list; struct s { list l; };\n");

	assert_int_equal(abi->record_count, 1);
}

static const char *only_field(const struct abi *abi)
{
	return abi_find_record(abi, "s")->fields[0].name;
}

/* Macros that nothing asks for are not shown to clang; these are asked for. */
static void every_way_to_speak_of_a_macro_counts(void **state)
{
	assert_string_equal(only_field(abi_of(state, "#define FOO bar\nstruct s { int FO\\\nO; };\n")), "bar");
	assert_string_equal(only_field(abi_of(state, "#define F\\\nOO bar\nstruct s { int FOO; };\n")), "bar");
	assert_string_equal(only_field(abi_of(state, "#define FOO bar\n#define CAT(a, b) a##b\nstruct s { int CAT(F, OO); };\n")), "bar");
	assert_string_equal(only_field(abi_of(state, "#define FOO BAR\n#define BAR baz\nstruct s { int FOO; };\n")), "baz");
	assert_string_equal(only_field(abi_of(state, "#define FOO\n#ifdef FOO\nstruct s { int a; };\n#endif\n")), "a");
	assert_string_equal(only_field(abi_of(state, "#define A B\n#define B 1\n#if A\nstruct s { int a; };\n#endif\n")), "a");
	assert_string_equal(only_field(abi_of(state, "#define STDC_OPEN struct s {\n#define STDC_CLOSE };\nSTDC_OPEN int x; STDC_CLOSE\n")), "x");
}

static void a_pattern_that_is_no_expression_is_refused(void **state)
{
	static const struct profile_constant bad = { .name = "K_*", .value = "(" };
	const struct memory_file files[] = { { "a.h", "" }, { NULL, NULL } };
	struct fixture *fixture = *state;

	fixture->profile.constants = &bad;
	assert_int_equal(extract(fixture, files), ERR_FORMAT);
}

static void a_record_of_records_without_end_is_refused(void **state)
{
	struct fixture *fixture = *state;
	struct strbuf text = { 0 };
	int i;

	strbuf_adds(&text, "struct s0 {};\n");
	for (i = 1; i < 60; i++)
		strbuf_addf(&text, "struct s%d { struct s%d a, b; };\n", i, i - 1);
	assert_int_equal(extract(fixture, (struct memory_file[]){ { "a.h", text.text }, { NULL, NULL } }), ERR_LIMIT);
	strbuf_release(&text);
}

/* @repeated is the same text @count times, or one with the numbers @count counts through. */
static void assert_too_deep(void **state, const char *head, const char *repeated, int count, const char *tail)
{
	struct fixture *fixture = *state;
	struct strbuf text = { 0 };
	int i;

	strbuf_adds(&text, head);
	for (i = 0; i < count; i++)
		strbuf_addf(&text, repeated, i, i + 1);
	strbuf_adds(&text, tail);
	assert_int_equal(extract(fixture, (struct memory_file[]){ { "a.h", text.text }, { NULL, NULL } }), ERR_LIMIT);
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
	const char *text = "enum { A, B }; struct s { enum { C } e; struct { int x; } u[2][3]; };\n#define K_A 1\n";
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

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_struct_has_its_fields),
		TEST(two_unnamed_members_have_two_names),
		TEST(a_typedef_is_a_copy_with_names_of_its_own),
		TEST(a_role_comes_from_the_profile),
		TEST(the_target_decides),
		TEST(an_unknown_target_is_refused),
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
		TEST(a_plain_constant_counts_only_if_its_file_does),
		TEST(an_undefined_constant_is_none),
		TEST(a_constant_that_is_none_is_a_warning),
		TEST(every_way_to_speak_of_a_macro_counts),
		TEST(clang_says_which_macros_there_are),
		TEST(what_is_in_force_at_the_end_counts),
		TEST(one_macro_that_is_no_number_spoils_no_other),
		TEST(has_include_is_answered_from_the_tree),
		TEST(a_name_that_has_include_gets_from_macros_is_refused),
		TEST(a_macro_that_asks_is_refused),
		TEST(the_clock_does_not_matter),
		TEST(clang_s_own_headers_may_include_the_tree_s),
		TEST(what_pop_macro_brings_back_is_not_guessed),
		TEST(enumerators_are_constants_if_the_profile_says_so),
		TEST(an_enumerator_and_a_macro_that_differ_are_a_warning),
		TEST(macros_and_enumerators_that_are_asked_for_are_constants),
		TEST(what_is_asked_for_besides_is_no_macro_of_the_profile),
		TEST(what_is_asked_for_is_not_judged_by_the_rules_of_the_profile),
		TEST(what_is_asked_for_and_no_integer_is_one_warning),
		TEST(what_is_an_integer_in_one_unit_is_not_left_out),
		TEST(every_spelling_of_a_path_is_one_file),
		TEST(a_file_may_stand_in_the_middle_of_a_record),
		TEST(what_only_the_context_declares_is_recorded_where_it_is_used),
		TEST(a_stand_in_that_is_expected_is_no_warning),
		TEST(a_unit_whose_headers_are_all_absent_is_not_read),
		TEST(types_inside_expressions_are_found),
		TEST(what_clang_declares_by_itself_is_no_record),
		TEST(a_pattern_that_is_no_expression_is_refused),
		TEST(a_record_of_records_without_end_is_refused),
		TEST(types_of_types_without_end_are_refused),
		TEST(a_long_chain_of_typedefs_is_fine),
		TEST(a_long_chain_of_pointers_is_no_deep_one),
		TEST(two_runs_give_the_same),
	};

	return cmocka_run_group_tests_name("extract", tests, NULL, NULL);
}
