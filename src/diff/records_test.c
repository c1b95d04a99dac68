/* Records inside records, records with several names, records under another name. */
#include "diff/fixture_test.h"

static void an_unnamed_record_is_part_of_its_parent(void **state)
{
	const struct diff_change *change;

	(void)state;
	RECORD(base, "P::e_t", 4, U32("a", 0));
	RECORD(base, "P", 4, F("e", "P::e_t", 0, 4));
	RECORD(next, "P::e_t", 8, U32("a", 0), U32("b", 4));
	RECORD(next, "P", 8, F("e", "P::e_t", 0, 8));
	change = only_change(ABI_RECORD);
	assert_string_equal(change->name, "P");
	assert_int_equal(change->classes, DIFF_GROWTH);
	assert_int_equal(change->field_count, 1);
	assert_field(change, "e.b", DIFF_OP_ADDED, DIFF_GROWTH);
}

static void an_unnamed_member_adds_nothing_to_the_path(void **state)
{
	(void)state;
	UNION(base, "P::unnamed_t", 8, U64("a", 0));
	RECORD(base, "P", 8, F("", "P::unnamed_t", 0, 8));
	UNION(next, "P::unnamed_t", 8, U64("a", 0), U32("b", 0));
	RECORD(next, "P", 8, F("", "P::unnamed_t", 0, 8));
	assert_field(only_change(ABI_RECORD), "b", DIFF_OP_ADDED, DIFF_GROWTH);
}

static void an_array_of_unnamed_records_that_got_longer_is_resized(void **state)
{
	const struct diff_change *change;

	(void)state;
	RECORD(base, "P::e_t", 4, HANDLE("h", 0));
	RECORD(base, "P", 8, F("e", "P::e_t[2]", 0, 8));
	RECORD(next, "P::e_t", 4, HANDLE("h", 0));
	RECORD(next, "P", 12, F("e", "P::e_t[3]", 0, 12));
	change = only_change(ABI_RECORD);
	assert_int_equal(change->field_count, 1);
	assert_field(change, "e", DIFF_OP_RESIZED, DIFF_LAYOUT | DIFF_TRANSLATION);
}

static void a_field_in_a_repeated_unnamed_record_has_brackets(void **state)
{
	const struct diff_change *change;

	(void)state;
	RECORD(base, "P::e_t", 4, U32("a", 0));
	RECORD(base, "P", 8, F("e", "P::e_t[2]", 0, 8));
	RECORD(next, "P::e_t", 8, U32("a", 0), U32("b", 4));
	RECORD(next, "P", 16, F("e", "P::e_t[2]", 0, 16));
	change = only_change(ABI_RECORD);
	assert_int_equal(change->field_count, 2);
	assert_field(change, "e", DIFF_OP_RESIZED, DIFF_LAYOUT);
	assert_field(change, "e[].b", DIFF_OP_ADDED, DIFF_LAYOUT);
}

static void a_named_record_inside_is_reported_by_itself(void **state)
{
	const struct diff *diff;

	(void)state;
	RECORD(base, "I", 8, U32("a", 0));
	RECORD(base, "P", 8, F("i", "I", 0, 8));
	RECORD(next, "I", 8, U32("a", 0), U32("b", 4));
	RECORD(next, "P", 8, F("i", "I", 0, 8));
	diff = compared();
	assert_int_equal(diff->change_count, 1);
	assert_string_equal(diff->changes[0].name, "I");
}

static void a_named_record_that_only_grew_at_the_end_is_growth(void **state)
{
	const struct diff *diff;

	(void)state;
	RECORD(base, "I", 4, U32("a", 0));
	RECORD(base, "P", 8, U32("n", 0), F("i", "I", 4, 4));
	RECORD(next, "I", 8, U32("a", 0), U32("b", 4));
	RECORD(next, "P", 12, U32("n", 0), F("i", "I", 4, 8));
	diff = compared();
	assert_int_equal(diff->change_count, 2);
	assert_field(find_change(diff, ABI_RECORD, "P"), "i", DIFF_OP_RESIZED, DIFF_GROWTH);
}

static void what_follows_a_record_that_grew_has_moved(void **state)
{
	const struct diff *diff;

	(void)state;
	RECORD(base, "I", 4, U32("a", 0));
	RECORD(base, "P", 8, F("i", "I", 0, 4), U32("n", 4));
	RECORD(next, "I", 8, U32("a", 0), U32("b", 4));
	RECORD(next, "P", 12, F("i", "I", 0, 8), U32("n", 8));
	diff = compared();
	assert_int_equal(find_change(diff, ABI_RECORD, "I")->classes, DIFF_GROWTH);
	assert_field(find_change(diff, ABI_RECORD, "P"), "i", DIFF_OP_RESIZED, DIFF_LAYOUT);
	assert_field(find_change(diff, ABI_RECORD, "P"), "n", DIFF_OP_MOVED, DIFF_LAYOUT);
}

