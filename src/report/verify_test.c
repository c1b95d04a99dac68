/* Tests of verify's result in all its formats. */
#include "report/fixture_test.h"

static const struct verify_finding finding = { VERIFY_SIZE,
					       "control",
					       "CMD_A",
					       "A",
					       "",
					       { .present = true, .size_bytes = 8, .type = "A" },
					       { .present = true, .size_bytes = 4, .type = "AParams" },
					       "8 bytes, not 4",
					       false };
static const struct verify_finding warning = { .rule = VERIFY_KERNEL_POINTER,
					       .family = "control",
					       .entry = "CMD_A",
					       .record = "A",
					       .path = "p",
					       .message = "an address" };
static const struct verify_finding not_seen = { .rule = VERIFY_MISSING_RECORD,
						.family = "control",
						.entry = "CMD_A",
						.record = "A",
						.path = "",
						.message = "no record",
						.unseen = true };

static struct verify_version passing(void)
{
	return (struct verify_version){ .version = "2.0",
					.supported = true,
					.status = VERIFY_PASS,
					.result = { .view = &view,
						    .abi = &next,
						    .entry_count = 1,
						    .struct_count = 1,
						    .leaf_count = 2 } };
}

static struct verify_version failing(void)
{
	struct verify_version version = passing();

	version.status = VERIFY_FAIL;
	version.failing = 1;
	version.result.findings = &finding;
	version.result.finding_count = 1;
	return version;
}

static struct verify_version unseen(void)
{
	struct verify_version version = passing();

	version.result.unseen = &not_seen;
	version.result.unseen_count = 1;
	return version;
}

static struct verify_version unavailable(void)
{
	return (struct verify_version){ .version = "2.0",
					.supported = true,
					.status = VERIFY_UNAVAILABLE,
					.reason = "not in the repository",
					.to_do = "fetch it" };
}

static void render(const struct verify_version *version, enum verify_format format)
{
	struct verify_report report = { .table = &table, .versions = version, .version_count = 1 };

	report.fails[VERIFY_SIZE] = true;
	report.fails[VERIFY_LACKING] = version->failing && version->status == VERIFY_UNAVAILABLE;
	report_verify(&out, &report, format, &plain);
}

static void text_has_a_line_for_each_version_and_each_finding(void **state)
{
	struct verify_version version = failing();

	(void)state;
	render(&version, VERIFY_TEXT);
	assert_rendered("proxy (r1) against the driver\n"
			"  1 of 1 version checked: 0 pass, 1 fail, 0 unavailable\n"
			"  status  version    entries structs fields findings unchecked  node\n"
			"  fail    2.0              1       1      2        1         0  1.0\n"
			"\n"
			"Findings: 1 entry\n"
			"  size                control CMD_A\n"
			"      8 bytes, not 4\n");
}

static void text_of_a_version_that_passes_is_one_line(void **state)
{
	struct verify_version version = passing();

	(void)state;
	render(&version, VERIFY_TEXT);
	assert_has("\n  pass    2.0              1       1      2        0         0  1.0\n");
}

static void text_says_why_a_version_is_unavailable(void **state)
{
	struct verify_version version = unavailable();

	(void)state;
	render(&version, VERIFY_TEXT);
	assert_has(
		"  0 of 1 version checked: 0 pass, 0 fail, 1 unavailable\n  - 2.0 is unavailable: not in the repository\n"
		"  To check the unavailable versions, fetch it.\n");
}

/* Returns an unavailable version that is a finding of --strict, or that a suppression accepts. */
static struct verify_version lacking(bool is_accepted)
{
	static const struct verify_finding not_there = { .rule = VERIFY_LACKING,
							 .family = "version",
							 .entry = "2.0",
							 .record = "",
							 .path = "",
							 .message = "not in the repository" };
	static const struct suppression line = { .expires_text = "2027-01-31", .reason = "our lab has it" };
	static const struct suppressed taken = { &not_there, &line };
	struct verify_version version = unavailable();

