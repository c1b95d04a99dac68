/*
 * Tests of a diff as text, Markdown and JSON: of its changes, of flags, and of the verdict above a diff with
 * a table.
 *
 * A row of a table has two documents (abi/document_test.h), the style of the output, and lines that the
 * output has. proxy's table forwards CMD_A, and reads struct A (fixture_test.h).
 */
#include "abi/document_test.h"
#include "report/fixture_test.h"
#include "report/internal.h"

#define A4 "struct A 4 { NvHandle handle@0 handle } "
#define A8 "struct A 8 { NvHandle handle@0 handle; NvU32 flags@4 } "
#define CMD_A "ioctl CMD_A 0x801 A "
#define CMD_A_MOVED "ioctl CMD_A 0x802 A "
#define CMD_B "struct B 4 { NvU32 b@0 } ioctl CMD_B 0x903 B +privileged "
#define CMD_B_MOVED "struct B 4 { NvU32 b@0 } ioctl CMD_B 0x904 B +privileged "
#define FOUR(a, b, c, d) "{ NvU32 a@" #a "; NvU32 b@" #b "; NvU32 c@" #c "; NvU32 d@" #d " } "
#define JSON NULL

static struct arena arena;

static int release(void **state)
{
	arena_release(&arena);
	return end_test(state);
}

/* Renders the diff of two documents. @style: JSON, or a style */
static void render(const char *before, const char *after, const struct table_view *as,
		   const struct report_style *style, const char *record, unsigned classes)
{
	const struct diff_options options = { .view = as };
	struct diff_report report = { .record = record, .classes = classes };
	struct diff diff;
	struct err err;

	if (diff_documents(&diff, document_of_version("1.0", before, &arena),
			   document_of_version("2.0", after, &arena), &options, &arena, &err))
		fail_msg("%s: %s", fact, err.text);
	report.diff = &diff;
	strbuf_reset(&out);
	if (style)
		report_diff(&out, &report, style);
	else
		report_diff_json(&out, &report);
}

