/*
 * report/outputs_test.h - every output that contains names from outside, and a check for each
 *
 * The test of hostile names and the fuzzing target of the renderers use this file. Each output is rendered
 * twice: with the tested name in every field (report/world_test.h), and with an ordinary name. The tested
 * name is properly escaped if
 *
 *   1. every character is safe for a terminal;
 *   2. the output has as many lines as with the ordinary name;
 *   3. the structure is the same: the special characters of the format are in the same order, after escapes
 *      and, in Markdown, code are blanked;
 *   4. the name does not act in any other way: as a link on GitHub, a formula or an argument.
 *
 * A check returns 0, or ERR_FORMAT with a sentence that quotes the text around the fault.
 */
#ifndef REPORT_OUTPUTS_TEST_H
#define REPORT_OUTPUTS_TEST_H

#include "report/world_test.h"

/* Lines are not wrapped, however long a name is. */
static const struct report_style style_plain = { .verbose = true, .columns = 100000 }, style_folded = { 0 },
				 style_markdown = { .markdown = true };

static inline void render_text(struct strbuf *out, const struct world *w)
{
	struct diff_report diff = w->diff_report;

	diff.record = NULL; /* this line and those of suppressions are wrapped at 80 columns */
	diff.suppressions = NULL;
	diff.suppressed_count = 0;
	report_diff(out, &diff, &style_plain);
	report_show_text(out, &w->show, &style_plain);
	report_caps_text(out, &w->caps, &w->since, &style_plain);
	report_acceptances(out, &w->table, &w->acceptances);
}

/* The lines are wrapped, so the number of lines depends on the name. */
static inline void render_wrapped(struct strbuf *out, const struct world *w)
{
	report_diff(out, &w->diff_report, &style_plain);
	report_diff(out, &w->diff_report, &style_folded);
	report_verify(out, &w->verify, VERIFY_TEXT, &style_plain);
	report_verify(out, &w->verify, VERIFY_TEXT, &style_folded);
	report_ranges(out, &w->ranges_report, &style_plain);
	report_ranges(out, &w->ranges_report, &style_folded);
}

/* The number of lines depends on the name here, too. */
static inline void render_filled(struct strbuf *out, const struct world *w)
{
	report_layout_text(out, &w->layout, &style_plain);
	report_history(out, &w->history_report, &style_plain);
	report_described_text(out, &w->graph, &w->show_items[ABI_IOCTL], &style_plain);
	report_blame_text(out, &w->blame_report, &style_plain);
	report_surface_text(out, &w->surface, &style_plain);
	report_pids(out, &w->pids, &style_plain);
	report_pids(out, &w->pids, &style_folded);
	report_decode_text(out, &w->decode_call, &style_plain);
	report_decode_text(out, &w->decode_call, &style_folded);
	report_decode_summary(out, &w->decode_summary, &style_plain);
	report_against(out, &w->against, &style_plain);
	report_trace_event_text(out, &w->trace_event, &style_plain);
	report_bootstrap(out, &w->bootstrap, &style_plain);
	report_bootstrap(out, &w->bootstrap, &style_folded);
}

static inline void render_markdown(struct strbuf *out, const struct world *w)
{
	report_diff(out, &w->diff_report, &style_markdown);
	report_history(out, &w->history_report, &style_markdown);
	report_ranges(out, &w->ranges_report, &style_markdown);
	report_verify(out, &w->verify, VERIFY_MARKDOWN, &style_plain);
	report_bootstrap(out, &w->bootstrap, &style_markdown);
	report_pids(out, &w->pids, &style_markdown);
	report_decode_summary_markdown(out, &w->decode_summary);
	report_against(out, &w->against, &style_markdown);
}

/* Defines render_NAME(), which renders one output. */
#define OUTPUT(name, call) \
	static inline void render_##name(struct strbuf *out, const struct world *w) \
	{ \
		call; \
	}

