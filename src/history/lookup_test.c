/*
 * Tests what names and numbers refer to, how numbers are split, and which numbers a proxy forwards.
 *
 * The five versions are those of TREE. Their documents have the items of an index.
 */
#include "history/fixture_test.h"

#define TREE "@1 @2<1 @3<1 @4<3 @5"

static const struct abi_span
	first[] = { { 0, 1 } },
	first_and_branch[] = { { 0, 2 } },
	main_line[] = { { 2, 4 } },
	last_two[] = { { 3, 5 } },
	ends[] = { { 0, 1 }, { 3, 4 } };

#define NUMBER(n) { (n), false }
static const struct abi_index_item items[] = {
	{ ABI_RECORD, NULL, "REC", { 0, false }, first, 1 },
	{ ABI_RECORD, NULL, "REC", { 0, false }, main_line, 1 }, /* larger in later versions */
	{ ABI_CONSTANT, NULL, "NV1_CTRL_CMD_GONE", NUMBER(0x10101), first_and_branch, 1 },
	{ ABI_CONSTANT, NULL, "NV1_CTRL_CMD_MACRO", NUMBER(0x10102), first_and_branch, 1 },
	{ ABI_CONSTANT, NULL, "NV1_CTRL_CMD_MACRO", NUMBER(0x10102), main_line, 1 },
	{ ABI_CONSTANT, NULL, "NV1_CTRL_FB", NUMBER(1), first, 1 },
	{ ABI_CONSTANT, NULL, "FIVE", NUMBER(5), last_two, 1 },
	{ ABI_IOCTL, "control", "NV1_CTRL_CMD_GONE", NUMBER(0x10101), first_and_branch, 1 },
	{ ABI_IOCTL, "control", "NV1_CTRL_CMD_HERE", NUMBER(0x10101), last_two, 1 },
	{ ABI_IOCTL, "control", "NV1_CTRL_CMD_MACRO", NUMBER(0x10102), main_line, 1 },
	{ ABI_IOCTL, "alloc", "CLASS_ONE", NUMBER(1), ends, 2 },
	{ ABI_IOCTL, "uvm", "UVM_FIVE", NUMBER(5), first, 1 },
};
static const struct abi_index everything = { items, sizeof(items) / sizeof(*items) };

/* Makes the document of the version at the start of @asked, with only its ioctls, constants and record. */
static struct lookup_scope scope_of(const struct history_graph *graph, const char **asked)
{
	const size_t version = history_graph_index(graph, document_word(asked, &arena));
	struct abi_builder *doc = document_new(&arena);
	struct lookup_scope scope = { .graph = graph, .index = &everything, .version = version };

	assert_true(version < graph->version_count);
	for (size_t i = 0; i < everything.count; i++)
		for (size_t s = 0; s < items[i].span_count; s++) {
			const struct abi_index_item *item = &items[i];

			if (version < item->spans[s].from || version >= item->spans[s].until)
				continue;
			if (item->kind == ABI_RECORD)
				abi_builder_record(doc, &(struct abi_record){ .name = item->name,
									      .source = "" });
			else if (item->kind == ABI_CONSTANT)
				abi_builder_constant(doc, &(struct abi_constant){ item->name, item->number });
			else
				abi_builder_ioctl(doc, &(struct abi_ioctl){ .family = item->family,
									    .name = item->name,
									    .number = item->number.magnitude,
									    .source = "" });
		}
	scope.abi = document_seal(doc, "v", &arena);
	abi_builder_free(doc);
	return scope;
}

static void add_span(struct strbuf *out, const struct history_span *span)
{
	if (!span)
		return;
	strbuf_addf(out, " in %zu since %s", span->version_count,
		    names_of(span->since, span->since_count));
	if (span->until_count)
		strbuf_addf(out, " until %s", names_of(span->until, span->until_count));
}

/*
 * Appends the items with their spans, "ioctl A in 2 since 4 5", the other items that had the number, and the
 * nearest version with an item.
 */
