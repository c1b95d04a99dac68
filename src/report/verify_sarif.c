/*
 * SARIF 2.1.0, with what GitHub's code scanning asks for on top: a help text
 * for each rule, a region for each location, fingerprints.
 *
 * A finding is a result; one that was suppressed is a result too, and says
 * so. What is no fault (a version without source, what could not be checked of
 * an entry, a line of the suppression file that is unused, unexplained or
 * expired) is a notification of the run.
 */
#include "json/writer.h"
#include "report/verify_internal.h"

#include <ctype.h>
#include <string.h>

#define SARIF_SCHEMA "https://json.schemastore.org/sarif-2.1.0.json"

enum notice { NOTICE_UNAVAILABLE, NOTICE_UNSEEN, NOTICE_UNUSED, NOTICE_UNEXPLAINED, NOTICE_EXPIRED, NOTICE_COUNT };

static const struct {
	const char *id, *level, *description;
} notices[NOTICE_COUNT] = {
	[NOTICE_UNAVAILABLE] = { "unavailable", "warning", "a version of the table could not be checked: the repository or archive lacks it" },
	[NOTICE_UNSEEN] = { "not-checked", "note", "neither the table nor the driver's source shows whether something of an entry is a fault" },
	[NOTICE_UNUSED] = { "unused-suppression", "warning", "a line of the suppression file suppresses nothing" },
	[NOTICE_UNEXPLAINED] = { "unexplained-suppression", "warning", "a line of the suppression file has no reason but TODO" },
	[NOTICE_EXPIRED] = { "expired-suppression", "error", "the day of a line of the suppression file has passed" },
};

/* {"text": "..."}, SARIF's way of saying anything. */
static void sarif_message(struct json_writer *writer, const char *key, const char *text)
{
	struct strbuf escaped = { 0 };

	escape_sarif(&escaped, text);
	json_key(writer, key);
	json_open_inline_object(writer);
	json_key_string(writer, "text", strbuf_text(&escaped));
	json_close_object(writer);
	strbuf_release(&escaped);
}

static void sarif_descriptor(struct json_writer *writer, const char *id, const char *description, const char *level)
{
	struct strbuf help = { 0 };

	strbuf_addf(&help, "%s. See the documentation of drvabi verify, rule %s.", description, id);
	help.text[0] = (char)toupper((unsigned char)help.text[0]);
	json_open_object(writer);
	json_key_string(writer, "id", id);
	sarif_message(writer, "shortDescription", description);
	sarif_message(writer, "fullDescription", description);
	sarif_message(writer, "help", strbuf_text(&help));
	json_key(writer, "defaultConfiguration");
	json_open_inline_object(writer);
	json_key_string(writer, "level", level);
	json_close_object(writer);
	json_close_object(writer);
	strbuf_release(&help);
}

static const char *level_of(const struct verify_report *report, enum verify_rule rule)
{
	return report->fails[rule] ? "error" : "warning";
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
				 level_of(report, (enum verify_rule)rule));
	json_close_array(writer);
	json_key(writer, "notifications");
	json_open_array(writer);
	for (int notice = 0; notice < NOTICE_COUNT; notice++)
		sarif_descriptor(writer, notices[notice].id, notices[notice].description, notices[notice].level);
	json_close_array(writer);
	json_close_object(writer);
	json_close_object(writer);
}

/* A path as a URI reference: RFC 3986's unreserved characters and '/' stay. */
static void path_as_uri(struct strbuf *out, const char *path)
{
	if (*path == '/')
		strbuf_adds(out, "file://");
	for (; *path; path++) {
		if (isalnum((unsigned char)*path) || strchr("-._~/", *path))
			strbuf_addch(out, *path);
		else
			strbuf_addf(out, "%%%02X", (unsigned char)*path);
	}
}

/* A table is one file, and its lines mean nothing to a reader: the entry's name does. */
static void sarif_location(struct json_writer *writer, const char *path, unsigned line, const char *logical)
{
	struct strbuf uri = { 0 };

	path_as_uri(&uri, path);
	json_key(writer, "locations");
	json_open_array(writer);
	json_open_object(writer);
	json_key(writer, "physicalLocation");
	json_open_inline_object(writer);
	json_key(writer, "artifactLocation");
	json_open_inline_object(writer);
	json_key_string(writer, "uri", strbuf_text(&uri));
	json_close_object(writer);
	json_key(writer, "region");
	json_open_inline_object(writer);
	json_key_unsigned(writer, "startLine", line);
	json_close_object(writer);
	json_close_object(writer);
	if (logical) {
		json_key(writer, "logicalLocations");
		json_open_inline_array(writer);
		json_open_inline_object(writer);
		json_key_string(writer, "fullyQualifiedName", logical);
		json_close_object(writer);
		json_close_array(writer);
	}
	json_close_object(writer);
	json_close_array(writer);
	strbuf_release(&uri);
}

static void sarif_suppression(struct json_writer *writer, const struct suppression *by)
{
	json_key(writer, "suppressions");
	json_open_inline_array(writer);
	if (by) {
		json_open_inline_object(writer);
		json_key_string(writer, "kind", "external");
		json_key_string(writer, "status", "accepted");
		json_key_string(writer, "justification", by->reason);
		json_close_object(writer);
	}
	json_close_array(writer);
}