	version.result = (struct verify_result){ .view = &view,
						 .findings = &not_there,
						 .finding_count = !is_accepted };
	version.failing = !is_accepted;
	version.suppressed = &taken;
	version.suppressed_count = is_accepted;
	return version;
}

static void each_format_says_that_an_unavailable_version_fails_the_run(void **state)
{
	static const char *const said[] = {
		[VERIFY_TEXT] =
			("  0 of 1 version checked: 0 pass, 0 fail, 1 unavailable, of which 1 fails the\n  run\n"
			 "  - 2.0 is unavailable: not in the repository; fails the run\n"),
		[VERIFY_JSON] = "{\"rule\": \"unavailable\", \"family\": \"version\", \"entry\": \"2.0\", ",
		[VERIFY_MARKDOWN] = "- 2.0 is unavailable: not in the repository; **fails the run**\n",
		[VERIFY_JUNIT] = "<failure type=\"unavailable\" message=\"not in the repository\">",
		[VERIFY_SARIF] = "\"ruleId\": \"unavailable\",",
		[VERIFY_GITHUB] = ",title=unavailable::version 2.0: not in the repository (2.0)\n",
	};
	struct verify_version version = lacking(false);

	(void)state;
	for (size_t format = 0; format < sizeof(said) / sizeof(*said); format++) {
		strbuf_reset(&out);
		render(&version, (enum verify_format)format);
		assert_has(said[format]);
		if (format == VERIFY_TEXT || format == VERIFY_MARKDOWN)
			assert_has("unavailable * 2.0 YYYY-MM-DD REASON\n");
	}
}

static void each_format_counts_an_unavailable_version_that_is_accepted(void **state)
{
	static const char *const said[] = {
		[VERIFY_TEXT] =
			("1 unavailable, of which 1 is accepted\n"
			 "  - 2.0 is unavailable: not in the repository; accepted until 2027-01-31: our\n    lab has it\n"),
		[VERIFY_JSON] = "\"unavailable\": 1,",
		[VERIFY_MARKDOWN] =
			"- 2.0 is unavailable: not in the repository; accepted until 2027-01-31: our lab has it\n",
		[VERIFY_JUNIT] =
			"      <skipped message=\"not in the repository; to check it, fetch it\"/>\n",
		[VERIFY_SARIF] = "2.0 is unavailable: not in the repository; to check it, fetch it",
	};
	struct verify_version version = lacking(true);

	(void)state;
	for (size_t format = 0; format < sizeof(said) / sizeof(*said); format++) {
		strbuf_reset(&out);
		render(&version, (enum verify_format)format);
		assert_has(said[format]);
	}
}

static void json_has_the_finding_with_both_sides(void **state)
{
	struct verify_version version = failing();

	(void)state;
	render(&version, VERIFY_JSON);
	assert_has(
		"    {\"rule\": \"size\", \"family\": \"control\", \"entry\": \"CMD_A\", \"record\": \"A\", \"path\": \"\", "
		"\"driver\": {\"offset\": 0, \"size\": 8, \"type\": \"A\"}, "
		"\"proxy\": {\"offset\": 0, \"size\": 4, \"type\": \"AParams\"}, \"message\": \"8 bytes, not 4\"}\n");
}

static void json_of_a_version_without_source_has_the_reason(void **state)
{
	struct verify_version version = unavailable();

	(void)state;
	render(&version, VERIFY_JSON);
	assert_has("   \"status\": \"unavailable\",\n"
		   "   \"reason\": \"not in the repository\",\n"
		   "   \"to_do\": \"fetch it\",\n"
		   "   \"suppressed\": [],\n"
		   "   \"findings\": []\n");
}

static void json_sums_up(void **state)
{
	struct verify_version version = failing();

	(void)state;
	render(&version, VERIFY_JSON);
	assert_has(
		"\"summary\": {\"versions\": 1, \"checked\": 1, \"pass\": 0, \"fail\": 1, \"unavailable\": 0, \"not_checked\": 0}");
}

static void junit_skips_what_cannot_be_checked(void **state)
{
	struct verify_version version = unseen();

	(void)state;
	render(&version, VERIFY_JUNIT);
	assert_has("<skipped message=\"not checked: no record\"");
}

