/*
 * Tests of NVIDIA's exported control methods: which macro names a command, and which methods a file that NVOC
 * generated has. Each row of a table has a text and the name or the methods that are found in it.
 */
#include "extract/fixture_test.h"

static const struct profile_family family = {
	.match = { (const char *const[]){ "NV*_CTRL_*" }, 1 },
	.except = { (const char *const[]){ "*_MESSAGE_ID" }, 1 },
};

#define SPELLED \
	"NV2080_CTRL_CMD_A 0x20800101\nNV2080_CTRL_CMD_GET_LIST NV2080_CTRL_CMD_A\n"

TEST(a_macro_names_a_command)
{
	static const struct {
		const char *fact;
		uint64_t number;
		const char *params, *func;
		const char *macros;   /* lines with a name and a text; the value of each macro is the number,
					 or its negative if the text has a "-"; "?" is not a number */
		const char *expected; /* the macro that names the command */
	} rows[] = {
		{ "the macro whose comment names the parameters wins", 0x20800101,
		  "NV2080_CTRL_GET_LIST_PARAMS", "subdeviceCtrlCmdGetList",
		  "NV2080_CTRL_CMD_GET_LIST (0x20800101) "
		  "/* IFACE | NV2080_CTRL_GET_LIST_V2_PARAMS_MESSAGE_ID */\n"
		  "NV2080_CTRL_CMD_LIST (0x20800101) /* IFACE | NV2080_CTRL_GET_LIST_PARAMS_MESSAGE_ID */\n",
		  "NV2080_CTRL_CMD_LIST" },
		{ "a macro that is spelled like the parameters is next, with _CTRL_", 0x20800101,
		  "NV2080_CTRL_GET_LIST_PARAMS", "f", SPELLED, "NV2080_CTRL_CMD_GET_LIST" },
		{ "a macro that is spelled like the parameters is next, with _CTRL_CMD_ and _PARAM",
		  0x20800101, "NV2080_CTRL_CMD_GET_LIST_PARAM", "f", SPELLED, "NV2080_CTRL_CMD_GET_LIST" },
		{ "a number weighs more than the name of another macro", 0x90cc0101, NULL,
		  "profilerCtrlCmdProfilerReserve",
		  "NV90CC_CTRL_CMD_HWPM_RESERVE (0x90cc0101) /* 1 */\n"
		  "NV90CC_CTRL_CMD_PROFILER_RESERVE NV90CC_CTRL_CMD_HWPM_RESERVE // 0x90cc0101\n",
		  "NV90CC_CTRL_CMD_HWPM_RESERVE" },
		{ "the method's name distinguishes commands from other numbers", 0x102, NULL,
		  "cliresCtrlCmdGpuGetIds",
		  "NV0000_CTRL_CMD_GPS_SET_BUDGET (0x00000102)\nNV0000_CTRL_CMD_GPU_GET_IDS (0x102U)\n"
		  "NV2080_CTRL_GR_INFO_SM_VERSION (0x102U)\n",
		  "NV0000_CTRL_CMD_GPU_GET_IDS" },
		{ "a macro that only has the number does not name the command", 0x102,
		  "NV0000_CTRL_GET_PARAMS", "cliresCtrlCmdGet",
		  "NV2080_CTRL_GR_INFO_SM_VERSION (0x102U)\n"
		  "NV0000_CTRL_CMD_GPS_SYS_GET_RULESET (0x00000102)\n",
		  "" },
		{ "a macro that does not match, or is excepted, does not name the command", 0x20800101,
		  "NV2080_CTRL_SPIN_PARAMS", "f",
		  "NV2080_CTRL_SPIN_PARAMS_MESSAGE_ID 0x20800101\nNV_SPIN 0x20800101\n", "" },
		{ "a macro that is negative, or not a number, does not name the command", 0x20800101,
		  "NV2080_CTRL_GET_LIST_PARAMS", "f",
		  "NV2080_CTRL_CMD_GET_LIST -0x20800101\nNV2080_CTRL_GET_LIST ?\n", "" },
		{ "a comment that names an interface shows that the macro is a command", 0x102, NULL,
		  "cliresCtrlCmdOther",
		  "NV0000_CTRL_CMD_GPS_SYS_GET_RULESET (0x00000102)\n"
		  "NV0000_CTRL_CMD_LOOK (0x102U) /* \"(FINN_ROOT_INTERFACE_ID << 8) | 0x2\" */\n",
		  "NV0000_CTRL_CMD_LOOK" },
		{ "a class can be spelled without its number", 0x90cd0104, NULL, "eventCtrlCmdFlush",
		  "NV_EVENT_CTRL_CMD_FLUSH (0x90cd0104)\n", "NV_EVENT_CTRL_CMD_FLUSH" },
	};
	struct arena arena = { 0 };
	bool differs = false;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct nvoc_method method = { .id = rows[i].number, .params = rows[i].params,
					      .func = rows[i].func }, *by_id = NULL;
		struct macro macros[4];
		struct macro_index index = { macros, 0 };
		struct strbuf text = { 0 };

		for (const char *line = rows[i].macros; *line; line += strcspn(line, "\n") + 1) {
			const size_t length = strcspn(line, " ");

			macros[index.count++] = (struct macro){
				.name = arena_strndup(&arena, line, length),
				.value = { rows[i].number, line[length + 1] == '-' },
				.evaluated = line[length + 1] != '?',
				.body = arena_strndup(&arena, line + length, strcspn(line, "\n") - length)
			};
		}
		HASH_ADD(hh, by_id, id, sizeof(method.id), &method);
		methods_find_names(by_id, &family, &index);
		HASH_CLEAR(hh, by_id);
		strbuf_adds(&text, method.macro ? method.macro->name : "");
		differs |= text_differs(rows[i].fact, &text, rows[i].expected);
	}
	assert_false(differs);
	arena_release(&arena);
}

