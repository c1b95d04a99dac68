/* Tests lookups in five versions: 2 and 3 follow 1, 4 follows 3, and 5 has no relatives. */
#include "history/fixture_test.h"

static const long parents[] = { HISTORY_NO_PARENT, 0, 0, 2, HISTORY_NO_PARENT };
enum { COUNT = sizeof(parents) / sizeof(*parents) };

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

static struct history_graph graph;
static struct abi abi;

/* Makes the document of @version, with only its ioctls, constants and record. */
static struct lookup_scope scope_of(size_t version)
{
	static struct history_version listed[COUNT];
	struct abi_builder *builder = abi_builder_new(&arena);

	for (size_t i = 0; i < COUNT; i++)
		listed[i] = (struct history_version){ .version = arena_printf(&arena, "%zu", i + 1),
						      .commit = "c",
						      .parent = parents[i] };
	graph = (struct history_graph){ .versions = listed, .version_count = COUNT };
	for (size_t i = 0; i < everything.count; i++)
		for (size_t s = 0; s < items[i].span_count; s++) {
			struct abi_record record = { .name = items[i].name, .source = "" };
			struct abi_constant constant = { items[i].name, items[i].number };
			struct abi_ioctl ioctl = { .family = items[i].family,
						   .name = items[i].name,
						   .number = items[i].number.magnitude,
						   .source = "" };

			if (version < items[i].spans[s].from || version >= items[i].spans[s].until)
				continue;
			if (items[i].kind == ABI_RECORD)
				abi_builder_record(builder, &record);
			else if (items[i].kind == ABI_CONSTANT)
				abi_builder_constant(builder, &constant);
			else
				abi_builder_ioctl(builder, &ioctl);
		}
	abi_builder_seal(&abi, builder,
			 &(struct abi){ .driver = "d", .version = "v", .commit = "", .target = "t" });
	abi_builder_free(builder);
	return (struct lookup_scope){ &abi, &graph, &everything, version };
}

static struct lookup find(size_t version, const char *text, bool is_number, uint64_t number)
{
	struct lookup_scope scope = scope_of(version);
	struct lookup_word word = { text, is_number, number };
	struct lookup lookup;

	lookup_find(&lookup, &scope, &word, &arena);
	return lookup;
}

static struct lookup find_name(size_t version, const char *text)
{
	return find(version, text, false, 0);
}

static struct lookup find_number(size_t version, uint64_t number)
{
	return find(version, "", true, number);
}

static void a_record_that_grew_is_one_thing_with_one_span(void **state)
{
	struct lookup got = find_name(3, "REC");

	(void)state;
	assert_int_equal(got.item_count, 1);
	assert_int_equal(got.items[0].span->version_count, 3);
	assert_int_equal(got.items[0].span->since_count, 1); /* only version 1, because 3 follows 1 */
	assert_int_equal(got.items[0].span->until_count, 1);
	assert_int_equal(got.items[0].span->until[0], 1);
	assert_int_equal(got.nearest, COUNT);
}

static void a_number_is_told_with_what_else_has_had_it(void **state)
{
	struct lookup got = find_number(4, 0x10101);

	(void)state;
	assert_int_equal(got.item_count, 1);
	assert_string_equal(got.items[0].ioctl->name, "NV1_CTRL_CMD_HERE");
	assert_int_equal(got.other_count, 1);
	assert_string_equal(got.others[0]->name, "NV1_CTRL_CMD_GONE");
	assert_int_equal(got.others[0]->kind, ABI_IOCTL);
}

static void a_macro_is_not_told_where_the_ioctl_is(void **state)
{
	struct lookup macro = find_number(1, 0x10102), ioctl = find_number(2, 0x10102);

	(void)state;
	assert_int_equal(macro.item_count, 1);
	assert_true(macro.items[0].is_command);
	assert_int_equal(macro.items[0].span->version_count, 2);
	assert_int_equal(macro.other_count, 1);
	assert_int_equal(ioctl.item_count, 1);
	assert_non_null(ioctl.items[0].ioctl);
	assert_int_equal(ioctl.items[0].span->version_count, 2);
}

static void the_nearest_ancestor_is_nearer_than_what_is_newer(void **state)
{
	(void)state;
	assert_int_equal(find_number(2, 0x10101).nearest, 0);
	assert_int_equal(find_name(4, "REC").nearest, 3);
	assert_int_equal(find_name(1, "UVM_FIVE").nearest, 0);
	assert_int_equal(find_name(0, "NV1_CTRL_CMD_HERE").nearest, 3);
	assert_int_equal(find_name(4, "NV1_CTRL_CMD_GONE").nearest, 1);
	assert_int_equal(find_name(4, "NOTHING").nearest, COUNT);
}

