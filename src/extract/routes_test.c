/*
 * Tests of the switches and macro calls in a driver's sources that show which ioctls it handles. Each row of
 * a table has a source and what is found in it.
 */
#include "extract/fixture_test.h"

/* Reads the file, and a file u.c if its text has one (memory_tree_of()). */
static void read_dispatch(struct dispatch *out, struct table_file *file)
{
	static const char *const macro = "ROUTE_*";
	static const struct profile_strings macros = { &macro, 1 };
	const struct memory_tree memory = memory_tree_of(file->text, file->arena);

	*out = (struct dispatch){ .macros = &macros, .sources.is_known = true };
	for (size_t i = 0; i < memory.count; i++) {
		struct table_file one = *file;

		one.path = i ? memory.files[i].path : file->path;
		one.text = memory.files[i].text;
		one.size = strlen(one.text);
		dispatch_scan(out, &one);
	}
}

/* Prints the labels, with "?" if they are conditional. */
static void scan_dispatch(struct strbuf *out, struct table_file *file)
{
	struct dispatch dispatch;

	read_dispatch(&dispatch, file);
	for (size_t i = 0; i < dispatch.label_count; i++)
		strbuf_addf(out, "%s%s@%s%s", i ? " " : "", dispatch.labels[i].name,
			    dispatch.labels[i].source, dispatch.labels[i].conditional ? "?" : "");
	strbuf_adds(out, dispatch.sources.is_known ? "\n" : " unknown\n");
}

#define UNKNOWN "so it is unknown which ioctls are dispatched.\n"

TEST(a_switch_dispatches_its_labels)
{
	static const struct scan_row rows[] = {
		{ "the labels and macros of a switch over the command count",
		  "static long f(int cmd)\n{\n  switch (cmd)\n  {\n    case UVM_END:\n      return 0;\n\n"
		  "    ROUTE_STACK(UVM_FREE, uvm_api_free);\n"
		  "    ROUTE_ALLOC(UVM_MAP,\n                uvm_api_map);\n    default:\n      break;\n  }\n"
		  "  return g(cmd);\n}\n",
		  "UVM_END@t.c:5 UVM_FREE@t.c:8 UVM_MAP@t.c:9\n" },
		{ "other switches and other calls do not count",
		  "switch (type) { case UVM_A: ROUTE_STACK(UVM_B, f); }\n"
		  "ROUTE_STACK(UVM_C, f);\ncase UVM_D:\n"
		  "#define ROUTE_STACK(cmd, f) \\\n  case cmd: f();\n"
		  "switch (p->cmd) { case UVM_E: PRINT(UVM_F, f); "
		  "switch (type) { case UVM_G: break; } break; }\n"
		  "int switch_cmd = 0x1fu; // switch (cmd) { case UVM_H: }\n",
		  "UVM_E@t.c:6\n" },
		{ "blocks and statements of a case are skipped",
		  "switch (cmd) { case A: { ROUTE_X(B, f); } case C: if (x) { y(); } else { z(); } "
		  "ROUTE_X(D, f); a = (struct s){ 1 }; do { b(); } while (x); ; (c)(); ROUTE_X(E, f) }",
		  "A@t.c:1 C@t.c:1 D@t.c:1 E@t.c:1\n" },
		{ "code that is never compiled does not count",
		  "switch (cmd) {\n#if 0\n  case A:\n#else\n  case B:\n#endif\n"
		  "#ifdef X\n  case C:\n#elif Y\n  case D:\n#endif\n  case E:\n}\n",
		  "B@t.c:5 C@t.c:8? D@t.c:10? E@t.c:12\n" },
		{ "a switch without labels dispatches nothing", "switch (cmd) { }\nswitch (_IOC_NR(cmd)) { }",
		  "" },
		{ "several files add up", "switch (cmd) { case A: }\n@ u.c\n\nswitch (cmd) { case B: }\n",
		  "A@t.c:1 B@u.c:2\n" },
		{ "a label that is a range", "switch (cmd)\n{\n  case A ... B:\n    break;\n}\n",
		  " unknown\nt.c:3: The label of this case is not a single name, " UNKNOWN },
		{ "a macro of more than a name", "switch (cmd) { ROUTE_X(A + 1, f); }",
		  " unknown\nt.c:1: The first argument of this macro is not a single name, " UNKNOWN },
		{ "a macro without an argument", "switch (cmd) { ROUTE_X(); }",
		  " unknown\nt.c:1: The first argument of this macro is not a single name, " UNKNOWN },
		{ "a switch without an end", "\nswitch (cmd)\n{\n  case A:\n    f();\n",
		  "A@t.c:4 unknown\n"
		  "t.c:2: The switch over a command that begins here has no end, " UNKNOWN },
		{ "a parenthesis without an end", "switch (cmd) { case A: f((;",
		  "A@t.c:1 unknown\n"
		  "t.c:1: The switch over a command that begins here has no end, " UNKNOWN },
		{ "a switch without a block", "switch (cmd) return 0;",
		  " unknown\nt.c:1: No block follows this switch over a command, " UNKNOWN },
		{ "an #include inside a switch",
		  "#include \"a.h\"\nswitch (cmd) { case A:\n# include \"b.h\"\n}",
		  "A@t.c:2 unknown\nt.c:3: The file included here may have more labels, " UNKNOWN },
		{ 0 },
	};

	check_scans(rows, scan_dispatch);
}

