#include "history/fixture_test.h"

/*
 * The driver: READ has a struct that the proxy translates, UNREAD one that
 * it passes through. The table: node 1.0 forwards READ, node 2.0 UNREAD too.
 */
static const struct table_field proxy_fields[] = {
	{ "Handle", "Handle", 0 },
	{ "Count", "uint32", 4 },
};
static const struct table_type types[] = {
	{ .name = "Handle", .size_bytes = 4, .alias = "uint32", .role = ABI_ROLE_HANDLE },
	{ .name = "P", .size_bytes = 8, .fields = proxy_fields, .field_count = 2 },
};
static const struct table_struct read_structs[] = { { "P", "P" } };
static const struct table_struct unread_structs[] = { { "Q", NULL } };
static const char *const caps[] = { "compute" };
static const struct table_entry first_entries[] = {
	{ .family = "control",
	  .name = "READ",
	  .number = 1,
	  .constant = "READ",
	  .caps = caps,
	  .cap_count = 1,
	  .structs = read_structs,
	  .struct_count = 1 },
};
static const struct table_entry later_entries[] = {
	{ .family = "control",
	  .name = "UNREAD",
	  .number = 2,
	  .constant = "UNREAD",
	  .caps = caps,
	  .cap_count = 1,
	  .structs = unread_structs,
	  .struct_count = 1 },
};
static struct table_node nodes[4];
static struct table table = { .path = "t.json",
			      .proxy = "p",
			      .driver = "d",
			      .types = types,
			      .type_count = 2,
			      .nodes = nodes };

static void put_node(const char *version, const struct table_node *parent, const struct table_entry *entries,
		     size_t count)
{
	nodes[table.node_count++] = (struct table_node){ .version = version,
							 .parent = parent,
							 .supported = true,
							 .entries = entries,
							 .entry_count = count };
}

static int begin_ranges(void **state)
{
	table.nodes = nodes;
	table.node_count = 0;
	put_node("1.0", NULL, first_entries, 1);
	put_node("2.0", &nodes[0], later_entries, 1);
	return begin_test(state);
}

#undef TEST
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin_ranges, end_test)

/*
 * Both commands as the table has them, without their records; every document says of some field that it is a
 * pointer.
 */
static struct abi_builder *put_commands(const char *version, const char *parent)
{
	struct abi_builder *doc = put_version(version, parent, true);

	put_alias(doc, "NvP64", "void *", 8);
	RECORD(doc, "ELSEWHERE", 8, POINTER("p", 0));
	put_constant(doc, "READ", 1);
	put_constant(doc, "UNREAD", 2);
	put_ioctl(doc, "READ", 1, "P");
	put_ioctl(doc, "UNREAD", 2, "Q");
	return doc;
}

static struct abi_builder *put_good(const char *version, const char *parent)
{
	struct abi_builder *doc = put_commands(version, parent);

	RECORD(doc, "P", 8, HANDLE("h", 0), U32("count", 4));
	RECORD(doc, "Q", 8, U32("a", 0), U32("b", 4));
	return doc;
}

static struct history_graph graph;

/* Everything, for the versions as they are now. */
static struct ranges ranged(enum ranges_criterion criterion)
{
	struct err err = { "" };
	struct ranges ranges;

	if (!versions[0].abi) /* the second time, they are sealed */
		graph = graph_of_all();
	ranges_plan(&ranges, &graph, &table, criterion, &arena);
	for (size_t i = 0; i < table.node_count; i++)
		if (ranges_baseline(&ranges, i, &arena, &err))
			fail_msg("%s", err.text);
	for (size_t i = 0; i < version_count; i++)
		if (ranges_assign(&ranges, i, &arena, &err))
			fail_msg("%s", err.text);
	assert_int_equal(ranges_finish(&ranges, &arena, &err), 0);
	return ranges;
}

