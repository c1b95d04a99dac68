/*
 * What CI systems read: TAP 13, JUnit XML, SARIF 2.1.0.
 */
#include "report/verify_parts.h"

#include "json/writer.h"

#include <string.h>

void report_verify_tap(struct strbuf *out, const struct verify_report *report)
{
	strbuf_addf(out, "TAP version 13\n1..%zu\n", report->version_count);
	for (size_t i = 0; i < report->version_count; i++) {
		const struct verify_version *version = &report->versions[i];

		strbuf_addf(out, "%sok %zu - %s", version->status == VERIFY_FAIL ? "not " : "", i + 1, version->version);
		if (version->status == VERIFY_UNAVAILABLE)
			strbuf_addf(out, " # SKIP %s", version->reason);
		strbuf_addch(out, '\n');
		for (size_t f = 0; f < version->result.finding_count; f++) {
			const struct verify_finding *finding = &version->result.findings[f];

			strbuf_addf(out, "# %s %s %s: %s\n", verify_rule_name(finding->rule), finding->family, finding->entry,
				    finding->message);
		}
	}
}

static void xml_text(struct strbuf *out, const char *text)
{
	for (; *text; text++) {
		switch (*text) {
		case '&': strbuf_adds(out, "&amp;"); break;
		case '<': strbuf_adds(out, "&lt;"); break;
		case '>': strbuf_adds(out, "&gt;"); break;
		case '"': strbuf_adds(out, "&quot;"); break;
		default:
			if ((unsigned char)*text >= ' ')
				strbuf_addch(out, *text);
		}
	}
}

static void junit_version(struct strbuf *out, const struct verify_report *report, const struct verify_version *version)
{
	strbuf_adds(out, "    <testcase classname=\"");
	xml_text(out, report->table->proxy);
	strbuf_adds(out, "\" name=\"");
	xml_text(out, version->version);
	strbuf_adds(out, "\">\n");
	if (version->status == VERIFY_UNAVAILABLE) {
		strbuf_adds(out, "      <skipped message=\"");
		xml_text(out, version->reason);
		strbuf_adds(out, "\"/>\n");
	}
	for (size_t i = 0; i < version->result.finding_count; i++) {
		const struct verify_finding *finding = &version->result.findings[i];

		strbuf_addf(out, "      <failure type=\"%s\" message=\"", verify_rule_name(finding->rule));
		xml_text(out, finding->entry);
		strbuf_adds(out, ": ");
		xml_text(out, finding->message);
		strbuf_adds(out, "\"/>\n");
	}
	strbuf_adds(out, "    </testcase>\n");
}

void report_verify_junit(struct strbuf *out, const struct verify_report *report)
{
	strbuf_addf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"drvabi verify\" tests=\"%zu\" "
			 "failures=\"%zu\" skipped=\"%zu\">\n", report->version_count, verify_count(report, VERIFY_FAIL),
		    verify_count(report, VERIFY_UNAVAILABLE));
	for (size_t i = 0; i < report->version_count; i++)
		junit_version(out, report, &report->versions[i]);
	strbuf_adds(out, "  </testsuite>\n</testsuites>\n");
}

/* {"text": "..."}, SARIF's way of saying anything. */
static void sarif_message(struct json_writer *writer, const char *key, const char *text)
{
	json_key(writer, key);
	json_open_inline_object(writer);
	json_key_string(writer, "text", text);
	json_close_object(writer);
}

static void sarif_driver(struct json_writer *writer)
{
	json_key(writer, "tool");
	json_open_object(writer);
	json_key(writer, "driver");
	json_open_object(writer);
	json_key_string(writer, "name", "drvabi");
	json_key_string(writer, "version", DRVABI_VERSION);
	json_key(writer, "rules");
	json_open_array(writer);
	for (int rule = 0; rule < VERIFY_RULE_COUNT; rule++) {
		json_open_inline_object(writer);
		json_key_string(writer, "id", verify_rule_name((enum verify_rule)rule));
		json_close_object(writer);
	}
	json_close_array(writer);
	json_close_object(writer);
	json_close_object(writer);
}

static void sarif_result(struct json_writer *writer, const struct verify_report *report, const struct verify_version *version,
			 const struct verify_finding *finding)
{
	struct strbuf text = { 0 };

	strbuf_addf(&text, "%s: %s %s: %s", version->version, finding->family, finding->entry, finding->message);
	json_open_object(writer);
	json_key_string(writer, "ruleId", verify_rule_name(finding->rule));
	json_key_unsigned(writer, "ruleIndex", (uint64_t)finding->rule);
	json_key_string(writer, "level", "error");
	sarif_message(writer, "message", text.text);
	json_key(writer, "locations");
	json_open_array(writer);
	json_open_object(writer);
	json_key(writer, "physicalLocation");
	json_open_inline_object(writer);
	json_key(writer, "artifactLocation");
	json_open_inline_object(writer);
	json_key_string(writer, "uri", report->table->path);
	json_close_object(writer);
	json_close_object(writer);
	json_close_object(writer);
	json_close_array(writer);
	json_close_object(writer);
	strbuf_release(&text);
}

void report_verify_sarif(struct strbuf *out, const struct verify_report *report)
{
	struct json_writer writer = { .out = out };

	json_open_object(&writer);
	json_key_string(&writer, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
	json_key_string(&writer, "version", "2.1.0");
	json_key(&writer, "runs");
	json_open_array(&writer);
	json_open_object(&writer);
	sarif_driver(&writer);
	json_key(&writer, "results");
	json_open_array(&writer);
	for (size_t i = 0; i < report->version_count; i++)
		for (size_t f = 0; f < report->versions[i].result.finding_count; f++)
			sarif_result(&writer, report, &report->versions[i], &report->versions[i].result.findings[f]);
	json_close_array(&writer);
	json_close_object(&writer);
	json_close_array(&writer);
	json_close_object(&writer);
	json_end(&writer);
}
