/* Tests that declarations in C have the layouts of a document. */
#include "gen/internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin_test, end_test)

static struct arena arena;
static struct err err;
static struct strbuf out; /* the declarations that the current test wrote */

static int begin_test(void **state)
{
	(void)state;
	err.text[0] = '\0';
	return 0;
}

static int end_test(void **state)
{
	(void)state;
	strbuf_release(&out);
	out = (struct strbuf){ 0 };
	return 0;
}

/* Asserts that the output is @expected, byte for byte. */
static void assert_rendered(const char *expected)
{
	assert_string_equal(strbuf_text(&out), expected);
}

/* Asserts that the output contains @lines. */
static void assert_has(const char *lines)
{
	if (!strstr(strbuf_text(&out), lines))
		fail_msg("no\n%s\nin\n%s", lines, strbuf_text(&out));
}

#define FIELD(n, t, at, bytes) { .name = (n), .type = (t), .offset_bits = (at) * 8, .size_bits = (bytes) * 8 }
#define BITS(n, t, at, width)                                                                                \
	{ .name = (n), .type = (t), .offset_bits = (at), .size_bits = (width), .is_bitfield = true }
#define FIELDS(...)                                                                                          \
	(const struct abi_field[]){ __VA_ARGS__ },                                                           \
		sizeof((const struct abi_field[]){ __VA_ARGS__ }) / sizeof(struct abi_field)

static const struct abi *abi_of(const struct abi_record *records, size_t count)
{
	static const struct abi_alias aliases[] = { { "NvP64", "void *", 8 },
						    { "NvU32", "unsigned int", 4 },
						    { "NvU64", "unsigned long long", 8 },
						    { "NvU8", "unsigned char", 1 } };
	struct abi *abi = arena_alloc(&arena, sizeof(*abi));

	*abi = (struct abi){ .driver = "toy",
			     .version = "1.0",
			     .records = records,
			     .record_count = count,
			     .aliases = aliases,
			     .alias_count = 4 };
	return abi;
}

/* Declares the first of @records. */
static int declared(const struct abi_record *records, size_t count, bool expand)
{
	struct cdecl writer = { .out = &out, .abi = abi_of(records, count), .expand = expand };
	int rc = cdecl_record(&writer, records, &err);

	cdecl_release(&writer);
	arena_release(&arena);
	return rc;
}

static void holes_are_comments(void **state)
{
	const struct abi_record r = { "R",   FIELDS(FIELD("a", "NvU8", 0, 1), FIELD("b", "NvU64[2]", 8, 16)),
				      24,    8,
				      false, "" };

	(void)state;
	assert_int_equal(declared(&r, 1, false), 0);
	assert_rendered("struct R {\n"
			"\tNvU8 a;                                 /*     0     1 */\n"
			"\t/* hole: 7 bytes */\n"
			"\tNvU64 b[2];                             /*     8    16 */\n"
			"}; /* size 24, align 8 */\n\n");
}

static void what_stands_before_its_natural_offset_is_packed(void **state)
{
	const struct abi_record r = { "R",   FIELDS(FIELD("a", "NvU8", 0, 1), FIELD("b", "NvU64", 1, 8)),
				      9,     1,
				      false, "" };

	(void)state;
	assert_int_equal(declared(&r, 1, false), 0);
	assert_has("} __attribute__((packed)); /* size 9, align 1 */\n");
}

static void what_stands_behind_it_is_aligned(void **state)
{
	const struct abi_record r = { "R",   FIELDS(FIELD("a", "NvU8", 0, 1), FIELD("b", "NvU8", 16, 1)),
				      32,    16,
				      false, "" };

	(void)state;
	assert_int_equal(declared(&r, 1, false), 0);
	assert_has("\tNvU8 b __attribute__((aligned(16)));");
	assert_has("}; /* size 32, align 16 */\n");
}

static void a_hole_that_no_alignment_leaves_is_filled(void **state)
{
	const struct abi_record r = { "R",   FIELDS(FIELD("a", "NvU8", 0, 1), FIELD("b", "NvU8", 3, 1)),
				      4,     1,
				      false, "" };

	(void)state;
	assert_int_equal(declared(&r, 1, false), 0);
	assert_has("\tunsigned char hole_at_1[2];");
}

