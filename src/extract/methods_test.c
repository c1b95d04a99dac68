#include "extract/internal.h"
#include "extract/ioctls_fake.h"

#include <stdlib.h>

#define MACRO(macro, number, text)                                                                           \
	{ .name = macro,                                                                                     \
	  .value = { number, false },                                                                        \
	  .evaluated = true,                                                                                 \
	  .unit = "rm",                                                                                      \
	  .file = "x.h",                                                                                     \
	  .line = 1,                                                                                         \
	  .body = text }

static const struct profile_family family = {
	.name = "control",
	.match = FAKE_STRINGS("NV*_CTRL_*"),
	.except = FAKE_STRINGS("*_MESSAGE_ID"),
};

/* Returns the name of the macro that names the command @number; "" if no macro matches. */
static const char *named(const struct macro *macros, size_t count, uint64_t number, const char *params,
			 const char *func)
{
	const struct macro_index index = { macros, count };
	struct command_name name = { .number = number, .params = params, .func = func };

	command_names_find(&name, 1, &family, &index);
	return name.macro ? name.macro->name : "";
}

#define NAMED(macros, ...) named(macros, sizeof(macros) / sizeof((macros)[0]), __VA_ARGS__)

static void the_macro_that_states_the_parameters_wins(void **state)
{
	static const struct macro macros[] = {
		MACRO("NV2080_CTRL_CMD_GET_LIST", 0x20800101,
		      "(0x20800101) /* IFACE | NV2080_CTRL_GET_LIST_V2_PARAMS_MESSAGE_ID */"),
		MACRO("NV2080_CTRL_CMD_LIST", 0x20800101,
		      "(0x20800101) /* IFACE | NV2080_CTRL_GET_LIST_PARAMS_MESSAGE_ID */"),
	};

	(void)state;
	assert_string_equal(NAMED(macros, 0x20800101, "NV2080_CTRL_GET_LIST_PARAMS",
				  "subdeviceCtrlCmdGetList"),
			    "NV2080_CTRL_CMD_LIST");
}

static void the_macro_that_is_spelled_like_the_parameters_comes_next(void **state)
{
	static const struct macro macros[] = {
		MACRO("NV2080_CTRL_CMD_A", 0x20800101, "0x20800101"),
		MACRO("NV2080_CTRL_CMD_GET_LIST", 0x20800101, "NV2080_CTRL_CMD_A"),
	};

	(void)state;
	assert_string_equal(NAMED(macros, 0x20800101, "NV2080_CTRL_GET_LIST_PARAMS", "f"),
			    "NV2080_CTRL_CMD_GET_LIST");
	assert_string_equal(NAMED(macros, 0x20800101, "NV2080_CTRL_CMD_GET_LIST_PARAM", "f"),
			    "NV2080_CTRL_CMD_GET_LIST");
}

static void a_number_weighs_more_than_another_macros_name(void **state)
{
	static const struct macro macros[] = {
		MACRO("NV90CC_CTRL_CMD_HWPM_RESERVE", 0x90cc0101, "(0x90cc0101) /* 1 */"),
		MACRO("NV90CC_CTRL_CMD_PROFILER_RESERVE", 0x90cc0101,
		      "NV90CC_CTRL_CMD_HWPM_RESERVE // 0x90cc0101"),
	};

	(void)state;
	assert_string_equal(NAMED(macros, 0x90cc0101, NULL, "profilerCtrlCmdProfilerReserve"),
			    "NV90CC_CTRL_CMD_HWPM_RESERVE");
}

static void the_methods_name_tells_commands_from_other_numbers(void **state)
{
	static const struct macro macros[] = {
		MACRO("NV0000_CTRL_CMD_GPS_SET_BUDGET", 0x102, "(0x00000102)"),
		MACRO("NV0000_CTRL_CMD_GPU_GET_IDS", 0x102, "(0x102U)"),
		MACRO("NV2080_CTRL_GR_INFO_SM_VERSION", 0x102, "(0x102U)"),
	};

	(void)state;
	assert_string_equal(NAMED(macros, 0x102, NULL, "cliresCtrlCmdGpuGetIds"),
			    "NV0000_CTRL_CMD_GPU_GET_IDS");
}

