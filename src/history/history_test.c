#include "history/fixture_test.h"

static void an_edge_leads_to_every_version_that_has_a_parent(void **state)
{
	struct history_graph graph;

	(void)state;
	put_version("1.0", NULL, true);
	put_version("1.1", "1.0", false);
	put_version("2.0", "1.0", true);
	graph = graph_of_all();
	assert_int_equal(graph.edge_count, 2);
	assert_int_equal(graph.edges[0].version, 1);
	assert_int_equal(graph.edges[0].parent, 0);
	assert_int_equal(graph.edges[1].version, 2);
}

static void an_edge_between_equal_first_numbers_is_inside_a_release(void **state)
{
	struct history_graph graph;

	(void)state;
	put_version("57.0", NULL, true);
	put_version("57.1", "57.0", true);
	put_version("570.0", "57.1", true);
	graph = graph_of_all();
	assert_true(graph.edges[0].inside_release);
	assert_false(graph.edges[1].inside_release);
}

static void what_follows_an_unreadable_version_is_compared_with_what_that_follows(void **state)
{
	struct history_graph graph;

	(void)state;
	put_version("1.0", NULL, true);
	put_version("1.1", "1.0", true);
	put_version("1.2", "1.1", true);
	graph_of_all();
	versions[1].abi = NULL;
	history_graph_of(&graph, versions, version_count, &arena);
	assert_int_equal(graph.edge_count, 1);
	assert_int_equal(graph.edges[0].version, 2);
	assert_int_equal(graph.edges[0].parent, 0);
}

static void equal_documents_are_no_change(void **state)
{
	struct history_graph graph;
	struct history history;

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct abi_builder *doc = put_version(i ? "1.1" : "1.0", i ? "1.0" : NULL, true);

		RECORD(doc, "R", 4, U32("a", 0));
		put_ioctl(doc, "CMD", 1, "R");
		put_constant(doc, "C", 1);
	}
	graph = graph_of_all();
	history = history_of(&graph);
	assert_int_equal(history.event_count, 0);
	assert_int_equal(history.changed_edges, 0);
}

/* A field is added on a release branch, and later on main. */
static struct history backported(void)
{
	static struct history_graph graph;

	RECORD(put_version("1.0", NULL, true), "R", 4, U32("a", 0));
	RECORD(put_version("1.1", "1.0", false), "R", 8, U32("a", 0), U32("b", 4));
	RECORD(put_version("2.0", "1.0", true), "R", 4, U32("a", 0));
	RECORD(put_version("3.0", "2.0", true), "R", 8, U32("a", 0), U32("b", 4));
	graph = graph_of_all();
	return history_of(&graph);
}

static void one_change_on_two_branches_is_one_event(void **state)
{
	struct history history = backported();

	(void)state;
	assert_int_equal(history.event_count, 1);
	assert_int_equal(history.change_count, 2);
	assert_string_equal(edges_of(&history, &history.events[0]), "1.1 3.0");
}

static void an_event_is_inside_a_release_if_one_of_its_edges_is(void **state)
{
	struct history history = backported();

	(void)state;
	assert_true(history.events[0].inside_release);
	assert_false(history.graph->edges[history.events[0].edges[1]].inside_release);
}

static void a_change_that_differs_in_its_outcome_is_another_event(void **state)
{
	struct history_graph graph;
	struct history history;

	(void)state;
	RECORD(put_version("1.0", NULL, true), "R", 4, U32("a", 0));
	RECORD(put_version("1.1", "1.0", false), "R", 8, U32("a", 0), U32("b", 4));
	RECORD(put_version("2.0", "1.0", true), "R", 8, U32("a", 0), HANDLE("b", 4));
	graph = graph_of_all();
	history = history_of(&graph);
	assert_int_equal(history.event_count, 2);
}

static void a_change_and_its_undoing_are_two_events(void **state)
{
	struct history_graph graph;
	struct history history;

	(void)state;
	put_constant(put_version("1.0", NULL, true), "C", 1);
	put_constant(put_version("1.1", "1.0", true), "C", 2);
	put_constant(put_version("1.2", "1.1", true), "C", 1);
	graph = graph_of_all();
	history = history_of(&graph);
	assert_int_equal(history.event_count, 2);
	assert_string_equal(edges_of(&history, &history.events[0]), "1.1");
	assert_string_equal(edges_of(&history, &history.events[1]), "1.2");
}

