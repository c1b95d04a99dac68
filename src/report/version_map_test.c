/* Tests of the version map: the node that each release may use. */
#include "report/fixture_test.h"

static struct table_node later_node = { .version = "590.1", .supported = true };
static struct history_version releases[] = {
	{ .version = "590.1", .abi = &base },     { .version = "590.2", .abi = &base },
	{ .version = "590.10.01", .abi = &base }, { .version = "590.11", .abi = &base },
	{ .version = "590.12", .abi = &base },
};
static const struct history_graph releases_graph = { releases, COUNT(releases), &edge, 1 };
static struct ranges_version used[COUNT(releases)];
static struct ranges_proof proofs[COUNT(releases)];

/* All versions are proven to fit 590.1, and the table reads the same parts of all. */
static void all_fit(void)
{
	for (size_t i = 0; i < COUNT(releases); i++) {
		used[i] = (struct ranges_version){ .safe = &later_node, .proof = "aa" };
		proofs[i] = (struct ranges_proof){ 0 };
	}
}

static size_t emit(const struct history_graph *of, bool is_go)
{
	const struct ranges ranges = { .graph = of, .table = &table, .versions = used };
	const struct ranges_report report = { "toy", "x86_64-linux-gnu", &ranges, proofs };

	return report_version_map(&out, &report, is_go);
}

static void versions_with_one_node_and_one_hash_share_a_row(void **state)
{
	all_fit();
	used[1].safe = &node;
	used[2] = (struct ranges_version){ .safe = &later_node, .proof = "bb" };
	assert_int_equal(emit(&releases_graph, false), 5);
	assert_has(
		"  {\"node\": \"590.1\", \"hash\": \"aa\", \"versions\": [\"590.1\", \"590.11\", \"590.12\"]},\n"
		"  {\"node\": \"1.0\", \"hash\": \"aa\", \"versions\": [\"590.2\"]},\n"
		"  {\"node\": \"590.1\", \"hash\": \"bb\", \"versions\": [\"590.10.01\"]}\n");
}

static void what_is_not_proven_is_not_there(void **state)
{
	static const char *const against[] = { "record A" };

	all_fit();
	used[0].safe = NULL;
	proofs[2] = (struct ranges_proof){ .against = against, .against_count = 1 };
	assert_int_equal(emit(&releases_graph, true), 3);
	assert_has("\t{Proof{\"590.1\", \"aa\"}, \"590.2 590.11 590.12\"},\n}\n");
}

/* No driver release has such a version, and the text of a name must not get into the Go code. */
static void what_is_not_named_by_two_or_three_numbers_is_not_there(void **state)
{
	static const char *const names[] = { "main", "590", "590.1.2.3", "590.", "590.12\"" };
	struct history_version others[COUNT(names)];
	const struct history_graph named = { others, COUNT(names), &edge, 1 };

	all_fit();
	for (size_t i = 0; i < COUNT(names); i++)
		others[i] = (struct history_version){ .version = names[i], .abi = &base };
	assert_int_equal(emit(&named, true), 0);
	assert_has("versions string\n}{\n}\n");
}

static void a_version_without_a_document_is_not_there(void **state)
{
	struct history_version others[COUNT(releases)];
	const struct history_graph without = { others, COUNT(releases), &edge, 1 };

	all_fit();
	memcpy(others, releases, sizeof(releases));
	others[0].abi = NULL;
	assert_int_equal(emit(&without, false), 4);
	assert_has("\"versions\": [\"590.2\", ");
}

static void names_are_literals_in_go(void **state)
{
	all_fit();
	later_node.version = "590\"\n\\";
	emit(&releases_graph, true);
	later_node.version = "590.1";
	assert_has("\t{Proof{\"590\\\"\\n\\\\\", \"aa\"}, ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(versions_with_one_node_and_one_hash_share_a_row),
		TEST(what_is_not_proven_is_not_there),
		TEST(what_is_not_named_by_two_or_three_numbers_is_not_there),
		TEST(a_version_without_a_document_is_not_there),
		TEST(names_are_literals_in_go),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
