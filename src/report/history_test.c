/*
 * Tests of a history as text, Markdown, JSON and a page. A row has one change on the edge from 1.0 to 2.0
 * (fixture_test.h), a filter, and lines that the output has.
 */
#include "report/fixture_test.h"

#define JSON NULL

static const bool last[] = { false, true };
static const char *const names[] = { "A" };
static const struct history_version half_read[] = {
	{ .version = "1.0", .parent = HISTORY_NO_PARENT, .abi = &base }, { .version = "2.0", .parent = 0 }
};
static const struct history_edge inside = { .version = 1, .parent = 0, .inside_release = true };
static const struct history_graph half_graph = { half_read, 2, &edge, 1 },
				  inner_graph = { versions, 2, &inside, 1 };
static const size_t since[] = { 0 }, until[] = { 1 };
static const struct history_move gone = { .name = NULL };
static const struct history_span span_of_a = { .kind = ABI_RECORD, .name = "A", .since = since,
					       .since_count = 1, .until = until, .until_count = 1,
					       .version_count = 1, .was = &gone, .now = &gone };

static const struct {
	const char *fact;
	const struct diff_change *change;
	const struct report_style *style; /* or JSON */
	struct history_filter filter;
	const struct history_graph *graph;
	const struct history_span *span;
	const char *is, *has[4]; /* as in diff_test.c */
} rows[] = {
	{ "without a filter, each step is a line", &a_grew, &plain,
	  .has = { "toy: 2 versions, 1.0 to 2.0  (x86_64-linux-gnu)\n  1 change in 1 of 1 step\n",
		   "  2.0 after 1.0: 1 change\n", "-struct A" } },
	{ "one version is shown with its changes", &a_grew, &plain, { .versions = last, .version_count = 1 },
	  .has = { "  only at 2.0\n  1 change in 1 of 1 step", "struct A" } },
	{ "text names a version that could not be read", &a_grew, &plain, .graph = &half_graph,
	  .has = { "  not read, and left out: 2.0\n" } },
	{ "Markdown names a version that could not be read", &a_grew, &markdown, .graph = &half_graph,
	  .has = { "\n**not read, and left out: 2.0**\n" } },
	{ "classes are named", &a_grew, &plain, { .classes = DIFF_TRANSLATION | DIFF_GROWTH },
	  .has = { "  only changes of class translation, growth\n", "struct A" } },
	{ "with a filter, each change is below its step", &a_grew, &plain,
	  { .names = names, .name_count = 1 },
	  .has = { "2.0 after 1.0\n  [growth] struct A  4 -> 8 bytes\n" } },
	{ "a span has the first version, and the version that removed the item", &a_grew, &plain,
	  .span = &span_of_a, .has = { "  - record A: since 1.0; removed in 2.0; in 1 of 2 releases\n" } },
	{ "a change inside a release is marked", &a_grew, &plain, { .names = names, .name_count = 1 },
	  &inner_graph, .has = { "2.0 after 1.0, inside release 2\n" } },
	{ "an ioctl with a different number is among the numbers", &a_renumbered, &plain,
	  .has = { "Numbers: 1 ioctl has a new number, 0 numbers passed to a different ioctl;",
		   "  control CMD_A  0x801 -> 0x802\n      at 2.0 after 1.0\n" } },
	{ "Markdown has a table for each step", &a_renumbered, &markdown,
	  .is = "## toy: 2 versions, 1.0 to 2.0  (x86_64-linux-gnu)\n\n1 change in 1 of 1 step\n\n"
		"### 2.0 after 1.0\n\n"
		"| kind | name | classes | what | the same at |\n|---|---|---|---|---|\n"
		"| control | `CMD_A` | number | 0x801 -> 0x802 |  |\n" },
	{ "in JSON, an event has its edges and its change, and a version its parent's name", &a_grew, JSON,
	  .has = { "\"format\": \"drvabi-history/1\"",
		   "   \"edges\": [\n"
		   "    {\"version\": \"2.0\", \"parent\": \"1.0\", \"inside_release\": false}\n"
		   "   ],\n"
		   "   \"kind\": \"record\",\n"
		   "   \"name\": \"A\",\n"
		   "   \"classes\": [\"growth\"],\n"
		   "   \"before\": {\"size\": 4, \"align\": 4, \"is_union\": false, "
		   "\"source\": \"a.h:1:1\"},\n"
		   "   \"after\": {\"size\": 8, \"align\": 4, \"is_union\": false, "
		   "\"source\": \"a.h:1:1\"},\n",
		   "  {\"version\": \"1.0\", \"commit\": \"c1\", \"parent\": null, "
		   "\"on_main\": true},\n"
		   "  {\"version\": \"2.0\", \"commit\": \"c2\", \"parent\": \"1.0\", "
		   "\"on_main\": true}\n" } },
	{ "in JSON, an ioctl has both numbers", &a_renumbered, JSON,
	  .has = { "   \"before\": 2049,\n   \"after\": 2050,\n" } },
};

REPORT_TEST(a_history_is_rendered)
{
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct one_event one;
		const struct history_report *report = history_of(&one, rows[i].change);

		fact = rows[i].fact;
		one.filter = rows[i].filter;
		one.history.graph = rows[i].graph ? rows[i].graph : &graph;
		one.spans = (struct history_spans){ rows[i].span, rows[i].span != NULL };
		one.event.renumbered = rows[i].change == &a_renumbered;
		one.history.numbers.renumbered = one.event.renumbered;
		strbuf_reset(&out);
		if (rows[i].style)
			report_history(&out, report, rows[i].style);
		else
			report_history_json(&out, report);
		if (rows[i].is)
			assert_rendered(rows[i].is);
		assert_has_all(rows[i].has, COUNT(rows[i].has));
	}
}

/* Renders the data of a page with one change and the timeline of A. */
static void render_page(const struct diff_change *change)
{
	static const struct history_step steps[] = { { 0, { .record = &base_a } }, { 1,
						     { .record = &next_a } } };
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

REPORT_TEST(a_page_has_versions_events_and_states_by_index)
{
	render_page(&a_grew);
	assert_has("\"versions\":[\n"
		   "[\"1.0\",\"c1\",0,-1,1,1],\n"
		   "[\"2.0\",\"c2\",86400,0,1,1]\n"
		   "],\n");
	assert_has("\"events\":[\n[[0],0,-1,0,-1,8,0,\"4 -> 8 bytes: +flags\"]\n],\n");
	assert_has("\"lives\":[\n[0,-1,0,[0,0,1,1]]\n],\n"
		   "\"records\":[\n[4,4,0,[1,2,0,4,3]],\n[8,4,0,[1,2,0,4,3,3,4,4,4,0]]],\n");
}

REPORT_TEST(no_name_ends_the_script_of_a_page)
{
	struct diff_change change = a_grew;

	change.name = "</script>";
	render_page(&change);
	assert_has("\\u003c/script>");
}
