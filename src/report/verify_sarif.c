/*
 * SARIF 2.1.0, with what GitHub's code scanning asks for on top: a help text
 * for each rule, a region for each location, fingerprints.
 *
 * A finding is a result, whatever the number of versions that have it; one
 * that was suppressed is a result too, and says so (verify_sarif_results.c). What
 * is not a fault (an unavailable version, what could not be checked of an entry,
 * a line of the suppression file that is unused, unexplained or expired) is a
 * notification of the run. With --strict an unavailable version is a result, too.
 */
#include "report/verify_sarif_internal.h"

#include <ctype.h>
#include <string.h>

/* helpUri must be absolute (3.49.12), and the project has no address of its own: the Makefile's DOCS_URL is where docs/ is. */
#ifndef DOCS_URL
#error "DOCS_URL is not set; see the Makefile"
#endif

#define SARIF_SCHEMA "https://json.schemastore.org/sarif-2.1.0.json"

enum notice { NOTICE_UNAVAILABLE, NOTICE_UNSEEN, NOTICE_UNUSED, NOTICE_UNEXPLAINED, NOTICE_EXPIRED, NOTICE_COUNT };

static const struct {
	const char *id, *level, *description;
} notices[NOTICE_COUNT] = {
	[NOTICE_UNAVAILABLE] = { "unavailable", "warning", "a version of the table could not be checked: nothing that was looked at has it" },
	[NOTICE_UNSEEN] = { "not-checked", "note", "neither the table nor the driver's source shows whether something of an entry is a fault" },
	[NOTICE_UNUSED] = { "unused-suppression", "warning", "a line of the suppression file suppresses nothing" },
	[NOTICE_UNEXPLAINED] = { "unexplained-suppression", "warning", "a line of the suppression file has no reason but TODO" },
	[NOTICE_EXPIRED] = { "expired-suppression", "error", "the day of a line of the suppression file has passed" },
};

static void sarif_descriptor(struct json_writer *writer, const char *id, const char *description, const char *level)
{
	struct strbuf help = { 0 }, uri = { 0 };

	strbuf_addf(&help, "%s. See docs/verify.md#%s in the documentation of drvabi.", description, id);
	strbuf_addf(&uri, "%sverify.md#%s", DOCS_URL, id);
	help.text[0] = (char)toupper((unsigned char)help.text[0]);
	json_open_object(writer);
	json_key_string(writer, "id", id);
	sarif_message(writer, "shortDescription", description);
	sarif_message(writer, "fullDescription", description);
	sarif_message(writer, "help", strbuf_text(&help));
	json_key_string(writer, "helpUri", strbuf_text(&uri));
	json_key(writer, "defaultConfiguration");
	json_open_inline_object(writer);
	json_key_string(writer, "level", level);
	json_close_object(writer);
	json_close_object(writer);
	strbuf_release(&help);
	strbuf_release(&uri);
}

static void sarif_driver(struct json_writer *writer, const struct verify_report *report)
{
	json_key(writer, "tool");
	json_open_object(writer);
	json_key(writer, "driver");
	json_open_object(writer);
	json_key_string(writer, "name", "drvabi");
	json_key_string(writer, "version", DRVABI_VERSION);
	json_key(writer, "rules");
	json_open_array(writer);
	for (int rule = 0; rule < VERIFY_RULE_COUNT; rule++)
		sarif_descriptor(writer, verify_rule_name((enum verify_rule)rule), verify_rule_description((enum verify_rule)rule),
				 sarif_level(report, (enum verify_rule)rule));
	json_close_array(writer);
	json_key(writer, "notifications");
	json_open_array(writer);
	for (int notice = 0; notice < NOTICE_COUNT; notice++)
		sarif_descriptor(writer, notices[notice].id, notices[notice].description, notices[notice].level);
	json_close_array(writer);
	json_close_object(writer);
	json_close_object(writer);
}

