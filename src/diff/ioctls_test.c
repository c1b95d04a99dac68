/* Ioctls: renamed or another one, if one number has two names; which flags decide who may call. */
#include "diff/fixture_test.h"

static const struct diff_fact facts[] = {
	{ "another word and another field are a rename",
	  "struct X_CTRL_UCODE_COVERAGE_GET_STATE_PARAMS 16 { NvU32 a@0; NvU32 b@4; NvU32 c@8; "
	  "NvU32 covType@12 } ioctl X_CTRL_CMD_UCODE_COVERAGE_GET_STATE 1 "
	  "X_CTRL_UCODE_COVERAGE_GET_STATE_PARAMS",
	  "struct X_CTRL_UCODE_INSTRUMENTATION_GET_STATE_PARAMS 16 { NvU32 a@0; NvU32 b@4; NvU32 c@8; "
	  "NvU32 instrumentationType@12 } ioctl X_CTRL_CMD_UCODE_INSTRUMENTATION_GET_STATE 1 "
	  "X_CTRL_UCODE_INSTRUMENTATION_GET_STATE_PARAMS",
	  "ioctl X_CTRL_CMD_UCODE_INSTRUMENTATION_GET_STATE was X_CTRL_CMD_UCODE_COVERAGE_GET_STATE name\n"
	  "record X_CTRL_UCODE_INSTRUMENTATION_GET_STATE_PARAMS was X_CTRL_UCODE_COVERAGE_GET_STATE_PARAMS "
	  "name with X_CTRL_CMD_UCODE_INSTRUMENTATION_GET_STATE; "
	  "instrumentationType renamed name was covType" },
	{ "one more word is a rename",
	  "struct ATTACH_PARAMS 8 { NvU32 a@0; NvU32 b@4 } ioctl X_GEM_FENCE_ATTACH 1 ATTACH_PARAMS",
	  "struct PRIME_ATTACH_PARAMS 8 { NvU32 a@0; NvU32 b@4 } "
	  "ioctl X_GEM_PRIME_FENCE_ATTACH 1 PRIME_ATTACH_PARAMS",
	  "ioctl X_GEM_PRIME_FENCE_ATTACH was X_GEM_FENCE_ATTACH name\n"
	  "record PRIME_ATTACH_PARAMS was ATTACH_PARAMS name with X_GEM_PRIME_FENCE_ATTACH" },
	{ "other words with many equal fields are a rename",
	  "struct P 16 { NvU32 a@0; NvU32 b@4; NvU32 c@8; NvU32 d@12 } ioctl X_CMD_ONE 1 P",
	  "struct Q 16 { NvU32 a@0; NvU32 b@4; NvU32 c@8; NvU32 d@12 } ioctl X_CMD_ANOTHER 1 Q",
	  "ioctl X_CMD_ANOTHER was X_CMD_ONE name\n"
	  "record Q was P name with X_CMD_ANOTHER" },
	{ "other words with few equal fields prove nothing",
	  "struct P 8 { NvU32 a@0; NvU32 b@4 } ioctl X_CMD_LIMIT_DISABLE 1 P",
	  "struct Q 8 { NvU32 a@0; NvU32 b@4 } ioctl X_CMD_HANDLER_CHECK 1 Q",
	  "ioctl X_CMD_HANDLER_CHECK added number of X_CMD_LIMIT_DISABLE, removed\n"
	  "record Q added\n"
	  "ioctl X_CMD_LIMIT_DISABLE removed number of X_CMD_HANDLER_CHECK, there\n"
	  "record P removed" },
	{ "close names with another layout are two",
	  "struct P 16 { NvU32 a@0; NvU32 b@4; NvU32 c@8; NvU32 d@12 } ioctl X_CMD_GC6_ENTRY 1 P",
	  "struct Q 20 { NvU32 a@0; NvU32 b@4; NvU32 c@8; NvU32 d@12; NvU32 e@16 } ioctl X_CMD_GCX_ENTRY 1 Q",
	  "ioctl X_CMD_GCX_ENTRY added number of X_CMD_GC6_ENTRY, removed\n"
	  "record Q added\n"
	  "ioctl X_CMD_GC6_ENTRY removed number of X_CMD_GCX_ENTRY, there\n"
	  "record P removed" },
	{ "a handle where a number was is another layout",
	  "struct P 16 { NvU32 a@0; NvU32 b@4; NvU32 c@8; NvU32 d@12 } ioctl X_CMD_OLD_ENTRY 1 P",
	  "struct Q 16 { NvU32 a@0; NvU32 b@4; NvU32 c@8; NvHandle d@12 handle } ioctl X_CMD_NEW_ENTRY 1 Q",
	  "ioctl X_CMD_NEW_ENTRY added number of X_CMD_OLD_ENTRY, removed\n"
	  "record Q added\n"
	  "ioctl X_CMD_OLD_ENTRY removed number of X_CMD_NEW_ENTRY, there\n"
	  "record P removed" },
	{ "close names with other fields are two",
	  "struct P 8 { NvU32 a@0; NvU32 b@4 } ioctl X_CMD_GET_STATUS_INFO 1 P",
	  "struct Q 8 { NvU32 x@0; NvU32 y@4 } ioctl X_CMD_GET_DATA_INFO 1 Q",
	  "ioctl X_CMD_GET_DATA_INFO added number of X_CMD_GET_STATUS_INFO, removed\n"
	  "record Q added\n"
	  "ioctl X_CMD_GET_STATUS_INFO removed number of X_CMD_GET_DATA_INFO, there\n"
	  "record P removed" },
	{ "without parameters the names decide",
	  "ioctl X_CMD_PUSH_GSP_UCODE 1 -", "ioctl X_CMD_PUSH_UCODE_IMAGE 1 -",
	  "ioctl X_CMD_PUSH_UCODE_IMAGE was X_CMD_PUSH_GSP_UCODE name" },
	{ "without parameters other names are two",
	  "ioctl X_CMD_CUDA_LIMIT_DISABLE 1 -", "ioctl X_CMD_PFM_REQ_CHECK 1 -",
	  "ioctl X_CMD_PFM_REQ_CHECK added number of X_CMD_CUDA_LIMIT_DISABLE, removed\n"
	  "ioctl X_CMD_CUDA_LIMIT_DISABLE removed number of X_CMD_PFM_REQ_CHECK, there" },
	{ "of two candidates with the number none is chosen",
	  "struct P 16 { NvU32 a@0; NvU32 b@4; NvU32 c@8; NvU32 d@12 } ioctl X_CMD_GET_OLD_STATE 1 P",
	  "struct Q 16 { NvU32 a@0; NvU32 b@4; NvU32 c@8; NvU32 d@12 } ioctl X_CMD_GET_NEW_STATE 1 Q "
	  "struct R 16 { NvU32 a@0; NvU32 b@4; NvU32 c@8; NvU32 d@12 } ioctl X_CMD_GET_OTHER_STATE 1 R",
	  "ioctl X_CMD_GET_NEW_STATE added number of X_CMD_GET_OLD_STATE, removed\n"
	  "ioctl X_CMD_GET_OTHER_STATE added number of X_CMD_GET_OLD_STATE, removed\n"
	  "record Q added\n"
	  "record R added\n"
	  "ioctl X_CMD_GET_OLD_STATE removed number of X_CMD_GET_NEW_STATE, there\n"
	  "record P removed" },
	{ "two that swapped their names are two other numbers",
	  "struct P 16 { NvU32 a@0; NvU32 b@4; NvU32 c@8; NvU32 d@12 } ioctl X_CMD_GET_A 1 P "
	  "struct Q 16 { NvU32 a@0; NvU32 b@4; NvU32 c@8; NvU32 d@12 } ioctl X_CMD_GET_B 2 Q",
	  "struct P 16 { NvU32 a@0; NvU32 b@4; NvU32 c@8; NvU32 d@12 } ioctl X_CMD_GET_B 1 P "
	  "struct Q 16 { NvU32 a@0; NvU32 b@4; NvU32 c@8; NvU32 d@12 } ioctl X_CMD_GET_A 2 Q",
	  "ioctl X_CMD_GET_A number number of X_CMD_GET_B, now 0x1\n"
	  "ioctl X_CMD_GET_B number number of X_CMD_GET_A, now 0x2" },
	{ "a name that another number has now was not renamed",
	  "struct P 16 { NvU32 a@0; NvU32 b@4; NvU32 c@8; NvU32 d@12 } ioctl X_CMD_GET_STATE 1 P",
	  "struct P 16 { NvU32 a@0; NvU32 b@4; NvU32 c@8; NvU32 d@12 } ioctl X_CMD_GET_STATE 2 P "
	  "struct Q 16 { NvU32 a@0; NvU32 b@4; NvU32 c@8; NvU32 d@12 } ioctl X_CMD_GET_OLD_STATE 1 Q",
	  "ioctl X_CMD_GET_STATE number\n"
	  "ioctl X_CMD_GET_OLD_STATE added number of X_CMD_GET_STATE, now 0x2\n"
	  "record Q added" },
	{ "a chain of names is followed by name",
	  "struct P 16 { NvU32 a@0; NvU32 b@4; NvU32 c@8; NvU32 d@12 } ioctl X_CMD_GET_A_STATE 1 P "
	  "struct Q 16 { NvU32 a@0; NvU32 b@4; NvU32 c@8; NvU32 d@12 } ioctl X_CMD_GET_B_STATE 2 Q",
	  "struct Q 16 { NvU32 a@0; NvU32 b@4; NvU32 c@8; NvU32 d@12 } ioctl X_CMD_GET_B_STATE 1 Q "
	  "struct R 16 { NvU32 a@0; NvU32 b@4; NvU32 c@8; NvU32 d@12 } ioctl X_CMD_GET_C_STATE 2 R",
	  "ioctl X_CMD_GET_B_STATE number number of X_CMD_GET_A_STATE, removed\n"
	  "record R was P name\n"
	  "ioctl X_CMD_GET_C_STATE added number of X_CMD_GET_B_STATE, now 0x1\n"
	  "ioctl X_CMD_GET_A_STATE removed number of X_CMD_GET_B_STATE, there" },
};

