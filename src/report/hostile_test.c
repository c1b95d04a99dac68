/*
 * Tests every renderer with each hostile name in every field that comes from outside: the output must show
 * the name as text, and the name must have no effect in the format.
 */
#include "base/unit_test.h"
#include "report/internal.h"
#include "report/outputs_test.h"

/* Names that git allows as tags, and names that documents, tables and suppressions can also contain. */
static const char *const hostile[] = {
	"110.05<img/src=x/onerror=alert(1)><!--",
	"</script><script>alert(1)</script>",
	"![a](http://x.org/a.png)",
	"[a](http://x.org) https://x.org www.x.org",
	"@everyone",
	"a @everyone b",
	"`@everyone <img/src=x> ``",
	"a|b\\|@everyone|<img/src=x>",
	"*a* _b_ ~~c~~ **d**",
	"a\n# b\n- c\n```\n<!--",
	"a\r\nnot ok 1 - b # SKIP\r\n",
	"a\033[2J\033]0;title\a\b\x7f",
	"a\xc2\x9b" "2J\xc2\x85",
	"a\xe2\x80\xae" "b\xe2\x81\xa6\xe2\x80\x8f\xd8\x9c",
	"a\xe2\x80\xa8" "b\xe2\x80\xa9",
	"a\xff\xc3\xed\xa0\x80",
	"=HYPERLINK(\"http://x.org\")",
	"+1", "-1", "@SUM(A1)", "\t=1", "\r=1",
	"\",=1,\"",
	"]]>&lt;&#60;\"'",
	"#17 a/b#17", "GH-17 gh-17",
	"49a54ca0123456789abcdef0123456789abcdef0 deadbeef",
	":tada: a::b::c",
	"{0} {a}",
	"[a](1)",
	"\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d", /* letters that are written from right to left */
};
enum { HOSTILE_COUNT = sizeof(hostile) / sizeof(*hostile) };

TEST(every_hostile_name_is_only_text)
{
	struct err err;

	for (size_t o = 0; o < OUTPUT_COUNT; o++)
		for (size_t i = 0; i < HOSTILE_COUNT; i++)
			if (output_check(&outputs[o], hostile[i], &err))
				fail_msg("%s of '%s': %s", outputs[o].name, hostile[i], err.text);
}

/* Asserts that @check rejects @text, an output that should have the structure of @ordinary. */
static void assert_found(int (*check)(char *, char *, struct err *), const char *text, const char *ordinary)
{
	char *a = strdup(text), *b = strdup(ordinary);
	struct err err;

	if (!check(a, b, &err))
		fail_msg("not found: %s", text);
	free(a);
	free(b);
}

TEST(the_checks_find_what_a_name_must_not_do)
{
	static const struct {
		int (*check)(char *, char *, struct err *);
		const char *ordinary, *faults[12];
	} rows[] = {
		{ check_markdown, "| a |\n", /* markup, links and cells */
		  { "| <b> |\n", "| a|b |\n", "| [a](b) |\n", "| *a* |\n", "| @a |\n", "| #17 |\n",
		    "| www.x |\n", "| :tada: |\n", "| 49a54ca |\n", "| &lt;&#60; |\n", "| `a |\n",
		    "| `a|b` |\n" } },
		{ check_xml, "b", { "<a>b</a>", "&#60;" } },
		{ check_xml, "<a b=\"c\"/>", { "<a b=\"c\" d=\"e\"/>" } },
		{ check_sarif, "", /* links, arguments */
		  { "{\"text\": \"[a](1)\"}", "{\"text\": \"{0}\"}" } },
		{ check_github, "", /* commands, properties, escapes */
		  { "::error file=a,line=1,title=b::c\n::x\n", "::error file=a,col=2,line=1,title=b::c\n",
		    "::error file=a,line=1,title=b::c%0A\n" } },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		for (size_t f = 0; f < 12 && rows[i].faults[f]; f++)
			assert_found(rows[i].check, rows[i].faults[f], rows[i].ordinary);
}

TEST(only_a_line_that_would_end_the_code_is_changed)
{
	const struct report_style style = { .markdown = true };
	struct strbuf out = { 0 };
	struct sheet sheet;

	sheet_init(&sheet, &out, &style);
	sheet_code(&sheet, "go");
	sheet_code_line(&sheet, INK_NONE, "a `b` ```");
	sheet_code_line(&sheet, INK_NONE, "  ````");
	sheet_code_line(&sheet, INK_NONE, "%s", "");
	sheet_code_end(&sheet);
	assert_string_equal(out.text, "```go\na `b` ```\n  ''''\n\n```\n");
	sheet_release(&sheet);
	strbuf_release(&out);
}
