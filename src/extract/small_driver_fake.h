/*
 * extract/small_driver_fake.h - a small driver in memory, for tests that read the ioctls of a family
 *
 * The driver has files, macros and records. begin() adds the records to a document, and make() adds the
 * ioctls of one family. fake_warns_only() and fake_warns_nothing() seal the document.
 */
#ifndef EXTRACT_SMALL_DRIVER_FAKE_H
#define EXTRACT_SMALL_DRIVER_FAKE_H

#include "extract/extract.h"
#include "extract/ioctls_fake.h"

static const struct fake_file files[] = {
	{ "gen/g_a_nvoc.c",
	  "static const struct NVOC_EXPORTED_METHOD_DEF methods[] =\n{\n"
	  "  {\n /*flags=*/ 0x9u,\n /*accessRight=*/0x2u,\n /*methodId=*/ 0x20800101u,\n"
	  " /*paramSize=*/ sizeof(NV2080_CTRL_SPIN_PARAMS),\n /*func=*/ \"subdeviceCtrlCmdSpin\"\n  },\n"
	  "  {\n /*flags=*/ 0x0u,\n /*accessRight=*/0x0u,\n /*methodId=*/ 0x20800102u,\n"
	  " /*paramSize=*/ 0,\n /*func=*/ \"subdeviceCtrlCmdHalt\"\n  },\n};\n" },
	{ "gen/g_b_nvoc.c",
	  "static const struct NVOC_EXPORTED_METHOD_DEF methods[] =\n{\n"
	  "  {\n /*flags=*/ 0x9u,\n /*accessRight=*/0x2u,\n /*methodId=*/ 0x20800101u,\n"
	  " /*paramSize=*/ sizeof(NV2080_CTRL_SPIN_PARAMS),\n /*func=*/ \"subdeviceCtrlCmdSpin\"\n  },\n};\n" },
	{ "gen/g_other_nvoc.c",
	  "static const struct NVOC_EXPORTED_METHOD_DEF methods[] =\n{\n"
	  "  {\n /*flags=*/ 0x1u,\n /*accessRight=*/0x0u,\n /*methodId=*/ 0x20800101u,\n"
	  " /*paramSize=*/ sizeof(NV2080_CTRL_OTHER_PARAMS),\n /*func=*/ \"otherCtrlCmdSpin\"\n  },\n};\n" },
	{ "rm/control.h", "#define CF_KERNEL 0\n#define CF_NO_LOCK 0x1\n#define CF_ANYONE 0x8\n" },
	{ "rm/rights.h", "#define RS_ACCESS_DUP 0U\n#define RS_ACCESS_NICE 1U\n" },
	{ "rm/copy.c", "switch (p->cmd)\n{\n  case NV2080_CTRL_CMD_SPIN:\n    break;\n}\n" },
	{ "rm/list.h",
	  "RS_ENTRY(THING_A, T, NV_TRUE, P, RS_REQUIRED(THING_PARAMS), F, RS_FLAGS_ALL, RS_ACCESS_NICE)\n"
	  "RS_ENTRY(THING_B, T, NV_TRUE, P, RS_NONE, F, RS_FLAGS_NONE, RS_ACCESS_NONE)\n" },
	{ "rm/flags.h",
	  "#define RS_FLAGS_ALL (RS_FLAGS_ALLOC_ANYONE | RS_FLAGS_LOCK)\n#define RS_FLAGS_ALLOC_ANYONE NVBIT(0)\n"
	  "#define RS_FLAGS_LOCK NVBIT(1)\n" },
	{ "rm/old.c", "typedef struct { NvU32 cmd; Handler func; NvBool bSkipVGPU; } Row;\n"
		      "static const Row oldTable[] =\n{\n"
		      "  { NV2080_CTRL_CMD_SPIN, old_spin, NV_TRUE },\n"
		      "  { NV2080_CTRL_CMD_WAIT, old_wait, NV_FALSE },\n"
		      "  { NV2080_CTRL_CMD_WALK, old_walk, NV_FALSE },\n"
		      "  { 0, NULL, NV_FALSE }\n};\n"
		      "static int old_spin(void)\n{\n  CONVERT(NV2080_CTRL_SPIN_PARAMS);\n}\n"
		      "static int old_wait(void)\n{\n  CONVERT(NV2080_CTRL_WAIT_PARAMS);\n}\n"
		      "static int old_walk(void)\n{\n  CONVERT(NV2080_CTRL_SPIN_PARAMS);\n}\n" },
	{ "rm/old_again.c",
	  "typedef struct { NvU32 cmd; Handler func; } Row;\n"
	  "static const Row oldTable[] = { { NV2080_CTRL_CMD_WAIT, old_wait }, { NV2080_CTRL_CMD_WAIT_ALIAS, old_wait }, { GONE, f } };\n"
	  "static int old_wait(void) { NV2080_CTRL_WAIT_PARAMS params; }\n" },
	{ "uvm/main.c", "switch (cmd)\n{\n  case ESC_FREE:\n    break;\n  ROUTE(ESC_ALLOC, f);\n}\n" },
	{ "uvm/more.c",
	  "switch (cmd)\n{\n#ifdef X\n  case ESC_NOTHING:\n#endif\n}\nif (cmd == ESC_LAST)\n  f();\n" },
	{ "uvm/strange.c", "switch (cmd)\n{\n  case ESC_FREE ... 50:\n}\n" },
	{ "uvm/nameless.c", "switch (cmd)\n{\n  case ESC_FREE:\n  case ESC_UNKNOWN:\n}\n" },
	{ "uvm/none.c", "int x;\n" },
	{ "rm/lonely.h", "RS_ENTRY(THING_C, T, NV_TRUE, P, RS_NONE, F, RS_FLAGS_NONE, RS_ACCESS_NONE)\n" },
};

