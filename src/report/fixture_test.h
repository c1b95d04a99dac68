/*
 * report/fixture_test.h - small inputs for the renderers, and assertions about their output
 *
 * Only the tests of report/ use this file. "toy" is a driver with the versions 1.0 and 2.0. "proxy" has a
 * table with one node, 1.0, which forwards CMD_A. A test sets up its input, renders into @out, and lists the
 * lines that it expects.
 */
#ifndef REPORT_FIXTURE_TEST_H
#define REPORT_FIXTURE_TEST_H

#include "base/unit_test.h"
#include "report/report.h"

#define REPORT_TEST(name) TEST_WITH(name, begin_test, end_test)
#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* A field of a diff; @at and @bytes are its offset and size in bytes. */
#define SIDE(p, t, at, bytes) { .path = (p), .type = (t), .offset_bits = (at) * 8, .size_bits = (bytes) * 8 }

static struct strbuf out; /* the output of the current test */
static const char *fact;  /* the current row of a table of tests; an assertion that fails prints it */

static const struct report_style plain = { 0 }, verbose = { .verbose = true }, colored = { .color = true },
				 markdown = { .markdown = true };

static const struct abi base = { .driver = "toy", .version = "1.0", .commit = "c1",
				 .target = "x86_64-linux-gnu" };
static const struct abi next = { .driver = "toy", .version = "2.0", .commit = "c2",
				 .target = "x86_64-linux-gnu" };

/* struct A has one more field in 2.0 than in 1.0. */
static const struct abi_field fields_of_a[] = {
	{ .name = "handle", .type = "NvHandle", .size_bits = 32, .role = ABI_ROLE_HANDLE },
	{ .name = "flags", .type = "NvU32", .offset_bits = 32, .size_bits = 32 },
};
static const struct abi_record base_a = { "A", fields_of_a, 1, 4, 4, false, "a.h:1:1" };
static const struct abi_record next_a = { "A", fields_of_a, 2, 8, 4, false, "a.h:1:1" };

static const struct abi_scalar scalars_of_a[] = {
	{ .path = "handle", .type = "NvHandle", .size_bits = 32, .kind = ABI_U32, .element_bits = 32,
	  .count = 1, .role = ABI_ROLE_HANDLE },
	{ .path = "flags", .type = "NvU32", .offset_bits = 32, .size_bits = 32, .kind = ABI_U32,
	  .element_bits = 32, .count = 1 },
};
static const struct abi_layout layout_of_a = { .record = "A", .source = "a.h:1:1", .size_bytes = 8,
					       .align_bytes = 4, .scalar = scalars_of_a, .scalar_count = 2 };

static const struct diff_field_side flags_side = SIDE("flags", "NvU32", 4, 4);
static const struct diff_field flags_added = { .op = DIFF_OP_ADDED, .classes = DIFF_GROWTH,
					       .after = &flags_side };
static const struct diff_change a_grew = { .kind = ABI_RECORD, .name = "A", .classes = DIFF_GROWTH,
					   .base_record = &base_a, .next_record = &next_a,
					   .fields = &flags_added, .field_count = 1 };

/* CMD_A carries struct A. */
static const char *const privileged[] = { "privileged" };
static const struct abi_ioctl cmd_a = { .family = "control", .name = "CMD_A", .number = 0x801, .params = "A",
					.flags = privileged, .flag_count = 1, .source = "" };
static const struct abi_ioctl cmd_a_renumbered = { .family = "control", .name = "CMD_A", .number = 0x802,
						   .params = "A", .flags = privileged, .flag_count = 1,
						   .source = "" };
static const struct diff_change a_renumbered = { .kind = ABI_IOCTL, .name = "CMD_A", .family = "control",
						 .classes = DIFF_NUMBER, .base_ioctl = &cmd_a,
						 .next_ioctl = &cmd_a_renumbered };