static const char *set_of(const struct ranges *ranges, size_t version)
{
	const struct ranges_set *set = &ranges->sets[ranges->versions[version].set];

	return names_of(set->versions, set->count);
}

static struct ranges_proof proved(const struct ranges *ranges, size_t version)
{
	struct err err = { "" };
	struct ranges_proof proof;

	if (ranges_prove(&proof, ranges, version, &arena, &err))
		fail_msg("%s", err.text);
	return proof;
}

static void a_version_follows_the_node_of_its_nearest_ancestor(void **state)
{
	struct ranges ranges;

	(void)state;
	put_good("0.9", NULL);
	put_good("1.0", "0.9");
	put_good("1.1", "1.0");
	put_good("1.2", "1.1");
	put_good("2.0", "1.0");
	ranges = ranged(RANGES_TABLE);
	assert_true(ranges.versions[0].follows_none);
	assert_string_equal(ranges.versions[1].node->version, "1.0");
	assert_string_equal(ranges.versions[3].node->version, "1.0");
	assert_string_equal(ranges.versions[4].node->version, "2.0");
}

static void versions_of_which_the_table_reads_the_same_are_one_set(void **state)
{
	struct ranges ranges;

	(void)state;
	put_good("1.0", NULL);
	put_constant(put_good("1.1", "1.0"), "SOMETHING_ELSE", 7);
	put_good("2.0", "1.1");
	ranges = ranged(RANGES_TABLE);
	assert_int_equal(ranges.set_count, 2); /* at 2.0 it reads more */
	assert_string_equal(set_of(&ranges, 0), "1.0 1.1");
	assert_string_equal(set_of(&ranges, 2), "2.0");
	assert_int_equal(ranges.fitting, 3);
}

/* 2.0, and a 2.1 in which Q is another. */
static void put_two_of_q(const struct abi_field *fields, size_t count, uint64_t size)
{
	struct abi_builder *doc;

	put_good("1.0", NULL);
	put_good("2.0", "1.0");
	doc = put_commands("2.1", "2.0");
	RECORD(doc, "P", 8, HANDLE("h", 0), U32("count", 4));
	put_record(doc, "Q", size, fields, count);
}

static void inside_a_struct_that_is_passed_through_only_strict_looks(void **state)
{
	static const struct abi_field other[] = { U64("a", 0) };
	struct ranges ranges;

	(void)state;
	put_two_of_q(other, 1, 8);
	ranges = ranged(RANGES_TABLE);
	assert_string_equal(set_of(&ranges, 2), "2.0 2.1");
	ranges = ranged(RANGES_STRICT);
	assert_string_equal(set_of(&ranges, 2), "2.1");
}

static void the_size_of_a_struct_that_is_passed_through_matters(void **state)
{
	static const struct abi_field other[] = { U32("a", 0), U32("b", 4), U32("c", 8) };
	struct ranges ranges;

	(void)state;
	put_two_of_q(other, 3, 12);
	ranges = ranged(RANGES_TABLE);
	assert_string_equal(set_of(&ranges, 2), "2.1");
	assert_int_equal(ranges.versions[2].fit, RANGES_FITS); /* the size comes with the call */
}

static void an_address_of_the_kernel_in_a_struct_that_is_passed_through_needs_nothing(void **state)
{
	static const struct abi_field other[] = {
		{ .name = "k", .type = "NvP64", .size_bits = 64, .role = ABI_ROLE_KERNEL_POINTER },
	};
	struct ranges ranges;

	(void)state;
	put_two_of_q(other, 1, 8);
	ranges = ranged(RANGES_TABLE);
	assert_string_equal(set_of(&ranges, 2), "2.0 2.1");
	assert_int_equal(ranges.versions[2].fit, RANGES_FITS);
}

