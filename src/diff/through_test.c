/* Records that changed only because one inside them did. */
#include "diff/fixture_test.h"

/* OUTER holds INNER, which grows. */
static void put_growing(void)
{
	RECORD(base, "INNER", 4, U32("a", 0));
	RECORD(base, "OUTER", 8, F("i", "INNER", 0, 4), U32("z", 4));
	RECORD(next, "INNER", 8, U32("a", 0), U32("b", 4));
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
	RECORD(next, "OUTER", 12, F("i", "INNER", 0, 8), U32("z", 8));
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
	RECORD(next, "OUTER", 16, F("i", "INNER", 0, 8), U32("z", 8), U32("new", 12));
	outer = change_of("OUTER");
	assert_int_equal(outer->because_count, 0);
	assert_null(outer->under);
}

static void fields_in_another_order_are_a_change_of_its_own(void **state)
{
	(void)state;
	put_growing();
	RECORD(next, "OUTER", 12, U32("z", 0), F("i", "INNER", 4, 8));
	assert_int_equal(change_of("OUTER")->because_count, 0);
}

static void a_longer_array_of_what_changed_is_a_change_of_its_own(void **state)
{
	(void)state;
	RECORD(base, "INNER", 4, U32("a", 0));
	RECORD(base, "OUTER", 8, F("i", "INNER[2]", 0, 8));
	RECORD(next, "INNER", 8, U32("a", 0), U32("b", 4));
	RECORD(next, "OUTER", 24, F("i", "INNER[3]", 0, 24));
	assert_int_equal(change_of("OUTER")->because_count, 0);
}

static void an_alias_that_changed_is_no_record_inside(void **state)
{
	(void)state;
	put_alias(base, "T", "unsigned int", 4);
	put_alias(next, "T", "unsigned long long", 8);
	RECORD(base, "OUTER", 4, F("t", "T", 0, 4));
	RECORD(next, "OUTER", 8, F("t", "T", 0, 8));
	assert_int_equal(change_of("OUTER")->because_count, 0);
}

static void a_renamed_record_is_told_by_itself(void **state)
{
	(void)state;
	put_ioctl(base, "CMD", 1, "OUTER");
	put_ioctl(next, "CMD", 1, "OUTER_V2");
	RECORD(base, "INNER", 4, U32("a", 0));
	RECORD(base, "OUTER", 16, F("i", "INNER", 0, 4), U32("x", 4), U32("y", 8), U32("z", 12));
	RECORD(next, "INNER", 4, F("a", "NvS32", 0, 4));
	RECORD(next, "OUTER_V2", 16, F("i", "INNER", 0, 4), U32("x", 4), U32("y", 8), U32("z", 12));
	assert_int_equal(change_of("OUTER_V2")->because_count, 0);
}

static void a_chain_is_told_under_the_record_where_it_starts(void **state)
{
	const struct diff *diff;

	(void)state;
	put_growing();
	RECORD(base, "MOST", 8, F("o", "OUTER", 0, 8));
	RECORD(next, "OUTER", 12, F("i", "INNER", 0, 8), U32("z", 8));
	RECORD(next, "MOST", 12, F("o", "OUTER", 0, 12));
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
	RECORD(next, "OUTER", 12, F("i", "INNER", 0, 8), U32("z", 8));
	options.record = "OUTER";
	outer = change_of("OUTER");
	assert_string_equal(outer->because[0], "INNER");
	assert_null(outer->under);
}

static void a_record_that_went_inside_one_that_changed_is_told_with_it(void **state)
{
	const struct diff_change *gone;

	(void)state;
	RECORD(base, "GONE", 4, U32("g", 0));
	RECORD(base, "OUTER", 8, U32("z", 0), F("g", "GONE", 4, 4));
	RECORD(next, "OUTER", 4, U32("z", 0));
	gone = change_of("GONE");
	assert_string_equal(gone->inside, "OUTER");
	assert_string_equal(gone->under->name, "OUTER");
}

static void the_parameters_of_an_ioctl_are_told_by_themselves(void **state)
{
	(void)state;
	put_ioctl(next, "CMD", 1, "NEW");
	RECORD(base, "OUTER", 4, U32("z", 0));
	RECORD(next, "NEW", 4, U32("n", 0));
	RECORD(next, "OUTER", 8, U32("z", 0), F("n", "NEW", 4, 4));
	assert_null(change_of("NEW")->inside);
}

static void a_record_in_one_that_came_with_another_is_told_with_that(void **state)
{
	(void)state;
	RECORD(base, "OUTER", 4, U32("z", 0));
	RECORD(next, "DEEP", 4, U32("n", 0));
	RECORD(next, "NEW", 4, F("d", "DEEP", 0, 4));
	RECORD(next, "OUTER", 8, U32("z", 0), F("n", "NEW", 4, 4));
	assert_string_equal(change_of("DEEP")->under->name, "OUTER");
}

static void what_is_dropped_leaves_the_others_by_themselves(void **state)
{
	struct diff diff;
	bool dropped[2] = { false, false };

	(void)state;
	put_growing();
	RECORD(next, "OUTER", 12, F("i", "INNER", 0, 8), U32("z", 8));
	diff = *compared();
	assert_int_equal(diff.change_count, 2);
	dropped[strcmp(diff.changes[0].name, "INNER") ? 1 : 0] = true;
	diff_drop(&diff, dropped, &arena);
	assert_int_equal(diff.change_count, 1);
	assert_int_equal(diff.summary[ABI_RECORD].changed, 1);
	assert_null(diff.changes[0].under);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
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
	};

	return cmocka_run_group_tests_name("diff/through", tests, NULL, NULL);
}
