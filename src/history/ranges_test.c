/*
 * Tests which node of a table is safe for a version.
 *
 * In the driver, the command READ has a struct that the proxy translates, and UNREAD has a struct that the
 * proxy passes on. In the table, the first node forwards READ, the second also UNREAD, and later nodes add
 * nothing.
 */
#include "history/fixture_test.h"

static const struct table_field proxy_fields[] = { { "Handle", "Handle", 0 }, { "Count", "uint32", 4 } };
static const struct table_type types[] = {
	{ .name = "Handle", .size_bytes = 4, .alias = "uint32", .role = ABI_ROLE_HANDLE },
	{ .name = "P", .size_bytes = 8, .fields = proxy_fields, .field_count = 2 },
};
static const struct table_struct read_struct = { "P", "P" }, unread_struct = { "Q", NULL };
static const char *const caps[] = { "compute" };
static const struct table_entry entries[] = {
	{ .family = "control",
	  .name = "READ",
	  .number = 1,
	  .constant = "READ",
	  .caps = caps,
	  .cap_count = 1,
	  .structs = &read_struct,
	  .struct_count = 1 },
	{ .family = "control",
	  .name = "UNREAD",
	  .number = 2,
	  .constant = "UNREAD",
	  .caps = caps,
	  .cap_count = 1,
	  .structs = &unread_struct,
	  .struct_count = 1 },
};
static struct table_node nodes[4];
static struct table table = { .path = "t.json", .proxy = "p", .driver = "d", .types = types, .type_count = 2,
			      .nodes = nodes };

/* Sets the table's nodes, each with its parent: "1.0 2.0<1.0". */
static enum ranges_criterion set_nodes(const char *text)
{
	enum ranges_criterion criterion = RANGES_TABLE;
	char *word;

	table.nodes = nodes;
	table.node_count = 0;
	while (*(word = document_word(&text, &arena))) {
		struct table_node *node = &nodes[table.node_count];
		char *parent = strchr(word, '<');

		if (!strcmp(word, "strict")) {
			criterion = RANGES_STRICT;
			continue;
		}
		if (parent)
			*parent++ = '\0';
		*node = (struct table_node){ .version = word, .supported = true };
		node->parent = parent ? table_find_node(&table, parent) : NULL;
		if (table.node_count < 2) {
			node->entries = &entries[table.node_count];
			node->entry_count = 1;
		}
		table.node_count++;
	}
	return criterion;
}

static struct ranges ranged(const struct history_graph *graph, enum ranges_criterion criterion)
{
	struct ranges ranges;

	ranges_plan(&ranges, graph, &table, criterion, &arena);
	for (size_t i = 0; i < table.node_count; i++)
		if (ranges_baseline(&ranges, i, &arena, &err))
			fail_msg("%s", err.text);
	for (size_t i = 0; i < version_count; i++)
		if (ranges_assign(&ranges, i, &arena, &err))
			fail_msg("%s", err.text);
	assert_int_equal(ranges_finish(&ranges, &arena, &err), 0);
	return ranges;
}

static void add_proof(struct strbuf *out, const struct ranges *ranges, size_t version)
{
	struct ranges_proof proof;

	if (ranges_prove(&proof, ranges, version, &arena, &err))
		fail_msg("%s", err.text);
	if (proof.compared)
		strbuf_addf(out, ", %zu unread", proof.unread);
	for (size_t i = 0; i < proof.against_count; i++)
		strbuf_addf(out, ", against: %s", proof.against[i]);
}

/*
 * Appends each version, "2.1 at 2.0 other 1.0, 1 fresh not-simple, set 2.0 2.1, 1 unread", and each node with
 * its verdict.
 */
