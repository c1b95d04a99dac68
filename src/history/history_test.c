/* Tests edges, events, spans, timelines and blame, with small histories. */
#include "history/fixture_test.h"

static void add_edges(struct strbuf *out, const struct history_graph *graph, const char *asked)
{
	for (size_t i = 0; i < graph->edge_count; i++)
		strbuf_addf(out, "\n%s to %s%s", versions[graph->edges[i].parent].version,
			    versions[graph->edges[i].version].version,
			    graph->edges[i].inside_release ? " inside a release" : "");
}

HISTORY_TEST(edges)
{
	static const struct history_fact facts[] = {
		{ "every version with a parent has an edge", "@1.0 @1.1<1.0 @2.0<1.0", "",
		  "1.0 to 1.1 inside a release\n1.0 to 2.0" },
		{ "an edge can be inside a release", "@57.0 @57.1<57.0 @570.0<57.1", "",
		  "57.0 to 57.1 inside a release\n57.1 to 570.0" },
		{ "an unreadable parent is replaced with its own parent", "@1.0 @1.1?<1.0 @1.2<1.1", "",
		  "1.0 to 1.2 inside a release" },
	};

	check_facts(facts, sizeof(facts) / sizeof(*facts), add_edges);
}

/*
 * Appends the events, "ioctl B at 2.0 renumbered reused from A", with the requested ioctls that carry a
 * record.
 */
static void add_events(struct strbuf *out, const struct history_graph *graph, const char *asked)
{
	const struct history history = history_of(graph);
	struct history_count counted = { 0 };
	size_t changes = 0;

	for (size_t i = 0; i < history.event_count; i++) {
		const struct history_event *event = &history.events[i];
		const struct diff_change *change = event->change;

		strbuf_addf(out, "\n%s %s at", abi_kind_name(change->kind), change->name);
		for (size_t e = 0; e < event->edge_count; e++)
			strbuf_addf(out, " %s", versions[graph->edges[event->edges[e]].version].version);
		strbuf_addf(out, "%s%s%s", event->inside_release ? " inside" : "",
			    event->renumbered ? " renumbered" : "", event->reused ? " reused" : "");
		if (change->number_was)
			strbuf_addf(out, " from %s", change->number_was);
		for (size_t c = 0; event->carrier_count && c < change->reach_count; c++)
			strbuf_addf(out, " %s %s", c < event->carrier_count ? "for" : "also",
				    change->reached_by[c].ioctl->name);
		counted.renumbered += event->renumbered;
		counted.reused += event->reused;
		changes += event->edge_count;
	}
	assert_int_equal(history.numbers.renumbered, counted.renumbered);
	assert_int_equal(history.numbers.reused, counted.reused);
	assert_int_equal(history.change_count, changes);
	assert_true(!history.changed_edges == !history.event_count);
}

/* The record R with one or two fields. */
#define A "struct R 4 { NvU32 a@0 }"
#define A_B "struct R 8 { NvU32 a@0; NvU32 b@4 }"

/* Like the two ioctls that 575.51.02 renumbered: each number is one less. */
#define P_Q "struct P 4 { NvU32 p@0 } struct Q 8 { NvU64 q@0 }"
#define RENUMBERED \
	"@1.0 ioctl SUPPORT 0x58 P ioctl STATUS 0x59 Q " P_Q \
	" @2.0<1.0 ioctl SUPPORT 0x57 P ioctl STATUS 0x58 Q " P_Q

/*
 * CMD carries P, and S inside P; OTHER carries Q. All records change at 2.0. CMD gets the number 2 at 3.0. Q
 * changes again at 4.0.
 */
#define CMD_OTHER(cmd)                                                                                       \
	"ioctl CMD " cmd " P ioctl OTHER 3 Q struct P 8 { S s@0+8 } struct S 8 { NvU32 a@0; NvU32 b@4 } "
#define CARRIED                                                                                              \
	"@1.0 ioctl CMD 1 P ioctl OTHER 3 Q struct P 4 { S s@0 } struct S 4 { NvU32 a@0 } "                  \
	"struct Q 4 { NvU32 q@0 } @2.0<1.0 " CMD_OTHER("1") "struct Q 8 { NvU32 q@0 } @3.0<2.0 "             \
	CMD_OTHER("2") "struct Q 8 { NvU32 q@0 } @4.0<3.0 " CMD_OTHER("2")                                   \
	"struct Q 16 { NvU64 q@0; NvU64 r@8 }"

