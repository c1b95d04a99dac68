/* A history as CSV for a spreadsheet and as Markdown for an issue. */
#include "report/fixture_test.h"

static void csv_has_a_row_for_each_event_on_each_edge(void **state)
{
	struct one_event one;

	(void)state;
	report_history_csv(&out, history_of(&one, &a_grew));
	assert_rendered("version,parent,on_main,inside_release,first_version,kind,family,name,classes,change,carried_by\n"
			"2.0,1.0,yes,no,2.0,record,,A,growth,4 -> 8 bytes: +flags,\n");
}

static void csv_quotes_a_cell_with_a_comma(void **state)
{
	struct diff_change change = a_grew;
	struct one_event one;

	(void)state;
	change.name = "A,\"B\"";
	report_history_csv(&out, history_of(&one, &change));
	assert_has(",record,,\"A,\"\"B\"\"\",growth,");
}

static void csv_has_no_formula(void **state)
{
	struct diff_change change = a_grew;
	struct one_event one;

	(void)state;
	change.name = "=1+1";
	report_history_csv(&out, history_of(&one, &change));
	assert_has(",record,,'=1+1,growth,");
}

static void markdown_has_a_table_for_each_step(void **state)
{
	struct one_event one;

	(void)state;
	report_history_markdown(&out, history_of(&one, &a_renumbered));
	assert_rendered("## toy: 1 ABI change over 2 versions\n\n"
			"### 2.0 after 1.0\n\n"
			"| kind | name | classes | what | the same at |\n|---|---|---|---|---|\n"
			"| control | `CMD_A` | number | 0x801 -> 0x802 |  |\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(csv_has_a_row_for_each_event_on_each_edge),
		TEST(csv_quotes_a_cell_with_a_comma),
		TEST(csv_has_no_formula),
		TEST(markdown_has_a_table_for_each_step),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
