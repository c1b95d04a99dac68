/* Tests of verify's result in all its formats. */
#include "report/fixture_test.h"

static const struct verify_finding finding = { VERIFY_SIZE, "control", "CMD_A", "A", "",
					       { .present = true, .size_bytes = 8, .type = "A" },
					       { .present = true, .size_bytes = 4, .type = "AParams" },
					       "8 bytes, not 4", false };
static const struct verify_finding warning = { .rule = VERIFY_KERNEL_POINTER, .family = "control",
					       .entry = "CMD_A", .record = "A", .path = "p",
					       .message = "an address" };
static const struct verify_finding not_seen = { .rule = VERIFY_MISSING_RECORD, .family = "control",
						.entry = "CMD_A", .record = "A", .path = "",
						.message = "no record", .unseen = true };
static const struct verify_finding not_there = { .rule = VERIFY_LACKING, .family = "version", .entry = "2.0",
						 .record = "", .path = "",
						 .message = "not in the repository" };
static const struct suppression our_lab = { .expires_text = "2027-01-31", .reason = "our lab has it" };
static const struct suppressed taken = { &not_there, &our_lab };

#define CHECKED .view = &view, .abi = &next, .entry_count = 1, .struct_count = 1, .scalar_count = 2
#define UNAVAILABLE \
	.version = "2.0", .supported = true, .status = VERIFY_UNAVAILABLE, \
	.reason = "not in the repository", .to_do = "fetch it"

/* The states of a version. A version that is warned passes: the rule of its finding does not fail the run. */
static const struct verify_version
	passing = { .version = "2.0", .supported = true, .result = { CHECKED } },
	failing = { .version = "2.0", .supported = true, .status = VERIFY_FAIL, .failing = 1,
		    .result = { CHECKED, .findings = &finding, .finding_count = 1 } },
	unseen = { .version = "2.0", .supported = true,
		   .result = { CHECKED, .unseen = &not_seen, .unseen_count = 1 } },
	warned = { .version = "2.0", .supported = true,
		   .result = { CHECKED, .findings = &warning, .finding_count = 1 } },
	unavailable = { UNAVAILABLE },
	failing_unavailable = { UNAVAILABLE, .failing = 1,
				.result = { .view = &view, .findings = &not_there, .finding_count = 1 } },
	accepted_unavailable = { UNAVAILABLE, .result = { .view = &view, .findings = &not_there },
				 .suppressed = &taken, .suppressed_count = 1 };

#define ACCEPTING "unavailable * 2.0 YYYY-MM-DD REASON\n"

static void render(const struct verify_version *version, enum verify_format format)
{
	struct verify_report report = { .table = &table, .versions = version, .version_count = 1 };

	report.fails[VERIFY_SIZE] = true;
	report.fails[VERIFY_LACKING] = version->failing && version->status == VERIFY_UNAVAILABLE;
	report_verify(&out, &report, format, &plain);
}

