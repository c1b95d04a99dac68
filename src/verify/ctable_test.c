#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "verify/verify.h"
#include "extract/extract.h"

static const struct profile_role roles[] = {
	{ .role = ABI_ROLE_HANDLE, .type = "NvHandle" },
	{ .role = ABI_ROLE_POINTER, .type = "NvP64" },
	{ .role = ABI_ROLE_HANDLE, .type = "unsigned int", .name = "hClient" },
	{ .role = ABI_ROLE_STATUS, .type = "NvStatus" },
};
static const struct profile_family families[] = { { .name = "control" }, { .name = "uvm" } };
static const struct profile profile = { .name = "demo",
					.roles = roles,
					.role_count = 4,
					.families = families,
					.family_count = 2 };

struct fixture {
	struct arena arena;
	struct err err;
	struct ctable_map map;
	struct table table;
	char path[64];
};

static int set_up(void **state)
{
	struct fixture *fixture = xmalloc(sizeof(*fixture));

	*fixture = (struct fixture){ .path = P_tmpdir "/drvabi-test-XXXXXX.h" };
	*state = fixture;
	close(mkstemps(fixture->path, 2));
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;

	unlink(fixture->path);
	ctable_release(&fixture->map);
	arena_release(&fixture->arena);
	free(fixture);
	return 0;
}

/* Makes a table of @header and @lines, which may be NULL. */
static int build(struct fixture *fixture, const char *header, const char *lines)
{
	struct ctable_head head = { fixture->path, "1.0", &profile };
	struct profile_strings types, numbers;
	struct arena *arena = &fixture->arena;
	struct err *err = &fixture->err;
	struct extract_wanted wanted;
	struct abi abi;
	size_t missing;
	int rc;

	ctable_release(&fixture->map);
	assert_int_equal(file_write_atomic(fixture->path, header, strlen(header), NULL), 0);
	if ((rc = ctable_read(&fixture->map, header, CTABLE_HEADER, "p.h", arena, err)) ||
	    (lines && (rc = ctable_read(&fixture->map, lines, CTABLE_MAP, "map", arena, err))))
		return rc;
	ctable_wanted(&types, &numbers, &fixture->map, arena);
	wanted = (struct extract_wanted){ .structs = types.item, .struct_count = types.count,
					  .numbers = numbers.item, .number_count = numbers.count };
	assert_int_equal(extract_file(&abi, &missing, fixture->path, NULL, 0, &wanted, arena, err), 0);
	return ctable_build(&fixture->table, &fixture->map, &abi, &head, arena, err);
}

/* Lists the fields of "struct a { ... };" as "offset name type, ...". */
static void expect_fields(void **state, const char *declarations, const char *body, const char *expected)
{
	struct fixture *fixture = *state;
	const char *header = arena_printf(&fixture->arena, "%s\nstruct a { %s };\n", declarations, body);
	const struct table_type *type;
	struct strbuf got = { 0 };

	assert_int_equal(build(fixture, header, "control A=1 DRIVER_A a"), 0);
	type = table_find_type(&fixture->table, "a");
	assert_non_null(type);
	for (size_t i = 0; i < type->field_count; i++)
		strbuf_addf(&got, "%s%u %s %s", i ? ", " : "", (unsigned)type->fields[i].offset_bytes,
			    type->fields[i].name, type->fields[i].type);
	assert_string_equal(strbuf_text(&got), expected);
	strbuf_release(&got);
}

static const struct table_type *type_of(void **state, const char *name)
{
	struct fixture *fixture = *state;
	const struct table_type *type = table_find_type(&fixture->table, name);

	assert_non_null(type);
	return type;
}

static void expect_refused(void **state, const char *header, const char *lines, const char *begin)
{
	struct fixture *fixture = *state;

	assert_int_equal(build(fixture, header, lines), ERR_FORMAT);
	assert_int_equal(strncmp(fixture->err.text, begin, strlen(begin)), 0);
}

static void a_field_has_the_spelling_of_the_header(void **state)
{
	expect_fields(state, "typedef unsigned long long NvU64; struct b { char c; };",
		      "unsigned int n; _Bool f; char text[2][8]; NvU64 big; struct b in[2];",
		      "0 n unsigned int, 4 f _Bool, 5 text char[2][8], 24 big NvU64, 32 in b[2]");
	assert_string_equal(type_of(state, "unsigned int")->alias, "uint32");
	assert_string_equal(type_of(state, "_Bool")->alias, "bool");
	assert_string_equal(type_of(state, "char")->alias, "uint8");
	assert_string_equal(type_of(state, "NvU64")->alias, "uint64");
	assert_int_equal(type_of(state, "a")->size_bytes, 40);
}

