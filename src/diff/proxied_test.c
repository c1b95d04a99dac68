/* Tests what a proxy does with each changed item, and the work that the change means. */
#include "diff/fixture_test.h"

/*
 * The proxy has a type for the struct of CMD_READ, no type for the struct of CMD_UNREAD, and a type for one
 * of the two structs of CMD_BOTH.
 */
static const struct table_struct read_struct = { "READ_PARAMS", "ReadParams" },
				 unread_struct = { "UNREAD_PARAMS", NULL };
static const struct table_struct both_structs[] = { { "FIRST", NULL }, { "SECOND", "Second" } };
static const struct table_entry entry_both = { .family = "control",
					       .name = "CMD_BOTH",
					       .number = 3,
					       .structs = both_structs,
					       .struct_count = 2 };
static const struct table_entry entry_read = { .family = "control",
					       .name = "CMD_READ",
					       .number = 1,
					       .structs = &read_struct,
					       .struct_count = 1 };
static const struct table_entry entry_unread = { .family = "control",
						 .name = "CMD_UNREAD",
						 .number = 2,
						 .structs = &unread_struct,
						 .struct_count = 1 };
static const struct table_entry *const entries[] = { &entry_both, &entry_read, &entry_unread };
static const struct table_view forwarded = { .entries = entries, .entry_count = 3 };

/* Adds the ioctls to both versions. The tests add their records. */
static void put_ioctls(void)
{
	for (int i = 0; i < 2; i++)
		put_text(i ? next : base, "ioctl CMD_READ 1 READ_PARAMS ioctl CMD_UNREAD 2 UNREAD_PARAMS "
					  "ioctl CMD_OTHER 9 OTHER_PARAMS");
	options.view = &forwarded;
}

static const struct diff_change *change_of(const char *name)
{
	const struct diff_change *change = find_change(compared(), ABI_RECORD, name);

	assert_non_null(change);
	return change;
}

static void assert_use(const struct diff_change *change, const char *use, const char *section)
{
	assert_string_equal(diff_use_name(change->use), use);
	assert_string_equal(diff_section_name(change->section), section);
}

static void a_record_with_a_type_of_the_proxy_is_read(void **state)
{
	(void)state;
	put_ioctls();
	put_text(base, "struct READ_PARAMS 4 { NvU32 a@0 }");
	put_text(next, "struct READ_PARAMS 8 { NvU32 a@0; NvU32 b@4 }");
	assert_use(change_of("READ_PARAMS"), "read", "read");
}

static void a_record_without_one_is_unread(void **state)
{
	(void)state;
	put_ioctls();
	put_text(base, "struct UNREAD_PARAMS 4 { NvU32 a@0 }");
	put_text(next, "struct UNREAD_PARAMS 8 { NvU32 a@0; NvU32 b@4 }");
	assert_use(change_of("UNREAD_PARAMS"), "unread", "unread");
}

static void a_record_of_another_ioctl_has_no_use(void **state)
{
	(void)state;
	put_ioctls();
	put_text(base, "struct OTHER_PARAMS 4 { NvU32 a@0 }");
	put_text(next, "struct OTHER_PARAMS 8 { NvU32 a@0; NvU32 b@4 }");
	assert_use(change_of("OTHER_PARAMS"), "none", "none");
}

static void without_a_table_nothing_has_a_use(void **state)
{
	(void)state;
	put_ioctls();
	options.view = NULL;
	put_text(base, "struct READ_PARAMS 4 { NvU32 a@0 }");
	put_text(next, "struct READ_PARAMS 8 { NvU32 a@0; NvU32 b@4 }");
	assert_use(change_of("READ_PARAMS"), "none", "none");
}

static void a_record_inside_a_read_one_is_read(void **state)
{
	(void)state;
	put_ioctls();
	put_text(base, "struct INNER 4 { NvU32 a@0 } struct READ_PARAMS 8 { INNER i@0; NvU32 z@4 }");
	put_text(next, "struct INNER 8 { NvU32 a@0; NvU32 b@4 } "
		       "struct READ_PARAMS 12 { INNER i@0+8; NvU32 z@8 }");
	assert_use(change_of("INNER"), "read", "read");
}

static void a_record_inside_a_read_and_an_unread_one_is_read(void **state)
{
	(void)state;
	put_ioctls();
	put_text(base, "struct INNER 4 { NvU32 a@0 } struct READ_PARAMS 4 { INNER i@0 } "
		       "struct UNREAD_PARAMS 4 { INNER i@0 }");
	put_text(next, "struct INNER 4 { NvS32 a@0 } struct READ_PARAMS 4 { INNER i@0 } "
		       "struct UNREAD_PARAMS 4 { INNER i@0 }");
	assert_use(change_of("INNER"), "read", "read");
}