/* @has: texts that the output has, or, after a "-", does not have (assert_has_all()) */
static const struct {
	const char *fact, *base, *next;
	const struct report_style *style;
	const struct table_view *view;
	const char *record;
	unsigned classes;
	const char *is, *has[4];
} rows[] = {
	{ "text without a change is one line", A4, A4, &plain,
	  .is = "d 1.0 -> 2.0  (x86_64-linux-gnu)\n  no difference\n" },
	{ "text without a change names the classes and the glob that selected the changes", A4, A4, &plain,
	  .record = "A*", .classes = DIFF_GROWTH | DIFF_REMOVED,
	  .is = "d 1.0 -> 2.0  (x86_64-linux-gnu)\n"
		"  only changes of class growth, removed in A*\n"
		"  no such difference\n" },
	{ "text with changes does, too", A4, A8, &plain, .classes = DIFF_GROWTH,
	  .has = { "(x86_64-linux-gnu)\n  only changes of class growth\n  record        1 changed" } },
	{ "a record that grew has its sizes, its new field, and a row in the summary", A4, A8, &plain,
	  .is = "d 1.0 -> 2.0  (x86_64-linux-gnu)\n"
		"  record        1 changed     0 added     0 removed\n"
		"\n"
		"Changed ioctls and records\n"
		"  [growth] struct A  4 -> 8 bytes\n"
		"    a.h:1:A\n"
		"    +      4  flags         NvU32\n" },
	{ "a field that moved has its old offset", "struct A 12 { NvU32 flags@8 }",
	  "struct A 12 { NvU32 flags@4 }",
	  &plain, .has = { "    ~      4  flags         NvU32  (moved from 8)\n" } },
	{ "fields that moved together are one line", "struct A 20 " FOUR(0, 4, 8, 12),
	  "struct A 20 " FOUR(4, 8, 12, 16), &plain,
	  .has = { "    ~      4  4 fields, a to d  (moved by +4)\n" } },
	{ "fields that moved together are several lines with -v", "struct A 20 " FOUR(0, 4, 8, 12),
	  "struct A 20 " FOUR(4, 8, 12, 16), &verbose,
	  .has = { "    ~      4  a             NvU32  (moved from 0)\n    ~      8  b " } },
	{ "an ioctl with a different number has both", CMD_A A4, CMD_A_MOVED A4, &plain,
	  .has = { "  [number] control CMD_A  0x802  (was 0x801)  A\n" } },
	{ "a record lists the ioctls that carry it",
	  A8 "struct OUTER 8 { A a@0+8 } ioctl CMD_A 0x801 OUTER",
	  "struct A 8 { NvHandle handle@0 handle; NvS32 flags@4 } struct OUTER 8 { A a@0+8 } ioctl CMD_A "
	  "0x801 OUTER",
	  &plain, .has = { "    in    control CMD_A through OUTER\n" } },
	{ "with a table, forwarded items have a heading", CMD_A CMD_B A4, CMD_A CMD_B_MOVED A8, &plain, &view,
	  .has = { "  proxy as of its node 1.0: 1 entry\n",
		   "What proxy names or reads, and may have to adapt to: 1 change\n  [growth] struct A",
		   "What proxy does not forward: 1 change of ioctls and records (-v lists them)\n" } },
	{ "other items are listed if the changes are selected", CMD_A CMD_B A4, CMD_A CMD_B_MOVED A8, &plain,
	  &view,
	  "*", .has = { "What proxy does not forward: ioctls and records\n  [number] control CMD_B" } },
	{ "other items are listed with -v", CMD_A CMD_B A4, CMD_A CMD_B_MOVED A8, &verbose, &view,
	  .has = { "What proxy does not forward: ioctls and records\n  [number] control CMD_B" } },
	{ "changes that the proxy reads are in one section", CMD_A A4, CMD_A_MOVED A8, &plain, &view,
	  .has = { "What proxy names or reads, and may have to adapt to: 2 changes\n"
		   "  [number] control CMD_A  0x802  (was 0x801)  A\n\n  [growth] struct A  4 -> 8 "
		   "bytes\n" } },
	{ "changes of flags alone are counted", CMD_A "+privileged " A4, CMD_A "+privileged +cacheable " A4,
	  &plain, .has = { "1 ioctl changed only in flags that are not privileges (-v lists them)\n" } },
	{ "changes of flags alone are listed with -v", CMD_A "+privileged " A4,
	  CMD_A "+privileged +cacheable " A4, &verbose, .has = { "  [flags] control CMD_A  0x801  A\n" } },
	{ "a control character in a name is escaped", "struct A\033[2J 4 { NvU32 a@0 }",
	  "struct A\033[2J 8 { NvU32 a@0; NvU32 b@4 }", &plain, .has = { "struct A\\x1b[2J  4 -> 8 bytes" } },
	{ "colours are around words", A4, A8, &colored,
	  .has = { "  \033[32m[growth]\033[0m struct \033[1mA\033[0m  4 -> 8 bytes\n" } },
	{ "translation and layout have different colours",
	  "struct A 4 { NvU32 a@0 } struct B 12 { NvU32 b@0 }",
	  "struct A 4 { NvU32 a@0 fd } struct B 12 { NvU32 b@4 }", &colored,
	  .has = { "  \033[1;31m[translation]\033[0m ", "  \033[35m[layout]\033[0m " } },
	{ "the label of the ioctls that carry a record is dim", CMD_A A4, CMD_A A8, &colored,
	  .has = { "    \033[2min    \033[0m\033[2mcontrol\033[0m \033[2mCMD_A\033[0m\n" } },

	{ "Markdown without a change", A4, A4, &markdown,
	  .is = "## d 1.0 → 2.0  (x86_64-linux-gnu)\n\nno difference\n" },
	{ "the head of Markdown has the classes and the glob that selected the changes", A4, A4, &markdown,
	  .record = "A*", .classes = DIFF_GROWTH,
	  .is = "## d 1.0 → 2.0  (x86_64-linux-gnu)\n\nonly changes of class growth in A\\*\n\n"
		"no such difference\n" },
	{ "in Markdown, a record is a paragraph with its fields as a diff", A4, A8, &markdown,
	  .has = { "\n#### struct `A`: growth, 4 → 8 bytes\n\n"
		   "```diff\na.h:1:A\n+      4  flags         NvU32\n" } },
	{ "in Markdown, an ioctl is a row of a table", CMD_A A4, CMD_A_MOVED A4, &markdown,
	  .has = { "\n| what | change | now |\n|---|---|---|\n"
		   "| control `CMD_A` | number | 0x801 -> 0x802; parameters: A |\n" } },
	{ "a bar in a name does not end a cell", "ioctl CMD|A 0x801 -", "ioctl CMD|A 0x802 -", &markdown,
	  .has = { "| control CMD\\|A | number |" } },
	{ "Markdown folds items that the proxy does not forward", CMD_B, CMD_B_MOVED, &markdown, &view,
	  .has = { "<details><summary>What it does not forward: 1 change</summary>\n", "\n</details>\n" } },
	{ "in Markdown, the work to do is open, and follows the verdict", CMD_A A4, CMD_A A8, &markdown,
	  &view, .has = { "**1 forwarded record changed, and proxy reads it**\n\n## d 1.0 → 2.0  (x86_64",
		   "\n### What proxy names or reads, and may have to adapt to: 1 change\n\n"
		   "#### struct `A`: growth, 4 → 8 bytes\n", "-<details>" } },
	{ "a record that changed because of a different one is a line under it",
	  A4 "struct OUTER 4 { A a@0+4 }", A8 "struct OUTER 8 { A a@0+8 }", &markdown,
	  .has = { "\nhence struct OUTER  4 -> 8 bytes\n```\n", "-#### struct `OUTER`" } },

	{ "JSON without a change is an empty list", A4, A4, JSON,
	  .has = { "\"format\": \"drvabi-diff/1\"", "\n \"changes\": [],\n", "-selected_" } },
	{ "JSON has the glob and the classes that selected the changes", A4, A4, JSON, .record = "A*",
	  .classes = DIFF_GROWTH,
	  .has = { "\n \"selected_record\": \"A*\",\n \"selected_classes\": [\"growth\"],\n"
		   " \"changes\"" } },
	{ "in JSON, a record has its classes, sizes and fields", A4, A8, JSON,
	  .has = { "   \"kind\": \"record\",\n"
		   "   \"name\": \"A\",\n"
		   "   \"classes\": [\"growth\"],\n"
		   "   \"proxied\": false,\n"
		   "   \"before\": {\"size\": 4, \"align\": 4, \"is_union\": false, \"source\": "
		   "\"a.h:1:A\"},\n"
		   "   \"after\": {\"size\": 8, \"align\": 4, \"is_union\": false, \"source\": "
		   "\"a.h:1:A\"},\n"
		   "   \"fields\": [\n"
		   "    {\"op\": \"added\", \"path\": \"flags\", \"classes\": [\"growth\"], "
		   "\"after\": {\"path\": \"flags\", \"offset\": 4, \"size\": 4, \"type\": \"NvU32\"}}\n"
		   "   ],\n" } },
	{ "in JSON, an ioctl has both numbers, and with a table the entries that the change affects",
	  CMD_A "+privileged " A4, CMD_A_MOVED "+privileged " A4, JSON, &view,
	  .has = { "   \"before\": {\"number\": 2049, \"params\": \"A\", \"flags\": [\"privileged\"], "
		   "\"source\": \"\"},\n"
		   "   \"after\": {\"number\": 2050, \"params\": \"A\", \"flags\": [\"privileged\"], "
		   "\"source\": \"\"},\n",
		   "   \"entries\": [\n    {\"family\": \"control\", \"name\": \"CMD_A\", \"number\": "
		   "2049}\n   ]\n" } },
};