static void add_ranges(struct strbuf *out, const struct history_graph *graph, const char *asked)
{
	static const char *const fits[] = { "fits", "other", "needs", "older" },
				 *const verdicts[] = { "keep", "empty", "merge", "unknown" };
	const struct ranges ranges = ranged(graph, set_nodes(asked));
	size_t counts[4] = { 0 };

	for (size_t i = 0; i < version_count; i++) {
		const struct ranges_version *one = &ranges.versions[i];
		const struct ranges_set *set = &ranges.sets[one->set];

		counts[one->fit]++;
		strbuf_addf(out, "\n%s at %s%s %s", versions[i].version, one->node->version,
			    one->follows_none ? " after none" : "", fits[one->fit]);
		if (one->fit == RANGES_NEEDS)
			strbuf_addf(out, " that of %s", versions[one->served_by].version);
		else if (one->safe && one->safe != one->node)
			strbuf_addf(out, " %s", one->safe->version);
		if (one->fresh_count)
			strbuf_addf(out, ", %zu fresh %s", one->fresh_count,
				    verify_rule_name(one->fresh[0].rule));
		strbuf_addf(out, ", set %s", names_of(set->versions, set->count));
		add_proof(out, &ranges, i);
	}
	assert_int_equal(counts[RANGES_FITS], ranges.fitting);
	assert_int_equal(counts[RANGES_OTHER], ranges.other);
	assert_int_equal(counts[RANGES_NEEDS], ranges.needing);
	assert_int_equal(counts[RANGES_OLDER], ranges.older);
	for (size_t i = 0; i < table.node_count; i++) {
		const struct ranges_node *node = &ranges.nodes[i];

		strbuf_addf(out, "\nnode %s %s", node->node->version, verdicts[node->verdict]);
		if (node->is_misplaced)
			strbuf_addf(out, " misplaced after %s",
				    node->follows ? node->follows->version : "none");
		if (node->known_count)
			strbuf_addf(out, " %zu known", node->known_count);
	}
	if (ranges.new_nodes)
		strbuf_addf(out, "\n%zu new nodes", ranges.new_nodes);
}

#define POINTER "struct ELSEWHERE 8 { NvP64 p@0 pointer } "
#define COMMANDS POINTER "const READ 1 const UNREAD 2 ioctl READ 1 P ioctl UNREAD 2 Q "
#define P "struct P 8 { NvHandle h@0 handle; NvU32 count@4 } "
#define P_MOVED "struct P 12 { NvHandle h@0 handle; NvU32 new@4; NvU32 count@8 } "
#define P_LONG(size) COMMANDS "struct P " size " { NvHandle h@0 handle; NvU32 count@4; NvU32 more@8 } " Q
#define Q "struct Q 8 { NvU32 a@0; NvU32 b@4 } "
#define GOOD COMMANDS P Q
#define MOVED COMMANDS P_MOVED Q
/* READ takes a different record; P does not exist. */
#define RENAMED(size, count_at) \
	POINTER "const READ 1 const UNREAD 2 ioctl READ 1 R ioctl UNREAD 2 Q " \
	"struct R " size " { NvHandle h@0 handle; NvU32 count@" count_at " } " Q
#define TWO_OF_Q(other) "@1.0 " GOOD "@2.0<1.0 " GOOD "@2.1<2.0 " COMMANDS P other
#define TWO "1.0 2.0<1.0"

