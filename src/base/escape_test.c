/* Tests of escaping for each output format, and of the sentences of errors, which are escaped too. */
#include "base/unit_test.h"

TEST(a_text_is_escaped)
{
	static const struct {
		const char *fact; /* NULL: that of the row above */
		void (*escape)(struct strbuf *out, const char *text);
		const char *text, *escaped;
	} rows[] = {
		{ "ordinary names stay as they are", escape_terminal, "", "" },
		{ NULL, escape_terminal, "550.54.14", "550.54.14" },
		{ NULL, escape_terminal, "NV2080_CTRL_CMD_GPU_GET_INFO", "NV2080_CTRL_CMD_GPU_GET_INFO" },
		{ NULL, escape_terminal, "P::e_t[4][2]", "P::e_t[4][2]" },
		{ NULL, escape_terminal, "void *", "void *" },
		{ NULL, escape_terminal, "f\xc3\xbcr \xe2\x86\x92", "f\xc3\xbcr \xe2\x86\x92" },
		{ NULL, escape_terminal, "see issue #12, it's 4 > 3 & 2", "see issue #12, it's 4 > 3 & 2" },
		{ NULL, escape_markdown, "550.54.14", "550.54.14" },
		{ NULL, escape_markdown, "NV2080_CTRL_CMD_GPU_GET_INFO", "NV2080_CTRL_CMD_GPU_GET_INFO" },
		{ NULL, escape_markdown, "360 -> 368 bytes: +tpc, ~flags", "360 -> 368 bytes: +tpc, ~flags" },
		{ NULL, escape_markdown, "0x20801357 545259792 NV_1234567 P::e_t[4] 10:30 a-1 # 4",
		  "0x20801357 545259792 NV_1234567 P::e_t[4] 10:30 a-1 # 4" },
		{ NULL, escape_markdown_code, "NV2080_CTRL_CMD_GPU_GET_INFO",
		  "`NV2080_CTRL_CMD_GPU_GET_INFO`" },
		{ "a terminal receives no control characters", escape_terminal, "a\033[2Jb\a\r\n\tc\x7f",
		  "a\\x1b[2Jb\\x07\\x0d\\x0a\\x09c\\x7f" },
		{ NULL, escape_terminal, "\xc2\x80\xc2\x9b\xc2\xa0", "\\u0080\\u009b\xc2\xa0" },
		{ NULL, escape_terminal,
		  "\xe2\x80\xae\xe2\x81\xa6\xe2\x81\xa9\xe2\x80\x8e\xe2\x80\x8f\xd8\x9c",
		  "\\u202e\\u2066\\u2069\\u200e\\u200f\\u061c" },
		{ NULL, escape_terminal, "\xe2\x80\xa8\xe2\x80\xa9", "\\u2028\\u2029" },
		{ NULL, escape_terminal, "\xff\xc3(\xed\xa0\x80\xe2\x80",
		  "\\xff\\xc3(\\xed\\xa0\\x80\\xe2\\x80" },
		{ NULL, escape_terminal, "\xef\xbf\xbf\xf4\x8f\xbf\xbe", "\\uffff\\U0010fffe" },
		{ "what is escaped for a terminal stays", escape_terminal, "\\x1b \\u202e \\",
		  "\\x1b \\u202e \\" },
		{ "Markdown shows HTML as text", escape_markdown, "110.05<img/src=x/onerror=a><!--",
		  "110.05&lt;img/src=x/onerror=a>&lt;!--" },
		{ NULL, escape_markdown, "&lt; &#60; a & b", "&amp;lt; &amp;#&#8203;60; a & b" },
		{ "Markdown makes no link, image or mention", escape_markdown, "![a](http://x/)",
		  "![a\\](http&#58;//x/)" },
		{ NULL, escape_markdown, "www.x.org @everyone", "www&#46;x.org @&#8203;everyone" },
		{ NULL, escape_markdown, "[a]: b", "\\[a]: b" },
		{ "Markdown names no issue, commit or emoji", escape_markdown, "a #1 b/c#2 GH-3 gh-4",
		  "a #&#8203;1 b/c#&#8203;2 GH-&#8203;3 gh-&#8203;4" },
		{ NULL, escape_markdown, "#1", "\\#&#8203;1" },
		{ NULL, escape_markdown, "P::b::c :+1:", "P::&#8203;b::c :&#8203;+1:" },
		/* A second colon may follow in the text. */
		{ NULL, escape_markdown, "a:tada", "a:&#8203;tada" },
		{ NULL, escape_markdown, "deadbee x@deadbeef0", "deadbe&#8203;e x@&#8203;deadbe&#8203;ef0" },
		{ NULL, escape_markdown, "49a54ca0123456789abcdef0123456789abcdef0",
		  "49a54c&#8203;a01234&#8203;56789a&#8203;bcdef0&#8203;123456&#8203;789abc&#8203;def0" },
		{ NULL, escape_markdown, "1234567890123456789012345678901234567890",
		  "123456&#8203;789012&#8203;345678&#8203;901234&#8203;567890&#8203;123456&#8203;7890" },
		{ NULL, escape_markdown, "feedbac fooddeadbeef deadbeef_t deadbeefx",
		  "feedba&#8203;c fooddeadbeef deadbeef_t deadbeefx" },
		{ NULL, escape_markdown_code, "#1 GH-2 deadbeef :b:", "`#1 GH-2 deadbeef :b:`" },
		{ "a workflow command ends where its line ends", escape_github, "100%, a::b",
		  "100%25, a::b" },
		{ NULL, escape_github, "a\r\n::error::b%0A", "a\\x0d\\x0a::error::b%250A" },
		{ NULL, escape_github_property, "a,line=1::b%.json", "a%2Cline=1%3A%3Ab%25.json" },
		{ NULL, escape_github_property, "a\n\xff", "a\\x0a\\xff" },
		{ "a SARIF message has no link and no argument", escape_sarif, "a[4] (b) c[](d)",
		  "a[4] (b) c[]\xe2\x80\x8b(d)" },
		{ NULL, escape_sarif, "[a](http://x)[b](1)", "[a]\xe2\x80\x8b(http://x)[b]\xe2\x80\x8b(1)" },
		{ NULL, escape_sarif, "{0} {{", "{{0}} {{{{" },
		{ NULL, escape_sarif, "a\n\xe2\x80\xae\033\\", "a\\x0a\\u202e\\x1b\\" },
		{ "Markdown has no emphasis but inside a word", escape_markdown, "*a* `b` a_b_c _d_ __e__",
		  "\\*a\\* \\`b\\` a_b_c \\_d\\_ \\_\\_e\\_\\_" },
		{ NULL, escape_markdown, "~~a~~ $b$", "\\~\\~a\\~\\~ \\$b\\$" },
		{ "Markdown text ends neither cell nor line", escape_markdown, "a|b\\|c\n# d",
		  "a\\|b\\\\\\|c\\\\x0a# d" },
		{ NULL, escape_markdown, "# a", "\\# a" },
		{ NULL, escape_markdown, "- a", "\\- a" },
		{ NULL, escape_markdown, "> a", "\\> a" },
		{ "a code span is longer than any backticks in it", escape_markdown_code, "a``b`c",
		  "```a``b`c```" },
		{ NULL, escape_markdown_code, "`", "`` ` ``" },
		{ NULL, escape_markdown_code, "", "`  `" },
		{ NULL, escape_markdown_code, " a ", "`  a  `" },
		{ NULL, escape_markdown_code, "a\n<b>@c", "`a\\x0a<b>@c`" },
		{ NULL, escape_markdown_code, "a|`b", "a\\|\\`b" },
		{ "XML and HTML have text", escape_xml, "</a>\"&amp;'\n\xff\033",
		  "&lt;/a&gt;&quot;&amp;amp;'\\x0a\\xff\\x1b" },
	};
	const char *fact = NULL;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct strbuf out = { 0 };

		fact = rows[i].fact ? rows[i].fact : fact;
		rows[i].escape(&out, rows[i].text);
		if (strcmp(strbuf_text(&out), rows[i].escaped))
			fail_msg("%s: %s", fact, strbuf_text(&out));
		strbuf_release(&out);
	}
}

