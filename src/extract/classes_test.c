/*
 * Tests of the list of classes, resource_list.h. Each row of a table has a text and the ioctls that are made
 * from its entries.
 */
#include "extract/fixture_test.h"

#define ENTRY(name, params, flags, access) \
	"RS_ENTRY(\n" \
	"    /* External Class */ " name ",\n" \
	"    /* Internal Class */ Thing,\n" \
	"    /* Multi-Instance */ NV_TRUE,\n" \
	"    /* Parents        */ RS_LIST(classId(Device), classId(Subdevice)),\n" \
	"    /* Alloc Param    */ " params ",\n" \
	"    /* Priority       */ RS_FREE_PRIORITY_DEFAULT,\n" \
	"    /* Flags          */ " flags ",\n" \
	"    /* Access         */ " access "\n" \
	")\n"
#define USUAL ENTRY("THING_A", "RS_REQUIRED(THING_PARAMS)", "RS_FLAGS_A | RS_FLAGS_B", "RS_ACCESS_NONE")

/* Adds the classes of the file to the document. No header has words for flags or access rights. */
static void scan_entries(struct strbuf *out, struct table_file *file)
{
	static const struct macro macros[] = {
		{ .name = "THING_A", .value = { 1, false }, .evaluated = true, .unit = "rm" },
		{ .name = "THING_B", .value = { 2, false }, .evaluated = true, .unit = "rm" },
	};
	static const struct macro_index index = { macros, sizeof(macros) / sizeof(*macros) };
	struct memory_tree memory = memory_tree_of(arena_printf(file->arena, "@ t.c\n%s", file->text),
						   file->arena);
	const struct profile profile = profile_of(
		"'families': [{'name': 'f', 'source': 'rs_entry', 'files': ['t.c'],"
		" 'flag_words': {'files': [], 'prefix': ['RS_FLAGS_']},"
		" 'access_words': {'files': [], 'prefix': ['RS_ACCESS_']}}]",
		NULL, file->arena);
	struct err err = { "" };

	abi_builder_alias(file->builder, &(struct abi_alias){ "THING_PARAMS", "THING_PARAMS", 4 });
	abi_builder_alias(file->builder, &(struct abi_alias){ "NvHandle", "NvHandle", 4 });
	assert_int_equal(classes_add_family(&(struct family_context){
		.builder = file->builder, .tree = &memory.tree, .family = profile.families,
		.macros = &index, .arena = file->arena, .profile = &profile }, &err), 0);
}

TEST(entries_are_classes)
{
	static const struct scan_row rows[] = {
		{ "an entry has a name, parameters, flags and rights",
		  "// RS_ENTRY(in, a, comment)\n" USUAL "#undef RS_ENTRY\n",
		  "ioctl f/THING_A@t.c:2 0x1 THING_PARAMS +a +b +required\n" },
		{ "an entry on one line is read",
		  USUAL "  RS_ENTRY( THING_B, Thing, NV_TRUE, RS_ANY_PARENT, RS_OPTIONAL(NvHandle), P, "
		  "RS_FLAGS_NONE, RS_ACCESS_NONE )\n",
		  "ioctl f/THING_A@t.c:1 0x1 THING_PARAMS +a +b +required\n"
		  "ioctl f/THING_B@t.c:11 0x2 NvHandle +optional\n" },
		{ "a class can have no parameters", ENTRY("THING_A", "RS_NONE", "0", "RS_ACCESS_NICE"),
		  "ioctl f/THING_A@t.c:1 0x1 - !nice\n" },
		{ "an entry inside an #if is conditional",
		  "#if A && \\\n  B\n" USUAL "#endif\n" ENTRY("THING_B", "RS_NONE", "0", "0"),
		  "ioctl f/THING_A@t.c:3 0x1 THING_PARAMS +a +b +conditional +required\n"
		  "ioctl f/THING_B@t.c:14 0x2 -\n" },
		{ 0 },
	};

	check_scans(rows, scan_entries);
}

#define NO_ENTRY \
	"t.c: The 1 files here have no entry in a known format, so the ioctls of family f are unknown.\n"
#define UNKNOWN_FORMAT \
	NO_ENTRY \
	"t.c:1: This RS_ENTRY is left out: its class, parameters, flags or rights are not in " \
	"the known format.\n"

#define PARENTHESES \
	"t.c:1: This RS_ENTRY is left out: its parentheses do not close, or enclose a directive.\n"

TEST(text_in_an_unknown_format_is_named)
{
	static const struct scan_row rows[] = {
		{ "too few arguments", "RS_ENTRY(A, B, C)\n",
		  NO_ENTRY "t.c:1: This RS_ENTRY is left out: it has 3 arguments, not 8.\n" },
		{ "a name of two words", ENTRY("THING A", "RS_NONE", "RS_FLAGS_NONE", "RS_ACCESS_NONE"),
		  UNKNOWN_FORMAT },
		{ "an unknown macro for parameters",
		  ENTRY("THING_A", "RS_MAYBE(T)", "RS_FLAGS_NONE", "RS_ACCESS_NONE"), UNKNOWN_FORMAT },
		{ "parameters that are an array",
		  ENTRY("THING_A", "RS_REQUIRED(T[2])", "RS_FLAGS_NONE", "RS_ACCESS_NONE"), UNKNOWN_FORMAT },
		{ "flags with another operator",
		  ENTRY("THING_A", "RS_NONE", "RS_FLAGS_A + RS_FLAGS_B", "RS_ACCESS_NONE"), UNKNOWN_FORMAT },
		{ "flags with another prefix",
		  ENTRY("THING_A", "RS_NONE", "RS_FREE_PRIORITY_HIGH", "RS_ACCESS_NONE"), UNKNOWN_FORMAT },
		{ "missing flags", ENTRY("THING_A", "RS_NONE", "", "RS_ACCESS_NONE"), UNKNOWN_FORMAT },
		{ "access rights with another prefix",
		  ENTRY("THING_A", "RS_NONE", "RS_FLAGS_NONE", "RS_FLAGS_NONE"), UNKNOWN_FORMAT },
		{ "an entry without an end", "RS_ENTRY(A,\n",
		  NO_ENTRY PARENTHESES "t.c:1: This line of the list of classes is not understood.\n" },
		{ "another macro", "RS_ENTRY_2(A, B, C, D, RS_NONE, P, RS_FLAGS_NONE, RS_ACCESS_NONE)\n",
		  NO_ENTRY "t.c:1: This line of the list of classes is not understood.\n" },
		{ "a directive inside an entry",
		  "RS_ENTRY(A, B,\n#if X\nC\n#endif\n)\n" USUAL,
		  "ioctl f/THING_A@t.c:6 0x1 THING_PARAMS +a +b +required\n"
		  PARENTHESES },
		{ "an entry without an end, before another entry", "RS_ENTRY(A,\n" USUAL,
		  "ioctl f/THING_A@t.c:2 0x1 THING_PARAMS +a +b +required\n"
		  PARENTHESES "t.c:1: This line of the list of classes is not understood.\n" },
		{ "an #endif without an #if", USUAL "#endif\n",
		  "ioctl f/THING_A@t.c:1 0x1 THING_PARAMS +a +b +required\n"
		  "t.c:11: This line closes an #if that was not opened.\n" },
		{ 0 },
	};

	check_scans(rows, scan_entries);
}
