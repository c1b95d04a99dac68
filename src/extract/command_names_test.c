#include "extract/internal.h"

#include "extract/ioctls_fake.h"

#define MACRO(macro, number, text)                                                                           \
	{ .name = macro,                                                                                     \
	  .value = { number, false },                                                                        \
	  .evaluated = true,                                                                                 \
	  .unit = "rm",                                                                                      \
	  .file = "x.h",                                                                                     \
	  .line = 1,                                                                                         \
	  .body = text }

static const struct profile_family family = {
	.name = "control", .match = FAKE_STRINGS("NV*_CTRL_*"), .except = FAKE_STRINGS("*_MESSAGE_ID"),
};

/* The name that @number gets, "" if none fits. */
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
		MACRO("NV0000_CTRL_CMD_LOOK", 0x102, "(0x102U) /* \"(FINN_ROOT_INTERFACE_ID << 8) | 0x2\" */"),
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
	};

	return cmocka_run_group_tests_name("command_names", tests, NULL, NULL);
}