static void junit_has_a_failure_for_the_entry(void **state)
{
	struct verify_version version = failing();

	(void)state;
	render(&version, VERIFY_JUNIT);
	assert_has(
		"    <testcase classname=\"proxy.2.0\" name=\"control CMD_A\" file=\"t.json\" time=\"0\">\n"
		"      <failure type=\"size\" message=\"8 bytes, not 4\">size: 8 bytes, not 4\n"
		"</failure>\n"
		"    </testcase>\n");
}

static void junit_of_a_version_that_passes_has_no_failure(void **state)
{
	struct verify_version version = passing();

	(void)state;
	render(&version, VERIFY_JUNIT);
	assert_has(
		"  <testsuite name=\"2.0\" tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"0\" time=\"0\">\n");
	assert_lacks("<failure");
}

static void junit_skips_a_version_without_source(void **state)
{
	struct verify_version version = unavailable();

	(void)state;
	render(&version, VERIFY_JUNIT);
	assert_has("      <skipped message=\"not in the repository; to check it, fetch it\"/>\n");
}

static void sarif_has_a_result_for_the_finding(void **state)
{
	struct verify_version version = failing();

	(void)state;
	render(&version, VERIFY_SARIF);
	assert_has("\"message\": {\"text\": \"control CMD_A: 8 bytes, not 4 (2.0)\"}");
}

static void sarif_has_one_result_for_a_finding_of_two_versions(void **state)
{
	struct verify_version both[] = { failing(), failing() };
	const struct verify_report report = { .table = &table, .versions = both, .version_count = 2 };

	(void)state;
	both[1].version = "1.5";
	report_verify(&out, &report, VERIFY_SARIF, &plain);
	assert_has("\"text\": \"control CMD_A: 8 bytes, not 4 (1.5, 2.0)\"");
	assert_has("\"properties\": {\"versions\": [\"1.5\", \"2.0\"]}");
}

static void sarif_locates_a_finding_at_its_entry(void **state)
{
	struct table_entry placed = entry_of_a;
	const struct table_entry *placed_entries[] = { &placed };
	const struct table_node placed_node = {
		.version = "1.0", .supported = true, .entries = &placed, .entry_count = 1
	};
	const struct table_view placed_view = { &table, &placed_node, placed_entries, 1 };
	struct verify_version version = failing();

	(void)state;
	placed.line = 17;
	version.result.view = &placed_view;
	render(&version, VERIFY_SARIF);
	assert_has("{\"uri\": \"t.json\"}, \"region\": {\"startLine\": 17}");
	placed.file = "proxy.h";
	strbuf_reset(&out);
	render(&version, VERIFY_SARIF);
	assert_has("{\"uri\": \"proxy.h\"}, \"region\": {\"startLine\": 17}");
}

static void the_fingerprint_names_neither_versions_nor_sizes(void **state)
{
	struct verify_version version = failing();

	(void)state;
	render(&version, VERIFY_SARIF);
	assert_has("{\"drvabiFinding/v2\": \"size/control/CMD_A/A//1.0\"}");
}

static void what_is_suppressed_in_one_version_only_is_two_results(void **state)
{
	struct suppression line = { .line = 3,
				    .rule_text = "size",
				    .versions = "2.0",
				    .expires_text = "never",
				    .entry = "CMD_A",
				    .reason = "known",
				    .used = 1 };
	const struct suppressions lines = { "accepted.txt", &line, 1 };
	const struct suppressed one = { &finding, &line };
	struct verify_version both[] = { failing(), passing() };
	const struct verify_report report = {
		.table = &table, .versions = both, .version_count = 2, .suppressions = &lines
	};

	(void)state;
	both[0].version = "1.5";
	both[1].suppressed = &one;
	both[1].suppressed_count = 1;
	report_verify(&out, &report, VERIFY_SARIF, &plain);
	assert_has(
		"\"size/control/CMD_A/A//1.0\"},\n     \"properties\": {\"versions\": [\"1.5\"]},\n     \"suppressions\": []");
	assert_has("\"size/control/CMD_A/A//1.0/suppressed\"}");
}