TEST(a_format_escapes_every_text_and_nothing_else)
{
	struct strbuf out = { 0 };

	escape_addf(&out, escape_terminal, "\033[1m%s|%-6s|%6s|%.2s|%.*s|%-3s|%3s\n", "\a", "\n", "\t", "abc", 1,
		    "\x7fx", "→", "é");
	assert_string_equal(out.text, "\033[1m\\x07|\\x0a  |  \\x09|ab|\\x7f|→  |  é\n");
	strbuf_release(&out);
}

TEST(a_format_has_numbers_as_printf_does)
{
	const char *format =
		"%d %u %zu %+" PRId64 " %" PRIu64 " 0x%" PRIx64 " %5zu|%-5u|%05d|%*zu|%llx|%c|%%";
	struct strbuf out = { 0 }, wanted = { 0 };

	escape_addf(&out, escape_terminal,
		    "%d %u %zu %+" PRId64 " %" PRIu64 " 0x%" PRIx64 " %5zu|%-5u|%05d|%*zu|%llx|%c|%%", -1,
		    4000000000u, SIZE_MAX, (int64_t)-3, UINT64_MAX, UINT64_MAX, (size_t)7, 8u, -9, 80,
		    (size_t)10, 11ull, 'x');
	strbuf_addf(&wanted, format, -1, 4000000000u, SIZE_MAX, (int64_t)-3, UINT64_MAX, UINT64_MAX,
		    (size_t)7, 8u, -9, 80, (size_t)10, 11ull, 'x');
	assert_string_equal(out.text, wanted.text);
	strbuf_release(&out);
	strbuf_release(&wanted);
}

