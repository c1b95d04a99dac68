#include "report/surface_internal.h"
#include "report/verify_internal.h"

#include <inttypes.h>

static void json_side(struct json_writer *writer, const char *key, const struct verify_side *side)
{
	if (!side->present)
		return;
	json_key(writer, key);
	json_open_inline_object(writer);
	if (side->has_number) {
		json_key_unsigned(writer, "number", side->number);
		json_key_string(writer, "name", side->type);
	} else {
		json_key_unsigned(writer, "offset", side->offset_bytes);
		json_key_unsigned(writer, "size", side->size_bytes);
		json_key_string(writer, "type", side->type);
	}
	json_close_object(writer);
}

static void json_about(struct json_writer *writer, const struct verify_finding *finding)
{
	json_key_string(writer, "rule", verify_rule_name(finding->rule));
	json_key_string(writer, "family", finding->family);
	json_key_string(writer, "entry", finding->entry);
	json_key_string(writer, "record", finding->record);
	json_key_string(writer, "path", finding->path);
	json_side(writer, "driver", &finding->driver);
	json_side(writer, "proxy", &finding->proxy);
}

/* @by: the line that suppressed it, NULL if none did. */
static void json_finding(struct json_writer *writer, const struct verify_report *report, const struct verify_finding *finding,
			 const struct suppression *by)
{
	json_open_inline_object(writer);
	json_about(writer, finding);
	json_key_string(writer, "message", finding->message);
	if (!by && !report->fails[finding->rule])
		json_key_bool(writer, "counts", false);
	if (by) {
		json_key_unsigned(writer, "line", by->line);
		json_key_string(writer, "reason", by->reason);
	}
	json_close_object(writer);
}

static void json_unseen(struct json_writer *writer, const struct verify_result *result)
{
	json_key(writer, "unseen");
	json_open_array(writer);
	for (size_t i = 0; i < result->unseen_count; i++) {
		json_open_inline_object(writer);
		json_about(writer, &result->unseen[i]);
		json_key_string(writer, "reason", result->unseen[i].message);
		json_close_object(writer);
	}
	json_close_array(writer);
}

static void json_compared(struct json_writer *writer, const struct verify_version *version)
{
	const struct verify_result *result = &version->result;

	json_key_string(writer, "node", result->view->node->version);
	json_key_string(writer, "commit", result->abi->commit);
	json_key_unsigned(writer, "entries", result->entry_count);
	json_key_unsigned(writer, "structs", result->struct_count);
	json_key_unsigned(writer, "fields", result->leaf_count);
	json_unseen(writer, result);
}

static void json_version(struct json_writer *writer, const struct verify_report *report, const struct verify_version *version)
{
	json_open_object(writer);
	json_key_string(writer, "version", version->version);
	json_key_bool(writer, "supported", version->supported);
	json_key_string(writer, "status", verify_status_name(version->status));
	if (version->status == VERIFY_UNAVAILABLE) {
		json_key_string(writer, "reason", version->reason);
		json_key_string(writer, "to_do", version->to_do);
	} else {
		json_compared(writer, version);
	}
	json_key(writer, "suppressed");
	json_open_array(writer);
	for (size_t i = 0; i < version->suppressed_count; i++)
		json_finding(writer, report, version->suppressed[i].finding, version->suppressed[i].by);
	json_close_array(writer);
	json_key(writer, "findings");
	json_open_array(writer);
	for (size_t i = 0; i < version->result.finding_count; i++)
		json_finding(writer, report, &version->result.findings[i], NULL);
	json_close_array(writer);
	if (version->caps)
		report_caps_json(writer, version->caps, version->since);
	json_close_object(writer);
}

void report_json_suppressions(struct json_writer *writer, const struct suppressions *suppressions)
{
	json_key(writer, "suppressions");
	json_open_array(writer);
	for (size_t i = 0; i < suppressions->count; i++) {
		const struct suppression *item = &suppressions->item[i];

		json_open_inline_object(writer);
		json_key_string(writer, "file", suppressions->path);
		json_key_unsigned(writer, "line", item->line);
		json_key_string(writer, "rule", item->rule_text);
		json_key_string(writer, "entry", item->entry);
		json_key_string(writer, "versions", item->versions);
		json_key_string(writer, "expires", item->expires_text);
		json_key_string(writer, "reason", item->reason);
		json_key_unsigned(writer, "used", item->used);
		json_key_string(writer, "state", verify_state(item));
		json_close_object(writer);
	}
	json_close_array(writer);
}

static void json_summary(struct json_writer *writer, const struct verify_report *report)
{
	json_key(writer, "summary");
	json_open_inline_object(writer);
	json_key_unsigned(writer, "versions", report->version_count);
	json_key_unsigned(writer, "checked", report->version_count - verify_count(report, VERIFY_UNAVAILABLE));
	json_key_unsigned(writer, "pass", verify_count(report, VERIFY_PASS));
	json_key_unsigned(writer, "fail", verify_count(report, VERIFY_FAIL));
	json_key_unsigned(writer, "unavailable", verify_count(report, VERIFY_UNAVAILABLE));
	json_key_unsigned(writer, "not_checked", verify_unseen_entries(report));
	json_close_object(writer);
}

void report_verify_json(struct strbuf *out, const struct verify_report *report)
{
	struct json_writer writer = { .out = out };

	json_open_object(&writer);
	json_key_string(&writer, "format", VERIFY_FORMAT);
	json_key_string(&writer, "table", report->table->path);
	json_key_string(&writer, "proxy", report->table->proxy);
	json_key_string(&writer, "revision", report->table->revision);
	json_key(&writer, "versions");
	json_open_array(&writer);
	for (size_t i = 0; i < report->version_count; i++)
		json_version(&writer, report, &report->versions[i]);
	json_close_array(&writer);
	if (report->suppressions)
		report_json_suppressions(&writer, report->suppressions);
	json_summary(&writer, report);
	json_close_object(&writer);
	json_end(&writer);
}