static void the_nearest_thing_is_one_that_the_nearest_version_has(void **state)
{
	struct lookup got = find_number(2, 0x10101);

	(void)state;
	assert_int_equal(got.item_count, 0);
	assert_string_equal(got.nearest_span->name, "NV1_CTRL_CMD_GONE");
}

static void a_constant_of_the_value_is_not_all_there_is_to_a_number(void **state)
{
	struct lookup got = find_number(4, 5), first_version = find_number(0, 5);

	(void)state;
	assert_int_equal(got.item_count, 1);
	assert_string_equal(got.items[0].constant->name, "FIVE");
	assert_int_equal(got.nearest, 0);
	assert_int_equal(first_version.nearest, COUNT);
}

static void a_glob_has_no_span_and_may_be_elsewhere(void **state)
{
	struct lookup got = find_name(3, "NV1_CTRL_CMD_*");

	(void)state;
	assert_int_equal(got.item_count, 2);
	assert_null(got.items[0].span);
	assert_int_equal(find_name(4, "UVM_*").nearest, 0);
}

static void without_other_versions_only_the_document_answers(void **state)
{
	struct lookup_scope scope = scope_of(0);
	struct history_graph no_versions = { .versions = NULL };
	struct abi_index nothing = { .items = NULL };
	struct lookup_word word = { "", true, 0x10101 };
	struct lookup lookup;

	(void)state;
	scope = (struct lookup_scope){ scope.abi, &no_versions, &nothing, 0 };
	lookup_find(&lookup, &scope, &word, &arena);
	assert_int_equal(lookup.item_count, 1);
	assert_null(lookup.items[0].span);
	assert_int_equal(lookup.nearest, 0);
	assert_int_equal(lookup.other_count, 0);
}

static const struct profile_bits bits[] = {
	{ "class", 16, 16, "alloc", NULL },
	{ "interface", 8, 8, NULL, "NV\\1_CTRL_" },
	{ "method", 0, 8, NULL, NULL },
};
static const struct profile_family families[] = { { .name = "uvm" },
						  { .name = "control", .bits = bits, .bits_count = 3 } };
static const struct profile profile = { .families = families, .family_count = 2 };

static struct lookup_parse parse(const struct profile *of, size_t version, uint64_t number)
{
	struct lookup_scope scope = scope_of(version);
	struct lookup_parse got;

	lookup_parse(&got, of, &scope, number, &arena);
	return got;
}

static void a_number_is_split(void **state)
{
	struct lookup_parse got = parse(&profile, 1, 0x10199);

	(void)state;
	assert_int_equal(got.bits_count, 3);
	assert_string_equal(got.family, "control");
	assert_string_equal(got.bits[0].name, "CLASS_ONE"); /* from a different version */
	assert_int_equal(got.bits[2].value, 0x99);
	assert_null(got.bits[2].name);
}

static void a_prefix_holds_the_first_bits(void **state)
{
	static const struct profile_bits short_bits[] = { { "class", 16, 4, "alloc", NULL },
							  { "interface", 8, 8, NULL, "NV\\1_CTRL_" } };
	static const struct profile_family family = { .name = "control",
						      .bits = short_bits,
						      .bits_count = 2 };
	static const struct profile short_profile = { .families = &family, .family_count = 1 };

	(void)state;
	assert_null(parse(&profile, 0, 0x10102).bits[1].name); /* "NV0001_CTRL_" */
	assert_string_equal(parse(&short_profile, 0, 0x10100).bits[1].name, "FB");
}

static void what_is_too_large_or_too_small_is_not_split(void **state)
{
	(void)state;
	assert_int_equal(parse(&profile, 0, 0x1b).bits_count, 0);
	assert_int_equal(parse(&profile, 0, 0x5678).bits_count,
			 0); /* neither the class nor the interface has a name */
	assert_int_equal(parse(&profile, 0, UINT64_C(0x100000101)).bits_count, 0);
	assert_int_equal(parse(&profile, 0, UINT64_MAX).bits_count, 0);
}

static void neighbours_share_all_bits_but_the_last(void **state)
{
	struct lookup_parse parsed = parse(&profile, 2, 0x10101);
	struct lookup_neighbour near[2];

	(void)state;
	lookup_neighbours(near, &abi, &parsed, 0x10101);
	assert_null(near[0].name);
	assert_int_equal(near[1].number, 0x10102);
	lookup_neighbours(near, &abi, &parsed, 0x10201);
	assert_null(near[0].name);
	assert_null(near[1].name);
}

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