static void the_changes_are_those_of_the_facts(void **state)
{
	(void)state;
	check_facts(facts, sizeof(facts) / sizeof(*facts));
}

static void the_same_number_of_another_family_is_no_rename(void **state)
{
	const struct abi_ioctl other = {
		.family = "alloc", .name = "X_CMD_GET_NEW_STATE", .number = 1, .source = ""
	};
	const struct diff *diff;

	(void)state;
	put_ioctl(base, "X_CMD_GET_OLD_STATE", 1, NULL);
	abi_builder_ioctl(next, &other);
	diff = compared();
	assert_int_equal(find_change(diff, ABI_IOCTL, "X_CMD_GET_OLD_STATE")->classes, DIFF_REMOVED);
}

/* --- flags and rights ------------------------------------------------------------- */

enum { WORDS_MAX = 4 };

/* @words: sorted, joined by blanks. */
static struct abi_ioctl ioctl_with(const char *words, const char *rights)
{
	const char **flags = arena_array(&arena, WORDS_MAX, sizeof(*flags));
	struct abi_ioctl ioctl = {
		.family = "control", .name = "CMD", .flags = flags, .access = rights, .source = ""
	};
	char *text = arena_strdup(&arena, words), *rest = NULL;

	for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
		flags[ioctl.flag_count++] = word;
	return ioctl;
}

