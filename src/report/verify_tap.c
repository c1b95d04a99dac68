/*
 * TAP 13: a test for each version, a skipped one for each thing that could not
 * be checked in it, and one for the suppression file.
 */
#include "report/verify_internal.h"

static void tap_finding(struct strbuf *out, const struct verify_finding *finding, const char *note)
{
	report_textf(out, "# %s %s %s: %s%s\n", verify_rule_name(finding->rule), finding->family, finding->entry, finding->message, note);
}

static void tap_version(struct strbuf *out, const struct verify_report *report, const struct verify_version *version, size_t number)
{
	const struct verify_result *result = &version->result;

	strbuf_addf(out, "%sok %zu - ", version->status == VERIFY_FAIL ? "not " : "", number);
	escape_tap(out, version->version);
	if (version->status == VERIFY_UNAVAILABLE)
		escape_addf(out, escape_tap, " # SKIP unavailable: %s", version->reason);
	strbuf_addch(out, '\n');
	for (size_t i = 0; i < result->finding_count; i++)
		tap_finding(out, &result->findings[i], report->fails[result->findings[i].rule] ? "" : " (does not count)");
	for (size_t i = 0; i < version->suppressed_count; i++)
		tap_finding(out, version->suppressed[i].finding, " (suppressed)");
}

static void tap_unseen(struct strbuf *out, const struct verify_version *version, size_t number)
{
	for (size_t i = 0; i < version->result.unseen_count; i++) {
		const struct verify_finding *unseen = &version->result.unseen[i];

		strbuf_addf(out, "ok %zu - ", number + i);
		escape_addf(out, escape_tap, "%s %s %s # SKIP not checked: %s\n", version->version, unseen->family, unseen->entry, unseen->message);
	}
}

static void tap_suppressions(struct strbuf *out, const struct suppressions *suppressions, size_t number)
{
	bool expired = false;

	for (size_t i = 0; i < suppressions->count; i++)
		expired |= suppressions->item[i].expired;
	strbuf_addf(out, "%sok %zu - no line of ", expired ? "not " : "", number);
	escape_tap(out, suppressions->path);
	strbuf_adds(out, " has expired\n");
	for (size_t i = 0; i < suppressions->count; i++) {
		const struct suppression *item = &suppressions->item[i];

		if (verify_is_settled(item))
			continue;
		report_textf(out, "# %s line %u: %s %s %s %s %s\n", verify_state(item), item->line, item->rule_text, item->entry,
			     item->versions, item->expires_text, item->reason);
	}
}

void report_verify_tap(struct strbuf *out, const struct verify_report *report)
{
	size_t count = report->suppressions ? 1 : 0, number = 1;

	for (size_t i = 0; i < report->version_count; i++)
		count += 1 + report->versions[i].result.unseen_count;
	strbuf_addf(out, "TAP version 13\n1..%zu\n", count);
	for (size_t i = 0; i < report->version_count; i++) {
		tap_version(out, report, &report->versions[i], number++);
		tap_unseen(out, &report->versions[i], number);
		number += report->versions[i].result.unseen_count;
	}
	if (report->suppressions)
		tap_suppressions(out, report->suppressions, number);
}
