#include "history/fixture_test.h"

static struct history_graph graph;

/* The timelines, with the test's filter. */
static struct history_timelines timelines_now(void)
{
	struct history *history = arena_alloc(&arena, sizeof(*history));
	struct history_timelines timelines;

	*history = history_of(&graph);
	history_timelines(&timelines, history, &arena);
	return timelines;
}

static const struct history_timeline *find_timeline(const struct history_timelines *timelines,
						    enum abi_kind kind, const char *name)
{
	for (size_t i = 0; i < timelines->count; i++)
		if (timelines->timelines[i].kind == kind && !strcmp(timelines->timelines[i].name, name))
			return &timelines->timelines[i];
	return NULL;
}

/* "1.0=4 2.0=8 3.0=gone": the versions of a record's steps, and its sizes. */
static const char *sizes_of(const struct history_timelines *timelines, const char *name)
{
	const struct history_timeline *timeline = find_timeline(timelines, ABI_RECORD, name);
	struct strbuf line = { 0 };
	const char *text;

	assert_non_null(timeline);
	for (size_t i = 0; i < timeline->step_count; i++) {
		strbuf_addf(&line, "%s%s=", i ? " " : "", versions[timeline->steps[i].version].version);
		if (timeline->steps[i].state.any)
			strbuf_addf(&line, "%u", (unsigned)timeline->steps[i].state.record->size_bytes);
		else
			strbuf_adds(&line, "gone");
	}
	text = arena_strdup(&arena, strbuf_text(&line));
	strbuf_release(&line);
	return text;
}

static void a_step_is_what_differs_from_the_parent(void **state)
{
	struct history_timelines timelines;

	(void)state;
	RECORD(put_version("1.0", NULL, true), "R", 4, U32("a", 0));
	RECORD(put_version("1.1", "1.0", false), "R", 4, U32("a", 0));
	RECORD(put_version("2.0", "1.0", true), "R", 8, U32("a", 0), U32("b", 4));
	put_version("3.0", "2.0", true);
	RECORD(put_version("4.0", "3.0", true), "R", 8, U32("a", 0), U32("b", 4));
	graph = graph_of_all();
	timelines = timelines_now();
	assert_string_equal(sizes_of(&timelines, "R"), "1.0=4 2.0=8 3.0=gone 4.0=8");
	assert_int_equal(find_timeline(&timelines, ABI_ALIAS, "NvU32")->step_count, 1);
}

static void each_root_has_all_that_is_in_it(void **state)
{
	struct history_timelines timelines;

	(void)state;
	RECORD(put_version("1.0", NULL, true), "R", 4, U32("a", 0));
	RECORD(put_version("2.0", NULL, false), "R", 4, U32("a", 0));
	graph = graph_of_all();
	timelines = timelines_now();
	assert_string_equal(sizes_of(&timelines, "R"), "1.0=4 2.0=4");
}

static void an_unreadable_version_is_passed_over(void **state)
{
	struct history_timelines timelines;

	(void)state;
	RECORD(put_version("1.0", NULL, true), "R", 4, U32("a", 0));
	put_version("1.1", "1.0", true);
	RECORD(put_version("1.2", "1.1", true), "R", 4, U32("a", 0));
	RECORD(put_version("1.3", "1.2", true), "R", 8, U64("a", 0));
	graph = graph_of_all();
	versions[1].abi = NULL;
	history_graph_of(&graph, versions, version_count, &arena);
	timelines = timelines_now();
	assert_string_equal(sizes_of(&timelines, "R"), "1.0=4 1.3=8");
}

static void a_renumbered_ioctl_has_one_timeline(void **state)
{
	const struct history_timeline *timeline;
	struct history_timelines timelines;

	(void)state;
	put_ioctl(put_version("1.0", NULL, true), "IT", 7, NULL);
	put_ioctl(put_version("2.0", "1.0", true), "IT", 8, NULL);
	graph = graph_of_all();
	timelines = timelines_now();
	timeline = find_timeline(&timelines, ABI_IOCTL, "IT");
	assert_string_equal(timeline->family, "control");
	assert_int_equal(timeline->step_count, 2);
	assert_int_equal(timeline->steps[0].state.ioctl->number, 7);
	assert_int_equal(timeline->steps[1].state.ioctl->number, 8);
}

static void a_filter_selects_the_types_that_items_use(void **state)
{
	static const char *const names[] = { "OUTER" };
	const struct abi_field inner = { .name = "i", .type = "INNER[2]", .size_bits = 64 };
	struct history_timelines timelines;
	struct abi_builder *doc;

	(void)state;
	doc = put_version("1.0", NULL, true);
	put_record(doc, "OUTER", 8, &inner, 1);
	RECORD(doc, "INNER", 4, U32("a", 0));
	RECORD(doc, "OTHER", 8, U64("a", 0));
	graph = graph_of_all();
	filter = (struct history_filter){ .names = names, .name_count = 1 };
	timelines = timelines_now();
	assert_non_null(find_timeline(&timelines, ABI_RECORD, "OUTER"));
	assert_non_null(find_timeline(&timelines, ABI_RECORD, "INNER"));
	assert_non_null(find_timeline(&timelines, ABI_ALIAS, "NvU32"));
	assert_null(find_timeline(&timelines, ABI_RECORD, "OTHER"));
	assert_null(find_timeline(&timelines, ABI_ALIAS, "NvU64"));
}

static void a_number_selects_every_item_that_had_it(void **state)
{
	struct history_timelines timelines;
	struct abi_builder *doc;

	(void)state;
	put_ioctl(put_version("1.0", NULL, true), "FIRST", 7, NULL);
	doc = put_version("2.0", "1.0", true);
	put_ioctl(doc, "SECOND", 7, NULL);
	put_ioctl(doc, "THIRD", 9, NULL);
	graph = graph_of_all();
	ask_number(7);
	timelines = timelines_now();
	assert_non_null(find_timeline(&timelines, ABI_IOCTL, "FIRST"));
	assert_non_null(find_timeline(&timelines, ABI_IOCTL, "SECOND"));
	assert_null(find_timeline(&timelines, ABI_IOCTL, "THIRD"));
}

static void a_number_finds_the_macro_of_a_command(void **state)
{
	struct abi_builder *doc = put_version("1.0", NULL, true);
	struct history_timelines timelines;

	(void)state;
	put_ioctl(doc, "X_CTRL_CMD_LISTED", 9, NULL);
	put_constant(doc, "X_CTRL_CMD_MACRO", 7);
	put_constant(doc, "X_LIMIT", 7);
	graph = graph_of_all();
	ask_number(7);
	timelines = timelines_now();
	assert_non_null(find_timeline(&timelines, ABI_CONSTANT, "X_CTRL_CMD_MACRO"));
	assert_null(find_timeline(&timelines, ABI_CONSTANT, "X_LIMIT"));
	assert_null(find_timeline(&timelines, ABI_IOCTL, "X_CTRL_CMD_LISTED"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_step_is_what_differs_from_the_parent),
		TEST(each_root_has_all_that_is_in_it),
		TEST(an_unreadable_version_is_passed_over),
		TEST(a_renumbered_ioctl_has_one_timeline),
		TEST(a_filter_selects_the_types_that_items_use),
		TEST(a_number_selects_every_item_that_had_it),
		TEST(a_number_finds_the_macro_of_a_command),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
