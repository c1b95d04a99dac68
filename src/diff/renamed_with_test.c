/* What is renamed together with an ioctl, and who had a number before. */
#include "diff/fixture_test.h"

static void put_state(struct abi_builder *doc, const char *word, const char *last)
{
	const char *params = arena_printf(&arena, "X_CTRL_UCODE_%s_GET_STATE_PARAMS", word);

	RECORD(doc, params, 16, U32("a", 0), U32("b", 4), U32("c", 8), U32(last, 12));
	put_ioctl(doc, arena_printf(&arena, "X_CTRL_CMD_UCODE_%s_GET_STATE", word), 1, params);
}

static const struct diff_change *told_under_ioctl(const struct diff *diff, enum abi_kind kind, const char *name)
{
	const struct diff_change *change = find_change(diff, kind, name);

	assert_non_null(change);
	assert_ptr_equal(change->under, find_change(diff, ABI_IOCTL, "X_CTRL_CMD_UCODE_INSTRUMENTATION_GET_STATE"));
	return change;
}

static const struct diff *coverage_became_instrumentation(void)
{
	put_state(base, "COVERAGE", "covType");
	put_state(next, "INSTRUMENTATION", "type");
	return compared();
}

static void the_record_is_told_with_its_ioctl(void **state)
{
	const struct diff_change *record;

	(void)state;
	record = told_under_ioctl(coverage_became_instrumentation(), ABI_RECORD, "X_CTRL_UCODE_INSTRUMENTATION_GET_STATE_PARAMS");
	assert_string_equal(record->base_name, "X_CTRL_UCODE_COVERAGE_GET_STATE_PARAMS");
	assert_int_equal(record->classes, DIFF_NAME);
}

static void a_constant_of_the_same_words_is_told_with_the_ioctl(void **state)
{
	const struct diff *diff;

	(void)state;
	put_constant(base, "X_CTRL_UCODE_COVERAGE", 0x19);
	put_constant(next, "X_CTRL_UCODE_INSTRUMENTATION", 0x19);
	diff = coverage_became_instrumentation();
	assert_string_equal(told_under_ioctl(diff, ABI_CONSTANT, "X_CTRL_UCODE_INSTRUMENTATION")->base_name, "X_CTRL_UCODE_COVERAGE");
	assert_null(find_change(diff, ABI_CONSTANT, "X_CTRL_UCODE_COVERAGE"));
	assert_int_equal(diff->summary[ABI_CONSTANT].changed, 1);
	assert_int_equal(diff->summary[ABI_CONSTANT].removed, 0);
}

static void the_number_of_a_message_is_told_with_the_ioctl(void **state)
{
	(void)state;
	put_constant(base, "X_CTRL_UCODE_COVERAGE_GET_STATE_PARAMS_MESSAGE_ID", 1);
	put_constant(next, "X_CTRL_UCODE_INSTRUMENTATION_GET_STATE_PARAMS_MESSAGE_ID", 1);
	told_under_ioctl(coverage_became_instrumentation(), ABI_CONSTANT, "X_CTRL_UCODE_INSTRUMENTATION_GET_STATE_PARAMS_MESSAGE_ID");
}

static void of_several_ioctls_a_constant_is_told_with_the_closest(void **state)
{
	const struct diff *diff;

	(void)state;
	put_ioctl(base, "X_IOCTL_FENCE_ATTACH", 1, NULL);
	put_ioctl(next, "X_IOCTL_PRIME_FENCE_ATTACH", 1, NULL);
	put_ioctl(base, "X_IOCTL_FENCE_CREATE", 2, NULL);
	put_ioctl(next, "X_IOCTL_PRIME_FENCE_CREATE", 2, NULL);
	put_constant(base, "X_FENCE_CREATE", 5);
	put_constant(next, "X_PRIME_FENCE_CREATE", 5);
	diff = compared();
	assert_string_equal(find_change(diff, ABI_CONSTANT, "X_PRIME_FENCE_CREATE")->with, "X_IOCTL_PRIME_FENCE_CREATE");
}

static void another_value_is_no_rename(void **state)
{
	const struct diff *diff;

	(void)state;
	put_constant(base, "X_CTRL_UCODE_COVERAGE", 0x19);
	put_constant(next, "X_CTRL_UCODE_INSTRUMENTATION", 0x1a);
	diff = coverage_became_instrumentation();
	assert_int_equal(find_change(diff, ABI_CONSTANT, "X_CTRL_UCODE_COVERAGE")->classes, DIFF_REMOVED);
	assert_int_equal(find_change(diff, ABI_CONSTANT, "X_CTRL_UCODE_INSTRUMENTATION")->classes, DIFF_ADDED);
}