static void numbers_have_width_and_sign(void **state)
{
	expect_fields(state,
		      "enum e { X }; typedef enum __attribute__((packed)) { Y } small; typedef short s16;",
		      "enum e e; small s; s16 i; signed char c; double d;",
		      "0 e e, 4 s small, 6 i s16, 8 c signed char, 16 d double");
	assert_string_equal(type_of(state, "e")->alias, "uint32");
	assert_string_equal(type_of(state, "small")->alias, "uint8");
	assert_string_equal(type_of(state, "s16")->alias, "int16");
	assert_string_equal(type_of(state, "signed char")->alias, "int8");
	assert_string_equal(type_of(state, "double")->alias, "uint64");
}

static void a_typedef_that_hides_dimensions_is_written_out(void **state)
{
	expect_fields(
		state,
		"typedef unsigned char uuid[16]; typedef struct { int x; } point, line[2]; typedef void *ends[2];",
		"uuid one; uuid many[3]; line way[4]; ends e;",
		"0 one unsigned char[16], 16 many uint8[3][16], 64 way point[4][2], 96 e void *[2]");
}

static void a_typedef_with_the_name_of_a_word_of_tables_is_written_out(void **state)
{
	expect_fields(state, "typedef unsigned long long uint32;", "uint32 n[2];", "0 n uint64[2]");
}

static void pointers_have_the_role_of_one(void **state)
{
	expect_fields(
		state, "typedef unsigned long long NvP64; typedef struct b *link;",
		"void *p; const char *s; void (*call)(int); int (*row)[4]; NvP64 n; link l; void (*calls[2])(int);",
		"0 p void *, 8 s const char *, 16 call void (*)(int), 24 row int (*)[4], 32 n NvP64, 40 l link, 48 calls void (*)(int)[2]");
	assert_int_equal(type_of(state, "int (*)[4]")->role, ABI_ROLE_POINTER);
	assert_int_equal(type_of(state, "void *")->role, ABI_ROLE_POINTER);
	assert_int_equal(type_of(state, "const char *")->role, ABI_ROLE_POINTER);
	assert_int_equal(type_of(state, "void (*)(int)")->role, ABI_ROLE_POINTER);
	assert_int_equal(type_of(state, "NvP64")->role, ABI_ROLE_POINTER);
	assert_int_equal(type_of(state, "link")->role, ABI_ROLE_POINTER);
	assert_string_equal(type_of(state, "link")->alias, "uint64");
}

static void a_type_is_a_handle_by_the_profile_or_by_a_line(void **state)
{
	expect_fields(
		state,
		"typedef unsigned NvHandle; typedef unsigned mine; typedef int NvStatus; /* drvabi: type mine handle */",
		"NvHandle h; mine m; unsigned int hClient; NvStatus s;",
		"0 h NvHandle, 4 m mine, 8 hClient unsigned int, 12 s NvStatus");
	assert_int_equal(type_of(state, "NvHandle")->role, ABI_ROLE_HANDLE);
	assert_int_equal(type_of(state, "mine")->role, ABI_ROLE_HANDLE);
	assert_int_equal(type_of(state, "unsigned int")->role, ABI_ROLE_NONE);
	assert_int_equal(type_of(state, "NvStatus")->role, ABI_ROLE_NONE);
}

static void a_union_stands_as_bytes(void **state)
{
	expect_fields(state, "union u { long l; char c; };",
		      "int n; union u one; union u many[3]; union { short x; int y; };",
		      "0 n int, 8 one uint8[8], 16 many uint8[24], 40 x uint8[4]");
	assert_string_equal(type_of(state, "u")->alias, "uint8[8]");
}

static void what_is_in_an_unnamed_struct_stands_in_what_that_is_in(void **state)
{
	expect_fields(state, "", "int n; struct { short a; struct { short b; }; }; int z;",
		      "0 n int, 4 a short, 6 b short, 8 z int");
}

static void bit_fields_that_touch_are_one_field(void **state)
{
	expect_fields(state, "", "unsigned a : 3, b : 9; unsigned char c;",
		      "0 a uint8[2], 2 c unsigned char");
	expect_fields(state, "", "unsigned a : 16, b : 16; int z;", "0 a uint32, 4 z int");
	expect_fields(state, "", "unsigned a : 4, : 20, b : 4; unsigned : 0; unsigned c : 1;",
		      "0 a uint8[1], 3 b uint8[2]");
}

static void what_has_no_bytes_is_left_out(void **state)
{
	expect_fields(state, "", "int n; int none[0]; int more[];", "0 n int");
}

