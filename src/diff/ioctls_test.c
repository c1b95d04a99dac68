/* Ioctls: renamed or another one, if one number has two names; which flags decide who may call. */
#include "diff/fixture_test.h"

static void expect_renamed(const char *was, const char *is)
{
	const struct diff_change *change = find_change(compared(), ABI_IOCTL, is);

	assert_non_null(change);
	assert_int_equal(change->classes, DIFF_NAME);
	assert_non_null(change->base_name);
	assert_string_equal(change->base_name, was);
}

static void expect_two(const char *was, const char *is)
{
	const struct diff *diff = compared();

	assert_int_equal(find_change(diff, ABI_IOCTL, was)->classes, DIFF_REMOVED);
	assert_int_equal(find_change(diff, ABI_IOCTL, is)->classes, DIFF_ADDED);
}

/* An ioctl with parameters of four leaves, the last of them called @last. */
static void put_four(struct abi_builder *doc, const char *name, uint64_t number, const char *params,
		     const char *last)
{
	RECORD(doc, params, 16, U32("a", 0), U32("b", 4), U32("c", 8), U32(last, 12));
	put_ioctl(doc, name, number, params);
}

static void one_word_and_one_field_are_others(void **state)
{
	(void)state;
	put_four(base, "X_CTRL_CMD_UCODE_COVERAGE_GET_STATE", 1, "X_CTRL_UCODE_COVERAGE_GET_STATE_PARAMS",
		 "covType");
	put_four(next, "X_CTRL_CMD_UCODE_INSTRUMENTATION_GET_STATE", 1,
		 "X_CTRL_UCODE_INSTRUMENTATION_GET_STATE_PARAMS", "instrumentationType");
	expect_renamed("X_CTRL_CMD_UCODE_COVERAGE_GET_STATE", "X_CTRL_CMD_UCODE_INSTRUMENTATION_GET_STATE");
}

static void a_word_more_is_a_rename(void **state)
{
	(void)state;
	RECORD(base, "ATTACH_PARAMS", 8, U32("a", 0), U32("b", 4));
	RECORD(next, "PRIME_ATTACH_PARAMS", 8, U32("a", 0), U32("b", 4));
	put_ioctl(base, "X_GEM_FENCE_ATTACH", 1, "ATTACH_PARAMS");
	put_ioctl(next, "X_GEM_PRIME_FENCE_ATTACH", 1, "PRIME_ATTACH_PARAMS");
	expect_renamed("X_GEM_FENCE_ATTACH", "X_GEM_PRIME_FENCE_ATTACH");
}

static void other_words_with_many_equal_fields_are_a_rename(void **state)
{
	(void)state;
	put_four(base, "X_CMD_ONE", 1, "P", "d");
	put_four(next, "X_CMD_ANOTHER", 1, "Q", "d");
	expect_renamed("X_CMD_ONE", "X_CMD_ANOTHER");
}

static void other_words_with_few_equal_fields_prove_nothing(void **state)
{
	(void)state;
	RECORD(base, "P", 8, U32("a", 0), U32("b", 4));
	RECORD(next, "Q", 8, U32("a", 0), U32("b", 4));
	put_ioctl(base, "X_CMD_LIMIT_DISABLE", 1, "P");
	put_ioctl(next, "X_CMD_HANDLER_CHECK", 1, "Q");
	expect_two("X_CMD_LIMIT_DISABLE", "X_CMD_HANDLER_CHECK");
}

static void close_names_with_another_layout_are_two(void **state)
{
	(void)state;
	put_four(base, "X_CMD_GC6_ENTRY", 1, "P", "d");
	RECORD(next, "Q", 20, U32("a", 0), U32("b", 4), U32("c", 8), U32("d", 12), U32("e", 16));
	put_ioctl(next, "X_CMD_GCX_ENTRY", 1, "Q");
	expect_two("X_CMD_GC6_ENTRY", "X_CMD_GCX_ENTRY");
}

static void a_handle_where_a_number_was_is_another_layout(void **state)
{
	(void)state;
	put_four(base, "X_CMD_OLD_ENTRY", 1, "P", "d");
	RECORD(next, "Q", 16, U32("a", 0), U32("b", 4), U32("c", 8), HANDLE("d", 12));
	put_ioctl(next, "X_CMD_NEW_ENTRY", 1, "Q");
	expect_two("X_CMD_OLD_ENTRY", "X_CMD_NEW_ENTRY");
}

static void close_names_with_other_fields_are_two(void **state)
{
	(void)state;
	RECORD(base, "P", 8, U32("a", 0), U32("b", 4));
	RECORD(next, "Q", 8, U32("x", 0), U32("y", 4));
	put_ioctl(base, "X_CMD_GET_STATUS_INFO", 1, "P");
	put_ioctl(next, "X_CMD_GET_DATA_INFO", 1, "Q");
	expect_two("X_CMD_GET_STATUS_INFO", "X_CMD_GET_DATA_INFO");
}

