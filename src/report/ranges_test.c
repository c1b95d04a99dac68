/* Tests of ranges, the versions that have the same ABI for a proxy, and of the version map. */
#include "report/fixture_test.h"

#define JSON NULL

static const struct verify_finding fresh[] = {
	{ VERIFY_SIZE, "control", "CMD_A", "A", "", { .present = true, .size_bytes = 8, .type = "A" },
	  { .present = true, .size_bytes = 4, .type = "AParams" }, "8 bytes, not 4", false },
	{ .rule = VERIFY_FIELD_MISSING, .family = "control", .entry = "CMD_A", .record = "A", .path = "flags",
	  .driver = { .present = true, .offset_bytes = 4 }, .message = "A.flags is gone" },
};
static const struct table_node child = { .version = "2.0", .parent = &node },
			       supported_child = { .version = "2.0", .parent = &node, .supported = true };
static const struct ranges_node kept = { .node = &node },
				empty = { .node = &child, .follows = &node, .verdict = RANGES_EMPTY },
				unexamined = { .node = &child, .follows = &node, .verdict = RANGES_EMPTY,
					       .version = -1 },
				staying = { .node = &supported_child, .follows = &node,
					    .verdict = RANGES_EMPTY };

/*
 * A row has versions, which are in one set. "+" after a version: it can use the node 1.0; "!": it needs a new
 * node; "?": it has no document.
 */
static const struct {
	const char *fact, *versions;
	const struct ranges_node *judged;
	const struct report_style *style; /* or JSON */
	const char *has[2];
} rows[] = {
	{ "a set has the node that its versions can use", "1.0+ 2.0+", &kept, &plain,
	  { "  1    may use 1.0\n      1.0 2.0\n" } },
	{ "JSON has the node of each version", "1.0+ 2.0+", &kept, JSON,
	  { "   \"version\": \"2.0\",\n"
	    "   \"set\": 0,\n"
	    "   \"follows\": \"1.0\",\n"
	    "   \"fit\": \"fits\",\n"
	    "   \"node\": \"1.0\"\n" } },
	{ "a version that needs a node is listed with the node before it", "1.0+ 2.0!", &kept, &plain,
	  { "need a new node after 1.0\n      2.0\n" } },
	{ "the versions that one node would serve are grouped by release", "590.1! 590.2! 595.1! 595.2!",
	  &kept, &plain,
	  { "590.1 needs a new node after 1.0\n"
	    "  1 entry; one node would serve 590.* and 595.*\n"
	    "  control CMD_A\n"
	    "      4 to 8 bytes, flags\n" } },
	{ "a release with a version that is not served is listed by version", "590.1! 590.2! 595.1! 595.2+",
	  &kept, &plain, { "one node would serve 590.* and 595.1\n" } },
	{ "a release with a version without a document is listed by version", "590.1! 590.2! 595.1! 595.2?",
	  &kept, &plain, { "one node would serve 590.* and 595.1\n" } },
	{ "-v lists every finding", "590.1! 590.2! 595.1! 595.2!", &kept, &verbose,
	  { "      4 to 8 bytes, flags; size: 8 bytes, not 4; field-missing: A.flags is gone\n" } },
	{ "Markdown has a row for each entry", "590.1! 590.2! 595.1! 595.2!", &kept, &markdown,
	  { "### 590.1 needs a new node after 1.0\n\n1 entry; one node would serve 590.\\* and 595.\\*\n",
	    "| control `CMD_A` | 4 to 8 bytes, flags | size: 8 bytes, not 4; field-missing: A.flags is "
	    "gone |\n" } },
	{ "a node like its parent could be removed", "1.0+ 2.0+", &empty, &plain,
	  { "Nodes that could be removed\n"
	    "  - 2.0 forwards the same as 1.0, and is not a supported version\n" } },
	{ "such a node whose driver was not examined", "1.0+ 2.0+", &unexamined, &plain,
	  { "and is not a supported version; the driver of\n    that version was not examined\n" } },
	{ "a supported version cannot be removed", "1.0+ 2.0+", &staying, &plain,
	  { "Nodes that could be removed\n  none\n  1 more node forwards the same as its parent" } },
};