/* No ioctl carries P, which contains S, which contains T. */
#define BOTH_INNER(base, next) \
	"@1.0 struct P 16 { S s@0[2] } struct S 8 { T t@0 } struct O 8 { T t@0 } " base \
	" @2.0<1.0 struct P 16 { S s@0[2] } struct S 8 { T t@0 } struct O 8 { T t@0 } " next

/* An ioctl that changes, "CMD 1", with a record P of 4 bytes whose size can change at the same time. */
#define CHANGED(base, next, size)                                                                            \
	"@1.0 ioctl " base " P struct P 4 { NvU32 p@0 } @2.0<1.0 ioctl " next                                \
	" P struct P " size " { NvU32 p@0 }"

/* A record that becomes an alias of a different one. */
#define STAYS "struct STAYS 8 { NvU32 a@0; NvU32 b@4 }"
#define MERGED                                                                                               \
	"@1.0 struct CHANGED 4 { NvU32 a@0 } " STAYS                                                         \
	" @2.0<1.0 struct CHANGED=STAYS 8 { NvU32 a@0; NvU32 b@4 } " STAYS

/* An alias that changes inside R. */
#define R_Q "struct R 4 { T t@0 } struct Q 4 { NvU32 a@0 }"
#define RETYPED "@1.0 alias T unsigned~int 4 " R_Q " @2.0<1.0 alias T int 4 " R_Q

/* LISTED is in the driver's tables; all other commands are only macros. */
#define LISTED(number) "ioctl X_CTRL_CMD_LISTED " number " - const X_CTRL_CMD_LISTED " number " "

#define BOTH(document) "@1.0 " document " @2.0<1.0 " document