#define RELEASED_TEST(name) TEST_WITH(name, begin_test, release)

RELEASED_TEST(a_diff_is_rendered)
{
	for (size_t i = 0; i < COUNT(rows); i++) {
		fact = rows[i].fact;
		render(rows[i].base, rows[i].next, rows[i].view, rows[i].style, rows[i].record,
		       rows[i].classes);
		if (rows[i].is)
			assert_rendered(rows[i].is);
		assert_has_all(rows[i].has, COUNT(rows[i].has));
	}
}

/* --- the limit of GitHub --------------------------------------------------------------- */

enum { MANY = 4000 };

RELEASED_TEST(a_long_report_leaves_out_what_the_proxy_does_not_forward)
{
	static struct diff_change changes[MANY];
	struct diff diff = diff_of(changes, MANY);

	for (size_t i = 0; i < MANY; i++)
		changes[i] = a_grew;
	changes[0].proxied = true;
	changes[0].section = DIFF_SECTION_READ;
	diff.view = &view;
	report_diff(&out, report_of(&diff), &markdown);
	assert_true(out.length <= REPORT_DIFF_MARKDOWN_LIMIT);
	assert_true(out.length > REPORT_DIFF_MARKDOWN_LIMIT - 1024);
	assert_has("\nTo fit into 65536 characters, this report leaves out the fields of ");
	assert_has("`run_differ 1.0 2.0 --table TABLE -v` shows all.\n");
	assert_has("\n</details>\n");
	assert_has("#### struct `A`: growth, 4 → 8 bytes\n\n```diff\na.h:1:1\n+      4  flags");
	assert_has("| struct `A` | growth | 4 -> 8 bytes: +flags |\n");
}