OUTPUT(junit, report_verify(out, &w->verify, VERIFY_JUNIT, &style_plain))
OUTPUT(page, report_history_page(out, &w->history_report, &w->timelines))
OUTPUT(sarif, report_verify(out, &w->verify, VERIFY_SARIF, &style_plain))
OUTPUT(github, report_verify(out, &w->verify, VERIFY_GITHUB, &style_plain))
OUTPUT(diff_json, report_diff_json(out, &w->diff_report))
OUTPUT(history_json, report_history_json(out, &w->history_report))
OUTPUT(show_json, report_show_json(out, &w->show))
OUTPUT(blame_json, report_blame_json(out, &w->blame_report))
OUTPUT(blame_ioctl_json, report_blame_json(out, &w->blame_ioctl_report))
OUTPUT(pids_json, report_pids_json(out, &w->pids))
OUTPUT(decode_json, report_decode_json(out, &w->decode_call))
OUTPUT(against_json, report_against_json(out, &w->against))
OUTPUT(trace_event_json, report_trace_event_json(out, &w->trace_event))
OUTPUT(surface_json, report_surface_json(out, &w->surface, &w->caps, &w->since))
OUTPUT(bootstrap_json, report_bootstrap_json(out, &w->bootstrap))
OUTPUT(ranges_json, report_ranges_json(out, &w->ranges_report))

static inline void render_version_map(struct strbuf *out, const struct world *w)
{
	struct history_version versions[] = { { .version = "1.0", .abi = &w->abi } };
	const struct history_graph graph = { .versions = versions, .version_count = 1 };
	struct ranges_version fits[] = { { .safe = &w->node } };
	const struct ranges ranges = { .graph = &graph, .table = &w->table, .versions = fits };
	const struct ranges_proof proof = { 0 };

	report_version_map(out, &(struct ranges_report){ w->name, w->name, &ranges, &proof }, false);
}

OUTPUT(verify_json, report_verify(out, &w->verify, VERIFY_JSON, &style_plain))

static inline int fault_at(struct err *err, const char *what, const char *text, const char *at)
{
	const char *from = at - text > 30 ? at - 30 : text;

	return err_set(err, ERR_FORMAT, "%s: \"%.*s\"", what, (int)strnlen(from, 70), from);
}

static inline int check_printable(const struct strbuf *out, struct err *err)
{
	for (size_t at = 0, length; at < out->length; at += length) {
		length = utf8_length(out->text + at, out->length - at);
		if (!length || (out->text[at] != '\n' && out->text[at] != '\t' &&
				!escape_is_printable(utf8_code(out->text + at, length))))
			return fault_at(err, "a character that is not printable", out->text, out->text + at);
	}
	return 0;
}

static inline size_t lines_of(const char *text)
{
	size_t lines = 0;

	for (; (text = strchr(text, '\n')); text++)
		lines++;
	return lines;
}

static inline int check_lines(const char *text, const char *ordinary, struct err *err)
{
	if (lines_of(text) == lines_of(ordinary))
		return 0;
	return err_set(err, ERR_FORMAT, "%zu lines, not %zu", lines_of(text), lines_of(ordinary));
}

/* Returns the first character of @text at which the two structures differ; NULL if they are equal. */
static inline const char *structure_differs(const char *text, const char *ordinary, const char *acts)
{
	for (;; text++, ordinary++) {
		text += strcspn(text, acts);
		ordinary += strcspn(ordinary, acts);
		if (*text != *ordinary)
			return text;
		if (!*text)
			return NULL;
	}
}

/* --- Markdown ------------------------------------------------------------- */

/* Finds the fence that begins a block of code. Return: the line end before it; NULL if there is none. */
static inline char *next_block(char *text)
{
	static const char *const fences[] = { "\n```diff\n", "\n```go\n", "\n```text\n" };
	char *first = NULL;

	for (size_t i = 0; i < sizeof(fences) / sizeof(*fences); i++) {
		char *found = strstr(text, fences[i]);

		if (found && (!first || found < first))
			first = found;
	}
	return first;
}