static void without_parameters_the_names_decide(void **state)
{
	(void)state;
	put_ioctl(base, "X_CMD_PUSH_GSP_UCODE", 1, NULL);
	put_ioctl(next, "X_CMD_PUSH_UCODE_IMAGE", 1, NULL);
	expect_renamed("X_CMD_PUSH_GSP_UCODE", "X_CMD_PUSH_UCODE_IMAGE");
}

static void without_parameters_other_names_are_two(void **state)
{
	(void)state;
	put_ioctl(base, "X_CMD_CUDA_LIMIT_DISABLE", 1, NULL);
	put_ioctl(next, "X_CMD_PFM_REQ_CHECK", 1, NULL);
	expect_two("X_CMD_CUDA_LIMIT_DISABLE", "X_CMD_PFM_REQ_CHECK");
}

static void of_two_candidates_with_the_number_none_is_chosen(void **state)
{
	const struct diff *diff;

	(void)state;
	put_four(base, "X_CMD_GET_OLD_STATE", 1, "P", "d");
	put_four(next, "X_CMD_GET_NEW_STATE", 1, "Q", "d");
	put_four(next, "X_CMD_GET_OTHER_STATE", 1, "R", "d");
	diff = compared();
	assert_int_equal(find_change(diff, ABI_IOCTL, "X_CMD_GET_OLD_STATE")->classes, DIFF_REMOVED);
	assert_int_equal(find_change(diff, ABI_IOCTL, "X_CMD_GET_NEW_STATE")->classes, DIFF_ADDED);
	assert_int_equal(find_change(diff, ABI_IOCTL, "X_CMD_GET_OTHER_STATE")->classes, DIFF_ADDED);
}

static void two_that_swapped_their_names_are_two_other_numbers(void **state)
{
	const struct diff *diff;

	(void)state;
	put_four(base, "X_CMD_GET_A", 1, "P", "d");
	put_four(base, "X_CMD_GET_B", 2, "Q", "d");
	put_four(next, "X_CMD_GET_B", 1, "P", "d");
	put_four(next, "X_CMD_GET_A", 2, "Q", "d");
	diff = compared();
	assert_int_equal(find_change(diff, ABI_IOCTL, "X_CMD_GET_A")->classes, DIFF_NUMBER);
	assert_null(find_change(diff, ABI_IOCTL, "X_CMD_GET_A")->base_name);
	assert_int_equal(find_change(diff, ABI_IOCTL, "X_CMD_GET_B")->classes, DIFF_NUMBER);
}

static void a_name_that_another_number_has_now_was_not_renamed(void **state)
{
	const struct diff *diff;

	(void)state;
	put_four(base, "X_CMD_GET_STATE", 1, "P", "d");
	put_four(next, "X_CMD_GET_STATE", 2, "P", "d");
	put_four(next, "X_CMD_GET_OLD_STATE", 1, "Q", "d");
	diff = compared();
	assert_int_equal(find_change(diff, ABI_IOCTL, "X_CMD_GET_STATE")->classes, DIFF_NUMBER);
	assert_int_equal(find_change(diff, ABI_IOCTL, "X_CMD_GET_OLD_STATE")->classes, DIFF_ADDED);
}

static void a_chain_of_names_is_followed_by_name(void **state)
{
	const struct diff *diff;

	(void)state;
	put_four(base, "X_CMD_GET_A_STATE", 1, "P", "d");
	put_four(base, "X_CMD_GET_B_STATE", 2, "Q", "d");
	put_four(next, "X_CMD_GET_B_STATE", 1, "Q", "d");
	put_four(next, "X_CMD_GET_C_STATE", 2, "R", "d");
	diff = compared();
	assert_int_equal(find_change(diff, ABI_IOCTL, "X_CMD_GET_A_STATE")->classes, DIFF_REMOVED);
	assert_int_equal(find_change(diff, ABI_IOCTL, "X_CMD_GET_B_STATE")->classes, DIFF_NUMBER);
	assert_int_equal(find_change(diff, ABI_IOCTL, "X_CMD_GET_C_STATE")->classes, DIFF_ADDED);
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
		TEST(one_word_and_one_field_are_others),
		TEST(a_word_more_is_a_rename),
		TEST(other_words_with_many_equal_fields_are_a_rename),
		TEST(other_words_with_few_equal_fields_prove_nothing),
		TEST(close_names_with_another_layout_are_two),
		TEST(a_handle_where_a_number_was_is_another_layout),
		TEST(close_names_with_other_fields_are_two),
		TEST(without_parameters_the_names_decide),
		TEST(without_parameters_other_names_are_two),
		TEST(of_two_candidates_with_the_number_none_is_chosen),
		TEST(two_that_swapped_their_names_are_two_other_numbers),
		TEST(a_name_that_another_number_has_now_was_not_renamed),
		TEST(a_chain_of_names_is_followed_by_name),
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