HISTORY_TEST(events)
{
	static const char b_on_both_branches[] =
		"@1.0 " A " @1.1<1.0 " A_B " @2.0<1.0 " A " @3.0<2.0 " A_B;
	static const struct history_fact facts[] = {
		{ "equal documents are no change", BOTH(A " ioctl CMD 1 R const C 1"), "", "" },
		{ "a change on two branches is one event, inside a release if one edge is",
		  b_on_both_branches, "", "record R at 1.1 3.0 inside" },
		{ "a change with a different result is a different event",
		  "@1.0 " A " @1.1<1.0 " A_B " @2.0<1.0 struct R 8 { NvU32 a@0; NvHandle b@4 handle }", "",
		  "record R at 1.1 inside\nrecord R at 2.0" },
		{ "a change and its reversal are two events",
		  "@1.0 const C 1 @1.1<1.0 const C 2 @1.2<1.1 const C 1", "",
		  "constant C at 1.1 inside\nconstant C at 1.2 inside" },
		{ "new numbers and reused ones are counted", RENUMBERED, "",
		  "ioctl STATUS at 2.0 renumbered reused from SUPPORT\nioctl SUPPORT at 2.0 renumbered" },
		{ "a number selects the ioctls that had it before and after", RENUMBERED, "0x59",
		  "ioctl STATUS at 2.0 renumbered reused from SUPPORT" },
		{ "a name selects the changes of its item", RENUMBERED, "STAT*",
		  "ioctl STATUS at 2.0 renumbered reused from SUPPORT" },
		{ "the name of an ioctl selects the records that it carries",
		  "@1.0 ioctl CMD 1 P struct P 4 { NvU32 p@0 } struct OTHER 4 { NvU32 p@0 }"
		  " @2.0<1.0 ioctl CMD 1 P struct P 8 { NvU32 p@0; NvU32 q@4 } "
		  "struct OTHER 8 { NvU32 p@0; NvU32 q@4 }", "CMD", "record P at 2.0 for CMD" },
		{ "a number selects the records that its ioctl carried", CARRIED, "1",
		  "record P at 2.0 for CMD\nrecord S at 2.0 for CMD\nioctl CMD at 3.0 renumbered" },
		{ "a number selects no record before an ioctl has it", CARRIED, "2",
		  "ioctl CMD at 3.0 renumbered" },
		{ "the name of a record selects the records inside it, at any depth",
		  BOTH_INNER("struct T 8 { NvU32 a@0 }", "struct T 8 { NvU32 a@0; NvU32 b@4 }"), "P",
		  "record T at 2.0" },
		{ "the name of a record inside does not select the record around it", CARRIED, "S",
		  "record S at 2.0" },
		{ "names and numbers add up", CARRIED, "3 S",
		  "record Q at 2.0 for OTHER\nrecord S at 2.0\nrecord Q at 4.0 for OTHER" },
		{ "if record and number change together, the old number selects both",
		  CHANGED("CMD 1", "CMD 2", "8"), "1",
		  "ioctl CMD at 2.0 renumbered\nrecord P at 2.0 for CMD" },
		{ "the new number selects both, too", CHANGED("CMD 1", "CMD 2", "8"), "2",
		  "ioctl CMD at 2.0 renumbered\nrecord P at 2.0 for CMD" },
		{ "if record and name change together, the old name selects both",
		  CHANGED("CMD_OLD 1", "CMD_NEW 1", "8"), "CMD_OLD",
		  "record P at 2.0 for CMD_NEW\nioctl CMD_NEW at 2.0" },
		{ "the new name selects both, too", CHANGED("CMD_OLD 1", "CMD_NEW 1", "8"), "CMD_NEW",
		  "record P at 2.0 for CMD_NEW\nioctl CMD_NEW at 2.0" },
		{ "the requested ioctls that carry a record come first",
		  "@1.0 ioctl C0 0 P ioctl C1 1 P ioctl C2 2 P struct P 4 { NvU32 p@0 }"
		  " @2.0<1.0 ioctl C0 0 P ioctl C1 1 P ioctl C2 2 P struct P 8 { NvU32 p@0 }", "2",
		  "record P at 2.0 for C2 also C0 also C1" },
		{ "a record that a pointer refers to counts",
		  "@1.0 ioctl CMD 1 P alias Q~* Q~* 8 struct P 8 { Q~* p@0+8 } struct Q 4 { NvU32 q@0 }"
		  " @2.0<1.0 ioctl CMD 1 P alias Q~* Q~* 8 struct P 8 { Q~* p@0+8 } struct Q 8 { NvU32 q@0 }",
		  "CMD", "record Q at 2.0 for CMD" },
		{ "a command's macro is a number, even if no table lists the command",
		  "@1.0 " LISTED("0x40") "const X_CTRL_CMD_MACRO 0x41 const X_LIMIT 7 @2.0<1.0 "
		  LISTED("0x41") "const X_CTRL_CMD_MACRO 0x42 const X_LIMIT 0x40", "",
		  "ioctl X_CTRL_CMD_LISTED at 2.0 renumbered reused from X_CTRL_CMD_MACRO\n"
		  "constant X_CTRL_CMD_MACRO at 2.0 renumbered\nconstant X_LIMIT at 2.0" },
		{ "a macro that gets the number of an ioctl is reported",
		  "@1.0 " LISTED("0x40") "@2.0<1.0 " LISTED("0x41") "const X_CTRL_CMD_MACRO 0x40", "",
		  "ioctl X_CTRL_CMD_LISTED at 2.0 renumbered\n"
		  "constant X_CTRL_CMD_MACRO at 2.0 reused from X_CTRL_CMD_LISTED" },
		{ "a second macro of one command frees no number",
		  "@1.0 " LISTED("0x40") "const X_CTRL_CMD_MACRO 0x41 @2.0<1.0 " LISTED("0x40")
		  "const X_CTRL_CMD_MACRO 0x41 const X_CTRL_CMD_MACRO_V2 0x41", "",
		  "constant X_CTRL_CMD_MACRO_V2 at 2.0" },
		{ "a number selects macros of commands",
		  "@1.0 " LISTED("0x40") "const X_CTRL_CMD_MACRO 0x42 const X_LIMIT 0x42 @2.0<1.0 "
		  LISTED("0x40") "const X_CTRL_CMD_MACRO 0x43", "0x42",
		  "constant X_CTRL_CMD_MACRO at 2.0 renumbered" },
		{ "a name selects changes inside its item", RETYPED, "R", "record R at 2.0" },
		{ "a name selects the alias itself", RETYPED, "T", "alias T at 2.0" },
		{ "a record that became equal to a different one changed", MERGED, "CHANGED",
		  "record CHANGED at 2.0" },
		{ "the other record did not change", MERGED, "STAYS", "" },
		{ "a glob does not select the other record, either", MERGED, "STAY?", "" },
	};

	check_facts(facts, sizeof(facts) / sizeof(*facts), add_events);
}