static void sarif_notes_a_version_without_source(void **state)
{
	struct verify_version version = unavailable();

	(void)state;
	render(&version, VERIFY_SARIF);
	assert_has("2.0 is unavailable: not in the repository; to check it, fetch it");
}

static void markdown_has_a_table_of_versions_and_one_of_findings(void **state)
{
	struct verify_version version = failing();

	(void)state;
	render(&version, VERIFY_MARKDOWN);
	assert_rendered("## proxy (r1) against the driver\n"
			"\n"
			"**1 of 1 version checked: 0 pass, 1 fail, 0 unavailable**\n"
			"\n"
			"| status | version | entries | structs | fields | findings | unchecked | node |\n"
			"|---|---|---:|---:|---:|---:|---:|---|\n"
			"| **fail** | 2.0 | 1 | 1 | 2 | 1 | 0 | 1.0 |\n"
			"\n"
			"### Findings: 1 entry\n"
			"\n"
			"| rule | entry | what | versions |\n"
			"|---|---|---|---|\n"
			"| size | control `CMD_A` | 8 bytes, not 4 |  |\n");
}

static void a_finding_of_a_rule_that_does_not_fail_says_so(void **state)
{
	struct verify_version version = failing();

	(void)state;
	version.result.findings = &warning;
	version.status = VERIFY_PASS;
	version.failing = 0;
	render(&version, VERIFY_MARKDOWN);
	assert_has("| kernel-pointer | control `CMD_A` | an address (does not fail the run) |  |\n");
}

static void an_expired_line_of_the_suppression_file_fails(void **state)
{
	struct suppression line = { .line = 3,
				    .rule_text = "size",
				    .versions = "*",
				    .expires_text = "2026-01-31",
				    .entry = "CMD_A",
				    .reason = "known",
				    .used = 1,
				    .expired = true };
	const struct suppressions lines = { "accepted.txt", &line, 1 };
	struct verify_version version = passing();
	const struct verify_report report = {
		.table = &table, .versions = &version, .version_count = 1, .suppressions = &lines
	};

	(void)state;
	report_verify(&out, &report, VERIFY_JUNIT, &plain);
	assert_has("expired");
}

static void a_suppression_file_has_each_line_below_what_it_accepts(void **state)
{
	static const struct verify_finding *const found[] = { &finding };
	const struct acceptance item = { "size", "CMD_A", "2.0", "never", "known", found, 1 };
	const struct acceptances accepted = { &item, 1, 0 };

	(void)state;
	report_acceptances(&out, &table, &accepted);
	assert_has("\n# control CMD_A: 8 bytes, not 4\nsize  CMD_A  2.0  never  known\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(text_has_a_line_for_each_version_and_each_finding),
		TEST(text_of_a_version_that_passes_is_one_line),
		TEST(text_says_why_a_version_is_unavailable),
		TEST(each_format_says_that_an_unavailable_version_fails_the_run),
		TEST(each_format_counts_an_unavailable_version_that_is_accepted),
		TEST(json_has_the_finding_with_both_sides),
		TEST(json_of_a_version_without_source_has_the_reason),
		TEST(json_sums_up),
		TEST(junit_skips_what_cannot_be_checked),
		TEST(junit_has_a_failure_for_the_entry),
		TEST(junit_of_a_version_that_passes_has_no_failure),
		TEST(junit_skips_a_version_without_source),
		TEST(sarif_has_a_result_for_the_finding),
		TEST(sarif_has_one_result_for_a_finding_of_two_versions),
		TEST(sarif_locates_a_finding_at_its_entry),
		TEST(the_fingerprint_names_neither_versions_nor_sizes),
		TEST(what_is_suppressed_in_one_version_only_is_two_results),
		TEST(sarif_notes_a_version_without_source),
		TEST(markdown_has_a_table_of_versions_and_one_of_findings),
		TEST(a_finding_of_a_rule_that_does_not_fail_says_so),
		TEST(an_expired_line_of_the_suppression_file_fails),
		TEST(a_suppression_file_has_each_line_below_what_it_accepts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