/* The two ioctls that the driver's 575.51.02 renumbered, each by one. */
static struct history_graph renumbered(void)
{
	struct abi_builder *doc = put_version("1.0", NULL, true);

	put_ioctl(doc, "SUPPORT", 0x58, "P");
	put_ioctl(doc, "STATUS", 0x59, "Q");
	RECORD(doc, "P", 4, U32("p", 0));
	RECORD(doc, "Q", 8, U64("q", 0));
	doc = put_version("2.0", "1.0", true);
	put_ioctl(doc, "SUPPORT", 0x57, "P");
	put_ioctl(doc, "STATUS", 0x58, "Q");
	RECORD(doc, "P", 4, U32("p", 0));
	RECORD(doc, "Q", 8, U64("q", 0));
	return graph_of_all();
}

static void new_numbers_and_reused_ones_are_counted(void **state)
{
	struct history_graph graph = renumbered();
	struct history history = history_of(&graph);

	(void)state;
	assert_int_equal(history.event_count, 2);
	assert_int_equal(history.numbers.renumbered, 2);
	assert_int_equal(history.numbers.reused, 1);
	assert_string_equal(find_event(&history, ABI_IOCTL, "STATUS")->change->number_was, "SUPPORT");
}

static void a_number_finds_what_had_it_before_and_after(void **state)
{
	struct history_graph graph = renumbered();
	struct history history;

	(void)state;
	ask_number(0x59);
	history = history_of(&graph);
	assert_int_equal(history.event_count, 1);
	assert_string_equal(history.events[0].change->name, "STATUS");
}

static void a_name_finds_what_it_is_about(void **state)
{
	struct history_graph graph = renumbered();
	struct history history;
	const char *const name = "STAT*";

	(void)state;
	filter.names = &name;
	filter.name_count = 1;
	history = history_of(&graph);
	assert_int_equal(history.event_count, 1);
	assert_string_equal(history.events[0].change->name, "STATUS");
}

static void the_name_of_an_ioctl_finds_the_records_that_it_carries(void **state)
{
	const char *const name = "CMD";
	struct abi_builder *doc = put_version("1.0", NULL, true);
	struct history_graph graph;
	struct history history;

	(void)state;
	put_ioctl(doc, "CMD", 1, "P");
	RECORD(doc, "P", 4, U32("p", 0));
	RECORD(doc, "OTHER", 4, U32("p", 0));
	doc = put_version("2.0", "1.0", true);
	put_ioctl(doc, "CMD", 1, "P");
	RECORD(doc, "P", 8, U32("p", 0), U32("q", 4));
	RECORD(doc, "OTHER", 8, U32("p", 0), U32("q", 4));
	graph = graph_of_all();
	filter.names = &name;
	filter.name_count = 1;
	history = history_of(&graph);
	assert_int_equal(history.event_count, 1);
	assert_string_equal(history.events[0].change->name, "P");
}

/*
 * CMD carries P, and S in it; OTHER carries Q. All change at 2.0, CMD gets the number 2 at 3.0; Q changes
 * once more at 4.0.
 */
static struct history_graph carried(void)
{
	static const char *const names[] = { "1.0", "2.0", "3.0", "4.0" };

	for (unsigned i = 0; i < 4; i++) {
		struct abi_builder *doc = put_version(names[i], i ? names[i - 1] : NULL, true);
		const struct abi_field s = { .name = "s", .type = "S", .size_bits = i ? 64 : 32 };

		put_ioctl(doc, "CMD", i < 2 ? 1 : 2, "P");
		put_ioctl(doc, "OTHER", 3, "Q");
		put_record(doc, "P", i ? 8 : 4, &s, 1);
		if (i)
			RECORD(doc, "S", 8, U32("a", 0), U32("b", 4));
		else
			RECORD(doc, "S", 4, U32("a", 0));
		if (i == 3)
			RECORD(doc, "Q", 16, U64("q", 0), U64("r", 8));
		else
			RECORD(doc, "Q", i ? 8 : 4, U32("q", 0));
	}
	return graph_of_all();
}