HISTORY_TEST(a_table_leaves_what_it_forwards_before_or_after)
{
	static const struct table_entry
		old = { .family = "control", .name = "OLD", .number = 1, .constant = "OLD" },
		new = { .family = "control", .name = "NEW", .number = 2, .constant = "NEW" };
	static const struct table_node nodes[] = {
		{ .version = "1.0", .supported = true, .entries = &old, .entry_count = 1 },
		{ .version = "2.0",
		  .parent = &nodes[0],
		  .supported = true,
		  .entries = &new,
		  .entry_count = 1 },
	};
	static const struct table table = { .path = "t", .proxy = "p", .driver = "d", .nodes = nodes,
					    .node_count = 2 };
	const struct history_graph graph =
		graph_of("@1.0 ioctl OLD 1 - ioctl UNKNOWN 3 - @2.0<1.0 ioctl NEW 2 - ioctl UNKNOWN 4 -");
	struct strbuf text = { 0 };

	filter.table = &table;
	add_events(&text, &graph, "");
	assert_string_equal(text.text, "\nioctl OLD at 2.0\nioctl NEW at 2.0");
	strbuf_release(&text);
}

static void add_moves(struct strbuf *out, const char *word, const struct history_move *moves, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (moves[i].name)
			strbuf_addf(out, " %s %s %s 0x%llx at %s", word, abi_kind_name(moves[i].kind),
				    moves[i].name, (unsigned long long)moves[i].number,
				    versions[moves[i].parent].version);
}

/*
 * Appends the spans, with the former and the later item: "ioctl B 0x58 in 1 since 2.0 was ioctl B 0x59 at
 * 1.0".
 */
static void add_spans(struct strbuf *out, const struct history_graph *graph, const char *asked)
{
	const struct history history = history_of(graph);
	struct history_spans spans;

	history_since(&spans, graph, &filter, &arena);
	history_moves(&spans, &history, &arena);
	for (size_t i = 0; i < spans.count; i++) {
		const struct history_span *span = &spans.spans[i];

		strbuf_addf(out, "\n%s %s", abi_kind_name(span->kind), span->name);
		if (span->has_number)
			strbuf_addf(out, " 0x%llx", (unsigned long long)span->number);
		strbuf_addf(out, " in %zu since %s", span->version_count,
			    names_of(span->since, span->since_count));
		if (span->until_count)
			strbuf_addf(out, " until %s", names_of(span->until, span->until_count));
		add_moves(out, "was", span->was, span->since_count);
		add_moves(out, "now", span->now, span->until_count);
	}
}