static void a_pointer_in_a_struct_that_is_passed_through_needs_a_new_node(void **state)
{
	static const struct abi_field other[] = { POINTER("a", 0) };
	struct ranges ranges;

	(void)state;
	put_two_of_q(other, 1, 8);
	ranges = ranged(RANGES_TABLE);
	assert_string_equal(set_of(&ranges, 2), "2.1");
	assert_int_equal(ranges.versions[2].fit,
			 RANGES_OTHER); /* the node that does not forward it is safe */
	assert_string_equal(ranges.versions[2].safe->version, "1.0");
	assert_int_equal(ranges.versions[2].fresh_count, 1);
	assert_int_equal(ranges.versions[2].fresh[0].rule, VERIFY_NOT_SIMPLE);
}

static void a_name_in_a_struct_that_is_translated_matters_only_to_strict(void **state)
{
	struct abi_builder *doc;
	struct ranges ranges;

	(void)state;
	put_good("1.0", NULL);
	doc = put_commands("1.1", "1.0");
	RECORD(doc, "P", 8, HANDLE("h", 0), U32("number", 4));
	RECORD(doc, "Q", 8, U32("a", 0), U32("b", 4));
	ranges = ranged(RANGES_TABLE);
	assert_int_equal(ranges.set_count, 1);
	ranges = ranged(RANGES_STRICT);
	assert_int_equal(ranges.set_count, 2);
}

/* From 1.1 on, a field of the translated struct has moved. */
static void put_moved(const char *version, const char *parent)
{
	struct abi_builder *doc = put_commands(version, parent);

	RECORD(doc, "P", 12, HANDLE("h", 0), U32("new", 4), U32("count", 8));
	RECORD(doc, "Q", 8, U32("a", 0), U32("b", 4));
}

static void a_field_that_moved_in_a_struct_that_is_translated_needs_a_new_node(void **state)
{
	struct ranges ranges;

	(void)state;
	put_good("1.0", NULL);
	put_moved("1.1", "1.0");
	put_moved("1.2", "1.1");
	ranges = ranged(RANGES_TABLE);
	assert_int_equal(ranges.versions[1].fit, RANGES_NEEDS);
	assert_null(ranges.versions[1].safe);
	assert_true(ranges.versions[1].fresh_count > 0);
	assert_int_equal(ranges.needing, 2);
}

static void one_new_node_serves_what_follows_and_reads_the_same(void **state)
{
	struct ranges ranges;

	(void)state;
	put_good("1.0", NULL);
	put_moved("1.1", "1.0");
	put_moved("1.2", "1.1");
	ranges = ranged(RANGES_TABLE);
	assert_int_equal(ranges.versions[1].served_by, 1);
	assert_int_equal(ranges.versions[2].served_by, 1);
	assert_int_equal(ranges.new_nodes, 1);
}

static void one_new_node_serves_what_differs_in_what_needs_nothing(void **state)
{
	struct abi_builder *doc;
	struct ranges ranges;

	(void)state;
	put_good("2.0", NULL);
	put_moved("2.1", "2.0");
	doc = put_commands("2.2", "2.1");
	RECORD(doc, "P", 12, HANDLE("h", 0), U32("new", 4), U32("count", 8));
	RECORD(doc, "Q", 12, U32("a", 0), U32("b", 4), U32("c", 8));
	ranges = ranged(RANGES_TABLE);
	assert_string_equal(set_of(&ranges, 2),
			    "2.2"); /* the size of Q is read, and the proxy does not depend on it */
	assert_int_equal(ranges.versions[2].served_by, 1);
	assert_int_equal(ranges.new_nodes, 1);
}

static void what_moves_again_needs_another_new_node(void **state)
{
	struct abi_builder *doc;
	struct ranges ranges;

	(void)state;
	put_good("2.0", NULL);
	put_moved("2.1", "2.0");
	doc = put_commands("2.2", "2.1");
	RECORD(doc, "P", 16, HANDLE("h", 0), U32("new", 4), U32("newer", 8), U32("count", 12));
	RECORD(doc, "Q", 8, U32("a", 0), U32("b", 4));
	ranges = ranged(RANGES_TABLE);
	assert_int_equal(ranges.versions[2].served_by, 2);
	assert_int_equal(ranges.new_nodes, 2);
}

