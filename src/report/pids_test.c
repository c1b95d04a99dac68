/* Tests of the ioctls that carry process ids, as text and as JSON. */
#include "report/fixture_test.h"

static const struct use_span spans[] = { { "1.0", "1.5" }, { "2.0", NULL } };
static const struct pid_rule converted = { .record = "A",
					   .path = "pid[]",
					   .direction = USE_OUT,
					   .converts = spans,
					   .convert_count = 2,
					   .evidence = "a.c" };
static const struct pid_rule never = { .record = "A", .path = "pid", .direction = USE_IN, .evidence = "a.c" };
static const struct pid_rule guest = { .record = "A",
				       .path = "pid",
				       .direction = USE_IN,
				       .of_guest = true,
				       .evidence = "a.c" };
static const struct surface_row row_of_a = { .ioctl = &cmd_a, .params_bytes = 8 },
			       forwarded_row = { .ioctl = &cmd_a, .entry = &entry_of_a, .params_bytes = 8 };
static const struct surface surface = { .abi = &next, .rows = &row_of_a, .row_count = 1 };
static const struct surface with_table = { .abi = &next,
					   .view = &view,
					   .rows = &forwarded_row,
					   .row_count = 1 };

/* One ioctl with one field. */
struct one {
	struct pids_row row;
	struct pids pids;
};

static const struct pids *pids_of(struct one *one, const struct surface *of, const struct pids_field *field)
{
	one->row = (struct pids_row){ .ioctl = of->rows, .fields = field, .field_count = 1 };
	one->pids = (struct pids){ .surface = of,
				   .rows = &one->row,
				   .row_count = 1,
				   .forwarded = of->view != NULL };
	return &one->pids;
}

static void a_single_pid_is_one_line(void **state)
{
	const struct pids_field field = {
		.path = "pid", .offset = 4, .width = 4, .max = 1, .rule = &never, .converts = PIDS_NO
	};
	struct one one;

	report_pids(&out, pids_of(&one, &surface, &field), &plain);
	assert_rendered("toy 2.0: 1 ioctl carries process ids\n"
			"\n"
			"control   0x801       CMD_A  A 8\n"
			"            4  in     pid  never converted\n");
}

static void a_row_of_pids_says_how_many_and_who_converts(void **state)
{
	const struct pids_field field = { .path = "pid[]",
					  .width = 4,
					  .stride = 4,
					  .max = 2,
					  .count = &leaves_of_a[1],
					  .rule = &converted,
					  .converts = PIDS_YES };
	struct one one;

	report_pids(&out, pids_of(&one, &surface, &field), &plain);
	assert_has("            0  out    pid[]  x2 every 4, counted by flags\n"
		   "                          converted 1.0 until 1.5, since 2.0\n");
}

static void what_no_rule_knows_is_a_question_mark(void **state)
{
	const struct pids_field field = { .path = "pid", .width = 4, .max = 1 };
	struct one one;

	report_pids(&out, pids_of(&one, &surface, &field), &plain);
	assert_has("            0  ?      pid\n");
}

static void a_process_of_a_guest_is_told(void **state)
{
	const struct pids_field field = { .path = "pid", .width = 4, .max = 1, .rule = &guest };
	struct one one;

	report_pids(&out, pids_of(&one, &surface, &field), &plain);
	assert_has("pid  of a guest\n");
}

static void a_table_says_what_the_proxy_does(void **state)
{
	const struct pids_field field = {
		.path = "pid", .width = 4, .max = 1, .rule = &never, .converts = PIDS_NO
	};
	struct one one;

	report_pids(&out, pids_of(&one, &with_table, &field), &plain);
	assert_has("* control   0x801       CMD_A  A 8\n"
		   "                        read by the proxy, by compute\n");
}

static void json_says_null_for_what_is_not_known(void **state)
{
	const struct pids_field field = { .path = "pid", .offset = 4, .width = 4, .max = 1 };
	struct one one;

	report_pids_json(&out, pids_of(&one, &surface, &field));
	assert_has(
		"{\"path\": \"pid\", \"offset\": 4, \"width\": 4, \"stride\": 0, \"max\": 1, \"count\": null, \"direction\": null, "
		"\"of\": \"host\", \"driver_converts\": null, \"driver_converts_since\": [], \"driver_converts_until\": [], \"evidence\": null}");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_single_pid_is_one_line),
		TEST(a_row_of_pids_says_how_many_and_who_converts),
		TEST(what_no_rule_knows_is_a_question_mark),
		TEST(a_process_of_a_guest_is_told),
		TEST(a_table_says_what_the_proxy_does),
		TEST(json_says_null_for_what_is_not_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