static void add_items(struct strbuf *out, const struct lookup_scope *scope, const char *text)
{
	const struct lookup_word word = { text, *text == '0', strtoull(text, NULL, 0) };
	struct lookup got;

	lookup_find(&got, scope, &word, &arena);
	for (size_t i = 0; i < got.item_count; i++) {
		const struct lookup_item *item = &got.items[i];

		strbuf_addf(out, "\n%s %s%s", abi_kind_name(item->kind),
			    item->kind == ABI_RECORD  ? item->record->name
			    : item->kind == ABI_IOCTL ? item->ioctl->name
						      : item->constant->name,
			    item->is_command ? " of a command" : "");
		add_span(out, item->span);
	}
	for (size_t i = 0; i < got.other_count; i++) {
		strbuf_addf(out, "\nelsewhere %s %s", abi_kind_name(got.others[i]->kind),
			got.others[i]->name);
		add_span(out, got.others[i]);
	}
	if (got.nearest < scope->graph->version_count)
		strbuf_addf(out, "\nnearest %s: %s %s", versions[got.nearest].version,
			    abi_kind_name(got.nearest_span->kind), got.nearest_span->name);
}

/* @asked: a version, and the name or number to look up in it */
static void add_lookup(struct strbuf *out, const struct history_graph *graph, const char *asked)
{
	const struct lookup_scope scope = scope_of(graph, &asked);

	add_items(out, &scope, document_word(&asked, &arena));
}

HISTORY_TEST(lookups)
{
	static const struct history_fact facts[] = {
		{ "a record that grew is one item with one span", TREE, "4 REC",
		  "record REC in 3 since 1 until 2" },
		{ "other items that had the number are listed", TREE, "5 0x10101",
		  "ioctl NV1_CTRL_CMD_HERE in 2 since 4 5\n"
		  "elsewhere ioctl NV1_CTRL_CMD_GONE in 2 since 1 until 3" },
		{ "a macro counts in all versions, even where it is an ioctl", TREE, "2 0x10102",
		  "constant NV1_CTRL_CMD_MACRO of a command in 4 since 1\n"
		  "elsewhere ioctl NV1_CTRL_CMD_MACRO in 2 since 3" },
		{ "for a name, the ioctl of other versions is listed, too", TREE, "2 NV1_CTRL_CMD_MACRO",
		  "constant NV1_CTRL_CMD_MACRO of a command in 4 since 1\n"
		  "elsewhere ioctl NV1_CTRL_CMD_MACRO in 2 since 3" },
		{ "but not the macro of an ioctl", TREE, "3 NV1_CTRL_CMD_MACRO",
		  "ioctl NV1_CTRL_CMD_MACRO in 2 since 3" },
		{ "for an ioctl, its macro counts where no table lists the command", TREE, "3 0x10102",
		  "ioctl NV1_CTRL_CMD_MACRO in 2 since 3\nelsewhere constant NV1_CTRL_CMD_MACRO in 2 since "
		  "1 until 3" },
		{ "the nearest ancestor is nearer than a newer version", TREE, "3 0x10101",
		  "elsewhere ioctl NV1_CTRL_CMD_GONE in 2 since 1 until 3\n"
		  "elsewhere ioctl NV1_CTRL_CMD_HERE in 2 since 4 5\nnearest 1: ioctl NV1_CTRL_CMD_GONE" },
		{ "without such an ancestor, the newest version is the nearest", TREE, "5 REC",
		  "nearest 4: record REC" },
		{ "the parent is the nearest", TREE, "2 UVM_FIVE", "nearest 1: ioctl UVM_FIVE" },
		{ "without such an ancestor, a newer version is the nearest", TREE, "1 NV1_CTRL_CMD_HERE",
		  "nearest 4: ioctl NV1_CTRL_CMD_HERE" },
		{ "the newest older version is the nearest", TREE, "5 NV1_CTRL_CMD_GONE",
		  "nearest 2: ioctl NV1_CTRL_CMD_GONE" },
		{ "an unknown name has no nearest version", TREE, "5 NOTHING", "" },
		{ "a constant with the value does not hide an ioctl of a different version", TREE, "5 0x5",
		  "constant FIVE in 2 since 4 5\nelsewhere ioctl UVM_FIVE in 1 since 1 until 2 3\n"
		  "nearest 1: ioctl UVM_FIVE" },
		{ "an ioctl of the version needs no nearest version", TREE, "1 0x5",
		  "ioctl UVM_FIVE in 1 since 1 until 2 3" },
		{ "items that a glob matches have no span", TREE, "4 NV1_CTRL_CMD_*",
		  "ioctl NV1_CTRL_CMD_HERE\nioctl NV1_CTRL_CMD_MACRO" },
		{ "a glob can match in a different version", TREE, "5 UVM_*", "nearest 1: ioctl UVM_FIVE" },
	};

	check_facts(facts, sizeof(facts) / sizeof(*facts), add_lookup);
}