/* READ takes another record, of @size bytes; P is no more. */
static void put_renamed(const char *version, const char *parent, uint64_t size)
{
	struct abi_builder *doc = put_version(version, parent, true);

	put_alias(doc, "NvP64", "void *", 8);
	RECORD(doc, "ELSEWHERE", 8, POINTER("p", 0));
	put_constant(doc, "READ", 1);
	put_constant(doc, "UNREAD", 2);
	put_ioctl(doc, "READ", 1, "R");
	put_ioctl(doc, "UNREAD", 2, "Q");
	RECORD(doc, "R", size, HANDLE("h", 0), U32("count", size - 4));
	RECORD(doc, "Q", 8, U32("a", 0), U32("b", 4));
}

static void of_a_record_that_is_no_more_the_one_in_its_stead_counts(void **state)
{
	struct ranges ranges;

	(void)state;
	put_good("2.0", NULL);
	put_renamed("2.1", "2.0", 8);
	put_renamed("2.2", "2.1", 8);
	put_renamed("2.3", "2.2", 12);
	ranges = ranged(RANGES_TABLE);
	assert_int_equal(ranges.versions[2].served_by, 1);
	assert_int_equal(ranges.versions[3].served_by, 3);
}

static void a_fault_of_the_node_itself_is_no_news(void **state)
{
	struct ranges ranges;

	(void)state;
	put_moved("1.0", NULL);
	put_moved("1.1", "1.0");
	ranges = ranged(RANGES_TABLE);
	assert_true(ranges.nodes[0].known_count > 0);
	assert_int_equal(ranges.versions[1].fit, RANGES_FITS);
	assert_int_equal(ranges.versions[1].fresh_count, 0);
}

/* P is @size bytes long; 8 in the table. */
static void put_long(const char *version, const char *parent, uint64_t size)
{
	struct abi_builder *doc = put_commands(version, parent);

	RECORD(doc, "P", size, HANDLE("h", 0), U32("count", 4), U32("more", 8));
	RECORD(doc, "Q", 8, U32("a", 0), U32("b", 4));
}

static void the_same_fault_by_another_size_is(void **state)
{
	struct ranges ranges;

	(void)state;
	put_long("1.0", NULL, 12);
	put_long("1.1", "1.0", 12);
	put_long("1.2", "1.1", 16);
	ranges = ranged(RANGES_TABLE);
	assert_int_equal(ranges.versions[1].fresh_count, 0);
	assert_true(ranges.versions[2].fresh_count > 0);
}

static void what_is_older_than_the_table_may_use_its_first_node_if_that_is_safe(void **state)
{
	struct ranges ranges;

	(void)state;
	put_moved("0.8", NULL);
	put_good("0.9", "0.8");
	put_good("1.0", "0.9");
	ranges = ranged(RANGES_TABLE);
	assert_int_equal(ranges.versions[0].fit, RANGES_OLDER);
	assert_int_equal(ranges.versions[1].fit, RANGES_FITS);
	assert_true(ranges.versions[1].follows_none);
	assert_string_equal(ranges.versions[1].safe->version, "1.0");
	assert_int_equal(ranges.older, 1);
	assert_int_equal(ranges.new_nodes, 0);
}

static void a_number_that_another_ioctl_got_is_another_set(void **state)
{
	struct abi_builder *doc;
	struct ranges ranges;

	(void)state;
	put_good("1.0", NULL);
	doc = put_version("1.1", "1.0", true);
	put_alias(doc, "NvP64", "void *", 8);
	RECORD(doc, "ELSEWHERE", 8, POINTER("p", 0));
	RECORD(doc, "P", 8, HANDLE("h", 0), U32("count", 4));
	put_constant(doc, "READ", 3);
	put_ioctl(doc, "READ", 3, "P");
	put_ioctl(doc, "INTRUDER", 1, NULL);
	ranges = ranged(RANGES_TABLE);
	assert_int_equal(ranges.set_count, 2);
	assert_int_equal(ranges.versions[1].fit, RANGES_NEEDS);
}