/* Blanks blocks of code, but keeps their line ends. Only a line of three backticks ends a block. */
static inline int blank_blocks(char *text, struct err *err)
{
	for (char *begin, *end; (begin = next_block(text)); text = end) {
		if (!(end = strstr(begin + 1, "\n```\n")))
			return fault_at(err, "a block of code has no end", text, begin);
		end += strlen("\n```\n");
		for (char *at = begin; at < end; at++)
			*at = *at == '\n' ? '\n' : ' ';
	}
	return 0;
}

/*
 * Blanks spans of code, where everything is text, and characters after a backslash. A span ends at a run of
 * as many backticks as begin it, on the same line.
 */
static inline int blank_spans(char *text, struct err *err)
{
	for (char *at = text; *at;) {
		size_t fence = strspn(at, "`"), run;
		char *end = at + fence;

		if (!fence && *at == '\\' && ispunct((unsigned char)at[1])) {
			memset(at, '%', 2);
			at += 2;
			continue;
		}
		if (!fence) {
			at++;
			continue;
		}
		for (run = 0; *end && *end != '\n' && run != fence; end += run + !run)
			if ((run = strspn(end, "`")) == fence)
				break;
		if (!*end || *end == '\n')
			return fault_at(err, "a span of code has no end", text, at);
		if (memchr(at, '|', (size_t)(end - at)))
			return fault_at(err, "code that ends a cell", text, at);
		memset(at, ' ', (size_t)(end - at) + fence);
		at = end + fence;
	}
	return 0;
}

/* GitHub links words of 7 to 40 hexadecimal digits. drvabi escapes decimal numbers only if they have 40. */
static inline bool is_commit(const char *text, const char *at)
{
	static const char hex[] = "0123456789abcdef";
	size_t length = strspn(at, hex);

	if (length < 7 || length > 40 || isalnum((unsigned char)at[length]) || at[length] == '_')
		return false;
	if (at > text && (isalnum((unsigned char)at[-1]) || at[-1] == '_'))
		return false;
	return length == 40 || strspn(at, "0123456789") < length;
}

static inline bool is_emoji(const char *at)
{
	size_t name = strspn(at + 1, "abcdefghijklmnopqrstuvwxyz0123456789_+-");

	return *at == ':' && name && at[1 + name] == ':';
}

static inline bool is_issue(const char *text, const char *at)
{
	if (*at == '#')
		return isdigit((unsigned char)at[1]);
	return !strncasecmp(at, "gh-", 3) && isdigit((unsigned char)at[3]) &&
	       (at == text || !isalnum((unsigned char)at[-1]));
}

/* Is @at the start of text that GitHub turns into a link or a picture without markup? */
static inline bool is_autolink(const char *text, const char *at)
{
	return (*at == '@' && strncmp(at + 1, "&#8203;", 7)) || !strncmp(at, "://", 3) ||
	       !strncasecmp(at, "www.", 4) || is_issue(text, at) || is_emoji(at) || is_commit(text, at);
}

/* Returns the length of an entity that the escape functions write; 0 if @at is not such an entity. */
static inline size_t own_entity(const char *at)
{
	static const char *const own[] = { "&lt;", "&amp;", "&#58;", "&#46;", "&#8203;" };

	for (size_t i = 0; *at == '&' && i < sizeof(own) / sizeof(*own); i++)
		if (!strncmp(at, own[i], strlen(own[i])))
			return strlen(own[i]);
	return 0;
}

static inline int check_markdown(char *text, char *ordinary, struct err *err)
{
	const char *at;
	int rc;

	if ((rc = blank_blocks(text, err)) || (rc = blank_blocks(ordinary, err)) ||
	    (rc = blank_spans(text, err)) || (rc = blank_spans(ordinary, err)))
		return rc;
	if ((at = structure_differs(text, ordinary, "<`*|$\n")))
		return fault_at(err, "markup", text, at);
	for (at = text; *at; at += own_entity(at) ? own_entity(at) : 1) {
		if (!strncmp(at, "](", 2))
			return fault_at(err, "a link", text, at);
		if (!own_entity(at) && is_autolink(text, at))
			return fault_at(err, "text that GitHub links", text, at);
		if (!own_entity(at) && *at == '&' && (at[1] == '#' || isalnum((unsigned char)at[1])))
			return fault_at(err, "an entity", text, at);
	}
	return 0;
}