static void a_record_with_a_handle_that_moved_is_translation(void **state)
{
	(void)state;
	RECORD(base, "I", 4, HANDLE("h", 0));
	RECORD(base, "P", 8, U32("n", 0), F("i", "I", 4, 4));
	RECORD(next, "I", 4, HANDLE("h", 0));
	RECORD(next, "P", 8, F("i", "I", 0, 4), U32("n", 4));
	assert_field(only_change(ABI_RECORD), "i", DIFF_OP_MOVED, DIFF_LAYOUT | DIFF_TRANSLATION);
}

static void an_unnamed_record_that_got_a_name_is_name(void **state)
{
	const struct diff *diff;
	const struct diff_change *change;

	(void)state;
	RECORD(base, "P::e_t", 8, U32("a", 0), U32("b", 4));
	RECORD(base, "P", 16, F("e", "P::e_t[2]", 0, 16));
	RECORD(next, "ENTRY", 8, U32("a", 0), U32("b", 4));
	RECORD(next, "P", 16, F("e", "ENTRY[2]", 0, 16));
	diff = compared();
	change = find_change(diff, ABI_RECORD, "P");
	assert_int_equal(change->field_count, 1);
	assert_field(change, "e", DIFF_OP_RETYPED, DIFF_NAME);
}

static void a_field_wrapped_in_a_named_union_is_renamed(void **state)
{
	const struct diff_change *change;

	(void)state;
	RECORD(base, "P", 8, U32("a", 0), U32("value", 4));
	UNION(next, "P::u_t", 4, U32("value", 0), F("bytes", "NvU8[4]", 0, 4));
	RECORD(next, "P", 8, U32("a", 0), F("u", "P::u_t", 4, 4));
	change = only_change(ABI_RECORD);
	assert_field(change, "u.value", DIFF_OP_RENAMED, DIFF_NAME);
	assert_field(change, "u.bytes", DIFF_OP_ADDED, DIFF_GROWTH);
}

static void all_names_of_a_record_are_one_change(void **state)
{
	const struct diff_change *change;

	(void)state;
	RECORD(base, "_tag", 4, U32("a", 0));
	TYPEDEF(base, "_tag", "NAME", 4, U32("a", 0));
	RECORD(next, "_tag", 8, U32("a", 0), U32("b", 4));
	TYPEDEF(next, "_tag", "NAME", 8, U32("a", 0), U32("b", 4));
	change = only_change(ABI_RECORD);
	assert_string_equal(change->name, "NAME");
	assert_int_equal(change->also_count, 1);
	assert_string_equal(change->also[0], "_tag");
}

static void a_record_goes_by_the_name_that_its_ioctl_uses(void **state)
{
	(void)state;
	RECORD(base, "SHORT", 4, U32("a", 0));
	TYPEDEF(base, "SHORT", "LONGER_PARAMS", 4, U32("a", 0));
	RECORD(next, "SHORT", 8, U32("a", 0), U32("b", 4));
	TYPEDEF(next, "SHORT", "LONGER_PARAMS", 8, U32("a", 0), U32("b", 4));
	put_ioctl(base, "CMD", 1, "LONGER_PARAMS");
	put_ioctl(next, "CMD", 1, "LONGER_PARAMS");
	assert_string_equal(only_change(ABI_RECORD)->name, "LONGER_PARAMS");
}

static void a_new_typedef_of_an_old_record_is_added(void **state)
{
	const struct diff_change *change;

	(void)state;
	RECORD(base, "OLD", 4, U32("a", 0));
	RECORD(next, "OLD", 4, U32("a", 0));
	TYPEDEF(next, "OLD", "NEW", 4, U32("a", 0));
	change = only_change(ABI_RECORD);
	assert_string_equal(change->name, "NEW");
	assert_int_equal(change->classes, DIFF_ADDED);
	assert_string_equal(change->same_as, "OLD");
	assert_int_equal(change->also_count, 0);
}

static void typedefs_that_went_together_are_one_change(void **state)
{
	const struct diff_change *change;

	(void)state;
	RECORD(base, "REC", 4, U32("a", 0));
	TYPEDEF(base, "REC", "GONE_A", 4, U32("a", 0));
	TYPEDEF(base, "REC", "GONE_B", 4, U32("a", 0));
	RECORD(next, "REC", 4, U32("a", 0));
	change = only_change(ABI_RECORD);
	assert_int_equal(change->classes, DIFF_REMOVED);
	assert_string_equal(change->name, "GONE_A");
	assert_int_equal(change->also_count, 1);
	assert_string_equal(change->also[0], "GONE_B");
	assert_string_equal(change->same_as, "REC");
}