static void what_a_read_record_only_points_to_is_not_read_with_it(void **state)
{
	(void)state;
	put_ioctls();
	put_text(base, "alias INNER~* INNER~* 8 struct INNER 4 { NvU32 a@0 } "
		       "struct READ_PARAMS 8 { INNER~* p@0+8 } struct UNREAD_PARAMS 4 { INNER i@0 }");
	put_text(next, "alias INNER~* INNER~* 8 struct INNER 4 { NvS32 a@0 } "
		       "struct READ_PARAMS 8 { INNER~* p@0+8 } struct UNREAD_PARAMS 4 { INNER i@0 }");
	assert_use(change_of("INNER"), "unread", "unread");
}

static void each_struct_of_an_entry_counts_by_itself(void **state)
{
	const struct diff *diff;

	(void)state;
	options.view = &forwarded;
	put_text(base, "struct FIRST 4 { NvU32 a@0 } struct SECOND 4 { NvU32 a@0 }");
	put_text(next, "struct FIRST 8 { NvU32 a@0; NvU32 b@4 } struct SECOND 8 { NvU32 a@0; NvU32 b@4 }");
	diff = compared();
	assert_use(find_change(diff, ABI_RECORD, "FIRST"), "unread", "unread");
	assert_use(find_change(diff, ABI_RECORD, "SECOND"), "read", "read");
}

static void a_read_record_under_a_new_name_is_still_read(void **state)
{
	(void)state;
	options.view = &forwarded;
	put_text(base, "ioctl CMD_READ 1 READ_PARAMS "
		       "struct READ_PARAMS 16 { NvU32 a@0; NvU32 b@4; NvU32 c@8; NvU32 d@12 }");
	put_text(next, "ioctl CMD_READ 1 READ_PARAMS_V2 "
		       "struct READ_PARAMS_V2 16 { NvU32 a@0; NvU32 b@4; NvU32 c@8; NvU32 d@12 }");
	assert_use(change_of("READ_PARAMS_V2"), "read", "read");
}

static void a_pointer_that_came_into_an_unread_record_calls_for_a_handler(void **state)
{
	const struct diff_change *change;

	(void)state;
	put_ioctls();
	put_text(base, "struct UNREAD_PARAMS 8 { NvU64 a@0 }");
	put_text(next, "struct UNREAD_PARAMS 16 { NvU64 a@0; NvP64 p@8 pointer }");
	change = change_of("UNREAD_PARAMS");
	assert_use(change, "unread", "handler");
	assert_int_equal(change->new_role_count, 1);
	assert_string_equal(change->new_roles[0].path, "p");
	assert_int_equal(change->new_roles[0].role, ABI_ROLE_POINTER);
}

static void a_handle_that_came_into_an_unread_record_asks_for_nothing(void **state)
{
	const struct diff_change *change;

	(void)state;
	put_ioctls();
	put_text(base, "struct UNREAD_PARAMS 4 { NvU32 a@0 }");
	put_text(next, "struct UNREAD_PARAMS 8 { NvU32 a@0; NvHandle h@4 handle }");
	change = change_of("UNREAD_PARAMS");
	assert_true(change->classes & DIFF_TRANSLATION);
	assert_use(change, "unread", "unread");
}

static void a_pid_that_moved_did_not_come(void **state)
{
	(void)state;
	put_ioctls();
	put_text(base, "struct UNREAD_PARAMS 4 { NvU32 pid@0 pid }");
	put_text(next, "struct UNREAD_PARAMS 8 { NvU32 a@0; NvU32 pid@4 pid }");
	assert_use(change_of("UNREAD_PARAMS"), "unread", "unread");
}

static void a_pid_that_moved_under_a_new_name_did_not_come(void **state)
{
	(void)state;
	put_ioctls();
	put_text(base, "struct UNREAD_PARAMS 4 { NvU32 processId@0 pid }");
	put_text(next, "struct UNREAD_PARAMS 4 { NvU32 procId@0 pid }");
	assert_use(change_of("UNREAD_PARAMS"), "unread", "unread");
}

static void a_record_that_came_inside_one_that_changed_has_no_use(void **state)
{
	const struct diff_change *change;

	(void)state;
	put_ioctls();
	put_text(base, "struct READ_PARAMS 4 { NvU32 a@0 }");
	put_text(next, "struct NEW 4 { NvU32 n@0 } struct READ_PARAMS 8 { NvU32 a@0; NEW n@4 }");
	change = change_of("NEW");
	assert_use(change, "none", "unread");
	assert_true(change->proxied);
	assert_string_equal(change->inside, "READ_PARAMS");
	assert_string_equal(change->under->name, "READ_PARAMS");
}

