/* The families of the driver's tables, and what all families have in common. */
#include "extract/small_driver_fake.h"

static struct profile_family control = {
	.name = "control",
	.source = PROFILE_FROM_NVOC,
	.match = FAKE_STRINGS("NV*_CTRL_*"),
	.files = FAKE_STRINGS("gen/g_a_nvoc.c", "gen/g_b_nvoc.c"),
	.embedded = FAKE_STRINGS("rm/copy.c"),
	.flag_words = { .files = FAKE_STRINGS("rm/control.h"),
			.prefix = FAKE_STRINGS("CF_"),
			.fallback = "CF_KERNEL",
			.unless = FAKE_STRINGS("CF_ANYONE") },
	.access_words = { .files = FAKE_STRINGS("rm/rights.h"), .prefix = FAKE_STRINGS("RS_ACCESS_") },
};

static const struct profile_family alloc = {
	.name = "alloc",
	.source = PROFILE_FROM_RS_ENTRY,
	.files = FAKE_STRINGS("rm/list.h"),
	.flag_words = { .files = FAKE_STRINGS("rm/flags.h"),
			.prefix = FAKE_STRINGS("RS_FLAGS_ALLOC_", "RS_FLAGS_") },
	.access_words = { .files = FAKE_STRINGS("rm/rights.h"), .prefix = FAKE_STRINGS("RS_ACCESS_") },
};

static void a_command_has_all_that_the_driver_says(void **state)
{
	struct made made;
	const struct abi_ioctl *ioctl;

	(void)state;
	begin(&made);
	make(&made, &control);
	assert_int_equal(made.rc, 0);
	fake_warns_nothing(&made.document);
	assert_int_equal(made.document.abi.ioctl_count, 2);
	ioctl = abi_find_ioctl(&made.document.abi, "control", "NV2080_CTRL_CMD_SPIN");
	assert_non_null(ioctl);
	assert_int_equal(ioctl->number, 0x20800101);
	assert_string_equal(ioctl->params, "NV2080_CTRL_SPIN_PARAMS");
	assert_string_equal(flags_of(ioctl, &made.document.arena), "anyone,embedded-pointers,no-lock");
	assert_string_equal(ioctl->access, "nice");
	assert_string_equal(ioctl->source, "gen/g_a_nvoc.c:3");
	fake_end(&made.document);
}

static void a_command_without_parameters_is_known_by_class_and_method(void **state)
{
	struct made made;
	const struct abi_ioctl *ioctl;

	(void)state;
	begin(&made);
	make(&made, &control);
	fake_seal(&made.document);
	ioctl = abi_find_ioctl(&made.document.abi, "control", "NV2080_CTRL_CMD_HALT");
	assert_non_null(ioctl);
	assert_null(ioctl->params);
	assert_null(ioctl->access);
	assert_string_equal(flags_of(ioctl, &made.document.arena), "kernel");
	fake_end(&made.document);
}

static void a_command_without_a_macro_has_its_methods_name(void **state)
{
	struct profile_family none = control;
	struct made made;

	(void)state;
	none.match = (struct profile_strings){ 0 };
	begin(&made);
	make(&made, &none);
	fake_seal(&made.document);
	assert_non_null(abi_find_ioctl(&made.document.abi, "control", "subdeviceCtrlCmdSpin"));
	fake_end(&made.document);
}

static void one_number_with_other_parameters_is_named(void **state)
{
	const struct profile_family two = {
		.name = "control", .source = PROFILE_FROM_NVOC, .match = control.match,
		.files = FAKE_STRINGS("gen/g_b_nvoc.c", "gen/g_other_nvoc.c"),
		.flag_words = control.flag_words, .access_words = control.access_words,
	};
	struct made made;

	(void)state;
	begin(&made);
	make(&made, &two);
	assert_int_equal(made.rc, 0);
	fake_warns_only(&made.document, "gen/g_other_nvoc.c:3", "it is left out");
	assert_int_equal(made.document.abi.ioctl_count, 1);
	fake_end(&made.document);
}

static void parameters_that_no_header_declares_are_named(void **state)
{
	const struct profile_family other = {
		.name = "control", .source = PROFILE_FROM_NVOC, .match = control.match,
		.files = FAKE_STRINGS("gen/g_other_nvoc.c"),
		.flag_words = control.flag_words, .access_words = control.access_words,
	};
	struct made made;

	(void)state;
	begin(&made);
	make(&made, &other);
	fake_warns_only(&made.document, "gen/g_other_nvoc.c:3", "NV2080_CTRL_OTHER_PARAMS");
	assert_int_equal(made.document.abi.ioctl_count, 1);
	fake_end(&made.document);
}