static unsigned classes;
static const struct diff_flag *flags;
static size_t flag_count;

static void compare_with_rights(const char *was, const char *was_rights, const char *is, const char *is_rights)
{
	const struct abi_ioctl before = ioctl_with(was, was_rights), after = ioctl_with(is, is_rights);
	const struct diff_change *change;

	abi_builder_free(base);
	abi_builder_free(next);
	base = new_document();
	next = new_document();
	abi_builder_ioctl(base, &before);
	abi_builder_ioctl(next, &after);
	change = find_change(compared(), ABI_IOCTL, "CMD");
	classes = change ? change->classes : 0;
	flags = change ? change->flags : NULL;
	flag_count = change ? change->flag_count : 0;
}

static void compare(const char *was, const char *is)
{
	compare_with_rights(was, NULL, is, NULL);
}

/* What the comparison found, as "+came -went". */
static void assert_flags(const char *expected)
{
	struct strbuf line = { 0 };

	for (size_t i = 0; i < flag_count; i++)
		strbuf_addf(&line, "%s%c%s", i ? " " : "", flags[i].is_added ? '+' : '-', flags[i].word);
	assert_string_equal(strbuf_text(&line), expected);
	strbuf_release(&line);
}

static void equal_flags_are_no_change(void **state)
{
	(void)state;
	compare_with_rights("cacheable privileged", "nice", "cacheable privileged", "nice");
	assert_int_equal(classes, 0);
	assert_int_equal(flag_count, 0);
}

