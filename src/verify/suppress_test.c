/*
 * Tests of the suppression file: parsing, and which findings its lines cover. The command-line tests cover
 * the rest.
 */
#include "verify/fixture_test.h"

enum { TODAY = 20231114 };

static struct suppressions lines;

static int parse(const char *text)
{
	return suppressions_parse(&lines, text, "f", TODAY, NULL, &arena, &err);
}

/* Adds "3 size CMD_B 1.0..2.0 20240229 used 2 reason": a line's number, words, date, state and uses. */
static void add_lines(struct strbuf *out)
{
	for (size_t i = 0; i < lines.count; i++) {
		const struct suppression *one = &lines.item[i];

		strbuf_addf(out, "\n%u %s %s %s..%s %u%s%s%s used %zu %s", one->line, one->rule_text, one->entry,
			    one->first, one->last, one->expires, one->expired ? " expired" : "",
			    one->unexplained ? " unexplained" : "", one->untried ? " untried" : "", one->used,
			    one->reason);
	}
}

/*
 * Adds "1.0: CMD_A 2, CMD_B left": the number of the line that suppresses each finding of a version. The
 * findings are number of CMD_A, size of CMD_B, and the unseen number of CMD_C. "!1.0" means that the version
 * is unavailable.
 */
static void add_suppressed(struct strbuf *out, const char *version)
{
	static const struct verify_finding three[] = {
		{ .rule = VERIFY_NUMBER, .family = "control", .entry = "CMD_A", .path = "", .message = "" },
		{ .rule = VERIFY_SIZE, .family = "control", .entry = "CMD_B", .path = "o[].b",
		  .message = "" },
		{ .rule = VERIFY_NUMBER, .family = "control", .entry = "CMD_C", .path = "", .message = "",
		  .unseen = true },
	};
	struct verify_result result = { .findings = three, .finding_count = 2, .unseen_count = 1 };
	const struct suppressed *gone;
	const char *separator = ":";
	size_t count;

	strbuf_addf(out, "\n%s", version);
	if (*version == '!')
		verify_lacking(&result, NULL, ++version, "not in the repository", &arena);
	count = suppressions_apply(&gone, &result, &lines, version, &arena);
	for (size_t i = 0; i < count; i++, separator = ",")
		strbuf_addf(out, "%s %s %u", separator, gone[i].finding->entry, gone[i].by->line);
	for (size_t i = 0; i < result.finding_count; i++, separator = ",")
		strbuf_addf(out, "%s %s left", separator, result.findings[i].entry);
	for (size_t i = 0; i < result.unseen_count; i++, separator = ",")
		strbuf_addf(out, "%s %s left", separator, result.unseen[i].entry);
}

#define ALL_LEFT ": CMD_A left, CMD_B left, CMD_C left\n"
#define BY_LINE_1 ": CMD_A 1, CMD_B 1, CMD_C 1\n"
#define NO_VERSION(word) \
	"error: f:1: '" word "' does not say which unavailable versions are accepted; " \
	"name one, or FIRST..LAST"