static void a_constant_that_begins_otherwise_is_told_by_itself(void **state)
{
	(void)state;
	put_constant(base, "Y_COVERAGE", 1);
	put_constant(next, "Y_INSTRUMENTATION", 1);
	assert_int_equal(find_change(coverage_became_instrumentation(), ABI_CONSTANT, "Y_COVERAGE")->classes, DIFF_REMOVED);
}

static void half_a_word_is_no_word(void **state)
{
	(void)state;
	put_constant(base, "X_COVERAGES", 1);
	put_constant(next, "X_INSTRUMENTATIONS", 1);
	assert_int_equal(find_change(coverage_became_instrumentation(), ABI_CONSTANT, "X_COVERAGES")->classes, DIFF_REMOVED);
}

static void a_record_that_changed_besides_is_told_by_itself(void **state)
{
	const struct diff *diff;

	(void)state;
	RECORD(base, "P", 4, U32("a", 0));
	RECORD(next, "P", 4, U32("b", 0));
	put_ioctl(base, "X_CMD_GET_OLD_STATE", 1, "P");
	put_ioctl(next, "X_CMD_GET_NEW_STATE", 1, "P");
	diff = compared();
	assert_string_equal(find_change(diff, ABI_IOCTL, "X_CMD_GET_NEW_STATE")->base_name, "X_CMD_GET_OLD_STATE");
	assert_null(find_change(diff, ABI_RECORD, "P")->under);
}

static void without_the_ioctl_in_the_list_the_record_is_told_by_itself(void **state)
{
	const struct diff *diff;

	(void)state;
	put_constant(base, "X_CTRL_UCODE_COVERAGE", 0x19);
	put_constant(next, "X_CTRL_UCODE_INSTRUMENTATION", 0x19);
	options.record = "X_CTRL_UCODE_INSTRUMENTATION";
	diff = coverage_became_instrumentation();
	assert_int_equal(diff->change_count, 1);
	assert_null(diff->changes[0].under);
}

static void the_one_that_has_the_number_says_where_the_former_owner_is(void **state)
{
	const struct diff *diff;

	(void)state;
	put_ioctl(base, "MOVED", 1, NULL);
	put_ioctl(next, "MOVED", 2, NULL);
	put_ioctl(next, "NEW", 1, NULL);
	diff = compared();
	assert_string_equal(find_change(diff, ABI_IOCTL, "NEW")->number_was, "MOVED");
	assert_false(find_change(diff, ABI_IOCTL, "NEW")->number_was_is_gone);
	assert_int_equal(find_change(diff, ABI_IOCTL, "NEW")->number_was_now, 2);
}

static void or_that_it_is_gone(void **state)
{
	const struct diff *diff;

	(void)state;
	put_ioctl(base, "GONE", 1, NULL);
	put_ioctl(base, "MOVED", 2, NULL);
	put_ioctl(next, "MOVED", 1, NULL);
	diff = compared();
	assert_string_equal(find_change(diff, ABI_IOCTL, "MOVED")->number_was, "GONE");
	assert_true(find_change(diff, ABI_IOCTL, "MOVED")->number_was_is_gone);
}

static void a_number_that_its_owner_still_has_was_not_given_away(void **state)
{
	const struct diff *diff;

	(void)state;
	put_ioctl(base, "STAYS", 1, NULL);
	put_ioctl(next, "STAYS", 1, NULL);
	put_ioctl(next, "ALSO", 1, NULL);
	diff = compared();
	assert_null(find_change(diff, ABI_IOCTL, "ALSO")->number_was);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_record_is_told_with_its_ioctl),
		TEST(a_constant_of_the_same_words_is_told_with_the_ioctl),
		TEST(the_number_of_a_message_is_told_with_the_ioctl),
		TEST(of_several_ioctls_a_constant_is_told_with_the_closest),
		TEST(another_value_is_no_rename),
		TEST(a_constant_that_begins_otherwise_is_told_by_itself),
		TEST(half_a_word_is_no_word),
		TEST(a_record_that_changed_besides_is_told_by_itself),
		TEST(without_the_ioctl_in_the_list_the_record_is_told_by_itself),
		TEST(the_one_that_has_the_number_says_where_the_former_owner_is),
		TEST(or_that_it_is_gone),
		TEST(a_number_that_its_owner_still_has_was_not_given_away),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