enum { MOST = 5 };

REPORT_TEST(ranges_are_rendered)
{
	for (size_t i = 0; i < COUNT(rows); i++) {
		static const size_t all[MOST] = { 0, 1, 2, 3, 4 };
		struct history_version releases[MOST];
		struct ranges_version fits[MOST];
		struct ranges_set set = { all, 0 };
		struct history_graph of = { releases, 0, &edge, 1 };
		struct ranges_node judged = *rows[i].judged;
		struct ranges ranges = { .graph = &of, .table = &table, .criterion = RANGES_TABLE,
					 .versions = fits, .nodes = &judged, .sets = &set, .set_count = 1 };
		const struct ranges_report report = { "toy", "x86_64-linux-gnu", &ranges, NULL };
		char words[64], *at = words;
		long served_by = -1;

		snprintf(words, sizeof(words), "%s", rows[i].versions);
		for (char *word; (word = strsep(&at, " ")); set.count = ++of.version_count) {
			char *mark = word + strlen(word) - 1;
			const bool needs = *mark != '+';

			served_by = needs && served_by < 0 ? (long)of.version_count : served_by;
			fits[of.version_count] = (struct ranges_version){
				.node = &node, .fit = needs ? RANGES_NEEDS : RANGES_FITS,
				.safe = needs ? NULL : &node, .facts_hash = "aa", .fresh = fresh,
				.fresh_count = needs ? 2 : 0, .served_by = needs ? served_by : -1
			};
			releases[of.version_count] = (struct history_version){
				.version = word, .abi = *mark == '?' ? NULL : &base
			};
			*mark = '\0';
		}
		fact = rows[i].fact;
		strbuf_reset(&out);
		if (rows[i].style)
			report_ranges(&out, &report, rows[i].style);
		else
			report_ranges_json(&out, &report);
		assert_has_all(rows[i].has, COUNT(rows[i].has));
	}
}

REPORT_TEST(a_renumbered_ioctl_that_the_table_passes_is_listed)
{
	static const struct abi_ioctl before = { .family = "control", .name = "CMD_B", .number = 0x208081ea },
				      after = { .family = "control", .name = "CMD_B", .number = 0x208001ea };
	static const struct diff_change change = { .kind = ABI_IOCTL, .family = "control", .name = "CMD_B",
						   .classes = DIFF_NUMBER, .base_ioctl = &before,
						   .next_ioctl = &after, .passed_was = "LEGACY" };
	static const size_t both[] = { 0, 1 };
	const struct history_version releases[] = { { .version = "1.0", .abi = &base },
						    { .version = "2.0", .abi = &next } };
	struct ranges_version fits[] = {
		{ .node = &node, .safe = &node, .served_by = -1 },
		{ .node = &node, .safe = &node, .served_by = -1, .passed = &change, .passed_count = 1 },
	};
	const struct ranges_set set = { both, 2 };
	const struct history_graph of = { releases, 2, &edge, 1 };
	struct ranges_node judged = kept;
	struct ranges ranges = { .graph = &of, .table = &table, .versions = fits, .nodes = &judged,
				 .sets = &set, .set_count = 1 };
	const struct ranges_report report = { "toy", "x86_64-linux-gnu", &ranges, NULL };
	static const char *const text[] = {
		"Renumbered ioctls that the table passes through by only one number\n"
		"  - 2.0 after 1.0: control CMD_B 0x208001ea (was 0x208081ea), no longer passed\n"
		"    through by number (LEGACY), so it needs an entry\n",
	}, *const json[] = {
		"\"renumbered_since\": \"1.0\"",
		"\"name\": \"CMD_B\", \"classes\": [\"number\"], \"before\": 545292778, "
		"\"after\": 545260010, \"passed_was\": \"LEGACY\"",
	};

	strbuf_reset(&out);
	report_ranges(&out, &report, &plain);
	assert_has_all(text, COUNT(text));
	strbuf_reset(&out);
	report_ranges_json(&out, &report);
	assert_has_all(json, COUNT(json));
}