RELEASED_TEST(a_large_record_leaves_room_for_the_fields_of_others)
{
	static struct diff_field fields[4000];
	static struct diff_change changes[200];
	struct diff diff = diff_of(changes, COUNT(changes));

	for (size_t i = 0; i < COUNT(fields); i++)
		fields[i] = flags_added;
	for (size_t i = 0; i < COUNT(changes); i++)
		changes[i] = a_grew;
	changes[0].fields = fields;
	changes[0].field_count = COUNT(fields);
	report_diff(&out, report_of(&diff), &markdown);
	assert_true(out.length <= REPORT_DIFF_MARKDOWN_LIMIT);
	assert_has("#### struct `A`: growth");
	assert_has("this report leaves out the fields of 1 change. ");
}

RELEASED_TEST(suppressions_that_are_too_many_are_left_out)
{
	static struct suppression lines[2000];
	static const struct suppressions suppressions = { .path = "accepted", .item = lines, .count = 2000 };
	const struct diff diff = diff_of(&a_grew, 1);
	const struct diff_report report = { .diff = &diff, .suppressions = &suppressions };

	for (size_t i = 0; i < COUNT(lines); i++)
		lines[i] = (struct suppression){ .line = (unsigned)i + 1, .rule_text = "layout",
						 .entry = "UVM_SOMETHING_PARAMS", .versions = "*",
						 .expires_text = "never", .reason = "looked at" };
	report_diff(&out, &report, &markdown);
	assert_true(out.length <= REPORT_DIFF_MARKDOWN_LIMIT);
	assert_has("| unused | `accepted:1` | layout | `UVM_SOMETHING_PARAMS` | \\* | never | looked at |\n");
	assert_has(" more lines are not listed here.\n");
	assert_has("#### struct `A`: growth");
}

RELEASED_TEST(a_version_that_is_too_long_leaves_one_sentence)
{
	static char version[REPORT_DIFF_MARKDOWN_LIMIT];
	struct abi older = { .version = version, .target = "x86_64-linux-gnu", .driver = "demo" };
	struct diff diff = diff_of(&a_grew, 1);

	memset(version, 'V', sizeof(version) - 1);
	diff.base = &older;
	report_diff(&out, report_of(&diff), &markdown);
	assert_rendered("This report does not fit into 65536 characters. "
			"`run_differ` without `--format markdown` shows it.\n");
}

/* --- flags ------------------------------------------------------------------------------- */