static void a_number_finds_the_records_that_it_carried(void **state)
{
	struct history_graph graph = carried();
	struct history history;

	(void)state;
	ask_number(1);
	history = history_of(&graph);
	assert_int_equal(history.event_count, 3);
	assert_string_equal(edges_of(&history, find_event(&history, ABI_RECORD, "P")), "2.0");
	assert_string_equal(edges_of(&history, find_event(&history, ABI_RECORD, "S")), "2.0");
	assert_string_equal(edges_of(&history, find_event(&history, ABI_IOCTL, "CMD")), "3.0");
}

static void a_number_finds_no_record_before_an_ioctl_has_it(void **state)
{
	struct history_graph graph = carried();
	struct history history;

	(void)state;
	ask_number(2);
	history = history_of(&graph);
	assert_int_equal(history.event_count, 1);
	assert_non_null(find_event(&history, ABI_IOCTL, "CMD"));
}

static void names_and_numbers_find_what_either_finds(void **state)
{
	const char *const name = "S";
	struct history_graph graph = carried();
	struct history history;

	(void)state;
	ask_number(3);
	filter.names = &name;
	filter.name_count = 1;
	history = history_of(&graph);
	assert_int_equal(history.event_count, 3);
	assert_string_equal(edges_of(&history, find_event(&history, ABI_RECORD, "S")), "2.0");
	assert_null(find_event(&history, ABI_RECORD, "P"));
	assert_string_equal(history.events[2].change->name, "Q");
}

static void a_record_that_changes_where_its_ioctl_gets_another_number_is_found_by_both(void **state)
{
	struct history_graph graph;

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct abi_builder *doc = put_version(i ? "2.0" : "1.0", i ? "1.0" : NULL, true);

		put_ioctl(doc, "CMD", i ? 2 : 1, "P");
		RECORD(doc, "P", i ? 8 : 4, U32("p", 0));
	}
	graph = graph_of_all();
	for (unsigned number = 1; number <= 2; number++) {
		struct history history;

		ask_number(number);
		history = history_of(&graph);
		assert_non_null(find_event(&history, ABI_RECORD, "P"));
	}
}

static void a_record_that_changes_where_its_ioctl_gets_another_name_is_found_by_both(void **state)
{
	static const char *const names[] = { "CMD_OLD", "CMD_NEW" };
	struct history_graph graph;

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct abi_builder *doc = put_version(i ? "2.0" : "1.0", i ? "1.0" : NULL, true);

		put_ioctl(doc, names[i], 1, "P");
		RECORD(doc, "P", i ? 8 : 4, U32("p", 0));
	}
	graph = graph_of_all();
	filter.name_count = 1;
	for (int i = 0; i < 2; i++) {
		struct history history;

		filter.names = &names[i];
		history = history_of(&graph);
		assert_non_null(find_event(&history, ABI_RECORD, "P"));
	}
}

static void the_ioctls_that_were_asked_for_come_first(void **state)
{
	struct history_graph graph;
	struct history history;

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct abi_builder *doc = put_version(i ? "2.0" : "1.0", i ? "1.0" : NULL, true);

		for (unsigned n = 0; n < 4; n++)
			put_ioctl(doc, arena_printf(&arena, "CMD_%u", n), n, "P");
		RECORD(doc, "P", i ? 8 : 4, U32("p", 0));
	}
	graph = graph_of_all();
	ask_number(2);
	history = history_of(&graph);
	assert_int_equal(history.event_count, 1);
	assert_int_equal(history.events[0].carrier_count, 1);
	assert_int_equal(history.events[0].change->reach_count, 4);
	assert_string_equal(history.events[0].change->reached_by[0].ioctl->name, "CMD_2");
	assert_string_equal(history.events[0].change->reached_by[1].ioctl->name, "CMD_0");
}

static void a_record_behind_a_pointer_counts(void **state)
{
	const struct abi_field pointer = { .name = "p", .type = "Q *", .size_bits = 64 };
	const char *const name = "CMD";
	struct history_graph graph;
	struct history history;

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct abi_builder *doc = put_version(i ? "2.0" : "1.0", i ? "1.0" : NULL, true);

		put_ioctl(doc, "CMD", 1, "P");
		put_alias(doc, "Q *", "Q *", 8);
		put_record(doc, "P", 8, &pointer, 1);
		RECORD(doc, "Q", i ? 8 : 4, U32("q", 0));
	}
	graph = graph_of_all();
	filter.names = &name;
	filter.name_count = 1;
	history = history_of(&graph);
	assert_int_equal(history.event_count, 1);
	assert_string_equal(history.events[0].change->name, "Q");
}