static void scan_methods(struct strbuf *out, struct table_file *file)
{
	struct nvoc_methods methods = { 0 };

	nvoc_scan(&methods, file);
	for (size_t i = 0; i < methods.count; i++) {
		const struct nvoc_method *method = &methods.items[i];

		strbuf_addf(out, "%s@%s 0x%llx %s flags 0x%llx access 0x%llx%s\n", method->func,
			    method->source, (unsigned long long)method->id,
			    method->params ? method->params : "-", (unsigned long long)method->flags,
			    (unsigned long long)method->access, method->conditional ? " conditional" : "");
	}
}

#define HEAD "static const struct NVOC_EXPORTED_METHOD_DEF table_of_Gadget[] = \n{\n"
#define MEMBERS(flags, access, id, size, func) \
	"#if NVOC_EXPORTED_METHOD_DISABLED_BY_FLAG(" flags ")\n" \
	"  /*pFunc=*/ (void (*)(void)) NULL,\n" \
	"#else\n" \
	"  /*pFunc=*/ (void (*)(void)) &" func "_IMPL,\n" \
	"#endif // of the flag\n" \
	"  /*flags=*/      " flags ",\n" \
	"  /*accessRight=*/" access ",\n" \
	"  /*methodId=*/   " id ",\n" \
	"  /*paramSize=*/  " size ",\n" \
	"  /*pClassInfo=*/ &(class_of_Gadget.classInfo),\n" \
	"#if NV_PRINTF_STRINGS_ALLOWED\n" \
	"  /*func=*/       \"" func "\"\n" \
	"#endif\n"
#define ENTRY(flags, access, id, size, func)                                                                 \
	"  {  /* [0] */\n" MEMBERS(flags, access, id, size, func) "  },\n"