HISTORY_TEST(spans)
{
	static const struct history_fact facts[] = {
		{ "a name has the versions since and until", "@1.0 @1.1<1.0 " A " @2.0<1.0 " A " @3.0<2.0",
		  "R", "record R in 2 since 1.1 2.0 until 3.0" },
		{ "an item of the first version begins there", "@1.0 const C 1 @1.1<1.0 const C 1", "C",
		  "constant C in 2 since 1.0" },
		{ "a number has each name in the order of versions, and the later items", RENUMBERED, "0x58",
		  "ioctl SUPPORT 0x58 in 1 since 1.0 until 2.0 now ioctl SUPPORT 0x57 at 1.0\n"
		  "ioctl STATUS 0x58 in 1 since 2.0 was ioctl STATUS 0x59 at 1.0" },
		{ "a removed item has no later item", "@1.0 ioctl CMD 1 - @2.0<1.0", "1",
		  "ioctl CMD 0x1 in 1 since 1.0 until 2.0" },
		{ "a renamed ioctl has its new name", CHANGED("CMD_OLD 1", "CMD_NEW 1", "4"), "CMD_OLD",
		  "ioctl CMD_OLD in 1 since 1.0 until 2.0 now ioctl CMD_NEW 0x1 at 1.0" },
		{ "the number of a renamed ioctl has both names", CHANGED("CMD_OLD 1", "CMD_NEW 1", "4"), "1",
		  "ioctl CMD_OLD 0x1 in 1 since 1.0 until 2.0 now ioctl CMD_NEW 0x1 at 1.0\n"
		  "ioctl CMD_NEW 0x1 in 1 since 2.0 was ioctl CMD_OLD 0x1 at 1.0" },
		{ "a macro that is added to the driver's tables becomes an ioctl",
		  "@1.0 " LISTED("0x40") "const X_CTRL_CMD_MACRO 0x42 @2.0<1.0 " LISTED("0x40")
		  "const X_CTRL_CMD_MACRO 0x42 ioctl X_CTRL_CMD_MACRO 0x42 -", "0x42",
		  "constant X_CTRL_CMD_MACRO 0x42 in 1 since 1.0 until 2.0 now ioctl X_CTRL_CMD_MACRO 0x42 "
		  "at 1.0\nioctl X_CTRL_CMD_MACRO 0x42 in 1 since 2.0 was constant X_CTRL_CMD_MACRO 0x42 at "
		  "1.0" },
		{ "a number of a macro",
		  "@1.0 " LISTED("0x40") "const X_CTRL_CMD_MACRO 0x42 const X_LIMIT 0x42 @2.0<1.0 "
		  LISTED("0x40") "const X_CTRL_CMD_MACRO 0x43", "0x42",
		  "constant X_CTRL_CMD_MACRO 0x42 in 1 since 1.0 until 2.0 now constant X_CTRL_CMD_MACRO "
		  "0x43 at 1.0" },
		{ "a glob has no span", RENUMBERED, "S*", "" },
		{ "the macro of an ioctl does not count separately", "@1.0 ioctl CMD 1 - const CMD 1", "CMD",
		  "ioctl CMD in 1 since 1.0" },
	};

	check_facts(facts, sizeof(facts) / sizeof(*facts), add_spans);
}

/*
 * Appends each step, with a record's size or an ioctl's number: "record R 1.0=4 3.0=gone". Aliases only on
 * request.
 */
static void add_timelines(struct strbuf *out, const struct history_graph *graph, const char *asked)
{
	const struct history history = history_of(graph);
	struct history_timelines timelines;

	history_timelines(&timelines, &history, &arena);
	for (size_t i = 0; i < timelines.count; i++) {
		const struct history_timeline *one = &timelines.timelines[i];

		if (!*asked && one->kind == ABI_ALIAS)
			continue;
		strbuf_addf(out, "\n%s%s%s %s", abi_kind_name(one->kind), one->family ? " " : "",
			    one->family ? one->family : "", one->name);
		for (size_t s = 0; s < one->step_count; s++) {
			const union history_state *is = &one->steps[s].state;

			strbuf_addf(out, " %s", versions[one->steps[s].version].version);
			if (!is->any)
				strbuf_adds(out, "=gone");
			else if (one->kind == ABI_RECORD || one->kind == ABI_IOCTL)
				strbuf_addf(out, "=%llu",
					    (unsigned long long)(one->kind == ABI_RECORD
									 ? is->record->size_bytes
									 : is->ioctl->number));
		}
	}
}