/* --- the version map ---------------------------------------------------------------------- */

static const struct table_node later = { .version = "590.1", .supported = true },
			       quoted = { .version = "590\"\n\\", .supported = true };
static const char *const record_a[] = { "record A" };

/* A row has releases, and the node and the hash of each. All others use 590.1 with the hash "aa". */
static const struct {
	const char *fact;
	struct history_version releases[MOST];
	struct ranges_version used[MOST];
	struct ranges_proof proofs[MOST];
	bool is_go;
	size_t count;
	const char *has;
} maps[] = {
#define RELEASES { { .version = "590.1", .abi = &base }, { .version = "590.2", .abi = &base }, \
		   { .version = "590.10.01", .abi = &base }, { .version = "590.11", .abi = &base }, \
		   { .version = "590.12", .abi = &base } }
#define FITS { .safe = &later, .proof = "aa" }
	{ "versions with one node and one hash share a row", RELEASES,
	  { FITS, { .safe = &node, .proof = "aa" }, { .safe = &later, .proof = "bb" }, FITS, FITS },
	  { { 0 } }, false, 5,
	  "  {\"node\": \"590.1\", \"hash\": \"aa\", \"versions\": [\"590.1\", \"590.11\", \"590.12\"]},\n"
	  "  {\"node\": \"1.0\", \"hash\": \"aa\", \"versions\": [\"590.2\"]},\n"
	  "  {\"node\": \"590.1\", \"hash\": \"bb\", \"versions\": [\"590.10.01\"]}\n" },
	{ "versions that are not proven are left out", RELEASES,
	  { { .proof = "aa" }, FITS, FITS, FITS, FITS },
	  { [2] = { .against = record_a, .against_count = 1 } }, true, 3,
	  "\t{Proof{\"590.1\", \"aa\"}, \"590.2 590.11 590.12\"},\n}\n" },
	/* No release has such a version, and the text of a name must not get into the Go code. */
	{ "versions that are not two or three numbers are left out",
	  { { .version = "main", .abi = &base }, { .version = "590", .abi = &base },
	    { .version = "590.1.2.3", .abi = &base }, { .version = "590.", .abi = &base },
	    { .version = "590.12\"", .abi = &base } },
	  { FITS, FITS, FITS, FITS, FITS }, { { 0 } }, true, 0, "versions string\n}{\n}\n" },
	{ "a version without a document is left out",
	  { { .version = "590.1" }, { .version = "590.2", .abi = &base } },
	  { FITS, FITS, FITS, FITS, FITS }, { { 0 } }, false, 1, "\"versions\": [\"590.2\"]" },
	{ "in Go, names are literals", RELEASES,
	  { { .safe = &quoted, .proof = "aa" }, FITS, FITS, FITS, FITS }, { { 0 } }, true, 5,
	  "\t{Proof{\"590\\\"\\n\\\\\", \"aa\"}, " },
};

REPORT_TEST(a_version_map_is_written)
{
	for (size_t i = 0; i < COUNT(maps); i++) {
		struct history_graph of = { maps[i].releases, 0, &edge, 1 };
		struct ranges_version used[MOST];
		const struct ranges ranges = { .graph = &of, .table = &table, .versions = used };
		const struct ranges_report report = { "toy", "x86_64-linux-gnu", &ranges, maps[i].proofs };

		while (of.version_count < MOST && maps[i].releases[of.version_count].version)
			of.version_count++;
		memcpy(used, maps[i].used, sizeof(used));
		fact = maps[i].fact;
		strbuf_reset(&out);
		assert_int_equal(report_version_map(&out, &report, maps[i].is_go), maps[i].count);
		assert_has(maps[i].has);
	}
}