HISTORY_TEST(ranges_of_tables)
{
	static const struct history_fact facts[] = {
		{ "a version follows the node of its nearest ancestor",
		  "@0.9 " GOOD "@1.0<0.9 " GOOD "@1.1<1.0 " GOOD "@1.2<1.1 " GOOD "@2.0<1.0 " GOOD, TWO,
		  "0.9 at 1.0 after none fits, set 0.9 1.0 1.1 1.2\n1.0 at 1.0 fits, set 0.9 1.0 1.1 1.2\n"
		  "1.1 at 1.0 fits, set 0.9 1.0 1.1 1.2\n1.2 at 1.0 fits, set 0.9 1.0 1.1 1.2\n"
		  "2.0 at 2.0 fits, set 2.0\nnode 1.0 keep\nnode 2.0 merge" },
		{ "versions with the same facts for the table are one set",
		  "@1.0 " GOOD "@1.1<1.0 " GOOD "const SOMETHING_ELSE 7 @2.0<1.1 " GOOD, TWO,
		  "1.0 at 1.0 fits, set 1.0 1.1\n1.1 at 1.0 fits, set 1.0 1.1, 0 unread\n"
		  "2.0 at 2.0 fits, set 2.0\nnode 1.0 keep\nnode 2.0 merge" },
		{ "fields of a struct that is passed on are not read",
		  TWO_OF_Q("struct Q 8 { NvU64 a@0 }"), TWO,
		  "1.0 at 1.0 fits, set 1.0\n2.0 at 2.0 fits, set 2.0 2.1\n"
		  "2.1 at 2.0 fits, set 2.0 2.1, 1 unread\nnode 1.0 keep\nnode 2.0 merge" },
		{ "with strict, they are read", TWO_OF_Q("struct Q 8 { NvU64 a@0 }"), TWO " strict",
		  "1.0 at 1.0 fits, set 1.0\n2.0 at 2.0 fits, set 2.0\n2.1 at 2.0 fits, set 2.1\n"
		  "node 1.0 keep\nnode 2.0 merge" },
		{ "its size is read, because the call has it",
		  TWO_OF_Q("struct Q 12 { NvU32 a@0; NvU32 b@4; NvU32 c@8 }"), TWO,
		  "1.0 at 1.0 fits, set 1.0\n2.0 at 2.0 fits, set 2.0\n2.1 at 2.0 fits, set 2.1\n"
		  "node 1.0 keep\nnode 2.0 merge" },
		{ "an address of the kernel in it needs no new node",
		  TWO_OF_Q("struct Q 8 { NvP64 k@0 kernel-pointer }"), TWO,
		  "1.0 at 1.0 fits, set 1.0\n2.0 at 2.0 fits, set 2.0 2.1\n"
		  "2.1 at 2.0 fits, set 2.0 2.1, 1 unread\nnode 1.0 keep\nnode 2.0 merge" },
		{ "with a pointer in it, only a node that does not forward it is safe",
		  TWO_OF_Q("struct Q 8 { NvP64 a@0 pointer }"), TWO,
		  "1.0 at 1.0 fits, set 1.0\n2.0 at 2.0 fits, set 2.0\n"
		  "2.1 at 2.0 other 1.0, 1 fresh not-simple, set 2.1\nnode 1.0 keep\nnode 2.0 merge" },
		{ "names in a struct that is translated are not read",
		  "@1.0 " GOOD "@1.1<1.0 " COMMANDS "struct P 8 { NvHandle h@0 handle; NvU32 number@4 } " Q,
		  TWO,
		  "1.0 at 1.0 fits, set 1.0 1.1\n1.1 at 1.0 fits, set 1.0 1.1, 1 unread\nnode 1.0 keep\n"
		  "node 2.0 unknown" },
		{ "with strict, they are read",
		  "@1.0 " GOOD "@1.1<1.0 " COMMANDS "struct P 8 { NvHandle h@0 handle; NvU32 number@4 } " Q,
		  TWO " strict",
		  "1.0 at 1.0 fits, set 1.0\n1.1 at 1.0 fits, set 1.1\nnode 1.0 keep\nnode 2.0 unknown" },
		{ "a moved field needs a new node, which later versions with the same facts use",
		  "@1.0 " GOOD "@1.1<1.0 " MOVED "@1.2<1.1 " MOVED, TWO,
		  "1.0 at 1.0 fits, set 1.0\n1.1 at 1.0 needs that of 1.1, 2 fresh size, set 1.1 1.2\n"
		  "1.2 at 1.0 needs that of 1.1, 2 fresh size, set 1.1 1.2\nnode 1.0 keep\nnode 2.0 unknown\n"
		  "1 new nodes" },
		{ "also versions that differ only in facts that the proxy does not use",
		  "@2.0 " GOOD "@2.1<2.0 " MOVED "@2.2<2.1 " COMMANDS P_MOVED
		  "struct Q 12 { NvU32 a@0; NvU32 b@4; NvU32 c@8 }",
		  TWO,
		  "2.0 at 2.0 fits, set 2.0\n2.1 at 2.0 needs that of 2.1, 2 fresh size, set 2.1\n"
		  "2.2 at 2.0 needs that of 2.1, 2 fresh size, set 2.2\nnode 1.0 keep\n"
		  "node 2.0 unknown misplaced after none\n1 new nodes" },
		{ "a field that moves again needs another new node",
		  "@2.0 " GOOD "@2.1<2.0 " MOVED "@2.2<2.1 " COMMANDS
		  "struct P 16 { NvHandle h@0 handle; NvU32 new@4; NvU32 newer@8; NvU32 count@12 } " Q,
		  TWO,
		  "2.0 at 2.0 fits, set 2.0\n2.1 at 2.0 needs that of 2.1, 2 fresh size, set 2.1\n"
		  "2.2 at 2.0 needs that of 2.2, 3 fresh size, set 2.2\nnode 1.0 keep\n"
		  "node 2.0 unknown misplaced after none\n2 new nodes" },
		{ "if a record was removed, the record that the driver's table names is compared",
		  "@2.0 " GOOD
		  "@2.1<2.0 " RENAMED("8", "4") "@2.2<2.1 " RENAMED("8", "4") "@2.3<2.2 " RENAMED("12", "8"),
		  TWO,
		  "2.0 at 2.0 fits, set 2.0\n"
		  "2.1 at 2.0 needs that of 2.1, 2 fresh missing-record, set 2.1 2.2\n"
		  "2.2 at 2.0 needs that of 2.1, 2 fresh missing-record, set 2.1 2.2\n"
		  "2.3 at 2.0 needs that of 2.3, 2 fresh missing-record, set 2.3\nnode 1.0 keep\n"
		  "node 2.0 unknown misplaced after none\n2 new nodes" },
		{ "a fault of the node itself is not new", "@1.0 " MOVED "@1.1<1.0 " MOVED, TWO,
		  "1.0 at 1.0 fits, set 1.0 1.1\n1.1 at 1.0 fits, set 1.0 1.1\nnode 1.0 keep 2 known\n"
		  "node 2.0 unknown" },
		{ "the same fault with a different size is new",
		  "@1.0 " P_LONG("12") "@1.1<1.0 " P_LONG("12") "@1.2<1.1 " P_LONG("16"), TWO,
		  "1.0 at 1.0 fits, set 1.0 1.1\n1.1 at 1.0 fits, set 1.0 1.1\n"
		  "1.2 at 1.0 needs that of 1.2, 1 fresh size, set 1.2\nnode 1.0 keep 2 known\n"
		  "node 2.0 unknown\n1 new nodes" },
		{ "a version older than the table can use its first node if that is safe",
		  "@0.8 " MOVED "@0.9<0.8 " GOOD "@1.0<0.9 " GOOD, TWO,
		  "0.8 at 1.0 after none older, 2 fresh size, set 0.8\n"
		  "0.9 at 1.0 after none fits, set 0.9 1.0\n1.0 at 1.0 fits, set 0.9 1.0\nnode 1.0 keep\n"
		  "node 2.0 unknown" },
		{ "a number that a different ioctl got is a different set",
		  "@1.0 " GOOD "@1.1<1.0 " POINTER P "const READ 3 ioctl READ 3 P ioctl INTRUDER 1 -", TWO,
		  "1.0 at 1.0 fits, set 1.0\n1.1 at 1.0 needs that of 1.1, 2 fresh number, set 1.1\n"
		  "node 1.0 keep\nnode 2.0 unknown\n1 new nodes" },
		{ "a node that adds nothing is empty", "@1.0 " GOOD "@2.0<1.0 " GOOD "@3.0<2.0 " GOOD,
		  TWO " 3.0<2.0",
		  "1.0 at 1.0 fits, set 1.0\n2.0 at 2.0 fits, set 2.0 3.0\n3.0 at 3.0 fits, set 2.0 3.0\n"
		  "node 1.0 keep\nnode 2.0 merge\nnode 3.0 empty" },
		{ "a node whose entries fit older versions can be merged", "@1.0 " GOOD "@2.0<1.0 " GOOD,
		  TWO, "1.0 at 1.0 fits, set 1.0\n2.0 at 2.0 fits, set 2.0\nnode 1.0 keep\nnode 2.0 merge" },
		{ "otherwise, it stays",
		  "@1.0 " POINTER P "const READ 1 ioctl READ 1 P @2.0<1.0 " GOOD, TWO,
		  "1.0 at 1.0 fits, set 1.0\n2.0 at 2.0 fits, set 2.0\nnode 1.0 keep\nnode 2.0 keep" },
		{ "a node without a document cannot be judged", "@1.0 " GOOD, TWO,
		  "1.0 at 1.0 fits, set 1.0\nnode 1.0 keep\nnode 2.0 unknown" },
		{ "a node is misplaced if the driver's graph has a different parent",
		  "@1.0 " GOOD "@2.0<1.0 " GOOD "@3.0<1.0 " GOOD, TWO " 3.0<2.0",
		  "1.0 at 1.0 fits, set 1.0\n2.0 at 2.0 fits, set 2.0 3.0\n3.0 at 3.0 fits, set 2.0 3.0\n"
		  "node 1.0 keep\nnode 2.0 merge\nnode 3.0 empty misplaced after 1.0" },
	};

	check_facts(facts, sizeof(facts) / sizeof(*facts), add_ranges);
}