HISTORY_TEST(timelines)
{
	static const struct history_fact facts[] = {
		{ "a step is a difference from the parent",
		  "@1.0 " A " @1.1<1.0 " A " @2.0<1.0 " A_B " @3.0<2.0 @4.0<3.0 " A_B, "",
		  "record R 1.0=4 2.0=8 3.0=gone 4.0=8" },
		{ "each version without a parent has all its items", "@1.0 " A " @2.0 " A, "",
		  "record R 1.0=4 2.0=4" },
		{ "an unreadable version is skipped",
		  "@1.0 " A " @1.1?<1.0 @1.2<1.1 " A " @1.3<1.2 struct R 8 { NvU64 a@0 }", "",
		  "record R 1.0=4 1.3=8" },
		{ "a renumbered ioctl has one timeline", "@1.0 ioctl IT 7 - @2.0<1.0 ioctl IT 8 -", "",
		  "ioctl control IT 1.0=7 2.0=8" },
		{ "the lowest of several numbers under one name counts", "@1.0 ioctl IT 7 - ioctl IT 3 -", "",
		  "ioctl control IT 1.0=7" },
		{ "a filter selects the types that items use",
		  "@1.0 struct OUTER 8 { INNER[2] i@0 } struct INNER 4 { NvU32 a@0 } "
		  "struct OTHER 8 { NvU64 a@0 }", "OUTER",
		  "record INNER 1.0=4\nrecord OUTER 1.0=8\nalias NvU32 1.0" },
		{ "a number selects each item that had it",
		  "@1.0 ioctl FIRST 7 - @2.0<1.0 ioctl SECOND 7 - ioctl THIRD 9 -", "7",
		  "ioctl control FIRST 1.0=7 2.0=gone\nioctl control SECOND 2.0=7" },
		{ "a number selects the macro of a command",
		  "@1.0 ioctl X_CTRL_CMD_LISTED 9 - const X_CTRL_CMD_MACRO 7 const X_LIMIT 7", "7",
		  "constant X_CTRL_CMD_MACRO 1.0" },
	};

	check_facts(facts, sizeof(facts) / sizeof(*facts), add_timelines);
}

static void add_also(struct strbuf *out, const struct blame_also *also)
{
	for (size_t i = 0; i < also->count; i++)
		strbuf_addf(out, "%s%s", i ? " " : ", also at ", versions[also->versions[i]].version);
}

/* Appends each field of the last version, and the size: "b moved at 2.0, was b@4". */
static void add_blame(struct strbuf *out, const struct history_graph *graph, const char *asked)
{
	struct blame blame;

	if (history_blame(&blame, graph, version_count - 1, asked, &arena, &err)) {
		strbuf_addf(out, "\n%s", err.text);
		return;
	}
	strbuf_addf(out, "\n%s of %llu bytes%s at %s", blame.name,
		    (unsigned long long)blame.layout->size_bytes, blame.size_is_boundary ? " already" : "",
		    versions[blame.size_version].version);
	if (blame.size_before)
		strbuf_addf(out, ", was %llu", (unsigned long long)blame.size_before);
	add_also(out, &blame.size_also);
	for (size_t i = 0; i < blame.former_count; i++)
		strbuf_addf(out, ", %s before %s", blame.former[i].name,
			    versions[blame.former[i].version].version);
	for (size_t i = 0; i < blame.line_count; i++) {
		const struct blame_line *line = &blame.lines[i];

		strbuf_addf(out, "\n%s %s%s at %s", line->scalar->path, diff_op_name(line->op),
			    line->is_boundary ? " already" : "", versions[line->version].version);
		if (line->before)
			strbuf_addf(out, ", was %s@%llu", line->before->path,
				    (unsigned long long)line->before->offset_bits / 8);
		add_also(out, &line->also);
	}
}