static void every_form_of_comment_is_read(void **state)
{
	static const char header[] = "/* drvabi: control A DRV_A a x,b */\n"
				     "// drvabi: control B DRV_B -\r\n"
				     "/*\n * drvabi: uvm C=C_NUMBER - -\n */\n"
				     "#define A 1\nenum { B = 2 };\n#define C_NUMBER (1U << 31)\n"
				     "struct a { int n; }; /* drvabi: control A DRV_A2 - b,x */\n";
	const struct table_entry *entry;
	struct fixture *fixture = *state;

	assert_int_equal(build(fixture, header, "# nothing\n\n control\tD=0x4 DRV_D a # all\n"), 0);
	assert_int_equal(fixture->table.node_count, 1);
	assert_string_equal(fixture->table.nodes->version, "1.0");
	assert_int_equal(fixture->table.nodes->entry_count, 4);
	entry = fixture->table.nodes->entries;
	assert_string_equal(entry[0].constant, "A");
	assert_int_equal(entry[0].struct_count, 2);
	assert_string_equal(entry[0].structs[1].driver, "DRV_A2");
	assert_null(entry[0].structs[1].proxy);
	assert_int_equal(entry[0].cap_count, 2);
	assert_string_equal(entry[0].caps[0], "b");
	assert_int_equal(entry[1].number, 2);
	assert_string_equal(entry[2].structs->proxy, "a");
	assert_int_equal(entry[2].number, 4);
	assert_string_equal(entry[3].family, "uvm");
	assert_int_equal(entry[3].number, 0x80000000);
	assert_int_equal(entry[3].struct_count, 0);
}

static void an_entry_has_the_file_and_line_of_its_first_line(void **state)
{
	struct fixture *fixture = *state;
	const struct table_entry *entry;

	assert_int_equal(
		build(fixture,
		      "struct a { int n; };\n/*\n * drvabi: control A=1 DRV_A a\n * drvabi: control A=1 DRV_B a\n */\n",
		      "\ncontrol B=2 DRV_B a"),
		0);
	entry = fixture->table.nodes->entries;
	assert_string_equal(entry[0].file, "p.h");
	assert_int_equal(entry[0].line, 3);
	assert_string_equal(entry[1].file, "map");
	assert_int_equal(entry[1].line, 2);
}

static void a_bad_line_is_named(void **state)
{
	expect_refused(state, "", NULL, "/");
	expect_refused(state, "\n/* drvabi: control A */", NULL, "p.h:2: expected FAMILY CONSTANT");
	expect_refused(state, "", "control A=1 D - c too much", "map:1: expected FAMILY CONSTANT");
	expect_refused(state, "", "\nother A=1 D -",
		       "map:2: unknown family 'other'; the profile demo has control, uvm");
	expect_refused(state, "", "control A=1 D a", "map:1: ");
	expect_refused(state, "", "control A D -", "map:1: ");
	expect_refused(state, "#define A -1\n", "control A D -", "map:1: A is ");
	expect_refused(state, "", "control A=0x100000000 D -", "map:1: '0x100000000' is not a number");
	expect_refused(state, "", "control A=1x D -", "map:1: '1x' is not a number");
	expect_refused(state, "", "control A\"=1 D -", "map:1: 'A\"' is not a valid C identifier");
	expect_refused(state, "", "control A=1 - a", "map:1: a needs a struct of the driver");
	expect_refused(state, "", "control A=1 D - c,,d", "map:1: a capability is empty");
	expect_refused(state, "", "control A=1 D - c,c", "map:1: the capability 'c' appears twice");
	expect_refused(state, "", "type a fd", "map:1: the role of a type is pointer or handle");
	expect_refused(state, "", "type a", "map:1: expected: type NAME");
	expect_refused(state, "", "type a handle\ntype a pointer", "map:2: map:1 has already given the type a a role");
	expect_refused(state, "", "type a handle\ncontrol A=1 D -", "map:1: no struct of the proxy uses the type a");
}

static void lines_that_say_different_things_are_refused(void **state)
{
	expect_refused(state, "", "control A=1 D -\ncontrol A=2 E -", "map:2: A has a different number at map:1");
	expect_refused(state, "", "control A=1 D - c\ncontrol A=1 E -",
		       "map:2: A has different capabilities at map:1");
	expect_refused(state, "", "control A=1 D -\ncontrol A=1 E -\ncontrol A=1 D -",
		       "map:3: map:1 has already given the parameters of A");
	expect_refused(state, "/* drvabi: control A=1 D - */", "control A=1 - -",
		       "map:1: p.h:1 has already given the parameters of A");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_field_has_the_spelling_of_the_header),
		TEST(numbers_have_width_and_sign),
		TEST(a_typedef_that_hides_dimensions_is_written_out),
		TEST(a_typedef_with_the_name_of_a_word_of_tables_is_written_out),
		TEST(pointers_have_the_role_of_one),
		TEST(a_type_is_a_handle_by_the_profile_or_by_a_line),
		TEST(a_union_stands_as_bytes),
		TEST(what_is_in_an_unnamed_struct_stands_in_what_that_is_in),
		TEST(bit_fields_that_touch_are_one_field),
		TEST(what_has_no_bytes_is_left_out),
		TEST(every_form_of_comment_is_read),
		TEST(an_entry_has_the_file_and_line_of_its_first_line),
		TEST(a_bad_line_is_named),
		TEST(lines_that_say_different_things_are_refused),
	};

	return cmocka_run_group_tests_name("ctable", tests, NULL, NULL);
}
