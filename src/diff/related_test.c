/*
 * Tests records that changed only because a record inside them changed, items that were renamed together with
 * an ioctl, and the former owner of a number.
 */
#include "diff/fixture_test.h"

/* OUTER contains INNER, which grows. */

static const struct diff_fact facts[] = {
	{ "a constant is reported with the most similar ioctl",
	  "ioctl X_IOCTL_FENCE_ATTACH 1 - ioctl X_IOCTL_FENCE_CREATE 2 - const X_FENCE_CREATE 5",
	  "ioctl X_IOCTL_PRIME_FENCE_ATTACH 1 - "
	  "ioctl X_IOCTL_PRIME_FENCE_CREATE 2 - "
	  "const X_PRIME_FENCE_CREATE 5",
	  "ioctl X_IOCTL_PRIME_FENCE_ATTACH was X_IOCTL_FENCE_ATTACH name\n"
	  "ioctl X_IOCTL_PRIME_FENCE_CREATE was X_IOCTL_FENCE_CREATE name\n"
	  "constant X_PRIME_FENCE_CREATE was X_FENCE_CREATE name with X_IOCTL_PRIME_FENCE_CREATE" },
	{ "the new owner of a number names the former owner's new number",
	  "ioctl MOVED 1 -", "ioctl MOVED 2 - ioctl NEW 1 -",
	  "ioctl MOVED number\n"
	  "ioctl NEW added number of MOVED, now 0x2" },
	{ "the new owner of a number says that the former owner was removed",
	  "ioctl GONE 1 - ioctl MOVED 2 -", "ioctl MOVED 1 -",
	  "ioctl MOVED number number of GONE, removed\n"
	  "ioctl GONE removed number of MOVED, there" },
	{ "a number that its owner still has has no new owner",
	  "ioctl STAYS 1 -", "ioctl STAYS 1 - ioctl ALSO 1 -", "ioctl ALSO added" },
};

static void the_changes_are_those_of_the_facts(void **state)
{
	(void)state;
	check_facts(facts, sizeof(facts) / sizeof(*facts));
}

static void put_growing(void)
{
	put_text(base, "struct INNER 4 { NvU32 a@0 } struct OUTER 8 { INNER i@0; NvU32 z@4 }");
	put_text(next, "struct INNER 8 { NvU32 a@0; NvU32 b@4 }");
}

static const struct diff_change *change_of(const char *name)
{
	const struct diff_change *change = find_change(compared(), ABI_RECORD, name);

	assert_non_null(change);
	return change;
}

static void a_record_that_only_moved_with_the_one_inside_says_so(void **state)
{
	const struct diff_change *outer;

	(void)state;
	put_growing();
	put_text(next, "struct OUTER 12 { INNER i@0+8; NvU32 z@8 }");
	outer = change_of("OUTER");
	assert_int_equal(outer->because_count, 1);
	assert_string_equal(outer->because[0], "INNER");
	assert_string_equal(outer->under->name, "INNER");
}

static void a_record_with_a_new_field_of_its_own_is_told_by_itself(void **state)
{
	const struct diff_change *outer;

	(void)state;
	put_growing();
	put_text(next, "struct OUTER 16 { INNER i@0+8; NvU32 z@8; NvU32 new@12 }");
	outer = change_of("OUTER");
	assert_int_equal(outer->because_count, 0);
	assert_null(outer->under);
}

static void fields_in_another_order_are_a_change_of_its_own(void **state)
{
	(void)state;
	put_growing();
	put_text(next, "struct OUTER 12 { NvU32 z@0; INNER i@4+8 }");
	assert_int_equal(change_of("OUTER")->because_count, 0);
}

static void a_longer_array_of_what_changed_is_a_change_of_its_own(void **state)
{
	(void)state;
	put_text(base, "struct INNER 4 { NvU32 a@0 } struct OUTER 8 { INNER[2] i@0 }");
	put_text(next, "struct INNER 8 { NvU32 a@0; NvU32 b@4 } struct OUTER 24 { INNER[3] i@0+24 }");
	assert_int_equal(change_of("OUTER")->because_count, 0);
}

static void an_alias_that_changed_is_no_record_inside(void **state)
{
	(void)state;
	put_text(base, "alias T unsigned~int 4 struct OUTER 4 { T t@0 }");
	put_text(next, "alias T unsigned~long~long 8 struct OUTER 8 { T t@0+8 }");
	assert_int_equal(change_of("OUTER")->because_count, 0);
}

static void a_renamed_record_is_told_by_itself(void **state)
{
	(void)state;
	put_text(base, "ioctl CMD 1 OUTER struct INNER 4 { NvU32 a@0 } "
		       "struct OUTER 16 { INNER i@0; NvU32 x@4; NvU32 y@8; NvU32 z@12 }");
	put_text(next, "ioctl CMD 1 OUTER_V2 struct INNER 4 { NvS32 a@0 } "
		       "struct OUTER_V2 16 { INNER i@0; NvU32 x@4; NvU32 y@8; NvU32 z@12 }");
	assert_int_equal(change_of("OUTER_V2")->because_count, 0);
}