static const struct profile_params old_params[] = { { .record = "\\1", .regex = "([A-Z0-9_]+)_MESSAGE_ID" } };

static struct profile_family control_with(const char *const *old_file)
{
	struct profile_family family = control;

	family.deprecated = (struct profile_deprecated){ { old_file, 1 }, "oldTable" };
	family.params = old_params;
	family.param_count = 1;
	return family;
}

static void deprecated_commands_stand_beside_the_methods(void **state)
{
	static const char *const file = "rm/old.c";
	const struct profile_family family = control_with(&file);
	struct made made;
	const struct abi *abi = &made.document.abi;
	const struct abi_ioctl *ioctl;

	(void)state;
	begin(&made);
	make(&made, &family);
	assert_int_equal(made.rc, 0);
	fake_seal(&made.document);
	assert_int_equal(abi->ioctl_count, 4);
	ioctl = abi_find_ioctl(abi, "control", "NV2080_CTRL_CMD_WAIT");
	assert_int_equal(ioctl->number, 0x20800103);
	assert_string_equal(ioctl->params, "NV2080_CTRL_WAIT_PARAMS");
	assert_string_equal(flags_of(ioctl, &made.document.arena), "deprecated,embedded-pointers");
	assert_string_equal(ioctl->source, "rm/old.c:5");
	assert_null(ioctl->access);
	ioctl = abi_find_ioctl(abi, "control", "NV2080_CTRL_CMD_SPIN");
	assert_string_equal(flags_of(ioctl, &made.document.arena),
			    "anyone,deprecated,embedded-pointers,no-lock,skip-vgpu");
	assert_string_equal(ioctl->source, "gen/g_a_nvoc.c:3");
	fake_end(&made.document);
}

/* NV2080_CTRL_CMD_WALK's comment names WALK_PARAMS, its function SPIN_PARAMS; SPIN has no rule. */
static void a_record_that_only_one_witness_names_is_not_known(void **state)
{
	static const char *const file = "rm/old.c";
	const struct profile_family family = control_with(&file);
	struct made made;
	const struct abi *abi = &made.document.abi;

	(void)state;
	begin(&made);
	make(&made, &family);
	fake_seal(&made.document);
	assert_null(abi_find_ioctl(abi, "control", "NV2080_CTRL_CMD_WALK")->params);
	assert_int_equal(abi->warning_count, 2);
	assert_string_equal(abi->warnings[0].place, "rm/old.c:4");
	assert_non_null(
		strstr(abi->warnings[0].text, "No rule of the profile gives NV2080_CTRL_CMD_SPIN a record"));
	assert_string_equal(abi->warnings[1].place, "rm/old.c:6");
	assert_non_null(
		strstr(abi->warnings[1].text,
		       "NV2080_CTRL_CMD_WALK should take a NV2080_CTRL_WALK_PARAMS, but its function"));
	fake_end(&made.document);
}

static void the_first_row_of_a_number_counts(void **state)
{
	static const char *const file = "rm/old_again.c";
	const struct profile_family family = control_with(&file);
	struct made made;
	const struct abi *abi = &made.document.abi;

	(void)state;
	begin(&made);
	make(&made, &family);
	fake_seal(&made.document);
	assert_non_null(abi_find_ioctl(abi, "control", "NV2080_CTRL_CMD_WAIT"));
	assert_null(abi_find_ioctl(abi, "control", "NV2080_CTRL_CMD_WAIT_ALIAS"));
	assert_int_equal(abi->warning_count, 2);
	assert_non_null(strstr(abi->warnings[1].text,
			       "The deprecated command GONE is left out: the headers give it no number"));
	assert_non_null(
		strstr(abi->warnings[0].text,
		       "NV2080_CTRL_CMD_WAIT_ALIAS has the number of NV2080_CTRL_CMD_WAIT at rm/old_again.c:2"));
	fake_end(&made.document);
}

static void a_tree_without_a_deprecated_table_is_named(void **state)
{
	static const char *const file = "rm/gone.c";
	const struct profile_family family = control_with(&file);
	struct made made;

	(void)state;
	begin(&made);
	make(&made, &family);
	assert_int_equal(made.rc, 0);
	fake_warns_only(&made.document, "rm/gone.c",
			"There is no such file, so it is not known which commands are deprecated");
	assert_int_equal(made.document.abi.ioctl_count, 2);
	fake_end(&made.document);
}