static void a_version_follows_the_node_of_its_nearest_ancestor(void **state)
{
	(void)state;
	scope_of(0);
	assert_ptr_equal(forwarded_node(&table, &graph, 3, "4"), &nodes[1]);
	assert_ptr_equal(forwarded_node(&table, &graph, 1, "2"),
			 &nodes[0]);
	assert_null(forwarded_node(&table, &graph, 4, "5"));
	assert_ptr_equal(forwarded_node(&table, &graph, COUNT, "9"), &nodes[1]);
}

static void a_repository_of_two_releases_does_not_show_which_node_a_version_follows(void **state)
{
	struct history_version two[] = { { .version = "1", .parent = HISTORY_NO_PARENT },
					 { .version = "4" } };
	const struct history_graph few = { .versions = two, .version_count = 2 };

	(void)state;
	assert_ptr_equal(forwarded_node(&table, &few, 1, "4"), &nodes[1]);
	assert_ptr_equal(forwarded_node(&table, &few, 0, "1"), &nodes[0]);
}

static void the_node_that_has_the_entry_is_named(void **state)
{
	struct forwarded got;

	(void)state;
	forwarded_find(&got, &table, &nodes[1], "control", 7);
	assert_int_equal(got.use, FORWARDED_READ);
	assert_ptr_equal(got.since, &nodes[0]);
	forwarded_find(&got, &table, &nodes[1], "control", 8);
	assert_int_equal(got.use, FORWARDED_UNREAD);
	forwarded_find(&got, &table, &nodes[1], "uvm", 7);
	assert_int_equal(got.use, FORWARDED_NONE);
	assert_null(got.since);
	forwarded_find(&got, &table, NULL, "control", 7);
	assert_int_equal(got.use, FORWARDED_NONE);
}

static void a_proxy_may_pass_some_commands_through_without_an_entry(void **state)
{
	static const struct table_passed passed[] = {
		{ "control", 0x8000, 0x8000, "GSS_LEGACY" },
		{ "control", 0xffff0000, 0x20810000, "BINAPI" },
	};
	struct table nvproxy = table;
	struct forwarded got;

	(void)state;
	nvproxy.passed = passed;
	nvproxy.passed_count = 2;
	forwarded_find(&got, &nvproxy, &nodes[1], "control", 0x20808159);
	assert_int_equal(got.use, FORWARDED_UNREAD);
	assert_string_equal(got.passed_as, "GSS_LEGACY");
	forwarded_find(&got, &nvproxy, &nodes[1], "control", 0x20810110);
	assert_string_equal(got.passed_as, "BINAPI");
	forwarded_find(&got, &nvproxy, &nodes[1], "control", 7);
	assert_null(got.passed_as);
	forwarded_find(&got, &nvproxy, &nodes[1], "alloc", 0x8159);
	assert_int_equal(got.use, FORWARDED_NONE);
	forwarded_find(&got, &nvproxy, NULL, "control", 0x20808159);
	assert_int_equal(got.use, FORWARDED_NONE);
	nvproxy.passed_count = 0;
	forwarded_find(&got, &nvproxy, &nodes[1], "control", 0x20808159);
	assert_int_equal(got.use, FORWARDED_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_record_that_grew_is_one_thing_with_one_span),
		TEST(a_number_is_told_with_what_else_has_had_it),
		TEST(a_macro_is_not_told_where_the_ioctl_is),
		TEST(the_nearest_ancestor_is_nearer_than_what_is_newer),
		TEST(the_nearest_thing_is_one_that_the_nearest_version_has),
		TEST(a_constant_of_the_value_is_not_all_there_is_to_a_number),
		TEST(a_glob_has_no_span_and_may_be_elsewhere),
		TEST(without_other_versions_only_the_document_answers),
		TEST(a_number_is_split),
		TEST(a_prefix_holds_the_first_bits),
		TEST(what_is_too_large_or_too_small_is_not_split),
		TEST(neighbours_share_all_bits_but_the_last),
		TEST(a_version_follows_the_node_of_its_nearest_ancestor),
		TEST(a_repository_of_two_releases_does_not_show_which_node_a_version_follows),
		TEST(the_node_that_has_the_entry_is_named),
		TEST(a_proxy_may_pass_some_commands_through_without_an_entry),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