/* One version in one format. @is: the whole output; @has: lines of it; @absent: text that it does not have */
static const struct {
	const char *fact;
	const struct verify_version *version;
	enum verify_format format;
	const char *is, *has, *absent;
} one_version[] = {
	{ "text has a line for each version and each finding", &failing, VERIFY_TEXT,
	  .is = "proxy (r1) against the driver\n"
		"  1 of 1 version checked: 0 pass, 1 fail, 0 unavailable\n"
		"  status  version    entries structs fields findings unchecked  node\n"
		"  fail    2.0              1       1      2        1         0  1.0\n"
		"\n"
		"Findings: 1 entry\n"
		"  size                control CMD_A\n"
		"      8 bytes, not 4\n" },
	{ "a version that passes is one line", &passing, VERIFY_TEXT,
	  .has = "\n  pass    2.0              1       1      2        0         0  1.0\n" },
	{ "text says why a version is unavailable", &unavailable, VERIFY_TEXT,
	  .has = "  0 of 1 version checked: 0 pass, 0 fail, 1 unavailable\n"
		 "  - 2.0 is unavailable: not in the repository\n"
		 "  To check the unavailable versions, fetch it.\n" },
	{ "a finding in JSON has both sides", &failing, VERIFY_JSON,
	  .has = "    {\"rule\": \"size\", \"family\": \"control\", \"entry\": \"CMD_A\", \"record\": \"A\", "
		 "\"path\": \"\", \"driver\": {\"offset\": 0, \"size\": 8, \"type\": \"A\"}, "
		 "\"proxy\": {\"offset\": 0, \"size\": 4, \"type\": \"AParams\"}, "
		 "\"message\": \"8 bytes, not 4\"}\n" },
	{ "JSON of a version without source has the reason", &unavailable, VERIFY_JSON,
	  .has = "   \"status\": \"unavailable\",\n"
		 "   \"reason\": \"not in the repository\",\n"
		 "   \"to_do\": \"fetch it\",\n"
		 "   \"suppressed\": [],\n"
		 "   \"findings\": []\n" },
	{ "JSON has totals", &failing, VERIFY_JSON,
	  .has = "\"summary\": {\"versions\": 1, \"checked\": 1, \"pass\": 0, \"fail\": 1, "
		 "\"unavailable\": 0, \"not_checked\": 0}" },
	{ "JUnit skips an entry that cannot be checked", &unseen, VERIFY_JUNIT,
	  .has = "<skipped message=\"not checked: no record\"" },
	{ "JUnit has a failure for the entry", &failing, VERIFY_JUNIT,
	  .has = "    <testcase classname=\"proxy.2.0\" name=\"control CMD_A\" file=\"t.json\" time=\"0\">\n"
		 "      <failure type=\"size\" message=\"8 bytes, not 4\">size: 8 bytes, not 4\n"
		 "</failure>\n"
		 "    </testcase>\n" },
	{ "JUnit of a version that passes has no failure", &passing, VERIFY_JUNIT,
	  .has = "  <testsuite name=\"2.0\" tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"0\" "
		 "time=\"0\">\n",
	  .absent = "<failure" },
	{ "JUnit skips a version without source", &unavailable, VERIFY_JUNIT,
	  .has = "      <skipped message=\"not in the repository; to check it, fetch it\"/>\n" },
	{ "SARIF has a result for the finding", &failing, VERIFY_SARIF,
	  .has = "\"message\": {\"text\": \"control CMD_A: 8 bytes, not 4 (2.0)\"}" },
	{ "a fingerprint in SARIF has neither versions nor sizes", &failing, VERIFY_SARIF,
	  .has = "{\"drvabiFinding/v2\": \"size/control/CMD_A/A//1.0\"}" },
	{ "SARIF names a version without source", &unavailable, VERIFY_SARIF,
	  .has = "2.0 is unavailable: not in the repository; to check it, fetch it" },
	{ "Markdown has a table of versions and one of findings", &failing, VERIFY_MARKDOWN,
	  .is = "## proxy (r1) against the driver\n"
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
		"| size | control `CMD_A` | 8 bytes, not 4 |  |\n" },
	{ "a finding of a rule that does not fail the run says so", &warned, VERIFY_MARKDOWN,
	  .has = "| kernel-pointer | control `CMD_A` | an address (does not fail the run) |  |\n" },
	{ "an unavailable version that fails the run: text", &failing_unavailable, VERIFY_TEXT,
	  .has = "  0 of 1 version checked: 0 pass, 0 fail, 1 unavailable, of which 1 fails the\n  run\n"
		 "  - 2.0 is unavailable: not in the repository; fails the run\n" },
	{ "text has the line that would accept it", &failing_unavailable, VERIFY_TEXT, .has = ACCEPTING },
	{ "Markdown has the line that would accept it", &failing_unavailable, VERIFY_MARKDOWN,
	  .has = ACCEPTING },
	{ "an unavailable version that fails the run: JSON", &failing_unavailable, VERIFY_JSON,
	  .has = "{\"rule\": \"unavailable\", \"family\": \"version\", \"entry\": \"2.0\", " },
	{ "an unavailable version that fails the run: Markdown", &failing_unavailable, VERIFY_MARKDOWN,
	  .has = "- 2.0 is unavailable: not in the repository; **fails the run**\n" },
	{ "an unavailable version that fails the run: JUnit", &failing_unavailable, VERIFY_JUNIT,
	  .has = "<failure type=\"unavailable\" message=\"not in the repository\">" },
	{ "an unavailable version that fails the run: SARIF", &failing_unavailable, VERIFY_SARIF,
	  .has = "\"ruleId\": \"unavailable\"," },
	{ "an unavailable version that fails the run: GitHub", &failing_unavailable, VERIFY_GITHUB,
	  .has = ",title=unavailable::version 2.0: not in the repository (2.0)\n" },
	{ "an unavailable version that is accepted: text", &accepted_unavailable, VERIFY_TEXT,
	  .has = "1 unavailable, of which 1 is accepted\n"
		 "  - 2.0 is unavailable: not in the repository; accepted until 2027-01-31: our\n    lab "
		 "has it\n" },
	{ "an unavailable version that is accepted: JSON", &accepted_unavailable, VERIFY_JSON,
	  .has = "\"unavailable\": 1," },
	{ "an unavailable version that is accepted: Markdown", &accepted_unavailable, VERIFY_MARKDOWN,
	  .has = "- 2.0 is unavailable: not in the repository; accepted until 2027-01-31: our lab has it\n" },
	{ "an unavailable version that is accepted: JUnit", &accepted_unavailable, VERIFY_JUNIT,
	  .has = "      <skipped message=\"not in the repository; to check it, fetch it\"/>\n" },
	{ "an unavailable version that is accepted: SARIF", &accepted_unavailable, VERIFY_SARIF,
	  .has = "2.0 is unavailable: not in the repository; to check it, fetch it" },
};