static const struct diff_flag privilege[] = {
	{ "non-privileged", DIFF_FLAG_LEVEL, true },  { "privileged", DIFF_FLAG_LEVEL, false },
	{ "internal-only", DIFF_FLAG_CALLER, false }, { "nice", DIFF_FLAG_RIGHT, true },
	{ "cacheable", DIFF_FLAG_OTHER, true },       { "no-gpus-lock", DIFF_FLAG_OTHER, false },
};
static const struct diff_flag long_flags[] = {
	{ "abcdefghijklmnopqrstuvwxy", DIFF_FLAG_OTHER, true },
	{ "abcdefghijklmnopqrstuvwxy", DIFF_FLAG_OTHER, true },
	{ "abcdefghijklmn", DIFF_FLAG_OTHER, true }, /* this word ends in the last column */
	{ "a", DIFF_FLAG_OTHER, true },
};
static const struct diff_flag follows = { "embedded-pointers", DIFF_FLAG_OTHER, true };

static const struct {
	const char *fact;
	const struct diff_flag *flags;
	size_t count;
	const char *access, *other, *text; /* NULL: not checked */
} flag_rows[] = {
	{ "a privilege that replaced a different one is an arrow", privilege, 2,
	  "privileged -> non-privileged", NULL, NULL },
	{ "all other access has a sign, other flags are separate, and text has a line for each", privilege, 6,
	  "privileged -> non-privileged -internal-only +right nice", "+cacheable -no-gpus-lock",
	  "    access: privileged -> non-privileged -internal-only +right nice\n"
	  "    flags: +cacheable -no-gpus-lock\n" },
	{ "a privilege that was only added has a sign", privilege, 1, "+non-privileged", NULL, NULL },
	{ "a line has at most 80 columns", long_flags, 4, "", NULL,
	  "    flags: +abcdefghijklmnopqrstuvwxy +abcdefghijklmnopqrstuvwxy +abcdefghijklmn\n"
	  "           +a\n" },
	{ "without flags there is no line", NULL, 0, "", "", "" },
};

RELEASED_TEST(flags_are_rendered)
{
	struct json_writer writer = { .out = &out };
	struct diff_change change = a_renumbered;

	for (size_t i = 0; i < COUNT(flag_rows); i++) {
		fact = flag_rows[i].fact;
		change.flags = flag_rows[i].flags;
		change.flag_count = flag_rows[i].count;
		report_access_words(&out, &change);
		assert_rendered(flag_rows[i].access);
		strbuf_reset(&out);
		report_flags_words(&out, &change);
		if (flag_rows[i].other)
			assert_rendered(flag_rows[i].other);
		strbuf_reset(&out);
		report_flags_text(&out, &change, &plain);
		if (flag_rows[i].text)
			assert_rendered(flag_rows[i].text);
		strbuf_reset(&out);
	}
	change.flags = privilege;
	change.flag_count = COUNT(privilege);
	json_open_inline_object(&writer);
	json_write_members(&writer, &change, &report_change_flag_fields);
	json_close_object(&writer);
	assert_rendered("{\"access_added\": [\"non-privileged\"], "
			"\"access_removed\": [\"privileged\", \"internal-only\"], "
			"\"rights_added\": [\"nice\"], \"flags_added\": [\"cacheable\"], "
			"\"flags_removed\": [\"no-gpus-lock\"]}");
}

RELEASED_TEST(only_flags_without_an_effect_on_callers_are_folded)
{
	struct diff_change change = { .flags = &privilege[4], .flag_count = 2, .classes = DIFF_FLAGS };

	assert_true(report_only_flags(&change));
	change.classes = DIFF_FLAGS | DIFF_NAME;
	assert_false(report_only_flags(&change));
	change = (struct diff_change){ .flags = &follows, .flag_count = 1, .classes = DIFF_FLAGS };
	assert_false(report_only_flags(&change)); /* the driver follows pointers now */
}

/* --- the verdict --------------------------------------------------------------------------- */

static const struct table_node newer = { .version = "1.9" };

#define SIX { .changes = 6, .records = 6 }
#define NONE_OF_SIX "6 forwarded records changed, and proxy reads none of them"