static void a_chain_is_told_under_the_record_where_it_starts(void **state)
{
	const struct diff *diff;

	(void)state;
	put_growing();
	put_text(base, "struct MOST 8 { OUTER o@0+8 }");
	put_text(next, "struct OUTER 12 { INNER i@0+8; NvU32 z@8 } struct MOST 12 { OUTER o@0+12 }");
	diff = compared();
	assert_string_equal(find_change(diff, ABI_RECORD, "MOST")->because[0], "OUTER");
	assert_string_equal(find_change(diff, ABI_RECORD, "MOST")->under->name, "INNER");
	assert_null(find_change(diff, ABI_RECORD, "INNER")->under);
}

static void what_is_not_in_the_list_tells_nothing(void **state)
{
	const struct diff_change *outer;

	(void)state;
	put_growing();
	put_text(next, "struct OUTER 12 { INNER i@0+8; NvU32 z@8 }");
	options.record = "OUTER";
	outer = change_of("OUTER");
	assert_string_equal(outer->because[0], "INNER");
	assert_null(outer->under);
}

static void a_record_that_went_inside_one_that_changed_is_told_with_it(void **state)
{
	const struct diff_change *gone;

	(void)state;
	put_text(base, "struct GONE 4 { NvU32 g@0 } struct OUTER 8 { NvU32 z@0; GONE g@4 }");
	put_text(next, "struct OUTER 4 { NvU32 z@0 }");
	gone = change_of("GONE");
	assert_string_equal(gone->inside, "OUTER");
	assert_string_equal(gone->under->name, "OUTER");
}

static void the_parameters_of_an_ioctl_are_told_by_themselves(void **state)
{
	(void)state;
	put_text(next, "ioctl CMD 1 NEW struct NEW 4 { NvU32 n@0 } struct OUTER 8 { NvU32 z@0; NEW n@4 }");
	put_text(base, "struct OUTER 4 { NvU32 z@0 }");
	assert_null(change_of("NEW")->inside);
}

static void a_record_in_one_that_came_with_another_is_told_with_that(void **state)
{
	(void)state;
	put_text(base, "struct OUTER 4 { NvU32 z@0 }");
	put_text(next, "struct DEEP 4 { NvU32 n@0 } struct NEW 4 { DEEP d@0 } "
		       "struct OUTER 8 { NvU32 z@0; NEW n@4 }");
	assert_string_equal(change_of("DEEP")->under->name, "OUTER");
}

static void what_is_dropped_leaves_the_others_by_themselves(void **state)
{
	struct diff diff;
	bool dropped[2] = { false, false };

	(void)state;
	put_growing();
	put_text(next, "struct OUTER 12 { INNER i@0+8; NvU32 z@8 }");
	diff = *compared();
	assert_int_equal(diff.change_count, 2);
	dropped[strcmp(diff.changes[0].name, "INNER") ? 1 : 0] = true;
	diff_drop(&diff, dropped, &arena);
	assert_int_equal(diff.change_count, 1);
	assert_int_equal(diff.summary[ABI_RECORD].changed, 1);
	assert_null(diff.changes[0].under);
}

static void put_state(struct abi_builder *doc, const char *word, const char *last)
{
	put_text(
		doc,
		"struct X_CTRL_UCODE_%s_GET_STATE_PARAMS 16 { NvU32 a@0; NvU32 b@4; NvU32 c@8; NvU32 %s@12 } "
		"ioctl X_CTRL_CMD_UCODE_%s_GET_STATE 1 X_CTRL_UCODE_%s_GET_STATE_PARAMS",
		word, last, word, word);
}

static const struct diff_change *told_under_ioctl(const struct diff *diff, enum abi_kind kind,
						  const char *name)
{
	const struct diff_change *change = find_change(diff, kind, name);

	assert_non_null(change);
	assert_ptr_equal(change->under,
			 find_change(diff, ABI_IOCTL, "X_CTRL_CMD_UCODE_INSTRUMENTATION_GET_STATE"));
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
	record = told_under_ioctl(coverage_became_instrumentation(), ABI_RECORD,
				  "X_CTRL_UCODE_INSTRUMENTATION_GET_STATE_PARAMS");
	assert_string_equal(record->base_name, "X_CTRL_UCODE_COVERAGE_GET_STATE_PARAMS");
	assert_int_equal(record->classes, DIFF_NAME);
}

static void a_constant_of_the_same_words_is_told_with_the_ioctl(void **state)
{
	const struct diff *diff;

	(void)state;
	put_text(base, "const X_CTRL_UCODE_COVERAGE 0x19");
	put_text(next, "const X_CTRL_UCODE_INSTRUMENTATION 0x19");
	diff = coverage_became_instrumentation();
	assert_string_equal(told_under_ioctl(diff, ABI_CONSTANT, "X_CTRL_UCODE_INSTRUMENTATION")->base_name,
			    "X_CTRL_UCODE_COVERAGE");
	assert_null(find_change(diff, ABI_CONSTANT, "X_CTRL_UCODE_COVERAGE"));
	assert_int_equal(diff->summary[ABI_CONSTANT].changed, 1);
	assert_int_equal(diff->summary[ABI_CONSTANT].removed, 0);
}