static void another_privilege_is_access(void **state)
{
	(void)state;
	compare("privileged", "non-privileged");
	assert_int_equal(classes, DIFF_ACCESS);
	assert_flags("+non-privileged -privileged");
}

static void a_lock_is_flags(void **state)
{
	(void)state;
	compare("non-privileged", "no-gpus-lock non-privileged");
	assert_int_equal(classes, DIFF_FLAGS);
	assert_flags("+no-gpus-lock");
}

static void a_privilege_and_a_lock_are_both(void **state)
{
	(void)state;
	compare("kernel-privileged", "no-gpus-lock privileged");
	assert_int_equal(classes, DIFF_ACCESS | DIFF_FLAGS);
	assert_flags("+privileged -kernel-privileged +no-gpus-lock");
}

static void a_right_is_access(void **state)
{
	(void)state;
	compare_with_rights("non-privileged", NULL, "non-privileged", "nice");
	assert_int_equal(classes, DIFF_ACCESS);
	assert_int_equal(flags[0].kind, DIFF_FLAG_RIGHT);
	assert_flags("+nice");
}

static void of_several_rights_only_those_that_differ_are_told(void **state)
{
	(void)state;
	compare_with_rights("", "debug,nice", "", "nice,perfmon");
	assert_flags("+perfmon -debug");
}

static void a_longer_right_is_another_one(void **state)
{
	(void)state;
	compare_with_rights("", "nice", "", "nicer");
	assert_flags("+nicer -nice");
}

static void a_plugin_that_is_let_in_is_no_access_of_a_process(void **state)
{
	(void)state;
	compare("kernel-privileged", "cpu-plugin-for-sriov kernel-privileged");
	assert_int_equal(classes, DIFF_FLAGS);
}

static void what_only_the_driver_may_call_is_access(void **state)
{
	(void)state;
	compare("non-privileged", "internal-only non-privileged");
	assert_int_equal(classes, DIFF_ACCESS);
}

static void what_nothing_answers_is_access(void **state)
{
	(void)state;
	compare("not-dispatched", "");
	assert_int_equal(classes, DIFF_ACCESS);
}

static void a_privilege_that_is_new_to_us_is_access(void **state)
{
	(void)state;
	compare("non-privileged", "hypervisor-privileged non-privileged");
	assert_int_equal(classes, DIFF_ACCESS);
}

static void open_to_all_as_before_is_flags(void **state)
{
	(void)state;
	compare("", "non-privileged");
	assert_int_equal(classes, DIFF_FLAGS);
	compare("non-privileged", "");
	assert_int_equal(classes, DIFF_FLAGS);
}

static void a_privilege_where_none_was_stated_is_access(void **state)
{
	(void)state;
	compare("", "privileged");
	assert_int_equal(classes, DIFF_ACCESS);
	compare("kernel-privileged", "");
	assert_int_equal(classes, DIFF_ACCESS);
}

static void a_command_that_is_only_deprecated_any_more_states_no_privilege(void **state)
{
	(void)state;
	compare("deprecated privileged", "deprecated");
	assert_int_equal(classes, DIFF_FLAGS);
	assert_flags("-privileged");
}

static void a_deprecated_command_with_a_method_states_its_privilege(void **state)
{
	(void)state;
	compare("deprecated privileged", "deprecated non-privileged");
	assert_int_equal(classes, DIFF_ACCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_changes_are_those_of_the_facts),
		TEST(the_same_number_of_another_family_is_no_rename),
		TEST(equal_flags_are_no_change),
		TEST(another_privilege_is_access),
		TEST(a_lock_is_flags),
		TEST(a_privilege_and_a_lock_are_both),
		TEST(a_right_is_access),
		TEST(of_several_rights_only_those_that_differ_are_told),
		TEST(a_longer_right_is_another_one),
		TEST(a_plugin_that_is_let_in_is_no_access_of_a_process),
		TEST(what_only_the_driver_may_call_is_access),
		TEST(what_nothing_answers_is_access),
		TEST(a_privilege_that_is_new_to_us_is_access),
		TEST(open_to_all_as_before_is_flags),
		TEST(a_privilege_where_none_was_stated_is_access),
		TEST(a_command_that_is_only_deprecated_any_more_states_no_privilege),
		TEST(a_deprecated_command_with_a_method_states_its_privilege),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