REPORT_TEST(a_version_is_rendered_in_each_format)
{
	for (size_t i = 0; i < COUNT(one_version); i++) {
		fact = one_version[i].fact;
		strbuf_reset(&out);
		render(one_version[i].version, one_version[i].format);
		if (one_version[i].is)
			assert_rendered(one_version[i].is);
		if (one_version[i].has)
			assert_has(one_version[i].has);
		if (one_version[i].absent)
			assert_lacks(one_version[i].absent);
	}
}

REPORT_TEST(sarif_has_one_result_for_a_finding_of_two_versions)
{
	struct verify_version both[] = { failing, failing };
	const struct verify_report report = { .table = &table, .versions = both, .version_count = 2 };

	both[1].version = "1.5";
	report_verify(&out, &report, VERIFY_SARIF, &plain);
	assert_has("\"text\": \"control CMD_A: 8 bytes, not 4 (1.5, 2.0)\"");
	assert_has("\"properties\": {\"versions\": [\"1.5\", \"2.0\"]}");
}

REPORT_TEST(sarif_locates_a_finding_at_its_entry)
{
	struct table_entry placed = entry_of_a;
	const struct table_entry *placed_entries[] = { &placed };
	const struct table_node placed_node = {
		.version = "1.0", .supported = true, .entries = &placed, .entry_count = 1
	};
	const struct table_view placed_view = { &table, &placed_node, placed_entries, 1 };
	struct verify_version version = failing;

	placed.line = 17;
	version.result.view = &placed_view;
	render(&version, VERIFY_SARIF);
	assert_has("{\"uri\": \"t.json\"}, \"region\": {\"startLine\": 17}");
	placed.file = "proxy.h";
	strbuf_reset(&out);
	render(&version, VERIFY_SARIF);
	assert_has("{\"uri\": \"proxy.h\"}, \"region\": {\"startLine\": 17}");
}

REPORT_TEST(what_is_suppressed_in_one_version_only_is_two_results)
{
	struct suppression line = { .line = 3, .rule_text = "size", .versions = "2.0",
				    .expires_text = "never",
				    .entry = "CMD_A", .reason = "known", .used = 1 };
	const struct suppressions lines = { "accepted.txt", &line, 1 };
	const struct suppressed one = { &finding, &line };
	struct verify_version both[] = { failing, passing };
	const struct verify_report report = {
		.table = &table, .versions = both, .version_count = 2, .suppressions = &lines
	};

	both[0].version = "1.5";
	both[1].suppressed = &one;
	both[1].suppressed_count = 1;
	report_verify(&out, &report, VERIFY_SARIF, &plain);
	assert_has(
		"\"size/control/CMD_A/A//1.0\"},\n     \"properties\": {\"versions\": [\"1.5\"]},\n     "
		"\"suppressions\": []");
	assert_has("\"size/control/CMD_A/A//1.0/suppressed\"}");
}

REPORT_TEST(an_expired_line_of_the_suppression_file_fails)
{
	struct suppression line = { .line = 3, .rule_text = "size", .versions = "*",
				    .expires_text = "2026-01-31",
				    .entry = "CMD_A", .reason = "known", .used = 1, .expired = true };
	const struct suppressions lines = { "accepted.txt", &line, 1 };
	const struct verify_report report = {
		.table = &table, .versions = &passing, .version_count = 1, .suppressions = &lines
	};

	report_verify(&out, &report, VERIFY_JUNIT, &plain);
	assert_has("expired");
}

REPORT_TEST(a_suppression_file_has_each_line_below_what_it_accepts)
{
	static const struct verify_finding *const found[] = { &finding };
	const struct acceptance item = { "size", "CMD_A", "2.0", "never", "known", found, 1 };
	const struct acceptances accepted = { &item, 1, 0 };

	report_acceptances(&out, &table, &accepted);
	assert_has("\n# control CMD_A: 8 bytes, not 4\nsize  CMD_A  2.0  never  known\n");
}