static void a_node_that_adds_nothing_could_go(void **state)
{
	struct ranges ranges;

	(void)state;
	put_node("3.0", &nodes[1], NULL, 0);
	put_good("1.0", NULL);
	put_good("2.0", "1.0");
	put_good("3.0", "2.0");
	ranges = ranged(RANGES_TABLE);
	assert_int_equal(ranges.nodes[0].verdict, RANGES_KEEP);
	assert_int_equal(ranges.nodes[2].verdict, RANGES_EMPTY);
}

static void a_node_whose_news_are_true_before_could_be_one_with_its_parent(void **state)
{
	struct ranges ranges;

	(void)state;
	put_good("1.0", NULL); /* has UNREAD already */
	put_good("2.0", "1.0");
	ranges = ranged(RANGES_TABLE);
	assert_int_equal(ranges.nodes[1].verdict, RANGES_MERGE);
}

static void a_node_whose_news_are_not_true_before_stays(void **state)
{
	struct abi_builder *doc = put_version("1.0", NULL, true);
	struct ranges ranges;

	(void)state;
	put_alias(doc, "NvP64", "void *", 8);
	RECORD(doc, "ELSEWHERE", 8, POINTER("p", 0));
	RECORD(doc, "P", 8, HANDLE("h", 0), U32("count", 4));
	put_constant(doc, "READ", 1);
	put_ioctl(doc, "READ", 1, "P");
	put_good("2.0", "1.0");
	ranges = ranged(RANGES_TABLE);
	assert_int_equal(ranges.nodes[1].verdict, RANGES_KEEP);
}

static void a_node_without_source_cannot_be_judged(void **state)
{
	struct ranges ranges;

	(void)state;
	put_good("1.0", NULL);
	ranges = ranged(RANGES_TABLE);
	assert_int_equal(ranges.nodes[1].version, -1);
	assert_int_equal(ranges.nodes[1].verdict, RANGES_UNKNOWN);
}

static void a_node_that_the_driver_puts_elsewhere_is_misplaced(void **state)
{
	struct ranges ranges;

	(void)state;
	put_node("3.0", &nodes[1], NULL, 0);
	put_good("1.0", NULL);
	put_good("2.0", "1.0");
	put_good("3.0", "1.0");
	ranges = ranged(RANGES_TABLE);
	assert_false(ranges.nodes[1].is_misplaced);
	assert_true(ranges.nodes[2].is_misplaced);
	assert_string_equal(ranges.nodes[2].follows->version, "1.0");
}

static void the_differ_has_nothing_against_a_set(void **state)
{
	static const struct abi_field other[] = { U64("a", 0) };
	struct ranges_proof proof;
	struct ranges ranges;

	(void)state;
	put_two_of_q(other, 1, 8);
	ranges = ranged(RANGES_TABLE);
	proof = proved(&ranges, 2);
	assert_true(proof.compared);
	assert_int_equal(proof.against_count, 0);
	assert_int_equal(proof.unread, 1);
}

static void the_differ_tells_of_a_set_that_is_wrong(void **state)
{
	static const struct abi_field other[] = { POINTER("a", 0) };
	static const size_t both[] = { 1, 2 };
	static const struct ranges_set wrong = { both, 2 };
	struct ranges_proof proof;
	struct ranges ranges;

	(void)state;
	put_two_of_q(other, 1, 8);
	ranges = ranged(RANGES_TABLE);
	ranges.sets = &wrong;
	ranges.versions[2].set = 0;
	proof = proved(&ranges, 2);
	assert_int_equal(proof.against_count, 1);
	assert_string_equal(proof.against[0], "record Q");
}

