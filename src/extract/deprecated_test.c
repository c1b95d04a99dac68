/*
 * Tests of a table of deprecated commands. Each row of a table here has a source, and the commands that are
 * found in it.
 */
#include "extract/fixture_test.h"

#define TYPE "typedef struct\n{\n  NvU32 cmd; // value\n  Handler func;\n} Row;\n"
#define TYPE_OF_THREE "typedef struct row_tag { NvU32 cmd; Handler func; NvBool bSkipVGPU; } Row;\n"
#define TABLE(rows) "static const Row table[] =\n{\n" rows "};\n"

/* Prints the commands, with their flags, and which of a few records their functions mention. */
static void scan_commands(struct strbuf *out, struct table_file *file)
{
	static const char *const records[] = { "A_PARAM", "A_PARAMS", "B_PARAMS", "B_PARAMS_V2" };
	struct deprecated_commands commands = { .table = "table" };

	deprecated_scan(&commands, file);
	for (size_t i = 0; i < commands.count; i++) {
		const struct deprecated_command *command = &commands.items[i];

		strbuf_addf(out, "%s@%s", command->ioctl.name, command->ioctl.source);
		for (size_t k = 0; k < command->flags.count; k++)
			strbuf_addf(out, " flag %s", command->flags.item[k]);
		for (size_t k = 0; k < sizeof(records) / sizeof(*records); k++)
			if (view_mention(command->body, records[k]))
				strbuf_addf(out, " mentions %s", records[k]);
		strbuf_addch(out, '\n');
	}
}

TEST(rows_are_commands)
{
	static const struct scan_row rows[] = {
		{ "rows are read up to the last",
		  TYPE "\n"
		  TABLE("  { CMD_A,   V2(_CMD_A)  },\n  { CMD_B, convert_b },\n  { 0, NULL }\n")
		  "for (i = 0; table[i].cmd != 0; i++) ;\n",
		  "CMD_A@t.c:9\nCMD_B@t.c:10\n" },
		{ "an NvBool that is true is a flag",
		  TYPE_OF_THREE TABLE("{ A, f, NV_FALSE },\n{ B, f, NV_TRUE },\n{ 0, NULL, NV_FALSE }"),
		  "A@t.c:4\nB@t.c:5 flag skip-vgpu\n" },
		{ "the function names the record",
		  "static int V2(_A)(void *p);\n"
		  TYPE TABLE("{ A, V2(_A) }, { B, g }, { C, gone },\n")
		  "static int V2(_A)\n(\n  void *p\n)\n{\n  CONVERT(A_V2, A_PARAMS, { x });\n}\n"
		  "int gg(void) { B_PARAMS *p; }\nint g(void) { B_PARAMS_V2 *p; /* B_PARAMS */ }\n",
		  "A@t.c:9 mentions A_PARAMS\nB@t.c:9 mentions B_PARAMS_V2\nC@t.c:9\n" },
		{ "conditions are evaluated",
		  TYPE
		  TABLE("#if 0\n{ A, f },\n#endif\n#ifdef X\n{ B, f },\n#endif\n{ C, f },\n{ 0, NULL }\n"),
		  "B@t.c:12 flag conditional\nC@t.c:14\n" },
		{ 0 },
	};

	check_scans(rows, scan_commands);
}

TEST(text_in_an_unknown_format_is_named)
{
	static const struct scan_row rows[] = {
		{ "a command that is a number", TYPE TABLE("{ 0x101, f },\n{ A, f },\n"),
		  "A@t.c:9\nt.c:8: This row of table is left out: its command is not a single name.\n" },
		{ "a function that is an expression", TYPE TABLE("{ B, &f[0] },\n{ A, f },\n"),
		  "A@t.c:9\nt.c:8: This row of table is left out: its function is not a single name.\n" },
		{ "too few values", TYPE TABLE("{ B },\n{ A, f },\n"),
		  "A@t.c:9\n"
		  "t.c:8: This row of table is left out: it does not have a value for each member of its type.\n" },
		{ "too many values", TYPE TABLE("{ B, f, NV_TRUE },\n{ A, f },\n"),
		  "A@t.c:9\n"
		  "t.c:8: This row of table is left out: it does not have a value for each member of its type.\n" },
		{ "an NvBool that is a number", TYPE_OF_THREE TABLE("{ B, f, 1 },\n{ A, f, NV_TRUE },\n"),
		  "A@t.c:5 flag skip-vgpu\n"
		  "t.c:4: This row of table is left out: one of its NvBools is neither NV_TRUE nor "
		  "NV_FALSE.\n" },
		{ "a row after the end of the table", TYPE TABLE("{ A, f },\n{ 0, NULL },\n{ B, f },\n"),
		  "A@t.c:8\n"
		  "t.c:10: This row of table is left out: it comes after the row that ends the table.\n" },
		{ "an unknown member",
		  "typedef struct { NvU32 cmd; Handler func; NvU32 rights; } Row;\n" TABLE("{ A, f, 7 },\n"),
		  "A@t.c:4\nt.c:2: The rows of table have a member rights, whose meaning is unknown.\n" },
		{ "a file that only uses the table", TYPE "int x = table[3].cmd;\n",
		  "t.c: No array table is defined in this file, so it is unknown which commands are "
		  "deprecated.\n" },
		{ "a table without a type", TABLE("{ A, f },\n"),
		  "t.c:1: The type of the rows of table is not understood, so deprecated commands are "
		  "missing.\n" },
		{ "a member that is an array",
		  "typedef struct { NvU32 cmd[2]; Handler func; } Row;\n" TABLE("{ A, f },\n"),
		  "t.c:2: The type of the rows of table is not understood, so deprecated commands are "
		  "missing.\n" },
		{ "a type without cmd",
		  "typedef struct { NvU32 number; Handler func; } Row;\n" TABLE("{ A, f },\n"),
		  "t.c:2: The type of the rows of table is not understood, so deprecated commands are "
		  "missing.\n" },
		{ "a row with an index", TYPE TABLE("{ A, f },\n[3] = { B, f },\n"),
		  "A@t.c:8\n"
		  "t.c:6: From line 9 on, table is not a list of rows; deprecated commands may be "
		  "missing.\n" },
		{ "a row without an end", TYPE "static const Row table[] = {\n{ A, f },\n{ B, f",
		  "A@t.c:7\n"
		  "t.c:6: From line 8 on, table is not a list of rows; deprecated commands may be "
		  "missing.\n" },
		{ "rows without a comma", TYPE "static const Row table[] = {\n{ A, f } { B, f }\n};",
		  "A@t.c:7\n"
		  "t.c:6: From line 7 on, table is not a list of rows; deprecated commands may be "
		  "missing.\n" },
		{ 0 },
	};

	check_scans(rows, scan_commands);
}