static void the_number_of_a_message_is_told_with_the_ioctl(void **state)
{
	(void)state;
	put_text(base, "const X_CTRL_UCODE_COVERAGE_GET_STATE_PARAMS_MESSAGE_ID 1");
	put_text(next, "const X_CTRL_UCODE_INSTRUMENTATION_GET_STATE_PARAMS_MESSAGE_ID 1");
	told_under_ioctl(coverage_became_instrumentation(), ABI_CONSTANT,
			 "X_CTRL_UCODE_INSTRUMENTATION_GET_STATE_PARAMS_MESSAGE_ID");
}

static void another_value_is_no_rename(void **state)
{
	const struct diff *diff;

	(void)state;
	put_text(base, "const X_CTRL_UCODE_COVERAGE 0x19");
	put_text(next, "const X_CTRL_UCODE_INSTRUMENTATION 0x1a");
	diff = coverage_became_instrumentation();
	assert_int_equal(find_change(diff, ABI_CONSTANT, "X_CTRL_UCODE_COVERAGE")->classes, DIFF_REMOVED);
	assert_int_equal(find_change(diff, ABI_CONSTANT, "X_CTRL_UCODE_INSTRUMENTATION")->classes,
			 DIFF_ADDED);
}

static void a_constant_that_begins_otherwise_is_told_by_itself(void **state)
{
	(void)state;
	put_text(base, "const Y_COVERAGE 1");
	put_text(next, "const Y_INSTRUMENTATION 1");
	assert_int_equal(find_change(coverage_became_instrumentation(), ABI_CONSTANT, "Y_COVERAGE")->classes,
			 DIFF_REMOVED);
}

static void half_a_word_is_no_word(void **state)
{
	(void)state;
	put_text(base, "const X_COVERAGES 1");
	put_text(next, "const X_INSTRUMENTATIONS 1");
	assert_int_equal(find_change(coverage_became_instrumentation(), ABI_CONSTANT, "X_COVERAGES")->classes,
			 DIFF_REMOVED);
}

static void a_record_that_changed_besides_is_told_by_itself(void **state)
{
	const struct diff *diff;

	(void)state;
	put_text(base, "struct P 4 { NvU32 a@0 } ioctl X_CMD_GET_OLD_STATE 1 P");
	put_text(next, "struct P 4 { NvU32 b@0 } ioctl X_CMD_GET_NEW_STATE 1 P");
	diff = compared();
	assert_string_equal(find_change(diff, ABI_IOCTL, "X_CMD_GET_NEW_STATE")->base_name,
			    "X_CMD_GET_OLD_STATE");
	assert_null(find_change(diff, ABI_RECORD, "P")->under);
}

static void without_the_ioctl_in_the_list_the_record_is_told_by_itself(void **state)
{
	const struct diff *diff;

	(void)state;
	put_text(base, "const X_CTRL_UCODE_COVERAGE 0x19");
	put_text(next, "const X_CTRL_UCODE_INSTRUMENTATION 0x19");
	options.record = "X_CTRL_UCODE_INSTRUMENTATION";
	diff = coverage_became_instrumentation();
	assert_int_equal(diff->change_count, 1);
	assert_null(diff->changes[0].under);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_changes_are_those_of_the_facts),
		TEST(a_record_that_only_moved_with_the_one_inside_says_so),
		TEST(a_record_with_a_new_field_of_its_own_is_told_by_itself),
		TEST(fields_in_another_order_are_a_change_of_its_own),
		TEST(a_longer_array_of_what_changed_is_a_change_of_its_own),
		TEST(an_alias_that_changed_is_no_record_inside),
		TEST(a_renamed_record_is_told_by_itself),
		TEST(a_chain_is_told_under_the_record_where_it_starts),
		TEST(what_is_not_in_the_list_tells_nothing),
		TEST(a_record_that_went_inside_one_that_changed_is_told_with_it),
		TEST(the_parameters_of_an_ioctl_are_told_by_themselves),
		TEST(a_record_in_one_that_came_with_another_is_told_with_that),
		TEST(what_is_dropped_leaves_the_others_by_themselves),
		TEST(the_record_is_told_with_its_ioctl),
		TEST(a_constant_of_the_same_words_is_told_with_the_ioctl),
		TEST(the_number_of_a_message_is_told_with_the_ioctl),
		TEST(another_value_is_no_rename),
		TEST(a_constant_that_begins_otherwise_is_told_by_itself),
		TEST(half_a_word_is_no_word),
		TEST(a_record_that_changed_besides_is_told_by_itself),
		TEST(without_the_ioctl_in_the_list_the_record_is_told_by_itself),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