HISTORY_TEST(blames)
{
	static const struct history_fact facts[] = {
		{ "the first version is a boundary", "@1.0 " A " @1.1<1.0 " A, "R",
		  "R of 4 bytes already at 1.0\na added already at 1.0" },
		{ "each field has the version that last changed it",
		  "@1.0 " A_B " @2.0<1.0 struct R 12 { NvU32 a@0; NvU32 new@4; NvU32 b@8 }"
		  " @3.0<2.0 struct R 12 { NvHandle a@0 handle; NvU32 new@4; NvU32 b@8 }"
		  " @4.0<3.0 struct R 16 { NvHandle a@0 handle; NvU32 new@4; NvU64 b@8 }", "R",
		  "R of 16 bytes at 4.0, was 12\na retyped at 3.0, was a@0\nnew added at 2.0\n"
		  "b resized at 4.0, was b@8" },
		{ "a field that moved",
		  "@1.0 struct R 12 { NvU32 a@0; NvU32 b@4 } @2.0<1.0 struct R 12 { NvU32 a@0; NvU32 b@8 }",
		  "R",
		  "R of 12 bytes already at 1.0\na added already at 1.0\nb moved at 2.0, was b@4" },
		{ "a field that was renamed has its former name",
		  "@1.0 struct R 8 { NvU32 a@0; NvU32 old@4 } @2.0<1.0 struct R 8 { NvU32 a@0; NvU32 new@4 }",
		  "R",
		  "R of 8 bytes already at 1.0\na added already at 1.0\nnew renamed at 2.0, was old@4" },
		{ "more elements are a different size, also in arrays of records",
		  "@1.0 struct E 4 { NvU32 e@0 } struct R 8 { E[2] a@0 }"
		  " @2.0<1.0 struct E 4 { NvU32 e@0 } struct R 12 { E[3] a@0 }", "R",
		  "R of 12 bytes at 2.0, was 8\na[].e resized at 2.0, was a[].e@0" },
		{ "a change that was reverted and repeated has the last version",
		  "@1.0 " A " @2.0<1.0 " A_B " @3.0<2.0 " A " @4.0<3.0 " A_B, "R",
		  "R of 8 bytes at 4.0, was 4\na added already at 1.0\nb added at 4.0" },
		{ "a different branch with the same change is listed, but not its later versions",
		  "@1.0 " A " @1.1<1.0 " A_B " @1.2<1.1 " A_B " @1.3<1.0 struct R 8 { NvU32 a@0; "
		  "NvHandle b@4 handle } @2.0<1.0 " A_B, "R",
		  "R of 8 bytes at 2.0, was 4, also at 1.1 1.3\na added already at 1.0\n"
		  "b added at 2.0, also at 1.1" },
		{ "its own ancestors and descendants are not listed",
		  "@1.0 " A_B " @1.1<1.0 struct R 8 { NvU32 a@0 } @2.0<1.1 " A_B, "R",
		  "R of 8 bytes already at 1.0\na added already at 1.0\nb added at 2.0" },
		{ "a different branch is followed under the record's older name",
		  "@1.0 struct OLD_PARAMS 16 { NvU32 a@0 } ioctl CMD 1 OLD_PARAMS"
		  " @1.1<1.0 struct OLD_PARAMS 16 { NvU32 a@0; NvU64 b@8 } ioctl CMD 1 OLD_PARAMS"
		  " @1.2<1.0 struct OLD_PARAMS 16 { NvU32 a@0; NvU64 b@8 } ioctl CMD 1 OLD_PARAMS"
		  " @2.0<1.2 struct NEW_PARAMS 16 { NvU32 a@0; NvU64 b@8 } ioctl CMD 1 NEW_PARAMS",
		  "NEW_PARAMS",
		  "NEW_PARAMS of 16 bytes already at 1.0, OLD_PARAMS before 2.0\na added already at 1.0\n"
		  "b added at 1.2, also at 1.1" },
		{ "an unreadable version introduces nothing",
		  "@1.0 " A " @1.1?<1.0 @1.2<1.1 " A_B " @2.0<1.0 " A_B, "R",
		  "R of 8 bytes at 2.0, was 4, also at 1.2\na added already at 1.0\n"
		  "b added at 2.0, also at 1.2" },
		{ "a renamed record is followed",
		  "@1.0 struct OLD_PARAMS 16 { NvU32 a@0; NvU64 b@8 } ioctl CMD 1 OLD_PARAMS"
		  " @2.0<1.0 struct NEW_PARAMS 16 { NvU32 a@0; NvU64 b@8 } ioctl CMD 1 NEW_PARAMS",
		  "NEW_PARAMS",
		  "NEW_PARAMS of 16 bytes already at 1.0, OLD_PARAMS before 2.0\na added already at 1.0\n"
		  "b added already at 1.0" },
		{ "a new record was added as a whole", "@1.0 @2.0<1.0 " A " @3.0<2.0 " A, "R",
		  "R of 4 bytes at 2.0\na added at 2.0" },
		{ "an ioctl selects its parameters", "@1.0 " A " ioctl CMD 1 R", "CMD",
		  "R of 4 bytes already at 1.0\na added already at 1.0" },
		{ "a name that is not a record is an error", "@1.0", "NvU32",
		  "d 1.0 has no record called 'NvU32', and no ioctl with this name that has parameters" },
	};

	check_facts(facts, sizeof(facts) / sizeof(*facts), add_blame);
}