#define USUAL ENTRY("0x18u", "0x2u", "0x20800102u", "sizeof(NV2080_CTRL_SPIN_PARAMS)", "gadgetCtrlCmdSpin")
#define TAIL "\n};\n"
#define INFO "const struct NVOC_EXPORT_INFO info_of_Gadget"
#define NO_INFO "t.c: A class of this file has no complete NVOC_EXPORT_INFO; ioctls may be missing.\n"
/* The result for USUAL, whose brace is on @line. */
#define SPIN_AT(line) \
	"gadgetCtrlCmdSpin@t.c:" line " 0x20800102 NV2080_CTRL_SPIN_PARAMS flags 0x18 access 0x2"

TEST(methods_are_read)
{
	static const struct scan_row rows[] = {
		{ "an entry has all its members",
		  "#include \"g.h\"\n\n" HEAD USUAL TAIL, SPIN_AT("5") "\n" },
		{ "size zero means no parameters",
		  HEAD ENTRY("0x8u", "0x0u", "0x1u", "0", "aCtrlCmdB")
		  ENTRY("0x8u", "0x0u", "0x2u", "0 /* Singleton, as they say */", "aCtrlCmdC") TAIL,
		  "aCtrlCmdB@t.c:3 0x1 - flags 0x8 access 0x0\n"
		  "aCtrlCmdC@t.c:18 0x2 - flags 0x8 access 0x0\n" },
		{ "the keyword struct is not a part of the name",
		  HEAD ENTRY("0x8u", "0x0u", "0x1u", "sizeof(struct P)", "aCtrlCmdB") TAIL,
		  "aCtrlCmdB@t.c:3 0x1 P flags 0x8 access 0x0\n" },
		{ "several tables of one file are read",
		  "int lookup(const struct NVOC_EXPORTED_METHOD_DEF **out);\n"
		  HEAD USUAL TAIL "const struct NVOC_EXPORTED_METHOD_DEF *other(void);\n"
		  HEAD USUAL USUAL TAIL,
		  SPIN_AT("4") "\n" SPIN_AT("24") "\n" SPIN_AT("39") "\n" },
		{ "the number of entries is that of the file's tables",
		  "extern " INFO ";\n" HEAD USUAL USUAL TAIL
		  INFO " = \n{\n    /*numEntries=*/     2,\n    /*pExportEntries=*/ table_of_Gadget\n};\n",
		  SPIN_AT("4") "\n" SPIN_AT("19") "\n" },
		{ "a file without tables causes no warning",
		  "int lookup(const struct NVOC_EXPORTED_METHOD_DEF **out);\n", "" },
		/* The driver has such files. */
		{ "an empty file causes no warning", "", "" },
		{ "an entry inside another #if is conditional",
		  HEAD USUAL "#ifdef DEBUG\n" USUAL "#endif\n" USUAL TAIL,
		  SPIN_AT("3") "\n" SPIN_AT("19") " conditional\n" SPIN_AT("35") "\n" },
		{ "a table inside an #if is conditional",
		  "#if A\n#endif\n#if B\n" HEAD USUAL TAIL "#endif\n" HEAD USUAL TAIL,
		  SPIN_AT("6") " conditional\n" SPIN_AT("26") "\n" },
		{ "code inside #if 0 does not count",
		  HEAD "#if 0 /* not yet */\n"
		  USUAL "#else\n"
		  USUAL "#endif\n"
		  TAIL "#if 0\n"
		  HEAD USUAL TAIL "#endif\n/* one */ /*\n#if 0\n*/\n"
		  HEAD USUAL TAIL,
		  SPIN_AT("20") "\n" SPIN_AT("64") "\n" },
		{ "an entry with an #if around a member is conditional",
		  HEAD
		  "{\n#if A\n /*flags=*/ 0x1u,\n#endif\n /*accessRight=*/0x0u,\n /*methodId=*/ 0x1u,\n"
		  " /*paramSize=*/ 0,\n /*func=*/ \"f\"\n}\n"
		  TAIL,
		  "f@t.c:3 0x1 - flags 0x1 access 0x0 conditional\n" },
		{ 0 },
	};

	check_scans(rows, scan_methods);
}