static void bits_that_are_left_out_are_filled(void **state)
{
	const struct abi_record r = { "R",   FIELDS(BITS("a", "NvU32", 0, 3), BITS("b", "NvU32", 5, 2)),
				      4,     4,
				      false, "" };

	(void)state;
	assert_int_equal(declared(&r, 1, false), 0);
	assert_has("\t/* hole: 2 bits */\n\tunsigned char : 2;\n\tNvU32 b : 2; ");
}

static void an_unnamed_record_stands_inside(void **state)
{
	const struct abi_record r[] = {
		{ "R", FIELDS(FIELD("", "R::_t", 0, 8), FIELD("n", "R::n_t[2]", 8, 8)), 16, 8, false, "" },
		{ "R::_t", FIELDS(FIELD("p", "NvP64", 0, 8), FIELD("v", "NvU64", 0, 8)), 8, 8, true, "" },
		{ "R::n_t", FIELDS(FIELD("x", "NvU32", 0, 4)), 4, 4, false, "" },
	};

	(void)state;
	assert_int_equal(declared(r, 3, false), 0);
	assert_has("\tunion {\n"
		   "\t\tNvP64 p;                        /*     0     8 */\n"
		   "\t\tNvU64 v;                        /*     0     8 */\n"
		   "\t};                                      /*     0     8 */\n");
	assert_has("\t\tNvU32 x;                        /*     8     4 */\n"
		   "\t} n[2];                                 /*     8     8 */\n");
}

static void what_it_needs_comes_first_and_once(void **state)
{
	const struct abi_record r[] = {
		{ "R", FIELDS(FIELD("a", "S", 0, 4), FIELD("b", "S", 4, 4), FIELD("c", "NvU32", 8, 4)), 12, 4,
		  false, "" },
		{ "S", FIELDS(FIELD("x", "NvU32", 0, 4)), 4, 4, false, "" },
	};

	(void)state;
	assert_int_equal(declared(r, 2, true), 0);
	assert_ptr_equal(strstr(out.text, "typedef unsigned int NvU32; /* size 4 */\n\nstruct S {\n"),
			 out.text);
	assert_null(strstr(strstr(out.text, "struct S {") + 1, "struct S {"));
	assert_has("\tstruct S a; ");
}

static void a_flexible_array_that_c_refuses_has_no_elements(void **state)
{
	const struct abi_record r = { "R", FIELDS(FIELD("a", "NvU8[]", 0, 0)), 0, 1, false, "" };

	(void)state;
	assert_int_equal(declared(&r, 1, false), 0);
	assert_has("\tNvU8 a[0];");
}

static void what_no_declaration_can_say_is_refused(void **state)
{
	const struct abi_record overlap = {
		"R", FIELDS(FIELD("a", "NvU32", 0, 4), FIELD("b", "NvU32", 2, 4)), 8, 4, false, ""
	};
	const struct abi_record beyond = { "R", FIELDS(FIELD("a", "NvU32", 4, 4)), 4, 4, false, "" };
	const struct abi_record name = { "R", FIELDS(FIELD("a; int b", "NvU32", 0, 4)), 4, 4, false, "" };
	const struct abi_record type = { "R", FIELDS(FIELD("a", "Nv", 0, 4)), 4, 4, false, "" };

	(void)state;
	assert_int_equal(declared(&overlap, 1, false), ERR_LAYOUT);
	assert_int_equal(declared(&beyond, 1, false), ERR_LAYOUT);
	assert_int_equal(declared(&name, 1, false), ERR_FORMAT);
	assert_int_equal(declared(&type, 1, false), ERR_NOT_FOUND);
}

static void a_record_that_contains_itself_without_a_name_is_refused(void **state)
{
	const struct abi_record r[] = {
		{ "R", FIELDS(FIELD("a", "R::a_t", 0, 4)), 4, 4, false, "" },
		{ "R::a_t", FIELDS(FIELD("a", "R::a_t", 0, 4)), 4, 4, false, "" },
	};

	(void)state;
	assert_int_equal(declared(r, 2, false), ERR_LIMIT);
	assert_int_equal(declared(r, 2, true), ERR_LIMIT);
}

static void unnamed_records_that_double_at_every_level_are_refused(void **state)
{
	struct abi_record r[32];
	struct abi_field fields[32][2];

	(void)state;
	for (size_t i = 0; i < 32; i++) {
		const char *type = i < 31 ? arena_printf(&arena, "R::%02zu", i + 1) : "NvU8[0]";

		for (size_t k = 0; k < 2; k++)
			fields[i][k] = (struct abi_field){ .name = k ? "b" : "a", .type = type };
		r[i] = (struct abi_record){
			arena_printf(&arena, i ? "R::%02zu" : "R", i), fields[i], 2, 0, 1, false, ""
		};
	}
	assert_int_equal(declared(r, 32, false), ERR_LIMIT);
}