static void sarif_notice(struct json_writer *writer, enum notice notice, const char *path, unsigned line, const char *logical,
			 const char *text)
{
	json_open_object(writer);
	json_key(writer, "descriptor");
	json_open_inline_object(writer);
	json_key_string(writer, "id", notices[notice].id);
	json_key_unsigned(writer, "index", (uint64_t)notice);
	json_close_object(writer);
	json_key_string(writer, "level", notices[notice].level);
	sarif_message(writer, "message", text);
	sarif_location(writer, path, line, logical);
	json_close_object(writer);
}

static void notices_of_versions(struct json_writer *writer, const struct verify_report *report)
{
	for (size_t i = 0; i < report->version_count; i++) {
		const struct verify_version *version = &report->versions[i];
		const struct table_node *node = table_find_node(report->table, version->version);
		struct strbuf text = { 0 };

		if (version->status != VERIFY_UNAVAILABLE)
			continue;
		strbuf_addf(&text, "%s is unavailable: ", version->version);
		verify_why_unavailable(&text, version);
		sarif_notice(writer, NOTICE_UNAVAILABLE, report->table->path, node ? node->line : 0, NULL, text.text);
		strbuf_release(&text);
	}
}

static void notices_of_unseen(struct json_writer *writer, const struct verify_report *report, const struct sarif_findings *findings)
{
	for (size_t i = 0; i < findings->count; i++) {
		const struct sarif_finding *one = &findings->finding[i];
		const struct verify_finding *unseen = one->first;
		struct strbuf text = { 0 };

		if (!unseen->unseen)
			continue;
		strbuf_addf(&text, "%s %s is not checked: %s: %s", unseen->family, unseen->entry, verify_rule_name(unseen->rule), one->message);
		for (size_t n = 0; n < one->by_count; n++)
			strbuf_addf(&text, "%s%s", n ? "; " : " (accepted: ", one->by[n]->reason);
		strbuf_adds(&text, one->by_count ? ")" : "");
		sarif_notice(writer, NOTICE_UNSEEN, sarif_file(report, one), one->entry ? one->entry->line : 0, one->logical, text.text);
		strbuf_release(&text);
	}
}

static void notices_of_suppressions(struct json_writer *writer, const struct suppressions *suppressions)
{
	struct strbuf text = { 0 };

	for (size_t i = 0; suppressions && i < suppressions->count; i++) {
		const struct suppression *item = &suppressions->item[i];

		if (verify_is_settled(item))
			continue;
		strbuf_reset(&text);
		strbuf_addf(&text, "%s line %u is %s: %s %s %s %s %s", suppressions->path, item->line, verify_state(item), item->rule_text,
			    item->entry, item->versions, item->expires_text, item->reason);
		sarif_notice(writer, item->expired ? NOTICE_EXPIRED : item->used ? NOTICE_UNEXPLAINED : NOTICE_UNUSED, suppressions->path, item->line, NULL,
			     text.text);
	}
	strbuf_release(&text);
}

static void sarif_invocation(struct json_writer *writer, const struct verify_report *report, const struct sarif_findings *findings)
{
	json_key(writer, "invocations");
	json_open_array(writer);
	json_open_object(writer);
	json_key_bool(writer, "executionSuccessful", true);
	json_key(writer, "toolExecutionNotifications");
	json_open_array(writer);
	notices_of_versions(writer, report);
	notices_of_unseen(writer, report, findings);
	notices_of_suppressions(writer, report->suppressions);
	json_close_array(writer);
	json_close_object(writer);
	json_close_array(writer);
}

void report_verify_sarif(struct strbuf *out, const struct verify_report *report)
{
	struct json_writer writer = { .out = out };
	struct sarif_findings findings;
	struct arena arena = { 0 };

	sarif_gather(&findings, report, &arena);
	json_open_object(&writer);
	json_key_string(&writer, "$schema", SARIF_SCHEMA);
	json_key_string(&writer, "version", "2.1.0");
	json_key(&writer, "runs");
	json_open_array(&writer);
	json_open_object(&writer);
	sarif_driver(&writer, report);
	sarif_invocation(&writer, report, &findings);
	sarif_results(&writer, report, &findings);
	json_close_object(&writer);
	json_close_array(&writer);
	json_close_object(&writer);
	json_end(&writer);
	arena_release(&arena);
}