#define ODD(flags, access, id, size, func) HEAD ENTRY(flags, access, id, size, func) TAIL

#define BAD_VALUE(line) \
	"t.c:" line ": This exported method is left out: the value on this line is not in the " \
	"known format.\n"

TEST(text_in_an_unknown_format_is_named)
{
	static const struct scan_row rows[] = {
		{ "an entry without a member is left out",
		  HEAD "{\n /*flags=*/ 0x1u,\n /*methodId=*/ 0x1u,\n},\n" USUAL TAIL,
		  SPIN_AT("7") "\n"
		  "t.c:3: This exported method is left out: one of flags, accessRight, methodId, "
		  "paramSize and func is missing.\n" },
		{ "a member given twice",
		  HEAD "{\n"
		  MEMBERS("0x1u", "0x0u", "0x1u", "0", "f") "#if X\n /*flags=*/ 0x2u,\n#endif\n},\n"
		  TAIL,
		  "t.c:18: This exported method is left out: the member on this line is given twice.\n" },
		{ "flags that are not a number", ODD("FLAGS(A)", "0x0u", "0x1u", "0", "f"), BAD_VALUE("9") },
		{ "access rights that are not a number", ODD("0x1u", "0x0u + 1", "0x1u", "0", "f"),
		  BAD_VALUE("10") },
		{ "a size that is a number", ODD("0x1u", "0x0u", "0x1u", "16", "f"), BAD_VALUE("12") },
		{ "a size with more than sizeof", ODD("0x1u", "0x0u", "0x1u", "sizeof(A) + 4", "f"),
		  BAD_VALUE("12") },
		{ "a method's name of two words", ODD("0x1u", "0x0u", "0x1u", "0", "f g"), BAD_VALUE("15") },
		{ "a line without a member's name",
		  HEAD "{\n" MEMBERS("0x1u", "0x0u", "0x1u", "0", "f") " .surprise = 1,\n},\n" TAIL,
		  "t.c:17: This exported method is left out: one of its lines does not begin with a "
		  "member's name.\n" },
		{ "a method outside of a table",
		  "struct s x = {\n /*methodId=*/ 0x1u,\n};\n" HEAD USUAL TAIL,
		  SPIN_AT("6") "\n"
		  "t.c:2: This exported method is outside of all tables of exported methods; it "
		  "is left out.\n" },
		{ "a table that is cut off", HEAD USUAL "{\n /*methodId=*/ 0x1u,\n",
		  SPIN_AT("3") "\nt.c:2: The table of exported methods that begins here has no end.\n" },
		{ "a file that is cut off", "static const int NVOC_of_Gadget = \n",
		  "t.c: This file is cut off; exported methods may be missing.\n" },
		{ "a file that ends after its table", "extern " INFO ";\n" HEAD USUAL TAIL,
		  SPIN_AT("4") "\n" NO_INFO },
		{ "a file that ends before its table", "extern " INFO ";\n", NO_INFO },
		{ "a number of entries in an unknown format",
		  "extern " INFO ";\n" HEAD USUAL TAIL INFO " = { 1, table_of_Gadget };\n",
		  SPIN_AT("4") "\n" NO_INFO },
		{ "a table without some of its entries",
		  "extern " INFO ";\n" HEAD USUAL TAIL INFO " = \n{\n    .numEntries=     2,\n};\n",
		  SPIN_AT("4") "\nt.c: This file has 1 exported methods, but its NVOC_EXPORT_INFO says 2; "
		  "ioctls may be missing.\n" },
		{ "a file that NVOC did not write", "int x;\n",
		  "t.c: NVOC did not write this file; exported methods may be missing.\n" },
		{ "a line between entries",
		  HEAD "MORE_METHODS(4)\n" USUAL TAIL,
		  SPIN_AT("4") "\nt.c:3: This line of a table of exported methods is not understood.\n" },
		{ 0 },
	};

	check_scans(rows, scan_methods);
}