static void a_macro_that_only_has_the_number_does_not_name_it(void **state)
{
	static const struct macro macros[] = {
		MACRO("NV2080_CTRL_GR_INFO_SM_VERSION", 0x102, "(0x102U)"),
		MACRO("NV0000_CTRL_CMD_GPS_SYS_GET_RULESET", 0x102, "(0x00000102)"),
		MACRO("NV2080_CTRL_SPIN_PARAMS_MESSAGE_ID", 0x20800101, "0x20800101"),
		MACRO("NV_SPIN", 0x20800101, "0x20800101"),
	};

	(void)state;
	assert_string_equal(NAMED(macros, 0x102, "NV0000_CTRL_GET_PARAMS", "cliresCtrlCmdGet"), "");
	assert_string_equal(NAMED(macros, 0x20800101, "NV2080_CTRL_SPIN_PARAMS", "f"), "");
}

static void a_comment_that_makes_it_of_an_interface_says_that_it_is_a_command(void **state)
{
	static const struct macro macros[] = {
		MACRO("NV0000_CTRL_CMD_GPS_SYS_GET_RULESET", 0x102, "(0x00000102)"),
		MACRO("NV0000_CTRL_CMD_LOOK", 0x102,
		      "(0x102U) /* \"(FINN_ROOT_INTERFACE_ID << 8) | 0x2\" */"),
	};

	(void)state;
	assert_string_equal(NAMED(macros, 0x102, NULL, "cliresCtrlCmdOther"), "NV0000_CTRL_CMD_LOOK");
}