TEST(a_sentence_is_one_line_after_its_place)
{
	static const struct {
		const char *fact, *sentence, *place, *text; /* @place NULL: none */
	} rows[] = {
		{ "a sentence is kept", "no version 1.2 in repo", NULL, "no version 1.2 in repo" },
		{ "letters beyond ASCII are kept", "größer", NULL, "größer" },
		{ "a place goes in front", "unexpected end", "table.json:3", "table.json:3: unexpected end" },
		{ "a sentence stays on one line", "no field \"a\nb\033[31m\tc\x7f\"", "file\r\n",
		  "file\\x0d\\x0a: no field \"a\\x0ab\\x1b[31m\\x09c\\x7f\"" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct err err;

		assert_int_equal(err_set(&err, ERR_FORMAT, "%s", rows[i].sentence), ERR_FORMAT);
		if (rows[i].place)
			err_prefix(&err, "%s", rows[i].place);
		if (strcmp(err.text, rows[i].text))
			fail_msg("%s: %s", rows[i].fact, err.text);
	}
	assert_int_equal(err_set(NULL, ERR_IO, "lost"), ERR_IO);
	err_prefix(NULL, "nowhere");
}

TEST(what_does_not_fit_is_cut)
{
	char longer[3 * sizeof(struct err)];
	struct err err;

	memset(longer, 'x', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	err_set(&err, ERR_FORMAT, "%s", longer);
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
	err_prefix(&err, "%s", longer);
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
}

TEST(a_character_is_not_cut)
{
	assert_int_equal(utf8_whole("ab\xe2\x80", 4), 2);
	assert_int_equal(utf8_whole("ab\xc3", 3), 2);
	assert_int_equal(utf8_whole("abc", 3), 3);
	assert_int_equal(utf8_whole("\x80\x80\x80\x80\x80", 5), 5);
}