static void one_document_of_two_versions_is_judged_once(void **state)
{
	struct ranges ranges;
	struct err err = { "" };

	(void)state;
	put_good("1.0", NULL);
	put_good("1.1", "1.0");
	graph = graph_of_all();
	versions[1].abi = versions[0].abi;
	ranges_plan(&ranges, &graph, &table, RANGES_TABLE, &arena);
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(ranges_assign(&ranges, i, &arena, &err), 0);
	assert_string_equal(ranges.versions[1].reading, "");
	assert_int_equal(ranges_finish(&ranges, &arena, &err), 0);
	assert_string_equal(ranges.versions[1].reading, ranges.versions[0].reading);
	assert_string_equal(set_of(&ranges, 1), "1.0 1.1");
}

/* How often names were compared (testdata/test_main.c): what the work of ranges grows with. */
extern size_t looked;

/* What a table costs of which @count nodes follow one another, and each changes the entry of the first. */
static size_t comparisons_with(size_t count)
{
	struct table_node *chain = arena_array(&arena, count, sizeof(*chain));
	struct ranges ranges;

	for (size_t i = 0; i < count; i++) {
		struct table_entry entry = first_entries[0];

		entry.cap_count = i % 2;
		chain[i] = (struct table_node){ .version = arena_printf(&arena, "1.%zu", i),
						.parent = i ? &chain[i - 1] : NULL,
						.entries = arena_memdup(&arena, &entry, sizeof(entry)),
						.entry_count = 1 };
	}
	table.nodes = chain;
	table.node_count = count;
	looked = 0;
	ranges = ranged(RANGES_TABLE);
	assert_false(ranges.nodes[count - 1].is_empty);
	return looked;
}

static void twice_the_nodes_are_twice_the_comparisons(void **state)
{
	size_t once, twice;

	(void)state;
	put_good("1.0", NULL);
	put_good("1.1", "1.0");
	once = comparisons_with(1000);
	twice = comparisons_with(2000);
	assert_true(once > 1000);
	assert_true(twice < once * 9 / 4); /* sorted once: a little more than twice */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_version_follows_the_node_of_its_nearest_ancestor),
		TEST(versions_of_which_the_table_reads_the_same_are_one_set),
		TEST(inside_a_struct_that_is_passed_through_only_strict_looks),
		TEST(the_size_of_a_struct_that_is_passed_through_matters),
		TEST(an_address_of_the_kernel_in_a_struct_that_is_passed_through_needs_nothing),
		TEST(a_pointer_in_a_struct_that_is_passed_through_needs_a_new_node),
		TEST(a_name_in_a_struct_that_is_translated_matters_only_to_strict),
		TEST(a_field_that_moved_in_a_struct_that_is_translated_needs_a_new_node),
		TEST(one_new_node_serves_what_follows_and_reads_the_same),
		TEST(one_new_node_serves_what_differs_in_what_needs_nothing),
		TEST(what_moves_again_needs_another_new_node),
		TEST(of_a_record_that_is_no_more_the_one_in_its_stead_counts),
		TEST(a_fault_of_the_node_itself_is_no_news),
		TEST(the_same_fault_by_another_size_is),
		TEST(what_is_older_than_the_table_may_use_its_first_node_if_that_is_safe),
		TEST(a_number_that_another_ioctl_got_is_another_set),
		TEST(a_node_that_adds_nothing_could_go),
		TEST(a_node_whose_news_are_true_before_could_be_one_with_its_parent),
		TEST(a_node_whose_news_are_not_true_before_stays),
		TEST(a_node_without_source_cannot_be_judged),
		TEST(a_node_that_the_driver_puts_elsewhere_is_misplaced),
		TEST(the_differ_has_nothing_against_a_set),
		TEST(the_differ_tells_of_a_set_that_is_wrong),
		TEST(one_document_of_two_versions_is_judged_once),
		TEST(twice_the_nodes_are_twice_the_comparisons),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