static const char *const compute[] = { "compute" };
static const struct table_struct reads_a = { "A", "AParams" };
static const struct table_entry entry_of_a = { .family = "control", .name = "CMD_A", .number = 0x801,
					       .constant = "CMD_A", .caps = compute, .cap_count = 1,
					       .structs = &reads_a, .struct_count = 1 };
static const struct table_entry *const entries[] = { &entry_of_a };
static const struct table_node node = { .version = "1.0", .supported = true, .entries = &entry_of_a,
					.entry_count = 1 };
static const struct table table = { .path = "t.json", .proxy = "proxy", .revision = "r1", .driver = "toy",
				    .nodes = &node, .node_count = 1 };
static const struct table_view view = { &table, &node, entries, 1 };

/* 2.0 follows 1.0. */
static const struct history_version versions[] = {
	{ .version = "1.0", .commit = "c1", .time = 0, .parent = HISTORY_NO_PARENT, .on_main = true,
	  .abi = &base },
	{ .version = "2.0", .commit = "c2", .time = 86400, .parent = 0, .on_main = true, .abi = &next },
};
static const struct history_edge edge = { .version = 1, .parent = 0 };
static const struct history_graph graph = { versions, 2, &edge, 1 };

static inline int begin_test(void **state)
{
	fact = "";
	strbuf_reset(&out);
	strbuf_adds(&out, "");
	return 0;
}

static inline int end_test(void **state)
{
	strbuf_release(&out);
	out = (struct strbuf){ 0 };
	return 0;
}

static inline struct diff diff_of(const struct diff_change *changes, size_t count)
{
	return (struct diff){ .base = &base, .next = &next, .changes = changes, .change_count = count };
}

/* Returns a report with only the diff. */
static inline const struct diff_report *report_of(const struct diff *diff)
{
	static struct diff_report report;

	report = (struct diff_report){ .diff = diff };
	return &report;
}

/* A history with one change on one edge. */
struct one_event {
	struct history_filter filter;
	struct history_changes changes;
	struct history_event event;
	struct history_spans spans;
	struct history history;
	struct history_report report;
};

static inline const struct history_report *history_of(struct one_event *one, const struct diff_change *change)
{
	static const size_t edges[] = { 0 }, carriers[] = { 0 };

	*one = (struct one_event){ 0 };
	one->changes = (struct history_changes){ .changes = change, .carriers = carriers, .count = 1 };
	one->event = (struct history_event){ .change = change, .edges = edges, .edge_count = 1 };
	one->history = (struct history){ .graph = &graph, .filter = &one->filter, .changes = &one->changes,
					 .events = &one->event, .event_count = 1, .change_count = 1,
					 .changed_edges = 1 };
	one->report =
		(struct history_report){ "toy", "x86_64-linux-gnu", "main", &one->history, &one->spans };
	return &one->report;
}

/* Asserts that the output is exactly @expected. */
static inline void assert_rendered(const char *expected)
{
	if (strcmp(strbuf_text(&out), expected) != 0)
		fail_msg("%s: expected\n%s\nnot\n%s", fact, expected, strbuf_text(&out));
}

/* Asserts that the output contains @lines, one after the other. */
static inline void assert_has(const char *lines)
{
	if (!strstr(strbuf_text(&out), lines))
		fail_msg("%s: no\n%s\nin\n%s", fact, lines, strbuf_text(&out));
}

static inline void assert_lacks(const char *text)
{
	if (strstr(strbuf_text(&out), text))
		fail_msg("%s: %s\nis in\n%s", fact, text, strbuf_text(&out));
}

/* Asserts that the output contains each text of @has; a text that begins with "-" is one that it does not contain. */
static inline void assert_has_all(const char *const *has, size_t count)
{
	for (size_t i = 0; i < count && has[i]; i++)
		if (*has[i] == '-')
			assert_lacks(has[i] + 1);
		else
			assert_has(has[i]);
}

#endif