/* LISTED is in the driver's tables; the other commands are macros only. */
static struct abi_builder *put_macros(const char *version, const char *parent, uint64_t listed)
{
	struct abi_builder *doc = put_version(version, parent, true);

	put_ioctl(doc, "X_CTRL_CMD_LISTED", listed, NULL);
	put_constant(doc, "X_CTRL_CMD_LISTED", listed);
	return doc;
}

static void the_macro_of_a_command_is_a_number_though_no_table_lists_it(void **state)
{
	struct abi_builder *doc = put_macros("1.0", NULL, 0x40);
	struct history_graph graph;
	struct history history;

	(void)state;
	put_constant(doc, "X_CTRL_CMD_MACRO", 0x41);
	put_constant(doc, "X_LIMIT", 7);
	doc = put_macros("2.0", "1.0", 0x41);
	put_constant(doc, "X_CTRL_CMD_MACRO", 0x42);
	put_constant(doc, "X_LIMIT", 0x40);
	graph = graph_of_all();
	history = history_of(&graph);
	assert_int_equal(history.numbers.renumbered, 2);
	assert_int_equal(history.numbers.reused, 1);
	assert_string_equal(find_event(&history, ABI_IOCTL, "X_CTRL_CMD_LISTED")->change->number_was,
			    "X_CTRL_CMD_MACRO");
	assert_false(find_event(&history, ABI_CONSTANT, "X_LIMIT")->renumbered);
}

static void a_macro_that_gets_the_number_of_an_ioctl_is_told(void **state)
{
	struct abi_builder *doc;
	struct history_graph graph;
	struct history history;

	(void)state;
	put_macros("1.0", NULL, 0x40);
	doc = put_macros("2.0", "1.0", 0x41);
	put_constant(doc, "X_CTRL_CMD_MACRO", 0x40);
	graph = graph_of_all();
	history = history_of(&graph);
	assert_string_equal(find_event(&history, ABI_CONSTANT, "X_CTRL_CMD_MACRO")->change->number_was,
			    "X_CTRL_CMD_LISTED");
	assert_true(find_event(&history, ABI_CONSTANT, "X_CTRL_CMD_MACRO")->reused);
}

static void a_second_macro_of_one_command_frees_no_number(void **state)
{
	struct abi_builder *doc = put_macros("1.0", NULL, 0x40);
	struct history_graph graph;
	struct history history;

	(void)state;
	put_constant(doc, "X_CTRL_CMD_MACRO", 0x41);
	doc = put_macros("2.0", "1.0", 0x40);
	put_constant(doc, "X_CTRL_CMD_MACRO", 0x41);
	put_constant(doc, "X_CTRL_CMD_MACRO_V2", 0x41);
	graph = graph_of_all();
	history = history_of(&graph);
	assert_int_equal(history.event_count, 1);
	assert_null(history.events[0].change->number_was);
}

static void a_number_finds_macros_of_commands(void **state)
{
	struct abi_builder *doc = put_macros("1.0", NULL, 0x40);
	struct history_graph graph;
	struct history_spans spans;
	struct history history;

	(void)state;
	put_constant(doc, "X_CTRL_CMD_MACRO", 0x42);
	put_constant(doc, "X_LIMIT", 0x42);
	doc = put_macros("2.0", "1.0", 0x40);
	put_constant(doc, "X_CTRL_CMD_MACRO", 0x43);
	graph = graph_of_all();
	ask_number(0x42);
	history = history_of(&graph);
	assert_int_equal(history.event_count, 1);
	assert_string_equal(history.events[0].change->name, "X_CTRL_CMD_MACRO");
	history_since(&spans, &graph, &filter, &arena);
	assert_int_equal(spans.count, 1);
	assert_string_equal(spans.spans[0].name, "X_CTRL_CMD_MACRO");
	assert_string_equal(names_of(spans.spans[0].until, spans.spans[0].until_count), "2.0");
}