/* Identifies the finding across runs, whatever its message says. */
static void sarif_fingerprint(struct json_writer *writer, const struct verify_version *version, const struct verify_finding *finding)
{
	struct strbuf text = { 0 };

	strbuf_addf(&text, "%s/%s/%s/%s/%s/%s", version->version, verify_rule_name(finding->rule), finding->family, finding->entry,
		    finding->record, finding->path);
	json_key(writer, "partialFingerprints");
	json_open_inline_object(writer);
	json_key_string(writer, "drvabiFinding/v1", strbuf_text(&text));
	json_close_object(writer);
	strbuf_release(&text);
}

static void sarif_result(struct json_writer *writer, const struct verify_report *report, const struct verify_version *version,
			 const struct verify_finding *finding, const struct suppression *by)
{
	struct strbuf text = { 0 }, logical = { 0 };

	strbuf_addf(&text, "%s: %s %s: %s", version->version, finding->family, finding->entry, finding->message);
	strbuf_addf(&logical, "%s/%s/%s", version->version, finding->family, finding->entry);
	json_open_object(writer);
	json_key_string(writer, "ruleId", verify_rule_name(finding->rule));
	json_key_unsigned(writer, "ruleIndex", (uint64_t)finding->rule);
	json_key_string(writer, "level", level_of(report, finding->rule));
	sarif_message(writer, "message", text.text);
	sarif_location(writer, report->table->path, 1, logical.text);
	sarif_fingerprint(writer, version, finding);
	if (report->suppressions)
		sarif_suppression(writer, by);
	json_close_object(writer);
	strbuf_release(&text);
	strbuf_release(&logical);
}

static void sarif_results(struct json_writer *writer, const struct verify_report *report)
{
	json_key(writer, "results");
	json_open_array(writer);
	for (size_t i = 0; i < report->version_count; i++) {
		const struct verify_version *version = &report->versions[i];

		for (size_t f = 0; f < version->result.finding_count; f++)
			sarif_result(writer, report, version, &version->result.findings[f], NULL);
		for (size_t f = 0; f < version->suppressed_count; f++)
			if (!version->suppressed[f].finding->unseen)
				sarif_result(writer, report, version, version->suppressed[f].finding, version->suppressed[f].by);
	}
	json_close_array(writer);
}

static void sarif_notice(struct json_writer *writer, enum notice notice, const char *path, unsigned line, const char *text)
{
	json_open_object(writer);
	json_key(writer, "descriptor");
	json_open_inline_object(writer);
	json_key_string(writer, "id", notices[notice].id);
	json_key_unsigned(writer, "index", (uint64_t)notice);
	json_close_object(writer);
	json_key_string(writer, "level", notices[notice].level);
	sarif_message(writer, "message", text);
	sarif_location(writer, path, line, NULL);
	json_close_object(writer);
}

/* @by: the line that accepts it, or NULL. */
static void notice_of_unseen(struct json_writer *writer, const struct verify_report *report, const struct verify_version *version,
			     const struct verify_finding *unseen, const struct suppression *by)
{
	struct strbuf text = { 0 };

	strbuf_addf(&text, "%s: %s %s is not checked: %s: %s", version->version, unseen->family, unseen->entry, verify_rule_name(unseen->rule),
		    unseen->message);
	if (by)
		strbuf_addf(&text, " (accepted: %s)", by->reason);
	sarif_notice(writer, NOTICE_UNSEEN, report->table->path, 1, text.text);
	strbuf_release(&text);
}

static void notices_of_version(struct json_writer *writer, const struct verify_report *report, const struct verify_version *version)
{
	struct strbuf text = { 0 };

	if (version->status == VERIFY_UNAVAILABLE) {
		strbuf_addf(&text, "%s is unavailable: %s", version->version, version->reason);
		sarif_notice(writer, NOTICE_UNAVAILABLE, report->table->path, 1, text.text);
	}
	for (size_t i = 0; i < version->result.unseen_count; i++)
		notice_of_unseen(writer, report, version, &version->result.unseen[i], NULL);
	for (size_t i = 0; i < version->suppressed_count; i++)
		if (version->suppressed[i].finding->unseen)
			notice_of_unseen(writer, report, version, version->suppressed[i].finding, version->suppressed[i].by);
	strbuf_release(&text);
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
		sarif_notice(writer, item->expired ? NOTICE_EXPIRED : item->used ? NOTICE_UNEXPLAINED : NOTICE_UNUSED, suppressions->path, item->line, text.text);
	}
	strbuf_release(&text);
}

static void sarif_invocation(struct json_writer *writer, const struct verify_report *report)
{
	json_key(writer, "invocations");
	json_open_array(writer);
	json_open_object(writer);
	json_key_bool(writer, "executionSuccessful", true);
	json_key(writer, "toolExecutionNotifications");
	json_open_array(writer);
	for (size_t i = 0; i < report->version_count; i++)
		notices_of_version(writer, report, &report->versions[i]);
	notices_of_suppressions(writer, report->suppressions);
	json_close_array(writer);
	json_close_object(writer);
	json_close_array(writer);
}

void report_verify_sarif(struct strbuf *out, const struct verify_report *report)
{
	struct json_writer writer = { .out = out };

	json_open_object(&writer);
	json_key_string(&writer, "$schema", SARIF_SCHEMA);
	json_key_string(&writer, "version", "2.1.0");
	json_key(&writer, "runs");
	json_open_array(&writer);
	json_open_object(&writer);
	sarif_driver(&writer, report);
	sarif_invocation(&writer, report);
	sarif_results(&writer, report);
	json_close_object(&writer);
	json_close_array(&writer);
	json_close_object(&writer);
	json_end(&writer);
}
