/* Tests of the data in the page of a history. */
#include "report/fixture_test.h"

/* Renders the data of a page with one change and the timeline of A. */
static void render(const struct diff_change *change)
{
	static const struct history_step steps[] = { { 0, { .record = &base_a } },
						     { 1, { .record = &next_a } } };
	static const struct history_timeline timeline = {
		.kind = ABI_RECORD, .name = "A", .steps = steps, .step_count = 2
	};
	static const struct history_timelines timelines = { &timeline, 1 };
	struct strbuf page = { 0 };
	struct one_event one;
	const char *data;

	report_history_page(&page, history_of(&one, change), &timelines);
	data = strstr(page.text, "<script id=\"data\"");
	assert_non_null(data);
	strbuf_add(&out, data, (size_t)(strstr(data, "</script>") - data));
	strbuf_release(&page);
}

static void a_version_is_name_commit_time_and_parent(void **state)
{
	render(&a_grew);
	assert_has("\"versions\":[\n"
		   "[\"1.0\",\"c1\",0,-1,1,1],\n"
		   "[\"2.0\",\"c2\",86400,0,1,1]\n"
		   "],\n");
}

static void an_event_names_its_words_by_index(void **state)
{
	render(&a_grew);
	assert_has("\"events\":[\n"
		   "[[0],0,-1,0,-1,8,0,\"4 -> 8 bytes: +flags\"]\n"
		   "],\n");
}

static void a_timeline_has_the_states_of_its_versions(void **state)
{
	render(&a_grew);
	assert_has("\"lives\":[\n"
		   "[0,-1,0,[0,0,1,1]]\n"
		   "],\n"
		   "\"records\":[\n"
		   "[4,4,0,[1,2,0,4,3]],\n"
		   "[8,4,0,[1,2,0,4,3,3,4,4,4,0]]],\n");
}

static void nothing_in_the_data_ends_the_script(void **state)
{
	struct diff_change change = a_grew;

	change.name = "</script>";
	render(&change);
	assert_has("\\u003c/script>");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_version_is_name_commit_time_and_parent),
		TEST(an_event_names_its_words_by_index),
		TEST(a_timeline_has_the_states_of_its_versions),
		TEST(nothing_in_the_data_ends_the_script),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