static size_t events_of_name(const struct history_graph *graph, const char *name)
{
	filter.names = &name;
	filter.name_count = 1;
	return history_of(graph).event_count;
}

static void a_name_finds_what_changed_inside_it(void **state)
{
	struct history_graph graph;
	struct abi_builder *doc;

	(void)state;
	for (int i = 0; i < 2; i++) {
		doc = put_version(i ? "2.0" : "1.0", i ? "1.0" : NULL, true);
		put_alias(doc, "T", i ? "int" : "unsigned int", 4);
		RECORD(doc, "R", 4, { .name = "t", .type = "T", .offset_bits = 0, .size_bits = 32 });
		RECORD(doc, "Q", 4, U32("a", 0));
	}
	graph = graph_of_all();
	assert_int_equal(events_of_name(&graph, "R"), 1);
	assert_int_equal(events_of_name(&graph, "T"), 1);
	assert_int_equal(events_of_name(&graph, "Q"), 0);
}

/* At 2.0, CHANGED is what STAYS was all along. */
static void a_name_that_stays_is_not_told_with_one_that_became_the_same(void **state)
{
	struct abi_builder *doc = put_version("1.0", NULL, true);
	struct history_graph graph;

	(void)state;
	RECORD(doc, "CHANGED", 4, U32("a", 0));
	RECORD(doc, "STAYS", 8, U32("a", 0), U32("b", 4));
	doc = put_version("2.0", "1.0", true);
	TYPEDEF(doc, "STAYS", "CHANGED", 8, U32("a", 0), U32("b", 4));
	RECORD(doc, "STAYS", 8, U32("a", 0), U32("b", 4));
	graph = graph_of_all();
	assert_int_equal(events_of_name(&graph, "CHANGED"), 1);
	assert_int_equal(events_of_name(&graph, "STAYS"), 0);
	assert_int_equal(events_of_name(&graph, "STAY?"),
			 0); /* a glob is not passed over, and says the same */
}

/* A table whose root forwards OLD, and whose node 2.0 forwards NEW as well. */
static const struct table *small_table(void)
{
	static const struct table_entry old[] = {
		{ .family = "control", .name = "OLD", .number = 1, .constant = "OLD" }
	};
	static const struct table_entry new[] = {
		{ .family = "control", .name = "NEW", .number = 2, .constant = "NEW" }
	};
	static struct table_node nodes[] = {
		{ .version = "1.0", .supported = true, .entries = old, .entry_count = 1 },
		{ .version = "2.0", .parent = &nodes[0], .supported = true, .entries = new, .entry_count = 1 },
	};
	static const struct table table = {
		.path = "t", .proxy = "p", .driver = "d", .nodes = nodes, .node_count = 2
	};

	return &table;
}

static void a_table_leaves_what_it_forwards_before_or_after(void **state)
{
	struct abi_builder *doc = put_version("1.0", NULL, true);
	struct history_graph graph;
	struct history history;

	(void)state;
	put_ioctl(doc, "OLD", 1, NULL);
	put_ioctl(doc, "UNKNOWN", 3, NULL);
	doc = put_version("2.0", "1.0", true);
	put_ioctl(doc, "NEW", 2, NULL);
	put_ioctl(doc, "UNKNOWN", 4, NULL);
	graph = graph_of_all();
	filter.table = small_table();
	history = history_of(&graph);
	assert_int_equal(history.event_count, 2);
	assert_non_null(find_event(&history, ABI_IOCTL, "OLD"));
	assert_non_null(find_event(&history, ABI_IOCTL, "NEW"));
}

static struct history_spans spans_of(const struct history_graph *graph)
{
	struct history_spans spans;

	history_since(&spans, graph, &filter, &arena);
	return spans;
}