/* A file, the versions to which it is applied, and the suppressed findings and all lines, or the error. */
static const struct {
	const char *fact, *file, *versions, *result;
} facts[] = {
	{ "a line has five words; U+FEFF and CR LF are ignored",
	  "\xef\xbb\xbfsize CMD_B 1.0..2.0 2024-02-29 a reason of many words\r\n", "",
	  "1 size CMD_B 1.0..2.0 20240229 used 0 a reason of many words" },
	{ "the last line needs no newline", "# one\n\nsize * * never x", "", "3 size * .. 0 used 0 x" },
	{ "an empty file suppresses nothing", "", "1.0", "1.0: CMD_A left, CMD_B left, CMD_C left" },
	{ "an unavailable version is accepted by its name, until a date",
	  "unavailable * 1.0..2.0 2024-06-30 x\n", "!1.5 !2.1 1.5",
	  "!1.5: 1.5 1\n"
	  "!2.1: 2.1 left\n"
	  "1.5" ALL_LEFT "1 unavailable * 1.0..2.0 20240630 used 1 x" },
	{ "no other line accepts an unavailable version", "* * * never x\n* * 1.0 2024-06-30 x\n", "!1.0",
	  "!1.0: 1.0 left\n"
	  "1 * * .. 0 used 0 x\n"
	  "2 * * 1.0..1.0 20240630 used 0 x" },
	{ "an unavailable version is not accepted for ever", "unavailable * 1.0 never x", "",
	  "error: f:1: an unavailable version cannot be accepted forever; give a date instead of \"never\"" },
	{ "nor without its name", "unavailable * * 2024-06-30 x", "", NO_VERSION("*") },
	{ "nor without an end", "unavailable * 1.0.. 2024-06-30 x", "", NO_VERSION("1.0..") },
	{ "nor without a start", "unavailable * ..1.0 2024-06-30 x", "", NO_VERSION("..1.0") },
	{ "both rule and entry have to match", "size CMD_A * never x\nnumber CMD_B * never x\n", "1.0",
	  "1.0" ALL_LEFT "1 size CMD_A .. 0 used 0 x\n"
	  "2 number CMD_B .. 0 used 0 x" },
	{ "a line can name the fields of an entry", "* CMD_?:o*.a,o*.b * never x\n", "1.0",
	  "1.0: CMD_B 1, CMD_A left, CMD_C left\n"
	  "1 * CMD_?:o*.a,o*.b .. 0 used 1 x" },
	{ "other fields are not accepted", "size CMD_B:o,b,O*,o.b * never x\n", "1.0",
	  "1.0" ALL_LEFT "1 size CMD_B:o,b,O*,o.b .. 0 used 0 x" },
	{ "an empty field is a finding about the whole entry", "* *:,x * never x\n", "1.0",
	  "1.0: CMD_A 1, CMD_C 1, CMD_B left\n"
	  "1 * *:,x .. 0 used 2 x" },
	{ "a range includes its ends, and versions are compared as numbers", "* * 9.5..10.40 never x\n",
	  "9.4 9.5 10.9 10.40 10.41",
	  "9.4" ALL_LEFT "9.5" BY_LINE_1 "10.9" BY_LINE_1 "10.40" BY_LINE_1 "10.41" ALL_LEFT
	  "1 * * 9.5..10.40 0 used 9 x" },
	{ "a number without a dot matches all versions that begin with it", "* * 9..10 never x\n",
	  "8.9 9.1 10.40.2 100.1",
	  "8.9" ALL_LEFT "9.1" BY_LINE_1 "10.40.2" BY_LINE_1 "100.1" ALL_LEFT "1 * * 9..10 0 used 6 x" },
	{ "also if it is the only one", "* * 10 never x\n", "10.40 11.0",
	  "10.40" BY_LINE_1 "11.0" ALL_LEFT "1 * * 10..10 0 used 3 x" },
	{ "a number with a dot does not", "* * 10.4 never x\n", "10.4 10.4.1",
	  "10.4" BY_LINE_1 "10.4.1" ALL_LEFT "1 * * 10.4..10.4 0 used 3 x" },
	{ "a range can end inside a number without a dot", "* * 10.4..10 never x\n", "10.3 10.5",
	  "10.3" ALL_LEFT "10.5" BY_LINE_1 "1 * * 10.4..10 0 used 3 x" },
	{ "the first line that matches suppresses a finding", "* CMD_A * never x\nnumber CMD_A * never y\n",
	  "1.0",
	  "1.0: CMD_A 1, CMD_B left, CMD_C left\n"
	  "1 * CMD_A .. 0 used 1 x\n"
	  "2 number CMD_A .. 0 used 0 y" },
	{ "an unseen finding is suppressed like others", "number CMD_C * never x\n", "1.0",
	  "1.0: CMD_C 1, CMD_A left, CMD_B left\n"
	  "1 number CMD_C .. 0 used 1 x" },
	{ "a line applies until the end of its date", "* CMD_A * 2023-11-14 x\n* CMD_B * 2023-11-13 x\n",
	  "1.0",
	  "1.0: CMD_A 1, CMD_B left, CMD_C left\n"
	  "1 * CMD_A .. 20231114 used 1 x\n"
	  "2 * CMD_B .. 20231113 expired used 0 x" },
	{ "a TODO is not a reason",
	  "* * * never TODO\n* * * never TODO: who?\n* * * never TODOS are done\n* * * never a TODO\n", "",
	  "1 * * .. 0 unexplained used 0 TODO\n"
	  "2 * * .. 0 unexplained used 0 TODO: who?\n"
	  "3 * * .. 0 used 0 TODOS are done\n"
	  "4 * * .. 0 used 0 a TODO" },
};