static void a_new_name_is_reached_only_by_what_uses_it(void **state)
{
	const struct diff *diff;
	const struct diff_change *change;

	(void)state;
	RECORD(base, "OLD", 4, U32("a", 0));
	put_ioctl(base, "CMD_OLD", 1, "OLD");
	RECORD(next, "OLD", 4, U32("a", 0));
	TYPEDEF(next, "OLD", "NEW", 4, U32("a", 0));
	RECORD(next, "P", 4, F("n", "NEW", 0, 4));
	put_ioctl(next, "CMD_OLD", 1, "OLD");
	put_ioctl(next, "CMD_NEW", 2, "P");
	diff = compared();
	change = find_change(diff, ABI_RECORD, "NEW");
	assert_int_equal(change->reach_count, 1);
	assert_string_equal(change->reached_by[0].ioctl->name, "CMD_NEW");
}

static void a_typedef_that_became_a_record_of_its_own_is_compared(void **state)
{
	const struct diff_change *change;

	(void)state;
	RECORD(base, "ONE", 4, U32("a", 0));
	TYPEDEF(base, "ONE", "TWO", 4, U32("a", 0));
	RECORD(next, "ONE", 4, U32("a", 0));
	RECORD(next, "TWO", 8, U32("a", 0), U32("b", 4));
	change = only_change(ABI_RECORD);
	assert_string_equal(change->name, "TWO");
	assert_int_equal(change->classes, DIFF_GROWTH);
}

static void one_name_for_another_on_the_same_record_is_name(void **state)
{
	const struct diff_change *change;

	(void)state;
	RECORD(base, "_tag", 4, U32("a", 0));
	TYPEDEF(base, "_tag", "WAS", 4, U32("a", 0));
	RECORD(next, "_tag", 4, U32("a", 0));
	TYPEDEF(next, "_tag", "IS", 4, U32("a", 0));
	change = only_change(ABI_RECORD);
	assert_string_equal(change->name, "IS");
	assert_string_equal(change->base_name, "WAS");
	assert_int_equal(change->classes, DIFF_NAME);
}

static void records_that_came_and_went_are_added_and_removed(void **state)
{
	const struct diff *diff;

	(void)state;
	RECORD(base, "GONE", 4, U32("width", 0));
	RECORD(next, "NEW", 8, U64("address", 0));
	diff = compared();
	assert_int_equal(find_change(diff, ABI_RECORD, "GONE")->classes, DIFF_REMOVED);
	assert_int_equal(find_change(diff, ABI_RECORD, "NEW")->classes, DIFF_ADDED);
	assert_int_equal(diff->summary[ABI_RECORD].added, 1);
	assert_int_equal(diff->summary[ABI_RECORD].removed, 1);
}

static void equal_leaves_under_a_like_name_are_a_rename(void **state)
{
	const struct diff_change *change;

	(void)state;
	RECORD(base, "GET_INFO_PARAMS", 8, U32("a", 0), U32("b", 4));
	RECORD(next, "GET_INFO_V2_PARAMS", 8, U32("a", 0), U32("b", 4));
	change = only_change(ABI_RECORD);
	assert_string_equal(change->base_name, "GET_INFO_PARAMS");
	assert_int_equal(change->classes, DIFF_NAME);
	assert_int_equal(change->field_count, 0);
}

static void equal_leaves_under_an_unlike_name_prove_nothing(void **state)
{
	(void)state;
	RECORD(base, "NV2080_CTRL_FOO_PARAMS", 4, U32("value", 0));
	RECORD(next, "NV2080_CTRL_BAR_PARAMS", 4, U32("value", 0));
	assert_int_equal(compared()->change_count, 2);
}

static void a_renamed_record_takes_all_its_names_along(void **state)
{
	const struct diff_change *change;

	(void)state;
	RECORD(base, "_INFO", 8, U32("a", 0), U32("b", 4));
	TYPEDEF(base, "_INFO", "INFO", 8, U32("a", 0), U32("b", 4));
	RECORD(next, "_INFO_V2", 8, U32("a", 0), U32("b", 4));
	TYPEDEF(next, "_INFO_V2", "INFO_V2", 8, U32("a", 0), U32("b", 4));
	change = only_change(ABI_RECORD);
	assert_string_equal(change->name, "INFO_V2");
	assert_string_equal(change->base_name, "INFO");
	assert_int_equal(change->also_count, 2);
	assert_string_equal(change->also[0], "_INFO");
	assert_string_equal(change->also[1], "_INFO_V2");
}