static void dimensions_inside_a_declarator_are_the_fields(void **state)
{
	static const struct abi_alias aliases[] = { { "cb_t", "int (*[3])(int)", 24 },
						    { "int *(*)[3]", "int *(*)[3]", 8 } };
	const struct abi_record r = {
		"R",   FIELDS(FIELD("a", "int *(*)[3][2]", 0, 16), FIELD("b", "int *(*)[3]", 16, 8)),
		24,    8,
		false, ""
	};
	struct abi abi = *abi_of(&r, 1);
	struct cdecl writer = { .out = &out, .abi = &abi };

	(void)state;
	abi.aliases = aliases;
	abi.alias_count = 2;
	assert_int_equal(cdecl_record(&writer, &r, &err), 0);
	assert_has("\tvoid *a[2];");
	assert_has("\tvoid *b;");
	assert_int_equal(cdecl_alias(&writer, &aliases[0], &err), 0);
	assert_has("typedef void *cb_t[3]; /* size 24 */\n");
	cdecl_release(&writer);
	arena_release(&arena);
}

static void a_definition_names_the_types_of_its_members(void **state)
{
	static const struct abi_record any = { .name = "S" };
	static const struct definition s_v590 = { .name = "S_V590", .record = &any };
	static const struct definition_member members[] = {
		{ .base = "S", .type = { .definition = &s_v590 } },
		{ .base = "NV_MODE", .type = { .words = "NvU32", .remark = "enum NV_MODE" } },
	};
	static const struct definition as = { .members = members, .member_count = 2 };
	const struct abi_record r[] = {
		{ "R", FIELDS(FIELD("s", "S[2]", 0, 8), FIELD("", "R::_t", 8, 4)), 12, 4, false, "" },
		{ "R::_t", FIELDS(FIELD("mode", "NV_MODE", 0, 4)), 4, 4, false, "" },
		{ "S", FIELDS(FIELD("x", "unsigned int", 0, 4)), 4, 4, false, "" },
		{ "T", FIELDS(FIELD("x", "NvU32", 0, 4)), 4, 4, false, "" },
	};
	struct abi abi = *abi_of(r, 4);
	struct cdecl writer = { .out = &out, .abi = &abi, .as = &as };
	static const struct abi_alias aliases[] = { { "NV_MODE", "unsigned int", 4 },
						    { "NvU32", "unsigned int", 4 } };

	(void)state;
	abi.aliases = aliases;
	abi.alias_count = 2;
	assert_int_equal(cdecl_record_as(&writer, &r[0], "R_V590", &err), 0);
	assert_rendered("/* R */\n"
			"struct R_V590 {\n"
			"\tstruct S_V590 s[2];                     /*     0     8 */\n"
			"\tstruct {\n"
			"\t\tNvU32 mode;                     /*     8     4  enum NV_MODE */\n"
			"\t};                                      /*     8     4 */\n"
			"}; /* size 12, align 4 */\n\n");
	assert_int_equal(cdecl_record_as(&writer, &r[3], "T", &err), ERR_NOT_FOUND);
	cdecl_release(&writer);
	arena_release(&arena);
}

static void a_comment_cannot_end_early(void **state)
{
	(void)state;
	cdecl_comment(&out, "a*/ b /* c\n**/");
	assert_rendered("/* a* / b / * c\\x0a** / */");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(holes_are_comments),
		TEST(what_stands_before_its_natural_offset_is_packed),
		TEST(what_stands_behind_it_is_aligned),
		TEST(a_hole_that_no_alignment_leaves_is_filled),
		TEST(bits_that_are_left_out_are_filled),
		TEST(an_unnamed_record_stands_inside),
		TEST(what_it_needs_comes_first_and_once),
		TEST(a_flexible_array_that_c_refuses_has_no_elements),
		TEST(what_no_declaration_can_say_is_refused),
		TEST(a_record_that_contains_itself_without_a_name_is_refused),
		TEST(unnamed_records_that_double_at_every_level_are_refused),
		TEST(dimensions_inside_a_declarator_are_the_fields),
		TEST(a_definition_names_the_types_of_its_members),
		TEST(a_comment_cannot_end_early),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
