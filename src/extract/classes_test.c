/*
 * Tests of the list of classes, resource_list.h. Each row of a table has a text and the entries that are
 * found in it.
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

/* Prints the entries, with the flags and access rights as they are written. */
static void scan_entries(struct strbuf *out, struct table_file *file)
{
	struct rs_entries entries = { 0 };

	rs_entry_scan(&entries, file);
	for (size_t i = 0; i < entries.count; i++) {
		const struct rs_entry *entry = &entries.items[i];

		strbuf_addf(out, "%s@%u %s%s (%.*s) (%.*s)%s\n", entry->name, entry->line,
			    entry->params ? entry->params : "-", entry->required ? " required" : "",
			    (int)entry->flags.length, entry->flags.at, (int)entry->access.length,
			    entry->access.at, entry->conditional ? " conditional" : "");
	}
	free(entries.items);
}

static void entries_are_classes(void **state)
{
	static const struct scan_row rows[] = {
		{ "an entry has a name, parameters, flags and rights",
		  "// RS_ENTRY(in, a, comment)\n" USUAL "#undef RS_ENTRY\n",
		  "THING_A@2 THING_PARAMS required (RS_FLAGS_A | RS_FLAGS_B) (RS_ACCESS_NONE)\n" },
		{ "an entry on one line is read",
		  USUAL "  RS_ENTRY( THING_B, Thing, NV_TRUE, RS_ANY_PARENT, RS_OPTIONAL(NvHandle), P, "
		  "RS_FLAGS_NONE, RS_ACCESS_NONE )\n",
		  "THING_A@1 THING_PARAMS required (RS_FLAGS_A | RS_FLAGS_B) (RS_ACCESS_NONE)\n"
		  "THING_B@11 NvHandle (RS_FLAGS_NONE) (RS_ACCESS_NONE)\n" },
		{ "a class can have no parameters", ENTRY("THING_A", "RS_NONE", "0", "RS_ACCESS_NICE"),
		  "THING_A@1 - (0) (RS_ACCESS_NICE)\n" },
		{ "an entry inside an #if is conditional",
		  "#if A && \\\n  B\n" USUAL "#endif\n" USUAL,
		  "THING_A@3 THING_PARAMS required (RS_FLAGS_A | RS_FLAGS_B) (RS_ACCESS_NONE) "
		  "conditional\n"
		  "THING_A@14 THING_PARAMS required (RS_FLAGS_A | RS_FLAGS_B) (RS_ACCESS_NONE)\n" },
		{ 0 },
	};

	check_scans(rows, scan_entries);
}

#define UNKNOWN_FORMAT \
	"t.c:1: This RS_ENTRY is left out: its class, parameters, flags or rights are not in " \
	"the known format.\n"

static void text_in_an_unknown_format_is_named(void **state)
{
	static const struct scan_row rows[] = {
		{ "too few arguments", "RS_ENTRY(A, B, C)\n",
		  "t.c:1: This RS_ENTRY is left out: it has 3 arguments, not 8.\n" },
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
		  "t.c:1: This RS_ENTRY is left out: its parentheses do not close.\n" },
		{ "another macro", "RS_ENTRY_2(A, B, C, D, RS_NONE, P, RS_FLAGS_NONE, RS_ACCESS_NONE)\n",
		  "t.c:1: This line of the list of classes is not understood.\n" },
		{ "a directive inside an entry",
		  "RS_ENTRY(A, B,\n#if X\nC\n#endif\n)\n" USUAL,
		  "THING_A@6 THING_PARAMS required (RS_FLAGS_A | RS_FLAGS_B) (RS_ACCESS_NONE)\n"
		  "t.c:1: This RS_ENTRY is left out: its parentheses do not close.\n"
		  "t.c:3: This line of the list of classes is not understood.\n"
		  "t.c:5: This line of the list of classes is not understood.\n" },
		{ "an #endif without an #if", USUAL "#endif\n",
		  "THING_A@1 THING_PARAMS required (RS_FLAGS_A | RS_FLAGS_B) (RS_ACCESS_NONE)\n"
		  "t.c:11: This line closes an #if that was not opened.\n" },
		{ 0 },
	};

	check_scans(rows, scan_entries);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(entries_are_classes),
		cmocka_unit_test(text_in_an_unknown_format_is_named),
	};

	return cmocka_run_group_tests_name("rs_entry", tests, NULL, NULL);
}