static void a_class_may_be_spelled_without_its_number(void **state)
{
	static const struct macro macros[] = {
		MACRO("NV_EVENT_CTRL_CMD_FLUSH", 0x90cd0104, "(0x90cd0104)"),
	};

	(void)state;
	assert_string_equal(NAMED(macros, 0x90cd0104, NULL, "eventCtrlCmdFlush"), "NV_EVENT_CTRL_CMD_FLUSH");
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

struct scanned {
	struct fake_document document;
	struct nvoc_methods methods;
};

static struct scanned *scan(struct scanned *scanned, const char *text)
{
	struct table_file file;

	fake_begin(&scanned->document);
	scanned->methods = (struct nvoc_methods){ 0 };
	file = fake_table_file(&scanned->document, text);
	nvoc_scan(&scanned->methods, &file);
	return scanned;
}

static void done(struct scanned *scanned)
{
	free(scanned->methods.items);
	fake_end(&scanned->document);
}

static void an_entry_has_all_its_members(void **state)
{
	struct scanned scanned;
	const struct nvoc_method *method =
		scan(&scanned, "#include \"g.h\"\n\n" HEAD USUAL TAIL)->methods.items;

	(void)state;
	fake_warns_nothing(&scanned.document);
	assert_int_equal(scanned.methods.count, 1);
	assert_int_equal(method->id, 0x20800102);
	assert_int_equal(method->flags, 0x18);
	assert_int_equal(method->access, 2);
	assert_string_equal(method->params, "NV2080_CTRL_SPIN_PARAMS");
	assert_string_equal(method->func, "gadgetCtrlCmdSpin");
	assert_string_equal(method->source, "t.c:5");
	assert_false(method->conditional);
	done(&scanned);
}

static void size_zero_is_no_parameters(void **state)
{
	struct scanned scanned;

	(void)state;
	scan(&scanned, HEAD ENTRY("0x8u", "0x0u", "0x1u", "0", "aCtrlCmdB")
	     ENTRY("0x8u", "0x0u", "0x2u", "0 /* Singleton, as they say */", "aCtrlCmdC") TAIL);
	fake_warns_nothing(&scanned.document);
	assert_int_equal(scanned.methods.count, 2);
	assert_null(scanned.methods.items[0].params);
	assert_null(scanned.methods.items[1].params);
	done(&scanned);
}

static void a_struct_keyword_is_no_part_of_the_name(void **state)
{
	struct scanned scanned;

	(void)state;
	scan(&scanned, HEAD ENTRY("0x8u", "0x0u", "0x1u", "sizeof(struct P)", "aCtrlCmdB") TAIL);
	fake_warns_nothing(&scanned.document);
	assert_string_equal(scanned.methods.items[0].params, "P");
	done(&scanned);
}

static void several_tables_of_one_file_are_read(void **state)
{
	struct scanned scanned;

	(void)state;
	scan(&scanned, "int lookup(const struct NVOC_EXPORTED_METHOD_DEF **out);\n" HEAD USUAL TAIL
	     "const struct NVOC_EXPORTED_METHOD_DEF *other(void);\n" HEAD USUAL USUAL TAIL);
	fake_warns_nothing(&scanned.document);
	assert_int_equal(scanned.methods.count, 3);
	assert_string_equal(scanned.methods.items[1].source, "t.c:24");
	done(&scanned);
}

static void a_file_without_tables_is_nothing_to_speak_of(void **state)
{
	struct scanned scanned;

	(void)state;
	scan(&scanned, "int lookup(const struct NVOC_EXPORTED_METHOD_DEF **out);\n");
	fake_warns_nothing(&scanned.document);
	assert_int_equal(scanned.methods.count, 0);
	done(&scanned);
}

static void an_entry_under_another_if_is_conditional(void **state)
{
	struct scanned scanned;

	(void)state;
	scan(&scanned, HEAD USUAL "#ifdef DEBUG\n" USUAL "#endif\n" USUAL TAIL);
	fake_warns_nothing(&scanned.document);
	assert_int_equal(scanned.methods.count, 3);
	assert_false(scanned.methods.items[0].conditional);
	assert_true(scanned.methods.items[1].conditional);
	assert_false(scanned.methods.items[2].conditional);
	done(&scanned);
}

static void a_table_under_an_if_is_conditional(void **state)
{
	struct scanned scanned;

	(void)state;
	scan(&scanned, "#if A\n#endif\n#if B\n" HEAD USUAL TAIL "#endif\n" HEAD USUAL TAIL);
	fake_warns_nothing(&scanned.document);
	assert_true(scanned.methods.items[0].conditional);
	assert_false(scanned.methods.items[1].conditional);
	done(&scanned);
}

static void what_is_under_if_0_does_not_count(void **state)
{
	struct scanned scanned;

	(void)state;
	scan(&scanned, HEAD "#if 0 /* not yet */\n" USUAL "#else\n" USUAL "#endif\n" TAIL
	     "#if 0\n" HEAD USUAL TAIL "#endif\n/* one */ /*\n#if 0\n*/\n" HEAD USUAL TAIL);
	fake_warns_nothing(&scanned.document);
	assert_int_equal(scanned.methods.count, 2);
	assert_false(scanned.methods.items[0].conditional);
	assert_false(scanned.methods.items[1].conditional);
	done(&scanned);
}

static void an_entry_that_chooses_a_member_is_conditional(void **state)
{
	struct scanned scanned;

	(void)state;
	scan(&scanned,
	     HEAD "{\n#if A\n /*flags=*/ 0x1u,\n#endif\n /*accessRight=*/0x0u,\n /*methodId=*/ 0x1u,\n"
		  " /*paramSize=*/ 0,\n /*func=*/ \"f\"\n}\n" TAIL);
	fake_warns_nothing(&scanned.document);
	assert_true(scanned.methods.items[0].conditional);
	done(&scanned);
}

static void an_entry_that_lacks_a_member_is_left_out(void **state)
{
	struct scanned scanned;

	(void)state;
	scan(&scanned, HEAD "{\n /*flags=*/ 0x1u,\n /*methodId=*/ 0x1u,\n},\n" USUAL TAIL);
	assert_int_equal(scanned.methods.count, 1);
	fake_warns_only(&scanned.document, "t.c:3", "one of flags");
	done(&scanned);
}

static void a_member_given_twice_is_not_believed(void **state)
{
	struct scanned scanned;

	(void)state;
	scan(&scanned, HEAD
	     "{\n" MEMBERS("0x1u", "0x0u", "0x1u", "0", "f") "#if X\n /*flags=*/ 0x2u,\n#endif\n},\n" TAIL);
	assert_int_equal(scanned.methods.count, 0);
	fake_warns_only(&scanned.document, "t.c:18", "given twice");
	done(&scanned);
}

static void strange_values_are_not_believed(void **state)
{
	static const char *const entries[] = {
		HEAD ENTRY("FLAGS(A)", "0x0u", "0x1u", "0", "f") TAIL,
		HEAD ENTRY("0x1u", "0x0u + 1", "0x1u", "0", "f") TAIL,
		HEAD ENTRY("0x1u", "0x0u", "", "0", "f") TAIL,
		HEAD ENTRY("0x1u", "0x0u", "0x11112222333344445u", "0", "f") TAIL,
		HEAD ENTRY("0x1u", "0x0u", "0x1u", "16", "f") TAIL,
		HEAD ENTRY("0x1u", "0x0u", "0x1u", "sizeof(A) + 4", "f") TAIL,
		HEAD ENTRY("0x1u", "0x0u", "0x1u", "0", "f g") TAIL,
	};
	struct scanned scanned;

	(void)state;
	for (size_t i = 0; i < sizeof(entries) / sizeof(entries[0]); i++) {
		scan(&scanned, entries[i]);
		assert_int_equal(scanned.methods.count, 0);
		fake_seal(&scanned.document);
		assert_int_equal(scanned.document.abi.warning_count, 1);
		done(&scanned);
	}
}

static void a_line_without_a_members_name_spoils_the_entry(void **state)
{
	struct scanned scanned;

	(void)state;
	scan(&scanned, HEAD "{\n" MEMBERS("0x1u", "0x0u", "0x1u", "0", "f") " .surprise = 1,\n},\n" TAIL);
	assert_int_equal(scanned.methods.count, 0);
	fake_warns_only(&scanned.document, "t.c:17", "member's name");
	done(&scanned);
}

static void a_method_outside_a_table_is_named(void **state)
{
	struct scanned scanned;

	(void)state;
	scan(&scanned, "struct s x = {\n /*methodId=*/ 0x1u,\n};\n" HEAD USUAL TAIL);
	assert_int_equal(scanned.methods.count, 1);
	assert_string_equal(scanned.methods.items[0].source, "t.c:6");
	fake_warns_only(&scanned.document, "t.c:2", "outside of all tables");
	done(&scanned);
}

static void a_table_that_is_cut_off_is_named(void **state)
{
	struct scanned scanned;

	(void)state;
	scan(&scanned, HEAD USUAL "{\n /*methodId=*/ 0x1u,\n");
	assert_int_equal(scanned.methods.count, 1);
	fake_warns_only(&scanned.document, "t.c:2", "has no end");
	done(&scanned);
}

static void a_file_that_is_not_whole_is_named(void **state)
{
	struct scanned scanned;

	(void)state;
	scan(&scanned, "static const int NVOC_of_Gadget = \n");
	fake_warns_only(&scanned.document, "t.c", "cut off");
	done(&scanned);
	scan(&scanned, "int x;\n");
	fake_warns_only(&scanned.document, "t.c", "NVOC did not write this file");
	done(&scanned);
	/* A file can be empty: the driver has such files. */
	scan(&scanned, "");
	fake_warns_nothing(&scanned.document);
	done(&scanned);
}

static void a_line_between_entries_is_named(void **state)
{
	struct scanned scanned;

	(void)state;
	scan(&scanned, HEAD "MORE_METHODS(4)\n" USUAL TAIL);
	assert_int_equal(scanned.methods.count, 1);
	fake_warns_only(&scanned.document, "t.c:3", "not understood");
	done(&scanned);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_macro_that_states_the_parameters_wins),
		cmocka_unit_test(the_macro_that_is_spelled_like_the_parameters_comes_next),
		cmocka_unit_test(a_number_weighs_more_than_another_macros_name),
		cmocka_unit_test(the_methods_name_tells_commands_from_other_numbers),
		cmocka_unit_test(a_macro_that_only_has_the_number_does_not_name_it),
		cmocka_unit_test(a_comment_that_makes_it_of_an_interface_says_that_it_is_a_command),
		cmocka_unit_test(a_class_may_be_spelled_without_its_number),
		cmocka_unit_test(an_entry_has_all_its_members),
		cmocka_unit_test(size_zero_is_no_parameters),
		cmocka_unit_test(a_struct_keyword_is_no_part_of_the_name),
		cmocka_unit_test(several_tables_of_one_file_are_read),
		cmocka_unit_test(a_file_without_tables_is_nothing_to_speak_of),
		cmocka_unit_test(an_entry_under_another_if_is_conditional),
		cmocka_unit_test(a_table_under_an_if_is_conditional),
		cmocka_unit_test(what_is_under_if_0_does_not_count),
		cmocka_unit_test(an_entry_that_chooses_a_member_is_conditional),
		cmocka_unit_test(an_entry_that_lacks_a_member_is_left_out),
		cmocka_unit_test(a_member_given_twice_is_not_believed),
		cmocka_unit_test(strange_values_are_not_believed),
		cmocka_unit_test(a_line_without_a_members_name_spoils_the_entry),
		cmocka_unit_test(a_method_outside_a_table_is_named),
		cmocka_unit_test(a_table_that_is_cut_off_is_named),
		cmocka_unit_test(a_file_that_is_not_whole_is_named),
		cmocka_unit_test(a_line_between_entries_is_named),
	};

	return cmocka_run_group_tests_name("methods", tests, NULL, NULL);
}