static const struct {
	const char *fact, *next;     /* the version of the next document */
	struct ranges_choice choice; /* without a version: there is none */
	struct diff_totals totals;
	const char *verdict;
} verdicts[] = {
	{ "a node that fits is named", "2.0",
	  { .version = "2.0", .is_known = true, .node = &node, .follows = &node }, SIX,
	  "2.0 can use the node of 1.0: " NONE_OF_SIX },
	{ "a version may have a node of its own", "1.0",
	  { .version = "1.0", .is_known = true, .is_own = true, .node = &node, .follows = &node }, { 0 },
	  "proxy has a node for 1.0: nothing that proxy forwards changed" },
	{ "another node than that of its ancestor", "2.0",
	  { .version = "2.0", .is_known = true, .fit = RANGES_OTHER, .node = &newer, .follows = &node }, SIX,
	  "2.0 follows the node of 1.0, but can also use that of 1.9: " NONE_OF_SIX },
	{ "a new node is needed if none fits", "2.0",
	  { .version = "2.0", .is_known = true, .fit = RANGES_NEEDS, .follows = &node },
	  { .changes = 14, .records = 14, .read = 4 },
	  "2.0 needs a new node: 14 forwarded records changed, and proxy reads 4 of them" },
	{ "a version older than the table", "0.9",
	  { .version = "0.9", .is_known = true, .fit = RANGES_OLDER, .follows_none = true,
	    .follows = &node }, SIX,
	  "0.9 is older than the table's first node, 1.0, which does not fit: " NONE_OF_SIX },
	{ "an older version may still fit", "0.9",
	  { .version = "0.9", .is_known = true, .follows_none = true, .node = &node, .follows = &node }, SIX,
	  "0.9 can use the node of 1.0, although it is older than the table: " NONE_OF_SIX },
	{ "an unknown node has a reason", "main", { .version = "main", .why = "main is no tag" }, SIX,
	  "It is unknown which node main can use (main is no tag): " NONE_OF_SIX },
	{ "a branch at a tag has both names", "main",
	  { .version = "1.5", .is_known = true, .node = &node, .follows = &node }, { 0 },
	  "main is 1.5; 1.5 can use the node of 1.0: nothing that proxy forwards changed" },
	{ "one record is in the singular", "2.0", { 0 }, { .changes = 1, .records = 1, .read = 1 },
	  "1 forwarded record changed, and proxy reads it" },
	{ "records that need a handler and changed ioctls are at the end", "2.0", { 0 },
	  { .changes = 9, .records = 2, .read = 2, .handlers = 1, .removed = 1, .renumbered = 2 },
	  "2 forwarded records changed, and proxy reads all of them; 1 unread record needs a handler; "
	  "1 forwarded ioctl is removed; "
	  "2 forwarded ioctls have a different number, parameter record or argument" },
};

RELEASED_TEST(the_verdict_is_one_sentence)
{
	struct diff diff = diff_of(NULL, 0);

	diff.view = &view;
	for (size_t i = 0; i < COUNT(verdicts); i++) {
		const struct abi named = { .version = verdicts[i].next };
		const struct diff_report report = {
			.diff = &diff, .choice = verdicts[i].choice.version ? &verdicts[i].choice : NULL
		};

		fact = verdicts[i].fact;
		diff.next = &named;
		diff.totals = verdicts[i].totals;
		strbuf_reset(&out);
		report_verdict(&out, &report);
		assert_rendered(verdicts[i].verdict);
	}
}

RELEASED_TEST(the_proof_names_each_entry_once)
{
	const struct verify_finding fresh[] = { { .entry = "CMD_A" }, { .entry = "CMD_A" },
						{ .entry = "CMD_B" } };
	const struct ranges_choice choice = { .version = "2.0", .is_known = true, .fit = RANGES_NEEDS,
					      .follows = &node, .fresh = fresh, .fresh_count = 3 };
	struct diff diff = diff_of(NULL, 0);

	diff.view = &view;
	report_verdict_proof(&out, &(struct diff_report){ .diff = &diff, .choice = &choice });
	assert_rendered("With node 1.0, verify has 3 findings that it does not have at 1.0, in CMD_A, CMD_B");
}
