#include "extract/internal.h"

#include "extract/ioctls_fake.h"

#include <stdlib.h>

#define TYPE "typedef struct\n{\n  NvU32 cmd; // value\n  Handler func;\n} Row;\n"
#define TYPE_OF_THREE "typedef struct row_tag { NvU32 cmd; Handler func; NvBool bSkipVGPU; } Row;\n"
#define TABLE(rows) "static const Row table[] =\n{\n" rows "};\n"

struct scanned {
	struct fake_document document;
	struct deprecated_commands commands;
};

static void scan(struct scanned *scanned, const char *text)
{
	struct table_file file;

	fake_begin(&scanned->document);
	scanned->commands = (struct deprecated_commands){ 0 };
	file = fake_table_file(&scanned->document, text);
	deprecated_scan(&scanned->commands, &file, "table");
}

static void done(struct scanned *scanned)
{
	free(scanned->commands.items);
	fake_end(&scanned->document);
}

static const char *commands(struct scanned *scanned)
{
	const char *text = "";

	for (size_t i = 0; i < scanned->commands.count; i++)
		text = arena_printf(&scanned->document.arena, "%s%s%s", text, i ? " " : "",
				    scanned->commands.items[i].macro);
	return text;
}

static void rows_are_read_up_to_the_last(void **state)
{
	struct scanned scanned;

	(void)state;
	scan(&scanned,
	     TYPE "\n" TABLE(
		     "  { CMD_A,   V2(_CMD_A)  },\n  { CMD_B, convert_b },\n  { 0, NULL }\n") "for (i = 0; table[i].cmd != 0; i++) ;\n");
	fake_warns_nothing(&scanned.document);
	assert_string_equal(commands(&scanned), "CMD_A CMD_B");
	assert_string_equal(scanned.commands.items[0].source, "t.c:9");
	assert_int_equal(scanned.commands.items[0].flag_count, 0);
	done(&scanned);
}

static void an_nvbool_that_is_true_is_a_flag(void **state)
{
	struct scanned scanned;

	(void)state;
	scan(&scanned, TYPE_OF_THREE TABLE("{ A, f, NV_FALSE },\n{ B, f, NV_TRUE },\n{ 0, NULL, NV_FALSE }"));
	fake_warns_nothing(&scanned.document);
	assert_int_equal(scanned.commands.count, 2);
	assert_int_equal(scanned.commands.items[0].flag_count, 0);
	assert_int_equal(scanned.commands.items[1].flag_count, 1);
	assert_string_equal(scanned.commands.items[1].flags[0], "skip-vgpu");
	done(&scanned);
}

static void the_function_names_the_record(void **state)
{
	struct scanned scanned;

	(void)state;
	scan(&scanned, "static int V2(_A)(void *p);\n" TYPE TABLE("{ A, V2(_A) }, { B, g }, { C, gone },\n")
	     "static int V2(_A)\n(\n  void *p\n)\n{\n  CONVERT(A_V2, A_PARAMS, { x });\n}\n"
	     "int gg(void) { B_PARAMS *p; }\nint g(void) { B_PARAMS_V2 *p; /* B_PARAMS */ }\n");
	fake_warns_nothing(&scanned.document);
	assert_int_equal(scanned.commands.count, 3);
	assert_true(deprecated_names(&scanned.commands.items[0], "A_PARAMS"));
	assert_false(deprecated_names(&scanned.commands.items[0], "A_PARAM"));
	assert_false(deprecated_names(&scanned.commands.items[1], "B_PARAMS"));
	assert_true(deprecated_names(&scanned.commands.items[1], "B_PARAMS_V2"));
	assert_false(deprecated_names(&scanned.commands.items[2], "A_PARAMS"));
	done(&scanned);
}