HISTORY_TEST(the_differ_reports_a_set_that_is_wrong)
{
	static const size_t both[] = { 1, 2 };
	static const struct ranges_set wrong = { both, 2 };
	const struct history_graph graph = graph_of(TWO_OF_Q("struct Q 8 { NvP64 a@0 pointer }"));
	struct strbuf text = { 0 };
	struct ranges ranges;

	ranges = ranged(&graph, set_nodes(TWO));
	ranges.sets = &wrong;
	ranges.versions[2].set = 0;
	add_proof(&text, &ranges, 2);
	assert_string_equal(text.text, ", 0 unread, against: record Q");
	strbuf_release(&text);
}

HISTORY_TEST(one_document_of_two_versions_is_judged_once)
{
	struct history_graph graph = graph_of("@1.0 " GOOD "@1.1<1.0 " GOOD);
	struct ranges ranges;

	set_nodes(TWO);
	versions[1].abi = versions[0].abi;
	ranges_plan(&ranges, &graph, &table, RANGES_TABLE, &arena);
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(ranges_assign(&ranges, i, &arena, &err), 0);
	assert_string_equal(ranges.versions[1].facts_hash, "");
	assert_int_equal(ranges_finish(&ranges, &arena, &err), 0);
	assert_string_equal(ranges.versions[1].facts_hash, ranges.versions[0].facts_hash);
	assert_string_equal(names_of(ranges.sets[0].versions, ranges.sets[0].count), "1.0 1.1");
}