HISTORY_TEST(without_other_versions_only_the_document_counts)
{
	const struct history_graph all = graph_of(TREE), no_versions = { .versions = NULL };
	const struct abi_index nothing = { .items = NULL };
	const char *asked = "1";
	struct lookup_scope scope = scope_of(&all, &asked);
	struct strbuf text = { 0 };

	scope = (struct lookup_scope){ scope.abi, &no_versions, &nothing, 0 };
	add_items(&text, &scope, "0x10101");
	assert_false(text_differs("without other versions", &text, "ioctl NV1_CTRL_CMD_GONE"));
}

static const struct profile_bits bits[] = {
	{ "class", 16, 16, "alloc", NULL },
	{ "interface", 8, 8, NULL, "NV\\1_CTRL_" },
	{ "method", 0, 8, NULL, NULL },
};
static const struct profile_bits short_bits[] = { { "class", 16, 4, "alloc", NULL },
						  { "interface", 8, 8, NULL, "NV\\1_CTRL_" } };
static const struct profile_family families[] = {
	{ .name = "uvm" }, { .name = "control", .bits = bits, .bits_count = 3 }
};
static const struct profile_family short_family = { .name = "control", .bits = short_bits, .bits_count = 2 };
static const struct profile profile = { .families = families, .family_count = 2 },
			    short_profile = { .families = &short_family, .family_count = 1 };

/*
 * Appends the bit fields of a number, and the commands with the next lower and the next higher number:
 * "control class=0x1 CLASS_ONE, interface=0x1 -, method=0x2 -; next 0x3 NAME". @asked: a version, a number,
 * and "short" for the short profile
 */
static void add_bit_fields(struct strbuf *out, const struct history_graph *graph, const char *asked)
{
	static const char *const words[] = { "previous", "next" };
	const struct lookup_scope scope = scope_of(graph, &asked);
	const uint64_t number = strtoull(document_word(&asked, &arena), NULL, 0);
	const bool is_short = *document_word(&asked, &arena);
	struct lookup_neighbour neighbour[2];
	struct lookup_parse got;

	lookup_parse(&got, is_short ? &short_profile : &profile, &scope, number, &arena);
	for (size_t i = 0; i < got.bits_count; i++)
		strbuf_addf(out, "%s %s=%#llx %s", i ? "," : got.family, got.bits[i].bits->name,
			    (unsigned long long)got.bits[i].value, got.bits[i].name ? got.bits[i].name : "-");
	if (!got.bits_count)
		return;
	lookup_neighbours(neighbour, scope.abi, &got, number);
	for (size_t i = 0; i < 2; i++)
		if (neighbour[i].name)
			strbuf_addf(out, "; %s %#llx %s", words[i], (unsigned long long)neighbour[i].number,
				    neighbour[i].name);
}

HISTORY_TEST(bit_fields)
{
	static const struct history_fact facts[] = {
		{ "a number is split; a name can be from a different version", TREE, "2 0x10199",
		  "control class=0x1 CLASS_ONE, interface=0x1 -, method=0x99 -; "
		  "previous 0x10102 NV1_CTRL_CMD_MACRO" },
		{ "a prefix has all digits of the first bits, as in NV0001_CTRL_", TREE, "1 0x10102",
		  "control class=0x1 CLASS_ONE, interface=0x1 -, method=0x2 -; "
		  "previous 0x10101 NV1_CTRL_CMD_GONE" },
		{ "four bits are one digit of the prefix, as in NV1_CTRL_", TREE, "1 0x10100 short",
		  "control class=0x1 CLASS_ONE, interface=0x1 FB; next 0x10101 NV1_CTRL_CMD_GONE" },
		{ "a number without a class is not split", TREE, "1 0x1b", "" },
		{ "a number is not split if neither class nor interface has a name", TREE, "1 0x5678", "" },
		{ "a number with 33 bits is not split", TREE, "1 0x100000101", "" },
		{ "the largest number is not split", TREE, "1 0xffffffffffffffff", "" },
		{ "neighbours share all bits but those of the last field", TREE, "3 0x10101",
		  "control class=0x1 CLASS_ONE, interface=0x1 -, method=0x1 -; "
		  "next 0x10102 NV1_CTRL_CMD_MACRO" },
		{ "commands of a different interface are not neighbours", TREE, "3 0x10201",
		  "control class=0x1 CLASS_ONE, interface=0x2 -, method=0x1 -" },
	};

	check_facts(facts, sizeof(facts) / sizeof(*facts), add_bit_fields);
}