static void two_records_that_could_be_it_are_no_rename(void **state)
{
	(void)state;
	RECORD(base, "INFO", 8, U32("a", 0), U32("b", 4));
	RECORD(next, "INFO_V2", 8, U32("a", 0), U32("b", 4));
	RECORD(next, "INFO_V3", 8, U32("a", 0), U32("b", 4));
	assert_int_equal(compared()->change_count, 3);
}

static void the_new_parameters_of_an_ioctl_are_its_old_ones_renamed(void **state)
{
	const struct diff_change *change;

	(void)state;
	RECORD(base, "WAS", 4, U32("a", 0));
	RECORD(next, "IS", 8, U32("a", 0), U32("b", 4));
	put_ioctl(base, "CMD", 1, "WAS");
	put_ioctl(next, "CMD", 1, "IS");
	change = only_change(ABI_RECORD);
	assert_string_equal(change->base_name, "WAS");
	assert_int_equal(change->classes, DIFF_NAME | DIFF_GROWTH);
}

static void ioctls_that_disagree_prove_nothing(void **state)
{
	const struct diff *diff;

	(void)state;
	RECORD(base, "WAS", 4, U32("a", 0));
	RECORD(next, "ONE", 8, U32("x", 0), U32("b", 4));
	RECORD(next, "TWO", 8, U32("y", 0), U32("z", 4));
	put_ioctl(base, "CMD_A", 1, "WAS");
	put_ioctl(base, "CMD_B", 2, "WAS");
	put_ioctl(next, "CMD_A", 1, "ONE");
	put_ioctl(next, "CMD_B", 2, "TWO");
	diff = compared();
	assert_int_equal(find_change(diff, ABI_RECORD, "WAS")->classes, DIFF_REMOVED);
}

static void a_member_whose_record_was_renamed_is_name(void **state)
{
	const struct diff *diff;

	(void)state;
	RECORD(base, "ITEM", 8, U32("a", 0), U32("b", 4));
	RECORD(base, "P", 8, F("i", "ITEM", 0, 8));
	RECORD(next, "ITEM_V1", 8, U32("a", 0), U32("b", 4));
	RECORD(next, "P", 8, F("i", "ITEM_V1", 0, 8));
	diff = compared();
	assert_field(find_change(diff, ABI_RECORD, "P"), "i", DIFF_OP_RETYPED, DIFF_NAME);
}

static void a_document_that_lies_is_refused(void **state)
{
	struct diff diff;
	struct err err = { "" };

	(void)state;
	RECORD(base, "R", 4, F("r", "R", 0, 4));
	RECORD(next, "R", 8, F("r", "R", 0, 8));
	assert_int_equal(diff_documents(&diff, sealed(base, "1"), sealed(next, "2"), &options, &arena, &err),
			 ERR_LIMIT);
	assert_string_equal(err.text, "1: record R contains itself, as member r");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(an_unnamed_record_is_part_of_its_parent),
		TEST(an_unnamed_member_adds_nothing_to_the_path),
		TEST(an_array_of_unnamed_records_that_got_longer_is_resized),
		TEST(a_field_in_a_repeated_unnamed_record_has_brackets),
		TEST(a_named_record_inside_is_reported_by_itself),
		TEST(a_named_record_that_only_grew_at_the_end_is_growth),
		TEST(what_follows_a_record_that_grew_has_moved),
		TEST(a_record_with_a_handle_that_moved_is_translation),
		TEST(an_unnamed_record_that_got_a_name_is_name),
		TEST(a_field_wrapped_in_a_named_union_is_renamed),
		TEST(all_names_of_a_record_are_one_change),
		TEST(a_record_goes_by_the_name_that_its_ioctl_uses),
		TEST(a_new_typedef_of_an_old_record_is_added),
		TEST(typedefs_that_went_together_are_one_change),
		TEST(a_new_name_is_reached_only_by_what_uses_it),
		TEST(a_typedef_that_became_a_record_of_its_own_is_compared),
		TEST(one_name_for_another_on_the_same_record_is_name),
		TEST(records_that_came_and_went_are_added_and_removed),
		TEST(equal_leaves_under_a_like_name_are_a_rename),
		TEST(equal_leaves_under_an_unlike_name_prove_nothing),
		TEST(a_renamed_record_takes_all_its_names_along),
		TEST(two_records_that_could_be_it_are_no_rename),
		TEST(the_new_parameters_of_an_ioctl_are_its_old_ones_renamed),
		TEST(ioctls_that_disagree_prove_nothing),
		TEST(a_member_whose_record_was_renamed_is_name),
		TEST(a_document_that_lies_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