static void a_name_is_told_since_when_and_until_when(void **state)
{
	const char *const name = "R";
	struct history_graph graph;
	struct history_spans spans;

	(void)state;
	put_version("1.0", NULL, true);
	RECORD(put_version("1.1", "1.0", false), "R", 4, U32("a", 0));
	RECORD(put_version("2.0", "1.0", true), "R", 4, U32("a", 0));
	put_version("3.0", "2.0", true);
	graph = graph_of_all();
	filter.names = &name;
	filter.name_count = 1;
	spans = spans_of(&graph);
	assert_int_equal(spans.count, 1);
	assert_int_equal(spans.spans[0].kind, ABI_RECORD);
	assert_string_equal(names_of(spans.spans[0].since, spans.spans[0].since_count), "1.1 2.0");
	assert_string_equal(names_of(spans.spans[0].until, spans.spans[0].until_count), "3.0");
	assert_int_equal(spans.spans[0].version_count, 2);
}

static void what_the_first_version_has_is_there_since_then(void **state)
{
	const char *const name = "C";
	struct history_graph graph;
	struct history_spans spans;

	(void)state;
	put_constant(put_version("1.0", NULL, true), "C", 1);
	put_constant(put_version("1.1", "1.0", true), "C", 1);
	graph = graph_of_all();
	filter.names = &name;
	filter.name_count = 1;
	spans = spans_of(&graph);
	assert_string_equal(names_of(spans.spans[0].since, spans.spans[0].since_count), "1.0");
	assert_int_equal(spans.spans[0].until_count, 0);
}

static void a_number_is_told_with_every_name_in_the_order_of_versions(void **state)
{
	struct history_graph graph = renumbered();
	struct history_spans spans;

	(void)state;
	ask_number(0x58);
	spans = spans_of(&graph);
	assert_int_equal(spans.count, 2);
	assert_string_equal(spans.spans[0].name, "SUPPORT");
	assert_string_equal(names_of(spans.spans[0].until, spans.spans[0].until_count), "2.0");
	assert_string_equal(spans.spans[1].name, "STATUS");
	assert_string_equal(names_of(spans.spans[1].since, spans.spans[1].since_count), "2.0");
}

static struct history_spans moves_of(const struct history_graph *graph)
{
	struct history_spans spans = spans_of(graph);
	const struct history history = history_of(graph);

	history_moves(&spans, &history, &arena);
	return spans;
}

static void what_a_number_stood_for_says_its_new_one(void **state)
{
	struct history_graph graph = renumbered();
	struct history_spans spans;

	(void)state;
	ask_number(0x58);
	spans = moves_of(&graph);
	assert_string_equal(spans.spans[0].now[0].name, "SUPPORT");
	assert_int_equal(spans.spans[0].now[0].number, 0x57);
	assert_null(spans.spans[0].was[0].name);
	assert_string_equal(spans.spans[1].was[0].name, "STATUS");
	assert_int_equal(spans.spans[1].was[0].number, 0x59);
	assert_string_equal(versions[spans.spans[1].was[0].parent].version, "1.0");
}

static void what_was_removed_has_become_nothing(void **state)
{
	struct history_graph graph;
	struct history_spans spans;

	(void)state;
	put_ioctl(put_version("1.0", NULL, true), "CMD", 1, NULL);
	put_version("2.0", "1.0", true);
	graph = graph_of_all();
	ask_number(1);
	spans = moves_of(&graph);
	assert_int_equal(spans.count, 1);
	assert_int_equal(spans.spans[0].until_count, 1);
	assert_null(spans.spans[0].now[0].name);
}

static void a_renamed_ioctl_says_its_new_name(void **state)
{
	const char *const name = "CMD_OLD";
	struct abi_builder *doc = put_version("1.0", NULL, true);
	struct history_graph graph;
	struct history_spans spans;

	(void)state;
	put_ioctl(doc, "CMD_OLD", 1, "P");
	RECORD(doc, "P", 4, U32("p", 0));
	doc = put_version("2.0", "1.0", true);
	put_ioctl(doc, "CMD_NEW", 1, "P");
	RECORD(doc, "P", 4, U32("p", 0));
	graph = graph_of_all();
	filter.names = &name;
	filter.name_count = 1;
	spans = moves_of(&graph);
	assert_string_equal(spans.spans[0].now[0].name, "CMD_NEW");
	ask_number(1);
	spans = moves_of(&graph);
	assert_string_equal(spans.spans[0].now[0].name, "CMD_NEW");
	assert_string_equal(spans.spans[1].was[0].name, "CMD_OLD");
}