/* --- XML and HTML ----------------------------------------------------------- */

static inline int check_entities(const char *text, struct err *err)
{
	for (const char *at = text; (at = strchr(at, '&')); at++)
		if (strncmp(at, "&amp;", 5) && strncmp(at, "&lt;", 4) && strncmp(at, "&gt;", 4) &&
		    strncmp(at, "&quot;", 6))
			return fault_at(err, "an entity", text, at);
	return 0;
}

static inline int check_xml(char *text, char *ordinary, struct err *err)
{
	const char *at = structure_differs(text, ordinary, "<>\"\n");

	if (at)
		return fault_at(err, "an element or attribute", text, at);
	return check_entities(text, err);
}

/*
 * The data of a page is JSON in a <script>. Control characters in names must be escaped before the names
 * become JSON strings. Otherwise the script would decode and show the control characters.
 */
static inline int check_page_data(char *data, struct err *err)
{
	char *begin = strchr(data, '>') + 1, *end = strstr(data, "</script>");

	if (memchr(begin, '<', (size_t)(end - begin)))
		return fault_at(err, "an end of the data", data, memchr(begin, '<', (size_t)(end - begin)));
	for (const char *at = begin; (at = strchr(at, '\\')) && at < end; at += 2)
		if (at[1] != '\\' && at[1] != '"' && strncasecmp(at + 1, "u003c", 5))
			return fault_at(err, "a character that is not spelled out", data, at);
	memset(begin, 'd', (size_t)(end - begin));
	return 0;
}

static inline int check_page(char *text, char *ordinary, struct err *err)
{
	static const char marker[] = "<script id=\"data\"";
	const char *at;
	int rc;

	if ((rc = check_page_data(strstr(text, marker), err)) ||
	    (rc = check_page_data(strstr(ordinary, marker), err)))
		return rc;
	if ((at = structure_differs(text, ordinary, "<>\"\n")))
		return fault_at(err, "an element or attribute", text, at);
	return 0;
}

/* --- JSON ------------------------------------------------------------------- */

/* Checks that a SARIF message has no link, no argument, and no character that JSON had to escape. */
static inline int check_message(const char *message, const char *end, const char *text, struct err *err)
{
	for (const char *at = message; at < end; at++) {
		if (!strncmp(at, "](", 2))
			return fault_at(err, "a link", text, at);
		if (*at == '\\' && at[1] != '\\' && at[1] != '"')
			return fault_at(err, "a character that is not spelled out", text, at);
		if (*at == '\\' || ((*at == '{' || *at == '}') && at[1] == *at))
			at++;
		else if (*at == '{' || *at == '}')
			return fault_at(err, "an argument", text, at);
	}
	return 0;
}

static inline int check_sarif(char *text, char *ordinary, struct err *err)
{
	static const char begin[] = "{\"text\": \"";
	size_t messages = 0;
	int rc;

	(void)ordinary;
	for (const char *at = text, *end; (at = strstr(at, begin)); at = end, messages++) {
		at += strlen(begin);
		for (end = at; *end != '"'; end += 1 + (*end == '\\'))
			;
		if ((rc = check_message(at, end, text, err)))
			return rc;
	}
	return messages ? 0 : err_set(err, ERR_FORMAT, "no message");
}

/* Checks that every line is a command with three properties, and that only '%', ':' and ',' are escaped. */
static inline int check_github(char *text, char *ordinary, struct err *err)
{
	(void)ordinary;
	for (const char *at = text, *end, *property; *at; at = end + 1) {
		end = strchr(at, '\n');
		property = strstr(at + 2, "::");
		if (strncmp(at, "::", 2) || !property || property > end)
			return fault_at(err, "no command", text, at);
		for (const char *p = at, *name = ",line="; p < property; p++)
			if (*p == ',' && strncmp(p, name, strlen(name)))
				return fault_at(err, "another property", text, p);
			else if (*p == ',')
				name = ",title=";
		for (const char *p = at; (p = strchr(p, '%')) && p < end; p++)
			if (strncmp(p, "%25", 3) &&
			    (p > property || (strncmp(p, "%3A", 3) && strncmp(p, "%2C", 3))))
				return fault_at(err, "a percent sign", text, p);
	}
	return 0;
}