/* --- ioctls that the table passes through by only one of two numbers ------------------------- */

static void add_passed(struct strbuf *out, const struct history_graph *graph, const char *asked)
{
	static const struct table_passed passed = { "control", 0x8000, 0x8000, "LEGACY" };
	struct ranges ranges;

	set_nodes(TWO);
	table.passed = &passed;
	table.passed_count = 1;
	ranges = ranged(graph, RANGES_TABLE);
	for (size_t i = 0; i < version_count; i++) {
		const struct ranges_version *one = &ranges.versions[i];

		assert_int_equal(ranges_passed(&ranges, i, &arena, &err), 0);
		for (size_t c = 0; c < one->passed_count; c++) {
			const struct diff_change *change = &one->passed[c];

			strbuf_addf(out, "\n%s after %s: %s%s%s", versions[i].version,
				    versions[one->passed_since].version, change->name,
				    change->passed_was ? " was passed" : "",
				    change->passed_as ? " is passed" : "");
		}
	}
	table.passed_count = 0;
}

HISTORY_TEST(renumbered_ioctls_that_the_table_passes)
{
	static const struct history_fact facts[] = {
		{ "the new number is not passed",
		  "@1.0 " GOOD "ioctl X 0x8011 - @1.1<1.0 " GOOD "ioctl X 0x11 -",
		  "", "1.1 after 1.0: X was passed" },
		{ "the old number was not passed",
		  "@1.0 " GOOD "ioctl X 0x11 - @1.1<1.0 " GOOD "ioctl X 0x8011 -",
		  "", "1.1 after 1.0: X is passed" },
		{ "a version that cannot be read is skipped",
		  "@1.0 " GOOD "ioctl X 0x8011 - @1.1?<1.0 @1.2<1.1 " GOOD "ioctl X 0x11 -", "",
		  "1.2 after 1.0: X was passed" },
		{ "each branch with the change is listed",
		  "@1.0 " GOOD "ioctl X 0x8011 - @1.1<1.0 " GOOD "ioctl X 0x11 - @1.2<1.0 " GOOD "ioctl X 0x11 -",
		  "", "1.1 after 1.0: X was passed\n1.2 after 1.0: X was passed" },
		{ "both numbers are passed",
		  "@1.0 " GOOD "ioctl X 0x8011 - @1.1<1.0 " GOOD "ioctl X 0x8012 -", "", "" },
		{ "the ioctl was added or removed",
		  "@1.0 " GOOD "ioctl X 0x8011 - @1.1<1.0 " GOOD "ioctl Y 0x8012 -", "", "" },
		{ "the ioctl has an entry, so verify checks its number",
		  "@1.0 " POINTER P Q "const READ 0x8001 ioctl READ 0x8001 P @1.1<1.0 " GOOD, "", "" },
	};

	check_facts(facts, sizeof(facts) / sizeof(*facts), add_passed);
}