static void another_number_of_an_unread_ioctl_is_what_the_proxy_knows_it_by(void **state)
{
	(void)state;
	options.view = &forwarded;
	put_text(base, "ioctl CMD_UNREAD 2 -");
	put_text(next, "ioctl CMD_UNREAD 7 -");
	assert_use(find_change(compared(), ABI_IOCTL, "CMD_UNREAD"), "unread", "read");
}

static void what_the_proxy_reads_comes_first_whatever_its_class(void **state)
{
	const struct diff *diff;

	(void)state;
	put_ioctls();
	put_text(base, "struct READ_PARAMS 4 { NvU32 a@0 } "
		       "struct UNREAD_PARAMS 8 { NvU32 a@0; NvHandle h@4 handle }");
	put_text(next, "struct READ_PARAMS 8 { NvU32 a@0; NvU32 b@4 } "
		       "struct UNREAD_PARAMS 8 { NvHandle h@0 handle; NvU32 a@4 }");
	diff = compared();
	assert_string_equal(diff->changes[0].name, "READ_PARAMS");
	assert_true((diff->changes[1].classes & -diff->changes[1].classes) <
		    (diff->changes[0].classes & -diff->changes[0].classes));
}

static void the_tally_counts_records_that_changed_and_those_that_are_read(void **state)
{
	const struct diff *diff;

	(void)state;
	put_ioctls();
	put_text(base, "struct READ_PARAMS 4 { NvU32 a@0 } struct UNREAD_PARAMS 8 { NvU64 a@0 } "
		       "struct OTHER_PARAMS 4 { NvU32 a@0 }");
	put_text(next, "struct READ_PARAMS 8 { NvU32 a@0; NEW n@4 } struct NEW 4 { NvU32 n@0 } "
		       "struct UNREAD_PARAMS 16 { NvU64 a@0; NvP64 p@8 pointer } "
		       "struct OTHER_PARAMS 8 { NvU32 a@0; NvU32 b@4 }");
	diff = compared();
	assert_int_equal(diff->totals.records, 2);
	assert_int_equal(diff->totals.read, 1);
	assert_int_equal(diff->totals.handlers, 1);
	assert_int_equal(diff->totals.entries, 2);
	assert_int_equal(diff->totals.read_entries, 1);
}

static void the_tally_is_of_all_changes_whatever_is_asked_for(void **state)
{
	const struct diff *diff;

	(void)state;
	put_ioctls();
	options.record = "OTHER_*";
	put_text(base, "struct READ_PARAMS 4 { NvU32 a@0 }");
	put_text(next, "struct READ_PARAMS 8 { NvU32 a@0; NvU32 b@4 }");
	diff = compared();
	assert_int_equal(diff->change_count, 0);
	assert_int_equal(diff->totals.read, 1);
}

static void ioctls_that_went_or_have_another_number_are_counted(void **state)
{
	const struct diff *diff;

	(void)state;
	options.view = &forwarded;
	put_text(base, "ioctl CMD_READ 1 - ioctl CMD_UNREAD 2 -");
	put_text(next, "ioctl CMD_READ 5 -");
	diff = compared();
	assert_int_equal(diff->totals.renumbered, 1);
	assert_int_equal(diff->totals.removed, 1);
	assert_int_equal(diff->totals.read_entries, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_record_with_a_type_of_the_proxy_is_read),
		TEST(a_record_without_one_is_unread),
		TEST(a_record_of_another_ioctl_has_no_use),
		TEST(without_a_table_nothing_has_a_use),
		TEST(a_record_inside_a_read_one_is_read),
		TEST(a_record_inside_a_read_and_an_unread_one_is_read),
		TEST(what_a_read_record_only_points_to_is_not_read_with_it),
		TEST(each_struct_of_an_entry_counts_by_itself),
		TEST(a_read_record_under_a_new_name_is_still_read),
		TEST(a_pointer_that_came_into_an_unread_record_calls_for_a_handler),
		TEST(a_handle_that_came_into_an_unread_record_asks_for_nothing),
		TEST(a_pid_that_moved_did_not_come),
		TEST(a_pid_that_moved_under_a_new_name_did_not_come),
		TEST(a_record_that_came_inside_one_that_changed_has_no_use),
		TEST(another_number_of_an_unread_ioctl_is_what_the_proxy_knows_it_by),
		TEST(what_the_proxy_reads_comes_first_whatever_its_class),
		TEST(the_tally_counts_records_that_changed_and_those_that_are_read),
		TEST(the_tally_is_of_all_changes_whatever_is_asked_for),
		TEST(ioctls_that_went_or_have_another_number_are_counted),
	};

	return cmocka_run_group_tests_name("diff/use", tests, NULL, NULL);
}