/* An output: how it is rendered, and how it is checked. */
struct output {
	const char *name;
	void (*render)(struct strbuf *out, const struct world *world);
	bool any_lines; /* the number of lines depends on the name */
	bool is_json;
	int (*check)(char *text, char *ordinary,
		     struct err *err); /* overwrites both; NULL: no further check */
};

static const struct output outputs[] = {
	{ "text", render_text, false, false, NULL },
	{ "ranges", render_wrapped, true, false, NULL },
	{ "filled lines", render_filled, true, false, NULL },
	{ "Markdown", render_markdown, false, false, check_markdown },
	{ "JUnit", render_junit, false, false, check_xml },
	{ "page", render_page, false, false, check_page },
	{ "SARIF", render_sarif, false, true, check_sarif },
	{ "workflow commands", render_github, false, false, check_github },
	{ "diff as JSON", render_diff_json, false, true, NULL },
	{ "history as JSON", render_history_json, false, true, NULL },
	{ "show as JSON", render_show_json, false, true, NULL },
	{ "blame as JSON", render_blame_json, false, true, NULL },
	{ "blame of an ioctl as JSON", render_blame_ioctl_json, false, true, NULL },
	{ "surface as JSON", render_surface_json, false, true, NULL },
	{ "pids as JSON", render_pids_json, false, true, NULL },
	{ "a decoded call as JSON", render_decode_json, false, true, NULL },
	{ "decode --against as JSON", render_against_json, false, true, NULL },
	{ "an event of a trace as JSON", render_trace_event_json, false, true, NULL },
	{ "bootstrap as JSON", render_bootstrap_json, false, true, NULL },
	{ "ranges as JSON", render_ranges_json, false, true, NULL },
	{ "ranges --emit json", render_version_map, false, true, NULL },
	{ "verify as JSON", render_verify_json, false, true, NULL },
};
enum { OUTPUT_COUNT = sizeof(outputs) / sizeof(*outputs) };

static inline void output_render(struct strbuf *out, const struct output *output, const char *name)
{
	struct world *world = xmalloc(sizeof(*world));

	world_fill(world, name);
	output->render(out, world);
	free(world);
}

/* Returns @output with an ordinary name. It is the same in each call, so it is rendered only once. */
static inline const struct strbuf *output_ordinary(const struct output *output)
{
	static struct strbuf rendered[OUTPUT_COUNT];
	struct strbuf *out = &rendered[output - outputs];

	if (!out->length)
		output_render(out, output, "ordinary");
	return out;
}

/* output_check_text - check @out, which is @output of outputs[] with a name, and overwrite it */
static inline int output_check_text(struct strbuf *out, const struct output *output, struct err *err)
{
	const struct strbuf *expected = output_ordinary(output);
	struct strbuf ordinary = { 0 };
	int rc;

	strbuf_add(&ordinary, expected->text, expected->length);
	rc = check_printable(out, err);
	if (!rc && !output->any_lines)
		rc = check_lines(out->text, ordinary.text, err);
	if (!rc && output->check)
		rc = output->check(out->text, ordinary.text, err);
	if (rc)
		err_prefix(err, "%s", output->name);
	strbuf_release(&ordinary);
	return rc;
}

/* output_check - check that @name has no effect in @output except as text */
static inline int output_check(const struct output *output, const char *name, struct err *err)
{
	struct strbuf out = { 0 };
	int rc;

	output_render(&out, output, name);
	rc = output_check_text(&out, output, err);
	strbuf_release(&out);
	return rc;
}

#endif
