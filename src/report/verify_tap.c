/*
 * TAP 13: a test for each version, and one for the suppression file.
 */
#include "report/verify_parts.h"

/* A '#' in a description would begin a directive. */
static void tap_text(struct strbuf *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '#' || *text == '\\')
			strbuf_addch(out, '\\');
		strbuf_addch(out, (unsigned char)*text < ' ' ? '?' : *text);
	}
}

static void tap_finding(struct strbuf *out, const struct verify_finding *finding, const char *note)
{
	strbuf_addf(out, "# %s %s ", verify_rule_name(finding->rule), finding->family);
	verify_line(out, finding->entry);
	strbuf_adds(out, ": ");
	verify_line(out, finding->message);
	strbuf_adds(out, note);
	strbuf_addch(out, '\n');
}

static void tap_version(struct strbuf *out, const struct verify_report *report, const struct verify_version *version, size_t number)
{
	const struct verify_result *result = &version->result;

	strbuf_addf(out, "%sok %zu - ", version->status == VERIFY_FAIL ? "not " : "", number);
	tap_text(out, version->version);
	if (version->status == VERIFY_UNAVAILABLE) {
		strbuf_adds(out, " # SKIP unavailable: ");
		tap_text(out, version->reason);
	}
	strbuf_addch(out, '\n');
	for (size_t i = 0; i < result->finding_count; i++)
		tap_finding(out, &result->findings[i], report->fails[result->findings[i].rule] ? "" : " (does not count)");
	for (size_t i = 0; i < version->suppressed_count; i++)
		tap_finding(out, version->suppressed[i].finding, " (suppressed)");
	for (size_t i = 0; i < result->unseen_count; i++) {
		strbuf_addf(out, "# not checked %s ", result->unseen[i].family);
		verify_line(out, result->unseen[i].entry);
		strbuf_addf(out, ": %s\n", result->unseen[i].reason);
	}
}

static void tap_suppressions(struct strbuf *out, const struct suppressions *suppressions, size_t number)
{
	bool expired = false;

	for (size_t i = 0; i < suppressions->count; i++)
		expired |= suppressions->item[i].expired;
	strbuf_addf(out, "%sok %zu - no line of ", expired ? "not " : "", number);
	tap_text(out, suppressions->path);
	strbuf_adds(out, " has expired\n");
	for (size_t i = 0; i < suppressions->count; i++) {
		const struct suppression *item = &suppressions->item[i];

		if (item->used && !item->expired)
			continue;
		strbuf_addf(out, "# %s line %u: %s %s %s %s ", verify_state(item), item->line, item->rule_text, item->entry, item->versions,
			    item->expires_text);
		verify_line(out, item->reason);
		strbuf_addch(out, '\n');
	}
}

void report_verify_tap(struct strbuf *out, const struct verify_report *report)
{
	size_t count = report->version_count;

	strbuf_addf(out, "TAP version 13\n1..%zu\n", count + (report->suppressions ? 1 : 0));
	for (size_t i = 0; i < count; i++)
		tap_version(out, report, &report->versions[i], i + 1);
	if (report->suppressions)
		tap_suppressions(out, report->suppressions, count + 1);
}