static void a_tree_without_tables_is_named(void **state)
{
	struct profile_family absent = control;
	struct made made;

	(void)state;
	absent.embedded = (struct profile_strings){ 0 };
	absent.files.count = 1;
	begin(&made);
	made.tree.files = files + 3;
	made.tree.count -= 3;
	make(&made, &absent);
	assert_int_equal(made.rc, 0);
	fake_warns_only(&made.document, "gen/g_a_nvoc.c", "There is no such file");
	fake_end(&made.document);
}

static void a_tree_that_cannot_be_read_is_an_error(void **state)
{
	struct made made;

	(void)state;
	begin(&made);
	made.tree.read_fails = ERR_GIT;
	make(&made, &control);
	assert_int_equal(made.rc, ERR_GIT);
	assert_string_equal(made.err.text, "cannot read gen/g_a_nvoc.c");
	fake_end(&made.document);
	begin(&made);
	made.tree.read_fails = ERR_GIT;
	make(&made, &alloc);
	assert_int_equal(made.rc, ERR_GIT);
	fake_end(&made.document);
}

static void a_class_has_all_that_the_driver_says(void **state)
{
	struct made made;
	const struct abi_ioctl *ioctl;

	(void)state;
	begin(&made);
	make(&made, &alloc);
	assert_int_equal(made.rc, 0);
	fake_warns_nothing(&made.document);
	ioctl = abi_find_ioctl(&made.document.abi, "alloc", "THING_A");
	assert_int_equal(ioctl->number, 0x9010);
	assert_string_equal(ioctl->params, "THING_PARAMS");
	assert_string_equal(flags_of(ioctl, &made.document.arena), "anyone,lock,required");
	assert_string_equal(ioctl->access, "nice");
	assert_string_equal(ioctl->source, "rm/list.h:1");
	ioctl = abi_find_ioctl(&made.document.abi, "alloc", "THING_B");
	assert_null(ioctl->params);
	assert_int_equal(ioctl->flag_count, 0);
	assert_null(ioctl->access);
	fake_end(&made.document);
}

static void a_class_without_a_number_is_named(void **state)
{
	const struct profile_family lonely = {
		.name = "alloc", .source = PROFILE_FROM_RS_ENTRY, .files = FAKE_STRINGS("rm/lonely.h"),
		.flag_words = alloc.flag_words, .access_words = alloc.access_words,
	};
	struct made made;

	(void)state;
	begin(&made);
	make(&made, &lonely);
	fake_warns_only(&made.document, "rm/lonely.h:1", "THING_C");
	assert_int_equal(made.document.abi.ioctl_count, 0);
	fake_end(&made.document);
}

static void a_malformed_expression_is_an_error(void **state)
{
	static const char *const file = "rm/old.c";
	const struct profile_params params = { .record = "X", .regex = "(" };
	struct profile_family broken = escapes;
	struct made made;

	(void)state;
	broken.params = &params;
	broken.param_count = 1;
	begin(&made);
	make(&made, &broken);
	assert_int_equal(made.rc, ERR_FORMAT);
	fake_end(&made.document);
	broken = control_with(&file);
	broken.params = &params;
	begin(&made);
	make(&made, &broken);
	assert_int_equal(made.rc, ERR_FORMAT);
	fake_end(&made.document);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_command_has_all_that_the_driver_says),
		cmocka_unit_test(a_command_without_parameters_is_known_by_class_and_method),
		cmocka_unit_test(a_command_without_a_macro_has_its_methods_name),
		cmocka_unit_test(one_number_with_other_parameters_is_named),
		cmocka_unit_test(parameters_that_no_header_declares_are_named),
		cmocka_unit_test(deprecated_commands_stand_beside_the_methods),
		cmocka_unit_test(a_record_that_only_one_witness_names_is_not_known),
		cmocka_unit_test(the_first_row_of_a_number_counts),
		cmocka_unit_test(a_tree_without_a_deprecated_table_is_named),
		cmocka_unit_test(a_tree_without_tables_is_named),
		cmocka_unit_test(a_tree_that_cannot_be_read_is_an_error),
		cmocka_unit_test(a_class_has_all_that_the_driver_says),
		cmocka_unit_test(a_class_without_a_number_is_named),
		cmocka_unit_test(a_malformed_expression_is_an_error),
	};

	return cmocka_run_group_tests_name("ioctls", tests, NULL, NULL);
}