/* The command A is read, and B is not. The second node adds nothing. */
static const struct table_struct read_struct = { "S", "s" }, unread_struct = { "S", NULL };
static const struct table_entry entries[] = {
	{ .family = "control", .name = "A", .number = 7, .structs = &read_struct, .struct_count = 1 },
	{ .family = "control", .name = "B", .number = 8, .structs = &unread_struct, .struct_count = 1 },
};
static const struct table_node nodes[] = {
	{ .version = "1", .entries = entries, .entry_count = 2 },
	{ .version = "3", .parent = &nodes[0], .supported = true },
};
static const struct table table = { .driver = "d", .nodes = nodes, .node_count = 2 };

/* Appends the version of the node that is used for a version. @asked: its name */
static void add_node(struct strbuf *out, const struct history_graph *graph, const char *asked)
{
	const struct table_node *node =
		forwarded_node(&table, graph, history_graph_index(graph, asked), asked);

	strbuf_adds(out, node ? node->version : "none");
}

HISTORY_TEST(nodes_of_versions)
{
	static const struct history_fact facts[] = {
		{ "a version follows the node of its nearest ancestor", TREE, "4", "3" },
		{ "a version on a branch does, too", TREE, "2", "1" },
		{ "a version without a relative has no node", TREE, "5", "none" },
		{ "a version that is not in the graph has the newest older node", TREE, "9", "3" },
		{ "a repository without the node's version does not show which node a version follows",
		  "@1 @4<1", "4", "3" },
		{ "a version of the node follows the node", "@1 @4<1", "1", "1" },
	};

	check_facts(facts, sizeof(facts) / sizeof(*facts), add_node);
}

/*
 * Appends how a proxy forwards a number, and the node that has the entry. @asked: the version of a node, or
 * "-", a family, a number, and "passes" for a proxy that passes some commands through without an entry
 */
static void add_forwarded(struct strbuf *out, const struct history_graph *graph, const char *asked)
{
	static const struct table_passed passed[] = {
		{ "control", 0x8000, 0x8000, "GSS_LEGACY" },
		{ "control", 0xffff0000, 0x20810000, "BINAPI" },
	};
	const struct table_node *node = table_find_node(&table, document_word(&asked, &arena));
	const char *family = document_word(&asked, &arena);
	const uint64_t number = strtoull(document_word(&asked, &arena), NULL, 0);
	struct table proxy = table;
	struct forwarded got;

	proxy.passed = passed;
	proxy.passed_count = *document_word(&asked, &arena) ? sizeof(passed) / sizeof(*passed) : 0;
	forwarded_find(&got, &proxy, node, family, number);
	strbuf_adds(out, forwarded_use_name(got.use));
	if (got.entry)
		strbuf_addf(out, " %s", got.entry->name);
	if (got.since)
		strbuf_addf(out, " since %s", got.since->version);
	if (got.passed_as)
		strbuf_addf(out, " passed as %s", got.passed_as);
}

HISTORY_TEST(forwarded_numbers)
{
	static const struct history_fact facts[] = {
		{ "the node that has the entry is named", TREE, "3 control 7", "read A since 1" },
		{ "parameters can be passed on unread", TREE, "3 control 8", "unread B since 1" },
		{ "the family must match", TREE, "3 uvm 7", "none" },
		{ "without a node, nothing is forwarded", TREE, "- control 7", "none" },
		{ "a command with some bit can pass", TREE, "3 control 0x20808159 passes",
		  "unread passed as GSS_LEGACY" },
		{ "a command with some upper bits can pass", TREE, "3 control 0x20810110 passes",
		  "unread passed as BINAPI" },
		{ "an entry has precedence", TREE, "3 control 7 passes", "read A since 1" },
		{ "only commands of the family can pass", TREE, "3 alloc 0x8159 passes", "none" },
		{ "without a node, nothing can pass", TREE, "- control 0x20808159 passes", "none" },
		{ "other proxies pass nothing through", TREE, "3 control 0x20808159", "none" },
	};

	check_facts(facts, sizeof(facts) / sizeof(*facts), add_forwarded);
}