VERIFY_TEST(lines_and_findings)
{
	size_t wrong = 0;

	for (size_t i = 0; i < COUNT(facts); i++) {
		const char *versions = facts[i].versions, *version;
		struct strbuf text = { 0 };
		const int rc = parse(facts[i].file);

		if (rc) {
			assert_int_equal(rc, ERR_FORMAT);
			strbuf_addf(&text, "error: %s", err.text);
		} else {
			while (*(version = document_word(&versions, &arena)))
				add_suppressed(&text, version);
			add_lines(&text);
		}
		wrong += text_differs(facts[i].fact, &text, facts[i].result);
		end_test(state);
	}
	assert_int_equal(wrong, 0);
}

VERIFY_TEST(lines_that_this_run_did_not_try)
{
	static const struct {
		const char *fact, *file, *table, *compared, *lines;
	} rows[] = {
		{ "a line is untried if the table has its versions, but none of them was compared",
		  "* X 1.0 never x\n* X 3.0.. never x\n* X 1.0..2.0 never x\n"
		  "* X 4.0 never not in the table\n* X 1.0 2001-01-01 expired\n",
		  "node 1.0 { } node 2.0 { } node 3.0 { }", "2.0",
		  "1 * X 1.0..1.0 0 untried used 0 x\n"
		  "2 * X 3.0.. 0 untried used 0 x\n"
		  "3 * X 1.0..2.0 0 used 0 x\n"
		  "4 * X 4.0..4.0 0 used 0 not in the table\n"
		  "5 * X 1.0..1.0 20010101 expired used 0 expired" },
		{ "a line with an abbreviated version is unused",
		  "* X 590.48 never x\n* X 590.44 never x\n* X 580..590.48 never x\n", NULL, "590.48.01",
		  "1 * X 590.48..590.48 0 used 0 x\n"
		  "2 * X 590.44..590.44 0 untried used 0 x\n"
		  "3 * X 580..590.48 0 used 0 x" },
	};
	size_t wrong = 0;

	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct table *table = rows[i].table ? table_of(rows[i].table, &arena) : NULL;
		struct strbuf text = { 0 };

		assert_int_equal(parse(rows[i].file), 0);
		suppressions_try(&lines, table, &rows[i].compared, 1);
		add_lines(&text);
		wrong += text_differs(rows[i].fact, &text, rows[i].lines);
		end_test(state);
	}
	assert_int_equal(wrong, 0);
}

VERIFY_TEST(an_error_names_the_line_and_leaves_the_output_untouched)
{
	assert_int_equal(parse("* * * never x\n"), 0);
	assert_int_equal(parse("* * * never x\nsize * * soon x\n"), ERR_FORMAT);
	assert_string_equal(err.text, "f:2: 'soon' is not a date; write YYYY-MM-DD, or never");
	assert_int_equal(lines.count, 1);
}

VERIFY_TEST(the_name_of_every_rule_is_parsed)
{
	for (int i = 0; i < VERIFY_RULE_COUNT; i++) {
		enum verify_rule rule;

		assert_int_equal(verify_rule_parse(&rule, verify_rule_name((enum verify_rule)i), &err), 0);
		assert_int_equal(rule, i);
	}
}