static void a_macro_that_comes_into_the_tables_says_so(void **state)
{
	struct abi_builder *doc = put_macros("1.0", NULL, 0x40);
	struct history_graph graph;
	struct history_spans spans;

	(void)state;
	put_constant(doc, "X_CTRL_CMD_MACRO", 0x42);
	doc = put_macros("2.0", "1.0", 0x40);
	put_constant(doc, "X_CTRL_CMD_MACRO", 0x42);
	put_ioctl(doc, "X_CTRL_CMD_MACRO", 0x42, NULL);
	graph = graph_of_all();
	ask_number(0x42);
	spans = moves_of(&graph);
	assert_int_equal(spans.count, 2);
	assert_int_equal(spans.spans[0].kind, ABI_CONSTANT);
	assert_int_equal(spans.spans[0].now[0].kind, ABI_IOCTL);
	assert_int_equal(spans.spans[1].was[0].kind, ABI_CONSTANT);
	assert_int_equal(spans.spans[1].was[0].number, 0x42);
}

static void a_glob_has_no_span(void **state)
{
	const char *const name = "S*";
	struct history_graph graph = renumbered();

	(void)state;
	filter.names = &name;
	filter.name_count = 1;
	assert_int_equal(spans_of(&graph).count, 0);
}

static void the_macro_of_an_ioctl_is_the_ioctl(void **state)
{
	const char *const name = "CMD";
	struct abi_builder *doc = put_version("1.0", NULL, true);
	struct history_graph graph;
	struct history_spans spans;

	(void)state;
	put_ioctl(doc, "CMD", 1, NULL);
	put_constant(doc, "CMD", 1);
	graph = graph_of_all();
	filter.names = &name;
	filter.name_count = 1;
	spans = spans_of(&graph);
	assert_int_equal(spans.count, 1);
	assert_int_equal(spans.spans[0].kind, ABI_IOCTL);
	assert_string_equal(spans.spans[0].family, "control");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(an_edge_leads_to_every_version_that_has_a_parent),
		TEST(an_edge_between_equal_first_numbers_is_inside_a_release),
		TEST(what_follows_an_unreadable_version_is_compared_with_what_that_follows),
		TEST(equal_documents_are_no_change),
		TEST(one_change_on_two_branches_is_one_event),
		TEST(an_event_is_inside_a_release_if_one_of_its_edges_is),
		TEST(a_change_that_differs_in_its_outcome_is_another_event),
		TEST(a_change_and_its_undoing_are_two_events),
		TEST(new_numbers_and_reused_ones_are_counted),
		TEST(a_number_finds_what_had_it_before_and_after),
		TEST(a_name_finds_what_it_is_about),
		TEST(the_name_of_an_ioctl_finds_the_records_that_it_carries),
		TEST(a_number_finds_the_records_that_it_carried),
		TEST(a_number_finds_no_record_before_an_ioctl_has_it),
		TEST(names_and_numbers_find_what_either_finds),
		TEST(a_record_that_changes_where_its_ioctl_gets_another_number_is_found_by_both),
		TEST(a_record_that_changes_where_its_ioctl_gets_another_name_is_found_by_both),
		TEST(the_ioctls_that_were_asked_for_come_first),
		TEST(a_record_behind_a_pointer_counts),
		TEST(the_macro_of_a_command_is_a_number_though_no_table_lists_it),
		TEST(a_macro_that_gets_the_number_of_an_ioctl_is_told),
		TEST(a_second_macro_of_one_command_frees_no_number),
		TEST(a_number_finds_macros_of_commands),
		TEST(a_name_finds_what_changed_inside_it),
		TEST(a_name_that_stays_is_not_told_with_one_that_became_the_same),
		TEST(a_table_leaves_what_it_forwards_before_or_after),
		TEST(a_name_is_told_since_when_and_until_when),
		TEST(what_the_first_version_has_is_there_since_then),
		TEST(a_number_is_told_with_every_name_in_the_order_of_versions),
		TEST(what_a_number_stood_for_says_its_new_one),
		TEST(what_was_removed_has_become_nothing),
		TEST(a_renamed_ioctl_says_its_new_name),
		TEST(a_macro_that_comes_into_the_tables_says_so),
		TEST(a_glob_has_no_span),
		TEST(the_macro_of_an_ioctl_is_the_ioctl),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