static void conditions_are_seen(void **state)
{
	struct scanned scanned;

	(void)state;
	scan(&scanned,
	     TYPE TABLE("#if 0\n{ A, f },\n#endif\n#ifdef X\n{ B, f },\n#endif\n{ C, f },\n{ 0, NULL }\n"));
	fake_warns_nothing(&scanned.document);
	assert_string_equal(commands(&scanned), "B C");
	assert_true(scanned.commands.items[0].conditional);
	assert_false(scanned.commands.items[1].conditional);
	done(&scanned);
}

static void is_left_out(const char *text, const char *source, const char *words, const char *rest)
{
	struct scanned scanned;

	scan(&scanned, text);
	assert_string_equal(commands(&scanned), rest);
	fake_warns_only(&scanned.document, source, words);
	done(&scanned);
}

static void a_row_of_another_form_is_left_out(void **state)
{
	(void)state;
	is_left_out(TYPE TABLE("{ 0x101, f },\n{ A, f },\n"), "t.c:8",
		    "This row of table is left out: its command is not a single name", "A");
	is_left_out(TYPE TABLE("{ B + 1, f },\n{ A, f },\n"), "t.c:8",
		    "its command is not a single name", "A");
	is_left_out(TYPE TABLE("{ B, &f[0] },\n{ A, f },\n"), "t.c:8",
		    "its function is not a single name", "A");
	is_left_out(TYPE TABLE("{ B },\n{ A, f },\n"), "t.c:8", "fewer values than its type has members",
		    "A");
	is_left_out(TYPE TABLE("{ B, f, NV_TRUE },\n{ A, f },\n"), "t.c:8",
		    "more values than its type has members", "A");
	is_left_out(TYPE_OF_THREE TABLE("{ B, f, 1 },\n{ A, f, NV_TRUE },\n"), "t.c:4",
		    "neither NV_TRUE nor NV_FALSE", "A");
	is_left_out(TYPE TABLE("{ A, f },\n{ 0, NULL },\n{ B, f },\n"), "t.c:10",
		    "after the row that ends the table", "A");
}

static void a_member_that_is_not_known_is_named(void **state)
{
	(void)state;
	is_left_out(
		"typedef struct { NvU32 cmd; Handler func; NvU32 rights; } Row;\n" TABLE("{ A, f, 7 },\n"),
		"t.c:2", "have a member rights, whose meaning is unknown", "A");
}

static void a_table_that_is_none_is_named(void **state)
{
	(void)state;
	is_left_out(TYPE "int x = table[3].cmd;\n", "t.c", "No array table is defined in this file", "");
	is_left_out("", "t.c", "No array table is defined", "");
	is_left_out(TABLE("{ A, f },\n"), "t.c:1", "The type of the rows of table is not understood", "");
	is_left_out("typedef struct { NvU32 cmd[2]; Handler func; } Row;\n" TABLE("{ A, f },\n"), "t.c:2",
		    "is not understood", "");
	is_left_out("typedef struct { NvU32 number; Handler func; } Row;\n" TABLE("{ A, f },\n"), "t.c:2",
		    "is not understood", "");
	is_left_out(TYPE TABLE("{ A, f },\n[3] = { B, f },\n"), "t.c:6",
		    "From line 9 on, table is not a list of rows", "A");
	is_left_out(TYPE "static const Row table[] = {\n{ A, f },\n{ B, f", "t.c:6", "is not a list of rows",
		    "A");
	is_left_out(TYPE "static const Row table[] = {\n{ A, f } { B, f }\n};", "t.c:6",
		    "is not a list of rows", "A");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_read_up_to_the_last),
		cmocka_unit_test(an_nvbool_that_is_true_is_a_flag),
		cmocka_unit_test(the_function_names_the_record),
		cmocka_unit_test(conditions_are_seen),
		cmocka_unit_test(a_row_of_another_form_is_left_out),
		cmocka_unit_test(a_member_that_is_not_known_is_named),
		cmocka_unit_test(a_table_that_is_none_is_named),
	};

	return cmocka_run_group_tests_name("deprecated", tests, NULL, NULL);
}