/* The number of comparisons of names (testdata/test_main.c), which grows with the work of ranges. */
extern size_t looked;

/* Measures a table with a chain of @count nodes, each of which changes the entry of the first node. */
static size_t comparisons_with(const struct history_graph *graph, size_t count)
{
	struct table_node *chain = arena_array(&arena, count, sizeof(*chain));
	struct ranges ranges;

	for (size_t i = 0; i < count; i++) {
		struct table_entry entry = entries[0];

		entry.cap_count = i % 2;
		chain[i] = (struct table_node){ .version = arena_printf(&arena, "1.%zu", i),
						.parent = i ? &chain[i - 1] : NULL,
						.entries = arena_memdup(&arena, &entry, sizeof(entry)),
						.entry_count = 1 };
	}
	table.nodes = chain;
	table.node_count = count;
	looked = 0;
	ranges = ranged(graph, RANGES_TABLE);
	assert_false(ranges.nodes[count - 1].is_empty);
	return looked;
}

HISTORY_TEST(twice_the_nodes_are_twice_the_comparisons)
{
	const struct history_graph graph = graph_of("@1.0 " GOOD "@1.1<1.0 " GOOD);
	size_t once = comparisons_with(&graph, 1000), twice = comparisons_with(&graph, 2000);

	assert_true(once > 1000);
	assert_true(twice < once * 9 / 4); /* one sort takes a little more than twice the work */
}