#define MACRO(macro, number, text)                                                                           \
	{ .name = macro,                                                                                     \
	  .value = { number, false },                                                                        \
	  .evaluated = true,                                                                                 \
	  .unit = "rm",                                                                                      \
	  .file = "inc/x.h",                                                                                 \
	  .line = 7,                                                                                         \
	  .body = text }
/* Sorted by name. */
static const struct macro macros[] = {
	MACRO("ESC_ALLOC", 43, "43 // struct esc_alloc"),
	MACRO("ESC_FREE", 41, "41"),
	MACRO("ESC_LAST", 99, "99"),
	{ .name = "ESC_MINUS",
	  .value = { 1, true },
	  .evaluated = true,
	  .unit = "rm",
	  .file = "inc/x.h",
	  .line = 9,
	  .body = "-1" },
	MACRO("ESC_NOTHING", 44, "44"),
	{ .name = "ESC_UNKNOWN", .unit = "rm", .file = "inc/x.h", .body = "f(x)" },
	MACRO("NV2080_CTRL_CMD_HALT", 0x20800102, "(0x20800102)"),
	MACRO("NV2080_CTRL_CMD_SPIN", 0x20800101, "(0x20800101)"),
	MACRO("NV2080_CTRL_CMD_SPIN_ALIAS", 0x20800101, "NV2080_CTRL_CMD_SPIN"),
	MACRO("NV2080_CTRL_CMD_WAIT", 0x20800103, "(0x20800103) /* NV2080_CTRL_WAIT_PARAMS_MESSAGE_ID */"),
	MACRO("NV2080_CTRL_CMD_WAIT_ALIAS", 0x20800103,
	      "NV2080_CTRL_CMD_WAIT /* NV2080_CTRL_WAIT_PARAMS_MESSAGE_ID */"),
	MACRO("NV2080_CTRL_CMD_WALK", 0x20800104, "(0x20800104) /* NV2080_CTRL_WALK_PARAMS_MESSAGE_ID */"),
	MACRO("NV2080_CTRL_SPIN_SPEED", 0x20800101, "0x20800101"),
	MACRO("THING_A", 0x9010, "(0x9010U)"),
	MACRO("THING_B", 0x9011, "(0x9011U)"),
};
static const struct macro_index index_of_macros = { macros, sizeof(macros) / sizeof(macros[0]) };

struct made {
	struct fake_document document;
	struct fake_tree tree;
	struct err err;
	int rc;
};

static inline void put_record_of_one(struct made *made, const char *name, const char *type,
				     enum abi_role role)
{
	const struct abi_field field = { .name = "a", .type = type, .size_bits = 64, .role = role };
	const struct abi_record record = {
		.name = name,
		.source = "",
		.fields = arena_memdup(&made->document.arena, &field, sizeof(field)),
		.field_count = 1,
	};

	abi_builder_record(made->document.builder, &record);
}

static inline void begin(struct made *made)
{
	static const char *const records[] = {
		"NV2080_CTRL_SPIN_PARAMS", "NV2080_CTRL_WALK_PARAMS", "THING_PARAMS", "esc_alloc",
		"ESC_FREE_PARAMS",         "ESC_NOTHING_PARAMS"
	};

	*made = (struct made){ 0 };
	fake_begin(&made->document);
	made->tree = (struct fake_tree){ .tree = { .ops = &fake_ops },
					 .files = files,
					 .count = sizeof(files) / sizeof(files[0]) };
	for (size_t i = 0; i < sizeof(records) / sizeof(records[0]); i++) {
		struct abi_record record = { .name = records[i], .source = "" };

		abi_builder_record(made->document.builder, &record);
	}
	put_record_of_one(made, "NV2080_CTRL_WAIT_PARAMS", "NV2080_CTRL_WAIT_LIST[2]", ABI_ROLE_NONE);
	put_record_of_one(made, "NV2080_CTRL_WAIT_LIST", "NvP64", ABI_ROLE_POINTER);
}

static inline void make(struct made *made, const struct profile_family *family)
{
	struct profile profile = { .families = family, .family_count = 1 };

	made->rc = ioctls_add(made->document.builder, &made->tree.tree, &profile, &index_of_macros,
			      &made->document.arena, &made->err);
}

static inline const char *flags_of(const struct abi_ioctl *ioctl, struct arena *arena)
{
	const char *text = "";

	for (size_t i = 0; i < ioctl->flag_count; i++)
		text = arena_printf(arena, "%s%s%s", text, i ? "," : "", ioctl->flags[i]);
	return text;
}

static const struct profile_params escape_params[] = {
	{ .ioctl = "ESC_NOTHING", .record = "" },
	{ .record = "\\1", .regex = "struct ([a-z_]+)" },
	{ .record = "\\0_GONE" },
	{ .ioctl = "ESC_F*", .record = "ESC_\\1_PARAMS", .name_regex = "^ESC_(.*)$" },
	{ .record = "\\0_PARAMS" },
};

static const struct profile_family escapes = {
	.name = "frontend",
	.source = PROFILE_FROM_CONSTANTS,
	.match = FAKE_STRINGS("ESC_*"),
	.except = FAKE_STRINGS("*_LAST", "*_MINUS"),
	.params = escape_params,
	.param_count = sizeof(escape_params) / sizeof(escape_params[0]),
};

#endif
