/* Tests of a diff as text. */
#include "report/fixture_test.h"

static void nothing_changed_is_said_in_one_line(void **state)
{
	const struct diff diff = diff_of(NULL, 0);

	report_diff(&out, report_of(&diff), &plain);
	assert_rendered("toy 1.0 -> 2.0  (x86_64-linux-gnu)\n  no difference\n");
}

static void a_record_that_grew_shows_its_sizes_and_its_new_field(void **state)
{
	const struct diff diff = diff_of(&a_grew, 1);

	report_diff(&out, report_of(&diff), &plain);
	assert_has("  [growth] struct A  4 -> 8 bytes\n"
		   "    a.h:1:1\n"
		   "    +      4  flags         NvU32\n\n");
}

static void a_field_that_moved_says_from_where(void **state)
{
	static const struct diff_field_side was = SIDE("flags", "NvU32", 8, 4);
	static const struct diff_field moved = {
		.op = DIFF_OP_MOVED, .moved = true, .before = &was, .after = &flags_side
	};
	struct diff_change change = a_grew;
	const struct diff diff = diff_of(&change, 1);

	change.fields = &moved;
	report_diff(&out, report_of(&diff), &plain);
	assert_has("    ~      4  flags         NvU32  (moved from 8)\n");
}

static void fields_that_move_together_are_one_line_unless_all_are_asked_for(void **state)
{
	static const struct diff_field_side was = SIDE("flags", "NvU32", 0, 4);
	static const struct diff_field moved = {
		.op = DIFF_OP_MOVED, .moved = true, .before = &was, .after = &flags_side
	};
	const struct diff_field fields[] = { moved, moved, moved, moved };
	struct diff_change change = a_grew;
	const struct diff diff = diff_of(&change, 1);

	change.fields = fields;
	change.field_count = COUNT(fields);
	report_diff(&out, report_of(&diff), &plain);
	assert_has("    ~      4  4 fields, flags to flags  (moved by +4)\n");
	strbuf_reset(&out);
	report_diff(&out, report_of(&diff), &verbose);
	assert_has("    ~      4  flags         NvU32  (moved from 0)\n");
}

static void an_ioctl_with_another_number_shows_both(void **state)
{
	const struct diff diff = diff_of(&a_renumbered, 1);

	report_diff(&out, report_of(&diff), &plain);
	assert_has("  [number] control CMD_A  0x802  (was 0x801)  A\n");
}

static void a_record_names_the_ioctls_that_carry_it(void **state)
{
	static const char *const through[] = { "OUTER", "A" };
	static const struct diff_reach reach = { &cmd_a, through, 2 };
	struct diff_change change = a_grew;
	const struct diff diff = diff_of(&change, 1);

	change.reached_by = &reach;
	change.reach_count = 1;
	report_diff(&out, report_of(&diff), &plain);
	assert_has("    in    control CMD_A through OUTER\n");
}

static void with_a_table_what_the_proxy_forwards_has_its_own_heading(void **state)
{
	struct diff_change changes[] = { a_grew, a_renumbered };
	struct diff diff = diff_of(changes, 2);

	changes[0].proxied = true;
	changes[0].section = DIFF_SECTION_READ;
	diff.view = &view;
	report_diff(&out, report_of(&diff), &plain);
	assert_has("  proxy as of its node 1.0: 1 entry\n");
	assert_has(
		"What proxy names or reads, and may have to adapt to: 1 change\n  [growth] struct A");
	assert_has("What proxy does not forward: 1 change of ioctls and records (-v lists them)\n");
	strbuf_reset(&out);
	report_diff(&out, &(struct diff_report){ .diff = &diff, .is_filtered = true }, &plain);
	assert_has("What proxy does not forward: ioctls and records\n  [number] control CMD_A");
	strbuf_reset(&out);
	report_diff(&out, report_of(&diff), &verbose);
	assert_has("What proxy does not forward: ioctls and records\n  [number] control CMD_A");
}

static void flags_alone_are_folded_unless_all_are_asked_for(void **state)
{
	struct diff_change change = a_renumbered;
	const struct diff diff = diff_of(&change, 1);

	change.next_ioctl = &cmd_a;
	change.classes = DIFF_FLAGS;
	report_diff(&out, report_of(&diff), &plain);
	assert_has("1 ioctl changed only in flags that are not privileges (-v lists them)\n");
	strbuf_reset(&out);
	report_diff(&out, report_of(&diff), &verbose);
	assert_has("  [flags] control CMD_A  0x801  A\n");
}

static void a_name_from_outside_is_spelled_out(void **state)
{
	struct diff_change change = a_grew;
	const struct diff diff = diff_of(&change, 1);

	change.name = "A\033[2J";
	report_diff(&out, report_of(&diff), &plain);
	assert_has("struct A\\x1b[2J  4 -> 8 bytes");
}

static void colors_are_around_the_words_that_they_stress(void **state)
{
	const struct diff diff = diff_of(&a_grew, 1);

	report_diff(&out, report_of(&diff), &colored);
	assert_has("  \033[32m[growth]\033[0m struct \033[1mA\033[0m  4 -> 8 bytes\n");
}

static void translation_and_layout_have_two_colors(void **state)
{
	struct diff_change changes[] = { a_grew, a_grew };
	const struct diff diff = diff_of(changes, COUNT(changes));

	changes[0].classes = DIFF_TRANSLATION;
	changes[1].classes = DIFF_LAYOUT;
	report_diff(&out, report_of(&diff), &colored);
	assert_has("  \033[1;31m[translation]\033[0m ");
	assert_has("  \033[35m[layout]\033[0m ");
}

static void a_kind_of_which_nothing_changed_has_no_row(void **state)
{
	struct diff diff = diff_of(&a_grew, 1);

	diff.summary[ABI_RECORD].changed = 1;
	report_diff(&out, report_of(&diff), &plain);
	assert_has("toy 1.0 -> 2.0  (x86_64-linux-gnu)\n"
		   "  record        1 changed     0 added     0 removed\n"
		   "\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(nothing_changed_is_said_in_one_line),
		TEST(a_record_that_grew_shows_its_sizes_and_its_new_field),
		TEST(a_field_that_moved_says_from_where),
		TEST(fields_that_move_together_are_one_line_unless_all_are_asked_for),
		TEST(an_ioctl_with_another_number_shows_both),
		TEST(a_record_names_the_ioctls_that_carry_it),
		TEST(with_a_table_what_the_proxy_forwards_has_its_own_heading),
		TEST(flags_alone_are_folded_unless_all_are_asked_for),
		TEST(a_name_from_outside_is_spelled_out),
		TEST(colors_are_around_the_words_that_they_stress),
		TEST(translation_and_layout_have_two_colors),
		TEST(a_kind_of_which_nothing_changed_has_no_row),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