/* Prints where the file mentions each of these names. */
static void scan_mentions(struct strbuf *out, struct table_file *file)
{
	static const char *const names[] = { "UVM", "UVM_A", "UVM_B" };
	struct dispatch dispatch;

	read_dispatch(&dispatch, file);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const char *place = sources_mention(&dispatch.sources, names[i], file->arena);

		strbuf_addf(out, "%s %s\n", names[i], place ? place : "-");
	}
}

TEST(a_mention_is_found_outside_of_comments_and_literals)
{
	static const struct scan_row rows[] = {
		{ "in a file",
		  "/* UVM_A */\nint x = UVM_AB + MY_UVM_A;\nputs(\"UVM_A\");\nif (cmd == UVM_A)\n",
		  "UVM -\nUVM_A t.c:4\nUVM_B -\n" },
		{ "in several files", "switch (cmd) { case UVM_A: }\n@ u.c\n\nswitch (cmd) { case UVM_B: }\n",
		  "UVM -\nUVM_A t.c:1\nUVM_B u.c:2\n" },
		{ 0 },
	};

	check_scans(rows, scan_mentions);
}

/* Prints the ioctl, the record and the flags of each call. */
static void scan_calls(struct strbuf *out, struct table_file *file)
{
	const struct profile profile = profile_of(
		"'families': [{'name': 'f', 'source': 'enum', 'enum': 'e',"
		" 'routes': {'files': ['t.c'], 'calls': ["
		" {'name': 'ENTRY', 'ioctl': '\\1', 'record': 'Kms\\2Params'},"
		" {'name': 'ENTRY_ADMIN', 'ioctl': '\\1', 'record': 'Kms\\2Params', 'flags': ['admin']},"
		" {'name': 'DEF_*', 'ioctl': 'DRM_\\1', 'words': '\\3', 'prefix': 'DRM_'}]}}]",
		NULL, file->arena);
	struct routes routes = { .rules = &profile.families[0].routes };

	routes_scan(&routes, file);
	for (const struct route *route = routes.by_ioctl; route; route = route->hh.next) {
		strbuf_addf(out, "%s@%s %s", route->ioctl, route->source,
			    route->record ? route->record : "-");
		for (size_t k = 0; k < route->flags.count; k++)
			strbuf_addf(out, " %s", route->flags.item[k]);
		strbuf_addch(out, '\n');
	}
	HASH_CLEAR(hh, routes.by_ioctl);
}

TEST(a_call_names_an_ioctl)
{
	static const struct scan_row rows[] = {
		{ "a call names an ioctl and its record",
		  "// ENTRY(IN_A, Comment)\nchar *s = \"ENTRY(IN_A, Text)\";\n  ENTRY (FLIP,\n\tFlip ),\n"
		  "  ENTRY_ADMIN(MODE, Mode),\n",
		  "FLIP@t.c:3 KmsFlipParams\nMODE@t.c:5 KmsModeParams admin\n" },
		{ "the rights that the caller needs are flags",
		  "DEF_DRV(A, f(1, 2), DRM_RENDER_ALLOW|DRM_UNLOCKED)\nDEF_DRV(B, f, 0)\n",
		  "DRM_A@t.c:1 - render-allow unlocked\nDRM_B@t.c:2 -\n" },
		{ "definitions and other names are not calls",
		  "#define ENTRY(cmd, f) \\\n\tOTHER(cmd) ENTRY(cmd, g)\n"
		  "REENTRY(A, B) ENTRY_2(A, B) 0ENTRY(A, B) ENTRY;\n",
		  "" },
		{ "calls that are never compiled do not count",
		  "#if 0\nENTRY(OLD, Old)\n#else\nENTRY(NEW, New)\n#endif\n"
		  "#if defined(X)\nENTRY(MAYBE, Maybe)\n#endif\n",
		  "NEW@t.c:4 KmsNewParams\nMAYBE@t.c:7 KmsMaybeParams\n" },
		{ "an argument that is an expression", "\nENTRY(A + 1, F)",
		  "t.c:2: This ENTRY is left out: its argument 1 is not a single name.\n" },
		{ "a missing argument", "ENTRY(A)",
		  "t.c:1: This ENTRY is left out: its argument 2 is not a single name.\n" },
		{ "an empty argument", "ENTRY(, F)",
		  "t.c:1: This ENTRY is left out: its argument 1 is not a single name.\n" },
		{ "a call without an end", "ENTRY(A,\nF",
		  "t.c:1: This ENTRY is left out: its parentheses do not close, or enclose a directive.\n" },
		{ "a call without an end, before another call", "ENTRY(A,\nENTRY(B, F);",
		  "B@t.c:2 KmsFParams\nt.c:1: This ENTRY is left out: its parentheses do not close, or "
		  "enclose a directive.\n" },
		{ "a call with an #if inside", "ENTRY(A,\n#if X\nF\n#endif\n)",
		  "t.c:1: This ENTRY is left out: its parentheses do not close, or enclose a directive.\n" },
		{ "flags with another operator", "DEF_DRV(A, f, X & Y)",
		  "t.c:1: This DEF_DRV is left out: its argument 3 is not a list of names.\n" },
		{ "missing flags", "DEF_DRV(A, f)",
		  "t.c:1: This DEF_DRV is left out: its argument 3 is not a list of names.\n" },
		{ 0 },
	};

	check_scans(rows, scan_calls);
}
